"""The commands that ask the solver: they know every card, and say so."""

from __future__ import annotations

from bisect import bisect_left

from ..engine.errors import NothingThere, Undecided, UsageError, counted
from ..engine.game import Game
from ..engine.rules import OPTIONS
from ..solver import Limits, solve
from .choice import chosen_game, chosen_rules, draw_is_asked, named_deal, read_deal
from .context import identity
from .result import Result
from .sentences import describe, kept_words, rules_words, won
from .waiting import Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.position import Action, Position
    from ..solver import Verdict
    from .context import Context
    from .waiting import Tick

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
    "time": "reached its limit of time",
    "states": "reached its limit of states",
    "memory": "reached its limit of memory",
    "interrupted": "was interrupted",
}
LOST_FROM_THE_START = "this can't be won, nor could it from the beginning, that is proved"
#: What is left to try with a deal that can't be won.
WINNABLE = "canfield new --winnable begins a game that can be won"
#: So many deals are tried for one that is wanted, and so many states looked at for each of them; not for so many
#: seconds: from the same seed on, every machine finds the same deal.
TRIES = 1000
STATES = 5_000_000


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
        if not verdict.actions:
            return "this is won already"
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


# A position.


def solve_(context: Context, *, positions: str | None, jobs: int | None, **values: object) -> Result:
    """Prove that a position can be won or not: the current one, that of a deal, or many."""
    limits = limits_of(values)
    if positions is None:
        if jobs is not None:
            raise UsageError(
                "--jobs is for --positions, a single one is searched by one process", "leave it out"
            )
        return _solve_one(context, values, limits)
    if named_deal(values) is not None:
        raise UsageError("--positions and a deal both say what to solve", "give one of them")
    from .positions import solve_many

    lines = read_deal(context, positions, LARGEST).split("\n")
    answers = solve_many(context, lines, chosen_rules(values), limits, jobs or 1, fixed=draw_is_asked(values))
    return Result(stream=answers)


def _solve_one(context: Context, values: dict[str, object], limits: Limits) -> Result:
    is_current = named_deal(values) is None
    if is_current and any(values[name] is not None for name in ("rules", *OPTIONS)):
        raise UsageError(
            "the current game has its own rules", "name a deal, as in --seed 7, or leave out --rules"
        )
    game = context.game if is_current else chosen_game(context, values)
    with Waiting(context) as waiting:
        verdict = solve(game.position, limits, stop=waiting.tick)
    if is_current:
        context.note_peek(lost=verdict.outcome == "lost")
    effort = f"{counted(verdict.states, 'state')}, {verdict.seconds:.2f} s, {verdict.backend}"
    lines = [f"{rules_words(game.rules)}: {verdict_words(verdict)} ({effort})"]
    if verdict.actions:
        lines.append(" ".join(verdict.actions))
    status = STATUS["interrupted" if verdict.limit == "interrupted" else verdict.outcome]
    return Result(game, lines=lines, data=verdict_data(verdict), exit_status=status)


# The current game.


def peek(context: Context) -> Result:
    """Return the next action of a proven win, or say that there is none and how far back there was."""
    game = context.game
    with Waiting(context) as waiting:
        story = _Story(game, waiting.tick)
        verdict, actions = story.plan()
        winnable = story.won() if verdict.outcome == "lost" else None
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
    undos = None if winnable is None else len(game.done) - winnable[0]
    never = undos is None and story.of(0).outcome == "lost"
    said = LOST_FROM_THE_START if never and game.done else verdict_words(verdict)
    if never:
        hint = WINNABLE
    elif undos is None:
        hint = f"from the beginning: {verdict_words(story.of(0))}"
    elif undos <= game.undoable:
        hint = f"canfield undo {undos} leads back to where it could be won"
    else:
        hint = "canfield restart deals the same again"
    raise NothingThere("lost", f"{looked}: {said}", hint, peeked=True, undos=undos)


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
        mark = _mark(number, until, mistake, lost)
        lines.append(f"{number:>4} {mark} {played.action:<6}  {describe(played, before)}")
        before, _ = before.after(played.action)
    return Result(game, lines=[_moral(game, until, lost, better), "", *lines], data=data)


