"""Change the code in one place at a time, and see whether the tests of the module notice: a mutation tester.

    python benchmarks/mutation.py                               all modules of the table, some hours
    python benchmarks/mutation.py engine/position store/files   these modules
    python benchmarks/mutation.py engine/position:123           what is on one line

Prints what no test noticed, and for each module how many of its mutants were killed. Works in a copy of the tree that
goes away. A mutant is given the tests of its module (`TESTS`) that run the changed line, the quickest
first, until one fails; those over `SLOW` seconds are left out, and property tests look at few examples.

Why not a tester off the shelf: much here is tables at module level, which mutmut leaves alone, and cosmic-ray starts
the interpreter, pytest and Hypothesis again for each mutant, which takes longer than the tests do.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import importlib
import io
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import _hypothesis_pytestplugin
import coverage
import hypothesis
import pytest

ROOT = Path(__file__).parent.parent
#: The modules, and the test files that each is held to.
TESTS = {
    "engine/position": "position perft touch game reasons properties",
    "engine/rules": "rules position scoring game",
    "engine/cards": "notation position deals",
    "engine/scoring": "scoring game properties",
    "engine/clock": "scoring game clock",
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
    "engine/state": "properties protocol",
    "store/save": "store_save properties",
    "store/files": "store_files store_kept",
    "store/kept": "store_kept",
    "store/paths": "store_files store_kept config",
}
#: A test over so many seconds of processor time is left out.
SLOW = 4
#: What a test is given that never ends: so many seconds, and so many times what it takes.
SPARE, TIMES = 3, 4
MEMORY = 2 << 30
LEFT_BEHIND = (".*", "__pycache__", "build", "dist", "*.egg-info")

COMPARED = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COUNTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Names of a module that say nothing about what it does.
SAID = {"__all__", "__slots__", "TYPE_CHECKING"}


# What is changed.


class Mutant:
    """The source of a module with one change: `said` tells it, `lines` are those that it may stand on."""

    def __init__(self, source: str, said: str, lines: range) -> None:
        self.source = source
        self.said = said
        self.lines = lines


def mutants(source: str) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    tree = ast.parse(source)
    for node, field, start, put in _places(tree, 1):
        for other in _changes(node, field):
            said = " -> ".join(_brief(what) for what in (node, other))
            put(other)
            yield Mutant(ast.unparse(tree), said, range(start, (node.end_lineno or start) + 1))
            put(node)


def _brief(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0] or type(node).__name__
    return text if len(text) <= 90 else f"{text[:90]}..."


def _places(parent: ast.AST, start: int) -> Iterator[tuple[ast.AST, str, int, Callable[[ast.AST], None]]]:
    """Yield each node below, its field, the line where its statement starts, and what puts another in its place."""
    for field, value in ast.iter_fields(parent):
        if field in ("annotation", "returns"):
            continue
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes):
            if not isinstance(node, ast.AST) or _says_nothing(node):
                continue
            begin = node.lineno if isinstance(node, ast.stmt) else start
            put = functools.partial(setattr, parent, field)
            yield node, field, begin, functools.partial(nodes.__setitem__, index) if nodes is value else put
            yield from _places(node, begin)


def _says_nothing(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant(str())) | ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Assign([ast.Name(name)]):
            return name in SAID
    return False


def _changes(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what may stand in the place of `node`, the `field` of its parent."""
    if field == "test" and isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.NamedExpr):
        yield ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.Compare(left, ops, right):
            for index, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:index], other(), *ops[index + 1 :]], right)
        case ast.BinOp(left, op, right):
            yield ast.BinOp(left, COUNTED[type(op)](), right)
        case ast.AugAssign(target, op, value):
            yield ast.AugAssign(target, COUNTED[type(op)](), value)
            yield ast.Pass()
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for index in range(len(values)):
                left = values[:index] + values[index + 1 :]
                yield ast.BoolOp(op, left) if len(left) > 1 else left[0]
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Slice(lower, upper, step):
            if lower:
                yield ast.Slice(None, upper, step)
            if upper:
                yield ast.Slice(lower, None, step)
            if step:
                yield ast.Slice(lower, upper, None)
        case ast.Name(name) if name in NAMED:
            yield ast.Name(NAMED[name])
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Return(value) if value and not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(None)
        case ast.Expr() | ast.Assign() | ast.AnnAssign(value=ast.expr()) | ast.Raise() | ast.Delete():
            yield ast.Pass()


# What notices it.


class Watch:
    """Notes the time of each test and the lines that it runs, for pytest."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=None, include=[str(file)], config_file=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - start
            self.coverage.switch_context("")

    def run(self, files: list[str], told: Path) -> int:
        self.coverage.start()
        status = pytest.main(files, [_hypothesis_pytestplugin, self])
        self.coverage.stop()
        tests = self.coverage.get_data().contexts_by_lineno(str(self.file))
        modules = [
            name
            for name, module in sys.modules.items()
            if "/site-packages/" in (getattr(module, "__file__", None) or "") or name in sys.stdlib_module_names
        ]
        told.write_text(json.dumps({"seconds": self.seconds, "tests": tests, "modules": modules}))
        return int(status)


class Chosen:
    """Has pytest run these tests only, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid])

    def run(self, files: list[str]) -> int:
        return int(pytest.main([*files, "-x"], [_hypothesis_pytestplugin, self]))


