"""What the records want to know of a game beyond its actions (docs/records.md)."""

from __future__ import annotations

from .errors import UsageError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: What the casino's games before this one came to: this evening, and in all what was paid and what it cost.
    Account = tuple[int, int, int]

__all__ = [
    "HELPED",
    "ID_DIGITS",
    "LONGEST_NAME",
    "OWNER",
    "Tally",
    "is_id",
    "parse_player",
    "percent_returned",
]

#: What help a game had, the strongest last: none, a look at the hidden cards, the solver's finish.
HELPED = ("", "peek", "finish")
#: An id has so many hexadecimal digits.
ID_DIGITS = 16
#: A player's name has at most so many letters.
LONGEST_NAME = 40
#: How the owner of the machine, a player without a name, is written; nobody else can be called that.
OWNER = "(owner)"


def is_id(value: Any) -> bool:
    """Say whether `value` is the id of a game: so many hexadecimal digits, in small letters."""
    return isinstance(value, str) and len(value) == ID_DIGITS and not value.strip("0123456789abcdef")


def parse_player(name: str) -> str:
    """Return `name` as the name of a player, without spaces around it; empty for the owner. Raises UsageError."""
    name = name.strip()
    if name == OWNER:
        return ""
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"{quoted(name)} is no name for a player",
            f"a name has at most {LONGEST_NAME} letters, on one line",
        )
    return name


def percent_returned(paid: int, cost: int) -> float:
    """Return how much of the `cost` of games was `paid` back, in percent to one decimal; 0 where nothing was staked."""
    return round(100 * paid / cost, 1) if cost > 0 else 0.0


class Tally:
    """What is noted of a game beside its actions, by whoever plays it.

    `id` is the game's own, 16 hexadecimal digits; a game without one (``""``), such as one brought in from
    elsewhere, is never recorded. `player` is a name, or ``""`` for the owner of the machine, and `daily` the day whose
    deal it is, or None. `restarts` and `hints` are counts, `helped` is one of `HELPED`. `lost` says after how many actions the
    position was proved lost, or None. `account` is what the casino's games before came to, or None elsewhere.
    """

    __slots__ = ("account", "daily", "helped", "hints", "id", "lost", "player", "restarts")

    def __init__(
        self,
        id: str = "",
        player: str = "",
        daily: str | None = None,
        restarts: int = 0,
        hints: int = 0,
        helped: str = "",
        lost: int | None = None,
        account: Account | None = None,
    ) -> None:
        self.id = id
        self.player = player
        self.daily = daily
        self.restarts = restarts
        self.hints = hints
        self.helped = helped
        self.lost = lost
        self.account = account

    def help(self, how: str) -> None:
        """Note help of a kind of `HELPED`; what was stronger stays."""
        self.helped = max(self.helped, how, key=HELPED.index)

    def restarted(self) -> Tally:
        """Return the tally of the same game begun again: it is the same game still."""
        return Tally(
            self.id, self.player, self.daily, self.restarts + 1, self.hints, self.helped, account=self.account
        )
