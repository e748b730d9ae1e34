"""Statistics as a drawing, by matplotlib where that is installed. Nothing else needs that library."""

from __future__ import annotations

import os

from ..engine.errors import SystemRefused, UsageError, quoted
from .files import write_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .figures import Figures

__all__ = ["check_plot", "draw"]

#: The endings of files that can be drawn.
FORMATS = (".svg", ".png")
#: How wide a drawing is and how high the charts of one rule set are, in inches.
WIDTH, HEIGHT = 13.0, 3.4
#: The colours of what was played and of what was won.
PLAYED, WON = "#b0b0b0", "#2a7f4f"
#: The same figures give the same file: no random names in it, and no date.
_SETTINGS = {"svg.hashsalt": "canfield", "svg.fonttype": "none"}
_NO_DATE: dict[str, dict[str, object]] = {".svg": {"Date": None}, ".png": {}}


def check_plot(path: str) -> None:
    """Raise UsageError where `path` has none of the endings of `FORMATS`, SystemRefused without matplotlib."""
    _ending(path)
    _matplotlib()


def draw(found: Mapping[str, Figures], path: str) -> None:
    """Draw the figures of each rule set, by its title, one below the other into the file at `path`.

    There must be some, all with games that count. Raises what :func:`check_plot` does, SaveError and
    SystemRefused.
    """
    from io import BytesIO

    ending, library = _ending(path), _matplotlib()
    file = BytesIO()
    with library.rc_context(_SETTINGS):
        sheet = library.figure.Figure(figsize=(WIDTH, HEIGHT * len(found)), layout="constrained")
        for part, (title, each) in zip(_listed(sheet.subfigures(len(found))), found.items(), strict=True):
            part.suptitle(title)
            for axes, chart in zip(part.subplots(1, len(_CHARTS)), _CHARTS, strict=True):
                chart(axes, each)
        sheet.savefig(file, format=ending[1:], metadata=_NO_DATE[ending])
    write_bytes(path, file.getvalue())


def _ending(path: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMATS:
        raise UsageError(
            f"{quoted(path)} is no name for a drawing", f"it should end in {' or '.join(FORMATS)}"
        )
    return ending


def _matplotlib() -> Any:
    try:
        return __import__("matplotlib.figure")
    except ImportError as error:
        raise SystemRefused(
            "to draw takes matplotlib, which is not installed", "pip install 'canfield-cli[plot]' brings it"
        ) from error


def _listed(parts: Any) -> list[Any]:
    """Return the parts of a sheet, of which a single one comes by itself."""
    return list(parts) if hasattr(parts, "__len__") else [parts]


def _cards_up(axes: Any, each: Figures) -> None:
    axes.bar(range(len(each.cards_up)), each.cards_up, color=PLAYED)
    axes.set(title="cards up", xlabel="cards", ylabel="games")


def _bases(axes: Any, each: Figures) -> None:
    rates = [100 * won / games for games, won in each.bases.values()]
    axes.bar(list(each.bases), rates, color=WON)
    axes.set(title="won by base rank", xlabel="base rank", ylabel="percent of games", ylim=(0, 100))


def _months(axes: Any, each: Figures) -> None:
    names = list(each.months)
    for label, colour, which in (("played", PLAYED, 0), ("won", WON, 1)):
        axes.bar(names, [count[which] for count in each.months.values()], color=colour, label=label)
    axes.set(title="by month", ylabel="games")
    axes.tick_params(axis="x", rotation=90)
    axes.legend()


#: The charts of a rule set, from left to right.
_CHARTS = (_cards_up, _bases, _months)
