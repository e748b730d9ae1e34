"""Rule options and presets against a table of their own."""

from decimal import Decimal

import pytest
from hypothesis import given
from strategies import option_sets

from canfield_cli.engine.errors import RulesError
from canfield_cli.engine.rules import OPTIONS, PRESET_DETAILS, PRESET_NOTES, PRESETS, Rules, preset

# Written off the rules, in Python's own values.
UNLIMITED = None
TABLE = {
    "standard": (3, "any", "any", True, True, UNLIMITED, 100, "refund", False, "manual", "cards", False),
    "easy": (1, "any", "any", True, True, UNLIMITED, 100, "refund", False, "manual", "cards", False),
    "modern": (3, "any", "any", True, True, UNLIMITED, UNLIMITED, "keep", True, "auto", "moves", True),
    "classic": (3, "top-or-whole", "waste", True, False, None, None, "refund", False, "manual", "bonus", True),
    "gilded": (3, "any", "any", True, False, None, None, "refund", False, "manual", "cards", True),
    "casino": (3, "top-or-whole", "any", True, False, None, 0, "keep", False, "manual", "casino", False),
    "bsd": (3, "whole", "any", True, False, None, 0, "keep", False, "manual", "bsd", True),
    "published": (3, "any", "any", False, False, None, None, "refund", False, "manual", "cards", False),
}  # fmt: skip
NAMES = (
    "draw", "runs", "fill", "base_build", "takeback", "redeals", "undo_limit",
    "undo_score", "undo_counts", "finish", "scoring", "clock",
)  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_has_the_options_of_the_table(name):
    rules = preset(name)
    assert tuple(getattr(rules, option) for option in NAMES) == TABLE[name]


def test_the_presets_are_those_of_the_table_and_each_has_a_note():
    assert list(PRESETS) == list(TABLE) == list(PRESET_NOTES)
    assert set(PRESET_DETAILS) <= set(PRESETS)
    assert list(OPTIONS) == list(NAMES)


@given(option_sets())
def test_words_are_read_back(words):
    rules = Rules("standard", words)
    assert Rules("standard", {name: rules.words()[name] for name in OPTIONS}) == rules
    for name, option in OPTIONS.items():
        value = getattr(rules, name)
        assert option.parse(option.format(value)) == value
        assert option.sentence(value).endswith(".")
        assert "{" not in option.sentence(value)


def test_changes_are_what_differs_from_the_preset():
    assert preset("standard").changes() == {}
    assert preset("standard", draw=1, redeals="2").changes() == {"draw": 1, "redeals": 2}


def test_rules_can_be_pasted_back():
    rules = preset("classic", draw=1)
    assert eval(repr(rules)) == rules
    assert hash(eval(repr(rules))) == hash(rules)


def test_rules_are_equal_to_the_same_rules_alone():
    assert preset("gilded") == preset("gilded")
    assert preset("gilded") != preset("gilded", draw=1)
    assert preset("gilded") != "gilded"


def test_rules_cannot_be_changed():
    with pytest.raises(AttributeError):
        preset().draw = 1


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("draw", "2"), ("draw", 2), ("draw", True), ("runs", "some"), ("redeals", "-1"), ("redeals", -1),
        ("redeals", 10**9), ("redeals", 1_000_001), ("redeals", "9" * 5000), ("redeals", 1.0), ("redeals", Decimal(2)), ("redeals", None), ("base_build", True),
        ("base_build", "maybe"), ("redeals", "²"), ("undo_limit", "")
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_and_the_option_named(option, word):
    with pytest.raises(RulesError) as caught:
        preset("standard", **{option: word})
    assert option in str(caught.value)
    assert OPTIONS[option].words in caught.value.hint


@pytest.mark.parametrize(
    ("option", "words"),
    [("draw", "3 or 1"), ("runs", "any, top-or-whole or whole"), ("redeals", "unlimited or a number")],
)
def test_the_values_of_an_option_are_listed_for_a_sentence(option, words):
    assert OPTIONS[option].words == words


def test_the_largest_limit_is_a_million():
    assert preset(redeals=1_000_000, undo_limit="1000000").redeals == 1_000_000


def test_an_unknown_preset_or_option_is_refused_and_the_known_ones_listed():
    with pytest.raises(RulesError) as caught:
        preset("klondike")
    assert "published" in caught.value.hint
    with pytest.raises(RulesError) as caught:
        preset("standard", colour="red")
    assert "takeback" in caught.value.hint


def test_rules_with_an_option_left_out_are_refused():
    words = {name: word for name, word in PRESETS["standard"].items() if name != "fill"}
    with pytest.raises(RulesError, match="fill"):
        Rules("standard", words)
    with pytest.raises(RulesError, match="draw") as caught:
        Rules("standard", {})
    assert "3 or 1" in caught.value.hint
