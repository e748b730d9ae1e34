"""Many writers of one save at once: commands, sessions on a pipe and at a terminal; and what must come of it."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import pexpect
from killing import PACKAGE, Home, environ, fork

#: What writers try: some of it is legal.
ACTIONS = ("draw", "draw", "wf", "w1", "rf", "12", "24")
#: The longest pause between two lines of a session, in seconds.
PAUSE = 0.03
#: How long all of it may take, in seconds.
PATIENCE = 3600.0
#: An answer on a line of its own, in what a terminal is sent.
ANSWER = rb'(\{"ok": [^\r\n]*)\r?\n'
PROGRAM = [sys.executable, "-m", "canfield_cli"]


def by_commands(home, actions):
    """Yield the answers to `actions`, each a command of its own."""
    for action in actions:
        answer = fork({"words": ["move", action, "--json"], "home": home})
        assert answer["err"] == "" or answer["status"], answer
        yield json.loads(answer["out"])


def by_session(home, actions, chance=random):
    """Yield the answers to `actions` of one session of the protocol."""
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    env = environ(home) | {"PYTHONPATH": PACKAGE}
    with subprocess.Popen([*PROGRAM, "play", "--json"], env=env, bufsize=0, **pipes) as session:
        for action in actions:
            time.sleep(chance.uniform(0, PAUSE))
            session.stdin.write(f"{action}\n".encode())
            yield json.loads(session.stdout.readline())


def by_terminal(home, actions):
    """Yield the answers to `actions` that are typed at a terminal."""
    env = environ(home) | {"PYTHONPATH": PACKAGE}
    child = pexpect.spawn(PROGRAM[0], [*PROGRAM[1:], "play"], env=env, dimensions=(50, 200), timeout=PATIENCE)
    child.expect(">")
    for action in actions:
        child.send(f"{action} --json\r")
        if child.expect([ANSWER, rb"error: ([^\r\n]+)"]):
            # It is drawn below the board, until another command is run.
            yield {"ok": False, "error": {"code": "drawn", "message": child.match[1].decode()}}
            child.send("show --json\r")
            child.expect(ANSWER)
        else:
            yield json.loads(child.match[1])
    child.send("quit\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


KINDS = {"commands": by_commands, "session": by_session, "terminal": by_terminal}


def write_all(home, writers, count, seconds=PATIENCE):
    """Let as many writers as `writers` has names of kinds try `count` actions each; return the answers of each."""
    with tempfile.TemporaryDirectory() as folder:
        left = {
            _begin(home, kind, number, count, f"{folder}/{number}") for number, kind in enumerate(writers)
        }
        end = time.monotonic() + seconds
        try:
            while left:
                assert time.monotonic() < end, f"{len(left)} writers hang"
                # One by one: whatever else this process began before is not to be waited for.
                for pid in list(left):
                    ended, status = os.waitpid(pid, os.WNOHANG)
                    if ended:
                        left.discard(pid)
                        assert status == 0, "a writer failed"
                time.sleep(0.01)
        finally:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        answers = []
        for number in range(len(writers)):
            with open(f"{folder}/{number}") as file:
                answers.append([json.loads(line) for line in file])
        return answers


def _begin(home, kind, number, count, path):
    """Begin a writer that leaves its answers at `path`; return its process."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        chance = random.Random(number)
        with open(path, "w") as file:
            for answer in KINDS[kind](str(home), chance.choices(ACTIONS, k=count)):
                file.write(json.dumps(answer) + "\n")
        status = 0
    except BaseException as error:  # noqa: BLE001
        sys.stderr.write(f"{kind} {number}: {error!r}\n")
    finally:
        os._exit(status)


def check(folder, answers):
    """Hold the end to the answers: each action was done once or refused; return how many, and for what reasons not."""
    home = Home(folder)
    done, reasons = [], {}
    for answer in (each for some in answers for each in some):
        if answer["ok"]:
            done.append(answer["state"]["moves"])
        else:
            assert answer["error"]["message"], answer
            code = answer["error"]["code"]
            reasons[code] = reasons.get(code, 0) + 1
    # What is read is replayed; an action that was done twice or lost would leave a gap.
    game = home.game()
    assert not game.undone
    assert sorted(done) == list(range(1, len(game.done) + 1))
    assert not re.findall(r"\.(?:tmp|lock)", " ".join(home.litter()))
    return len(done), reasons
