"""Walk or run on four legs, escape from a bowl, or fetch a ball."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.algebra.elementary import log, tanh
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import abs_, copysign, sqrt, where
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import HINGE, PI, ZZ, PosesTask
from phalanx.learn.tasks.dm.tolerance import INF, linear, tolerance
from phalanx.memory.errors import FieldError
from phalanx.tables.enums import SensorType
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.spec import Spec

WALLS = ("wall_px", "wall_py", "wall_nx", "wall_ny")
#: The terrain to escape from: how flat its bumps are, from 0 to 1, and how wide [m].
SMOOTHNESS, BUMP = 0.15, 2.0
#: In `escape` the torso may lean by 20 degrees: the cosine.
LEAN = 0.9396926207859084


class QuadrupedTask(PosesTask):
    """What all tasks observe.

    Attributes:
        has_ball: are there walls, a ball and a target?
        has_terrain: are there a terrain and range finders?
    """

    xml_file = "quadruped.xml"
    has_ball, has_terrain = False, False
    poses = 128

    def floor_size(self) -> float | None:
        """Half of the width of the floor [m]; None for that of the model."""
        return None

    def edit(self, spec: Spec) -> None:
        """Only what is needed."""
        size = self.floor_size()
        if size is not None:
            spec.geom("floor").size = size, size, 0.5
        if not self.has_ball:
            for name in WALLS:
                spec.delete(spec.geom(name))
            spec.delete(spec.body("ball"))
            spec.delete(spec.site("target"))
        if not self.has_terrain:
            spec.delete(spec.geom("terrain"))
            for sensor in [sensor for sensor in spec.sensors if sensor.tag == "rangefinder"]:
                spec.delete(sensor)

    def setup(self) -> None:
        """Where joints and sensors are."""
        model = self.model
        self.torso, self.velocimeter = model.body("torso").id, self.sensor("velocimeter")
        self.root = int(model.jnt_qposadr[model.joint("root").id])
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
            Signal("torso_upright"),
            Signal("imu", self.nimu),
            Signal("force_torque", self.nforce, unit="asinh(N)"),
        )

    def places(self, *kinds: SensorType) -> np.ndarray:
        """Places of all numbers of sensors of some kinds, in the order of the model."""
        model = self.model
        chosen = [k for k in range(model.nsensor) if int(model.sensor_type[k]) in kinds]
        return np.concatenate([int(model.sensor_adr[k]) + np.arange(int(model.sensor_dim[k])) for k in chosen])

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Any orientation, as low as possible."""
        quat = rng.standard_normal(4)
        self.raise_from_floor(data, 0.0, 0.0, quat / np.linalg.norm(quat))

    def raise_from_floor(self, data: Data, x: float, y: float, quat: Any) -> None:
        """The lowest place without contacts."""
        data.qpos[self.root + 3 : self.root + 7] = quat
        for height in np.arange(0.0, 6.0, 0.01):
            data.qpos[self.root : self.root + 3] = x, y, height
            data.forward()
            if data.ncon == 0:
                break

    def observe_robot(self, m, d, out):
        """Joints, activations, velocity, uprightness, inertial sensors, forces in the legs. Returns their count."""
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
        return first + 4 + self.nimu + self.nforce

    def in_torso(self, d, vector):
        """A vector of the world in the frame of the torso."""
        return multiply_transposed(load9(d.xmat, self.torso), vector)

    def upright(self, d, least):
        """One while the cosine of the lean is at least this."""
        return tolerance(d.xmat[self.torso, ZZ], least, INF, 1.0 + least, linear, 0.0)

    def reset(self, m, d, rng):
        """A pose without contacts."""
        self.begin_in_pose(m, d, rng)


class Quadruped(QuadrupedTask):
    """The reward is for being upright, and for moving forward at `speed` [m/s]."""

    speed = 0.5

    def floor_size(self) -> float:
        """As far as it comes in an episode."""
        return 20.0 * self.speed

    def setup(self) -> None:
        """Where joints and sensors are."""
        super().setup()
        self.starts = self.find_poses()

    def observe(self, m, d, out):
        """The robot."""
        self.observe_robot(m, d, out)

    def reward(self, m, d):
        """Upright and moving."""
        moving = tolerance(d.sensordata[self.velocimeter], self.speed, INF, self.speed, linear, 0.5)
        return self.upright(d, 1.0) * moving


