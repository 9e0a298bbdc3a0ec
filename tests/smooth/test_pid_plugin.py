"""Actuators of the plugin mujoco.pid against MuJoCo with its plugin loaded."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import product

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.conformance.plugin_models import configured

FIELDS = ("qpos", "qvel", "act", "act_dot", "actuator_force", "qfrc_actuator", "qacc")
ARM = """<mujoco><option timestep="0.004" {option}/>
<extension><plugin plugin="mujoco.pid">{instances}</plugin></extension>
<worldbody><body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos=".3 0 0"/><site name="s"/>
<body pos=".4 0 0"><joint name="b" axis="0 1 0" armature=".01"/><geom size=".05" pos=".3 0 0"/>
<body pos=".4 0 0"><joint name="c" type="ball"/><geom type="capsule" size=".03 .1"/></body></body></body></worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed></tendon>
<actuator>{actuators}</actuator></mujoco>"""
GAINS = {"kp": "1.5", "kd": ".02"}


def actuator(config: dict[str, str], dyntype: str = "none", attributes: str = "", target: str = 'joint="a"') -> str:
    count = ("ki" in config) + ("slewmax" in config) + (dyntype != "none")
    asked = f'actdim="{count}"' if count else ""
    return f"""<plugin {target} plugin="mujoco.pid" dyntype="{dyntype}" dynprm=".05" {asked} {attributes}>
    {configured(config)}</plugin>"""


def arm(*actuators: str, option: str = "", instances: str = "") -> str:
    return ARM.format(option=option, instances=instances, actuators="".join(actuators))


DYNAMICS = ("none", "integrator", "filter", "filterexact")


def options() -> Iterator[str]:
    """Every combination of integral, its bound and the bound of the rate, with every dynamics, early or not."""
    terms: tuple[dict[str, str], ...] = ({}, {"ki": "2"}, {"ki": "2", "imax": ".3"})
    for k, (term, slew, dyntype, early) in enumerate(product(terms, (0, 1), DYNAMICS, ("false", "true"))):
        attributes = f'actearly="{early}"' + (' ctrlrange="-.5 .5"' if "imax" in term else "")
        config = GAINS | term | ({"slewmax": "3"} if slew else {})
        yield actuator(config, dyntype, attributes, ('joint="a"', 'joint="b"', 'tendon="t"')[k % 3])


OPTIONS = list(options())


@functools.cache
def models(xml: str) -> tuple[mujoco.MjModel, phalanx.Model]:
    return mujoco.MjModel.from_xml_string(xml), phalanx.Model.from_xml_string(xml)


def check(xml: str, steps: int, seed: int = 0, tolerance: float = 1e-9) -> None:
    """Steps of both engines from the same states, along MuJoCo's trajectory."""
    mjmodel, model = models(xml)
    data, mjdata, rng = model.make_data(), mujoco.MjData(mjmodel), np.random.default_rng(seed)
    for step in range(steps):
        mjdata.ctrl[:] = rng.normal(size=mjmodel.nu) * 2
        if step % 7 == 3:
            mjdata.qvel[:] = rng.normal(size=mjmodel.nv) * 3
            mjdata.act[:] = rng.normal(size=mjmodel.na) * 0.1
        for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            getattr(data, name)[:] = getattr(mjdata, name)
        data.time = mjdata.time
        mujoco.mj_step(mjmodel, mjdata)
        data.step()
        for name in FIELDS:
            theirs = getattr(mjdata, name)
            bound = tolerance * (1 + np.abs(theirs).max(initial=0))
            np.testing.assert_allclose(getattr(data, name), theirs, atol=bound, rtol=0, err_msg=f"{name}, step {step}")


def test_every_option_steps_as_in_mujoco():
    assert len(OPTIONS) == 48
    check(arm(*OPTIONS), 60)


@pytest.mark.parametrize("integrator", ["RK4", "implicit", "implicitfast", "discrete"])
def test_every_integrator_steps_as_in_mujoco(integrator):
    check(arm(*OPTIONS[::5], option=f'integrator="{integrator}"'), 25)


def test_instances_are_shared():
    shared = '<instance name="i"><config key="kp" value="9"/><config key="ki" value="4"/></instance>'
    xml = arm(*(f'<plugin joint="{joint}" instance="i" actdim="1"/>' for joint in "ab"), instances=shared)
    check(xml, 20)
    assert models(xml)[1].actuator_plugin.tolist() == [0, 0]


def test_other_actuators_before_have_several_controls():
    orientation = '<orientation joint="c" kp="2" input="quat"/>'
    check(
        arm(orientation, actuator(GAINS | {"ki": "3"}), "<motor joint='b'/>", actuator(GAINS, target='joint="b"')), 20
    )


def test_groups_limits_and_flags_are_those_of_mujoco():
    limited = actuator(GAINS, "filter", 'group="2" forcerange="-3 3" ctrlrange="-.1 .1"')
    for option in ('actuatorgroupdisable="2"', ""):
        check(arm(limited, actuator(GAINS | {"ki": "3"}, attributes='group="2"'), option=option), 15)
    for flag in ("clampctrl", "actuation"):
        xml = arm(limited).replace("<extension>", f'<option><flag {flag}="disable"/></option><extension>')
        check(xml, 15)


def test_bits_are_the_same_in_every_way_of_running():
    _, model = models(arm(*OPTIONS[::3]))
    controls = np.random.default_rng(1).normal(size=(5, 6, model.nu))
    batch = phalanx.BatchSim(model, 6)
    with interpreted():
        slow = model.make_data()
    ones = [model.make_data() for _ in range(6)]
    for control in controls:
        batch.ctrl[:] = control
        batch.step()
        for k, data in enumerate(ones):
            data.ctrl[:] = control[k]
            data.step()
            assert data.qpos.tobytes() == batch.qpos[k].tobytes() and data.act.tobytes() == batch.act[k].tobytes()
        slow.ctrl[:] = control[0]
        slow.step()
        assert slow.qpos.tobytes() == ones[0].qpos.tobytes() and slow.act.tobytes() == ones[0].act.tobytes()


def test_reset_and_snapshot_hold_the_integral():
    _, model = models(arm(*OPTIONS[-3:]))
    data = model.make_data()
    data.ctrl[:] = 1.0
    data.step(10)
    kept = data.snapshot()
    act = data.act.copy()
    assert act.any()
    data.step(10)
    later = data.qpos.copy()
    data.restore(kept)
    np.testing.assert_array_equal(data.act, act)
    data.step(10)
    np.testing.assert_array_equal(data.qpos, later)
    data.reset()
    assert not data.act.any()


@pytest.mark.conformance
def test_single_precision_stays_near():
    _, model = models(arm(*OPTIONS[:4]))
    double, single = model.make_data(), model.make_data(dtype="float32")
    for data in (double, single):
        data.ctrl[:] = 0.3
        data.step(20)
    np.testing.assert_allclose(single.qpos, double.qpos, atol=1e-4)
