"""Systems that fail: odd folders, odd files in the way, no locks, no memory, no files, no rights, small terminals, bad neighbours.

What may be where the save itself should be, streams that are closed or full and full disks are in test_hostile.py.
"""

import ctypes
import errno
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time

import pexpect
import pytest
from killing import build_library
from play import PROGRAM, Player, ask, leave, until

from canfield_cli.engine.errors import CanfieldError, SystemRefused
from canfield_cli.store import kept as kept_module
from canfield_cli.store.files import append_text, locked, read_text, write_text
from canfield_cli.store.kept import keep, trim
from canfield_cli.store.paths import make_folder

NOBODY = 65534
#: prctl(PR_CAPBSET_DROP) of Linux, and the powers of root to pass over permissions.
DROP, OVERRIDE, READ_SEARCH = 24, 1, 2
LINUX = sys.platform.startswith("linux")


def become_powerless():
    """Let root be refused like anybody else."""
    if not os.geteuid():
        libc = ctypes.CDLL(None)
        if libc.prctl(DROP, OVERRIDE, 0, 0, 0) or libc.prctl(DROP, READ_SEARCH, 0, 0, 0):
            raise OSError


def player_in(folder):
    """A player whose save is in the default place."""
    made = Player(folder)
    made.data = made.folder / ".local" / "share" / "canfield"
    made.save = made.data / "game.json"
    del made.env["CANFIELD_SAVE"]
    return made


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    made = player_in(tmp_path_factory.mktemp("played"))
    for words in ("new --seed 3 -q", "draw -q", "new --seed 7 -q", "draw -q"):
        assert made.run(words).returncode == 0
    return made.folder


