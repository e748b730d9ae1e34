"""The statistics of a player, for each rule set: tables, charts of letters, CSV, and the account of the games for money."""

from __future__ import annotations

from ..engine.cards import RANKS, rank_name
from ..engine.errors import NothingThere, UsageError, counted, quoted
from ..engine.scoring import MONEY
from ..engine.tally import percent_returned
from ..store import figures
from .columns import aligned, no_games, player_words
from .result import Result
from .sentences import BAR, clock_words, money_words, number_words, rules_words, score_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.tally import Account
    from ..store.figures import Figures
    from .context import Context

    #: A line of a chart: what it is of, numbers in words, and how long its bar is, from 0 to 1.
    Bar = tuple[str, str, float]

__all__ = ["stats"]

#: The longest bar of a chart, in letters.
WIDTH = 30
#: Cards up are counted so many at a time.
STEP = 4
#: So many months are shown, the latest.
MONTHS = 24


def stats(context: Context, *, rules: str | None, player: str | None, csv: bool, plot: str | None) -> Result:
    """Tell the statistics of a player for each rule set: in a table of several, or one by one with their charts."""
    del player
    if plot is not None:
        if csv:
            raise UsageError("--csv and --plot exclude each other", "give one of them")
        from ..store.plot import check_plot

        check_plot(plot)
    with context.records() as records:
        found = figures.figures(records, rules, context.player)
        for_money = any(each.rules.scoring in MONEY for each in found)
        account = records.account(context.player, context.env.now()) if for_money else None
        others = figures.players(records)
    if csv:
        text = _csv(found)
        return Result(document=text, data={"csv": text})
    data = {
        "player": context.player,
        "stats": [each.data for each in found],
        "account": _account_data(account),
    }
    if plot is not None:
        return Result(lines=[_drawn(found, plot, 0o666 & ~context.env.umask)], data=data)
    others.pop(context.player, None)
    lines = _stats_lines(found, several=rules is None) if found else [no_games(rules, context.player)]
    return Result(lines=[*lines, *_account_lines(account), *_others_lines(others)], data=data)


def _drawn(found: Sequence[Figures], path: str, mode: int) -> str:
    """Draw the figures of games that count into the file at `path`, a new one with `mode`; say so. Raises NothingThere."""
    from ..store.plot import draw

    charts = {rules_words(each.rules): each for each in found if each.counted}
    if not charts:
        raise NothingThere(
            "no-games",
            "no game that counts has been recorded yet, so nothing is drawn",
            "games with help and games still open don't count",
        )
    draw(charts, path, mode)
    return f"the statistics are drawn in {quoted(path)}"


def _stats_lines(found: Sequence[Figures], *, several: bool) -> list[str]:
    """Return a table of the rule sets where there are `several`, else all that is to be told of each."""
    if several and len(found) > 1:
        return _overview(found)
    return [line for each in found for line in (*_figures_lines(each), "")][:-1]


def _others_lines(others: Mapping[str, int]) -> list[str]:
    """Say who the `others` are that play here, and how many games each has; nothing where there are none."""
    names = ", ".join(f"{player_words(name)} ({counted(games, 'game')})" for name, games in others.items())
    return ["", f"others who play here: {names}"] if names else []


#: The columns of the table of rule sets.
_OVERVIEW = ("rules", "played", "won", "%", "95 % interval", "best", "median", "streak")


def _overview(found: Sequence[Figures]) -> list[str]:
    """Return a table with a line for each rule set; the options that are changed in it stand below."""
    title, *lines = aligned([_overview_row(each) for each in found], "<>>>>>>>", head=_OVERVIEW)
    table = [title]
    for line, each in zip(lines, found, strict=True):
        table.append(line)
        if each.rules.changes():
            table.append(f"  {rules_words(each.rules).removeprefix(each.rules.preset).strip()}")
    told = "best and median: moves of wins; " if any(each.won for each in found) else ""
    return [*table, "", f"{told}canfield stats --rules PRESET shows the charts"]


