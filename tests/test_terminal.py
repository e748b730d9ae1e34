"""Whole sessions in a real pseudo-terminal, as a player sees them on the screen."""

import io
import os
import re
import signal
import sys
import time
from pathlib import Path

import pexpect
import pyte
import pytest
from play import Player

import canfield_cli
from canfield_cli.commands.context import Context
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import FilePlace
from canfield_cli.commands.waiting import Waiting
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import preset
from canfield_cli.store.save import format_save


class Terminal:
    """A terminal of some size with `canfield play` in it."""

    def __init__(self, tmp_path, width, height, *words, **environ):
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(Path(canfield_cli.__file__).parent.parent),
            **environ,
        }
        self.child = pexpect.spawn(
            sys.executable, ["-m", "canfield_cli", *words], env=env, dimensions=(height, width), timeout=20
        )

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, said, seconds=20):
        """Read until `said` stands on the screen."""
        end = time.monotonic() + seconds
        while said not in self.text:
            assert time.monotonic() < end, f"{said!r} never came:\n{self.text}"
            try:
                data = self.child.read_nonblocking(65536, timeout=0.2)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                assert said in self.text, self.text
                return
            # prompt_toolkit asks where the cursor is.
            if b"\x1b[6n" in data:
                self.child.send(f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R")
            self.stream.feed(data)

    def wait_for_the_end(self):
        """Read all that the program still says."""
        while not self.child.closed:
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=20))
            except pexpect.EOF:
                self.child.close()

    def type(self, keys):
        self.child.send(keys)

    def resize(self, width, height):
        self.screen.resize(height, width)
        self.child.setwinsize(height, width)

    def leave(self):
        self.type("\x04")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus


@pytest.fixture
def terminal(tmp_path):
    def start(width, height, game=None, **environ):
        save = tmp_path / "game.json"
        save.write_text(format_save(game or Game.of(deal_seed(3), preset("standard"))))
        environ["CANFIELD_SAVE"] = str(save)
        return Terminal(tmp_path, width, height, "play", **environ)

    return start


def test_a_session_on_a_usual_terminal(terminal):
    at = terminal(80, 24)
    at.wait("CAN-D3-2222-2225-V")
    assert "reserve 13" in at.text
    at.type("rf\r")
    at.wait("6♣ from the reserve went up")
    assert "reserve 12" in at.text
    at.type("2\t")
    at.wait("24x1")
    at.type("\x15help draw\r")
    at.wait("-- Enter goes on --")
    at.type("q")
    at.wait("reserve 12")
    at.type("quit\r")
    at.wait("the game is kept")


def test_a_session_on_a_small_terminal_that_grows_in_the_middle(terminal):
    at = terminal(40, 16)
    at.wait("reserve 13")
    assert all(name in at.text for name in ("stock 34", "waste 0", "foundations, base 6"))
    at.type("draw\r")
    at.wait("stock 31")
    at.wait("CAN-D3-2222-2225-V")
    assert not any("standard" in line and "CAN-D3" in line for line in at.text.splitlines())
    at.resize(80, 24)
    at.wait("redeals · 1/52 up · CAN-D3-2222-2225-V")
    assert at.leave() == 0


@pytest.mark.parametrize(
    "words", ["hint --peek", "show --verdict", "solve", "solve --positions hard.txt --rules classic"]
)
def test_ctrl_c_in_a_search_leaves_no_trace_on_the_screen(tmp_path, words):
    player = Player(tmp_path)
    player.begin_hard_game()
    (tmp_path / "hard.txt").write_text(player.text("show --line")[1])
    words = words.replace("hard", str(tmp_path / "hard"))
    at = Terminal(tmp_path, 80, 24, *words.split(), **player.env)
    at.wait(", 1 s")
    at.type("\x03")
    at.wait_for_the_end()
    assert at.child.exitstatus == 130
    assert not re.search(r"\^C|, \d+ s$", at.text, re.MULTILINE)


def test_ctrl_c_before_anything_is_said_leaves_no_trace_either():
    class Screen(io.StringIO):
        def isatty(self):
            return True

    told = Screen()
    with Waiting(Context(Environment(stderr=told), FilePlace("", {}))):
        told.write("^C")
    screen = pyte.Screen(80, 2)
    pyte.Stream(screen).feed(told.getvalue())
    assert screen.display[0].isspace()
    assert screen.cursor.x == 0


