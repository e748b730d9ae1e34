"""How many positions a second the engine makes, on the mid-game positions of tests/data/perft.txt.

python benchmarks/perft.py
"""

from __future__ import annotations

import time
from pathlib import Path

from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.position import Position
from canfield_cli.engine.rules import preset

TABLE = Path(__file__).parent.parent / "tests" / "data" / "perft.txt"
DEPTH = 4


def visited(position: Position, depth: int) -> int:
    """Return how many positions there are up to `depth` actions away, each made one by one."""
    made = 1
    if depth:
        for action in position.legal():
            made += visited(position.after(action)[0], depth - 1)
    return made


def main() -> None:
    lines = [
        row for row in TABLE.read_text().splitlines() if not row.startswith("#") and not row[0].isalpha()
    ]
    for line in lines:
        position = parse_position(line, preset())
        start = time.process_time()
        count = position.perft(DEPTH + 1)
        counted = time.process_time() - start
        start = time.process_time()
        made = visited(position, DEPTH)
        making = time.process_time() - start
        print(f"{line[:24]}...")
        print(
            f"  perft {DEPTH + 1}: {count:,} sequences, {count / counted:,.0f} a second (the last action counted, not made)"
        )
        print(
            f"  made:    {made:,} positions, {made / making:,.0f} a second (each made, with its legal actions but the last)"
        )


if __name__ == "__main__":
    main()
