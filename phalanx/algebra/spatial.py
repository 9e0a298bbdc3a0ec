"""Spatial algebra: 6-vectors (rotation first, translation second) and rigid-body inertias in ten numbers.

A motion is (angular velocity, linear velocity of the reference point); a force is (torque about it, force). An inertia
is (Ixx, Iyy, Izz, Ixy, Ixz, Iyz, m cx, m cy, m cz, m) about the reference point, c the center of mass. Formulas:
R. Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 2.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel

ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def add6(a, b):
    """a + b of two motions, or of two forces, about the same point."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@kernel
def sub6(a, b):
    """a - b of two motions, or of two forces, about the same point."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


@kernel
def add_scaled6(a, b, s):
    """a + s b"""
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s, a[3] + b[3] * s, a[4] + b[4] * s, a[5] + b[5] * s)


@kernel
def dot6(a, b):
    """Power of a force in a motion about the same point, rotation first; plain dot product of 6 numbers."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@kernel
def cross_motion(v, m):
    """Rate of change of a motion m carried along with velocity v."""
    return (
        v[1] * m[2] - v[2] * m[1],
        v[2] * m[0] - v[0] * m[2],
        v[0] * m[1] - v[1] * m[0],
        v[1] * m[5] - v[2] * m[4] + v[4] * m[2] - v[5] * m[1],
        v[2] * m[3] - v[0] * m[5] + v[5] * m[0] - v[3] * m[2],
        v[0] * m[4] - v[1] * m[3] + v[3] * m[1] - v[4] * m[0],
    )


@kernel
def cross_force(v, f):
    """Rate of change of a force f carried along with velocity v."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )


@kernel
def inertia_times_motion(i, v):
    """Momentum of a body with inertia i and velocity v."""
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    )


@kernel
def inertia_about(inertia, frame, offset, mass):
    """The ten numbers of a body with principal inertia in `frame`, its center of mass at `offset` from the point."""
    i, r, c = inertia, frame, offset
    x0, x1, x2 = r[0] * i[0], r[1] * i[1], r[2] * i[2]
    y0, y1, y2 = r[3] * i[0], r[4] * i[1], r[5] * i[2]
    z0, z1, z2 = r[6] * i[0], r[7] * i[1], r[8] * i[2]
    return (
        r[0] * x0 + r[1] * x1 + r[2] * x2 + mass * (c[1] * c[1] + c[2] * c[2]),
        r[3] * y0 + r[4] * y1 + r[5] * y2 + mass * (c[0] * c[0] + c[2] * c[2]),
        r[6] * z0 + r[7] * z1 + r[8] * z2 + mass * (c[0] * c[0] + c[1] * c[1]),
        r[0] * y0 + r[1] * y1 + r[2] * y2 - mass * c[0] * c[1],
        r[0] * z0 + r[1] * z1 + r[2] * z2 - mass * c[0] * c[2],
        r[3] * z0 + r[4] * z1 + r[5] * z2 - mass * c[1] * c[2],
        mass * c[0],
        mass * c[1],
        mass * c[2],
        mass,
    )


@kernel
def transport_force(force, torque, offset):
    """(torque, force) about a point from a force at `offset` from it and a torque: torque + offset x force."""
    return (
        torque[0] + offset[1] * force[2] - offset[2] * force[1],
        torque[1] + offset[2] * force[0] - offset[0] * force[2],
        torque[2] + offset[0] * force[1] - offset[1] * force[0],
        force[0],
        force[1],
        force[2],
    )
