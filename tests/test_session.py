"""What a line of a session means; and that it is what the same words mean as a command of their own."""

import io
import os
import random
import re
import sys
from pathlib import Path

import pytest

from canfield_cli.cli.app import build
from canfield_cli.cli.completer import complete
from canfield_cli.cli.session import Leave, Session, split
from canfield_cli.cli.shell import main
from canfield_cli.commands import COMMANDS
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import UsageError
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.store.save import format_save

OWN = ["set", "select", "quit"]
OUTSIDE = ["play", "completion"]


@pytest.fixture
def session(tmp_path):
    """A session over a game of seed 7."""
    save = tmp_path / "game.json"
    save.write_text(format_save(Game.of(deal_seed(7), preset())))
    env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {"HOME": str(tmp_path)}, lambda: 1e9)
    return Session(env, HeldPlace(str(save), env.environ, 0.0))


def run(session, line):
    """Run the commands of one line; return the last result."""
    for words in split(line):
        result, _ = session.run(words)
    return result


def did(session, line):
    result = run(session, line)
    assert not result.error, result.error
    return list(result.did)


# Words.


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("", [[]]),
        ("draw", [["draw"]]),
        ("  wf  r2\t24x3 ", [["wf", "r2", "24x3"]]),
        ("draw; wf;show", [["draw"], ["wf"], ["show"]]),
        ("draw;", [["draw"], []]),
        ("draw # and no more; wf", [["draw"]]),
        ("# don't", [[]]),
        ("import 'my game.txt'", [["import", "my game.txt"]]),
        ('import "it\'s; #1"', [["import", "it's; #1"]]),
        ("a'b c'd", [["ab cd"]]),
        ("import ''", [["import", ""]]),
        ("game#1", [["game#1"]]),
    ],
)
def test_a_line_is_split_into_commands_and_words(line, commands):
    assert split(line) == commands


@pytest.mark.parametrize("line", ["'draw", 'import "x', "wf'"])
def test_a_quote_must_be_closed(line):
    with pytest.raises(UsageError, match="not closed"):
        split(line)


def test_the_longest_line_is_read_and_no_longer_one():
    assert split("x" * 65_536) == [["x" * 65_536]]
    with pytest.raises(UsageError, match="65,536"):
        split("x" * 65_537)


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("draw", ["draw"]),
        ("DRAW 2", ["draw", "draw"]),
        ("draw draw", ["draw", "draw"]),
        ("move draw", ["draw"]),
        ("tap s", ["draw"]),
        ("draw; draw", ["draw"]),
        ("draw; undo; redo", ["draw"]),
        ("-- draw", ["draw"]),
    ],
)
def test_a_line_is_a_command_or_actions(session, line, actions):
    assert did(session, line) == actions


def test_all_actions_of_a_line_happen_or_none(session):
    assert run(session, "draw draw 12x9").error.code == "illegal-move"
    assert session.place.load().done == []


def test_a_word_that_nothing_means_is_told_with_what_comes_near(session):
    error = run(session, "darw").error
    assert error.message == "`darw` is neither a command nor an action, did you mean `draw`?"
    assert error.code == "bad-notation"
    assert "did you mean" not in run(session, "zzzzzz").error.message
    assert "is not an action" in run(session, "draw xyz").error.message


@pytest.mark.parametrize("name", OUTSIDE)
def test_commands_of_the_shell_alone_say_so(session, name):
    assert "for the shell" in run(session, name).error.message


def test_help_knows_the_commands_of_the_session(session):
    assert set(run(session, "help").data["commands"]) == {*COMMANDS, *OWN} - set(OUTSIDE)
    for line in ("help draw", "? draw", "draw --help"):
        assert run(session, line).data["usage"] == "draw [N]"
    for line in ("help", "?", "--help", "wf --help"):
        assert "commands" in run(session, line).data


@pytest.mark.parametrize("line", ["quit", "exit", "QUIT"])
def test_quit_leaves(session, line):
    with pytest.raises(Leave):
        run(session, line)


def test_the_words_of_bsd_are_read_when_asked_for(session):
    assert run(session, "ht").error
    assert not run(session, "set words bsd").error
    assert did(session, "ht") == ["draw"]
    game = session.place.load()
    assert run(session, "tf").error.code == run(session, "wf").error.code
    # Between columns BSD's game moves all of a column.
    for column, pile in enumerate(game.position.columns):
        if "31x1" in game.position.legal() and column == 2:
            assert len(pile) == 1


# Settings and marks.


