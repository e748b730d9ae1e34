"""What may come next on a line of a session, each word with its meaning; of actions only the legal ones."""

from __future__ import annotations

from ..commands.sentences import preview
from ..commands.settings import SETTINGS
from ..commands.words import meanings, words_of
from ..engine.cards import HIDDEN, SUITS
from ..engine.errors import CanfieldError
from ..engine.notation import format_action, parse_action
from ..engine.position import COLUMNS, DRAW, Position, pile_name
from ..engine.touch import touch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..commands.table import Command, Param
    from ..engine.game import Game
    from ..engine.position import Action
    from .session import Session

    Word = tuple[str, str]

__all__ = ["FILES", "complete"]

#: Stands for the names of files, which the line's reader completes itself.
FILES = ("", "file")


def complete(session: Session, game: Game | None, before: str) -> Iterable[Word]:
    """Return the words that may stand at the end of the line `before`, and what each means, cards as ``{Qc}``.

    `game` is the current one, if there is one. `FILES` among them asks for names of files. What is an action and
    a command comes once, as the action.
    """
    words = before.rpartition(";")[2].split()
    start = "" if not words or before[-1:].isspace() else words.pop()
    found: dict[str, str] = {}
    for word, meaning in _words(session, game, words, start):
        if _begins(word, start):
            found.setdefault(word, meaning)
    return found.items()


def _begins(word: str, start: str) -> bool:
    return word.lower().startswith(start.lower()) or word == FILES[0]


def _words(session: Session, game: Game | None, words: list[str], start: str) -> Iterator[Word]:
    command = session.commands.get(words[0].lower()) if words else None
    if command is None:
        if game:
            yield from _actions(game, words, start)
        if not words:
            yield from ((name, each.summary) for name, each in session.commands.items())
        return
    if start.startswith("-"):
        yield from ((option.name, option.help) for option in command.options)
        return
    option = next((option for option in command.options if words[-1] in (option.name, option.short)), None)
    if option and not option.is_flag:
        yield from _values(session, game, option, words, start)
        return
    if command.name == DRAW and game:
        yield from _actions(game, words, start)
    place = _place(command, words)
    if place:
        yield from _values(session, game, place, words, start)


def _place(command: Command, words: list[str]) -> Param | None:
    """Return the argument of `command` that comes after `words`."""
    options = {
        name for option in command.options if not option.is_flag for name in (option.name, option.short)
    }
    given = [
        word
        for word, last in zip(words[1:], words, strict=False)
        if not word.startswith("-") and last not in options
    ]
    arguments = command.arguments
    if arguments and arguments[-1].many:
        return arguments[-1]
    return arguments[len(given)] if len(given) < len(arguments) else None


def _values(
    session: Session, game: Game | None, param: Param, words: list[str], start: str
) -> Iterator[Word]:
    """Yield the values that `param` takes."""
    if param.complete == "file":
        yield FILES
    elif param.complete == "action" and game:
        yield from _actions(game, words[1:], start)
    elif param.complete == "pile":
        yield from _piles(game.position.seen()) if game else ()
    elif param.complete == "kept":
        # A line begins with the number.
        yield from ((str(each.number), each.line.split(maxsplit=1)[1]) for each in session.place.kept())
    elif param.complete == "setting":
        yield from ((name, what) for name, (_, what) in SETTINGS.items())
    elif param.complete == "value" and words[-1] in SETTINGS:
        yield from meanings(SETTINGS[words[-1]][0]).items()
    else:
        yield from words_of(session.commands, param).items()


def _actions(game: Game, words: list[str], start: str) -> Iterator[Word]:
    """Yield the actions that are legal once those of `words` are done; in card notation where `start` is of it.

    A card that they turn up and the player has not seen is not known here either: what it could do is not offered.
    """
    view = game.position.seen()
    for word in words:
        known = _known(view)
        try:
            action = parse_action(word, known)
        except CanfieldError:
            return
        if action not in _legal(view, known):
            return
        view, _ = view.after(action)
    known = _known(view)
    for action in _legal(view, known):
        meaning = preview(action, view)
        yield action, meaning
        if start and not action.lower().startswith(start.lower()):
            written = format_action(action, known)
            if written != action:
                yield written, meaning


def _known(view: Position) -> Position:
    """Return `view` without the reserve or waste whose top is hidden: nothing of it can be played."""
    reserve, waste = (() if pile[-1:] == (HIDDEN,) else pile for pile in (view.reserve, view.waste))
    return Position(
        view.rules, view.base, view.foundations, reserve, view.columns, view.stock, waste, view.redeals
    )


def _legal(view: Position, known: Position) -> list[Action]:
    """Return the legal actions as far as the player can tell them; none where a hidden card fills a column."""
    if any(HIDDEN in column for column in view.columns):
        return []
    return known.legal()


def _piles(view: Position) -> Iterator[Word]:
    """Yield the piles and cards whose touch does something."""
    cards = {"r": view.reserve, "w": view.waste, **dict(zip(COLUMNS, view.columns, strict=True))}
    for pile in ("s", *cards, *("f" + suit for suit in SUITS)):
        if _does_something(view, pile):
            yield pile, pile_name(pile)
    for pile, lying in cards.items():
        for card in lying if pile in COLUMNS else lying[-1:]:
            if _does_something(view, card):
                yield card, pile_name(pile)


def _does_something(view: Position, what: str) -> bool:
    try:
        return touch(view, what) in view.legal()
    except CanfieldError:
        return False
