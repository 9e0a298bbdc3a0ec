"""Imports point down: fail when a file of `phalanx` imports a layer above its own, or imports late.

Every import counts, in subfolders too: at the top of a file, inside a function, for type checking only, and
`import_module("phalanx.x")`. Inside a function only what is in `LATE` may be imported: late imports hide cycles.
`phalanx/__init__.py`, `phalanx/__main__.py`, `phalanx/kernels.py`, `phalanx/transforms.py`, `phalanx/jax.py`,
`phalanx/torch.py` and `cli` may import anything. `algebra` knows nothing of physics, so it imports no other layer, not
even the one below. Importing the package itself (`from phalanx import Model`) is importing the top of the stack.

Usage: python tools/check_layers.py [package folder]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

#: Lowest first; a layer is a folder of the package.
LAYERS = (
    "tables", "algebra", "native", "memory", "hook", "mesh", "smooth", "collision", "constraint", "solver", "sleep",
    "sensor", "integrator", "pipeline", "compiler", "scene", "render", "world", "batch", "device", "derivative",
    "mechanism", "control", "measure", "show", "web", "learn", "cli",
)  # fmt: skip

#: Layers that import no other layer.
ALONE = ("tables", "algebra")

#: Modules that may be imported inside a function -> why. The compiler is loaded only when something is compiled.
LATE = {
    "native.llvm": "imports llvmlite, which takes a tenth of a second",
    "native.link": "makes images, after llvmlite has made objects",
    "native.program": "the front end of the compiler",
    "native.number": "types of the compiler, for entries that are about to be compiled",
    "memory.view": "types of the compiler, for entries and parts that are about to be compiled",
    "render.picture_view": "types of the compiler, for the entry of the renderer",
    "learn.task_view": "types of the compiler, for the entry of a task",
    "learn.gym_env": "imports gymnasium, which is an extra",
    "learn.vector_env": "imports gymnasium, which is an extra",
    "learn.gym_envs": "imports gymnasium, which is an extra",
    "learn.distributed.vector_workers": "imports gymnasium, which is an extra",
    "learn.distributed.ray_backend": "imports ray, which is an extra",
}

PACKAGE = Path(__file__).resolve().parent.parent / "phalanx"

#: Line, dotted path, and whether the import is inside a function.
Import = tuple[int, tuple[str, ...], bool]


def imported_modules(tree: ast.AST, module: tuple[str, ...], is_package: bool) -> Iterator[Import]:
    """Every import; `from a import b` gives a.b, as b may be a module."""
    here = module if is_package else module[:-1]

    def targets(node: ast.AST) -> Iterator[tuple[str, ...]]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield tuple(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            for alias in node.names:
                yield (*base, alias.name)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function, name = ast.unparse(node.func), node.args[0].value
            if function.split(".")[-1] in ("import_module", "__import__") and isinstance(name, str):
                yield tuple(name.split("."))

    def visit(node: ast.AST, is_late: bool) -> Iterator[Import]:
        for target in targets(node):
            yield node.lineno, target, is_late
        for child in ast.iter_child_nodes(node):
            yield from visit(child, is_late or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))

    yield from visit(tree, False)


def is_late_allowed(target: tuple[str, ...]) -> bool:
    """May this module of ours, or a name of it, be imported inside a function?"""
    return ".".join(target[1:]) in LATE or ".".join(target[1:-1]) in LATE


def problem(layer: str, target: tuple[str, ...], package: str) -> str | None:
    """Why a file of `layer` must not import `target`, or None when it may."""
    if target[0] != package or layer == "cli":
        return None
    other = target[1] if len(target) > 1 else ""
    if other == layer:
        return None
    if other not in LAYERS:
        return f"{layer} imports {'.'.join(target)}, the top of the package"
    if LAYERS.index(other) > LAYERS.index(layer):
        return f"{layer} imports {other}, a higher layer"
    if layer in ALONE:
        return f"{layer} imports {other}, but it must stand alone"
    return None


def violations(package: Path = PACKAGE) -> list[str]:
    """One line for each import that points up or is late, and for each file that belongs to no layer."""
    found = []
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        if relative.as_posix() in ("__init__.py", "__main__.py", "kernels.py", "transforms.py", "jax.py", "torch.py"):
            continue
        layer, place = relative.parts[0], path.relative_to(package.parent).as_posix()
        if layer not in LAYERS:
            found.append(f"{place}:1: {layer} is no layer; the layers are {', '.join(LAYERS)}")
            continue
        is_package = path.name == "__init__.py"
        module = (package.name, *relative.with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for line, target, is_late in imported_modules(tree, module[:-1] if is_package else module, is_package):
            message = problem(layer, target, package.name)
            if message is None and is_late and target[0] == package.name and not is_late_allowed(target):
                message = f"{'.'.join(target)} is imported inside a function: import it at the top of the file"
            if message is not None:
                found.append(f"{place}:{line}: {message}")
    return found


def main(arguments: list[str]) -> int:
    """Print what was found; exit code 1 if there is anything."""
    found = violations(Path(arguments[0]).resolve()) if arguments else violations()
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
