"""Triangles of grids of signed distances."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.grid_surface import zero_surface
from phalanx.scene.surfaces import surface_of
from phalanx.tables.enums import GeomType

CELL = 0.02


def ball(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points - (0.01, 0.0, -0.02), axis=-1) - 0.15


def triangles() -> tuple[np.ndarray, np.ndarray]:
    sdf = phalanx.SDF.from_function(ball, (-0.22, -0.22, -0.22), (0.22, 0.22, 0.22), CELL)
    return zero_surface(sdf.values, sdf.cell, sdf.origin)


def test_corners_are_where_the_distance_is_zero() -> None:
    corners, _ = triangles()
    # distances are interpolated over a cell, in which the ball is curved by half the square of its size by the radius
    assert np.abs(ball(corners)).max() <= 3 * CELL**2 / (2 * 0.15)


def test_triangles_and_normals_face_outward() -> None:
    corners, normals = triangles()
    center = corners.mean(axis=1) - (0.01, 0.0, -0.02)
    own = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(own, axis=1)
    has_size = size > 1e-3 * np.median(size)
    assert (np.einsum("ij,ij->i", own, center)[has_size] > 0).all()
    unit = normals / np.linalg.norm(normals, axis=2, keepdims=True)
    radial = (corners - (0.01, 0.0, -0.02)) / 0.15
    assert np.einsum("ijk,ijk->ij", unit, radial).min() > 0.98


def test_the_surface_is_closed() -> None:
    """The volume inside is that of the ball, by the theorem of Gauss."""
    corners, _ = triangles()
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(4 / 3 * np.pi * 0.15**3, rel=0.02)


def test_a_geom_in_the_shape_of_a_grid_is_drawn() -> None:
    sdf = phalanx.SDF.from_function(ball, (-0.22, -0.22, -0.22), (0.22, 0.22, 0.22), CELL)
    xml = '<mujoco><worldbody><body><joint/><geom name="g" size=".1"/></body></worldbody></mujoco>'
    model = phalanx.Model.from_xml_string(xml).with_sdf({"g": sdf})
    assert len(surface_of(model, GeomType.SDF, int(model.geom_dataid[0])).faces) > 500
    data = model.make_data().forward()
    camera = phalanx.Camera(lookat=(0, 0, 0), distance=0.5, azimuth=30, elevation=-20)
    depth = data.render(25, 25, camera=camera, output="depth")
    assert depth[12, 12] == pytest.approx(0.36, abs=0.03)
