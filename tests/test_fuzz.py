"""Hostile input in its short form, a few seconds; benchmarks/fuzz.py goes on for as long as it is let.

The inputs of tests/data/fuzz once failed. The first part of the name of each is the reader that it is for.
"""

import glob
import io
import json
import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
import textwrap
import zlib

import fuzz
import pytest
from fuzzing import TARGETS
from soundness import assert_harmless, sound_entry, sound_game
from spoiling import ODD

from canfield_cli.cli.history import LineHistory
from canfield_cli.engine.clock import LATEST
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import CanfieldError, SaveError
from canfield_cli.engine.game import LONGEST, Game
from canfield_cli.engine.record import format_record, parse_record
from canfield_cli.engine.rules import preset
from canfield_cli.store import figures
from canfield_cli.store.records import open_records
from canfield_cli.store.recordscsv import FIELDS
from canfield_cli.store.save import format_save, parse_save

HERE = os.path.dirname(os.path.abspath(__file__))
ONCE = sorted(glob.glob(os.path.join(HERE, "data", "fuzz", "*-*")))
#: So many inputs for each reader: what it takes in half a second, on a machine that has other things to do.
COUNTS = {
    "save": 200, "state": 400, "cards": 1000, "solvitaire": 400, "line": 1000, "code": 4000, "notation": 2000, "record": 400,
    "scanner": 1000, "typed": 100, "protocol": 100, "shell": 40, "variables": 100, "csv": 400, "database": 40,
    "config": 1000, "history": 200, "player": 1000,
}  # fmt: skip


def test_every_reader_outlives_spoilt_input():
    assert COUNTS.keys() == TARGETS.keys()
    by_count = {}
    for name, count in COUNTS.items():
        by_count.setdefault(count, []).append(name)
    for count, names in by_count.items():
        for name, outcome in fuzz.feed(names, count, blind=True).items():
            assert outcome.failures == [], name
            assert outcome.inputs == count
            # Neither is everything refused, nor everything taken; only the players of protocols are always answered.
            assert outcome.taken > 0, name
            assert outcome.slowest < fuzz.PATIENCE


