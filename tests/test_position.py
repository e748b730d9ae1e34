"""Positions one rule at a time: what is legal, what an action does, what is wrong with a position."""

import pytest

from canfield_cli.engine.cards import PACK
from canfield_cli.engine.errors import IllegalMove, NotationError
from canfield_cli.engine.notation import format_position, parse_position
from canfield_cli.engine.position import Position
from canfield_cli.engine.rules import preset

#: A's example deal. Its 43 unknown cards lie in the order of the pack, which the play below never sees.
KNOWN_RESERVE = ["Js", "Qs", "8h", "Qc"]
KNOWN_COLUMNS = ["6c", "Kh", "Qh", "As"]
UNKNOWN = [card for card in PACK if card not in (*KNOWN_RESERVE, *KNOWN_COLUMNS, "7h")]
WORKED = f"7 --7- {''.join(UNKNOWN[:9] + KNOWN_RESERVE)} 6c/Kh/Qh/As {''.join(UNKNOWN[9:])} - 0"


#: Down from the Kh in alternating colours, four times through the ranks: each card of the pack once.
RING = [rank + suits[i % 2] for suits in ("hs", "sh", "dc", "cd") for i, rank in enumerate("KQJT98765432A")]


def at(line, name="standard", **options):
    return parse_position(line, preset(name, **options))


def played(position, *actions):
    for action in actions:
        position, _ = position.apply(action)
    return position


def after(line, *actions, rules="standard", **options):
    return format_position(played(at(line, rules, **options), *actions))


# The worked position.


def test_the_worked_position_comes_out_as_the_rules_say():
    position = at(WORKED)
    assert position.faults() == []
    position = played(position, "r2", "rf", "24x2")
    assert len(position.stock) == 34
    assert position.waste == ()
    assert len(position.reserve) == 10
    assert position.reserve[-1] == "Js"
    assert position.foundation(2) == ("7h", "8h")
    assert position.columns == (("6c",), ("Qs",), ("Qh",), ("As", "Kh", "Qc"))
    assert position.faults() == []


def test_only_the_seven_of_spades_can_start_the_spades_of_the_worked_position():
    position = at(WORKED)
    assert not position.goes_up("As")
    assert position.goes_up("7s")
    assert position.goes_up("8h")
    assert not position.goes_up("7h")


def test_the_worked_position_begins_with_these_legal_actions():
    # Qc goes on Kh, Qh on no black K, Kh on the As (a red K goes on a black A).
    assert at(WORKED).legal() == ["draw", "r2", "24x1"]


# Stock and waste.


@pytest.mark.parametrize(
    ("draw", "stock", "waste", "left", "turned"),
    [
        (3, "2s3s4s5s", "-", "2s", "5s4s3s"),
        (3, "2s3s", "9c", "-", "9c3s2s"),
        (3, "2s", "-", "-", "2s"),
        (1, "2s3s", "9c", "2s", "9c3s"),
    ],
)
def test_draw_turns_cards_one_by_one_as_many_as_there_are(draw, stock, waste, left, turned):
    line = "5 5--- - 8h/8d/-/- {} {} 0"
    assert after(line.format(stock, waste), "draw", draw=draw) == line.format(left, turned)


def test_a_redeal_turns_the_waste_over_in_the_same_order_and_turns_no_card():
    start = "5 5--- - 8h/8d/-/- 2s3s4s9c - 0"
    assert after(start, "draw", "draw", "redeal") == start[:-1] + "1"
    assert after(start, "draw", "draw", "redeal", "draw") == "5 5--- - 8h/8d/-/- 2s 9c4s3s 1"


def test_a_redeal_in_between_is_not_legal_and_nor_is_a_draw_from_nothing():
    assert "redeal" not in at("5 5--- - 8h/-/-/- 2s 3s 0").legal()
    assert at("5 5--- - 8h/-/-/- - 3s 0").legal()[0] == "redeal"
    assert at("5 5--- 9c 8h/3d/3h/3s - - 0").legal() == []


@pytest.mark.parametrize(
    ("used", "legal", "left"), [(0, True, 2), (1, True, 1), (2, False, 0), (9, False, 0)]
)
def test_the_waste_is_turned_over_as_often_as_redeals_says(used, legal, left):
    position = at(f"5 5--- - 8h/-/-/- - 3s {used}", redeals=2)
    assert ("redeal" in position.legal()) is legal
    assert position.redeals_left == left


