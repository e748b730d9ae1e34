"""What newcomers write wrong, and that the hint is what they may have meant."""

import json
import shlex

import pytest

from canfield_cli.commands import COMMANDS
from canfield_cli.commands.table import COMMON, parse
from canfield_cli.engine.errors import UsageError
from canfield_cli.engine.rules import PRESETS

CODE = "CAN-D3-2222-2229-J"


def refused(line):
    with pytest.raises(UsageError) as caught:
        parse(COMMANDS, shlex.split(line))
    return caught.value


# A word too many.


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("new 7", ["--seed 7"]),
        ("new 3", ["--seed 3", "--draw 3"]),
        ("new easy", ["--rules easy"]),
        ("new Easy", ["--rules Easy"]),
        (f"new {CODE}", [f"--code {CODE}"]),
        ("new cand322222229j", ["--code cand322222229j"]),
        ("new 2026-11-30", ["--daily 2026-11-30"]),
        ("new today", ["--daily today"]),
        ("new deal.txt", ["--deal deal.txt"]),
        ("new decks/7", ["--deal decks/7"]),
        ("new -", ["--deal -"]),
        ("new 'my deal.txt'", ["--deal 'my deal.txt'"]),
        ("new any", ["--runs any", "--fill any"]),
        ("solve 7", ["--seed 7", "--jobs 7", "--max-states 7"]),
        ("solve deals.txt", ["--positions deals.txt", "--deal deals.txt"]),
        (f"solve {CODE}", [f"--code {CODE}"]),
        ("play sc.txt", ["--script sc.txt"]),
        ("new casino", ["--rules casino", "--scoring casino"]),
        ("play draw", ["-c draw"]),
        ("play wf", ["-c wf"]),
        ("play wf draw", ["-c 'wf draw'"]),
        ("play 'draw; up'", ["-c 'draw; up'"]),
        ("stats plot.svg", ["--plot plot.svg"]),
        ("stats easy", ["--rules easy"]),
        ("replay 12 2", ["--speed 2"]),
        ("daily 2026-11 classic", ["--rules classic"]),
        # What every command takes.
        ("show always", ["--color always"]),
        # The name of an option.
        ("hint all", ["--all"]),
        ("draw 2 quiet", ["--quiet"]),
        ("new seed 7", ["--seed 7"]),
        ("new seed", ["--seed N"]),
        ("new daily", ["--daily"]),
        ("records forget file.csv yes", ["--yes"]),
        # An option that has its value is not what is meant.
        ("new --seed 5 3", ["--draw 3"]),
        ("new --seed=5 3", ["--draw 3"]),
        ("new -r easy 3", ["--seed 3", "--draw 3"]),
        # A value with spaces.
        ("new --code can d3 2222 2229 j", ["--code 'can d3 2222 2229 j'"]),
        ("new --player Anna Maria -q", ["--player 'Anna Maria'"]),
        ("new --player Anna easy", ["--rules easy"]),
        ("show --save my game.json", ["--save 'my game.json'"]),
        ("play -c move wf", ["-c 'move wf'"]),
    ],
)
def test_of_a_word_too_many_the_hint_says_which_option_takes_it(line, offers):
    error = refused(line)
    assert "is one word too many for" in error.message
    assert error.hint == "write " + " or ".join(offers)


@pytest.mark.parametrize("word", ["7", "easy", CODE, "deals.txt", "today", "draw", "plain", "nonsense"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_whatever_is_offered_is_taken(command, word):
    if any(param.many for param in command.arguments):
        # To such a command no word is too many.
        assert parse(COMMANDS, [command.name, word])
        return
    room = [param.choices[0] if param.choices else "1" for param in command.arguments]
    error = refused(shlex.join([command.name, *room, word]))
    assert "one word too many" in error.message
    how, _, offers = error.hint.partition(" ")
    if how != "write":
        assert f"canfield {command.name} --help" in error.hint
        return
    for offer in offers.split(" or "):
        name, *value = shlex.split(offer)
        if value != [command.names[name].metavar]:
            assert parse(COMMANDS, [command.name, *room, name, *value])


@pytest.mark.parametrize(
    "line", ["up now", "draw 2 3", "check a.json nonsense", "new nonsense", "new --redeals 2 nonsense"]
)
def test_where_nothing_takes_it_the_hint_says_the_usage_and_the_help(line):
    name = line.split()[0]
    usage = COMMANDS[name].usage
    assert refused(line).hint == f"it is written: canfield {usage}; canfield {name} --help lists its options"


@pytest.mark.parametrize("word", ["\x1b[2J.txt", "{Qc}.txt", "a`b.txt", "x" * 100 + ".txt", "\udcff.txt"])
def test_a_word_that_can_not_be_shown_as_it_is_is_not_put_into_the_hint(word):
    with pytest.raises(UsageError) as caught:
        parse(COMMANDS, ["new", word])
    assert caught.value.hint == "write --deal FILE"


def test_the_shell_tells_what_the_table_refuses(canfield):
    answer = canfield("new 7")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "error: `7` is one word too many for new\nhint: write --seed 7\n"
    assert canfield("new 7 --json").json["error"]["code"] == "usage"


# Words that are missing or wrong.


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("records", "records needs WHAT", "it takes path, export, import, forget, check"),
        ("completion", "completion needs SHELL", "it takes bash, zsh, fish"),
        ("import", "import needs FILE", "for example: canfield import game.txt"),
    ],
)
def test_where_a_word_is_missing_the_hint_lists_those_there_are(line, message, hint):
    error = refused(line)
    assert (error.message, error.hint) == (message, hint)


def test_a_wrong_word_gets_the_list_that_a_missing_one_gets():
    assert refused("records nonsense").hint == refused("records").hint


