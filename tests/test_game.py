"""A game in progress: counts, undo and redo under every policy, the game that comes back from a save."""

import pytest
from strategies import played_out

from canfield_cli.engine.cards import PACK
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import Deal
from canfield_cli.engine.dealcode import format_code
from canfield_cli.engine.errors import IllegalMove, NothingThere, SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.state import format_state

#: Two cards can go up (6c from column 1, 5d from the waste) and the waste can be turned over for ever.
LINE = "5 5--- - 6c/7h/9s/Jd - 5d 0"


def game_at(line=LINE, name="standard", **options):
    return Game(parse_position(line, preset(name, **options)))


def counts(game):
    return (game.moves, game.undos, game.points)


def turn(game, count):
    """Do `count` actions that can always be done: draws and redeals."""
    for _ in range(count):
        game.play(game.position.legal()[0])


# Counts.


def test_every_action_is_one_move_a_draw_and_a_redeal_too_but_the_autofill_is_none():
    game = game_at("5 5--- 2c3c 6c/9h/3h/3s 2s - 0")
    game.play("draw")
    game.play("redeal")
    told = game.play("1f")
    assert (told.action, told.filled) == ("1f", "3c")
    assert game.history[-1] is told
    assert game.moves == 3


@pytest.mark.parametrize(("undo_counts", "after_undo", "after_redo"), [("no", 1, 2), ("yes", 3, 4)])
def test_an_undo_takes_its_move_off_or_is_one_more(undo_counts, after_undo, after_redo):
    game = game_at(undo_counts=undo_counts)
    game.play("1f")
    game.play("wf")
    game.undo()
    assert (game.moves, game.undos) == (after_undo, 1)
    game.redo()
    assert (game.moves, game.undos) == (after_redo, 1)


def test_redeals_and_cards_up_are_counted_and_undone():
    game = game_at()
    game.play("redeal")
    game.play("1f")
    assert (game.position.redeals, game.position.cards_up) == (1, 2)
    game.undo(2)
    assert (game.position.redeals, game.position.cards_up) == (0, 1)


@pytest.mark.parametrize(("undo_score", "undone", "again"), [("refund", 0, 5), ("keep", 5, 10)])
def test_undone_points_go_back_or_stay(undo_score, undone, again):
    game = game_at(undo_score=undo_score)
    game.play("1f")
    game.undo()
    assert game.points == undone
    game.play("wf")
    assert game.points == again


@pytest.mark.parametrize("undo_score", ["refund", "keep"])
def test_redo_leaves_the_points_as_they_were_before_the_undo(undo_score):
    game = game_at(undo_score=undo_score)
    game.play("1f")
    game.play("wf")
    for count in (1, 2):
        game.undo(count)
        game.redo(count)
        assert game.points == 10


# Undo and redo.


def test_undo_takes_back_the_last_first_and_tells_what_it_took_back():
    game = game_at()
    start = game.position
    game.play("1f")
    game.play("wf")
    assert [played.action for played in game.undo(2)] == ["wf", "1f"]
    assert game.position is start
    assert (game.done, game.undone) == ([], ["1f", "wf"])
    assert [played.action for played in game.redo(2)] == ["1f", "wf"]
    assert (game.done, game.undone) == (["1f", "wf"], [])


def test_a_new_action_forgets_what_was_undone():
    game = game_at()
    game.play("1f")
    game.undo()
    game.play("wf")
    assert game.undone == []
    with pytest.raises(NothingThere, match="there is nothing to redo") as caught:
        game.redo()
    assert caught.value.code == "nothing-to-redo"


def test_an_illegal_action_changes_nothing_not_even_what_can_be_redone():
    game = game_at()
    game.play("1f")
    game.undo()
    with pytest.raises(IllegalMove):
        game.play("rf")
    assert game.undone == ["1f"]
    assert counts(game) == (0, 1, 0)


def test_undo_and_redo_do_all_or_nothing():
    game = game_at()
    game.play("1f")
    with pytest.raises(NothingThere, match="2 actions can't be undone, only 1"):
        game.undo(2)
    assert game.done == ["1f"]
    game.undo()
    with pytest.raises(NothingThere, match="only 1 can") as caught:
        game.redo(2)
    assert "fewer" in caught.value.hint
    assert game.undone == ["1f"]


def test_with_nothing_done_there_is_nothing_to_undo():
    with pytest.raises(NothingThere, match="nothing to undo") as caught:
        game_at().undo()
    assert caught.value.code == "nothing-to-undo"
    assert caught.value.status == 1


