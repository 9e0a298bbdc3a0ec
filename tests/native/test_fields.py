"""Fields: what is read, what becomes of what is written, rows, bounds that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, store2, store3
from phalanx.algebra.number import lane_get, lane_set
from phalanx.native.entry import Entry
from phalanx.native.number import array_at
from phalanx.native.runtime import load
from tests.native.language_harness import LANES, SINGLE, SINGLE_LANES, Language, problems_of

DTYPES = {"float64": np.float64, "float32": np.float32, "int64": np.int64, "int32": np.int32}


# --- what is written

written = Language("written")
VALUES = {
    "i": (0, -1, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1),
    "n": (0.0, -0.0, 2.9, -2.9, 1e10, 0.1),
    "c": (False, True),
}


def _store_case(element: str, letter: str):
    source = "def example(address, value):\n    array = array_at(address)\n    array[1] = value\n    return array[1]\n"
    return written.add_source(source, f"i{letter}", array_at=array_at(element))


STORES = {(element, letter): _store_case(element, letter) for element in DTYPES for letter in VALUES}


def _as_stored(element: str, value) -> float:
    """What the table of the page says."""
    with np.errstate(all="ignore"):
        if element.startswith("float"):
            return float(DTYPES[element](value))
        bits = int(element[3:])
        return (int(value) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


@pytest.mark.parametrize(("element", "letter"), STORES)
def test_a_value_is_converted_to_what_the_array_holds(element, letter):
    case = STORES[element, letter]
    for value in VALUES[letter]:
        array = np.zeros(3, DTYPES[element])
        found = case(array.ctypes.data, value)
        expected = _as_stored(element, value)
        assert found == expected, value
        assert array.tolist() == [0, expected, 0]
        assert math.copysign(1.0, found) == math.copysign(1.0, expected)


@pytest.mark.parametrize("element", ["int64", "int32"])
def test_a_number_beyond_the_range_is_cut_like_int(element):
    for value in (1e300, -math.inf, math.nan):
        array = np.zeros(3, DTYPES[element])
        whole = {1e300: 2**63 - 1, -math.inf: -(2**63)}.get(value, 0)
        STORES[element, "n"](array.ctypes.data, value)
        assert array[1] == _as_stored(element, whole)


@pytest.mark.parametrize("element", DTYPES)
def test_a_lane_or_a_mask_is_not_stored_where_there_is_one_number_for_all(element):
    source = "def example(address, x):\n    array_at(address)[0] = x\n    array_at(address)[0] = x > 0.0\n"
    first, second = problems_of(source, "iN", LANES, array_at=array_at(element))
    assert first == (2, "a number that differs between worlds cannot be stored where there is one for all")
    kind = "a condition of worlds cannot be stored in an array of integers"
    assert second == (3, kind if "int" in element else "a condition of worlds stands where a number is needed")


# --- lanes


FILL = """
def example(address, i, x):
    lanes = lanes_at(address)
    lanes[0] = i
    lanes[1] = x
    lanes[2] = i > 0
    lanes[3] = lanes[1] + lanes[0]
    return 0
"""


@pytest.mark.parametrize("number", [LANES, SINGLE, SINGLE_LANES], ids=lambda n: n.name)
def test_plain_values_fill_every_world_of_a_lane(number):
    case = Language("lane_fields").add_source(FILL, "iin", lanes_at=array_at(number))
    lanes = aligned_zeros((4, number.worlds), number.dtype)
    case(lanes.ctypes.data, 3, 0.1)
    tenth = number.dtype.type(0.1)
    for k, expected in enumerate((3, tenth, 1, tenth + number.dtype.type(3))):
        assert (lanes[k] == expected).all()


ONE_WORLD = """
def example(address, world, x):
    lanes = lanes_at(address)
    lanes[1] = lane_set(lanes[1], world, x)
    lanes[2] = lane_set(lanes[0], world, x)
    lanes[world] = lane_set(lanes[world], world, lane_get(lanes[2], world) + x)
    return 0
