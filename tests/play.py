"""`canfield play` as a process of its own, for tests of scripts, pipes, signals and locks."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import canfield_cli

PACKAGE = str(Path(canfield_cli.__file__).parent.parent)
TABLE = Path(__file__).parent / "data" / "winnable-200.jsonl"
PROGRAM = [sys.executable, "-m", "canfield_cli"]


class Player:
    """The program over one save in a folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.save = self.folder / "game.json"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "CANFIELD_SAVE": str(self.save),
            "PYTHONPATH": PACKAGE,
            "PYTHONHASHSEED": "0",
        }

    def run(self, words, lines=b"", **how):
        """Run a command line to its end with `lines` as standard input."""
        data = lines.encode() if isinstance(lines, str) else lines
        return subprocess.run(
            [*PROGRAM, *words.split()],
            input=data,
            env=self.env,
            cwd=self.folder,
            capture_output=True,
            timeout=60,
            **how,
        )

    def text(self, words, lines=b""):
        """Run a command line; return its status, output and errors as text."""
        done = self.run(words, lines)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def begin(self, words="", **pipes):
        """Begin a session over pipes."""
        how = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | pipes
        return subprocess.Popen(
            [*PROGRAM, "play", *words.split()], env=self.env, cwd=self.folder, bufsize=0, **how
        )

    def begin_hard_game(self):
        """Begin a game that the search, from now on the slow one, can't decide while a test waits."""
        self.env["CANFIELD_PURE_PYTHON"] = "1"
        rows = map(json.loads, TABLE.read_text().splitlines())
        # No program could decide it in half a minute.
        deal = next(row["deal"] for row in rows if row["seed"] == 112)
        assert self.run("new --rules classic --deal - -q", deal).returncode == 0

    def game(self):
        """What the save says."""
        return json.loads(self.save.read_text())

    def actions(self):
        """The actions that the save has."""
        return self.game()["actions"]


def ask(session, line):
    """Write a line to a session of the protocol and read its answer."""
    session.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
    return json.loads(session.stdout.readline())


def until(true, seconds=10.0):
    """Wait until `true` says so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def leave(session, number=signal.SIGTERM):
    """Send a signal to a session; return its exit status."""
    session.send_signal(number)
    status = session.wait(10)
    for pipe in (session.stdin, session.stdout, session.stderr):
        if pipe:
            pipe.close()
    return status
