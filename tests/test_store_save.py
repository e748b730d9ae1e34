"""Saves as text: what is written is read back the same, and nothing else is believed."""

import copy
import json
import os

import jsonschema
import pytest
from games import begin, facts, games, play_on
from hypothesis import given
from hypothesis import strategies as st
from strategies import rngs

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.errors import SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import OPTIONS, PRESETS, preset
from canfield_cli.store import save as save_module
from canfield_cli.store.save import format_save, parse_save, read_save

FOLDER = os.path.dirname(__file__)
SAVES = os.path.join(FOLDER, "data", "saves")
with open(
    os.path.join(os.path.dirname(save_module.__file__), "save.schema.json"), encoding="utf-8"
) as schema:
    SCHEMA = json.load(schema)
VALID = jsonschema.Draft202012Validator(SCHEMA)


def refusal(text):
    with pytest.raises(SaveError) as caught:
        parse_save(text)
    error = caught.value
    assert error.status == 3
    assert error.hint
    assert "\n" not in error.message
    assert not error.message.endswith(".")
    return str(error)


def sample(name="standard", seed=7, **options):
    """A game of 12 actions under `name`: redrawn, undone where that is possible."""
    game = Game.of(deal_seed(seed), preset(name, **options))
    game.clock = Clock(1_700_000_000.0)
    for number in range(12):
        game.play(game.position.legal()[-1] if number % 3 else game.position.legal()[0])
        game.clock.tick(1_700_000_010.5 + number)
    if game.rules.undo_limit != 0:
        game.undo(3)
        game.redo(1)
    return game


def changed(text, **values):
    return json.dumps({**json.loads(text), **values})


# There and back.


@given(games())
def test_a_save_is_read_back_as_the_same_game_in_every_respect(game):
    text = format_save(game)
    again = parse_save(text)
    assert facts(again) == facts(game)
    assert format_save(again) == text


@given(games(), rngs())
def test_a_loaded_game_goes_on_as_the_one_that_was_saved(game, rng):
    again = parse_save(format_save(game))
    state = rng.getstate()
    play_on(rng, game, 20)
    rng.setstate(state)
    play_on(rng, again, 20)
    assert facts(again) == facts(game)


def test_undo_reaches_no_further_back_after_loading_than_before():
    """The floor of undo only moves forward."""
    game = Game.of(deal_seed(7), preset("standard", undo_limit=3))
    for _ in range(8):
        game.play("draw")
    game.undo(3)
    again = parse_save(format_save(game))
    assert (again.floor, again.undoable) == (5, 0)
    again.play("draw")
    assert parse_save(format_save(again)).undoable == 1


def test_points_that_an_undo_left_are_saved():
    """undo_score keep: points given stay given, though the action is gone."""
    game = Game.of(deal_seed(7), preset("gilded", undo_score="keep"))
    while not (ups := [action for action in game.position.legal() if action.endswith("f")]):
        game.play(game.position.legal()[0])
    game.play(ups[0])
    game.undo()
    game.play("draw")
    assert (game.score, game.position.cards_up) == (5, 1)
    assert parse_save(format_save(game)).score == 5


@pytest.mark.parametrize("name", PRESETS)
def test_a_save_has_its_keys_on_a_line_each_in_a_fixed_order(name):
    text = format_save(sample(name))
    lines = text.splitlines()
    assert (lines[0], lines[-1]) == ("{", "}")
    assert [line.split('"')[1] for line in lines[1:-1]] == list(json.loads(text))
    assert list(json.loads(text)) == SCHEMA["required"]
    assert text.isascii()


def test_a_save_rewritten_by_another_program_is_the_same_save():
    """jq sorts keys, indents, and may write 0 for 0.0."""
    game = sample()
    data = json.loads(format_save(game))
    data["clock"]["begun"] = int(data["clock"]["begun"])
    assert facts(parse_save(json.dumps(data, indent=2, sort_keys=True))) == facts(game)


def test_a_preset_that_changes_later_does_not_change_a_saved_game(monkeypatch):
    text = format_save(sample("easy"))
    monkeypatch.setitem(PRESETS, "easy", PRESETS["classic"])
    assert parse_save(text).rules.draw == 1


