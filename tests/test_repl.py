"""The REPL: what lines and keys do, through prompt_toolkit's own pipe input."""

import inspect
import io
import os
import signal
import stat
from threading import Event, Thread

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import to_plain_text
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from canfield_cli import solver
from canfield_cli.cli.history import HISTORY, LineHistory
from canfield_cli.cli.repl import Repl
from canfield_cli.cli.verdict import VerdictWatch
from canfield_cli.commands import COMMANDS
from canfield_cli.commands.context import execute
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import FilePlace
from canfield_cli.commands.table import common_values, parse
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import preset
from canfield_cli.solver import Verdict
from canfield_cli.store.save import format_save, parse_save

#: Three cards before the end: 1f 2f 3f 4f wins.
LATE = "A KKJT - KsQh/Js/Qs/Kh - - 3"


USUAL = Size(rows=40, columns=80)


class Screen(DummyOutput):
    """A terminal of some size that shows nothing, and counts how often it is cleared."""

    def __init__(self, size):
        self.size = size
        self.cleared = 0

    def get_size(self):
        return self.size

    def erase_screen(self):
        self.cleared += 1


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

    def run(keys, game=None, player="", size=USUAL, term="xterm", save="game.json", **values):
        path = tmp_path / save
        if game:
            path.write_text(format_save(game))
        out = io.StringIO()
        environ = {"HOME": str(tmp_path), "LANG": "C.UTF-8", "CANFIELD_PLAYER": player, "TERM": term}
        output = Screen(size)
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
            pipe.send_text(keys)
            env = Environment(stdout=out, stderr=out, environ=environ, now=iter(range(1000, 9999)).__next__)
            repl = Repl(str(path), {**common_values(), **values}, env, pipe, output)
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


def test_ctrl_c_drops_the_line_and_twice_more_leaves(play):
    played = play("rf\x03\x03\x03", seeded())
    assert played.status == 0
    assert played.game.done == []


@pytest.mark.parametrize(
    "between", ["rf", "  ", "rf\x7f\x7f", "\x1b[18~"], ids=["line", "spaces", "taken back", "F7"]
)
def test_only_two_ctrl_c_in_a_row_on_an_empty_line_leave(play, between):
    # What is typed is dropped, and the next one on the empty line is the first of two.
    played = play(f"12\x03\x03{between}\x03\x15draw\r" + LEAVE, seeded())
    assert played.game.done == ["draw"]


def test_ctrl_c_with_a_line_typed_is_no_step_to_leaving(play):
    assert play("ne\x03foo\x03rf\r" + LEAVE, seeded()).game.done == ["rf"]
    assert play("ne\x03foo\x03\x03\x03rf\r", seeded()).game.done == []


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("new 7", "`7` is one word too many for new"),
        ("restart please", "`please` is one word too many for restart"),
        ("NEW --rules esy", "`esy` is no value of --rules"),
        ("resume x", "`x` is no value of N"),
        ("import", "import needs FILE"),
        ("finish --nonsense", "finish has no option `--nonsense`"),
        ("new --save there", "a session has one game"),
    ],
)
def test_a_line_that_is_written_wrong_is_refused_before_anything_is_asked(play, line, message):
    # A question would take the next line as its answer.
    game = seeded()
    game.play("draw")
    played = play(f"{line}\r" + LEAVE, game)
    assert played.repl.said[0].startswith(f"error: {message}")
    assert play(f"{line}\rdraw\r" + LEAVE, game).game.done == ["draw", "draw"]


@pytest.mark.parametrize("line", ["new --help", "resume", "resume --quiet"])
def test_what_leaves_no_game_asks_nothing(play, line):
    game = seeded()
    game.play("draw")
    assert play(f"{line}\r\x15draw\r" + LEAVE, game, size=Size(99, 80)).game.done == ["draw", "draw"]


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


@pytest.mark.parametrize("key", ["q", "\x03", "\x04"], ids=["q", "Ctrl-C", "Ctrl-D"])
def test_one_key_ends_a_long_answer(play, key):
    # The answer goes on for pages: were it not ended, the letters would be typed to it.
    played = play(f"help\r{key}rf\r" + LEAVE, seeded())
    assert played.game.done == ["rf"]
    assert "with every command" not in played.out


