"""Meshes: surfaces of a model as the page takes them, each made once."""

from __future__ import annotations

import numpy as np

from phalanx.scene.surface import Surface
from phalanx.scene.surfaces import FOLLOWING, surface_of, texture_id, texture_map, texture_of
from phalanx.show.viewer.cube import on_atlas
from phalanx.show.viewer.forms import Form
from phalanx.show.viewer.glb import glb_of
from phalanx.show.viewer.looks import Look
from phalanx.tables.enums import GeomType
from phalanx.world.model import Model

#: Facets around a full circle: of shapes, and of decor.
FINE, COARSE = 32, 12
#: Kinds whose surface may be open, so that its inside is seen, too.
OPEN = (GeomType.MESH, GeomType.SDF, GeomType.HFIELD, *FOLLOWING)


class Meshes:
    """Triangles and textured meshes of one model, kept for the next node that needs them.

    Attributes:
        model: the model.
    """

    def __init__(self, model: Model):
        self.model = model
        self._surfaces: dict[tuple[Form, bool], Surface] = {}
        self._glbs: dict[tuple[Look, float], bytes] = {}

    def surface(self, form: Form, is_coarse: bool = False) -> Surface:
        """The surface of a form."""
        key = form, is_coarse
        if key not in self._surfaces:
            self._surfaces[key] = surface_of(self.model, *form, resolution=COARSE if is_coarse else FINE)
        return self._surfaces[key]

    def triangles(self, form: Form, is_coarse: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (n, 3) and faces (k, 3) of a form."""
        surface = self.surface(form, is_coarse)
        return surface.vertices, surface.faces

    def side(self, form: Form) -> str:
        """Which sides of a form are drawn."""
        return "double" if form[0] in OPEN else "front"

    def glb(self, look: Look, opacity: float) -> bytes:
        """A textured surface as a binary glTF file."""
        key = look, opacity
        if key not in self._glbs:
            self._glbs[key] = glb_of(*self._textured(look), (*look.rgba, opacity))
        return self._glbs[key]

    def _textured(self, look: Look) -> tuple[Surface, np.ndarray]:
        """A surface with texture coordinates, and the picture that they are places of."""
        surface, texid = self.surface(look.form), texture_id(self.model, look.matid)
        texture = texture_of(self.model, texid)
        if self.model.tex_type[texid] or surface.texcoords is None:
            return on_atlas(surface, texture)
        scale, offset = texture_map(self.model, look.matid, *look.form)
        placed = surface.texcoords * scale + offset
        return Surface.of(surface.vertices, surface.normals, placed, surface.faces), texture
