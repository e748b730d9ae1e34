"""What is won under stricter rules is won under looser ones: checked on random deals, pair by pair of rules.

    python benchmarks/monotone.py [--deals N] [--max-states N] [--jobs N] [PRESET ...]

The rules of a pair differ in one option alone; the others are those of the preset. Fails on a contradiction.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import multiprocessing
import sys
import time
from collections.abc import Iterator

from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.rules import Rules, preset
from canfield_cli.solver import Limits, backend, solve

#: The values of each option that says what may be done, the strictest first.
CHAINS = {
    "draw": ("3", "1"),
    "runs": ("whole", "top-or-whole", "any"),
    "fill": ("waste", "any"),
    "base_build": ("no", "yes"),
    "takeback": ("no", "yes"),
}
NAMES = ("published", "gilded", "standard", "easy", "casino", "classic")
ROW = "{:<10} {:<32} {:>7} {:>8} {:>8} {:>14} {:>8}"


class Pair:
    """Two sets of rules that differ in one option: what is won under `stricter` must be under `looser`."""

    def __init__(self, name: str, option: str, stricter: str, looser: str) -> None:
        self.name = name
        self.title = f"{option} {stricter} < {looser}"
        self.stricter, self.looser = (key(preset(name, **{option: word})) for word in (stricter, looser))


def key(rules: Rules) -> tuple[str, ...]:
    """Return what of `rules` says which deals can be won, the same for all presets that agree in it."""
    words = rules.words()
    return tuple(str(words[option]) for option in CHAINS)


def pairs(names: list[str]) -> Iterator[Pair]:
    """Yield the pairs of rules around each preset."""
    for name in names:
        for option, values in CHAINS.items():
            for stricter, looser in itertools.combinations(values, 2):
                yield Pair(name, option, stricter, looser)


def outcomes(keys: list[tuple[str, ...]], states: int, seed: int) -> list[str]:
    """Return what comes of the deal `seed` under each of the rules in `keys`."""
    deal, limits = deal_seed(seed), Limits(states=states, seconds=None)
    found = []
    for words in keys:
        rules = preset("published", **dict(zip(CHAINS, words, strict=True)))
        found.append(solve(deal.position(rules), limits).outcome)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "presets", nargs="*", default=NAMES, metavar="PRESET", help=f"default: {' '.join(NAMES)}"
    )
    parser.add_argument("--deals", type=int, default=1000, help="the seeds 1 to so many")
    parser.add_argument(
        "--max-states", type=int, default=100_000, help="limit for each deal and set of rules"
    )
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    unknown = set(args.presets) - set(NAMES)
    if unknown:
        parser.error(f"no such preset: {', '.join(unknown)}")
    compared = list(pairs(args.presets))
    keys = sorted({side for pair in compared for side in (pair.stricter, pair.looser)})
    print(
        f"backend: {backend()}, seeds 1 to {args.deals}, {len(keys)} sets of rules, {args.max_states:,} states each"
    )
    begun = time.monotonic()
    seeds = range(1, args.deals + 1)
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        rows = pool.map(functools.partial(outcomes, keys, args.max_states), seeds, chunksize=1)
    by_rules = dict(zip(keys, zip(*rows, strict=True), strict=True))
    print(ROW.format("preset", "stricter < looser", "decided", "gained", "same", "contradictions", "unknown"))
    wrong = []
    for pair in compared:
        both = list(zip(by_rules[pair.stricter], by_rules[pair.looser], strict=True))
        decided = [each for each in both if "unknown" not in each]
        against = [seed for seed, each in zip(seeds, both, strict=True) if each == ("won", "lost")]
        wrong += [f"CONTRADICTION: {pair.name}, {pair.title}, seed {seed}" for seed in against]
        gained = decided.count(("lost", "won"))
        print(
            ROW.format(
                pair.name,
                pair.title,
                len(decided),
                gained,
                len(decided) - gained - len(against),
                len(against),
                len(both) - len(decided),
            )
        )
    print(*wrong, f"{time.monotonic() - begun:.0f} s", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
