"""MuJoCo's binary model files: the layout is that of the wheel, bytes come back, damage gives our error only."""

from __future__ import annotations

import io
import random
import re
import tracemalloc
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.memory.binary_file import ARRAYS, HEAD, NAMES_OF_SIZES, binary_of, parse_binary
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.visual import GROUPS
from phalanx.tables import enums
from phalanx.tables.domain import Among
from phalanx.tables.mujoco_binary import EXTENSIONS, MUJOCO_VERSION, version_code, version_of
from tests.conformance.models import GAPS, MODELS, OWN, compiled
from tools.attacks.model import damaged_binary, read_binary_safely

INCLUDE = Path(mujoco.__file__).parent / "include" / "mujoco"
SIZES_AT = 20
VERSION_AT = 12
OWN_FILES = sorted((*OWN.glob("*.xml"), *GAPS.glob("*.xml"), *(OWN / "scaled").glob("*.xml")))


def bytes_of(mjmodel: Any) -> bytes:
    """What MuJoCo writes."""
    data = np.empty(mujoco.mj_sizeModel(mjmodel), np.uint8)
    mujoco.mj_saveModel(mjmodel, None, data)
    return data.tobytes()


@pytest.fixture(scope="module")
def whole() -> bytes:
    return bytes_of(compiled("own/everything"))


# --- the layout


def macros() -> dict[str, str]:
    """Lists of fields in the header of the wheel, by name."""
    text = (INCLUDE / "mjxmacro.h").read_text()
    return {found[1]: found[2] for found in re.finditer(r"#define (MJ\w+)[^\n]*\\\n((?:.*\\\n)*.*\n)", text)}


def pointers(name: str, lists: dict[str, str]) -> list[tuple[str, str]]:
    """Type and name of each array of a list, and of the lists in it."""
    found = []
    for line in lists[name].splitlines():
        if row := re.match(r"\s*X(?:NV)?\s*\(\s*(\w+),\s*(\w+),", line):
            found.append((row[1], row[2]))
        elif inner := re.match(r"\s*(MJMODEL_POINTERS_\w+)", line):
            found += pointers(inner[1], lists)
    return found


def members(name: str, lists: dict[str, str]) -> list[str]:
    return re.findall(r"X(?:VEC)?\s*\(\s*(?:(?:mjtNum|int|float)\s*,\s*)?(\w+)", lists[name])


def test_sizes_and_arrays_are_those_of_the_wheel_in_its_order():
    lists, kinds = macros(), {"mjtNum": "f8", "float": "f4", "int": "i4", "mjtSize": "i8", "mjtBool": "b1"}
    assert members("MJMODEL_SIZES", lists) == [*NAMES_OF_SIZES]
    theirs = [(name, np.dtype(kinds.get(kind, "u1"))) for kind, name in pointers("MJMODEL_POINTERS", lists)]
    assert theirs == [(name, dtype) for name, (_, dtype) in ARRAYS.items()]


def test_records_have_the_members_of_the_wheel_in_its_order():
    lists = macros()
    assert members("MJOPTION_FIELDS", lists) == [*HEAD["opt"].names]
    assert members("MJSTATISTIC_FIELDS", lists) == [*HEAD["stat"].names]
    for group in GROUPS:
        theirs = members(f"MJVISUAL_{group.upper()}_FIELDS", lists)
        assert theirs == [*HEAD["vis"]["global_" if group == "global" else group].names]


def test_the_version_is_that_of_the_wheel():
    assert mujoco.__version__ == MUJOCO_VERSION and mujoco.mj_version() == version_code(MUJOCO_VERSION)
    assert [version_of(version_code(text)) for text in ("4.0.0", "4.12.3")] == ["4.0.0", "4.12.3"]


def test_what_mujoco_has_not_is_listed():
    """Values of enums that a Model may hold: those that MuJoCo's enum of the same name lacks are extensions."""
    theirs = {
        "actuator_dyntype": mujoco.mjtDyn, "actuator_gaintype": mujoco.mjtGain, "actuator_biastype": mujoco.mjtBias,
        "actuator_trntype": mujoco.mjtTrn, "jnt_type": mujoco.mjtJoint, "eq_type": mujoco.mjtEq,
        "sensor_type": mujoco.mjtSensor, "sensor_datatype": mujoco.mjtDataType, "sensor_needstage": mujoco.mjtStage,
        "wrap_type": mujoco.mjtWrap, "cam_mode": mujoco.mjtCamLight, "light_mode": mujoco.mjtCamLight,
        "opt.integrator": mujoco.mjtIntegrator, "opt.cone": mujoco.mjtCone, "opt.jacobian": mujoco.mjtJacobian,
        "opt.solver": mujoco.mjtSolver, "tree_sleep_policy": mujoco.mjtSleepPolicy, "geom_type": mujoco.mjtGeom,
        "site_type": mujoco.mjtGeom, "eq_objtype": mujoco.mjtObj, "sensor_objtype": mujoco.mjtObj,
        "sensor_reftype": mujoco.mjtObj, "tuple_objtype": mujoco.mjtObj,
    }  # fmt: skip
    theirs = {name: {int(value) for value in kind.__members__.values()} for name, kind in theirs.items()}
    rows = {name: row.domain.values for name, row in MODEL_SCHEMA.fields.items() if isinstance(row.domain, Among)}
    assert len(rows.keys() & theirs.keys()) > 10
    for name, values in rows.items():
        # rows that are no enums count up from 0
        known = theirs.get(name, {*range(-1, 10)})
        assert set(values) - known == set(EXTENSIONS.get(name, {})), name
    assert sum(enums.DisableBit) == 2 ** int(mujoco.mjtDisableBit.mjNDISABLE) - 1
    assert sum(enums.EnableBit) == 2 ** int(mujoco.mjtEnableBit.mjNENABLE) - 1


