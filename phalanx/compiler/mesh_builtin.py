"""Meshes that are made from parameters."""

from __future__ import annotations

from phalanx.compiler.errors import ElementProblem
from phalanx.mesh import MeshSource

#: Shapes without an inside: their mass is on the surface.
SURFACES = ("hemisphere", "wedge", "plate", "square", "disc")


def make_builtin(shape: str, params: tuple[float, ...] | None) -> MeshSource:
    """The triangles of a built-in shape."""
    raise ElementProblem(f"builtin={shape!r} is not supported", "builtin")
