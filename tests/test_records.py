"""Records: each game once whatever happens to the file, the process or the clock; refusals in one sentence."""

import ast
import ctypes
import os
import random
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from entries import NOON, make, won
from games import play_on
from hypothesis import given, settings
from hypothesis import strategies as st

from canfield_cli.engine.clock import LATEST, Clock
from canfield_cli.engine.deal import deal_daily, deal_seed
from canfield_cli.engine.errors import CanfieldError, SaveError, SystemRefused
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.tally import HELPED, Tally
from canfield_cli.store.database import Database
from canfield_cli.store.entry import COLUMNS, OUTCOMES, Entry, format_rules, parse_rules
from canfield_cli.store.files import locked
from canfield_cli.store.records import open_records

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "records.db")


def stored(path):
    with open_records(path) as records:
        assert records.notice == ""
        return list(records.entries())


def begin(code, *words, **how):
    """Start a Python process that runs `code`, with what it needs imported and its words as `path` and `rest`."""
    head = (
        "import os, sys, time, sqlite3\n"
        "from canfield_cli.engine.errors import CanfieldError\n"
        "from canfield_cli.store.records import open_records\n"
        "from entries import make, won\n"
        "path, *rest = sys.argv[1:]\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", head + code, *map(str, words)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT}/tests"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **how,
    )


def said(code, *words, **how):
    with begin(code, *words, **how) as process:
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        return out.strip()


def refusal(action, *args):
    """The sentence that refuses an action, which is one, and the kind of the error."""
    with pytest.raises(CanfieldError) as caught:
        action(*args)
    error = caught.value
    assert error.hint
    for text in (error.message, error.hint):
        assert "\n" not in text
        assert not text.endswith(".")
    return type(error), error.message


# What is recorded.


def test_an_entry_is_what_the_game_says():
    game = Game.of(deal_daily("2026-11-30", "classic"), preset("classic"))
    game.clock = Clock(NOON)
    game.tally = Tally("00112233445566aa", "Ann", "2026-11-30", 2, 3, "peek")
    for second in range(15):
        game.play("redeal" if "redeal" in game.position.legal() else "draw")
        game.clock.tick(NOON + 60 + second)
    entry = Entry.of(game, "open")
    # 34 cards are drawn in 12 times; the base card stands and counts 5.
    assert {name: getattr(entry, name) for name in COLUMNS if name != "code"} == {
        "id": "00112233445566aa", "player": "Ann", "base": entry.base,
        "daily": "2026-11-30", "late": False, "begun": NOON, "ended": NOON + 74, "seconds": 14, "moves": 15,
        "undos": 0, "redeals": 1, "restarts": 2, "hints": 3, "helped": "peek", "cards_up": 1, "score": 5,
        "outcome": "open",
    }  # fmt: skip
    assert entry.base == deal_daily("2026-11-30", "classic").cards[13][0]
    assert entry.code.startswith("CAN-D3-")
    assert entry.actions == ["draw"] * 12 + ["redeal"] + ["draw"] * 2
    assert entry.rules == preset("classic")


@pytest.mark.parametrize(
    ("begun", "late"),
    [(NOON, False), (NOON + 43199, False), (NOON + 43200, True), (NOON - 43201, True), (0, True)],
)
def test_a_daily_game_is_late_when_begun_on_another_day_in_utc(begun, late):
    game = Game.of(deal_daily("2026-11-30", "standard"), preset())
    game.clock, game.tally = Clock(begun), Tally("0" * 16, daily="2026-11-30")
    game.play("draw")
    assert Entry.of(game, "left").late is late


