"""Where a ray enters a shape, in lanes.

A ray starts at `p` and goes along `v`, both in the frame of the shape. A row returns the distance at which the ray
enters, in lengths of v; -1 if it misses. A ray that starts inside a shape does not see it from there, as back faces are
not drawn. Only planes are seen from both sides.

    @crossing.row(GeomType.SPHERE)
    @kernel
    def enter_sphere(size, p, v): ...
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, copysign, or_, sqrt, where
from phalanx.algebra.vector import dot
from phalanx.tables.enums import GeomType

#: The head of an arrow: a cone with its base at the origin and its tip at +z; sizes: radius, height. No geom is one.
CONE = 1000
#: Shapes that are made of triangles.
TRIANGLES = 1001

#: A component of a direction that is smaller is as good as none.
PARALLEL = 1e-12
MISS = -1.0


@kernel
def enter_nothing(size, p, v):
    """Distance to where a ray enters a shape. Without a row: it never does."""
    return 0.0 * v[0] + MISS


#: By kind of shape.
crossing = Table("crossing", enter_nothing)


@kernel
def not_zero(x):
    """The number, or one of its sign that is as good as zero and can be divided by."""
    return where(abs_(x) < PARALLEL, copysign(PARALLEL, x), x)


@kernel
def least(a, b):
    """The smaller of two numbers that are not NaN: one instruction."""
    return where(a < b, a, b)


@kernel
def greatest(a, b):
    """The larger of two numbers that are not NaN: one instruction."""
    return where(a > b, a, b)


@kernel
def smaller_root(a, b, c):
    """The smaller solution of a x^2 + 2 b x + c = 0 with a > 0; -1 if there is none."""
    square = b * b - a * c
    is_real = square >= 0.0
    return where(is_real, (-b - sqrt(where(is_real, square, 0.0))) / a, MISS)


@crossing.row(GeomType.PLANE)
@kernel
def enter_plane(size, p, v):
    """z = 0, without end where a size is zero."""
    x = -p[2] / not_zero(v[2])
    is_inside = and_(abs_(p[0] + x * v[0]) <= extent(size[0]), abs_(p[1] + x * v[1]) <= extent(size[1]))
    return where(is_inside, x, MISS)


@kernel
def extent(size):
    """Half the size of a plane along an axis; without end if it is zero."""
    return where(size > 0.0, size, 1e300)


@crossing.row(GeomType.SPHERE)
@kernel
def enter_sphere(size, p, v):
    """|p + x v| = r."""
    return smaller_root(dot(v, v), dot(p, v), dot(p, p) - size[0] * size[0])


@crossing.row(GeomType.ELLIPSOID)
@kernel
def enter_ellipsoid(size, p, v):
    """A unit sphere, in units of the half axes."""
    q = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
    w = (v[0] / size[0], v[1] / size[1], v[2] / size[2])
    return smaller_root(dot(w, w), dot(q, w), dot(q, q) - 1.0)


@kernel
def slab(p, v, half):
    """Distances at which a ray enters and leaves the space between two planes at -half and half."""
    inverse = 1.0 / not_zero(v)
    one, other = (-half - p) * inverse, (half - p) * inverse
    return least(one, other), greatest(one, other)


@crossing.row(GeomType.BOX)
@kernel
def enter_box(size, p, v):
    """Three slabs."""
    first, last = slab(p[0], v[0], size[0])
    enter, leave = slab(p[1], v[1], size[1])
    first, last = greatest(first, enter), least(last, leave)
    enter, leave = slab(p[2], v[2], size[2])
    first, last = greatest(first, enter), least(last, leave)
    return where(first <= last, first, MISS)


@crossing.row(GeomType.CYLINDER)
@kernel
def enter_cylinder(size, p, v):
    """A slab, and an endless round side."""
    a = not_zero(v[0] * v[0] + v[1] * v[1])
    b = v[0] * p[0] + v[1] * p[1]
    square = b * b - a * (p[0] * p[0] + p[1] * p[1] - size[0] * size[0])
    is_met = square >= 0.0
    root = sqrt(where(is_met, square, 0.0))
    first, last = slab(p[2], v[2], size[1])
    first, last = greatest(first, (-b - root) / a), least(last, (-b + root) / a)
    return where(and_(is_met, first <= last), first, MISS)


@crossing.row(GeomType.CAPSULE)
@kernel
def enter_capsule(size, p, v):
    """The round side if it is met between the ends, else the sphere at the end where it is met beyond."""
    radius2 = size[0] * size[0]
    a = not_zero(v[0] * v[0] + v[1] * v[1])
    b = v[0] * p[0] + v[1] * p[1]
    square = b * b - a * (p[0] * p[0] + p[1] * p[1] - radius2)
    is_met = square >= 0.0
    side = (-b - sqrt(where(is_met, square, 0.0))) / a
    height = p[2] + side * v[2]
    q = (p[0], p[1], p[2] - copysign(size[1], height))
    end = smaller_root(dot(v, v), dot(q, v), dot(q, q) - radius2)
    return where(is_met, where(abs_(height) <= size[1], side, end), MISS)


@crossing.row(CONE)
@kernel
def enter_cone(size, p, v):
    """The side where it is between base and tip, or the base."""
    # x^2 + y^2 = k^2 (height - z)^2, with the sign of the square term kept
    k = size[0] / size[1]
    q, w = k * (size[1] - p[2]), -k * v[2]
    a = not_zero(v[0] * v[0] + v[1] * v[1] - w * w)
    b = v[0] * p[0] + v[1] * p[1] - q * w
    square = b * b - a * (p[0] * p[0] + p[1] * p[1] - q * q)
    is_met = square >= 0.0
    root = copysign(sqrt(where(is_met, square, 0.0)), a)
    # of the two, the first at which the ray is between base and tip
    one, other = (-b - root) / a, (-b + root) / a
    is_one, is_other = on_cone(size, p, v, one), on_cone(size, p, v, other)
    side = where(and_(is_met, is_one), one, where(and_(is_met, is_other), other, MISS))
    base = -p[2] / not_zero(v[2])
    x, y = p[0] + base * v[0], p[1] + base * v[1]
    is_base = and_(v[2] > 0.0, x * x + y * y <= size[0] * size[0])
    return where(and_(is_base, or_(side < 0.0, base < side)), base, side)


@kernel
def on_cone(size, p, v, x):
    """Does the ray enter the cone at distance x, between base and tip?"""
    height = p[2] + x * v[2]
    return and_(and_(x >= 0.0, height >= 0.0), height <= size[1])
