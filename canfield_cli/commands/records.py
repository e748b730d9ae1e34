"""The commands that look back: statistics, leaderboards, the games played, the daily deals, the records themselves.

Each of them reads the records once the games in the saves have been brought in (`Context.records`).
"""

from __future__ import annotations

import time

from ..engine.cards import RANKS, rank_name
from ..engine.deal import deal_daily
from ..engine.dealcode import format_code
from ..engine.errors import (
    CanfieldError,
    NothingThere,
    SaveError,
    UsageError,
    counted,
    plain,
    quoted,
)
from ..engine.record import format_record
from ..engine.rules import DEFAULT_PRESET, preset
from ..engine.scoring import MONEY
from ..engine.tally import HELPED
from ..store import figures
from ..store.paths import records_path
from ..store.records import COLUMNS
from ..store.recordscsv import format_csv, parse_csv, replayed
from .columns import aligned, player_words
from .result import Result
from .sentences import BAR, clock_words, money_words, number_words, rules_words, score_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.game import Game
    from ..store.figures import Day, Figures, Row
    from ..store.records import Entry, Records
    from .context import Context

    #: A line of a chart: what it is of, numbers in words, and how long its bar is, from 0 to 1.
    Bar = tuple[str, str, float]

__all__ = ["daily", "log", "records_", "replay", "scores", "stats"]

#: The longest bar of a chart, in letters.
WIDTH = 30
#: Cards up are counted so many at a time.
STEP = 4
#: So many months are shown, the latest.
MONTHS = 24
#: How many games `log` lists unless told.
USUAL = 20
#: No file of records is larger, in bytes.
LARGEST = 2**26
#: `log` is no wider than this, if the names of players can be cut so short.
SCREEN = 80
#: So many games are named that can't be played back.
NAMED = 10


def _opened(context: Context) -> Records:
    """Return the records, open and with all that the saves tell. Raises NothingThere where there are to be none."""
    records = context.records()
    if records is None:
        raise _no_records()
    return records


def _no_records() -> NothingThere:
    return NothingThere(
        "no-records",
        "no records are kept",
        "$CANFIELD_RECORDS names their file, unless it is empty or off; without it they are in the home folder",
    )


def _asked(context: Context, player: str | None) -> str | None:
    """Return the player whose games are asked for by the option `player`, None where it is not given."""
    return None if player is None else context.player


def _nothing(rules: str | None, player: str | None) -> str:
    """Say that there is no game, of those that were asked for."""
    of = f" by {player_words(player)}" if player else ""
    return f"no game has been recorded yet{of}{f' under {rules}' if rules else ''}"


# Statistics.


def stats(context: Context, *, rules: str | None, player: str | None, csv: bool, plot: str | None) -> Result:
    """Tell the statistics of a player for each rule set: in a table of several, or one by one with their charts."""
    del player
    if plot is not None:
        if csv:
            raise UsageError("--csv and --plot exclude each other", "give one of them")
        from ..store.plot import check_plot

        check_plot(plot)
    with _opened(context) as records:
        found = figures.figures(records, rules, context.player)
        account = None
        if any(each.rules.scoring in MONEY for each in found):
            account = records.account(context.player, context.env.now())
        others = figures.players(records)
    if csv:
        text = _csv(found)
        return Result(document=text, data={"csv": text})
    data = {
        "player": context.player,
        "stats": [each.data for each in found],
        "account": _account_data(account),
    }
    if plot is not None:
        lines = [_drawn(found, plot, 0o666 & ~context.env.umask)]
    elif not found:
        lines = [_nothing(rules, context.player)]
    else:
        if rules is None and len(found) > 1:
            lines = _overview(found)
        else:
            lines = [line for each in found for line in (*_figures_lines(each), "")][:-1]
        lines += _account_lines(account)
    others.pop(context.player, None)
    if others and plot is None:
        names = ", ".join(
            f"{player_words(name)} ({counted(games, 'game')})" for name, games in others.items()
        )
        lines += ["", f"others who play here: {names}"]
    return Result(lines=lines, data=data)


def _drawn(found: Sequence[Figures], path: str, mode: int) -> str:
    """Draw the figures of games that count into the file at `path`, a new one with `mode`; say so. Raises NothingThere."""
    from ..store.plot import draw

    charts = {rules_words(each.rules): each for each in found if each.counted}
    if not charts:
        raise NothingThere(
            "no-games",
            "no game that counts has been recorded yet, so nothing is drawn",
            "games with help and games still open don't count",
        )
    draw(charts, path, mode)
    return f"the statistics are drawn in {quoted(path)}"


