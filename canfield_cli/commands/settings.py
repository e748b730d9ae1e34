"""The settings of a session: a table of what there is, and a value for each."""

from __future__ import annotations

from ..engine.errors import SaveError, UsageError, quoted
from ..engine.rules import PRESETS
from .table import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SETTINGS", "Settings", "kept_settings", "setting"]

#: Each setting: the values that it takes, the usual one first, and what it is for.
SETTINGS: dict[str, tuple[tuple[str, ...], str]] = {
    "color": (("auto", "always", "never"), "when to use colours"),
    "four_color": (("no", "yes"), "a colour for each suit"),
    "ascii": (("no", "yes"), "letters instead of pictures of suits"),
    "plain": (("no", "yes"), "whole sentences instead of a picture of the board"),
    "verdict": (("no", "yes"), "say in the toolbar whether the game can still be won (knows every card)"),
    "keys": (("emacs", "vi"), "the keys that edit a line"),
    "pause": (
        ("180", "15", "30", "60", "300", "900"),
        "seconds without an action after which the clock rests",
    ),
    "words": (("own", "bsd"), "read the two-letter commands of BSD's canfield too (ht, s1, tf, 12)"),
    "rules": (
        tuple(PRESETS),
        "the preset under which new begins a game in a session, and daily tells of its deals",
    ),
}


class Settings:
    """A value for each of `SETTINGS`, by name."""

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        """Take `values` over the usual ones. Raises UsageError for one that there is not."""
        self._values = {name: choices[0] for name, (choices, _) in SETTINGS.items()}
        self._common = self._as_options()
        for name, value in (values or {}).items():
            self.set(name, value)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def set(self, name: str, value: object) -> None:
        """Change one setting; true and false do for yes and no, numbers for their digits. Raises UsageError."""
        name = setting(name)
        choices, _ = SETTINGS[name]
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, int):
            value = str(value)
        if value not in choices:
            raise UsageError(f"{quoted(value)} is no value of {name}", f"it takes {' or '.join(choices)}")
        self._values[name] = str(value)
        self._common = self._as_options()

    def take_options(self, options: Mapping[str, object]) -> None:
        """Let what the common options of a command line say stand over what was set. Raises UsageError."""
        for name in self.common():
            if value := options[name]:
                self.set(name, value)

    def values(self) -> dict[str, str]:
        """Return the value of each."""
        return dict(self._values)

    def line(self, name: str) -> str:
        """Return a line on the setting `name`."""
        choices, what = SETTINGS[name]
        return f"{name:<10}  {self[name]:<9}  {what} ({', '.join(choices)})"

    def toml(self) -> str:
        """Return the settings as a TOML file."""
        lines = [f'{name} = "{value}"  # {SETTINGS[name][1]}' for name, value in self._values.items()]
        return "\n".join(
            ["# Settings of canfield play; `set NAME VALUE --keep` writes this file anew.", *lines, ""]
        )

    def common(self) -> dict[str, object]:
        """Return them as values of the options that every command has."""
        return self._common

    def _as_options(self) -> dict[str, object]:
        return {
            "color": None if self["color"] == "auto" else self["color"],
            **{name: self[name] == "yes" for name in ("four_color", "ascii", "plain")},
        }


def setting(name: str) -> str:
    """Return the name of a setting as `SETTINGS` has it. Raises UsageError where there is none."""
    known = name.replace("-", "_")
    if known not in SETTINGS:
        raise UsageError(
            f"there is no setting {quoted(name)}{nearest(known, SETTINGS)}",
            f"the settings are {', '.join(SETTINGS)}",
        )
    return known


def kept_settings(path: str) -> Settings:
    """Return the settings that the file at `path` keeps, the usual ones where there is none.

    Raises SaveError, which names the file, and SystemRefused.
    """
    from ..store.config import read_config

    try:
        return Settings(read_config(path))
    except UsageError as error:
        raise SaveError(f"{quoted(path)} can't be used: {error.message}", error.hint) from error
