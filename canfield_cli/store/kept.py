"""The games that others took the place of: the last 50, each a save in a folder beside the current one.

The folder of ``game.json`` is ``game.json.kept``, its files are ``1.json``, ``2.json`` and so on.
Nothing here is safe from other commands unless the save is locked.
"""

from __future__ import annotations

import os
import time

from ..engine.errors import SaveError, SystemRefused, counted
from .files import check_maker, check_regular, read_text, refused, target_of, write_bytes
from .save import read_save

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.game import Game

__all__ = ["MOST", "KeptGame", "forget", "keep", "kept", "kept_file", "take", "trim", "worth_keeping"]

#: So many games are kept; then the oldest goes.
MOST = 50
_ENDING = ".json"
#: The most digits that a number has.
_DIGITS = 9


class KeptGame:
    """What a list says of a kept game: its `number`, whose it is, when it was last played, and how far it came.

    `player` is empty for the owner, `daily` the day whose deal it is, or None. `fault` says why it can't be taken
    up, or is None. Its save has not been checked further than that.
    """

    __slots__ = ("cards_up", "code", "daily", "fault", "moves", "number", "player", "preset", "when", "won")

    def __init__(
        self,
        number: int,
        when: float,
        preset: str = "",
        code: str | None = None,
        moves: int = 0,
        cards_up: int = 0,
        fault: str | None = None,
        *,
        won: bool = False,
        player: str = "",
        daily: str | None = None,
    ) -> None:
        self.number = number
        self.when = when
        self.preset = preset
        self.code = code
        self.moves = moves
        self.cards_up = cards_up
        self.fault = fault
        self.won = won
        self.player = player
        self.daily = daily

    @property
    def data(self) -> dict[str, object]:
        """The JSON object of it."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def line(self) -> str:
        """A line on it for people."""
        return "  ".join(filter(None, (f"{self.number:>4}", self.day, self.player, self.words)))

    @property
    def day(self) -> str:
        """The time at which it was last played, in the zone of this place."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.when))

    @property
    def words(self) -> str:
        """What game it is and how far it came."""
        if self.fault is not None:
            return f"broken: {self.fault}"
        deal = f"daily {self.daily}" if self.daily else self.code or "-"
        up = "won" if self.won else f"{self.cards_up} up"
        return f"{self.preset:<9}  {deal:<18}  {counted(self.moves, 'move')}, {up}"


def worth_keeping(game: Game) -> bool:
    """Say whether anything is lost when `game` goes: actions, or a beginning that has no code."""
    return bool(game.done or game.undone) or game.deal is None


def keep(path: str) -> int | None:
    """Keep the save at `path` as it is, broken or not; return its number, None where there is no save.

    It stays current too until another takes its place; after that, :func:`trim`.
    Raises SaveError where something other than a file is there, and SystemRefused.
    """
    try:
        target = target_of(path)
        try:
            check_regular(path, os.stat(target))
        except FileNotFoundError:
            return None
        os.makedirs(_folder(path), 0o700, exist_ok=True)
        number = max(_numbers(path), default=0) + 1
        file = kept_file(path, number)
        try:
            # A second name costs no space, and the save that is written next is another file.
            os.link(target, file)
        except FileExistsError:
            raise
        except OSError:
            _copy(target, file)
        return number
    except (OSError, ValueError) as error:
        raise refused("keep", path, error) from error


def _copy(target: str, file: str) -> None:
    """Copy `target` to `file`. What a kill leaves of that, the next copy takes the place of. Raises OSError, SystemRefused."""
    new = os.path.join(os.path.dirname(file), "new")
    with open(target, "rb") as old:
        write_bytes(new, old.read())
    os.rename(new, file)


def trim(path: str) -> None:
    """Let the oldest kept games go, past the last `MOST`. Raises SystemRefused."""
    for oldest in _numbers(path)[:-MOST]:
        forget(path, oldest)


def kept(path: str) -> list[KeptGame]:
    """Return the games kept for the save at `path`, the oldest first. Raises SystemRefused."""
    return [_summary(number, kept_file(path, number)) for number in _numbers(path)]


def take(path: str, number: int) -> str | None:
    """Return the text of the kept game `number`, or None where there is none.

    It stays kept: :func:`forget` it once it is current. Raises SaveError and SystemRefused.
    """
    return read_text(kept_file(path, number))


def forget(path: str, number: int) -> None:
    """Remove the kept game `number`, with the folder if it was the last. Raises SystemRefused."""
    file = kept_file(path, number)
    try:
        os.unlink(file)
    except OSError as error:
        raise refused("remove", file, error) from error
    try:  # noqa: SIM105 - contextlib would cost start-up time
        os.rmdir(_folder(path))
    except OSError:
        pass


def _folder(path: str) -> str:
    """Return the folder of the kept games, which nobody else may have made. Raises SystemRefused."""
    try:
        folder = target_of(path) + ".kept"
        if os.path.lexists(folder):
            check_maker(folder)
        return folder
    except (OSError, ValueError) as error:
        raise refused("read", path, error) from error


def kept_file(path: str, number: int) -> str:
    """Return the file of the kept game `number` for the save at `path`. Raises SystemRefused."""
    return os.path.join(_folder(path), f"{number}{_ENDING}")


def _numbers(path: str) -> list[int]:
    """Return the numbers of the kept games in order; nothing else in the folder is looked at."""
    folder = _folder(path)
    try:
        names = [name.removesuffix(_ENDING) for name in os.listdir(folder) if name.endswith(_ENDING)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise refused("list", folder, error) from error
    numbers = [name for name in names if name.isascii() and name.isdigit() and name[0] != "0"]
    return sorted(int(name) for name in numbers if len(name) <= _DIGITS)


def _summary(number: int, file: str) -> KeptGame:
    """Read the save in `file` as far as the list needs it."""
    try:
        save = read_save(read_text(file) or "")
        state, clock, tally = save["state"], save["clock"], save["tally"]
        preset, code = str(save["rules"]["preset"]), state["code"]
        moves, cards_up = int(state["moves"]), int(state["cards_up"])
        if not isinstance(code, str | None) or not f"{preset}{code}".isprintable():
            raise ValueError
    except (SaveError, SystemRefused) as error:
        return KeptGame(number, _written(file), fault=str(error))
    except (KeyError, ValueError, TypeError):
        return KeptGame(number, _written(file), fault="its state can't be read")
    when = clock["begun"] if clock["last"] is None else clock["last"]
    won, player, daily = bool(state["won"]), tally["player"], tally["daily"]
    return KeptGame(number, when, preset, code, moves, cards_up, won=won, player=player, daily=daily)


def _written(file: str) -> float:
    """Return when `file` was last written, 0 where that can't be told."""
    try:
        return os.stat(file).st_mtime
    except OSError:
        return 0.0
