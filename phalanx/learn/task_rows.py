"""What a task declares, and the rows that its functions see beside those of a Data.

The rows of a task stand in the spare slots behind the table of a Data (`memory/store.py`), so that `d` of a task is the
`d` of the physics with more attributes: `d.action`, `d.rng`, `d.task.target`.
"""

from __future__ import annotations

import dataclasses
import keyword
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import Kernel
from phalanx.algebra.number_type import NumberType
from phalanx.batch.binding import KEPT
from phalanx.learn.random_stream import METHODS
from phalanx.memory.errors import FieldError
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA, Schema, dtype_of, shape_of
from phalanx.memory.store import PlainView, Store
from phalanx.tables.field import REAL, SIZE, Field

#: Records of `d` that tasks add: rows of the task, its random stream, and what the pass itself keeps.
RECORDS = ("task", "rng", "outcome", "final")
#: Integers that the pass is told, in the table itself; the last are addresses of arrays of all worlds of a device.
INTEGERS = (
    "outcome.autoreset", "outcome.most_steps", "outcome.frame_skip", "outcome.nominal_address", "outcome.pose_address",
    "outcome.given_address", "outcome.final_address", "outcome.flags_address",
)  # fmt: skip


#: The option of a reset that chooses worlds.
MASK = "reset_mask"
#: What environments show in `info` besides rows.
SHOWN = ("final_obs", "final_info", "failed", "bad_files")
#: Numbers of a row of one world, at most: 128 MB.
MOST_NUMBERS = 2**24


@dataclass(frozen=True)
class Row:
    """Numbers that a task keeps for each world: `d.task.<name>` in its functions.

    Attributes:
        name: of the row.
        shape: how many numbers: () is one, 3 or (3,) three, (4, 3) four times three.
        default: value of each number when an episode begins, before `reset` is called; of a row that is lasting, when
            the first one does.
        info: is the row shown in `info` of environments?
        lasting: does it keep its values when an episode begins? (The level of a curriculum, say.)
        doc: one line of meaning.
    """

    name: str
    shape: int | tuple[int, ...] = ()
    default: float = 0.0
    info: bool = False
    lasting: bool = False
    doc: str = ""

    @property
    def extents(self) -> tuple[int, ...]:
        """The shape as a tuple."""
        return (self.shape,) if isinstance(self.shape, (int, np.integer)) else tuple(self.shape)


