"""What looks back on the games: statistics, leaderboards, the log, playing back, the records' file.

Sums are checked against the same sums made in another way, in SQL or over plain lists; the
bounds of rates against published ones. A year of play (benchmarks/records.py) may be named by $CANFIELD_YEAR.
"""

import csv
import io
import os
import random
import re
import shutil
import sqlite3
import stat
import statistics
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import played

import canfield_cli
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.rules import PRESETS, preset
from canfield_cli.solver.hints import hint
from canfield_cli.store import figures, plot
from canfield_cli.store.entry import COLUMNS, Entry, format_rules
from canfield_cli.store.records import open_records

#: 2026-11-30, 12:00 UTC.
NOON = 1_796_040_000
#: The values of a game that was left after some draws, column by column.
LEFT = {
    "player": "", "code": "CAN-D3-2222-2222-2", "base": "7", "daily": None, "late": False, "begun": NOON, "ended": NOON,
    "seconds": 60.0, "moves": 10, "undos": 0, "redeals": 0, "restarts": 0, "hints": 0, "helped": "", "cards_up": 5,
    "score": 20, "outcome": "left",
}  # fmt: skip
WON = {"outcome": "won", "cards_up": 52, "score": 255}


def entry(number, rules=None, **values):
    """A game with an id made of `number`; it says what it is told to say."""
    values = {"id": f"{number:016x}", **LEFT, **values}
    return Entry(rules or preset(), ["draw"], [values[name] for name in COLUMNS])


@pytest.fixture
def records(tmp_path):
    with open_records(str(tmp_path / "made.db")) as opened:
        yield opened


def told(records, *entries, player="", preset=None):
    """The figures of the rule sets that some games make."""
    records.put_all(entries)
    return figures.figures(records, preset, player)


# One rule set.

#: Newcombe, Statistics in Medicine 17 (1998), table I, method 3; and two that are easily looked up.
INTERVALS = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (0, 10, 0.0000, 0.2775),
    (5, 10, 0.2366, 0.7634),
]


@pytest.mark.parametrize(("won", "games", "low", "high"), INTERVALS)
def test_the_interval_of_a_rate_is_the_published_one(won, games, low, high):
    assert figures.wilson(won, games) == pytest.approx((low, high), abs=6e-5)


@given(st.integers(1, 10**6), st.data())
def test_the_interval_holds_the_rate_and_is_its_own_mirror(games, data):
    won = data.draw(st.integers(0, games))
    low, high = figures.wilson(won, games)
    assert 0 <= low <= won / games + 1e-12
    assert won / games - 1e-12 <= high <= 1
    assert figures.wilson(games - won, games) == pytest.approx((1 - high, 1 - low))


@given(st.lists(st.booleans()))
def test_runs_are_the_longest_and_the_last(marks):
    stretches = re.findall("1*", "".join("01"[mark] for mark in marks))
    last = next((i for i, mark in enumerate(reversed(marks)) if not mark), len(marks))
    assert figures.runs(marks) == (max(map(len, stretches), default=0), last)


@given(st.lists(st.integers(-500, 500), min_size=1))
def test_the_median_is_that_of_the_standard_library(numbers):
    assert figures.Pair(numbers).median == statistics.median(numbers)
    assert figures.Pair(numbers).best == min(numbers)
    assert figures.Pair(numbers, most=True).best == max(numbers)


def test_one_game_that_was_left_makes_a_rate_of_nothing_and_no_bests(records):
    (one,) = told(records, entry(1))
    assert (one.played, one.counted, one.won, one.rate) == (1, 1, 0, 0)
    assert (one.streak, one.longest) == (0, 0)
    assert (one.moves, one.seconds) == (None, None)
    assert (one.score.best, one.score.median) == (20, 20)
    assert one.cards_up == [0] * 5 + [1] + [0] * 47
    assert one.bases == {"7": (1, 0)}
    assert one.months == {"2026-11": (1, 0)}


def test_moves_and_time_are_of_wins_and_the_score_is_of_all(records):
    (one,) = told(
        records,
        entry(1, **WON, moves=200, seconds=600.5),
        entry(2, **WON, moves=101, seconds=900.0),
        entry(3, moves=3, seconds=1.0, score=0),
    )
    assert (one.moves.best, one.moves.median) == (101, 150.5)
    assert (one.seconds.best, one.seconds.median) == (600.5, 750.25)
    assert (one.score.best, one.score.median) == (255, 255)


def test_help_and_open_games_are_counted_apart_and_nowhere_else(records):
    (one,) = told(
        records,
        entry(1, **WON, moves=100),
        entry(2, **WON, moves=1, helped="finish", base="A", ended=NOON - 1e8),
        entry(3, outcome="open", base="K", score=999),
        entry(4, outcome="open", helped="peek"),
        entry(5, outcome="lost"),
    )
    assert (one.played, one.counted, one.helped, one.open) == (5, 2, 2, 1)
    assert (one.won, one.rate, one.moves.best, one.score.best) == (1, 0.5, 100, 255)
    assert sum(one.cards_up) == 2
    assert one.bases == {"7": (2, 1)}
    assert one.months == {"2026-11": (2, 1)}


