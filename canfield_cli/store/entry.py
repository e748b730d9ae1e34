"""What is recorded of one game: the values, what they may be, and whether they follow from the actions.

Nothing here touches a file. Start reading at :class:`Entry`.
"""

from __future__ import annotations

import time

from ..engine.cards import PACK, RANKS
from ..engine.clock import LATEST, Clock, is_time
from ..engine.deal import deal_daily, is_date
from ..engine.dealcode import format_code, parse_code
from ..engine.errors import CanfieldError, SaveError, quoted
from ..engine.game import Game
from ..engine.jsontext import JsonFault, read_json, write_json
from ..engine.rules import PRESETS, Rules
from ..engine.scoring import SCORINGS
from ..engine.tally import HELPED, ID_DIGITS, LONGEST_NAME, OWNER, is_id
from .database import HINT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ..engine.position import Action

    Reach = tuple[float, int, int, int, int, int]

__all__ = [
    "COLUMNS",
    "MOST",
    "OUTCOMES",
    "Entry",
    "day_of",
    "format_rules",
    "parse_rules",
    "reach",
    "replayed",
]

#: How a game stands or ended: still the current one, replaced by another, that and proved lost, won.
OUTCOMES = ("open", "left", "lost", "won")
#: The columns of the table `games` that an entry has as attributes.
COLUMNS = (
    "id", "player", "code", "base", "daily", "late", "begun", "ended", "seconds", "moves", "undos", "redeals",
    "restarts", "hints", "helped", "cards_up", "score", "outcome",
)  # fmt: skip
#: Counts and scores stay below this.
MOST = 10**9
#: No deal code is longer than this.
_LONGEST_TEXT = 80


class Entry:
    """What is recorded of a game: the columns of the table `games`, its `rules` and its `actions`.

    `base` is a rank; `daily` the day whose deal it is, or None, and `late` says that it was begun on another.
    `begun` and `ended` (its last action) are in seconds since 1970 UTC, `seconds` is the time played.
    """

    __slots__ = (*COLUMNS, "actions", "rules")

    id: str
    player: str
    rules: Rules
    code: str
    base: str
    daily: str | None
    late: bool
    begun: float
    ended: float
    seconds: float
    moves: int
    undos: int
    redeals: int
    restarts: int
    hints: int
    helped: str
    cards_up: int
    score: int
    outcome: str
    actions: list[Action]

    def __init__(self, rules: Rules, actions: list[Action], values: Iterable[Any]) -> None:
        """Take the `values` of all `COLUMNS`, in that order; they are believed, see :meth:`check`."""
        self.rules = rules
        self.actions = actions
        for name, value in zip(COLUMNS, values, strict=True):
            setattr(self, name, value)
        self.late = bool(self.late)

    @classmethod
    def of(cls, game: Game, outcome: str) -> Entry:
        """Return what is to be recorded of `game`, which has a code and an action, when it ends as `outcome`."""
        tally, position, clock = game.tally, game.position, game.clock
        ended = clock.begun if clock.last is None else clock.last
        late = _is_late(tally.daily, clock.begun)
        return cls(
            game.rules,
            game.done,
            (
                tally.id, tally.player, game.code, RANKS[position.base], tally.daily, late, clock.begun, ended,
                clock.seconds, game.moves, game.undos, position.redeals, tally.restarts, tally.hints, tally.helped,
                position.cards_up, game.score, outcome,
            ),
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Entry {self.id} {self.outcome}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    @property
    def values(self) -> list[Any]:
        """The values of `COLUMNS`."""
        return [getattr(self, name) for name in COLUMNS]

    def outranks(self, other: Entry) -> bool:
        """Say whether it is to be kept rather than `other`, both of the same game.

        A win outranks all else, the first win other wins; among the rest the last state does. Whatever
        else differs counts too, so that of any two the same one is kept, whichever came first.
        """
        won = self.outcome == "won"
        if won != (other.outcome == "won"):
            return won
        return self._key() < other._key() if won else self._key() > other._key()

    @property
    def reach(self) -> Reach:
        """How far its game had come."""
        played = self.ended, self.restarts, len(self.actions), self.undos
        return reach(*played, self.helped, self.hints, self.outcome)

    def _key(self) -> tuple[object, ...]:
        """Return what orders the states of one game: how far it had come, then whatever else may differ."""
        rest = ["" if value is None else value for value in self.values]
        return (*self.reach, *rest, format_rules(self.rules), self.actions)

    def check(self) -> None:
        """Raise SaveError for a value that no game has."""
        for name, (words, fits) in _FITS.items():
            value = getattr(self, name)
            if not fits(value):
                raise SaveError(f"{quoted(value)} can't be the {name} of a game, which is {words}")


def reach(ended: float, restarts: int, done: int, undos: int, helped: str, hints: int, outcome: str) -> Reach:
    """Return how far a game had come; of two states of it the later one has the greater.

    While a clock that was set back is not yet where it was, many have the same instant. But each restart adds to
    `restarts`, each action, undo and redo to the actions `done` and twice the `undos`, and no help is taken back, which may
    be asked for without an action, also in a game that is taken up again.
    """
    return ended, restarts, done + 2 * undos, HELPED.index(helped), hints, OUTCOMES.index(outcome)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and len(value) <= _LONGEST_TEXT


def _is_name(value: Any) -> bool:
    return _is_text(value) and len(value) <= LONGEST_NAME and value != OWNER


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST


def _one_of(words: Iterable[str]) -> tuple[str, Callable[[Any], bool]]:
    words = tuple(words)
    return f"one of {', '.join(word or 'nothing' for word in words)}", lambda value: value in words


_TIME = ("a time in seconds", is_time)
_COUNT = (f"a whole number below {MOST:,}", _is_count)
#: For each column: what its value is, in words and as a test.
_FITS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "id": (f"{ID_DIGITS} hexadecimal digits", is_id),
    "player": (f"a name of at most {LONGEST_NAME} letters, on one line", _is_name),
    "code": ("a deal code", _is_text),
    "base": _one_of(RANKS),
    "daily": ("a day or nothing", lambda value: value is None or is_date(value)),
    "begun": _TIME,
    "ended": _TIME,
    "seconds": _TIME,
    "moves": _COUNT,
    "undos": _COUNT,
    "redeals": _COUNT,
    "restarts": _COUNT,
    "hints": _COUNT,
    "helped": _one_of(HELPED),
    "cards_up": (f"a number from 0 to {len(PACK)}", lambda value: _is_count(value) and value <= len(PACK)),
    "score": (f"a whole number within {MOST:,}", lambda value: type(value) is int and abs(value) < MOST),
    "outcome": _one_of(OUTCOMES),
}


