"""Scripts and pipes: plain lines in, text out, one exit status, and a game that outlives every way to end."""

import signal
import subprocess
import time
from pathlib import Path

import pytest
from play import PROGRAM, Player, leave, until


@pytest.fixture
def player(tmp_path):
    made = Player(tmp_path)
    assert made.run("new --seed 7 -q").returncode == 0
    return made


# Lines.


def test_lines_of_a_pipe_are_commands_and_actions(player):
    status, out, err = player.text("play -q", "draw\ntap s\nmove draw\ndraw draw\n\nmoves\n")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "draw"
    assert player.actions() == ["draw"] * 5


def test_the_last_line_needs_no_newline_and_windows_may_end_them(player):
    assert player.text("play -q", "draw\r\ndraw\r\ndraw") == (0, "", "")
    assert player.actions() == ["draw"] * 3


def test_a_hash_begins_a_comment_and_empty_lines_do_nothing(player):
    lines = "# don't draw 3\n\n   \ndraw 2 # twice, isn't it\n#draw\n;;draw;#draw\n"
    assert player.text("play -q", lines) == (0, "", "")
    assert player.actions() == ["draw"] * 3


def test_no_input_at_all_is_no_failure(player):
    before = player.save.read_bytes()
    assert player.text("play") == (0, "", "")
    assert player.save.read_bytes() == before


def test_neither_prompt_nor_control_codes_come_out(player):
    status, out, err = player.text("play", "draw\nmoves\nset\nhelp\nhelp new\nrules\nwf\n")
    assert status in (0, 1)
    assert out.replace("\n", "").isprintable()
    assert "> " not in out.replace("  > ", "")
    assert err.replace("\n", "").isprintable()


def test_each_line_sees_what_the_ones_before_it_did(player):
    player.run("play -q", "draw 4\nundo\nundo\nredo")
    game = player.game()
    assert (game["actions"], game["undone"]) == (["draw"] * 4, 1)


def test_commands_on_one_line_are_split_by_semicolons(player):
    assert player.text("play -q", "draw; draw;undo ; draw") == (0, "", "")
    assert player.actions() == ["draw"] * 2


def test_c_runs_its_lines_in_turn(player):
    words = [*PROGRAM, "play", "-q", "-c", "draw; draw", "-c", "undo # and no more; draw"]
    done = subprocess.run(words, env=player.env, input=b"draw\n" * 9, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (player.actions(), player.game()["undone"]) == (["draw"] * 2, 1)


def test_a_script_is_read_from_its_file(player):
    (player.folder / "three.txt").write_text("draw\ndraw\n# done\ndraw")
    assert player.text("play -q --script three.txt") == (0, "", "")
    assert player.text("play -q --script -", "draw\n") == (0, "", "")
    assert player.actions() == ["draw"] * 4


def test_a_script_that_is_not_there_is_told_by_its_name(player):
    status, out, err = player.text("play --script missing.txt")
    assert (status, out) == (3, "")
    assert err.startswith("error: there is no file `missing.txt`")


@pytest.mark.parametrize("name", [".", "game.json/x"])
def test_a_script_that_can_not_be_read_is_told_by_its_name(player, name):
    status, out, err = player.text(f"play --script {name}")
    assert (status, out) == (4, "")
    assert err.startswith(f"error: can't read `{name}`: ")
    assert len(err.splitlines()) == 2


def test_script_and_c_exclude_each_other(player):
    status, _, err = player.text("play --script x -c draw")
    assert status == 2
    assert "--script and -c" in err


def test_a_session_needs_a_save(player):
    status, _, err = player.text("play -s -", "draw\n")
    assert status == 2
    assert "--save FILE" in err


def test_quiet_and_looks_hold_for_every_line(player):
    _, out, _ = player.text("play --color always --ascii", "show\nselect s\ndraw")
    assert out.count("\x1b[") > 10
    assert out.isascii()
    assert player.text("play --quiet", "draw\nundo\nredo")[1] == ""


def test_prompt_toolkit_and_typer_are_left_alone(player):
    program = (
        "import sys\nfrom canfield_cli.cli.shell import main\n"
        "status = main(['play', *sys.argv[1:]])\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)\nsys.exit(status)"
    )
    lines = b"draw\nundo\nmoves\ntap s\nhelp\nset\nselect w\nhint\n"
    for words in ([], ["--json"], ["-c", "draw; undo"]):
        done = subprocess.run(
            [PROGRAM[0], "-c", program, *words], env=player.env, input=lines, capture_output=True, check=True
        )
        loaded = set(done.stderr.decode().split())
        assert "canfield_cli" in loaded
        assert not loaded & {"prompt_toolkit", "typer", "click", "asyncio", "rich"}


# Failures.


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("12x9", 1),
        ("undo 99", 1),
        ("darw", 2),
        ("draw --nonsense", 2),
        ("undo x", 2),
        ("'draw", 2),
        ("check missing.json", 3),
        ("-s other.json draw", 2),
        ("draw -s other.json", 2),
    ],
)
def test_a_script_stops_at_its_first_failure_with_its_status(player, line, status):
    found, _, err = player.text("play -q", f"draw\n{line}\ndraw\n")
    assert found == status
    errors = err.splitlines()
    assert [each.partition(":")[0] for each in errors[:2]] == ["error", "hint"]
    assert errors[2:] == [f"stopped at line 2, `{line}`"]
    assert player.actions() == ["draw"]


