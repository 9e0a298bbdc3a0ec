"""Trees of boxes around triangles."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.render.surface_tree import place, split_order, tree_of
from phalanx.render.triangles import LEAF


def soup(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices, normals and faces of random small triangles."""
    rng = np.random.default_rng(count)
    corners = rng.uniform(-1, 1, (count, 1, 3)) + 0.1 * rng.normal(size=(count, 3, 3))
    return (
        corners.reshape(-1, 3).astype(np.float32),
        np.ones((3 * count, 3), np.float32),
        np.arange(3 * count).reshape(-1, 3),
    )


@pytest.mark.parametrize("count", [1, 3, 4, 5, 37, 64, 200])
def test_every_face_is_in_one_leaf_and_in_all_boxes_above(count: int) -> None:
    vertices, normals, faces = soup(count)
    tree = tree_of(vertices, normals, None, faces)
    assert len(tree.order) == LEAF << tree.levels
    assert sorted(tree.order[tree.order >= 0]) == list(range(count))
    for index, face in enumerate(tree.order):
        node = (1 << tree.levels) + index // LEAF
        while face >= 0 and node >= 1:
            points = vertices[faces[face]]
            assert (points >= tree.boxes[node, :3]).all() and (points <= tree.boxes[node, 3:]).all()
            node //= 2


def test_fillers_have_no_size_and_enlarge_nothing() -> None:
    vertices, normals, faces = soup(5)
    tree = tree_of(vertices + 10, normals, None, faces)
    fillers = tree.corners[tree.order < 0]
    assert (fillers == fillers[:, :1]).all()
    assert (tree.boxes[1, :3] > 8).all()


def test_the_sphere_is_around_all_triangles() -> None:
    vertices, normals, faces = soup(50)
    center, radius = tree_of(vertices, normals, None, faces).sphere
    assert np.linalg.norm(vertices - center, axis=1).max() <= radius * (1 + 1e-12)


def test_a_tree_follows_its_vertices() -> None:
    vertices, normals, faces = soup(30)
    tree = tree_of(vertices, normals, None, faces)
    place(tree, vertices + np.float32(5), normals, faces)
    moved = tree_of(vertices + np.float32(5), normals, None, faces)
    np.testing.assert_allclose(tree.boxes[1], moved.boxes[1], rtol=1e-6)


def test_halves_are_apart() -> None:
    centers = np.random.default_rng(0).uniform(size=(64, 3)) * (10, 1, 1)
    first, second = split_order(centers, 4).reshape(2, -1)
    assert centers[first, 0].max() <= centers[second, 0].min()
