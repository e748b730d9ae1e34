"""The commands on recorded games, one by one or all at once: leaderboards, the log, replays, and the file itself.

Each of them reads the records once the games in the saves have been brought in (`Context.records`).
"""

from __future__ import annotations

import time

from ..engine.deal import check_date
from ..engine.errors import CanfieldError, NothingThere, SaveError, UsageError, counted, plain, quoted
from ..engine.record import format_record
from ..engine.tally import HELPED
from ..store import figures
from ..store.entry import COLUMNS, replayed
from ..store.paths import records_path
from ..store.recordscsv import format_csv, parse_csv
from .columns import LATE, aligned, no_games, player_words
from .recording import no_records
from .result import Result
from .sentences import clock_words, rules_words, score_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.game import Game
    from ..store.entry import Entry
    from ..store.figures import Row
    from .context import Context

__all__ = ["log", "records_", "replay", "scores"]

#: How many games `log` lists unless told.
USUAL = 20
#: No file of records is larger, in bytes.
LARGEST = 2**26
#: `log` is no wider than this, if the names of players can be cut so short.
SCREEN = 80
#: So many games are named that can't be played back.
NAMED = 10


# Single games.


def scores(context: Context, *, rules: str | None, player: str | None, daily: str | None) -> Result:
    """Tell the best games of this machine, or of the player `player`."""
    if daily == "today":
        daily = context.today()
    elif daily is not None:
        check_date(daily)
    with context.records() as records:
        asked = _asked(context, player)
        found = figures.boards(records, rules, asked, daily)
    lines: list[str] = []
    for each, boards in found:
        lines += [rules_words(each)]
        for name, rows in boards.items():
            if rows:
                lines += [f"  best by {_BOARDS[name]}", *_board(rows), ""]
    data = [
        {"rules": each.words(), **{name: [_data(row) for row in rows] for name, rows in boards.items()}}
        for each, boards in found
    ]
    return Result(lines=lines[:-1] or _no_boards(rules, asked, daily), data={"daily": daily, "scores": data})


def _no_boards(rules: str | None, player: str | None, daily: str | None) -> list[str]:
    """Say that no game is on a leaderboard, and why there may be some in the log all the same."""
    day = f"of the deal of {daily} " if daily else ""
    return [
        no_games(rules, player, f"{day}is on a leaderboard yet"),
        "games with help and games still open are on none, and where the rules give no points only wins are",
    ]


def _asked(context: Context, player: str | None) -> str | None:
    """Return the player whose games are asked for by the option `player`, None where it is not given."""
    return None if player is None else context.player


#: What each leaderboard ranks by, and the columns that they all have.
_BOARDS = {"score": "score", "moves": "moves of wins", "seconds": "time of wins"}
_BOARD = ("", "score", "moves", "time", "day", "player", "game", "")


def _board(rows: Sequence[Row]) -> list[str]:
    named = any(game.player for _, game in rows)
    return aligned(
        [
            [
                f"{place}.",
                score_words(game.rules, game.score),
                f"{game.moves:,}",
                clock_words(game.seconds),
                _day(game),
                player_words(game.player) if named else "",
                str(n),
                "late" if game.late else "",
            ]
            for place, (n, game) in enumerate(rows, 1)
        ],
        ">>>><<><",
        head=_BOARD,
        indent=4,
    )


def _day(game: Entry) -> str:
    """Return the day on which `game` ended, in the time of this place as in the list of kept games."""
    return time.strftime("%Y-%m-%d", time.localtime(game.ended))


def _data(row: Row) -> dict[str, object]:
    """Return a game as JSON has it."""
    n, game = row
    return {
        "n": n,
        "rules": game.rules.words(),
        **{name: getattr(game, name) for name in COLUMNS},
    }


def log(context: Context, *, n: int | None, rules: str | None, player: str | None) -> Result:
    """List the last `n` games, the latest first."""
    with context.records() as records:
        asked = _asked(context, player)
        rows = figures.last(records, n or USUAL, rules, asked)
    return Result(
        lines=_log(rows) if rows else [no_games(rules, asked)],
        data={"games": [_data(row) for row in rows]},
    )


#: The columns of `log`, and which of them the players stand in.
_LOG = ("n", "day", "player", "rules", "deal", "end", "up", "moves", "time", "score")
_PLAYER = _LOG.index("player")
#: The marks in them, and what they mean.
_CHANGED = "+"
_HELP = dict(zip(HELPED, ("", "?", "!"), strict=True))
_LEGEND = {
    _CHANGED: "options changed",
    LATE: "late",
    "?": "hidden cards looked at",
    "!": "finished by the solver",
}


def _log(rows: Sequence[Row]) -> list[str]:
    """Return a table of games, with what its marks mean."""
    table = [_log_row(*row) for row in rows]
    lines = _log_lines(table)
    if any(game.player for _, game in rows):
        # The players get what room is left.
        room = SCREEN - 1 - max(map(len, lines))
        for cells, (_, game) in zip(table, rows, strict=True):
            cells[_PLAYER] = player_words(game.player, room)
        lines = _log_lines(table)
    used = {mark for _, game in rows for mark in _log_marks(game)}
    legend = ", ".join(f"{mark} {words}" for mark, words in _LEGEND.items() if mark in used)
    return [*lines, *(["", legend] if legend else [])]


