"""Convex pairs against MuJoCo, and against proofs that know nothing of either (see `certificates.py`).

One contact has the depth and the normal of MuJoCo's to 1e-6 of the size, between polytopes to 1e-9, or it is proven:
its gap is below the tolerance of the search, and MuJoCo's normal does not overlap less. The normal of a smooth contact
is only as good as the last face of a search, about sqrt(tolerance): there, proofs are needed.

Several contacts are MuJoCo's, in any order, or there is a reason (`explain`); and every one lies on both shapes.

All pairs share one compiled entry; the filed colliders themselves run interpreted.
"""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from functools import cached_property
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.collision.convex.convex import convex_contacts, convex_distance
from phalanx.collision.convex.features import ALIGNED
from phalanx.collision.convex.support import TYPE
from phalanx.memory.store import PlainView
from phalanx.tables.enums import GeomType
from tests.collision.certificates import (
    DIRECTIONS,
    ROUNDING,
    SEARCH,
    Shape,
    ends_of,
    gap_of,
    is_placed,
    neighbors,
    overlap_along,
    overlap_of,
    searched_depth,
    shapes_of,
)
from tests.collision.harness import Pair, load_geom, one_world_geom, same_bits
from tests.conformance.models import SHARED

MULTICCD = int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
PART = SHARED / "menagerie" / "robotiq_2f85" / "assets" / "coupler.stl"

# --- shapes

CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
GOLDEN = (1.0 + 5.0**0.5) / 2.0
DODECAHEDRON = np.vstack(
    [CORNERS]
    + [np.roll([[0.0, s / GOLDEN, t * GOLDEN]], k, axis=1) for s in (-1, 1) for t in (-1, 1) for k in range(3)]
)


def _ball(n: int, seed: int) -> np.ndarray:
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * [0.1, 0.2, 0.3]


MESHES = {
    "cube": CORNERS * [0.1, 0.2, 0.3],
    "tetrahedron": np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]),
    "dodecahedron": DODECAHEDRON * 0.1,
    "hull": _ball(20, 1),
    "big": _ball(200, 2),
    "plate": CORNERS * [0.2, 0.3, 0.01],
    "flat": CORNERS * [0.2, 0.2, 1e-5],
    "needle": CORNERS * [0.5, 1e-4, 1e-4],
    "tiny": CORNERS * 1e-4,
    "huge": CORNERS * 50.0,
    "vast": CORNERS * 1e4,
}
ASSETS = "".join(
    f'<mesh name="{name}" vertex="{" ".join(f"{x:.9g}" for x in points.ravel())}"/>' for name, points in MESHES.items()
)
#: Meshes without a hull, as MuJoCo makes them for geoms that do not collide; the second is flat.
WITHOUT_HULL = ("bare", "square")
ASSETS += """<mesh name="bare" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3" face="0 2 1  0 1 3  0 3 2  1 2 3"/>
  <mesh name="square" vertex="0 0 0  .3 0 0  .3 .3 0  0 .3 0" face="0 1 2  0 2 3" inertia="shell"/>"""
#: Sizes of the primitive shapes: an ordinary one, then odd ones.
SIZES = {
    "sphere": [".1", "1e-4", "50"],
    "capsule": [".1 .2", "1e-4 .5", ".1 1e-5", "20 50"],
    "ellipsoid": [".1 .2 .3", ".1 .1 .1", ".3 .3 1e-3", "1e-3 1e-3 .5", "30 40 50"],
    "cylinder": [".1 .2", ".3 1e-4", "1e-4 .5", "30 50"],
    "box": [".1 .2 .3", ".2 .2 1e-4", ".5 1e-4 1e-4", "50 50 50", "1e-4 1e-4 1e-4"],
}


def geom(name: str, k: int = 0) -> str:
    """MJCF of a primitive or a mesh, heavy enough to be a body at any size."""
    if name in SIZES:
        return f'<geom type="{name}" size="{SIZES[name][k]}" mass="1"/>'
    flags = 'contype="0" conaffinity="0"' if name in WITHOUT_HULL else ""
    return f'<geom type="mesh" mesh="{name}" mass="1" {flags}/>'


