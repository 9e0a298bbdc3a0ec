"""Numbers with tangents: values are those of one world, bit for bit; tangents are derivatives."""

from __future__ import annotations

import hashlib
import inspect

import mpmath
import numpy as np
import pytest

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.elementary import acos, asin, atan, atan2, cos, exp, log, power, sin, tan, tanh
from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import (
    abs_,
    any_,
    clamp,
    copysign,
    floor,
    is_nonzero,
    lane_count,
    lane_get,
    lane_set,
    lane_sum,
    mantissa,
    maximum,
    minimum,
    primal,
    round_even,
    splat,
    sqrt,
    values_of,
    where,
    with_tangents,
)
from phalanx.algebra.number_type import NumberType
from phalanx.algebra.quaternion import from_rotation_vector, integrate, to_rotation_vector
from phalanx.algebra.vector import norm, normalize
from phalanx.native import runtime as compiler
from phalanx.native.diagnosis import KernelError
from tests.algebra.lane_harness import Suite, _source, same

TANGENTS = 7


class DualSuite(Suite):
    """Kernels that are run with tangents: `duals(a, da, b, db)` gives values and tangents of the results."""

    def entry_of(self, tangents):
        sources = "".join(inspect.getsource(f.function) for f in self.kernels) + repr((self.arity, self.results))
        digest = hashlib.sha256(sources.encode()).hexdigest()[:12]
        return compiler.Entry(f"test_{self.name}_d{tangents}_{digest}", lambda: self._build_dual(tangents), 3)

    def _build_dual(self, tangents):
        from phalanx.native.number import array_at

        number = NumberType("float64", tangents=tangents)
        inputs_at = array_at(number, (self.arity,), "inputs", True)
        outputs_at = array_at(number, (sum(self.results),), "outputs", False)
        names = {f"f{k}": f for k, f in enumerate(self.kernels)}
        work = kernel(define(_source(self.name, self.results, self.arity), names, self.name))

        def entry(inputs, outputs, count):
            work(inputs_at(inputs), outputs_at(outputs), count)
            return 0

        return entry

    def duals(self, values, tangents, count=TANGENTS):
        """values (n, arity), tangents (n, arity, count) -> values (n, results), tangents (n, results, count)."""
        n = len(values)
        inputs = aligned_zeros((n, self.arity, count + 1), np.float64)
        outputs = aligned_zeros((n, sum(self.results), count + 1), np.float64)
        inputs[..., 0], inputs[..., 1:] = values, tangents
        compiler.load(self.entry_of(count))(inputs.ctypes.data, outputs.ctypes.data, n)
        return outputs[..., 0].copy(), outputs[..., 1:].copy()


# --- functions of two numbers, with their derivatives in closed form


@kernel
def total(x, y):
    return x + y + 2.0 + (1.0 + x) + (y + 3)


@kernel
def difference(x, y):
    return (x - y) - 2.0 - (1.0 - x) - (y - 3)


@kernel
def product(x, y):
    return x * y * 3.0 * (2.0 * x) * y


@kernel
def quotient(x, y):
    return x / y + 2.0 / y + y / 4.0


@kernel
def signs(x, y):
    return -x + +y + abs_(x) * 2.0 + abs(y) * 3.0


@kernel
def root(x, y):
    return sqrt(x * x + y * y + 1.0)


@kernel
def choices(x, y):
    return minimum(x, y) * 2.0 + maximum(x, y) * 3.0 + clamp(x, y, 5.0) + where(x < y, x * x, y * y)


@kernel
def copied_sign(x, y):
    return copysign(x, y) + copysign(2.0, x)


@kernel
def rounded(x, y):
    return x * floor(y) + y * round_even(x)


@kernel
def in_a_loop(x, y):
    value = 0.0
    for _ in range(5):
        value = value * x + y
    return value


@kernel
def branches(x, y):
    if x > y:
        return x * y
    return x + 2.0


@kernel
def sine(x, y):
    return sin(x * y)


@kernel
def cosine(x, y):
    return cos(x) * sin(y)


@kernel
def tangent(x, y):
    return tan(x + y)


@kernel
def arcs(x, y):
    return asin(x / 4.0) + acos(y / 4.0) + atan(x * y)


@kernel
def angle(x, y):
    return atan2(x, y)


@kernel
def exponentials(x, y):
    return exp(x) * exp(-y) + log(x * x + y * y)


@kernel
def powers(x, y):
    return power(abs_(x) + 0.5, y) + power(abs_(x) + 0.25, 2.5) + power(2.0, y)


