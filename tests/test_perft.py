"""The legal actions and what they do, counted against an independent implementation."""

from pathlib import Path

import pytest

from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.rules import preset

TABLE = Path(__file__).parent / "data" / "perft.txt"


def read_cases():
    line = ""
    for row in TABLE.read_text().splitlines():
        if row.startswith("#"):
            continue
        words = row.split()
        if words[0].isalpha():
            yield pytest.param(
                line, words[0], [int(word) for word in words[1:]], id=f"{line[:10]}-{words[0]}"
            )
        else:
            line = row


CASES = list(read_cases())


def test_the_table_holds_ten_cases():
    assert len(CASES) == 10


@pytest.mark.parametrize(("line", "name", "counts"), CASES)
def test_perft_agrees(line, name, counts):
    position = parse_position(line, preset(name))
    assert [position.perft(depth) for depth in (1, 2, 3, 4)] == counts


@pytest.mark.parametrize(("line", "name", "counts"), CASES)
def test_the_positions_are_sound_and_print_as_they_were_read(line, name, counts):
    position = parse_position(line, preset(name))
    assert position.faults() == []
    assert format_position(position) == line


def test_perft_of_depth_nothing_is_one():
    line = CASES[0].values[0]
    assert parse_position(line, preset()).perft(0) == 1
