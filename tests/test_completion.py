"""The completion scripts, in the real shells: what TAB offers, what it means, and that it is quick."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from canfield_cli.commands import COMMANDS
from canfield_cli.engine.rules import PRESETS

ROOT = Path(__file__).parent.parent
SCRIPTS = {"bash": "canfield.bash", "zsh": "_canfield", "fish": "canfield.fish"}
#: The worked example of the rules, whose legal actions are known: draw, r2, 24x1.
WORKED = (
    "2c 3c 4c 5c 7c 8c 9c Tc Jc Js Qs 8h Qc 7h 6c Kh Qh As "
    "Kc Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad 2h 3h 4h 5h 6h 9h Th Jh Ah 2s 3s 4s 5s 6s 7s 8s 9s Ts Ks"
)
LEGAL = {"draw", "r2", "24x1"}
PILES = {"r", "w", "s", "1", "2", "3", "4", "fc", "fd", "fh", "fs"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with a `canfield` that notes its runs, games to complete from, and an environment."""
    folder = tmp_path_factory.mktemp("completion")
    program = folder / "bin" / "canfield"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" >> "{folder}/runs"\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m canfield_cli "$@"\n'
    )
    program.chmod(0o755)
    keep = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    env = {
        **keep,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "TERM": "dumb",
        "INPUTRC": "/dev/null",
        "HISTFILE": "",
    }
    (folder / "worked.txt").write_text(WORKED)
    (folder / "broken.json").write_text("{}")
    for words in (
        "new --seed 1",
        "draw",
        "new --deal worked.txt",
        "new --deal worked.txt -s other\\ game.json",
        "move r2 -s other\\ game.json",
    ):
        subprocess.run(f"canfield {words} -q", shell=True, cwd=folder, env=env, check=True)
    return folder, env


def need(shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    return shell


# What TAB offers. Each driver takes a line up to the cursor and returns the words that are offered.

_BASH = """
source "$1"; shift
compopt() { [[ $* != "-o default" ]] || files=yes; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) files=
_canfield
[[ ! $files ]] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[-1]#=}")
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""


def readline_words(line):
    """Split `line` as readline does for COMP_WORDS: quotes stay, and = is a word of its own."""
    words = re.findall(r"""(?:\\.|"[^"]*"|'[^']*'|[^\s=])+|=""", line)
    return [*words, ""] if line[-1] == " " else words


def run(words, place):
    folder, env = place
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=20)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.fixture
def bash(place):
    script = str(ROOT / "completions" / SCRIPTS[need("bash")])
    return lambda line: run(["bash", "--norc", "-c", _BASH, "bash", script, *readline_words(line)], place)


@pytest.fixture
def fish(place):
    script = ROOT / "completions" / SCRIPTS[need("fish")]

    def complete(line):
        quoted = line.replace("\\", "\\\\").replace("'", "\\'")
        lines = run(["fish", "-N", "-c", f"source {script}; complete -C '{quoted}'"], place)
        # The value of --option=value is offered together with the option.
        words = [line.split("\t")[0] for line in lines]
        return [word.partition("=")[2] or word for word in words]

    return complete


class Zsh:
    """An interactive zsh, which notes what its completion adds."""

    def __init__(self, place):
        pexpect = pytest.importorskip("pexpect")
        folder, env = place
        self.hits = folder / "hits"
        self.shell = pexpect.spawn(
            "zsh", ["-f", "-i"], cwd=folder, env=env, encoding="utf-8", timeout=20, dimensions=(60, 160)
        )
        self.shell.setecho(False)
        self.shell.delaybeforesend = None
        self.do("PS1='%%''%%'; setopt no_beep no_list_ambiguous; autoload -Uz compinit && compinit -u -D")
        self.do(f"source {ROOT}/completions/_canfield")
        # A call that only asks (-O, -A, -D) adds nothing.
        self.do(
            'compadd() { [[ -z ${@[(r)-[OAD]]} ]] && { local -a hits; builtin compadd -O hits "$@"; '
            f'print -rl -- $hits >> {self.hits} }}; builtin compadd "$@" }}'
        )

    def do(self, line):
        """Run `line`, and return what the screen shows until it is done."""
        self.shell.send(f"{line}; print DO''NE\r")
        self.shell.expect("DONE\r\n")
        shown = self.shell.before
        # What is typed before the prompt is there would be read by the terminal, not by zsh.
        self.shell.expect("%%")
        return shown

    def shown(self, line):
        """Press TAB after `line`; return what the screen shows."""
        self.hits.write_text("")
        self.shell.send(f"{line}\t\x15")
        return self.do("")

    def complete(self, line):
        assert "error" not in self.shown(line)
        return [word.replace("\\", "") for word in self.hits.read_text().splitlines() if word]


