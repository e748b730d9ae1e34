"""The games that are kept beside the save: each as it was, listed with what a player knows it by."""

import errno
import json
import os
import re
import time

import pytest

from canfield_cli.commands.environment import Environment
from canfield_cli.engine.clock import Clock
from canfield_cli.engine.deal import deal_seed
from canfield_cli.engine.errors import SaveError, SystemRefused
from canfield_cli.engine.game import Game
from canfield_cli.engine.notation import parse_position
from canfield_cli.engine.rules import preset
from canfield_cli.engine.tally import Tally
from canfield_cli.store import kept as kept_module
from canfield_cli.store.files import read_text, write_text
from canfield_cli.store.kept import MOST, forget, keep, kept, take, trim, worth_keeping
from canfield_cli.store.save import format_save, parse_save


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "game.json")


def numbers(path):
    return [game.number for game in kept(path)]


def game_of(seed, actions=1):
    game = Game.of(deal_seed(seed), preset("easy"))
    for _ in range(actions):
        game.play("draw")
    return game


def test_a_game_that_is_replaced_comes_back_as_it_was(path):
    text = format_save(game_of(7))
    write_text(path, text)
    assert keep(path) == 1
    write_text(path, format_save(game_of(8)))
    assert take(path, 1) == text
    assert parse_save(read_text(path)).deal == deal_seed(8)


def test_keeping_leaves_the_current_game_and_later_writing_leaves_the_kept_one(path):
    write_text(path, "one")
    keep(path)
    assert read_text(path) == "one"
    write_text(path, "two")
    keep(path)
    write_text(path, "three")
    assert [take(path, 1), take(path, 2), read_text(path)] == ["one", "two", "three"]


def test_the_folder_of_kept_games_is_private_and_goes_with_the_last(path, tmp_path):
    write_text(path, "one")
    assert [keep(path), keep(path)] == [1, 2]
    assert os.stat(f"{path}.kept").st_mode & 0o777 == 0o700
    forget(path, 1)
    assert os.listdir(f"{path}.kept") == ["2.json"]
    forget(path, 2)
    assert os.listdir(tmp_path) == ["game.json"]


def test_nothing_is_kept_where_there_is_no_save(path, tmp_path):
    assert keep(path) is None
    assert kept(path) == []
    assert take(path, 1) is None
    assert os.listdir(tmp_path) == []


def test_what_is_no_file_is_not_kept(path):
    os.mkdir(path)
    with pytest.raises(SaveError, match="not a regular file"):
        keep(path)


def test_numbers_stay_when_a_game_leaves_the_list(path):
    for seed in range(4):
        write_text(path, format_save(game_of(seed)))
        keep(path)
    forget(path, 2)
    assert numbers(path) == [1, 3, 4]
    assert keep(path) == 5
    assert take(path, 2) is None


def test_the_last_fifty_are_kept(path):
    assert MOST == 50
    for seed in range(53):
        write_text(path, str(seed))
        keep(path)
        trim(path)
    assert numbers(path) == list(range(4, 54))
    assert take(path, 4) == "3"


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\x00", b"x" * 100])
def test_a_broken_save_is_kept_byte_for_byte_and_listed_with_its_fault(path, data):
    with open(path, "wb") as file:
        file.write(data)
    keep(path)
    write_text(path, "new")
    with open(f"{path}.kept/1.json", "rb") as file:
        assert file.read() == data
    os.utime(f"{path}.kept/1.json", (1000.5, 1000.5))
    (game,) = kept(path)
    assert game.fault
    assert "broken" in game.line
    assert game.data == {
        "number": 1, "when": 1000.5, "player": "", "preset": "", "code": None, "daily": None, "moves": 0,
        "cards_up": 0, "won": False, "fault": game.fault,
    }  # fmt: skip


def test_a_kept_game_that_is_gone_when_it_is_read_is_listed_as_an_empty_one(path):
    write_text(path, "")
    keep(path)
    os.symlink("nowhere", f"{path}.kept/2.json")
    empty, gone = kept(path)
    assert gone.fault == empty.fault
    assert gone.when == 0