def again(*paths):
    """Have files read again under the limits of a fuzzer's process; what it says of them."""
    process = subprocess.run(
        [sys.executable, fuzz.__file__, "--again", *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]
    return process.stdout.splitlines()


def test_inputs_that_once_failed_fail_no_more():
    assert len(again(*ONCE)) == len(ONCE) > 5


# Sizes are checked before they are believed.


def _save(**changes):
    save = json.loads(format_save(sound_game(random.Random(4))))
    for path, value in changes.items():
        *way, last = path.split("__")
        place = save
        for name in way:
            place = place[name]
        place[last] = value
    return json.dumps(save)


def _row(**changes):
    """A file of records with one row, changed."""
    entry = sound_entry(random.Random(4))
    values = dict(zip(FIELDS, [*entry.values, "", "draw"], strict=True)) | changes
    text = io.StringIO()
    text.write(",".join(FIELDS) + "\n" + ",".join(str(value) for value in values.values()) + "\n")
    return text.getvalue()


MEGABYTE = 2**20
#: For each reader what is out of all bounds.
GIANTS = {
    "save": [
        _save(counts__undos=10**9),
        _save(counts__undos=10**14, counts__floor=10**14, counts__points=-(10**14)),
        _save(undone=10**14),
        _save(tally__hints=10**14, tally__restarts=10**14, tally__lost=10**14),
        _save(actions=["draw"] * 100_000),
        _save(actions=["draw" * 25_000] * 8),
        _save(clock__seconds=1e300),
        _save(rules__redeals=10**14),
        _save(seed=10**14),
        _save(position="3 " * 100_000),
        '{"format": "canfield-save", "version": ' + "9" * 100_000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
    "state": ['{"state":' * 100_000, json.dumps({"format": "canfield-state", "foundations": {"c": ["Ac"] * 150_000}})],
    "cards": ["Qc " * (MEGABYTE // 3), "Zz" * (MEGABYTE // 2), "10" * (MEGABYTE // 2), "#\n" * (MEGABYTE // 2)],
    "solvitaire": [
        json.dumps({"tableau piles": [["6C"] * 150_000], "foundations": [["7H"]]}),
        json.dumps({"tableau piles": [], "foundations": [["7H"]] * 100_000}),
    ],
    "line": [
        "3 3--- - -/-/-/- " + "2c3d" * 250_000 + " - 0",
        "3 3--- - " + "/" * MEGABYTE + " - - 0",
        "3 3--- - -/-/-/- - - " + "9" * MEGABYTE,
    ],
    "code": ["CAN-D3-" + "2" * MEGABYTE, "-" * MEGABYTE, "CAN" * 300_000],
    "notation": ["1" * 100_000, "w" * 100_000, "9h-" * 30_000, "column " * 10_000, "draw " * 10_000, "x" * 60_000],
    "record": [
        format_record(sound_game(random.Random(4))).replace("1.", "1. " + "draw " * 200_000),
        '[Seconds "' + "9" * 100_000 + '"]',
        "{" * MEGABYTE,
        ";" * MEGABYTE,
        "[" * MEGABYTE,
        '[Game "' * 100_000,
    ],
    "scanner": ["9" * 100_000, "[" * 100_000, '{"a":' * 100_000, '"' + "\\u0000" * 150_000, "-" * MEGABYTE, "1e" + "9" * 100_000],
    "typed": ["draw;" * 1000, "undo " + "9" * 60_000, "'" * 60_001, "#" * 70_000, ";" * 65_000, "--" * 30_000],
    "protocol": ["9" * 60_000 + " draw", "move " + "draw " * 12_000, "{" * 70_000],
    "csv": [
        ",".join(FIELDS) + "\n" + "," * 10**6,
        ",".join(FIELDS) + "\n" + '"' * 10**6,
        "x," * 10**6,
        "\n" * 10**6,
        _row(undos="9" * 100_000),
        _row(seconds="9" * 100_000),
        _row(actions="draw " * 20_000),
        _row(player="x" * 130_000),
        _row(begun="1e308", ended="1e308"),
    ],
    "config": ["a." * 20_000 + "b = 1", "a = " + "[" * 30_000, "color = " + "9" * 60_000, "[" * 60_000, "a={" * 20_000],
    "history": ["\n" * 4_000_000, "x" * 4_000_000, "draw\n" * 800_000],
    "player": ["x" * MEGABYTE, " " * MEGABYTE],
}  # fmt: skip


@pytest.mark.parametrize("name", GIANTS)
def test_sizes_are_checked_before_they_are_believed(name, tmp_path):
    paths = [fuzz.keep(tmp_path, name, text) for text in GIANTS[name]]
    assert len(again(*paths)) == len(paths)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (",".join(FIELDS) + "\n" + "\n" * 60_000_000, "0 games: 0 new"),
        (",".join(FIELDS) + "\n" + "\n" * 60_000_000 + "x", "line 2 of the records can't be used"),
        (",".join(FIELDS) + "\n" + "x,y\n" * 15_000_000, "line 2 of the records can't be used"),
        (",".join(FIELDS) + "\n" + "\r\0" * 30_000_000, "line 2 of the records can't be used"),
        ("x" * 60_000_000, "line 1 of the records can't be used"),
        ("x" * 70_000_000, "is too large"),
    ],
    ids=range(6),
)
def test_a_large_file_of_records_is_read_in_little_memory_and_time(tmp_path, text, says):
    (tmp_path / "records.csv").write_text(text)
    process = subprocess.run(
        [sys.executable, "-m", "canfield_cli", "records", "import", "records.csv"],
        cwd=tmp_path,
        env={"PYTHONPATH": os.path.dirname(HERE), "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        preexec_fn=lambda: (
            resource.setrlimit(resource.RLIMIT_AS, (fuzz.MEMORY, fuzz.MEMORY)),
            resource.setrlimit(resource.RLIMIT_CPU, (4, 4)),
        ),
    )
    assert says in process.stdout + process.stderr
    assert "Traceback" not in process.stderr


@pytest.fixture
def records(tmp_path):
    """The path of records of three games, and a function that changes them behind their back."""
    path = str(tmp_path / "records.db")
    with open_records(path) as opened:
        opened.put_all([sound_entry(random.Random(number)) for number in range(3)])

    def change(statement, *values):
        with sqlite3.connect(path) as connection:
            connection.executescript(statement) if not values else connection.execute(statement, values)
        connection.close()

    return path, change


def refusal(path, look):
    with pytest.raises(SaveError) as caught, open_records(path) as opened:
        look(opened)
    assert_harmless(caught.value)
    assert caught.value.hint
    return str(caught.value)


def test_few_bytes_that_stand_for_very_many_actions_are_refused(records):
    path, change = records
    for line in (b"a " * 2**16, b"a " * 2**25, b"draw " * (LONGEST + 1)):
        change("UPDATE lines SET actions = ?", zlib.compress(line, 9))
        assert "game 1 of the records can't be read" in refusal(path, lambda opened: list(opened.entries()))


def test_a_value_that_takes_all_memory_is_not_read(records):
    path, change = records
    change("UPDATE games SET code = replace(hex(zeroblob(100000)), '0', 'a')")
    assert "can't be used" in refusal(path, lambda opened: opened.entry(1))


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE x(name, value) AS "
        "(SELECT 'a', 1 UNION ALL SELECT name, value + 1 FROM x) SELECT * FROM x",
        "CREATE TRIGGER again AFTER INSERT ON games BEGIN DELETE FROM games; END",
    ],
)
def test_records_hold_tables_and_nothing_that_runs(records, statement):
    path, change = records
    change(statement)
    assert "which is no table of canfield" in refusal(path, lambda opened: opened.since)


