"""The state as one flat vector, made of the parts that the bits of a `StateBit` name, in the order of the bits.

Vectors have MuJoCo's order and size (mj_getState), for one world or with an axis of worlds in front.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import numbers, whole
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.tables.enums import StateBit

#: Parts whose field has another name than the bit.
_OTHER_NAMES = {StateBit.WARMSTART: "qacc_warmstart", StateBit.PLUGIN: "plugin_state"}
#: The field of each part, in the order of the bits.
STATE_FIELDS: dict[StateBit, str] = {
    bit: _OTHER_NAMES.get(bit, str(bit.name).lower()) for bit in StateBit if bit.value.bit_count() == 1
}
_ALL = int(StateBit.INTEGRATION)
#: Sizes that decide how long the parts are.
_SIZES = tuple(
    dict.fromkeys(
        axis for field in STATE_FIELDS.values() for axis in DATA_SCHEMA.fields[field].shape if isinstance(axis, str)
    )
)


def state_bits(sig: Any, name: str = "sig") -> StateBit:
    """A signature as the user gives it: bits, or the name of a StateBit such as "FULLPHYSICS"."""
    if type(sig) is StateBit and 0 <= sig.value <= _ALL:
        return sig
    if isinstance(sig, str):
        known = StateBit.__members__
        if sig.upper() not in known:
            hint = suggestion(sig.upper(), known)
            raise FieldError(f"{name} names no part of the state: {sig!r}{hint}; see phalanx.enums.StateBit")
        return known[sig.upper()]
    return StateBit(whole(f"{name}, the bits of the state (phalanx.enums.StateBit),", sig, 0, _ALL))


def _parts(sig: StateBit, sizes: Mapping[str, int]) -> tuple[tuple[StateBit, str, int, int], ...]:
    """Bit, field, and the stretch of the vector, of each part."""
    return _stretches(sig.value, tuple([sizes.get(size, 0) for size in _SIZES]))


@functools.lru_cache(maxsize=256)
def _stretches(sig: int, sizes: tuple[int, ...]) -> tuple[tuple[StateBit, str, int, int], ...]:
    """The parts of a signature; kept, because a loop asks for the same ones again and again."""
    known, parts, first = dict(zip(_SIZES, sizes, strict=True)), [], 0
    for bit, field in STATE_FIELDS.items():
        if bit & sig:
            last = first + math.prod(shape_of(DATA_SCHEMA.fields[field], known))
            parts.append((bit, field, first, last))
            first = last
    return tuple(parts)


def state_size(sizes: Mapping[str, int], sig: StateBit) -> int:
    """How many numbers a vector of these parts has."""
    parts = _parts(sig, sizes)
    return parts[-1][-1] if parts else 0


def get_state(arrays: Mapping[str, np.ndarray], sizes: Mapping[str, int], sig: StateBit, worlds: tuple[int, ...] = ()):
    """The vector of the fields in `arrays`; `worlds` is the shape in front, () for one world."""
    state = np.empty((*worlds, state_size(sizes, sig)), arrays["qpos"].dtype)
    for _, field, first, last in _parts(sig, sizes):
        if last > first:
            state[..., first:last] = arrays[field].reshape(*worlds, last - first)
    return state


def set_state(
    arrays: Mapping[str, np.ndarray],
    sizes: Mapping[str, int],
    state: Any,
    sig: StateBit,
    worlds: tuple[int, ...] = (),
) -> None:
    """Write the parts of a vector into their fields; one vector may serve all worlds."""
    values, size = numbers("state", state), state_size(sizes, sig)
    if values.shape not in ((size,), (*worlds, size)):
        expected = f"({size},)" if not worlds else f"({size},) or {(*worlds, size)}"
        raise FieldError(f"a state of {_words(sig)} has shape {expected}, not {values.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        for _, field, first, last in _parts(sig, sizes):
            if last == first:
                continue
            part, array = values[..., first:last], arrays[field]
            # a switch is on unless it is zero
            part = part if array.dtype.kind == "f" else part != 0
            array[...] = part.reshape((*part.shape[:-1], *array.shape[len(worlds) :]))


def extract_state(sizes: Mapping[str, int], state: Any, srcsig: StateBit, dstsig: StateBit) -> np.ndarray:
    """Some parts of vectors (..., size), as a copy."""
    values, size = numbers("state", state), state_size(sizes, srcsig)
    if dstsig & ~srcsig:
        raise FieldError(f"a state of {_words(srcsig)} has no {_words(dstsig & ~srcsig)}")
    if not values.ndim or values.shape[-1] != size:
        raise FieldError(f"a state of {_words(srcsig)} has {size} numbers, not shape {values.shape}")
    parts = [values[..., first:last] for bit, _, first, last in _parts(srcsig, sizes) if bit & dstsig]
    return np.concatenate([values[..., :0], *parts], axis=-1)


def _words(sig: StateBit) -> str:
    """A signature in a message."""
    return " | ".join(str(bit.name) for bit in STATE_FIELDS if bit & sig) or "nothing"
