"""The time played: when the clock runs and when it rests, whatever the clock of the machine does."""

import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine import NOON, Machine, won_actions
from prompt_toolkit.application import create_app_session
from prompt_toolkit.formatted_text import to_formatted_text
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from canfield_cli.cli.repl import Repl
from canfield_cli.cli.session import Session, split
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.commands.settings import SETTINGS
from canfield_cli.commands.table import common_values
from canfield_cli.engine.clock import Clock, instant
from canfield_cli.engine.rules import PRESETS

#: The last second of the year 9999.
LAST_SECOND = 253_402_300_799
#: Clocks that are wrong, and days that are not like others.
ODD_TIMES = {
    "1969": -86_400.0,
    "the first second": 0.0,
    "leap day": 1_709_164_800.0,
    "end of leap day": 1_709_251_199.999,
    "2038": 2.0**31,
    "the last second": float(LAST_SECOND),
    "the year 10000": LAST_SECOND + 1.0,
    "far off": 1e18,
}


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def at(machine, seconds, line):
    """Run a command so many seconds after noon."""
    machine.now = NOON + seconds - 1
    return machine.do(line)


def seconds(machine):
    return machine.game().clock.seconds


# One command at a time.


def test_the_clock_runs_from_the_first_action_not_from_the_deal(machine):
    at(machine, 0, "new --rules gilded --seed 5")
    at(machine, 100, "draw")
    assert seconds(machine) == 0
    at(machine, 110, "draw")
    assert seconds(machine) == 10


@pytest.mark.parametrize(("gap", "counted"), [(0.5, 0.5), (179, 179), (180, 180), (181, 180), (86_400, 180)])
def test_between_two_commands_three_minutes_count_at_most(machine, gap, counted):
    at(machine, 0, "new --seed 5")
    at(machine, 10, "draw")
    at(machine, 10 + gap, "draw")
    assert seconds(machine) == counted


def test_every_action_counts_undo_and_redo_too_and_what_is_refused_or_only_looks_does_not(machine):
    at(machine, 0, "new --seed 5")
    at(machine, 0, "draw")
    at(machine, 5, "undo")
    at(machine, 7, "redo")
    assert seconds(machine) == 7
    for line in ("show", "moves", "hint", "hint --peek", "log"):
        at(machine, 20, line)
    machine.now = NOON + 30
    assert machine.run("move rf wf rf wf rf wf").error
    assert seconds(machine) == 7
    at(machine, 40, "draw")
    assert seconds(machine) == 40


def test_the_time_between_leaving_a_game_and_taking_it_up_again_is_a_gap_like_another(machine):
    at(machine, 0, "new --seed 5")
    at(machine, 0, "draw")
    at(machine, 10, "draw")
    at(machine, 20, "new --seed 6")
    at(machine, 9000, "resume 1")
    assert seconds(machine) == 10
    at(machine, 9005, "draw")
    assert seconds(machine) == 10 + 180


def test_a_game_that_is_begun_again_has_its_time_before_it(machine):
    at(machine, 0, "new --seed 5")
    at(machine, 0, "draw")
    at(machine, 10, "draw")
    at(machine, 20, "restart")
    assert seconds(machine) == 0
    at(machine, 30, "draw")
    assert seconds(machine) == 0
    at(machine, 37, "draw")
    assert seconds(machine) == 7
    assert machine.game().clock.begun == NOON


def test_the_clock_stops_when_the_game_is_won_and_runs_again_only_when_play_goes_on(machine):
    machine.win(5, "gilded", wait=12.0)
    assert seconds(machine) == 12
    won = machine.now - NOON
    for later, line in ((50, "show"), (60, "show --json"), (70, "undo"), (80, "show")):
        at(machine, won + later, line)
        assert seconds(machine) == 12
    at(machine, won + 75, "redo")
    assert seconds(machine) == 12 + 5
    at(machine, won + 500, "show")
    assert seconds(machine) == 17
    assert machine.rows("seconds") == [12]


# Sessions.


def session_of(machine, *lines):
    """Begin a session on the machine's save; return a function that runs a line in it after so many seconds."""
    env = Environment(machine.out, machine.out, machine.out, machine.environ, lambda: machine.now)
    session = Session(env, HeldPlace(str(machine.save), machine.environ, 0.0))

    def run(after, line):
        machine.now += after
        for words in split(line):
            result, _ = session.run(words)
            assert not result.error, result.error

    for line in lines:
        run(0, line)
    return run


def test_a_session_rests_after_three_minutes_unless_told(machine):
    run = session_of(machine, "new --seed 5", "draw")
    run(100, "draw")
    run(1000, "draw")
    assert seconds(machine) == 100 + 180


@pytest.mark.parametrize("pause", SETTINGS["pause"][0])
def test_a_setting_says_after_how_many_seconds_the_clock_of_a_session_rests(machine, pause):
    run = session_of(machine, f"set pause {pause}", "new --seed 5", "draw")
    run(10, "draw")
    run(3600, "draw")
    assert seconds(machine) == 10 + int(pause)


def test_the_pause_holds_from_the_next_action_on_and_for_that_session_alone(machine):
    run = session_of(machine, "new --seed 5", "draw")
    run(100, "set pause 30")
    run(0, "draw")
    assert seconds(machine) == 30
    machine.now += 100
    machine.do("draw")
    assert seconds(machine) == 30 + 101


