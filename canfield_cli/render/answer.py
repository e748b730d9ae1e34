"""A command's result as text for people or as the JSON object for programs."""

from __future__ import annotations

from ..engine.errors import CanfieldError, plain
from ..engine.state import format_state
from .board import board
from .facts import account
from .look import Look, pretty
from .plain import plain_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..commands.result import Result

__all__ = ["drawn", "envelope", "error_lines", "error_text", "text", "warning_lines"]


def envelope(result: Result) -> dict[str, object]:
    """Return the JSON object of `result` (canfield-json(5))."""
    answer: dict[str, object]
    if result.error:
        error = result.error
        told = {"code": error.code, "message": plain(error.message), "hint": plain(error.hint), **error.data}
        answer = {"ok": False, "error": told}
    else:
        answer = {"ok": True, "did": list(result.did), **result.data}
    if result.warnings:
        answer["warnings"] = [plain(warning) for warning in result.warnings]
    if result.game and (sums := account(result.game)):
        answer["account"] = sums
    if result.game:
        answer["state"] = format_state(result.game, reveal=result.reveal)
    return answer


def text(result: Result, look: Look, *, quiet: bool = False) -> str:
    """Return what people read of `result`, which is no error; `quiet` leaves out what was done."""
    if result.document is not None:
        return result.document
    lines: list[str] = []
    if result.board and not quiet:
        assert result.game
        if look.plain:
            lines += plain_board(result.game, reveal=result.reveal)
        else:
            lines += board(result.game, look, reveal=result.reveal, marks=result.marks)
    for line in result.lines:
        lines += drawn(line, look)
    if result.said and not quiet:
        lines += ["", *(line for each in (*result.said, *result.bests) for line in drawn(each, look))]
    return "".join(line + "\n" for line in lines)


def error_lines(error: CanfieldError, look: Look) -> list[str]:
    """Return the sentence and the hint of `error`, each on as many lines as it takes."""
    lines = drawn(f"error: {error.message}", look)
    return lines + (drawn(f"hint: {error.hint}", look) if error.hint else [])


def warning_lines(result: Result, look: Look) -> list[str]:
    """Return what went wrong beside the command, each on as many lines as it takes."""
    return [line for warning in result.warnings for line in drawn(f"warning: {warning}", look)]


def error_text(error: CanfieldError, look: Look) -> str:
    """Return `error_lines` as one text."""
    return "".join(line + "\n" for line in error_lines(error, look))


def drawn(sentence: str, look: Look) -> list[str]:
    """Return `sentence` with its cards drawn, broken between words where it is too wide for `look`."""
    if look.width is None or len(sentence) <= look.width:
        return [pretty(sentence, look)]
    from textwrap import wrap

    width = max(look.width, 20)
    return [
        pretty(line, look) for line in wrap(sentence, width, break_long_words=False, break_on_hyphens=False)
    ]
