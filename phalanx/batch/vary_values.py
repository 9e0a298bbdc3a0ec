"""What users say about worlds that differ: which worlds, which fields, which numbers. All is checked before any of it
is used, so that a mistake changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import numbers
from phalanx.memory.names import NameIndex
from phalanx.pipeline.validation.transmission_rules import activations
from phalanx.tables.enums import EqType, WrapType
from phalanx.tables.field import Field, Kind
from phalanx.world.model import COUNTED_BY, Model, check_replaceable, check_values, first_place, flattened

#: Values by name of the field; the first axis is that of the worlds.
Values = dict[str, np.ndarray]

#: Rows of integers that the count of activations depends on, besides COUNTED_BY.
_ACTUATOR_KINDS = ("actuator_dyntype", "actuator_gaintype", "actuator_ctrlnum", "actuator_plugin")


def check_vary(model: Model, vary: Mapping[str, Any], n: int, number: NumberType | None = None) -> Values:
    """The varied fields as arrays of shape (n, *shape), or an error that says what does not fit."""
    if not isinstance(vary, Mapping):
        raise FieldError(f"vary has arrays by name of the field, unlike {type(vary).__name__}")
    checked = {}
    for name, value in vary.items():
        row, field_shape = variable_row(model, name)
        array = numbers(f"vary[{name!r}]", value)
        if array.shape != (n, *field_shape):
            raise FieldError(
                f"vary[{name!r}] has shape {array.shape}, but {n} worlds of {name} need {(n, *field_shape)}"
            )
        checked[name] = array.astype(np.float64)
        check_numbers(name, row, checked[name], np.arange(n), number)
    return checked


def variable_row(model: Model, name: Any) -> tuple[Field, tuple[int, ...]]:
    """The row of a field that may differ from world to world, and its shape in one world."""
    row = model.row(str(name))
    if row.kind is not Kind.REAL or not row.per_world:
        raise FieldError(f"{name} cannot vary by world: only real fields of the physics can")
    check_replaceable(name, row)
    return row, model._store.arrays[name].shape


def check_changes(
    model: Model, fields: Mapping[str, Any], worlds: np.ndarray, n: int, is_mask: bool, number: NumberType
) -> Values:
    """New values of some worlds as arrays of shape (k, *shape), in the order of `worlds`."""
    changes = {}
    for name, value in flattened(fields).items():
        row, shape = variable_row(model, name)
        array = numbers(name, value)
        changes[name] = rows_of_worlds(name, array.astype(np.float64), worlds, n, shape, is_mask)
        check_numbers(name, row, changes[name], worlds, number)
    return changes


def rows_of_worlds(
    name: str, array: np.ndarray, worlds: np.ndarray, n: int, shape: tuple[int, ...], is_mask: bool
) -> np.ndarray:
    """Values of the chosen worlds, from one of the shapes that users may give."""
    k = len(worlds)
    if array.shape == shape:
        return np.broadcast_to(array, (k, *shape))
    if array.shape == (k, *shape):
        return array
    if is_mask and array.shape == (n, *shape):
        return array[worlds]
    for_all = f", {(n, *shape)} for all worlds" if is_mask and k != n else ""
    raise FieldError(
        f"{name} has shape {array.shape}, but {k} chosen worlds need {(k, *shape)}{for_all}, or {shape} for one value "
        "that all of them get"
    )


def check_numbers(name: str, row: Field, array: np.ndarray, worlds: np.ndarray, number: NumberType | None) -> None:
    """Refuse numbers that no model can have; the error names field, world and element."""

    def check(values: np.ndarray) -> None:
        check_values(name, row, values)
        if number is not None and number.base == "float32":
            too_large = np.abs(values) > np.finfo(np.float32).max
            if too_large.any():
                raise ModelError(f"{name}{first_place(too_large)} is too large for float32")

    raise_for_world(check, array, worlds)


def raise_for_world(check: Callable[[Any], None], values: np.ndarray, worlds: np.ndarray) -> None:
    """Check the values of all worlds at once; if that fails, raise the error of the first world that fails alone."""
    try:
        check(values)
    except ModelError:
        for world, own in zip(worlds.tolist(), values, strict=True):
            try:
                check(own)
            except ModelError as error:
                raise ModelError(f"world {world}: {error}") from None
        raise


def check_sides(model: Model, values: Mapping[str, np.ndarray], worlds: np.ndarray) -> None:
    """Refuse another side site of a tendon, or another cell whose strain is held: they are objects, not numbers."""
    arrays = model._store.arrays
    is_cell = (arrays["eq_type"] == EqType.FLEXSTRAIN)[:, None] & (np.arange(arrays["eq_data"].shape[1]) < 3)
    for name, what, chosen in (
        ("wrap_prm", "a side site", np.isin(arrays["wrap_type"], (WrapType.SPHERE, WrapType.CYLINDER))),
        ("eq_data", "the place of a cell", is_cell),
    ):
        if name not in values:
            continue
        for world, *place in np.argwhere((values[name] != arrays[name]) & chosen)[:1].tolist():
            raise ModelError(
                f"world {int(worlds[world])}: {name}{place} is {what}, which is the same in all worlds: "
                f"leave it at {arrays[name][tuple(place)]:g}"
            )


def check_counts(model: Model, values: Mapping[str, np.ndarray], worlds: np.ndarray) -> None:
    """Refuse parameters of actuators that need more activations than the model has."""
    if not values.keys() & COUNTED_BY or not model.nactuator:
        return
    arrays, k = model._store.arrays, len(worlds)
    # the actuators of all worlds, one after the other, look like those of one larger model
    many = {name: np.tile(arrays[name], k) for name in _ACTUATOR_KINDS}
    for name in COUNTED_BY:
        rows = values[name] if name in values else np.broadcast_to(arrays[name], (k, *arrays[name].shape))
        many[name] = rows.reshape(k * model.nactuator, -1)
    for bad, words in activations("", np.tile(arrays["actuator_actnum"], k), model._store.sizes, many):
        for place in np.flatnonzero(bad)[:1].tolist():
            world, actuator = divmod(place, model.nactuator)
            label = NameIndex(arrays).label("actuator", actuator)
            raise ModelError(f"world {int(worlds[world])}: {label}: {words}")
