"""Deal codes: the documented form, that every slip is caught, and what the refusals say."""

from __future__ import annotations

import string
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_deals import rows

from canfield_cli.engine.cards import PACK, Card
from canfield_cli.engine.deal import SEEDS, Deal, deal_seed
from canfield_cli.engine.dealcode import ALPHABET, format_code, parse_code
from canfield_cli.engine.errors import CodeError, RulesError

SEED = st.integers(0, 2**35 - 1)
DRAW = st.sampled_from([1, 3])

DOCUMENTED = {
    **{f"seed {seed}": deal_seed(seed) for seed in (0, 1, 7, 2**35 - 1)},
    "the cards of seed 7": Deal(deal_seed(7).cards),
    "the pack in order": Deal(PACK),
    "the pack backwards": Deal(PACK[::-1]),
}
CODES = [(deal, int(draw), code) for deal, draw, code in rows("| deal | draw | code |")]


def with_check(draw: int, number: int, length: int) -> str:
    """Write a code from what docs/deals.md says, for any number at all."""
    values = [number // 29**power % 29 for power in range(length)]
    total = sum(value * 2**i for i, value in enumerate([*values, draw], 1))
    check = next(value for value in range(29) if (total + value) % 29 == 0)
    return f"can d{draw}" + "".join(
        "23456789ABCDEFGHJKMNPQRTVWXYZ"[value] for value in [*reversed(values), check]
    )


def place_in_the_dictionary(cards: tuple[Card, ...]) -> int:
    """The place of `cards` among all orders of the pack, as the sum that docs/deals.md describes."""
    return sum(
        sum(other in cards[i + 1 :] for other in PACK[: PACK.index(card)]) * factorial(51 - i)
        for i, card in enumerate(cards)
    )


@pytest.mark.parametrize(("name", "draw", "code"), CODES, ids=[f"{name}, D{draw}" for name, draw, _ in CODES])
def test_the_documented_codes_are_written_and_read(name: str, draw: int, code: str) -> None:
    deal = DOCUMENTED[name]
    assert format_code(deal, draw) == code
    again, turned = parse_code(code)
    assert (again, again.seed, turned) == (deal, deal.seed, draw)


@given(SEED, DRAW)
def test_a_short_code_is_the_seed_in_base_29(seed: int, draw: int) -> None:
    code = format_code(deal_seed(seed), draw)
    assert code.replace("-", "") == with_check(draw, seed, 8).upper().replace(" ", "")
    deal, turned = parse_code(code)
    assert (deal.cards, deal.seed, turned) == (deal_seed(seed).cards, seed, draw)


@given(st.permutations(PACK), DRAW)
def test_a_long_code_is_the_place_of_the_deal_in_base_29(cards: list[Card], draw: int) -> None:
    deal = Deal(cards)
    code = format_code(deal, draw)
    place = place_in_the_dictionary(deal.cards)
    assert code.replace("-", "") == with_check(draw, place, 47).upper().replace(" ", "")
    assert parse_code(code) == (deal, draw)


def test_the_alphabet_is_29_characters_that_are_not_misread() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET) == 29
    assert set(ALPHABET) == set(string.digits + string.ascii_uppercase) - set("01ILOSU")
    assert 29**7 < SEEDS < 29**8
    assert 29**46 < factorial(52) < 29**47


