"""Worlds on a driver of OpenCL are those of a BatchSim, bit for bit: the kernels run outside of the emulated device."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from tests.device.opencl_driver import OpenClBatch, opencl_device
from tests.device.test_gpu_batch import PENDULUM, check_same, links
from tests.quiet import quiet

needs_driver = pytest.mark.skipif(
    opencl_device() is None, reason="no driver of OpenCL: apt-get install pocl-opencl-icd llvm-15"
)


@quiet()
def run(model: phalanx.Model, n: int, steps: int, dtype: str = "float64") -> phalanx.GpuBatchSim:
    """Steps on the CPU and on the driver, which must agree."""
    cpu, device = phalanx.BatchSim(model, n, lanes=1, dtype=dtype), OpenClBatch(model, n, dtype=dtype)
    for batch in (cpu, device):
        rng = np.random.default_rng(1)
        batch.qvel[...] = rng.normal(size=batch.qvel.shape)
        batch.ctrl[...] = rng.normal(size=batch.ctrl.shape)
    for count in (1, steps):
        for batch in (cpu, device):
            batch.step(count)
        check_same(cpu, device)
    assert cpu.fingerprint() == device.fingerprint()
    return device


@needs_driver
@pytest.mark.conformance
def test_a_pendulum_on_the_driver():
    assert not run(phalanx.Model.from_xml_string(PENDULUM), 5, 100).ncon.any()


@needs_driver
@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_contacts_and_limits_on_the_driver(dtype: str):
    assert run(links(), 5, 50, dtype).ncon.max() > 0


@needs_driver
@pytest.mark.conformance
def test_the_humanoid_on_the_driver():
    assert run(phalanx.load("humanoid"), 3, 100).ncon.max() > 0
