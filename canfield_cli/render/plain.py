"""The board in sentences, for who has it read out: each pile in words, a line each, without signs."""

from __future__ import annotations

from ..engine.cards import SUIT_NAMES, card_of
from ..engine.errors import counted
from ..engine.position import COLUMNS, FULL
from .facts import draw_words, facts, notice, redeal_words
from .look import RANK_NAMES, card_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.position import Pile, Position

__all__ = ["plain_board"]

#: The cards of the waste that are named.
FAN = 3


def plain_board(game: Game, *, reveal: bool = False) -> list[str]:
    """Return the board of `game` in sentences, one a line, without full stops.

    Only what its player may know is told, unless `reveal`.
    """
    position = game.position if reveal else game.position.seen()
    return [
        f"Base rank: {RANK_NAMES[position.base]}",
        _pile("Reserve", position.reserve, _top(position.reserve[-1:])),
        _pile("Stock", position.stock, draw_words(position, spoken=True), redeal_words(position)),
        _pile("Waste", position.waste, _top(position.waste[-FAN:])),
        *(_foundation(position, suit) for suit in range(4)),
        *(
            _pile(f"Column {name}", column, _column(column))
            for name, column in zip(COLUMNS, position.columns, strict=True)
        ),
        *(_revealed(position) if reveal else []),
        *filter(None, [_capital(notice(game.position))]),
        _capital(", ".join(facts(game, spoken=True))),
    ]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _pile(name: str, cards: Pile, *more: str) -> str:
    """Return the sentence for a pile: its name, how many cards it has, and `more`."""
    return f"{name}: " + ", ".join(filter(None, [counted(len(cards), "card") if cards else "empty", *more]))


def _top(cards: Pile) -> str:
    """Say which card can leave, and what lies under it."""
    if not cards:
        return ""
    under = _listed(cards[-2::-1])
    return f"top card {card_words(cards[-1])}" + (f", under it {under}" if under else "")


def _column(column: Pile) -> str:
    """Name the cards of `column` as they lie, its head first."""
    return _listed(column) if len(column) < 2 else f"from the head down {_listed(column)}"


def _listed(cards: Pile) -> str:
    return ", ".join(map(card_words, cards))


def _foundation(position: Position, suit: int) -> str:
    cards = position.foundation(suit)
    waits = f"waits for the {card_words(card_of(position.base + len(cards), suit))}"
    return _pile(
        f"{_capital(SUIT_NAMES[suit])} foundation",
        cards,
        _top(cards[-1:]),
        "full" if len(cards) == FULL else waits,
    )


def _revealed(position: Position) -> list[str]:
    """Name the cards that are hidden from the player, the next to leave first."""
    piles = (("Reserve", position.reserve), ("Stock", position.stock))
    return [f"{name} revealed, the next first: {_listed(cards[::-1])}" for name, cards in piles if cards]
