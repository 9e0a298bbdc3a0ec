"""Tactile sensors against MuJoCo: pads with and without tangents, on every shape that has a distance field."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.sensor.harness import assert_sensors_agree, forward_both, tightened

MESHES = {
    "plate": 'builtin="plate" params="3 4" scale=".2 .2 .2"',
    "wedge": 'builtin="wedge" params="3 4 50 40 .1" scale=".3 .3 .3"',
    "corners": 'vertex="-.2 -.2 -.2 .2 -.2 -.2 -.2 .2 -.2 .2 .2 -.2 -.2 -.2 .2 .2 -.2 .2 -.2 .2 .2 .2 .2 .3"',
}
SHAPES = (
    'type="box" size=".3 .3 .1"', 'type="sphere" size=".3"', 'type="capsule" size=".3 .1"',
    'type="ellipsoid" size=".3 .2 .1"', 'type="cylinder" size=".3 .1"',
)  # fmt: skip


def pad(mesh: str, shape: str) -> Any:
    """A body with a pad and a second geom fixed to it, pressed on a moving shape and on the floor."""
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="pad" {MESHES[mesh]}/></asset><worldbody>
        <geom type="plane" size="3 3 1" pos="0 0 -.1"/>
        <body pos=".05 .02 -.15" euler="10 20 5"><freejoint/><geom {shape} pos=".03 .02 .01"/></body>
        <body euler="3 5 7"><freejoint/>
          <geom name="skin" type="box" size=".2 .2 .2" pos=".01 .02 .03" euler="4 5 6"/>
          <geom type="sphere" size=".2" pos="0 0 -.1"/>
        </body></worldbody><sensor><tactile geom="skin" mesh="pad"/></sensor></mujoco>"""
    )


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("shape", SHAPES)
def test_depth_and_slip_are_those_of_mujoco(mesh: str, shape: str) -> None:
    model = tightened(pad(mesh, shape))
    for seed in range(2):
        theirs, ours = forward_both(model, seed)
        assert theirs.sensordata.any()
        assert_sensors_agree(model, theirs, ours)


def test_without_contact_there_is_nothing_to_feel() -> None:
    model = pad("plate", SHAPES[0])
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    _, ours = forward_both(model, 1)
    np.testing.assert_array_equal(ours.sensordata, 0.0)
