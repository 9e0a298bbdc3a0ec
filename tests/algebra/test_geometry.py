"""Vectors, quaternions, matrices and spatial vectors against MuJoCo's mju_ functions, in every way of running."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.algebra import matrix, quaternion, spatial, vector
from phalanx.algebra.jit import kernel
from tests.algebra.lane_harness import Suite, same

COUNT = 200


@kernel
def vector_functions(a0, a1, a2, b0, b1, b2, s):
    a, b = (a0, a1, a2), (b0, b1, b2)
    return (
        *vector.add(a, b), *vector.sub(a, b), *vector.scale(a, s), *vector.add_scaled(a, b, s), *vector.negate(a),
        *vector.multiply_elements(a, b), vector.dot(a, b), *vector.cross(a, b), vector.norm(a), *vector.normalize(a),
        *vector.where3(a0 < b0, a, b),
    )  # fmt: skip


@kernel
def quaternion_functions(a0, a1, a2, a3, b0, b1, b2, b3, v0, v1, v2, s):
    a, b, v = (a0, a1, a2, a3), (b0, b1, b2, b3), (v0, v1, v2)
    p, q = quaternion.normalize4(a), quaternion.normalize4(b)
    return (
        *p, *quaternion.multiply(p, q), *quaternion.conjugate(p), *quaternion.rotate(v, p),
        *quaternion.from_axis_angle(vector.normalize(v), s), *quaternion.difference(p, q),
        *quaternion.integrate(a, v, s), *quaternion.multiply_axis(p, v), *matrix.from_quaternion(p),
    )  # fmt: skip


@kernel
def spatial_functions(v0, v1, v2, v3, v4, v5, f0, f1, f2, f3, f4, f5, s):
    v, f = (v0, v1, v2, v3, v4, v5), (f0, f1, f2, f3, f4, f5)
    frame = matrix.from_quaternion(quaternion.normalize4((v0, v1, v2, s)))
    inertia = spatial.inertia_about((1.0 + f0 * f0, 2.0, 1.5), frame, (f3, f4, f5), s * s)
    return (
        *spatial.cross_motion(v, f), *spatial.cross_force(v, f), *inertia, *spatial.inertia_times_motion(inertia, v),
        spatial.dot6(v, f), *spatial.add6(v, f), *spatial.sub6(v, f), *spatial.add_scaled6(v, f, s),
        *matrix.matmul(frame, matrix.transpose(frame)), *matrix.multiply_vector(frame, (f0, f1, f2)),
        *matrix.multiply_transposed(frame, (f0, f1, f2)),
    )  # fmt: skip


SUITES = {
    "vector": Suite("vector_functions", vector_functions, arity=7, results=(29,)),
    "quaternion": Suite("quaternion_functions", quaternion_functions, arity=12, results=(39,)),
    "spatial": Suite("spatial_functions", spatial_functions, arity=13, results=(62,)),
}


def numbers(suite: Suite, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(COUNT, suite.arity))
    values[: suite.arity + 1][np.tri(suite.arity + 1, suite.arity, dtype=bool)] = 0.0  # zeros, down to all of them
    return values


@pytest.mark.parametrize("name", SUITES)
def test_every_way_of_running_gives_the_same_bits(name):
    suite = SUITES[name]
    values = numbers(suite).T
    expected = suite.interpreted(*values)
    for width in (0, 8):
        assert same(suite.run("float64", width, *values), expected), width


def mujoco_quaternions(row: np.ndarray) -> list[np.ndarray]:
    a, b, v, s = row[:4].copy(), row[4:8].copy(), row[8:11].copy(), row[11]
    raw = a.copy()
    mujoco.mju_normalize4(a)
    mujoco.mju_normalize4(b)
    axis = v.copy()
    mujoco.mju_normalize3(axis)
    out = [np.zeros(n) for n in (4, 4, 3, 4, 3, 4, 9)]
    mujoco.mju_mulQuat(out[0], a, b)
    mujoco.mju_negQuat(out[1], a)
    mujoco.mju_rotVecQuat(out[2], v, a)
    mujoco.mju_axisAngle2Quat(out[3], axis, s)
    mujoco.mju_subQuat(out[4], a, b)
    mujoco.mju_mulQuatAxis(out[5], a, v)
    mujoco.mju_quat2Mat(out[6], a)
    integrated = raw.copy()
    mujoco.mju_quatIntegrate(integrated, v, s)
    return [a, *out[:5], integrated, *out[5:]]


def test_quaternions_agree_with_mujoco():
    suite = SUITES["quaternion"]
    values = numbers(suite, 1)
    expected = np.array([np.concatenate(mujoco_quaternions(row)) for row in values])
    np.testing.assert_allclose(suite.run("float64", 0, *values.T), expected, rtol=0, atol=4e-15)


def test_spatial_products_agree_with_mujoco():
    suite = SUITES["spatial"]
    values = numbers(suite, 2)
    result = suite.run("float64", 0, *values.T)
    for row, ours in zip(values, result, strict=True):
        v, f = row[:6], row[6:12]
        skew = lambda w: np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])  # noqa: E731
        motion = np.block([[skew(v[:3]), np.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])
        np.testing.assert_allclose(ours[:6], motion @ f, atol=2e-14)
        np.testing.assert_allclose(ours[6:12], -motion.T @ f, atol=2e-14)
        i = ours[12:22]
        block = np.array([[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]])
        full = np.block([[block, skew(i[6:9])], [skew(i[6:9]).T, i[9] * np.eye(3)]])
        np.testing.assert_allclose(ours[22:28], full @ v, atol=1e-12)


def test_unit_vectors_have_unit_length():
    suite = SUITES["vector"]
    result = suite.run("float64", 0, *numbers(suite, 3).T)
    unit = result[:, 23:26]
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1.0, atol=4e-16)
