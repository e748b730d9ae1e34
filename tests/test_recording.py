"""What playing leaves in the records, as a player sees it: each game once, whatever happens to it."""

import ctypes
import json
import os
import random
import resource
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from machine import FEW, NOON, Machine, won_actions
from play import PROGRAM, Player

from canfield_cli.commands import COMMANDS, recording, solving
from canfield_cli.commands.context import LOOKED
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position
from canfield_cli.engine.record import format_record
from canfield_cli.engine.rules import preset
from canfield_cli.solver import solve
from canfield_cli.store.save import format_save, parse_save


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# Random lives.


RANKS = {"open": 0, "left": 1, "lost": 2}
HELP = ("", "peek", "finish")
COLUMNS_OF_GAMES = "id, ended, seconds, moves, undos, redeals, restarts, hints, helped, score, outcome"
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
        told = (*state.came, HELP.index(state.helped), state.hints, RANKS[outcome], state.figures)
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
        last, restarts, _, helped, hints, rank, figures = told
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
        self.hints = self.restarts = self.done = self.undos = 0
        self.figures = ()

    @property
    def came(self):
        """What tells which state of a game came later: its instant, or else what was done and undone for it."""
        return self.last or 0, self.restarts, self.done + 2 * self.undos

    def copy(self):
        other = State()
        other.__dict__.update(self.__dict__)
        return other

    def tell(self, outcome):
        if self.life:
            self.life.tell(self, "lost" if outcome == "left" and self.lost is not None else outcome)


class Chance:
    """A player of chance, and the count of what became of his games."""

    def __init__(self, machine, seed):
        self.machine = machine
        self.rng = random.Random(seed)
        self.lives = []
        self.saves = [machine.save, machine.folder / "second.json"]
        self.now = dict.fromkeys(self.saves)
        self.kept = {save: {} for save in self.saves}
        #: Whether nothing can be recorded for a while.
        self.cut_off = False

    def step(self):
        self.save = self.rng.choices(self.saves, (5, 1))[0]
        self.state = self.now[self.save]
        # Now and then the clock is set back.
        self.machine.now += self.rng.choice((1, 1, 30, 30, 1000, 1000, -400))
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
        assert bool({*result.warnings} - {LOOKED}) <= self.cut_off
        if result.error:
            return None
        if result.game and self.save.exists():
            self.result = result
        return result

    def acted(self):
        """Count an action that was done, and the win that it may be."""
        game, state = self.result.game, self.state
        was_won = state.won
        state.last = max(self.machine.now, state.last or 0)
        state.won, state.done, state.undos = game.position.won, len(game.done), game.undos
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
        if old and old.life is state.life and state.life:
            state.helped = max(state.helped, old.helped, key=HELP.index)
        if old and old.life is not state.life and not self.cut_off:
            old.tell("left")
        self.now[self.save] = state

    def new(self):
        rules = self.rng.choice(("gilded", "modern", "casino"))
        player = self.rng.choice(("", "Ann"))
        deal = self.rng.choice(
            ("--daily", f"--seed {self.rng.choice(SEEDS)}", f"--seed {self.rng.choice(SEEDS)}")
        )
        options = ["--player", player] if player else []
        result = self.run(f"new {deal} --rules {rules}", *options)
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
        if state.won or last is None or (*state.came, RANKS[outcome]) > last[:4]:
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


#: Deals that a few states win, and one that they prove lost, under the rules of the random players.
SEEDS = (5, 53, 58)


