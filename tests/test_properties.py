"""What must hold in every game under every set of rules, and the engine against tests/oracle.py."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from oracle import RANKS, RED, SOURCES, Oracle, rank_below, universe
from strategies import (
    TASTES,
    choose,
    hidden_shuffled,
    rngs,
    rule_words,
    shuffled,
    sound_position,
)

from canfield_cli.engine.cards import PACK
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.errors import AmbiguousMove, CanfieldError, IllegalMove, NothingThere
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import (
    format_action,
    format_position,
    parse_action,
    parse_actions,
    parse_pile,
    parse_position,
    parse_token,
)
from canfield_cli.engine.reasons import why_not
from canfield_cli.engine.rules import PRESETS, Rules
from canfield_cli.engine.state import format_state

UNIVERSE = universe()
WHOLE_PACK = sorted(PACK)


def engine_of(oracle):
    return parse_position(oracle.line(), Rules("standard", oracle.words))


def assert_agree(position, oracle):
    assert format_position(position) == oracle.line()
    assert position.legal() == oracle.legal()
    assert position.won == oracle.won()
    assert position.cards_up == oracle.cards_up()


# The engine against the oracle.


@given(rngs(), rule_words())
def test_games_go_as_the_oracle_says(rng, words):
    taste = rng.choice(TASTES)
    oracle = Oracle.deal(shuffled(rng), words)
    position = engine_of(oracle)
    for _ in range(120):
        assert_agree(position, oracle)
        token = choose(rng, oracle.legal(), taste)
        if token is None:
            break
        before = oracle.cards_up()
        position, played = position.apply(token)
        oracle.play(token)
        assert played.ups - played.downs == oracle.cards_up() - before
        assert oracle.all_cards() == WHOLE_PACK
        assert position.faults() == []
    assert_agree(position, oracle)


@given(rngs(), rule_words())
@settings(max_examples=4 * settings().max_examples)
def test_every_legal_action_does_in_any_position_what_the_oracle_says(rng, words):
    oracle = sound_position(rng, words)
    position = engine_of(oracle)
    assert position.faults() == []
    assert_agree(position, oracle)
    for token in oracle.legal():
        after = Oracle.read(oracle.line(), words)
        after.play(token)
        reached, played = position.apply(token)
        assert_agree(reached, after)
        assert reached.faults() == []
        assert played.won == after.won()


# Every refusal, and whether what it says is true.


class Refused:
    """A token that is not legal in a position: what the sentences speak of."""

    def __init__(self, oracle, token):
        self.oracle = oracle
        self.source, self.target = token[:-1], token[-1]
        self.count = 1
        if "x" in token:
            self.source, self.target, self.count = token[0], token[1], int(token[3:])
        if self.source in SOURCES:
            self.pile = oracle.pile(self.source)
            self.head = self.pile[-self.count] if self.count <= len(self.pile) else None
        self.column = oracle.columns.get(self.target)

    def option(self, name):
        return self.oracle.words[name]

    def whole(self):
        return self.count == len(self.pile)

    def fits(self):
        """By colour and rank alone."""
        end = self.column[-1]
        return (self.head[1] in RED) != (end[1] in RED) and self.head[0] == rank_below(end[0])

    def runs_forbid(self):
        allowed = {"any": True, "top-or-whole": self.count == 1 or self.whole(), "whole": self.whole()}
        return self.source in "1234" and not allowed[self.option("runs")]

    def next_up(self):
        suit = self.head[1]
        pile = self.oracle.foundations[suit]
        return RANKS[(RANKS.index(self.oracle.base) + len(pile)) % 13] + suit


#: For each sentence: when it is true, given the words that its groups caught.
TRUTHS = {
    r"the game is won.*": lambda r: r.oracle.won(),
    r"the stock is empty": lambda r: not r.oracle.stock and r.oracle.waste and "redeal" in r.oracle.legal(),
    r"stock and waste are both empty.*": lambda r: not r.oracle.stock and not r.oracle.waste,
    r"the stock is not empty yet \((\d+) left\)": lambda r, left: len(r.oracle.stock) == int(left) > 0,
    r"the waste can't be turned over any more \(redeals is (\d+)\)": lambda r, limit: (
        r.option("redeals") == int(limit) <= r.oracle.redeals
    ),
    r"(?:column .|the waste|the reserve|the \w+ foundation) is empty": lambda r: not r.pile,
    r"column (.) holds only (\d+) of the (\d+) cards": lambda r, name, has, asked: (
        r.source == name and len(r.pile) == int(has) < int(asked) == r.count
    ),
    r"\{(..)\} stays on its foundation \(takeback is no\)": lambda r, card: (
        r.option("takeback") == "no" and r.source[0] == "f" and card == "".join(r.head)
    ),
    r"\{(..)\} can't go up, the \w+ foundation waits for \{(..)\}": lambda r, card, wanted: (
        r.target == "f" and card == "".join(r.head) != wanted == r.next_up()
    ),
    r"\{(..)\} can't go up, the \w+ foundation begins with \{(..)\}": lambda r, card, wanted: (
        r.target == "f" and card == "".join(r.head) != wanted == r.next_up() and wanted[0] == r.oracle.base
    ),
    r"moving all of column (.) to an empty column changes nothing": lambda r, name: (
        r.source == name and r.whole() and not r.column
    ),
    r"only the waste's top card may enter column ., which is empty \(fill is waste\)": lambda r: (
        not r.column and r.source != "w" and r.option("fill") == "waste"
    ),
    r"(\d+) of the (\d+) cards of column (.) can't move alone \(runs is (.*)\)": lambda r, n, all_, name, runs: (
        (int(n), int(all_), name, runs) == (r.count, len(r.pile), r.source, r.option("runs"))
        and r.runs_forbid()
    ),
    r"nothing may be built on the base-rank card \{(..)\} \(base_build is no\)": lambda r, end: (
        end == "".join(r.column[-1]) and end[0] == r.oracle.base and r.option("base_build") == "no"
    ),
    r"\{(..)\} can't go on \{(..)\}": lambda r, card, end: (
        card == "".join(r.head) and end == "".join(r.column[-1]) and not r.fits()
    ),
}


def assert_true(message, oracle, token):
    truths = [
        (truth, found.groups()) for text, truth in TRUTHS.items() if (found := re.fullmatch(text, message))
    ]
    assert len(truths) == 1, message
    truth, words = truths[0]
    assert truth(Refused(oracle, token), *words), (message, token, oracle.line(), oracle.words)


def assert_hint_true(hint, oracle):
    """A hint says of a card what it takes only if some card can be built there."""
    if found := re.fullmatch(r"\{(..)\} takes a (black|red) (.)", hint):
        end, colour, rank = found.groups()
        assert all(
            oracle.builds((rank, suit), (end[0], end[1])) for suit in ("dh" if colour == "red" else "cs")
        )


def may_be_named(oracle):
    """The cards that lie face up, and the next one of each foundation, which everybody can tell."""
    shown = [*oracle.waste, *oracle.reserve[-1:]]
    for pile in (*oracle.columns.values(), *oracle.foundations.values()):
        shown += pile
    following = {RANKS[(RANKS.index(oracle.base) + len(p)) % 13] + s for s, p in oracle.foundations.items()}
    return {rank + suit for rank, suit in shown} | following


@given(rngs(), rule_words())
@settings(max_examples=2 * settings().max_examples)
def test_what_is_not_legal_is_refused_with_a_true_sentence(rng, words):
    oracle = sound_position(rng, words)
    position = engine_of(oracle)
    legal, named = position.legal(), may_be_named(oracle)
    for token in UNIVERSE:
        if token in legal:
            continue
        message, hint = why_not(position, token)
        assert message
        assert not message.endswith(".")
        assert hint
        assert set(re.findall(r"\{(..)\}", message + hint)) <= named
        assert_true(message, oracle, token)
        assert_hint_true(hint, oracle)


@given(rngs(), rule_words())
@settings(max_examples=settings().max_examples // 4)
def test_apply_takes_exactly_what_is_legal(rng, words):
    position = engine_of(sound_position(rng, words))
    legal = position.legal()
    for token in UNIVERSE:
        if token in legal:
            position.apply(token)
            continue
        with pytest.raises(IllegalMove) as caught:
            position.apply(token)
        assert (caught.value.message, caught.value.hint) == why_not(position, token)
        assert caught.value.data == {"action": token}


# What the player sees.


@given(rngs(), rule_words())
@settings(max_examples=2 * settings().max_examples)
def test_positions_that_differ_in_hidden_cards_alone_look_the_same(rng, words):
    oracle = sound_position(rng, words)
    twin = hidden_shuffled(rng, oracle)
    position, other = engine_of(oracle), engine_of(twin)
    assert position.seen() == other.seen()
    assert position.legal() == other.legal() == position.seen().legal()
    for token in rng.sample(UNIVERSE, 60):
        if token not in position.legal():
            assert why_not(position, token) == why_not(other, token) == why_not(position.seen(), token)


@given(rngs(), rule_words())
def test_the_state_shows_no_hidden_card(rng, words):
    oracle = sound_position(rng, words)
    twin = hidden_shuffled(rng, oracle)
    state, other = (format_state(Game(engine_of(each))) for each in (oracle, twin))
    # Whether any play is left depends, as it is defined, on cards that the player has not seen.
    del state["stuck"], other["stuck"]
    assert state == other
    hidden = {"".join(card) for card in oracle.reserve[:-1] + oracle.stock}
    piles = (state["waste"], *state["columns"], *state["foundations"].values())
    shown = [card for pile in piles for card in pile]
    assert not hidden & {*shown, state["reserve"]["top"]}
    assert len(shown) + state["reserve"]["count"] + state["stock"]["count"] == 52


@given(rngs(), rule_words())
def test_the_view_keeps_what_lies_open_and_how_many_are_hidden(rng, words):
    position = engine_of(sound_position(rng, words))
    seen = position.seen()
    assert (seen.columns, seen.waste, seen.foundations) == (
        position.columns,
        position.waste,
        position.foundations,
    )
    assert len(seen.reserve) == len(position.reserve)
    assert len(seen.stock) == len(position.stock)
    assert seen.reserve[-1:] == position.reserve[-1:]
    assert set(seen.reserve[:-1]) <= {"??"}
    if position.redeals == 0:
        assert set(seen.stock) <= {"??"}
    assert seen.seen() == seen


# Texts and back.


@given(rngs(), rule_words())
def test_a_position_line_is_read_back(rng, words):
    line = sound_position(rng, words).line()
    position = parse_position(line, Rules("standard", words))
    assert format_position(position) == line
    assert parse_position(format_position(position), position.rules) == position
    base, tops, *piles = line.split()
    loose = " ".join([base, tops, *(pile.replace("T", "10").upper() for pile in piles)])
    assert parse_position(f" {loose}\n", position.rules) == position


@given(rngs(), rule_words())
def test_card_notation_is_read_back_where_it_was_written(rng, words):
    position = engine_of(sound_position(rng, words))
    written = {action: format_action(action, position) for action in position.legal()}
    for action, text in written.items():
        for spelled in (text, text.upper(), text.replace("T", "10"), action, action.upper()):
            assert parse_action(spelled, position) == action
    assert len(set(written.values())) == len(written)


@given(rngs(), rule_words())
def test_an_action_without_its_count_is_the_one_that_is_legal(rng, words):
    position = engine_of(sound_position(rng, words))
    shifts = [action for action in position.legal() if "x" in action]
    for piles in {action[:2] for action in shifts}:
        meant = [action for action in shifts if action[:2] == piles]
        if len(meant) == 1:
            assert parse_action(piles, position) == meant[0]
        else:
            with pytest.raises(AmbiguousMove) as caught:
                parse_action(piles, position)
            assert caught.value.data["candidates"] == meant
            assert all(action in caught.value.hint for action in meant)


def test_every_token_is_read_as_it_is():
    assert len(set(UNIVERSE)) == len(UNIVERSE) == 2 + 2 * 5 + 4 + 4 * 3 * 52 + 4 * 4
    assert [parse_token(token) for token in UNIVERSE] == UNIVERSE


_PIECES = st.sampled_from(
    ["r", "w", "s", "f", "fh", "fc", *"1234", "x", "-", " ", "10h", "Qc", "9s", "Ah", "draw", "redeal", "waste",
     "column", "foundation", "hearts", "99", "0", "²", "♠", "\ufe0f", "{", "\x00"]
)  # fmt: skip
_TEXTS = st.one_of(st.lists(_PIECES, max_size=6).map("".join), st.text(max_size=8))


def outcome(read, *arguments):
    """What `read` returns, or how it refuses; no other exception is one of its answers."""
    try:
        return read(*arguments), None
    except CanfieldError as error:
        return None, error


@given(rngs(), rule_words(), st.lists(_TEXTS, max_size=4))
@settings(max_examples=10 * settings().max_examples)
def test_any_words_at_all_are_read_or_refused_in_a_sentence(rng, words, texts):
    position = engine_of(sound_position(rng, words))
    for read in (parse_actions, lambda texts, position: [parse_action(text, position) for text in texts]):
        actions, error = outcome(read, texts, position)
        assert all(parse_token(action) == action for action in actions or ())
        assert not error or (error.message and error.hint)


@given(_TEXTS)
@settings(max_examples=5 * settings().max_examples)
def test_a_pile_that_is_read_is_one_of_the_twelve(text):
    pile, error = outcome(parse_pile, text)
    assert pile in ("s", "f", *SOURCES) or error.code == "bad-notation"


# A game with undo and redo.


def points_for(words, before, after, tokens):
    """What the last of `tokens` gives, from the cards that are up before and after it."""
    *earlier, token = tokens
    prices = 13 * (not earlier) + 26 * (token == "draw" and "draw" not in earlier) + 5 * (token == "redeal")
    up = after.cards_up() - before.cards_up()
    won = after.won() and not before.won()
    return {
        "cards": 5 * max(up, 0),
        "bonus": 5 * up + 500 * won,
        "moves": 0,
        "casino": 5 * up + 240 * won,
        "bsd": 5 * up - prices,
    }[words["scoring"]]


class GameMachine(RuleBasedStateMachine):
    """A game beside a plain model of it: the line of all positions, and where in it the game stands."""

    @initialize(rng=rngs(), words=rule_words(), late=st.booleans())
    def begin(self, rng, words, late):
        self.rng, self.words = rng, words
        oracle = sound_position(rng, words) if late else Oracle.deal(shuffled(rng), words)
        self.taste = rng.choice(TASTES)
        self.game = Game(engine_of(oracle), clock=Clock(begun=1.0))
        self.oracles, self.tokens, self.at = [oracle], [], 0
        standing = words["scoring"] in ("bonus", "casino", "bsd")
        self.points = [5 * oracle.cards_up() * standing - {"casino": 50, "bsd": 13}.get(words["scoring"], 0)]
        self.score = self.points[0]
        self.moves = self.undos = self.floor = 0

    @property
    def limit(self):
        return self.words["undo_limit"]

    @property
    def refund(self):
        return self.words["undo_score"] == "refund"

    @rule(count=st.integers(1, 12))
    def play(self, count):
        for _ in range(count):
            before = self.oracles[self.at]
            token = choose(self.rng, before.legal(), self.taste)
            if token is None:
                return
            after = Oracle.read(before.line(), self.words)
            after.play(token)
            self.game.play(token)
            del self.oracles[self.at + 1 :], self.tokens[self.at :], self.points[self.at + 1 :]
            self.oracles.append(after)
            self.tokens.append(token)
            self.score += points_for(self.words, before, after, self.tokens)
            self.points.append(self.score)
            self._forward()

    def _forward(self):
        self.at += 1
        self.moves += 1
        if self.limit != "unlimited":
            self.floor = max(self.floor, self.at - self.limit)

    @rule(count=st.integers(1, 4))
    def undo(self, count):
        if count > self.at - self.floor:
            self._refused(lambda: self.game.undo(count))
            return
        done = self.game.undo(count)
        assert [played.action for played in done] == self.tokens[self.at - count : self.at][::-1]
        self.at -= count
        self.undos += count
        self.moves += count if self.words["undo_counts"] == "yes" else -count
        if self.refund:
            self.score = self.points[self.at]

    @rule(count=st.integers(1, 4))
    def redo(self, count):
        if count > len(self.tokens) - self.at:
            self._refused(lambda: self.game.redo(count))
            return
        done = self.game.redo(count)
        assert [played.action for played in done] == self.tokens[self.at : self.at + count]
        for _ in range(count):
            self._forward()
        if self.refund:
            self.score = self.points[self.at]

    @rule()
    def illegal(self):
        token = self.rng.choice(UNIVERSE)
        if token not in self.oracles[self.at].legal():
            self._refused(lambda: self.game.play(token))

    def _refused(self, act):
        before = (self.game.position, self.game.done, self.game.undone, self.game.points, self.game.moves)
        with pytest.raises((IllegalMove, NothingThere)) as caught:
            act()
        assert caught.value.status == 1
        assert caught.value.hint
        assert before == (
            self.game.position,
            self.game.done,
            self.game.undone,
            self.game.points,
            self.game.moves,
        )

    @rule()
    def restart(self):
        again = self.game.restarted()
        assert format_position(again.position) == self.oracles[0].line()
        assert (again.moves, again.undos, again.done, again.undone) == (0, 0, [], [])
        assert again.points == self.points[0]

    @rule()
    def restore(self):
        """The same game from what a save holds of it; it goes on as this one would."""
        old = self.game
        self.game = Game.restored(
            old.start, old.deal, old.clock, old.done + old.undone,
            undone=len(old.undone), undos=old.undos, floor=old.floor, points=old.points,
        )  # fmt: skip

    @invariant()
    def it_stands_where_the_model_does(self):
        oracle, game = self.oracles[self.at], self.game
        assert_agree(game.position, oracle)
        assert oracle.all_cards() == WHOLE_PACK
        assert game.position.faults() == []
        assert game.done == self.tokens[: self.at]
        assert game.undone == self.tokens[self.at :]

    @invariant()
    def its_counts_are_those_of_the_model(self):
        game = self.game
        assert (game.moves, game.undos, game.floor) == (self.moves, self.undos, self.floor)
        assert game.points == self.score
        assert game.undoable == self.at - self.floor

    @invariant()
    def the_actions_done_lead_here_from_the_start(self):
        position = self.game.start
        for token in self.game.done:
            position, _ = position.apply(token)
        assert position == self.game.position


GameMachine.TestCase.settings = settings(max_examples=2 * settings().max_examples, stateful_step_count=25)
test_a_game_is_what_the_model_of_it_is = GameMachine.TestCase


@pytest.mark.parametrize("name", PRESETS)
@given(rng=rngs())
@settings(max_examples=settings().max_examples // 12)
def test_undoing_all_there_is_and_redoing_it_comes_back(name, rng):
    words = PRESETS[name]
    game = Game(engine_of(Oracle.deal(shuffled(rng), words)))
    lines = [format_position(game.position)]
    for _ in range(130):
        token = choose(rng, game.position.legal(), TASTES[0])
        if token is None:
            break
        game.play(token)
        lines.append(format_position(game.position))
    points, reach = game.points, game.undoable
    limit = 130 if words["undo_limit"] == "unlimited" else words["undo_limit"]
    assert reach == min(limit, len(lines) - 1)
    for line in reversed(lines[len(lines) - 1 - reach : -1]):
        game.undo()
        assert format_position(game.position) == line
    with pytest.raises(NothingThere):
        game.undo()
    game.redo(reach)
    assert format_position(game.position) == lines[-1]
    assert game.points == points