def test_without_limit_the_waste_can_always_be_turned_over():
    position = at("5 5--- - 8h/-/-/- - 3s 999999")
    assert position.legal()[0] == "redeal"
    assert position.redeals_left is None


# Order.


def test_legal_actions_come_in_the_promised_order():
    # On the foundations: 5c 6c, 5d, 5h. There is no reserve, and column 4 is empty.
    assert at("5 655- - 9h8c7d/8d7s6d/Ts/- 2s 9d 0").legal() == [
        "draw",
        "w3", "w4",
        "13x3", "14x1", "14x2",
        "2f", "24x1", "24x2",
        "fc1", "fc4", "fd4", "fh4",
    ]  # fmt: skip


def test_the_reserve_comes_before_the_waste_and_the_foundation_before_columns():
    assert at("5 5-5- 6c 7h/7d/8s/5s - 6h 0").legal() == [
        "redeal",
        "rf", "r1", "r2",
        "wf",
        "13x1",
        "23x1",
        "4f",
    ]  # fmt: skip


# Columns.


@pytest.mark.parametrize(
    ("card", "end", "fits"),
    [
        ("8h", "9s", True), ("8h", "9c", True), ("8d", "9s", True), ("8s", "9h", True),
        ("8s", "9s", False), ("8s", "9c", False), ("8h", "9d", False), ("9h", "8s", False),
        ("7h", "9s", False), ("Kh", "As", True), ("Kd", "Ac", True), ("As", "Kh", False), ("Kc", "As", False),
        ("Ah", "2s", True), ("Qs", "Kd", True),
    ],
)  # fmt: skip
def test_columns_build_down_in_alternating_colours_and_a_king_goes_on_an_ace(card, end, fits):
    assert ("w2" in at(f"5 5--- 3c 3d/{end}/3h/3s - {card} 0").legal()) is fits


@pytest.mark.parametrize(
    ("runs", "counts"),
    [("any", ["24x1", "24x2", "24x3"]), ("top-or-whole", ["24x1"]), ("whole", [])],
)
def test_what_may_leave_a_column_for_an_empty_one(runs, counts):
    position = at("5 5--- - 3d/9h8s7d6s/3h/- - - 0", runs=runs)
    assert [action for action in position.legal() if action.startswith("24")] == counts


@pytest.mark.parametrize(
    ("target", "runs", "counts"),
    [
        ("7h", "any", ["24x1"]), ("8c", "any", ["24x2"]), ("9d", "any", ["24x3"]), ("Ts", "any", ["24x4"]),
        ("7h", "top-or-whole", ["24x1"]), ("8c", "top-or-whole", []), ("9d", "top-or-whole", []),
        ("Ts", "top-or-whole", ["24x4"]),
        ("7h", "whole", []), ("8c", "whole", []), ("Ts", "whole", ["24x4"]), ("Tc", "whole", ["24x4"]),
        ("Th", "any", []), ("7c", "any", []), ("Js", "any", []), ("8d", "any", []),
    ],
)  # fmt: skip
def test_what_may_leave_a_column_for_another(target, runs, counts):
    position = at(f"5 5--- - 3d/9h8s7d6s/3h/{target} - - 0", runs=runs)
    assert [action for action in position.legal() if action.startswith("24")] == counts


def test_a_card_always_leaves_a_column_for_its_foundation():
    assert at("5 6--- - 8d7c/3d/3h/3s - - 0", runs="whole").legal() == ["1f"]


def test_a_column_can_hold_the_whole_pack():
    # Down the ring of ranks in alternating colours, four times: every card is in it once.
    position = at(f"5 ---- - {''.join(RING)}/-/-/- - - 0")
    assert position.faults() == []
    assert position.legal() == [f"1{target}x{count}" for target in "234" for count in range(1, 52)]
    assert played(position, "12x51").columns[0] == ("Kh",)


def test_where_two_counts_fit_on_a_card_both_are_legal():
    # From Kh to Kd; the Ac takes a red K: the last card alone, and all 27.
    column = "".join(RING[:27])
    position = at(f"5 5--- - {column}/Ac/-/- - - 0")
    assert [action for action in position.legal() if action.startswith("12")] == ["12x1", "12x27"]
    assert played(position, "12x27").columns[1] == ("Ac", *RING[:27])


