"""Points under the four scoring tables, and the clock that one of them needs."""

import pytest
from strategies import played_out

from canfield_cli.engine.clock import LONGEST_GAP, Clock
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.scoring import MONEY, SCORINGS

#: One card is up: the points with which each preset begins.
BEGINNING = {
    "standard": 0, "easy": 0, "modern": 0, "classic": 5, "gilded": 0, "casino": -45, "bsd": -8, "published": 0,
}  # fmt: skip
#: The points of a game won without taking a card back, the time bonus aside; under bsd 52 cards of 5 less the
#: 13 for the cards, and what its actions cost.
WON = {
    "standard": 255, "easy": 255, "modern": 0, "classic": 760, "gilded": 255, "casino": 450, "bsd": 247, "published": 255,
}  # fmt: skip


def game_at(line, name="standard", **options):
    return Game(parse_position(line, preset(name, **options)))


def played(line, *actions, rules="standard", **options):
    game = game_at(line, rules, **options)
    for action in actions:
        game.play(action)
    return game


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_from_its_deal_to_its_win_scores_what_the_rules_say(name):
    def make(line):
        game = game_at(line, name, draw=1)
        assert game.score == BEGINNING[name]
        return game

    # One card at a time, so that chance wins soon; no scoring table knows of the draw.
    game = played_out({**PRESETS[name], "draw": 1}, make)
    assert game.position.cards_up == 52
    spent = 13 + 26 * ("draw" in game.done) + 5 * game.position.redeals if name == "bsd" else 0
    assert game.points == WON[name] - spent
    assert game.score == game.points + (1200 if name == "classic" else 0)


ONE_TO_WIN = "A KKKQ - Ks/-/-/- - - 0"


def test_under_cards_each_card_put_up_scores_five_and_taking_back_costs_nothing():
    line = "5 5--- - 6c/7h/9s/Jd - 5d 0"
    assert played(line, "1f").score == 5
    assert played(line, "1f", "fc2").score == 5
    assert played(line, "1f", "fc2", "2f").score == 10
    assert played(line, "1f", "fc2", "2f", "wf").score == 15


def test_under_bonus_what_stands_on_the_foundations_counts():
    line = "5 5--- - 6c/7h/9s/Jd - 5d 0"
    options = {"scoring": "bonus"}
    assert game_at(line, **options).score == 5
    assert played(line, "1f", **options).score == 10
    assert played(line, "1f", "fc2", **options).score == 5
    assert played(line, "1f", "fc2", "2f", "wf", **options).score == 15


@pytest.mark.parametrize(
    ("seconds", "bonus"), [(0, 1200), (1, 1199), (1.999, 1199), (1199.5, 1), (1200, 0), (99999, 0)]
)
def test_under_bonus_a_win_gives_1200_less_one_a_second(seconds, bonus):
    game = game_at(ONE_TO_WIN, "classic")
    game.clock.seconds = seconds
    assert game.score == 51 * 5
    game.play("1f")
    assert game.score == 52 * 5 + 500 + bonus


def test_undoing_the_win_takes_its_bonus_away_again():
    game = played(ONE_TO_WIN, "1f", rules="classic")
    assert game.score == 1960
    game.undo()
    assert game.score == 255
    game.redo()
    assert game.score == 1960


def test_under_moves_there_are_no_points():
    assert played(ONE_TO_WIN, "1f", rules="modern").score == 0


def test_under_casino_ten_cards_up_break_even_and_a_win_is_450():
    assert game_at("A A--- 2c 3c/3d/4c/4d - - 0", "casino").score == -45
    assert game_at("A 9--- Tc Jc/3d/4s/4d - - 0", "casino").score == -5
    assert played("A 9--- Jc Tc/3d/4s/4d - - 0", "1f", rules="casino").score == 0
    assert game_at(ONE_TO_WIN, "casino").score == 205
    assert played(ONE_TO_WIN, "1f", rules="casino").score == 450


BSD = "5 5--- 9c 6c/7h/9s/Jd 4h5d - 0"


def test_under_bsd_the_first_action_the_first_draw_and_each_redeal_have_their_price():
    assert game_at(BSD, "bsd").score == -13 + 5
    assert played(BSD, "1f", rules="bsd").score == -13 + 10 - 13
    assert played(BSD, "draw", rules="bsd").score == -13 + 5 - 13 - 26
    assert played(BSD, "1f", "draw", rules="bsd").score == -13 + 10 - 13 - 26
    again = played(BSD, "draw", "redeal", "draw", "redeal", "draw", rules="bsd")
    assert again.score == -13 + 5 - 13 - 26 - 2 * 5


def test_under_bsd_each_full_minute_costs_one_and_between_two_actions_three_at_most():
    game = played(BSD, "1f", rules="bsd")
    before = game.score
    for now in (1000.0, 1059.0):
        game.clock.tick(now)
    assert game.score == before
    game.clock.tick(1060.0)
    assert game.score == before - 1
    game.clock.tick(1060.0 + 86400)
    assert game.score == before - 4


