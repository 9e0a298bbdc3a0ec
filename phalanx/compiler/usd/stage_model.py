"""From a USD stage to a tree of MJCF elements: bodies, their masses, the joints between them, colliders, drives."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx.compiler.compile import read_bytes
from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, compose, invert, rotate, unit
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError, Problem
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.limits import Limits
from phalanx.compiler.text.notes import Note
from phalanx.compiler.urdf.translate import Translated
from phalanx.compiler.usd.stage_joints import StageJoint, joints_of, owner_of, put_drive, put_joint
from phalanx.compiler.usd.stage_shapes import ShapeWriter
from phalanx.compiler.usd.stage_units import Pose, StageUnits, prims_of
from phalanx.memory.errors import MissingPackageError, ModelError
from phalanx.tables.mjcf_schema import ELEMENTS

#: How far a body of the stage may be from where its joint at 0 puts it [m, and of quaternions].
ALIGNED = 1e-4
#: Types of prims that are not read -> what the report says about them.
LEFT_OUT = {
    "PhysicsCollisionGroup": "collision groups have no effect",
    "PointInstancer": "copies of a point instancer are left out",
}
#: The frame of the world.
WORLD_POSE: Pose = (ORIGIN, IDENTITY)


def read_usd(path: str, limits: Limits, trusted: bool) -> Translated:
    """The MJCF elements of a USD file.

    Raises:
        MjcfError: the file cannot be read, or is not trusted: a stage is composed of any files that it names.
        MissingPackageError: the extra `phalanx[usd]` is not installed.
    """
    if not trusted:
        raise MjcfError([Problem("a USD stage can read any file: it is opened only if it is trusted", path)])
    read_bytes(path, limits)
    try:
        from pxr import Usd
    except ImportError:
        raise MissingPackageError(f"{path}: USD files need an extra: pip install 'phalanx[usd]'") from None
    try:
        return _StageReader(path, Usd.Stage.Open(path), limits).read()
    except (MemoryError, MjcfError):
        raise
    except Exception as error:  # USD raises errors of its own about settings and names, too
        raise MjcfError([_syntax_problem(path, _said(error))]) from None


def _said(error: Exception) -> str:
    """What an error says; errors of USD quote the file, which may not even be text."""
    try:
        return str(error) or type(error).__name__
    except UnicodeError:
        return "it holds bytes that are no text"


def _syntax_problem(path: str, message: str) -> Problem:
    """What USD says about a file that it cannot read, with the place if it tells one."""
    place = re.search(re.escape(path) + r":(\d+):(\d+): (.*)", message)
    if place is None:
        return Problem(f"cannot be read: {' '.join(message.split())[:200]}", path)
    return Problem(f"cannot be read: {place[3]}", path, int(place[1]), int(place[2]))


class _StageReader:
    """A stage while it becomes a model."""

    def __init__(self, path: str, stage: Any, limits: Limits):
        from pxr import UsdPhysics

        self.path, self.stage, self.units, self.every = path, stage, StageUnits(stage), prims_of(stage)
        self.files = Files(limits=limits)
        self.files.main = path
        self.problems: list[Problem] = []
        self.notes: list[Note] = []
        self.root = Element(ELEMENTS["mujoco"])
        self.root.add("compiler", angle="radian")
        self.names: dict[str, set[str]] = {}
        self.assets = self.root.add("asset")
        self.world = self.root.add("worldbody")
        #: prims of rigid bodies, and the elements and poses of bodies, by path; "" is the world
        self.prims: dict[str, Any] = {
            str(prim.GetPath()): prim
            for prim in self.every
            if prim.HasAPI(UsdPhysics.RigidBodyAPI) and UsdPhysics.RigidBodyAPI(prim).GetRigidBodyEnabledAttr().Get()
        }
        self.bodies: dict[str, Element] = {"": self.world}
        self._note_rest()

    def note(self, prim: Any, message: str) -> None:
        """Say what was assumed, or is left out, at a prim."""
        self.notes.append(Note(message, self.path, element=str(prim.GetPath())))

    @contextlib.contextmanager
    def at(self, prim: Any) -> Iterator[None]:
        """Report what is wrong with the values of a prim as a problem there, and go on.

        A stage may declare any attribute with another type, or give it no value: USD hands out whatever the file says.
        """
        try:
            yield
        except MemoryError:
            raise
        except Exception as error:
            reason = " ".join(_said(error).split())[:200]
            self.problems.append(Problem(f"a value cannot be used: {reason}", self.path, element=str(prim.GetPath())))

    def name(self, kind: str, prim: Any) -> str:
        """The name of an object: that of its prim, or its path if the name is taken."""
        taken = self.names.setdefault(kind, {"world"})
        name = str(prim.GetName())
        name = name if name not in taken else str(prim.GetPath()).strip("/").replace("/", "_")
        taken.add(name)
        return name

    def read(self) -> Translated:
        """Everything that the stage has."""
        self._put_gravity()
        joints = joints_of(self.stage, self.units, self.prims, self.note, self.at)
        # bodies follow from joints, and shapes belong to bodies: what is wrong is told before it leads to more
        if not self.problems:
            self._put_bodies(joints)
        if not self.problems:
            self._put_shapes()
        if not self.assets.children:
            self.assets.remove()
        if not self.prims:
            self.problems.append(Problem("the stage has no rigid bodies", self.path))
        # the compiler would stumble over what is missing, and tell it again
        if self.problems:
            raise MjcfError(self.problems)
        return Translated(self.root, self.files, self.problems, tuple(self.notes))

    def _note_rest(self) -> None:
        """What a stage has that is not read."""
        from pxr import UsdPhysics

        for prim in self.every:
            kind = str(prim.GetTypeName())
            if kind in LEFT_OUT:
                self.note(prim, LEFT_OUT[kind])
            if prim.HasAPI(UsdPhysics.FilteredPairsAPI):
                self.note(prim, "filtered pairs have no effect: bodies collide unless a joint connects them")
            with self.at(prim):
                self._check_numbers(prim)
                for name in ("physics:velocity", "physics:angularVelocity"):
                    if any(prim.GetAttribute(name).Get() or ()):
                        self.note(prim, f"{name} has no effect: the model starts at rest")

    def _check_numbers(self, prim: Any) -> None:
        """Refuse values that are no numbers: they would count as not written. Infinite ones may mean that."""
        for attribute in prim.GetAuthoredAttributes():
            value = attribute.Get()
            parts = (value.GetReal(), *value.GetImaginary()) if hasattr(value, "GetImaginary") else value
            if isinstance(parts, (str, bytes)) or parts is None:
                continue
            numbers = np.asarray(parts)
            if numbers.dtype.kind == "f" and np.isnan(numbers).any():
                raise ModelError(f"{attribute.GetName()} is not a number")

    def _put_gravity(self) -> None:
        from pxr import UsdPhysics

        for prim in self.every:
            if prim.IsA(UsdPhysics.Scene):
                with self.at(prim):
                    self._put_gravity_of(UsdPhysics.Scene(prim))
                return

    def _put_gravity_of(self, scene: Any) -> None:
        """No direction means down, a negative or infinite size that of the earth."""
        x, y, z = (float(value) for value in scene.GetGravityDirectionAttr().Get())
        size = float(scene.GetGravityMagnitudeAttr().Get())
        down = rotate((x, y, z), self.units.up) if (x, y, z) != ORIGIN else (0.0, 0.0, -1.0)
        size = size * self.units.meters if 0 <= size < float("inf") else 9.81
        self.root.add("option", gravity=tuple(size * part for part in unit(down)))

    # --- bodies and joints

    def _put_bodies(self, joints: list[StageJoint]) -> None:
        """Bodies from the world outward; those that no joint connects with it are free."""
        waiting = list(joints)
        self._grow(waiting)
        for path in self.prims:
            if path not in self.bodies:
                with self.at(self.prims[path]):
                    self._put_free(path)
                self._grow(waiting)
        for joint in waiting if not self.problems else ():
            with self.at(joint.prim):
                self._close(joint)

    def _grow(self, waiting: list[StageJoint]) -> None:
        """Hang on bodies of the model what joints connect with them."""
        found = True
        while found:
            found = False
            for joint in list(waiting):
                is_known = [end in self.bodies for end in joint.ends]
                if sum(is_known) == 1:
                    waiting.remove(joint)
                    with self.at(joint.prim):
                        self._hang(joint, is_known.index(False))
                        found = True

    def _hang(self, joint: StageJoint, end: int) -> None:
        """The body at one end of a joint; where the joint is 0 its frames in both bodies are the same."""
        path, parent = joint.ends[end], joint.ends[1 - end]
        pos, quat = compose(*joint.frames[1 - end], *invert(*joint.frames[end]))
        prim = self.prims[path]
        body = self.bodies[parent].add("body", name=self.name("body", prim), pos=pos, quat=unit(quat))
        self.bodies[path] = body
        self._note_start(joint, path, parent, (pos, quat))
        if joint.kind:
            element = put_joint(body, joint, self.name("joint", joint.prim), end, self.units, self.note)
            section = next((child for child in self.root.children if child.tag == "actuator"), None)
            section = section or self.root.add("actuator")
            put_drive(section, joint, element, self.units, self.note)
            if not section.children:
                section.remove()

    def _note_start(self, joint: StageJoint, path: str, parent: str, pose: Pose) -> None:
        """The stage may show its bodies in another position than that of joints at 0."""
        base = self.units.world_pose(self.prims[parent])[0] if parent else WORLD_POSE
        pos, quat = compose(*base, *pose)
        shown_pos, shown_quat = self.units.world_pose(self.prims[path])[0]
        dot = abs(sum(a * b for a, b in zip(quat, shown_quat, strict=True)))
        if max(abs(a - b) for a, b in zip(pos, shown_pos, strict=True)) > ALIGNED or 1 - dot > ALIGNED:
            self.note(
                joint.prim, "the stage shows its bodies in another position; the model starts with the joint at 0"
            )

    def _put_free(self, path: str) -> None:
        """A body that is free to move, or that the user moves."""
        from pxr import UsdPhysics

        prim = self.prims[path]
        pos, quat = self.units.world_pose(prim)[0]
        body = self.world.add("body", name=self.name("body", prim), pos=pos, quat=quat)
        self.bodies[path] = body
        if UsdPhysics.RigidBodyAPI(prim).GetKinematicEnabledAttr().Get():
            body["mocap"] = True
        else:
            body.add("freejoint", name=f"{body.name}_free_joint")

    def _close(self, joint: StageJoint) -> None:
        """A joint between bodies of the tree closes a loop: an equality stands for it."""
        if "" in joint.ends and joint.ends[0] == joint.ends[1]:
            return
        first, second = (self.bodies[end].name or "world" for end in joint.ends)
        section = next((child for child in self.root.children if child.tag == "equality"), None)
        section = section or self.root.add("equality")
        tag = "connect" if joint.kind else "weld"
        if joint.kind:
            section.add(tag, body1=first, body2=second, anchor=joint.frames[0][0])
        else:
            section.add(tag, body1=first, body2=second)
        self.note(joint.prim, f"the joint closes a loop: a {tag} equality stands for it")

    # --- shapes and masses

    def _put_shapes(self) -> None:
        """Geoms of all shapes, and the masses of bodies."""
        from pxr import UsdGeom, UsdPhysics

        writer = ShapeWriter(self.units, self.assets, self.note, self.name)
        solid: dict[str, list[tuple[Element, float]]] = {}
        for prim in self.every:
            if not prim.IsA(UsdGeom.Gprim):
                continue
            collides = prim.HasAPI(UsdPhysics.CollisionAPI) and bool(
                UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr().Get()
            )
            if not collides and not _is_seen(UsdGeom.Imageable(prim)):
                continue
            owner = owner_of(prim, self.prims)
            with self.at(prim):
                pose = self.units.world_pose(self.prims[owner])[0] if owner else WORLD_POSE
                made = writer.put(self.bodies[owner], pose, prim, collides)
                if made is not None and collides and owner:
                    solid.setdefault(owner, []).append(made)
        for path, prim in self.prims.items():
            with self.at(prim):
                self._put_mass(prim, self.bodies[path], solid.get(path, []))

    def _put_mass(self, prim: Any, body: Element, solid: list[tuple[Element, float]]) -> None:
        """Mass and inertia as the stage says; what it leaves open follows from the colliders."""
        from pxr import UsdPhysics

        if not prim.HasAPI(UsdPhysics.MassAPI):
            return
        given = UsdPhysics.MassAPI(prim)
        # zeros mean that nothing is said
        mass = float(given.GetMassAttr().Get()) * self.units.kilograms
        density = float(given.GetDensityAttr().Get()) * self.units.kilograms / self.units.meters**3
        inertia = [float(value) for value in given.GetDiagonalInertiaAttr().Get()]
        if mass > 0 and min(inertia) > 0:
            scale = self.units.world_pose(prim)[1]
            center = given.GetCenterOfMassAttr().Get()
            is_known = all(abs(float(value)) < float("inf") for value in center)
            pos, quat = self.units.local_pose(
                center if is_known else (0, 0, 0), given.GetPrincipalAxesAttr().Get(), scale
            )
            factor = self.units.kilograms * self.units.meters**2
            moments = tuple(factor * value for value in inertia)
            body.add("inertial", pos=pos, quat=quat if any(quat) else None, mass=mass, diaginertia=moments)
            return
        total = sum(volume for _, volume in solid)
        for geom, volume in solid:
            if mass > 0:
                geom["mass"] = mass * volume / total if total else mass / len(solid)
            elif density > 0:
                geom["density"] = density
        if mass > 0 and len(solid) > 1:
            self.note(prim, "its mass is shared by its colliders in the ratio of their volumes")


def _is_seen(prim: Any) -> bool:
    """Is a shape part of pictures?"""
    return str(prim.ComputeVisibility()) != "invisible" and str(prim.ComputePurpose()) in ("default", "render")
