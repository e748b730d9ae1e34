"""The table of commands: every command of the program, each named once, here.

Nothing in this package prints, exits or reads the command line.
"""

from __future__ import annotations

from ..engine.deal import SEEDS
from ..engine.rules import OPTIONS, PRESETS
from .table import Command, Param

__all__ = ["COMMANDS", "HOT"]

_TIMES = Param("N", "how many times", least=1, most=1_000_000)

#: The ways to name a deal.
_DEAL = (
    Param("--seed", f"the deal of this number, from 0 to {SEEDS - 1:,}", "N", least=0, most=SEEDS - 1),
    Param("--code", "the deal of a deal code, which says the draw too", "CODE"),
    Param("--pysol", "PySolFC's deal of this number", "N"),
    Param(
        "--deal",
        "a deal, position line, save or state in a file; - for standard input",
        "FILE",
        complete="file",
    ),
)
#: The ways to say under which rules.
_RULES = (
    Param("--rules", "the preset", "PRESET", short="-r", choices=tuple(PRESETS)),
    *(
        Param(
            "--" + name.replace("_", "-"),
            f"{option.help}: {option.words}",
            "VALUE",
            choices=() if option.number else tuple(option.values),
        )
        for name, option in OPTIONS.items()
    ),
)
_PLAYER = Param("--player", "who plays; $CANFIELD_PLAYER unless told", "NAME")
_PRESET = Param("--rules", "only games of this preset", "PRESET", short="-r", choices=tuple(PRESETS))
_ONE_PLAYER = Param("--player", "only games of this player", "NAME")
#: How far the solver goes for each deal that is tried, and where nothing else is said.
_EACH = ", within 5,000,000 states for each"
_USUAL = "60 seconds or 2,000 megabytes"
#: How a code stands to the rules.
_CODES = "A code says how many cards are turned at a time, which goes before the preset's; --draw must not contradict it."
#: How far it goes where that can be said.
_LIMITS = (
    Param("--max-states", "give up after so many states", "N", least=1, most=10**15),
    Param("--max-seconds", "give up after so many seconds, 60 unless told", "N", least=1, most=10**9),
    Param("--max-memory", "give up at so many megabytes, 2,000 unless told", "N", least=1, most=10**9),
)

