"""The recipe of `docs/adding/integrator.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

ENUMS, ROWS, KERNEL = "tables/enums.py", "tables/integrators.py", "integrator/midpoint.py"

#: They compile a copy of the whole package.
pytestmark = pytest.mark.conformance

#: A pendulum of two links with springs and dampers, and a body that tumbles: rotations, too, are of second order.
MODEL = """<mujoco>
  <option integrator="midpoint" timestep="0.01"/>
  <worldbody>
    <body>
      <joint axis="0 1 0" damping=".05"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0" mass="1.5"/>
      <body pos=".5 0 0"><joint axis="0 .6 .8" stiffness="3"/><geom type="box" size=".1 .2 .05" mass=".7"/></body>
    </body>
    <body pos="0 3 0"><freejoint/><geom type="box" size=".1 .2 .3" mass="2"/></body>
  </worldbody>
</mujoco>"""

#: What a user of the new integrator does; prints final states with smaller and smaller steps.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
speeds = np.random.default_rng(2).normal(size=(3, 8))

def final(timestep, integrator="midpoint", world=0):
    text = xml.replace("0.01", repr(timestep)).replace("midpoint", integrator)
    model = phalanx.Model.from_xml_string(text)
    data = model.make_data()
    data.qvel = speeds[world]
    data.step(round(0.4 / timestep))
    return data.qpos.tolist()

model = phalanx.Model.from_xml_string(xml)
batch = phalanx.BatchSim(model, 3, lanes=2, threads=1)
batch.qvel[:] = speeds
batch.step(40)
data = model.make_data()
with phalanx.algebra.jit.interpreted():
    plain = model.make_data()
    plain.qvel = speeds[0]
    plain.step(3)
data.qvel = speeds[0]
data.step(3)
try:
    flags = '<flag fwdinv="enable" invdiscrete="enable"/></option>'
    phalanx.Model.from_xml_string(xml.replace('timestep="0.01"/>', 'timestep="0.01">' + flags)).make_data()
    mistake = ""
except phalanx.ModelError as error:
    mistake = str(error)
again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
print(json.dumps(dict(
    package=phalanx.__file__, kind=again.opt.integrator, mistake=mistake,
    coarse=final(0.01), fine=final(0.005), finer=final(0.0025), exact=final(0.0005, "RK4"),
    alone=[final(0.01, world=world) for world in range(3)], together=batch.qpos.tolist(),
    compiled=data.qpos.tolist(), interpreted=plain.qpos.tolist(),
)))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the integrator of the recipe: steps 1 to 3."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    value, row, kernel = blocks("integrator.md")
    insert(copy / ENUMS, "class Integrator(", "\n\n\nclass ", value)
    insert(copy / ROWS, "INTEGRATORS: dict", "\n)}", row)
    (copy / KERNEL).write_text(kernel, encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_an_integrator_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, KERNEL}


def test_the_option_has_the_keyword(package, found):
    assert Path(found["package"]).parent == package
    assert found["kind"] == 101


def test_the_order_of_convergence_is_two(found):
    exact = np.array(found["exact"])
    coarse, fine, finer = (np.abs(np.array(found[name]) - exact).max() for name in ("coarse", "fine", "finer"))
    assert coarse > 1e-6
    assert np.log2(coarse / fine) == pytest.approx(2, abs=0.2)
    assert np.log2(fine / finer) == pytest.approx(2, abs=0.1)


def test_all_ways_of_running_have_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], found["alone"])
    np.testing.assert_array_equal(found["interpreted"], found["compiled"])


def test_an_inverse_that_is_not_there_is_refused(found):
    assert "midpoint" in found["mistake"]
