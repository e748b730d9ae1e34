"""The manual pages: sound mdoc, complete, and true; and the generator of what is made from the tables."""

import ast
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from canfield_cli.cli import generate
from canfield_cli.cli.session import Session
from canfield_cli.cli.shell import main
from canfield_cli.commands import COMMANDS
from canfield_cli.commands.help import help_on
from canfield_cli.commands.settings import SETTINGS
from canfield_cli.commands.solving import STATES, TRIES
from canfield_cli.commands.table import COMMON, parse
from canfield_cli.engine.errors import CanfieldError
from canfield_cli.engine.rules import OPTIONS, PRESETS
from canfield_cli.solver import Limits

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "man").glob("*.[56]"))
GAME = ROOT / "man" / "canfield.6"
RULES = ROOT / "man" / "canfield-rules.6"
FORMATS = ROOT / "man" / "canfield-json.5"

by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def mandoc(*words):
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed")
    return subprocess.run(["mandoc", *words], capture_output=True, text=True)


def section(page, name):
    """Return the lines of a section of the source of `page`."""
    return page.read_text().split(f"\n.Sh {name}\n")[1].split("\n.Sh ")[0].split("\n")


def test_there_are_three_pages():
    assert [page.name for page in PAGES] == ["canfield-json.5", "canfield-rules.6", "canfield.6"]


@by_page
def test_a_page_is_sound_mdoc(page):
    done = mandoc("-Tlint", "-W", "warning", str(page))
    assert (done.returncode, done.stdout) == (0, "")


@by_page
def test_a_page_fits_eighty_columns(page):
    text = re.sub(".\b", "", mandoc("-Tutf8", "-O", "width=80", str(page)).stdout)
    assert text.splitlines()
    assert max(map(len, text.splitlines())) <= 80


@by_page
def test_a_page_says_nothing_of_the_maker_s_machine(page):
    assert not re.search(r"/(home|root|work|tmp)/", page.read_text())


# Complete.


def items(lines):
    """Return the lines under each command of the section on commands, by the command's name."""
    found, name = {}, None
    for line in lines:
        if heading := re.match(r"\.It Ic (\S+)", line):
            name = heading[1]
        if name:
            found.setdefault(name, []).append(line)
    return found


def test_every_command_and_every_option_of_it_is_in_the_page():
    blocks = items(section(GAME, "COMMANDS"))
    assert list(blocks) == list(COMMANDS)
    for command in COMMANDS.values():
        headings = [line.split()[1:] for line in blocks[command.name] if line.startswith(".It")]
        told = {word for heading in headings if heading[0] == "Fl" for word in heading[1:]}
        own = [param for param in command.params if param.is_option]
        assert {name.removeprefix("-") for param in own for name in param.names} <= told
        assert len([heading for heading in headings if heading[0] == "Fl"]) == len(own), command.name
        arguments = [heading[1] for heading in headings if heading[0] == "Ar"]
        assert arguments == [param.name.lower() for param in command.arguments]


def test_every_common_option_is_in_the_page():
    headings = " ".join(line for line in section(GAME, "OPTIONS") if line.startswith(".It Fl"))
    for param in COMMON:
        for name in param.names:
            assert f" {name.removeprefix('-')} " in f"{headings} "


def test_every_command_and_setting_of_a_session_is_in_the_page():
    text = "\n".join(section(GAME, "SESSIONS"))
    session = Session(None, None)
    assert set(re.findall(r"\.It Ic (\w+)", text)) == set(session.commands) - set(COMMANDS)
    settings = dict(re.findall(r"\.It Cm (\w+) No = (.*)", text))
    assert settings == {name: " | ".join(values) for name, (values, _) in SETTINGS.items()}


