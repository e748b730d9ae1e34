"""The table of commands, and that its own parser and the Typer program read words alike."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canfield_cli.cli.app import build
from canfield_cli.commands import COMMANDS, HOT
from canfield_cli.commands.table import COMMON, parse
from canfield_cli.engine.errors import UsageError

_seen = {}


def _note(command, values):
    _seen["read"] = (command, values)
    return 0


APP = build(_note)


def by_typer(words):
    """Return what Typer makes of `words`, or None where it refuses them."""
    _seen.clear()
    try:
        APP(list(words), prog_name="canfield", standalone_mode=False)
    except UsageError:
        return None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return None
    return _seen.get("read")


def by_table(words):
    """Return what the table's own parser makes of `words`, or None where it refuses them."""
    try:
        return parse(COMMANDS, words)
    except UsageError:
        return None


def words_of(param):
    """Some right and some wrong words for a parameter, given and left out."""
    if param.choices:
        value = st.sampled_from([*param.choices, "nonsense", ""])
    elif param.least is not None:
        value = st.sampled_from(["0", "1", "7", "-1", "x", "1.5", "99999999999999999999"])
    else:
        value = st.sampled_from(["wf", "24x3", "a b", "-", "", "2026-11-30", "ö"])
    if not param.is_option:
        return st.lists(value, max_size=3 if param.many else 1)
    names = param.names
    if param.is_flag:
        return st.one_of(
            st.just([]), st.sampled_from([[name] for name in names]), st.just([param.name + "=x"])
        )
    given_forms = [
        value.map(lambda word: [param.name + "=" + word]),
        st.builds(lambda name, word: [name, word], st.sampled_from(names), value),
        st.sampled_from([[name] for name in names]),
    ]
    return st.one_of(st.just([]), *given_forms)


@st.composite
def lines(draw):
    command = draw(st.sampled_from(list(COMMANDS.values())))
    some = draw(st.lists(st.sampled_from([*command.params, *COMMON]), max_size=4))
    parts = [draw(words_of(param)) for param in (*command.arguments, *some)]
    parts = draw(st.permutations([part for part in parts if part]))
    extra = draw(st.sampled_from([[], [], [], ["--"], ["--nonsense"], ["--", "wf"], ["-"]]))
    return [command.name, *(word for part in parts for word in part), *extra]


@settings(max_examples=150)
@given(lines())
def test_what_the_table_parser_takes_typer_takes_with_the_same_meaning(words):
    table = by_table(words)
    if table is not None:
        assert by_typer(words) == table


@settings(max_examples=75)
@given(lines())
def test_what_typer_refuses_the_table_parser_refuses(words):
    if by_typer(words) is None:
        assert by_table(words) is None


def test_the_hot_commands_are_in_the_table():
    assert set(HOT) <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_a_command_is_described_as_the_help_needs_it(command):
    assert command.example.startswith(f"canfield {command.name}")
    assert command.summary[0].islower()
    assert not command.summary.endswith(".")
    keys = [param.key for param in (*command.params, *COMMON)]
    assert len(keys) == len(set(keys))
    assert by_table(shlex.split(command.example.partition(" >")[0])[1:]) is not None


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_typer_offers_exactly_the_commands_and_options_of_the_table(command):
    import typer

    group = typer.main.get_command(APP)
    assert list(group.commands) == list(COMMANDS)
    offered = {name for param in group.commands[command.name].params for name in param.opts if name[0] == "-"}
    listed = {name for param in command.options for name in param.names}
    assert offered - {"-h", "--help"} == listed


@pytest.mark.parametrize(
    "line",
    [
        "solve --max-seconds -1",
        "new --seed -1",
        "new --seed=-1",
        "draw -1",
        "log -5",
        "replay 3 --speed -2",
        "replay -1",
    ],
)
def test_a_number_below_the_least_is_told_the_range_as_a_zero_is(line):
    with pytest.raises(UsageError, match=r"^`-\d` is no value of ") as refused:
        parse(COMMANDS, line.split())
    assert refused.value.hint.startswith("it takes a whole number from ")


def test_what_begins_with_a_dash_is_a_value_only_where_it_is_a_number():
    assert by_table(["new", "--pysol", "-1"]) == by_typer(["new", "--pysol", "-1"])
    for line in ("new --seed --quiet", "new --seed -q", "new --seed -x"):
        with pytest.raises(UsageError, match=r"^--seed needs a value"):
            parse(COMMANDS, line.split())
    with pytest.raises(UsageError, match=r"^move has no option `-1`"):
        parse(COMMANDS, ["move", "-1"])


def test_typer_takes_options_that_the_table_parser_leaves_to_it():
    command, values = by_typer(["draw", "-qs", "file"])
    assert (command.name, values["quiet"], values["save"]) == ("draw", True, "file")
    assert by_table(["draw", "-qs", "file"]) is None
