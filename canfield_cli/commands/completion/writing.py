"""What the scripts of several shells are written with."""

from __future__ import annotations

from ...engine.cards import SUITS
from ...engine.position import pile_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..table import Command, Param

__all__ = ["ASKED", "IN_QUOTES", "NOTICE", "escaped", "fill", "own", "sed"]

NOTICE = "Generated from the table of commands by canfield_cli/cli/generate.py; don't edit."

#: What depends on a game; the shells' functions for it are named so.
ASKED = ("action", "kept")

#: What a shell reads within double quotes.
IN_QUOTES = '\\"$`'


def own(command: Command) -> list[Param]:
    """Return the options that only some commands have."""
    return [param for param in command.params if param.is_option]


def fill(template: str, **parts: str) -> str:
    """Return `template` with each of `parts` in the place of its name in capitals between two ``@``."""
    for name, part in parts.items():
        template = template.replace(f"@{name.upper()}@", part)
    return template


def escaped(text: str, letters: str) -> str:
    """Return `text` with a backslash before each of `letters`."""
    return "".join("\\" + c if c in letters else c for c in text)


def sed(separator: str) -> str:
    """Return a script for sed -E that puts the meaning of an action behind it."""
    return "; ".join(
        f"s/^{pattern}$/&{separator}{meaning}/"
        for pattern, meaning in (
            ("draw", "turn cards from the stock"),
            ("redeal", "turn the waste over"),
            ("([rw])f", "\\1 to its foundation"),
            ("([1-4])f", "column \\1 to its foundation"),
            ("([rw])([1-4])", "\\1 to column \\2"),
            ("f([cdhs])([1-4])", "foundation of \\1 to column \\2"),
            ("([1-4])([1-4])x1", "1 card of column \\1 to column \\2"),
            ("([1-4])([1-4])x([0-9]+)", "\\3 cards of column \\1 to column \\2"),
        )
    ) + "".join(
        f"; s/{separator}{before}/{separator}{after}/"
        for before, after in (
            ("r ", "reserve "),
            ("w ", "waste "),
            *((f"foundation of {suit} ", pile_name("f" + suit).removeprefix("the ") + " ") for suit in SUITS),
        )
    )
