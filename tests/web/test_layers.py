"""Decor of pages that simulate is that of pictures: the same shapes at the same places."""

from __future__ import annotations

import json

import numpy as np
import pytest

import phalanx
from phalanx.scene.quaternions import quats_of
from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.scene.style import Style
from phalanx.show.replay.layers import USUAL, known_layers
from phalanx.show.replay.tracks import KINDS, kind_names
from phalanx.web.live_manifest import layer_rows, style_row
from tests.web.node import SIMULATION, run_node
from tests.web.test_same_bits import files_of
from tests.web.web_scenes import scene

DRAWN = (
    SIMULATION
    + """
import { layerTrack } from "./layers.js";
const { style, kinds, names, steps } = JSON.parse(readFileSync(process.argv[4]));
sim.step(steps).forward();
say(Object.fromEntries(names.map((name) => [name, [...layerTrack(name, sim, style, kinds).values]])));
"""
)

#: Tendons that wrap, hang and pull; a slider-crank; range finders; constraints; actuators on everything.
MODELS = {
    "tendon_paths": "tests/models/tendon_paths.xml", "slider_crank": "tests/models/slider_crank.xml",
    "equality": "tests/models/equality.xml", "transmissions": "tests/models/transmissions.xml",
    "sensor": "tests/models/sensor.xml", "joint_limit": "tests/models/joint_limit.xml",
    "tendon_actuator": "tests/models/tendon_actuator.xml",
}  # fmt: skip
ROPES = """<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <site name="a" pos="0 0 1"/><site name="b" pos=".5 0 1"/><site name="c" pos="0 .5 1.2"/>
    <body pos=".3 .3 .5"><freejoint/><geom size=".1"/><site name="d" euler="170 20 0" pos="0 0 -.12"/></body>
    <body name="held" pos="1 0 .5"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="e" pos=".1 0 0"/></body>
    <body name="on" pos="1 0 .8"><joint group="4"/><geom size=".05" pos=".1 0 0"/><site name="f"/></body>
  </worldbody>
  <equality>
    <connect body1="held" anchor=".1 0 .1"/><weld body1="on" body2="held" anchor="0 .1 0"/><weld site1="e" site2="f"/>
  </equality>
  <sensor><rangefinder site="d"/></sensor>
  <tendon>
    <spatial limited="true" range="0 1.5" width=".01" rgba="1 0 0 1"><site site="a"/><site site="b"/></spatial>
    <spatial stiffness="5" springlength="0 1.2"><site site="c"/><site site="d"/></spatial>
  </tendon>
</mujoco>"""


def rows_of(shapes: Shapes) -> np.ndarray:
    """Shapes as the page has them: kind, position, quaternion, size, color; sorted by place."""
    if not len(shapes):
        return np.zeros((0, 15))
    kind = np.array([KINDS.index(name) for name in kind_names(shapes.kind)], float)[:, None]
    rows = np.concatenate([kind, shapes.pos, quats_of(shapes.mat.reshape(-1, 3, 3)), shapes.size, shapes.rgba], axis=1)
    return in_order(rows)


def in_order(rows: np.ndarray) -> np.ndarray:
    """In an order that does not depend on how they were drawn, with axes instead of quaternions where they decide."""
    rows = rows.copy()
    w, x, y, z = rows[:, 4:8].T
    axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    is_kind = {name: rows[:, 0] == KINDS.index(name) for name in KINDS}
    largest = np.take_along_axis(rows[:, 4:8], np.abs(rows[:, 4:8]).round(4).argmax(axis=1)[:, None], axis=1)
    rows[:, 4:8] *= np.where(largest < 0, -1.0, 1.0)
    is_round = is_kind["cylinder"] | is_kind["capsule"] | is_kind["arrow"]
    rows[is_round, 4:8] = np.concatenate([axis, np.zeros((len(rows), 1))], axis=1)[is_round]
    # what only has a label has no size; spheres have one number, and look the same however they are turned
    rows[is_kind[""], 4:] = 0
    rows[is_kind["sphere"], 4:8] = rows[is_kind["sphere"], 9:10] = 0
    rows[is_kind["sphere"], 10] = 0
    return rows[np.lexsort(rows.round(4).T[::-1])]


def compare(data: phalanx.Data, steps: int, tmp_path) -> set[str]:
    """Compare all layers after some steps; returns names of those that had shapes."""
    model = data.model
    names = [row["name"] for row in layer_rows(model, None, Show())]
    wanted = {"style": style_row(model, data.copy().forward(), Show()), "kinds": KINDS, "names": names, "steps": steps}
    (tmp_path / "wanted.json").write_text(json.dumps(wanted))
    found = run_node(DRAWN, tmp_path, *files_of(data, tmp_path), tmp_path / "wanted.json")
    data.step(steps).forward()
    style, drawn = Style.of(model, Show()), set()
    for name in names:
        shapes = known_layers()[name][1](model, data, style)
        page = np.array(found[name]).reshape(-1, 18)
        rows = in_order(page[:, [0, *range(4, 18)]]) if len(page) else np.zeros((0, 15))
        expected = rows_of(shapes)
        assert rows.shape == expected.shape, name
        np.testing.assert_allclose(rows, expected, atol=2e-5, err_msg=name)
        if len(rows):
            drawn.add(name)
    return drawn


def test_contacts_joints_and_forces_are_those_of_pictures(tmp_path):
    drawn = compare(scene("balls"), 200, tmp_path)
    assert drawn >= {"contacts", "contact_forces", "joints", "inertias", "centers_of_mass", "body_frames", "body_names"}


@pytest.mark.conformance
def test_all_layers_are_those_of_pictures(tmp_path):
    drawn = set()
    for name in ("humanoid", "gripper", "heap"):
        drawn |= compare(scene(name), 300, tmp_path)
    for path in MODELS.values():
        data = phalanx.load(path).make_data()
        data.ctrl = 0.3
        data.xfrc_applied[1:, :3] = 0.5
        drawn |= compare(data, 20, tmp_path)
    drawn |= compare(phalanx.Model.from_xml_string(ROPES).make_data(), 50, tmp_path)
    assert drawn == set(USUAL)
