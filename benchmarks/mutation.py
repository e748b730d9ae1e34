"""Change the code in one place at a time, and see whether the tests of the module notice: a mutation tester.

    python benchmarks/mutation.py                               all modules of the table, some hours
    python benchmarks/mutation.py engine/position store/files   these modules
    python benchmarks/mutation.py engine/position:123,130       what is on these lines

Prints what no test noticed, and for each module how many of its mutants were killed. Works in a copy of the tree that
goes away. A mutant is given the tests of its module (`TESTS`) that run the changed line, the quickest
first, and then those that start other processes, which may run any line, until one fails; those over `SLOW` seconds
are left out, and property tests look at few examples.

Why not a tester off the shelf: much here is tables at module level, which mutmut leaves alone, and cosmic-ray starts
the interpreter, pytest and Hypothesis again for each mutant, which takes longer than the tests do.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import importlib
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType

import _hypothesis_pytestplugin
import coverage
import hypothesis
import pytest
from _pytest.main import pytest_runtestloop
from mutants import Mutant, mutants, unchanged

ROOT = Path(__file__).parent.parent
#: The modules, and the test files that each is held to.
TESTS = {
    "engine/position": "position perft touch game reasons properties",
    "engine/rules": "rules position scoring game",
    "engine/cards": "notation position deals",
    "engine/scoring": "scoring game properties",
    "engine/clock": "scoring game clock store_save",
    "engine/tally": "tally game store_save",
    "engine/game": "game scoring tally properties store_save",
    "engine/touch": "touch properties",
    "engine/notation": "notation position touch reasons properties",
    "engine/dealcode": "dealcode",
    "engine/deal": "deals dealcode",
    "engine/stuck": "stuck",
    "engine/reasons": "reasons position properties",
    "engine/dealtext": "dealtext",
    "engine/record": "record properties",
    "engine/jsontext": "jsontext store_save dealtext",
    "engine/state": "game properties protocol",
    "store/save": "store_save properties",
    "store/files": "store_files store_kept systems writers",
    "store/kept": "store_kept hostile systems",
    "store/paths": "store_paths config systems",
}
#: Those that write files. A mutant of them may write anywhere: through a link in a test to /dev/zero, one that checks
#: less makes a file of the device. So they are never tried by who may write there.
WRITING = {"store/files", "store/kept", "store/paths"}
#: A test that is slow beyond all others, and says less of one line than they do.
LEFT_OUT = "tests/test_deals.py::test_deals_are_fair_by_place_by_neighbour_and_by_seed"
#: A test over so many seconds is left out.
SLOW = 10
#: What the interpreter tells whoever listens when it starts another process.
STARTS = {"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"}
#: A run of tests may take so many seconds more than they took when each of their lines was counted, which is slow.
SPARE = 5
MEMORY = 2 << 30
#: Where this prints, whatever becomes of the output of the tests.
OUT = os.fdopen(os.dup(1), "w")
LEFT_BEHIND = (".*", "__pycache__", "build", "dist", "*.egg-info")

#: The functions of a module, each with the code that it has in a mutant.
Changes = list[tuple[FunctionType, CodeType]]


class Watch:
    """Notes how long each test takes and whether it starts other processes, and tells `coverage` which one it is."""

    def __init__(self, coverage: coverage.Coverage) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.starting: set[str] = set()
        self.test = ""
        sys.addaudithook(self.listen)

    def listen(self, event: str, _: object) -> None:
        if event in STARTS:
            self.starting.add(self.test)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.test = item.nodeid
        self.coverage.switch_context(item.nodeid)
        start = time.perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.perf_counter() - start


class Session:
    """A pytest session that, where it would run its tests, runs them once, and then those that matter on each mutant.

    Each run is a fork of it, in which the functions that the module had get the code that they have in the
    mutant. What runs when the module is imported can't be changed that late, and is left to `Fresh`.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.coverage = coverage.Coverage(data_file=None, include=[str(module.file)], config_file=False)
        self.functions: list[FunctionType] = []

    def run(self) -> int:
        self.coverage.start()
        return int(pytest.main(self.module.files, [_hypothesis_pytestplugin, self]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if self.module.fork(functools.partial(self.look, session), 600):
            raise pytest.UsageError("the tests fail as it is")
        self.coverage.stop()
        self.module.read()
        self.functions = functions_of(self.module.file)
        same = unchanged(self.module.source)
        if self.module.hold(same, functools.partial(self.work, session, same, self.changes(same))):
            raise pytest.UsageError("the tests fail in another order")
        for number, mutant in enumerate(self.module.mutants):
            changes = self.changes(mutant)
            # A function that no longer calls super() has another closure.
            fit = all(function.__code__.co_freevars == code.co_freevars for function, code in changes)
            if fit and self.module.chosen(mutant) and not self.module.at_import(mutant):
                self.module.judge(mutant, functools.partial(self.work, session, mutant, changes))
                self.module.judged.append(number)
        self.module.write()
        return True

    def changes(self, mutant: Mutant) -> Changes:
        codes = codes_of(self.module.file, mutant.source)
        return [(function, codes[function.__qualname__]) for function in self.functions]

    def work(self, session: pytest.Session, mutant: Mutant, changes: Changes) -> int:
        """Give the functions their code in `mutant` and run its tests."""
        for function, code in changes:
            function.__code__ = code
        items = {item.nodeid: item for item in session.items}
        session.items = [items[test] for test in self.module.chosen(mutant)]
        return run_all(session)

    def look(self, session: pytest.Session) -> int:
        """Run all tests on what is there; note which of them run which lines."""
        watch = Watch(self.coverage)
        session.config.pluginmanager.register(watch)
        status = run_all(session)
        self.coverage.stop()
        self.module.seconds = watch.seconds
        self.module.starting = sorted(watch.starting)
        self.module.tests = self.coverage.get_data().contexts_by_lineno(str(self.module.file))
        self.module.modules = [
            name
            for name, module in sys.modules.items()
            if "/site-packages/" in (getattr(module, "__file__", None) or "")
            or name in sys.stdlib_module_names
        ]
        self.module.write()
        return status


def run_all(session: pytest.Session) -> int:
    """Run the tests of `session` until one fails; return whether one did."""
    session.config.option.maxfail = 1
    with contextlib.suppress(session.Failed):
        pytest_runtestloop(session)
    return session.testsfailed


def codes_of(file: Path, source: str) -> dict[str, CodeType]:
    """Return the code of all functions in `source`, by their names in it."""
    codes, inner = {}, [compile(source, str(file), "exec", dont_inherit=True)]
    while inner:
        code = inner.pop()
        codes[code.co_qualname] = code
        inner += [const for const in code.co_consts if isinstance(const, CodeType)]
    return codes


def functions_of(file: Path) -> list[FunctionType]:
    """Return the functions of the module in `file`; those inside others are made anew by these."""
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, FunctionType)
        and found.__code__.co_filename == str(file)
        and "<" not in found.__qualname__
    ]


