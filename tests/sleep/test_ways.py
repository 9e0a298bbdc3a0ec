"""Sleep is the same, bit by bit, in one world, in batches of any lanes and threads, interpreted, and after a copy."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.world.fingerprint import STATE

XML = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body mocap="true" name="hand" pos="0 2 .1"><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body pos="1 0 .12"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 0 .299"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 1" sleep="allowed"><joint name="j" type="slide" damping="30" stiffness="5"/><geom size=".1"/></body>
  </worldbody>
  <actuator><general joint="j" dyntype="filter" dynprm=".1" gainprm="1e-3"/></actuator>
  <sensor>
    <framepos objtype="site" objname="s"/><velocimeter site="s" nsample="4" delay=".005"/><accelerometer site="s"/>
    <jointvel joint="j" nsample="3" interval=".007"/><actuatorfrc actuator="general0"/>
  </sensor>
</mujoco>
""".replace("<general joint", '<general name="general0" joint')
BOUND = ("xpos", "geom_xpos", "sensordata", "qfrc_bias", "cvel", "act_dot", "qacc", "qfrc_constraint")


def disturb(world, k: int, i: int) -> None:
    """What happens to world i before step k."""
    rng = np.random.default_rng(1000 * i + k)
    if k % 97 == 90:
        world.qvel[rng.integers(0, 19)] = rng.choice([-0.0, 0.3])
    if k % 113 == 100:
        world.qpos[rng.integers(0, 3)] += 0.05
    if k % 150 == 0:
        world.ctrl[0] = rng.normal()
    world.xfrc_applied[3, 2] = 3.0 if k % 131 < 5 else 0.0
    world.mocap_pos[0, 1] = 2.0 - 1.7 * (k % 400 > 350)


class World:
    """A world of a batch, with the arrays of a Data."""

    def __init__(self, batch, i):
        self._batch, self._i = batch, i

    def __getattr__(self, name):
        return getattr(self._batch, name)[self._i]


def run_alone(model, i, steps, each=None):
    data = model.make_data()
    for k in range(steps):
        disturb(data, k, i)
        data.step()
        if each:
            data = each(data, k)
    return data


def assert_equal(data, batch, i):
    for name in (*STATE, *BOUND):
        if name in batch._arrays:
            ours, alone = np.ascontiguousarray(batch._arrays[name][i]), np.asarray(getattr(data, name))
            assert ours.tobytes() == alone.tobytes(), name


@pytest.fixture(scope="module")
def model():
    return phalanx.Model.from_xml_string(XML)


@pytest.mark.parametrize(("lanes", "threads"), [(1, 1), (8, 2)])
def test_worlds_of_a_batch_sleep_by_themselves(model, lanes, threads):
    n, steps = 4, 450
    batch = phalanx.BatchSim(model, n, lanes=lanes, threads=threads)
    batch.bind(*BOUND)
    asleep = set()
    for k in range(steps):
        for i in range(n):
            disturb(World(batch, i), k, i)
        batch.step()
        asleep |= {tuple(row >= 0) for row in batch.tree_asleep}
    assert len(asleep) >= 4
    for i in range(n):
        data = run_alone(model, i, steps)
        assert_equal(data, batch, i)
        assert data.fingerprint() == batch.fingerprint(i)


def test_several_steps_at_once_are_steps_one_by_one(model):
    batch, data, other = phalanx.BatchSim(model, 3), model.make_data(), model.make_data()
    batch.bind(*BOUND)
    for k in range(12):
        for world in (*(World(batch, i) for i in range(3)), data, other):
            world.qvel[k] = 0.2
        batch.step(40)
        data.step(40)
        for _ in range(40):
            other.step()
        assert data.fingerprint() == other.fingerprint()
    assert_equal(data, batch, 1)


def test_copies_snapshots_and_pickles_go_on_alike(model):
    def renew(data, k):
        if k % 50 == 20:
            return data.copy()
        if k % 50 == 30:
            return pickle.loads(pickle.dumps(data))
        if k % 50 == 40:
            other = model.make_data()
            other.step(7)
            return other.restore(data.snapshot())
        return data

    assert run_alone(model, 1, 450).fingerprint() == run_alone(model, 1, 450, renew).fingerprint()


def test_a_world_of_a_batch_taken_out_goes_on_alike(model):
    batch = phalanx.BatchSim(model, 2)
    batch.step(300)
    assert (batch.tree_asleep >= 0).any()
    data = batch.env(1)
    assert np.array_equal(data.tree_asleep, batch.tree_asleep[1])
    batch.step(5)
    data.step(5)
    assert data.fingerprint() == batch.fingerprint(1)


def test_interpreted_kernels_sleep_alike(model):
    steps = 14
    compiled = model.make_data()
    compiled.step(230)
    snapshot = compiled.snapshot()
    assert (compiled.tree_asleep >= 0).any()
    compiled.qvel[0] = 0.4
    compiled.step(steps)
    with interpreted():
        data = model.make_data().restore(snapshot)
        data.qvel[0] = 0.4
        data.step(steps)
    assert data.fingerprint() == compiled.fingerprint()
    for name in BOUND:
        assert getattr(data, name).tobytes() == getattr(compiled, name).tobytes(), name


@pytest.mark.conformance
def test_single_precision_sleeps_too(model):
    data = model.make_data(dtype="float32")
    data.step(1500)
    batch = phalanx.BatchSim(model, 2, dtype="float32")
    batch.step(1500)
    assert (data.tree_asleep >= 0).all()
    assert data.fingerprint() == batch.fingerprint(1)
