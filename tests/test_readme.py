"""README is true: its session, its cookbook and its Python run as they stand."""

import contextlib
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


def test_the_python_runs():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block("python"), "README", "exec"), {})
    assert out.getvalue().split()


def test_the_presets_table_names_every_preset():
    from canfield_cli import PRESETS

    rows = re.findall(r"^\| (\w+) \|", README.read_text(), re.M)
    assert [row for row in rows if row in PRESETS] == list(PRESETS)