@pytest.mark.parametrize(("base_build", "legal"), [("yes", True), ("no", False)])
@pytest.mark.parametrize("action", ["r1", "w1", "21x1", "fh1"])
def test_base_build_says_whether_anything_lies_on_a_base_rank_card(base_build, legal, action):
    # A's own example: base 7, a 6h goes on the 7s or 7c.
    lines = {
        "r1": "7 7--- 6h 7s/2c/2d/2h - - 0",
        "w1": "7 7--- 3h 7s/2c/2d/2h - 6h 0",
        "21x1": "7 7--- 3h 7s/6h/2d/2h - - 0",
        "fh1": "7 --6- 3h 7s/2c/2d/2h - - 0",
    }
    assert (action in at(lines[action], base_build=base_build).legal()) is legal


# Reserve and empty columns.


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("5 5--- 2d4s 6c/9h/3h/3s - - 0", "1f"),
        ("5 5--- 2d4s 8c/9h/3h/3s - - 0", "12x1"),
    ],
)
def test_a_column_that_empties_is_filled_from_the_reserve_in_the_same_action(line, action):
    position, what = at(line).apply(action)
    assert position.columns[0] == ("4s",)
    assert position.reserve == ("2d",)
    assert what.filled == "4s"


def test_once_the_reserve_is_empty_a_column_stays_empty():
    position, what = at("5 5--- - 6c/9h/3h/3s 2h Tc 0").apply("1f")
    assert position.columns[0] == ()
    assert position.waste == ("Tc",)
    assert what.filled is None


@pytest.mark.parametrize(("fill", "entries"), [("any", ["w4", "14x1", "24x2", "fc4"]), ("waste", ["w4"])])
def test_fill_says_who_may_enter_an_empty_column(fill, entries):
    legal = at("5 5--- - 8c7h/9d8s7d/3h/- - Kh 0", fill=fill, redeals=0).legal()
    assert [action for action in entries if action in legal] == entries
    assert [action for action in legal if action.startswith(("w4", "14", "24", "34", "fc4"))] == (
        ["w4"] if fill == "waste" else ["w4", "14x1", "24x1", "24x2", "fc4"]
    )


@pytest.mark.parametrize("fill", ["any", "waste"])
def test_moving_a_whole_column_to_an_empty_one_is_not_legal_and_the_error_says_so(fill):
    with pytest.raises(IllegalMove, match="changes nothing"):
        at("5 5--- - 8c7h/9d/3h/- - - 0", fill=fill).apply("14x2")


# Foundations.


def test_foundations_build_up_in_suit_past_the_king_and_end_below_the_base():
    assert after("Q Q--- 2h Kc/3s/4s/5s - Ac 0", "1f", "wf") == "Q A--- - 2h/3s/4s/5s - - 0"
    assert "1f" not in at("Q J--- - Qc/3s/4s/5s - - 0").legal()


def test_an_empty_foundation_takes_its_base_rank_card_only():
    assert at("5 5--- 2s 5d/6h/9s/Jh - - 0", takeback="no").legal() == ["1f"]


@pytest.mark.parametrize(("takeback", "actions"), [("yes", ["fc2", "fc4"]), ("no", [])])
def test_takeback_says_whether_cards_leave_the_foundations(takeback, actions):
    legal = at("5 6--- - 9d/7h/4s/- - - 0", takeback=takeback).legal()
    assert [action for action in legal if action[0] == "f"] == actions


def test_a_base_card_may_come_back_too():
    assert after("5 5--- - 6d/9h/4s/- - - 0", "fc1") == "5 ---- - 6d5c/9h/4s/- - - 0"
    assert after("5 5--- - 6d/9h/4s/- - - 0", "fc4") == "5 ---- - 6d/9h/4s/5c - - 0"


# The end.


def test_a_game_is_won_when_all_52_cards_are_up_and_then_nothing_is_legal():
    position, what = at("A KKKQ - Ks/-/-/- - - 0").apply("1f")
    assert position.won
    assert what.won
    assert position.cards_up == 52
    assert position.legal() == []


