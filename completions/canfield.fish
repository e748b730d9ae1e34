# fish completion for canfield.
# Generated from the table of commands by canfield_cli/cli/generate.py; don't edit.

# Print the command before the cursor, and the number of the argument at it.
function __canfield_place
    set -l takes --base-build --clock --code --color --daily --deal --draw --fill --finish --jobs --max-memory --max-seconds --max-states --player --plot --positions --pysol --redeals --rules --runs --save --scoring --script --seed --speed --takeback --undo-counts --undo-limit --undo-score -c -r -s
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
    __canfield_ask moves | sed -E 's/^draw$/&	turn cards from the stock/; s/^redeal$/&	turn the waste over/; s/^([rw])f$/&	\\1 to its foundation/; s/^([1-4])f$/&	column \\1 to its foundation/; s/^([rw])([1-4])$/&	\\1 to column \\2/; s/^f([cdhs])([1-4])$/&	foundation of \\1 to column \\2/; s/^([1-4])([1-4])x1$/&	1 card of column \\1 to column \\2/; s/^([1-4])([1-4])x([0-9]+)$/&	\\3 cards of column \\1 to column \\2/; s/	r /	reserve /; s/	w /	waste /; s/	foundation of c /	clubs foundation /; s/	foundation of d /	diamonds foundation /; s/	foundation of h /	hearts foundation /; s/	foundation of s /	spades foundation /'
end

function __canfield_kept
    __canfield_ask resume | string match -r '^ *\d.*' | string replace -r '^ *(\d+) +' '$1\t'
end

complete -c canfield -f
complete -c canfield -s h -l help -d 'show the help and leave'
complete -c canfield -n "__canfield_at ' *'" -l version -d 'print the version and leave'
complete -c canfield -n "not __canfield_at ' *'" -s s -l save -F -r -d 'the save; - reads standard input and writes standard output'
complete -c canfield -n "not __canfield_at ' *'" -l json -d 'answer with one JSON object'
complete -c canfield -n "not __canfield_at ' *'" -s q -l quiet -d 'say nothing of what was done'
complete -c canfield -n "not __canfield_at ' *'" -l color -k -a 'auto\\t"on a terminal that has them" always\\t"in a file or pipe too" never\\t"none at all"' -x -d 'when to use colours'
complete -c canfield -n "not __canfield_at ' *'" -l four-color -d 'a colour for each suit'
complete -c canfield -n "not __canfield_at ' *'" -l ascii -d 'letters instead of pictures of suits'
complete -c canfield -n "not __canfield_at ' *'" -l plain -d 'whole sentences instead of a picture of the board'

