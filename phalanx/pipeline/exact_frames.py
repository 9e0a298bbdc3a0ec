"""Frames that coincide.

MuJoCo takes two frames that differ by less than 1e-6 as one, and copies the frame instead of composing it. Kernels do
not look at its flags (body_sameframe, geom_sameframe, site_sameframe); they read offsets that are exact where frames
coincide: zero, the identity, or those of the inertial frame. What users see in a Model stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

#: Frames closer than this in every component coincide.
TOLERANCE = 1e-6

#: Rows that place something in a body frame.
FRAME_ROWS = ("body_ipos", "body_iquat", "geom_pos", "geom_quat", "site_pos", "site_quat")


def _is_near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (np.abs(a - b) < TOLERANCE).all(axis=1, keepdims=True)


def _is_same_rotation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return _is_near(a, b) | _is_near(a, -b)


def _is_no_rotation(quat: np.ndarray, identity: np.ndarray) -> np.ndarray:
    """Is it near the identity, of either sign?"""
    return _is_near(np.abs(quat), identity)


def _is_zero(pos: np.ndarray) -> np.ndarray:
    return (np.abs(pos) < TOLERANCE).all(axis=1, keepdims=True)


def exact_frames(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The frame rows, exact where frames coincide. Rows may have a trailing axis of worlds; each is checked alone."""
    identity = np.zeros_like(arrays["body_iquat"][:1])
    identity[:, 0] = 1
    ipos, iquat = arrays["body_ipos"], arrays["body_iquat"]
    rotates_with_body = _is_no_rotation(iquat, identity)
    exact = {
        "body_ipos": np.where(rotates_with_body & _is_zero(ipos), 0, ipos),
        "body_iquat": np.where(rotates_with_body, identity, iquat),
    }
    for kind in ("geom", "site"):
        body = arrays[f"{kind}_bodyid"]
        if not len(body):
            continue
        pos, quat = arrays[f"{kind}_pos"], arrays[f"{kind}_quat"]
        rotates_with_body = _is_no_rotation(quat, identity)
        rotates_with_inertia = _is_same_rotation(quat, iquat[body]) & ~rotates_with_body
        at_body = rotates_with_body & _is_zero(pos)
        at_inertia = rotates_with_inertia & _is_near(pos, ipos[body])
        exact[f"{kind}_pos"] = np.where(at_body, 0, np.where(at_inertia, exact["body_ipos"][body], pos))
        rotation = np.where(rotates_with_inertia, exact["body_iquat"][body], quat)
        exact[f"{kind}_quat"] = np.where(rotates_with_body, identity, rotation)
    return exact
