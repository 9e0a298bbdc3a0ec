"""Field-by-field comparison of our compiled Model with MuJoCo's."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx import Model
from phalanx.model.layout import MODEL_SCHEMA
from phalanx.tables.field import Kind

#: Sizes that describe MuJoCo's memory, and rows that only we have.
OURS = frozenset(("nbuffer", "ngrid", "ngriddata", "ncandidate"))
RELATIVE = 1e-12


def differences(ours: Model, theirs: Any, skip: tuple[str, ...] = ()) -> dict[str, str]:
    """Every size and row in which two models differ, with what differs most."""
    other = Model.from_mujoco(theirs)
    found = {}
    for name in MODEL_SCHEMA.sizes:
        if name not in OURS and name not in skip:
            a, b = ours._store.sizes[name], other._store.sizes[name]
            if a != b:
                found[name] = f"{a} != {b}"
    for name, row in MODEL_SCHEMA.fields.items():
        if row.mujoco == "-" or name in skip:
            continue
        a, b = ours._store.arrays[name], other._store.arrays[name]
        message = _difference(row, a, b)
        if message:
            found[name] = message
    return found


def _difference(row: Any, a: np.ndarray, b: np.ndarray) -> str:
    if a.shape != b.shape:
        return f"shape {a.shape} != {b.shape}"
    if not a.size:
        return ""
    if row.kind in (Kind.INT, Kind.BOOL, Kind.BYTE, Kind.SIZE):
        bad = a != b
    else:
        scale = np.abs(b).max() if b.ndim else abs(b)
        relative = 1e-6 if row.kind is Kind.FLOAT32 else RELATIVE
        bad = ~(np.abs(a.astype(float) - b.astype(float)) <= relative * max(float(scale), 1e-30))
    if not bad.any():
        return ""
    place = tuple(int(k) for k in np.argwhere(bad)[0]) if a.ndim else ()
    return f"{int(bad.sum())} of {a.size} differ, first at {place}: {a[place]} != {b[place]}"
