"""Why an action is not legal, in the game's words: which card, which rule, which rule option.

Only asked once :meth:`Position.allows` has said no, so nothing here decides.
"""

from __future__ import annotations

from .cards import KIND, KINDS, RANK, RANKS, SUITS, Card, card_of, is_red
from .position import COLUMNS, DRAW, FILL, FULL, REDEAL, Action, Position, parts, pile_name

__all__ = ["why_not"]

Reason = tuple[str, str]


def why_not(position: Position, action: Action) -> Reason:
    """Return why `action` is not legal in `position`: a sentence, and what to try."""
    if position.won:
        return "the game is won, no card is left to move", "canfield new begins another"
    if action == DRAW:
        return _no_draw(position)
    if action == REDEAL:
        return _no_redeal(position)
    source, target, count = parts(action)
    cards = position.pile(source)
    if not cards:
        return f"{pile_name(source)} is empty", "canfield moves lists what can be done"
    if count > len(cards):
        return f"column {source} holds only {len(cards)} of the {count} cards", "name fewer cards"
    if source[0] == "f" and not position.rules.takeback:
        return (
            f"{{{cards[-1]}}} stays on its foundation (takeback is no)",
            "canfield moves lists what can be done",
        )
    if target == "f":
        return _not_up(position, cards[-1])
    return _not_on(position, source, cards, count, int(target) - 1)


def _no_draw(position: Position) -> Reason:
    if position.redeals_left == 0 and position.waste:
        return _no_redeal(position)
    if position.waste:
        return "the stock is empty", "redeal turns the waste over"
    return "stock and waste are both empty, there is nothing to draw", "canfield moves lists what is left"


def _no_redeal(position: Position) -> Reason:
    if position.stock:
        return f"the stock is not empty yet ({len(position.stock)} left)", "draw first"
    if not position.waste:
        return (
            "stock and waste are both empty, there is nothing to turn over",
            "canfield moves lists what is left",
        )
    return (
        f"the waste can't be turned over any more (redeals is {position.rules.redeals})",
        "canfield moves lists what is left",
    )


def _not_up(position: Position, card: Card) -> Reason:
    suit = SUITS.index(card[1])
    height = position.foundations[suit]
    name = pile_name("f" + card[1])
    if height == FULL:
        return f"{name} is full", "no card is left to go there"
    wanted = card_of(position.base + height, suit)
    if height:
        return f"{{{card}}} can't go up, {name} waits for {{{wanted}}}", f"put up {{{wanted}}} first"
    return (
        f"{{{card}}} can't go up, {name} begins with {{{wanted}}}",
        f"the base rank is {RANKS[position.base]}",
    )


def _not_on(position: Position, source: str, cards: tuple[Card, ...], count: int, target: int) -> Reason:
    head, column = cards[-count], position.columns[target]
    name = pile_name(COLUMNS[target])
    if not column:
        if source in COLUMNS and count == len(cards):
            return (
                f"moving all of column {source} to an empty column changes nothing",
                "choose another column",
            )
        if FILL[position.rules.fill]:
            return _not_alone(position, source, count, len(cards))
        return (
            f"only the waste's top card may enter {name}, which is empty (fill is waste)",
            "choose another column",
        )
    end = column[-1]
    if RANK[end] == position.base and not position.rules.base_build:
        return (
            f"nothing may be built on the base-rank card {{{end}}} (base_build is no)",
            "choose another column",
        )
    if (KIND[end] - KIND[head]) % KINDS == 1:
        return _not_alone(position, source, count, len(cards))
    colour = "black" if is_red(end) else "red"
    return f"{{{head}}} can't go on {{{end}}}", f"{{{end}}} takes a {colour} {RANKS[RANK[end] - 1]}"


def _not_alone(position: Position, source: str, count: int, length: int) -> Reason:
    """Say what `runs` forbids: nothing else is wrong with the move."""
    runs = position.rules.runs
    return (
        f"{count} of the {length} cards of column {source} can't move alone (runs is {runs})",
        f"only the {'' if runs == 'whole' else 'last card or the '}whole column moves",
    )
