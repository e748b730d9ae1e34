"""What playing leaves in the records, as a player sees it: each game once, whatever happens to it."""

import ctypes
import io
import json
import os
import random
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from play import PROGRAM, Player, until

from canfield_cli.commands import COMMANDS, context, recording, solving
from canfield_cli.commands.context import execute
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.table import parse
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position
from canfield_cli.engine.record import format_record
from canfield_cli.engine.rules import preset
from canfield_cli.solver import Limits, solve
from canfield_cli.store.save import format_save, parse_save

#: No search of a test goes further.
FEW = Limits(states=20_000)
#: When the tests play: 2026-11-30 12:00 UTC.
NOON = 1_796_040_000.0


def won_actions(seed, rules="easy", **options):
    """The actions of a win of a deal, from its beginning."""
    verdict = solve(deal_seed(seed).position(preset(rules, **options)), FEW)
    assert verdict.outcome == "won"
    return list(verdict.actions)


class Machine:
    """The commands over the saves and the records in a folder, with a clock that is set by hand."""

    def __init__(self, folder, **environ):
        self.folder = folder
        self.save = folder / "game.json"
        self.path = folder / "records.db"
        self.now = NOON
        self.environ = {
            "HOME": str(folder),
            "CANFIELD_SAVE": str(self.save),
            "CANFIELD_RECORDS": str(self.path),
            **environ,
        }
        self.out = io.StringIO()

    def run(self, line, *more):
        """Run a command one second later."""
        self.now += 1
        command, values = parse(COMMANDS, [*line.split(), *more])
        return execute(
            command, values, Environment(self.out, self.out, self.out, self.environ, lambda: self.now)
        )

    def do(self, line, *more):
        """Run a command that must succeed and warn of nothing."""
        result = self.run(line, *more)
        assert not result.error, result.error
        assert not result.warnings
        return result

    def win(self, seed, rules="easy", *options, wait=10.0):
        """Win a new game of a deal; each action but the first takes some seconds."""
        self.do(f"new --rules {rules} --seed {seed}", *options)
        actions = won_actions(seed, rules)
        for action in actions[:-1]:
            self.do("move", action)
        self.now += wait - 1
        return self.do("move", actions[-1])

    def game(self, save=None):
        return parse_save((save or self.save).read_text())

    def rows(self, columns="outcome"):
        """The rows of the table of games, in the order in which the games were begun."""
        if not self.path.exists():
            return []
        with sqlite3.connect(self.path) as database:
            found = database.execute(f"SELECT {columns} FROM games ORDER BY begun").fetchall()
        database.close()
        return [row[0] if len(row) == 1 else row for row in found]

    def catch_up(self, save=None):
        """Have the records looked at, which catch up by that."""
        result = self.do("log", *(["--save", str(save)] if save else []))
        return result


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# Random lives.


RANKS = {"open": 0, "left": 1, "lost": 2}
HELP = ("", "peek", "finish")
COLUMNS = "outcome, ended, helped, hints, restarts, moves, undos, score, player, preset"


class Life:
    """One game as the plain count has it: the last state that was told of it, or its first win."""

    def __init__(self, id, player, rules):
        self.id = id
        self.player = player
        self.rules = rules
        self.last = None
        self.win = None

    def tell(self, state, outcome):
        if state.last is None:
            return
        told = (
            state.last,
            RANKS[outcome],
            HELP.index(state.helped),
            state.hints,
            state.restarts,
            state.figures,
        )
        if state.won:
            self.win = min(self.win or told, told)
        elif self.last is None or told > self.last:
            self.last = told

    @property
    def row(self):
        """What the records should have of it; None if they should have nothing."""
        told = self.win or self.last
        if told is None:
            return None
        last, rank, helped, hints, restarts, figures = told
        outcome = "won" if self.win else list(RANKS)[rank]
        return (outcome, last, HELP[helped], hints, restarts, *figures, self.player, self.rules)


