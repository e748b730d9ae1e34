"""The commands as a shell script sees them: text, JSON, exit status, files."""

import json
import re
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from canfield_cli.commands import COMMANDS
from canfield_cli.engine.rules import OPTIONS, PRESETS

STATE_KEYS = [
    "format", "version", "code", "rules", "base", "stock", "waste", "reserve", "foundations", "columns", "legal",
    "score", "moves", "undos", "redeals", "seconds", "cards_up", "won", "stuck",
]  # fmt: skip
#: A worked deal: base 7h, columns 6c Kh Qh As, reserve from its top Qc 8h Qs Js.
WORKED = (
    "2c 3c 4c 5c 7c 8c 9c Tc Jc Js Qs 8h Qc 7h 6c Kh Qh As "
    "Kc Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad 2h 3h 4h 5h 6h 9h Th Jh Ah 2s 3s 4s 5s 6s 7s 8s 9s Ts Ks"
)


# A game.


def test_the_worked_example_of_the_rules_plays_as_told(canfield):
    assert canfield("new", "--deal", "-", stdin=WORKED).status == 0
    answer = canfield("move r2 rf 24x2 --json")
    assert answer.status == 0
    assert answer.json["did"] == ["r2", "rf", "24x2"]
    state = answer.json["state"]
    assert state["stock"] == {"count": 34}
    assert state["waste"] == []
    assert state["reserve"] == {"count": 10, "top": "Js"}
    assert state["foundations"] == {"c": [], "d": [], "h": ["7h", "8h"], "s": []}
    assert state["columns"] == [["6c"], ["Qs"], ["Qh"], ["As", "Kh", "Qc"]]
    assert state["score"] == 5


def test_a_new_game_has_the_state_that_the_interface_promises(canfield):
    state = canfield("new", "--deal", "-", "--json", stdin=WORKED).json["state"]
    assert list(state) == STATE_KEYS
    assert state["format"] == "canfield-state"
    assert state["version"] == 1
    assert state["rules"]["preset"] == "standard"
    assert list(state["rules"]) == ["preset", *OPTIONS]
    assert state["base"] == "7"
    assert state["stock"] == {"count": 34}
    assert state["reserve"] == {"count": 13, "top": "Qc"}
    assert state["foundations"] == {"c": [], "d": [], "h": ["7h"], "s": []}
    assert state["columns"] == [["6c"], ["Kh"], ["Qh"], ["As"]]
    assert state["legal"] == ["draw", "r2", "24x1"]
    assert (state["score"], state["moves"], state["undos"], state["redeals"]) == (0, 0, 0, 0)
    assert (state["seconds"], state["cards_up"]) == (0.0, 1)
    assert (state["won"], state["stuck"]) == (False, False)


@pytest.mark.parametrize("preset", PRESETS)
def test_hints_play_a_game_to_its_end_under_each_preset(canfield, preset):
    assert canfield(f"new --seed 11 --rules {preset}").status == 0
    for _ in range(800):
        answer = canfield("hint --json")
        if answer.status:
            break
        action = answer.json["hint"][0]["action"]
        assert answer.json["hint"][0]["why"]
        played = canfield(f"move {action} --json --quiet")
        assert played.status == 0
        assert played.json["did"] == [action]
    assert answer.json["error"]["code"] == "no-hint"
    assert answer.status == 1
    check = canfield("check")
    assert check.status == 0
    assert "sound" in check.out


def test_all_actions_of_a_move_happen_or_none(canfield):
    canfield("new --seed 7")
    before = canfield.save.read_bytes()
    answer = canfield("move draw draw 12x9 --json")
    assert answer.status == 1
    assert answer.json["error"]["code"] == "illegal-move"
    assert canfield.save.read_bytes() == before


def test_a_move_in_separate_words_is_the_same_move(canfield):
    canfield("new", "--deal", "-", stdin=WORKED)
    assert canfield("move", "reserve", "column", "2", "--json").json["did"] == ["r2"]
    canfield("undo")
    assert canfield("move", "reserve", "2", "--json").json["did"] == ["r2"]
    canfield("undo")
    assert canfield("move", "Qc-Kh", "8h-f", "--json").json["did"] == ["r2", "rf"]


