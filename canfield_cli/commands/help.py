"""Help made from the table of commands, for the REPL and for ``canfield help``."""

from __future__ import annotations

from .result import Result
from .table import COMMON, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .context import Context
    from .table import Command, Param

__all__ = ["help_", "help_on"]


def help_(_: Context, *, command: str | None) -> Result:
    """List the commands of the shell, or explain one."""
    from . import COMMANDS

    return help_on(COMMANDS, command)


def help_on(commands: Mapping[str, Command], name: str | None) -> Result:
    """Explain the command `name`, or list `commands`. Raises UsageError."""
    if name is None:
        rows = [(command.usage, command.summary) for command in commands.values()]
        return Result(
            lines=[
                *_aligned(rows),
                "",
                "help COMMAND explains one. In play d draws, h hints, u undoes.",
                "Actions stand by themselves there: wf r2 24x3 9h-Ts.",
                "The piles: s stock, w waste, r reserve, 1 to 4 columns, f a card's foundation.",
            ],
            data={"commands": {command.name: command.summary for command in commands.values()}},
        )
    command = find(commands, name)
    lines = [command.usage, "", *(f"  {line}" for line in (command.summary, command.detail) if line)]
    own = [(_written(param), param.help) for param in command.params]
    if own:
        lines += ["", *_aligned(own)]
    lines += ["", "with every command:", *_aligned([(_written(param), param.help) for param in COMMON])]
    lines += ["", f"for example: {command.example}"]
    return Result(lines=lines, data=_data(command))


def _data(command: Command) -> dict[str, object]:
    """Return the help on `command` as JSON has it."""
    return {
        "command": command.name,
        "usage": command.usage,
        "summary": command.summary,
        "detail": command.detail,
        "arguments": [_param_data(param) for param in command.arguments],
        "options": [_param_data(param) for param in command.options],
        "example": command.example,
    }


def _param_data(param: Param) -> dict[str, object]:
    return {
        "names": param.names,
        "value": param.metavar or None,
        "help": param.help,
        "choices": list(param.choices),
    }


def _written(param: Param) -> str:
    return f"{', '.join(param.names)} {param.metavar}".rstrip()


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(left) for left, _ in rows)
    return [f"  {left:<{width}}  {right}" for left, right in rows]
