"""The rule options and the presets, as data.

`OPTIONS` is the one place where a rule option is named, its values are listed
and put into words; `PRESETS` is the table of named sets. A `Rules` value is a full
set of options under the name of the preset it came from. What an option does
stands where it acts (position.py, game.py, scoring.py), never here.
"""

from __future__ import annotations

from .errors import RulesError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Value = int | str | bool | None

__all__ = [
    "DEFAULT_PRESET",
    "OPTIONS",
    "PRESETS",
    "PRESET_DETAILS",
    "PRESET_NOTES",
    "Option",
    "Rules",
    "preset",
]

DEFAULT_PRESET = "standard"
_YES_NO: dict[str, Value] = {"yes": True, "no": False}
_UNLIMITED: dict[str, Value] = {"unlimited": None}
#: The largest limit that `redeals` and `undo_limit` take.
LARGEST_LIMIT = 1_000_000


class Option:
    """A rule option: its `name`, its named `values` (word to value), and what it means.

    `number` allows any whole number from 0 too. `says` gives, for each value word,
    the sentence in which ``canfield rules PRESET`` tells it; ``{n}`` stands for the number.
    """

    __slots__ = ("help", "name", "number", "says", "values")

    def __init__(
        self, name: str, values: dict[str, Value], help: str, says: dict[str, str], *, number: bool = False
    ) -> None:
        self.name = name
        self.values = values
        self.help = help
        self.says = says
        self.number = number

    def parse(self, word: object) -> Value:
        """Return the value that `word` (text, or a number or truth value of JSON) stands for.

        Raises RulesError, which lists the words that are taken.
        """
        text = str(word).lower() if isinstance(word, str | int) and not isinstance(word, bool) else None
        if text is not None:
            if text in self.values:
                return self.values[text]
            if self.number and text.isascii() and text.isdigit() and len(text) <= 7:
                number = int(text)
                if number <= LARGEST_LIMIT:
                    return number
        raise RulesError(f"{quoted(word)} is no value of {quoted(self.name)}", f"it takes {self.words}")

    def format(self, value: Value) -> int | str:
        """Return the word for `value`; a number stays one. The inverse of `parse`."""
        for word, known in self.values.items():
            if known is value or (known == value and type(known) is type(value)):
                return int(word) if word.isdigit() else word
        assert isinstance(value, int), value
        return value

    @property
    def words(self) -> str:
        """The values that are taken, for a sentence."""
        words = [*self.values, *(["a number"] if self.number else [])]
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))

    def sentence(self, value: Value) -> str:
        """Say in words what `value` means."""
        word = str(self.format(value))
        return self.says.get(word, self.says.get("n", "")).replace("{n}", word)


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "draw",
            {"3": 3, "1": 1},
            "cards turned at a time",
            {
                "3": "A draw turns three cards onto the waste, one by one, so the last of them is on top.",
                "1": "A draw turns one card onto the waste.",
            },
        ),
        Option(
            "runs",
            {"any": "any", "top-or-whole": "top-or-whole", "whole": "whole"},
            "what may move from one column to another",
            {
                "any": "Any part of a column may move to another column, from one card to all of it.",
                "top-or-whole": "From column to column only the last card or the whole column moves.",
                "whole": "From column to column only whole columns move.",
            },
        ),
        Option(
            "fill",
            {"any": "any", "waste": "waste"},
            "who may enter an empty column once the reserve is empty",
            {
                "any": "Once the reserve is empty, any card or run that may move may enter an empty column.",
                "waste": "Once the reserve is empty, only the waste's top card may enter an empty column.",
            },
        ),
        Option(
            "base_build",
            _YES_NO,
            "may a card be built on a base-rank card in a column",
            {
                "yes": "The card of the rank just below the base may be built on a base-rank card in a column.",
                "no": "Nothing may be built on a base-rank card in a column.",
            },
        ),
        Option(
            "takeback",
            _YES_NO,
            "may the top card of a foundation come back to a column",
            {
                "yes": "The top card of a foundation may come back to a column where it fits.",
                "no": "A card on a foundation stays there.",
            },
        ),
        Option(
            "redeals",
            _UNLIMITED,
            "how often the waste may be turned over",
            {
                "unlimited": "The waste may be turned over as often as you like.",
                "0": "The waste may not be turned over.",
                "1": "The waste may be turned over once.",
                "n": "The waste may be turned over {n} times.",
            },
            number=True,
        ),
        Option(
            "undo_limit",
            _UNLIMITED,
            "how many of the last actions can be undone",
            {
                "unlimited": "Every action can be undone.",
                "0": "Nothing can be undone.",
                "1": "Only the last action can be undone.",
                "n": "The last {n} actions can be undone.",
            },
            number=True,
        ),
        Option(
            "undo_score",
            {"refund": "refund", "keep": "keep"},
            "does undoing an action take back its points",
            {
                "refund": "An undo gives back the score from before.",
                "keep": "An undo leaves the score as it is.",
            },
        ),
        Option(
            "undo_counts",
            _YES_NO,
            "is an undo counted as a move",
            {"yes": "An undo counts as a move.", "no": "An undo takes its move off the count."},
        ),
        Option(
            "finish",
            {"manual": "manual", "auto": "auto"},
            "do the last cards go up by themselves",
            {
                "manual": "You send every card up yourself.",
                "auto": "Once stock, waste and reserve are empty and sending cards up is enough to win, "
                "they go up by themselves.",
            },
        ),
        Option(
            "scoring",
            {"cards": "cards", "bonus": "bonus", "moves": "moves", "casino": "casino", "bsd": "bsd"},
            "how the game is scored",
            {
                "cards": "Each card put on a foundation scores 5, and the score never falls below 0.",
                "bonus": "Each card that stands on a foundation scores 5; a win scores 500 more, "
                "and a time bonus of 1,200 less one a second.",
                "moves": "There are no points: moves, time and cards up are kept.",
                "casino": "The pack costs 50, and each card that stands on a foundation, "
                "the base card too, pays 5; all 52 pay 500.",
                "bsd": "The cards cost 13, the first action 13, the first draw 26, each redeal 5 and each "
                "minute 1; each card that stands on a foundation, the base card too, pays 5.",
            },
        ),
        Option(
            "clock",
            _YES_NO,
            "is the playing time shown",
            {"yes": "The playing time is shown.", "no": "The playing time is not shown."},
        ),
    )
}