PRIMITIVE_PAIRS = [
    ("sphere", "ellipsoid"), ("capsule", "ellipsoid"), ("capsule", "cylinder"), ("ellipsoid", "ellipsoid"),
    ("ellipsoid", "cylinder"), ("ellipsoid", "box"), ("cylinder", "cylinder"), ("cylinder", "box"),
]  # fmt: skip
MESH_PAIRS = [
    ("cube", "dodecahedron"), ("cube", "tetrahedron"), ("hull", "big"), ("plate", "hull"), ("plate", "plate"),
    ("dodecahedron", "dodecahedron"),
]  # fmt: skip
TRIED_MESHES = ["cube", "dodecahedron", "hull", "plate"]
if PART.exists():
    ASSETS += f'<mesh name="part" file="{PART}" scale=".005 .005 .005"/>'
    TRIED_MESHES += ["part"]
    MESH_PAIRS += [("part", "part"), ("cube", "part")]
#: First and second shape, smaller type first.
PAIRS = [*PRIMITIVE_PAIRS, *itertools.product(SIZES, TRIED_MESHES), *MESH_PAIRS]
POLYTOPES = {"box", "part", *MESHES}
IDS = ["-".join(pair) for pair in PAIRS]


# --- one compiled entry for all pairs


@kernel
def any_pair(m, d, margin, world):
    first, second = one_world_geom(load_geom(m, d, 0), world), one_world_geom(load_geom(m, d, 1), world)
    d.convex_id[0, TYPE], d.convex_id[1, TYPE] = m.geom_type[0], m.geom_type[1]
    return convex_contacts(m, d, first, second, margin)


class ConvexPair(Pair):
    """Any two convex geoms; `single` asks MuJoCo and us for one contact only."""

    def __init__(self, first: str, second: str, margin: float = 0.0, single: bool = False, assets: str = ASSETS):
        super().__init__(first, second, margin, assets)
        self.run, self.name = any_pair, "convex"
        if single:
            self.mjmodel.opt.disableflags |= MULTICCD
            self.model = phalanx.Model.from_mujoco(self.mjmodel)

    @property
    def size(self) -> float:
        """Size of the smaller shape."""
        return float(self.mjmodel.geom_aabb[:, 3:].max(axis=1).min())

    @property
    def reach(self) -> float:
        """Size of the larger shape."""
        return float(self.mjmodel.geom_aabb[:, 3:].max())

    @property
    def are_polytopes(self) -> bool:
        return {GeomType(kind) for kind in self.mjmodel.geom_type} <= {GeomType.BOX, GeomType.MESH}

    def changed(self, **options: int) -> ConvexPair:
        """The same pair with other options, for ours and for MuJoCo."""
        other = copy.copy(self)
        other.mjmodel = copy.copy(self.mjmodel)
        for name, value in options.items():
            setattr(other.mjmodel.opt, name, value)
        other.model = phalanx.Model.from_mujoco(other.mjmodel)
        return other

    @cached_property
    def with_one_contact(self) -> ConvexPair:
        return self.changed(disableflags=self.mjmodel.opt.disableflags | MULTICCD)

    @cached_property
    def with_more_steps(self) -> ConvexPair:
        """Searches need not end after 35 steps."""
        return self.changed(ccd_iterations=400)


def make_collide(pair: Pair) -> None:
    """Let geoms collide that were compiled not to."""
    for kind in ("geom", "body"):
        getattr(pair.mjmodel, f"{kind}_contype")[:] = 1
        getattr(pair.mjmodel, f"{kind}_conaffinity")[:] = 1
    pair.model = phalanx.Model.from_mujoco(pair.mjmodel)


def pair_of(names: tuple[str, str], margin: float, single: bool = False) -> ConvexPair:
    return ConvexPair(geom(names[0]), geom(names[1]), margin, single)


# --- poses


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    quat, mat = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis / np.linalg.norm(axis), angle)
    mujoco.mju_quat2Mat(mat, quat)
    return mat.reshape(3, 3)


def signed_axes(rng: np.random.Generator) -> np.ndarray:
    """One of the 24 rotations of a cube."""
    mat = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
    return mat * np.linalg.det(mat)


def pose_of(pos: np.ndarray, mat: np.ndarray) -> np.ndarray:
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, mat.flatten())
    return np.hstack([pos, quat])


