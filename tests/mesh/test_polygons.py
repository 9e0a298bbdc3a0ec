"""Polygons of hulls; the rows of whole meshes are compared in test_mesh.py."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.mesh import Mesh
from phalanx.mesh.polygons import hash_map_order, hull_polygons
from tests.mesh.oracle import assert_equal, compile_arrays


def prism(sides: int) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return np.concatenate([ring, ring + [0.1, 0.2, 1]])


@pytest.mark.parametrize("sides", [3, 4, 5, 8, 13, 40, 300, 700])
def test_a_prism_has_a_polygon_for_each_side(sides):
    points = prism(sides).astype(np.float32)
    mesh = Mesh.from_arrays(points)
    assert_equal(compile_arrays(points), mesh)
    if sides < 300:  # beyond, sides are less than the rounding of their normals apart
        assert len(mesh.polygons) == sides + 2
        assert sorted(mesh.polygons.vertnum.tolist()) == sorted([4] * sides + [sides] * 2)


def test_triangles_that_do_not_touch_are_polygons_of_their_own():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 0], [6, 5, 0], [5, 6, 0]], float)
    polygons = hull_polygons(vertices, np.array([[0, 1, 2], [3, 4, 5]]))
    assert polygons.vertnum.tolist() == [3, 3]
    assert polygons.mapnum.tolist() == [1] * 6


def test_triangles_without_area_are_left_out():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], float)
    assert hull_polygons(vertices, np.array([[0, 1, 2], [0, 1, 3]])).vertices.tolist() == [0, 1, 3]


def test_the_order_of_a_hash_map_has_every_key_once():
    keys = np.array([(float(i % 7), float(i // 7)) for i in range(49)])
    assert sorted(hash_map_order(keys)) == list(range(49))
    assert hash_map_order(keys[:0]) == []


def test_an_almost_flat_polygon_has_no_normal_but_a_side():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0.5, 5e-15, 0], [0.5, 0, -1]], float)
    polygons = hull_polygons(vertices, np.array([[0, 2, 1], [0, 1, 3]])).wound_outward(vertices)
    corners = polygons.vertices.reshape(2, 3).tolist()
    (flat,) = (k for k in range(2) if 2 in corners[k])
    assert corners[flat] in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
    np.testing.assert_array_equal(polygons.normals(vertices)[flat], [1, 0, 0])
    vertices[2, 1] = 2e-14
    np.testing.assert_array_equal(polygons.normals(vertices)[flat], [0, 0, 1])
