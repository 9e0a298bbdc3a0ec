"""Memory of all fields in one piece: arrays are made when they are asked for, but look like a whole dict before."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from phalanx.algebra.arrays import ALIGNMENT
from phalanx.algebra.number_type import NumberType
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import FieldsOnDemand, Store


def full_store() -> Store:
    store = Store(MODEL_SCHEMA, dict.fromkeys(MODEL_SCHEMA.sizes, 2), NumberType("float64"))
    store.allocate_all()
    return store


def addresses(arrays):
    return {name: array.ctypes.data for name, array in arrays.items()}


def test_an_array_is_where_kernels_look_for_it():
    store = full_store()
    for name, array in store.arrays.items():
        assert array.shape == store.full_shape(name)
        assert array.ctypes.data == store.table[MODEL_SCHEMA.slot[name]]
        assert array.ctypes.data % ALIGNMENT == 0
    ends = sorted((array.ctypes.data, array.ctypes.data + array.nbytes) for array in store.arrays.values())
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))


def test_an_array_is_made_once():
    arrays = full_store().arrays
    assert isinstance(arrays, FieldsOnDemand)
    assert len(arrays.made()) == 0
    arrays["geom_pos"][1] = 1, 2, 3
    assert arrays["geom_pos"] is arrays["geom_pos"]
    assert arrays["geom_pos"][1].tolist() == [1, 2, 3]
    assert len(arrays.made()) == 1


@pytest.mark.parametrize("copied", [
    dict, lambda arrays: {**arrays}, lambda arrays: arrays.copy(), lambda arrays: arrays | {},
    lambda arrays: {} | arrays, lambda arrays: dict(arrays.items()),
    lambda arrays: dict(zip(arrays.keys(), arrays.values(), strict=True)),
    lambda arrays: {name: arrays.get(name) for name in arrays},
])  # fmt: skip
def test_every_copy_has_all_fields(copied):
    arrays = full_store().arrays
    copy = copied(arrays)
    assert list(copy) == list(MODEL_SCHEMA.fields)
    assert len(arrays) == len(copy)
    assert addresses(copy) == addresses(arrays)


def test_only_fields_are_found():
    arrays = full_store().arrays
    assert "geom_pos" in arrays and "geom_poss" not in arrays
    assert arrays.get("geom_poss") is None
    with pytest.raises(KeyError):
        arrays["geom_poss"]


def test_a_frozen_store_cannot_be_written():
    store = full_store()
    before = store.arrays["geom_pos"]
    store.attach("geom_size", np.ones((2, 3)))
    store.freeze()
    assert not before.flags.writeable
    assert not any(array.flags.writeable for array in store.arrays.values())


COLUMNS = {
    "numbers": ("body_mass", [1.5, 2.5]),
    "rows": ("geom_pos", [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)]),
    "one for all": ("geom_margin", 0.25),
    "one row for all": ("geom_size", (1.0, 2.0, 3.0)),
    "an array": ("geom_rgba", np.arange(8.0).reshape(2, 4)),
    "rows that are arrays": ("geom_quat", [np.arange(4.0), np.ones(4)]),
    "rows that are lists": ("geom_friction", [[1, 2, 3], [4, 5, 6]]),
    "NumPy numbers": ("body_parentid", [np.int64(0), np.int32(1)]),
    "flags": ("jnt_limited", [True, 0]),
    "numbers cut to integers": ("geom_group", [1.0, 2.0]),
    "too large for single precision": ("geom_rgba", [(1e300, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)]),
    "nothing": ("geom_group", []),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.filterwarnings("ignore:overflow")
def test_columns_are_filled_as_numpy_would(name):
    field, values = COLUMNS[name]
    filled, assigned = full_store(), full_store()
    filled.fill({field: values})
    if not (isinstance(values, list) and not values):
        assigned.arrays[field][...] = values
    for other in MODEL_SCHEMA.fields:
        np.testing.assert_array_equal(filled.arrays[other], assigned.arrays[other])
