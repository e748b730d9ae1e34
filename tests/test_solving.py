"""The commands that ask the solver, as a shell script sees them."""

import json
from pathlib import Path

import pytest

from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset

#: From the deals with proven outcomes (data/winnable-200.jsonl): seed 1 is won under `published`, seed 4 of that
#: table lost; both by independent programs.
WON = (
    "Js Td As Kd 8c 5h 8s Jc 7s 7h 8d 6d 2c Jd 9h Jh Kh Ah 8h 3c 5d 9d 4c Qd 9s 6s 3d 2h Ts 6c 3h Th 7d 5s 9c 4s "
    "7c Kc 4d 2d 5c Ad 3s Qs Qc 4h 2s Ac Qh Tc Ks 6h"
)
#: Two red kings wait under their own queens: no card can ever move.
LOST = "A KKJT - QsKs/Js/QhKh/- - - 3"


def lost_deal():
    """A deal that the table of proven outcomes calls lost under every preset but those with base builds."""
    for line in (Path(__file__).parent / "data" / "winnable-200.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["outcome"]["published"] == "lost":
            return row["deal"]
    raise AssertionError


def replayed(deal, name, actions):
    """Return whether `actions` win `deal`, by the engine."""
    game = Game.of(deal, preset(name))
    for action in actions:
        game.play(action)
    return game.position.won


def test_a_deal_that_can_be_won_is_proved_by_its_actions(canfield):
    answer = canfield("solve", "--deal", "-", "--rules", "published", "--json", stdin=WON)
    assert answer.status == 0
    assert answer.json["verdict"] == "won"
    assert {"n", "actions", "states", "seconds", "backend"} <= set(answer.json)
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    assert canfield("move", *answer.json["actions"], "--json").json["state"]["won"] is True


def test_a_deal_that_cannot_be_won_has_status_1(canfield):
    answer = canfield("solve", "--deal", "-", "--rules", "published", "--json", stdin=lost_deal())
    assert answer.status == 1
    assert answer.json["ok"] is True
    assert answer.json["verdict"] == "lost"


def test_a_limit_gives_unknown_with_status_5_and_never_lost(canfield):
    answer = canfield("solve", "--seed", "3", "--max-states", "5", "--json")
    assert answer.status == 5
    assert (answer.json["verdict"], answer.json["limit"]) == ("unknown", "states")


def test_many_positions_are_answered_in_order_a_line_each(canfield):
    lines = f"{WON}\nnonsense\n\n{lost_deal()}\n"
    for jobs in ("1", "2"):
        words = ["solve", "--positions", "-", "--rules", "published", "--jobs", jobs, "--json"]
        answer = canfield(*words, stdin=lines)
        assert answer.status == 0
        objects = [json.loads(line) for line in answer.out.splitlines()]
        assert [each["n"] for each in objects] == [1, 2, 3]
        assert [each["verdict"] for each in objects] == ["won", "error", "lost"]
    assert (
        len(canfield("solve", "--positions", "-", "--rules", "published", stdin=lines).out.splitlines()) == 3
    )


def test_two_things_to_solve_at_once_are_refused(canfield):
    assert canfield("solve --seed 1 --pysol 2").status == 2
    assert canfield("solve --seed 1 --positions -").status == 2
    canfield("new --seed 3")
    assert canfield("solve --rules gilded").status == 2


def test_finish_plays_the_win_out_and_it_can_be_undone(canfield):
    canfield("new --seed 3")
    answer = canfield("finish --json")
    assert answer.json["state"]["won"] is True
    assert replayed(deal_seed(3), "standard", answer.json["did"])
    assert canfield("undo --json").json["state"]["won"] is False
    assert canfield("check").status == 0


def test_peeking_gives_the_way_to_a_win_and_says_that_it_looked(canfield):
    canfield("new --seed 3")
    answer = canfield("hint --peek --json")
    assert answer.json["peeked"] is True
    assert "looked at the hidden cards" in answer.json["hint"][0]["why"]
    for _ in range(400):
        answer = canfield("hint --peek --json")
        if answer.status:
            break
        canfield("move", answer.json["hint"][0]["action"])
    assert canfield("show --json").json["state"]["won"] is True


def thrown_away(canfield):
    """Play a winnable game by its first legal action until it is lost; return how many actions that took."""
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    for number in range(1, 400):
        legal = canfield("moves").out.split()
        canfield("move", legal[-1] if number % 2 else legal[0])
        if canfield("solve").status == 1:
            return number
    raise AssertionError


def test_a_lost_game_is_reviewed_and_peeking_says_how_far_to_go_back(canfield):
    number = thrown_away(canfield)
    answer = canfield("review --json")
    assert answer.json["mistake"] == number
    assert answer.json["won_until"] == number - 1
    peeked = canfield("hint --peek --json")
    assert peeked.status == 1
    assert peeked.json["error"]["code"] == "lost"
    assert peeked.json["error"]["undos"] == 1
    assert canfield("finish").status == 1
    canfield("undo")
    assert canfield("solve").status == 0
    better = answer.json["better"]
    canfield("move", better)
    assert canfield("solve").status == 0


def test_show_can_carry_the_verdict(canfield):
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    assert canfield("show --verdict --json").json["verdict"]["verdict"] == "won"
    assert "can be won" in canfield("show --verdict").out


@pytest.mark.parametrize(
    ("option", "outcome", "status"), [("--winnable", "won", 0), ("--unwinnable", "lost", 1)]
)
def test_a_new_game_can_be_asked_to_be_winnable_or_not(canfield, option, outcome, status):
    answer = canfield("new", option, "--seed", "1", "--rules", "published", "--json")
    assert answer.status == 0
    assert canfield("solve").status == status
    again = canfield("new", option, "--seed", "1", "--rules", "published", "--json")
    assert again.json["state"]["code"] == answer.json["state"]["code"]
    assert "tried" in canfield("new", option, "--seed", "1", "--rules", "published").out
    assert canfield("new", option, "--pysol", "1").status == 2


def test_finish_keeps_the_game_as_it_was(canfield):
    canfield("new --seed 3")
    canfield("draw 3")
    before = canfield("show --json").json["state"]
    assert canfield("finish").status == 0
    kept = canfield("resume --json").json["kept"]
    assert [each["moves"] for each in kept] == [3]
    assert canfield(f"resume {kept[0]['number']} --json").json["state"] == before
