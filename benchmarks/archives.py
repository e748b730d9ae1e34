"""The archives of the project, what they hold, and the bill of what the package needs.

    python benchmarks/archives.py    compare the tables of docs/packaging.md with what is installed here

The checks raise Failed where something does not hold; distribution.py and the tests run them.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution
from pathlib import Path

from canfield_cli import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
#: What is set here, but for what would lead Python elsewhere.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
COMPILER = bool(shutil.which("cc"))
#: With a compiler that fails nothing is compiled.
NO_COMPILER = {"CC": "/bin/false"}
#: The table of docs/packaging.md for each list of packages that the project asks for.
BILLS = {
    "To run": PROJECT["project"]["dependencies"],
    "To draw": PROJECT["project"]["optional-dependencies"]["plot"],
    "To build": PROJECT["build-system"]["requires"],
}

NAME = f"canfield_cli-{__version__}"
SHARE = {
    "share/bash-completion/completions/canfield.bash",
    "share/fish/vendor_completions.d/canfield.fish",
    "share/man/man5/canfield-json.5",
    "share/man/man6/canfield-rules.6",
    "share/man/man6/canfield.6",
    "share/zsh/site-functions/_canfield",
}
#: What setuptools adds to an archive.
OF_SOURCE = {"PKG-INFO", "setup.cfg"} | {
    f"canfield_cli.egg-info/{name}"
    for name in ("PKG-INFO", "SOURCES.txt", "dependency_links.txt", "requires.txt", "top_level.txt")
}
OF_WHEEL = {
    f"{NAME}.dist-info/{name}"
    for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "top_level.txt")
}
#: What work leaves behind in a tree, and no archive may hold.
LEFTOVERS = (
    "build/lib/canfield_cli/left.py",
    "canfield_cli/__pycache__/left.cpython-311.pyc",
    "canfield_cli/solver/_left.c",
    "canfield_cli/solver/_search.left.so",
    "tests/__pycache__/left.cpython-311.pyc",
)


class Skipped(Exception):
    """This machine can't try it, and why."""


class Failed(Exception):
    """It did not hold, and what there was."""


def held(fact: object, said: str) -> None:
    """Raise Failed with `said` unless `fact` is true."""
    if not fact:
        raise Failed(said)


def compare(found: set[str], wanted: set[str]) -> None:
    """Raise Failed unless both are the same."""
    wrong = [f"lacks {name}" for name in sorted(wanted - found)]
    wrong += [f"has {name}" for name in sorted(found - wanted)]
    held(not wrong, "; ".join(wrong))


def run(*words: object, user: str | None = None, **settings: object) -> str:
    """Run a command, as `user` where one is given, and return all that it says. Raises Failed where it fails."""
    given = {"env": CLEAN, "input": "", "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | settings
    if user:
        given |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    line = [*map(str, words)]
    done = subprocess.run(line, text=True, check=False, **given)
    held(done.returncode == 0, f"{' '.join(line)} ended with {done.returncode}: {done.stdout[-600:]}")
    return done.stdout


def tools(folder: Path, *names: str, python: object = sys.executable) -> Path:
    """Make an environment with the packages `names`, and return its Python. Raises Skipped where they can't be had."""
    run(python, "-m", "venv", "--without-pip", folder)
    try:
        run(sys.executable, "-m", "pip", "--python", folder, "install", "-q", *names)
    except Failed as error:
        raise Skipped(f"{', '.join(names)} can't be had: {error}") from None
    return folder / "bin/python"


# The archives.


def tracked() -> list[str]:
    """Return the files of this tree that belong to the project."""
    try:
        said = run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT)
    except (Failed, OSError):
        raise Skipped("only git knows which files belong to the project") from None
    return [name for name in said.splitlines() if (ROOT / name).exists()]


def copy(folder: Path) -> Path:
    """Copy the project to `folder`, with what work leaves behind, and return the folder."""
    whence = {name: ROOT / name for name in tracked()} | dict.fromkeys(LEFTOVERS, os.devnull)
    for name, path in whence.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    return folder


