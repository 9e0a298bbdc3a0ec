"""3x3 matrices: tuples of nine numbers, row by row."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def from_quaternion(q):
    """Rotation matrix of a unit quaternion."""
    q00, q01, q02, q03 = q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]
    q11, q12, q13 = q[1] * q[1], q[1] * q[2], q[1] * q[3]
    q22, q23, q33 = q[2] * q[2], q[2] * q[3], q[3] * q[3]
    return (
        q00 + q11 - q22 - q33, 2.0 * (q12 - q03), 2.0 * (q13 + q02),
        2.0 * (q12 + q03), q00 - q11 + q22 - q33, 2.0 * (q23 - q01),
        2.0 * (q13 - q02), 2.0 * (q23 + q01), q00 - q11 - q22 + q33,
    )  # fmt: skip


@kernel
def multiply_vector(a, v):
    """a v: with the columns of `a` as axes of a frame, v from that frame into the one `a` is given in."""
    return (
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[3] * v[0] + a[4] * v[1] + a[5] * v[2],
        a[6] * v[0] + a[7] * v[1] + a[8] * v[2],
    )


@kernel
def multiply_transposed(a, v):
    """a' v"""
    return (
        a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
        a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
        a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
    )


@kernel
def column(a, k):
    """Column k, the last one if k is not 0 or 1."""
    if k == 0:
        return (a[0], a[3], a[6])
    if k == 1:
        return (a[1], a[4], a[7])
    return (a[2], a[5], a[8])


@kernel
def matmul(a, b):
    """a b: as rotations, b followed by a."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6], a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6], a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6], a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )  # fmt: skip


@kernel
def transpose(a):
    """a'; the inverse of a rotation."""
    return (a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8])


@kernel
def add9(a, b):
    """a + b, element by element."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2],
        a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@kernel
def sub9(a, b):
    """a - b, element by element."""
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2],
        a[3] - b[3], a[4] - b[4], a[5] - b[5],
        a[6] - b[6], a[7] - b[7], a[8] - b[8],
    )  # fmt: skip


@kernel
def scale9(a, s):
    """s a, element by element."""
    return (a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s, a[6] * s, a[7] * s, a[8] * s)


@kernel
def where9(condition, a, b):
    """`a` in the worlds where the condition holds, else `b`."""
    return (
        where(condition, a[0], b[0]), where(condition, a[1], b[1]), where(condition, a[2], b[2]),
        where(condition, a[3], b[3]), where(condition, a[4], b[4]), where(condition, a[5], b[5]),
        where(condition, a[6], b[6]), where(condition, a[7], b[7]), where(condition, a[8], b[8]),
    )  # fmt: skip


@kernel
def scale_columns(a, s):
    """a diag(s)"""
    return (
        a[0] * s[0], a[1] * s[1], a[2] * s[2],
        a[3] * s[0], a[4] * s[1], a[5] * s[2],
        a[6] * s[0], a[7] * s[1], a[8] * s[2],
    )  # fmt: skip


@kernel
def cross_matrix(v):
    """The matrix of v x."""
    return (0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0)


@kernel
def outer(a, b):
    """a b'"""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@kernel
def add_diagonal(a, s):
    """a + s 1"""
    return (a[0] + s, a[1], a[2], a[3], a[4] + s, a[5], a[6], a[7], a[8] + s)


@kernel
def symmetric_part(a):
    """(a + a') / 2"""
    return scale9(add9(a, transpose(a)), 0.5)


@kernel
def rotated_diagonal(frame, s):
    """frame diag(s) frame'"""
    return matmul(scale_columns(frame, s), transpose(frame))
