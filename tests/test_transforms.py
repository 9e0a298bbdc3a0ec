"""Quaternions, matrices, poses and spatial vectors as arrays, against MuJoCo's functions."""

from __future__ import annotations

import itertools
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import transforms

COUNT = 100
SPECIAL = np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5]])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def quats(rng: np.random.Generator) -> np.ndarray:
    found = rng.normal(size=(COUNT, 4))
    return np.concatenate([SPECIAL, found / np.linalg.norm(found, axis=1, keepdims=True)])


def each(function: Any, size: int, *arguments: np.ndarray) -> np.ndarray:
    """MuJoCo's results, one after the other; arguments that are no arrays serve all."""
    count = max(len(a) for a in arguments if isinstance(a, np.ndarray))
    results = np.zeros((count, size))
    for k in range(count):
        function(results[k], *(a[k] if isinstance(a, np.ndarray) else a for a in arguments))
    return results


def agree(ours: np.ndarray, theirs: np.ndarray) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=1e-14)


def test_quaternions_are_those_of_mujoco(rng: np.random.Generator, quats: np.ndarray) -> None:
    others, vectors = np.roll(quats, 7, axis=0), rng.normal(size=(len(quats), 3))
    agree(transforms.mul_quat(quats, others), each(mujoco.mju_mulQuat, 4, quats, others))
    agree(transforms.mul_quat_axis(quats, vectors), each(mujoco.mju_mulQuatAxis, 4, quats, vectors))
    agree(transforms.neg_quat(quats), each(mujoco.mju_negQuat, 4, quats))
    agree(transforms.rot_vec_quat(vectors, quats), each(mujoco.mju_rotVecQuat, 3, vectors, quats))
    agree(transforms.deriv_quat(quats, vectors), each(mujoco.mju_derivQuat, 4, quats, vectors))
    agree(transforms.sub_quat(quats, others), each(mujoco.mju_subQuat, 3, quats, others))
    for dt in (1.0, 0.01, -2.0):
        agree(transforms.quat2vel(quats, dt), each(mujoco.mju_quat2Vel, 3, quats, dt))


def test_quaternions_are_integrated_as_in_mujoco(rng: np.random.Generator, quats: np.ndarray) -> None:
    for factor in (1.0, 7.0, 0.0):
        start, velocity = quats * rng.uniform(0.5, 2, (len(quats), 1)), rng.normal(size=(len(quats), 3)) * factor
        expected = start.copy()
        for quat, vel in zip(expected, velocity, strict=True):
            mujoco.mju_quatIntegrate(quat, vel, 0.3)
        agree(transforms.quat_integrate(start, velocity, 0.3), expected)
    lengthless = np.zeros((3, 4))
    agree(transforms.normalize_quat(lengthless), np.tile([1.0, 0, 0, 0], (3, 1)))


def test_matrices_and_angles_are_those_of_mujoco(rng: np.random.Generator, quats: np.ndarray) -> None:
    matrices = each(mujoco.mju_quat2Mat, 9, quats)
    agree(transforms.quat2mat(quats).reshape(-1, 9), matrices)
    expected = each(mujoco.mju_mat2Quat, 4, matrices)
    agree(transforms.mat2quat(matrices), expected)
    agree(transforms.mat2quat(matrices.reshape(-1, 3, 3)), expected)
    axes = rng.normal(size=(COUNT, 3))
    for angle in (0.0, 1.0, -9.0):
        agree(transforms.axis_angle2quat(axes, angle), each(mujoco.mju_axisAngle2Quat, 4, axes, angle))
    axes[:5] = [0, 0, 1], [0, 0, -2], [0, 0, 0], [1, 0, 0], [0, 3, 0]
    agree(transforms.quat_z2vec(axes), each(mujoco.mju_quatZ2Vec, 4, axes))


@pytest.mark.parametrize("seq", ["xyz", "XYZ", "zyx", "xYz", "ZXZ", "yzy"])
def test_euler_angles_are_those_of_mujoco(rng: np.random.Generator, seq: str) -> None:
    angles = rng.normal(size=(COUNT, 3)) * 3
    agree(transforms.euler2quat(angles, seq), each(mujoco.mju_euler2Quat, 4, angles, seq))


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.019, 0.021, 1.0, 3.0])
def test_derivatives_are_those_of_mujoco(rng: np.random.Generator, quats: np.ndarray, size: float) -> None:
    n = len(quats)
    velocity = rng.normal(size=(n, 3))
    velocity *= size / np.linalg.norm(velocity, axis=1, keepdims=True)
    moved = transforms.quat_integrate(quats, velocity)
    theirs = [np.zeros((n, 9)), np.zeros((n, 9)), np.zeros((n, 3)), np.zeros((n, 9)), np.zeros((n, 9))]
    for k in range(n):
        mujoco.mjd_quatIntegrate(velocity[k] / 0.3, 0.3, *(array[k] for array in theirs[:3]))
        mujoco.mjd_subQuat(moved[k], quats[k], *(array[k] for array in theirs[3:]))
    ours = transforms.deriv_quat_integrate(velocity / 0.3, 0.3), transforms.deriv_sub_quat(moved, quats)
    for found, expected in zip(itertools.chain(*ours), theirs, strict=True):
        np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-11, atol=1e-11)


