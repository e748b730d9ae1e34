"""What is noted of a game beside its actions: help, proofs of loss, restarts, the player's name."""

import pytest

from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import SaveError, UsageError
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset
from canfield_cli.engine.tally import OWNER, Tally, parse_player
from canfield_cli.store.save import format_save, parse_save


def test_the_stronger_help_stays():
    tally = Tally()
    assert tally.helped == ""
    for how, helped in (("peek", "peek"), ("finish", "finish"), ("peek", "finish")):
        tally.help(how)
        assert tally.helped == helped


def test_a_game_begun_again_is_the_same_game_and_its_help_stays():
    game = Game.of(deal_seed(7), preset())
    game.tally = Tally("0123456789abcdef", "Ann", "2026-11-30", hints=3, helped="peek", lost=0)
    again = game.restarted().tally
    assert (again.id, again.player, again.daily) == ("0123456789abcdef", "Ann", "2026-11-30")
    assert (again.restarts, again.hints, again.helped) == (1, 3, "peek")


def test_a_proof_of_loss_holds_until_undo_goes_behind_it():
    game = Game.of(deal_seed(7), preset())
    for _ in range(4):
        game.play("draw")
    game.tally.lost = 2
    game.undo(2)
    assert game.tally.lost == 2
    game.undo()
    assert game.tally.lost is None
    game.redo(3)
    assert game.tally.lost is None


@pytest.mark.parametrize("name", ["Ann", "Ann-Marie O'Neill", "Łukasz", "学者", "x" * 40, ""])
def test_names_of_players_are_any_text_on_a_line(name):
    assert parse_player(name) == name
    assert parse_player(f"  {name} ") == name


def test_whoever_is_called_owner_is_the_owner_who_has_no_name():
    assert OWNER == "(owner)"
    assert parse_player("(owner)") == parse_player(" (owner)  ") == ""
    assert parse_player("owner") == "owner"


def test_no_save_has_a_player_called_owner():
    game = Game.of(deal_seed(7), preset())
    game.tally = Tally("0123456789abcdef", "Ann")
    text = format_save(game)
    assert parse_save(text).tally.player == "Ann"
    with pytest.raises(SaveError, match="player"):
        parse_save(text.replace('"Ann"', '"(owner)"'))


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "a\u202eb", "x" * 41, "a\x00", "\ud800"])
def test_names_that_would_do_something_to_a_terminal_are_refused(name):
    with pytest.raises(UsageError) as caught:
        parse_player(name)
    assert str(caught.value).isprintable()