@pytest.fixture(scope="module")
def zsh_session(place):
    need("zsh")
    session = Zsh(place)
    yield session
    session.shell.close(force=True)


@pytest.fixture
def zsh(zsh_session):
    return zsh_session.complete


@pytest.fixture(params=list(SCRIPTS))
def offered(request):
    """Return the driver of one shell after another."""
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("canfield mo", {"move", "moves"}),
        ("canfield ", set(COMMANDS)),
        ("canfield --", {"--help", "--version"}),
        ("canfield help mo", {"move", "moves"}),
        ("canfield new --rules ", set(PRESETS)),
        ("canfield new -r ", set(PRESETS)),
        ("canfield new --rules=e", {"easy"}),
        ("canfield new --rules easy --run", {"--runs"}),
        ("canfield new --undo-limit ", {"unlimited"}),
        ("canfield new --daily ", {"today"}),
        ("canfield new --daily --ru", {"--rules", "--runs"}),
        ("canfield new --daily=", {"today"}),
        ("canfield show --color ", {"auto", "always", "never"}),
        ("canfield rules ", {*PRESETS, "current"}),
        ("canfield rules --json e", {"easy"}),
        ("canfield rules -- e", {"easy"}),
        ("canfield rules easy ", set()),
        ("canfield tap ", PILES),
        ("canfield tap f", {"fc", "fd", "fh", "fs"}),
        ("canfield draw ", set()),
        ("canfield show -- -", set()),
        ("canfield show --rev", {"--reveal"}),
        ("canfield hint --rev", set()),
        ("canfield nonsense ", set()),
    ],
)
def test_words_that_never_change_are_offered_without_the_program(offered, place, line, words):
    (place[0] / "runs").write_text("")
    found = offered(line)
    if line.endswith(" "):
        # Where nothing else can stand, zsh offers the options.
        found = [word for word in found if word[0] != "-"]
    assert sorted(found) == sorted(words)
    assert (place[0] / "runs").read_text() == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("canfield move ", LEGAL),
        ("canfield move 2", {"24x1"}),
        ("canfield move draw r", {"r2"}),
        ("canfield move -q -- r", {"r2"}),
        # In the other game the queen of clubs has gone, and the king moves with it.
        (r"canfield move -s other\ game.json 2", {"24x2"}),
        ("canfield move --save 'other game.json' 2", {"24x2"}),
        ('canfield move --save="other game.json" 2', {"24x2"}),
        (r"canfield move --save=~/other\ game.json 2", {"24x2"}),
        ("canfield resume ", {"1"}),
    ],
)
def test_words_that_depend_on_the_game_are_asked_for_once(offered, place, line, words):
    (place[0] / "runs").write_text("")
    assert set(offered(line)) == words
    assert (place[0] / "runs").read_text().count("\n") == 1


@pytest.mark.parametrize("save", ["missing.json", "broken.json", ".", "-", "missing/game.json"])
def test_a_save_that_can_t_be_used_gives_no_words_and_no_noise(offered, save):
    assert offered(f"canfield move -s {save} ") == []


