"""Runs of the program that end with SIGKILL, at some instant or at a call of the system, and what must hold then.

A server process has the program loaded and forks a child for each run, which costs a tenth of a new process.
A small library that is compiled on the fly and loaded before all others counts the calls that change files: it
kills at one of them, or lets one fail. Start reading at :class:`Trial`.
"""

import gc
import json
import os
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from importlib import import_module
from itertools import groupby
from pathlib import Path

import canfield_cli
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.notation import format_position
from canfield_cli.engine.rules import preset
from canfield_cli.solver import solve
from canfield_cli.store.records import open_records
from canfield_cli.store.save import parse_save

PACKAGE = str(Path(canfield_cli.__file__).parent.parent)
#: No run takes longer, in seconds.
PATIENCE = 60.0
#: What happens at a call: the process is killed before it or after it.
BEFORE, AFTER = -1, -2

# The library.

_HEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int getpid(void);

static long calls, at;
static int armed, how, number;
static const char *refused;

/* Count from here on; at the call `which` comes `what`. */
void arm(long which, int what) { calls = 0; at = which; how = what; armed = 1; }
long called(void) { return calls; }

/* Every call of the name in the environment fails. */
__attribute__((constructor)) static void begin(void) {
    refused = getenv("FAULT_CALL");
    number = refused ? atoi(getenv("FAULT_ERRNO")) : 0;
}

static int strikes(void) { return armed && ++calls == at; }
"""
_CALL = """
%(kind)s %(name)s(%(params)s) {
    static %(kind)s (*real)(%(params)s);
    if (!real) real = dlsym(RTLD_NEXT, "%(name)s");
    if (refused && !strcmp(refused, "%(name)s")) { errno = number; return -1; }
    int struck = %(counts)s && strikes();
    if (struck && how == -1) kill(getpid(), SIGKILL);
    if (struck && how > 0) { errno = how; return -1; }
    %(kind)s result = real(%(args)s);
    if (struck && how == -2) kill(getpid(), SIGKILL);
    return result;
}
"""
_OPEN = "const char *path, int flags, unsigned mode", "path, flags, mode", f"(flags & {os.O_RDWR | os.O_WRONLY | os.O_CREAT})"  # fmt: skip
_FILE, _PATH, _PATHS = (
    ("int file", "file"),
    ("const char *path", "path"),
    ("const char *a, const char *b", "a, b"),
)
_WRITE, _PLACE = ("int file, const void *data, unsigned long size", "file, data, size"), ", long place"
#: The calls: parameters, arguments, and which of them count.
CALLS = {
    "open": _OPEN,
    "open64": _OPEN,
    "write": (*_WRITE, "file > 2"),
    "pwrite64": (_WRITE[0] + _PLACE, _WRITE[1] + ", place", "1"),
    "fsync": (*_FILE, "1"),
    "fdatasync": (*_FILE, "1"),
    "close": (*_FILE, "file > 2"),
    "ftruncate64": ("int file, long size", "file, size", "1"),
    "fchmod": ("int file, unsigned mode", "file, mode", "1"),
    "flock": ("int file, int wish", "file, wish", "1"),
    "rename": (*_PATHS, "1"),
    "link": (*_PATHS, "1"),
    "unlink": (*_PATH, "1"),
    "rmdir": (*_PATH, "1"),
    "mkdir": ("const char *path, unsigned mode", "path, mode", "1"),
}  # fmt: skip


def build_library(folder):
    """Compile the library into `folder`; return its path, None where that can't be done."""
    compiler = shutil.which("cc")
    if not compiler or not sys.platform.startswith("linux"):
        return None
    text = _HEAD
    for name, (params, args, counts) in CALLS.items():
        kind = "long" if "write" in name else "int"
        text += _CALL % {"kind": kind, "name": name, "params": params, "args": args, "counts": counts}
    path = os.path.join(folder, "faults.so")
    words = [compiler, "-shared", "-fPIC", "-w", "-fno-builtin", "-x", "c", "-", "-o", path, "-ldl"]
    done = subprocess.run(words, input=text.encode(), capture_output=True)
    return None if done.returncode else path


# The server.


