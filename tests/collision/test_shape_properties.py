"""What must hold for any two shapes: symmetry, invariance under motion, answers that agree, sense at the extremes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from phalanx.collision import (
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Distance,
    Ellipsoid,
    Plane,
    Shape,
    Sphere,
    contacts,
    distance,
    ray,
)

#: A search stops when it is this near to the answer [m].
SEARCH = 1e-6
SEARCHED = (Cylinder, Ellipsoid, ConvexMesh)
FEW = settings(max_examples=60, deadline=None)

lengths = st.floats(0.05, 1.0)
coordinates = st.floats(-1.5, 1.5)
vectors = st.tuples(coordinates, coordinates, coordinates).map(np.array)
quaternions = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4)
    .map(np.array)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: q / np.linalg.norm(q))
)
three = st.tuples(lengths, lengths, lengths)
round_shapes = st.one_of(
    st.builds(Sphere, lengths, pos=vectors, quat=quaternions),
    st.builds(Capsule, lengths, lengths, pos=vectors, quat=quaternions),
)
boxes = st.builds(Box, three, pos=vectors, quat=quaternions)
#: Pairs of these have formulas.
formula_shapes = st.one_of(round_shapes, boxes)


@st.composite
def hulls(draw: Any) -> ConvexMesh:
    """A box with its corners shaken."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    shaken = corners * draw(three) + np.random.default_rng(draw(st.integers(0, 10))).uniform(-0.02, 0.02, (8, 3))
    return ConvexMesh(shaken, pos=draw(vectors), quat=draw(quaternions))


shapes = st.one_of(
    formula_shapes,
    st.builds(Cylinder, lengths, lengths, pos=vectors, quat=quaternions),
    st.builds(Ellipsoid, three, pos=vectors, quat=quaternions),
    hulls(),
)
planes = st.builds(Plane, pos=vectors, quat=quaternions)


def rotate(quat: np.ndarray, v: np.ndarray) -> np.ndarray:
    turned = np.cross(quat[1:], v)
    return v + 2 * (quat[0] * turned + np.cross(quat[1:], turned))


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def moved(shape: Shape, pos: np.ndarray, quat: np.ndarray) -> Shape:
    return shape.at(pos + rotate(quat, shape.pos), product(quat, shape.quat))


def reach(shape: Shape, direction: np.ndarray) -> float:
    """How far a shape reaches along a unit vector."""
    n = rotate(shape.quat * [1, -1, -1, -1], direction)
    if isinstance(shape, Sphere):
        own = shape.radius
    elif isinstance(shape, Capsule):
        own = shape.radius + abs(n[2]) * shape.half_length
    elif isinstance(shape, Ellipsoid):
        own = np.linalg.norm(n * shape.radii)
    elif isinstance(shape, Cylinder):
        own = shape.radius * np.hypot(n[0], n[1]) + shape.half_length * abs(n[2])
    elif isinstance(shape, Box):
        own = np.abs(n) @ np.asarray(shape.half_sizes)
    else:
        assert isinstance(shape, ConvexMesh)
        own = (shape.vertices @ n).max()
    return float(own + shape.pos @ direction)


def may_be_off(a: Shape, b: Shape, found: Distance) -> float:
    """By how much a distance that was searched for may be wrong.

    The depth of an overlap is at most the overlap along any normal, and not below what the search reports.
    """
    if found.dist >= 0:
        return SEARCH
    normal = (found.point_a - found.point_b) / -found.dist
    return max(SEARCH, reach(a, normal) + reach(b, -normal) + found.dist)


def tolerance(a: Shape, b: Shape, one: Distance, other: Distance) -> float:
    """What rounding, or the search, allows."""
    is_searched = isinstance(a, SEARCHED) or isinstance(b, SEARCHED)
    if not is_searched or isinstance(a, Plane):
        return 1e-9
    return may_be_off(a, b, one) + may_be_off(a, b, other) + 1e-9


def assert_makes_sense(found: Any) -> None:
    assert np.isfinite(found.dist).all() and np.isfinite(found.pos).all()
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-12)
    frames = found.frame @ found.frame.swapaxes(1, 2)
    np.testing.assert_allclose(frames, np.broadcast_to(np.eye(3), frames.shape), atol=1e-12)


# --- symmetry


@FEW
@given(shapes, shapes)
def test_swapping_flips_the_normal(a: Shape, b: Shape):
    """Different types: the same contacts with opposite normals, to the bit."""
    assume(type(a) is not type(b))
    there, back = contacts(a, b, margin=0.1), contacts(b, a, margin=0.1)
    assert (there.dist == back.dist).all() and (there.pos == back.pos).all()
    assert (there.normal == -back.normal).all()
    far, near = distance(a, b), distance(b, a)
    assert far.dist == near.dist and (far.point_a == near.point_b).all() and (far.point_b == near.point_a).all()


