"""The board, in a terminal and in sentences: what it shows, how it fits, and what it never shows.

The pictures in data/boards were read by eye before they were kept.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from canfield_cli.commands.result import Result
from canfield_cli.engine.cards import KIND, KINDS, PACK, RANK, Card
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.position import Action, Position
from canfield_cli.engine.rules import PRESETS, Rules, preset
from canfield_cli.engine.stuck import is_stuck
from canfield_cli.render.answer import drawn, text
from canfield_cli.render.board import board
from canfield_cli.render.facts import facts
from canfield_cli.render.look import Look, card_name, card_text, pretty
from canfield_cli.render.plain import plain_board

BOARDS = Path(__file__).parent / "data" / "boards"

# The positions.

#: The worked position of the rules; the cards that it doesn't name lie in some order.
START = "7 --7- Ac2c3c4c5c9c2d3d4dJsQs8hQc 6c/Kh/Qh/As * - 0"
MIDDLE = "4 5446 7h9sAh2sAc 3d2cAdKsQdJsTd9c8d7c/Th/3s2hAsKhQcJdTc9d8c7d/7s6d Ts6h6cQh 3h8s3c9h2d8hKdQsJcJh5hKc5d 3"
NO_RESERVE = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd 2s2dQsKhQdJc9dTh AcAhJh 4"
SPACES = "3 2T22 - -/-/-/- Jd Qd2dKdAd 0"
WON = "3 2222 - -/-/-/- - - 2"
STUCK = "5 5--- - Th/3h/Kd/Qd - - 0"
TURNED = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd - 2s2dQsKhQdJc9dThAcAhJh 1"
TENS = "T --T- Ac2c3c4c5c9c2d3d4dJsQs8hQc 6c/Kh/Qh/As * TdTcTs 0"


def run_of(length: int) -> list[Card]:
    """Return a run of `length` cards from Ks down: each kind of the ring has two cards."""
    left = list(PACK)
    run = [left.pop()]
    while len(run) < length:
        wanted = (KIND[run[-1]] - 1) % KINDS
        run.append(next(card for card in left if KIND[card] == wanted))
        left.remove(run[-1])
    return run


def one_long_column(length: int) -> Position:
    """Return a position with one column of `length` cards, whatever lies elsewhere."""
    column = tuple(run_of(length))
    rest = tuple(card for card in PACK if card not in column)
    return Position(preset(), RANK[Card("3h")], (0, 0, 0, 0), (), (column, (), (), ()), rest, (), 0)


def game(line: str, name: str = "standard", **options: object) -> Game:
    """Return a game that begins at `line`; a stock of * is all the cards that lie nowhere else."""
    position = parse_position(line.replace("*", "-"), preset(name, **options))
    if "*" in line:
        missing = [fault[1:3] for fault in position.faults() if fault.endswith("is missing")]
        position = parse_position(line.replace("*", "".join(missing)), position.rules)
    return Game(position)


WIDE, NARROW, NARROWEST = Look(80, 24), Look(40, 16), Look(20, 24)
EVERYTHING = Look()

#: For each picture: its file, the game, the look, and what else is asked for.
PICTURES: dict[str, tuple[Game, Look, dict[str, object]]] = {
    "start-80": (game(START), WIDE, {}),
    "start-40": (game(START), NARROW, {}),
    "start-20": (game(START), NARROWEST, {}),
    "middle-80": (game(MIDDLE, "casino"), WIDE, {}),
    "middle-40": (game(MIDDLE, "classic"), NARROW, {}),
    "middle-20": (game(MIDDLE, "modern"), NARROWEST, {}),
    "middle-ascii": (game(MIDDLE), Look(80, 24, ascii=True), {}),
    "no-reserve": (game(NO_RESERVE), WIDE, {}),
    "one-redeal-left": (game(TURNED, redeals=2), WIDE, {}),
    "no-redeal": (game(TURNED, redeals=1), NARROW, {}),
    "spaces": (game(SPACES), WIDE, {}),
    "won": (game(WON, "gilded"), WIDE, {}),
    "stuck": (game(STUCK), WIDE, {}),
    "tens-20": (game(TENS), NARROWEST, {}),
    "marked-80": (game(MIDDLE), WIDE, {"marks": ("w", "2", "fd")}),
    "marked-20": (game(TENS), NARROWEST, {"marks": ("1", "fs", "fh")}),
    "revealed-40": (game(START), Look(40), {"reveal": True}),
    "long-80": (Game(one_long_column(30)), WIDE, {}),
    "long-40": (Game(one_long_column(52)), NARROW, {}),
    "long-unfolded": (Game(one_long_column(20)), EVERYTHING, {}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name):
    played, look, asked = PICTURES[name]
    assert "\n".join(board(played, look, **asked)) + "\n" == (BOARDS / f"{name}.txt").read_text("utf-8")


def test_every_picture_is_tested():
    assert {path.stem for path in BOARDS.glob("*.txt")} == {*PICTURES, "plain-start", "plain-middle"}


@pytest.mark.parametrize(("name", "line"), [("plain-start", START), ("plain-middle", MIDDLE)])
def test_sentences(name, line):
    assert "\n".join(plain_board(game(line))) + "\n" == (BOARDS / f"{name}.txt").read_text("utf-8")


# Any game at all.

quick = settings(max_examples=60, deadline=None)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    limit = draw(st.sampled_from(["unlimited", 0, 1, 2]))
    return preset(draw(st.sampled_from(list(PRESETS))), redeals=limit)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of some deal, some random actions on."""
    played = Game.of(Deal(draw(st.permutations(PACK))), draw(rules()))
    for pick in draw(st.lists(st.integers(0, 99), max_size=50)):
        if legal := played.position.legal():
            played.play(legal[pick % len(legal)])
    return played


