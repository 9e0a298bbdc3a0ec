"""The URDF language as one table: elements and attributes of the Unified Robot Description Format.

Rows are of the same types as those of MJCF; their keys begin with `urdf/`. Reader, error messages and the reference
page derive from them. `OTHERS` lists elements that files have and that say nothing about the physics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from phalanx.tables.mjcf_row import Attribute, ElementRow, element, file, keyword, name_of, real, refers, text
from phalanx.tables.mjcf_schema import ELEMENTS

ZERO3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class UrdfJoint:
    """A type of URDF joint.

    Attributes:
        type: as in the file.
        parts: joints of MJCF that it becomes: the end of the name, the type, and which axis it has: "" for none, "axis"
            for that of the file, "x" and "y" for the axes across it.
        has_limits: do `lower` and `upper` bound it?
    """

    type: str
    parts: tuple[tuple[str, str, str], ...]
    has_limits: bool = False

    @property
    def is_scalar(self) -> bool:
        """Has it one coordinate?"""
        return len(self.parts) == 1 and bool(self.parts[0][2])


JOINTS: dict[str, UrdfJoint] = {
    row.type: row
    for row in (
        UrdfJoint("revolute", (("", "hinge", "axis"),), has_limits=True),
        UrdfJoint("continuous", (("", "hinge", "axis"),)),
        UrdfJoint("prismatic", (("", "slide", "axis"),), has_limits=True),
        UrdfJoint("fixed", ()),
        UrdfJoint("floating", (("", "free", ""),)),
        UrdfJoint("planar", (("_TX", "slide", "x"), ("_TY", "slide", "y"), ("_RZ", "hinge", "axis"))),
        UrdfJoint("spherical", (("", "ball", ""),)),
    )
}
"""Every type of joint, by its word in the file."""

#: Sections of MJCF that the `mujoco` element of a URDF file may hold, as in MuJoCo.
EXTENSION = ("compiler", "option", "size")

#: Elements without a meaning for the physics -> what the report says about them.
OTHERS: dict[str, str] = {
    "gazebo": "settings for Gazebo have no effect",
    "sensor": "sensors of URDF are not read",
    "verbose": "it has no effect",
    "contact_coefficients": "contact coefficients of the collision element have no effect",
    "contact": "contact settings have no effect",
    "loop_joint": "loops of joints are not part of URDF; close them with an equality of the Spec",
    "ros2_control": "settings of ros2_control have no effect",
    "self_collision_checking": "it has no effect",
    "kinematics": "it has no effect",
}


def _value(tag: str, doc: str, *attributes: Attribute) -> ElementRow:
    """A row of a file that says one fact."""
    return element(f"urdf/{tag}", doc, *attributes)


_LINK_NAME = name_of("link", required=True)

_ROWS = (
    element(
        "urdf/robot", "a robot: links that joints connect",
        text("name", "name of the robot, which becomes that of the model"),
        text("version", "version of URDF"),
        once="urdf/mujoco", many="urdf/link urdf/joint urdf/material urdf/transmission",
    ),
    element("urdf/mujoco", "settings of MuJoCo: sections of MJCF", once=" ".join(EXTENSION)),
    element(
        "urdf/link", "a rigid body",
        _LINK_NAME,
        text("type", "kind of link; has no effect"),
        once="urdf/inertial", many="urdf/visual urdf/collision",
    ),
    element(
        "urdf/inertial", "mass and inertia of a link",
        once="urdf/origin urdf/mass urdf/inertia",
    ),
    _value("mass", "mass", real("value", "mass [kg]", required=True)),
    _value(
        "inertia", "inertia matrix about the center of mass, along the axes of `origin`",
        *(real(name, f"element {name[1:]} of the matrix [kg m²]", required=True)
          for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    ),
    _value(
        "origin", "a frame: of a joint in the parent link, of all else in its own link",
        real("xyz", "position [m]", ZERO3, count=3),
        real("rpy", "roll, pitch and yaw: rotations about the fixed axes x, y, z in this order [rad]", ZERO3, count=3),
    ),
    element(
        "urdf/visual", "how a link looks",
        name_of("geom"),
        once="urdf/origin urdf/geometry urdf/material",
    ),
    element(
        "urdf/collision", "what a link collides with",
        name_of("geom"),
        text("group", "collision group; has no effect"),
        once="urdf/origin urdf/geometry",
    ),
    element("urdf/geometry", "a shape", once="urdf/box urdf/sphere urdf/cylinder urdf/capsule urdf/mesh"),
    _value("box", "a box", real("size", "lengths of its sides [m]", count=3, required=True)),
    _value("sphere", "a sphere", real("radius", "radius [m]", required=True)),
    _value("cylinder", "a cylinder along z", real("radius", "radius [m]", required=True),
           real("length", "length [m]", required=True)),
    _value("capsule", "a cylinder along z with round ends", real("radius", "radius [m]", required=True),
           real("length", "length between the centers of its ends [m]", required=True)),
    _value(
        "mesh", "a triangle mesh of a file",
        file("filename", "a path, or a package://, model:// or file:// address", required=True),
        real("scale", "factors along the axes", (1.0, 1.0, 1.0), count=3),
    ),
    element(
        "urdf/material", "color or texture",
        text("name", "name, by which other links refer to it"),
        once="urdf/color urdf/texture",
    ),
    _value("color", "a color", real("rgba", "red, green, blue and opacity, from 0 to 1", count=4, required=True)),
    _value("texture", "a picture on the surface", file("filename", "a picture, found like a mesh")),
    element(
        "urdf/joint", "how a link moves in another one",
        name_of("joint", required=True),
        keyword("type", "kind of motion", {name: k for k, name in enumerate(JOINTS)}, required=True),
        once="urdf/origin urdf/parent urdf/child urdf/axis urdf/calibration urdf/dynamics urdf/limit urdf/mimic "
             "urdf/safety_controller",
    ),
    _value("parent", "the link that it hangs on", refers("link", "link", "name of the link", required=True)),
    _value("child", "the link that moves", refers("link", "link", "name of the link", required=True)),
    _value("axis", "axis of the motion, in the frame of the joint",
           real("xyz", "direction", (1.0, 0.0, 0.0), count=3, required=True)),
    _value("calibration", "switches for calibration; noted in the report",
           real("rising", "position of a rising edge"), real("falling", "position of a falling edge"),
           real("reference_position", "position of the switch")),
    _value("dynamics", "damping and friction", real("damping", "damping [N s/m or N m s/rad]", 0.0),
           real("friction", "dry friction [N or N m]", 0.0)),
    _value("limit", "bounds of the motion", real("lower", "lowest position [m or rad]", 0.0),
           real("upper", "highest position [m or rad]", 0.0), real("effort", "largest force or torque [N or N m]"),
           real("velocity", "largest velocity [m/s or rad/s]; noted in the report")),
    _value("mimic", "a position that follows another joint: multiplier * position + offset",
           refers("joint", "joint", "the joint that it follows", required=True), real("multiplier", "factor", 1.0),
           real("offset", "position when the other is at 0 [m or rad]", 0.0)),
    _value("safety_controller", "soft limits of a controller; noted in the report",
           real("soft_lower_limit", "lowest position [m or rad]", 0.0),
           real("soft_upper_limit", "highest position [m or rad]", 0.0),
           real("k_position", "gain of the position limits", 0.0),
           real("k_velocity", "gain of the velocity limit")),
    element(
        "urdf/transmission", "how an actuator moves a joint",
        text("name", "name of the transmission"),
        text("type", "kind of transmission"),
        once="urdf/transmission/type urdf/transmission/mechanicalReduction",
        many="urdf/transmission/joint urdf/transmission/actuator",
    ),
    element("urdf/transmission/type", "kind of transmission, as text"),
    element("urdf/transmission/mechanicalReduction", "actuator positions per joint position, as text"),
    element(
        "urdf/transmission/joint", "the joint that moves",
        refers("name", "joint", "name of the joint", required=True),
        text("role", "role in a transmission of several joints"),
        once="urdf/transmission/mechanicalReduction urdf/transmission/role urdf/transmission/offset",
        many="urdf/transmission/hardwareInterface",
    ),
    element(
        "urdf/transmission/actuator", "the actuator that moves it",
        text("name", "name of the actuator", required=True),
        text("role", "role in a transmission of several actuators"),
        once="urdf/transmission/mechanicalReduction urdf/transmission/role",
        many="urdf/transmission/hardwareInterface",
    ),
    element("urdf/transmission/hardwareInterface", "what is commanded, as text: effort, position or velocity"),
    element("urdf/transmission/role", "role, as text"),
    element("urdf/transmission/offset", "offset, as text"),
)  # fmt: skip

#: Elements that hold text between their tags.
TEXTS = frozenset(
    f"urdf/transmission/{tag}" for tag in ("type", "mechanicalReduction", "hardwareInterface", "role", "offset")
)

URDF: Mapping[str, ElementRow] = {row.key: row for row in _ROWS}
"""Every row by its key."""

#: All rows that a URDF file can have: its own, and those of the sections of MJCF in it.
URDF_ELEMENTS: Mapping[str, ElementRow] = {**ELEMENTS, **URDF}
