"""The REPL: what lines and keys do, through prompt_toolkit's own pipe input."""

import io
import os
import stat

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from canfield_cli.cli.repl import HISTORY, LineHistory, Repl
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.table import common_values
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import preset
from canfield_cli.store.save import format_save, parse_save

#: Three cards before the end: 1f 2f 3f 4f wins.
LATE = "A KKJT - KsQh/Js/Qs/Kh - - 3"


class Played:
    """A session that has ended."""

    def __init__(self, repl, status, out, path):
        self.repl = repl
        self.status = status
        self.out = out
        self.path = path

    @property
    def game(self):
        return parse_save(self.path.read_text())


@pytest.fixture
def play(tmp_path):
    """Return a function that types keys into a session and returns it once it has ended."""
    path = tmp_path / "game.json"

    def run(keys, game=None, **values):
        if game:
            path.write_text(format_save(game))
        out = io.StringIO()
        environ = {"HOME": str(tmp_path), "LANG": "C.UTF-8"}
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text(keys)
            env = Environment(stdout=out, stderr=out, environ=environ, now=iter(range(1000, 9999)).__next__)
            repl = Repl(str(path), {**common_values(), **values}, env, pipe, DummyOutput())
            status = repl.run()
        return Played(repl, status, out.getvalue(), path)

    return run


def seeded(seed=3, **options):
    return Game.of(deal_seed(seed), preset(**options))


LEAVE = "\x04"


def test_a_session_begins_a_game_where_there_is_none(play):
    played = play(LEAVE)
    assert played.status == 0
    assert played.game.rules == preset("standard")
    assert played.repl.said[0].startswith("a new game")


def test_a_session_takes_up_the_current_game(play):
    game = seeded()
    game.play("draw")
    assert play(LEAVE, game).game.done == ["draw"]


def test_actions_stand_by_themselves_several_on_a_line(play):
    assert play("rf 24x1\r" + LEAVE, seeded()).game.done == ["rf", "24x1"]


def test_card_notation_and_commands_are_read_too(play):
    assert play("Qc-Kd\rdraw 2\r" + LEAVE, seeded()).game.done == ["24x1", "draw", "draw"]


def test_semicolons_split_a_line_and_a_failure_ends_it(play):
    played = play("rf; 12; draw\r" + LEAVE, seeded())
    assert played.game.done == ["rf"]
    assert played.repl.said[0].startswith("error: ")


def test_a_refusal_leaves_the_game_as_it_was_and_says_why(play):
    played = play("wf\r" + LEAVE, seeded())
    assert played.game.done == []
    assert played.repl.said == ["error: the waste is empty", "hint: moves lists what can be done"]


@pytest.mark.parametrize("keys", ["\x1b[18~", "\x1bu"], ids=["F7", "Alt-U"])
def test_undo_is_on_a_key(play, keys):
    played = play("rf\r" + keys + LEAVE, seeded())
    assert played.game.done == []
    assert played.game.undone == ["rf"]


@pytest.mark.parametrize("keys", ["\x1b[19~", "\x1br"], ids=["F8", "Alt-R"])
def test_redo_is_on_a_key(play, keys):
    assert play("rf\rundo\r" + keys + LEAVE, seeded()).game.done == ["rf"]


def test_ctrl_c_drops_the_line_and_twice_leaves(play):
    played = play("rf\x03\x03", seeded())
    assert played.status == 0
    assert played.game.done == []


def test_ctrl_c_once_goes_on(play):
    assert play("wf\x03rf\r" + LEAVE, seeded()).game.done == ["rf"]


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT"])
def test_quit_leaves_and_the_game_is_kept(play, word):
    played = play(f"rf\r{word}\r", seeded())
    assert played.game.done == ["rf"]
    assert "the game is kept" in played.out


