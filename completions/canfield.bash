# bash completion for canfield.
# Generated from the table of commands by canfield_cli/cli/generate.py; don't edit.

# Leave in `words` what may stand for $2, an option or the number of an argument, of the command $1, or
# in `kind` what is to be looked up; `bare` says that the value may be left out. Fails where there is no value.
_canfield_value() {
    words='' kind='' bare=''
    case "$1 $2" in
        'new --seed') ;;
        'new --code') ;;
        'new --pysol') ;;
        'new --deal') kind='file' ;;
        'new --daily') words='today' bare='yes' ;;
        'new --player') ;;
        'new -r' | 'new --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'new --draw') words='3 1' ;;
        'new --runs') words='any top-or-whole whole' ;;
        'new --fill') words='any waste' ;;
        'new --base-build') words='yes no' ;;
        'new --takeback') words='yes no' ;;
        'new --redeals') words='unlimited' ;;
        'new --undo-limit') words='unlimited' ;;
        'new --undo-score') words='refund keep' ;;
        'new --undo-counts') words='yes no' ;;
        'new --finish') words='manual auto' ;;
        'new --scoring') words='cards bonus moves casino bsd' ;;
        'new --clock') words='yes no' ;;
        'move '[0-9]*) kind='action' ;;
        'draw 1') ;;
        'undo 1') ;;
        'redo 1') ;;
        'tap 1') words='r w s 1 2 3 4 fc fd fh fs' ;;
        'solve --positions') kind='file' ;;
        'solve --seed') ;;
        'solve --code') ;;
        'solve --pysol') ;;
        'solve --deal') kind='file' ;;
        'solve -r' | 'solve --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'solve --draw') words='3 1' ;;
        'solve --runs') words='any top-or-whole whole' ;;
        'solve --fill') words='any waste' ;;
        'solve --base-build') words='yes no' ;;
        'solve --takeback') words='yes no' ;;
        'solve --redeals') words='unlimited' ;;
        'solve --undo-limit') words='unlimited' ;;
        'solve --undo-score') words='refund keep' ;;
        'solve --undo-counts') words='yes no' ;;
        'solve --finish') words='manual auto' ;;
        'solve --scoring') words='cards bonus moves casino bsd' ;;
        'solve --clock') words='yes no' ;;
        'solve --jobs') ;;
        'solve --max-states') ;;
        'solve --max-seconds') ;;
        'solve --max-memory') ;;
        'resume 1') kind='kept' ;;
        'rules 1') words='standard easy modern classic gilded casino bsd published current' ;;
        'check 1') kind='file' ;;
        'import 1') kind='file' ;;
        'stats -r' | 'stats --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'stats --player') ;;
        'stats --plot') kind='file' ;;
        'scores -r' | 'scores --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'scores --player') ;;
        'scores --daily') words='today' bare='yes' ;;
        'log -r' | 'log --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'log --player') ;;
        'log 1') ;;
        'replay --speed') ;;
        'replay 1') ;;
        'daily -r' | 'daily --rules') words='standard easy modern classic gilded casino bsd published' ;;
        'daily --player') ;;
        'daily 1') ;;
        'records 1') words='path export import forget check' ;;
        'records 2') kind='file' ;;
        'play --script') kind='file' ;;
        'play -c') ;;
        'play --player') ;;
        'help 1') words='new show move draw undo redo hint moves tap up solve review finish restart resume rules check export import stats scores log replay daily records play help completion schema' ;;
        'completion 1') words='bash zsh fish' ;;
        *' -s' | *' --save') kind='file' ;;
        *' --color') words='auto always never' ;;
        *) return 1 ;;
    esac
}

# Leave in `words` the options of the command $1.
_canfield_options() {
    case $1 in
        '') words='--help --version'; return ;;
        new) words='--seed --code --pysol --deal --daily --winnable --unwinnable --player --rules --draw --runs --fill --base-build --takeback --redeals --undo-limit --undo-score --undo-counts --finish --scoring --clock' ;;
        show) words='--line --reveal --verdict' ;;
        hint) words='--all --peek' ;;
        moves) words='--explain' ;;
        solve) words='--positions --seed --code --pysol --deal --rules --draw --runs --fill --base-build --takeback --redeals --undo-limit --undo-score --undo-counts --finish --scoring --clock --jobs --max-states --max-seconds --max-memory' ;;
        stats) words='--rules --player --csv --plot' ;;
        scores) words='--rules --player --daily' ;;
        log) words='--rules --player' ;;
        replay) words='--speed --record' ;;
        daily) words='--rules --player' ;;
        records) words='--yes' ;;
        play) words='--script -c --keep-going --player' ;;
        *) words='' ;;
    esac
    words+=' --save --json --quiet --color --four-color --ascii --plain --help'
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
        words='new show move draw undo redo hint moves tap up solve review finish restart resume rules check export import stats scores log replay daily records play help completion schema' kind=''
    else
        _canfield_value "$command" $((n + 1))
    fi

    case $kind in
        # readline knows best how to complete and quote the name of a file.
        file) compopt -o default 2> /dev/null; return ;;
        action) compopt -o nosort 2> /dev/null; words=$(_canfield_ask moves) ;;
        kept) compopt -o nosort 2> /dev/null; words=$(_canfield_ask resume | while read -r i _; do [[ $i == [0-9]* ]] && echo "$i"; done) ;;
    esac
    for word in $words; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$prefix$word")
    done
}

complete -F _canfield canfield
