"""Daily deals looked back on: the calendar of a month, what is late, streaks of days.

Calendars are checked against the standard library's, streaks against dates counted one by one.
"""

import calendar
import re
import shlex
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_stats import LEFT, WON, entry, stock

from canfield_cli.commands.daily import _calendar, _streak
from canfield_cli.commands.environment import Environment
from canfield_cli.engine.deal import deal_daily
from canfield_cli.engine.dealcode import format_code
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.store import figures
from canfield_cli.store.records import open_records

OPEN = {"outcome": "open"}
HELPED = {**WON, "helped": "finish"}


@pytest.fixture
def on(canfield, monkeypatch):
    """The program on a day of the test's choice, at noon in UTC."""

    def run(day, *words):
        noon = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC) + timedelta(hours=12)
        usual = Environment.__init__.__defaults__
        monkeypatch.setattr(Environment.__init__, "__defaults__", (*usual[:-2], noon.timestamp, usual[-1]))
        return canfield(*words)

    run.canfield = canfield
    return run


def deal_of(day, number=0, **values):
    """A game of the deal of a day."""
    return entry(int(day.replace("-", "")) * 10 + number, **{"daily": day, **values})


def state(answer):
    """Each day of a calendar's answer: how far it came, with a `'` where that was late."""
    return {day[8:]: each["state"] + "'" * each["late"] for day, each in answer.json["days"].items()}


# A month.

MONTHS = ["0001-01", "1900-02", "2000-02", "2024-02", "2026-02", "2026-11", "9999-12"]


@pytest.mark.parametrize("month", MONTHS)
def test_the_calendar_has_the_weeks_of_the_month_from_monday_on(on, month):
    lines = on("2026-11-30", "daily", month).out.split("\n\n")[0].splitlines()
    year, number = map(int, month.split("-"))
    assert lines[0] == f"{calendar.month_name[number]} {month[:4]}, standard"
    assert lines[1].split() == ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    weeks = calendar.monthcalendar(year, number)
    assert len(lines) == 2 + len(weeks)
    for line, week in zip(lines[2:], weeks, strict=True):
        cells = [line[start : start + 6].strip(" []") for start in range(0, 42, 6)]
        assert cells == [str(day or "") for day in week]


@given(st.dates(), st.sets(st.integers(1, 31)))
def test_every_day_of_a_month_stands_once_with_its_mark(day, marked):
    month = f"{day.year:04}-{day.month:02}"
    won = figures.Day()
    won.timely = "won"
    lines = _calendar(month, {f"{month}-{number:02}": won for number in marked}, day.isoformat())
    length = calendar.monthrange(day.year, day.month)[1]
    cells = [line.ljust(42)[start : start + 6] for line in lines[1:] for start in range(0, 42, 6)]
    found = {int(cell[1:3]): cell for cell in cells if cell.strip()}
    assert list(found) == list(range(1, length + 1))
    assert {number for number, cell in found.items() if "*" in cell} == {
        each for each in marked if each <= length
    }
    assert [number for number, cell in found.items() if cell[0] + cell[-1] == "[]"] == [day.day]


@pytest.mark.parametrize(
    "month", ["2026", "2026-13", "2026-00", "0000-01", "2026-1", "26-11", "2026-11-30", "x", "٢٠٢٦-11"]
)
def test_what_is_no_month_is_refused(on, month):
    answer = on("2026-11-30", "daily", month)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("error: `")
    assert "2026-11" in answer.err.splitlines()[1]


def test_this_month_is_told_unless_another_is_asked_for_and_today_is_marked(on):
    told = on("2024-02-29", "daily").out
    assert told.startswith("February 2024, standard\n")
    assert "[29  ]" in told
    other = on("2024-02-29", "daily", "2024-03").out
    assert other.startswith("March 2024, standard\n")
    assert "[29" not in other


