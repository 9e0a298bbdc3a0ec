"""Joints of a stage: a tree of bodies, the joints that close loops, and the drives of joints."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, inf, isfinite, radians
from typing import Any

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Vector, compose, rotate
from phalanx.compiler.text.element import Element
from phalanx.compiler.usd.stage_units import AXES, Pose, StageUnits, prims_of, relative

#: Type of a joint prim -> type of joint in MJCF, "" for none.
JOINTS = {
    "PhysicsFixedJoint": "", "PhysicsRevoluteJoint": "hinge", "PhysicsPrismaticJoint": "slide",
    "PhysicsSphericalJoint": "ball",
}  # fmt: skip


@dataclass(eq=False)
class StageJoint:
    """A joint of the stage.

    Attributes:
        prim: the joint.
        ends: paths of its two bodies, "" for the world.
        frames: its frame in each of them.
    """

    prim: Any
    ends: tuple[str, str]
    frames: tuple[Pose, Pose]

    @property
    def kind(self) -> str:
        """Type of joint in MJCF, "" for none."""
        return JOINTS[str(self.prim.GetTypeName())]


def joints_of(stage: Any, units: StageUnits, bodies: dict[str, Any], note: Any, at: Any) -> list[StageJoint]:
    """The joints that are enabled and of a known type; within `at(prim)` what is wrong with a prim is reported."""
    from pxr import UsdPhysics

    found = []
    for prim in prims_of(stage):
        if not prim.IsA(UsdPhysics.Joint):
            continue
        joint = UsdPhysics.Joint(prim)
        if str(prim.GetTypeName()) not in JOINTS:
            note(prim, f"a joint of type {prim.GetTypeName()} is left out")
        elif joint.GetJointEnabledAttr().Get():
            with at(prim):
                found.append(_joint(stage, units, bodies, joint))
    return found


def _joint(stage: Any, units: StageUnits, bodies: dict[str, Any], joint: Any) -> StageJoint:
    """A joint with its two ends."""
    paths, frames = [], []
    for targets, pos, rot in (
        (joint.GetBody0Rel(), joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr()),
        (joint.GetBody1Rel(), joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr()),
    ):
        path, frame = _end(stage, units, bodies, targets.GetForwardedTargets(), pos.Get(), rot.Get())
        paths.append(path)
        frames.append(frame)
    return StageJoint(joint.GetPrim(), (paths[0], paths[1]), (frames[0], frames[1]))


def _end(
    stage: Any, units: StageUnits, bodies: dict[str, Any], targets: list[Any], pos: Any, rot: Any
) -> tuple[str, Pose]:
    """The body at one end of a joint, and the frame of the joint in it; a prim that is no body is part of one above."""
    prim = stage.GetPrimAtPath(targets[0]) if targets else stage.GetPseudoRoot()
    where, scale = units.world_pose(prim)
    local = units.local_pose(pos, rot, scale)
    owner = owner_of(prim, bodies)
    base: Pose = units.world_pose(bodies[owner])[0] if owner else (ORIGIN, IDENTITY)
    return owner, relative(base, compose(*where, *local))


def owner_of(prim: Any, bodies: dict[str, Any]) -> str:
    """The path of the body that a prim is part of, "" for the world."""
    while prim and not prim.IsPseudoRoot():
        if str(prim.GetPath()) in bodies:
            return str(prim.GetPath())
        prim = prim.GetParent()
    return ""


def put_joint(body: Element, joint: StageJoint, name: str, end: int, units: StageUnits, note: Any) -> Element:
    """The joint of a body, which is at one end of it (0 or 1)."""
    pos, quat = joint.frames[end]
    element = body.add("joint", name=name, type=joint.kind, pos=pos)
    if joint.kind == "ball":
        # a cone that is negative is no limit
        if any((joint.prim.GetAttribute(f"physics:coneAngle{k}Limit").Get() or -1) >= 0 for k in (0, 1)):
            note(joint.prim, "the cone of a spherical joint is not limited")
        return element
    axis = rotate(AXES[str(joint.prim.GetAttribute("physics:axis").Get() or "X")], quat)
    # positions tell how the second body moves in the first one
    element["axis"] = axis if end == 1 else _opposite(axis)
    low, high = (joint.prim.GetAttribute(f"physics:{which}Limit").Get() for which in ("lower", "upper"))
    if low is not None and high is not None and isfinite(low) and isfinite(high) and low < high:
        factor = radians(1) if joint.kind == "hinge" else units.meters
        element["range"] = factor * low, factor * high
    return element


def _opposite(axis: Vector) -> Vector:
    return -axis[0], -axis[1], -axis[2]


def put_drive(section: Element, joint: StageJoint, element: Element, units: StageUnits, note: Any) -> None:
    """The actuator of a joint with a drive: a position servo with stiffness, a velocity servo with damping only."""
    from pxr import UsdPhysics

    word = "angular" if joint.kind == "hinge" else "linear"
    if joint.kind not in ("hinge", "slide") or not joint.prim.HasAPI(UsdPhysics.DriveAPI, word):
        return
    drive = UsdPhysics.DriveAPI(joint.prim, word)
    if str(drive.GetTypeAttr().Get()) == "acceleration":
        note(joint.prim, "its drive sets accelerations; it is taken as one that sets forces")
    # stiffness and damping of angles are for degrees; torques have the square of the unit of length
    factor = units.kilograms * (degrees(1) * units.meters**2 if joint.kind == "hinge" else 1.0)
    stiffness, damping = (factor * float(a.Get()) for a in (drive.GetStiffnessAttr(), drive.GetDampingAttr()))
    largest = float(drive.GetMaxForceAttr().Get() or inf)
    force = largest * units.kilograms * units.meters ** (2 if joint.kind == "hinge" else 1)
    attributes: dict[str, object] = {"name": f"{element.name}_drive", "joint": element.name}
    if 0 < force < inf:
        attributes["forcerange"] = -force, force
    if stiffness > 0:
        section.add("position", kp=stiffness, kv=damping, **attributes)
    elif damping > 0:
        section.add("velocity", kv=damping, **attributes)
    target = float((drive.GetTargetPositionAttr() if stiffness > 0 else drive.GetTargetVelocityAttr()).Get() or 0.0)
    if target:
        note(joint.prim, f"its drive has the target {target:g}: set the control of actuator {attributes['name']!r}")
