"""Make the archives and install them in all the ways that people do; print what held, and exit with 1 where something did not.

    python benchmarks/distribution.py                    with each Python that is on the PATH
    python benchmarks/distribution.py --python PATH ...  with these Pythons
    python benchmarks/distribution.py pipx uv            only what has one of these words in its name

Packages come from the index that pip is set up with; uv and pipx are put into an environment of their own. What can't be
tried on this machine is shown as skipped, with the reason. Run it as root to have an ordinary user tried as well.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import timeit
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

import archives
from archives import BILLS, CLEAN, COMPILER, NAME, NO_COMPILER, SHARE, Failed, Skipped, held, run, tools

from canfield_cli import __version__

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: Somebody who owns nothing and may write nowhere.
USER = "nobody"


def environment(home: Path, *path: Path, **more: str) -> dict[str, str]:
    """Return an environment in which nothing of this one is set but how packages are had."""
    kept = {name: value for name, value in CLEAN.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    where = ":".join([*map(str, path), "/usr/local/bin", "/usr/bin", "/bin"])
    return {
        **kept,
        "HOME": str(home),
        "PATH": where,
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "TERM": "dumb",
        **more,
    }


# The installs. Each way takes a home, a Python, what to install and what else to say to the installer, and gives the
# commands, the folder of programs and the folder of shared files.


def pip(home, python, what, *more):
    venv = home / "venv"
    install = (venv / "bin/pip", "install", "-q", *more, what)
    return [(python, "-m", "venv", venv), install], venv / "bin", venv


def uv_pip(home, python, what, *more):
    venv = home / "venv"
    install = ("uv", "pip", "install", "-q", "--python", venv, *more, what)
    return [("uv", "venv", "-q", "--python", python, venv), install], venv / "bin", venv


def pipx(home, python, what, *more):
    said = ("--pip-args", " ".join(map(str, more))) if more else ()
    install = ("pipx", "install", "--backend", "pip", "--python", python, *said, what)
    return [install], home / ".local/bin", home / ".local"


def uv_tool(home, python, what, *more):
    install = ("uv", "tool", "install", "-q", "--python", python, *more, what)
    return [install], home / ".local/bin", home / ".local/share/uv/tools/canfield-cli"


#: Asks the loader of bash-completion, under its old or its new name, for the completion of a command.
LOADER = """
. /usr/share/bash-completion/bash_completion
load=$(compgen -A function | grep -x -m 1 -e __load_completion -e _comp_load)
"$load" canfield; complete -p canfield
"""


class Install:
    """An install of `what` in one `way` with `python`, in a home of its own."""

    def __init__(self, folder, way, python, what, *more, user=None, env=None, bench=None):
        self.way, self.user = way, user
        self.home = folder
        folder.mkdir(parents=True)
        self.commands, self.bin, self.prefix = way(folder, python, what, *more)
        self.env = environment(folder, self.bin, *([bench] if bench else []), **(env or {}))
        if user:
            shutil.chown(folder, user)

    def run(self, *words, **settings):
        return run(*words, **({"cwd": self.home, "env": self.env, "user": self.user} | settings))

    def make(self):
        for words in self.commands:
            self.run(*words)
        return self

    def prove(self, *, compiled=COMPILER):
        """Raise Failed unless the program, the manual and the completions work."""
        self.env |= {"PYTHONWARNINGS": "error"}
        version = f"canfield {__version__}, solver {'compiled' if compiled else 'python'}\n"
        for words in (("canfield",), (self.python(), "-m", "canfield_cli")):
            said = self.run(*words, "--version")
            held(said == version, said)
        self.run("canfield", "--help")
        self.run("canfield", "new", "--seed", "3", "-q")
        held("2/52 up" in self.run("canfield", "move", "rf", "24x1"), "the game is another")
        held("can be won" in self.run("canfield", "solve", "--seed", "1"), "deal 1 has another verdict")
        if shutil.which("script"):
            typed = self.run("script", "-qec", "canfield play", "/dev/null", input="undo\nquit\n")
            held("1 move" in typed and "Traceback" not in typed, f"a session on a terminal: {typed[-300:]}")
        missing = [name for name in SHARE if not (self.prefix / name).is_file()]
        held(not missing, f"there is no {', '.join(missing)}")
        self.find_manual()
        self.find_completion()

    def python(self):
        """Return the Python that the program runs with."""
        return (self.bin / "canfield").resolve().parent / "python"

    def find_manual(self):
        # uv leaves the pages in a folder that man doesn't know.
        if self.way is uv_tool or not shutil.which("man"):
            return
        for page in ("canfield", "canfield-rules", "canfield-json"):
            found = Path(self.run("man", "-w", page).strip()).resolve()
            held(found.is_relative_to(self.home.resolve()), f"man finds {found}")

    def find_completion(self):
        if not Path("/usr/share/bash-completion/bash_completion").exists():
            return
        # pipx puts the script where bash-completion looks by itself.
        own = {} if self.way is pipx else {"XDG_DATA_DIRS": f"{self.prefix}/share:/usr/share"}
        said = self.run("bash", "--norc", "-c", LOADER, env=self.env | own)
        held("-F _canfield canfield" in said, f"bash-completion says {said}")

    def start_up(self):
        """Return how many times as long as an empty Python program `canfield show` takes."""
        self.run("canfield", "new", "--seed", "3", "-q")
        return self.least("canfield", "show") / self.least(self.python(), "-c", "pass")

    def least(self, *words):
        return min(timeit.repeat(lambda: self.run(*words), number=1, repeat=15))

    def close(self):
        """Take away every permission to write, but for the home itself."""
        for folder in self.home.iterdir():
            self.run("chmod", "-R", "a-w", folder, user=None)


class Machine:
    """What there is to try with: folders, Pythons, installers, and the project to install."""

    def __init__(self, folder: Path, pythons: dict[str, str | None]):
        self.folder, self.pythons = folder, pythons
        self.python = next(path for path in pythons.values() if path)
        self.bench = folder / "bench/bin"
        self.count = 0

    def set_up(self):
        """Make the archives, and get the installers."""
        self.builder = tools(self.folder / "builder", "build", *BILLS["To build"], python=self.python)
        self.builds = archives.build_twice(self.builder, self.folder / "twice")
        self.archives = self.builds[0]
        try:
            python = self.anyones()
        except Skipped:
            python = self.python
        tools(self.folder / "bench", "uv", "pipx", python=python)

    def install(self, way, python=None, what=None, *more, **settings):
        """Install in one way, with what is had by default, and return the install."""
        self.count += 1
        place = self.folder / f"{self.count}"
        what = what or archives.copy(self.folder / f"source{self.count}")
        if settings.get("user"):
            subprocess.run(["chown", "-R", settings["user"], what], check=True)
        return Install(place, way, python or self.python, what, *more, bench=self.bench, **settings).make()

    def anyones(self):
        """Return a Python that an ordinary user can run. Raises Skipped where there is none, or no other user."""
        if os.geteuid():
            raise Skipped("only root can be somebody else")
        for path in filter(None, (*self.pythons.values(), "/usr/bin/python3")):
            try:
                run(path, "-c", "import venv, sys; sys.exit(sys.version_info < (3, 11))", user=USER, cwd="/")
            except (Failed, OSError):
                continue
            return path
        raise Skipped(f"no Python here may be run by {USER}")

    # What is tried.

    def archive_contents(self):
        source, wheel = self.archives
        archives.check_source(source)
        archives.check_wheel(wheel, compiled=COMPILER)
        return f"{source.stat().st_size // 1024} and {wheel.stat().st_size // 1024} KB"

    def same_bytes(self):
        archives.check_same(self.builds)
        return "from two folders, files of other times, another umask"

    def rebuilt(self):
        archives.check_rebuilt(self.builder, self.folder / "pure")

    def bill(self):
        python = tools(self.folder / "bill", "packaging", *BILLS["To build"], f"{self.archives[1]}[plot]")
        run(python, archives.__file__)
        return f"{sum(len(archives.billed(heading)) for heading in BILLS)} packages"

    def proved(self, *given):
        self.install(*given).prove()

    def with_python(self, version, *more):
        if not (path := self.pythons[version]):
            raise Skipped(f"there is no python{version} on the PATH")
        self.proved(pip, path, None, *more)

    def oldest(self, version):
        limits = self.limits("dependencies", BILLS["To run"])
        self.with_python(version, "-c", limits)
        return limits.read_text()

    def oldest_tools(self):
        # Any patch of the oldest release, as not each has a first one.
        limits = self.limits("tools", BILLS["To build"], ".*")
        self.proved(uv_pip, None, None, "--build-constraints", limits)
        return limits.read_text()

    def limits(self, name, ranges, end=""):
        """Return a file that limits packages to the lower end of their ranges."""
        path = self.folder / f"{name}.txt"
        path.write_text("\n".join(re.sub(">=([^,]*).*", rf"==\1{end}", each) for each in ranges))
        return path

    def without_compiler(self, way):
        self.install(way, env=NO_COMPILER).prove(compiled=False)

    def as_user(self, way):
        self.install(way, self.anyones(), user=USER).prove()

    def read_only(self, way, *more):
        python = self.anyones()
        place = self.install(way, python, None, *more)
        shutil.chown(place.home, USER)
        place.close()
        place.user = USER
        place.env |= {"XDG_DATA_HOME": str(place.home / "data")}
        place.prove()
        compiled = len([*place.prefix.glob("**/canfield_cli/**/*.pyc")])
        held(compiled or (way is uv_pip and not more), "no module is compiled")
        return f"{compiled} modules compiled, `canfield show` takes {place.start_up():.1f} times `python -c pass`"

    def tests_of_source(self, user):
        place = self.folder / f"tests-{user}"
        with tarfile.open(self.archives[0]) as archive:
            archive.extractall(place, filter="data")
        started = self.anyones() if user else self.python
        python = tools(place / "venv", f"{place / NAME}[test]", python=started)
        run("chown", "-R", user or os.geteuid(), place)
        # By pytest itself, not by `python -m pytest`, which would find the modules here and not what is installed.
        env = environment(place, python.parent, **({"CANFIELD_EXPECT_COMPILED": "1"} if COMPILER else {}))
        said = run(python.parent / "pytest", "-q", "-n", "2", cwd=place / NAME, env=env, user=user)
        return said.splitlines()[-1].strip("= ")

    def checks(self):
        """Yield what is tried: its name, the function, and what it is called with."""
        yield "what the archives hold", self.archive_contents
        yield "archives the same bytes twice", self.same_bytes
        yield "wheel where another was made", self.rebuilt
        yield "bill of dependencies", self.bill
        for version in self.pythons:
            yield f"pip, Python {version}, newest dependencies", self.with_python, version
            yield f"pip, Python {version}, oldest dependencies", self.oldest, version
        yield "uv pip, oldest build tools", self.oldest_tools
        yield "pip, source archive", self.proved, pip, None, self.archives[0]
        yield "pip, wheel", self.proved, pip, None, self.archives[1]
        for way in (pip, pipx, uv_pip, uv_tool):
            name = way.__name__.replace("_", " ")
            yield f"{name}, a compiler", self.proved, way
            yield f"{name}, no compiler", self.without_compiler, way
            yield f"{name}, ordinary user", self.as_user, way
        yield "pip, read-only", self.read_only, pip
        yield "uv pip, read-only, compiled", self.read_only, uv_pip, "--compile-bytecode"
        yield "uv pip, read-only, not compiled", self.read_only, uv_pip
        yield "tests of the source archive", self.tests_of_source, None
        yield "tests of it, ordinary user", self.tests_of_source, USER


def usable(name: str) -> str | None:
    """Return the path of the program `name`, or nothing where it isn't there or doesn't run."""
    path = shutil.which(name)
    return path if path and subprocess.run([path, "-V"], capture_output=True).returncode == 0 else None


def outcome(check, *given):
    """Return whether what is tried held, failed or was skipped, and what there is to say of it."""
    try:
        return "held", (check(*given) or "").replace("\n", ", ")
    except Skipped as reason:
        return "skipped", str(reason)
    except Failed as fault:
        return "failed", " ".join(str(fault).split())


def main() -> int:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    helped = "a Python to try, instead of those on the PATH"
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help=helped)
    parser.add_argument("only", nargs="*", help="only what has one of these words in its name")
    args = parser.parse_args()
    named = {run(path, "-V").split()[1]: path for path in args.python}
    pythons = named or {version: usable(f"python{version}") for version in PYTHONS}
    count = dict.fromkeys(("held", "failed", "skipped"), 0)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        machine = Machine(Path(folder), pythons)
        machine.set_up()
        for name, check, *given in machine.checks():
            if args.only and not any(word in name for word in args.only):
                continue
            start = time.perf_counter()
            end, said = outcome(check, *given)
            count[end] += 1
            print(f"{name:<42} {end:<8} {time.perf_counter() - start:>5.1f} s  {said}", flush=True)
    print(", ".join(f"{number} {end}" for end, number in count.items()))
    return count["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
