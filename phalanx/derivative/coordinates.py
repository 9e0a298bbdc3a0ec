"""Gradients by numbers of qpos and by directions of velocities: a quaternion has four numbers and three directions."""

from __future__ import annotations

import numpy as np

from phalanx.tables.enums import JointType
from phalanx.world.model import Model


class Coordinates:
    """The ways between both, for positions of one model.

    Args:
        model: the model.
    """

    def __init__(self, model: Model):
        self._nq, self._nv = model.nq, model.nv
        plain, quats = [], []
        for kind, q, v in zip(
            model.jnt_type.tolist(), model.jnt_qposadr.tolist(), model.jnt_dofadr.tolist(), strict=True
        ):
            if kind == JointType.FREE:
                plain += [(q + k, v + k) for k in range(3)]
                quats.append((q + 3, v + 3))
            elif kind == JointType.BALL:
                quats.append((q, v))
            else:
                plain.append((q, v))
        self._q, self._v = (np.array([pair[k] for pair in plain], np.int64) for k in range(2))
        self._quats = quats

    def to_directions(self, qpos: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """A gradient (..., nq) by the numbers of qpos as one (..., nv) by directions.

        Along a rotation w the quaternion changes by q (0, w) / 2.
        """
        found = np.zeros((*gradient.shape[:-1], self._nv))
        found[..., self._v] = gradient[..., self._q]
        for q, v in self._quats:
            found[..., v : v + 3] = 0.5 * np.einsum(
                "...ij,...i->...j", _right(unit(qpos[..., q : q + 4])), gradient[..., q : q + 4]
            )
        return found

    def to_numbers(self, qpos: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """A gradient (..., nv) by directions as one (..., nq) by the numbers of qpos.

        A change of a quaternion rotates by w = 2 vec(q* dq) / |q|; its length has no effect.
        """
        found = np.zeros((*gradient.shape[:-1], self._nq))
        found[..., self._q] = gradient[..., self._v]
        for q, v in self._quats:
            quat = qpos[..., q : q + 4]
            length = np.linalg.norm(quat, axis=-1, keepdims=True)
            rotated = np.einsum("...ij,...j->...i", _right(unit(quat)), gradient[..., v : v + 3])
            found[..., q : q + 4] = 2.0 * rotated / np.where(length > 0, length, 1.0)
        return found


def unit(quat: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of length one; one of zero length is no rotation, as in kinematics."""
    length = np.linalg.norm(quat, axis=-1, keepdims=True)
    return np.where(length > 0, quat / np.where(length > 0, length, 1.0), np.array([1.0, 0.0, 0.0, 0.0]))


def _right(quat: np.ndarray) -> np.ndarray:
    """(..., 4, 3): q (0, w) is this matrix times w."""
    w, x, y, z = np.moveaxis(quat, -1, 0)
    rows = [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
