from collections.abc import Callable, Iterable

from ._problem import Game, Move, Problem

NAME: str

def search(
    problem: Problem,
    games: list[Game],
    attempts: Iterable[tuple[int, int]],
    max_states: int,
    max_stored: int,
    pulse: Callable[[], str],
) -> tuple[str, list[Move], int]: ...
