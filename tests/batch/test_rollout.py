"""Rollouts: the same bits as stepping worlds one by one, in all shapes of arguments; against mujoco.rollout."""

from __future__ import annotations

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.tables.data_fields import FULL_PHYSICS

XML = """
<mujoco>
  <size nuserdata="1"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><joint name="swing" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/></body>
    <body pos="1 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="0.2 0 0.9"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="swing"/><general joint="swing" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>
</mujoco>
"""
WORLDS, STEPS = 11, 150


def control(m, d):
    """PD control with a memory."""
    d.userdata[0] = d.userdata[0] + m.opt.timestep * (0.4 - d.qpos[0])
    d.ctrl[0] = d.ctrl[0] + 20.0 * (0.4 - d.qpos[0]) - 2.0 * d.qvel[0] + d.userdata[0]


@pytest.fixture(scope="module")
def mjmodel():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture(scope="module")
def model(mjmodel):
    return phalanx.Model.from_mujoco(mjmodel)


@pytest.fixture(scope="module")
def states(model):
    rng = np.random.default_rng(0)
    qpos = np.tile(model.qpos0, (WORLDS, 1))
    qpos[:, 0] = rng.uniform(-1, 1, WORLDS)
    qpos[:, 10] += rng.uniform(0, 0.3, WORLDS)
    return {"qpos": qpos, "qvel": rng.normal(0, 0.5, (WORLDS, model.nv)), "act": rng.normal(0, 1, (WORLDS, 1))}


@pytest.fixture(scope="module")
def controls():
    return np.random.default_rng(1).normal(0, 2, (WORLDS, STEPS, 2))


def stepped(model, states, controls, world, names, steps=STEPS):
    """Outputs of one world on its own."""
    data = model.make_data()
    for name, values in states.items():
        setattr(data, name, values[world])
    rows: dict[str, list] = {name: [] for name in names}
    for step in range(steps):
        data.ctrl = controls[world, step]
        data.step()
        for name in names:
            rows[name].append(np.copy(getattr(data, name)))
    return {name: np.array(values) for name, values in rows.items()}


@pytest.mark.parametrize("is_hooked", [False, True], ids=["open", "closed"])
def test_each_world_is_the_world_on_its_own(model, states, controls, is_hooked):
    """Worlds fall onto the floor and each other at different times, so memory grows on the way."""
    model = model.with_hooks(control=control) if is_hooked else model
    names = ("qpos", "qvel", "act", "ctrl", "qacc", "xpos", "userdata", "time")
    result = phalanx.rollout(model, states, controls, outputs=names, threads=2)
    assert result.batch.number.width == 8
    assert result.errors == [None] * WORLDS
    assert result.xpos.shape == (WORLDS, STEPS, model.nbody, 3)
    for world in (0, 3, 10):
        alone = stepped(model, states, controls, world, names)
        for name in names:
            np.testing.assert_array_equal(result[name][world], alone[name], err_msg=name)
    np.testing.assert_array_equal(result.batch.qpos, result.qpos[:, -1])
    assert max(workspace.sizes["ncon"] for workspace in result.batch._workspaces) > 4