looks = st.builds(
    Look,
    st.none() | st.integers(1, 120),
    st.none() | st.integers(1, 60),
    colour=st.booleans(),
    four_colour=st.booleans(),
    ascii=st.booleans(),
)


def sgr(text: str) -> list[str]:
    """Return the colour codes in `text`; it holds no other control."""
    parts = text.split("\x1b[")
    return [code for part in parts[1:] for code in part.partition("m")[0].split(";")]


def bare(text: str) -> str:
    """Return `text` without its colours."""
    first, *parts = text.split("\x1b[")
    return first + "".join(part.partition("m")[2] for part in parts)


@quick
@given(games(), looks)
def test_no_line_is_wider_than_the_look(played, look):
    lines = [bare(line) for line in board(played, look)]
    assert all(line.isprintable() and line == line.rstrip() for line in lines)
    assert all(wcswidth(line) == len(line) <= (look.width or 300) for line in lines)


@quick
@given(games(), st.sampled_from([(80, 24), (80, 16), (40, 24), (40, 16), (132, 50), (20, 24)]), st.booleans())
def test_board_leaves_room_for_a_message_and_the_prompt(played, size, ascii):
    width, height = size
    assert len(board(played, Look(width, height, ascii=ascii))) <= height - 3


@quick
@given(games(), looks)
def test_colours_never_touch_the_background(played, look):
    codes = sgr("".join(board(played, look, marks=("1", "fc"))))
    assert {*codes} <= {"0", "1", "2", "31", "32", "35", "39", "94"}
    assert look.colour or not codes


@quick
@given(games(), looks)
def test_colours_change_nothing_but_the_colour(played, look):
    without = Look(look.width, look.height, ascii=look.ascii)
    assert [bare(line) for line in board(played, look)] == board(played, without)


@quick
@given(games(), looks)
def test_letters_are_ascii_only(played, look):
    letters = Look(look.width, look.height, colour=look.colour, ascii=True)
    assert "".join(board(played, letters, reveal=True)).isascii()


@quick
@given(games(), st.randoms(use_true_random=False), looks)
def test_hidden_cards_never_show(played, random, look):
    """A deal that differs only in what was never seen gives the same board and the same sentences."""
    position = played.position
    stock_seen = position.redeals > 0
    hidden = [*position.reserve[:-1], *(() if stock_seen else position.stock)]
    random.shuffle(hidden)
    cut = max(len(position.reserve) - 1, 0)
    other = Position(
        position.rules,
        position.base,
        position.foundations,
        (*hidden[:cut], *position.reserve[-1:]),
        position.columns,
        position.stock if stock_seen else tuple(hidden[cut:]),
        position.waste,
        position.redeals,
    )
    # `stuck` is by its definition about the stock's cards, seen or not: it is one bit of what is hidden.
    assume(is_stuck(position) == is_stuck(other))
    first, second = Game(position), Game(other)
    assert board(first, look) == board(second, look)
    assert plain_board(first) == plain_board(second)


