"""Where the save is: named by an option, by the environment, or in the player's data folder.

The folders are those of the XDG Base Directory specification.
"""

from __future__ import annotations

import os
from errno import EEXIST

from ..engine.errors import SystemRefused, UsageError
from .files import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["make_folder", "make_folders", "records_path", "save_path", "xdg_path"]


def save_path(option: str | None, environ: Mapping[str, str]) -> str:
    """Return the path of the save: `option`, else $CANFIELD_SAVE, else the default place (or ``-``).

    Raises UsageError for an empty `option`, and SystemRefused where there is no default place
    because nobody says where home is.
    """
    if option == "":
        raise UsageError("--save names no file", "leave it out for the default place")
    path = option or environ.get("CANFIELD_SAVE") or _default(environ)
    if path is None:
        raise SystemRefused("there is no home folder to keep the game in", "name a file: --save FILE")
    return path


def make_folder(path: str, environ: Mapping[str, str]) -> None:
    """Make the folder of the save or the records at `path`, private, if that is the default place; no other.

    Raises SystemRefused.
    """
    if path in (_default(environ), _default(environ, "records.db")):
        make_folders(os.path.dirname(path))


def make_folders(folder: str) -> None:
    """Make `folder`, private, and those that it lies in, as far as they are missing. Raises SystemRefused."""
    try:
        try:
            os.stat(folder)
        except FileNotFoundError:
            _make(folder)
        else:
            if not os.path.isdir(folder):
                raise FileExistsError(EEXIST, os.strerror(EEXIST))
    except OSError as error:
        raise refused("make the folder", folder, error) from error


def records_path(environ: Mapping[str, str]) -> str | None:
    """Return the path of the records: $CANFIELD_RECORDS, else the default place.

    None where there are to be none: the variable is empty or ``off``, or nobody says where home is.
    """
    path = environ.get("CANFIELD_RECORDS")
    if path is not None:
        return None if path.lower() in ("", "off") else path
    return _default(environ, "records.db")


def xdg_path(environ: Mapping[str, str], variable: str, usual: str, name: str) -> str | None:
    """Return the path of our file `name` in the folder that `variable` names, else in `usual` at home.

    None where nobody says where home is.
    """
    folder, home = environ.get(variable, ""), environ.get("HOME", "")
    # The specification: a path that is not absolute is to be ignored.
    if not os.path.isabs(folder):
        if not os.path.isabs(home):
            return None
        folder = os.path.join(home, usual)
    return os.path.join(folder, "canfield", name)


def _default(environ: Mapping[str, str], name: str = "game.json") -> str | None:
    return xdg_path(environ, "XDG_DATA_HOME", ".local/share", name)


def _make(folder: str) -> None:
    missing = [folder]
    while not os.path.isdir(above := os.path.dirname(missing[-1]) or "."):
        missing.append(above)
    for each in reversed(missing):
        try:
            os.mkdir(each, 0o700)
        except FileExistsError:
            # Another command may have made it just now.
            if not os.path.isdir(each):
                raise
