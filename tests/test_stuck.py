"""When a game is stuck: against a search of everything by the oracle, and in positions from other programs' faults."""

import random
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import Oracle
from strategies import TASTES, choose, option_sets, rngs, rule_words, shuffled, sound_position

from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.stuck import arrangements, is_progress, is_stuck, progress, reachable

#: The slow search gives up after so many positions.
MOST = 2000


def engine_of(oracle, words=None):
    words = words or oracle.words
    return parse_position(oracle.line(), preset("standard", **words))


def measure(oracle):
    """What progress changes: the cards in reserve, and in stock and waste, and the foundations."""
    heights = [len(pile) for pile in oracle.foundations.values()]
    return len(oracle.reserve), len(oracle.stock) + len(oracle.waste), heights


def stuck_by_search(start):
    """Whether no sequence of legal actions ever makes progress; None where there are too many to try."""
    if start.won():
        return False
    reserve, pile, heights = measure(start)
    known, todo = {start.line()}, [start]
    while todo:
        here = todo.pop()
        for token in here.legal():
            there = Oracle.read(here.line(), here.words)
            there.play(token)
            now_reserve, now_pile, now_heights = measure(there)
            if now_reserve < reserve or now_pile < pile:
                return False
            if any(now > then for now, then in zip(now_heights, heights, strict=True)):
                return False
            if there.words["redeals"] == "unlimited":
                there.redeals = 0
            if there.line() not in known:
                if len(known) == MOST:
                    return None
                known.add(there.line())
                todo.append(there)
    return True


def idle_positions(name, seed):
    """Positions of one random game in which nothing that is legal at once is progress."""
    rng = random.Random(seed)
    oracle = Oracle.deal(shuffled(rng), PRESETS[name])
    taste = TASTES[seed % len(TASTES)]
    found = []
    for _ in range(300):
        legal = oracle.legal()
        if not legal:
            break
        position = engine_of(oracle)
        if not any(is_progress(position, action) for action in position.legal()):
            found.append(Oracle.read(oracle.line(), oracle.words))
        if not (token := choose(rng, legal, taste)):
            break
        oracle.play(token)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_random_games_are_stuck_exactly_where_a_search_of_everything_finds_no_progress(name):
    answers = Counter()
    for seed in range(12):
        positions = idle_positions(name, seed)
        for oracle in positions[:1] + positions[-1:]:
            expected = stuck_by_search(oracle)
            if expected is not None:
                assert is_stuck(engine_of(oracle)) == expected, oracle.line()
            answers[expected] += 1
    assert answers[False] > 3
    assert answers[None] < 5
    # With one card at a time nearly every random game goes on.
    assert answers[True] > 0 or PRESETS[name]["draw"] == 1


@given(rngs(), rule_words())
def test_any_sound_position_is_stuck_exactly_where_a_search_of_everything_finds_no_progress(rng, words):
    oracle = sound_position(rng, words)
    expected = stuck_by_search(oracle)
    assume(expected is not None)
    assert is_stuck(engine_of(oracle)) == expected


#: Rules of the reports: whole column or its last card, no taking back.
REPORTED = {"runs": "top-or-whole", "takeback": "no"}

