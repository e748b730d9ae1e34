"""The shape of the table of commands, and the small parser that reads words by it.

A `Command` is its name, parameters, help and the function that runs it. The shell's Typer
program, the REPL, the completions and the manual are all made from these. :func:`parse` takes
exactly what the table spells.
"""

from __future__ import annotations

from ..engine.cards import parse_card
from ..engine.errors import UsageError, quoted, shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from .context import Context

    Run = Callable[..., Any]

__all__ = ["COMMON", "Command", "Param", "common_values", "find", "is_action", "nearest", "parse"]


class Param:
    """One parameter of a command: an option (``--seed``) or, without dashes, an argument (``N``).

    `metavar` names the value of an option, which may have a `short` name too; an option without one is a
    flag. `choices` are the words that it takes, `least` and `most` the bounds of a number, `bare` is the value
    of an option that may stand without one. It may be `required`, or there may be `many`. `complete` says what
    a shell offers for it: ``file``, ``action``, ``pile``, ``command``, ``kept``.
    """

    __slots__ = (
        "bare", "choices", "complete", "help", "key", "least", "many", "metavar", "most", "name", "required", "short",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        help: str,
        metavar: str = "",
        *,
        short: str = "",
        choices: Sequence[str] = (),
        least: int | None = None,
        most: int | None = None,
        bare: str | None = None,
        required: bool = False,
        many: bool = False,
        complete: str = "",
    ) -> None:
        self.name = name
        #: Its name as a keyword of the function that runs the command.
        self.key = name.lstrip("-").replace("-", "_").lower()
        self.help = help
        self.metavar = metavar
        self.short = short
        self.choices = choices
        self.least = least
        self.most = most
        self.bare = bare
        self.required = required
        self.many = many
        self.complete = complete

    @property
    def names(self) -> list[str]:
        """The ways to write it, the short one first."""
        return [self.short, self.name] if self.short else [self.name]

    @property
    def meaning(self) -> str:
        """Its help, with the words that it takes where these are not in it."""
        told = all(word in self.help for word in self.choices)
        return self.help if told else f"{self.help}: {', '.join(self.choices)}"

    @property
    def taken(self) -> str:
        """The words that it takes, as a hint."""
        return f"it takes {', '.join(self.choices)}"

    @property
    def is_option(self) -> bool:
        """It is written with dashes."""
        return self.name.startswith("-")

    @property
    def is_flag(self) -> bool:
        """It is an option without a value."""
        return self.is_option and not self.metavar

    @property
    def empty(self) -> object:
        """Its value where it is not given."""
        return [] if self.many else False if self.is_flag else None

    def value(self, word: str) -> object:
        """Return what `word` means: a number where `least` is set, else a text. Raises UsageError."""
        if self.choices and (word := word.lower()) not in self.choices:
            raise UsageError(
                f"{quoted(word)} is no value of {self.name}{nearest(word, self.choices)}",
                self.taken,
            )
        if self.least is None:
            return word
        if not self.is_number(word):
            upto = f" to {self.most:,}" if self.most is not None else " up"
            raise UsageError(
                f"{quoted(word)} is no value of {self.name}",
                f"it takes a whole number from {self.least}{upto}",
            )
        return int(word)

    def is_number(self, word: str) -> bool:
        """Say whether `word` is a whole number within `least` and `most`."""
        if not (word.isascii() and word.isdigit() and len(word) <= 20):
            return False
        return (self.least or 0) <= int(word) and (self.most is None or int(word) <= self.most)


def _function(named: Run | str) -> Run:
    """Return the function itself, of the module beside this one that its name begins with."""
    if not isinstance(named, str):
        return named
    module, _, name = named.partition(".")
    function: Run = getattr(__import__(f"{__package__}.{module}", fromlist=[name]), name)
    return function


class Command:
    """One command: `run` takes a Context and one keyword for each parameter.

    It returns a Result, and raises a CanfieldError for what it refuses.

    `run` may be a name instead, as ``play.show``, of a module beside this one and a function there, which is
    loaded when it is first run: help and completions need none of it. `writes` says that it may change the
    save (or names the parameter without which it does not), `needs_game` that there has to be a game.
    `thinks`, another such function with the same keywords, is run first, while other commands may still have
    the save; `run` gets what it returns as `thought`. `summary` is a line for the list of commands, `detail`
    what else the help says, `example` a line to try.
    """

    __slots__ = (
        "_empty", "_names", "detail", "example", "name", "needs_game", "params", "runs", "summary", "thinks", "writes",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        run: Run | str,
        summary: str,
        *params: Param,
        example: str,
        detail: str = "",
        writes: bool | str = False,
        needs_game: bool = True,
        thinks: Run | str | None = None,
    ) -> None:
        self.name = name
        self.runs = run
        self.summary = summary
        self.params = params
        self.example = example
        self.detail = detail
        self.writes = writes
        self.needs_game = needs_game
        self.thinks = thinks
        # Made when they are first asked for: a one-shot command needs those of one command.
        self._names: dict[str, Param] = {}
        self._empty: dict[str, object] = {}

    @property
    def run(self) -> Run:
        """The function that runs it."""
        return _function(self.runs)

    def think(self, context: Context, **values: object) -> dict[str, object]:
        """Do what takes long and needs no lock; return more keywords for `run`."""
        return {} if self.thinks is None else {"thought": _function(self.thinks)(context, **values)}

    def changes(self, values: Mapping[str, object]) -> bool:
        """Say whether, run with `values`, it may change the save."""
        return values[self.writes] is not None if isinstance(self.writes, str) else self.writes

    @property
    def arguments(self) -> list[Param]:
        """Its parameters without dashes, in order."""
        return [param for param in self.params if not param.is_option]

    @property
    def counts(self) -> bool:
        """One of its parameters without dashes is a number."""
        return any(param.least is not None for param in self.arguments)

    @property
    def options(self) -> list[Param]:
        """Its own options and those that every command has."""
        return [param for param in (*self.params, *COMMON) if param.is_option]

    @property
    def files(self) -> list[Param]:
        """Its parameters that name a file."""
        return [param for param in self.params if param.complete == "file"]

    @property
    def names(self) -> dict[str, Param]:
        """Its options by each of their names."""
        if not self._names:
            self._names = {name: param for param in self.options for name in param.names}
        return self._names

    @property
    def empty(self) -> dict[str, object]:
        """A value for each of its parameters and of `COMMON`, where none is given."""
        if not self._empty:
            self._empty = {param.key: param.empty for param in (*self.params, *COMMON)}
        return self._empty

    @property
    def usage(self) -> str:
        """How it is written: ``draw [N]``."""
        words = [
            (param.name if param.required else f"[{param.name}]") + ("..." if param.many else "")
            for param in self.arguments
        ]
        return " ".join([self.name, *words])


