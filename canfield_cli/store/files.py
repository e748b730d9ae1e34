"""Reading and writing whole text files: safely, atomically, and one command at a time.

A file is replaced, never changed in place: whoever reads it sees all of the old text or all of
the new. Start reading at :class:`locked`, which makes reading and writing one step.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from errno import ELOOP, ENAMETOOLONG
from stat import S_IMODE, S_ISREG, S_IWOTH

from ..engine.errors import SaveError, SystemRefused, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

__all__ = [
    "LARGEST",
    "append_text",
    "beside",
    "check_maker",
    "check_regular",
    "exists",
    "locked",
    "read_stdin",
    "read_text",
    "refused",
    "target_of",
    "write_bytes",
    "write_text",
]

#: No save comes near this size, in bytes.
LARGEST = 2**20
#: How long a command waits for another one to be done, in seconds.
TIMEOUT = 10.0
#: A temporary file of ours that is older than this, in seconds, was left by a run that was killed.
STALE = 10.0
#: Random bytes in the name of a temporary file.
_TOKEN = 8
#: A path leads over so many links at most, and has so many letters, as on Linux.
_LINKS, _LETTERS = 40, 4095


# Reading.


def exists(path: str) -> bool:
    """Say whether anything is at `path`. Raises SystemRefused where the system won't tell."""
    try:
        os.stat(path)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise refused("read", path, error) from error
    return True


def read_text(path: str, limit: int = LARGEST) -> str | None:
    """Return the text of the file at `path`, or None where there is none.

    Only a regular file is opened. Raises SaveError for anything else, for more than `limit`
    bytes and for what is not UTF-8; SystemRefused where the system says no.
    """
    try:
        # Opening a pipe or a device can already do something, so look first ...
        check_regular(path, os.stat(path))
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb") as file:
            # ... and once more, for what may have taken its place.
            info = os.fstat(file.fileno())
            check_regular(path, info)
            return _decode(file, info.st_size, quoted(path), limit)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise refused("read", path, error) from error


def read_stdin(limit: int = LARGEST) -> str:
    """Return the text on standard input. Raises SaveError and SystemRefused as :func:`read_text` does."""
    if sys.stdin is None:
        raise SystemRefused("there is no standard input", "give the text through a pipe, or name a file")
    try:
        return _decode(sys.stdin.buffer, 0, "standard input", limit)
    except OSError as error:
        raise refused("read", "standard input", error) from error


