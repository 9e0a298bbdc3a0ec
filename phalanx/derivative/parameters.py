"""Derivatives of a step by numbers of the Model: each nudged number is a world in lanes, with all that follows."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from phalanx.batch.batch import MAX_THREADS, choose_number
from phalanx.batch.binding import KEPT
from phalanx.batch.difference_groups import NOTHING, DifferenceGroups, Slopes
from phalanx.batch.vary import Variation
from phalanx.batch.vary_values import variable_row
from phalanx.derivative.transition import ALL_OUTPUTS, STATE_OUTPUTS, as_double, check_differentiable
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import flag, items, lanes_asked, numbers, whole
from phalanx.memory.names import OBJECT_KINDS
from phalanx.native.threads import ThreadPool
from phalanx.world.data import Data
from phalanx.world.derivatives import checked_step
from phalanx.world.model import Model, check_values
from phalanx.world.parameter_result import ParameterDerivatives
from phalanx.world.provided import provide
from phalanx.world.transition_result import Label

#: Fields whose numbers are not negative: at zero, derivatives are taken from above.
NOT_NEGATIVE = frozenset(
    """
    body_mass body_inertia dof_armature dof_damping dof_frictionloss jnt_stiffness jnt_margin geom_size geom_friction
    geom_margin geom_gap pair_friction pair_margin pair_gap tendon_stiffness tendon_damping tendon_frictionloss
    tendon_armature tendon_margin actuator_armature actuator_damping opt.density opt.viscosity opt.timestep
    """.split()
)
_KIND_OF_AXIS = {kind.size: kind.accessor for kind in OBJECT_KINDS}


class Parameter(NamedTuple):
    """One number of the Model."""

    field: str
    place: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.field}[{', '.join(map(str, self.place))}]" if self.place else self.field


# --- which parameters


def chosen_parameters(model: Model, wrt: Any) -> tuple[Parameter, ...]:
    """The numbers that the user asked for, field by field, each in the order of its elements.

    Args:
        model: the model.
        wrt: name of a field; several; or elements by name of the field: None for all, an index or the name of an
            object, a list of them, a tuple for several axes, or booleans.
    """
    if isinstance(wrt, str):
        wrt = (wrt,)
    chosen = wrt if isinstance(wrt, Mapping) else dict.fromkeys(_names(wrt))
    found: list[Parameter] = []
    for name, elements in chosen.items():
        if not isinstance(name, str):
            raise FieldError(f"parameters are fields of the Model by name, not {name!r:.60}")
        row, shape = variable_row(model, name)
        mask = np.zeros(shape, bool)
        kind = _KIND_OF_AXIS.get(str(row.shape[0])) if row.shape else None
        mask[_index(model, name, kind, elements, shape)] = True
        found += [Parameter(name, tuple(index)) for index in np.argwhere(mask).tolist()]
    return tuple(found)


def _names(wrt: Any) -> Sequence[Any]:
    names = items(wrt)
    if not all(isinstance(name, str) for name in names):
        raise FieldError(f"wrt has names of fields, such as ['body_mass'], not {wrt!s:.60}")
    return names


def _index(model: Model, name: str, kind: str | None, elements: Any, shape: tuple[int, ...]) -> Any:
    """Elements of a field as an index of NumPy; objects may be given by name."""
    if elements is None:
        return ...

    def place(value: Any) -> Any:
        if isinstance(value, str):
            if kind is None:
                raise FieldError(f"elements of {name} have no names: choose them by index")
            return model.names.id_of(kind, value)
        return [place(one) for one in value] if isinstance(value, list) else value

    index = tuple(place(value) for value in elements) if isinstance(elements, tuple) else place(elements)
    if isinstance(index, tuple):
        return _checked(name, shape, index)
    array = numbers(f"elements of {name}", index)
    if array.dtype == np.bool_ or array.dtype.kind in "iu":
        return _checked(name, shape, array if array.ndim else int(array))
    raise FieldError(f"elements of {name} are chosen by whole numbers, names or booleans, not by {array.dtype}")


def _checked(name: str, shape: tuple[int, ...], index: Any) -> Any:
    try:
        np.empty(shape, bool)[index]
    except (IndexError, ValueError, TypeError) as error:
        raise FieldError(f"{name} has shape {shape}: {error}") from None
    return index


# --- differences


class ParameterDifferences:
    """Differences of steps of one Data by numbers of its Model, each nudged in a world of its own."""

    def __init__(
        self,
        data: Data,
        parameters: tuple[Parameter, ...],
        eps: float,
        centered: bool,
        sensors: bool,
        lanes: int | str,
        threads: int,
    ):
        model, arrays = data.model, data._store.arrays
        self._parameters, self._nx = parameters, 2 * model.nv + model.na
        self._labels = functools.cache(lambda: [Label("parameter", str(one)) for one in parameters])
        sizes = step_sizes(model, parameters, eps)
        jobs, table = self._plan(model, sizes, centered)
        number = choose_number(model, max(len(jobs), 2), "float64", lanes)
        # a world for each job, with a Model of its own
        values = {
            one.field: np.tile(model._store.arrays[one.field], (len(jobs), *(1,) * len(one.place)))
            for one in parameters
        }
        for job, (column, amount) in enumerate(jobs):
            if amount:
                one = parameters[column]
                values[one.field][(job, *one.place)] += amount
        self._variation = Variation(model, values, len(jobs), number, ThreadPool(threads))
        self._is_double = data._store.number.base == "float64"
        self._base = {name: arrays[name][None] if self._is_double else as_double(arrays[name][None]) for name in KEPT}
        self.groups = DifferenceGroups(
            model,
            self._base,
            np.full((len(jobs), 2), NOTHING, np.int64),
            np.zeros(len(jobs), np.int64),
            np.zeros(len(self._variation.stores), np.int64),
            ALL_OUTPUTS if sensors else STATE_OUTPUTS,
            number=number,
            threads=threads,
            is_reported=sensors and model.nsensor > 0,
            models=self._variation.stores if parameters else None,
        )
        self._slopes = Slopes(self.groups, table)
        self._slopes.widths[:] = sizes

    def _plan(self, model: Model, sizes: np.ndarray, centered: bool) -> tuple[list[tuple[int, float]], np.ndarray]:
        """Jobs as (column, amount), the first without a nudge, and the jobs of each column."""
        jobs, table = [(0, 0.0)], np.zeros((len(sizes), 3), np.int64)
        for column, (one, size) in enumerate(zip(self._parameters, sizes.tolist(), strict=True)):
            can_add, can_take = is_allowed(model, one, size), is_allowed(model, one, -size)
            if can_add:
                table[column, 0] = len(jobs)
                jobs.append((column, size))
            if can_take and (centered or not can_add):
                table[column, 1] = len(jobs)
                jobs.append((column, -size))
        return jobs, table

    def derivatives(self, data: Data, one_sided: bool) -> ParameterDerivatives:
        """The derivatives at the present state of the Data."""
        if not self._is_double:
            for name, array in self._base.items():
                array[0] = data._store.arrays[name]
        outcome = self.groups.run()
        if outcome[0, -1]:
            data._copied().step()  # raises what stops the world
        ncolumn = len(self._parameters)
        matrix = np.zeros((self._slopes.rows, ncolumn))
        self._slopes.take(matrix.reshape(-1), 0, ncolumn, ncolumn, one_sided)
        fields = [one.field for one in self._parameters]
        indices = [one.place for one in self._parameters]
        return ParameterDerivatives(matrix, self._nx, fields, indices, self._slopes.findings.copy(), self._labels)


def step_sizes(model: Model, parameters: Sequence[Parameter], eps: float) -> np.ndarray:
    """How far each number is nudged: eps of its own size, of the largest of its field if it is zero, or eps."""
    sizes = []
    for one in parameters:
        array = model._store.arrays[one.field]
        sizes.append(eps * (abs(float(array[one.place])) or float(np.abs(array).max(initial=0.0)) or 1.0))
    return np.array(sizes)


def is_allowed(model: Model, one: Parameter, amount: float) -> bool:
    """Is the nudged number one that a model can have?"""
    row, array = model.row(one.field), model._store.arrays[one.field].copy()
    array[one.place] += amount
    if one.field in NOT_NEGATIVE and array[one.place] < 0:
        return False
    try:
        check_values(one.field, row, array)
    except ModelError:
        return False
    return True


def parameter_derivatives(
    data: Data,
    wrt: Any,
    *,
    eps: float = 1e-6,
    centered: bool = True,
    sensors: bool = True,
    one_sided: bool = True,
    lanes: int | str = "auto",
    threads: int = 1,
) -> ParameterDerivatives:
    """Derivatives of a step of a Data by numbers of its Model; see `Data.parameter_derivatives`."""
    check_differentiable(data.model)
    parameters = chosen_parameters(data.model, wrt)
    options = checked_step(eps), flag("centered", centered), flag("sensors", sensors), lanes_asked(lanes)
    threads, is_one_sided = whole("threads", threads, 1, MAX_THREADS), flag("one_sided", one_sided)
    kept = data.__dict__.setdefault("_kept_differences", {})
    key = "parameters", parameters, options, threads
    if key not in kept:
        # models of many worlds take memory: those of the parameters asked for last are kept
        for old in [other for other in kept if other[0] == "parameters"]:
            del kept[old]
        kept[key] = ParameterDifferences(data, parameters, *options, threads)
    return kept[key].derivatives(data, is_one_sided)


provide("parameter_derivatives", parameter_derivatives)