@kernel
def hyperbolic(x, y):
    return tanh(x) * tanh(0.001 * y)


def _sign(x):
    return mpmath.sign(x)


EXACT = {
    total: lambda x, y: x + y + 2 + (1 + x) + (y + 3),
    difference: lambda x, y: (x - y) - 2 - (1 - x) - (y - 3),
    product: lambda x, y: 6 * x**2 * y**2,
    quotient: lambda x, y: x / y + 2 / y + y / 4,
    signs: lambda x, y: -x + y + 2 * abs(x) + 3 * abs(y),
    root: lambda x, y: mpmath.sqrt(x**2 + y**2 + 1),
    choices: lambda x, y: 2 * min(x, y) + 3 * max(x, y) + min(max(x, y), 5) + (x**2 if x < y else y**2),
    copied_sign: lambda x, y: abs(x) * _sign(y) + 2 * _sign(x),
    rounded: lambda x, y: x * mpmath.floor(y) + y * mpmath.nint(x),
    in_a_loop: lambda x, y: y * (1 + x + x**2 + x**3 + x**4),
    branches: lambda x, y: x * y if x > y else x + 2,
    sine: lambda x, y: mpmath.sin(x * y),
    cosine: lambda x, y: mpmath.cos(x) * mpmath.sin(y),
    tangent: lambda x, y: mpmath.tan(x + y),
    arcs: lambda x, y: mpmath.asin(x / 4) + mpmath.acos(y / 4) + mpmath.atan(x * y),
    angle: lambda x, y: mpmath.atan2(x, y),
    exponentials: lambda x, y: mpmath.exp(x - y) + mpmath.log(x**2 + y**2),
    powers: lambda x, y: (abs(x) + 0.5) ** y + (abs(x) + 0.25) ** 2.5 + mpmath.mpf(2) ** y,
    hyperbolic: lambda x, y: mpmath.tanh(x) * mpmath.tanh(0.001 * y),
}
two = DualSuite("dual_two", *EXACT, arity=2)


def _points(n, seed=0):
    points = np.random.default_rng(seed).uniform(-3.0, 3.0, (n, 2))
    points[0] = 0.013, -0.017  # the series of tanh
    return points


def test_values_are_those_of_one_world():
    points = _points(40)
    values, _ = two.duals(points, np.ones((40, 2, TANGENTS)))
    assert same(values, two.run("float64", 0, *points.T))


@pytest.mark.parametrize("count", [7, 15])
def test_tangents_are_derivatives(count):
    n = 24
    points, directions = _points(n, 1), np.random.default_rng(2).standard_normal((n, 2, count))
    _, tangents = two.duals(points, directions, count)
    with mpmath.workdps(60):
        for k, exact in enumerate(EXACT.values()):
            for i in range(n):
                x, y = map(mpmath.mpf, points[i])
                step = mpmath.mpf(10) ** -25
                slopes = [
                    float((exact(x + step * a, y + step * b) - exact(x - step * a, y - step * b)) / (2 * step))
                    for a, b in ((1, 0), (0, 1))
                ]
                wanted = slopes @ directions[i]
                bound = 2e-14 * (1.0 + np.abs(slopes) @ np.abs(directions[i]))
                assert np.all(np.abs(tangents[i, k] - wanted) <= bound), (k, i)


# --- where there is no derivative


@kernel
def at_corners(x):
    return (
        sqrt(x), abs_(x), minimum(x, 0.0), maximum(x, 0.0), asin(1.0 - x), acos(1.0 - x), atan2(x, 0.0 * x), log(x),
        power(x, 0.5), power(x, 2.0), norm((x, x, 0.0)), normalize((x, 0.0, 0.0))[1],
    )  # fmt: skip


def test_tangents_are_finite_where_there_is_no_derivative():
    suite = DualSuite("dual_corners", at_corners, arity=1, results=(12,))
    values, tangents = suite.duals(np.zeros((1, 1)), np.ones((1, 1, TANGENTS)))
    assert same(values, suite.run("float64", 0, [0.0]))
    assert np.all(tangents[0, :, 0] == [0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])


# --- rotations


@kernel
def turned(a, b, c, e):
    return (
        *integrate((0.5, 0.5, -0.5, 0.5), (a, b, c), 0.1 + 0.01 * e),
        *from_rotation_vector((a, b, c)),
        *to_rotation_vector(from_rotation_vector((a, b, c))),
        *to_rotation_vector(integrate((1.0, 0.0, 0.0, 0.0), (a, b, c), e)),
    )  # fmt: skip


