"""Answers of many lines: their columns below each other, and players as they stand in them."""

from __future__ import annotations

from ..engine.errors import printable
from ..engine.tally import LONGEST_NAME, OWNER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LATE", "aligned", "no_games", "player_words"]

#: How a daily deal is marked that was begun on another day than its own.
LATE = "'"
#: Names of players are cut to so many letters.
NAME = 16
_CUT = "..."


def aligned(
    rows: Sequence[Sequence[str]], sides: str, *, head: Sequence[str] = (), indent: int = 0, gap: int = 2
) -> list[str]:
    """Return `rows` as lines with their columns below each other, to the left or right as `sides` say (``<>``).

    A column in which nothing stands is left out; the others get their words of `head` above them. Every line
    is indented by `indent`, the columns are `gap` apart.
    """
    if not rows:
        return []
    table = [head, *rows] if head else rows
    columns = [
        [format(word, f"{side}{max(map(len, words))}") for word in words]
        for side, column, words in zip(sides, zip(*rows, strict=True), zip(*table, strict=True), strict=True)
        if any(column)
    ]
    return [" " * indent + (" " * gap).join(words).rstrip() for words in zip(*columns, strict=True)]


def player_words(player: str, limit: int = NAME) -> str:
    """Return the name of `player` in at most `limit` letters, but at least as many as that of the owner has."""
    name = printable(player, LONGEST_NAME) if player else OWNER
    limit = max(limit, len(OWNER))
    return name if len(name) <= limit else name[: limit - len(_CUT)] + _CUT


def no_games(rules: str | None, player: str | None, what: str = "has been recorded yet") -> str:
    """Say that no game, of those under `rules` and by `player` that were asked for, is `what` was looked for."""
    of = f" by {player_words(player)}" if player else ""
    return f"no game {what}{of}{f' under {rules}' if rules else ''}"
