"""The solver: its verdicts against proven outcomes, against playing everything out, and against each other."""

import functools
import json
import os
import random
from pathlib import Path

import pytest
from tiny import CHOICES, TooMany, random_position, random_rules, won_by_playing_out

from canfield_cli.engine.cards import PACK, RANK, SUIT
from canfield_cli.engine.errors import DealError
from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.position import Position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.solver import Limits, backend, solve

COMPILED = backend() == "compiled"
needs_compiled = pytest.mark.skipif(not COMPILED, reason="the compiled search is not there")
BACKENDS = [pytest.param(False, id="compiled", marks=needs_compiled), pytest.param(True, id="python")]

#: Deals with outcomes that other programs have proved, by preset (see docs/solver.md).
KNOWN = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "winnable-200.jsonl").read_text().splitlines()
]


def dealt(cards, rules):
    """The position after dealing 52 cards: reserve, base card, columns, stock."""
    base = cards[13]
    foundations = tuple(int(suit == SUIT[base]) for suit in range(4))
    columns = tuple((card,) for card in cards[14:18])
    return Position(rules, RANK[base], foundations, tuple(cards[:13]), columns, tuple(cards[:17:-1]), ())


def known(seed, name):
    return dealt(KNOWN[seed - 1]["deal"].split(), preset(name))


def proved(row, name):
    """What is proved of a deal under a preset: `modern` plays as `standard`, `bsd` lies between two others."""
    if name == "bsd":
        # Stricter than `casino` in its runs, looser than `published` with whole columns in its base builds.
        if row["other"].get("C") == "won":
            return "won"
        return "lost" if row["outcome"]["casino"] == "lost" else "unknown"
    return row["outcome"]["standard" if name == "modern" else name]


def shuffled(seed):
    cards = list(PACK)
    random.Random(seed).shuffle(cards)
    return cards


def check(position, verdict):
    """A win holds when its actions, each legal in turn, win."""
    assert (verdict.outcome == "unknown") == (verdict.limit is not None)
    for action in verdict.actions:
        position, _ = position.apply(action)
    assert position.won == (verdict.outcome == "won")
    return verdict


@pytest.mark.skipif("CANFIELD_EXPECT_COMPILED" not in os.environ, reason="nobody expects the compiled search")
def test_the_compiled_search_is_there_where_it_is_expected():
    assert COMPILED


def test_an_environment_variable_chooses_plain_python(monkeypatch):
    monkeypatch.setenv("CANFIELD_PURE_PYTHON", "1")
    assert backend() == "python"
    assert solve(known(1, "easy")).backend == "python"


# Proven outcomes.


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    ("pure", "states", "decided"),
    [
        pytest.param(False, 60_000, 60, id="compiled", marks=needs_compiled),
        pytest.param(True, 800, 8, id="python"),
    ],
)
def test_no_verdict_contradicts_a_proven_outcome(name, pure, states, decided):
    """Within a small limit; benchmarks/solver.py does the same without."""
    counts = {"won": 0, "lost": 0, "unknown": 0}
    for row in KNOWN[:: 8 if pure else 2]:
        position = dealt(row["deal"].split(), preset(name))
        verdict = check(position, solve(position, Limits(states=states), pure=pure))
        counts[verdict.outcome] += 1
        wanted = proved(row, name)
        assert "unknown" in (wanted, verdict.outcome) or wanted == verdict.outcome, row["seed"]
    assert counts["won"] + counts["lost"] >= decided, counts