def test_keep_going_goes_on_and_ends_with_the_first_failure(player):
    status, _, err = player.text("play -q --keep-going", "draw\ndarw\nundo 99\n'x\ndraw; quit\ndraw\n")
    assert status == 2
    assert err.count("error: ") == 3
    assert "stopped" not in err
    assert player.actions() == ["draw"] * 2


def test_quit_ends_a_script_well(player):
    assert player.text("play -q", "draw\nquit\ndarw\n") == (0, "", "")
    assert player.actions() == ["draw"]


def test_what_fails_after_a_semicolon_leaves_what_was_done_before(player):
    assert player.text("play -q", "draw; darw; draw")[0] == 2
    assert player.actions() == ["draw"]


def test_errors_stand_where_they_happened_if_both_streams_are_one(player):
    done = player.begin("--keep-going", stderr=subprocess.STDOUT)
    out, _ = done.communicate(b"moves\ndarw\nmoves\n", 20)
    lines = [line.split(":")[0] for line in out.decode().splitlines()]
    assert lines[0] == "draw"
    assert "error" in lines[1:-1]
    assert lines.index("error") < len(lines) - 1 - lines[::-1].index("draw")


def test_without_a_game_a_line_says_so(tmp_path):
    status, _, err = Player(tmp_path).text("play", "draw\n")
    assert status == 3
    assert "there is no game" in err
    assert not list(tmp_path.iterdir())


def test_a_script_may_begin_its_own_game(tmp_path):
    player = Player(tmp_path)
    assert player.text("play -q", "new --seed 7\ndraw\nnew --seed 8\ndraw 2\nresume 1\n")[0] == 0
    assert (player.game()["seed"], player.actions()) == (7, ["draw"])


def test_odd_bytes_are_refused_in_a_sentence(player):
    for line in (
        b"dr\xffaw",
        b"draw\0",
        b"import a\0b",
        b"check \xff\xfe",
        b"\xc3",
        "ж".encode(),
        b"move \x1b[2J",
    ):
        done = player.run("play", line)
        assert done.returncode in (2, 3, 4), line
        assert done.stderr.startswith(b"error: "), line
        assert b"\x1b" not in done.stderr
        assert b"Traceback" not in done.stderr


def test_a_line_that_is_too_long_is_refused_as_a_whole(player):
    lines = b"move" + b" draw" * 100_000 + b"\ndraw\n" + "é".encode() * 40_000 + b"\ndraw"
    status, _, err = player.text("play -q --keep-going", lines)
    assert status == 2
    assert err.count("error: the line has more than 65,536 bytes") == 2
    assert player.actions() == ["draw"] * 2


# Standard input belongs to the lines.


def test_commands_do_not_read_the_lines_of_their_session(player):
    status, _, err = player.text("play -q --keep-going", "check -\nimport -\nnew --deal -\ndraw\n")
    assert status == 2
    assert err.count("standard input is where the session's own lines come from") == 3
    assert player.actions() == ["draw"]


def test_where_the_lines_come_from_elsewhere_standard_input_is_free(player):
    record = player.run("play -q -c draw -c export").stdout
    assert record
    assert player.run("play -q -c undo").returncode == 0
    words = [*PROGRAM, "play", "-q", "-c", "import -"]
    assert subprocess.run(words, env=player.env, input=record).returncode == 0
    assert player.actions() == ["draw"]


def test_a_closed_standard_input_is_told(player):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "play"], env=player.env, capture_output=True, text=True
    )
    assert done.returncode == 4
    assert done.stderr.startswith("error: there is no standard input")


# Ends.


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("words", ["-q", "--json"])
def test_a_signal_leaves_with_the_game_kept(player, number, status, words):
    session = player.begin(words)
    session.stdin.write(b"draw\nmoves\n")
    assert session.stdout.readline()
    assert leave(session, number) == status
    assert player.actions() == ["draw"]