def test_space_turns_the_page_as_enter_does(play):
    pages = [
        play("rules classic; help new\r" + key * 4 + "\x15" + LEAVE, seeded()).out for key in ("\r", " ")
    ]
    assert pages[0] == pages[1]
    assert "for example" in pages[1]


def test_a_line_may_be_typed_to_a_long_answer(play):
    assert play("help\rrf; draw\r" + LEAVE, seeded()).game.done == ["rf", "draw"]
    assert play("help\rdraw q\x7f2\r" + LEAVE, seeded()).game.done == ["draw", "draw"]


# What stands above the board goes with the next line.


def cleared(played):
    return played.repl.prompt.output.cleared


@pytest.mark.parametrize("line", ["help move", "show --json", "show --reveal", "rules; help move"])
def test_what_stands_above_the_board_goes_when_the_next_line_is_entered(play, line):
    tall = Size(99, 80)
    assert cleared(play(f"{line}\r" + LEAVE, seeded(), size=tall)) == 0
    for after in ("draw", "", "nonsense", "'", "draw\rundo"):
        assert cleared(play(f"{line}\r{after}\r" + LEAVE, seeded(), size=tall)) == 1
    assert cleared(play(f"{line}\r{line}\rdraw\r" + LEAVE, seeded(), size=tall)) == 2


def test_a_line_that_is_typed_to_a_long_answer_takes_it_away(play):
    assert cleared(play("help\rq" + LEAVE, seeded())) == 0
    assert cleared(play("help\rdraw\r" + LEAVE, seeded())) == 1


def test_what_stands_between_board_and_line_needs_no_clearing(play):
    assert cleared(play("draw\rwf\rhint\rset ascii yes\rundo\r\r" + LEAVE, seeded())) == 0


def test_nothing_is_cleared_for_who_has_it_read_out_nor_where_a_terminal_cannot(play):
    assert cleared(play("show\rhelp move\rdraw\r" + LEAVE, seeded(), plain=True)) == 0
    assert cleared(play("help move\rdraw\rdraw\r" + LEAVE, seeded(), term="dumb")) == 0


def test_the_sentences_go_when_the_board_comes_back(play):
    assert cleared(play("set plain yes\rdraw\rset plain no\r" + LEAVE, seeded())) == 1
    # What the same line tells after that is to be read.
    assert cleared(play("set plain yes\rdraw\rset plain no; help move\r" + LEAVE, seeded())) == 1


# What is said inside names the commands as they are typed there.


def test_sentences_name_commands_as_they_are_typed_in_a_session(play):
    game = seeded()
    game.play("rf")
    said = play("new --seed 5\ry\r" + LEAVE, game).repl.said
    assert said[0] == "the game before is kept as number 1, resume 1 takes it up again"
    for line, tells in (
        ("rules", "rules PRESET explains one, rules current those of your game"),
        ("daily", "new --daily begins CAN-"),
        ("help draw", "for example: draw 2"),
        ("resume 77", "hint: "),
    ):
        played = play(f"{line}\r" + " " * 4 + "\x15" + LEAVE, seeded())
        told = played.out.partition("the game is kept")[0] + "\n".join(played.repl.said)
        assert tells in told
        assert "canfield " not in told


def test_what_only_the_shell_can_do_keeps_the_name_of_the_program(play):
    out = play("help export\r" + LEAVE, seeded()).out
    assert "for example: canfield export > game.txt" in out
    assert "canfield play takes it up again" in out


# Whose game it is.


def test_the_greeting_says_whose_game_it_is_where_that_is_another_player(play):
    play("draw\r" + LEAVE, seeded())
    game = seeded()
    game.tally.player = "Ann"
    assert "this game is Ann's; new begins one of Bob's" in greeted(play, game, "Bob")
    assert "this game is Ann's; new begins one of the owner's" in greeted(play, game, "")
    assert "this game is" not in greeted(play, game, "Ann")
    assert "this game is the owner's; new begins one of Bob's" in greeted(play, seeded(), "Bob")
    assert "this game is" not in greeted(play, seeded(), "")


def greeted(play, game, player):
    return " ".join(play(LEAVE, game, player=player).repl.said)


# The verdict in the toolbar is a look at the hidden cards.


