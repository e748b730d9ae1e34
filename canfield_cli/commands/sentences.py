"""What happened, in a sentence: cards as ``{Qc}``, no full stop."""

from __future__ import annotations

from ..engine.cards import HIDDEN
from ..engine.errors import counted
from ..engine.position import COLUMNS, DRAW, REDEAL, pile_name
from ..engine.scoring import MONEY, POINTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.game import Game
    from ..engine.position import Action, Played, Position
    from ..engine.rules import Rules

__all__ = [
    "BAR", "clock_words", "describe", "kept_words", "money_words", "number_words", "preview", "rules_words", "score_words",
    "summed", "won",
]  # fmt: skip

#: What the bars of a chart are made of.
BAR = "█"


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


def summed(played: Sequence[Played]) -> str:
    """Say how many actions there are in `played`, and how many of which kind."""
    draws, redeals = ([each.action for each in played].count(kind) for kind in (DRAW, REDEAL))
    counts = (
        (draws, "draw", ""),
        (redeals, "redeal", ""),
        (len(played) - draws - redeals, "play", ""),
        (sum(each.ups for each in played), "card up", "cards up"),
    )
    told = ", ".join(counted(*each) for each in counts if each[0])
    return f"{counted(len(played), 'action')} ({told})"


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


def kept_words(number: int | None, option: str) -> list[str]:
    """Say under which number the game before is kept, if it is; `option` names its save."""
    if number is None:
        return []
    return [f"the game before is kept as number {number}, canfield resume {number}{option} takes it up again"]


# What a game comes to.


def rules_words(rules: Rules) -> str:
    """Name `rules`: their preset, and what is changed in it."""
    changes = ", ".join(f"{name} {word}" for name, word in rules.changes().items())
    return f"{rules.preset} ({changes})" if changes else rules.preset


def number_words(number: float) -> str:
    """Write `number` to one decimal, or none where it is whole."""
    return f"{number:,.1f}".removesuffix(".0")


def money_words(points: float) -> str:
    """Write `points` as money."""
    return f"{'-' if points < 0 else ''}${abs(points):,.2f}".removesuffix(".00")


def score_words(rules: Rules, points: float) -> str:
    """Write `points` as the score of a game under `rules`; nothing where these give none."""
    if rules.scoring in MONEY:
        return money_words(points)
    return number_words(points) if rules.scoring in POINTS else ""


def clock_words(seconds: float) -> str:
    """Write a time played as minutes and seconds, and hours where it comes to one."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours:,}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
