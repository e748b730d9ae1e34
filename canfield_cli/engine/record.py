"""A game as a text record for people, and back: tags, the deal, numbered actions, the result.

What PGN is for chess; docs/saves.md describes it. It holds the line of actions that led to where the
game is, not those that were undone. Start reading at :func:`format_record`.
"""

from __future__ import annotations

from .cards import parse_card
from .clock import LATEST, Clock
from .deal import Deal
from .errors import CanfieldError, SaveError, UsageError, counted, quoted
from .game import LONGEST, Game
from .notation import format_position, parse_action, parse_position
from .rules import OPTIONS, preset
from .scoring import SCORINGS
from .stuck import is_stuck

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Action, Position
    from .rules import Rules

__all__ = ["format_record", "is_record", "parse_record"]

GAME = "canfield"
VERSION = "1"
#: The results, with which a record ends.
RESULTS = ("won", "stuck", "open")
#: The tags, in the order in which they are written.
TAGS = (
    "Game", "Version", "Date", "Preset", "Rules", "Code", "Moves", "Undos", "Floor", "Score", "Seconds", "Result",
    "Position", "Reserve", "Base", "Columns", "Stock",
)  # fmt: skip
#: The tags that tell the deal, and how many cards each of them has.
PILES = {"Reserve": 13, "Base": 1, "Columns": 4, "Stock": 34}
ACTIONS_A_LINE = 10
HINT = "canfield export writes such records, the manual describes them"
#: Formats of JSON that are no records: what each is, and what reads it.
_OTHERS = {
    "canfield-save": ("a save", "canfield show --save FILE shows it"),
    "canfield-state": (
        "a state",
        "canfield new --deal FILE begins a game there, if show --json --reveal wrote it",
    ),
}
#: No number in a record has more digits.
LONGEST_NUMBER = 15
_DAY = 86400


def format_record(game: Game) -> str:
    """Return the record of `game`. The inverse of :func:`parse_record`, but for actions undone."""
    tags = {
        "Game": GAME,
        "Version": VERSION,
        "Date": _format_date(game.clock.begun),
        "Preset": game.rules.preset,
        "Rules": ", ".join(f"{name} {word}" for name, word in game.rules.words().items() if name in OPTIONS),
        "Code": game.code,
        "Moves": game.moves,
        "Undos": game.undos,
        "Floor": game.floor,
        "Score": game.score,
        "Seconds": game.clock.seconds,
        "Result": _result(game.position),
        **_start_tags(game),
    }
    lines = [f'[{name} "{value}"]' for name, value in tags.items() if value is not None]
    done = game.done
    starts = range(0, len(done), ACTIONS_A_LINE)
    actions = [f"{start + 1:3}. {' '.join(done[start : start + ACTIONS_A_LINE])}" for start in starts]
    return "\n".join([*lines, "", *actions, "", _result(game.position), ""])


def parse_record(text: str) -> Game:
    """Return the game of the record `text`, played again from its beginning.

    Comments, in braces or from a semicolon to the end of the line, are passed over; actions may stand in any
    notation. Only the tags for game, preset and deal must be there, but each that is must be true.
    Raises SaveError, which names the number of an action that is not legal, and DealError.
    """
    try:
        return _parse(*_split(text))
    except SaveError as error:
        error.hint = error.hint or HINT
        raise
    except UsageError as error:
        raise SaveError(f"the record can't be read: {error.message}", error.hint) from error


def _parse(tags: dict[str, str], words: list[str]) -> Game:
    rules = _rules(tags)
    start, deal = _start(tags, rules)
    actions, end, result = _actions(words, start)
    clock = Clock(_parse_date(tags.get("Date")), None, _seconds(tags))
    game = Game.restored(
        start,
        deal,
        clock,
        actions,
        undos=_number(tags, "Undos") or 0,
        floor=_number(tags, "Floor"),
        points=_points(tags, end, clock),
    )
    facts = {"Moves": game.moves, "Score": game.score, "Result": _result(end), "Code": game.code}
    for name, fact in {**facts, "result at the end": _result(end)}.items():
        said = tags.get(name, str(fact)) if name in TAGS else result
        if said != str(fact):
            raise SaveError(f"the record says {name} {quoted(said)}, but its actions give {fact}")
    return game


def _result(position: Position) -> str:
    return "won" if position.won else "stuck" if is_stuck(position) else "open"


# The text.


def is_record(text: str) -> bool:
    """Say whether `text` is meant to be a record: it begins with the tag of one."""
    head, _, rest = text.removeprefix("\ufeff").lstrip().removeprefix("[").lstrip().partition(" ")
    return head in TAGS and rest.lstrip().startswith('"')


def _other(text: str) -> SaveError | None:
    """Return what to say of `text` where it is JSON that other commands read."""
    from .jsontext import JsonFault, read_json

    try:
        value = read_json(text)
    except JsonFault:
        return None
    if isinstance(value, dict) and "format" not in value:
        # An answer has it inside.
        value = value.get("state")
    known = _OTHERS.get(str(value.get("format"))) if isinstance(value, dict) else None
    return SaveError(f"the text is {known[0]}, not the record of a game", known[1]) if known else None


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """Split a record into its tags and the words after them."""
    import re

    # A comment leaves its ends of lines, so that lines can be counted.
    text = text.removeprefix("\ufeff")
    bare = re.sub(r"\{[^}]*\}?|;[^\n]*", lambda found: " " + "\n" * found[0].count("\n"), text)
    tags: dict[str, str] = {}
    words: list[str] = []
    for number, line in enumerate(bare.splitlines(), 1):
        if not line.lstrip().startswith("["):
            words += line.split()
            continue
        found = re.fullmatch(r'\s*\[\s*(\w+)\s+"([^"]*)"\s*\]\s*', line)
        if not found or found[1] not in TAGS or words:
            raise _other(text) or SaveError(f"line {number} of the record is no tag, {quoted(line.strip())}")
        if found[1] in tags:
            raise SaveError(f"the record has the tag {found[1]} twice")
        tags[found[1]] = found[2].strip()
    if tags.get("Game") != GAME:
        raise _other(text) or SaveError("this is not the record of a game of canfield")
    if tags.get("Version", VERSION) != VERSION:
        raise SaveError(
            "the record was written by a later version of canfield", f"this one reads version {VERSION}"
        )
    return tags, words