def test_a_rule_set_of_nothing_but_help_has_no_rate(records):
    (one,) = told(records, entry(1, **WON, helped="peek"))
    assert (one.played, one.counted, one.rate, one.interval, one.score) == (1, 0, None, None, None)


def test_a_streak_follows_the_ends_of_the_games_and_equal_ends_their_ids(records):
    wins = [entry(number, **WON, ended=NOON + 10 * number) for number in (5, 1, 3)]
    (one,) = told(records, *wins, entry(2, ended=NOON + 10))
    # The game 2 ended with the win 1, and comes after it: 1 is won, 2 is not, 3 and 5 are.
    assert (one.streak, one.longest) == (2, 2)
    (one,) = told(records, entry(9, ended=NOON + 60))
    assert (one.streak, one.longest) == (0, 2)


def test_neither_help_nor_an_open_game_ends_a_streak(records):
    between = entry(2, helped="peek", ended=NOON + 2), entry(3, outcome="open", ended=NOON + 3)
    (one,) = told(records, entry(1, **WON, ended=NOON + 1), *between, entry(4, **WON, ended=NOON + 4))
    assert (one.streak, one.longest) == (2, 2)


def test_rule_sets_are_never_mixed(records):
    changed = preset("easy", redeals=2)
    found = told(records, entry(1, preset("easy")), entry(2, changed), entry(3, preset("easy")), entry(4))
    assert {each.rules: each.played for each in found} == {preset("easy"): 2, changed: 1, preset(): 1}
    assert {each.rules for each in told(records, preset="easy")} == {preset("easy"), changed}


def test_rules_without_points_have_no_score(records):
    (one,) = told(records, entry(1, preset("modern"), score=0))
    assert one.score is None


def test_players_are_told_apart(records):
    records.put_all([entry(1), entry(2, player="Ann"), entry(3, player="Ann")])
    assert [each.played for each in told(records, player="Ann")] == [2]
    assert [each.played for each in told(records)] == [1]
    assert told(records, player="Bob") == []
    assert figures.players(records) == {"": 1, "Ann": 2}


def test_a_month_is_that_of_utc_and_of_the_end(records):
    ends = {
        "2026-11": 1_796_083_199.9,
        "2026-12": 1_796_083_200.0,
        "2024-02": 1_709_251_199.0,
        "9999-12": 253_402_300_799.0,
    }
    (one,) = told(records, *(entry(i, ended=ended) for i, ended in enumerate(ends.values())))
    assert one.months == dict.fromkeys(sorted(ends), (1, 0))


# A year of play.


def made_up(rng, number):
    """A game as it might be in the records, but for its actions."""
    rules = preset(rng.choice(list(PRESETS)), **rng.choice([{}, {}, {}, {"redeals": 1}]))
    won = rng.random() < 0.4
    values = {
        "player": rng.choice(["", "", "Ann"]),
        "base": rng.choice("A23456789TJQK"),
        "begun": NOON,
        # Many of them end at the same instant.
        "ended": NOON - 86400 * rng.randrange(365),
        "seconds": rng.randrange(4000) / 4,
        "moves": rng.randrange(1, 400),
        "helped": rng.choice(["", "", "", "", "peek", "finish"]),
        "cards_up": 52 if won else rng.randrange(1, 52),
        "score": rng.randrange(-60, 700),
        "outcome": "won" if won else rng.choice(["left", "left", "lost", "open"]),
    }
    return entry(number, rules, **values)


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    """A file with a year of games: the one that is named, else made-up ones and some that were played."""
    path = tmp_path_factory.mktemp("year") / "year.db"
    if named := os.environ.get("CANFIELD_YEAR"):
        shutil.copy(named, path)
        return path
    rng = random.Random(5)
    with open_records(str(path)) as records:
        records.put_all([made_up(rng, number) for number in rng.sample(range(10**15), 4000)])
    return path


@pytest.fixture(scope="module")
def sums(year):
    """A function that asks the year in SQL, of the games of a rule set and a player that count unless told."""
    db = sqlite3.connect(year)

    def ask(what, each, player, which="helped = '' AND outcome IN ('won', 'left', 'lost')", rest=""):
        where = f"player = ? AND words = ? AND {which}"
        sql = f"SELECT {what} FROM games JOIN rulesets ON key = ruleset WHERE {where} {rest}"
        return db.execute(sql, (player, format_rules(each.rules))).fetchall()

    yield ask
    db.close()


@pytest.fixture(scope="module", params=["", "Ann"], ids=["owner", "ann"])
def by_player(request, year):
    with open_records(str(year)) as records:
        return request.param, figures.figures(records, None, request.param)


def test_the_counts_are_those_of_sql(by_player, sums):
    player, found = by_player
    assert found
    for each in found:
        assert sums("count(*)", each, player, "1") == [(each.played,)]
        assert sums("count(*)", each, player, "helped > ''") == [(each.helped,)]
        assert sums("count(*)", each, player, "helped = '' AND outcome = 'open'") == [(each.open,)]
        assert sums("count(*), total(outcome = 'won')", each, player) == [(each.counted, each.won)]
        assert each.played == each.counted + each.helped + each.open


