"""What TAB offers in a session: only what can be done, each with its meaning, and nothing of hidden cards."""

import io
import random
import re
import time

import pytest
from games import games
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Oracle
from strategies import hidden_shuffled, rngs, rule_words, sound_position

from canfield_cli.cli.completer import FILES, complete
from canfield_cli.cli.session import Session
from canfield_cli.commands import COMMANDS
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.rules import OPTIONS, PRESET_NOTES, PRESETS, Rules, preset
from canfield_cli.store.save import format_save


def session_at(folder, game):
    save = folder / "game.json"
    if game:
        save.write_text(format_save(game))
    env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {"HOME": str(folder)}, lambda: 1e9)
    return Session(env, HeldPlace(str(save), env.environ, 0.0))


class Bare:
    """As much of a session as completing needs."""

    commands = Session(Environment(), HeldPlace("nowhere", {})).commands


def words(game, before, session=Bare):
    return [word for word, _ in complete(session, game, before)]


def game_of(oracle):
    return Game(parse_position(oracle.line(), Rules("standard", oracle.words)))


@pytest.fixture
def game():
    return Game.of(deal_seed(7), preset())


# Actions.


@given(games())
def test_the_legal_actions_are_offered_and_no_others(game):
    offered = set(words(game, "")) - set(Bare.commands)
    assert offered | {"draw"} == set(game.position.legal()) | {"draw"}
    assert words(game, "move ") == game.position.legal()


@given(games(), st.integers(0, 2**32))
def test_every_action_that_is_offered_is_accepted_as_it_stands(tmp_path_factory, game, seed):
    rng = random.Random(seed)
    line = ""
    for _ in range(3):
        offered = words(game, f"move {line}")
        if not offered:
            break
        line += rng.choice(offered) + " "
    if line:
        session = session_at(tmp_path_factory.mktemp("game"), game)
        result, _ = session.run(line.split())
        assert not result.error, (line, result.error)
        assert len(result.did) == len(line.split())


@settings(max_examples=200)
@given(rngs(), rule_words())
def test_games_that_differ_in_hidden_cards_alone_get_the_same_offers(rng, rules):
    one = sound_position(rng, rules)
    other = hidden_shuffled(rng, one)
    games = [game_of(one), game_of(other)]
    line = ""
    for _ in range(4):
        offered, same = (list(complete(Bare, game, line)) for game in games)
        assert offered == same
        for start in ("", "9", "K", "r", "w"):
            assert list(complete(Bare, games[0], line + start)) == list(
                complete(Bare, games[1], line + start)
            )
        actions = [word for word in words(games[0], f"move {line}") if word not in Bare.commands]
        if not actions:
            break
        line += rng.choice(actions) + " "


def test_an_action_comes_with_its_meaning_in_which_hidden_cards_have_no_name(tmp_path):
    game = Game(parse_position("3 ---- 2hAsQc Th9s/Kh/Ad/2c - Jh 4", preset()))
    meanings = dict(complete(Bare, game, ""))
    assert meanings["r2"].startswith("{Qc} from the reserve onto {Kh} in column 2")
    assert "As" not in meanings["r2"]
    assert "2h" not in " ".join(meanings.values())


def test_after_an_action_the_ones_that_are_legal_then_are_offered():
    game = Game(parse_position("3 ---- 2hAsQc Th9s/Kh/Ad/2c - Jh 4", preset()))
    assert "r2" in words(game, "")
    assert "w2" not in words(game, "")
    assert "w2" in words(game, "r2 ")
    # What the reserve then shows has not been seen: nothing of it is offered.
    assert not [word for word in words(game, "r2 ") if word[0] == "r" and word != "redeal"]
    assert words(game, "wf ") == []
    assert words(game, "nonsense ") == []


def test_a_card_and_tab_lists_where_it_can_go():
    game = Game(parse_position("3 ---- 2hAsQc Th9s/Kh/Ad/2c - Jh 4", preset()))
    assert words(game, "Q") == ["Qc-Kh", "quit"]
    assert words(game, "qc-") == ["Qc-Kh"]
    assert words(game, "3d") == []


@given(games(), st.sampled_from(["", "d", "D", "r", "draw ", "draw; ", "tap ", "w"]))
def test_each_word_is_offered_once(game, before):
    offered = words(game, before)
    assert len(set(offered)) == len(offered)