@pytest.mark.parametrize(
    ("letters", "name", "options"),
    [
        ("B", "published", {"runs": "top-or-whole"}),
        ("C", "published", {"runs": "whole"}),
        ("B_waste", "published", {"runs": "top-or-whole", "fill": "waste"}),
        ("A_draw1", "published", {"draw": 1}),
        ("A_worryback", "published", {"takeback": "yes"}),
    ],
)
@needs_compiled
def test_no_verdict_contradicts_a_proven_outcome_of_other_rules(letters, name, options):
    rules = preset(name, **options)
    compared = 0
    for row in KNOWN[::2]:
        wanted = row["other"].get(letters, "unknown")
        position = dealt(row["deal"].split(), rules)
        verdict = check(position, solve(position, Limits(states=20_000)))
        if "unknown" not in (wanted, verdict.outcome):
            compared += 1
            assert wanted == verdict.outcome, row["seed"]
    assert compared >= 30


@pytest.mark.parametrize("seed", [25, 184])
@needs_compiled
def test_a_win_that_seems_to_put_a_column_on_itself_is_found_another_way(seed):
    """These are won, but the first win that is found without regard to the arrangement is none."""
    for name in ("gilded", "standard"):
        position = known(seed, name)
        assert check(position, solve(position)).outcome == "won"


@pytest.mark.parametrize("pure", BACKENDS)
def test_a_card_that_goes_up_from_the_reserve_might_have_stood_in_a_column_before(pure):
    """Td can go up at once, but the win builds 9s on it first: only so the waste below 9s comes to light."""
    line = "J 5843 8s5h6h5s8cTsTd6c 9d/8h7s/Tc9h/6s 9c 4sTh7h7c9s 0"
    position = parse_position(line, preset("casino", draw=1, base_build="no", redeals=0))
    assert check(position, solve(position, pure=pure)).outcome == "won"


# Everything played out.


@functools.cache
def tiny(seed, wanted):
    """Small positions of all rules, with what playing them out has found."""
    dice = random.Random(seed)
    found = []
    while len(found) < wanted:
        rules = random_rules(dice)
        position = random_position(dice, rules, dice.randrange(4, 28))
        if position is not None:
            try:
                found.append((position, won_by_playing_out(position, 400)))
            except TooMany:
                continue
    return found


@pytest.mark.parametrize("pure", BACKENDS)
def test_small_positions_have_the_outcome_that_playing_them_out_has(pure):
    bases, undecided = set(), 0
    for position, won in tiny(1, 300):
        verdict = check(position, solve(position, Limits(states=30_000, seconds=None), pure=pure))
        wanted = "won" if won else "lost"
        assert verdict.outcome in (wanted, "unknown"), (format_position(position), position.rules)
        bases.add(position.base)
        undecided += verdict.outcome == "unknown"
    assert len(bases) == 13
    assert undecided <= 3


def test_the_small_positions_cover_all_rules_and_both_outcomes():
    cases = tiny(1, 300)
    for name, words in CHOICES.items():
        values = {preset("standard", **{name: word}).words()[name] for word in words}
        assert {position.rules.words()[name] for position, _ in cases} == values
    assert min(sum(won for _, won in cases), sum(not won for _, won in cases)) >= 30


# Consistency.


@pytest.mark.parametrize("name", PRESETS)
@needs_compiled
def test_a_won_position_has_a_won_successor_and_a_lost_one_has_none(name):
    dice = random.Random(name)
    limits = Limits(states=10_000)
    for seed in range(3):
        position = dealt(shuffled(f"{name}{seed}"), preset(name))
        for _ in range(12):
            actions = position.legal()
            if not actions:
                break
            before = check(position, solve(position, limits)).outcome
            after = [
                check(there, solve(there, limits)).outcome
                for there, _ in (position.after(action) for action in actions)
            ]
            if before == "won":
                assert set(after) & {"won", "unknown"}, format_position(position)
            elif before == "lost":
                assert "won" not in after, format_position(position)
            position = position.after(dice.choice(actions))[0]


#: From stricter to looser, one option at a time.
LOOSER = [
    {"runs": ("whole", "top-or-whole")},
    {"runs": ("top-or-whole", "any")},
    {"fill": ("waste", "any")},
    {"takeback": ("no", "yes")},
    {"base_build": ("no", "yes")},
    {"draw": (3, 1)},
    {"redeals": (0, 1)},
    {"redeals": (1, 3)},
    {"redeals": (3, "unlimited")},
]