def test_every_rule_set_of_a_player_is_told_once(by_player, year):
    player, found = by_player
    db = sqlite3.connect(year)
    words = db.execute(
        "SELECT words FROM rulesets WHERE key IN (SELECT ruleset FROM games WHERE player = ?)", (player,)
    ).fetchall()
    db.close()
    assert sorted(format_rules(each.rules) for each in found) == sorted(row[0] for row in words)


def test_bests_and_medians_are_those_of_sql(by_player, sums):
    player, found = by_player
    middle = "avg(value) FROM (SELECT {0} AS value, row_number() OVER (ORDER BY {0}) AS place, count(*) OVER () AS size"
    for each in found:
        for name, pair in each.pairs().items():
            won = "" if name == "score" else "AND outcome = 'won' "
            which = f"helped = '' AND outcome <> 'open' {won}"
            rows = sums(
                middle.format(name), each, player, which, ") WHERE place IN ((size + 1) / 2, (size + 2) / 2)"
            )
            if name == "score" and each.rules.scoring == "moves":
                assert pair is None
                continue
            best = "max" if name == "score" else "min"
            assert rows == [(pair and pytest.approx(pair.median),)]
            assert sums(f"{best}({name})", each, player, which) == [(pair and pair.best,)]


def test_streaks_are_those_of_sql(by_player, sums):
    """A win's place among all games less its place among wins is the same all through a streak."""
    player, found = by_player
    for each in found:
        inner = (
            "count(*), max(last) FROM (SELECT outcome, row_number() OVER by_end AS last, row_number() OVER by_end"
            " - row_number() OVER (PARTITION BY outcome = 'won' ORDER BY ended, id) AS streak"
        )
        rest = "WINDOW by_end AS (ORDER BY ended, id)) WHERE outcome = 'won' GROUP BY streak"
        streaks = sums(inner, each, player, rest=rest)
        assert each.longest == max((length for length, _ in streaks), default=0)
        assert each.streak == next((length for length, last in streaks if last == each.counted), 0)


def test_histograms_are_those_of_sql(by_player, sums):
    player, found = by_player
    for each in found:
        ups = dict(sums("cards_up, count(*)", each, player, rest="GROUP BY cards_up"))
        assert each.cards_up == [ups.get(cards, 0) for cards in range(53)]
        for key, counts in (("base", each.bases), ("strftime('%Y-%m', ended, 'unixepoch')", each.months)):
            rows = sums(f"{key}, count(*), sum(outcome = 'won')", each, player, rest=f"GROUP BY {key}")
            assert counts == {key: (games, won) for key, games, won in rows}


def test_the_account_is_that_of_plain_sums(by_player, year):
    """Under casino each card pays 5 and a win 240 more; under bsd each card pays 5."""
    player, _ = by_player
    with open_records(str(year)) as records:
        entries = [each for each in records.entries() if each.player == player]
        _, paid, cost = records.account(player, NOON)
    games = [each for each in entries if each.rules.scoring in ("casino", "bsd")]
    pays = [
        5 * each.cards_up + 240 * (each.rules.scoring == "casino" and each.outcome == "won") for each in games
    ]
    assert paid == sum(pays)
    assert paid - cost == sum(each.score for each in games)


# Leaderboards and the log.


def ids(rows):
    return [int(game.id, 16) for _, game in rows]


