"""Convex pairs against MuJoCo, and against measures that know nothing of either.

Depth and distance are those of MuJoCo to its own tolerance (1e-6) or much better; where both shapes are polytopes, to
rounding. Where two results may differ, the test says what must hold instead:

- The normal of a smooth contact is only as good as the last face of the search, about sqrt(tolerance): it must give the
  depth that is reported (the overlap of the shapes along the normal, from their support functions).
- Sets of contacts differ where areas or alignments tie and rounding decides (corners of the regular polygon that stands
  for a cap, above all), or where the search ends at another vertex of a cylinder: every contact must then lie on the
  first shape and on the second, at the distance that is reported.

All pairs share one compiled entry; the filed colliders themselves run interpreted.
"""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.collision.convex import convex_contacts, convex_distance
from phalanx.collision.support import TYPE
from phalanx.model.store import PlainView
from phalanx.tables.enums import GeomType
from tests.collision.harness import Pair, load_geom, one_world_geom, same_bits

MULTICCD = int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
MENAGERIE = Path("/work/shared/models/menagerie/robotiq_2f85/assets/coupler.stl")

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
if MENAGERIE.exists():
    ASSETS += f'<mesh name="part" file="{MENAGERIE}" scale=".005 .005 .005"/>'
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


# --- measures that know nothing of the algorithm


class Shape:
    """Support function and distance from the inside of a geom, written with NumPy."""

    def __init__(self, m: Any, data: Any, k: int):
        self.data, self.k = data, k
        self.kind, self.size = GeomType(m.geom_type[k]), m.geom_size[k].copy()
        if self.kind is GeomType.MESH:
            mesh = m.geom_dataid[k]
            rows = slice(m.mesh_vertadr[mesh], m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh])
            self.points = m.mesh_vert[rows].astype(float)
            polygons = slice(m.mesh_polyadr[mesh], m.mesh_polyadr[mesh] + m.mesh_polynum[mesh])
            self.normals = m.mesh_polynormal[polygons]
            self.offsets = (self.normals @ self.points.T).max(axis=1)

    def height(self, directions: np.ndarray) -> np.ndarray:
        """How far the shape reaches along each of the directions, from the origin of the world."""
        local = directions @ self.data.geom_xmat[self.k].reshape(3, 3)
        size = self.size
        if self.kind is GeomType.SPHERE:
            reach = np.full(len(local), size[0])
        elif self.kind is GeomType.CAPSULE:
            reach = size[0] + np.abs(local[:, 2]) * size[1]
        elif self.kind is GeomType.ELLIPSOID:
            reach = np.linalg.norm(local * size, axis=1)
        elif self.kind is GeomType.CYLINDER:
            reach = size[0] * np.hypot(local[:, 0], local[:, 1]) + size[1] * np.abs(local[:, 2])
        elif self.kind is GeomType.BOX:
            reach = np.abs(local) @ size
        else:
            reach = (local @ self.points.T).max(axis=1)
        return reach + directions @ self.data.geom_xpos[self.k]

    def outside(self, point: np.ndarray) -> float:
        """An estimate of how far a point is outside, not positive inside."""
        x = (point - self.data.geom_xpos[self.k]) @ self.data.geom_xmat[self.k].reshape(3, 3)
        size = self.size
        if self.kind is GeomType.SPHERE:
            return float(np.linalg.norm(x) - size[0])
        if self.kind is GeomType.ELLIPSOID:
            return float((np.linalg.norm(x / size) - 1.0) * size.max())
        if self.kind is GeomType.CAPSULE:
            return float(np.linalg.norm(x - [0, 0, np.clip(x[2], -size[1], size[1])]) - size[0])
        if self.kind is GeomType.CYLINDER:
            return float(max(np.hypot(x[0], x[1]) - size[0], abs(x[2]) - size[1]))
        if self.kind is GeomType.BOX:
            return float((np.abs(x) - size).max())
        return float((self.normals @ x - self.offsets).max())


def shapes_of(pair: Pair) -> tuple[Shape, Shape]:
    return Shape(pair.mjmodel, pair.mjdata, 0), Shape(pair.mjmodel, pair.mjdata, 1)


def overlap_along(first: Shape, second: Shape, normals: np.ndarray) -> np.ndarray:
    """How far the second shape must move along each normal until it is free of the first."""
    return first.height(normals) + second.height(-normals)


