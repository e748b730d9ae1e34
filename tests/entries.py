"""Entries of the records, made quickly, for tests and the processes that they start."""

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import preset
from canfield_cli.engine.tally import Tally
from canfield_cli.store.entry import Entry

#: A Monday noon in UTC, 2026-11-30.
NOON = 1796040000.0


def make(number=1, name="standard", **changes):
    """The entry of a game of three draws, with some of its columns changed."""
    game = Game.of(deal_seed(7), preset(name))
    game.clock = Clock(NOON)
    game.tally = Tally(f"{number:016x}")
    for second in range(3):
        game.play("draw")
        game.clock.tick(NOON + second)
    entry = Entry.of(game, "left")
    for column, value in changes.items():
        setattr(entry, column, value)
    return entry


def won(number=1, name="standard", **changes):
    return make(number, name, outcome="won", **changes)
