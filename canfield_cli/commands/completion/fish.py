"""The completion script for fish."""

from __future__ import annotations

from ..table import COMMON
from ..words import HELP, VERSION, words_of
from .writing import ASKED, IN_QUOTES, NOTICE, escaped, fill, own, sed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..table import Param
    from ..words import Commands

__all__ = ["script"]

_TEMPLATE = r"""# fish completion for canfield.
# @NOTICE@

# Print the command before the cursor, and the number of the argument at it.
function __canfield_place
    set -l takes @TAKES@
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    set -l value
    set -l loose
    set -l n 1
    for word in $words
        if test -n "$value"
            set value
            string match -qr -- '^-.' $word; or continue
        end
        if test -z "$loose"; and string match -qr -- '^-.' $word
            test $word = --; and set loose yes
            contains -- $word $takes; and set value yes
        else if test -z "$command"
            set command $word
        else
            set n (math $n + 1)
        end
    end
    echo "$command $n"
end

# Say whether the cursor is at a place like $argv.
function __canfield_at
    string match -q -- "$argv" (__canfield_place)
end

# Run the program with the command $argv on the save that the line names.
function __canfield_ask
    set -l words (commandline -opc)
    set -l save
    set -l before
    for word in $words
        if contains -- "$before" -s --save
            set save $word
        else if string match -q -- '--save=*' $word
            set save (string replace -- --save= '' $word)
        end
        set before $word
    end
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    test -n "$save"; and set save --save=(string replace -r '^~/' "$HOME/" -- $save)
    $program $argv $save </dev/null 2>/dev/null
end

function __canfield_action
    __canfield_ask moves | sed -E @SED@
end

function __canfield_kept
    __canfield_ask resume | string match -r '^ *\d.*' | string replace -r '^ *(\d+) +' '$1\t'
end

complete -c canfield -f
@LINES@
"""


def script(commands: Commands) -> str:
    """Return the script for the program with `commands`."""
    options = [param for command in commands.values() for param in command.options]
    takes = {name for param in options if param.metavar for name in param.names}
    nowhere, somewhere = "__canfield_at ' *'", "not __canfield_at ' *'"
    lines = [_option(commands, "", HELP), _option(commands, nowhere, VERSION)]
    lines += [_option(commands, somewhere, param) for param in COMMON]
    for command in commands.values():
        lines += ["", _line(nowhere, f"-a {command.name} -d {_quoted(command.summary)}")]
        lines += [_option(commands, f"__canfield_at '{command.name} *'", param) for param in own(command)]
        for number, param in enumerate(command.arguments, 1):
            if values := _values(commands, param):
                place = f"__canfield_at '{command.name} {'*' if param.many else number}'"
                lines.append(_line(place, values))
    return fill(
        _TEMPLATE,
        notice=NOTICE,
        takes=" ".join(sorted(takes)),
        sed=_quoted(sed("\t")),
        lines="\n".join(lines),
    )


def _line(condition: str, rest: str) -> str:
    return "complete -c canfield " + (f'-n "{condition}" ' if condition else "") + rest


def _option(commands: Commands, condition: str, param: Param) -> str:
    words = [f"{'-l' if name.startswith('--') else '-s'} {name.lstrip('-')}" for name in param.names]
    if param.metavar:
        words += filter(None, [_values(commands, param), "-r" if param.complete == "file" else "-x"])
    return _line(condition, " ".join([*words, f"-d {_quoted(param.help)}"]))


def _values(commands: Commands, param: Param) -> str:
    """Return how fish completes the value of `param`; empty for what it can't."""
    if param.complete == "file":
        return "-F"
    if param.complete in ASKED:
        return f"-k -a '(__canfield_{param.complete})'"
    values = words_of(commands, param)
    words = (
        f'{word}\\t"{escaped(meaning, IN_QUOTES)}"' if meaning else word for word, meaning in values.items()
    )
    return f"-k -a {_quoted(' '.join(words))}" if values else ""


def _quoted(text: str) -> str:
    """Return `text` as one word for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
