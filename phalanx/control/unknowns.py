"""Numbers of a Model that are to be found, given by field and object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole
from phalanx.memory.names import OBJECT_KINDS, object_places
from phalanx.tables.field import Kind
from phalanx.world.model import Model


@dataclass(frozen=True)
class Unknown:
    """A number of the model that is to be found.

    Attributes:
        fields: a real field of the Model, such as "dof_damping"; or several that have a factor in common, such as
            ("body_mass", "body_inertia"): then that factor is what is found.
        element: name or id of the object that the field belongs to: a body for "body_mass", a joint for "dof_damping".
            Options such as "opt.gravity" have none.
        column: which of its numbers; not needed where there is one, or for a factor of all.
        bounds: least and largest value.
    """

    fields: str | tuple[str, ...]
    element: str | int | None = None
    column: int | None = None
    bounds: tuple[float, float] = (0.0, np.inf)

    @property
    def label(self) -> str:
        """How it is called in results."""
        names = (self.fields,) if isinstance(self.fields, str) else self.fields
        owner = "" if self.element is None else f" of {self.element}"
        return ", ".join(names) + owner + ("" if self.column is None else f" [{self.column}]")


@dataclass(frozen=True)
class Place:
    """Where an unknown is: in some fields, the same part of each; a value, or a factor of what the model has."""

    names: tuple[str, ...]
    parts: tuple[Any, ...]
    column: int | None
    is_factor: bool
    value: float
    bounds: tuple[float, float]

    @staticmethod
    def of(model: Model, unknown: Unknown) -> Place:
        """The place of an unknown in a model.

        Raises:
            FieldError: a field that does not exist or is not real, numbers that are not single, bounds that are empty.
            UnknownNameError: an object that the model does not have.
        """
        names = (unknown.fields,) if isinstance(unknown.fields, str) else tuple(unknown.fields)
        if not names:
            raise FieldError("an Unknown names at least one field of the Model")
        low, high = (float(bound) for bound in unknown.bounds)
        if not low < high:
            raise FieldError(f"the bounds of {unknown.label} leave nothing between {low:g} and {high:g}")
        parts = tuple(part_of(model, name, unknown.element) for name in names)
        column = None if unknown.column is None else whole("column", unknown.column)
        found = [chosen(field_of(model, name)[part], column) for name, part in zip(names, parts, strict=True)]
        is_factor = len(names) > 1
        if any(numbers.size == 0 for numbers in found):
            raise FieldError(f"{unknown.label}: there is no such number")
        if not is_factor and found[0].size != 1:
            raise FieldError(f"{unknown.label} is {found[0].size} numbers: say which one with column=")
        value = 1.0 if is_factor else float(found[0][0])
        return Place(names, parts, column, is_factor, value, (low, high))

    def write(self, name: str, array: np.ndarray, values: np.ndarray) -> None:
        """Put a value for each world into the array of one of the fields, (worlds, *shape)."""
        part = self.parts[self.names.index(name)]
        for world, value in zip(array, values, strict=True):
            numbers = chosen(world[part], self.column)
            numbers[:] = numbers * value if self.is_factor else value


def field_of(model: Model, name: str) -> np.ndarray:
    """The numbers of a real field of a Model."""
    row = model.row(name)
    if row.kind is not Kind.REAL:
        raise FieldError(f"{name} has no real numbers, so that it cannot be found by trying")
    return np.asarray(model._store.arrays[name])


def part_of(model: Model, name: str, element: str | int | None) -> Any:
    """The part of a field that belongs to an object: an index or a slice."""
    row = model.row(name)
    owners = [kind for kind in OBJECT_KINDS if not row.is_scalar and (
        row.shape[0] == kind.size or any(row.shape[0] == span.size for span in kind.spans)
    )]  # fmt: skip
    if element is None or not owners:
        if element is not None:
            raise FieldError(f"{name} belongs to no object: leave element out")
        if owners:
            raise FieldError(f"{name} belongs to a {owners[0].accessor}: which one? Give element=")
        return ...
    owner = owners[0]
    places = object_places(owner, model.names.id_of(owner.accessor, element), {name: row}, model.structure)
    (place,) = places.values()
    return place.where


def chosen(part: np.ndarray, column: int | None) -> np.ndarray:
    """The numbers of an object, or one of them; live."""
    numbers = part.reshape(-1)
    return numbers if column is None else numbers[column : column + 1]
