"""Hints by rules of thumb, from what a player may know.

A *goal* is an action that brings the game on (engine/stuck.py says what that is) with what must come
before it: cards moved between columns, then draws. Each goal is judged by playing on after it, quickly and
by fixed rules (:class:`_Guess`), for a few of the orders that the hidden cards may have; the hint is
the first step towards the best goal. Start reading at :func:`rank`.

Following hints ends. What a goal is worth depends on nothing but the goal, and of equal goals the nearer
is better: so every step towards the best one makes the best outlook better, until it is reached. A goal
takes a card from reserve or waste, or puts one up, and both can happen only so often. Cards come back
from the foundations only where there is no other goal, and only for a card to leave reserve or waste; and no
card goes up that would have to come back for the next such (:func:`_retreats`): so none goes to and fro.
"""

from __future__ import annotations

from ..engine.cards import HIDDEN, KIND, KINDS, PACK, RANK, SUIT, Card, card_of
from ..engine.errors import counted
from ..engine.position import COLUMNS, DRAW, FULL, REDEAL, RUNS, Action, Position
from ..engine.stuck import arrangements, progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    #: A move in a guess: source ("r", "w" or a column), target ("f" or a column), and how many cards it
    #: takes; for the waste, the place of the card in `pile`, counted from 1.
    Move = tuple[str | int, str | int, int]

__all__ = ["Hint", "hint", "rank"]

#: So many orders of the hidden cards are tried.
GUESSES = 5
#: The search for an opening begins no level beyond so many arrangements.
OPENING_LIMIT = 100
#: What the end of a playout counts: a win, each card in the reserve, up, in stock and waste.
WIN, IN_RESERVE, UP, IN_PILE = 100.0, -10.0, 4.0, -0.5
#: What a look at unknown cards of the stock counts, where redeals are unlimited and it
#: costs nothing, and where they are not and a card that is passed by may be lost.
LOOK_FREE, LOOK = 12.0, -0.5

#: The pack, mixed once for all; the orders that are tried follow it.
_MIXED = [PACK[i * 23 % len(PACK)] for i in range(len(PACK))]
#: Every up is mere shuttling then.
_NO_UPS = (FULL,) * 4


class Hint:
    """An `action`, `why` in a sentence, and the `value` of what it leads to, None if that is nothing."""

    __slots__ = ("action", "value", "why")

    def __init__(self, action: Action, why: str, value: float | None) -> None:
        self.action = action
        self.why = why
        self.value = value

    def __repr__(self) -> str:
        return f"<Hint {self.action}: {self.why}>"


def hint(view: Position) -> Hint | None:
    """Return the best next action by rules of thumb, or None when there is nothing to play for.

    `view` is what the player knows, ``position.seen()``.
    """
    best = rank(view)[:1]
    return best[0] if best and best[0].value is not None else None


def rank(view: Position) -> list[Hint]:
    """Return a hint for every legal action of `view`, ``position.seen()``, the best first.

    Those that lead to nothing come last; their `value` is None.
    """
    goals = list(_goals(view)) or list(_openings(view, takebacks=view.rules.takeback))
    orders = _orders(view)
    worth = {goal: _worth(goal, orders) for goal in goals}
    hints: dict[Action, Hint] = {}
    for goal in sorted(goals, key=lambda goal: (-worth[goal], goal.cost)):
        hints.setdefault(goal.first, Hint(goal.first, _why(view, goal), worth[goal]))
    idle = [Hint(action, _why_not(view, action), None) for action in view.legal() if action not in hints]
    return [*hints.values(), *idle]


# What to play for.


