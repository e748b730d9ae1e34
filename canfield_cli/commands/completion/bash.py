"""The completion script for bash."""

from __future__ import annotations

from ..table import COMMON
from ..words import HELP, VERSION, words_of
from .writing import ASKED, NOTICE, fill, own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..table import Command, Param
    from ..words import Commands

__all__ = ["script"]

_TEMPLATE = r"""# bash completion for canfield.
# @NOTICE@

# Leave in `words` what may stand for $2, an option or the number of an argument, of the command $1, or
# in `kind` what is to be looked up; `bare` says that the value may be left out. Fails where there is no value.
_canfield_value() {
    words='' kind='' bare=''
    case "$1 $2" in
@VALUES@
        *) return 1 ;;
    esac
}

# Leave in `words` the options of the command $1.
_canfield_options() {
    case $1 in
        '') words='@PROGRAM@'; return ;;
@OPTIONS@
        *) words='' ;;
    esac
    words+=' @COMMON@'
}

# Leave in `text` what the shell would make of $1, a word as it was typed (but for variables).
_canfield_unquote() {
    case $1 in
        \'*\' | \"*\") text=${1:1:${#1}-2} ;;
        *) IFS='' read text <<< "${1/#\~\//$HOME/}" ;;
    esac
}

# Become the program with the command $1 on the save that the line names; for a subshell.
_canfield_ask() {
    local text program
    _canfield_unquote "${COMP_WORDS[0]}"
    program=$text
    _canfield_unquote "$save"
    exec "$program" "$1" ${text:+"--save=$text"} < /dev/null 2> /dev/null
}

_canfield() {
    local IFS=$' \t\n' cur word i last=0 n=0
    local command='' option='' save='' loose='' prefix='' words='' kind='' bare=''
    local -a line=("${COMP_WORDS[0]}")
    COMPREPLY=()

    # readline makes three words of --option=value: put them together again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ ${line[last]} == --?* && ( $word == '=' || ${COMP_WORDS[i - 1]} == '=' ) ]]; then
            line[last]+=$word
        else
            line[++last]=$word
        fi
    done
    cur=${line[last]}

    for word in "${line[@]:1:last - 1}"; do
        if [[ $option && ( $word == - || $word != -* ) ]]; then
            [[ $option == -s || $option == --save ]] && save=$word
            option=''
            continue
        fi
        option=''
        if [[ $loose || $word == - || $word != -* ]]; then
            if [[ $command ]]; then ((n++)); else command=$word; fi
        elif [[ $word == -- ]]; then
            loose=yes
        elif [[ $word == --save=* ]]; then
            save=${word#*=}
        elif _canfield_value "$command" "$word"; then
            option=$word
        fi
    done

    if [[ $option ]] && _canfield_value "$command" "$option" && [[ $cur != -* || ! $bare ]]; then
        :
    elif [[ ! $loose && $cur == --*=* ]]; then
        _canfield_value "$command" "${cur%%=*}"
        [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
        cur=${cur#*=}
    elif [[ ! $loose && $cur == -* ]]; then
        _canfield_options "$command"
    elif [[ ! $command ]]; then
        words='@COMMANDS@' kind=''
    else
        _canfield_value "$command" $((n + 1))
    fi

    case $kind in
        # readline knows best how to complete and quote the name of a file.
        file) compopt -o default 2> /dev/null; return ;;
@ASKS@
    esac
    for word in $words; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$prefix$word")
    done
}

complete -F _canfield canfield
"""


def script(commands: Commands) -> str:
    """Return the script for the program with `commands`."""
    values = [line for command in commands.values() for line in _values(commands, command)]
    values += [
        _value(commands, [f"*' {name}'" for name in param.names], param) for param in COMMON if param.metavar
    ]
    options = [
        f"        {command.name}) words='{_long(own(command))}' ;;"
        for command in commands.values()
        if own(command)
    ]
    asks = {
        "action": "words=$(_canfield_ask moves)",
        # The other lines of the list have no number.
        "kept": 'words=$(_canfield_ask resume | while read -r i _; do [[ $i == [0-9]* ]] && echo "$i"; done)',
    }
    return fill(
        _TEMPLATE,
        notice=NOTICE,
        values="\n".join(values),
        program=_long([HELP, VERSION]),
        options="\n".join(options),
        common=_long([*COMMON, HELP]),
        commands=" ".join(commands),
        asks="\n".join(
            f"        {kind}) compopt -o nosort 2> /dev/null; {ask} ;;" for kind, ask in asks.items()
        ),
    )


def _values(commands: Commands, command: Command) -> Iterable[str]:
    """Yield a line for each parameter of `command` that takes a value."""
    for param in own(command):
        if param.metavar:
            yield _value(commands, [f"'{command.name} {name}'" for name in param.names], param)
    for number, param in enumerate(command.arguments, 1):
        place = f"'{command.name} '[0-9]*" if param.many else f"'{command.name} {number}'"
        yield _value(commands, [place], param)


def _value(commands: Commands, patterns: list[str], param: Param) -> str:
    parts = {
        "words": " ".join(words_of(commands, param)),
        "kind": param.complete if param.complete in ("file", *ASKED) else "",
        "bare": "yes" if param.bare else "",
    }
    return f"        {' | '.join(patterns)}) " + "".join(f"{k}='{v}' " for k, v in parts.items() if v) + ";;"


def _long(params: Iterable[Param]) -> str:
    return " ".join(param.name for param in params)
