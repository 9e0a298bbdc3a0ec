"""What a CudaDevice asks of the driver, and what is said where there is none."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import phalanx
from phalanx.device import cuda, devices
from phalanx.device.cuda import CudaDevice
from phalanx.device.device_array import DeviceArray
from phalanx.native.device_code import CUDA_TARGETS, cuda_target
from tests.device.fake_driver import FakeDriver, installed
from tests.device.test_gpu_batch import N, check_same, links, pair


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDriver]:
    """A driver with one GPU."""
    with installed(monkeypatch) as driver:
        yield driver


def test_a_batch_through_the_driver(fake: FakeDriver):
    cpu, _ = pair(links())
    assert phalanx.try_device() == "cuda"
    device = phalanx.BatchSim(links(), N, device="cuda")
    assert isinstance(device, phalanx.GpuBatchSim) and "Fake GPU (compute capability 8.6)" in repr(device)
    rng = np.random.default_rng(1)
    device.qvel[...] = rng.normal(size=device.qvel.shape)
    device.ctrl[...] = rng.normal(size=device.ctrl.shape)
    for batch in (cpu, device):
        batch.step(40)
    check_same(cpu, device)
    # memory grew above; now a step is one launch, which is waited for
    fake.calls.clear()
    device.step(1)
    assert fake.calls == ["launch", "synchronize"]
    del device, batch
    gc.collect()
    assert not fake.blocks, "all memory is given back"


def test_arrays_of_the_gpu(fake: FakeDriver):
    device = phalanx.BatchSim(links(), N, device="cuda")
    qpos, (xpos,) = device.qpos, device.bind("xpos")
    assert isinstance(qpos, DeviceArray)
    memory = device._store.arrays["qpos"]
    described = qpos.__cuda_array_interface__
    assert described["shape"] == (N, 2) and described["typestr"] == "<f8" and described["strides"] == (8, 8 * N)
    assert described["data"] == (memory.ctypes.data, False)
    assert qpos.worlds_last.__cuda_array_interface__["strides"] is None
    assert qpos.worlds_last.shape == (2, N)
    qpos[3, 1] = 2.0
    assert memory[1, 3] == 2.0 and (qpos + 1.0)[3, 1] == 3.0 and np.asarray(qpos).sum() == qpos.sum()
    qpos += 1.0
    assert memory[1, 3] == 3.0
    assert qpos.__dlpack_device__() == (2, 0)
    assert xpos.shape == (N, 3, 3)
    with pytest.raises(phalanx.FieldError, match="an output is computed"):
        DeviceArray(memory.T, 0, False)[0] = 1.0

    class OfTorch:
        __cuda_array_interface__ = described

    with pytest.raises(phalanx.DeviceError, match=r"torch\.from_dlpack"):
        qpos[:] = OfTorch()


def test_memory_that_the_gpu_does_not_have(fake: FakeDriver):
    fake.room = 1e5
    with pytest.raises(phalanx.OutOfMemoryError, match="1000 worlds on Fake GPU"):
        phalanx.GpuBatchSim(links(), 1000)


@pytest.mark.parametrize(
    ("driver", "message"),
    [
        (FakeDriver(count=0), "there is no GPU of NVIDIA"),
        (FakeDriver(capability=(6, 1)), "too old: GPUs from compute capability 7.5 on"),
        (FakeDriver(managed=0), "has no managed memory"),
    ],
)
def test_why_a_gpu_cannot_be_used(
    fake: FakeDriver,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    driver: FakeDriver,
    message: str,
):
    monkeypatch.setattr(cuda, "driver", lambda: driver)
    with pytest.raises(phalanx.DeviceError, match=message):
        phalanx.BatchSim(links(), 2, device="cuda")
    monkeypatch.delenv("PHALANX_QUIET", raising=False)
    assert phalanx.try_device() == phalanx.try_device() == "cpu"
    assert capsys.readouterr().err.count("worlds run on the CPU") == 1
    batch = phalanx.BatchSim(links(), 2, device="auto", lanes=1)
    assert type(batch) is phalanx.BatchSim


def test_errors_of_the_driver_have_words(fake: FakeDriver):
    device = CudaDevice(fake)
    fake.cuCtxSynchronize = lambda: (fake.CUresult.CUDA_ERROR_INVALID_VALUE,)  # type: ignore[method-assign]
    with pytest.raises(phalanx.DeviceError, match="CUDA fails in cuCtxSynchronize: it went wrong"):
        device.zeros((3,), np.float64)


def test_the_package_of_the_driver_may_be_missing(monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    with pytest.raises(phalanx.DeviceError, match=r"pip install 'phalanx\[cuda\]'"):
        cuda.driver()


def test_devices_that_do_not_exist():
    with pytest.raises(phalanx.DeviceError, match="there is no device 'cudda'; did you mean 'cuda'"):
        phalanx.BatchSim(links(), 2, device="cudda")
    lines = devices.describe_devices()
    assert [line.partition(":")[0] for line in lines] == ["cuda", "emulated"]


def test_the_target_of_each_generation():
    assert cuda_target(86) is CUDA_TARGETS[80] and cuda_target(130) is CUDA_TARGETS[121]
    assert cuda_target(61) is None


def test_names_of_the_real_driver():
    """The package has every function that is called, so a name is not misspelled."""
    driver = pytest.importorskip("cuda.bindings.driver", reason="cuda-bindings is not installed")
    names = [name for name in dir(FakeDriver) if name.startswith(("cu", "CU"))]
    assert not [name for name in names if not hasattr(driver, name)]
    attributes = [row.name for row in FakeDriver.CUdevice_attribute]
    assert all(hasattr(driver.CUdevice_attribute, name) for name in attributes)
    for row in FakeDriver.CUdevice_attribute:
        assert int(getattr(driver.CUdevice_attribute, row.name)) == int(row)
    assert int(driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY) == FakeDriver.CUresult.CUDA_ERROR_OUT_OF_MEMORY
    flags = int(driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    assert flags == cuda._ATTACH_GLOBAL
    portable, mapped = driver.CU_MEMHOSTALLOC_PORTABLE, driver.CU_MEMHOSTALLOC_DEVICEMAP
    assert portable | mapped == cuda._PORTABLE_MAPPED
