"""Derivatives of inverse dynamics and of the inertia matrix by finite differences, all nudged worlds in lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.batch.batch import MAX_THREADS, choose_number
from phalanx.batch.binding import KEPT
from phalanx.batch.difference_groups import (
    ACCELERATION,
    INVERSE,
    INVERSE_OF_ACTUATED,
    PLACE,
    POSITION,
    VELOCITY,
    DifferenceGroups,
    Slopes,
)
from phalanx.derivative.directions import make_columns
from phalanx.derivative.transition import as_double, check_awake, columns_table
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag, lanes_asked, numbers, whole
from phalanx.pipeline.supported import check_discrete
from phalanx.world.data import Data
from phalanx.world.derivatives import InverseDerivatives, checked_step
from phalanx.world.provided import provide

#: What differences of each operation are taken of, and which fields are nudged.
_OUTPUTS = {
    INVERSE: ("qfrc_inverse", "sensordata", "M"),
    INVERSE_OF_ACTUATED: ("qfrc_inverse", "sensordata", "M"),
    PLACE: ("M",),
}
_NUDGED = {
    INVERSE: (POSITION, VELOCITY, ACCELERATION),
    INVERSE_OF_ACTUATED: (POSITION, VELOCITY, ACCELERATION),
    PLACE: (POSITION,),
}


class DofDifferences:
    """Differences by the dofs of one Data: jobs side by side in lanes, kept for the next call."""

    def __init__(self, data: Data, op: int, centered: bool, lanes: int | str, threads: int):
        model, arrays = data.model, data._store.arrays
        wanted = [(kind, dof) for kind in _NUDGED[op] for dof in range(model.nv)]
        self._columns = make_columns(wanted, centered)
        number = choose_number(model, len(self._columns.jobs), "float64", lanes)
        self._is_double = data._store.number.base == "float64"
        names = (*KEPT, "qacc")
        self._base = {name: arrays[name][None] if self._is_double else as_double(arrays[name][None]) for name in names}
        njob = len(self._columns.jobs)
        self.groups = DifferenceGroups(
            model,
            self._base,
            self._columns.jobs,
            np.zeros(njob, np.int64),
            np.zeros(-(-njob // number.worlds), np.int64),
            _OUTPUTS[op],
            number=number,
            threads=threads,
            op=op,
        )
        self._slopes = Slopes(self.groups, columns_table(self._columns), has_positions=False)

    def slopes(self, data: Data, eps: float) -> np.ndarray:
        """(outputs, directions) at the present state."""
        if not self._is_double:
            for name, array in self._base.items():
                array[0] = data._store.arrays[name]
        self.groups.amounts[:] = eps * self._columns.signs
        self._slopes.widths[:] = eps
        self.groups.run()
        ncolumn = len(self._slopes.columns)
        found = np.zeros((self._slopes.rows, ncolumn))
        self._slopes.take(found.reshape(-1), 0, ncolumn, ncolumn, False)
        return found


def differences_by_dofs(data: Data, op: int, centered: bool, lanes: int | str, threads: int) -> DofDifferences:
    """What a Data keeps for differences of this kind; made when it is first asked for."""
    kept = data.__dict__.setdefault("_kept_differences", {})
    key = "dofs", op, centered, lanes_asked(lanes), threads
    if key not in kept:
        kept[key] = DofDifferences(data, op, centered, lanes, threads)
    return kept[key]


def inverse_derivatives(
    data: Data,
    *,
    eps: float = 1e-6,
    flg_actuation: bool = False,
    centered: bool = False,
    lanes: int | str = "auto",
    threads: int = 1,
) -> InverseDerivatives:
    """Derivatives of inverse dynamics of a Data; see `Data.inverse_derivatives`."""
    size, m = checked_step(eps), data.model
    check_discrete(m)
    check_awake(m)
    op = INVERSE_OF_ACTUATED if flag("flg_actuation", flg_actuation) else INVERSE
    threads = whole("threads", threads, 1, MAX_THREADS)
    found = differences_by_dofs(data, op, flag("centered", centered), lanes, threads).slopes(data, size)
    # a row for each direction, as in MuJoCo
    by_position, by_velocity, by_acceleration = np.ascontiguousarray(found.T).reshape(3, m.nv, len(found))
    by_all, ns = (by_position, by_velocity, by_acceleration), m.nv + m.nsensordata
    forces, sensors = (part[:, : m.nv] for part in by_all), (part[:, m.nv : ns] for part in by_all)
    return InverseDerivatives._make((*forces, *sensors, by_position[:, ns:]))


def inertia_derivatives(data: Data, vector: Any = None, *, eps: float = 1e-6) -> np.ndarray:
    """How the inertia matrix of a Data changes with position; see `Data.inertia_derivatives`."""
    size, m = checked_step(eps), data.model
    by_position = np.ascontiguousarray(differences_by_dofs(data, PLACE, True, "auto", 1).slopes(data, size).T)
    if vector is None:
        return by_position
    v = numbers("the vector", vector)
    if v.shape != (m.nv,):
        raise FieldError(f"the vector has shape {v.shape}, but ({m.nv},) is needed")
    # M is the lower triangle, row by row
    row, column = np.repeat(np.arange(m.nv), m.M_rownnz), m.M_colind
    product = np.zeros((m.nv, m.nv))
    np.add.at(product, row, (by_position * v[column]).T)
    is_beside = row != column
    np.add.at(product, column[is_beside], (by_position * v[row]).T[is_beside])
    return product


provide("inverse_derivatives", inverse_derivatives)
provide("inertia_derivatives", inertia_derivatives)