def test_draw_counts_a_redeal_as_one_and_draws_all_or_nothing(canfield):
    canfield("new --seed 7")
    answer = canfield("draw 13 --json").json
    assert answer["did"] == ["draw"] * 12 + ["redeal"]
    assert answer["state"]["redeals"] == 1
    canfield("new --seed 7 --redeals 0")
    answer = canfield("draw 13 --json")
    assert answer.status == 1
    assert answer.json["state"]["moves"] == 0


def test_undo_and_redo_go_back_and_forth(canfield):
    start = canfield("new --seed 7 --json").json["state"]
    canfield("draw 3")
    late = canfield("show --json").json["state"]
    back = canfield("undo 3 --json").json
    assert back["did"] == ["draw"] * 3
    assert {**back["state"], "undos": 0, "seconds": 0.0} == start
    again = canfield("redo 3 --json").json["state"]
    assert {**again, "undos": 0, "seconds": late["seconds"]} == late
    assert canfield("redo").status == 1
    assert canfield("undo 4").status == 1


def test_casino_knows_no_undo(canfield):
    canfield("new --seed 7 --rules casino")
    canfield("draw")
    answer = canfield("undo --json")
    assert answer.status == 1
    assert answer.json["error"]["code"] == "no-undo"
    assert canfield("show --json").json["state"]["score"] == -45


def test_a_touch_plays_and_up_sends_up_all_that_can_go(canfield):
    canfield("new", "--deal", "-", stdin=WORKED)
    assert canfield("tap r --json").json["did"] == ["r2"]
    assert canfield("up --json").json["did"] == ["rf"]
    assert canfield("up").status == 1
    assert canfield("tap Kh --json").json["did"] == ["24x2"]
    assert canfield("tap s --json").json["did"] == ["draw"]


def test_moves_lists_the_legal_actions_one_a_line(canfield):
    canfield("new", "--deal", "-", stdin=WORKED)
    assert canfield("moves").out == "draw\nr2\n24x1\n"
    assert canfield("moves --json").json["moves"] == ["draw", "r2", "24x1"]


def test_hint_all_ranks_every_legal_action_and_begins_with_the_hint(canfield):
    canfield("new --seed 3")
    best = canfield("hint --json").json["hint"][0]["action"]
    ranked = [each["action"] for each in canfield("hint --all --json").json["hint"]]
    assert ranked[0] == best
    assert sorted(ranked) == sorted(canfield("moves --json").json["moves"])


# Deals.


def test_a_code_gives_its_deal_again_in_any_spelling(canfield):
    state = canfield("new --seed 12345 --json").json["state"]
    canfield("new --seed 1")
    for code in (state["code"], state["code"].lower(), state["code"].replace("-", " ")):
        assert canfield("new", "--code", code, "--json").json["state"] == state


def test_a_code_brings_its_draw_setting(canfield):
    code = canfield("new --seed 5 --rules easy --json").json["state"]["code"]
    assert canfield("new", "--code", code, "--json").json["state"]["rules"]["draw"] == 1
    assert canfield("new", "--code", code, "--draw", "3").status == 2


def test_without_a_deal_named_each_new_game_is_another(canfield):
    assert len({canfield("new --json").json["state"]["code"] for _ in range(10)}) == 10


def test_the_position_line_carries_a_game_over(canfield):
    canfield("new --seed 7")
    canfield("draw 2")
    line = canfield("show --line").out
    state = canfield("show --json").json["state"]
    answer = canfield("new", "--deal", "-", "--json", stdin=line)
    assert answer.status == 0
    assert answer.json["state"]["columns"] == state["columns"]
    assert answer.json["state"]["waste"] == state["waste"]
    assert answer.json["state"]["code"] is None
    assert canfield("show --line").out == line
    assert canfield("check").status == 0


def test_the_daily_deal_is_one_a_day_and_preset(canfield):
    today = canfield("new --daily 2024-02-29 --json").json["state"]["code"]
    assert canfield("new --daily=2024-02-29 --json").json["state"]["code"] == today
    assert canfield("new --daily 2024-03-01 --json").json["state"]["code"] != today
    assert canfield("new --daily 2024-02-29 --rules gilded --json").json["state"]["code"] != today
    assert canfield("new --daily 2023-02-29").status == 2
    assert canfield("new --daily --json").json["ok"]


