"""Hostile input: for each reader what is sound, and what must hold whatever comes in.

A `Target` is one reader. `make` gives an input that it takes, `spoil` breaks one (spoiling.py), by its grammar as often as
by its letters, and `attempt` has it read. Either an error of the program's own tree comes out, in a sentence that a
terminal can show, or a value that is what its printer prints. What takes long to load is loaded where it is needed.
"""

import contextlib
import copy
import functools
import io
import json
import os
import random
import re
import shutil
import sqlite3
import sys

from spoiling import ODD, odd_value, spoil_json, spoil_text

from canfield_cli import store
from canfield_cli.cli.report import report
from canfield_cli.cli.script import run_protocol
from canfield_cli.cli.session import Leave, Session, split
from canfield_cli.cli.shell import main
from canfield_cli.commands import COMMANDS, place, positions, solving
from canfield_cli.commands.context import execute
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.commands.settings import SETTINGS, Settings, kept_settings
from canfield_cli.commands.table import parse
from canfield_cli.engine.cards import PACK, RANKS
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import SEEDS, Deal, deal_daily, deal_seed
from canfield_cli.engine.dealcode import ALPHABET, format_code, parse_code
from canfield_cli.engine.dealtext import parse_deal
from canfield_cli.engine.errors import CanfieldError, NotationError, SaveError, UsageError
from canfield_cli.engine.game import Game
from canfield_cli.engine.jsontext import JsonFault, read_json, write_json
from canfield_cli.engine.notation import (
    format_action,
    format_position,
    parse_action,
    parse_actions,
    parse_pile,
    parse_position,
    parse_token,
)
from canfield_cli.engine.record import TAGS, format_record, parse_record
from canfield_cli.engine.rules import OPTIONS, PRESETS, preset
from canfield_cli.engine.state import format_state
from canfield_cli.engine.tally import HELPED, Tally, parse_player
from canfield_cli.solver import Limits, solve
from canfield_cli.store.config import read_config
from canfield_cli.store.entry import COLUMNS, OUTCOMES, Entry
from canfield_cli.store.records import open_records
from canfield_cli.store.recordscsv import FIELDS, format_csv, parse_csv
from canfield_cli.store.save import format_save, parse_save

#: A Monday noon in UTC, 2026-11-30.
NOON = 1796040000.0


def assert_printable(text, but=""):
    """Hold what goes to a terminal to letters that it shows; those of `but` may stand in it too."""
    odd = {letter for letter in set(text).difference(but) if not letter.isprintable()}
    assert not odd, f"{sorted(odd)!r} in {text[:500]!r}"


def assert_harmless(error):
    """Hold a refusal to its form: a sentence and a hint on one line each, and not pages of them."""
    for text in (str(error), error.hint):
        assert_printable(text)
        assert len(text) < 4000, f"{len(text)} letters"
    assert str(error)
    # What a program is told is JSON, and that is ASCII.
    write_json(error.data)


# Sound games, from which all else is made.


def sound_rules(rng):
    rules = preset(rng.choice(list(PRESETS)))
    if rng.random() < 0.3:
        option = rng.choice(list(OPTIONS.values()))
        words = [*option.values, *(["0", "2", "7"] if option.number else [])]
        rules = rules.replace(**{option.name: rng.choice(words)})
    return rules


def sound_game(rng, most=40):
    """A game of any rules, from a seed, a pack or a position, at any point of it."""
    rules = sound_rules(rng)
    pack = list(PACK)
    rng.shuffle(pack)
    game = Game.of(rng.choice((Deal(pack), deal_seed(rng.randrange(SEEDS)))), rules)
    game.clock = Clock(NOON - rng.randrange(10**6))
    _play(rng, game, rng.randrange(most))
    if rng.random() < 0.2:
        game = Game(game.position)
        _play(rng, game, rng.randrange(9))
    game.tally = Tally(
        f"{rng.getrandbits(64):016x}",
        rng.choice(("", "Ann", "Łukasz")),
        rng.choice((None, "2026-11-30")),
        rng.randrange(3),
        rng.randrange(3),
        rng.choice(HELPED),
        rng.choice((None, len(game.done))),
        rng.choice((None, (-50, 0, 50))),
    )
    return game


def _play(rng, game, steps):
    now = game.clock.begun
    for _ in range(steps):
        now += rng.choice((0.25, 3.5, 1000))
        legal = game.position.legal()
        if game.undoable and rng.random() < 0.15:
            game.undo(rng.randint(1, min(3, game.undoable)))
        elif game.undone and rng.random() < 0.5:
            game.redo()
        elif legal:
            game.play(rng.choice(legal))
        else:
            break
        game.clock.tick(now)