complete -c canfield -n "__canfield_at ' *'" -a new -d 'begin a game; the one that it replaces is kept'
complete -c canfield -n "__canfield_at 'new *'" -l seed -x -d 'the deal of this number, from 0 to 34,359,738,367'
complete -c canfield -n "__canfield_at 'new *'" -l code -x -d 'the deal of a deal code, which says the draw too'
complete -c canfield -n "__canfield_at 'new *'" -l pysol -x -d 'PySolFC\'s deal of this number'
complete -c canfield -n "__canfield_at 'new *'" -l deal -F -r -d 'a deal, position line, save or state in a file; - for standard input'
complete -c canfield -n "__canfield_at 'new *'" -l daily -k -a 'today' -x -d 'the deal of the day (UTC), today\'s without a date'
complete -c canfield -n "__canfield_at 'new *'" -l winnable -d 'the first deal from the seed on that is proved winnable, within 5,000,000 states for each'
complete -c canfield -n "__canfield_at 'new *'" -l unwinnable -d 'the first deal from the seed on that is proved not to be, within 5,000,000 states for each'
complete -c canfield -n "__canfield_at 'new *'" -l player -x -d 'who plays; $CANFIELD_PLAYER unless told'
complete -c canfield -n "__canfield_at 'new *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'the preset'
complete -c canfield -n "__canfield_at 'new *'" -l draw -k -a '3\\t"A draw turns three cards onto the waste, one by one, so the last of them is on top" 1\\t"A draw turns one card onto the waste"' -x -d 'cards turned at a time: 3 or 1'
complete -c canfield -n "__canfield_at 'new *'" -l runs -k -a 'any\\t"Any part of a column may move to another column, from one card to all of it" top-or-whole\\t"From column to column only the last card or the whole column moves" whole\\t"From column to column only whole columns move"' -x -d 'what may move from one column to another: any, top-or-whole or whole'
complete -c canfield -n "__canfield_at 'new *'" -l fill -k -a 'any\\t"Once the reserve is empty, any card or run that may move may enter an empty column" waste\\t"Once the reserve is empty, only the waste\'s top card may enter an empty column"' -x -d 'who may enter an empty column once the reserve is empty: any or waste'
complete -c canfield -n "__canfield_at 'new *'" -l base-build -k -a 'yes\\t"The card of the rank just below the base may be built on a base-rank card in a column" no\\t"Nothing may be built on a base-rank card in a column"' -x -d 'may a card be built on a base-rank card in a column: yes or no'
complete -c canfield -n "__canfield_at 'new *'" -l takeback -k -a 'yes\\t"The top card of a foundation may come back to a column where it fits" no\\t"A card on a foundation stays there"' -x -d 'may the top card of a foundation come back to a column: yes or no'
complete -c canfield -n "__canfield_at 'new *'" -l redeals -k -a 'unlimited\\t"The waste may be turned over as often as you like"' -x -d 'how often the waste may be turned over: unlimited or a number'
complete -c canfield -n "__canfield_at 'new *'" -l undo-limit -k -a 'unlimited\\t"Every action can be undone"' -x -d 'how many of the last actions can be undone: unlimited or a number'
complete -c canfield -n "__canfield_at 'new *'" -l undo-score -k -a 'refund\\t"An undo gives back the score from before" keep\\t"An undo leaves the score as it is"' -x -d 'does undoing an action take back its points: refund or keep'
complete -c canfield -n "__canfield_at 'new *'" -l undo-counts -k -a 'yes\\t"An undo counts as a move" no\\t"An undo takes its move off the count"' -x -d 'is an undo counted as a move: yes or no'
complete -c canfield -n "__canfield_at 'new *'" -l finish -k -a 'manual\\t"You send every card up yourself" auto\\t"Once stock, waste and reserve are empty and sending cards up is enough to win, they go up by themselves"' -x -d 'do the last cards go up by themselves: manual or auto'
complete -c canfield -n "__canfield_at 'new *'" -l scoring -k -a 'cards\\t"Each card put on a foundation scores 5, and the score never falls below 0" bonus\\t"Each card that stands on a foundation scores 5; a win scores 500 more, and a time bonus of 1,200 less one a second" moves\\t"There are no points: moves, time and cards up are kept" casino\\t"The pack costs 50, and each card that stands on a foundation, the base card too, pays 5; all 52 pay 500" bsd\\t"The cards cost 13, the first action 13, the first draw 26, each redeal 5 and each minute 1; each card that stands on a foundation, the base card too, pays 5"' -x -d 'how the game is scored: cards, bonus, moves, casino or bsd'
complete -c canfield -n "__canfield_at 'new *'" -l clock -k -a 'yes\\t"The playing time is shown" no\\t"The playing time is not shown"' -x -d 'is the playing time shown: yes or no'

complete -c canfield -n "__canfield_at ' *'" -a show -d 'show the board'
complete -c canfield -n "__canfield_at 'show *'" -l line -d 'print the position line instead, hidden cards and all'
complete -c canfield -n "__canfield_at 'show *'" -l reveal -d 'show the hidden cards too'
complete -c canfield -n "__canfield_at 'show *'" -l verdict -d 'say whether the game can still be won (knows every card, searches for 60 seconds or 2,000 megabytes at most)'

complete -c canfield -n "__canfield_at ' *'" -a move -d 'do actions, all of them or none'
complete -c canfield -n "__canfield_at 'move *'" -k -a '(__canfield_action)'

complete -c canfield -n "__canfield_at ' *'" -a draw -d 'turn cards from the stock, or turn the waste over where it is empty'

complete -c canfield -n "__canfield_at ' *'" -a undo -d 'undo the last actions'

complete -c canfield -n "__canfield_at ' *'" -a redo -d 'do undone actions again'

