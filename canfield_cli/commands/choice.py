"""Which deal and which rules the options of a command choose."""

from __future__ import annotations

from ..engine.deal import SEEDS, Deal, deal_daily, deal_pysol, deal_seed
from ..engine.errors import DealError, RulesError, SaveError, UsageError, quoted
from ..engine.game import Game
from ..engine.rules import DEFAULT_PRESET, OPTIONS, preset
from ..store.files import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.rules import Rules
    from .context import Context

    Values = dict[str, object]

__all__ = [
    "SOURCES", "chosen_game", "chosen_rules", "draw_is_asked", "named_deal", "read_deal", "read_game",
]  # fmt: skip


def chosen_rules(values: Values) -> Rules:
    """Return the preset that `values` name, with the rule options that they change. Raises RulesError."""
    changes = {name: values[name] for name in OPTIONS if values[name] is not None}
    for name, word in changes.items():
        try:
            OPTIONS[name].parse(word)
        except RulesError as error:
            # It is named as it was written.
            said = f"{quoted(word)} is no value of --{name.replace('_', '-')}"
            raise RulesError(said, error.hint) from error
    return preset(str(values["rules"] or DEFAULT_PRESET), **changes)


def named_deal(values: Values) -> str | None:
    """Return the option among `values` that names a deal. Raises UsageError where there are two."""
    given = [name for name in SOURCES if values.get(name) is not None]
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} both name a deal", "give one of them")
    return given[0] if given else None


def chosen_game(context: Context, values: Values) -> Game:
    """Return a new game of the deal and under the rules that `values` name; a random deal where they name none.

    Raises UsageError, RulesError, DealError, and what reading a file raises.
    """
    rules, name = chosen_rules(values), named_deal(values)
    if name is None:
        return Game.of(deal_seed(context.entropy(SEEDS)), rules)
    return SOURCES[name](context, rules, values)


def draw_is_asked(values: Values) -> bool:
    """Say whether `values` say how many cards are drawn, so that no code may say otherwise."""
    return values["draw"] is not None


def read_deal(context: Context, file: str, limit: int = LARGEST) -> str:
    """Return the text of `file`, as `Context.read` does. Raises DealError where it is none, SystemRefused."""
    try:
        return context.read(file, limit)
    except SaveError as error:
        raise DealError(error.message, error.hint, **error.data) from error


def read_game(text: str, rules: Rules, *, fixed: bool) -> Game:
    """Return a new game under `rules` of the deal or position that `text` tells.

    A code's draw goes before theirs, unless that is `fixed`. Raises DealError, UsageError.
    """
    from ..engine.dealcode import PREFIX
    from ..engine.dealtext import parse_deal

    bare = "\n".join(line.partition("#")[0] for line in text.splitlines())
    if bare.strip().upper().startswith(PREFIX):
        return _coded(bare, rules, fixed=fixed)
    begun = parse_deal(text, rules)
    return Game.of(begun, rules) if isinstance(begun, Deal) else Game(begun)


def _seed(_: Context, rules: Rules, values: Values) -> Game:
    seed = values["seed"]
    assert isinstance(seed, int)
    return Game.of(deal_seed(seed), rules)


def _code(_: Context, rules: Rules, values: Values) -> Game:
    return _coded(str(values["code"]), rules, fixed=draw_is_asked(values))


def _coded(code: str, rules: Rules, *, fixed: bool) -> Game:
    from ..engine.dealcode import parse_code

    deal, draw = parse_code(code)
    if fixed and draw != rules.draw:
        raise UsageError(f"the code says draw {draw}, --draw says {rules.draw}", "leave out --draw")
    return Game.of(deal, rules.replace(draw=draw))


def _pysol(_: Context, rules: Rules, values: Values) -> Game:
    return Game.of(deal_pysol(str(values["pysol"])), rules)


def _file(context: Context, rules: Rules, values: Values) -> Game:
    return read_game(read_deal(context, str(values["deal"])), rules, fixed=draw_is_asked(values))


def _daily(context: Context, rules: Rules, values: Values) -> Game:
    date = context.today() if values["daily"] == "today" else str(values["daily"])
    game = Game.of(deal_daily(date, rules.preset), rules)
    game.tally.daily = date
    return game


#: The options that name a deal, at most one of which may be given, and what each makes of its value.
SOURCES: dict[str, Callable[[Context, Rules, Values], Game]] = {
    "seed": _seed,
    "code": _code,
    "pysol": _pysol,
    "deal": _file,
    "daily": _daily,
}
