"""Geoms, meshes and inertias of a model as those of URDF links."""

from __future__ import annotations

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Vector, subtract
from phalanx.compiler.text.element import Element
from phalanx.compiler.urdf.losses import Losses
from phalanx.compiler.urdf.write_joint import make, put_origin

#: Type of a geom -> attributes of its shape, from its sizes.
_SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
#: The color of a material that names none.
WHITE = (1.0, 1.0, 1.0, 1.0)


class LinkWriter:
    """Writes what links carry.

    Args:
        model: the mujoco element of the model.
        folder: where its meshes will be, beside the file.
        losses: what is left out.
    """

    def __init__(self, model: Element, folder: str, losses: Losses):
        self.folder, self.losses = folder, losses
        assets = [child for section in model.children if section.tag == "asset" for child in section.children]
        self.meshes = {asset.name: asset for asset in assets if asset.tag == "mesh"}
        self.colors = {asset.name: asset.attributes.get("rgba", WHITE) for asset in assets if asset.tag == "material"}
        #: contents of mesh files by name
        self.files: dict[str, bytes] = {}

    def put(self, link: Element, body: Element, offset: Vector) -> None:
        """The inertial and the shapes of a link, which is at `offset` in its body."""
        inertial = next((child for child in body.children if child.tag == "inertial"), None)
        geoms = [child for child in body.children if child.tag == "geom"]
        if inertial is not None:
            _put_inertial(link, inertial, offset)
        for geom in geoms:
            self._put_geom(link, geom, offset)

    def _put_geom(self, link: Element, geom: Element, offset: Vector) -> None:
        kind = geom.attributes.get("type", "sphere")
        if kind not in _SIZES and kind != "mesh":
            self.losses.add(geom, f"URDF has no {kind}")
            return
        self.losses.check(geom)
        is_visual = _is_visual(geom)
        masks = (geom.attributes.get("contype", 1), geom.attributes.get("conaffinity", 1))
        if not is_visual and masks != (1, 1):
            self.losses.add(geom, "URDF has no contype and conaffinity: it collides with everything")
        element = make("visual" if is_visual else "collision", link, name=geom.name or None)
        put_origin(element, subtract(geom.attributes.get("pos", ORIGIN), offset), geom.attributes.get("quat", IDENTITY))
        self._put_shape(make("geometry", element), kind, geom)
        self._put_color(element, geom)

    def _put_shape(self, geometry: Element, kind: str, geom: Element) -> None:
        if kind == "mesh":
            name = geom.attributes["mesh"]
            file = f"{self.folder}/{name}.obj"
            self.files[file] = obj_of(self.meshes[name])
            make("mesh", geometry, filename=file)
            return
        size = geom.attributes["size"]
        values: tuple[object, ...] = (size[0], 2 * size[1])
        if kind == "box":
            values = (tuple(2 * half for half in size),)
        make(kind, geometry, **dict(zip(_SIZES[kind], values, strict=False)))

    def _put_color(self, element: Element, geom: Element) -> None:
        """The color of a visual; collisions have none."""
        material = geom.attributes.get("material")
        color = self.colors.get(material) if material else geom.attributes.get("rgba")
        if color is None:
            return
        if element.tag == "visual":
            make("color", make("material", element, name=material), rgba=color)
        else:
            self.losses.add(geom, "URDF has no colors of collision shapes")


def _is_visual(geom: Element) -> bool:
    """Does a geom touch nothing?"""
    return geom.attributes.get("contype", 1) == 0 and geom.attributes.get("conaffinity", 1) == 0


def _put_inertial(link: Element, inertial: Element, offset: Vector) -> None:
    element = make("inertial", link)
    put_origin(element, subtract(inertial.attributes["pos"], offset), inertial.attributes.get("quat", IDENTITY))
    _put_mass(element, inertial.attributes["mass"], inertial.attributes["diaginertia"])


def _put_mass(inertial: Element, mass: float, moments: Vector) -> None:
    make("mass", inertial, value=mass)
    x, y, z = moments
    make("inertia", inertial, ixx=x, ixy=0.0, ixz=0.0, iyy=y, iyz=0.0, izz=z)


def obj_of(mesh: Element) -> bytes:
    """The OBJ file of a mesh."""
    points, corners = iter(mesh.attributes["vertex"]), iter(mesh.attributes.get("face", ()))
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in zip(points, points, points, strict=True)]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in zip(corners, corners, corners, strict=True)]
    return ("\n".join(lines) + "\n").encode()
