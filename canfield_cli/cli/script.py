"""Sessions without a terminal: scripts, pipes and the JSON protocol, read line by line.

Nothing here prompts or controls a terminal. The game is written at most once a second, when input ends
and whenever it has waited that long for more; a kill loses no more than that second.
"""

from __future__ import annotations

import os
import select
import signal

from ..commands.result import Result
from ..commands.table import common_values
from ..engine.errors import CanfieldError, UsageError
from ..engine.jsontext import write_json
from ..render.answer import envelope
from .report import report
from .session import Leave, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from ..commands.environment import Environment
    from .session import Session

__all__ = ["Stopped", "is_interactive", "lines_of", "run_lines", "run_protocol", "stopping"]

#: Bytes read at a time.
CHUNK = 65536
#: The longest line that is read, in bytes.
LONGEST_LINE = 2**20


class Stopped(BaseException):
    """A signal ends the session; `status` is the exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def stopping() -> None:
    """Let SIGTERM and SIGHUP end the session cleanly, by raising Stopped."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Stopped(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def lines_of(file: int, session: Session) -> Iterator[str]:
    """Yield the lines that come in on the file descriptor `file`; the last one needs no newline.

    While it waits, what is due is written.
    """
    rest = b""
    while True:
        session.env.stdout.flush()
        while (due := session.place.due()) != float("inf") and not select.select([file], [], [], max(due, 0))[
            0
        ]:
            session.place.flush()
        chunk = os.read(file, CHUNK)
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")
        if not chunk or len(rest) > LONGEST_LINE:
            if rest:
                yield rest.decode("utf-8", "replace")
                rest = b""
            if not chunk:
                return


def run_lines(session: Session, lines: Iterable[str], env: Environment, *, keep_going: bool = False) -> int:
    """Run each command of `lines` and report it; return the exit status.

    Stops at the first failure, or goes on and returns the status of the first.
    """
    first = 0

    def run(words: list[str]) -> int:
        result, values = session.run(words)
        return report(result, env, values)

    def run_all() -> int:
        nonlocal first
        for line in lines:
            for status in _statuses(line, env, run):
                first = first or status
                if status and not keep_going:
                    return first
        return first

    return _guarded(session, env, run_all)


def _statuses(line: str, env: Environment, run: Callable[[list[str]], int]) -> Iterator[int]:
    """Yield the exit status of each command on `line`."""
    try:
        commands = split(line)
    except CanfieldError as error:
        yield report(Result(error=error), env, common_values())
        return
    for words in commands:
        if words:
            yield run(words)


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
        if len(words) > 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) <= 18:
            label = {"id": int(words[0])}
            words = words[1:]
        if len(commands) > 1:
            raise UsageError("there are several commands on one line", "write each on a line of its own")
        result, _ = session.run(words)
    except Leave:
        return {**label, **envelope(Result())}, True
    except CanfieldError as error:
        result = Result(error=error)
    return {**label, **envelope(result)}, False


def _guarded(session: Session, env: Environment, run: Callable[[], int]) -> int:
    """Run a session to its end, whatever ends it, and write the game."""
    status = 0
    try:
        status = run()
    except Leave:
        pass
    except Stopped as stopped:
        status = stopped.status
    finally:
        try:
            session.place.flush()
        except CanfieldError as error:
            status = report(Result(error=error), env, common_values())
    return status


def is_interactive(env: Environment) -> bool:
    """Say whether a person sits at both ends."""
    return env.stdin is not None and env.stdin.isatty() and env.stdout.isatty()
