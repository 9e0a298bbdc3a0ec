"""Poses of bodies and loose shapes, frame by frame, as whole numbers.

Positions are multiples of a step (2^-16 of the extent of the model, or coarser if something is very far away), so they
are off by at most half of it; the numbers of a quaternion by at most 1.6e-5, an orientation by less than 1e-4 rad.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.show.replay.page_assets import WITH_SURFACE, Surfaces
from phalanx.show.replay.pack import Packed, Place
from phalanx.tables.enums import GeomType

#: Steps in the extent of the model, and the largest multiple that is stored.
_FINENESS, _MOST = 2**16, 2**30
#: Steps in 1 of a quaternion, of a color.
_QUAT, _COLOR = 32767, 255
#: Sizes are this much finer than positions.
_SIZE = 16
#: Channels of a loose shape, before its pose: kind, mesh, body, text.
_HEAD = 4
#: Kinds of shapes in the order of their codes in tracks, as the page names them.
KINDS = ("", "plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "arrow", "mesh")


def kind_names(kinds: np.ndarray) -> list[str]:
    """The name of each kind in the page; "" for what only has a label."""
    return [_kind_name(int(kind)) for kind in kinds]


def _kind_name(kind: int) -> str:
    if kind in WITH_SURFACE:
        return "mesh"
    name = GeomType(kind).name.lower()
    return name if name in KINDS else "arrow" if name.startswith("arrow") else ""


def step_of(extent: float, positions: Iterable[np.ndarray]) -> float:
    """The unit of positions [m]."""
    farthest = max((float(np.abs(array).max(initial=0.0)) for array in positions), default=0.0)
    return max(extent / _FINENESS, farthest / _MOST)


def continuous(quats: np.ndarray) -> np.ndarray:
    """Quaternions (frames, n, 4) with signs such that none jumps to its opposite."""
    signs = np.where((quats[1:] * quats[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    return np.concatenate([quats[:1], quats[1:] * np.cumprod(signs, axis=0)[..., None]])


def pose_track(packed: Packed, positions: np.ndarray, quats: np.ndarray, step: float) -> Place:
    """Poses (frames, n, 3) and (frames, n, 4) of n objects."""
    frames, n = positions.shape[:2]
    whole = np.concatenate([np.rint(positions / step), np.rint(continuous(quats) * _QUAT)], axis=-1)
    return packed.track(whole.reshape(frames * n, 7), np.full(frames, n), [step] * 3 + [1 / _QUAT] * 4)


class LooseTrack:
    """Collects shapes that are new in every frame: tendons, contacts, arrows, marks.

    Args:
        surfaces: those of the page; shapes add what they need.
        labels: texts of the page -> their indices; shapes add theirs.
    """

    def __init__(self, surfaces: Surfaces, labels: dict[str, int]):
        self._surfaces, self._labels = surfaces, labels
        self._frames: list[np.ndarray] = []

    def add(self, shapes: Shapes) -> None:
        """The shapes of the next frame."""
        names = kind_names(shapes.kind)
        head = np.zeros((len(shapes), _HEAD))
        for k, (kind, name) in enumerate(zip(shapes.kind.tolist(), names, strict=True)):
            head[k, 0] = KINDS.index(name)
            if name == "mesh":
                head[k, 1] = self._surfaces.index(kind, int(shapes.dataid[k]))
            if shapes.labels[k]:
                head[k, 3] = 1 + self._labels.setdefault(shapes.labels[k], len(self._labels))
        head[:, 2] = shapes.bodyid
        quats = quats_of(shapes.mat)
        self._frames.append(np.concatenate([head, shapes.pos, quats, shapes.size, shapes.rgba], axis=1))

    @property
    def is_empty(self) -> bool:
        """Is there no shape in any frame?"""
        return not any(len(frame) for frame in self._frames)

    def positions(self) -> list[np.ndarray]:
        """Positions of each frame, for the choice of the step."""
        return [frame[:, _HEAD : _HEAD + 3] for frame in self._frames]

    def place(self, packed: Packed, step: float) -> Place:
        """The track of all frames."""
        scales = [1.0] * _HEAD + [step] * 3 + [1 / _QUAT] * 4 + [step / _SIZE] * 3 + [1 / _COLOR] * 4
        counts = np.array([len(frame) for frame in self._frames])
        whole = np.rint(np.concatenate(self._frames) / scales)
        return packed.track(np.clip(whole, -_MOST, _MOST), counts, scales)


def quats_of(mats: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4), w first, of rotation matrices (n, 9) or (n, 3, 3); the largest number is positive."""
    m = np.asarray(mats, float).reshape(-1, 3, 3)
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    # each column of four is the quaternion times four times one of its numbers: take the largest
    products = np.empty((len(m), 4, 4))
    products[:, 0, 0], products[:, 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    products[:, 2, 2], products[:, 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    products[:, 0, 1] = products[:, 1, 0] = m[:, 2, 1] - m[:, 1, 2]
    products[:, 0, 2] = products[:, 2, 0] = m[:, 0, 2] - m[:, 2, 0]
    products[:, 0, 3] = products[:, 3, 0] = m[:, 1, 0] - m[:, 0, 1]
    products[:, 1, 2] = products[:, 2, 1] = m[:, 0, 1] + m[:, 1, 0]
    products[:, 1, 3] = products[:, 3, 1] = m[:, 0, 2] + m[:, 2, 0]
    products[:, 2, 3] = products[:, 3, 2] = m[:, 1, 2] + m[:, 2, 1]
    largest = np.argmax(products[:, range(4), range(4)], axis=1)
    quats = products[np.arange(len(m)), largest]
    return quats / np.maximum(np.linalg.norm(quats, axis=1, keepdims=True), 1e-300)


def rotated_back(mats: np.ndarray, vectors: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Vectors (n, 3) of the world in frames (n, 3, 3)."""
    return np.einsum("nij,ni->nj", mats, vectors)