def _rotated(v):
    angle = mpmath.sqrt(sum(x * x for x in v))
    factor = mpmath.sin(angle / 2) / angle
    return [mpmath.cos(angle / 2), *(factor * x for x in v)]


def _logarithm(q):
    sine = mpmath.sqrt(sum(x * x for x in q[1:]))
    angle = 2 * mpmath.atan2(sine, q[0])
    angle = angle - 2 * mpmath.pi if angle > mpmath.pi else angle
    return [x * angle / sine for x in q[1:]]


def _product(a, b):
    w, x, y, z = b
    rows = ((w, -x, -y, -z), (x, w, z, -y), (y, -z, w, x), (z, y, -x, w))
    return [sum(r * s for r, s in zip(row, a, strict=True)) for row in rows]


def _turned(a, b, c, e):
    v, half = (a, b, c), mpmath.mpf(1) / 2
    step = mpmath.mpf("0.1") + mpmath.mpf("0.01") * e
    first = _product([half, half, -half, half], _rotated([step * x for x in v]))
    return [*first, *_rotated(v), *_logarithm(_rotated(v)), *_logarithm(_rotated([e * x for x in v]))]


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.04, 0.2, 0.3, 1.0, 3.0, 4.0])
def test_rotations_have_tangents_at_every_angle(size):
    suite = DualSuite("dual_rotations", turned, arity=4, results=(14,))
    axis = np.array([0.36, -0.48, 0.8])
    point = np.array([*(size * axis), 0.7])
    values, tangents = suite.duals(point[None], np.eye(4, TANGENTS)[None])
    assert same(values, suite.run("float64", 0, *point[:, None]))
    with mpmath.workdps(60):
        step = mpmath.mpf(10) ** -20
        x = [mpmath.mpf(p) for p in point]
        for k in range(4):
            ahead, behind = ([p + s * step * (j == k) for j, p in enumerate(x)] for s in (1, -1))
            if size == 0.0:  # the formulas divide by the angle: take them beside it
                ahead[0] += mpmath.mpf(10) ** -30
                behind[0] += mpmath.mpf(10) ** -30
            wanted = [float((p - q) / (2 * step)) for p, q in zip(_turned(*ahead), _turned(*behind), strict=True)]
            assert np.allclose(tangents[0, :, k], wanted, rtol=1e-13, atol=1e-14), (k, tangents[0, :, k] - wanted)


# --- words


@kernel
def words(x, y):
    return (
        primal(x) * y, with_tangents(x, y * y), with_tangents(3.0, x), with_tangents(x, 1.0), splat(x, y),
        lane_get(x, 0), lane_set(x, 0, 2.0), lane_sum(x) * lane_count(x),
        float(x) + int(y) + where(is_nonzero(x), 1.0, 0.0), where(any_(is_nonzero(x - x)), 1.0, 0.0),
        where(is_nonzero(primal(x)), 1.0, 0.0),
    )  # fmt: skip


def test_words_of_tangents():
    suite = DualSuite("dual_words", words, arity=2, results=(11,))
    points = np.array([[0.0, 2.5], [1.5, -0.5]])
    directions = np.random.default_rng(3).standard_normal((2, 2, TANGENTS))
    values, tangents = suite.duals(points, directions)
    (x, y), (dx, dy) = points.T[:, :, None], directions.transpose(1, 0, 2)
    none = 0.0 * dx
    wanted = np.stack([x * dy, 2 * y * dy, dx, none, dy, dx, none, dx, dx, none, none], 1)
    assert np.allclose(tangents, wanted, rtol=1e-15, atol=0.0)
    assert np.array_equal(values[:, 8], [3.0, 2.5]) and np.array_equal(values[:, 9:], [[0.0, 0.0], [0.0, 1.0]])


@kernel
def loses(x):
    return values_of(x)


@kernel
def bits(x):
    return mantissa(x)


def test_what_duals_cannot_do_is_told():
    for wrong, words in ((loses, "is no view"), (bits, "bits have no derivative")):
        with pytest.raises(KernelError, match=words):
            DualSuite("dual_mistake", wrong, arity=1).entry_of(TANGENTS).text(False)


def test_number_type_of_duals():
    number = NumberType("float64", tangents=7)
    assert (number.name, number.cells, number.worlds, number.one_world.name) == ("f64d7", 8, 1, "f64")
    for wrong in (dict(base="float32", width=1, tangents=7), dict(base="float64", width=4, tangents=7)):
        with pytest.raises(ValueError, match="a dual is"):
            NumberType(**wrong)
    with pytest.raises(ValueError, match="a dual is"):
        NumberType("float64", tangents=6)
