"""Wrapping around and through spheres and cylinders against MuJoCo's own function, over random geometries."""

from __future__ import annotations

import ctypes
from pathlib import Path

import mujoco
import numpy as np
import pytest

from phalanx.algebra.jit import interpreted
from phalanx.smooth.tendon.wrap import wrap

SPHERE, CYLINDER = int(mujoco.mjtWrap.mjWRAP_SPHERE), int(mujoco.mjtWrap.mjWRAP_CYLINDER)
TOLERANCE = 1e-12
EVERY_DAY, SWEEP = 500, 6000
#: Where the side site is, in radii from the center; None for no side site.
SIDES = {"no side": None, "outside": (1.0, 3.0), "inside": (0.0, 0.999), "at the surface": (1 - 1e-9, 1 + 1e-9)}
REAL = ctypes.POINTER(ctypes.c_double)


def oracle():
    library = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco*"))))
    function = library.mju_wrap
    function.restype = ctypes.c_double
    function.argtypes = [REAL] * 5 + [ctypes.c_double, ctypes.c_int, REAL]
    return function


MJU_WRAP = oracle()


def pointer(values: np.ndarray | None):
    return None if values is None else values.ctypes.data_as(REAL)


def theirs(start, end, center, frame, radius, kind, side):
    """(whether, length of the arc, both points) by MuJoCo."""
    points = np.zeros(6)
    arrays = [np.ascontiguousarray(v, float) for v in (start, end, center, frame)]
    length = MJU_WRAP(pointer(points), *map(pointer, arrays), radius, kind, pointer(side))
    return length >= 0, length, points


def ours(start, end, center, frame, radius, kind, side):
    """The same by Phalanx; all numbers are finite, wrapped or not."""
    other = start if side is None else side
    arguments = (tuple(start), tuple(end), tuple(center), tuple(frame), radius, kind == SPHERE, side is not None)
    with interpreted(), np.errstate(all="ignore"):
        wraps, arc, first, last = wrap(*arguments, tuple(other))
    assert np.isfinite([arc, *first, *last]).all()
    return wraps, arc, np.array([*first, *last])


def random_frame(rng: np.random.Generator) -> np.ndarray:
    frame = np.zeros(9)
    mujoco.mju_quat2Mat(frame, normalized(rng.normal(size=4)))
    return frame


def normalized(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def plain(rng, start, end, radius):
    return start, end


def close_together(rng, start, end, radius):
    return start, start + rng.normal(size=3) * 10.0 ** rng.integers(-9, 0)


def at_surface(rng, start, end, radius):
    return normalized(start) * radius * (1 + rng.choice([-1, 1]) * 10.0 ** rng.integers(-12, -2)), end


def opposite(rng, start, end, radius):
    return start, -start * rng.choice([0.5, 1.0, 2.0])


def behind_each_other(rng, start, end, radius):
    return start, start * rng.choice([0.5, 2.0])


def along_axes(rng, start, end, radius):
    """Points on coordinate axes, many of them exactly opposite."""
    axes = np.eye(3) * rng.choice([-2.0, 2.0])
    return axes[rng.integers(3)], axes[rng.integers(3)] * rng.choice([-1.0, 1.0])


def at_center(rng, start, end, radius):
    return start * 10.0 ** rng.integers(-17, -1), end


GEOMETRIES = (plain, close_together, at_surface, opposite, behind_each_other, along_axes, at_center)


def random_case(geometry, rng: np.random.Generator, side_range):
    radius, reach = rng.uniform(0.05, 1.5), rng.choice([0.5, 1.0, 2.0])
    start, end = geometry(rng, rng.normal(size=3) * reach, rng.normal(size=3) * reach, radius)
    side = None
    if side_range is not None:
        side = normalized(rng.normal(size=3)) * radius * rng.uniform(*side_range)
    is_simple = rng.integers(3) == 0
    center = np.zeros(3) if is_simple else rng.normal(size=3)
    frame = np.eye(3).ravel() if is_simple else random_frame(rng)
    return start + center, end + center, center, frame, radius, None if side is None else side + center


def path_length(start, end, wraps, arc, points) -> float:
    if not wraps:
        return np.linalg.norm(end - start)
    return np.linalg.norm(points[:3] - start) + arc + np.linalg.norm(end - points[3:])


def check(geometry, kind: int, side: str, count: int, seed: int) -> None:
    wrapped = 0
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        *case, site = random_case(geometry, rng, SIDES[side])
        (wraps1, arc1, points1), (wraps2, arc2, points2) = (f(*case, kind, site) for f in (theirs, ours))
        assert bool(wraps1) == bool(wraps2), number
        length1, length2 = (
            path_length(case[0], case[1], *path)
            for path in ((wraps1, arc1, points1), (wraps2, arc2, points2))
        )  # fmt: skip
        assert length2 == pytest.approx(length1, rel=TOLERANCE, abs=TOLERANCE), number
        if wraps1:
            wrapped += 1
            assert arc2 == pytest.approx(arc1, rel=TOLERANCE, abs=TOLERANCE), number
            np.testing.assert_allclose(points2, points1, rtol=TOLERANCE, atol=TOLERANCE, err_msg=str(number))
    if geometry is plain:
        assert wrapped > count / 20


CASES = [(geometry, kind, side) for geometry in GEOMETRIES for kind in (SPHERE, CYLINDER) for side in SIDES]
NAMES = [f"{geometry.__name__}-{'sphere' if kind == SPHERE else 'cylinder'}-{side}" for geometry, kind, side in CASES]


@pytest.mark.parametrize(("geometry", "kind", "side"), CASES, ids=NAMES)
def test_a_path_is_that_of_mujoco(geometry, kind: int, side: str) -> None:
    check(geometry, kind, side, EVERY_DAY if geometry is plain else EVERY_DAY // 5, seed=0)


@pytest.mark.conformance
@pytest.mark.parametrize(("geometry", "kind", "side"), CASES, ids=NAMES)
def test_many_paths_are_those_of_mujoco(geometry, kind: int, side: str) -> None:
    check(geometry, kind, side, SWEEP if geometry is plain else SWEEP // 4, seed=1)


def test_length_is_continuous_where_the_path_leaves_the_surface() -> None:
    """A point moves so that the line between the points leaves the circle: no jump beyond rounding."""
    center, frame, radius = np.zeros(3), np.eye(3).ravel(), 1.0
    for kind in (SPHERE, CYLINDER):
        for offset in (0.0, 1e-15, 1e-12, 1e-9, 1e-6):
            start = np.array([1.0 - offset, -1.0, 0.0])
            end = np.array([1.0 - offset, 1.0, 0.0])
            length = path_length(start, end, *ours(start, end, center, frame, radius, kind, None))
            assert length == pytest.approx(2.0, abs=2 * offset + 1e-15)


def test_half_a_turn_goes_the_way_of_the_side_site() -> None:
    start, end = np.array([2.0, 0.0, 0.0]), np.array([-2.0, 0.0, 0.0])
    for y in (3.0, -3.0):
        side = np.array([0.1, y, 0.0])
        _, _, points = ours(start, end, np.zeros(3), np.eye(3).ravel(), 1.0, CYLINDER, side)
        assert points[1] * y > 0 and points[4] * y > 0