class _Goal:
    """`action`, in the arrangement `there`, after the card moves of `path` and `turns` draws and redeals.

    `card` is the card that it moves and `on` what it goes on: a card, "f", or "" for a space. A
    draw as a goal in itself moves a card that is HIDDEN.
    """

    __slots__ = ("action", "card", "on", "path", "there", "turns")

    def __init__(
        self, there: Position, path: tuple[Action, ...], turns: int, action: Action, card: Card
    ) -> None:
        self.there = there
        self.path = path
        self.turns = turns
        self.action = action
        self.card = card
        self.on = "f" if action[1] == "f" else ""
        if action[1] in COLUMNS:
            self.on = "".join(there.columns[COLUMNS.index(action[1])][-1:])

    @property
    def first(self) -> Action:
        """The first step towards it."""
        if self.path:
            return self.path[0]
        if self.turns:
            return DRAW if self.there.stock else REDEAL
        return self.action

    @property
    def cost(self) -> int:
        """How many actions come before it."""
        return len(self.path) + self.turns


def _goals(view: Position) -> Iterator[_Goal]:
    """Yield the goals that no card need come back for, those that need the fewest card moves first.

    After one card move they are what it makes possible, after more they are sought only if there is nothing nearer.
    """
    found = HIDDEN in view.stock
    if found:
        yield _Goal(view, (), 0, DRAW, HIDDEN)
    now = set()
    depth = 1
    for there, path in arrangements(view, takebacks=False):
        if len(path) > depth and found:
            return
        depth = max(depth, len(path))
        for goal in _goals_at(there, path):
            if (goal.card, goal.on) in now or _retreats(view, goal):
                continue
            if not path:
                now.add((goal.card, goal.on))
            found = True
            yield goal


def _openings(view: Position, *, takebacks: bool) -> Iterator[_Goal]:
    """Yield the nearest goals in which a card leaves reserve or waste, other cards going up (and coming back) before."""
    if not (view.reserve or view.waste or view.stock):
        return
    nearest = None
    for there, path in arrangements(view, _NO_UPS, takebacks=takebacks, limit=OPENING_LIMIT):
        if nearest is not None and len(path) > nearest:
            return
        for goal in _goals_at(there, path, _NO_UPS):
            nearest = len(path)
            yield goal


def _goals_at(
    there: Position, path: tuple[Action, ...], heights: tuple[int, ...] | None = None
) -> Iterator[_Goal]:
    """Yield the goals that need no other arrangement than `there`; of several spaces one will do."""
    known = set()
    for turns, action, card in progress(there, heights):
        goal = _Goal(there, path, turns, action, card)
        if (card, goal.on) not in known:
            known.add((card, goal.on))
            yield goal


def _retreats(view: Position, goal: _Goal) -> bool:
    """Say whether it puts a card up that must come back before a card of reserve or waste comes free."""
    there = goal.there
    if not view.rules.takeback or goal.on != "f" or goal.action[0] not in COLUMNS or HIDDEN in view.stock:
        return False
    after, played = there.after(goal.action)
    return (
        not played.filled
        and not any(_openings(after, takebacks=False))
        and any(_openings(view, takebacks=True))
    )


# What it is worth.


