"""Results that a step does not always compute: those that it computes on request, and those that it never does.

A batch asks for what is bound (`BatchSim.bind`). One world has a method, an operation or a flag for each of them.
"""

from __future__ import annotations

from phalanx.tables.data_fields import DATA, SOLVER_STATISTICS, WARNINGS
from phalanx.tables.enums import Request
from phalanx.tables.field import Field
from phalanx.tables.integrators import WRITTEN

ON_REQUEST: dict[str, Request] = {
    "energy": Request.ENERGY,
    "subtree_vel": Request.SUBTREE_VEL,
    "rne_post_constraint": Request.RNE_POST_CONSTRAINT,
    "inverse": Request.INVERSE,
    "compare_fwd_inv": Request.COMPARE_FWD_INV,
    "flex_stiffness": Request.FLEX_STIFFNESS,
}
"""Stage (a group of DATA) that does not run in every step -> the request that it runs on."""

PARTS_ON_REQUEST: dict[Request, tuple[str, ...]] = {
    Request.SUBTREE_VEL: ("requested",),
    Request.RNE_POST_CONSTRAINT: ("requested", "sensor"),
    Request.INVERSE: ("requested", "inverse"),
    Request.COMPARE_FWD_INV: ("requested", "inverse"),
    Request.FLEX_STIFFNESS: ("requested", "flex_stiffness"),
}
"""Request -> parts (`parts.py`) that it is computed with."""

#: Rows of flexes that no stage writes.
_MULTIPLIERS = ("flexvert_lambda", "flexvert_conage")


def _unfilled(row: Field) -> str:
    """Why no stage writes a row, in words; "" if one does."""
    if row.name in _MULTIPLIERS:
        return "the flag ipc, whose multipliers they are, has no effect"
    return ""


REQUEST_OF: dict[str, Request] = {row.name: ON_REQUEST[stage] for stage in ON_REQUEST for row in DATA[stage]}
"""Row -> the request that it takes; rows that are always computed are not listed."""

UNFILLED: dict[str, str] = {row.name: reason for rows in DATA.values() for row in rows if (reason := _unfilled(row))}
"""Row that no stage writes -> why."""

INTEGRATOR_ROWS: tuple[str, ...] = tuple(dict.fromkeys(name for rows in WRITTEN.values() for name in rows))
"""Rows that some integrators write (`integrators.py`)."""

RETAINED: tuple[str, ...] = (
    *INTEGRATOR_ROWS,
    *(row.name for row in DATA["effective_metric"] if row.name not in INTEGRATOR_ROWS),
    *(row.name for row in (*SOLVER_STATISTICS, *WARNINGS)),
    "solver_converged",
    "wrap_obj",
    "wrap_xpos",
    "actuator_moment",
)
"""Rows of which a pass may leave elements as they were: those of another integrator, of iterations that the solver did
not take, of warnings that were not raised, of points that a path does not have."""