def facing_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Face on face within the tolerance of five degrees or a little beyond, often exactly parallel."""
    rng, poses = np.random.default_rng(seed), []
    half1, half2 = pair.mjmodel.geom_aabb[:, 3:]
    for _ in range(n):
        mat = signed_axes(rng)
        axis = int(rng.integers(3))
        normal = np.eye(3)[axis] * rng.choice([-1.0, 1.0])
        reach = half1[axis] + (np.abs(mat) @ half2)[axis]
        if rng.random() < 0.7:
            mat = turn(normal, rng.uniform(0, 2 * np.pi)) @ mat
        if rng.random() < 0.8:
            mat = turn(rng.normal(size=3), rng.uniform(0, 0.1)) @ mat
        pos = rng.uniform(-0.6, 0.6, 3) * (half1 + half2.max())
        pos[axis] = normal[axis] * (reach - rng.uniform(-pair.margin, 0.02))
        poses.append(pose_of(pos, mat))
    return np.array(poses)


def edge_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """An edge on a face or along an edge: as above, then turned by 45 degrees about an axis in the face."""
    rng = np.random.default_rng(seed)
    poses = facing_poses(pair, n, seed)
    for pose in poses:
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, pose[3:])
        axis = np.eye(3)[np.argsort(-np.abs(pose[:3]))[1 + rng.integers(2)]]
        pose[3:] = pose_of(pose[:3], turn(axis, np.pi / 4) @ mat.reshape(3, 3))[3:]
    return poses


def close_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Turned at random, then moved along the shortest way to a small overlap, or to a gap within the margin."""
    rng, poses = np.random.default_rng(seed), pair.poses(n, seed, 1.0)
    ends = np.zeros(6)
    for pose in poses:
        pair.place(pose)
        dist = mujoco.mj_geomDistance(pair.mjmodel, pair.mjdata, 0, 1, 10.0, ends)
        gap = rng.choice([0.0, 1e-9, -1e-9, 1e-4, -1e-4, -0.01, -0.03, pair.margin * rng.random(), pair.margin])
        pose[:3] += (ends[3:] - ends[:3]) / (dist or 1.0) * (gap - dist)
    return poses


def mixed_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Apart and deep at random, nearly touching, face on face, and edge on face."""
    kinds = (lambda *a: pair.poses(*a[1:], 0.8), close_poses, facing_poses, edge_poses)
    return np.vstack([make(pair, n // len(kinds), seed) for make in kinds])


def special_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Centers that coincide, faces that touch or are exactly parallel, tilts down to rounding, and ordinary overlap."""
    rng, poses = np.random.default_rng(seed), []
    half1, half2 = pair.mjmodel.geom_aabb[:, 3:]
    for _ in range(n):
        kind = rng.integers(5)
        mat = signed_axes(rng) if kind < 3 else turn(rng.normal(size=3), rng.uniform(0, np.pi))
        if kind == 2:
            mat = turn(rng.normal(size=3), 10.0 ** rng.uniform(-12, -2)) @ mat
        parts = rng.choice([0.0, 0.0, 0.5, 1.0, -1.0, -0.5, 0.999999, 1.0 - 1e-9, 1e-9, -1e-12], 3)
        if kind == 4:
            parts = 0.4 * rng.normal(size=3)
        poses.append(pose_of(parts * (half1 + np.abs(mat) @ half2), mat))
    return np.array(poses)


# --- one contact: depth and normal


def is_same(pair: ConvexPair, a: tuple, b: tuple) -> bool:
    """Depth and normal are those of MuJoCo."""
    depth, turned = (1e-9, 1e-9) if pair.are_polytopes and not pair.margin else (1e-6 * pair.size, 1e-6)
    return bool(abs(a[0] - b[0]) <= depth and np.abs(a[2] - b[2][:3]).max() <= turned)


def is_proven(pair: ConvexPair, shapes: tuple[Shape, Shape], ours: list, theirs: list) -> bool:
    """One contact whose gap is below the tolerance, and MuJoCo's normal, if there is one, does not overlap less.

    It is on both shapes, unless it is not deeper than the tolerance: then the last face need not be near.
    """
    rounding = 1e-15 * pair.reach
    if len(ours) != 1 or not (is_placed(shapes, ours[0], pair.margin, rounding) or abs(ours[0][0]) <= SEARCH):
        return False
    (contact,) = ours
    known = min(overlap_of(shapes, other) for other in ours + theirs)
    depth = overlap_of(shapes, contact)
    return depth <= min(known, -contact[0]) + SEARCH + rounding


