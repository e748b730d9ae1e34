"""The time played, from the instants at which commands came; nothing here reads a clock."""

from __future__ import annotations

__all__ = ["LONGEST_GAP", "Clock"]

#: What lies between two actions counts as time played, but never more than this, in seconds:
#: who is away for longer has stopped thinking. (BSD's game charges at most three minutes too.)
LONGEST_GAP = 180.0


class Clock:
    """Time played, in seconds. It runs from the first action and rests once the game is won.

    `begun` is when the game was dealt and `last` when its last action came (None before the
    first), both in seconds since 1970 UTC.
    """

    __slots__ = ("begun", "last", "seconds")

    def __init__(self, begun: float = 0.0, last: float | None = None, seconds: float = 0.0) -> None:
        self.begun = begun
        self.last = last
        self.seconds = seconds

    def tick(self, now: float, *, running: bool = True) -> None:
        """Count the time from the last action to `now`; a clock that was set back counts nothing.

        Where it was not `running`, because the game had been won, only the instant is noted.
        """
        if running and self.last is not None:
            self.seconds = round(self.seconds + min(max(now - self.last, 0.0), LONGEST_GAP), 3)
        self.last = round(now, 3)
