"""The commands that ask the solver: they know every card, and say so."""

from __future__ import annotations

from ..engine.errors import CanfieldError, NothingThere, Undecided, UsageError, counted, plain
from ..engine.game import Game
from ..engine.rules import OPTIONS, Rules
from ..solver import Limits, solve
from .choice import chosen_game, chosen_rules, named_deal, read_game
from .result import Result
from .sentences import describe, kept_words, won

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..engine.position import Action, Position
    from ..solver import Verdict
    from .context import Context

    #: A position of many: its number, its line, the rules' words, and the limits in states, seconds and bytes.
    Task = tuple[int, str, dict[str, int | str], int | None, float | None, int | None]

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

#: The exit status of `solve` for each outcome of one position.
STATUS = {"won": 0, "lost": 1, "unknown": 5}
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


def verdict_of(position: Position) -> Verdict:
    """Return the verdict on `position` within the usual limits. Raises KeyboardInterrupt when that comes."""
    verdict = solve(position)
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
        lines = [line for line in context.read(positions, LARGEST).splitlines() if line.strip()]
        return Result(stream=_many(lines, chosen_rules(values), limits, jobs or 1))
    if named_deal(values) is None:
        if any(values[name] is not None for name in ("rules", *OPTIONS)):
            raise UsageError(
                "the current game has its own rules", "name a deal, as in --seed 7, or leave out --rules"
            )
        game = context.game
    else:
        game = chosen_game(context, values)
    verdict = solve(game.position, limits)
    lines = [
        f"{verdict_words(verdict)} ({counted(verdict.states, 'state')}, {verdict.seconds:.2f} s, {verdict.backend})"
    ]
    if verdict.actions:
        lines.append(" ".join(verdict.actions))
    return Result(game, lines=lines, data=verdict_data(verdict), exit_status=STATUS[verdict.outcome])


