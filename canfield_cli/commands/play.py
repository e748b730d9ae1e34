"""The commands that look at the current game and play it."""

from __future__ import annotations

from ..engine.errors import NothingThere, UsageError, plain
from ..engine.notation import format_position, parse_actions
from ..engine.position import DRAW
from ..engine.stuck import is_stuck
from ..engine.touch import next_up, touch
from .result import Result
from .sentences import describe, preview, summed, won

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.game import Game
    from ..engine.position import Action, Played, Position
    from .context import Context

__all__ = ["draw", "hint", "move", "moves", "redo", "show", "tap", "undo", "up"]

#: No more actions than this, done at once, are told one by one.
SINGLY = 12


def show(context: Context, *, line: bool, reveal: bool, verdict: bool) -> Result:
    """Show the board, or the position line, which holds the hidden cards too."""
    game = context.game
    result = Result(game, board=not line, reveal=reveal)
    if line:
        text = format_position(game.position)
        result.lines, result.data = [text], {"position": text}
    if reveal or line:
        context.note_peek()
    if verdict:
        from .solving import verdict_data, verdict_of, verdict_words
        from .waiting import Waiting

        with Waiting(context) as waiting:
            found = verdict_of(game.position, waiting.tick)
        context.note_peek(lost=found.outcome == "lost")
        result.said = [verdict_words(found)]
        result.data = {**result.data, "verdict": verdict_data(found)}
    return result


def move(context: Context, *, action: list[str]) -> Result:
    """Do actions, all of them or none."""
    return _play_words(context.game, action)


def draw(context: Context, *, n: int | None) -> Result:
    """Draw `n` times, a redeal counting as one, or not at all."""
    return _play_words(context.game, [DRAW] * (n or 1))


def tap(context: Context, *, what: str) -> Result:
    """Do what a touch of a pile or card does."""
    return _play(context.game, [touch(context.game.position, what)])


def up(context: Context) -> Result:
    """Send up cards until none can go."""
    game = context.game
    actions, position = [], game.position
    while action := next_up(position):
        actions.append(action)
        position, _ = position.after(action)
    if not actions:
        raise NothingThere("nothing-up", "no card can go up", "canfield moves lists what can be done")
    return _play(game, actions)


def undo(context: Context, *, n: int | None) -> Result:
    """Undo the last `n` actions."""
    game = context.game
    undone = game.undo(n or 1)
    told = [each.action for each in undone] if len(undone) <= SINGLY else [summed(undone)]
    said = [f"undone: {each}" for each in told]
    return Result(game, did=[played.action for played in undone], said=said, board=True)


def redo(context: Context, *, n: int | None) -> Result:
    """Do the last `n` undone actions again."""
    game = context.game
    before = game.position
    played = game.redo(n or 1)
    return Result(game, did=[each.action for each in played], said=_told(played, before), board=True)


def moves(context: Context, *, explain: bool) -> Result:
    """List the legal actions, with what each would do if asked to `explain`."""
    legal = context.game.position.legal()
    if not explain:
        return Result(context.game, lines=legal, data={"moves": legal})
    view = context.game.position.seen()
    meanings = [preview(action, view) for action in legal]
    lines = [f"{action:<6}  {meaning}" for action, meaning in zip(legal, meanings, strict=True)]
    told = {action: plain(meaning) for action, meaning in zip(legal, meanings, strict=True)}
    return Result(context.game, lines=lines, data={"moves": legal, "meanings": told})


def hint(context: Context, *, all: bool, peek: bool) -> Result:
    """Say what to do next and why, by rules of thumb on what the player may know, unless told to `peek`."""
    if peek and all:
        raise UsageError("--peek knows the one action, --all ranks by rules of thumb", "give one of them")
    if peek:
        from . import solving

        return solving.peek(context)
    from ..solver.hints import hint as best
    from ..solver.hints import rank

    game = context.game
    view = game.position.seen()
    found = best(view)
    if found is None:
        raise NothingThere("no-hint", *_why_no_hint(game))
    context.note_hint()
    ranked = rank(view) if all else [found]
    width = max(len(each.action) for each in ranked)
    return Result(
        game,
        lines=[f"{each.action:<{width}}  {each.why}" for each in ranked],
        data={"hint": [{"action": each.action, "why": each.why} for each in ranked]},
    )


def _why_no_hint(game: Game) -> tuple[str, str]:
    if game.position.won:
        return "the game is won, nothing is left to do", "canfield new begins another"
    if is_stuck(game.position):
        return "the game is stuck, no play is left", "canfield undo goes back, canfield new begins another"
    if game.undoable:
        return "no useful action is left", "canfield undo goes back, canfield new begins another"
    return "no useful action is left", "canfield new begins another"


def _play_words(game: Game, words: list[str]) -> Result:
    """Do the actions that `words` are, all of them or none."""
    game.check_length(len(words))
    return _play(game, parse_actions(words, game.position))


def _play(game: Game, actions: Sequence[Action]) -> Result:
    """Do `actions`, which are legal, one after another."""
    game.check_length(len(actions))
    before = game.position
    said = _told([game.play(action) for action in actions], before)
    if game.position.won:
        said.append(won(game))
    return Result(game, did=list(actions), said=said, board=True)


def _told(done: Sequence[Played], before: Position) -> list[str]:
    """Say what was `done` in the position `before`: each action, or how many of which kind where they are many."""
    if len(done) > SINGLY:
        return [f"done: {summed(done)}"]
    said = []
    for played in done:
        said.append(describe(played, before))
        before, _ = before.after(played.action)
    return said