def test_under_casino_there_is_no_undo_at_all():
    game = game_at(name="casino")
    for _ in range(2):
        with pytest.raises(NothingThere, match="no undo under these rules") as caught:
            game.undo()
        assert caught.value.code == "no-undo"
        game.play(game.position.legal()[0])
    assert game.undoable == 0


def test_the_last_hundred_actions_can_be_undone():
    game = game_at()
    turn(game, 103)
    with pytest.raises(NothingThere, match=r"only 100 can, undo_limit is 100$"):
        game.undo(101)
    game.undo(100)
    assert len(game.done) == 3
    assert format_position(game.position) == "5 5--- - 6c/7h/9s/Jd 5d - 2"
    with pytest.raises(NothingThere, match=r"^nothing more can be undone, undo_limit is 100$") as caught:
        game.undo()
    assert caught.value.code == "nothing-to-undo"
    game.redo(100)
    assert len(game.done) == 103


def test_the_floor_of_undo_only_moves_forward():
    game = game_at(undo_limit=3)
    turn(game, 5)
    assert game.floor == 2
    game.undo(3)
    assert game.undoable == 0
    # A new action from there can be undone, but it does not open the way to what is below.
    game.play("1f")
    assert (game.floor, game.undoable) == (2, 1)
    turn(game, 2)
    assert (game.floor, game.undoable) == (2, 3)
    turn(game, 1)
    assert (game.floor, game.undoable) == (3, 3)


def test_redo_moves_the_floor_no_further_than_it_was():
    game = game_at(undo_limit=3)
    turn(game, 5)
    game.undo(3)
    game.redo(3)
    assert (game.floor, game.undoable) == (2, 3)


# Beginning, and beginning again.


def test_a_game_of_a_deal_begins_as_it_was_dealt():
    deal = Deal(PACK)
    game = Game.of(deal, preset("easy"))
    assert game.deal == deal
    assert game.code == format_code(deal, 1)
    # Clubs A to K are the reserve, Ad the base card, 2d to 5d the columns, 6d the next of the stock.
    reserve, stock = "".join(PACK[:13]), "".join(PACK[:17:-1])
    assert format_position(game.position) == f"A -A-- {reserve} 2d/3d/4d/5d {stock} - 0"
    game.play("draw")
    assert game.position.waste == ("6d",)


def test_a_game_from_the_middle_has_no_code():
    assert game_at().code is None


@pytest.mark.parametrize("name", PRESETS)
def test_a_restarted_game_is_the_same_deal_with_nothing_counted(name):
    deal = Deal(PACK)
    game = Game.of(deal, preset(name))
    game.clock = Clock(1000.0, 2000.0, 30.0)
    turn(game, 5)
    for _ in range(2):
        game = game.restarted()
        fresh = Game.of(deal, preset(name))
        assert game.position == fresh.position
        assert counts(game) == counts(fresh)
        assert (game.done, game.undone, game.floor, game.deal) == ([], [], 0, deal)
        # It was dealt when it was dealt, and its time begins anew with the next action.
        assert (game.clock.begun, game.clock.last, game.clock.seconds) == (1000.0, None, 0)
        game.clock.tick(5000.0)
        assert game.clock.seconds == 0


# The state.

EXAMPLE = "7 --7- 2c3c4c5c7c8c9cTcJcJsQs8hQc 6c/Kh/Qh/As Kc2d3d4d - 0"


def test_the_state_is_that_of_the_interface():
    state = format_state(game_at(EXAMPLE))
    rules = {"preset": "standard", "draw": 3, "runs": "any", "fill": "any", "base_build": "yes", "takeback": "yes",
             "redeals": "unlimited", "undo_limit": 100, "undo_score": "refund", "undo_counts": "no",
             "finish": "manual", "scoring": "cards", "clock": "no"}  # fmt: skip
    assert state == {
        "format": "canfield-state", "version": 1,
        "code": None, "rules": rules, "base": "7",
        "stock": {"count": 4}, "waste": [], "reserve": {"count": 13, "top": "Qc"},
        "foundations": {"c": [], "d": [], "h": ["7h"], "s": []},
        "columns": [["6c"], ["Kh"], ["Qh"], ["As"]],
        "legal": ["draw", "r2", "24x1"],
        "score": 0, "moves": 0, "undos": 0, "redeals": 0, "seconds": 0.0, "cards_up": 1,
        "won": False, "stuck": False,
    }  # fmt: skip


def test_the_state_lists_hidden_cards_only_where_they_are_asked_for():
    game = game_at(EXAMPLE)
    for action in ("draw", "r2", "rf"):
        game.play(action)
    state = format_state(game, reveal=True)
    assert state["stock"] == {"count": 1, "cards": ["Kc"]}
    assert state["reserve"]["cards"] == ["2c", "3c", "4c", "5c", "7c", "8c", "9c", "Tc", "Jc", "Js", "Qs"]
    assert state["waste"] == ["4d", "3d", "2d"]
    assert state["foundations"]["h"] == ["7h", "8h"]
    assert state["columns"][1] == ["Kh", "Qc"]
    assert (state["score"], state["moves"], state["cards_up"]) == (5, 3, 2)


