"""Joints: limits, units, axes, and the degrees of freedom they add."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi
from typing import TYPE_CHECKING

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import Carried, ModelObject
from phalanx.compiler.object.rotation import EPSILON, Vector, length_of, placed, rotate, unit
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import JointType
from phalanx.tables.joints import BY_TAG, JOINTS, JointRow
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.object.body import Body

#: Tag -> elements of qpos, elements of qvel.
POSITIONS = {row.tag: row.nq for row in JOINTS.values()}
DOFS = {row.tag: row.nv for row in JOINTS.values()}


class Joint(Carried):
    """A joint; `pos` is its anchor in the body, angles are in radians once it is compiled."""

    #: its type, a tag of the joint rows
    kind: str = "hinge"
    row: JointRow = JOINTS[JointType.HINGE]
    #: in the body; of length one
    axis: Vector = (0.0, 0.0, 1.0)
    limited: bool = False
    actfrclimited: bool = False
    range: tuple[float, float] = (0.0, 0.0)
    ref: float = 0.0
    springref: float = 0.0
    springyield: float = 0.0
    #: where its values begin in qpos and qvel
    qposadr: int = -1
    dofadr: int = -1


def compile_joint(build: Build, joint: Joint) -> None:
    """Type, limits, axis and anchor of a joint, and its reference positions in radians."""
    joint.kind = joint.guess("type")
    joint.row = BY_TAG[joint.kind]
    joint.range, joint.ref = joint.guess("range"), joint.guess("ref")
    joint.springref, joint.springyield = joint.guess("springref"), joint.guess("springyield")
    if build.all_of(joint, *_LIMITS, *_CHECKS):
        _place(joint)
        _use_radians(joint)


# --- limits: found even if the joint has other problems, since sensors and actuators ask for them


def is_limited(obj: ModelObject, flag: str, bounds: str) -> bool:
    """Whether a range is enforced: as written, or because it is there."""
    written = obj.values[flag]
    given = obj.values[bounds]
    has_range = not (given[0] == 0 and given[1] == 0)
    if written == "auto" and has_range and not obj.scope["autolimits"]:
        raise ElementProblem(f"{bounds} is given without {flag}, and compiler/autolimits is false", bounds)
    return written == "true" or (written == "auto" and has_range)


def _limit(joint: Joint) -> None:
    joint.limited = not BY_TAG[joint["type"]].floating and is_limited(joint, "limited", "range")


def _limit_force(joint: Joint) -> None:
    joint.actfrclimited = BY_TAG[joint["type"]].scalar and is_limited(joint, "actuatorfrclimited", "actuatorfrcrange")


_LIMITS = (_limit, _limit_force)


# --- checks


def _check_range(joint: Joint) -> None:
    if not joint.limited:
        return
    low, high = joint["range"]
    if not BY_TAG[joint["type"]].scalar:
        if low:
            raise ElementProblem(f"the lower limit of a {joint.kind} joint must be 0", "range")
    elif low >= high:
        raise ElementProblem(f"the limits {low:g} {high:g} of range must increase", "range")


def _check_force_range(joint: Joint) -> None:
    if joint.actfrclimited and joint["actuatorfrcrange"][0] >= joint["actuatorfrcrange"][1]:
        raise ElementProblem("the bounds of actuatorfrcrange must increase", "actuatorfrcrange")


def _check_yield(joint: Joint) -> None:
    if joint["springyield"] and BY_TAG[joint["type"]].floating:
        raise ElementProblem(f"a {joint.kind} joint has no spring that could yield", "springyield")


def _check_springdamper(joint: Joint) -> None:
    if any(joint["springdamper"]) and min(joint["springdamper"]) <= 0:
        raise ElementProblem("both numbers of springdamper must be positive", "springdamper")


def not_negative(name: str) -> Callable[[ModelObject], None]:
    """A check of one value."""

    def check(obj: ModelObject) -> None:
        if obj[name] < 0:
            raise ElementProblem(f"{name} is {obj[name]:g}; it cannot be negative", name)

    return check


def _check_axis(joint: Joint) -> None:
    if BY_TAG[joint["type"]].scalar and length_of(_axis(joint)) ** 2 < EPSILON:
        raise ElementProblem("the axis is too short to have a direction", "axis")


_CHECKS = (
    _check_yield, _check_springdamper, not_negative("armature"), not_negative("frictionloss"), _check_range,
    _check_force_range, _check_axis,
)  # fmt: skip


def check_joints(body: Body) -> Iterator[Wrong]:
    """What joints of one body cannot stand together."""
    rows = [BY_TAG[joint["type"]] for joint in body.joints]
    if any(row.floating for row in rows):
        if len(rows) > 1:
            yield "a free joint must be the only joint of its body", ""
        if body.parent is None or body.parent.parent is not None:
            yield "a free joint can only be on a child of the world", ""
    elif sum(row.nv for row in rows) > 6:
        yield "the joints of the body have more than 6 degrees of freedom", ""
    balls = [k for k, row in enumerate(rows) if row.periodic]
    if balls and any(row.angular for row in rows[balls[0] + 1 :]):
        yield "a ball joint is followed by another rotation", ""


# --- computing


def _axis(joint: Joint) -> Vector:
    """The axis in the body, of any length."""
    return rotate(joint["axis"], joint.frame[1])


def _place(joint: Joint) -> None:
    """Axis and anchor; those of types that have none keep their initial values."""
    if joint.row.scalar:
        joint.axis = unit(_axis(joint))
    if not joint.row.floating:
        joint.pos = placed(joint, joint["pos"])[0]


def _use_radians(joint: Joint) -> None:
    if not joint.scope.degree or not joint.row.angular:
        return
    if joint.limited:
        # zero stays as it is, also a negative one
        low, high = (bound * (pi / 180.0) if bound else bound for bound in joint.range)
        joint.range = low, high
    if joint.row.scalar:
        joint.ref *= pi / 180.0
        joint.springref *= pi / 180.0
    joint.springyield *= pi / 180.0


def _reference(joint: Joint) -> tuple[list[float], list[float]]:
    """Coordinates of a joint at the reference pose, and where its spring rests."""
    if joint.row.floating:
        pose = [*joint.body.pos, *joint.body.quat]
        return pose, pose
    if joint.row.scalar:
        return [joint.ref], [joint.springref]
    return [*joint.row.initial], [*joint.row.initial]


# --- columns


def write_joints(build: Build) -> None:
    """Columns of joints and dofs, and the reference pose."""
    joints, columns = build.joints, build.columns
    build.copy_plain(ELEMENTS["joint"], joints)
    build.copy_user("joint", joints)
    columns["jnt_type"] = [joint.row.type for joint in joints]
    for name in ("limited", "actfrclimited", "pos", "axis", "range", "springyield"):
        columns[f"jnt_{name}"] = [getattr(joint, name) for joint in joints]
    columns["jnt_bodyid"] = [joint.body.id for joint in joints]
    columns["jnt_stiffness"] = [joint["stiffness"][0] for joint in joints]
    columns["jnt_stiffnesspoly"] = [joint["stiffness"][1:] for joint in joints]
    _write_coordinates(build)
    _write_plastic(build)
    _write_dofs(build)


def _write_coordinates(build: Build) -> None:
    """Where the coordinates of each joint begin, and what they are at the reference pose."""
    qposadr = dofadr = 0
    qpos0: list[float] = []
    spring: list[float] = []
    for joint in build.joints:
        joint.qposadr, joint.dofadr = qposadr, dofadr
        qposadr += joint.row.nq
        dofadr += joint.row.nv
        reference, rest = _reference(joint)
        qpos0 += reference
        spring += rest
    build.sizes.update(nq=qposadr, nv=dofadr)
    build.columns["jnt_qposadr"] = [joint.qposadr for joint in build.joints]
    build.columns["jnt_dofadr"] = [joint.dofadr for joint in build.joints]
    build.columns["qpos0"], build.columns["qpos_spring"] = qpos0, spring


def _write_plastic(build: Build) -> None:
    """Plastic state of springs that yield: as many values as the joint has positions, without deformation at first."""
    plastic = build.sizes.get("nplastic", 0)
    addresses = build.columns["jnt_plasticadr"] = []
    for joint in build.joints:
        if joint.springyield > 0:
            addresses.append(plastic)
            plastic += joint.row.nq
            build.plastic0 += joint.row.initial
        else:
            addresses.append(-1)
    build.sizes["nplastic"] = plastic


def _write_dofs(build: Build) -> None:
    """Each dof has what its joint says."""
    columns = build.columns
    dofs = [joint for joint in build.joints for _ in range(joint.row.nv)]
    columns["dof_bodyid"] = [joint.body.id for joint in dofs]
    columns["dof_jntid"] = [joint.id for joint in dofs]
    columns["dof_solref"] = [joint["solreffriction"] for joint in dofs]
    columns["dof_solimp"] = [joint["solimpfriction"] for joint in dofs]
    columns["dof_frictionloss"] = [joint["frictionloss"] for joint in dofs]
    columns["dof_armature"] = [joint["armature"] for joint in dofs]
    columns["dof_damping"] = [joint["damping"][0] for joint in dofs]
    columns["dof_dampingpoly"] = [joint["damping"][1:] for joint in dofs]
