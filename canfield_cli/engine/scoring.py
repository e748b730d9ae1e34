"""Points, as a fold of what happened over a scoring table (canfield-rules(6), SCORING)."""

from __future__ import annotations

from .cards import PACK
from .position import DRAW, REDEAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .position import Action, Played, Position

__all__ = ["MONEY", "POINTS", "SCORINGS", "Scoring"]


class Scoring:
    """One scoring table.

    `card` points are given for a card put on a foundation; `standing` says whether they are for
    cards that stand there (so that the base card counts, and taking a card back costs its points) or
    for putting them up. `stake` is the score before the base card, `win` is added when the
    last card is up, and `time` too, less one point for each second played, but never less than 0.

    What is paid on the way: `look` for the first action, `hand` for the first draw, `redeal` for each redeal and
    `minute` for each full minute played.
    """

    __slots__ = ("card", "hand", "look", "minute", "redeal", "stake", "standing", "time", "win")

    def __init__(
        self,
        card: int = 0,
        *,
        standing: bool = False,
        stake: int = 0,
        win: int = 0,
        time: int = 0,
        look: int = 0,
        hand: int = 0,
        redeal: int = 0,
        minute: int = 0,
    ) -> None:
        self.card = card
        self.standing = standing
        self.stake = stake
        self.win = win
        self.time = time
        self.look = look
        self.hand = hand
        self.redeal = redeal
        self.minute = minute

    def start(self, position: Position) -> int:
        """Return the score of a game that begins with `position`."""
        return self.stake + (self.card * position.cards_up if self.standing else 0)

    def points(self, played: Played, before: Iterable[Played]) -> int:
        """Return what one action gives or costs; `before` are those done before it."""
        lost = self.card * played.downs if self.standing else 0
        given = self.card * played.ups - lost + (self.win if played.won else 0)
        return given - self._price(played.action, before) if self.look else given

    def _price(self, action: Action, before: Iterable[Played]) -> int:
        """Return what is to be paid for `action`."""
        done = (played.action for played in before)
        first = next(done, None)
        price = self.look if first is None else 0
        if action == REDEAL:
            price += self.redeal
        elif action == DRAW and first != DRAW and DRAW not in done:
            price += self.hand
        return price

    def possible(self, points: int, actions: int) -> bool:
        """Say whether some `actions`, or fewer, could have given `points`."""
        prices = self.look + self.hand + self.redeal
        least = -(prices + (self.card if self.standing else 0)) * actions
        most = (self.card * len(PACK) + self.win) * actions
        return least <= points <= most and (bool(prices) or not self.card or points % self.card == 0)

    def for_time(self, seconds: float, *, won: bool) -> int:
        """Return what the time played gives or costs: the time bonus of a game that is `won`, less the minutes."""
        bonus = max(0, self.time - int(seconds)) if won else 0
        return bonus - self.minute * int(seconds // 60)

    def paid(self, cards_up: int, wins: int) -> int:
        """Return what has been paid out for `cards_up` cards and `wins`, in one game or several.

        The rest of their scores is what was paid for them.
        """
        return self.card * cards_up + self.win * wins


#: The scoring tables by the words of the rule option `scoring`.
SCORINGS = {
    "cards": Scoring(5),
    "bonus": Scoring(5, standing=True, win=500, time=1200),
    "moves": Scoring(),
    # All 52 cards pay 500, which is 240 more than 52 times 5.
    "casino": Scoring(5, standing=True, stake=-50, win=240),
    # The prices of BSD's game: 52 in all for hand, inspection and game; it has no prize for a win.
    "bsd": Scoring(5, standing=True, stake=-13, look=13, hand=26, redeal=5, minute=1),
}
#: Those that are played for money, and those that give points at all.
MONEY = tuple(word for word, scoring in SCORINGS.items() if scoring.stake)
POINTS = tuple(word for word, scoring in SCORINGS.items() if scoring.card)
