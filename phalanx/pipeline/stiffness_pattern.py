"""Where the stiffness matrix of flexes has entries, as MuJoCo has it: which flexes are in it, rows and columns of dofs.

Points of a flex that share an element, a bent edge, a hinge of a rod or a cell are coupled: each dof that moves one of
them with each that moves another. A flex is plain if bodies with sliders along x, y, z carry it, or such that never
move. Newton's method has all flexes in the matrix; conjugate gradients have plain ones, and none at all if there is
nothing but bending.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from phalanx.constraint.passive_contact import asks_for_passive
from phalanx.smooth.flex.cells import is_elastic_cell
from phalanx.smooth.flex.elastic_rod import has_frames, hinge_count, record_of
from phalanx.smooth.flex.faces import corner_count, part_count, part_node
from phalanx.smooth.flex.forces import resists_stretching
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import JointType
from phalanx.tables.solvers import DUAL, FACTORING

#: body_simple of a body that only slides, alone in its tree.
SLIDES_ONLY = 2


class StiffnessPattern(NamedTuple):
    """Which flexes are in the matrix, its rows and columns, points that are covered, and whether all of it is plain."""

    flexes: np.ndarray
    rownnz: np.ndarray
    rowadr: np.ndarray
    colind: np.ndarray
    dofid: np.ndarray
    is_plain: bool


def stiffness_pattern(m: Any) -> StiffnessPattern:
    """The pattern of a Model, as kernels see it."""
    flexes = _in_matrix(m)
    pairs = [np.zeros(0, np.int64)]
    for flex in np.flatnonzero(flexes):
        chains: dict[int, np.ndarray] = {}
        bodies = m.flex_nodebodyid if m.flex_interp[flex] else m.flex_vertbodyid
        found: set[tuple[int, ...]] = set()
        for points in _stencils(m, int(flex)):
            found.add(tuple(sorted({int(m.body_weldid[bodies[point]]) for point in points})))
        for coupled in found:
            dofs = np.concatenate([chains.setdefault(body, _chain(m, body)) for body in coupled])
            dofs = np.unique(dofs)
            pairs.append((dofs[:, None] * m.nv + dofs).ravel())
    keys = np.unique(np.concatenate(pairs))
    rownnz = np.bincount(keys // max(m.nv, 1), minlength=m.nv)
    rowadr = np.concatenate([[0], np.cumsum(rownnz)])[: m.nv] if len(keys) else np.zeros(m.nv, np.int64)
    is_plain = all(_is_plain(m, int(flex)) for flex in np.flatnonzero(flexes))
    return StiffnessPattern(flexes, rownnz, rowadr, keys % max(m.nv, 1), _covered(m, rownnz), is_plain)


def _in_matrix(m: Any) -> np.ndarray:
    """Which flexes are in the matrix."""
    stiff = np.array([is_stiff(m, flex) for flex in range(m.nflex)], bool)
    if not has_step_metric(m) or m.opt.solver in DUAL:
        return np.zeros(m.nflex, bool)
    if m.opt.solver in FACTORING:
        return stiff
    stiff &= np.array([_is_plain(m, flex) for flex in range(m.nflex)], bool)
    needed = any(asks_for_passive(m, flex) for flex in range(m.nflex))
    needed = needed or any(not _only_bends(m, int(flex)) for flex in np.flatnonzero(stiff))
    return stiff if needed else np.zeros(m.nflex, bool)


def is_stiff(m: Any, flex: int) -> bool:
    """Does a flex resist deformation, but by springs along its edges?"""
    if m.flex_rigid[flex]:
        return False
    if m.flex_interp[flex]:
        return bool(is_elastic_cell(m, flex))
    if m.flex_dim[flex] == 1:
        return int(hinge_count(m, flex)) > 0
    return bool(m.flex_bendingadr[flex] >= 0 or resists_stretching(m, flex))


def _only_bends(m: Any, flex: int) -> bool:
    return not m.flex_interp[flex] and m.flex_dim[flex] > 1 and not resists_stretching(m, flex)


def _is_plain(m: Any, flex: int) -> bool:
    """Do points carry a flex, and bodies that never move? Cells are all plain, or none is."""
    if m.flex_interp[flex]:
        cells = [other for other in range(m.nflex) if m.flex_interp[other] and not m.flex_rigid[other]]
        ranges = [(m.flex_nodebodyid, m.flex_nodeadr[other], m.flex_nodenum[other]) for other in cells]
    else:
        ranges = [(m.flex_vertbodyid, m.flex_vertadr[flex], m.flex_vertnum[flex])]
    return all(_is_fixed_or_point(m, int(body)) for bodies, start, count in ranges for body in bodies[start:][:count])


def _is_fixed_or_point(m: Any, body: int) -> bool:
    return _is_fixed(m, body) or _is_point(m, int(m.body_weldid[body]))


def _is_fixed(m: Any, body: int) -> bool:
    """Does no joint move a body? Users move mocap bodies."""
    return not m.body_dofnum[m.body_weldid[body]]


def _is_point(m: Any, body: int) -> bool:
    """Has a body three sliders along its axes, in their order, in a frame that never moves?"""
    joints = slice(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body])
    if m.body_jntnum[body] != 3 or not _is_fixed(m, int(m.body_parentid[body])):
        return False
    return bool((m.jnt_type[joints] == JointType.SLIDE).all() and (m.jnt_axis[joints] == np.eye(3)).all())


def first_dof(m: Any, body: int) -> int:
    """The first dof of what a body is fixed to, or -1."""
    weld = m.body_weldid[body]
    return int(m.body_dofadr[weld]) if m.body_dofnum[weld] else -1


def _chain(m: Any, body: int) -> np.ndarray:
    """Dofs that move a body."""
    dofs, dof = [], int(last_dof(m, body))
    while dof >= 0:
        dofs.append(dof)
        dof = int(m.dof_parentid[dof])
    return np.array(dofs, np.int64)


def _stencils(m: Any, flex: int) -> Iterator[np.ndarray]:
    """Vertices, or nodes, that are coupled, counted over all flexes."""
    if m.flex_interp[flex]:
        count = int(corner_count(m, flex))
        for cell in range(int(part_count(m, flex))):
            matrix = m.flex_stiffnessadr[flex] + cell * 9 * count * count
            if m.flex_interp[flex] < 0 or m.flex_stiffness[matrix] != 0:
                yield m.flex_nodeadr[flex] + np.array([part_node(m, flex, cell, k) for k in range(count)])
        return
    first = m.flex_vertadr[flex]
    if m.flex_dim[flex] == 1:
        yield from rod_stencils(m, flex)
        return
    edges = slice(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex])
    if m.flex_bendingadr[flex] >= 0:
        yield from (first + np.concatenate([m.flex_edge, m.flex_edgeflap], 1)[edges])[m.flex_edgeflap[edges, 1] >= 0]
    if resists_stretching(m, flex):
        corners = m.flex_dim[flex] + 1
        elements = m.flex_elem[m.flex_elemdataadr[flex] :][: corners * m.flex_elemnum[flex]]
        yield from first + elements.reshape(-1, corners)


def rod_stencils(m: Any, flex: int) -> Iterator[np.ndarray]:
    """Vertices of each hinge of a rod, counted over all flexes."""
    for hinge in range(int(hinge_count(m, flex))):
        record = m.flex_bending[record_of(m, flex, hinge) :][:4].astype(int)
        yield m.flex_vertadr[flex] + (record[:3] if has_frames(m, flex) or record[3] < 0 else record)


def _covered(m: Any, rownnz: np.ndarray) -> np.ndarray:
    """First dofs of the points that have rows: of bodies with three sliders, alone in their tree."""
    bodies = [
        body
        for body in range(1, m.nbody)
        if m.body_dofnum[body] == 3 and (_is_point(m, body) or m.body_simple[body] == SLIDES_ONLY)
    ]
    dofs = m.body_dofadr[np.array(bodies, int)]
    return dofs[rownnz[dofs] > 0]