"""


@pytest.mark.parametrize("number", [LANES, SINGLE, SINGLE_LANES], ids=lambda n: n.name)
def test_the_number_of_one_world_is_set_and_others_stay(number):
    words = {"lane_get": lane_get, "lane_set": lane_set}
    case = Language("lane_worlds").add_source(ONE_WORLD, "iin", lanes_at=array_at(number), **words)
    for world in range(min(number.worlds, 4)):
        lanes, x = aligned_zeros((4, number.worlds), number.dtype), number.dtype.type(0.1)
        lanes[:] = np.arange(lanes.size).reshape(lanes.shape)
        expected = lanes.copy()
        case(lanes.ctypes.data, world, 0.1)
        expected[2] = expected[0]
        expected[1:3, world] = x
        expected[world, world] = x + x
        assert np.array_equal(lanes, expected)


# --- elements and rows


@kernel
def rows(a, flat, out):
    for i in range(2):
        x, y, z = load3(a, i)
        store3(out, i, (z, y, x))
        out[i, 3] = a[i, 2] * 10
    store2(flat, 1, load2(flat, 2))
    flat[0] += 5
    flat[3] *= flat[0]
    return 0


def test_rows_elements_and_addresses():
    def entry(a, flat, out):
        rows(a_at(a), flat_at(flat), out_at(out))
        return 7

    a_at, flat_at = array_at("float64", (3,), "a", True), array_at("int32", (), "flat")
    out_at = array_at("float64", (4,), "out")
    a, flat, out = np.arange(6.0).reshape(2, 3), np.array([1, 2, 3, 4], np.int32), np.zeros((2, 4))
    function = load(Entry("test_fields_rows", lambda: entry, 3))
    assert function(a.ctypes.data, flat.ctypes.data, out.ctypes.data) == 7
    expected = np.zeros((2, 4)), np.array([1, 2, 3, 4], np.int32)
    rows(a, expected[1], expected[0])
    assert np.array_equal(out, expected[0])
    assert np.array_equal(flat, expected[1])


three = Language("axes")


@three.case("iiii")
def three_axes(address, i, j, k):
    return cube_at(address)[i, j, k]


cube_at = array_at("int64", (3, 4))


def test_an_array_has_as_many_axes_as_its_shape():
    cube = np.arange(24).reshape(2, 3, 4)
    for place in np.ndindex(cube.shape):
        assert three_axes(cube.ctypes.data, *place) == cube[place]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a[0, 0] = x", "matrix has 3 axes, not 2"),
        ("x = flat[0, 1]", "flat has 1 axes, not 2"),
        ("x = flat[x]", "an index must be an integer, the same in all worlds: it cannot be computed from numbers of d"),
        ("x = load3(pairs, i)", "3 numbers are more than a row of pairs has: 2"),
        ("store3(flat, i, (x, x))", "store3 takes a tuple of 3 numbers, not a tuple of 2"),
        ("store2(flat, i, x)", "store2 takes a tuple of 2 numbers, not a number"),
        ("fixed[i] = x", "a Model does not change while it is simulated; see Model.replace"),
        ("fixed[i] += x", "a Model does not change while it is simulated; see Model.replace"),
        ("x = flat[0:2]", "a slice; fields are read and written number by number: write a loop"),
        ("flat[0:2] = x", "a slice; fields are read and written number by number: write a loop"),
        ("flat.size = 3", "attributes of a field cannot be set"),
        ("x = flat + 1", "a field stands where a number is needed"),
        ("x = len(flat)", "len is of a tuple or a captured array; sizes are m.nq, m.nv, ..."),
        ("if flat: pass", "a field is neither true nor false"),
    ],
)
def test_fields_that_are_used_wrongly_are_named(line, message):
    source = (
        "def example(i, x):\n    flat, fixed, pairs, a = flat_at(i), fixed_at(i), pairs_at(i), matrix_at(i)\n"
        f"    {line}\n    return x\n"
    )
    names = {
        "flat_at": array_at("float64", (), "flat"), "fixed_at": array_at("float64", (), "fixed", True),
        "pairs_at": array_at("float64", (2,), "pairs"), "matrix_at": array_at("float64", (2, 2), "matrix"),
        "load3": load3, "store2": store2, "store3": store3,
    }  # fmt: skip
    assert problems_of(source, "in", **names) == [(3, message)]


# --- aliases


def test_arrays_without_a_name_may_overlap():
    source = (
        "def example(address):\n    a, b = a_at(address), b_at(address)\n    a[0] = 5\n    x = b[0]\n    a[0] = 7\n"
        "    return x, b[0]\n"
    )
    case = Language("aliases").add_source(source, "i", a_at=array_at("int64"), b_at=array_at("int64"))
    assert case(np.zeros(1, np.int64).ctypes.data) == (5, 7)