class Rules:
    """One full set of rule options (`OPTIONS` says what each means), immutable.

    `preset` is the name it was begun under. Values are Python's own: True and
    False for yes and no, None for unlimited.
    """

    __slots__ = (
        "_changes",
        "_words",
        "base_build",
        "clock",
        "draw",
        "fill",
        "finish",
        "preset",
        "redeals",
        "runs",
        "scoring",
        "takeback",
        "undo_counts",
        "undo_limit",
        "undo_score",
    )

    preset: str
    draw: int
    runs: str
    fill: str
    base_build: bool
    takeback: bool
    redeals: int | None
    undo_limit: int | None
    undo_score: str
    undo_counts: bool
    finish: str
    scoring: str
    clock: bool
    _words: dict[str, int | str]
    _changes: dict[str, int | str]

    def __init__(self, preset: str, options: Mapping[str, object]) -> None:
        """Take a value word for each of `OPTIONS`. Raises RulesError where one is missing, unknown or wrong."""
        if missing := [name for name in OPTIONS if name not in options]:
            raise RulesError(
                f"the rules don't say {quoted(missing[0])}", f"it takes {OPTIONS[missing[0]].words}"
            )
        object.__setattr__(self, "preset", preset)
        for name, word in options.items():
            object.__setattr__(self, _option(name).name, OPTIONS[name].parse(word))
        words = {name: option.format(getattr(self, name)) for name, option in OPTIONS.items()}
        object.__setattr__(self, "_words", {"preset": preset, **words})
        today = PRESETS.get(preset, {})
        changes = {name: word for name, word in words.items() if today.get(name) != word}
        object.__setattr__(self, "_changes", changes)

    @classmethod
    def of(cls, words: Mapping[str, object]) -> Rules:
        """Return the rules whose :meth:`words` these are. Raises RulesError."""
        options = dict(words)
        return cls(str(options.pop("preset")), options)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("rules can't be changed; use replace()")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._words == other._words

    def __hash__(self) -> int:
        return hash(tuple(self._words.items()))

    def __repr__(self) -> str:
        changes = "".join(f", {name}={value!r}" for name, value in self.changes().items())
        return f"preset({self.preset!r}{changes})"

    def replace(self, **options: object) -> Rules:
        """Return these rules with some options changed, each given as its word. Raises RulesError."""
        return Rules.of(self._words | {_option(name).name: word for name, word in options.items()})

    def words(self) -> dict[str, int | str]:
        """Return the preset's name and each option's word, in the order of `OPTIONS`, as JSON has them."""
        return dict(self._words)

    def changes(self) -> dict[str, int | str]:
        """Return the options that differ from the preset of this name as it is today."""
        return dict(self._changes)


