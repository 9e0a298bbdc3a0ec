"""Shapes of a scene: arrays with a row for each shape that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np


@dataclass
class Shapes:
    """n shapes. Rows may share memory with fields of a Data: read them before the next step.

    Attributes:
        kind: GeomType; besides geoms, ARROW (a shaft and a pointed head from the origin along +z; size: radius of the
            shaft, radius of the head, length; the head is the last third), SKIN (triangles in the world frame, see
            `skin_vertices`), FLEX (the same, see `flex_vertices`), LABEL (only text).
        pos: origin in the world [m], (n, 3).
        mat: rotation matrix, row by row, (n, 9).
        size: as `geom_size` of the kind [m], (n, 3).
        rgba: color, (n, 4), each 0 to 1; of the material where there is one.
        matid: material of the Model, -1 if none, (n,).
        dataid: mesh, height field, skin or flex (see `flex_form`), -1 if none, (n,); from `nmesh` on a grid of signed
            distances, from `nmesh + ngrid` on the convex hull of a mesh.
        objtype: ObjType of what the shape stands for; UNKNOWN for marks of the user, (n,).
        objid: its id, (n,).
        bodyid: body that carries it, -1 if none, (n,).
        decor: True for what is not an object of the world: contacts, axes, frames, marks, (n,). Decor casts no shadow.
        labels: text beside the shape, "" for none, n of them.
    """

    kind: np.ndarray
    pos: np.ndarray
    mat: np.ndarray
    size: np.ndarray
    rgba: np.ndarray
    matid: np.ndarray
    dataid: np.ndarray
    objtype: np.ndarray
    objid: np.ndarray
    bodyid: np.ndarray
    decor: np.ndarray
    labels: list[str]

    def __len__(self) -> int:
        return len(self.kind)

    @classmethod
    def empty(cls, n: int = 0) -> Shapes:
        """n rows of zeros, white, upright, without material, data or object."""
        integers = {name: np.full(n, -1, np.int32) for name in ("matid", "dataid", "objid", "bodyid")}
        return cls(
            kind=np.zeros(n, np.int32),
            pos=np.zeros((n, 3)),
            mat=np.tile(np.eye(3).ravel(), (n, 1)),
            size=np.zeros((n, 3)),
            rgba=np.ones((n, 4), np.float32),
            objtype=np.zeros(n, np.int32),
            decor=np.zeros(n, bool),
            labels=[""] * n,
            **integers,
        )

    @classmethod
    def joined(cls, parts: Sequence[Shapes]) -> Shapes:
        """All rows of several Shapes, in order."""
        arrays = [row.name for row in fields(cls) if row.name != "labels"]
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
        return cls(**columns, labels=[label for part in parts for label in part.labels])