def _log_lines(table: Sequence[Sequence[str]]) -> list[str]:
    return aligned(table, "><<<<<>>>>", head=_LOG, gap=1)


def _log_row(n: int, game: Entry) -> list[str]:
    changed, late, helped = _log_marks(game)
    return [
        str(n),
        _day(game),
        "",
        game.rules.preset + changed,
        f"daily {game.daily}{late}" if game.daily else game.code,
        game.outcome + helped,
        str(game.cards_up),
        f"{game.moves:,}",
        clock_words(game.seconds),
        score_words(game.rules, game.score),
    ]


def _log_marks(game: Entry) -> tuple[str, str, str]:
    """Return the marks of `game` for changed options, for a late daily deal and for help, each may be empty."""
    return _CHANGED * bool(game.rules.changes()), LATE * game.late, _HELP[game.helped]


def replay(context: Context, *, n: int, speed: int | None, record: bool) -> Result:
    """Play a recorded game back, or give its text record; either way all of it is checked."""
    with context.records() as records:
        entry = records.entry(n)
    if entry is None:
        raise NothingThere("no-such-game", f"there is no recorded game number {n}", "canfield log lists them")
    game = _replayed(n, entry)
    text = format_record(game)
    data = {"n": n, "record": text}
    if record or not context.env.stdout.isatty():
        return Result(game, document=text, data=data)
    result = Result(
        game, board=True, said=[f"this was game {n}, {entry.outcome}"], data=data, steps=len(game.done)
    )
    if speed:
        result.pace = 1 / speed
    return result


def _replayed(n: int, entry: Entry) -> Game:
    """Return the game number `n`, played again. Raises SaveError, which names it, where that does not give the same."""
    try:
        return replayed(entry)
    except CanfieldError as error:
        raise SaveError(
            f"game {n} of the records can't be played back: {error.message}",
            error.hint or "canfield records check goes over all games",
            n=n,
        ) from error


# The file.


def records_(context: Context, *, what: str, file: str | None, yes: bool) -> Result:
    """Say where the records are, carry them out and in, check them, or take them away."""
    if (file is None) == (what == "import"):
        raise UsageError(
            "records import needs FILE" if file is None else f"records {what} takes no file",
            f"for example: canfield records {what}{' records.csv' * (file is None)}",
        )
    return _FILE[what](context, file, yes)


def _path(context: Context, *_: object) -> Result:
    path = records_path(context.env.environ)
    if path is None:
        raise no_records()
    return Result(document=path + "\n", data={"path": path})


def _export(context: Context, *_: object) -> Result:
    with context.records() as records:
        text = "".join(format_csv(records.entries()))
    return Result(document=text, data={"csv": text})


def _import(context: Context, file: str | None, _: object) -> Result:
    assert file is not None
    entries = parse_csv(context.read(file, LARGEST))
    with context.records() as records:
        new, changed = records.put_all(entries)
    counts = {"new": new, "changed": changed, "known": len(entries) - new - changed}
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return Result(lines=[f"{counted(len(entries), 'game')}: {told}"], data=counts)


def _check(context: Context, *_: object) -> Result:
    """Play every record back."""
    faults: list[dict[str, object]] = []
    with context.records() as records:
        numbers = records.numbers()
        for n in numbers:
            try:
                if entry := records.entry(n):
                    _replayed(n, entry)
            except SaveError as error:
                faults.append({"n": n, "message": plain(error.message)})
    if faults:
        raise SaveError(
            f"{len(faults):,} of {counted(len(numbers), 'game')} can't be played back: "
            + ", ".join(str(fault["n"]) for fault in faults[:NAMED])
            + " and more" * (len(faults) > NAMED),
            f"canfield replay {faults[0]['n']} says why",
            faults=faults,
        )
    return Result(
        lines=[f"{counted(len(numbers), 'game')} played back, all sound"], data={"checked": len(numbers)}
    )


def _forget(context: Context, _: object, yes: bool) -> Result:
    with context.records() as records:
        games = sum(figures.players(records).values())
        if not yes:
            raise UsageError(
                f"{counted(games, 'game')} would be taken away for good",
                "canfield records forget --yes does it, canfield records export keeps a copy",
            )
        aside = records.forget(context.env.now())
    lines = [f"{counted(games, 'game')} taken away, no trace of them is left in the file"]
    lines += [f"a damaged file of before is still there: {quoted(path)}" for path in aside]
    return Result(lines=lines, data={"forgotten": games, "aside": aside})


#: What each word of `records` does.
_FILE: dict[str, Callable[[Context, str | None, bool], Result]] = {
    "path": _path,
    "export": _export,
    "import": _import,
    "forget": _forget,
    "check": _check,
}
