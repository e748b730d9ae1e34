"""Where the game of a command is: in a save file, held in memory over one, or in a stream."""

from __future__ import annotations

import os
import time

from ..engine.clock import LONGEST_GAP
from ..engine.errors import CanfieldError, SaveError, quoted, shell_word
from ..store.files import exists, locked, read_stdin, read_text, write_text
from ..store.paths import make_folder, save_path
from ..store.save import HINT, format_save, parse_save

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Iterator, Mapping
    from types import TracebackType
    from typing import TextIO

    from ..engine.game import Game
    from ..store.kept import KeptGame
else:
    # What `signal` is made of: its enumerations cost half of what the interpreter needs to start.
    import _signal as signal

__all__ = [
    "LONGEST_PATH",
    "STREAM",
    "FilePlace",
    "HeldPlace",
    "Place",
    "StreamPlace",
    "hold_signals",
    "place_of",
]

#: ``--save -``: the game comes on standard input and leaves on standard output.
STREAM = "-"
#: The path of a save is shown with so many letters.
LONGEST_PATH = 200
#: A held game is written when its oldest unwritten action is this old, in seconds.
DELAY = 1.0
#: A session that writes while it is busy then leaves the save to others for so long, in seconds: they ask
#: for the lock again and again, a hundred times a second.
PAUSE = 0.025


def _parsed(text: str, hint: str) -> Game:
    """Return the game of the save `text`. Raises SaveError, with `hint` where the save is bad and will stay so."""
    try:
        return parse_save(text)
    except SaveError as error:
        if error.hint == HINT:
            error.hint = hint
        raise


class FilePlace:
    """A game in a save file, with the games that it replaced beside it.

    As a context it keeps other commands from the save. `named` is the path where an option named it.
    """

    streams = False
    #: After so many seconds without an action the clock rests.
    rest = LONGEST_GAP

    def __init__(self, path: str, environ: Mapping[str, str], named: str = "") -> None:
        self.path = path
        self.name = quoted(path)
        self.named = named
        self.environ = environ
        self._lock = locked(path)

    @property
    def option(self) -> str:
        """What names the save on a command line, where somebody has to."""
        if not self.named:
            return ""
        word = shell_word(self.named, "FILE", LONGEST_PATH)
        return f" --save={word}" if word.startswith("-") else f" -s {word}"

    @property
    def patience(self) -> float:
        """How long it waits for another command that has the save, in seconds."""
        return self._lock.timeout

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._lock.timeout = seconds

    def __enter__(self) -> None:
        make_folder(self.path, self.environ)
        self._lock.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.__exit__(kind, error, trace)

    def look(self) -> None:
        """Raise SaveError where there is no game."""
        if not exists(self.path):
            raise SaveError(f"there is no game in {self.name}", "canfield new begins one")

    def text(self) -> str:
        """Return what is in the save. Raises SaveError where there is none, or no text."""
        self.look()
        return read_text(self.path) or ""

    def load(self) -> Game:
        """Return the game. Raises SaveError where there is none or it can't be used."""
        return _parsed(self.text(), "canfield new sets it aside and begins another game")

    def save(self, game: Game) -> None:
        """Write `game`."""
        write_text(self.path, format_save(game))

    def keep(self, game: Game | None) -> int | None:
        """Keep the save that is about to be replaced if anything would be lost; return its number.

        `game` is what is in it, None for what can't be read.
        """
        from ..store.kept import keep, worth_keeping

        return keep(self.path) if game is None or worth_keeping(game) else None

    def texts(self) -> Iterator[tuple[str, bool]]:
        """Yield the text of the current save and then of each kept one, and whether it is the current.

        Those that can't be read are left out. Raises SystemRefused where the kept ones can't be listed.
        """
        kept = [each.number for each in self.kept() if each.fault is None]
        for number in (None, *kept):
            try:
                text = self.text() if number is None else self.take(number)
            except CanfieldError:
                continue
            if text is not None:
                yield text, number is None

    def kept(self) -> list[KeptGame]:
        """Return the kept games, the oldest first."""
        from ..store.kept import kept

        return kept(self.path)

    def take(self, number: int) -> str | None:
        """Return the save of the kept game `number`, or None."""
        from ..store.kept import take

        return take(self.path, number)

    def kept_at(self, number: int) -> str:
        """Return the file of the kept game `number`."""
        from ..store.kept import kept_file

        return kept_file(self.path, number)

    def trim(self) -> None:
        """Let the oldest of too many kept games go."""
        from ..store.kept import trim

        trim(self.path)

    def forget(self, number: int) -> None:
        """Remove the kept game `number`, which is the current one now."""
        from ..store.kept import forget

        forget(self.path, number)


