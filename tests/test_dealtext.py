"""What `new --deal FILE` reads: every form, every layout, every refusal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canfield_cli.engine.cards import PACK, Card
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.dealtext import parse_deal
from canfield_cli.engine.errors import DealError
from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.position import Position
from canfield_cli.engine.rules import preset

RULES = preset()
#: A position in mid-game, from the table of known action counts.
LINE = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd 2s2dQsKhQdJc9dTh AcAhJh 4"
DEAL = Deal(reversed(PACK))
CARDS = " ".join(DEAL.cards)


def refused(text: str) -> DealError:
    with pytest.raises(DealError) as caught:
        parse_deal(text, RULES)
    assert caught.value.status == 3
    assert "\n" not in str(caught.value)
    return caught.value


def state_of(position: Position, *, reveal: bool = True) -> dict[str, object]:
    """Write a position as the interface describes the state (the parts that matter here)."""
    return {
        "format": "canfield-state",
        "version": 1,
        "code": None,
        "base": "A23456789TJQK"[position.base],
        "stock": {"count": len(position.stock), **({"cards": list(position.stock)} if reveal else {})},
        "waste": list(position.waste),
        "reserve": {"count": len(position.reserve), **({"cards": list(position.reserve)} if reveal else {})},
        "foundations": {suit: list(position.foundation(i)) for i, suit in enumerate("cdhs")},
        "columns": [list(column) for column in position.columns],
        "redeals": position.redeals,
        "seconds": 0.0,
        "won": False,
    }


# 52 cards.

PICTURES = str.maketrans("cdhs", "♣♦♥♠")


@pytest.mark.parametrize(
    "text",
    [
        CARDS,
        CARDS.replace(" ", ""),
        CARDS.replace(" ", "\n"),
        CARDS.replace(" ", "\r\n"),
        CARDS.replace(" ", ", "),
        CARDS.replace(" ", ";"),
        CARDS.replace(" ", "/"),
        CARDS.replace("T", "10"),
        CARDS.replace("T", "10").replace(" ", ""),
        CARDS.upper(),
        CARDS.lower().replace(" ", ""),
        CARDS.translate(PICTURES),
        CARDS.translate(PICTURES).replace(" ", "").replace("T", "10"),
        CARDS.translate(PICTURES).replace("♥", "♥\ufe0f").replace(" ", "\t"),
        f"\ufeff# the deal of 7 cards: Qc\n\n{CARDS}  # the end, Ac",
        f"{CARDS[:39]}# the reserve ends\n{CARDS[39:]}\n",
    ],
    ids=range(16),
)
def test_52_cards_are_read_in_any_layout(text: str) -> None:
    assert parse_deal(text, RULES) == DEAL


@given(st.permutations(PACK), st.data())
def test_cards_are_read_however_they_are_set(cards: list[Card], data: st.DataObject) -> None:
    between = st.text(st.sampled_from(" \t\n,;/"), max_size=2)
    ways = st.sampled_from([str, str.upper, str.lower, lambda c: c.replace("T", "10")])
    text = "".join(data.draw(ways)(card) + data.draw(between) for card in cards)
    assert parse_deal(text, RULES) == Deal(cards)


@pytest.mark.parametrize(
    ("text", "shown", "place"),
    [
        ("Qc Xx", "Xx", "column 4"),
        ("Qc 8h # fine\n\n  Js, 1Zc", "1Z", "line 3, column 7"),
        ("QcQh8", "8", "column 5"),
        ("Qc\nXx", "Xx", "line 2, column 1"),
        ("Qc Q c", "Q", "column 4"),
        ("Qc [Kd]", "[K", "column 4"),
        ("??", "??", "column 1"),
        ("QcK\x1b[31m", "K\\x1b", "column 3"),
        ("Qc 11h", "11", "column 4"),
    ],
)
def test_an_unknown_card_is_named_with_its_place(text: str, shown: str, place: str) -> None:
    assert str(refused(text)) == f"`{shown}` at {place} is not a card"


@pytest.mark.parametrize("form", [" ".join, json.dumps], ids=["text", "json"])
def test_a_pack_with_a_card_twice_and_one_missing_is_refused_naming_both(form: object) -> None:
    cards = ["Ks" if card == "Qd" else card for card in PACK]
    error = refused(form(cards))  # type: ignore[operator]
    assert str(error) == "the deal has Ks twice, no Qd"
    assert error.data == {"twice": ["Ks"], "missing": ["Qd"]}


def test_too_few_and_too_many_cards_are_refused() -> None:
    assert "51 cards instead of 52, no Ac" in str(refused(CARDS[:-3]))
    assert "53 cards instead of 52, Ks twice" in str(refused(CARDS + "Ks"))


@pytest.mark.parametrize("text", ["", " \n", "# only a comment", "\ufeff"])
def test_a_text_without_cards_is_refused(text: str) -> None:
    assert "no card in the text" in str(refused(text))


# Position lines.


def test_a_position_line_is_read_as_a_position() -> None:
    assert parse_deal(LINE, RULES) == parse_position(LINE, RULES)
    assert parse_deal(f"# from a game\n\n{LINE}  # to move\n", RULES) == parse_position(LINE, RULES)
    assert parse_deal(LINE.replace(" ", "\n"), RULES) == parse_position(LINE, RULES)


def test_a_position_keeps_the_rules_it_is_read_under() -> None:
    position = parse_deal(LINE, preset("gilded"))
    assert isinstance(position, Position)
    assert position.rules == preset("gilded")


@given(st.permutations(PACK))
def test_a_fresh_position_is_its_deal_in_every_form(cards: list[Card]) -> None:
    deal = Deal(cards)
    start = deal.position(RULES)
    state = json.dumps(state_of(start))
    for text in (format_position(start), state, f'{{"ok": true, "did": [], "state": {state}}}'):
        read = parse_deal(text, RULES)
        assert isinstance(read, Deal)
        assert read.cards == tuple(cards)


def test_a_position_that_has_been_played_is_no_deal() -> None:
    start = DEAL.position(RULES)
    for action in start.legal():
        after, _ = start.apply(action)
        assert parse_deal(format_position(after), RULES) == after
        assert parse_deal(json.dumps(state_of(after)), RULES) == after
    redealt = Position(
        RULES, start.base, start.foundations, start.reserve, start.columns, start.stock, (), redeals=1
    )
    assert parse_deal(format_position(redealt), RULES) == redealt


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (LINE.replace("Jh ", "Jd "), "Jd is there 2 times; Jh is missing"),
        (LINE.replace("2hAs", "As2h"), "in column 1, 2h can't lie on As"),
        (LINE.rpartition(" ")[0], "7 fields, not 6"),
        (LINE.replace("/Ks", ""), "has 4 columns, not 3"),
        (LINE + "x", "`4x` is not a number of redeals"),
        ("A A--- - -/-/-/- - - 0", "3c is missing; 4c is missing; 5c is missing; 6c is missing and 46 more"),
        (LINE.replace("2s2d", "2s2z"), "`2z` is not a card"),
        ("10", "7 fields, not 1"),
    ],
)
def test_a_position_that_cannot_stand_is_refused_saying_why(line: str, says: str) -> None:
    assert says in str(refused(line))


def test_all_faults_of_a_position_are_listed() -> None:
    error = refused(LINE.replace("2hAs", "As2h").replace("AcAhJh", "AcAh"))
    assert error.data["faults"] == ["Jh is missing", "in column 1, 2h can't lie on As"]


def test_the_faults_of_two_packs_are_listed_and_those_of_more_only_counted() -> None:
    error = refused(LINE.replace("AcAhJh", "AcAhJhAc"))
    assert error.data["faults"] == ["Ac is there 2 times"]
    one = "".join(PACK)
    error = refused(f"3 ---- - {one}/-/-/- {one} - 0")
    assert "Ac is there 2 times" in error.data["faults"]
    assert str(refused(f"3 ---- - {one}/Ac/-/- {one} - 0")) == "the position has 105 cards"


def test_a_foundation_goes_on_past_the_king_in_every_form() -> None:
    left = [card for card in PACK if card not in ("Qc", "Kc", "Ac")]
    line = f"Q A--- {''.join(left[:13])} {'/'.join(left[13:17])} {''.join(left[17:])} - 0"
    position = parse_position(line, RULES)
    assert position.faults() == []
    for text in (line, json.dumps(state_of(position))):
        assert parse_deal(text, RULES) == position


def test_a_position_is_judged_by_the_rules_it_is_read_under() -> None:
    """2h on the base-rank card 3s stands with base_build, not without."""
    line = "3 -2-- - 3s2h/Kh/4c/5c {} - 0"
    used = {"3s", "2h", "Kh", "4c", "5c"}
    text = line.format("".join(card for card in PACK if card not in used and card[1] != "d"))
    assert isinstance(parse_deal(text, RULES), Position)
    with pytest.raises(DealError, match="2h lies on the base-rank card 3s"):
        parse_deal(text, preset("published"))


# JSON.


def test_a_json_list_of_52_cards_is_a_deal() -> None:
    assert parse_deal(json.dumps(DEAL.cards), RULES) == DEAL
    assert parse_deal("\n" + json.dumps([card.upper() for card in DEAL.cards], indent=1), RULES) == DEAL


def save(**members: object) -> str:
    return json.dumps({"format": "canfield-save", "version": 1, "state": {}, "actions": ["draw"], **members})


def test_a_save_gives_its_deal() -> None:
    assert parse_deal(save(deal=list(DEAL.cards), seed=None), RULES) == DEAL
    assert parse_deal(save(deal=list(DEAL.cards)), RULES) == DEAL
    assert parse_deal(save(deal=list(DEAL.cards), position=LINE), RULES) == DEAL


def test_a_save_of_a_numbered_deal_keeps_its_number() -> None:
    deal = parse_deal(save(deal=list(deal_seed(7).cards), seed=7), RULES)
    assert isinstance(deal, Deal)
    assert (deal.cards, deal.seed) == (deal_seed(7).cards, 7)


def test_a_save_of_a_game_begun_in_the_middle_gives_that_position() -> None:
    assert parse_deal(save(deal=None, seed=None, position=LINE), RULES) == parse_position(LINE, RULES)


@pytest.mark.parametrize("seed", [8, -1, 2**35, "7", 7.5, True, []])
def test_a_save_whose_cards_are_not_those_of_its_seed_is_refused(seed: object) -> None:
    text = save(deal=list(deal_seed(7).cards), seed=seed)
    assert "not those of the seed" in str(refused(text))


def test_a_state_is_read_bare_or_in_its_answer() -> None:
    state = json.dumps(state_of(parse_position(LINE, RULES)))
    for text in (state, f'{{"ok": true, "did": ["wf"], "state": {state}}}'):
        assert parse_deal(text, RULES) == parse_position(LINE, RULES)


def test_a_state_that_hides_its_cards_is_refused_with_the_way_out() -> None:
    error = refused(json.dumps(state_of(DEAL.position(RULES), reveal=False)))
    assert "reserve are hidden" in str(error)
    assert "--reveal" in error.hint


def test_a_state_with_nothing_to_hide_needs_no_reveal() -> None:
    line = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd - 2s2dQsKhQdJc9dThAcAhJh 4"
    state = json.dumps(state_of(parse_position(line, RULES), reveal=False))
    assert parse_deal(state, RULES) == parse_position(line, RULES)


SOLVITAIRE = {
    "foundations": [["7H"], [], [], []],
    "tableau piles": [["6C"], ["KH"], ["qh"], ["AS"]],
    "reserve": ["2C", "3C", "4C", "5C", "7C", "8C", "9C", "10C", "JC", "JS", "QS", "8H", "QC"],
    "stock": [],
    "waste": [],
}
_USED = "7h 6c Kh Qh As 2c 3c 4c 5c 7c 8c 9c Tc Jc Js Qs 8h Qc"
REST = [card for card in PACK if card not in _USED]


def test_a_deal_of_solvitaire_is_read_with_the_last_card_on_top() -> None:
    """The worked example: base 7h; the reserve's Qc plays first; the stock is turned from its end."""
    deal = parse_deal(json.dumps({**SOLVITAIRE, "stock": REST}), RULES)
    assert isinstance(deal, Deal)
    assert deal.cards[9:18] == ("Js", "Qs", "8h", "Qc", "7h", "6c", "Kh", "Qh", "As")
    assert deal.cards[18:] == tuple(reversed(REST))