#: Line, rules, stuck or not, and why.
CASES = {
    "no pile but columns, nothing goes anywhere": ("5 5--- - Th/3h/Kd/Qd - - 0", REPORTED, True),
    "a card that can only go to and fro is no play": ("5 5--- 2dTd 9s8h7c/8d/2h/Qd - - 0", REPORTED, True),
    "a card that could go to and fro while the stock is open": (
        "5 5--- - 9s8h7c/8d/-/- 2s - 0",
        REPORTED,
        False,
    ),
    "the same after it went to and fro": ("5 5--- - 9s8h/8d7c/-/- 2s - 0", REPORTED, False),
    "only the stock is left to be turned": ("5 5--- - Th/3h/Kd/Jh Ts - 0", REPORTED, False),
    "the waste's buried card comes up after a redeal": ("5 5--- - Th/3h/Kd/Qd - Js2s9s4s 0", REPORTED, False),
    "but not if no redeal is left": (
        "5 5--- - Th/3h/Kd/Qd - Js2s9s4s 2",
        {**REPORTED, "redeals": 2},
        True,
    ),
    "with three at a time it stays buried": ("5 5--- - Th/3h/Kd/Qd - 2sJs4s 0", REPORTED, True),
    "with one at a time it does not": ("5 5--- - Th/3h/Kd/Qd - 2sJs4s 0", {**REPORTED, "draw": 1}, False),
    "a card taken back and put up again is no play": ("5 6--- - 7h/3h/Kd/Qd - - 0", {}, True),
    "a card taken back takes one from the reserve": ("5 ---8 7h 9h/3h/Kd/Qd - - 0", {}, False),
    "which it can't where cards stay up": ("5 ---8 7h 9h/3h/Kd/Qd - - 0", {"takeback": "no"}, True),
    "a column onto another lets the reserve fill its place": ("5 5--- 2c Th/9s/Kd/Qd - - 0", {}, False),
    "but brings nothing once the reserve is empty": ("5 5--- - Th/9s/Kd/Qd - - 0", {}, True),
    "a won game": ("A KKKK - -/-/-/- - - 0", {}, False),
    "a move that lets the cards finish by themselves": (
        "A QJKK - KcQd/Kd/-/- - - 0",
        {"finish": "auto"},
        False,
    ),
}


@pytest.mark.parametrize(("line", "rules", "expected"), CASES.values(), ids=CASES)
def test_known_positions(line, rules, expected):
    assert is_stuck(parse_position(line, preset("standard", **rules))) is expected


def test_a_card_that_was_taken_back_may_serve_others_before_it_goes_up_again():
    """The 5c takes the 4d off its column, which lets the 5d off the 6c; that goes up only once the 5c has."""
    line, rules = "A 5--4 - 3d/8s7h6c5d/4d/8h7c6h - - 0", PRESETS["standard"] | {"runs": "top-or-whole"}
    oracle = Oracle.read(line, rules)
    for token in ("fc4", "34x1", "23x1", "fs3", "13x1", "41x1", "4f", "2f"):
        assert token in oracle.legal()
        oracle.play(token)
    assert len(oracle.foundations["c"]) == 6
    assert not is_stuck(engine_of(Oracle.read(line, rules)))
    # The same search finds nothing where the 5c stays up.
    assert is_stuck(engine_of(Oracle.read(line, {**rules, "takeback": "no"})))


@given(rngs(), rule_words())
def test_looser_rules_never_make_a_position_stuck(rng, words):
    oracle = sound_position(rng, words)
    looser = {**words, "draw": 1, "runs": "any", "fill": "any", "takeback": "yes", "redeals": "unlimited"}
    assert not is_stuck(engine_of(oracle, looser)) or is_stuck(engine_of(oracle))


@given(rngs(), option_sets())
def test_drawing_neither_ends_nor_begins_being_stuck_where_redeals_are_unlimited(rng, words):
    oracle = sound_position(rng, {**words, "redeals": "unlimited"})
    position = engine_of(oracle)
    # A draw only forgets what lies between two groups of three: that comes again after a redeal or not at all.
    assume(not position.waste and position.stock)
    for _ in range(20):
        after, _ = position.apply(position.legal()[0]) if position.legal() else (position, None)
        assert is_stuck(after) == is_stuck(engine_of(oracle))
        position = after


@given(rngs(), rule_words())
def test_reachable_cards_are_those_that_drawing_shows_after_so_many_turns(rng, words):
    oracle = sound_position(rng, words)
    found = {card: turns for turns, card in reachable(engine_of(oracle))}
    shown = {}
    for turns in range(100):
        if oracle.waste:
            shown.setdefault("".join(oracle.waste[-1]), turns)
        turn = [token for token in oracle.legal() if token in ("draw", "redeal")]
        if not turn:
            break
        oracle.play(turn[0])
    assert found == shown or oracle.won()


