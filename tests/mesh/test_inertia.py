"""Mass properties against formulas, and principal axes against MuJoCo's; whole meshes are in test_mesh.py."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from phalanx.mesh import InertiaMode, Mesh, MeshError
from phalanx.mesh.inertia import mass_properties, principal_axes, rotation_matrix


def brick(x: float, y: float, z: float, **options) -> Mesh:
    corners = [[i * x, j * y, k * z] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    return Mesh.from_arrays(corners, **options)


@pytest.mark.parametrize("mode", [InertiaMode.CONVEX, InertiaMode.EXACT, InertiaMode.LEGACY])
def test_a_brick_of_any_size(mode):
    x, y, z = 0.5, 1.0, 2.0
    mass = brick(x, y, z, inertia=mode).mass
    assert mass.volume == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(mass.pos, [x / 2, y / 2, z / 2], rtol=1e-12)
    np.testing.assert_allclose(mass.moments, [(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12])
    np.testing.assert_allclose(mass.box, [x / 2, y / 2, z / 2], rtol=1e-12)


def test_a_cube_of_sheet():
    mass = brick(1, 1, 1, inertia=InertiaMode.SHELL).mass
    assert mass.volume == pytest.approx(6.0)
    np.testing.assert_allclose(mass.moments, [6 * 5 / 18] * 3)


def mujoco_axes(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    full = [matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2]]
    text = " ".join(f"{value:.17g}" for value in full)
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" fullinertia="{text}"/></body>
        </worldbody></mujoco>"""
    )
    return model.body_inertia[1], model.body_iquat[1]


def inertia_like(seed: int) -> np.ndarray:
    """Matrices of random, symmetric, almost symmetric and almost diagonal bodies, of any size."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(10, 3)) * rng.uniform(0.1, 1, 3)
    if seed % 4 == 1:  # four times around an axis
        points = np.concatenate(
            [points @ np.linalg.matrix_power([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], k) for k in range(4)]
        )
    products = points.T @ points
    if seed % 4 == 2:
        products = np.diag([1.0, 1.0 + 10.0 ** -rng.uniform(6, 16), rng.uniform(0.5, 2)])
    if seed % 4 == 3:
        products = np.diag(rng.uniform(1, 2, 3)) + 10.0 ** -rng.uniform(4, 14) * (products + products.T)
    size = 10.0 ** rng.uniform(-6, 6)
    return size * (np.trace(products) * np.eye(3) - products)


@pytest.mark.parametrize("seed", range(60))
def test_principal_axes_are_mujocos(seed):
    matrix = inertia_like(seed)
    values, quat = principal_axes(matrix)
    theirs, their_quat = mujoco_axes(matrix)
    np.testing.assert_allclose(values, theirs, rtol=1e-12)
    np.testing.assert_allclose(quat, their_quat, rtol=0, atol=1e-12)
    axes = rotation_matrix(quat)
    np.testing.assert_allclose(axes @ np.diag(values) @ axes.T, matrix, atol=1e-12 * np.abs(matrix).max())


def test_the_matrix_of_nothing_has_the_given_axes():
    values, quat = principal_axes(np.zeros((3, 3)))
    assert values.tolist() == [0, 0, 0]
    assert quat.tolist() == [1, 0, 0, 0]


def test_a_turn_of_a_quarter():
    root = math.sqrt(0.5)
    np.testing.assert_allclose(rotation_matrix((root, 0, 0, root)), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)


def test_convex_needs_a_hull():
    mesh = brick(1, 1, 1)
    with pytest.raises(MeshError, match="hull"):
        mass_properties(mesh.source.vertices.astype(float), mesh.faces, InertiaMode.CONVEX)
