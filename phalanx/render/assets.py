"""Surfaces and textures of a Model, as the renderer needs them: made when they are first seen, kept with the Model."""

from __future__ import annotations

import functools
import threading
import weakref
from typing import Any

import numpy as np

from phalanx.render.surface_tree import SurfaceTree, tree_of
from phalanx.render.texture import CUBE, FLAT
from phalanx.render.texture_levels import colors_of, cube_levels, levels_of
from phalanx.scene.surfaces import FOLLOWING, surface_of, texture_of
from phalanx.tables.enums import GeomType

#: Kinds of shapes that are drawn as triangles.
MADE_OF_TRIANGLES = (GeomType.MESH, GeomType.SDF, GeomType.HFIELD, *FOLLOWING)
#: Values of `tex_type` and `tex_colorspace`.
FLAT_TYPE, SKY_TYPE, SRGB = 0, 2, 2


class Surfaces:
    """Trees of all surfaces of a Model that have been seen, and their arrays one after another.

    Attributes:
        trees: of the surfaces, by id.
        faces: vertices of their triangles, by id.
        spheres: center and radius of spheres around them, by id.
    """

    def __init__(self, model: Any):
        self._model = weakref.ref(model)
        self._ids: dict[tuple[int, int], int] = {}
        self._rows: tuple[int, dict[str, np.ndarray]] = (-1, {})
        self.trees: list[SurfaceTree] = []
        self.faces: list[np.ndarray] = []
        self.spheres: list[tuple[np.ndarray, float]] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.trees)

    def id_of(self, kind: int, dataid: int, size: np.ndarray) -> int:
        """The surface of a kind of shape with this `dataid`; all shapes that have it are of one size."""
        key = (kind, dataid)
        # threads with a Data each may share the Model
        with self._lock:
            if key not in self._ids:
                surface = surface_of(self._model(), kind, dataid, size)
                tree = tree_of(surface.vertices, surface.normals, surface.texcoords, surface.faces)
                self.trees.append(tree)
                self.faces.append(surface.faces)
                self.spheres.append(tree.sphere)
                self._ids[key] = len(self.trees) - 1
            return self._ids[key]

    def rows(self) -> dict[str, np.ndarray]:
        """The arrays of all trees, by row of a Frame; made anew when there are more trees."""
        trees = [*self.trees]
        if self._rows[0] != len(trees):
            self._rows = (
                len(trees),
                {
                    "surface_node": np.cumsum([0, *(len(tree.boxes) for tree in trees)]),
                    "surface_level": np.array([*(tree.levels for tree in trees), 0], np.int64),
                    "surface_triangle": np.cumsum([0, *(len(tree.corners) for tree in trees)]),
                    "node_box": _joined([tree.boxes for tree in trees], 6),
                    "triangle_corner": _joined([tree.corners for tree in trees], 9),
                    "triangle_normal": _joined([tree.normals for tree in trees], 9),
                    "triangle_uv": _joined([tree.uvs for tree in trees], 6),
                },
            )
        return self._rows[1]


def _joined(arrays: list[np.ndarray], columns: int) -> np.ndarray:
    """Rows of several arrays one after another; a row of zeros if there are none."""
    return np.vstack([array.reshape(-1, columns) for array in arrays] or [np.zeros((1, columns), np.float32)])


class Textures:
    """Textures of a Model, level by level, and which of them is the sky.

    Attributes:
        sky: texture of the sky, -1 if there is none.
        rows: arrays, by row of a Frame.
    """

    def __init__(self, model: Any):
        kinds = np.asarray(model.tex_type)
        skies = np.flatnonzero(kinds == SKY_TYPE)
        self.sky = int(skies[0]) if len(skies) else -1
        levels: list[np.ndarray] = []
        counts = []
        for texture in range(model.ntex):
            colors = colors_of(texture_of(model, texture), model.tex_colorspace[texture] == SRGB)
            own = levels_of(colors) if kinds[texture] == FLAT_TYPE else cube_levels(colors)
            counts.append(len(own))
            levels += own
        sizes = [level.size // 3 for level in levels]
        self.rows: dict[str, np.ndarray] = {
            "texture_kind": np.array([*np.where(kinds == FLAT_TYPE, FLAT, CUBE), 0], np.int64),
            "texture_level": np.cumsum([0, *counts]),
            "texture_levels": np.array([*counts, 0], np.int64),
            "level_texel": np.cumsum([0, *sizes]),
            "level_width": np.array([*(level.shape[-2] for level in levels), 1], np.int64),
            "level_height": np.array([*(level.shape[-3] for level in levels), 1], np.int64),
            "texel": np.vstack([np.zeros((0, 3), np.uint8), *(level.reshape(-1, 3) for level in levels)]),
        }


class Assets:
    """What all renderers of a Model share: its surfaces and, once a color is asked for, its textures."""

    def __init__(self, model: Any):
        self.surfaces = Surfaces(model)
        self._model = weakref.ref(model)

    @functools.cached_property
    def textures(self) -> Textures:
        """The textures of the Model."""
        return Textures(self._model())


#: Assets by Model; an entry ends with its Model.
_assets: weakref.WeakKeyDictionary[Any, Assets] = weakref.WeakKeyDictionary()


def assets_of(model: Any) -> Assets:
    """The assets of a Model, the same for all its renderers."""
    found = _assets.get(model)
    if found is None:
        found = _assets[model] = Assets(model)
    return found
