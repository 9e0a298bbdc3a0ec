"""Convex hulls: the record is MuJoCo's, and what holds for any hull holds."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.mesh import MeshError
from phalanx.mesh.hull import convex_hull
from tests.mesh.oracle import compile_arrays, graph_of


def shapes() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    ball = rng.normal(size=(300, 3))
    return {
        "tetrahedron": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        "grid": grid,
        "cylinder": np.concatenate([ring, ring + [0, 0, 1]]),
        "cone": np.concatenate([ring, [[0, 0, 1]]]),
        "ball": ball / np.linalg.norm(ball, axis=1, keepdims=True),
        "cloud": rng.normal(size=(500, 3)),
        "flat cloud": rng.normal(size=(500, 3)) * [1, 1, 1e-5],
        "tiny": rng.normal(size=(50, 3)) * 1e-4,
        "huge": rng.normal(size=(50, 3)) * 1e6,
        "far away": rng.normal(size=(50, 3)) + 1e3,
    }


SHAPES = {name: points.astype(np.float32) for name, points in shapes().items()}


@pytest.mark.parametrize("name", SHAPES)
def test_the_record_is_mujocos(name):
    points = SHAPES[name]
    hull = convex_hull(points)
    model = compile_arrays(points, attributes='inertia="shell"')
    graph = graph_of(model)
    np.testing.assert_array_equal(hull.faces.ravel(), graph["faces"])
    np.testing.assert_array_equal(hull.vertices, graph["vertices"])
    if name != "cone":  # merging took facets from the lists around its vertices
        np.testing.assert_array_equal(hull.graph, model.mesh_graph)


@pytest.mark.parametrize("name", SHAPES)
def test_all_points_are_behind_every_face(name):
    points = SHAPES[name].astype(float)
    hull = convex_hull(points)
    corners = points[hull.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    height = (points[None] - corners[:, :1]) @ normal[:, :, None]
    size = np.ptp(points, axis=0).max()
    assert height.max() <= 1e-9 * size * np.linalg.norm(normal, axis=1).max()
    assert len(hull.vertices) - 3 * len(hull.faces) // 2 + len(hull.faces) == 2


@pytest.mark.parametrize("most", [4, 6, 20])
def test_a_hull_of_few_vertices(most):
    points = SHAPES["ball"]
    hull = convex_hull(points, most)
    assert len(hull.vertices) == most
    model = compile_arrays(points, attributes=f'maxhullvert="{most}"')
    np.testing.assert_array_equal(hull.faces.ravel(), graph_of(model)["faces"])


def test_fewer_vertices_than_a_solid_has_are_refused():
    with pytest.raises(MeshError, match="at least 4"):
        convex_hull(SHAPES["ball"], 3)
