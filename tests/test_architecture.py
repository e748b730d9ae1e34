"""The shape of the program: which way imports go, and what a one-shot command may load."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import canfield_cli

ROOT = Path(canfield_cli.__file__).parent
#: Who may import whom: each part, and the parts below it.
BELOW = {
    "engine": set(),
    "solver": {"engine"},
    "store": {"engine"},
    "commands": {"engine", "solver", "store"},
    "render": {"engine", "commands"},
    "cli": {"engine", "solver", "store", "commands", "render", "__init__"},
    "__main__": {"cli"},
    "__init__": {"engine", "solver", "store"},
}
MODULES = sorted(ROOT.rglob("*.py"))
#: Libraries that cost start-up time, and the modules that each may be imported in.
ONLY_IN = {
    "typer": {"cli/app.py"},
    "prompt_toolkit": {"cli/repl.py", "cli/history.py", "cli/keys.py", "cli/tab.py"},
    "matplotlib": {"store/plot.py"},
}


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path):
    """Yield each module that `path` imports, relative ones as paths from the package."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = node.module.split(".") if node.module else []
            names = module or [alias.name for alias in node.names]
            yield ".".join(["canfield_cli", *base, *names])
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_there_are_modules_to_look_at():
    assert {part(path) for path in MODULES} == set(BELOW)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    for name in imports(path):
        words = name.split(".")
        if words[0] != "canfield_cli":
            continue
        target = words[1] if len(words) > 1 and words[1] in BELOW else "__init__"
        assert target == part(path) or target in BELOW[part(path)], name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_libraries_are_kept_to_their_places(path):
    here = str(path.relative_to(ROOT))
    for name in imports(path):
        library = name.split(".")[0]
        assert here in ONLY_IN.get(library, {here}), name


def test_the_engine_needs_only_the_standard_library_and_nothing_of_the_world():
    world = {"os", "sys", "time", "random", "socket", "subprocess", "pathlib", "io", "shutil", "secrets"}
    for path in MODULES:
        if part(path) == "engine":
            used = {name.split(".")[0] for name in imports(path)}
            # PySolFC's larger numbers are dealt by Python's own Mersenne Twister, seeded with them.
            allowed = {"random"} if path.name == "deal.py" else set()
            assert not (used & world) - allowed, path
            assert used <= {*sys.stdlib_module_names, "canfield_cli"}, path


def test_every_public_name_can_be_loaded_and_is_listed_once():
    homes = [name for names in canfield_cli._HOMES.values() for name in names]
    assert sorted([*homes, "__version__"]) == sorted(canfield_cli.__all__)
    for name in canfield_cli.__all__:
        assert getattr(canfield_cli, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        canfield_cli.nothing  # noqa: B018


def test_nothing_prints_below_the_command_line():
    for path in MODULES:
        if part(path) not in {"cli", "__main__"}:
            names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
            assert not names & {"print", "input"}, path


#: All that a one-shot command may load beyond what the interpreter's start brings.
MAY_LOAD = {"__future__", "_json", "errno", "fcntl"}


@pytest.mark.parametrize(
    "words", ["show", "move draw", "draw", "undo", "redo", "moves", "tap s", "show --json", "draw --json"]
)
def test_a_hot_command_loads_few_modules(words, tmp_path):
    save = str(tmp_path / "game.json")
    program = (
        "import sys; before = set(sys.modules)\n"
        "from canfield_cli.cli.shell import main\n"
        "status = main(sys.argv[1:])\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr); sys.exit(status)"
    )

    def run(line):
        words = [sys.executable, "-c", program, *line.split(), "--save", save]
        return subprocess.run(words, capture_output=True, text=True, check=True)

    run("new --seed 7")
    run("draw 3")
    if words == "redo":
        run("undo")
    loaded = set(run(words).stderr.split())
    assert "canfield_cli.engine.position" in loaded
    assert {name for name in loaded if not name.startswith("canfield_cli")} <= MAY_LOAD