def sound_entry(rng):
    """What is recorded of a game."""
    rules = sound_rules(rng)
    day = rng.choice((None, None, "2026-11-30", "2026-11-29"))
    game = Game.of(deal_daily(day, rules.preset) if day else deal_seed(rng.randrange(SEEDS)), rules)
    game.clock = Clock(NOON - rng.randrange(10**6))
    game.tally = Tally(f"{rng.getrandbits(64):016x}", rng.choice(("", "Ann")), day, helped=rng.choice(HELPED))
    for _ in range(rng.randrange(1, 30)):
        if legal := game.position.legal():
            game.play(rng.choice(legal))
            game.clock.tick(game.clock.begun + len(game.done))
    return Entry.of(game, rng.choice(OUTCOMES[:3]))


def facts(game):
    """Everything that there is to a game."""
    return (
        game.start, game.deal, game.rules, game.position, game.done, game.undone, game.points, game.moves, game.undos,
        game.floor, game.clock.begun, game.clock.last, game.clock.seconds,
        [getattr(game.tally, name) for name in Tally.__slots__],
    )  # fmt: skip


def assert_kept(game):
    """A game that was taken can be written and is the same when it is read."""
    assert not game.position.faults()
    text = format_save(game)
    again = parse_save(text)
    assert facts(again) == facts(game)
    assert format_save(again) == text


CARDS = (*PACK, *(card.upper() for card in PACK[:13]), "10h", "Q♣", "1s", "??", "Zz", "2c3d", "-")
ACTIONS = ("draw", "redeal", "wf", "rf", "w1", "r2", "1f", "12x1", "24x3", "fh2", "f1", "w", "9h-Ts", "Qd-f", "Kd-2",
           "column", "waste", "to", "hearts foundation", "12x", "x", "1x99", "sw", "ws", "ff", "11x1", "s", "r", "t2",
           "foundation-h", "10h-2")  # fmt: skip
RULE_WORDS = tuple(word for option in OPTIONS.values() for word in (option.name, *option.values))
WORDS = (*CARDS, *ACTIONS, *RULE_WORDS, *PRESETS, *RANKS)


# The readers.


class Target:
    """One reader, with a `folder` of its own for what it writes.

    `words` are what it knows, `limit` how many bytes the reader of its file lets through.
    """

    words = WORDS
    limit = 2**20
    #: It is text of a file: no half of a surrogate pair gets into it.
    is_file = True

    def __init__(self, folder):
        self.folder = folder

    @property
    def name(self):
        return self.__class__.__name__.lower()

    def make(self, rng):
        """Return a sound input."""
        raise NotImplementedError

    def spoil(self, rng, text, other):
        """Return `text` with something changed."""
        return spoil_text(rng, text, other, self.words)

    def read(self, text):
        """Have `text` read; raise CanfieldError where it is refused, AssertionError where something does not hold."""
        raise NotImplementedError

    def fitted(self, text):
        """Return as much of `text` as can come to this reader."""
        if self.is_file:
            text = text.encode("utf-8", "replace").decode()
        return text[: self.limit]

    def attempt(self, text):
        """Have `text` read, whatever it is; whether it was taken."""
        try:
            self.read(self.fitted(text))
        except CanfieldError as error:
            assert_harmless(error)
            return False
        return True


class Save(Target):
    def make(self, rng):
        return format_save(sound_game(rng))

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_json, spoil_text))(rng, text, other, self.words)

    def read(self, text):
        assert_kept(parse_save(text))


class _Deals(Target):
    """What `new --deal` reads."""

    RULES = preset()

    def __init__(self, folder):
        super().__init__(folder)
        self.kept = set()

    def read(self, text):
        read = parse_deal(text, self.RULES)
        if isinstance(read, Deal):
            assert sorted(read.cards) == sorted(PACK)
            assert parse_deal(" ".join(read.cards), self.RULES) == read
            self._keep(Game.of(read, self.RULES))
        else:
            assert parse_deal(format_position(read), self.RULES) == read
            self._keep(Game(read))

    def _keep(self, game):
        """Have `game` kept, unless it began like one that was: most of what is taken does."""
        start = format_position(game.start), game.deal and game.deal.seed
        if start not in self.kept:
            if len(self.kept) > 10_000:
                self.kept.clear()
            self.kept.add(start)
            assert_kept(game)


