"""Composite joints and couplings: one row each, beyond MJCF. A reader replaces them by plain elements at once.

The file of a kind is `phalanx/compiler/mechanism/<tag>.py`; the words of model files, checks of attributes and the page
of the reference derive from the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from phalanx.tables.mjcf_body import BODY
from phalanx.tables.mjcf_equality import EQUALITY_BASE
from phalanx.tables.mjcf_row import CLASS, Attribute, ElementRow, element, flag, name_of, real, refers

#: Elements that can hold a joint; the world itself cannot move.
IN_BODY = ("body", "frame")
#: Elements that can hold bodies.
IN_TREE = ("worldbody", "body", "frame")
IN_EQUALITY = ("equality",)

_JOINT = next(row for row in BODY if row.key == "joint")
#: Attributes that a composite joint hands to each of its joints.
PASSED = (
    "class", "group", "pos", "springdamper", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
    "stiffness", "margin", "armature", "damping", "frictionloss",
)  # fmt: skip
_PASSED = tuple(_JOINT.attributes[name] for name in PASSED)
_NAME = name_of("joint", required=True)


@dataclass(frozen=True)
class MechanismRow:
    """A composite joint or a coupling.

    Attributes:
        tag: its element in model files, and the word for it in Python.
        inside: tags of the elements that can hold it.
        doc: what it does, in one line.
        attributes: of its element.
        makes: the plain elements that it becomes, in words; {name} is its name.
    """

    tag: str
    inside: tuple[str, ...]
    doc: str
    attributes: tuple[Attribute, ...]
    makes: str

    @cached_property
    def element(self) -> ElementRow:
        """The row of its element."""
        return element(f"mechanism/{self.tag}", self.doc, self.attributes)


def _axis(name: str, doc: str, default: tuple[float, float, float]) -> Attribute:
    return real(name, doc, default, count=3)


def _range(name: str, of: str) -> Attribute:
    return real(name, f"lower and upper limit of the {of}", None, count=2)


def _joint(tag: str, doc: str, makes: str, *attributes: Attribute) -> MechanismRow:
    return MechanismRow(tag, IN_BODY, doc, (_NAME, *attributes, *_PASSED), makes)


def _coupling(tag: str, doc: str, makes: str, *attributes: Attribute) -> MechanismRow:
    return MechanismRow(tag, IN_EQUALITY, doc, (name_of("equality"), CLASS, *attributes, *EQUALITY_BASE), makes)


def _driven(doc: str) -> Attribute:
    return refers("joint1", "joint", doc, required=True)


def _driver(doc: str) -> Attribute:
    return refers("joint2", "joint", doc, required=True)


_JOINT_EQUALITY = "joint equality {name}"
_FIXED_TENDON = "fixed tendon {name} and a tendon equality {name} that keeps its length"

MECHANISMS: dict[str, MechanismRow] = {row.tag: row for row in (
    _joint(
        "universal", "two hinges whose axes cross at a right angle: a Cardan joint", "hinges {name}_1, {name}_2",
        _axis("axis", "axis of the first hinge, fixed in the parent", (1.0, 0.0, 0.0)),
        _axis("axis2", "axis of the second hinge, fixed in the body", (0.0, 1.0, 0.0)),
        _range("range", "first hinge"), _range("range2", "second hinge"),
    ),
    _joint(
        "cylindrical", "translation along an axis and rotation about it", "slide {name}_1, hinge {name}_2",
        _axis("axis", "the axis", (0.0, 0.0, 1.0)), _range("range", "translation"), _range("range2", "rotation"),
    ),
    _joint(
        "planar", "translation in a plane and rotation about its normal", "slides {name}_1, {name}_2, hinge {name}_3",
        _axis("axis", "normal of the plane", (0.0, 0.0, 1.0)),
        _axis("axis2", "direction of the first translation, made normal to the axis", (1.0, 0.0, 0.0)),
        _range("range", "first translation"), _range("range2", "second translation"), _range("range3", "rotation"),
    ),
    _joint(
        "screw", "a rotation that moves the body along its axis: a helical joint",
        "hinge {name}_1, slide {name}_2, joint equality {name}",
        _axis("axis", "the axis", (0.0, 0.0, 1.0)),
        real("pitch", "travel along the axis per revolution; negative for a left-handed thread", None, required=True),
        _range("range", "rotation"),
    ),
    MechanismRow(
        "fourbar", IN_TREE, "a planar loop of four links, closed in the initial pose",
        (
            name_of("body", required=True),
            real("ground", "distance of the fixed pivots", None, required=True),
            real("crank", "length of the link that is driven", None, required=True),
            real("coupler", "length of the link opposite to the ground", None, required=True),
            real("rocker", "length of the link that follows", None, required=True),
            real("angle", "angle of the crank in the initial pose, from the line of the fixed pivots", 90.0),
            flag("crossed", "whether the coupler crosses the line of the fixed pivots"),
            real("pos", "pivot of the crank; the ground is along x, the axes along z", (0.0, 0.0, 0.0), count=3),
            real("radius", "radius of the links", 0.01), real("density", "density of the links", 1000.0),
            real("damping", "damping of the hinges", 0.0), *EQUALITY_BASE,
        ),
        "bodies {name}_crank, {name}_coupler, {name}_rocker with hinges of these names, connect {name}",
    ),
    MechanismRow(
        "loop", IN_EQUALITY, "two bodies that are joined where the tree has no joint",
        (
            name_of("equality"), CLASS, refers("body1", "body", "first body", required=True),
            refers("body2", "body", "second body, the world if absent"),
            real("anchor", "where they meet, in the first body", (0.0, 0.0, 0.0), count=3),
            _axis("axis", "axis of a hinge, in the first body; without it they rotate freely", (0.0, 0.0, 0.0)),
            real("span", "distance of two points of the axis that are kept together", 0.1), *EQUALITY_BASE,
        ),
        "connect {name}; with an axis, connects {name}_1 and {name}_2",
    ),
    _coupling(
        "gear", "two gears that mesh", _JOINT_EQUALITY,
        _driven("hinge of the driven gear"), _driver("hinge of the driving gear"),
        real("ratio", "rotations of the driver per rotation of the driven gear; or teeth1 and teeth2", None),
        real("teeth1", "teeth of the driven gear", None), real("teeth2", "teeth of the driving gear", None),
        flag("internal", "one gear is inside of the other: both rotate the same way"),
    ),
    _coupling(
        "worm", "a worm that drives a wheel", _JOINT_EQUALITY,
        _driven("hinge of the wheel"), _driver("hinge of the worm"),
        real("teeth", "teeth of the wheel", None, required=True), real("starts", "threads of the worm", 1.0),
        flag("left", "the thread is left-handed: the wheel rotates the other way"),
    ),
    _coupling(
        "rack", "a pinion that drives a rack", _JOINT_EQUALITY,
        _driven("slide of the rack"), _driver("hinge of the pinion"),
        real("radius", "radius of the pitch circle; negative if the rack is on the other side", None, required=True),
    ),
    _coupling(
        "belt", "a belt around two pulleys", _JOINT_EQUALITY,
        _driven("hinge of the driven pulley"), _driver("hinge of the driving pulley"),
        real("radius1", "radius of the driven pulley", None, required=True),
        real("radius2", "radius of the driving pulley", None, required=True),
        flag("crossed", "the belt crosses itself: pulleys rotate against each other"),
    ),
    _coupling(
        "cable", "a cable of constant length over two pulleys or carriages", _FIXED_TENDON,
        _driven("first joint"), _driver("second joint"),
        real("radius1", "what the cable yields per rad or m of the first joint", 1.0),
        real("radius2", "what the cable yields per rad or m of the second joint", 1.0),
        refers("joint3", "joint", "third joint"),
        real("radius3", "what the cable yields per rad or m of the third joint", 1.0),
    ),
    _coupling(
        "differential", "a drive that two shafts share: the mean of their rotations follows it", _FIXED_TENDON,
        _driven("hinge of the first shaft"), _driver("hinge of the second shaft"),
        refers("drive", "joint", "hinge of the drive", required=True),
        real("ratio", "rotations of the drive per mean rotation of the shafts", 1.0),
    ),
    _coupling(
        "planetary", "sun, ring and carrier of a planetary gear", _FIXED_TENDON,
        refers("sun", "joint", "hinge of the sun", required=True),
        refers("ring", "joint", "hinge of the ring", required=True),
        refers("carrier", "joint", "hinge of the carrier", required=True),
        real("teeth_sun", "teeth of the sun", None, required=True),
        real("teeth_ring", "teeth of the ring", None, required=True),
    ),
)}  # fmt: skip

#: Tag of an element -> tags of the mechanisms that it can hold.
INSIDE: dict[str, tuple[str, ...]] = {
    holder: tuple(row.tag for row in MECHANISMS.values() if holder in row.inside) for holder in (*IN_TREE, *IN_EQUALITY)
}
