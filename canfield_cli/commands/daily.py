"""The daily deals of a player: a month of them as a calendar, the streaks of days, and how today's deal stands."""

from __future__ import annotations

from itertools import chain
from shlex import join

from ..engine.deal import check_date, deal_daily
from ..engine.dealcode import format_code
from ..engine.errors import UsageError, quoted
from ..engine.rules import DEFAULT_PRESET, preset
from ..store import figures
from .columns import LATE
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..store.figures import Day
    from .context import Context

__all__ = ["daily"]

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
#: The calendar has a cell of this width for each day of the week.
_CELL = 6
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
#: How a day is marked that was played in time; `LATE` follows where it was late.
_MARKS = {"won": "*", "played": "x", "open": "o"}
#: What a day must be to count, for a streak of each kind.
_STREAKS = {"played": ("won", "played", "open"), "won": ("won",)}


def daily(context: Context, *, month: str | None, rules: str | None, player: str | None) -> Result:
    """Show a month of daily deals as a calendar, the streaks of days, and how today's deal stands."""
    today = context.today()
    month = _checked_month(month or today[:7])
    name = rules or DEFAULT_PRESET
    with context.records() as records:
        days = figures.days(records, name, context.player)
    streaks = {
        what: _streak({day for day, each in days.items() if each.timely in states}, today)
        for what, states in _STREAKS.items()
    }
    code = format_code(deal_daily(today, name), preset(name).draw)
    said = [
        (option, value) for option, value in (("--rules", rules), ("--player", player)) if value is not None
    ]
    command = join(["canfield", "new", "--daily", *chain.from_iterable(said)])
    lines = [
        f"{_MONTHS[int(month[5:]) - 1]} {month[:4]}, {name}",
        *_calendar(month, days, today),
        "",
        ", ".join([*(f"{mark} {what}" for what, mark in _MARKS.items()), f"{LATE} late", "[ ] today"]),
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
    game = context.current()
    if game and not game.position.won and (game.tally.player, game.tally.daily, game.rules.preset) == today:
        return f"today's deal {code} is the current game, canfield show shows it"
    kept = [
        each.number
        for each in context.kept()
        if (each.player, each.daily, each.preset) == today and not (each.won or each.fault)
    ]
    if kept:
        return (
            f"today's deal {code} is kept, canfield resume {kept[-1]}{context.place.option} takes it up again"
        )
    if day:
        return f"today's deal {code} is played, {command} begins it once more as another game"
    return f"{command} begins {code}"


def _checked_month(month: str) -> str:
    """Return `month` if it is one, written as 2026-11. Raises UsageError."""
    try:
        check_date(f"{month}-01")
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
        mark = _MARKS[each.best] + LATE * each.is_late if each else ""
        left, right = "[]" if day == today else "  "
        cells.append(f"{left}{number:>2}{mark:<2}{right}")
    weeks = ["".join(cells[start : start + 7]).rstrip() for start in range(0, len(cells), 7)]
    return ["".join(f" {name:<{_CELL - 1}}" for name in _WEEK).rstrip(), *weeks]
