"""Faults that were reported of other programs of this kind, and what must hold here instead.

Each docstring gives the fault. The positions are partial: only the cards that matter lie there.
"""

import io
import os
import random
import subprocess
import sys

import pytest
from machine import Machine, won_actions
from play import Player
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from strategies import TASTES, choose

from canfield_cli.cli.repl import Repl
from canfield_cli.commands import recording
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.table import common_values
from canfield_cli.engine.cards import PACK
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.errors import DealError, IllegalMove, NothingThere
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position, parse_action, parse_position
from canfield_cli.engine.rules import OPTIONS, PRESETS, preset
from canfield_cli.engine.touch import next_up, touch

#: The rules that the reports mean unless they say otherwise.
USUAL = {"runs": "top-or-whole", "takeback": "no", "undo_limit": "unlimited"}


def game_at(line, **options):
    return Game(parse_position(line, preset("standard", **{**USUAL, **options})))


def play(game, *texts):
    for text in texts:
        game.play(parse_action(text, game.position))


def line_of(game):
    return format_position(game.position)


def refused(game, text):
    """Assert that `text` is refused and leaves no trace; return the sentence."""
    before = (line_of(game), game.done, game.undone, game.moves, game.score)
    with pytest.raises(IllegalMove) as caught:
        play(game, text)
    assert before == (line_of(game), game.done, game.undone, game.moves, game.score)
    return str(caught.value)


# Reserve and empty columns.


def test_nothing_can_be_put_on_the_reserve():
    """A card could be dropped on the reserve."""
    game = game_at("5 5--- 2d9s 8h/3c/3d/3h - - 0")
    assert "to the reserve" in refused(game, "1r")
    assert "9s" in refused(game, "8h-9s")
    assert not [action for action in game.position.legal() if action[-1] == "r"]


def test_the_reserve_is_counted_when_it_runs_out():
    """What the board said of the reserve was not renewed when its last card left."""
    game = game_at("5 5--- 3d 9s/Th/3c/3h - - 0")
    play(game, "12")
    assert line_of(game) == "5 5--- - 3d/Th9s/3c/3h - - 0"


def test_one_undo_undoes_an_action_with_its_fill():
    """The fill was a step of its own, and one command needed two undos."""
    start = "5 5--- 3d4d 9s/Th/3c/3h - - 0"
    game = game_at(start)
    play(game, "12")
    assert game.moves == 1
    game.undo()
    assert line_of(game) == start
    assert game.moves == 0


def test_undo_goes_back_past_what_happened_by_itself():
    """Undo stopped at automatic actions."""
    start = "5 5--- 8c7c 6c/3d/3s/3h 2s - 0"
    game = game_at(start)
    stages = [start]
    while action := next_up(game.position):
        game.play(action)
        stages.append(line_of(game))
    assert stages[1:] == [
        "5 6--- 8c 7c/3d/3s/3h 2s - 0",
        "5 7--- - 8c/3d/3s/3h 2s - 0",
        "5 8--- - -/3d/3s/3h 2s - 0",
    ]
    for stage in stages[-2::-1]:
        game.undo()
        assert line_of(game) == stage
        assert next_up(game.position) in game.position.legal()


def test_one_undo_takes_back_a_whole_automatic_finish():
    """Undo stopped at automatic actions."""
    start = "A KKJJ - Qs/Qh/Ks/Kh - - 0"
    game = game_at(start, finish="auto")
    play(game, "1f")
    assert game.position.won
    game.undo()
    assert line_of(game) == start


def test_a_rule_option_holds_after_its_first_use():
    """That any card may enter a space was forgotten after it had happened once."""
    game = game_at("5 5--- - -/-/9s8h/Kc - 4s2s 0", fill="any")
    play(game, "w1", "w2")
    assert line_of(game) == "5 5--- - 2s/4s/9s8h/Kc - - 0"
    game = game_at("5 5--- - -/-/9s8h/KcQh - - 0", fill="any")
    play(game, "31x1", "42x1")
    assert line_of(game) == "5 5--- - 8h/Qh/9s/Kc - - 0"


