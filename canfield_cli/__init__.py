"""Canfield solitaire: an exact rules engine, a solver, and the program `canfield` over them.

>>> from canfield_cli import Game, deal_seed, preset
>>> game = Game.of(deal_seed(7), preset("standard"))
>>> game.play("draw").action
'draw'
>>> game.position.legal()[0]
'draw'

The names below are for other programs; they change only with a new major version. ``help(canfield_cli.Game)``
explains one.

Games and their rules:

    Game             a game in progress: play, undo, redo, its position, score and history
    Position         where all cards lie, under which rules: its legal actions, and what follows from one
    Played           what one action did
    Action           an action, a text: ``24x3``
    Card             a card, a text: ``Qc``
    Rules            one set of rule options
    preset           the rules of a preset, with options changed
    PRESETS          the options of each preset, by its name

Deals:

    Deal             the 52 cards in the order in which they are dealt
    deal_seed        the deal of a number
    deal_daily       the deal of a day
    deal_pysol       the deal of a game of PySolFC

Hints, which know what a player may know, and proofs, which know every card:

    hint             the best next action by rules of thumb
    rank             a hint for every legal action, the best first
    Hint             an action, and why
    solve            whether a position can be won
    Limits           how far a search may go
    Verdict          what a search found

Notations:

    parse_card       a card from ``Qc``, ``10h`` or the like
    parse_action     an action from any notation
    format_action    an action as ``9h-Ts``
    parse_position   a position from a position line
    format_position  a position as a position line
    parse_code       a deal and its draw setting from a deal code
    format_code      a deal and a draw setting as a deal code
    parse_deal       a deal or position from any text that tells one
    parse_save       a game from a save
    format_save      a game as a save
    parse_record     a game from a text record
    format_record    a game as a text record
    format_state     what a player may know of a game, for JSON

Errors:

    CanfieldError    anything that is refused; what all of these are
    UsageError       the words of a command are wrong
    NotationError    a text is no card, pile, action or position
    RulesError       there is no such preset, option or value
    IllegalMove      the rules forbid the action
    AmbiguousMove    several legal actions are meant
    NothingThere     there is nothing to undo, redo, hint at, send up or take up
    Undecided        the solver could not tell within its limits
    DealError        a deal can't be used
    CodeError        a deal code is wrong
    SaveError        a save or record can't be used
    SystemRefused    the system says no: permissions, space, a lock that is held
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .engine.cards import Card, parse_card
    from .engine.deal import Deal, deal_daily, deal_pysol, deal_seed
    from .engine.dealcode import format_code, parse_code
    from .engine.dealtext import parse_deal
    from .engine.errors import (
        AmbiguousMove,
        CanfieldError,
        CodeError,
        DealError,
        IllegalMove,
        NotationError,
        NothingThere,
        RulesError,
        SaveError,
        SystemRefused,
        Undecided,
        UsageError,
    )
    from .engine.game import Game
    from .engine.notation import format_action, format_position, parse_action, parse_position
    from .engine.position import Action, Played, Position
    from .engine.record import format_record, parse_record
    from .engine.rules import PRESETS, Rules, preset
    from .engine.state import format_state
    from .solver import Limits, Verdict, solve
    from .solver.hints import Hint, hint, rank
    from .store.save import format_save, parse_save

__version__ = "0.1.0"

#: Where each name is at home; it is loaded when it is first asked for, so that a command loads only its own.
_HOMES = {
    "engine.cards": ("Card", "parse_card"),
    "engine.deal": ("Deal", "deal_daily", "deal_pysol", "deal_seed"),
    "engine.dealcode": ("format_code", "parse_code"),
    "engine.dealtext": ("parse_deal",),
    "engine.errors": (
        *("AmbiguousMove", "CanfieldError", "CodeError", "DealError", "IllegalMove", "NotationError"),
        *("NothingThere", "RulesError", "SaveError", "SystemRefused", "Undecided", "UsageError"),
    ),
    "engine.game": ("Game",),
    "engine.notation": ("format_action", "format_position", "parse_action", "parse_position"),
    "engine.position": ("Action", "Played", "Position"),
    "engine.record": ("format_record", "parse_record"),
    "engine.rules": ("PRESETS", "Rules", "preset"),
    "engine.state": ("format_state",),
    "solver": ("Limits", "Verdict", "solve"),
    "solver.hints": ("Hint", "hint", "rank"),
    "store.save": ("format_save", "parse_save"),
}

__all__ = [
    "PRESETS",
    "Action",
    "AmbiguousMove",
    "CanfieldError",
    "Card",
    "CodeError",
    "Deal",
    "DealError",
    "Game",
    "Hint",
    "IllegalMove",
    "Limits",
    "NotationError",
    "NothingThere",
    "Played",
    "Position",
    "Rules",
    "RulesError",
    "SaveError",
    "SystemRefused",
    "Undecided",
    "UsageError",
    "Verdict",
    "__version__",
    "deal_daily",
    "deal_pysol",
    "deal_seed",
    "format_action",
    "format_code",
    "format_position",
    "format_record",
    "format_save",
    "format_state",
    "hint",
    "parse_action",
    "parse_card",
    "parse_code",
    "parse_deal",
    "parse_position",
    "parse_record",
    "parse_save",
    "preset",
    "rank",
    "solve",
]


def __getattr__(name: str) -> object:
    """Load one of the names of `__all__`. Raises AttributeError."""
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