class HeldPlace(FilePlace):
    """A save file whose game stays in memory between commands, for sessions of many.

    With a `delay` of 0 every change is written at once; else the file stays locked until
    :meth:`flush` writes what has changed, which is due when the first change is `delay` seconds old.
    `moved` says that another command had changed the save since this one last saw it.

    No interrupt leaves a game half changed: with `brief` commands the context holds back the signals for
    so long; a game whose command might take its time is to be written before, and is read again after
    an interrupt.
    """

    def __init__(self, path: str, environ: Mapping[str, str], delay: float = DELAY, named: str = "") -> None:
        super().__init__(path, environ, named)
        self.delay = delay
        self.moved = False
        self.brief = True
        self._game: Game | None = None
        self._stamp: tuple[int, ...] | None = None
        #: When the oldest change that is not yet written came, on the monotonic clock.
        self._changed: float | None = None

    def __enter__(self) -> None:
        try:
            if self._changed is None:
                super().__enter__()
            if self.brief:
                hold_signals()
        except BaseException:
            self._release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        due = self.due() <= 0
        try:
            if due:
                self.flush()
        finally:
            self._release()
            if kind and not issubclass(kind, CanfieldError) and self._changed is None:
                self._game = None
            if self.brief:
                hold_signals(hold=False)
        if due and self.delay:
            time.sleep(PAUSE)

    def _release(self) -> None:
        """Let other commands have the save, unless it lacks something that only this one knows."""
        if self._changed is None:
            super().__exit__(None, None, None)

    def look(self) -> None:
        """Raise SaveError where there is no game."""
        if self._changed is None:
            super().look()

    def text(self) -> str:
        """Return what is in the save, once all is written. Raises SaveError, SystemRefused."""
        self.flush()
        return super().text()

    def load(self) -> Game:
        """Return the game that is held, or the one in the save where that has moved on."""
        if self._changed is None:
            stamp = self._stat()
            if self._game is None or stamp != self._stamp:
                self.moved = self._game is not None
                self._game = None
                self._game = super().load()
                self._stamp = stamp
        assert self._game
        return self._game

    def save(self, game: Game) -> None:
        """Take `game` as the current one; it is written when that is due, a win at once."""
        self._game = game
        if self._changed is None:
            self._changed = time.monotonic()
        if game.position.won:
            self._changed -= self.delay

    def due(self) -> float:
        """Return in how many seconds there is something to write; infinity where there is nothing."""
        return float("inf") if self._changed is None else self._changed + self.delay - time.monotonic()

    def flush(self) -> None:
        """Write what has changed and let other commands have the save.

        Raises SystemRefused; then the changes are lost, and the game is what the save says.
        """
        if self._changed is not None:
            try:
                self._write()
            finally:
                self._release()

    def _write(self) -> None:
        """Write what has changed, and keep the lock. An interrupt leaves it to be written still."""
        if self._changed is None:
            return
        assert self._game
        try:
            super().save(self._game)
        except CanfieldError:
            self._game = self._changed = None
            raise
        self._stamp = self._stat()
        self._changed = None

    def keep(self, game: Game | None) -> int | None:
        """Keep the game that is about to be replaced as it is now."""
        self._write()
        return super().keep(game)

    def forget(self, number: int) -> None:
        """Remove the kept game `number` once it is written as the current one."""
        self._write()
        super().forget(number)

    def _stat(self) -> tuple[int, ...] | None:
        """Return what changes whenever the save is replaced."""
        try:
            info = os.stat(self.path)
        except OSError:
            return None
        return info.st_ino, info.st_mtime_ns, info.st_size


class StreamPlace:
    """A game that comes on standard input and leaves on standard output (``--save -``).

    Nothing is kept: the save that came in is still where it came from.
    """

    streams = True
    rest = LONGEST_GAP
    name = "standard input"
    option = " -s -"

    def __init__(self, stdout: TextIO) -> None:
        self.stdout = stdout

    def __enter__(self) -> None:
        """Nobody else can get at a stream."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def look(self) -> None:
        """Whether there is a game, only reading it will tell."""

    def text(self) -> str:
        """Return what is on standard input."""
        return read_stdin()

    def load(self) -> Game:
        """Return the game on standard input. Raises SaveError."""
        return _parsed(read_stdin(), "canfield new -s - writes one to begin with")

    def save(self, game: Game) -> None:
        """Write `game`."""
        self.stdout.write(format_save(game))

    def keep(self, game: Game | None) -> int | None:
        """Keep nothing."""
        del game
        return None

    def texts(self) -> Iterator[tuple[str, bool]]:
        """There are none: what comes through a stream is recorded where it is kept."""
        return iter(())

    def kept(self) -> list[KeptGame]:
        """There are none."""
        return []

    def take(self, number: int) -> str | None:
        """There is none."""
        del number
        return None

    def trim(self) -> None:
        """There are none."""

    def forget(self, number: int) -> None:
        """There is none."""


Place = FilePlace | StreamPlace


def hold_signals(*, hold: bool = True) -> None:
    """Hold back the signals that end a session, or let them through: those that came meanwhile come then."""
    how = signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK
    signal.pthread_sigmask(how, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def place_of(option: object, environ: Mapping[str, str], stdout: TextIO) -> Place:
    """Return the place that ``--save`` or the environment names. Raises CanfieldError."""
    path = save_path(None if option is None else str(option), environ)
    if path == STREAM:
        return StreamPlace(stdout)
    return FilePlace(path, environ, path if option else "")