def test_the_next_card_of_the_reserve_is_face_up_and_playable_at_once():
    """The card below was not always turned up."""
    game = game_at("5 5--- 2h2d3d 4s/3c/9d/9c - - 0")
    play(game, "r1")
    assert game.position.seen().reserve == ("??", "2d")
    assert "r2" in game.position.legal()


@pytest.mark.parametrize("fill", ["any", "waste"])
@pytest.mark.parametrize("k", range(4))
def test_every_empty_column_gives_the_same_answer(k, fill):
    """One of the empty columns took any card, the others did not."""
    columns = ["9s8h", "Kc", "Kd"]
    columns.insert(k, "-")
    game = game_at(f"5 5--- - {'/'.join(columns)} - 2s 0", fill=fill)
    entering = [action for action in game.position.legal() if action[1] == str(k + 1)]
    run = "2" if k == 0 else "1"
    assert entering == [f"w{k + 1}"] + ([f"{run}{k + 1}x1"] if fill == "any" else [])


def test_with_the_reserve_gone_a_space_stays_open():
    """A space was filled from the waste by the program, though the player may keep it open."""
    game = game_at("5 5--- - 6c/Kc/Kd/Kh - 2s9h 0", fill="waste")
    play(game, "1f")
    assert line_of(game) == "5 6--- - -/Kc/Kd/Kh - 2s9h 0"


# Base rank and foundations.


def test_an_empty_foundation_waits_for_the_base_rank_not_for_an_ace():
    """Empty foundations showed an ace although another rank began them."""
    game = game_at("4 4--- 2c As/Ad/Ah/3s - - 0")
    for column, suit in (("1", "spades"), ("2", "diamonds"), ("3", "hearts")):
        assert f"the {suit} foundation begins with 4{suit[0]}" in refused(game, f"{column}f")
    assert [suit for suit in "cdhs" if game.position.goes_up("4" + suit)] == ["d", "h", "s"]


def test_a_base_card_comes_back_where_cards_may_and_can_be_undone():
    """A base card could be picked up from its foundation, which left an empty step in the history."""
    start = "5 5--- 2c 6d/3c/3d/3h - - 0"
    game = game_at(start, takeback="yes")
    play(game, "fc1")
    assert line_of(game) == "5 ---- 2c 6d5c/3c/3d/3h - - 0"
    game.undo()
    assert line_of(game) == start
    play(game_at("5 6--- 2c 7d/3c/3d/3h - - 0", takeback="yes"), "fc1")
    refused(game_at(start, takeback="no"), "fc1")


def test_a_foundation_looks_at_the_rank_too():
    """Foundations looked at the suit only."""
    refused(game_at("5 5--- 2c 3c/3d/3h/3s - 9c 0"), "wf")


def test_an_empty_foundation_takes_the_base_rank_only():
    """A 3 could be put on an empty foundation."""
    refused(game_at("5 5--- 2c 3c/3d/3h/4s - 3s 0"), "wf")
    game = game_at("5 5--- 2c 3c/3d/3h/4s - 5s 0")
    play(game, "wf")
    assert game.position.foundations == (1, 0, 0, 1)


def test_a_card_taken_back_stays_until_the_next_action():
    """A card taken back from a foundation was at once sent up again."""
    game = game_at("5 6--- - 7d/3c/3d/3h - - 0", takeback="yes", finish="auto")
    play(game, "fc1")
    assert game.position.columns[0] == ("7d", "6c")
    # Even where everything could go up and win.
    game = game_at("A KKQJ - Qs/Kh/Ks/- - - 0", takeback="yes", finish="auto")
    play(game, "fd4")
    assert game.position.cards_up == 48


def test_a_card_that_can_go_up_may_always_be_sent_by_hand():
    """Collecting and the hand disagreed on what may go up."""
    game = game_at("5 7-5- 2c 3c/3d/3h/4s - 8c 0")
    assert next_up(game.position) == "wf"
    play(game, "wf")
    assert game.position.foundations == (4, 0, 1, 0)