class Server:
    """The program, loaded and ready to be forked; `refuse` names a call that always fails, and its errno."""

    def __init__(self, library=None, refuse=None):
        ours, theirs = socket.socketpair()
        self._stream = ours.makefile("rw")
        ours.close()
        env = {**os.environ, "PYTHONPATH": PACKAGE, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        if library:
            env["LD_PRELOAD"] = library
        if refuse:
            env["FAULT_CALL"], env["FAULT_ERRNO"] = refuse[0], str(refuse[1])
        words = [sys.executable, __file__, str(theirs.fileno()), library or ""]
        self._process = subprocess.Popen(words, env=env, pass_fds=[theirs.fileno()])
        theirs.close()

    def run(self, words, home, *, text="", keys=None, at=0, how=0, after=None):
        """Run the command line `words` in the folder `home`; return a dictionary: status, out, err, calls, seconds.

        `text` is standard input, or `keys` what is typed at a terminal. It is killed `after` so many
        seconds; `how` is what happens at the call `at`.
        """
        asked = {"words": words, "home": str(home), "text": text, "keys": keys}
        self._stream.write(json.dumps({**asked, "at": at, "how": how, "after": after}) + "\n")
        self._stream.flush()
        answer = json.loads(self._stream.readline())
        assert answer["status"] != "hangs", (words, answer)
        return answer

    def close(self):
        self._stream.close()
        self._process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def environ(home):
    """The environment of a run in the folder `home`."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        # Nobody answers where the cursor is.
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }


def load():
    """Load what the program loads when it is needed, for all children that are forked from here on."""
    for name in (
        "cli.play",
        "cli.repl",
        "cli.report",
        "commands.recording",
        "commands.records",
        "commands.stats",
        "store.figures",
    ):
        import_module(f"canfield_cli.{name}")


def _serve(number, library):
    """Answer what comes in on the socket `number`, one line after another."""
    import ctypes

    load()
    faults = ctypes.CDLL(library) if library else None
    # What is shared with the children is not to be looked through by each.
    gc.freeze()
    with socket.socket(fileno=number) as plug, plug.makefile("rw") as stream:
        for line in stream:
            stream.write(json.dumps(fork(json.loads(line), faults)) + "\n")
            stream.flush()


def fork(asked, faults=None):
    """Run what is `asked` for in a child of this process, perhaps killed; return the answer."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as told:
        ours, theirs = os.openpty() if asked.get("keys") is not None else os.pipe()[::-1]
        begun = time.monotonic()
        pid = os.fork()
        if not pid:
            os.close(ours)
            _child(asked, faults, theirs, out, err, told)
        os.close(theirs)
        os.write(ours, (asked.get("text", "") if asked.get("keys") is None else asked.get("keys")).encode())
        if asked.get("keys") is None:
            os.close(ours)
            ours = None
        status = _await(pid, ours, begun, asked.get("after"))
        seconds = time.monotonic() - begun
        for file in (out, err, told):
            file.seek(0)
        return {
            "status": status,
            "seconds": seconds,
            "calls": int(told.read() or 0),
            "out": out.read().decode("utf-8", "replace"),
            "err": err.read().decode("utf-8", "replace"),
        }


def _child(asked, faults, file, out, err, told):
    """Be the program; never returns."""
    status = 255
    try:
        if asked.get("keys") is None:
            for number, stream in enumerate((file, out.fileno(), err.fileno())):
                os.dup2(stream, number)
            os.close(file)
        else:
            os.login_tty(file)
        # Those of the server know where they are in the files of the server.
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, closefd=False)  # noqa: SIM115
            for number, mode in enumerate("rww")
        )
        env = environ(asked["home"])
        os.environ.clear()
        os.environ.update(env)
        os.chdir(asked["home"])
        from canfield_cli.cli.shell import main

        if faults:
            faults.arm(asked["at"], asked["how"])
        status = main(asked["words"])
        sys.stdout.flush()
        if faults:
            os.write(told.fileno(), b"%d" % faults.called())
    except BaseException:  # noqa: BLE001
        os.write(err.fileno(), traceback.format_exc().encode())
    finally:
        os._exit(status)


