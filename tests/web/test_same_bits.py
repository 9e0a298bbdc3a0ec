"""A state in JavaScript has the same bits as in Python, after as many steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.pipeline.parts import needed
from phalanx.tables.enums import EnableBit
from phalanx.tables.parts import PARTS
from phalanx.web.model_image import image_of
from phalanx.web.web_units import module_of
from tests.web.node import SIMULATION, run_node
from tests.web.web_scenes import BALLS, FLEXES, VARIANTS, scene

MODELS = Path(__file__).resolve().parent.parent / "models"


def files_of(data: phalanx.Data, folder):
    """The module and the image of a Data, as files."""
    model = data.model
    module, image = folder / "m.wasm", folder / "m.phx"
    module.write_bytes(module_of(needed(model._store), list(model._hooks.values())))
    image.write_bytes(image_of(data))
    return module, image


#: Steps in several calls, then a restart and a keyframe; all that is looked at is told at the end.
STEPS = (
    SIMULATION
    + """
const room = sim.capacity.ncon, start = await sim.fingerprint(), found = [];
for (const count of JSON.parse(process.argv[4])) found.push(await sim.step(count).fingerprint());
const end = { found, ncon: sim.data.ncon, time: sim.time, room, more: sim.capacity.ncon, start };
say({ ...end, again: await sim.restart().fingerprint() });
"""
)
KEYFRAME = (
    SIMULATION
    + """
sim.step(50).forward();
const twice = await sim.reset().fingerprint();
say([twice, await sim.reset("apart").fingerprint(), await sim.step(20).fingerprint()]);
"""
)


def test_balls_that_fall_have_the_same_bits(tmp_path):
    """There is no room for contacts at first: memory grows within a call."""
    data, counts = scene("balls"), [100, 100, 1]
    files = files_of(data, tmp_path)
    start = data.fingerprint()
    found = run_node(STEPS, tmp_path, *files, counts)
    assert found["found"] == [data.step(count).fingerprint() for count in counts]
    assert found["ncon"] == data.ncon > 0 and found["time"] == data.time
    assert found["room"] == 0 < found["more"]
    assert found["start"] == found["again"] == start


def test_reset_is_that_of_python(tmp_path):
    data = scene("balls")
    found = run_node(KEYFRAME, tmp_path, *files_of(data, tmp_path))
    fresh = data.model.make_data()
    assert found[0] == fresh.fingerprint()
    assert found[1] == fresh.reset("apart").fingerprint()
    assert found[2] == fresh.step(20).fingerprint()


@pytest.mark.conformance
def test_boxes_that_fall_asleep_have_the_same_bits(tmp_path):
    """Whether trees may fall asleep is compiled in: a module without it refuses the image."""
    boxes = BALLS.replace('<geom size=".1"/>', '<geom type="box" size=".1 .1 .1"/>')
    model = phalanx.Model.from_xml_string(boxes).replace(**{"opt.enableflags": int(EnableBit.SLEEP)})
    data = model.make_data()
    module, image = files_of(data, tmp_path)
    found = run_node(STEPS, tmp_path, module, image, [2000])
    assert found["found"] == [data.step(2000).fingerprint()]
    assert data.ntree_awake == 0
    module.write_bytes(module_of([name for name in needed(model._store) if name != "sleep"]))
    with pytest.raises(AssertionError, match="for models without the flag sleep"):
        run_node(STEPS, tmp_path, module, image, [1])


@pytest.mark.conformance
@pytest.mark.parametrize("name", VARIANTS)
def test_a_thousand_steps_have_the_same_bits(name, tmp_path):
    data = scene(name)
    files = files_of(data, tmp_path)
    found = run_node(STEPS, tmp_path, *files, [1, 9, 90, 900])
    assert found["found"] == [data.step(count).fingerprint() for count in (1, 9, 90, 900)]
    assert found["ncon"] == data.ncon
    # contacts were there
    assert found["more"] > 0


@pytest.mark.conformance
@pytest.mark.parametrize("name", FLEXES)
def test_flexes_have_the_same_bits(name, tmp_path):
    data = scene(name)
    found = run_node(STEPS, tmp_path, *files_of(data, tmp_path), [1, 199])
    assert found["found"] == [data.step(count).fingerprint() for count in (1, 199)]
    assert found["ncon"] == data.ncon


ALL = """
import { readFileSync } from "node:fs";
import { Simulation } from "./simulation.js";
import { needsSleep } from "./simulation.js";
const plain = await WebAssembly.compile(readFileSync(process.argv[2]));
const sleepy = await WebAssembly.compile(readFileSync(process.argv[3]));
const found = {};
for (const name of process.argv.slice(4)) {
  const image = readFileSync(name);
  const sim = await Simulation.create(needsSleep(image) ? sleepy : plain, image);
  try { sim.step(200); found[name] = [await sim.fingerprint(), ""]; }
  catch (error) { found[name] = [await sim.fingerprint(), error.field]; }
}
console.log(JSON.stringify(found));
"""


@pytest.mark.conformance
def test_all_models_of_tests_have_the_same_bits(tmp_path):
    """A module with all parts, and one for models that sleep; a model that fails does so in the same state."""
    parts = [name for name in PARTS if name not in ("requested", "queries")]
    (tmp_path / "all.wasm").write_bytes(module_of([name for name in parts if name != "sleep"]))
    (tmp_path / "sleep.wasm").write_bytes(module_of(parts))
    wanted = {}
    for path in sorted(MODELS.glob("*.xml")):
        data = phalanx.load(path).make_data()
        random = np.random.default_rng(len(wanted))
        data.qvel = 0.5 * random.standard_normal(data.model.nv)
        data.ctrl = 0.3 * random.standard_normal(data.model.nu)
        image = tmp_path / f"{path.stem}.phx"
        image.write_bytes(image_of(data))
        field = ""
        try:
            data.step(200)
        except phalanx.WorldError as error:
            field = error.quantity
        wanted[str(image)] = [data.fingerprint(), field]
    assert len(wanted) > 40
    assert run_node(ALL, tmp_path, tmp_path / "all.wasm", tmp_path / "sleep.wasm", *wanted) == wanted
