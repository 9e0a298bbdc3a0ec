"""Perturbation: a body that the user drags with a spring, or places while the world is paused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phalanx.algebra.matrix import from_quaternion
from phalanx.algebra.quaternion import conjugate, multiply, rotate, to_rotation_vector
from phalanx.memory.errors import FieldError
from phalanx.memory.exclusive import check_idle
from phalanx.memory.fill import numbers
from phalanx.scene.placement import MINVAL
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import JointType

Pose = tuple[np.ndarray, np.ndarray]


class Perturbation:
    """A body that is dragged: a critically damped spring pulls a point of it to a target, or rotates it.

    Nothing happens until `target` or `orientation` is given. Then, before each step, `apply(data)`; in a paused world
    `move(data)` places the body instead.

    Example:
        >>> drag = phalanx.Perturbation(data, "torso")               # doctest: +SKIP
        >>> drag.target = data.body("torso").xpos + [0, 0, 0.2]      # doctest: +SKIP
        >>> drag.apply(data)                                         # doctest: +SKIP

    Args:
        data: the Data, after forward: stiffness is scaled to the mass that is felt at the point.
        body: name or id; not the world.
        local: the point in the frame of the body [m]; its origin if neither this nor `point` is given.
        point: the same point in the world [m].

    Attributes:
        body: id of the body.
        local: the point that is dragged, in the frame of the body [m], (3,).
        mass: mass that is felt at the point [kg].
    """

    def __init__(self, data: Data, body: str | int, *, local: Any = None, point: Any = None):
        _check_world(data)
        model = data.model
        self.body = int(model.names.id_of("body", body))
        if self.body == 0:
            raise FieldError("the world cannot be dragged: give another body")
        if local is not None and point is not None:
            raise FieldError("give the point either in the frame of the body (local) or in the world (point)")
        frame = data.xmat[self.body].reshape(3, 3)
        if point is not None:
            local = frame.T @ (_vector("point", point, 3) - data.xpos[self.body])
        self.local = np.zeros(3) if local is None else _vector("local", local, 3)
        self._start_point = self.point(data)
        self._start_center = np.array(data.xipos[self.body], float)
        self._start_quat = np.array(data.xquat[self.body], float)
        self.mass = _felt_mass(data, self._start_point, self.body)
        self._target: np.ndarray | None = None
        self._orientation: np.ndarray | None = None

    @property
    def target(self) -> Any:
        """Where the point is pulled to, in the world [m], (3,); None if it is not pulled."""
        return self._target

    @target.setter
    def target(self, point: Any) -> None:
        self._target = None if point is None else _vector("target", point, 3)

    @property
    def orientation(self) -> Any:
        """The orientation that the body is rotated to, a quaternion (4,); None if it is not rotated."""
        return self._orientation

    @orientation.setter
    def orientation(self, quat: Any) -> None:
        if quat is None:
            self._orientation = None
            return
        given = _vector("orientation", quat, 4)
        length = np.linalg.norm(given)
        if length < MINVAL:
            raise FieldError("orientation is a quaternion: it must have a length")
        self._orientation = given / length

    @property
    def is_translating(self) -> bool:
        """Whether the point is pulled to a target."""
        return self._target is not None

    @property
    def is_rotating(self) -> bool:
        """Whether the body is rotated to an orientation."""
        return self._orientation is not None

    def point(self, data: Data) -> np.ndarray:
        """The point that is dragged, in the world [m], (3,)."""
        _check_world(data)
        return data.xpos[self.body] + data.xmat[self.body].reshape(3, 3) @ self.local

    def force(self, model: Model, data: Data) -> np.ndarray:
        """Force [N] and torque about the center of mass [N·m] on the body, (6,), as mjv_applyPerturbForce.

        Args:
            model: the Model.
            data: the Data, after forward.
        """
        wrench = np.zeros(6)
        motion = data.object_velocity("body", self.body)
        spin, velocity = motion[:3], motion[3:]
        invweight = float(model.body_invweight0[self.body, 1])
        inertia = 1.0 / max(MINVAL, invweight) if invweight else 1.0
        rotational = model.vis.map.stiffnessrot
        if self._target is not None:
            point, stiffness = self.point(data), model.vis.map.stiffness
            offset, arm = point - self._target, point - data.xipos[self.body]
            moving = np.cross(spin, arm) + velocity
            wrench[:3] = -stiffness * self.mass * offset - math.sqrt(stiffness) * self.mass * moving
            # damp rotation about the line along which the spring pulls
            length = np.linalg.norm(offset)
            line = offset / length if length >= MINVAL else np.array([1.0, 0.0, 0.0])
            wrench[3:] = np.cross(arm, wrench[:3]) - math.sqrt(rotational) * inertia * (line @ spin) * line
        if self._orientation is not None:
            iquat = model.body_iquat[self.body]
            present, wanted = multiply(data.xquat[self.body], iquat), multiply(self._orientation, iquat)
            vector = np.array(to_rotation_vector(multiply(wanted, conjugate(present))))
            wrench[3:] += rotational * inertia * vector - math.sqrt(rotational) * inertia * spin
        return wrench

    def apply(self, data: Data) -> None:
        """Write the force to the body's row of `data.xfrc_applied`, which it replaces; call before each step.

        As in MuJoCo the force stays there until it is replaced: `release(data)` ends it.
        """
        _check_world(data)
        if self.is_translating or self.is_rotating:
            data.xfrc_applied[self.body] = self.force(data.model, data)

    def release(self, data: Data) -> None:
        """End the pull: the body's row of `data.xfrc_applied` becomes zero, target and orientation None."""
        _check_world(data)
        data.xfrc_applied[self.body] = 0
        self.target = self.orientation = None

    def move(self, data: Data, paused: bool = True) -> bool:
        """Place the body at its target as mjv_applyPerturbPose does; call `data.forward()` afterwards.

        A mocap body is always placed. In a paused world a body with a free joint is placed, and one that hangs on such
        a body takes its whole tree along. Others cannot be placed.

        Args:
            data: the Data.
            paused: whether the world is paused; in a running one only mocap bodies are placed.

        Returns:
            whether there was a pose to write.
        """
        _check_world(data)
        model, body = data.model, self.body
        if not (self.is_translating or self.is_rotating):
            return False
        pose = self._body_pose(model)
        mocap = model.body_mocapid[body]
        if mocap >= 0:
            data.mocap_pos[mocap], data.mocap_quat[mocap] = pose
            return True
        root = model.body_rootid[body]
        if not paused or (not _is_free(model, body) and not _is_free(model, root)):
            return False
        if _is_free(model, body):
            root = body
        else:
            # root <- target * child^-1 * root
            start = model.jnt_qposadr[model.body_jntadr[root]]
            old = data.qpos[start : start + 3], data.qpos[start + 3 : start + 7]
            between = _chained(_inverse((data.xpos[body], data.xquat[body])), old)
            pose = _chained(pose, between)
        start = model.jnt_qposadr[model.body_jntadr[root]]
        data.qpos[start : start + 3], data.qpos[start + 3 : start + 7] = pose
        return True

    def inertial_axes(self, model: Model) -> np.ndarray:
        """Axes that the inertial frame of the body is rotated to, the columns of a matrix (3, 3)."""
        quat = self._start_quat if self._orientation is None else self._orientation
        return np.array(from_quaternion(multiply(quat, model.body_iquat[self.body]))).reshape(3, 3)

    def _body_pose(self, model: Model) -> Pose:
        """The pose that the body is to have: its center moves as the target has, its orientation is the one wanted."""
        shift = np.zeros(3) if self._target is None else self._target - self._start_point
        quat = self._start_quat if self._orientation is None else self._orientation
        inertial = model.body_ipos[self.body], model.body_iquat[self.body]
        center = self._start_center + shift, np.array(multiply(quat, inertial[1]))
        return _chained(center, _inverse(inertial))

    def __repr__(self) -> str:
        return f"<Perturbation of body {self.body}: target {self._target}, orientation {self._orientation}>"


