"""Free-standing shapes: the contacts, distances and rays of MuJoCo's geoms, in either order, for one pose and many.

The colliders have tests of their own; here a few poses of each pair show that shapes reach them unharmed.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
import phalanx.collision as collision
from phalanx.algebra.jit import interpreted
from phalanx.collision import (
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Ellipsoid,
    HeightField,
    Plane,
    Shape,
    SignedDistanceField,
    Sphere,
    TriangleMesh,
    contacts,
    distance,
    ray,
)
from phalanx.collision.shape.queries import pairs
from tests.quiet import quiet

RNG = np.random.default_rng(0)
VERTICES = RNG.normal(size=(20, 3)).astype(np.float32) * [0.2, 0.3, 0.25] + [0.1, 0.0, -0.1]
ELEVATION = RNG.uniform(0, 1, (7, 9)).astype(np.float32)

SHAPES: dict[str, Shape] = {
    "plane": Plane(),
    "hfield": HeightField(ELEVATION, [0.8, 0.6, 0.3, 0.1]),
    "sphere": Sphere(0.3),
    "capsule": Capsule(0.2, 0.3),
    "ellipsoid": Ellipsoid([0.2, 0.3, 0.4]),
    "cylinder": Cylinder(0.25, 0.3),
    "box": Box([0.2, 0.3, 0.25]),
    "mesh": ConvexMesh(VERTICES),
}


def tolerance_of(a: str, b: str) -> float:
    """Rounding, or the tolerance of the search of pairs that have no formula."""
    has_formula = "plane" in (a, b) or "sphere" in (a, b) or {a, b} <= {"capsule", "box"}
    return 1e-12 if has_formula and not {a, b} & {"ellipsoid", "mesh"} else 2e-6


def geom_xml(shape: Shape) -> str:
    """The shape as a geom without pose."""
    size = {
        Sphere: lambda s: [s.radius],
        Capsule: lambda s: [s.radius, s.half_length],
        Cylinder: lambda s: [s.radius, s.half_length],
        Ellipsoid: lambda s: s.radii,
        Box: lambda s: s.half_sizes,
        Plane: lambda s: [0, 0, 1],
    }.get(type(shape))
    kind = shape.kind.name.lower()
    if size is None:
        return f'<geom type="{kind}" {kind}="{kind}"/>'
    return f'<geom type="{kind}" size="{text(size(shape))}"/>'


def text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(numbers))


ASSETS = f"""
<mesh name="mesh" vertex="{text(VERTICES)}"/>
<hfield name="hfield" nrow="7" ncol="9" size="0.8 0.6 0.3 0.1"/>
"""


@cache
def mujoco_pair(a: str, b: str, margin: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    first, second = (geom_xml(SHAPES[name]).replace("<geom", f'<geom margin="{margin / 2}"') for name in (a, b))
    xml = f"""<mujoco><asset>{ASSETS}</asset><worldbody>
      <body mocap="true">{first}</body>
      <body>{"" if b == "hfield" else '<freejoint align="false"/>'}{second}</body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    model.hfield_data[:] = ELEVATION.ravel()
    return model, mujoco.MjData(model)


def order(a: str, b: str) -> tuple[str, str, bool]:
    """The pair with the smaller type first, and whether that swaps it."""
    is_swapped = SHAPES[a].kind > SHAPES[b].kind
    return (b, a, True) if is_swapped else (a, b, False)


def placed(name: str, pos: Any, quat: Any) -> Shape:
    return SHAPES[name].at(pos, quat)


def random_poses(name: str, n: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng([seed, len(name)])
    for _ in range(n):
        quat = rng.normal(size=4)
        yield rng.normal(size=3) * 0.3, quat / np.linalg.norm(quat)


def put(data: mujoco.MjData, model: mujoco.MjModel, first: Any, second: Any) -> None:
    data.mocap_pos[0], data.mocap_quat[0] = first
    data.qpos[:3], data.qpos[3:] = second
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)