@pytest.mark.parametrize(
    ("redeals", "words"),
    [(0, "may not be"), (1, "once"), (2, "2 times"), ("unlimited", "as often as you like")],
)
@pytest.mark.parametrize(("draw", "card"), [(1, "one card"), (3, "three cards")])
def test_the_rules_in_words_agree_with_the_engine(redeals, words, draw, card):
    """The rules that were shown and those that were played differed, on redeals above all."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - 9s8s7s 0", redeals=redeals, draw=draw)
    assert words in OPTIONS["redeals"].sentence(game.rules.redeals)
    assert card in OPTIONS["draw"].sentence(game.rules.draw)
    for _ in range(20 if redeals == "unlimited" else redeals):
        play(game, "redeal", "draw")
        assert len(game.position.waste) == draw
        while game.position.stock:
            play(game, "draw")
    assert ("redeal" in game.position.legal()) is (redeals == "unlimited")


# Draw, redeal, undo, redo.


def test_redo_of_a_redeal_gives_the_same_cards():
    """Redo of a redeal after its undo dealt other cards."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - As2s3s4s 1")
    play(game, "draw")
    game.undo()
    game.redo()
    assert game.position.stock == ("4s", "3s", "2s", "As")
    assert game.position.redeals == 2


def test_the_last_card_of_the_stock_lies_on_the_waste_like_any_other():
    """With one card left of three the waste was drawn wrongly."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c 7s As2s3s4s5s6s 0")
    play(game, "draw")
    assert game.position.waste == ("As", "2s", "3s", "4s", "5s", "6s", "7s")
    assert game.position.stock == ()


def test_with_stock_and_waste_empty_no_redeal_is_counted():
    """The count of redeals went up with nothing to turn over."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - - 0", redeals=2)
    for _ in range(2):
        assert "nothing to draw" in refused(game, "draw")
    assert game.position.redeals == 0
    assert game.position.redeals_left == 2


def test_the_limit_of_redeals_is_kept_to_exactly():
    """One redeal too many was allowed."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - 9s 0", redeals=2)
    play(game, "draw", "draw", "draw", "draw")
    assert game.position.redeals == 2
    assert "can't be turned over any more" in refused(game, "draw")
    assert not {"draw", "redeal"} & set(game.position.legal())


def test_what_is_left_of_the_redeals_is_right_after_an_undo():
    """A wrong count of redeals was shown."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - 9s 0", redeals=2)
    play(game, "draw")
    assert game.position.redeals_left == 1
    game.undo()
    assert game.position.redeals_left == 2


def test_without_redeals_a_draw_says_so():
    """With no redeal left the sign for one stayed, and touching it did nothing."""
    game = game_at("5 5--- 2c 3c/3d/3h/4c - 2s 0", redeals=0)
    assert "redeals is 0" in refused(game, "draw")
    assert game.position.redeals_left == 0


def test_undo_brings_every_count_back():
    """Undo did not bring back what the board said of stock, reserve, score and redeals."""
    start = "5 5--- 2d3d 4s/9h/9d/9c - 2s6c7s 0"
    game = game_at(start)
    before = (line_of(game), game.score, game.moves)
    play(game, "draw", "r1", "draw", "draw")
    game.undo(4)
    assert (line_of(game), game.score, game.moves) == before


def test_undo_at_the_beginning_says_that_there_is_nothing():
    """Undo as the first command ended in a crash."""
    game = Game.of(deal_seed(24), preset())
    with pytest.raises(NothingThere, match="nothing to undo"):
        game.undo()


@pytest.mark.parametrize("name", PRESETS)
def test_two_hundred_commands_lose_no_card(name):
    """Cards were lost when a turn of the stock was undone."""
    rng = random.Random(name)
    game = Game.of(deal_seed(7), preset(name))
    for _ in range(200):
        way = rng.choice(("undo", "redo", "play", "play", "play"))
        if way == "undo" and game.undoable:
            game.undo()
        elif way == "redo" and game.undone:
            game.redo()
        elif legal := game.position.legal():
            game.play(choose(rng, legal, TASTES[0]))
        assert game.position.faults() == []


def test_a_restart_leaves_the_game_that_it_replaces_as_it_was():
    """A restart next to undo wiped games out."""
    game = Game.of(deal_seed(7), preset())
    play(game, "draw", "draw")
    game.restarted().play("draw")
    assert game.done == ["draw", "draw"]