def _option(name: str) -> Option:
    if name not in OPTIONS:
        raise RulesError(f"there is no rule option {quoted(name)}", f"the options are {', '.join(OPTIONS)}")
    return OPTIONS[name]


def _table(text: str) -> dict[str, dict[str, int | str]]:
    """Read the table below: a preset on each line, its options in the order of `OPTIONS`."""
    rows = (line.split() for line in text.strip().splitlines())
    return {
        row[0]: {
            name: int(word) if word.isdigit() else word for name, word in zip(OPTIONS, row[1:], strict=True)
        }
        for row in rows
    }


#: The presets by name, the default first: each option's word.
PRESETS = _table("""
standard   3  any           any    yes  yes  unlimited  100        refund  no   manual  cards   no
easy       1  any           any    yes  yes  unlimited  100        refund  no   manual  cards   no
modern     3  any           any    yes  yes  unlimited  unlimited  keep    yes  auto    moves   yes
classic    3  top-or-whole  waste  yes  no   unlimited  unlimited  refund  no   manual  bonus   yes
gilded     3  any           any    yes  no   unlimited  unlimited  refund  no   manual  cards   yes
casino     3  top-or-whole  any    yes  no   unlimited  0          keep    no   manual  casino  no
bsd        3  whole         any    yes  no   unlimited  0          keep    no   manual  bsd     yes
published  3  any           any    no   no   unlimited  unlimited  refund  no   manual  cards   no
""")

#: What each preset is for, in a line.
PRESET_NOTES = {
    "standard": "the default: draw three, take cards back, undo the last hundred actions",
    "easy": "as standard, but one card is turned at a time",
    "modern": "undo as you like, but each undo is a move; moves and time are what counts",
    "classic": "whole columns or their last card, spaces from the waste only, a time bonus",
    "gilded": "draw three, cards stay up, against the clock",
    "casino": "buy the pack for 50, win 5 back for each card up; no undo",
    "bsd": "the prices of BSD's game, by the minute; whole columns only, no undo",
    "published": "the rules behind the published figures on winnable deals",
}

#: What else is to be said of a preset.
PRESET_DETAILS = {
    "bsd": "Where this differs from BSD's game: there the first three cards of the stock are turned with the deal, "
    "here nothing is, as in every other preset. There the program fills a space once the move is done; here the move itself "
    "fills it, so that no position has a space while the reserve has cards. There cards up pay only once the hand "
    "is paid for, here at once, so that the score follows from the actions alone. The dollar for each card that "
    "counting cards makes known is not taken: what you have seen of the waste is yours to look at.",
}


def preset(name: str = DEFAULT_PRESET, **options: object) -> Rules:
    """Return the rules of the preset `name`, with `options` changed (each given as its word).

    >>> preset("easy").draw
    1
    >>> preset("standard", redeals=2).redeals
    2

    Raises RulesError.
    """
    if name not in PRESETS:
        raise RulesError(f"there is no preset {quoted(name)}", f"the presets are {', '.join(PRESETS)}")
    rules = Rules(name, PRESETS[name])
    return rules.replace(**options) if options else rules
