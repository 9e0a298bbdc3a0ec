"""Materials: how surfaces look, and the textures they have."""

from __future__ import annotations

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sizes import NTEXROLE

#: Keyword of each role of a texture -> its index in mat_texid.
ROLES = ELEMENTS["asset/material/layer"].attributes["role"].keywords


class Material(ModelObject):
    """A material: colors, reflections and textures of a surface."""

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        #: id of the texture in each role, -1 for none
        self.texids = [-1] * NTEXROLE


def material_id(build: Build, obj: ModelObject) -> int:
    """Id of the material that an object names, -1 if it names none."""
    name = obj.refers_to("material")
    return build.find("material", name, "material").id if name is not None else -1


def compile_materials(build: Build) -> None:
    """Find the textures of all materials."""
    build.each(build.materials, lambda material: _compile_material(build, material))


def _compile_material(build: Build, material: Material) -> None:
    """Textures by role: from the layers of a material, those of its class, or its one texture as color."""
    _check_layers(material)
    layers = material.element.children
    defaults = material.scope.defaults
    inherited = (defaults.find(material.element, "class", []) or defaults.main).layers()
    for layer in layers or inherited:
        role, texture = layer.get("role"), layer.get("texture")
        if role is not None and texture is not None:
            with build.at(layer if layers else material):
                material.texids[ROLES[role]] = build.find("texture", texture, "texture").id
    if material["texture"] is not None and not layers:
        material.texids[ROLES["rgb"]] = build.find("texture", material.refers_to("texture"), "texture").id


def _check_layers(material: Material) -> None:
    if material.element.children and material.element.get("texture") is not None:
        raise ElementProblem("a material with a texture cannot have layers too", "texture")


def write_materials(build: Build) -> None:
    """Columns of materials."""
    build.copy_plain(ELEMENTS["asset/material"], build.materials)
    build.columns["mat_texid"] = [material.texids for material in build.materials]
