"""What a touch of a card or pile does, and what goes up."""

import pytest
from hypothesis import given
from strategies import rngs, rule_words, sound_position

from canfield_cli.engine.errors import CanfieldError, IllegalMove, NotationError
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import Rules, preset
from canfield_cli.engine.touch import next_up, touch, touchable


def at(line, name="standard", **options):
    return parse_position(line, preset(name, **options))


@pytest.mark.parametrize(
    ("line", "what", "action"),
    [
        # Up if it can go, even where a column would take it.
        ("5 5--- 2d6c 7h/9s/3h/3s - - 0", "r", "rf"),
        ("5 5--- 2d6c 7h/9s/3h/3s - - 0", "6c", "rf"),
        ("5 5--- 2d 7h/9s/3h/3s - 6c 0", "w", "wf"),
        ("5 5--- 2d 7h6c/9s/3h/7d - - 0", "1", "1f"),
        # Else the longest column that takes it.
        ("5 5--- 2d8h 9c/Tc9s/3h/3s - - 0", "r", "r2"),
        ("5 5--- 2d 9c/TdJc/JhTc9s/3s - 8h 0", "8h", "w3"),
        # The leftmost of equals.
        ("5 5--- 2d8h 3h/Th9s/3s/Td9c - - 0", "reserve", "r2"),
        # An empty one last.
        ("5 5--- - 3h/-/9s/- - 8h 0", "w", "w3"),
        ("5 5--- - 3h/-/Ts/- - 8h 0", "w", "w2"),
        # A card inside a column takes along what lies on it, and never goes up.
        ("5 5--- 2d 9h8s7h/Ts/3h/3s - - 0", "9h", "12x3"),
        ("5 5--- - 7h6c5h/8s/-/3s - - 0", "6c", "13x2"),
        ("5 5--- - 9h8s7h/4s/-/3s - - 0", "8s", "13x2"),
        # A pile's touch is that of its top card.
        ("5 5--- - 9h8s7h/8c/4d/3s - - 0", "column 1", "12x1"),
        # A foundation's top card comes back to a column.
        ("5 6--- 2d 9h8s7h/7d/3h/3s - - 0", "fc", "fc1"),
        ("5 6--- 2d 9h8s7h/7d/3h/3s - - 0", "6C", "fc1"),
        # The stock.
        ("5 5--- 2d 9h/8c/3h/3s 2s - 0", "s", "draw"),
        ("5 5--- 2d 9h/8c/3h/3s - 2s 0", "stock", "redeal"),
    ],
)
def test_a_touch_does_what_the_table_says(line, what, action):
    position = at(line)
    assert touch(position, what) == action
    assert action in position.legal()


@pytest.mark.parametrize(
    ("line", "what", "says"),
    [
        ("5 5--- 2d 9h8s7h/Tc/3h/3s - - 0", "8s", "8s can't go anywhere"),
        ("5 5--- 2d 9h/4c/3h/3s - 8s7s 0", "8s", "8s can't go anywhere"),
        ("5 5--- Kd 9h/4c/3h/3s - - 0", "r", "Kd can't go anywhere"),
        ("5 6--- 2d 6h/4c/3h/3s - - 0", "5c", "5c can't go anywhere"),
        ("5 6--- 2d 6h/4c/3h/3s - - 0", "fc", "6c can't go anywhere"),
        ("5 5--- - 9h/4c/3h/- - - 0", "1", "9h can't go anywhere"),
        ("5 5--- 2d 9h/4c/3h/3s - - 0", "w", "the waste is empty"),
        ("5 5--- 2d 9h/4c/3h/3s - - 0", "fh", "the hearts foundation is empty"),
        ("5 5--- - 9h/4c/3h/- - - 0", "4", "column 4 is empty"),
        ("5 5--- 2d3c 9h/4c/3h/3s Ks - 0", "2d", "2d can't be seen"),
        ("5 5--- 2d3c 9h/4c/3h/3s Ks - 0", "Ks", "Ks can't be seen"),
        ("5 5--- 2d3c 9h/4c/3h/3s Ks - 0", "f", "which foundation"),
    ],
)
def test_a_touch_that_does_nothing_says_why(line, what, says):
    with pytest.raises(IllegalMove, match=says) as caught:
        touch(at(line), what)
    assert caught.value.hint