def test_settings_are_shown_and_changed(session):
    assert [line.split()[0] for line in run(session, "set").lines] == list(
        run(session, "set").data["settings"]
    )
    assert run(session, "set four-color yes").data["settings"]["four_color"] == "yes"
    assert run(session, "set four_color").lines[0].split()[:2] == ["four_color", "yes"]
    assert run(session, "set four_color green").error.status == 2
    assert run(session, "set nonsense").error.status == 2
    assert "did you mean `color`" in run(session, "set colour").error.message


def test_settings_stand_for_the_options_of_every_command(session):
    run(session, "set ascii yes")
    _, values = session.run(["show"])
    assert values["ascii"] is True
    run(session, "set color never")
    assert session.run(["show"])[1]["color"] == "never"
    assert session.run(["show", "--color", "always"])[1]["color"] == "always"
    run(session, "set ascii no")
    assert session.run(["show"])[1]["ascii"] is False


def test_select_marks_where_a_card_can_go_until_something_changes(session):
    game = session.place.load()
    ways = [action for action in game.position.legal() if action[0] == "r"]
    marked = run(session, "select r")
    assert list(marked.data["moves"]) == ways
    assert marked.marks == frozenset(marked.data["marks"])
    assert run(session, "show").marks == marked.marks
    assert run(session, "draw").marks == frozenset()
    run(session, "select s")
    assert run(session, "select").marks == frozenset()


@pytest.mark.parametrize(
    ("piles", "what", "said"),
    [
        ("7h Ks/Qh/Js/Ts - -", "r", "{7h} from the reserve can go nowhere"),
        ("7h Ks/Qh/Js/Ts - -", "w", "the waste is empty"),
        ("- Ks/Qh/Js/- - 7h", "w", "{7h} from the waste can go to column 4"),
        ("7h Ks/Qh/Js/Ts - -", "Ks", "{Ks} can go nowhere"),
        ("7h Ks/Qh/Js/Ts - -", "3", "cards of column 3 can go to column 2"),
        ("7h Ks/Qh/Js/Ts - -", "1", "cards of column 1 can go nowhere"),
        ("7h Ks/Qh/Js/Ts 2c -", "s", "cards of the stock can go to the waste"),
        ("7h Ks/Qh/Js/Ts - 2c", "s", "cards of the waste can go to the stock"),
        ("7h Ks/Qh/Js/Ts - -", "s", "the stock is empty"),
        ("7h Ks/Qh/Js/Ts - -", "fh", "{4h} from the hearts foundation can go nowhere"),
    ],
)
def test_select_says_what_can_go_where(session, piles, what, said):
    # A save would want a whole pack: this game is only held.
    session.place.save(Game(parse_position(f"4 5446 {piles} 0", preset())))
    result = run(session, f"select {what}")
    assert not result.error, result.error
    assert result.said == [said]


# The verdict, which only a look at the hidden cards gives.


def test_a_verdict_that_is_shown_is_noted_by_every_command(session):
    assert session.place.load().tally.helped == ""
    run(session, "set verdict yes")
    assert session.place.load().tally.helped == "peek"
    run(session, "new --seed 9")
    assert session.place.load().tally.helped == "peek"
    run(session, "set verdict no")
    run(session, "new --seed 9")
    assert session.place.load().tally.helped == ""


def test_without_a_game_there_is_nothing_to_note_a_verdict_on(tmp_path):
    env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {"HOME": str(tmp_path)}, lambda: 1e9)
    session = Session(env, HeldPlace(str(tmp_path / "folder" / "game.json"), env.environ, 0.0))
    assert not run(session, "set verdict yes").error
    assert not (tmp_path / "folder").exists()


# The same as a command of its own.