def test_the_verdict_is_noted_as_soon_as_it_is_shown(play, tmp_path):
    assert play("set verdict no\r" + LEAVE, seeded()).game.tally.helped == ""
    assert play("set verdict yes\r" + LEAVE, seeded()).game.tally.helped == "peek"
    play("set verdict yes --keep\r" + LEAVE, seeded())
    assert play(LEAVE, seeded()).game.tally.helped == "peek"
    (tmp_path / "game.json").unlink()
    assert play(LEAVE).game.tally.helped == "peek"


def test_that_the_verdict_is_a_look_is_said_once_and_of_a_recorded_game(play):
    first = play("new\rset verdict yes\r" + LEAVE).repl
    assert any("counts as played" in line for line in first.said)
    assert not any("counts as played" in line for line in play("draw\r" + LEAVE).repl.said)
    assert not any(
        "counts as played" in line for line in play("set verdict yes\r" + LEAVE, seeded()).repl.said
    )


def test_the_first_game_of_a_session_and_one_of_another_command_say_so_too(play, tmp_path):
    play("set verdict yes --keep\r" + LEAVE, seeded())
    (tmp_path / "game.json").unlink()
    repl = play(LEAVE).repl
    assert any("counts as played" in line for line in repl.said)
    before = repl.session.place
    execute(*parse(COMMANDS, ["new", "--seed", "4"]), repl.env, FilePlace(before.path, before.environ))
    repl.enter("score")
    repl.game()
    assert any("counts as played" in line for line in repl.said)


def test_the_verdict_on_a_game_that_another_command_began_is_noted_too(play, tmp_path):
    repl = play("set verdict yes\r" + LEAVE, seeded()).repl
    path = tmp_path / "game.json"
    path.write_text(format_save(seeded(4)))
    assert repl.game().deal.seed == 4
    assert parse_save(path.read_text()).tally.helped == "peek"


@pytest.mark.parametrize(("outcome", "word"), [("won", "can be won"), ("lost", "can't be won")])
def test_the_toolbar_says_that_it_thinks_and_then_what_every_command_says(monkeypatch, outcome, word):
    begin, changed = Event(), Event()

    def solve_later(position, **_):
        begin.wait(20)
        return Verdict(outcome)

    monkeypatch.setattr(solver, "solve", solve_later)
    watch = VerdictWatch()
    assert watch.of(seeded().position, changed.set) == "thinking"
    begin.set()
    assert changed.wait(20)
    assert watch.of(seeded().position, changed.set) == word


# The rules that the player is used to.


def test_new_games_begin_under_the_rules_that_are_set(play):
    assert play("set rules easy\rnew\r" + LEAVE, seeded()).game.rules == preset("easy")
    assert play("set rules easy\rnew --rules gilded\r" + LEAVE, seeded()).game.rules == preset("gilded")
    assert play("set rules easy\rnew --seed 4\r" + LEAVE, seeded()).game.rules == preset("easy")
    # The game goes on under its own.
    assert play("set rules easy\rrestart\r" + LEAVE, seeded()).game.rules == preset("standard")
    play("set rules easy --keep\r" + LEAVE, seeded())
    assert play("new\r" + LEAVE, seeded()).game.rules == preset("easy")


def test_a_session_begins_its_first_game_under_the_rules_that_are_kept(play, tmp_path):
    play("set rules easy --keep\r" + LEAVE, seeded())
    (tmp_path / "game.json").unlink()
    assert play(LEAVE).game.rules == preset("easy")


def test_the_daily_deals_are_told_under_the_rules_that_are_set(play):
    # The deal of a day is another one under each preset.
    out = play("set rules easy\rdaily\r  \x15" + LEAVE, seeded()).out
    assert "new --daily --rules easy begins" in out


# However wide the terminal is.


def test_what_is_said_is_broken_where_the_terminal_ends(play):
    said = play(LEAVE, seeded(), size=Size(24, 40)).repl.said
    assert " ".join(said) == "the game goes on; ? lists the commands, TAB what can be done"
    assert all(len(line) <= 40 for line in said)


def test_the_toolbar_has_the_lines_that_it_needs(play):
    game = seeded()
    game.tally.player = "Bartholomew Lane"
    game.tally.daily = "2026-11-30"
    repl = play(LEAVE, game, size=Size(24, 40)).repl
    shown = to_plain_text(repl.prompt.bottom_toolbar())
    for told in (
        "standard",
        "0 moves",
        "0 redeals",
        "1/52 up",
        "daily 2026-11-30",
        "Bartholomew Lane",
        "CAN-D3",
    ):
        assert told in shown
    assert all(len(line) <= 40 for line in shown.splitlines())


