"""Whether any play is left: what counts as progress, and what can be reached without it.

Progress is a card leaving reserve or waste, a foundation growing, a column emptied for the
reserve to fill. Everything else, draws, cards moved between columns, cards taken back, only changes what
lies free. Draws and column play don't touch each other, so the two are looked at apart:
:func:`reachable` for the waste, :func:`arrangements` for the columns. Start reading at :func:`is_stuck`.
"""

from __future__ import annotations

from .cards import HIDDEN, SUIT
from .position import COLUMNS, Action, Position, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .cards import Card

__all__ = ["arrangements", "is_progress", "is_stuck", "progress", "reachable"]

#: The search through the columns' arrangements begins no new level beyond so many of them.
LIMIT = 1000


def is_stuck(position: Position) -> bool:
    """Say whether no play is left at all, however one draws, moves between columns and takes back.

    True is a proof. False may also mean that there is more to try than was tried (`LIMIT`).
    """
    heights = position.foundations
    return not position.won and not any(
        True for there, _ in arrangements(position) for _ in progress(there, heights)
    )


def progress(
    position: Position, heights: tuple[int, ...] | None = None
) -> Iterator[tuple[int, Action, Card]]:
    """Yield every action that is progress here, now or after draws and redeals.

    Each comes with the number of those before it, and with the card that it moves (the deepest of a
    run). In a player's view only what the player knows is found. `heights` as for :func:`is_progress`.
    """
    for action in position.legal():
        if is_progress(position, action, heights):
            yield 0, action, _moved(position, action)
    for turns, card in reachable(position):
        if turns and card != HIDDEN:
            if position.goes_up(card):
                yield turns, Action("wf"), card
            for i, column in enumerate(position.columns):
                if not column or position.fits(card, i):
                    yield turns, Action("w" + COLUMNS[i]), card


def _moved(position: Position, action: Action) -> Card:
    """Return the card that a legal `action` moves, from reserve, waste or a column; of a run the deepest."""
    source, _, count = parts(action)
    return position.pile(source)[-count]


def is_progress(position: Position, action: Action, heights: tuple[int, ...] | None = None) -> bool:
    """Say whether the legal `action` brings the game on, rather than only shuttling cards about.

    `heights` are what the foundations held when the shuttling began (what they hold now, unless given): a
    card that was taken back since and goes up again is no progress.
    """
    source, target, count = parts(action)
    if source not in COLUMNS:
        return source in ("r", "w")
    column = position.pile(source)
    if position.reserve and count == len(column):
        return True
    suit = SUIT[column[-1]]
    if target == "f" and position.foundations[suit] >= (heights or position.foundations)[suit]:
        return True
    # Where cards finish by themselves, any move may be the one that sets them off.
    return not (position.reserve or position.waste or position.stock) and bool(
        position.after(action)[1].finished
    )


def reachable(position: Position) -> Iterator[tuple[int, Card]]:
    """Yield each card that can come to lie on top of the waste, with the fewest draws and redeals that it takes.

    The nearest come first. One turn over is enough: every later one shows the same cards.
    """
    cards, at, turns = position.waste + position.stock[::-1], len(position.waste), 0
    shown = {0}
    for _ in range(1 if position.redeals_left == 0 else 2):
        while True:
            if at not in shown:
                shown.add(at)
                yield turns, cards[at - 1]
            if at == len(cards):
                break
            at = min(at + position.rules.draw, len(cards))
            turns += 1
        at, turns = 0, turns + 1


def arrangements(
    position: Position,
    heights: tuple[int, ...] | None = None,
    *,
    takebacks: bool = True,
    limit: int = LIMIT,
) -> Iterator[tuple[Position, tuple[Action, ...]]]:
    """Yield every position that shuttling leads to, the nearest first, with the actions that lead there.

    The first is `position` itself. Of positions that differ only in the order of their columns one is
    yielded. After a level (all that takes so many actions) that makes them more than `limit`, no
    further level is begun. `heights` as for :func:`is_progress`.
    """
    heights = heights or position.foundations
    known = {_arrangement(position)}
    level: list[tuple[Position, tuple[Action, ...]]] = [(position, ())]
    while level and len(known) <= limit:
        deeper = []
        for here, path in level:
            yield here, path
            for action in here.legal():
                if (action[0] not in COLUMNS and not (takebacks and action[0] == "f")) or is_progress(
                    here, action, heights
                ):
                    continue
                there, _ = here.after(action)
                key = _arrangement(there)
                if key not in known:
                    known.add(key)
                    deeper.append((there, (*path, action)))
        level = deeper


def _arrangement(position: Position) -> tuple[object, ...]:
    return position.foundations, tuple(sorted(position.columns))
