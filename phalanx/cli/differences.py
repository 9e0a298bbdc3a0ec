"""Fields of a Model or a Data next to MuJoCo's: the first element that differs, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import numpy as np

from phalanx.collision.contact_sides import Sides, name_of
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.names import OBJECT_KINDS
from phalanx.pipeline.supported import unsupported
from phalanx.tables.data_fields import DATA
from phalanx.tables.enums import ConstraintType
from phalanx.tables.field import Field, Kind
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Groups of Data fields in the order in which forward computes them.
STAGES = (
    "kinematics", "com_pos", "camera_light", "tendon", "make_m", "factor_m", "collision", "make_constraint",
    "transmission", "velocity", "com_vel", "passive", "reference_constraint", "rne", "fwd_actuation",
    "fwd_acceleration", "fwd_constraint",
)  # fmt: skip
#: Sizes of MuJoCo's memory and of ours.
OUR_SIZES = frozenset(("nbuffer", "ngrid", "ngriddata", "ncandidate", "nsleep"))
#: The order of the vertices of hulls is qhull's.
HULL_ORDER = frozenset(("mesh_graph", "mesh_extrema"))
#: What an algorithm did on its way (with islands MuJoCo leaves states of the warm start); results are compared instead.
#: Sparse layouts may have explicit zeros: they are compared as dense matrices.
WAYS = frozenset((
    "bvh_active", "contact_H", "efc_state", "efc_J_rowsuper", "efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J",
    "nJ", "moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment", "wrap_obj", "wrap_xpos",
))  # fmt: skip
WHOLE_KINDS = (Kind.INT, Kind.BOOL, Kind.BYTE, Kind.SIZE, Kind.WHOLE)
#: Single precision of meshes, height fields and colors.
SINGLE = 1e-6
#: Smaller numbers are what rounding leaves of a zero.
DUST = 1e-18


@dataclass(frozen=True)
class Difference:
    """The element of a field that differs most from MuJoCo's."""

    stage: str
    field: str
    place: tuple[int, ...]
    element: str
    ours: Any
    theirs: Any
    error: float

    def __str__(self) -> str:
        index = f"[{', '.join(map(str, self.place))}]" if self.place else ""
        element = f" ({self.element})" if self.element else ""
        return (
            f"{self.stage}: {self.field}{index}{element} is {self.ours:.17g}, {self.theirs:.17g} in MuJoCo; "
            f"relative difference {self.error:.1e}"
        )


def model_differences(model: Model, mjmodel: Any, tolerance: float) -> Iterator[Difference]:
    """Sizes and fields of our compiled Model that differ from MuJoCo's."""
    other = Model.from_mujoco(mjmodel)
    for name in MODEL_SCHEMA.sizes:
        ours, theirs = getattr(model, name), getattr(other, name)
        if name not in OUR_SIZES and ours != theirs:
            yield Difference("compile", name, (), "", ours, theirs, np.inf)
    for name, row in MODEL_SCHEMA.fields.items():
        if row.mujoco != "-" and name not in HULL_ORDER:
            a, b = model._store.arrays[name], other._store.arrays[name]
            limit = max(tolerance, SINGLE) if row.kind is Kind.FLOAT32 else tolerance
            found = _worst("compile", row, a, b, limit)
            if found is not None:
                yield _named(found, row, model, None)


def data_differences(data: Data, mjmodel: Any, mjdata: Any, tolerance: float) -> Iterator[Difference]:
    """Fields that forward computed and that differ from MuJoCo's, in the order of the stages."""
    for stage in stages_of(data.model):
        for row in DATA[stage]:
            if row.mujoco == "-" or row.scratch or row.name in WAYS or row.name.startswith(("solver_", "i", "flg_")):
                continue
            theirs = np.asarray(attrgetter(row.mujoco or row.name)(mjdata))
            ours = np.asarray(getattr(data, row.name))
            if theirs.size == ours.size:
                theirs = theirs.reshape(ours.shape)
            found = _worst(stage, row, ours, theirs, tolerance)
            if found is not None:
                yield _named(found, row, data.model, data)
        if stage in _DENSE:
            name, ours, theirs = _DENSE[stage](data, mjmodel, mjdata)
            found = _worst(stage, DATA_SCHEMA.fields[name], ours, theirs, tolerance)
            if found is not None:
                yield _named(found, DATA_SCHEMA.fields[name], data.model, data)


def stages_of(model: Model) -> tuple[str, ...]:
    """The stages to compare: sensors, too, where this version evaluates them."""
    has_sensors = bool(model.nsensor) and not any(feature.endswith("sensors") for feature in unsupported(model))
    return (*STAGES, "sensor") if has_sensors else STAGES


