"""A session: lines in, results out, over one game that is held between them.

The REPL, scripts, pipes and the JSON protocol all read their lines here. A line is a command of the
table, spelled as in the shell, or actions by themselves (``wf``, ``24x3 draw``).
"""

from __future__ import annotations

from ..commands import COMMANDS, HOT
from ..commands.context import LOOKED, execute, note, peeked
from ..commands.help import help_on
from ..commands.place import STREAM
from ..commands.result import Result
from ..commands.settings import SETTINGS, Settings, kept_settings, setting
from ..commands.table import Command, Param, common_values, nearest, parse
from ..engine.cards import parse_card
from ..engine.errors import CanfieldError, NotationError, UsageError, quoted
from ..engine.notation import parse_pile
from ..engine.position import COLUMNS, DRAW, pile_name
from ..engine.rules import DEFAULT_PRESET
from ..engine.touch import touchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..commands.context import Context
    from ..commands.environment import Environment
    from ..commands.place import HeldPlace
    from ..engine.position import Played, Position

    Values = dict[str, object]

__all__ = ["LONGEST_LINE", "Leave", "Session", "split"]

#: Shorter words for commands in a session.
SHORT = {
    "?": "help",
    "d": "draw",
    "exit": "quit",
    "h": "hint",
    "q": "quit",
    "r": "redo",
    "u": "undo",
}
#: Commands of the table that make no sense inside a session.
OUTSIDE = ("play", "completion")
#: Commands that go by the setting `rules` where they are given none.
RULED = ("new", "daily")
#: Commands that take no time, so that what is unwritten may wait until they are done.
BRIEF = (*HOT, "set", "select", "help", "quit")
#: The longest line that is read, in bytes.
LONGEST_LINE = 2**16


class Leave(Exception):
    """The session is to end, as its player wishes."""


class Session:
    """One session over the game in `place`; `settings` and `marks` (piles) hold until it ends.

    `quiet` holds for every command, and `stdin` says that standard input is free for them to read: the lines
    come from elsewhere.
    """

    def __init__(
        self,
        env: Environment,
        place: HeldPlace,
        settings: Settings | None = None,
        *,
        quiet: bool = False,
        stdin: bool = False,
    ) -> None:
        self.env = env
        self.place = place
        self.settings = settings or Settings()
        self.quiet = quiet
        self.stdin = stdin
        self.marks: frozenset[str] = frozenset()
        #: Why the game could not be written while nobody asked for it; the next command is told.
        self.trouble: CanfieldError | None = None
        self.commands = {name: command for name, command in COMMANDS.items() if name not in OUTSIDE}
        self.commands |= {command.name: command for command in self._own()}

    def _own(self) -> tuple[Command, ...]:
        """Return the commands that only a session has, and its own help."""
        return (
            Command(
                "set",
                self._set,
                "show the settings, or change one",
                Param("NAME", "a setting", complete="setting"),
                Param("VALUE", "its new value", complete="value"),
                Param("--keep", "for later sessions too"),
                example="set four_color yes --keep",
                needs_game=False,
            ),
            Command(
                "select",
                self._select,
                "mark on the board where a card can go",
                Param("WHAT", "a pile or a card; without one nothing is marked", complete="pile"),
                example="select w",
            ),
            Command("quit", self._quit, "leave; the game is kept", example="quit", needs_game=False),
            Command(
                "help",
                lambda _, command: help_on(self.commands, command),
                COMMANDS["help"].summary,
                *COMMANDS["help"].params,
                example="help move",
                needs_game=False,
            ),
        )

    def run(self, words: list[str]) -> tuple[Result, Values]:
        """Run the command or actions that `words` say; return the result and its common values.

        An empty list shows the board. Raises Leave.
        """
        try:
            if self.trouble:
                trouble, self.trouble = self.trouble, None
                raise trouble
            command, values = self.read(words)
            self.place.brief = command.name in BRIEF
            self.place.rest = float(self.settings["pause"])
            if not self.place.brief:
                # What may take its time must not keep unwritten actions, nor others from the save.
                self.place.flush()
        except CanfieldError as error:
            return Result(error=error), {**common_values(words), **self.settings.common()}
        changes = command.changes(values)
        for name, value in self.settings.common().items():
            values[name] = values[name] or value
        if command.name in RULED and self.settings["rules"] != DEFAULT_PRESET:
            values["rules"] = values["rules"] or self.settings["rules"]
        values["quiet"] = changes and (values["quiet"] or self.quiet)
        result = execute(command, values, self.env, self.place)
        if isinstance(result.error, NotationError) and command.name == "move":
            result.error = self._unknown(words[0], result.error)
        result.warnings = [*result.warnings, *self.note_verdict()]
        if changes:
            self.marks = frozenset()
        result.marks = self.marks
        return result, values

    def note_verdict(self) -> list[str]:
        """Note that the hidden cards are looked at, where the setting `verdict` has the toolbar tell of them.

        Return what is to be said of that.
        """
        if self.settings["verdict"] != "yes":
            return []
        try:
            if self.place.load().tally.helped:
                return []
            note(self.place, peeked)
            tally = self.place.load().tally
        except CanfieldError:
            return []
        return [LOOKED] if tally.helped and tally.id else []

    def write(self) -> None:
        """Write what has changed; where that can't be, that is the `trouble`."""
        try:
            self.place.flush()
        except CanfieldError as error:
            self.trouble = error

    def read(self, words: list[str]) -> tuple[Command, Values]:
        """Return the command that `words` mean, and its values. Raises UsageError."""
        name = SHORT.get(words[0].lower(), words[0].lower()) if words else "show"
        if "--help" in words:
            name, words = "help", ["help", *([name] if name in self.commands else [])]
        command, values = self._parse(name, words)
        if values["save"] is not None:
            raise UsageError("a session has one game, --save can't change it", "leave it out")
        if not self.stdin and any(values[param.key] == STREAM for param in command.files):
            raise UsageError("standard input is where the session's own lines come from", "name a file")
        return command, values

    def _parse(self, name: str, words: list[str]) -> tuple[Command, Values]:
        # The one command that is an action as well: more actions may follow it.
        leads = name == DRAW and len(words) > 1 and not words[1][:1].isdigit() and words[1][:1] != "-"
        if name in self.commands and not leads:
            return parse(self.commands, [name, *words[1:]])
        if name in OUTSIDE:
            raise UsageError(f"{name} is for the shell, not for a session", "help lists the commands")
        if self.settings["words"] == "bsd":
            words = [_from_bsd(word, self.place.load().position) for word in words]
        return parse(self.commands, ["move", *words])

    def _unknown(self, word: str, error: NotationError) -> CanfieldError:
        """Return a better error for a first word that is no action: perhaps it was to be a command."""
        if not error.message.startswith(f"{quoted(word)} is not an action"):
            return error
        return NotationError(
            f"{quoted(word)} is neither a command nor an action{nearest(word, self.commands)}",
            "help lists the commands, moves the legal actions",
        )

    def _set(self, _: Context, *, name: str | None, value: str | None, keep: bool) -> Result:
        if name is not None:
            name = setting(name)
        if value is not None:
            assert name
            self.settings.set(name, value)
        if keep:
            self._keep(name)
        names = SETTINGS if name is None else (name,)
        return Result(
            lines=[self.settings.line(each) for each in names], data={"settings": self.settings.values()}
        )

    def _keep(self, name: str | None) -> None:
        """Keep the setting `name`, or all, for later sessions. Raises UsageError, SaveError, SystemRefused."""
        from ..store.config import config_path, write_config

        path = config_path(self.env.environ)
        if path is None:
            raise UsageError("there is no home folder to keep settings in", "leave out --keep")
        kept = kept_settings(path)
        for each in SETTINGS if name is None else (name,):
            kept.set(each, self.settings[each])
        write_config(path, kept.toml())

    def _select(self, context: Context, *, what: str | None) -> Result:
        game = context.game
        ways = touchable(game.position, what) if what is not None else []
        played = [game.position.after(action)[1] for action in ways]
        self.marks = frozenset(each.target for each in played)
        said = [] if what is None else [_selected(game.position, what, played)]
        return Result(game, said=said, board=True, data={"marks": sorted(self.marks), "moves": ways})

    def _quit(self, _: Context) -> Result:
        raise Leave


