"""What TAB offers on a terminal; which words may be typed is in completer.py."""

from __future__ import annotations

from prompt_toolkit.completion import Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from ..render.look import pretty
from .completer import FILES, complete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.completion import CompleteEvent

    from ..engine.game import Game
    from ..render.look import Look
    from .session import Session

__all__ = ["SessionCompleter"]


class SessionCompleter(Completer):
    """The words of completer.py for prompt_toolkit: for `session`, its `game` and the `look` as they are at each TAB."""

    def __init__(self, session: Session, game: Callable[[], Game | None], look: Callable[[], Look]) -> None:
        self._session = session
        self._game = game
        self._look = look

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what may stand at the cursor."""
        before = document.text_before_cursor
        start = "" if before[-1:].isspace() else (before.split() or [""])[-1]
        look = self._look()
        look.colour = False
        for word, meaning in complete(self._session, self._game(), before):
            if (word, meaning) == FILES:
                part = Document(start, len(start))
                yield from PathCompleter(expanduser=True).get_completions(part, complete_event)
            else:
                yield Completion(word, -len(start), display_meta=pretty(meaning, look))