def test_the_last_cards_go_up_by_themselves_if_that_wins():
    line = "A KKJJ - Qs/Qh/Ks/Kh - - 0"
    position, what = at(line, finish="auto").apply("1f")
    assert position.won
    assert what.won
    assert sorted(what.finished) == ["Kh", "Ks", "Qh"]
    assert what.ups == 4
    assert after(line, "1f", finish="manual") == "A KKJQ - -/Qh/Ks/Kh - - 0"


def test_what_goes_up_by_itself_goes_in_an_order_that_could_be_played():
    # Base Q, so that foundations end with the J; some of the cards have others on them.
    line = "Q 998T - JdTc9h/JsTh/JcTd/Jh - - 0"
    position, what = at(line, finish="auto").apply("1f")
    assert position.won
    assert set(what.finished) == {"Tc", "Jd", "Th", "Js", "Td", "Jc", "Jh"}
    position = played(at(line, finish="manual"), "1f")
    for card in what.finished:
        column = next(name for name in "1234" if position.pile(name)[-1:] == (card,))
        position = played(position, f"{column}f")
    assert position.won


def test_a_card_that_the_player_may_not_know_does_not_go_up_by_itself():
    position = at("A QJJQ KhQh Qd/Kd/Ks/Kc - - 0", finish="auto").seen()
    position, what = played(position, "rf").apply("1f")
    assert what.filled == "??"
    assert what.finished == ()


@pytest.mark.parametrize(
    ("line", "action"),
    [
        # The Qs is under the Kh, which waits for the Qh, which is under the Ks.
        ("A KQJT - Js/QsKh/QhKs/Kd - - 0", "4f"),
        ("A KKJJ - Qs/Qh/Ks/- - Kh 0", "1f"),
        ("A KKJJ - Qs/Qh/Ks/- Kh - 0", "1f"),
        ("A KKJJ KhKs Qs/Qh/-/- - - 0", "1f"),
    ],
)
def test_nothing_goes_up_by_itself_where_that_does_not_win_at_once(line, action):
    position, what = at(line, finish="auto").apply(action)
    assert what.finished == ()
    assert position.cards_up == at(line).cards_up + 1


def test_a_card_that_is_taken_back_stays_until_the_next_action():
    line = "A KKQJ - Qs/Kh/Ks/- - - 0"
    position, what = at(line, finish="auto").apply("fd4")
    assert what.finished == ()
    assert position.columns[3] == ("Kd",)
    assert played(position, "1f").won


# What an action tells of itself.


@pytest.mark.parametrize(
    ("line", "action", "told"),
    [
        ("5 5--- 2d 8h/3d/3h/3s 9s8s7s - 0", "draw", ("s", "w", ("7s", "8s", "9s"), None, 0, 0)),
        ("5 5--- 2d 8h/3d/3h/3s - 7s8s 0", "redeal", ("w", "s", ("8s", "7s"), None, 0, 0)),
        ("5 5--- 2d7s 8h/3d/3h/3s - - 0", "r1", ("r", "1", ("7s",), None, 0, 0)),
        ("5 5--- 2d 8h/3d/3h/3s - 6c 0", "wf", ("w", "fc", ("6c",), None, 1, 0)),
        ("5 5--- 2d 6c/3d/3h/3s - - 0", "1f", ("1", "fc", ("6c",), "2d", 1, 0)),
        ("5 5--- 2d 9h8s7h/Ts/3h/3s - - 0", "12x3", ("1", "2", ("9h", "8s", "7h"), "2d", 0, 0)),
        ("5 6--- 2d 7h/3d/3h/3s - - 0", "fc1", ("fc", "1", ("6c",), None, 0, 1)),
    ],
)
def test_an_action_tells_what_it_did(line, action, told):
    _, what = at(line).apply(action)
    assert (what.source, what.target, what.cards, what.filled, what.ups, what.downs) == told
    assert what.action == action
    assert action in repr(what)
    assert what.cards[0] in repr(what)


# What is wrong with a position.

