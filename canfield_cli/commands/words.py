"""What the table of commands leaves unsaid of the words on a line: which ones a parameter takes, and what each means.

The shells' completion, the one of a session and the manual take them from here.
"""

from __future__ import annotations

from ..engine.cards import SUITS
from ..engine.position import COLUMNS, pile_name
from ..engine.rules import OPTIONS, PRESET_NOTES
from .table import Param

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .table import Command

    Commands = Mapping[str, Command]

__all__ = ["HELP", "VERSION", "meanings", "words_of"]

#: What the Typer program adds to the table: for every command, and for the program alone.
HELP = Param("--help", "show the help and leave", short="-h")
VERSION = Param("--version", "print the version and leave")

_PILES = {pile: pile_name(pile) for pile in ("r", "w", "s", *COLUMNS, *("f" + suit for suit in SUITS))}

#: What words mean: one table for each set that a parameter or setting takes.
_MEANINGS = (
    PRESET_NOTES,
    {**PRESET_NOTES, "current": "the rules of the game as it is"},
    {"auto": "on a terminal that has them", "always": "in a file or pipe too", "never": "none at all"},
    {
        "path": "say where they are",
        "export": "write them as CSV",
        "import": "take in what another machine exported",
        "forget": "take them away",
        "check": "play every game back",
    },
    {"emacs": "as a shell has them, Ctrl-A and the like", "vi": "as vi has them, ESC and the like"},
    {"own": "the words of this program alone", "bsd": "those of BSD's canfield too"},
)


def meanings(words: Sequence[str]) -> dict[str, str]:
    """Return each of `words`, a set that a parameter or setting takes, with its meaning (or an empty one)."""
    return next((each for each in _MEANINGS if tuple(each) == tuple(words)), dict.fromkeys(words, ""))


def words_of(commands: Commands, param: Param) -> dict[str, str]:
    """Return the words that `param` takes, each with its meaning (or an empty one), as far as they never change."""
    if param.complete == "pile":
        return _PILES
    if param.complete == "command":
        return {command.name: command.summary for command in commands.values()}
    option = OPTIONS.get(param.key)
    # One that takes a number leaves its words out of the choices.
    if option and param.is_option and (option.number or tuple(param.choices) == tuple(option.values)):
        return {word: option.says[word].rstrip(".") for word in option.values}
    return meanings(param.choices or [*filter(None, [param.bare])])
