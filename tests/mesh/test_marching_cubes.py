"""Marching cubes: closed surfaces around what is inside, whatever the field."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.mesh.marching_cubes import _COUNT, _WORDS, zero_surface


def ball(n: int) -> np.ndarray:
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n),) * 3, indexing="ij")
    return (np.sqrt(x * x + y * y + z * z) - 0.7).astype(np.float32)


def sides(faces: np.ndarray) -> np.ndarray:
    """How often each edge of the triangles occurs, in one direction less in the other."""
    directed = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    names, place = np.unique(np.sort(directed, axis=1), axis=0, return_inverse=True)
    balance = np.zeros(len(names), int)
    np.add.at(balance, place.ravel(), np.where(directed[:, 0] < directed[:, 1], 1, -1))
    return balance


def test_a_ball_is_round_closed_and_faces_outward():
    source = zero_surface(ball(21), -np.ones(3), np.ones(3))
    radius = np.linalg.norm(source.vertices, axis=1)
    assert np.abs(radius - 0.7).max() < 0.01
    assert (sides(source.faces) == 0).all()
    assert (np.einsum("ij,ij->i", source.normals, source.vertices) > 0.6).all()
    a, b, c = (source.vertices[source.faces[:, k]].astype(float) for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert abs(volume - 4 / 3 * np.pi * 0.343) < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_any_field_gives_a_closed_surface(seed):
    values = np.ones((9, 10, 11), np.float32)
    values[1:-1, 1:-1, 1:-1] = np.random.default_rng(seed).normal(size=(7, 8, 9))
    source = zero_surface(values, np.zeros(3), np.ones(3))
    assert len(source.faces) > 300 and source.faces.min() == 0 and source.faces.max() == len(source.vertices) - 1
    assert (sides(source.faces) == 0).all()


def test_the_table_has_every_case():
    assert len(_WORDS) == 256 and _COUNT[0] == _COUNT[255] == 0
    for case, word in enumerate(_WORDS):
        inside = [case >> corner & 1 for corner in range(8)]
        for edge in {int(letter, 16) for letter in word}:
            axis, first, second = edge // 4, edge & 1, edge >> 1 & 1
            low = {0: 2 * first + 4 * second, 1: first + 4 * second, 2: first + 2 * second}[axis]
            assert inside[low] != inside[low | 1 << axis]


def test_sizes_are_those_of_the_box():
    source = zero_surface(ball(15), np.array([-1.0, -2.0, -3.0]), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(source.vertices.max(axis=0), [0.7, 1.4, 2.1], atol=0.02)