def outcome(words, capsys, monkeypatch):
    """Run a command line of the shell in this process: status, output, errors."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def some_lines(rng, count):
    """Lines of every kind, right and wrong, for a game that goes on under them."""
    actions = ["draw", "wf", "rf", "w1", "w2", "w3", "w4", "r1", "r2", "r3", "r4", "1f", "2f", "3f", "4f"]
    actions += [f"{a}{b}" for a in "1234" for b in "1234" if a != b] + [
        "redeal",
        "fc1",
        "Kd-2",
        "9h-Ts",
        "zz",
    ]
    kinds = [
        lambda: "move " + " ".join(rng.choices(actions, k=rng.choice((1, 1, 1, 2, 3)))),
        lambda: "draw",
        lambda: f"draw {rng.choice(('1', '2', '3', '0', '1.5', '99'))}",
        lambda: f"undo {rng.choice(('', '1', '2', '500'))}",
        lambda: f"redo {rng.choice(('', '1', '2'))}",
        lambda: f"tap {rng.choice(('s', 'w', 'r', '1', '2', '3', '4', 'fh', 'Kd', '9h', 'nonsense', ''))}",
        lambda: "up",
        lambda: "moves",
        lambda: f"hint {rng.choice(('', '--all'))}",
        lambda: f"show {rng.choice(('', '--line', '--reveal', '--plain', '--ascii'))}",
        lambda: f"new --seed {rng.randrange(50)} --rules {rng.choice([*PRESETS, 'nonsense'])}",
        lambda: rng.choice(("restart", "resume", "resume 1", "resume 77", "resume x")),
        lambda: f"rules {rng.choice(('', *PRESETS))}",
        lambda: rng.choice(
            ("check", "check missing.json", "export", "schema", "import missing.txt", "import")
        ),
        lambda: rng.choice(
            ("show --nonsense", "undo 1 2", "new --seed x", "new --seed 1 --pysol 2", "moves 3")
        ),
    ]
    weights = [9, 5, 1, 2, 1, 5, 3, 2, 2, 3, 1, 1, 1, 2, 1]
    for _ in range(count):
        line = rng.choices(kinds, weights)[0]()
        yield " ".join([*line.split(), *rng.choice(([], [], [], ["--json"], ["-q"]))])


def test_a_session_says_and_does_what_the_same_words_do_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "FORCE_COLOR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    # Both tell the same time, and the same names of files.
    monkeypatch.setattr("canfield_cli.commands.environment.Environment.__init__", _with_clock)
    lines = list(some_lines(random.Random(3), 200))
    saves = {}
    for where in ("alone", "session"):
        folder = tmp_path / where
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("CANFIELD_SAVE", "game.json")
        assert main(["new", "--seed", "7", "-q"]) == 0
        capsys.readouterr()
        words = {line: line.split() if where == "alone" else ["play", "-c", line] for line in lines}
        found = [(line, *outcome(words[line], capsys, monkeypatch)) for line in lines]
        saves[where] = (found, Path("game.json").read_text(), sorted(os.listdir("game.json.kept")))
    for (line, *alone), (_, status, out, err) in zip(saves["alone"][0], saves["session"][0], strict=True):
        told = re.sub(r"stopped at line 1, .*\n", "", err)
        assert [status, out, told] == alone, line
    assert saves["alone"][1:] == saves["session"][1:]
    statuses = {status for _, status, _, _ in saves["alone"][0]}
    assert {0, 1, 2, 3} <= statuses


def test_one_session_of_many_lines_ends_where_the_same_commands_end(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr("canfield_cli.commands.environment.Environment.__init__", _with_clock)
    lines = [line for line in some_lines(random.Random(4), 200) if "resume" not in line]
    told = []
    for where in ("alone", "session"):
        folder = tmp_path / where
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("CANFIELD_SAVE", "game.json")
        assert main(["new", "--seed", "7", "-q"]) == 0
        capsys.readouterr()
        if where == "alone":
            statuses = [main(line.split()) for line in lines]
            status = next(filter(None, statuses))
        else:
            Path("lines.txt").write_text("\n".join(lines))
            status = main(["play", "--keep-going", "--script", "lines.txt"])
        out, err = capsys.readouterr()
        told.append(
            [str(status), *out.splitlines(), *err.splitlines(), *Path("game.json").read_text().splitlines()]
        )
    for alone, session in zip(*told, strict=True):
        assert alone == session


def _with_clock(self, *args, **kwargs):
    self.stdin, self.stdout, self.stderr = sys.stdin, sys.stdout, sys.stderr
    self.environ = os.environ
    self.now = lambda: 1_800_000_000.0
    self.entropy = lambda count: bytes(range(7, 7 + count))


# One table.


def test_table_shell_session_completion_and_manual_have_the_same_commands(session):
    import typer

    names = list(COMMANDS)
    shell = list(typer.main.get_command(build(lambda *_: 0)).commands)
    assert shell == names
    assert set(session.commands) == {*names, *OWN} - set(OUTSIDE)
    offered = {word for word, _ in complete(session, None, "")}
    assert offered == set(session.commands)
    root = Path(__file__).parent.parent
    manual = (root / "man" / "canfield.6").read_text()
    assert re.findall(r"^\.It Ic (\S+)", manual, re.M) == [*names, *OWN]
    for file in ("canfield.bash", "_canfield", "canfield.fish"):
        script = (root / "completions" / file).read_text()
        assert all(re.search(rf"\b{name}\b", script) for name in names)