# --- bytes come back


def assert_bytes_come_back(mjmodel: Any) -> None:
    data = bytes_of(mjmodel)
    assert binary_of(*parse_binary(data)) == data


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_what_mujoco_wrote_is_read_and_written_again(path):
    assert_bytes_come_back(mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_bytes_of_all_models_come_back(name):
    assert_bytes_come_back(compiled(name))


# --- other files


def changed(whole: bytes, at: int, value: int, count: int = 4) -> io.BytesIO:
    data = bytearray(whole)
    data[at : at + count] = value.to_bytes(count, "little", signed=True)
    return io.BytesIO(bytes(data))


@pytest.mark.parametrize(
    ("code", "version"), [(4_000_001, "4.0.1"), (5_001_000, "5.1.0"), (3_010_000, "3.10.0"), (337, "3.3.7")]
)
def test_another_version_is_refused_with_both_versions(whole, code, version):
    with pytest.raises(phalanx.ModelError, match=rf"saved by MuJoCo {version}; .* MuJoCo 4\.0\.0\. Load the XML"):
        phalanx.Model.load(changed(whole, VERSION_AT, code))


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (0, 1, "not a"),
        (4, 4, "numbers of 4 bytes"),
        (8, 97, "has 97 sizes and 489 fields; those of MuJoCo 4.0.0 have 98 and 489"),
        (12, -1, "-1 is no version"),
        (16, 1000, "1000 fields"),
    ],
)
def test_another_header_is_refused(whole, at, value, message):
    with pytest.raises(phalanx.ModelError, match=message):
        phalanx.Model.load(changed(whole, at, value))


@pytest.mark.parametrize("length", [0, 3, 4, 19, 20, 803, 804, 1798, 1799, 5000, -1])
def test_a_file_that_is_cut_short_is_refused(whole, length):
    with pytest.raises(phalanx.ModelError, match=r"not a|damaged"):
        phalanx.Model.load(io.BytesIO(whole[:length]))


def test_a_file_with_more_behind_it_is_refused(whole):
    with pytest.raises(phalanx.ModelError, match=f"it has {len(whole) + 1} bytes, its sizes ask for {len(whole)}"):
        phalanx.Model.load(io.BytesIO(whole + b"\0"))


@pytest.mark.parametrize("size", ["nbody", "nmeshvert", "ntexdata", "nuserdata", "nv", "nnames"])
@pytest.mark.parametrize("value", [-1, 2**31 - 1, 2**39, 2**62, -(2**63)])
def test_sizes_that_ask_for_too_much_take_no_memory(whole, size, value):
    file = changed(whole, SIZES_AT + 8 * NAMES_OF_SIZES.index(size), value, 8)
    tracemalloc.start()
    try:
        # a count that no array has takes no place in the file: 2**31 - 1 user numbers are many, but possible
        if (size, value) == ("nuserdata", 2**31 - 1):
            phalanx.Model.load(file)
        else:
            with pytest.raises(phalanx.ModelError):
                phalanx.Model.load(file)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(whole) + 10_000_000
    finally:
        tracemalloc.stop()


def test_bytes_that_are_no_truth_values_are_refused(whole):
    contents = parse_binary(whole)
    spoiled = contents.arrays["jnt_limited"].view(np.uint8).copy()
    spoiled[0] = 7
    data = binary_of(contents.sizes, {**contents.arrays, "jnt_limited": spoiled}, contents.vis)
    with pytest.raises(phalanx.ModelError, match="jnt_limited has a byte 7"):
        phalanx.Model.load(io.BytesIO(data))


def test_names_that_are_no_text_can_be_shown(whole):
    contents = parse_binary(whole)
    data = binary_of(contents.sizes, {**contents.arrays, "names": contents.arrays["names"] | 0x80}, contents.vis)
    model = phalanx.Model.load(io.BytesIO(data))
    assert "\\x" in model.names.names["body"][1] and "\\x" in repr(model)


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_gives_our_error_or_a_model(whole, seed):
    rng, refused = random.Random(seed), 0
    for _ in range(60):
        what, data = damaged_binary(whole, rng)
        try:
            refused += read_binary_safely(data) is None
        except Exception as error:
            pytest.fail(f"{what}: {type(error).__name__}: {error}")
    assert refused > 25


@pytest.mark.conformance
@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_random_damage_of_many_models_gives_our_error_or_a_model(path):
    data, rng = bytes_of(mujoco.MjModel.from_xml_path(str(path))), random.Random(path.stem)
    for _ in range(200):
        read_binary_safely(damaged_binary(data, rng)[1])
