"""Loops over a source: the generator is written into the loop that uses it, which costs what its own loops cost."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any

from phalanx.native.diagnosis import Fault
from phalanx.native.source import MISSING, Source


def loops_of(source: Source, loop: ast.For, call: ast.Call) -> list[ast.stmt]:
    """The loops that `for target in source(arguments): body` stands for.

    Parameters become the arguments, variables of the source get names that no function has, and what it yields becomes
    a loop over that with the body.

    Args:
        source: the generator.
        loop: the loop over it.
        call: the call of it in that loop.
    """
    if call.keywords or len(call.args) != len(source.parameters):
        raise Fault(f"{source.name} takes {len(source.parameters)} arguments")
    if loop.orelse or _has_break(loop.body):
        raise Fault(f"a loop over {source.name} can have neither break nor else: return from a function instead")
    arguments = dict(zip(source.parameters, call.args, strict=True))
    writer = _Writer(source, arguments, loop)
    return [ast.fix_missing_locations(writer.written(statement)) for statement in source.body]


class _Writer(ast.NodeTransformer):
    """Rewrites the statements of a source for one loop over it."""

    def __init__(self, source: Source, arguments: dict[str, ast.expr], loop: ast.For):
        self._source, self._arguments, self._loop = source, arguments, loop
        self._mark = f"{source.name}, line {loop.lineno}, column {loop.col_offset}"

    def written(self, statement: ast.stmt) -> ast.stmt:
        """A statement of the source, for this loop."""
        found = self.visit(copy.deepcopy(statement))
        assert isinstance(found, ast.stmt)
        return found

    def visit(self, node: ast.AST) -> Any:
        """Whatever is wrong is reported in the line of the loop."""
        if hasattr(node, "lineno"):
            ast.copy_location(node, self._loop)
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A parameter, a variable of the source, or what the name means in the file of the source."""
        if node.id in self._arguments:
            return copy.deepcopy(self._arguments[node.id])
        if node.id in self._source.local:
            return ast.copy_location(ast.Name(f"{node.id} of {self._mark}", node.ctx), node)
        meaning = self._source.meaning(node.id)
        return node if meaning is MISSING else ast.copy_location(ast.Constant(meaning), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """`yield from range(...)`: the loop itself."""
        if not isinstance(node.value, ast.YieldFrom):
            raise Fault(f"{self._source.name} is no loop source: it has other statements than loops, if and yield from")
        inner = ast.For(self._loop.target, self.visit(node.value.value), self._loop.body, [], None)
        return ast.copy_location(inner, self._loop)


def _has_break(statements: Sequence[ast.stmt]) -> bool:
    """Is there a break that leaves the loop with these statements?"""
    for statement in statements:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.If) and _has_break([*statement.body, *statement.orelse]):
            return True
    return False
