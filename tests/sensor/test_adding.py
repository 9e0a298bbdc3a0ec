"""The recipe of `docs/adding/sensor.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import phalanx

PACKAGE = Path(phalanx.__file__).resolve().parent
RECIPE = PACKAGE.parent / "docs" / "adding" / "sensor.md"

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


def blocks() -> list[str]:
    """The code of the recipe: value of the enum, row, kernel."""
    return [
        textwrap.dedent(found) for found in re.findall(r"```text\n(.*?) *```", RECIPE.read_text("utf-8"), re.DOTALL)
    ]


def insert(path: Path, start: str, end: str, text: str) -> None:
    """Put indented lines at the end of what begins with `start`, before `end`."""
    whole = path.read_text(encoding="utf-8")
    at = whole.index(end, whole.index(start)) + 1
    path.write_text(whole[:at] + textwrap.indent(text, "    ") + whole[at:], encoding="utf-8")


def follow(package: Path) -> None:
    """Steps 1 to 3 of the recipe."""
    value, row, kernel = blocks()
    insert(package / ENUMS, "class SensorType(", "\n\n\nclass ", value)
    insert(package / ROWS, "SENSORS: dict", "\n)}", row)
    (package / KERNEL).write_text(kernel, encoding="utf-8")


def differing(ours: Path, theirs: Path) -> set[str]:
    """Source files that are not the same in two packages."""
    names = {path.relative_to(root).as_posix() for root in (ours, theirs) for path in root.rglob("*.py")}
    return {
        name
        for name in names
        if not ((ours / name).exists() and filecmp.cmp(ours / name, theirs / name, shallow=False))
    }


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with the sensor of the recipe."""
    copy = tmp_path_factory.mktemp("adding") / "phalanx"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    follow(copy)
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PHALANX_QUIET": "1"}
    command = [sys.executable, "-c", SCRIPT]
    run = subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_sensor_is_three_files(package):
    assert differing(PACKAGE, package) == {ENUMS, ROWS, KERNEL}


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
