"""The facts of a game that stand beside its piles, in the words that board and sentences share.

With `spoken` they are put for the ear, without signs.
"""

from __future__ import annotations

from ..commands.sentences import clock_words, money_words, rules_words
from ..engine.errors import counted
from ..engine.scoring import MONEY, POINTS, SCORINGS
from ..engine.stuck import is_stuck
from ..engine.tally import percent_returned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.position import Position

__all__ = ["account", "draw_words", "facts", "notice", "redeal_words", "score_words", "time_words"]


def _dollars(points: float, *, spoken: bool = False) -> str:
    if spoken:
        return f"{'minus ' if points < 0 else ''}{abs(points)} dollars"
    return money_words(points)


def score_words(game: Game, *, spoken: bool = False) -> str:
    """Return the score of `game`; nothing under rules that give no points."""
    scoring = game.rules.scoring
    if scoring in MONEY:
        return f"balance {_dollars(game.score, spoken=spoken)}"
    return f"score {game.score}" if scoring in POINTS else ""


def account(game: Game) -> dict[str, int | float] | None:
    """Return what the casino's games came to, this one in it: this evening, in all, and what was paid back in percent.

    None for a game that is not played for money, or through a stream.
    """
    if game.tally.account is None:
        return None
    evening, paid, cost = game.tally.account
    position = game.position
    paid_now = SCORINGS[game.rules.scoring].paid(position.cards_up, position.won)
    paid, cost = paid + paid_now, cost + paid_now - game.score
    return {
        "game": game.score,
        "evening": evening + game.score,
        "all": paid - cost,
        "return": percent_returned(paid, cost),
    }


def account_words(game: Game, *, spoken: bool = False) -> list[str]:
    """Return the casino's account, a few words each; nothing where there is none."""
    sums = account(game)
    if sums is None:
        return []
    return [
        f"this evening {_dollars(sums['evening'], spoken=spoken)}",
        f"in all {_dollars(sums['all'], spoken=spoken)}",
        f"{sums['return']:g} percent returned" if spoken else f"return {sums['return']:g} %",
    ]


def time_words(game: Game, *, spoken: bool = False, seconds: float | None = None) -> str:
    """Return how long `game` has been played, or `seconds` in its place."""
    played = game.clock.seconds if seconds is None else seconds
    if not spoken:
        return clock_words(played)
    minutes, second = divmod(int(played), 60)
    return f"{counted(minutes, 'minute')} {counted(second, 'second')}"


def _player_fact(name: str) -> str:
    # Most who play have no name, and the module is of no use to them.
    from ..commands.columns import player_words

    return f"player {player_words(name)}"


def facts(game: Game, *, spoken: bool = False, seconds: float | None = None) -> list[str]:
    """Return what is to be said of `game` as a whole, a few words each; `seconds` is its time if it runs on."""
    position, rules = game.position, game.rules
    said = [
        rules_words(rules),
        score_words(game, spoken=spoken),
        *account_words(game, spoken=spoken),
        counted(game.moves, "move"),
        counted(position.redeals, "redeal"),
        f"{position.cards_up} of 52 cards up" if spoken else f"{position.cards_up}/52 up",
        f"time {time_words(game, spoken=spoken, seconds=seconds)}" if rules.clock else "",
        f"daily {game.tally.daily}" if game.tally.daily else "",
        _player_fact(game.tally.player) if game.tally.player else "",
        f"{'deal ' * spoken}{game.code}" if game.code else "",
    ]
    return [words for words in said if words]


def notice(position: Position) -> str:
    """Return what the player should be told at once: that it is won or stuck; else nothing."""
    if position.won:
        return "won: all 52 cards are up"
    return "stuck: no play is left, however you draw" if is_stuck(position) else ""


def draw_words(position: Position, *, spoken: bool = False) -> str:
    """Return what a draw does now; where only a forbidden redeal is left, nothing."""
    if position.stock:
        cards = counted(min(position.rules.draw, len(position.stock)), "card")
        return f"a draw turns {cards}" if spoken else f"draw: {cards}"
    if not position.waste:
        return "nothing is left to draw" if spoken else "nothing left"
    if position.redeals_left == 0:
        return ""
    return "a draw turns the waste over" if spoken else "draw: redeal"


def redeal_words(position: Position) -> str:
    """Return how often the waste may still be turned over, where that is limited; else nothing."""
    left = position.redeals_left
    return "" if left is None else f"{counted(left, 'redeal')} left" if left else "no redeal"
