"""``canfield play``: chooses what kind of session this is, and begins it."""

from __future__ import annotations

import gc
import os

from ..commands.place import STREAM, FilePlace, HeldPlace, place_of
from ..commands.result import Result
from ..commands.settings import Settings
from ..engine.errors import CanfieldError, SaveError, SystemRefused, UsageError, quoted
from ..store.files import exists, refused
from .report import report
from .script import is_interactive, lines_of, run_lines, run_protocol
from .session import Session, split
from .stopping import Stopped, stopping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..commands.environment import Environment

__all__ = ["run_play"]


def run_play(values: dict[str, object], env: Environment) -> int:
    """Run a session as `values` say and return the exit status."""
    # Quicker to look into than os.environ, and no line changes it.
    env.environ = dict(env.environ)
    if values["player"]:
        env.environ["CANFIELD_PLAYER"] = str(values["player"])
    try:
        with stopping():
            return _run(values, env)
    except CanfieldError as error:
        return report(Result(error=error), env, values)
    except Stopped as stopped:
        return stopped.status


def _run(values: dict[str, object], env: Environment) -> int:
    place = place_of(values["save"], env.environ, env.stdout)
    if not isinstance(place, FilePlace):
        raise UsageError("a session needs a save of its own, not a stream", "name a file with --save FILE")
    given = [values[name] for name in ("script", "c") if values[name]]
    if len(given) > 1:
        raise UsageError("--script and -c both say what to run", "give one of them")
    if not given and not values["json"] and is_interactive(env):
        # What is loaded now stays to the end: looking through it for garbage would cost a tenth of the start.
        gc.disable()
        from .repl import run_repl

        gc.freeze()
        gc.enable()

        return run_repl(place.path, values, env)
    script, commands = values["script"], values["c"]
    assert isinstance(commands, list)
    session = Session(
        env,
        HeldPlace(place.path, env.environ, named=place.named),
        _settings(values),
        quiet=bool(values["quiet"]),
        stdin=bool(commands) or script not in (None, STREAM),
    )
    lines: Iterable[str] = commands or _lines(script, session, env)
    if values["json"]:
        return run_protocol(session, _single(commands) if commands else lines, env)
    return run_lines(session, lines, env, keep_going=bool(values["keep_going"]))


def _single(lines: list[str]) -> list[str]:
    """Return `lines` with each command on a line of its own, as the protocol wants them. Raises UsageError."""
    from shlex import join

    return [join(words) for line in lines for words in split(line) if words]


def _settings(values: dict[str, object]) -> Settings:
    """Return the settings that the options of a script stand for; a script reads no settings file."""
    settings = Settings()
    settings.take_options(values)
    return settings


def _lines(script: object, session: Session, env: Environment) -> Iterable[str]:
    """Return the lines of the file `script`, or of standard input. Raises SystemRefused."""
    if script not in (None, STREAM):
        name = str(script)
        if not exists(name):
            raise SaveError(f"there is no file {quoted(name)}", "look at its name")
        try:
            return lines_of(os.open(name, os.O_RDONLY | os.O_CLOEXEC), session, name)
        except (OSError, ValueError) as error:
            raise refused("read", name, error) from error
    if env.stdin is None:
        raise SystemRefused("there is no standard input", "name a file with --script FILE")
    return lines_of(0, session)