def test_what_is_put_comes_back_whole(path):
    entries = [
        make(1, player="Łukasz `{}` \"'; DROP TABLE games; --"),
        won(2, "modern", daily="2026-11-30", late=True, helped="finish", hints=2, restarts=1, undos=4),
        make(3, begun=LATEST, ended=0.0, seconds=0.001, score=-50),
        make(4, begun=NOON, ended=NOON - 1000, outcome="lost"),
    ]
    with open_records(path) as records:
        assert records.put_all(entries) == (4, 0)
        assert list(records.entries()) == entries
        for n, entry in enumerate(entries, 1):
            assert records.entry(n) == entry
            assert records.entry(n).values == entry.values
            assert records.entry(n).actions == ["draw"] * 3
        for n in (0, 5, -1, 10**30):
            assert records.entry(n) is None
    assert stored(path) == entries


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": "XY" * 8},
        {"id": "0" * 17},
        {"player": "a\nb"},
        {"player": "\x1b[31m"},
        {"player": "a\x00"},
        {"player": "\udcff"},
        {"player": "a\u202eb"},
        {"player": "a" * 41},
        {"begun": -1.0},
        {"ended": 1e300},
        {"ended": float("nan")},
        {"seconds": float("inf")},
        {"seconds": "3"},
        {"moves": 10**9},
        {"undos": 2**64},
        {"hints": -1},
        {"score": -(10**9)},
        {"cards_up": 53},
        {"helped": "yes"},
        {"base": "1"},
        {"base": "A2"},
        {"outcome": "stolen"},
        {"code": "x" * 10**6},
        {"daily": "\n"},
    ],
    ids=str,
)
def test_what_no_game_has_is_not_recorded_and_nothing_else_that_came_with_it(path, change):
    with open_records(path) as records:
        with pytest.raises(SaveError) as caught:
            records.put_all([make(1), make(2, **change)])
        assert str(caught.value).isprintable()
        assert list(records.entries()) == []


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_kept_with_all_their_options(path, name):
    rules = preset(name, redeals=2, undo_limit=0)
    assert parse_rules(format_rules(rules)) == rules
    with open_records(path) as records:
        records.put_all([make(1, rules=rules), make(2, rules=preset(name)), make(3, rules=rules)])
        words = records.rows("SELECT preset, words FROM rulesets ORDER BY key")
        assert words == [(name, format_rules(rules)), (name, format_rules(preset(name)))]


# The same game put more than once.


def alike():
    """Entries of a few games, which differ in what decides and in what does not."""
    return st.builds(
        make,
        st.integers(1, 3),
        outcome=st.sampled_from(OUTCOMES),
        ended=st.sampled_from([0.0, 5.0, 5.5, LATEST]),
        helped=st.sampled_from(HELPED),
        hints=st.integers(0, 1),
        moves=st.integers(2, 3),
        undos=st.integers(0, 1),
        restarts=st.integers(0, 1),
        daily=st.sampled_from([None, "2026-11-30"]),
        rules=st.sampled_from([preset(), preset("easy")]),
        actions=st.sampled_from([["draw"], ["draw", "draw"]]),
    )


def came(entry):
    """When a state came: of the same instant, that of the last beginning, and there what more was done and undone for."""
    return entry.ended, entry.restarts, len(entry.actions) + 2 * entry.undos


@settings(max_examples=60)
@given(st.lists(alike(), max_size=8), st.randoms(use_true_random=False))
def test_the_order_and_number_of_puts_does_not_matter(tmp_path_factory, entries, rng):
    folder = tmp_path_factory.mktemp("records")
    mixed = entries + rng.choices(entries, k=3) if entries else []
    rng.shuffle(mixed)
    with open_records(str(folder / "a.db")) as a, open_records(str(folder / "b.db")) as b:
        for entry in entries:
            a.put(entry)
        b.put_all(mixed)
        there = {entry.id: entry for entry in a.entries()}
        assert {entry.id: entry for entry in b.entries()} == there
        # Merging with itself changes nothing; with the other one neither.
        assert a.put_all(list(a.entries())) == (0, 0)
        assert a.put_all(list(b.entries())) == (0, 0)
    assert there.keys() == {entry.id for entry in entries}
    for entry in entries:
        kept = there[entry.id]
        mine = [each for each in entries if each.id == entry.id]
        wins = [each for each in mine if each.outcome == "won"]
        assert (kept.outcome == "won") == bool(wins)
        assert came(kept) == (min(map(came, wins)) if wins else max(map(came, mine)))


def test_the_first_win_stays_whatever_comes_after(path):
    first = won(ended=NOON + 10, score=255)
    later = [
        won(ended=NOON + 20, score=300),
        make(ended=NOON + 30),
        won(ended=NOON + 10, score=255, helped="peek"),
    ]
    with open_records(path) as records:
        records.put(make(ended=NOON + 5))
        assert records.put_all([first]) == (0, 1)
        assert records.put_all(later) == (0, 0)
        assert list(records.entries()) == [first]
        assert records.entry(1) == first


