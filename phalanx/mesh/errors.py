"""What is wrong with a mesh."""

from __future__ import annotations

from phalanx.model.errors import PhalanxError


class MeshError(PhalanxError, ValueError):
    """A mesh file that cannot be read, or vertices and faces that make no body."""
