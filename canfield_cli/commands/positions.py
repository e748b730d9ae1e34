"""Many positions, solved one after the other or by several processes; the answers come in the order of the lines."""

from __future__ import annotations

from ..engine.errors import CanfieldError, plain
from ..engine.rules import Rules
from ..solver import Limits, solve
from .choice import read_game
from .solving import verdict_data
from .waiting import WAIT, Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from .context import Context
    from .waiting import Tick

    #: A position of many: the number of its line, the line, the rules' words, the limits.
    Task = tuple[int, str, dict[str, int | str], Limits]
    #: What comes of a task: a line, and an object for JSON.
    Answer = tuple[str, dict[str, object]]

__all__ = ["solve_many"]


def solve_many(
    context: Context, lines: list[str], rules: Rules, limits: Limits, jobs: int
) -> Iterator[Answer]:
    """Yield a line and an object on each of `lines` that says something, in their order, from `jobs` processes.

    Raises KeyboardInterrupt when that comes, after what is done so far.
    """
    words = rules.words()
    tasks = [
        (number, line, words, limits)
        for number, line in enumerate(lines, 1)
        if line.partition("#")[0].strip()
    ]
    with Waiting(context, f"0 of {len(tasks)}") as waiting:
        answers = (
            _shared(tasks, min(jobs, len(tasks)), waiting.tick)
            if jobs > 1
            else (_one(task, waiting.tick) for task in tasks)
        )
        for count, answer in enumerate(answers, 1):
            waiting.wipe()
            yield answer
            waiting.what = f"{count} of {len(tasks)}"
            if answer[1].get("limit") == "interrupted":
                raise KeyboardInterrupt


def _one(task: Task, tick: Tick | None = None) -> Answer:
    """Solve one line; whatever is wrong with it is its answer."""
    number, line, words, limits = task
    try:
        verdict = solve(read_game(line, Rules.of(words)).position, limits, stop=tick)
    except CanfieldError as error:
        return _failed(number, plain(error.message))
    told = f"{number:>5}  {verdict.outcome:<7}  {verdict.states:>12,} states  {verdict.seconds:>8.3f} s"
    return told, verdict_data(verdict, number)


def _failed(number: int, why: str) -> Answer:
    return f"{number:>5}  error    {why}", {"n": number, "verdict": "error", "error": why}


def _shared(tasks: list[Task], jobs: int, tick: Tick) -> Iterator[Answer]:
    """Yield the answers to `tasks`, in their order, from `jobs` processes.

    When a KeyboardInterrupt comes, those that are there are yielded before it is raised.
    """
    from contextlib import suppress
    from multiprocessing import active_children
    from multiprocessing.connection import wait

    done: dict[int, Answer] = {}
    busy: dict[Connection, int] = {}
    left = iter(tasks)

    def employ(worker: Connection) -> None:
        if task := next(left, None):
            busy[worker] = task[0]
            # One that has died meanwhile is found out below.
            with suppress(OSError):
                worker.send(task)

    try:
        for _ in range(jobs):
            employ(_worker())
        for number, *_ in tasks:
            while number not in done:
                wait(busy, WAIT)
                for worker in [each for each in busy if each.poll()]:
                    solved = busy.pop(worker)
                    try:
                        done[solved] = worker.recv()
                    except (EOFError, OSError):
                        # The system does so where memory runs out.
                        done[solved] = _failed(solved, "the process that solved it was killed")
                        worker = _worker()
                    employ(worker)
                tick()
            yield done.pop(number)
    except KeyboardInterrupt:
        yield from (done[number] for number in sorted(done))
        raise
    finally:
        for process in active_children():
            process.terminate()


def _worker() -> Connection:
    """Return the line to a new process that answers each task."""
    import signal
    from multiprocessing import get_context

    spawn = get_context("spawn")
    ours, its = spawn.Pipe()
    # Ctrl-C goes to all processes of a terminal, and is this one's to answer: the other takes this over.
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        spawn.Process(target=_work, args=(its,), daemon=True).start()
    finally:
        signal.signal(signal.SIGINT, usual)
    its.close()
    return ours


def _work(tasks: Connection) -> None:
    """Answer each of `tasks` until nobody is there to ask."""
    try:
        while True:
            tasks.send(_one(tasks.recv()))
    except (EOFError, OSError):
        pass
