"""The REPL: a board, a line to type on and a toolbar, kept up to date in a terminal.

The board is part of the prompt, so that it is drawn anew when the terminal changes its size or another
command changes the save. What lines do is in session.py, what may be typed in completer.py.
Parts of their own are the keys (keys.py), the lines typed before (history.py), TAB (tab.py) and the solver's verdict
(verdict.py).
"""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType

from prompt_toolkit import PromptSession
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import is_dumb_terminal

from ..commands.columns import player_words
from ..commands.context import Context
from ..commands.place import HeldPlace, place_of
from ..commands.recording import leave
from ..commands.result import Result
from ..commands.settings import Settings, kept_settings
from ..engine.errors import CanfieldError, counted, plain, printable
from ..engine.jsontext import write_json
from ..engine.stuck import is_stuck
from ..render.answer import drawn, envelope, error_lines, error_text, text, warning_lines, wrapped
from ..render.board import board, fact_lines
from ..render.facts import facts, score_words, time_words
from ..render.look import Look
from ..store.config import config_path, state_path
from .history import LineHistory, Suggestions
from .keys import PAGER, answer_keys, line_keys
from .report import look_of, report
from .session import LONGEST_LINE, Leave, Session, split
from .stopping import Stopped
from .tab import SessionCompleter
from .verdict import VerdictWatch
from .watch import watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from ..commands.environment import Environment
    from ..engine.game import Game

    #: What is said, as lines for a look.
    Said = Callable[[Look], list[str]]

__all__ = ["Repl", "run_repl"]

#: Commands that leave the game for another one.
LEAVING = ("new", "restart", "resume", "import", "finish")
#: Said when the save has moved on.
_CHANGED: Said = partial(drawn, "another command has changed the game, this is how it stands now")
TOLD = "? lists the commands, TAB what can be done"
#: So many texts are kept as prompt_toolkit has parsed them.
KEPT = 8
#: The part of the screen's rows that the toolbar may take.
TOOLBAR = 1 / 3
#: The rows that the menu of completions takes where there is room.
MENU = 8
#: An answer of so many lines stands between the board and the line; a longer one goes above the board.
SHORT = 3
#: No background is forced on a terminal: what stands out is reversed, the rest is as its owner has it.
_PLAIN, _OUT = "bg:default fg:default noreverse", "bg:default fg:default reverse"
STYLE = Style.from_dict(
    {
        "bottom-toolbar": "noreverse",
        "bottom-toolbar.text": "noreverse",
        "completion-menu": _PLAIN,
        "completion-menu.completion": _PLAIN,
        "completion-menu.completion.current": _OUT,
        "completion-menu.meta.completion": _PLAIN,
        "completion-menu.meta.completion.current": _OUT,
        "scrollbar.background": _PLAIN,
        "scrollbar.button": _OUT,
    }
)


def run_repl(path: str, values: dict[str, object], env: Environment) -> int:
    """Play on the terminal with the game in the save at `path`; return the exit status."""
    repl = Repl(path, values, env)
    return repl.run()


