"""Rotations in space as coordinates of a joint: a unit quaternion, whose velocity is along the axes of the body.

Shared by ball and free joints; `adr` is where the quaternion starts in qpos, `dof` the first of its three dofs.
"""

from __future__ import annotations

from phalanx.algebra.elementary import sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load9, store3, store4, store6
from phalanx.algebra.number import any_, sqrt, where
from phalanx.algebra.quaternion import difference, integrate, normalize4, shortest_rotation, where4
from phalanx.algebra.vector import add_scaled, cross, dot, scale
from phalanx.smooth.joint.anchor import rotation_about


@kernel
def put_rotation_axes(m, d, joint, dof, offset):
    """cdof of rotations about the axes of the moved body."""
    frame = load9(d.xmat, m.jnt_bodyid[joint])
    store6(d.cdof, dof, rotation_about((frame[0], frame[3], frame[6]), offset))
    store6(d.cdof, dof + 1, rotation_about((frame[1], frame[4], frame[7]), offset))
    store6(d.cdof, dof + 2, rotation_about((frame[2], frame[5], frame[8]), offset))


@kernel
def advance_rotation(qpos, adr, dof, velocity, step, alive):
    """q exp(step w)"""
    quat = load4(qpos, adr)
    store4(qpos, adr, where4(alive, integrate(quat, load3(velocity, dof), step), quat))


@kernel
def subtract_rotation(qpos1, qpos2, adr, dof, velocity, step):
    """log(q1^-1 q2) / step, on the shorter way"""
    rotation = difference(load4(qpos2, adr), load4(qpos1, adr))
    store3(velocity, dof, (rotation[0] / step, rotation[1] / step, rotation[2] / step))


@kernel
def rotation_displacement(m, d, joint, adr):
    """Rotation vector from the rest of the spring, in the rest frame; the rest is state if the spring can yield."""
    rotation = normalize4(load4(d.qpos, adr))
    if m.jnt_plasticadr[joint] >= 0:
        return difference(rotation, load4(d.plastic, m.jnt_plasticadr[joint]))
    return difference(rotation, load4(m.qpos_spring, adr))


# --- the rate that Runge-Kutta integrates


@kernel
def put_rotation_rate(d, dof, increment, rate, step):
    """The rate of the rotation vector from the start of the step to the stage, instead of the angular velocity."""
    moved = shortest_rotation(scale(load3(increment, dof), step))
    store3(rate, dof, inverse_dexp(moved, load3(d.qvel, dof)))


@kernel
def inverse_dexp(u, w):
    """Rate of the rotation vector u when the frame rotates with angular velocity w of its own axes.

    dexp^-1(u) w = w + 1/2 u x w + c(|u|) u x (u x w), with c as in `dexp_coefficient` (H. Munthe-Kaas, High order
    Runge-Kutta methods on manifolds, 1999).
    """
    uw = cross(u, w)
    return add_scaled(add_scaled(w, uw, 0.5), cross(u, uw), dexp_coefficient(dot(u, u)))


@kernel
def dexp_coefficient(square):
    """(1 - t/2 cot(t/2)) / t^2 of t^2; a series where the formula would cancel."""
    series = 1.0 / 12.0 + square * (
        1.0 / 720.0 + square * (1.0 / 30240.0 + square * (1.0 / 1209600.0 + square * (1.0 / 47900160.0)))
    )
    is_large = square > 0.1
    if any_(is_large):
        half = 0.5 * sqrt(where(is_large, square, 1.0))
        s, c = sincos(half)
        exact = (1.0 - half * c / s) / where(is_large, square, 1.0)
        return where(is_large, exact, series)
    return series