# What follows from its actions.


def replayed(entry: Entry) -> Game:
    """Return the game of `entry`, played again. Raises CanfieldError where that can't be, or differs from it."""
    game = _replayed(entry)
    _compare(entry, game)
    return game


def _replayed(entry: Entry) -> Game:
    """Return the game of `entry`, played again. Raises CanfieldError where that can't be."""
    rules = entry.rules
    deal, draw = parse_code(entry.code)
    if format_code(deal, draw) != entry.code or draw != rules.draw:
        raise SaveError(f"{quoted(entry.code)} is not how the code of a deal is written under its rules")
    if entry.daily is not None and deal != deal_daily(entry.daily, rules.preset):
        raise SaveError(f"{quoted(entry.code)} is not the deal of {quoted(entry.daily)}")
    start, won = deal.position(rules), entry.outcome == "won"
    points = entry.score - SCORINGS[rules.scoring].for_time(entry.seconds, won=won)
    clock = Clock(entry.begun, entry.ended, entry.seconds)
    return Game.restored(start, deal, clock, entry.actions, undos=entry.undos, points=points)


def _compare(entry: Entry, game: Game) -> None:
    """Refuse an entry that differs from the game that its actions give."""
    position = game.position
    found = {
        "base": RANKS[position.base],
        "late": _is_late(entry.daily, entry.begun),
        "moves": game.moves,
        "redeals": position.redeals,
        "cards_up": position.cards_up,
        "score": game.score,
    }
    for name, value in found.items():
        if getattr(entry, name) != value:
            raise SaveError(f"it says {name} {getattr(entry, name)}, but it follows that it is {value}")
    if position.won != (entry.outcome == "won"):
        raise SaveError(f"it says {entry.outcome}, but its actions {'win' if position.won else 'do not win'}")


def _is_late(daily: str | None, begun: float) -> bool:
    """Say whether a game of the deal of the day `daily` was begun on another."""
    return daily is not None and day_of(begun) != daily


# Days and rules, as the records write them.


def day_of(instant: float) -> str:
    """Return the UTC day of `instant`, as 2026-11-30."""
    return time.strftime("%Y-%m-%d", time.gmtime(min(max(instant, 0.0), LATEST)))


def format_rules(rules: Rules) -> str:
    """Return `rules` as the records have them: all option words, as JSON. The inverse of :func:`parse_rules`."""
    return write_json(rules.words())


def parse_rules(text: str) -> Rules:
    """Return the rules that :func:`format_rules` wrote as `text`. Raises SaveError."""
    try:
        words = read_json(text) if isinstance(text, str) else None
        if isinstance(words, dict) and str(words.get("preset")) in PRESETS:
            rules = Rules.of(words)
            if format_rules(rules) == text:
                return rules
    except (JsonFault, CanfieldError) as error:
        raise SaveError(f"{quoted(text)} are no rules: {error}", HINT) from error
    raise SaveError(f"{quoted(text)} are no rules of this canfield", HINT)
