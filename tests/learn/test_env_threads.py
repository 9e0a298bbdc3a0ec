"""Interrupts leave environments usable, with worlds at complete states; a second thread is told that they are busy."""

from __future__ import annotations

import _thread
import threading
import time
from typing import Any

import numpy as np
import pytest

import phalanx
from tools.attacks.task import Swing

WORLDS = 64


@pytest.fixture(scope="module")
def env() -> Any:
    env = Swing(frame_skip=2000, max_steps=0).make_vec(WORLDS, threads=2)
    env.reset(seed=1)
    return env


def test_an_interrupted_environment_goes_on(env: Any) -> None:
    env.reset(seed=1)
    actions = np.zeros((WORLDS, 1))
    env.step(actions)
    # as soon as a step begins, and while it runs
    for delay in (0.0, 0.01, 0.05):
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(delay, _thread.interrupt_main).start()
            while True:
                env.step(actions)
        times = env.batch.time.copy()
        time.sleep(0.05)
        np.testing.assert_array_equal(env.batch.time, times, err_msg="no worker is left behind")
        seen, *_ = env.step(actions)
        assert np.isfinite(seen).all()
    # a new episode is the same as in an environment that was never interrupted
    twin = Swing(frame_skip=2000, max_steps=0).make_vec(WORLDS, threads=1)
    for each in (env, twin):
        each.reset(seed=7)
    for _ in range(2):
        np.testing.assert_array_equal(env.step(actions)[0], twin.step(actions)[0])


def test_a_second_thread_is_told_that_an_environment_is_busy(env: Any) -> None:
    """Whether it asks the environment or the batch in it."""
    env.reset(seed=1)
    actions, is_over = np.zeros((WORLDS, 1)), []

    def work() -> None:
        while not is_over:
            try:
                env.step(actions)
            except phalanx.BusyError:
                continue

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        for call in (lambda: env.step(actions), env.reset, lambda: env.set_state(qpos=0.0), env.batch.step):
            for _ in range(500):
                try:
                    call()
                except phalanx.BusyError as error:
                    assert "one thread at a time" in str(error)
                    break
                time.sleep(0.002)
            else:
                pytest.fail("both threads were let in, each time")
    finally:
        is_over.append(1)
        thread.join()
    env.reset(seed=2)
    assert np.isfinite(env.step(actions)[0]).all()
