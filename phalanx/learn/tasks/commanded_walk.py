"""Walk as a command says: what the robots have in common. Blind: a policy sees its own body and the command.

Rewards are the rows of `TERMS`, in the manner of what is common for legged robots (Rudin et al., Learning to walk in
minutes using massively parallel deep reinforcement learning, CoRL 2022).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace

import numpy as np

from phalanx.algebra.elementary import exp, sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, clamp, maximum, where
from phalanx.algebra.quaternion import conjugate, rotate
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.walking_ground import Terrain, on_terrain
from phalanx.memory.errors import FieldError, UnknownNameError, suggestion
from phalanx.tables.enums import JointType
from phalanx.world.model import Model

#: Numbers of the free joint in qpos and in qvel.
ROOT_POSITIONS, ROOT_VELOCITIES = 7, 6
PI = 3.141592653589793


@dataclass(frozen=True)
class Term:
    """A term of the reward.

    Attributes:
        name: of the term.
        weight: what it is multiplied with; negative for costs. A second of the simulation counts, not a step.
        doc: what it is.
    """

    name: str
    weight: float
    doc: str


TERMS = (
    Term("track_linear", 1.5, "exp(-|v - command|²/s²), v the velocity in the plane, in the frame of the robot"),
    Term("track_angular", 0.75, "exp(-(w - command)²/s²), w the rate of rotation about its vertical axis"),
    Term("bounce", -0.5, "vertical velocity squared"),
    Term("tilt_rate", -0.05, "rates of rolling and pitching squared"),
    Term("tilt", -5.0, "horizontal part of the vertical axis of the robot squared"),
    Term("pose", -0.2, "distances of joints from the stance squared"),
    Term("limits", -1.0, "how far joints are beyond 95 % of their ranges"),
    Term("torque", -2e-4, "forces of actuators squared"),
    Term("power", -1e-3, "force times velocity of actuators, without sign"),
    Term("action_rate", -0.01, "change of the action squared"),
    Term("air_time", 1.0, "of feet that land: how long they were in the air, more than `least_air_time`"),
    Term("slip", -0.1, "horizontal velocity of feet on the ground squared"),
    Term("stand_still", -1.0, "distances of joints from the stance, when the command is to stand"),
    Term("fall", -50.0, "one when the robot falls, which ends the episode"),
)


@dataclass(frozen=True)
class Noise:
    """How far observations may be off: bounds of uniform noise.

    Attributes:
        velocity: of the body [m/s].
        rotation: rates of rotation [rad/s].
        gravity: direction of gravity.
        angle: of joints [rad].
        joint_velocity: of joints [rad/s].
    """

    velocity: float = 0.1
    rotation: float = 0.2
    gravity: float = 0.05
    angle: float = 0.02
    joint_velocity: float = 1.0


class Velocity(Task):
    """Follow a command of velocities, on a terrain, with pushes.

    The action is an offset of the targets of servos from the stance, times `action_scale`. Parameters besides those
    below are `max_steps`, `frame_skip`, `model`.

    Attributes:
        stance: the keyframe that the robot stands in.
        body: the body whose velocity is meant; it has the free joint.
        feet: sites and touch sensors of the feet, which have the same names.
        terrain: flat ground, or another one.
        command_low, command_high: least and largest commands: forward [m/s], left [m/s], rotation to the left [rad/s].
        command_time: least and largest time until a new command [s].
        standing: how many commands are to stand.
        tracking: s of the first two terms.
        least_air_time: of steps that are paid [s].
        weights: terms of the reward by name with other weights than those of `TERMS`.
        push_speed, push_time: largest change of velocity by a push [m/s]; least and largest time between pushes [s].
        noise: of observations; None for none.
        delay: an action counts after 0 to this many steps, the same in an episode.
        least_upright: an episode ends when the vertical axis of the robot has a smaller vertical part.
        joint_spread, speed_spread: noise of joints [rad] and of the velocity of the body [m/s] when an episode begins.
    """

    frame_skip = 10
    max_steps = 1000
    action_low, action_high = -1.0, 1.0
    stance = "stand"
    body = ""
    feet: tuple[str, ...] = ()
    terrain = Terrain()
    action_scale = 0.4
    command_low, command_high = (-0.6, -0.4, -0.8), (1.0, 0.4, 0.8)
    command_time = (3.0, 8.0)
    standing = 0.1
    tracking = 0.4
    least_air_time = 0.1
    weights: Mapping[str, float] = {}
    push_speed, push_time = 0.5, (4.0, 8.0)
    noise: Noise | None = Noise()
    delay = 1
    least_upright = 0.4
    joint_spread, speed_spread = 0.1, 0.2

    def _loaded_model(self) -> Model:
        if isinstance(self.model, str):
            self.model = on_terrain(self.model, self.terrain)
        return super()._loaded_model()

    def setup(self) -> None:
        """Look up joints, feet and weights."""
        model = self.model
        self.nu, self.nfoot = model.nu, len(self.feet)
        check_robot(self)
        self.start = np.array(model.key(self.stance).qpos)
        self.pose = self.start[ROOT_POSITIONS:].copy()
        self.foot_sites = tuple(model.site(name).id for name in self.feet)
        self.foot_touch = tuple(int(model.sensor_adr[model.sensor(name).id]) for name in self.feet)
        self.soft_range = soft_range(model)
        self.duration = float(model.opt.timestep) * self.frame_skip
        self.term_weights = tuple(term.weight for term in weighted(self.weights))
        # terrain: where an episode of each level begins
        self.heights, self.tile = np.array(self.terrain.start_heights()), self.terrain.tile
        self.nlevel = len(self.heights)
        self.is_noisy = self.noise is not None
        self.bounds = astuple(self.noise or Noise())
        self.state = rows_of(self.nu, self.nfoot, self.delay)
        self.observation = signals_of(model)

    # --- an action

    def before(self, m, d):
        """Timers, a new command, a push, and the action that counts now."""
        self.renew_command(d)
        if self.push_speed > 0.0:
            d.task.push_time = d.task.push_time - self.duration
            is_due = d.task.push_time <= 0.0
            for i in range(2):
                kick = d.rng.uniform(-self.push_speed, self.push_speed)
                d.qvel[i] = d.qvel[i] + where(is_due, kick, 0.0)
            later = d.rng.uniform(self.push_time[0], self.push_time[1])
            d.task.push_time = where(is_due, later, d.task.push_time)
        # actions that came before, the newest first
        for i in range(self.nu):
            for k in range(self.delay, 0, -1):
                d.task.past[k, i] = d.task.past[k - 1, i]
            d.task.past[0, i] = clamp(d.action[i], -1.0, 1.0)

    def renew_command(self, d):
        """Another command when the time of the last one is over."""
        d.task.command_time = d.task.command_time - self.duration
        is_due = d.task.command_time <= 0.0
        is_moving = where(d.rng.chance(self.standing), 0.0, 1.0)
        for i in range(3):
            fresh = is_moving * d.rng.uniform(self.command_low[i], self.command_high[i])
            d.task.command[i] = where(is_due, fresh, d.task.command[i])
        later = d.rng.uniform(self.command_time[0], self.command_time[1])
        d.task.command_time = where(is_due, later, d.task.command_time)

    def control(self, m, d):
        """Targets of the servos: the stance, and the action of some steps ago."""
        for i in range(self.nu):
            action = d.task.past[0, i]
            for k in range(1, self.delay + 1):
                action = where(d.task.delay == float(k), d.task.past[k, i], action)
            d.ctrl[i] = self.pose[i] + self.action_scale * action

    def after(self, m, d):
        """Feet, and how far the robot has come."""
        d.task.air_gain = 0.0
        d.task.slip = 0.0
        for foot in range(self.nfoot):
            is_down = d.sensordata[self.foot_touch[foot]] > 1.0
            # a foot that lands is paid for its time in the air
            air = d.task.air_time[foot]
            gain = where(and_(is_down, air > 0.0), air - self.least_air_time, 0.0)
            d.task.air_gain = d.task.air_gain + gain
            d.task.air_time[foot] = where(is_down, 0.0, air + self.duration)
            x, y = d.site_xpos[self.foot_sites[foot], 0], d.site_xpos[self.foot_sites[foot], 1]
            vx, vy = (x - d.task.foot_place[foot, 0]) / self.duration, (y - d.task.foot_place[foot, 1]) / self.duration
            d.task.slip = d.task.slip + where(is_down, vx * vx + vy * vy, 0.0)
            d.task.foot_place[foot, 0] = x
            d.task.foot_place[foot, 1] = y
        x, y = d.qpos[0] - d.task.origin[0], d.qpos[1] - d.task.origin[1]
        d.task.walked = x * x + y * y
        d.task.asked = d.task.asked + self.duration * speed_of(d.task.command)

    # --- the reward: a method for each row of TERMS, in the same order

    def reward(self, m, d):
        """Sum of the weighted terms, times the duration of an action."""
        velocity, rotation, up = local_velocity(d), load3_from(d.qvel, 3), local_up(d)
        is_asked = where(speed_of(d.task.command) > 0.1, 1.0, 0.0)
        # in the order of the table
        away = self.distance_from_stance(d)
        terms = (
            self.track_linear(d, velocity),
            self.track_angular(d, rotation),
            velocity[2] * velocity[2],
            rotation[0] * rotation[0] + rotation[1] * rotation[1],
            up[0] * up[0] + up[1] * up[1],
            away[0],
            self.limits(d),
            self.torque(d),
            self.power(d),
            self.action_rate(d),
            d.task.air_gain * is_asked / self.duration,
            d.task.slip,
            away[1] * (1.0 - is_asked),
            where(up[2] < self.least_upright, 1.0, 0.0),
        )
        total = 0.0
        for k, term in enumerate(terms):
            d.task.terms[k] = self.term_weights[k] * term * self.duration
            total = total + d.task.terms[k]
        return total

    def track_linear(self, d, velocity):
        """How well the velocity in the plane is that of the command."""
        x, y = velocity[0] - d.task.command[0], velocity[1] - d.task.command[1]
        return exp(-(x * x + y * y) / (self.tracking * self.tracking))

    def track_angular(self, d, rotation):
        """how well the robot rotates."""
        rate = rotation[2] - d.task.command[2]
        return exp(-(rate * rate) / (self.tracking * self.tracking))

    def distance_from_stance(self, d):
        """Sums of squares and of distances of joints from the stance."""
        squares, distances = 0.0, 0.0
        for i in range(self.nu):
            angle = d.qpos[ROOT_POSITIONS + i] - self.pose[i]
            squares = squares + angle * angle
            distances = distances + abs_(angle)
        return squares, distances

    def limits(self, d):
        """How far joints are beyond the larger part of their ranges."""
        total = 0.0
        for i in range(self.nu):
            angle = d.qpos[ROOT_POSITIONS + i]
            total = total + maximum(self.soft_range[i, 0] - angle, 0.0) + maximum(angle - self.soft_range[i, 1], 0.0)
        return total

    def torque(self, d):
        """Squares of forces."""
        total = 0.0
        for i in range(self.nu):
            total = total + d.actuator_force[i] * d.actuator_force[i]
        return total

    def power(self, d):
        """Force times velocity."""
        total = 0.0
        for i in range(self.nu):
            total = total + abs_(d.actuator_force[i] * d.qvel[ROOT_VELOCITIES + i])
        return total

    def action_rate(self, d):
        """Squares of changes of the action."""
        total = 0.0
        for i in range(self.nu):
            change = d.action[i] - d.last_action[i]
            total = total + change * change
        return total

    # --- ends, observation, beginning

    def terminated(self, m, d):
        """The robot has fallen over."""
        return local_up(d)[2] < self.least_upright

    def noisy(self, d, x, bound):
        """A number as a sensor tells it."""
        if self.is_noisy:
            return x + d.rng.uniform(-bound, bound)
        return x

    def observe(self, m, d, out):
        """The body, joints, the last action, the command."""
        velocity, up, nu = local_velocity(d), local_up(d), self.nu
        velocity_noise, rotation_noise, gravity_noise, angle_noise, joint_velocity_noise = self.bounds
        for i in (0, 1, 2):
            out[i] = self.noisy(d, velocity[i], velocity_noise)
            out[3 + i] = self.noisy(d, d.qvel[3 + i], rotation_noise)
            out[6 + i] = self.noisy(d, -up[i], gravity_noise)
            out[9 + i] = d.task.command[i]
        for i in range(nu):
            out[12 + i] = self.noisy(d, d.qpos[ROOT_POSITIONS + i] - self.pose[i], angle_noise)
            out[12 + nu + i] = self.noisy(d, d.qvel[ROOT_VELOCITIES + i], joint_velocity_noise)
            out[12 + 2 * nu + i] = d.action[i]

    def reset(self, m, d, rng):
        """The stance, with noise, at the level that the last episode has earned."""
        # up when half of the tile was crossed, down when less than half of what was asked for was done
        is_up = d.task.walked > 0.25 * self.tile * self.tile
        is_down = and_(not_far(d.task.walked, 0.5 * d.task.asked), d.task.asked > 0.0)
        level = d.task.level + where(is_up, 1.0, where(is_down, -1.0, 0.0))
        d.task.level = clamp(level, 0.0, float(self.nlevel - 1))
        height = self.heights[0]
        for k in range(1, self.nlevel):
            height = where(d.task.level == float(k), self.heights[k], height)
        d.task.origin[0] = d.task.level * self.tile + rng.uniform(-0.3, 0.3)
        d.task.origin[1] = rng.uniform(-0.3, 0.3)
        d.task.walked = 0.0
        d.task.asked = 0.0
        # pose: any direction, joints near the stance
        sine, cosine = sincos(0.5 * rng.uniform(-PI, PI))
        for i in range(2):
            d.qpos[i] = d.task.origin[i]
            d.qvel[i] = rng.uniform(-self.speed_spread, self.speed_spread)
        d.qpos[2] = self.start[2] + height
        d.qpos[3] = cosine
        d.qpos[4] = 0.0
        d.qpos[5] = 0.0
        d.qpos[6] = sine
        for i in range(self.nu):
            d.qpos[ROOT_POSITIONS + i] = self.pose[i] + rng.uniform(-self.joint_spread, self.joint_spread)
            d.ctrl[i] = self.pose[i]
        d.task.delay = rng.integer(self.delay + 1)
        d.task.push_time = rng.uniform(self.push_time[0], self.push_time[1])
        d.task.command_time = rng.uniform(self.command_time[0], self.command_time[1])
        is_moving = where(rng.chance(self.standing), 0.0, 1.0)
        for i in range(3):
            d.task.command[i] = is_moving * rng.uniform(self.command_low[i], self.command_high[i])

    def begin(self, m, d):
        """Where the feet are."""
        for foot in range(self.nfoot):
            for i in range(2):
                d.task.foot_place[foot, i] = d.site_xpos[self.foot_sites[foot], i]


# --- kernels


@kernel
def load3_from(row, first):
    """Three numbers of a row."""
    return row[first], row[first + 1], row[first + 2]


@kernel
def local_velocity(d):
    """Velocity of the body in its own frame."""
    quat = (d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6])
    return rotate((d.qvel[0], d.qvel[1], d.qvel[2]), conjugate(quat))


@kernel
def local_up(d):
    """The vertical in the frame of the body. Its third number is the vertical part of the axis of the body."""
    quat = (d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6])
    return rotate((0.0, 0.0, 1.0), conjugate(quat))


@kernel
def speed_of(command):
    """Speed that a command asks for, rotation included."""
    return maximum(maximum(abs_(command[0]), abs_(command[1])), abs_(command[2]))


@kernel
def not_far(squared, distance):
    """Is a squared distance less than that of a distance?"""
    return squared < distance * distance


# --- what a robot has


def check_robot(task: Velocity) -> None:
    """Refuse a model whose actuators are not servos of all joints, in the order of the joints."""
    model, name = task.model, task.name
    if int(model.jnt_type[0]) != JointType.FREE or model.njnt != model.nu + 1:
        raise FieldError(f"{name} needs a free joint first, and an actuator for each other joint")
    if [int(joint) for joint in model.actuator_trnid[:, 0]] != [*range(1, model.njnt)]:
        raise FieldError(f"{name} needs actuators in the order of the joints")
    if not task.feet:
        raise FieldError(f"{name} needs `feet`: names of sites, each with a touch sensor of the same name")


def soft_range(model: Model) -> np.ndarray:
    """95 % of the range of each joint, (nu, 2); endless where there is none."""
    low, high = model.jnt_range[1:].T
    center, half = (low + high) / 2, 0.475 * (high - low)
    limited = model.jnt_limited[1:].astype(bool)
    return np.stack([np.where(limited, center - half, -np.inf), np.where(limited, center + half, np.inf)], 1)


def weighted(weights: Mapping[str, float]) -> tuple[Term, ...]:
    """The terms, some with other weights."""
    known = [term.name for term in TERMS]
    for name in weights:
        if name not in known:
            raise UnknownNameError(f"there is no term {name!r} of the reward{suggestion(name, known)}")
    return tuple(replace(term, weight=float(weights.get(term.name, term.weight))) for term in TERMS)


def rows_of(nu: int, nfoot: int, delay: int) -> tuple[Row, ...]:
    """What a world keeps."""
    return (
        Row("command", 3, info=True, doc="forward [m/s], left [m/s], rotation to the left [rad/s]"),
        Row("command_time", doc="until the next command [s]"),
        Row("push_time", doc="until the next push [s]"),
        Row("delay", doc="of actions [steps]"),
        Row("past", (delay + 1, nu), doc="actions, the newest first"),
        Row("air_time", nfoot, doc="how long each foot is in the air [s]"),
        Row("air_gain", doc="what feet are paid that land"),
        Row("slip", doc="squared velocity of feet on the ground"),
        Row("foot_place", (nfoot, 2), doc="where the feet were [m]"),
        Row("terms", len(TERMS), info=True, doc="of the reward, weighted, in the order of the table"),
        Row("level", info=True, lasting=True, doc="of the terrain: how difficult it is"),
        Row("origin", 2, lasting=True, doc="where the episode began [m]"),
        Row("walked", lasting=True, doc="squared distance from there [m²]"),
        Row("asked", lasting=True, doc="how far commands wanted to go [m]"),
    )


def signals_of(model: Model) -> tuple[Signal, ...]:
    """What a policy sees."""
    joints = tuple(model.joint(k).name for k in range(1, model.njnt))
    return (
        Signal("velocity", 3, names=("forward", "left", "up"), unit="m/s"),
        Signal("rotation", 3, names=("rolling", "pitching", "rotation to the left"), unit="rad/s"),
        Signal("gravity", 3, names=("gravity forward", "gravity left", "gravity up")),
        Signal(
            "command", 3, names=("command forward [m/s]", "command left [m/s]", "command rotation to the left [rad/s]")
        ),
        Signal("angle", model.nu, names=joints, unit="rad from the stance"),
        Signal("joint velocity", model.nu, names=joints, unit="rad/s"),
        Signal("last action", model.nu, -1.0, 1.0, names=joints),
    )
