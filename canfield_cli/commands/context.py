"""What stands between a command and the world.

A command's function gets a `Context` and nothing else of the world. `execute` is the one way to run
a command: it loads the game, runs the function and saves what came of it, under the lock.
"""

from __future__ import annotations

import time

from ..engine.errors import CanfieldError, NothingThere, SaveError, quoted
from ..store.files import LARGEST, read_stdin, read_text
from ..store.save import parse_save
from .place import STREAM, place_of
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game
    from ..store.kept import KeptGame
    from .environment import Environment
    from .place import Place
    from .table import Command

    Values = dict[str, object]

__all__ = ["Context", "execute"]


class Context:
    """What a command may use: the game, chance, the date, files that its words name."""

    def __init__(self, env: Environment, place: Place) -> None:
        self.env = env
        self.place = place
        self._game: Game | None = None
        #: The kept game that the current one was taken from.
        self.taken: int | None = None
        #: The number under which the game was kept that is about to be replaced.
        self._kept: int | None = None

    @property
    def game(self) -> Game:
        """The current game. Raises SaveError where there is none or it can't be used."""
        if self._game is None:
            self._game = self.place.load()
        return self._game

    def reload(self) -> None:
        """Look at the save once more when the game is next asked for."""
        if not self.place.streams:
            self._game = None

    def replace(self, game: Game) -> int | None:
        """Make `game` the current one; return the number under which the old one is kept."""
        game.clock.begun = game.clock.begun or round(self.env.now(), 3)
        number = self.keep()
        self._game = game
        return number

    def keep(self) -> int | None:
        """Keep the game as it is in the save; return its number, None where nothing would be lost."""
        self._kept = self.place.keep()
        return self._kept

    def kept(self) -> list[KeptGame]:
        """Return the kept games."""
        return self.place.kept()

    def take(self, number: int) -> Game:
        """Return the kept game `number`, kept no longer once it is the current one.

        Raises NothingThere, and SaveError for one that is broken.
        """
        text = self.place.take(number)
        if text is None:
            numbers = [each.number for each in self.kept()]
            raise NothingThere(
                "no-such-game",
                f"there is no kept game number {number}",
                f"the numbers are {', '.join(map(str, numbers))}" if numbers else "no game is kept",
            )
        game = parse_save(text)
        self.taken = number
        return game

    def save(self, game: Game) -> None:
        """Write `game`, and then let go of the kept game that it was."""
        # Where that fails, the current game is the one in the save.
        self._game = None
        try:
            self.place.save(game)
        except BaseException:
            if self._kept is not None:
                self.place.forget(self._kept)
            raise
        if self._kept is not None:
            self.place.trim()
        if self.taken is not None:
            self.place.forget(self.taken)

    def read(self, file: str, limit: int = LARGEST) -> str:
        """Return the text of `file`, or of standard input for ``-``, of at most `limit` bytes.

        Raises SaveError, SystemRefused.
        """
        if file == STREAM:
            return read_stdin(limit)
        text = read_text(file, limit)
        if text is None:
            raise SaveError(f"there is no file {quoted(file)}", "look at its name")
        return text

    def entropy(self, below: int) -> int:
        """Return a number from 0 to `below` less one, all alike likely."""
        bits = below.bit_length()
        while True:
            number = int.from_bytes(self.env.entropy((bits + 7) // 8)) >> -bits % 8
            if number < below:
                return number

    def today(self) -> str:
        """Return the date in UTC, as 2026-11-30."""
        return time.strftime("%Y-%m-%d", time.gmtime(self.env.now()))

    def schema(self) -> str:
        """Return the published JSON Schema of a save."""
        from importlib.resources import files

        return files("canfield_cli.store").joinpath("save.schema.json").read_text("utf-8")


def execute(command: Command, values: Values, env: Environment, place: Place | None = None) -> Result:
    """Run `command` with `values`, one for each of its parameters and the common ones.

    The game is in `place`, else where the value `save` says. Whatever the program refuses comes back as the
    result's error; then nothing has changed.
    """
    context: Context | None = None
    try:
        context = Context(env, place or place_of(values["save"], env.environ, env.stdout))
        own = {param.key: values[param.key] for param in command.params}
        if not command.changes(values):
            return _run(command, values, own, context)
        if command.needs_game:
            # Where there is no game, no lock is left behind either.
            context.place.look()
        own |= command.think(context, **own)
        context.reload()
        with context.place:
            return _run(command, values, own, context)
    except CanfieldError as error:
        result = Result(_game_of(context), error=error)
        result.filters = command.changes(values) and context is not None and context.place.streams
        return result


def _run(command: Command, values: Values, own: Values, context: Context) -> Result:
    game = context.game if command.needs_game else None
    was_won = game is not None and game.position.won
    result: Result = command.run(context, **own)
    if command.changes(values) and result.game:
        if result.game is game:
            game.clock.tick(context.env.now(), running=not was_won)
        context.save(result.game)
        result.filters = context.place.streams
    return result


def _game_of(context: Context | None) -> Game | None:
    """Return the game as it was, for the state that goes with an error; None if there is none."""
    # What a stream has not told yet, it is not asked for: more may be long in coming.
    if context is None or (context.place.streams and context._game is None):
        return None
    try:
        return context.game
    except CanfieldError:
        return None