def test_each_game_of_a_random_life_is_counted_once_and_rightly(tmp_path, monkeypatch):
    monkeypatch.setattr(solving, "solve", lambda position, limits=None, stop=None: solve(position, FEW))
    ends = set()
    for seed in range(6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        chance = Chance(Machine(folder), seed)
        for _ in range(60):
            chance.step()
        chance.check()
        ends |= {(row[0], row[2]) for row in chance.rows().values()}
    # Else it shows little.
    assert ends >= {
        ("won", ""),
        ("won", "peek"),
        ("won", "finish"),
        ("left", ""),
        ("left", "peek"),
        ("open", ""),
    }


# What counts as which end.


def test_a_game_is_recorded_with_all_its_figures_when_it_is_won(machine):
    machine.win(5, "gilded", "--player", "Ann")
    game = machine.game()
    row = machine.rows(
        "id, player, code, base, daily, begun, ended, moves, undos, hints, helped, cards_up, score, outcome"
    )
    moves = len(won_actions(5, "gilded"))
    assert row == [
        (game.tally.id, "Ann", game.code, game.position.base and row[0][3], None, NOON + 1, machine.now, moves,
         0, 0, "", 52, 255, "won")
    ]  # fmt: skip
    assert row[0][3] == deal_seed(5).cards[13][0]


def test_a_game_without_an_action_leaves_no_trace(machine):
    for _ in range(3):
        machine.do("new --rules easy")
    assert not machine.path.exists()
    machine.catch_up()
    assert machine.rows() == []


def test_a_game_whose_actions_were_all_undone_was_played_all_the_same(machine):
    """Else whoever undoes a hopeless game before he leaves it has never lost one."""
    machine.do("new --seed 7")
    machine.do("draw 3")
    machine.do("undo 3")
    machine.do("new")
    assert machine.rows("outcome, moves, undos") == [("left", 0, 3)]


def test_a_game_that_goes_on_is_open_and_left_once_another_takes_its_place(machine):
    machine.do("new --seed 7")
    machine.do("draw")
    machine.catch_up()
    assert machine.rows() == ["open"]
    machine.do("new --seed 8")
    assert machine.rows() == ["left"]


def test_a_game_that_is_begun_again_is_the_same_one_and_still_open(machine):
    machine.do("new --seed 7")
    machine.do("draw")
    machine.do("restart")
    machine.catch_up()
    assert machine.rows() == ["open"]
    machine.do("draw 2")
    machine.catch_up()
    assert machine.rows("outcome, restarts, moves") == [("open", 1, 2)]


def test_a_game_that_was_left_can_be_taken_up_again_and_won(machine):
    machine.do("new --rules easy --seed 51")
    actions = won_actions(51)
    machine.do("move", *actions[:9])
    machine.do("new")
    assert machine.rows() == ["left"]
    machine.do("resume 1")
    machine.do("move", *actions[9:])
    assert machine.rows() == ["won"]
    machine.do("new")
    assert machine.rows() == ["won"]


def test_the_first_win_stays_when_a_game_is_undone_or_begun_again_and_won_again(machine):
    machine.win(5, "gilded")
    first = machine.rows(COLUMNS_OF_GAMES)
    for back in ("undo 20", "restart"):
        machine.do(back)
        machine.do("draw")
        machine.do("undo")
        done = len(machine.game().done)
        result = machine.do("move", *won_actions(5, "gilded")[done:])
        assert result.bests == ["the records keep the first win of this game"]
        assert machine.rows(COLUMNS_OF_GAMES) == first
    machine.do("new")
    machine.catch_up()
    assert machine.rows(COLUMNS_OF_GAMES) == first


@pytest.mark.parametrize("then", ["undo", "restart", "new", "log"])
def test_a_kill_right_after_the_winning_action_loses_nothing(machine, monkeypatch, then):
    """Whatever the next command is: one that takes the win out of the save must not take it from the records."""
    with monkeypatch.context() as patch:
        patch.setattr(recording, "tell_win", lambda context, result: None)
        machine.win(5, "gilded")
    won = machine.now
    assert machine.rows() == []
    machine.do(then)
    machine.do("log")
    assert machine.rows("outcome, ended") == [("won", won)]


def test_a_clock_that_is_set_back_leaves_no_record_behind_its_game(machine):
    """Neither that of a game which is played on, nor that of one which is left by it."""
    machine.do("new --seed 1")
    machine.do("draw")
    machine.catch_up()
    machine.now -= 60
    machine.do("draw 2")
    machine.catch_up()
    assert machine.rows("outcome, moves") == [("open", 3)]
    machine.do("new --seed 2")
    machine.do("draw")
    machine.do("resume 1")
    machine.do("draw")
    machine.catch_up()
    # The other one was begun before it, by the clock.
    assert machine.rows("outcome, moves") == [("left", 1), ("open", 4)]
    machine.do("undo")
    machine.do("new --seed 3")
    assert machine.rows("outcome, moves, undos") == [("left", 1, 0), ("left", 3, 1)]


def test_the_record_follows_its_game_whatever_the_clock_shows(tmp_path):
    for seed in range(6):
        rng = random.Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        machine = Machine(folder)
        machine.do("new --seed 5")
        machine.do("draw")
        for _ in range(25):
            machine.now = NOON + rng.choice((-1e5, -60, 0, 0, 60, 1e5))
            line = rng.choice(("draw", "draw", "draw 2", "undo", "redo", "log", "new"))
            if line == "new":
                # Left for another game, and taken up again.
                machine.do("new --seed 6")
                kept = machine.run("resume").data["kept"]
                line = f"resume {kept[-1]['number']}"
            machine.run(line)
            if rng.random() < 0.3:
                machine.catch_up()
        machine.run("draw")
        game = machine.game()
        machine.catch_up()
        assert machine.rows("outcome, moves, undos") == [("open", game.moves, game.undos)]
        machine.do("new")
        assert machine.rows("outcome, moves, undos") == [("left", game.moves, game.undos)]


def test_a_daily_deal_is_late_or_not_from_its_first_beginning_on(machine):
    """Begun again on a later day it is the same game, as one that is played on is."""
    midnight = NOON + 12 * 3600
    for number, day in enumerate(("2026-11-30", "2026-12-01")):
        machine.now = NOON
        machine.do(f"new --daily {day}")
        machine.do("draw")
        machine.now = midnight + number
        machine.do("restart")
        machine.do("draw")
    machine.do("new")
    rows = machine.rows("daily, late, restarts, begun, outcome")
    assert rows == [(day, day > "2026-12", 1, NOON + 1, "left") for day in ("2026-11-30", "2026-12-01")]
    machine.do("records check")


def test_a_game_proved_lost_is_lost_once_it_is_left(machine):
    machine.do("new --rules casino --seed 4")
    machine.do("draw")
    assert machine.run("hint --peek").error.code == "lost"
    machine.catch_up()
    assert machine.rows() == ["open"]
    machine.do("new")
    assert machine.rows("outcome, helped, hints") == [("lost", "peek", 1)]


def test_an_undo_behind_the_proof_leaves_nothing_proved(machine):
    """The game could be won by another way from there, for all that is known."""
    machine.do("new --rules gilded --seed 4")
    machine.do("draw 2")
    machine.run("hint --peek")
    machine.do("undo")
    machine.do("new")
    assert machine.rows() == ["left"]


@pytest.mark.parametrize(
    "look", ["show --reveal", "show --line", "show --verdict", "hint --peek", "solve", "review"]
)
def test_who_looks_at_the_hidden_cards_had_help(machine, look):
    machine.do("new --rules gilded --seed 5")
    machine.do("draw")
    machine.do(look)
    machine.do("new")
    assert machine.rows("helped") == ["peek"]


def test_what_is_looked_at_after_the_win_was_no_help(machine):
    machine.win(5, "gilded")
    machine.do("show --reveal")
    machine.do("review")
    machine.catch_up()
    assert machine.rows("outcome, helped") == [("won", "")]


def test_hints_are_counted(machine):
    machine.do("new --rules gilded --seed 5")
    for line in ("draw", "hint", "hint --all", "hint --peek"):
        machine.do(line)
    machine.do("new")
    assert machine.rows("hints, helped") == [(3, "peek")]


def test_imported_games_and_those_from_the_middle_are_never_recorded(machine):
    actions = won_actions(5, "gilded")
    game = Game.of(deal_seed(5), preset("gilded"))
    for action in actions[:-1]:
        game.play(action)
    (machine.folder / "game.txt").write_text(format_record(game))
    machine.do("import", str(machine.folder / "game.txt"))
    machine.do("move", actions[-1])
    machine.do("restart")
    machine.do("draw")
    (machine.folder / "line").write_text(format_position(game.position))
    machine.do("new --rules gilded --deal", str(machine.folder / "line"))
    machine.do("move", actions[-1])
    machine.do("new")
    machine.catch_up()
    assert machine.rows() == []


def test_the_records_of_another_save_are_caught_up_by_the_commands_on_it(machine):
    second = machine.folder / "second.json"
    machine.do("new --seed 7 --save", str(second))
    machine.do("draw --save", str(second))
    machine.catch_up()
    assert machine.rows() == []
    machine.catch_up(second)
    assert machine.rows() == ["open"]


def test_what_was_forgotten_stays_forgotten(machine):
    """Neither catching up nor leaving the game brings it back; what is played afterwards counts."""
    machine.do("new --seed 7")
    machine.do("draw")
    machine.do("new --seed 8")
    machine.do("draw")
    machine.do("records forget --yes")
    machine.catch_up()
    assert machine.rows() == []
    machine.do("new --seed 9")
    assert machine.rows() == []
    machine.do("resume 1")
    machine.do("draw")
    machine.do("new")
    assert machine.rows() == ["left"]


@pytest.mark.parametrize("spoil", [b"", b"\xff\xfe", b"{", None], ids=["empty", "bytes", "cut", "folder"])
def test_a_broken_save_does_not_keep_the_records_from_being_read(machine, spoil):
    machine.win(5, "gilded")
    machine.do("new --seed 7")
    machine.save.unlink()
    if spoil is None:
        machine.save.mkdir()
    else:
        machine.save.write_bytes(spoil)
    machine.catch_up()
    assert machine.rows() == ["won"]


def test_a_save_with_counts_that_no_record_takes_is_left_out(machine):
    machine.win(5, "gilded")
    machine.do("new --seed 7")
    machine.do("draw")
    machine.save.write_text(machine.save.read_text().replace('"hints": 0', '"hints": 1000000000000'))
    assert machine.game().tally.hints == 10**12
    machine.catch_up()
    assert machine.rows() == ["won"]


# Two at once.


def test_a_copied_save_that_is_won_twice_is_won_once(machine):
    actions = won_actions(5, "gilded")
    machine.do("new --rules gilded --seed 5")
    machine.do("move", *actions[:-1])
    copy = machine.folder / "copy.json"
    copy.write_bytes(machine.save.read_bytes())
    machine.do("move", actions[-1])
    first = machine.now
    machine.do("move", actions[-1], "--save", str(copy))
    machine.catch_up(copy)
    assert machine.rows("outcome, ended") == [("won", first)]


def late(path, seed=5, rules="gilded", id="0123456789abcdef", **options):
    """Write a save in which one action wins; return that action."""
    *actions, last = won_actions(seed, rules, **options)
    game = Game.of(deal_seed(seed), preset(rules, **options))
    game.clock.begun = NOON
    for number, action in enumerate(actions):
        game.play(action)
        game.clock.tick(NOON + number)
    game.tally.id = id
    path.write_text(format_save(game))
    return last


@pytest.fixture
def player(tmp_path):
    """The program as a process of its own, over a game that one action wins, and with records."""
    found = Player(tmp_path)
    found.path = tmp_path / "records.db"
    found.env["CANFIELD_RECORDS"] = str(found.path)
    found.last = late(found.save)
    return found


def rows_of(path, columns="outcome"):
    with sqlite3.connect(path) as database:
        found = database.execute(f"SELECT {columns} FROM games").fetchall()
    database.close()
    return found


def start(player, *words, **env):
    return subprocess.Popen(
        [*PROGRAM, *words],
        env={**player.env, **env},
        cwd=player.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_two_processes_that_win_the_same_save_at_once_win_it_once(player):
    both = [start(player, "move", player.last) for _ in range(2)]
    told = [(each.communicate(timeout=30), each.returncode) for each in both]
    assert sorted(status for _, status in told) == [0, 1]
    assert rows_of(player.path) == [("won",)]


def test_two_sessions_that_end_games_at_the_same_moment_both_count(player, tmp_path):
    late(tmp_path / "other.json", id="fedcba9876543210")
    line = f"move {player.last}; new; draw; new"
    both = [
        start(player, "play", "-c", line, CANFIELD_SAVE=str(tmp_path / save))
        for save in ("game.json", "other.json")
    ]
    for each in both:
        assert each.communicate(timeout=30)[1] == b""
        assert each.returncode == 0
    assert sorted(rows_of(player.path)) == [("left",)] * 2 + [("won",)] * 2


# Commands that end no game know nothing of records.

#: Every command, as it is given in a game that goes on.
QUIET = [
    "show", "show --reveal", "move draw", "draw", "undo", "redo", "hint", "hint --all", "hint --peek", "moves --explain",
    "tap s", "up", "solve --seed 5", "review", "restart", "resume", "rules", "check", "export", "help", "completion bash", "schema",
    "play -c draw;undo;hint",
]  # fmt: skip
#: Those that are about records, and those that end a game: one that has an action, as the game here does.
OTHERS = {"stats", "scores", "log", "replay", "daily", "records", "new", "finish", "import"}
WATCHED = """
import sys
from canfield_cli.cli.shell import main
status = main(sys.argv[1:])
assert "sqlite3" not in sys.modules
sys.exit(status)
"""


def test_commands_that_end_no_game_open_no_records(player):
    assert {words.split()[0] for words in QUIET} | OTHERS == set(COMMANDS)
    for words in [*QUIET, "new-begins-in-an-empty-folder"]:
        Machine(player.folder).do("new --rules standard --seed 11")
        Machine(player.folder).do("draw 3")
        Machine(player.folder).do("undo")
        player.path.unlink(missing_ok=True)
        if words.startswith("new-"):
            player.save.unlink()
            words = "new --seed 7"
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, *(words.split(maxsplit=2) if words[0] == "p" else words.split())],
            env=player.env, cwd=player.folder, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert "Error" not in done.stderr, (words, done.stderr)
        assert not player.path.exists(), words


def test_a_new_game_after_one_without_an_action_opens_no_records(machine, monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    for _ in range(2):
        assert not machine.run("new").warnings
    assert machine.run("new --rules casino").warnings == [
        "SQLite can't be loaded (import of sqlite3 halted; None in sys.modules), so there are no records"
    ]


# Faults.


def lay_nothing(path):
    pass


def lay_empty(path):
    path.touch()


def lay_damage(path):
    path.write_bytes(b"SQLite format 3\0" + b"\xa5" * 5000)


def lay_text(path):
    path.write_text("what I must not forget\n" * 50)


def lay_folder(path):
    path.mkdir()


def lay_later(path):
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA application_id = 0x43414E46")
        database.execute("PRAGMA user_version = 99")
    database.close()


def lay_other(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE songs (name)")
    database.close()


LAYS = [lay_nothing, lay_empty, lay_damage, lay_text, lay_folder, lay_later, lay_other]


@pytest.mark.parametrize("lay", LAYS)
@pytest.mark.parametrize("words", ["move", "move --json"])
def test_whatever_the_records_are_the_game_is_won_with_a_sentence_at_most(player, lay, words):
    lay(player.path)
    before = player.path.read_bytes() if player.path.is_file() else None
    status, out, err = player.text(f"{words} {player.last}")
    assert status == 0
    assert parse_save(player.save.read_text()).position.won
    wrong = lay not in (lay_nothing, lay_empty)
    assert err.count("warning: ") == len(err.splitlines()) == wrong
    if "json" in words:
        answer = json.loads(out)
        assert answer["ok"] is True
        assert len(answer.get("warnings", [])) == wrong
    if lay is lay_damage:
        assert (player.folder / "records.db.broken-1").read_bytes() == before
    elif wrong and before:
        assert player.path.read_bytes() == before
        player.path.unlink()
    elif wrong:
        player.path.rmdir()
    assert player.text("log")[0] == 0
    assert rows_of(player.path) == [("won",)]


def test_the_save_is_never_taken_for_the_records(player):
    player.env["CANFIELD_RECORDS"] = str(player.save)
    before = player.save.read_bytes()
    for words in ("log", "stats", "daily", "records check", "records forget --yes"):
        status, _, err = player.text(words)
        assert (status, err.splitlines()[0][:6], player.save.read_bytes()) == (3, "error:", before)
    assert player.text("move " + player.last)[0] == 0
    assert parse_save(player.save.read_text()).position.won
    assert [each.name for each in player.folder.iterdir() if "broken" in each.name] == []


def test_records_that_another_process_holds_cost_two_seconds_and_catch_up_later(player):
    Machine(player.folder).catch_up()
    with sqlite3.connect(player.path, isolation_level=None) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        status, _, err = player.text(f"move {player.last}")
        assert time.monotonic() - begun < 2.0 + 1.5
        assert status == 0
        assert err.startswith("warning: another program is using ")
        assert len(err.splitlines()) == 1
        # What sums up an account and records a game asks but once.
        begun = time.monotonic()
        status, _, err = player.text("new --rules casino")
        assert time.monotonic() - begun < 2.0 + 1.5
        assert (status, err.count("warning: ")) == (0, 1)
        holder.execute("ROLLBACK")
    holder.close()
    assert player.text("log")[0] == 0
    assert rows_of(player.path) == [("won",)]


def fill_disk():
    """Let no file grow beyond what a save needs."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))


#: prctl(PR_CAPBSET_DROP) of Linux, and the two powers of root to pass over permissions.
DROP, POWERS = 24, (1, 2)


def become_powerless():
    """Let root be refused like anybody else."""
    libc = ctypes.CDLL(None)
    if os.geteuid() == 0 and any(libc.prctl(DROP, power, 0, 0, 0) for power in POWERS):
        raise OSError


def forbid_file(player):
    Machine(player.folder).catch_up()
    player.path.chmod(0o400)
    return player.path


def forbid_folder(player):
    folder = player.folder / "theirs"
    folder.mkdir(0o500)
    player.env["CANFIELD_RECORDS"] = str(folder / "records.db")
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can take the powers of root")
@pytest.mark.parametrize("forbid", [forbid_file, forbid_folder])
def test_records_that_may_not_be_written_stop_no_game(player, forbid):
    forbidden = forbid(player)
    done = player.run(f"move {player.last}", preexec_fn=become_powerless)
    assert done.returncode == 0
    assert done.stderr.startswith(b"warning: ")
    assert done.stderr.count(b"\n") == 1
    assert parse_save(player.save.read_text()).position.won
    forbidden.chmod(0o700)
    assert player.text("log")[0] == 0
    assert rows_of(player.env["CANFIELD_RECORDS"]) == [("won",)]


def test_a_full_disk_stops_no_game(player):
    done = player.run(f"move {player.last}", preexec_fn=fill_disk)
    assert done.returncode == 0
    assert done.stderr.startswith(b"warning: ")
    assert done.stderr.count(b"\n") == 1
    assert parse_save(player.save.read_text()).position.won
    assert player.text("log")[0] == 0
    assert rows_of(player.path) == [("won",)]


@pytest.mark.parametrize("off", ["off", "", None], ids=["off", "empty", "homeless"])
def test_without_records_nothing_is_said_and_nothing_written(player, off):
    if off is None:
        del player.env["CANFIELD_RECORDS"], player.env["HOME"]
    else:
        player.env["CANFIELD_RECORDS"] = off
    assert player.text(f"move {player.last}")[::2] == (0, "")
    assert player.text("new")[::2] == (0, "")
    assert sorted(each.name for each in player.folder.iterdir() if "json" not in each.name) == []


def test_records_are_private_and_in_the_data_folder_unless_told(player):
    del player.env["CANFIELD_RECORDS"]
    assert player.text(f"move {player.last}")[::2] == (0, "")
    path = player.folder / ".local" / "share" / "canfield" / "records.db"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert rows_of(path) == [("won",)]


def test_a_python_without_sqlite_plays_on(machine, monkeypatch):
    last = late(machine.save)
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    result = machine.run(f"move {last}")
    assert machine.game().position.won
    assert result.warnings == [
        "SQLite can't be loaded (import of sqlite3 halted; None in sys.modules), so there are no records"
    ]
    assert machine.run("log").error.message.startswith("SQLite can't be loaded")


def test_a_session_killed_after_a_win_has_it(player):
    """A script writes its game now and then only; a win at once."""
    session = player.begin("--json")
    session.stdin.write(player.last.encode() + b"\n")
    session.stdout.readline()
    session.kill()
    session.wait(10)
    for pipe in (session.stdin, session.stdout, session.stderr):
        pipe.close()
    assert parse_save(player.save.read_text()).position.won
    assert player.text("log")[0] == 0
    assert rows_of(player.path) == [("won",)]


# The banner.


def by_moves(*seeds):
    """Seeds of deals won under `gilded`, the shortest win first."""
    return sorted(seeds, key=lambda seed: len(won_actions(seed, "gilded")))


def test_a_first_win_says_so_a_better_one_what_it_beat_a_worse_one_what_it_takes(machine):
    moves = {seed: len(won_actions(seed, "gilded")) for seed in (5, 53, 29)}
    better, first, worse = by_moves(5, 53, 29)
    assert moves[better] < moves[first] < moves[worse]
    assert machine.win(first, "gilded", wait=100.0).bests == ["the first recorded win under these rules"]
    assert machine.win(better, "gilded", wait=9.0).bests == [
        f"a new best: {moves[better]} moves ({moves[first]} before), 9 seconds (100 before)"
    ]
    assert machine.win(worse, "gilded", wait=99.0).bests == [
        f"it takes {moves[worse] - moves[better] + 1} fewer moves, 91 fewer seconds to beat your best"
    ]


def test_a_win_that_is_as_good_as_the_best_says_that(machine):
    for _ in range(2):
        last = machine.win(53, "gilded", wait=9.0)
    assert last.bests == ["as good as your best"]


def test_under_a_time_bonus_the_score_falls_with_the_seconds(machine):
    scores = []
    for wait in (10.0, 40.0):
        machine.win(53, "classic", wait=wait)
        scores.append(machine.game().score)
    assert scores == [5 * 52 + 500 + 1190, 5 * 52 + 500 + 1160]
    assert machine.run("show").game.score == scores[1]


def test_a_worse_win_says_how_many_points_it_takes(machine):
    machine.win(53, "classic", wait=10.0)
    assert machine.win(53, "classic", wait=40.0).bests == [
        "it takes 31 more points, 31 fewer seconds to beat your best"
    ]


def test_where_there_are_no_points_none_are_told(machine):
    machine.win(53, "modern")
    told = machine.win(51, "modern").bests
    assert told
    assert "point" not in "".join(told)


def test_a_win_with_help_is_compared_with_nothing(machine):
    better, worse = by_moves(5, 53)
    machine.win(worse, "gilded")
    machine.do(f"new --rules gilded --seed {better}")
    machine.do("move", won_actions(better, "gilded")[0])
    result = machine.do("finish")
    assert result.bests == ()
    assert machine.rows("outcome, helped")[1] == ("won", "finish")
    # And nothing with it.
    assert machine.win(better, "gilded").bests[0].startswith("a new best: ")


@pytest.mark.parametrize("change", ["--player", "--undo-limit"])
def test_other_players_and_other_rules_are_compared_with_nothing(machine, change):
    machine.win(5, "gilded")
    value = "Ann" if change == "--player" else "7"
    assert machine.win(5, "gilded", change, value).bests == ["the first recorded win under these rules"]


def test_the_banner_is_told_and_in_json(player):
    status, out, _ = player.text(f"move {player.last}")
    assert (status, out.splitlines()[-1]) == (0, "the first recorded win under these rules")
    player.last = late(player.save, id="fedcba9876543210")
    answer = json.loads(player.text(f"move {player.last} --json")[1])
    moves = len(won_actions(5, "gilded"))
    assert answer["best"] == {"score": 255, "moves": moves, "seconds": answer["best"]["seconds"], "wins": 1}


# The casino's account.


def account(machine, words="show"):
    from canfield_cli.render.answer import envelope

    return envelope(machine.do(words)).get("account")


def test_the_account_of_three_games_in_a_row(machine):
    """A pack costs 50, a card up pays 5, the base card too, and all 52 pay 500."""
    machine.do("new --rules casino --seed 4")
    assert account(machine) == {"game": -45, "evening": -45, "all": -45, "return": 10.0}
    machine.do("draw")
    machine.do("new --rules casino --seed 5")
    # That game paid 5 of 50; with this one it is 10 of 100.
    assert account(machine) == {"game": -45, "evening": -90, "all": -90, "return": 10.0}
    machine.do("move", *won_actions(5, "casino"))
    assert account(machine) == {"game": 450, "evening": 405, "all": 405, "return": 505.0}
    machine.do("new --rules casino --seed 58")
    assert account(machine) == {"game": -45, "evening": 360, "all": 360, "return": 340.0}


def test_a_pack_that_was_not_played_with_is_not_paid_for(machine):
    machine.do("new --rules casino --seed 4")
    machine.do("new --rules casino --seed 5")
    assert account(machine)["all"] == -45


def test_six_hours_of_pause_begin_a_new_evening(machine):
    machine.do("new --rules casino --seed 4")
    machine.do("draw")
    machine.now += 6 * 3600
    machine.do("new --rules casino --seed 58")
    assert account(machine) == {"game": -45, "evening": -45, "all": -90, "return": 10.0}
    machine.do("draw")
    machine.now += 6 * 3600 - 60
    machine.do("new --rules casino --seed 58")
    assert account(machine) == {"game": -45, "evening": -90, "all": -135, "return": 10.0}


@pytest.mark.parametrize("again", ["restart", "draw"])
def test_a_game_of_the_day_before_that_is_gone_on_with_brings_no_evening_back(machine, again):
    for seed in (4, 5):
        machine.do(f"new --rules casino --seed {seed}")
        machine.do("draw")
    machine.now += 24 * 3600
    machine.do(again)
    machine.do("draw")
    machine.do("new --rules casino --seed 58")
    # With its own pack: two of this evening, three in all.
    assert account(machine) == {"game": -45, "evening": -90, "all": -135, "return": 10.0}


def test_each_player_has_an_account_of_his_own_and_other_games_cost_nothing(machine):
    machine.do("new --rules casino --seed 4")
    machine.do("draw")
    machine.do("new --rules gilded --seed 4")
    machine.do("draw")
    machine.do("new --rules casino --seed 4 --player Ann")
    assert account(machine)["all"] == -45
    machine.do("draw")
    machine.do("new --rules casino --seed 4")
    assert account(machine)["all"] == -90
    machine.do("new --rules gilded --seed 4")
    assert account(machine) is None


def test_both_houses_keep_one_account(machine):
    """BSD's prices: 13 for the cards, 13 for the first action, 26 for the first draw."""
    machine.do("new --rules bsd --seed 4")
    machine.do("draw")
    assert account(machine)["game"] == -52 + 5
    machine.do("new --rules casino --seed 4")
    # Ten of 102 are 9.8 percent.
    assert account(machine) == {"game": -45, "evening": -92, "all": -92, "return": 9.8}


def test_a_game_that_is_taken_up_again_or_begun_again_counts_once_in_its_account(machine):
    machine.do("new --rules casino --seed 4")
    machine.do("draw")
    machine.do("new --rules casino --seed 5")
    machine.do("draw")
    machine.do("resume 1")
    assert account(machine)["all"] == -90
    machine.do("restart")
    assert account(machine)["all"] == -90
    machine.do("draw")
    machine.do("new --rules casino --seed 58")
    assert account(machine)["all"] == -135


def test_the_account_stands_on_the_board_in_sentences_and_in_json(player):
    assert player.text("new --rules casino --seed 4")[0] == 0
    shown = player.text("show --ascii")[1]
    for words in ("this evening -$45", "in all -$45", "return 10 %"):
        assert words in shown
    spoken = player.text("show --plain")[1]
    for words in ("this evening minus 45 dollars", "in all minus 45 dollars", "10 percent returned"):
        assert words in spoken
    assert json.loads(player.text("show --json")[1])["account"]["evening"] == -45


def test_a_game_in_a_stream_has_no_account(player):
    save = player.text("new --rules casino --seed 4 --save -")[1]
    assert "account" not in json.loads(player.text("show --json --save -", save)[1])
    assert player.text("draw --save -", save)[0] == 0
    assert not player.path.exists()


def test_a_game_begun_while_records_are_off_never_gets_into_them(tmp_path):
    off = Machine(tmp_path, CANFIELD_RECORDS="Off")
    off.do("new --seed 3")
    off.do("draw")
    on = Machine(tmp_path)
    on.do("draw")
    on.do("new --seed 4")
    assert on.do("log").data["games"] == []
