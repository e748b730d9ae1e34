"""Late positions, small enough to be played out completely by the plain engine, and their outcomes."""

from __future__ import annotations

from canfield_cli.engine.cards import KIND, KINDS, PACK, RANK, SUIT
from canfield_cli.engine.position import Position
from canfield_cli.engine.rules import preset

CHOICES = {
    "draw": (1, 3),
    "runs": ("any", "top-or-whole", "whole"),
    "fill": ("any", "waste"),
    "base_build": ("yes", "no"),
    "takeback": ("yes", "no"),
    "redeals": ("unlimited", 0, 1, 2),
    "finish": ("manual", "auto"),
}


def random_rules(random):
    """Any set of the options that decide who wins."""
    return preset("standard").replace(**{name: random.choice(values) for name, values in CHOICES.items()})


def random_position(random, rules, cards):
    """A sound position of `rules` with about `cards` cards that are not up yet; None when the dice don't make one."""
    base = random.randrange(13)
    heights = [13] * 4
    for _ in range(cards):
        suit = random.choice([suit for suit in range(4) if heights[suit]])
        heights[suit] -= 1
    left = [card for card in PACK if (RANK[card] - base) % 13 >= heights[SUIT[card]]]
    random.shuffle(left)
    columns = [[left.pop()] if left else [] for _ in range(random.choice((1, 2, 3, 4, 4, 4, 4, 4, 4)))]
    columns += [[] for _ in range(4 - len(columns))]
    grow = random.choice((0, 0.3, 1))
    for card in list(left):
        homes = [
            column
            for column in columns
            if column
            and (KIND[column[-1]] - KIND[card]) % KINDS == 1
            and (rules.base_build or RANK[column[-1]] != base)
        ]
        if homes and random.random() < grow:
            random.choice(homes).append(card)
            left.remove(card)
    # The later a card may go up, the likelier it lies on top of the reserve or the waste: that loses many positions.
    spread = random.choice((1, 4, 20))
    left.sort(key=lambda card: (RANK[card] - base) % 13 + random.random() * spread)
    reserve = ()
    if all(columns):
        count = random.randrange(min(len(left), 13) + 1)
        reserve, left = left[:count], left[count:]
    cut = random.randrange(len(left) + 1)
    redeals = random.randrange(rules.redeals + 1) if rules.redeals is not None else random.randrange(2)
    position = Position(
        rules,
        base,
        tuple(heights),
        tuple(reserve),
        tuple(tuple(column) for column in columns),
        tuple(left[:cut]),
        tuple(left[cut:]),
        redeals,
    )
    return None if position.faults() else position


class TooMany(Exception):
    """More positions than the play-out was given."""


def won_by_playing_out(position, limit):
    """Whether some sequence of legal actions wins, by trying them all. Raises TooMany after `limit` positions."""
    seen = {_same(position)}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if here.won:
            return True
        for action in here.legal():
            after = here.after(action)[0]
            same = _same(after)
            if same not in seen:
                seen.add(same)
                waiting.append(after)
        if len(seen) > limit:
            raise TooMany
    return False


def _same(position):
    """What tells it from other positions: the order of the columns and, without limit, the redeals do not."""
    redeals = position.redeals if position.rules.redeals is not None else 0
    columns = tuple(sorted(position.columns))
    return position.foundations, position.reserve, columns, position.stock, position.waste, redeals
