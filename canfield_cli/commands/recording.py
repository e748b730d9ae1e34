"""What playing leaves in the records: games that end or are left, and how they stand against the best before.

The save is the truth, and the records catch up from it: nothing that goes wrong here stops a game.
"""

from __future__ import annotations

from ..engine.errors import CanfieldError, NothingThere, SaveError, counted
from ..engine.scoring import POINTS
from ..store.paths import records_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from ..engine.game import Game
    from ..engine.tally import Account
    from ..store.entry import Entry
    from ..store.records import Bests, Records
    from .context import Context
    from .result import Result

    T = TypeVar("T")

__all__ = ["leave", "no_records", "open_account", "open_caught_up", "tell_win"]


def _open(context: Context) -> Records | None:
    """Return the records, None where there are to be none. Raises SaveError, SystemRefused."""
    path = records_path(context.env.environ)
    if path is None:
        return None
    from ..store.records import open_records

    context.opened = open_records(path, context.env.environ)
    return context.opened


def _tried(context: Context, work: Callable[[Records], T]) -> T | None:
    """Return what `work` gives on the records; None where there are none, and where they can't be used: a warning says why."""
    try:
        if records := _open(context):
            with records:
                return work(records)
    except CanfieldError as error:
        context.warnings.append(error.message)
    return None


def _counts(game: Game) -> bool:
    """Say whether `game` is one that is recorded: a whole deal, played here, of which an action was done."""
    return bool(game.tally.id and game.deal and game.clock.last is not None)


def _outcome(otherwise: str, *, won: bool, lost: int | None) -> str:
    """Return how a game came out that is ``open`` or ``left`` unless it is won, or left and proved lost."""
    if won:
        return "won"
    return "lost" if otherwise == "left" and lost is not None else otherwise


def _entry(game: Game, otherwise: str) -> Entry:
    from ..store.entry import Entry

    return Entry.of(game, _outcome(otherwise, won=game.position.won, lost=game.tally.lost))


def leave(context: Context, game: Game, otherwise: str = "left") -> None:
    """Record `game`, which another one takes the place of; or which its player leaves ``open`` for a time."""
    if _counts(game):
        _tried(context, lambda records: _put(records, game, otherwise))


def _put(records: Records, game: Game, otherwise: str) -> None:
    """Record `game`, unless nothing was done since the records were forgotten."""
    if game.clock.last is not None and game.clock.last >= records.since:
        records.put(_entry(game, otherwise))


def open_account(context: Context, game: Game) -> None:
    """Note what all games for money but `game` came to, the one that it takes the place of among them."""
    # One look at the records does for both.
    left, context.left = context.left, None

    def work(records: Records) -> Account:
        if left and _counts(left):
            _put(records, left, "left")
        return records.account(game.tally.player, context.env.now(), game.tally.id)

    game.tally.account = _tried(context, work) or (0, 0, 0)


def tell_win(context: Context, result: Result) -> None:
    """Record the game of `result`, which has just been won, and add how it stands against the best before."""
    game = result.game
    if game is None or not _counts(game):
        return

    def work(records: Records) -> tuple[Bests, bool]:
        bests = records.bests(game.rules, game.tally.player, game.tally.id)
        known = records.known([game.tally.id]).get(game.tally.id)
        records.put(_entry(game, "open"))
        return bests, known is not None and known.outcome == "won"

    if found := _tried(context, work):
        bests, again = found
        if again:
            result.bests = ["the records keep the first win of this game"]
        elif not game.tally.helped:
            result.bests = list(_against(game, bests))
        result.data = {**result.data, "best": bests.data}


def _against(game: Game, bests: Bests) -> Iterator[str]:
    """Say how a win of `game` stands against the best wins before it."""
    if not bests.wins:
        yield "the first recorded win under these rules"
        return
    rows = (
        ("points", game.score, bests.score, 1, game.rules.scoring in POINTS),
        ("moves", game.moves, bests.moves, -1, True),
        ("seconds", int(game.clock.seconds), int(bests.seconds or 0), -1, game.rules.clock),
    )
    better, wanting = [], []
    for unit, value, best, sign, shown in rows:
        if not shown or best is None:
            continue
        ahead = (value - best) * sign
        if ahead > 0:
            better.append(f"{counted(value, unit[:-1])} ({best:,} before)")
        elif ahead < 0:
            wanting.append(f"{1 - ahead:,} {'more' if sign > 0 else 'fewer'} {unit}")
    if better:
        yield f"a new best: {', '.join(better)}"
    if wanting:
        yield f"it takes {', '.join(wanting)} to beat your best"
    if not better and not wanting:
        yield "as good as your best"


# Catching up.


def no_records() -> NothingThere:
    """Return the error that says that there are to be no records."""
    return NothingThere(
        "no-records",
        "no records are kept",
        "$CANFIELD_RECORDS names their file, unless it is empty or off; without it they are in the home folder",
    )


def open_caught_up(context: Context) -> Records:
    """Return the records, with what the saves tell that they lack.

    That is the current game, and those kept when another took their place. Raises NothingThere where there are to be
    no records, SaveError, SystemRefused.
    """
    records = _open(context)
    if records is None:
        raise no_records()
    try:
        if entries := list(_unrecorded(context, records)):
            records.put_all(entries)
    except CanfieldError as error:
        # What is there can be read all the same.
        context.warnings.append(error.message)
    except BaseException:
        records.close()
        raise
    return records


def _unrecorded(context: Context, records: Records) -> Iterator[Entry]:
    """Yield the games of the saves, as far as they tell more of a game than its record does."""
    from ..store.save import parse_save

    saves = list(_saves(context))
    since, known = records.since, records.known({save["tally"]["id"] for _, save, _ in saves})
    for text, save, otherwise in saves:
        each, last = save["tally"]["id"], save["clock"]["last"]
        if not each or last is None or last < since:
            continue
        if otherwise == "left" and _is_told(save, known.get(each)):
            continue
        try:
            game = parse_save(text)
            if _counts(game):
                entry = _entry(game, otherwise)
                entry.check()
                yield entry
        except SaveError:
            # What a save says that can't be is its owner's trouble, not that of the records.
            continue


def _saves(context: Context) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the text of each save, its JSON, and whether its game is ``open`` or ``left``."""
    from ..store.save import read_save

    current = ""
    for text, is_current in context.place.texts():
        try:
            save = read_save(text)
        except SaveError:
            continue
        if is_current:
            current = save["tally"]["id"]
        # The current one comes first; it may be kept too, as it was when it was begun again.
        yield text, save, "open" if save["tally"]["id"] == current else "left"


def _is_told(save: dict[str, Any], known: Entry | None) -> bool:
    """Say whether what is `known` of the game in `save`, how far it came, is all that this tells of a game left."""
    if known is None:
        return False
    from ..store.entry import reach

    tally, counts, done = save["tally"], save["counts"], len(save["actions"]) - save["undone"]
    says = _outcome("left", won=save["state"].get("won") is True, lost=tally["lost"])
    played = save["clock"]["last"], tally["restarts"], done, counts["undos"]
    here = reach(*played, tally["helped"], tally["hints"], says)
    if "won" in (says, known.outcome):
        return known.outcome == "won" and (says != "won" or known.reach <= here)
    return here <= known.reach
