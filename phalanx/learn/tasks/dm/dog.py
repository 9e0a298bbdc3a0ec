"""Stand, walk, trot or run on four legs as a dog, or fetch a ball."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.elementary import sincos
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import sqrt, where
from phalanx.algebra.vector import add, cross, norm, sub
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import HINGE, PI, ZX, ZZ, SuiteTask
from phalanx.learn.tasks.dm.tolerance import INF, gaussian, linear, reciprocal, tolerance
from phalanx.world.data import Data
from phalanx.world.spec import Spec

WALLS = ("wall_px", "wall_nx", "wall_py", "wall_ny")
#: Cosine of the greatest lean that is paid in full, 30 degrees.
LEAST_COSINE = 0.8660254037844387
#: Height of torso and pelvis that is paid in full, as a part of that at rest.
STANDING = 0.9
#: Seconds of an episode, and half of the width of the floor where a ball is fetched [m].
EPISODE, ARENA = 15.0, 10.0
#: Sensors, in the order in which they are seen.
INERTIAL, FEET = ("accelerometer", "velocimeter", "gyro"), ("foot_L", "foot_R", "hand_L", "hand_R")
TOUCH = ("palm_L", "palm_R", "sole_L", "sole_R")
#: How far the mouth may be from the ball until little is paid [m].
REACH = 2.0


class Dog(SuiteTask):
    """The reward is for standing upright with weight on the feet, and for moving forward at `move_speed` [m/s]."""

    xml_file = "dog.xml"
    move_speed = 0.0
    has_ball = False

    def edit(self, spec: Spec) -> None:
        """A floor as large as it is needed; without walls, ball and target."""
        size = ARENA if self.has_ball else EPISODE * max(self.move_speed, 1.0)
        spec.geom("floor").size = size, size, 0.1
        if self.has_ball:
            return
        spec.delete(spec.body("ball"))
        for name in ("target", *WALLS):
            spec.delete(spec.geom(name))
        spec.delete(spec.camera("head"))

    def setup(self) -> None:
        """Where joints and sensors are; heights at rest and weight."""
        model = self.model
        self.bodies = tuple(model.body(name).id for name in ("skull", "torso", "pelvis"))
        self.torso, self.pelvis = self.bodies[1:]
        hinges = [k for k in range(model.njnt) if int(model.jnt_type[k]) == HINGE]
        names = tuple(model.joint(k).name for k in hinges)
        self.angles = np.array([int(model.jnt_qposadr[k]) for k in hinges])
        self.speeds = np.array([int(model.jnt_dofadr[k]) for k in hinges])
        self.nhinge, self.linvel = len(hinges), self.sensor("torso_linvel")
        self.inertial, self.feet, self.touches = self.numbers(INERTIAL), self.numbers(FEET), self.numbers(TOUCH)
        self.ninertial, self.nfeet, self.ntouch = len(self.inertial), len(self.feet), len(self.touches)
        # what standing is, measured at rest
        rest = Data(model).forward()
        self.torso_height = STANDING * float(rest.xpos[self.torso, 2])
        self.pelvis_height = STANDING * float(rest.xpos[self.pelvis, 2])
        self.weight = -float(model.opt.gravity[2]) * float(model.body_subtreemass[self.torso])
        self.root = int(model.jnt_qposadr[model.joint("root").id])
        self.frame_skip = round(0.015 / float(model.opt.timestep))
        axes = tuple(f"z of {name}: {axis}" for name in ("skull", "torso", "pelvis") for axis in "xyz")
        self.observation = (
            Signal("joint_angles", len(names), names=names, unit="rad"),
            Signal("joint_velocites", len(names), names=names, unit="rad/s"),
            Signal("torso_pelvis_height", 2, names=("torso", "pelvis"), unit="m"),
            Signal("z_projection", 9, names=axes),
            Signal("torso_com_velocity", 3, unit="m/s"),
            Signal("inertial_sensors", self.ninertial),
            Signal("foot_forces", self.nfeet),
            Signal("touch_sensors", self.ntouch, unit="N"),
            Signal("actuator_state", model.na),
        )

    def numbers(self, names: tuple[str, ...]) -> np.ndarray:
        """Places of all numbers of some sensors."""
        model, ids = self.model, [self.model.sensor(name).id for name in names]
        return np.concatenate([int(model.sensor_adr[k]) + np.arange(int(model.sensor_dim[k])) for k in ids])

    def velocity(self, d):
        """Velocity of the center of mass, in the frame of the torso."""
        place = self.linvel
        measured = d.sensordata[place], d.sensordata[place + 1], d.sensordata[place + 2]
        return multiply_transposed(load9(d.xmat, self.torso), measured)

    def observe(self, m, d, out):
        """The dog."""
        self.observe_dog(m, d, out)

    def observe_dog(self, m, d, out):
        """Joints, heights, orientation, velocity, sensors, activations. Returns how many numbers."""
        count = self.nhinge
        for i in range(count):
            out[i] = d.qpos[self.angles[i]]
            out[count + i] = d.qvel[self.speeds[i]]
        place = 2 * count
        out[place] = d.xpos[self.torso, 2]
        out[place + 1] = d.xpos[self.pelvis, 2]
        for k, body in enumerate(self.bodies):
            for i in range(3):
                out[place + 2 + 3 * k + i] = d.xmat[body, ZX + i]
        velocity = self.velocity(d)
        for i in (0, 1, 2):
            out[place + 11 + i] = velocity[i]
        # sensors, then what actuators have
        place = place + 14
        for i in range(self.ninertial):
            out[place + i] = d.sensordata[self.inertial[i]]
        for i in range(self.nfeet):
            out[place + self.ninertial + i] = d.sensordata[self.feet[i]]
        place = place + self.ninertial + self.nfeet
        for i in range(self.ntouch):
            out[place + i] = d.sensordata[self.touches[i]]
        for i in range(m.na):
            out[place + self.ntouch + i] = d.act[i]
        return place + self.ntouch + m.na

    def standing(self, d):
        """High and upright, with weight on the feet."""
        height, pelvis = d.xpos[self.torso, 2], d.xpos[self.pelvis, 2]
        gain = tolerance(height, self.torso_height, INF, self.torso_height, gaussian)
        gain = gain * tolerance(pelvis, self.pelvis_height, INF, self.pelvis_height, gaussian)
        for body in self.bodies:
            gain = gain * tolerance(d.xmat[body, ZZ], LEAST_COSINE, INF, LEAST_COSINE + 1.0, linear, 0.0)
        force = 0.0
        for i in range(self.ntouch):
            force = force + d.sensordata[self.touches[i]]
        return gain * tolerance(force, self.weight, INF, self.weight, linear, 0.9)

    def reward(self, m, d):
        """Standing, and moving if that is asked for."""
        if self.move_speed == 0.0:
            return self.standing(d)
        speed, margin = self.move_speed, max(1.0, self.move_speed)
        forward = tolerance(self.velocity(d)[0], speed, 2.0 * speed, margin, linear, 0.0)
        return self.standing(d) * ((4.0 * forward + 1.0) / 5.0)

    def begin_anyhow(self, m, d, rng):
        """Any heading, horizontal velocity and activations."""
        sine, cosine = sincos(0.5 * rng.uniform(0.0, 2.0 * PI))
        d.qpos[self.root + 3] = cosine
        d.qpos[self.root + 4] = 0.0
        d.qpos[self.root + 5] = 0.0
        d.qpos[self.root + 6] = sine
        for i in (0, 1, 5):
            d.qvel[i] = 2.0 * rng.normal()
        for i in range(m.na):
            d.act[i] = rng.uniform(m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1])

    def reset(self, m, d, rng):
        """Standing, with any heading."""
        self.begin_anyhow(m, d, rng)


class DogFetch(Dog):
    """The reward is for standing, for a mouth at the ball, and for the ball at the target."""

    has_ball = True

    def setup(self) -> None:
        """Where mouth, ball and target are."""
        super().setup()
        model = self.model
        self.head, self.bites = model.site("head").id, (model.site("upper_bite").id, model.site("lower_bite").id)
        self.ball, self.target = model.geom("ball").id, model.geom("target").id
        self.bite, self.goal = float(model.site_size[self.bites[0], 0]), float(model.geom_size[self.target, 0])
        self.room = float(model.geom_size[model.geom("floor").id, 0])
        self.head_body, self.ball_body = int(model.site_bodyid[self.head]), int(model.geom_bodyid[self.ball])
        joint = model.joint("ball_root").id
        self.ball_place, self.ball_dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        self.gravity = -float(model.opt.gravity[2])
        names = tuple(f"{word} of the ball {axis}" for word in ("position", "velocity") for axis in "xyz")
        target = tuple(f"to the target {axis}" for axis in "xyz")
        more = Signal("ball_state", 6, names=names), Signal("target_position", 3, names=target, unit="m")
        self.observation = (*self.observation, *more)

    def velocity_at(self, m, d, body, point):
        """Velocity of a point of a body, from that of its tree's center of mass."""
        rotation = d.cvel[body, 0], d.cvel[body, 1], d.cvel[body, 2]
        linear_part = d.cvel[body, 3], d.cvel[body, 4], d.cvel[body, 5]
        return add(linear_part, cross(rotation, sub(point, load3(d.subtree_com, m.body_rootid[body]))))

    def observe(self, m, d, out):
        """The dog; ball and target in the frame of the head."""
        place = self.observe_dog(m, d, out)
        head, ball = load3(d.site_xpos, self.head), load3(d.geom_xpos, self.ball)
        of_ball = self.velocity_at(m, d, self.ball_body, ball)
        velocity = sub(of_ball, self.velocity_at(m, d, self.head_body, head))
        to_target = sub(load3(d.geom_xpos, self.target), head)
        frame = load9(d.site_xmat, self.head)
        for k, vector in enumerate((sub(ball, head), velocity, to_target)):
            seen = multiply_transposed(frame, vector)
            for i in (0, 1, 2):
                out[place + 3 * k + i] = seen[i]

    def reward(self, m, d):
        """Standing, at the ball, with the ball at the target; there it may be let go."""
        ball = load3(d.geom_xpos, self.ball)
        upper = norm(sub(ball, load3(d.site_xpos, self.bites[0])))
        lower = norm(sub(ball, load3(d.site_xpos, self.bites[1])))
        reached = (6.0 * tolerance(0.5 * (upper + lower), 0.0, self.bite, REACH, reciprocal) + 1.0) / 7.0
        away = norm(sub(ball, load3(d.geom_xpos, self.target)))
        fetched = 0.5 * (tolerance(away, 0.0, self.goal, self.room, reciprocal) + 1.0)
        return self.standing(d) * where(away < 2.0 * self.goal, 1.0, reached) * fetched

    def reset(self, m, d, rng):
        """Standing; the ball is thrown to the middle from somewhere on a circle."""
        self.begin_anyhow(m, d, rng)
        sine, cosine = sincos(rng.uniform(0.0, 2.0 * PI))
        radius, speed = 0.75 * self.room, rng.uniform(0.0, 5.0)
        d.qpos[self.ball_place] = radius * sine
        d.qpos[self.ball_place + 1] = radius * cosine
        d.qpos[self.ball_place + 2] = 0.05
        d.qvel[self.ball_dof] = speed * (0.05 * rng.normal() - sine)
        d.qvel[self.ball_dof + 1] = speed * (0.05 * rng.normal() - cosine)
        # as fast as it has to be to come this high
        d.qvel[self.ball_dof + 2] = sqrt(2.0 * self.gravity * rng.uniform(0.0, 3.0))
