"""Text to value and back, always in pairs: position lines, pile notation, card notation.

What the program writes is strict (`format_...`); what it reads is generous
(`parse_...`): any case, ``10h``, ``column 2``, ``9h-Ts``. An action that is read without
its count gets the one that is legal. Start reading at :func:`parse_action`.
"""

from __future__ import annotations

from .cards import (
    HIDDEN,
    KIND,
    KINDS,
    PACK,
    RANK,
    RANKS,
    SUIT,
    SUIT_NAMES,
    SUITS,
    Card,
    parse_card,
    parse_rank,
)
from .errors import AmbiguousMove, CanfieldError, IllegalMove, NotationError, counted, quoted
from .position import COLUMNS, DRAW, REDEAL, Action, Position, pile_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rules import Rules

__all__ = [
    "format_action",
    "format_position",
    "locate",
    "parse_action",
    "parse_actions",
    "parse_pile",
    "parse_position",
    "parse_token",
]

# Position lines.


def format_position(position: Position) -> str:
    """Return the position line: base, foundations, reserve, columns, stock, waste, redeals.

    The rules are not part of it. The inverse of :func:`parse_position`.
    """
    tops = "".join(
        RANKS[(position.base + height - 1) % 13] if height else "-" for height in position.foundations
    )
    piles = (position.reserve, position.stock, position.waste)
    reserve, stock, waste = ("".join(pile) or "-" for pile in piles)
    columns = "/".join("".join(column) or "-" for column in position.columns)
    return f"{RANKS[position.base]} {tops} {reserve} {columns} {stock} {waste} {position.redeals}"


def parse_position(text: str, rules: Rules) -> Position:
    """Read a position line, under `rules`.

    The line must have the right form; whether its cards make sense, :meth:`Position.faults` says.
    Raises NotationError.
    """
    fields = text.split()
    names = ("base", "foundations", "reserve", "columns", "stock", "waste", "redeals")
    if len(fields) != len(names):
        raise NotationError(
            f"a position line has {len(names)} fields, not {len(fields)}", f"they are: {' '.join(names)}"
        )
    base = parse_rank(fields[0])
    tops = fields[1]
    if len(tops) != 4:
        raise NotationError(
            f"{quoted(tops)} does not name four foundations", "the top ranks of c d h s, - where empty: 3-4-"
        )
    heights = tuple(0 if top == "-" else (parse_rank(top) - base) % 13 + 1 for top in tops)
    columns = fields[3].split("/")
    if len(columns) != len(COLUMNS):
        raise NotationError(
            f"a position line has {len(COLUMNS)} columns, not {len(columns)}",
            "columns are split by /, - where empty",
        )
    if not (fields[6].isascii() and fields[6].isdigit() and len(fields[6]) <= 7):
        raise NotationError(
            f"{quoted(fields[6])} is not a number of redeals", "the last field is a whole number"
        )
    reserve, stock, waste = (_parse_pile_cards(fields[i]) for i in (2, 4, 5))
    return Position(
        rules, base, heights, reserve, tuple(map(_parse_pile_cards, columns)), stock, waste, int(fields[6])
    )


def _parse_pile_cards(text: str) -> tuple[Card, ...]:
    if text == "-":
        return ()
    cards, i = [], 0
    while i < len(text):
        width = 3 if text.startswith("10", i) else 2
        cards.append(parse_card(text[i : i + width]))
        i += width
    return tuple(cards)


# Piles.

_WORDS = {
    "stock": "s",
    "waste": "w",
    "reserve": "r",
    "foundation": "f",
    "foundations": "f",
    **{f"{word}{number}": number for number in COLUMNS for word in ("t", "column")},
    **{f"{suit}foundation": "f" + suit[0] for suit in SUIT_NAMES},
    **{f"foundation{suit}": "f" + suit[0] for suit in SUIT_NAMES},
}
_PILES = ("s", "w", "r", "f", *COLUMNS, *("f" + suit for suit in SUITS))


def parse_pile(text: str) -> str:
    """Read the name of a pile: ``w``, ``T2``, ``column 2``, ``hearts foundation``; return its letters.

    Raises NotationError.
    """
    name = "".join(text.lower().replace("-", " ").split())
    pile = _WORDS.get(name, name)
    if pile not in _PILES:
        raise NotationError(
            f"{quoted(text)} is not a pile", "the piles are s w r f, fc fd fh fs, and the columns 1 to 4"
        )
    return pile


def locate(position: Position, card: Card) -> tuple[str, int] | None:
    """Return where `card` lies as its player can see: the pile's letters, and how many cards lie on it.

    None where it can't be seen: in the stock, or below the reserve's top.
    """
    if position.reserve[-1:] == (card,):
        return "r", 0
    for pile, cards in (("w", position.waste), *zip(COLUMNS, position.columns, strict=True)):
        if card in cards:
            return pile, len(cards) - 1 - cards.index(card)
    depth = (RANK[card] - position.base) % 13
    if depth < position.foundations[SUIT[card]]:
        return "f" + SUITS[SUIT[card]], position.foundations[SUIT[card]] - 1 - depth
    return None


