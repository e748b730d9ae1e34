"""Deals: 52 cards in dealing order, and the numbers, days and PySolFC games that make them.

Nothing here draws on chance: the same number gives the same deal for ever, and
docs/deals.md says how in words, for any language. Start reading at :class:`Deal`;
:func:`deal_seed` is our own generator.
"""

from __future__ import annotations

from .cards import PACK, RANK, SUIT, SUITS, Card
from .errors import DealError, UsageError, counted, quoted
from .position import Position
from .rules import preset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rules import Rules

__all__ = [
    "SEEDS", "Deal", "check_date", "deal_daily", "deal_pysol", "deal_seed", "deal_verified", "first_of",
]  # fmt: skip

#: Our generator makes this many deals: a seed is a number from 0 to SEEDS - 1.
SEEDS = 2**35

#: So many cards or faults of one kind are named in a sentence, the others counted.
NAMED = 5
#: How many numbers a 64-bit output can be.
_WORD = 2**64
_MASK = _WORD - 1


class Deal:
    """The 52 cards in the order in which they are dealt, immutable; equal when the cards are.

    That order: 13 for the reserve, the playable card last; the base card; one for each
    of the columns 1 to 4; 34 for the stock, next to be turned first. `seed` is the number of our own
    generator that the cards came from, or None; it is believed (:func:`deal_seed` makes such deals).

    >>> Deal(PACK).cards[13]
    'Ad'
    """

    __slots__ = ("cards", "seed")

    cards: tuple[Card, ...]
    seed: int | None

    def __init__(self, cards: Iterable[Card], seed: int | None = None) -> None:
        """Take each card of the pack once, in dealing order.

        Raises DealError, which names the cards that are there twice or missing; its `data` has all of them.
        """
        cards = tuple(cards)
        if len(cards) != len(PACK) or set(cards) != set(PACK):
            raise _wrong_pack(cards)
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "seed", seed)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a deal can't be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __repr__(self) -> str:
        if self.seed is not None:
            return f"deal_seed({self.seed})"
        return f"Deal('{' '.join(self.cards)}'.split())"

    def position(self, rules: Rules) -> Position:
        """Return the position in which a game of this deal begins, under `rules`."""
        cards = self.cards
        base = cards[13]
        heights = tuple(int(suit == SUIT[base]) for suit in range(len(SUITS)))
        columns = tuple((card,) for card in cards[14:18])
        return Position(rules, RANK[base], heights, cards[:13], columns, cards[:17:-1], ())


def _wrong_pack(cards: tuple[Card, ...]) -> DealError:
    """Say what is wrong with `cards`, which are not the pack."""
    unknown = [str(card) for card in dict.fromkeys(cards) if card not in RANK]
    counts = {card: cards.count(card) for card in PACK}
    twice = [card for card, count in counts.items() if count > 1]
    missing = [card for card, count in counts.items() if not count]
    faults = [f"{counted(len(cards), 'card')} instead of {len(PACK)}"] if len(cards) != len(PACK) else []
    # One is enough to see what they are.
    faults += [f"{quoted(text)}, which is not a card" for text in unknown[:1]]
    if twice:
        faults.append(first_of([f"{{{card}}} {_times(counts[card])}" for card in twice], ", "))
    if missing:
        faults.append(first_of([f"no {{{card}}}" for card in missing], ", "))
    return DealError(
        f"the deal has {', '.join(faults)}",
        "a deal has each of the 52 cards once",
        twice=twice,
        missing=missing,
    )


