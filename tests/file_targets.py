"""The readers of the files beside the save: the records and their CSV, the settings, the lines typed before."""

import contextlib
import functools
import os
import sqlite3

from command_targets import OverGame
from soundness import assert_printable, sound_entry
from target import ACTIONS, WORDS, Target

from canfield_cli.cli.report import report
from canfield_cli.commands import COMMANDS
from canfield_cli.commands.context import execute
from canfield_cli.commands.settings import SETTINGS, Settings, kept_settings
from canfield_cli.commands.table import parse
from canfield_cli.store.config import read_config
from canfield_cli.store.entry import COLUMNS, OUTCOMES
from canfield_cli.store.records import open_records
from canfield_cli.store.recordscsv import FIELDS, format_csv, parse_csv


class Csv(Target):
    words = (*WORDS, *FIELDS, *OUTCOMES, ",", '"', '""', "\n", "\r\n", "\r", "0", "1", "-1", "1e9", "2026-11-30")  # fmt: skip
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


class Database(OverGame):
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
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError, MemoryError):
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
        from canfield_cli.cli import history

        self.full = history.HISTORY = 20
        self.history = history.LineHistory
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
