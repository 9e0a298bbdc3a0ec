"""The syntax tree of a function, what its names mean, and which of its variables need memory."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import linecache
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from phalanx.algebra.jit import Kernel, LoopSource
from phalanx.native.diagnosis import Fault
from phalanx.native.values import Value, constant

#: A name that nothing gives a meaning to.
MISSING = object()


class Source:
    """What is known of a function before the types of its arguments are.

    Attributes:
        function: the Python function.
        parameters: names, in order.
        body: statements, without the docstring.
        local: names of all variables, parameters included.
        direct: those that are assigned once, before everything that reads them, so that they need no memory.
    """

    def __init__(self, function: Callable[..., Any]):
        self.function, self.name = function, function.__name__
        self.file, self.tree, self.first_line = tree_of(function)
        arguments = self.tree.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        self.parameters = [argument.arg for argument in every]
        if arguments.vararg or arguments.kwarg:
            raise Fault(f"{self.name} takes * arguments: name each parameter")
        self.body = _statements(self.tree)
        self._names: dict[str, Value] = {}
        self._captured = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        usage = Usage(self.parameters, self._counts)
        usage.block(self.body)
        self.local, self.direct = frozenset(usage.assigned), usage.direct()

    def meaning(self, name: str) -> Any:
        """The Python object that a captured or global name stands for; MISSING if there is none."""
        if name in self._captured:
            try:
                return self._captured[name].cell_contents
            except ValueError:  # a variable of an outer function that has no value yet
                return MISSING
        scope = self.function.__globals__
        return scope[name] if name in scope else getattr(builtins, name, MISSING)

    def _counts(self, name: str) -> bool:
        """Does a loop over a call of this name count with integers?"""
        return name in ("range", "independent") or isinstance(self.meaning(name), LoopSource)

    def resolve(self, name: str) -> Value:
        """A captured or global name, as a value."""
        found = self._names.get(name)
        if found is None:
            found_object = self.meaning(name)
            if found_object is MISSING:
                raise Fault(f"{name} is not defined")
            found = self._names[name] = constant(found_object)
        return found

    def defaults(self) -> dict[str, Any]:
        """Parameters that have a default value."""
        signature = inspect.signature(self.function)
        return {name: p.default for name, p in signature.parameters.items() if p.default is not inspect.Parameter.empty}


class Usage:
    """Where variables are assigned and read.

    A variable is direct if it is assigned in one place only, and every read comes later in the same block of statements
    or in a block inside of it: then the assignment has happened on every path.

    Args:
        parameters: of the function.
        counts: does a loop over a call of this name count, so that its body is compiled once?
    """

    def __init__(self, parameters: list[str], counts: Callable[[str], bool]):
        self._counts = counts
        self.assigned: dict[str, int] = dict.fromkeys(parameters, 1)
        self._block_of: dict[str, int] = dict.fromkeys(parameters, 0)
        self._in_memory: set[str] = set()
        self._open: list[int] = [0]
        self._blocks = 0
        self._repeated = 0

    def direct(self) -> frozenset[str]:
        """Names of direct variables, once all statements have been visited."""
        return frozenset(name for name, count in self.assigned.items() if count == 1) - self._in_memory

    def block(self, statements: list[ast.stmt], targets: ast.expr | None = None) -> None:
        """A block of statements; a loop assigns its targets at the start of each round."""
        self._blocks += 1
        self._open.append(self._blocks)
        if targets is not None:
            self._visit(targets)
        for statement in statements:
            self._visit(statement)
        self._open.pop()

    def _visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind is ast.Name:
            assert isinstance(node, ast.Name)
            self._store(node.id) if isinstance(node.ctx, ast.Store) else self._load(node.id)
        elif kind in (ast.Assign, ast.AnnAssign, ast.AugAssign):
            self._assignment(node)
        elif isinstance(node, ast.If | ast.While):
            self._visit(node.test)
            self.block(node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.For):
            self._visit(node.iter)
            # the body of a loop over a tuple is compiled once for each element
            is_unrolled = not (isinstance(node.iter, ast.Call) and self._counts(called(node.iter)))
            self._repeated += is_unrolled
            self.block(node.body, node.target)
            self._repeated -= is_unrolled
            self.block(node.orelse)
        elif isinstance(node, ast.comprehension | ast.GeneratorExp | ast.ListComp):
            self._comprehension(node)
        else:
            for child in ast.iter_child_nodes(node):
                self._visit(child)

    def _assignment(self, node: Any) -> None:
        if node.value is not None:
            self._visit(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name):
                self._load(target.id)
            self._visit(target)

    def _comprehension(self, node: Any) -> None:
        """The variables of a comprehension are its own; what it reads from outside is read here."""
        inner = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and n.id not in inner:
                self._load(n.id)

    def _store(self, name: str) -> None:
        self.assigned[name] = self.assigned.get(name, 0) + 1
        self._block_of[name] = self._open[-1]
        if self._repeated:
            self._in_memory.add(name)

    def _load(self, name: str) -> None:
        if self._block_of.get(name) not in self._open:
            self._in_memory.add(name)  # or no variable at all


def called(call: ast.Call) -> str:
    """The name that is called, if it is a plain one."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _statements(tree: ast.FunctionDef | ast.Lambda) -> list[ast.stmt]:
    """The body of a function without its docstring."""
    if isinstance(tree, ast.Lambda):
        return [ast.copy_location(ast.Return(tree.body), tree.body)]
    first = tree.body[0]
    value = first.value if isinstance(first, ast.Expr) else None
    is_docstring = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return tree.body[1:] if is_docstring else tree.body


