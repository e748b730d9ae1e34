"""Files and locks: whole or not at all, one command at a time, and nothing but regular files."""

import errno
import fcntl
import io
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from canfield_cli.engine.errors import SaveError, SystemRefused
from canfield_cli.store import files
from canfield_cli.store.files import append_text, locked, read_stdin, read_text, write_text
from canfield_cli.store.kept import kept

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "game.json")


def others(path):
    """The names in the folder of `path` but its own."""
    return sorted(set(os.listdir(os.path.dirname(path))) - {os.path.basename(path)})


def run(code, *words):
    """Start a Python process that runs `code`."""
    env = {**os.environ, "PYTHONPATH": ROOT}
    return subprocess.Popen([sys.executable, "-c", code, *words], env=env, stdout=subprocess.PIPE)


def lock(path, timeout=0.0):
    """Take the lock, and keep it."""
    locked(path, timeout).__enter__()


def write(path):
    write_text(path, "new")


def append(path):
    append_text(path, "new")


# Reading.


def test_what_is_written_is_read_back(path):
    write_text(path, "Q♣\n")
    assert read_text(path) == "Q♣\n"


def test_a_missing_file_is_none(path):
    assert read_text(path) is None
    assert read_text(path + "/deeper/game.json") is None


def test_whether_something_is_there_is_told_unless_the_system_does_not_say(path):
    assert files.exists(path) is False
    write_text(path, "")
    assert files.exists(path) is True
    with pytest.raises(SystemRefused, match="can't read"):
        files.exists("a\0b")


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path)


NOT_FILES = {
    "folder": os.mkdir,
    "FIFO": os.mkfifo,
    "socket": make_socket,
    "device": lambda path: os.symlink("/dev/zero", path),
}


@pytest.mark.parametrize("kind", NOT_FILES)
def test_what_is_no_regular_file_is_neither_read_nor_replaced_nor_locked(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    NOT_FILES[kind]("game.json")
    before = os.lstat("game.json")
    for act in (read_text, write, append, lock):
        with pytest.raises(SaveError, match=r"`game\.json` is not a regular file") as caught:
            act("game.json")
        assert caught.value.status == 3
        assert caught.value.hint
    assert os.lstat("game.json") == before
    assert os.listdir() == ["game.json"]


def test_a_fifo_is_not_opened_at_all(path):
    """Its writer must not notice: opening it for reading would let that go on, into a closed pipe."""
    os.mkfifo(path)
    with pytest.raises(SaveError):
        read_text(path)
    with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
        os.open(path, os.O_WRONLY | os.O_NONBLOCK)


def test_a_fifo_that_takes_the_place_of_a_file_does_not_block(path, monkeypatch):
    write_text(path, "old")
    info = os.stat(path)
    os.unlink(path)
    os.mkfifo(path)
    monkeypatch.setattr(os, "stat", lambda path: info)
    with pytest.raises(SaveError, match="not a regular file"):
        read_text(path)


def test_a_file_of_a_gigabyte_is_refused_without_reading_it(path, monkeypatch):
    with open(path, "wb") as file:
        file.truncate(2**30)
    start = time.monotonic()
    with pytest.raises(SaveError, match="is too large, it has more than 1048576 bytes") as caught:
        read_text(path)
    assert time.monotonic() - start < 0.5
    assert caught.value.status == 3


def test_a_refusal_to_read_leads_to_permissions_and_one_to_write_to_another_file():
    hints = {
        verb: files.refused(verb, "game.json", OSError(errno.EIO, "")).hint for verb in ("read", "write")
    }
    assert "permissions" in hints["read"]
    assert "--save" in hints["write"]


@pytest.mark.parametrize(("size", "fits"), [(10, True), (11, False)])
def test_the_limit_is_the_last_size_that_is_read(path, size, fits):
    write_text(path, "x" * size)
    if fits:
        assert read_text(path, limit=10) == "x" * size
    else:
        with pytest.raises(SaveError, match="more than 10 bytes"):
            read_text(path, limit=10)


def test_what_is_not_utf_8_is_refused_with_the_place(path):
    with open(path, "wb") as file:
        file.write(b"ab\xff")
    with pytest.raises(SaveError, match="is not text in UTF-8, see byte 3") as caught:
        read_text(path)
    assert caught.value.status == 3


def test_an_unreadable_file_is_a_refusal_of_the_system(path, monkeypatch):
    """Root may read everything, so the system's answer is given by hand."""
    write_text(path, "old")

    def refuse(*words):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SystemRefused) as caught:
        read_text(path)
    assert caught.value.status == 4
    assert str(caught.value) == f"can't read {files.quoted(path)}: permission denied"
    assert caught.value.hint


