"""JSON, as quick to load as it is to run, and strict with what comes from outside.

Importing `json` costs two thirds of what the interpreter needs to start, most of it for a
regular expression; the scanner and the encoder in C beneath it cost nothing. Where a Python has them under
other names, or not at all, `json` itself serves, with the same results.
"""

from __future__ import annotations

from .errors import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    Scan = Callable[[str, int], tuple[Any, int]]
    Encode = Callable[[object], str]

__all__ = ["JsonFault", "read_json", "write_json"]

#: Every number of this many digits is exact in any language's JSON.
LONGEST_NUMBER = 15
#: So many lists and objects may lie in each other: what a scanner can take differs from Python to Python.
DEEPEST = 100
_INFINITY = float("inf")
_WHITE = " \t\n\r"


class JsonFault(ValueError):
    """A text is not JSON, or JSON that the program refuses; `at` is where, or -1.

    The message goes on from the name of what was read: "is nested too deeply".
    """

    def __init__(self, message: str, at: int = -1, *, ends_early: bool = False) -> None:
        super().__init__(message)
        self.at = at
        self.ends_early = ends_early

    def place(self, text: str) -> str:
        """Return where in `text` it is: ``, see line 3, column 1``, or nothing."""
        if self.at < 0:
            return ""
        before = text[: self.at]
        return f", see line {before.count(chr(10)) + 1}, column {self.at - before.rfind(chr(10))}"


def read_json(text: str) -> object:
    """Return the value of the JSON `text`.

    Raises JsonFault where it is broken, nested too deep, names a key twice, or holds a number that
    is none (NaN) or out of all bounds.
    """
    start = len(text) - len(text.lstrip(_WHITE))
    try:
        try:
            value, end = _scan(text, start)
        except SystemError:
            # What is wrong, the scanner in C tells by an error of `json.decoder`, once that is loaded.
            import json.decoder  # noqa: F401

            value, end = _scan(text, start)
    except StopIteration as stop:
        raise _broken(text, stop.value) from None
    except RecursionError:
        raise JsonFault("is nested too deeply") from None
    except JsonFault:
        raise
    except ValueError as error:
        raise _broken(text, getattr(error, "pos", -1)) from None
    if rest := text[end:].lstrip(_WHITE):
        raise JsonFault("goes on after its end", len(text) - len(rest))
    if text.count("[") + text.count("{") > DEEPEST:
        _check_depth(value)
    return value


def _check_depth(value: object) -> None:
    level: list[Any] = [[value]]
    for _ in range(DEEPEST + 1):
        inner = [each for outer in level for each in (outer.values() if isinstance(outer, dict) else outer)]
        level = [each for each in inner if isinstance(each, dict | list)]
        if not level:
            return
    raise JsonFault("is nested too deeply")


def _broken(text: str, at: int) -> JsonFault:
    whole = text.rstrip(_WHITE)
    return JsonFault("is not JSON", at, ends_early=at >= len(whole) or whole[-1] not in "]}")


def write_json(value: object) -> str:
    """Return `value` as JSON on one line, in ASCII."""
    return _encode(value)


# What the scanner makes of a text.


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        # The second time a key is no longer there to be taken out.
        twice = next(key for key, _ in pairs if made.pop(key, pairs) is pairs)
        raise JsonFault(f"has the key {quoted(twice)} twice")
    return made


def _whole(text: str) -> int:
    digits = len(text.lstrip("-"))
    if digits > LONGEST_NUMBER:
        raise JsonFault(f"has a number of {digits} digits, {quoted(text[:LONGEST_NUMBER])} and so on")
    return int(text)


def _fraction(text: str) -> float:
    number = float(text)
    if abs(number) == _INFINITY:
        raise JsonFault(f"has the number {quoted(text)}, which is too large")
    return number


def _constant(text: str) -> NoReturn:
    raise JsonFault(f"says {text}, which is not a number")


def _refuse_type(value: object) -> NoReturn:
    raise TypeError(f"{value!r} has no form in JSON")


class _Hooks:
    """The hooks above under the names by which a scanner asks for them."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_object)
    parse_int = staticmethod(_whole)
    parse_float = staticmethod(_fraction)
    parse_constant = staticmethod(_constant)


def _quick() -> tuple[Scan, Encode]:
    """Return the scanner and the encoder in C. Raises ImportError, TypeError where they are not as expected."""
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    encode = make_encoder(
        None, _refuse_type, encode_basestring_ascii, None, ": ", ", ", False, False, False
    )  # fmt: skip
    scan: Scan = make_scanner(_Hooks)  # type: ignore[arg-type]
    return scan, lambda value: "".join(encode(value, 0))


def _usual() -> tuple[Scan, Encode]:
    """Return the scanner and the encoder of `json`."""
    from json import JSONDecoder, JSONEncoder

    decoder = JSONDecoder(
        object_pairs_hook=_object, parse_int=_whole, parse_float=_fraction, parse_constant=_constant
    )
    scan: Scan = decoder.scan_once  # type: ignore[attr-defined]
    return scan, JSONEncoder(allow_nan=False, default=_refuse_type).encode


try:
    _scan, _encode = _quick()
except (ImportError, TypeError, AttributeError):
    _scan, _encode = _usual()
