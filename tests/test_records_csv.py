"""Records as CSV: out and in again, merged without counting twice, and nothing believed that does not follow."""

import csv
import io

import pytest
from entries import NOON, make
from games import games
from hypothesis import given, settings
from hypothesis import strategies as st

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import Deal, deal_daily, deal_seed
from canfield_cli.engine.dealcode import format_code
from canfield_cli.engine.errors import SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.scoring import SCORINGS
from canfield_cli.engine.tally import Tally
from canfield_cli.store.entry import COLUMNS, Entry, format_rules
from canfield_cli.store.records import open_records
from canfield_cli.store.recordscsv import FIELDS, format_csv, parse_csv


def written(entries):
    return "".join(format_csv(entries))


def changed(entry, **fields):
    """The file that holds `entry`, with some of its fields written otherwise."""
    head, row = csv.reader(io.StringIO(written([entry])))
    row = [str(fields.get(name, text)) for name, text in zip(head, row, strict=True)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, row])
    return out.getvalue()


def refused(text, line):
    """The sentence by which a file is refused, which names the line."""
    with pytest.raises(SaveError) as caught:
        parse_csv(text)
    error = caught.value
    assert error.data["line"] == line
    assert f"line {line} " in str(error)
    assert error.hint
    assert str(error).isprintable()
    assert len(str(error)) < 600
    return str(error)


@st.composite
def entries(draw):
    """Entries of games that were really played."""
    game = draw(games().filter(lambda game: game.deal and game.done))
    game.tally.id = draw(st.text("0123456789abcdef", min_size=16, max_size=16))
    game.tally.daily = None
    game.tally.player = draw(
        st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(' ",;='), max_size=40)
    )
    return Entry.of(game, "won" if game.position.won else draw(st.sampled_from(["open", "left", "lost"])))


def won_game(rules):
    """A game whose deal goes up almost by itself, won."""
    # The stock turned one by one gives 2c 2d 2h 2s 3c ... after the bases; see the reserve, which begins it.
    ranks, suits = "A23456789TJQK", "cdhs"
    order = [rank + suit for rank in ranks for suit in suits]
    base, columns, rest = order[0], order[1:5], order[5:]
    reserve, stock = rest[:13][::-1], rest[13:]
    if rules.draw == 3:
        # Three are turned at a time, the last of them on top.
        stock = [card for at in range(0, len(stock), 3) for card in stock[at : at + 3][::-1]]
    game = Game.of(Deal([*reserve, base, *columns, *stock]), rules)
    game.clock, game.tally = Clock(NOON), Tally("00000000000000ff")
    now = NOON
    while not game.position.won:
        legal = game.position.legal()
        game.play(next((action for action in legal if action[-1] == "f"), legal[0]))
        now += 1.5
        game.clock.tick(now)
    return game


# Out and in.


@settings(max_examples=40)
@given(st.lists(entries(), max_size=3, unique_by=lambda entry: entry.id))
def test_what_is_written_is_read_back(given_entries):
    text = written(given_entries)
    assert text.splitlines()[0] == ",".join(FIELDS)
    assert text.count("\n") == 1 + len(given_entries)
    read = parse_csv(text)
    assert read == given_entries
    assert [entry.values for entry in read] == [entry.values for entry in given_entries]
    assert written(read) == text


@pytest.mark.parametrize("name", PRESETS)
def test_a_win_of_each_preset_is_read_back_and_one_that_is_none_is_not(name):
    entry = Entry.of(won_game(preset(name)), "won")
    assert entry.cards_up == 52
    assert parse_csv(written([entry])) == [entry]
    said = refused(changed(entry, outcome="left"), 2)
    assert "win" in said or "point" in said
    cut = changed(entry, actions=" ".join(entry.actions[:-1]), moves=entry.moves - 1)
    refused(cut, 2)
    if SCORINGS[preset(name).scoring].card:
        refused(changed(entry, score=entry.score + 5000), 2)


