"""Shapes of a scene as rows for rays: what is met, how large it is, and how it looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.render.assets import COLOR_ROLE, FLAT_TYPE, MADE_OF_TRIANGLES, Assets
from phalanx.render.entering import CONE, TRIANGLES
from phalanx.render.texture import BY_CORNER, BY_KIND, FROM_ABOVE
from phalanx.scene.shapes import Shapes
from phalanx.tables.enums import GeomType

#: Columns that are the same in all pictures, for shapes that are.
COLUMNS = {
    "shape_kind": (), "shape_size": (3,), "shape_middle": (3,), "shape_radius": (), "shape_rgba": (4,),
    "shape_finish": (4,), "shape_surface": (), "shape_texture": (), "shape_placing": (), "shape_mapping": (4,),
    "shape_casts": (), "shape_label": (3,),
}  # fmt: skip
#: emission, specular, shininess and reflectance of shapes without a material, as in MuJoCo.
DEFAULT_FINISH = (0.0, 0.5, 0.5, 0.0)
#: Part of an arrow that is its shaft.
SHAFT = 2.0 / 3.0
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
        [np.where(is_endless, -1.0, np.hypot(x, y)), x, x + y, np.max([x, y, z], axis=0), np.hypot(x, y), np.hypot(x, y / 2)],
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
    body.pos[shafts] += axis[shafts] * (SHAFT * length / 2)[:, None]
    body.size[shafts, 1] = SHAFT * length / 2
    body.kind[shafts] = GeomType.CYLINDER
    head_length = heads.size[:, 2]
    heads.pos += heads.mat[:, (2, 5, 8)] * (SHAFT * head_length)[:, None]
    heads.size = np.column_stack([heads.size[:, 1], (1 - SHAFT) * head_length, np.zeros(len(heads))])
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
        self._assets = assets
        self._nmat = int(model.nmat)
        rows = [np.asarray(getattr(model, f"mat_{name}"), float) for name in ("emission", "specular", "shininess", "reflectance")]
        # the last row is that of shapes without a material
        self._finish = np.vstack([np.column_stack(rows).reshape(-1, 4), DEFAULT_FINISH])
        texid = np.asarray(model.mat_texid).reshape(self._nmat, -1)
        texid = texid[:, COLOR_ROLE] if with_textures and self._nmat else np.full(self._nmat, -1)
        self._texture = np.append(texid, -1)
        self._repeat = np.vstack([np.asarray(model.mat_texrepeat, float).reshape(-1, 2), np.ones(2)])
        self._uniform = np.append(np.asarray(model.mat_texuniform, bool), False)
        self._is_flat = np.append(np.asarray(model.tex_type) == FLAT_TYPE, False)

    def columns(self, shapes: Shapes) -> dict[str, np.ndarray]:
        """The columns of shapes, arrows split already."""
        kind, count = shapes.kind.astype(np.int64), len(shapes)
        _check_kinds(kind)
        surface = np.full(count, -1, np.int64)
        size, middle, radius = np.array(shapes.size, float), np.zeros((count, 3)), _radius(kind, shapes.size)
        for row in np.flatnonzero(np.isin(kind, MADE_OF_TRIANGLES)):
            surface[row] = self._assets.surfaces.id_of(int(kind[row]), int(shapes.dataid[row]))
            middle[row], radius[row] = self._assets.surfaces.spheres[surface[row]]
        material = np.where(shapes.matid >= 0, shapes.matid, self._nmat)
        placing, mapping = self._mapping(kind, size, material, surface)
        return {
            "shape_kind": np.where(surface >= 0, TRIANGLES, kind),
            "shape_size": size,
            "shape_middle": middle,
            "shape_radius": radius,
            "shape_rgba": shapes.rgba,
            "shape_finish": self._finish[material],
            "shape_surface": surface,
            "shape_texture": self._texture[material],
            "shape_placing": placing,
            "shape_mapping": mapping,
            "shape_casts": ~shapes.decor,
            "shape_label": np.column_stack([shapes.objid, shapes.objtype, shapes.bodyid]),
        }

    def _mapping(
        self, kind: np.ndarray, size: np.ndarray, material: np.ndarray, surface: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """How texture coordinates are found, and scale and offset that MuJoCo gives them (settexture in its renderer)."""
        texture, is_uniform = self._texture[material], self._uniform[material]
        repeat = self._repeat[material]
        has_uvs = np.array([s >= 0 and self._assets.surfaces.trees[s].has_uvs for s in surface], bool)
        placing = np.where(has_uvs, BY_CORNER, np.where(surface >= 0, FROM_ABOVE, BY_KIND))
        stretch = np.where(size[:, :2] > 0, size[:, :2], 1.0)
        scale = np.where(repeat > 0, repeat, 1.0) * np.where(is_uniform[:, None], stretch, 1.0)
        is_endless = (kind == GeomType.PLANE) & (size[:, :2] <= 0).any(axis=1)
        offset = np.where(is_endless[:, None], -0.5, 0.0) * np.ones(2)
        # a flat picture from above, on what has no coordinates of its own
        above = 0.5 * repeat / stretch * np.where(is_uniform[:, None], stretch, 1.0)
        is_above = (placing == FROM_ABOVE)[:, None]
        scale, offset = np.where(is_above, above, scale), np.where(is_above, -0.5, offset)
        mapping = np.hstack([scale, offset])
        # cubes are seen from the middle of a unit shape, unless their texture is uniform
        is_cube = (texture >= 0) & ~self._is_flat[texture]
        unit = np.where((surface < 0)[:, None], 1.0 / np.where(_half_sizes(kind, size) > 0, _half_sizes(kind, size), 1.0), 1.0)
        cube = np.where(is_uniform[:, None], 1.0, unit)
        mapping[is_cube] = np.hstack([cube, np.zeros((len(kind), 1))])[is_cube]
        return placing, mapping


def _half_sizes(kind: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Half sizes of shapes along their axes."""
    x, y, _ = size.T
    is_sphere = (kind == GeomType.SPHERE)[:, None]
    is_round = np.isin(kind, (GeomType.CAPSULE, GeomType.CYLINDER))[:, None]
    return np.where(is_sphere, x[:, None], np.where(is_round, np.column_stack([x, x, y]), size))


#: Kinds that can be drawn.
DRAWN = (
    GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX, CONE,
    *MADE_OF_TRIANGLES,
)  # fmt: skip


def _check_kinds(kind: np.ndarray) -> None:
    unknown = np.setdiff1d(kind, DRAWN)
    if len(unknown):
        raise FieldError(f"shapes of kind {GeomType(unknown[0]).name} cannot be drawn")
