"""How hard the property tests look (`ci`, or what HYPOTHESIS_PROFILE names), and the program as a function."""

import io
import json
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

from canfield_cli.cli.shell import main

_QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]

# The same examples each time, so that a red build is a change of the code.
settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=_QUIET, max_examples=60
)
# New examples each time, and many more of them.
settings.register_profile("thorough", deadline=None, suppress_health_check=_QUIET, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


# No test leaves anything in the records of whoever runs it.
os.environ["CANFIELD_RECORDS"] = "off"

# What is run in the background, or by nohup, ignores signals and hands that on to what the tests start.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)


class Answer:
    """What one run of the program gave."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err

    @property
    def json(self):
        lines = self.out.splitlines()
        assert len(lines) == 1
        return json.loads(lines[0])


@pytest.fixture
def canfield(tmp_path, monkeypatch, capsys):
    """Return a function that runs a command line on a save of this test's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("CANFIELD_SAVE", str(tmp_path / "game.json"))
    for name in (
        "LC_ALL",
        "LC_CTYPE",
        "NO_COLOR",
        "FORCE_COLOR",
        "COLUMNS",
        "LINES",
        "XDG_DATA_HOME",
        "CANFIELD_RECORDS",
    ):
        monkeypatch.delenv(name, raising=False)

    def run(*words, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main([*(words[0].split() if len(words) == 1 else words)])
        out, err = capsys.readouterr()
        return Answer(status, out, err)

    run.save = tmp_path / "game.json"
    return run
