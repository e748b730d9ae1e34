"""The board in a terminal: reserve, stock and waste at the side, foundations over the columns.

A line is built of pieces, each a text and its style, and becomes a string at the very end, so
that widths are counted without the colours. Every sign that is used is one cell wide. Start
reading at :func:`board`.
"""

from __future__ import annotations

from ..engine.cards import SUITS, card_of, rank_name
from ..engine.position import COLUMNS, FULL
from .facts import draw_words, facts, notice, redeal_words
from .look import BOLD, FAINT, card_codes, card_name, styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from ..engine.cards import Card
    from ..engine.game import Game
    from ..engine.position import Pile, Position
    from .look import Look

    #: A text, and the SGR codes of its style.
    Piece = tuple[str, str]
    Line = list[Piece]

__all__ = ["board", "fact_lines"]

#: From a width on: how wide the side is and each column. Where it is narrower, the side lies on top.
LAYOUTS = ((60, 20, 8), (40, 16, 6))
#: How wide a marked card is, or one in brackets.
CELL = 6
#: The cards of the waste that are shown.
FAN = 3
#: The rows of a terminal that are left free: a blank one, what a command says, and the prompt.
SPARE = 3
#: The rows that a column has at least: its head, how many are folded, its last card.
LEAST = 3
#: How wide and tall the board may grow where no size is given.
WIDEST, TALLEST = 10_000, 10_000

#: The lines above the columns, without a blank one: the base rank, the foundations, their heights, the numbers.
HEAD = 4
#: So many tables are kept, to be shown again.
KEPT = 32
_TABLES: dict[tuple[object, ...], list[str]] = {}

SPACE = "[  ]"
MARK, MARKED = ">", "1;35"


def board(
    game: Game, look: Look, *, reveal: bool = False, marks: Collection[str] = (), told: bool = True
) -> list[str]:
    """Return the lines of the board of `game`, none wider than `look` allows.

    Only what its player may know is shown, unless `reveal`. `marks` are the letters of the piles to
    be marked (``"2"``, ``"fh"``); without `told` the facts below the board are left out. Where the height
    is limited, a long column keeps its head and its last cards and says how many are folded between them.
    """
    position = game.position if reveal else game.position.seen()
    width = WIDEST if look.width is None else look.width
    height = TALLEST if look.height is None else look.height - SPARE
    side_width, pitch = _layout(width)
    piles = _side(position, look, marks)
    facts_below = _told(game, look, width) if told else []
    revealed = _revealed(position, look, width) if reveal else []
    longest = max(map(len, position.columns))
    # Where there is no room for all, blank lines go first, then cards from the middle of long columns.
    for blanks in (1, 0):
        blank: list[Line] = [[]] * blanks
        above = [] if side_width else _stacked([_joined(pile, width) for pile in piles], 0) + blank
        below = blank + _stacked([revealed, facts_below], blanks)
        rows = height - len(above) - len(below)
        if rows >= HEAD + blanks + longest:
            break
    table = _table(position, look, frozenset(marks), (width - side_width, pitch, rows, blanks))
    if side_width:
        side = _stacked(piles, 1)
        if len(side) > max(rows, len(table)):
            side = _stacked(piles, 0)
        table = _beside(side, table, side_width, look)
    return [
        *(_paint(line, look, width) for line in above),
        *table,
        *(_paint(line, look, width) for line in below),
    ]


