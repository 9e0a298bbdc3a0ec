"""What a simulation in JavaScript refuses, and what it says when a world stops."""

from __future__ import annotations

import pytest

import phalanx
from phalanx.web.model_image import image_of
from phalanx.web.web_units import module_of
from tests.web.node import SIMULATION, run_node
from tests.web.test_same_bits import files_of
from tests.web.web_scenes import scene

ERRORS = (
    SIMULATION
    + """
const told = async (what) => { try { await what(); return "nothing"; } catch (error) { return error.message; } };
const late = image.slice(); late.set([120], late.indexOf('"layout":"') + 10);
say([
  await told(() => sim.step(-1)),
  await told(() => sim.field("qposs")),
  await told(() => sim.run("fly")),
  await told(() => sim.id("body", "nobody")),
  await told(() => { sim.data.qpos = [1, 2]; }),
  await told(() => { sim.data.ncon = 3; }),
  await told(() => { sim.model.body_mass = 3; }),
  await told(() => sim.useHook("hook_control", false)),
  await told(() => Simulation.create(module, image.subarray(1))),
  await told(() => Simulation.create(module, image.subarray(0, 40))),
  await told(() => Simulation.create(module, image.subarray(0, image.length - 8))),
  await told(() => Simulation.create(module, late)),
  await told(() => Simulation.create(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), image)),
]);
"""
)
STOPS = (
    SIMULATION
    + """
const before = await sim.step(10).fingerprint();
sim.data.qvel[2] = NaN;
let told = null;
try { sim.step(5); } catch (error) { told = error; }
sim.data.qvel[2] = 0;
say([told.message, told.field, told.index, sim.step(1).time]);
"""
)
ABSENT = (
    SIMULATION
    + """
let told = "nothing";
try { sim.step(200); } catch (error) { told = error.message; }
say([told, await sim.fingerprint()]);
"""
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return files_of(scene("balls"), tmp_path_factory.mktemp("balls"))


def test_what_cannot_be_done_is_said(files, tmp_path):
    assert run_node(ERRORS, tmp_path, *files) == [
        "step takes a count of steps from 0 to 1000000, not -1",
        'there is no field "qposs"',
        'there is no operation "fly"; there are step,forward,fwd_position,initial_state,begin_asleep,jac,solve_m',
        'no body is named "nobody"; there are world, low, high',
        "qpos has 14 numbers, not 2",
        "ncon cannot be assigned",
        "body_mass cannot be assigned",
        'the model has no function "hook_control"',
        "this is no image of a Phalanx model",
        "the image of the model is cut off",
        "the image of the model is cut off",
        "the image and the module come from different versions of Phalanx: export both again",
        "this is no module of Phalanx",
    ]


def test_a_world_that_stops_says_why_and_goes_on_when_it_is_mended(files, tmp_path):
    words, field, index, time = run_node(STOPS, tmp_path, *files)
    assert words.startswith("qvel.") and "is NaN, infinite or huge at time 0.02" in words
    assert (field, index, round(time, 6)) == ("qvel", 2, 0.022)


def test_a_part_that_is_not_there_is_named_and_the_state_stays(tmp_path):
    data = scene("balls")
    module, image = tmp_path / "m.wasm", tmp_path / "m.phx"
    module.write_bytes(module_of(["core", "rows", "stages", "collision"]))
    image.write_bytes(image_of(data))
    words, found = run_node(ABSENT, tmp_path, module, image)
    assert words == 'the module lacks the part "solver" of the model'
    # the last state before a contact
    states = {data.fingerprint()} | {data.step().fingerprint() for _ in range(200)}
    assert found in states


def test_images_are_of_one_layout(tmp_path):
    path = phalanx.export_image(phalanx.load("cartpole"), tmp_path / "r.phx")
    assert path.read_bytes().startswith(b"PHXIMG\0\1")