def test_questions_on_a_narrow_terminal_are_broken_between_words(terminal):
    at = terminal(30, 20)
    at.wait("reserve 13")
    at.type("draw; new\r")
    at.wait("[y/N]")
    assert "Leave this game after 1 move? It is kept. [y/N]" in " ".join(at.text.split())
    at.type("n\r")
    at.wait("the game goes on")
    assert at.leave() == 0


def test_keys_while_a_game_is_played_out_leave_no_trace_and_hide_no_win(terminal, tmp_path):
    game = Game(parse_position("A KKJT - KsQh/Js/Qs/Kh - - 3", preset("standard")))
    at = terminal(80, 24, game=game)
    at.wait("47/52 up")
    at.type("finish\r")
    at.wait("1 move ")
    at.type("\r\r\r")
    at.wait("The game is won")
    assert at.text.count("foundations, base") == 1
    # What was typed is gone.
    at.type("undo\r")
    at.wait("51/52 up")
    assert at.leave() == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_while_a_game_is_played_out_gives_the_echo_back(tmp_path, number, status):
    Player(tmp_path).run("new --rules easy --seed 7 -q")
    at = Terminal(tmp_path, 80, 24, "finish", CANFIELD_SAVE=str(tmp_path / "game.json"))
    while at.child.getecho():
        at.stream.feed(at.child.read_nonblocking(65536, timeout=20))
    at.child.kill(number)
    end = time.monotonic() + 10
    while not at.child.getecho():
        assert time.monotonic() < end
        time.sleep(0.01)
    at.wait_for_the_end()
    assert at.child.exitstatus == status


def test_what_stands_above_the_board_goes_with_the_next_line(terminal):
    at = terminal(80, 24)
    at.wait("reserve 13")
    at.type("help move\r")
    at.wait("-- Enter goes on --")
    at.type("\r")
    at.wait("reserve 13")
    assert "for example: move" in at.text
    at.type("draw\r")
    at.wait("stock 31")
    assert at.text.startswith(" reserve 13")
    at.type("set plain yes\rdraw\r")
    at.wait("Column 4: ")
    at.type("set plain no\r")
    at.wait("stock 28")
    assert at.text.startswith(" reserve 13")
    assert "Column" not in at.text
    assert at.leave() == 0


def test_a_suggestion_is_grey_and_the_right_arrow_takes_it(terminal):
    at = terminal(80, 24)
    at.wait("reserve 13")
    at.type("draw\r")
    at.wait("stock 31")
    at.type("dr")
    at.wait("> draw")
    row = next(row for row, line in enumerate(at.text.splitlines()) if line.startswith("> draw"))
    typed, rest = at.screen.buffer[row][3], at.screen.buffer[row][4]
    assert typed.fg == "default"
    assert rest.fg != "default"
    at.type("\x1b[C\r")
    at.wait("stock 28")
    assert at.leave() == 0


def test_no_background_is_ever_set_and_no_color_means_none(terminal):
    at = terminal(80, 24, NO_COLOR="1")
    at.wait("reserve 13")
    cells = [cell for row in at.screen.buffer.values() for cell in row.values()]
    assert {cell.bg for cell in cells} == {"default"}
    assert {cell.fg for cell in cells} == {"default"}
    assert not any(cell.reverse for cell in cells)
    at.leave()
    at = terminal(80, 24)
    at.wait("reserve 13")
    at.type("\t")
    at.wait("turn 3 cards from the stock")
    cells = [cell for row in at.screen.buffer.values() for cell in row.values()]
    assert {cell.bg for cell in cells} == {"default"}
    assert "red" in {cell.fg for cell in cells}
    at.leave()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_while_the_screen_is_drawn_ends_the_session_too(terminal, number, status):
    for pause in (0.005, 0.015, 0.03):
        shown = terminal(80, 24)
        shown.wait("CAN-D3-2222-2225-V")
        shown.type("\t")
        time.sleep(pause)
        shown.child.kill(number)
        shown.wait_for_the_end()
        assert shown.child.exitstatus == status
        assert "Unhandled" not in shown.text
