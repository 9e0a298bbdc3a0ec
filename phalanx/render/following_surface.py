"""Triangles of skins and flexes: their vertices move, so trees of boxes are fitted anew for every picture."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from phalanx.render.assets import Surfaces
from phalanx.render.surface_tree import place
from phalanx.scene.surfaces import following_vertices


class FollowingSurfaces:
    """Skins and flexes of a picture.

    Args:
        model: the Model.
        surfaces: of the Model.
        rows: arrays of triangles and nodes, which are written to.
        places: kind and `dataid` of a shape -> its row among the shapes, and its surface.
        columns: arrays of shapes, of which their bounding spheres are written to.
    """

    def __init__(
        self,
        model: Any,
        surfaces: Surfaces,
        rows: dict[str, np.ndarray],
        places: dict[tuple[int, int], tuple[int, int]],
        columns: dict[str, np.ndarray],
    ):
        self._model, self._rows, self._places, self._columns = model, rows, places, columns
        # other renderers of the model have other poses
        self._trees = {surface: copy.deepcopy(surfaces.trees[surface]) for _, surface in places.values()}
        self._faces = {surface: surfaces.faces[surface] for surface in self._trees}

    def update(self, data: Any) -> None:
        """Move all of them to where they are in a Data."""
        for (kind, dataid), (row, surface) in self._places.items():
            tree, rows = self._trees[surface], self._rows
            vertices, normals = following_vertices(self._model, data, kind, dataid)
            place(tree, vertices, normals, self._faces[surface])
            node, triangle = rows["surface_node"][surface], rows["surface_triangle"][surface]
            rows["node_box"][node : node + len(tree.boxes)] = tree.boxes
            rows["triangle_corner"][triangle : triangle + len(tree.corners)] = tree.corners.reshape(-1, 9)
            rows["triangle_normal"][triangle : triangle + len(tree.corners)] = tree.normals.reshape(-1, 9)
            self._columns["shape_middle"][row], self._columns["shape_radius"][row] = tree.sphere
