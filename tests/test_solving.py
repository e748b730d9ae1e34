"""The commands that ask the solver, as a shell script sees them."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
from argparse import Namespace
from multiprocessing import active_children
from pathlib import Path

import pexpect
import pyte
import pytest

import canfield_cli
from canfield_cli.commands import COMMANDS, positions, solving, waiting
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.dealcode import format_code
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import format_position
from canfield_cli.engine.rules import preset
from canfield_cli.solver import Limits, Verdict, solve

#: From the deals with proven outcomes (data/winnable-200.jsonl): seed 1 is won under `published`, seed 4 of that
#: table lost; both by independent programs.
WON = (
    "Js Td As Kd 8c 5h 8s Jc 7s 7h 8d 6d 2c Jd 9h Jh Kh Ah 8h 3c 5d 9d 4c Qd 9s 6s 3d 2h Ts 6c 3h Th 7d 5s 9c 4s "
    "7c Kc 4d 2d 5c Ad 3s Qs Qc 4h 2s Ac Qh Tc Ks 6h"
)
#: Won by two cards that go up.
NEARLY = "A KJKK - Kd/Qd/-/- - - 0"
#: Seed 112 of the table, which no program could decide under `classic` in half a minute.
HARD = (
    "Ts 2d 4h 2h 2c 6c Kc Qc Kh Js Jc Kd 3c 3d Ah 8s 7h Jh 5s 9h 4c 9d 4s 7d 8c Qs Qd 3h 6s 8h "
    "6d Ac 5c 7c 2s Th 5h 8d Ks As 3s Jd 7s 9s 6h Ad Td Qh 4d 9c Tc 5d"
)
UNKNOWN = Verdict("unknown", limit="states", backend="python")


def lost_deal():
    """A deal that the table of proven outcomes calls lost under every preset but those with base builds."""
    for line in (Path(__file__).parent / "data" / "winnable-200.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["outcome"]["published"] == "lost":
            return row["deal"]
    raise AssertionError


def replayed(deal, name, actions):
    """Return whether `actions` win `deal`, by the engine."""
    game = Game.of(deal, preset(name))
    for action in actions:
        game.play(action)
    return game.position.won


def test_a_deal_that_can_be_won_is_proved_by_its_actions(canfield):
    answer = canfield("solve", "--deal", "-", "--rules", "published", "--json", stdin=WON)
    assert answer.status == 0
    assert answer.json["verdict"] == "won"
    assert {"n", "actions", "states", "seconds", "backend"} <= set(answer.json)
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    actions = answer.json["actions"]
    assert canfield("move", *actions, "--json").json["state"]["won"] is True
    canfield("restart")
    told = canfield("move", *actions).out.splitlines()
    sums = told[told.index(f"won in {len(actions)} moves") - 1]
    draws, redeals = actions.count("draw"), actions.count("redeal")
    assert sums.startswith(f"done: {len(actions)} actions ({draws} draws, {redeals} redeals, ")
    # All cards but the base card went up.
    assert sums.endswith(", 51 cards up)")


def test_a_deal_that_cannot_be_won_has_status_1(canfield):
    answer = canfield("solve", "--deal", "-", "--rules", "published", "--json", stdin=lost_deal())
    assert answer.status == 1
    assert answer.json["ok"] is True
    assert answer.json["verdict"] == "lost"


def test_a_limit_gives_unknown_with_status_5_and_never_lost(canfield):
    answer = canfield("solve", "--seed", "3", "--max-states", "5", "--json")
    assert answer.status == 5
    assert (answer.json["verdict"], answer.json["limit"]) == ("unknown", "states")
    assert "the search reached its limit of states (" in canfield("solve --seed 3 --max-states 5").out


def test_many_positions_are_answered_in_order_a_line_each(canfield):
    lines = f"{WON}\nnonsense\n\n# a remark\n{lost_deal()}  # and another\n"
    for jobs in ("1", "2"):
        words = ["solve", "--positions", "-", "--rules", "published", "--jobs", jobs, "--json"]
        answer = canfield(*words, stdin=lines)
        assert answer.status == 0
        objects = [json.loads(line) for line in answer.out.splitlines()]
        assert [each["n"] for each in objects] == [1, 2, 5]
        assert [each["verdict"] for each in objects] == ["won", "error", "lost"]
    *told, sums = canfield("solve", "--positions", "-", "--rules", "published", stdin=lines).out.splitlines()
    assert [line.split()[:2] for line in told] == [["1", "won"], ["2", "error"], ["5", "lost"]]
    assert sums == "3 lines: 1 won, 1 lost, 1 in error"
    assert canfield("solve", "--positions", "-", stdin="# nothing\n").out == "0 lines\n"


def test_two_things_to_solve_at_once_are_refused(canfield):
    assert canfield("solve --seed 1 --pysol 2").status == 2
    assert canfield("solve --seed 1 --positions -").status == 2
    canfield("new --seed 3")
    assert canfield("solve --rules gilded").status == 2


@pytest.mark.parametrize("deal", ["", " --seed 3"])
def test_processes_for_one_position_are_refused(canfield, deal):
    canfield("new --seed 3")
    answer = canfield(f"solve --jobs 2{deal}")
    assert answer.status == 2
    assert "--positions" in answer.err


def test_finish_plays_the_win_out_and_it_can_be_undone(canfield):
    canfield("new --seed 3")
    answer = canfield("finish --json")
    assert answer.json["state"]["won"] is True
    assert replayed(deal_seed(3), "standard", answer.json["did"])
    assert canfield("undo --json").json["state"]["won"] is False
    assert canfield("check").status == 0


def test_peeking_gives_the_way_to_a_win_and_says_that_it_looked(canfield):
    canfield("new --seed 3")
    answer = canfield("hint --peek --json")
    assert answer.json["peeked"] is True
    assert "looked at the hidden cards" in answer.json["hint"][0]["why"]
    for _ in range(400):
        answer = canfield("hint --peek --json")
        if answer.status:
            break
        canfield("move", answer.json["hint"][0]["action"])
    assert canfield("show --json").json["state"]["won"] is True


def thrown_away(canfield, *options):
    """Play a winnable game by its first legal action until it is lost; return how many actions that took."""
    canfield("new", "--deal", "-", "--rules", "published", *options, stdin=WON)
    for number in range(1, 400):
        legal = canfield("moves").out.split()
        canfield("move", legal[-1] if number % 2 else legal[0])
        if canfield("solve").status == 1:
            return number
    raise AssertionError


def test_a_lost_game_is_reviewed_and_peeking_says_how_far_to_go_back(canfield):
    number = thrown_away(canfield)
    answer = canfield("review --json")
    assert answer.json["mistake"] == number
    assert answer.json["won_until"] == number - 1
    peeked = canfield("hint --peek --json")
    assert peeked.status == 1
    assert peeked.json["error"]["code"] == "lost"
    assert peeked.json["error"]["undos"] == 1
    assert canfield("finish").status == 1
    canfield("undo")
    assert canfield("solve").status == 0
    better = answer.json["better"]
    canfield("move", better)
    assert canfield("solve").status == 0


def test_show_can_carry_the_verdict(canfield):
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    assert canfield("show --verdict --json").json["verdict"]["verdict"] == "won"
    assert "can be won" in canfield("show --verdict").out


@pytest.mark.parametrize(
    ("option", "outcome", "status"), [("--winnable", "won", 0), ("--unwinnable", "lost", 1)]
)
def test_a_new_game_can_be_asked_to_be_winnable_or_not(canfield, option, outcome, status):
    answer = canfield("new", option, "--seed", "1", "--rules", "published", "--json")
    assert answer.status == 0
    assert canfield("solve").status == status
    again = canfield("new", option, "--seed", "1", "--rules", "published", "--json")
    assert again.json["state"]["code"] == answer.json["state"]["code"]
    assert "tried" in canfield("new", option, "--seed", "1", "--rules", "published").out
    assert canfield("new", option, "--pysol", "1").status == 2


def test_finish_keeps_the_game_as_it_was(canfield):
    canfield("new --seed 3")
    canfield("draw 3")
    before = canfield("show --json").json["state"]
    assert canfield("finish").status == 0
    kept = canfield("resume --json").json["kept"]
    assert [each["moves"] for each in kept] == [3]
    assert canfield(f"resume {kept[0]['number']} --json").json["state"] == before


def blinded(monkeypatch, *positions):
    """Let the solver find nothing out about `positions`."""

    def half_blind(position, limits=None, stop=None):
        return UNKNOWN if position in positions else solve(position, limits, stop=stop)

    monkeypatch.setattr(solving, "solve", half_blind)


def positions_of(canfield):
    """Return the positions of the current game, from its start to now."""
    game = Game.of(Deal(WON.split()), preset("published"))
    positions = [game.position]
    for action in canfield("review --json").json["actions"]:
        game.play(action)
        positions.append(game.position)
    return positions


def test_review_blames_no_action_where_the_solver_could_not_tell(canfield, monkeypatch):
    mistake = thrown_away(canfield)
    canfield("draw 3")
    positions = positions_of(canfield)
    blinded(monkeypatch, *positions[mistake : mistake + 2])
    answer = canfield("review --json").json
    assert (answer["won_until"], answer["mistake"]) == (mistake - 1, None)
    assert answer["better"] != answer["actions"][mistake - 1]
    moral, _, *lines = canfield("review").out.splitlines()
    marks = [line[5] for line in lines]
    assert marks == [" "] * (mistake - 1) + ["~", "~", "-", "-"]
    assert moral.startswith(f"one of the actions {mistake} to {mistake + 2} threw it away")
    blinded(monkeypatch, *positions[mistake:])
    answer = canfield("review --json").json
    assert (answer["won_until"], answer["mistake"]) == (mistake - 1, None)
    assert "no search could tell" in canfield("review").out


def test_review_follows_a_known_win_where_the_search_finds_no_more(canfield, monkeypatch):
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    canfield("move", *canfield("solve --json").json["actions"][:4])
    blinded(monkeypatch, *positions_of(canfield)[1:])
    answer = canfield("review --json").json
    assert (answer["won_until"], answer["mistake"], answer["better"]) == (4, None, None)


def test_a_game_that_was_won_could_be_won_all_along_whatever_a_search_says_of_its_start(
    canfield, monkeypatch
):
    canfield("new", "--deal", "-", stdin=NEARLY)
    canfield("move 2f 1f")
    monkeypatch.setattr(
        solving,
        "solve",
        lambda position, limits=None, stop=None: solve(position) if position.won else UNKNOWN,
    )
    answer = canfield("review --json").json
    assert (answer["won_until"], answer["mistake"], answer["better"]) == (2, None, None)
    assert "it was won" in canfield("review").out


def test_peeking_looks_from_here_where_the_plan_before_is_unknown(canfield, monkeypatch):
    canfield("new", "--deal", "-", "--rules", "published", stdin=WON)
    start = Game.of(Deal(WON.split()), preset("published")).position
    canfield("draw")
    blinded(monkeypatch, start)
    assert canfield("hint --peek --json").json["peeked"] is True


def test_peeking_without_an_answer_has_status_5(canfield, monkeypatch):
    canfield("new --seed 3")
    monkeypatch.setattr(solving, "solve", lambda *_, **__: UNKNOWN)
    answer = canfield("hint --peek --json")
    assert (answer.status, answer.json["error"]["code"]) == (5, "undecided")
    assert "reached its limit of states" in answer.json["error"]["message"]


def test_peeking_at_what_is_lost_from_the_beginning_says_so_once(canfield):
    canfield("new", "--deal", "-", "--rules", "published", stdin=lost_deal())
    for words, said in (("show", "this can't be won, "), ("draw 3", "nor could it from the beginning, ")):
        canfield(words)
        error = canfield("hint --peek --json").json["error"]
        assert (error["code"], error["undos"]) == ("lost", None)
        assert error["message"].startswith("having looked at the hidden cards: this can't be won, ")
        assert said in error["message"]
        assert "can't be won" not in error["hint"]


def test_peeking_where_nothing_is_known_of_the_beginning_says_that(canfield, monkeypatch):
    mistake = thrown_away(canfield)
    blinded(monkeypatch, *positions_of(canfield)[:mistake])
    answer = canfield("hint --peek --json")
    assert answer.json["error"]["code"] == "lost"
    assert answer.json["error"]["hint"].startswith("from the beginning: it is unknown")


def test_what_helps_after_a_loss_fits_the_game(canfield):
    canfield("new", "--deal", "-", "--rules", "published", stdin=lost_deal())
    # Nothing went wrong yet, and there is nothing to undo.
    assert hint_of(canfield) == "canfield new --winnable begins a game that can be won"
    canfield("draw")
    assert hint_of(canfield) == "canfield review says until when it could be, canfield undo goes back"
    canfield("new", "--deal", "-", "--rules", "published", "--undo-limit", "0", stdin=lost_deal())
    canfield("draw")
    assert hint_of(canfield) == "canfield review says until when it could be"


def hint_of(canfield):
    """Return the hint with which `finish` refuses."""
    return canfield("finish --json").json["error"]["hint"]


def test_what_is_won_is_not_told_to_be_winnable(canfield):
    canfield("new", "--deal", "-", stdin=NEARLY)
    canfield("move 2f 1f")
    for words in ("solve", "show --verdict"):
        told = canfield(words).out
        assert "this is won already" in told
        assert "0 actions" not in told


def test_where_the_rules_allow_no_undo_peeking_advises_a_restart(canfield):
    number = thrown_away(canfield, "--undo-limit", "0")
    answer = canfield("hint --peek --json")
    assert answer.json["error"]["undos"] == 1
    assert "restart" in answer.json["error"]["hint"]
    assert len(canfield("review --json").json["actions"]) == number


def test_the_search_for_a_deal_ends_and_says_where_to_go_on(canfield, monkeypatch):
    found = canfield("new --winnable --seed 1 --rules published --json")
    tried = found.json["tried"]
    assert found.json["seed"] == tried
    assert tried > 1
    monkeypatch.setattr(solving, "TRIES", tried - 1)
    before = canfield("show --json").json["state"]
    answer = canfield("new --winnable --seed 1 --rules published --json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "no-such-deal")
    assert answer.json["error"]["tried"] == tried - 1
    assert canfield("show --json").json["state"] == before
    assert f"--seed {tried} " in answer.json["error"]["hint"]
    assert canfield(f"new --winnable --seed {tried} --rules published --json").json["tried"] == 1


def test_deals_that_were_not_decided_are_told_and_counted(canfield, monkeypatch):
    seen = []

    def half_blind(position, limits=None, stop=None):
        seen.append((limits.states, limits.seconds))
        return UNKNOWN if len(seen) == 1 else solve(position, limits, stop=stop)

    monkeypatch.setattr(solving, "solve", half_blind)
    told = canfield("new --winnable --seed 1 --rules published").out
    tried = len(seen)
    assert f"this deal can be won; {tried} deals were tried, 1 of them undecided" in told
    # The same deal on every machine, so it is no matter of time.
    assert set(seen) == {(solving.STATES, None)}
    seen.clear()
    found = canfield("new --winnable --seed 1 --rules published --json").json
    assert (found["tried"], found["undecided"]) == (tried, 1)
    assert "undecided" not in canfield("new --winnable --seed 1 --rules published").out
    monkeypatch.setattr(solving, "TRIES", tried - 1)
    seen.clear()
    error = canfield("new --winnable --seed 1 --rules published --json").json["error"]
    assert (error["tried"], error["undecided"]) == (tried - 1, 1)
    assert "1 of them undecided" in error["message"]


def test_the_help_names_the_limits_of_searches_that_have_no_option_for_them():
    for option in ("--winnable", "--unwinnable"):
        assert f"{solving.STATES:,} states" in COMMANDS["new"].names[option].help
    helps = [COMMANDS["hint"].names["--peek"].help, COMMANDS["show"].names["--verdict"].help]
    helps += [COMMANDS[name].detail for name in ("review", "finish")]
    assert all(f"{Limits().seconds:.0f} seconds" in each for each in helps)


def test_finish_is_watched_on_a_terminal_and_not_in_a_script(canfield):
    canfield("new", "--deal", "-", stdin=NEARLY)
    assert "51/52" not in canfield("finish").out
    canfield("new", "--deal", "-", stdin=NEARLY)
    words = ["-m", "canfield_cli", "finish"]
    env = {**os.environ, "PYTHONPATH": str(Path(canfield_cli.__file__).parent.parent), "TERM": "xterm"}
    child = pexpect.spawn(sys.executable, words, env=env, dimensions=(24, 80), encoding="utf-8", timeout=20)
    child.expect(r"51/52.*52/52")
    child.expect(pexpect.EOF)
    assert canfield("show --json").json["state"]["won"] is True


# Ctrl-C, many processes, terminals.


def interrupted(monkeypatch, after):
    """Let Ctrl-C come in the search after so many."""
    left = [after]

    def solve_until(position, limits=None, stop=None):
        left[0] -= 1
        return solve(position, limits) if left[0] >= 0 else Verdict("unknown", limit="interrupted")

    for module in (solving, positions):
        monkeypatch.setattr(module, "solve", solve_until)


def test_ctrl_c_in_one_search_says_that_and_has_status_130(canfield, monkeypatch):
    interrupted(monkeypatch, 0)
    answer = canfield("solve --seed 3 --json")
    assert (answer.status, answer.json["verdict"], answer.json["limit"]) == (130, "unknown", "interrupted")
    assert "was interrupted" in canfield("solve --seed 3").out


def test_ctrl_c_among_many_gives_what_is_done_so_far(canfield, monkeypatch):
    interrupted(monkeypatch, 2)
    answer = canfield("solve", "--positions", "-", "--json", stdin=f"{WON}\n" * 4)
    assert answer.status == 130
    verdicts = [json.loads(line)["verdict"] for line in answer.out.splitlines()]
    assert verdicts == ["won", "won", "unknown"]
    interrupted(monkeypatch, 2)
    told = canfield("solve", "--positions", "-", stdin=f"{WON}\n" * 4).out.splitlines()
    assert (len(told), told[-1]) == (4, "4 lines: 2 won, 2 not solved")


@pytest.mark.parametrize("words", ["hint --peek", "review", "finish", "show --verdict", "new --winnable"])
def test_ctrl_c_in_any_search_changes_nothing(canfield, monkeypatch, words):
    canfield("new --seed 3")
    before = canfield.save.read_bytes()
    interrupted(monkeypatch, 0)
    answer = canfield(words)
    assert (answer.status, answer.out, answer.err) == (130, "", "")
    assert canfield.save.read_bytes() == before


def test_ctrl_c_on_a_terminal_ends_all_processes_quietly(canfield):
    words = [sys.executable, "-m", "canfield_cli", "solve", "--positions", "-", "--jobs", "2", "--json"]
    env = {**os.environ, "PYTHONPATH": str(Path(canfield_cli.__file__).parent.parent)}
    program = subprocess.Popen(
        [*words, "--rules", "classic"],
        env={**env, "CANFIELD_PURE_PYTHON": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    program.stdin.write(f"{NEARLY}\n{HARD}\n{HARD}\n")
    program.stdin.close()
    first = json.loads(program.stdout.readline())
    os.killpg(program.pid, signal.SIGINT)
    # A process that went on would hold the pipes open.
    assert (program.stdout.read(), program.stderr.read()) == ("", "")
    assert program.wait(20) == 130
    assert (first["n"], first["verdict"]) == (1, "won")
    program.stdout.close()
    program.stderr.close()


def tasks_of(*lines):
    return [
        (number, line, preset("classic").words(), False, Limits(seconds=60))
        for number, line in enumerate(lines, 1)
    ]


def test_ctrl_c_keeps_what_was_solved_out_of_turn_and_the_progress_counts_it(monkeypatch):
    monkeypatch.setenv("CANFIELD_PURE_PYTHON", "1")
    monkeypatch.setattr(positions, "WAIT", 0.05)
    progress = []

    def press(waiting):
        progress.append(waiting.what)
        if waiting.what == "3 of 4":
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(waiting.Waiting, "tick", press)
    lines, limits = [HARD, NEARLY, "nonsense", NEARLY], Limits(seconds=60)
    context = Namespace(env=Namespace(stderr=io.StringIO()))
    answers = positions.solve_many(context, lines, preset("classic"), limits, 2, fixed=False)
    told = []
    with pytest.raises(KeyboardInterrupt):
        told += answers
    assert [answer["n"] for _, answer in told[:-1]] == [2, 3, 4]
    assert told[-1] == ("4 lines: 2 won, 1 in error, 1 not solved", None)
    assert progress[-1] == "3 of 4"


def test_a_process_that_is_killed_costs_one_position(monkeypatch):
    monkeypatch.setenv("CANFIELD_PURE_PYTHON", "1")
    monkeypatch.setattr(positions, "WAIT", 0.05)
    killed = []

    def kill_one():
        if not killed:
            killed.extend(active_children())
            killed[0].kill()
        return False

    answers = [answer for _, answer in positions._shared(tasks_of(HARD, NEARLY, NEARLY), 1, kill_one)]
    assert [(each["n"], each["verdict"]) for each in answers] == [(1, "error"), (2, "won"), (3, "won")]
    assert "killed" in answers[0]["error"]


class Tty(io.StringIO):
    """What is written to a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("solve --positions - --rules published", "0 of 2, 0 s"),
        ("solve --deal - --rules published", "searching, 0 s"),
        ("new --winnable --seed 3 --rules standard", "trying deal 1, 0 s"),
    ],
)
def test_a_terminal_is_told_how_long_a_search_takes_and_is_left_as_it_was(canfield, monkeypatch, words, told):
    stdin = WON if "--deal" in words else f"{WON}\n{WON}\n"
    assert canfield(*words.split(), stdin=stdin).err == ""
    monkeypatch.setenv("CANFIELD_PURE_PYTHON", "1")
    monkeypatch.setattr(waiting, "WAIT", 0.0)
    # The pulse of a search in plain Python is felt too seldom for these deals.
    for module in (solving, positions):
        monkeypatch.setattr(
            module, "solve", lambda position, limits, stop: (stop(), solve(position, limits, stop=stop))[1]
        )
    monkeypatch.setattr(sys, "stderr", Tty())
    canfield(*words.split(), stdin=stdin)
    written = sys.stderr.getvalue()
    assert told in written
    assert "\n" not in written
    screen = pyte.Screen(80, 3)
    pyte.Stream(screen).feed(written)
    assert "".join(screen.display).strip() == ""
    assert screen.cursor.x == 0


