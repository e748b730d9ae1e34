"""Records of games: readable, written and played back as a pair, and never believed."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from games import facts, games
from hypothesis import example, given
from hypothesis import strategies as st

from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import CodeError, DealError, SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.record import format_record, parse_record
from canfield_cli.engine.rules import PRESETS, preset

LAST = "A KKKQ - Ks/-/-/- - - 0"


def sample(name="standard"):
    game = Game.of(deal_seed(7), preset(name))
    for _ in range(25):
        game.play(game.position.legal()[0])
    return game


def refusal(text, kind=SaveError):
    with pytest.raises(kind) as caught:
        parse_record(text)
    assert caught.value.status == 3
    assert caught.value.hint
    assert "\n" not in caught.value.message
    return str(caught.value)


@given(games())
def test_a_record_is_played_back_as_the_same_game(game):
    """All but the undone actions, the tally, the last instant, and parts of a second of the first."""
    text = format_record(game)
    again = parse_record(text)
    untold = {
        "undone": [],
        "tally": facts(Game(game.start))["tally"],
        "clock": (game.clock.begun, None, game.clock.seconds),
    }
    assert facts(again) == {**facts(game), **untold}
    assert format_record(again) == text


@pytest.mark.parametrize("name", PRESETS)
def test_a_record_is_readable(name):
    game = sample(name)
    text = format_record(game)
    lines = text.splitlines()
    assert lines[0] == '[Game "canfield"]'
    assert f'[Preset "{name}"]' in lines
    assert f'[Code "{game.code}"]' in lines
    assert '[Moves "25"]' in lines
    assert f'[Base "{game.deal.cards[13]}"]' in lines
    assert f'[Columns "{" ".join(game.deal.cards[14:18])}"]' in lines
    assert [line[:5] for line in lines if line[:1] == " "] == ["  1. ", " 11. ", " 21. "]
    assert lines[-1] == "open"
    assert text.isascii()


def test_a_rule_that_differs_from_its_preset_is_in_the_record(monkeypatch):
    text = format_record(Game.of(deal_seed(7), preset("easy", runs="whole", redeals=2)))
    assert "draw 1, runs whole" in text
    assert "redeals 2" in text
    monkeypatch.setitem(PRESETS, "easy", PRESETS["casino"])
    again = parse_record(text).rules
    assert (again.draw, again.runs, again.redeals, again.undo_limit) == (1, "whole", 2, 100)


def test_a_won_game_and_one_from_the_middle_say_so():
    game = Game(parse_position(LAST, preset("classic")), clock=Clock(0.0, None, 200.5))
    game.play("1f")
    text = format_record(game)
    assert f'[Position "{LAST}"]' in text
    assert '[Result "won"]' in text
    # Scoring bonus: 52 cards of 5, 500 for the win, 1,200 less a second each.
    assert f'[Score "{52 * 5 + 500 + 1000}"]' in text
    assert parse_record(text).score == 1760
    assert text.endswith("\n  1. 1f\n\nwon\n")


def test_only_game_preset_and_deal_must_be_there_and_any_notation_will_do():
    text = f"""[Game "canfield"] ; typed by hand
[Preset "easy"]

  [ Position  "{LAST}" ]
{{ the last card
  goes up }} 1.Ks-f won
