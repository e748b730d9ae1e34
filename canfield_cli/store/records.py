"""The records: a row for each game that was begun and had an action, in SQLite, with its actions to replay.

The save is the truth and the records follow it: a game may be put into them any number of times, in any
order and on any machine, and the same row is left (:meth:`Entry.outranks`). Start reading at
:func:`open_records`.
"""

from __future__ import annotations

from sys import intern

from ..engine.cards import PACK
from ..engine.clock import LATEST
from ..engine.errors import SaveError, SystemRefused, quoted
from ..engine.game import LONGEST
from ..engine.position import Action
from ..engine.rules import Rules, preset
from ..engine.scoring import MONEY, SCORINGS
from .database import BUSY, HINT, Database
from .entry import COLUMNS, MOST, Entry, format_rules, parse_rules
from .paths import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from sqlite3 import Connection
    from types import TracebackType
    from typing import Any, NoReturn, TypeVar

    from ..engine.scoring import Scoring
    from ..engine.tally import Account

    T = TypeVar("T")

__all__ = ["Bests", "Records", "open_records", "sound_entry"]

#: The most bytes that the actions of a game take.
_LONGEST_LINE = 2**17
#: What holds of the columns that are reckoned with where no Entry is made; an index has them all. To SQLite,
#: whatever is no number is beyond all numbers.
_SOUND = " AND ".join(
    (
        "typeof(player) = 'text'",
        f"ended BETWEEN 0 AND {LATEST}",
        f"seconds BETWEEN 0 AND {LATEST}",
        f"moves BETWEEN 0 AND {MOST - 1}",
        f"cards_up BETWEEN 0 AND {len(PACK)}",
        f"score BETWEEN {1 - MOST} AND {MOST - 1}",
    )
)
#: A pause of so many seconds ends an evening.
_PAUSE = 6 * 3600.0
#: So many games are read at a time.
_PAGE = 100

#: No STRICT: an older SQLite takes a file with such tables for a damaged one. Entry.check stands in for it.
MIGRATIONS = (
    (
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value)",
        "CREATE TABLE rulesets (key INTEGER PRIMARY KEY, preset TEXT NOT NULL, words TEXT NOT NULL UNIQUE)",
        "CREATE TABLE games (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, player TEXT NOT NULL,"
        " ruleset INTEGER NOT NULL REFERENCES rulesets, code TEXT NOT NULL, base TEXT NOT NULL, daily TEXT,"
        " late INTEGER NOT NULL, begun REAL NOT NULL, ended REAL NOT NULL, seconds REAL NOT NULL,"
        " moves INTEGER NOT NULL, undos INTEGER NOT NULL, redeals INTEGER NOT NULL, restarts INTEGER NOT NULL,"
        " hints INTEGER NOT NULL, helped TEXT NOT NULL, cards_up INTEGER NOT NULL, score INTEGER NOT NULL,"
        " outcome TEXT NOT NULL)",
        "CREATE TABLE lines (n INTEGER PRIMARY KEY REFERENCES games, actions BLOB NOT NULL)",
        # Whole: statistics read nothing else, which halves their time.
        "CREATE INDEX by_time ON games (ruleset, player, ended, id, outcome, helped, base, cards_up, moves, seconds,"
        " score)",
        "CREATE INDEX by_wins ON games (ruleset, player, outcome, helped, score, moves, seconds)"
        " WHERE outcome = 'won' AND helped = ''",
    ),
)


class ByRuleset(dict[int, "T"]):
    """What belongs to each rule set, by its key. Raises SaveError for a key that the records name and don't have."""

    def __missing__(self, key: object) -> NoReturn:
        raise SaveError("the records contradict themselves, they name rules that they don't have", HINT)


