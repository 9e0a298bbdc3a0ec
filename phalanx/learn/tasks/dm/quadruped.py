"""Walk or run on four legs."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.elementary import log
from phalanx.algebra.number import abs_, copysign, sqrt
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import HINGE, ZZ, PosesTask
from phalanx.learn.tasks.dm.tolerance import INF, linear, tolerance
from phalanx.tables.enums import SensorType
from phalanx.world.data import Data
from phalanx.world.spec import Spec

#: What the task does without.
UNUSED_GEOMS = ("wall_px", "wall_py", "wall_nx", "wall_ny", "terrain")


class Quadruped(PosesTask):
    """The reward is for being upright, and for moving forward at `speed` [m/s]."""

    xml_file = "quadruped.xml"
    speed = 0.5
    poses = 128

    def edit(self, spec: Spec) -> None:
        """A large floor, without walls, ball, terrain and range finders."""
        size = 20.0 * self.speed
        spec.geom("floor").size = size, size, 0.5
        for name in UNUSED_GEOMS:
            spec.delete(spec.geom(name))
        spec.delete(spec.body("ball"))
        spec.delete(spec.site("target"))
        for sensor in [sensor for sensor in spec.sensors if sensor.tag == "rangefinder"]:
            spec.delete(sensor)

    def setup(self) -> None:
        """Where joints and sensors are."""
        model = self.model
        self.torso, self.velocimeter = model.body("torso").id, self.sensor("velocimeter")
        hinges = [k for k in range(model.njnt) if int(model.jnt_type[k]) == HINGE]
        self.angles = np.array([int(model.jnt_qposadr[k]) for k in hinges])
        self.speeds = np.array([int(model.jnt_dofadr[k]) for k in hinges])
        self.imu = self.places(SensorType.GYRO, SensorType.ACCELEROMETER)
        self.forces = self.places(SensorType.FORCE, SensorType.TORQUE)
        names = tuple(model.joint(k).name for k in hinges)
        self.nhinge, self.nimu, self.nforce = len(hinges), len(self.imu), len(self.forces)
        self.frame_skip = round(0.02 / float(model.opt.timestep))
        self.observation = (
            Signal("egocentric_state", 2 * len(names) + model.na),
            Signal("torso_velocity", 3, unit="m/s"),
            Signal("torso_upright", 1, -1.0, 1.0),
            Signal("imu", self.nimu),
            Signal("force_torque", self.nforce, unit="asinh(N)"),
        )
        self.starts = self.find_poses()

    def places(self, *kinds: SensorType) -> np.ndarray:
        """Places of all numbers of sensors of some kinds, in the order of the model."""
        model = self.model
        chosen = [k for k in range(model.nsensor) if int(model.sensor_type[k]) in kinds]
        return np.concatenate([int(model.sensor_adr[k]) + np.arange(int(model.sensor_dim[k])) for k in chosen])

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Any orientation, as low as possible."""
        quat = rng.standard_normal(4)
        data.qpos[3:7] = quat / np.linalg.norm(quat)
        for height in np.arange(0.0, 3.0, 0.01):
            data.qpos[:3] = 0.0, 0.0, height
            data.forward()
            if data.ncon == 0:
                break

    def observe(self, m, d, out):
        """Joints, activations, velocity, uprightness, inertial sensors, forces in the legs."""
        count = self.nhinge
        for i in range(count):
            out[i] = d.qpos[self.angles[i]]
            out[count + i] = d.qvel[self.speeds[i]]
        for i in range(m.na):
            out[2 * count + i] = d.act[i]
        first = 2 * count + m.na
        for i in range(3):
            out[first + i] = d.sensordata[self.velocimeter + i]
        out[first + 3] = d.xmat[self.torso, ZZ]
        for i in range(self.nimu):
            out[first + 4 + i] = d.sensordata[self.imu[i]]
        for i in range(self.nforce):
            force = d.sensordata[self.forces[i]]
            size = abs_(force)
            out[first + 4 + self.nimu + i] = copysign(log(size + sqrt(size * size + 1.0)), force)

    def reward(self, m, d):
        """Upright and moving."""
        upright = tolerance(d.xmat[self.torso, ZZ], 1.0, INF, 2.0, linear, 0.0)
        return upright * tolerance(d.sensordata[self.velocimeter], self.speed, INF, self.speed, linear, 0.5)

    def reset(self, m, d, rng):
        """A pose without contacts."""
        self.begin_in_pose(m, d, rng)