def test_every_rule_option_can_be_set_and_stays_with_the_game(canfield):
    words = {
        "draw": 1, "runs": "whole", "fill": "waste", "base_build": "no", "takeback": "no", "redeals": 2,
        "undo_limit": 5, "undo_score": "keep", "undo_counts": "yes", "finish": "auto", "scoring": "casino", "clock": "yes",
    }  # fmt: skip
    assert set(words) == set(OPTIONS)
    line = [part for name, word in words.items() for part in ("--" + name.replace("_", "-"), str(word))]
    canfield("new", "--seed", "7", *line)
    assert canfield("show --json").json["state"]["rules"] == {"preset": "standard", **words}


# Kept games.


def test_a_replaced_game_can_be_taken_up_again(canfield):
    canfield("new --seed 7")
    canfield("draw 2")
    state = canfield("show --json").json["state"]
    canfield("new --seed 8")
    canfield("draw")
    kept = canfield("resume --json").json["kept"]
    assert [each["moves"] for each in kept] == [2]
    answer = canfield(f"resume {kept[0]['number']} --json")
    assert answer.json["state"] == state
    assert [each["moves"] for each in canfield("resume --json").json["kept"]] == [1]


def test_restart_keeps_the_game_so_far(canfield):
    first = canfield("new --seed 7 --json").json["state"]
    canfield("draw 2")
    assert canfield("restart --json").json["state"] == first
    assert len(canfield("resume --json").json["kept"]) == 1


def test_a_broken_save_is_kept_byte_for_byte_when_it_is_replaced(canfield):
    canfield.save.write_bytes(b"\xff not a game")
    assert canfield("show").status == 3
    answer = canfield("new --seed 7")
    assert answer.status == 0
    kept = list((canfield.save.parent / "game.json.kept").iterdir())
    assert [path.read_bytes() for path in kept] == [b"\xff not a game"]
    # It is no game that could be taken up again, so where it is gets said.
    assert kept[0].name in answer.out
    assert "takes it up again" not in answer.out


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("a-b_1.json", "a-b_1.json"),
        ("my game", "'my game'"),
        ("it's", "'it'\"'\"'s'"),
        ("$HOME", "'$HOME'"),
        ("ab\n", "FILE"),
    ],
)
def test_what_takes_a_kept_game_up_again_names_its_save_as_a_shell_reads_it(
    canfield, tmp_path, monkeypatch, name, word
):
    monkeypatch.chdir(tmp_path)
    for seed in ("7", "8"):
        answer = canfield("new", "--seed", seed, "--save", name)
        canfield("draw", "--save", name)
    assert f", canfield resume 1 -s {word} takes it up again" in answer.out


# Carrying games about.


def test_a_record_is_exported_and_played_back(canfield, tmp_path):
    canfield("new --seed 7")
    canfield("draw 3")
    canfield("undo")
    state = canfield("show --json").json["state"]
    record = tmp_path / "game.txt"
    record.write_text(canfield("export").out)
    canfield("new --seed 8")
    answer = canfield(f"import {record} --json")
    assert answer.status == 0
    for key in ("code", "rules", "stock", "waste", "reserve", "columns", "foundations"):
        assert answer.json["state"][key] == state[key]


def test_the_filter_form_reads_a_save_and_writes_a_save(canfield):
    first = canfield("new --seed 7 -s -")
    assert json.loads(first.out)["format"] == "canfield-save"
    assert "reserve 13" in first.err
    second = canfield("draw -s - --json", stdin=first.out)
    assert json.loads(second.err)["did"] == ["draw"]
    third = canfield("show -s - --json", stdin=second.out)
    assert third.json["state"]["moves"] == 1
    failed = canfield("move 12x9 -s -", stdin=second.out)
    assert failed.status == 1
    assert failed.out == ""
    assert not canfield.save.exists()


def test_the_schema_describes_the_save(canfield):
    schema = json.loads(canfield("schema").out)
    Draft202012Validator.check_schema(schema)
    canfield("new --seed 7 --rules modern")
    canfield("draw 3")
    canfield("undo")
    Draft202012Validator(schema).validate(json.loads(canfield.save.read_text()))


