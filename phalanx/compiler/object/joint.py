"""Joints: limits, units, axes, and the degrees of freedom they add."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi
from typing import Any

from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import Carried
from phalanx.compiler.object.rotation import EPSILON, ORIGIN, Vector, length_of, placed, rotate, unit
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import JointType
from phalanx.tables.joints import JOINTS
from phalanx.tables.mjcf_schema import ELEMENTS

POSITIONS = {row.tag: row.nq for row in JOINTS.values()}
DOFS = {row.tag: row.nv for row in JOINTS.values()}


class Joint(Carried):
    """A joint; `pos` is its anchor in the body, angles are in radians once it is compiled."""

    #: its type, a tag of the joint rows
    kind: str = "hinge"
    #: in the body; of length one
    axis: Vector = (0.0, 0.0, 1.0)
    limited: bool = False
    actfrclimited: bool = False
    range: tuple[float, float] = (0.0, 0.0)
    ref: float = 0.0
    springref: float = 0.0
    springyield: float = 0.0
    #: where its numbers begin in qpos and qvel
    qposadr: int = -1
    dofadr: int = -1


def is_limited(obj: Any, flag: str, bounds: str) -> bool:
    """Whether a range is enforced: as written, or because it is there."""
    written = obj.values[flag]
    given = obj.values[bounds]
    has_range = not (given[0] == 0 and given[1] == 0)
    if written == "auto" and has_range and not obj.scope["autolimits"]:
        raise ElementProblem(f"{bounds} is given without {flag}, and compiler/autolimits is false", bounds)
    return written == "true" or (written == "auto" and has_range)


def compile_joint(build: Build, joint: Any) -> None:
    """Limits in radians, axis and anchor in the body, reference positions."""
    joint.kind = joint.guess("type")
    joint.limited = joint.actfrclimited = False
    joint.axis, joint.pos = (0.0, 0.0, 1.0), ORIGIN
    joint.range, joint.ref, joint.springref, joint.springyield = (
        joint.guess(name) for name in ("range", "ref", "springref", "springyield")
    )
    if build.all_of(joint, *_CHECKS):
        _use_radians(joint)


def _check_yield(joint: Any) -> None:
    if joint["springyield"] and joint["type"] == "free":
        raise ElementProblem("a free joint has no spring that could yield", "springyield")


def _check_springdamper(joint: Any) -> None:
    if any(joint["springdamper"]) and min(joint["springdamper"]) <= 0:
        raise ElementProblem("both numbers of springdamper must be positive", "springdamper")


def not_negative(name: str) -> Callable[[Any], None]:
    """A check of one number."""

    def check(obj: Any) -> None:
        if obj[name] < 0:
            raise ElementProblem(f"{name} is {obj[name]:g}; it cannot be negative", name)

    return check


def _limit(joint: Any) -> None:
    kind = joint["type"]
    if kind == "free":
        return
    joint.limited = is_limited(joint, "limited", "range")
    low, high = joint["range"]
    if kind == "ball":
        if joint.limited and low:
            raise ElementProblem("the lower limit of a ball joint must be 0", "range")
    elif joint.limited and low >= high:
        raise ElementProblem(f"the limits {low:g} {high:g} of range must increase", "range")


def _limit_force(joint: Any) -> None:
    if joint["type"] not in ("slide", "hinge"):
        return
    joint.actfrclimited = is_limited(joint, "actuatorfrclimited", "actuatorfrcrange")
    low, high = joint["actuatorfrcrange"]
    if joint.actfrclimited and low >= high:
        raise ElementProblem("the bounds of actuatorfrcrange must increase", "actuatorfrcrange")


def _place(joint: Any) -> None:
    kind = joint["type"]
    if kind in ("slide", "hinge"):
        axis = rotate(joint["axis"], joint.frame[1])
        if length_of(axis) ** 2 < EPSILON:
            raise ElementProblem("the axis is too short to have a direction", "axis")
        joint.axis = unit(axis)
    if kind != "free":
        joint.pos = placed(joint, joint["pos"])[0]


_CHECKS = (
    _check_yield, _check_springdamper, not_negative("armature"), not_negative("frictionloss"), _limit, _limit_force,
    _place,
)  # fmt: skip


def _use_radians(joint: Any) -> None:
    kind = joint.kind
    if not joint.scope.degree or kind not in ("hinge", "ball"):
        return
    if joint.limited:
        joint.range = tuple(bound * (pi / 180.0) if bound else bound for bound in joint.range)
    if kind == "hinge":
        joint.ref *= pi / 180.0
        joint.springref *= pi / 180.0
    joint.springyield *= pi / 180.0


def wrong_joints(body: Any) -> Iterator[Wrong]:
    """What joints of one body cannot stand together."""
    kinds = [joint["type"] for joint in body.joints]
    if "free" in kinds:
        if len(kinds) > 1:
            yield "a free joint must be the only joint of its body", ""
        if body.parent is None or body.parent.parent is not None:
            yield "a free joint can only be on a child of the world", ""
    elif sum(DOFS[kind] for kind in kinds) > 6:
        yield "the joints of the body have more than 6 degrees of freedom", ""
    if "ball" in kinds and any(kind in ("ball", "hinge") for kind in kinds[kinds.index("ball") + 1 :]):
        yield "a ball joint is followed by another rotation", ""


def write_joints(build: Build) -> None:
    """Columns of joints and dofs, and the reference pose."""
    joints, columns, sizes = build.objects["joint"], build.columns, build.sizes
    build.copy_plain(ELEMENTS["joint"], joints)
    build.copy_user("joint", joints)
    columns["jnt_type"] = [JointType[joint.kind.upper()] for joint in joints]
    for name in ("limited", "actfrclimited", "pos", "axis", "range", "springyield"):
        columns[f"jnt_{name}"] = [getattr(joint, name) for joint in joints]
    columns["jnt_bodyid"] = [joint.body.id for joint in joints]
    columns["jnt_stiffness"] = [joint["stiffness"][0] for joint in joints]
    columns["jnt_stiffnesspoly"] = [joint["stiffness"][1:] for joint in joints]
    plastic = sizes.setdefault("nplastic", 0)
    columns["jnt_plasticadr"] = []
    qposadr = dofadr = 0
    qpos0: list[float] = []
    spring: list[float] = []
    for joint in joints:
        joint.qposadr, joint.dofadr = qposadr, dofadr
        qposadr += POSITIONS[joint.kind]
        dofadr += DOFS[joint.kind]
        reference, rest = _reference(joint)
        qpos0 += reference
        spring += rest
        has_plastic = joint.springyield > 0
        columns["jnt_plasticadr"].append(plastic if has_plastic else -1)
        plastic += POSITIONS[joint.kind] if has_plastic else 0
        build.plastic0 += ([1.0, 0.0, 0.0, 0.0] if joint.kind == "ball" else [0.0]) if has_plastic else []
    sizes.update(nq=qposadr, nv=dofadr, nplastic=plastic)
    columns["jnt_qposadr"] = [joint.qposadr for joint in joints]
    columns["jnt_dofadr"] = [joint.dofadr for joint in joints]
    columns["qpos0"], columns["qpos_spring"] = qpos0, spring
    dofs = [joint for joint in joints for _ in range(DOFS[joint.kind])]
    columns["dof_bodyid"] = [joint.body.id for joint in dofs]
    columns["dof_jntid"] = [joint.id for joint in dofs]
    columns["dof_solref"] = [joint["solreffriction"] for joint in dofs]
    columns["dof_solimp"] = [joint["solimpfriction"] for joint in dofs]
    columns["dof_frictionloss"] = [joint["frictionloss"] for joint in dofs]
    columns["dof_armature"] = [joint["armature"] for joint in dofs]
    columns["dof_damping"] = [joint["damping"][0] for joint in dofs]
    columns["dof_dampingpoly"] = [joint["damping"][1:] for joint in dofs]


def _reference(joint: Any) -> tuple[list[float], list[float]]:
    """Coordinates of a joint at the reference pose, and where its spring rests."""
    if joint.kind == "free":
        pose = [*joint.body.pos, *joint.body.quat]
        return pose, pose
    if joint.kind == "ball":
        return [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]
    return [joint.ref], [joint.springref]