def test_poses_are_those_of_mujoco(rng: np.random.Generator, quats: np.ndarray) -> None:
    n = len(quats)
    pos1, pos2, others = rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), np.roll(quats, 5, axis=0)
    products, inverses = (np.zeros((n, 3)), np.zeros((n, 4))), (np.zeros((n, 3)), np.zeros((n, 4)))
    for k in range(n):
        mujoco.mju_mulPose(products[0][k], products[1][k], pos1[k], quats[k], pos2[k], others[k])
        mujoco.mju_negPose(inverses[0][k], inverses[1][k], pos1[k], quats[k])
    for ours, theirs in (
        *zip(transforms.mul_pose(pos1, quats, pos2, others), products, strict=True),
        *zip(transforms.neg_pose(pos1, quats), inverses, strict=True),
        (transforms.trn_vec_pose(pos1, quats, pos2), each(mujoco.mju_trnVecPose, 3, pos1, quats, pos2)),
    ):
        agree(ours, theirs)


@pytest.mark.parametrize("is_force", [False, True])
def test_spatial_vectors_are_those_of_mujoco(rng: np.random.Generator, quats: np.ndarray, is_force: bool) -> None:
    n = len(quats)
    vectors, new, old = rng.normal(size=(n, 6)), rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    frames = transforms.quat2mat(quats)
    flat = frames.reshape(n, 9)
    expected = each(mujoco.mju_transformSpatial, 6, vectors, int(is_force), new, old, flat)
    agree(transforms.transform_spatial(vectors, is_force, new, old, frames), expected)
    upright = each(mujoco.mju_transformSpatial, 6, vectors, int(is_force), new, old, np.tile(np.eye(3).ravel(), (n, 1)))
    agree(transforms.transform_spatial(vectors, is_force, new, old), upright)


def test_arrays_go_together_as_in_numpy(rng: np.random.Generator, quats: np.ndarray) -> None:
    one, many = quats[9], quats[:24].reshape(2, 3, 4, 4)
    assert transforms.mul_quat(one, one).shape == (4,)
    assert transforms.mul_quat(many, one).shape == transforms.quat_integrate(many, [1, 2, 3], 0.1).shape == many.shape
    assert transforms.rot_vec_quat([1, 0, 0], many).shape == (2, 3, 4, 3)
    assert transforms.quat2mat(many).shape == (2, 3, 4, 3, 3)
    assert transforms.mat2quat(transforms.quat2mat(many)).shape == many.shape
    assert transforms.mat2quat(np.zeros((0, 3, 3))).shape == (0, 4)
    assert transforms.mul_pose([0, 0, 1], one, rng.normal(size=(5, 3)), one)[0].shape == (5, 3)
    assert transforms.mul_quat(many.astype(np.float32), many.astype(np.float32)).dtype == np.float32


def test_results_are_copies(quats: np.ndarray) -> None:
    kept = quats.copy()
    for call in (transforms.neg_quat, transforms.normalize_quat, lambda q: transforms.euler2quat(q[:, :3], "xyz")):
        call(quats)[...] = 7
    np.testing.assert_array_equal(quats, kept)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: transforms.mul_quat([1, 0, 0], [1, 0, 0, 0]), r"quat1 has shape \(4,\)"),
        (lambda: transforms.mul_quat(np.zeros((2, 4)), np.zeros((3, 4))), "do not go together"),
        (lambda: transforms.mat2quat(np.eye(4)), r"\(\.\.\., 3, 3\) or \(\.\.\., 9\)"),
        (lambda: transforms.rot_vec_quat("abc", [1, 0, 0, 0]), "vec takes numbers"),
        (lambda: transforms.euler2quat([0, 0, 0], "xyw"), "three letters"),
        (lambda: transforms.euler2quat([0, 0, 0], "xy"), "three letters"),
        (lambda: transforms.quat2mat(1.0), "quat has shape"),
        (lambda: transforms.quat2vel(np.ones((2, 3, 4)), np.ones(2)), "do not go together"),
        (lambda: transforms.quat_integrate([1, 0, 0, 0], np.ones((2, 3)), np.ones(5)), "do not go together"),
    ],
)
def test_mistakes_are_explained(call: Any, words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        call()


def test_every_function_says_whose_it_is() -> None:
    """The docstrings name functions of MuJoCo that exist."""
    for name in transforms.__all__:
        words = (getattr(transforms, name).__doc__ or "").replace(")", " ").replace("(", " ").split()
        named = [word.rstrip(".,") for word in words if word.startswith(("mju_", "mjd_"))]
        assert named and all(hasattr(mujoco, word) for word in named), name
    assert len(set(itertools.chain(transforms.__all__))) == len(transforms.__all__)
