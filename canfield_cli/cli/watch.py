"""A game that is played out before the player's eyes, position by position."""

from __future__ import annotations

import os
import termios
import time
from contextlib import suppress

from ..commands.result import Result
from ..engine.game import Game
from ..render.answer import text
from .stopping import stopping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, TextIO

    from ..render.look import Look

__all__ = ["watch"]


def watch(result: Result, look: Look, out: TextIO) -> None:
    """Show the positions of the last actions, one after another: in place where the terminal can do that."""
    game = result.game
    assert game
    shown = Game(game.start, game.deal)
    # A key would move the board that is to be drawn over, and be taken for an answer to its last one.
    with stopping(), _Deaf(out):
        for number, action in enumerate(game.done[:-1], 1):
            shown.play(action)
            if number > len(game.done) - result.steps:
                frame = text(Result(shown, board=True), look) + "\n"
                out.write(frame)
                out.flush()
                time.sleep(result.pace)
                out.write(_back_over(frame, look))


class _Deaf:
    """A context in which the terminal `out` shows nothing of what is typed, which is dropped at its end."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._usual: list[Any] = []
        # To change it in the background would stop the program.
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(out.fileno()) == os.getpgrp():
                self._usual = termios.tcgetattr(out)

    def __enter__(self) -> None:
        if self._usual:
            quiet = self._usual.copy()
            quiet[3] &= ~termios.ECHO
            termios.tcsetattr(self._out, termios.TCSANOW, quiet)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._usual:
            # One that is gone takes nothing back.
            with suppress(termios.error):
                termios.tcsetattr(self._out, termios.TCSAFLUSH, self._usual)


def _back_over(frame: str, look: Look) -> str:
    """Return what takes `frame` off a terminal again; nothing where it can't, or is too low for it."""
    height = frame.count("\n")
    can = not look.plain and os.environ.get("TERM", "dumb") != "dumb" and height < (look.height or 0)
    return f"\x1b[{height}A\x1b[J" if can else ""