def _overview_row(each: Figures) -> tuple[str, ...]:
    rates, moves = ("-", "", ""), ("", "")
    if each.rate is not None and each.interval is not None:
        low, high = map(_percent, each.interval)
        rates = (f"{each.won:,} of {each.counted:,}", _percent(each.rate), f"{low}-{high}")
    if each.moves:
        moves = (number_words(each.moves.best), number_words(each.moves.median))
    return (each.rules.preset, f"{each.played:,}", *rates, *moves, f"{each.streak:,}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _figures_lines(each: Figures) -> list[str]:
    lines = [rules_words(each.rules), *aligned(_figure_rows(each), "<<", indent=2)]
    if each.counted:
        for title, rows in _charts(each).items():
            lines += ["", f"  {title}", *_bars(rows)]
    return lines


def _figure_rows(each: Figures) -> list[tuple[str, str]]:
    parts = {"counted": each.counted, "still open": each.open, "with help": each.helped}
    told = ", ".join(f"{count:,} {what}" for what, count in parts.items() if count)
    rows = [("played", f"{each.played:,}{f' ({told})' * (each.played > each.counted)}")]
    if each.rate is None or each.interval is None:
        return rows
    low, high = map(_percent, each.interval)
    rows += [
        ("won", f"{each.won:,}, {_percent(each.rate)} % (95 % interval from {low} to {high} %)"),
        ("wins in a row", f"{each.streak:,} now, {each.longest:,} at most"),
    ]
    words: dict[str, tuple[str, Callable[[float], str]]] = {
        "moves": ("moves of wins", number_words),
        "seconds": ("time of wins", clock_words),
        "score": ("score", lambda number: score_words(each.rules, number)),
    }
    for name, pair in each.pairs().items():
        if pair:
            label, write = words[name]
            rows.append((label, f"best {write(pair.best)}, median {write(pair.median)}"))
    return rows


def _charts(each: Figures) -> dict[str, list[Bar]]:
    """Return the charts of a rule set by their titles; some of its games count."""
    ups = _ups(each.cards_up)
    months = dict(list(each.months.items())[-MONTHS:])
    highest = max(games for _, games in ups)
    most = max(games for games, _ in months.values())
    return {
        "cards up": [(label, f"{games:,}", games / highest) for label, games in ups],
        "won by base rank": [
            (rank_name(RANKS.index(rank)), f"{won:,} of {games:,}", won / games)
            for rank, (games, won) in each.bases.items()
        ],
        "played by month": [
            (month, f"{games:,}, won {won:,}", games / most) for month, (games, won) in months.items()
        ],
    }


def _ups(cards_up: Sequence[int]) -> list[tuple[str, int]]:
    """Return how many games ended with so many cards up, `STEP` together, from the first that there are to the last."""
    # None, where the base card was taken back, stands with the first few.
    firsts = [0, *range(STEP + 1, len(cards_up), STEP)]
    ends = [*firsts[1:], len(cards_up)]
    ups = [(f"{first}-{end - 1}", sum(cards_up[first:end])) for first, end in zip(firsts, ends, strict=True)]
    while not ups[0][1]:
        del ups[0]
    while not ups[-1][1]:
        del ups[-1]
    return ups


def _bars(rows: list[Bar]) -> list[str]:
    return aligned(
        [(label, words, BAR * (round(share * WIDTH) or share > 0)) for label, words, share in rows],
        ">><",
        indent=4,
    )


def _account_data(account: Account | None) -> dict[str, int | float] | None:
    """Return the account as JSON has it: this evening, in all, and what was paid back in percent."""
    if account is None:
        return None
    evening, paid, cost = account
    return {
        "evening": evening,
        "all": paid - cost,
        "paid": paid,
        "cost": cost,
        "return": percent_returned(paid, cost),
    }


def _account_lines(account: Account | None) -> list[str]:
    """Return the account of all games that are played for money; nothing where there is none."""
    data = _account_data(account)
    if data is None:
        return []
    rows = [
        ("this evening", money_words(data["evening"])),
        ("in all", money_words(data["all"])),
        ("paid back", f"{data['return']:g} % of {money_words(data['cost'])}"),
    ]
    return ["", "account of the games for money", *aligned(rows, "<<", indent=2)]


def _csv(found: Sequence[Figures]) -> str:
    """Return a table with a line for each rule set: the names of JSON, a part's behind that of the whole."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    table = writer(text, lineterminator="\n")
    names = ("played", "helped", "open", "counted", "won", "rate")
    pairs = ("moves", "seconds", "score")
    table.writerow(
        [
            *("preset", "changes", *names, "interval_low", "interval_high", "streak", "longest"),
            *(f"{name}_{which}" for name in pairs for which in ("best", "median")),
        ]
    )
    for each in found:
        both = [pair and (pair.best, pair.median) for pair in each.pairs().values()]
        table.writerow(
            [
                each.rules.preset,
                " ".join(f"{name}={word}" for name, word in each.rules.changes().items()),
                *(getattr(each, name) for name in names),
                *(each.interval or (None, None)),
                *(each.streak, each.longest),
                *(number for pair in both for number in pair or (None, None)),
            ]
        )
    return text.getvalue()
