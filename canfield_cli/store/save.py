"""A game as the text of a save, and back: JSON with a key on each line (docs/saves.md).

The actions are the truth: on reading they are played again, and everything else in the save
must agree with them. Nothing here touches a file. Start reading at :func:`parse_save`.
"""

from __future__ import annotations

from ..engine.clock import Clock, is_time
from ..engine.deal import deal_verified, is_date
from ..engine.errors import DealError, NotationError, RulesError, SaveError, UsageError, quoted
from ..engine.game import Game
from ..engine.jsontext import JsonFault, read_json, write_json
from ..engine.notation import format_position, parse_position
from ..engine.rules import PRESETS, Rules
from ..engine.state import format_state
from ..engine.tally import HELPED, ID_DIGITS, Tally, is_id, parse_player

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from ..engine.deal import Deal
    from ..engine.position import Position

    #: For each key of an object: what its value must be, in words and as a test.
    Shape = dict[str, tuple[str, Callable[[Any], bool]]]

__all__ = ["HINT", "SAVE_FORMAT", "SAVE_VERSION", "format_save", "parse_save", "read_save"]

SAVE_FORMAT = "canfield-save"
SAVE_VERSION = 2
#: No sum of money has more digits.
LONGEST_NUMBER = 15
#: What is to be done about a bad one, wherever it is.
HINT = "canfield new begins another game"


def format_save(game: Game) -> str:
    """Return the text of the save of `game`. The inverse of :func:`parse_save`."""
    deal, undone = game.deal, game.undone
    save = {
        "format": SAVE_FORMAT,
        "version": SAVE_VERSION,
        "rules": game.rules.words(),
        "seed": deal.seed if deal else None,
        "deal": deal.cards if deal else None,
        "position": None if deal else format_position(game.start),
        "actions": game.done + undone,
        "undone": len(undone),
        "counts": {"undos": game.undos, "floor": game.floor, "points": game.points},
        "clock": {"begun": game.clock.begun, "last": game.clock.last, "seconds": game.clock.seconds},
        "tally": _format_tally(game.tally),
        "state": format_state(game),
    }
    return "{\n" + ",\n".join(f'"{key}": {write_json(value)}' for key, value in save.items()) + "\n}\n"


def parse_save(text: str) -> Game:
    """Return the game of the save `text`, with every action of it played again and all of it checked.

    Raises SaveError: it is no save or one of another version, or what it says of the game
    can't be or does not follow from its actions.
    """
    save = read_save(text)
    clock = Clock(**save["clock"])
    try:
        start, deal = _start(save, _rules(save["rules"]))
        game = Game.restored(
            start, deal, clock, save["actions"], _tally(save), undone=save["undone"], **save["counts"]
        )
    except SaveError as error:
        error.hint = HINT
        raise
    _compare(save["state"], format_state(game))
    return game


def read_save(text: str) -> dict[str, Any]:
    """Return the JSON object of a save: sound in form, but nothing of it checked against the rest.

    Raises SaveError.
    """
    save = _read_json(text)
    if not isinstance(save, dict) or save.get("format") != SAVE_FORMAT:
        _refuse("this is JSON, but not a save of canfield")
    version: Any = save.get("version")
    if not _is_count(version) or version == 0:
        _refuse("the save does not say its version")
    if version > SAVE_VERSION:
        raise SaveError(
            f"the save is of version {version}, it was written by a later version of canfield",
            f"this canfield reads version {SAVE_VERSION}, bring it up to date",
        )
    if version == 1:
        # It had no tally: the instant at which a game was begun tells it from others.
        _check_keys("the save", save, {key: fits for key, fits in _SAVE.items() if key != "tally"})
        begun: Any = save["clock"].get("begun") if _is_object(save["clock"]) else None
        save["tally"] = _format_tally(Tally(_old_id(begun) if is_time(begun) else ""))
    _check("the save", save, _SAVE)
    _check("`counts` of the save", save["counts"], _COUNTS)
    _check("`clock` of the save", save["clock"], _CLOCK)
    _check("`tally` of the save", save["tally"], _TALLY)
    if save["tally"]["account"] is not None:
        _check("`account` of the save", save["tally"]["account"], _ACCOUNT)
    return save


def _refuse(message: str) -> NoReturn:
    raise SaveError(message, HINT)


def _read_json(text: str) -> Any:
    if not text.strip():
        _refuse("the save is empty")
    try:
        return read_json(text)
    except JsonFault as fault:
        if fault.ends_early and text.lstrip()[0] == "{":
            _refuse(f"the save is cut off, it ends early in line {text.rstrip().count(chr(10)) + 1}")
        _refuse(f"the save {fault}{fault.place(text)}")


# The form of its values. A truth value is never taken for a number.


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_money(value: Any) -> bool:
    return type(value) is int and abs(value) < 10**LONGEST_NUMBER


def _is_id(value: Any) -> bool:
    return value == "" or is_id(value)


def _is_player(value: Any) -> bool:
    try:
        return isinstance(value, str) and parse_player(value) == value
    except UsageError:
        return False


_OBJECT = ("an object", _is_object)
_COUNT = ("a whole number from 0", _is_count)
_TIME = ("a time in seconds", is_time)

