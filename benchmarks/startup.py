"""How much a one-shot command costs, against ``python -c pass`` of the same environment.

    python benchmarks/startup.py            instruction counts (needs valgrind), then times
    python benchmarks/startup.py --times    times alone
    python benchmarks/startup.py --peek     what `hint --peek` takes over `show`, on positions of usual games

Counts are repeatable to a part in a thousand; times are the medians of paired runs.
"""

from __future__ import annotations

import argparse
import os
import random
import re
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
from canfield_cli.solver.hints import hint
from canfield_cli.store.save import format_save

#: How long the played game is, in actions.
ACTIONS = 150
PAIRS = 15
#: What `hint --peek` may take over the start, in milliseconds, and the positions on which it is measured: of each
#: seed those after so many of the actions that the hints give.
PEEK = 50.0
PEEKED = [(seed, actions) for seed in range(1, 11) for actions in (0, 30, 60)]
CANFIELD = str(Path(sys.executable).with_name("canfield"))
PASS = [sys.executable, "-c", "pass"]

#: What is run, and the ratio that it may cost.
COMMANDS = [
    *((words, 2.5) for words in (
        "show", "show --json", "move 12x1", "move draw", "move draw --json", "draw", "draw --json", "undo", "undo --json",
        "redo", "redo --json", "moves", "moves --json", "tap s", "tap s --json", "up", "up --json",
    )),
    *((words, 8.0) for words in (
        "hint", "hint --json", "hint --all", "new --seed 7", "new --daily", "new --pysol 7", "restart", "resume",
        "rules", "rules classic", "check", "export", "schema", "completion bash", "help", "help new", "solve", "hint --peek", "--help", "--version", "move --help", "new --help",
        "mvoe wf", "new --sed 7",
    )),
]  # fmt: skip


def played_game() -> Game:
    """Return a game of 150 actions, the last of them undone, in which a card can go up."""
    for seed in range(1000):
        rng = random.Random(seed)
        game = Game.of(deal_seed(seed), preset())
        while len(game.done) < ACTIONS and not game.position.won:
            legal = game.position.legal()
            ups = [action for action in legal if action[-1] == "f" or action[0] == "r"]
            game.play(rng.choice(ups or legal))
        if len(game.done) == ACTIONS and any(action[-1] == "f" for action in game.position.legal()):
            game.undo(1)
            game.redo(1)
            game.undo(1)
            if any(action[-1] == "f" for action in game.position.legal()):
                return game
    raise AssertionError("no such game")


def hinted_game(seed: int, actions: int) -> Game:
    """Return the game of this seed after so many actions, or fewer, as the hints give them."""
    game = Game.of(deal_seed(seed), preset())
    while len(game.done) < actions and (found := hint(game.position.seen())):
        game.play(found.action)
    return game


def run(words: list[str], env: dict[str, str], before: list[str] | None = None) -> str:
    """Run `words` and return what valgrind says."""
    return subprocess.run(
        [*(before or []), *words],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    ).stderr


def instructions(words: list[str], env: dict[str, str]) -> int:
    """Return how many instructions `words` take."""
    said = run(words, env, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
    found = re.search(r"Collected : (\d+)", said)
    assert found, said
    return int(found[1])


def ratio_of_times(words: list[str], env: dict[str, str], reset) -> float:
    """Return the median of time against ``python -c pass`` over paired runs."""
    ratios = []
    for _ in range(PAIRS):
        took = []
        for each in (PASS, words):
            reset()
            start = time.perf_counter()
            run(each, env)
            took.append(time.perf_counter() - start)
        ratios.append(took[1] / took[0])
    return statistics.median(ratios)


def used() -> float:
    """Return the processor time of the programs run so far, which other programs don't lengthen as they do the clock's."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def peek(save: str, env: dict[str, str]) -> None:
    """Print what `hint --peek` takes over `show`, in milliseconds of the processor, on usual positions."""
    over = []
    for seed, actions in PEEKED:
        game = hinted_game(seed, actions)
        Path(save).write_text(format_save(game))
        took = []
        for _ in range(PAIRS):
            for words in (["show"], ["hint", "--peek"]):
                start = used()
                run([CANFIELD, *words], env)
                took.append(used() - start)
        shown, peeked = statistics.median(took[::2]), statistics.median(took[1::2])
        over.append(1000 * (peeked - shown))
        print(f"seed {seed:>2} after {len(game.done):>2} actions: {over[-1]:>7.1f} ms", flush=True)
    within = sum(each <= PEEK for each in over)
    print(f"median {statistics.median(over):.1f} ms; {within} of {len(over)} within {PEEK:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", action="store_true", help="measure times alone")
    parser.add_argument("--counts", action="store_true", help="count instructions alone")
    parser.add_argument("--peek", action="store_true", help="measure what hint --peek takes over show")
    parser.add_argument("only", nargs="*", help="only commands that begin with one of these words")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        save = os.path.join(folder, "game.json")
        text = format_save(played_game())
        env = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "CANFIELD_SAVE": save,
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
        }

        def reset() -> None:
            Path(save).write_text(text)

        if args.peek:
            peek(save, env)
            return
        reset()
        run([CANFIELD, "show"], env)
        base = 0 if args.times else instructions(PASS, env)
        print(f"{'command':<20} {'bound':>6} {'counts':>7} {'time':>6}")
        worst = 0.0
        for words, bound in COMMANDS:
            if args.only and words.split()[0].strip("-") not in args.only:
                continue
            reset()
            line = [CANFIELD, *words.split()]
            counts = 0.0 if args.times else instructions(line, env) / base
            times = 0.0 if args.counts else ratio_of_times(line, env, reset)
            worst = max(worst, counts / bound)
            print(
                f"{words:<20} {bound:>6.1f} {counts:>7.2f} {times:>6.2f}{'  over' * (counts > bound)}",
                flush=True,
            )
        print(f"python -c pass: {base:,} instructions; the worst command uses {worst:.0%} of its bound")


if __name__ == "__main__":
    main()