def judge(pair: ConvexPair, shapes: tuple[Shape, Shape], pose: np.ndarray, ours: list, theirs: list) -> str:
    """What one contact, or none, has in common with MuJoCo's; an error if it is neither the same nor as good."""
    if not ours:
        if theirs:  # to the tolerance, there is nothing to report
            known = np.array([contact[2][:3] for contact in theirs])
            assert searched_depth(*shapes, known) + pair.margin <= SEARCH, pose
        return "touching" if theirs else "apart"
    assert abs(np.linalg.norm(ours[0][2]) - 1.0) < 1e-12
    assert gap_of(shapes, ours[0]) >= -ROUNDING * max(1.0, pair.reach), pose
    if theirs and is_same(pair, ours[0], theirs[0]):
        is_there = np.abs(ours[0][1] - theirs[0][1]).max() <= 1e-6 * pair.size
        return "same" if is_there or is_placed(shapes, ours[0], pair.margin, 1e-15 * pair.reach) else "beside"
    if is_proven(pair, shapes, ours, theirs):
        return "proven"
    (patient,) = pair.with_more_steps.ours(pose[None])
    if is_proven(pair, shapes, patient, theirs):
        return "unfinished"
    # round shapes around the same center or axis, and corners that a margin makes round, overlap alike in many
    # directions: no number of steps finds the best
    gap, other = gap_of(shapes, ours[0]), gap_of(shapes, theirs[0])
    assert other > SEARCH, pose
    assert gap_of(shapes, patient[0]) < gap, pose
    assert -gap <= theirs[0][0] - ours[0][0] <= other, pose
    return "open"


#: Searches that end unfinished where MuJoCo's does not, of all poses in contact: measured, and not to grow.
UNFINISHED = 0.002


def check_depth(names: tuple[str, str], margin: float, n: int, seed: int) -> Counter:
    pair = pair_of(names, margin, single=True)
    shapes, poses = shapes_of(pair), mixed_poses(pair, n, seed)
    counter = Counter(
        judge(pair, shapes, pose, ours, pair.mujoco(pose)) for pose, ours in zip(poses, pair.ours(poses), strict=True)
    )
    assert counter["same"] > n / 5
    assert margin or not counter["open"]
    assert counter["unfinished"] + counter["open"] <= 1 + UNFINISHED * (counter.total() - counter["apart"])
    return counter


def check_beside(counter: Counter, is_known: bool) -> None:
    assert bool(counter["beside"]) == is_known, counter
    if is_known:
        share = f"{counter['beside']} of {counter.total()} poses"
        pytest.xfail(f"GAP: right depth and normal, but a place beside parallel shapes, {share}")


#: Of these a few of 2000 places are beside one of the shapes: where faces or edges are parallel, the last face of the
#: search may be too narrow to hold the point that it is asked for, in MuJoCo as well.
BESIDE_PAIRS = {
    "cylinder-box", "cylinder-dodecahedron", "cylinder-part", "box-cube", "box-plate", "box-part",
    "cube-dodecahedron", "cube-part",
}  # fmt: skip


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_depth_and_normal_are_those_of_mujoco(names, margin):
    check_beside(check_depth(names, margin, 100, 1), False)


@pytest.mark.conformance
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_depth_and_normal_are_those_of_mujoco_in_many_poses(names, margin, record):
    counter = check_depth(names, margin, 2000, 2)
    shares = {verdict: counter[verdict] / counter.total() for verdict in ("proven", "touching", "unfinished", "open")}
    record(f"{'-'.join(names)}, margin {margin}", "share of depths proven, not MuJoCo's", shares)
    check_beside(counter, "-".join(names) in BESIDE_PAIRS and not margin)


@pytest.mark.parametrize("names", [("ellipsoid", "cylinder"), ("cylinder", "hull"), ("dodecahedron", "dodecahedron")])
def test_no_direction_overlaps_less(names):
    """The depth is the overlap along the normal, and a search finds no direction with less."""
    pair = pair_of(names, 0.0, single=True).with_more_steps
    first, second = shapes_of(pair)
    poses = pair.poses(40, 5, 0.7)
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        pair.place(pose)
        depth = -ours[0][0] if ours else 0.0
        assert searched_depth(first, second, DIRECTIONS[:1]) > depth - SEARCH or not ours
        if ours:
            assert overlap_along(first, second, ours[0][2][None])[0] < depth + SEARCH
        else:
            assert searched_depth(first, second, DIRECTIONS[:1]) < SEARCH


