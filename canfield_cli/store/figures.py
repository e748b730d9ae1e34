"""What the records add up to: figures for each rule set, the best games, the last ones, the daily deals.

All of it asks and changes nothing. Games with help and games that are still open are counted, but enter no
other figure; the rest are the games that count. Start reading at :func:`figures`.
"""

from __future__ import annotations

import time

from ..engine.cards import PACK, RANKS
from ..engine.deal import is_date
from ..engine.errors import SaveError, quoted
from ..engine.scoring import POINTS
from .entry import COLUMNS
from .records import sound_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    from ..engine.rules import Rules
    from .entry import Entry
    from .records import Records

    T = TypeVar("T", int, str)
    #: How many games count, and how many of them were won.
    Count = tuple[int, int]
    #: A game: its kind, base rank, cards up, the day since 1970 on which it ended, moves, seconds, score.
    Game = tuple[int, str, int, int, int, float, int]
    #: A game's number, and what is recorded of it, but for its actions.
    Row = tuple[int, Entry]

__all__ = [
    "BOARDS",
    "Day",
    "Figures",
    "Pair",
    "boards",
    "days",
    "figures",
    "last",
    "players",
    "runs",
    "wilson",
]

#: The quantile of the normal distribution that leaves 2.5 % on either side.
Z = 1.959964
DAY = 86400
#: A leaderboard has so many places.
PLACES = 10
#: The games that count.
_COUNTS = "helped = '' AND outcome <> 'open'"
#: The kinds of games: those that count, won or not, and the others.
_NOT_WON, _WON, _HELPED, _OPEN = range(4)
_KIND = (
    f"CASE WHEN helped <> '' THEN {_HELPED} WHEN outcome = 'open' THEN {_OPEN} "
    f"WHEN outcome = 'won' THEN {_WON} ELSE {_NOT_WON} END"
)
#: Each leaderboard: which of the games that count stand on it, the best first.
BOARDS = {
    "score": f"{_COUNTS} ORDER BY score DESC",
    "moves": f"{_COUNTS} AND outcome = 'won' ORDER BY moves",
    "seconds": f"{_COUNTS} AND outcome = 'won' ORDER BY seconds",
}


# One rule set.


class Pair:
    """The best and the median of some `numbers`, at least one; the best is the least, or the greatest with `most`."""

    __slots__ = ("best", "median")

    def __init__(self, numbers: Iterable[float], *, most: bool = False) -> None:
        ranked = sorted(numbers)
        self.best = ranked[-1 if most else 0]
        twice = ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]
        # So that of whole numbers it is written as one where it is one.
        self.median = twice / 2 if twice % 2 else twice // 2

    @property
    def data(self) -> dict[str, float]:
        """The JSON object of it."""
        return {"best": self.best, "median": self.median}


class Figures:
    """The figures of the games under one rule set.

    `played` are all of them, `helped` those with help, `open` those without that are still open; `counted` are the
    rest, `won` of them won. `streak` is how many wins in a row came last, in the order in which the games ended, and
    `longest` the most there ever were. `moves` and `seconds` are of wins, `score` is of all games that count; each is None
    where there are none, the score where there are no points. `cards_up` says how many games ended with 0, 1, up to 52 cards
    up; `bases` and `months` (UTC) count the games and their wins.
    """

    __slots__ = (
        "bases", "cards_up", "counted", "helped", "longest", "months", "moves", "open", "played", "rules", "score",
        "seconds", "streak", "won",
    )  # fmt: skip

    def __init__(self, rules: Rules, rows: Sequence[Game]) -> None:
        """Take every game under `rules`, in the order in which they ended."""
        self.rules = rules
        kinds = [row[0] for row in rows]
        self.played = len(kinds)
        self.helped = kinds.count(_HELPED)
        self.open = kinds.count(_OPEN)
        games = [row for row in rows if row[0] in (_WON, _NOT_WON)]
        wins = [row for row in games if row[0] == _WON]
        marks = [row[0] == _WON for row in games]
        self.counted = len(games)
        self.won = len(wins)
        self.longest, self.streak = runs(marks)
        self.moves = Pair([row[4] for row in wins]) if wins else None
        self.seconds = Pair([row[5] for row in wins]) if wins else None
        scored = games if rules.scoring in POINTS else []
        self.score = Pair([row[6] for row in scored], most=True) if scored else None
        bases = _counts([row[1] for row in games], marks)
        self.bases = {rank: bases[rank] for rank in RANKS if rank in bases}
        self.months = _months(_counts([row[3] for row in games], marks))
        ups = _counts([row[2] for row in games], marks)
        self.cards_up = [ups.get(cards, (0, 0))[0] for cards in range(len(PACK) + 1)]

    @property
    def rate(self) -> float | None:
        """The share of wins among the games that count; None where there are none."""
        return self.won / self.counted if self.counted else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the rate."""
        return wilson(self.won, self.counted) if self.counted else None

    @property
    def data(self) -> dict[str, object]:
        """The JSON object of it."""
        return {
            "rules": self.rules.words(),
            **{name: getattr(self, name) for name in ("played", "helped", "open", "counted", "won", "rate")},
            "interval": self.interval,
            **{name: getattr(self, name) for name in ("streak", "longest")},
            **{name: pair and pair.data for name, pair in self.pairs().items()},
            "cards_up": self.cards_up,
            "bases": _counts_data(self.bases),
            "months": _counts_data(self.months),
        }

    def pairs(self) -> dict[str, Pair | None]:
        """Return the best and median moves, seconds and score by these names."""
        return {"moves": self.moves, "seconds": self.seconds, "score": self.score}


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the bounds between which the true rate lies with 95 %, of which `won` of some `games` are a sample.

    It is Wilson's score interval (1927).

    >>> [round(bound, 3) for bound in wilson(5, 10)]
    [0.237, 0.763]
    """
    rate, share = won / games, Z * Z / games
    middle = rate + share / 2
    spread = (share * (rate * (1 - rate) + share / 4)) ** 0.5
    return max(0.0, (middle - spread) / (1 + share)), min(1.0, (middle + spread) / (1 + share))


