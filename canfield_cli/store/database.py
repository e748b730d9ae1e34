"""One file of SQLite: opened privately, brought up to date in order, waited for within bounds.

Whatever goes wrong comes out as an error of the program's own tree. A file of SQLite that is damaged is set aside,
never changed and never deleted, and a new one is begun; any other file is left where it is. Start reading
at :meth:`Database.run`.
"""

from __future__ import annotations

import os
import time
from stat import S_ISREG

from ..engine.errors import SaveError, SystemRefused, printable, quoted
from .files import locked, refused, target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection, Error
    from typing import TypeVar

    T = TypeVar("T")
    #: Where what SQLite has to say repeats a text of a damaged file, Python may not be able to read it.
    Fault = Error | UnicodeDecodeError
    #: For each version the statements that make it from the one before, the first from an empty file.
    Migrations = tuple[tuple[str, ...], ...]

__all__ = ["Database"]

HINT = "$CANFIELD_RECORDS names another file, or is off"
#: In the header of each of our files, so that no other program's is taken for one: "CANF".
APPLICATION = 0x43414E46
#: What every file of SQLite begins with, unless it is empty.
MAGIC = b"SQLite format 3\0"
#: How long to wait before asking again for what another process holds, in seconds.
PAUSE = 0.005
#: No value in a file has more bytes.
LONGEST_VALUE = 2**17
#: The beside files of SQLite: what is written but not yet in its place, and the memory shared over it.
BESIDE = ("-wal", "-shm", "-journal")

#: SQLite's codes: another process is in the way (BUSY, LOCKED, PROTOCOL) ...
BUSY = 5
_HELD = (BUSY, 6, 15)
#: ... and the file is damaged (CORRUPT, FORMAT, NOTADB).
_DAMAGED = (11, 24, 26)
_ERROR, _FULL, _TOO_BIG = 1, 13, 18