# The schema.


@given(games())
def test_the_schema_holds_for_every_save(game):
    VALID.validate(json.loads(format_save(game)))


def test_the_schema_is_a_schema_and_knows_every_preset_and_option():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    rules = SCHEMA["$defs"]["rules"]
    assert rules["properties"]["preset"]["enum"] == list(PRESETS)
    assert rules["required"] == ["preset", *OPTIONS]


@pytest.mark.parametrize("number", range(11))
def test_the_schema_refuses_a_save_without_one_of_its_keys(number):
    data = json.loads(format_save(sample()))
    data.pop(SCHEMA["required"][number])
    assert not VALID.is_valid(data)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 3}, {"seed": -1}, {"seed": 2**35}, {"seed": "7"}, {"deal": None},
        {"deal": ["Qc"] * 52}, {"position": "7 ---- - -/-/-/- - - 0"}, {"actions": ["fly"]}, {"actions": ["11x1"]},
        {"actions": ["12x0"]}, {"actions": ["12"]}, {"undone": -1}, {"undone": 1.5}, {"counts": {}}, {"clock": {}},
        {"clock": {"begun": -1, "last": None, "seconds": 0}}, {"rules": {"preset": "standard"}}, {"state": {}},
        {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_the_schema_refuses_what_no_save_can_have(change):
    data = json.loads(format_save(sample()))
    assert VALID.is_valid(data)
    assert not VALID.is_valid({**data, **change})
    assert refusal(json.dumps({**data, **change}))


# Tampering.


def places(value, path=()):
    """The path to every single value in `value`."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))
    if not isinstance(value, dict | list) or not value:
        yield path


def others(value):
    """Values that could stand in the place of `value`, of its own type and of others."""
    yield from (
        x
        for x in (None, True, False, 0, 1, -1, 5, 1.5, 10**9, "", "x", "Ac", "draw", "wf", [], {}, [0])
        if json.dumps(x) != json.dumps(value)
    )
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, value + 5, str(value))
    elif isinstance(value, str):
        yield from (value + " ", value.upper() + "X", value[:-1])


def loads(text):
    try:
        parse_save(text)
    except SaveError:
        return False
    return True


def put(data, path, value):
    data = copy.deepcopy(data)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


#: What nobody can know: when the game was begun and last played, and which actions were undone.
UNKNOWABLE = (("clock", "begun"), ("clock", "last"), ("actions", 10), ("actions", 11))


@pytest.mark.parametrize("name", ["standard", "modern", "casino"])
def test_a_save_in_which_any_one_value_was_changed_is_refused(name):
    data = json.loads(format_save(sample(name)))
    tried = 0
    for path in places(data):
        old = data
        for key in path:
            old = old[key]
        for value in others(old):
            if (
                (type(value) in (int, float) and type(old) in (int, float) and value == old)
                or path in UNKNOWABLE
                or path[:1] == ("tally",)
            ):
                continue
            text = json.dumps(put(data, path, value))
            tried += 1
            assert not loads(text), (path, old, value)
    assert tried > 2000


@given(games(), st.data())
def test_a_save_without_one_of_its_values_is_refused(game, data):
    save = json.loads(format_save(game))
    path = data.draw(st.sampled_from([path for path in places(save) if path]))
    broken = copy.deepcopy(save)
    inner = broken
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    refusal(json.dumps(broken))


def test_a_wrong_score_is_named_with_the_right_one():
    data = json.loads(format_save(sample()))
    text = changed(json.dumps(data), state={**data["state"], "score": 500})
    assert refusal(text) == f"the save says score 500, but its actions give {data['state']['score']}"


def test_a_pile_of_the_state_that_is_a_number_is_refused():
    data = json.loads(format_save(sample()))
    text = changed(json.dumps(data), state={**data["state"], "reserve": 5})
    assert refusal(text).startswith("the save says reserve 5, but its actions give ")


def test_an_illegal_action_is_named_by_its_number_and_the_reason():
    game = Game.of(deal_seed(7), preset("standard"))
    game.play("draw")
    text = changed(format_save(game), actions=["draw", "redeal"])
    assert refusal(text).startswith("action 2, `redeal`, can't be played: the stock ")


def test_what_is_no_action_is_named_by_its_number():
    text = changed(format_save(sample()), actions=["draw", "draw", "24x03"])
    assert refusal(text).startswith("action 3, `24x03`, can't be played: `24x03` is not an action")


def test_a_seed_that_gives_another_deal_is_refused():
    assert refusal(changed(format_save(sample()), seed=8)) == (
        "the deal in the save can't be used: the cards are not those of the seed beside them"
    )


def test_a_deal_with_a_card_twice_names_it_and_the_missing_one():
    cards = list(deal_seed(7).cards)
    twice, missing = cards[0], cards[1]
    cards[1] = twice
    message = refusal(changed(format_save(sample()), seed=None, deal=cards))
    assert f"{twice} twice" in message
    assert f"no {missing}" in message


COUNT_FAULTS = {
    "more undone than undos": ("standard", {"undos": 0}),
    "no such undo": ("casino", {"undos": 1}),
    "points under refund": ("standard", {"points": 500}),
    "points that nothing gives": ("modern", {"points": 5}),
    "points that are no multiple": ("gilded-keep", {"points": 7}),
    "points from too few undos": ("gilded-keep", {"points": 5000}),
    "a floor beyond what was done": ("standard", {"floor": 100}),
    "a floor without a limit": ("classic", {"floor": 1}),
}


@pytest.mark.parametrize("case", COUNT_FAULTS)
def test_counts_that_can_not_be_are_refused(case):
    name, change = COUNT_FAULTS[case]
    game = sample("gilded", undo_score="keep") if name == "gilded-keep" else sample(name)
    data = json.loads(format_save(game))
    message = refusal(json.dumps({**data, "counts": {**data["counts"], **change}}))
    assert message.startswith(("there can't have been", "there can't be", "the first "))


# Bad input: each its own sentence.

GOOD = format_save(sample())
BAD = {
    "empty": ("", "the save is empty"),
    "blank": (" \n\n", "the save is empty"),
    "no JSON": ("hello", "the save is not JSON, see line 1, column 1"),
    "broken": (GOOD.replace('"version": 2', '"version": '), "the save is not JSON, see line 3, column 12"),
    "more after it": (GOOD + "{}", "the save goes on after its end, see line 15, column 1"),
    "a byte order mark": ("\ufeff" + GOOD, "the save is not JSON, see line 1, column 1"),
    "a list": ("[]", "this is JSON, but not a save of canfield"),
    "another object": ("{}", "this is JSON, but not a save of canfield"),
    "another format": (changed(GOOD, format="x"), "this is JSON, but not a save of canfield"),
    "a later version": (changed(GOOD, version=3), "the save is of version 3, it was written by a later version of"
                        " canfield"),
    "no version": (changed(GOOD, version=None), "the save does not say its version"),
    "version 0": (changed(GOOD, version=0), "the save does not say its version"),
    "version true": (changed(GOOD, version=True), "the save does not say its version"),
    "unknown key": (changed(GOOD, colour=1), "the save has the key `colour`, which means nothing there"),
    "a key twice": (GOOD.replace('"undone"', '"undone": 1,\n"undone"'), "the save has the key `undone` twice"),
    "a key twice inside": (GOOD.replace('"floor"', '"floor": 1, "floor"', 1), "the save has the key `floor` twice"),
    "NaN": (GOOD.replace('"undone": 2', '"undone": NaN'), "the save says NaN, which is not a number"),
    "-Infinity": (GOOD.replace('"undone": 2', '"undone": -Infinity'), "the save says -Infinity, which is not a number"),
    "1e999": (GOOD.replace('"undone": 2', '"undone": 1e999'), "the save has the number `1e999`, which is too large"),
    "10,000 digits": (GOOD.replace('"undone": 2', '"undone": ' + "9" * 10_000),
                      "the save has a number of 10000 digits, `999999999999999` and so on"),
    "nested 10,000 deep": (GOOD.replace('"undone": 2', '"undone": ' + "[" * 10_000 + "]" * 10_000),
                           "the save is nested too deeply"),
    "nested and cut": ("[" * 100_000, "the save is nested too deeply"),
    "a truth value": (changed(GOOD, undone=True), "`undone` in the save is not a whole number from 0, but `true`"),
    "a fraction": (changed(GOOD, undone=2.0), "`undone` in the save is not a whole number from 0, but 2.0"),
    "a text": (changed(GOOD, undone="2"), '`undone` in the save is not a whole number from 0, but `"2"`'),
    "actions of numbers": (changed(GOOD, actions=[1]), "`actions` in the save is not a list of texts, but `[1]`"),
    "actions in one text": (changed(GOOD, actions="wf"), '`actions` in the save is not a list of texts, but `"wf"`'),
    "actions in a number": (changed(GOOD, actions=5), "`actions` in the save is not a list of texts, but 5"),
    "a seed without a deal": (changed(GOOD, deal=None, seed=7, position="A KKKQ - Ks/-/-/- - - 0"),
                              "the save must have either a deal or a position, and a seed only for a deal"),
    "cut in line 3": (GOOD[: GOOD.index('"rules"') - 3], "the save is cut off, it ends early in line 3"),
    "no deal": (changed(GOOD, deal=None, seed=None), "the save must have either a deal or a position, and a seed only"
                " for a deal"),
    "a preset that is not there": (GOOD.replace('"standard"', '"hard"'),
                                   'the rules in the save name `"hard"`, which is no preset'),
    "a preset of no text": (GOOD.replace('"standard"', '[]'),
                            'the rules in the save name `[]`, which is no preset'),
    "an unknown option": (GOOD.replace('"draw": 3', '"draw": 3, "jokers": 2'),
                          "the rules in the save can't be used: there is no rule option `jokers`"),
    "an option out of range": (GOOD.replace('"draw": 3', '"draw": 2'),
                               "the rules in the save can't be used: `2` is no value of `draw`"),
    "an option as text": (GOOD.replace('"draw": 3', '"draw": "3"'),
                          'the rules in the save say draw `"3"`, which is written 3'),
    "a seed out of range": (changed(GOOD, seed=2**35), "the deal in the save can't be used: the cards are "
                            "not those of the seed beside them"),
    "a foul position": (changed(GOOD, seed=None, deal=None, position="7 ---- - -/-/-/- - - 0"),
                        "the position in the save can't stand in a game: Ac is missing"),
    "a position written otherwise": (
        changed(GOOD, seed=None, deal=None, position="a kkkq - ks/-/-/- - - 0"),
        "the position in the save is not written as it should be",
    ),
    "no position": (changed(GOOD, seed=None, deal=None, position="nowhere"),
                    "the position in the save can't be read: a position line has 7 fields, not 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_a_sentence(case):
    text, sentence = BAD[case]
    assert text != GOOD
    assert refusal(text) == sentence


def test_control_characters_of_a_save_never_reach_the_terminal():
    message = refusal(changed(GOOD, **{"\x1b[31m{Qc}": 1}))
    assert "\x1b" not in message
    assert "{" not in message


def test_a_save_cut_anywhere_is_said_to_end_early():
    whole = GOOD.rstrip()
    for end in range(1, len(whole)):
        assert refusal(whole[:end]).startswith("the save is cut off, it ends early in line "), whole[:end]


@given(st.integers(0, len(GOOD) - 1), st.characters(codec="utf-8"))
def test_a_save_with_any_character_changed_is_refused_or_loads_soundly(at, character):
    text = GOOD[:at] + character + GOOD[at + 1 :]
    try:
        game = parse_save(text)
    except SaveError:
        return
    assert game.done == sample().done


def test_reading_the_form_alone_does_not_play_the_game():
    data = read_save(changed(GOOD, actions=["redeal"]))
    assert data["actions"] == ["redeal"]


def test_a_deal_without_a_seed_keeps_its_cards():
    game = Game.of(Deal(reversed(deal_seed(1).cards)), preset("easy"))
    again = parse_save(format_save(game))
    assert again.deal == game.deal
    assert again.deal.seed is None


@given(rngs())
def test_a_game_from_the_middle_begins_at_its_position(rng):
    game = begin(rng, preset("standard"))
    assert parse_save(format_save(game)).start == game.start


# Golden saves, never edited.


def golden():
    return sorted(os.listdir(SAVES)) if os.path.isdir(SAVES) else []


#: The presets that there were when a version began.
FIRST = ["casino", "classic", "easy", "gilded", "modern", "published", "standard"]


def test_there_is_a_golden_save_of_each_version_and_preset():
    names = [("v1", name) for name in FIRST] + [("v2", name) for name in PRESETS]
    assert golden() == sorted(f"{version}-{name}.json" for version, name in names)


@pytest.mark.parametrize("name", golden())
def test_saves_of_every_version_load_for_ever(name):
    with open(os.path.join(SAVES, name), encoding="utf-8") as file:
        text = file.read()
    game = parse_save(text)
    version, _, rest = name.partition("-")
    assert rest == f"{game.rules.preset}.json"
    assert len(game.done) >= 20
    save = json.loads(text)
    assert version == f"v{save['version']}"
    if version == "v2":
        VALID.validate(save)
    # What is written is of the version of today, and says the same.
    assert facts(parse_save(format_save(game))) == facts(game)


def test_a_save_of_the_first_version_gets_an_id_that_never_changes():
    with open(os.path.join(SAVES, "v1-easy.json"), encoding="utf-8") as file:
        text = file.read()
    game = parse_save(text)
    # The instant at which it was begun, in thousandths of a second, in 16 hexadecimal digits.
    assert game.tally.id == format(int(json.loads(text)["clock"]["begun"] * 1000), "016x")
    assert parse_save(text).tally.id == game.tally.id
    assert (game.tally.helped, game.tally.hints, game.tally.player) == ("", 0, "")


TALLY = {
    "id": "0123456789abcdef", "player": "Ann", "daily": None, "restarts": 0, "hints": 0, "helped": "",
    "lost": None, "account": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"id": "0123"}, {"id": "0123456789ABCDEF"}, {"id": None}, {"player": "a\nb"}, {"player": " Ann"},
        {"player": "x" * 41}, {"player": 3}, {"daily": "2026-02-29"}, {"daily": "today"}, {"daily": 3},
        {"restarts": -1}, {"hints": 1.5}, {"hints": True}, {"helped": "yes"}, {"helped": None}, {"lost": -1},
        {"lost": 11}, {"lost": 99}, {"account": 5}, {"account": {"evening": 1, "paid": 2}},
        {"account": {"evening": 1.5, "paid": 2, "cost": 3}}, {"account": {"evening": 10**16, "paid": 2, "cost": 3}},
        {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_tally_that_can_not_be_is_refused(change):
    save = json.loads(format_save(sample()))
    save["tally"] = TALLY
    parse_save(json.dumps(save))
    save["tally"] = {**TALLY, **change}
    with pytest.raises(SaveError) as caught:
        parse_save(json.dumps(save))
    assert str(caught.value).isprintable()


def test_the_largest_values_of_a_tally_are_read():
    save = json.loads(format_save(sample()))
    money = 10**15 - 1
    save["tally"] = {**TALLY, "lost": 10, "account": {"evening": -money, "paid": money, "cost": money}}
    tally = parse_save(json.dumps(save)).tally
    assert (tally.lost, tally.account) == (10, (-money, money, money))


@pytest.mark.parametrize("key", ["begun", "last"])
def test_times_lie_between_1970_and_the_year_9999(key):
    data = json.loads(GOOD)
    latest = 253_402_300_799
    for time in (0, latest):
        game = parse_save(changed(GOOD, clock={**data["clock"], key: time}))
        assert getattr(game.clock, key) == time
    for time in (-1, -0.5, latest + 1):
        message = refusal(changed(GOOD, clock={**data["clock"], key: time}))
        assert message.startswith(f"`{key}` in `clock` of the save is not a time in seconds")