def first_of(faults: list[str], between: str) -> str:
    """Return the first of `faults` for a sentence, and how many more there are."""
    more = len(faults) - NAMED
    return between.join(faults[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


# Our own generator.


def deal_seed(seed: int) -> Deal:
    """Return the deal of number `seed`, from 0 to SEEDS - 1. Raises UsageError for another number."""
    if not 0 <= seed < SEEDS:
        raise UsageError("there is no deal of that number", f"seeds go from 0 to {SEEDS - 1}")
    return Deal(shuffled(split_mix(seed)), seed)


def deal_verified(cards: Iterable[Card], seed: object) -> Deal:
    """Return the deal of `cards` that a file says came from `seed`, or from none (None).

    Raises DealError if they are not the pack, or not the cards of that seed.
    """
    deal = Deal(cards)
    if seed is None:
        return deal
    if type(seed) is int and 0 <= seed < SEEDS and (numbered := deal_seed(seed)) == deal:
        return numbered
    raise DealError("the cards are not those of the seed beside them", "one of the two has been changed")


def split_mix(state: int) -> Iterator[int]:
    """Yield the 64-bit outputs of the generator SplitMix64 that starts at `state`."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        yield z ^ (z >> 31)


def shuffled(outputs: Iterator[int]) -> list[Card]:
    """Return the pack, shuffled from its last place down by 64-bit `outputs`.

    A place among n is an output modulo n. The outputs from the largest multiple of n
    up would favour the first places; they are passed over.
    """
    cards = list(PACK)
    for last in range(len(cards) - 1, 0, -1):
        places = last + 1
        output = next(outputs)
        while output >= _WORD - _WORD % places:
            output = next(outputs)
        place = output % places
        cards[last], cards[place] = cards[place], cards[last]
    return cards


# The deal of the day.


def deal_daily(date: str, preset_name: str) -> Deal:
    """Return the deal of the day `date` (``2026-11-30``) for a preset: the same for everybody.

    Raises UsageError for what is no day of the calendar, RulesError for an unknown preset.
    """
    from hashlib import sha256

    check_date(date)
    text = f"canfield daily {date} {preset(preset_name).preset}"
    return deal_seed(int.from_bytes(sha256(text.encode()).digest()[:8], "big") % SEEDS)


def check_date(date: str) -> None:
    """Raise UsageError for what is no day of the calendar, written as ``2026-11-30``."""
    parts = date.split("-")
    digits = all(part.isascii() and part.isdigit() for part in parts)
    if not digits or [len(part) for part in parts] != [4, 2, 2]:
        raise UsageError(f"{quoted(date)} is not a date", "write it as year-month-day: 2026-11-30")
    year, month, day = map(int, parts)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not year or not 1 <= month <= 12:
        raise UsageError(f"{quoted(date)} is not a date", "years go from 0001 to 9999, months from 01 to 12")
    if not 1 <= day <= lengths[month - 1]:
        raise UsageError(
            f"{quoted(date)} is not a date", f"the days of {date[:7]} go from 01 to {lengths[month - 1]}"
        )


def is_date(value: object) -> bool:
    """Say whether `value` is the text of a day of the calendar, which :func:`check_date` takes."""
    if not isinstance(value, str):
        return False
    try:
        check_date(value)
    except UsageError:
        return False
    return True


# The games of PySolFC.

#: PySolFC's largest game numbers: of its own, and of those written ms1, ms2, ...
_PYSOL_LAST = 10**20
_MICROSOFT_LAST = 2**33 - 1
#: From here on a plain number is a Mersenne Twister deal, below a Microsoft one.
_TWISTER_FIRST = 32000


def deal_pysol(number: int | str) -> Deal:
    """Return the deal of PySolFC's Canfield game `number`: ``24``, ``"24"`` or ``"ms24"``.

    Raises UsageError for what is no game number there.
    """
    microsoft, number = _pysol_number(number)
    if microsoft or number < _TWISTER_FIRST:
        deck, places = _by_rank("cdhs"), _microsoft_places(number)
    else:
        deck, places = _by_suit("cshd"), _twister_places(number)
    for last, place in zip(range(len(deck) - 1, 0, -1), places, strict=True):
        deck[last], deck[place] = deck[place], deck[last]
    deck.reverse()
    base, reserve, columns, stock = deck[:1], deck[1:14], deck[14:18], deck[18:]
    return Deal(reserve + base + columns[::-1] + stock)


def _pysol_number(number: int | str) -> tuple[bool, int]:
    """Read a game number: is it one of Microsoft's numbering, and which."""
    text = number.strip().lower() if isinstance(number, str) else str(max(0, min(number, _PYSOL_LAST + 1)))
    digits = text.removeprefix("ms")
    microsoft = digits != text
    game = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 21 else 0
    if not 1 <= game <= (_MICROSOFT_LAST if microsoft else _PYSOL_LAST):
        raise UsageError(
            f"PySolFC has no game number {quoted(text)}",
            f"its numbers go from 1 to {_PYSOL_LAST}, and from ms1 to ms{_MICROSOFT_LAST}",
        )
    return microsoft, game


def _by_rank(suits: str) -> list[Card]:
    """Return the pack with the four aces first, the suits of each rank in the order of `suits`."""
    return sorted(PACK, key=lambda card: (RANK[card], suits.index(card[1])))


def _by_suit(suits: str) -> list[Card]:
    """Return the pack suit by suit, in the order of `suits`, each from A to K."""
    return sorted(PACK, key=lambda card: (suits.index(card[1]), RANK[card]))


def _microsoft_places(number: int) -> Iterator[int]:
    """Yield the 51 places, from among 52 down to among 2, that Microsoft's generator chooses."""
    large = number >= 2**32
    state = number - 2**32 if large else number
    for places in range(52, 1, -1):
        state = (214013 * state + 2531011) % 2**33
        if large:
            output = (state >> 16 & 0xFFFF) + 1
        else:
            output = state >> 16 & 0x7FFF | (0x8000 if number >= 2**31 else 0)
        yield output % places


def _twister_places(number: int) -> Iterator[int]:
    """Yield the 51 places, from among 52 down to among 2, that the Mersenne Twister chooses."""
    from random import Random

    # A game must be the same for ever; nothing secret hangs on it.
    twister = Random(number)  # noqa: S311
    for places in range(52, 1, -1):
        yield int(twister.random() * places)