#: Values that no column of a game has. (In one of text SQLite makes a text of a number.)
UNSOUND = ["'\x1b[31m' || char(10)", "x'00ff'", "1e300", "-9223372036854775808"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("player", UNSOUND[1]),
        *(
            (column, value)
            for column in ("ended", "seconds", "moves", "cards_up", "score")
            for value in UNSOUND
        ),
    ],
)
def test_what_no_game_can_be_is_summed_up_in_no_statistics(records, column, value):
    path, change = records
    change(f"UPDATE games SET {column} = {value} WHERE n = 2")
    for look in (
        figures.players,
        lambda opened: figures.figures(opened, None, ""),
        lambda opened: figures.last(opened, 9),
    ):
        assert "game 2 of the records can't be read" in refusal(path, look)


@pytest.mark.parametrize("column", ["code", "id", "daily", "hints", "begun", "base", "helped", "outcome"])
def test_what_no_game_can_be_is_listed_nowhere(records, column):
    path, change = records
    change(f"UPDATE games SET {column} = {UNSOUND[0]} WHERE n = 2")
    assert "game 2 of the records can't be read" in refusal(path, lambda opened: figures.last(opened, 9))


@pytest.mark.parametrize("value", ["'x'", "x'00'", "NULL"])
def test_records_were_forgotten_at_some_time_or_never(records, value):
    path, change = records
    change(f"INSERT INTO meta VALUES ('since', {value})")
    assert "is no time" in refusal(path, lambda opened: opened.since)


@pytest.mark.parametrize("words", ["x'00'", "''", "'[]'", '\'{"preset": "casino"}\''])
def test_rules_that_are_none_are_refused(records, words):
    path, change = records
    change(f"UPDATE rulesets SET words = {words} WHERE key = 1")
    assert "are no rules" in refusal(path, lambda opened: figures.figures(opened, None, ""))


# What is written can be read.