class Fresh:
    """Has pytest run these tests only, in this order, on a mutant that it imports itself."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )

    def run(self) -> int:
        files = dict.fromkeys(test.partition("::")[0] for test in self.order)
        return int(pytest.main([*files, "-x"], [_hypothesis_pytestplugin, self]))


class Module:
    """One module in the copy of the tree, the tests that it is held to, and what they don't notice."""

    def __init__(self, tree: Path, name: str, lines: set[int]) -> None:
        self.name = name
        self.file = tree / "canfield_cli" / f"{name}.py"
        self.said = tree / "said"
        self.told = tree / "told"
        self.files = [f"tests/test_{test}.py" for test in TESTS[name].split()]
        self.source = self.file.read_text()
        self.mutants = [mutant for mutant in mutants(self.source) if not lines or mutant.line in lines]
        self.survived = 0
        #: The numbers of the mutants that a session has judged.
        self.judged: list[int] = []
        #: Of the tests, the seconds, and which of them start other processes; of the lines, the tests that run them, ""
        #: for the import; what is imported.
        self.seconds: dict[str, float] = {}
        self.starting: list[str] = []
        self.tests: dict[int, list[str]] = {}
        self.modules: list[str] = []

    def try_all(self) -> None:
        """Try all mutants; print those that survive."""
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        status = self.fork(Session(self).run, None)
        if status not in (0, 5):
            raise SystemExit(f"the tests of {self.name}, as it is:\n{self.said.read_text()}")
        self.read()
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        # What the tests need of other packages is imported once, here.
        for module in self.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(module)
        for number, mutant in enumerate(self.mutants):
            tests = self.chosen(mutant)
            if not tests:
                self.note(mutant, " (no test runs it)")
            elif number not in self.judged:
                self.judge(mutant, Fresh(tests).run)

    def judge(self, mutant: Mutant, work: Callable[[], int]) -> None:
        """Have `work` run the tests of `mutant`; note it if they all pass."""
        if not self.hold(mutant, work):
            self.note(mutant)

    def hold(self, mutant: Mutant, work: Callable[[], int]) -> int:
        """Return what `work` does with `mutant` in the place of the module."""
        seconds = SPARE + sum(self.seconds[test] for test in self.chosen(mutant))
        self.put(mutant.source)
        status = self.fork(work, seconds)
        self.put(self.source)
        return status

    def put(self, source: str) -> None:
        """Make `source` that of the module, also for processes that are started anew."""
        self.file.write_text(source)
        # Its bytecode would be taken for that of the next, of the same second and size.
        for compiled in self.file.parent.glob(f"__pycache__/{self.file.stem}.*"):
            compiled.unlink()

    def note(self, mutant: Mutant, why: str = "") -> None:
        self.survived += 1
        print(f"  {self.name}.py:{mutant.line}: {mutant.said}{why}", file=OUT, flush=True)

    def chosen(self, mutant: Mutant) -> list[str]:
        """Return the tests that run a line of `mutant`, or all if the import does; the quickest first.

        Those that start other processes may run it there: they come last.
        """
        found = self.seconds if self.at_import(mutant) else self.running(mutant).union(self.starting)
        quick = [test for test in found if self.seconds[test] < SLOW]
        return sorted(quick, key=lambda test: (test in self.starting, self.seconds[test]))

    def at_import(self, mutant: Mutant) -> bool:
        return "" in self.running(mutant)

    def running(self, mutant: Mutant) -> set[str]:
        return {test for line in mutant.lines for test in self.tests.get(line, ())}

    def write(self) -> None:
        """Tell the other processes what this one has found out."""
        found = self.survived, self.judged, self.seconds, self.starting, self.tests, self.modules
        self.told.write_text(json.dumps(found))

    def read(self) -> None:
        found = json.loads(self.told.read_text())
        self.survived, self.judged, self.seconds, self.starting, tests, self.modules = found
        self.tests = {int(line): tests[line] for line in tests}

    def fork(self, work: Callable[[], int], seconds: float | None) -> int:
        """Return what `work` returns in a process of its own, or -1 if it has not ended after `seconds`."""
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.setsid()
                out = os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(out, 1)
                os.dup2(out, 2)
                if seconds:
                    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                status = work()
            except BaseException:  # noqa: BLE001 - a test may raise anything, and nothing may come after this
                traceback.print_exc()
            finally:
                os._exit(status)
        process = os.pidfd_open(pid)
        # The machine may have other work to do.
        select.select([process], [], [], seconds and 4 * seconds)
        os.close(process)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return max(status, -1)


