"""`play --json`: one line in, one JSON object on one line out, for hours; and the bot of docs/bots.md."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from play import PROGRAM, Player, ask, leave

PAGE = Path(__file__).parent.parent / "docs" / "bots.md"


@pytest.fixture
def player(tmp_path):
    made = Player(tmp_path)
    assert made.run("new --seed 7 -q").returncode == 0
    return made


@pytest.fixture
def session(player):
    made = player.begin("--json")
    yield made
    made.kill()
    leave(made)


def answers(player, lines, words=""):
    """Run lines through the protocol; return the objects, one for each line of output."""
    done = player.run(f"play --json {words}", lines)
    assert done.stderr == b""
    assert done.returncode == 0
    assert done.stdout.isascii()
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_is_answered_at_once_by_one_object(session):
    assert ask(session, "draw")["did"] == ["draw"]
    answer = ask(session, "moves")
    assert answer["ok"] is True
    assert answer["moves"] == answer["state"]["legal"]
    assert answer["line"] == 2
    assert list(answer)[:3] == ["line", "ok", "did"]


def test_a_leading_id_is_echoed(player):
    found = answers(
        player, "17 draw\ndraw\n007 undo 1\n18 darw\n999999999999999 show\n1000000000000000 show\n"
    )
    assert [each.get("id") for each in found] == [17, None, 7, 18, 999999999999999, None]
    assert [each["line"] for each in found] == [1, 2, 3, 4, 5, 6]
    assert [each["ok"] for each in found] == [True, True, True, False, True, False]


def test_a_number_alone_is_an_action(player):
    answer = answers(player, "12\n")[0]
    assert "id" not in answer
    assert answer["error"]["code"] == "illegal-move"


def test_the_state_is_that_of_every_json_answer(player):
    schema = json.loads(player.run("schema").stdout)
    state = answers(player, "draw\n")[0]["state"]
    Draft202012Validator({"$ref": "#/$defs/state", "$defs": schema["$defs"]}).validate(state)
    shown = json.loads(player.run("show --json").stdout)
    assert shown["state"] == state


def test_an_empty_line_and_a_comment_are_answered_with_the_state(player):
    found = answers(player, "\n   \n# a comment\ndraw # and draw\n")
    assert [each["ok"] for each in found] == [True] * 4
    assert [each["state"]["moves"] for each in found] == [0, 0, 0, 1]
    assert found[3]["did"] == ["draw"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("darw", "bad-notation"),
        ("play", "usage"),
        ("completion bash", "usage"),
        ("12x9", "illegal-move"),
        ("undo 9", "nothing-to-undo"),
        ("draw; draw", "usage"),
        ("'draw", "usage"),
        ("draw --nonsense", "usage"),
        ("draw --save x.json", "usage"),
        ("check missing.json", "bad-save"),
        ("import -", "usage"),
        ("new --code x", "bad-code"),
        ("resume 5", "no-such-game"),
        ("set nonsense yes", "usage"),
        ("set color green", "usage"),
        ("tap Zz", "bad-notation"),
        ("{", "bad-notation"),
        ('{"line": 1}', "bad-notation"),
        ("--", "usage"),
        ("move", "usage"),
        ("wf \x00", "illegal-move"),
    ],
)
def test_a_wrong_line_is_an_error_object_and_never_an_end(player, line, code):
    first, second = answers(player, f"{line}\ndraw\n")
    assert first["ok"] is False
    assert first["error"]["code"] == code
    assert first["error"]["message"]
    assert first["error"]["message"].isprintable()
    assert second["ok"] is True
    assert (first["line"], second["line"]) == (1, 2)


def test_bytes_that_are_no_text_are_answered(player):
    found = answers(player, b"\xff\xfe\n\0\0\n\xc3\n9 \xff\ndraw\n")
    assert [each["ok"] for each in found] == [False, False, False, False, True]
    assert found[3]["id"] == 9


def test_a_line_that_is_too_long_is_one_line(player):
    found = answers(player, b"draw " * 200_000 + b"\n" + b"x" * 65_537 + b"\n" + b"y" * 65_536 + b"\ndraw\n")
    assert [each["ok"] for each in found] == [False, False, False, True]
    assert [each.get("error", {}).get("code") for each in found] == ["usage", "usage", "bad-notation", None]
    assert "65,536" in found[0]["error"]["message"]


@settings(max_examples=15)
# Without the letters that `quit` and `exit` are written with.
@given(
    st.lists(
        st.binary(max_size=30).map(lambda line: line.translate(None, b"\nqQxX")), min_size=40, max_size=60
    )
)
def test_any_bytes_are_answered_line_by_line(tmp_path_factory, lines):
    player = Player(tmp_path_factory.mktemp("bytes"))
    assert player.run("new --seed 7 -q").returncode == 0
    found = answers(player, b"\n".join([*lines, b"draw", b""]))
    assert [each["line"] for each in found] == list(range(1, len(lines) + 2))
    assert found[-1]["did"] == ["draw"]


@pytest.mark.parametrize(
    "line", ["solve", "solve --positions hard.txt --rules classic", "show --verdict", "review", "finish"]
)
def test_ctrl_c_in_a_search_ends_the_session_without_an_answer(player, line):
    player.begin_hard_game()
    (player.folder / "hard.txt").write_text(player.text("show --line")[1])
    session = player.begin("--json")
    assert ask(session, "draw")["ok"] is True
    session.stdin.write(f"{line}\ndraw\n".encode())
    time.sleep(0.5)
    session.send_signal(signal.SIGINT)
    assert session.stdout.read() == b""
    assert session.wait(10) == 130
    leave(session)
    assert player.actions() == ["draw"]


def test_quit_is_answered_and_ends_it(player):
    found = answers(player, "draw\n5 quit\ndraw\n")
    assert [each["line"] for each in found] == [1, 2]
    assert found[1] == {"line": 2, "id": 5, "ok": True, "did": []}
    assert player.actions() == ["draw"]


def test_the_last_line_needs_no_newline(player):
    assert [each["ok"] for each in answers(player, "draw\ndraw")] == [True, True]
    assert answers(player, "") == []


def test_commands_of_c_are_lines_of_their_own(player):
    words = [*PROGRAM, "play", "--json", "-c", "draw; undo 'x y'", "-c", "3 redo; # no more"]
    done = subprocess.run(words, env=player.env, capture_output=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["line"], each["ok"], each.get("id")) for each in found] == [
        (1, True, None), (2, False, None), (3, False, 3),
    ]  # fmt: skip


def test_hidden_cards_are_in_no_answer(player):
    found = answers(player, "draw\nhint --all\nmoves\nselect w\nsolve x\nset\nhelp\nundo\n\n")
    assert all("cards" not in each.get("state", {}).get("reserve", {}) for each in found)
    assert all("cards" not in each.get("state", {}).get("stock", {}) for each in found)


def test_without_a_game_every_line_says_so_until_there_is_one(tmp_path):
    found = answers(Player(tmp_path), "draw\nshow\n\nnew --seed 7\ndraw\n")
    assert [each["ok"] for each in found] == [False] * 3 + [True] * 2
    assert {each["error"]["code"] for each in found[:3]} == {"bad-save"}


def test_what_another_command_did_is_seen(player, session):
    assert ask(session, "show")["state"]["moves"] == 0
    assert player.run("draw 2 -q").returncode == 0
    assert ask(session, "show")["state"]["moves"] == 2
    assert ask(session, "draw")["state"]["moves"] == 3


def test_a_save_that_breaks_meanwhile_is_told_and_mended_by_a_new_game(player, session):
    assert ask(session, "show")["ok"] is True
    player.save.write_text("{")
    assert ask(session, "draw")["error"]["code"] == "bad-save"
    assert ask(session, "new --seed 8")["ok"] is True
    assert ask(session, "draw")["did"] == ["draw"]


def test_what_could_not_be_written_is_told_with_the_next_line(player):
    limited = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *PROGRAM, "play", "--json"]
    session = subprocess.Popen(
        limited, env=player.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert ask(session, "draw")["state"]["moves"] == 1
    time.sleep(1.5)
    answer = ask(session, "draw")
    assert (answer["ok"], answer["error"]["code"]) == (False, "system")
    assert ask(session, "show")["state"]["moves"] == 0
    session.stdin.close()
    assert session.wait(10) == 0
    session.stdout.close()


def test_memory_stays_flat_over_many_lines(player):
    program = (
        "import resource, sys\nfrom canfield_cli.cli.shell import main\n"
        "main(['play', '--json', '--script', sys.argv[1]])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )

    def peak(times):
        script = player.folder / "long.txt"
        script.write_bytes(b"draw\nundo\nmoves\n7 12x9\nset\nselect w\n" * times)
        words = [sys.executable, "-c", program, str(script)]
        done = subprocess.run(
            words, env=player.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
        )
        return int(done.stderr)

    assert peak(2500) - peak(250) < 1500


def test_the_page_names_the_keys_and_statuses():
    page = PAGE.read_text()
    for word in (
        "`line`",
        "`id`",
        "`ok`",
        "`did`",
        "`error`",
        "`state`",
        "143",
        "129",
        "130",
        "65,536",
        "quit",
    ):
        assert word in page, word


def test_the_bot_of_the_page_plays_a_game(player):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) == 1
    assert len(blocks[0].splitlines()) <= 20
    folder = player.folder / "bin"
    folder.mkdir()
    script = folder / "canfield"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m canfield_cli "$@"\n')
    script.chmod(0o755)
    env = {**player.env, "PATH": f"{folder}:{player.env['PATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", blocks[0]],
        env=env,
        cwd=player.folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert re.fullmatch(r"(won|open): \d+ cards up in \d+ moves\n", done.stdout)
    assert len(player.actions()) > 30
    assert player.run("check").returncode == 0
