"""What the records add to the command that wins a game, over a file with many games of the same rules.

    python benchmarks/winning.py [--rows 1000] [--pairs 20]

The same winning move is done with and without records, in turns; the medians of the differences are printed, and
in processor time too, which other programs don't disturb.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset
from canfield_cli.solver import solve
from canfield_cli.store.entry import COLUMNS, Entry
from canfield_cli.store.records import open_records
from canfield_cli.store.save import format_save

#: What winning may take longer, in milliseconds.
BOUND = 30.0


def won_game() -> Game:
    """Return a game that is won."""
    game = Game.of(deal_seed(5), preset("gilded"))
    for second, action in enumerate(solve(game.position).actions):
        game.play(action)
        game.clock.tick(1e9 + second)
    game.tally.id = f"{0:016x}"
    return game


def fill(path: str, game: Game, rows: int) -> None:
    """Record `game` under so many ids."""
    values = Entry.of(game, "won").values[1:]
    assert COLUMNS[0] == "id"
    entries = [Entry(game.rules, game.done, [f"{number:016x}", *values]) for number in range(1, rows + 1)]
    with open_records(path) as records:
        records.put_all(entries)


def took(words: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Run a command; return the milliseconds that it took, and those of the processor."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, env=env, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=20)
    options = parser.parse_args()
    game = won_game()
    last = game.done[-1]
    with tempfile.TemporaryDirectory() as folder:
        save, records = os.path.join(folder, "game.json"), os.path.join(folder, "records.db")
        fill(records, game, options.rows)
        game.undo()
        more: list[tuple[float, float]] = []
        for number in range(options.pairs):
            game.tally.id = f"{10**9 + number:016x}"
            spent = []
            for path in ("off", records):
                Path(save).write_text(format_save(game))
                env = {**os.environ, "HOME": folder, "CANFIELD_SAVE": save, "CANFIELD_RECORDS": path}
                spent.append(took([sys.executable, "-m", "canfield_cli", "move", last], env))
            (wall, work), (wall_on, work_on) = spent
            more.append((wall_on - wall, work_on - work))
    wall, work = (statistics.median(column) for column in zip(*more, strict=True))
    print(
        f"winning with {options.rows:,} games recorded takes {wall:.1f} ms more (bound {BOUND:.0f}), {work:.1f} ms of the processor"
    )


if __name__ == "__main__":
    main()
