"""A result goes out: text or JSON, to standard output or standard error."""

from __future__ import annotations

import os

from ..engine.jsontext import write_json
from ..render.answer import envelope, error_text, text
from ..render.look import Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from ..commands.environment import Environment
    from ..commands.result import Result

__all__ = ["look_of", "report"]


def report(result: Result, env: Environment, values: dict[str, object]) -> int:
    """Write the answer of a command and return the exit status.

    It goes to standard error where standard output belongs to the save, and so does every error.
    `values` are those of the common options.
    """
    out = env.stderr if result.filters else env.stdout
    if values["json"]:
        out.write(write_json(envelope(result)) + "\n")
    if result.error:
        if not (values["json"] and result.filters):
            env.stderr.write(error_text(result.error, look_of(values, env, env.stderr)))
    elif not values["json"]:
        out.write(text(result, look_of(values, env, out), quiet=bool(values["quiet"])))
    return result.status


def look_of(values: dict[str, object], env: Environment, stream: TextIO) -> Look:
    """Return how output to `stream` is to look."""
    isatty = stream.isatty()
    return Look.of(
        env.environ,
        isatty=isatty,
        size=_size(stream) if isatty else None,
        color=str(values["color"] or "auto"),
        four_colour=bool(values["four_color"]),
        ascii=bool(values["ascii"]),
        plain=bool(values["plain"]),
    )


def _size(stream: TextIO) -> tuple[int, int] | None:
    try:
        return os.get_terminal_size(stream.fileno())
    except OSError:
        return None
