"""A position as the search sees it: cards as numbers, piles as sets of bits, rules as switches.

Cards are numbered so that the base rank comes first, twins lie two apart, and a card goes on those of the next
rank with the same low bit: ``number = 4 * rank above the base + place``, the place being that of the suit in SUIT_ORDER,
which alternates the colours, with neighbours exchanged in every second rank. So one nibble of a 52-bit set is a rank, and
all questions about "the rank above" or "the twin" are shifts. Everything that both searches need to agree on (masks, numbers of moves, limits of
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

#: Suits (0 to 3, order c d h s) by their place in the first nibble: black, red, black, red.
SUIT_ORDER = (0, 1, 3, 2)
PLACE = tuple(SUIT_ORDER.index(suit) for suit in range(4))

CARDS = 52
ALL = (1 << CARDS) - 1
#: Of each nibble: the first card of each kind (rank and colour); those of one colour; those of the other.
LOW = ALL // 15 * 3
EVEN = ALL // 15 * 5
ODD = ALL ^ EVEN

#: Where a card goes: to its foundation; on the first or the second of the two cards that may take it
#: (without arrangement: on any); into a space; to its foundation after what lies on it went into a space.
UP, ON, ON_TWIN, SPACE, UNCOVER = range(5)

#: Redeals left when they don't matter: more than there can be cards in the stock.
UNLIMITED = 63

#: A search asks the next looser game about a position once it has looked at so many positions below
#: it, may spend so many times as many on the answer, and asks again after twice as many.
ASK_AFTER = 50
ASK_EFFORT = 2

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

    `tops[count]` is the set that holds the top of a reserve of `count` cards; `order` has the cards of waste and stock,
    each a set of its own, as they are turned; `below[card]` is the set of those that are turned before `card`, so that a
    card's place among those left is a count of bits.
    """

    __slots__ = ("base", "below", "order", "state", "tops")

    def __init__(self, position: Position) -> None:
        self.base = position.base
        self.tops = (0, *(1 << self.number(card) for card in position.reserve))
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
                upcoming |= 1 << _number(height, suit)
        turned = [self.number(card) for card in (*position.waste, *reversed(position.stock))]
        below = [0] * CARDS
        seen = 0
        for number in turned:
            below[number] = seen
            seen |= 1 << number
        self.below = tuple(below)
        self.order = tuple(1 << number for number in turned)
        left = position.redeals_left
        redeals = UNLIMITED if left is None else min(left, UNLIMITED)
        waste, redeals = rewound(position.rules.draw, len(turned), len(position.waste), redeals)
        self.state = (table, bases, upcoming, seen, links, len(position.reserve), waste, redeals)

    def number(self, card: Card) -> int:
        """Return the number of `card`."""
        return _number((RANK[card] - self.base) % 13, SUIT[card])

    def card(self, number: int) -> Card:
        """Return the card of a number. The inverse of :meth:`number`."""
        rank, place = divmod(number, 4)
        return card_of(self.base + rank, SUIT_ORDER[place ^ rank & 1])


def rewound(draw: int, left: int, waste: int, redeals: int) -> tuple[int, int]:
    """Return the waste count and the redeals in their one form, with `left` cards in stock and waste.

    As many redeals as cards never run out; then all wastes that can be reached from an empty one are written as it.
    """
    if redeals >= left:
        redeals = UNLIMITED
        if waste % draw == 0 or waste == left:
            waste = 0
    return waste, redeals


def _number(rank: int, suit: int) -> int:
    """Return the number of the card of `suit` so many ranks above the base."""
    return 4 * rank + (PLACE[suit] ^ rank & 1)


assert len(PACK) == CARDS
