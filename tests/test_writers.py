"""Many writers of one save: each action is done once or refused, nobody hangs, and who died or sleeps is told from who works."""

import signal
import time

import pytest
import writing
from killing import fork
from play import Player, ask, leave


@pytest.fixture
def player(tmp_path):
    made = Player(tmp_path)
    assert made.run("new --seed 7 -q").returncode == 0
    return made


def test_of_many_writers_at_once_each_action_is_done_once_or_refused(tmp_path):
    assert fork({"words": ["new", "--seed", "7", "-q"], "home": str(tmp_path)})["status"] == 0
    writers = ["commands"] * 8 + ["session"] * 3 + ["terminal"]
    answers = writing.write_all(tmp_path, writers, 12, 120)
    assert [len(some) for some in answers] == [12] * len(writers)
    done, reasons = writing.check(tmp_path, answers)
    assert done
    assert done + sum(reasons.values()) == 12 * len(writers)


def hold(player):
    """A session that has an action to write, and so the lock."""
    session = player.begin("--json")
    assert ask(session, "draw")["ok"]
    return session


def test_a_dead_process_holds_nobody_up(player):
    session = hold(player)
    assert (player.folder / ".game.json.lock").exists()
    leave(session, signal.SIGKILL)
    begun = time.monotonic()
    assert player.run("draw -q").returncode == 0
    assert time.monotonic() - begun < 5
    assert player.actions() == ["draw"]
    assert not (player.folder / ".game.json.lock").exists()


def test_a_stopped_process_is_waited_for_and_then_told_of(player):
    session = hold(player)
    session.send_signal(signal.SIGSTOP)
    try:
        begun = time.monotonic()
        status, out, err = player.text("draw -q")
        assert time.monotonic() - begun >= 10
        # Who only looks is not held up.
        assert player.text("show")[0] == 0
    finally:
        session.send_signal(signal.SIGCONT)
    assert (status, out) == (4, "")
    first, second, _ = err.split("\n")
    assert first.startswith("error: another canfield command is using ")
    assert second == "hint: wait for it, or end it"
    assert ask(session, "draw")["state"]["moves"] == 2
    leave(session)
    assert player.actions() == ["draw", "draw"]
