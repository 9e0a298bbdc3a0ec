"""Trajectories: recorded, sliced, put back into a Data, written and read."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import phalanx
from phalanx import FieldError, ModelError, Trajectory
from phalanx.show.columns import columns
from tests.show.scenes import boxes, fall


@pytest.fixture(scope="module")
def model():
    return boxes()


@pytest.fixture(scope="module")
def trajectory(model):
    return fall(model, steps=100)


def test_rows_are_what_the_data_held(model):
    data = model.make_data()
    recorder = Trajectory.recorder(data, fields=["xpos"])
    seen = []
    for step in range(70):
        data.ctrl[0] = 0.1 * step
        data.step()
        recorder.capture()
        seen.append((data.time, data.qpos.copy(), data.ctrl.copy(), data.sensordata.copy(), data.xpos.copy()))
    found = recorder.trajectory
    for name, rows in zip(("time", "qpos", "ctrl", "sensordata", "xpos"), zip(*seen, strict=True), strict=True):
        assert np.array_equal(getattr(found, name), np.array(rows)), name
    assert found.ncon.max() > 0 or found.ncon.dtype.kind == "i"
    assert len(found) == 70 and found.worlds is None
    assert repr(found).startswith("<Trajectory of 70 rows, 0.002 s to 0.14 s: time, qpos, qvel, ctrl")


def test_inputs_that_were_never_used_are_left_out(model):
    data = model.make_data()
    recorder = Trajectory.recorder(data)
    recorder.capture()
    assert "xfrc_applied" not in recorder.trajectory.arrays
    data.xfrc_applied[1, 2] = 3.0
    recorder.capture()
    assert recorder.trajectory.xfrc_applied.shape == (2, 3, 6)


def test_a_row_gives_the_same_forces_again(model, trajectory):
    data, again = model.make_data(), model.make_data()
    trajectory.put(12, data)
    assert data.time == trajectory.time[12] and np.array_equal(data.qpos, trajectory.qpos[12])
    trajectory.put(12, again)
    assert np.array_equal(data.forward().qacc, again.forward().qacc)
    # what was recorded then is what is computed now
    assert np.array_equal(data.sensordata, trajectory.sensordata[12])


def test_a_batch_is_recorded_with_an_axis_of_worlds(model):
    batch = phalanx.BatchSim(model, 3)
    batch.qpos[:, 2] += np.arange(3)
    recorder = Trajectory.recorder(batch)
    for _ in range(4):
        batch.step()
        recorder.capture()
    found = recorder.trajectory
    assert found.worlds == 3 and len(found) == 4 and found.qpos.shape == (3, 4, model.nq)
    assert np.array_equal(found.qpos[:, -1], batch.qpos)
    one = found.world(2)
    assert one.worlds is None and np.array_equal(one.qpos, found.qpos[2])


def test_a_rollout_is_a_trajectory(model):
    result = phalanx.rollout(model, nsteps=5, outputs=("qpos", "qvel", "sensordata"))
    found = Trajectory.from_rollout(result)
    assert found.worlds == 1 and np.array_equal(found.sensordata, result.sensordata)
    assert np.array_equal(found.time, result.time)
    with pytest.raises(FieldError, match="needs qpos"):
        Trajectory.from_rollout(phalanx.rollout(model, nsteps=2, outputs=("qvel",)))


def test_rows_are_chosen_as_by_a_slice(trajectory):
    assert np.array_equal(trajectory.rows(2, 11, 3).qpos, trajectory.qpos[2:11:3])
    with pytest.raises(FieldError, match="no row is left"):
        trajectory.rows(5, 5)


# --- files


@pytest.mark.parametrize("is_open", [False, True])
def test_a_file_gives_back_all_of_it(trajectory, model, tmp_path, is_open):
    path = io.BytesIO() if is_open else tmp_path / "t.npz"
    trajectory.save(path)
    found = Trajectory.load(path, model)
    assert set(found.arrays) == {name for name, array in trajectory.arrays.items() if array.size}
    for name, array in found.arrays.items():
        assert np.array_equal(array, trajectory.arrays[name]) and array.dtype == trajectory.arrays[name].dtype


def test_marks_are_recorded_and_written(model, tmp_path):
    marks = phalanx.Marks()
    made = fall(model, steps=40, marks=marks)
    made.save(tmp_path / "t.npz")
    found = Trajectory.load(tmp_path / "t.npz")
    for row in range(len(made)):
        shapes, again = made.shown_marks(row), found.shown_marks(row)
        assert len(shapes) == 1
        assert np.array_equal(shapes.pos, again.pos) and shapes.labels == again.labels
    assert found.shown_marks(0).pos[0, 2] == pytest.approx(0.5)
    assert found.shown_marks(7).pos[0, 2] < 0.5
    assert len(found.rows(2, 5).marks) == 3


def test_a_table_has_a_column_for_each_number(trajectory, model, tmp_path):
    trajectory.save(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == [name for array in trajectory.arrays for name in columns(model, array)]
    assert "qpos.swing" in header and "sensordata.angle" in header
    found = np.array(rows, float)
    assert np.array_equal(found[:, header.index("qpos.swing")], trajectory.qpos[:, -1])
    assert np.array_equal(found[:, 0], trajectory.time)


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "not a trajectory file"),
        (b"PK\x03\x04 nonsense", "not a trajectory file"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, content, words):
    (tmp_path / "t.npz").write_bytes(content)
    with pytest.raises(ModelError, match=words):
        Trajectory.load(tmp_path / "t.npz")


def test_files_that_lie_are_refused(trajectory, tmp_path):
    path = tmp_path / "t.npz"
    with pytest.raises(ModelError, match="is not a file"):
        Trajectory.load(path)
    np.savez(path, time=np.zeros(3), qpos=np.zeros((3, 2)))
    with pytest.raises(ModelError, match="is not a trajectory file of this version"):
        Trajectory.load(path)
    np.savez(path, phalanx_trajectory=1, time=np.zeros(3), qpos=np.zeros((4, 2)))
    with pytest.raises(FieldError, match=r"qpos has shape \(4, 2\)"):
        Trajectory.load(path)
    np.savez(path, phalanx_trajectory=1, time=np.zeros(3), qpos=np.zeros((3, 2)), secret=np.zeros(3))
    with pytest.raises(ModelError, match="secret, which no trajectory has"):
        Trajectory.load(path)
    np.savez(path, phalanx_trajectory=1, time=np.zeros(3), qpos=np.array([object()] * 3))
    with pytest.raises(ModelError, match="damaged"):
        Trajectory.load(path)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"marks.pos": np.zeros((1, 3))}, "marks lack"),
        ({"marks.kind": np.zeros(7, np.int32)}, "marks: kind has shape"),
        ({"marks.counts": np.array([[1]])}, "counts are whole numbers"),
    ],
)
def test_damaged_marks_are_refused(model, tmp_path, change, words):
    marks = phalanx.Marks()
    fall(model, steps=10, marks=marks).save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as file:
        arrays = {**file, **change}
    if "marks lack" in words:
        arrays = {name: array for name, array in arrays.items() if name != "marks.mat"}
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(FieldError, match=words):
        Trajectory.load(tmp_path / "t.npz")


@pytest.mark.parametrize(
    ("name", "place", "value", "words"),
    [
        ("kind", 0, 1000, "kind 1000 is no shape"),
        ("kind", 0, 7, "kind 7 is no shape"),
        ("matid", 0, 3, "matid is -1"),
        ("pos", (0, 1), np.nan, "pos holds numbers beyond"),
        ("mat", (0, 1), 1e300, "mat holds numbers beyond"),
        ("counts", slice(0, 2), (-1, 3), "counts are whole numbers"),
    ],
)
def test_marks_with_other_numbers_are_refused(model, tmp_path, name, place, value, words):
    marks = phalanx.Marks()
    marks.sphere("ball", (0, 0, 1), radius=0.1)
    fall(model, steps=10, marks=marks).save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as file:
        arrays = dict(file)
    arrays[f"marks.{name}"][place] = value
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(FieldError, match=words):
        Trajectory.load(tmp_path / "t.npz")


def test_texts_of_marks_are_characters(model, tmp_path):
    marks = phalanx.Marks()
    marks.text("word", (0, 0, 1), "abc")
    fall(model, steps=3, marks=marks).save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as file:
        arrays = dict(file)
    for code in (0x110000, 0xD800):
        codes = np.frombuffer(arrays["marks.labels"].tobytes(), np.uint32).copy()
        codes[0] = code
        labels = np.frombuffer(codes.tobytes(), arrays["marks.labels"].dtype)
        np.savez(tmp_path / "t.npz", **{**arrays, "marks.labels": labels})
        with pytest.raises(ModelError, match="no characters"):
            Trajectory.load(tmp_path / "t.npz")


def test_a_replay_of_rows_far_apart_needs_no_memory_between_them(model, tmp_path):
    trajectory = Trajectory({"time": np.array([0.0, 0.01, 1e12]), "qpos": np.tile(model.qpos0, (3, 1))}, model)
    phalanx.replay_html(model, trajectory, tmp_path / "r.html")
    with pytest.raises(FieldError, match="time\\[2\\] of the trajectory is 1e\\+300, beyond 1e\\+30"):
        phalanx.replay_html(model, Trajectory({**trajectory.arrays, "time": [0, 1, 1e300]}), tmp_path / "r.html")


# --- mistakes


def test_mistakes_are_told(model, trajectory):
    with pytest.raises(FieldError, match="needs time and qpos"):
        Trajectory({})
    with pytest.raises(FieldError, match="cannot have 'qpoz'; did you mean 'qpos'"):
        Trajectory({**trajectory.arrays, "qpoz": trajectory.qpos})
    with pytest.raises(FieldError, match="at least one row"):
        Trajectory({"time": np.zeros(0), "qpos": np.zeros((0, 2))})
    with pytest.raises(FieldError, match=r"but \(20, 2\) is needed with <Model 'cartpole'"):
        trajectory.check(phalanx.load("cartpole"))
    with pytest.raises(FieldError, match="has no 'xpos'; it was not recorded"):
        _ = trajectory.xpos
    with pytest.raises(FieldError, match="'contact_pos' cannot be recorded: its size changes"):
        Trajectory.recorder(model.make_data(), fields=["contact_pos"])
    with pytest.raises(FieldError, match="nothing was recorded"):
        _ = Trajectory.recorder(model.make_data()).trajectory
    with pytest.raises(FieldError, match="finished that was not begun"):
        Trajectory.recorder(model.make_data()).finish()
    with pytest.raises(FieldError, match="a Data or a BatchSim, not Model"):
        Trajectory.recorder(model)
    with pytest.raises(ModelError, match=r"no writer of trajectories for '\.txt'; known: \.npz, \.csv"):
        trajectory.save("t.txt")