def runs(marks: Iterable[bool]) -> tuple[int, int]:
    """Return how long the longest run of true `marks` is, and how long the one at their end."""
    lengths = [len(run) for run in bytes(marks).split(b"\0")]
    return max(lengths), lengths[-1]


def _counts(keys: Iterable[T], marks: Iterable[bool]) -> dict[T, Count]:
    """Count the games of each of `keys`, and those that are marked as won."""
    from collections import Counter

    counts = Counter(zip(keys, marks, strict=True))
    return {key: (counts[key, False] + counts[key, True], counts[key, True]) for key, _ in counts}


def _months(days: dict[int, Count]) -> dict[str, Count]:
    """Return the sums of each month that any of `days` (since 1970) is in."""
    sums: dict[str, Count] = {}
    for day, (games, won) in sorted(days.items()):
        year, month, *_ = time.gmtime(day * DAY)
        before = sums.get(name := f"{year:04}-{month:02}", (0, 0))
        sums[name] = before[0] + games, before[1] + won
    return sums


def _counts_data(counts: dict[str, Count]) -> dict[str, dict[str, int]]:
    return {key: {"counted": games, "won": won} for key, (games, won) in counts.items()}


def figures(records: Records, preset: str | None, player: str) -> list[Figures]:
    """Return the figures of `player` for each rule set, that of the last game first.

    Only for those of `preset`, where that is not None.
    """
    rulesets = records.rulesets(preset)
    order = records.rows(
        "SELECT ruleset FROM games WHERE player = ? GROUP BY ruleset ORDER BY max(ended) DESC, ruleset",
        player,
    )
    found = []
    for key in (key for (key,) in order if key in rulesets):
        rows = records.rows(
            f"SELECT {_KIND}, base, cards_up, CAST(ended / {DAY} AS INTEGER), moves, seconds, score FROM games"  # noqa: S608
            " WHERE ruleset = ? AND player = ? ORDER BY ended, id",
            key,
            player,
        )
        found.append(Figures(rulesets[key], rows))
    return found


def players(records: Records) -> dict[str, int]:
    """Return how many games each player has."""
    return dict(records.rows("SELECT player, count(*) FROM games GROUP BY player ORDER BY player"))


# Single games.

_ROWS = f"SELECT n, ruleset, {', '.join(COLUMNS)} FROM games WHERE player IS ifnull(?, player)"  # noqa: S608


def last(records: Records, count: int, preset: str | None = None, player: str | None = None) -> list[Row]:
    """Return the last `count` games, the latest first: of any preset and player where these are None."""
    rulesets = records.rulesets(preset)
    keys = ", ".join(map(str, rulesets))
    rows = records.rows(
        f"{_ROWS} AND ruleset IN ({keys}) ORDER BY ended DESC, id DESC LIMIT ?", player, count
    )
    return [(n, sound_entry(n, rulesets[key], row)) for n, key, *row in rows]


def boards(
    records: Records, preset: str | None, player: str | None, daily: str | None
) -> list[tuple[Rules, dict[str, list[Row]]]]:
    """Return the leaderboards of each rule set that has any, by the names of `BOARDS`.

    None leaves open which preset, player and day's deal it is. Of equal games the earlier one stands first.
    """
    found = []
    for key, rules in records.rulesets(preset).items():
        tables = {
            name: [
                (n, sound_entry(n, rules, row))
                for n, _, *row in records.rows(
                    f"{_ROWS} AND daily IS ifnull(?, daily) AND ruleset = ? AND {best}, ended, id LIMIT {PLACES}",
                    player,
                    daily,
                    key,
                )
            ]
            for name, best in BOARDS.items()
            if name != "score" or rules.scoring in POINTS
        }
        if any(tables.values()):
            found.append((rules, tables))
    return found


# Daily deals.

#: How far a daily deal came, the least first.
_STATES = ("", "open", "played", "won")


class Day:
    """How far a player came with a daily deal: with games begun on the day itself (`timely`) and with `late` ones.

    Each is ``won``, ``played``, ``open`` or, without a game, empty.
    """

    __slots__ = ("late", "timely")

    def __init__(self) -> None:
        self.timely = self.late = ""

    @property
    def best(self) -> str:
        """How far it came at all."""
        return max(self.timely, self.late, key=_STATES.index)

    @property
    def is_late(self) -> bool:
        """Only with late games did it come so far."""
        return self.timely != self.best


def days(records: Records, preset: str, player: str) -> dict[str, Day]:
    """Return how far `player` came with each daily deal of `preset`. A win with help is only played."""
    rows = records.rows(
        "SELECT daily, late,"
        " max(CASE WHEN outcome = 'open' THEN 1 WHEN outcome = 'won' AND helped = '' THEN 3 ELSE 2 END)"
        " FROM games JOIN rulesets ON key = ruleset"
        " WHERE daily IS NOT NULL AND preset = ? AND player = ? GROUP BY daily, late ORDER BY daily",
        preset,
        player,
    )
    found: dict[str, Day] = {}
    for name, late, state in rows:
        if not is_date(name):
            raise SaveError(
                f"{quoted(name)} in the records is no day", "canfield records check looks further"
            )
        setattr(found.setdefault(name, Day()), "late" if late else "timely", _STATES[state])
    return found
