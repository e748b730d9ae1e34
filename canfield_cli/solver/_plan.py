"""Which games are searched for a position, in which order, and what their outcomes prove."""

from __future__ import annotations

from time import monotonic

from . import Limits, Verdict
from ._problem import STORED, Game, Problem
from ._replay import replay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    from ..engine.position import Action, Position
    from ..engine.rules import Rules

__all__ = ["decide"]

_NO_LIMIT = 1 << 62
#: Steps of this size are far from each other in any row of 64-bit numbers.
_GOLDEN = 0x9E3779B97F4A7C15


#: One attempt, to the end.
_STRAIGHT = [(_NO_LIMIT, 0)]


def _restarts() -> Iterator[tuple[int, int]]:
    """Yield the attempts on a game whose arrangement matters.

    A win hides from one order of moves and is soon found by another, so between the straight attempts, of which the
    last goes to the end, stand many short ones in shuffled orders.
    """
    seed = 0
    for straight, shuffled in ((1_000_000, 100_000), (10_000_000, 500_000)):
        yield straight, 0
        for _ in range(32):
            seed = (seed + _GOLDEN) % (1 << 64)
            yield shuffled, seed
    yield from _STRAIGHT


def plans(rules: Rules) -> Iterator[tuple[list[Game], Iterable[tuple[int, int]]]]:
    """Yield the searches to make: a game and the looser ones that it may ask, and the attempts.

    A later one is made when those before have left the position open: the last is exact.
    """
    looser = [Game(rules, fill=True)]
    if rules.draw != 1 or rules.redeals is not None:
        looser.append(Game(rules, fill=True, draw=1))
    if rules.runs == "any":
        asked = looser if rules.fill == "waste" else looser[1:]
        yield [Game(rules), *asked], _STRAIGHT
        if not rules.base_build:
            return
        yield [Game(rules, strict=True), *asked], _STRAIGHT
    yield [Game(rules, arranged=True), *looser], _restarts()


def decide(
    position: Position, limits: Limits, stop: Callable[[], bool] | None, module: ModuleType
) -> Verdict:
    """Do what `solve` promises, for a sound position."""
    begun = monotonic()
    end = begun + limits.seconds if limits.seconds is not None else None
    stored = min(limits.memory // STORED, _NO_LIMIT) if limits.memory is not None else _NO_LIMIT
    allowed = min(limits.states, _NO_LIMIT) if limits.states is not None else _NO_LIMIT

    def pulse() -> str:
        if stop is not None and stop():
            return "interrupted"
        return "time" if end is not None and monotonic() >= end else ""

    states = 0

    def verdict(outcome: str, actions: tuple[Action, ...] = (), limit: str | None = None) -> Verdict:
        return Verdict(
            outcome,
            actions,
            limit=limit,
            states=states,
            seconds=monotonic() - begun,
            backend=module.NAME,
        )

    if position.won:
        return verdict("won")
    problem = Problem(position)
    for games, attempts in plans(position.rules):
        try:
            outcome, moves, used = module.search(problem, games, attempts, allowed - states, stored, pulse)
        except KeyboardInterrupt:
            return verdict("unknown", limit="interrupted")
        states += used
        if outcome == "won":
            actions = replay(position, problem, games[0], moves)
            if actions is not None:
                return verdict("won", actions)
        elif outcome != "lost":
            return verdict("unknown", limit=outcome)
        elif not games[0].strict:
            return verdict("lost")
    raise AssertionError("the last plan is exact")
