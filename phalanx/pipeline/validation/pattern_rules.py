"""Sparse patterns: rows follow each other, and hold what the tree of dofs and the paths of tendons give."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline import derive
from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import (
    Arrays,
)


def _row_layout(name: str, count: str, sizes: Sizes, arrays: Arrays) -> Broken:
    """Rows of a sparse pattern that do not lie one after the other, from the first entry to the last."""
    prefix = name.split("_")[0]
    num, start = arrays[f"{prefix}_rownnz"].astype(np.int64), arrays[f"{prefix}_rowadr"]
    if name.endswith("rownnz"):
        bad = (num < 1) | (num > sizes["nv"])
        return bad, f"a row of {prefix} has from 1 to nv entries ({sizes['nv']})"
    bad = (start != np.cumsum(num) - num) | (start + num > sizes[count])
    return bad, f"the rows of {prefix} must follow each other as {prefix}_rownnz says ({count} in all)"


def inertia_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Row i holds ancestors of dof i in increasing order, then i; the row of an ancestor is a prefix of it."""
    if name != "M_colind":
        yield _row_layout(name, "nC", sizes, arrays)
        return
    num, start = arrays["M_rownnz"].astype(np.int64), arrays["M_rowadr"].astype(np.int64)
    if int(num.sum()) != len(array):
        yield np.ones(len(array), bool), "the rows of M must fill nC"
        return
    row = np.repeat(np.arange(len(num)), num)
    place = np.arange(len(array)) - start[row]
    is_last = place == num[row] - 1
    bad = np.where(is_last, array != row, (array < 0) | (array >= row))
    # before the diagonal: the row of the nearest ancestor
    nearest = np.where(num > 1, array[np.maximum(start + num - 2, 0)], 0)
    nearest = np.clip(nearest, 0, len(num) - 1)
    above = start[nearest][row] + place
    bad |= ~is_last & ((num[nearest][row] != num[row] - 1) | (array[np.clip(above, 0, len(array) - 1)] != array))
    yield bad, "a row of M holds the row of its nearest ancestor, then its own dof"


def square_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Row i of D holds the dofs above and below i in increasing order, and i itself at D_diag."""
    num, start = arrays["D_rownnz"].astype(np.int64), arrays["D_rowadr"].astype(np.int64)
    if name in ("D_rownnz", "D_rowadr"):
        yield _row_layout(name, "nD", sizes, arrays)
    elif name == "D_diag":
        place = start + array
        is_in = (array >= 0) & (array < num)
        column = arrays["D_colind"][np.clip(place, 0, max(sizes["nD"] - 1, 0))]
        yield ~is_in | (column != np.arange(len(array))), "D_colind must have the dof itself at this place of its row"
    else:
        if int(num.sum()) != len(array):
            yield np.ones(len(array), bool), "the rows of D must fill nD"
            return
        row = np.repeat(np.arange(len(num)), num)
        expected = _square_columns(arrays, len(num))
        yield (
            array != expected if expected is not None and len(expected) == len(array) else row >= 0,
            ("a row of D holds the dofs above and below its own, in order (dof_parentid)"),
        )


def _square_columns(arrays: Arrays, nv: int) -> np.ndarray | None:
    """Columns of D as dof_parentid gives them; None if that is no tree."""
    parents = arrays["dof_parentid"].tolist()
    chains: list[list[int]] = []
    below: list[list[int]] = [[] for _ in range(nv)]
    for dof, parent in enumerate(parents):
        if not -1 <= parent < dof:
            return None
        chain = [*chains[parent], dof] if parent >= 0 else [dof]
        for ancestor in chain[:-1]:
            below[ancestor].append(dof)
        chains.append(chain)
    return np.array([column for dof in range(nv) for column in (*chains[dof], *below[dof])], np.int64)


def tendon_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The dofs that can change the length of each tendon, row after row."""
    known = dict(arrays)
    rows = [derive.dofs_of_tendon(known, tendon) for tendon in range(sizes["ntendon"])]
    counts = np.array([len(row) for row in rows], np.int64)
    wanted = {
        "ten_J_rownnz": counts,
        "ten_J_rowadr": np.cumsum(counts) - counts,
        "ten_J_colind": np.array([dof for row in rows for dof in row], np.int64),
    }[name]
    is_same = len(wanted) == len(array)
    yield array != wanted if is_same else np.ones(array.shape, bool), "the path of the tendon gives another pattern"
