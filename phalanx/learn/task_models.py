"""Models of worlds that a task changes when episodes begin: which fields it may change, and what follows from them."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.batch.batch import BatchSim
from phalanx.batch.vary_constants import READ_AND_DERIVED
from phalanx.batch.vary_memory import GroupMemory, shared_rows
from phalanx.batch.vary_values import variable_row
from phalanx.memory.errors import FieldError
from phalanx.memory.store import Store
from phalanx.pipeline import derive
from phalanx.pipeline.exact_frames import FRAME_ROWS
from phalanx.tables.model_fields import SETCONST_INPUTS
from phalanx.world.model import Model

#: Fields that change more than numbers, so that each change must be checked: `BatchSim.set_vary` does.
CHECKED = {*FRAME_ROWS, *derive.CHECKED, "body_gravcomp", "wrap_prm", "actuator_dynprm", "eq_data", "geom_aabb"}
#: Fields that decide boxes around geoms.
BOXED = {"geom_size", "geom_margin", "geom_gap", "hfield_size"}


def check_varied(model: Model, names: tuple[str, ...], task: str) -> None:
    """Refuse fields that functions cannot change."""
    for name in names:
        try:
            variable_row(model, name)
        except FieldError as error:
            raise FieldError(f"`vary` of {task}: {error}") from None
        if name in CHECKED or (name in BOXED and bool(model._store.arrays["flg_sweep"])):
            raise FieldError(
                f"{task}: {name} cannot be changed by `randomize`, because what follows from it must be checked; "
                "give it to make_vec(vary=...), or change it with envs.batch.set_vary"
            )


def initial_values(model: Model, names: tuple[str, ...], n: int) -> dict[str, np.ndarray]:
    """The numbers of the model for each of n worlds."""
    arrays = model._store.arrays
    return {name: np.tile(arrays[name], (n, *(1,) * arrays[name].ndim)) for name in names}


def derives(names: tuple[str, ...]) -> bool:
    """Do constants of the Model follow from some of these fields?"""
    return bool({*names} & SETCONST_INPUTS)


def kept_rows(names: tuple[str, ...]) -> tuple[str, ...]:
    """Rows that constants are computed into and from, which begin as the model has them."""
    return tuple(name for name in READ_AND_DERIVED if name not in names) if derives(names) else ()


def open_structure(batch: BatchSim, names: tuple[str, ...]) -> None:
    """Make room for any numbers of these fields: structure that some world may need is there for all."""
    values = {name: np.ones((1, *batch.model._store.arrays[name].shape)) for name in names}
    batch._variation._structure.grow({name: array for name, array in values.items() if name in derive.SWITCHES})
    batch._variation.derived[:] = True


def nominal_store(batch: BatchSim, number: NumberType) -> Store:
    """Memory of the model as it is without changes, with numbers of a type."""
    shared = shared_rows(batch.model, number) | batch._variation._structure.rows
    return GroupMemory(batch.model._store.sizes, number, shared, (), 1).stores[0]
