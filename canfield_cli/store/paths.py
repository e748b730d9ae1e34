"""Where the save is: named by an option, by the environment, or in the player's data folder."""

from __future__ import annotations

import os

from ..engine.errors import SystemRefused, UsageError
from .files import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["make_folder", "save_path"]


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
    """Make the folder of the save at `path`, private, if that is the default place; no other.

    Raises SystemRefused.
    """
    if path == _default(environ):
        _make(os.path.dirname(path))


def _default(environ: Mapping[str, str]) -> str | None:
    """Return the default place, as the XDG Base Directory specification has it, or None without a home."""
    data, home = environ.get("XDG_DATA_HOME", ""), environ.get("HOME", "")
    # The specification: a path that is not absolute is to be ignored.
    if not os.path.isabs(data):
        if not os.path.isabs(home):
            return None
        data = os.path.join(home, ".local", "share")
    return os.path.join(data, "canfield", "game.json")


def _make(folder: str) -> None:
    """Make `folder` and those that it lies in, as far as they are missing."""
    if os.path.isdir(folder):
        return
    _make(os.path.dirname(folder))
    try:
        os.mkdir(folder, 0o700)
    except OSError as error:
        # Another command may have made it just now.
        if not os.path.isdir(folder):
            raise refused("make the folder", folder, error) from error
