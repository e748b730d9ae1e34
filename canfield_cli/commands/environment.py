"""The world around the program, in one value, so that a test can pass another."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TextIO

__all__ = ["Environment"]


class Environment:
    """The world around the program: streams, variables, clock and chance; a test passes its own."""

    __slots__ = ("entropy", "environ", "now", "stderr", "stdin", "stdout", "umask")

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        *,
        umask: int = 0o077,
    ) -> None:
        self.stdin = stdin or sys.stdin
        # A stream that was closed before the start is None; nothing is written to it then.
        self.stdout = stdout or sys.stdout or open(os.devnull, "w")  # noqa: SIM115
        self.stderr = stderr or sys.stderr or open(os.devnull, "w")  # noqa: SIM115
        self.environ = os.environ if environ is None else environ
        self.now = now
        self.entropy = entropy
        #: What of the permissions of a file is left away that is not for its owner only.
        self.umask = umask
