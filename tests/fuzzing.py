"""Hostile input: for each reader what is sound, how it is spoilt, and what must hold whatever comes in.

A `Target` is one reader. `make` gives an input that it takes, `spoil` breaks one, by its grammar as often as by its
letters, and `attempt` has it read. Either an error of the program's own tree comes out, in a sentence that a terminal
can show, or a value that is what its printer prints. Nothing here needs more than the standard library.
"""

import contextlib
import copy
import io
import json
import os
import random
import re
import shutil
import sqlite3
import string
import sys

from canfield_cli.cli.report import report
from canfield_cli.cli.script import run_protocol
from canfield_cli.cli.session import Leave, Session, split
from canfield_cli.cli.shell import main
from canfield_cli.commands import COMMANDS, positions, solving
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
#: What no reader expects: what a terminal obeys, what looks like something else, what is far too large.
ODD = (
    "\x00", "\x07", "\x1b[31m", "\x1b]0;title\x07", "\x7f", "\x85", "\x9b2J", "\u200b", "\u202e", "\u2066", "\u2028",
    "\ufeff", "\ufe0f", "\ud800", "\udcff", "\U000e0041", "\r", "\n", "\t", "\x0b", "\x0c", " ", "٣", "²", "½", "Ⅷ",
    "\u212a", "ſ", "İ", "ß", "é", "e\u0301", "♥", "🂡", "{", "}", "`", "\\", "'", '"', "#", ";", ",", "/", "-", "--",
    "..", "%s", "%n", "{0}", "$HOME", "~", "*", "0", "-0", "-1", "00", "1.5", "1e5", "1e999", "1_000", "0x10", "NaN",
    "nan", "inf", "-Infinity", "true", "false", "null", "None", "[]", "{}", "10000000000", "9" * 15, "9" * 21,
    "18446744073709551616", "canfield", "game.json", "x" * 200,
)  # fmt: skip
#: So often a piece is written over and over.
MANY = (2, 3, 20, 400, 20_000)
#: A word, a number, or any single letter.
_PIECE = re.compile(r"[A-Za-z_]+|\d+|\s+|.", re.DOTALL)


def assert_printable(text, but=""):
    """Hold what goes to a terminal to letters that it shows; those of `but` may stand in it too."""
    odd = {letter for letter in text if not letter.isprintable()} - set(but)
    assert not odd, f"{sorted(odd)!r} in {text[:500]!r}"


def assert_harmless(error):
    """Hold a refusal to its form: a sentence and a hint on one line each, and not pages of them."""
    for text in (str(error), error.hint):
        assert_printable(text)
        assert len(text) < 4000, f"{len(text)} letters"
    assert str(error)
    # What a program is told is JSON, and that is ASCII.
    write_json(error.data)


# How anything is spoilt.


def spoil_text(rng, text, other, words):
    """Change `text` in one to three places, with pieces of itself, of `other`, or with `words`."""
    pieces = _PIECE.findall(text) if len(text) < 10_000 else re.findall("(?s).{1,80}", text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(pieces) + 1)
        end = min(len(pieces), at + rng.choice((0, 1, 1, 1, 2, rng.randrange(1, 9), rng.randrange(1, 200))))
        how = rng.randrange(9)
        if how == 0:
            pieces[at:end] = []
        elif how == 1:
            pieces[at:end] = [rng.choice(words)]
        elif how == 2:
            pieces[at:end] = [rng.choice(ODD)]
        elif how == 3:
            pieces[at:at] = [rng.choice(words)]
        elif how == 4:
            cut = rng.randrange(len(other) + 1)
            pieces[at:end] = [other[cut : cut + rng.choice((1, 5, 50, 1000))]]
        elif how == 5:
            times = rng.choice(MANY[:3] if rng.random() < 0.99 else MANY)
            pieces[at:end] = ["".join(pieces[at:end]) * times]
        elif how == 6 and pieces:
            to = rng.randrange(len(pieces))
            at = min(at, len(pieces) - 1)
            pieces[at], pieces[to] = pieces[to], pieces[at]
        elif how == 7 and pieces:
            at = min(at, len(pieces) - 1)
            pieces[at] = _spoil_piece(rng, pieces[at])
        else:
            pieces[at:end] = [rng.choice(pieces or [""]).swapcase()]
    return "".join(pieces)


def _spoil_piece(rng, piece):
    """Change a number by a little or much, a word by a letter."""
    if piece.isascii() and piece.isdigit() and len(piece) < 20:
        number = int(piece)
        return str(rng.choice((number + 1, number - 1, -number, number * 10, number * 2**32, 0)))
    at = rng.randrange(len(piece) + 1)
    return piece[:at] + rng.choice(string.printable) + piece[at + rng.randrange(2) :]


def spoil_json(rng, text, other, words):
    """Change a JSON text in its structure: a value anywhere in it, a key, the order, the depth."""
    try:
        value, donor = json.loads(text), json.loads(other)
    except (ValueError, RecursionError):
        return spoil_text(rng, text, other, words)
    for _ in range(rng.choice((1, 1, 2))):
        value = _change(rng, value, _odd_value(rng, donor, words))
    return json.dumps(value, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)