#: The options of every command.
COMMON = (
    Param(
        "--save",
        "the save; - reads standard input and writes standard output",
        "FILE",
        short="-s",
        complete="file",
    ),
    Param("--json", "answer with one JSON object"),
    Param("--quiet", "say nothing of what was done", short="-q"),
    Param("--color", "when to use colours", "WHEN", choices=("auto", "always", "never")),
    Param("--four-color", "a colour for each suit"),
    Param("--ascii", "letters instead of pictures of suits"),
    Param("--plain", "whole sentences instead of a picture of the board"),
)


def common_values(words: Sequence[str] = ()) -> dict[str, object]:
    """Return the values of the common options as far as words that can't be read tell them."""
    return {param.key: param.empty for param in COMMON} | {"json": "--json" in words}


def nearest(word: str, words: Iterable[str]) -> str:
    """Return ``, did you mean `x`?`` for the one of `words` that is most like `word`, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(words), 1, 0.6)
    return f", did you mean {quoted(close[0])}?" if close else ""


def is_action(word: str) -> bool:
    """Say whether `word` has the form of an action, in whatever notation."""
    from ..engine.notation import parse_token

    head, dash, _ = word.partition("-")
    try:
        return bool(dash and parse_card(head)) or bool(parse_token(word.lower()))
    except UsageError:
        return False


def _is_negative(word: str) -> bool:
    return word[:1] == "-" and word[1:2].isdigit()


def find(commands: Mapping[str, Command], name: str) -> Command:
    """Return the command `name`. Raises UsageError."""
    if name not in commands:
        if is_action(name):
            hint = f"canfield move {shell_word(name, 'ACTION')}"
            raise UsageError(f"{quoted(name)} is an action, not a command", hint)
        raise UsageError(
            f"there is no command {quoted(name)}{nearest(name, commands)}", "canfield help lists them all"
        )
    return commands[name]


def parse(commands: Mapping[str, Command], words: Sequence[str]) -> tuple[Command, dict[str, object]]:
    """Read `words`, the command's name first; return it and a value for each parameter.

    Every parameter of the command and of `COMMON` has its key. Raises UsageError.
    """
    command = find(commands, words[0])
    values = dict(command.empty)
    loose: list[str] = []
    i = 1
    while i < len(words):
        word = words[i]
        i += 1
        if word == "--":
            loose += words[i:]
            break
        if word == "-" or not word.startswith("-") or (_is_negative(word) and command.counts):
            loose.append(word)
            continue
        param, value, taken = _option(command, word, words[i] if i < len(words) else "--")
        i += taken
        if param.many:
            given = values[param.key]
            assert isinstance(given, list)
            value = [*given, value]
        values[param.key] = value
    if loose or command.params:
        values.update(_arguments(command, loose, words))
    return command, values


def _option(command: Command, word: str, follows: str) -> tuple[Param, object, bool]:
    """Read the option `word` of `command`: what it is, its value, and whether that is the word that `follows`."""
    name, has_value, text = word.partition("=")
    param = command.names.get(name)
    if param is None or (has_value and (param.is_flag or not name.startswith("--"))):
        raise UsageError(
            f"{command.name} has no option {quoted(word)}{nearest(name, command.names)}",
            f"canfield {command.name} --help lists its options",
        )
    if param.is_flag:
        return param, True, False
    # A negative number is no option, but a value to be refused.
    is_value = follows == "-" or not follows.startswith("-") or (_is_negative(follows) and param.bare is None)
    taken = is_value and not has_value
    if taken:
        text = follows
    elif not has_value:
        if param.bare is None:
            raise UsageError(f"{name} needs a value", f"write {param.name} {param.metavar}")
        text = param.bare
    return param, param.value(text), taken


def _arguments(command: Command, loose: list[str], words: Sequence[str]) -> dict[str, object]:
    """Give the words without dashes, of all `words`, to the arguments of `command`."""
    values: dict[str, object] = {}
    for param in command.arguments:
        if param.required and not loose:
            hint = param.taken if param.choices else f"for example: {command.example}"
            raise UsageError(f"{command.name} needs {param.name}", hint)
        if param.many:
            values[param.key], loose = [param.value(word) for word in loose], []
        elif loose:
            values[param.key] = param.value(loose.pop(0))
    if loose:
        from .meant import hint_on

        raise UsageError(
            f"{quoted(loose[0])} is one word too many for {command.name}", hint_on(command, words, loose)
        )
    return values