@pytest.mark.xfail(strict=True, reason="GAP: here 35 steps are enough for MuJoCo, not for ours: depth off by 6e-5 m")
def test_a_search_needs_no_more_steps_than_that_of_mujoco():
    pair = pair_of(("dodecahedron", "dodecahedron"), 0.02, single=True)
    shapes = shapes_of(pair)
    pose = pair.poses(400, 2, 0.8)[233]
    (ours,), theirs = pair.ours(pose[None]), pair.mujoco(pose)
    assert gap_of(shapes, ours[0]) <= max(SEARCH, gap_of(shapes, theirs[0]))


# --- all contacts

#: Faces look at each other, and edges lie along faces, up to an angle: so far beside the other face, in distances, may
#: the end of a contact be that was dropped on it.
SLANT = np.sqrt(1.0 - ALIGNED**2) / ALIGNED


def are_same(ours: list, theirs: list, tolerance: float, turned: float) -> bool:
    """The same contacts, in any order."""
    return len(ours) == len(theirs) and all(
        any(
            abs(a[0] - b[0]) <= tolerance
            and np.abs(a[1] - b[1]).max() <= tolerance
            and np.abs(a[2][:3] - b[2][:3]).max() <= turned
            for b in theirs
        )
        for a in ours
    )


def check_place(pair: ConvexPair, shapes: tuple[Shape, Shape], ours: list) -> None:
    """Each of several contacts stands for points of both shapes, none deeper than the shapes overlap.

    One of them exactly, up to what polygons of a mesh are not flat; the other beside it by the slant of two faces. The
    line of a capsule goes through the nearest point, and with a margin it is moved out along the way to that point and
    back along the normal of the face, half a margin each.
    """
    rounding = ROUNDING + sum(shape.flatness for shape in shapes)
    slack = SEARCH + (pair.margin if GeomType.CAPSULE in pair.mjmodel.geom_type else 0.0)
    depth = overlap_of(shapes, ours[0])
    for contact in ours:
        near, far = sorted(shape.outside(end) for shape, end in zip(shapes, ends_of(contact), strict=True))
        assert near <= rounding
        assert far <= SLANT * abs(contact[0]) + slack + rounding
        assert -contact[0] <= depth + rounding


def is_tie(pair: ConvexPair, pose: np.ndarray, ours: list, theirs: list) -> bool:
    """Does MuJoCo have our contacts at a neighboring pose, or do we have MuJoCo's?"""

    def are_near(one: list, other: list, size: float) -> bool:
        return are_same(one, other, 1e-6 * pair.size + 10.0 * size, 1e-6 + 10.0 * size)

    near = list(neighbors(pose))
    found = any(are_near(ours, pair.mujoco(other), size) for size, other in near)
    return found or any(
        are_near(theirs, mine, size)
        for (size, _), mine in zip(near, pair.ours(np.array([other for _, other in near])), strict=True)
    )


def are_on_one_line(ours: list, theirs: list, tolerance: float) -> bool:
    """Do two contacts lie on the line of two others, along the same normal? They may end elsewhere: where it is cut."""
    if not len(ours) == 2 == len(theirs) or np.abs(ours[0][2] - theirs[0][2][:3]).max() > 1e-6:
        return False
    start, end = (contact[1] for contact in theirs)
    along = (end - start) / max(np.linalg.norm(end - start), 1e-12)
    return all(np.linalg.norm(np.cross(contact[1] - start, along)) <= tolerance for contact in ours)


def explain(pair: ConvexPair, shapes: tuple[Shape, Shape], pose: np.ndarray, ours: list, theirs: list) -> str:
    """Why a set of contacts is not that of MuJoCo.

    - line: the two ends of a line on the side of a cylinder, which starts at a vertex of the last face of the search.
      Between two vertices the side bulges out by less than the tolerance t, so they are less than 2 sqrt(2 t r) apart;
      each of the two searches may end so far from the best line.
    - grazing: shapes that touch, or reach the margin, to the tolerance: in no certain direction.
    - deepest: ours are along the least overlap that is known and reach its depth; MuJoCo's are not or do not.
    - tie: rounding decides which corners, or which of several edges and faces.
    - unfinished: with more steps they are the same, or ours are the deepest.
    """
    radius = pair.mjmodel.geom_size[pair.mjmodel.geom_type == GeomType.CYLINDER, 0].max(initial=0.0)
    if are_on_one_line(ours, theirs, 4.0 * np.sqrt(2.0 * SEARCH * radius)):
        return "line"
    single = pair.with_one_contact
    known = ours + theirs + single.ours(pose[None])[0] + single.mujoco(pose)
    depth = searched_depth(*shapes, np.array([contact[2][:3] for contact in known]))
    if min(abs(depth), abs(depth + pair.margin)) <= 2.0 * SEARCH:
        return "grazing"
    if is_deepest(shapes, ours, depth):
        return "deepest"
    if is_tie(pair, pose, ours, theirs):
        return "tie"
    patient = pair.with_more_steps
    (more,) = patient.ours(pose[None])
    if are_same(more, patient.mujoco(pose), 1e-6 * pair.size, 1e-6) or is_deepest(shapes, more, depth):
        return "unfinished"
    return "unexplained"


