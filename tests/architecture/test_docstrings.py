"""Public functions and classes say what they are; long functions say why they do what they do."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import Function, assert_none, comments, package_files, tree_of

#: Lines from which on a function needs a comment.
LONG = 25
#: Decorators of functions that another one documents.
DOCUMENTED_ELSEWHERE = (".setter", "overload")


def definitions(node: ast.AST, is_inside: bool = False) -> Iterator[tuple[Function | ast.ClassDef, bool]]:
    """Functions and classes, each with whether it is inside of a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            yield child, is_inside
            yield from definitions(child, is_inside or isinstance(child, Function))
        else:
            yield from definitions(child, is_inside)


def needs_docstring(node: Function | ast.ClassDef, is_inside: bool) -> bool:
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return not (node.name.startswith("_") or is_inside or any(d.endswith(DOCUMENTED_ELSEWHERE) for d in decorators))


def without_docstring(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Public functions and classes without a docstring, or with one that only repeats the name."""
    for node, is_inside in definitions(tree):
        if needs_docstring(node, is_inside):
            text = ast.get_docstring(node)
            if text is None:
                yield node.lineno, f"{node.name} has no docstring"
            elif "".join(filter(str.isalnum, text)).lower() == node.name.replace("_", "").lower():
                yield node.lineno, f"the docstring of {node.name} repeats its name"


def without_comment(tree: ast.Module, commented: set[int]) -> Iterator[tuple[int, str]]:
    """Long functions without a comment."""
    for node, _ in definitions(tree):
        assert node.end_lineno is not None
        lines = range(node.lineno, node.end_lineno + 1)
        if isinstance(node, Function) and len(lines) >= LONG and commented.isdisjoint(lines):
            yield node.lineno, f"{node.name} has {len(lines)} lines and no comment"


def commented_lines(path: Path) -> set[int]:
    """Lines with a comment that is for people."""
    return {line for line, text in comments(path) if not text.startswith(("fmt:", "type:", "noqa"))}


def test_public_functions_and_classes_have_docstrings():
    findings = ((path, *found) for path in package_files() for found in without_docstring(tree_of(path)))
    assert_none(findings)


def test_long_functions_have_comments():
    findings = (
        (path, *found) for path in package_files() for found in without_comment(tree_of(path), commented_lines(path))
    )
    assert_none(findings)


@pytest.mark.parametrize(
    "source, count",
    [
        ("def f(): pass", 1),
        ("def _f(): pass", 0),
        ("def f():\n    '''Says it.'''\n    def g(): pass", 0),
        ("class A:\n    '''Says it.'''\n    def f(self): pass", 1),
        ("class A:\n    '''Says it.'''\n    @x.setter\n    def x(self): pass", 0),
        ("def com_pos():\n    '''Com pos.'''", 1),
    ],
)
def test_a_missing_docstring_is_found(source, count):
    assert len([*without_docstring(ast.parse(source))]) == count


@pytest.mark.parametrize("comment, count", [("", 1), ("  # because", 0)])
def test_a_long_function_without_comment_is_found(comment, count):
    source = f"def f(x):\n    x = 0{comment}\n" + "    x = x\n" * LONG
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    commented = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
    assert len([*without_comment(ast.parse(source), commented)]) == count
