"""``canfield play``: chooses what kind of session this is, and begins it."""

from __future__ import annotations

import os

from ..commands.place import FilePlace, HeldPlace, place_of
from ..commands.result import Result
from ..commands.settings import Settings
from ..engine.errors import CanfieldError, SaveError, UsageError, quoted
from .report import report
from .script import is_interactive, lines_of, run_lines, run_protocol, stopping
from .session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..commands.environment import Environment

__all__ = ["run_play"]


def run_play(values: dict[str, object], env: Environment) -> int:
    """Run a session as `values` say and return the exit status."""
    try:
        return _run(values, env)
    except CanfieldError as error:
        return report(Result(error=error), env, values)


def _run(values: dict[str, object], env: Environment) -> int:
    place = place_of(values["save"], env.environ, env.stdout)
    if not isinstance(place, FilePlace):
        raise UsageError("a session needs a save of its own, not a stream", "name a file with --save FILE")
    given = [values[name] for name in ("script", "c") if values[name]]
    if len(given) > 1:
        raise UsageError("--script and -c both say what to run", "give one of them")
    stopping()
    if not given and not values["json"] and is_interactive(env):
        from .repl import run_repl

        return run_repl(place.path, values, env)
    session = Session(env, HeldPlace(place.path, env.environ), _settings(values))
    commands = values["c"]
    assert isinstance(commands, list)
    lines: Iterable[str] = commands or lines_of(_open(values["script"]), session)
    if values["json"]:
        return run_protocol(session, lines, env)
    return run_lines(session, lines, env, keep_going=bool(values["keep_going"]))


def _settings(values: dict[str, object]) -> Settings:
    """Return the settings that the options of a script stand for; a script reads no settings file."""
    settings = Settings()
    if values["color"]:
        settings.set("color", values["color"])
    for name in ("four_color", "ascii", "plain"):
        if values[name]:
            settings.set(name, "yes")
    return settings


def _open(script: object) -> int:
    """Return a file descriptor to read lines from: the file `script`, or standard input."""
    if script is None or script == "-":
        return 0
    try:
        return os.open(str(script), os.O_RDONLY)
    except OSError as error:
        raise SaveError(
            f"can't read {quoted(script)}: {(error.strerror or '').lower()}", "look at its name"
        ) from error
