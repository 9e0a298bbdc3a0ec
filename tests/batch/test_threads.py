"""Interrupts stop workers and leave complete states; a second thread is told that the object is busy."""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.native.threads import Stop, ThreadPool
from tests.conformance.models import load, make_data
from tools import attack_examples

MODEL = "suite/humanoid"
#: How soon an interrupt is heard [s], with room for a busy machine.
SOON = 2.0


def model() -> phalanx.Model:
    return load(MODEL).phalanx


def interrupt_soon(delay: float) -> None:
    threading.Timer(delay, _thread.interrupt_main).start()


def long_calls() -> dict[str, Callable[[], Any]]:
    """Calls that would take minutes."""
    data, batch = make_data(model()), phalanx.BatchSim(model(), 32, threads=2)
    many = np.tile((0.0, 0.0, -1.0), (20_000_000, 1))
    return {
        "step": lambda: data.step(10**9),
        "batch": lambda: batch.step(10**9),
        "rollout": lambda: phalanx.rollout(model(), {"qpos": batch.qpos}, nsteps=10**5, outputs=("time",), threads=2),
        "rays": lambda: data.forward().rays((0, 0, 3), many),
    }


@pytest.mark.parametrize("name", ["step", "batch", "rollout", "rays"])
def test_a_long_call_is_interrupted(name: str) -> None:
    call = long_calls()[name]
    interrupt_soon(0.7)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call()
    assert time.monotonic() - began < 0.7 + SOON


def assert_on_its_way(batch: phalanx.BatchSim, world: int) -> int:
    """The state of a world is that of a Data of its own after some steps; how many."""
    data = make_data(batch.model)
    steps = round(float(batch.time[world]) / batch.model.opt.timestep)
    data.step(steps)
    for name in KEPT:
        ours, theirs = np.asarray(batch._arrays[name][world]), data._store.arrays[name]
        assert ours.tobytes() == theirs.tobytes(), f"{name} of world {world} after {steps} steps"
    return steps


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_batch_has_complete_states_and_goes_on(threads: int) -> None:
    batch = phalanx.BatchSim(model(), 20, threads=threads)
    for delay in (0.2, 0.31):
        interrupt_soon(delay)
        with pytest.raises(KeyboardInterrupt):
            batch.step(10**9)
        times = batch.time.copy()
        time.sleep(0.15)
        np.testing.assert_array_equal(batch.time, times, err_msg="no worker is left behind")
    for world in (0, 7, 19):
        assert_on_its_way(batch, world)
    before = batch.time.copy()
    batch.step(2)
    np.testing.assert_allclose(batch.time - before, 2 * batch.model.opt.timestep)
    assert batch.errors == [None] * 20


def test_an_interrupted_world_has_a_complete_state() -> None:
    data, twin = make_data(model()), make_data(model())
    interrupt_soon(0.2)
    with pytest.raises(KeyboardInterrupt):
        data.step(10**9)
    twin.step(round(data.time / data.model.opt.timestep))
    assert data.time > 0 and data.qpos.tobytes() == twin.qpos.tobytes()
    assert data.step(3).qpos.tobytes() == twin.step(3).qpos.tobytes()