@given(rngs(), rule_words(), st.integers(1, 3))
def test_progress_and_arrangements_name_legal_actions_only(rng, words, depth):
    position = engine_of(sound_position(rng, words))
    for there, path in arrangements(position, limit=20):
        here = position
        for action in path:
            here, played = here.apply(action)
            assert played.source not in "rsw"
        assert here == there
        for turns, action, _ in progress(there) if len(path) < depth else ():
            after = there
            for _ in range(turns):
                after, _ = after.apply(after.legal()[0])
            after, played = after.apply(action)
            assert played.ups or played.filled or played.source in "rw"


# What is progress.


@pytest.mark.parametrize(
    ("line", "found"),
    [
        # One that is there now, and not again for what the waste shows.
        ("5 5--- - Th/3h/Kd/Jh - Ts 0", [(0, "w4", "Ts")]),
        ("5 5--- - Th/3h/Kd/Jh Ts - 0", [(1, "w4", "Ts")]),
        ("5 5--- - Th/3h/Kd/- Ts2s - 0", [(1, "w4", "Ts")]),
        ("5 5--- - Th/3h/Kd/7d - 6c2s 0", [(0, "w2", "2s")]),
        # A redeal and a draw; the card goes up or to a column.
        ("5 5--- - Th/3h/Kd/7d - 6c9h 0", []),
        ("5 5--- - Th/3h/Kd/7d - 6cKs9h 0", []),
        ("5 5--- - Th/3h/Kd/7d - Ks9h6c9c 0", [(0, "w1", "9c"), (2, "wf", "6c"), (2, "w4", "6c")]),
        # Of a run that empties its column for the reserve, the deepest card.
        ("5 5--- 2d 9h8s7h/Ts/3h/3s - - 0", [(0, "r4", "2d"), (0, "12x3", "9h")]),
    ],
)
def test_progress_is_told_with_the_draws_before_it_and_its_card(line, found):
    assert list(progress(parse_position(line, preset()))) == found


def test_of_cards_that_the_player_never_saw_nothing_is_told():
    position = parse_position("5 5--- - Th/3h/Kd/Jh Ts - 0", preset())
    assert list(progress(position)) != []
    assert list(progress(position.seen())) == []


@pytest.mark.parametrize(("finish", "progresses"), [("auto", True), ("manual", False)])
def test_a_move_between_columns_is_progress_where_it_sets_off_the_finish(finish, progresses):
    # The base is 3. Nothing wins while the 2s lies on the 3h.
    column, other = "AhKsQhJsTh9s8h7s6h5s4h3s", "AsKhQsJhTs9h8s7h6s5h4s3h2s"
    position = parse_position(f"3 22-- - {column}/{other}/2h/- - - 0", preset(finish=finish))
    assert position.faults() == []
    assert is_progress(position, "24x1") is progresses
    assert position.after("24x1")[0].won is progresses


# What shuttling leads to.

#: The 6c may come back to the 7h; the stock may be drawn from.
SHUTTLE = "5 6--- - 7h/3h/Kd/Qd 2s - 0"


def paths(line, **options):
    return [path for _, path in arrangements(parse_position(line, preset()), **options)]


def test_shuttling_takes_cards_back_where_it_may_and_never_draws():
    assert paths(SHUTTLE) == [(), ("fc1",)]
    assert paths(SHUTTLE, takebacks=False) == [()]


def test_shuttling_moves_cards_between_columns():
    assert ("21x1",) in paths("5 5--- - Th/9s/Kd/Qd - - 0")


def test_shuttling_ends_where_progress_begins():
    assert paths("5 5--- 2d 6c/3h/Kd/Qd - - 0") == [()]


def test_cards_go_up_while_shuttling_as_far_as_they_were_up_when_it_began():
    line = "5 5--- - 7h6c/3h/Kd/Qd - - 0"
    assert paths(line) == [()]
    assert paths(line, heights=(2, 0, 0, 0)) == [(), ("1f",)]


def test_no_level_is_begun_beyond_the_limit():
    assert [len(paths(SHUTTLE, limit=limit)) for limit in (0, 1, 2)] == [0, 1, 2]
