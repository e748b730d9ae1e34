"""Points, as a fold of what happened over a scoring table (canfield-rules(6), SCORING)."""

from __future__ import annotations

from .cards import PACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Played, Position

__all__ = ["SCORINGS", "Scoring"]


class Scoring:
    """One scoring table.

    `card` points are given for a card put on a foundation; `standing` says whether they are for
    cards that stand there (so that the base card counts, and taking a card back costs its points) or
    for putting them up. `stake` is the score before the base card, `win` is added when the
    last card is up, and `time` too, less one point for each second played, but never less than 0.
    """

    __slots__ = ("card", "stake", "standing", "time", "win")

    def __init__(
        self, card: int = 0, *, standing: bool = False, stake: int = 0, win: int = 0, time: int = 0
    ) -> None:
        self.card = card
        self.standing = standing
        self.stake = stake
        self.win = win
        self.time = time

    def start(self, position: Position) -> int:
        """Return the score of a game that begins with `position`."""
        return self.stake + (self.card * position.cards_up if self.standing else 0)

    def points(self, played: Played) -> int:
        """Return what one action gives or costs."""
        lost = self.card * played.downs if self.standing else 0
        return self.card * played.ups - lost + (self.win if played.won else 0)

    def possible(self, points: int, actions: int) -> bool:
        """Say whether some `actions`, or fewer, could have given `points`."""
        least = -self.card * actions if self.standing else 0
        most = (self.card * len(PACK) + self.win) * actions
        return least <= points <= most and (not self.card or points % self.card == 0)

    def time_bonus(self, seconds: float) -> int:
        """Return what a win after `seconds` of play gives for its time."""
        return max(0, self.time - int(seconds))


#: The scoring tables by the words of the rule option `scoring`.
SCORINGS = {
    "cards": Scoring(5),
    "bonus": Scoring(5, standing=True, win=500, time=1200),
    "moves": Scoring(),
    # All 52 cards pay 500, which is 240 more than 52 times 5.
    "casino": Scoring(5, standing=True, stake=-50, win=240),
}
