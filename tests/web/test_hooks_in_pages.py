"""Functions of the user run in JavaScript as in Python."""

from __future__ import annotations

import math

import phalanx
from tests.web.node import SIMULATION, run_node
from tests.web.test_same_bits import files_of

XML = """<mujoco>
  <size nuserdata="1"/>
  <worldbody>
    <body><joint name="swing" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.5"/></body>
  </worldbody>
  <actuator><motor joint="swing"/></actuator>
</mujoco>"""
RUN = (
    SIMULATION
    + """
const with_hook = [await sim.step(50).fingerprint(), sim.data.userdata[0], sim.data.ctrl[0]];
sim.restart().useHook("hook_control", false);
sim.data.ctrl = [0.25];
say([...with_hook, await sim.step(50).fingerprint(), sim.data.ctrl[0]]);
"""
)


def swing_up(m, d):
    """Pump energy into the pendulum; count calls."""
    d.ctrl[0] = 2.0 * math.tanh(d.qvel[0] * math.cos(d.qpos[0]))
    d.userdata[0] = d.userdata[0] + 1.0


def drag(m, d):
    d.qfrc_passive[0] = d.qfrc_passive[0] - 0.1 * d.qvel[0]


def test_hooks_have_the_same_bits_and_can_be_switched_off(tmp_path):
    model = phalanx.Model.from_xml_string(XML).with_hooks(control=swing_up, passive=drag)
    data = model.make_data()
    data.qvel = 1.0
    found = run_node(RUN, tmp_path, *files_of(data, tmp_path))
    plain = model.with_hooks(control=None).make_data()
    plain.qvel, plain.ctrl = 1.0, 0.25
    assert found[:3] == [data.step(50).fingerprint(), 50.0, data.ctrl[0]]
    assert found[3:] == [plain.step(50).fingerprint(), 0.25]
