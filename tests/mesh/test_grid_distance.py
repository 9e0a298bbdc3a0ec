"""Distances of grid points to triangles, against one pair after the other."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.memory.errors import ModelError
from phalanx.mesh.grid_distance import _Faces, merged, unsigned_distance


def slow_distance(point: np.ndarray, triangle: np.ndarray) -> float:
    """Of a point to a triangle: to its plane, if it is above the inside, else to the nearest edge."""
    a, b, c = triangle
    found = []
    for start, end in ((a, b), (b, c), (c, a)):
        along = np.dot(point - start, end - start) / np.dot(end - start, end - start)
        found.append(np.linalg.norm(point - start - min(max(along, 0.0), 1.0) * (end - start)))
    (u, v), _, _, _ = np.linalg.lstsq(np.stack([b - a, c - a], axis=1), point - a, rcond=None)
    if u >= 0 and v >= 0 and u + v <= 1:
        found.append(np.linalg.norm(point - a - u * (b - a) - v * (c - a)))
    return float(min(found))


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_those_of_the_nearest_triangle(seed):
    """Triangles of very different sizes, far from the origin too, and grids that are long along one axis."""
    rng = np.random.default_rng(seed)
    triangles = rng.normal(size=(30, 1, 3)) + rng.normal(size=(30, 3, 3)) * 10.0 ** rng.uniform(-3, 0, (30, 1, 1))
    shape = tuple(rng.permutation([2, 5, 13]).tolist())
    cell, far = rng.uniform(0.1, 0.4, 3), np.array([0.0, 1e4, -1e4]) * (seed % 2)
    found = unsigned_distance(triangles + far, far - 1.5, cell, shape)
    for place in np.ndindex(*shape):
        expected = min(slow_distance(np.array(place) * cell - 1.5, triangle) for triangle in triangles)
        assert found[place] == pytest.approx(expected, rel=1e-9, abs=1e-7 if seed % 2 else 1e-12)


def test_of_many_faces_few_are_measured(monkeypatch):
    """The work grows far less than points times faces: of 160 million pairs few are measured."""
    measured, squares = [], _Faces.squares

    def counted(self: _Faces, points: np.ndarray, triangle: np.ndarray) -> np.ndarray:
        measured.append(len(triangle))
        return squares(self, points, triangle)

    monkeypatch.setattr(_Faces, "squares", counted)
    rng = np.random.default_rng(0)
    places = rng.normal(size=(20_000, 3))
    triangles = (places / np.linalg.norm(places, axis=1)[:, None])[:, None] + 0.01 * rng.normal(size=(20_000, 3, 3))
    found = unsigned_distance(triangles, np.full(3, 1.0), np.full(3, 0.1), (20, 20, 20))
    assert sum(measured) < 0.02 * 20_000 * 20**3
    assert found[-1, -1, -1] == pytest.approx(np.sqrt(3) * 2.9 - 1.0, abs=0.05)


@pytest.mark.parametrize(
    ("faces", "message"),
    [([[0, 1, -1]], "name vertex -1"), ([[0, 1, 9]], "name vertex 9"), ([[0, 0, 0], [1, 2, 1]], "no face has three")],
)
def test_faces_that_are_none_are_named(faces: list[list[int]], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        merged(np.eye(3), faces)