# Actions.

_COUNT_HINT = "write 24x3 for three of column 2"
#: No action is written in more characters.
_LONGEST_WORD = 100


def parse_token(text: str) -> Action:
    """Read an action in pile notation exactly as the program writes it.

    Whether it is legal, a position says. Raises NotationError.
    """
    if text in (DRAW, REDEAL):
        return Action(text)
    source, target = text[:-1], text[-1:]
    if target == "f" and source in ("r", "w", *COLUMNS):
        return Action(text)
    if target in COLUMNS and target and source in ("r", "w", *("f" + suit for suit in SUITS)):
        return Action(text)
    piles, _, count = text.partition("x")
    is_shift = len(piles) == 2 and piles[0] in COLUMNS and piles[1] in COLUMNS and piles[0] != piles[1]
    if is_shift and _is_number(count) and count[0] != "0" and int(count) <= len(PACK):
        return Action(text)
    raise NotationError(
        f"{quoted(text)} is not an action", "actions look like draw, wf, r2, 24x3, fh2 or 9h-Ts"
    )


def parse_action(text: str, position: Position) -> Action:
    """Read one action in any notation, and return its token.

    Where the text leaves something open, the one legal reading is meant: a missing
    count, the hearts foundation for ``f``, a redeal for ``draw`` on an empty stock. The result
    need not be legal otherwise. Raises NotationError, IllegalMove (the card can't be seen or
    does not lie free) and AmbiguousMove (it names the candidates).
    """
    word = text.strip().lower()
    if len(word) > _LONGEST_WORD:
        return parse_token(word)
    if word in (DRAW, REDEAL):
        return REDEAL if word == DRAW and not position.stock and position.waste else Action(word)
    if "-" in word:
        source, _, target = text.strip().partition("-")
        return _resolve(text, *_read_source(source, position), _read_target(target, position), position)
    piles, x, count = word.partition("x")
    if x and not _is_number(count):
        if piles and all(pile in COLUMNS for pile in piles):
            if not count:
                raise NotationError(f"{quoted(text)} does not say how many cards", _COUNT_HINT)
            raise _no_count(count)
        return parse_token(word)
    for cut in (2, 1):
        source, target = piles[:cut], piles[cut:]
        if source in _PILES and target in _PILES:
            return _resolve(text, source, int(count) if count else None, target, position)
        _check_columns(source, target)
    for cut in range(1, len(piles)):
        try:
            source, target = parse_pile(piles[:cut]), parse_pile(piles[cut:])
        except NotationError:
            continue
        return _resolve(text, source, int(count) if count else None, target, position)
    return parse_token(word)


def _no_count(text: object) -> NotationError:
    return NotationError(f"{quoted(text)} is not a number of cards", _COUNT_HINT)


def _check_columns(*piles: str) -> None:
    """Raise NotationError where `piles`, source and target, would be an action but that one is no column's number."""
    strange = [
        pile for pile in piles if len(pile) == 1 and pile.isascii() and pile.isdigit() and pile not in COLUMNS
    ]
    if strange and all(pile in strange or pile in _PILES[1:] for pile in piles):
        raise NotationError(
            f"there is no column {strange[0]}", f"the columns are {COLUMNS[0]} to {COLUMNS[-1]}"
        )


def parse_actions(words: list[str], position: Position) -> list[Action]:
    """Read `words` as actions one after another, each where the ones before it lead.

    Also ``SOURCE TARGET [COUNT]`` in separate words, for one action. Raises as :func:`parse_action`
    does, and IllegalMove for an action that is not legal where it stands.
    """
    if separate := _separate(words, position):
        return [separate]
    actions: list[Action] = []
    for number, word in enumerate(words, 1):
        try:
            action = parse_action(word, position)
            position, _ = position.apply(action)
        except CanfieldError as error:
            if len(words) > 1:
                error.message += f" (action {number}, {quoted(word)}; none was done)"
            raise
        actions.append(action)
    return actions


def _is_number(text: str) -> bool:
    """Say whether `text` is a number of cards, of two digits at most."""
    return text.isascii() and text.isdigit() and len(text) <= 2


def _separate(words: list[str], position: Position) -> Action | None:
    """Read ``waste 3``, ``column 2 column 4 3``, ``9h column 2``; None if it is not of that form."""
    joined: list[str] = []
    for word in words:
        if word.lower() in ("to", "onto", "on"):
            continue
        if joined and (joined[-1] + word).lower() in _WORDS:
            joined[-1] += word
        else:
            joined.append(word)
    if len(joined) not in (2, 3):
        return None
    try:
        source, count = _read_source(joined[0], position)
        target = _read_target(joined[1], position)
    except NotationError:
        return None
    if len(joined) == 3:
        if not _is_number(joined[2]):
            return None
        count = int(joined[2])
    return _resolve(" ".join(words), source, count, target, position)


