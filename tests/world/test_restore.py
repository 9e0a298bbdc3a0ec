"""Integers that kernels index with cannot be set, and damaged snapshots and files change nothing."""

from __future__ import annotations

import io
import pickle
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.tables.data_domains import is_settable
from phalanx.tables.field import Kind
from tests.conformance.models import load
from tests.world.test_data import EVERYTHING, PUBLIC, contents, random_data

SCENE = """
<mujoco><option solver="{solver}" cone="{cone}"><flag island="enable"/></option>
<worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/></body>
<body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="1"/><site name="a"/></body>
<body pos="2 0 .1"><joint name="slide" type="slide" axis="0 0 1" range="-1 .001" frictionloss=".1"/>
<geom type="sphere" size=".1"/><site name="b"/></body>
</worldbody><tendon><spatial range="0 .9" limited="true"><site site="a"/><site site="b"/></spatial></tendon>
<actuator><motor joint="slide"/></actuator></mujoco>""".format(solver="PGS", cone="pyramidal")
INTEGERS = tuple(name for name in PUBLIC if DATA_SCHEMA.fields[name].kind in (Kind.INT, Kind.WHOLE, Kind.BOOL))
#: Integers that kernels neither index nor count with.
FREE = {"eq_active", "tree_asleep", "flexvert_conage"}
#: Rows that only say how a computation went.
STATISTICS = {name for name in INTEGERS if name.startswith(("solver_", "flg_"))}


@pytest.fixture
def data() -> phalanx.Data:
    return random_data(EVERYTHING)


@pytest.fixture
def touching() -> phalanx.Data:
    """With contacts, limits and islands."""
    data = phalanx.Model.from_xml_string(SCENE).make_data()
    data.step(100)
    assert data.ncon > 4 and data.nisland > 1
    return data


@pytest.mark.parametrize("name", DATA_SCHEMA.fields)
def test_what_kernels_find_their_way_by_is_read_only(data: phalanx.Data, name: str) -> None:
    row = DATA_SCHEMA.fields[name]
    if is_settable(row):
        return
    before = contents(data)
    with pytest.raises(phalanx.FieldError, match=f"{name} is computed and cannot be assigned"):
        setattr(data, name, 1)
    value = getattr(data, name)
    if isinstance(value, np.ndarray) and value.ndim:
        assert not value.flags.writeable
    assert contents(data) == before


def test_all_integers_but_state_are_read_only() -> None:
    settable = {name for name in INTEGERS if is_settable(DATA_SCHEMA.fields[name])}
    assert settable == FREE


def test_batches_keep_their_counts_too() -> None:
    batch = phalanx.BatchSim(load("own/hinge").phalanx, 3)
    for name in ("error_code", "error_id", "row_pattern"):
        with pytest.raises(phalanx.FieldError, match="cannot be assigned"):
            setattr(batch, name, 1)
        assert not getattr(batch, name).flags.writeable
    for name in ("n", "model", "threads", "vary", "number"):
        with pytest.raises(phalanx.FieldError, match=f"{name} of a batch cannot be changed"):
            setattr(batch, name, 1)
    assert pickle.loads(pickle.dumps(batch)).qpos.tobytes() == batch.qpos.tobytes()
    twin = phalanx.BatchSim.__new__(phalanx.BatchSim)
    state = batch.__getstate__()
    state["arrays"] = {**state["arrays"], "qpos": np.zeros((3, 7))}
    with pytest.raises(phalanx.ModelError, match="qpos has shape"):
        twin.__setstate__(state)


def corrupted(snapshot: phalanx.Snapshot, name: str, index: int, value: int) -> dict[str, np.ndarray]:
    arrays = {field: array.copy() for field, array in snapshot.items()}
    arrays[name].reshape(-1)[index] = value
    return arrays


