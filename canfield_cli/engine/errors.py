"""The errors of the program, and what its sentences are made with.

One tree of errors, each with a code, a sentence, a hint and an exit status.

A sentence may name cards as ``{Qc}``; the braces let a renderer draw the card
(``Q♣``), and ``str(error)`` leaves them out. Text that comes from outside goes
through :func:`quoted` first, so that it can hold neither braces nor control
characters. Start reading at :class:`CanfieldError`.
"""

from __future__ import annotations

__all__ = [
    "AmbiguousMove",
    "CanfieldError",
    "CodeError",
    "DealError",
    "IllegalMove",
    "NotationError",
    "NothingThere",
    "RulesError",
    "SaveError",
    "SystemRefused",
    "Undecided",
    "UsageError",
    "counted",
    "plain",
    "printable",
    "quoted",
    "shell_word",
]

#: The longest piece of foreign text that an error repeats, in characters.
QUOTE_LIMIT = 60
#: What has a meaning in a sentence: braces are around cards, backticks around foreign text.
_UNSHOWN = frozenset("{}`")


def plain(sentence: str) -> str:
    """Return `sentence` with its cards written bare: ``{Qc}`` becomes ``Qc``."""
    return sentence.replace("{", "").replace("}", "")


def printable(text: str, limit: int) -> str:
    """Return foreign `text` on one line, without control characters, braces and backticks, cut at `limit`."""
    shown = text[: limit + 1]
    if not (shown.isprintable() and _UNSHOWN.isdisjoint(shown)):
        shown = "".join(
            c
            if c.isprintable() and c not in _UNSHOWN
            else f"\\x{ord(c):02x}"
            if ord(c) < 256
            else f"\\u{ord(c):04x}"
            for c in shown
        )
    return shown if len(text) <= limit else shown[:limit] + "..."


def quoted(text: object) -> str:
    """Return foreign `text` in backticks, printable, on one line and not too long."""
    return f"`{printable(str(text), QUOTE_LIMIT)}`"


def shell_word(text: str, otherwise: str, limit: int = QUOTE_LIMIT) -> str:
    """Return `text` as a shell reads it as one word, or `otherwise` where it can't be shown whole."""
    from shlex import quote

    return quote(text) if printable(text, limit) == text else otherwise


def counted(number: int, thing: str, things: str = "") -> str:
    """Return ``1 move`` or ``3 moves``; `things` where the plural is not made with an s."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


class CanfieldError(Exception):
    """Anything that the program refuses to do.

    `message` is one sentence without a full stop, `hint` what to try (or empty).
    `data` holds what a program may want to know of the error, ready for JSON.
    """

    code = "error"
    status = 1

    def __init__(self, message: str, hint: str = "", **data: object) -> None:
        super().__init__(plain(message))
        self.message = message
        self.hint = hint
        self.data = data

    def __str__(self) -> str:
        return plain(self.message)


class UsageError(CanfieldError, ValueError):
    """The words of a command are wrong."""

    code = "usage"
    status = 2


class NotationError(UsageError):
    """A text is not a card, a pile, an action or a position."""

    code = "bad-notation"


class RulesError(UsageError):
    """There is no such preset or option, or the option can't have that value."""

    code = "bad-rules"


class IllegalMove(CanfieldError, ValueError):
    """The rules forbid the action here."""

    code = "illegal-move"


class AmbiguousMove(IllegalMove):
    """The text fits several legal actions; `data["candidates"]` lists them."""

    code = "ambiguous-move"


class NothingThere(CanfieldError):
    """There is nothing to undo, redo, hint at, send up or take up; `code` says which."""

    def __init__(self, code: str, message: str, hint: str = "", **data: object) -> None:
        super().__init__(message, hint, **data)
        self.code = code


class Undecided(CanfieldError):
    """The solver could not tell within its limits."""

    code = "undecided"
    status = 5


class DealError(CanfieldError, ValueError):
    """A deal can't be used."""

    code = "bad-deal"
    status = 3


class CodeError(DealError):
    """A deal code is wrong; `data["at"]` is the place, counted from 1, where known."""

    code = "bad-code"


class SaveError(CanfieldError):
    """A save can't be used."""

    code = "bad-save"
    status = 3


class SystemRefused(CanfieldError, OSError):
    """The operating system says no: permissions, space, a lock that is held."""

    code = "system"
    status = 4
