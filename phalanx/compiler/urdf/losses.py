"""What a URDF file cannot say about a model: every attribute and section that is left out becomes a note."""

from __future__ import annotations

from phalanx.compiler.text.element import Element
from phalanx.compiler.text.notes import Note

#: Element of MJCF -> attributes that URDF has words for, or that follow from others, or that are looks only.
CARRIED: dict[str, frozenset[str]] = {
    "body": frozenset(("name", "pos", "quat")),
    "inertial": frozenset(("pos", "quat", "mass", "diaginertia")),
    "joint": frozenset(
        "name type pos axis range limited actuatorfrcrange actuatorfrclimited damping frictionloss group".split()
    ),
    "geom": frozenset("name type contype conaffinity group size pos quat mesh material rgba".split()),
    "general": frozenset(("name", "joint", "gear", "ctrlrange", "ctrllimited", "group")),
}
#: Sections that URDF has nothing like.
SECTIONS = ("contact", "tendon", "sensor", "custom", "keyframe", "deformable")
#: What bodies carry and links do not.
UNKNOWN = ("site", "camera", "light")


class Losses:
    """Notes about what is left out."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def add(self, element: Element, message: str) -> None:
        """Something about an element is left out."""
        self.notes.append(Note(message, element=str(element)))

    def check(self, element: Element) -> None:
        """Note the attributes of an element that URDF has no words for."""
        left = [name for name in element.attributes if name not in CARRIED[element.tag]]
        if left:
            self.add(element, f"URDF has no {', '.join(left)}")

    def check_sections(self, root: Element) -> None:
        """Note the sections, and the elements of bodies, that URDF has nothing like."""
        for section in root.children:
            if section.tag in SECTIONS:
                for child in section.children:
                    self.add(child, f"URDF has no {child.tag}")
            elif section.tag == "visual" and section.children:
                self.add(section, "URDF has no settings of pictures")
            elif section.tag == "worldbody":
                for element in section.walk():
                    if element.tag in UNKNOWN:
                        self.add(element, f"URDF has no {element.tag}")
