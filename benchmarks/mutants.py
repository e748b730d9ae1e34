"""The mutants of a module: its source with one place of the syntax tree changed.

Texts, annotations, and what says nothing about what the module does, are left as they are.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator

#: Each operator, or the name of a function, and what stands in its place.
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
#: What may be a condition and is changed by nothing else here.
CONDITIONS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.NamedExpr)
#: Names of a module that say nothing about what it does.
SILENT = {"__all__", "__slots__", "TYPE_CHECKING"}


class Mutant:
    """The source of a module with one change: on which `line` and which; who runs any of `lines` may notice."""

    def __init__(self, source: str, line: int, said: str, lines: range) -> None:
        self.source = source
        self.line = line
        self.said = said
        self.lines = lines


def unchanged(source: str) -> Mutant:
    """Return a module as it is, written as its mutants are."""
    return Mutant(ast.unparse(ast.parse(source)), 0, "", range(source.count("\n")))


def mutants(source: str) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    tree = ast.parse(source)
    for node, field, start, put in _places(tree, 1):
        for other in _changes(node, field):
            line = getattr(node, "lineno", start)
            said = f"{_brief(node)} -> {_brief(other)}"
            put(other)
            yield Mutant(ast.unparse(tree), line, said, range(start, (node.end_lineno or start) + 1))
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
            return name in SILENT
    return False


def _changes(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what may stand in the place of `node`, the `field` of its parent."""
    if field == "test" and isinstance(node, CONDITIONS):
        yield ast.UnaryOp(ast.Not(), node)
    yield from _other_operators(node)
    yield from _other_values(node)
    yield from _other_statements(node)


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, ops, right):
            for index, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:index], other(), *ops[index + 1 :]], right)
        case ast.BinOp(left, op, right):
            yield ast.BinOp(left, COUNTED[type(op)](), right)
        case ast.AugAssign(target, op, value):
            yield ast.AugAssign(target, COUNTED[type(op)](), value)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for index in range(len(values)):
                kept = values[:index] + values[index + 1 :]
                yield ast.BoolOp(op, kept) if len(kept) > 1 else kept[0]
        case ast.UnaryOp(operand=operand):
            yield operand


def _other_values(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Name(name) if name in NAMED:
            yield ast.Name(NAMED[name])
        case ast.Slice(lower, upper, step):
            if lower:
                yield ast.Slice(None, upper, step)
            if upper:
                yield ast.Slice(lower, None, step)
            if step:
                yield ast.Slice(lower, upper, None)


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Return(ast.Constant(None)):
            pass
        case ast.Return(ast.expr()):
            yield ast.Return(None)
        case ast.AnnAssign(value=None):
            pass
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Raise() | ast.Delete():
            yield ast.Pass()
