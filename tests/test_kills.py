"""A kill at any call of the system, or at any instant: the old game or the new, and nothing lost, broken or left lying."""

import errno
import random

import pytest
from killing import AFTER, BEFORE, Home, Server, Trial, build_library, trials

#: So many kills at calls of the system for each trial, and so many at instants.
AT_CALLS, AT_INSTANTS = 4, 1
TRIALS = {each.name: each for each in trials()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kills")


@pytest.fixture(scope="module")
def library(folder):
    return build_library(folder)


@pytest.fixture(scope="module")
def server(library):
    with Server(library) as server:
        yield server


@pytest.mark.parametrize("name", TRIALS)
def test_a_kill_leaves_the_game_before_or_after_and_all_else_whole(name, server, library, tmp_path):
    trial, chance = TRIALS[name], random.Random(name)
    trial.prepare(server, tmp_path)
    calls = [(at, how) for at in range(1, trial.calls + 1) for how in (BEFORE, AFTER)]
    for at, how in chance.sample(calls, min(len(calls), 1 if trial.keys else AT_CALLS)):
        assert trial.kill(server, tmp_path, at=at, how=how) == -9
    for _ in range(AT_INSTANTS):
        trial.kill(server, tmp_path, after=chance.uniform(0, trial.seconds))


def test_each_call_of_a_write_in_turn(server, library, tmp_path):
    if not library:
        pytest.skip("there is no C compiler, or this is not Linux")
    trial = Trial("a first action", ("new --seed 7",), ["draw"])
    trial.prepare(server, tmp_path)
    # Lock, new file, write, down to the disk, close, rename, unlock, close.
    assert trial.calls >= 8
    for at in range(1, trial.calls + 1):
        for how in (BEFORE, AFTER):
            assert trial.kill(server, tmp_path, at=at, how=how) == -9


def test_a_process_of_its_own(server, tmp_path):
    trial, chance = TRIALS["a new game"], random.Random(1)
    trial.prepare(server, tmp_path)
    for _ in range(5):
        trial.kill(server, tmp_path, alone=True, after=chance.uniform(0.02, 0.15))


def test_where_files_have_no_second_names_a_kill_leaves_no_litter_either(library, tmp_path):
    """A game is copied then to be kept."""
    if not library:
        pytest.skip("there is no C compiler, or this is not Linux")
    trial = Trial("a game kept as a copy", ("new --seed 7 -q", "draw -q", "stats -q"), ["new --seed 9"])
    with Server(library, ("link", errno.EPERM)) as server:
        trial.prepare(server, tmp_path)
        for at in range(1, trial.calls + 1, 6):
            assert trial.kill(server, tmp_path, at=at, how=BEFORE) == -9


def test_a_call_that_fails_is_told_and_changes_nothing_by_halves(server, library, tmp_path):
    """As with kills, but the program goes on and must say so: status 4 and a sentence, unless all was done by then."""
    if not library:
        pytest.skip("there is no C compiler, or this is not Linux")
    trial = Trial("a failure", ("new --seed 7 -q", "draw -q"), ["new --seed 9"])
    trial.prepare(server, tmp_path)
    for at in range(1, trial.calls + 1, 5):
        with trial.copy(tmp_path) as home:
            ran = trial.run(server, home, at=at, how=(errno.ENOSPC, errno.EIO, errno.EDQUOT)[at % 3])
            assert ran["status"] in (0, 4), (at, ran)
            assert "Traceback" not in ran["err"]
            if ran["status"]:
                assert ran["err"].startswith("error: "), (at, ran)
                assert "\nhint: " in ran["err"], (at, ran)
            before, after = trial.states[0], trial.states[-1]
            assert home.state()[0] == (before if ran["status"] else after)[0], (at, ran)
            trial.check(server, home)


def test_records_that_were_written_through_kills_can_be_replayed(server, library, tmp_path):
    if not library:
        pytest.skip("there is no C compiler, or this is not Linux")
    home, chance = Home(tmp_path), random.Random(3)
    for seed in range(10):
        at, how = chance.randrange(1, 60), chance.choice((BEFORE, AFTER))
        server.run(["new", "--seed", str(seed)], tmp_path, at=at, how=how)
        server.run(["draw"], tmp_path)
    assert server.run(["stats"], tmp_path)["status"] == 0
    assert len(home.records()) >= 3
    home.replay()