# Output.


def test_show_hides_what_the_player_may_not_know_unless_told(canfield):
    canfield("new", "--deal", "-", stdin=WORKED)
    hidden = {"2c", "3c", "Qs", "Kc", "Ts"}
    shown = canfield("show --json").out
    assert not any(f'"{card}"' in shown for card in hidden)
    revealed = canfield("show --json --reveal").json["state"]
    assert revealed["reserve"]["cards"] == WORKED.split()[:13]
    assert revealed["stock"]["cards"] == WORKED.split()[18:][::-1]


def test_output_that_is_no_terminal_has_no_colour_unless_asked(canfield):
    assert "\x1b" not in canfield("new --seed 7").out
    assert "\x1b[31m" in canfield("show --color always").out


def test_ascii_and_plain_need_no_pictures(canfield):
    canfield("new --seed 7")
    assert canfield("show --ascii").out.isascii()
    assert "queen of" in canfield("show --plain").out or "king of" in canfield("show --plain").out


def test_quiet_says_nothing_of_what_was_done_but_answers(canfield):
    assert canfield("new --seed 7 --quiet").out == ""
    assert canfield("draw -q").out == ""
    assert canfield("show -q").out != ""
    assert canfield("moves -q").out.startswith("draw\n")


def test_rules_prints_the_table_in_80_columns_and_each_preset_in_words(canfield):
    table = canfield("rules").out
    assert max(map(len, table.splitlines())) <= 80
    assert all(name in table for name in (*PRESETS, *OPTIONS))
    for name in PRESETS:
        prose = canfield(f"rules {name}").out
        assert prose.count(".\n") >= len(OPTIONS)
    assert "only the waste's top card may enter" in canfield("rules classic").out
    assert canfield("rules --json").json["presets"]["casino"]["scoring"] == "casino"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_its_summary_options_and_an_example(canfield, command):
    answer = canfield(f"{command} --help")
    assert answer.status == 0
    text = " ".join(answer.out.split())
    assert COMMANDS[command].summary[1:] in text
    assert COMMANDS[command].example in text
    for param in COMMANDS[command].options:
        assert param.name in text


def test_canfield_alone_lists_every_command(canfield):
    answer = canfield()
    assert answer.status == 0
    assert all(f"\n  {name} " in answer.out for name in COMMANDS)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "play"])
def test_every_command_answers_with_one_json_object(canfield, command):
    canfield("new --seed 7")
    canfield("draw 2")
    record = canfield("export").out
    canfield("undo")
    words = {"move": "draw", "tap": "s", "import": "-", "completion": "zsh"}.get(command, "")
    answer = canfield(f"{command} {words} --json", stdin=record)
    assert isinstance(answer.json["ok"], bool)
    assert answer.json["ok"] == (answer.status == 0)


# Refusals.

REFUSED = [
    ("mvoe wf", 2, "usage", "move"),
    ("move", 2, "usage", "ACTION"),
    ("move xyz", 2, "bad-notation", "xyz"),
    ("move Zz-4", 2, "bad-notation", "Zz"),
    ("tap 9", 2, "bad-notation", "9"),
    ("draw x", 2, "usage", "x"),
    ("draw 0", 2, "usage", "0"),
    ("draw 1 2", 2, "usage", "2"),
    ("undo -1", 2, "usage", "-1"),
    ("show --colour", 2, "usage", "--color"),
    ("show --color pink", 2, "usage", "pink"),
    ("new --rules klondike", 2, "usage", "klondike"),
    ("new --draw 2", 2, "usage", "2"),
    ("new --redeals many", 2, "bad-rules", "many"),
    ("new --seed 34359738368", 2, "usage", "34359738368"),
    ("new --seed -1", 2, "usage", "--seed"),
    ("new --seed", 2, "usage", "--seed"),
    ("new --pysol 0", 2, None, "0"),
    ("new --seed 1 --pysol 1", 2, "usage", "--pysol"),
    ("new --daily 2023-02-29", 2, None, "2023-02-29"),
    ("new --code CAN-D3-2222-2223-2", 3, "bad-code", ""),
    ("new --code CF1-D3-AAAAACL", 3, "bad-code", ""),
    ("new --deal /nonexistent/file", 3, "bad-deal", "/nonexistent/file"),
    ("new --deal /", 3, "bad-deal", "/"),
    ("solve --deal /nonexistent/file", 3, "bad-deal", "/nonexistent/file"),
    ("solve --positions /nonexistent/file", 3, "bad-deal", "/nonexistent/file"),
    ("check /nonexistent/file", 3, "bad-save", "/nonexistent/file"),
    ("import /nonexistent/file", 3, "bad-save", "/nonexistent/file"),
    ("resume 99", 1, "no-such-game", "99"),
    ("redo", 1, "nothing-to-redo", "redo"),
    ("move wf", 1, "illegal-move", ""),
    ("move 12x9", 1, "illegal-move", ""),
    ("rules klondike", 2, "usage", "klondike"),
    ("--nonsense", 2, "usage", "--nonsense"),
]


