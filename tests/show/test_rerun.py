"""Recordings for rerun.io hold what was recorded."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

from phalanx import FieldError, MissingPackageError, ModelError, export_rerun
from tests.show.scenes import boxes, fall


@pytest.fixture(scope="module")
def model():
    return boxes()


def test_a_recording_has_the_poses_and_the_fields(model, tmp_path):
    chunk = pytest.importorskip("rerun.chunk", reason="the extra rerun is not installed: it takes half a gigabyte")
    trajectory = fall(model, steps=100)
    path = export_rerun(model, trajectory, tmp_path / "run.rrd")
    assert [file.name for file in tmp_path.iterdir()] == ["run.rrd"]
    chunks = list(chunk.RrdReader(path).stream())
    (swing,) = [one.to_record_batch() for one in chunks if one.entity_path == "/fields/qpos/swing"]
    (scalars,) = [name for name in swing.schema.names if "calars" in name]
    assert np.array_equal(np.concatenate(swing.column(scalars).to_pylist()), trajectory.qpos[:, -1])
    # poses of bodies, and shapes below them
    assert {"/world/001_", "/world/002_"} <= {one.entity_path[:11] for one in chunks}
    assert sum("shape_" in one.entity_path and one.is_static for one in chunks) >= 4


def test_a_missing_package_is_told_with_its_extra(model, tmp_path, monkeypatch):
    real_import = builtins.__import__

    def without_rerun(name, *arguments, **keywords):
        if name == "rerun":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_rerun)
    with pytest.raises(MissingPackageError, match=r"phalanx\[rerun\]"):
        export_rerun(model, fall(model, steps=5), tmp_path / "run.rrd")


def test_mistakes_are_told_before_anything_is_written(model, tmp_path):
    trajectory = fall(model, steps=5)
    with pytest.raises(ModelError, match=r"no writer of recordings for '\.bin'; known: \.rrd"):
        export_rerun(model, trajectory, tmp_path / "run.bin")
    pytest.importorskip("rerun", reason="the extra rerun is not installed: it takes half a gigabyte")
    with pytest.raises(FieldError, match="a name for each of 1 worlds"):
        export_rerun(model, trajectory, tmp_path / "run.rrd", names=["a", "b"])
    assert list(tmp_path.iterdir()) == []
