"""Sound games, from which hostile input is made, and what must hold of all that comes out of a reader."""

from canfield_cli.engine.cards import PACK
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import SEEDS, Deal, deal_daily, deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.jsontext import write_json
from canfield_cli.engine.rules import OPTIONS, PRESETS, preset
from canfield_cli.engine.tally import HELPED, Tally
from canfield_cli.store.entry import OUTCOMES, Entry
from canfield_cli.store.save import format_save, parse_save

#: A Monday noon in UTC, 2026-11-30.
NOON = 1796040000.0


def assert_printable(text, but=""):
    """Hold what goes to a terminal to letters that it shows; those of `but` may stand in it too."""
    odd = {letter for letter in set(text).difference(but) if not letter.isprintable()}
    assert not odd, f"{sorted(odd)!r} in {text[:500]!r}"


def assert_harmless(error):
    """Hold a refusal to its form: a sentence and a hint on one line each, and not pages of them."""
    for text in (str(error), error.hint):
        assert_printable(text)
        assert len(text) < 4000, f"{len(text)} letters"
    assert str(error)
    # What a program is told is JSON, and that is ASCII.
    write_json(error.data)


def sound_rules(rng):
    rules = preset(rng.choice(list(PRESETS)))
    if rng.random() < 0.3:
        option = rng.choice(list(OPTIONS.values()))
        words = [*option.values, *(["0", "2", "7"] if option.number else [])]
        rules = rules.replace(**{option.name: rng.choice(words)})
    return rules


def sound_pack(rng):
    pack = list(PACK)
    rng.shuffle(pack)
    return pack


def sound_deal(rng):
    """A deal from a pack or from a seed."""
    pack = sound_pack(rng)
    return rng.choice((Deal(pack), deal_seed(rng.randrange(SEEDS))))


def sound_game(rng, most=40):
    """A game of any rules, from a seed, a pack or a position, at any point of it."""
    rules = sound_rules(rng)
    game = Game.of(sound_deal(rng), rules)
    game.clock = Clock(NOON - rng.randrange(10**6))
    play_on(rng, game, rng.randrange(most))
    if rng.random() < 0.2:
        game = Game(game.position)
        play_on(rng, game, rng.randrange(9))
    game.tally = Tally(
        f"{rng.getrandbits(64):016x}",
        rng.choice(("", "Ann", "Łukasz")),
        rng.choice((None, "2026-11-30")),
        rng.randrange(3),
        rng.randrange(3),
        rng.choice(HELPED),
        rng.choice((None, len(game.done))),
        rng.choice((None, (-50, 0, 50))),
    )
    return game


def play_on(rng, game, steps):
    """Play so many steps at random, some of them back and forth again."""
    now = game.clock.begun
    for _ in range(steps):
        now += rng.choice((0.25, 3.5, 1000))
        legal = game.position.legal()
        if game.undoable and rng.random() < 0.15:
            game.undo(rng.randint(1, min(3, game.undoable)))
        elif game.undone and rng.random() < 0.5:
            game.redo()
        elif legal:
            game.play(rng.choice(legal))
        else:
            break
        game.clock.tick(now)


def sound_entry(rng):
    """What is recorded of a game."""
    rules = sound_rules(rng)
    day = rng.choice((None, None, "2026-11-30", "2026-11-29"))
    game = Game.of(deal_daily(day, rules.preset) if day else deal_seed(rng.randrange(SEEDS)), rules)
    game.clock = Clock(NOON - rng.randrange(10**6))
    game.tally = Tally(f"{rng.getrandbits(64):016x}", rng.choice(("", "Ann")), day, helped=rng.choice(HELPED))
    for _ in range(rng.randrange(1, 30)):
        if legal := game.position.legal():
            game.play(rng.choice(legal))
            game.clock.tick(game.clock.begun + len(game.done))
    return Entry.of(game, rng.choice(OUTCOMES[:3]))


def facts(game):
    """Everything that there is to a game."""
    return (
        game.start, game.deal, game.rules, game.position, game.done, game.undone, game.points, game.moves, game.undos,
        game.floor, game.clock.begun, game.clock.last, game.clock.seconds,
        [getattr(game.tally, name) for name in Tally.__slots__],
    )  # fmt: skip


def assert_kept(game):
    """A game that was taken can be written and is the same when it is read."""
    assert not game.position.faults()
    text = format_save(game)
    again = parse_save(text)
    assert facts(again) == facts(game)
    assert format_save(again) == text
