"""Friction of one contact: the least x'Ax/2 + b'x within a ball |x| <= radius, in 2, 3 and 5 dimensions.

On the boundary x(s) = -(A + s)^-1 b for a multiplier s > 0, found by Newton's method on |x(s)|^2 = radius^2. A
symmetric matrix is the tuple of its lower triangle, row by row.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, not_, or_, splat, where

#: Determinants (pivots in five dimensions), excess and steps below this count as none.
SMALL = 1e-10
ITERATIONS = 20


# --- the multiplier


@kernel
def begin(radius, worlds):
    """A search: (s, the next s, worlds that search on, worlds with a singular matrix, with s > 0, evaluations left)."""
    zero = splat(radius, 0.0)
    return zero, zero, worlds, zero != zero, zero != zero, ITERATIONS


@kernel
def is_searching(search):
    """Is there a world to go on with, and an evaluation left?"""
    return any_(search[2]) and search[5] > 0


@kernel
def improve(search, is_regular, excess, step, least):
    """Take a step of Newton's method from the next s, or end there: excess and step are too small."""
    shift, following, running, is_singular, is_bound, left = search
    shift = where(running, following, shift)
    is_singular = or_(is_singular, and_(running, not_(is_regular)))
    running = and_(running, and_(is_regular, and_(excess >= least, step >= SMALL)))
    return shift, shift + step, running, is_singular, or_(is_bound, running), left - 1


@kernel
def improve_scaled(search, radius, determinant, square, bend):
    """The same from y = x det(A + s), which takes one division: |y|^2, and y' B y with B = (A + s)^-1 det(A + s)."""
    scale = determinant * determinant
    excess = square - radius * radius * scale
    return improve(search, determinant >= SMALL, excess, excess / (2.0 * bend) * determinant, SMALL * scale)


@kernel
def outcome(search):
    """(does the ball bound the solution, is the problem regular)"""
    is_regular = not_(search[3])
    return and_(is_regular, search[4]), is_regular


@kernel
def inverse_of(determinant):
    """1 / det(A + s); one if the matrix is singular."""
    return 1.0 / where(determinant >= SMALL, determinant, 1.0)


# --- two dimensions


@kernel
def dot2(a, b):
    """Scalar product in two dimensions."""
    return a[0] * b[0] + a[1] * b[1]


@kernel
def adjugate2(A, shift):
    """(det(A + shift), inverse of A + shift times that)"""
    first, second = A[0] + shift, A[2] + shift
    return first * second - A[1] * A[1], (second, -A[1], first)


@kernel
def times2(B, b):
    """B b of a symmetric matrix."""
    return B[0] * b[0] + B[1] * b[1], B[1] * b[0] + B[2] * b[1]


@kernel
def ball2(A, b, radius, worlds):
    """(the solution, (does the ball bound it, is the problem regular))"""
    search = begin(radius, worlds)
    while is_searching(search):
        determinant, B = adjugate2(A, search[1])
        y = times2(B, b)
        search = improve_scaled(search, radius, determinant, dot2(y, y), dot2(y, times2(B, y)))
    determinant, B = adjugate2(A, search[0])
    y, scale = times2(B, b), inverse_of(determinant)
    return (-y[0] * scale, -y[1] * scale), outcome(search)


# --- three dimensions


@kernel
def dot3(a, b):
    """Scalar product in three dimensions."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def adjugate3(A, shift):
    """(det(A + shift), inverse of A + shift times that)"""
    a00, a10, a11, a20, a21, a22 = A[0] + shift, A[1], A[2] + shift, A[3], A[4], A[5] + shift
    c00, c10, c20 = a11 * a22 - a21 * a21, a20 * a21 - a10 * a22, a10 * a21 - a20 * a11
    c11, c21, c22 = a00 * a22 - a20 * a20, a10 * a20 - a21 * a00, a00 * a11 - a10 * a10
    return a00 * c00 + a10 * c10 + a20 * c20, (c00, c10, c11, c20, c21, c22)


@kernel
def times3(B, b):
    """B b of a symmetric matrix."""
    return (
        B[0] * b[0] + B[1] * b[1] + B[3] * b[2],
        B[1] * b[0] + B[2] * b[1] + B[4] * b[2],
        B[3] * b[0] + B[4] * b[1] + B[5] * b[2],
    )


@kernel
def ball3(A, b, radius, worlds):
    """(the solution, (does the ball bound it, is the problem regular))"""
    search = begin(radius, worlds)
    while is_searching(search):
        determinant, B = adjugate3(A, search[1])
        y = times3(B, b)
        search = improve_scaled(search, radius, determinant, dot3(y, y), dot3(y, times3(B, y)))
    determinant, B = adjugate3(A, search[0])
    y, scale = times3(B, b), inverse_of(determinant)
    return (-y[0] * scale, -y[1] * scale, -y[2] * scale), outcome(search)


# --- five dimensions


@kernel
def dot5(a, b):
    """Scalar product in five dimensions."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]


