"""Joints: limits, units, axes, and the degrees of freedom they add."""

from __future__ import annotations

from math import pi
from typing import Any

from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.rotation import EPSILON, ORIGIN, length_of, placed, rotate, unit
from phalanx.tables.enums import JointType
from phalanx.tables.mjcf_schema import ELEMENTS

POSITIONS = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
DOFS = {"free": 6, "ball": 3, "slide": 1, "hinge": 1}


def is_limited(thing: Any, flag: str, bounds: str) -> bool:
    """Whether a range is enforced: as written, or because it is there."""
    written = thing.values[flag]
    given = thing.values[bounds]
    has_range = not (given[0] == 0 and given[1] == 0)
    if written == "auto" and has_range and not thing.scope["autolimits"]:
        raise ElementProblem(f"{bounds} is given without {flag}, and compiler/autolimits is false", bounds)
    return written == "true" or (written == "auto" and has_range)


def compile_joint(build: Build, joint: Any) -> None:
    """Limits in radians, axis and anchor in the body, reference positions."""
    values, kind, degree = joint.values, joint.values["type"], joint.scope.degree
    joint.kind = kind
    joint.limited = joint.actfrclimited = False
    joint.axis, joint.range = (0.0, 0.0, 1.0), values["range"]
    joint.ref, joint.springref, joint.springyield = values["ref"], values["springref"], values["springyield"]
    joint.pos = ORIGIN
    if kind == "free" and joint.springyield:
        build.report(joint.element, "a free joint has no spring that could yield", "springyield")
    if any(values["springdamper"]) and min(values["springdamper"]) <= 0:
        build.report(joint.element, "both numbers of springdamper must be positive", "springdamper")
    for name in ("armature", "frictionloss"):
        if values[name] < 0:
            build.report(joint.element, f"{name} is {values[name]:g}; it cannot be negative", name)
    if kind != "free":
        with build.at(joint):
            joint.limited = is_limited(joint, "limited", "range")
            _check_range(joint, kind)
    if joint.limited and degree and kind in ("hinge", "ball"):
        joint.range = tuple(bound * (pi / 180.0) if bound else bound for bound in joint.range)
    if kind in ("slide", "hinge"):
        with build.at(joint):
            joint.actfrclimited = is_limited(joint, "actuatorfrclimited", "actuatorfrcrange")
            if joint.actfrclimited and values["actuatorfrcrange"][0] >= values["actuatorfrcrange"][1]:
                raise ElementProblem("the bounds of actuatorfrcrange must increase", "actuatorfrcrange")
        axis = rotate(values["axis"], joint.frame[1])
        if length_of(axis) ** 2 < EPSILON:
            raise ElementProblem("the axis is too short to have a direction", "axis")
        joint.axis = unit(axis)
    if kind != "free":
        joint.pos = placed(joint, values["pos"])[0]
    if kind == "hinge" and degree:
        joint.ref *= pi / 180.0
        joint.springref *= pi / 180.0
    if kind in ("hinge", "ball") and degree:
        joint.springyield *= pi / 180.0


def _check_range(joint: Any, kind: str) -> None:
    if not joint.limited:
        return
    low, high = joint.range
    if kind == "ball":
        if low:
            raise ElementProblem("the lower limit of a ball joint must be 0", "range")
    elif low >= high:
        raise ElementProblem(f"the limits {low:g} {high:g} of range must increase", "range")


def check_joints(body: Any) -> None:
    """What joints of one body may stand together."""
    kinds = [joint.kind for joint in body.joints]
    if "free" in kinds:
        if len(kinds) > 1:
            raise ElementProblem("a free joint must be the only joint of its body")
        if body.parent is None or body.parent.parent is not None:
            raise ElementProblem("a free joint can only be on a child of the world")
    if sum(DOFS[kind] for kind in kinds) > 6:
        raise ElementProblem("the joints of the body have more than 6 degrees of freedom")
    if "ball" in kinds and any(kind in ("ball", "hinge") for kind in kinds[kinds.index("ball") + 1 :]):
        raise ElementProblem("a ball joint is followed by another rotation")


def write_joints(build: Build) -> None:
    """Columns of joints and dofs, and the reference pose."""
    joints, columns, sizes = build.things["joint"], build.columns, build.sizes
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
