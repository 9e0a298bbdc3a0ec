"""Models written as URDF: the same physics again if nothing is lost, and a list of what is."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import Model, ModelError, Spec
from phalanx.compiler.urdf.write_joint import euler_of
from phalanx.tables.field import Kind, rows
from phalanx.tables.model_fields import MODEL
from phalanx.world.fingerprint import PHYSICS
from tests.compiler.robots import ROBOTS

#: Fields that hold quaternions, whose sign says nothing.
_QUATERNIONS = {
    row.name for row in rows(MODEL) if row.kind is Kind.REAL and row.shape[-1:] == (4,) and "quat" in row.name
}


def differences(a: Model, b: Model) -> list[str]:
    """Fields of the physics in which two models differ by more than rounding."""
    found = []
    for name in PHYSICS:
        x, y = a._store.arrays[name], b._store.arrays[name]
        if x.shape != y.shape:
            found.append(name)
            continue
        x, y = x.astype(float), y.astype(float)
        gap = np.abs(x - y)
        if name in _QUATERNIONS:
            gap = np.minimum(np.abs(x - y).max(axis=-1), np.abs(x + y).max(axis=-1))
        scale = max(float(np.abs(y).max(initial=0)), 1e-30)
        if (gap > 1e-11 * scale).any():
            found.append(name)
    return found


#: Robots that URDF says as they are; equalities come in the order of the joints.
WHOLE = [
    name for name in ROBOTS
    if "crossed" not in name and "of a" not in name and "equal" not in name and name not in ("looks", "settings", "mimic", "bounded inertia", "two shapes")
]  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_robot_is_written_as_it_was_read(name, tmp_path):
    model = Spec.from_urdf(ROBOTS[name]).compile()
    assert model.to_urdf(tmp_path / "r.urdf") == ()
    assert differences(phalanx.load(tmp_path / "r.urdf"), model) == []
    # others can read it, too
    mujoco.MjModel.from_xml_path(str(tmp_path / "r.urdf"))


#: A model with everything that URDF has words for.
SAYABLE = """<mujoco model="m"><compiler angle="radian" autolimits="true"/><option timestep="0.001" gravity="0 0 -3"/>
<asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom name="table" type="box" size="1 1 .1"/>
<body name="base" pos="0 0 1" quat="1 .2 .3 .4"><joint name="lift" type="slide" axis="0 0 1" range="-1 1" actuatorfrcrange="-4 4" damping=".2"/>
<geom type="cylinder" size=".1 .2" pos=".1 .2 .3" quat="1 2 3 4"/><geom name="shell" type="sphere" size=".3" contype="0" conaffinity="0" group="2" rgba="1 0 0 1"/>
<body name="plate" pos=".3 0 0"><joint name="p_TX" type="slide" axis="1 0 0"/><joint name="p_TY" type="slide" axis="0 1 0"/><joint name="p_RZ" axis="0 0 1"/><geom type="capsule" size=".1 .2"/></body>
<body name="hand"><joint name="wrist" axis="1 1 0" frictionloss=".1"/><geom type="mesh" mesh="wedge"/><body name="finger"><joint name="f" axis="0 1 0" range="0 1"/><geom size=".1"/></body></body></body>
<body name="ball"><freejoint name="free"/><geom size=".2"/><body><joint name="socket" type="ball"/><geom size=".1"/></body></body></worldbody>
<equality><joint joint1="f" joint2="wrist" polycoef=".1 2 0 0 0"/></equality>
<actuator><motor name="m" joint="lift" gear="2" ctrlrange="-2 2"/><motor name="w" joint="wrist"/></actuator></mujoco>"""


def test_a_model_that_urdf_can_say_comes_back_as_it_was(tmp_path):
    model = Model.from_xml_string(SAYABLE)
    lost = Spec.from_string(SAYABLE).to_urdf(tmp_path / "r.urdf")
    assert lost == ()
    again = phalanx.load(tmp_path / "r.urdf")
    different = differences(again, model)
    # meshes are in single precision, and what follows from them has their digits
    assert all(name.startswith(("mesh_", "geom_", "bvh_", "oct_", "stat.", "dof_length")) for name in different), (
        different
    )
    for name in ("geom_type", "geom_bodyid", "geom_contype"):
        assert np.array_equal(getattr(again, name), getattr(model, name))
    a, b = (m.make_data().step(100).qpos for m in (again, model))
    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


LOST = {
    "URDF has no ellipsoid": '<geom type="ellipsoid" size=".1 .2 .3"/>',
    "URDF has no friction": '<geom size=".1" friction=".3"/>',
    "collides with everything": '<geom size=".1" contype="2"/>',
    "colors of collision shapes": '<geom size=".1" rgba="1 0 0 1"/>',
    "URDF has no site": '<site name="s"/>',
    "its frame is moved to its joint": '<joint pos=".1 0 0"/>',
    "2 joints: links without mass": '<joint name="x"/><joint name="y" axis="1 0 0"/>',
    "URDF has no armature": '<joint armature=".1"/>',
    "a spherical joint has no limits": '<joint type="ball" range="0 1" limited="true"/>',
    "URDF has no gravcomp": '</body><body name="b" gravcomp="1"><geom size=".1"/>',
}


@pytest.mark.parametrize("message", LOST)
def test_what_is_lost_is_told(message, tmp_path):
    model = Model.from_xml_string(
        f'<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size=".1"/>{LOST[message]}</body></worldbody></mujoco>'
    )
    assert message in "\n".join(str(note) for note in model.to_urdf(tmp_path / "r.urdf"))
    phalanx.load(tmp_path / "r.urdf", repair=True)


SECTIONS = """<mujoco><worldbody><body name="a"><joint name="j"/><geom name="g" size=".1"/></body><body name="b"><joint name="k"/><geom name="h" size=".1"/></body></worldbody>
<contact><exclude body1="a" body2="b"/></contact><tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<equality><connect body1="a" body2="b" anchor="0 0 0"/></equality><actuator><position name="p" joint="j"/><motor name="m" joint="k" ctrlrange="-1 1"/></actuator>
<sensor><jointpos joint="j"/></sensor><keyframe><key name="home"/></keyframe></mujoco>"""


def test_sections_that_urdf_has_not_are_told(tmp_path):
    lost = "\n".join(map(str, Model.from_xml_string(SECTIONS).to_urdf(tmp_path / "r.urdf")))
    for word in ("exclude", "fixed", "connect", "actuator", "control range", "jointpos", "key"):
        assert word in lost


def test_a_body_with_a_moved_anchor_moves_in_the_same_way(tmp_path):
    text = '<mujoco><worldbody><body name="a" quat="1 1 0 0" pos="1 0 0"><joint pos=".1 .2 .3" axis="1 2 3"/><geom type="box" size=".1 .2 .3"/><body name="b" pos="0 0 1"><joint pos="0 .1 0"/><geom size=".1"/></body></body></worldbody></mujoco>'
    model = Model.from_xml_string(text)
    model.to_urdf(tmp_path / "r.urdf")
    again = phalanx.load(tmp_path / "r.urdf")
    a, b = (m.make_data().step(200) for m in (model, again))
    np.testing.assert_allclose(a.qpos, b.qpos, rtol=1e-10)
    np.testing.assert_allclose(a.xipos[1:], b.xipos[-2:], rtol=1e-10, atol=1e-12)


def test_euler_angles_are_those_of_the_orientation():
    rng = np.random.default_rng(0)
    quats = [*rng.normal(size=(50, 4)), [1, 0, 1, 0], [1, 0, -1, 0], [1, 1e-9, 1, 0], [0, 1, 0, 0]]
    for quat in quats:
        q = np.array(quat) / np.linalg.norm(quat)
        roll, pitch, yaw = euler_of(tuple(q.tolist()))
        spec = mujoco.MjSpec.from_string(
            f'<robot><link name="a"/><link name="b"/><joint name="j" type="fixed"><origin rpy="{roll!r} {pitch!r} {yaw!r}"/><parent link="a"/><child link="b"/></joint></robot>'
        )
        assert abs(np.dot(spec.body("b").quat, q)) == pytest.approx(1, abs=1e-15)


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(ModelError, match=r"known: \.urdf"):
        phalanx.load("cartpole").to_urdf(tmp_path / "r.xml")
