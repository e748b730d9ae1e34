"""The verdict in the toolbar: the solver works on it while the player plays."""

from __future__ import annotations

from threading import Thread
from types import MappingProxyType

from ..commands.place import hold_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.position import Position

__all__ = ["VerdictWatch"]


class VerdictWatch:
    """What the solver says of the position on the screen, worked out beside the typing."""

    WORDS = MappingProxyType({"won": "can be won", "lost": "can't be won", "unknown": "unknown"})

    def __init__(self) -> None:
        self._position: Position | None = None
        self._word = ""

    def of(self, position: Position, changed: Callable[[], None]) -> str:
        """Return a word on `position`; `changed` is called once there is a better one."""
        if position != self._position:
            self._position, self._word = position, "thinking"
            self._begin(position, changed)
        return self._word

    def _begin(self, position: Position, changed: Callable[[], None]) -> None:
        # A thread holds back the signals that were held back when it began: else it would be handed those that
        # the game is not to be interrupted by.
        hold_signals()
        try:
            Thread(target=self._solve, args=(position, changed), daemon=True).start()
        except RuntimeError:
            # The system has no thread left.
            self._word = self.WORDS["unknown"]
        finally:
            hold_signals(hold=False)

    def _solve(self, position: Position, changed: Callable[[], None]) -> None:
        from ..solver import solve

        verdict = solve(position, stop=lambda: position is not self._position)
        if position is self._position:
            self._word = self.WORDS[verdict.outcome]
            changed()