@pytest.mark.parametrize("value", [10**9, -(2**31), -5])
def test_integers_of_a_snapshot_are_checked(touching: phalanx.Data, value: int) -> None:
    """Every row, its first and its last element: refused, with the name of the field, or harmless."""
    snapshot, before = touching.snapshot(), contents(touching)
    tried = 0
    for name in INTEGERS:
        size = snapshot[name].size
        if name in FREE | STATISTICS or not size or snapshot[name].dtype.kind == "b" or name == "is_strict":
            continue
        for index in {0, size - 1}:
            with pytest.raises(phalanx.ModelError, match="does not fit"):
                touching.restore(corrupted(snapshot, name, index, value))
            assert contents(touching) == before
            tried += 1
    assert tried > 60


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["suite/humanoid", EVERYTHING, "own/actuators", "own/springs", "suite/quadruped"])
def test_every_element_of_every_integer_row(name: str) -> None:
    """A snapshot with one integer changed is refused, or steps and stages run with it without a crash."""
    data = load(name).data()
    data.step(100)
    snapshot, rng = data.snapshot(), random.Random(1)
    for field in INTEGERS:
        for index in range(min(snapshot[field].size, 40)):
            for value in (-1, 0, 1, rng.randrange(100), 2**31 - 1, -(2**31)):
                if snapshot[field].dtype.kind == "b":
                    value = bool(value % 2)
                try:
                    data.restore(corrupted(snapshot, field, index, value))
                except phalanx.ModelError:
                    continue
                for stage in ("fwd_constraint", "rne_post_constraint", "compare_fwd_inv", "reference_constraint"):
                    data.run(stage)
                data.contacts()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arrays: arrays.pop("qvel"), "field qvel is missing"),
        (lambda arrays: arrays.update(speed=np.zeros(3)), "no field 'speed'"),
        (lambda arrays: arrays.update(contact_capacity=np.int32(9)), "no field 'contact_capacity'"),
        (lambda arrays: arrays.update(qpos=np.zeros(3)), "qpos differs"),
        (lambda arrays: arrays.update(qpos="fast"), "qpos takes numbers"),
        (lambda arrays: arrays.update(ncon=np.float64(1)), "ncon is of type float64"),
        (lambda arrays: arrays.update(ncon=np.int32(10**9)), "differs: it has shape"),
        (lambda arrays: arrays.update(ncon=np.int32(-1)), "ncon is -1"),
        (lambda arrays: arrays.update(error_code=np.float64(1)), "error_code 1 with error_id 0 is no error"),
        (lambda arrays: arrays.update(error_code=np.float64(np.nan)), "error_code nan"),
        (lambda arrays: arrays.update(error_code=np.float64(5), error_id=np.float64(1e9)), r"error_id 1e\+09"),
        (lambda arrays: arrays.update(error_code=np.float64(100), error_id=np.float64(-1)), "error_id -1"),
        (lambda arrays: arrays.update(error_code=np.float64(101), error_id=np.float64(0.5)), "error_id 0.5"),
    ],
)
def test_a_damaged_snapshot_changes_nothing(data: phalanx.Data, change: Any, words: str) -> None:
    arrays, before = dict(data.snapshot()), contents(data)
    change(arrays)
    with pytest.raises(phalanx.PhalanxError, match=words):
        data.restore(arrays)
    assert contents(data) == before


def test_nan_in_a_snapshot_is_reported_by_the_step(data: phalanx.Data) -> None:
    arrays = {name: array.copy() for name, array in data.snapshot().items()}
    arrays["qpos"][2] = np.nan
    data.restore(arrays)
    with pytest.raises(phalanx.WorldError, match=r"qpos\[2\]"):
        data.step()


def spoil(raw: bytes, rng: random.Random) -> bytes:
    """A file cut off, or with a few bytes changed."""
    if rng.random() < 0.3:
        return raw[: rng.randrange(len(raw))]
    spoiled = bytearray(raw)
    for _ in range(rng.choice((1, 1, 2, 8))):
        spoiled[rng.randrange(len(raw))] = rng.randrange(256)
    return bytes(spoiled)


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.conformance)])
def test_damaged_files_change_nothing(data: phalanx.Data, count: int) -> None:
    buffer, rng, refused = io.BytesIO(), random.Random(5), 0
    data.save(buffer)
    before = contents(data)
    for _ in range(count):
        try:
            data.load(io.BytesIO(spoil(buffer.getvalue(), rng)))
        except phalanx.PhalanxError:
            refused += 1
        assert contents(data) == before, "what is accepted is what was saved"
    assert refused > count // 2


def test_files_that_are_none(data: phalanx.Data, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    np.save(tmp_path / "array.npy", np.zeros(3))
    for path in (tmp_path / "text", tmp_path / "array.npy", tmp_path, tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(phalanx.ModelError, match=r"not a (data )?file"):
            data.load(path)


def test_sizes_of_arrays_come_from_the_model(data: phalanx.Data, tmp_path: Path) -> None:
    """A header that promises 8 TB takes no memory."""
    arrays = dict(data.snapshot())
    np.savez(tmp_path / "huge.npz", phalanx_data=np.int64(1), **arrays)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(tmp_path / "huge.npz") as whole, zipfile.ZipFile(tmp_path / "spoiled.npz", "w") as spoiled:
        for name in whole.namelist():
            spoiled.writestr(name, header.getvalue() if name == "qpos.npy" else whole.read(name))
    with pytest.raises(phalanx.ModelError, match=r"qpos differs: it has shape \(1000000000000,\)"):
        data.load(tmp_path / "spoiled.npz")