def _await(pid, terminal, begun, after):
    """Wait for the child, read what it writes on the `terminal`, and kill it when that is due; return its status."""
    watched = [os.pidfd_open(pid), *([] if terminal is None else [terminal])]
    end = begun + (PATIENCE if after is None else after)
    hangs = False
    while True:
        ready, _, _ = select.select(watched, [], [], max(end - time.monotonic(), 0))
        if watched[0] in ready:
            break
        if terminal in ready:
            try:
                os.read(terminal, 65536)
            except OSError:
                # The other end is closed.
                del watched[1:]
        elif not ready:
            hangs = after is None
            os.kill(pid, signal.SIGKILL)
            end = time.monotonic() + PATIENCE
    _, status = os.waitpid(pid, 0)
    os.close(watched[0])
    if terminal is not None:
        os.close(terminal)
    return "hangs" if hangs else os.waitstatus_to_exitcode(status)


def run_alone(words, home, text="", after=PATIENCE):
    """Run a command line in a process of its own, killed `after` so many seconds; return its exit status."""
    env = environ(home) | {"PYTHONPATH": PACKAGE}
    program = [sys.executable, "-m", "canfield_cli", *words]
    process = subprocess.Popen(program, cwd=home, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        process.communicate(text.encode(), timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return process.returncode


# What is on the disk.


class Home:
    """What a home folder has of the game."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / ".local" / "share" / "canfield"
        self.save = self.data / "game.json"
        self.history = self.folder / ".local" / "state" / "canfield" / "history"

    def game(self):
        """The current game, sound by all rules, or None."""
        return parse_save(self.save.read_text()) if self.save.exists() else None

    def kept(self):
        """The kept games, each sound."""
        return [parse_save(path.read_text()) for path in (self.data / "game.json.kept").glob("*.json")]

    def state(self):
        """The current game and the set of kept ones, as far as they can be told from others."""
        return _words(self.game()), frozenset(map(_words, self.kept()))

    def ids(self):
        """The ids of all games of which anything was done."""
        return {game.tally.id for game in (self.game(), *self.kept()) if game and game.clock.last is not None}

    def records(self):
        """The outcome of each recorded game by its id, once the file is found whole."""
        path = self.data / "records.db"
        if not path.exists():
            return {}
        database = sqlite3.connect(path)
        try:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if not database.execute("SELECT * FROM sqlite_master").fetchall():
                # It was just being made.
                return {}
            rows, lines = (set(database.execute(f"SELECT n FROM {table}")) for table in ("games", "lines"))
            assert rows == lines, "a row has no line, or a line no row"
            return dict(database.execute("SELECT id, outcome FROM games"))
        finally:
            database.close()

    def replay(self):
        """Replay every recorded game."""
        with open_records(str(self.data / "records.db")) as records:
            for entry in records.entries():
                entry.check()

    def litter(self, age=0.0):
        """The files that are neither games nor records, made older by `age` seconds."""
        usual = {"game.json", "game.json.kept", "records.db"}
        found = [path for path in self.data.glob("*") if path.name not in usual]
        found += [path for path in self.data.glob("game.json.kept/*") if path.suffix != ".json"]
        for path in found:
            os.utime(path, (time.time() - age,) * 2)
        return sorted(path.name for path in found)


def _words(game):
    return game and (format_position(game.start), tuple(game.done), tuple(game.undone))


# Trials.


class Trial:
    """Something to be killed: a command or a session of `lines`, begun where the commands `before` lead to."""

    def __init__(self, name, before, lines, how="command"):
        self.name = name
        self.before = before
        self.lines = lines
        #: Each way to run the lines: words, standard input, keys.
        self.words, self.text, self.keys = {
            "command": lambda: (lines[0].split(), "", None),
            "-c": lambda: (["play", *(word for line in lines for word in ("-c", line))], "", None),
            "--script": lambda: (["play", "--script", "lines"], "", None),
            "--json": lambda: (["play", "--json"], "".join(line + "\n" for line in lines), None),
            "terminal": lambda: (["play"], "", "".join(map(_typed, (*lines, "quit")))),
        }[how]()

    def prepare(self, server, folder):
        """Make the folder where it begins, find all that may be there after a kill, and how long it takes."""
        self.start = os.path.join(folder, "start")
        os.mkdir(self.start)
        Path(self.start, "lines").write_text("".join(line + "\n" for line in self.lines))
        for line in self.before:
            self._must(server.run(line.split(), self.start))
        self.known = Home(self.start).records()
        with self.copy(folder) as home:
            self.states = [home.state()]
            for line in self.lines:
                self._must(server.run(line.split(), home.folder))
                self.states.append(home.state())
        with self.copy(folder) as home:
            whole = self.run(server, home)
            self._must(whole)
            assert home.state() == self.states[-1]
        self.calls, self.seconds = whole["calls"], whole["seconds"]

    def copy(self, folder):
        """A copy of the folder where it begins, for the time of a context."""
        return _Copy(self.start, folder)

    def run(self, server, home, *, alone=False, **how):
        """Run it in `home`; `alone` without the server."""
        if alone:
            return {"status": run_alone(self.words, home.folder, self.text, **how)}
        return server.run(self.words, home.folder, text=self.text, keys=self.keys, **how)

    def kill(self, server, folder, **how):
        """Run it in a copy, killed as `how` says, and hold what is left to all that must hold; return its status."""
        with self.copy(folder) as home:
            ran = self.run(server, home, **how)
            try:
                self.check(server, home)
            except AssertionError as error:
                raise AssertionError(f"{self.name}, {how}, status {ran['status']}: {error}") from error
            return ran["status"]

    def check(self, server, home):
        """Hold what a killed run left to all that must hold, then run two more commands."""
        game, kept = home.state()
        everything = {each for current, rest in self.states for each in (current, *rest)}
        assert any(game == current and rest <= kept for current, rest in self.states), (
            "the game is another one"
        )
        assert kept <= everything, "a game is kept that never was"
        ids, before = home.ids(), home.records()
        assert before.keys() >= self.known.keys(), "a record is lost"
        # The next commands work: the records catch up, and what the kill left is cleared away once it is old.
        home.litter(age=60)
        self._must(server.run(["play", "-q", "-c", "new --seed 4", "-c", "stats"], home.folder))
        found = home.records()
        assert found.keys() >= ids | before.keys(), "a game is not recorded"
        assert "open" not in (found[each] for each in ids), "a game that was left is still open"
        assert not home.litter(), home.litter()
        if home.history.exists():
            typed = "".join(line + "\n" for line, _ in groupby((*self.lines, "quit")))
            assert typed.startswith(home.history.read_text()), f"the history is {home.history.read_text()!r}"

    def _must(self, answer):
        assert answer["status"] == 0, (self.name, answer)
        assert answer["err"] == "", (self.name, answer)


class _Copy:
    def __init__(self, start, folder):
        self.folder = tempfile.mkdtemp(dir=folder)
        shutil.copytree(start, self.folder, dirs_exist_ok=True)

    def __enter__(self):
        return Home(self.folder)

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def _typed(line):
    """The keys that run a line at a terminal, with a yes where a game is left."""
    return line + "\r" + ("y\r" if line.split()[0] in ("new", "restart", "resume") else "")


#: Three games, of which the first two are kept.
LIFE = (
    "new --seed 7 -q",
    "draw -q",
    "new --seed 8 -q",
    "draw 2 -q",
    "new --seed 3 -q",
    "draw -q",
    "stats -q",
)
#: A session that does all that is written.
LINES = (
    "draw",
    "draw",
    "undo",
    "redo",
    "new --seed 9",
    "draw",
    "restart",
    "draw",
    "resume 1",
    "stats",
    "draw",
)


def trials():
    """All trials."""
    *most, last = solve(deal_seed(1).position(preset("easy"))).actions
    late = ("new --seed 1 --rules easy", f"move {' '.join(most)} -q", f"move {last}")
    return [
        Trial("an action", LIFE, ["draw"]),
        Trial("an undo", LIFE, ["undo"]),
        Trial("the first game", (), ["new --seed 7"]),
        Trial("a new game", LIFE, ["new --seed 9"]),
        Trial("a game begun again", LIFE, ["restart"]),
        Trial("a game taken up again", LIFE, ["resume 1"]),
        Trial("a win", late[:-1], late[-1:]),
        Trial("a look at the records", LIFE[:-1], ["stats"]),
        *(Trial(f"a session, {how}", LIFE, LINES, how) for how in ("-c", "--script", "--json")),
        # There a long answer may ask for more than one Enter.
        Trial("a session, terminal", LIFE, [line for line in LINES if line != "stats"], "terminal"),
    ]


if __name__ == "__main__":
    _serve(int(sys.argv[1]), sys.argv[2])
