"""The commands that begin games, take them up again, carry them in and out, and tell the rules."""

from __future__ import annotations

from ..engine.errors import SaveError, UsageError, counted, printable, quoted
from ..engine.rules import OPTIONS, PRESET_DETAILS, PRESET_NOTES, PRESETS
from .choice import chosen_game
from .columns import aligned, player_words
from .place import LONGEST_PATH, StreamPlace
from .result import Result
from .sentences import kept_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game
    from .context import Context

__all__ = [
    "check", "completion", "export", "import_", "look_for", "new", "play", "restart", "resume", "rules", "schema",
]  # fmt: skip


def new(context: Context, *, thought: tuple[Game, str, dict[str, int]] | None, **values: object) -> Result:
    """Begin a game; the one that it replaces is kept. `thought` is one that was looked for."""
    if thought is None:
        return _begun(context, chosen_game(context, values), is_new=True)
    game, said, counts = thought
    result = _begun(context, game, said, is_new=True)
    result.data = {**result.data, **counts}
    return result


def look_for(
    context: Context, *, winnable: bool, unwinnable: bool, **values: object
) -> tuple[Game, str, dict[str, int]] | None:
    """Look for a deal that is proved winnable, or not to be; None where neither is asked for."""
    if winnable and unwinnable:
        raise UsageError("--winnable and --unwinnable exclude each other", "give one of them")
    if not (winnable or unwinnable):
        return None
    from .solving import seek

    return seek(context, values, "won" if winnable else "lost")


def _begun(context: Context, game: Game, *said: str, is_new: bool = False) -> Result:
    """Make `game`, new or brought in, the current one; the one that it replaces is kept."""
    number = context.replace(game, is_new=is_new)
    data = {"seed": game.deal.seed if game.deal else None, "kept": number}
    return Result(game, said=[*said, *_kept_words(context, number)], board=True, data=data)


def _kept_words(context: Context, number: int | None) -> list[str]:
    """Say what became of the save that is replaced."""
    place = context.place
    if number is None or not context.broken:
        return kept_words(number, place.option)
    assert not isinstance(place, StreamPlace)
    file = printable(place.kept_at(number), LONGEST_PATH)
    return [f"what {place.name} held is no game that can be read, it is kept as `{file}`"]


def restart(context: Context) -> Result:
    """Begin the same deal again."""
    return _begun(context, context.game.restarted())


def resume(context: Context, *, n: int | None) -> Result:
    """List the kept games, or take up number `n`; the current one is kept in its place."""
    if n is not None:
        return _begun(context, context.take(n))
    games = context.kept()
    named = any(each.player for each in games)
    rows = [
        # Whose a broken one is, nobody knows.
        (
            str(each.number),
            each.day,
            player_words(each.player) if named and each.fault is None else "",
            each.words,
        )
        for each in games
    ]
    lines = aligned(rows, "><<<") or ["no game is kept"]
    return Result(lines=lines, data={"kept": [each.data for each in games]})


def rules(context: Context, *, preset: str | None) -> Result:
    """Tell the rules of a preset or of the current game, or list the presets and their options."""
    if preset is None:
        return _table()
    if preset == "current":
        words = context.game.rules.words()
        title = f"the current game, begun as {words['preset']}"
    else:
        words = {"preset": preset, **PRESETS[preset]}
        title = f"{preset}: {PRESET_NOTES[preset]}"
    lines = [title, "", *_GAME, ""]
    lines += [
        option.sentence(option.parse(words[name]))
        for name, option in OPTIONS.items()
        # Where nothing can be undone, what an undo does is no question.
        if not (name.startswith("undo_") and name != "undo_limit" and words["undo_limit"] == 0)
    ]
    if detail := PRESET_DETAILS.get(str(words["preset"])):
        lines += ["", detail]
    return Result(lines=lines, data={"rules": words})


#: What no option changes.
_GAME = (
    "Thirteen cards are dealt to the reserve, one to a foundation, one to each of four columns; "
    "the other 34 are the stock.",
    "The card on the foundation sets the base rank: each foundation begins with it and goes up "
    "in suit, K followed by A, to thirteen cards.",
    "Columns go down in alternating colours, A followed by K.",
    "The top card of the reserve may go to a foundation or a column; nothing is ever put on the reserve.",
    "A column that becomes empty is filled at once from the reserve.",
    "Only the top card of the waste plays; once the stock is empty, a draw turns the waste over.",
    "The game is won when all 52 cards are up.",
)


#: How many presets stand side by side in the table, so that it fits 80 columns.
_ABREAST = 4


def _table() -> Result:
    names = list(PRESETS)
    lines: list[str] = []
    for start in range(0, len(names), _ABREAST):
        lines += [*_columns(names[start : start + _ABREAST]), ""]
    lines.append("canfield rules PRESET explains one, canfield rules current those of your game")
    data = {"presets": PRESETS, "options": {name: option.help for name, option in OPTIONS.items()}}
    return Result(lines=lines, data=data)


def _columns(presets: list[str]) -> list[str]:
    """Return the table of `presets`, a rule option on each line."""
    rows = [[option, *(str(PRESETS[name][option]) for name in presets)] for option in OPTIONS]
    return aligned(rows, "<" * (1 + len(presets)), head=["", *presets])


def check(context: Context, *, file: str | None) -> Result:
    """Say whether a save is sound, or what is wrong with it."""
    from ..store.save import parse_save

    text, name = (context.read(file), quoted(file)) if file else (context.place.text(), context.place.name)
    game = parse_save(text)
    if faults := game.position.faults():
        raise SaveError(faults[0], "its deal is not a full pack", faults=faults)
    lines = [
        f"{name} is sound",
        f"{game.rules.preset}, {game.code or 'begun in the middle of a game'}",
        f"{counted(len(game.done), 'action')} done, {counted(len(game.undone), 'action')} undone, "
        f"{counted(game.position.cards_up, 'card')} up",
    ]
    return Result(game, lines=lines, data={"sound": True})


def export(context: Context) -> Result:
    """Write the game as a readable text record."""
    from ..engine.record import format_record

    text = format_record(context.game)
    return Result(context.game, document=text, data={"record": text})


def import_(context: Context, *, file: str) -> Result:
    """Play a text record back and make it the current game."""
    from ..engine.record import parse_record

    game = parse_record(context.read(file))
    return _begun(context, game, f"played back {counted(len(game.done), 'action')}")


def play(_: Context, **__: object) -> Result:
    """Refuse: a session is no command inside another; the shell begins one (cli/play.py)."""
    raise UsageError("a session can't be begun here", "canfield play begins one in the shell")


def completion(_: Context, *, shell: str) -> Result:
    """Print the completion script of a shell."""
    from . import COMMANDS
    from .completion import script

    text = script(COMMANDS, shell)
    return Result(document=text, data={"script": text})


def schema(context: Context) -> Result:
    """Print the JSON Schema of the save."""
    from ..engine.jsontext import read_json

    text = context.schema()
    return Result(document=text, data={"schema": read_json(text)})