@pytest.mark.parametrize("change", LOOSER, ids=str)
@needs_compiled
def test_what_is_won_is_won_under_looser_rules_too(change):
    [(option, (strict, loose))] = change.items()
    dice = random.Random(option)
    for seed in range(30):
        rules = random_rules(dice)
        cards = shuffled(f"{option}{seed}")
        outcomes = [
            solve(dealt(cards, rules.replace(**{option: word})), Limits(states=10_000)).outcome
            for word in (strict, loose)
        ]
        assert outcomes != ["won", "lost"], (cards, rules)


@needs_compiled
def test_both_searches_do_the_same_step_for_step():
    dice = random.Random(3)
    for seed in range(40):
        position = dealt(shuffled(seed), random_rules(dice))
        for states in (50, 1500):
            verdicts = [solve(position, Limits(states=states), pure=pure) for pure in (False, True)]
            facts = [(v.outcome, v.actions, v.limit, v.states) for v in verdicts]
            assert facts[0] == facts[1], (seed, position.rules)
            assert [v.backend for v in verdicts] == ["compiled", "python"]


#: The states that fixed deals take in all: a change of it is a change of the search, to be made on purpose.
FINGERPRINT = {
    "standard": 112_287,
    "easy": 7_601,
    "modern": 112_287,
    "classic": 259_319,
    "gilded": 139_658,
    "casino": 266_469,
    "bsd": 267_880,
    "published": 108_018,
}


@pytest.mark.parametrize("name", PRESETS)
@needs_compiled
def test_the_search_looks_at_as_many_states_as_ever(name):
    assert (
        sum(solve(known(seed, name), Limits(states=20_000)).states for seed in range(1, 41))
        == FINGERPRINT[name]
    )


# Limits and refusals.

#: A deal that takes a long search (112 under `casino`).
HARD = known(112, "casino")


@pytest.mark.parametrize("pure", BACKENDS)
@pytest.mark.parametrize(
    ("limits", "hit"),
    [
        (Limits(states=1000), "states"),
        (Limits(seconds=0.0), "time"),
        (Limits(memory=0), "memory"),
    ],
)
def test_a_limit_leaves_the_verdict_open_and_is_named(pure, limits, hit):
    verdict = solve(HARD, limits, pure=pure)
    assert (verdict.outcome, verdict.limit, verdict.actions) == ("unknown", hit, ())
    if hit == "states":
        assert verdict.states == 1000


@pytest.mark.parametrize("pure", BACKENDS)
def test_limits_of_any_size_are_taken(pure):
    assert solve(known(1, "easy"), Limits(states=1 << 80, memory=1 << 90), pure=pure).outcome == "won"


@pytest.mark.parametrize("pure", BACKENDS)
def test_a_search_can_be_stopped_from_outside(pure):
    assert solve(HARD, stop=lambda: True, pure=pure).limit == "interrupted"


@pytest.mark.parametrize("pure", BACKENDS)
def test_ctrl_c_ends_a_search_with_an_open_verdict(pure):
    def pressed():
        raise KeyboardInterrupt

    verdict = solve(HARD, stop=pressed, pure=pure)
    assert verdict.limit == "interrupted"
    assert verdict.states > 0


@pytest.mark.parametrize("pure", BACKENDS)
def test_an_error_from_outside_is_not_swallowed(pure):
    def broken():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solve(HARD, stop=broken, pure=pure)


def test_a_won_position_needs_no_actions():
    won = parse_position("A KKKK - -/-/-/- - - 2", preset("standard"))
    assert (solve(won).outcome, solve(won).actions) == ("won", ())


def test_a_position_that_could_not_stand_in_a_game_is_refused():
    twice = parse_position("A KKKQ - KsKs/-/-/- - - 0", preset("standard"))
    with pytest.raises(DealError, match="Ks is there 2 times"):
        solve(twice)