def test_a_name_that_no_file_can_have_is_refused(tmp_path):
    for path in (str(tmp_path / "a\0b"), str(tmp_path / ("x" * 300))):
        with pytest.raises(SystemRefused):
            read_text(path)
        with pytest.raises(SystemRefused):
            write_text(path, "new")


class Stream:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


def test_standard_input_is_held_to_the_same_limits(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Stream(b"12345"))
    assert read_stdin() == "12345"
    for data, words in ((b"12345", "standard input is too large"), (b"\xff", "standard input is not text")):
        monkeypatch.setattr(sys, "stdin", Stream(data))
        with pytest.raises(SaveError, match=words):
            read_stdin(4)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemRefused, match="there is no standard input"):
        read_stdin()


def test_standard_input_that_can_not_be_read_is_a_refusal_of_the_system(monkeypatch):
    def read(size):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=read)))
    with pytest.raises(SystemRefused, match="can't read `standard input`: input/output error"):
        read_stdin()


# Writing.


def test_a_new_file_is_private_and_an_old_one_keeps_its_permissions(path):
    write_text(path, "new")
    assert os.stat(path).st_mode & 0o777 == 0o600
    for mode in (0o644, 0o601, 0o777, 0o600):
        os.chmod(path, mode)
        write_text(path, "newer")
        assert os.stat(path).st_mode & 0o777 == mode


def test_text_is_added_to_the_end_of_a_file_that_is_private_if_it_is_new(path):
    append_text(path, "Q♣\n")
    assert os.stat(path).st_mode & 0o777 == 0o600
    os.chmod(path, 0o644)
    before = os.stat(path)
    append_text(path, "K♣\n")
    assert read_text(path) == "Q♣\nK♣\n"
    assert (os.stat(path).st_mode, os.stat(path).st_ino) == (before.st_mode, before.st_ino)


def test_text_is_added_where_a_link_leads(tmp_path, path):
    os.symlink("real", path)
    append_text(path, "one")
    append_text(path, "two")
    assert os.readlink(path) == "real"
    assert (tmp_path / "real").read_text() == "onetwo"


