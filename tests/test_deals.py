"""Deals: their order, our generator (vectors and fairness), the deal of the day, PySolFC's games."""

from __future__ import annotations

import datetime
import hashlib
import json
import random
from collections import Counter
from itertools import islice, pairwise
from operator import eq
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canfield_cli.engine.cards import PACK, Card
from canfield_cli.engine.deal import (
    SEEDS,
    Deal,
    deal_daily,
    deal_pysol,
    deal_seed,
    deal_verified,
    shuffled,
    split_mix,
)
from canfield_cli.engine.errors import DealError, RulesError, UsageError
from canfield_cli.engine.rules import PRESETS, preset

DOC = (Path(__file__).parent.parent / "docs" / "deals.md").read_text(encoding="utf-8")
PYSOL = {
    number: deal
    for name in ("pysol-deals.json", "microsoft-deals.json")
    for number, deal in json.loads((Path(__file__).parent / "data" / name).read_text("utf-8"))[
        "deals"
    ].items()
}
RULES = preset()
SEED = st.integers(0, 2**35 - 1)
#: More digits than Python turns into text.
HUGE = pytest.param(10**5000, id="huge")


def rows(header: str) -> list[list[str]]:
    """Return the rows of the table of docs/deals.md that has this header."""
    _, found, table = DOC.partition(f"{header}\n")
    assert found, header
    lines = table.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# The order of dealing.


def test_a_deal_lies_as_the_rules_say() -> None:
    """Reserve of 13, its last card playable; base card up; four columns; the 19th card is turned first."""
    start = Deal(PACK).position(RULES)
    assert start.reserve == PACK[:13]
    assert (start.base, start.foundations) == (0, (0, 1, 0, 0))
    assert start.columns == (("2d",), ("3d",), ("4d",), ("5d",))
    assert start.stock[-3:] == ("8d", "7d", "6d")
    assert (len(start.stock), start.stock[0], start.waste, start.redeals) == (34, "Ks", (), 0)
    first_draw, _ = start.apply(start.legal()[0])
    assert first_draw.waste == ("6d", "7d", "8d")


@given(st.permutations(PACK))
def test_every_order_of_the_pack_is_a_sound_deal(cards: list[Card]) -> None:
    deal = Deal(cards)
    assert deal.position(RULES).faults() == []
    assert deal == Deal(tuple(cards))
    assert hash(deal) == hash(Deal(tuple(cards)))


@pytest.mark.parametrize("deal", [Deal(PACK), deal_seed(7)], ids=["cards", "seed"])
def test_the_repr_of_a_deal_can_be_pasted(deal: Deal) -> None:
    again = eval(repr(deal))
    assert (again, again.seed) == (deal, deal.seed)


def test_a_deal_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Deal(PACK).seed = 3


def test_deals_are_equal_when_their_cards_are() -> None:
    assert Deal(deal_seed(7).cards) == deal_seed(7)
    assert deal_seed(7) != deal_seed(8)
    assert deal_seed(7) != deal_seed(7).cards


@pytest.mark.parametrize(
    ("cards", "named", "twice", "missing"),
    [
        (["Ks", *PACK[1:]], ["Ks twice", "no Ac"], ["Ks"], ["Ac"]),
        ([*PACK, "Ks"], ["53 cards instead of 52", "Ks twice"], ["Ks"], []),
        (PACK[:50], ["50 cards instead of 52", "no Qs, no Ks"], [], ["Qs", "Ks"]),
        (PACK[5:], ["no Ac, no 2c, no 3c, no 4c, no 5c"], [], list(PACK[:5])),
        (PACK[6:], ["no Ac, no 2c, no 3c, no 4c, no 5c and 1 more"], [], list(PACK[:6])),
        (PACK * 2, ["Ac twice, 2c twice, 3c twice, 4c twice, 5c twice and 47 more"], list(PACK), []),
        (["Qs", "Qs", *PACK[2:]], ["Qs 3 times", "no Ac, no 2c"], ["Qs"], ["Ac", "2c"]),
        (["Xx", *PACK[1:]], ["`Xx`, which is not a card", "no Ac"], [], ["Ac"]),
    ],
)
def test_a_wrong_pack_is_refused_naming_every_wrong_card(
    cards: list[Card], named: list[str], twice: list[str], missing: list[str]
) -> None:
    with pytest.raises(DealError) as caught:
        Deal(cards)
    assert all(text in str(caught.value) for text in named)
    assert caught.value.data == {"twice": twice, "missing": missing}
    assert caught.value.status == 3


def test_of_many_words_that_are_no_cards_one_is_named() -> None:
    with pytest.raises(DealError) as caught:
        Deal(["Xx", "Yy", *PACK[2:]])
    assert "`Xx`, which is not a card" in str(caught.value)
    assert "Yy" not in str(caught.value)


# Our generator.