def _many(
    lines: list[str], rules: Rules, limits: Limits, jobs: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield a line and an object on each of `lines`, in their order, from `jobs` processes at once."""
    words = rules.words()
    tasks = [
        (number, line, words, limits.states, limits.seconds, limits.memory)
        for number, line in enumerate(lines, 1)
    ]
    if jobs == 1:
        for task in tasks:
            answer = _one(task)
            yield answer
            if answer[1].get("limit") == "interrupted":
                raise KeyboardInterrupt
        return
    from multiprocessing import get_context

    with get_context("spawn").Pool(min(jobs, len(tasks) or 1)) as pool:
        yield from pool.imap(_one, tasks)


def _one(task: Task) -> tuple[str, dict[str, object]]:
    """Solve one line; whatever is wrong with it is its answer."""
    number, line, words, states, seconds, memory = task
    try:
        position = read_game(line, Rules.of(words)).position
        verdict = solve(position, Limits(states=states, seconds=seconds, memory=memory))
    except CanfieldError as error:
        message = plain(error.message)
        return f"{number:>5}  error    {message}", {"n": number, "verdict": "error", "error": message}
    told = f"{number:>5}  {verdict.outcome:<7}  {verdict.states:>12,} states  {verdict.seconds:>8.3f} s"
    return told, verdict_data(verdict, number)


# The current game.


def peek(context: Context) -> Result:
    """Return the next action of a proven win, or say that there is none and how far back there was."""
    game = context.game
    verdict, actions = _plan(game)
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
    start, back, _ = _last_won(game)
    undos = None if back is None else len(game.done) - back
    if undos is not None and undos <= game.undoable:
        hint = f"canfield undo {undos} leads back to where it could be won"
    elif undos is not None:
        hint = "canfield restart deals the same again"
    else:
        hint = f"from the beginning: {verdict_words(start)}"
    raise NothingThere("lost", f"{looked}: {verdict_words(verdict)}", hint, peeked=True, undos=undos)


def _undecided(verdict: Verdict) -> Undecided:
    return Undecided(verdict_words(verdict), "canfield solve --max-seconds N searches for longer")


def _plan(game: Game) -> tuple[Verdict, Sequence[Action]]:
    """Return the verdict on the position now, and the actions from here to a win.

    Who follows them one by one, asking anew each time, must not be led in circles by one plan after another:
    so the plan is that of the last position of note (:func:`_note`), as long as what was done since follows it,
    else that of the position after the first departure from it, and so on.
    """
    positions, done = _positions(game), game.done
    at = _note(positions)
    while True:
        verdict = verdict_of(positions[at])
        since = done[at:]
        if verdict.outcome != "won":
            return (
                (verdict, ()) if verdict.outcome == "lost" or not since else (verdict_of(game.position), ())
            )
        departure = next((i for i, action in enumerate(since) if action != verdict.actions[i]), None)
        if departure is None:
            return verdict, verdict.actions[len(since) :]
        at += departure + 1


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


def _positions(game: Game) -> list[Position]:
    """Return the positions of `game` from its start to now."""
    positions = [game.start]
    for action in game.done:
        positions.append(positions[-1].after(action)[0])
    return positions


def _last_won(game: Game) -> tuple[Verdict, int | None, Verdict]:
    """Return the verdict on the start, after how many actions the game could last be won, and that verdict.

    The number is None where the start is not won. Whatever leads to a position that can be won can be won
    itself, so halving finds it. What no search can tell counts as lost.
    """
    positions = _positions(game)
    start = found = verdict_of(positions[0])
    if start.outcome != "won":
        return start, None, start
    low, high = 0, len(positions)
    while high - low > 1:
        middle = (low + high) // 2
        verdict = verdict_of(positions[middle])
        if verdict.outcome == "won":
            low, found = middle, verdict
        else:
            high = middle
    return start, low, found


def review(context: Context) -> Result:
    """Go back over the game's actions: where it could still be won, and which of them threw it away."""
    game = context.game
    start, until, verdict = _last_won(game)
    done = game.done
    data: dict[str, object] = {"actions": done, "won_until": None, "mistake": None, "better": None}
    if until is None:
        return Result(game, lines=[f"from the beginning: {verdict_words(start)}"], data=data)
    lines = []
    before = game.start
    for number, played in enumerate(game.history, 1):
        mark = " " if number <= until else "?" if number == until + 1 else "-"
        lines.append(f"{number:>4} {mark} {played.action:<6}  {describe(played, before)}")
        before, _ = before.after(played.action)
    data["won_until"] = until
    if until == len(done):
        lines.append("it can still be won" if not game.position.won else "it was won")
    else:
        better = verdict.actions[0]
        lines.append(f"action {until + 1}, {done[until]}, threw it away; {better} would have won")
        data |= {"mistake": until + 1, "better": better}
    return Result(game, lines=lines, data=data)


def plan_finish(context: Context) -> tuple[list[Action], Sequence[Action]]:
    """Return the actions of the game so far, and those of a proven win from there."""
    game = context.game
    verdict = verdict_of(game.position)
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
    for action in actions:
        game.play(action)
    said = [f"{won(game)}, the solver played to the end", *kept_words(kept)]
    return Result(game, did=actions, said=said, board=True, steps=len(actions))


# A new game.


def seek(context: Context, values: dict[str, object], wanted: str) -> tuple[Game, str]:
    """Return the first game whose deal is proved `wanted`, and how many deals were tried for it.

    They are tried from the seed that `values` name, else from a random one.
    """
    from ..engine.deal import SEEDS, deal_seed

    source = named_deal(values)
    if source not in (None, "seed"):
        raise UsageError(
            f"--{source} names one deal, there is nothing to look for", "start from a --seed instead"
        )
    seed = values["seed"] if source else context.entropy(SEEDS)
    assert isinstance(seed, int)
    rules, tried = chosen_rules(values), 0
    while True:
        game = Game.of(deal_seed((seed + tried) % SEEDS), rules)
        tried += 1
        if verdict_of(game.position).outcome == wanted:
            kind = "can be won" if wanted == "won" else "can't be won"
            return game, f"this deal {kind}; {counted(tried, 'deal was', 'deals were')} tried"
