"""The readers of what is typed or set, over a game in a folder: lines, the JSON protocol, command lines, variables."""

import contextlib
import copy
import functools
import io
import json
import os
import random
import shutil
import sys

from soundness import NOON, assert_harmless, assert_printable, play_on, sound_entry
from target import ACTIONS, RULE_WORDS, Target

from canfield_cli import store
from canfield_cli.cli.report import report
from canfield_cli.cli.script import run_protocol
from canfield_cli.cli.session import Leave, Session, split
from canfield_cli.cli.shell import main
from canfield_cli.commands import COMMANDS, place, positions, solving
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.commands.settings import SETTINGS
from canfield_cli.commands.table import parse
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import CanfieldError, UsageError
from canfield_cli.engine.game import Game
from canfield_cli.engine.record import format_record
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.tally import Tally
from canfield_cli.solver import Limits, solve
from canfield_cli.store.records import open_records
from canfield_cli.store.save import format_save, parse_save


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


class OverGame(Target):
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
        play_on(rng, game, 12)
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


class Typed(OverGame):
    """Lines of the REPL and of scripts."""

    #: So many commands of a line are run: it takes as many times as long as one.
    MOST = 20

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


class Protocol(OverGame):
    """Lines of the JSON protocol; several, as a program sends them."""

    words = (*OverGame.words, "\n", "17 draw", "0", "999999999999999", "1 ")

    def make(self, rng):
        make = super().make
        return "\n".join(f"{number} {make(rng)}" for number in range(rng.choice((1, 1, 2))))

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


class Shell(OverGame):
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
        # No argument of a program holds a NUL, or what no byte can be read as.
        return super().fitted(text).replace("\x00", "0").replace("\ud800", "?")

    def read(self, text):
        try:
            words = [word for command in split(text) for word in command]
        except UsageError:
            words = text.split()
        self.restore()
        self._compare(words)
        _run_main(words, self.environ)

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


def _run_main(words, environ):
    """Run the program with `words` and hold its status and its output to what may come of it."""
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
    if environ.get("FORCE_COLOR", "0") in ("", "0") and not {"always", "--color=always"}.intersection(words):
        assert_printable(out.getvalue(), "\n")
    assert_printable(err.getvalue().replace("\x1b[", ""), "\n")


class Variables(OverGame):
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
                # No variable holds such a half of a surrogate pair.
                if "\ud800" in value:
                    value = value.encode("utf-8", "replace").decode()
                value = value.replace("@", self.folder + "/")
                environ[name] = os.fsdecode(os.fsencode(value)[: self.LONGEST])
        _run_main(self.COMMANDS[len(text) % len(self.COMMANDS)], environ)