def test_without_take_back_a_touch_of_a_foundation_does_nothing():
    with pytest.raises(IllegalMove, match="6c can't go anywhere"):
        touch(at("5 6--- 2d 7h/4c/3h/3s - - 0", takeback="no"), "fc")


def test_under_fill_waste_a_run_stays_where_it_is():
    with pytest.raises(IllegalMove, match="8s can't go anywhere"):
        touch(at("5 5--- - 9h8s7h/4s/-/3s - - 0", fill="waste"), "8s")


@pytest.mark.parametrize("what", ["", "x", "wf", "11h", "column"])
def test_words_that_are_no_card_and_no_pile_are_refused(what):
    with pytest.raises(NotationError):
        touch(at("5 5--- 2d 9h/4c/3h/3s - - 0"), what)


@given(rngs(), rule_words())
def test_a_touch_is_the_best_legal_way_by_the_table(rng, words):
    oracle = sound_position(rng, words)
    position = parse_position(oracle.line(), Rules("standard", words))
    for name, column in oracle.columns.items():
        for above, card in enumerate(reversed(column)):
            ways = [a for a in oracle.legal() if a[0] == name and a[1] != "f" and a.endswith(f"x{above + 1}")]
            best = max(ways, key=lambda action: len(oracle.columns[action[1]]), default=None)
            if not above and oracle.goes_up(card):
                best = name + "f"
            try:
                assert touch(position, "".join(card)) == (best or "nothing")
            except CanfieldError:
                assert best is None


# Picking up.


@pytest.mark.parametrize(
    ("what", "actions"),
    [
        ("s", ["draw"]), ("w", ["w3", "w4"]), ("4h", []), ("9d", ["w3", "w4"]),
        ("1", ["13x3", "14x1", "14x2"]), ("T1", ["13x3", "14x1", "14x2"]), ("column 1", ["13x3", "14x1", "14x2"]),
        ("7d", ["14x1"]), ("8c", ["14x2"]), ("9h", ["13x3"]), ("3", []),
        ("6d", ["2f", "24x1"]), ("7s", ["24x2"]), ("2", ["2f", "24x1", "24x2"]),
        ("fc", ["fc1", "fc4"]), ("6c", ["fc1", "fc4"]), ("5c", []), ("fh", []), ("r", []),
    ],
)  # fmt: skip
def test_all_that_a_card_or_pile_can_do_is_listed(what, actions):
    assert touchable(at("5 65-- - 9h8c7d/8d7s6d/Ts/- 2s3s 4h9d 0"), what) == actions


def test_a_touchable_stock_may_be_turned_over_or_be_bare():
    assert touchable(at("5 5--- 2d 9h/8c/3h/3s - 2s 0"), "s") == ["redeal"]
    assert touchable(at("5 5--- 2d 9h/8c/3h/3s - - 0"), "s") == []
    assert touchable(at("5 5--- 7d 9h/8c/3h/8s - 2s 0"), "r") == ["r2", "r4"]


# Sending up.


def test_the_next_card_up_is_the_first_by_source():
    assert next_up(at("5 5--- 2d6c 7h/5s/3h/3s - 5d 0")) == "rf"
    assert next_up(at("5 5--- 2d 7h/5s/3h/3s - 5d 0")) == "wf"
    assert next_up(at("5 5--- 2d 7h/5s/5h/3s - 4d 0")) == "2f"
    assert next_up(at("5 5--- 2d 7h/4s/3h/3s - 4d 0")) is None


@given(rngs(), rule_words())
def test_sending_up_ends_when_no_card_can_go(rng, words):
    oracle = sound_position(rng, words)
    position = parse_position(oracle.line(), Rules("standard", words))
    while action := next_up(position):
        higher, _ = position.apply(action)
        assert higher.cards_up > position.cards_up
        position = higher
    assert not [action for action in position.legal() if action[-1] == "f"]
