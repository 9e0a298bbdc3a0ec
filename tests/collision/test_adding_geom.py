"""The recipe of `docs/adding/geom.md`, followed to the letter in a copy of the package."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.recipe import blocks, changed, copy_package, insert, run

pytestmark = pytest.mark.conformance

ENUMS, ROWS, FILE = "tables/enums.py", "tables/geoms.py", "collision/geom/cone.py"

RADIUS, HALF = 0.3, 0.2

#: A cone over a plane, and one with its tip down, 1 cm deep in a box; a zone of the same shape, rays from all sides.
MODEL = f"""<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="table" type="box" size=".5 .5 .5" pos="3 0 .5"/>
    <site name="zone" type="cone" size="{RADIUS} {HALF}" pos="0 3 1"/>
    <site name="low" pos=".25 3 .92"/><site name="high" pos=".03 3 1.25"/><site name="beside" pos=".2 3 1.2"/>
    <body name="dropped" pos="0 0 .15"><freejoint/><geom name="cone" type="cone" size="{RADIUS} {HALF}"/></body>
    <body name="stuck" pos="3 0 {1 + 1.5 * HALF - 0.01}" euler="180 0 0">
      <freejoint/><geom name="tip" type="cone" size="{RADIUS} {HALF}"/>
    </body>
  </worldbody>
  <sensor>
    <insidesite site="zone" objtype="site" objname="low"/><insidesite site="zone" objtype="site" objname="high"/>
    <insidesite site="zone" objtype="site" objname="beside"/><distance geom1="cone" geom2="table" cutoff="10"/>
  </sensor>
</mujoco>"""

#: What a user of the new type does; prints what is found.
SCRIPT = f"""
import json
import numpy as np
import phalanx

xml = '''{MODEL}'''
model = phalanx.Model.from_xml_string(xml)
data = model.make_data()
data.forward()
start = dict(
    sensordata=data.sensordata.tolist(), dist=data.contact_dist.tolist(), pos=data.contact_pos.tolist(),
    normal=data.contact_frame.reshape(-1, 9)[:, :3].tolist(),
)
above = data.ray([0.1, 0, 2], [0, 0, -1], exclude="stuck")
below = data.ray([0, 0.1, 0.01], [0, 0, 1])
side = data.ray([-1, 0, 0.15], [1, 0, 0])
past = data.ray([-1, 0.299, 0.2], [1, 0, 0])
hits = [[hit.dist, *hit.normal.tolist()] for hit in (above, below, side, past)]
trace = []
for _ in range(1500):
    data.step()
    trace.append(data.qpos[:7].tolist())
batch = phalanx.BatchSim(model, 3, lanes=2, threads=1)
batch.forward()
batch.step(1500)
try:
    phalanx.Model.from_xml_string(xml.replace('size="{RADIUS} {HALF}"', 'size="{RADIUS} 0"'))
    mistake = ""
except phalanx.MjcfError as error:
    mistake = str(error)
scaled = phalanx.Model.from_xml_string('''<mujoco><worldbody><frame scale="1 1 2" scaling="geometry">
  <geom type="cone" size="{RADIUS} {HALF}"/></frame></worldbody></mujoco>''')
fluid = phalanx.Model.from_xml_string('''<mujoco><option density="1.2"/><worldbody><body><freejoint/>
  <geom type="cone" size="{RADIUS} {HALF}" fluidshape="ellipsoid"/></body><body pos="9 0 0"><freejoint/>
  <geom type="ellipsoid" size="{RADIUS} {RADIUS} {HALF}" fluidshape="ellipsoid"/></body></worldbody></mujoco>''')
