"""From the search's moves to plain actions: each is played on the engine's own position, or it is refused.

The search may leave open which of two twins a card lies on, and takes cards out of the stock at
once; here runs move from twin to twin and the stock is drawn and turned over as the rules want.
"""

from __future__ import annotations

from ..engine.position import COLUMNS, DRAW, REDEAL, Action
from ._problem import ON, ON_TWIN, SPACE, UNCOVER, UP
from ._reference import carrier, cover, lowest, settle, shifted, step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.position import Position
    from ._problem import Game, Move, Problem, State

__all__ = ["replay"]


class _Impossible(Exception):
    """The move does not exist on real columns."""


def replay(position: Position, problem: Problem, game: Game, moves: list[Move]) -> tuple[Action, ...] | None:
    """Return the actions that win `position` as the search's `moves` do, each of them legal in turn.

    None where a move does not exist on real columns.
    """
    trail: list[Move] = []
    state, _ = settle(game, problem, problem.state, trail)
    for move in moves:
        trail.append(move)
        state, _ = settle(game, problem, step(game, problem, state, move), trail)
    player = _Player(position, problem, game)
    state = problem.state
    try:
        for move in trail:
            for shift in _shifts(game, state, move[2]):
                player.play(*shift)
            if move[1] == UNCOVER:
                player.play(cover(state[0], state[1], move[0]), SPACE)
                player.play(move[0], UP)
            else:
                player.play(move[0], move[1])
            state = step(game, problem, state, move)
    except _Impossible:
        return None
    return tuple(player.actions) if player.position.won else None


def _shifts(game: Game, state: State, wanted: int) -> list[tuple[int, int]]:
    """Return the cards that go from twin to twin to turn the state's arrangement into that of the links `wanted`."""
    ways: dict[int, list[tuple[int, int]]] = {state[4]: []}
    for here in (waiting := [state[4]]):
        for there in shifted(game, state[0], state[1], here):
            if there not in ways:
                bit = here ^ there
                ways[there] = [*ways[here], (lowest(bit), ON_TWIN if there & bit else ON)]
                waiting.append(there)
    return ways[wanted]


def _same(position: Position) -> tuple[object, ...]:
    """What tells a position from others that can be played on differently."""
    redeals = 0 if position.redeals_left is None else position.redeals
    return position.foundations, position.reserve, position.columns, position.stock, position.waste, redeals


class _Player:
    """Plays the search's moves on a real position, keeping the actions."""

    def __init__(self, position: Position, problem: Problem, game: Game) -> None:
        self.problem = problem
        self.game = game
        self.actions: list[Action] = []
        #: The positions so far, the first included, and where each stands: coming back to one cuts the loop out.
        self.positions = [position]
        self.places = {_same(position): 0}

    @property
    def position(self) -> Position:
        """The position after the actions so far."""
        return self.positions[-1]

    def act(self, word: str) -> None:
        """Play an action. Raises _Impossible when it is not legal."""
        action = Action(word)
        if not self.position.allows(action):
            raise _Impossible
        self.follow(action)

    def follow(self, action: Action) -> None:
        """Play an action that is known to be legal."""
        position, _ = self.position.after(action)
        same = _same(position)
        place = self.places.setdefault(same, len(self.positions))
        if place == len(self.positions):
            self.positions.append(position)
            self.actions.append(action)
            return
        for cut in self.positions[place + 1 :]:
            del self.places[_same(cut)]
        del self.positions[place + 1 :], self.actions[place:]

    def play(self, number: int, target: int) -> None:
        """Play one move. Raises _Impossible."""
        if self.position.won:
            return
        card = self.problem.card(number)
        place = self.find(number)
        if place is None and card in self.position.stock + self.position.waste:
            self.turn_to(number)
            source = "w"
        elif place is not None:
            source = COLUMNS[place[0]]
        elif self.position.reserve[-1:] == (card,):
            source = "r"
        else:
            source = "f" + card[1]
        if target == UP:
            if place is not None:
                source = COLUMNS[self.uncover(number)]
            self.act(source + "f")
            return
        if target == SPACE:
            columns = [i for i, column in enumerate(self.position.columns) if not column]
        else:
            twins = (target,) if self.game.arranged else (ON, ON_TWIN)
            carriers = [self.problem.card(carrier(number, twin)) for twin in twins]
            columns = [
                i
                for i, column in enumerate(self.position.columns)
                if column and column[-1] in carriers and (place is None or i != place[0])
            ]
        if not columns:
            raise _Impossible
        count = f"x{place[1] + 1}" if place is not None else ""
        self.act(source + COLUMNS[columns[0]] + count)

    def find(self, number: int) -> tuple[int, int] | None:
        """Return the column of a card on the table, and how many cards lie on it there."""
        card = self.problem.card(number)
        for i, column in enumerate(self.position.columns):
            if card in column:
                return i, len(column) - 1 - column.index(card)
        return None

    def turn_to(self, number: int) -> None:
        """Draw, and turn the waste over, until the card is the waste's top. Raises _Impossible."""
        card = self.problem.card(number)
        for _ in range(2 * (len(self.position.stock) + len(self.position.waste)) + 3):
            if self.position.waste[-1:] == (card,):
                return
            if self.position.stock:
                self.follow(DRAW)
            elif self.position.waste and self.position.redeals_left != 0:
                self.follow(REDEAL)
            else:
                raise _Impossible
        raise _Impossible

    def uncover(self, number: int) -> int:
        """Bring a card of the table to the end of its column, its run going to its twin; return the column. Raises _Impossible."""
        source, on_it = self.find(number) or (-1, 0)
        if not on_it:
            return source
        other, on_twin = self.find(number ^ 2) or (-1, 1)
        if on_twin or other == source or self.game.arranged:
            raise _Impossible
        self.act(f"{COLUMNS[source]}{COLUMNS[other]}x{on_it}")
        return source
