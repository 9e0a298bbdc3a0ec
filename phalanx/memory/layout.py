"""Row and sizes -> shape and dtype, for one world, for a lane group, and for the worlds of a device.

On a device one thread runs one world, and threads that are neighbors run together. So element k of a field in world w
of n is at place k * n + w: what neighbors read at once is a stretch of memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import Field, Kind, rows, rows_by_name
from phalanx.tables.hooks import HOOKS
from phalanx.tables.ik_fields import IK, IK_SIZES
from phalanx.tables.model_fields import MODEL
from phalanx.tables.option_fields import OPTION, STATISTIC
from phalanx.tables.parts import PART_SLOTS
from phalanx.tables.sizes import SIZES, extent

__all__ = ["CONTACT", "DATA_SCHEMA", "IK_SCHEMA", "MODEL_SCHEMA", "Schema", "dtype_of", "shape_of"]

#: The size that says how many worlds the memory of a device is for.
NWORLD = "nworld"

#: Prefix of the slots that say how many rows fields have: `extent:nbody`.
EXTENT = "extent:"

_DTYPES = {
    Kind.INT: np.dtype(np.int32),
    Kind.WHOLE: np.dtype(np.int32),
    Kind.BOOL: np.dtype(np.bool_),
    Kind.BYTE: np.dtype(np.uint8),
    Kind.SIZE: np.dtype(np.int64),
    Kind.FLOAT32: np.dtype(np.float32),
    Kind.FLOAT64: np.dtype(np.float64),
}


def dtype_of(row: Field, number: NumberType) -> np.dtype:
    """Element type of a field whose physics runs in `number`."""
    is_number = row.kind in (Kind.REAL, Kind.SCALAR) or (row.kind is Kind.WHOLE and number.width > 1)
    return number.dtype if is_number else _DTYPES[row.kind]


def shape_of(row: Field, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Shape of a field in one world."""
    return tuple(extent(axis, sizes) for axis in row.shape)


@dataclass(frozen=True)
class Schema:
    """The rows that one view can see, each at a fixed slot of the view's table.

    Nested records (`opt`, `stat`) keep their rows under a dotted name; `methods` are calls of records, likewise.
    `writable` are fields of a Model that functions of the user may change.
    """

    name: str
    sizes: tuple[str, ...]
    fields: dict[str, Field]
    hooks: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()

    @cached_property
    def slot(self) -> dict[str, int]:
        """Position of each size, field, hook, part and extent in the table of addresses."""
        extents = (EXTENT + axis for axis in self.extents)
        return {name: k for k, name in enumerate((*self.sizes, *self.fields, *self.hooks, *self.parts, *extents))}

    @cached_property
    def extents(self) -> tuple[str, ...]:
        """What first axes are called; kernels with checks compare indices with them."""
        axes = (row.shape[0] for row in self.fields.values() if row.shape)
        return tuple(dict.fromkeys(axis for axis in axes if isinstance(axis, str)))

    @cached_property
    def records(self) -> frozenset[str]:
        """Names of nested records."""
        return frozenset(name.split(".")[0] for name in self.fields if "." in name)

    def lanes(self, row: Field) -> bool:
        """Does the row hold a number per world in a lane group?"""
        return row.kind in (Kind.REAL, Kind.WHOLE)

    def is_dual(self, row: Field) -> bool:
        """Has the row tangents, if numbers have? Numbers of one world do; geometry of assets is fixed."""
        return row.kind in (Kind.REAL, Kind.SCALAR) or (row.kind is Kind.FLOAT64 and self.name == "data")

    def is_spread(self, row: Field, number: NumberType) -> bool:
        """Has each world of a device its own elements? Of all rows of a Data; of a Model that varies, of numbers."""
        return number.spread and (self.name != "model" or self.lanes(row))

    def cells(self, row: Field, number: NumberType) -> tuple[str | int, ...]:
        """The last axis of a row in memory: worlds of a group or of a device, or a value and its tangents; or none."""
        if number.spread:
            return (NWORLD,) if self.is_spread(row, number) else ()
        if number.tangents:
            return (number.cells,) if self.is_dual(row) else ()
        return (number.width,) if number.width > 1 and self.lanes(row) else ()


MODEL_SCHEMA = Schema(
    name="model",
    sizes=tuple(size.name for size in SIZES),
    fields={
        **rows_by_name(MODEL),
        **{f"opt.{row.name}": row for row in rows(OPTION)},
        **{f"stat.{row.name}": row for row in rows(STATISTIC)},
    },
)

DATA_SCHEMA = Schema(
    name="data",
    sizes=(),
    fields=rows_by_name(DATA),
    hooks=tuple(hook.slot for hook in HOOKS.values()),
    parts=PART_SLOTS,
)

IK_SCHEMA = Schema(name="ik", sizes=IK_SIZES, fields=rows_by_name(IK))

SCHEMAS = {schema.name: schema for schema in (MODEL_SCHEMA, DATA_SCHEMA, IK_SCHEMA)}