def copy(folder: Path) -> Path:
    """Copy the tree to where nothing else reads it, and have this process work there."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    os.environ |= {
        "PYTHONPATH": str(tree),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": f"-q -p no:cacheprovider --basetemp={folder / 'temp'} --deselect={LEFT_OUT}",
        "HYPOTHESIS_PROFILE": "mutation",
        "HOME": str(folder),
    }
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=15,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )
    return tree


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="*", default=list(TESTS), metavar="MODULE[:LINE,...]")
    words = [what.partition(":") for what in parser.parse_args().modules]
    named = [(name, {int(line) for line in lines.split(",") if line}) for name, _, lines in words]
    if unknown := [name for name, _ in named if name not in TESTS]:
        parser.error(f"no such module in the table: {', '.join(unknown)}")
    if os.geteuid() == 0 and (refused := [name for name, _ in named if name in WRITING]):
        parser.error(
            f"mutants of {', '.join(refused)} may write anywhere: run those as an ordinary user, not as root"
        )
    print(f"{'module':<18} {'mutants':>8} {'killed':>8} {'score':>8} {'minutes':>8}")
    begin, tried, killed = time.perf_counter(), 0, 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tree = copy(Path(folder))
        for name, lines in named:
            start = time.perf_counter()
            module = Module(tree, name, lines)
            module.try_all()
            count = len(module.mutants)
            report(name, count, count - module.survived, start)
            tried, killed = tried + count, killed + count - module.survived
    report("in all", tried, killed, begin)
    return 0


def report(name: str, tried: int, killed: int, start: float) -> None:
    minutes = (time.perf_counter() - start) / 60
    print(f"{name:<18} {tried:>8} {killed:>8} {killed / max(1, tried):>8.1%} {minutes:>8.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
