"""A result goes out: text or JSON, to standard output or standard error."""

from __future__ import annotations

import os

from ..commands.result import Result
from ..engine.jsontext import write_json
from ..render.answer import envelope, error_text, text, warning_lines
from ..render.look import Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from ..commands.environment import Environment

__all__ = ["look_of", "report", "silence"]


def report(result: Result, env: Environment, values: dict[str, object]) -> int:
    """Write the answer of a command and return the exit status.

    It goes to standard error where standard output belongs to the save, and so does every error.
    `values` are those of the common options.
    """
    out = env.stderr if result.filters else env.stdout
    if result.stream is not None:
        for line, answer in result.stream:
            if answer or not values["json"]:
                out.write((write_json(answer) if values["json"] else line) + "\n")
                out.flush()
        return result.status
    if result.steps and not values["json"] and not values["quiet"] and out.isatty():
        from .watch import watch

        watch(result, look_of(values, env, out), out)
    if values["json"]:
        out.write(write_json(envelope(result)) + "\n")
    if result.error:
        # Where both go to one file, they stand there in order.
        out.flush()
        if not (values["json"] and result.filters):
            _tell(error_text(result.error, look_of(values, env, env.stderr)), env.stderr)
    elif not values["json"]:
        out.write(text(result, look_of(values, env, out), quiet=bool(values["quiet"])))
    if result.warnings:
        out.flush()
        look = look_of(values, env, env.stderr)
        _tell("".join(line + "\n" for line in warning_lines(result, look)), env.stderr)
    return result.status


def _tell(text: str, stream: TextIO) -> None:
    """Write an error; one that can't be told still has its status."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        silence(2)


def silence(file: int) -> None:
    """Point the descriptor `file` at nothing, so that the interpreter does not try once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), file)


def look_of(values: dict[str, object], env: Environment, stream: TextIO) -> Look:
    """Return how output to `stream` is to look."""
    isatty = stream.isatty()
    return Look.of(
        env.environ,
        isatty=isatty,
        size=_size(stream) if isatty else None,
        color=str(values["color"] or "auto"),
        four_colour=bool(values["four_color"]),
        ascii=bool(values["ascii"]) or "utf" not in (stream.encoding or "utf").lower(),
        plain=bool(values["plain"]),
    )


def _size(stream: TextIO) -> tuple[int, int] | None:
    try:
        return os.get_terminal_size(stream.fileno())
    except OSError:
        return None
