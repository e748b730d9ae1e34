"""A game: where it began, what was done and undone, and what that makes of score and counts.

`Game` is the one thing of the engine that changes. Undo goes back to a kept position, so it is
exact by construction. Files, clocks and words for people are elsewhere.
"""

from __future__ import annotations

from .clock import Clock
from .dealcode import format_code
from .errors import IllegalMove, NotationError, NothingThere, SaveError, counted, quoted
from .scoring import SCORINGS
from .tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .deal import Deal
    from .position import Action, Played, Position
    from .rules import Rules

__all__ = ["LONGEST", "Game"]

#: A game has no more actions than these: each of them is played again whenever a save is read.
LONGEST = 10_000


class Game:
    """A game in progress under the rules of its `start` position.

    `deal` is where it comes from, or None for one that began in the middle. `points` are the
    score without what the time gives or costs, `moves` and `undos` the counts, `floor` the number of first actions that
    undo no longer reaches.
    """

    __slots__ = (
        "_code",
        "_done",
        "_undone",
        "clock",
        "deal",
        "floor",
        "moves",
        "points",
        "position",
        "start",
        "tally",
        "undos",
    )

    def __init__(
        self,
        start: Position,
        deal: Deal | None = None,
        clock: Clock | None = None,
        tally: Tally | None = None,
    ) -> None:
        self.start = start
        self.deal = deal
        self.clock = clock or Clock()
        self.tally = tally or Tally()
        self.position = start
        self.points = SCORINGS[start.rules.scoring].start(start)
        self.moves = 0
        self.undos = 0
        self.floor = 0
        self._code: str | None = None
        #: For each action done: the position and the points before it, and what it did.
        self._done: list[tuple[Position, int, Played]] = []
        #: The actions undone, the next to be redone last.
        self._undone: list[Action] = []

    @classmethod
    def of(cls, deal: Deal, rules: Rules) -> Game:
        """Return a new game of `deal` under `rules`."""
        return cls(deal.position(rules), deal)

    @classmethod
    def restored(
        cls,
        start: Position,
        deal: Deal | None,
        clock: Clock,
        actions: Iterable[Action],
        tally: Tally | None = None,
        *,
        undone: int = 0,
        undos: int = 0,
        floor: int | None = None,
        points: int | None = None,
    ) -> Game:
        """Return the game whose line was `actions`, the last `undone` of them undone; all are played again.

        `undos`, `floor` and `points` are what actions alone don't tell: what was done, undone
        and given up for other actions counts too. None stands for what the actions give.
        Raises SaveError, which names the action or the count that can't be.
        """
        game = cls(start, deal, clock, tally)
        for number, action in enumerate(actions, 1):
            try:
                game._do(action, None)
            except (IllegalMove, NotationError) as error:
                raise SaveError(
                    f"action {number}, {quoted(action)}, can't be played: {error.message}",
                    error.hint,
                    number=number,
                    action=action,
                ) from error
        if not 0 <= undone <= game.undoable:
            raise SaveError(f"{counted(undone, 'action')} can't be undone, only {game.undoable} can")
        game.undo(undone)
        game._set_counts(undos, undos - undone, floor, points)
        return game

    def _set_counts(self, undos: int, spare: int, floor: int | None, points: int | None) -> None:
        """Set the counts of a restored game; at most `spare` undos were of actions that it no longer has.

        Raises SaveError for what can't be.
        """
        rules, done = self.rules, len(self._done)
        if spare < 0 or (undos and rules.undo_limit == 0):
            raise SaveError(f"there can't have been {counted(undos, 'undo')}")
        self.undos = undos
        self.moves = done + (2 * undos if rules.undo_counts else 0)
        if floor is not None and floor != self.floor:
            # Whatever else was done went beyond what there is by `undo_limit` at most, and was undone.
            beyond = floor + (rules.undo_limit or 0) - done - len(self._undone)
            if rules.undo_limit is None or not self.floor < floor <= done or beyond > spare:
                raise SaveError(
                    f"the first {counted(floor, 'action')} can't be beyond undoing, {self.floor} are"
                )
            self.floor = floor
        if points is not None and points != self.points:
            kept = points - self.points
            if rules.undo_score == "refund" or not SCORINGS[rules.scoring].possible(kept, spare):
                raise SaveError(f"there can't be {counted(points, 'point')}, the actions give {self.points}")
            self.points = points

    @property
    def rules(self) -> Rules:
        """The rules that it was begun under."""
        return self.start.rules

    @property
    def code(self) -> str | None:
        """The deal code, or None for a game that began in the middle."""
        if self._code is None and self.deal:
            self._code = format_code(self.deal, self.rules.draw)
        return self._code

    @property
    def done(self) -> list[Action]:
        """The actions that led here."""
        return [played.action for _, _, played in self._done]

    @property
    def undone(self) -> list[Action]:
        """The actions that redo would do, in that order."""
        return self._undone[::-1]

    @property
    def history(self) -> list[Played]:
        """What each action that led here did."""
        return [played for _, _, played in self._done]

    @property
    def undoable(self) -> int:
        """How many actions can be undone now."""
        return len(self._done) - self.floor

    @property
    def score(self) -> int:
        """The score now, with what the time played gives or costs."""
        timed = SCORINGS[self.rules.scoring].for_time(self.clock.seconds, won=self.position.won)
        return self.points + timed

    def play(self, action: Action) -> Played:
        """Do one action; what was undone is forgotten. Raises IllegalMove, and nothing has changed."""
        played = self._do(action, None)
        self._undone.clear()
        return played

    def undo(self, count: int = 1) -> list[Played]:
        """Undo the last `count` actions, or none of them; return what they had done, the last first.

        Raises NothingThere where there are not so many, or the rules allow no more (`undo_limit`).
        """
        if count > self.undoable:
            raise self._cannot_undo(count)
        rules, undone = self.rules, []
        for _ in range(count):
            self.position, points, played = self._done.pop()
            self._undone.append(played.action)
            undone.append(played)
            if rules.undo_score == "refund":
                self.points = points
            self.moves += 1 if rules.undo_counts else -1
            self.undos += 1
        if self.tally.lost is not None and self.tally.lost > len(self._done):
            self.tally.lost = None
        return undone

    def redo(self, count: int = 1) -> list[Played]:
        """Do the last `count` undone actions again, or none of them; return what they did.

        Where an undo left the points (`undo_score` keep), they are not given twice.
        Raises NothingThere.
        """
        if count > len(self._undone):
            message, hint = "there is nothing to redo", "redo does what an undo undid"
            if self._undone:
                message = f"{counted(count, 'action')} can't be redone, only {len(self._undone)} can"
                hint = "ask for fewer"
            raise NothingThere("nothing-to-redo", message, hint)
        points = None if self.rules.undo_score == "refund" else self.points
        return [self._do(self._undone.pop(), points) for _ in range(count)]

    def restarted(self) -> Game:
        """Return the game begun again from the same start: for the records it is the same one, dealt when it was."""
        return Game(self.start, self.deal, Clock(self.clock.begun), self.tally.restarted())

    def check_length(self, more: int) -> None:
        """Raise IllegalMove where `more` actions would make the game longer than `LONGEST`."""
        if len(self._done) + more > LONGEST:
            raise IllegalMove(
                f"a game has at most {LONGEST:,} actions", "canfield restart deals the same again"
            )

    def _do(self, action: Action, points: int | None) -> Played:
        """Do `action` and set the points, or add what it gives if `points` is None."""
        self.check_length(1)
        before = self.position
        self.position, played = before.apply(action)
        if points is None:
            earlier = (done for _, _, done in self._done)
            points = self.points + SCORINGS[self.rules.scoring].points(played, earlier)
        self._done.append((before, self.points, played))
        self.points = points
        self.moves += 1
        if self.rules.undo_limit is not None:
            self.floor = max(self.floor, len(self._done) - self.rules.undo_limit)
        return played

    def _cannot_undo(self, count: int) -> NothingThere:
        limit = self.rules.undo_limit
        if limit == 0:
            return NothingThere(
                "no-undo",
                "there is no undo under these rules (undo_limit is 0)",
                "canfield restart deals the same again",
            )
        if not self._done:
            return NothingThere("nothing-to-undo", "there is nothing to undo", "no action has been done yet")
        message = f"{counted(count, 'action')} can't be undone, only {self.undoable} can"
        if not self.floor:
            return NothingThere("nothing-to-undo", message, "ask for fewer")
        if not self.undoable:
            message = "nothing more can be undone"
        return NothingThere(
            "nothing-to-undo",
            f"{message}, undo_limit is {limit}",
            "canfield restart goes back to the beginning",
        )
