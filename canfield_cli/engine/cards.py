"""Cards: ranks, suits, the pack, and the ring of kinds on which building down is one step.

A card is its two-character name, ``"Qc"``, ``"Th"``: the same string in the
engine, in a save and in JSON, so that nothing is ever converted. This module
reads generously (:func:`parse_card`) and knows no rule of the game but the ring.

The ring. A *kind* is a rank with a colour; there are 26. Numbered so that
``kind % 13`` is the rank and ``kind % 2`` the colour, building down in
alternating colours (K follows A) is always the step from `k` to ``k - 1``
modulo 26. So a card goes on another when their kinds differ by one, and the part
of a column that fits on a card has as many cards as their kinds lie apart.
"""

from __future__ import annotations

from .errors import NotationError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NewType

    Card = NewType("Card", str)
else:
    Card = str

__all__ = [
    "HIDDEN",
    "KIND",
    "KINDS",
    "PACK",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "SUIT_NAMES",
    "Card",
    "card_of",
    "is_red",
    "parse_card",
    "parse_rank",
    "rank_name",
]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
#: How many kinds there are: 13 ranks in 2 colours.
KINDS = 26

#: The pack: clubs A to K, then diamonds, hearts, spades.
PACK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
#: A card that the player may not know stands as this in a player's view.
HIDDEN = Card("??")

#: Rank of a card, 0 for A to 12 for K.
RANK: dict[Card, int] = {card: i % 13 for i, card in enumerate(PACK)}
#: Suit of a card, 0 to 3 in the order of SUITS.
SUIT: dict[Card, int] = {card: i // 13 for i, card in enumerate(PACK)}
#: Kind of a card on the ring, 0 to 25; the red kinds are the odd ones.
KIND: dict[Card, int] = {
    card: RANK[card] if RANK[card] % 2 == (card[1] in "dh") else RANK[card] + 13 for card in PACK
}

_RANK_WORDS = {"10": "T", "1": "A"}
_SUIT_SIGNS = {
    **dict(zip("♣♦♥♠", SUITS, strict=True)),
    **dict(zip("♧♢♡♤", SUITS, strict=True)),
}


def card_of(rank: int, suit: int) -> Card:
    """Return the card of `rank` (taken modulo 13) and `suit` (0 to 3)."""
    return PACK[suit * 13 + rank % 13]


def rank_name(rank: int) -> str:
    """Return what people read for `rank` (0 to 12): ``A``, ``10``."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def is_red(card: Card) -> bool:
    """Say whether `card` is a diamond or a heart."""
    return card[1] in "dh"


def parse_rank(text: str) -> int:
    """Read a rank, ``A`` to ``K`` or ``10``, in any case; 0 for A to 12 for K.

    Raises NotationError.
    """
    rank = _RANK_WORDS.get(text, text.upper())
    if len(rank) != 1 or rank not in RANKS:
        raise NotationError(f"{quoted(text)} is not a rank", f"the ranks are {' '.join(RANKS)}")
    return RANKS.index(rank)


def parse_card(text: str) -> Card:
    """Read a card: ``Qc``, ``QC``, ``10h``, ``Q♣``; spaces around it don't matter.

    Raises NotationError.
    """
    if text in RANK:
        # Where there are very many, most are written so.
        return Card(text)
    name = text.strip().rstrip("\ufe0e\ufe0f")
    suit = _SUIT_SIGNS.get(name[-1:], name[-1:].lower())
    rank = _RANK_WORDS.get(name[:-1], name[:-1].upper())
    card = Card(rank + suit)
    if card not in RANK:
        raise NotationError(f"{quoted(text)} is not a card", "a card is a rank and a suit, as in Qc or Th")
    return card