def test_what_takes_the_place_of_a_file_to_add_to_is_let_alone(tmp_path, path, monkeypatch):
    """A pipe without a reader holds nobody up, one with a reader gets nothing, and a link is not followed."""
    write_text(path, "old")
    info = os.lstat(path)
    os.unlink(path)
    os.mkfifo(path)
    monkeypatch.setattr(files, "target_of", lambda path: path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", lambda path: info)
        with pytest.raises(SystemRefused, match="can't write"):
            append(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with pytest.raises(SaveError, match="not a regular file"):
            append(path)
        assert os.read(reader, 10) == b""
        os.close(reader)
        os.unlink(path)
        os.symlink("victim", path)
        with pytest.raises(SystemRefused, match="can't write"):
            append(path)
    assert others(path) == []


def test_nothing_is_left_beside_the_file(path):
    for text in ("one", "two"):
        write_text(path, text)
    assert others(path) == []


def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(tmp_path, path):
    os.mkdir(tmp_path / "far")
    os.symlink("far/real.json", path)
    write_text(path, "made")  # a link that led nowhere
    write_text(path, "changed")
    assert os.readlink(path) == "far/real.json"
    assert (tmp_path / "far" / "real.json").read_text() == "changed"
    assert os.listdir(tmp_path / "far") == ["real.json"]


def test_links_that_lead_in_a_circle_are_refused(tmp_path, path):
    os.symlink("other.json", path)
    os.symlink("game.json", tmp_path / "other.json")
    for act in (read_text, write, append, lock, kept):
        with pytest.raises(SystemRefused, match="too many levels of symbolic links"):
            act(path)
    assert others(path) == ["other.json"]


def test_a_link_that_leads_to_a_circle_is_refused(tmp_path):
    for name, goal in (("on", "."), ("a", "b"), ("b", "a")):
        os.symlink(goal, tmp_path / name)
    for act in (write, append, lock):
        with pytest.raises(SystemRefused):
            act(str(tmp_path / "on" / "a" / "game.json"))


def test_a_path_that_no_system_takes_is_refused_without_a_look_at_its_folders(monkeypatch):
    looks = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", looks.append)
        for act in (read_text, write, append, lock, kept):
            with pytest.raises(SystemRefused, match=os.strerror(errno.ENAMETOOLONG).lower()):
                act("a/" * 35_000 + "game.json")
    assert looks == []


def test_a_path_leads_over_forty_links_and_no_more(tmp_path):
    write_text(str(tmp_path / "0"), "old")
    for number in range(41):
        os.symlink(str(number), tmp_path / str(number + 1))
    write(str(tmp_path / "40"))
    assert read_text(str(tmp_path / "0")) == "new"
    for act in (write, append, lock, kept):
        with pytest.raises(SystemRefused, match="too many levels of symbolic links"):
            act(str(tmp_path / "41"))


ME, ROOTS, OTHER = 1000, 0, 1001


@pytest.mark.parametrize(
    ("mode", "owner", "maker", "trusted"),
    [
        (0o777, ME, ME, True),
        (0o1777, ROOTS, ME, True),
        (0o777, ME, ROOTS, True),
        (0o777, OTHER, OTHER, True),
        (0o775, ME, OTHER, True),
        (0o1777, ROOTS, OTHER, False),
        (0o777, ME, OTHER, False),
        (0o702, ME, OTHER, False),
    ],
)
def test_where_everybody_may_write_root_the_owner_and_oneself_are_trusted(
    mode, owner, maker, trusted, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: ME)
        patch.setattr(os, "lstat", {"/folder/link": SimpleNamespace(st_uid=maker)}.__getitem__)
        patch.setattr(os, "stat", {"/folder": SimpleNamespace(st_uid=owner, st_mode=mode)}.__getitem__)
        try:
            files.check_maker("/folder/link")
            found = True
        except PermissionError:
            found = False
    assert found is trusted


@pytest.fixture
def another_made(monkeypatch):
    """A function after which the system says that another user made what is at a path."""
    real, made = os.lstat, set()

    def lstat(path, **how):
        info = real(path, **how)
        return os.stat_result([*info[:4], info.st_uid + 1, *info[5:]]) if str(path) in made else info

    monkeypatch.setattr(os, "lstat", lstat)
    return made.add


#: Ways to files beside and in the folder `inner`, over the link `shared/on` that leads to that folder.
WAYS = [
    "shared/on/file",
    "shared/on/../file",
    "./shared//on/./file",
    "shared/../shared/on/file",
    "shared/./../shared/on/file",
    "shared//../shared/on/file",
    "inner/../shared/on/../inner/file",
    "near/file",
    "far/file",
    "inner/back/file",
    "inner/last",
]


@pytest.mark.parametrize("whole", [True, False], ids=["absolute", "relative"])
@pytest.mark.parametrize("way", WAYS)
def test_a_link_that_another_user_laid_is_refused_wherever_it_is_on_the_way(
    way, whole, tmp_path, monkeypatch, another_made
):
    monkeypatch.chdir(tmp_path)
    for folder in ("shared", "inner"):
        os.mkdir(folder)
    os.chmod("shared", 0o777)
    for name, goal in (
        ("shared/on", "../inner"),
        ("near", "shared/on"),
        ("far", str(tmp_path / "shared" / "on")),
        ("inner/back", "../shared/on"),
        ("inner/last", "../shared/on/file"),
    ):
        os.symlink(goal, name)
    path = os.path.join(tmp_path, way) if whole else way
    write_text(path, "old")
    append_text(path, "er")
    with locked(path, 0):
        assert read_text(path) == "older"
    another_made(str(tmp_path / "shared" / "on"))
    for act in (write, append, lock, kept):
        with pytest.raises(SystemRefused, match="another user made"):
            act(path)
    assert read_text(path) == "older"


@pytest.mark.parametrize("lead", ["missing/game.json", "file/game.json"])
def test_a_folder_that_is_not_there_is_refused(lead, tmp_path):
    (tmp_path / "file").write_text("")
    path = str(tmp_path / lead)
    with pytest.raises(SystemRefused, match="can't write"):
        write_text(path, "new")
    with pytest.raises(SystemRefused, match="can't lock"):
        locked(path).__enter__()
    assert os.listdir(tmp_path) == ["file"]


CALLS = ["open", "write", "fchmod", "fsync", "close", "replace", "listdir"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("call", CALLS)
def test_whatever_the_system_refuses_the_old_file_stays_and_nothing_else(call, number, path, monkeypatch):
    write_text(path, "old")
    os.chmod(path, 0o640)
    real = getattr(os, call)

    def refuse(*words):
        if call == "close":  # it closes all the same
            real(*words)
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(SystemRefused) as caught:
            write_text(path, "new")
    error = caught.value
    assert error.status == 4
    assert str(error).lower() == f"can't write {files.quoted(path)}: {os.strerror(number)}".lower()
    assert error.hint
    assert read_text(path) == "old"
    assert others(path) == []


def test_a_disk_that_fills_up_in_the_middle_leaves_the_old_file(path, monkeypatch):
    write_text(path, "old")
    real, left = os.write, [5]

    def write(file, data):
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= 1
        return real(file, data[:10])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(SystemRefused, match="no space left on device"):
            write_text(path, "x" * 100)
        assert read_text(path) == "old"
        assert others(path) == []
        left[0] = 10
        write_text(path, "x" * 100)
    assert read_text(path) == "x" * 100


def test_a_full_device_is_a_refusal_of_the_system(tmp_path):
    """/dev/full says what a full disk says; it is reached as a file of a write that has begun."""
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    file = os.open("/dev/full", os.O_WRONLY)
    try:
        with pytest.raises(OSError, match="No space left") as caught:
            os.write(file, b"x")
    finally:
        os.close(file)
    assert "no space left on device" in str(files.refused("write", "game.json", caught.value))


def test_an_interruption_leaves_the_old_file(path, monkeypatch):
    write_text(path, "old")

    def interrupt(file):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(path, "new")
    assert read_text(path) == "old"
    assert others(path) == []


def test_a_write_protected_file_is_not_replaced(path, monkeypatch):
    write_text(path, "old")
    # Root may write everything, so the system's answer is given by hand.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SystemRefused, match="write-protected"):
        write_text(path, "new")
    assert read_text(path) == "old"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_folder_that_may_not_be_written_is_refused(tmp_path, path):
    write_text(path, "old")
    os.chmod(tmp_path, 0o500)
    try:
        with pytest.raises(SystemRefused, match="permission denied"):
            write_text(path, "new")
    finally:
        os.chmod(tmp_path, 0o700)
    assert read_text(path) == "old"


def test_what_killed_runs_left_is_removed_once_it_is_old_and_nothing_else(tmp_path, path):
    old = time.time() - 20
    stale = ".game.json.0123456789abcdef.tmp"
    fresh = ".game.json.fedcba9876543210.tmp"
    theirs = [".game.json.tmp", ".game.json.lock", ".other.json.0123456789abcdef.tmp", "game.json.0123456789abcdef.tmp",
              ".game.json.0123456789abcdef.tmp.bak", ".game.json.0123456789abcdef.bak", ".gone.json.0123456789abcdef.tmp",
              ".game.json.0123456789abcde.tmp"]  # fmt: skip
    for name in (stale, fresh, *theirs):
        (tmp_path / name).write_text("left")
        if name != fresh:
            os.utime(tmp_path / name, (old, old))
    os.mkdir(tmp_path / ".game.json.00000000000000ff.tmp")
    os.utime(tmp_path / ".game.json.00000000000000ff.tmp", (old, old))
    write_text(path, "new")
    assert others(path) == sorted([fresh, *theirs, ".game.json.00000000000000ff.tmp"])


def test_what_killed_runs_left_is_old_after_ten_seconds(path, monkeypatch):
    left = os.path.join(os.path.dirname(path), ".game.json.0123456789abcdef.tmp")
    for age, stays in ((10, True), (10.5, False)):
        with open(left, "w"):
            os.utime(left, (1000, 1000))
        monkeypatch.setattr(time, "time", lambda age=age: 1000 + age)
        write_text(path, "new")
        assert os.path.exists(left) is stays


def test_neither_links_nor_files_of_others_nor_what_is_gone_is_cleared_away(tmp_path, path, monkeypatch):
    link, stale = (f".game.json.{letter * 16}.tmp" for letter in "ab")
    os.symlink("nowhere", tmp_path / link)
    (tmp_path / stale).write_text("left")
    for name in (link, stale):
        os.utime(tmp_path / name, (1000, 1000), follow_symlinks=False)
    me, names = os.geteuid(), os.listdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: me + 1)
        write_text(path, "new")
    assert others(path) == [link, stale]
    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", lambda folder: [f".game.json.{'c' * 16}.tmp", *names])
        write_text(path, "new")
    assert others(path) == [link]


WRITER = """
import sys
from canfield_cli.store.files import write_text
print("ready", flush=True)
while True:
    for letter in "ab":
        write_text(sys.argv[1], letter * 300_000)
"""


def test_a_run_killed_in_the_middle_of_writing_leaves_the_old_or_the_new(path):
    write_text(path, "a" * 300_000)
    for number in range(6):
        process = run(WRITER, path)
        process.stdout.readline()
        time.sleep(0.01 + 0.007 * number)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert read_text(path) in ("a" * 300_000, "b" * 300_000)
    write_text(path, "whole")
    assert read_text(path) == "whole"


# Locking.

ADDER = """
import sys
from canfield_cli.store.files import locked, read_text, write_text
from canfield_cli.store.save import format_save, parse_save
for _ in range(int(sys.argv[2])):
    with locked(sys.argv[1], 60):
        game = parse_save(read_text(sys.argv[1]))
        game.play(game.position.legal()[0])
        write_text(sys.argv[1], format_save(game))
"""


def test_commands_at_once_lose_no_action(path):
    from canfield_cli.engine.deal import deal_seed
    from canfield_cli.engine.game import Game
    from canfield_cli.engine.rules import preset
    from canfield_cli.store.save import format_save, parse_save

    write_text(path, format_save(Game.of(deal_seed(7), preset("classic"))))
    processes = [run(ADDER, path, "12") for _ in range(4)]
    assert [process.communicate() and process.returncode for process in processes] == [0] * 4
    assert len(parse_save(read_text(path)).done) == 48
    assert others(path) == []


def test_a_lock_that_is_held_is_a_refusal_of_the_system_after_the_time_given(path):
    with locked(path):
        start = time.monotonic()
        with pytest.raises(SystemRefused, match="another canfield command is using") as caught:
            locked(path, 0.2).__enter__()
        assert 0.2 <= time.monotonic() - start < 2
    assert caught.value.status == 4
    assert files.quoted(path) in str(caught.value)
    with locked(path, 0):
        pass


def test_a_lock_is_waited_for_ten_seconds(path):
    assert locked(path).timeout == 10


def test_a_lock_that_is_let_go_in_time_is_taken(path):
    first = locked(path)
    first.__enter__()
    timer = threading.Timer(0.1, first.__exit__, (None, None, None))
    timer.start()
    with locked(path, 10):
        pass
    timer.join()


def test_who_waits_for_a_lock_sleeps_and_not_for_long(path, monkeypatch):
    first, slept = locked(path), []
    first.__enter__()

    def sleep(seconds):
        slept.append(seconds)
        first.__exit__(None, None, None)

    monkeypatch.setattr(time, "sleep", sleep)
    with locked(path, 1):
        pass
    (seconds,) = slept
    assert 0 < seconds < 0.1


def replace(path):
    os.unlink(path)
    with open(path, "w"):
        pass


@pytest.mark.parametrize("change", [os.unlink, replace])
def test_a_lock_on_a_file_that_its_holder_removed_meanwhile_is_none(change, tmp_path, path, monkeypatch):
    """Between opening the file and locking it; a third may have made another by then."""
    real, changes = fcntl.flock, [change]

    def flock(file, how):
        if changes:
            changes.pop()(tmp_path / ".game.json.lock")
        real(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with locked(path, 1):
        assert not changes
        with pytest.raises(SystemRefused, match="another canfield command"):
            lock(path)
    assert others(path) == []


def test_letting_a_lock_go_twice_takes_nothing_from_who_has_it_now(path):
    first = locked(path)
    first.__enter__()
    first.__exit__(None, None, None)
    with locked(path):
        first.__exit__(None, None, None)
        with pytest.raises(SystemRefused):
            lock(path)


def test_no_lock_leaves_a_file_open(tmp_path, path, monkeypatch):
    def refuse(error):
        def call(*words):
            raise error

        return call

    def check(act, *errors):
        before = os.listdir("/dev/fd")
        if errors:
            with pytest.raises(errors):
                act(path)
        else:
            act(path)
        assert os.listdir("/dev/fd") == before

    def take(path):
        with locked(path, 0):
            pass

    check(take)
    with locked(path):
        check(lambda path: lock(path, 0.05), SystemRefused)
        monkeypatch.setattr(time, "sleep", refuse(KeyboardInterrupt))
        check(lambda path: lock(path, 1), KeyboardInterrupt)
    monkeypatch.setattr(fcntl, "flock", refuse(OSError(errno.ENOLCK, "")))
    check(lock, SystemRefused)
    os.mkdir(path)
    check(lock, SaveError)


def test_a_lock_is_let_go_after_an_error(path):
    with pytest.raises(ZeroDivisionError), locked(path):
        raise ZeroDivisionError
    with locked(path, 0):
        pass


HOLDER = """
import sys, time
from canfield_cli.store.files import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_dead_process_holds_nobody_up(path):
    process = run(HOLDER, path)
    process.stdout.readline()
    with pytest.raises(SystemRefused):
        locked(path, 0).__enter__()
    process.kill()
    process.communicate()
    with locked(path, 5):
        pass


def test_two_names_of_one_save_share_its_lock(tmp_path, path):
    os.symlink("game.json", tmp_path / "other.json")
    with locked(path), pytest.raises(SystemRefused):
        locked(str(tmp_path / "other.json"), 0).__enter__()


def test_a_lock_file_is_private_and_never_followed_elsewhere(tmp_path, path):
    with locked(path):
        assert os.stat(tmp_path / ".game.json.lock").st_mode & 0o777 == 0o600
    assert others(path) == []
    os.symlink("elsewhere", tmp_path / ".game.json.lock")
    with pytest.raises(SystemRefused, match="can't lock"):
        locked(path).__enter__()
    assert others(path) == [".game.json.lock"]


def test_a_file_system_without_locks_is_a_refusal(path, monkeypatch):
    def refuse(file, how):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(SystemRefused, match=r"can't lock .*: no locks available"):
        locked(path).__enter__()
    assert not os.path.exists(os.path.join(os.path.dirname(path), ".game.json.lock"))
