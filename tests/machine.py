"""The commands as functions, over saves and records of their own and with a clock that is set by hand."""

import io
import sqlite3
from functools import cache

from canfield_cli.commands import COMMANDS
from canfield_cli.commands.context import LOOKED, execute
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.table import parse
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.rules import preset
from canfield_cli.solver import Limits, solve
from canfield_cli.store.save import parse_save

#: No search of a test goes further.
FEW = Limits(states=20_000)
#: When the tests play: 2026-11-30 12:00 UTC.
NOON = 1_796_040_000.0


@cache
def won_actions(seed, rules="easy", **options):
    """The actions of a win of a deal, from its beginning."""
    verdict = solve(deal_seed(seed).position(preset(rules, **options)), FEW)
    assert verdict.outcome == "won"
    return verdict.actions


class Machine:
    """The commands over the saves and the records in a folder, with a clock that is set by hand."""

    def __init__(self, folder, **environ):
        self.folder = folder
        self.save = folder / "game.json"
        self.path = folder / "records.db"
        self.now = NOON
        self.environ = {
            "HOME": str(folder),
            "CANFIELD_SAVE": str(self.save),
            "CANFIELD_RECORDS": str(self.path),
            **environ,
        }
        self.out = io.StringIO()

    def run(self, line, *more):
        """Run a command one second later."""
        self.now += 1
        command, values = parse(COMMANDS, [*line.split(), *more])
        return execute(
            command, values, Environment(self.out, self.out, self.out, self.environ, lambda: self.now)
        )

    def do(self, line, *more):
        """Run a command that must succeed and warn of nothing but a look at the hidden cards."""
        result = self.run(line, *more)
        assert not result.error, result.error
        assert set(result.warnings) <= {LOOKED}
        return result

    def win(self, seed, rules="easy", *options, wait=10.0):
        """Win a new game of a deal, all but its last action at once, which comes after `wait` seconds."""
        self.do(f"new --rules {rules} --seed {seed}", *options)
        *actions, last = won_actions(seed, rules)
        self.do("move", *actions)
        self.now += wait - 1
        return self.do("move", last)

    def game(self, save=None):
        return parse_save((save or self.save).read_text())

    def rows(self, columns="outcome"):
        """The rows of the table of games, in the order in which the games were begun."""
        if not self.path.exists():
            return []
        with sqlite3.connect(self.path) as database:
            found = database.execute(f"SELECT {columns} FROM games ORDER BY begun").fetchall()
        database.close()
        return [row[0] if len(row) == 1 else row for row in found]

    def catch_up(self, save=None):
        """Have the records looked at, which catch up by that."""
        return self.do("log", *(["--save", str(save)] if save else []))
