"""Sessions without a terminal: scripts, pipes and the JSON protocol, read line by line.

Nothing here prompts or controls a terminal. The game is written once its oldest unwritten action is a second
old, even while the session waits for its next line, and when it ends; a kill loses no more than that
second. While anything is unwritten the save stays locked.
"""

from __future__ import annotations

import os
import select

from ..commands.place import hold_signals
from ..commands.result import Result
from ..commands.table import common_values
from ..engine.errors import CanfieldError, UsageError, quoted
from ..engine.jsontext import write_json
from ..render.answer import envelope
from ..store.files import refused
from .report import report
from .session import LONGEST_LINE, Leave, split
from .shell import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..commands.environment import Environment
    from .session import Session
else:
    # What `signal` is made of: its enumerations cost half of what the interpreter needs to start.
    pass

__all__ = ["is_interactive", "lines_of", "run_lines", "run_protocol"]

#: Bytes read at a time.
CHUNK = 65536
#: An id that goes before a line of the protocol has at most so many digits: any language's JSON has them exact.
LONGEST_ID = 15


def lines_of(file: int, session: Session, name: str = "standard input") -> Iterator[str]:
    """Yield the lines that come in on the file descriptor `file`; the last one needs no newline.

    Bytes that are not UTF-8 come as lone surrogates. Of a line that is too long comes only enough to be
    refused, and without waiting for its end. While it waits, what is due is written. Raises SystemRefused,
    which says `name`.
    """
    rest, told = b"", False
    while True:
        session.env.stdout.flush()
        try:
            _wait(file, session)
            chunk = os.read(file, CHUNK)
        except OSError as error:
            raise refused("read", name, error) from error
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if not told:
                yield _decoded(line)
            told = False
        rest = rest[: LONGEST_LINE + 1]
        if rest and not told and (not chunk or len(rest) > LONGEST_LINE):
            told = True
            yield _decoded(rest)
        if not chunk:
            return


def _wait(file: int, session: Session) -> None:
    """Wait until there is something to read, and write the game when that is due."""
    # Unlike select, it takes a descriptor of any number.
    poll = select.poll()
    poll.register(file, select.POLLIN)
    while True:
        due = session.place.due()
        if poll.poll(None if due == float("inf") else max(due, 0) * 1000):
            return
        session.write()


def _decoded(line: bytes) -> str:
    """Return `line` as text; one that is too long stays too long."""
    return line.decode("latin-1") if len(line) > LONGEST_LINE else line.decode("utf-8", "surrogateescape")


def run_lines(session: Session, lines: Iterable[str], env: Environment, *, keep_going: bool = False) -> int:
    """Run each command of `lines` and report it; return the exit status.

    Stops at the first failure, or goes on and returns the status of the first.
    """

    def run_all() -> int:
        first = 0
        for number, line in enumerate(lines, 1):
            try:
                for status, command in _statuses(session, line, env):
                    first = first or status
                    if status and not keep_going:
                        env.stderr.write(f"stopped at line {number}, {quoted(command)}\n")
                        return first
            except Leave:
                break
        return first

    return _guarded(session, env, run_all)


def _statuses(session: Session, line: str, env: Environment) -> Iterator[tuple[int, str]]:
    """Run each command on `line` and yield its exit status and its words. Raises Leave."""
    try:
        commands = split(line)
    except CanfieldError as error:
        yield report(Result(error=error), env, common_values()), line.strip()
        return
    for words in commands:
        if words:
            result, values = session.run(words)
            status = report(result, env, values)
            _heed(result)
            yield status, " ".join(words)


def run_protocol(session: Session, lines: Iterable[str], env: Environment) -> int:
    """Answer each line with one JSON object on one line, in the envelope of every JSON answer.

    ``17 draw`` has the id 17, which is echoed; an empty line shows the state. No error ends it.
    """

    def run_all() -> int:
        for number, line in enumerate(lines, 1):
            answer, leaves = _answer(session, line)
            env.stdout.write(write_json({"line": number, **answer}) + "\n")
            env.stdout.flush()
            if leaves:
                break
        return 0

    return _guarded(session, env, run_all)


def _answer(session: Session, line: str) -> tuple[dict[str, object], bool]:
    """Return the object that answers `line`, and whether the session ends with it."""
    label: dict[str, object] = {}
    try:
        commands = [words for words in split(line) if words]
        words = commands[0] if commands else []
        if len(words) > 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) <= LONGEST_ID:
            label = {"id": int(words[0])}
            words = words[1:]
        if len(commands) > 1:
            raise UsageError("there are several commands on one line", "write each on a line of its own")
        result, _ = session.run(words)
        _heed(result)
        if result.stream is not None:
            result.data = {"answers": [answer for _, answer in result.stream if answer]}
    except Leave:
        return {**label, **envelope(Result())}, True
    except CanfieldError as error:
        result = Result(error=error)
    return {**label, **envelope(result)}, False


def _heed(result: Result) -> None:
    """Raise KeyboardInterrupt where Ctrl-C came while the command of `result` ran, which made that its answer."""
    if result.status == INTERRUPTED:
        raise KeyboardInterrupt


def _guarded(session: Session, env: Environment, run: Callable[[], int]) -> int:
    """Run a session to its end, whatever ends it, and write the game."""
    status = 0
    try:
        status = run()
    finally:
        hold_signals()
        session.write()
        if session.trouble:
            status = report(Result(error=session.trouble), env, common_values())
        hold_signals(hold=False)
    return status


def is_interactive(env: Environment) -> bool:
    """Say whether a person sits at both ends."""
    return env.stdin is not None and env.stdin.isatty() and env.stdout.isatty()
