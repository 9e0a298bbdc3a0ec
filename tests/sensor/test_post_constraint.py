"""Accelerations of bodies and forces between them, against MuJoCo and against the laws of motion."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import EqType
from tests.conformance.models import make_data
from tests.conformance.states import compare
from tests.conformance.states import load as load_state
from tests.sensor.harness import BODY_FORCES, forward_both, moving_state, tightened
from tests.sensor.scenes import scene

TOLERANCE = 1e-9
FREE = ("ball", "crate", "stone")


@pytest.mark.parametrize("option", ['cone="pyramidal"', 'cone="elliptic"', 'gravity="0 0 0"', 'integrator="implicit"'])
@pytest.mark.parametrize("flags", ["", 'contact="disable"', 'equality="disable" spring="disable"', 'gravity="disable"'])
def test_forces_are_those_of_mujoco(option: str, flags: str) -> None:
    model = tightened(scene([], option, flags))
    for seed in range(3):
        theirs, ours = forward_both(model, seed)
        assert not compare(ours, theirs, BODY_FORCES, TOLERANCE), seed


STICKY = """
<mujoco><worldbody>
  <geom type="plane" size="1 1 1" adhesion="2" gap=".05"/>
  <body pos="0 0 .099"><freejoint/><geom size=".1" condim="{condim}"/></body>
  <body pos=".5 0 .12"><freejoint/><geom size=".1" condim="{condim}"/></body>
</worldbody></mujoco>
"""


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_adhesion_pulls(condim: int) -> None:
    model = tightened(mujoco.MjModel.from_xml_string(STICKY.format(condim=condim)))
    theirs, ours = forward_both(model, 1)
    assert theirs.ncon == ours.ncon > 0
    assert not compare(ours, theirs, BODY_FORCES, TOLERANCE)
    for contact in range(theirs.ncon):
        wrench = np.zeros(6)
        mujoco.mj_contactForce(model, theirs, contact, wrench)
        np.testing.assert_allclose(ours.contact_force(contact), wrench, rtol=1e-9, atol=1e-9)


def test_nothing_but_external_forces_moves_a_free_body() -> None:
    """Also with our own equality of distances, which MuJoCo does not have."""
    theirs = tightened(scene([]))
    state = moving_state(theirs, 1)
    theirs.eq_type[0] = EqType.DISTANCE
    theirs.tendon_armature[:] = 0  # between trees it is left out of M, so that forces do not add up
    model = phalanx.Model.from_mujoco(theirs)
    data = make_data(model)
    load_state(data, state)
    data.qfrc_applied[:] = 0
    data.forward().rne_post_constraint()
    assert EqType.DISTANCE in model.eq_type[data.efc_id[: data.ne]]
    size = np.abs(data.cfrc_ext).max()
    for name in FREE:
        assert np.abs(data.body(name).cfrc_int).max() < 1e-9 * size, name


def test_a_force_sensor_carries_the_weight() -> None:
    model = phalanx.Model.from_xml_string(
        """<mujoco><worldbody><body><geom size=".1" mass="2"/>
        <body pos="0 0 -1"><joint/><geom size=".1" mass="3"/><site name="s"/></body></body></worldbody>
        <sensor><force site="s"/></sensor></mujoco>"""
    )
    data = make_data(model).forward()
    np.testing.assert_allclose(data.sensordata, [0, 0, 3 * 9.81], atol=1e-12)
