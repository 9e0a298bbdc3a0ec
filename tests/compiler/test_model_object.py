"""Objects of the compiler: each kind declares all attributes that it ever has."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap

import pytest

from phalanx import Spec
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from tests.compiler.snippets import SNIPPETS


@functools.cache
def declared(kind: type) -> frozenset[str]:
    """Attributes in the body of a class and its bases, and those that `__init__` sets."""
    names: set[str] = set()
    for base in kind.__mro__:
        names |= vars(base).get("__annotations__", {}).keys()
        if "__init__" in vars(base) and base is not object:
            tree = ast.parse(textwrap.dedent(inspect.getsource(vars(base)["__init__"])))
            stored = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
            names |= {node.attr for node in stored if isinstance(node.ctx, ast.Store)}
    return frozenset(names)


def undeclared(objects: list[ModelObject]) -> set[str]:
    """Attributes that objects have and their classes do not declare."""
    kinds = [obj for obj in objects if type(obj) is not ModelObject]
    return {f"{type(obj).__name__}.{name}" for obj in kinds for name in vars(obj).keys() - declared(type(obj))}


def test_objects_have_only_declared_attributes(monkeypatch):
    found: set[str] = set()
    kinds: set[str] = set()

    def look(build: Build) -> None:
        objects = [obj for every in build.objects.values() for obj in every]
        found.update(undeclared(objects))
        kinds.update(type(obj).__name__ for obj in objects)

    monkeypatch.setattr(Build, "dissolve", look)
    for xml in SNIPPETS.values():
        Spec.from_string(xml).compile()
    assert found == set()
    assert {"Body", "Geom", "MeshAsset", "Texture", "Tendon", "Sensor", "Key", "Pair", "Tuple"} <= kinds


def test_an_attribute_that_is_not_declared_is_noticed():
    class Odd(ModelObject):
        size: float = 0.0

        def __init__(self) -> None:
            self.name = "odd"

    odd = Odd()
    odd.size, odd.color = 1.0, "red"  # type: ignore[attr-defined]
    assert undeclared([odd]) == {"Odd.color"}


def test_initial_values_of_a_class_cannot_be_changed():
    with pytest.raises(TypeError, match="mutable"):

        class Shared(ModelObject):
            members: list[int] = []  # noqa: RUF012