def test_a_board_has_the_best_ten_and_the_earlier_of_equal_games_first(records):
    games = [entry(number, **WON, moves=100 + number // 2, ended=NOON - number) for number in range(30)]
    records.put_all([*games, entry(50, moves=1), entry(51, **WON | {"score": 9999}, helped="peek", moves=1)])
    ((rules, boards),) = figures.boards(records, None, None, None)
    assert rules == preset()
    assert ids(boards["moves"]) == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8]
    assert ids(boards["score"]) == list(range(29, 19, -1))
    assert len(boards["seconds"]) == 10


def test_a_board_may_be_of_a_player_a_day_or_a_preset(records):
    records.put_all(
        [
            entry(1, player="Ann", score=30),
            entry(2, daily="2026-11-30", score=40),
            entry(3, preset("easy"), score=50),
            entry(4, preset("modern"), **WON),
        ]
    )

    def scored(*which):
        return [ids(boards.get("score", [])) for _, boards in figures.boards(records, *which)]

    assert scored(None, None, None) == [[2, 1], [3], []]
    assert scored(None, "Ann", None) == [[1]]
    assert scored(None, None, "2026-11-30") == [[2]]
    assert scored("easy", None, None) == [[3]]
    assert scored("casino", None, None) == []


def test_the_log_has_the_latest_first(records):
    games = [entry(number, ended=NOON + number) for number in (2, 9, 4)]
    records.put_all([*games, entry(7, preset("easy"), player="Ann", ended=NOON)])
    assert ids(figures.last(records, 20)) == [9, 4, 2, 7]
    assert ids(figures.last(records, 2)) == [9, 4]
    assert ids(figures.last(records, 20, "easy")) == [7]
    assert ids(figures.last(records, 20, None, "")) == [9, 4, 2]
    assert figures.last(records, 20, "casino") == []


# The commands.


def win(canfield):
    """Play a game by hints to its win."""
    canfield("new --seed 11 --rules easy")
    game, actions = Game.of(deal_seed(11), preset("easy")), []
    while not game.position.won:
        actions.append(hint(game.position.seen()).action)
        game.play(actions[-1])
    canfield("move", *actions)


def stock(canfield, *entries):
    """Put games into the records that the commands use."""
    path = canfield("records path").out.rstrip("\n")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open_records(path) as records:
        records.put_all(entries)


LOOKING_BACK = ["stats", "scores", "log", "daily", "records export", "records check"]


@pytest.mark.parametrize("words", LOOKING_BACK)
def test_without_a_game_each_answers(canfield, words):
    assert canfield(words).status == 0
    assert canfield(f"{words} --json").json["ok"] is True


def test_a_game_that_ends_without_a_card_up_is_in_the_chart(canfield):
    """With take-back the base card too can leave its foundation."""
    stock(canfield, entry(1, cards_up=0, score=0), entry(2, cards_up=9))
    assert re.search(r"cards up\n +0-4 +1 +█+\n +5-8 +0\n +9-12 +1 +█+\n\n", canfield("stats").out)


def test_the_chart_of_cards_up_has_no_empty_ends(canfield):
    stock(canfield, entry(1, cards_up=14), entry(2, cards_up=21))
    chart = canfield("stats").out.split("cards up\n")[1].split("\n\n")[0]
    assert [line.split()[:2] for line in chart.splitlines()] == [
        ["13-16", "1"],
        ["17-20", "0"],
        ["21-24", "1"],
    ]


def test_base_ranks_are_told_as_the_board_writes_them(canfield):
    stock(canfield, entry(1, base="T"), entry(2, base="A"))
    ranks = canfield("stats").out.split("base rank\n")[1].split("\n\n")[0]
    assert [line.split()[0] for line in ranks.splitlines()] == ["A", "10"]
    assert set(canfield("stats --json").json["stats"][0]["bases"]) == {"A", "T"}


def test_several_rule_sets_are_a_table_with_the_latest_first(canfield):
    changed = preset("easy", redeals=2, base_build="no")
    stock(
        canfield,
        entry(1, **WON, moves=101),
        entry(2, **WON, moves=200),
        entry(3, ended=NOON - 1),
        entry(4, helped="peek"),
        entry(5, changed, ended=NOON + 2),
        entry(6, preset("modern"), ended=NOON + 1, outcome="open"),
    )
    told = canfield("stats").out
    table, rest = told.split("\n\n")
    title, *rows = table.splitlines()
    assert re.split(" {2,}", title) == [
        *("rules", "played", "won", "%", "95 % interval", "best", "median", "streak")
    ]
    assert [re.split(" {2,}", row.strip()) for row in rows] == [
        ["easy", "1", "0 of 1", "0.0", "0.0-79.3", "0"],
        ["(base_build no, redeals 2)"],
        ["modern", "1", "-", "0"],
        # Two of three are 20.8 to 93.9 % by Wilson.
        ["standard", "4", "2 of 3", "66.7", "20.8-93.9", "101", "150.5", "2"],
    ]
    assert rest == "best and median: moves of wins; canfield stats --rules PRESET shows the charts\n"
    assert [each["rules"]["preset"] for each in canfield("stats --json").json["stats"]] == [
        *("easy", "modern", "standard")
    ]
    alone = canfield("stats --rules standard").out
    assert alone.startswith("standard\n  played ")
    assert "cards up\n" in alone


def test_tables_fit_eighty_columns(canfield):
    """The log also with a column of players, the longest name of a preset, and an hour of play."""
    long = {"player": "x" * 40, "moves": 1234, "seconds": 3725.0, "score": -57}
    games = [
        entry(number, preset("published"), **WON | long, ended=NOON + number, helped="finish")
        for number in range(101)
    ]
    stock(canfield, *games, entry(200, preset("easy"), player="x" * 40, daily="2026-11-30", late=True))
    for words in ("log", "log 200", "scores", f"stats --player {'x' * 40}"):
        assert max(map(len, canfield(words).out.splitlines())) <= 80
    log = canfield("log 200").out
    assert re.search(r"\n *101 2026\S+ xxxx\S*\.\.\. published CAN-D3-2222-2222-2 won! ", log)


def test_the_log_has_a_header_and_says_what_its_marks_mean(canfield):
    stock(canfield, entry(1, ended=NOON + 3))
    assert canfield("log").out.splitlines() == [
        "n day        rules    deal               end  up moves time score",
        f"1 {time.strftime('%Y-%m-%d', time.localtime(NOON + 3))} standard CAN-D3-2222-2222-2 left  5    10 1:00    20",
    ]
    stock(
        canfield,
        entry(2, preset("easy", redeals=1), ended=NOON + 2, helped="peek"),
        entry(3, daily="2026-11-30", late=True, ended=NOON + 1),
        entry(4, daily="2026-11-30", helped="finish", player="Ann"),
    )
    told = canfield("log").out
    assert re.search(r"\n2 \S+ \(owner\) easy\+ +CAN-\S+ +left\? ", told)
    assert re.search(r"\n3 \S+ \(owner\) standard daily 2026-11-30' +left ", told)
    assert re.search(r"\n4 \S+ Ann     standard daily 2026-11-30 +left! ", told)
    assert told.endswith(
        "\n\n+ options changed, ' late, ? hidden cards looked at, ! finished by the solver\n"
    )
    games = canfield("log --json").json["games"]
    assert [game["daily"] for game in games] == [None, None, "2026-11-30", "2026-11-30"]
    assert {game["code"] for game in games} == {"CAN-D3-2222-2222-2"}


@pytest.mark.parametrize("words", ["stats", "scores", "log"])
def test_without_a_game_that_is_said(canfield, words):
    """An open game is on no leaderboard yet."""
    none = "no game is on a leaderboard yet" if words == "scores" else "no game has been recorded yet"
    assert none in canfield(words).out
    canfield("new --seed 7")
    assert none in canfield(words).out
    canfield("draw")
    assert ("no game is on a leaderboard yet\ngames with help" in canfield(words).out) == (words == "scores")
    assert "no game has been recorded" not in canfield(words).out


@pytest.mark.parametrize("words", [*LOOKING_BACK, "records path", "records forget --yes", "replay 1"])
def test_where_no_records_are_kept_that_is_said(canfield, words, monkeypatch):
    monkeypatch.setenv("CANFIELD_RECORDS", "off")
    answer = canfield(words)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("error: no records are kept\nhint: ")


def test_the_statistics_tell_people_what_each_figure_is_of(canfield):
    stock(
        canfield,
        entry(1, **WON, moves=101, seconds=3725.0),
        entry(2, **WON, moves=200, seconds=65.9),
        entry(3),
        entry(4, helped="peek"),
        entry(5, outcome="open"),
        entry(6, preset("casino", redeals=3), score=-25, cards_up=5, player=""),
        entry(7, player="Ann {Qc}"),
    )
    told = "".join(canfield(f"stats --rules {name}").out for name in ("standard", "casino"))
    assert "standard\n" in told
    assert "casino (redeals 3)\n" in told
    assert re.search(r"played +5 \(3 counted, 1 still open, 1 with help\)\n", told)
    assert re.search(r"won +2, 66\.7 % \(95 % interval from 20\.8 to 93\.9 %\)\n", told)
    assert re.search(r"moves of wins +best 101, median 150\.5\n", told)
    assert re.search(r"time of wins +best 1:05, median 31:35\n", told)
    assert re.search(r"score +best 255, median 255\n", told)
    assert re.search(r"score +best -\$25, median -\$25\n", told)
    assert re.search(r"49-52 +2 +█+\n", told)
    # Five cards pay 25, and the score of -25 says that they cost 50.
    assert re.search(r"this evening +\S+\n +in all +-\$25\n +paid back +50 % of \$50\n", told)
    assert "others who play here: Ann \\x7bQc\\x7d (1 game)" in told
    assert "this evening" in canfield("stats").out
    assert "█" not in canfield("stats --ascii --rules standard").out
    assert re.search(r"49-52 +2 +#+\n", canfield("stats --ascii --rules standard").out)
    assert not re.search("[█#]", canfield("stats --plain --rules standard").out)


def test_the_statistics_are_data_as_well(canfield):
    stock(canfield, entry(1, **WON, moves=101), entry(2), entry(3, preset("casino"), score=-45, cards_up=1))
    data = canfield("stats --json").json
    first, second = data["stats"]
    assert (data["player"], first["rules"]["preset"], second["rules"]["preset"]) == ("", "standard", "casino")
    assert (first["played"], first["won"], first["rate"]) == (2, 1, 0.5)
    assert first["moves"] == {"best": 101, "median": 101}
    assert first["months"] == {"2026-11": {"counted": 2, "won": 1}}
    assert data["account"] | {"evening": 0} == {
        "evening": 0,
        "all": -45,
        "paid": 5,
        "cost": 50,
        "return": 10.0,
    }
    assert canfield("stats --json --rules standard").json["account"] is None
    assert canfield("stats --json --rules standard").json["stats"] == [first]


def test_the_table_has_a_row_for_each_rule_set(canfield):
    changed = preset("easy", redeals=2, base_build="no")
    stock(canfield, entry(1, **WON, moves=101), entry(2), entry(3, changed), entry(4, preset("modern")))
    rows = list(csv.DictReader(io.StringIO(canfield("stats --csv").out)))
    assert [row["preset"] for row in rows] == ["standard", "easy", "modern"]
    assert (rows[0]["played"], rows[0]["won"], rows[0]["moves_best"]) == ("2", "1", "101")
    assert rows[1]["changes"] == "base_build=no redeals=2"
    assert (rows[1]["moves_best"], rows[1]["rate"], rows[2]["score_best"]) == ("", "0.0", "")


def test_the_columns_of_the_table_are_those_of_json_and_of_the_manual(canfield):
    stock(canfield, entry(1, **WON, moves=101), entry(2, **WON, moves=103))
    names, row = csv.reader(io.StringIO(canfield("stats --csv").out))
    (data,) = canfield("stats --json").json["stats"]
    values = dict(zip(names, row, strict=True))
    low, high = data["interval"]
    parts = {
        "interval_low": low,
        "interval_high": high,
        **{
            f"{name}_{which}": data[name][which]
            for name in ("moves", "seconds", "score")
            for which in ("best", "median")
        },
    }
    assert {name: str(number) for name, number in parts.items()}.items() <= values.items()
    # The mean of 101 and 103 is a whole number, and is written as one.
    assert values["moves_median"] == "102"
    for name in set(names) - set(parts) - {"preset", "changes"}:
        assert values[name] == str(data[name])
    manual = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    listed = manual.split("| column | is |")[1].split("\n\n")[0]
    assert re.findall(r"`(\w+)`", re.sub(r"\|[^|\n]*\|$", "", listed, flags=re.M)) == names


def test_a_player_is_who_is_named_or_else_who_plays(canfield, monkeypatch):
    stock(canfield, entry(1), entry(2, player="Ann"), entry(3, player="Ann"))
    assert canfield("stats --json").json["stats"][0]["played"] == 1
    assert canfield("stats --json --player Ann").json["stats"][0]["played"] == 2
    assert "no game has been recorded yet by Bob" in canfield("stats --player Bob").out
    monkeypatch.setenv("CANFIELD_PLAYER", "Ann")
    assert canfield("stats --json").json["stats"][0]["played"] == 2
    assert len(canfield("log --json").json["games"]) == 3
    assert len(canfield("scores --json --player Ann").json["scores"][0]["score"]) == 2


@pytest.mark.parametrize("name", ["(owner)", ""])
def test_the_owner_can_be_asked_for_whoever_plays(canfield, monkeypatch, name):
    monkeypatch.setenv("CANFIELD_PLAYER", "Ann")
    stock(canfield, entry(1, daily="2026-11-02"), entry(2, player="Ann", daily="2026-11-03", cards_up=9))

    def asked(*words):
        return canfield(*words, "--player", name, "--json").json

    assert (asked("stats")["player"], asked("stats")["stats"][0]["played"]) == ("", 1)
    assert [game["n"] for game in asked("log")["games"]] == [1]
    assert [game["n"] for game in asked("scores")["scores"][0]["score"]] == [1]
    assert list(asked("daily", "2026-11")["days"]) == ["2026-11-02"]
    canfield("new", "--seed", "7", "--player", name)
    canfield("draw")
    assert len(asked("log")["games"]) == 2
    assert len(canfield("log --player Ann --json").json["games"]) == 1


def test_no_record_has_a_player_called_owner():
    entry(1, player="owner").check()
    with pytest.raises(SaveError, match="player"):
        entry(1, player="(owner)").check()


def test_the_leaderboard_names_players_and_marks_what_was_late(canfield):
    stock(
        canfield,
        entry(1, **WON, player="Ann", daily="2026-11-30", ended=NOON),
        entry(2, daily="2026-11-30", late=True, ended=NOON, score=-1),
    )
    told = canfield("scores --daily 2026-11-30").out
    assert re.search(r"\n +score  moves  time  day +player   game\n", told)
    assert re.search(r"1\. +255 +10 +1:00 +2026-\S+ +Ann +1\n", told)
    assert re.search(r"2\. +-1 .* \(owner\) +2  late\n", told)
    assert (
        "no game of the deal of 2026-11-29 is on a leaderboard yet"
        in canfield("scores --daily 2026-11-29").out
    )
    answer = canfield("scores --daily 2026-02-29")
    assert (answer.status, "2026-02-29" in answer.err) == (2, True)


def test_played_games_come_into_the_log_and_can_be_played_back(canfield):
    win(canfield)
    record = canfield("export").out
    canfield("new --seed 7")
    canfield("draw 3")
    later, won = canfield("log --json").json["games"]
    assert (later["outcome"], later["moves"], later["cards_up"]) == ("open", 3, 1)
    assert (won["outcome"], won["cards_up"], won["rules"]["preset"]) == ("won", 52, "easy")
    assert len(canfield("log 1").out.splitlines()) == 2
    assert re.search(rf"(?m)^{won['n']} \S+ easy +\S+ won .* 255$", canfield("log").out)
    assert canfield(f"replay {won['n']}").out == record
    assert canfield(f"replay {won['n']} --record --json").json["record"] == record
    assert canfield("import", "-", stdin=record).status == 0
    assert canfield("show --json").json["state"]["won"] is True


@pytest.fixture
def watched(canfield):
    """A function that plays a game of five draws back on a terminal."""
    pexpect = pytest.importorskip("pexpect")
    canfield("new --seed 7")
    canfield("draw 5")
    canfield("new --seed 8")
    env = {**os.environ, "PYTHONPATH": str(Path(canfield_cli.__file__).parent.parent)}

    def spawn(*words, rows=24, term="xterm"):
        words = ["-m", "canfield_cli", "replay", "1", *words]
        options = {"env": env | {"TERM": term}, "dimensions": (rows, 80), "encoding": "utf-8", "timeout": 20}
        return pexpect.spawn(sys.executable, words, **options)

    return spawn


def test_what_is_played_back_on_a_terminal_is_seen_action_by_action(canfield, watched):
    child = watched("--speed", "100")
    child.expect("1 move.*2 moves.*3 moves.*4 moves.*5 moves.*this was game 1, left")
    child.read()
    child.close()
    assert child.exitstatus == 0
    assert canfield("show --json").json["state"]["moves"] == 0


@pytest.mark.parametrize(
    ("term", "rows", "words", "boards"),
    [("xterm", 24, [], 1), ("dumb", 24, [], 5), ("xterm", 6, [], 5), ("xterm", 24, ["--plain"], 5)],
)
def test_the_boards_are_played_back_in_place_where_the_terminal_can_do_that(
    watched, term, rows, words, boards
):
    pyte = pytest.importorskip("pyte")
    child = watched("--speed", "100", *words, rows=rows, term=term)
    # A screen that is high enough shows all that is still there at the end.
    screen = pyte.Screen(80, 200)
    pyte.Stream(screen).feed(child.read())
    told = "\n".join(line.rstrip() for line in screen.display)
    assert len(re.findall(r"(?i)\breserve\W+13\b", told)) == boards
    assert "this was game 1, left" in told
    if boards == 1:
        # A sentence, a blank line and the board: nothing is left above.
        assert told.lstrip(" ").startswith("reserve")


def test_after_an_interrupt_the_next_line_begins_at_its_start(watched):
    child = watched("--speed", "1")
    child.expect("2 moves.*\r\n\r\n")
    child.sendintr()
    assert "^C" not in child.read()
    child.close()
    assert child.exitstatus == 130


def test_a_record_that_does_not_play_back_is_named(canfield):
    canfield("new --seed 7")
    canfield("draw 5")
    canfield("new --seed 8")
    stock(canfield, entry(99))
    assert canfield("replay 1").status == 0
    for words in ("replay 2", "replay 2 --json"):
        answer = canfield(words)
        assert answer.status == 3
        assert answer.err.startswith("error: game 2 of the records can't be played back: ")
    answer = canfield("records check --json")
    assert answer.status == 3
    assert answer.err.startswith("error: 1 of 2 games can't be played back: 2\n")
    assert [fault["n"] for fault in answer.json["error"]["faults"]] == [2]
    assert canfield("replay 3").err.startswith("error: there is no recorded game number 3\n")


def test_games_of_the_hint_player_are_sound(canfield):
    entries = [played(number) for number in range(3)]
    stock(canfield, *entries)
    answer = canfield("records check --json")
    assert answer.status == 0
    assert answer.json["checked"] == 3
    told = canfield("log --json").json["games"]
    assert {game["id"]: game["score"] for game in told} == {each.id: each.score for each in entries}


def test_two_machines_records_are_merged_without_counting_twice(canfield, monkeypatch, tmp_path):
    for seed in (7, 8):
        canfield(f"new --seed {seed}")
        canfield("draw 5")
    ours = canfield("records export").out
    monkeypatch.setenv("CANFIELD_RECORDS", str(tmp_path / "other.db"))
    monkeypatch.setenv("CANFIELD_SAVE", str(tmp_path / "other.json"))
    assert canfield("records", "import", "-", "--json", stdin=ours).json["new"] == 2
    canfield("new --seed 9")
    canfield("draw 5")
    theirs = canfield("records export").out
    monkeypatch.setenv("CANFIELD_RECORDS", str(tmp_path / "records.db"))
    monkeypatch.setenv("CANFIELD_SAVE", str(tmp_path / "game.json"))
    file = tmp_path / "theirs.csv"
    file.write_text(theirs)
    answer = canfield("records", "import", str(file), "--json").json
    assert (answer["new"], answer["changed"], answer["known"]) == (1, 0, 2)
    again = canfield("records", "import", str(file))
    assert again.out == "3 games: 0 new, 0 changed, 3 known\n"
    assert canfield("stats --json").json["stats"][0]["played"] == 3


def test_records_are_forgotten_only_when_that_is_confirmed(canfield):
    canfield("new --seed 7")
    canfield("draw 5")
    answer = canfield("records forget")
    assert answer.status == 2
    assert answer.err.startswith("error: 1 game would be taken away for good\n")
    assert len(canfield("log --json").json["games"]) == 1
    assert canfield("records forget --yes --json").json["forgotten"] == 1
    assert canfield("log --json").json["games"] == []
    canfield("draw")
    assert len(canfield("log --json").json["games"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        "records",
        "records burn",
        "records import",
        "records path x",
        "records forget x --yes",
        "stats --plot x.gif",
        "stats --plot x.svg --csv",
    ],
)
def test_what_the_records_are_wrongly_asked_is_refused(canfield, words):
    answer = canfield(words)
    assert (answer.status, answer.out) == (2, "")


def test_to_ask_where_the_records_are_makes_none(canfield, tmp_path):
    path = Path(canfield("records path").out.rstrip("\n"))
    assert path == tmp_path / ".local/share/canfield/records.db"
    assert not path.exists()
    assert canfield("records path --json").json["path"] == str(path)


# Drawings.


def test_without_the_library_a_drawing_is_refused_with_the_way_to_get_it(canfield, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    stock(canfield, entry(1))
    answer = canfield("stats", "--plot", str(tmp_path / "out.svg"))
    assert answer.status == 4
    assert answer.err == (
        "error: to draw takes matplotlib, which is not installed\n"
        "hint: pip install 'canfield-cli[plot]' brings it\n"
    )
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize(("name", "begins"), [("out.svg", b"<?xml"), ("OUT.PNG", b"\x89PNG")])
@pytest.mark.filterwarnings("ignore")
def test_a_drawing_has_the_charts_of_each_rule_set(canfield, tmp_path, name, begins):
    pytest.importorskip("matplotlib")
    file = tmp_path / name
    stock(canfield, entry(5, preset("casino"), helped="peek"))
    answer = canfield("stats", "--plot", str(file))
    assert (answer.status, answer.out, file.exists()) == (1, "", False)
    assert answer.err.startswith("error: no game that counts has been recorded yet, so nothing is drawn\n")
    stock(
        canfield,
        entry(1, **WON),
        entry(2),
        entry(4, preset("easy")),
    )
    assert canfield("stats", "--plot", str(file)).out.startswith("the statistics are drawn in `/")
    drawn = file.read_bytes()
    assert drawn.startswith(begins)
    canfield("stats", "--plot", str(file))
    assert file.read_bytes() == drawn
    if name == "out.svg":
        text = drawn.decode()
        assert all(
            f">{title}<" in text for title in ("standard", "easy", "cards up", "won by base rank", "by month")
        )
        assert ">casino<" not in text


def test_a_drawing_is_as_private_as_the_umask_says(canfield, tmp_path):
    pytest.importorskip("matplotlib")
    stock(canfield, entry(1))
    file = tmp_path / "out.svg"
    before = os.umask(0o022)
    try:
        canfield("stats", "--plot", str(file))
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    file.chmod(0o640)
    canfield("stats", "--plot", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_drawing_that_can_not_be_written_is_refused_with_what_helps(canfield, tmp_path):
    pytest.importorskip("matplotlib")
    stock(canfield, entry(1))
    answer = canfield("stats", "--plot", str(tmp_path / "nowhere" / "out.svg"))
    assert answer.status == 4
    assert answer.err.startswith("error: can't write `")
    assert answer.err.endswith("hint: name a file where you may write\n")


@pytest.fixture
def charts():
    """A function that draws a rule set and gives its three charts, laid out, in this order."""
    backend = pytest.importorskip("matplotlib.backends.backend_agg")
    figure = pytest.importorskip("matplotlib.figure")

    def draw(each):
        sheet = figure.Figure(figsize=(13, 3.4), layout="constrained")
        backend.FigureCanvasAgg(sheet)
        axes = sheet.subplots(1, 3)
        for chart, place in zip((plot._cards_up, plot._bases, plot._months), axes, strict=True):
            chart(place, each)
        sheet.canvas.draw()
        return axes

    return draw


@pytest.mark.filterwarnings("ignore")
def test_games_are_numbered_in_whole_numbers_from_nothing(records, charts):
    (one,) = told(records, entry(1), entry(2, cards_up=9))
    ups, _, months = charts(one)
    for axes in (ups, months):
        assert axes.get_ylim()[0] == 0
        assert all(tick == int(tick) for tick in axes.get_yticks())


@pytest.mark.filterwarnings("ignore")
def test_a_single_month_is_a_narrow_bar_and_no_bar_is_under_the_legend(records, charts):
    (one,) = told(records, entry(1, **WON), entry(2))
    months = charts(one)[2]
    left, right = months.get_xlim()
    assert all(bar.get_width() < (right - left) / 4 for bar in months.patches)
    assert months.get_legend().get_window_extent().x0 >= months.bbox.x1


@pytest.mark.filterwarnings("ignore")
def test_no_more_months_are_named_than_there_is_room_for(records, charts):
    (one,) = told(records, *(entry(number, ended=NOON - 30 * 86400 * number) for number in range(120)))
    months = charts(one)[2]
    assert len(months.patches) == 2 * len(one.months) > 200
    assert 12 <= len(months.get_xticks()) <= 24


@pytest.mark.filterwarnings("ignore")
def test_each_base_rank_has_its_number_of_games_and_its_interval(records, charts):
    (one,) = told(records, entry(1, **WON, base="T"), *(entry(number, base="2") for number in range(2, 12)))
    bases = charts(one)[1]
    labels = [label.get_text() for label in bases.get_xticklabels()]
    assert labels == [
        f"{rank}\n{ {'2': 10, '10': 1}.get(rank, 0) }"
        for rank in ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    ]
    (bars,) = bases.containers[-1:]
    (lines,) = bars.errorbar.lines[2]
    ends = [sorted(y for _, y in line) for line in lines.get_segments()]
    # Of 10 games without a win it is 0 to 27.75 %, of one that is won 20.65 to 100 %.
    assert ends == [pytest.approx([0, 27.75], abs=0.01), pytest.approx([20.65, 100], abs=0.01)]