def test_a_win_has_a_banner_with_moves_time_and_score(play):
    game = Game(parse_position(LATE, preset("gilded")))
    played = play("1f 2f 3f 1f 4f\r" + LEAVE, game)
    banner = " ".join(played.repl.said)
    assert "won" in banner
    assert "5 moves" in banner
    assert "score 25" in banner
    assert "the game is kept" not in played.out


def test_leaving_a_game_for_a_new_one_asks_first(play):
    game = seeded()
    game.play("rf")
    stays = play("new --seed 5\rn\r" + LEAVE, game)
    assert stays.game.deal.seed == 3
    assert stays.repl.said == ["the game goes on"]
    leaves = play("new --seed 5\ry\r" + LEAVE)
    assert leaves.game.deal.seed == 5
    assert "kept as number 1" in leaves.repl.said[0]


def test_a_game_without_an_action_is_left_without_asking(play):
    assert play("new --seed 5\r" + LEAVE, seeded()).game.deal.seed == 5


def test_a_change_by_another_command_is_noticed_and_kept(play, tmp_path):
    game = seeded()
    path = tmp_path / "game.json"
    path.write_text(format_save(game))
    out = io.StringIO()
    env = Environment(stdout=out, stderr=out, environ={"HOME": str(tmp_path), "LANG": "C.UTF-8"})
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        repl = Repl(str(path), common_values(), env, pipe, DummyOutput())
        assert repl.game().done == []
        game.play("rf")
        path.write_text(format_save(game))
        assert repl.game().done == ["rf"]
        assert "another command has changed the game" in repl.said[0]
        repl.enter("24x1")
    assert parse_save(path.read_text()).done == ["rf", "24x1"]


def test_help_lists_the_commands_above_the_board(play):
    out = play("?\r\r\r" + LEAVE, seeded()).out
    assert "> ?\n" in out
    assert "  undo [N]" in out
    assert "  select [WHAT]" in out


def test_json_answers_in_a_session_too(play):
    assert '"ok": true' in play("show --json\r" + LEAVE, seeded()).out


def test_select_marks_where_a_card_can_go(play):
    played = play("select Qc\r" + LEAVE, seeded())
    assert played.repl.session.marks == {"3", "4"}
    assert played.repl.said == ["can go to column 3, column 4"]


def test_settings_can_be_kept_for_the_next_session(play, tmp_path):
    play("set ascii yes --keep\rset keys vi\r" + LEAVE, seeded())
    file = tmp_path / ".config" / "canfield" / "config.toml"
    assert 'ascii = "yes"' in file.read_text()
    later = play(LEAVE)
    assert later.repl.session.settings["ascii"] == "yes"
    assert later.repl.session.settings["keys"] == "emacs"


def test_a_broken_settings_file_is_left_aside_with_a_sentence(play, tmp_path):
    file = tmp_path / ".config" / "canfield" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("ascii = maybe")
    played = play(LEAVE, seeded())
    assert "settings are left aside" in played.repl.said[0]
    assert file.read_text() == "ascii = maybe"


def test_tab_completes_what_is_legal(play):
    # After 24 there is only 24x1.
    assert play("rf 24\t\r" + LEAVE, seeded()).game.done == ["rf", "24x1"]


# History.


def test_history_is_kept_private_and_bounded(play, tmp_path):
    play("rf\rundo\r" + LEAVE, seeded())
    file = tmp_path / ".local" / "state" / "canfield" / "history"
    assert file.read_text() == "rf\nundo\n"
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(file.parent).st_mode) == 0o700
    file.write_text("".join(f"draw {i}\n" for i in range(HISTORY + 100)))
    history = LineHistory(str(file))
    assert next(iter(history.load_history_strings())) == f"draw {HISTORY + 99}"
    assert len(file.read_text().splitlines()) == HISTORY


def test_history_that_cannot_be_kept_does_not_end_the_game(play, tmp_path):
    (tmp_path / ".local").write_text("in the way")
    assert play("rf\r" + LEAVE, seeded()).game.done == ["rf"]