@pytest.fixture
def player(played, tmp_path):
    """A game with an action, and one that is kept."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return player_in(tmp_path)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = build_library(tmp_path_factory.mktemp("faults"))
    if not made:
        pytest.skip("there is no C compiler, or this is not Linux")
    return made


def refused(done, status=4):
    """Hold what came of a run to the form of a refusal; return the sentence."""
    said = done.stderr.decode()
    assert done.returncode == status, said
    first, second, end = said.split("\n")
    assert first.startswith("error: ")
    assert second.startswith("hint: ")
    assert end == ""
    return first.removeprefix("error: ")


# Folders.

LONG = "/" + "a/" * 5000


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "HOME"])
@pytest.mark.parametrize(
    "value", [LONG, "/" + "b" * 5000, "/dev/full", "/proc/nowhere"], ids=lambda value: value[:9]
)
def test_a_data_folder_that_can_not_be_is_refused(player, variable, value):
    player.env[variable] = value
    for words in ("new", "stats"):
        assert refused(player.run(words)).startswith("can't make the folder `/")
    assert not os.path.exists("/a")


@pytest.mark.parametrize("value", ["", "relative", "./x"])
def test_a_data_folder_that_the_specification_forbids_is_passed_over(player, value):
    player.env["XDG_DATA_HOME"] = value
    assert player.run("draw -q").returncode == 0
    assert len(player.actions()) == 2


@pytest.mark.parametrize("depth", [1, 1200])
def test_a_folder_of_any_name_and_depth_is_made(player, depth):
    top = os.path.join(os.fsencode(player.folder), b"\xff\xfe \x1b[31m")
    player.env["XDG_DATA_HOME"] = os.path.join(top, *[b"a"] * depth)
    try:
        # SQLite takes no such long names.
        for words in ("new --seed 7 -q", "draw -q", "show", *(["stats"] if depth == 1 else [])):
            done = player.run(words)
            assert (done.returncode, done.stderr) == (0, b"")
    finally:
        # It is too deep for what clears away after tests.
        subprocess.run(["rm", "-rf", top], check=True)


def test_folders_are_private_under_any_umask(tmp_path):
    for umask in (0, 0o277):
        before = os.umask(umask)
        home = tmp_path / str(umask)
        try:
            made = player_in(tmp_path)
            made.env["HOME"] = str(home)
            home.mkdir()
            home.chmod(0o700)
            for words in ("new --seed 7 -q", "draw -q", "new --seed 8 -q", "play -q -c draw"):
                assert made.run(words, preexec_fn=become_powerless).returncode == 0
        finally:
            os.umask(before)
        found = {path: path.stat().st_mode for path in home.rglob("*")}
        assert len(found) >= 7
        for path, mode in found.items():
            assert stat.S_IMODE(mode) == (0o700 if path.is_dir() else 0o600), path


# What is in the way.

THINGS = {
    "a folder": os.mkdir,
    "a pipe": os.mkfifo,
    "a loop": lambda path: os.symlink(path, path),
    "a link to nowhere": lambda path: os.symlink("/nowhere/x", path),
    "a device without an end": lambda path: os.symlink("/dev/zero", path),
    "a full device": lambda path: os.symlink("/dev/full", path),
}


@pytest.mark.parametrize("thing", THINGS)
def test_no_records_can_be_where_something_else_is_and_the_game_goes_on(player, thing):
    path = player.folder / "records"
    THINGS[thing](path)
    player.env["CANFIELD_RECORDS"] = str(path)
    refused(player.run("stats"))
    # It leaves a game behind, which is to be recorded.
    done = player.run("new --seed 9 -q")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().count("\n") == 1
    assert done.stderr.startswith(b"warning: ")


@pytest.mark.parametrize("thing", THINGS)
def test_no_game_can_be_kept_where_something_else_is(player, thing):
    for path in player.data.glob("game.json.kept/*"):
        path.unlink()
    folder = player.data / "game.json.kept"
    folder.rmdir()
    THINGS[thing](folder)
    before = player.save.read_bytes()
    done = player.run("new --seed 9 -q")
    if thing == "a folder":
        assert done.returncode == 0
    else:
        refused(done)
        assert player.save.read_bytes() == before
    assert player.run("draw -q").returncode == 0


class Terminal:
    """`canfield play` at a terminal."""

    def __init__(self, player, size=(24, 80), **environ):
        env = {**player.env, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **environ}
        env = {name: value for name, value in env.items() if value is not None}
        self.child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], "play"],
            env=env,
            cwd=player.folder,
            dimensions=size,
            timeout=20,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29)),
        )

    def end(self, *lines):
        """Type the lines, and leave; return all that it wrote."""
        self.child.delaybeforesend = None
        self.child.expect(b"\x1b\\[|>")
        for line in (*lines, "quit"):
            self.child.send(line + b"\r" if isinstance(line, bytes) else line + "\r")
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0
        assert b"Traceback" not in self.child.before
        return self.child.before


@pytest.mark.parametrize("thing", ["a folder", "a pipe", "a device without an end"])
def test_a_session_goes_on_without_a_history_and_settings(player, thing):
    for name in (".local/state/canfield/history", ".config/canfield/config.toml"):
        path = player.folder / name
        path.parent.mkdir(parents=True)
        THINGS[thing](path)
    Terminal(player).end("draw", "set color never --keep", "draw")
    assert len(player.actions()) == 3


def test_the_history_is_private_and_holds_what_was_typed_and_no_more(player):
    before = os.umask(0)
    try:
        # Neither the answer to a question nor bytes that are no text are kept.
        Terminal(player).end("draw", "new --seed 8", "y", b"\xff\xfe", "undo")
    finally:
        os.umask(before)
    path = player.folder / ".local" / "state" / "canfield" / "history"
    typed = path.read_text().splitlines()
    assert [line for line in typed if line.isascii()] == ["draw", "new --seed 8", "undo", "quit"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("size", "environ"),
    [
        ((24, 20), {}),
        ((1, 1), {}),
        ((24, 80), {"TERM": None, "LANG": None}),
        ((24, 80), {"TERM": "dumb", "LC_ALL": "xx_YY.nothing", "PYTHONUTF8": "0"}),
    ],
)
def test_a_session_runs_on_any_terminal(player, size, environ):
    Terminal(player, size, **environ).end("draw", "zz", "undo", "moves", "")
    assert len(player.actions()) == 2
    assert player.game()["undone"] == 1


# Limits.


def limited(what, most):
    return lambda: resource.setrlimit(what, (most, most))


@pytest.mark.parametrize("words", ["draw -q", "stats", "play --json -c draw", "--help"])
def test_with_too_little_memory_there_is_a_sentence_and_no_loss(player, words):
    """From what the interpreter needs to start to what every command needs."""
    if not LINUX:
        pytest.skip("the limit holds on Linux alone")
    bare = next(most for most in range(6, 64) if not starves(most, "pass"))
    enough = next(most for most in range(bare, 256, 16) if not starves(most, "import typer, sqlite3"))
    statuses = set()
    for megabytes in (bare + 1, bare + 2, bare + 4, bare + 6, enough + 32):
        before = player.actions()
        done = player.run(words, preexec_fn=limited(resource.RLIMIT_AS, megabytes * 2**20))
        statuses.add(done.returncode)
        if done.returncode:
            assert player.actions() == before
            # At the very edge there may be too little for the interpreter to end as it is told.
            if not (megabytes < enough and done.returncode == 1 and b"MemoryError" in done.stderr):
                refused(done)
    assert 0 in statuses


def starves(megabytes, code):
    """Say whether the interpreter has too little memory for `code`, or goes on asking for more without an end."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))

    return subprocess.run(
        [sys.executable, "-c", code], preexec_fn=limit, stderr=subprocess.DEVNULL
    ).returncode


