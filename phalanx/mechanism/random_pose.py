"""Random positions of joints within their limits."""

from __future__ import annotations

import numpy as np

from phalanx.tables.enums import JointType
from phalanx.world.model import Model


def random_poses(
    model: Model, qpos: np.ndarray, free: np.ndarray, seed: int, attempt: int, problems: np.ndarray
) -> np.ndarray:
    """Positions (k, nq), random for joints that may move; others, free joints and slides without limits stay.

    Args:
        model: the model.
        qpos: positions before, (k, nq).
        free: 1 for dofs that may move.
        seed, attempt: what the random numbers depend on,
        problems: and for each of the k poses, the index of its problem.
    """
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, attempt], np.uint64)))
    # numbers are drawn for all problems up to the last, so that those of one do not depend on the others
    uniform = rng.random((int(problems.max()) + 1, model.nq))[problems]
    poses = qpos.copy()
    for joint in range(model.njnt):
        kind, address = JointType(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
        is_scalar = kind == JointType.HINGE or (kind == JointType.SLIDE and model.jnt_limited[joint])
        low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-np.pi, np.pi)
        if not free[model.jnt_dofadr[joint]]:
            continue
        if is_scalar:
            poses[:, address] = low + (high - low) * uniform[:, address]
        elif kind == JointType.BALL:
            poses[:, address : address + 4] = _rotations(high, *uniform[:, address : address + 3].T)
    return poses


def _rotations(most: float, u: np.ndarray, v: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Quaternions (k, 4) about random axes by at most an angle, from numbers between 0 and 1."""
    half, height, angle = 0.5 * most * u, 2.0 * v - 1.0, 2.0 * np.pi * w
    radius = np.sqrt(1.0 - height * height)
    axes = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)
    return np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * axes], axis=1)
