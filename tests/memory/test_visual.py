"""Settings of pictures: complete, read-only, and kept by copies of a model. Values are compared in tests/compiler."""

from __future__ import annotations

import io
import pickle

import mujoco
import numpy as np
import pytest

from phalanx import Model
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.visual import GROUPS, Visual

XML = """<mujoco><visual><global fovy="60" orthographic="true" offwidth="100"/><map znear=".02"/></visual>
<visual><map zfar="9"/><rgba haze="0 .5 1 1"/></visual>
<worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return Model.from_xml_string(XML)


def test_what_is_written_counts_and_the_rest_is_the_default(model):
    assert model.vis.global_.fovy == 60 and model.vis.global_.orthographic is True
    assert (model.vis.map.znear, model.vis.map.zfar, model.vis.map.haze) == (0.02, 9, 0.3)
    assert model.vis.rgba.haze == (0, 0.5, 1, 1)
    assert Visual().quality.shadowsize == 4096


def test_every_setting_of_mujoco_is_there():
    vis = mujoco.MjModel.from_xml_string("<mujoco/>").vis
    for group, row in GROUPS.items():
        theirs = getattr(vis, "global_" if group == "global" else group)
        assert set(row.attributes) == {name for name in dir(theirs) if not name.startswith("_")}
    assert Visual.from_mujoco(vis) == Visual()


def test_copies_of_a_model_keep_them(model, tmp_path):
    model.save(tmp_path / "model.npz")
    for other in (
        model.replace(body_mass=2.0), pickle.loads(pickle.dumps(model)), Model.load(tmp_path / "model.npz"),
        model.with_hooks(control=None),
    ):  # fmt: skip
        assert other.vis == model.vis
    assert Model.from_xml_string("<mujoco/>").vis != model.vis


def test_they_are_read_only_and_wrong_names_are_errors(model):
    with pytest.raises(FieldError, match="immutable"):
        model.vis.map.znear = 1
    with pytest.raises(FieldError, match="immutable"):
        model.vis.map = 1
    with pytest.raises(FieldError, match="did you mean 'znear'"):
        _ = model.vis.map.zneer
    with pytest.raises(FieldError, match="did you mean 'scale'"):
        _ = model.vis.scal
    assert "znear: 0.02" in repr(model.vis)


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "null", "[" * 10_000, '{"sky": {"blue": 1}}', '{"map": {"blue": 1}}', '{"global": {"fovy": "wide"}}',
        '{"map": {"znear": 1e999}}', '{"map": {"znear": NaN}}', '{"map": {"znear": [1]}}', '{"rgba": {"haze": [1, 2]}}',
        '{"rgba": {"haze": 1}}', '{"rgba": {"haze": [1, 1, 1, null]}}', '{"quality": {"shadowsize": 1.5}}',
        '{"quality": {"shadowsize": 4294967296}}', '{"headlight": {"active": "sometimes"}}', " " * 300_000,
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_settings_that_make_no_picture_are_refused_with_the_file(model, text):
    file, damaged = io.BytesIO(), io.BytesIO()
    model.save(file)
    file.seek(0)
    with np.load(file) as arrays:
        np.savez(damaged, **{**arrays, "vis": np.str_(text)})
    damaged.seek(0)
    with pytest.raises(ModelError, match="vis"):
        Model.load(damaged)


def test_settings_in_a_pickle_are_checked(model):
    state = {**model.__getstate__(), "vis": Visual({"rgba": {"haze": (1.0, np.inf, 1.0, 1.0)}})}
    with pytest.raises(ModelError, match=r"vis\.rgba\.haze"):
        object.__new__(Model).__setstate__(state)
