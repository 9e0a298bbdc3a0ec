"""What stayed keeps its state when a Spec is compiled again."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import ModelError, Spec

XML = """<mujoco><option timestep=".004"/><size nuserdata="2"/><worldbody><body name="hand" mocap="true" pos="0 0 3"><geom size=".1" contype="0"/></body>
<body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" springyield=".1" stiffness="2"/><geom size=".1" contype="0"/><body name="b" pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1" contype="0"/></body></body>
<body name="c" pos="0 2 1"><freejoint/><geom size=".1" contype="0"/></body></worldbody>
<equality><weld name="w" body1="c" body2="hand"/></equality>
<actuator><motor name="m" joint="j" nsample="4" delay=".008"/><general name="act" joint="j" dyntype="filter" dynprm=".3"/></actuator>
<sensor><jointpos name="p" joint="j" nsample="3" interval=".008"/></sensor></mujoco>"""


def moving(model) -> phalanx.Data:
    data = model.make_data()
    rng = np.random.default_rng(3)
    data.qvel = rng.standard_normal(model.nv)
    data.ctrl = [0.4, -0.7]
    data.step(25)
    data.qfrc_applied = rng.standard_normal(model.nv)
    data.xfrc_applied = rng.standard_normal((model.nbody, 6))
    data.mocap_pos[0] = 1, 2, 3
    data.userdata = 5, 6
    data.eq_active = 0
    return data


def test_nothing_changed_keeps_the_whole_state():
    spec = Spec.from_string(XML)
    model = spec.compile()
    data = moving(model)
    other, new = spec.recompile(model, data)
    assert other is not model
    assert new.fingerprint() == data.fingerprint()
    # and goes on from there, bit for bit
    assert new.step(10).fingerprint() == data.step(10).fingerprint()


def test_what_stayed_keeps_its_state_among_new_and_deleted_objects():
    spec = Spec.from_string(XML)
    model = spec.compile()
    data = moving(model)
    first = spec.worldbody.add_body(name="first", pos=(1, 0, 0))
    first.add_joint(type="ball")
    first.add_geom(size=0.1)
    spec.worldbody.children.insert(0, spec.worldbody.children.pop())
    spec.delete(spec.body("b"))
    other, new = spec.recompile(model, data)
    assert new.qpos.tolist() == [1, 0, 0, 0, *data.qpos[:1], *data.qpos[2:]]
    assert new.qvel.tolist() == [0, 0, 0, *data.qvel[:1], *data.qvel[2:]]
    assert new.qacc_warmstart.tolist() == [0, 0, 0, *data.qacc_warmstart[:1], *data.qacc_warmstart[2:]]
    assert new.qfrc_applied.tolist() == [0, 0, 0, *data.qfrc_applied[:1], *data.qfrc_applied[2:]]
    assert new.time == data.time
    assert new.act.tolist() == data.act.tolist()
    assert new.ctrl.tolist() == data.ctrl.tolist()
    assert new.history.tolist() == data.history.tolist()
    assert new.plastic.tolist() == data.plastic.tolist()
    assert new.mocap_pos.tolist() == [[1, 2, 3]]
    assert new.userdata.tolist() == [5, 6]
    assert not new.eq_active.any()
    assert new.xfrc_applied[other.body("c").id].tolist() == data.xfrc_applied[model.body("c").id].tolist()
    new.step(10)


def test_a_renamed_joint_is_the_same_one():
    spec = Spec.from_string(XML)
    model = spec.compile()
    data = moving(model)
    joint, other = spec.joints[:2]
    joint.name, other.name = "changed", "j"  # which takes the old name of the first
    spec.actuators[0].joint = spec.actuators[1].joint = spec.sensors[0].joint = joint
    new_model, new = spec.recompile(model, data)
    assert new.joint("changed").qpos == data.joint("j").qpos
    assert new.qpos.tolist() == data.qpos.tolist()
    assert new_model.joint("j").id == 1


def test_a_replaced_element_is_found_by_its_name():
    spec = Spec.from_string(XML)
    model = spec.compile()
    data = moving(model)
    spec.joint("j").remove()
    spec.body("a").add_joint(name="j", axis=(0, 1, 0))
    _, new = spec.recompile(model, data)
    assert new.joint("j").qpos == data.joint("j").qpos


def test_a_joint_of_another_type_starts_anew():
    spec = Spec.from_string(XML)
    model = spec.compile()
    spec.joint("j").type = "slide"
    spec.joint("j").springyield = None
    _, new = spec.recompile(model, moving(model))
    assert new.joint("j").qpos == 0


def test_hooks_and_precision_are_kept():
    def control(m, d):
        d.ctrl[0] = 1.0

    spec = Spec.from_string(XML)
    model = spec.compile().with_hooks(control=control)
    data = model.make_data("float32")
    data.qpos[0] = 0.25
    other, new = spec.recompile(model, data)
    assert other.hooks == {"control": control}
    assert new.qpos.dtype == np.float32
    assert new.qpos[0] == 0.25


def test_a_model_changed_by_replace_is_still_followed():
    spec = Spec.from_string(XML)
    model = spec.compile().replace(opt={"timestep": 0.001})
    data = model.make_data()
    data.qpos[1] = 0.5  # of a joint without a name
    _, new = spec.recompile(model, data)
    assert new.qpos[1] == 0.5


def test_a_model_of_another_spec_is_followed_by_name():
    spec = Spec.from_string(XML)
    model = Spec.from_string(XML).compile()
    with pytest.raises(ModelError, match="joint 1 has no name to find it by"):
        spec.recompile(model, model.make_data())
    for k, joint in enumerate(spec.joints):
        joint.name = joint.name or f"joint {k}"
    model = Spec.from_string(spec.to_xml()).compile()
    data = moving(model)
    _, new = spec.recompile(model, data)
    assert new.qpos.tolist() == data.qpos.tolist()
    with pytest.raises(ModelError, match="not a Data of this model"):
        spec.recompile(spec.compile(), data)


def test_copies_are_told_apart():
    leg = Spec.from_string(
        '<mujoco><worldbody><body name="leg"><joint name="k"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    robot = Spec()
    left = robot.attach(leg, prefix="left_")
    robot.attach(leg, prefix="right_")
    replicate = robot.worldbody.add_replicate(count=3, sep="-", offset=(1, 0, 0))
    copy = replicate.add_body(name="r")
    copy.add_joint(name="q")
    copy.add_geom(size=0.1)
    model = robot.compile()
    data = model.make_data()
    data.qpos = np.arange(1, 6)
    replicate.count = 4
    left.delete()
    _, new = robot.recompile(model, data)
    assert new.qpos.tolist() == [2, 3, 4, 5, 0]


def test_the_state_is_that_of_mujoco():
    spec, theirs = Spec.from_string(XML), mujoco.MjSpec.from_string(XML)
    model, mjmodel = spec.compile(), theirs.compile()
    data, mjdata = moving(model), mujoco.MjData(mjmodel)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        getattr(mjdata, name)[...] = getattr(data, name)
    mjdata.time = data.time
    for edited in (spec, theirs):
        edited.delete(edited.body("b"))
    extra = theirs.worldbody.add_body(name="x")
    extra.add_joint(name="x", type=mujoco.mjtJoint.mjJNT_SLIDE)
    extra.add_geom(size=[0.1, 0, 0])
    body = spec.worldbody.add_body(name="x")
    body.add_joint(name="x", type="slide")
    body.add_geom(size=0.1)
    _, new = spec.recompile(model, data)
    _, mjnew = theirs.recompile(mjmodel, mjdata)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        assert getattr(new, name).tolist() == getattr(mjnew, name).tolist(), name
    assert new.time == mjnew.time