def test_the_state_of_a_game_without_reserve_has_no_top():
    assert format_state(game_at())["reserve"] == {"count": 0, "top": None}


def test_the_state_names_the_code_of_the_deal():
    deal = Deal(PACK)
    assert format_state(Game.of(deal, preset("easy")))["code"] == format_code(deal, 1)


# Restored games.


def restored(game, **changes):
    held = {
        "undone": len(game.undone),
        "undos": game.undos,
        "floor": game.floor,
        "points": game.points,
        **changes,
    }
    return Game.restored(game.start, game.deal, game.clock, game.done + game.undone, **held)


def shape(game):
    return (counts(game), game.floor, game.done, game.undone, game.position, game.score, game.rules)


def test_a_restored_game_is_the_game_that_was_kept():
    game = game_at(undo_limit=3, undo_score="keep", undo_counts="yes")
    turn(game, 5)
    game.play("1f")
    game.undo(3)
    game.play("1f")
    game.undo()
    assert shape(restored(game)) == shape(game)


def test_without_counts_a_restored_game_has_those_that_its_actions_give():
    start = parse_position(LINE, preset(undo_limit=1))
    game = Game.restored(start, None, Clock(), ["1f", "redeal", "draw"])
    assert counts(game) == (3, 0, 5)
    assert game.floor == 2


def test_an_action_that_is_not_legal_is_named_with_its_number():
    with pytest.raises(SaveError, match=r"action 2, `rf`.*: the reserve is empty") as caught:
        Game.restored(parse_position(LINE, preset()), None, Clock(), ["1f", "rf", "wf"])
    assert caught.value.data == {"number": 2, "action": "rf"}
    assert caught.value.status == 3


def game_with_history():
    """5 actions done and 2 undone of a game that undid 3; the first 3 are beyond undoing, 2 by replay."""
    game = game_at(undo_limit=4, undo_score="keep")
    turn(game, 7)
    game.undo()
    turn(game, 1)
    game.undo(2)
    return game


@pytest.mark.parametrize(
    "change",
    [
        {"undone": 8}, {"undone": 5}, {"undone": -1},
        {"undos": 1}, {"undos": -1},
        {"floor": 2}, {"floor": 6}, {"floor": 0},
        {"points": 3}, {"points": -5}, {"points": 10**6},
    ],
)  # fmt: skip
def test_counts_that_cannot_be_are_refused(change):
    game = game_with_history()
    assert shape(restored(game)) == shape(game)
    with pytest.raises(SaveError):
        restored(game, **change)


@pytest.mark.parametrize(
    ("options", "change"),
    [
        ({"undo_limit": 0}, {"undos": 1}),
        ({"undo_limit": "unlimited"}, {"floor": 1}),
        ({"undo_limit": 2}, {"floor": 1}),
        ({"undo_score": "refund"}, {"points": 10, "undos": 5}),
        ({"scoring": "moves", "undo_score": "keep"}, {"points": 5, "undos": 5}),
    ],
)
def test_counts_that_the_rules_exclude_are_refused(options, change):
    game = game_at(**options)
    turn(game, 2)
    with pytest.raises(SaveError):
        restored(game, **change)


def test_points_that_an_undo_left_can_only_be_more_than_the_actions_give():
    game = game_at(undo_score="keep")
    game.play("1f")
    game.undo()
    game.play("1f")
    assert game.points == 10
    assert restored(game).points == 10
    with pytest.raises(SaveError, match="there can't be 0 points, the actions give 5"):
        restored(game, points=0)


def test_a_game_has_ten_thousand_actions_at_most():
    game = game_at()
    game.check_length(10_000)
    with pytest.raises(IllegalMove, match="at most 10,000 actions"):
        game.check_length(10_001)
    turn(game, 2)
    game.check_length(9_998)
    with pytest.raises(IllegalMove):
        game.check_length(9_999)
    turn(game, 9_998)
    with pytest.raises(IllegalMove, match="at most 10,000 actions"):
        turn(game, 1)
    assert len(game.done) == 10_000


def test_a_won_game_is_at_rest():
    game = played_out(PRESETS["easy"], lambda line: game_at(line, "easy"))
    assert game.position.legal() == []
    with pytest.raises(IllegalMove, match="the game is won"):
        game.play("draw")
    game.undo()
    assert not game.position.won
    game.redo()
    assert game.position.won