def _selected(position: Position, what: str, played: list[Played]) -> str:
    """Say where `what`, a pile or a card, can go: as `played` do, which are all its actions."""
    try:
        pile = parse_pile(what)
    except NotationError:
        subject = f"{{{parse_card(what)}}}"
    else:
        # A redeal takes the cards of another pile.
        source = played[0].source if played else pile
        cards, name = position.pile(source), pile_name(source)
        if not cards:
            return f"{name} is empty"
        subject = f"cards of {name}" if pile in ("s", *COLUMNS) else f"{{{cards[-1]}}} from {name}"
    targets = sorted({each.target for each in played})
    return f"{subject} can go " + (f"to {', '.join(map(pile_name, targets))}" if targets else "nowhere")


def _from_bsd(word: str, position: Position) -> str:
    """Return what a word of BSD's game means in ours; a word that it does not know as it is.

    Its stock is our reserve and its talon our waste; between columns it always moves all.
    """
    text = word.lower()
    if text == "ht":
        return "draw"
    if len(text) != 2:
        return word
    source, target = {"s": "r", "t": "w"}.get(text[0], text[0]), text[1]
    if source in COLUMNS and target in COLUMNS and source != target:
        return f"{source}{target}x{max(len(position.columns[COLUMNS.index(source)]), 1)}"
    return source + target if source in ("r", "w", *COLUMNS) and target in ("f", *COLUMNS) else word


def split(line: str) -> list[list[str]]:
    """Split a line into commands at ``;`` and each into words; ``#`` begins a comment.

    Quotes hold a word with spaces together. Raises UsageError where one is not closed, or the line is too long.
    """
    if len(line) > LONGEST_LINE:
        raise UsageError(f"the line has more than {LONGEST_LINE:,} bytes", "write it as several")
    if not ("'" in line or '"' in line or ";" in line or "#" in line):
        return [line.split()]
    return _split_slowly(line)


def _split_slowly(line: str) -> list[list[str]]:
    """Split a line letter by letter."""
    commands: list[list[str]] = [[]]
    word: str | None = None
    quote = ""
    for letter in line:
        if quote:
            if letter == quote:
                quote = ""
            else:
                word = (word or "") + letter
        elif letter in "'\"":
            quote, word = letter, word or ""
        elif letter.isspace() or letter == ";":
            if word is not None:
                commands[-1].append(word)
            word = None
            if letter == ";":
                commands.append([])
        elif letter == "#" and word is None:
            break
        else:
            word = (word or "") + letter
    if quote:
        raise UsageError(f"the quote {quoted(quote)} is not closed", "close it on the same line")
    if word is not None:
        commands[-1].append(word)
    return commands
