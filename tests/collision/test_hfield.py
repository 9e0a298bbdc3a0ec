"""Height fields against MuJoCo, and against a measure that knows nothing of either.

The number and the order of contacts are MuJoCo's. A contact is that of a prism. Where it is not MuJoCo's, the overlap
of prism and geom along the normal, from their support functions, is the depth that is reported, and along MuJoCo's
normal it is no less.

MuJoCo's own depth is too small for boxes and meshes without margin: its search takes two vertices of a prism for the
same one and ends before it has reached the surface (with any margin, this shortcut is off and both agree to rounding).
There it is asked with a margin too small to matter.

All types share one compiled entry; the filed colliders themselves run interpreted.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.collision.pair.hfield import hfield_contacts
from phalanx.tables.sizes import MAXCONPAIR
from tests.collision.certificates import SEARCH, Shape, ends_of
from tests.collision.harness import Pair, load_geom, one_world_geom, same_bits
from tests.collision.test_convex import ASSETS, POLYTOPES, geom

#: Rows, columns, half extents, elevation and base; cells of different proportions.
FIELDS = {
    "bumps": (9, 6, (0.6, 0.5, 0.2, 0.1)),
    "fine": (40, 25, (0.4, 0.9, 0.1, 0.05)),
    "flat": (5, 8, (0.5, 0.7, 0.2, 0.1)),
    "steps": (12, 5, (0.5, 1.0, 0.2, 0.1)),
    "coarse": (2, 2, (1.0, 0.3, 0.5, 0.01)),
}
#: A margin too small to matter, but enough to let MuJoCo search to the end.
CUT_OFF = 1e-10
GEOMS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "hull", "big")


def elevations(name: str) -> np.ndarray:
    rows, columns, _ = FIELDS[name]
    if name == "flat":
        return np.zeros((rows, columns))
    if name == "steps":
        return np.repeat((np.arange(rows) // 2 % 2)[:, None], columns, 1).astype(float)
    return np.random.default_rng(5).uniform(size=(rows, columns))


@kernel
def any_geom(m, d, margin, world):
    first, second = one_world_geom(load_geom(m, d, 0), world), one_world_geom(load_geom(m, d, 1), world)
    return hfield_contacts(m, d, first, m.geom_type[1], second, margin)


class FieldPair(Pair):
    """A height field and a geom."""

    def __init__(self, field: str, second: str, margin: float = 0.0):
        rows, columns, size = FIELDS[field]
        self.size = np.array(size)
        asset = (
            f'<hfield name="field" nrow="{rows}" ncol="{columns}" size="{" ".join(map(str, size))}" '
            f'elevation="{" ".join(map(str, elevations(field).ravel()))}"/>'
        )
        super().__init__('<geom type="hfield" hfield="field"/>', second, margin, ASSETS + asset)
        self.filed = self.run
        self.mjmodel.opt.ccd_iterations = 100  # 35 are not always enough for a deep overlap of smooth shapes
        self.model = phalanx.Model.from_mujoco(self.mjmodel)
        self.run, self.name = any_geom, "hfield"
        m = self.mjmodel
        x, y = np.linspace(-size[0], size[0], columns), np.linspace(-size[1], size[1], rows)
        z = m.hfield_data.reshape(rows, columns).astype(float) * size[2]
        points = np.stack([*np.meshgrid(x, y), z], -1)
        corners = np.stack([points[1:, :-1], points[:-1, :-1], points[1:, 1:], points[:-1, 1:]], 2)
        tops = np.stack([corners[:, :, :3], corners[:, :, 1:]], 2).reshape(-1, 3, 3)
        below = tops.copy()
        below[..., 2] = -size[3]
        self.prisms = np.concatenate([below, tops], 1)  # in the order of contacts

    def poses(self, n: int, seed: int = 0, spread: float = 1.0) -> np.ndarray:
        """Over the field and a little beyond its edge, from below the base to above the top; some turned upright."""
        rng = np.random.default_rng(seed)
        x, y, top, base = self.size
        reach = min(self.mjmodel.geom_rbound[1], 0.4) + self.margin
        pos = rng.uniform([-x - reach, -y - reach, -base - reach], [x + reach, y + reach, top + reach], (n, 3))
        quat = rng.normal(size=(n, 4))
        quat[::5] = [1.0, 0.0, 0.0, 0.0]
        return np.hstack([pos, quat / np.linalg.norm(quat, axis=1, keepdims=True)])


def prisms_along(pair: FieldPair, geom: Shape, normal: np.ndarray) -> np.ndarray:
    """How far the geom must move along a normal to be free of each prism."""
    pos, mat = pair.mjdata.geom_xpos[0], pair.mjdata.geom_xmat[0].reshape(3, 3)
    reach = (pair.prisms @ (mat.T @ normal)).max(axis=1) + pos @ normal
    return reach + geom.height(-normal[None])[0]


def is_proven(pair: FieldPair, shape: Shape, ours: tuple, theirs: tuple) -> bool:
    """The overlap of a prism along our normal is our depth, and along MuJoCo's normal it is no less."""
    depth = -ours[0]
    is_ours = np.abs(prisms_along(pair, shape, ours[2]) - depth) <= SEARCH
    is_less = is_ours.any() and prisms_along(pair, shape, theirs[2][:3])[is_ours].max() < depth - SEARCH
    return bool(is_ours.any() and not is_less)