def test_an_open_game_becomes_left_and_lost_at_the_same_instant_and_open_again_when_played_on(path):
    with open_records(path) as records:
        for entry, changed in (
            (make(outcome="open"), 0),
            (make(outcome="left"), 1),
            (make(outcome="lost"), 1),
            (make(outcome="open"), 0),
            (make(outcome="open", ended=NOON + 100), 1),
        ):
            assert records.put_all([entry])[1] == changed
        assert [entry.outcome for entry in records.entries()] == ["open"]


@pytest.mark.parametrize(
    "later",
    [
        {"actions": ["draw"] * 4},
        # Undone by one of them, and by all of them.
        {"actions": ["draw"] * 2, "undos": 1},
        {"actions": [], "undos": 3},
        {"actions": ["draw"], "restarts": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("outcome", ["open", "left"])
@pytest.mark.parametrize("before", ["open", "left", "lost"])
def test_of_states_of_the_same_instant_the_one_stays_that_came_later(path, later, outcome, before):
    """A clock that was set back shows the same instant until it is where it was."""
    late = make(outcome=outcome, **later)
    with open_records(path) as records:
        for entry in (make(outcome=before, helped="peek", hints=5), late, make(outcome=before, hints=5)):
            records.put(entry)
        assert list(records.entries()) == [late]


def test_what_is_known_of_games_is_what_is_recorded(path):
    entries = [won(1, ended=5.0), make(2, ended=7.5)]
    with open_records(path) as records:
        records.put_all(entries)
        found = records.known(f"{number:016x}" for number in (1, 2, 3))
        assert found == {entry.id: entry for entry in entries}
        assert records.known([]) == {}


# Bests and the account.


def test_bests_are_of_wins_without_help_under_exactly_these_rules_by_this_player(path):
    easy = preset("easy")
    with open_records(path) as records:
        assert records.bests(preset(), "").data == {"score": None, "moves": None, "seconds": None, "wins": 0}
        records.put_all(
            [
                won(1, score=255, moves=120, seconds=300.5),
                won(2, score=200, moves=110, seconds=400.0),
                won(3, score=999, moves=1, seconds=1.0, helped="peek"),
                won(4, score=998, moves=2, seconds=2.0, helped="finish"),
                won(5, score=997, moves=3, seconds=3.0, player="Ann"),
                won(6, score=996, moves=4, seconds=4.0, rules=easy),
                won(7, score=995, moves=5, seconds=5.0, rules=preset(redeals=3)),
                make(8, score=994, moves=6, seconds=6.0),
                make(9, score=994, moves=6, seconds=6.0, outcome="lost"),
            ]
        )
        assert records.bests(preset(), "").data == {"score": 255, "moves": 110, "seconds": 300.5, "wins": 2}
        best = records.bests(preset(), "", f"{1:016x}")
        assert best.data == {"score": 200, "moves": 110, "seconds": 400.0, "wins": 1}
        assert records.bests(preset(), "Ann").score == 997
        assert records.bests(easy, "").wins == 1


def test_the_account_counts_packs_bought_and_the_evening_ends_with_six_hours_of_pause(path):
    def casino(number, hours, cards_up, outcome="left", name="casino", **changes):
        paid = 500 if outcome == "won" else 5 * cards_up
        begun = NOON + 3600 * hours
        values = {
            "begun": begun,
            "ended": begun + 600,
            "cards_up": cards_up,
            "outcome": outcome,
            "score": paid - 50,
        }
        return make(number, name, **values | changes)

    with open_records(path) as records:
        assert records.account("", NOON) == (0, 0, 0)
        records.put_all(
            [
                casino(1, 0, 10),  # 0: 50 paid for 50, the day before
                casino(2, 8, 11),  # +5
                casino(3, 14.1, 52, "won"),  # +450, less than six hours after that one's end
                casino(4, 15, 1),  # -45
                casino(5, 15, 20, player="Ann"),
                make(6, "standard", begun=NOON, ended=NOON + 16 * 3600, score=255),
            ]
        )
        later = NOON + 16 * 3600
        assert records.account("", later) == (5 + 450 - 45, 50 + 55 + 500 + 5, 4 * 50)
        assert records.account("", later + 6 * 3600) == (0, 610, 200)
        assert records.account("Ann", later) == (50, 100, 50)
        assert records.account("", later, f"{4:016x}") == (455, 605, 150)
        # BSD's prices: whatever of the cards' 5 each is not in the score was paid for.
        records.put(casino(7, 15.9, 8, name="bsd", score=40 - 63))
        assert records.account("", later) == (410 - 23, 610 + 40, 200 + 63)


def test_an_evening_with_a_clock_that_jumps_is_still_told(path):
    with open_records(path) as records:
        records.put_all(
            [
                make(1, "casino", begun=0.0, ended=LATEST, cards_up=1, score=-45),
                make(2, "casino", begun=LATEST, ended=0.0, cards_up=1, score=-45),
            ]
        )
        for now in (0.0, NOON, LATEST):
            evening, paid, cost = records.account("", now)
            assert evening in (0, -45, -90)
            assert (paid, cost) == (10, 100)


# Forgetting.


def test_forgetting_leaves_nothing_on_the_disk_and_notes_when(path, tmp_path):
    name = "Ann of the records"
    with open_records(path) as records:
        assert records.since == 0
        records.put_all(make(number, player=name) for number in range(1, 400))
        assert records.forget(NOON + 0.5) == []
        for file in tmp_path.iterdir():
            assert name.encode() not in file.read_bytes()
        assert records.since == NOON + 0.5
        assert list(records.entries()) == []
        records.put(make(1))
    assert [file.name for file in tmp_path.iterdir()] == ["records.db"]
    assert name.encode() not in (tmp_path / "records.db").read_bytes()
    assert (tmp_path / "records.db").stat().st_size < 100_000


def test_forgetting_waits_for_whoever_still_reads_what_is_to_go(path, tmp_path):
    with open_records(path, wait=0.2) as records:
        records.put(make(1, player="Ann of the records"))
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        kind, message = refusal(records.forget, NOON)
        assert (kind, "another program is using" in message) == (SystemRefused, True)
        assert list(records.entries()) == []
        reader.close()
        assert records.forget(NOON) == []
        for file in tmp_path.iterdir():
            assert b"Ann of the records" not in file.read_bytes()


def test_forgetting_names_what_was_set_aside(path, tmp_path):
    (tmp_path / "records.db").write_bytes(b"SQLite format 3\0" + b"not a database" * 100)
    with open_records(path) as records:
        assert records.forget(NOON) == [f"{path}.broken-1"]


# The file: missing, empty, private.


def test_a_missing_and_an_empty_file_are_empty_records(path, tmp_path):
    assert stored(path) == []
    (tmp_path / "empty.db").touch()
    assert stored(str(tmp_path / "empty.db")) == []
    assert sorted(os.listdir(tmp_path)) == ["empty.db", "records.db"]


def test_the_default_folder_is_made_and_no_other(tmp_path):
    home = {"HOME": str(tmp_path)}
    usual = tmp_path / ".local" / "share" / "canfield" / "records.db"
    open_records(str(usual), home).close()
    assert stat.S_IMODE(usual.parent.stat().st_mode) == 0o700
    kind, message = refusal(open_records, str(tmp_path / "other" / "records.db"), home)
    assert kind is SystemRefused
    assert "no such file" in message
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_every_file_is_private_whatever_the_umask(path, tmp_path, umask):
    before = os.umask(umask)
    try:
        with open_records(path) as records:
            records.put(make())
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(["records.db", "records.db-wal", "records.db-shm"], 0o600)


def test_an_odd_name_is_a_name_like_another(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x?mode=memory", "a b'\"%.db", "caf\udce9.db"):
        with open_records(name) as records:
            records.put(make())
        assert len(stored(name)) == 1
        assert os.path.exists(name)


# What is asked for.


def test_no_placeholder_is_numbered():
    """Python 3.12 warns of numbers where the values come in a row, and a later one refuses them."""
    asked = [
        node.value
        for file in Path(ROOT, "canfield_cli").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert any("= ?" in text for text in asked)
    assert [text for text in asked if re.search(r"\?\d", text)] == []


# What is no records file at all.


def make_loop(path):
    os.symlink(path, path)


@pytest.mark.parametrize("lay", [os.mkdir, os.mkfifo, make_loop, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_regular_file_is_refused_at_once_and_left(path, tmp_path, lay):
    lay(path)
    before = os.lstat(path)
    begun = time.monotonic()
    kind, _ = refusal(open_records, path)
    assert kind is SystemRefused
    assert time.monotonic() - begun < 1
    assert os.lstat(path) == before
    assert os.listdir(tmp_path) == ["records.db"]


def test_a_link_of_ones_own_leads_to_the_file(path, tmp_path):
    (tmp_path / "deep").mkdir()
    os.symlink("deep/real.db", path)
    with open_records(path) as records:
        records.put(make())
    assert os.path.islink(path)
    assert os.listdir(tmp_path / "deep") == ["real.db"]


def test_a_link_that_somebody_else_laid_where_all_may_write_is_not_followed(path, tmp_path, monkeypatch):
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    os.symlink(mine, path)
    tmp_path.chmod(0o1777)
    if os.geteuid():
        # Only root can give files away, so the system's answer is given by hand.
        lstat, said = os.lstat, [*os.lstat(path)]
        said[stat.ST_UID] += 1
        theirs = os.stat_result(said)
        monkeypatch.setattr(os, "lstat", lambda name, **more: theirs if name == path else lstat(name, **more))
    else:
        os.lchown(path, 65534, 65534)
    kind, message = refusal(open_records, path)
    assert (kind, "another user" in message) == (SystemRefused, True)
    assert mine.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["mine.txt", "records.db"]


def test_another_programs_database_is_refused_and_left_as_it_is(path, tmp_path):
    for statement in ("CREATE TABLE moz_places (id)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"):
        (tmp_path / "records.db").unlink(missing_ok=True)
        other = sqlite3.connect(path)
        other.execute(statement)
        other.commit()
        other.close()
        before = (tmp_path / "records.db").read_bytes()
        kind, message = refusal(open_records, path)
        assert (kind, "another program" in message) == (SaveError, True)
        assert (tmp_path / "records.db").read_bytes() == before
        assert os.listdir(tmp_path) == ["records.db"]


@pytest.mark.parametrize("size", [1, 15, 16, 99, 100, 511, 512, 513, 4096, 20_000])
@pytest.mark.parametrize("made_of", [b"these are not the records\n", b"\0", b"SQLite format 3"])
def test_what_is_no_sqlite_file_is_refused_and_left_where_it_is(path, tmp_path, size, made_of):
    before = (made_of * size)[:size]
    (tmp_path / "records.db").write_bytes(before)
    kind, message = refusal(open_records, path)
    assert (kind, "is no file of SQLite" in message) == (SaveError, True)
    assert (tmp_path / "records.db").read_bytes() == before
    assert os.listdir(tmp_path) == ["records.db"]


def test_what_is_put_in_the_place_of_open_records_is_left_there(path, tmp_path):
    file = tmp_path / "records.db"
    with open_records(path) as records:
        records.put_all(make(number) for number in range(1, 300))
    with open_records(path) as records:
        file.write_bytes(b"these are not the records\n" * 4000)
        assert refusal(lambda: list(records.entries()))[0] is SaveError
    assert file.read_bytes() == b"these are not the records\n" * 4000
    assert [name for name in os.listdir(tmp_path) if "broken" in name] == []


def test_records_of_a_later_version_are_left_as_they_are(path, tmp_path):
    with open_records(path) as records:
        records.put(make())
    later = sqlite3.connect(path)
    later.execute("PRAGMA user_version = 2")
    later.close()
    before = (tmp_path / "records.db").read_bytes()
    kind, message = refusal(open_records, path)
    assert (kind, "version 2" in message, "later version" in message) == (SaveError, True, True)
    assert (tmp_path / "records.db").read_bytes() == before
    assert os.listdir(tmp_path) == ["records.db"]


# Migrations.

FIRST = ("CREATE TABLE a (x)", "INSERT INTO a VALUES (1)")
SECOND = ("ALTER TABLE a ADD y", "UPDATE a SET y = x + 1")
THIRD = ("CREATE TABLE b AS SELECT y FROM a",)


def rows(database, sql):
    return database.run(lambda connection: connection.execute(sql).fetchall())


@pytest.mark.parametrize("steps", [[3], [1, 3], [2, 3], [1, 2, 3], [1, 1, 3, 3]])
def test_migrations_run_once_each_and_in_order_from_any_version(path, steps):
    for step in steps:
        database = Database(path, (FIRST, SECOND, THIRD)[:step], 1)
        assert rows(database, "PRAGMA user_version") == [(step,)]
        database.close()
    database = Database(path, (FIRST, SECOND, THIRD), 1)
    assert rows(database, "SELECT * FROM a") == [(1, 2)]
    assert rows(database, "SELECT * FROM b") == [(2,)]
    database.close()


def test_a_migration_that_fails_leaves_the_version_before(path):
    database = Database(path, (FIRST,), 1)
    assert rows(database, "SELECT * FROM a") == [(1,)]
    database.close()
    broken = Database(path, (FIRST, SECOND, ("INSERT INTO nowhere VALUES (1)",)), 1)
    assert refusal(rows, broken, "SELECT 1")[0] is SaveError
    database = Database(path, (FIRST,), 1)
    assert rows(database, "SELECT * FROM a") == [(1,)]
    assert rows(database, "PRAGMA user_version") == [(1,)]
    assert database.notice == ""
    database.close()


# Other processes.


HOLD = """
other = sqlite3.connect(path, isolation_level=None)
other.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("empty", [False, True])
def test_a_file_that_another_program_holds_is_waited_for_and_then_refused(path, tmp_path, empty):
    if empty:
        (tmp_path / "records.db").touch()
    else:
        open_records(path).close()
    with begin(HOLD, path) as holder:
        holder.stdout.readline()
        begun = time.monotonic()

        def put():
            with open_records(path, wait=0.3) as records:
                records.put(make())

        kind, message = refusal(put)
        waited = time.monotonic() - begun
        assert (kind, "another program is using" in message) == (SystemRefused, True)
        assert 0.3 <= waited < 2
        holder.communicate("")
        put()
    assert len(stored(path)) == 1


def test_a_file_that_is_let_go_in_time_is_written(path):
    open_records(path).close()
    with begin(HOLD.replace("sys.stdin.read()", "time.sleep(0.3)"), path) as holder:
        holder.stdout.readline()
        with open_records(path, wait=10) as records:
            records.put(make())
    assert len(stored(path)) == 1


def test_whoever_recovers_after_a_crash_makes_others_wait_no_longer_than_they_will(path):
    """The first to open after a crash holds our lock for it; a stopped process too."""
    with begin("r = open_records(path); r.put(make()); os.kill(os.getpid(), 9)", path) as process:
        process.wait(10)
    assert os.path.getsize(path + "-wal")
    with locked(path):
        begun = time.monotonic()
        kind, message = refusal(lambda: open_records(path, wait=0.2))
        assert (kind, "another canfield command" in message) == (SystemRefused, True)
        assert time.monotonic() - begun < 2
    assert stored(path) == [make()]


def test_eight_processes_put_at_once_and_all_of_it_is_there(path):
    code = """
print("ready", flush=True)
sys.stdin.readline()
for number in range(5):
    with open_records(path, wait=20) as records:
        records.put(make(100 * int(rest[0]) + number))
        records.put(won(7777, ended=float(rest[0])))
"""
    processes = [begin(code, path, number) for number in range(8)]
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    entries = stored(path)
    assert sorted(int(entry.id, 16) for entry in entries if entry.outcome != "won") == [
        100 * process + number for process in range(8) for number in range(5)
    ]
    # All of them put the same game, too: the first win stands.
    assert [entry.ended for entry in entries if entry.outcome == "won"] == [0]


def test_a_kill_in_the_middle_of_writing_leaves_nothing_half(path):
    code = """
with open_records(path) as records:
    for number in range(1, 10**6):
        records.put_all([make(3 * number), make(3 * number + 1), make(3 * number + 2)])
        if number == 5:
            print("on its way", flush=True)
"""
    rng = random.Random(1)
    for _ in range(4):
        with begin(code, path) as process:
            process.stdout.readline()
            time.sleep(rng.random() / 20)
            process.send_signal(signal.SIGKILL)
        with open_records(path) as records:
            assert records.notice == ""
            assert records.rows("PRAGMA integrity_check") == [("ok",)]
            games = records.rows("SELECT n FROM games ORDER BY n")
            assert games == records.rows("SELECT n FROM lines ORDER BY n")
            assert len(games) >= 15
            assert len(games) % 3 == 0


# What the system refuses.


def test_a_full_disk_is_told_and_nothing_half_is_left(path):
    with open_records(path) as records:
        records.put(make())
        records.rows("PRAGMA max_page_count = 12")
        kind, message = refusal(records.put_all, [make(number) for number in range(2, 500)])
        assert (kind, "the disk is full" in message) == (SystemRefused, True)
        assert list(records.entries()) == [make()]
    assert stored(path) == [make()]


#: prctl(PR_CAPBSET_DROP) of Linux, and the two powers of root to pass over permissions.
DROP, OVERRIDE, READ_SEARCH = 24, 1, 2


def become_powerless():
    """Let root be refused like anybody else."""
    libc = ctypes.CDLL(None)
    if os.geteuid() == 0 and (libc.prctl(DROP, OVERRIDE, 0, 0, 0) or libc.prctl(DROP, READ_SEARCH, 0, 0, 0)):
        raise OSError


def forbid_writing():
    """Let no file grow beyond a few bytes; output goes to a pipe."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


PUT = """
try:
    with open_records(path, wait=0.2) as records:
        records.put(make(2))
    print("put")
except CanfieldError as error:
    print(type(error).__name__, error.status, bool(error.hint), error)
"""


def test_a_file_that_can_not_grow_is_refused_and_left_whole(path):
    with open_records(path) as records:
        records.put(make())
    assert said(PUT, path, preexec_fn=forbid_writing).startswith("SystemRefused 4 True")
    assert stored(path) == [make()]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can take the powers of root")
@pytest.mark.parametrize(
    ("folder", "file"), [(0o700, 0o400), (0o500, 0o600), (0o500, None), (0o700, 0), (0, 0o600)]
)
def test_what_may_not_be_written_or_read_is_refused_and_left(path, tmp_path, folder, file):
    if file is not None:
        with open_records(path) as records:
            records.put(make())
        os.chmod(path, file)
    tmp_path.chmod(folder)
    try:
        answer = said(PUT, path, preexec_fn=become_powerless)
    finally:
        tmp_path.chmod(0o700)
    assert answer.startswith("SystemRefused 4 True")
    assert sorted(os.listdir(tmp_path)) == ([] if file is None else ["records.db"])
    if file is not None:
        os.chmod(path, 0o600)
        assert stored(path) == [make()]


def test_a_python_without_sqlite_plays_without_records(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    kind, message = refusal(open_records, path)
    assert (kind, "SQLite can't be loaded" in message) == (SystemRefused, True)


# Damage.


def spoil_all(data):
    """All but what says that it is a file of SQLite."""
    return data[:16] + random.Random(1).randbytes(len(data) - 16)


def cut_off(data):
    return data[: len(data) // 2 + 700]


def cut_short(data):
    return data[:50]


def spoil_middle(data):
    """Every page but the first is made of nothing."""
    return data[:4096] + b"\xff" * (len(data) - 4096)


def spoil_schema(data):
    return data[:100] + b"\xaa" * 3996 + data[4096:]


@pytest.mark.parametrize("spoil", [spoil_all, cut_off, cut_short, spoil_middle, spoil_schema])
def test_a_damaged_file_is_set_aside_byte_for_byte_and_new_records_are_begun(path, tmp_path, spoil):
    with open_records(path) as records:
        records.put_all(make(number) for number in range(1, 300))
    file = tmp_path / "records.db"
    bad = spoil(file.read_bytes())
    file.write_bytes(bad)
    with open_records(path) as records:
        records.put(make(1000))
        assert "damaged" in records.notice
        assert "records.db.broken-1" in records.notice
        assert "\n" not in records.notice
        assert list(records.entries()) == [make(1000)]
    assert (tmp_path / "records.db.broken-1").read_bytes() == bad
    assert stored(path) == [make(1000)]
    # The next one goes beside it.
    file.write_bytes(bad)
    with open_records(path) as records:
        records.put(make(2000))
        assert "broken-2" in records.notice
    assert (tmp_path / "records.db.broken-1").read_bytes() == bad
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_what_was_written_last_is_set_aside_with_the_file(path, tmp_path):
    file = tmp_path / "records.db"
    with open_records(path) as records:
        records.put_all(make(number) for number in range(100, 400))
    with begin("r = open_records(path); r.put(make()); os.kill(os.getpid(), 9)", path) as process:
        process.wait(10)
    waiting = (tmp_path / "records.db-wal").read_bytes()
    bad = spoil_middle(file.read_bytes())
    file.write_bytes(bad)
    with open_records(path) as records:
        assert list(records.entries()) == []
        records.put(make(2))
        assert records.notice
    assert (tmp_path / "records.db.broken-1").read_bytes() == bad
    assert (tmp_path / "records.db.broken-1-wal").read_bytes() == waiting
    assert stored(path) == [make(2)]


def test_a_leftover_of_a_file_that_is_gone_is_not_taken_for_part_of_the_new_one(path, tmp_path):
    with begin("r = open_records(path); r.put(make()); os.kill(os.getpid(), 9)", path) as process:
        process.wait(10)
    (tmp_path / "records.db").unlink()
    with open_records(path) as records:
        records.put(make(2))
    assert stored(path) == [make(2)]


def test_processes_that_find_the_same_damage_set_it_aside_once(path, tmp_path):
    with open_records(path) as records:
        records.put_all(make(number) for number in range(1, 300))
    file = tmp_path / "records.db"
    bad = spoil_middle(file.read_bytes())
    file.write_bytes(bad)
    code = """
records = open_records(path, wait=20)
print("open", flush=True)
sys.stdin.readline()
records.put(make(1000 + int(rest[0])))
print(records.notice != "")
"""
    processes = [begin(code, path, number) for number in range(4)]
    for process in processes:
        assert process.stdout.readline() == "open\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    notices = [process.communicate(timeout=30)[0].strip() for process in processes]
    assert sorted(notices) == ["False"] * 3 + ["True"]
    # Beside it lies what its last users had of it.
    aside = {
        name.removesuffix("-wal").removesuffix("-shm") for name in os.listdir(tmp_path) if "broken" in name
    }
    assert aside == {"records.db.broken-1"}
    assert file.with_name("records.db.broken-1").read_bytes() == bad
    assert sorted(int(entry.id, 16) for entry in stored(path)) == [1000, 1001, 1002, 1003]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The bytes of a file with games of every kind."""
    path = tmp_path_factory.mktemp("sound") / "records.db"
    rng = random.Random(3)
    entries = []
    for number in range(120):
        game = Game.of(deal_seed(number), preset(rng.choice(list(PRESETS))))
        game.clock, game.tally = Clock(NOON + number), Tally(f"{number:016x}", "Ann")
        play_on(rng, game, 40)
        if game.done:
            entries.append(Entry.of(game, rng.choice(OUTCOMES)))
    with open_records(str(path)) as records:
        records.put_all(entries)
    return path.read_bytes()


def use(path):
    """Do with the records what can be done; return what was refused."""
    refused = []
    with open_records(path, wait=0.1) as records:
        for act in (
            lambda: list(records.entries()),
            lambda: records.bests(preset(), "Ann"),
            lambda: records.account("Ann", NOON),
            lambda: records.known(f"{number:016x}" for number in range(120)),
            lambda: records.put_all([make(5), make(500)]),
            lambda: records.since,
            lambda: records.forget(NOON),
        ):
            try:
                act()
            except CanfieldError as error:
                refused.append(str(error))
    return refused


@pytest.mark.parametrize("count", [1, 3, 30, 300])
def test_whatever_bytes_are_flipped_nothing_but_a_sentence_comes_of_it(tmp_path, sound, count):
    for seed in range(30):
        rng = random.Random(seed)
        bad = bytearray(sound)
        for _ in range(count):
            bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        file = tmp_path / str(seed)
        file.write_bytes(bad)
        try:
            assert all(map(str.isprintable, use(str(file))))
        except SaveError:
            # The head tells of another program or a later version.
            assert file.read_bytes() == bad
