"""The commands that ask the solver: they know every card, and say so."""

from __future__ import annotations

import time
from bisect import bisect_left

from ..engine.errors import CanfieldError, NothingThere, Undecided, UsageError, counted, plain
from ..engine.game import Game
from ..engine.rules import OPTIONS, Rules
from ..solver import Limits, solve
from .choice import chosen_game, chosen_rules, named_deal, read_game
from .result import Result
from .sentences import describe, kept_words, won

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from typing import Self

    from ..engine.position import Action, Position
    from ..solver import Verdict
    from .context import Context

    #: Called now and then by a search, which ends where it returns True.
    Tick = Callable[[], bool]
    #: A position of many: the number of its line, the line, the rules' words, the limits.
    Task = tuple[int, str, dict[str, int | str], Limits]
    #: What comes of a task: a line, and an object for JSON.
    Answer = tuple[str, dict[str, object]]

__all__ = [
    "finish",
    "peek",
    "plan_finish",
    "review",
    "seek",
    "solve_",
    "verdict_data",
    "verdict_of",
    "verdict_words",
]

#: The exit status of `solve` for each outcome of one position, and for an interruption.
STATUS = {"won": 0, "lost": 1, "unknown": 5, "interrupted": 130}
MEGABYTE = 1_000_000
#: No list of positions is larger, in bytes.
LARGEST = 16 * MEGABYTE
#: What ended a search that found nothing out, as the end of a sentence.
LIMITS = {
    "time": "ran out of time",
    "states": "came to its last state",
    "memory": "ran out of memory",
    "interrupted": "was interrupted",
}
#: So many deals are tried for one that is wanted, and so many states looked at for each of them.
TRIES = 1000
STATES = 5_000_000
#: A terminal is told of a search once it has taken so long, and so often, in seconds.
WAIT = 1.0