@pytest.mark.parametrize("words", ["-q", "-q --keep-going"])
def test_ctrl_c_in_a_search_gives_what_is_found_so_far_and_ends_the_script(player, words):
    player.begin_hard_game()
    session = player.begin(words)
    session.stdin.write(b"show --line\n")
    assert session.stdout.readline()
    session.stdin.write(b"solve\ndraw\n")
    time.sleep(2)
    session.send_signal(signal.SIGINT)
    assert b"was interrupted" in session.stdout.read()
    assert session.wait(10) == 130
    leave(session)
    assert player.actions() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_any_moment_leaves_a_sound_game(player, number):
    (player.folder / "long.txt").write_bytes(b"draw\nundo\n" * 200_000)
    ends = []
    for wait in range(3):
        before = player.save.stat().st_mtime_ns
        session = player.begin("-q --script long.txt", stdin=subprocess.DEVNULL)
        # It writes once a second.
        until(lambda before=before: player.save.stat().st_mtime_ns != before, 30)
        time.sleep(wait / 30)
        session.send_signal(number)
        out, err = session.communicate(timeout=20)
        assert (out, err) == (b"", b"")
        ends.append(session.returncode)
        assert player.run("check").returncode == 0
        assert player.game()["state"]["moves"] <= 1
        assert player.run("restart -q").returncode == 0
    assert set(ends) == {128 + number}


def test_an_ignored_signal_stays_ignored(player):
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *PROGRAM, "play", "--json"]
    session = subprocess.Popen(
        ignoring, env=player.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    session.stdin.write(b"draw\n")
    assert session.stdout.readline()
    session.send_signal(signal.SIGHUP)
    session.stdin.write(b"draw\n")
    assert session.stdout.readline()
    session.stdin.close()
    assert session.wait(10) == 0
    session.stdout.close()
    assert player.actions() == ["draw"] * 2


def test_a_reader_that_goes_away_ends_it_quietly(player):
    session = player.begin("")
    session.stdin.write(b"draw\n")
    session.stdout.read(10)
    session.stdout.close()
    try:
        session.stdin.write(b"draw\nundo\n" * 20_000)
        session.stdin.close()
    except BrokenPipeError:
        pass
    assert session.wait(20) == 0
    assert session.stderr.read() == b""
    session.stderr.close()
    assert player.run("check").returncode == 0
    assert player.actions()[0] == "draw"


def test_waiting_takes_no_time_of_the_processor(player):
    session = player.begin("--json")
    session.stdin.write(b"draw\n")
    session.stdout.readline()
    until(lambda: player.actions() == ["draw"])

    def ticks():
        fields = Path(f"/proc/{session.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    time.sleep(0.5)
    assert ticks() - before <= 1
    assert leave(session) == 143


# Saving.


def test_what_is_done_is_written_within_a_second_or_so(player):
    session = player.begin("--json")
    session.stdin.write(b"draw\n")
    session.stdout.readline()
    start = time.monotonic()
    until(lambda: player.actions() == ["draw"])
    assert time.monotonic() - start < 3
    session.kill()
    assert leave(session) == -signal.SIGKILL
    assert player.run("check").returncode == 0


def test_a_kill_loses_at_most_the_last_second(player):
    session = player.begin("--json")
    done = []
    start = time.monotonic()
    while time.monotonic() - start < 2.5:
        session.stdin.write(b"draw\n")
        session.stdout.readline()
        done.append(time.monotonic())
        time.sleep(0.01)
    killed = time.monotonic()
    session.kill()
    leave(session)
    kept = len(player.actions())
    assert player.run("check").returncode == 0
    # The second, and what writing took on a busy machine.
    assert kept >= sum(when < killed - 1.5 for when in done)


def test_a_game_that_can_not_be_written_is_told_at_the_end(player):
    before = player.save.read_bytes()
    limited = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *PROGRAM, "play", "-q"]
    done = subprocess.run(limited, env=player.env, input=b"draw\n", capture_output=True)
    assert done.returncode == 4
    assert b"can't write" in done.stderr
    assert player.save.read_bytes() == before


# Several at once.


def test_sessions_and_one_shot_commands_lose_nothing_of_each_other(player):
    sessions = [player.begin("--json") for _ in range(2)]
    start = time.monotonic()
    alone = done = 0
    while time.monotonic() - start < 2.5:
        for session in sessions:
            session.stdin.write(b"draw\n")
            assert b'"ok": true' in session.stdout.readline()
            done += 1
        assert player.run("draw -q").returncode == 0
        alone += 1
    for session in sessions:
        session.stdin.close()
        assert session.wait(15) == 0
        session.stdout.close()
        session.stderr.close()
    assert alone >= 1
    assert len([action for action in player.actions() if action in ("draw", "redeal")]) == done + alone
    assert player.run("check").returncode == 0


def test_busy_sessions_let_others_have_the_save(player):
    (player.folder / "long.txt").write_bytes(b"draw\nundo\n" * 200_000)
    busy = [player.begin("-q --script long.txt", stdout=subprocess.DEVNULL) for _ in range(2)]
    time.sleep(0.5)
    drawn = 0
    while any(session.poll() is None for session in busy) and drawn < 3:
        done = player.run("draw -q")
        assert done.returncode == 0, done.stderr
        drawn += 1
    for session in busy:
        session.kill()
        leave(session)
    assert drawn >= 1
    assert player.run("check").returncode == 0


def test_what_takes_a_kept_game_up_again_names_the_save_of_the_session(player):
    _, out, _ = player.text("play -s foo.json", "new --seed 3\ndraw\nnew\n")
    assert "canfield resume 1 -s foo.json takes it up again" in out