@pytest.mark.parametrize("columns", [20, 30, 40, 60, 80])
@pytest.mark.parametrize("rows", range(5, 20))
def test_where_rows_are_missing_the_toolbar_gives_its_own_and_the_board_says_how_many(play, rows, columns):
    repl = play("draw\r" + LEAVE, seeded(), size=Size(rows, columns)).repl
    message = to_plain_text(repl.prompt.message()).splitlines()
    toolbar = to_plain_text(repl.prompt.bottom_toolbar()).splitlines()
    assert all(len(line) <= columns for line in message)
    assert message[-1] == "> "
    assert len(message) + len(toolbar) <= rows
    assert message[-1 - len(repl.said) : -1] == repl.said
    last = message[-2 - len(repl.said)]
    if "rows, no room" in last:
        whole = repl._board(repl.look())
        shown = len(message) - len(repl.said) - 2
        assert last == f" +{len(whole) - shown} rows, no room"
        assert len(toolbar) == 1
    else:
        assert "K♦" in " ".join(message)


@pytest.mark.parametrize("rows", range(3, 20))
def test_the_toolbar_leaves_most_of_the_screen_to_the_board(play, rows):
    game = seeded()
    game.tally.player = "Bartholomew Lane"
    shown = to_plain_text(play(LEAVE, game, size=Size(rows, 20)).repl.prompt.bottom_toolbar())
    assert 1 <= len(shown.splitlines()) <= rows // 2


def test_json_answers_in_a_session_too(play):
    assert '"ok": true' in play("show --json\r" + LEAVE, seeded()).out


def test_select_marks_where_a_card_can_go(play):
    played = play("select Qc\r" + LEAVE, seeded())
    assert played.repl.session.marks == {"3", "4"}
    assert played.repl.said == ["Q♣ can go to column 3, column 4"]


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


# History, and what it suggests.


def suggested(repl, typed):
    buffer = repl.prompt.default_buffer
    found = repl.prompt.auto_suggest.get_suggestion(buffer, Document(typed))
    return found and found.text


def test_the_rest_of_a_line_typed_before_is_suggested(play):
    repl = play("24x1\rundo\r" + LEAVE, seeded(), color="always").repl
    assert suggested(repl, "24") == "x1"
    assert suggested(repl, "un") == "do"
    assert suggested(repl, "x") is None
    assert suggested(repl, "") is None


def test_nothing_is_suggested_without_colours_for_it_would_look_like_what_is_typed(play):
    for options in ({"color": "never"}, {"term": "dumb"}):
        assert suggested(play("draw\r" + LEAVE, seeded(), **options).repl, "dr") is None
    repl = play("draw\rset color never\r" + LEAVE, seeded(), color="always").repl
    assert suggested(repl, "dr") is None
    repl.enter("set color always")
    assert suggested(repl, "dr") == "aw"


@pytest.mark.parametrize("line", ["wf", "rf; wf", "help 'me", "new 7", "nonsense"])
def test_a_line_that_was_refused_is_not_suggested_until_it_is_done(play, tmp_path, line):
    repl = play(f"rf;\r{line}\r" + LEAVE, seeded(), color="always").repl
    assert suggested(repl, line[:2]) == (None if not "rf;".startswith(line[:2]) else ";")
    # It can be had back with the arrows.
    assert line in (tmp_path / ".local" / "state" / "canfield" / "history").read_text().splitlines()


def test_a_line_that_was_refused_once_and_then_done_is_suggested(play):
    repl = play("redo\rdraw\rundo\rredo\r" + LEAVE, seeded(), color="always").repl
    assert suggested(repl, "re") == "do"


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


# What comes in between.


