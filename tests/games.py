"""Whole games for tests of saves and records: played at random, undone and redone, under any rules."""

from hypothesis import strategies as st
from strategies import TASTES, choose, option_sets, rngs, shuffled, sound_position

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.errors import NothingThere
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.engine.tally import HELPED, Tally

#: How the random players go about it: how often they play, undo and redo.
HABITS = ((1, 0, 0), (6, 2, 2), (2, 1, 1), (8, 1, 0))


def begin(rng, rules):
    """A new game: of a number, of a shuffled pack, or from the middle of another."""
    kind = rng.randrange(3)
    if kind == 0:
        return Game.of(deal_seed(rng.randrange(2**35)), rules)
    if kind == 1:
        return Game.of(Deal(shuffled(rng)), rules)
    words = {name: word for name, word in rules.words().items() if name != "preset"}
    return Game(parse_position(sound_position(rng, words).line(), rules))


def play_on(rng, game, steps):
    """Play, undo and redo at random; a tick of the clock for each step that came about."""
    taste, habit = rng.choice(TASTES), rng.choice(HABITS)
    now = game.clock.begun
    for _ in range(steps):
        now += rng.choice((0.25, 3.5, 1000))
        step = rng.choices(("play", "undo", "redo"), habit)[0]
        try:
            if step == "play":
                if action := choose(rng, game.position.legal(), taste):
                    game.play(action)
            else:
                getattr(game, step)(rng.randint(1, 3))
        except NothingThere:
            continue
        game.clock.tick(now)
    return game


@st.composite
def games(draw):
    """A game under any preset or any set of options, at any point of it."""
    rng = draw(rngs())
    changes = draw(st.one_of(st.just({}), option_sets()))
    game = begin(rng, preset(draw(st.sampled_from(list(PRESETS))), **changes))
    game.clock = Clock(float(rng.randrange(4 * 10**9)))
    play_on(rng, game, draw(st.integers(0, 60)))
    game.tally = draw(tallies(len(game.done)))
    return game


def tallies(actions):
    """What may be noted of a game after so many actions."""
    money = st.integers(-(10**9), 10**9)
    return st.builds(
        Tally,
        id=st.text("0123456789abcdef", min_size=16, max_size=16) | st.just(""),
        player=st.sampled_from(["", "Ann", "Łukasz", "a b"]),
        daily=st.sampled_from([None, "2026-11-30", "2024-02-29"]),
        restarts=st.integers(0, 9),
        hints=st.integers(0, 999),
        helped=st.sampled_from(HELPED),
        lost=st.none() | st.integers(0, actions),
        account=st.none() | st.tuples(money, money, money),
    )


def facts(game):
    """Everything that there is to a game."""
    clock = game.clock
    return {
        "start": game.start,
        "deal": game.deal,
        "seed": game.deal and game.deal.seed,
        "rules": game.rules,
        "position": game.position,
        "done": game.done,
        "undone": game.undone,
        "points": game.points,
        "score": game.score,
        "moves": game.moves,
        "undos": game.undos,
        "floor": game.floor,
        "undoable": game.undoable,
        "tally": tuple(getattr(game.tally, name) for name in Tally.__slots__),
        "clock": (clock.begun, clock.last, clock.seconds),
    }