#: The columns of the table of rule sets.
_OVERVIEW = ("rules", "played", "won", "%", "95 % interval", "best", "median", "streak")


def _overview(found: Sequence[Figures]) -> list[str]:
    """Return a table with a line for each rule set; the options that are changed in it stand below."""
    title, *lines = aligned([_overview_row(each) for each in found], "<>>>>>>>", head=_OVERVIEW)
    table = [title]
    for line, each in zip(lines, found, strict=True):
        table.append(line)
        if each.rules.changes():
            table.append(f"  {rules_words(each.rules).removeprefix(each.rules.preset).strip()}")
    told = "best and median: moves of wins; " if any(each.won for each in found) else ""
    return [*table, "", f"{told}canfield stats --rules PRESET shows the charts"]


def _overview_row(each: Figures) -> tuple[str, ...]:
    low, high = each.interval or (0.0, 0.0)
    rates = (
        (
            f"{each.won:,} of {each.counted:,}",
            f"{100 * (each.rate or 0):.1f}",
            f"{100 * low:.1f}-{100 * high:.1f}",
        )
        if each.counted
        else ("-", "", "")
    )
    moves = (number_words(each.moves.best), number_words(each.moves.median)) if each.moves else ("", "")
    return (each.rules.preset, f"{each.played:,}", *rates, *moves, f"{each.streak:,}")


def _figures_lines(each: Figures) -> list[str]:
    lines = [rules_words(each.rules), *aligned(_figure_rows(each), "<<", indent=2)]
    if each.counted:
        for title, rows in _charts(each).items():
            lines += ["", f"  {title}", *_bars(rows)]
    return lines


def _figure_rows(each: Figures) -> list[tuple[str, str]]:
    parts = {"counted": each.counted, "still open": each.open, "with help": each.helped}
    told = ", ".join(f"{count:,} {what}" for what, count in parts.items() if count)
    rows = [("played", f"{each.played:,}{f' ({told})' * (each.played > each.counted)}")]
    if each.rate is None or each.interval is None:
        return rows
    low, high = each.interval
    rows.append(
        (
            "won",
            f"{each.won:,}, {100 * each.rate:.1f} % (95 % interval from {100 * low:.1f} to {100 * high:.1f} %)",
        )
    )
    rows.append(("wins in a row", f"{each.streak:,} now, {each.longest:,} at most"))
    words: dict[str, tuple[str, Callable[[float], str]]] = {
        "moves": ("moves of wins", number_words),
        "seconds": ("time of wins", clock_words),
        "score": ("score", lambda number: score_words(each.rules, number)),
    }
    for name, pair in each.pairs().items():
        if pair:
            label, write = words[name]
            rows.append((label, f"best {write(pair.best)}, median {write(pair.median)}"))
    return rows


def _charts(each: Figures) -> dict[str, list[Bar]]:
    """Return the charts of a rule set by their titles."""
    # None, where the base card was taken back, stands with the first few.
    firsts = [0, *range(STEP + 1, len(each.cards_up), STEP)]
    ends = [*firsts[1:], len(each.cards_up)]
    ups = [
        (f"{first}-{end - 1}", sum(each.cards_up[first:end])) for first, end in zip(firsts, ends, strict=True)
    ]
    while not ups[0][1]:
        del ups[0]
    while not ups[-1][1]:
        del ups[-1]
    months = dict(list(each.months.items())[-MONTHS:])
    highest = max(games for _, games in ups)
    most = max(games for games, _ in months.values())
    return {
        "cards up": [(label, f"{games:,}", games / highest) for label, games in ups],
        "won by base rank": [
            (rank_name(RANKS.index(rank)), f"{won:,} of {games:,}", won / games)
            for rank, (games, won) in each.bases.items()
        ],
        "played by month": [
            (month, f"{games:,}, won {won:,}", games / most) for month, (games, won) in months.items()
        ],
    }


def _bars(rows: list[Bar]) -> list[str]:
    return aligned(
        [(label, words, BAR * (round(share * WIDTH) or share > 0)) for label, words, share in rows],
        ">><",
        indent=4,
    )


