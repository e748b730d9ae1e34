"""The Typer program, built from the table of commands.

It owns the help, and every way of writing options that the table's own parser does
not take (``-qs FILE``). What a command does it leaves to the `run` that it is given.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from .. import __version__
from ..commands import COMMANDS
from ..commands.table import COMMON, Command, Param

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[[Command, dict[str, object]], int]

__all__ = ["build"]

_ABOUT = (
    "Canfield solitaire for the terminal, for scripts and for study. "
    "Begin with: canfield new, canfield show, canfield hint."
)


class _TableCommand(TyperCommand):
    """A command whose options may stand without a value where the table says so (``--daily``)."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        bare = {param.name: param.bare for param in COMMANDS[self.name or ""].params if param.bare}
        for i, word in enumerate(args):
            follows = args[i + 1] if i + 1 < len(args) else "--"
            if word in bare and follows.startswith("-") and follows != "-":
                args[i] = f"{word}={bare[word]}"
        return super().parse_args(ctx, args)


def build(run: Run, only: str | None = None) -> typer.Typer:
    """Return the Typer program; `run` gets the command and its values and returns the exit status.

    With `only` the name of a command, that one alone gets its parameters: making them for all takes
    as long as the interpreter's start.
    """
    app = typer.Typer(
        name="canfield",
        help=_ABOUT,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(invoke_without_command=True)
    def canfield(
        ctx: typer.Context,
        version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
    ) -> None:
        if version:
            from ..solver import backend

            typer.echo(f"canfield {__version__}, solver {backend()}")
        elif ctx.invoked_subcommand is None:
            typer.echo(ctx.get_help())

    for command in COMMANDS.values():
        app.command(
            command.name,
            cls=_TableCommand,
            help="\n\n".join(filter(None, [_sentence(command.summary), command.detail])),
            short_help=_sentence(command.summary),
            epilog=f"Example: {command.example}",
        )(_function(command, run) if only in (None, command.name) else _no_parameters)
    return app


def _no_parameters() -> None:
    """Stand for a command that is only listed."""


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + "."


def _function(command: Command, run: Run) -> Callable[..., None]:
    """Return a function with the signature that Typer makes the options and arguments from."""

    def function(**words: Any) -> None:
        values = {param.key: _value(param, words[param.key]) for param in (*command.params, *COMMON)}
        raise typer.Exit(run(command, values))

    function.__name__ = command.name
    parameters = [_parameter(param) for param in (*command.params, *COMMON)]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {param.name: param.annotation for param in parameters}
    return function


def _value(param: Param, word: Any) -> object:
    if param.many:
        return [param.value(each) for each in word or []]
    return param.value(word) if isinstance(word, str) else param.empty if word is None else word


def _parameter(param: Param) -> inspect.Parameter:
    info: Any
    if param.is_option:
        metavar = f"[{param.metavar}]" if param.bare else param.metavar
        info = typer.Option(*param.names, help=_sentence(param.meaning), metavar=metavar or None)
    else:
        metavar = param.name + "..." * param.many
        info = typer.Argument(
            help=_sentence(param.meaning),
            metavar=metavar if param.required else f"[{metavar}]",
            show_default=False,
        )
    kind: Any = bool if param.is_flag else list[str] if param.many else str
    default = inspect.Parameter.empty if param.required else False if param.is_flag else None
    if default is None:
        kind = kind | None
    return inspect.Parameter(
        param.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )
