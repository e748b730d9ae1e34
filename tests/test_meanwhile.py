"""What another command does while one is thinking: the one that thinks changes no other game."""

import pytest
from machine import FEW, Machine

from canfield_cli.commands import solving
from canfield_cli.commands.context import LOOKED
from canfield_cli.engine.errors import IllegalMove, NothingThere
from canfield_cli.solver import solve


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def meanwhile(monkeypatch):
    """Return a function that has something done in the middle of the next search."""

    def then(work):
        def searched(position, limits=None, **how):
            monkeypatch.setattr(
                solving, "solve", lambda position, limits=None, **how: solve(position, FEW, **how)
            )
            work()
            return solve(position, FEW, **how)

        monkeypatch.setattr(solving, "solve", searched)

    return then


@pytest.mark.parametrize("line", ["solve", "show --verdict", "hint --peek", "review"])
@pytest.mark.parametrize("other", ["--seed 8", "--seed 7", "--seed 7 --rules easy"])
def test_a_game_that_was_begun_meanwhile_is_not_the_one_that_was_looked_at(machine, meanwhile, line, other):
    machine.do("new --seed 7")
    machine.do("draw")
    meanwhile(lambda: machine.do(f"new {other}"))
    machine.run(line)
    tally = machine.game().tally
    assert (tally.helped, tally.hints, tally.lost) == ("", 0, None)


def test_finish_plays_no_game_that_was_begun_meanwhile(machine, meanwhile):
    machine.do("new --seed 7 --rules easy")
    meanwhile(lambda: machine.do("new --seed 8 --rules easy"))
    error = machine.run("finish").error
    assert isinstance(error, NothingThere)
    assert error.code == "moved-on"
    assert (machine.game().done, machine.game().tally.helped) == ([], "")


def test_a_finish_that_is_too_long_for_a_game_does_none_of_it_and_keeps_no_copy(machine, monkeypatch):
    machine.do("new --seed 7 --rules easy")
    machine.do("draw 3")
    monkeypatch.setattr("canfield_cli.engine.game.LONGEST", 10)
    for _ in range(2):
        assert isinstance(machine.run("finish").error, IllegalMove)
    assert machine.run("resume").data["kept"] == []
    assert machine.game().tally.helped == ""


def test_that_a_game_counts_no_longer_is_said_once_where_it_is_recorded(machine):
    machine.do("new --seed 7")
    assert [machine.run("show --line").warnings for _ in range(2)] == [[LOOKED], []]
    machine.environ["CANFIELD_RECORDS"] = "off"
    machine.do("new --seed 7")
    assert machine.run("show --line").warnings == []


def test_who_goes_back_to_before_a_look_has_seen_the_cards(machine):
    machine.do("new --seed 3")
    machine.do("draw")
    machine.do("restart")
    machine.run("show --reveal")
    machine.do("resume 1")
    assert machine.game().tally.helped == "peek"


@pytest.mark.parametrize("records", ["on", "off"])
def test_another_game_is_not_marked_by_a_look_at_the_one_before(machine, records):
    if records == "off":
        machine.environ["CANFIELD_RECORDS"] = "off"
    machine.do("new --seed 3")
    machine.do("draw")
    machine.run("show --reveal")
    for line in ("new --seed 3", "resume 1", "new --seed 4"):
        machine.do(line)
        machine.do("draw")
        assert machine.game().tally.helped == ("peek" if line == "resume 1" else "")


def test_of_fifty_kept_games_any_can_be_taken_up_and_no_other_is_lost(machine):
    """The current one takes its place: fifty there were, and fifty there are."""
    for seed in range(51):
        machine.do(f"new --seed {seed}")
        machine.do("draw")
    first = machine.do("resume").data["kept"]
    assert [each["number"] for each in first] == list(range(1, 51))
    machine.do("resume 30")
    machine.do("resume 1")
    numbers = [each["number"] for each in machine.do("resume").data["kept"]]
    assert numbers == [*range(2, 30), *range(31, 53)]


def test_a_record_without_a_date_is_recorded_no_more_than_one_with(machine, tmp_path):
    machine.do("new --seed 3")
    record = machine.run("export").document
    file = tmp_path / "game.txt"
    file.write_text("".join(line for line in record.splitlines(True) if not line.startswith("[Date")))
    machine.do(f"import {file}")
    assert machine.game().tally.id == ""


def test_help_in_a_game_that_is_taken_up_again_is_recorded_without_an_action(machine):
    machine.do("new --seed 3")
    machine.do("draw")
    machine.do("new --seed 4")
    machine.do("draw")
    machine.do("resume 1")
    machine.run("show --reveal")
    machine.catch_up()
    assert machine.rows("code, outcome, helped")[0] == ("CAN-D3-2222-2225-V", "open", "peek")


def test_what_is_exported_can_be_imported_also_a_game_whose_actions_were_all_undone(machine, tmp_path):
    for line in ("new --seed 3", "draw", "undo", "new --seed 4", "draw"):
        machine.do(line)
    file = tmp_path / "games.csv"
    file.write_text(machine.do("records export").document)
    before = machine.rows("code, moves, outcome")
    assert len(before) == 2
    machine.do("records forget --yes")
    machine.do(f"records import {file}")
    assert machine.rows("code, moves, outcome") == before
