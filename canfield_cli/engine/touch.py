"""What a touch of a card or pile does, and what can go up (canfield(6), `tap` and `up`)."""

from __future__ import annotations

from .cards import parse_card
from .errors import IllegalMove, NotationError
from .notation import locate, parse_action, parse_pile
from .position import COLUMNS, DRAW, REDEAL, Action, Position, parts, pile_name

__all__ = ["next_up", "touch", "touchable"]


def touch(position: Position, what: str) -> Action:
    """Return what a touch of `what`, a pile or a card that can be seen, does.

    The stock is drawn from or turned over. A card that lies free goes to its foundation if it can,
    else to the longest column that takes it (the leftmost of equals), then to an empty
    one. A card inside a column takes along what lies on it, to a column only.
    Raises NotationError for other words, IllegalMove where nothing comes of it.
    """
    pile, above = _read(position, what)
    if pile == "s":
        return parse_action(DRAW, position)
    above = above or 0
    ways = _ways(position, pile, above)
    if not ways:
        cards = position.pile(pile)
        hint = "canfield moves lists what can be done"
        if not cards:
            raise IllegalMove(f"{pile_name(pile)} is empty", hint)
        raise IllegalMove(f"{{{cards[-1 - above]}}} can't go anywhere", hint)
    if ways[0][-1] == "f":
        return ways[0]
    # The first of equals is the leftmost, and an empty column is the shortest there is.
    return max(ways, key=lambda action: len(position.pile(parts(action)[1])))


def touchable(position: Position, what: str) -> list[Action]:
    """Return all that `what`, a pile or a card that can be seen, can do, in the order of the legal actions.

    For a column by its name, any part of it counts. Raises as :func:`touch` does.
    """
    pile, above = _read(position, what)
    if pile == "s":
        return [action for action in position.legal() if action in (DRAW, REDEAL)]
    if above is None and pile in COLUMNS:
        return [action for action in position.legal() if action[0] == pile]
    return _ways(position, pile, above or 0)


def _read(position: Position, what: str) -> tuple[str, int | None]:
    """Return the letters of the pile that `what` names, and None; or of its card's pile, and how many lie on it."""
    try:
        pile = parse_pile(what)
    except NotationError:
        card = parse_card(what)
        place = locate(position, card)
        if place is None:
            raise IllegalMove(
                f"{{{card}}} can't be seen", "touch a card that lies face up", card=card
            ) from None
        return place
    if pile == "f":
        raise IllegalMove("that does not say which foundation", "touch fc, fd, fh or fs")
    return pile, None


def _ways(position: Position, pile: str, above: int) -> list[Action]:
    """Return the legal actions that move the card of `pile` on which `above` others lie."""
    return [action for action in position.legal() if parts(action)[::2] == (pile, above + 1)]


def next_up(position: Position) -> Action | None:
    """Return the first legal action that sends a card to a foundation, or None."""
    return next((action for action in position.legal() if action[-1] == "f"), None)
