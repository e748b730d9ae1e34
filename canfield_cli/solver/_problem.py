"""A position as the search sees it: cards as numbers, piles as sets of bits, rules as switches.

Cards are numbered so that the base rank comes first and twins lie two apart:
``number = 4 * rank above the base + place of the suit in SUIT_ORDER``, which alternates the
colours. So one nibble of a 52-bit set is a rank, and all questions about "the rank above" or "the
twin" are shifts. Everything that both searches need to agree on (masks, numbers of moves, limits of
effort) stands here and is handed to the compiled one. docs/solver.md gives the arguments.
"""

from __future__ import annotations

from ..engine.cards import PACK, RANK, SUIT, Card, card_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.position import Position
    from ..engine.rules import Rules

    #: T, B, NEXT, S, LINKS, reserve count, waste count, redeals left: see docs/solver.md, "The state".
    State = tuple[int, int, int, int, int, int, int, int]
    #: A card's number, where it goes (UP, ON, ON_TWIN, SPACE, UNCOVER), and the LINKS from which it does.
    Move = tuple[int, int, int]

__all__ = ["Game", "Problem"]

#: Suits (0 to 3, order c d h s) by their place in a nibble: black, red, black, red.
SUIT_ORDER = (0, 1, 3, 2)
PLACE = tuple(SUIT_ORDER.index(suit) for suit in range(4))

CARDS = 52
ALL = (1 << CARDS) - 1
#: The first suit of each nibble, and the first suit of each colour.
FIRST = ALL // 15
LOW = FIRST * 3

#: Where a card goes: to its foundation; on the first or the second of the two cards that may take it
#: (without arrangement: on any); into a space; to its foundation after what lies on it went into a space.
UP, ON, ON_TWIN, SPACE, UNCOVER = range(5)

#: Redeals left when they don't matter: more than there can be cards in the stock.
UNLIMITED = 63

#: A search asks the next looser game about a position once it has looked at so many positions below
#: it, may spend so many times as many on the answer, and asks again after twice as many.
ASK_AFTER = 100
ASK_EFFORT = 5

#: What a stored position is reckoned to cost in memory, in bytes: three words, at most three quarters of
#: the places filled, and the old table kept while a larger one is filled.
STORED = 80


class Game:
    """One game to search: a set of rules, exact or deliberately looser than the one to be decided.

    `draw`, `wrap` (base_build), `takeback` and `fill` (may any card enter a space?) are the rule options. `arranged` says whether
    it matters which of two twins a card lies on; if so `parts` (any part of a column moves) and `tops`
    (the last card moves) tell what leaves a column. `strict` forbids the moves that might not exist on real columns.
    """

    __slots__ = (
        "arranged",
        "cyclic",
        "draw",
        "fill",
        "knots",
        "parts",
        "shifts",
        "spaces",
        "strict",
        "takeback",
        "tops",
        "wrap",
    )

    def __init__(
        self,
        rules: Rules,
        *,
        draw: int | None = None,
        fill: bool | None = None,
        arranged: bool = False,
        strict: bool = False,
    ) -> None:
        self.draw = draw or rules.draw
        self.wrap = rules.base_build
        self.takeback = rules.takeback
        self.fill = rules.fill == "any" if fill is None else fill
        self.arranged = arranged
        self.parts = rules.runs == "any"
        self.tops = rules.runs == "top-or-whole"
        self.strict = strict
        #: May a lying card go from one twin to the other?
        self.shifts = arranged and (self.parts or self.tops)
        #: May play come back to a state? Then only a search that ends proves its states lost.
        self.cyclic = self.takeback or (self.shifts and self.fill)
        #: May a part of a column enter a space once the reserve is empty? Then no knot holds for ever.
        self.spaces = self.fill and not (arranged and rules.runs == "whole")
        self.knots = not self.takeback


class Problem:
    """A position in numbers: the `state` to start from, and what never changes.

    `reserve` are the reserve's cards; `below[card]` is the set of stock and waste cards that were
    turned before `card`, so that a card's place among those left is a count of bits.
    """

    __slots__ = ("base", "below", "reserve", "state")

    def __init__(self, position: Position) -> None:
        self.base = position.base
        self.reserve = tuple(self.number(card) for card in position.reserve)
        table = bases = links = 0
        for column in position.columns:
            numbers = [self.number(card) for card in column]
            for i, number in enumerate(numbers):
                table |= 1 << number
                if i == 0:
                    bases |= 1 << number
                elif numbers[i - 1] & 2:
                    links |= 1 << number
        upcoming = 0
        for suit, height in enumerate(position.foundations):
            if height < 13:
                upcoming |= 1 << 4 * height + PLACE[suit]
        turned = [self.number(card) for card in (*position.waste, *reversed(position.stock))]
        below = [0] * CARDS
        seen = 0
        for number in turned:
            below[number] = seen
            seen |= 1 << number
        self.below = tuple(below)
        left = position.redeals_left
        redeals = UNLIMITED if left is None else min(left, UNLIMITED)
        self.state = (table, bases, upcoming, seen, links, len(self.reserve), len(position.waste), redeals)

    def number(self, card: Card) -> int:
        """Return the number of `card`."""
        return (RANK[card] - self.base) % 13 * 4 + PLACE[SUIT[card]]

    def card(self, number: int) -> Card:
        """Return the card of a number. The inverse of :meth:`number`."""
        return card_of(self.base + number // 4, SUIT_ORDER[number % 4])


assert len(PACK) == CARDS