class Database:
    """A connection to the file at `path`, made when it is first needed and made anew where it must be.

    `wait` is how long each :meth:`run` waits for other processes, in seconds. `notice` is empty, or says
    in a sentence that a damaged file was set aside.
    """

    __slots__ = ("_connection", "_damage", "_file", "_migrations", "_target", "_wait", "notice", "path")

    def __init__(self, path: str, migrations: Migrations, wait: float) -> None:
        self.path = path
        self.notice = ""
        self._migrations = migrations
        self._wait = wait
        self._connection: Connection | None = None
        #: What showed that the open file is damaged.
        self._damage: Fault | None = None
        #: Where links lead from `path`, and the file that was opened there.
        self._target = ""
        self._file: os.stat_result | None = None

    def run(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` gives; it is begun again where another process was in the way.

        So it must be one transaction, or read only. Raises SystemRefused and SaveError.
        """
        try:
            from sqlite3 import Error
        except ImportError as error:
            raise SystemRefused(
                f"SQLite can't be loaded ({printable(str(error), 60)}), so there are no records", HINT
            ) from error

        end = time.monotonic() + self._wait
        mended = False
        while True:
            try:
                if self._connection is None or self._damage:
                    self._open(end - time.monotonic())
                assert self._connection
                return work(self._connection)
            except (Error, UnicodeDecodeError) as error:
                code = _code(error)
                if code in _DAMAGED and not mended:
                    mended, self._damage = True, error
                elif code in _HELD and time.monotonic() < end:
                    time.sleep(PAUSE)
                else:
                    raise self._error(error) from error

    def write(self, work: Callable[[Connection], T]) -> T:
        """As :meth:`run`, with all that `work` writes in one transaction."""
        return self.run(lambda connection: _transaction(connection, work))

    def close(self) -> None:
        """Let go of the file."""
        if self._connection:
            self._connection.close()
            self._connection = None

    @property
    def aside(self) -> list[str]:
        """The damaged files that were set aside and are still there. Raises SystemRefused."""
        folder, name = os.path.split(self._target)
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            raise refused("list", folder, error) from error
        return [os.path.join(folder, each) for each in names if each.startswith(f"{name}.broken-")]

    # Opening.

    def _open(self, wait: float) -> None:
        """Connect, with nobody else of us at it; first set the file aside if it showed damage.

        Raises sqlite3.Error, SystemRefused and SaveError.
        """
        from sqlite3 import Error

        damage, self._damage = self._damage, None
        try:
            self._target = _look(self.path)
            with locked(self._target, max(wait, 0.0)):
                if damage:
                    self._set_aside(damage)
                try:
                    self._connect()
                except (Error, UnicodeDecodeError) as error:
                    if _code(error) not in _DAMAGED:
                        raise
                    self._set_aside(error)
                    self._connect()
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError | ValueError) or isinstance(error, UnicodeDecodeError):
                raise
            said = refused("open", self.path, error)
            if said.data:
                # It came from the system; the hint is about saves.
                said.hint = HINT
            raise said from error

    def _connect(self) -> None:
        import sqlite3

        self.close()
        _make(self._target)
        self._file = os.stat(self._target)
        # SQLite itself is not to wait: it would at each statement anew. (Where a program that is none of ours
        # was stopped in the middle of a recovery, it tries for ten seconds all the same.)
        connection = self._connection = sqlite3.connect(self._target, timeout=0, isolation_level=None)
        version = self._version(connection)
        # What a file brings along runs nothing, and no value in it takes all memory.
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.execute("PRAGMA trusted_schema = OFF")
        self._check_layout(connection)
        # Else each write would wait for the disk. A transaction is whole after a crash in either case.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if version < len(self._migrations):
            _transaction(connection, self._migrate)

    def _version(self, connection: Connection) -> int:
        """Return the version of the schema, 0 for an empty file. Raises SaveError for what is not ours to use."""
        application, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if application != APPLICATION and (application or version or tables):
            raise SaveError(f"{quoted(self.path)} is a database of another program", HINT)
        if version > len(self._migrations):
            raise SaveError(
                f"{quoted(self.path)} is of version {version}, it was written by a later version of canfield",
                f"this canfield reads version {len(self._migrations)}, bring it up to date",
            )
        return int(version)

    def _check_layout(self, connection: Connection) -> None:
        """Raise SaveError for what is no table and no index: a view need not have an end. Its text is what SQLite goes by."""
        found = connection.execute(
            "SELECT name FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE %' AND sql NOT LIKE 'CREATE INDEX %'"
        ).fetchone()
        if found:
            raise SaveError(
                f"{quoted(self.path)} holds {quoted(found[0])}, which is no table of canfield", HINT
            )

    def _migrate(self, connection: Connection) -> None:
        # Looked at once more: only now is nobody else writing.
        for statements in self._migrations[self._version(connection) :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(self._migrations)}")

    def _set_aside(self, damage: Fault) -> None:
        """Give the damaged file a name of its own, unless another process has done so already.

        Raises SaveError for what is no file of SQLite, OSError.
        """
        try:
            mine = self._file is not None and os.path.samestat(self._file, os.stat(self._target))
        except FileNotFoundError:
            mine = False
        if mine:
            _check_sqlite(self._target, self.path)
            number = 1
            while os.path.lexists(aside := f"{self._target}.broken-{number}"):
                number += 1
            # Before it is closed: SQLite leaves a file alone that is no longer where it was opened.
            for ending in ("", *BESIDE):
                try:
                    os.rename(self._target + ending, aside + ending)
                except FileNotFoundError:
                    continue
            self.notice = (
                f"the records in {quoted(self.path)} are damaged ({_said(damage)}), so new ones are begun; "
                f"the old file is kept as {quoted(os.path.basename(aside))}"
            )
        self.close()

    def _error(self, error: Fault) -> SystemRefused | SaveError:
        """Return the error for what SQLite said."""
        path, code = quoted(self.path), _code(error)
        if code in _HELD:
            return SystemRefused(f"another program is using {path}", "wait for it, or end it")
        if code == _FULL:
            return SystemRefused(f"can't write {path}: the disk is full", "make room on it")
        if code in (_ERROR, _TOO_BIG, *_DAMAGED):
            return SaveError(f"the records in {path} can't be used: {_said(error)}", HINT)
        return SystemRefused(f"can't use {path}: {_said(error)}", "look at its permissions and at the disk")


def _transaction(connection: Connection, work: Callable[[Connection], T]) -> T:
    """Return what `work` gives, with all that it writes done, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        # Some errors have ended it already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def _look(path: str) -> str:
    """Return where links lead from `path`: to a regular file that may be written, or to nothing yet.

    Raises SystemRefused for anything else, SaveError for a file too short to be one of SQLite, OSError and ValueError.
    """
    target = target_of(path)
    try:
        info = os.stat(target)
    except FileNotFoundError:
        return target
    if not S_ISREG(info.st_mode):
        raise SystemRefused(f"{quoted(path)} is not a regular file", HINT)
    if 0 < info.st_size < len(MAGIC):
        # SQLite takes a file of one byte for an empty one.
        raise _no_sqlite(path)
    if not os.access(target, os.W_OK):
        raise SystemRefused(f"{quoted(path)} may not be written", HINT)
    return target


def _check_sqlite(target: str, path: str) -> None:
    """Raise SaveError where the file is of another kind: somebody's text, or a save. Raises OSError."""
    # Only once SQLite can't use it: this undoes the locks that it has on it.
    with open(target, "rb") as file:
        if file.read(len(MAGIC)) not in (b"", MAGIC):
            raise _no_sqlite(path)


def _no_sqlite(path: str) -> SaveError:
    return SaveError(f"{quoted(path)} is no file of SQLite, so it can't hold records", HINT)


def _make(target: str) -> None:
    """Make the file, private whatever the umask, if it is not there. Raises OSError.

    One that is there is not opened: to close it again would undo the locks that SQLite has on it.
    """
    try:
        file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return
    try:
        os.fchmod(file, 0o600)
    finally:
        os.close(file)


def _code(error: Fault) -> int:
    """Return SQLite's code of `error`, without its fine print."""
    from sqlite3 import OperationalError

    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python's own complaints: that a text in the file is not UTF-8, or that it is used wrongly.
        return _DAMAGED[0] if isinstance(error, OperationalError | UnicodeDecodeError) else _ERROR
    return int(code) & 0xFF


def _said(error: Fault) -> str:
    return printable(str(error), 60)
