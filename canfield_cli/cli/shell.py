"""The shell's side: words in, text or JSON and an exit status out.

Commands that are spelled as the table has them run at once; everything else, help
above all, goes through Typer (app.py), which takes six times as long to start.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from ..commands import COMMANDS
from ..commands.environment import Environment
from ..commands.result import Result
from ..commands.table import Command, common_values, parse
from ..engine.errors import SystemRefused, UsageError, printable, quoted

__all__ = ["main", "run_command"]

INTERRUPTED = 130
#: How much of a sentence of Typer is shown, in characters: it repeats what it was given.
LONGEST = 200
#: The command is looked for among so many words.
FEW = 20


def main(words: list[str] | None = None) -> int:
    """Run the command line `words`; return the exit status."""
    # Whatever is made is for its owner, who can use it, and for nobody else.
    umask = os.umask(0o077)
    try:
        return _main(sys.argv[1:] if words is None else words, umask)
    except (MemoryError, SystemError):
        # The second is what Python makes of the first in the middle of an import.
        why = "there is not enough memory"
    except ImportError as error:
        if error.path is None or error.path.endswith(".py"):
            raise
        why = f"can't load {quoted(error.path)}"
    except OSError as error:
        why = f"can't use {quoted(error.filename)}: {error.strerror}"
    return _give_up(why)


def _give_up(why: str) -> int:
    """Say `why` the program can't go on, with nothing that would have to be loaded; return the exit status."""
    try:  # noqa: SIM105 - contextlib would cost start-up time
        os.write(2, f"error: {why}\nhint: see what the system allows, for instance with ulimit -a\n".encode())
    except OSError:
        pass
    return SystemRefused.status


def _main(words: list[str], umask: int) -> int:
    for stream in (sys.stdout, sys.stderr):
        # A locale without the letters of a file's name must not end the program.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    env = Environment(umask=umask)
    try:
        status = _run(words, env)
        env.stdout.flush()
    except BrokenPipeError:
        _silence(1, 2)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.filename is not None:
            # It is not of the output.
            raise
        _silence(1)
        refused = SystemRefused(f"the output can't be written: {error.strerror}", "look at where it goes")
        return _report(Result(error=refused), env, common_values())
    return status


def _silence(*files: int) -> None:
    from .report import silence

    for file in files:
        silence(file)


def _run(words: list[str], env: Environment) -> int:
    refusal: UsageError | None = None
    if words and not words[0].startswith("-"):
        try:
            command, values = parse(COMMANDS, words)
        except UsageError as error:
            refusal = error
        else:
            return run_command(command, values, env)
    return _run_typer(words, env, refusal)


def _run_typer(words: list[str], env: Environment, refusal: UsageError | None) -> int:
    """Let Typer read what the table's parser refused with `refusal`, or tell the help."""
    from .app import build

    app = build(lambda command, values: run_command(command, values, env), only=words[0] if words else "")
    try:
        return app(words, prog_name="canfield", standalone_mode=False) or 0
    except UsageError as error:
        return _refuse(refusal or error, words, env)
    except SystemExit as end:
        # Of a signal there is a kind of its own.
        if type(end) is not SystemExit:
            raise
        # Typer's way of saying that nobody reads on.
        raise BrokenPipeError from None
    except Exception as error:
        # Typer's errors have no public names: an interrupt is told by its cause, a usage error by what it can do.
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None
        if not hasattr(error, "format_message"):
            raise
        message = printable(error.format_message().rstrip("."), LONGEST)
        found = (
            refusal
            or _misplaced(words)
            or UsageError(message[:1].lower() + message[1:], "canfield --help lists what there is")
        )
        return _refuse(found, words, env)


def _misplaced(words: list[str]) -> UsageError | None:
    """Return what to say of an option that `words` begin with instead of a command, None where it is of no command.

    The hint is the line put right, where that can be.
    """
    from shlex import join

    first = words[0].partition("=")[0]
    owners = [command for command in (COMMANDS["show"], *COMMANDS.values()) if first in command.names]
    if not owners:
        return None
    param = owners[0].names[first]
    hint = f"canfield {owners[0].name} {param.name} {param.metavar}".rstrip()
    for at, name in enumerate(words[:FEW]):
        if name in COMMANDS:
            options = COMMANDS[name].names
            before = [options[word].name if word in options else word for word in words[:at]]
            after = words[at + 1 :]
            try:
                # At the end none of them can take a word that follows for its value.
                parse(COMMANDS, [name, *after, *before])
            except UsageError:
                continue
            right = f"canfield {join([name, *before, *after])}"
            hint = right if printable(right, LONGEST) == right else hint
            break
    return UsageError(f"{param.name} goes after the command", hint)


def _refuse(error: UsageError, words: list[str], env: Environment) -> int:
    """Report that `words` can't be read; return the exit status."""
    result = Result(error=error)
    command = COMMANDS.get(words[0]) if words else None
    streams = "--save=-" in words or any(
        pair in ("-s -", "--save -") for pair in map(" ".join, zip(words, words[1:], strict=False))
    )
    result.filters = command is not None and bool(command.writes) and streams
    return _report(result, env, common_values(words))


def run_command(command: Command, values: dict[str, object], env: Environment) -> int:
    """Run `command` and show what came of it; return the exit status."""
    if command.name == "play":
        from .play import run_play

        return run_play(values, env)
    from ..commands.context import execute

    # Only what a command did can go without saying; what it was asked for can't.
    values["quiet"] = values["quiet"] and command.changes(values)
    return _report(execute(command, values, env), env, values)


def _report(result: Result, env: Environment, values: dict[str, object]) -> int:
    """Show `result`; return the exit status. What help does not need is loaded here."""
    from .report import report

    return report(result, env, values)
