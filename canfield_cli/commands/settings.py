"""The settings of a session: a table of what there is, and a value for each."""

from __future__ import annotations

from ..engine.errors import UsageError, quoted
from .table import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SETTINGS", "Settings"]

#: Each setting: the values that it takes, the usual one first, and what it is for.
SETTINGS: dict[str, tuple[tuple[str, ...], str]] = {
    "color": (("auto", "always", "never"), "when to use colours"),
    "four_color": (("no", "yes"), "a colour for each suit"),
    "ascii": (("no", "yes"), "letters instead of pictures of suits"),
    "plain": (("no", "yes"), "whole sentences instead of a picture of the board"),
    "keys": (("emacs", "vi"), "the keys that edit a line"),
    "words": (("own", "bsd"), "read the two-letter commands of BSD's canfield too (ht, s1, tf, 12)"),
}


class Settings:
    """A value for each of `SETTINGS`, by name."""

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        """Take `values` over the usual ones. Raises UsageError for one that there is not."""
        self._values = {name: choices[0] for name, (choices, _) in SETTINGS.items()}
        for name, value in (values or {}).items():
            self.set(name, value)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def set(self, name: str, value: object) -> None:
        """Change one setting. Raises UsageError."""
        name = name.replace("-", "_")
        if name not in SETTINGS:
            raise UsageError(
                f"there is no setting {quoted(name)}{nearest(name, SETTINGS)}",
                f"the settings are {', '.join(SETTINGS)}",
            )
        choices, _ = SETTINGS[name]
        if value not in choices:
            raise UsageError(f"{quoted(value)} is no value of {name}", f"it takes {' or '.join(choices)}")
        self._values[name] = str(value)

    def lines(self) -> list[str]:
        """Return a line on each setting."""
        return [
            f"{name:<10}  {self[name]:<6}  {what} ({', '.join(choices)})"
            for name, (choices, what) in SETTINGS.items()
        ]

    def toml(self) -> str:
        """Return the settings as a TOML file."""
        lines = [f'{name} = "{value}"  # {SETTINGS[name][1]}' for name, value in self._values.items()]
        return "\n".join(["# Settings of canfield play; `set NAME VALUE --keep` writes them.", *lines, ""])

    def common(self) -> dict[str, object]:
        """Return them as values of the options that every command has."""
        return {
            "color": None if self["color"] == "auto" else self["color"],
            **{name: self[name] == "yes" for name in ("four_color", "ascii", "plain")},
        }
