"""A command's result as text for people or as the JSON object for programs."""

from __future__ import annotations

from ..engine.errors import CanfieldError, plain
from ..engine.state import format_state
from .board import board
from .look import Look, pretty
from .plain import plain_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..commands.result import Result

__all__ = ["envelope", "error_text", "text"]


def envelope(result: Result) -> dict[str, object]:
    """Return the JSON object of `result` (canfield-json(5))."""
    answer: dict[str, object]
    if result.error:
        error = result.error
        told = {"code": error.code, "message": plain(error.message), "hint": plain(error.hint), **error.data}
        answer = {"ok": False, "error": told}
    else:
        answer = {"ok": True, "did": list(result.did), **result.data}
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
        lines += _wrapped(pretty(line, look), look.width)
    if result.said and not quiet:
        lines += ["", *(said for each in result.said for said in _wrapped(pretty(each, look), look.width))]
    return "".join(line + "\n" for line in lines)


def error_text(error: CanfieldError, look: Look) -> str:
    """Return the sentence and the hint of `error`, a line each."""
    lines = [f"error: {pretty(error.message, look)}"]
    if error.hint:
        lines.append(f"hint: {pretty(error.hint, look)}")
    return "".join(line + "\n" for line in lines)


def _wrapped(line: str, width: int | None) -> list[str]:
    """Break `line` between words so that it fits `width` columns."""
    if width is None or len(line) <= width or "\x1b" in line:
        return [line]
    from textwrap import wrap

    return wrap(line, max(width, 20), break_long_words=False, break_on_hyphens=False)