SIGINT_SCRIPT = """
import sys, numpy as np, phalanx
model = phalanx.Model.from_xml_string('''<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .2">
<freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>''')
batch = phalanx.BatchSim(model, 64, threads=2)
batch.step(3)
data = model.make_data().step(3)
print("ready", flush=True)
for call in (batch.step, data.step):
    try:
        call(10**12)
        sys.exit("was not interrupted")
    except KeyboardInterrupt:
        print("heard", flush=True)
batch.step(2); data.step(2)
assert np.isfinite(batch.qpos).all() and batch.errors == [None] * 64
print("usable", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_real_signal_is_heard() -> None:
    with subprocess.Popen([sys.executable, "-c", SIGINT_SCRIPT], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for _ in range(2):
            time.sleep(0.4)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "heard\n"
            assert time.monotonic() - began < SOON
        assert process.stdout.readline() == "usable\n"
        assert process.wait(30) == 0


@pytest.mark.conformance
def test_many_interrupts() -> None:
    """At random moments, sometimes several: the batch is usable after each, its worlds are where a Data would be."""
    batch, rng = phalanx.BatchSim(model(), 20, threads=2), np.random.default_rng(3)
    for _ in range(60):
        for delay in rng.uniform(0.001, 0.1, rng.integers(1, 3)):
            interrupt_soon(float(delay))
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            try:
                batch.step(int(rng.integers(1, 2000)))
            except KeyboardInterrupt:
                continue
    assert_on_its_way(batch, 3)


# --- two threads


def hold(held: phalanx.Data | phalanx.BatchSim, steps: int) -> threading.Thread:
    """Step in another thread, and wait until that is at work: on a busy machine its first moment may be far away."""
    thread = threading.Thread(target=held.step, args=(steps,), daemon=True)
    thread.start()
    end = time.monotonic() + 30.0
    while not held._usage.is_busy and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.001)
    return thread


def test_a_second_thread_is_told_that_a_data_is_busy() -> None:
    data = make_data(model())
    thread = hold(data, 30_000)
    snapshot = make_data(model()).snapshot()
    others: list[Callable[[], Any]] = [
        data.step, data.forward, data.reset, lambda: data.restore(snapshot), lambda: data.ray((0, 0, 3), (0, 0, -1)),
        lambda: data.jac_body(1), lambda: data.mul_m(np.zeros(data.model.nv)), lambda: data.run("kinematics"),
        lambda: data.geom_distance(0, 1), data.snapshot, data.copy, lambda: pickle.dumps(data), data.get_state,
        lambda: data.set_state(np.zeros(data.model.state_size())), data.fingerprint, data.contacts, data.sleeping,
        lambda: data.contact, data.full_m, data.full_jac, lambda: data.net_force(1), lambda: data.render(8, 6),
    ]  # fmt: skip
    for call in others:
        with pytest.raises(phalanx.BusyError, match="one thread at a time"):
            call()
    assert thread.is_alive(), "the first call was still running"
    thread.join()
    data.step()


def test_a_second_thread_is_told_that_a_batch_is_busy() -> None:
    batch = phalanx.BatchSim(model(), 16, threads=2)
    thread = hold(batch, 8000)
    others: list[Callable[[], Any]] = [
        batch.step, batch.forward, batch.reset_all, lambda: batch.reset(1), lambda: batch.env(0),
        lambda: batch.rays((0, 0, 3), (0, 0, -1)), lambda: batch.bind("xpos"), lambda: batch.inverse(0.0),
        batch.get_state, batch.fingerprint, lambda: pickle.dumps(batch),
    ]  # fmt: skip
    for call in others:
        with pytest.raises(phalanx.BusyError, match="one thread at a time"):
            call()
    assert thread.is_alive()
    thread.join()
    batch.step()


def test_what_only_reads_the_world_of_another_thread_is_told_so_too() -> None:
    """What is at work has the state of no moment."""
    spec = phalanx.Spec.from_string(attack_examples.MODEL)
    made = spec.compile()
    data, batch = make_data(made).step(), phalanx.BatchSim(made, 3)
    recorders = [phalanx.Trajectory.recorder(world) for world in (data, batch)]
    recorders[0].capture()
    trajectory, pull = recorders[0].trajectory, phalanx.Perturbation(data, "crate")
    pull.target = (0, 0, 1)
    noisy = phalanx.mechanism.NoisySensors(made, {"angle": phalanx.mechanism.Noise(0.1)})
    others: list[Callable[[], Any]] = [
        lambda: spec.recompile(made, data), lambda: phalanx.rollout(made, data, np.zeros((2, made.nu))),
        lambda: phalanx.rollout(made, batch, np.zeros((2, made.nu))), lambda: data.noisy_sensors(0),
        lambda: noisy.read(data), recorders[0].capture, recorders[1].capture, lambda: trajectory.put(0, data),
        lambda: pull.point(data), lambda: pull.apply(data), lambda: pull.move(data), lambda: pull.release(data),
        lambda: phalanx.mechanism.check_contacts(data),
        lambda: phalanx.mechanism.MuscleGroup(("motor",), ("slow",)).apply(data, 1.0),
    ]  # fmt: skip
    data._usage.is_busy = batch._usage.is_busy = True
    for call in others:
        with pytest.raises(phalanx.BusyError, match="one thread at a time"):
            call()
    data._usage.is_busy = batch._usage.is_busy = False
    for call in others:
        call()


def test_what_is_at_work_is_not_made_anew() -> None:
    """It would be free for another thread while the first still runs."""
    data, batch = make_data(model()), phalanx.BatchSim(model(), 4, threads=2)
    for call in (lambda: data.__init__(data.model), lambda: batch.__init__(batch.model, 4)):
        with pytest.raises(phalanx.FieldError, match="make another one"):
            call()


def test_an_object_is_free_after_an_error() -> None:
    data, batch = make_data(model()), phalanx.BatchSim(model(), 3)
    for call in (lambda: data.mul_m("x"), lambda: data.restore({}), lambda: batch.inverse("x"), lambda: batch.env(9)):
        with pytest.raises(phalanx.PhalanxError):
            call()
    data.qpos[0] = np.nan
    with pytest.raises(phalanx.WorldError):
        data.step()
    data.reset().step()
    batch.step()


@pytest.mark.conformance
def test_threads_that_fight_for_one_object_never_crash() -> None:
    data, batch = make_data(model()), phalanx.BatchSim(model(), 16, threads=2)
    calls: list[Callable[[], Any]] = [
        lambda: data.step(3), data.forward, data.reset, lambda: data.rays((0, 0, 3), np.ones((50, 3))),
        lambda: data.restore(data.snapshot()), lambda: batch.step(2), batch.reset_all, lambda: batch.env(1), data.copy,
    ]  # fmt: skip
    end, foreign = time.monotonic() + 20, []

    def fight(seed: int) -> None:
        rng = np.random.default_rng(seed)
        while time.monotonic() < end:
            try:
                calls[rng.integers(len(calls))]()
            except (phalanx.BusyError, phalanx.WorldError, phalanx.ModelError):
                continue
            except Exception as error:
                foreign.append(error)

    threads = [threading.Thread(target=fight, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not foreign
    data.reset().step()


# --- the pool


def test_a_pool_starts_no_more_threads_than_tasks() -> None:
    before = threading.active_count()
    pool, done = ThreadPool(500), []
    pool.run([lambda: done.append(1)] * 3, Stop())
    assert len(done) == 3 and threading.active_count() <= before + 2


def test_a_failure_of_a_worker_is_raised() -> None:
    pool = ThreadPool(2)

    def fail() -> None:
        raise ValueError("worker")

    with pytest.raises(ValueError, match="worker"):
        pool.run([lambda: None, fail], Stop())
    pool.run([lambda: None, lambda: None], Stop())


# --- arguments


@pytest.mark.parametrize("n", [2**64, 2**63, -1, 2.0, "5", None, np.nan, [1], np.array([1, 2]), 1j, b"1"])
def test_counts_of_wrong_kinds(n: Any) -> None:
    data, batch = make_data(load("own/hinge").phalanx), phalanx.BatchSim(load("own/hinge").phalanx, 2)
    for call in (
        data.step,
        batch.step,
        lambda n: phalanx.rollout(data.model, nsteps=n, controls=np.zeros(data.model.nu)),
    ):
        if n is None and call not in (data.step, batch.step):
            continue
        with pytest.raises(phalanx.FieldError, match=r"whole number|at most|cannot take -1 steps"):
            call(n)
    assert data.time == 0 and (batch.time == 0).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: phalanx.BatchSim(m, 2, threads=10**9), "threads must be at most 1024"),
        (lambda m: phalanx.BatchSim(m, 2, threads=2.5), "threads is a whole number"),
        (lambda m: phalanx.BatchSim(m, "2"), "whole number"),
        (lambda m: phalanx.BatchSim(m, 10**15), "not enough memory"),
        (lambda m: phalanx.BatchSim(m, 2, lanes=[8]), "lanes is 1, 2"),
        (lambda m: phalanx.BatchSim(m, 2, vary=[1]), "arrays by name"),
        (lambda m: phalanx.BatchSim(m, 2).env(2.5), "whole number"),
        (lambda m: phalanx.BatchSim(m, 2).reset("1"), "whole number"),
        (lambda m: phalanx.BatchSim(m, 2).reset_where([[True], [True, False]]), "takes numbers"),
        (lambda m: phalanx.BatchSim(m, 2).reset_where([1, 0]), "2 booleans"),
        (lambda m: phalanx.BatchSim(m, 2).bind(3), "no field 3"),
        (lambda m: phalanx.rollout(m, nsteps=3, outputs=5), "outputs are names"),
        (lambda m: m.make_data().body(2.5), "by its name or its id"),
        (lambda m: m.body([1]), "by its name or its id"),
        (lambda m: m.make_data().run("jac", 10**6), "n must be at most"),
        (lambda m: m.make_data().run("rays", 5), "n must be at most 0"),
        (lambda m: m.make_data().run("constants_fixed"), "no operation"),
        (lambda m: m.make_data().contact_force("0"), "whole number"),
        (lambda m: m.make_data().noisy_sensors(2.5), "whole number"),
        (lambda m: m.make_data().step(on_error=[]), "on_error is"),
        (lambda m: m.make_data().step(strict=np.zeros(2)), "strict is True or False"),
    ],
)
def test_arguments_of_wrong_kinds(call: Callable[[phalanx.Model], Any], words: str) -> None:
    with pytest.raises(phalanx.PhalanxError, match=words):
        call(load("own/hinge").phalanx)
