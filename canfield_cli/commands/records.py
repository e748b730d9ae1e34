"""The commands that look back: statistics, leaderboards, the games played, the daily deals, the records themselves.

Each of them reads the records once the games in the saves have been brought in (`Context.records`).
"""

from __future__ import annotations

import time

from ..engine.deal import deal_daily
from ..engine.dealcode import format_code
from ..engine.errors import (
    CanfieldError,
    NothingThere,
    SaveError,
    UsageError,
    counted,
    plain,
    printable,
    quoted,
)
from ..engine.record import format_record
from ..engine.rules import DEFAULT_PRESET, preset
from ..engine.scoring import MONEY
from ..store import figures
from ..store.paths import records_path
from ..store.records import COLUMNS
from ..store.recordscsv import format_csv, parse_csv, replayed
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
#: Names of players are cut to so many letters where they stand in a column.
NAME = 16
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


def _nothing(rules: str | None, player: str | None) -> str:
    """Say that there is no game, of those that were asked for."""
    of = f" by {_name(player)}" if player else ""
    return f"no game has been recorded yet{of}{f' under {rules}' if rules else ''}"


def _name(player: str) -> str:
    return printable(player, NAME) if player else "(owner)"


def _aligned(rows: Sequence[Sequence[str]], sides: str, indent: int = 0) -> list[str]:
    """Return `rows` as lines with their columns below each other, to the left or right as `sides` say (``<>``).

    A column in which nothing stands is left out. Every line is indented by `indent`.
    """
    if not rows:
        return []
    columns = [
        [format(word, f"{side}{max(map(len, column))}") for word in column]
        for side, column in zip(sides, zip(*rows, strict=True), strict=True)
        if any(column)
    ]
    return [" " * indent + "  ".join(words).rstrip() for words in zip(*columns, strict=True)]


# Statistics.


def stats(context: Context, *, rules: str | None, player: str | None, csv: bool, plot: str | None) -> Result:
    """Tell the statistics of a player for each rule set."""
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
    if not found:
        lines = [_nothing(rules, context.player)]
    elif plot is not None:
        lines = [_drawn(found, plot)]
    else:
        lines = [line for each in found for line in (*_figures_lines(each), "")][:-1]
        lines += _account_lines(account)
    others.pop(context.player, None)
    if others and plot is None:
        names = ", ".join(f"{_name(name)} ({counted(games, 'game')})" for name, games in others.items())
        lines += ["", f"others who play here: {names}"]
    return Result(lines=lines, data=data)


def _drawn(found: Sequence[Figures], path: str) -> str:
    """Draw the figures of games that count into the file at `path`; say so."""
    from ..store.plot import draw

    charts = {rules_words(each.rules): each for each in found if each.counted}
    if not charts:
        return "no game that counts has been recorded yet, so nothing is drawn"
    draw(charts, path)
    return f"the statistics are drawn in {quoted(path)}"


def _figures_lines(each: Figures) -> list[str]:
    lines = [rules_words(each.rules), *_aligned(_figure_rows(each), "<<", 2)]
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
    ups = {
        f"{first}-{end - 1}": sum(each.cards_up[first:end]) for first, end in zip(firsts, ends, strict=True)
    }
    months = dict(list(each.months.items())[-MONTHS:])
    most = max(games for games, _ in months.values())
    return {
        "cards up": [(label, f"{games:,}", games / max(ups.values())) for label, games in ups.items()],
        "won by base rank": [
            (rank, f"{won:,} of {games:,}", won / games) for rank, (games, won) in each.bases.items()
        ],
        "played by month": [
            (month, f"{games:,}, won {won:,}", games / most) for month, (games, won) in months.items()
        ],
    }


def _bars(rows: list[Bar]) -> list[str]:
    return _aligned(
        [(label, words, BAR * (round(share * WIDTH) or share > 0)) for label, words, share in rows], ">><", 4
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
    return ["", "account of the games for money", *_aligned(rows, "<<", 2)]


def _csv(found: Sequence[Figures]) -> str:
    """Return a table with a line for each rule set."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    table = writer(text, lineterminator="\n")
    names = ("played", "helped", "open", "counted", "won", "rate")
    pairs = ("moves", "seconds", "score")
    table.writerow(
        [
            *("preset", "changes", *names, "rate_low", "rate_high", "streak", "longest_streak"),
            *(f"{which}_{name}" for name in pairs for which in ("best", "median")),
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
        found = figures.boards(records, rules, player, daily)
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
    return Result(lines=lines[:-1] or [_nothing(rules, player)], data={"daily": daily, "scores": data})


#: What each leaderboard ranks by.
_BOARDS = {"score": "score", "moves": "moves of wins", "seconds": "time of wins"}


def _board(rows: Sequence[Row]) -> list[str]:
    named = any(game.player for _, game in rows)
    return _aligned(
        [
            [
                f"{place}.",
                score_words(game.rules, game.score),
                counted(game.moves, "move"),
                clock_words(game.seconds),
                _day(game),
                _name(game.player) if named else "",
                f"game {n}",
                "late" if game.late else "",
            ]
            for place, (n, game) in enumerate(rows, 1)
        ],
        ">>>><<><",
        4,
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
        rows = figures.last(records, n or USUAL, rules, player)
    named = any(game.player for _, game in rows)
    lines = [
        [
            str(number),
            _day(game),
            _name(game.player) if named else "",
            game.rules.preset + "+" * bool(game.rules.changes()),
            game.code,
            game.outcome,
            f"{game.cards_up} up",
            counted(game.moves, "move"),
            clock_words(game.seconds),
            score_words(game.rules, game.score),
            game.helped,
        ]
        for number, game in rows
    ]
    return Result(
        lines=_aligned(lines, "><<<<<>>>><") or [_nothing(rules, player)],
        data={"games": [_data(row) for row in rows]},
    )


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
_LATE = "'"
#: What a day must be to count, for a streak of each kind.
_STREAKS = {"played": ("won", "played", "open"), "won": ("won",)}


def daily(context: Context, *, month: str | None, rules: str | None, player: str | None) -> Result:
    """Show a month of daily deals as a calendar, and the streaks of days."""
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
        f"{command} begins {code}",
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