def test_solvitaires_other_ways_of_writing_are_read() -> None:
    """Ranks as numbers, a foundation as a bare card, no waste, suits in small letters."""
    names = {"A": "1", "T": "10", "J": "11", "Q": "12", "K": "13"}
    text = {
        "foundations": ["7H"],
        "tableau piles": [["6c"], ["13h"], ["12H"], ["1s"]],
        "reserve": SOLVITAIRE["reserve"],
        "stock": [names.get(card[0], card[0]) + card[1] for card in REST],
    }
    expected = parse_deal(json.dumps({**SOLVITAIRE, "stock": REST}), RULES)
    assert parse_deal(json.dumps(text), RULES) == expected


def test_a_solvitaire_position_in_mid_game_is_read() -> None:
    text = {
        "foundations": [["7H", "8H"], [], [], []],
        "tableau piles": [["6C"], ["QS"], ["QH"], ["AS", "KH", "QC"]],
        "reserve": SOLVITAIRE["reserve"][:10],
        "stock": REST[3:],
        "waste": REST[:3],
    }
    position = parse_deal(json.dumps(text), RULES)
    assert isinstance(position, Position)
    assert position.columns == (("6c",), ("Qs",), ("Qh",), ("As", "Kh", "Qc"))
    assert (position.base, position.foundations) == (6, (0, 0, 2, 0))
    assert position.reserve[-1] == "Js"
    assert position.waste == tuple(REST[:3])
    assert position.stock == tuple(REST[3:])