@FEW
@given(shapes)
def test_swapping_two_of_a_kind_keeps_the_depth(a: Shape):
    b = a.at(a.pos + [0.11, -0.2, 0.17], product(a.quat, np.array([0.9, 0.3, -0.1, 0.2]) / np.sqrt(0.95)))
    there, back = distance(a, b), distance(b, a)
    swapped = Distance(back.dist, back.point_b, back.point_a)
    assert there.dist == pytest.approx(back.dist, abs=tolerance(a, b, there, swapped))


@FEW
@given(planes, shapes)
def test_planes_too(plane: Plane, shape: Shape):
    there, back = contacts(plane, shape, margin=0.1), contacts(shape, plane, margin=0.1)
    assert (there.dist == back.dist).all() and (there.normal == -back.normal).all()
    np.testing.assert_allclose(
        there.normal, np.broadcast_to(rotate(plane.quat, np.array([0, 0, 1.0])), there.pos.shape), atol=1e-12
    )
    assert_makes_sense(there)


# --- motion


def is_upright(a: Shape, b: Shape) -> bool:
    """Does a cylinder stand on a plane, but for rounding? Then rounding decides which radius goes down."""
    if not (isinstance(a, Plane) and isinstance(b, Cylinder)):
        return False
    up = np.array([0.0, 0.0, 1.0])
    return bool(np.linalg.norm(np.cross(rotate(a.quat, up), rotate(b.quat, up))) < 1e-7)


#: The radius that goes down is the normal across the axis. Of an upright cylinder that is rounding, up to 5.2 ulp, and
#: it counts as upright below 4.5 ulp (1e-15), as in MuJoCo. Beyond, at a tilt t, what rounding leaves along the normal
#: makes the depth wrong by about 1 ulp / t radii: 0.99 at 1e-15, 2e-3 at 1e-13, 2e-6 at 1e-10. A larger bound, 6 ulp,
#: would mend this test but not the tilts above it, and would leave MuJoCo's contacts in 12 of 600 poses of
#: test_plane.py.
UPRIGHT = "GAP: depth of a cylinder tilted by t is off by 2e-16 / t radii, as in MuJoCo: -1.99998 instead of -1 here"


@pytest.mark.xfail(strict=True, reason=UPRIGHT)
def test_an_upright_cylinder_is_as_deep_as_its_half():
    quat = np.array([0.03960582362326361, 0.08006029934628921, 0.7328384826534219, 0.6745142589641344])
    assert distance(Plane(quat=quat), Cylinder(1.0, 1.0, quat=quat)).dist == pytest.approx(-1.0, abs=1e-9)


@FEW
@given(st.one_of(shapes, planes), shapes, vectors, quaternions)
def test_a_common_motion_changes_nothing(a: Shape, b: Shape, pos: np.ndarray, quat: np.ndarray):
    assume(not is_upright(a, b))
    still, after = distance(a, b), distance(moved(a, pos, quat), moved(b, pos, quat))
    back = Distance(after.dist, *(rotate(quat * [1, -1, -1, -1], p - pos) for p in (after.point_a, after.point_b)))
    assert after.dist == pytest.approx(still.dist, abs=tolerance(a, b, still, back))
    origin, direction = a.pos + [0.3, 2.0, 1.0], np.array([-0.3, -2.1, -1.05])
    hit, same = ray(a, origin, direction), ray(moved(a, pos, quat), pos + rotate(quat, origin), rotate(quat, direction))
    if (hit.dist >= 0) == (same.dist >= 0):  # a ray that grazes the surface may slip
        assert same.dist == pytest.approx(hit.dist, abs=1e-6)


@FEW
@given(formula_shapes, formula_shapes, vectors, quaternions)
def test_contacts_move_with_the_shapes(a: Shape, b: Shape, pos: np.ndarray, quat: np.ndarray):
    still, after = contacts(a, b, margin=0.05), contacts(moved(a, pos, quat), moved(b, pos, quat), margin=0.05)
    assume(len(still) == len(after))  # a contact at the margin may slip
    if len(still) == 1:
        np.testing.assert_allclose(after.dist, still.dist, atol=1e-9)
    if len(still):
        assert after.dist.min() == pytest.approx(still.dist.min(), abs=1e-9)


# --- one answer agrees with another


@FEW
@given(st.one_of(shapes, planes), shapes)
def test_distance_and_contacts_agree(a: Shape, b: Shape):
    """Contacts without margin exist just where the distance is not positive, and the deepest has that distance."""
    apart, touching = distance(a, b).dist, contacts(a, b)
    assert_makes_sense(touching)
    if abs(apart) > 2 * SEARCH:
        assert (apart < 0) == (len(touching) > 0)
    if len(touching) and isinstance(a, (Sphere, Plane)) and isinstance(b, (Sphere, Capsule, Box)):
        assert touching.dist.min() == pytest.approx(apart, abs=1e-9)


