"""Poses of bodies and loose shapes, frame by frame, as whole numbers.

Positions are multiples of a step (2^-16 of the extent of the model, or coarser if something is very far away), so they
are off by at most half of it; the numbers of a quaternion by at most 1.6e-5, an orientation by less than 1e-4 rad.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from phalanx.scene.quaternions import quats_of
from phalanx.scene.shapes import Shapes
from phalanx.show.replay.packed import Packed, Place
from phalanx.show.replay.page_assets import WITH_SURFACE, Surfaces
from phalanx.tables.enums import GeomType

#: Steps in the extent of the model, and the largest multiple: differences of two of them, with a sign, take 32 bits.
_FINENESS, _MOST = 2**16, 2**29
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
        self._frames: list[Shapes] = []

    def add(self, shapes: Shapes) -> None:
        """The shapes of the next frame."""
        # in memory of their own: those of a Data change
        self._frames.append(Shapes.joined([shapes]))

    @property
    def is_empty(self) -> bool:
        """Is there no shape in any frame?"""
        return not any(len(frame) for frame in self._frames)

    def positions(self) -> list[np.ndarray]:
        """Positions of each frame, for the choice of the step."""
        return [frame.pos for frame in self._frames]

    def place(self, packed: Packed, step: float) -> Place:
        """The track of all frames."""
        shapes = Shapes.joined(self._frames)
        numbers = np.concatenate(
            [self._head(shapes), shapes.pos, quats_of(shapes.mat), shapes.size, shapes.rgba], axis=1
        )
        scales = [1.0] * _HEAD + [step] * 3 + [1 / _QUAT] * 4 + [step / _SIZE] * 3 + [1 / _COLOR] * 4
        counts = np.array([len(frame) for frame in self._frames])
        with np.errstate(over="ignore"):  # what is too large for the page is as large as can be
            whole = np.clip(np.rint(numbers / scales), -_MOST, _MOST)
        return packed.track(whole, counts, scales)

    def _head(self, shapes: Shapes) -> np.ndarray:
        """Kind, surface, body and text of each shape."""
        head = np.zeros((len(shapes), _HEAD))
        for kind in np.unique(shapes.kind).tolist():
            (name,) = kind_names(np.array([kind]))
            head[shapes.kind == kind, 0] = KINDS.index(name)
            for dataid in np.unique(shapes.dataid[shapes.kind == kind]).tolist() if name == "mesh" else ():
                head[(shapes.kind == kind) & (shapes.dataid == dataid), 1] = self._surfaces.index(kind, dataid)
        head[:, 2] = shapes.bodyid
        head[:, 3] = [1 + self._labels.setdefault(text, len(self._labels)) if text else 0 for text in shapes.labels]
        return head


def rotated_back(mats: np.ndarray, vectors: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Vectors (n, 3) of the world in frames (n, 3, 3)."""
    return np.einsum("nij,ni->nj", mats, vectors)
