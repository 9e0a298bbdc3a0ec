"""Sizes that memory is taken by: how large they must be at least for what kernels write."""

from __future__ import annotations

from collections.abc import Iterator

from phalanx.pipeline.validation.stretches import Sizes
from phalanx.tables.domain import (
    Arrays,
)
from phalanx.tables.enums import (
    TrnType,
)
from phalanx.tables.joints import NV


def least_sizes(sizes: Sizes, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """Sizes, and how large they must be at least for what kernels write."""
    yield "npolygonmax", int(arrays["mesh_polyvertnum"].max(initial=0))
    yield "nmeshdegmax", int(arrays["mesh_polymapnum"].max(initial=0))
    yield "nJmom", _moment_entries(sizes, arrays)
    yield "nbody", 1


def _moment_entries(sizes: Sizes, arrays: Arrays) -> int:
    """Entries of the moment matrix that all actuators may need."""
    kinds, target = arrays["actuator_trntype"], arrays["actuator_trnid"]
    total = 0
    for actuator, kind in enumerate(kinds.tolist()):
        first, second = target[actuator].tolist()
        if kind in (TrnType.JOINT, TrnType.JOINTINPARENT):
            total += NV[arrays["jnt_type"][first]]
        elif kind == TrnType.SO3:
            total += 3 * sizes["nv"] if second >= 0 else 3
        elif kind == TrnType.TENDON:
            total += int(arrays["ten_J_rownnz"][first])
        elif kind == TrnType.SITE:
            chain = _chain(arrays, int(arrays["site_bodyid"][first]))
            other = _chain(arrays, int(arrays["site_bodyid"][second])) if second >= 0 else set()
            total += len(chain ^ other)
        elif kind == TrnType.SLIDERCRANK:
            sites = arrays["site_bodyid"]
            total += len(_chain(arrays, int(sites[first])) | _chain(arrays, int(sites[second])))
        elif kind == TrnType.BODY:
            total += sizes["nv"]
    return total


def _chain(arrays: Arrays, body: int) -> set[int]:
    """Dofs that move a body."""
    found: set[int] = set()
    while body > 0:
        first = int(arrays["body_dofadr"][body])
        found.update(range(first, first + int(arrays["body_dofnum"][body])))
        body = int(arrays["body_parentid"][body])
    return found