def test_an_empty_waste_draws_nothing_by_itself():
    """A draw that happened by itself when the waste ran out made the state hard to follow."""
    game = game_at("5 5--- 2c Th/3d/3h/4d 6h4c3c 9s 0")
    play(game, "w1")
    assert game.position.waste == ()
    assert game.position.stock == ("6h", "4c", "3c")


# What the program proposes.


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_touch_and_sending_up_propose_is_accepted(name):
    """The program proposed an action that its own rules refuse."""
    rng = random.Random(name)
    game = Game.of(deal_seed(11), preset(name))
    for _ in range(150):
        legal = game.position.legal()
        if not legal:
            break
        for pile in ("r", "w", *"1234"):
            try:
                assert touch(game.position, pile) in legal
            except IllegalMove:
                alone = [action for action in legal if action[0] == pile and action[2:] in ("", "x1")]
                assert alone == []
        play(game, next_up(game.position) or rng.choice(legal))


# Deals.


def test_restarting_again_and_again_gives_the_same_deal():
    """The second restart of a game that had been kept gave another deal."""
    game = Game.of(deal_seed(12345678901), preset())
    start = line_of(game)
    play(game, "draw")
    for _ in range(3):
        game = game.restarted()
        assert line_of(game) == start
        assert game.deal == deal_seed(12345678901)
        play(game, "draw")


def test_a_seed_gives_the_same_deal_in_every_process():
    """The number of a deal did not fix its cards."""
    program = "from canfield_cli.engine.deal import deal_seed; print(*deal_seed(7).cards)"
    dealt = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in ("1", "2")
    ]
    assert dealt == [list(deal_seed(7).cards)] * 2


def test_a_deck_with_a_card_twice_or_missing_is_refused_naming_it():
    """A deck with a card twice was dealt."""
    cards = ["Ks" if card == "Qd" else card for card in PACK]
    with pytest.raises(DealError) as caught:
        Deal(cards)
    assert "Ks" in str(caught.value)
    assert "Qd" in str(caught.value)


def test_the_draw_setting_of_a_game_never_changes_in_its_middle():
    """A setting that arrived in mid-game left the board saying 3 while the game drew 1."""
    rules = preset("easy")
    game = Game.of(deal_seed(7), rules)
    rules.replace(draw=3)
    for _ in range(3):
        play(game, "draw")
    assert len(game.position.waste) == 3
    with pytest.raises(AttributeError):
        game.rules.draw = 3


def test_that_all_cards_are_there_can_be_checked():
    """A player believed that a card was missing."""
    start = Game.of(deal_seed(7), preset()).position
    assert start.faults() == []
    line = format_position(start)
    stock = line.split()[4]
    assert parse_position(line.replace(stock, stock[2:]), preset()).faults() == [
        f"{{{stock[:2]}}} is missing"
    ]


# Statistics, winning, time.


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def sit_down(machine, keys):
    """Type keys into a session on the terminal, and leave; return what stands there at the end."""
    out = io.StringIO()
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + "\x04")
        env = Environment(out, out, out, machine.environ, lambda: machine.now)
        repl = Repl(str(machine.save), common_values(), env, pipe, DummyOutput())
        assert repl.run() == 0
    return out.getvalue(), repl.said


def played(machine):
    """How many games count as played, and how many of them as won."""
    found = machine.do("stats").data["stats"]
    return sum(each["played"] for each in found), sum(each["won"] for each in found)


def test_statistics_are_kept_by_the_rules_whatever_the_language(tmp_path):
    """They were kept by the name of the game, which was another one in another language."""
    player = Player(tmp_path)
    assert player.text("new --rules gilded --seed 5")[0] == 0
    assert player.text("draw")[0] == 0
    told = set()
    for language in ("C.UTF-8", "de_DE.UTF-8", "hi_IN.UTF-8", "C"):
        player.env["LANG"] = player.env["LC_ALL"] = player.env["LANGUAGE"] = language
        assert player.text("daily")[0] == 0
        told.add(player.text("stats --json"))
    ((status, out, err),) = told
    assert (status, err) == (0, "")
    assert '"preset": "gilded"' in out


def test_an_empty_file_of_records_is_one_without_games(machine):
    """An empty file of statistics crashed the game."""
    machine.path.touch()
    assert played(machine) == (0, 0)
    machine.win(5, "gilded")
    assert played(machine) == (1, 1)