def deal_by_the_words(seed: int) -> list[str]:
    """Make the deal of `seed` from what docs/deals.md says, sharing nothing with the program."""
    pack = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    outputs_taken = 0

    def output() -> int:
        nonlocal outputs_taken
        outputs_taken += 1
        z = (seed + outputs_taken * 11400714819323198485) % 18446744073709551616
        z = (z ^ z // 2**30) * 13787848793156543929 % 18446744073709551616
        z = (z ^ z // 2**27) * 10723151780598845931 % 18446744073709551616
        return z ^ z // 2**31

    tail: list[str] = []
    while len(pack) > 1:
        chosen = output()
        while chosen >= 18446744073709551616 // len(pack) * len(pack):
            chosen = output()
        place = chosen % len(pack)
        moved = pack.pop()
        if place < len(pack):
            pack[place], moved = moved, pack[place]
        tail.append(moved)
    return [*pack, *reversed(tail)]


def test_split_mix_gives_its_published_outputs() -> None:
    assert list(islice(split_mix(1234567), 5)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(("seed", "cards"), rows("| seed | the deal |"))
def test_the_documented_deals_are_dealt(seed: str, cards: str) -> None:
    assert " ".join(deal_seed(int(seed)).cards) == cards
    assert " ".join(deal_by_the_words(int(seed))) == cards


def test_the_words_of_the_documentation_are_enough_to_make_a_deal() -> None:
    for seed in (*range(500), *range(SEEDS - 500, SEEDS)):
        assert list(deal_seed(seed).cards) == deal_by_the_words(seed)


@given(SEED)
def test_any_seed_gives_the_deal_of_the_documentation(seed: int) -> None:
    deal = deal_seed(seed)
    assert (list(deal.cards), deal.seed) == (deal_by_the_words(seed), seed)


@pytest.mark.parametrize("places", range(2, 53))
def test_outputs_that_favour_the_first_places_are_passed_over(places: int) -> None:
    """From the largest multiple of n up an output is refused; the one below it is taken (n - 1)."""
    multiple = 2**64 // places * places
    refused = [multiple, 2**64 - 1] if multiple < 2**64 else []
    # Output n - 1 leaves the card at place n - 1 where it is.
    outputs = [n - 1 for n in range(52, places, -1)] + refused + [multiple - 1]
    outputs += [n - 1 for n in range(places - 1, 1, -1)]
    given = iter(outputs)
    assert shuffled(given) == list(PACK)
    assert next(given, None) is None


@pytest.mark.parametrize("seed", [-1, SEEDS, HUGE])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(UsageError) as caught:
        deal_seed(seed)
    assert caught.value.status == 2
    assert "34359738367" in caught.value.hint


def test_a_file_that_names_a_seed_must_hold_its_cards() -> None:
    cards = deal_seed(7).cards
    assert deal_verified(cards, 7).seed == 7
    assert deal_verified(cards, None).seed is None
    assert deal_verified(deal_seed(0).cards, 0).seed == 0
    for seed in (8, -1, -7, 2**35, 2**35 + 7, "7", 7.0, True):
        with pytest.raises(DealError, match="not those of the seed"):
            deal_verified(cards, seed)
    with pytest.raises(DealError, match="not those of the seed"):
        deal_verified(deal_seed(1).cards, True)


# Fairness: fixed seeds, so these either always pass or never do.

DEALS = 200_000


def chi_square(counts: Counter[object], cells: int, total: int) -> float:
    """Pearson's statistic of `counts` against `cells` cells that are all as likely."""
    expected = total / cells
    seen = sum((count - expected) ** 2 for count in counts.values())
    return (seen + (cells - len(counts)) * expected**2) / expected


def sigmas(statistic: float, freedom: int) -> float:
    """How many standard deviations a chi-square statistic lies off its mean (near normal at 2,600)."""
    return (statistic - freedom) / (2 * freedom) ** 0.5


def card_by_place(places: list[tuple[Card, ...]]) -> float:
    """How far card by place is off, in sigmas.

    In a permutation matrix rows and columns both sum to 1, so that 51/52 of Pearson's sum over all cells has the
    chi-square distribution of 51 x 51 degrees of freedom.
    """
    total = len(places[0])
    return sigmas(sum(chi_square(Counter(place), 52, total) for place in places) * 51 / 52, 51 * 51)


def test_deals_are_fair_by_place_by_neighbour_and_by_seed() -> None:
    """Over 200,000 seeds all lies within what chance allows: card by place, neighbours, seed by next seed."""
    deals = [deal_seed(seed).cards for seed in range(DEALS)]
    places = list(zip(*deals, strict=True))
    assert abs(card_by_place(places)) < 4
    # At each of 51 neighbouring places: 52 x 51 pairs of different cards, all as likely.
    pairs = [
        sigmas(chi_square(Counter(zip(*two, strict=True)), 52 * 51, DEALS), 52 * 51 - 1)
        for two in pairwise(places)
    ]
    assert max(map(abs, pairs)) < 4.5
    # Two deals agree at one place on average, with variance 1.
    agreeing = sum(sum(map(eq, one, other)) for one, other in pairwise(deals))
    assert abs(agreeing - (DEALS - 1)) < 4 * DEALS**0.5


def test_the_measure_of_fairness_notices_a_biased_shuffle() -> None:
    """Two classic faults: swapping with any of 52 places, and never leaving a card where it is."""
    chance = random.Random(1)

    def shuffle(choose: str) -> tuple[Card, ...]:
        cards = list(PACK)
        for last in range(51, 0, -1):
            place = chance.randrange({"fair": last + 1, "any": 52, "off by one": last}[choose])
            cards[last], cards[place] = cards[place], cards[last]
        return tuple(cards)

    off = {
        choose: card_by_place(list(zip(*(shuffle(choose) for _ in range(5_000)), strict=True)))
        for choose in ("fair", "any", "off by one")
    }
    assert abs(off["fair"]) < 4
    assert off["any"] > 20
    assert off["off by one"] > 20


# The deal of the day.


@pytest.mark.parametrize(("date", "name", "seed"), rows("| date | preset | seed |"))
def test_the_documented_deals_of_the_day_are_dealt(date: str, name: str, seed: str) -> None:
    assert deal_daily(date, name).seed == int(seed)
    digest = hashlib.sha256(f"canfield daily {date} {name}".encode()).hexdigest()
    assert int(digest[:16], 16) % 34359738368 == int(seed)


@given(st.dates())
def test_every_day_of_the_calendar_has_a_deal_for_each_preset(date: datetime.date) -> None:
    day = date.isoformat()
    assert len({deal_daily(day, name).seed for name in PRESETS}) == len(PRESETS)


def test_days_that_the_calendar_lacks_are_refused() -> None:
    """Compared with Python's own calendar on every day 1 to 31 of some years, leap years among them."""
    for year in (1, 1900, 2000, 2023, 2024, 2100, 9999):
        for month in range(14):
            for day in range(33):
                text = f"{year:04}-{month:02}-{day:02}"
                try:
                    datetime.date(year, month, day)
                except ValueError:
                    with pytest.raises(UsageError, match=text):
                        deal_daily(text, "standard")
                else:
                    assert deal_daily(text, "standard").seed is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "2026-11-3",
        "2026-1-30",
        "20261130",
        "2026/11/30",
        "26-11-30",
        "0000-01-01",
        "-2026-11-30",
        "2026-11-30 ",
        "２０２６-11-30",
        "2026-11-30-01",
        "2026-+1-30",
        "10000-01-01",
    ],
)
def test_what_is_no_date_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        deal_daily(text, "standard")
    assert (caught.value.status, caught.value.hint != "") == (2, True)


def test_a_day_that_its_month_lacks_is_refused_naming_the_days_that_it_has() -> None:
    for date, days in (
        ("2023-02-29", "2023-02 go from 01 to 28"),
        ("2026-04-31", "2026-04 go from 01 to 30"),
    ):
        with pytest.raises(UsageError) as caught:
            deal_daily(date, "standard")
        assert days in caught.value.hint


def test_the_deal_of_the_day_needs_a_preset_that_exists() -> None:
    with pytest.raises(RulesError):
        deal_daily("2026-11-30", "vegas")


# PySolFC.


@pytest.mark.parametrize("number", PYSOL)
def test_the_games_of_pysolfc_are_dealt(number: str) -> None:
    assert " ".join(deal_pysol(number).cards) == PYSOL[number]
    if number.isdigit():
        assert deal_pysol(int(number)) == deal_pysol(number)
    assert deal_pysol(f" {number.upper()}\n") == deal_pysol(number)


def test_32000_is_the_twisters_and_ms32000_is_microsofts() -> None:
    assert deal_pysol(32000).cards[13] == "7s"
    assert deal_pysol("ms32000").cards[13] == "Qd"
    assert deal_pysol(31999) == deal_pysol("ms31999")
    assert deal_pysol(1) == deal_pysol("ms1")


@given(st.integers(1, 10**20))
def test_the_other_names_of_a_pysolfc_game_are_not_confused(number: int) -> None:
    deal = deal_pysol(number)
    assert deal.seed is None
    assert (deal == deal_pysol(f"ms{number % 2**33 or 1}")) == (number < 32000)


@pytest.mark.parametrize(
    "number",
    [
        0,
        -1,
        10**20 + 1,
        HUGE,
        "0",
        "ms0",
        "ms8589934592",
        "100000000000000000001",
        "",
        "ms",
        "msms1",
        "1.5",
        "-1",
        "ms-1",
        "１２",
        "9" * 5000,
        "ms 1",
        "0x10",
        "1_000",
    ],
)
def test_numbers_that_pysolfc_lacks_are_refused(number: int | str) -> None:
    with pytest.raises(UsageError) as caught:
        deal_pysol(number)
    assert caught.value.status == 2
    assert "ms8589934591" in caught.value.hint


def test_the_last_numbers_of_pysolfc_are_dealt() -> None:
    assert deal_pysol("ms8589934591") != deal_pysol("ms1")
    assert " ".join(deal_pysol(10**20).cards) == PYSOL["100000000000000000000"]
