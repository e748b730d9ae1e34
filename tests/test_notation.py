"""Cards, piles, actions and positions in every spelling that is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canfield_cli.engine.cards import KIND, PACK, is_red, parse_card, parse_rank
from canfield_cli.engine.errors import AmbiguousMove, CanfieldError, IllegalMove, NotationError
from canfield_cli.engine.notation import (
    format_action,
    format_position,
    locate,
    parse_action,
    parse_actions,
    parse_pile,
    parse_position,
    parse_token,
)
from canfield_cli.engine.rules import preset

#: Foundations 5c 6c, 5d; no reserve; column 4 empty; two cards in the stock.
LINE = "5 65-- - 9h8c7d/8d7s6d/Ts/- 2s3s 4h9d 0"
#: A reserve of two whose top is the Qd, and every column taken.
FULL = "5 5--- 2c3cQd Kc/6c/9h/3s 2s - 0"
SIGNS = dict(zip("cdhs", "♣♦♥♠", strict=True))
OUTLINES = dict(zip("cdhs", "♧♢♡♤", strict=True))
SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def at(line=LINE, name="standard", **options):
    return parse_position(line, preset(name, **options))


# Cards.


def spellings(card):
    rank, suit = card
    for name in {rank, rank.lower(), {"T": "10", "A": "1"}.get(rank, rank)}:
        for sign in (
            suit,
            suit.upper(),
            SIGNS[suit],
            OUTLINES[suit],
            SIGNS[suit] + "\ufe0e",
            SIGNS[suit] + "\ufe0f",
        ):
            yield name + sign
            yield f" {name}{sign}\n"


@pytest.mark.parametrize("card", PACK)
def test_a_card_is_read_in_every_spelling(card):
    assert {parse_card(text) for text in spellings(card)} == {card}


@pytest.mark.parametrize(
    "text", ["", "Q", "c", "cQ", "Qx", "11h", "0h", "QQc", "Qcc", "??", "10", "T h", "10hh", "♣"]
)
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text)


def test_ranks_are_read_from_ace_to_king():
    assert [parse_rank(rank) for rank in "A23456789TJQK"] == list(range(13))
    assert [parse_rank(text) for text in ("a", "1", "10", "t", "k")] == [0, 0, 9, 9, 12]
    for text in ("", "0", "11", "AA", "X"):
        with pytest.raises(NotationError, match="is not a rank"):
            parse_rank(text)


def test_the_kinds_make_a_ring_on_which_a_column_goes_down_one_by_one():
    # Down from the red K: black Q, red J ... black 2 and red A, then black K and the other half.
    reds = [card for card in PACK if card[1] in "dh"]
    assert [card for card in PACK if is_red(card)] == reds
    for card in PACK:
        assert KIND[card] in range(26)
        assert KIND[card] % 13 == "A23456789TJQK".index(card[0])
        assert KIND[card] % 2 == (card in reds)
    for upper in PACK:
        for lower in PACK:
            below = "KA23456789TJQ"["A23456789TJQK".index(upper[0])]
            builds = lower[0] == below and (upper in reds) != (lower in reds)
            assert ((KIND[upper] - KIND[lower]) % 26 == 1) is builds


# Piles.

PILES = [
    *(("s", text) for text in ("s", "S", "stock", "Stock", " STOCK ")),
    *(("w", text) for text in ("w", "W", "waste", "Waste")),
    *(("r", text) for text in ("r", "R", "reserve", "Reserve")),
    *(("f", text) for text in ("f", "F", "foundation", "foundations", "Foundations")),
    *((n, form.format(n)) for n in "1234" for form in ("{}", "t{}", "T{}", "column {}", "Column  {}", "column{}", "column-{}")),
    *(
        ("f" + suit, form.format(suit, word))
        for suit, word in SUIT_WORDS.items()
        for form in ("f{0}", "F{0}", "{1} foundation", "foundation {1}")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("pile", "text"), PILES)
def test_a_pile_is_read_in_every_spelling(pile, text):
    assert parse_pile(text) == pile
    assert parse_pile(text.upper()) == pile


@pytest.mark.parametrize(
    "text", ["", "0", "5", "t5", "x", "fx", "column", "column 5", "hand", "12", "waste 1"]
)
def test_what_is_no_pile_is_refused(text):
    with pytest.raises(NotationError, match="is not a pile"):
        parse_pile(text)


# Where a card lies.


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("9h", ("1", 2)), ("7d", ("1", 0)), ("Ts", ("3", 0)), ("9d", ("w", 0)), ("4h", ("w", 1)),
        ("6c", ("fc", 0)), ("5c", ("fc", 1)), ("5d", ("fd", 0)), ("3s", None), ("5h", None),
    ],
)  # fmt: skip
def test_a_card_is_found_where_the_player_sees_it(card, place):
    assert locate(at(), card) == place


def test_the_reserve_shows_its_top_alone():
    assert locate(at(FULL), "Qd") == ("r", 0)
    assert locate(at(FULL), "3c") is None


# Actions.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("draw", "draw"), ("DRAW", "draw"), (" draw ", "draw"), ("sw", "draw"), ("s-w", "draw"), ("stock-waste", "draw"),
        ("redeal", "redeal"), ("w-s", "redeal"),
        ("w3", "w3"), ("W3", "w3"), ("wt3", "w3"), ("waste-3", "w3"), ("waste-column 3", "w3"), ("w-Ts", "w3"),
        ("9d-Ts", "w3"), ("9D-10S", "w3"), ("9♦-T♠", "w3"), ("9d-3", "w3"), ("9d-4", "w4"), ("w3x1", "w3"),
        ("2f", "2f"), ("t2f", "2f"), ("2fd", "2f"), ("6d-f", "2f"), ("6d-5d", "2f"), ("6d-fd", "2f"), ("2-f", "2f"),
        ("column 2-foundation", "2f"), ("6d-diamonds foundation", "2f"), ("2fx1", "2f"),
        ("13x3", "13x3"), ("13", "13x3"), ("1-3", "13x3"), ("9h-Ts", "13x3"), ("9h-3", "13x3"), ("t1t3", "13x3"),
        ("column1column3", "13x3"), ("T1T3X3", "13x3"), ("13x03", "13x3"),
        ("24x2", "24x2"), ("7s-4", "24x2"), ("6d-4", "24x1"),
        ("fc1", "fc1"), ("FC1", "fc1"), ("f1", "fc1"), ("f-1", "fc1"), ("6c-7d", "fc1"), ("6c-1", "fc1"), ("fc4", "fc4"),
        ("clubs foundation-1", "fc1"),
    ],
)  # fmt: skip
def test_an_action_is_read_in_every_spelling(text, action):
    assert parse_action(text, at()) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [("rf", "rf"), ("r1", "r1"), ("Qd-f", "rf"), ("Qd-1", "r1"), ("Qd-Kc", "r1"), ("Kc-2", "12x1")],
)
def test_an_action_is_read_even_where_it_is_not_legal(text, action):
    assert parse_action(text, at(FULL)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [("14", "14x2"), ("24", "24x1"), ("32", "32x2"), ("42", "42x2"), ("13", "13x3"), ("41", "41x2")],
)
def test_without_a_count_that_is_legal_the_nearest_is_meant(text, action):
    """As many cards as lie between the two ends on the way down, but no more than there are."""
    position = at("5 5--- - 9h8c7d/3c/Jc9s/Ts9d - - 0", runs="top-or-whole")
    assert action not in position.legal()
    assert parse_action(text, position) == action


def test_without_a_count_all_of_a_column_is_meant_where_a_space_takes_none():
    assert parse_action("14", at(fill="waste")) == "14x3"
    assert parse_action("41", at(fill="waste")) == "41x1"


def test_a_foundation_is_checked_against_a_card_that_is_known_alone():
    assert parse_action("4fc", at()) == "4f"
    seen = at(FULL).seen()
    with pytest.raises(IllegalMove, match="Qd can't go to the clubs foundation"):
        parse_action("rfc", seen)
    assert parse_action("rfc", seen.apply("r1")[0]) == "rf"


def test_draw_on_an_empty_stock_is_a_redeal():
    assert parse_action("draw", at("5 5--- - 8h/-/-/- - 2s 0")) == "redeal"
    assert parse_action("draw", at("5 5--- - 8h/-/-/- - - 0")) == "draw"
    assert parse_action("sw", at("5 5--- - 8h/-/-/- - 2s 0")) == "redeal"


def test_an_action_in_very_many_characters_is_none():
    assert parse_action(f"w{' ' * 50}-3", at()) == "w3"
    for blank in (1000, 10**6):
        with pytest.raises(NotationError, match="is not an action"):
            parse_action(f"w{' ' * blank}-3", at())


def test_a_count_that_is_left_open_is_an_error_that_names_the_counts():
    with pytest.raises(AmbiguousMove) as caught:
        parse_action("24", at())
    assert caught.value.data["candidates"] == ["24x1", "24x2"]
    assert caught.value.hint == "write 24x1 or 24x2"
    assert caught.value.code == "ambiguous-move"


def test_a_foundation_that_is_left_open_is_an_error_that_names_them():
    with pytest.raises(AmbiguousMove) as caught:
        parse_action("f4", at())
    assert caught.value.data["candidates"] == ["fc4", "fd4"]
    assert caught.value.hint == "write fc4 or fd4"
    with pytest.raises(IllegalMove) as refused:
        parse_action("f3", at())
    assert type(refused.value) is IllegalMove
    assert refused.value.hint == "write fc, fd, fh or fs"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("31", "Ts can't go on 7d"),
        ("12", "can't go on 6d"),
        ("41", "column 4 is empty"),
        ("34", "changes nothing"),
    ],
)
def test_where_no_count_is_legal_the_refusal_says_why(text, says):
    with pytest.raises(IllegalMove, match=says):
        parse_actions([text], at())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3s-4", "3s can't be seen"),
        ("5h-4", "5h can't be seen"),
        ("4h-3", "4h lies under 1 other card of the waste"),
        ("5c-4", "5c lies under 1 other card of the clubs foundation"),
        ("w-9h", "nothing can be put on 9h"),
        ("w-4h", "nothing can be put on 4h"),
        ("w-3s", "nothing can be put on 3s"),
        ("1-9d", "nothing can be put on 9d"),
        ("ww", "no card can be moved from the waste to the waste"),
        ("wr", "no card can be moved from the waste to the reserve"),
        ("9h-f", "only one card at a time goes to a foundation"),
        ("2fx2", "only one card at a time goes to a foundation"),
        ("2fc", "6d can't go to the clubs foundation"),
        ("w3x2", "only the top card of the waste can leave"),
        ("fc1x2", "only the top card of the clubs foundation can leave"),
        ("11", "column 1 can't move onto itself"),
        ("9h-7d", "column 1 can't move onto itself"),
        ("s2", "no card can be moved from the stock to column 2"),
        ("2s", "no card can be moved from column 2 to the stock"),
        ("1r", "no card can be moved from column 1 to the reserve"),
        ("rr", "no card can be moved from the reserve to the reserve"),
        ("1w", "no card can be moved from column 1 to the waste"),
        ("f-s", "no card can be moved from the foundations to the stock"),
    ],
)
def test_what_can_be_read_but_never_done_is_refused_with_the_reason(text, says):
    with pytest.raises(IllegalMove, match=says) as caught:
        parse_action(text, at())
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    ["", "-", "w", "2", "wx", "w5", "5f", "24xx", "24x-1", "24x1x1", "24x100", "24x0", "24x53", "24x²", "draws", "9h-", "-Ts",
     "9h-Ts-4", "9h", "move", "{w1}"],
)  # fmt: skip
def test_what_is_no_action_is_refused_as_such(text):
    with pytest.raises(NotationError) as caught:
        parse_action(text, at())
    assert caught.value.code == "bad-notation"
    assert caught.value.status == 2
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    ["", "DRAW", "24", "24x", "24x0", "24x03", "24x53", "24x999", "11x1", "wr", "sw", "f2", "ff", "fcf", "fx2", "5f",
     "24x²", "24x1 ", "9h-Ts", "24X1", "2", "f", "x", "r2x1", "2rx1", "5 1x1", "15x1", "fcx1", "24x1x1"],
)  # fmt: skip
def test_a_token_is_read_strictly(text):
    with pytest.raises(NotationError, match="is not an action"):
        parse_token(text)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("draw", "draw"), ("w3", "9d-Ts"), ("w4", "9d-4"), ("13x3", "9h-Ts"), ("24x2", "7s-4"), ("2f", "6d-f"),
        ("fc1", "6c-7d"), ("fd4", "5d-4"),
    ],
)  # fmt: skip
def test_card_notation_names_the_card_that_moves_and_where_to(action, text):
    assert format_action(action, at()) == text


# Several words.


@pytest.mark.parametrize(
    ("words", "action"),
    [
        (["waste", "3"], "w3"), (["w", "column", "3"], "w3"), (["Waste", "Column", "3"], "w3"), (["9d", "3"], "w3"),
        (["9d", "Ts"], "w3"), (["column", "1", "column", "3", "3"], "13x3"), (["1", "3"], "13x3"), (["1", "3", "3"], "13x3"),
        (["column 1", "column 3"], "13x3"), (["t1", "t3"], "13x3"), (["2", "4", "2"], "24x2"),
        (["2", "f"], "2f"), (["column", "2", "foundation"], "2f"), (["6d", "foundation", "diamonds"], "2f"),
        (["column", "2", "diamonds", "foundation"], "2f"),
        (["fc", "1"], "fc1"), (["foundation", "1"], "fc1"), (["foundation", "clubs", "1"], "fc1"),
        (["clubs", "foundation", "column", "1"], "fc1"), (["stock", "waste"], "draw"), (["waste", "3", "1"], "w3"),
    ],
)  # fmt: skip
def test_an_action_is_read_in_separate_words(words, action):
    assert parse_actions(words, at()) == [action]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["3s", "4"], "3s can't be seen"),
        (["w", "9h"], "nothing can be put on 9h"),
        (["2", "4"], "does not say how many cards"),
        (["2", "2"], "onto itself"),
        (["2", "stock"], "no card can be moved"),
        (["fc", "fd"], "can only come back to a column"),
    ],
)
def test_separate_words_are_refused_with_the_reason(words, says):
    with pytest.raises(IllegalMove, match=says):
        parse_actions(words, at())


@pytest.mark.parametrize(
    "words",
    [
        ["1", "3", "x"],
        ["1", "3", "100"],
        ["1", "3", "9" * 5000],
        ["waste"],
        ["column"],
        ["waste", "by", "3"],
        ["1", "3", "3", "3"],
    ],
)
def test_separate_words_of_another_form_are_no_action(words):
    with pytest.raises(NotationError):
        parse_actions(words, at())


def test_actions_are_read_each_where_the_ones_before_it_lead():
    assert parse_actions(["2f", "7s-4", "draw", "draw"], at()) == ["2f", "24x1", "draw", "redeal"]
    assert parse_actions(["w3", "4h-4"], at()) == ["w3", "w4"]
    assert parse_actions([], at()) == []


def test_an_action_that_is_not_legal_where_it_stands_is_refused():
    with pytest.raises(IllegalMove, match="the waste is empty"):
        parse_actions(["w3", "w4", "wf"], at())


# Position lines.


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "7 fields, not 0"),
        ("5 5--- - -/-/-/- - -", "7 fields, not 6"),
        ("5 5--- - -/-/-/- - - 0 0", "7 fields, not 8"),
        ("X 5--- - -/-/-/- - - 0", "`X` is not a rank"),
        ("5 5-- - -/-/-/- - - 0", "`5--` does not name four foundations"),
        ("5 5---- - -/-/-/- - - 0", "does not name four foundations"),
        ("5 x--- - -/-/-/- - - 0", "`x` is not a rank"),
        ("5 5--- - -/-/- - - 0", "has 4 columns, not 3"),
        ("5 5--- - -/-/-/-/- - - 0", "has 4 columns, not 5"),
        ("5 5--- Q -/-/-/- - - 0", "`Q` is not a card"),
        ("5 5--- - Qc5/-/-/- - - 0", "`5` is not a card"),
        ("5 5--- - //-/- - - -1", "`-1` is not a number of redeals"),
        ("5 5--- - -/-/-/- - - ²", "is not a number of redeals"),
        ("5 5--- - -/-/-/- - - 99999999", "is not a number of redeals"),
        ("5 5--- - -/-/-/- ?? - 0", "is not a card"),
    ],
)  # fmt: skip
def test_a_position_line_of_the_wrong_form_is_refused_naming_the_field(text, says):
    with pytest.raises(NotationError, match=says.replace("?", r"\?")):
        at(text)


def test_foundations_are_named_by_their_top_rank():
    assert at("5 54K- - -/-/-/- - - 0").foundations == (1, 13, 9, 0)
    assert format_position(at("5 54K- - -/-/-/- - - 0")) == "5 54K- - -/-/-/- - - 0"
    assert at("5 54K- - -/-/-/- - - 0").foundation(2) == (
        "5h",
        "6h",
        "7h",
        "8h",
        "9h",
        "Th",
        "Jh",
        "Qh",
        "Kh",
    )


def test_a_position_line_is_read_generously():
    loose = " 5   5--- 2H10d\t-/qc/-/- 10S10h -  007\n"
    assert format_position(at(loose)) == "5 5--- 2hTd -/Qc/-/- TsTh - 7"
    assert at("5 5--- - -/-/-/- - - 9999999").redeals == 9_999_999


@given(st.text(max_size=60))
def test_any_text_is_a_position_or_refused(text):
    try:
        position = at(text)
    except NotationError:
        return
    assert at(format_position(position)) == position


def test_a_small_word_between_source_and_target_does_not_matter():
    assert parse_actions(["waste", "to", "3"], at()) == parse_actions(["waste", "3"], at())


def test_where_one_of_several_actions_fails_it_is_named_and_none_is_done():
    with pytest.raises(CanfieldError, match=r"\(action 2, `12x9`; none was done\)"):
        parse_actions(["draw", "12x9", "draw"], at())
    with pytest.raises(CanfieldError) as caught:
        parse_actions(["12x9"], at())
    assert "none was done" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("24xq", "`q` is not a number of cards"), ("2xq", "`q` is not a number of cards"),
        ("xq", "`xq` is not an action"), ("w4xq", "`w4xq` is not an action"),
    ],
)  # fmt: skip
def test_a_count_that_is_no_number_is_named_where_columns_are(text, says):
    with pytest.raises(NotationError, match=says):
        parse_action(text, at())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("32x", "`32x` does not say how many cards"), ("2x", "`2x` does not say how many cards"),
        ("32x99", "`99` is not a number of cards"), ("32x0", "`0` is not a number of cards"),
        ("r5", "there is no column 5"), ("5f", "there is no column 5"), ("w0", "there is no column 0"),
        ("15", "there is no column 5"), ("52x3", "there is no column 5"), ("fh7", "there is no column 7"),
        # What would be no action with a column there either.
        ("s5", "`s5` is not an action"), ("5s", "`5s` is not an action"), ("5", "`5` is not an action"),
        ("155", "`155` is not an action"), ("r²", "`r²` is not an action"), ("wfx", "`wfx` is not an action"),
    ],
)  # fmt: skip
def test_a_count_or_column_that_there_is_not_is_named(text, says):
    with pytest.raises(NotationError, match=says) as caught:
        parse_action(text, at())
    assert caught.value.code == "bad-notation"
    if "no column" in says:
        assert caught.value.hint == "the columns are 1 to 4"
    if "cards" in says:
        assert caught.value.hint == "write 24x3 for three of column 2"
