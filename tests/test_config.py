"""The settings file: where it is, what it may say, and how `set NAME VALUE --keep` writes it."""

import io
import os
import stat
import tomllib

import pytest

from canfield_cli.cli.session import Session
from canfield_cli.commands.environment import Environment
from canfield_cli.commands.place import HeldPlace
from canfield_cli.commands.settings import SETTINGS, Settings, kept_settings
from canfield_cli.engine.errors import CanfieldError, SaveError, UsageError
from canfield_cli.store.config import config_path, read_config, state_path, write_config


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config" / "canfield" / "config.toml"


@pytest.fixture
def session(tmp_path):
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    env = Environment(io.StringIO(), io.StringIO(), io.StringIO(), environ)
    return Session(env, HeldPlace(str(tmp_path / "game.json"), environ))


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"HOME": "/h"}, "/h/.config/canfield/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "/x/canfield/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "x"}, "/h/.config/canfield/config.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": ""}, "/h/.config/canfield/config.toml"),
        ({"HOME": "h"}, None),
        ({}, None),
    ],
)
def test_the_file_is_where_xdg_has_it(environ, path):
    assert config_path(environ) == path


def test_the_history_is_in_the_folder_for_state():
    assert state_path({"HOME": "/h"}, "history") == "/h/.local/state/canfield/history"
    assert state_path({"HOME": "/h", "XDG_STATE_HOME": "/s"}, "history") == "/s/canfield/history"


def test_without_a_file_the_usual_settings_hold(path):
    assert kept_settings(str(path)).values() == {name: choices[0] for name, (choices, _) in SETTINGS.items()}


def test_what_a_file_says_is_read_back(path):
    settings = Settings({name: choices[-1] for name, (choices, _) in SETTINGS.items()})
    write_config(str(path), settings.toml())
    assert tomllib.loads(path.read_text()) == settings.values()
    assert kept_settings(str(path)).values() == settings.values()


def test_true_and_false_do_for_yes_and_no(path):
    write_config(str(path), "four_color = true\nascii = false\n")
    settings = kept_settings(str(path))
    assert (settings["four_color"], settings["ascii"]) == ("yes", "no")


@pytest.mark.parametrize(
    "text",
    [
        "four_color = 3",
        "four_color = 'green'",
        "color = true",
        "color = ['never']",
        "[color]\nx = 1",
        "colour = 'never'",
        "nonsense = 1",
        "keys",
        "keys = vi",
        "keys = 'vi'\nkeys = 'vi'",
        "{",
        "a = " + "[" * 5000,
        "color = " + "9" * 5000,
        "#" * 70_000,
        "color = 'a\x1b[31mb'",
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_with_its_name(path, text):
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(SaveError) as caught:
        kept_settings(str(path))
    told = caught.value.message
    assert told.isprintable()
    assert len(told) < 250
    assert str(path)[:50] in told


@pytest.mark.parametrize("data", [b"\xff\xfe", b"color = '\xff'"])
def test_a_file_that_is_no_text_is_refused(path, data):
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(SaveError, match="not text in UTF-8"):
        read_config(str(path))


def test_a_folder_a_pipe_and_a_device_are_refused_unopened(path):
    path.mkdir(parents=True)
    with pytest.raises(SaveError, match="not a regular file"):
        read_config(str(path))
    pipe = path / "pipe"
    os.mkfifo(pipe)
    for name in (str(pipe), "/dev/zero"):
        with pytest.raises(SaveError, match="not a regular file"):
            read_config(name)


# set NAME VALUE --keep


def test_keep_writes_one_setting_and_leaves_the_others_as_they_are_kept(session, path):
    assert not session.run(["set", "keys", "vi", "--keep"])[0].error
    session.run(["set", "color", "never"])
    session.run(["set", "words", "bsd", "--keep"])
    assert {
        name: value
        for name, value in tomllib.loads(path.read_text()).items()
        if value != SETTINGS[name][0][0]
    } == {
        "keys": "vi",
        "words": "bsd",
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["config.toml"]


def test_set_keep_alone_keeps_all(session, path):
    session.run(["set", "color", "never"])
    session.run(["set", "ascii", "yes"])
    session.run(["set", "--keep"])
    kept = tomllib.loads(path.read_text())
    assert (kept["color"], kept["ascii"]) == ("never", "yes")


def test_without_keep_nothing_is_written(session, path):
    session.run(["set", "keys", "vi"])
    assert not path.exists()


def test_a_bad_file_is_not_written_over(session, path):
    path.parent.mkdir(parents=True)
    path.write_text("nonsense = 1\n")
    error = session.run(["set", "keys", "vi", "--keep"])[0].error
    assert error.code == "bad-save"
    assert path.read_text() == "nonsense = 1\n"
    assert session.settings["keys"] == "vi"


def test_a_folder_that_can_not_be_made_is_told(session, path, tmp_path):
    (tmp_path / "config").write_text("")
    error = session.run(["set", "keys", "vi", "--keep"])[0].error
    assert error.status == 4
    assert str(path)[:50] in error.message
    assert session.settings["keys"] == "vi"


def test_a_file_that_can_not_be_written_is_told(path):
    path.mkdir(parents=True)
    with pytest.raises(CanfieldError, match="not a regular file") as caught:
        write_config(str(path), "")
    assert caught.value.hint == "without --keep the setting holds for this session"


def test_without_a_home_nothing_can_be_kept(tmp_path):
    session = Session(Environment(environ={}), HeldPlace(str(tmp_path / "game.json"), {}))
    error = session.run(["set", "keys", "vi", "--keep"])[0].error
    assert isinstance(error, UsageError)


def test_scripts_do_not_read_the_file(tmp_path, path):
    from play import Player

    player = Player(tmp_path)
    player.env["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    assert player.run("new --seed 7 -q").returncode == 0
    write_config(str(path), Settings({"ascii": "yes", "color": "always"}).toml())
    done = player.run("play", b"show\n")
    assert done.returncode == 0
    assert not done.stdout.isascii()
    assert b"\x1b" not in done.stdout
