"""What of the program was reached: a mark at the head of every block of its code."""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType


class Marks:
    """Which blocks of the program have run, by their numbers."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.count = 0

    def new(self) -> int:
        """Return the number of a new block."""
        self.count += 1
        return self.count

    def reached(self) -> int:
        """Return how many blocks have run."""
        return len(self.seen)


class Marker(ast.NodeTransformer):
    """Puts a mark into each block of a module, and into each branch of an expression."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks

    def _mark(self) -> ast.Call:
        return ast.Call(ast.Name("__mark__", ast.Load()), [ast.Constant(self.marks.new())], [])

    def _expression(self, node: ast.expr) -> ast.expr:
        # The mark is None.
        return ast.BoolOp(ast.Or(), [self._mark(), node])

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.Module | ast.ClassDef | ast.Lambda):
            return node
        if isinstance(node, ast.IfExp):
            node.body, node.orelse = self._expression(node.body), self._expression(node.orelse)
        elif isinstance(node, ast.BoolOp):
            node.values[1:] = map(self._expression, node.values[1:])
        elif isinstance(node, ast.comprehension):
            node.ifs = [ast.BoolOp(ast.And(), [each, self._true()]) for each in node.ifs]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and (block or isinstance(node, ast.If | ast.For | ast.While)):
                block.insert(_after_docstring(block), ast.Expr(self._mark()))
        return node

    def _true(self) -> ast.expr:
        return ast.UnaryOp(ast.Not(), self._mark())


def _after_docstring(block: list[ast.stmt]) -> int:
    first = block[0] if block else None
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


class MarkedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with marks in it."""

    marks: Marks

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module, never that of a cache."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path))
        return compile(
            ast.fix_missing_locations(Marker(self.marks).visit(tree)), path, "exec", dont_inherit=True
        )


class MarkedFinder(importlib.abc.MetaPathFinder):
    """Finds the modules of the program, to be loaded with marks."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the program, None for any other."""
        if name.partition(".")[0] != "canfield_cli":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = MarkedLoader(name, spec.loader.path)
        return spec


def mark_program() -> Marks:
    """Have the program loaded with marks from now on; return them."""
    marks = MarkedLoader.marks = Marks()
    builtins.__mark__ = marks.seen.add  # type: ignore[attr-defined]
    sys.meta_path.insert(0, MarkedFinder())
    return marks
