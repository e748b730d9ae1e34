"""Hostile input: a target for each reader of the program.

A target (target.py) makes an input that its reader takes (soundness.py), spoils one (spoiling.py), by its grammar as often
as by its letters, and has it read. Either an error of the program's own tree comes out, in a sentence that a terminal can
show, or a value that is what its printer prints. What takes long to load is loaded where it is needed.
"""

from command_targets import Protocol, Shell, Typed, Variables
from file_targets import Config, Csv, Database, History
from text_targets import Cards, Code, Line, Notation, Player, Record, Save, Scanner, Solvitaire, State

TARGETS = {
    target.__name__.lower(): target
    for target in (
        Save, State, Cards, Solvitaire, Line, Code, Notation, Record, Scanner, Typed, Protocol, Shell, Variables, Csv,
        Database, Config, History, Player,
    )
}  # fmt: skip