def _read_source(text: str, position: Position) -> tuple[str, int | None]:
    """Read a pile, or a card that can be seen: the pile's letters, and how many cards leave it."""
    try:
        return parse_pile(text), None
    except NotationError:
        card = parse_card(text)
    place = locate(position, card)
    if place is None:
        raise IllegalMove(f"{{{card}}} can't be seen", "only cards that lie face up can move", card=card)
    pile, above = place
    if above and pile not in COLUMNS:
        raise IllegalMove(
            f"{{{card}}} lies under {counted(above, 'other card')} of {pile_name(pile)}",
            "only the top card can leave",
            card=card,
        )
    return pile, above + 1 if pile in COLUMNS else None


def _read_target(text: str, position: Position) -> str:
    """Read a pile, or a card at the end of a column or on top of a foundation: the pile's letters."""
    try:
        return parse_pile(text)
    except NotationError:
        card = parse_card(text)
    place = locate(position, card)
    if place is None or place[1] or place[0] not in (*COLUMNS, *("f" + suit for suit in SUITS)):
        raise IllegalMove(
            f"nothing can be put on {{{card}}}", "name a column, or the card at the end of one", card=card
        )
    return place[0]


def _resolve(text: str, source: str, count: int | None, target: str, position: Position) -> Action:
    """Make an action of what was read, filling in what only one legal action can mean."""
    if source == "s" or target in ("s", "r", "w"):
        if source == "s" and target == "w":
            return parse_action(DRAW, position)
        if source == "w" and target == "s":
            return REDEAL
        raise IllegalMove(
            f"no card can be moved from {pile_name(source)} to {pile_name(target)}",
            "cards go from reserve, waste, columns and foundations to foundations and columns",
        )
    if target[0] == "f":
        if source[0] == "f":
            raise IllegalMove("a card on a foundation can only come back to a column", "name a column")
        return _resolve_up(text, source, count, target, position)
    if source in COLUMNS:
        return _resolve_shift(text, source, count, target, position)
    if source == "f":
        found = [action for action in position.legal() if action[0] == "f" and action[-1] == target]
        if len(found) != 1:
            kind = AmbiguousMove if found else IllegalMove
            raise kind(
                f"{quoted(text)} does not say which foundation",
                f"write {' or '.join(found)}" if found else "write fc, fd, fh or fs",
                candidates=found,
            )
        return found[0]
    if count not in (None, 1):
        raise IllegalMove(f"only the top card of {pile_name(source)} can leave", f"write {source}{target}")
    return parse_token(source + target)


def _resolve_up(text: str, source: str, count: int | None, target: str, position: Position) -> Action:
    cards = position.pile(source)
    if count not in (None, 1):
        raise IllegalMove(
            "only one card at a time goes to a foundation",
            "the last card of the column goes first",
            action=text,
        )
    if len(target) == 2 and cards and cards[-1] != HIDDEN and cards[-1][1] != target[1]:
        raise IllegalMove(
            f"{{{cards[-1]}}} can't go to {pile_name(target)}", "each foundation takes one suit"
        )
    return parse_token(source + "f")


def _resolve_shift(text: str, source: str, count: int | None, target: str, position: Position) -> Action:
    if source == target:
        raise IllegalMove(f"column {source} can't move onto itself", "name another column")
    if count is None:
        start = f"{source}{target}x"
        found = [action for action in position.legal() if action.startswith(start)]
        if len(found) > 1:
            raise AmbiguousMove(
                f"{quoted(text)} does not say how many cards", f"write {' or '.join(found)}", candidates=found
            )
        if found:
            return found[0]
        cards, others = position.columns[int(source) - 1], position.columns[int(target) - 1]
        # Nothing is legal: mean what comes nearest, so that the refusal can say why.
        count = (KIND[others[-1]] - KIND[cards[-1]] - 1) % KINDS + 1 if cards and others else len(cards) or 1
        count = min(count, len(cards) or 1)
    if not 0 < count <= len(PACK):
        raise _no_count(count)
    return parse_token(f"{source}{target}x{count}")


def format_action(action: Action, position: Position) -> str:
    """Return `action`, legal in `position`, in card notation: ``9h-Ts``, ``Qd-f``, ``Kd-2``, ``draw``.

    :func:`parse_action` reads it back in the same position.
    """
    if action in (DRAW, REDEAL):
        return action
    _, played = position.after(action)
    target = played.target
    if target[0] == "f":
        return f"{played.cards[0]}-f"
    column = position.columns[int(target) - 1]
    return f"{played.cards[0]}-{column[-1] if column else target}"
