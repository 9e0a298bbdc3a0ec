"""The kernel language has rules a compiler would not tell: fail when a file of `phalanx` breaks one.

Everywhere but in `phalanx/native`: no compiler (Numba, llvmlite) is imported, no `fastmath=True`, no `parallel=True`;
`@kernel` and `@part` are the only ways to compiled code.

In every function decorated `@kernel` or `@part`: no NumPy, no `math`; nothing raises (`raise`, `try`, `assert`);
nothing is allocated (lists, dicts, sets, f-strings); and no module variable is read unless it is a constant (upper
case), an import, a function, a class or a kernel.

Usage: python tools/check_kernels.py [package folder]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "phalanx"

#: Packages that make compiled code.
COMPILERS = frozenset({"numba", "llvmlite", "cffi", "cython"})
#: Options that change arithmetic or its order.
OPTIONS = frozenset({"fastmath", "parallel"})
#: Modules a kernel must not use: `phalanx.algebra` has what it needs.
LIBRARIES = frozenset({"numpy", "math", "cmath", "random", "scipy"})

FORBIDDEN: dict[type[ast.AST], str] = {
    ast.Raise: "raises",
    ast.Try: "uses try",
    ast.TryStar: "uses try",
    ast.Assert: "uses assert, which raises",
    ast.Global: "declares a global",
    ast.List: "builds a list",
    ast.Dict: "builds a dict",
    ast.Set: "builds a set",
    ast.ListComp: "builds a list",
    ast.DictComp: "builds a dict",
    ast.SetComp: "builds a set",
    ast.JoinedStr: "builds an f-string",
}
BUILDERS = frozenset({"list", "dict", "set"})

Function = ast.FunctionDef | ast.AsyncFunctionDef
Problem = tuple[int, str]


def is_kernel(node: ast.AST) -> bool:
    """Is this a function decorated `@kernel` or `@part(...)` (or `@jit.kernel`)?"""
    if not isinstance(node, Function):
        return False
    callees = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    return any(ast.unparse(callee).split(".")[-1] in ("kernel", "part") for callee in callees)


# --- names


def imports(tree: ast.AST) -> dict[str, str]:
    """Name in this file -> dotted path of what is imported under it, wherever the import stands."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = f"{'.' * node.level}{node.module or ''}.{alias.name}"
    return found


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope: the functions and classes in it, but not what is inside those."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (Function, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def stored_names(body: Iterable[ast.AST]) -> set[str]:
    """Names assigned in one scope."""
    return {n.id for n in own_nodes(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def local_names(function: Function | ast.Lambda) -> set[str]:
    """Arguments of a function and the names bound in it."""
    spec = function.args
    arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    body = function.body if isinstance(function, Function) else [function.body]
    inner = {n.name for n in own_nodes(body) if isinstance(n, (Function, ast.ClassDef))}
    return {a.arg for a in arguments if a is not None} | stored_names(body) | inner


def module_variables(tree: ast.Module) -> set[str]:
    """Lower-case names assigned at the top of a module that are not kernels or imports: mutable globals."""
    assigned = (n for n in own_nodes(tree.body) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call))
    made = (n for n in assigned if ast.unparse(n.value.func).split(".")[-1] == "kernel")
    kernels = {target.id for n in made for target in n.targets if isinstance(target, ast.Name)}
    defined = {n.name for n in own_nodes(tree.body) if isinstance(n, (Function, ast.ClassDef))}
    names = stored_names(tree.body) - kernels - defined - set(imports(tree))
    return {name for name in names if name.lstrip("_")[:1].islower()}


# --- the rules


def compiler_problems(tree: ast.Module) -> Iterator[Problem]:
    """Compilers and options outside the one place for them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for name in sorted(COMPILERS.intersection(module.split(".")[0] for module in modules)):
                yield node.lineno, f"imports {name}; use @kernel"
        elif isinstance(node, ast.keyword) and node.arg in OPTIONS and not _is_false(node.value):
            yield node.value.lineno, f"sets {node.arg}; arithmetic is strict"
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in OPTIONS and not _is_false(value):
                    yield key.lineno, f"sets {key.value}; arithmetic is strict"


def _is_false(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def kernel_problems(tree: ast.Module) -> Iterator[Problem]:
    """What kernels do that no kernel may."""
    # a name is a library or a variable of the module only where no local of the same name hides it
    known, variables = imports(tree), module_variables(tree)

    def visit(node: ast.AST, locals_: set[str], name: str) -> Iterator[Problem]:
        """`name` is the kernel we are in, "" outside; `locals_` hide the names of the module."""
        if isinstance(node, (Function, ast.Lambda)):
            inside = node.name if is_kernel(node) else name
            body = node.body if isinstance(node, Function) else [node.body]
            hidden = locals_ | local_names(node)
            for child in body:
                yield from visit(child, hidden, inside)
            return
        if name:
            yield from check(node, locals_, name)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, locals_, name)

    def check(node: ast.AST, locals_: set[str], name: str) -> Iterator[Problem]:
        if type(node) in FORBIDDEN and isinstance(getattr(node, "ctx", None), (ast.Load, type(None))):
            yield node.lineno, f"kernel {name} {FORBIDDEN[type(node)]}"
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in locals_:
            return
        library = known.get(node.id, "").split(".")[0]
        if library in LIBRARIES:
            yield node.lineno, f"kernel {name} uses {library}"
        elif node.id in variables:
            yield node.lineno, f"kernel {name} reads the module variable {node.id}; constants are upper case"
        elif node.id in BUILDERS and node.id not in known:
            yield node.lineno, f"kernel {name} builds a {node.id}"

    for statement in tree.body:
        yield from visit(statement, set(), "")


def violations(package: Path = PACKAGE) -> list[str]:
    """One line for each rule that is broken."""
    found = []
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        problems = list(kernel_problems(tree))
        if path.relative_to(package).parts[0] != "native":
            problems += compiler_problems(tree)
        place = path.relative_to(package.parent).as_posix()
        found += [f"{place}:{line}: {message}" for line, message in sorted(problems)]
    return found


def main(arguments: list[str]) -> int:
    """Print what was found; exit code 1 if there is anything."""
    found = violations(Path(arguments[0]).resolve()) if arguments else violations()
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
