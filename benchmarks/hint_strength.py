"""How strong the hints are: plays PySolFC's numbered deals by following them, and counts.

    python benchmarks/hint_strength.py [--preset casino] [--first 1] [--last 500] [--jobs 2]

PySolFC's own demo player wins 30 of its Canfield deals 1 to 500, under rules that are our `casino`.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import time

from canfield_cli.engine.deal import deal_pysol
from canfield_cli.engine.position import DRAW, REDEAL
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.stuck import is_stuck
from canfield_cli.solver.hints import hint

#: No game followed by hints comes near so many.
MOST_HINTS = 3000


class Game:
    """What came of one game: won or not, cards up, hints given, seconds for all and for the slowest.

    `circled` is the action at which a position came again without a draw between, or "endless", or "".
    `open` is True where the hints ended though the position is not stuck.
    """

    def __init__(self, name: str, number: int) -> None:
        position = deal_pysol(number).position(preset(name))
        self.number = number
        self.hints, self.seconds, self.slowest, self.circled = 0, 0.0, 0.0, ""
        known = {position}
        while self.hints < MOST_HINTS:
            start = time.process_time()
            given = hint(position.seen())
            taken = time.process_time() - start
            if given is None:
                break
            self.hints += 1
            self.seconds += taken
            self.slowest = max(self.slowest, taken)
            position, _ = position.apply(given.action)
            if given.action in (DRAW, REDEAL):
                known.clear()
            if position in known:
                self.circled = given.action
            known.add(position)
        else:
            self.circled = "endless"
        self.won = position.won
        self.cards_up = position.cards_up
        self.open = not self.won and not is_stuck(position)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", default="casino", choices=PRESETS)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    numbers = range(options.first, options.last + 1)
    with multiprocessing.Pool(options.jobs) as pool:
        games = pool.map(functools.partial(Game, options.preset), numbers, chunksize=10)
    wins = sum(game.won for game in games)
    hints = sum(game.hints for game in games)
    print(f"preset {options.preset}, PySolFC deals {options.first} to {options.last}")
    print(f"wins             {wins} of {len(games)} ({wins / len(games):.1%})")
    print("PySolFC's player 30 of 500 (6.0%), deals 1 to 500, rules as casino")
    print(f"cards up         {sum(game.cards_up for game in games) / len(games):.1f} on the average")
    print(f"hints            {hints / len(games):.0f} a game")
    print(
        f"time a hint      {1000 * sum(game.seconds for game in games) / hints:.2f} ms, "
        f"at most {1000 * max(game.slowest for game in games):.1f} ms"
    )
    print(f"ended though not stuck: {[game.number for game in games if game.open]}")
    print(f"went in circles: {[(game.number, game.circled) for game in games if game.circled]}")


if __name__ == "__main__":
    main()
