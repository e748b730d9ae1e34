"""Many processes write one save at once: commands, sessions on a pipe and sessions at a terminal.

    python benchmarks/writers.py [WRITERS] [ACTIONS]

Of 16 writers 11 give commands, three are sessions on a pipe and two sit at a terminal. Each action must be done once or be
refused with a reason, and the save must end as the replay of those that were done. It fails where that does not hold.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import writing
from killing import fork, load

#: So many of each kind go together.
MIX = ["commands"] * 11 + ["session"] * 3 + ["terminal"] * 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("writers", nargs="?", type=int, default=64)
    parser.add_argument("actions", nargs="?", type=int, default=100)
    args = parser.parse_args()
    load()
    with tempfile.TemporaryDirectory() as folder:
        assert fork({"words": ["new", "--seed", "7", "-q"], "home": folder})["status"] == 0
        kinds = [MIX[number % len(MIX)] for number in range(args.writers)]
        begun = time.monotonic()
        answers = writing.write_all(folder, kinds, args.actions)
        seconds = time.monotonic() - begun
        done, reasons = writing.check(folder, answers)
    for kind in writing.KINDS:
        some = [each for name, each in zip(kinds, answers, strict=True) if name == kind]
        told = sum(answer["ok"] for each in some for answer in each)
        print(f"{kind:<9} {len(some):>3} writers, {sum(map(len, some)):>5,} actions, {told:>5,} done")
    print(f"refused: {', '.join(f'{count:,} {code}' for code, count in sorted(reasons.items()))}")
    print(f"{done:,} actions in the history, each once, after {seconds:.1f} s")


if __name__ == "__main__":
    main()
