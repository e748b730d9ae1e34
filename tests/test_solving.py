"""The commands that ask the solver, as a shell script sees them."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
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
#: Two red kings wait under their own queens: no card can ever move.
LOST = "A KKJT - QsKs/Js/QhKh/- - - 3"
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
    assert canfield("move", *answer.json["actions"], "--json").json["state"]["won"] is True


def test_a_deal_that_cannot_be_won_has_status_1(canfield):
    answer = canfield("solve", "--deal", "-", "--rules", "published", "--json", stdin=lost_deal())
    assert answer.status == 1
    assert answer.json["ok"] is True
    assert answer.json["verdict"] == "lost"


def test_a_limit_gives_unknown_with_status_5_and_never_lost(canfield):
    answer = canfield("solve", "--seed", "3", "--max-states", "5", "--json")
    assert answer.status == 5
    assert (answer.json["verdict"], answer.json["limit"]) == ("unknown", "states")


def test_many_positions_are_answered_in_order_a_line_each(canfield):
    lines = f"{WON}\nnonsense\n\n# a remark\n{lost_deal()}  # and another\n"
    for jobs in ("1", "2"):
        words = ["solve", "--positions", "-", "--rules", "published", "--jobs", jobs, "--json"]
        answer = canfield(*words, stdin=lines)
        assert answer.status == 0
        objects = [json.loads(line) for line in answer.out.splitlines()]
        assert [each["n"] for each in objects] == [1, 2, 5]
        assert [each["verdict"] for each in objects] == ["won", "error", "lost"]
    assert (
        len(canfield("solve", "--positions", "-", "--rules", "published", stdin=lines).out.splitlines()) == 3
    )


def test_two_things_to_solve_at_once_are_refused(canfield):
    assert canfield("solve --seed 1 --pysol 2").status == 2
    assert canfield("solve --seed 1 --positions -").status == 2
    canfield("new --seed 3")
    assert canfield("solve --rules gilded").status == 2


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
    assert "came to its last state" in answer.json["error"]["message"]


def test_peeking_at_what_is_lost_from_the_beginning_says_so(canfield):
    canfield("new", "--deal", "-", "--rules", "published", stdin=lost_deal())
    canfield("draw 3")
    answer = canfield("hint --peek --json")
    assert answer.status == 1
    assert answer.json["error"]["undos"] is None
    assert answer.json["error"]["hint"].startswith("from the beginning: this can't be won")


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
        (number, line, preset("classic").words(), Limits(seconds=60)) for number, line in enumerate(lines, 1)
    ]


def test_ctrl_c_keeps_what_was_solved_out_of_turn(monkeypatch):
    monkeypatch.setenv("CANFIELD_PURE_PYTHON", "1")
    monkeypatch.setattr(positions, "WAIT", 0.05)

    def press():
        if 3 in answers.gi_frame.f_locals["done"]:
            raise KeyboardInterrupt
        return False

    answers = positions._shared(tasks_of(NEARLY, HARD, NEARLY), 2, press)
    numbers = []
    with pytest.raises(KeyboardInterrupt):
        numbers += (answer["n"] for _, answer in answers)
    assert numbers == [1, 3]


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
    lines = [format_code(deal_seed(1), 1), format_code(deal_seed(1), 3).lower()]
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
