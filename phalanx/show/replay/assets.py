"""What the shapes of a page are made of: surfaces, textures and materials, each stored once.

Points of a surface are stored in 65535 steps of its size along each axis, normals in steps of 1/127.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from PIL import Image

from phalanx.scene.surfaces import surface_of, texture_of
from phalanx.show.replay.pack import Packed
from phalanx.tables.enums import GeomType
from phalanx.world.model import Model

#: Steps of points along an axis, and of normals.
_POINTS, _NORMALS = 65535, 127
#: Indices up to here take two bytes.
_SHORT = 2**16
#: Widest texture in a page [pixels]; larger ones are made smaller.
_WIDEST = 1024
#: How the page finds a place in a texture: by the place in the shape, by coordinates of the surface, by direction.
BY_PLACE, BY_COORDINATES, BY_DIRECTION = 1, 2, 3


def mesh_row(packed: Packed, model: Model, kind: int, dataid: int) -> dict[str, Any]:
    """A mesh, a height field or another surface that is not a basic shape."""
    surface = surface_of(model, kind, dataid, np.ones(3))
    low, high = surface.vertices.min(axis=0).astype(float), surface.vertices.max(axis=0).astype(float)
    step = np.maximum(high - low, 1e-12) / _POINTS
    lengths = np.maximum(np.linalg.norm(surface.normals, axis=1, keepdims=True), 1e-12)
    is_short = len(surface.vertices) < _SHORT
    return {
        "vertices": packed.plain(np.rint((surface.vertices - low) / step), "u2"), "low": low.tolist(),
        "step": step.tolist(),
        "normals": packed.plain(np.rint(surface.normals / lengths * _NORMALS), "i1"),
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
        plain: dict[str, Any] = {"texture": None, "mode": 0, "map": [1.0, 1.0, 0.0, 0.0]}
        texid = -1 if matid < 0 else int(self._model.mat_texid[matid, 1])
        if texid < 0:
            return plain
        kind_of_texture = int(self._model.tex_type[texid])
        index = self.used.setdefault(texid, len(self.used))
        if kind_of_texture != 0:
            return {**plain, "texture": index, "mode": BY_DIRECTION}
        has_surface = kind in (GeomType.MESH, GeomType.SDF, GeomType.HFIELD)
        return {**plain, "texture": index, "mode": BY_COORDINATES if has_surface else BY_PLACE}

    def rows(self) -> list[dict[str, Any]]:
        """Pictures of the textures that are used."""
        return [self._row(texid) for texid in self.used]

    def _row(self, texid: int) -> dict[str, Any]:
        is_cube = int(self._model.tex_type[texid]) != 0
        return {"picture": picture_text(texture_of(self._model, texid), is_cube), "isCube": is_cube}


def picture_text(pixels: np.ndarray, is_cube: bool) -> str:
    """A picture (height, width, channels) as an address that holds it; a cube is six squares below each other."""
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
