"""Models that differ from world to world: the memory that each lane group of a batch reads.

A row that varies is a lane: one number per world. Rows that derive from varied ones are recomputed in lanes by the same
kernels that `Model.replace` uses, so a world sees exactly the numbers of its own replaced model. All other rows are
shared between groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import numbers
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store
from phalanx.pipeline import derive
from phalanx.pipeline.derived import check_structure, derive_constants
from phalanx.pipeline.exact_frames import FRAME_ROWS, exact_frames
from phalanx.tables.field import Kind
from phalanx.tables.model_fields import SETCONST_INPUTS
from phalanx.world.model import Model, check_replaceable, check_values


def check_vary(model: Model, vary: Mapping[str, Any], n: int) -> dict[str, np.ndarray]:
    """The varied fields as arrays of shape (n, *shape), or an error that says what does not fit."""
    if not isinstance(vary, Mapping):
        raise FieldError(f"vary has arrays by name of the field, unlike {type(vary).__name__}")
    checked = {}
    for name, value in vary.items():
        row = model.row(str(name))
        if row.kind is not Kind.REAL or not row.per_world:
            raise FieldError(f"{name} cannot vary by world: only real fields of the physics can")
        check_replaceable(name, row)
        shape = (n, *model._store.arrays[name].shape)
        array = numbers(f"vary[{name!r}]", value)
        if array.shape != shape:
            raise FieldError(f"vary[{name!r}] has shape {array.shape}, but {n} worlds of {name} need {shape}")
        array = array.astype(np.float64)
        check_values(name, row, array)
        checked[name] = array
    return checked


def model_of_world(model: Model, vary: Mapping[str, np.ndarray], world: int) -> Model:
    """The model of one world on its own."""
    return model.replace(**{name: values[world] for name, values in vary.items()}) if vary else model


def group_models(model: Model, vary: Mapping[str, np.ndarray], n: int, number: NumberType) -> list[Store]:
    """One Model memory per lane group."""
    ngroup = -(-n // number.worlds)
    if not vary:
        return [model.store_for(number.base)] * ngroup
    if number.width <= 1:
        return [model_of_world(model, vary, world).store_for(number.base) for world in range(n)]
    shared = _shared_rows(model, vary, number)
    return [_group_model(model, vary, n, number, shared, group) for group in range(ngroup)]


def _shared_rows(model: Model, vary: Mapping[str, np.ndarray], number: NumberType) -> dict[str, np.ndarray]:
    """Rows that all groups share: structure, and real rows with the same number in every lane."""
    store = Store(MODEL_SCHEMA, model._store.sizes, number)
    places_frames = bool(vary.keys() & set(FRAME_ROWS))
    shared = {name: array if places_frames else model._store.seen(name) for name, array in model._store.arrays.items()}
    if SETCONST_INPUTS & vary.keys():
        # structure must fit every world: what any world needs is there for all
        structure = {name: array.copy() for name, array in {**shared, **_worlds_last(vary)}.items()}
        sizes = dict(model._store.sizes)
        check_structure(structure, sizes)
        derive.derive_structure(structure, sizes)
        shared |= {name: structure[name] for name, row in MODEL_SCHEMA.fields.items() if row.kind is not Kind.REAL}
    for name, row in MODEL_SCHEMA.fields.items():
        if MODEL_SCHEMA.lanes(row):
            lanes = store.allocate(name)
            lanes[...] = shared[name][..., None]
            shared[name] = lanes
    return shared


def _group_model(
    model: Model,
    vary: Mapping[str, np.ndarray],
    n: int,
    number: NumberType,
    shared: Mapping[str, np.ndarray],
    group: int,
) -> Store:
    store = Store(MODEL_SCHEMA, model._store.sizes, number)
    worlds = np.minimum(np.arange(group * number.width, (group + 1) * number.width), n - 1)
    derives = bool(SETCONST_INPUTS & vary.keys())
    # own memory for what varies and what follows from it; the last group repeats its last world
    for name, row in MODEL_SCHEMA.fields.items():
        array = shared[name]
        if name in vary:
            array = store.allocate(name)
            array[...] = np.moveaxis(vary[name][worlds], 0, -1)
        elif derives and row.setconst:
            array = store.allocate(name)
            array[...] = shared[name]
        store.attach(name, array)
    if derives:
        derive_constants(store)
    elif vary.keys() & set(FRAME_ROWS):
        store.redirect(exact_frames(store.arrays))
    return store


def _worlds_last(vary: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.moveaxis(values, 0, -1) for name, values in vary.items()}
