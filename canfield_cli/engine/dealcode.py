"""Deal codes: a deal and its draw setting in a few characters that can be read out and typed.

``CAN-D3-XXXX-XXXX-C`` is the deal of a seed; a code with 47 characters in place of the eight
is any deal at all. The last character is a check that catches every wrong character and every
swap of two neighbours: docs/deals.md has the proof. Codes are written one way
(:func:`format_code`) and read generously (:func:`parse_code`).
"""

from __future__ import annotations

from .cards import PACK, Card
from .deal import SEEDS, Deal, deal_seed
from .errors import CodeError, counted, quoted
from .rules import OPTIONS

__all__ = ["ALPHABET", "PREFIX", "format_code", "parse_code"]

#: The characters of a code, valued 0 to 28: none that can be taken for another. 29 is prime.
ALPHABET = "23456789ABCDEFGHJKMNPQRTVWXYZ"
_BASE = len(ALPHABET)
PREFIX = "CAN"
#: How many characters stand for a seed, and for a deal without one: the fewest that are enough.
SHORT = 8
LONG = 47
#: 2 is a primitive root of 29: its first 28 powers all differ modulo 29.
_ROOT = 2

_SEPARATORS = "-\u2010\u2011\u2013\u2014"
#: What a character that never occurs may have been.
_MISREAD = {
    "0": "D or Q",
    "O": "D or Q",
    "1": "7 or J",
    "I": "7 or J",
    "L": "7 or J",
    "S": "5 or 8",
    "U": "V",
}


def format_code(deal: Deal, draw: int) -> str:
    """Return the code of `deal` when `draw` cards (3 or 1) are turned at a time.

    Short for a deal with a seed, long for one without. Raises RulesError for another `draw`.
    The inverse of :func:`parse_code`.
    """
    OPTIONS["draw"].parse(draw)
    body = _digits(_rank(deal.cards), LONG) if deal.seed is None else _digits(deal.seed, SHORT)
    groups = [body[i : i + 4] for i in range(0, len(body), 4)]
    return "-".join([PREFIX, f"D{draw}", *groups, _check(draw, body)])


def parse_code(text: str) -> tuple[Deal, int]:
    """Read a code, in any case, with or without hyphens and spaces: the deal, and the draw setting.

    Raises CodeError, which says where the code is wrong.
    """
    places = [i for i, c in enumerate(text, 1) if not (c.isspace() or c in _SEPARATORS)]
    code = "".join(_upper(text[i - 1]) for i in places)
    _check_start(text, code, places)
    draw, body, check = code[4], code[5:-1], code[-1]
    for character, place in zip(code[5:], places[5:], strict=True):
        if character not in ALPHABET:
            guess = _MISREAD.get(character)
            raise CodeError(
                f"{quoted(text[place - 1])}, character {place}, never occurs in a deal code",
                f"it may be {guess}" if guess else f"the characters are {ALPHABET}",
                at=place,
            )
    if len(body) not in (SHORT, LONG):
        raise CodeError(
            f"the code has {counted(len(code[5:]), 'character')} after D{draw} instead of {SHORT + 1} or {LONG + 1}",
            "hyphens and spaces don't count; they may be left out",
        )
    if check != _check(int(draw), body):
        raise CodeError(
            "the check character does not fit the rest of the code",
            "one character is wrong, or two neighbours are swapped: compare it with where it came from",
        )
    return _deal(body), int(draw)


def _upper(character: str) -> str:
    return character.upper() if character.isascii() else character


def _check_start(text: str, code: str, places: list[int]) -> None:
    """Refuse a code that does not begin with the prefix and a draw setting."""
    if code.startswith("CF1"):
        raise CodeError(
            f"{quoted(text)} is a code of another program, where it stands for other cards",
            "give the 52 cards themselves to new --deal",
            at=places[0],
        )
    draws = OPTIONS["draw"].values
    for i, wanted in enumerate([*PREFIX, "D", "".join(draws)]):
        if i == len(code):
            raise CodeError(
                f"{quoted(text)} is too short for a deal code", "codes look like CAN-D3-2222-2229-J"
            )
        if code[i] not in wanted:
            raise CodeError(
                f"a deal code begins with {' or '.join(f'{PREFIX}-D{draw}' for draw in draws)}, "
                f"and character {places[i]} is {quoted(text[places[i] - 1])}",
                f"it should be {' or '.join(wanted)}",
                at=places[i],
            )


def _check(draw: int, body: str) -> str:
    """Return the check character: with it the sum of value times power of the root is 0 modulo 29.

    The exponents count from the check character, 0, leftwards; the draw setting is its own value.
    """
    total = 0
    for value in (draw, *map(ALPHABET.index, body)):
        total = (total + value) * _ROOT
    return ALPHABET[-total % _BASE]


def _digits(number: int, length: int) -> str:
    """Write `number` in `length` characters of the alphabet, the largest power first."""
    digits = ""
    for _ in range(length):
        number, value = divmod(number, _BASE)
        digits = ALPHABET[value] + digits
    return digits


def _deal(body: str) -> Deal:
    """Return the deal that the characters `body` stand for."""
    number = 0
    for character in body:
        number = number * _BASE + ALPHABET.index(character)
    if len(body) == LONG:
        return Deal(_unrank(number))
    if number >= SEEDS:
        raise _no_such_deal()
    return deal_seed(number)


def _rank(cards: tuple[Card, ...]) -> int:
    """Return how many orders of the pack come before `cards`, as words do in a dictionary."""
    left, rank = list(PACK), 0
    for card in cards:
        rank = rank * len(left) + left.index(card)
        left.remove(card)
    return rank


def _unrank(rank: int) -> list[Card]:
    """Return the order of the pack that has `rank`; the inverse of :func:`_rank`."""
    indices = []
    for count in range(1, len(PACK) + 1):
        rank, index = divmod(rank, count)
        indices.append(index)
    if rank:
        raise _no_such_deal()
    left = list(PACK)
    return [left.pop(index) for index in reversed(indices)]


def _no_such_deal() -> CodeError:
    return CodeError(
        "the code stands for a number that no deal has", "more than one character is wrong: type it again"
    )