"""
    assert parse_record(text).done == ["1f"]
    assert parse_record(text).clock.begun == 0


def test_a_byte_order_mark_is_passed_over():
    assert facts(parse_record("\ufeff" + format_record(sample()))) == facts(
        parse_record(format_record(sample()))
    )


def test_the_largest_numbers_are_read():
    assert parse_record(edited(('"0.0"', '"253402300799"'))).clock.seconds == 253_402_300_799
    assert parse_record(edited(('[Undos "0"]', '[Undos "999999999999999"]'))).undos == 10**15 - 1


def test_a_later_version_is_told_from_this_one():
    with pytest.raises(SaveError) as caught:
        parse_record(edited(('"1"', '"2"')))
    assert caught.value.hint == "this one reads version 1"


def test_a_record_has_ten_thousand_actions_at_most():
    game = Game.of(deal_seed(7), preset())
    for _ in range(10_000):
        game.play(game.position.legal()[0])
    text = format_record(game)
    assert parse_record(text).done == game.done
    assert (
        refusal(text.replace("\nopen", f" {game.position.legal()[0]}\nopen"))
        == "the record has more than 10,000 actions"
    )


def test_numbers_may_be_left_out_and_comments_stand_anywhere():
    game = sample()
    head = format_record(game).split("\n\n")[0]
    words = " {and so on}\n".join(game.done)
    assert parse_record(f"{head}\n; all of it\n{words} ; {{ not a comment\nopen").done == game.done


@given(st.integers(0, 253_402_300_799))
@example(951_782_400)  # 29 February 2000
@example(4_107_542_400)  # 1 March 2100: no leap year
def test_dates_are_those_of_the_calendar(seconds):
    game = Game.of(deal_seed(7), preset())
    game.clock = Clock(float(seconds))
    text = format_record(game)
    assert f'[Date "{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"]' in text
    assert parse_record(text).clock.begun == seconds


def test_every_month_begins_and_ends_as_the_calendar_has_it():
    game = Game.of(deal_seed(7), preset())
    for first in (
        datetime(year, month, 1, tzinfo=UTC) for year in (1970, 2000, 2001) for month in range(1, 13)
    ):
        begins = int(first.timestamp())
        for seconds in (begins, begins + 13 * 3600, max(0, begins - 1)):
            game.clock = Clock(float(seconds))
            text = format_record(game)
            assert f'[Date "{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"]' in text
            assert parse_record(text).clock.begun == seconds


def edited(*changes):
    text = format_record(sample())
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


BAD = {
    "empty": ("", "this is not the record of a game of canfield"),
    "another game": (edited(("canfield", "klondike")), "this is not the record of a game of canfield"),
    "a later version": (edited(('"1"', '"2"')), "the record was written by a later version of canfield"),
    "no preset": (edited(('[Preset "standard"]\n', "")), "the record has no tag Preset"),
    "an unknown preset": (edited(("standard", "hard")), "the record can't be read: there is no preset `hard`"),
    "an unknown option": (edited(("draw 3", "jokers 3")), "`jokers 3` is no rule option, or is there twice"),
    "an option twice": (edited(("draw 3", "draw 3, draw 3")), "` draw 3` is no rule option, or is there twice"),
    "an option's value": (edited(("draw 3", "draw 2")), "the record can't be read: `2` is no value of `draw`"),
    "a tag twice": (edited(('[Moves "25"]', '[Moves "25"]\n[Moves "25"]')), "the record has the tag Moves twice"),
    "an unknown tag": (edited(("[Moves", "[Mvoes")), 'line 7 of the record is no tag, `[Mvoes "25"]`'),
    "a broken tag": (edited(('"25"]', '"25')), 'line 7 of the record is no tag, `[Moves "25`'),
    "other moves": (edited(('"25"', '"24"')), "the record says Moves `24`, but its actions give 25"),
    "no number": (edited(('"25"', '"many"'), ('[Undos "0"]', '[Undos "x"]')), "`x` is not a number for the tag Undos"),
    "a long number": (edited(('[Undos "0"]', f'[Undos "{"9" * 10_000}"]')),
                      f"`{'9' * 60}...` is not a number for the tag Undos"),
    "more points": (edited(('[Score "0"]', '[Score "5"]')), "there can't be 5 points, the actions give 0"),
    "undos that can't be": (edited(('[Undos "0"]', '[Undos "-1"]')), "there can't have been -1 undos"),
    "a wrong result": (edited(('"open"', '"won"')), "the record says Result `won`, but its actions give open"),
    "a wrong end": (edited(("\nopen", "\nwon")), "the record says result at the end `won`, but its actions give open"),
    "no end": (edited(("\nopen", "")), "the record ends early, without a result"),
    "a comment that is not closed": (edited(("  1. ", "  1. {")), "the record ends early, without a result"),
    "something after the end": (edited(("\nopen", "\nopen fly")), "the record goes on after its result, `fly`"),
    "a tag after the actions": (edited(("\nopen", '\n[Position "x"]\nopen')), "line 22 of the record is no tag, `[Position"),
    "no digit": (edited(('[Undos "0"]', '[Undos "²"]')), "`²` is not a number for the tag Undos"),
    "as many undos as there is room for": (edited(('[Undos "0"]', f'[Undos "{10**15}"]')),
                                           f"`{10**15}` is not a number for the tag Undos"),
    "a missing line": (edited((" 21. ", " 31. ")), "the record says `31.` where action 21 follows"),
    "an illegal action": (edited(("  1. draw ", "  1. draw redeal ")),
                                    "action 2, `redeal`, can't be played: the stock "),
    "no action": (edited((" 11. ", " 11. fly ")), "action 11, `fly`, can't be played: `fly` is not an action"),
    "no date": (edited(("1970-01-01", "1970-02-30")), "`1970-02-30T00:00:00Z` is not a date"),
    "a day alone": (edited(("T00:00:00Z", "")), "`1970-01-01` is not a date"),
    "a date of many digits": (edited(("1970-", "01970-")), "`01970-01-01T00:00:00Z` is not a date"),
    "a date before all": (edited(("1970-01-01", "1969-12-31")), "`1969-12-31T00:00:00Z` is not a date"),
    "a date in letters": (edited(("1970-01-01", "today")), "`todayT00:00:00Z` is not a date"),
    "no time": (edited(('"0.0"', '"nan"')), "`nan` is not a time in seconds"),
    "a time in letters": (edited(('"0.0"', '"long"')), "`long` is not a time in seconds"),
    "no stock": (edited(("[Stock", "; [Stock")), "the record has no tag Stock"),
    "a card too few": (edited(('[Columns "Tc ', '[Columns "')), "the tag Columns has 3 cards, not 4"),
    "what is no card": (edited(('[Columns "Tc ', '[Columns "Xx ')), "the record can't be read: `Xx` is not a card"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_record_is_refused_in_a_sentence(case):
    text, sentence = BAD[case]
    assert refusal(text).startswith(sentence)


@pytest.mark.parametrize(
    "date",
    [
        "1970-0x-01T00:00:00Z", "1970-0²-01T00:00:00Z", f"{'9' * 5000}-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "1969-12-31T23:59:59Z", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-01-01T24:00:00Z", "",
    ],
    ids=lambda date: date[:25],
)  # fmt: skip
def test_what_is_no_date_is_refused(date):
    assert "is not a date" in refusal(edited(("1970-01-01T00:00:00Z", date)))


def test_a_deal_with_a_card_twice_is_refused():
    assert "Tc twice" in refusal(edited(('"Tc 2h', '"Tc Tc')), DealError)


def test_a_code_of_another_deal_is_refused():
    code, other = sample().code, Game.of(deal_seed(8), preset()).code
    message = refusal(edited((code, other)))
    assert message == "the record's code is of another deal than its cards"
    refusal(edited((code, "CAN-D3-XXXX")), CodeError)


def test_a_code_of_another_draw_is_refused():
    code, other = sample().code, Game.of(deal_seed(7), preset("easy")).code
    assert refusal(edited((code, other))).startswith("the record says Code ")


def test_a_foul_position_is_refused():
    text = f'[Game "canfield"]\n[Preset "easy"]\n[Position "{LAST.replace("KKKQ", "KKKJ")}"]\nopen'
    assert refusal(text) == "the position of the record can't stand in a game: Qs is missing"


@given(st.integers(0, 10_000), st.characters(codec="utf-8"))
def test_a_record_with_any_character_changed_is_refused_or_plays_back_the_same_deal(at, character):
    game = sample()
    text = format_record(game)
    at %= len(text)
    # Anything else that is raised fails the test.
    with suppress(SaveError, DealError):
        again = parse_record(text[:at] + character + text[at + 1 :])
        assert (again.deal, again.moves) == (game.deal, game.moves)


def test_a_long_text_is_read_in_time():
    """1 MiB of whatever the parser could stumble over."""
    for piece in ("{", "{}", ";", "[", ' "', "1. "):
        refusal('[Game "canfield"]\n' + piece * (2**20 // len(piece)))