def test_no_signal_goes_to_the_thread_that_looks_for_a_verdict(monkeypatch):
    """One that goes there is taken for the main thread at any moment, also in the middle of an action."""
    held, done = set(), Event()

    def solve(position, stop):
        held.update(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return Verdict("unknown", limit="states", backend="python")

    monkeypatch.setattr(solver, "solve", solve)
    VerdictWatch().of(seeded().position, done.set)
    assert done.wait(10)
    assert held >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & held


def test_where_no_thread_can_be_had_the_verdict_is_unknown(play, monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", start)
    played = play("set verdict yes\rdraw\r" + LEAVE, seeded())
    assert (played.status, played.game.done) == (0, ["draw"])


F7 = "\x1b[18~"


@pytest.mark.parametrize("size", [USUAL, Size(rows=10, columns=60)])
def test_a_key_that_undoes_does_so_where_the_board_is_told_in_sentences(play, size):
    game = seeded()
    game.play("draw")
    played = play(F7 + LEAVE * 3, game, size=size, plain=True)
    assert played.status == 0
    assert (played.game.done, played.game.undos) == ([], 1)


def test_a_key_that_undoes_leaves_what_is_being_typed(play):
    played = play("draw\rdra" + F7 + "w\r" + LEAVE, seeded())
    assert (played.game.done, played.game.undos) == (["draw"], 1)


def test_any_number_of_lines_may_be_typed_where_a_page_is_to_be_read(play, monkeypatch):
    """None of them is run inside another."""
    depths, enter = [], Repl.enter

    def entered(repl, line):
        depths.append(len(inspect.stack(0)))
        enter(repl, line)

    monkeypatch.setattr(Repl, "enter", entered)
    played = play("rules standard\r" * 5 + LEAVE * 2, seeded())
    assert played.status == 0
    assert played.out.count("> rules standard") == len(depths) == 5
    assert len(set(depths)) == 1


def test_a_line_is_shown_again_without_what_a_terminal_obeys(play, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h\x1bcX.json").write_text(format_save(seeded()))
    played = play(LEAVE, seeded())
    played.repl.enter("check --json h\x1bcX.json")
    assert "> check --json h" in played.repl.env.stdout.getvalue()
    assert "\x1b" not in played.repl.env.stdout.getvalue()


def test_of_a_save_that_is_gone_nothing_is_said_once_there_is_another_game(play):
    played = play("draw\r" + LEAVE, seeded())
    played.path.unlink()
    assert "there is no game" in " ".join([*map(str, [played.repl.game()]), *played.repl.said])
    played.repl.enter("new")
    assert "there is no game" not in " ".join(played.repl.said)


def test_why_a_session_could_begin_no_game_is_said(play):
    played = play(LEAVE, save="no/such/game.json")
    assert "can't" in played.repl.said[0]


# Keys and pastes that mean something else.


@pytest.mark.parametrize("keys", ["\x12\x1b[17~", "\x12" + F7, "\x1b[17~\x12"])
def test_a_key_while_lines_are_searched_locks_nothing(play, keys):
    played = play("draw\r" + keys + "\x07" + LEAVE * 2, seeded())
    assert (played.status, played.game.done) == (0, ["draw"])


def test_in_vi_mode_escape_and_a_letter_edit_the_line_and_not_the_game(play):
    played = play("set keys vi\rdraw\rx\x1buddi" + LEAVE * 2, seeded())
    assert (played.game.done, played.game.undos) == (["draw"], 0)


@pytest.mark.parametrize("pasted", ["\x1b[31mred", "\x1b[0m", "\x1b[<1;2M"])
def test_a_colour_that_is_pasted_is_no_mouse(play, pasted):
    played = play(pasted + "\x15draw\r" + LEAVE, seeded())
    assert (played.status, played.game.done) == (0, ["draw"])


def test_lines_that_are_pasted_together_are_run_one_by_one(play):
    pasted = "\x1b[200~# two of them\ndraw # once\ndraw\n\x1b[201~"
    assert play(pasted + "\r" + LEAVE, seeded()).game.done == ["draw", "draw"]


def test_a_key_brings_the_line_back_with_the_cursor_where_it_stood(play):
    # The letters "dra", one step left, a hint, and the missing letters of "draw" around it.
    played = play("drw" + "\x1b[D" + "\x1b[17~" + "a\r" + LEAVE, seeded())
    assert played.game.done == ["draw"]


def test_an_empty_line_tells_the_board_where_it_is_told_in_sentences(play):
    told = [play(keys + LEAVE * 2, seeded(), plain=True).out.count("Column 1") for keys in ("", "\r")]
    assert told[1] == told[0] + 1