def test_every_rule_option_and_value_is_in_the_rules():
    text = "\n".join(section(RULES, "OPTIONS"))
    blocks = dict(re.findall(r"\.It Cm (\w+)\n(.*?)\n\.El", text, re.DOTALL))
    assert list(blocks) == list(OPTIONS)
    for name, option in OPTIONS.items():
        values = re.findall(r"\.It (?:Cm|Ar) (\S+)", blocks[name])
        assert set(values) >= {*option.values, *(["n"] if option.number else [])}


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("easy", "draw 1"),
        (
            "modern",
            "undo_limit unlimited, undo_score keep, undo_counts yes, finish auto, scoring moves, clock yes",
        ),
        (
            "classic",
            "runs top-or-whole, fill waste, takeback no, undo_limit unlimited, scoring bonus, clock yes",
        ),
        ("gilded", "takeback no, undo_limit unlimited, clock yes"),
        ("casino", "runs top-or-whole, takeback no, undo_limit 0, undo_score keep, scoring casino"),
        ("published", "base_build no, takeback no, undo_limit unlimited"),
    ],
)
def test_a_preset_is_told_by_what_differs_from_the_default(name, differs):
    text = "\n".join(section(RULES, "PRESETS")).partition(f".It Cm {name}\n")[2].partition("\n.It")[0]
    assert (
        ", ".join(f"{option} {word}" for option, word in re.findall(r"\.Cm (\S+) No (\S+)", text)) == differs
    )


def test_every_preset_is_in_the_rules():
    headings = re.findall(r"\.It Cm (\w+)", "\n".join(section(RULES, "PRESETS")))
    assert headings == list(PRESETS)