def _decode(file: BinaryIO, size: int, name: str, limit: int) -> str:
    """Return the text of `file`, said to be of `size`, unless it is longer than `limit`."""
    data = file.read(limit + 1) if size <= limit else b""
    if max(size, len(data)) > limit:
        raise SaveError(
            f"{name} is too large, it has more than {limit} bytes", "see whether it is the right file"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SaveError(
            f"{name} is not text in UTF-8, see byte {error.start + 1}", "see whether it is the right file"
        ) from error


def check_regular(path: str, info: os.stat_result) -> None:
    """Raise SaveError unless `info` is of a regular file."""
    if not S_ISREG(info.st_mode):
        raise SaveError(f"{quoted(path)} is not a regular file", "name a file, or - for standard input")


def refused(verb: str, path: str, error: OSError | ValueError) -> SystemRefused:
    """Return the error for what the system said when it was asked to `verb` the file at `path`."""
    if isinstance(error, SystemRefused):
        return error
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return SystemRefused(
        f"can't {verb} {quoted(path)}: {reason[:1].lower()}{reason[1:]}",
        "choose another file with --save FILE" if verb != "read" else "look at its permissions",
        path=path,
        errno=error.errno if isinstance(error, OSError) else None,
    )


# Writing.


def write_text(path: str, text: str) -> None:
    """Make `text` what the file at `path` holds, all of it or nothing.

    A symbolic link stays, the file that it leads to is replaced. Raises SaveError where something other
    than a file is there, SystemRefused where the system says no; then the old file is untouched.
    """
    write_bytes(path, text.encode())


def append_text(path: str, text: str) -> None:
    """Add `text` to the end of the file at `path`, which is made if it is not there. Raises as :func:`write_text` does."""
    try:
        target = target_of(path)
        if os.path.lexists(target):
            # Opening a pipe would wait for a reader.
            check_regular(path, os.lstat(target))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        with open(os.open(target, flags, 0o600), "wb") as file:
            check_regular(path, os.fstat(file.fileno()))
            file.write(text.encode())
    except (OSError, ValueError) as error:
        raise refused("write", path, error) from error


def write_bytes(path: str, data: bytes) -> None:
    """As :func:`write_text`, for bytes."""
    try:
        target = target_of(path)
        mode = _mode(target, path)
        _remove_stale(target)
        temporary = beside(target, f"{os.urandom(_TOKEN).hex()}.tmp")
        try:
            _write_new(temporary, data, mode)
            os.replace(temporary, target)
        except BaseException:
            _remove(temporary)
            raise
    except (OSError, ValueError) as error:
        raise refused("write", path, error) from error


def beside(target: str, ending: str) -> str:
    """Return the path of our hidden file beside `target`: ``.game.json.lock`` for ``lock``."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name}.{ending}")


def target_of(path: str) -> str:
    """Return where symbolic links lead from `path`, whether or not anything is there.

    Raises OSError, also for a link that another user laid where everybody may write.
    """
    # To look at each folder of a longer one would take seconds, before the system refuses it.
    if len(path) > _LETTERS:
        raise OSError(ENAMETOOLONG, os.strerror(ENAMETOOLONG))
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise OSError(ELOOP, os.strerror(ELOOP))
    if target != os.path.abspath(path):
        _check_links(path)
    return target


def _check_links(path: str) -> None:
    """Raise OSError unless each link on the way from `path` is of somebody who may be trusted."""
    place, left, links = "/", os.path.join(os.getcwd(), path).split("/")[::-1], 0
    while left:
        # There is no link in the place, so two points lead to the folder that it is in.
        here = os.path.normpath(os.path.join(place, left.pop()))
        if not os.path.islink(here):
            place = here
            continue
        check_maker(here)
        links += 1
        if links > _LINKS:
            raise OSError(ELOOP, os.strerror(ELOOP))
        goal = os.readlink(here)
        left += goal.split("/")[::-1]
        if goal.startswith("/"):
            place = "/"


def check_maker(path: str) -> None:
    """Raise PermissionError for what another user put at `path`, in a folder where everybody may write.

    The folder's owner is trusted, as root is. It is what Linux checks for links, if it is set up so.
    """
    info, folder = os.lstat(path), os.stat(os.path.dirname(path))
    if folder.st_mode & S_IWOTH and info.st_uid not in (0, os.geteuid(), folder.st_uid):
        raise PermissionError(f"another user made {quoted(path)}")


def _mode(target: str, path: str) -> int:
    """Return the permissions for the new file: those of the old one, else private. Raises OSError."""
    try:
        info = os.stat(target)
    except FileNotFoundError:
        return 0o600
    check_regular(path, info)
    # Replacing it would work in spite of a file that is write-protected, but that is not what its owner wants.
    if not os.access(target, os.W_OK):
        raise PermissionError("the file is write-protected")
    return S_IMODE(info.st_mode) & 0o777


def _write_new(path: str, data: bytes, mode: int) -> None:
    """Write a file that is not there yet, down to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    file = os.open(path, flags, 0o600)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        if mode != 0o600:
            os.fchmod(file, mode)
        os.fsync(file)
    finally:
        os.close(file)


def _remove_stale(target: str) -> None:
    """Remove what killed runs left beside `target`: files of our own naming, ours, and old."""
    folder, start = os.path.split(beside(target, ""))
    length = len(start) + 2 * _TOKEN + len(".tmp")
    for name in os.listdir(folder):
        if name.startswith(start) and name.endswith(".tmp") and len(name) == length:
            path = os.path.join(folder, name)
            try:
                info = os.lstat(path)
            except OSError:
                continue
            old = time.time() - info.st_mtime > STALE
            if S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and old:
                _remove(path)


def _remove(path: str) -> None:
    try:  # noqa: SIM105 - contextlib would cost start-up time
        os.unlink(path)
    except OSError:
        pass


# Locking.


class locked:  # noqa: N801
    """A context in which no other command reads, changes and writes the save at `path`.

    The lock is on a file of its own beside the save, there for so long. A process that dies lets it go.
    Raises SystemRefused when another one holds it for longer than `timeout` seconds, and SaveError
    where something other than a file is there.

    >>> with locked("game.json"):  # doctest: +SKIP
    ...     write_text("game.json", changed(read_text("game.json")))
    """

    __slots__ = ("_beside", "_file", "_path", "timeout")

    def __init__(self, path: str, timeout: float = TIMEOUT) -> None:
        self._path = path
        self.timeout = timeout
        self._file: int | None = None

    def __enter__(self) -> None:
        free = False
        try:
            target = target_of(self._path)
            try:  # noqa: SIM105 - contextlib would cost start-up time
                check_regular(self._path, os.stat(target))
            except FileNotFoundError:
                pass
            self._beside = beside(target, "lock")
            free = self._wait()
        except (OSError, ValueError) as error:
            raise refused("lock", self._path, error) from error
        finally:
            if not free:
                self._close()
        if not free:
            raise SystemRefused(
                f"another canfield command is using {quoted(self._path)}", "wait for it, or end it"
            )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            # While it is still ours: so nobody can hold a lock on a file that is gone, see _is_there.
            _remove(self._beside)
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _wait(self) -> bool:
        """Ask for the lock again and again (a wait inside the system has no limit); say whether it came."""
        end = time.monotonic() + self.timeout
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            file = self._file = os.open(self._beside, flags, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_there(file):
                    return True
            except BlockingIOError:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.01)
            except OSError:
                # No locks are to be had here, so the file is nobody's.
                _remove(self._beside)
                raise
            self._close()

    def _is_there(self, file: int) -> bool:
        """Say whether the file that is locked is not one that its holder before removed meanwhile."""
        try:
            return os.path.samestat(os.fstat(file), os.lstat(self._beside))
        except FileNotFoundError:
            return False