complete -c canfield -n "__canfield_at ' *'" -a hint -d 'the best next action, and why'
complete -c canfield -n "__canfield_at 'hint *'" -l all -d 'rank every legal action'
complete -c canfield -n "__canfield_at 'hint *'" -l peek -d 'look at the hidden cards: the next action of a proven win; each search takes 60 seconds or 2,000 megabytes at most'

complete -c canfield -n "__canfield_at ' *'" -a moves -d 'list the legal actions'
complete -c canfield -n "__canfield_at 'moves *'" -l explain -d 'say what each would do'

complete -c canfield -n "__canfield_at ' *'" -a tap -d 'do what a touch of a pile or card does'
complete -c canfield -n "__canfield_at 'tap 1'" -k -a 'r\\t"the reserve" w\\t"the waste" s\\t"the stock" 1\\t"column 1" 2\\t"column 2" 3\\t"column 3" 4\\t"column 4" fc\\t"the clubs foundation" fd\\t"the diamonds foundation" fh\\t"the hearts foundation" fs\\t"the spades foundation"'

complete -c canfield -n "__canfield_at ' *'" -a up -d 'send up everything that can go'

complete -c canfield -n "__canfield_at ' *'" -a solve -d 'prove that a position can be won, or that it can\'t'
complete -c canfield -n "__canfield_at 'solve *'" -l positions -F -r -d 'a deal, code or position line on each line; - for standard input'
complete -c canfield -n "__canfield_at 'solve *'" -l seed -x -d 'the deal of this number, from 0 to 34,359,738,367'
complete -c canfield -n "__canfield_at 'solve *'" -l code -x -d 'the deal of a deal code, which says the draw too'
complete -c canfield -n "__canfield_at 'solve *'" -l pysol -x -d 'PySolFC\'s deal of this number'
complete -c canfield -n "__canfield_at 'solve *'" -l deal -F -r -d 'a deal, position line, save or state in a file; - for standard input'
complete -c canfield -n "__canfield_at 'solve *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'the preset'
complete -c canfield -n "__canfield_at 'solve *'" -l draw -k -a '3\\t"A draw turns three cards onto the waste, one by one, so the last of them is on top" 1\\t"A draw turns one card onto the waste"' -x -d 'cards turned at a time: 3 or 1'
complete -c canfield -n "__canfield_at 'solve *'" -l runs -k -a 'any\\t"Any part of a column may move to another column, from one card to all of it" top-or-whole\\t"From column to column only the last card or the whole column moves" whole\\t"From column to column only whole columns move"' -x -d 'what may move from one column to another: any, top-or-whole or whole'
complete -c canfield -n "__canfield_at 'solve *'" -l fill -k -a 'any\\t"Once the reserve is empty, any card or run that may move may enter an empty column" waste\\t"Once the reserve is empty, only the waste\'s top card may enter an empty column"' -x -d 'who may enter an empty column once the reserve is empty: any or waste'
complete -c canfield -n "__canfield_at 'solve *'" -l base-build -k -a 'yes\\t"The card of the rank just below the base may be built on a base-rank card in a column" no\\t"Nothing may be built on a base-rank card in a column"' -x -d 'may a card be built on a base-rank card in a column: yes or no'
complete -c canfield -n "__canfield_at 'solve *'" -l takeback -k -a 'yes\\t"The top card of a foundation may come back to a column where it fits" no\\t"A card on a foundation stays there"' -x -d 'may the top card of a foundation come back to a column: yes or no'
complete -c canfield -n "__canfield_at 'solve *'" -l redeals -k -a 'unlimited\\t"The waste may be turned over as often as you like"' -x -d 'how often the waste may be turned over: unlimited or a number'
complete -c canfield -n "__canfield_at 'solve *'" -l undo-limit -k -a 'unlimited\\t"Every action can be undone"' -x -d 'how many of the last actions can be undone: unlimited or a number'
complete -c canfield -n "__canfield_at 'solve *'" -l undo-score -k -a 'refund\\t"An undo gives back the score from before" keep\\t"An undo leaves the score as it is"' -x -d 'does undoing an action take back its points: refund or keep'
complete -c canfield -n "__canfield_at 'solve *'" -l undo-counts -k -a 'yes\\t"An undo counts as a move" no\\t"An undo takes its move off the count"' -x -d 'is an undo counted as a move: yes or no'
complete -c canfield -n "__canfield_at 'solve *'" -l finish -k -a 'manual\\t"You send every card up yourself" auto\\t"Once stock, waste and reserve are empty and sending cards up is enough to win, they go up by themselves"' -x -d 'do the last cards go up by themselves: manual or auto'
complete -c canfield -n "__canfield_at 'solve *'" -l scoring -k -a 'cards\\t"Each card put on a foundation scores 5, and the score never falls below 0" bonus\\t"Each card that stands on a foundation scores 5; a win scores 500 more, and a time bonus of 1,200 less one a second" moves\\t"There are no points: moves, time and cards up are kept" casino\\t"The pack costs 50, and each card that stands on a foundation, the base card too, pays 5; all 52 pay 500" bsd\\t"The cards cost 13, the first action 13, the first draw 26, each redeal 5 and each minute 1; each card that stands on a foundation, the base card too, pays 5"' -x -d 'how the game is scored: cards, bonus, moves, casino or bsd'
complete -c canfield -n "__canfield_at 'solve *'" -l clock -k -a 'yes\\t"The playing time is shown" no\\t"The playing time is not shown"' -x -d 'is the playing time shown: yes or no'
complete -c canfield -n "__canfield_at 'solve *'" -l jobs -x -d 'so many processes at once, for --positions'
complete -c canfield -n "__canfield_at 'solve *'" -l max-states -x -d 'give up after so many states'
complete -c canfield -n "__canfield_at 'solve *'" -l max-seconds -x -d 'give up after so many seconds, 60 unless told'
complete -c canfield -n "__canfield_at 'solve *'" -l max-memory -x -d 'give up at so many megabytes, 2,000 unless told'