class QuadrupedEscape(QuadrupedTask):
    """The reward is for being upright, and far from the middle of a bowl with bumps.

    dm_control draws other bumps for each episode. Here all worlds share the height field of the Model: its bumps are
    drawn by `seed` when the task is made.

    Attributes:
        seed: of the bumps.
        heights: of the terrain, (rows, columns), as fractions of its greatest height; None to draw them.
    """

    has_terrain = True
    poses = 64
    seed = 0
    heights: np.ndarray | None = None

    def floor_size(self) -> float:
        """Larger than the terrain."""
        return 40.0

    def _loaded_model(self) -> Model:
        model = super()._loaded_model()
        rows, columns = int(model.hfield_nrow[0]), int(model.hfield_ncol[0])
        heights = bowl(rows, float(model.hfield_size[0, 0]), self.seed) if self.heights is None else self.heights
        if np.shape(heights) != (rows, columns):
            raise FieldError(f"heights of {self.name} have shape {np.shape(heights)}, but {(rows, columns)} is needed")
        return model.replace(hfield_data=np.ravel(heights))

    def setup(self) -> None:
        """Where range finders are."""
        super().setup()
        model = self.model
        self.ranges = self.places(SensorType.RANGEFINDER)
        self.nrange, self.workspace = len(self.ranges), model.site("workspace").id
        self.size = float(model.hfield_size[0, 0])
        names = tuple(f"to the middle {axis}" for axis in "xyz")
        more = Signal("origin", 3, names=names, unit="m"), Signal("rangefinder", self.nrange)
        self.observation = (*self.observation, *more)
        self.starts = self.find_poses()

    def observe(self, m, d, out):
        """The robot, the middle of the bowl, distances to the ground."""
        place = self.observe_robot(m, d, out)
        x, y, z = self.in_torso(d, load3(d.xpos, self.torso))
        for i, value in enumerate((x, y, z)):
            out[place + i] = -value
        for i in range(self.nrange):
            distance = d.sensordata[self.ranges[i]]
            out[place + 3 + i] = where(distance == -1.0, 1.0, tanh(distance))

    def reward(self, m, d):
        """Upright and far away."""
        far = tolerance(norm(load3(d.site_xpos, self.workspace)), self.size, INF, self.size, linear, 0.0)
        return self.upright(d, LEAN) * far


class QuadrupedFetch(QuadrupedTask):
    """The reward is for being upright, near the ball, and for the ball at the target in the middle."""

    has_ball = True

    def setup(self) -> None:
        """Where ball and target are."""
        super().setup()
        model = self.model
        self.ball, self.target, self.workspace = (
            model.body("ball").id, model.site("target").id, model.site("workspace").id
        )  # fmt: skip
        joint = model.joint("ball_root").id
        self.ball_place, self.ball_dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        self.root_dof = int(model.jnt_dofadr[model.joint("root").id])
        size = float(model.geom_size[model.geom("floor").id, 0])
        self.room, self.arena = 0.9 * size, size * float(np.sqrt(2.0))
        self.reach = float(model.site_size[self.workspace, 0] + model.geom_size[model.geom("ball").id, 0])
        self.radius = float(model.site_size[self.target, 0])
        words = ("position", "velocity", "rotation")
        names = tuple(f"{word} of the ball {axis}" for word in words for axis in "xyz")
        target = tuple(f"to the target {axis}" for axis in "xyz")
        more = Signal("ball_state", 9, names=names), Signal("target_position", 3, names=target, unit="m")
        self.observation = (*self.observation, *more)
        self.starts = self.find_poses()

    def find_pose(self, data: Data, rng: np.random.Generator) -> None:
        """Upright, anywhere, with any heading."""
        azimuth = rng.uniform(0.0, 2.0 * PI)
        x, y = rng.uniform(-self.room, self.room, 2)
        self.raise_from_floor(data, x, y, (np.cos(azimuth / 2), 0.0, 0.0, np.sin(azimuth / 2)))

    def observe(self, m, d, out):
        """The robot, ball and target in its frame."""
        place = self.observe_robot(m, d, out)
        torso = load3(d.xpos, self.torso)
        ball, root = self.ball_dof, self.root_dof
        velocity = tuple(d.qvel[ball + i] - d.qvel[root + i] for i in (0, 1, 2))
        rotation = d.qvel[ball + 3], d.qvel[ball + 4], d.qvel[ball + 5]
        to_target = sub(load3(d.site_xpos, self.target), torso)
        for k, vector in enumerate((sub(load3(d.xpos, self.ball), torso), velocity, rotation, to_target)):
            seen = self.in_torso(d, vector)
            for i in (0, 1, 2):
                out[place + 3 * k + i] = seen[i]

    def horizontal(self, d, site):
        """Distance of the ball from a site, in the plane."""
        x, y, _ = sub(load3(d.site_xpos, site), load3(d.xpos, self.ball))
        return sqrt(x * x + y * y)

    def reward(self, m, d):
        """Upright, at the ball, with the ball at the target."""
        reached = tolerance(self.horizontal(d, self.workspace), 0.0, self.reach, self.arena, linear, 0.0)
        fetched = tolerance(self.horizontal(d, self.target), 0.0, self.radius, self.arena, linear, 0.0)
        return self.upright(d, 1.0) * (reached * (0.5 + 0.5 * fetched))

    def reset(self, m, d, rng):
        """A pose without contacts; the ball flies from anywhere."""
        self.begin_in_pose(m, d, rng)
        for i in range(2):
            d.qpos[self.ball_place + i] = rng.uniform(-self.room, self.room)
            d.qvel[self.ball_dof + i] = 5.0 * rng.normal()
        d.qpos[self.ball_place + 2] = 2.0


def bowl(count: int, half_width: float, seed: int) -> np.ndarray:
    """Heights of a bowl with smooth bumps, (count, count), as fractions of the greatest."""
    from scipy import ndimage

    rows, columns = np.ogrid[-1 : 1 : count * 1j, -1 : 1 : count * 1j]
    radius = np.clip(np.sqrt(columns**2 + rows**2), 0.04, 1.0)
    coarse = int(2.0 * half_width / BUMP)
    bumps = np.random.default_rng(seed).uniform(SMOOTHNESS, 1.0, (coarse, coarse))
    return (0.5 - np.cos(2.0 * PI * radius) / 2.0) * ndimage.zoom(bumps, count / coarse)