def test_with_few_open_files_there_is_a_sentence_and_no_loss(player):
    for most in (5, 6, 7):
        for words in ("draw -q", "show", "stats", "play -q -c draw"):
            done = player.run(words, preexec_fn=limited(resource.RLIMIT_NOFILE, most))
            if done.returncode:
                refused(done)


def test_a_script_is_read_by_a_descriptor_of_any_number(player):
    (player.folder / "lines").write_text("draw\n")

    def take_many():
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (1200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            for _ in range(1100):
                os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
        except (OSError, ValueError):
            pass

    done = player.run("play -q --script lines", preexec_fn=take_many, close_fds=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(player.actions()) == 2


@pytest.mark.parametrize("words", ["play", "play --script -", "play --script /dev/zero"])
def test_a_line_without_an_end_is_refused_at_once(player, words):
    with open("/dev/zero", "rb") as zero:
        session = player.begin(words.removeprefix("play"), stdin=zero)
        _, said = session.communicate(timeout=20)
    assert session.returncode == 2
    assert said.startswith(b"error: the line has more than 65,536 bytes\n")


def test_a_line_that_is_too_long_is_refused_once_and_the_next_is_read(player):
    done = player.run("play --json", b"x" * 300_000 + b"\ndraw\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["ok"], first["line"]) == (False, 1)
    assert (second["did"], second["line"]) == (["draw"], 2)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_locks_is_told_and_can_be_looked_at(player, number, library):
    player.env |= {"LD_PRELOAD": library, "FAULT_CALL": "flock", "FAULT_ERRNO": str(number)}
    before = player.save.read_bytes()
    assert refused(player.run("draw")).startswith("can't lock ")
    refused(player.run("new --seed 8"))
    # The actions of a script stop at the first.
    assert player.run("play -c draw").returncode == 4
    assert player.run("show").returncode == 0
    assert player.save.read_bytes() == before
    assert sorted(os.listdir(player.data)) == ["game.json", "game.json.kept", "records.db"]


# Rights.


def test_what_may_not_be_written_is_told_and_can_be_looked_at(player):
    if not LINUX and not os.geteuid():
        pytest.skip("only Linux can take the powers of root")
    folder, save = player.data, player.save
    for of_folder, of_save, words, status in (
        (0o500, 0o600, "draw", 4),
        (0o500, 0o600, "new", 4),
        (0o500, 0o600, "show", 0),
        (0o700, 0o400, "draw", 4),
        (0o700, 0o000, "show", 4),
        (0o000, 0o600, "show", 4),
    ):
        before = save.read_bytes()
        save.chmod(of_save)
        folder.chmod(of_folder)
        try:
            done = player.run(words, preexec_fn=become_powerless)
        finally:
            folder.chmod(0o700)
            save.chmod(0o600)
        if status:
            refused(done)
        assert done.returncode == status
        assert save.read_bytes() == before


def test_rights_that_are_lost_in_the_middle_of_a_session_are_told(player):
    if not LINUX and not os.geteuid():
        pytest.skip("only Linux can take the powers of root")
    session = player.begin("--json", preexec_fn=become_powerless)
    try:
        assert ask(session, "draw")["ok"]
        until(lambda: len(player.actions()) == 2)
        player.data.chmod(0o500)
        assert ask(session, "draw")["error"]["code"] == "system"
        player.data.chmod(0o700)
        assert ask(session, "draw")["ok"]
        # What was done, but is not yet written, is what is lost.
        player.data.chmod(0o500)
        time.sleep(1.3)
        answer = ask(session, "show")
        assert answer["error"]["code"] == "system"
        assert "permission denied" in answer["error"]["message"]
        assert ask(session, "show")["state"]["moves"] == 2
    finally:
        player.data.chmod(0o700)
        leave(session, signal.SIGTERM)
    assert len(player.actions()) == 2


# Bad neighbours.


@pytest.fixture(params=[0o777, 0o1777], ids=["open", "sticky"])
def shared(request, tmp_path):
    """A folder where everybody may write."""
    if os.geteuid():
        pytest.skip("only root can give files away")
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(request.param)
    return folder


def theirs(path):
    """Make it that of another user."""
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def test_a_link_that_another_user_laid_leads_nowhere(shared, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    save = shared / "game.json"
    save.symlink_to(victim)
    theirs(save)
    for attempt in (
        lambda: write_text(str(save), "{}"),
        lambda: append_text(str(save), "{}"),
        lambda: locked(str(save)).__enter__(),
        lambda: keep(str(save)),
    ):
        with pytest.raises(SystemRefused, match="another user made"):
            attempt()
    (shared / "on").symlink_to(tmp_path)
    theirs(shared / "on")
    with pytest.raises(SystemRefused, match="another user made"):
        write_text(str(shared / "on" / "victim"), "{}")
    with pytest.raises(SystemRefused, match="another user made"):
        write_text(str(shared / "on" / ".." / "fresh"), "{}")
    assert victim.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["shared", "victim"]


def test_a_link_of_ones_own_leads_on(shared, tmp_path):
    (shared / "game.json").symlink_to("../real.json")
    (shared / "back").symlink_to(tmp_path)
    write_text(str(shared / "game.json"), "one")
    write_text(str(shared / "back" / "shared" / ".." / "other.json"), "two")
    assert read_text(str(tmp_path / "real.json")) == "one"
    assert read_text(str(tmp_path / "other.json")) == "two"


def test_a_folder_of_kept_games_that_another_user_made_is_not_used(shared, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_module, "MOST", 1)
    path = str(shared / "game.json")
    write_text(path, "mine")
    victim = tmp_path / "victim"
    victim.mkdir()
    for number in range(1, 4):
        (victim / f"{number}.json").write_text("precious")
    os.symlink(victim, f"{path}.kept")
    theirs(f"{path}.kept")
    for attempt in (keep, trim):
        with pytest.raises(SystemRefused, match="another user made"):
            attempt(path)
    assert len(os.listdir(victim)) == 3
    os.unlink(f"{path}.kept")
    os.mkdir(f"{path}.kept")
    theirs(f"{path}.kept")
    with pytest.raises(SystemRefused, match="another user made"):
        keep(path)
    assert os.listdir(f"{path}.kept") == []


def test_planted_names_of_locks_and_new_files_change_nothing(shared, tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path, lock = str(shared / "game.json"), shared / ".game.json.lock"
    lock.symlink_to(victim)
    theirs(lock)
    with pytest.raises(SystemRefused, match="can't lock"):
        locked(path).__enter__()
    lock.unlink()
    os.mkfifo(lock)
    theirs(lock)
    with locked(path):
        pass
    # Even who could tell the random name gets nothing from it.
    monkeypatch.setattr(os, "urandom", bytes)
    new = shared / f".game.json.{'0' * 16}.tmp"
    new.symlink_to(victim)
    theirs(new)
    with pytest.raises(CanfieldError):
        write_text(path, "{}")
    assert victim.read_text() == "precious"


def test_links_in_a_circle_on_the_way_end(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for attempt in (lambda path: write_text(path, ""), lambda path: append_text(path, "")):
        with pytest.raises(SystemRefused):
            attempt(str(tmp_path / "a" / "game.json"))


def test_the_default_folder_is_made_once_by_many(tmp_path):
    environ = {"HOME": str(tmp_path / "x" / "y")}
    path = str(tmp_path / "x" / "y" / ".local" / "share" / "canfield" / "game.json")
    for _ in range(2):
        make_folder(path, environ)
    assert os.path.isdir(os.path.dirname(path))
