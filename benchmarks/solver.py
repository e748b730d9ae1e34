"""How the solver does on 200 deals with proven outcomes, preset by preset; it fails where a verdict contradicts one.

    python benchmarks/solver.py [PRESET ...] [--deals N] [--seconds S] [--pure] [--slow S]

Each preset runs in a process of its own, so that its peak memory can be told.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from canfield_cli.engine.deal import Deal
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset
from canfield_cli.solver import Limits, backend, solve

TABLE = Path(__file__).parent.parent / "tests" / "data" / "winnable-200.jsonl"
#: `modern` has the rules of `standard` as far as winning goes.
NAMES = ("published", "gilded", "standard", "easy", "casino", "classic")
ROW = "{:<10} {:>7} {:>5} {:>5} {:>7} {:>9} {:>9} {:>8} {:>13} {:>10}"


def measured(
    name: str, deals: int, seconds: float, pure: bool, slow: float
) -> tuple[list[object], list[str]]:
    """Solve the first `deals` deals under the preset: a row of the table, and remarks on single deals."""
    counts = {"won": 0, "lost": 0, "unknown": 0}
    states, longest, remarks = 0, 0.0, []
    begun = time.process_time()
    for line in TABLE.read_text().splitlines()[:deals]:
        row = json.loads(line)
        game = Game.of(Deal(row["deal"].split()), preset(name))
        start = time.process_time()
        verdict = solve(game.position, Limits(seconds=seconds), pure=pure)
        took = time.process_time() - start
        longest = max(longest, took)
        counts[verdict.outcome] += 1
        states += verdict.states
        if verdict.outcome == "unknown" or took > slow:
            remarks.append(
                f"  {name} {row['seed']}: {verdict.outcome} after {verdict.states:,} states, {took:.2f} s"
            )
        proved = row["outcome"].get(name, "unknown")
        if "unknown" not in (proved, verdict.outcome) and proved != verdict.outcome:
            remarks.append(
                f"  CONTRADICTION: {name} {row['seed']} is {proved}, the solver says {verdict.outcome}"
            )
    cpu = time.process_time() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    decided = counts["won"] + counts["lost"]
    return [
        name,
        decided,
        counts["won"],
        counts["lost"],
        counts["unknown"],
        f"{cpu:.2f}",
        f"{longest:.2f}",
        f"{memory:.0f} MB",
        f"{states:,}",
        f"{states / cpu:,.0f}",
    ], remarks


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve deals with proven outcomes and print a table.")
    parser.add_argument(
        "presets", nargs="*", default=NAMES, metavar="PRESET", help=f"default: {' '.join(NAMES)}"
    )
    parser.add_argument("--deals", type=int, default=200, help="how many of the 200 deals")
    parser.add_argument("--seconds", type=float, default=30.0, help="limit for each deal")
    parser.add_argument("--pure", action="store_true", help="search in plain Python")
    parser.add_argument("--slow", type=float, default=float("inf"), help="list the deals that took longer")
    args = parser.parse_args()
    print(
        f"backend: {'python' if args.pure else backend()}, {args.deals} deals, at most {args.seconds:g} s each"
    )
    print(
        ROW.format(
            "preset", "decided", "won", "lost", "unknown", "CPU s", "longest", "memory", "states", "states/s"
        )
    )
    wrong = False
    for name in args.presets:
        # spawn: a forked process would count its parent's memory too.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            row, remarks = pool.submit(
                measured, name, args.deals, args.seconds, args.pure, args.slow
            ).result()
        print(ROW.format(*row), *remarks, sep="\n", flush=True)
        wrong = wrong or any("CONTRADICTION" in remark for remark in remarks)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
