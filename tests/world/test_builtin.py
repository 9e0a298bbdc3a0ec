"""Built-in models: found by name, the same as MuJoCo compiles them, and steady where their keyframes say so."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.cli.compare import copy_state, set_random_state
from phalanx.cli.differences import data_differences
from phalanx.world.builtin import DESCRIPTIONS, FOLDER, model_path
from tests.compiler.compare import differences

NAMES = tuple(phalanx.models())
#: Keyframes in which a model rests under the controls of the keyframe, and how far coordinates may move in 2 s.
STEADY = {
    ("arm", "home"): 1e-9,
    ("arm", "upright"): 1e-9,
    ("arm", "reach"): 1e-9,
    ("cartpole", "home"): 1e-9,
    ("gripper", "home"): 1e-3,
    ("soft_gripper", "home"): 2e-3,
    ("gripper", "hold"): 2e-3,
    ("humanoid", "stand"): 0.05,
    ("quadruped", "stand"): 0.05,
    ("quadruped", "crouch"): 0.06,
}


def test_every_file_has_a_line_and_every_line_a_file():
    assert {path.stem for path in FOLDER.glob("*.xml")} == set(DESCRIPTIONS) == set(NAMES)
    assert all(phalanx.models().values())


def test_the_list_is_readable():
    lines = repr(phalanx.models()).splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("name", NAMES)
def test_load_finds_a_model_by_name_in_any_folder(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # neither a folder nor a file of that name is in the way
    (tmp_path / name).mkdir() if name == "arm" else (tmp_path / name).write_text("not a model")
    model = phalanx.load(name)
    assert phalanx.load(Path(name)).fingerprint() == model.fingerprint()
    assert phalanx.Spec.from_file(name).compile().fingerprint() == model.fingerprint()


def test_a_file_with_its_suffix_is_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.xml").write_text("<mujoco model='mine'/>")
    assert "'mine'" in repr(phalanx.load("arm.xml"))
    assert "'arm'" in repr(phalanx.load("arm"))


@pytest.mark.parametrize(
    "given, words",
    [
        ("quadrupd", ("did you mean 'quadruped'?", "arm, cartpole, cloth, gripper")),
        ("zzz", ("given with its suffix", "arm, cartpole, cloth, gripper")),
        ("humanoid.xml", ("humanoid.xml: there is no such file", "'humanoid', without a suffix")),
    ],
)
def test_an_unknown_name_lists_those_there_are(given, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for read in (phalanx.load, phalanx.Spec.from_file):
        with pytest.raises(phalanx.ModelError) as error:
            read(given)
        for word in words:
            assert word in str(error.value)


def test_paths_with_a_folder_or_a_suffix_are_left_alone():
    for path in ("models/arm", "robot.xml", "/tmp/arm", ".", "..", ""):
        assert model_path(path) == Path(path)


@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_model_is_that_of_mujoco(name):
    assert differences(phalanx.load(name), mujoco.MjModel.from_xml_path(str(model_path(name)))) == {}


@pytest.mark.parametrize("name", NAMES)
def test_random_states_agree_with_mujoco(name):
    model, mjmodel = phalanx.load(name), mujoco.MjModel.from_xml_path(str(model_path(name)))
    if model.nflex:
        # deep contacts of elements are searched for: tests/collision/flex has them, with their bounds
        mjmodel.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        model = model.replace(opt={"disableflags": mjmodel.opt.disableflags})
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    for seed in range(20 if not model.nflex else 5):
        set_random_state(mujoco, mjmodel, mjdata, np.random.default_rng(seed))
        copy_state(data, mjdata)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        assert [str(found) for found in data_differences(data, mjmodel, mjdata, 1e-9)] == []


@pytest.mark.parametrize("name", ["cloth", "soft_gripper"])
def test_contacts_of_flexes_are_those_of_mujoco_with_a_small_tolerance(name):
    model, mjmodel = phalanx.load(name), mujoco.MjModel.from_xml_path(str(model_path(name)))
    mjmodel.opt.ccd_tolerance = 1e-13
    model = model.replace(opt={"ccd_tolerance": 1e-13})
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    for seed in range(5):
        set_random_state(mujoco, mjmodel, mjdata, np.random.default_rng(seed))
        copy_state(data, mjdata)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        assert data.ncon == mjdata.ncon
        sides = np.concatenate([data.contact_geom, data.contact_elem, data.contact_vert], axis=1)[: data.ncon]
        ours = dict(zip(map(tuple, sides.tolist()), data.contact_dist.tolist(), strict=False))
        theirs = {(*c.geom, *c.elem, *c.vert): c.dist for c in mjdata.contact}
        # of many contacts of two pads 50 are kept; of those at one point it is chance which
        shared = ours.keys() & theirs.keys()
        assert len(shared) > 0.7 * len(theirs)
        assert max(abs(ours[key] - theirs[key]) for key in shared) < 1e-9


# MuJoCo's search ends within ccd_tolerance, 1e-6: 6e-7 of a distance here, and other contacts of two pads are kept
@pytest.mark.xfail(strict=True, reason="GAP: deep contacts of flexes that are searched for are not MuJoCo's")
@pytest.mark.parametrize("name", ["cloth", "soft_gripper"])
def test_deep_contacts_of_flexes_agree_with_mujoco(name):
    model, mjmodel = phalanx.load(name), mujoco.MjModel.from_xml_path(str(model_path(name)))
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    for seed in range(5):
        set_random_state(mujoco, mjmodel, mjdata, np.random.default_rng(seed))
        copy_state(data, mjdata)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        assert data.ncon == mjdata.ncon
        np.testing.assert_allclose(data.contact_dist[: data.ncon], mjdata.contact.dist, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_has_what_users_expect(name):
    model = phalanx.load(name)
    assert model.nu and model.nsensor and model.nkey and model.ncam and model.nlight
    assert model.actuator_ctrllimited.all()
    for kind in ("body", "geom", "actuator", "sensor", "key", "camera", "light"):
        assert all(model.names.names[kind]), kind
    # joints of flexes have no names
    carriers = {*model.flex_vertbodyid.tolist(), *model.flex_nodebodyid.tolist()} - set(model.actuator_trnid.ravel())
    names = zip(model.names.names["joint"], model.jnt_bodyid.tolist(), strict=True)
    assert all(name for name, body in names if body not in carriers)
    # every geom has a material, and what moves does not start inside of something else
    assert (model.geom_matid >= 0).all()
    for key in range(model.nkey):
        data = model.make_data().reset(key).forward()
        assert data.contact_dist.min(initial=0.0) > -0.003, model.names.names["key"][key]
        assert (data.qpos[model.jnt_qposadr[model.jnt_limited]] <= model.jnt_range[model.jnt_limited, 1]).all()


@pytest.mark.parametrize(("name", "key"), STEADY)
def test_a_keyframe_is_held_by_its_controls(name, key):
    data = phalanx.load(name).make_data().reset(key)
    start = data.qpos.copy()
    data.step(round(2 / data.model.opt.timestep))
    assert np.abs(data.qpos - start).max() <= STEADY[name, key]
    before = data.qpos.copy()
    data.step(round(2 / data.model.opt.timestep))
    assert np.abs(data.qpos - before).max() < 0.01
    assert not data.warning_number.any()


def test_the_gripper_carries_its_cube():
    data = phalanx.load("gripper").make_data().reset("hold")
    data.step(1000)
    assert data.sensor("pad_left").data[0] > 10
    assert data.body("cube").xpos[2] > 0.58


@pytest.mark.parametrize("name", NAMES)
def test_a_model_survives_random_controls(name):
    """Worlds with controls all over their ranges neither fail nor warn."""
    model = phalanx.load(name)
    batch = phalanx.BatchSim(model, 32)
    batch.reset_all(0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        batch.ctrl[:] = rng.uniform(*model.actuator_ctrlrange.T, (32, model.nu))
        batch.step(25)
    assert not any(batch.errors)
