"""The time played, from the instants at which commands came; nothing here reads a clock."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LATEST", "LONGEST_GAP", "Clock", "instant", "is_time"]

#: What lies between two actions counts as time played, but never more than this, in seconds:
#: who is away for longer has stopped thinking. (BSD's game charges at most three minutes too.)
LONGEST_GAP = 180.0
#: The last second whose year has four digits, since 1970 UTC.
LATEST = 253_402_300_799.0


def instant(now: float) -> float:
    """Return `now` to the millisecond; a clock that is far off is taken for 1970 or the year 9999."""
    return round(min(max(now, 0.0), LATEST), 3)


def is_time(value: Any) -> bool:
    """Say whether `value` is a number of seconds that a clock may show. A truth value is none."""
    return type(value) in (int, float) and 0 <= value <= LATEST


class Clock:
    """Time played, in seconds. It runs from the first action and rests once the game is won.

    `begun` is when the game was dealt and `last` when its last action came (None before the
    first), both in seconds since 1970 UTC. `last` never goes back, so that of two states of a game the later one
    can be told.
    """

    __slots__ = ("begun", "last", "seconds")

    def __init__(self, begun: float = 0.0, last: float | None = None, seconds: float = 0.0) -> None:
        self.begun = begun
        self.last = last
        self.seconds = seconds

    def tick(self, now: float, *, running: bool = True, rest: float = LONGEST_GAP) -> None:
        """Count the time from the last action to `now`, but no more than `rest` of it.

        Where it was not `running`, because the game had been won, only the instant is noted. A clock that was set
        back counts nothing until it is where it was.
        """
        if running:
            self.seconds = self.at(now, rest)
        self.last = max(instant(now), self.last or 0.0)

    def at(self, now: float, rest: float = LONGEST_GAP) -> float:
        """Return the seconds played if the game goes on until `now`."""
        if self.last is None:
            return self.seconds
        return round(self.seconds + min(max(instant(now) - self.last, 0.0), rest), 3)