def test_a_pack_of_bsd_costs_52_so_eleven_cards_up_are_three_ahead():
    line = "5 TT-- 9c Jc/7h/9s/Jd 4h5s - 0"
    # Twelve cards are up: six of clubs, six of diamonds.
    game = played(line, "draw", rules="bsd")
    assert game.position.cards_up == 12
    assert game.score == -52 + 12 * 5


@pytest.mark.parametrize(("scoring", "most"), [("casino", 500), ("bsd", 260)])
def test_what_is_paid_out_is_five_a_card_and_under_casino_500_for_all(scoring, most):
    assert scoring in MONEY
    assert SCORINGS[scoring].paid(10, 0) == 50
    assert SCORINGS[scoring].paid(52, 1) == most


def test_under_bsd_only_what_its_prices_could_have_made_is_possible():
    assert SCORINGS["bsd"].possible(-13, 1)
    # The first action may be a draw; after it a redeal is the dearest.
    assert SCORINGS["bsd"].possible(-13 - 26, 1)
    assert SCORINGS["bsd"].possible(-13 - 26 - 5, 2)
    assert not SCORINGS["bsd"].possible(-1000, 1)
    assert not SCORINGS["bsd"].possible(1000, 1)


@pytest.mark.parametrize(
    ("scoring", "points"), [("cards", 20), ("bonus", 20 + 500), ("moves", 0), ("casino", 260)]
)
def test_cards_that_go_up_by_themselves_score_as_others_do(scoring, points):
    line = "A KKJJ - Qs/Qh/Ks/Kh - - 0"
    game = game_at(line, scoring=scoring, finish="auto")
    before = game.points
    game.play("1f")
    assert game.points - before == points
    assert game.moves == 1


@pytest.mark.parametrize("scoring", ["cards", "bonus", "moves", "casino"])
def test_what_could_have_given_points_is_told_from_what_could_not(scoring):
    table = SCORINGS[scoring]
    assert table.possible(0, 0)
    assert table.possible(0, 3)
    assert not table.possible(-1, 3)
    assert not table.possible(5, 0)
    assert not table.possible(1, 3)
    assert table.possible(10, 2) is (scoring != "moves")
    assert table.possible(-10, 2) is (scoring in ("bonus", "casino"))
    assert not table.possible(-15, 2)
    assert not table.possible(5000, 3)


# The clock.


def test_the_clock_counts_from_the_first_action():
    clock = Clock(begun=1000.0)
    clock.tick(1500.0)
    assert clock.seconds == 0
    clock.tick(1507.25)
    clock.tick(1510.0)
    assert clock.seconds == 10.0
    assert (clock.begun, clock.last) == (1000.0, 1510.0)


def test_a_long_gap_counts_as_three_minutes():
    clock = Clock(last=1000.0)
    clock.tick(1000.0 + 180)
    assert clock.seconds == 180
    clock.tick(1000.0 + 86400)
    assert clock.seconds == 360
    assert LONGEST_GAP == 180


def test_a_clock_that_is_set_back_takes_nothing_away():
    clock = Clock(last=1000.0, seconds=7.5)
    for now in (400.0, 402.0, 1000.0):
        clock.tick(now)
        assert (clock.seconds, clock.last) == (7.5, 1000.0)
    clock.tick(1002.0)
    assert (clock.seconds, clock.last) == (9.5, 1002.0)


def test_the_clock_rests_while_it_is_told_so():
    clock = Clock(last=1000.0, seconds=7.5)
    clock.tick(1010.0, running=False)
    assert clock.seconds == 7.5
    clock.tick(1011.0)
    assert clock.seconds == 8.5


def test_thousandths_of_seconds_do_not_pile_up():
    clock = Clock(last=0.0)
    for i in range(1, 1001):
        clock.tick(i / 10)
    assert clock.seconds == 100.0


@pytest.mark.parametrize(
    ("now", "instant"), [(1000.0004, 1000.0), (1000.0016, 1000.002), (1000.1234, 1000.123)]
)
def test_an_instant_is_noted_to_the_millisecond(now, instant):
    clock = Clock()
    clock.tick(now)
    assert clock.last == instant


@pytest.mark.parametrize(("now", "instant"), [(-5.0, 0.0), (1e15, 253_402_300_799.0)])
def test_a_clock_that_is_far_off_is_taken_for_1970_or_the_year_9999(now, instant):
    clock = Clock()
    clock.tick(now)
    assert clock.last == instant


def test_a_running_clock_tells_what_an_action_now_would_make_of_it():
    clock = Clock(last=1000.0, seconds=7.0)
    assert clock.at(1002.5) == 9.5
    assert clock.at(5000.0) == 187.0
    assert clock.at(5000.0, 30.0) == 37.0
    assert clock.at(900.0) == 7.0
    assert clock.seconds == 7.0
    assert Clock(seconds=7.0).at(1000.0) == 7.0
