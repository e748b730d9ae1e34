"""What a refusal says: one case for each sentence (tests/test_properties.py has it true everywhere)."""

import pytest

from canfield_cli.engine.errors import IllegalMove
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import preset

#: Reserve Qd over two hidden cards; four columns; stock and waste.
LINE = "5 5--- 2c3cQd Kc/9h8c7d/6s/5h 2s3s 9d4d 0"
#: No reserve, column 4 empty.
SPACE = "5 5--- - Kc/9h8c7d/6s/- - 9d4d 2"
BARE = "5 5--- - Kc/9h8c7d/6s/- - - 2"

CASES = [
    # line, options, action, sentence, hint
    ("A KKKK - -/-/-/- - - 0", {}, "draw", "the game is won, no card is left to move", "canfield new begins another"),
    (SPACE, {}, "draw", "the stock is empty", "redeal turns the waste over"),
    (BARE, {}, "draw", "stock and waste are both empty, there is nothing to draw", "canfield moves lists what is left"),
    (BARE, {}, "redeal", "stock and waste are both empty, there is nothing to turn over", "canfield moves lists what is left"),
    (LINE, {}, "redeal", "the stock is not empty yet (2 left)", "draw first"),
    (SPACE, {"redeals": 2}, "redeal", "the waste can't be turned over any more (redeals is 2)", "canfield moves lists what is left"),
    (SPACE, {"redeals": 2}, "draw", "the waste can't be turned over any more (redeals is 2)", "canfield moves lists what is left"),
    (BARE, {"redeals": 2}, "draw", "stock and waste are both empty, there is nothing to draw", "canfield moves lists what is left"),
    (BARE, {}, "wf", "the waste is empty", "canfield moves lists what can be done"),
    (BARE, {}, "r1", "the reserve is empty", "canfield moves lists what can be done"),
    (BARE, {}, "4f", "column 4 is empty", "canfield moves lists what can be done"),
    (BARE, {}, "41x1", "column 4 is empty", "canfield moves lists what can be done"),
    (BARE, {}, "fh1", "the hearts foundation is empty", "canfield moves lists what can be done"),
    (LINE, {}, "23x4", "column 2 holds only 3 of the 4 cards", "name fewer cards"),
    (LINE, {"takeback": "no"}, "fc3", "{5c} stays on its foundation (takeback is no)", "canfield moves lists what can be done"),
    (LINE, {}, "3f", "{6s} can't go up, the spades foundation begins with {5s}", "the base rank is 5"),
    (LINE, {}, "1f", "{Kc} can't go up, the clubs foundation waits for {6c}", "put up {6c} first"),
    (LINE, {}, "r3", "{Qd} can't go on {6s}", "{6s} takes a red 5"),
    (LINE, {}, "31x1", "{6s} can't go on {Kc}", "{Kc} takes a red Q"),
    ("5 5--- 2c Ah/9h8c7d/6s/5h - - 0", {}, "31x1", "{6s} can't go on {Ah}", "{Ah} takes a black K"),
    (SPACE, {}, "34x1", "moving all of column 3 to an empty column changes nothing", "choose another column"),
    (SPACE, {"fill": "waste"}, "24x3", "moving all of column 2 to an empty column changes nothing", "choose another column"),
    (SPACE, {"fill": "waste"}, "24x1", "only the waste's top card may enter column 4, which is empty (fill is waste)", "choose another column"),
    (SPACE, {"fill": "waste"}, "fc4", "only the waste's top card may enter column 4, which is empty (fill is waste)", "choose another column"),
    (SPACE, {"runs": "top-or-whole"}, "24x2", "2 of the 3 cards of column 2 can't move alone (runs is top-or-whole)", "only the last card or the whole column moves"),
    (SPACE, {"runs": "whole"}, "24x1", "1 of the 3 cards of column 2 can't move alone (runs is whole)", "only the whole column moves"),
    ("5 5--- 2c 9d/9h8c7d/6s/5h - - 0", {"runs": "top-or-whole"}, "21x2", "2 of the 3 cards of column 2 can't move alone (runs is top-or-whole)", "only the last card or the whole column moves"),
    ("5 5--- 4s Kc/9h8c7d/6s/5h - - 0", {"base_build": "no"}, "r4", "nothing may be built on the base-rank card {5h} (base_build is no)", "choose another column"),
    ("5 5--- 4s Kc/9h8c7d/6s/5h - - 0", {"base_build": "no"}, "34x1", "nothing may be built on the base-rank card {5h} (base_build is no)", "choose another column"),
    # Only cards that are there twice can meet a foundation that is full: such a position has faults, and still an answer.
    ("5 4--- 2c 5c/9h/6s/5h - - 0", {}, "1f", "the clubs foundation is full", "no card is left to go there"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "options", "action", "sentence", "hint"), CASES)
def test_a_refusal_names_the_card_and_the_rule(line, options, action, sentence, hint):
    position = parse_position(line, preset("standard", **options))
    with pytest.raises(IllegalMove) as caught:
        position.apply(action)
    assert (caught.value.message, caught.value.hint) == (sentence, hint)
    assert "{" not in str(caught.value)
    assert caught.value.data["action"] == action