#: Of these some contacts lie beside the geom: along parallel edges the last face of a search may be too narrow to hold
#: the point that it is asked for.
BESIDE = {(field, "cylinder", 0.0) for field in ("bumps", "fine", "steps")}


def check(field: str, name: str, margin: float, n: int, seed: int) -> tuple[float, list[float]]:
    """Every contact is MuJoCo's to 1e-6 of the size, of polytopes to 1e-9, or it is proven.

    Returns how many are, and how far beside the geom contacts are that are not MuJoCo's.
    """
    pair = FieldPair(field, geom(name), margin)
    # MuJoCo's search is cut short between polytopes without margin
    oracle = FieldPair(field, geom(name), CUT_OFF) if name in POLYTOPES and not margin else pair
    size = float(pair.mjmodel.geom_aabb[1, 3:].max())
    depth, turned = (1e-9, 1e-9) if name in POLYTOPES and not margin else (1e-6 * size, 1e-6)
    shape = Shape(pair.mjmodel, pair.mjdata, 1)
    poses = pair.poses(n, seed)
    touching, contacts, proven, beside = 0, 0, 0, []
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = oracle.mujoco(pose)
        pair.place(pose)
        assert len(ours) == len(theirs)
        touching += len(ours) > 0
        for a, b in zip(ours, theirs, strict=True):
            contacts += 1
            assert abs(np.linalg.norm(a[2]) - 1.0) < 1e-12
            if abs(a[0] - b[0]) > depth or np.abs(a[2] - b[2][:3]).max() > turned:
                proven += 1
                assert is_proven(pair, shape, a, b), pose
            outside = shape.outside(ends_of(a)[1])
            if outside > SEARCH + np.sqrt(SEARCH * margin) and np.abs(a[1] - b[1]).max() > 1e-6 * size:
                beside.append(outside)
    assert touching > n / 5
    return proven / contacts, beside


@pytest.mark.parametrize("margin", [0.0, 0.03])
@pytest.mark.parametrize("name", GEOMS)
def test_contacts_are_those_of_mujoco(name, margin):
    for seed, (field, n) in enumerate({"bumps": 100, "steps": 30, "flat": 30}.items(), 1):
        assert not check(field, name, margin, n, seed)[1]


@pytest.mark.conformance
@pytest.mark.parametrize("margin", [0.0, 0.03])
@pytest.mark.parametrize("name", GEOMS)
@pytest.mark.parametrize("field", FIELDS)
def test_contacts_are_those_of_mujoco_in_many_poses(field, name, margin, record):
    proven, beside = check(field, name, margin, 500, 4)
    record(f"{field}-{name}, margin {margin}", "share of depths proven, not MuJoCo's", {"proven": proven})
    assert bool(beside) == ((field, name, margin) in BESIDE), beside
    if beside:
        pytest.xfail(f"GAP: {len(beside)} contacts of parallel edges beside the geom, by {max(beside):.1e} m")


