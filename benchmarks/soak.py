"""A bot plays many games through one pipe to `canfield play --json`, and looks at what that does to the program.

    python benchmarks/soak.py [GAMES] [--rules PRESET ...] [--actions N]

It fails where an answer is not one line of JSON, where memory grows by more than a tenth after the first tenth of the
games, or where a file stays open. Records are kept as for any player, in a folder that goes away.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from canfield_cli.engine.rules import PRESETS

#: Memory may grow by this much, once the program is warm.
GROWTH = 1.1


class Program:
    """`canfield play --json` at the other end of a pipe."""

    def __init__(self, folder: str) -> None:
        env = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "CANFIELD_SAVE": f"{folder}/game.json"}
        env.pop("CANFIELD_RECORDS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "canfield_cli", "play", "--json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
        )  # fmt: skip
        self.lines = 0

    def ask(self, line: str) -> dict:
        """Send a line; return the object that answers it."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.lines += 1
        answer = json.loads(self.process.stdout.readline())
        assert answer["line"] == self.lines, answer
        return answer

    def memory(self) -> int:
        """Return the kilobytes that it has in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def files(self) -> int:
        """Return how many files it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close(self) -> int:
        """End it; return its exit status."""
        assert self.process.stdin
        self.process.stdin.close()
        status = self.process.wait(30)
        assert self.process.stdout
        self.process.stdout.close()
        return status


def play(program: Program, rng: random.Random, seed: int, name: str, actions: int) -> bool:
    """Play a game by chance, cards up first; return whether it was won."""
    state = program.ask(f"new --rules {name} --seed {seed}")["state"]
    for _ in range(actions):
        legal = state["legal"]
        if state["won"] or state["stuck"] or not legal:
            break
        up = [action for action in legal if action.endswith("f")]
        answer = program.ask(rng.choice(up or legal))
        assert answer["ok"], answer
        state = answer["state"]
    return state["won"]


def soak(games: int, names: list[str], actions: int) -> tuple[dict[str, object], list[str]]:
    """Play `games`; return the figures, and what is wrong."""
    rng = random.Random(1)
    faults, won = [], 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(folder)
        begun = time.monotonic()
        for number in range(games):
            won += play(program, rng, number, names[number % len(names)], actions)
            if number == games // 10:
                warm, open_then = program.memory(), program.files()
        cold, open_now = program.memory(), program.files()
        took = time.monotonic() - begun
        if program.close():
            faults.append(f"exit status {program.process.returncode}")
    if cold > warm * GROWTH:
        faults.append(f"memory grew from {warm:,} to {cold:,} kB")
    if open_now > open_then:
        faults.append(f"{open_now} files are open instead of {open_then}")
    figures = {
        "games": games, "won": won, "lines": program.lines, "seconds": round(took, 1),
        "kB after a tenth": warm, "kB at the end": cold, "open files": open_now,
    }  # fmt: skip
    return figures, faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Play many games through one pipe.")
    parser.add_argument("games", nargs="?", type=int, default=1000)
    parser.add_argument("--rules", nargs="*", choices=PRESETS, default=list(PRESETS))
    parser.add_argument("--actions", type=int, default=200, help="the most actions of a game")
    args = parser.parse_args()
    figures, faults = soak(args.games, args.rules, args.actions)
    print(*(f"{name}: {figure:,}" for name, figure in figures.items()), *faults, sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