def _layout(width: int) -> tuple[int, int]:
    """Return how wide the side is (0 where it lies on top), and each column."""
    for least, side, pitch in LAYOUTS:
        if width >= least:
            return side, pitch
    return 0, min(width // len(COLUMNS), CELL)


# The piles.


def _side(position: Position, look: Look, marks: Collection[str]) -> list[list[Line]]:
    """Return reserve, stock and waste: of each a line that names it, and what is to be seen of it."""
    fan = position.waste[-FAN:]
    stock = [draw_words(position), redeal_words(position)]
    return [
        [_name("r", "reserve", position.reserve, marks), _fanned(position.reserve[-1:], look)],
        [_name("s", "stock", position.stock, marks), *([("  " + words, FAINT)] for words in stock if words)],
        [_name("w", "waste", position.waste, marks), _fanned(fan, look)],
    ]


def _name(pile: str, name: str, cards: Pile, marks: Collection[str]) -> Line:
    return [_mark(pile, marks), (name + " ", FAINT), (str(len(cards)), "")]


def _mark(pile: str, marks: Collection[str]) -> Piece:
    return (MARK, MARKED) if pile in marks else (" ", "")


def _fanned(cards: Pile, look: Look) -> Line:
    """Return `cards` in a row; the last, which can leave, stands out."""
    if not cards:
        return [("  ", ""), (SPACE, FAINT)]
    line: Line = [(" ", "")]
    for card in cards:
        line += [(" ", ""), *_card(card, look, bold=card is cards[-1] and len(cards) > 1)]
    return line


def _card(card: Card, look: Look, *, bold: bool = False) -> Line:
    """Return `card` in three cells, its suit in the last."""
    name = card_name(card, look)
    codes = card_codes(card, look)
    if bold:
        codes = f"{BOLD};{codes}" if codes else BOLD
    return [(" " * (3 - len(name)), ""), (name, codes)]


def _cell(line: Line, pitch: int) -> Line:
    """Return `line` as wide as a column, its end where the ends of all cells are."""
    end = min(pitch, CELL)
    width = _width(line)
    return [(" " * (end - width), ""), *line, (" " * (pitch - max(end, width)), "")]


def _table(
    position: Position, look: Look, marks: frozenset[str], room: tuple[int, int, int, int]
) -> list[str]:
    """Return the lines of the foundations and the columns; `room` is width, pitch, rows and blank lines.

    They stay as they are from draw to draw, so the last ones made are kept.
    """
    key = (
        position.base,
        position.foundations,
        position.columns,
        look.colour,
        look.four_colour,
        look.ascii,
        marks,
        room,
    )
    lines = _TABLES.get(key)
    if lines is None:
        width, pitch, rows, blanks = room
        head = [*_foundations(position, look, marks, pitch), *[[]] * blanks, _numbers(marks, pitch)]
        table = head + _columns(position, look, pitch, max(rows - len(head), LEAST))
        if len(_TABLES) >= KEPT:
            _TABLES.clear()
        lines = _TABLES[key] = [_paint(line, look, width) for line in table]
    return lines


def _foundations(position: Position, look: Look, marks: Collection[str], pitch: int) -> list[Line]:
    """Return three lines: the base rank, the top cards (or what is waited for), the heights."""
    tops: Line = []
    heights: Line = []
    for suit, height in enumerate(position.foundations):
        pile = "f" + SUITS[suit]
        card = card_of(position.base + max(height - 1, 0), suit)
        name = (card_name(card, look), card_codes(card, look) if height else FAINT)
        if height or pile in marks:
            cell = [_mark(pile, marks), name, (" ", "")]
        else:
            cell = [("[", FAINT), name, ("]", FAINT)]
        tops += _cell(cell, pitch)
        heights += _cell([(f"{height}/{FULL}", FAINT)] if height else [], pitch)
    label = " foundations, base " if pitch >= CELL else " base "
    return [[(label, FAINT), (rank_name(position.base), BOLD)], tops, heights]


def _numbers(marks: Collection[str], pitch: int) -> Line:
    """Return the line of the columns' numbers."""
    line: Line = []
    for pile in COLUMNS:
        number = [_mark(pile, marks), (pile, MARKED if pile in marks else FAINT), ("  ", "")]
        line += _cell(number, pitch)
    return line


def _columns(position: Position, look: Look, pitch: int, room: int) -> list[Line]:
    """Return the columns fanned downward, in at most `room` lines."""
    columns = [_fanned_down(column, look, room) for column in position.columns]
    return [
        [piece for column in columns for piece in _cell(column[row] if row < len(column) else [], pitch)]
        for row in range(max(map(len, columns)))
    ]


def _fanned_down(column: Pile, look: Look, room: int) -> list[Line]:
    """Return a cell for each card of `column`; if those are more than `room`, fold it behind its head."""
    if not column:
        return [[(SPACE, FAINT)]]
    cells = [[*_card(card, look), (" ", "")] for card in column]
    if len(cells) > room:
        folded = len(cells) - room + 1
        cells[1 : 1 + folded] = [[(f"+{folded}".rjust(3), FAINT), (" ", "")]]
    return cells


# What stands below.


def _revealed(position: Position, look: Look, width: int) -> list[Line]:
    """Return lines that show all of reserve and stock."""
    lines: list[Line] = []
    for name, cards in (("reserve", position.reserve), ("stock", position.stock)):
        label: Line = [(f"{name}, next card last:", FAINT)]
        lines += _fill([label, *(_card(card, look) for card in cards)], width, (" ", ""))
    return lines


def _told(game: Game, look: Look, width: int) -> list[Line]:
    """Return what the player should be told at once, and the facts."""
    separator = (look.separator, FAINT)
    notices = _words([notice(game.position)], width, BOLD)
    texts = facts(game)
    line = " " + look.separator.join(texts)
    if not look.colour and len(line) <= width:
        # As a rule all fits on one line without colours, which needs no pieces.
        return [*_fill(notices, width, separator), [(line, "")]]
    return _fill(notices, width, separator) + _fill(_words(texts, width), width, separator)


def fact_lines(texts: list[str], look: Look) -> list[str]:
    """Return lines of `texts`, a few words each, as the board has them below it."""
    width = WIDEST if look.width is None else look.width
    return [_paint(line, look, width) for line in _fill(_words(texts, width), width, (look.separator, FAINT))]


def _words(texts: list[str], width: int, codes: str = "") -> list[Line]:
    """Return `texts` as words of a line; what is too long for one is broken, at a space or hyphen if it can."""
    room = max(width - 1, 1)
    words: list[Line] = []
    for text in filter(None, texts):
        while len(text) > room:
            cut = max(text.rfind(" ", 0, room + 1), text.rfind("-", 0, room) + 1)
            cut = cut if cut > 0 else room
            words.append([(text[:cut], codes)])
            text = text[cut:].lstrip()
        words.append([(text, codes)])
    return words


# Lines.


def _width(line: Line) -> int:
    # Most of the time that a board takes is spent here; a loop is the quickest way.
    width = 0
    for text, _ in line:
        width += len(text)
    return width


def _fill(words: list[Line], width: int, gap: Piece) -> list[Line]:
    """Return lines of `words` with `gap` between them, behind a margin of one cell."""
    lines: list[Line] = []
    for word in words:
        if lines and _width(lines[-1]) + len(gap[0]) + _width(word) <= width:
            lines[-1] += [gap, *word]
        else:
            lines.append([(" ", ""), *word])
    return lines


def _stacked(blocks: list[list[Line]], blanks: int) -> list[Line]:
    """Return the lines of all `blocks` that have any, with so many blank lines between them."""
    lines: list[Line] = []
    for block in filter(None, blocks):
        lines += [[]] * (blanks if lines else 0) + block
    return lines


def _joined(pile: list[Line], width: int) -> list[Line]:
    """Return the lines of `pile` as one line if that fits."""
    line = [piece for part in pile for piece in part]
    return [line] if _width(line) <= width else pile


def _beside(left: list[Line], right: list[str], width: int, look: Look) -> list[str]:
    """Return the lines of `left`, as wide as `width`, with those of `right` behind them."""
    lines: list[str] = []
    for row in range(max(len(left), len(right))):
        line = left[row] if row < len(left) else []
        more = right[row] if row < len(right) else ""
        if more:
            lines.append(_ink(line, look, width) + " " * (width - _width(line)) + more)
        else:
            lines.append(_paint(line, look, width))
    return lines


def _clipped(line: Line, width: int) -> Line:
    """Return what fits into `width` cells of `line`."""
    clipped = []
    for text, codes in line:
        clipped.append((text[:width], codes))
        width -= len(clipped[-1][0])
    return clipped


def _paint(line: Line, look: Look, width: int) -> str:
    """Return what fits into `width` of `line`, with its colours, without blanks at its end."""
    if not look.colour:
        return _ink(line, look, width).rstrip()
    line = _clipped(line, width)
    while line and not line[-1][0].strip():
        line.pop()
    if line:
        text, codes = line[-1]
        line[-1] = (text.rstrip(), codes)
    return _ink(line, look, width)


def _ink(line: Line, look: Look, width: int) -> str:
    """Return what fits into `width` of `line`, with its colours."""
    if not look.colour:
        return "".join([text for text, _ in line])[:width]
    return "".join(styled(text, codes, look) for text, codes in _clipped(line, width))