def _vector(name: str, value: Any, count: int) -> np.ndarray:
    """Finite numbers of the user, a copy."""
    array = numbers(name, value)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise FieldError(f"{name} is {count} finite numbers, not {value!r}")
    return np.array(array, float)


def _felt_mass(data: Data, point: np.ndarray, body: int) -> float:
    """Mass that is felt at a point, averaged over directions: 3 / trace(J M^-1 J'); 1 if nothing moves."""
    jacobian, _ = data.jac(point, body)
    halves = data.solve_m2(jacobian)
    inverse = float(np.sum(halves * halves))
    return 1.0 if inverse == 0 else 3.0 / max(inverse, MINVAL)


def _is_free(model: Model, body: int) -> bool:
    """Whether the only joint of a body is free."""
    return bool(model.body_jntnum[body] == 1 and model.jnt_type[model.body_jntadr[body]] == JointType.FREE)


def _chained(outer: Any, inner: Any) -> Pose:
    """The pose `inner`, which is given in the frame `outer`, in the frame that `outer` is given in."""
    pos = np.add(outer[0], rotate(tuple(inner[0]), tuple(outer[1])))
    quat = np.array(multiply(outer[1], inner[1]))
    return pos, quat / np.linalg.norm(quat)


def _inverse(pose: Any) -> Pose:
    """The frame that a pose is given in, in the frame of the pose."""
    back = conjugate(tuple(pose[1]))
    return -np.array(rotate(tuple(pose[0]), back)), np.array(back)


def _check_world(data: object) -> None:
    """Refuse what has no bodies to push; what has the fields of a Data will do."""
    if not hasattr(data, "model") or not hasattr(data, "xfrc_applied"):
        raise FieldError(f"a Perturbation acts in a Data, not in {type(data).__name__}")
    check_idle(data)