@quick
@given(games())
def test_a_card_shows_at_most_once_and_only_where_it_may_be_seen(played):
    position = played.position
    shown = "\n".join(board(played, EVERYTHING)).replace("10", "T").translate(str.maketrans("♣♦♥♠", "cdhs"))
    for card in position.reserve[:-1] + position.stock + position.waste[:-3]:
        # An empty foundation names the card that it waits for, in brackets.
        assert shown.replace(f"[{card}]", "").count(card) == 0
    for card in [*position.reserve[-1:], *position.waste[-3:], *sum(position.columns, ())]:
        assert shown.replace(f"[{card}]", "").count(card) == 1


@quick
@given(games())
def test_revealed_board_shows_every_card_that_lies(played):
    position = played.position
    shown = "\n".join(board(played, EVERYTHING, reveal=True)).replace("10", "T")
    shown = shown.translate(str.maketrans("♣♦♥♠", "cdhs"))
    told = "\n".join(plain_board(played, reveal=True))
    for card in position.reserve + position.stock:
        assert card in shown
        assert pretty(f"{{{card}}}", Look(plain=True)) in told


@quick
@given(games())
def test_cards_of_a_column_line_up_by_their_suits(played):
    lines = board(played, EVERYTHING)
    table = [line[20:] for line in lines[5 : 5 + max(map(len, played.position.columns))]]
    for number, column in enumerate(played.position.columns):
        for line, card in zip(table, column, strict=False):
            assert line[number * 8 :][:5].strip() == card_name(card, EVERYTHING)
            assert line[number * 8 + 4] in "♣♦♥♠"


# Long columns.


@pytest.mark.parametrize("height", [12, 16, 24, 40, 70])
@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("length", [20, 30, 52])
def test_long_column_fits_and_says_what_it_folds(length, width, height):
    position = one_long_column(length)
    lines = board(Game(position), Look(width, height, ascii=True))
    if width >= 40 or height >= 24:
        assert len(lines) <= height - 3
    text = "\n".join(lines).replace("10", "T")
    column = position.columns[0]
    shown = [card for card in column if f" {card} " in text.replace("\n", " \n ") + " "]
    folded = length - len(shown)
    assert column[0] in shown
    assert shown[1:] == list(column[length - len(shown) + 1 :])
    assert (f"+{folded}" in text) == (folded > 0)
    assert folded != 1


# The reports of what went wrong in other programs, by their numbers.


def test_empty_foundations_wait_for_the_base_rank():
    """12"""
    line = "4 4--- 5c2cAcKc5d6dQd3c3dJsQs8hQc 6c/Kh/Qh/As 2d2h2s - 0"
    foundations = board(game(line), WIDE)[1]
    assert foundations.split()[1:] == ["4♣", "[4♦]", "[4♥]", "[4♠]"]
    assert "Spades foundation: empty, waits for the four of spades" in plain_board(game(line))


def test_redeals_left_follow_undo():
    """28"""
    played = game(TURNED.replace(" 1", " 0"), redeals=2)
    assert "  2 redeals left" in [line[:20].rstrip() for line in board(played, WIDE)]
    played.play(Action("redeal"))
    assert "  1 redeal left" in [line[:20].rstrip() for line in board(played, WIDE)]
    assert "Stock: 11 cards, a draw turns 3 cards, 1 redeal left" in plain_board(played)
    played.undo()
    assert "  2 redeals left" in [line[:20].rstrip() for line in board(played, WIDE)]


def test_stock_that_can_not_be_turned_again_says_so():
    """29"""
    lines = board(game("3 T899 - -/-/-/- - 2s 0", redeals=0), WIDE)
    assert [line[:20].strip() for line in lines[3:5]] == ["stock 0", "no redeal"]
    assert "draw" not in "".join(lines)
    assert "Stock: empty, no redeal" in plain_board(game("3 T899 - -/-/-/- - 2s 0", redeals=0))