def test_other_programs_may_read_it_and_write_it_their_way():
    entry = make(player='=1+1, "quoted"')
    text = written([entry])
    row = dict(zip(*csv.reader(io.StringIO(text)), strict=True))
    assert row["player"] == '=1+1, "quoted"'
    assert row["actions"] == "draw draw draw"
    # As a spreadsheet does: a mark at the beginning, other line ends, everything quoted, whole numbers bare.
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(
        csv.reader(io.StringIO(text.replace(f"{NOON}", "1796040000")))
    )
    assert parse_csv("\ufeff" + out.getvalue() + "\r\n") == [entry]


def test_a_daily_game_must_be_of_that_day(tmp_path):
    game = Game.of(deal_daily("2026-11-30", "easy"), preset("easy"))
    game.clock, game.tally = Clock(NOON), Tally("0" * 16, daily="2026-11-30")
    game.play("draw")
    entry = Entry.of(game, "left")
    assert parse_csv(written([entry])) == [entry]
    assert "2026-11-29" in refused(changed(entry, daily="2026-11-29"), 2)
    assert "late" in refused(changed(entry, late=1), 2)
    assert "late" in refused(changed(entry, begun=0), 2)
    for day in ("2026-02-30", "2026-11-3O", "30.11.2026", "2026-11-30 ", "٢٠٢٦-11-30"):
        refused(changed(entry, daily=day), 2)


@settings(max_examples=12)
@given(st.lists(entries(), min_size=1, max_size=5, unique_by=lambda entry: entry.id), st.integers(0, 5))
def test_two_machines_merged_twice_are_as_merged_once(tmp_path_factory, all_entries, cut):
    folder = tmp_path_factory.mktemp("machines")
    with open_records(str(folder / "here.db")) as here, open_records(str(folder / "there.db")) as there:
        here.put_all(all_entries[: cut + 1])
        there.put_all(all_entries[cut:])
        for _ in range(2):
            here.put_all(parse_csv(written(there.entries())))
            there.put_all(parse_csv(written(here.entries())))
        both = [{entry.id: entry.values for entry in records.entries()} for records in (here, there)]
    assert both[0] == both[1] == {entry.id: entry.values for entry in all_entries}


# What is refused.


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n", 1),
        ("\x00", 1),
        ("a,b\n1,2\n", 1),
        (",".join(FIELDS[:-1]) + "\n", 1),
        (",".join(FIELDS[::-1]) + "\n", 1),
        (",".join(FIELDS).upper() + "\n", 1),
        ('"' + ",".join(FIELDS) + "\n", 1),
        ("x" * 200_000, 1),
        (",".join(FIELDS) + "\nx\n", 2),
        (",".join(FIELDS) + "\n\n\n" + "," * len(FIELDS) + "\n", 2),
        (",".join(FIELDS) + '\n"a', 2),
        (",".join(FIELDS) + '\n"a"b', 2),
        ("\u2028", 1),
    ],
)
def test_what_is_no_such_file_is_refused_naming_the_line(text, line):
    refused(text, line)


