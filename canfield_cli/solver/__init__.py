"""The solver: proof that a position is won or lost when all cards are known.

:func:`solve` is the one way in. It never guesses: a win comes with plain actions that the engine has
replayed, a loss is an exhausted search, and what a limit cuts short is unknown. It knows nothing
of files or terminals. How it works, and why that is right: docs/solver.md.
"""

from __future__ import annotations

from ..engine.errors import DealError
from ..engine.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ..engine.position import Action

__all__ = ["Limits", "Verdict", "backend", "solve"]

#: Set to 1, this environment variable makes the search run in plain Python.
PURE = "CANFIELD_PURE_PYTHON"


class Limits:
    """How far a search may go before it gives up: in `states`, `seconds` and bytes of `memory`; None for no limit.

    Only a limit in states gives the same answer on every machine.
    """

    __slots__ = ("memory", "seconds", "states")

    def __init__(
        self, *, states: int | None = None, seconds: float | None = 60.0, memory: int | None = 2_000_000_000
    ) -> None:
        self.states = states
        self.seconds = seconds
        self.memory = memory

    def __repr__(self) -> str:
        return f"Limits(states={self.states}, seconds={self.seconds}, memory={self.memory})"


class Verdict:
    """What a search found.

    `outcome` is ``won``, ``lost`` or ``unknown``; `actions` are those of a win, all of them, draws and redeals written
    out; `limit` is what made it unknown: ``states``, ``time``, ``memory`` or ``interrupted``. `states` and `seconds`
    tell the effort, `backend` who made it (``compiled`` or ``python``).
    """

    __slots__ = ("actions", "backend", "limit", "outcome", "seconds", "states")

    def __init__(
        self,
        outcome: str,
        actions: tuple[Action, ...] = (),
        *,
        limit: str | None = None,
        states: int = 0,
        seconds: float = 0.0,
        backend: str = "",
    ) -> None:
        self.outcome = outcome
        self.actions = actions
        self.limit = limit
        self.states = states
        self.seconds = seconds
        self.backend = backend

    def __repr__(self) -> str:
        why = f", limit={self.limit!r}" if self.limit else ""
        return f"<Verdict {self.outcome}, {len(self.actions)} actions, {self.states} states{why}>"


def backend() -> str:
    """Return which search runs: ``compiled`` or ``python``."""
    name: str = _module().NAME
    return name


def solve(
    position: Position,
    limits: Limits | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    pure: bool | None = None,
) -> Verdict:
    """Decide `position` under its own rules, within `limits` (by default 60 seconds and 2 GB).

    `stop`, called now and then, ends the search when it returns true; Ctrl-C does so too: both give an unknown verdict,
    ``interrupted``. `pure` chooses plain Python (True) or the compiled search (False, if there is one).
    Raises DealError when the position could not stand in a game.
    """
    for fault in position.faults():
        raise DealError(f"the position can't be solved: {fault}", "check it for misplaced cards")
    from ._plan import decide

    return decide(position, limits or Limits(), stop, _module(pure))


def _module(pure: bool | None = None) -> ModuleType:
    """Return the module that searches."""
    if pure is None:
        import os

        pure = os.environ.get(PURE, "") not in ("", "0")
    if not pure:
        try:
            from . import _search
        except ImportError:
            pass
        else:
            return _search
    from . import _reference

    return _reference