def _orders(view: Position) -> list[tuple[Card, ...]]:
    """Return a few orders in which the cards that the player can't see may lie, each begun at another card."""
    seen = {*view.reserve, *view.stock, *view.waste, *(card for column in view.columns for card in column)}
    seen.update(card for suit in range(4) for card in view.foundation(suit))
    unseen = [card for card in _MIXED if card not in seen]
    hidden = view.reserve.count(HIDDEN) + view.stock.count(HIDDEN)
    count = max(1, min(GUESSES, hidden))
    starts = [i * len(unseen) // count for i in range(count)]
    return [tuple(unseen[start:] + unseen[:start]) for start in starts]


def _worth(goal: _Goal, orders: list[tuple[Card, ...]]) -> float:
    """Return what the game comes to after `goal`, on the average over `orders` of the hidden cards."""
    total = 0.0
    for order in orders:
        guess = _Guess(goal.there, order)
        if goal.card != HIDDEN:
            guess.play(*guess.move(goal))
        total += guess.play_out()
    worth = total / len(orders)
    if goal.card == HIDDEN:
        worth += LOOK_FREE if goal.there.redeals_left is None else LOOK
    return worth


class _Guess:
    """A game as it may be, all cards known: quick to play out, and nothing else."""

    __slots__ = ("at", "columns", "left", "may_move", "pile", "position", "reserve", "up", "wanted")

    def __init__(self, position: Position, order: tuple[Card, ...]) -> None:
        guessed = iter(order)
        self.position = position
        self.reserve = [next(guessed) if card == HIDDEN else card for card in position.reserve]
        #: Waste and stock in one, in the order in which they are turned; `at` of them lie on the waste.
        self.pile = [*position.waste, *position.stock[::-1]]
        if HIDDEN in self.pile:
            self.pile = [next(guessed) if card == HIDDEN else card for card in self.pile]
        self.at = len(position.waste)
        self.left = position.redeals_left
        self.columns = list(position.columns)
        self.up = position.cards_up
        #: The cards that the foundations wait for.
        self.wanted = {
            card_of(position.base + height, suit)
            for suit, height in enumerate(position.foundations)
            if height < FULL
        }
        self.may_move = RUNS[position.rules.runs]

    def move(self, goal: _Goal) -> Move:
        """Return the move that reaches `goal`."""
        source, target = goal.action[0], goal.action[1]
        onto = target if target == "f" else COLUMNS.index(target)
        if source in COLUMNS:
            return COLUMNS.index(source), onto, 1 if target == "f" else int(goal.action[3:])
        return source, onto, self.pile.index(goal.card) + 1 if source == "w" else 1

    def play(self, source: str | int, target: str | int, count: int) -> None:
        """Make a move, and fill the column that it empties."""
        if isinstance(source, int):
            column = self.columns[source]
            cards, self.columns[source] = column[-count:], column[:-count]
            if count == len(column) and self.reserve:
                self.columns[source] = (self.reserve.pop(),)
        elif source == "r":
            cards = (self.reserve.pop(),)
        else:
            cards = (self.pile.pop(count - 1),)
            if self.left and count < self.at:
                self.left -= 1
            self.at = count - 1
        if isinstance(target, int):
            self.columns[target] += cards
        else:
            card = cards[0]
            self.up += 1
            self.wanted.remove(card)
            after = card_of(RANK[card] + 1, SUIT[card])
            if RANK[after] != self.position.base:
                self.wanted.add(after)

    def play_out(self) -> float:
        """Play on by the rules of thumb until they find nothing, and return what has come of it."""
        while move := self._next():
            self.play(*move)
        return (
            WIN * (self.up == len(PACK))
            + UP * self.up
            + IN_RESERVE * len(self.reserve)
            + IN_PILE * len(self.pile)
        )

    def _next(self) -> Move | None:
        """Return what an impatient expert would play: empty the reserve, then build up, then the waste."""
        #: Kind of a card -> the column that takes it.
        room = {(KIND[column[-1]] - 1) % KINDS: i for i, column in enumerate(self.columns) if column}
        if not self.position.rules.base_build:
            base = self.position.base
            room = {kind: i for kind, i in room.items() if (kind + 1) % 13 != base}
        return (
            (self._from_reserve(room) if self.reserve else None)
            or self._up(room)
            or self._from_waste(room)
            or (None if self.reserve else self._into_space(room))
        )

    def _from_reserve(self, room: dict[int, int]) -> Move | None:
        """Return a move by which the reserve loses a card."""
        top = self.reserve[-1]
        if top in self.wanted:
            return "r", "f", 1
        for i, column in enumerate(self.columns):
            if len(column) == 1 and column[0] in self.wanted:
                return i, "f", 1
        if KIND[top] in room:
            return "r", room[KIND[top]], 1
        return self._whole(room)

    def _whole(self, room: dict[int, int]) -> Move | None:
        """Return a move of a whole column onto another."""
        for i, column in enumerate(self.columns):
            if column and room.get(KIND[column[0]], i) != i:
                return i, room[KIND[column[0]]], len(column)
        return None

    def _up(self, room: dict[int, int]) -> Move | None:
        """Return a move that puts a card up, or lays one bare that can go up."""
        wanted, pile = self.wanted, self.pile
        for i, column in enumerate(self.columns):
            if column and column[-1] in wanted:
                return i, "f", 1
        for place in self._places():
            if pile[place - 1] in wanted:
                return "w", "f", place
        for i, column in enumerate(self.columns):
            if wanted.isdisjoint(column):
                continue
            for at, card in enumerate(column[:-1], 1):
                count = len(column) - at
                if (
                    card in wanted
                    and room.get(KIND[column[at]], i) != i
                    and self.may_move(count, len(column))
                ):
                    return i, room[KIND[column[at]]], count
        return None

    def _from_waste(self, room: dict[int, int]) -> Move | None:
        """Return a move from waste to column, before others one that lets a column or the reserve's top follow."""
        pile = self.pile
        fitting = [place for place in self._places() if KIND[pile[place - 1]] in room]
        if not fitting:
            return None
        followers = {(KIND[card] + 1) % KINDS for card in self.reserve[-1:]}
        followers.update((KIND[column[0]] + 1) % KINDS for column in self.columns if column)
        place = next((place for place in fitting if KIND[pile[place - 1]] in followers), fitting[0])
        return "w", room[KIND[pile[place - 1]]], place

    def _into_space(self, room: dict[int, int]) -> Move | None:
        """Return how to fill a space, with the card that must wait longest for its foundation, or to make one."""
        if all(self.columns):
            return self._whole(room)
        pile, base, places = self.pile, self.position.base, self._places()
        if not places:
            return None
        place = max(places, key=lambda place: (RANK[pile[place - 1]] - base) % 13)
        return "w", self.columns.index(()), place

    def _places(self) -> list[int]:
        """Return the places in `pile` whose cards can come to lie on top of the waste, the nearest first."""
        at, draw, last = self.at, self.position.rules.draw, len(self.pile)
        places = [at] if at else []
        if at < last:
            places += [*range(at + draw, last, draw), last]
        if self.left != 0:
            places += range(draw, last if at % draw else at, draw)
        return places


# In words.


def _why(view: Position, goal: _Goal) -> str:
    """Say what `goal` is good for."""
    if goal.card == HIDDEN:
        unseen = counted(view.stock.count(HIDDEN), "card")
        # Under a limit on redeals a card that is passed by may not come again.
        free = view.redeals_left is None
        return f"the stock holds {unseen} not seen yet" + (", and none is lost by looking" if free else "")
    there = goal.there
    place = {"f": "up", "": "into a space"}.get(goal.on, f"on {{{goal.on}}}")
    if goal.path:
        _, played = view.after(goal.path[0])
        after = f", so that {{{goal.card}}} can go {place}"
        if played.source[0] == "f":
            return f"{{{played.cards[0]}}} comes back{after}"
        if played.target[0] == "f":
            return f"{{{played.cards[0]}}} goes up{after}"
        return f"{{{played.cards[0]}}} moves to column {played.target}{after}"
    if goal.turns:
        what = "drawing" if view.stock else "turning the waste over"
        return f"{what} brings up {{{goal.card}}}, which can go {place}"
    return f"{{{goal.card}}} goes {place}{_gain(there, goal.action)}"


def _gain(position: Position, action: Action) -> str:
    """Say what else the `action` does, as the end of a sentence."""
    after, played = position.after(action)
    if played.finished:
        return ", and the rest goes up by itself"
    if played.filled:
        return ", and the reserve fills its column"
    if played.source == "r":
        return (
            ", and the reserve then shows its next card"
            if after.reserve
            else ", and the reserve is empty then"
        )
    if played.source == "w" and after.waste:
        return f", and {{{after.waste[-1]}}} under it is free then"
    return ""


def _why_not(view: Position, action: Action) -> str:
    """Say what is wrong with an `action` that is legal but leads to nothing."""
    if action in (DRAW, REDEAL):
        return "no card that can be played comes up this way"
    _, played = view.after(action)
    if played.target[0] == "f":
        return f"{{{played.cards[0]}}} would have to come back"
    return f"{{{played.cards[0]}}} can move, but nothing comes of it"
