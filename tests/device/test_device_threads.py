"""Interrupts leave worlds of a device at complete states; a second thread is told that they are busy."""

from __future__ import annotations

import _thread
import threading
import time

import numpy as np
import pytest

import phalanx

XML = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .2"><freejoint/>
<geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
#: How soon an interrupt is heard [s], with room for a busy machine.
SOON = 5.0


@pytest.fixture(scope="module")
def batch() -> phalanx.BatchSim:
    model = phalanx.Model.from_xml_string(XML)
    batch = phalanx.BatchSim(model, 8, device="emulated")
    batch.step()
    return batch


def test_an_interrupted_device_has_complete_states_and_goes_on(batch: phalanx.BatchSim) -> None:
    batch.reset_all()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, _thread.interrupt_main).start()
        batch.step(10**9)
    assert time.monotonic() - began < 0.3 + SOON
    steps = round(float(batch.time[3]) / batch.model.opt.timestep)
    twin = batch.model.make_data().step(steps)
    assert steps > 0
    assert batch.fingerprint(3) == twin.fingerprint()
    batch.step(2)
    assert batch.fingerprint(3) == twin.step(2).fingerprint()


def test_a_second_thread_is_told_that_a_device_is_busy(batch: phalanx.BatchSim) -> None:
    batch.reset_all()
    is_over: list[int] = []

    def work() -> None:
        while not is_over:
            try:
                batch.step(20_000)
            except phalanx.BusyError:
                continue

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    calls = (batch.step, batch.forward, batch.reset_all, lambda: batch.rays((0, 0, 3), (0, 0, -1)))
    try:
        for call in calls:
            # between two of its calls the other thread is not at work
            for _ in range(200):
                try:
                    call()
                except phalanx.BusyError as error:
                    assert "one thread at a time" in str(error)
                    break
                time.sleep(0.01)
            else:
                pytest.fail("both threads were let in, each time")
    finally:
        is_over.append(1)
        thread.join()
    batch.step()
    assert np.isfinite(np.asarray(batch.qpos)).all()


@pytest.mark.parametrize("wrong", [np.zeros(3), None, 3, {}, object()], ids=lambda wrong: type(wrong).__name__)
def test_devices_and_lanes_of_another_type_are_refused(batch: phalanx.BatchSim, wrong: object) -> None:
    with pytest.raises(phalanx.FieldError, match="a thread of a device has one world"):
        phalanx.GpuBatchSim(batch.model, 2, device="emulated", lanes=wrong)  # type: ignore[arg-type]
    for kind in (phalanx.BatchSim, phalanx.GpuBatchSim):
        with pytest.raises(phalanx.DeviceError, match="a device is chosen by name"):
            kind(batch.model, 2, device=wrong)  # type: ignore[arg-type]