class State(_Deals):
    """States, in their envelopes and bare, and saves as deals."""

    words = (
        *WORDS,
        "format",
        "canfield-state",
        "canfield-save",
        "state",
        "deal",
        "position",
        "seed",
        "cards",
        "count",
    )

    def make(self, rng):
        game = sound_game(rng)
        state = format_state(game, reveal=rng.random() < 0.9)
        return rng.choice((json.dumps(state), json.dumps({"ok": True, "state": state}), format_save(game)))

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_json, spoil_text))(rng, text, other, self.words)


class Cards(_Deals):
    """Deals as 52 cards, in text and in JSON."""

    words = (*CARDS, "#", ",", ";", "\n", "[", "]", '"', "\ufe0f")

    def make(self, rng):
        pack = list(PACK)
        rng.shuffle(pack)
        return rng.choice(
            (" ".join(pack), "\n".join(pack), "".join(pack), json.dumps(pack), f"# a deal\n{','.join(pack)}")
        )


class Solvitaire(_Deals):
    words = (
        *CARDS,
        "1S",
        "11H",
        "12c",
        "13D",
        "14H",
        "tableau piles",
        "foundations",
        "reserve",
        "stock",
        "waste",
    )

    def make(self, rng):
        position = sound_game(rng).position
        deal = {
            "foundations": [position.foundation(suit) for suit in range(4)],
            "tableau piles": position.columns,
            "reserve": position.reserve,
            "stock": position.stock,
            "waste": position.waste,
        }
        return json.dumps(deal)

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_json, spoil_text))(rng, text, other, self.words)


class Line(_Deals):
    """Position lines."""

    words = (*CARDS, *RANKS, "/", "-", "----", "0", "1000000", "10")

    def make(self, rng):
        return format_position(sound_game(rng).position)

    def read(self, text):
        with contextlib.suppress(NotationError):
            position = parse_position(text, self.RULES)
            assert parse_position(format_position(position), self.RULES) == position
            # Nobody asks for those of far too many cards.
            for fault in position.faults() if len(text) < 10_000 else ():
                assert_printable(fault)
        super().read(text)


class Code(Target):
    words = (*ALPHABET, "CAN", "D3", "D1", "CF1", "-", "\u2013", " ", "O", "I", "can-")
    is_file = False

    def make(self, rng):
        pack = list(PACK)
        rng.shuffle(pack)
        return format_code(rng.choice((Deal(pack), deal_seed(rng.randrange(SEEDS)))), rng.choice((1, 3)))

    def read(self, text):
        deal, draw = parse_code(text)
        canonical = format_code(deal, draw)
        assert parse_code(canonical) == (deal, draw)
        bare = "".join(c for c in text if not c.isspace() and c not in "-\u2010\u2011\u2013\u2014")
        assert canonical.replace("-", "") == bare.upper()
        assert bare.isascii()


class Notation(Target):
    """Piles, tokens and actions, alone and many after each other, against positions of every kind."""

    is_file = False
    words = (*CARDS, *ACTIONS, " ", "-", "x")

    def __init__(self, folder):
        super().__init__(folder)
        rng = random.Random(1)
        self.positions = [sound_game(rng, 60).position for _ in range(8)]

    def make(self, rng):
        position = rng.choice(self.positions)
        legal = position.legal()
        if not legal:
            return "draw"
        action = rng.choice(legal)
        return rng.choice((action, format_action(action, position), f"{action} {rng.choice(ACTIONS)}"))

    def read(self, text):
        position = self.positions[len(text) % len(self.positions)]
        readings = (self._pile, self._token, self._action, self._actions)
        refusals = []
        for reading in readings:
            try:
                reading(text, position)
            except CanfieldError as error:
                assert_harmless(error)
                refusals.append(error)
        if len(refusals) == len(readings):
            raise refusals[-1]

    def _pile(self, text, _):
        pile = parse_pile(text)
        assert parse_pile(pile) == pile

    def _token(self, text, _):
        assert parse_token(text) == text

    def _action(self, text, position):
        action = parse_action(text, position)
        # A count or a foundation that is left open is all that a position adds; then the token is whole.
        assert parse_token(action) == action
        if action in position.legal():
            assert parse_action(format_action(action, position), position) == action

    def _actions(self, text, position):
        for action in parse_actions(text.split(), position):
            position, _ = position.apply(action)
            assert not position.faults()


