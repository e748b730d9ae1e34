"""A position of the game: immutable; its legal actions, what an action does, and what is wrong with it.

An action is its token in pile notation (``"draw"``, ``"rf"``, ``"24x3"``), as
notation.py describes it. The autofill of an empty column and the automatic finish
are part of the action that causes them. Start reading at :class:`Position`.
"""

from __future__ import annotations

from .cards import HIDDEN, KIND, KINDS, PACK, RANK, RANKS, SUIT, SUIT_NAMES, SUITS, Card, card_of
from .errors import IllegalMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import NewType

    from .rules import Rules

    Action = NewType("Action", str)
    Pile = tuple[Card, ...]
else:
    Action, Pile = str, tuple

__all__ = [
    "COLUMNS", "DRAW", "FILL", "FULL", "REDEAL", "RUNS", "Action", "Pile", "Played", "Position", "parts", "pile_name",
]  # fmt: skip

COLUMNS = "1234"
DRAW = Action("draw")
REDEAL = Action("redeal")
#: Cards of one suit: a foundation of this height is full.
FULL = 13

#: `runs`: may `count` cards of a column of `length` move to another column?
RUNS: dict[str, Callable[[int, int], bool]] = {
    "any": lambda count, length: True,
    "top-or-whole": lambda count, length: count == 1 or count == length,
    "whole": lambda count, length: count == length,
}
#: `fill`: may a card that does not come from the waste enter an empty column?
FILL = {"any": True, "waste": False}
#: `finish`: do the last cards go up by themselves?
FINISH = {"manual": False, "auto": True}


class Played:
    """What one action did: the single source of score, message and statistics.

    `cards` are the cards that it moved, turned or turned over, in the order in which
    they lie afterwards; `source` and `target` are pile letters (``s w r 1 2 3 4 fc fd fh fs``);
    `filled` is the reserve card that filled the space that the action left, or None;
    `finished` are the cards that then went up by themselves.
    """

    __slots__ = ("action", "cards", "filled", "finished", "source", "target", "won")

    def __init__(
        self,
        action: Action,
        source: str,
        target: str,
        cards: Pile,
        filled: Card | None = None,
        finished: Pile = (),
        *,
        won: bool = False,
    ) -> None:
        self.action = action
        self.source = source
        self.target = target
        self.cards = cards
        self.filled = filled
        self.finished = finished
        self.won = won

    @property
    def ups(self) -> int:
        """How many cards it put on foundations."""
        return (self.target[0] == "f") + len(self.finished)

    @property
    def downs(self) -> int:
        """How many cards it took back from foundations."""
        return int(self.source[0] == "f")

    def __repr__(self) -> str:
        return f"<Played {self.action} {' '.join(self.cards)}>"