complete -c canfield -n "__canfield_at ' *'" -a review -d 'go back over the game: where it could still be won, and what threw it away'

complete -c canfield -n "__canfield_at ' *'" -a finish -d 'play a proven win out to its end'

complete -c canfield -n "__canfield_at ' *'" -a restart -d 'begin the same deal again; the game so far is kept'

complete -c canfield -n "__canfield_at ' *'" -a resume -d 'list the kept games, or take one up again'
complete -c canfield -n "__canfield_at 'resume 1'" -k -a '(__canfield_kept)'

complete -c canfield -n "__canfield_at ' *'" -a rules -d 'the presets and their options, or one preset in words'
complete -c canfield -n "__canfield_at 'rules 1'" -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals" current\\t"the rules of the game as it is"'

complete -c canfield -n "__canfield_at ' *'" -a check -d 'say whether a save is sound, or what is wrong with it'
complete -c canfield -n "__canfield_at 'check 1'" -F

complete -c canfield -n "__canfield_at ' *'" -a export -d 'write the game as a text record, to read and to import'

complete -c canfield -n "__canfield_at ' *'" -a import -d 'play a text record back and make it the current game'
complete -c canfield -n "__canfield_at 'import 1'" -F

complete -c canfield -n "__canfield_at ' *'" -a stats -d 'the statistics of a player, for each rule set'
complete -c canfield -n "__canfield_at 'stats *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'only games of this preset'
complete -c canfield -n "__canfield_at 'stats *'" -l player -x -d 'who plays; $CANFIELD_PLAYER unless told'
complete -c canfield -n "__canfield_at 'stats *'" -l csv -d 'as a table to work on, a line for each rule set'
complete -c canfield -n "__canfield_at 'stats *'" -l plot -F -r -d 'draw them into a file that ends in .svg or .png'

complete -c canfield -n "__canfield_at ' *'" -a scores -d 'the best ten games of this machine by score, moves and time'
complete -c canfield -n "__canfield_at 'scores *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'only games of this preset'
complete -c canfield -n "__canfield_at 'scores *'" -l player -x -d 'only games of this player'
complete -c canfield -n "__canfield_at 'scores *'" -l daily -k -a 'today' -x -d 'only games of the deal of the day (UTC), today\'s without a date'

complete -c canfield -n "__canfield_at ' *'" -a log -d 'list the games played, the latest first'
complete -c canfield -n "__canfield_at 'log *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'only games of this preset'
complete -c canfield -n "__canfield_at 'log *'" -l player -x -d 'only games of this player'

