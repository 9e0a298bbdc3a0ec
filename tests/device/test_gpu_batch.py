"""Worlds of a device are those of a BatchSim, bit for bit: the CPU runs the same kernels with a device's addresses."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.kernels import where
from tests.quiet import quiet

#: Two links over a floor, of which the first is driven: contacts, a limit, an actuator.
LINKS = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .3">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="sphere" size=".05" pos=".2 0 0"/>
      <body pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" limited="true" range="-60 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="2"/></actuator>
  <keyframe><key name="raised" qpos="-1 0.5" qvel="1 0"/></keyframe>
</mujoco>
"""
PENDULUM = """
<mujoco>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom size=".1" pos=".3 0 0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
"""
N = 5


@cache
def links() -> phalanx.Model:
    return phalanx.Model.from_xml_string(LINKS)


@cache
def pendulum() -> phalanx.Model:
    return phalanx.Model.from_xml_string(PENDULUM).with_hooks(passive=push)


def push(m, d):
    """A force that the user adds, in one direction only."""
    d.qfrc_passive[0] = d.qfrc_passive[0] + where(d.qpos[0] > 0.0, d.time, 0.0)


@quiet()
def pair(model: phalanx.Model, n: int = N, **options: Any) -> tuple[phalanx.BatchSim, phalanx.GpuBatchSim]:
    """A batch of the CPU, and one of the emulated device, in the same motion."""
    batches = phalanx.BatchSim(model, n, lanes=1, **options), phalanx.BatchSim(model, n, device="emulated", **options)
    for batch in batches:
        rng = np.random.default_rng(1)
        batch.qvel[...] = rng.normal(size=batch.qvel.shape)
        batch.ctrl[...] = rng.normal(size=batch.ctrl.shape)
    assert isinstance(batches[1], phalanx.GpuBatchSim)
    return batches


def check_same(cpu: phalanx.BatchSim, device: phalanx.BatchSim, *names: str) -> None:
    for name in (*KEPT, "error_code", "contact_count", *names):
        np.testing.assert_array_equal(device._arrays[name], cpu._arrays[name], err_msg=name)


def test_worlds_of_a_device_are_those_of_a_batch_bit_for_bit():
    cpu, device = pair(links())
    for batch in (cpu, device):
        batch.bind("xpos", "qfrc_constraint", "actuator_force")
    for steps in (1, 7, 50):
        cpu.step(steps)
        device.step(steps)
        check_same(cpu, device, "xpos", "qfrc_constraint", "actuator_force")
    assert device.ncon.max() > 0
    assert device.fingerprint() == cpu.fingerprint()
    # calls of forward, of some worlds only
    for batch in (cpu, device):
        batch.qpos[:, 0] += 0.1
        batch.forward([1, 3])
    check_same(cpu, device, "xpos")


def test_numbers_of_all_worlds_are_neighbors_in_memory():
    device = phalanx.GpuBatchSim(links(), N, device="emulated")
    (xpos,) = device.bind("xpos")
    size = device.qpos.itemsize
    assert device.qpos.strides == (size, N * size)
    assert xpos.strides == (size, 3 * N * size, N * size)
    device.qpos[2, 1] = 7.0
    memory = device._store.arrays["qpos"].ravel()
    assert np.flatnonzero(memory == 7.0).tolist() == [1 * N + 2]


def test_resets_of_some_worlds():
    cpu, device = pair(links())
    for batch in (cpu, device):
        batch.step(20)
        batch.reset_where(np.arange(N) % 2 == 0)
        batch.reset([1], keyframe="raised")
        batch.step(3)
    check_same(cpu, device)
    for batch in (cpu, device):
        batch.reset()
    check_same(cpu, device)
    assert not device.time.any()