def test_no_search_is_loaded_by_commands_that_do_not_search(canfield, tmp_path):
    searching = {"solve", "review", "finish"}
    lines = ["new --seed 7", "draw 3", "undo"]
    lines += [
        # Without what the shell would do with it.
        command.example.removeprefix("canfield ").partition(" > ")[0]
        for command in COMMANDS.values()
        if command.name not in searching
    ]
    lines += ["show --json", "moves --json", "hint --json", "nonsense", "help solve"]
    program = (
        "import json, sys\n"
        "from canfield_cli.cli.shell import main\n"
        "names = ('canfield_cli.solver._search', 'canfield_cli.solver._reference')\n"
        "loaded = []\n"
        "for line in json.loads(sys.argv[1]):\n"
        "    main(line)\n"
        "    loaded.append([name for name in names if name in sys.modules])\n"
        "sys.stderr.write('\\n' + json.dumps(loaded))\n"
    )
    words = [shlex.split(line) for line in [*lines, "solve --seed 3"]]
    answer = subprocess.run(
        [sys.executable, "-c", program, json.dumps(words)],
        env={**os.environ, "PYTHONPATH": str(Path(canfield_cli.__file__).parent.parent)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    *without, last = json.loads(answer.stderr.splitlines()[-1])
    assert last
    assert dict(zip(lines, without, strict=True)) == {line: [] for line in lines}


def test_codes_stand_for_their_deals_in_a_list_of_positions(canfield):
    lines = [format_code(deal_seed(1), 1), f"{format_code(deal_seed(1), 3).lower()}  # a remark"]
    ran = canfield(
        "solve",
        "--positions",
        "-",
        "--rules",
        "easy",
        "--json",
        "--max-states",
        "100000",
        stdin="\n".join(lines),
    )
    answers = [json.loads(line) for line in ran.out.splitlines()]
    by_seed = [
        canfield(
            "solve", "--seed", "1", "--rules", "easy", "--draw", draw, "--json", "--max-states", "100000"
        ).json
        for draw in ("1", "3")
    ]
    assert [answer["states"] for answer in answers] == [answer["states"] for answer in by_seed]
    assert [answer["rules"]["draw"] for answer in answers] == [1, 3]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_code_that_contradicts_the_draw_asked_for_is_an_error_of_its_line(canfield, jobs):
    lines = "\n".join([format_code(deal_seed(1), 3), format_code(deal_seed(1), 1), NEARLY])
    words = ["solve", "--positions", "-", "--rules", "easy", "--jobs", jobs, "--max-states", "1000", "--json"]
    first, second, third = map(json.loads, canfield(*words, "--draw", "1", stdin=lines).out.splitlines())
    assert (first["verdict"], first["error"]) == ("error", "the code says draw 3, --draw says 1")
    assert second["rules"]["draw"] == third["rules"]["draw"] == 1
    assert "error" not in (second["verdict"], third["verdict"])


def test_a_code_in_a_file_is_held_to_the_draw_asked_for_like_one_on_the_line(canfield):
    code = format_code(deal_seed(1), 3)
    canfield("new --seed 7")
    before = canfield.save.read_bytes()
    for name in ("new", "solve"):
        in_file = canfield(name, "--deal", "-", "--draw", "1", stdin=code)
        assert (in_file.status, in_file.err) == (2, canfield(name, "--code", code, "--draw", "1").err)
    assert canfield.save.read_bytes() == before
    assert canfield("new", "--deal", "-", "--draw", "3", stdin=code).status == 0


def test_what_a_code_makes_of_the_rules_is_told(canfield):
    code = format_code(deal_seed(1), 3)
    words = ["--rules", "easy", "--max-states", "1000"]
    assert "easy (draw 3)" in canfield("solve", "--code", code, *words).out
    told = canfield("solve", "--positions", "-", *words, stdin=f"{code}\n{NEARLY}").out.splitlines()
    assert ["easy (draw 3)" in line for line in told] == [True, False, False]
    assert (
        len(
            canfield(
                "solve", "--positions", "-", "--json", *words, stdin=f"{code}\n{NEARLY}"
            ).out.splitlines()
        )
        == 2
    )


def test_the_installed_script_solves_with_several_processes(tmp_path):
    """They load the script anew, and must not run it."""
    script = Path(__file__).parent.parent / "bin" / "canfield"
    lines = "\n".join(format_position(Game.of(deal_seed(seed), preset("easy")).position) for seed in (1, 2))
    ran = subprocess.run(
        [sys.executable, str(script), "solve", "--positions", "-", "--jobs", "2", "--rules", "easy", "--json"],
        input=lines, capture_output=True, text=True, timeout=60,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(script.parent.parent)},
    )  # fmt: skip
    assert ran.stderr == ""
    assert [json.loads(line)["verdict"] for line in ran.stdout.splitlines()] == ["won", "won"]
