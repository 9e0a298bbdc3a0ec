"""Plane against meshes: contacts are those of MuJoCo, number, order and all digits but the last few."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.collision.pair import plane_mesh  # noqa: F401
from tests.collision.harness import Pair, same_bits, same_contacts
from tests.collision.test_convex import (
    ASSETS,
    MESHES,
    PART,
    WITHOUT_HULL,
    geom,
    make_collide,
    pose_of,
    signed_axes,
    turn,
)

PLANE = '<geom type="plane" size="1 1 1"/>'


def _prism(corners: int, half: float, top: float = 1.0) -> np.ndarray:
    """A prism about z, or a stump if the upper face is smaller."""
    angle = 2 * np.pi * np.arange(corners) / corners
    around = 0.2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.vstack([np.c_[size * around, np.full(corners, z)] for size, z in ((1.0, -half), (top, half))])


#: Hulls with large faces, walked over or searched from end to end, and one whose neighbors are many.
FACETED = {
    "prism": _prism(12, 0.1),
    "stump": _prism(8, 0.05, 0.6),
    "wedge": _prism(3, 0.3),
    "cone": _prism(24, 0.2, 1e-3),
}
ASSETS += "".join(
    f'<mesh name="{name}" vertex="{" ".join(f"{x:.9g}" for x in points.ravel())}"/>' for name, points in FACETED.items()
)
NAMES = [*MESHES, *FACETED, *WITHOUT_HULL, *(["part"] if PART.exists() else [])]


class PlaneMesh(Pair):
    """A plane and a mesh."""

    def __init__(self, name: str, margin: float = 0.0):
        super().__init__(PLANE, geom(name), margin, ASSETS)
        if name in WITHOUT_HULL:
            make_collide(self)

    def vertices(self) -> np.ndarray:
        m, mesh = self.mjmodel, self.mjmodel.geom_dataid[1]
        return m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)

    def poses_near(self, n: int, seed: int) -> np.ndarray:
        """Turned at random or with a face on the plane, exactly or nearly; lowest vertex around the plane."""
        rng, poses = np.random.default_rng(seed), []
        m, mesh = self.mjmodel, self.mjmodel.geom_dataid[1]
        normals = m.mesh_polynormal[m.mesh_polyadr[mesh] :][: m.mesh_polynum[mesh]]
        geom_mat = np.zeros(9)
        mujoco.mju_quat2Mat(geom_mat, m.geom_quat[1])
        geom_mat = geom_mat.reshape(3, 3)
        size = np.abs(self.vertices()).max()
        for _ in range(n):
            kind = rng.integers(4)
            mat = turn(rng.normal(size=3), rng.uniform(0, np.pi))
            if kind == 0:
                mat = signed_axes(rng)
            elif kind < 3 and len(normals):
                face = normals[rng.integers(len(normals))]
                axis = np.cross(face, [0, 0, -1.0])
                axis = axis if np.linalg.norm(axis) > 1e-9 else np.array([1.0, 0, 0])
                aligned = turn(axis, np.arccos(np.clip(-face[2], -1, 1)))
                mat = turn(np.array([0, 0, 1.0]), rng.uniform(0, np.pi)) @ aligned
                mat = mat if kind == 1 else turn(rng.normal(size=3), 10 ** rng.uniform(-9, -1)) @ mat
            lowest = (self.vertices() @ mat.T)[:, 2].min()
            height = size * rng.choice([0.0, 1e-9, -0.01, -0.3, 0.01, -1.0]) * rng.random() - lowest
            height += self.margin * rng.choice([0.0, rng.uniform(0.5, 1.1)])
            body = mat @ geom_mat.T
            pos = np.array([*rng.normal(size=2), height]) - body @ m.geom_pos[1]
            poses.append(pose_of(pos, body))
        return np.array(poses)


def check(name: str, margin: float, n: int, seed: int) -> None:
    pair = PlaneMesh(name, margin)
    size = max(1.0, np.abs(pair.vertices()).max())
    poses = pair.poses_near(n, seed)
    counts = set()
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        counts.add(len(ours))
        assert same_contacts(ours, theirs, 1e-9 * size), pose
    assert 0 in counts
    most = {"bare": 1, "square": 1, "tetrahedron": 3, "cube": 4, "plate": 4, "prism": 4, "stump": 4}
    assert max(counts) == most.get(name, max(counts))


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("name", NAMES)
def test_contacts_are_those_of_mujoco(name, margin):
    check(name, margin, 200, 1)


@pytest.mark.conformance
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("name", NAMES)
def test_contacts_are_those_of_mujoco_in_many_poses(name, margin):
    check(name, margin, 2500, 2)


def test_a_cube_on_the_plane_stands_on_four_corners():
    pair = PlaneMesh("cube")
    (ours,) = pair.ours(np.array([[0, 0, 0.29, 1, 0, 0, 0]]))
    np.testing.assert_allclose([contact[0] for contact in ours], -0.01, atol=1e-7)
    corners = {(round(x, 6), round(y, 6)) for _, (x, y, _), _ in ours}
    assert corners == {(-0.1, -0.2), (-0.1, 0.2), (0.1, -0.2), (0.1, 0.2)}


@pytest.mark.parametrize("name", ["cube", "big", "bare", "prism", "cone", "wedge"])
def test_all_ways_of_running(name):
    pair = PlaneMesh(name, 0.02)
    poses = pair.poses_near(24, 3)
    compiled = pair.ours(poses)
    for k, pose in enumerate(poses):
        assert same_bits(compiled[k], pair.interpreted(pose))
    for width in (2, 8):
        for alone, lane in zip(compiled, pair.ours(poses, "float64", width), strict=True):
            assert same_bits(alone, lane)


@pytest.mark.parametrize("name", ["cube", "big", "prism"])
def test_single_precision_is_the_same_in_lanes(name):
    pair = PlaneMesh(name, 0.02)
    poses = pair.poses_near(32, 5)
    for alone, lane in zip(pair.ours(poses, "float32", 1), pair.ours(poses, "float32", 16), strict=True):
        assert same_bits(alone, lane)


@pytest.mark.parametrize("name", ["big", "prism", "cone"])
def test_worlds_that_touch_at_one_vertex_and_at_others(name):
    """Worlds walk over the hull together while they are at the same vertices, and alone from there."""
    pair, rng = PlaneMesh(name, 0.02), np.random.default_rng(6)
    likes = pair.poses_near(12, 7)
    poses = np.concatenate(
        [np.repeat(likes[k : k + 1], n, 0) for k, n in enumerate([8, 7, 5, 4, 3, 3, 2, 8, 1, 3, 1, 3])]
    )
    poses[:, 3:] += rng.choice([0.0, 0.0, 1e-3, 0.2], (len(poses), 1)) * rng.normal(size=(len(poses), 4))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    for alone, lane in zip(pair.ours(poses), pair.ours(poses, "float64", 8), strict=True):
        assert same_bits(alone, lane)


TUMBLERS = """<mujoco><asset>{assets}</asset><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .4"><freejoint/><geom type="mesh" mesh="prism"/></body>
  <body pos="1 0 .4"><freejoint/><geom type="mesh" mesh="big" margin=".01"/></body>
  <body pos="2 0 .4"><freejoint/><geom type="mesh" mesh="cube" condim="4"/></body></worldbody></mujoco>"""


def test_batches_of_meshes_on_a_plane_are_worlds_alone():
    model = phalanx.Model.from_xml_string(TUMBLERS.format(assets=ASSETS))
    n, rng = 20, np.random.default_rng(8)
    qpos = np.tile(model.qpos0, (n, 1))
    for body in range(3):
        qpos[:, 7 * body + 2] += rng.uniform(-0.2, 0.3, n)
        qpos[:, 7 * body + 3 : 7 * body + 7] = rng.normal(size=(n, 4))
    alone = []
    for pose in qpos:
        data = model.make_data()
        data.qpos = pose
        data.step(150)
        alone.append(np.array(data.qpos))
    for options in ({"lanes": 1}, {"lanes": 4, "threads": 2}, {"lanes": 8, "threads": 1}):
        batch = phalanx.BatchSim(model, n, **options)
        batch.qpos = qpos
        batch.step(150)
        assert batch.qpos.tobytes() == np.array(alone).tobytes()


@pytest.mark.parametrize("name", ["cube", "big"])
def test_corners_that_are_kept_are_those_that_would_be_found(name):
    """A pose has the same contacts whatever other poses came before."""
    pair = PlaneMesh(name, 0.02)
    poses = pair.poses_near(40, 4)
    together, back = pair.ours(poses), pair.ours(poses[::-1])[::-1]
    for k in range(len(poses)):
        assert same_bits(together[k], back[k])
        assert same_bits(together[k], PlaneMesh(name, 0.02).ours(poses[k : k + 1])[0])
