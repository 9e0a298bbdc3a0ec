"""The rotation in a deformation, against rounds without any shortcut."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion
from phalanx.algebra.number import and_, any_, splat, sqrt, where
from phalanx.algebra.quaternion import from_axis_angle, multiply, normalize4, where4
from phalanx.algebra.vector import dot, scale
from phalanx.smooth.flex.polar import LEAST_ANGLE, ROUNDS, quaternion_of, remaining_rotation
from tests.algebra.lane_harness import Suite, same

WORLDS = 512


@kernel
def all_rounds(a, b, c, e, f, g, h, i, j):
    """Every round until the rest of the way is short, or until the last one."""
    deformation = (a, b, c, e, f, g, h, i, j)
    one, zero = splat(a, 1.0), splat(a, 0.0)
    quat, active = (one, zero, zero, zero), a == a
    for _ in range(ROUNDS):
        way = remaining_rotation(from_quaternion(quat), deformation)
        angle = sqrt(dot(way, way))
        active = and_(active, angle >= LEAST_ANGLE)
        if not any_(active):
            break
        axis = scale(way, 1.0 / where(active, angle, 1.0))
        quat = where4(active, normalize4(multiply(from_axis_angle(axis, angle), quat)), quat)
    return quat


@kernel
def found(a, b, c, e, f, g, h, i, j):
    """What is tested."""
    return quaternion_of((a, b, c, e, f, g, h, i, j))


SUITE = Suite("polar", all_rounds, found, arity=9, results=(4, 4))


def deformations() -> np.ndarray:
    """Small and large ones, some of them mirrored, flat or no number at all."""
    rng = np.random.default_rng(0)
    sizes = rng.choice([1e-3, 0.05, 0.5, 3.0], (WORLDS, 1))
    rows = np.eye(3).ravel() + sizes * rng.normal(size=(WORLDS, 9))
    rows[::50, 6:] = 0.0
    rows[7] = np.nan
    rows[8] = np.eye(3).ravel()
    return rows


@pytest.mark.parametrize("base, width", [("float32", 1), ("float32", 16), ("float64", 0), ("float64", 8)])
def test_rounds_that_are_left_out_change_no_bit(base: str, width: int) -> None:
    results = SUITE.run(base, width, *deformations().T)
    assert same(results[:, :4].copy(), results[:, 4:].copy())
    assert same(results, SUITE.run(base, 1, *deformations().T))


def test_single_precision_finds_the_rotation() -> None:
    rows = deformations()
    single, double = (SUITE.run(base, 8, *rows.T)[:, 4:].astype(float) for base in ("float32", "float64"))
    near = np.abs(rows - np.eye(3).ravel()).max(1) < 0.2
    assert near.sum() > 200
    assert np.abs(single - double)[near].max() < 5e-7
