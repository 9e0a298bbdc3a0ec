"""The recipe of `docs/adding/actuator.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

pytestmark = pytest.mark.conformance

ENUMS, ROWS = "tables/enums.py", "tables/actuators.py"
FOLDER = "smooth/actuator"
#: Class of the enum, table of rows, file of kernels.
KINDS = (
    ("GainType", "GAINS", f"{FOLDER}/propeller.py"),
    ("DynType", "DYNAMICS", f"{FOLDER}/dead_band.py"),
    ("TrnType", "TRANSMISSIONS", f"{FOLDER}/height_transmission.py"),
)

THRUST, INFLOW, TIME_CONSTANT, WIDTH, MASS, STEP = 0.5, 0.3, 0.2, 0.1, 2.0, 0.01

PROPELLER = f"""<mujoco>
  <option gravity="0 0 0" timestep="{STEP}" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="{MASS}"/></body>
  </worldbody>
  <actuator>
    <general joint="z" gaintype="propeller" gainprm="{THRUST} {INFLOW}" forcelimited="true" forcerange="-40 40"/>
  </actuator>
</mujoco>"""

DEAD_BAND = f"""<mujoco>
  <option timestep="{STEP}"/>
  <worldbody><body><joint name="z" type="slide"/><geom size=".1" mass="{MASS}"/></body></worldbody>
  <actuator><general joint="z" dyntype="deadband" dynprm="{TIME_CONSTANT} {WIDTH}" gainprm="1"/></actuator>
</mujoco>"""

CRANE = """<mujoco>
  <worldbody>
    <body>
      <joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
      <body name="hand" pos=".5 0 0"><joint axis="0 1 0"/><geom pos=".2 0 0" size=".1"/></body>
    </body>
  </worldbody>
  <actuator><motor name="crane" height="hand" gear="2"/></actuator>
</mujoco>"""

SCALED = """<mujoco>
  <worldbody><frame scale="2"><body><joint name="z" type="slide"/><geom size=".1"/></body></frame></worldbody>
  <actuator><general joint="z" gaintype="propeller"/></actuator>
</mujoco>"""

#: What a user of the new kinds does; prints what comes of it.
SCRIPT = f"""
import json
import numpy as np
import phalanx

found = dict(package=phalanx.__file__)

# controls and velocities; the last force is at its limit
model = phalanx.Model.from_xml_string('''{PROPELLER}''')
inputs = [(1.0, 0.0), (2.0, 1.5), (-3.0, 0.5), (20.0, 0.0)]
alone = []
for control, velocity in inputs:
    data = model.make_data()
    data.ctrl, data.qvel = control, velocity
    data.forward()
    force = float(data.actuator_force[0])
    data.step()
    alone.append((control, velocity, force, float(data.qvel[0])))
batch = phalanx.BatchSim(model, len(inputs), lanes=2, threads=1)
batch.ctrl[:] = [[control] for control, _ in inputs]
batch.qvel[:] = [[velocity] for _, velocity in inputs]
batch.step()
found["propeller"], found["batch"] = alone, batch.qvel[:, 0].tolist()
found["types"] = [int(model.actuator_gaintype[0]), int(model.actuator_gainprm.shape[1])]
again = phalanx.Spec.from_string(phalanx.Spec.from_string('''{PROPELLER}''').to_xml()).compile()
found["again"] = int(again.actuator_gaintype[0])

model = phalanx.Model.from_xml_string('''{DEAD_BAND}''')
data = model.make_data()
found["activations"] = int(model.na)
path = []
for control in (0.05, 1.0, 1.0, -1.0):
    data.ctrl = control
    before = float(data.act[0])
    data.step()
    path.append((control, before, float(data.act[0])))
found["dead band"] = path

model = phalanx.Model.from_xml_string('''{CRANE}''')
data = model.make_data()
data.qpos = [0.4, -0.9]
data.forward()
moment = [float(x) for x in data.actuator_moment[: int(data.moment_rownnz[0])]]
length, slopes = float(data.actuator_length[0]), []
for k in range(2):
    moved = model.make_data()
    moved.qpos = [0.4, -0.9]
    moved.qpos[k] += 1e-6
    moved.forward()
    slopes.append((float(moved.actuator_length[0]) - length) / 1e-6)
found["crane"] = dict(length=length, height=float(data.body("hand").xipos[2]), moment=moment, slopes=slopes)

found["mistakes"] = []
for xml in (
    '''{PROPELLER}'''.replace('"propeller"', '"propeler"'),
    '''{DEAD_BAND}'''.replace("<general", '<general actdim="2"'),
    '''{CRANE}'''.replace('height="hand"', 'height="hnd"'),
    '''{SCALED}''',
):
    try:
        phalanx.Model.from_xml_string(xml)
    except phalanx.MjcfError as error:
        found["mistakes"].append(str(error))
print(json.dumps(found))
"""


def follow(package: Path) -> None:
    """The steps of the recipe, kind by kind."""
    code = blocks("actuator.md")
    assert len(code) == 3 * len(KINDS)
    for k, (enum, table, file) in enumerate(KINDS):
        value, row, kernels = code[3 * k : 3 * k + 3]
        insert(package / ENUMS, f"class {enum}(", "\n\n\nclass ", value)
        insert(package / ROWS, f"{table}: dict", "\n)}", row)
        (package / file).write_text(kernels, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with the kinds of the recipe."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    follow(copy)
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_a_kind_of_actuator_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, *(file for _, _, file in KINDS)}


def test_the_keyword_comes_from_the_row(package, found):
    assert Path(found["package"]).parent == package
    assert found["types"][0] == found["again"] == 101


def test_the_force_is_that_of_a_propeller(found):
    for control, velocity, force, _ in found["propeller"]:
        expected = THRUST * control**2 - INFLOW * control * velocity
        assert force == pytest.approx(min(max(expected, -40.0), 40.0), rel=1e-15)


def test_an_implicit_step_uses_the_slope(found):
    for control, velocity, force, after in found["propeller"]:
        slope = 0.0 if abs(force) >= 40.0 else -INFLOW * control
        assert after == pytest.approx(velocity + STEP * force / (MASS - STEP * slope), rel=1e-14)


def test_a_batch_has_the_same_bits(found):
    assert found["batch"] == [after for _, _, _, after in found["propeller"]]


def test_the_activation_moves_beyond_the_dead_band_only(found):
    assert found["activations"] == 1
    for control, before, after in found["dead band"]:
        error = control - before
        rate = (error - np.clip(error, -WIDTH, WIDTH)) / TIME_CONSTANT
        assert after == pytest.approx(before + STEP * rate, rel=1e-14, abs=1e-16)
    moves = [before != after for _, before, after in found["dead band"]]
    assert moves == [False, True, True, True]


def test_the_transmission_has_length_and_moment_arms(found):
    crane = found["crane"]
    assert crane["length"] == 2.0 * crane["height"]
    np.testing.assert_allclose(crane["moment"], crane["slopes"], atol=1e-5)


def test_mistakes_are_explained_from_the_rows(found):
    keyword, count, name, scale = found["mistakes"]
    assert "propeller" in keyword
    assert "has 1 activations" in count
    assert "height='hnd'" in name and "hand" in name
    assert "gaintype='propeller' has parameters that cannot be scaled" in scale
