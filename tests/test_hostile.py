"""A hostile user and a hostile system: one sentence and a hint, the right status, nothing changed on disk."""

import contextlib
import ctypes
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pytest

from canfield_cli.engine.jsontext import JsonFault, read_json

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = [sys.executable, os.path.join(ROOT, "bin", "canfield")]
#: No answer takes more work, in seconds, and no program more memory, in bytes of addresses.
PATIENCE, MEMORY = 2.0, 200 * 2**20
NOBODY = 65534


class Ran:
    """What came of a run: status, output, and what it cost."""

    def __init__(self, process, out, err, usage, seconds):
        self.status, self.out, self.err = process.returncode, out, err
        self.seconds = seconds
        self.work = usage.ru_utime + usage.ru_stime


@pytest.fixture
def run(tmp_path):
    """Run the program with words (text or bytes); a dictionary of more environment, text for standard input."""

    def run(*words, stdin=b"", env=None, shell=None, before=None):
        environ = {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, "LANG": "C.UTF-8", "HOME": str(tmp_path)}
        environ |= env or {}
        command = ["sh", "-c", f'exec "$@" {shell}', "sh", *PROGRAM, *words] if shell else [*PROGRAM, *words]
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            files[0].write(stdin)
            files[0].seek(0)
            begun = time.monotonic()
            process = subprocess.Popen(
                command,
                **dict(zip(("stdin", "stdout", "stderr"), files, strict=True)),
                cwd=tmp_path,
                env=environ,
                preexec_fn=lambda: (
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
                    before and before(),
                ),
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out, err = (file.seek(0) or file.read().decode() for file in files[1:])
        return Ran(process, out, err, usage, time.monotonic() - begun)

    return run


@pytest.fixture
def game(run, tmp_path):
    """A save with one action, and a kept game beside it."""
    path = tmp_path / "game.json"
    for words in ("new --seed 7", "draw", "restart", "draw"):
        assert run(*words.split(), "-s", str(path)).status == 0
    return path


def disk(folder):
    """All that is in `folder`: each name, with what would change if it did."""
    found = {}
    for base, folders, files in os.walk(os.fsencode(folder)):
        for name in (*folders, *files):
            info = os.lstat(os.path.join(base, name))
            found[os.path.join(base, name)] = (info.st_mode, info.st_ino, info.st_size, info.st_nlink)
    return found


def assert_refused(ran, *statuses):
    """Hold a run to the form of a refusal: a sentence, a hint, nothing raw, in time."""
    assert ran.status in statuses, ran.err
    assert ran.err.isascii() or "\x1b" not in ran.err
    first, second, end = ran.err.split("\n")
    assert first.startswith("error: ")
    assert not first.endswith(".") or first.endswith("...")
    assert len(first) < 600
    assert second.startswith("hint: ")
    assert end == ""
    assert (first + second).isprintable()
    assert ran.work < PATIENCE
    # Of the clock on the wall, other programs may take their share.
    assert ran.seconds < 5 * PATIENCE


# Saves.


def _file(data):
    def make(path):
        path.write_bytes(data)

    return make


def _sparse(path):
    path.touch()
    os.truncate(path, 2**30)


def _socket(path):
    # The path of a socket is short.
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


LAST_KEYS = b",".join(b'"%d":0' % number for number in range(90_000))
#: What may be where a save should be, and the exit status that it leads to.
THINGS = {
    "empty": (_file(b""), 3),
    "a cut save": (_file(b'{\n"format": "canfield-save",\n"vers'), 3),
    "not UTF-8": (_file(b"\xff\xfe{\x00}\x00"), 3),
    "not JSON": (_file(b"\x1b[31mred"), 3),
    "1 GB": (_sparse, 3),
    "16 MB of lists": (_file(b"[" + b"[]," * (16 * 2**20 // 3 - 2) + b"[]]"), 3),
    "1 MB of objects": (_file(b"[" + b"{}," * (2**20 // 3 - 2) + b"{}]"), 3),
    "nested 100,000 deep": (_file(b"[" * 100_000), 3),
    "nested almost too deep": (_file(b"[" * 950 + b"]" * 950), 3),
    "a key that is there twice, after many": (_file(b"{" + LAST_KEYS + b',"z":1,"z":2}'), 3),
    "NaN": (_file(b'{"format": NaN}'), 3),
    "a number of 10,000 digits": (_file(b'{"version":' + b"9" * 10_000 + b"}"), 3),
    "a later version": (_file(b'{"format": "canfield-save", "version": 2}'), 3),
    "a folder": (lambda path: path.mkdir(), 3),
    "a pipe": (os.mkfifo, 3),
    "a socket": (_socket, 3),
    "a device": (lambda path: path.symlink_to("/dev/zero"), 3),
    "a full device": (lambda path: path.symlink_to("/dev/full"), 3),
    "nothing": (lambda path: None, 3),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), 3),
    "a link to itself": (lambda path: path.symlink_to(path.name), 4),
}


@pytest.mark.parametrize("thing", THINGS)
def test_what_is_no_save_is_refused_and_left_alone(run, tmp_path, thing, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make, status = THINGS[thing]
    path = tmp_path / "a \x1b[31m{Qc}\n\udcff.json"
    try:
        make(path)
    except (OSError, UnicodeError) as error:
        pytest.skip(f"the system allows no such file: {error}")
    before = disk(tmp_path)
    for words in (["show"], ["draw", "--json"]):
        ran = run(*words, "-s", os.fsencode(path))
        assert_refused(ran, status)
        assert ran.out == "" if words == ["show"] else json.loads(ran.out)["ok"] is False
        assert disk(tmp_path) == before
    assert not os.path.lexists("/dev/.zero.lock")


@pytest.mark.parametrize("words", ["draw", "show", "check", "undo --json"])
def test_a_path_that_leads_nowhere_is_a_refusal_of_the_system(run, game, words):
    os.symlink("loop", game.parent / "loop")
    for path in (game / "inside", game.parent / "loop", game.parent / ("x" * 256)):
        assert_refused(run(*words.split(), "-s", str(path)), 4)


@pytest.mark.parametrize("words", ["resume", "resume 1", "new --seed 1"])
def test_a_link_to_itself_has_no_games_beside_it_either(run, tmp_path, words):
    os.symlink("loop", tmp_path / "loop")
    assert_refused(run(*words.split(), "-s", "loop"), 4)


#: prctl(PR_CAPBSET_DROP) of Linux, and the two powers of root to pass over permissions.
DROP, OVERRIDE, READ_SEARCH = 24, 1, 2


def become_powerless():
    """Let root be refused like anybody else."""
    libc = ctypes.CDLL(None)
    if libc.prctl(DROP, OVERRIDE, 0, 0, 0) or libc.prctl(DROP, READ_SEARCH, 0, 0, 0):
        raise OSError


def test_what_its_owner_keeps_from_others_stays_his(run, game):
    if os.geteuid() or sys.platform != "linux":
        pytest.skip("only root can give files away, and only Linux can take its powers")
    folder = game.parent / "theirs"
    folder.mkdir()
    save = folder / "game.json"
    save.write_bytes(game.read_bytes())
    for path in (folder, save):
        os.chown(path, NOBODY, NOBODY)
    for mode, of_save, words in (
        (0o755, 0o600, "show"),
        (0o755, 0o644, "draw"),
        (0o777, 0o600, "new --seed 1"),
        (0o777, 0o444, "draw"),
        (0o700, 0o644, "show"),
        (0o700, 0o644, "new --seed 1"),
    ):
        save.chmod(of_save)
        folder.chmod(mode)
        before = disk(folder)
        assert_refused(run(*words.split(), "-s", str(save), before=become_powerless), 4)
        assert disk(folder) == before


# Kept games.


def test_the_list_of_kept_games_outlives_whatever_is_among_them(run, game):
    kept = game.parent / "game.json.kept"
    (kept / "7.json").symlink_to("nowhere")
    (kept / "8.json").symlink_to("8.json")
    (kept / "9.json").mkdir()
    (kept / "10.json").write_text('{"\x1b[31m')
    (kept / f"{10**30}.json").write_text("")
    ran = run("resume", "--json", "-s", str(game))
    assert (ran.status, ran.err) == (0, "")
    assert [each["number"] for each in json.loads(ran.out)["kept"]] == [1, 7, 8, 9, 10]
    text = run("resume", "-s", str(game)).out
    assert text.count("broken") == 4
    assert "\x1b" not in text


def forbid_writing():
    """Let no file grow beyond a few bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_game_that_can_not_be_written_replaces_nothing(run, game):
    before = disk(game.parent)
    for words in ("new --seed 8", "restart", "draw", "undo", "resume 1"):
        ran = run(*words.split(), "--json", "-s", str(game), before=forbid_writing)
        # What it says itself goes to files too.
        assert ran.status == 4
        assert disk(game.parent) == before
    assert json.loads(run("show", "--json", "-s", str(game)).out)["state"]["moves"] == 1


def fill(path):
    """Write a file until nothing more fits."""
    with open(path, "wb", 0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass


def test_a_full_disk_changes_nothing_and_the_state_told_is_the_one_there_is(run, game, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], capture_output=True
    ).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        save = small / "game.json"
        save.write_bytes(game.read_bytes())
        fill(small / "rest")
        before = disk(small)
        for words in ("draw", "new --seed 8", "restart"):
            ran = run(*words.split(), "--json", "-s", str(save))
            assert_refused(ran, 4)
            assert json.loads(ran.out)["state"]["moves"] == 1
            assert disk(small) == before
    finally:
        subprocess.run(["umount", small], check=True)


def test_a_refused_new_game_leaves_no_lock_behind(run, tmp_path):
    assert_refused(run("new", "--code", "junk", "-s", "game.json"), 3)
    assert disk(tmp_path) == {}


# Words.

ODD = ["", "--", "-x", "--\x1b[31mred", "\x1b]0;title\x07", b"\xff\xfe", "9" * 100_000, "x" * 100_000, "1" * 100_000,
       "-" * 1000, "٣", "{Qc}", "\u202e", "a\nb"]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd)[:20])
def test_odd_words_are_refused_in_one_printable_sentence(run, game, odd):
    before = disk(game.parent)
    for words in (["move", odd], [odd, "show"], ["new", "--deal", odd], ["new", "--pysol", odd]):
        assert_refused(run(*words, "-s", str(game)), 2, 3, 4)
        assert disk(game.parent) == before


def test_a_game_has_a_longest_length(run, game):
    before = game.read_bytes()
    for words in (["draw", "1000000"], ["move", *["draw"] * 20_000]):
        ran = run(*words, "-s", str(game))
        assert_refused(ran, 1)
        assert "10,000 actions" in ran.err
    assert game.read_bytes() == before
    assert run("draw", "9999", "-q", "-s", str(game)).status == 0
    ran = run("show", "-s", str(game))
    assert (ran.status, ran.err) == (0, "")
    assert_refused(run("draw", "-s", str(game)), 1)


def test_a_key_that_is_there_twice_is_found_at_once_among_many():
    text = "{" + ",".join(f'"{number}":0' for number in range(200_000)) + ',"last":1,"last":2}'
    begun = time.process_time()
    with pytest.raises(JsonFault, match="has the key `last` twice"):
        read_json(text)
    assert time.process_time() - begun < PATIENCE


def test_a_position_of_far_too_many_cards_is_counted_and_not_listed(run):
    line = f"3 T899 - 2hAs/Ks/KdQcJdTs/2cAd {'2c3d' * 50_000} {'9h' * 50_000} 4"
    ran = run("new", "--deal", "-", stdin=line.encode())
    assert_refused(ran, 3)
    assert "the position has 150009 cards" in ran.err


def test_the_record_of_an_editor_that_marks_its_files_is_read(run, game):
    record = run("export", "-s", str(game)).out
    assert run("import", "-", "-s", "other.json", stdin=b"\xef\xbb\xbf" + record.encode()).status == 0


# Streams.


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_status(run, game, closed):
    for words, status in (("show", 0), ("move zz", 2), ("new --code junk", 3), ("--bogus", 2)):
        ran = run(*words.split(), *([] if words == "--bogus" else ["-s", str(game)]), shell=closed)
        assert ran.status == status
        assert "Traceback" not in ran.err


def test_output_that_can_not_be_written_is_told_where_it_can_be(run, game):
    if not os.path.exists("/dev/full"):
        pytest.skip("the system has no /dev/full")
    assert_refused(run("show", "-s", str(game), shell=">/dev/full"), 4)
    assert run("show", "-s", str(game), shell=">/dev/full 2>/dev/full").status == 4
    assert run("move", "zz", "-s", str(game), shell="2>/dev/full").status == 2


def test_a_closed_pipe_is_quiet_and_keeps_the_status_of_an_error(run, game):
    for words, statuses in (("show", {0}), ("move zz", {2})):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as pipe:
            process = subprocess.run(
                [*PROGRAM, *words.split(), "-s", str(game)],
                stdout=pipe,
                stderr=pipe,
                env={**os.environ, "PYTHONPATH": ROOT},
            )
        assert process.returncode in statuses


def test_new_reads_nothing_from_a_stream_even_where_it_fails(run):
    reader, writer = os.pipe()
    try:
        process = subprocess.run(
            [*PROGRAM, "new", "--code", "junk", "-s", "-"],
            stdin=reader,
            capture_output=True,
            timeout=10 * PATIENCE,
            env={**os.environ, "PYTHONPATH": ROOT},
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert process.returncode == 3


def test_output_that_has_no_pictures_gets_letters(run, game):
    ran = run("show", "-s", str(game), env={"PYTHONIOENCODING": "ascii"})
    assert ran.out.isascii()
    assert "\\u" not in ran.out


# Signals, and many at once.


def kills(game, number):
    """Send signal after signal to commands that draw; yield each status and what it said."""
    chance = random.Random(7)
    for _ in range(25):
        process = subprocess.Popen(
            [*PROGRAM, "draw", "-s", str(game)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": ROOT},
        )
        time.sleep(chance.uniform(0, 0.08))
        process.send_signal(number)
        _, said = process.communicate()
        yield process.returncode, said.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_at_any_moment_leaves_the_old_game_or_the_new(run, game, number):
    def moves():
        ran = run("show", "--json", "-s", str(game))
        assert ran.status == 0
        return json.loads(ran.out)["state"]["moves"]

    last = moves()
    for status, said in kills(game, number):
        now = moves()
        assert now in ((last + 1,) if status == 0 else (last, last + 1))
        last = now
        # The interpreter's own start is not in the program's hands, up to line 0 of the script.
        ours = any(os.path.join(ROOT, each, "") in said for each in ("bin", "canfield_cli"))
        if (ours or not said) and "line 0, in <module>" not in said:
            assert status in (0, 130, -number)
            assert "Traceback" not in said
    assert len([name for name in os.listdir(game.parent) if name.endswith(".tmp")]) <= 5
    assert run("draw", "-s", str(game)).status == 0


def test_of_thirty_two_commands_at_once_none_loses_an_action(run, game):
    processes = [
        subprocess.Popen([*PROGRAM, "draw", "-q", "-s", str(game)], env={**os.environ, "PYTHONPATH": ROOT})
        for _ in range(32)
    ]
    assert [process.wait() for process in processes] == [0] * 32
    assert json.loads(run("show", "--json", "-s", str(game)).out)["state"]["moves"] == 33
    assert sorted(os.listdir(game.parent)) == ["game.json", "game.json.kept"]
