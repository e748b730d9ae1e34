"""Records as CSV, to be kept elsewhere, read by other programs, and merged with those of another machine.

A row for each game under a line of names. Nothing that is read is believed: each game is played again, and
whatever follows from its actions must be as it says. With one fault, none of the file is taken.
"""

from __future__ import annotations

from sys import intern

from ..engine.errors import CanfieldError, SaveError, quoted
from ..engine.position import Action
from .entry import COLUMNS, Entry, format_rules, parse_rules, replayed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

__all__ = ["FIELDS", "format_csv", "parse_csv"]

#: The names in the first line.
FIELDS = (*COLUMNS, "rules", "actions")
#: Whole numbers have no more digits than these.
LONGEST_NUMBER = 15
HINT = "nothing of it is taken; canfield records export writes such a file"


def format_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of the file that holds `entries`. :func:`parse_csv` reads it."""
    import csv

    write = csv.writer(_Echo(), lineterminator="\n").writerow
    # What the stream gives back for a line, this does too.
    yield write(FIELDS)
    for entry in entries:
        values = (_format(value) for value in entry.values)
        yield write([*values, format_rules(entry.rules), " ".join(entry.actions)])


class _Echo:
    """A stream that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _format(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def parse_csv(text: str) -> list[Entry]:
    """Return the games of a file that :func:`format_csv` wrote, each of them played again.

    Raises SaveError, which names the line, for anything that is not as it would write it.
    """
    import csv

    # A spreadsheet may leave empty lines at the end.
    rows = csv.reader(_lines(text.removeprefix("\ufeff").rstrip("\r\n")), strict=True)
    entries: dict[str, Entry] = {}
    line = 1
    try:
        if tuple(next(rows, [])) != FIELDS:
            raise SaveError(f"it should name {', '.join(FIELDS)}")
        line = rows.line_num + 1
        for row in rows:
            entry = _parse(row)
            if entry.id in entries:
                raise SaveError(f"the game {quoted(entry.id)} is there twice")
            entries[entry.id] = entry
            line = rows.line_num + 1
    except (CanfieldError, csv.Error) as error:
        said = error.message if isinstance(error, CanfieldError) else quoted(error)
        raise SaveError(f"line {line} of the records can't be used: {said}", HINT, line=line) from error
    return list(entries.values())


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of `text` with their ends, without a copy of all of it."""
    import re

    for found in re.finditer(r"[^\r\n]*(?:\r\n?|\n|\Z)", text):
        # At the end there is one more, and nothing in it.
        if line := found[0]:
            yield line


def _parse(row: list[str]) -> Entry:
    """Return the game of a row. Raises CanfieldError."""
    if len(row) != len(FIELDS):
        raise SaveError(f"it has {len(row)} fields instead of {len(FIELDS)}")
    values = [_READ.get(name, _text)(name, text) for name, text in zip(COLUMNS, row, strict=False)]
    actions = row[-1].split(" ") if row[-1] else []
    entry = Entry(parse_rules(row[-2]), [Action(intern(action)) for action in actions], values)
    entry.check()
    replayed(entry)
    return entry


def _text(name: str, text: str) -> str:
    del name
    return text


def _text_or_none(name: str, text: str) -> str | None:
    del name
    return text or None


def _whole(name: str, text: str) -> int:
    """Read a whole number, which may be negative."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        raise SaveError(f"{quoted(text)} can't be {name}, which is a whole number")
    return int(text)


def _flag(name: str, text: str) -> bool:
    """Read 0 or 1."""
    if text not in ("0", "1"):
        raise SaveError(f"{quoted(text)} can't be {name}, which is 0 or 1")
    return text == "1"


def _seconds(name: str, text: str) -> float:
    """Read a number, with a fraction or without."""
    try:
        # Not the rest of what Python takes: nan, 1_000, digits of other scripts.
        if text.strip("0123456789.e+-"):
            raise ValueError
        return float(text)
    except ValueError:
        raise SaveError(f"{quoted(text)} can't be {name}, which is a number of seconds") from None


#: How the text of a column is read, where that is not all there is to it.
_READ: dict[str, Callable[[str, str], Any]] = {
    "daily": _text_or_none,
    "late": _flag,
    **dict.fromkeys(("begun", "ended", "seconds"), _seconds),
    **dict.fromkeys(("moves", "undos", "redeals", "restarts", "hints", "cards_up", "score"), _whole),
}
