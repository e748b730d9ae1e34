"""README is true: its session, cookbook and Python run as they stand, its figures are those of the code."""

import contextlib
import inspect
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import canfield_cli

README = Path(__file__).parent.parent / "README.md"


def block(name):
    """Return the code after the mark `name`."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", README.read_text(), re.S)
    assert found
    return found[1]


@pytest.fixture
def env(tmp_path):
    """An environment with `canfield` on the PATH and a home of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "canfield"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m canfield_cli "$@"\n')
    script.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    package = str(Path(canfield_cli.__file__).parent.parent)
    return {"PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8", "PYTHONPATH": package}


def test_the_session_is_what_the_program_says(env, tmp_path):
    text = block("session")
    lines = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    assert len(lines) >= 2
    assert 10 <= len(text.splitlines()) <= 20
    told = ""
    for line in lines:
        answer = subprocess.run(["bash", "-c", line], env=env, cwd=tmp_path, capture_output=True, text=True)
        assert answer.stderr == ""
        told += f"$ {line}\n{answer.stdout}"
    assert told == text


RECIPES = block("cookbook").splitlines()


def test_the_cookbook_has_ten_recipes_or_more():
    assert len(RECIPES) >= 10


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_each_line_of_the_cookbook_works_one_after_another(env, tmp_path):
    for line in RECIPES:
        answer = subprocess.run(
            ["bash", "-c", "set -o pipefail\n" + line],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert answer.returncode == 0, (line, answer.stderr)


def test_the_python_prints_what_is_shown():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block("python"), "README", "exec"), {})
    assert out.getvalue() == block("printed")


def test_help_of_the_package_lists_every_name_with_a_line():
    listed = re.findall(r"^    (\w+)  +\S", inspect.getdoc(canfield_cli), re.M)
    assert sorted([*listed, "__version__"]) == sorted(canfield_cli.__all__)


def test_the_limits_of_searches_are_those_of_the_program():
    from canfield_cli.commands.solving import STATES, TRIES

    limits = canfield_cli.Limits()
    table = README.read_text().split("Searches have limits:\n\n")[1].split("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) == 4
    assert all(f"at {limits.memory // 10**6:,} MB" in row for row in rows)
    assert all(f"after {limits.seconds:g} seconds or at" in row for row in rows[:-1])
    assert f"up to {TRIES:,} |" in rows[-1]
    assert f"after {STATES // 10**6} million states" in rows[-1]


def test_the_presets_table_names_every_preset():
    from canfield_cli import PRESETS

    rows = re.findall(r"^\| (\w+) \|", README.read_text(), re.M)
    assert [row for row in rows if row in PRESETS] == list(PRESETS)
