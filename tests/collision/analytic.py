"""Poses and checks that all analytic colliders share."""

from __future__ import annotations

import itertools
import random
from functools import cache

import mujoco
import numpy as np
from hypothesis import strategies as st

from phalanx.algebra.number_type import NumberType
from phalanx.memory.store import Store
from tests.collision.harness import Pair, same_bits

TOLERANCE = 1e-12
#: Distances at which surfaces are put, times the size of the smaller geom.
GAPS = (0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3, 0.05, -0.05, -0.5)
#: Angles by which aligned geoms are tilted.
TILTS = (0.0, 0.0, 1e-16, 1e-15, 1e-12, 1e-9, 1e-6, 9.9e-5, 1.01e-4, 1e-3, 0.1)


# --- poses


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, a, b)
    return out


def stand(pair: Pair, seed: int) -> Pair:
    """Put the first geom somewhere; seed 0 leaves it at the origin."""
    rng = np.random.default_rng(seed)
    if seed:
        pair.mjdata.mocap_pos[0] = rng.normal(size=3)
        pair.mjdata.mocap_quat[0] = rng.normal(size=4)
        pair.mjdata.mocap_quat[0] /= np.linalg.norm(pair.mjdata.mocap_quat[0])
    return pair


def relative_to_first(pair: Pair, poses: np.ndarray) -> np.ndarray:
    """Poses relative to the first body, in the world."""
    out = np.empty_like(poses)
    for k, pose in enumerate(poses):
        mujoco.mju_rotVecQuat(out[k, :3], pose[:3], pair.mjdata.mocap_quat[0])
        out[k, :3] += pair.mjdata.mocap_pos[0]
        out[k, 3:] = product(pair.mjdata.mocap_quat[0], pose[3:])
    return out


def cube_rotations() -> list[np.ndarray]:
    """The 24 rotations that take axes to axes."""
    identity, half = np.array([1.0, 0, 0, 0]), np.sqrt(0.5)
    quarters = [identity, *(np.array([half, *half * axis]) for axis in np.eye(3))]
    found: list[np.ndarray] = []
    for turns in itertools.product(quarters, repeat=4):
        q = product(product(turns[0], turns[1]), product(turns[2], turns[3]))
        if not any(abs(q @ p) > 1 - 1e-9 for p in found):
            found.append(q)
    return found


CUBE = cube_rotations()


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def extents(pair: Pair, geom: int) -> list[float]:
    """Lengths from the center of a geom to what is on its axes."""
    size = pair.mjmodel.geom_size[geom]
    if pair.mjmodel.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE:
        return [0.0]
    return [*size[size > 0], size[0] + size[1]]


def aligned_pose(pair: Pair, rng: np.random.Generator) -> np.ndarray:
    """Axes along axes or almost, and the center at sums of sizes: faces, edges and ends meet exactly."""
    a, b = extents(pair, 0), extents(pair, 1)
    offsets = [0.0, 0.0, *a, *b, *(x + y for x in a for y in b), *(x + y + pair.margin for x in a for y in b)]
    pos = rng.choice(offsets, 3) * rng.choice((-1, 1), 3)
    if rng.random() < 0.3:
        pos[rng.integers(3)] *= rng.uniform(0, 1)
    angle, axis = rng.choice(TILTS), rng.normal(size=3)
    tilt = np.hstack([np.cos(angle / 2), np.sin(angle / 2) * axis / np.linalg.norm(axis)])
    if rng.random() < 0.2:
        tilt = CUBE[rng.integers(24)] + CUBE[rng.integers(24)]  # 45 and 60 degrees between axes
        if tilt @ tilt < 0.1:
            tilt = np.array([1.0, 0, 0, 0])
    quat = product(CUBE[rng.integers(24)], tilt)
    return np.hstack([pos, quat / np.linalg.norm(quat)])


def touching_pose(pair: Pair, pose: np.ndarray, gap: float) -> np.ndarray:
    """The second geom moved along the normal until the surfaces are `gap` apart. Pose in the world."""
    pose, ends = pose.copy(), np.zeros(6)
    for _ in range(3):
        pair.place(pose)
        dist = mujoco.mj_geomDistance(pair.mjmodel, pair.mjdata, 0, 1, 1e3, ends)
        direction = ends[3:] - ends[:3]
        if dist == 0 or not direction.any():
            break
        pose[:3] += np.sign(dist) * direction / np.linalg.norm(direction) * (gap - dist)
    return pose


