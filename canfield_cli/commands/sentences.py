"""What happened, in a sentence: cards as ``{Qc}``, no full stop."""

from __future__ import annotations

from ..engine.cards import HIDDEN
from ..engine.errors import counted
from ..engine.position import COLUMNS, DRAW, REDEAL, pile_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.position import Action, Played, Position

__all__ = ["describe", "kept_words", "preview", "won"]


def describe(played: Played, before: Position, *, done: bool = True) -> str:
    """Say what `played` did in the position `before` it, or would do where it is not `done`."""
    if played.action == DRAW:
        return f"drew {' '.join(f'{{{card}}}' for card in played.cards)}"
    if played.action == REDEAL:
        return f"turned the waste over, {counted(len(played.cards), 'card')} in the stock again"
    sentence = f"{{{played.cards[0]}}}"
    if len(played.cards) > 1:
        sentence += f" and {counted(len(played.cards) - 1, 'card')} on it"
    sentence += f" from {pile_name(played.source)}{_whither(played, before, 'went' if done else 'goes')}"
    if played.filled:
        card = "its next card" if played.filled == HIDDEN else f"{{{played.filled}}}"
        sentence += f"; {card} from the reserve fills {pile_name(played.source)}"
    if played.finished:
        sentence += f"; the last {counted(len(played.finished), 'card')} up too"
    return sentence


def _whither(played: Played, before: Position, goes: str) -> str:
    if played.target not in COLUMNS:
        return f" {goes} up"
    column = before.columns[COLUMNS.index(played.target)]
    place = pile_name(played.target)
    return f" onto {{{column[-1]}}} in {place}" if column else f" into {place}, which was empty"


def preview(action: Action, view: Position) -> str:
    """Say what `action` would do, as far as the player may know, who sees `view`."""
    if action == DRAW:
        return f"turn {counted(min(view.rules.draw, len(view.stock)), 'card')} from the stock"
    if action == REDEAL:
        return "turn the waste over to be the stock again"
    after, played = view.after(action)
    sentence = describe(played, view, done=False)
    shown = after.reserve[-1:]
    if shown and shown != view.reserve[-1:] and shown != (HIDDEN,):
        sentence += f"; the reserve then shows {{{shown[0]}}}"
    return sentence


def won(game: Game) -> str:
    """Say that the game is won."""
    undos = f" and {counted(game.undos, 'undo')}" if game.undos else ""
    return f"won in {counted(game.moves, 'move')}{undos}"


def kept_words(number: int | None) -> list[str]:
    """Say under which number the game before is kept, if it is."""
    if number is None:
        return []
    return [f"the game before is kept as number {number}, canfield resume {number} takes it up again"]
