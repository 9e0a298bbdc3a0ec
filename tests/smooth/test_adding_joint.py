"""The recipe of `docs/adding/joint.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

ENUMS, ROWS, KERNELS = "tables/enums.py", "tables/joints.py", "smooth/joint/screw.py"
#: They compile a copy of the whole package.
pytestmark = pytest.mark.conformance

PITCH = 0.05

#: A screw whose axis is tilted, on a moving body, with another body on it; everything off center.
MODEL = """<mujoco>
  <compiler angle="radian"/>
  <option timestep="1e-3" integrator="RK4"><flag energy="enable" contact="disable"/></option>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint type="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 .1 0" mass="1"/>
      <body name="nut" pos=".4 .1 0" euler=".7 .4 -.2">
        <joint name="screw" type="screw" pos=".02 .03 -.01" stiffness="3" limited="false"/>
        <geom type="box" size=".1 .05 .02" pos=".1 .02 .05" mass=".7"/><site name="tip" pos=".2 .1 .1"/>
        <body pos=".1 0 .1"><joint axis="1 0 0"/><geom size=".05" pos="0 .1 0" mass=".3"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

#: The same screw with limits, a damper and a motor; its motor drives it against its limit.
DRIVEN = """<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint name="screw" type="screw" range="-.5 .3" damping=".05"/><geom type="box" size=".1 .1 .05" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="screw" gear="2"/></actuator>
</mujoco>"""

#: What a user of the new joint does; prints what it finds.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
model = phalanx.Model.from_xml_string(xml)
rng = np.random.default_rng(5)
data = model.make_data()

data.forward()
rest = [data.body("nut").xpos.tolist(), data.body("nut").xmat.tolist()]
data.qpos = [0.0, 0.6, 0.0]
data.forward()
moved = [data.body("nut").xpos.tolist(), data.body("nut").xmat.tolist()]

def tip(qpos):
    data.qpos = qpos
    data.forward()
    return data.site("tip").xpos.copy()

qpos, h = rng.uniform(-1, 1, 3), 1e-6
differences = np.array([(tip(qpos + h * e) - tip(qpos - h * e)) / (2 * h) for e in np.eye(3)]).T
tip(qpos)
jacobian = data.jac_site("tip")[0]

swing = model.make_data()
swing.qpos, swing.qvel = [0.3, 1.0, -0.4], [1.0, -4.0, 2.0]
swing.forward()
energy = [float(swing.energy.sum())]
positions = []
for _ in range(10):
    swing.step(100)
    swing.forward()
    energy.append(float(swing.energy.sum()))
    positions.append(float(swing.qpos[1]))

speeds = rng.standard_normal((5, 3))
alone = []
for speed in speeds:
    one = model.make_data()
    one.qvel = speed
    one.step(20)
    alone.append(np.concatenate([one.qpos, one.qvel]).tolist())
batch = phalanx.BatchSim(model, 5, lanes=2, threads=1)
batch.qvel[:] = speeds
batch.step(20)

driven = phalanx.Model.from_xml_string('''{DRIVEN}''')
screw = driven.make_data()
screw.ctrl[0] = 1.0
screw.step(2000)
path = swing.integrate_pos(swing.qpos, [1.0, 2.0, 3.0], 0.5)
speed = swing.differentiate_pos(swing.qpos, path, 0.5)
again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
print(json.dumps(dict(
    package=phalanx.__file__, types=model.jnt_type.tolist(), again=again.jnt_type.tolist(),
    rest=rest, moved=moved, axis=model.jnt_axis[1].tolist(), anchor=model.jnt_pos[1].tolist(),
    jacobian=jacobian.tolist(), differences=differences.tolist(), energy=energy, positions=positions,
    alone=alone, together=np.concatenate([batch.qpos, batch.qvel], axis=1).tolist(),
    simple=driven.body_simple.tolist(), limit=float(screw.qpos[0]), height=float(screw.xpos[1, 2]),
    speed=speed.tolist(), inertia=float(driven.dof_M0[0]), force=float(screw.qfrc_actuator[0]),
)))
"""


def follow(package: Path) -> None:
    """Steps 1 to 3 of the recipe."""
    value, row, kernels = blocks("joint.md")
    insert(package / ENUMS, "class JointType(", "\n\n\nclass ", value)
    insert(package / ROWS, "JOINTS: dict", "\n    )\n}", row, 8)
    (package / KERNELS).write_text(kernels, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with the joint of the recipe."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    follow(copy)
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_a_joint_type_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, KERNELS}


def test_model_files_know_the_word(package, found):
    assert Path(found["package"]).parent == package
    assert found["types"] == found["again"] == [3, 4, 3]


def test_a_screw_rotates_about_its_axis_and_moves_along_it(found):
    (pos, mat), (moved_pos, moved_mat) = (
        (np.array(x), np.reshape(y, (3, 3))) for x, y in (found["rest"], found["moved"])
    )
    axis, anchor, angle = np.array(found["axis"]), np.array(found["anchor"]), 0.6
    K = np.cross(np.eye(3), axis)
    rotation = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    np.testing.assert_allclose(moved_mat, mat @ rotation, atol=1e-14)
    center = pos + mat @ (anchor + PITCH * angle * axis)
    np.testing.assert_allclose(moved_pos, center - moved_mat @ anchor, atol=1e-14)


def test_its_jacobian_is_the_derivative_of_positions(found):
    np.testing.assert_allclose(found["jacobian"], found["differences"], atol=1e-9)
    assert np.abs(np.array(found["jacobian"])[:, 1]).min() > 1e-3


def test_a_swinging_screw_keeps_its_energy(found):
    energy = np.array(found["energy"])
    assert np.ptp(found["positions"]) > 1
    np.testing.assert_allclose(energy, energy[0], atol=1e-7 * np.abs(energy[0]))


def test_a_batch_moves_to_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], found["alone"])


def test_its_positions_are_subtracted(found):
    np.testing.assert_allclose(found["speed"], [1, 2, 3], rtol=1e-12)


def test_limits_and_actuators_act_on_it(found):
    assert found["force"] == 2
    assert 0.3 < found["limit"] < 0.31
    assert found["height"] == pytest.approx(PITCH * found["limit"], abs=1e-15)


def test_its_inertia_is_that_of_rotation_and_translation(found):
    assert found["simple"][1] == 0
    rotation = (0.2**2 + 0.2**2) / 12
    assert found["inertia"] == pytest.approx(rotation + PITCH**2, rel=1e-12)
