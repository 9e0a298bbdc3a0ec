"""Quaternions, rotation matrices, poses and spatial vectors as NumPy arrays: MuJoCo's mju_ functions for them.

Axes in front are axes of many: each function takes one quaternion (4,) or an array (..., 4), and arrays go together as
in NumPy. A quaternion is (w, x, y, z) and unit; a matrix is (3, 3) or nine numbers row by row, as `data.xmat` has them.
Results are new arrays. Kernels and hooks have `phalanx.kernels` instead.

>>> from phalanx import transforms
>>> quat = transforms.euler2quat([0.0, 0.0, 3.0], "xyz")
>>> transforms.rot_vec_quat([1.0, 0.0, 0.0], quat).round(3).tolist()
[-0.99, 0.141, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.algebra import matrix, quaternion, spatial, vector
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import numbers
from phalanx.scene.quaternions import long_quats

__all__ = [
    "axis_angle2quat",
    "deriv_quat",
    "deriv_quat_integrate",
    "deriv_sub_quat",
    "euler2quat",
    "mat2quat",
    "mul_pose",
    "mul_quat",
    "mul_quat_axis",
    "neg_pose",
    "neg_quat",
    "normalize_quat",
    "quat2mat",
    "quat2vel",
    "quat_integrate",
    "quat_z2vec",
    "rot_vec_quat",
    "sub_quat",
    "transform_spatial",
    "trn_vec_pose",
]

#: Below this length a vector has no direction.
_MINVAL = vector.MINVAL
_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
_X_AXIS = np.array([1.0, 0.0, 0.0])
#: Below this angle formulas that would cancel are series.
_SMALL = 0.02
Pose = tuple[np.ndarray, np.ndarray]


# --- quaternions


def mul_quat(quat1: Any, quat2: Any) -> np.ndarray:
    """The rotation quat2 followed by quat1 (mju_mulQuat)."""
    return _by_element(quaternion.multiply, _array("quat1", quat1, 4), _array("quat2", quat2, 4))


def mul_quat_axis(quat: Any, axis: Any) -> np.ndarray:
    """The product of a quaternion and the pure quaternion (0, axis) (mju_mulQuatAxis)."""
    return _by_element(quaternion.multiply_axis, _array("quat", quat, 4), _array("axis", axis, 3))


def neg_quat(quat: Any) -> np.ndarray:
    """The inverse rotation (mju_negQuat)."""
    return _by_element(quaternion.conjugate, _array("quat", quat, 4))


def normalize_quat(quat: Any) -> np.ndarray:
    """Unit quaternions; the identity where there is no length (mju_normalize4)."""
    given = _array("quat", quat, 4)
    length = _length(given)
    return np.where(length < _MINVAL, _IDENTITY, given / np.where(length < _MINVAL, 1.0, length))


def rot_vec_quat(vec: Any, quat: Any) -> np.ndarray:
    """A vector rotated by a quaternion (mju_rotVecQuat)."""
    return _by_element(quaternion.rotate, _array("vec", vec, 3), _array("quat", quat, 4))


def quat2mat(quat: Any) -> np.ndarray:
    """Rotation matrices (..., 3, 3) (mju_quat2Mat)."""
    found = _by_element(matrix.from_quaternion, _array("quat", quat, 4))
    return found.reshape(*found.shape[:-1], 3, 3)


def mat2quat(mat: Any) -> np.ndarray:
    """Quaternions of rotation matrices (..., 3, 3) or (..., 9) (mju_mat2Quat)."""
    m = _matrices("mat", mat)
    return normalize_quat(long_quats(m)).reshape(*m.shape[:-1], 4)


def axis_angle2quat(axis: Any, angle: Any) -> np.ndarray:
    """The rotation by an angle [rad] about a unit axis (mju_axisAngle2Quat)."""
    vectors = _array("axis", axis, 3)
    half = 0.5 * _scalar("angle", angle, vectors)
    return _join(np.cos(half), vectors * np.sin(half))


def euler2quat(euler: Any, seq: str) -> np.ndarray:
    """The rotation of three angles [rad] about axes (mju_euler2Quat).

    Args:
        euler: angles, (3,) or (..., 3).
        seq: three letters of "xyzXYZ": the axes; small letters for those of the moving frame, capitals for fixed ones.
    """
    if not isinstance(seq, str) or len(seq) != 3 or not set(seq) <= set("xyzXYZ"):
        raise FieldError(f"seq has three letters of 'xyzXYZ', not {seq!r}")
    angles = _array("euler", euler, 3)
    quat = np.broadcast_to(_IDENTITY, (*angles.shape[:-1], 4))
    for k, letter in enumerate(seq):
        step = axis_angle2quat(np.eye(3)["xyz".index(letter.lower())], angles[..., k])
        quat = mul_quat(quat, step) if letter.islower() else mul_quat(step, quat)
    return quat


def quat_z2vec(vec: Any) -> np.ndarray:
    """The shortest rotation from the z axis to a vector; none where the vector has no length (mju_quatZ2Vec)."""
    given = _array("vec", vec, 3)
    length = _length(given)
    unit = given / np.where(length < _MINVAL, 1.0, length)
    unit = np.where(length < _MINVAL, [0.0, 0.0, 1.0], unit)
    axis = np.cross([0.0, 0.0, 1.0], unit)
    sine = _length(axis)
    is_along = sine < _MINVAL
    axis = np.where(is_along, _X_AXIS, axis / np.where(is_along, 1.0, sine))
    return axis_angle2quat(axis, np.arctan2(np.where(is_along, 0.0, sine), unit[..., 2:])[..., 0])


# --- velocities


def quat2vel(quat: Any, dt: Any = 1.0) -> np.ndarray:
    """The angular velocity that makes a rotation in the time dt, on the shorter way (mju_quat2Vel)."""
    given = _array("quat", quat, 4)
    sine = _length(given[..., 1:])
    angle = 2.0 * np.arctan2(sine, given[..., :1])
    angle = np.where(angle > np.pi, angle - 2.0 * np.pi, angle)
    axis = np.where(sine < _MINVAL, _X_AXIS, given[..., 1:] / np.where(sine < _MINVAL, 1.0, sine))
    return axis * (angle / _scalar("dt", dt, given))


def sub_quat(quat1: Any, quat2: Any) -> np.ndarray:
    """The rotation vector from quat2 to quat1, in the frame of quat2 (mju_subQuat)."""
    return quat2vel(mul_quat(neg_quat(quat2), quat1))


def quat_integrate(quat: Any, vel: Any, scale: Any = 1.0) -> np.ndarray:
    """A quaternion that has rotated with an angular velocity in its own frame for a time (mju_quatIntegrate)."""
    velocity = _array("vel", vel, 3)
    speed = _length(velocity)
    axis = np.where(speed < _MINVAL, _X_AXIS, velocity / np.where(speed < _MINVAL, 1.0, speed))
    return mul_quat(normalize_quat(quat), axis_angle2quat(axis, (speed * _scalar("scale", scale, velocity))[..., 0]))


def deriv_quat(quat: Any, vel: Any) -> np.ndarray:
    """The time derivative of a quaternion that rotates with an angular velocity in the world (mju_derivQuat).

    Unlike qvel and `quat_integrate`, whose angular velocities are in the frame of the quaternion.
    """
    velocity = _array("vel", vel, 3)
    return 0.5 * mul_quat(_join(np.zeros_like(velocity[..., :1]), velocity), quat)


# --- derivatives


def deriv_quat_integrate(vel: Any, scale: Any = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of `quat_integrate` by the quaternion, the rotation `vel * scale`, and the time (mjd_quatIntegrate).

    Changes of quaternions, before and after, are rotation vectors in their own frames.

    Returns:
        matrices (..., 3, 3) by quaternion and rotation, and a vector (..., 3) by the time.
    """
    velocity = _array("vel", vel, 3)
    angle = velocity * _scalar("scale", scale, velocity)
    by_quat = np.swapaxes(quat2mat(quat_integrate(_IDENTITY, angle)), -1, -2)
    # 1 - (1 - cos t) / t^2 [u] + (t - sin t) / t^3 [u][u]
    cross, t = _cross_matrix(angle), _length(angle)[..., None]
    is_small = t < _SMALL
    size = np.where(is_small, 1.0, t)
    first = np.where(is_small, 0.5 - t**2 / 24 + t**4 / 720, 2 * (np.sin(size / 2) / size) ** 2)
    second = np.where(is_small, 1 / 6 - t**2 / 120 + t**4 / 5040, (size - np.sin(size)) / size**3)
    by_angle = np.eye(3) - first * cross + second * (cross @ cross)
    return by_quat, by_angle, np.broadcast_to(velocity, angle.shape).copy()