@pytest.mark.parametrize(
    ("stock", "waste", "draw", "says"),
    [
        ("AcAhJh2s", "-", 3, "draw: 3 cards"),
        ("AcAh", "-", 3, "draw: 2 cards"),
        ("AcAh", "-", 1, "draw: 1 card"),
        ("-", "AcAh", 3, "draw: redeal"),
        ("-", "-", 3, "nothing left"),
    ],
)
def test_stock_says_what_a_draw_will_do(stock, waste, draw, says):
    lines = board(game(f"3 T899 - -/-/-/- {stock} {waste} 0", draw=draw), WIDE)
    assert lines[4][:20].strip() == says


def test_every_card_is_told_apart_without_colour():
    """82"""
    for look in (Look(), Look(ascii=True)):
        names = {card_text(card, look) for card in PACK}
        assert len(names) == 52
        assert {wcswidth(name) for name in names} == {2, 3}
    assert card_text(Card("Th"), Look()) == "10♥"
    assert card_text(Card("Th"), Look(ascii=True)) == "10h"


#: Lines as commands give them, with the column in which their last text begins.
LINES = [
    ("error: {Qc} can't go onto {Kd}, for it is said here at some length why that is not so", 0),
    ("  a sentence that is indented, and goes on for longer than most terminals are wide, as this one", 2),
    ("43x1    {Qc} from column 4 onto {Kh} in column 3; {Qh} from the reserve fills column 2 again", 8),
    ("   1 ? wf      {Th} from the waste went up, which is more than there is room for, on to the end", 15),
    ("  draw [N]             turn cards from the stock, or turn the waste over where it is empty", 23),
]


@pytest.mark.parametrize("look", [{}, {"colour": True}, {"ascii": True}, {"plain": True}], ids=str)
@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize(("line", "begins"), LINES)
def test_a_line_goes_on_below_its_text_with_all_words_whole(line, begins, width, look):
    (whole,) = drawn(line, Look(**look))
    told = drawn(line, Look(width, **look))
    shown = [bare(part) for part in told]
    assert " ".join(" ".join(told).split()) == " ".join(whole.split())
    assert all(len(part) <= width for part in shown)
    assert {len(part) - len(part.lstrip()) for part in shown[1:]} <= {begins}
    # No line ends before it must.
    for part, after in pairwise(shown):
        assert len(part) + 1 + len(after.split()[0]) > width


def test_cards_count_as_they_are_drawn():
    line = "{Qc} {Tc} {Qh} {Td} {Ks}"
    assert len(drawn(line, Look(20, colour=True))) == 1
    assert drawn(line, Look(20, plain=True)) == [
        "queen of clubs ten",
        "of clubs queen of",
        "hearts ten of",
        "diamonds king of",
        "spades",
    ]


def test_where_there_is_no_room_below_the_text_a_line_goes_on_left_of_it():
    line = "  --foundation VALUE  whether a card of one may come back"
    assert drawn(line, Look(30)) == [
        "  --foundation VALUE  whether",
        "    a card of one may come",
        "    back",
    ]


def test_a_word_longer_than_a_line_stays_whole():
    code = "CAN-D3-62J9-WTWM-7FM5-9ME4-EZZ7-WW5Q"
    assert drawn(f"the deal {code} is dealt", Look(24)) == ["the deal", code, "is dealt"]


@quick
@given(games(), st.integers(20, 60))
def test_sentences_of_the_board_are_broken_between_words(played, width):
    told = text(Result(played, board=True), Look(width, 24, plain=True)).splitlines()
    words = [word for line in told for word in line.split()]
    assert words == " ".join(plain_board(played)).split()
    assert all(len(line) <= width or " " not in line for line in told)
    assert text(Result(played, board=True), Look(plain=True)).splitlines() == plain_board(played)


def test_four_colours_are_four():
    """82"""
    look = Look(colour=True, four_colour=True)
    assert len({tuple(sgr(card_text(card, look))) for card in PACK}) == 4
    assert all(sgr(card_text(card, look))[0] not in ("0", "") for card in PACK)


def test_red_suits_are_red_and_black_ones_left_alone():
    look = Look(colour=True)
    assert card_text(Card("Qh"), look) == "\x1b[31mQ♥\x1b[0m"
    assert card_text(Card("2d"), look) == "\x1b[31m2♦\x1b[0m"
    assert card_text(Card("Qc"), look) == "Q♣"
    assert card_text(Card("2s"), look) == "2♠"