def _worst(stage: str, row: Field, ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> Difference | None:
    """The element that differs most, if beyond the tolerance; relative to the largest magnitude of the field."""
    if ours.shape != theirs.shape:
        length = len(ours) if ours.ndim else 1
        other = len(theirs) if theirs.ndim else 1
        return Difference(stage, f"length of {row.name}", (), "", length, other, np.inf)
    if not ours.size:
        return None
    a, b = np.atleast_1d(ours).astype(float), np.atleast_1d(theirs).astype(float)
    with np.errstate(invalid="ignore"):
        gap = np.abs(a - b)
    gap[(a == b) | (np.isnan(a) & np.isnan(b))] = 0.0
    gap[np.isnan(gap)] = np.inf
    scale = 1.0
    if row.kind not in WHOLE_KINDS:
        largest = np.abs(b[np.isfinite(b)]).max(initial=0.0)
        scale = largest if largest > DUST else 1.0
    place = np.unravel_index(int(np.argmax(gap)), gap.shape)
    error = float(gap[place] / scale)
    limit = 0.0 if row.kind in WHOLE_KINDS else tolerance
    if error <= limit:
        return None
    index = tuple(int(k) for k in place) if ours.ndim else ()
    return Difference(stage, row.name, index, "", a[place].item(), b[place].item(), error)


# --- names


def _named(found: Difference, row: Field, model: Model, data: Data | None) -> Difference:
    """The difference with the name of the object that the element belongs to."""
    if not found.place:
        return found
    element = element_name(row, found.place[0], model, data)
    return replace(found, element=element)


def element_name(row: Field, index: int, model: Model, data: Data | None) -> str:
    """The object that the index along the first axis of a field means."""
    size, names = row.shape[0], model.names
    for kind in OBJECT_KINDS:
        if kind.size == size:
            return names.label(kind.accessor, index)
        for span in kind.spans:
            if span.size == size:
                starts = getattr(model, span.start)
                owners = np.flatnonzero((starts >= 0) & (starts <= index))
                if len(owners):
                    return names.label(kind.accessor, int(owners[np.argmax(starts[owners])]))
    if data is not None and size == "ncon":
        sides = Sides.of(data)
        labels = (names.label("geom", int(geom)) if geom >= 0 else "" for geom in sides.geom[index])
        return " and ".join(label or name_of(model, sides, index, side) for side, label in enumerate(labels))
    if data is not None and size == "nefc":
        kind_of_row = ConstraintType(data.efc_type[index]).name.lower()
        return f"constraint {kind_of_row} {int(data.efc_id[index])}"
    if size in ("nM", "nC", "nD"):
        return "an entry of a sparse matrix"
    return ""


# --- sparse matrices as dense ones


def _dense_jacobian(data: Data, mjmodel: Any, mjdata: Any) -> tuple[str, np.ndarray, np.ndarray]:
    import mujoco

    nv, ours = mjmodel.nv, np.zeros((data.nefc, mjmodel.nv))
    for r in range(data.nefc):
        entries = slice(data.efc_J_rowadr[r], data.efc_J_rowadr[r] + data.efc_J_rownnz[r])
        ours[r, data.efc_J_colind[entries]] = data.efc_J[entries]
    theirs = np.zeros((mjdata.nefc, nv))
    if mjdata.nefc and mujoco.mj_isSparse(mjmodel):
        mujoco.mju_sparse2dense(theirs, mjdata.efc_J.ravel(), mjdata.efc_J_rownnz, mjdata.efc_J_rowadr,
                                mjdata.efc_J_colind.ravel())  # fmt: skip
    elif mjdata.nefc:
        theirs = np.asarray(mjdata.efc_J).reshape(mjdata.nefc, nv)
    return "efc_J", ours, theirs


def _dense_moment(data: Data, mjmodel: Any, mjdata: Any) -> tuple[str, np.ndarray, np.ndarray]:
    dense = []
    for side in (data, mjdata):
        matrix = np.zeros((mjmodel.nout, mjmodel.nv))
        for out in range(mjmodel.nout):
            entries = slice(side.moment_rowadr[out], side.moment_rowadr[out] + side.moment_rownnz[out])
            matrix[out, side.moment_colind[entries]] = side.actuator_moment[entries]
        dense.append(matrix)
    return "actuator_moment", dense[0], dense[1]


_DENSE = {"make_constraint": _dense_jacobian, "transmission": _dense_moment}
