"""Everything in a Model that follows from its other rows, in the one order that every path takes.

The compiler, `Model.replace` and the lane groups of batches that vary fields all come here.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.collision.broad.candidates import candidate_rows
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.names import NameIndex
from phalanx.memory.store import Store, data_memory
from phalanx.native.entry import Unit
from phalanx.native.runtime import is_ready
from phalanx.native.runtime_checks import is_checked
from phalanx.pipeline import derive
from phalanx.pipeline.entries import parts_for, world_entry
from phalanx.pipeline.exact_frames import exact_frames
from phalanx.pipeline.flex_constants import derive_flexes
from phalanx.pipeline.operations import Operations
from phalanx.pipeline.parts import part_unit

#: Operations that recompute derived constants, in order; each sees what the one before has written.
CONSTANTS = ("constants_fixed", "constants_at_qpos0", "constants_inertia")
#: What a model has at most, in all, to count as small, and what is counted.
SMALL = 200
_COUNTED = ("nbody", "nv", "ngeom", "nsite", "nwrap", "nactuator", "neq")
#: Seconds that constants are interpreted for, in this process, before compiling them pays.
PATIENCE = 2.0
#: Seconds that constants have been interpreted for, each time.
_waits: list[float] = []


def recompute(
    sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray]
) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """All sizes and arrays, with those that derive from others recomputed in fresh memory."""
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    for name, array in arrays.items():
        if MODEL_SCHEMA.fields[name].setconst:
            copy = store.allocate(name)
            copy[...] = array
            array = copy
        store.attach(name, array)
    check_structure(store.arrays, store.sizes)
    derive.derive_structure(store.arrays, store.sizes)
    derive_constants(store)
    return store.sizes, store.arrays


def derive_constants(store: Store) -> Store:
    """Everything that follows from the rows of a Model whose structure is complete, each after what it depends on.

    Returns the memory of a Data at qpos0, with its inertia.
    """
    store.redirect(exact_frames(store.arrays))
    pose = data_memory(store.sizes, store.number)
    is_quick = is_sooner_interpreted(store)
    operations, began = Operations(store, pose, True if is_quick else None), perf_counter()
    for operation in CONSTANTS:
        operations.run(operation)
    if is_quick:
        _waits.append(perf_counter() - began)
    derive.derive_boxes(store.arrays, store.sizes)
    if store.sizes["nflex"] and not store.number.width:
        derive_flexes(store, pose)
    return pose


def is_sooner_interpreted(store: Store) -> bool:
    """Are derived constants known sooner without compiled code? The bits are the same.

    Of a small model, if nothing is compiled yet, and not again and again.
    """
    is_small = not store.number.width and sum(store.sizes[size] for size in _COUNTED) <= SMALL
    if not is_small or is_interpreted() or is_checked() or sum(_waits) > PATIENCE:
        return False
    units: list[Unit] = [world_entry(store.number, entry="constants")]
    units += [part_unit(name, store.number, False) for name in parts_for(CONSTANTS[0], store)]
    return not all(map(is_ready, units))


def list_candidates(
    sizes: Mapping[str, int], arrays: dict[str, np.ndarray], is_filtered: bool = False
) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """Sizes and arrays, with the list of geom pairs that may touch made anew; `is_filtered`: by a hook."""
    rows = candidate_rows(arrays, is_filtered)
    sizes = {**sizes, "ncandidate": len(rows["candidate_pair"])}
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    arrays = dict(arrays)
    for name, values in rows.items():
        arrays[name] = store.allocate(name)
        arrays[name][...] = values
    return sizes, arrays


def list_candidates_in(store: Store) -> None:
    """Make the list of geom pairs that may touch anew, in memory that can still be written."""
    rows = candidate_rows(store.arrays)
    store.set_size("ncandidate", len(rows["candidate_pair"]))
    for name, values in rows.items():
        if "ncandidate" in MODEL_SCHEMA.fields[name].shape:
            store.attach(name, store.allocate(name))
        store.arrays[name][...] = values


def check_structure(arrays: dict[str, np.ndarray], sizes: dict[str, int]) -> None:
    """Refuse numbers that the structure of the compiled model does not allow, in any world."""
    names = NameIndex(arrays)
    for body, reason in derive.check_simple(arrays, sizes):
        raise ModelError(
            f"{names.label('body', body)} was compiled as simple (its inertia matrix is diagonal), but {reason}; "
            'compile it with simple="false" to change this'
        )
    for tree, reason in derive.check_sleep(arrays, sizes):
        raise ModelError(f"{names.label('body', int(arrays['tree_bodyadr'][tree]))} cannot sleep: {reason}")
    for geom, reason in derive.check_colliding(arrays, sizes):
        raise ModelError(f"{names.label('geom', geom)}: {reason}")
