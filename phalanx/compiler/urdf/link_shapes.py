"""Geoms of links: shapes of visuals and collisions, and the meshes that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count

import numpy as np

from phalanx.compiler.asset.mesh_asset import stem
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.file_language import URDF
from phalanx.compiler.text.files import stripped
from phalanx.compiler.urdf.addresses import Addresses
from phalanx.compiler.urdf.link_materials import Looks, Rgba
from phalanx.compiler.urdf.link_tree import Link
from phalanx.compiler.urdf.translation import Translation, asset_folder, child_of, children_of, frame_of, put

Values = dict[str, object]

#: Shape -> sizes of its geom, half as long as URDF says.
SIZES: dict[str, Callable[[Element], tuple[float, ...]]] = {
    "box": lambda shape: tuple(side / 2 for side in shape.attributes["size"]),
    "sphere": lambda shape: (shape.attributes["radius"],),
    "cylinder": lambda shape: (shape.attributes["radius"], shape.attributes["length"] / 2),
    "capsule": lambda shape: (shape.attributes["radius"], shape.attributes["length"] / 2),
}
#: Of several shapes MuJoCo takes the one that comes first here.
MUJOCO_ORDER = ("box", "cylinder", "sphere", "capsule", "mesh")
ONES = (1.0, 1.0, 1.0)


class Shapes:
    """Makes the geoms of all links."""

    def __init__(self, translation: Translation, addresses: Addresses):
        self.translation, self.addresses = translation, addresses
        self.looks = Looks(translation, addresses)
        self.names: set[str] = set()
        #: mesh elements by file and scale, and how many there are with each name of a file
        self.meshes: dict[tuple[str, tuple[float, ...]], Element] = {}
        self.alike: Counter[str] = Counter()
        self.mesh_names: set[str] = set()
        #: names of meshes that give mass to a link
        self.weighed: set[str] = set()
        robot = translation.robot
        self.has_visuals = any(element.tag == "visual" for element in robot.walk())
        self.discards = bool(translation.compiler.attributes.get("discardvisual"))

    def add_geoms(self, body: Element, link: Link) -> None:
        """The geoms of a link, in the order of the file."""
        color: Rgba | None = None
        is_mujoco = self.translation.style.is_mujoco
        needs_mass = child_of(link.element, "inertial") is None
        for element in children_of(link.element, "visual", "collision"):
            is_visual = element.tag == "visual"
            if is_visual:
                color = self.looks.color_of(element) or color
                if is_mujoco and self.discards:
                    continue
            values = self._shape(element)
            if values is None:
                continue
            values |= self._visual(element, color) if is_visual else self._collision(color)
            geom = put(body, "geom", element, name=self._name(element), **values, **frame_of(element))
            if not is_visual and needs_mass and geom.get("mesh"):
                self.weighed.add(geom.attributes["mesh"])
        if needs_mass and not is_mujoco and not link.is_world:
            self._note_mass(link)

    def _visual(self, element: Element, color: Rgba | None) -> Values:
        """What makes a geom visual: it touches nothing and weighs nothing."""
        style = self.translation.style
        looks: Values = {"rgba": _opaque(color)} if style.is_mujoco else self.looks.attributes_of(element)
        return {"contype": 0, "conaffinity": 0, "group": style.visual_group, "density": 0, **looks}

    def _collision(self, color: Rgba | None) -> Values:
        """In MuJoCo collision shapes have the color of the visual before them."""
        style = self.translation.style
        if style.is_mujoco:
            return {"rgba": _opaque(color)}
        # a robot without visuals is seen by its collision shapes
        return {"group": style.collision_group if self.has_visuals else 0}

    def _name(self, element: Element) -> str | None:
        """The name of a geom; visuals and collisions of a file may have the same one."""
        name = element.name
        if not name:
            return None
        if name in self.names:
            self.translation.note(element, "its name is that of another geom: the geom has none", "name")
            return None
        self.names.add(name)
        return name

    def _note_mass(self, link: Link) -> None:
        """Links without an inertial weigh what their collision shapes weigh."""
        if children_of(link.element, "collision"):
            message = "no inertial: mass and inertia are those of its collision shapes, filled with water"
            self.translation.note(link.element, message)

    # --- shapes

    def _shape(self, element: Element) -> Values | None:
        """The type and size of a geom, None if they cannot be told."""
        geometry = child_of(element, "geometry")
        if geometry is None:
            if "<geometry>" not in element.skipped:
                self.translation.report(element, f"the {element.tag} has no geometry element")
            return None
        shapes = geometry.children
        if len(shapes) > 1 and self.translation.style.is_mujoco:
            shapes = sorted(shapes, key=lambda shape: MUJOCO_ORDER.index(shape.tag))[:1]
        if len(shapes) != 1:
            self._tell_count(element, geometry)
            return None
        shape = shapes[0]
        if shape.bad:
            return None
        if shape.tag == "mesh":
            return {"type": "mesh", "mesh": self._mesh(shape)}
        size = SIZES[shape.tag](shape)
        if min(size) <= 0 and not self.translation.style.is_mujoco:
            self._tell_size(element, shape, size)
            return None
        return {"type": shape.tag, "size": size}

    def _tell_count(self, element: Element, geometry: Element) -> None:
        """Say what is wrong with a geometry that has not one shape; mistakes of the reader are told already."""
        others = geometry.skipped
        if geometry.children or not others:
            self.translation.report(geometry, f"a geometry holds one shape, not {len(geometry.children)}")
        elif all(URDF.passes(tag.strip("<>"), geometry.row.children) for tag in others):
            self._leave_out(element, f"the shape {', '.join(tag.strip('<>') for tag in others)} is unknown")

    def _tell_size(self, element: Element, shape: Element, size: tuple[float, ...]) -> None:
        """Say what is wrong with a shape that has no size."""
        words = " ".join(f"{value:g}" for values in shape.attributes.values() for value in np.atleast_1d(values))
        if min(size) < 0:
            self.translation.complain(shape, f"the {shape.tag} has the size {words}, which must be positive",
                                      f"the {element.tag} is left out")  # fmt: skip
        else:
            self._leave_out(element, f"the {shape.tag} has the size {words}")

    def _leave_out(self, element: Element, finding: str) -> None:
        """Leave out a visual that shows nothing, or a collision shape if that is a repair."""
        if element.tag == "visual" and not self.translation.style.is_mujoco:
            self.translation.note(element, f"{finding}: the visual is left out")
        elif self.translation.style.is_mujoco:
            self.translation.report(element, finding)
        else:
            self.translation.complain(element, finding, "the collision is left out")

    def _mesh(self, shape: Element) -> str:
        """The name of the mesh asset of a file, which is made when it is first used with a scale."""
        is_mujoco = self.translation.style.is_mujoco
        written = shape.attributes["filename"]
        scale = shape.attributes.get("scale", ONES)
        if is_mujoco and self.translation.compiler.attributes.get("strippath"):
            written = stripped(written)
        # MuJoCo knows no addresses, and looks for a path where its compiler settings say
        folder = asset_folder(self.translation.compiler, "meshdir")
        file = self.addresses.path_of(written, folder) if not is_mujoco or "://" in written else written
        if (file, scale) not in self.meshes:
            name = self._mesh_name(stem(written))
            self.meshes[file, scale] = put(self.translation.section("asset"), "mesh", shape, name=name, file=file,
                                           scale=scale if scale != ONES else None)  # fmt: skip
        return str(self.meshes[file, scale].attributes["name"])

    def _mesh_name(self, name: str) -> str:
        """The name of a new mesh, from that of its file: a count is added for files of the same name, as in MuJoCo."""
        before = self.alike[name]
        self.alike[name] += 1
        start = f"{name}{before}" if before else name
        free = (f"{start}_{k}" if k else start for k in count())
        found = next(candidate for candidate in free if candidate not in self.mesh_names)
        self.mesh_names.add(found)
        return found

    def settle_meshes(self) -> None:
        """Say what has mass in meshes: their hull where a link weighs what they weigh, else it does not matter.

        The volume inside of a surface with holes is not defined, and many files have such surfaces.
        """
        if self.translation.style.is_mujoco:
            return
        for mesh in self.meshes.values():
            mesh["inertia"] = "convex" if mesh.attributes["name"] in self.weighed else "shell"


def _opaque(color: Rgba | None) -> Rgba | None:
    """A color as MuJoCo takes it: one with a negative red is none."""
    return color if color is not None and color[0] >= 0 else None