def test_a_word_that_is_an_action_too_comes_with_what_that_does(game):
    assert dict(complete(Bare, game, "d"))["draw"] == "turn 3 cards from the stock"
    assert dict(complete(Bare, None, "d"))["draw"] == Bare.commands["draw"].summary


def test_draw_may_lead_other_actions(game):
    assert "draw" in words(game, "draw ")


# Everything else.


def test_commands_are_offered_with_what_they_do(tmp_path):
    offered = dict(complete(Bare, None, ""))
    assert offered == {name: command.summary for name, command in Bare.commands.items()}
    assert words(None, "re") == ["review", "restart", "resume"] or set(words(None, "re")) >= {
        "restart",
        "resume",
    }
    assert words(None, "draw; und") == ["undo"]
    assert words(None, "UND") == ["undo"]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_options_are_those_of_the_command(command):
    if command.name in Bare.commands:
        names = [param.name for param in command.options]
        assert words(None, f"{command.name} --") == [name for name in names if name.startswith("--")]


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("new --rules ", list(PRESETS)),
        ("new -r cl", ["classic"]),
        ("rules g", ["gilded"]),
        ("new --fill ", list(OPTIONS["fill"].values)),
        ("set ", ["color", "four_color", "ascii", "plain", "keys", "words"]),
        ("set key", ["keys"]),
        ("set keys ", ["emacs", "vi"]),
        ("show --color ", ["auto", "always", "never"]),
        ("help und", ["undo"]),
        ("undo ", []),
        ("new --seed ", []),
        ("show --nonsense ", []),
    ],
)
def test_values_are_those_that_can_be_given(before, offered):
    found = words(None, before)
    assert found == offered or (before == "set " and set(offered) <= set(found))


@pytest.mark.parametrize("before", ["check ", "import a", "new --deal ", "new --deal x"])
def test_names_of_files_are_left_to_the_reader_of_the_line(before):
    assert FILES in list(complete(Bare, None, before))


def test_piles_and_cards_that_can_do_something_are_offered():
    game = Game(parse_position("3 ---- 2hAsQc Th9s/Kh/Ad/2c - Jh 4", preset()))
    offered = dict(complete(Bare, game, "tap "))
    assert offered["r"] == "the reserve"
    assert offered["Qc"] == "the reserve"
    assert "As" not in offered
    assert "fc" not in offered


@given(games())
def test_every_pile_and_card_that_is_offered_can_be_tapped(tmp_path_factory, game):
    for what in words(game, "tap "):
        session = session_at(tmp_path_factory.mktemp("game"), game)
        result, _ = session.run(["tap", what])
        assert not result.error, what


@pytest.mark.parametrize("before", ["new --rules ", "new -r ", "stats --rules ", "set rules ", "rules "])
def test_presets_come_with_their_line(before):
    offered = dict(complete(Bare, None, before))
    assert {name: offered[name] for name in PRESETS} == PRESET_NOTES


@pytest.mark.parametrize("before", ["records ", "new --fill ", "show --color ", "rules ", "set keys "])
def test_words_that_are_offered_each_have_a_meaning_of_their_own(before):
    meanings = [meaning for _, meaning in complete(Bare, None, before)]
    assert all(meanings)
    assert len(set(meanings)) == len(meanings)


def test_kept_games_are_offered_by_number(tmp_path, game):
    game.play("draw")
    session = session_at(tmp_path, game)
    session.run(["new", "--seed", "8"])
    offered = list(complete(session, session.place.load(), "resume "))
    assert [word for word, _ in offered] == ["1"]
    assert "1 move" in offered[0][1]
    # The number is the word itself: beside it stands the day.
    assert re.match(r"\d{4}-\d\d-\d\d ", offered[0][1])


def test_tab_over_legal_actions_takes_no_time():
    oracle = Oracle.read(
        "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd 2s2dQsKhQdJc9dTh AcAhJh 4", PRESETS["standard"]
    )
    game = game_of(oracle)
    assert format_position(game.position) == oracle.line()
    best = min(_seconds(game) for _ in range(20))
    assert best < 0.01


def _seconds(game):
    start = time.perf_counter()
    assert len(list(complete(Bare, game, ""))) > 10
    return time.perf_counter() - start
