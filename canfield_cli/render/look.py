"""How things are to look: size, colours, letters or signs; and how a card is written.

A `Look` is a plain value that is handed to everything that draws; it is made from what
the caller knows of the terminal and the environment, so nothing here asks the system.
"""

from __future__ import annotations

from ..commands.sentences import BAR
from ..engine.cards import RANK, SUIT, SUIT_NAMES, Card, rank_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BOLD",
    "FAINT",
    "RANK_NAMES",
    "Look",
    "bare",
    "card_codes",
    "card_name",
    "card_text",
    "card_words",
    "pretty",
    "styled",
]

RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
_SIGNS = "♣♦♥♠"

#: What a terminal is told (SGR codes). Only the colour of the letters is ever set, never the
#: ground under them, which is the reader's own choice.
BOLD, FAINT = "1", "2"
_TWO_COLOURS = ("", "31", "31", "")
#: The bright blue can be read on black and on white; 39 is the terminal's own colour.
_FOUR_COLOURS = ("32", "94", "31", "39")

#: What a terminal is taken for that does not tell its size.
USUAL_SIZE = (80, 24)


class Look:
    """How output is to look.

    `width` and `height` are the terminal's columns and rows, or None for as much as is needed.
    `colour` and `four_colour` (a colour for each suit) allow colours, `ascii` asks for letters instead
    of signs, `plain` for sentences that a screen reader can read out.
    """

    __slots__ = ("ascii", "colour", "four_colour", "height", "plain", "width")

    def __init__(
        self,
        width: int | None = None,
        height: int | None = None,
        *,
        colour: bool = False,
        four_colour: bool = False,
        ascii: bool = False,
        plain: bool = False,
    ) -> None:
        self.width = width
        self.height = height
        self.colour = colour
        self.four_colour = four_colour
        self.ascii = ascii
        self.plain = plain

    @property
    def separator(self) -> str:
        """What stands between facts on one line."""
        return ", " if self.ascii else " · "

    @classmethod
    def of(
        cls,
        environ: Mapping[str, str],
        *,
        isatty: bool,
        size: tuple[int, int] | None = None,
        color: str = "auto",
        four_colour: bool = False,
        ascii: bool = False,
        plain: bool = False,
    ) -> Look:
        """Return the look for a stream.

        `isatty` says whether it is a terminal and `size` that terminal's columns and rows, where known;
        `color` is ``auto``, ``always`` or ``never``; the other options only ever add to what `environ` asks.
        """
        width, height = _size(environ, size) if isatty else (None, None)
        return cls(
            width,
            height,
            colour=_colour(environ, color, isatty=isatty),
            four_colour=four_colour,
            ascii=ascii or not _utf8(environ),
            plain=plain,
        )


def _size(environ: Mapping[str, str], size: tuple[int, int] | None) -> tuple[int, ...]:
    """Return columns and rows: what `environ` says, else `size`, else the usual."""
    told = (_number(environ.get(name, "")) for name in ("COLUMNS", "LINES"))
    known = size or (0, 0)
    return tuple(
        first or second or usual for first, second, usual in zip(told, known, USUAL_SIZE, strict=True)
    )


def _number(word: str) -> int:
    """Return the number that `word` is, or 0 where it is none (or more than any terminal has)."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 5 else 0


def _colour(environ: Mapping[str, str], color: str, *, isatty: bool) -> bool:
    """Say whether to use colours: the option first, then NO_COLOR, FORCE_COLOR, then the terminal."""
    if color != "auto":
        return color == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return isatty and environ.get("TERM", "dumb") != "dumb"


def _utf8(environ: Mapping[str, str]) -> bool:
    """Say whether the locale of `environ` writes UTF-8."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    return "utf8" in locale.lower().replace("-", "")


def styled(text: str, codes: str, look: Look) -> str:
    """Return `text` in the style of the SGR `codes`, or as it is where there are none or no colours."""
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and look.colour and text.strip() else text


def bare(text: str) -> str:
    """Return `text` without its styles: as many letters as it has cells."""
    first, *parts = text.split("\x1b[")
    return first + "".join(part.partition("m")[2] for part in parts)


def card_name(card: Card, look: Look) -> str:
    """Return rank and suit of `card` without colour, two or three cells wide: ``10♥`` or ``10h``."""
    suit = card[1] if look.ascii else _SIGNS[SUIT[card]]
    return rank_name(RANK[card]) + suit


def card_codes(card: Card, look: Look) -> str:
    """Return the SGR codes of the colour of `card`; empty for the terminal's own colour."""
    return (_FOUR_COLOURS if look.four_colour else _TWO_COLOURS)[SUIT[card]]


def card_text(card: Card, look: Look) -> str:
    """Return `card` as people see it, in its colour."""
    return styled(card_name(card, look), card_codes(card, look), look)


def card_words(card: Card) -> str:
    """Return `card` in words: ``queen of clubs``."""
    return f"{RANK_NAMES[RANK[card]]} of {SUIT_NAMES[SUIT[card]]}"


def pretty(sentence: str, look: Look) -> str:
    """Return `sentence` with each card in braces (``{Qc}``) as `look` writes it, and the bars of charts."""
    if BAR in sentence and (look.ascii or look.plain):
        # To hear a bar is of no use: its number stands beside it.
        sentence = sentence.replace(BAR, "" if look.plain else "#").rstrip()
    first, *parts = sentence.split("{")
    text = first
    for part in parts:
        name, _, rest = part.partition("}")
        card = Card(name)
        if card in RANK:
            name = card_words(card) if look.plain else card_text(card, look)
        text += name + rest
    return text
