"""The recipe of `docs/adding/solver.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

ENUMS, ROWS, KERNEL = "tables/enums.py", "tables/solvers.py", "solver/gradient.py"

#: They compile a copy of the whole package.
pytestmark = pytest.mark.conformance

#: All kinds of rows: an equality, friction loss, a limit, and contacts with friction, in two islands.
MODEL = """<mujoco>
  <option solver="gradient" iterations="100000" tolerance="1e-22"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .099"><freejoint/><geom type="box" size=".2 .15 .1" mass="1"/></body>
    <body pos="2 0 1">
      <joint name="one" axis="0 1 0" frictionloss=".3" range="-1 .1" limited="true"/><geom size=".1" pos=".5 0 0"/>
      <body pos="0 1 0"><joint name="two" axis="0 1 0"/><geom size=".1" pos="1 0 0"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="one" joint2="two" polycoef="0 .5 0 0 0"/></equality>
</mujoco>"""

#: What a user of the new solver does; prints accelerations and those of Newton's method.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
model = phalanx.Model.from_xml_string(xml)
newton = phalanx.Model.from_xml_string(xml.replace('"gradient"', '"Newton"'))
rng = np.random.default_rng(3)
states = np.tile(model.qpos0, (3, 1))
states[:, 7:] = rng.uniform(0.05, 0.2, (3, 2))
states[2, 2] += 0.005  # less deep: other contact forces
speeds = 0.1 * rng.normal(size=(3, model.nv))

def at(model, world):
    data = model.make_data()
    data.qpos, data.qvel = states[world], speeds[world]
    return data.forward()

ours, theirs = ([at(each, world) for world in range(3)] for each in (model, newton))
batch = phalanx.BatchSim(model, 3, lanes=2, threads=1)
(together,) = batch.bind("qacc")
batch.qpos[:], batch.qvel[:] = states, speeds
batch.forward()
try:
    phalanx.Model.from_xml_string(xml.replace("<option", '<option cone="elliptic"')).make_data()
    mistake = ""
except phalanx.ModelError as error:
    mistake = str(error)
again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
print(json.dumps(dict(
    package=phalanx.__file__, kind=again.opt.solver, mistake=mistake,
    types=sorted(set(ours[0].efc_type[:ours[0].nefc].tolist())),
    qacc=[data.qacc.tolist() for data in ours], newton=[data.qacc.tolist() for data in theirs],
    force=[data.efc_force[:data.nefc].tolist() for data in ours],
    force_newton=[data.efc_force[:data.nefc].tolist() for data in theirs],
    iterations=[int(data.solver_niter[0]) for data in ours], together=together.tolist(),
    converged=[bool(data.solver_converged.all()) for data in ours],
)))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the solver of the recipe: steps 1 to 3."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    value, row, kernel = blocks("solver.md")
    insert(copy / ENUMS, "class Solver(", "\n\n\nclass ", value)
    insert(copy / ROWS, "SOLVERS: dict", "\n)}", row)
    (copy / KERNEL).write_text(kernel, encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_a_solver_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, KERNEL}


def test_the_option_has_the_keyword(package, found):
    assert Path(found["package"]).parent == package
    assert found["kind"] == 100


def test_it_reaches_the_solution_of_newton(found):
    assert len(found["types"]) == 4
    assert all(found["converged"]) and min(found["iterations"]) > 1
    for ours, theirs in (("qacc", "newton"), ("force", "force_newton")):
        for one, other in zip(found[ours], found[theirs], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


def test_a_batch_has_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], found["qacc"])


def test_a_cone_that_the_row_leaves_out_is_refused(found):
    assert "gradient" in found["mistake"] and "pyramidal" in found["mistake"]
