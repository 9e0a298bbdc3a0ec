"""What the shapes of a page are made of: surfaces, textures and materials, each stored once.

Points of a surface are stored in 65535 steps of its size along each axis, normals in steps of 1/127.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from typing import Any

import numpy as np

from phalanx.scene.flex_surface import flex_carriers, flex_form
from phalanx.scene.surface import Surface
from phalanx.scene.surfaces import surface_of, texture_id, texture_map, texture_of
from phalanx.show.replay.packed import Packed
from phalanx.tables.enums import GeomType
from phalanx.world.model import Model

#: Steps of points along an axis, and of normals.
_POINTS, _NORMALS = 65535, 127
#: Indices up to here take two bytes.
_SHORT = 2**16
#: Widest texture in a page [pixels]; larger ones are made smaller.
_WIDEST = 1024
#: `tex_type` of a picture that is not a cube.
_FLAT = 0
#: How the page finds a place in a texture: by the place in the shape, by coordinates of the surface, by direction.
BY_PLACE, BY_COORDINATES, BY_DIRECTION = 1, 2, 3


#: Kinds of shapes whose surface is not one of the basic shapes of the page.
WITH_SURFACE = (GeomType.MESH, GeomType.SDF, GeomType.HFIELD)


class Surfaces:
    """The surfaces of a page, each once: of meshes and height fields, and of shapes with a picture around them."""

    def __init__(self, model: Model):
        self._model = model
        self._known: dict[tuple[int, int, tuple[float, ...]], int] = {}

    def index(self, kind: int, dataid: int, size: Iterable[float] = (1.0, 1.0, 1.0)) -> int:
        """Where a surface is among those of the page; it is added if it is new."""
        key = kind, dataid, tuple(float(x) for x in size)
        return self._known.setdefault(key, len(self._known))

    def rows(self, packed: Packed) -> list[dict[str, Any]]:
        """What the page knows of them."""
        return [_surface_row(packed, surface_of(self._model, *key)) for key in self._known]


def skin_row(packed: Packed, model: Model, skin: int) -> dict[str, Any]:
    """A skin as it is bound to its bones; the page moves its points with them."""
    surface = surface_of(model, GeomType.SKIN, skin)
    bones = range(model.skin_boneadr[skin], model.skin_boneadr[skin] + model.skin_bonenum[skin])
    counts = np.asarray(model.skin_bonevertnum)[bones.start : bones.stop]
    first = int(model.skin_bonevertadr[bones.start]) if len(bones) else 0
    points = slice(first, first + int(counts.sum()))
    return {
        "vertices": packed.plain(surface.vertices, "f4"), "faces": packed.plain(surface.faces, "u4"),
        "texcoords": None if surface.texcoords is None else packed.plain(surface.texcoords, "f4"),
        "bones": [
            {
                "body": int(model.skin_bonebodyid[bone]), "pos": model.skin_bonebindpos[bone].tolist(),
                "quat": model.skin_bonebindquat[bone].tolist(),
            }
            for bone in bones
        ],
        "owners": packed.plain(np.repeat(np.arange(len(bones)), counts), "u2"),
        "points": packed.plain(model.skin_bonevertid[points], "u4"),
        "weights": packed.plain(model.skin_bonevertweight[points], "f4"), "inflate": float(model.skin_inflate[skin]),
    }  # fmt: skip


def flex_row(packed: Packed, model: Model, dataid: int) -> dict[str, Any]:
    """A flex: what carries its vertices, and how the points of its surface follow them."""
    form = flex_form(model, dataid)
    carriers, targets, owners, weights = flex_carriers(model, form.flex)
    arrays = {
        "targets": (targets, "u4"), "owners": (owners, "u4"), "weights": (weights, "f4"), "vertex": (form.vertex, "u4"),
        "along": (form.along, "f4"), "fixed": (form.fixed, "f4"), "edge": (form.edge, "u4"),
        "across": (form.across, "f4"), "around": (form.around, "u4"), "edges": (form.edges, "u4"),
        "faces": (form.faces, "u4"),
    }  # fmt: skip
    return {
        "count": int(model.flex_vertnum[form.flex]),
        "carriers": [{"body": body, "pos": list(pos)} for body, pos in carriers],
        "texcoords": None if form.texcoords is None else packed.plain(form.texcoords, "f4"),
        **{name: packed.plain(array, kind) for name, (array, kind) in arrays.items()},
    }


def _surface_row(packed: Packed, surface: Surface) -> dict[str, Any]:
    low, high = surface.vertices.min(axis=0).astype(float), surface.vertices.max(axis=0).astype(float)
    step = np.maximum(high - low, 1e-12) / _POINTS
    is_short = len(surface.vertices) < _SHORT
    return {
        "vertices": packed.plain(np.rint((surface.vertices - low) / step), "u2"), "low": low.tolist(),
        "step": step.tolist(), "normals": packed.plain(np.rint(surface.normals * _NORMALS), "i1"),
        "texcoords": None if surface.texcoords is None else packed.plain(surface.texcoords, "f4"),
        "faces": packed.plain(surface.faces, "u2" if is_short else "u4"),
    }  # fmt: skip


def material_rows(model: Model) -> list[dict[str, float]]:
    """How each material of the model reflects light."""
    names = ("specular", "shininess", "emission", "reflectance")
    columns = {name: getattr(model, f"mat_{name}") for name in names}
    return [{name: float(column[k]) for name, column in columns.items()} for k in range(model.nmat)]


class TextureUse:
    """The textures that shapes use, in the order in which they are first asked for."""

    def __init__(self, model: Model):
        self._model = model
        self.used: dict[int, int] = {}

    def of(self, kind: int, dataid: int, matid: int, size: np.ndarray) -> dict[str, Any]:
        """Which texture a shape has, and how it lies on it, as the page says it."""
        texid = texture_id(self._model, matid)
        if texid < 0:
            return {"texture": None, "mode": 0, "map": [1.0, 1.0, 0.0, 0.0]}
        index = self.used.setdefault(texid, len(self.used))
        if int(self._model.tex_type[texid]) != _FLAT:
            is_uniform = float(self._model.mat_texuniform[matid])
            return {"texture": index, "mode": BY_DIRECTION, "map": [is_uniform, 0.0, 0.0, 0.0]}
        scale, offset = texture_map(self._model, matid, kind, dataid, size)
        if kind != GeomType.PLANE:
            return {"texture": index, "mode": BY_COORDINATES, "map": [*scale.tolist(), *offset.tolist()]}
        # a picture across the whole plane, or of 2 m if it has no end; its rows go downwards
        half = np.where(size[:2] > 0, size[:2], 1.0)
        middle = np.where(size[:2] > 0, 0.5, 0.0)
        along = 0.5 * scale / half * (1.0, -1.0)
        return {"texture": index, "mode": BY_PLACE, "map": [*along.tolist(), *(middle * scale + offset).tolist()]}

    def rows(self) -> list[dict[str, Any]]:
        """Pictures of the textures that are used."""
        return [self._row(texid) for texid in self.used]

    def _row(self, texid: int) -> dict[str, Any]:
        is_cube = int(self._model.tex_type[texid]) != _FLAT
        return {"picture": picture_text(texture_of(self._model, texid), is_cube), "isCube": is_cube}


def picture_text(pixels: np.ndarray, is_cube: bool) -> str:
    """A picture (height, width, channels) as an address that holds it; a cube is six squares below each other."""
    from PIL import Image  # slow to import, and not needed before

    picture = Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels).convert("RGB")
    height, width = pixels.shape[:2]
    if is_cube and height != 6 * width:
        # one square serves all sides
        sides = Image.new("RGB", (width, 6 * width))
        for side in range(6):
            sides.paste(picture, (0, side * width))
        picture = sides
    factor = min(1.0, _WIDEST / picture.width)
    if factor < 1:
        picture = picture.resize((round(picture.width * factor), round(picture.height * factor)))
    file = io.BytesIO()
    picture.save(file, "WEBP", lossless=True, quality=80)
    return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode("ascii")
