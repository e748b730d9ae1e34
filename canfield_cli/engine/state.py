"""The `state` of a game as every JSON answer and every save carries it (canfield-json(5))."""

from __future__ import annotations

from .cards import RANKS, SUITS
from .stuck import is_stuck

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import Game

__all__ = ["STATE_FORMAT", "STATE_VERSION", "format_state"]

STATE_FORMAT = "canfield-state"
STATE_VERSION = 1


def format_state(game: Game, *, reveal: bool = False) -> dict[str, object]:
    """Return all that a player may know of `game`, ready for JSON.

    Cards lie in lists whose last card is the one that can leave. With `reveal`
    stock and reserve list their cards too.
    """
    position = game.position
    stock: dict[str, object] = {"count": len(position.stock)}
    reserve: dict[str, object] = {
        "count": len(position.reserve),
        "top": position.reserve[-1] if position.reserve else None,
    }
    if reveal:
        stock["cards"] = list(position.stock)
        reserve["cards"] = list(position.reserve)
    return {
        "format": STATE_FORMAT,
        "version": STATE_VERSION,
        "code": game.code,
        "rules": game.rules.words(),
        "base": RANKS[position.base],
        "stock": stock,
        "waste": list(position.waste),
        "reserve": reserve,
        "foundations": {name: list(position.foundation(suit)) for suit, name in enumerate(SUITS)},
        "columns": [list(column) for column in position.columns],
        "legal": position.legal(),
        "score": game.score,
        "moves": game.moves,
        "undos": game.undos,
        "redeals": position.redeals,
        "seconds": game.clock.seconds,
        "cards_up": position.cards_up,
        "won": position.won,
        "stuck": is_stuck(position),
    }