#: A deal with another base rank than the one that `make` plays.
OTHER = 9
BAD = {
    "id": ["", "xyz", "0" * 15, "0" * 17, "A" * 16, "0" * 15 + "\n", "0" * 100_000, "0" * 140_000],
    "player": ["a\nb", "a\x00b", "\x1b[2J", "\x7f", "a" * 41, "\u202eevil", "\ud800", "x" * 200_000],
    "code": [
        "", "CAN-D3-2222-2222-2", "CAN-D3", "x" * 70, "\x00", format_code(deal_seed(7), 1),
        format_code(deal_seed(OTHER), 3), format_code(deal_seed(7), 3).lower(), "CF1-D3-AAAAACL",
    ],
    "base": ["", "1", "10", "AA", "a", "Ac"],
    "late": ["", "1", "2", "True", "-0", "0\n"],
    "begun": ["", "-1", "nan", "inf", "1e999", "253402300800", "0x10", "1_000", " 5", "٣", "1,5", "--1", "e", "1" * 400],
    "ended": ["-0.001", "1e12", "9" * 5000, "today", "NaN"],
    "seconds": ["-1", "1e300", "Infinity", "1:30", "."],
    "moves": ["2", "4", "3.0", "", "9" * 30, str(2**63), str(2**64 + 3), "3 ", "٣", "-3", "+3", "0x3"],
    "undos": ["-1", str(2**63), "1000000000", "999999999999999999999"],
    "redeals": ["1", "-1", str(2**31)],
    "restarts": ["-1", "1000000000", "x"],
    "hints": ["-1", "1e3", str(2**64)],
    "helped": ["yes", "Peek", "peek,finish", "\x00"],
    "cards_up": ["0", "2", "52", "53", "-1", str(2**64)],
    "score": ["5", "-5", "255", str(-(2**63)), str(2**64), "--0", "x"],
    "outcome": ["", "won", "Left", "stolen", "\n"],
    "rules": [
        "", "{}", "[]", "null", "1", "x", "{", '{"preset": []}', '{"preset": "standard"}', '{"preset": "demon"}', "[" * 100_000,
        format_rules(preset("easy")), format_rules(preset()).replace(" ", ""), format_rules(preset()) + "\x00",
        format_rules(preset()).replace("standard", "mine"), format_rules(preset(redeals=0)).replace('"redeals": 0', '"redeals": 1e1'),
        format_rules(preset()).replace('"unlimited"', "9" * 400), format_rules(preset()).replace("any", "{Qc}"),
    ],
    "actions": [
        "", " ", "draw", "draw draw draw draw", "draw  draw draw", "draw draw wf", "draw draw xx", "draw,draw,draw",
        "draw draw draw ", "draw\ndraw draw", "DRAW draw draw", "draw draw 11x1", "draw draw \x00", "draw " * 10_001, "draw " * 60_000,
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_value_that_can_not_be_or_does_not_follow_is_refused(name):
    entry = make()
    assert parse_csv(changed(entry)) == [entry]
    for text in BAD[name]:
        refused(changed(entry, **{name: text}), 2)


def test_there_is_a_bad_value_for_every_field():
    assert set(BAD) | {"daily"} == set(FIELDS)
    assert set(COLUMNS) < set(FIELDS)


def test_one_bad_line_of_many_is_named_and_none_is_taken():
    text = written(make(number) for number in range(1, 6))
    lines = text.splitlines(keepends=True)
    assert len(parse_csv(text)) == 5
    bad = lines[3].replace("draw draw draw", "draw draw rf")
    assert "action 3" in refused("".join([*lines[:3], bad, *lines[4:]]), 4)
    assert "twice" in refused(text + lines[2], 7)
    assert "21 fields" in refused(text + lines[2].rstrip() + ",x\n", 7)
    refused(text + lines[2][: len(lines[2]) // 2], 7)
    # A quote that is not closed, and one that is closed too soon, in the last field of a file.
    refused(text.removesuffix("draw draw draw\n") + '"draw draw draw', 6)
    refused(text.removesuffix("draw draw draw\n") + '"draw draw "draw\n', 6)
    # The quote that is open at the end was opened there, not where the file ends.
    refused("".join([*lines[:2], '"' + lines[2], *lines[3:]]), 3)


def test_nothing_that_began_in_the_middle_has_a_code_to_be_read_by():
    line = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd 2s2dQsKhQdJc9dTh AcAhJh 4"
    game = Game(parse_position(line, preset()))
    game.tally = Tally("0" * 16)
    game.play("draw")
    assert game.code is None
    with pytest.raises(SaveError, match="code"):
        Entry.of(game, "left").check()


@settings(max_examples=60)
@given(st.data())
def test_no_text_does_more_than_be_refused(data):
    """Pieces of a file, cut, doubled and mixed with what a file may hold."""
    text = written(make(number) for number in range(1, 4))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 40)))
        text = (
            text[:at]
            + data.draw(st.text(max_size=5) | st.sampled_from(['"', ",", "\r", "\x00", "\n"]))
            + text[end:]
        )
    try:
        for entry in parse_csv(text):
            entry.check()
    except SaveError as refusal:
        assert refusal.data["line"] >= 1  # noqa: PT017 - either end is right
