"""The keys of a session, beyond those that prompt_toolkit gives a line that is typed."""

from __future__ import annotations

from prompt_toolkit.application import get_app
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Always, Condition, Filter, emacs_mode, has_focus
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.search import stop_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

__all__ = ["PAGER", "answer_keys", "line_keys"]

#: What the keys of a pager answer on an empty line: an empty one turns the page.
PAGER = {"q": "q", "c-c": "q", "c-d": "q", " ": ""}


def line_keys(press: Callable[[str, Document], None], interrupted: Callable[[], bool]) -> KeyBindings:
    """Return the keys of the line: hint, undo and redo, and what Ctrl-C does.

    `press` gets the line that a key stands for, and what is being typed; `interrupted` says whether the key before was
    Ctrl-C too, on an empty line.
    """
    keys = KeyBindings()

    def bind(line: str, *names: str) -> None:
        for name in names:
            # In vi mode ESC and a letter mean something else.
            usual: Filter = emacs_mode if name.startswith("escape") else Always()

            @keys.add(*name.split(), filter=has_focus(DEFAULT_BUFFER) & usual)
            def _(event: KeyPressEvent) -> None:
                press(line, event.current_buffer.document)

    bind("hint", "f6", "escape h")
    bind("undo", "f7", "escape u")
    bind("redo", "f8", "escape r")

    @keys.add("c-c", filter=has_focus(DEFAULT_BUFFER))
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        if event.app.layout.is_searching:
            # Else the next line would be typed to a search that nobody sees.
            stop_search()
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=EOFError if interrupted() else KeyboardInterrupt)

    @keys.add(Keys.Vt100MouseEvent, eager=True)
    def _(event: KeyPressEvent) -> None:
        # No mouse is asked for: what looks like its report was pasted, and is none.
        del event

    return keys


def answer_keys(answers: Mapping[str, str]) -> KeyBindings:
    """Return keys that each end a line that is still empty, with what `answers` say that it is then."""
    keys = KeyBindings()

    def bind(key: str, answer: str) -> None:
        @keys.add(key, filter=Condition(lambda: not get_app().current_buffer.text))
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=answer)

    for key, answer in answers.items():
        bind(key, answer)
    return keys
