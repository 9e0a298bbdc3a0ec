"""Points and elements of a flexcomp from a mesh file, a mesh asset or a GMSH file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.compiler.flex.pattern import Pattern
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope

MeshFinder = Callable[[str], Any]


def find_mesh(root, scope, name):
    raise ElementProblem("not yet")


def read_pattern(kind: str, values: Any, element: Element, scope: Scope, find_mesh: MeshFinder) -> Pattern:
    raise ElementProblem("not yet")
