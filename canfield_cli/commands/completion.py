"""The completion scripts for bash, zsh and fish, as texts made from the table of commands.

Words that never change stand in the scripts, so that a shell answers without the program. Only what
depends on a game (`complete` is ``action`` or ``kept``) starts it, once and silently. Nothing here
writes a file. Start reading at :func:`script`.
"""

from __future__ import annotations

from ..engine.cards import SUITS
from ..engine.position import COLUMNS, pile_name
from ..engine.rules import OPTIONS, PRESET_NOTES
from .table import COMMON, Param

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .table import Command

    Commands = Mapping[str, Command]

__all__ = ["HELP", "SHELLS", "VERSION", "meanings", "script", "words_of"]

#: What the Typer program adds to the table: for every command, and for the program alone.
HELP = Param("--help", "show the help and leave", short="-h")
VERSION = Param("--version", "print the version and leave")

NOTICE = "Generated from the table of commands by canfield_cli/cli/generate.py; don't edit."

_PILES = {pile: pile_name(pile) for pile in ("r", "w", "s", *COLUMNS, *("f" + suit for suit in SUITS))}

#: What depends on a game; the shells' functions for it are named so.
_ASKED = ("action", "kept")

#: What a shell reads within double quotes.
_IN_QUOTES = '\\"$`'


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


def script(commands: Commands, shell: str) -> str:
    """Return the completion script for `shell`, one of `SHELLS`, of the program with `commands`."""
    return SHELLS[shell](commands)


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


def _own(command: Command) -> list[Param]:
    """Return the options that only some commands have."""
    return [param for param in command.params if param.is_option]


def _fill(template: str, **parts: str) -> str:
    """Return `template` with each of `parts` in the place of its name in capitals between two ``@``."""
    for name, part in parts.items():
        template = template.replace(f"@{name.upper()}@", part)
    return template


def _quoted(text: str) -> str:
    """Return `text` as one word for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _escaped(text: str, letters: str) -> str:
    """Return `text` with a backslash before each of `letters`."""
    return "".join("\\" + c if c in letters else c for c in text)


def _sed(separator: str) -> str:
    """Return a script for sed -E that puts the meaning of an action behind it."""
    return "; ".join(
        f"s/^{pattern}$/&{separator}{meaning}/"
        for pattern, meaning in (
            ("draw", "turn cards from the stock"),
            ("redeal", "turn the waste over"),
            ("([rw])f", "\\1 to its foundation"),
            ("([1-4])f", "column \\1 to its foundation"),
            ("([rw])([1-4])", "\\1 to column \\2"),
            ("f([cdhs])([1-4])", "foundation of \\1 to column \\2"),
            ("([1-4])([1-4])x1", "1 card of column \\1 to column \\2"),
            ("([1-4])([1-4])x([0-9]+)", "\\3 cards of column \\1 to column \\2"),
        )
    ) + "".join(
        f"; s/{separator}{before}/{separator}{after}/"
        for before, after in (
            ("r ", "reserve "),
            ("w ", "waste "),
            *((f"foundation of {suit} ", pile_name("f" + suit).removeprefix("the ") + " ") for suit in SUITS),
        )
    )


# bash.

_BASH = r"""# bash completion for canfield.
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


