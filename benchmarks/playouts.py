"""Holds the solver to small positions of all rules that the plain engine plays out to the end.

    python benchmarks/playouts.py [POSITIONS] [--cards MOST] [--seed N] [--minutes N] [--pure]

Half of the positions have no take-backs, a reserve and a stock: there the search looks for dead ends. It fails where an outcome is
another one, and prints how many positions there were, how many of them were won, and how many the solver left open.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from tiny import TooMany, random_position, random_rules, won_by_playing_out

from canfield_cli.engine.notation import format_position
from canfield_cli.solver import Limits, solve

#: Positions with more than so many to play out are passed over, and a search may look at so many.
POSITIONS, STATES = 2_000, 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("positions", nargs="?", type=int, default=10_000)
    parser.add_argument("--cards", type=int, default=30, help="the most cards that are not up yet")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pure", action="store_true", help="search in plain Python")
    args = parser.parse_args()
    dice = random.Random(args.seed)
    end = time.monotonic() + 60 * args.minutes
    found: Counter[str] = Counter()
    while found.total() < args.positions and time.monotonic() < end:
        knots = dice.random() < 0.5
        rules = random_rules(dice)
        if knots:
            rules = rules.replace(takeback="no")
        position = random_position(dice, rules, dice.randrange(4, args.cards))
        if position is None or (knots and not (position.reserve and position.stock + position.waste)):
            continue
        try:
            outcome = "won" if won_by_playing_out(position, POSITIONS) else "lost"
        except TooMany:
            continue
        verdict = solve(position, Limits(states=STATES), pure=args.pure)
        if verdict.outcome not in (outcome, "unknown"):
            sys.exit(f"{format_position(position)} is {outcome}, not {verdict.outcome}, under {rules!r}")
        found[verdict.outcome] += 1
    print(
        f"{found.total():,} positions: {found['won']:,} won, {found['lost']:,} lost, {found['unknown']:,} left open"
    )


if __name__ == "__main__":
    main()