def deriv_sub_quat(quat1: Any, quat2: Any) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives (..., 3, 3) of `sub_quat` by both quaternions (mjd_subQuat).

    Changes of quaternions are rotation vectors in their own frames.
    """
    rotation = sub_quat(quat1, quat2)
    # 1 + [u] / 2 + (1 - t/2 cot(t/2)) / t^2 [u][u]
    cross, t = _cross_matrix(rotation), _length(rotation)[..., None]
    is_small = t < _SMALL
    size = np.where(is_small, 1.0, t)
    series = 1 / 12 + t**2 / 720 + t**4 / 30240
    factor = np.where(is_small, series, (1 - 0.5 * size / np.tan(0.5 * size)) / size**2)
    by_first = np.eye(3) + 0.5 * cross + factor * (cross @ cross)
    return by_first, -np.swapaxes(by_first, -1, -2)


# --- poses and spatial vectors


def mul_pose(pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> Pose:
    """(pos, quat) of a pose given in the frame of another one, the first (mju_mulPose)."""
    return trn_vec_pose(pos1, quat1, pos2), normalize_quat(mul_quat(quat1, quat2))


def neg_pose(pos: Any, quat: Any) -> Pose:
    """(pos, quat) of the opposite transformation (mju_negPose)."""
    inverse = neg_quat(quat)
    return -rot_vec_quat(pos, inverse), inverse


def trn_vec_pose(pos: Any, quat: Any, vec: Any) -> np.ndarray:
    """A point given in the frame of a pose, in the frame around it (mju_trnVecPose)."""
    return rot_vec_quat(vec, quat) + _array("pos", pos, 3)


def transform_spatial(vec: Any, flg_force: bool, newpos: Any, oldpos: Any, rotnew2old: Any = None) -> np.ndarray:
    """A motion or a force about another point, in another frame: six numbers, rotation first (mju_transformSpatial).

    Args:
        vec: (angular, linear) velocity of the old point, or (torque, force) about it.
        flg_force: is it a force?
        newpos: the new point.
        oldpos: the old point.
        rotnew2old: rotation matrix of the new frame in the old one; None for the same axes.
    """
    given = _array("vec", vec, 6)
    offset = _array("oldpos", oldpos, 3) - _array("newpos", newpos, 3)
    rotational, linear = given[..., :3], given[..., 3:]
    if flg_force:
        moved = _by_element(spatial.transport_force, linear, rotational, offset)
    else:
        moved = _join(rotational, linear + np.cross(offset, rotational))
    if rotnew2old is None:
        return moved
    frame = _matrices("rotnew2old", rotnew2old)
    parts = (_by_element(matrix.multiply_transposed, frame, part) for part in (moved[..., :3], moved[..., 3:]))
    return _join(*parts)


# --- arrays


def _array(name: str, value: Any, size: int) -> np.ndarray:
    """Numbers of the user, as many in the last axis as a vector has."""
    array = numbers(name, value)
    if not array.ndim or array.shape[-1] != size:
        raise FieldError(f"{name} has shape ({size},) or (..., {size}), not {array.shape}")
    return array if array.dtype == np.float32 else array.astype(np.float64, copy=False)


def _matrices(name: str, value: Any) -> np.ndarray:
    """3x3 matrices of the user as nine numbers each."""
    array = numbers(name, value)
    if array.shape[-2:] == (3, 3):
        array = array.reshape(*array.shape[:-2], 9)
    elif array.shape[-1:] != (9,):
        raise FieldError(f"{name} has shape (..., 3, 3) or (..., 9), not {array.shape}")
    return array if array.dtype == np.float32 else array.astype(np.float64, copy=False)


def _scalar(name: str, value: Any, vectors: np.ndarray) -> np.ndarray:
    """Numbers of the user, one for each of these vectors: with an axis for the elements of the vector."""
    array = numbers(name, value)[..., None]
    _common_shape(array, vectors)
    return array


def _length(vectors: np.ndarray) -> np.ndarray:
    """Euclidean length, with an axis for the elements."""
    return np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))


def _cross_matrix(vectors: np.ndarray) -> np.ndarray:
    """The matrices (..., 3, 3) of a cross product."""
    flat = _by_element(matrix.cross_matrix, vectors)
    return flat.reshape(*flat.shape[:-1], 3, 3)


def _common_shape(*vectors: np.ndarray) -> tuple[int, ...]:
    """The axes in front that arrays of vectors have together."""
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for array in vectors))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in vectors)
        raise FieldError(f"arrays of shapes {shapes} do not go together") from None


def _join(*parts: np.ndarray) -> np.ndarray:
    """Vectors from their parts."""
    shape = _common_shape(*parts)
    return np.concatenate([np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts], axis=-1)


def _by_element(formula: Callable[..., Any], *vectors: np.ndarray) -> np.ndarray:
    """A formula of the kernels, for many vectors: their elements are arrays instead of numbers."""
    shape = _common_shape(*vectors)
    elements = (tuple(np.moveaxis(array, -1, 0)) for array in vectors)
    return np.stack([np.broadcast_to(element, shape) for element in formula(*elements)], axis=-1)