STATE = state_of(parse_position(LINE, RULES))
FULL_SOLVITAIRE = {**SOLVITAIRE, "stock": REST}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({}, "no deal in any form"),
        ({"format": "canfield-log"}, "no deal in any form"),
        ({"ok": True, "state": None}, "the state must be an object"),
        ({"ok": True, "state": {}}, "no deal in any form"),
        ([1, 2], "card 1 of the list must be text"),
        ([*PACK[:51], ["Ks"]], "card 52 of the list must be text"),
        ([*PACK[:51], "Kx"], "`Kx`, card 52 of the list, is not a card"),
        ([], "0 cards instead of 52"),
        ({"format": "canfield-save"}, "the deal must be a list"),
        ({"format": "canfield-save", "deal": None, "position": 7}, "the deal must be a list"),
        ({"format": "canfield-save", "deal": PACK[:51]}, "no Ks"),
        ({"format": "canfield-save", "deal": None, "position": "x"}, "7 fields, not 1"),
        ({**STATE, "base": 3}, "the base must be text"),
        ({**STATE, "base": "x"}, "`x` is not a rank"),
        ({**STATE, "base": "4"}, "does not belong where it lies on its foundation"),
        ({**STATE, "redeals": -1}, "redeals is not a whole number"),
        ({**STATE, "redeals": True}, "redeals is not a whole number"),
        ({**STATE, "redeals": None}, "redeals is not a whole number"),
        ({**STATE, "foundations": []}, "foundations must be an object"),
        ({**STATE, "columns": [[], [], []]}, "4 columns, not 3"),
        ({**STATE, "columns": None}, "the columns must be a list"),
        ({**STATE, "columns": [["Zz"], [], [], []]}, "`Zz`, card 1 of column 1, is not a card"),
        ({**STATE, "stock": 34}, "the stock must be an object"),
        ({**STATE, "waste": None}, "the waste must be a list"),
        ({**STATE, "waste": ["Ac", "Ah"]}, "Jh is missing"),
        ({**FULL_SOLVITAIRE, "foundations": []}, "the base rank is unknown"),
        ({**FULL_SOLVITAIRE, "foundations": [["7H", "9H"]]}, "9h does not belong"),
        ({**FULL_SOLVITAIRE, "foundations": [["7H"], ["8C"]]}, "8c does not belong"),
        ({**FULL_SOLVITAIRE, "foundations": 7}, "foundations must be a list"),
        ({**FULL_SOLVITAIRE, "tableau piles": [["6C"]] * 7}, "4 columns, not 7"),
        ({**FULL_SOLVITAIRE, "tableau piles": [["6C"]] * 4}, "6c is there 4 times"),
        ({**FULL_SOLVITAIRE, "stock": []}, "Ac is missing"),
        ({**FULL_SOLVITAIRE, "reserve": ["14H"]}, "`14H`, card 1 of the reserve, is not a card"),
    ],
)
def test_json_that_is_no_deal_is_refused_saying_why(value: object, says: str) -> None:
    assert says in str(refused(json.dumps(value)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"deal": 1, "deal": 2}', "the key `deal` twice"),
        ('[{"a": {"b": 1, "b": 1}}]', "`b` twice"),
        ('{"x": NaN}', "NaN, which is not a number"),
        ("[-Infinity]", "-Infinity, which is not a number"),
        ("[1e999]", "`1e999`, which is too large"),
        (f"[{'9' * 5000}]", "a number of 5000 digits"),
        (f"[{'9' * 21}]", "a number of 21 digits"),
        ("[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ('["Qc", "8h"\n, ', "is not JSON, see line 2, column"),
        ("[Qc Kd]", "is not JSON, see line 1, column 2"),
        ('{"format": "canfield-save"} {}', "goes on after its end, see line 1, column 29"),
        ('["\x00"]', "is not JSON, see line 1, column 3"),
        ('["\\ud800"]', "`\\ud800`, card 1 of the list, is not a card"),
    ],
    ids=range(14),
)
def test_hostile_json_is_refused_in_one_sentence(text: str, says: str) -> None:
    assert says in str(refused(text))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(PACK),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from([*STATE, *SOLVITAIRE, "deal", "seed", "state", "ok"]), inner)
    ),
    max_leaves=12,
)


@given(
    st.sampled_from([STATE, FULL_SOLVITAIRE, {"format": "canfield-save", "deal": list(PACK)}]),
    JSON,
    st.data(),
)
def test_whatever_a_json_file_holds_it_is_a_deal_a_position_or_refused(
    whole: dict[str, object], other: object, data: st.DataObject
) -> None:
    spoilt = {**whole, data.draw(st.sampled_from([*whole])): other}
    for value in (spoilt, other):
        try:
            read = parse_deal(json.dumps(value), RULES)
        except DealError:
            continue
        start = read.position(RULES) if isinstance(read, Deal) else read
        assert start.faults() == []


@given(st.text(max_size=40))
def test_whatever_a_text_file_holds_it_is_refused_unless_it_has_52_cards(text: str) -> None:
    with pytest.raises(DealError):
        parse_deal(text, RULES)