def build(python: Path, source: Path, *said: str, umask: int = -1, **env: str) -> list[Path]:
    """Build the project in `source` and return the source archive and, made of what that holds, the wheel.

    With "--wheel" it is only a wheel, and made of the tree itself.
    """
    made = source / "dist"
    run(python, "-m", "build", "-n", *said, "-o", made, source, env=CLEAN | env, umask=umask)
    # By their names the wheel would be the first.
    return sorted(made.iterdir(), reverse=True)


def check_source(path: Path) -> None:
    """Raise Failed unless the source archive holds what building and testing need, and nothing else."""
    with tarfile.open(path) as archive:
        names = {member.name for member in archive.getmembers() if not member.isdir()}
    held(all(name.startswith(f"{NAME}/") for name in names), "a file is beside the folder of the archive")
    wanted = {name for name in tracked() if not name.startswith((".ci/", ".git"))}
    compare({name.removeprefix(f"{NAME}/") for name in names}, wanted | OF_SOURCE)


def check_wheel(path: Path, *, compiled: bool) -> None:
    """Raise Failed unless the wheel holds the package and what goes with it, and nothing else."""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"{NAME}.dist-info/METADATA").decode()
    modules = {name for name in names if name.endswith(".so")}
    held(len(modules) == compiled, f"the compiled modules are {sorted(modules)}")
    package = {name for name in tracked() if name.startswith("canfield_cli/") and not name.endswith(".pyx")}
    data = {f"{NAME}.data/data/{name}" for name in SHARE} | {f"{NAME}.data/scripts/canfield"}
    compare(names - modules, package | data | OF_WHEEL)
    held("\nLicense-Expression: MIT\n" in metadata, "the metadata doesn't tell the licence")


def build_twice(python: Path, folder: Path) -> list[list[Path]]:
    """Build in two folders, from files of other times, under another umask; return the archives of both."""
    first, second = copy(folder / "one"), copy(folder / "another/and deeper")
    for path in second.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    with ThreadPoolExecutor() as pool:
        made = [
            pool.submit(build, python, first, umask=0o022),
            pool.submit(build, python, second, umask=0o077),
        ]
    return [each.result() for each in made]


def check_rebuilt(python: Path, folder: Path) -> None:
    """Raise Failed unless a wheel made without a compiler, where one was made before, lacks a module that is gone."""
    gone = copy(folder) / "canfield_cli/gone.py"
    gone.touch()
    build(python, folder, "--wheel", **NO_COMPILER)
    gone.unlink()
    check_wheel(*build(python, folder, "--wheel", **NO_COMPILER), compiled=False)


def check_same(builds: list[list[Path]]) -> None:
    """Raise Failed unless two builds gave the same bytes under the same names."""
    for one, other in zip(*builds, strict=True):
        held(one.name == other.name and one.read_bytes() == other.read_bytes(), f"{one.name} differs")


# The bill of dependencies.

#: The SPDX names of licences that older metadata tell in words; whoever tells that of BSD here has the three clauses.
SPDX = {
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
}


def licence(name: str) -> str:
    """Return the licence that the metadata of the installed package `name` tells."""
    told = distribution(name).metadata
    classes = [
        line.split(" :: ")[-1] for line in told.get_all("Classifier", []) if line.startswith("License ::")
    ]
    word = told.get("License-Expression") or (classes or [told["License"]])[0]
    return SPDX.get(word, word)


def needed(ranges: list[str]) -> dict[str, str]:
    """Return the packages of `ranges`, those that they need here, and the licence of each."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: dict[str, str] = {}
    todo = [*ranges]
    for line in todo:
        wanted = Requirement(line)
        name = canonicalize_name(wanted.name)
        if name not in found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found[name] = licence(name)
            todo += distribution(name).requires or []
    return found


def billed(heading: str) -> dict[str, str]:
    """Return the packages and licences of the table below `heading` in docs/packaging.md."""
    text = (ROOT / "docs/packaging.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| ([^|]+?) \|", text, re.M))


def check_bill(heading: str) -> None:
    """Raise Failed unless a table holds what is needed here. Raises PackageNotFoundError where that isn't installed."""
    compare(set(needed(BILLS[heading]).items()), set(billed(heading).items()))


if __name__ == "__main__":
    for heading in BILLS:
        check_bill(heading)
