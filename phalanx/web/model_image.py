"""A model and a state as one file: the memory that kernels see, and where everything is in it.

    magic, 8 bytes | length of the text, 4 bytes | text (JSON) | padding | memory of the Model | memory of the Data

Fields begin at multiples of 64 bytes, counted from the start of their memory, as in this process. The text says where
they are, which slots of the tables of addresses are theirs, and how memory grows. `page/simulation.js` reads it.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.store import Store
from phalanx.pipeline.checks import SHORT, STOPPED
from phalanx.show.columns import columns
from phalanx.show.replay.still import model_title
from phalanx.tables.data_domains import is_settable
from phalanx.tables.data_fields import VARIABLE_SIZES, WATCHED
from phalanx.tables.enums import BAD_ROW, UNSOLVED, SleepPolicy, WarningType
from phalanx.tables.parts import PART_SLOTS, PARTS
from phalanx.tables.scratch_fields import CAPACITY, COUNTED
from phalanx.tables.sizes import LARGEST_INT
from phalanx.web.web_units import layout_digest, stub_name
from phalanx.world.data import KEYFRAME_ROWS, Data
from phalanx.world.fingerprint import PHYSICS, STATE
from phalanx.world.model import Model

MAGIC = b"PHXIMG\0\1"
#: Fields begin at such boundaries [bytes].
_ALIGNMENT = 64
#: Most memory that a page can be asked for [bytes]: addresses have 32 bits, and contacts need some of it.
LARGEST = 1 << 31
#: Quantities that the first codes of errors are about.
_QUANTITIES = {WarningType.BADQPOS: "qpos", WarningType.BADQVEL: "qvel", WarningType.BADQACC: "qacc"}
#: Fields whose numbers have names of their own in the text.
_NAMED = ("qpos", "qvel", "qacc", "act", "ctrl", "sensordata")


class Memory:
    """Arrays one after another, each at a boundary."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def put(self, array: np.ndarray) -> int:
        """Add an array; returns where it is."""
        content = np.ascontiguousarray(array).tobytes()
        start = self.size
        padded = content + bytes(-len(content) % _ALIGNMENT if content else _ALIGNMENT)
        self._parts.append(padded)
        self.size += len(padded)
        return start

    def content(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)


def type_name(dtype: np.dtype) -> str:
    """The type of elements, as the text names it: f8, f4, i8, i4, u1."""
    return "u1" if dtype.kind == "b" else dtype.str.lstrip("<|")


def image_of(data: Data) -> bytes:
    """The image of a Data and its Model, exactly as they are.

    Raises:
        ModelError: it is too large for a browser.
    """
    model = data.model
    if data._store.number.base != "float64":
        raise ModelError("pages compute in double precision: give a Data with dtype float64")
    model_memory, data_memory = Memory(), Memory()
    about = {
        "layout": layout_digest(), "title": model_title(model),
        "model": _model_rows(model._store, model_memory), "data": _data_rows(data._store, data_memory),
        "growth": {size: [capacity, COUNTED[size]] for size, capacity in CAPACITY.items()}, "most": LARGEST_INT,
        "capacity": {size: data._store.sizes[size] for size in VARIABLE_SIZES},
        "parts": _part_rows(),
        "hooks": {hook.row.slot: DATA_SCHEMA.slot[hook.row.slot] for hook in model._hooks.values()},
        "state": list(STATE), "keyframes": dict(KEYFRAME_ROWS), "begin": _beginning(data),
        "names": {kind: list(names) for kind, names in model.names.names.items() if names},
        "columns": {name: columns(model, name) for name in _NAMED},
        "faults": _faults(), "status": {"short": SHORT, "stopped": STOPPED},
    }  # fmt: skip
    # addresses have 32 bits, half of which are left for what grows
    if model_memory.size + data_memory.size > LARGEST:
        size = (model_memory.size + data_memory.size) / 2**30
        raise ModelError(f"the model takes {size:.1f} GB of memory: too large for a browser, which has at most 2 GB")
    text = json.dumps(about, separators=(",", ":"), allow_nan=False).encode()
    head = MAGIC + struct.pack("<I", len(text)) + text
    return head + bytes(-len(head) % _ALIGNMENT) + model_memory.content() + data_memory.content()


def _model_rows(store: Store, memory: Memory) -> dict[str, Any]:
    """Slots, sizes and fields of a Model, as kernels see it: without words and looks, which no kernel reads."""
    physics = frozenset(PHYSICS)
    fields = {
        name: [MODEL_SCHEMA.slot[name], type_name(array.dtype), list(array.shape), memory.put(array)]
        for name in MODEL_SCHEMA.fields
        if name in physics
        for array in (store.seen(name),)
    }
    sizes = {name: [MODEL_SCHEMA.slot[name], store.sizes[name]] for name in MODEL_SCHEMA.sizes}
    return {"slots": len(MODEL_SCHEMA.slot), "sizes": sizes, "fields": fields, "bytes": memory.size}


def _data_rows(store: Store, memory: Memory) -> dict[str, Any]:
    """Slots and fields of a Data. A field of variable size has the names of these sizes in its shape.

    Fields of fixed size come first, in one piece that can be written at once.
    """
    fields = {}
    variable = frozenset(VARIABLE_SIZES)
    rows = sorted(DATA_SCHEMA.fields.items(), key=lambda item: bool(variable & set(item[1].shape)))
    fixed = 0
    for name, row in rows:
        array = store.arrays[name]
        shape = [axis if axis in variable else extent for axis, extent in zip(row.shape, array.shape, strict=True)]
        start = memory.put(array)
        if not variable & set(row.shape):
            fixed = memory.size
        access = "hidden" if row.scratch else "written" if is_settable(row) else "read"
        fields[name] = [DATA_SCHEMA.slot[name], type_name(array.dtype), shape, start, row.live, access]
    return {"slots": len(DATA_SCHEMA.slot), "fields": fields, "fixed": fixed, "bytes": memory.size}


def _part_rows() -> list[list[Any]]:
    """Each kernel that is called through its address: its slot, its name, that of its stub, the part it belongs to."""
    part_of = {slot: name for name, row in PARTS.items() for slot in row.slots}
    return [[DATA_SCHEMA.slot[slot], slot, stub_name(slot), part_of[slot]] for slot in PART_SLOTS]


def _beginning(data: Data) -> dict[str, Any]:
    """What a new Data has beside zeros, and whether trees sleep from the start."""
    variable = frozenset(VARIABLE_SIZES)
    defaults = {
        name: np.atleast_1d(row.default).tolist() for name, row in DATA_SCHEMA.fields.items()
        if np.any(row.default) and not variable & set(row.shape)
    }  # fmt: skip
    sleepers = SleepPolicy.INIT in data.model._store.arrays["tree_sleep_policy"] and data.model._store.sizes["nsleep"]
    return {"defaults": defaults, "sleeps": bool(sleepers)}


def _faults() -> dict[int, str]:
    """Code of an error -> the field whose number is bad."""
    first = {1 + warning: name for warning, name in _QUANTITIES.items()}
    rows = {BAD_ROW + k: name for k, name in enumerate(WATCHED)}
    return {**first, **rows, int(UNSOLVED): "constraints"}


def model_bytes(model: Model) -> int:
    """Bytes of memory that the physics of a model takes in a page, without contacts."""
    return sum(model._store.seen(name).nbytes for name in PHYSICS)
