"""The rotation in a deformation: the orthogonal factor of its polar decomposition.

Müller et al., "A robust method to extract the rotational part of deformations": the rotation moves towards the
deformation until nothing is left of the way. It begins at the identity, and ends where MuJoCo ends it.

In single precision rounding leaves more of the way than that, and the rotation soon goes in a circle of one or a few
rotations. What the last round would find is then known without going round.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion, where9
from phalanx.algebra.number import abs_, and_, any_, is_single, not_, splat, sqrt, where
from phalanx.algebra.quaternion import from_axis_angle, multiply, normalize4, where4
from phalanx.algebra.vector import MINVAL, add, cross, dot, scale

#: Least angle that counts, and most rounds.
LEAST_ANGLE = 1e-9
ROUNDS = 500


@kernel
def columns(a):
    """The three columns of a matrix."""
    return (a[0], a[3], a[6]), (a[1], a[4], a[7]), (a[2], a[5], a[8])


@kernel
def remaining_rotation(rotation, deformation):
    """The rotation vector from a rotation towards a deformation."""
    r0, r1, r2 = columns(rotation)
    a0, a1, a2 = columns(deformation)
    twist = add(add(cross(r0, a0), cross(r1, a1)), cross(r2, a2))
    return scale(twist, 1.0 / (abs_(dot(r0, a0) + dot(r1, a1) + dot(r2, a2)) + MINVAL))


@kernel
def are_equal(p, q):
    """Are two quaternions the same, number by number?"""
    return and_(and_(p[0] == q[0], p[1] == q[1]), and_(p[2] == q[2], p[3] == q[3]))


@kernel
def rotation_of(deformation):
    """The rotation matrix nearest to a deformation gradient."""
    return from_quaternion(quaternion_of(deformation))


@kernel
def quaternion_of(deformation):
    """The rotation nearest to a deformation gradient, as a quaternion."""
    one = splat(deformation[0], 1.0)
    zero = splat(deformation[0], 0.0)
    quat = (one, zero, zero, zero)
    rotation = from_quaternion(quat)
    way = remaining_rotation(rotation, deformation)
    angle = sqrt(dot(way, way))
    count, active = 0, angle >= LEAST_ANGLE
    # the rotation after `since` rounds, and the round in which each world ends
    seen, since, last = quat, 0, splat(angle, float(ROUNDS))
    while any_(active) and count < ROUNDS:
        axis = scale(way, 1.0 / where(active, angle, 1.0))
        before = quat
        quat = where4(active, normalize4(multiply(from_axis_angle(axis, angle), quat)), quat)
        rotation = where9(active, from_quaternion(quat), rotation)
        way = remaining_rotation(rotation, deformation)
        angle = sqrt(dot(way, way))
        active = and_(active, angle >= LEAST_ANGLE)
        count += 1
        if is_single(angle):
            # a rotation that comes again does so for ever: whole circles can be left out
            left = (ROUNDS - count) % (count - since)
            last = where(and_(last == ROUNDS, are_equal(quat, seen)), float(count + left), last)
            active = and_(active, and_(last > float(count), not_(are_equal(quat, before))))
            if 2 * count > 3 * since:
                seen, since = quat, count
    return quat