def fork(work: Callable[[], int], seconds: float, said: Path) -> int:
    """Return what `work` returns in a process of its own, or -1 if it is not done within `seconds`."""
    pid = os.fork()
    if not pid:
        status = 1
        with contextlib.suppress(BaseException):
            os.setsid()
            with said.open("wb") as out:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            status = work()
        os._exit(status)
    process = os.pidfd_open(pid)
    # The machine may have other work to do.
    ended = select.select([process], [], [], 4 * seconds)[0]
    os.close(process)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status if ended and status >= 0 else -1


class Module:
    """One module in the copy of the tree, and the tests that it is held to."""

    def __init__(self, tree: Path, name: str) -> None:
        self.name = name
        self.file = tree / "canfield_cli" / f"{name}.py"
        self.said = tree / "said"
        self.files = [f"tests/test_{test}.py" for test in TESTS[name].split()]
        self.source = self.file.read_text()

    def look(self) -> None:
        """Run the tests on what is there; learn which of them run which lines."""
        told = self.said.with_name("told")
        if fork(functools.partial(Watch(self.file).run, self.files, told), 600, self.said):
            raise SystemExit(f"the tests of {self.name} fail as it is:\n{self.said.read_text()}")
        # A mutant's bytecode would be taken for that of the next, of the same second and size.
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        for compiled in self.file.parent.glob(f"__pycache__/{self.file.stem}.*"):
            compiled.unlink()
        facts = json.loads(told.read_text())
        self.seconds: dict[str, float] = facts["seconds"]
        self.tests = {int(line): tests for line, tests in facts["tests"].items()}
        if not self.tests:
            raise SystemExit(f"the tests of {self.name} run none of it")
        # What they need of other packages is imported once, here.
        with contextlib.redirect_stderr(io.StringIO()):
            for module in facts["modules"]:
                with contextlib.suppress(Exception):
                    importlib.import_module(module)
        if self.notice(Mutant(ast.unparse(ast.parse(self.source)), "nothing", range(1, len(self.source)))):
            raise SystemExit(f"the tests of {self.name} fail where nothing is changed:\n{self.said.read_text()}")

    def chosen(self, lines: range) -> list[str]:
        """Return the tests that run one of `lines`, the quickest first."""
        tests = {test for line in lines for test in self.tests.get(line, ())}
        # What is run by no test is run by the import.
        found = self.seconds if "" in tests else tests
        return sorted((test for test in found if self.seconds[test] < SLOW), key=self.seconds.__getitem__)

    def notice(self, mutant: Mutant) -> bool:
        """Say whether a test fails on `mutant`, or does not end."""
        tests = self.chosen(mutant.lines)
        if not tests:
            return False
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        seconds = SPARE + TIMES * sum(self.seconds[test] for test in tests)
        self.file.write_text(mutant.source)
        try:
            return bool(fork(functools.partial(Chosen(tests).run, files), seconds, self.said))
        finally:
            self.file.write_text(self.source)


# What comes of it.


def test(tree: Path, name: str, line: int) -> tuple[int, int]:
    """Try all mutants of a module, or those of one line; print what survives. Return how many there were and died."""
    module = Module(tree, name)
    module.look()
    tried = killed = 0
    for mutant in mutants(module.source):
        if line and line not in mutant.lines:
            continue
        tried += 1
        if module.notice(mutant):
            killed += 1
        else:
            why = "" if module.chosen(mutant.lines) else "  (no test runs it)"
            print(f"  {name}.py:{mutant.lines[-1]}: {mutant.said}{why}", flush=True)
    return tried, killed


def copy(folder: Path) -> Path:
    """Copy the tree to where nothing else reads it, and have this process work there."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    os.environ |= {
        "PYTHONPATH": str(tree),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": f"-q -p no:cacheprovider --basetemp={folder / 'temp'}",
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
    parser.add_argument("modules", nargs="*", default=list(TESTS), metavar="MODULE[:LINE]")
    named = [(name, int(line or 0)) for name, _, line in (what.partition(":") for what in parser.parse_args().modules)]
    if unknown := [name for name, _ in named if name not in TESTS]:
        parser.error(f"no such module in the table: {', '.join(unknown)}")
    print(f"{'module':<18} {'mutants':>8} {'killed':>8} {'score':>8} {'minutes':>8}")
    counts = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tree = copy(Path(folder))
        for name, line in named:
            start = time.perf_counter()
            counts.append(test(tree, name, line))
            report(name, *counts[-1], (time.perf_counter() - start) / 60)
    tried, killed = map(sum, zip(*counts, strict=True))
    report("in all", tried, killed, 0)
    return 0


def report(name: str, tried: int, killed: int, minutes: float) -> None:
    print(f"{name:<18} {tried:>8} {killed:>8} {killed / max(1, tried):>8.1%} {minutes:>8.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