def _mark(number: int, until: int, mistake: int | None, lost: int | None) -> str:
    """Return the mark of action `number`: the game could still be won, it threw that away, it was lost, none knows."""
    if number <= until:
        return " "
    if number == mistake:
        return "?"
    return "-" if lost is not None and number >= lost else "~"


def _moral(game: Game, until: int, lost: int | None, better: Action | None) -> str:
    """Say what became of a game that could be won after `until` actions, and was `lost` after so many."""
    if until == len(game.done):
        return "it was won" if game.position.won else "it can still be won"
    if lost == until + 1:
        return f"action {lost}, {game.done[until]}, threw it away; {better} would have won"
    if lost is None:
        return f"it could be won until action {until + 1}, with {better}; what came then no search could tell"
    return f"one of the actions {until + 1} to {lost} threw it away; {better} instead of the first would have won"


def plan_finish(context: Context) -> tuple[object, Sequence[Action]]:
    """Return what tells the game as it is from any other, and the actions of a proven win from there."""
    game = context.game
    with Waiting(context) as waiting:
        verdict = verdict_of(game.position, waiting.tick)
    if verdict.outcome == "unknown":
        raise _undecided(verdict)
    if verdict.outcome == "lost":
        raise NothingThere("lost", verdict_words(verdict), _after_loss(game))
    if not verdict.actions:
        raise NothingThere("no-hint", "the game is won already", "canfield new begins another")
    return (identity(game), game.done), verdict.actions


def _after_loss(game: Game) -> str:
    """Return what to try with `game`, which is lost now, and may have been so from the start."""
    if not game.done:
        return WINNABLE
    back = ", canfield undo goes back" if game.undoable else ""
    return f"canfield review says until when it could be{back}"


def finish(context: Context, *, thought: tuple[object, Sequence[Action]]) -> Result:
    """Play a proven win out to its end; the game as it was is kept."""
    game, (before, actions) = context.game, thought
    if (identity(game), game.done) != before:
        raise NothingThere(
            "moved-on", "another command has changed the game meanwhile", "canfield finish tries it again"
        )
    game.check_length(len(actions))
    kept = context.keep()
    game.tally.help("finish")
    for action in actions:
        game.play(action)
    said = [f"{won(game)}, the solver played to the end", *kept_words(kept, context.place.option)]
    return Result(game, did=actions, said=said, board=True, steps=len(actions))


# A new game.


def seek(context: Context, values: dict[str, object], wanted: str) -> tuple[Game, str, dict[str, int]]:
    """Return the first game whose deal is proved `wanted`, a sentence on that, and the counts for JSON.

    They are tried from the seed that `values` name, else from a random one; one that takes too many states is
    passed over, as `undecided`. Raises NothingThere after `TRIES` of them.
    """
    from ..engine.deal import SEEDS, deal_seed

    source = named_deal(values)
    if source not in (None, "seed"):
        raise UsageError(
            f"--{source} names one deal, there is nothing to look for", "start from a --seed instead"
        )
    seed = values["seed"] if source else context.entropy(SEEDS)
    assert isinstance(seed, int)
    rules, limits = chosen_rules(values), Limits(states=STATES, seconds=None)
    kind = "can be won" if wanted == "won" else "can't be won"
    counts = {"tried": 0, "undecided": 0}
    with Waiting(context) as waiting:
        for number in range(seed, seed + TRIES):
            counts["tried"] += 1
            waiting.what = f"trying deal {counts['tried']:,}"
            game = Game.of(deal_seed(number % SEEDS), rules)
            outcome = verdict_of(game.position, waiting.tick, limits).outcome
            if outcome == wanted:
                return game, f"this deal {kind}; {_tried_words(**counts)}", counts
            counts["undecided"] += outcome == "unknown"
    raise NothingThere(
        "no-such-deal",
        f"{_tried_words(**counts)}, of none it is proved that it {kind}",
        f"--seed {(seed + TRIES) % SEEDS} goes on from there",
        **counts,
    )


def _tried_words(tried: int, undecided: int) -> str:
    """Say how many deals were tried."""
    passed = f", {undecided:,} of them undecided" if undecided else ""
    return f"{counted(tried, 'deal was', 'deals were')} tried{passed}"