def sweep(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Poses of all kinds, in the world: anywhere, at given distances, aligned, concentric."""
    rng = np.random.default_rng(seed)
    flat = pair.mjmodel.geom_type[0] == mujoco.mjtGeom.mjGEOM_PLANE
    poses = relative_to_first(pair, pair.poses(n, seed, spread=0.7 if flat else 1.0))
    scale = min(s for g in (0, 1) for s in [x for x in extents(pair, g) if x > 0] or [1.0])
    for k in range(n):
        kind = k % 4
        if kind == 1:
            poses[k] = touching_pose(pair, poses[k], rng.choice([0.0, pair.margin]) + rng.choice(GAPS) * scale)
        elif kind == 2:
            poses[k] = relative_to_first(pair, aligned_pose(pair, rng)[None])[0]
        elif kind == 3 and k % 8 == 3:
            pose = np.hstack([np.zeros(3), CUBE[rng.integers(24)] if rng.random() < 0.5 else random_quaternion(rng)])
            pose[:3] = rng.normal(size=3) * rng.choice([0.0, 0.0, 1e-17, 1e-15, 1e-12, 1e-8]) * scale
            poses[k] = relative_to_first(pair, pose[None])[0]
        elif kind == 3:
            poses[k] = touching_pose(pair, relative_to_first(pair, aligned_pose(pair, rng)[None])[0], pair.margin)
    return poses


# --- checks


def bounding_spheres_apart(pair: Pair) -> bool:
    """MuJoCo's filter before any collider, for the pose that was placed last: rounding may drop a contact there."""
    pos, bound = pair.mjdata.geom_xpos, pair.mjmodel.geom_rbound
    apart = pos[1] - pos[0]
    if bound[0] == 0:
        x, y, z = pair.mjdata.geom_xmat[0, 2::3]
        return apart[0] * x + apart[1] * y + apart[2] * z > pair.margin + bound[1]
    reach = bound[0] + bound[1] + pair.margin
    return apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] > reach * reach


def error(ours: list[tuple], theirs: list[tuple]) -> float:
    """Largest difference of dist, pos and normal; infinite if the numbers of contacts differ."""
    if len(ours) != len(theirs):
        return np.inf
    return max((np.abs(np.hstack(a) - np.hstack(b)[:7]).max() for a, b in zip(ours, theirs, strict=True)), default=0.0)


def differences(pair: Pair, poses: np.ndarray, tolerance: float = TOLERANCE) -> list[str]:
    """What is not the same as in MuJoCo, or not in all ways of running."""
    found = []
    ours, lanes = pair.ours(poses), pair.ours(poses, "float64", 8)
    for k, pose in enumerate(poses):
        mine, theirs = ours[k], pair.mujoco(pose)
        if bounding_spheres_apart(pair):
            assert not theirs
            rounding = 1e-15 * (pair.mjmodel.geom_rbound.sum() + np.abs(pair.mjdata.geom_xpos).max() + 1)
            mine = [c for c in mine if c[0] < pair.margin - rounding]
        if error(mine, theirs) > tolerance:
            found.append(f"{list(pose)}: {mine} but MuJoCo {[(c[0], c[1], c[2][:3]) for c in theirs]}")
        if not same_bits(ours[k], lanes[k]):
            found.append(f"{list(pose)}: {ours[k]} but lanes {lanes[k]}")
        if k % 16 == 0 and not same_bits(ours[k], pair.interpreted(pose)):
            found.append(f"{list(pose)}: {ours[k]} but interpreted {pair.interpreted(pose)}")
    return found


def geom(kind: str, size: str) -> str:
    return f'<geom type="{kind}" size="{size}"/>'