PAIRS = [
    (a, b)
    for a in SHAPES
    for b in SHAPES
    if tuple(sorted((SHAPES[a].kind, SHAPES[b].kind))) in {tuple(map(int, pair)) for pair in pairs()}
]


#: Of height fields, test_hfield.py says which contacts differ from MuJoCo's and why.
COMPARED = [pair for pair in PAIRS if "hfield" not in pair]


def pair_poses(first: str, second: str, n: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Poses of both shapes."""
    return zip(random_poses(first, n, seed), random_poses(second, n, seed + 1), strict=True)


@pytest.mark.parametrize(("a", "b"), COMPARED, ids=str)
def test_contacts_are_those_of_mujoco(a: str, b: str):
    """Every ordered pair: the same contacts in the same order, the normal always from the first shape to the second.

    A search may end at another line on the side of a cylinder, or its other end: test_convex.py says how far away.
    """
    first, second, is_swapped = order(a, b)
    sign, tolerance = (-1 if is_swapped else 1), tolerance_of(a, b)
    same, seen = [], 0
    for margin in (0.0, 0.05):
        model, data = mujoco_pair(first, second, margin)
        for one, other in pair_poses(first, second, 12, 1):
            put(data, model, one, other)
            shapes = placed(first, *one), placed(second, *other)
            found = contacts(*(reversed(shapes) if is_swapped else shapes), margin=margin)
            assert (len(found) > 0) == (data.ncon > 0)
            frame = data.contact.frame.reshape(-1, 3, 3)
            same.append(
                len(found) == data.ncon
                and np.allclose(found.dist, data.contact.dist, atol=tolerance)
                and np.allclose(found.pos, data.contact.pos.reshape(-1, 3), atol=10 * tolerance)
                and np.allclose(found.normal, sign * frame[:, 0], atol=10 * tolerance)
                and (is_swapped or np.allclose(found.frame, frame, atol=10 * tolerance))
            )
            seen += len(found)
    assert seen > 0
    assert same.count(False) == (2 if {a, b} == {"cylinder", "box"} else 0)


@cache
@quiet()
def data_of(first: str, second: str, margin: float) -> phalanx.Data:
    return phalanx.Model.from_mujoco(mujoco_pair(first, second, margin)[0]).make_data()


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=str)
def test_contacts_are_those_of_geoms(a: str, b: str):
    """Shapes and the geoms of a Model share their colliders, so the numbers agree to the rounding of a pose."""
    first, second, is_swapped = order(a, b)
    data = data_of(first, second, 0.02)
    for one, other in pair_poses(first, second, 8, 11):
        (data.mocap_pos, data.mocap_quat), data.qpos = (one[0][None], one[1][None]), np.concatenate(other)
        data.run("kinematics").run("collision")
        shapes = placed(first, *one), placed(second, *other)
        found = contacts(*(reversed(shapes) if is_swapped else shapes), margin=0.02)
        assert len(found) == data.ncon
        tolerance = 1e-12 if "mesh" not in (a, b) else 1e-6
        np.testing.assert_allclose(found.dist, data.contact_dist, atol=tolerance)
        np.testing.assert_allclose(found.pos, data.contact_pos, atol=10 * tolerance)
        normal = data.contact_frame.reshape(-1, 3, 3)[:, 0] * (-1 if is_swapped else 1)
        np.testing.assert_allclose(found.normal, normal, atol=10 * tolerance)
        for contact in found:
            np.testing.assert_allclose(contact.frame @ contact.frame.T, np.eye(3), atol=1e-14)
            assert np.linalg.det(contact.frame) > 0 and (contact.normal == contact.frame[0]).all()
            assert contact.dist <= 0.02


@pytest.mark.parametrize(("a", "b"), COMPARED, ids=str)
def test_distances_are_those_of_mujoco(a: str, b: str):
    first, second, is_swapped = order(a, b)
    model, data = mujoco_pair(first, second, 0.0)
    for k, (one, other) in enumerate(pair_poses(first, second, 12, 3)):
        other = other[0] * (1 + k % 3), other[1]
        put(data, model, one, other)
        shapes = placed(first, *one), placed(second, *other)
        found = distance(*(reversed(shapes) if is_swapped else shapes))
        fromto = np.zeros(6)
        theirs = mujoco.mj_geomDistance(model, data, 0, 1, 1e10, fromto)
        assert found.dist == pytest.approx(theirs, abs=2e-6)
        points = (found.point_b, found.point_a) if is_swapped else (found.point_a, found.point_b)
        assert np.linalg.norm(points[0] - points[1]) == pytest.approx(abs(found.dist), abs=1e-6)
        if theirs > 0:
            np.testing.assert_allclose(points, fromto.reshape(2, 3), atol=2e-3)
        limited = distance(*shapes, max_distance=0.05)
        assert limited.dist == pytest.approx(min(theirs, 0.05), abs=2e-6)
        assert np.isnan(limited.point_a).all() == (theirs > 0.05)


@pytest.mark.parametrize("name", SHAPES)
def test_rays_are_those_of_mujoco(name: str):
    body = f"<body mocap='true'>{geom_xml(SHAPES[name])}</body>"
    xml = f"<mujoco><asset>{ASSETS}</asset><worldbody>{body}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(xml)
    model.hfield_data[:] = ELEVATION.ravel()
    data = mujoco.MjData(model)
    rng = np.random.default_rng(5)
    hits = 0
    for pose in random_poses(name, 10, 6):
        data.mocap_pos[0], data.mocap_quat[0] = pose
        mujoco.mj_kinematics(model, data)
        target = data.geom_xpos[0] + rng.normal(size=(30, 3)) * 0.2
        origin = target + rng.normal(size=(30, 3))
        direction = (target - origin) * 10.0 ** rng.uniform(-1, 1, (30, 1))
        found = ray(placed(name, *pose), origin, direction)
        for k in range(30):
            normal = np.zeros(3)
            theirs = mujoco.mj_ray(model, data, origin[k], direction[k], None, True, -1, None, normal)
            assert found.dist[k] == pytest.approx(theirs, abs=1e-9)
            np.testing.assert_allclose(found.normal[k], normal, atol=1e-9)
        is_hit = found.dist >= 0
        np.testing.assert_array_equal(found.point[is_hit], (origin + found.dist[:, None] * direction)[is_hit])
        assert np.isnan(found.point[~is_hit]).all()
        one = ray(placed(name, *pose), origin[0], direction[0])
        assert isinstance(one.dist, float) and one.dist == found.dist[0]
        hits += int(is_hit.sum())
    assert hits > 30


# --- shapes that are no geoms of MuJoCo's


CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
#: The sides of a cube, as triangles.
SIDES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def cube_of_triangles(half: float, **pose: Any) -> TriangleMesh:
    return TriangleMesh(CORNERS * half, SIDES, **pose)


@pytest.mark.parametrize("name", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"])
def test_a_triangle_mesh_is_a_surface(name: str):
    """Near the surface of a cube: contacts and distance of a solid cube, as long as a triangle is left by its front."""
    solid, surface = Box([2, 2, 2]), cube_of_triangles(2.0)
    for pos, quat in random_poses(name, 10, 21):
        for height in (2.2, 2.35, 2.7):
            shape = SHAPES[name].at([pos[0], pos[1], height], quat)
            apart, truth = distance(surface, shape), distance(solid, shape)
            if truth.dist > -0.1:
                assert apart.dist == pytest.approx(truth.dist, abs=1e-5 if truth.dist > 0 else 5e-3)
            found = contacts(surface, shape)
            assert (len(found) > 0) == (truth.dist <= 0)
            if len(found):
                back = contacts(shape, surface)
                assert (back.normal == -found.normal).all() and (back.dist == found.dist).all()
    inside = SHAPES[name].at([0.1, 0.0, 0.2])
    assert len(contacts(surface, inside)) == 0 and distance(surface, inside).dist > 0


def test_rays_and_planes_see_a_triangle_mesh():
    cube, solid = cube_of_triangles(0.5, pos=[0, 0, 1.0]), ConvexMesh(CORNERS * 0.5, pos=[0, 0, 1.0])
    origins = np.random.default_rng(22).normal(size=(50, 3)) * 2
    hits = ray(cube, origins, [0.05, 0.1, 1.0] - origins)
    np.testing.assert_allclose(hits.dist, ray(solid, origins, [0.05, 0.1, 1.0] - origins).dist, atol=1e-7)
    ground = Plane(pos=[0, 0, 0.51])
    assert len(contacts(ground, cube)) == 4
    np.testing.assert_allclose(contacts(cube, ground).normal, [[0, 0, -1]] * 4, atol=1e-12)
    assert distance(ground, cube).dist == pytest.approx(-0.01, abs=1e-7)
    # two meshes in one model, with and without a hull
    assert distance(cube, solid.at([0, 0, 2.5])).dist == pytest.approx(0.5, abs=1e-6)


BALL = phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=1) - 0.5, [-0.7] * 3, [0.7] * 3, 0.05)


@pytest.mark.parametrize("name", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"])
def test_a_signed_distance_field_of_a_ball(name: str):
    """A grid of 5 cm against the ball it was made of."""
    field, ball = SignedDistanceField(BALL), Sphere(0.5)
    for pos, quat in random_poses(name, 10, 23):
        shape = SHAPES[name].at(pos * 0.6 / np.linalg.norm(pos), quat)
        found, truth = contacts(field, shape), distance(ball, shape)
        if truth.dist < -0.02:
            assert len(found)
            assert 0.5 < found.dist.min() / truth.dist < 1.2  # the depth at one point, not of the whole overlap
            back = contacts(shape, field)
            assert (back.normal == -found.normal).all()
    hit = ray(field, [0, 0, 2], [0.02, 0.01, -1])
    assert hit.dist == pytest.approx(ray(ball, [0, 0, 2], [0.02, 0.01, -1]).dist, abs=0.01)
    assert repr(field).startswith("SignedDistanceField(<SDF of")
    assert field == SignedDistanceField(BALL) and field != SignedDistanceField(BALL, pos=[1, 0, 0])


# --- many poses


@pytest.mark.parametrize(("a", "b"), [("sphere", "box"), ("box", "cylinder"), ("mesh", "box"), ("capsule", "plane")])
def test_many_poses_have_the_bits_of_each(a: str, b: str):
    rng = np.random.default_rng(7)
    pos, quat = rng.normal(size=(60, 3)) * 0.3, rng.normal(size=(60, 4))
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    one, many = SHAPES[a], SHAPES[b].at(pos, quat)
    assert many.poses == 60 and one.poses is None
    found, far = contacts(one, many, margin=0.02), distance(one, many)
    assert (np.diff(found.pose) >= 0).all()
    back = contacts(many, one, margin=0.02)
    np.testing.assert_array_equal(back.pose, found.pose)
    for k in range(60):
        alone, apart = (
            contacts(one, SHAPES[b].at(pos[k], quat[k]), margin=0.02),
            distance(one, SHAPES[b].at(pos[k], quat[k])),
        )
        mine = found.at_pose(k)
        assert (mine.dist == alone.dist).all() and (mine.pos == alone.pos).all() and (mine.frame == alone.frame).all()
        assert far.dist[k] == apart.dist and (far.point_b[k] == apart.point_b).all()
    # both with as many poses: pose by pose
    both = contacts(one.at(np.zeros((60, 3))), many, margin=0.02)
    assert (both.dist == found.dist).all()
    assert len(contacts(one, SHAPES[b].at(np.zeros((0, 3))))) == 0


def test_each_mesh_stands_on_its_own_corners():
    """Queries of a thread share memory, in which corners of faces are kept; other threads have their own."""
    prisms = []
    for seed in range(20):
        angles = np.sort(np.random.default_rng(seed).uniform(0, 2 * np.pi, 12))
        base = [(np.cos(angle), 2 * np.sin(angle)) for angle in angles]
        prisms.append(ConvexMesh([(x, y, z) for x, y in base for z in (0.0, 1.0)], pos=[0, 0, -0.01]))
    together = [[contact.pos for contact in contacts(Plane(), prism)] for prism in prisms]
    for prism, positions in zip(prisms, together, strict=True):
        alone = []
        thread = threading.Thread(target=lambda prism=prism, alone=alone: alone.extend(contacts(Plane(), prism)))
        thread.start()
        thread.join()
        assert len(alone) == 4
        np.testing.assert_array_equal(positions, [contact.pos for contact in alone])


def test_more_contacts_than_room_at_first():
    """Eight contacts of each pose of two boxes."""
    slab = Box([1, 1, 0.1])
    found = contacts(slab, Box([0.5, 0.5, 0.1], quat=[0.92, 0, 0, 0.38]).at(np.tile([0, 0, 0.19], (30, 1))))
    assert np.bincount(found.pose).tolist() == [4] * 30
    octagon = contacts(slab, Box([1, 1, 0.1], quat=[np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)]).at([0, 0, 0.19]))
    assert len(octagon) == 8


def test_rays_at_many_poses():
    shape = Sphere(0.5).at([[0, 0, 0], [0, 0, 1], [5, 0, 0]])
    hit = ray(shape, [0, 0, 3], [0, 0, -2])
    assert hit.dist.tolist() == [1.25, 0.75, -1.0]
    assert hit.normal.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    with pytest.raises(phalanx.FieldError, match="poses and rays do not go together"):
        ray(shape, np.zeros((2, 3)), [0, 0, 1])


@pytest.mark.parametrize(("a", "b"), [("sphere", "box"), ("box", "box"), ("ellipsoid", "box"), ("plane", "mesh")])
def test_interpreted_shapes_have_the_same_bits(a: str, b: str):
    for one, other in zip(random_poses(a, 3, 8), random_poses(b, 3, 9), strict=True):
        shapes = placed(a, *one), placed(b, *other)
        fast = contacts(*shapes, margin=0.1), distance(*shapes), ray(shapes[1], [1, 1, 1], [-1, -1, -0.9])
        with interpreted():
            slow = contacts(*shapes, margin=0.1), distance(*shapes), ray(shapes[1], [1, 1, 1], [-1, -1, -0.9])
        assert (fast[0].dist == slow[0].dist).all() and (fast[0].frame == slow[0].frame).all()
        for ours, plain in zip((*fast[1], *fast[2]), (*slow[1], *slow[2]), strict=True):
            assert np.array_equal(ours, plain, equal_nan=True)


# --- shapes as values


def test_a_shape_is_a_value():
    box = Box([1, 2, 3])
    moved = box.at([0, 0, 1])
    assert box == Box((1.0, 2.0, 3.0)) != moved and hash(box) == hash(Box([1, 2, 3]))
    assert box != Ellipsoid([1, 2, 3]) and box != 3
    assert moved.at([0, 0, 0]) == box
    assert pickle.loads(pickle.dumps(SHAPES["mesh"])) == SHAPES["mesh"]
    for change in (lambda: setattr(box, "pos", 1), lambda: box.pos.__setitem__(0, 1.0)):
        with pytest.raises((AttributeError, ValueError)):
            change()
    # numbers are copied
    sizes = np.ones(3)
    box = Box(sizes)
    sizes[0] = 5
    assert box.half_sizes.tolist() == [1, 1, 1]


def test_reprs():
    assert repr(Sphere(0.5)) == "Sphere(0.5)"
    assert repr(Box([1, 2, 3], pos=[0, 0, 1])) == "Box([1, 2, 3], pos=[0, 0, 1])"
    assert repr(Capsule(0.1, 0.25, quat=[0, 2, 0, 0])) == "Capsule(0.1, 0.25, quat=[0, 1, 0, 0])"
    assert repr(Sphere(0.5).at(np.zeros((10, 3)))) == "Sphere(0.5, pos=<10 x 3 numbers>)"
    assert repr(ConvexMesh(VERTICES)) == "ConvexMesh(<20 x 3 numbers>)"
    assert repr(Plane()) == "Plane()"
    assert repr(contacts(Sphere(1), Sphere(1, pos=[0, 0, 1.5]))) == "<1 contact, deepest -0.5 m>"
    assert repr(contacts(Sphere(1), Sphere(1, pos=[0, 0, 5]))) == "<no contacts>"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere(0), "Sphere: radius must be positive"),
        (lambda: Sphere(float("nan")), "radius must be positive and finite"),
        (lambda: Sphere([1, 2]), "radius takes a number"),
        (lambda: Sphere("big"), "radius takes a number"),
        (lambda: Box(1.0), "half_sizes takes 3 numbers"),
        (lambda: Box([1, 2, -3]), "half_sizes must be positive"),
        (lambda: Capsule(1, 0), "half_length must be positive"),
        (lambda: Sphere(1, pos=[1, 2]), r"pos has shape \(3,\)"),
        (lambda: Sphere(1, pos="here"), "pos takes numbers"),
        (lambda: Sphere(1, quat=[0, 0, 0, 0]), "quat has no length"),
        (lambda: Sphere(1, pos=[0, 0, np.inf]), "pos is not finite"),
        (lambda: Sphere(1, pos=np.zeros((2, 3)), quat=np.ones((3, 4))), "2 positions do not go with 3 quaternions"),
        (lambda: HeightField([1, 2, 3], [1, 1, 1, 1]), "grid of at least 2 x 2"),
        (lambda: HeightField(np.ones((2, 2)), [1, 1, 1]), "size takes 4 numbers"),
        (lambda: HeightField(-np.ones((2, 2)), [1, 1, 1, 1]), "not negative"),
        (lambda: ConvexMesh([[0, 0, 0]]), "at least 4 vertices"),
        (lambda: ConvexMesh(np.zeros((3, 2))), r"vertices has shape \(n, 3\)"),
        (lambda: TriangleMesh(CORNERS, np.zeros((0, 3))), "faces are missing"),
        (lambda: TriangleMesh(CORNERS, [[0, 1, 8]]), "vertex 8 does not exist"),
        (lambda: SignedDistanceField(np.ones((3, 3, 3))), "takes a phalanx.SDF"),
        (lambda: contacts(cube_of_triangles(1.0), cube_of_triangles(1.0)), "TriangleMesh do not collide"),
        (lambda: contacts(Plane(), Plane()), "Plane and Plane do not collide"),
        (lambda: contacts(Sphere(1), Sphere(1), margin=-1), "margin"),
        (lambda: distance(Sphere(1), Sphere(1), max_distance=0), "max_distance"),
        (lambda: contacts(Sphere(1), "box"), "is no shape"),
        (lambda: contacts(Sphere(1, pos=np.zeros((2, 3))), Sphere(1, pos=np.zeros((3, 3)))), "poses do not go"),
        (lambda: ray(Sphere(1), [0, 0, 0], [0, 0, 0]), "has no length"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(make: Any, message: str):
    with pytest.raises(phalanx.PhalanxError, match=message):
        make()


def test_names_of_functions_are_not_those_of_modules():
    """`phalanx.collision.ray.ray` is the function, also after everything has been imported."""
    for name in collision.__all__:
        assert callable(getattr(collision, name)), name


def test_shapes_do_not_need_mujoco():
    code = (
        "import sys; from phalanx.collision import *; contacts(Box([1, 1, 1]), Sphere(1)); "
        "assert not any(name.split('.')[0] in ('mujoco', 'llvmlite') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