# --- syntax trees of files


def tree_of(function: Callable[..., Any]) -> tuple[str, ast.FunctionDef | ast.Lambda, int]:
    """(file, tree, offset of its lines in the file) of a function."""
    code = function.__code__
    file, line = code.co_filename, code.co_firstlineno
    found = _functions_in(file).get((line, code.co_name)) if _lines_of(file) else None
    if found is None and code.co_name == "<lambda>":
        found = _lambda_in(file, code)
    if found is not None:
        return file, found, 0
    return file, *_tree_alone(function)


def _lines_of(file: str) -> list[str]:
    return linecache.getlines(file)


@functools.lru_cache(maxsize=512)
def _parsed(text: str) -> dict[tuple[int, str], ast.FunctionDef | ast.Lambda]:
    """Functions of a text by the line where they begin, decorators included, and their name."""
    found: dict[tuple[int, str], Any] = {}
    for node in _definitions(ast.parse(text)):
        first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        found[first, node.name] = node
    return found


def _definitions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """All functions of a tree, also those inside of others and of classes."""
    waiting: list[Any] = [tree]
    while waiting:
        for node in waiting.pop().body:
            if isinstance(node, ast.FunctionDef):
                yield node
            if hasattr(node, "body"):
                waiting.append(node)


def _functions_in(file: str) -> dict[tuple[int, str], ast.FunctionDef | ast.Lambda]:
    try:
        return _parsed("".join(_lines_of(file)))
    except SyntaxError:
        return {}


def _lambda_in(file: str, code: types.CodeType) -> ast.Lambda | None:
    """The lambda of a file whose body holds all instructions of a code object."""
    spots = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]
    try:
        nodes = [node for node in ast.walk(ast.parse("".join(_lines_of(file)))) if isinstance(node, ast.Lambda)]
    except SyntaxError:
        return None
    for node in reversed(nodes):  # one inside of another comes later
        first = node.lineno, node.col_offset
        last = node.end_lineno or node.lineno, node.end_col_offset or 0
        inside = [spot for spot in spots if spot[1] > 0 or spot[0] > node.lineno]
        if inside and all(first <= spot <= last for spot in inside):
            return node
    return None


def _tree_alone(function: Callable[..., Any]) -> tuple[ast.FunctionDef | ast.Lambda, int]:
    """The tree of a function that its file does not show at its line: a lambda, or one typed into a console."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        raise Fault(f"the source of {function.__name__} is not at hand: define it in a file") from None
    wanted = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    found = [node for node in ast.walk(tree) if isinstance(node, wanted)]
    if not found or (wanted is ast.Lambda and len(found) > 1):
        raise Fault(f"the source of {function.__name__} is not clear: define it with def, on lines of its own")
    return found[0], max(first, 1) - 1


def plain_function(kernel: Any) -> Callable[..., Any]:
    """The Python function behind a kernel; of a table, the one that picks the row."""
    while isinstance(kernel, Kernel) and hasattr(kernel, "built"):
        kernel = kernel.built
    return kernel.function if isinstance(kernel, Kernel) else kernel
