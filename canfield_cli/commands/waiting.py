"""What a terminal shows while a search takes its time."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from .context import Context

    #: Called now and then by a search, which ends where it returns True.
    Tick = Callable[[], bool]

__all__ = ["WAIT", "Waiting"]

#: What the terminal itself writes behind the line when Ctrl-C ends the search.
ECHO = "^C"
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
            before, self._shown = self._shown, max(self._shown, len(text))
            self._write(text.ljust(before))
        return False

    def wipe(self) -> None:
        """Take the line away."""
        if self._shown:
            self._blank()

    def _blank(self) -> None:
        self._write(" " * (self._shown + len(ECHO)) + "\r")
        self._shown = 0

    def _write(self, text: str) -> None:
        assert self._stream
        self._stream.write("\r" + text)
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Ctrl-C may have come before there was a line.
        if self._stream:
            self._blank()