falling = fluid.make_data()
falling.qvel[:] = 1.0
falling.forward()
again = phalanx.Spec.from_string(phalanx.Spec.from_string(xml).to_xml()).compile()
print(json.dumps(dict(
    package=phalanx.__file__, start=start, hits=hits, end=trace[-1], speed=data.qvel.tolist(),
    alone=data.qpos.tolist(), together=batch.qpos.tolist(), mistake=mistake, scaled=scaled.geom_size[0].tolist(),
    mass=model.body_mass.tolist(), inertia=model.body_inertia.tolist(), type=again.geom_type.tolist(),
    fluid=falling.qfrc_fluid.reshape(2, 6).tolist(), box=model.geom_aabb[2].tolist(),
    radius=float(model.geom_rbound[2]),
)))
"""


def follow(package: Path) -> None:
    """Steps 1 to 3 of the recipe."""
    value, row, functions = blocks("geom.md")
    insert(package / ENUMS, "class GeomType(", "\n    ARROW", value)
    insert(package / ROWS, "GEOMS: dict", "\n)}", row)
    (package / FILE).write_text(functions, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with the geom type of the recipe."""
    copy = copy_package(tmp_path_factory.mktemp("adding"))
    follow(copy)
    return copy


@pytest.fixture(scope="module")
def found(package):
    """What a process finds that imports the copy."""
    return run(package, SCRIPT)


def test_a_geom_type_is_three_files(package):
    assert changed(package) == {ENUMS, ROWS, FILE}


def test_the_model_has_what_the_row_says(package, found):
    assert Path(found["package"]).parent == package
    assert found["type"] == [0, 6, 9, 9]
    assert found["box"] == pytest.approx([0, 0, HALF / 2, RADIUS, RADIUS, HALF])
    assert found["radius"] == pytest.approx(math.hypot(RADIUS, HALF / 2))
    assert found["scaled"][:2] == pytest.approx([RADIUS, 2 * HALF])


def test_mass_and_inertia_are_the_analytic_ones(found):
    """Those of the text books, from the base radius r and the full height h: 3/20 r² + 3/80 h² and 3/10 r²."""
    height = 2 * HALF
    mass = 1000 * math.pi * RADIUS**2 * height / 3
    across, along = mass * (3 * RADIUS**2 / 20 + 3 * height**2 / 80), 3 * mass * RADIUS**2 / 10
    np.testing.assert_allclose(found["mass"][1:], mass, rtol=1e-13)
    np.testing.assert_allclose(np.sort(found["inertia"][1]), np.sort([across, across, along]), rtol=1e-13)


def test_a_convex_pair_collides_without_a_collider(found):
    start = found["start"]
    assert len(start["dist"]) == 1
    assert start["dist"][0] == pytest.approx(-0.01, abs=1e-6)
    np.testing.assert_allclose(np.abs(start["normal"][0]), [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(start["pos"][0], [3, 0, 0.995], atol=1e-5)


def test_it_falls_on_its_base_and_comes_to_rest(found):
    np.testing.assert_allclose(found["end"][:3], [0, 0, HALF / 2], atol=2e-3)
    np.testing.assert_allclose(found["end"][3:], [1, 0, 0, 0], atol=1e-3)
    np.testing.assert_allclose(found["speed"][:6], 0, atol=1e-4)


def test_rays_hit_base_and_side(found):
    """The frame is at height 0.15: the base at 0.05, the tip at 0.45; the side rises 0.4 over 0.3."""
    above, below, side, past = found["hits"]
    outward = np.array([0.4, 0, 0.3]) / 0.5
    np.testing.assert_allclose(above, [2 - (0.45 - 0.1 * 0.4 / 0.3), *outward], atol=1e-12)
    np.testing.assert_allclose(below, [0.04, 0, 0, -1], atol=1e-12)
    np.testing.assert_allclose(side, [1 - 0.3 * 0.75, -outward[0], 0, outward[2]], atol=1e-12)
    assert past[0] == -1 or past[0] > 2


def test_a_zone_of_its_shape_knows_what_is_inside(found):
    assert found["start"]["sensordata"][:3] == [1, 1, 0]


def test_its_distance_is_searched(found):
    assert found["start"]["sensordata"][3] == pytest.approx(2.5 - RADIUS, abs=1e-6)


def test_a_fluid_acts_on_the_ellipsoid_of_the_row(found):
    cone, ellipsoid = np.array(found["fluid"])
    assert np.abs(cone).min() > 0
    np.testing.assert_array_equal(cone, ellipsoid)


def test_a_batch_gives_the_same_bits(found):
    np.testing.assert_array_equal(found["together"], [found["alone"]] * 3)


def test_mistakes_are_explained_from_the_row(found):
    assert "size number 2 of a cone must be positive" in found["mistake"]
