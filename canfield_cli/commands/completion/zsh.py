"""The completion script for zsh."""

from __future__ import annotations

from ..table import COMMON
from ..words import HELP, VERSION, words_of
from .writing import ASKED, IN_QUOTES, NOTICE, escaped, fill, own, sed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..table import Param
    from ..words import Commands

__all__ = ["script"]

_TEMPLATE = r"""#compdef canfield
# @NOTICE@

# Run the program with the command $1 on the save that the line names.
_canfield_ask() {
    # Quoted twice: as it was typed, and by _arguments.
    local save=${(Q)${(Q)${opt_args[-s]:-$opt_args[--save]}}}
    save=${save/#\~\//$HOME/}
    ${~${(Q)program}} $1 ${save:+--save=$save} < /dev/null 2> /dev/null
}

_canfield_action() {
    local -a found=(${(f)"$(_canfield_ask moves | sed -E @SED@)"})
    (($#found)) && _describe -V -t actions action found
}

_canfield_kept() {
    # A line is a number and the game; colons are for _describe.
    local -a found=(${(f)"$(_canfield_ask resume | sed -nE 's/:/\\:/g; s/^ *([0-9]+) +/\1:/p')"})
    (($#found)) && _describe -V -t games 'kept game' found
}

_canfield() {
    local program=$words[1] curcontext=$curcontext state state_descr line ret=1
    local -A opt_args
    local -a commands common=(
@COMMON@
    )
    _arguments -C -S @PROGRAM@ '1: :->command' '*:: :->words' && ret=0
    case $state in
        command)
            commands=(
@COMMANDS@
            )
            _describe -V -t commands command commands && ret=0
            ;;
        words)
            curcontext=${curcontext%:*}-$words[1]:
            case $words[1] in
@CASES@
            esac
            ;;
    esac
    return ret
}

if [[ $funcstack[1] == _canfield ]]; then
    _canfield "$@"
else
    compdef _canfield canfield
fi
"""


def script(commands: Commands) -> str:
    """Return the script for the program with `commands`."""
    names = (_quoted(f"{command.name}:{command.summary}") for command in commands.values())
    cases = []
    for command in commands.values():
        specs = [_option(commands, param) for param in own(command)]
        specs += [_argument(commands, param, number) for number, param in enumerate(command.arguments, 1)]
        lines = "".join(f" \\\n{' ' * 24}{spec}" for spec in specs)
        cases.append(
            f"{' ' * 16}{command.name})\n{' ' * 20}_arguments -s -S $common{lines} && ret=0\n{' ' * 20};;"
        )
    return fill(
        _TEMPLATE,
        notice=NOTICE,
        sed=_quoted(sed(":")),
        common="\n".join(f"        {_option(commands, param)}" for param in (*COMMON, HELP)),
        program=" ".join(_option(commands, param) for param in (HELP, VERSION)),
        commands="\n".join(f"{' ' * 16}{name}" for name in names),
        cases="\n".join(cases),
    )


def _option(commands: Commands, param: Param) -> str:
    """Return what _arguments is told of an option."""
    rest = f"[{_text(param.help)}]"
    if param.metavar:
        rest += f"{'::' if param.bare else ':'}{_text(param.metavar)}:{_action(commands, param)}"
    # What leaves at once goes with nothing else; an option that has two names is still one.
    others = "- *" if param in (HELP, VERSION) else " ".join(param.names)
    names = [name + ("=" if param.metavar and name.startswith("--") else "") for name in param.names]
    before = _quoted("*" if param.many else f"({others})")
    return before + (f"{{{','.join(names)}}}" if len(names) > 1 else names[0]) + _quoted(rest)


def _argument(commands: Commands, param: Param, number: int) -> str:
    place = "*" if param.many else f"{number}:" if not param.required else str(number)
    return _quoted(f"{place}:{_text(param.help)}:{_action(commands, param)}")


def _action(commands: Commands, param: Param) -> str:
    """Return how _arguments completes the value of `param`."""
    if param.complete == "file":
        return "_files"
    if param.complete in ASKED:
        return f"_canfield_{param.complete}"
    values = words_of(commands, param)
    if not any(values.values()):
        return f"({' '.join(values)})" if values else " "
    words = (f'{word}\\:"{escaped(meaning, IN_QUOTES + ":")}"' for word, meaning in values.items())
    return f"(({' '.join(words)}))"


def _text(text: str) -> str:
    """Return `text` so that _arguments takes nothing in it for its own."""
    return escaped(text, "\\:[]")


def _quoted(text: str) -> str:
    """Return `text` as one word for zsh."""
    return "'" + text.replace("'", "'\\''") + "'"
