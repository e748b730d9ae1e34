"""A command's result as text for people or as the JSON object for programs."""

from __future__ import annotations

from ..engine.errors import CanfieldError, plain
from ..engine.state import format_state
from .board import board
from .facts import account
from .look import Look, bare, pretty
from .plain import plain_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..commands.result import Result

__all__ = ["drawn", "envelope", "error_lines", "error_text", "text", "warning_lines", "wrapped"]

#: No terminal is taken to be narrower.
LEAST = 20
#: How wide a column of text is at least.
ROOM = 16


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
            for line in plain_board(result.game, reveal=result.reveal):
                lines += wrapped(line, look)
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
    """Return `sentence` with its cards drawn, on as many lines as it takes."""
    return wrapped(pretty(sentence, look), look)


def wrapped(line: str, look: Look) -> list[str]:
    """Return `line`, which may have colours, broken between words where it is too wide for `look`.

    It goes on below the beginning of its text, which is its last column: so the action or option before that is
    easy to pick out.
    """
    if look.width is None or len(bare(line)) <= look.width:
        return [line]
    width = max(look.width, LEAST)
    lines: list[str] = []
    indent = " " * _text_begins(bare(line), width)
    now, gap = "", ""
    for word in line.split(" "):
        if not word:
            gap += " "
            continue
        if now.strip() and len(bare(now + gap + word)) > width:
            lines.append(now)
            now, gap = indent, ""
        now, gap = now + gap + word, " "
    return [*lines, now]


def _text_begins(line: str, width: int) -> int:
    """Return where the last column of `line` begins, if that leaves room for text; columns are two blanks apart."""
    first = len(line) - len(line.lstrip())
    last = line.rstrip().rfind("  ") + 2
    if last <= first + 1:
        return first
    # Without room there, what goes on is at least not taken for another line.
    return last if last + ROOM <= width else first + 2