class Waiting:
    """A line at the foot of a terminal that says how long a search takes; nothing where there is none.

    As a context it leaves the terminal as it was. `what` is said before the time.
    """

    def __init__(self, context: Context, what: str = "searching") -> None:
        self.what = what
        self._stream = context.env.stderr if context.env.stderr.isatty() else None
        self._begun = time.monotonic()
        self._next = self._begun + WAIT
        self._shown = 0

    def tick(self) -> bool:
        """Bring the line up to date where that is due. Returns False: the search goes on."""
        now = time.monotonic()
        if self._stream and now >= self._next:
            self._next = now + WAIT
            text = f"{self.what}, {now - self._begun:.0f} s"
            self._write(text.ljust(self._shown))
            self._shown = len(text)
        return False

    def wipe(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write(" " * self._shown + "\r")
            self._shown = 0

    def _write(self, text: str) -> None:
        assert self._stream
        self._stream.write("\r" + text)
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wipe()


def limits_of(values: dict[str, object]) -> Limits:
    """Return the limits that the options say."""
    limits = Limits()
    states, seconds, memory = (values[name] for name in ("max_states", "max_seconds", "max_memory"))
    if isinstance(states, int):
        limits.states = states
    if isinstance(seconds, int):
        limits.seconds = seconds
    if isinstance(memory, int):
        limits.memory = memory * MEGABYTE
    return limits


def verdict_of(position: Position, tick: Tick | None = None, limits: Limits | None = None) -> Verdict:
    """Return the verdict on `position`, within the usual limits unless told. Raises KeyboardInterrupt when that comes."""
    verdict = solve(position, limits, stop=tick)
    if verdict.limit == "interrupted":
        raise KeyboardInterrupt
    return verdict


def verdict_words(verdict: Verdict) -> str:
    """Say what the solver found."""
    if verdict.outcome == "won":
        return f"this can be won, in {counted(len(verdict.actions), 'action')}"
    if verdict.outcome == "lost":
        return "this can't be won, that is proved"
    return f"it is unknown whether this can be won, the search {LIMITS[verdict.limit or 'time']}"


def verdict_data(verdict: Verdict, number: int = 1) -> dict[str, object]:
    """Return the verdict as JSON has it."""
    data = {
        "n": number,
        "verdict": verdict.outcome,
        "actions": list(verdict.actions),
        "states": verdict.states,
        "seconds": round(verdict.seconds, 6),
        "backend": verdict.backend,
    }
    return data | ({"limit": verdict.limit} if verdict.limit else {})


# One position or many.


def solve_(context: Context, *, positions: str | None, jobs: int | None, **values: object) -> Result:
    """Prove that a position can be won or not: the current one, that of a deal, or many."""
    limits = limits_of(values)
    if positions is not None:
        if named_deal(values) is not None:
            raise UsageError("--positions and a deal both say what to solve", "give one of them")
        lines = context.read(positions, LARGEST).split("\n")
        return Result(stream=_many(context, lines, chosen_rules(values), limits, jobs or 1))
    if named_deal(values) is None:
        if any(values[name] is not None for name in ("rules", *OPTIONS)):
            raise UsageError(
                "the current game has its own rules", "name a deal, as in --seed 7, or leave out --rules"
            )
        game = context.game
    else:
        game = chosen_game(context, values)
    with Waiting(context) as waiting:
        verdict = solve(game.position, limits, stop=waiting.tick)
    if named_deal(values) is None:
        context.note_peek(lost=verdict.outcome == "lost")
    lines = [
        f"{verdict_words(verdict)} ({counted(verdict.states, 'state')}, {verdict.seconds:.2f} s, {verdict.backend})"
    ]
    if verdict.actions:
        lines.append(" ".join(verdict.actions))
    status = STATUS["interrupted" if verdict.limit == "interrupted" else verdict.outcome]
    return Result(game, lines=lines, data=verdict_data(verdict), exit_status=status)


def _many(context: Context, lines: list[str], rules: Rules, limits: Limits, jobs: int) -> Iterator[Answer]:
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


# The current game.


def peek(context: Context) -> Result:
    """Return the next action of a proven win, or say that there is none and how far back there was."""
    game = context.game
    with Waiting(context) as waiting:
        story = _Story(game, waiting.tick)
        verdict, actions = story.plan()
        won = story.won() if verdict.outcome == "lost" else None
    if verdict.outcome != "unknown":
        context.note_peek(lost=verdict.outcome == "lost", hint=True)
    looked = "having looked at the hidden cards"
    if actions:
        why = f"{looked}: the first step of a win in {counted(len(actions), 'action')}"
        return Result(
            game,
            lines=[f"{actions[0]}  {why}"],
            data={"hint": [{"action": actions[0], "why": why}], "peeked": True},
        )
    if verdict.outcome == "won":
        raise NothingThere("no-hint", "the game is won, nothing is left to do", "canfield new begins another")
    if verdict.outcome == "unknown":
        raise _undecided(verdict)
    undos = None if won is None else len(game.done) - won[0]
    if undos is None:
        hint = f"from the beginning: {verdict_words(story.of(0))}"
    elif undos <= game.undoable:
        hint = f"canfield undo {undos} leads back to where it could be won"
    else:
        hint = "canfield restart deals the same again"
    raise NothingThere("lost", f"{looked}: {verdict_words(verdict)}", hint, peeked=True, undos=undos)


def _undecided(verdict: Verdict) -> Undecided:
    return Undecided(verdict_words(verdict), "canfield solve --max-seconds N searches for longer")


class _Story:
    """The positions of a game from its start to now, and what the solver finds out about them.

    What can be won now could be won at any time before, and what is lost stays lost. But a search may
    hit a limit, and between the last position that is proved won and the first proved lost there may be some of which
    nothing is known.
    """

    def __init__(self, game: Game, tick: Tick) -> None:
        self.done = game.done
        self._tick = tick
        self._positions = [game.start]
        for action in self.done:
            self._positions.append(self._positions[-1].after(action)[0])
        self._found: dict[int, Verdict] = {}
        #: After so many actions the game is known to be lost.
        self._lost = len(self._positions)

    def of(self, number: int) -> Verdict:
        """Return the verdict on the position after `number` actions, or after fewer if that is lost already."""
        number = min(number, self._lost)
        if number not in self._found:
            found = self._found[number] = verdict_of(self._positions[number], self._tick)
            if found.outcome == "lost":
                self._lost = number
        return self._found[number]

    def lost(self) -> int | None:
        """Return after how many actions the game was first proved to be lost, None if it never was."""

        def is_lost(number: int) -> bool:
            return self.of(number).outcome == "lost"

        end = len(self.done)
        if not is_lost(end):
            return None
        return 0 if is_lost(0) else bisect_left(range(end), True, lo=1, key=is_lost)

    def won(self) -> tuple[int, Action | None] | None:
        """Return after how many actions the game could last be won, as far as that is proved, and with which next."""

        def is_open(number: int) -> bool:
            return self.of(number).outcome != "won"

        lost = self.lost()
        last = len(self.done) if lost is None else lost - 1
        if last >= 0 and is_open(last):
            last = bisect_left(range(last), True, key=is_open) - 1
        if last < 0:
            return None
        # The win from there may begin with what was done next.
        plan = self.of(last).actions
        followed = _followed(self.done[last:], plan)
        return last + followed, next(iter(plan[followed:]), None)

    def plan(self) -> tuple[Verdict, Sequence[Action]]:
        """Return the verdict on the position now, and the actions from here to a win.

        Who follows them one by one, asking anew each time, must not be led in circles by one plan after another:
        so the plan is that of the last position of note (:func:`_note`), as long as what was done since follows it,
        else that of the position after the first departure from it, and so on.
        """
        at, end = _note(self._positions), len(self.done)
        while (verdict := self.of(at)).outcome != "lost":
            followed = _followed(self.done[at:], verdict.actions)
            if at + followed == end:
                return verdict, verdict.actions[followed:]
            at = at + followed + 1 if verdict.outcome == "won" else end
        return verdict, ()


def _followed(done: Sequence[Action], plan: Sequence[Action]) -> int:
    """Return how many actions at the beginning of `done` are those of `plan`."""
    pairs = enumerate(zip(done, plan, strict=False))
    return next((i for i, (action, planned) in pairs if action != planned), min(len(done), len(plan)))


def _note(positions: Sequence[Position]) -> int:
    """Return the last of `positions` with fewer cards off the table, or more of them up, than any before it.

    There can be only so many of those in a game, and every plan leads to the next one.
    """
    best = [(52, 0)]
    for position in positions:
        off = len(position.reserve) + len(position.stock) + len(position.waste)
        fewest, most = best[-1]
        best.append((min(off, fewest), max(position.cards_up, most)))
    return max(i for i in range(len(positions)) if best[i] != best[i + 1])


def review(context: Context) -> Result:
    """Go back over the game's actions: where it could still be won, and which of them threw it away."""
    game = context.game
    with Waiting(context) as waiting:
        story = _Story(game, waiting.tick)
        found, lost = story.won(), story.lost()
        start = None if found else story.of(0)
    context.note_peek(lost=lost is not None)
    until, better = found or (None, None)
    if until == len(game.done):
        better = None
    mistake = lost if until is not None and lost == until + 1 else None
    data = {"actions": game.done, "won_until": until, "mistake": mistake, "better": better}
    if until is None:
        assert start
        return Result(game, lines=[f"from the beginning: {verdict_words(start)}"], data=data)
    lines = []
    before = game.start
    for number, played in enumerate(game.history, 1):
        mark = (
            " " if number <= until else "?" if number == mistake else "-" if lost and number >= lost else "~"
        )
        lines.append(f"{number:>4} {mark} {played.action:<6}  {describe(played, before)}")
        before, _ = before.after(played.action)
    return Result(game, lines=[_moral(game, until, lost, better), "", *lines], data=data)


def _moral(game: Game, until: int, lost: int | None, better: Action | None) -> str:
    """Say what became of a game that could be won after `until` actions, and was `lost` after so many."""
    if until == len(game.done):
        return "it was won" if game.position.won else "it can still be won"
    if lost == until + 1:
        return f"action {lost}, {game.done[until]}, threw it away; {better} would have won"
    if lost is None:
        return f"it could be won until action {until + 1}, with {better}; what came then no search could tell"
    return f"one of the actions {until + 1} to {lost} threw it away; {better} instead of the first would have won"


def plan_finish(context: Context) -> tuple[list[Action], Sequence[Action]]:
    """Return the actions of the game so far, and those of a proven win from there."""
    game = context.game
    with Waiting(context) as waiting:
        verdict = verdict_of(game.position, waiting.tick)
    if verdict.outcome == "unknown":
        raise _undecided(verdict)
    if verdict.outcome == "lost":
        raise NothingThere(
            "lost",
            verdict_words(verdict),
            "canfield review shows where it went wrong, canfield undo goes back",
        )
    if not verdict.actions:
        raise NothingThere("no-hint", "the game is won already", "canfield new begins another")
    return game.done, verdict.actions


def finish(context: Context, *, thought: tuple[list[Action], Sequence[Action]]) -> Result:
    """Play a proven win out to its end; the game as it was is kept."""
    game, (done, actions) = context.game, thought
    if game.done != done:
        raise NothingThere(
            "moved-on", "another command has changed the game meanwhile", "canfield finish tries it again"
        )
    kept = context.keep()
    game.tally.help("finish")
    for action in actions:
        game.play(action)
    said = [f"{won(game)}, the solver played to the end", *kept_words(kept)]
    return Result(game, did=actions, said=said, board=True, steps=len(actions))


# A new game.


def seek(context: Context, values: dict[str, object], wanted: str) -> tuple[Game, str, int]:
    """Return the first game whose deal is proved `wanted`, a sentence on that, and how many deals were tried.

    They are tried from the seed that `values` name, else from a random one; one that takes too many states is
    passed over. Raises NothingThere after `TRIES` of them.
    """
    from ..engine.deal import SEEDS, deal_seed

    source = named_deal(values)
    if source not in (None, "seed"):
        raise UsageError(
            f"--{source} names one deal, there is nothing to look for", "start from a --seed instead"
        )
    seed = values["seed"] if source else context.entropy(SEEDS)
    assert isinstance(seed, int)
    rules, limits = chosen_rules(values), Limits(states=STATES)
    kind = "can be won" if wanted == "won" else "can't be won"
    with Waiting(context) as waiting:
        for tried in range(1, TRIES + 1):
            waiting.what = f"trying deal {tried:,}"
            game = Game.of(deal_seed((seed + tried - 1) % SEEDS), rules)
            if verdict_of(game.position, waiting.tick, limits).outcome == wanted:
                return game, f"this deal {kind}; {counted(tried, 'deal was', 'deals were')} tried", tried
    raise NothingThere(
        "no-such-deal",
        f"{counted(TRIES, 'deal was', 'deals were')} tried, of none it is proved that it {kind}",
        f"--seed {(seed + TRIES) % SEEDS} goes on from there",
        tried=TRIES,
    )
