"""Control laws under which robots stand or walk: from states of all worlds to their controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: (step, qpos, qvel) of all worlds -> ctrl of all worlds.
Control = Callable[[int, np.ndarray, np.ndarray], np.ndarray]

#: Every world holds a pose of its own: targets differ by so much, standard deviation [rad or m].
SPREAD = 0.05


@dataclass(frozen=True)
class Law:
    """A control law: `make(mjmodel, pose, offsets)` binds it to a model, a pose and offsets of the targets by world.

    Attributes:
        text: the law in words, for the page.
        make: how it is bound.
        pose: where a model stands under it.
    """

    text: str
    make: Callable[[Any, np.ndarray, np.ndarray], Control]
    pose: Callable[[Any], np.ndarray]


def reference_pose(mjmodel: Any) -> np.ndarray:
    """The reference pose qpos0 with joints moved into their limits."""
    import mujoco

    pose = mjmodel.qpos0.copy()
    angles = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    for joint in np.flatnonzero(mjmodel.jnt_limited & np.isin(mjmodel.jnt_type, angles)):
        place = mjmodel.jnt_qposadr[joint]
        pose[place] = np.clip(pose[place], *mjmodel.jnt_range[joint])
    return pose


def first_pose(mjmodel: Any) -> np.ndarray:
    """The first keyframe, or the reference pose of a model without."""
    return mjmodel.key_qpos[0].copy() if mjmodel.nkey else reference_pose(mjmodel)


def control_range(mjmodel: Any) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest controls; -1 and 1 where there is no limit."""
    low, high = np.where(mjmodel.actuator_ctrllimited[:, None], mjmodel.actuator_ctrlrange, [[-1.0, 1.0]]).T
    return low, high


def rest_control(mjmodel: Any) -> np.ndarray:
    """Controls of the first keyframe, or zero, or what is nearest to zero."""
    return np.clip(mjmodel.key_ctrl[0] if mjmodel.nkey else np.zeros(mjmodel.nu), *control_range(mjmodel))


def servos() -> Law:
    """The model's own servos hold the controls of its keyframe."""

    def make(mjmodel: Any, pose: np.ndarray, offsets: np.ndarray) -> Control:
        held = np.clip(rest_control(mjmodel) + offsets, *control_range(mjmodel))
        return lambda step, qpos, qvel: held

    return Law("its own servos hold the controls of the first keyframe, or zero", make, first_pose)


def proportional(kp: float, kd: float) -> Law:
    """Motors pull each joint to its place in the pose: torque = kp (target - angle) - kd velocity."""

    def make(mjmodel: Any, pose: np.ndarray, offsets: np.ndarray) -> Control:
        joints = mjmodel.actuator_trnid[:, 0]
        place, dof, gear = mjmodel.jnt_qposadr[joints], mjmodel.jnt_dofadr[joints], mjmodel.actuator_gear[:, 0]
        targets = pose[place] + offsets

        def control(step: int, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
            torque = kp * (targets - qpos[:, place]) - kd * qvel[:, dof]
            return np.clip(torque / gear, *control_range(mjmodel))

        return control

    return Law(f"motors, {kp:g} N·m/rad and {kd:g} N·m·s/rad to the reference pose", make, reference_pose)


#: Phase of each leg in a trot: front left, front right, hind left, hind right.
TROT = np.array([0.0, np.pi, np.pi, 0.0])


def trot(frequency: float = 2.5, stride: float = 0.2, lift: float = 0.25) -> Law:
    """Diagonal legs swing together, as in the notebook `docs/tutorials/trot.ipynb`; worlds differ in their phase."""

    def make(mjmodel: Any, pose: np.ndarray, offsets: np.ndarray) -> Control:
        ahead = offsets[:, :1] / SPREAD

        def control(step: int, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
            phase = 2 * np.pi * frequency * mjmodel.opt.timestep * step + ahead + TROT
            up = lift * np.maximum(0, np.sin(phase))
            hip = 0.75 + stride * np.cos(phase) + up
            return np.stack([np.zeros_like(hip), hip, -1.5 - 2 * up], axis=-1).reshape(len(phase), 12)

        return control

    text = f"servos follow a trot of {frequency:g} Hz, stride {stride:g} rad, lift {lift:g} rad"
    return Law(text, make, first_pose)