@pytest.mark.parametrize("option", ["--redeals", "--undo-limit"])
def test_a_wrong_rule_is_named_as_the_option_that_it_was_given_by(canfield, option):
    for command in ("new", "solve --seed 7"):
        answer = canfield(f"{command} {option} two")
        assert answer.status == 2
        assert answer.err.startswith(
            f"error: `two` is no value of {option}\nhint: it takes unlimited or a number\n"
        )
    assert canfield(f"new {option} two --json").json["error"]["code"] == "bad-rules"


def test_what_there_is_no_command_of_is_told_where_they_are_listed(canfield):
    hint = "hint: canfield help lists them all\n"
    assert canfield("help zzzz").err == f"error: there is no command `zzzz`\n{hint}"
    assert canfield("zzzz").err == f"error: there is no command `zzzz`\n{hint}"
    assert canfield("help").status == 0


# Options before the command.


@pytest.mark.parametrize(
    ("line", "named", "hint"),
    [
        ("-q draw", "--quiet", "canfield draw --quiet"),
        ("-q draw 3 --json", "--quiet", "canfield draw --quiet 3 --json"),
        ("--json show", "--json", "canfield show --json"),
        ("--save s.json show", "--save", "canfield show --save s.json"),
        ("--save=s.json show", "--save", "canfield show --save=s.json"),
        ("-s s.json -q undo 2", "--save", "canfield undo --save s.json --quiet 2"),
        ("-s draw undo", "--save", "canfield undo --save draw"),
        ("--seed 7 new", "--seed", "canfield new --seed 7"),
        ("-r easy new --seed 7", "--rules", "canfield new --rules easy --seed 7"),
        # Where there is nothing that it could be put right to.
        ("-q", "--quiet", "canfield show --quiet"),
        ("-q zzzz", "--quiet", "canfield show --quiet"),
        ("--save s.json", "--save", "canfield show --save FILE"),
    ],
)  # fmt: skip
def test_of_an_option_before_the_command_the_hint_is_the_line_put_right(canfield, line, named, hint):
    answer = canfield(line)
    told = answer.err or answer.json["error"]["message"]
    assert answer.status == 2
    assert f"{named} goes after the command" in told
    assert f"hint: {hint}\n" in answer.err


def test_the_line_put_right_is_quoted_for_the_shell_and_can_be_shown(canfield):
    assert "hint: canfield show --save 'my game.json'\n" in canfield("--save", "my game.json", "show").err
    answer = canfield("--save", "\x1b[2J", "show")
    assert "\x1b" not in answer.err
    assert "hint: canfield show --save FILE\n" in answer.err


# Files of another kind.


def test_a_record_given_as_a_deal_is_told_from_broken_json(canfield):
    canfield("new --seed 7")
    record = canfield("export").out
    answer = canfield("new --deal -", stdin=record)
    assert answer.status == 3
    assert answer.err == (
        "error: the text is the record of a game, not a deal\nhint: canfield import FILE plays it back\n"
    )
    assert canfield("new --deal - --json", stdin=record).json["error"]["code"] == "bad-deal"
    assert canfield("import -", stdin=record).status == 0


def test_a_save_or_a_state_given_as_a_record_is_told_as_such(canfield, tmp_path):
    canfield("new --seed 7")
    state = canfield("show --json --reveal").json
    for text, told in (
        (canfield.save.read_text(), "a save"),
        (json.dumps(state), "a state"),
        (json.dumps(state["state"]), "a state"),
        (json.dumps(state, indent=1), "a state"),
    ):
        answer = canfield("import -", stdin=text)
        assert answer.status == 3
        error, hint = answer.err.splitlines()
        assert error == f"error: the text is {told}, not the record of a game"
        # The hint holds.
        (tmp_path / "file.json").write_text(text)
        line = hint.removeprefix("hint: ").partition(" FILE")[0].split()
        assert canfield(*line[1:], str(tmp_path / "file.json")).status == 0
    for text in ("{", "5", "{}", '{"format": "canfield-x"}', '{"state": 5}'):
        assert "this is not the record of a game of canfield" in canfield("import -", stdin=text).err


def test_of_many_missing_cards_the_first_few_are_named_and_the_rest_counted(canfield):
    answer = canfield("new --deal -", stdin="Ah 2h")
    assert answer.status == 3
    assert "the deal has 2 cards instead of 52, no A♣, no 2♣, no 3♣, no 4♣, no 5♣ and 45 more" in answer.err
    answer = canfield("new --deal - --json", stdin="Ah 2h")
    assert answer.json["error"]["message"].endswith(" no Ac, no 2c, no 3c, no 4c, no 5c and 45 more")
    # Programs have them all.
    assert len(answer.json["error"]["missing"]) == 50


# In a session.


def test_of_a_line_of_several_commands_the_one_that_stopped_it_is_named(canfield):
    canfield("new --seed 7")
    err = canfield("play", "-q", "-c", "draw; drw 2; draw").err
    assert err.endswith("stopped at line 1, `drw 2`\n")


def test_a_preset_too_many_holds_for_each_of_them():
    for name in PRESETS:
        assert refused(f"new {name}").hint.startswith(f"write --rules {name}")


def test_the_common_options_are_offered_by_their_names_too():
    for param in COMMON:
        assert refused(f"up {param.name.removeprefix('--')}").hint.startswith(f"write {param.name}")


@pytest.mark.parametrize("word", ["9h-$(touch PWN)", "9h-Ts;id", "9h-'x", "9h-*"])
def test_an_action_in_a_hint_is_one_word_for_a_shell(word):
    hint = refused(shlex.quote(word)).hint
    assert shlex.split(hint) == ["canfield", "move", word]
    assert hint == f"canfield move {shlex.quote(word)}"
