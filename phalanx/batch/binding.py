"""Which fields of a batch can be bound, and what a step is asked to compute for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.pipeline.supported import check_discrete
from phalanx.tables.actuators import TRANSMISSIONS, Moments
from phalanx.tables.data_fields import DATA
from phalanx.tables.enums import Integrator, Request
from phalanx.tables.field import Field
from phalanx.tables.integrators import INTEGRATORS, SUPPORTED, WRITTEN
from phalanx.tables.requests import INTEGRATOR_ROWS, PARTS_ON_REQUEST, REQUEST_OF, UNFILLED
from phalanx.world.model import Model

#: Rows a batch keeps for every world: state and inputs that are numbers.
KEPT = tuple(row.name for key in ("state", "input", "sleep") for row in DATA[key] if DATA_SCHEMA.lanes(row))
#: Kept rows that a step changes.
ADVANCED = tuple(row.name for key in ("state", "sleep") for row in DATA[key] if DATA_SCHEMA.lanes(row))
#: What stopped a world; known to a group that goes on after its memory has grown.
ERRORS = ("error_code", "error_id")
#: What is noted of each world after a run.
NOTED = ("row_pattern", "contact_count")
#: Requests that compute inverse dynamics.
_INVERSE = Request.INVERSE | Request.COMPARE_FWD_INV
#: Transmissions whose entries in the moment matrix are the same in all worlds.
_FIXED_MOMENTS = tuple(
    int(row.kind) for row in TRANSMISSIONS.values() if row.moments in (Moments.JOINT, Moments.TENDON)
)


def is_bindable(row: Field) -> bool:
    """Can a batch have the row, if the model does?"""
    return DATA_SCHEMA.lanes(row) and not row.scratch and not row.live and row.name not in UNFILLED


#: Fields that a batch can have.
BINDABLE = tuple(name for name, row in DATA_SCHEMA.fields.items() if is_bindable(row))
#: Fields of Data that users see.
PUBLIC = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)


def check_bindable(name: Any, model: Model) -> None:
    """Refuse a field that has no array with an axis of worlds, or that no step of the model fills."""
    row = DATA_SCHEMA.fields.get(name) if isinstance(name, str) else None
    if row is None or row.scratch:
        raise FieldError(f"Data has no field {name!r}{suggestion(str(name), BINDABLE)}")
    reason = obstacle(row, model)
    if reason:
        raise FieldError(f"{name} cannot be bound: {reason}")
    if REQUEST_OF.get(name, Request(0)) & _INVERSE:
        check_discrete(model)


def obstacle(row: Field, model: Model) -> str:
    """Why a field cannot be bound in a batch of the model, in words; "" if it can."""
    if row.name in UNFILLED:
        return UNFILLED[row.name]
    if row.name.startswith("contact_"):
        return "the number of contacts differs from world to world; see batch.contact_table() and batch.contacts(i)"
    if row.live or not DATA_SCHEMA.lanes(row):
        place = "batch.ncon" if row.name == "ncon" else f"batch.env(i).{row.name}"
        return f"only real fields of fixed shape can, and whole numbers that differ by world; see {place}"
    if row.name in INTEGRATOR_ROWS:
        return _other_integrator(row.name, Integrator(model.opt.integrator))
    if row.name == "actuator_moment" and not np.isin(model.actuator_trntype, _FIXED_MOMENTS).all():
        return "which dofs its entries belong to differs from world to world; see batch.env(i).actuator_moment"
    return ""


def _other_integrator(name: str, integrator: Integrator) -> str:
    """Why an integrator does not fill a row that others do; "" if it does."""
    if name in WRITTEN[integrator]:
        return ""
    others = ", ".join(kind.name.lower() for kind in SUPPORTED if name in WRITTEN[kind])
    return f"the integrator {INTEGRATORS[integrator].keyword} does not compute it; {others} would"


def requests_of(names: Iterable[str]) -> int:
    """What a step must be asked for so that it fills these rows."""
    requests = Request(0)
    for name in names:
        requests |= REQUEST_OF.get(name, Request(0))
    return int(requests)


def parts_of(requests: int) -> list[str]:
    """Compiled parts that requests take."""
    return list(
        dict.fromkeys(part for request, parts in PARTS_ON_REQUEST.items() if requests & request for part in parts)
    )


def is_stored(name: str) -> bool:
    """Does a step write the field back? All but inputs."""
    return name not in KEPT or name in ADVANCED
