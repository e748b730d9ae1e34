"""Many games through one pipe; benchmarks/soak.py plays a thousand."""

import importlib.util
from pathlib import Path

PATH = Path(__file__).parent.parent / "benchmarks" / "soak.py"


def test_many_games_through_one_pipe_leave_nothing_behind():
    spec = importlib.util.spec_from_file_location("soak", PATH)
    soak = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(soak)
    figures, faults = soak.soak(40, ["standard", "casino", "easy"], 60)
    assert faults == []
    assert figures["lines"] > 1000
