"""The state of a translation: elements of the URDF file by name, the MJCF tree so far, problems and notes."""

from __future__ import annotations

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector, rotation_of_euler
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Problem
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.notes import Note, note_of
from phalanx.compiler.urdf.settings import UrdfSettings
from phalanx.tables.mjcf_schema import ELEMENTS


class Translation:
    """One URDF file while it becomes a model.

    Attributes:
        robot: the root element of the URDF file.
        model: the root element of the MJCF tree.
        compiler: the settings of the MJCF compiler.
        bodies: name of a link -> its body, or the world body.
        joints: name of a joint -> the joints that it became; none for a fixed one.
    """

    def __init__(self, robot: Element, settings: UrdfSettings, files: Files, problems: list[Problem]):
        self.robot, self.settings, self.style, self.files = robot, settings, settings.row, files
        self.problems = problems
        self.notes: list[Note] = []
        self.model = made(ELEMENTS["mujoco"].key, robot)
        self.compiler: Element = self.model
        self.bodies: dict[str, Element] = {}
        self.joints: dict[str, list[Element]] = {}

    def report(self, element: Element, message: str, attribute: str = "") -> None:
        """Add a problem at the place of an element of the file."""
        if attribute not in element.bad:
            self.problems.append(element.problem(message, attribute))

    def note(self, element: Element, message: str, attribute: str = "") -> None:
        """Add a note at the place of an element of the file."""
        self.notes.append(note_of(element.problem(message, attribute)))

    def complain(self, element: Element, finding: str, remedy: str, attribute: str = "") -> bool:
        """A problem that can be repaired: with `repair` a note that says what is done about it.

        Returns:
            Is it repaired?
        """
        if self.settings.repair:
            self.note(element, f"{finding}; repaired: {remedy}", attribute)
        else:
            self.report(element, f"{finding}; correct it, or read the file with repair=True: {remedy}", attribute)
        return self.settings.repair

    def section(self, tag: str) -> Element:
        """The section of the MJCF tree with a tag."""
        for child in self.model.children:
            if child.tag == tag:
                return child
        return put(self.model, tag, self.robot)


def made(key: str, origin: Element) -> Element:
    """A new element of MJCF whose place is that of an element of the file."""
    return Element(ELEMENTS[key], origin.source, origin.place)


def put(holder: Element, tag: str, origin: Element, **attributes: object) -> Element:
    """A new element of MJCF in another one; attributes that are None are not written."""
    child = made(holder.row.children[tag][0], origin)
    for name, value in attributes.items():
        if value is not None:
            child[name.rstrip("_")] = value
    return holder.append(child)


def child_of(element: Element, tag: str) -> Element | None:
    """The first element inside with a tag."""
    return next((child for child in element.children if child.tag == tag), None)


def asset_folder(compiler: Element, name: str) -> str:
    """Where the settings of a file say that its assets are; `name` is "meshdir" or "texturedir"."""
    return str(compiler.attributes.get(name) or compiler.attributes.get("assetdir") or "")


def children_of(element: Element, *tags: str) -> list[Element]:
    """All elements inside with one of some tags."""
    return [child for child in element.children if child.tag in tags]


def origin_of(element: Element) -> tuple[Vector, Quat]:
    """Position and orientation that the origin of an element says."""
    origin = child_of(element, "origin")
    if origin is None:
        return ORIGIN, IDENTITY
    pos = origin.attributes.get("xyz", ORIGIN)
    angles = origin.attributes.get("rpy")
    return pos, rotation_of_euler(angles, "XYZ", False) if angles is not None else IDENTITY


def frame_of(element: Element) -> dict[str, object]:
    """The attributes pos and quat of the origin of an element, without those that change nothing."""
    pos, quat = origin_of(element)
    return {"pos": pos if pos != ORIGIN else None, "quat": quat if quat != IDENTITY else None}
