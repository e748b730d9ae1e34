"""The file of a session's settings: TOML, in the player's configuration folder."""

from __future__ import annotations

import os

from ..engine.errors import SaveError, SystemRefused, quoted
from .files import read_text, write_text
from .paths import make_folders, xdg_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["config_path", "read_config", "state_path", "write_config"]

#: No settings file comes near this size, in bytes. A key of many parts takes the square of its length in memory.
LARGEST = 2**13


def config_path(environ: Mapping[str, str]) -> str | None:
    """Return the path of the settings, as the XDG Base Directory specification has it; None without a home."""
    return xdg_path(environ, "XDG_CONFIG_HOME", ".config", "config.toml")


def state_path(environ: Mapping[str, str], name: str) -> str | None:
    """Return the path of a file that a session leaves for the next, as its history; None without a home."""
    return xdg_path(environ, "XDG_STATE_HOME", ".local/state", name)


def read_config(path: str) -> dict[str, object]:
    """Return what the settings file at `path` says, nothing where there is none. Raises SaveError, SystemRefused."""
    import tomllib

    try:
        return tomllib.loads(read_text(path, LARGEST) or "")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise SaveError(f"{quoted(path)} is not TOML: {quoted(error)}", "mend it, or remove it") from error


def write_config(path: str, text: str) -> None:
    """Write the settings file at `path`, making its folder. Raises SaveError, SystemRefused."""
    try:
        make_folders(os.path.dirname(path))
        write_text(path, text)
    except (SaveError, SystemRefused) as error:
        error.hint = "without --keep the setting holds for this session"
        raise