complete -c canfield -n "__canfield_at ' *'" -a replay -d 'play a game of the log back on the screen, or give its record'
complete -c canfield -n "__canfield_at 'replay *'" -l speed -x -d 'so many actions a second, 4 unless told'
complete -c canfield -n "__canfield_at 'replay *'" -l record -d 'give its text record instead, as always where there is no terminal'

complete -c canfield -n "__canfield_at ' *'" -a daily -d 'show the daily deals of a month, and the streaks of days'
complete -c canfield -n "__canfield_at 'daily *'" -s r -l rules -k -a 'standard\\t"the default: draw three, take cards back, undo the last hundred actions" easy\\t"as standard, but one card is turned at a time" modern\\t"undo as you like, but each undo is a move; moves and time are what counts" classic\\t"whole columns or their last card, spaces from the waste only, a time bonus" gilded\\t"draw three, cards stay up, against the clock" casino\\t"buy the pack for 50, win 5 back for each card up; no undo" bsd\\t"the prices of BSD\'s game, by the minute; whole columns only, no undo" published\\t"the rules behind the published figures on winnable deals"' -x -d 'only games of this preset'
complete -c canfield -n "__canfield_at 'daily *'" -l player -x -d 'who plays; $CANFIELD_PLAYER unless told'

complete -c canfield -n "__canfield_at ' *'" -a records -d 'say where the records are, carry them out and in, check them, or take them away'
complete -c canfield -n "__canfield_at 'records *'" -l yes -d 'do forget'
complete -c canfield -n "__canfield_at 'records 1'" -k -a 'path\\t"say where they are" export\\t"write them as CSV" import\\t"take in what another machine exported" forget\\t"take them away" check\\t"play every game back"'
complete -c canfield -n "__canfield_at 'records 2'" -F

complete -c canfield -n "__canfield_at ' *'" -a play -d 'play in a session of many commands: on a terminal, from a script or a pipe'
complete -c canfield -n "__canfield_at 'play *'" -l script -F -r -d 'read the lines of a file'
complete -c canfield -n "__canfield_at 'play *'" -s c -x -d 'run these commands, split by ;'
complete -c canfield -n "__canfield_at 'play *'" -l keep-going -d 'go on after a command that fails'
complete -c canfield -n "__canfield_at 'play *'" -l player -x -d 'who plays; $CANFIELD_PLAYER unless told'

complete -c canfield -n "__canfield_at ' *'" -a help -d 'list the commands, or explain one'
complete -c canfield -n "__canfield_at 'help 1'" -k -a 'new\\t"begin a game; the one that it replaces is kept" show\\t"show the board" move\\t"do actions, all of them or none" draw\\t"turn cards from the stock, or turn the waste over where it is empty" undo\\t"undo the last actions" redo\\t"do undone actions again" hint\\t"the best next action, and why" moves\\t"list the legal actions" tap\\t"do what a touch of a pile or card does" up\\t"send up everything that can go" solve\\t"prove that a position can be won, or that it can\'t" review\\t"go back over the game: where it could still be won, and what threw it away" finish\\t"play a proven win out to its end" restart\\t"begin the same deal again; the game so far is kept" resume\\t"list the kept games, or take one up again" rules\\t"the presets and their options, or one preset in words" check\\t"say whether a save is sound, or what is wrong with it" export\\t"write the game as a text record, to read and to import" import\\t"play a text record back and make it the current game" stats\\t"the statistics of a player, for each rule set" scores\\t"the best ten games of this machine by score, moves and time" log\\t"list the games played, the latest first" replay\\t"play a game of the log back on the screen, or give its record" daily\\t"show the daily deals of a month, and the streaks of days" records\\t"say where the records are, carry them out and in, check them, or take them away" play\\t"play in a session of many commands: on a terminal, from a script or a pipe" help\\t"list the commands, or explain one" completion\\t"print the completion script of a shell" schema\\t"print the JSON Schema of the save"'

complete -c canfield -n "__canfield_at ' *'" -a completion -d 'print the completion script of a shell'
complete -c canfield -n "__canfield_at 'completion 1'" -k -a 'bash zsh fish'

complete -c canfield -n "__canfield_at ' *'" -a schema -d 'print the JSON Schema of the save'
