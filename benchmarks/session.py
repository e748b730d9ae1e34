"""What a session without a terminal costs, against ``python -c pass`` of the same environment.

    python benchmarks/session.py            instruction counts (needs valgrind), then times
    python benchmarks/session.py --times    times alone

A short run is the two lines ``draw`` and ``undo``; a further line is the slope between that and 10,000 lines of the same
(the time of the processor, the least of some runs; the saves of a run that takes longer than a second are in it).
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from startup import played_game

from canfield_cli.cli.completer import complete
from canfield_cli.cli.session import Session
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset
from canfield_cli.store.save import format_save

CANFIELD = str(Path(sys.executable).with_name("canfield"))
PASS = [sys.executable, "-c", "pass"]
LINES = 10_000
#: So many lines do for a slope of instructions, which are the same each time.
COUNTED = 600
RUNS = 5
TWO = b"draw\nundo\n"
#: The ways to run a session, and what each line of it may cost, in milliseconds.
WAYS = {"text, with the board": [], "text, -q": ["-q"], "--json": ["--json"]}
START, LINE, TAB = 3.0, 0.1, 10.0


def seconds(words: list[str], lines: bytes, env: dict[str, str]) -> float:
    """Return the least time of the processor that a run of `words` took, in seconds."""
    took = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, input=lines, env=env, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took)


def instructions(words: list[str], lines: bytes, env: dict[str, str]) -> int:
    """Return how many instructions a run takes."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = subprocess.run(
        [*valgrind, *words],
        input=lines,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    ).stderr
    found = re.search(rb"Collected : (\d+)", said)
    assert found, said
    return int(found[1])


def tab(game: Game) -> float:
    """Return the milliseconds that TAB over the legal actions takes."""
    session = Session(Environment(environ={}), HeldPlace("nowhere", {}))
    took = []
    for _ in range(50):
        start = time.perf_counter()
        list(complete(session, game, ""))
        took.append(time.perf_counter() - start)
    return min(took) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", action="store_true", help="measure times alone")
    args = parser.parse_args()
    games = {"a new game": Game.of(deal_seed(7), preset()), "a game of 150 actions": played_game()}
    with tempfile.TemporaryDirectory() as folder:
        save = os.path.join(folder, "game.json")
        env = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "CANFIELD_SAVE": save,
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
        }
        for name, game in games.items():
            print(
                f"{name}: TAB over {len(game.position.legal())} legal actions {tab(game):.2f} ms (bound {TAB})"
            )
            Path(save).write_text(format_save(game))
            base = 0 if args.times else instructions(PASS, b"", env)
            for way, options in WAYS.items():
                words = [CANFIELD, "play", *options]
                short = seconds(words, TWO, env)
                each = (seconds(words, TWO * (LINES // 2), env) - short) / (LINES - 2) * 1000
                told = f"  {way:<21} a further line {each:.3f} ms (bound {LINE})"
                if base:
                    two = instructions(words, TWO, env)
                    more = (instructions(words, TWO * (COUNTED // 2), env) - two) / (COUNTED - 2)
                    told += f", {more / 1000:,.0f} thousand instructions; two lines {two / base:.2f} x pass (bound {START})"
                print(told, flush=True)


if __name__ == "__main__":
    main()