def _odd_value(rng, donor, words):
    how = rng.randrange(6)
    if how == 0:
        return rng.choice(
            (None, True, False, 0, -1, 1, 1.5, -0.0, 2**31, 10**14, 10**15, 1e300, 5e-324, "", [], {})
        )
    if how == 1:
        return rng.choice(ODD)
    if how == 2:
        return rng.choice(words)
    if how == 3:
        return [rng.choice(words)] * rng.choice(MANY[:4])
    if how == 4:
        deep = rng.choice(words)
        for _ in range(rng.choice((1, 5, 200))):
            deep = rng.choice(([deep], {"a": deep}))
        return deep
    # A copy: nothing is to be put into itself.
    return copy.deepcopy(rng.choice(list(_nodes(donor))))


def _nodes(value):
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _nodes(each)


def _change(rng, value, new):
    """Return `value` with something in it changed to `new`, taken out, doubled or moved."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        how = rng.randrange(8)
        if how == 0:
            del value[place]
        elif how == 1 and isinstance(value, dict):
            value[str(new)[:300]] = value[place]
        elif how == 2 and isinstance(value, list):
            value.insert(rng.randrange(len(value) + 1), value[place])
        elif how == 3 and isinstance(value, list):
            rng.shuffle(value)
        else:
            value[place] = _change(rng, value[place], new)
        return value
    if type(value) in (int, float) and rng.random() < 0.5:
        return rng.choice((value + 1, value - 1, -value, value * 2, value + 0.5, str(value)))
    return new


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

    def read(self, text):
        read = parse_deal(text, self.RULES)
        if isinstance(read, Deal):
            assert sorted(read.cards) == sorted(PACK)
            assert parse_deal(" ".join(read.cards), self.RULES) == read
            assert_kept(Game.of(read, self.RULES))
        else:
            assert parse_deal(format_position(read), self.RULES) == read
            assert_kept(Game(read))


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
        return json.dumps(_odd_value(rng, [1, {"a": [None]}], self.words))

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_text))(rng, text, other, self.words)

    def read(self, text):
        try:
            value = read_json(text)
        except JsonFault as fault:
            refused = SaveError(f"the text {fault}{fault.place(text)}", "mend it")
            with contextlib.suppress(ValueError, RecursionError):
                json.loads(text, object_pairs_hook=self._once, parse_int=self._short, parse_float=self._finite,
                           parse_constant=self._none)  # fmt: skip
                raise AssertionError("json takes what was refused") from fault
            raise refused from fault
        assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(value, sort_keys=True)
        assert write_json(value).isascii()
        assert json.dumps(read_json(write_json(value))) == json.dumps(value)

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
        rng = random.Random(2)
        game = Game.of(deal_seed(7), preset())
        game.clock, game.tally = Clock(NOON), Tally("0123456789abcdef")
        _play(rng, game, 12)
        self.files = {
            "game.json": format_save(game),
            "record.txt": format_record(game),
            "deal.txt": " ".join(deal_seed(8).cards),
        }
        self.save = os.path.join(folder, "game.json")
        self.before = None
        self.environ = {
            "HOME": folder,
            "CANFIELD_SAVE": self.save,
            "CANFIELD_RECORDS": "off",
            "LANG": "C.UTF-8",
        }

    def fitted(self, text):
        # Nobody is to write outside of the folder who was told to.
        return text[: self.limit].replace("/", "_").replace("--jobs", "--job")

    def _stamp(self):
        info = os.stat(self.folder)
        return info.st_mtime_ns, len(os.listdir(self.folder))

    def restore(self):
        """Put the files back if anything in the folder has changed."""
        if self.before is None or self._stamp() != self.before:
            _empty(self.folder)
            for name, text in self.files.items():
                with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.before = self._stamp()

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


def _empty(folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


class Typed(_OverGame):
    """Lines of the REPL and of scripts."""

    def read(self, text):
        self.restore()
        env = self.environment()
        place = HeldPlace(self.save, self.environ)
        session = Session(env, place)
        refusal = None
        try:
            # As scripts do; an empty line shows the board.
            for words in [words for words in split(text) if words] or [[]]:
                before = self._state(place)
                result, values = session.run(words)
                report(result, env, values)
                if result.error:
                    assert_harmless(result.error)
                    assert self._state(place) == before
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
    def _state(place):
        game = place.load()
        return format_position(game.position), game.done, game.undone, game.moves


class Protocol(_OverGame):
    """Lines of the JSON protocol; several, as a program sends them."""

    words = (*_OverGame.words, "\n", "17 draw", "0", "999999999999999", "1 ")

    def make(self, rng):
        return "\n".join(
            f"{number} {super(Protocol, self).make(rng)}" for number in range(rng.randrange(1, 4))
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


class Shell(_OverGame):
    """Command lines, with what the table's parser takes as Typer takes it too."""

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
        run_main(words, {**self.environ})

    def _compare(self, words):
        from canfield_cli.cli.app import build

        if not words or words[0].startswith("-") or len(words) > 50:
            return
        try:
            command, values = parse(COMMANDS, words)
        except CanfieldError as error:
            assert_harmless(error)
            return
        read = []
        app = build(lambda command, values: read.append((command.name, values)) or 0, only=words[0])
        try:
            app(list(words), prog_name="canfield", standalone_mode=False)
        except Exception as error:
            raise AssertionError(f"Typer refuses {words!r}: {error}") from error
        assert read == [(command.name, values)]


