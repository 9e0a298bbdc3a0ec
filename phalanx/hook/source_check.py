"""What a hook must not do, found in its source before anything is compiled, with the place of the mistake."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from phalanx.algebra.language import STAND_INS, WORDS
from phalanx.memory.errors import HookError, suggestion
from phalanx.memory.layout import SCHEMAS, Schema
from phalanx.memory.names import KIND_BY_ACCESSOR
from phalanx.tables.field import Field

_ALLOCATES = "hooks allocate nothing: use numbers, tuples and fields of d"
_FORBIDDEN: dict[type[ast.AST], str] = {
    ast.List: f"a list; {_ALLOCATES}",
    ast.Dict: f"a dict; {_ALLOCATES}",
    ast.Set: f"a set; {_ALLOCATES}",
    ast.ListComp: "a comprehension; write a loop",
    ast.SetComp: "a comprehension; write a loop",
    ast.DictComp: "a comprehension; write a loop",
    ast.JoinedStr: "text; hooks compute with numbers only",
    ast.Raise: "raise; hooks raise nothing: write a number that says so into d.userdata",
    ast.Try: "try; nothing raises in a hook",
    ast.Assert: "assert; hooks raise nothing",
    ast.With: "with; hooks compute with numbers only",
    ast.Yield: "yield; a hook is a plain function",
    ast.YieldFrom: "yield; a hook is a plain function",
    ast.Await: "await; a hook is a plain function",
    ast.Global: "global; what a hook keeps belongs into d.userdata",
    ast.Nonlocal: "nonlocal; what a hook keeps belongs into d.userdata",
    ast.Import: "an import; import at the top of the file",
    ast.ImportFrom: "an import; import at the top of the file",
    ast.Lambda: "a function inside; define it outside and call it",
    ast.FunctionDef: "a function inside; define it outside and call it",
    ast.AsyncFunctionDef: "a function inside; define it outside and call it",
    ast.ClassDef: "a class; hooks compute with numbers only",
    ast.Delete: "del; nothing can be deleted",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Pow: "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels",
    ast.MatMult: "@ works on arrays: write the sum as a loop",
}
_HINTS = {
    "print": "nothing can be printed from compiled code; run with PHALANX_INTERPRETED=1 and a debugger",
    "list": _ALLOCATES,
    "dict": _ALLOCATES,
    "set": _ALLOCATES,
    "str": "hooks compute with numbers only",
    "round": "use round_even from phalanx.kernels",
    "pow": "use power from phalanx.kernels",
    "any": "use any_ from phalanx.kernels",
    "all": "use all_ from phalanx.kernels",
}


def error_at(hook: str, reason: str, file: str, line: int) -> HookError:
    """The error, with the line of source that it is about."""
    return HookError(reason, hook, file, line, linecache.getline(file, line))


def check_source(
    function: Callable[..., Any],
    hook: str,
    names: Mapping[str, Any],
    is_hook: bool,
    schemas: Mapping[str, Schema] = SCHEMAS,
) -> None:
    """Refuse a function whose source shows that it cannot be compiled.

    Args:
        function: the hook, or a function that it calls.
        hook: name of the hook, for the message.
        names: what the names mean that the function does not define itself.
        is_hook: is it the hook itself, whose first parameters are the views of Model and Data? Else they are called
            m and d.
        schemas: what Model and Data have, under "model" and "data".

    Raises:
        HookError: with the place. A function whose source is not at hand passes; the compiler will check it.
    """
    tree, first = _tree_of(function)
    if tree is None:
        return
    parameters = [argument.arg for argument in tree.args.args]
    first_two = parameters[:2] if is_hook else ["m", "d"]
    kinds = zip(first_two, ("model", "data"), strict=False)
    views = {name: schemas[kind] for name, kind in kinds if name in parameters}
    file = function.__code__.co_filename
    # lines of the tree count from the start of the function; messages want lines of the file
    found = [
        (reason, file, first + getattr(node, "lineno", 1) - 1)
        for node, reason in _problems(tree, parameters, views, names)
    ]
    if found:
        raise HookError.of(hook, list(dict.fromkeys(found)))


def _tree_of(function: Callable[..., Any]) -> tuple[ast.FunctionDef | ast.Lambda | None, int]:
    """The parsed function, and the line of the file where it begins."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None, 0
    wanted = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    found = [node for node in ast.walk(tree) if isinstance(node, wanted)]
    is_clear = len(found) == 1 or (found and wanted is ast.FunctionDef)  # of several lambdas, it could be any
    return (found[0] if is_clear else None), max(first, 1)


def _problems(
    function: ast.FunctionDef | ast.Lambda, parameters: list[str], views: Mapping[str, Schema], names: Mapping[str, Any]
) -> Iterator[tuple[ast.AST, str]]:
    """What is wrong, in the order of the source."""
    body = function.body if isinstance(function.body, list) else [function.body]
    local = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    checker = _Checker(names, views, local | set(parameters))
    for place, statement in enumerate(body):
        is_docstring = place == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring:
            yield from checker.visit(statement)