def test_days_are_marked_as_won_played_or_open_and_as_late(on):
    stock(
        on.canfield,
        deal_of("2026-11-02", **WON),
        deal_of("2026-11-03"),
        deal_of("2026-11-04", outcome="lost"),
        deal_of("2026-11-05", **OPEN),
        deal_of("2026-11-06", **WON, late=True),
        deal_of("2026-11-07", late=True),
        deal_of("2026-11-08", **HELPED),
        deal_of("2026-11-09", player="Ann", **WON),
        deal_of("2026-10-31", **WON),
        entry(1, **WON),
    )
    answer = on("2026-11-30", "daily", "--json")
    assert state(answer) == {
        "02": "won",
        "03": "played",
        "04": "played",
        "05": "open",
        "06": "won'",
        "07": "played'",
        "08": "played",
    }
    told = on("2026-11-30", "daily").out
    assert re.findall(r"\d+[*xo]'?", told) == ["2*", "3x", "4x", "5o", "6*'", "7x'", "8x"]
    assert state(on("2026-11-30", "daily", "--json", "--player", "Ann")) == {"09": "won"}
    assert state(on("2026-11-30", "daily", "2026-10", "--json")) == {"31": "won"}


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([{}, {**WON, "late": True}], "won'"),
        ([WON, {"late": True}], "won"),
        ([{**WON, "late": True}, WON], "won"),
        ([OPEN, {"late": True}], "played'"),
        ([OPEN, {}], "played"),
        ([HELPED, OPEN], "played"),
    ],
)
def test_the_best_of_a_days_games_is_told(on, games, told):
    stock(on.canfield, *(deal_of("2026-11-02", i, **values) for i, values in enumerate(games)))
    assert state(on("2026-11-30", "daily", "--json")) == {"02": told}


def test_each_preset_has_daily_deals_of_its_own(on):
    stock(on.canfield, deal_of("2026-11-02"), deal_of("2026-11-03", rules=preset("easy", redeals=1)))
    assert state(on("2026-11-30", "daily", "--json")) == {"02": "played"}
    assert state(on("2026-11-30", "daily", "--json", "--rules", "easy")) == {"03": "played"}


@pytest.mark.parametrize("name", PRESETS)
def test_what_new_daily_begins_is_told_and_is_true(on, name):
    told = on("2024-02-29", "daily", "2020-01", "--rules", name)
    code = format_code(deal_daily("2024-02-29", name), preset(name).draw)
    assert told.out.splitlines()[-1] == f"canfield new --daily --rules {name} begins {code}"
    assert on("2024-02-29", "new", "--daily", "--rules", name, "--json").json["state"]["code"] == code


@pytest.mark.parametrize("player", ["Bob", "Ann Lee", "O'Neil"])
def test_what_begins_the_deal_of_another_player_names_the_player(on, player):
    *command, begins, _ = shlex.split(on("2026-11-30", "daily", "--player", player).out.splitlines()[-1])
    assert begins == "begins"
    on("2026-11-30", *command[1:])
    told = on("2026-11-30", "daily", "--player", player).out.splitlines()[-1]
    assert told.endswith("is the current game, canfield show shows it")


def test_a_daily_deal_that_is_played_comes_into_the_calendar(on):
    on("2026-11-29", "new", "--daily")
    assert state(on("2026-11-29", "daily", "--json")) == {}
    on("2026-11-29", "draw")
    assert state(on("2026-11-29", "daily", "--json")) == {"29": "open"}
    on("2026-11-30", "new", "--daily", "2026-11-28")
    on("2026-11-30", "draw")
    assert state(on("2026-11-30", "daily", "--json")) == {"28": "open'", "29": "played"}
    assert on("2026-11-30", "daily", "--json").json["streaks"]["played"] == {"now": 1, "longest": 1}


def test_a_daily_deal_goes_on_into_the_next_day(on):
    """It was begun on its own day, so it is not late."""
    on("2026-11-29", "new", "--daily")
    on("2026-11-29", "draw")
    on("2026-11-30", "draw")
    assert state(on("2026-11-30", "daily", "--json")) == {"29": "open"}


# Today's deal.


def last(answer):
    return answer.out.splitlines()[-1]


