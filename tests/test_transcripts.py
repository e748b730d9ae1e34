"""Whole sessions as they read, kept as files: the words typed and all that is answered.

A transcript is never edited by hand. `python tests/test_transcripts.py` writes them anew after a
change that is meant; then they are to be read.
"""

import io
from pathlib import Path

import pytest

from canfield_cli.cli.script import run_lines
from canfield_cli.cli.session import Session
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.engine.rules import PRESETS

FOLDER = Path(__file__).parent / "data" / "transcripts"
#: What is typed in each session, after its first line.
LINES = """
rules current
moves --explain
hint
draw 2
hint --all
tap w
up
undo
redo
select r
wf; draw
24x13
score
show --plain
move draw 11
show --line
""".strip().splitlines()


def transcript(folder, preset):
    """Return the session of `LINES` under `preset`."""
    out = io.StringIO()
    env = Environment(
        stdout=out,
        stderr=out,
        environ={"HOME": str(folder), "LANG": "C.UTF-8"},
        now=iter(range(0, 9999, 7)).__next__,
    )
    session = Session(env, HeldPlace(str(folder / "game.json"), env.environ))

    def lines():
        for line in [f"new --rules {preset} --seed {sum(map(ord, preset))}", *LINES]:
            out.write(f"\n> {line}\n\n")
            yield line

    run_lines(session, lines(), env, keep_going=True)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_session_reads_as_it_is_kept(tmp_path, preset):
    assert transcript(tmp_path, preset) == (FOLDER / f"{preset}.txt").read_text()


if __name__ == "__main__":
    import tempfile

    FOLDER.mkdir(exist_ok=True)
    for name in PRESETS:
        with tempfile.TemporaryDirectory() as place:
            (FOLDER / f"{name}.txt").write_text(transcript(Path(place), name))