class _Checker:
    """Walks the statements of one function."""

    def __init__(self, names: Mapping[str, Any], views: Mapping[str, Schema], local: set[str]):
        self.names, self.views, self.local = names, views, local

    def visit(self, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        """(node, reason) of everything below a node that a hook must not do."""
        reason = self.check(node)
        if reason:
            yield node, reason
        for child in ast.iter_child_nodes(node):
            yield from self.visit(child)

    def check(self, node: ast.AST) -> str | None:
        """Why a hook must not contain this node, or None; its children are not looked at."""
        if type(node) in _FORBIDDEN:
            return f"a hook cannot contain {_FORBIDDEN[type(node)]}"
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)]
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            return "a hook cannot contain text: look names up outside, the hook captures the id"
        if isinstance(node, ast.Name):
            return self.check_name(node)
        if isinstance(node, ast.Attribute):
            return self.check_attribute(node)
        if isinstance(node, ast.Subscript):
            return self.check_subscript(node)
        return None

    def check_name(self, node: ast.Name) -> str | None:
        """A name must be local, captured, or a word of the language."""
        name = node.id
        if isinstance(node.ctx, ast.Store) or name in self.local or name in self.names:
            return None
        if name in STAND_INS["builtins"]:
            return None
        if hasattr(builtins, name):
            return f"{name} is not available in a hook; {_HINTS.get(name, 'hooks compute with numbers only')}"
        hint = f"; phalanx.kernels has it: from phalanx.kernels import {name}" if name in WORDS else ""
        return f"{name} is not defined{hint or suggestion(name, [*self.names, *self.local])}"

    def check_attribute(self, node: ast.Attribute) -> str | None:
        """An attribute must be a field or size of m and d, or a function that a library has a stand-in for."""
        owner, attribute = node.value, node.attr
        found = self.field(owner)
        if found is not None:
            return (
                f"{ast.unparse(owner)} has no .{attribute} in a hook: it is a field; sizes are m.nq, m.nv, m.nbody, ..."
            )
        if isinstance(owner, ast.Name) and owner.id in self.views:
            return self.check_field(node, self.views[owner.id], "")
        if isinstance(owner, ast.Attribute) and isinstance(owner.value, ast.Name) and owner.value.id in self.views:
            return self.check_field(node, self.views[owner.value.id], owner.attr + ".")
        module = self.names.get(owner.id) if isinstance(owner, ast.Name) and owner.id not in self.local else None
        if isinstance(module, types.ModuleType) and module.__name__ in STAND_INS:
            known = STAND_INS[module.__name__]
            if attribute not in known:
                hint = suggestion(attribute, known) or "; phalanx.kernels lists what is"
                return f"{module.__name__}.{attribute} is not available in a hook{hint}"
        return None

    def check_field(self, node: ast.Attribute, schema: Schema, prefix: str) -> str | None:
        """A field must exist, have rows of known length, and not be assigned as a whole; `prefix` is the record."""
        name, owner = prefix + node.attr, schema.name.capitalize()
        row = schema.fields.get(name)
        if name in schema.methods:
            return None
        if not prefix and (name in schema.sizes or name in schema.records):
            return None
        if row is None or row.scratch:
            if node.attr in KIND_BY_ACCESSOR:
                return f"look objects up outside, the hook captures their id: model.{node.attr}(...).id"
            known = [*schema.sizes, *(n for n, field in schema.fields.items() if not field.scratch)]
            return f"{owner} has no field {name!r} for hooks{suggestion(name, known)}"
        if any(not isinstance(extent, int) for extent in row.shape[1:]):
            return f"{name} of the {owner} cannot be read in a hook: its rows have a length that only the model knows"
        if isinstance(node.ctx, ast.Store):
            if schema.name == "model" and name not in schema.writable:
                return "a Model does not change while it is simulated; see Model.replace"
            if row.shape:
                indices = ", ".join("ijk"[: len(row.shape)])
                return f"{name} is a field: set its numbers, {ast.unparse(node)}[{indices}] = ..."
        return None

    def field(self, node: ast.AST) -> tuple[str, Field] | None:
        """(owner, row) if a node is a field of m or d."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.views:
            row = self.views[node.value.id].fields.get(node.attr)
            return (node.value.id, row) if row is not None else None
        return None

    def check_subscript(self, node: ast.Subscript) -> str | None:
        """A field is indexed down to one number, without slices and negative indices."""
        found = self.field(node.value)
        if found is None:
            return None
        (owner, row), index = found, node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        name = f"{owner}.{row.name}"
        if any(isinstance(part, ast.Slice) for part in parts):
            return f"{name} is read and written number by number: write a loop instead of a slice"
        if any(isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) for part in parts):
            return f"{name} has no negative indices: count from the front"
        if len(parts) != len(row.shape):
            example = f"{name}[{', '.join('ijk'[: len(row.shape)])}]"
            load = f", or load{row.shape[-1]}({name}, i)" if len(row.shape) == 2 else ""
            return f"{name} has {len(row.shape)} axes: write {example}{load}"
        if (
            isinstance(node.ctx, ast.Store)
            and self.views[owner].name == "model"
            and row.name not in self.views[owner].writable
        ):
            return "a Model does not change while it is simulated; see Model.replace"
        return None
