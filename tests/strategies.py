"""What hypothesis draws for tests of the engine: rules, packs, positions of every kind, games."""

import random

from hypothesis import strategies as st
from oracle import RANKS, SUITS, Oracle, text_of

from canfield_cli.engine.cards import PACK
from canfield_cli.engine.rules import OPTIONS, PRESETS

#: How much a player of random games likes each kind of action; one row for a game.
TASTES = (
    {"up": 1, "reserve": 1, "waste": 1, "turn": 1, "shift": 1, "back": 1},
    {"up": 9, "reserve": 9, "waste": 3, "turn": 2, "shift": 1, "back": 0},
    {"up": 2, "reserve": 9, "waste": 6, "turn": 2, "shift": 2, "back": 1},
)


def option_sets():
    """Every set of rule options that there is, as words."""
    limits = st.one_of(st.just("unlimited"), st.integers(0, 5))
    values = {
        name: limits if option.number else st.sampled_from(list(option.values))
        for name, option in OPTIONS.items()
    }
    return st.fixed_dictionaries(values)


def rule_words():
    """The options of a preset, or any set of options; numbers are numbers."""
    return st.one_of(st.sampled_from(list(PRESETS.values())), option_sets().map(_with_numbers))


def _with_numbers(words):
    return {name: int(word) if str(word).isdigit() else word for name, word in words.items()}


def rngs():
    """A source of chance that one drawn number fixes."""
    return st.integers(0, 2**32 - 1).map(random.Random)


def shuffled(rng):
    pack = list(PACK)
    rng.shuffle(pack)
    return pack


def kind_of_action(token):
    if token in ("draw", "redeal"):
        return "turn"
    if token[0] == "f":
        return "back"
    if token[-1] == "f":
        return "up"
    return {"r": "reserve", "w": "waste"}.get(token[0], "shift")


def choose(rng, tokens, taste):
    """Take one of `tokens` by taste, or None where there is none to the taste."""
    weights = [taste[kind_of_action(token)] for token in tokens]
    return rng.choices(tokens, weights)[0] if any(weights) else None


def sound_position(rng, words):
    """Any position that the rules don't exclude, the late ones as often as the early: an Oracle."""
    while True:
        if position := _try_position(rng, words):
            return position


def _try_position(rng, words):
    position = Oracle(words)
    position.base = rng.choice(RANKS)
    least, most = rng.choice(((0, 2), (0, 6), (0, 13), (12, 13)))
    for suit in SUITS:
        ranks = [RANKS[(RANKS.index(position.base) + i) % 13] for i in range(rng.randint(least, most))]
        position.foundations[suit] = [(rank, suit) for rank in ranks]
    if words["takeback"] == "no" and not position.cards_up():
        return None
    up = [card for pile in position.foundations.values() for card in pile]
    left = [(name[0], name[1]) for name in shuffled(rng) if (name[0], name[1]) not in up]
    reserve_size = rng.choice((0, rng.randint(1, 13)))
    going_on = rng.choice((0.2, 0.6, 0.97, 1))
    for column in position.columns.values():
        if not left or (not reserve_size and rng.random() < 0.3):
            continue
        column.append(left.pop())
        while rng.random() < going_on and (fits := [c for c in left if position.builds(c, column[-1])]):
            column.append(fits[0])
            left.remove(fits[0])
    if reserve_size and not all(position.columns.values()):
        return None
    position.reserve, left = left[:reserve_size], left[reserve_size:]
    if len(left) > 34:
        return None
    cut = rng.choice((0, len(left), rng.randint(0, len(left))))
    position.stock, position.waste = left[:cut], left[cut:]
    most_redeals = 3 if words["redeals"] == "unlimited" else words["redeals"]
    position.redeals = rng.randint(0, most_redeals)
    return position


def hidden_shuffled(rng, position):
    """Another position, an Oracle, that its player can't tell from `position`."""
    other = Oracle.read(position.line(), position.words)
    hidden = other.reserve[:-1] + (other.stock if not other.redeals else [])
    rng.shuffle(hidden)
    cut = max(0, len(other.reserve) - 1)
    other.reserve[:-1] = hidden[:cut]
    if not other.redeals:
        other.stock = hidden[cut:]
    assert text_of(other.reserve[-1:]) == text_of(position.reserve[-1:])
    return other


def played_out(words, make):
    """A game won without taking a card back: `make(line)` begins one, and chance that is fixed plays it."""
    for seed in range(1000):
        rng = random.Random(seed)
        game = make(Oracle.deal(shuffled(rng), words).line())
        for _ in range(400):
            legal = [token for token in game.position.legal() if token[0] != "f"]
            if not legal:
                break
            game.play(next((token for token in legal if token[-1] == "f"), None) or rng.choice(legal))
        if game.position.won:
            return game
    raise AssertionError("no game of a thousand was won")
