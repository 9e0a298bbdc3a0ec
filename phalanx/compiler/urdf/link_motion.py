"""Joints of URDF: a row of the table says which joints of MJCF they become; limits and friction come along."""

from __future__ import annotations

from math import isclose

from phalanx.compiler.object.rotation import Vector, length_of, matrix_of, rotation_of_z
from phalanx.compiler.text.element import Element
from phalanx.compiler.urdf.translation import Translation, child_of, put
from phalanx.tables.urdf_schema import JOINTS, UrdfJoint

#: Axis of a joint that names none.
AXIS = (1.0, 0.0, 0.0)


def add_joint(translation: Translation, body: Element, joint: Element) -> None:
    """The joints of a body, from the joint of its link."""
    row = JOINTS.get(joint.attributes.get("type", ""))
    if row is None:
        return
    axis = _axis(translation, joint, row)
    axes = _axes(axis)
    parts = [
        put(body, "joint", joint, name=joint.name + ending, type=kind, axis=axes.get(which))
        for ending, kind, which in row.parts
    ]
    translation.joints[joint.name] = parts
    if parts:
        _add_dynamics(joint, parts)
        limit = child_of(joint, "limit")
        if translation.style.is_mujoco:
            _add_limits_as_mujoco(limit, row, parts[0])
        else:
            _add_limits(translation, joint, limit, row, parts)
    _note_rest(translation, joint, bool(parts))


def _axis(translation: Translation, joint: Element, row: UrdfJoint) -> Vector:
    """The axis of a joint; one without a direction is a problem where it matters."""
    element = child_of(joint, "axis")
    axis: Vector = AXIS if element is None else element.attributes.get("xyz", AXIS)
    if element is not None and any(which for _, _, which in row.parts) and length_of(axis) < 1e-10:
        translation.report(element, f"axis {' '.join(f'{x:g}' for x in axis)} of joint {joint.name!r} has no direction",
                           "xyz")  # fmt: skip
        return AXIS
    return axis


def _axes(axis: Vector) -> dict[str, Vector]:
    """The axis, and the two across it: x and y, rotated as z is rotated to the axis."""
    m = matrix_of(rotation_of_z(axis))
    return {"axis": axis, "x": (m[0], m[3], m[6]), "y": (m[1], m[4], m[7])}


def _add_dynamics(joint: Element, parts: list[Element]) -> None:
    """Damping and dry friction, the same for all joints that one became."""
    dynamics = child_of(joint, "dynamics")
    for name, attribute in (("damping", "damping"), ("friction", "frictionloss")):
        value = None if dynamics is None else dynamics.attributes.get(name)
        for part in parts if value is not None else ():
            part[attribute] = value


# --- limits


def _add_limits_as_mujoco(limit: Element | None, row: UrdfJoint, part: Element) -> None:
    """MuJoCo's rules: bounds count for the first joint, whatever its type; a pair that makes no sense is no limit."""
    if limit is None:
        return
    lower, upper = limit.attributes.get("lower"), limit.attributes.get("upper")
    is_bounded = row.type != "continuous"
    if is_bounded and (lower is not None or upper is not None):
        part["range"] = lower or 0.0, upper or 0.0
    if not is_bounded or lower is None or upper is None or lower >= upper:
        part["limited"] = "false"
    _add_effort(limit, part)


def _add_effort(limit: Element, part: Element) -> None:
    effort = abs(limit.attributes.get("effort") or 0.0)
    if effort > 0:
        part["actuatorfrcrange"] = -effort, effort


def _add_limits(
    translation: Translation, joint: Element, limit: Element | None, row: UrdfJoint, parts: list[Element]
) -> None:
    """Bounds of the position and of the force of actuators, where the type of the joint has them."""
    if limit is None:
        if row.has_limits:
            translation.note(joint, f"a {row.type} joint without limits is not limited")
        return
    written = limit.attributes
    if row.has_limits:
        _add_range(translation, limit, parts[0])
    elif "lower" in written or "upper" in written:
        translation.note(limit, f"positions of a {row.type} joint are not limited: lower and upper have no effect")
    if row.is_scalar:
        _add_effort(limit, parts[0])
    elif written.get("effort"):
        translation.note(limit, f"the effort of a {row.type} joint is not limited", "effort")
    if written.get("velocity"):
        translation.note(limit, "velocities are not limited: the limit is left to controllers", "velocity")


def _add_range(translation: Translation, limit: Element, part: Element) -> None:
    """The range of a joint with limits."""
    lower, upper = limit.attributes.get("lower"), limit.attributes.get("upper")
    if not lower and not upper:
        translation.note(limit, "lower and upper are both 0 or not written: the joint is not limited")
        return
    for name, value in (("lower", lower), ("upper", upper)):
        if value is None:
            translation.note(limit, f"{name} is not written, which means 0")
    low, high = lower or 0.0, upper or 0.0
    if low > high:
        translation.complain(limit, f"lower={low:g} is above upper={high:g}", "they are exchanged", "lower")
        low, high = high, low
    if isclose(low, high, abs_tol=1e-12):
        translation.note(limit, "lower and upper are equal: an equality holds the joint there")
        put(translation.section("equality"), "joint", limit, joint1=part.name, polycoef=(low, 0, 0, 0, 0))
        return
    part["range"] = low, high
    if not low <= 0 <= high:
        translation.note(limit, "the range does not hold 0, where the joint starts")


# --- what has no effect


def _note_rest(translation: Translation, joint: Element, moves: bool) -> None:
    """Elements of a joint that nothing follows from."""
    for tag, message in (
        ("safety_controller", "the safety controller is left to controllers: its soft limits have no effect"),
        ("calibration", "calibration has no effect"),
    ):
        element = child_of(joint, tag)
        if element is not None:
            translation.note(element, message)
    if not moves:
        for tag in ("dynamics", "mimic"):
            element = child_of(joint, tag)
            if element is not None and not translation.style.is_mujoco:
                translation.note(element, f"{tag} of a fixed joint has no effect")
