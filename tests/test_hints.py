"""Hints: legal, honest, never in circles, there while there is something to play for, and strong enough."""

import pytest
from hypothesis import given, settings
from oracle import Oracle
from strategies import TASTES, choose, hidden_shuffled, rngs, rule_words, shuffled, sound_position

from canfield_cli.engine.cards import HIDDEN
from canfield_cli.engine.deal import deal_pysol
from canfield_cli.engine.errors import plain
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.position import DRAW, REDEAL
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.stuck import is_stuck
from canfield_cli.solver.hints import hint, rank

#: A card leaves reserve or waste at most 47 times and goes up 51 times without coming back between; a pass
#: through the stock is at most 35 turns. No game that goes on making progress is longer.
LONGEST = 3000


def engine_of(oracle):
    return parse_position(oracle.line(), preset("standard", **oracle.words))


def facts(hints):
    return [(hint.action, hint.why, hint.value) for hint in hints]


def follow(position):
    """Play by hints to the end: yield each position, and the hint given there (None at the last)."""
    for _ in range(LONGEST):
        given_hint = hint(position.seen())
        yield position, given_hint
        if given_hint is None:
            return
        position, _ = position.apply(given_hint.action)
    raise AssertionError("the hints go on for ever")


@given(rngs(), rule_words())
def test_every_legal_action_is_ranked_once_and_the_hint_is_the_first_that_leads_somewhere(rng, words):
    position = engine_of(sound_position(rng, words))
    ranked = rank(position.seen())
    assert sorted(hint.action for hint in ranked) == sorted(position.legal())
    values = [hint.value for hint in ranked if hint.value is not None]
    assert values == sorted(values, reverse=True)
    assert [hint.value for hint in ranked[len(values) :]] == [None] * (len(ranked) - len(values))
    best = hint(position.seen())
    assert facts([best] if best else []) == facts(ranked[: 1 if values else 0])


@given(rngs(), rule_words())
def test_a_reason_is_one_sentence_that_names_no_hidden_card(rng, words):
    oracle = sound_position(rng, words)
    position = engine_of(oracle)
    view = position.seen()
    hidden = {*position.reserve[:-1], *(position.stock if HIDDEN in view.stock else ())}
    for given_hint in rank(view):
        sentence = given_hint.why
        assert sentence
        assert sentence.strip(" .") == sentence
        assert "?" not in sentence
        assert not any(card in plain(sentence).split() for card in hidden)


@given(rngs(), rule_words())
def test_a_hint_is_given_where_not_stuck_and_none_where_stuck_unless_cards_can_come_back(rng, words):
    position = engine_of(sound_position(rng, {**words, "takeback": "no"}))
    lost = is_stuck(position) or position.won
    assert (hint(position.seen()) is None) == lost or HIDDEN in position.seen().stock


@given(rngs(), rule_words())
def test_no_hint_is_given_where_stuck_or_won_once_the_stock_is_known(rng, words):
    position = engine_of(sound_position(rng, words))
    if (is_stuck(position) or position.won) and HIDDEN not in position.seen().stock:
        assert hint(position.seen()) is None


@given(rngs(), rule_words())
def test_positions_that_differ_in_hidden_cards_alone_get_the_same_hints(rng, words):
    oracle = sound_position(rng, words)
    one, other = engine_of(oracle), engine_of(hidden_shuffled(rng, oracle))
    assert facts(rank(one.seen())) == facts(rank(other.seen()))


@given(rngs(), rule_words())
@settings(max_examples=40)
def test_hints_after_random_play_are_legal(rng, words):
    oracle = Oracle.deal(shuffled(rng), words)
    taste = rng.choice(TASTES)
    for _ in range(rng.randint(0, 60)):
        if token := choose(rng, oracle.legal(), taste):
            oracle.play(token)
    given_hint = hint(engine_of(oracle).seen())
    assert given_hint is None or given_hint.action in oracle.legal()


@given(rngs(), rule_words())
@settings(max_examples=8)
def test_following_hints_ends_and_never_repeats_a_position_without_a_draw(rng, words):
    oracle = sound_position(rng, words) if rng.random() < 0.5 else Oracle.deal(shuffled(rng), words)
    known = set()
    for position, given_hint in follow(engine_of(oracle)):
        assert position not in known
        known.add(position)
        if given_hint and given_hint.action in (DRAW, REDEAL):
            known.clear()


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_by_hints_ends_won_or_stuck(name):
    *_, (last, _) = follow(deal_pysol(3).position(preset(name)))
    assert last.won or is_stuck(last)


def test_casino_is_won_far_more_often_than_by_the_best_known_player():
    """PySolFC's player wins 6 in 100 of its deals 1 to 500; benchmarks/hint_strength.py plays them all."""
    wins = 0
    for number in range(1, 9):
        *_, (last, _) = follow(deal_pysol(number).position(preset("casino")))
        wins += last.won
    assert wins >= 2


#: Rules of the reports: whole column or its last card, no taking back.
REPORTED = {"runs": "top-or-whole", "takeback": "no"}

#: Line, rules, the hint's action, or None.
CASES = {
    "nothing is left": ("5 5--- - Th/3h/Kd/Qd - - 0", REPORTED, None),
    "a card that can only go to and fro": ("5 5--- 2dTd 9s8h7c/8d/2h/Qd - - 0", REPORTED, None),
    "only drawing is left, of unknown cards": ("5 5--- - Th/3h/Kd/Qd 2s4s8s - 0", REPORTED, "draw"),
    "only drawing is left, of known cards that help": (
        "5 5--- - Th/3h/Kd/Qd 2s4s9s - 1",
        {"draw": 1},
        "draw",
    ),
    "drawing known cards that don't help": ("5 5--- 4cAs Th/3h/Kd/Qd 6s4s8s - 1", REPORTED, None),
    "only a redeal is left": ("5 5--- - Th/3h/Kd/Qd - Js2s9s4s 0", REPORTED, "redeal"),
    "no redeal is left": ("5 5--- - Th/3h/Kd/Qd - Js2s9s4s 2", {**REPORTED, "redeals": 2}, None),
    "a card comes back for the reserve's": ("5 ---8 7h 9h/3h/Kd/Qd - - 0", {}, "fs1"),
    "and then the reserve's goes on it": ("5 ---7 7h 9h8s/3h/Kd/Qd - - 0", {}, "r1"),
    "a won game": ("A KKKK - -/-/-/- - - 0", {}, None),
    "one card is left": ("A KKKQ - Ks/-/-/- - - 0", {}, "1f"),
    "the move that lets the cards finish": (
        "4 -243 - 3c2hAc/3h/KhQcJhTc9h8c7h6c5h4c3d2cAhKc/QhJcTh9c8h7c6h5c - - 12",
        {"finish": "auto"},
        "32x3",
    ),
}


@pytest.mark.parametrize(("line", "rules", "expected"), CASES.values(), ids=CASES)
def test_known_positions(line, rules, expected):
    given_hint = hint(parse_position(line, preset("standard", **rules)).seen())
    assert (given_hint and given_hint.action) == expected
