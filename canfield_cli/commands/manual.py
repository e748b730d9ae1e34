"""The parts of the manual and of the README that are made from the tables of commands and rules.

Manual pages are written in mdoc, the README in Markdown; what people wrote around these parts is none of
this module's business. Start reading at `PARTS`.
"""

from __future__ import annotations

from ..engine.rules import DEFAULT_PRESET, OPTIONS, PRESET_DETAILS, PRESET_NOTES, PRESETS
from .settings import SETTINGS
from .table import COMMON
from .words import HELP, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .table import Command, Param

    Part = Callable[[Mapping[str, Command]], list[str]]

__all__ = ["PARTS"]

#: No line of the source is longer than this, but for macros.
WIDTH = 78


def _commands(commands: Mapping[str, Command]) -> list[str]:
    """Return every command with its arguments, its own options and its example."""
    return [".Bl -tag -width Ds", *(line for each in commands.values() for line in _command(each)), ".El"]


def _command(command: Command) -> list[str]:
    lines = [f".It Ic {command.name}{''.join(map(_synopsis, command.arguments))}"]
    lines += [*_prose(_sentence(command.summary)), *_prose(command.detail)]
    if command.params:
        lines += [".Bl -tag -width Ds", *(line for param in command.params for line in _param(param)), ".El"]
    if command.example != f"canfield {command.name}":
        lines += [".Pp", "For example:", f".Dl {_escaped(command.example)}"]
    return lines


def _synopsis(param: Param) -> str:
    """Return an argument as the heading of its command shows it."""
    return f"{'' if param.required else ' Op'} Ar {param.name.lower()}{' ...' if param.many else ''}"


def _options(_: Mapping[str, Command]) -> list[str]:
    """Return the options that every command takes, and those of the program alone."""
    return [
        ".Bl -tag -width Ds",
        *(line for param in (*COMMON, HELP, VERSION) for line in _param(param)),
        ".El",
    ]


def _param(param: Param) -> list[str]:
    if not param.is_option:
        return [f".It Ar {param.name.lower()}", *_prose(_sentence(param.help))]
    names = " , ".join(name.removeprefix("-") for name in param.names)
    value = f"{' Op' if param.bare else ''} Ar {param.metavar.lower()}" if param.metavar else ""
    lines = [f".It Fl {names}{value}"]
    if all(word in param.help for word in param.choices):
        return [*lines, *_prose(_sentence(param.help))]
    *first, last = (f".Cm {word}" for word in param.choices)
    first = [f"{word} ," for word in first[:-1]] + first[-1:]
    return [*lines, *_prose(_capital(param.help) + ":"), *first, "or", f"{last} ."]


def _settings(_: Mapping[str, Command]) -> list[str]:
    """Return the settings of a session."""
    lines = [".Bl -tag -width Ds"]
    for name, (values, what) in SETTINGS.items():
        lines += [f".It Cm {name} No = {' | '.join(values)}", *_prose(_sentence(what))]
    return [*lines, ".El"]


def _rule_options(_: Mapping[str, Command]) -> list[str]:
    """Return every rule option, and what each of its values means."""
    lines = [".Bl -tag -width Ds"]
    for option in OPTIONS.values():
        lines += [f".It Cm {option.name}", *_prose(_question(option.help)), ".Bl -tag -width Ds"]
        for word, sentence in option.says.items():
            value = f"Ar {word}" if word == "n" else f"Cm {word}"
            lines += [f".It {value}", *_prose(sentence.replace("{n}", "n"))]
        lines.append(".El")
    return [*lines, ".El"]


def _presets(_: Mapping[str, Command]) -> list[str]:
    """Return every preset: the default one whole, of the others the options in which they differ from it."""
    default = PRESETS[DEFAULT_PRESET]
    lines = [".Bl -tag -width Ds"]
    for name, words in PRESETS.items():
        differs = {
            option: word
            for option, word in words.items()
            if name == DEFAULT_PRESET or word != default[option]
        }
        lines += [f".It Cm {name}", *_prose(_sentence(PRESET_NOTES[name])), ".Pp"]
        lines += " ,\n".join(f".Cm {option} No {word}" for option, word in differs.items()).split("\n")
        lines[-1] += " ."
        if detail := PRESET_DETAILS.get(name):
            lines += [".Pp", *_prose(detail)]
    return [*lines, ".El"]


def _table(commands: Mapping[str, Command]) -> list[str]:
    """Return the table of commands in Markdown."""
    rows = (f"| `{command.usage}` | {command.summary} |" for command in commands.values())
    return ["| command | does |", "|---|---|", *rows]


#: For each file with generated parts: what makes the part of each name.
PARTS: dict[str, dict[str, Part]] = {
    "man/canfield.6": {"commands": _commands, "options": _options, "settings": _settings},
    "man/canfield-rules.6": {"options": _rule_options, "presets": _presets},
    "README.md": {"commands": _table},
}


# mdoc.


def _prose(text: str) -> list[str]:
    """Return `text` as lines of mdoc, each sentence on lines of its own."""
    import re
    from textwrap import wrap

    sentences = re.split(r"(?<=[.!?]) +", text) if text else []
    lines = (line for each in sentences for line in wrap(each, WIDTH, break_on_hyphens=False))
    return [_escaped(line) for line in lines]


def _escaped(text: str) -> str:
    """Return `text` so that nothing in it is a command; a hyphen to be typed is no hyphen of prose."""
    import re

    text = re.sub(r"(?<!\w)-|-(?=[A-Z0-9])", r"\\-", text.replace("\\", "\\e"))
    return "\\&" + text if text[:1] in (".", "'") else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return _capital(text) + "."


def _question(text: str) -> str:
    """Return the help of a rule option as a sentence; some ask what the values answer."""
    asks = text.split(" ")[0] in ("may", "does", "do", "is")
    return _capital(text) + ("?" if asks else ".")
