"""What stands between a command and the world.

A command's function gets a `Context` and nothing else of the world. `execute` is the one way to run
a command: it loads the game, runs the function and saves what came of it, under the lock.
"""

from __future__ import annotations

from ..engine.clock import instant
from ..engine.errors import CanfieldError, NothingThere, SaveError, quoted
from ..engine.scoring import MONEY
from ..engine.tally import ID_DIGITS, parse_player
from ..store.files import LARGEST, read_stdin, read_text
from ..store.paths import records_path
from ..store.save import parse_save
from .place import STREAM, StreamPlace, place_of
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.game import Game
    from ..store.kept import KeptGame
    from ..store.records import Records
    from .environment import Environment
    from .place import Place
    from .table import Command

    Values = dict[str, object]
    #: Changes what is noted of a game; returns whether it did.
    Note = Callable[[Game], bool]

__all__ = ["Context", "execute", "hinted", "identity", "note", "peeked"]

#: How long a note waits for another command that has the save, in seconds.
NOTE_PATIENCE = 1.0

#: What is said when the hidden cards of a game that is recorded are looked at for the first time.
LOOKED = "the hidden cards were looked at, so this game counts as played and in nothing else"


class Context:
    """What a command may use: the game, chance, the date, files that its words name."""

    def __init__(self, env: Environment, place: Place, player: str | None = None) -> None:
        self.env = env
        self.place = place
        self._player = player
        #: What went wrong beside the command, in a sentence each.
        self.warnings: list[str] = []
        #: What is to be noted of the game although the command does not play it.
        self.noted: Note | None = None
        #: The game that the current one took the place of, to be recorded.
        self.left: Game | None = None
        #: The records, once they were used.
        self.opened: Records | None = None
        self._game: Game | None = None
        #: The kept game that the current one was taken from.
        self.taken: int | None = None
        #: The number under which the game was kept that is about to be replaced.
        self._kept: int | None = None
        #: What was kept can't be read.
        self.broken = False

    @property
    def game(self) -> Game:
        """The current game. Raises SaveError where there is none or it can't be used."""
        if self._game is None:
            self._game = self.place.load()
        return self._game

    def current(self) -> Game | None:
        """Return the current game; None where there is none, it can't be used, or a stream has not told it yet."""
        # For what a stream has not told yet it is not asked: more may be long in coming.
        if self.place.streams and self._game is None:
            return None
        try:
            return self.game
        except CanfieldError:
            return None

    def reload(self) -> None:
        """Look at the save once more when the game is next asked for."""
        if not self.place.streams:
            self._game = None

    def replace(self, game: Game, *, is_new: bool) -> int | None:
        """Make `game` the current one; return the number under which the old one is kept.

        The old one will be recorded as left, unless `game` is the same begun again. One that `is_new` gets its id.
        """
        game.clock.begun = game.clock.begun or instant(self.env.now())
        old = self._old()
        self._keep(old)
        if old and old.tally.id != game.tally.id:
            self.left = old
        elif old and old.tally.id:
            # Who goes straight back to before a look knows what was seen.
            game.tally.help(old.tally.helped)
        # One that was brought in from elsewhere stays without an id, also when it is begun again.
        if is_new:
            game.tally.player = self.player
            # A game begun while there are to be no records never gets into them, also not later from its save.
            if records_path(self.env.environ) is not None:
                game.tally.id = self.env.entropy(ID_DIGITS // 2).hex()
        if game.tally.id and game.rules.scoring in MONEY and not self.place.streams:
            from .recording import open_account

            open_account(self, game)
        self._game = game
        return self._kept

    def keep(self) -> int | None:
        """Keep the game as it is in the save; return its number, None where nothing would be lost."""
        return self._keep(self.game)

    def _keep(self, old: Game | None) -> int | None:
        self._kept = self.place.keep(old)
        self.broken = old is None and self._kept is not None
        return self._kept

    def _old(self) -> Game | None:
        """Return the game in the save, None where there is none or it can't be read."""
        if self.place.streams:
            return None
        try:
            return self.place.load()
        except SaveError:
            return None

    @property
    def player(self) -> str:
        """Who plays: an option, else $CANFIELD_PLAYER, else the owner, who has no name. Raises UsageError."""
        name = self.env.environ.get("CANFIELD_PLAYER", "") if self._player is None else self._player
        return parse_player(name)

    def records(self) -> Records:
        """Return the records, with what the saves tell that they lack.

        Raises NothingThere where there are to be none, SaveError, SystemRefused.
        """
        from .recording import open_caught_up

        return open_caught_up(self)

    def told(self) -> list[str]:
        """Return what went wrong beside the command, damaged records that were set aside among it."""
        return self.warnings + ([self.opened.notice] if self.opened and self.opened.notice else [])

    def _note(self, noted: Note) -> None:
        """Have `noted` change the current game, if that is still the same by then."""
        mine = identity(self.game)
        self.noted = lambda game: identity(game) == mine and noted(game)

    def note_hint(self) -> None:
        """Have it noted that a hint was given."""
        self._note(hinted)

    def note_peek(self, *, lost: bool = False, hint: bool = False) -> None:
        """Have it noted that the hidden cards of the current game were looked at.

        And whether it is proved lost, and whether that was for a hint.
        """
        done = self.game.done if lost else None

        def noted(game: Game) -> bool:
            proved = game.tally.lost is None and game.done == done
            if proved:
                game.tally.lost = len(game.done)
            if hint:
                hinted(game)
            looked = peeked(game)
            if looked and game.tally.id:
                self.warnings.append(LOOKED)
            return looked or proved or hint

        self._note(noted)

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
        # The one that was taken makes room for the one that is kept.
        if self.taken is not None:
            self.place.forget(self.taken)
        if self._kept is not None:
            self.place.trim()

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
        """Return a number from 0 to `below` less one, each as likely as the others."""
        bits = below.bit_length()
        while True:
            number = int.from_bytes(self.env.entropy((bits + 7) // 8)) >> -bits % 8
            if number < below:
                return number

    def today(self) -> str:
        """Return the date in UTC, as 2026-11-30."""
        from ..store.entry import day_of

        return day_of(instant(self.env.now()))

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
        context = Context(env, place or place_of(values["save"], env.environ, env.stdout), _player(values))
        result = _execute(command, values, context)
    except CanfieldError as error:
        # With an error goes the state of the game as it was.
        result = Result(context.current() if context else None, error=error)
        result.filters = command.changes(values) and context is not None and context.place.streams
    if context:
        if context.noted:
            note(context.place, context.noted)
        result.warnings = context.told()
    return result


def _player(values: Values) -> str | None:
    player = values.get("player")
    return None if player is None else str(player)


def _execute(command: Command, values: Values, context: Context) -> Result:
    own = {param.key: values[param.key] for param in command.params}
    if not command.changes(values):
        result: Result = command.run(context, **own)
        return result
    if command.needs_game:
        # Where there is no game, no lock is left behind either.
        context.place.look()
    own |= command.think(context, **own)
    context.reload()
    with context.place:
        result, wins = _change(command, own, context)
    # The save has it all by now, and nobody waits for it while it is recorded.
    if context.left:
        from .recording import leave

        leave(context, context.left)
    if wins:
        from .recording import tell_win

        tell_win(context, result)
    return result


def _change(command: Command, own: Values, context: Context) -> tuple[Result, bool]:
    """Run a command that changes the game and save what came of it; return whether it won the game, too."""
    game = context.game if command.needs_game else None
    was_won = game is not None and game.position.won
    if game and was_won and not context.place.streams:
        # It may be undone, and its record may have been missed.
        from .recording import leave

        leave(context, game)
    result: Result = command.run(context, **own)
    if result.game is None:
        return result, False
    if result.game is game:
        game.clock.tick(context.env.now(), running=not was_won, rest=context.place.rest)
    context.save(result.game)
    result.filters = context.place.streams
    wins = result.game is game and game.position.won and not was_won
    return result, wins and not context.place.streams


def identity(game: Game) -> tuple[object, ...]:
    """Return what tells `game` from another: its id, and how it began."""
    return game.tally.id, game.start, game.deal


def hinted(game: Game) -> bool:
    """Note that a hint was given."""
    game.tally.hints += 1
    return True


def peeked(game: Game) -> bool:
    """Note that the hidden cards were looked at; return whether that is new."""
    before = game.tally.helped
    game.tally.help("peek")
    return game.tally.helped != before


def note(place: Place, noted: Note) -> None:
    """Change what is noted of the current game by `noted`, and save it if that changed anything.

    A command that only looks leaves no more than such a note behind; where the save can't be written, it goes without.
    """
    if place.streams:
        return
    assert not isinstance(place, StreamPlace)
    patience, place.patience = place.patience, NOTE_PATIENCE
    try:
        with place:
            game = place.load()
            if not game.position.won and noted(game):
                place.save(game)
    except CanfieldError:
        pass
    finally:
        place.patience = patience