class State:
    """A save as the plain count has it."""

    def __init__(self, life=None):
        self.life = life
        self.last = None
        self.won = False
        self.lost = None
        self.helped = ""
        self.hints = self.restarts = self.done = 0
        self.figures = ()

    def copy(self):
        other = State()
        other.__dict__.update(self.__dict__)
        return other

    def tell(self, outcome):
        if self.life:
            self.life.tell(self, "lost" if outcome == "left" and self.lost is not None else outcome)


class Player_:
    """A player of chance, and the count of what became of his games."""

    def __init__(self, machine, seed, monkeypatch):
        self.machine = machine
        self.rng = random.Random(seed)
        self.monkeypatch = monkeypatch
        self.lives = []
        self.saves = [machine.save, machine.folder / "second.json"]
        self.now = dict.fromkeys(self.saves)
        self.kept = {save: {} for save in self.saves}
        #: Whether nothing can be recorded for a while.
        self.cut_off = False

    def step(self):
        self.save = self.rng.choices(self.saves, (5, 1))[0]
        self.state = self.now[self.save]
        self.machine.now += self.rng.choice((1, 30, 1000))
        steps = (self.new, self.play, self.play, self.win, self.undo, self.redo, self.restart, self.resume)
        rare = (self.hint, self.peek, self.reveal, self.finish, self.foreign, self.cut, self.check)
        if self.state is None:
            self.new()
        else:
            self.rng.choices((*steps, *rare), (*[3] * len(steps), *[1] * len(rare)))[0]()

    def run(self, line, *more):
        """Run a command that plays; say whether it was done."""
        if (
            self.state
            and self.state.won
            and not self.cut_off
            and line.split()[0] not in ("new", "import", "resume")
        ):
            self.state.tell("open")
        result = self.machine.run(line, *more, "--save", str(self.save))
        assert bool(result.warnings) <= self.cut_off
        if result.error:
            return None
        if result.game and self.save.exists():
            self.result = result
        return result

    def acted(self):
        """Count an action that was done, and the win that it may be."""
        game, state = self.result.game, self.state
        was_won = state.won
        state.last, state.won, state.done = self.machine.now, game.position.won, len(game.done)
        state.figures = (game.moves, game.undos, game.score)
        if state.lost is not None and state.done < state.lost:
            state.lost = None
        if state.won and not was_won and not self.cut_off:
            state.tell("open")

    def replaced(self, state):
        """Count a game that took the place of another, which is kept under a new number."""
        old, self.state = self.state, state
        numbers = [each["number"] for each in self.machine.run("resume --save", str(self.save)).data["kept"]]
        kept = self.kept[self.save]
        for number in numbers:
            if number not in kept:
                kept[number] = old.copy()
        for number in set(kept) - set(numbers):
            del kept[number]
        if old and old.life is not state.life and not self.cut_off:
            old.tell("left")
        self.now[self.save] = state

    def new(self):
        rules = self.rng.choice(("easy", "modern", "casino"))
        player = self.rng.choice(("", "Ann"))
        deal = self.rng.choice(
            ("--daily", f"--seed {self.rng.choice(SEEDS)}", f"--seed {self.rng.choice(SEEDS)}")
        )
        options = ["--player", player] if player else []
        result = self.run(f"new {deal} --rules {rules} --draw 1", *options)
        self.lives.append(Life(result.game.tally.id, player, rules))
        self.replaced(State(self.lives[-1]))

    def play(self):
        for _ in range(self.rng.randint(1, 6)):
            legal = self.machine.game(self.save).position.legal()
            if legal and self.run("move", self.rng.choice(legal)):
                self.acted()

    def win(self):
        verdict = solve(self.machine.game(self.save).position, FEW)
        if verdict.outcome == "won" and verdict.actions:
            self.run("move", *verdict.actions)
            self.acted()

    def undo(self):
        if self.run(f"undo {self.rng.choice((1, 1, 2, 9))}"):
            self.acted()

    def redo(self):
        if self.run(f"redo {self.rng.choice((1, 1, 2))}"):
            self.acted()

    def restart(self):
        assert self.run("restart")
        state = State(self.state.life)
        if state.life:
            state.helped, state.hints, state.restarts = (
                self.state.helped,
                self.state.hints,
                self.state.restarts + 1,
            )
        self.replaced(state)

    def resume(self):
        if kept := self.kept[self.save]:
            number = self.rng.choice(list(kept))
            if self.run(f"resume {number}"):
                self.replaced(kept[number])

    def hint(self):
        if self.run("hint"):
            self.state.hints += 1

    def peek(self):
        result = self.machine.run("hint --peek --save", str(self.save))
        code = result.error.code if result.error else ""
        if not self.state.won and code in ("", "lost"):
            self.state.hints += 1
            self.looked(lost=code == "lost")

    def reveal(self):
        assert self.run(self.rng.choice(("show --reveal", "show --line")))
        if not self.state.won:
            self.looked()

    def looked(self, *, lost=False):
        self.state.helped = self.state.helped or "peek"
        if lost and self.state.lost is None:
            self.state.lost = self.state.done

    def finish(self):
        before = self.state.copy()
        if self.run("finish"):
            self.state.helped = "finish"
            self.acted()
            state, self.state = self.state, before
            self.replaced(state)

    def foreign(self):
        """Bring in a game of which no record is to come: one from elsewhere, or one begun in the middle."""
        way = self.rng.choice(("import", "new --deal"))
        file = self.machine.folder / "foreign"
        game = Game.of(deal_seed(self.rng.choice(SEEDS)), preset("easy"))
        game.play("draw")
        file.write_text(format_position(game.position) if way == "new --deal" else format_record(game))
        assert self.run(way, str(file))
        self.replaced(State())

    def cut(self):
        """Let nothing be recorded, as if each command were killed before it comes to that; or let it again."""
        self.cut_off = not self.cut_off
        self.machine.environ["CANFIELD_RECORDS"] = str(
            self.machine.folder / "missing" / "r.db" if self.cut_off else self.machine.path
        )

    def check(self):
        """Have the records catch up, and compare them with the count."""
        if self.cut_off:
            self.cut()
        for save in self.saves:
            if not (state := self.now[save]):
                continue
            self.machine.catch_up(save)
            state.tell("open")
            for other in self.kept[save].values():
                if other.life and other.life is state.life:
                    other.tell("open")
                elif other.life:
                    self.tell_left(other)
        wanted = {life.id: life.row for life in self.lives if life.row}
        assert self.rows() == wanted

    def tell_left(self, state):
        """By when it ended and how; what was noted afterwards counts when it is left again."""
        last = state.life.last
        outcome = "lost" if state.lost is not None else "left"
        if state.won or last is None or (state.last or 0, RANKS[outcome]) > last[:2]:
            state.tell("left")

    def rows(self):
        if not self.machine.path.exists():
            return {}
        with sqlite3.connect(self.machine.path) as database:
            rows = database.execute(
                f"SELECT id, {COLUMNS} FROM games JOIN rulesets ON key = ruleset ORDER BY n"
            ).fetchall()
        database.close()
        assert len({row[0] for row in rows}) == len(rows)
        return {row[0]: row[1:] for row in rows}


#: Deals that a few states win under the rules of the random players.
SEEDS = (1, 2, 3, 7)


@pytest.mark.parametrize("seed", range(20))
def test_each_game_of_a_random_life_is_counted_once_and_rightly(machine, seed, monkeypatch):
    monkeypatch.setattr(solving, "solve", lambda position, limits=None, stop=None: solve(position, FEW))
    player = Player_(machine, seed, monkeypatch)
    for _ in range(60):
        player.step()
    player.check()
    assert len(player.rows()) > 2