def test_against_mujoco(mjmodel, model, states, controls):
    full = np.concatenate([np.zeros((WORLDS, 1)), *states.values()], axis=1)
    data = mujoco.MjData(mjmodel)
    theirs, _ = mujoco.rollout.rollout(mjmodel, data, initial_state=full, control=controls[:, :40])
    ours = phalanx.rollout(model, full, controls[:, :40], outputs=["state"])
    np.testing.assert_allclose(ours.state, theirs, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(ours.time, ours.state[:, :, 0])


def test_the_order_of_the_state_is_that_of_mujoco():
    xml = """<mujoco><worldbody><body><joint name="a" springyield="1" stiffness="1"/>
      <geom size=".1"/></body></worldbody>
      <actuator><general joint="a" dyntype="integrator" delay=".01" nsample="3"/></actuator></mujoco>"""
    mjmodel = mujoco.MjModel.from_xml_string(xml)
    data, full = mujoco.MjData(mjmodel), mujoco.mjtState.mjSTATE_FULLPHYSICS
    for k, name in enumerate(FULL_PHYSICS):
        part = np.atleast_1d(getattr(data, name))
        if name == "time":
            data.time = 1.0
        else:
            part[:] = k + 1
    state = np.zeros(mujoco.mj_stateSize(mjmodel, full))
    mujoco.mj_getState(mjmodel, data, state, full)
    expected = np.concatenate([np.full(np.size(getattr(data, name)), k + 1.0) for k, name in enumerate(FULL_PHYSICS)])
    np.testing.assert_array_equal(state, expected)
    result = phalanx.rollout(phalanx.Model.from_mujoco(mjmodel), state, nsteps=2, outputs=["state"])
    assert result.state.shape == (1, 2, len(state))


def test_shapes_of_controls(model, states, controls):
    def final(given, nsteps=None):
        return phalanx.rollout(model, states, given, nsteps).qpos[:, -1]

    each = controls[:, :1]
    np.testing.assert_array_equal(final(each, 5), final(np.repeat(each, 5, axis=1)))
    np.testing.assert_array_equal(final(controls[:, 0], 5), final(each, 5))
    shared = np.tile(controls[:1, :5], (WORLDS, 1, 1))
    np.testing.assert_array_equal(final(controls[0, :5]), final(shared))
    np.testing.assert_array_equal(final(controls[:1, :5]), final(shared))
    np.testing.assert_array_equal(final(controls[0, 0], 5), final(np.repeat(shared[:, :1], 5, axis=1)))
    np.testing.assert_array_equal(final(None, 5), final(np.zeros((1, 1, 2)), 5))


def test_initial_states_of_all_kinds(model, states):
    expected = phalanx.rollout(model, states, nsteps=3).qpos
    batch = phalanx.BatchSim(model, WORLDS)
    for name, values in states.items():
        setattr(batch, name, values)
    np.testing.assert_array_equal(phalanx.rollout(model, batch, nsteps=3).qpos, expected)
    np.testing.assert_array_equal(batch.qpos, states["qpos"])
    data = batch.env(2)
    np.testing.assert_array_equal(phalanx.rollout(model, data, nsteps=3).qpos, expected[2:3])
    many = phalanx.rollout(model, data, np.zeros((4, 3, 2)))
    np.testing.assert_array_equal(many.qpos, np.repeat(expected[2:3], 4, axis=0))
    one = phalanx.rollout(model, {"qpos": states["qpos"][0]}, nsteps=3)
    assert one.qpos.shape == (1, 3, model.nq)
    assert phalanx.rollout(model, nsteps=0).qpos.shape == (1, 0, model.nq)


def test_a_world_that_fails_keeps_its_last_state(model, states, controls):
    wild = controls[:, :30].copy()
    wild[4, 10:20] = np.inf
    forced = dict(states, xfrc_applied=np.zeros((WORLDS, model.nbody, 6)))
    clean = phalanx.rollout(model, forced, controls[:, :30], outputs=("qpos", "xpos"))
    forced["xfrc_applied"][4, 1] = 1e300
    result = phalanx.rollout(model, forced, controls[:, :30], outputs=("qpos", "qacc", "xpos", "state"))
    assert [k for k, error in enumerate(result.errors) if error] == [4]
    assert all(np.isfinite(array).all() for array in result.values())
    np.testing.assert_array_equal(result.qpos[4], np.tile(states["qpos"][4], (30, 1)))
    others = np.arange(WORLDS) != 4
    np.testing.assert_array_equal(result.qpos[others], clean.qpos[others])


def test_one_world(model, states, controls):
    """Nothing but the code of Data.step is needed, and the bits are those of a batch."""
    one = {name: values[3] for name, values in states.items()}
    names = ("qpos", "qacc", "ctrl")
    alone = phalanx.rollout(model, one, controls[3:4], outputs=names)
    many = phalanx.rollout(model, states, controls, outputs=names)
    for name in names:
        np.testing.assert_array_equal(alone[name][0], many[name][3], err_msg=name)
    np.testing.assert_array_equal(alone.batch.qpos[0], alone.qpos[0, -1])
    failed = phalanx.rollout(model, {**one, "xfrc_applied": np.full((model.nbody, 6), 1e300)}, nsteps=4)
    assert failed.errors[0] is not None and np.isfinite(failed.qpos).all()


def test_interpreted(model, states, controls):
    hooked = model.with_hooks(control=control)
    few = {name: values[:2] for name, values in states.items()}
    compiled = phalanx.rollout(hooked, few, controls[:2, :3], outputs=("qpos", "ctrl"))
    with interpreted():
        plain = phalanx.rollout(hooked, few, controls[:2, :3], outputs=("qpos", "ctrl"))
    for name in plain:
        np.testing.assert_array_equal(plain[name], compiled[name])
    np.testing.assert_array_equal(plain.time, compiled.time)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nsteps is needed"),
        ({"nsteps": -1}, "cannot take -1 steps"),
        ({"controls": np.zeros((3, 2, 7))}, r"\(worlds, steps, 2\)"),
        ({"controls": np.zeros((4, 2)), "nsteps": 4, "initial_states": {"qpos": np.zeros((4, 15))}}, "three axes"),
        ({"controls": np.zeros((3, 2, 2)), "nsteps": 5}, "3 worlds and 5 steps"),
        ({"initial_states": {"qpos": np.zeros((2, 15)), "time": np.zeros(3)}, "nsteps": 1}, "do not agree"),
        ({"initial_states": {"qpos": np.zeros(3)}, "nsteps": 1}, "initial qpos has shape"),
        ({"initial_states": {"qpoz": np.zeros(15)}, "nsteps": 1}, "did you mean 'qpos'"),
        ({"initial_states": np.zeros(4), "nsteps": 1}, r"\(worlds, \d+\) is needed"),
        ({"nsteps": 1, "outputs": ["xpoz"]}, "did you mean 'xpos'"),
        ({"nsteps": 1, "outputs": ["ncon"]}, "only real fields"),
    ],
)
def test_arguments_that_do_not_fit(model, arguments, words):
    with pytest.raises(phalanx.FieldError, match=words):
        phalanx.rollout(model, **arguments)


def test_outputs_by_name(model):
    result = phalanx.rollout(model, nsteps=2)
    assert list(result) == ["qpos", "qvel"] and "2 steps: qpos, qvel" in repr(result)
    with pytest.raises(phalanx.FieldError, match="ask for it in outputs="):
        result.xpos  # noqa: B018