def test_what_was_won_is_there_when_the_program_is_killed_at_once(machine, monkeypatch):
    """Statistics were lost when the program did not end as it should."""
    with monkeypatch.context() as patch:
        patch.setattr(recording, "tell_win", lambda context, result: None)
        machine.win(5, "gilded")
    assert machine.rows() == []
    assert played(machine) == (1, 1)


def test_the_end_of_input_after_the_last_card_is_a_win_and_no_loss(tmp_path):
    """A finished game that was closed before the last step that the program makes by itself was lost."""
    player = Player(tmp_path)
    lines = "new --rules modern --seed 53\n" + "\n".join(won_actions(53, "modern"))
    assert player.run("play", lines).returncode == 0
    machine = Machine(tmp_path)
    machine.environ.pop("CANFIELD_RECORDS")
    machine.do("new")
    assert played(machine) == (1, 1)


def test_a_game_that_was_won_is_not_won_again_at_the_next_start(machine):
    """The game that was won was saved, and won once more when the program was started again."""
    machine.win(5, "gilded")
    for _ in range(2):
        out, said = sit_down(machine, "")
        assert "takes it up again" not in out
        assert said == ["the game is won, new begins another; ? lists the commands, TAB what can be done"]
    assert played(machine) == (1, 1)


def test_a_game_counts_when_it_is_played_not_when_it_is_dealt(machine):
    """Games were counted when they were dealt."""
    sit_down(machine, "new --seed 5\r")
    assert machine.rows() == []
    sit_down(machine, "draw\r")
    assert machine.rows() == ["open"]


def test_what_is_told_of_wins_says_that_it_is_of_wins(machine):
    """The mean of the games won was shown as that of all games."""
    machine.win(5, "gilded", wait=100.0)
    machine.do("new --rules gilded --seed 4")
    machine.do("draw")
    machine.now += 50
    machine.do("draw")
    machine.do("new")
    lines = [line for line in machine.do("stats").lines if "best" in line]
    moves = len(won_actions(5, "gilded"))
    assert [line for line in lines if "moves of wins" in line and f"median {moves}" in line]
    assert [line for line in lines if "time of wins" in line and "median 1:40" in line]


def test_quitting_says_what_becomes_of_the_game(machine):
    """What quitting costs was unclear."""
    machine.do("new --seed 5")
    out, _ = sit_down(machine, "draw\r")
    assert out.rstrip().endswith("the game is kept, canfield play takes it up again")
    assert machine.rows() == ["open"]


def test_the_clock_stands_still_after_the_end(machine):
    """The clock ran on after the end, or while the program was not there."""
    machine.win(5, "gilded", wait=12.0)
    for line in ("show", "stats", "show"):
        machine.now += 1000
        assert machine.do(line).error is None
        assert machine.game().clock.seconds == 12
    assert machine.rows("seconds") == [12]


def test_the_last_card_up_is_a_win_with_the_deal_its_moves_and_its_time(machine):
    """A win was not told."""
    machine.do("new --rules gilded --seed 5")
    *actions, last = won_actions(5, "gilded")
    machine.do("move", *actions)
    machine.now += 61
    _, said = sit_down(machine, f"{last}\r")
    banner = " ".join(said)
    for words in ("won", f"{len(actions) + 1} moves", "1:01", "score 255", "the first recorded win"):
        assert words in banner
    assert machine.rows("code, outcome") == [(machine.game().code, "won")]


def test_leaving_a_game_tells_how_many_cards_are_up_and_what_it_cost(machine):
    """Nothing was said at a loss."""
    machine.do("new --rules bsd --seed 5")
    for action in won_actions(5, "bsd"):
        machine.do("move", action)
        if machine.game().position.cards_up == 11 and "draw" in machine.game().done:
            break
    game = machine.game()
    # 52 for the cards, the look and the hand, and 5 for each redeal; 11 cards pay 55.
    balance = 3 - 5 * game.position.redeals - int(game.clock.seconds // 60)
    out, _ = sit_down(machine, "")
    assert "11/52 up" in out
    assert f"balance {'-' * (balance < 0)}${abs(balance)}" in out
