"""What a target is: one reader of the program, what it knows, and how its input is made, spoilt and read."""

from soundness import assert_harmless
from spoiling import spoil_json, spoil_text

from canfield_cli.engine.cards import PACK, RANKS
from canfield_cli.engine.errors import CanfieldError
from canfield_cli.engine.rules import OPTIONS, PRESETS

CARDS = (*PACK, *(card.upper() for card in PACK[:13]), "10h", "Q♣", "1s", "??", "Zz", "2c3d", "-")
ACTIONS = ("draw", "redeal", "wf", "rf", "w1", "r2", "1f", "12x1", "24x3", "fh2", "f1", "w", "9h-Ts", "Qd-f", "Kd-2",
           "column", "waste", "to", "hearts foundation", "12x", "x", "1x99", "sw", "ws", "ff", "11x1", "s", "r", "t2",
           "foundation-h", "10h-2")  # fmt: skip
RULE_WORDS = tuple(word for option in OPTIONS.values() for word in (option.name, *option.values))
WORDS = (*CARDS, *ACTIONS, *RULE_WORDS, *PRESETS, *RANKS)


class Target:
    """One reader, with a `folder` of its own for what it writes."""

    #: What it knows.
    words = WORDS
    #: How many bytes the reader of its file lets through.
    limit = 2**20
    #: It is text of a file: no half of a surrogate pair gets into it.
    is_file = True

    def __init__(self, folder):
        self.folder = folder

    def make(self, rng):
        """Return a sound input."""
        raise NotImplementedError

    def spoil(self, rng, text, other):
        """Return `text` with something changed."""
        return spoil_text(rng, text, other, self.words)

    def read(self, text):
        """Have `text` read; raise CanfieldError where it is refused, AssertionError where something does not hold."""
        raise NotImplementedError

    def fitted(self, text):
        """Return as much of `text` as can come to this reader."""
        if self.is_file:
            text = text.encode("utf-8", "replace").decode()
        return text[: self.limit]

    def attempt(self, text):
        """Have `text` read, whatever it is; whether it was taken."""
        try:
            self.read(self.fitted(text))
        except CanfieldError as error:
            assert_harmless(error)
            return False
        return True


class JsonTarget(Target):
    """A reader of JSON, which is spoilt in its structure more often than in its letters."""

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_json, spoil_text))(rng, text, other, self.words)