SOUND = "3 T899 - 2hAs/Ks/KdQcJdTs/2cAdKcQhJsTd 2s2dQsKhQdJc9dTh AcAhJh 4"


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        (SOUND, []),
        (SOUND.replace("AcAhJh", "AcAhJh2s"), ["2s is there 2 times"]),
        (SOUND.replace("AcAhJh", "AcAhJh2s2s"), ["2s is there 3 times"]),
        (SOUND.replace("AcAhJh", "AcAh"), ["Jh is missing"]),
        (SOUND.replace("2hAs/", "As2h/"), ["in column 1, 2h can't lie on As"]),
        (SOUND.replace("/Ks/", "/-/").replace("AcAhJh", "AcAhJhKs"), []),
        (SOUND.replace("- 2hAs/Ks/", "Ks 2hAs/-/"), ["column 2 is empty beside a reserve of 1"]),
        (SOUND.replace("T899", "TT99"), ["9d is there 2 times", "Td is there 2 times"]),
    ],
)
def test_faults_name_what_is_wrong(line, faults):
    assert [fault.replace("{", "").replace("}", "") for fault in at(line).faults()] == faults


def test_a_run_over_the_base_rank_is_a_fault_without_base_build_alone():
    line = SOUND.replace("3 T899", "2 T899").replace("- 2hAs", "- 2hAs")
    broken = "in column 1, {As} lies on the base-rank card {2h}"
    assert broken in at(line, base_build="no").faults()
    assert broken not in at(line).faults()


def test_too_many_cards_in_reserve_or_stock_and_waste_are_a_fault():
    pack = list(PACK)
    pack.remove("5c")
    fourteen = f"5 5--- {''.join(pack[:14])} {'/'.join(pack[14:18])} {''.join(pack[18:])} - 0"
    assert at(fourteen).faults() == ["the reserve holds 14 cards, more than 13"]
    many = (
        f"5 5--- {''.join(pack[:12])} {'/'.join(pack[12:16])} {''.join(pack[16:40])} {''.join(pack[40:])} 0"
    )
    assert len(pack[16:]) == 35
    assert at(many).faults() == ["stock and waste hold 35 cards, more than 34"]


def test_foundations_that_are_all_empty_are_a_fault_unless_cards_come_back():
    pack = "".join(PACK)
    line = f"5 ---- {pack[:26]} {pack[26:28]}/{pack[28:30]}/{pack[30:32]}/2s {pack[32:76]}3s4s5s6s7s8s9sTsJsQs Ks 0"
    told = "no foundation holds its base card, the 5"
    assert told in at(line, takeback="no").faults()
    assert told not in at(line).faults()


def test_more_redeals_than_the_rules_allow_are_a_fault():
    assert at(SOUND, redeals=4).faults() == []
    assert at(SOUND, redeals=3).faults() == ["the waste has been turned over 4 times, the rules allow 3"]


# Values.


def test_a_position_can_be_pasted_back():
    position = at(SOUND, "classic", draw=1)
    assert eval(repr(position), {"parse_position": parse_position, "preset": preset}) == position


def test_positions_are_equal_when_everything_is():
    assert at(SOUND) == at(SOUND)
    assert hash(at(SOUND)) == hash(at(SOUND))
    assert at(SOUND) != at(SOUND, draw=1)
    assert at(SOUND) != at(SOUND[:-1] + "5")
    assert at(SOUND) != SOUND
    assert len({at(SOUND), at(SOUND), at(SOUND[:-1] + "5")}) == 2


def test_an_action_leaves_the_position_it_is_done_in_as_it_was():
    position = at(WORKED)
    for action in position.legal():
        position.apply(action)
    assert format_position(position) == WORKED


def test_the_view_hides_the_reserve_below_its_top_and_the_stock_until_it_was_turned_over():
    line = "5 5--- 2d3d4d 8h/3s/3h/3c 9s8s - {}"
    seen = at(line.format(0)).seen()
    assert seen.reserve == ("??", "??", "4d")
    assert seen.stock == ("??", "??")
    assert at(line.format(1)).seen().stock == ("9s", "8s")
    assert at(line.format(1)).seen().reserve == ("??", "??", "4d")


def test_what_is_no_action_at_all_is_refused_as_such():
    for text in ("", "bogus", "24", "24x03", "24x53", "fh", "sf", "11x1"):
        with pytest.raises(NotationError):
            at(SOUND).apply(text)


def test_the_constructor_believes_what_it_is_given():
    position = Position(preset(), 4, (1, 0, 0, 0), ("2c", "2c"), ((), (), (), ()), (), (), 0)
    assert position.cards_up == 1
    assert "{2c} is there 2 times" in position.faults()