# Clocks that are not what they should be.


def test_a_clock_that_jumps_back_counts_nothing_until_it_is_where_it_was(machine):
    at(machine, 0, "new --seed 5")
    at(machine, 1000, "draw")
    at(machine, 1010, "draw")
    for back in (500, 507, 1010):
        at(machine, back, "draw")
        assert seconds(machine) == 10
        assert machine.game().clock.last == NOON + 1010
    at(machine, 1017, "draw")
    assert seconds(machine) == 17


@pytest.mark.parametrize("now", ODD_TIMES.values(), ids=ODD_TIMES)
def test_whatever_the_clock_says_the_save_can_be_read_and_the_game_is_recorded(machine, now):
    machine.now = now
    for line in ("new --daily", "draw", "draw", "undo", "show", "hint", "daily", "resume", "check", "export"):
        machine.do(line)
    assert machine.game().clock.seconds <= 9
    machine.do("new --rules bsd")
    assert machine.rows() == ["left"]
    for line in ("draw", "log", "stats", "scores", "resume 1"):
        machine.do(line)
    assert sorted(machine.rows()) == ["left", "left"]


@pytest.mark.parametrize("now", ODD_TIMES.values(), ids=ODD_TIMES)
def test_a_game_goes_on_from_any_clock_to_the_right_one_and_back(machine, now):
    machine.do("new --seed 5")
    for there in (NOON, now, NOON, now):
        machine.now = there
        machine.do("draw")
    assert 0 <= seconds(machine) <= 3 * 180
    machine.do("new")
    assert machine.rows() == ["left"]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "<+14>-14", "nonsense", ""])
@pytest.mark.parametrize("now", [1_709_251_199.0, 1_709_251_200.0, NOON])
def test_time_zones_change_nothing_that_is_recorded(tmp_path, monkeypatch, zone, now):
    def lived(folder):
        folder.mkdir()
        machine = Machine(folder)
        machine.now = now - 1
        for line in ("new --daily", "draw", "new --daily 2024-02-29", "draw", "new"):
            machine.do(line)
        return machine.rows("code, daily, late, begun, ended, seconds")

    usual = lived(tmp_path / "usual")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert lived(tmp_path / "there") == usual
    finally:
        monkeypatch.undo()
        time.tzset()
    day = {1_709_251_199.0: "2024-02-29", 1_709_251_200.0: "2024-03-01", NOON: "2026-11-30"}[now]
    # The second one is begun two seconds later, which is the next day at the latest.
    assert [row[1:3] for row in usual] == [(day, 0), ("2024-02-29", 1)]


INSTANTS = st.one_of(st.floats(-1e12, 1e12), st.floats(allow_nan=False, allow_infinity=False))


@given(st.lists(INSTANTS, min_size=1, max_size=20), st.floats(0, 1000))
def test_time_never_runs_backwards_nor_faster_than_the_rule_allows(instants, rest):
    clock = Clock()
    latest = 0.0
    for now in instants:
        before, first = clock.seconds, clock.last is None
        clock.tick(now, rest=rest)
        assert before <= clock.seconds <= before + (0 if first else rest + 0.001)
        assert 0 <= clock.last <= LAST_SECOND
        latest = max(latest, instant(now))
        assert clock.last == latest


@given(INSTANTS, INSTANTS)
def test_what_the_clock_shows_is_what_the_next_action_will_make_of_it(first, then):
    clock = Clock()
    assert clock.at(first) == 0
    clock.tick(first)
    shown = clock.at(then)
    clock.tick(then)
    assert clock.seconds == shown


# The toolbar.


@pytest.fixture
def repl(machine):
    """A REPL over the machine's save that nobody types into."""
    env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), machine.environ, lambda: machine.now)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield Repl(str(machine.save), common_values(), env, pipe, DummyOutput())


def toolbar(repl):
    return fragment_list_to_text(to_formatted_text(repl.prompt.bottom_toolbar()))


@pytest.mark.parametrize("name", PRESETS)
def test_the_toolbar_shows_the_time_running_where_the_rules_have_a_clock(machine, repl, name):
    machine.do(f"new --rules {name} --seed 5")
    machine.do("draw")
    times = []
    for _ in range(3):
        machine.now += 25
        times.append(toolbar(repl).replace("\n", " ").partition("time ")[2][:4])
    assert times == (["0:25", "0:50", "1:15"] if PRESETS[name]["clock"] == "yes" else [""] * 3)
    # Looking does not play.
    assert seconds(machine) == 0


def test_the_toolbar_waits_for_the_first_action_and_rests_with_the_clock(machine, repl):
    machine.do("new --rules gilded --seed 5")
    machine.now += 100
    assert "time 0:00" in toolbar(repl)
    repl.enter("draw")
    machine.now += 1000
    assert "time 3:00" in toolbar(repl)
    repl.enter("set pause 30")
    assert "time 0:30" in toolbar(repl)
    repl.enter("draw")
    assert "time 0:30" in toolbar(repl)
    assert seconds(machine) == 30


def test_the_toolbar_stands_still_once_the_game_is_won(machine, repl):
    machine.win(5, "gilded", wait=12.0)
    machine.now += 100
    assert "time 0:12" in toolbar(repl)
    moves = len(won_actions(5, "gilded"))
    assert f"{moves} moves" in toolbar(repl)