def test_todays_deal_is_begun_then_current_then_kept_then_won(on):
    day, code = "2026-11-30", format_code(deal_daily("2026-11-30", "standard"), 3)
    assert last(on(day, "daily")) == f"canfield new --daily begins {code}"
    for words in (["new", "--daily"], ["draw"]):
        on(day, *words)
        assert last(on(day, "daily")) == f"today's deal {code} is the current game, canfield show shows it"
        assert last(on(day, "daily", "--player", "Ann")).startswith(
            "canfield new --daily --player Ann begins "
        )
        assert last(on(day, "daily", "--rules", "easy")).startswith(
            "canfield new --daily --rules easy begins "
        )
    on(day, "new", "--seed", "7")
    assert last(on(day, "daily")) == f"today's deal {code} is kept, canfield resume 1 takes it up again"
    assert last(on("2026-12-01", "daily")).startswith("canfield new --daily begins ")
    on(day, "resume", "1")
    assert last(on(day, "daily")) == f"today's deal {code} is the current game, canfield show shows it"
    stock(on.canfield, deal_of(day, **WON))
    assert last(on(day, "daily")) == f"today's deal {code} is won"


def test_a_deal_of_today_that_is_neither_kept_nor_current_may_be_begun_once_more(on):
    stock(on.canfield, deal_of("2026-11-30"))
    assert re.fullmatch(
        r"today's deal CAN-\S+ is played, canfield new --daily begins it once more as another game",
        last(on("2026-11-30", "daily")),
    )


def test_a_game_on_standard_input_is_not_waited_for(on):
    assert last(on("2026-11-30", "daily", "--save", "-")).startswith("canfield new --daily begins ")


# Streaks.


def streaks(answer):
    return {what: (each["now"], each["longest"]) for what, each in answer.json["streaks"].items()}


def test_late_days_are_in_no_streak(on):
    stock(
        on.canfield,
        deal_of("2026-11-27", **WON),
        deal_of("2026-11-28", **WON, late=True),
        deal_of("2026-11-29", **WON),
        deal_of("2026-11-30"),
    )
    assert streaks(on("2026-11-30", "daily", "--json")) == {"played": (2, 2), "won": (1, 1)}


def test_a_day_played_in_time_counts_though_it_was_won_late(on):
    stock(on.canfield, deal_of("2026-11-30"), deal_of("2026-11-30", 1, **WON, late=True))
    assert streaks(on("2026-11-30", "daily", "--json")) == {"played": (1, 1), "won": (0, 0)}


def test_streaks_are_of_all_months_and_a_leap_day_is_one_of_them(on):
    days = ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2023-02-28", "2023-03-01"]
    stock(on.canfield, *(deal_of(day, **WON) for day in days))
    answer = on("2024-03-02", "daily", "2023-02", "--json")
    assert streaks(answer) == {"played": (4, 4), "won": (4, 4)}
    told = on("2024-03-02", "daily").out
    assert "days played in a row: 4 now, 4 at most\n" in told
    assert "days won in a row: 4 now, 4 at most\n" in told
    assert streaks(on("2024-03-03", "daily", "--json"))["won"] == (0, 4)


@given(
    st.sets(st.integers(0, 40)),
    st.integers(0, 40),
    st.sampled_from([date(1, 1, 1), date(2024, 2, 10), date(9999, 11, 20)]),
)
def test_a_streak_is_what_counting_days_gives(numbers, now, first):
    days = {(first + timedelta(number)).isoformat() for number in numbers}
    today = (first + timedelta(now)).isoformat()
    current = 0
    back = now if now in numbers else now - 1
    while back - current in numbers:
        current += 1
    longest = max((b - a + 1 for a in numbers for b in numbers if set(range(a, b + 1)) <= numbers), default=0)
    assert _streak(days, today) == (current, max(longest, 0))


def test_days_are_grouped_whatever_else_the_games_differ_in(tmp_path):
    games = [deal_of("2026-11-02", i, moves=i + 1, rules=preset(redeals=i)) for i in range(5)]
    with open_records(str(tmp_path / "made.db")) as records:
        records.put_all(games)
        (found,) = figures.days(records, "standard", LEFT["player"]).items()
    assert (found[0], found[1].timely, found[1].late, found[1].is_late) == ("2026-11-02", "played", "", False)
