"""Octrees of signed distances are MuJoCo's, bit for bit."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.compiler.asset.mesh_builtin import make_builtin
from phalanx.mesh import InertiaMode, Mesh
from phalanx.mesh.nearest import signed_distance
from phalanx.mesh.octree import DEEPEST, build_octree

BALL = make_builtin("sphere", (1,))
ROUND = BALL.vertices / np.linalg.norm(BALL.vertices, axis=1, keepdims=True)


def compiled(vertices: np.ndarray, faces: np.ndarray, attributes: str = "") -> mujoco.MjModel:
    numbers, corners = " ".join(map(repr, vertices.ravel().tolist())), " ".join(map(str, faces.ravel().tolist()))
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="m" vertex="{numbers}" face="{corners}" inertia="shell" {attributes}/></asset>'
        '<worldbody><body><freejoint/><geom type="sdf" mesh="m"/></body></worldbody></mujoco>'
    )


def check(vertices: np.ndarray, faces: np.ndarray, attributes: str = "", **options) -> None:
    vertices = np.asarray(vertices, np.float32)
    theirs = compiled(vertices, faces, attributes)
    ours = Mesh.from_arrays(vertices, faces, inertia=InertiaMode.SHELL, **options).octree
    np.testing.assert_array_equal(ours.depth, theirs.oct_depth)
    np.testing.assert_array_equal(ours.child, theirs.oct_child)
    np.testing.assert_allclose(ours.aabb, theirs.oct_aabb, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(ours.coeff, theirs.oct_coeff, rtol=1e-12, atol=1e-15)


def spiky(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return ROUND * np.exp(rng.normal(size=(len(ROUND), 1)) * 0.4)


@pytest.mark.parametrize(("shape", "params"), [
    ("wedge", (7, 5, 60, 40, 0.3)), ("cone", (7, 0.3)), ("supertorus", (12, 0.4, 0.6, 0.8)), ("sphere", (2,)),
])  # fmt: skip
def test_built_in_shapes(shape, params):
    source = make_builtin(shape, params)
    check(source.vertices * [1, 0.8, 0.6] + [0.1, 0.2, 0.3], source.faces)


def test_sharp_edges_and_corners():
    check(spiky(0), BALL.faces)


def test_holes():
    check(spiky(1), np.random.default_rng(1).permutation(BALL.faces)[20:])


def test_faces_that_look_inside():
    faces = BALL.faces.copy()
    turned = np.random.default_rng(2).permutation(len(faces))[:20]
    faces[turned] = faces[turned][:, ::-1]
    check(spiky(2), faces)


def test_faces_that_share_no_vertices():
    vertices = np.float32(spiky(3))[BALL.faces].reshape(-1, 3)
    check(vertices, np.arange(len(vertices)).reshape(-1, 3))


def test_faces_without_area():
    check(ROUND * [1, 0.7, 0.5], np.concatenate([BALL.faces, [[0, 0, 1], [3, 5, 5], [7, 7, 7]]]))


def test_flat_and_small_meshes():
    check(ROUND * [1, 0.7, 0.01], BALL.faces)
    check(ROUND * [1e-3, 7e-4, 5e-4], BALL.faces)


def test_points_in_the_plane_of_a_face():
    square = np.array([[-0.5, -0.4, 0], [0.5, -0.4, 0], [0.5, 0.4, 0], [-0.5, 0.4, 0]])
    far = np.array([[0.1, 0.1, 1], [-0.1, 0.1, 1], [0, -0.1, 1], [0, 0, 0.8]])
    sides = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    vertices = np.concatenate([square, far, far * [1, 1, -1]])
    faces = np.concatenate([[[0, 1, 2], [0, 2, 3]], sides + 4, sides[:, ::-1] + 8])
    check(vertices, faces)
    check(vertices, faces, 'refquat=".5 .3 -.6 .7"', refquat=(0.5, 0.3, -0.6, 0.7))


@pytest.mark.conformance
@pytest.mark.parametrize("seed", range(10, 30))
def test_many_meshes(seed):
    rng = np.random.default_rng(seed)
    faces = rng.permutation(BALL.faces)[rng.integers(0, 30) :]
    turned = rng.random(len(faces)) < 0.2 * rng.random()
    faces[turned] = faces[turned][:, ::-1]
    check(spiky(seed) * rng.uniform(0.1, 2, 3) + rng.normal(size=3), faces)


# --- what an octree is, whoever makes it


def test_neighbors_differ_by_one_level_and_distances_are_true():
    mesh = Mesh.from_arrays(spiky(0), BALL.faces)
    octree = build_octree(mesh._placed, mesh.faces, mesh.bvh, 4)
    low, high = octree.aabb[:, :3] - octree.aabb[:, 3:], octree.aabb[:, :3] + octree.aabb[:, 3:]
    leaves = np.flatnonzero(octree.child[:, 0] < 0)
    apart = np.maximum(low[leaves, None] - high[None, leaves], low[None, leaves] - high[leaves, None])
    meets_at_a_face = (np.abs(apart) < 1e-9).sum(axis=2) == 1
    touch = (apart < 1e-9).all(axis=2) & meets_at_a_face
    assert np.abs(octree.depth[leaves, None] - octree.depth[None, leaves])[touch].max() == 1
    assert octree.depth.max() == 4 < DEEPEST
    corner = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], bool)
    points = np.where(corner[None], high[:, None], low[:, None]).reshape(-1, 3)
    values = signed_distance(points, mesh._placed, mesh.faces, mesh.bvh)
    is_mean = np.abs(octree.coeff.ravel() - values) > 1e-12
    # means of corners of larger neighbors are only a part, and off by less than a cube
    assert 0 < is_mean.mean() < 0.5
    assert np.abs(octree.coeff.ravel() - values).max() < octree.aabb[1, 3:].max()


def test_distances_are_those_to_all_triangles():
    rng = np.random.default_rng(0)
    mesh = Mesh.from_arrays(spiky(4), BALL.faces)
    points = rng.normal(size=(300, 3))
    a, b, c = (mesh._placed[mesh.faces[:, k]] for k in range(3))
    weights = np.array([(i, j, 40 - i - j) for i in range(41) for j in range(41 - i)]) / 40
    samples = np.einsum("wk,kfx->wfx", weights, np.stack([a, b, c])).reshape(-1, 3)
    nearest = np.sqrt(((points[:, None] - samples[None]) ** 2).sum(-1).min(1))
    found = np.abs(signed_distance(points, mesh._placed, mesh.faces, mesh.bvh))
    spacing = np.linalg.norm(b - a, axis=1).max() / 40
    assert (found <= nearest + 1e-12).all()
    assert (nearest - found <= spacing).all()
