"""Statistics as a drawing, by matplotlib where that is installed. Nothing else needs that library."""

from __future__ import annotations

import os

from ..engine.cards import RANKS, rank_name
from ..engine.errors import SystemRefused, UsageError, quoted
from .figures import wilson
from .files import exists, refused, write_bytes

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
#: The colours of what was played and of what was won, and of the intervals of rates.
PLAYED, WON, INTERVAL = "#b0b0b0", "#2a7f4f", "#303030"
#: A chart has room for at least so many months, and names of no more than so many.
FEWEST, NAMED = 6, 24
#: The same figures give the same file: no random names in it, and no date.
_SETTINGS = {"svg.hashsalt": "canfield", "svg.fonttype": "none"}
_NO_DATE: dict[str, dict[str, object]] = {".svg": {"Date": None}, ".png": {}}


def check_plot(path: str) -> None:
    """Raise UsageError where `path` has none of the endings of `FORMATS`, SystemRefused without matplotlib."""
    _ending(path)
    _matplotlib()


def draw(found: Mapping[str, Figures], path: str, mode: int) -> None:
    """Draw the figures of each rule set, by its title, one below the other into the file at `path`.

    There must be some, all with games that count. A new file gets the permissions `mode`. Raises what
    :func:`check_plot` does, SaveError and SystemRefused.
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
    _write(path, file.getvalue(), mode)


def _write(path: str, data: bytes, mode: int) -> None:
    try:
        is_new = not exists(path)
        write_bytes(path, data)
        if is_new:
            os.chmod(path, mode)
    except SystemRefused as error:
        error.hint = "name a file where you may write"
        raise
    except OSError as error:
        raise refused("write", path, error) from error


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
    _count_whole(axes)


def _bases(axes: Any, each: Figures) -> None:
    """Draw the rate of each base rank with its interval, and below how many games it is of."""
    counts = {place: each.bases[rank] for place, rank in enumerate(RANKS) if rank in each.bases}
    bounds = [wilson(won, games) for games, won in counts.values()]
    rates = [won / games for games, won in counts.values()]
    spreads = [
        # Reckoned, a bound may lie past its rate by less than a billionth.
        [100 * max(0.0, rate - low) for rate, (low, _) in zip(rates, bounds, strict=True)],
        [100 * max(0.0, high - rate) for rate, (_, high) in zip(rates, bounds, strict=True)],
    ]
    axes.bar(
        list(counts), [100 * rate for rate in rates], color=WON, yerr=spreads, ecolor=INTERVAL, capsize=2
    )
    labels = [f"{rank_name(place)}\n{counts.get(place, (0, 0))[0]}" for place in range(len(RANKS))]
    axes.set_xticks(range(len(RANKS)), labels, fontsize="small")
    axes.set(
        title="won by base rank", xlabel="base rank, and its games", ylabel="percent of games, 95 % interval"
    )
    axes.set(ylim=(0, 100), xlim=(-0.6, len(RANKS) - 0.4))


def _months(axes: Any, each: Figures) -> None:
    names, places = list(each.months), range(len(each.months))
    for label, colour, which in (("played", PLAYED, 0), ("won", WON, 1)):
        axes.bar(places, [count[which] for count in each.months.values()], color=colour, label=label)
    named = places[:: -(-len(names) // NAMED)]
    axes.set_xticks(named, [names[place] for place in named], rotation=90)
    axes.set(title="by month", ylabel="games", xlim=(-0.6, max(len(names), FEWEST) - 0.4))
    _count_whole(axes)
    # Beside the chart, where no bar is.
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _count_whole(axes: Any) -> None:
    """Number the games of a chart from 0 in whole numbers."""
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_ylim(bottom=0)


#: The charts of a rule set, from left to right.
_CHARTS = (_cards_up, _bases, _months)