_SAVE: Shape = {
    "format": ("a text", lambda value: isinstance(value, str)),
    "version": _COUNT,
    "rules": _OBJECT,
    "seed": ("a whole number or null", lambda value: value is None or _is_count(value)),
    "deal": ("a list of cards or null", lambda value: value is None or _is_texts(value)),
    "position": ("a text or null", lambda value: value is None or isinstance(value, str)),
    "actions": ("a list of texts", _is_texts),
    "undone": _COUNT,
    "counts": _OBJECT,
    "clock": _OBJECT,
    "tally": _OBJECT,
    "state": _OBJECT,
}
_COUNTS: Shape = {"undos": _COUNT, "floor": _COUNT, "points": ("a whole number", _is_whole)}
_CLOCK: Shape = {
    "begun": _TIME,
    "last": ("a time in seconds or null", lambda value: value is None or is_time(value)),
    "seconds": _TIME,
}
_TALLY: Shape = {
    "id": ("the id of a game", _is_id),
    "player": ("a player's name", _is_player),
    "daily": ("a date or null", lambda value: value is None or is_date(value)),
    "restarts": _COUNT,
    "hints": _COUNT,
    "helped": (f"one of {', '.join(HELPED[1:])} or empty", lambda value: value in HELPED),
    "lost": ("a whole number or null", lambda value: value is None or _is_count(value)),
    "account": ("an object or null", lambda value: value is None or _is_object(value)),
}
_MONEY = ("a sum of money", _is_money)
_ACCOUNT: Shape = {"evening": _MONEY, "paid": _MONEY, "cost": _MONEY}


def _check(where: str, values: dict[str, Any], shape: Shape) -> None:
    """Hold the object `values` to `shape`: every key of it, no other, each with what it must have."""
    _check_keys(where, values, shape)
    for key, (words, fits) in shape.items():
        if not fits(values[key]):
            _refuse(f"{quoted(key)} in {where} is not {words}, but {_shown(values[key])}")


def _check_keys(where: str, values: dict[str, Any], wanted: dict[str, Any]) -> None:
    if values.keys() != wanted.keys():
        for key in wanted:
            if key not in values:
                _refuse(f"{where} has no {quoted(key)}")
        unknown = next(key for key in values if key not in wanted)
        _refuse(f"{where} has the key {quoted(unknown)}, which means nothing there")


def _shown(value: Any) -> str:
    """Return a value for a sentence: a number bare, anything else quoted."""
    text = write_json(value)
    return text if type(value) in (int, float) else quoted(text)


# What it says of the game.


def _rules(words: dict[str, Any]) -> Rules:
    name = words.get("preset")
    if not isinstance(name, str) or name not in PRESETS:
        _refuse(f"the rules in the save name {_shown(name)}, which is no preset")
    try:
        rules = Rules.of(words)
    except RulesError as error:
        raise SaveError(f"the rules in the save can't be used: {error.message}", HINT) from error
    for name, word in rules.words().items():
        if not _same(words[name], word):
            _refuse(
                f"the rules in the save say {name} {_shown(words[name])}, which is written {_shown(word)}"
            )
    return rules


def _format_tally(tally: Tally) -> dict[str, object]:
    """Return `tally` as JSON has it."""
    words = {name: getattr(tally, name) for name in _TALLY}
    if tally.account is not None:
        words["account"] = dict(zip(_ACCOUNT, tally.account, strict=True))
    return words


def _tally(save: dict[str, Any]) -> Tally:
    words = dict(save["tally"])
    if words["lost"] is not None and words["lost"] > len(save["actions"]) - save["undone"]:
        _refuse(f"the save says that the game was lost after {words['lost']} actions, which are not done")
    if words["account"] is not None:
        words["account"] = tuple(words["account"][name] for name in _ACCOUNT)
    return Tally(**words)


def _old_id(begun: float) -> str:
    """Return an id for a game that has none."""
    return f"{int(begun * 1000):0{ID_DIGITS}x}" if begun else ""


def _start(save: dict[str, Any], rules: Rules) -> tuple[Position, Deal | None]:
    """Return where the game began: its position, and its deal if it has one."""
    seed, cards, line = save["seed"], save["deal"], save["position"]
    if (cards is None) == (line is None) or (cards is None and seed is not None):
        _refuse("the save must have either a deal or a position, and a seed only for a deal")
    if line is not None:
        return _parse_start(line, rules), None
    try:
        deal = deal_verified(cards, seed)
    except DealError as error:
        raise SaveError(f"the deal in the save can't be used: {error.message}", HINT) from error
    return deal.position(rules), deal


def _parse_start(line: str, rules: Rules) -> Position:
    try:
        position = parse_position(line, rules)
    except NotationError as error:
        raise SaveError(f"the position in the save can't be read: {error.message}", HINT) from error
    if faults := position.faults():
        _refuse(f"the position in the save can't stand in a game: {faults[0]}")
    if format_position(position) != line:
        _refuse("the position in the save is not written as it should be")
    return position


def _compare(said: dict[str, Any], found: dict[str, Any]) -> None:
    """Refuse a state that differs from what the actions give."""
    _check_keys("`state` of the save", said, found)
    for key, value in found.items():
        if not _same(said[key], value):
            _refuse(f"the save says {key} {_shown(said[key])}, but its actions give {_shown(value)}")


def _same(said: Any, found: Any) -> bool:
    """Say whether two values are the same JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(said, dict) and isinstance(found, dict):
        return said.keys() == found.keys() and all(_same(said[key], found[key]) for key in found)
    if isinstance(said, list) and isinstance(found, list):
        return len(said) == len(found) and all(map(_same, said, found))
    return bool(said == found) and isinstance(said, bool) == isinstance(found, bool)