class Bests:
    """The best `score`, `moves` and `seconds` of the `wins` without help, each None where there is no win."""

    __slots__ = ("moves", "score", "seconds", "wins")

    def __init__(self, score: int | None, moves: int | None, seconds: float | None, wins: int) -> None:
        self.score = score
        self.moves = moves
        self.seconds = seconds
        self.wins = wins

    @property
    def data(self) -> dict[str, object]:
        """The JSON object of it."""
        return {name: getattr(self, name) for name in ("score", "moves", "seconds", "wins")}


class Records:
    """The records in one file, as a context. Every method raises SystemRefused and SaveError.

    >>> with open_records("records.db") as records:  # doctest: +SKIP
    ...     records.put(Entry.of(game, "won"))
    """

    __slots__ = ("_database", "_sound")

    def __init__(self, database: Database) -> None:
        self._database = database
        #: All games in the file were seen to be as a game can be.
        self._sound = False

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        self._database.close()

    @property
    def notice(self) -> str:
        """A sentence if the file was damaged and has been set aside, else empty."""
        return self._database.notice

    def put(self, entry: Entry) -> None:
        """Record `entry`, unless what is there of its game outranks it."""
        self.put_all([entry])

    def put_all(self, entries: Iterable[Entry]) -> tuple[int, int]:
        """Record `entries`, all or none; return how many are new, and how many changed what was there."""
        entries = list(entries)
        for entry in entries:
            entry.check()
        return self._database.write(lambda connection: _put_all(connection, entries))

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query. Raises SaveError where a game is other than a game can be."""
        if not self._sound:
            self._database.run(_check_games)
            self._sound = True
        return self._database.run(lambda connection: connection.execute(sql, values).fetchall())

    def numbers(self) -> list[int]:
        """Return the numbers of all games, in order."""
        return [n for (n,) in self.rows("SELECT n FROM games ORDER BY n")]

    def entry(self, n: int) -> Entry | None:
        """Return the game number `n`, or None where there is none."""
        if not 0 < n < MOST:
            return None
        found = self._database.run(lambda connection: _entries(connection, "games.n = ?", n))
        return found[0][1] if found else None

    def entries(self) -> Iterator[Entry]:
        """Yield all games in the order of their numbers."""
        last = 0
        while page := self._after(last):
            yield from (entry for _, entry in page)
            last = page[-1][0]

    def _after(self, last: int) -> list[tuple[int, Entry]]:
        """Return the next games after number `last`, with their numbers."""
        where = f"games.n > ? ORDER BY games.n LIMIT {_PAGE}"
        return self._database.run(lambda connection: _entries(connection, where, last))

    @property
    def since(self) -> float:
        """The instant of the last :meth:`forget`, else 0: nothing that ended before is caught up."""
        rows = self.rows("SELECT value FROM meta WHERE name = 'since'")
        value = rows[0][0] if rows else 0.0
        if not isinstance(value, int | float):
            raise SaveError(f"{quoted(value)} is no time at which the records were forgotten", HINT)
        return value

    def known(self, ids: Iterable[str]) -> dict[str, Entry]:
        """Return what is recorded of the games `ids`."""
        ids = list(ids)
        where = f"games.id IN ({', '.join('?' * len(ids))})"
        found = self._database.run(lambda connection: _entries(connection, where, *ids))
        return {entry.id: entry for _, entry in found}

    def bests(self, rules: Rules, player: str, but: str = "") -> Bests:
        """Return the bests of `player` under exactly these `rules`, leaving out the game with the id `but`."""
        rows = self.rows(
            "SELECT CAST(max(score) AS INTEGER), CAST(min(moves) AS INTEGER), CAST(min(seconds) AS REAL), count(*)"
            " FROM games WHERE outcome = 'won' AND helped = ''"
            " AND ruleset = (SELECT key FROM rulesets WHERE words = ?) AND player = ?"
            " AND n IS NOT (SELECT n FROM games WHERE id = ?)",
            format_rules(rules),
            player,
            but,
        )
        return Bests(*rows[0])

    def account(self, player: str, now: float, but: str = "") -> Account:
        """Return what the games of `player` whose packs are bought came to, leaving out the one with the id `but`.

        That is: the sum of this evening's scores; what all of them paid; what all of them cost. An evening ends
        with a pause of six hours.
        """
        scorings = self._bought()
        which = f"ruleset IN ({', '.join(map(str, scorings))}) AND player = ? AND id != ?"
        paid = score = 0
        sums = self.rows(
            "SELECT ruleset, CAST(total(cards_up) AS INTEGER), CAST(total(outcome = 'won') AS INTEGER),"  # noqa: S608 - numbers of our own
            " CAST(total(score) AS INTEGER) FROM games"
            f" WHERE {which} GROUP BY ruleset",
            player,
            but,
        )
        for ruleset, cards_up, wins, points in sums:
            paid += scorings[ruleset].paid(cards_up, wins)
            score += points
        return self._evening(which, player, but, now), paid, paid - score

    def _evening(self, which: str, player: str, but: str, now: float) -> int:
        """Return the sum of the scores since the last pause, of the games that a condition of SQL asks for."""
        window = 4 * _PAUSE
        while True:
            rows = self.rows(
                f"SELECT CAST(begun AS REAL), ended, seconds, score FROM games WHERE {which} AND ended > ?"  # noqa: S608
                " ORDER BY ended DESC, id DESC",
                player,
                but,
                now - window,
            )
            evening, after = 0, now
            for begun, ended, seconds, score in rows:
                if after - ended >= _PAUSE:
                    return evening
                after = min(after, begun, ended)
                evening += int(score)
                # The pause may as well be in the middle of a game; where its pauses lay is not recorded.
                if ended - begun - seconds >= _PAUSE:
                    return evening
            if after - (now - window) >= _PAUSE or window > LATEST:
                return evening
            window *= 2

    def rulesets(self, preset: str | None = None) -> ByRuleset[Rules]:
        """Return the rules of each rule set, of `preset` where that is not None."""
        sql = "SELECT key, words FROM rulesets WHERE preset IS ifnull(?, preset) ORDER BY key"
        return ByRuleset((key, parse_rules(words)) for key, words in self.rows(sql, preset))

    def _bought(self) -> ByRuleset[Scoring]:
        """Return the scoring table of each rule set whose packs are bought."""
        bought = ((key, rules.scoring) for key, rules in self.rulesets().items() if rules.scoring in MONEY)
        return ByRuleset((key, SCORINGS[scoring]) for key, scoring in bought)

    def forget(self, now: float) -> list[str]:
        """Remove all games, so that nothing of them stays in the file or beside it.

        `now` is the new :attr:`since`. Return the damaged files that were set aside and are still there.
        """
        self._database.write(lambda connection: _clear(connection, now))
        self._database.run(_shrink)
        return self._database.aside


def open_records(path: str, environ: Mapping[str, str] | None = None, *, wait: float = 2.0) -> Records:
    """Open the records at `path`, new ones where there are none.

    The folder is made if that is the default place by `environ`; no other. `wait` is how long another process is waited
    for, in seconds. A damaged file is set aside, see :attr:`Records.notice`. Raises SystemRefused, and
    SaveError for what is no file of SQLite, or what a later version or another program wrote; that is left as it is.
    """
    if environ is not None:
        try:
            make_folder(path, environ)
        except SystemRefused as error:
            error.hint = HINT
            raise
    database = Database(path, MIGRATIONS, wait)
    database.run(lambda connection: None)
    return Records(database)


# What happens inside a transaction.


def _put_all(connection: Connection, entries: list[Entry]) -> tuple[int, int]:
    new = changed = 0
    for entry in entries:
        found = _entries(connection, "games.id = ?", entry.id)
        if not found:
            new += 1
            _write(connection, None, entry)
        elif entry.outranks(found[0][1]):
            changed += 1
            _write(connection, found[0][0], entry)
    return new, changed


def _write(connection: Connection, n: int | None, entry: Entry) -> None:
    """Write `entry` as game number `n`, or as a new one."""
    import zlib

    names, marks = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
    cursor = connection.execute(
        f"REPLACE INTO games (n, ruleset, {names}) VALUES (?, ?, {marks})",  # noqa: S608 - names of our own
        [n, _ruleset(connection, entry.rules), *entry.values],
    )
    packed = zlib.compress(" ".join(entry.actions).encode(), 9)
    connection.execute("REPLACE INTO lines VALUES (?, ?)", (cursor.lastrowid, packed))


def _ruleset(connection: Connection, rules: Rules) -> int:
    """Return the key of `rules`, which are added if they are new."""
    words = format_rules(rules)
    connection.execute("INSERT OR IGNORE INTO rulesets (preset, words) VALUES (?, ?)", (rules.preset, words))
    row = connection.execute("SELECT key FROM rulesets WHERE words = ?", (words,)).fetchone()
    if row is None or not isinstance(row[0], int):
        raise SaveError("the records contradict themselves, they take no rules", HINT)
    return row[0]


def _entries(connection: Connection, where: str, *values: object) -> list[tuple[int, Entry]]:
    """Return the games that a condition of SQL asks for, with their numbers. Raises SaveError for what no game is."""
    rows = connection.execute(
        f"SELECT games.n, words, actions, {', '.join(COLUMNS)} FROM games"  # noqa: S608 - names of our own
        f" JOIN rulesets ON key = ruleset JOIN lines ON lines.n = games.n WHERE {where}",
        values,
    ).fetchall()
    rules = {words: parse_rules(words) for words in {row[1] for row in rows}}
    return [(n, sound_entry(n, rules[words], row, packed)) for n, words, packed, *row in rows]


def sound_entry(n: int, rules: Rules, row: Iterable[Any], packed: bytes | None = None) -> Entry:
    """Return game number `n` of a row of `COLUMNS`, with its actions where these are read too.

    Raises SaveError for what no game is.
    """
    try:
        entry = Entry(rules, [] if packed is None else _unpacked(packed), row)
        entry.check()
    except (SaveError, ValueError) as error:
        raise SaveError(f"game {n} of the records can't be read: {error}", HINT, n=n) from error
    return entry


def _check_games(connection: Connection) -> None:
    """Raise SaveError for a game whose numbers can't be reckoned with."""
    row = connection.execute(f"SELECT n FROM games WHERE ({_SOUND}) IS NOT TRUE LIMIT 1").fetchone()  # noqa: S608
    if row:
        entry = f"SELECT {', '.join(COLUMNS)} FROM games WHERE n = ?"  # noqa: S608 - names of our own
        # The index may tell of a game that the table has not.
        if found := connection.execute(entry, row).fetchone():
            sound_entry(row[0], preset(), found)
        raise SaveError(f"game {row[0]} of the records can't be read", HINT, n=row[0])


def _unpacked(packed: bytes) -> list[Action]:
    """Return the actions that a line holds. Raises ValueError."""
    import zlib

    unpack = zlib.decompressobj()
    try:
        text = unpack.decompress(packed, _LONGEST_LINE).decode()
    except (zlib.error, TypeError) as error:
        raise ValueError(error) from error
    if not unpack.eof:
        raise ValueError("its actions are cut off")
    # A short line can stand for very many.
    actions = text.split(None, LONGEST)
    if len(actions) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} actions")
    return [Action(intern(action)) for action in actions]


def _clear(connection: Connection, now: float) -> None:
    for table in ("lines", "games", "rulesets", "meta"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
    # How many games there were is nobody's business either.
    connection.execute("DELETE FROM sqlite_sequence")
    connection.execute("INSERT INTO meta VALUES ('since', ?)", (now,))


def _shrink(connection: Connection) -> None:
    """Give back what is free in the file and beside it: there, what was removed can still be read."""
    from sqlite3 import OperationalError

    connection.execute("VACUUM")
    in_the_way, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if in_the_way:
        error = OperationalError("the file is being read")
        error.sqlite_errorcode = BUSY
        raise error