#: Every command by its name, in the order of the help.
COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command(
            "new",
            "games.new",
            "begin a game; the one that it replaces is kept",
            *_DEAL,
            Param("--daily", "the deal of the day (UTC), today's without a date", "DATE", bare="today"),
            Param("--winnable", f"the first deal from the seed on that is proved winnable{_EACH}"),
            Param("--unwinnable", f"the first deal from the seed on that is proved not to be{_EACH}"),
            _PLAYER,
            *_RULES,
            example="canfield new --rules easy --seed 7",
            detail="At most one of --seed, --code, --pysol, --deal and --daily names the deal; without one it is random. "
            f"Every rule option has an option of its own, which changes the preset for this game. {_CODES} "
            "--winnable and --unwinnable try up to 1,000 deals.",
            writes=True,
            needs_game=False,
            thinks="games.look_for",
        ),
        Command(
            "show",
            "play.show",
            "show the board",
            Param("--line", "print the position line instead, hidden cards and all"),
            Param("--reveal", "show the hidden cards too"),
            Param("--verdict", f"say whether the game can still be won (knows every card, searches for {_USUAL} at most)"),
            example="canfield show --reveal",
        ),
        Command(
            "move",
            "play.move",
            "do actions, all of them or none",
            Param("ACTION", "an action, as in wf, r2, 24x3, fh2 or 9h-Ts", required=True, many=True,
                  complete="action"),
            example="canfield move wf r2 24x3",
            detail="Also in separate words, for one action: source, target and count, as in move waste 3.",
            writes=True,
        ),
        Command(
            "draw",
            "play.draw",
            "turn cards from the stock, or turn the waste over where it is empty",
            _TIMES,
            example="canfield draw 2",
            writes=True,
        ),
        Command("undo", "play.undo", "undo the last actions", _TIMES, example="canfield undo 3", writes=True),
        Command("redo", "play.redo", "do undone actions again", _TIMES, example="canfield redo", writes=True),
        Command(
            "hint",
            "play.hint",
            "the best next action, and why",
            Param("--all", "rank every legal action"),
            Param("--peek", f"look at the hidden cards: the next action of a proven win; each search takes {_USUAL} at most"),
            example="canfield hint --all",
            detail="By rules of thumb, on nothing but what the player may know; --peek asks the solver instead.",
        ),
        Command(
            "moves",
            "play.moves",
            "list the legal actions",
            Param("--explain", "say what each would do"),
            example="canfield moves --explain",
        ),
        Command(
            "tap",
            "play.tap",
            "do what a touch of a pile or card does",
            Param("WHAT", "a pile (w, r, s, 1 to 4, fh) or a card (9h)", required=True, complete="pile"),
            example="canfield tap 9h",
            detail="A card goes to its foundation if it can, else to the longest column that takes it, "
            "then to an empty one. A card inside a column takes along what lies on it.",
            writes=True,
        ),
        Command("up", "play.up", "send up everything that can go", example="canfield up", writes=True),
        Command(
            "solve",
            "solving.solve_",
            "prove that a position can be won, or that it can't",
            Param("--positions", "a deal, code or position line on each line; - for standard input", "FILE", complete="file"),
            *_DEAL,
            *_RULES,
            Param("--jobs", "so many processes at once, for --positions", "N", least=1, most=1024),
            *_LIMITS,
            example="canfield solve --seed 7 --rules published",
            detail="The current game, unless a deal or --positions is named. Exit status: 0 can be won, 1 can't, "
            "5 unknown within the limits; 0 for --positions, which with --json answers each line with one object. "
            f"{_CODES}",
            needs_game=False,
        ),
        Command(
            "review",
            "solving.review",
            "go back over the game: where it could still be won, and what threw it away",
            example="canfield review",
            detail=f"Each of its searches takes {_USUAL} at most.",
        ),
        Command(
            "finish",
            "solving.finish",
            "play a proven win out to its end",
            example="canfield finish",
            detail=f"The search takes {_USUAL} at most.",
            writes=True,
            thinks="solving.plan_finish",
        ),
        Command(
            "restart",
            "games.restart",
            "begin the same deal again; the game so far is kept",
            example="canfield restart",
            writes=True,
        ),
        Command(
            "resume",
            "games.resume",
            "list the kept games, or take one up again",
            Param("N", "the number of a kept game", least=1, most=10**9, complete="kept"),
            example="canfield resume 3",
            writes="n",
            needs_game=False,
        ),
        Command(
            "rules",
            "games.rules",
            "the presets and their options, or one preset in words",
            Param("PRESET", "a preset, or current for the rules of the game", choices=(*PRESETS, "current")),
            example="canfield rules classic",
            needs_game=False,
        ),
        Command(
            "check",
            "games.check",
            "say whether a save is sound, or what is wrong with it",
            Param("FILE", "a save; - for standard input", complete="file"),
            example="canfield check game.json",
            needs_game=False,
        ),
        Command(
            "export",
            "games.export",
            "write the game as a text record, to read and to import",
            example="canfield export > game.txt",
        ),
        Command(
            "import",
            "games.import_",
            "play a text record back and make it the current game",
            Param("FILE", "a record; - for standard input", required=True, complete="file"),
            example="canfield import game.txt",
            writes=True,
            needs_game=False,
        ),
        Command(
            "stats",
            "stats.stats",
            "the statistics of a player, for each rule set",
            _PRESET,
            _PLAYER,
            Param("--csv", "as a table to work on, a line for each rule set"),
            Param("--plot", "draw them into a file that ends in .svg or .png", "FILE", complete="file"),
            example="canfield stats --rules classic",
            detail="Games with help, from hint --peek to finish, and games still open are counted apart and enter no other "
            "figure. Games begun with new --winnable count like any other. "
            "The interval is the one in which the rate of endless play lies, with 95 %.",
            needs_game=False,
        ),
        Command(
            "scores",
            "records.scores",
            "the best ten games of this machine by score, moves and time",
            _PRESET,
            _ONE_PLAYER,
            Param("--daily", "only games of the deal of the day (UTC), today's without a date", "DATE", bare="today"),
            example="canfield scores --daily",
            needs_game=False,
        ),
        Command(
            "log",
            "records.log",
            "list the games played, the latest first",
            Param("N", "how many, 20 unless told", least=1, most=1_000_000),
            _PRESET,
            _ONE_PLAYER,
            example="canfield log 5",
            needs_game=False,
        ),
        Command(
            "replay",
            "records.replay",
            "play a game of the log back on the screen, or give its record",
            Param("N", "the number of a game in the log", least=1, most=10**9, required=True),
            Param("--speed", "so many actions a second, 4 unless told", "S", least=1, most=100),
            Param("--record", "give its text record instead, as always where there is no terminal"),
            example="canfield replay 12 --speed 2",
            needs_game=False,
        ),
        Command(
            "daily",
            "daily.daily",
            "show the daily deals of a month, and the streaks of days",
            Param("MONTH", "a month, as in 2026-11; this one (UTC) unless told"),
            _PRESET,
            _PLAYER,
            example="canfield daily 2026-11",
            detail="A deal that is begun on another day than its own is late, and counts for no streak. The day after the "
            "last one of a streak may still go on with it.",
            needs_game=False,
        ),
        Command(
            "records",
            "records.records_",
            "say where the records are, carry them out and in, check them, or take them away",
            Param("WHAT", "what to do", required=True, choices=("path", "export", "import", "forget", "check")),
            Param("FILE", "what to import; - for standard input", complete="file"),
            Param("--yes", "do forget"),
            example="canfield records export > records.csv",
            detail="Records are exported as CSV, and what another machine exported is imported without counting a game twice. "
            "check plays every game back. Nothing ever leaves the machine by itself.",
            needs_game=False,
        ),
        Command(
            "play",
            "games.play",
            "play in a session of many commands: on a terminal, from a script or a pipe",
            Param("--script", "read the lines of a file", "FILE", complete="file"),
            Param("-c", "run these commands, split by ;", "LINE", many=True),
            Param("--keep-going", "go on after a command that fails"),
            _PLAYER,
            example="canfield play -c 'draw; up; show'",
            detail="A line is a command, or actions by themselves: wf r2. With --json, each line is answered by "
            "one JSON object. On a terminal TAB completes what is legal, F6 hints, F7 undoes, F8 redoes, and ? lists the "
            "commands that a session has besides: set, select, quit. The game is in a file, never in a stream.",
            needs_game=False,
        ),
        Command(
            "help",
            "help.help_",
            "list the commands, or explain one",
            Param("COMMAND", "a command", complete="command"),
            example="canfield help move",
            needs_game=False,
        ),
        Command(
            "completion",
            "games.completion",
            "print the completion script of a shell",
            Param("SHELL", "a shell", required=True, choices=("bash", "zsh", "fish")),
            example="canfield completion bash > canfield.bash",
            needs_game=False,
        ),
        Command(
            "schema",
            "games.schema",
            "print the JSON Schema of the save",
            example="canfield schema > save.schema.json",
            needs_game=False,
        ),
    )
}  # fmt: skip

#: The commands that are played with, which must start at once.
HOT = ("show", "move", "draw", "undo", "redo", "moves", "tap", "up", "hint")