def test_a_record_says_no_time_that_a_save_could_not():
    text = format_record(Game.of(deal_seed(7), preset()))
    assert '[Seconds "0"]' in text or '[Seconds "0.0"]' in text

    def record(seconds):
        return re.sub(r'\[Seconds "[^"]*"\]', f'[Seconds "{seconds}"]', text)

    game = parse_record(record(int(LATEST)))
    assert parse_save(format_save(game)).clock.seconds == LATEST
    for seconds in (int(LATEST) + 1, 10**15 - 1, "inf", "nan", -1):
        with pytest.raises(SaveError, match="is not a time in seconds"):
            parse_record(record(seconds))


@pytest.mark.parametrize("end", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\n", "\r\n"])
def test_a_line_that_is_typed_is_one_line_of_the_history(tmp_path, end):
    path = str(tmp_path / "history")
    for line in ("first", f"a{end}b", "last"):
        LineHistory(path).store_string(line)
    assert list(LineHistory(path).load_history_strings()) == ["last", "a b", "first"]


# The fuzzer itself.

PLANTED = """
    import os, signal

    class Target:
        def __init__(self, folder):
            self.folder = folder
        def make(self, rng):
            return "draw"
        def spoil(self, rng, text, other):
            return text + "!"
        def fitted(self, text):
            return text
        def attempt(self, text):
            return self.fails(text) or True

    def target(fails):
        return type("Planted", (Target,), {"fails": staticmethod(fails)})

    TARGETS = {
        "sound": target(lambda text: True),
        "raises": target(lambda text: 1 // ("!!" not in text)),
        "hangs": target(lambda text: max(range(10**12))),
        "dies": target(lambda text: os.kill(os.getpid(), signal.SIGKILL)),
        "eats": target(lambda text: len(bytearray(2**30))),
        "writes": target(lambda text: open(OUTSIDE, "w")),
        "starts": target(lambda text: os.system("true")),
    }
"""


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Stand in for the targets with some whose faults are known; returns a file that they may not write."""
    outside = tmp_path / "outside"
    (tmp_path / "fuzzing.py").write_text(textwrap.dedent(PLANTED) + f"\nOUTSIDE = {str(outside)!r}\n")
    monkeypatch.setattr(fuzz, "TESTS", str(tmp_path))
    return outside


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "ZeroDivisionError"),
        ("hangs", "hang: more than 2.0 s of processor time"),
        ("dies", "died with status -9"),
        ("eats", "MemoryError"),
        ("writes", "outside of"),
        ("starts", "os.system"),
    ],
)
def test_a_fault_is_found_and_the_input_told(planted, name, said):
    outcome = fuzz.feed([name], 200 if name == "raises" else 1)[name]
    ((message, text),) = outcome.failures[:1]
    assert said in message
    # Made as small as it can be.
    assert text == {"raises": "!!", "hangs": "draw", "dies": "draw"}.get(name, "")
    assert not planted.exists()


def test_after_a_death_the_other_targets_are_fed_still(planted):
    outcomes = fuzz.feed(["dies", "sound"], 3)
    assert [outcome.inputs for outcome in outcomes.values()] == [3, 3]
    assert [len(outcome.failures) for outcome in outcomes.values()] == [3, 0]


def test_inputs_that_reach_something_new_are_told_apart(tmp_path, monkeypatch):
    (tmp_path / "canfield_cli.py").write_text(
        "def read(text):\n    if text == 'a':\n        return 1\n    return 2 if text == 'b' else 3\n"
    )
    code = (
        "from marks import mark_program; marks = mark_program(); import canfield_cli\n"
        "for text in 'a', 'a', 'b', 'c', 'b', 'd': canfield_cli.read(text); print(marks.reached())"
    )
    path = os.pathsep.join([str(tmp_path), os.path.dirname(fuzz.__file__)])
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    reached = [int(line) for line in process.stdout.split()]
    assert [later - before for before, later in zip(reached, reached[1:], strict=False)] == [0, 2, 1, 0, 0]


@pytest.mark.parametrize("odd", [odd for odd in ODD if not odd.isprintable()], ids=ascii)
def test_what_a_terminal_obeys_is_not_taken_for_harmless(odd):
    error = CanfieldError(f"there is no {odd}", "mend it")
    with pytest.raises(AssertionError):
        assert_harmless(error)