@pytest.mark.parametrize(("line", "status", "code", "named"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refusal_is_one_sentence_with_a_hint_and_changes_nothing(canfield, line, status, code, named):
    canfield("new --seed 7")
    before = canfield.save.read_bytes()
    answer = canfield(line)
    assert answer.status == status
    first, second = answer.err.splitlines()
    assert first.startswith("error: ")
    assert named in first
    assert second.startswith("hint: ")
    assert answer.out == ""
    assert canfield.save.read_bytes() == before
    machine = canfield(f"{line} --json")
    assert machine.status == status
    assert machine.json["ok"] is False
    if code:
        assert machine.json["error"]["code"] == code


@pytest.mark.parametrize("command", [name for name, command in COMMANDS.items() if command.needs_game])
def test_without_a_game_the_way_to_begin_one_is_shown_and_nothing_is_made(canfield, command):
    words = {"move": "draw", "tap": "s"}.get(command, "")
    answer = canfield(f"{command} {words}")
    assert answer.status == 3
    assert "canfield new" in answer.err
    assert list(canfield.save.parent.iterdir()) == []


def test_a_deck_with_a_card_twice_and_one_missing_names_both(canfield):
    answer = canfield("new", "--deal", "-", stdin=WORKED.replace("Ks", "Kd"))
    assert answer.status == 3
    assert "K♦" in answer.err
    assert "K♠" in answer.err


# Processes.


def run(words, env, **more):
    return subprocess.run(
        [sys.executable, "-m", "canfield_cli", *words], env=env, capture_output=True, **more
    )


@pytest.fixture
def env(tmp_path):
    import os

    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "CANFIELD_SAVE": str(tmp_path / "game.json")}


@pytest.mark.parametrize("words", ["rules --json", "--help", "new --help"])
def test_a_closed_pipe_ends_it_quietly(env, words):
    run(["new", "--seed", "7"], env)
    line = f"{sys.executable} -m canfield_cli {words} | true; exit ${{PIPESTATUS[0]}}"
    answer = subprocess.run(["bash", "-c", line], env=env, capture_output=True)
    assert answer.stderr == b""
    assert answer.returncode == 0


def test_a_seed_gives_the_same_deal_whatever_the_hash_seed(env):
    deals = {
        run(["new", "--seed", "7", "--json"], {**env, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")
    }
    assert len(deals) == 1


def test_output_on_a_full_disk_is_refused_in_a_sentence(env):
    run(["new", "--seed", "7"], env)
    with open("/dev/full", "w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "canfield_cli", "show"], env=env, stdout=full, stderr=subprocess.PIPE
        )
    assert answer.returncode == 4
    assert answer.stderr.startswith(b"error: ")
    assert b"Traceback" not in answer.stderr


def test_a_locale_without_letters_gets_ascii_and_no_traceback(env):
    run(["new", "--seed", "7"], env)
    answer = run(["show"], {**env, "LC_ALL": "POSIX"})
    assert answer.stdout.isascii()
    answer = run(
        ["show", "--save", "/tmp/ö"],
        {**env, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert answer.returncode == 3
    assert b"Traceback" not in answer.stderr


# What newcomers tried.


def test_an_action_instead_of_a_command_is_told_where_it_goes(canfield):
    for word in ("wf", "24x3", "9h-Ts"):
        answer = canfield(word)
        assert answer.status == 2
        assert f"hint: canfield move {word}" in answer.err


def test_an_option_before_the_command_is_told_where_it_goes(canfield):
    answer = canfield("--json show")
    assert answer.status == 2
    assert "--json goes after the command" in answer.err


def test_presets_are_read_in_any_case(canfield):
    assert canfield("new --rules Easy --json").json["state"]["rules"]["preset"] == "easy"


def test_moves_can_be_explained(canfield):
    canfield("new", "--deal", "-", stdin=WORKED)
    lines = canfield("moves --explain").out.splitlines()
    assert [line.split()[0] for line in lines] == ["draw", "r2", "24x1"]
    assert "Q♣ from the reserve onto K♥ in column 2" in lines[1]
    told = canfield("moves --explain --json").json
    assert told["meanings"]["draw"] == "turn 3 cards from the stock"


def test_the_rules_of_the_current_game_can_be_read(canfield):
    canfield("new --rules classic --draw 1 --redeals 2")
    prose = canfield("rules current").out
    assert "A draw turns one card" in prose
    assert "turned over 2 times" in prose
    assert canfield("rules current --json").json["rules"]["redeals"] == 2


def test_new_tells_the_seed_and_the_number_under_which_the_game_before_is_kept(canfield):
    assert canfield("new --seed 7 --json").json["seed"] == 7
    canfield("draw")
    told = canfield("new --pysol 7 --json").json
    assert told["seed"] is None
    assert told["kept"] == 1


def test_the_version_says_which_search_runs(canfield):
    assert re.fullmatch(r"canfield \d+\.\d+\.\d+, solver (compiled|python)\n", canfield("--version").out)


def test_many_actions_at_once_are_summed_up_in_a_line_and_json_has_them_all(canfield):
    canfield("new --seed 7")
    lines = canfield("draw 12").out.splitlines()
    assert [line.split()[0] for line in lines[-12:]] == 12 * ["drew"]
    canfield("restart")
    # The stock is 34 cards: eleven draws of three, one of a single card, then the waste is turned over.
    for words, told in (
        ("draw 5000", "done: 5,000 actions (4,616 draws, 384 redeals)"),
        ("undo 13", "undone: 13 actions (12 draws, 1 redeal)"),
        ("redo 13", "done: 13 actions (12 draws, 1 redeal)"),
    ):
        out = canfield(words).out
        assert out.splitlines()[-1] == told
        assert "drew" not in out
        assert "over" not in out
    canfield("restart")
    assert canfield("draw 5000 --json").json["did"].count("redeal") == 384


def test_the_way_out_of_a_bad_save_fits_where_it_is(canfield, tmp_path):
    for words in ("show --line -s -", "draw -s -"):
        answer = canfield(words)
        assert answer.status == 3
        assert "the save is empty" in answer.err
        # Nothing is set aside in a filter.
        assert "aside" not in answer.err
        assert "canfield new -s -" in answer.err
    canfield("new --seed 7")
    canfield("draw")
    canfield("new --seed 8")
    (kept,) = tmp_path.glob("game.json.kept/*")
    bad = tmp_path / "bad.json"
    for path, words in ((kept, "resume 1"), (bad, f"check {bad}")):
        path.write_text("")
        assert "aside" not in canfield(words).err
    canfield.save.write_text("")
    assert "sets it aside" in canfield("show").err


def test_what_is_no_text_is_refused_without_a_word_of_saves_where_none_is_wanted(canfield, tmp_path):
    bad, large = tmp_path / "bad.txt", tmp_path / "large.txt"
    bad.write_bytes(b"\xff")
    large.write_bytes(b" " * (17 * 1_000_000))
    for words in ("new --deal", "solve --deal", "solve --positions"):
        for path in (bad, large):
            answer = canfield(*words.split(), str(path), "--json")
            assert (answer.status, answer.json["error"]["code"]) == (3, "bad-deal")
            assert "save" not in answer.err
    answer = canfield("new", "--deal", "-", "--json", stdin=" " * 2_000_000)
    assert answer.json["error"]["code"] == "bad-deal"