def test_the_list_says_what_a_player_knows_a_game_by(path):
    game = game_of(7, 3)
    game.clock = Clock(1000.0, 2000.0, 5.0)
    write_text(path, format_save(game))
    keep(path)
    (entry,) = kept(path)
    assert entry.data == {
        "number": 1, "when": 2000.0, "player": "", "preset": "easy", "code": game.code, "daily": None, "moves": 3,
        "cards_up": 1, "won": False, "fault": None,
    }  # fmt: skip
    for words in (
        "1",
        "easy",
        game.code,
        "3 moves",
        "1 up",
        time.strftime("%Y-%m-%d", time.localtime(2000)),
    ):
        assert words in entry.line


def test_the_list_says_whose_game_it_is_and_whose_days_deal(path):
    game = game_of(7, 1)
    game.tally = Tally("0123456789abcdef", "Ann", "2026-11-30")
    write_text(path, format_save(game))
    keep(path)
    (entry,) = kept(path)
    assert (entry.data["player"], entry.data["daily"]) == ("Ann", "2026-11-30")
    assert "  Ann  easy       daily 2026-11-30    1 move, 1 up" in entry.line
    assert game.code not in entry.line


def test_resume_lists_players_where_any_is_named_and_daily_deals(canfield):
    canfield("new --daily 2026-11-30")
    canfield("draw")
    canfield("new --seed 7")
    (line,) = canfield("resume").out.splitlines()
    assert re.fullmatch(r"1  \S+ \S+  standard +daily 2026-11-30 +1 move, 1 up", line)
    canfield("new --seed 7 --player Ann")
    canfield("draw 2")
    canfield("new --seed 8")
    first, second = canfield("resume").out.splitlines()
    assert re.fullmatch(r"1  \S+ \S+  \(owner\)  standard +daily 2026-11-30 +1 move, 1 up", first)
    assert re.fullmatch(r"2  \S+ \S+  Ann +standard +CAN-\S+ +2 moves, 1 up", second)
    (canfield.save.parent / "game.json.kept" / "3.json").write_text("{")
    broken = canfield("resume").out.splitlines()[2]
    assert re.match(r"3  \S+ \S+ +broken: ", broken)
    assert [each["player"] for each in canfield("resume --json").json["kept"]] == ["", "Ann", ""]


@pytest.mark.parametrize("zone", ["UTC-14", "UTC+12"])
def test_the_log_and_the_list_of_kept_games_go_by_the_same_clock(canfield, monkeypatch, zone):
    """Kept and recorded, the same game has the same day, that of the place; 26 hours lie between these two."""
    noon = 1_796_040_000.0
    usual = Environment.__init__.__defaults__
    monkeypatch.setattr(Environment.__init__, "__defaults__", (*usual[:-2], lambda: noon, usual[-1]))
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        canfield("new --seed 7")
        canfield("draw")
        canfield("new --seed 8")
        day = {"UTC-14": "2026-12-01", "UTC+12": "2026-11-30"}[zone]
        assert canfield("resume").out.split()[1] == day
        assert canfield("log").out.splitlines()[1].split()[1] == day
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_the_list_of_a_won_game_says_so(path):
    game = Game(parse_position("A KKKQ - Ks/-/-/- - - 0", preset("easy")))
    game.play("1f")
    assert game.position.won
    write_text(path, format_save(game))
    keep(path)
    (entry,) = kept(path)
    assert entry.won
    assert entry.line.endswith("1 move, won")
    assert "  -  " in entry.line


@pytest.mark.parametrize(
    ("key", "value"), [("moves", "many"), ("moves", None), ("code", "\x1b[31m"), ("code", 7), ("rules", 0)]
)
def test_the_list_shows_nothing_of_a_state_that_is_none(path, key, value):
    text = format_save(game_of(7))
    write_text(path, text)
    data = json.loads(text)
    data["state"][key] = value
    if key == "rules":
        data["rules"] = {}
    write_text(path, json.dumps(data))
    keep(path)
    (entry,) = kept(path)
    assert entry.fault == "its state can't be read"
    assert entry.line.isprintable()


