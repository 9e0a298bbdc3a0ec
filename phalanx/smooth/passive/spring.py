"""Laws of springs and dampers: forces with a coefficient that is a polynomial of the displacement or the speed.

Coefficients are tuples of three: the constant, linear and quadratic term of the stiffness or damping.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import or_
from phalanx.algebra.vector import norm, scale


@kernel
def polynomial(c, x):
    """c0 + c1 x + c2 x²"""
    return c[0] + c[1] * x + c[2] * (x * x)


@kernel
def polynomial_slope(c, x):
    """Derivative of x times `polynomial`: c0 + 2 c1 x + 3 c2 x²"""
    return c[0] + 2.0 * c[1] * x + 3.0 * c[2] * (x * x)


@kernel
def any_nonzero(c):
    """Is some coefficient not zero?"""
    return or_(or_(c[0] != 0.0, c[1] != 0.0), c[2] != 0.0)


@kernel
def spring_force(c, x):
    """Force of a spring stretched by the vector x: the stiffness depends on its length."""
    return scale(x, -polynomial(c, norm(x)))


@kernel
def spring_potential(c, x):
    """Integral of x times `polynomial`: c0 x²/2 + c1 x³/3 + c2 x⁴/4"""
    square = x * x
    return 0.5 * c[0] * square + c[1] / 3.0 * (square * x) + c[2] / 4.0 * (square * x * x)


@kernel
def stiffness_coefficients(m, joint):
    """Coefficients of the spring of a joint."""
    return (m.jnt_stiffness[joint], m.jnt_stiffnesspoly[joint, 0], m.jnt_stiffnesspoly[joint, 1])


@kernel
def tendon_stiffness_coefficients(m, tendon):
    """Coefficients of the spring of a tendon."""
    return (m.tendon_stiffness[tendon], m.tendon_stiffnesspoly[tendon, 0], m.tendon_stiffnesspoly[tendon, 1])