def _account_data(account: tuple[int, int, int] | None) -> dict[str, int | float] | None:
    """Return the account as JSON has it: this evening, in all, and what was paid back in percent."""
    if account is None:
        return None
    evening, paid, cost = account
    returned = round(100 * paid / cost, 1) if cost > 0 else 0.0
    return {"evening": evening, "all": paid - cost, "paid": paid, "cost": cost, "return": returned}


def _account_lines(account: tuple[int, int, int] | None) -> list[str]:
    """Return the account of all games that are played for money; nothing where there is none."""
    data = _account_data(account)
    if data is None:
        return []
    rows = [
        ("this evening", money_words(data["evening"])),
        ("in all", money_words(data["all"])),
        ("paid back", f"{data['return']:g} % of {money_words(data['cost'])}"),
    ]
    return ["", "account of the games for money", *aligned(rows, "<<", indent=2)]


def _csv(found: Sequence[Figures]) -> str:
    """Return a table with a line for each rule set: the names of JSON, a part's behind that of the whole."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    table = writer(text, lineterminator="\n")
    names = ("played", "helped", "open", "counted", "won", "rate")
    pairs = ("moves", "seconds", "score")
    table.writerow(
        [
            *("preset", "changes", *names, "interval_low", "interval_high", "streak", "longest"),
            *(f"{name}_{which}" for name in pairs for which in ("best", "median")),
        ]
    )
    for each in found:
        both = [pair and (pair.best, pair.median) for pair in each.pairs().values()]
        table.writerow(
            [
                each.rules.preset,
                " ".join(f"{name}={word}" for name, word in each.rules.changes().items()),
                *(getattr(each, name) for name in names),
                *(each.interval or (None, None)),
                *(each.streak, each.longest),
                *(number for pair in both for number in pair or (None, None)),
            ]
        )
    return text.getvalue()


# Single games.


def scores(context: Context, *, rules: str | None, player: str | None, daily: str | None) -> Result:
    """Tell the best games of this machine, or of the player `player`."""
    if daily == "today":
        daily = context.today()
    elif daily is not None:
        # Whatever is no day is refused.
        deal_daily(daily, DEFAULT_PRESET)
    with _opened(context) as records:
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
    return Result(lines=lines[:-1] or [_nothing(rules, asked)], data={"daily": daily, "scores": data})


#: What each leaderboard ranks by.
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
    with _opened(context) as records:
        asked = _asked(context, player)
        rows = figures.last(records, n or USUAL, rules, asked)
    return Result(
        lines=_log(rows) if rows else [_nothing(rules, asked)],
        data={"games": [_data(row) for row in rows]},
    )


#: The columns of `log`, and which of them the players stand in.
_LOG = ("n", "day", "player", "rules", "deal", "end", "up", "moves", "time", "score")
_PLAYER = _LOG.index("player")
#: The marks in them, and what they mean.
_CHANGED, _LATE = "+", "'"
_HELP = dict(zip(HELPED, ("", "?", "!"), strict=True))
_LEGEND = {
    _CHANGED: "options changed",
    _LATE: "late",
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
    return _CHANGED * bool(game.rules.changes()), _LATE * game.late, _HELP[game.helped]


def replay(context: Context, *, n: int, speed: int | None, record: bool) -> Result:
    """Play a recorded game back, or give its text record; either way all of it is checked."""
    with _opened(context) as records:
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


# Daily deals.

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
#: The calendar has a cell of this width for each day of the week.
_CELL = 6
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
#: How a day is marked that was played in time; `_LATE` follows where it was late.
_MARKS = {"won": "*", "played": "x", "open": "o"}
#: What a day must be to count, for a streak of each kind.
_STREAKS = {"played": ("won", "played", "open"), "won": ("won",)}


def daily(context: Context, *, month: str | None, rules: str | None, player: str | None) -> Result:
    """Show a month of daily deals as a calendar, the streaks of days, and how today's deal stands."""
    del player
    today = context.today()
    month = _checked_month(month or today[:7])
    name = rules or DEFAULT_PRESET
    with _opened(context) as records:
        days = figures.days(records, name, context.player)
    streaks = {
        what: _streak({day for day, each in days.items() if each.timely in states}, today)
        for what, states in _STREAKS.items()
    }
    code = format_code(deal_daily(today, name), preset(name).draw)
    command = "canfield new --daily" + (f" --rules {rules}" if rules else "")
    lines = [
        f"{_MONTHS[int(month[5:]) - 1]} {month[:4]}, {name}",
        *_calendar(month, days, today),
        "",
        ", ".join([*(f"{mark} {what}" for what, mark in _MARKS.items()), f"{_LATE} late", "[ ] today"]),
        *(f"days {what} in a row: {now:,} now, {most:,} at most" for what, (now, most) in streaks.items()),
        _todays(context, name, days.get(today), code, command),
    ]
    data = {
        "month": month,
        "preset": name,
        "player": context.player,
        "today": today,
        "code": code,
        "days": {
            day: {"state": each.best, "late": each.is_late} for day, each in days.items() if day[:7] == month
        },
        "streaks": {what: {"now": now, "longest": most} for what, (now, most) in streaks.items()},
    }
    return Result(lines=lines, data=data)


