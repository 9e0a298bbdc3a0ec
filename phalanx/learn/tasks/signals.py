"""Signals of states: a name for each number of qpos and qvel, made of the names of joints."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp
from phalanx.learn.task_rows import Signal
from phalanx.tables.enums import JointType
from phalanx.world.model import Model

#: What each number of a joint is, in qpos and in qvel.
POSITIONS = {
    JointType.FREE: ("x [m]", "y [m]", "z [m]", "quaternion w", "quaternion x", "quaternion y", "quaternion z"),
    JointType.BALL: ("quaternion w", "quaternion x", "quaternion y", "quaternion z"),
    JointType.SLIDE: ("[m]",),
    JointType.HINGE: ("[rad]",),
}
VELOCITIES = {
    JointType.FREE: ("x [m/s]", "y [m/s]", "z [m/s]", "rotation x [rad/s]", "rotation y [rad/s]", "rotation z [rad/s]"),
    JointType.BALL: ("rotation x [rad/s]", "rotation y [rad/s]", "rotation z [rad/s]"),
    JointType.SLIDE: ("[m/s]",),
    JointType.HINGE: ("[rad/s]",),
}


def position_names(model: Model) -> tuple[str, ...]:
    """What each number of qpos is."""
    return _names(model, POSITIONS)


def velocity_names(model: Model) -> tuple[str, ...]:
    """What each number of qvel is."""
    return _names(model, VELOCITIES)


def _names(model: Model, words: dict[JointType, tuple[str, ...]]) -> tuple[str, ...]:
    joints = [(model.joint(k).name or f"joint[{k}]", JointType(int(model.jnt_type[k]))) for k in range(model.njnt)]
    return tuple(f"{name} {word}" for name, kind in joints for word in words[kind])


def state_signals(model: Model, skipped: int = 0, bound: float = float("inf")) -> tuple[Signal, ...]:
    """Signals of qpos, from number `skipped` on, and of qvel, which is cut off at a bound."""
    positions, velocities = position_names(model)[skipped:], velocity_names(model)
    return (
        Signal("position", len(positions), names=positions),
        Signal("velocity", len(velocities), -bound, bound, names=velocities),
    )


def body_signal(model: Model, name: str, words: tuple[str, ...], first_body: int = 1) -> Signal:
    """A signal with the same numbers for each body but the first ones."""
    bodies = [model.body(k).name or f"body[{k}]" for k in range(first_body, model.nbody)]
    names = tuple(f"{name} of {body}: {word}" for body in bodies for word in words)
    return Signal(name, len(names), names=names)


@kernel
def write_state(m, d, out, skipped):
    """qpos from number `skipped` on, then qvel. Returns where the next number goes."""
    for i in range(skipped, m.nq):
        out[i - skipped] = d.qpos[i]
    for i in range(m.nv):
        out[m.nq - skipped + i] = d.qvel[i]
    return m.nq - skipped + m.nv


@kernel
def write_bounded_state(m, d, out, skipped, bound):
    """qpos from number `skipped` on, then qvel cut off at a bound."""
    for i in range(skipped, m.nq):
        out[i - skipped] = d.qpos[i]
    for i in range(m.nv):
        out[m.nq - skipped + i] = clamp(d.qvel[i], -bound, bound)


@kernel
def sum_of_squares(row, count):
    """Sum of the squares of the first numbers of a row."""
    total = 0.0
    for i in range(count):
        total = total + row[i] * row[i]
    return total
