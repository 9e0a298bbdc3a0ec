"""Shapes of a scene as rows for rays: what is met, how large it is, and how it looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.render.assets import FLAT_TYPE, MADE_OF_TRIANGLES, Assets
from phalanx.render.entering import CONE, TRIANGLES
from phalanx.scene.primitives import HEAD_START
from phalanx.scene.shapes import Shapes
from phalanx.scene.surfaces import texture_id, texture_map
from phalanx.tables.enums import GeomType

#: Columns that are the same in all pictures, for shapes that are.
COLUMNS = {
    "shape_kind": (), "shape_size": (3,), "shape_middle": (3,), "shape_radius": (), "shape_rgba": (4,),
    "shape_finish": (4,), "shape_surface": (), "shape_texture": (), "shape_mapping": (4,),
    "shape_casts": (), "shape_label": (3,),
}  # fmt: skip
#: Rows of materials, and their values where there is no material, as in MuJoCo.
FINISH = ("emission", "specular", "shininess", "reflectance")
DEFAULT_FINISH = (0.0, 0.5, 0.5, 0.0)
#: Kinds that are nothing but text.
NO_SURFACE = (GeomType.LABEL, GeomType.NONE)


def _radius(kind: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Radii of bounding spheres of shapes that are not made of triangles; -1 without one."""
    x, y, z = np.abs(size).T
    is_endless = (x <= 0) | (y <= 0)
    return np.select(
        [
            kind == GeomType.PLANE,
            kind == GeomType.SPHERE,
            kind == GeomType.CAPSULE,
            kind == GeomType.ELLIPSOID,
            kind == GeomType.CYLINDER,
            kind == CONE,
        ],
        [
            np.where(is_endless, -1.0, np.hypot(x, y)),
            x,
            x + y,
            np.max([x, y, z], axis=0),
            np.hypot(x, y),
            np.hypot(x, y / 2),
        ],
        np.sqrt(x * x + y * y + z * z),
    )


def split_arrows(shapes: Shapes) -> Shapes:
    """Shapes without text that stands alone, and with arrows as a cylinder each; their heads, cones, come last."""
    kind = shapes.kind
    is_arrow = kind == GeomType.ARROW
    if not is_arrow.any() and not np.isin(kind, NO_SURFACE).any():
        return shapes
    body = taken(shapes, np.flatnonzero(~np.isin(kind, NO_SURFACE)))
    heads = taken(shapes, np.flatnonzero(is_arrow))
    # a shaft is a cylinder around its middle
    shafts = body.kind == GeomType.ARROW
    length = body.size[shafts, 2]
    axis = body.mat[:, (2, 5, 8)]
    body.pos[shafts] += axis[shafts] * (HEAD_START * length / 2)[:, None]
    body.size[shafts, 1] = HEAD_START * length / 2
    body.kind[shafts] = GeomType.CYLINDER
    head_length = heads.size[:, 2]
    heads.pos += heads.mat[:, (2, 5, 8)] * (HEAD_START * head_length)[:, None]
    heads.size = np.column_stack([heads.size[:, 1], (1 - HEAD_START) * head_length, np.zeros(len(heads))])
    heads.kind[:] = CONE
    return Shapes.joined([body, heads])


def taken(shapes: Shapes, rows: np.ndarray) -> Shapes:
    """Copies of some rows."""
    arrays = {name: value[rows] for name, value in vars(shapes).items() if name != "labels"}
    return Shapes(**arrays, labels=[shapes.labels[row] for row in rows])


class ShapeRows:
    """Columns of shapes for kernels.

    Args:
        model: the Model.
        assets: its surfaces and textures.
        with_textures: whether textures are drawn.
    """

    def __init__(self, model: Any, assets: Assets, with_textures: bool):
        self._model, self._assets, self._nmat = model, assets, int(model.nmat)
        rows = [np.asarray(getattr(model, f"mat_{name}"), float) for name in FINISH]
        # the last row is that of shapes without a material
        self._finish = np.vstack([np.column_stack(rows), DEFAULT_FINISH])
        textures = [texture_id(model, material) if with_textures else -1 for material in range(self._nmat)]
        self._texture = np.array([*textures, -1], np.int64)
        self._is_flat = np.asarray(model.tex_type) == FLAT_TYPE

    def columns(self, shapes: Shapes) -> dict[str, np.ndarray]:
        """The columns of shapes, arrows split already."""
        kind, count = shapes.kind.astype(np.int64), len(shapes)
        _check_kinds(kind)
        surface = np.full(count, -1, np.int64)
        size, middle, radius = np.array(shapes.size, float), np.zeros((count, 3)), _radius(kind, shapes.size)
        middle[kind == CONE, 2] = size[kind == CONE, 1] / 2
        # surfaces know how large they are
        surfaces = self._assets.surfaces
        for row in np.flatnonzero(np.isin(kind, MADE_OF_TRIANGLES)):
            surface[row] = surfaces.id_of(int(kind[row]), int(shapes.dataid[row]), size[row])
            middle[row], radius[row] = surfaces.spheres[surface[row]]
        material = np.where(shapes.matid >= 0, shapes.matid, self._nmat)
        texture = self._texture[material]
        mapping = np.zeros((count, 4))
        for row in np.flatnonzero(texture >= 0):
            mapping[row] = self._mapping(
                texture[row], material[row], int(kind[row]), int(shapes.dataid[row]), size[row]
            )
        return {
            "shape_kind": np.where(surface >= 0, TRIANGLES, kind),
            "shape_size": size,
            "shape_middle": middle,
            "shape_radius": radius,
            "shape_rgba": shapes.rgba,
            "shape_finish": self._finish[material],
            "shape_surface": surface,
            "shape_texture": texture,
            "shape_mapping": mapping,
            "shape_casts": ~shapes.decor,
            "shape_label": np.column_stack([shapes.objid, shapes.objtype, shapes.bodyid]),
        }

    def _mapping(self, texture: int, material: int, kind: int, dataid: int, size: np.ndarray) -> np.ndarray:
        """Scale and offset of texture coordinates; of a cube, the scale of points that it is seen through."""
        if self._is_flat[texture]:
            return texture_map(self._model, material, kind, dataid, size).ravel()
        half = _half_sizes(kind, size)
        # a cube is seen from the middle of a shape of unit size, unless its texture is uniform
        is_uniform = bool(self._model.mat_texuniform[material])
        is_unit = kind not in MADE_OF_TRIANGLES and not is_uniform
        return np.append(1.0 / np.where(half > 0, half, 1.0) if is_unit else np.ones(3), 0.0)


def _half_sizes(kind: int, size: np.ndarray) -> np.ndarray:
    """Half sizes of a shape along its axes."""
    if kind == GeomType.SPHERE:
        return np.full(3, size[0])
    if kind in (GeomType.CAPSULE, GeomType.CYLINDER):
        return size[[0, 0, 1]]
    return size


#: Kinds that can be drawn.
DRAWN = (
    GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX, CONE,
    *MADE_OF_TRIANGLES,
)  # fmt: skip


def _check_kinds(kind: np.ndarray) -> None:
    unknown = np.setdiff1d(kind, DRAWN)
    if len(unknown):
        raise FieldError(f"shapes of kind {GeomType(unknown[0]).name} cannot be drawn")
