"""Kills the program in the middle of what it writes, again and again, and looks at what is left.

    python benchmarks/kills.py [KILLS] [--minutes N] [--seed N] [--folder FOLDER]

First at each call of the system that changes files, before it and after it, then at random instants; every tenth of
those in a process of its own. After each kill the save must be the game before or after an action, kept games and
records whole, the next commands work, and nothing is left lying about. It fails at the first thing that does not hold.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from killing import AFTER, BEFORE, Server, Trial, build_library, trials

#: Of random kills this share is of sessions at a terminal, which take a second each.
TERMINAL = 0.02
#: There one in so many calls is tried.
STEP = 10
#: One in so many random kills is of a process of its own, whose start takes so many seconds.
ALONE, START = 10, 0.15


class Tally:
    """How many kills there were, and how many of them came in time."""

    def __init__(self, most: int, minutes: float) -> None:
        self.most = most
        self.begun = time.monotonic()
        self.end = self.begun + 60 * minutes
        self.counts: Counter[str] = Counter()
        self.struck: Counter[str] = Counter()

    def add(self, what: str, status: int) -> None:
        self.counts[what] += 1
        self.struck[what] += status == -9
        if not self.counts.total() % 500:
            print(f"{self.counts.total():,} of {self.most:,}, {self.rate:.1f} a second", flush=True)

    @property
    def rate(self) -> float:
        return self.counts.total() / (time.monotonic() - self.begun)

    def full(self) -> bool:
        return self.struck.total() >= self.most or time.monotonic() > self.end


def at_calls(server: Server, each: Trial, folder: str, tally: Tally) -> None:
    """Kill before and after each call of the system; at a terminal, at some of them."""
    for at in range(1, each.calls + 1, STEP if each.keys else 1):
        for how in (BEFORE, AFTER):
            if tally.full():
                return
            tally.add(f"{each.name}, at a call", each.kill(server, folder, at=at, how=how))


def at_instants(server: Server, every: list[Trial], folder: str, tally: Tally, chance: random.Random) -> None:
    """Kill at random instants."""
    terminals = [each for each in every if each.keys]
    others = [each for each in every if not each.keys]
    while not tally.full():
        each = chance.choice(terminals if chance.random() < TERMINAL else others)
        alone = not each.keys and not chance.randrange(ALONE)
        after = chance.uniform(0, 1.1 * each.seconds + (START if alone else 0))
        status = each.kill(server, folder, after=after, **({"alone": True} if alone else {}))
        tally.add(f"{each.name}, at an instant{', alone' if alone else ''}", status)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=60.0, help="an end before so many kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where to play; on a disk, or in memory")
    args = parser.parse_args()
    tally = Tally(args.kills, args.minutes)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        library = build_library(folder)
        with Server(library) as server:
            every = trials()
            for each in every:
                each.prepare(server, tempfile.mkdtemp(dir=folder))
            if library:
                for each in every:
                    at_calls(server, each, folder, tally)
            at_instants(server, every, folder, tally, random.Random(args.seed))
    for what, count in tally.counts.items():
        print(f"{what:<50} {count:>6,} runs {tally.struck[what]:>6,} killed")
    print(f"{tally.struck.total():,} kills, {tally.rate:.1f} runs a second, and all of it whole")


if __name__ == "__main__":
    main()
