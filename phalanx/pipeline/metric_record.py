"""efm_L, one packed record as MuJoCo has it: the factor of the metric of a step, or what is in each island.

Whole numbers are in the bits of reals, two in each of double precision.

After the flag FACTOR: how many entries there are; the place of each covered vertex in the order of elimination;
lengths, addresses and columns of the rows of L, with L' L = M + K; for each vertex, where its list of later rows
begins, the lists, and where its columns begin in these rows; then the entries.

After the flag ISLANDS: how many islands, covered vertices, dofs of the bending metric and flexes there are; then three
times where the list of each island begins, and the lists: of covered vertices, of dofs of the bending metric, of flexes
without a matrix.

Solids and cells have no factor, nor have vertices that share no edge. Vertices on both sides of a bent edge share none:
what couples them is in the factor only where others fill it in, else it is moved to the diagonal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.pipeline.block_factor import Blocks, factored_rows, filled_rows
from phalanx.pipeline.stiffness_pattern import StiffnessPattern, first_dof, is_stiff, rod_stencils
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.solvers import FACTORING

FACTOR, ISLANDS = 1.0, -1.0
SURFACE = 2


def metric_record(m: Any, d: dict[str, np.ndarray], pattern: StiffnessPattern) -> np.ndarray:
    """The record of a Data whose stiffness matrix is there.

    Raises:
        FieldError: the metric is not positive definite, by rounding.
    """
    pairs = _edges(m, pattern)
    if pairs:
        return _factor(m, d, pattern, pairs)
    if m.nflex and d["nisland"] and has_step_metric(m):
        return _islands(m, d, pattern)
    return np.zeros(0)


def _packed(dtype: np.dtype, flag: float, whole: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The flag, whole numbers in the bits of reals, and reals."""
    each = dtype.itemsize // np.dtype(np.int32).itemsize
    words = np.zeros(each * -(-len(whole) // each), np.int32)
    words[: len(whole)] = whole
    return np.concatenate([np.array([flag], dtype), words.view(dtype), values.astype(dtype)])


# --- the factor


def _edges(m: Any, pattern: StiffnessPattern) -> set[tuple[int, int]]:
    """Pairs of covered vertices that share an edge or a hinge of a rod; none if a solid or cells are covered, too."""
    if not np.isin(pattern.dofid, m.efmC_perm).all():
        return set()
    number = {int(dof): vertex for vertex, dof in enumerate(pattern.dofid)}
    pairs: set[tuple[int, int]] = set()
    for flex in np.flatnonzero(pattern.flexes):
        is_solid = bool(m.flex_interp[flex]) or m.flex_dim[flex] > SURFACE
        bodies = m.flex_nodebodyid if m.flex_interp[flex] else m.flex_vertbodyid
        for stencil in _stencils(m, int(flex)):
            found = {number[dof] for point in stencil if (dof := first_dof(m, int(bodies[point]))) in number}
            if found and is_solid:
                return set()
            pairs |= {(one, two) for one in found for two in found if one != two}
    return pairs


def _stencils(m: Any, flex: int) -> Iterator[np.ndarray]:
    """Points that are coupled in the pattern of the factor, counted over all flexes."""
    if m.flex_interp[flex]:
        yield np.arange(m.flex_nodeadr[flex], m.flex_nodeadr[flex] + m.flex_nodenum[flex])
    elif m.flex_dim[flex] == 1:
        yield from rod_stencils(m, flex)
    else:
        first, edge = m.flex_vertadr[flex], m.flex_edgeadr[flex]
        yield from first + m.flex_edge[edge : edge + m.flex_edgenum[flex]]


def _factor(m: Any, d: dict[str, np.ndarray], pattern: StiffnessPattern, pairs: set[tuple[int, int]]) -> np.ndarray:
    count = len(pattern.dofid)
    order = {int(dof): k for k, dof in enumerate(m.efmC_perm[m.efmC_perm >= 0])}
    place = np.argsort(np.argsort([order[int(dof)] for dof in pattern.dofid]))
    lower = [(int(place[one]), int(place[two])) for one, two in pairs if place[one] > place[two]]
    struct, parents = filled_rows(lower, count)
    kept = {(row, k) for row, columns in enumerate(struct) for k in columns}
    try:
        with np.errstate(all="ignore"):
            values = factored_rows(_blocks(m, d, pattern, place, kept), struct, parents)
    except ArithmeticError:
        raise FieldError(
            "efm_L cannot be computed: the stiffness of a flex is so large, or its state so far away, that the metric "
            "has no factor"
        ) from None
    lengths = np.array([3 * len(columns) + k + 1 for columns in struct for k in range(3)])
    addresses = np.cumsum(lengths) - lengths
    around = [[3 * other + k for other in (*columns, row) for k in range(3)] for row, columns in enumerate(struct)]
    entries = [(row, k, 3 * len(struct[row]) + k + 1) for row in range(count) for k in range(3)]
    # the lists of columns: which rows follow, and where the blocks are in them
    later = _later(lower, parents)
    places = [[3 * struct[row].index(column) for row in rows] for column, rows in enumerate(later)]
    whole = [
        [lengths.sum()],
        place,
        lengths,
        addresses,
        *(around[row][:length] for row, _, length in entries),
        np.cumsum([0, *map(len, later)]),
        *later,
        *places,
    ]
    numbers = np.concatenate([values[row][k, :length] for row, k, length in entries])
    return _packed(d["efm_L"].dtype, FACTOR, np.concatenate([np.asarray(part, np.int32) for part in whole]), numbers)


def _later(lower: list[tuple[int, int]], parents: list[int]) -> list[list[int]]:
    """Rows after the diagonal of each column of L: those of the matrix, each with the parents that it fills in."""
    found: list[list[int]] = [[] for _ in parents]
    for row, column in sorted(lower):
        while row > column and row not in found[column]:
            found[column].append(row)
            row = parents[row]
    return found


def _blocks(
    m: Any, d: dict[str, np.ndarray], pattern: StiffnessPattern, place: np.ndarray, kept: set[tuple[int, int]]
) -> Blocks:
    """M + K in the order of elimination, the lower triangle; blocks beside the pattern are moved to the diagonal."""
    blocks: Blocks = {(vertex, vertex): np.zeros((3, 3)) for vertex in range(len(place))}
    number = {int(dof) + k: (int(at), k) for dof, at in zip(pattern.dofid, place, strict=True) for k in range(3)}
    for dof, (vertex, i) in number.items():
        # M has its lower triangle, and couples no two vertices
        for k in range(m.M_rowadr[dof], m.M_rowadr[dof] + m.M_rownnz[dof]):
            if int(m.M_colind[k]) in number:
                j = number[int(m.M_colind[k])][1]
                blocks[vertex, vertex][i, j] = blocks[vertex, vertex][j, i] = d["M"][k]
    for dof, (vertex, i) in number.items():
        for k in range(pattern.rowadr[dof], pattern.rowadr[dof] + pattern.rownnz[dof]):
            other, j = number.get(int(pattern.colind[k]), (-1, 0))
            if 0 <= other <= vertex:
                blocks.setdefault((vertex, other), np.zeros((3, 3)))[i, j] += d["efm_K_val"][k]
    for vertex, other in [pair for pair in blocks if pair[0] != pair[1] and pair not in kept]:
        dropped = np.abs(blocks.pop((vertex, other)))
        blocks[vertex, vertex] += np.diag(dropped.sum(axis=1))
        blocks[other, other] += np.diag(dropped.sum(axis=0))
    return blocks


# --- islands


def _islands(m: Any, d: dict[str, np.ndarray], pattern: StiffnessPattern) -> np.ndarray:
    count, island = int(d["nisland"]), d["dof_island"]
    is_searched = m.opt.solver not in FACTORING
    bent = m.efm0_dofid if is_searched and not pattern.flexes.any() else np.zeros(0, int)
    left = [flex for flex in range(m.nflex) if is_searched and is_stiff(m, flex) and not pattern.flexes[flex]]
    places = [[(int(island[dof]), k) for k, dof in enumerate(dofs)] for dofs in (pattern.dofid, bent)]
    places.append([(int(island[_any_dof(m, flex)]), flex) for flex in left])
    whole = [count, len(pattern.dofid), len(bent), m.nflex]
    for listed, room in zip(places, whole[1:], strict=True):
        chosen = sorted(one for one in listed if one[0] >= 0)
        starts = np.searchsorted([one[0] for one in chosen], np.arange(count + 1))
        whole += [*starts.tolist(), *(k for _, k in chosen), *[0] * (room - len(chosen))]
    return _packed(d["efm_L"].dtype, ISLANDS, np.array(whole, np.int32), np.zeros(0))


def _any_dof(m: Any, flex: int) -> int:
    """A dof that moves a flex."""
    cells = bool(m.flex_interp[flex])
    bodies, start = (m.flex_nodebodyid, m.flex_nodeadr) if cells else (m.flex_vertbodyid, m.flex_vertadr)
    dofs = (first_dof(m, int(body)) for body in bodies[start[flex] :])
    return next(dof for dof in dofs if dof >= 0)