def is_deepest(shapes: tuple[Shape, Shape], contacts: list, depth: float) -> bool:
    """Do contacts have a normal of the least overlap, and its depth?"""
    return (
        bool(contacts)
        and overlap_of(shapes, contacts[0]) <= depth + SEARCH
        and -min(contact[0] for contact in contacts) >= depth - SEARCH
    )


#: Sets that are not MuJoCo's, of all poses in contact, whatever the reason: measured, and not to grow.
OTHER, OTHER_CYLINDERS, GRAZING = 0.02, 0.06, 0.15


def check_contacts(names: tuple[str, str], n: int, seed: int) -> Counter:
    """Compare contacts without and with a margin; returns how often they differ, and why."""
    counter: Counter = Counter()
    for margin in (0.0, 0.02):
        pair = pair_of(names, margin)
        shapes, poses = shapes_of(pair), mixed_poses(pair, n // 2, seed)
        for pose, ours in zip(poses, pair.ours(poses), strict=True):
            theirs = pair.mujoco(pose)
            assert all(contact[0] <= margin and abs(np.linalg.norm(contact[2]) - 1.0) < 1e-9 for contact in ours)
            counter["touching"] += bool(ours or theirs)
            if max(len(ours), len(theirs)) < 2:
                continue  # as in `check_depth`
            counter["sets"] += 1
            if len(ours) > 1:
                check_place(pair, shapes, ours)
            if not are_same(ours, theirs, 1e-6 * pair.size, 1e-6):
                counter[explain(pair, shapes, pose, ours, theirs)] += 1
                pair.place(pose)
    assert counter["unfinished"] <= 1 + UNFINISHED * counter["touching"]
    assert counter["grazing"] <= 1 + GRAZING * counter["touching"]
    others = sum(counter[reason] for reason in ("deepest", "tie", "unexplained"))
    assert others <= 1 + (OTHER_CYLINDERS if "cylinder" in names else OTHER) * counter["touching"], counter
    return counter


@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_contacts_are_those_of_mujoco(names):
    assert not check_contacts(names, 300, 3)["unexplained"]


@pytest.mark.conformance
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_contacts_are_those_of_mujoco_in_many_poses(names, record):
    counter = check_contacts(names, 2400, 4)
    shares = {
        reason: count / counter["sets"] for reason, count in counter.items() if reason not in ("sets", "touching")
    }
    record("-".join(names), "share of contact sets that are not MuJoCo's", shares or {"none": 0.0})
    assert not counter["unexplained"], counter


def test_parallel_faces_make_four_contacts():
    pair = pair_of(("box", "cube"), 0.0)
    (ours,) = pair.ours(np.array([[0.05, 0.1, 0.59, 1, 0, 0, 0]]))
    assert len(ours) == 4
    np.testing.assert_allclose([contact[0] for contact in ours], -0.01, atol=1e-7)
    corners = {(round(x, 6), round(y, 6)) for _, (x, y, _), _ in ours}
    assert corners == {(-0.05, -0.1), (-0.05, 0.2), (0.1, -0.1), (0.1, 0.2)}


def test_capsule_on_a_face_makes_two_contacts():
    pair = pair_of(("capsule", "cube"), 0.0)
    (ours,) = pair.ours(np.array([[0.19, 0.0, 0.0, 1, 0, 0, 0]]))
    np.testing.assert_allclose([contact[0] for contact in ours], [-0.01, -0.01], atol=1e-7)
    np.testing.assert_allclose(sorted(contact[1][2] for contact in ours), [-0.2, 0.2], atol=1e-7)


# --- odd input

TYPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
ANALYTIC = {("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"),
            ("capsule", "capsule"), ("capsule", "box"), ("box", "box")}  # fmt: skip
ODD = sorted({*itertools.combinations_with_replacement(TYPES, 2)} - ANALYTIC)


def way_between(pair: Pair) -> np.ndarray:
    """The direction in which MuJoCo says that two geoms are apart."""
    ends = np.zeros(6)
    mujoco.mj_geomDistance(pair.mjmodel, pair.mjdata, 0, 1, 1e3, ends)
    way = ends[3:] - ends[:3]
    return way / np.linalg.norm(way) if way.any() else np.array([1.0, 0.0, 0.0])


#: A plate or needle deep in a cube a thousand times as large: the last face of the search is too narrow to tell where.
BESIDE = {("cylinder", "mesh"), ("mesh", "mesh")}


@pytest.mark.parametrize("names", ODD, ids=["-".join(pair) for pair in ODD])
def test_odd_shapes_in_odd_poses(names):
    """No NaN, no overlap missed, no depth that an obvious direction would undercut."""
    variants = [[geom(name, k) for k in range(len(SIZES[name]))] if name in SIZES else [geom(n) for n in MESHES]
                for name in names]  # fmt: skip
    counter: Counter = Counter()
    for seed, (one, two) in enumerate(itertools.product(*variants)):
        pair = ConvexPair(one, two, 0.0, single=True)
        first, second = shapes_of(pair)
        poses = special_poses(pair, 6, seed)
        for pose, ours in zip(poses, pair.ours(poses), strict=True):
            theirs = pair.mujoco(pose)
            known = np.array([contact[2][:3] for contact in ours + theirs] or [way_between(pair)])
            axes = [sign * pair.mjdata.geom_xmat[k].reshape(3, 3).T for k in (0, 1) for sign in (-1, 1)]
            quick = overlap_along(first, second, np.vstack([DIRECTIONS[:300], *axes, known])).min()
            if not ours:
                assert quick <= SEARCH or searched_depth(first, second, known) <= SEARCH
                continue
            assert np.isfinite(np.hstack(ours[0])).all()
            assert -ours[0][0] <= quick + SEARCH
            counter[judge(pair, (first, second), pose, ours, theirs)] += 1
    check_beside(counter, names in BESIDE)


@pytest.mark.parametrize("names", [*itertools.product([*SIZES, "cube", "hull"], WITHOUT_HULL)])
def test_a_mesh_without_a_hull_has_one_contact(names):
    for margin in (0.0, 0.02):
        pair = pair_of(names, margin)
        make_collide(pair)
        assert pair.mjmodel.mesh_graphadr[pair.mjmodel.geom_dataid[1]] == -1
        poses = np.vstack([pair.poses(60, 1, 0.8), facing_poses(pair, 60, 2)])
        shapes, all_ours = shapes_of(pair), pair.ours(poses)
        verdicts = {
            judge(pair, shapes, pose, ours, pair.mujoco(pose)) for pose, ours in zip(poses, all_ours, strict=True)
        }
        assert max(len(ours) for ours in all_ours) == 1
        assert "same" in verdicts


def scaled(name: str, scale: float) -> str:
    """A geom of any size; meshes come in three sizes."""
    sizes = {"sphere": (1,), "capsule": (1, 2), "ellipsoid": (1, 2, 3), "cylinder": (1, 2), "box": (1, 2, 3)}
    if name in sizes:
        return f'<geom type="{name}" size="{" ".join(str(scale * x) for x in sizes[name])}" mass="1"/>'
    return geom("tiny" if scale < 1.0 else "cube" if scale == 1.0 else "vast")


@pytest.mark.parametrize("scales", [(1e-5, 1e-5), (1.0, 1.0), (1e4, 1e4), (1e-5, 1e4), (1.0, 1e4)])
@pytest.mark.parametrize("names", ODD, ids=["-".join(pair) for pair in ODD])
def test_coincident_centers_at_any_size(names, scales):
    pair = ConvexPair(scaled(names[0], scales[0]), scaled(names[1], scales[1]))
    rng = np.random.default_rng(0)
    mats = [np.eye(3), *(signed_axes(rng) for _ in range(6)), turn(np.array([1.0, 2.0, 3.0]), 1.0)]
    for contacts in pair.ours(np.array([pose_of(np.zeros(3), mat) for mat in mats])):
        assert contacts
        for dist, pos, normal in contacts:
            assert np.isfinite(pos).all()
            assert -6e4 < dist <= 0.0
            assert abs(np.linalg.norm(normal) - 1.0) < 1e-9


def test_input_that_is_no_number_makes_no_contact():
    for names in (("ellipsoid", "cylinder"), ("box", "hull"), ("capsule", "big")):
        pair = pair_of(names, 0.0)
        d = pair.store(NumberType("float64"))
        for name in ("geom_xpos", "geom_xmat"):
            d.arrays[name][...] = np.nan
        count, margin = np.zeros(1, np.int64), np.zeros(1)
        native = pair.native(NumberType("float64"))
        native(pair.model.store_for("float64").address, d.address, margin.ctypes.data, 0, count.ctypes.data)
        assert count[0] == 0


@pytest.mark.parametrize("iterations", [1, 5, 1000])
def test_any_number_of_iterations_is_safe(iterations):
    for names in (("ellipsoid", "ellipsoid"), ("hull", "big")):
        pair = pair_of(names, 0.0)
        pair.mjmodel.opt.ccd_iterations = iterations
        pair.model = phalanx.Model.from_mujoco(pair.mjmodel)
        for ours in pair.ours(pair.poses(100, 7, 0.6)):
            assert all(np.isfinite(np.hstack(contact)).all() for contact in ours)


# --- all ways of running


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_interpreted_and_compiled_are_equal_bit_by_bit(names, margin):
    compiled, filed = pair_of(names, margin), Pair(geom(names[0]), geom(names[1]), margin, ASSETS)
    poses = np.vstack([compiled.poses(1, 8, 0.6), facing_poses(compiled, 2, 8)])
    for pose, ours in zip(poses, compiled.ours(poses), strict=True):
        assert same_bits(filed.interpreted(pose), ours)


def test_worlds_of_a_lane_and_single_precision():
    pair = pair_of(("cylinder", "hull"), 0.0)
    poses = pair.poses(40, 9, 0.6)
    double = pair.ours(poses)
    assert all(same_bits(a, b) for a, b in zip(double, pair.ours(poses, "float64", 8), strict=True))
    for a, b in zip(double, pair.ours(poses, "float32", 1), strict=True):
        assert len(a) == len(b)
        assert all(min(abs(x[0] - y[0]) for y in b) < 1e-5 for x in a)


# --- distances


def distance_of(pair: Pair, pose: np.ndarray, distmax: float) -> tuple[float, Any]:
    d = pair.store(NumberType("float64"))
    pair.place(pose)
    for name in ("geom_xpos", "geom_xmat"):
        d.arrays[name][...] = getattr(pair.mjdata, name)
    m, view = PlainView(pair.model._store), PlainView(d)
    kinds = [int(k) for k in pair.mjmodel.geom_type]
    with np.errstate(all="ignore"):
        dist = convex_distance(m, view, kinds[0], load_geom(m, view, 0), kinds[1], load_geom(m, view, 1), distmax)
    return float(dist), d.arrays


@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_distance_is_that_of_mujoco(names):
    pair = pair_of(names, 0.0)
    shapes, smooth = shapes_of(pair), not set(names) <= POLYTOPES
    for pose in pair.poses(25, 10, 1.3):
        ends = np.zeros(6)
        pair.place(pose)
        theirs = mujoco.mj_geomDistance(pair.mjmodel, pair.mjdata, 0, 1, 0.5, ends)
        ours, arrays = distance_of(pair, pose, 0.5)
        assert abs(ours - theirs) < (1e-9 if theirs > 0.0 else 1e-6 if smooth else 1e-12)
        if 0.0 < ours < 0.5:
            gap = arrays["convex_x2"] - arrays["convex_x1"]
            assert abs(np.linalg.norm(gap) - ours) < 1e-9
            np.testing.assert_allclose(arrays["convex_normal"], gap / ours, atol=1e-6)
            middle = 0.5 * (arrays["convex_x1"] + arrays["convex_x2"])
            found = (ours, middle, arrays["convex_normal"])
            assert gap_of(shapes, found) <= SEARCH and is_placed(shapes, found)
        if ours < 0.0:
            gap = arrays["convex_x1"] - arrays["convex_x2"]
            assert abs(np.linalg.norm(gap) + ours) < 1e-6


def test_distance_beyond_the_limit_is_the_limit():
    pair = pair_of(("ellipsoid", "cylinder"), 0.0)
    assert distance_of(pair, np.array([3.0, 0, 0, 1, 0, 0, 0]), 0.5)[0] == 0.5
