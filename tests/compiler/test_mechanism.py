"""Composite joints and couplings become plain elements that MuJoCo reads, and move alike."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.compiler.mechanism.expand_all import expander_of
from phalanx.tables.mechanisms import MECHANISMS
from tests.compiler.compare import differences
from tests.mechanism.samples import PARTS, sample


@pytest.mark.parametrize("kind", PARTS)
def test_the_written_model_is_plain_mjcf_with_the_same_fields(kind):
    spec = phalanx.Spec.from_string(sample(kind))
    text = spec.to_xml()
    assert f"<{kind}" not in text
    model = spec.compile()
    assert not differences(model, mujoco.MjModel.from_xml_string(text))
    again = phalanx.Model.from_xml_string(text)
    assert all(np.array_equal(model._store.arrays[name], array) for name, array in again._store.arrays.items())


@pytest.mark.parametrize("kind", PARTS)
def test_both_engines_move_alike(kind):
    spec = phalanx.Spec.from_string(sample(kind))
    model, mjmodel = spec.compile(), mujoco.MjModel.from_xml_string(spec.to_xml())
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    rng = np.random.default_rng(1)
    mjdata.qvel[:] = rng.normal(size=mjmodel.nv)
    for _ in range(30):
        # from the same state each time: one step, without the growth of earlier differences
        data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = mjdata.qpos, mjdata.qvel, mjdata.qacc_warmstart
        data.step()
        mujoco.mj_step(mjmodel, mjdata)
        np.testing.assert_allclose(data.qpos, mjdata.qpos, atol=1e-9, rtol=1e-9)
        np.testing.assert_allclose(data.qvel, mjdata.qvel, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_each_kind_has_a_file_of_its_name(kind):
    assert callable(expander_of(kind))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<body><screw name="s" pitch="0"/><geom size="1"/></body>', "pitch must be a finite number other than zero"),
        ('<body><screw name="s"/><geom size="1"/></body>', "attribute 'pitch' is missing"),
        ('<body><universal name="u" axis="1 1 0"/><geom size="1"/></body>', "not at a right angle"),
        ('<body><universal name="u" axis="0 0 0"/><geom size="1"/></body>', "axis has no direction"),
        ('<body><planar name="p" axis2="0 0 2"/><geom size="1"/></body>', "along the normal"),
        ('<fourbar name="f" ground="1" crank=".1" coupler=".1" rocker=".1"/>', "do not reach"),
        ('<universal name="u"/>', "element 'universal' is not allowed in worldbody"),
        ('<body><univrsal name="u"/><geom size="1"/></body>', "did you mean 'universal'"),
        ('<body><screw name="s" pich="1"/><geom size="1"/></body>', "did you mean 'pitch'"),
    ],
)
def test_what_makes_no_sense_is_reported_with_its_place(text, words):
    with pytest.raises(phalanx.MjcfError, match=words) as error:
        phalanx.Model.from_xml_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")
    assert str(error.value).startswith("model:1:")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<gear joint1="a" joint2="b"/>', "give the ratio, or teeth1 and teeth2"),
        ('<gear joint1="a" joint2="b" ratio="2" teeth1="3"/>', "give the ratio, or teeth1 and teeth2"),
        ('<gear joint1="a" joint2="b" teeth1="3"/>', "teeth2 must be above zero"),
        ('<planetary sun="a" ring="b" carrier="a" teeth_sun="9" teeth_ring="5"/>', "more teeth"),
        ('<gear joint1="a" joint2="z" ratio="2"/>', "'z'"),
    ],
)
def test_couplings_that_make_no_sense_are_reported(text, words):
    world, _ = PARTS["gear"]
    with pytest.raises(phalanx.MjcfError, match=words):
        phalanx.Model.from_xml_string(f"<mujoco><worldbody>{world}</worldbody><equality>{text}</equality></mujoco>")


def test_mechanisms_of_included_and_attached_files_are_expanded(tmp_path):
    (tmp_path / "part.xml").write_text('<mujoco><body><screw name="s" pitch=".1"/><geom size=".1"/></body></mujoco>')
    model = phalanx.Model.from_xml_string('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>', {
        "part.xml": (tmp_path / "part.xml").read_bytes()
    })  # fmt: skip
    assert (model.njnt, model.neq) == (2, 1)
    other = phalanx.Spec.from_string(sample("fourbar"))
    spec = phalanx.Spec()
    spec.attach(other, prefix="left_")
    assert spec.compile().names.names["equality"] == ("left_f",)


def test_keyframes_and_actuators_see_the_plain_joints():
    text = """<mujoco><worldbody><body><universal name="u"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="u_2"/></actuator><keyframe><key name="k" qpos=".1 .2"/></keyframe></mujoco>"""
    model = phalanx.Spec.from_string(text).compile()
    assert model.nu == 1
    np.testing.assert_array_equal(model.key_qpos[0], [0.1, 0.2])