class Record(Target):
    words = (*WORDS, *TAGS, "won", "stuck", "open", "[", "]", '"', ";", "{", "1.", "2.", "\n", "2026-11-30T07:46:07Z",
             '\n[Floor "3"]\n', '\n[Seconds "1e300"]\n')  # fmt: skip

    def make(self, rng):
        return format_record(sound_game(rng))

    def spoil(self, rng, text, other):
        values = [found.span(1) for found in re.finditer(r'"([^"\n]*)"', text[:20_000])]
        if not values or rng.random() < 0.6:
            return spoil_text(rng, text, other, self.words)
        start, end = rng.choice(values)
        value = rng.choice(
            (str(10 ** rng.randrange(16)), rng.choice(self.words), rng.choice(ODD), text[start:end] + "0")
        )
        return text[:start] + value + text[end:]

    def read(self, text):
        game = parse_record(text)
        again = parse_record(format_record(game))
        assert facts(again) == facts(game)
        assert_printable(format_record(game), "\n")
        assert_kept(game)


class Scanner(Target):
    """JSON, against `json` itself as the judge."""

    words = ('"a"', "1", "-1.5e3", "true", "null", "{", "}", "[", "]", ":", ",", '"\\ud800"', '"\\u0000"', "\\", "1e400",
             '{"a":1,"a":2}', "[[[[", "1" * 30)  # fmt: skip

    def make(self, rng):
        if rng.random() < 0.3:
            return format_save(sound_game(rng, 5))
        return json.dumps(odd_value(rng, '[1, {"a": [null]}]', self.words))

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_text))(rng, text, other, self.words)

    def read(self, text):
        try:
            value = read_json(text)
        except JsonFault as fault:
            refused = SaveError(f"the text {fault}{fault.place(text)}", "mend it")
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(text, object_pairs_hook=self._once, parse_int=self._short,
                                   parse_float=self._finite, parse_constant=self._none)  # fmt: skip
                if self._depth(value) <= 100:
                    raise AssertionError("json takes what was refused") from fault
            raise refused from fault
        assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(value, sort_keys=True)
        assert write_json(value).isascii()
        assert json.dumps(read_json(write_json(value))) == json.dumps(value)

    def _depth(self, value):
        if not isinstance(value, dict | list):
            return 0
        return 1 + max(map(self._depth, value.values() if isinstance(value, dict) else value), default=0)

    @staticmethod
    def _once(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    @staticmethod
    def _short(text):
        if len(text.lstrip("-")) > 15:
            raise ValueError
        return int(text)

    @staticmethod
    def _finite(text):
        if abs(float(text)) == float("inf"):
            raise ValueError
        return float(text)

    @staticmethod
    def _none(text):
        raise ValueError(text)


# Lines and words, over a game in a folder.


def _quick_solve(position, limits=None, **how):
    """The solver, at the end of its patience after a few states: what it finds is not what is asked here."""
    del limits
    return solve(position, Limits(states=30), **how)


def _known_save(text):
    """Return a reader of saves that need not read `text`: each command begins with that, and Save reads enough."""
    known = parse_save(text)

    def read(said):
        if said != text:
            return parse_save(said)
        game = copy.copy(known)
        for name in ("_done", "_undone", "clock", "tally"):
            setattr(game, name, copy.copy(getattr(known, name)))
        return game

    return read


class _OverGame(Target):
    """A reader of words that act on a game, which is put back before each input."""

    is_file = False
    limit = 2**16 + 10
    words = (
        *COMMANDS, *ACTIONS, *PRESETS, *SETTINGS, *RULE_WORDS, "set", "select", "quit", "?", "u", "r", ";", "'", '"', "#",
        *(name for command in COMMANDS.values() for name in command.names),
        "--seed=7", "--code", "CAN-D3-2222-2229-J", "--deal", "deal.txt", "game.json", "record.txt", "import record.txt",
        "check game.json", "nowhere", "--daily", "2026-11-30", "--max-states", "1", "yes", "no", "--player=Ann", "records",
        "path", "export", "--yes", "-", "--help", "--save", "other.json", "play", "-c",
    )  # fmt: skip

    def __init__(self, folder):
        super().__init__(folder)
        solving.solve = positions.solve = _quick_solve
        solving.TRIES = 3
        rng = random.Random(2)
        game = Game.of(deal_seed(7), preset())
        game.clock, game.tally = Clock(NOON), Tally("0123456789abcdef")
        _play(rng, game, 12)
        self.files = {
            "game.json": format_save(game).encode(),
            "record.txt": format_record(game).encode(),
            "deal.txt": " ".join(deal_seed(8).cards).encode(),
        }
        place.parse_save = store.save.parse_save = _known_save(format_save(game))
        self.save = os.path.join(folder, "game.json")
        self.before = {}
        self.environ = {
            "HOME": folder,
            "CANFIELD_SAVE": self.save,
            "CANFIELD_RECORDS": "off",
            "LANG": "C.UTF-8",
        }

    def fitted(self, text):
        # Nobody is to write outside of the folder who was told to.
        return text[: self.limit].replace("/", "_").replace("--jobs", "--job")

    def _stamps(self):
        """Return what tells each file of the folder from any that takes its place."""
        with os.scandir(self.folder) as found:
            stats = [(entry.name, entry.stat(follow_symlinks=False)) for entry in found]
        return {name: (stat.st_ino, stat.st_mtime_ns, stat.st_size) for name, stat in stats}

    def restore(self):
        """Put back the files that have changed, and take away those that have come."""
        if (now := self._stamps()) != self.before or not now:
            for name in now:
                if now[name] != self.before.get(name):
                    _remove(os.path.join(self.folder, name))
            for name in self.files:
                if name not in now or now[name] != self.before.get(name):
                    with open(os.path.join(self.folder, name), "wb") as file:
                        file.write(self.files[name])
            self.before = self._stamps()

    def environment(self):
        return Environment(io.StringIO(), io.StringIO(), io.StringIO(), self.environ, lambda: NOON, bytes)

    def make(self, rng):
        command = rng.choice(list(COMMANDS.values()))
        line = rng.choice(
            (command.example.removeprefix("canfield "), command.name, rng.choice(ACTIONS), "set ascii yes")
        )
        if rng.random() < 0.5:
            line += " " + rng.choice(command.options).name
        return line


def _remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


class Typed(_OverGame):
    """Lines of the REPL and of scripts."""

    #: So many commands of a line are run: it takes as many times as long as one.
    MOST = 400

    def read(self, text):
        self.restore()
        env = self.environment()
        held = HeldPlace(self.save, self.environ)
        session = Session(env, held)
        refusal = None
        try:
            # As scripts do; an empty line shows the board.
            for words in [words for words in split(text) if words][: self.MOST] or [[]]:
                before = self._state(held)
                result, values = session.run(words)
                report(result, env, values)
                if result.error:
                    assert_harmless(result.error)
                    assert self._state(held) == before
                    refusal = result.error
        except Leave:
            pass
        finally:
            session.write()
        assert session.trouble is None
        for stream in (env.stdout, env.stderr):
            assert_printable(stream.getvalue(), "\n")
        if refusal:
            raise refusal

    @staticmethod
    def _state(held):
        game = held.load()
        return game.position, game.done, game.undone, game.moves


class Protocol(_OverGame):
    """Lines of the JSON protocol; several, as a program sends them."""

    words = (*_OverGame.words, "\n", "17 draw", "0", "999999999999999", "1 ")

    def make(self, rng):
        return "\n".join(
            f"{number} {super(Protocol, self).make(rng)}" for number in range(rng.choice((1, 1, 2)))
        )

    def read(self, text):
        self.restore()
        env = self.environment()
        session = Session(env, HeldPlace(self.save, self.environ))
        lines = text.split("\n")[:8]
        assert run_protocol(session, lines, env) == 0
        answers = env.stdout.getvalue().split("\n")
        assert answers.pop() == ""
        assert len(answers) <= len(lines)
        for number, answer in enumerate(answers, 1):
            assert_printable(answer)
            assert answer.isascii()
            told = json.loads(answer)
            assert told["line"] == number
            assert type(told["ok"]) is bool
            assert told["ok"] or (told["error"]["code"] and told["error"]["message"])
        assert env.stderr.getvalue() == "", env.stderr.getvalue()


def _quick_build():
    """Return what stands in for app.build, whose work takes longer than all that Typer does then."""
    from typer.main import get_command

    from canfield_cli.cli.app import build

    @functools.cache
    def built(only):
        runs = []
        return get_command(build(lambda command, values: runs[0](command, values), only)), runs

    def quick(run, only):
        program, runs = built(only if only in COMMANDS else "")
        runs[:] = [run]
        return program

    return quick


class Shell(_OverGame):
    """Command lines, with what the table's parser takes as Typer takes it too."""

    def __init__(self, folder):
        super().__init__(folder)
        from canfield_cli.cli import app

        self.build = app.build = _quick_build()

    def spoil(self, rng, text, other):
        # A word that is no command hides all that comes after it.
        command, _, rest = text.partition(" ")
        if rng.random() < 0.5:
            return super().spoil(rng, text, other)
        return f"{command} {super().spoil(rng, rest, other)}"

    def fitted(self, text):
        # No argument of a program holds a NUL.
        return super().fitted(text).replace("\x00", "0")

    def read(self, text):
        try:
            words = [word for command in split(text) for word in command]
        except UsageError:
            words = text.split()
        self.restore()
        self._compare(words)
        run_main(words, self.environ)

    def _compare(self, words):
        # Whatever else comes first is refused by both.
        if not words or words[0] not in COMMANDS or len(words) > 50:
            return
        try:
            command, values = parse(COMMANDS, words)
        except CanfieldError as error:
            assert_harmless(error)
            return
        read = []
        program = self.build(lambda command, values: read.append((command.name, values)) or 0, words[0])
        try:
            program(list(words), prog_name="canfield", standalone_mode=False)
        except Exception as error:
            raise AssertionError(f"Typer refuses {words!r}: {error}") from error
        assert read == [(command.name, values)]


def run_main(words, environ):
    """Run the program with `words` and hold its output to what a terminal may show; return the exit status."""
    out, err = io.StringIO(), io.StringIO()
    if os.environ != environ:
        os.environ.clear()
        os.environ.update(environ)
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
    finally:
        sys.stdin = stdin
    assert status in range(6), status
    assert "Traceback" not in err.getvalue()
    if (
        environ.get("FORCE_COLOR", "0") in ("", "0")
        and "always" not in words
        and "--color=always" not in words
    ):
        assert_printable(out.getvalue(), "\n")
    assert_printable(err.getvalue().replace("\x1b[", ""), "\n")
    return status


class Variables(_OverGame):
    """Environment variables, a NAME=value on each line, under the commands that look at them."""

    NAMES = ("CANFIELD_SAVE", "CANFIELD_RECORDS", "CANFIELD_PLAYER", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
             "XDG_STATE_HOME", "COLUMNS", "LINES", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "FORCE_COLOR", "TERM", "TZ")  # fmt: skip
    words = (*NAMES, "=", "\n", "off", "game.json", "~", "80", "20", "0", "-1", "C", "tr_TR.UTF-8", "dumb", "xterm", "Ann",
             "@data", "@game.json", "@", "1" * 10)  # fmt: skip
    #: The system gives a variable 128 KB at most, with its name.
    LONGEST = 2**17 - 32
    #: What opens the records takes five times as long as what does not.
    COMMANDS = (
        *[["show"]] * 4,
        *[["draw"]] * 2,
        ["new", "--seed", "7"],
        ["stats"],
        ["log"],
        ["play", "-c", "draw;set ascii yes --keep"],
    )

    def __init__(self, folder):
        super().__init__(folder)
        self.records = os.path.join(folder, "records.db")
        with open_records(self.records) as records:
            records.put_all([sound_entry(random.Random(3))])
        with open(self.records, "rb") as file:
            self.files["records.db"] = file.read()

    def make(self, rng):
        names = rng.sample(self.NAMES, rng.randrange(1, 5))
        return "\n".join(f"{name}={rng.choice(self.words)}" for name in names)

    def fitted(self, text):
        # A path begins with the folder or is relative to it; an @ stands for it.
        return text[: self.limit].replace("\x00", "0").replace("..", "__").replace("/", "@")

    def read(self, text):
        self.restore()
        environ = {"HOME": self.folder, "CANFIELD_RECORDS": self.records}
        for line in text.split("\n"):
            name, equals, value = line.partition("=")
            if equals and name in self.NAMES:
                value = value.encode(
                    "utf-8", "surrogateescape" if "\ud800" not in value else "replace"
                ).decode("utf-8", "surrogateescape")
                value = value.replace("@", self.folder + "/")
                environ[name] = os.fsdecode(os.fsencode(value)[: self.LONGEST])
        run_main(self.COMMANDS[len(text) % len(self.COMMANDS)], environ)


# Files of the store.


class Csv(Target):
    words = (
        *WORDS,
        *FIELDS,
        *OUTCOMES,
        ",",
        '"',
        '""',
        "\n",
        "\r\n",
        "\r",
        "0",
        "1",
        "-1",
        "1e9",
        "2026-11-30",
    )
    limit = 2**22

    def make(self, rng):
        return "".join(format_csv([sound_entry(rng) for _ in range(rng.randrange(3))]))

    def read(self, text):
        entries = parse_csv(text)
        written = "".join(format_csv(entries))
        assert parse_csv(written) == entries
        assert_printable(written, "\n")


_CONNECT = sqlite3.connect


class _Unlogged(sqlite3.Connection):
    """A connection that keeps its journal in memory."""

    def execute(self, sql, *values):
        return super().execute(sql.replace("journal_mode = WAL", "journal_mode = MEMORY"), *values)


class Database(_OverGame):
    """The records: what looks at them on one line, then a file of SQLite, changed in its rows, its schema and its bytes."""

    words = ("games", "lines", "rulesets", "meta", *COLUMNS)
    limit = 2**22
    LOOKS = ("stats", "log", "scores", "daily", "replay 1", "records export", "records check", "stats --csv",
             "scores --daily=2026-11-30", "stats --json", "log --json", "daily 2026-11", "records forget --yes", "draw")  # fmt: skip
    #: Those under which all is as it is for a player: there is a save that is not recorded yet, and the journal is a file.
    WHOLE = ("stats", "log", "draw", "records forget --yes")
    VALUES = ("NULL", "-1", "0", "1", "1e300", "9e999", "-9e999", "9223372036854775807", "x'00ff'", "''", "'x'",
              "char(27) || '[31m'", "'a' || char(10) || 'b'", "'\u202e'", "CAST(x'ff' AS TEXT)", "'won'", "'Ann'",
              "zeroblob(1000000)", "'2026-11-31'", "'2026-11-30'", "'CAN-D3-2222-2229-J'", "52", "53",
              "'{\"preset\": \"casino\"}'", "253402300800", "replace(hex(zeroblob(5000)), '0', 'a')")  # fmt: skip

    def __init__(self, folder):
        super().__init__(folder)
        self.path = os.path.join(folder, "records.db")
        self.seeds = []

    def fitted(self, text):
        return text[: self.limit]

    def make(self, rng):
        # To make one costs more than to spoil it.
        if len(self.seeds) < 12:
            self.restore()
            with open_records(self.path) as records:
                records.put_all([sound_entry(rng) for _ in range(rng.randrange(1, 6))])
            connection = _CONNECT(self.path)
            # In small pages is less that nothing is in.
            connection.executescript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM")
            self.seeds.append(connection.serialize().decode("latin-1"))
            connection.close()
        return f"{rng.choice(self.LOOKS)}\n{rng.choice(self.seeds)}"

    def spoil(self, rng, text, other):
        look, _, text = text.partition("\n")
        look = rng.choice(self.LOOKS) if rng.random() < 0.5 else look
        data = bytearray(text.encode("latin-1", "replace"))
        if rng.random() < 0.6:
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
                connection = _CONNECT(":memory:")
                connection.deserialize(bytes(data))
                connection.execute("PRAGMA journal_mode = MEMORY")
                for _ in range(rng.choice((1, 1, 2))):
                    with contextlib.suppress(sqlite3.Error):
                        connection.executescript(self._statement(rng))
                data = bytearray(connection.serialize())
                connection.close()
        if rng.random() < 0.35 and data:
            for _ in range(rng.choice((1, 2, 10))):
                at = rng.randrange(len(data) if rng.random() < 0.5 else min(200, len(data)))
                data[at] = rng.choice((0, 1, 255, rng.randrange(256)))
        if rng.random() < 0.05:
            del data[rng.randrange(len(data) + 1) :]
        return f"{look}\n{data.decode('latin-1')}"

    def _statement(self, rng):
        """A change to the rows or the schema that no canfield would make."""
        column, value, other = rng.choice(COLUMNS), rng.choice(self.VALUES), rng.choice(self.VALUES)
        return rng.choice(
            (
                f"UPDATE games SET {column} = {value}",
                f"UPDATE games SET {column} = {value} WHERE n = 1",
                f"UPDATE games SET {rng.choice(('n', 'ruleset'))} = {value} WHERE n = 1",
                f"UPDATE lines SET actions = {value}",
                f"UPDATE rulesets SET {rng.choice(('key', 'preset', 'words'))} = {value}",
                f"INSERT INTO meta VALUES ('since', {value})",
                f"INSERT OR REPLACE INTO meta VALUES ({value}, {other})",
                f"DELETE FROM {rng.choice(self.words[:4])}",
                f"DROP TABLE {rng.choice(self.words[:4])}",
                f"ALTER TABLE games DROP COLUMN {column}",
                f"ALTER TABLE games RENAME COLUMN {column} TO other",
                f"PRAGMA user_version = {rng.choice((0, 1, 2, 9))}",
                f"PRAGMA application_id = {rng.choice((0, 1))}",
                "CREATE TRIGGER again AFTER INSERT ON games BEGIN DELETE FROM games; END",
                "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE x(name, value) AS "
                "(SELECT 'since', 1 UNION ALL SELECT name, value + 1 FROM x) SELECT * FROM x",
                "DROP INDEX by_time",
                "UPDATE games SET n = n + 9223372036854775000",
                f"UPDATE games SET {column} = (SELECT {rng.choice(COLUMNS)} FROM games ORDER BY random())",
                "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
                f"replace(sql, 'NOT NULL', '') WHERE name = 'games'; UPDATE games SET {column} = NULL",
            )
        )

    def read(self, text):
        look, _, text = text.partition("\n")
        self.restore()
        with open(self.path, "wb") as file:
            file.write(text.encode("latin-1", "replace"))
        env = self.environment()
        env.environ = {**self.environ, "CANFIELD_RECORDS": self.path}
        if look not in self.WHOLE:
            env.environ["CANFIELD_SAVE"] = "nowhere"
        sqlite3.connect = _CONNECT if look in self.WHOLE else functools.partial(_CONNECT, factory=_Unlogged)
        command, values = parse(COMMANDS, (look if look in self.LOOKS else self.LOOKS[0]).split())
        result = execute(command, values, env)
        report(result, env, values)
        for stream in (env.stdout, env.stderr):
            assert_printable(stream.getvalue(), "\n")
        assert set(os.listdir(self.folder)) <= self._names()
        if result.error:
            raise result.error

    def _names(self):
        names = [*self.files, "game.json.kept"]
        for name in ("records.db", "records.db.broken-1"):
            names += [name + ending for ending in ("", "-wal", "-shm", "-journal")]
        return set(names)


class Config(Target):
    words = (*SETTINGS, *(word for values, _ in SETTINGS.values() for word in values), "=", "true", "[", "]", '"""', "#",
             "[color]\n", "a.b.c = 1\n", "1979-05-27", "[[", "0x7f", "inf", "\n")  # fmt: skip
    limit = 2**16

    def __init__(self, folder):
        super().__init__(folder)
        self.path = os.path.join(folder, "config.toml")
        self.written = set()

    def make(self, rng):
        settings = Settings()
        for name, (values, _) in SETTINGS.items():
            settings.set(name, rng.choice(values))
        return settings.toml()

    def read(self, text):
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        settings = kept_settings(self.path)
        for name, (values, _) in SETTINGS.items():
            assert settings[name] in values
        # What is written of them depends on nothing else.
        if settings.toml() not in self.written:
            self.written.add(settings.toml())
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(settings.toml())
            assert kept_settings(self.path).values() == settings.values()
            assert read_config(self.path) == settings.values()


class History(Target):
    """The file of lines typed before, as any bytes; and a line that is typed. The file is full with few of them."""

    words = (*ACTIONS, "\n", "\r\n", "set ascii yes")
    limit = 2**22
    is_file = False

    def __init__(self, folder):
        super().__init__(folder)
        from canfield_cli.cli import repl

        self.full = repl.HISTORY = 20
        self.history = repl.LineHistory
        self.path = os.path.join(folder, "state", "history")
        os.makedirs(os.path.dirname(self.path), exist_ok=True)

    def make(self, rng):
        return "".join(f"{rng.choice(ACTIONS)}\n" for _ in range(rng.choice((0, 3, 30))))

    def read(self, text):
        with open(self.path, "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
        lines = list(self.history(self.path).load_history_strings())
        assert len(lines) <= self.full
        self.history(self.path).store_string(text[:300])
        again = list(self.history(self.path).load_history_strings())
        # What is typed is one line of the file, or it is no text and goes unwritten. A line that was cut off goes on.
        if text.endswith("\n") or not text:
            assert again == lines or again[1:] == lines[: self.full - 1]


class Player(Target):
    words = ("Ann", "Łukasz", " ", "{", "`", "'", ";", "DROP TABLE games", "--")
    is_file = False

    def __init__(self, folder):
        super().__init__(folder)
        self.game = Game.of(deal_seed(7), preset())
        self.letters = set()

    def make(self, rng):
        return rng.choice(("Ann", "Łukasz", " Béla ", "a b", ""))

    def read(self, text):
        name = parse_player(text)
        assert parse_player(name) == name
        assert_printable(name)
        assert read_json(write_json(name)) == name
        # A whole save says no more of it, but for a letter that has not come before.
        if not self.letters.issuperset(name):
            self.letters.update(name)
            self.game.tally.player = name
            assert_kept(self.game)


TARGETS = {
    target.__name__.lower(): target
    for target in (
        Save, State, Cards, Solvitaire, Line, Code, Notation, Record, Scanner, Typed, Protocol, Shell, Variables, Csv,
        Database, Config, History, Player,
    )
}  # fmt: skip