@pytest.mark.parametrize("term", ["xterm-256color", "xterm", "linux"])
def test_colours_on_every_terminal_but_a_dumb_one(term):
    """83"""
    assert Look.of({"TERM": term}, isatty=True).colour
    assert not Look.of({"TERM": term, "NO_COLOR": "1"}, isatty=True).colour
    assert not Look.of({"TERM": "dumb"}, isatty=True).colour


def test_pictures_hold_no_variation_selectors_and_no_wide_signs():
    """84"""
    for path in BOARDS.glob("*.txt"):
        text = path.read_text("utf-8")
        assert "\ufe0e" not in text
        assert "\ufe0f" not in text
        assert all(wcswidth(line) == len(line) for line in text.splitlines())


@quick
@given(games())
def test_sentences_name_every_pile_without_signs(played):
    """88"""
    lines = plain_board(played)
    piles = [
        "Reserve",
        "Stock",
        "Waste",
        *(f"{suit} foundation" for suit in ("Clubs", "Diamonds", "Hearts", "Spades")),
    ]
    piles += [f"Column {number}" for number in "1234"]
    assert [line.partition(":")[0] for line in lines[1 : len(piles) + 1]] == piles
    options = "()_" if played.rules.changes() else ""
    assert all(c.isalnum() or c in " ,:-" + options for line in lines for c in line)
    counts = (len(played.position.reserve), len(played.position.stock), len(played.position.waste))
    for line, count in zip(lines[1:4], counts, strict=True):
        assert line.split(": ")[1].split()[0].rstrip(",") == (str(count) if count else "empty")


# What stands below the piles.


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("standard", {}, "standard · score 0 · 0 moves · 0 redeals · 1/52 up"),
        ("easy", {}, "easy · score 0 · 0 moves · 0 redeals · 1/52 up"),
        ("modern", {}, "modern · 0 moves · 0 redeals · 1/52 up · time 0:00"),
        ("classic", {}, "classic · score 5 · 0 moves · 0 redeals · 1/52 up · time 0:00"),
        ("casino", {}, "casino · balance -$45 · 0 moves · 0 redeals · 1/52 up"),
        (
            "published",
            {"draw": 1, "redeals": 2},
            "published (draw 1, redeals 2) · score 0 · 0 moves · 0 redeals · 1/52 up",
        ),
    ],
)
def test_facts_fit_the_rules(name, options, says):
    assert board(game(START, name, **options), WIDE)[-1] == " " + says


def test_counts_follow_the_actions():
    played = game(START)
    for action in ("r2", "rf", "24x2"):
        played.play(Action(action))
    lines = board(played, WIDE)
    assert lines[-1] == " standard · score 5 · 3 moves · 0 redeals · 2/52 up"
    assert lines[0].startswith(" reserve 10 ")
    assert lines[1].split() == ["J♠", "[7♣]", "[7♦]", "8♥", "[7♠]"]


def test_time_is_told_in_hours_when_there_are_any():
    played = game(START, "gilded")
    played.clock.seconds = 125.9
    assert board(played, WIDE)[-1].endswith("time 2:05")
    assert plain_board(played)[-1].endswith("time 2 minutes 5 seconds")
    played.clock.seconds = 3 * 3600 + 61
    assert board(played, WIDE)[-1].endswith("time 3:01:01")


def test_money_is_spoken_in_words():
    assert "balance minus 45 dollars" in plain_board(game(START, "casino"))[-1]
    assert "balance 90 dollars" in plain_board(game(NO_RESERVE, "casino"))[-1]
    assert "balance $90" in board(game(NO_RESERVE, "casino"), WIDE)[-1]


@pytest.mark.parametrize("deal", [deal_seed(7), Deal(PACK)], ids=["seed", "cards"])
@pytest.mark.parametrize("width", [80, 40, 20])
def test_deal_code_is_told_whole(deal, width):
    played = Game.of(deal, preset())
    text = "".join(line.strip() for line in board(played, Look(width, 24)))
    assert text.endswith(played.code)
    assert plain_board(played)[-1].endswith(f"deal {played.code}")


