"""The recipe of `docs/adding/equality.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

ENUMS, ROWS, KERNELS = "tables/enums.py", "tables/equalities.py", "constraint/equality/rod.py"

MODEL = """<mujoco>
  <option integrator="RK4"/>
  <worldbody>
    <body name="left">
      <joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0" mass="1.5"/>
      <body pos=".5 0 0">
        <joint axis="0 0 1"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 .1" mass=".7"/>
        <site name="a" pos=".4 0 .1"/>
      </body>
    </body>
    <body name="right" pos="0 1 0">
      <joint axis="1 0 0"/><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 .2 0" mass="1"/>
      <site name="b" pos=".3 .2 0"/>
    </body>
  </worldbody>
  <equality><rod name="own" site1="a" site2="b"/><rod name="given" site1="a" site2="b" length="1.1"/></equality>
</mujoco>"""

SCALED = """<mujoco>
  <worldbody>
    <frame scale="2">
      <body><freejoint/><geom size=".1"/><site name="a"/></body>
      <body pos="1 0 0"><freejoint/><geom size=".1"/><site name="b"/></body>
    </frame>
  </worldbody>
  <equality><rod site1="a" site2="b" length=".7"/></equality>
</mujoco>"""

#: What a user of the new equality does; prints rows, their finite differences, and distances over time.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
model = phalanx.Model.from_xml_string(xml)
rng = np.random.default_rng(1)
states = rng.uniform(-0.5, 0.5, (3, model.nq))
speeds = rng.normal(size=(3, model.nv))

def at(qpos, qvel):
    data = model.make_data()
    data.qpos, data.qvel = qpos, qvel
    return data.forward()

def jacobian(data):
    dense = np.zeros((data.nefc, model.nv))
    for row in range(data.nefc):
        start = data.efc_J_rowadr[row]
        for k in range(start, start + data.efc_J_rownnz[row]):
            dense[row, data.efc_J_colind[k]] = data.efc_J[k]
    return dense

step = 1e-6
rows, differences, drifts, rates, forces = [], [], [], [], []
for qpos, qvel in zip(states, speeds):
    data = at(qpos, qvel)
    rows.append(jacobian(data).tolist())
    change = [(at(qpos + step * e, qvel).efc_pos - at(qpos - step * e, qvel).efc_pos) / (2 * step)
              for e in np.eye(model.nv)]
    differences.append(np.transpose(change).tolist())
    # what the reference acceleration has besides stiffness and damping is the drift
    stiffness, damping, impedance, _ = data.efc_KBIP[:data.nefc].T
    drifts.append((-data.efc_aref - damping * data.efc_vel - stiffness * impedance * data.efc_pos).tolist())
    moved = (jacobian(at(qpos + step * qvel, qvel)) - jacobian(at(qpos - step * qvel, qvel))) / (2 * step)
    rates.append((moved @ qvel).tolist())
batch = phalanx.BatchSim(model, 3, lanes=2, threads=1)
batch.qpos[:], batch.qvel[:] = states, speeds
batch.step(20)
alone = []
for qpos, qvel in zip(states, speeds):
    data = at(qpos, qvel)
    data.step(20)
    alone.append(data.qpos.tolist())

def distance(data):
    data.forward()
    return float(np.linalg.norm(data.site("a").xpos - data.site("b").xpos))

held = phalanx.Model.from_xml_string(xml.replace('<rod name="given" site1="a" site2="b" length="1.1"/>', ""))
data = held.make_data()
start = distance(data)
data.qvel = speeds[0] * 0
data.step(500)
moved = float(np.abs(data.qpos).max())

def mistake(old, new):
    try:
        phalanx.Model.from_xml_string(xml.replace(old, new))
        return ""
    except phalanx.MjcfError as error:
        return str(error)

again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
scaled = phalanx.Model.from_xml_string('''{SCALED}''')
print(json.dumps(dict(
    package=phalanx.__file__, nemax=model.nemax, types=again.eq_type.tolist(), lengths=model.eq_data[:, 1].tolist(),
    rows=rows, differences=differences, drifts=drifts, rates=rates, together=batch.qpos.tolist(), alone=alone,
    start=start, end=distance(data), moved=moved, scaled=scaled.eq_data[0, 1],
    missing=mistake(' site2="b" length', ' length'), unknown=mistake('length="1.1"', 'lenght="1.1"'),
)))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the equality of the recipe: steps 1 to 3."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    value, row, kernels = blocks("equality.md")
    insert(copy / ENUMS, "class EqType(", "\n\n\nclass ", value)
    insert(copy / ROWS, "EQUALITIES: dict", "\n)}", row)
    (copy / KERNELS).write_text(kernels, encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_an_equality_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, KERNELS}


def test_the_model_has_what_the_row_says(package, found):
    assert Path(found["package"]).parent == package
    assert found["nemax"] == 2
    assert found["types"] == [100, 100]
    assert found["lengths"] == [found["start"], 1.1]


def test_the_jacobian_is_the_slope_of_the_violation(found):
    assert np.abs(found["rows"]).max() > 0.1
    np.testing.assert_allclose(found["rows"], found["differences"], rtol=1e-7, atol=1e-8)


def test_the_drift_is_the_rate_of_the_jacobian(found):
    assert np.abs(found["rates"]).max() > 0.1
    np.testing.assert_allclose(found["drifts"], found["rates"], rtol=1e-6, atol=1e-7)


def test_a_batch_has_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], found["alone"])


def test_the_rod_keeps_its_length_while_it_swings(found):
    assert found["moved"] > 0.3
    assert abs(found["end"] - found["start"]) < 0.01


def test_the_length_scales_as_the_row_says(found):
    assert found["scaled"] == pytest.approx(1.4)


def test_mistakes_are_explained_from_the_row(found):
    assert "site2" in found["missing"]
    assert "length" in found["unknown"]