#: Short and long ones, both draw settings, many repeated and many different characters.
EXAMPLES = [
    *(code for _, _, code in CODES),
    format_code(deal_seed(123456789), 1),
    format_code(deal_seed(20_000_000_000), 3),
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_single_wrong_character_is_caught(code: str) -> None:
    deal, draw = parse_code(code)
    for i, right in enumerate(code):
        for wrong in set(string.ascii_uppercase + string.digits + "-#") - {right}:
            if right == "-":
                continue
            with pytest.raises(CodeError):
                parse_code(code[:i] + wrong + code[i + 1 :])
    assert parse_code(code) == (deal, draw)


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_swap_of_two_neighbours_is_caught(code: str) -> None:
    """From the first letter of the prefix to the check character; hyphens don't part neighbours."""
    bare = code.replace("-", "")
    for i, (one, other) in enumerate(zip(bare, bare[1:], strict=False)):
        if one != other:
            with pytest.raises(CodeError):
                parse_code(bare[:i] + other + one + bare[i + 2 :])


@pytest.mark.parametrize("code", [code for code in EXAMPLES if len(code) < 20])
def test_every_swap_of_any_two_characters_of_a_short_code_is_caught(code: str) -> None:
    bare = code.replace("-", "")
    for i in range(5, len(bare)):
        for j in range(i + 1, len(bare)):
            if bare[i] != bare[j]:
                swapped = bare[:i] + bare[j] + bare[i + 1 : j] + bare[i] + bare[j + 1 :]
                with pytest.raises(CodeError):
                    parse_code(swapped)


@pytest.mark.parametrize("code", EXAMPLES)
def test_a_character_too_few_or_too_many_is_caught(code: str) -> None:
    bare = code.replace("-", "")
    for i in range(len(bare)):
        with pytest.raises(CodeError):
            parse_code(bare[:i] + bare[i + 1 :])
        for more in ALPHABET:
            with pytest.raises(CodeError):
                parse_code(bare[:i] + more + bare[i:])


@pytest.mark.parametrize(
    "text",
    [
        "can-d3-2222-2229-j",
        "CAND322222229J",
        "  Can D3 2222 2229 J\n",
        "C A N D 3 2 2 2 2 2 2 2 9 J",
        "CAN--D3-22-22-22-29-J-",
        "CAN–D3—2222‐2229‑J",
    ],
)
def test_codes_are_read_in_any_case_and_spacing(text: str) -> None:
    deal, draw = parse_code(text)
    assert (deal.seed, draw) == (7, 3)


@pytest.mark.parametrize(
    ("text", "says", "hint", "at"),
    [
        ("CF1-D3-AAAAACL", "another program", "", 1),
        ("  cf1-d3-AAAAACL", "another program", "", 3),
        ("CAM-D3-2222-2229-J", "character 3 is `M`", "N", 3),
        ("XAN-D3-2222-2229-J", "begins with CAN-D3 or CAN-D1", "C", 1),
        ("CAN-E3-2222-2229-J", "character 5 is `E`", "D", 5),
        ("CAN-D2-2222-2229-J", "character 6 is `2`", "3 or 1", 6),
        ("CAN-D3-22O2-2229-J", "`O`, character 10, never occurs", "D or Q", 10),
        ("CAN-D3-2202-2229-J", "`0`, character 10, never occurs", "D or Q", 10),
        ("can-d3-2222-222l-j", "`l`, character 16, never occurs", "7 or J", 16),
        ("CAN-D3-2222-222S-J", "`S`, character 16, never occurs", "5 or 8", 16),
        ("CAN-D3-2222-2229-é", "`é`, character 18, never occurs", ALPHABET, 18),
        ("CAN-D3-2222-2229-ß", "`ß`, character 18, never occurs", ALPHABET, 18),
        ("CAN-D3-2222-222J", "8 characters after D3 instead of 9 or 48", "hyphens", None),
        ("CAN-D1-2222-22229-J", "10 characters after D1 instead of 9 or 48", "hyphens", None),
        ("CAN-D3", "0 characters after D3", "hyphens", None),
        ("CAN", "too short", "CAN-D3-2222-2229-J", None),
        ("", "too short", "CAN-D3-2222-2229-J", None),
        ("CAN-D3-2222-2229-K", "check character does not fit", "one character is wrong", None),
        ("CAN-D1-2222-2229-J", "check character does not fit", "neighbours are swapped", None),
    ],
)
def test_a_wrong_code_is_refused_saying_where(text: str, says: str, hint: str, at: int | None) -> None:
    with pytest.raises(CodeError) as caught:
        parse_code(text)
    error = caught.value
    assert says in str(error)
    assert hint in error.hint
    assert error.data.get("at") == at
    assert (error.code, error.status) == ("bad-code", 3)


def test_the_example_in_the_hints_is_a_code() -> None:
    assert parse_code("CAN-D3-2222-2229-J")[0] == deal_seed(7)


@pytest.mark.parametrize(
    ("number", "length"),
    [(2**35, 8), (29**8 - 1, 8), (factorial(52), 47), (29**47 - 1, 47)],
    ids=["first seed too large", "last of 8", "52!", "last of 47"],
)
@pytest.mark.parametrize("draw", [1, 3])
def test_numbers_that_no_deal_has_are_refused_though_the_check_fits(
    number: int, length: int, draw: int
) -> None:
    with pytest.raises(CodeError, match="no deal has"):
        parse_code(with_check(draw, number, length))


def test_the_last_numbers_that_deals_have_are_read() -> None:
    assert parse_code(with_check(1, 2**35 - 1, 8)) == (deal_seed(2**35 - 1), 1)
    assert parse_code(with_check(3, factorial(52) - 1, 47)) == (Deal(PACK[::-1]), 3)


@pytest.mark.parametrize("draw", [0, 2, 13, True])
def test_a_code_is_written_only_for_a_draw_setting_that_exists(draw: int) -> None:
    with pytest.raises(RulesError):
        format_code(deal_seed(7), draw)


@given(st.text(max_size=20))
def test_any_text_is_a_code_or_is_refused_as_one(text: str) -> None:
    for tried in (text, f"CAN-D3-{text}"):
        try:
            deal, draw = parse_code(tried)
        except CodeError:
            continue
        assert parse_code(format_code(deal, draw)) == (deal, draw)
