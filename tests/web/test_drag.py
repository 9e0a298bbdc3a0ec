"""A body that is dragged in a page is pulled, or rotated, as by `phalanx.Perturbation`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import phalanx
from phalanx.scene.decor_perturb import perturbation
from phalanx.scene.show import Show
from phalanx.scene.style import Style
from phalanx.show.viewer.handle import rotated
from phalanx.web.live_manifest import style_row
from tests.web.node import SIMULATION, run_node
from tests.web.test_same_bits import files_of
from tests.web.web_scenes import BALLS, scene

#: Numbers of a shape of decor; a direction to the eye.
CHANNELS, TOWARD = 18, [0.0, -0.8, 0.6]
PULL = (
    SIMULATION
    + """
import { Drag } from "./drag.js";
import { LooseRows } from "./loose_rows.js";
const { style, body, point, target, toward, steps } = JSON.parse(readFileSync(process.argv[4]));
sim.step(steps).forward();
const drag = new Drag(sim, body, point, style);
if (toward) drag.turn(target, toward);
else drag.target = target;
const rows = new LooseRows(["capsule", "sphere"]);
drag.addDecor(rows);
drag.apply();
const force = [...sim.data.xfrc_applied.slice(6 * body, 6 * body + 6)];
const isPlaced = drag.place(true);
sim.run("fwd_position");
const pose = [...sim.data.xpos.slice(3 * body, 3 * body + 3), ...sim.data.xquat.slice(4 * body, 4 * body + 4)];
drag.release();
const decor = rows.values, { mass, local, orientation } = drag;
say({ mass, local, orientation, decor, force, isPlaced, pose, after: Math.hypot(...sim.data.xfrc_applied) });
"""
)


def compare(data: phalanx.Data, body: int, steps: int, tmp_path, toward=None) -> None:
    """Pull a point of a body; or rotate it, where a direction to the eye is given."""
    model = data.model
    style = style_row(model, data.copy().forward(), Show())
    files = files_of(data, tmp_path)
    data.step(steps).forward()
    point, target = data.xpos[body] + [0.01, -0.02, 0.03], data.xpos[body] + [0.1, 0.2, 0.3]
    asked = {"style": style, "body": body, "point": point.tolist(), "target": target.tolist(), "steps": steps}
    (tmp_path / "asked.json").write_text(json.dumps(asked | {"toward": toward}))
    found = run_node(PULL, tmp_path, *files, tmp_path / "asked.json")
    drag = phalanx.Perturbation(data, body, point=point)
    if toward is None:
        drag.target = target
        assert found["orientation"] is None
    else:
        radius = max(np.linalg.norm(point - data.xipos[body]), model.stat.meansize)
        drag.orientation = rotated(data.xquat[body], np.cross(toward, target - point) / radius)
        np.testing.assert_allclose(found["orientation"], drag.orientation, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found["force"][:3], 0)
        assert np.linalg.norm(found["force"][3:]) > 0
    shapes = perturbation(model, data, Style.of(model, Show()).with_perturbation(drag))
    np.testing.assert_allclose(np.reshape(found["decor"], (-1, CHANNELS))[:, 4:7], shapes.pos, rtol=0, atol=1e-6)
    assert found["mass"] == pytest.approx(drag.mass, rel=1e-9)
    np.testing.assert_allclose(found["local"], drag.local, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["force"], drag.force(model, data), rtol=1e-9, atol=1e-9)
    drag.apply(data)
    assert found["isPlaced"] == drag.move(data)
    data.forward()
    np.testing.assert_allclose(found["pose"], [*data.xpos[body], *data.xquat[body]], rtol=0, atol=1e-12)
    assert found["after"] == 0


def test_the_spring_pulls_as_in_python(tmp_path):
    compare(phalanx.Model.from_xml_string(BALLS).make_data(), 2, 30, tmp_path)


def test_the_spring_rotates_as_in_python(tmp_path):
    compare(phalanx.Model.from_xml_string(BALLS).make_data(), 2, 30, tmp_path, TOWARD)


@pytest.mark.conformance
@pytest.mark.parametrize("toward", [None, TOWARD])
@pytest.mark.parametrize(("name", "body"), [("humanoid", 1), ("humanoid", 5), ("gripper", 3), ("heap", 2), ("heap", 4)])
def test_bodies_of_robots_are_pulled_as_in_python(name, body, toward, tmp_path):
    compare(scene(name), body, 100, tmp_path, toward)