class Position:
    """Where all cards lie, under which rules. Immutable; equal when everything is equal.

    `base` is a rank (0 to 12). `foundations` holds the four heights (0 to 13) in the order
    c d h s. Of `reserve`, `waste`, `stock` and each of the four `columns` the last card is the one
    that leaves next. `redeals` counts how often the waste has been turned over.

    The constructor believes what it is given; :meth:`faults` lists what is wrong.
    """

    __slots__ = ("_legal", "base", "columns", "foundations", "redeals", "reserve", "rules", "stock", "waste")

    def __init__(
        self,
        rules: Rules,
        base: int,
        foundations: tuple[int, ...],
        reserve: Pile,
        columns: tuple[Pile, ...],
        stock: Pile,
        waste: Pile,
        redeals: int = 0,
    ) -> None:
        self.rules = rules
        self.base = base
        self.foundations = foundations
        self.reserve = reserve
        self.columns = columns
        self.stock = stock
        self.waste = waste
        self.redeals = redeals
        self._legal: tuple[Action, ...] | None = None

    def _key(self) -> tuple[object, ...]:
        """All that tells it from other positions under the same rules."""
        piles = (self.reserve, self.columns, self.stock, self.waste)
        return (self.base, self.foundations, *piles, self.redeals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key() == other._key() and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        from .notation import format_position

        return f"parse_position({format_position(self)!r}, {self.rules!r})"

    # What there is to see.

    @property
    def won(self) -> bool:
        """All four foundations hold 13 cards."""
        return self.foundations == (FULL, FULL, FULL, FULL)

    @property
    def cards_up(self) -> int:
        """Cards on the foundations, the base card included."""
        return sum(self.foundations)

    @property
    def redeals_left(self) -> int | None:
        """How often the waste may still be turned over; None for without limit."""
        limit = self.rules.redeals
        return None if limit is None else max(0, limit - self.redeals)

    def foundation(self, suit: int) -> Pile:
        """Return the cards of the foundation of `suit` (0 to 3), the base card first."""
        return tuple(card_of(self.base + i, suit) for i in range(self.foundations[suit]))

    def pile(self, letters: str) -> Pile:
        """Return the cards of a pile by its letters (``s w r 1 2 3 4 fc fd fh fs``), the one that can leave last."""
        if letters in COLUMNS:
            return self.columns[COLUMNS.index(letters)]
        if letters[0] == "f":
            return self.foundation(SUITS.index(letters[1]))
        return {"s": self.stock, "w": self.waste, "r": self.reserve}[letters]

    def goes_up(self, card: Card) -> bool:
        """Say whether `card` is the next one of its foundation."""
        return (RANK[card] - self.base) % 13 == self.foundations[SUIT[card]]

    def fits(self, card: Card, column: int) -> bool:
        """Say whether `card` may be built on the last card of `column` (0 to 3), which is not empty."""
        end = self.columns[column][-1]
        return (KIND[end] - KIND[card]) % KINDS == 1 and self._takes(end)

    def _takes(self, end: Card) -> bool:
        """Say whether anything may be built on `end` at all (`base_build`)."""
        return self.rules.base_build or RANK[end] != self.base

    def seen(self) -> Position:
        """Return this position as its player knows it: cards never seen stand as HIDDEN.

        Below its top the reserve is hidden. The stock is hidden until it has been turned
        over once: from then on its order is known to who has watched it go by. A hint that
        is given only this can't tell what it may not know.
        """
        reserve = (HIDDEN,) * (len(self.reserve) - 1) + self.reserve[-1:]
        stock = self.stock if self.redeals else (HIDDEN,) * len(self.stock)
        return Position(
            self.rules, self.base, self.foundations, reserve, self.columns, stock, self.waste, self.redeals
        )

    # Legal actions.

    def legal(self) -> list[Action]:
        """Return every legal action in the order that the interface promises.

        Draw or redeal; then by source r, w, 1 to 4, fc, fd, fh, fs; then by target f, 1 to 4; then
        by count. A won game has none.
        """
        if self._legal is None:
            self._legal = tuple(self._list_legal())
        return list(self._legal)

    def _list_legal(self) -> list[Action]:
        if self.won:
            return []
        actions = [action for action in (self._turn(),) if action]
        for pile, cards in (("r", self.reserve), ("w", self.waste)):
            if cards:
                actions += self._entries(pile, cards[-1])
        for source, column in enumerate(self.columns):
            if column:
                actions += self._shifts(source, column)
        if self.rules.takeback:
            for suit, height in enumerate(self.foundations):
                if height:
                    actions += self._entries("f" + SUITS[suit], card_of(self.base + height - 1, suit))
        return actions

    def allows(self, action: Action) -> bool:
        """Say whether `action`, in pile notation, is legal: in `legal`, without making that whole list."""
        if action in (DRAW, REDEAL):
            return action == self._turn()
        source = action[:1]
        if source in COLUMNS:
            column = self.columns[COLUMNS.index(source)]
            return bool(column) and action in self._shifts(COLUMNS.index(source), column)
        if source == "f":
            return self.rules.takeback and action in self.legal()
        cards = {"r": self.reserve, "w": self.waste}.get(source, ())
        return bool(cards) and action in self._entries(source, cards[-1])

    def _turn(self) -> Action | None:
        """Return what a touch of the stock does: draw, redeal or nothing."""
        if self.stock:
            return DRAW
        if self.waste and self.redeals_left != 0:
            return REDEAL
        return None

    def _entries(self, source: str, card: Card) -> Iterator[Action]:
        """Yield the ways of `card`, on top of the pile `source` (r, w, fc, fd, fh, fs), to other piles."""
        if source in ("r", "w") and self.goes_up(card):
            yield Action(source + "f")
        for target, column in enumerate(self.columns):
            if self.fits(card, target) if column else source == "w" or FILL[self.rules.fill]:
                yield Action(source + COLUMNS[target])

    def _shifts(self, source: int, column: Pile) -> Iterator[Action]:
        """Yield the ways of the end of `column`, which is not empty, to other piles.

        On another column's card, exactly so many cards fit as the two ends lie apart on the ring of kinds.
        """
        if self.goes_up(column[-1]):
            yield Action(COLUMNS[source] + "f")
        may_move = RUNS[self.rules.runs]
        length = len(column)
        for target, other in enumerate(self.columns):
            if target == source:
                continue
            if other:
                counts = self._fitting(column[-1], other[-1], length)
            else:
                counts = range(1, length) if FILL[self.rules.fill] else ()
            for count in counts:
                if may_move(count, length):
                    yield Action(f"{COLUMNS[source]}{COLUMNS[target]}x{count}")

    def _fitting(self, end: Card, target: Card, length: int) -> Iterable[int]:
        """Return how many cards of a column of `length` that ends in `end` may stand on `target`."""
        if not self._takes(target):
            return ()
        return range((KIND[target] - KIND[end] - 1) % KINDS + 1, length + 1, KINDS)

    # What an action does.

    def apply(self, action: Action) -> tuple[Position, Played]:
        """Return the position after `action`, and what happened.

        Raises IllegalMove, which says why, and NotationError for what is no action at all.
        """
        if not self.allows(action):
            from .notation import parse_token
            from .reasons import why_not

            message, hint = why_not(self, parse_token(action))
            raise IllegalMove(message, hint, action=action)
        return self.after(action)

    def after(self, action: Action) -> tuple[Position, Played]:
        """As :meth:`apply`, for an `action` that is known to be legal."""
        stock, waste, reserve, redeals = self.stock, self.waste, self.reserve, self.redeals
        columns, heights = list(self.columns), list(self.foundations)
        filled: Card | None = None
        finished: Pile = ()
        if action == DRAW:
            source, target = "s", "w"
            cards = stock[: -self.rules.draw - 1 : -1]
            stock, waste = stock[: -self.rules.draw], waste + cards
        elif action == REDEAL:
            source, target = "w", "s"
            cards = waste[::-1]
            stock, waste, redeals = cards, (), redeals + 1
        else:
            source, target, count = parts(action)
            if source == "r":
                cards, reserve = reserve[-1:], reserve[:-1]
            elif source == "w":
                cards, waste = waste[-1:], waste[:-1]
            elif source[0] == "f":
                suit = SUITS.index(source[1])
                heights[suit] -= 1
                cards = (card_of(self.base + heights[suit], suit),)
            else:
                index = COLUMNS.index(source)
                cards, columns[index] = columns[index][-count:], columns[index][:-count]
                if not columns[index] and reserve:
                    filled = reserve[-1]
                    columns[index], reserve = reserve[-1:], reserve[:-1]
            if target == "f":
                suit = SUIT[cards[0]]
                heights[suit] += 1
                target = "f" + SUITS[suit]
            else:
                columns[COLUMNS.index(target)] += cards
            if FINISH[self.rules.finish] and not (stock or waste or reserve) and source[0] != "f":
                finished = self._finish(columns, heights)
        foundations = tuple(heights)
        position = Position(
            self.rules, self.base, foundations, reserve, tuple(columns), stock, waste, redeals
        )
        return position, Played(action, source, target, cards, filled, finished, won=position.won)

    def _finish(self, columns: list[Pile], heights: list[int]) -> Pile:
        """Send up what is left if that is enough to win, changing both lists; else change nothing."""
        left, reached, sent = list(columns), list(heights), []
        while ends := [i for i, column in enumerate(left) if column and self._next(column[-1], reached)]:
            card = left[ends[0]][-1]
            left[ends[0]] = left[ends[0]][:-1]
            reached[SUIT[card]] += 1
            sent.append(card)
        if any(left):
            return ()
        columns[:], heights[:] = left, reached
        return tuple(sent)

    def _next(self, card: Card, heights: list[int]) -> bool:
        return card != HIDDEN and (RANK[card] - self.base) % 13 == heights[SUIT[card]]

    # What is wrong with it.

    def faults(self) -> list[str]:
        """Return everything that is wrong with this position, a sentence each; none for a sound one.

        A position is sound when it could stand in a game: each of the 52 cards once,
        every column one run, no space beside a reserve, foundations no higher than their cards.
        """
        return list(self._faults())

    def _faults(self) -> Iterator[str]:
        lying = [
            *self.reserve,
            *self.stock,
            *self.waste,
            *(card for column in self.columns for card in column),
        ]
        lying += [card for suit in range(4) for card in self.foundation(suit)]
        for card in PACK:
            count = lying.count(card)
            if count != 1:
                yield f"{{{card}}} is missing" if count == 0 else f"{{{card}}} is there {count} times"
        for name, column in zip(COLUMNS, self.columns, strict=True):
            for upper, lower in zip(column, column[1:], strict=False):
                if (KIND[upper] - KIND[lower]) % KINDS != 1:
                    yield f"in column {name}, {{{lower}}} can't lie on {{{upper}}}"
                elif not self._takes(upper):
                    yield f"in column {name}, {{{lower}}} lies on the base-rank card {{{upper}}}"
            if not column and self.reserve:
                yield f"column {name} is empty beside a reserve of {len(self.reserve)}"
        if len(self.reserve) > 13:
            yield f"the reserve holds {len(self.reserve)} cards, more than 13"
        if len(self.stock) + len(self.waste) > 34:
            yield f"stock and waste hold {len(self.stock) + len(self.waste)} cards, more than 34"
        if not any(self.foundations) and not self.rules.takeback:
            yield f"no foundation holds its base card, the {RANKS[self.base]}"
        if self.rules.redeals is not None and self.redeals > self.rules.redeals:
            yield f"the waste has been turned over {self.redeals} times, the rules allow {self.rules.redeals}"

    def perft(self, depth: int) -> int:
        """Return how many sequences of `depth` actions there are from here."""
        if depth <= 1:
            return len(self.legal()) if depth else 1
        return sum(self.after(action)[0].perft(depth - 1) for action in self.legal())


def parts(action: Action) -> tuple[str, str, int]:
    """Return what an action that moves cards says: source, target, and how many; ``"24x3"`` says 2, 4 and 3."""
    if "x" in action:
        return action[0], action[1], int(action[3:])
    return action[:-1], action[-1], 1


def pile_name(pile: str) -> str:
    """Return the words for a pile letter: ``"2"`` is ``column 2``, ``"fh"`` the ``hearts foundation``."""
    if pile in COLUMNS:
        return f"column {pile}"
    if len(pile) == 2:
        return f"the {SUIT_NAMES[SUITS.index(pile[1])]} foundation"
    return {"s": "the stock", "w": "the waste", "r": "the reserve", "f": "the foundations"}[pile]