def _bash(commands: Commands) -> str:
    values = [line for command in commands.values() for line in _bash_values(commands, command)]
    values += [
        _bash_value(commands, [f"*' {name}'" for name in param.names], param)
        for param in COMMON
        if param.metavar
    ]
    options = [
        f"        {command.name}) words='{_long(_own(command))}' ;;"
        for command in commands.values()
        if _own(command)
    ]
    asks = {
        "action": "words=$(_canfield_ask moves)",
        # The other lines of the list have no number.
        "kept": 'words=$(_canfield_ask resume | while read -r i _; do [[ $i == [0-9]* ]] && echo "$i"; done)',
    }
    return _fill(
        _BASH,
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


def _bash_values(commands: Commands, command: Command) -> Iterable[str]:
    """Yield a line for each parameter of `command` that takes a value."""
    for param in _own(command):
        if param.metavar:
            yield _bash_value(commands, [f"'{command.name} {name}'" for name in param.names], param)
    for number, param in enumerate(command.arguments, 1):
        place = f"'{command.name} '[0-9]*" if param.many else f"'{command.name} {number}'"
        yield _bash_value(commands, [place], param)


def _bash_value(commands: Commands, patterns: list[str], param: Param) -> str:
    parts = {
        "words": " ".join(words_of(commands, param)),
        "kind": param.complete if param.complete in ("file", *_ASKED) else "",
        "bare": "yes" if param.bare else "",
    }
    return f"        {' | '.join(patterns)}) " + "".join(f"{k}='{v}' " for k, v in parts.items() if v) + ";;"


def _long(params: Iterable[Param]) -> str:
    return " ".join(param.name for param in params)


# zsh.

_ZSH = r"""#compdef canfield
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


def _zsh(commands: Commands) -> str:
    names = (_quoted(f"{command.name}:{command.summary}") for command in commands.values())
    cases = []
    for command in commands.values():
        specs = [_zsh_option(commands, param) for param in _own(command)]
        specs += [_zsh_argument(commands, param, number) for number, param in enumerate(command.arguments, 1)]
        lines = "".join(f" \\\n{' ' * 24}{spec}" for spec in specs)
        cases.append(
            f"{' ' * 16}{command.name})\n{' ' * 20}_arguments -s -S $common{lines} && ret=0\n{' ' * 20};;"
        )
    return _fill(
        _ZSH,
        notice=NOTICE,
        sed=_quoted(_sed(":")),
        common="\n".join(f"        {_zsh_option(commands, param)}" for param in (*COMMON, HELP)),
        program=" ".join(_zsh_option(commands, param) for param in (HELP, VERSION)),
        commands="\n".join(f"{' ' * 16}{name}" for name in names),
        cases="\n".join(cases),
    )


def _zsh_option(commands: Commands, param: Param) -> str:
    """Return what _arguments is told of an option."""
    rest = f"[{_zsh_text(param.help)}]"
    if param.metavar:
        rest += f"{'::' if param.bare else ':'}{_zsh_text(param.metavar)}:{_zsh_action(commands, param)}"
    # What leaves at once goes with nothing else; an option that has two names is still one.
    others = "- *" if param in (HELP, VERSION) else " ".join(param.names)
    names = [name + ("=" if param.metavar and name.startswith("--") else "") for name in param.names]
    before = _quoted("*" if param.many else f"({others})")
    return before + (f"{{{','.join(names)}}}" if len(names) > 1 else names[0]) + _quoted(rest)


def _zsh_argument(commands: Commands, param: Param, number: int) -> str:
    place = "*" if param.many else f"{number}:" if not param.required else str(number)
    return _quoted(f"{place}:{_zsh_text(param.help)}:{_zsh_action(commands, param)}")


def _zsh_action(commands: Commands, param: Param) -> str:
    """Return how _arguments completes the value of `param`."""
    if param.complete == "file":
        return "_files"
    if param.complete in _ASKED:
        return f"_canfield_{param.complete}"
    values = words_of(commands, param)
    if not any(values.values()):
        return f"({' '.join(values)})" if values else " "
    words = (f'{word}\\:"{_escaped(meaning, _IN_QUOTES + ":")}"' for word, meaning in values.items())
    return f"(({' '.join(words)}))"


def _zsh_text(text: str) -> str:
    """Return `text` so that _arguments takes nothing in it for its own."""
    return _escaped(text, "\\:[]")


# fish.

_FISH = r"""# fish completion for canfield.
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


def _fish(commands: Commands) -> str:
    options = [param for command in commands.values() for param in command.options]
    takes = {name for param in options if param.metavar for name in param.names}
    nowhere, somewhere = "__canfield_at ' *'", "not __canfield_at ' *'"
    lines = [_fish_option(commands, "", HELP), _fish_option(commands, nowhere, VERSION)]
    lines += [_fish_option(commands, somewhere, param) for param in COMMON]
    for command in commands.values():
        lines += ["", _fish_line(nowhere, f"-a {command.name} -d {_fish_quoted(command.summary)}")]
        lines += [
            _fish_option(commands, f"__canfield_at '{command.name} *'", param) for param in _own(command)
        ]
        for number, param in enumerate(command.arguments, 1):
            if values := _fish_values(commands, param):
                place = f"__canfield_at '{command.name} {'*' if param.many else number}'"
                lines.append(_fish_line(place, values))
    return _fill(
        _FISH,
        notice=NOTICE,
        takes=" ".join(sorted(takes)),
        sed=_fish_quoted(_sed("\t")),
        lines="\n".join(lines),
    )


def _fish_line(condition: str, rest: str) -> str:
    return "complete -c canfield " + (f'-n "{condition}" ' if condition else "") + rest


def _fish_option(commands: Commands, condition: str, param: Param) -> str:
    words = [f"{'-l' if name.startswith('--') else '-s'} {name.lstrip('-')}" for name in param.names]
    if param.metavar:
        words += filter(None, [_fish_values(commands, param), "-r" if param.complete == "file" else "-x"])
    return _fish_line(condition, " ".join([*words, f"-d {_fish_quoted(param.help)}"]))


def _fish_values(commands: Commands, param: Param) -> str:
    """Return how fish completes the value of `param`; empty for what it can't."""
    if param.complete == "file":
        return "-F"
    if param.complete in _ASKED:
        return f"-k -a '(__canfield_{param.complete})'"
    values = words_of(commands, param)
    words = (
        f'{word}\\t"{_escaped(meaning, _IN_QUOTES)}"' if meaning else word for word, meaning in values.items()
    )
    return f"-k -a {_fish_quoted(' '.join(words))}" if values else ""


def _fish_quoted(text: str) -> str:
    """Return `text` as one word for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


#: How to write the script for each shell.
SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
