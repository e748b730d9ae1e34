"""Many positions, solved one after the other or by several processes; the answers come in the order of the lines."""

from __future__ import annotations

from collections import deque

from ..engine.errors import CanfieldError, counted, plain
from ..engine.rules import Rules
from ..solver import Limits, solve
from .choice import read_game
from .sentences import rules_words
from .solving import verdict_data
from .waiting import WAIT, Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from .context import Context
    from .waiting import Tick

    #: A position of many: the number of its line, the line, the rules' words, whether their draw is fixed, the limits.
    Task = tuple[int, str, dict[str, int | str], bool, Limits]
    #: What comes of a task: a line, and an object for JSON.
    Answer = tuple[str, dict[str, object]]

__all__ = ["solve_many"]


#: The verdicts as the sums name them, in their order.
SUMS = {"won": "won", "lost": "lost", "unknown": "unknown", "error": "in error"}


def solve_many(
    context: Context, lines: list[str], rules: Rules, limits: Limits, jobs: int, *, fixed: bool
) -> Iterator[Answer | tuple[str, None]]:
    """Yield a line and an object on each of `lines` that says something, in their order, from `jobs` processes.

    The last line, without an object, has the sums. A code's draw goes before that of `rules` unless that is
    `fixed`. Raises KeyboardInterrupt when that comes, after what is done so far.
    """
    words = rules.words()
    tasks = [
        (number, line, words, fixed, limits)
        for number, line in enumerate(lines, 1)
        if line.partition("#")[0].strip()
    ]
    turns = deque(number for number, *_ in tasks)
    early: dict[object, Answer] = {}
    verdicts: list[object] = []
    with Waiting(context, f"0 of {len(tasks)}") as waiting:
        answers = (
            _shared(tasks, min(jobs, len(tasks)), waiting.tick)
            if jobs > 1
            else (_one(task, waiting.tick) for task in tasks)
        )
        try:
            for answer in answers:
                data = answer[1]
                early[data["n"]] = answer
                verdicts.append(data["verdict"])
                waiting.what = f"{len(verdicts)} of {len(tasks)}"
                while turns and turns[0] in early:
                    waiting.wipe()
                    yield early.pop(turns.popleft())
                if data.get("limit") == "interrupted":
                    verdicts.pop()
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            waiting.wipe()
            yield from (early[number] for number in turns if number in early)
            yield _sums(verdicts, len(tasks)), None
            raise
        waiting.wipe()
        yield _sums(verdicts, len(tasks)), None


def _sums(verdicts: list[object], lines: int) -> str:
    """Say how many of so many `lines` got which of the `verdicts`, and how many none."""
    counts = {words: verdicts.count(verdict) for verdict, words in SUMS.items()}
    counts["not solved"] = lines - len(verdicts)
    told = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    return f"{counted(lines, 'line')}{': ' * bool(told)}{told}"


def _one(task: Task, tick: Tick | None = None) -> Answer:
    """Solve one line; whatever is wrong with it is its answer."""
    number, line, words, fixed, limits = task
    rules = Rules.of(words)
    try:
        game = read_game(line, rules, fixed=fixed)
        verdict = solve(game.position, limits, stop=tick)
    except CanfieldError as error:
        return _failed(number, plain(error.message))
    told = f"{number:>5}  {verdict.outcome:<7}  {verdict.states:>12,} states  {verdict.seconds:>8.3f} s"
    if game.rules != rules:
        told += f"  {rules_words(game.rules)}"
    return told, verdict_data(verdict, number) | {"rules": game.rules.words()}


def _failed(number: int, why: str) -> Answer:
    return f"{number:>5}  error    {why}", {"n": number, "verdict": "error", "error": why}


def _shared(tasks: list[Task], jobs: int, tick: Tick) -> Iterator[Answer]:
    """Yield the answers to `tasks` as they come from `jobs` processes."""
    from contextlib import suppress
    from multiprocessing import active_children
    from multiprocessing.connection import wait

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
        while busy:
            wait(busy, WAIT)
            for worker in [each for each in busy if each.poll()]:
                number = busy.pop(worker)
                try:
                    answer = worker.recv()
                except (EOFError, OSError):
                    # The system does so where memory runs out.
                    answer = _failed(number, "the process that solved it was killed")
                    worker = _worker()
                employ(worker)
                yield answer
            tick()
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