@dataclass(frozen=True)
class Signal:
    """Neighboring numbers of an observation.

    Attributes:
        name: what they are.
        count: how many.
        low, high: bounds, for the space.
        names: of each number; "" for name[0], name[1], ...
        unit: of each number.
        group: signals of different groups make a `Dict` space; with one group it is a `Box`.
    """

    name: str
    count: int = 1
    low: float = -math.inf
    high: float = math.inf
    names: tuple[str, ...] = ()
    unit: str = ""
    group: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number."""
        if self.names:
            return self.names
        return (self.name,) if self.count == 1 else tuple(f"{self.name}[{k}]" for k in range(self.count))


class TaskLayout:
    """The rows of a task for models of some sizes.

    Attributes:
        rows: those that the task declares.
        varied: fields of the Model that differ by world, by name.
        fields: rows beside those of a Data, by path, in the order of their slots; integers of the table come first.
        schemas: what `m` and `d` have, for the check of sources.
        early_schemas: what they have before the physics.
        changing_schemas: what they have where the Model is changed.
        saved: how many numbers of a world are kept while it may be reset.
    """

    def __init__(
        self, rows: tuple[Row, ...], nobs: int, naction: int, sizes: Mapping[str, int], varied: tuple[str, ...] = ()
    ):
        self.rows, self.nobs, self.naction = rows, nobs, naction
        self.varied = {name: MODEL_SCHEMA.fields[name] for name in varied}
        check_rows(rows)
        own = {f"task.{row.name}": Field(f"task.{row.name}", REAL, row.extents, row.doc) for row in rows}
        kept = [DATA_SCHEMA.fields[name] for name in KEPT]
        counts = [math.prod(shape_of(field, sizes)) for field in (*kept, *self.varied.values())]
        episode = (
            Field("action", REAL, (naction,), "what the policy asks for"),
            Field("last_action", REAL, (naction,), "the action before"),
            Field("episode_steps", REAL, (), "how many actions there were in this episode"),
            Field("episode_return", REAL, (), "sum of rewards in this episode"),
        )
        outcome = (
            Field("outcome.reward", REAL, (), "of the step"),
            Field("outcome.terminated", REAL, (), "did the episode end?"),
            Field("outcome.truncated", REAL, (), "was it cut off?"),
            Field("outcome.done", REAL, (), "is a reset due?"),
            Field("outcome.failed", REAL, (), "why the physics failed, 0 if it did not"),
            Field("outcome.bad", REAL, (), "what was not a number"),
            Field("outcome.chosen", REAL, (), "does an episode begin?"),
            Field("outcome.observation", REAL, (nobs,), "as `observe` wrote it"),
        )
        final = (
            Field("outcome.final_observation", REAL, (nobs,), "the last one of an episode"),
            Field("outcome.final_steps", REAL, (), "of an episode that ended"),
            Field("outcome.final_total", REAL, (), "sum of its rewards"),
            *(Field(f"final.{row.name}", REAL, row.extents, row.doc) for row in rows if row.info),
        )
        stream = (
            Field("rng.state", SIZE, (3,), "keys, counters and kept counters of the worlds of a group"),
            Field("rng.zero", REAL, (), "a number of the type of the group"),
        )
        # what an episode begins with anew, or goes back to in a world where none begins
        self.restored = (*own.values(), *episode, outcome[-1])
        self.saved = sum(counts) + sum(math.prod(shape_of(field, {})) for field in self.restored)
        memory = (Field("outcome.saved", REAL, (self.saved,), "a world before it may be reset"),)
        every = (*own.values(), *episode, *outcome, *final, *stream, *memory)
        self.fields = {field.name: field for field in every}
        first = len(DATA_SCHEMA.slot)
        self.slot = {path: first + k for k, path in enumerate((*INTEGERS, *self.fields))}
        self.schemas = {"model": MODEL_SCHEMA, "data": self._schema(DATA_SCHEMA.fields)}
        early = {name: DATA_SCHEMA.fields[name] for name in KEPT}
        self.early_schemas = {"model": MODEL_SCHEMA, "data": self._schema(early)}
        self.changing_schemas = {
            "model": dataclasses.replace(MODEL_SCHEMA, writable=varied), "data": self.early_schemas["data"]
        }  # fmt: skip

    def _schema(self, fields: Mapping[str, Field]) -> Schema:
        """Rows of a Data and those of the task, for the check of sources."""
        shown = {
            path: field for path, field in self.fields.items() if path.partition(".")[0] not in ("outcome", "final")
        }
        methods = tuple(f"rng.{name}" for name in METHODS)
        return Schema("data", (), {**fields, **shown}, methods=methods)

    def text(self) -> str:
        """All that decides machine code."""
        rows = [(path, field.kind.value, field.shape) for path, field in self.fields.items()]
        return repr([*self.varied, *INTEGERS, *rows])


def check_rows(rows: tuple[Row, ...]) -> None:
    """Refuse rows that cannot be told apart or have no size."""
    for row in rows:
        if not isinstance(row, Row):
            raise FieldError(f"`state` of a task holds phalanx.Row(...), not {type(row).__name__}")
        if not isinstance(row.name, str) or not row.name.isidentifier() or keyword.iskeyword(row.name):
            raise FieldError(f"the name of a row must be an identifier, unlike {row.name!r}")
        if row.name in (*KEPT, MASK):
            raise FieldError(f"a row cannot be called {row.name}: options of a reset have that name for something else")
        if row.info and (row.name in SHOWN or row.name.startswith("_")):
            raise FieldError(f"a row in `info` cannot be called {row.name}: environments show something else there")
        check_numbers(row)
    names = [row.name for row in rows]
    if len({*names}) < len(names):
        raise FieldError(f"rows of a task have different names, unlike {', '.join(names)}")


def check_numbers(row: Row) -> None:
    """Refuse a shape that is none, and a default that is no number."""
    if not isinstance(row.shape, (int, np.integer, tuple, list)):
        raise FieldError(f"row {row.name} has a shape of whole numbers, not {row.shape!r}")
    if not all(isinstance(extent, (int, np.integer)) and extent > 0 for extent in row.extents):
        raise FieldError(f"row {row.name} has the shape {row.extents}: every extent must be positive")
    if math.prod(row.extents) > MOST_NUMBERS:
        raise FieldError(f"row {row.name} has the shape {row.extents}: more than {MOST_NUMBERS} numbers for each world")
    if not isinstance(row.default, (int, float, np.number)) or not math.isfinite(row.default):
        raise FieldError(f"the default of row {row.name} must be a number, not {row.default!r}")


class TaskMemory:
    """Memory of one lane group: a Data, and the rows of the task behind it.

    Attributes:
        store: of the Data.
        arrays: of the rows of the task, by path.
        pose: a Data to compute constants of the Model with, if the task changes it.
    """

    def __init__(self, layout: TaskLayout, sizes: Mapping[str, int], number: NumberType):
        self.layout, self.number = layout, number
        self.store = Store(DATA_SCHEMA, sizes, number, spare=len(layout.slot))
        self.store.allocate_all()
        self.arrays: dict[str, np.ndarray] = {}
        self.pose: Store | None = None
        for path, field in layout.fields.items():
            shape: tuple[Any, ...] = field.shape
            if field.kind is SIZE:
                shape = (3 * number.worlds,)
            elif number.width > 1:
                shape = (*shape, number.width)
            array = self.arrays[path] = aligned_zeros(shape, dtype_of(field, number))
            self.store.table[layout.slot[path]] = array.__array_interface__["data"][0]

    def set_integer(self, path: str, value: int) -> None:
        """Tell the pass an integer."""
        self.store.table[self.layout.slot[path]] = value


class TaskView(PlainView):
    """`d` of a task when it runs interpreted."""

    __slots__ = ("_memory",)

    def __init__(self, memory: TaskMemory, prefix: str = ""):
        super().__init__(memory.store, prefix)
        object.__setattr__(self, "_memory", memory)

    def __getattr__(self, name: str) -> Any:
        path, memory = self._prefix + name, self._memory
        if not self._prefix and name in RECORDS:
            return TaskView(memory, name + ".")
        if path in INTEGERS:
            return int(memory.store.table[memory.layout.slot[path]])
        if path in memory.arrays:
            array = memory.arrays[path]
            return array[()] if array.ndim == 0 else array
        if self._prefix == "rng." and name in METHODS:
            return METHODS[name].__get__(self)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        path = self._prefix + name
        if path in self._memory.arrays:
            self._memory.arrays[path][()] = value
        else:
            super().__setattr__(name, value)


def method_of(path: str) -> Kernel | None:
    """The kernel that `d.rng.uniform` and the like stand for."""
    record, _, name = path.partition(".")
    return METHODS.get(name) if record == "rng" else None
