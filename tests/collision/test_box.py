"""Box against box, compared with MuJoCo contact by contact: the same count, the same order, the same numbers.

Distances and positions come out bit for bit like MuJoCo's; normals to rounding, because MuJoCo normalizes them once
more when it builds the contact frame. That holds even where faces are parallel, edges cross face normals or the gap is
exactly zero and rounding decides which axis wins. One difference is on purpose: an edge contact that MuJoCo reports
beyond the margin by rounding (1e-13 of the sizes) is reported at the margin, so that the driver keeps it as well.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from phalanx.collision.pair import box  # noqa: F401
from tests.collision.harness import Pair, same_bits, same_contacts

#: Half sizes of the two boxes and the margin.
BOXES = {
    "alike": ((0.1, 0.2, 0.3), (0.15, 0.1, 0.25), 0.02),
    "cubes": ((0.1, 0.1, 0.1), (0.1, 0.1, 0.1), 0.0),
    "large and small": ((2.0, 3.0, 0.5), (0.02, 0.01, 0.03), 0.005),
    "plate and rod": ((1.0, 1.0, 0.01), (0.01, 0.01, 1.5), 0.01),
    "very large and tiny": ((100.0, 50.0, 80.0), (1e-4, 2e-4, 1e-4), 1e-5),
}


def pair_of(name: str) -> Pair:
    """Two boxes, the first in a pose of no particular direction."""
    size1, size2, margin = BOXES[name]
    geoms = [f'<geom type="box" size="{" ".join(map(repr, size))}" mass="1"/>' for size in (size1, size2)]
    pair = Pair(*geoms, margin=margin)
    if name != "cubes":
        pair.mjdata.mocap_pos[0] = 0.3, -0.2, 0.5
        pair.mjdata.mocap_quat[0] = 0.5, 0.6, -0.4, 0.2
    return pair


# --- poses of the second box in the frame of the first


def random_quat(rng: np.random.Generator) -> np.ndarray:
    quat = rng.normal(size=4)
    return quat / np.linalg.norm(quat)


def matrix_of(quat: np.ndarray) -> np.ndarray:
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat)
    return mat.reshape(3, 3)


HALF = np.sqrt(0.5)
#: The rotations of a cube: turns about one axis after the choice of that axis.
CUBE = [
    np.array(q)
    for q in {
        tuple(np.round(np.array(v) / np.linalg.norm(v), 15))
        for v in itertools.product((-1, 0, 1), repeat=4)
        if sum(map(abs, v)) in (1, 2, 4)
    }
]


def gap_of(rng: np.random.Generator, margin: float) -> float:
    """Exactly touching, nearly, in the margin, at its edge, or overlapping."""
    tiny = 10.0 ** rng.uniform(-16, -6)
    return rng.choice([0.0, tiny, -tiny, margin, margin + tiny, margin - tiny, margin / 2, -0.005, -0.02])


def reach(mat: np.ndarray, axis: np.ndarray, size: np.ndarray) -> float:
    return np.abs(axis @ mat) @ size


def scattered(rng, size1, size2, margin):
    """Anywhere near."""
    direction = rng.normal(size=3)
    distance = rng.uniform(0, 1.05) * (np.linalg.norm(size1) + np.linalg.norm(size2) + margin)
    return direction / np.linalg.norm(direction) * distance, random_quat(rng)


def separated(rng, size1, size2, margin):
    """Bounding spheres touch, boxes do not."""
    quat = random_quat(rng)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    gap = margin + rng.uniform(1e-6, 0.1)
    return axis * (np.abs(axis) @ size1 + reach(matrix_of(quat), axis, size2) + gap), quat


def deep(rng, size1, size2, margin):
    """The center of one well inside the other."""
    return rng.uniform(-0.5, 0.5, 3) * np.maximum(size1, size2.max()), random_quat(rng)


def at_face(rng, size1, size2, margin):
    """A corner at a given distance from a face of the first box."""
    quat = random_quat(rng)
    k = rng.integers(3)
    axis = np.eye(3)[k] * rng.choice([-1, 1])
    pos = axis * (size1[k] + reach(matrix_of(quat), axis, size2) + gap_of(rng, margin))
    return pos + (1 - np.abs(axis)) * rng.uniform(-1, 1, 3) * size1, quat


def at_edges(rng, size1, size2, margin):
    """Two edges at a given distance."""
    quat = random_quat(rng)
    mat = matrix_of(quat)
    i, j = rng.integers(3, size=2)
    axis = np.cross(np.eye(3)[i], mat[:, j])
    axis *= rng.choice([-1, 1]) / np.linalg.norm(axis)
    pos = axis * (np.abs(axis) @ size1 + reach(mat, axis, size2) + gap_of(rng, margin))
    # from the middles of the edges to somewhere along them
    middle1 = np.where(np.arange(3) == i, 0, np.sign(axis) * size1)
    middle2 = pos - mat @ np.where(np.arange(3) == j, 0, np.sign(axis @ mat) * size2)
    along = np.eye(3)[i] * size1[i] * rng.uniform(-1, 1) - mat[:, j] * size2[j] * rng.uniform(-1, 1)
    between = middle1 - middle2
    return pos + between - axis * (axis @ between) + along, quat


def aligned(rng, size1, size2, margin):
    """Parallel boxes, faces and edges flush with each other."""
    quat = CUBE[rng.integers(len(CUBE))]
    half = np.abs(matrix_of(quat)) @ size2
    flush = np.array([0.0, 1.0, -1.0])
    pos = rng.choice(flush, 3) * size1 + rng.choice(flush, 3) * half
    pos += rng.choice([0.0, 0.0, gap_of(rng, margin)], 3)
    return pos, quat


def nearly_aligned(rng, size1, size2, margin):
    """Parallel but for a small angle."""
    pos, quat = aligned(rng, size1, size2, margin)
    quat = quat + rng.normal(size=4) * 10.0 ** rng.uniform(-15, -1)
    return pos, quat / np.linalg.norm(quat)


def stacked(rng, size1, size2, margin):
    """One on the other, turned about the vertical by anything, 45 or 90 degrees."""
    angle = rng.choice([rng.uniform(0, 2 * np.pi), np.pi / 4, np.pi / 2, 0.0])
    pos = rng.uniform(-1, 1, 3) * (size1 + size2) * rng.choice([0.0, 1.0])
    pos[2] = size1[2] + size2[2] + gap_of(rng, margin)
    return pos, np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])


def about_an_edge(rng, size1, size2, margin):
    """Standing on an edge or a corner of the cube: two or more axes are equally good."""
    c, s = np.cos(np.pi / 8), np.sin(np.pi / 8)
    quat = np.array([(HALF, HALF, 0, 0), (c, 0, s, 0), (c, s, 0, 0)][rng.integers(3)])
    pos = np.zeros(3)
    pos[2] = size1[2] + reach(matrix_of(quat), np.eye(3)[2], size2) + gap_of(rng, margin)
    pos[:2] = rng.choice([0.0, 1.0, -1.0], 2) * size1[:2]
    return pos, quat


KINDS: dict[str, Callable] = {
    f.__name__: f
    for f in (
        scattered, separated, deep, at_face, at_edges, aligned, nearly_aligned, stacked, about_an_edge,
    )
}  # fmt: skip


def poses_of(pair: Pair, name: str, kind: str, n: int, seed: int) -> np.ndarray:
    """Poses of the second box in the world."""
    size1, size2, margin = BOXES[name]
    rng = np.random.default_rng(seed)
    frame = matrix_of(pair.mjdata.mocap_quat[0] / np.linalg.norm(pair.mjdata.mocap_quat[0]))
    poses = np.zeros((n, 7))
    for pose in poses:
        pos, quat = KINDS[kind](rng, np.array(size1), np.array(size2), margin)
        pose[:3] = pair.mjdata.mocap_pos[0] + frame @ pos
        mujoco.mju_mulQuat(pose[3:], pair.mjdata.mocap_quat[0], quat)
        pose[3:] /= np.linalg.norm(pose[3:])
    return poses


def compare(name: str, kind: str, n: int, seed: int) -> Counter:
    """Compare n poses with MuJoCo; how many have how many contacts."""
    pair = pair_of(name)
    poses = poses_of(pair, name, kind, n, seed)
    counts: Counter = Counter()
    for pose, found in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        counts[len(theirs)] += 1
        # the driver drops pairs whose bounding spheres are apart: by rounding, when corners touch
        offset = pair.mjdata.geom_xpos[1] - pair.mjdata.geom_xpos[0]
        is_near = offset @ offset <= (pair.mjmodel.geom_rbound.sum() + pair.margin) ** 2
        ours = found if is_near else []
        assert same_contacts(ours, theirs, 1e-9), f"{pose!r}: {ours} is not {theirs}"
        for (dist, pos, normal), (their_dist, their_pos, frame) in zip(ours, theirs, strict=True):
            assert dist == min(their_dist, pair.margin)
            assert (pos == their_pos).all()
            assert np.abs(normal - frame[:3]).max() < 1e-15
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_mujoco(kind: str):
    counts = sum((compare(name, kind, 14, seed=1) for name in BOXES), Counter())
    assert counts.keys() - {0} or kind == "separated"


@pytest.mark.conformance
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_mujoco_everywhere(kind: str):
    counts = sum((compare(name, kind, 1000, seed=2) for name in BOXES), Counter())
    if kind == "separated":
        assert counts.keys() == {0}
    if kind == "stacked":
        assert counts[4] and counts[8]


def test_all_ways_of_running_agree():
    """Interpreted, one world, lanes: the same bits."""
    for name in ("alike", "plate and rod"):
        pair = pair_of(name)
        poses = np.vstack([poses_of(pair, name, kind, 8, seed=3) for kind in KINDS])
        ours = pair.ours(poses)
        assert all(same_bits(a, b) for a, b in zip(ours, pair.ours(poses, "float64", 4), strict=True))
        assert all(same_bits(a, pair.interpreted(p)) for a, p in zip(ours, poses, strict=True))
        assert sum(map(len, ours)) > 50


@pytest.mark.parametrize("width", [1, 8])
def test_single_precision(width: int):
    """The same contacts as MuJoCo in double precision, to some units in the last place of a pose."""
    pair = pair_of("alike")
    poses = np.vstack([poses_of(pair, "alike", kind, 100, seed=4) for kind in ("scattered", "deep")])
    ours = pair.ours(poses, "float32", width)
    tolerance = 64 * float(np.finfo(np.float32).eps)
    assert all(same_contacts(a, pair.mujoco(p), tolerance) for a, p in zip(ours, poses, strict=True))


def test_bad_numbers_give_no_contact():
    pair = pair_of("alike")
    pose = np.array([np.nan, 0, 0, 1, 0, 0, 0])
    assert pair.interpreted(pose) == []
    assert pair.ours(pose[None]) == [[]]