def inside(shape: Shape) -> np.ndarray:
    """A point well inside the shape."""
    center = shape.vertices.mean(axis=0) if isinstance(shape, ConvexMesh) else np.zeros(3)
    return shape.pos + rotate(shape.quat, center)


@FEW
@given(shapes, shapes)
def test_a_ray_past_the_nearest_point_hits_there(a: Shape, b: Shape):
    """From the nearest point of one shape to a place just behind that of the other: hit on the way, not before."""
    apart = distance(a, b)
    assume(apart.dist > 1e-3)
    behind = apart.point_b + 1e-3 * (inside(b) - apart.point_b)
    way = behind - apart.point_a
    hit = ray(b, apart.point_a, way)
    assert apart.dist - 2 * SEARCH <= hit.dist * np.linalg.norm(way) <= np.linalg.norm(way)
    # between the nearest point and the place behind it
    deep = np.linalg.norm(behind - apart.point_b)
    assert np.linalg.norm(hit.point - apart.point_b) <= 2 * deep + 2 * SEARCH
    # and the surface of the first shape is right behind the origin
    back = ray(a, apart.point_b, inside(a) - apart.point_b)
    assert back.dist * np.linalg.norm(inside(a) - apart.point_b) >= apart.dist - 2 * SEARCH


@FEW
@given(st.one_of(shapes, planes), shapes, st.floats(0.01, 0.5))
def test_a_margin_only_adds_contacts(a: Shape, b: Shape, margin: float):
    without, within = contacts(a, b), contacts(a, b, margin=margin)
    assert (within.dist <= margin).all() and (without.dist <= 0).all()
    assert not len(without) or len(within)
    limited = distance(a, b, max_distance=margin)
    assert limited.dist <= margin


# --- extremes


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("offset", ["same place", "same axis", "touching", "tiny"])
def test_degenerate_pairs_make_sense(size: float, offset: str):
    """Coincident centers, parallel faces and axes, surfaces that just touch, from a micrometer to a thousand km."""
    third = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    solids: list[Shape] = [
        Sphere(size), Capsule(size, 2 * size), Ellipsoid([size, 2 * size, size]), Cylinder(size, size),
        Box([size, size, size]), ConvexMesh(np.array(third) * size),
    ]  # fmt: skip
    shifts = {"same place": [0, 0, 0], "same axis": [0, 0, 0.5], "touching": [2, 0, 0], "tiny": [1e-12, 0, 0]}
    shift = np.array(shifts[offset]) * size
    for a in (*solids, Plane()):
        for b in solids:
            other = b.at(shift)
            for first, second in ((a, other), (other, a)):
                found = contacts(first, second, margin=0.01 * size)
                assert_makes_sense(found)
                if offset != "touching":
                    assert len(found) and found.dist.min() <= 0
                if size < 1e-4 and {type(first), type(second)} == {Capsule, Box}:
                    continue  # MuJoCo's and our rule for the nearest edge compares squares with 1e-15 m²
                apart = distance(first, second)
                assert np.isfinite(apart.dist), (first, second)
                assert np.isfinite(apart.point_a).all() and np.isfinite(apart.point_b).all()
                assert abs(apart.dist) <= 20 * size


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_degenerate_rays_make_sense(size: float):
    """From the center, along faces, through edges and poles, tangential."""
    solids = (
        Sphere(size), Capsule(size, 2 * size), Ellipsoid([size, 2 * size, size]), Cylinder(size, size), Box([size] * 3),
    )  # fmt: skip
    origins = np.array([[0, 0, 0], [3, 0, 0], [1, 0, 3], [1, 1, 3], [3, 3, 3], [0, 0, 5], [1, 0, 0]], float) * size
    directions = np.array([[0, 0, 1], [-1, 0, 0], [0, 0, -1], [0, 0, -1], [-1, -1, -1], [0, 0, -1], [1, 0, 0]], float)
    for shape in solids:
        hit = ray(shape, origins, directions)
        is_hit = hit.dist >= 0
        assert np.isfinite(hit.dist).all() and (hit.dist[~is_hit] == -1).all()
        np.testing.assert_allclose(np.linalg.norm(hit.normal[is_hit], axis=1), 1.0, atol=1e-12)
        assert is_hit[[0, 1, 4, 5]].all()


def test_sizes_far_apart():
    """A speck of dust on a mountain."""
    for large in (Sphere(1e4), Box([1e4] * 3), Capsule(1e4, 1e4), Cylinder(1e4, 1e4), Ellipsoid([1e4] * 3)):
        for small in (Sphere(1e-4), Box([1e-4] * 3), Capsule(1e-4, 1e-4), Cylinder(1e-4, 1e-4), Ellipsoid([1e-4] * 3)):
            top = 2e4 if isinstance(large, Capsule) else 1e4
            found = contacts(large, small.at([0, 0, top]))
            assert_makes_sense(found)
            assert len(found) and abs(found.normal[0, 2]) > 0.99
