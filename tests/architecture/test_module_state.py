"""Module-level state: nothing but caches with an owner, and tables that are filled when modules are imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import phalanx

PACKAGE = Path(phalanx.__file__).resolve().parent

#: Name of each variable -> what it holds. A new one belongs into an object, unless it is a cache.
STATE = {
    "algebra/jit.py:_mode": "whether kernels run interpreted",
    "collision/shape/private_model.py:_memory": "cache: working memory of each thread",
    "compiler/asset/png.py:_sizes": "cache: sizes of pictures",
    "compiler/text/files.py:_known": "cache: hashes of files",
    "mesh/cache.py:_in_memory": "cache: meshes",
    "mesh/cache.py:_on_disk": "cache: what is on disk",
    "native/build.py:_unkept": "cache: images that could not be kept",
    "native/build.py:_waits": "seconds that compiling took",
    "native/cache.py:_rejected": "cache: shipped images that are damaged",
    "native/folder.py:_swept": "cache: folders that were tidied",
    "native/load.py:_told": "names that debuggers read",
    "native/runtime.py:_failures": "counts failed checks",
    "native/runtime.py:_images": "cache: loaded code",
    "native/runtime.py:_notes": "where checks of loaded code write",
    "native/types.py:_known": "cache: types of objects",
    "pipeline/derived.py:_waits": "seconds that interpreted constants took",
    "world/model_memory.py:_kept": "cache: compiled models",
    "world/provided.py:_provided": "filled when modules are imported",
}

MUTABLE = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
#: Calls that make what can change.
MAKERS = {"dict", "list", "set", "OrderedDict", "defaultdict", "deque", "local", "c_int64", "WeakValueDictionary"}


def targets(statement: ast.stmt) -> list[str]:
    """Names that an assignment binds."""
    found = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [target.id for target in found if isinstance(target, ast.Name)]


def is_mutable(value: ast.expr | None) -> bool:
    """Can what an expression gives be changed?"""
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name in MAKERS
    return isinstance(value, MUTABLE)


def variables() -> Iterator[tuple[str, str]]:
    """Module-level variables that can change, with the line before each. Constants are upper case."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for statement in ast.parse(source).body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and is_mutable(statement.value):
                for name in targets(statement):
                    if not name.isupper() and not name.startswith("__"):
                        yield f"{path.relative_to(PACKAGE).as_posix()}:{name}", lines[statement.lineno - 2]


def test_state_of_modules_is_that_of_the_list() -> None:
    assert {name for name, _ in variables()} == set(STATE)


@pytest.mark.parametrize(("name", "before"), list(variables()))
def test_each_says_what_it_holds_and_who_clears_it(name: str, before: str) -> None:
    assert before.startswith("#:"), name


def test_no_function_rebinds_a_name_of_its_module() -> None:
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not any(isinstance(node, ast.Global) for node in ast.walk(tree)), path
