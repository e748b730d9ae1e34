"""Canfield solitaire: an exact rules engine, and the program `canfield` over it.

The names below are for other programs; they change only with a new major version.

>>> from canfield_cli import Game, deal_seed, preset
>>> game = Game.of(deal_seed(7), preset("standard"))
>>> game.play("draw").action
'draw'
>>> game.position.legal()[0]
'draw'
"""

from __future__ import annotations

from .engine.cards import Card, parse_card
from .engine.deal import Deal, deal_daily, deal_pysol, deal_seed
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
    UsageError,
)
from .engine.game import Game
from .engine.notation import format_action, format_position, parse_action, parse_position
from .engine.position import Action, Played, Position
from .engine.rules import PRESETS, Rules, preset

__version__ = "0.1.0"

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
    "IllegalMove",
    "NotationError",
    "NothingThere",
    "Played",
    "Position",
    "Rules",
    "RulesError",
    "SaveError",
    "SystemRefused",
    "UsageError",
    "__version__",
    "deal_daily",
    "deal_pysol",
    "deal_seed",
    "format_action",
    "format_position",
    "parse_action",
    "parse_card",
    "parse_position",
    "preset",
]
