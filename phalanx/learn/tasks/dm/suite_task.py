"""What the tasks of dm_control have in common: their models, poses to begin with, and terms of rewards."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.elementary import sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import lane_count, lane_get, lane_set, sqrt
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.tolerance import quadratic, tolerance
from phalanx.learn.tasks.installed_models import installed_file
from phalanx.learn.tasks.signals import velocity_names
from phalanx.memory.errors import ModelError
from phalanx.tables.enums import JointType
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.spec import Spec

PI = 3.141592653589793
FREE, BALL, SLIDE, HINGE = (int(JointType[name]) for name in ("FREE", "BALL", "SLIDE", "HINGE"))
#: Numbers of a rotation matrix, by row and column.
XX, XZ, ZX, ZY, ZZ = 0, 2, 6, 7, 8


class SuiteTask(Task):
    """A task whose model comes with dm_control. An observation is that of dm_control, its parts one after another.

    Signals have no bounds, as there: rounding can make the cosine of a rotation matrix larger than one.

    Everything that follows from positions and velocities is of the new state; what follows from forces (touch) is of
    the last substep, as in dm_control.

    Attributes:
        xml_file: of the model, in the folder `suite` of the installed package dm_control.
    """

    xml_file = ""
    refresh = "velocity"
    max_steps = 1000

    def _loaded_model(self) -> Model:
        if self.model is None:
            spec = Spec.from_file(installed_file("dm_control", f"suite/{self.xml_file}", "dm"))
            self.edit(spec)
            self.model = spec.compile()
        return super()._loaded_model()

    def edit(self, spec: Spec) -> None:
        """Change the model before it is compiled."""

    def sensor(self, name: str) -> int:
        """Where the numbers of a sensor begin."""
        return int(self.model.sensor_adr[self.model.sensor(name).id])

    def velocity_signal(self) -> Signal:
        """All of qvel."""
        return Signal("velocity", self.model.nv, names=velocity_names(self.model))


class PosesTask(SuiteTask):
    """A task that begins in one of many poses, which are found when it is made.

    dm_control draws until a pose has no contacts, or simulates until the robot lies still. Here such poses are drawn
    beforehand, with a fixed seed, and each episode begins in one of them.

    Attributes:
        poses: how many.
        starts: positions, velocities, and places of mocap bodies of each, (poses, nq + nv + 7 nmocap): set in `setup`,
            by `find_poses`.
    """

    poses = 256
    starts: np.ndarray

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Set the positions of a pose to begin with, and compute what follows: by default any pose of the joints."""
        random_pose(self.model, data.qpos, rng)
        data.forward()

    def is_fine(self, data: Data) -> bool:
        """Can an episode begin like this?"""
        return data.ncon == 0

    def find_poses(self) -> np.ndarray:
        """Positions, velocities and places of mocap bodies, (poses, nq + nv + 7 nmocap)."""
        rng, found, data = np.random.default_rng(0), [], Data(self.model)
        for _ in range(100 * self.poses):
            data.reset()
            self.find_pose(data, rng)
            if self.is_fine(data):
                parts = data.qpos, data.qvel, data.mocap_pos.ravel(), data.mocap_quat.ravel()
                found.append(np.concatenate(parts))
                if len(found) == self.poses:
                    return np.array(found)
        raise ModelError(f"{self.name}: found only {len(found)} of {self.poses} poses without contacts")

    def begin_in_pose(self, m, d, rng):
        """One of the poses, another one in each world."""
        chosen = rng.integer(self.poses)
        for world in range(lane_count(chosen)):
            k = int(lane_get(chosen, world))
            for i in range(m.nq):
                d.qpos[i] = lane_set(d.qpos[i], world, self.starts[k, i])
            for i in range(m.nv):
                d.qvel[i] = lane_set(d.qvel[i], world, self.starts[k, m.nq + i])
            places = m.nq + m.nv
            for body in range(m.nmocap):
                for i in range(3):
                    value = self.starts[k, places + 3 * body + i]
                    d.mocap_pos[body, i] = lane_set(d.mocap_pos[body, i], world, value)
                for i in range(4):
                    value = self.starts[k, places + 3 * m.nmocap + 4 * body + i]
                    d.mocap_quat[body, i] = lane_set(d.mocap_quat[body, i], world, value)


def random_pose(model: Model, qpos: np.ndarray, rng: np.random.Generator) -> None:
    """Joints anywhere in their ranges, without ranges at any angle; free joints rotated, but where they are."""
    for joint in range(model.njnt):
        kind, place = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
        if kind in (HINGE, SLIDE) and model.jnt_limited[joint]:
            qpos[place] = rng.uniform(*model.jnt_range[joint])
        elif kind == HINGE:
            qpos[place] = rng.uniform(-PI, PI)
        elif kind == FREE:
            quat = rng.uniform(0.0, 1.0, 4)
            qpos[place + 3 : place + 7] = quat / np.linalg.norm(quat)


@kernel
def random_joints(m, d, rng):
    """`random_pose` in a kernel."""
    for joint in range(m.njnt):
        place = m.jnt_qposadr[joint]
        if m.jnt_type[joint] == HINGE or m.jnt_type[joint] == SLIDE:
            if m.jnt_limited[joint]:
                d.qpos[place] = rng.uniform(m.jnt_range[joint, 0], m.jnt_range[joint, 1])
            elif m.jnt_type[joint] == HINGE:
                d.qpos[place] = rng.uniform(-PI, PI)
        elif m.jnt_type[joint] == FREE:
            random_quaternion(d, place + 3, (rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform()))


@kernel
def random_quaternion(d, place, quat):
    """Store a quaternion of length one."""
    w, x, y, z = quat
    size = sqrt(w * w + x * x + y * y + z * z)
    d.qpos[place] = w / size
    d.qpos[place + 1] = x / size
    d.qpos[place + 2] = y / size
    d.qpos[place + 3] = z / size


@kernel
def small_control(m, d):
    """Between 0.8 and 1: the smaller the controls, the better."""
    total = 0.0
    for i in range(m.nu):
        total = total + tolerance(d.ctrl[i], 0.0, 0.0, 1.0, quadratic, 0.0)
    return (4.0 + total / m.nu) / 5.0


@kernel
def write_velocity(m, d, out, k):
    """qvel from out[k] on."""
    for i in range(m.nv):
        out[k + i] = d.qvel[i]


@kernel
def in_disc(rng, low, high):
    """A direction that is uniform, at a distance that is uniform: (r sin, r cos)."""
    sine, cosine = sincos(rng.uniform(0.0, 2.0 * PI))
    radius = rng.uniform(low, high)
    return radius * sine, radius * cosine