DIRECTIONS = np.random.default_rng(1).normal(size=(2000, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)


def searched_depth(first: Shape, second: Shape, known: np.ndarray) -> float:
    """Depth of the overlap by a random search over directions: never below the truth."""
    rng = np.random.default_rng(3)
    axes = [sign * first.data.geom_xmat[k].reshape(3, 3).T for k in (0, 1) for sign in (-1, 1)]
    starts = np.vstack([DIRECTIONS, *axes, known])
    depths = overlap_along(first, second, starts)
    best = depths.min()
    for start in depths.argsort()[:5]:
        direction, depth, step = starts[start], depths[start], 0.05
        while step > 1e-9:
            trials = direction + step * rng.normal(size=(24, 3))
            trials /= np.linalg.norm(trials, axis=1, keepdims=True)
            found = overlap_along(first, second, trials)
            if found.min() < depth:
                direction, depth = trials[found.argmin()], found.min()
            else:
                step *= 0.5
        best = min(best, depth)
    return float(best)


def is_close(a: tuple, b: tuple, tolerance: float) -> bool:
    return (
        abs(a[0] - b[0]) < tolerance
        and np.abs(a[1] - b[1]).max() < tolerance
        and np.abs(a[2] - b[2][:3]).max() < 10 * tolerance
    )


def same_set(ours: list, theirs: list, tolerance: float = 1e-6) -> bool:
    return len(ours) == len(theirs) and all(any(is_close(a, b, tolerance) for b in theirs) for a in ours)


# --- one contact: depth and normal


def check_depth(names: tuple[str, str], margin: float, n: int, seed: int) -> None:
    pair = pair_of(names, margin, single=True)
    first, second = shapes_of(pair)
    exact = set(names) <= POLYTOPES
    poses = pair.poses(n, seed, 0.8)
    touching, tilted, unfinished = 0, 0, 0
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        assert len(ours) == len(theirs)
        if not ours:
            continue
        (a,), (b,) = ours, theirs
        touching += 1
        assert abs(np.linalg.norm(a[2]) - 1.0) < 1e-12
        if abs(a[0] - b[0]) > (1e-6 if not exact or margin else 1e-13) and a[0] < 0.0:
            # one of the searches ran out of steps: a depth that is too small, as the overlap along any direction shows
            unfinished += 1
            known = overlap_along(first, second, np.array([a[2], b[2][:3]])).min()
            assert max(-a[0], -b[0]) <= known + 1e-9
            (patient,) = with_more_steps(pair, pose)
            assert -patient[0] >= -b[0] - 1e-6
            continue
        if a[0] > 1e-6:  # apart, within the margin: a distance of two points, off by t^2 / 2 |x| (see `are_same`)
            assert abs(a[0] - b[0]) < 1e-9 + 1e-12 / core_distance(pair, a[0])
        if exact and not margin:
            assert is_close(a, b, 1e-9)
        tilted += np.abs(a[2] - b[2][:3]).max() > 1e-6
        # an independent measure: what the normal says is the depth; more loosely where the search ran out of steps
        said = overlap_along(first, second, a[2][None])[0]
        assert -a[0] <= said + 1e-9
        assert abs(said + a[0]) < max(2e-6, 2.0 * abs(overlap_along(first, second, b[2][None, :3])[0] + b[0]))
    assert touching > n / 4
    assert tilted <= 0.2 * touching
    assert unfinished <= 1 + 0.002 * touching


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_depth_and_normal_are_those_of_mujoco(names, margin):
    check_depth(names, margin, 100, 1)


@pytest.mark.conformance
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_depth_and_normal_are_those_of_mujoco_in_many_poses(names, margin):
    check_depth(names, margin, 2000, 2)


@pytest.mark.parametrize("names", [("ellipsoid", "cylinder"), ("cylinder", "hull"), ("dodecahedron", "dodecahedron")])
def test_no_direction_overlaps_less(names):
    """The depth is the overlap along the normal, and a search finds no direction with less."""
    pair = pair_of(names, 0.0, single=True)
    pair.mjmodel.opt.ccd_iterations = 100  # 35 are not always enough for a deep overlap of smooth shapes
    pair.model = phalanx.Model.from_mujoco(pair.mjmodel)
    first, second = shapes_of(pair)
    poses = pair.poses(40, 5, 0.7)
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        pair.place(pose)
        depth = -ours[0][0] if ours else 0.0
        assert searched_depth(first, second, DIRECTIONS[:1]) > depth - 1e-6 or not ours
        if ours:
            assert overlap_along(first, second, ours[0][2][None])[0] < depth + 2e-6
        else:
            assert searched_depth(first, second, DIRECTIONS[:1]) < 1e-6


# --- all contacts


def core_distance(pair: Pair, dist: float) -> float:
    """Distance of the shapes, of spheres and capsules without their radius."""
    round_ = (GeomType.SPHERE, GeomType.CAPSULE)
    return dist + sum(pair.mjmodel.geom_size[k, 0] for k in (0, 1) if pair.mjmodel.geom_type[k] in round_)


def are_same(pair: Pair, ours: list, theirs: list, exact: bool) -> bool:
    """The same contacts, in any order.

    Between polytopes to rounding, else to the tolerance t of the search: it ends with a point x of the difference of
    the shapes that is not farther than t from the best one, so that its direction may be off by 2 t / |x|.
    """
    if len(ours) != len(theirs):
        return False
    tolerance = 1e-9 if exact else 1e-6
    core = core_distance(pair, min((contact[0] for contact in ours), default=0.0))
    tilt = tolerance + (4e-6 / core if core > 1e-3 and not exact and len(ours) == 1 else 0.0)
    return all(
        any(
            abs(a[0] - b[0]) <= tolerance
            and np.abs(a[2] - b[2][:3]).max() <= tilt
            and (len(ours) == 1 or np.abs(a[1] - b[1]).max() <= tolerance)
            for b in theirs
        )
        for a in ours
    )


def is_on_both(first: Shape, second: Shape, contact: tuple, slack: float) -> bool:
    """Half the distance along the normal on either side are points of the shapes: one exactly, on the face or edge that
    gave the contact, the other as exactly as the faces are parallel."""
    dist, pos, normal = contact
    on_first, on_second = first.outside(pos - 0.5 * dist * normal), second.outside(pos + 0.5 * dist * normal)
    near, far = sorted((on_first, on_second))
    return near < 2e-6 and far < 0.1 * abs(dist) + 2e-6 + slack


def span(contacts: list) -> float:
    """Twice the area that four contacts enclose."""
    a, b, c, e = (np.array(contact[1]) for contact in contacts)
    return float(np.linalg.norm(np.cross(c - a, e - b)))


def with_more_steps(pair: ConvexPair, pose: np.ndarray) -> list:
    """Our contacts of a pose when the search need not end after 35 steps."""
    patient = copy.copy(pair)
    patient.mjmodel = copy.copy(pair.mjmodel)
    patient.mjmodel.opt.ccd_iterations = 400
    patient.model = phalanx.Model.from_mujoco(patient.mjmodel)
    (contacts,) = patient.ours(pose[None])
    return contacts


def is_as_good(pair: ConvexPair, shapes: tuple[Shape, Shape], ours: list, theirs: list) -> bool:
    """May a set of contacts stand for MuJoCo's, though they differ?"""
    if len(ours) == 1 == len(theirs):
        # the shapes overlap along the normal as deep as reported, and not deeper than along MuJoCo's
        said, known = (overlap_along(*shapes, np.array(c[0][2][:3])[None])[0] for c in (ours, theirs))
        return -1e-9 <= said + ours[0][0] <= max(2e-6, 2.0 * (known + theirs[0][0])) and said <= known + 2e-6
    # the line of a capsule with a margin is moved along the normal of the face, as in MuJoCo, not along its own
    slack = 0.75 * pair.margin if GeomType.CAPSULE in pair.mjmodel.geom_type else 0.0
    placed = all(is_on_both(*shapes, contact, slack) for contact in ours)
    return placed and (not len(ours) == 4 == len(theirs) or span(ours) > LEAST_SPAN * span(theirs))


def check_contacts(names: tuple[str, str], n: int, seed: int) -> Counter:
    """Compare contacts without and with a margin; returns how often something differs."""
    counter: Counter = Counter()
    for margin in (0.0, 0.02):
        pair = pair_of(names, margin)
        shapes = shapes_of(pair)
        exact = set(names) <= POLYTOPES and margin == 0.0
        poses = mixed_poses(pair, n // 2, seed)
        for pose, ours in zip(poses, pair.ours(poses), strict=True):
            theirs = pair.mujoco(pose)
            for dist, pos, normal in ours:
                assert np.isfinite(pos).all() and dist <= margin and abs(np.linalg.norm(normal) - 1.0) < 1e-9
            counter["touching"] += bool(ours or theirs)
            counter[len(ours)] += 1
            if are_same(pair, ours, theirs, exact):
                continue
            # nearer than the tolerance to touching, or to the margin: contact or none, in no certain direction
            dists = [contact[0] for contact in ours + theirs]
            if abs(min(dists)) < GRAZING or min(dists) > margin - GRAZING:
                counter["grazing"] += 1
                continue
            is_good = is_as_good(pair, shapes, ours, theirs)
            assert is_good or is_as_good(pair, shapes, with_more_steps(pair, pose), theirs), pose
            counter["unfinished"] += not is_good
            counter["count" if len(ours) != len(theirs) else "set"] += 1
    return counter


#: Of the area of MuJoCo's four contacts. Corners that coincide up to rounding may both be chosen, here or there.
LEAST_SPAN = 0.6
#: Twice the tolerance of the search.
GRAZING = 2e-6
#: Share of poses whose contacts may differ. The caps of cylinders are regular polygons: four corners are chosen by
#: area, and areas tie; and where their side touches, the last steps of the search choose the line.
DIFFERENT, DIFFERENT_CYLINDERS, OTHER_COUNT = 0.02, 0.06, 0.01


def check_shares(names: tuple[str, str], counter: Counter) -> None:
    touching = counter["touching"]
    assert counter["count"] <= 1 + OTHER_COUNT * touching
    assert counter["set"] <= 1 + (DIFFERENT_CYLINDERS if "cylinder" in names else DIFFERENT) * touching
    assert counter["unfinished"] <= 1 + 0.002 * touching
    assert counter["grazing"] <= 1 + 0.15 * touching


@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_contacts_are_those_of_mujoco(names):
    counter = check_contacts(names, 300, 3)
    assert counter["touching"] > 100
    check_shares(names, counter)


@pytest.mark.conformance
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_contacts_are_those_of_mujoco_in_many_poses(names, record):
    counter = check_contacts(names, 2400, 4)
    shares = {key: counter[key] / counter["touching"] for key in ("count", "set", "grazing")}
    record("-".join(names), "convex contacts", shares)
    check_shares(names, counter)


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


@pytest.mark.parametrize("names", ODD, ids=["-".join(pair) for pair in ODD])
def test_odd_shapes_in_odd_poses(names):
    """No NaN, no overlap missed, no depth that an obvious direction would undercut."""
    variants = [[geom(name, k) for k in range(len(SIZES[name]))] if name in SIZES else [geom(n) for n in MESHES]
                for name in names]  # fmt: skip
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
                assert quick < 1e-3 * pair.size or searched_depth(first, second, known) < 1e-3 * pair.size
                continue
            ((dist, _, normal),) = ours
            assert np.isfinite(np.hstack(ours[0])).all()
            assert abs(np.linalg.norm(normal) - 1.0) < 1e-9
            assert -dist <= quick + 1e-6 + 1e-9 * pair.size
            # the search ends when it knows the depth to the tolerance, 1e-6 whatever the size; and on a smooth shape
            # after 35 steps, in MuJoCo as well, when the normal of a deep or a grazing contact may still be rough
            rough = max((overlap_along(first, second, b[2][None, :3])[0] + b[0] for b in theirs), default=0.0)
            bound = max(0.2 * quick + 2e-3 * pair.size + 1e-6, 3.0 * rough)
            assert overlap_along(first, second, normal[None])[0] + dist < bound


@pytest.mark.parametrize("names", [*itertools.product([*SIZES, "cube", "hull"], WITHOUT_HULL)])
def test_a_mesh_without_a_hull_has_one_contact(names):
    for margin in (0.0, 0.02):
        pair = pair_of(names, margin)
        make_collide(pair)
        assert pair.mjmodel.mesh_graphadr[pair.mjmodel.geom_dataid[1]] == -1
        poses = np.vstack([pair.poses(60, 1, 0.8), facing_poses(pair, 60, 2)])
        all_ours = pair.ours(poses)
        different = sum(
            not are_same(pair, ours, pair.mujoco(pose), False) for pose, ours in zip(poses, all_ours, strict=True)
        )
        assert max(len(ours) for ours in all_ours) == 1
        assert different <= 3


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
    smooth = not set(names) <= POLYTOPES
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
            if smooth:
                np.testing.assert_allclose(arrays["convex_x1"], ends[:3], atol=1e-3)
        if ours < 0.0:
            gap = arrays["convex_x1"] - arrays["convex_x2"]
            assert abs(np.linalg.norm(gap) + ours) < 1e-6


def test_distance_beyond_the_limit_is_the_limit():
    pair = pair_of(("ellipsoid", "cylinder"), 0.0)
    assert distance_of(pair, np.array([3.0, 0, 0, 1, 0, 0, 0]), 0.5)[0] == 0.5
