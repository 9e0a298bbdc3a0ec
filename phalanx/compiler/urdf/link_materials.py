"""Colors and textures of links, from materials that are defined once and used by name."""

from __future__ import annotations

from typing import NamedTuple

from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import quoted
from phalanx.compiler.text.files import stripped
from phalanx.compiler.urdf.addresses import Addresses
from phalanx.compiler.urdf.translation import Translation, asset_folder, child_of, put

#: Endings of pictures that can be read.
PICTURES = (".png", ".ktx")
Rgba = tuple[float, float, float, float]


class Look(NamedTuple):
    """What a material says: its color and the file of its texture, None for what it does not say."""

    rgba: Rgba | None
    texture: str | None


class Looks:
    """The materials of a robot by name; the first definition of a name counts, wherever it is."""

    def __init__(self, translation: Translation, addresses: Addresses):
        self.translation, self.addresses = translation, addresses
        self.known: dict[str, Look] = {}
        #: materials that are in the model already
        self.written: set[str] = set()
        for element in translation.robot.walk():
            if element.tag == "material":
                look, name = _look(element), element.attributes.get("name")
                if name and look != Look(None, None):
                    self.known.setdefault(name, look)

    def color_of(self, visual: Element) -> Rgba | None:
        """The color that the material of a visual says, its own or that of its name."""
        material = child_of(visual, "material")
        if material is None:
            return None
        own = _look(material).rgba
        return own or self.known.get(material.attributes.get("name") or "", Look(None, None)).rgba

    def attributes_of(self, visual: Element) -> dict[str, object]:
        """The attributes of a geom that give it the looks of a visual: a material of the model, or a color."""
        material = child_of(visual, "material")
        if material is None:
            return {}
        name, own = material.attributes.get("name") or "", _look(material)
        look = own if own != Look(None, None) else self.known.get(name)
        if look is None:
            self.translation.note(material, f"material {name!r} is not defined: the geom has the usual color", "name")
            return {}
        if not name or self.known.get(name) != look:
            # a second meaning of a name, or none: the color goes to the geom
            if look.texture is not None:
                self.translation.note(material, "its texture is left out: another material has its name")
            return {"rgba": look.rgba}
        if name not in self.written:
            self.written.add(name)
            texture = self._texture(material, name, look)
            put(self.translation.section("asset"), "material", material, name=name, rgba=look.rgba, texture=texture)
        return {"material": name}

    def _texture(self, material: Element, name: str, look: Look) -> str | None:
        """The name of a new texture, None if there is none or its format is not read."""
        if look.texture is None:
            return None
        if not look.texture.lower().endswith(PICTURES):
            file = quoted(stripped(look.texture))
            self.translation.note(material, f"texture {file} is left out: pictures end in {' or '.join(PICTURES)}")
            return None
        path = self.addresses.path_of(look.texture, asset_folder(self.translation.compiler, "texturedir"))
        put(self.translation.section("asset"), "texture", material, name=name, type="2d", file=path)
        return name


def _look(material: Element) -> Look:
    color, texture = child_of(material, "color"), child_of(material, "texture")
    return Look(
        None if color is None else color.attributes.get("rgba"),
        None if texture is None else texture.attributes.get("filename"),
    )