def test_search_does_not_end_early():
    pair, oracle = FieldPair("fine", geom("box")), FieldPair("fine", geom("box"), CUT_OFF)
    pose = pair.poses(500, 4)[88]
    for a, b in zip(pair.ours(pose[None])[0], oracle.mujoco(pose), strict=True):
        assert abs(a[0] - b[0]) < 1e-6


@pytest.mark.parametrize("name", GEOMS)
def test_bits_are_the_same_in_every_way_of_running(name):
    pair = FieldPair("bumps", geom(name), 0.01)
    poses = pair.poses(40, 6)
    one = pair.ours(poses)
    assert all(same_bits(a, b) for a, b in zip(one, pair.ours(poses, width=8), strict=True))
    pair.run = pair.filed
    touching = [k for k, contacts in enumerate(one) if contacts][:3]
    assert len(touching) == 3
    assert all(same_bits(one[k], pair.interpreted(poses[k])) for k in touching)


@pytest.mark.parametrize("name", GEOMS)
def test_single_precision(name):
    """The search runs in double precision: only poses and results are rounded, and depth changes as little."""
    tolerance = SEARCH + 16 * float(np.finfo(np.float32).eps)
    pair = FieldPair("bumps", geom(name), 0.0)
    poses = pair.poses(100, 7)
    for double, single in zip(pair.ours(poses), pair.ours(poses, "float32", 1), strict=True):
        assert all(np.isfinite(np.hstack(c)).all() and abs(np.linalg.norm(c[2]) - 1.0) < 1e-5 for c in single)
        for some, others in ((double, single), (single, double)):
            for contact in some:
                near = min((abs(contact[0] - other[0]) for other in others), default=np.inf)
                assert near <= tolerance or -contact[0] <= tolerance


def test_no_more_contacts_than_memory():
    pair = FieldPair("fine", '<geom type="box" size=".5 .5 .5"/>')
    pose = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert len(pair.ours(pose[None])[0]) == len(pair.mujoco(pose)) == MAXCONPAIR


@pytest.mark.parametrize("name", GEOMS)
def test_degenerate_poses_give_finite_contacts(name):
    """Exactly on a grid point, on the surface, on the base, at the edge, in the middle of a prism."""
    for field in ("flat", "steps", "coarse"):
        pair = FieldPair(field, geom(name))
        x, y, top, base = pair.size
        heights = (0.0, top, -base, 0.1, 0.2, top + 0.1, top + 0.2, top + 0.3, -base - 0.1)
        places = [(px, py, pz) for px in (0.0, x, 0.5 * x) for py in (0.0, -y, 0.2 * y) for pz in heights]
        upright = (1.0, 0.0, 0.0, 0.0)
        poses = np.array([[*place, *upright] for place in places])
        for contacts in pair.ours(poses):
            for contact in contacts:
                assert np.isfinite(np.hstack(contact)).all()
                assert abs(np.linalg.norm(contact[2]) - 1.0) < 1e-12


def test_field_may_be_turned_over():
    """The field itself moves: contacts turn with it."""
    pair = FieldPair("bumps", geom("box"), 0.02)
    poses = np.delete(pair.poses(25, 8), slice(None, None, 5), 0)  # upright, places tie
    before = pair.ours(poses)
    turn = np.array([0.5, 0.5, -0.5, 0.5])
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, turn)
    mat = mat.reshape(3, 3)
    pair.mjdata.mocap_quat[0], pair.mjdata.mocap_pos[0] = turn, [1.0, 2.0, 3.0]
    moved = poses.copy()
    for pose, old in zip(moved, poses, strict=True):
        pose[:3] = mat @ old[:3] + [1.0, 2.0, 3.0]
        mujoco.mju_mulQuat(pose[3:], turn, old[3:])
    assert sum(map(len, before)) > 20
    for a, b in zip(before, pair.ours(moved), strict=True):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert abs(x[0] - y[0]) < 1e-9
            np.testing.assert_allclose(mat @ x[2], y[2], atol=1e-6)
            np.testing.assert_allclose(mat @ x[1] + [1.0, 2.0, 3.0], y[1], atol=1e-6)