@pytest.mark.parametrize(
    "line", ["check", "check --", "import", "show -s", "show --save", "play --script", "new --deal"]
)
def test_files_are_offered_where_a_file_is_meant(offered, line):
    assert offered(f"canfield {line} oth") == ["other game.json"]


def test_every_command_offers_all_its_options_and_no_others(offered):
    for command in COMMANDS.values():
        long = {param.name for param in command.options if param.name.startswith("--")}
        assert set(offered(f"canfield {command.name} --")) == {*long, "--help"}, command.name


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_generated_script_says_so(shell):
    lines = (ROOT / "completions" / SCRIPTS[shell]).read_text().splitlines()
    assert "Generated" in "\n".join(lines[:2])


# What it means.

MEANINGS = [
    ("canfield mo", "list the legal actions"),
    ("canfield new --rules e", "as standard, but one card is turned at a time"),
    ("canfield new --draw ", "A draw turns one card onto the waste"),
    ("canfield show --reve", "show the hidden cards too"),
    ("canfield move ", "reserve to column 2"),
    ("canfield move ", "1 card of column 2 to column 4"),
    ("canfield tap f", "the hearts foundation"),
    ("canfield resume ", "1 move"),
]


@pytest.mark.parametrize(("line", "meaning"), MEANINGS)
def test_fish_tells_what_a_word_means(place, fish, line, meaning):
    del fish
    script = ROOT / "completions" / "canfield.fish"
    lines = run(["fish", "-N", "-c", f"source {script}; complete -C '{line}'"], place)
    assert any(meaning in line.partition("\t")[2] for line in lines)


# zsh lists words only where there are several, so leave off a letter.
@pytest.mark.parametrize(
    ("line", "meaning"), [(line.removesuffix("e"), meaning) for line, meaning in MEANINGS]
)
def test_zsh_tells_what_a_word_means(zsh_session, line, meaning):
    zsh_session.do("zstyle ':completion:*' force-list always")
    assert re.search(f"-- [^\r]*{re.escape(meaning)}", zsh_session.shown(line))


# A real terminal.


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("canfield mo\t", "canfield move"),
        ("canfield redo --js\t", "canfield redo --json"),
        ("canfield new --rules=ea\t", "canfield new --rules=easy"),
        ("canfield move 2\t", "canfield move 24x1"),
        ("canfield check oth\t", "canfield check other game.json"),
        ("canfield show --save=oth\t--j\t", "canfield show --save=other game.json --json"),
        ("canfield move -s missing.json \t", "canfield move -s missing.json"),
    ],
)
def test_tab_in_a_real_bash_completes_the_line(place, typed, line):
    pexpect = pytest.importorskip("pexpect")
    folder, env = place
    shell = pexpect.spawn(
        need("bash"), ["--norc", "--noprofile", "-i"], cwd=folder, env=env, encoding="utf-8", timeout=20
    )
    shell.sendline(
        f"bind 'set enable-bracketed-paste off'; source {ROOT}/completions/canfield.bash; echo REA''DY"
    )
    shell.expect("READY\r\n")
    # Go to the beginning of what TAB made of the line, and have it printed as words.
    shell.send(f"{typed}\x01echo [ \x05 ]\r")
    shell.expect(r"\n\[ (.*) \]\r\n")
    assert shell.match[1] == line
    shell.close(force=True)


def test_bash_answers_a_static_word_within_ten_milliseconds():
    script = ROOT / "completions" / SCRIPTS[need("bash")]
    timing = (
        f"source {script}; for i in {{1..21}}; do COMP_WORDS=(canfield new --rules easy --d) COMP_CWORD=4; "
        "a=$EPOCHREALTIME; _canfield; b=$EPOCHREALTIME; echo $((${b/[.,]/} - ${a/[.,]/})); done; "
        'echo "${COMPREPLY[@]}" >&2'
    )
    done = subprocess.run(["bash", "--norc", "-c", timing], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) == {"--deal", "--daily", "--draw"}
    assert sorted(map(int, done.stdout.split()))[10] < 10_000