def run_main(words, environ):
    """Run the program with `words` and hold its output to what a terminal may show; return the exit status."""
    out, err = io.StringIO(), io.StringIO()
    old = dict(os.environ)
    os.environ.clear()
    os.environ.update(environ)
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
    finally:
        sys.stdin = stdin
        os.environ.clear()
        os.environ.update(old)
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
    COMMANDS = (
        ["show"],
        ["new", "--seed", "7"],
        ["stats"],
        ["draw"],
        ["log"],
        ["play", "-c", "draw;set ascii yes --keep"],
    )

    def make(self, rng):
        names = rng.sample(self.NAMES, rng.randrange(1, 5))
        return "\n".join(f"{name}={rng.choice(self.words)}" for name in names)

    def fitted(self, text):
        # A path begins with the folder or is relative to it; an @ stands for it.
        return text[: self.limit].replace("\x00", "0").replace("..", "__").replace("/", "@")

    def read(self, text):
        self.restore()
        environ = {"HOME": self.folder, "CANFIELD_RECORDS": os.path.join(self.folder, "records.db")}
        for line in text.split("\n"):
            name, equals, value = line.partition("=")
            if equals and name in self.NAMES:
                value = value.encode(
                    "utf-8", "surrogateescape" if "\ud800" not in value else "replace"
                ).decode("utf-8", "surrogateescape")
                environ[name] = value.replace("@", self.folder + "/")
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


class Database(_OverGame):
    """The records: a file of SQLite, as bytes, changed in its rows, its schema and its bytes."""

    words = ("games", "lines", "rulesets", "meta", *COLUMNS)
    limit = 2**22
    LOOKS = ("stats", "log", "scores", "daily", "replay 1", "records export", "records check", "stats --csv",
             "scores --daily=2026-11-30", "stats --json", "log --json", "daily 2026-11", "records forget --yes", "draw")  # fmt: skip
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
            connection = sqlite3.connect(self.path)
            connection.execute("PRAGMA journal_mode = DELETE")
            self.seeds.append(connection.serialize().decode("latin-1"))
            connection.close()
        return rng.choice(self.seeds)

    def spoil(self, rng, text, other):
        data = bytearray(text.encode("latin-1", "replace"))
        if rng.random() < 0.75:
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
                connection = sqlite3.connect(":memory:")
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
        return data.decode("latin-1")

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
        data = text.encode("latin-1", "replace")
        self.before = None
        self.restore()
        with open(self.path, "wb") as file:
            file.write(data)
        words = self.LOOKS[sum(data[-64:], len(data)) % len(self.LOOKS)].split()
        env = self.environment()
        env.environ = {**self.environ, "CANFIELD_RECORDS": self.path}
        command, values = parse(COMMANDS, words)
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
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(settings.toml())
        assert kept_settings(self.path).values() == settings.values()
        assert read_config(self.path) == settings.values()


class History(Target):
    """The file of lines typed before, as any bytes; and a line that is typed."""

    words = (*ACTIONS, "\n", "\r\n", "set ascii yes")
    limit = 2**22
    is_file = False

    def __init__(self, folder):
        super().__init__(folder)
        self.path = os.path.join(folder, "state", "history")
        os.makedirs(os.path.dirname(self.path), exist_ok=True)

    def make(self, rng):
        return "".join(f"{rng.choice(ACTIONS)}\n" for _ in range(rng.choice((0, 3, 1500))))

    def read(self, text):
        from canfield_cli.cli.repl import HISTORY, LineHistory

        with open(self.path, "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
        lines = list(LineHistory(self.path).load_history_strings())
        assert len(lines) <= HISTORY
        LineHistory(self.path).store_string(text[:300])
        again = list(LineHistory(self.path).load_history_strings())
        # What is typed is one line of the file, or it is no text and goes unwritten. A line that was cut off goes on.
        if text.endswith("\n") or not text:
            assert again == lines or again[1:] == lines[: HISTORY - 1]


class Player(Target):
    words = ("Ann", "Łukasz", " ", "{", "`", "'", ";", "DROP TABLE games", "--")
    is_file = False

    def make(self, rng):
        return rng.choice(("Ann", "Łukasz", " Béla ", "a b", ""))

    def read(self, text):
        name = parse_player(text)
        assert parse_player(name) == name
        assert_printable(name)
        game = Game.of(deal_seed(7), preset())
        game.tally.player = name
        assert_kept(game)


TARGETS = {
    target.__name__.lower(): target
    for target in (
        Save, State, Cards, Solvitaire, Line, Code, Notation, Record, Scanner, Typed, Protocol, Shell, Variables, Csv,
        Database, Config, History, Player,
    )
}  # fmt: skip