def error_codes():
    """Return every code that the source gives to an error."""
    codes = set()
    for path in (ROOT / "canfield_cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name != "CanfieldError":
                for each in node.body:
                    if isinstance(each, ast.Assign) and getattr(each.targets[0], "id", "") == "code":
                        codes.add(each.value.value)
            named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "NothingThere"
            if named and isinstance(node.args[0], ast.Constant):
                codes.add(node.args[0].value)
    return codes


def test_every_error_code_is_in_the_formats():
    codes = error_codes()
    assert {"illegal-move", "no-undo", "bad-save", "system"} <= codes
    told = re.findall(r"^\.It Cm ([-a-z]+(?: , [-a-z]+)*)$", FORMATS.read_text(), re.MULTILINE)
    assert codes <= {code for each in told for code in each.split(" , ")}


def test_every_key_of_a_save_and_of_a_state_is_in_the_formats():
    schema = json.loads((ROOT / "canfield_cli" / "store" / "save.schema.json").read_text())
    keys = {*schema["required"], *schema["$defs"]["state"]["required"]}
    keys |= {key for part in ("counts", "clock") for key in schema["properties"][part]["required"]}
    text = " ".join(section(FORMATS, "DESCRIPTION"))
    for key in keys:
        assert re.search(rf"Cm (?:\w+ , )*{key}\b", text), key


def test_the_pages_tell_of_every_exit_status_of_an_error():
    told = re.findall(r"\.It (\d+)", "\n".join(section(GAME, "EXIT STATUS")))
    statuses = {each.status for each in (CanfieldError, *CanfieldError.__subclasses__())}
    assert {str(status) for status in statuses} | {"0", "130"} <= set(told)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_as_json_has_the_options_that_the_text_shows(name):
    told = help_on(COMMANDS, name)
    shown = {word for line in told.lines for word in re.findall(r"^  (?:-\w, )?(--?\w[-\w]*)", line)}
    assert shown == {each["names"][-1] for each in told.data["options"]}
    assert all(each["help"] in "\n".join(told.lines) for each in told.data["options"])


def test_every_key_of_help_is_in_the_formats():
    text = FORMATS.read_text().partition(".It Ic help\n")[2].partition("\n.It")[0]
    one, every = (help_on(COMMANDS, name).data for name in ("tap", None))
    for key in {*one, *one["options"][0], *every}:
        assert re.search(rf"Cm (?:\w+ , )*{key}\b", text), key


# True.


def commands_in(page):
    """Return each command line of the examples in `page`, its pipe taken apart."""
    lines = [line.removeprefix(".Dl ") for line in page.read_text().split("\n")]
    lines = [line.replace("\\-", "-").replace("\\(aq", "'") for line in lines if line.startswith("canfield ")]
    return [
        part.split(" > ")[0].strip() for line in lines for part in line.split(" | ") if "canfield" in part
    ]


def test_every_example_is_a_command_that_there_is():
    lines = [line for page in PAGES for line in commands_in(page)]
    assert len(lines) > 20
    for line in [*lines, *(command.example.split(" > ")[0] for command in COMMANDS.values())]:
        program, *words = shlex.split(line)
        assert program == "canfield"
        parse(COMMANDS, words)


def test_the_first_examples_can_be_played(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CANFIELD_SAVE", str(tmp_path / "game.json"))
    lines = [line.removeprefix(".Dl ") for line in section(GAME, "EXAMPLES")]
    lines = [line for line in lines if line.startswith("canfield")][:4]
    assert lines[0] == "canfield new --rules easy --seed 40"
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err


def test_the_error_in_the_formats_is_what_the_program_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CANFIELD_SAVE", str(tmp_path / "game.json"))
    assert main(["new", "--seed", "7", "--quiet"]) == 0
    assert main(["move", "12", "--json"]) == 1
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    example = re.search(r"^\{.*?^ \"state\": \{\}\}$", FORMATS.read_text(), re.MULTILINE | re.DOTALL)
    assert json.loads(example[0]) == {**said, "state": {}}


def test_the_limits_of_searches_are_those_of_the_program():
    blocks = items(section(GAME, "COMMANDS"))
    usual = f"{Limits().seconds:g} seconds or {Limits().memory // 10**6:,} megabytes"
    for name in ("show", "hint", "review", "finish"):
        assert usual in " ".join(blocks[name]), name
    new = " ".join(blocks["new"])
    assert f"up to {TRIES:,} deals" in new
    assert f"{STATES:,} states" in new


# The generator.


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Return a folder with what the generator looks for, and be in a folder of it."""
    for name in ("man", "completions"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "canfield_cli" / "cli").mkdir(parents=True)
    (tmp_path / "canfield_cli" / "cli" / "generate.py").touch()
    monkeypatch.chdir(tmp_path / "man")
    return tmp_path


def test_the_generated_files_are_up_to_date():
    for name, text in generate.generated(str(ROOT)).items():
        assert (ROOT / name).read_text() == text, f"{name}: run python -m canfield_cli.cli.generate write"


def test_check_finds_nothing_in_what_was_written(checkout, capsys):
    assert generate.main(["write"]) == 0
    capsys.readouterr()
    assert generate.main(["check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["completions/canfield.fish", "completions/_canfield", "man/canfield.6"])
def test_check_says_what_differs_and_write_mends_it(checkout, capsys, name):
    path = checkout / name
    good = path.read_text()
    path.write_text(re.sub("how the board", "how the bored", good))
    assert path.read_text() != good
    assert generate.main(["check"]) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"--- {name}\n")
    assert "the bored" in said
    assert generate.main(["write"]) == 0
    assert path.read_text() == good


def test_a_file_that_is_missing_is_written(checkout):
    (checkout / "completions" / "canfield.bash").unlink()
    assert generate.main(["check"]) == 1
    assert generate.main(["write"]) == 0
    assert (checkout / "completions" / "canfield.bash").exists()


def test_the_readme_gets_its_table_between_the_marks_and_keeps_the_rest(checkout):
    readme = checkout / "README.md"
    readme.write_text("before\n<!-- commands -->\nold\n<!-- /commands -->\nafter\n")
    assert generate.main(["write"]) == 0
    lines = readme.read_text().splitlines()
    assert lines[:4] == ["before", "<!-- commands -->", "| command | does |", "|---|---|"]
    assert "| `draw [N]` | turn cards from the stock, or turn the waste over where it is empty |" in lines
    assert len(lines) == 6 + len(COMMANDS)
    assert lines[-2:] == ["<!-- /commands -->", "after"]


def test_a_readme_without_marks_is_left_alone(checkout):
    (checkout / "README.md").write_text("nothing to fill in\n")
    assert generate.main(["write"]) == 0
    assert (checkout / "README.md").read_text() == "nothing to fill in\n"


def test_a_page_without_its_marks_is_refused(checkout):
    (checkout / "man" / "canfield.6").write_text(".Dt CANFIELD 6\n")
    with pytest.raises(ValueError, match="needs the lines"):
        generate.main(["write"])


def test_other_words_and_other_folders_are_wrong_usage(checkout, tmp_path_factory, monkeypatch, capsys):
    assert generate.main([]) == 2
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert generate.main(["check"]) == 2
    assert "checkout" in capsys.readouterr().err