def _todays(context: Context, name: str, day: Day | None, code: str, command: str) -> str:
    """Say how today's deal of the preset `name` stands, and what begins it or takes it up again."""
    if day and day.best == "won":
        return f"today's deal {code} is won"
    today = (context.player, context.today(), name)
    game = _current(context)
    if game and not game.position.won and (game.tally.player, game.tally.daily, game.rules.preset) == today:
        return f"today's deal {code} is the current game, canfield show shows it"
    kept = [
        each.number
        for each in context.kept()
        if (each.player, each.daily, each.preset) == today and not (each.won or each.fault)
    ]
    if kept:
        return f"today's deal {code} is kept, canfield resume {kept[-1]} takes it up again"
    if day:
        return f"today's deal {code} is played, {command} begins it once more as another game"
    return f"{command} begins {code}"


def _current(context: Context) -> Game | None:
    """Return the game in the save, None where there is none or it can't be read."""
    if context.place.streams:
        return None
    try:
        return context.game
    except CanfieldError:
        return None


def _checked_month(month: str) -> str:
    """Return `month` if it is one, written as 2026-11. Raises UsageError."""
    try:
        deal_daily(f"{month}-01", DEFAULT_PRESET)
    except UsageError as error:
        raise UsageError(f"{quoted(month)} is not a month", "write it as year-month: 2026-11") from error
    return month


def _streak(days: set[str], today: str) -> tuple[int, int]:
    """Return how many of `days` are in a row up to today, or yesterday, and how many ever were."""
    from datetime import date

    lengths: dict[int, int] = {}
    for day in sorted(date.fromisoformat(day).toordinal() for day in days):
        lengths[day] = lengths.get(day - 1, 0) + 1
    now = date.fromisoformat(today).toordinal()
    return lengths.get(now) or lengths.get(now - 1, 0), max(lengths.values(), default=0)


def _calendar(month: str, days: Mapping[str, Day], today: str) -> list[str]:
    """Return the days of `month` with their marks, a week on each line."""
    from datetime import date

    first = date.fromisoformat(f"{month}-01")
    # A month is over once the number of the day begins anew; the last of all ends in December of 9999.
    length = 31 if first.month == 12 else (first.replace(month=first.month + 1) - first).days
    cells = [" " * _CELL] * first.weekday()
    for number in range(1, length + 1):
        day = f"{month}-{number:02}"
        each = days.get(day)
        mark = _MARKS[each.best] + _LATE * each.is_late if each else ""
        left, right = "[]" if day == today else "  "
        cells.append(f"{left}{number:>2}{mark:<2}{right}")
    weeks = ["".join(cells[start : start + 7]).rstrip() for start in range(0, len(cells), 7)]
    return ["".join(f" {name:<{_CELL - 1}}" for name in _WEEK).rstrip(), *weeks]


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
        raise _no_records()
    return Result(document=path + "\n", data={"path": path})


def _export(context: Context, *_: object) -> Result:
    with _opened(context) as records:
        text = "".join(format_csv(records.entries()))
    return Result(document=text, data={"csv": text})


def _import(context: Context, file: str | None, _: object) -> Result:
    assert file is not None
    entries = parse_csv(context.read(file, LARGEST))
    with _opened(context) as records:
        new, changed = records.put_all(entries)
    counts = {"new": new, "changed": changed, "known": len(entries) - new - changed}
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return Result(lines=[f"{counted(len(entries), 'game')}: {told}"], data=counts)


def _check(context: Context, *_: object) -> Result:
    """Play every record back."""
    faults: list[dict[str, object]] = []
    with _opened(context) as records:
        numbers = [n for (n,) in records.rows("SELECT n FROM games ORDER BY n")]
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
    with _opened(context) as records:
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