class Repl:
    """One session on a terminal. `input` and `output` are prompt_toolkit's, for tests."""

    def __init__(
        self,
        path: str,
        values: dict[str, object],
        env: Environment,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.env = env
        self.values = values
        #: What was said last.
        self._said: list[Said] = []
        #: Answers stand above the board.
        self._above = False
        #: A line that is to be run next, and one that is not typed to its end yet.
        self._next = ""
        self._begun: Document = Document()
        self.session = Session(env, HeldPlace(path, env.environ, 0.0), self._settings())
        self._program = _program(self.session)
        #: The last key was Ctrl-C on an empty line: one more leaves.
        self._interrupted = False
        self._watch = VerdictWatch()
        self._suggestions = Suggestions(lambda: self.look().colour)
        self._parsed: dict[str, ANSI] = {}
        self.prompt: PromptSession[str] = PromptSession(
            message=self._message,
            completer=SessionCompleter(self.session, self.game, self.look),
            complete_while_typing=False,
            complete_in_thread=False,
            auto_suggest=self._suggestions,
            history=LineHistory(state_path(env.environ, "history")),
            bottom_toolbar=self._toolbar,
            key_bindings=line_keys(self._press, lambda: self._interrupted),
            enable_history_search=True,
            erase_when_done=True,
            reserve_space_for_menu=0,
            refresh_interval=1.0,
            enable_suspend=True,
            style=STYLE,
            input=input,
            output=output,
        )
        self.prompt.app.key_processor.after_key_press += self._pressed

    @property
    def said(self) -> list[str]:
        """What was said last, as lines for the terminal as it is now: they stand between the board and the line."""
        look = self.look()
        return [line for part in self._said for line in part(look)]

    def _say(self, *sentences: str) -> None:
        self._said += [partial(drawn, self._inside(sentence)) for sentence in sentences]

    def run(self) -> int:
        """Read and run lines until the player leaves; return the exit status."""
        self._begin()
        status = 0
        try:
            while True:
                try:
                    self.prompt.editing_mode = (
                        EditingMode.VI if self.session.settings["keys"] == "vi" else EditingMode.EMACS
                    )
                    self.prompt.color_depth = (
                        ColorDepth.DEPTH_4_BIT if self.look().colour else ColorDepth.DEPTH_1_BIT
                    )
                    self.enter(self._read())
                except KeyboardInterrupt:
                    self._interrupted = True
                    self._said = []
                    self._say("Ctrl-C once more, or Ctrl-D, leaves; the game is kept")
        except (EOFError, Leave):
            pass
        except Stopped as stopped:
            status = stopped.status
        self._farewell()
        return status

    def _read(self) -> str:
        """Return the next line."""
        line, self._next = self._next, ""
        if not line:
            begun, self._begun = self._begun, Document()
            line = self.prompt.prompt(default=begun)
        return line

    def _current(self) -> Game | None:
        try:
            return self.session.place.load()
        except CanfieldError:
            return None

    def game(self) -> Game | None:
        """Return the current game, taken up again where another command has changed it; None if there is none."""
        place = self.session.place
        try:
            game = place.load()
        except CanfieldError as error:
            # Why a line was refused tells more.
            if not any(isinstance(each, partial) and each.func is error_lines for each in self._said):
                self._refuse(error)
            return None
        if place.moved:
            place.moved = False
            # After what was said: that may be why a line was refused.
            self._said = [*(each for each in self._said if each is not _CHANGED), _CHANGED]
            self._say(*self.session.note_verdict())
        return game

    def enter(self, line: str) -> None:
        """Run the commands of one line. Raises Leave."""
        self._clear()
        self._said = []
        self._suggestions.refused.add(line)
        try:
            # What is pasted may be several.
            commands = [command for each in line.splitlines() or [""] for command in split(each)]
        except CanfieldError as error:
            self._refuse(error)
            return
        if all(map(self._run, commands)):
            self._suggestions.refused.discard(line)

    def _clear(self) -> None:
        """Clear what stands above the board, where the terminal can and nobody has it read out."""
        if (
            self._above
            and not self.look().plain
            and not is_dumb_terminal(self.env.environ.get("TERM", "dumb"))
        ):
            self.prompt.output.erase_screen()
            self.prompt.output.cursor_goto(0, 0)
            self.prompt.output.flush()
            self._above = False

    def _run(self, words: list[str]) -> bool:
        """Run one command; return whether it was done."""
        if not self._may_leave(words):
            self._said = []
            self._say("the game goes on")
            return False
        was_won, was_plain = self._won(), self.look().plain
        result, values = self.session.run(words)
        if was_plain:
            # The board may be back, and what was told of it is of the past.
            self._clear()
        look = self.look(values)
        result.lines, result.said, result.warnings = (
            [self._inside(each) for each in told] for told in (result.lines, result.said, result.warnings)
        )
        warned = partial(warning_lines, result)
        if result.error:
            self._refuse(result.error)
            self._said.append(warned)
            return False
        if result.stream is not None:
            self._above = True
            report(result, self.env, values)
            return True
        if result.steps and not values["json"] and not values["quiet"]:
            # An interrupt leaves it half played there.
            above, self._above = self._above, True
            watch(result, look, self.env.stdout)
            self._above = above
        if result.steps and not result.did and not values["json"]:
            # A game of the records, not the one on the board.
            self._show(words, result, values, look)
        elif result.board and not values["json"] and not result.reveal and not look.plain:
            if self._won() and not was_won:
                self._said = [partial(_banner, self._words_of_a_win())]
            elif not values["quiet"]:
                self._say(*result.said)
            self._say(*result.bests)
            self._said.append(warned)
        elif result.lines and len(result.lines) <= SHORT and not values["json"]:
            self._say(*result.lines, *result.said)
            self._said.append(warned)
        else:
            self._show(words, result, values, look)
        return True

    def _show(self, words: list[str], result: Result, values: dict[str, object], look: Look) -> None:
        """Print an answer above the board, where it stands until the next line is run (or for ever, see `_clear`)."""
        answer = (
            write_json(envelope(result)) + "\n"
            if values["json"]
            else text(result, look, quiet=bool(values["quiet"]))
        )
        if answer:
            typed = wrapped(f"> {printable(' '.join(words), LONGEST_LINE)}", look)
            self._page([*typed, *answer.splitlines(), *warning_lines(result, look)], look)

    def _page(self, lines: list[str], look: Look) -> None:
        """Write `lines`; where the board would push them off the screen, wait until they have been read.

        A line that is typed there is run next.
        """
        assert look.height is not None
        self._above = True
        rows = max(look.height - 1, 1)
        waits = len(lines) > rows - len(self._board(look)) - len(self._facts(look)) - 1
        for start in range(0, len(lines), rows):
            self.env.stdout.write("".join(line + "\n" for line in lines[start : start + rows]))
            self.env.stdout.flush()
            more = start + rows < len(lines)
            typed = (
                self._ask("-- Enter: more, q: enough --" if more else "-- Enter goes on --", PAGER)
                if waits
                else ""
            )
            if typed:
                if typed != "q":
                    self._next = typed
                break

    def _refuse(self, error: CanfieldError) -> None:
        """Have `error` be all that is said."""
        error.message, error.hint = self._inside(error.message), self._inside(error.hint)
        self._said = [partial(error_lines, error)]

    def _inside(self, sentence: str) -> str:
        """Return `sentence` with each command as it is typed in a session, without the program's name."""
        return self._program.sub("", sentence)

    def _won(self) -> bool:
        game = self._current()
        return game is not None and game.position.won

    def _words_of_a_win(self) -> list[str]:
        game = self._current()
        assert game
        return [*filter(None, [counted(game.moves, "move"), time_words(game), score_words(game)])]

    # Beginning and leaving.

    def _settings(self) -> Settings:
        """Return the settings of the file, under the options of the command line."""
        settings = Settings()
        path = config_path(self.env.environ)
        if path is not None:
            try:
                settings = kept_settings(path)
            except CanfieldError as error:
                self._said = [partial(drawn, f"the settings are left aside: {plain(error.message)}")]
        settings.take_options(self.values)
        return settings

    def _begin(self) -> None:
        """Take up the current game or begin one."""
        try:
            self.session.place.look()
        except CanfieldError:
            result, _ = self.session.run(["new"])
            if result.error:
                self._refuse(result.error)
            else:
                self._say(f"a new game; {TOLD}", *result.warnings)
            return
        if game := self.game():
            how = "the game is won, new begins another" if game.position.won else "the game goes on"
            self._say(f"{how}; {TOLD}", *self._whose(game), *self.session.note_verdict())

    def _whose(self, game: Game) -> list[str]:
        """Say whose `game` is, where it is not the game of who plays."""
        names = game.tally.player, Context(self.env, self.session.place).player
        if names[0] == names[1]:
            return []
        theirs, mine = (f"{player_words(name)}'s" if name else "the owner's" for name in names)
        return [f"this game is {theirs}; new begins one of {mine}"]

    def _may_leave(self, words: list[str]) -> bool:
        """Ask before a game in progress is left for another; what will be refused is not asked about."""
        try:
            command, values = self.session.read(words)
        except CanfieldError:
            return True
        leaves = command.name in LEAVING and command.changes(values)
        game = self._current() if leaves else None
        if game is None or not game.done or game.position.won:
            return True
        question = f"Leave this game after {counted(game.moves, 'move')}? It is kept. [y/N]"
        return self._ask(question).lower() in ("y", "yes")

    def _ask(self, question: str, keys: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return what is typed after `question`; each of `keys` answers by itself while nothing is."""
        asking: PromptSession[str] = PromptSession(
            erase_when_done=True,
            key_bindings=answer_keys(keys),
            input=self.prompt.input,
            output=self.prompt.output,
        )
        try:
            return asking.prompt("\n".join(wrapped(question, self.look())) + " ").strip()
        except (EOFError, KeyboardInterrupt):
            return ""

    def _farewell(self) -> None:
        """Leave the board on the screen, and say that the game is kept."""
        try:
            self.session.place.flush()
        except CanfieldError as error:
            self.env.stderr.write(error_text(error, self.look()))
        game = self.game()
        if game:
            look = self.look()
            context = Context(self.env, self.session.place)
            leave(context, game, "open")
            option = place_of(self.values["save"], self.env.environ, self.env.stdout).option
            farewell = (
                "" if game.position.won else f"the game is kept, canfield play{option} takes it up again"
            )
            result = Result(game, board=True, said=[farewell] * bool(farewell))
            result.warnings = context.told()
            self.env.stderr.writelines(line + "\n" for line in warning_lines(result, look))
            self.env.stdout.write(text(result, look))
        self.env.stdout.flush()

    # What is on the screen.

    def look(self, values: dict[str, object] | None = None) -> Look:
        """Return how things are to look, by the settings and the `values` of a command's common options."""
        look = look_of(
            {**self.values, **self.session.settings.common(), **(values or {})}, self.env, self.env.stdout
        )
        size = self.prompt.output.get_size()
        look.width, look.height = size.columns, size.rows
        return look

    def _message(self) -> ANSI:
        """Return the board, what was said, and the sign to type after."""
        lines, _, free = self._parts()
        self.prompt.reserve_space_for_menu = min(free, MENU)
        return self._ansi([*lines, "> "])

    def _parts(self) -> tuple[list[str], list[str], int]:
        """Return the lines above the one to type on, those of the toolbar, and how many rows are free.

        Where rows are missing the toolbar gives its own, but for one; then the board ends early and says so.
        """
        look = self.look()
        said, facts = self.said, self._facts(look)
        # The board leaves room for what is said, the line and the toolbar.
        assert look.height is not None
        rows, look.height = look.height, look.height - max(len(said) - 1, 0) - len(facts) + 1
        lines = self._board(look)
        room = rows - len(said) - 1
        del facts[max(room - len(lines), 1) :]
        room -= len(facts)
        if lines and len(lines) > room:
            shown = max(room - 1, 0)
            lines[shown:] = [f" +{len(lines) - shown} rows, no room"]
        return [*lines, *said], facts, max(room - len(lines), 0)

    def _board(self, look: Look) -> list[str]:
        game = self.game()
        if game is None or look.plain:
            return []
        return board(game, look, marks=self.session.marks, told=False)

    def _toolbar(self) -> ANSI:
        return self._ansi(self._parts()[1])

    def _ansi(self, lines: list[str]) -> ANSI:
        """Return `lines` for prompt_toolkit, which asks for the same ones ten times to draw them once."""
        text = "\n".join(lines)
        if text not in self._parsed:
            if len(self._parsed) >= KEPT:
                self._parsed.clear()
            self._parsed[text] = ANSI(text)
        return self._parsed[text]

    def _facts(self, look: Look) -> list[str]:
        """Return the lines of the toolbar."""
        game = self.game()
        if game is None:
            return [" no game: new begins one"]
        seconds = game.clock.seconds
        if game.done and not game.position.won:
            seconds = game.clock.at(self.env.now(), float(self.session.settings["pause"]))
        parts = ["stuck" if is_stuck(game.position) else "", *facts(game, seconds=seconds)]
        if self.session.settings["verdict"] == "yes":
            parts.insert(0, self._watch.of(game.position, self.prompt.app.invalidate))
        assert look.height is not None
        return fact_lines(parts, look)[: max(int(look.height * TOOLBAR), 1)]

    def _press(self, line: str, document: Document) -> None:
        """Run `line` for a key, in the middle of typing `document`."""
        self._begun = document
        self.prompt.app.exit(result=line)

    def _pressed(self, _: object) -> None:
        # Of Ctrl-C itself this comes before `run` hears of it.
        self._interrupted = False


def _banner(words: list[str], look: Look) -> list[str]:
    """Return what is said of a win, in a frame of stars."""
    lines = [f" {line} " for line in drawn(f"The game is won: {look.separator.join(words)}", look)]
    edge = "*" * max(map(len, lines))
    return [edge, *lines, edge]


def _program(session: Session) -> re.Pattern[str]:
    """Return what matches the program's name before a command that `session` has, unless a shell is to read the rest."""
    return re.compile(rf"\bcanfield (?=--|(?:{'|'.join(session.commands)})\b(?!.* > ))")