def test_a_world_that_fails_keeps_its_state_and_the_others_go_on():
    cpu, device = pair(links())
    for batch in (cpu, device):
        batch.qvel[2] = np.nan
        batch.step(2)
    assert [error is None for error in device.errors] == [True, True, False, True, True]
    assert str(device.errors[2]) == str(cpu.errors[2])
    check_same(cpu, device)
    for batch in (cpu, device):
        batch.reset([2])
        batch.step()
    assert device.errors == [None] * N
    check_same(cpu, device)


def test_a_bad_control_is_said():
    _, device = pair(links())
    device.ctrl[1] = np.nan
    with pytest.warns(phalanx.BadControlWarning, match="world 1"):
        device.step()
    device.ctrl[1] = 0.0
    device.step()


def test_memory_grows_and_worlds_go_on_from_where_they_stopped():
    cpu, device = pair(links())
    before = device._store.sizes["nefc"]
    for batch in (cpu, device):
        batch.step(40)
    check_same(cpu, device)
    assert device._store.sizes["nefc"] > 0 and before == 0
    # one launch, unless memory had to grow
    launches = device.use.launches
    device.step(2)
    assert device.use.launches <= launches + 2


def test_state_snapshots_and_pickles():
    cpu, device = pair(links())
    device.step(5)
    snapshot, state = device.snapshot(), device.get_state()
    device.step(5)
    end = device.get_state()
    device.restore(snapshot)
    np.testing.assert_array_equal(device.get_state(), state)
    device.step(5)
    np.testing.assert_array_equal(device.get_state(), end)
    device.set_state(state)
    device.qacc_warmstart[...] = snapshot["qacc_warmstart"]
    twin = pickle.loads(pickle.dumps(device))
    assert isinstance(twin, phalanx.GpuBatchSim)
    for batch in (device, twin):
        batch.step(5)
    np.testing.assert_array_equal(twin.get_state(), device.get_state())
    cpu.restore(snapshot)
    cpu.step(5)
    np.testing.assert_array_equal(cpu.get_state(), end)


def test_hooks_and_models_that_vary():
    masses = np.linspace(0.5, 2.0, N)[:, None] * np.ones(2)
    cpu, device = pair(pendulum(), vary={"body_mass": masses})
    for batch in (cpu, device):
        batch.step(30)
    check_same(cpu, device)
    assert len(np.unique(device.qpos)) == N
    for batch in (cpu, device):
        batch.set_vary([1, 4], body_mass=np.array([0.0, 3.0]))
        batch.step(30)
    check_same(cpu, device)
    np.testing.assert_array_equal(device.vary["body_mass"], cpu.vary["body_mass"])


def test_a_hook_with_a_mistake_is_an_error_at_once():
    def wrong(m, d):
        d.qpos[d.time] = 1.0

    model = phalanx.Model.from_xml_string(PENDULUM).with_hooks(control=wrong)
    with pytest.raises(phalanx.HookError, match="an index must be an integer"):
        phalanx.GpuBatchSim(model, 2, device="emulated")


def test_what_a_batch_of_a_device_takes():
    device = phalanx.GpuBatchSim(links(), 64, device="emulated")
    use = device.use
    assert use.bytes_of_state < use.bytes_per_world < 30_000
    assert device.nbytes >= 64 * use.bytes_per_world // 2
    assert "64 worlds in f64, on a device that the CPU emulates" in repr(device)


def test_requests_that_a_device_refuses():
    with pytest.raises(phalanx.FieldError, match="lanes cannot be 8"):
        phalanx.GpuBatchSim(links(), 2, lanes=8, device="emulated")
    device = phalanx.GpuBatchSim(links(), 2, device="emulated")
    with pytest.raises(phalanx.FieldError, match="solver_gradient cannot be bound: worlds of a device"):
        device.bind("solver_gradient")
    with pytest.raises(phalanx.FieldError, match="is computed and cannot be assigned"):
        device.error_code = 1


def test_no_worlds_at_all():
    device = phalanx.GpuBatchSim(links(), 0, device="emulated")
    device.step(3)
    assert device.qpos.shape == (0, 2)