def test_other_files_in_the_folder_are_let_alone(path):
    write_text(path, "one")
    keep(path)
    for name in (
        "notes.txt",
        "x.json",
        "01.json",
        "0.json",
        "-1.json",
        "\u0663.json",
        "\u00b2.json",
        "1234567890.json",
    ):
        with open(f"{path}.kept/{name}", "w") as file:
            file.write("mine")
    assert numbers(path) == [1]
    assert keep(path) == 2
    os.rename(f"{path}.kept/2.json", f"{path}.kept/123456789.json")
    assert numbers(path) == [1, 123_456_789]


def test_a_file_system_without_second_names_gets_a_copy(path, monkeypatch):
    def refuse(*words):
        raise PermissionError

    monkeypatch.setattr(kept_module.os, "link", refuse)
    with open(path, "wb") as file:
        file.write(b"\xff")
    assert keep(path) == 1
    with open(f"{path}.kept/1.json", "rb") as file:
        assert file.read() == b"\xff"
    assert read_bytes(path) == b"\xff"


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def test_a_kept_game_is_never_overwritten(path, monkeypatch):
    """Not even by a command that works without the lock at the same time."""
    write_text(path, "one")
    keep(path)
    monkeypatch.setattr(kept_module, "_numbers", lambda path: [])
    with pytest.raises(SystemRefused, match="file exists"):
        keep(path)
    assert take(path, 1) == "one"


def test_a_kept_game_that_is_not_there_can_not_be_forgotten(path):
    with pytest.raises(SystemRefused, match="can't remove"):
        forget(path, 1)


def test_a_kept_folder_that_is_a_file_is_a_refusal_of_the_system(path):
    write_text(path, "one")
    write_text(f"{path}.kept", "in the way")
    with pytest.raises(SystemRefused, match="can't keep"):
        keep(path)
    assert read_text(path) == "one"
    assert kept(path) == []


def test_a_kept_folder_that_can_not_be_listed_is_a_refusal_of_the_system(path, monkeypatch):
    write_text(path, "one")
    keep(path)

    def refuse(folder):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "listdir", refuse)
    for act in (kept, trim, keep):
        with pytest.raises(SystemRefused, match=r"can't list .*: permission denied"):
            act(path)


def test_a_path_that_can_not_be_is_a_refusal_of_the_system():
    for act in (kept, trim, keep, lambda path: take(path, 1), lambda path: forget(path, 1)):
        with pytest.raises(SystemRefused):
            act("a\0b")


def test_a_kept_folder_that_another_user_made_where_everybody_may_write_is_not_used(
    path, tmp_path, monkeypatch
):
    write_text(path, "one")
    keep(path)
    real = os.lstat

    def lstat(name, **how):
        info = real(name, **how)
        theirs = info.st_uid + (str(name) == f"{path}.kept")
        return os.stat_result([*info[:4], theirs, *info[5:]])

    monkeypatch.setattr(os, "lstat", lstat)
    assert numbers(path) == [1]
    tmp_path.chmod(0o777)
    for act in (kept, trim, keep, lambda path: take(path, 1), lambda path: forget(path, 1)):
        with pytest.raises(SystemRefused) as caught:
            act(path)
        # It is told once, whatever it was for.
        assert str(caught.value).startswith("can't read ")
        assert str(caught.value).count("another user made") == 1
        assert str(caught.value).count("can't") == 1
    assert os.listdir(f"{path}.kept") == ["1.json"]


def test_a_game_is_worth_keeping_once_an_action_was_done_or_no_code_gives_it_again():
    assert not worth_keeping(game_of(7, 0))
    assert worth_keeping(game_of(7, 1))
    undone = game_of(7, 1)
    undone.undo()
    assert worth_keeping(undone)
    middle = parse_position("A KKKQ - Ks/-/-/- - - 0", preset("easy"))
    assert worth_keeping(Game(middle))
