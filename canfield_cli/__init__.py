"""Canfield solitaire: an exact rules engine, a solver, and the program `canfield` over them.

The names below are for other programs; they change only with a new major version.

>>> from canfield_cli import Game, deal_seed, preset
>>> game = Game.of(deal_seed(7), preset("standard"))
>>> game.play("draw").action
'draw'
>>> game.position.legal()[0]
'draw'
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
