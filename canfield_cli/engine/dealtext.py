"""Deals and positions that come from outside as text: what ``new --deal FILE`` reads.

The form is told by the content: 52 cards in dealing order, a position line, or JSON (a save, a
`state`, a list of cards, a deal of Solvitaire). All that is wrong ends in a DealError. Nothing
here opens a file. Start reading at :func:`parse_deal`.
"""

from __future__ import annotations

from .cards import PACK, RANK, RANKS, SUIT, SUITS, Card, parse_card, parse_rank
from .deal import Deal, deal_verified, first_of
from .errors import DealError, NotationError, plain, quoted
from .jsontext import JsonFault, read_json
from .notation import parse_position
from .position import COLUMNS, Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rules import Rules

    Cards = tuple[Card, ...]

__all__ = ["parse_deal"]

FORMS = (
    "it takes 52 cards in dealing order, a position line, a save, the JSON of show --reveal, "
    "or a deal of Solvitaire"
)
#: What may stand between cards, besides white space.
_SEPARATORS = ",;/"


def parse_deal(text: str, rules: Rules) -> Deal | Position:
    """Read a deal, or the position in which a game under `rules` is to begin.

    A position that is a fresh deal is returned as that deal. Raises DealError: the text has none
    of the forms, a card is unknown, missing or there twice, or the position can't stand in a game.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(_read(text), rules)
    bare = "\n".join(line.partition("#")[0] for line in text.splitlines())
    fields = bare.split()
    if not fields:
        raise DealError("there is no card in the text", FORMS)
    if _is_rank(fields[0]):
        return _from_line(bare, rules)
    return Deal(_scan(bare))


def _is_rank(text: str) -> bool:
    """Say whether `text` is a bare rank, as a position line begins with."""
    try:
        parse_rank(text)
    except NotationError:
        return False
    return True


def _from_line(line: str, rules: Rules) -> Deal | Position:
    try:
        position = parse_position(line, rules)
    except NotationError as error:
        raise DealError(error.message, error.hint) from None
    return _sound(position)


def _scan(text: str) -> list[Card]:
    """Read cards one after another, in whatever layout."""
    cards = []
    lines = text.split("\n")
    for row, line in enumerate(lines, 1):
        i = 0
        while i < len(line):
            if line[i].isspace() or line[i] in _SEPARATORS:
                i += 1
                continue
            width = 3 if line.startswith("10", i) else 2
            # A suit may be followed by the sign that asks for its picture or its plain form.
            width += line[i + width : i + width + 1] in ("\ufe0e", "\ufe0f")
            try:
                cards.append(parse_card(line[i : i + width]))
            except NotationError as error:
                where = f"line {row}, column {i + 1}" if len(lines) > 1 else f"column {i + 1}"
                raise DealError(
                    f"{quoted(line[i : i + width].rstrip())} at {where} is not a card", error.hint
                ) from None
            i += width
    return cards


def _sound(position: Position) -> Deal | Position:
    """Return `position`, or the deal if it is a fresh one. Raises DealError, whose `data` has all its faults."""
    piles = (position.reserve, *position.columns, position.stock, position.waste)
    if (number := sum(map(len, piles))) > 2 * len(PACK):
        # Its faults would fill pages.
        raise DealError(f"the position has {number} cards", f"a pack has {len(PACK)}")
    if faults := position.faults():
        raise DealError(
            f"the position can't stand in a game: {first_of(faults, '; ')}",
            "the rules of the game are those that new is given",
            faults=[plain(fault) for fault in faults],
        )
    sizes = [len(pile) for pile in (position.reserve, *position.columns, position.stock)]
    if position.cards_up == 1 and sizes == [13, 1, 1, 1, 1, 34] and not position.redeals:
        base = [card for suit in range(4) for card in position.foundation(suit)]
        row = [card for column in position.columns for card in column]
        return Deal([*position.reserve, *base, *row, *reversed(position.stock)])
    return position


# JSON.


def _read(text: str) -> object:
    try:
        return read_json(text)
    except JsonFault as fault:
        from .record import is_record

        if is_record(text):
            raise DealError(
                "the text is the record of a game, not a deal", "canfield import FILE plays it back"
            ) from None
        raise DealError(f"the text {fault}{fault.place(text)}", FORMS) from None


def _from_json(value: object, rules: Rules) -> Deal | Position:
    """Tell the forms of JSON apart, and read them."""
    if isinstance(value, list):
        return Deal(_cards(value, "the list"))
    members = _members(value, "the JSON")
    if "format" not in members and "state" in members:
        members = _members(members["state"], "the state")
    if members.get("format") == "canfield-save":
        return _from_save(members, rules)
    if members.get("format") == "canfield-state":
        return _from_state(members, rules)
    if "tableau piles" in members:
        return _from_solvitaire(members, rules)
    raise DealError("the JSON is no deal in any form that is known", FORMS)


def _from_save(save: dict[str, object], rules: Rules) -> Deal | Position:
    """Read the deal of a save, or the position in which its game began."""
    if save.get("deal") is None and isinstance(save.get("position"), str):
        return _from_line(str(save["position"]), rules)
    return deal_verified(_cards(save.get("deal"), "the deal"), save.get("seed"))


def _from_state(state: dict[str, object], rules: Rules) -> Deal | Position:
    """Read a state as show --json --reveal writes it."""
    foundations = _members(state.get("foundations"), "the value of foundations")
    try:
        base = parse_rank(_text(state.get("base"), "the base"))
    except NotationError as error:
        raise DealError(error.message, error.hint) from None
    redeals = state.get("redeals")
    if not isinstance(redeals, int) or isinstance(redeals, bool) or redeals < 0:
        raise DealError("the number of redeals is not a whole number", "it is written as 0, 1, 2, ...")
    return _sound(
        Position(
            rules,
            base,
            _heights([_cards(pile, "a foundation") for pile in foundations.values()], base),
            _revealed(state, "reserve"),
            _columns(state.get("columns")),
            _revealed(state, "stock"),
            _cards(state.get("waste"), "the waste"),
            redeals,
        )
    )


def _revealed(state: dict[str, object], name: str) -> Cards:
    """Return the cards of a pile that is hidden from its player."""
    pile = _members(state.get(name), f"the {name}")
    if "cards" not in pile and pile.get("count") != 0:
        raise DealError(f"the cards of the {name} are hidden", "show --json --reveal writes them too")
    return _cards(pile.get("cards", []), f"the {name}")


def _from_solvitaire(deal: dict[str, object], rules: Rules) -> Deal | Position:
    """Read a deal of Solvitaire: in each of its lists the last card is the one that leaves next."""
    piles = _list(deal.get("foundations", []), "the value of foundations")
    # A foundation is a list, or just the card that lies there.
    foundations = [_cards(pile if isinstance(pile, list) else [pile], "a foundation") for pile in piles]
    bases = [cards[0] for cards in foundations if cards]
    if not bases:
        raise DealError("no card lies on a foundation, so the base rank is unknown", "add the base card")
    base = RANK[bases[0]]
    return _sound(
        Position(
            rules,
            base,
            _heights(foundations, base),
            _cards(deal.get("reserve", []), "the reserve"),
            _columns(deal["tableau piles"]),
            _cards(deal.get("stock", []), "the stock"),
            _cards(deal.get("waste", []), "the waste"),
        )
    )


def _heights(foundations: list[Cards], base: int) -> tuple[int, ...]:
    """Return how many cards lie on the foundation of each suit, which must go up from `base`."""
    heights = [0] * len(SUITS)
    for cards in foundations:
        for card in cards:
            suit = SUIT[card]
            if RANK[card] != (base + heights[suit]) % 13:
                raise DealError(
                    f"{{{card}}} does not belong where it lies on its foundation",
                    f"foundations go up in suit from {RANKS[base]}",
                )
            heights[suit] += 1
    return tuple(heights)


def _columns(value: object) -> tuple[Cards, ...]:
    columns = _list(value, "the value of the columns")
    if len(columns) != len(COLUMNS):
        raise DealError(
            f"a game has {len(COLUMNS)} columns, not {len(columns)}", "an empty one is written []"
        )
    return tuple(_cards(column, f"column {number}") for number, column in enumerate(columns, 1))


def _cards(value: object, where: str) -> Cards:
    """Return the list of cards `value`; `where` is named if it is none."""
    return tuple(_card(item, f"card {i} of {where}") for i, item in enumerate(_list(value, where), 1))


#: Solvitaire also writes ranks as numbers.
_NUMBERED = {"11": "J", "12": "Q", "13": "K"}


def _card(value: object, where: str) -> Card:
    text = _text(value, where)
    try:
        return parse_card(_NUMBERED.get(text[:-1], text[:-1]) + text[-1:])
    except NotationError as error:
        raise DealError(f"{quoted(text)}, {where}, is not a card", error.hint) from None


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise DealError(f"{where} must be text", FORMS)
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise DealError(f"{where} must be a list", FORMS)
    return value


def _members(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise DealError(f"{where} must be an object", FORMS)
    return value