def _needed(tags: dict[str, str], name: str) -> str:
    if name not in tags:
        raise SaveError(f"the record has no tag {name}")
    return tags[name]


def _number(tags: dict[str, str], name: str) -> int | None:
    text = tags.get(name)
    if text is None:
        return None
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        raise SaveError(f"{quoted(text)} is not a number for the tag {name}")
    return int(text)


def _seconds(tags: dict[str, str]) -> float:
    text = tags.get("Seconds", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LATEST:
        raise SaveError(f"{quoted(text)} is not a time in seconds")
    return seconds


def _points(tags: dict[str, str], end: Position, clock: Clock) -> int | None:
    """Return the points that the score stands for, that is, without what the time gives or costs."""
    score = _number(tags, "Score")
    if score is None:
        return None
    return score - SCORINGS[end.rules.scoring].for_time(clock.seconds, won=end.won)


def _actions(words: list[str], position: Position) -> tuple[list[Action], Position, str]:
    """Play `words`, numbers and actions, from `position`: the actions, where they end, the result."""
    actions: list[Action] = []
    for place, word in enumerate(words):
        if word in RESULTS:
            if words[place + 1 :]:
                raise SaveError(f"the record goes on after its result, {quoted(words[place + 1])}")
            return actions, position, word
        number = len(actions) + 1
        digits, dot, action = word.partition(".")
        if not dot:
            action = word
        elif digits != str(number):
            raise SaveError(f"the record says {quoted(word)} where action {number} follows")
        if not action:
            continue
        if number > LONGEST:
            raise SaveError(f"the record has more than {LONGEST:,} actions", "no game is so long")
        try:
            actions.append(parse_action(action, position))
            position, _ = position.apply(actions[-1])
        except CanfieldError as error:
            message = f"action {number}, {quoted(action)}, can't be played: {error.message}"
            raise SaveError(message, error.hint, number=number, action=action) from error
    raise SaveError("the record ends early, without a result", f"it ends with {' or '.join(RESULTS)}")


# Rules and deal.


def _rules(tags: dict[str, str]) -> Rules:
    options: dict[str, object] = {}
    for part in filter(None, tags.get("Rules", "").split(",")):
        name, _, word = part.strip().partition(" ")
        if name not in OPTIONS or name in options:
            raise SaveError(f"{quoted(part)} is no rule option, or is there twice")
        options[name] = word.strip()
    return preset(_needed(tags, "Preset"), **options)


def _start_tags(game: Game) -> dict[str, str]:
    """Return the tags that tell where `game` began."""
    if game.deal is None:
        return {"Position": format_position(game.start)}
    cards = iter(game.deal.cards)
    return {name: " ".join(next(cards) for _ in range(count)) for name, count in PILES.items()}


def _start(tags: dict[str, str], rules: Rules) -> tuple[Position, Deal | None]:
    """Return where the game began: its position, and its deal if it has one."""
    if "Position" in tags:
        position = parse_position(tags["Position"], rules)
        if faults := position.faults():
            raise SaveError(f"the position of the record can't stand in a game: {faults[0]}")
        return position, None
    piles = {name: [parse_card(word) for word in _needed(tags, name).split()] for name in PILES}
    for name, count in PILES.items():
        if len(piles[name]) != count:
            raise SaveError(f"the tag {name} has {counted(len(piles[name]), 'card')}, not {count}")
    deal = Deal(card for cards in piles.values() for card in cards)
    if "Code" in tags:
        from .dealcode import parse_code

        # The code tells the seed too.
        coded, _ = parse_code(tags["Code"])
        if coded != deal:
            raise SaveError("the record's code is of another deal than its cards")
        deal = coded
    return deal.position(rules), deal


# Dates: seconds since 1970 UTC, as 2026-11-30T07:46:07Z.


def _days(year: int, month: int, day: int) -> int:
    """Return how many days after the first of 1970 a day is, in the Gregorian calendar."""
    # January and February are months 13 and 14 of the year before: so a leap day ends its year.
    year, month = (year, month) if month > 2 else (year - 1, month + 12)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day - 719_469


def _format_date(seconds: float) -> str:
    days, second = divmod(int(seconds), _DAY)
    year = 1970 + days // 366
    while _days(year + 1, 1, 1) <= days:
        year += 1
    month = next(month for month in range(12, 0, -1) if _days(year, month, 1) <= days)
    day = days - _days(year, month, 1) + 1
    return f"{year:04}-{month:02}-{day:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def _parse_date(text: str | None) -> float:
    if text is None:
        return 0.0
    parts = text.replace("T", "-").replace(":", "-").removesuffix("Z").split("-")
    if len(parts) == 6 and all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        year, month, day, hour, minute, second = map(int, parts)
        seconds = float(_days(year, month, day) * _DAY + hour * 3600 + minute * 60 + second)
        if seconds >= 0 and _format_date(seconds) == text:
            return seconds
    raise SaveError(f"{quoted(text)} is not a date", "write it as 2026-11-30T07:46:07Z")
