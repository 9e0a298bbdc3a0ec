"""Joints of a model as joints of URDF: one for each body, or several with links between them."""

from __future__ import annotations

from math import atan2, cos, hypot, sin
from typing import NamedTuple

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector, add, matrix_of, rotation_of_z, subtract
from phalanx.compiler.text.element import Element
from phalanx.compiler.urdf.losses import Losses
from phalanx.tables.urdf_schema import JOINTS, URDF, UrdfJoint

#: How far the axes of a planar joint may be from those that a reader gives it.
SAME_AXIS = 1e-9


class Motion(NamedTuple):
    """One URDF joint: its type, its name, the MJCF joint that it is ("None" for a fixed one), and its anchor."""

    row: UrdfJoint
    name: str
    joint: Element | None
    anchor: Vector


def make(tag: str, holder: Element | None = None, **attributes: object) -> Element:
    """A new element of URDF, inside of another one if that is given; attributes that are None are not written."""
    key = holder.row.children[tag][0] if holder is not None else f"urdf/{tag}"
    element = Element(URDF[key])
    element.attributes.update({name.rstrip("_"): value for name, value in attributes.items() if value is not None})
    return holder.append(element) if holder is not None else element


def put_origin(holder: Element, pos: Vector, quat: Quat) -> None:
    """The origin of an element, if it is not that of its link."""
    angles = euler_of(quat) if quat != IDENTITY else None
    if angles is not None or pos != ORIGIN:
        make("origin", holder, xyz=pos if pos != ORIGIN else None, rpy=angles)


def euler_of(quat: Quat) -> Vector:
    """Roll, pitch and yaw of an orientation: Rz(yaw) Ry(pitch) Rx(roll).

    Yaw is taken out first, so that roll and pitch are exact also where pitch is a right angle and yaw is arbitrary.
    """
    m = matrix_of(quat)
    yaw = atan2(m[3], m[0]) if hypot(m[3], m[0]) > 1e-12 else 0.0
    c, s = cos(yaw), sin(yaw)
    pitch = atan2(-m[6], c * m[0] + s * m[3])
    roll = atan2(s * m[2] - c * m[5], c * m[4] - s * m[1])
    return roll, pitch, yaw


# --- which joints


def motions_of(body: Element, name: str, losses: Losses) -> list[Motion]:
    """The URDF joints that move a body, from its parent on."""
    joints = [child for child in body.children if child.tag in ("joint", "freejoint")]
    if not joints:
        return [Motion(JOINTS["fixed"], f"{name}_fixed", None, ORIGIN)]
    planar = _planar_name(joints)
    if planar:
        for joint in joints:
            losses.check(joint)
            if "range" in joint or "actuatorfrcrange" in joint:
                losses.add(joint, "a planar joint has no limits")
        return [Motion(JOINTS["planar"], planar, joints[2], joints[2].attributes.get("pos", ORIGIN))]
    return [_motion(joint, k, name, losses) for k, joint in enumerate(joints)]


def _motion(joint: Element, k: int, body: str, losses: Losses) -> Motion:
    """The URDF joint of one joint."""
    losses.check(joint)
    kind = joint.attributes.get("type", "hinge")
    is_limited = joint.attributes.get("limited") == "true"
    word = {"free": "floating", "ball": "spherical", "slide": "prismatic"}.get(
        kind, "revolute" if is_limited else "continuous"
    )
    row = JOINTS[word]
    if not row.is_scalar and is_limited:
        losses.add(joint, f"a {word} joint has no limits")
    return Motion(row, joint.name or f"{body}_joint{k or ''}", joint, joint.attributes.get("pos", ORIGIN))


def _planar_name(joints: list[Element]) -> str:
    """The name of the planar joint that three joints are, "" if they are none."""
    parts = JOINTS["planar"].parts
    if len(joints) != len(parts):
        return ""
    stems = {joint.name.removesuffix(ending) for joint, (ending, _, _) in zip(joints, parts, strict=True)}
    kinds = tuple(joint.attributes.get("type", "hinge") for joint in joints)
    if len(stems) != 1 or kinds != tuple(kind for _, kind, _ in parts) or not joints[0].name.endswith(parts[0][0]):
        return ""
    across = matrix_of(rotation_of_z(_axis(joints[2])))
    expected = (across[0::3], across[1::3])
    is_across = all(
        abs(a - b) < SAME_AXIS
        for joint, axis in zip(joints, expected, strict=False)
        for a, b in zip(_axis(joint), axis, strict=True)
    )
    is_same = len({_shared(joint) for joint in joints}) == 1
    return stems.pop() if is_across and is_same else ""


def _shared(joint: Element) -> tuple[object, ...]:
    """What the three joints of a planar one have in common."""
    return tuple(joint.attributes.get(name) for name in ("pos", "damping", "frictionloss"))


def _axis(joint: Element) -> Vector:
    axis: Vector = joint.attributes.get("axis", (0.0, 0.0, 1.0))
    return axis


# --- writing


def put_motions(robot: Element, parent: str, child: str, pose: tuple[Vector, Quat], motions: list[Motion]) -> Vector:
    """Joints from one link to another; links between them if there are several.

    Args:
        robot: the robot element.
        parent, child: names of links.
        pose: of the body of the child, in the link of the parent.
        motions: the joints.

    Returns:
        The place of the link of the child in its body: where its last joint is.
    """
    pos, quat = pose
    before: Vector | None = None
    for k, motion in enumerate(motions):
        # a joint of URDF is at the origin of the link that it moves
        link = child if k == len(motions) - 1 else f"{child}_{motion.name}"
        if link != child:
            make("link", robot, name=link)
        joint = make("joint", robot, name=motion.name, type=motion.row.type)
        if before is None:
            m = matrix_of(quat)
            x, y, z = motion.anchor
            put_origin(joint, add(pos, (m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z,
                                        m[6] * x + m[7] * y + m[8] * z)), quat)  # fmt: skip
        else:
            put_origin(joint, subtract(motion.anchor, before), IDENTITY)
        make("parent", joint, link=parent)
        make("child", joint, link=link)
        if motion.joint is not None:
            _put_rest(joint, motion.row, motion.joint)
        parent, before = link, motion.anchor
    return motions[-1].anchor


def _put_rest(element: Element, row: UrdfJoint, joint: Element) -> None:
    """Axis, damping, friction and limits."""
    written = joint.attributes
    if any(which for _, _, which in row.parts):
        make("axis", element, xyz=_axis(joint))
    damping = written.get("damping", (0.0,))[0]
    friction = written.get("frictionloss", 0.0)
    if damping or friction:
        make("dynamics", element, damping=damping or None, friction=friction or None)
    lower, upper = written.get("range", (None, None)) if row.has_limits else (None, None)
    if written.get("limited") != "true":
        lower = upper = None
    effort = written["actuatorfrcrange"][1] if written.get("actuatorfrclimited") == "true" and row.is_scalar else None
    if lower is not None or effort is not None:
        make("limit", element, lower=lower, upper=upper, effort=effort)
