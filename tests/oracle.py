"""The rules of Canfield once more, slow and plain, to check the engine against.

Nothing here imports the program: a card is a (rank, suit) pair, a pile a list of cards whose last
can leave next, and the rules are a dictionary of option words.
"""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
RED = ("d", "h")
SOURCES = ("r", "w", "1", "2", "3", "4", "fc", "fd", "fh", "fs")
TARGETS = ("f", "1", "2", "3", "4")


def card(text):
    return (text[0], text[1])


def cards(text):
    return [] if text == "-" else [card(text[i : i + 2]) for i in range(0, len(text), 2)]


def text_of(pile):
    return "".join(rank + suit for rank, suit in pile) or "-"


def rank_below(rank):
    return RANKS[RANKS.index(rank) - 1]


def rank_above(rank):
    return RANKS[(RANKS.index(rank) + 1) % 13]


class Oracle:
    """One position of a game with all its cards."""

    def __init__(self, words):
        self.words = words
        self.base = "A"
        self.reserve = []
        self.columns = {"1": [], "2": [], "3": [], "4": []}
        self.stock = []
        self.waste = []
        self.foundations = {suit: [] for suit in SUITS}
        self.redeals = 0

    @classmethod
    def deal(cls, deck, words):
        """Deal 52 two-letter cards in the order of the rules."""
        self = cls(words)
        pack = [card(text) for text in deck]
        self.reserve = pack[:13]
        self.base = pack[13][0]
        self.foundations[pack[13][1]] = [pack[13]]
        for place in range(4):
            self.columns[str(place + 1)] = [pack[14 + place]]
        self.stock = list(reversed(pack[18:]))
        return self

    @classmethod
    def read(cls, line, words):
        """Take the seven fields of a position line."""
        self = cls(words)
        base, tops, reserve, columns, stock, waste, redeals = line.split()
        self.base = base
        for suit, top in zip(SUITS, tops, strict=True):
            rank = base
            while top != "-":
                self.foundations[suit].append((rank, suit))
                if rank == top:
                    break
                rank = rank_above(rank)
        self.reserve = cards(reserve)
        for name, column in zip("1234", columns.split("/"), strict=True):
            self.columns[name] = cards(column)
        self.stock = cards(stock)
        self.waste = cards(waste)
        self.redeals = int(redeals)
        return self

    def line(self):
        tops = "".join(self.foundations[suit][-1][0] if self.foundations[suit] else "-" for suit in SUITS)
        columns = "/".join(text_of(self.columns[name]) for name in "1234")
        fields = (self.base, tops, text_of(self.reserve), columns, text_of(self.stock), text_of(self.waste))
        return " ".join((*fields, str(self.redeals)))

    def all_cards(self):
        piles = [self.reserve, self.stock, self.waste, *self.columns.values(), *self.foundations.values()]
        return sorted(rank + suit for pile in piles for rank, suit in pile)

    def cards_up(self):
        return sum(len(pile) for pile in self.foundations.values())

    def won(self):
        return all(len(pile) == 13 for pile in self.foundations.values())

    # What the rules allow.

    def goes_up(self, card):
        rank, suit = card
        pile = self.foundations[suit]
        if not pile:
            return rank == self.base
        return len(pile) < 13 and rank == rank_above(pile[-1][0])

    def builds(self, card, on):
        """May `card` lie on the card `on` in a column."""
        if (card[1] in RED) == (on[1] in RED) or card[0] != rank_below(on[0]):
            return False
        return not (on[0] == self.base and self.words["base_build"] == "no")

    def enters(self, source, card, target):
        """May `card`, or a run that begins with it, go from the pile `source` to the column `target`."""
        column = self.columns[target]
        if column:
            return self.builds(card, column[-1])
        return not self.reserve and (source == "w" or self.words["fill"] == "any")

    def run_may_move(self, source, target, count):
        column = self.columns[source]
        whole = count == len(column)
        if whole and not self.columns[target]:
            return False  # it would change nothing
        allowed = {"any": True, "top-or-whole": count == 1 or whole, "whole": whole}[self.words["runs"]]
        return allowed and self.enters(source, column[-count], target)

    def legal(self):
        """The legal actions as tokens, in the promised order; none once the game is won."""
        tokens = []
        if self.won():
            return tokens
        if self.stock:
            tokens.append("draw")
        elif self.waste and (self.words["redeals"] == "unlimited" or self.redeals < self.words["redeals"]):
            tokens.append("redeal")
        for source in SOURCES:
            for target in TARGETS:
                tokens += self.legal_between(source, target)
        return tokens

    def legal_between(self, source, target):
        if source == target:
            return []
        if source in self.columns and target in self.columns:
            column = self.columns[source]
            return [
                f"{source}{target}x{count}"
                for count in range(1, len(column) + 1)
                if self.run_may_move(source, target, count)
            ]
        pile = self.pile(source)
        if not pile:
            return []
        if source[0] == "f":
            allowed = (
                target != "f" and self.words["takeback"] == "yes" and self.enters(source, pile[-1], target)
            )
        elif target == "f":
            allowed = self.goes_up(pile[-1])
        else:
            allowed = self.enters(source, pile[-1], target)
        return [source + target] if allowed else []

    def pile(self, name):
        if name[0] == "f":
            return self.foundations[name[1]]
        return {"r": self.reserve, "w": self.waste, **self.columns}[name]

    # What an action does.

    def play(self, token):
        """Do a legal action, with all that belongs to it."""
        if token == "draw":
            for _ in range(self.words["draw"]):
                if self.stock:
                    self.waste.append(self.stock.pop())
        elif token == "redeal":
            while self.waste:
                self.stock.append(self.waste.pop())
            self.redeals += 1
        else:
            self.move(token)
        for column in self.columns.values():
            if not column and self.reserve:
                column.append(self.reserve.pop())
        # A card that was taken back by hand stays there until the next action.
        if self.words["finish"] == "auto" and token[0] != "f":
            self.finish()

    def move(self, token):
        if "x" in token:
            source, target, count = token[0], token[1], int(token[3:])
        else:
            source, target, count = token[:-1], token[-1], 1
        pile = self.pile(source)
        taken = pile[-count:]
        del pile[-count:]
        self.pile("f" + taken[0][1] if target == "f" else target).extend(taken)

    def finish(self):
        """Send every card up if that alone wins; else leave all as it is."""
        if self.stock or self.waste or self.reserve:
            return
        columns = {name: list(column) for name, column in self.columns.items()}
        foundations = {suit: list(pile) for suit, pile in self.foundations.items()}
        moved = True
        while moved:
            moved = False
            for column in self.columns.values():
                while column and self.goes_up(column[-1]):
                    self.foundations[column[-1][1]].append(column[-1])
                    column.pop()
                    moved = True
        if not self.won():
            self.columns, self.foundations = columns, foundations


def universe():
    """Every action token that there is, in the promised order."""
    tokens = ["draw", "redeal"]
    for source in SOURCES:
        for target in TARGETS:
            if source in "1234" and target in "1234":
                tokens += [f"{source}{target}x{count}" for count in range(1, 53) if source != target]
            elif not (source[0] == "f" and target == "f"):
                tokens.append(source + target)
    return tokens
