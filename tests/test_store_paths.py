"""Where the save and the records are, and the folders that are made for them."""

import os
import stat

import pytest

from canfield_cli.engine.errors import SystemRefused, UsageError
from canfield_cli.store.paths import make_folder, make_folders, records_path, save_path


@pytest.mark.parametrize(
    ("option", "environ", "expected"),
    [
        ("a.json", {"CANFIELD_SAVE": "b.json", "HOME": "/h"}, "a.json"),
        ("-", {"HOME": "/h"}, "-"),
        (None, {"CANFIELD_SAVE": "b.json", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "b.json"),
        (None, {"CANFIELD_SAVE": "", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/canfield/game.json"),
        (None, {"XDG_DATA_HOME": "x", "HOME": "/h"}, "/h/.local/share/canfield/game.json"),
        (None, {"XDG_DATA_HOME": "", "HOME": "/h"}, "/h/.local/share/canfield/game.json"),
        (None, {"HOME": "/h"}, "/h/.local/share/canfield/game.json"),
        ("a.json", {}, "a.json"),
    ],
)
def test_the_save_is_where_option_environment_or_data_folder_say(option, environ, expected):
    assert save_path(option, environ) == expected


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "here"}])
def test_without_a_home_a_file_must_be_named(environ):
    with pytest.raises(SystemRefused) as caught:
        save_path(None, environ)
    assert caught.value.status == 4
    assert "--save" in caught.value.hint


def test_an_empty_option_is_wrong_usage():
    """A script whose variable is not set must not play the player's own game."""
    with pytest.raises(UsageError):
        save_path("", {"HOME": "/h"})


def test_folders_are_made_private_and_for_the_default_place_only(tmp_path):
    environ = {"HOME": str(tmp_path / "home")}
    make_folder(str(tmp_path / "other" / "game.json"), environ)
    assert os.listdir(tmp_path) == []
    path = save_path(None, environ)
    for _ in range(2):
        make_folder(path, environ)
    folder = os.path.dirname(path)
    while folder != str(tmp_path):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        folder = os.path.dirname(folder)
    make_folder("game.json", {})


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    (tmp_path / ".local").write_text("")
    environ = {"HOME": str(tmp_path)}
    with pytest.raises(SystemRefused, match="can't make the folder"):
        make_folder(save_path(None, environ), environ)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"CANFIELD_RECORDS": "r.db", "HOME": "/h"}, "r.db"),
        ({"CANFIELD_RECORDS": "", "HOME": "/h"}, None),
        ({"CANFIELD_RECORDS": "off", "HOME": "/h"}, None),
        ({"CANFIELD_RECORDS": "OFF", "HOME": "/h"}, None),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/canfield/records.db"),
        ({"HOME": "/h"}, "/h/.local/share/canfield/records.db"),
        ({}, None),
    ],
)
def test_the_records_are_where_environment_or_data_folder_say_or_off(environ, expected):
    assert records_path(environ) == expected


def test_the_folder_of_the_records_is_made_too(tmp_path):
    environ = {"HOME": str(tmp_path / "home")}
    path = records_path(environ)
    make_folder(path, environ)
    assert os.listdir(os.path.dirname(path)) == []


def test_a_folder_may_be_named_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("a/b/c", "d", "a/b/e"):
        make_folders(folder)
        assert os.path.isdir(folder)


def test_a_file_in_the_place_of_the_folder_itself_is_refused(tmp_path):
    (tmp_path / "canfield").write_text("")
    with pytest.raises(SystemRefused, match=r"can't make the folder .*: file exists"):
        make_folders(str(tmp_path / "canfield"))


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_another_command_puts_there_meanwhile_will_do_if_it_is_a_folder(kind, tmp_path, monkeypatch):
    real = os.mkdir

    def mkdir(path, mode):
        if kind == "folder" or not path.endswith("canfield"):
            real(path, mode)
        else:
            with open(path, "w"):
                pass
        real(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    folder = str(tmp_path / "share" / "canfield")
    if kind == "folder":
        make_folders(folder)
        assert os.path.isdir(folder)
    else:
        with pytest.raises(SystemRefused, match=r"can't make the folder .*: file exists"):
            make_folders(folder)