def test_usual_facts_fit_one_line():
    played = Game.of(deal_seed(7), preset())
    assert board(played, WIDE)[-1] == f" standard · score 0 · 0 moves · 0 redeals · 1/52 up · {played.code}"


def test_a_player_is_named_who_has_a_name():
    played = game(START)
    assert "player" not in " ".join(facts(played))
    played.tally.player = "Ann {Qc}"
    assert "player Ann \\x7bQc\\x7d" in facts(played)
    assert "player Ann" in board(played, EVERYTHING)[-1]
    assert "player Ann" in plain_board(played)[-1]


def test_won_and_stuck_are_told():
    assert " won: all 52 cards are up" in board(game(WON), WIDE)
    assert "Won: all 52 cards are up" in plain_board(game(WON))
    assert any(line.startswith(" stuck: ") for line in board(game(STUCK), WIDE))
    assert any(line.startswith("Stuck: ") for line in plain_board(game(STUCK)))
    assert not any("stuck" in line or "won" in line for line in board(game(START), WIDE))


def test_marks_stand_before_the_piles():
    assert not any(">" in line for line in board(game(MIDDLE), WIDE))
    text = "\n".join(board(game(MIDDLE), WIDE, marks={"2", "fh"}))
    assert ">2 " in text
    assert ">4♥" in text
    assert text.count(">") == 2


# The look.


@pytest.mark.parametrize(
    ("color", "environ", "isatty", "colour"),
    [
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1", "TERM": "xterm"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "xterm"}, True, False),
        ("auto", {"NO_COLOR": "", "TERM": "xterm"}, True, True),
        ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ("auto", {"FORCE_COLOR": "0", "TERM": "xterm"}, False, False),
        ("auto", {"FORCE_COLOR": "", "TERM": "xterm"}, False, False),
        ("auto", {"TERM": "xterm"}, True, True),
        ("auto", {"TERM": "xterm"}, False, False),
        ("auto", {}, True, False),
    ],
)
def test_colour_choice(color, environ, isatty, colour):
    assert Look.of(environ, isatty=isatty, color=color).colour == colour


@pytest.mark.parametrize(
    ("environ", "letters"),
    [
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "C.utf8"}, False),
        ({"LANG": "en_US.ISO-8859-1"}, True),
        ({"LANG": "C"}, True),
        ({}, True),
        ({"LC_CTYPE": "de_DE.UTF-8", "LANG": "C"}, False),
        ({"LC_ALL": "POSIX", "LC_CTYPE": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}, True),
        ({"LC_ALL": "", "LANG": "de_DE.UTF-8"}, False),
    ],
)
def test_letters_where_the_locale_has_no_signs(environ, letters):
    assert Look.of(environ, isatty=False).ascii == letters
    assert Look.of(environ, isatty=False, ascii=True).ascii


@pytest.mark.parametrize(
    ("environ", "size", "expected"),
    [
        ({}, (100, 30), (100, 30)),
        ({}, None, (80, 24)),
        ({}, (0, 0), (80, 24)),
        ({"COLUMNS": "60", "LINES": "20"}, (100, 30), (60, 20)),
        ({"COLUMNS": "60"}, (100, 30), (60, 30)),
        ({"COLUMNS": "0", "LINES": "-5"}, (100, 30), (100, 30)),
        ({"COLUMNS": "9" * 10_000, "LINES": "²"}, (100, 30), (100, 30)),
    ],
)
def test_size(environ, size, expected):
    look = Look.of(environ, isatty=True, size=size)
    assert (look.width, look.height) == expected


def test_nothing_is_folded_off_a_terminal():
    look = Look.of({"COLUMNS": "60", "LINES": "20"}, isatty=False, size=(100, 30))
    assert (look.width, look.height) == (None, None)


def test_sentences_get_their_cards():
    assert pretty("{Qc} can't go on {Th}", Look()) == "Q♣ can't go on 10♥"
    assert pretty("{Qc} can't go on {Th}", Look(ascii=True)) == "Qc can't go on 10h"
    assert pretty("{Qc} can't go on {Th}", Look(colour=True)) == "Q♣ can't go on \x1b[31m10♥\x1b[0m"
    assert pretty("{Qc} can't go on {Th}", Look(plain=True)) == "queen of clubs can't go on ten of hearts"
    assert pretty("no card at all", Look()) == "no card at all"