def check_sweep(first: str, second: str, total: int) -> None:
    """Poses of all kinds, shared among sizes of the two types, with and without margin; at least 40 of each."""
    kinds = list(itertools.product(SIZES[first], SIZES[second], (0.0, 0.03)))
    kinds = random.Random(2).sample(kinds, min(len(kinds), total // 40))
    n = -(-total // len(kinds))
    for k, (a, b, margin) in enumerate(kinds):
        pair = stand(Pair(geom(first, a), geom(second, b), margin), k % 3)
        found = differences(pair, sweep(pair, n, total + k))
        assert not found, f"{first} {a}, {second} {b}, margin {margin}: {len(found)} of {n}\n" + "\n".join(found[:3])


@cache
def one_world_store(pair: Pair) -> Store:
    return pair.store(NumberType("float64"))


def run_raw(pair: Pair, pose: np.ndarray) -> dict[str, np.ndarray]:
    """All arrays of a Data after the compiled collider has run, one world."""
    number = NumberType("float64")
    d, margin, count = one_world_store(pair), np.array([pair.margin]), np.zeros(1, np.int64)
    pair.place(pose)
    for name in ("geom_xpos", "geom_xmat"):
        d.arrays[name][...] = getattr(pair.mjdata, name)
    model = pair.model.store_for("float64")
    pair.native(number)(model.address, d.address, margin.ctypes.data, 0, count.ctypes.data)
    return {**d.arrays, "count": count}


def check_slots(pair: Pair, n: int = 200) -> None:
    """Contacts come first, and what is no contact is far beyond the margin: slots fill from 0."""
    patterns = set()
    for pose in sweep(pair, n, 7):
        arrays = run_raw(pair, pose)
        dist = arrays["near_dist"][: arrays["count"][0]]
        is_contact = dist <= pair.margin
        assert len(dist) == pair.row.max_contacts
        assert not (is_contact[1:] & ~is_contact[:-1]).any()
        patterns.add(int(is_contact.sum()))
    assert len(patterns) > 1


def check_motion(pair: Pair, seed: int) -> None:
    """Both geoms moved as one: the contacts move along."""
    rng = np.random.default_rng(seed)
    poses = pair.poses(16, seed, spread=0.8)
    pair.mjdata.mocap_pos[0], pair.mjdata.mocap_quat[0] = 0, (1, 0, 0, 0)
    before = pair.ours(poses, "float64", 8)
    pair.mjdata.mocap_pos[0], pair.mjdata.mocap_quat[0] = rng.normal(size=3) * 3, random_quaternion(rng)
    after = pair.ours(relative_to_first(pair, poses), "float64", 8)
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, pair.mjdata.mocap_quat[0])
    turn = turn.reshape(3, 3)
    for a, b in zip(before, after, strict=True):
        moved = [(dist, turn @ pos + pair.mjdata.mocap_pos[0], turn @ normal) for dist, pos, normal in a]
        assert error(moved, b) < 1e-9


#: Coordinates at which products underflow, cancel or overflow.
COORDINATES = st.sampled_from(
    [0.0, 5e-324, 1e-170, 1e-155, 1e-30, 1e-17, 1e-15, 1e-8, 0.1, 1.0, 1e4, 1e9, 1e155, 1e300]
)
SIGNED = st.builds(lambda x, s: s * x, COORDINATES, st.sampled_from([-1.0, 1.0]))
ROTATIONS = st.one_of(
    st.sampled_from(CUBE), st.builds(lambda seed: random_quaternion(np.random.default_rng(seed)), st.integers(0, 2**32))
)
POSES = st.builds(lambda x, y, z, q: np.hstack([x, y, z, q]), SIGNED, SIGNED, SIGNED, ROTATIONS)


def check_finite(pair: Pair, poses: list[np.ndarray]) -> None:
    """Contacts at any poses are finite and have unit normals; a world that is NaN changes no other."""
    alone, together = pair.ours(np.array(poses)), pair.ours(np.array(poses), "float64", 8)
    broken = np.array([*poses[:2], np.full(7, np.nan), *poses[2:]])
    with_broken = pair.ours(broken, "float64", 8)
    assert not with_broken.pop(2)
    for a, b, c in zip(alone, together, with_broken, strict=True):
        assert same_bits(a, b)
        assert same_bits(a, c)
        for dist, pos, normal in a:
            assert np.isfinite([dist, *pos, *normal]).all()
            assert abs(np.linalg.norm(normal) - 1) < 1e-9


def check_single(pair: Pair) -> None:
    """Single precision, one world and lanes, agrees with double: nearly parallel capsules lose six bits of a pose."""
    poses = pair.poses(64, 3, spread=0.7)
    exact, one, lanes = pair.ours(poses), pair.ours(poses, "float32", 1), pair.ours(poses, "float32", 16)
    assert all(same_bits(a, b) for a, b in zip(one, lanes, strict=True))
    assert max(error(a, b) for a, b in zip(one, exact, strict=True)) < 64 * np.finfo(np.float32).eps


#: Sizes that are ordinary, thin, tiny and large.
SIZES = {
    "plane": ["1 1 1"],
    "sphere": [".2", ".001", "10"],
    "capsule": [".1 .2", ".01 .5", ".3 .001", "5 3", ".001 .0005", ".1 1e-9"],
    "ellipsoid": [".1 .2 .3", ".001 .2 .5", "5 .1 3", "1e-3 1e-4 1e-3"],
    "cylinder": [".1 .2", ".5 .002", ".002 .5", "3 5", ".001 .001"],
    "box": [".1 .2 .3", ".2 .2 .2", ".001 .3 .3", ".002 .002 1", "5 4 3", ".001 .001 .001"],
}


def ordinary(first: str, second: str, margin: float = 0.03) -> Pair:
    """A pair of ordinary sizes."""
    return Pair(geom(first, SIZES[first][0]), geom(second, SIZES[second][0]), margin)


@cache
def shared(first: str, second: str) -> Pair:
    """A pair for many short runs."""
    return ordinary(first, second)
