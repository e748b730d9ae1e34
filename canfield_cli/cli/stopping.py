"""How SIGTERM and SIGHUP end what holds the terminal or a game: as an exception, so that both are given back."""

from __future__ import annotations

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType

__all__ = ["Stopped", "stopping"]


class Stopped(SystemExit):
    """A signal ends the session; `status` is the exit status.

    An event loop lets it through, as it does no other exception but this kind and KeyboardInterrupt.
    """

    def __init__(self, number: int) -> None:
        self.status = 128 + number
        super().__init__(self.status)


class stopping:  # noqa: N801
    """A context in which SIGTERM and SIGHUP end the session cleanly, by raising Stopped.

    One that was ignored from the start, as under nohup, stays so.
    """

    def __enter__(self) -> None:
        def stop(number: int, _: FrameType | None) -> None:
            raise Stopped(number)

        self._usual = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        for number, usual in self._usual.items():
            if usual == signal.SIG_DFL:
                signal.signal(number, stop)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
