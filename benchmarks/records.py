"""A year of play as a file of records, made by the hint player; and how long `canfield stats` takes over it.

    python benchmarks/records.py make year.db [--games 10000] [--jobs 2]
    python benchmarks/records.py measure year.db [--rows 100000]

The same numbers make the same year. For `measure` its games are copied until there are so many rows,
which must fit into 60 MB and be told in 0.5 s of processor time, the start of the program and all else in it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import SEEDS, deal_daily, deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.stuck import is_stuck
from canfield_cli.engine.tally import Tally
from canfield_cli.solver import hints
from canfield_cli.store.entry import COLUMNS, Entry
from canfield_cli.store.records import open_records
from canfield_cli.store.recordscsv import format_csv, parse_csv

#: The year begins here (2026-01-01 UTC) and lasts for so many seconds.
BEGIN, YEAR = 1_767_225_600, 365 * 86400
#: Who plays; nobody by name most of all.
PLAYERS = ("", "", "", "", "Ann", "Béla")
#: What is now and then changed in a preset.
CHANGES = ({"redeals": 2}, {"draw": 1}, {"base_build": "no"})
#: The hint player gives up after so many actions.
MOST = 600
#: The hint player tries so many orders of the hidden cards: a year of the usual five takes an hour.
GUESSES = 1
#: The bounds that `measure` is held against, in seconds and bytes.
SECONDS, BYTES = 0.5, 60_000_000


def played(number: int) -> Entry:
    """Return the game `number` of the year."""
    rng = random.Random(number)
    rules = preset(rng.choice(list(PRESETS)), **(rng.choice(CHANGES) if rng.random() < 0.1 else {}))
    begun = round(BEGIN + rng.random() * YEAR, 3)
    day = None
    if rng.random() < 0.2:
        # Some of them days late.
        day = time.strftime("%Y-%m-%d", time.gmtime(begun - 86400 * rng.choice((0, 0, 0, 3))))
    tally = Tally(f"{rng.getrandbits(64):016x}", rng.choice(PLAYERS), day)
    tally.restarts = int(rng.random() < 0.1)
    deal = deal_daily(day, rules.preset) if day else deal_seed(rng.randrange(SEEDS))
    game = Game(deal.position(rules), deal, Clock(begun), tally)
    _play(game, rng, MOST if rng.random() < 0.8 else rng.randint(1, 60))
    if rng.random() < 0.05:
        tally.help("peek")
    return Entry.of(game, _outcome(game, rng))


def _line(number: int) -> str:
    return list(format_csv([played(number)]))[1]


def _play(game: Game, rng: random.Random, most: int) -> None:
    """Play by hints, now and then going back and asking for one, with a pause before each action."""
    now = game.clock.begun
    for _ in range(most):
        given = hints.hint(game.position.seen())
        if given is None and game.done:
            return
        now += rng.uniform(0.5, 12)
        game.play(given.action if given else game.position.legal()[0])
        game.tally.hints += rng.random() < 0.02
        if game.undoable and not game.position.won and rng.random() < 0.02:
            game.undo()
            game.redo()
        game.clock.tick(now)
        if game.position.won:
            return


def _outcome(game: Game, rng: random.Random) -> str:
    if game.position.won:
        return "won"
    if is_stuck(game.position):
        return rng.choice(("left", "lost"))
    return "open" if rng.random() < 0.02 else "left"


def make(path: str, games: int, jobs: int) -> None:
    """Write a year of `games` games to the file at `path`, which must not be there yet."""
    if os.path.exists(path):
        sys.exit(f"{path} is there already")
    # The processes take it over.
    hints.GUESSES = GUESSES
    with multiprocessing.Pool(jobs) as pool, open_records(path) as records:
        # Rules don't go from one process to another, the words of a CSV file do.
        lines = pool.map(_line, range(games), chunksize=10)
        entries = parse_csv("".join([*format_csv([]), *lines]))
        records.put_all(sorted(entries, key=lambda entry: entry.ended))


def grow(path: str, rows: int) -> None:
    """Copy the games in the file at `path`, an hour later each time, until one player has `rows`."""
    columns = ", ".join(COLUMNS[1:])
    later = columns.replace("begun", "begun + 3600").replace("ended", "ended + 3600")
    db = sqlite3.connect(path)
    with db:
        while (there := db.execute("SELECT max(n) FROM games").fetchone()[0]) < rows:
            more = min(there, rows - there)
            db.execute(
                f"INSERT INTO games (n, id, ruleset, {columns}) SELECT n + {there}, "
                f"lower(hex(randomblob(8))), ruleset, {later} FROM games WHERE n <= {more}"
            )
            db.execute(f"INSERT INTO lines SELECT n + {there}, actions FROM lines WHERE n <= {more}")
        # One player's statistics are then of all of them.
        db.execute("UPDATE games SET player = ''")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def measure(path: str, rows: int) -> None:
    """Print how large a file of `rows` games is, and how long the commands take over it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "records.db")
        shutil.copy(path, copy)
        grow(copy, rows)
        print(f"{rows:,} games in {os.path.getsize(copy) / 1e6:.1f} MB (bound {BYTES / 1e6:.0f})")
        env = {
            **os.environ,
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "CANFIELD_RECORDS": copy,
            "LANG": "C.UTF-8",
        }
        env["CANFIELD_SAVE"] = os.path.join(folder, "game.json")
        for words in ("stats", "stats --csv", "scores", "log", "daily"):
            best = min(_seconds(words, env) for _ in range(5))
            bound = f" (bound {SECONDS})" if words == "stats" else ""
            print(f"canfield {words:<12} {best:.3f} s of processor time{bound}", flush=True)


def _seconds(words: str, env: dict[str, str]) -> float:
    """Return the processor time that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "canfield_cli", *words.split()]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("make", "measure"))
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.what == "make":
        make(options.file, options.games, options.jobs)
    else:
        measure(options.file, options.rows)


if __name__ == "__main__":
    main()
