"""What a word that a command does not take was perhaps meant for, as a hint: ``new 7`` wants ``--seed 7``."""

from __future__ import annotations

from ..engine.errors import shell_word
from .table import COMMON, is_action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .table import Command, Param

__all__ = ["hint_on"]

#: So many options are offered for a word that several take.
MOST = 3


def hint_on(command: Command, words: Sequence[str], loose: Sequence[str]) -> str:
    """Return what to write instead of `words`, of which `command` has no place for those in `loose`."""
    given = {word.partition("=")[0] for word in words}
    free = [param for param in command.options if given.isdisjoint(param.names)]
    takers = [param for param in free if _takes(param, loose[0])]
    ways = (
        _named(free, loose)
        or [_with(param, _value(param, loose)) for param in takers if param not in COMMON]
        or _spaced(command, words, loose)
        # A file is rather what the command is to read or write than another save.
        or [_with(param, loose[0]) for param in takers if param.metavar != "FILE"]
    )
    if ways:
        return f"write {' or '.join(ways[:MOST])}"
    return f"it is written: canfield {command.usage}; canfield {command.name} --help lists its options"


def _named(options: Sequence[Param], loose: Sequence[str]) -> list[str]:
    """Return the option whose name without its dashes is the first of `loose`, with the next as its value."""
    word, *rest = loose
    return [
        _with(param, rest[0] if rest and _takes(param, rest[0]) else param.bare and "")
        for param in options
        if param.name == f"--{word.lower()}"
    ]


def _value(param: Param, loose: Sequence[str]) -> str:
    """Return what of `loose` is the value of `param`: a line goes on to the end."""
    return " ".join(loose) if param.metavar == "LINE" else loose[0]


def _spaced(command: Command, words: Sequence[str], loose: Sequence[str]) -> list[str]:
    """Return the option after whose value `loose` follow, with all of them in quotes: perhaps that has spaces."""
    for name, value, follows in zip(words, words[1:], words[2:], strict=False):
        if follows == loose[0] and name in command.names and command.names[name].metavar in _SPACED:
            return [_with(command.names[name], " ".join([value, *loose]))]
    return []


def _with(param: Param, value: str | None) -> str:
    """Return the option `param` with `value` as a shell wants it, or with its metavar where that can't be shown."""
    text = shell_word(value, param.metavar) if value else param.metavar if value is None else ""
    return f"{param.name} {text}".rstrip()


def _takes(param: Param, word: str) -> bool:
    """Say whether `word` looks like a value of the option `param`."""
    if param.choices:
        return word.lower() in param.choices
    if param.least is not None:
        return param.is_number(word)
    return word == param.bare or (param.metavar in _LOOKS and _LOOKS[param.metavar](word))


def _is_code(word: str) -> bool:
    return word.upper().replace("-", "")[:5] in ("CAND1", "CAND3")


def _is_date(word: str) -> bool:
    from ..engine.deal import is_date

    return is_date(word)


def _is_file(word: str) -> bool:
    _, dot, ending = word.rpartition(".")
    return word == "-" or "/" in word or bool(dot and ending[:1].isalpha())


def _is_line(word: str) -> bool:
    from . import COMMANDS

    return any(first in COMMANDS or is_action(first) for first in word.replace(";", " ").split()[:1])


#: What the values look like that only their metavar tells the kind of.
_LOOKS: dict[str, Callable[[str], bool]] = {
    "CODE": _is_code,
    "DATE": _is_date,
    "FILE": _is_file,
    "LINE": _is_line,
}
#: The kinds of values that may have spaces.
_SPACED = ("CODE", "FILE", "LINE", "NAME")
