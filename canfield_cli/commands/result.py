"""What a command gives back: data, sentences and what to show, but no text for a screen yet."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..engine.errors import CanfieldError
    from ..engine.game import Game
    from ..engine.position import Action

__all__ = ["Result"]


#: How long each step of a game that is played out is shown, in seconds.
PACE = 0.25


class Result:
    """The outcome of one command.

    `game` is the game afterwards, `did` the actions that were done. `said` are sentences on what happened (cards
    as ``{Qc}``), `lines` the answer proper, `board` asks for the board, `reveal` for its hidden cards, `marks` are
    piles to be marked on it, `steps` the number of last actions that are worth watching one by one, `pace` for how long
    each, in seconds.

    `data` goes into the JSON object under its own keys; `document` is an answer that is a text of its own (a
    save, a record, a schema), `stream` one that comes line by line, each with its JSON object, or None where it is
    for people alone. `filters` says that standard output belongs to the save. `error` is what the program refused,
    `exit_status` what holds where it refused nothing. `bests` say how a win stands against those before, `warnings`
    what went wrong beside the command.
    """

    __slots__ = (
        "bests",
        "board",
        "data",
        "did",
        "document",
        "error",
        "exit_status",
        "filters",
        "game",
        "lines",
        "marks",
        "pace",
        "reveal",
        "said",
        "steps",
        "stream",
        "warnings",
    )

    def __init__(
        self,
        game: Game | None = None,
        *,
        did: Sequence[Action] = (),
        said: Sequence[str] = (),
        lines: Sequence[str] = (),
        board: bool = False,
        reveal: bool = False,
        data: Mapping[str, object] | None = None,
        document: str | None = None,
        error: CanfieldError | None = None,
        stream: Iterator[tuple[str, dict[str, object] | None]] | None = None,
        steps: int = 0,
        exit_status: int = 0,
    ) -> None:
        self.game = game
        self.did = did
        self.said = said
        self.lines = lines
        self.board = board
        self.reveal = reveal
        self.data = data or {}
        self.document = document
        self.error = error
        self.stream = stream
        self.steps = steps
        self.exit_status = exit_status
        self.filters = False
        self.pace = PACE
        self.bests: Sequence[str] = ()
        self.warnings: Sequence[str] = ()
        self.marks: frozenset[str] = frozenset()

    @property
    def status(self) -> int:
        """The exit status."""
        return self.error.status if self.error else self.exit_status
