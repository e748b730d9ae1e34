"""The completion scripts for bash, zsh and fish, as texts made from the table of commands.

Words that never change stand in the scripts, so that a shell answers without the program. Only what
depends on a game (`complete` is ``action`` or ``kept``) starts it, once and silently. Nothing here
writes a file. Start reading at :func:`script`. Each shell has a module, with the text of its script and what
fills the gaps in it; writing.py holds what several share.
"""

from __future__ import annotations

from . import bash, fish, zsh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..words import Commands

__all__ = ["SHELLS", "script"]

#: How to write the script for each shell.
SHELLS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}


def script(commands: Commands, shell: str) -> str:
    """Return the completion script for `shell`, one of `SHELLS`, of the program with `commands`."""
    return SHELLS[shell](commands)
