"""The lines typed in sessions before, for the arrow keys, and what is suggested of them."""

from __future__ import annotations

import os

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.history import History

from ..engine.errors import CanfieldError
from ..store.files import append_text, read_text, write_text
from ..store.paths import make_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document

__all__ = ["HISTORY", "LineHistory", "Suggestions"]

#: How many lines of history are kept.
HISTORY = 1000
#: A file of history that is larger, in bytes, is let alone.
LARGEST = 2**24


class LineHistory(History):
    """The lines typed before, in a private file of at most `HISTORY` lines; in memory alone without one."""

    def __init__(self, path: str | None) -> None:
        super().__init__()
        self.path = path

    def load_history_strings(self) -> Iterable[str]:
        """Yield the lines, the newest first."""
        lines = self._lines()
        if self.path and len(lines) > HISTORY:
            lines = lines[-HISTORY:]
            self._try(write_text, "".join(line + "\n" for line in lines))
        return reversed(lines)

    def store_string(self, string: str) -> None:
        """Add a line."""
        # What ends a line there is more than a newline.
        self._try(append_text, " ".join(string.splitlines()) + "\n")

    def _lines(self) -> list[str]:
        try:
            return (read_text(self.path, LARGEST) or "").splitlines() if self.path else []
        except CanfieldError:
            return []

    def _try(self, write: Callable[[str, str], None], text: str) -> None:
        """Write to the file; a history that can't be kept is no reason to stop playing."""
        if self.path:
            try:
                make_folders(os.path.dirname(self.path))
                write(self.path, text)
            except CanfieldError:
                pass


class Suggestions(AutoSuggest):
    """The rest of the last line that began as the one being typed does; `refused` are lines to leave out.

    `shown` says whether it can be told from what is typed: else nothing is suggested.
    """

    def __init__(self, shown: Callable[[], bool]) -> None:
        self.refused: set[str] = set()
        self._shown = shown

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """Return what may follow the text of `document`, by the lines that `buffer` knows."""
        typed = document.text
        if typed.strip() and self._shown():
            for line in reversed(buffer.history.get_strings()):
                if line.startswith(typed) and line not in self.refused:
                    return Suggestion(line[len(typed) :])
        return None
