"""How anything is spoilt: a text in its pieces, JSON in its structure, both with what no reader expects.

Each takes a source of chance, what is to be spoilt, another input to take from, and the words that its reader knows.
"""

import functools
import json
import re
import string

#: What no reader expects: what a terminal obeys, what looks like something else, what is far too large.
ODD = (
    "\x00", "\x07", "\x1b[31m", "\x1b]0;title\x07", "\x7f", "\x85", "\x9b2J", "\u200b", "\u202e", "\u2066", "\u2028",
    "\ufeff", "\ufe0f", "\ud800", "\udcff", "\U000e0041", "\r", "\n", "\t", "\x0b", "\x0c", " ", "٣", "²", "½", "Ⅷ",
    "\u212a", "ſ", "İ", "ß", "é", "e\u0301", "♥", "🂡", "{", "}", "`", "\\", "'", '"', "#", ";", ",", "/", "-", "--",
    "..", "%s", "%n", "{0}", "$HOME", "~", "*", "0", "-0", "-1", "00", "1.5", "1e5", "1e999", "1_000", "0x10", "NaN",
    "nan", "inf", "-Infinity", "true", "false", "null", "None", "[]", "{}", "10000000000", "9" * 15, "9" * 21,
    "18446744073709551616", "canfield", "game.json", "x" * 200,
)  # fmt: skip
#: JSON of more letters is not taken apart: that takes long, and much memory.
LONG = 2**15
#: What is written over and over has no more letters than twice as many: no reader takes more.
LARGEST = 2**22
#: So often a piece is written over and over.
MANY = (2, 3, 20, 400, 20_000)
#: A word, a number, or any single letter; and where the next one of them begins.
_PIECE = re.compile(r"[A-Za-z_]{1,80}|\d{1,80}|\s{1,80}|.", re.DOTALL)
_START = re.compile(r"(?<![A-Za-z_])(?=[A-Za-z_])|(?<!\d)(?=\d)|(?<!\s)(?=\s)|(?=[^A-Za-z_\d\s])|\Z")
#: How a JSON text may be laid out.
_LAYOUTS = tuple(
    json.JSONEncoder(ensure_ascii=ascii_only, separators=separators).encode
    for ascii_only in (True, False)
    for separators in ((", ", ": "), (",\n ", ": "))
)


def spoil_text(rng, text, other, words):
    """Change `text` in one to three places, with pieces of itself, of `other`, or with `words`."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        how = rng.randrange(9)
        # A number, a word or a letter alone is changed, changes its place or comes again somewhere else.
        least = rng.choice((0, 1, 1, 1, 2, rng.randrange(1, 9), rng.randrange(1, 200))) if how < 6 else 1
        start, end = _span(rng, text, least)
        piece = text[start:end]
        if how == 0:
            piece = ""
        elif how == 1:
            piece = rng.choice(words)
        elif how == 2:
            piece = rng.choice(ODD)
        elif how == 3:
            piece = rng.choice(words) + piece
        elif how == 4:
            cut = rng.randrange(len(other) + 1)
            piece = other[cut : cut + rng.choice((1, 5, 50, 1000))]
        elif how == 5:
            many = rng.choice(MANY[:3] if rng.random() < 0.99 else MANY)
            piece *= min(many, LARGEST // max(len(piece), 1) + 1)
        elif how == 6:
            piece = _spoil_piece(rng, piece)
        else:
            low, high = _span(rng, text, 1)
            again = text[low:high]
            if how == 7 and end <= low:
                text = text[:low] + piece + text[high:]
            piece = again if how == 7 else again.swapcase()
        text = text[:start] + piece + text[end:]
    return text


def _span(rng, text, pieces):
    """Return where so many pieces begin and end that follow each other anywhere in `text`."""
    at = rng.randrange(len(text) + 1)
    start = end = _START.search(text, at, at + 80).start()
    while pieces and (found := _PIECE.match(text, end)):
        pieces, end = pieces - 1, found.end()
    return start, end


def _spoil_piece(rng, piece):
    """Change a number by a little or much, a word by a letter."""
    if piece.isascii() and piece.isdigit() and len(piece) < 20:
        number = int(piece)
        return str(rng.choice((number + 1, number - 1, -number, number * 10, number * 2**32, 0)))
    at = rng.randrange(len(piece) + 1)
    return piece[:at] + rng.choice(string.printable) + piece[at + rng.randrange(2) :]


def spoil_json(rng, text, other, words):
    """Change a JSON text in its structure: a value anywhere in it, a key, the order, the depth."""
    if len(text) > LONG or not (found := _parsed(text)):
        return spoil_text(rng, text, other, words)
    (value,) = found
    for _ in range(rng.choice((1, 1, 2))):
        value = _change(rng, value, odd_value(rng, other, words))
    return rng.choice(_LAYOUTS)(value)


@functools.lru_cache(512)
def _parsed(text):
    """Return a tuple of the value of a JSON text, empty where it is none. Nobody may change the value."""
    try:
        return (json.loads(text),)
    except (ValueError, RecursionError):
        return ()


def odd_value(rng, other, words):
    """Return a value for JSON that is out of the way, or one from anywhere in the JSON text `other`."""
    how = rng.randrange(6)
    if how == 0:
        return rng.choice(
            (None, True, False, 0, -1, 1, 1.5, -0.0, 2**31, 10**14, 10**15, 1e300, 5e-324, "", [], {})
        )
    if how == 1:
        return rng.choice(ODD)
    if how == 2:
        return rng.choice(words)
    if how == 3:
        return [rng.choice(words)] * rng.choice(MANY[:4])
    if how == 4:
        deep = rng.choice(words)
        for _ in range(rng.choice((1, 5, 200))):
            deep = rng.choice(([deep], {"a": deep}))
        return deep
    value = _parsed(other)
    while value and isinstance(value, tuple | list | dict) and rng.random() < 0.8:
        value = rng.choice(list(value.values()) if isinstance(value, dict) else value)
    return value


def _change(rng, value, new):
    """Return a copy of `value` with something in it changed to `new`, taken out, doubled or moved."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        value = value.copy()
        place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        how = rng.randrange(8)
        if how == 0:
            del value[place]
        elif how == 1 and isinstance(value, dict):
            value[str(new)[:300]] = value[place]
        elif how == 2 and isinstance(value, list):
            value.insert(rng.randrange(len(value) + 1), value[place])
        elif how == 3 and isinstance(value, list):
            rng.shuffle(value)
        else:
            value[place] = _change(rng, value[place], new)
        return value
    # A number of thousands of digits can't be written.
    if type(value) in (int, float) and abs(value) < 1e300 and rng.random() < 0.5:
        return rng.choice((value + 1, value - 1, -value, value * 2, 0.5, str(value)))
    return new
