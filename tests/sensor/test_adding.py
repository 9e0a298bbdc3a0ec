"""The recipe of `docs/adding/sensor.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

ENUMS, ROWS, KERNEL = "tables/enums.py", "tables/sensors.py", "sensor/read/momentum.py"

MODEL = """<mujoco>
  <worldbody>
    <body name="arm">
      <joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0" mass="1.5"/>
      <body name="hand" pos=".5 0 0">
        <joint name="wrist" axis="0 0 1"/><geom type="box" size=".1 .1 .1" mass=".7"/>
      </body>
    </body>
  </worldbody>
  <sensor>
    <subtreemomentum name="all" body="arm"/><subtreemomentum name="bounded" body="arm" cutoff=".01"/>
  </sensor>
</mujoco>"""

#: A force has the dimension of a momentum: a product of mass and length, times are not scaled.
SCALED = """<mujoco>
  <worldbody>
    <frame scale="2" massscale="3"><body name="arm"><freejoint/><geom size=".1"/><site name="s"/></body></frame>
  </worldbody>
  <sensor><subtreemomentum body="arm" cutoff="5"/><force site="s" cutoff="5"/></sensor>
</mujoco>"""

#: What a user of the new sensor does; prints readings and what they should be.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
model = phalanx.Model.from_xml_string(xml)
speeds = np.array([[1.0, 2.0], [-0.5, 0.3], [0.2, -4.0]])
alone, expected = [], []
for speed in speeds:
    data = model.make_data()
    data.qvel = speed
    data.forward()
    alone.append(data.sensordata.tolist())
    data.run("subtree_vel")
    expected.append((data.body("arm").subtree_linvel * 2.2).tolist())
batch = phalanx.BatchSim(model, 3, lanes=2, threads=1)
(readings,) = batch.bind("sensordata")
batch.qvel[:] = speeds
batch.forward()
again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
try:
    phalanx.Model.from_xml_string(xml.replace('body="arm"/>', 'joint="wrist"/>'))
    mistake = ""
except phalanx.MjcfError as error:
    mistake = str(error)
scaled = phalanx.Model.from_xml_string('''{SCALED}''')
print(json.dumps(dict(
    cutoff=scaled.sensor_cutoff.tolist(),
    package=phalanx.__file__, alone=alone, together=readings.tolist(), expected=expected, mistake=mistake,
    dim=model.sensor_dim.tolist(), stage=model.sensor_needstage.tolist(), again=again.sensor_type.tolist(),
)))
"""


def follow(package: Path) -> None:
    """Steps 1 to 3 of the recipe."""
    value, row, kernel = blocks("sensor.md")
    insert(package / ENUMS, "class SensorType(", "\n\n\nclass ", value)
    insert(package / ROWS, "SENSORS: dict", "\n)}", row)
    (package / KERNEL).write_text(kernel, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with the sensor of the recipe."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    follow(copy)
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_a_sensor_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, KERNEL}


def test_the_model_has_what_the_row_says(package, found):
    assert Path(found["package"]).parent == package
    assert found["dim"] == [3, 3]
    assert found["stage"] == [2, 2]
    assert found["again"] == [100, 100]


def test_the_kernel_runs_after_what_the_row_needs(found):
    alone, expected = np.array(found["alone"]), np.array(found["expected"])
    assert np.abs(expected).min(axis=0).max() > 0.01
    np.testing.assert_allclose(alone[:, :3], expected, rtol=1e-14, atol=1e-15)
    np.testing.assert_array_equal(alone[:, 3:], alone[:, :3].clip(-0.01, 0.01))


def test_a_batch_reads_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], found["alone"])


def test_the_cutoff_scales_as_the_row_says(found):
    momentum, force = found["cutoff"]
    assert momentum == force != 5


def test_mistakes_are_explained_from_the_row(found):
    assert "subtreemomentum" in found["mistake"] and "body" in found["mistake"]