@kernel
def safe_pivot(pivot):
    """A pivot that can be divided by; one that is too small makes the matrix singular, which `factor5` reports."""
    return where(pivot >= SMALL, pivot, SMALL)


@kernel
def factor5(A, shift):
    """(is it regular, L below its diagonal of ones, 1 / D): L D L' = A + shift."""
    a00, a10, a11, a20, a21, a22, a30, a31, a32, a33, a40, a41, a42, a43, a44 = A
    d0 = a00 + shift
    i0 = 1.0 / safe_pivot(d0)
    l10, l20, l30, l40 = a10 * i0, a20 * i0, a30 * i0, a40 * i0
    d1 = a11 + shift - l10 * a10
    i1 = 1.0 / safe_pivot(d1)
    c21, c31, c41 = a21 - l20 * a10, a31 - l30 * a10, a41 - l40 * a10
    l21, l31, l41 = c21 * i1, c31 * i1, c41 * i1
    d2 = a22 + shift - l20 * a20 - l21 * c21
    i2 = 1.0 / safe_pivot(d2)
    c32, c42 = a32 - l30 * a20 - l31 * c21, a42 - l40 * a20 - l41 * c21
    l32, l42 = c32 * i2, c42 * i2
    d3 = a33 + shift - l30 * a30 - l31 * c31 - l32 * c32
    i3 = 1.0 / safe_pivot(d3)
    c43 = a43 - l40 * a30 - l41 * c31 - l42 * c32
    l43 = c43 * i3
    d4 = a44 + shift - l40 * a40 - l41 * c41 - l42 * c42 - l43 * c43
    i4 = 1.0 / safe_pivot(d4)
    is_regular = and_(d0 >= SMALL, and_(d1 >= SMALL, and_(d2 >= SMALL, and_(d3 >= SMALL, d4 >= SMALL))))
    return is_regular, ((l10, l20, l21, l30, l31, l32, l40, l41, l42, l43), (i0, i1, i2, i3, i4))


@kernel
def minimum5(factor, b):
    """-(L D L')^-1 b"""
    (l10, l20, l21, l30, l31, l32, l40, l41, l42, l43), inverse = factor
    y0 = b[0]
    y1 = b[1] - l10 * y0
    y2 = b[2] - l20 * y0 - l21 * y1
    y3 = b[3] - l30 * y0 - l31 * y1 - l32 * y2
    y4 = b[4] - l40 * y0 - l41 * y1 - l42 * y2 - l43 * y3
    x4 = y4 * inverse[4]
    x3 = y3 * inverse[3] - l43 * x4
    x2 = y2 * inverse[2] - l32 * x3 - l42 * x4
    x1 = y1 * inverse[1] - l21 * x2 - l31 * x3 - l41 * x4
    x0 = y0 * inverse[0] - l10 * x1 - l20 * x2 - l30 * x3 - l40 * x4
    return -x0, -x1, -x2, -x3, -x4


@kernel
def ball5(A, b, radius, worlds):
    """(the solution, (does the ball bound it, is the problem regular))"""
    search = begin(radius, worlds)
    while is_searching(search):
        is_regular, factor = factor5(A, search[1])
        x = minimum5(factor, b)
        excess = dot5(x, x) - radius * radius
        search = improve(search, is_regular, excess, excess / (-2.0 * dot5(x, minimum5(factor, x))), SMALL)
    return minimum5(factor5(A, search[0])[1], b), outcome(search)
