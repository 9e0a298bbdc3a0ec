"""Threads share the lane groups of a run: every group runs once, whoever takes it, and no thread is left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch import board, team
from phalanx.batch.board import (
    ACTIVE,
    ASLEEP,
    AT_WORK,
    FIRST,
    GROUP,
    LAST,
    NONE,
    RUN,
    SIZE,
    STRETCH,
    THREADS,
    await_run,
    close_run,
    enter_run,
    leave_run,
    open_run,
    take_group,
)
from phalanx.memory.errors import OutOfMemoryError
from tests.conformance.models import load
from tests.quiet import quiet

STEPS = 6


def moved(n: int, threads: int, model: str = "suite/humanoid", **options: Any) -> phalanx.BatchSim:
    """A batch whose worlds all differ."""
    batch = quiet()(phalanx.BatchSim)(load(model).phalanx, n, threads=threads, **options)
    batch.qvel[:] = np.random.default_rng(3).normal(0, 0.5, batch.qvel.shape)
    return batch


# --- batches


@pytest.mark.parametrize("n", [9, 32, 100])
def test_results_do_not_depend_on_threads(n: int) -> None:
    """With and without pauses, in which helpers fall asleep; more threads than processors watch nothing."""
    wanted = moved(n, 1)
    for _ in range(STEPS):
        wanted.step()
    for threads in (2, 3, 7):
        for gap in (0.0, 3 * team.WATCH):
            batch = moved(n, threads)
            for _ in range(STEPS):
                batch.step()
                time.sleep(gap)
            assert batch.fingerprint() == wanted.fingerprint(), (threads, gap)


def test_many_short_steps_run_every_group_once() -> None:
    batch, alone = moved(32, 2, "own/hinge"), moved(32, 1, "own/hinge")
    for _ in range(3000):
        batch.step()
    alone.step(3000)
    assert batch.fingerprint() == alone.fingerprint()
    np.testing.assert_array_equal(batch.time, alone.time)


def test_runs_of_other_kinds_take_turns_with_steps() -> None:
    """All of them share one board."""
    batch, alone = moved(40, 2), moved(40, 1)
    for _ in range(3):
        found = []
        for each in (batch, alone):
            each.step(2)
            each.forward([1, 5, 30])
            jacp, _ = each.jac_body(3)
            found.append((jacp, each.contact_table([0, 39]).depth, each.inverse(0.0)))
        for ours, theirs in zip(*found, strict=True):
            assert ours.tobytes() == theirs.tobytes()
    assert batch.fingerprint() == alone.fingerprint()


def test_a_failure_of_a_helper_is_raised_and_the_batch_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = phalanx.BatchSim(phalanx.load("quadruped"), 32, threads=2)
    batch.reset_all("stand")
    batch.step(50)
    assert (batch.ncon > 0).all()
    helper = batch._workers[1].workspace
    real = team.relieve

    def fail(store: Any, varied: bool) -> None:
        if store is helper:
            raise OutOfMemoryError("no memory for a helper")
        real(store, varied)

    monkeypatch.setattr(team, "relieve", fail)
    with pytest.raises(OutOfMemoryError, match="helper"):
        for _ in range(300):
            batch.step()
            helper.resize("ncon", 0)
    monkeypatch.undo()
    batch.step(3)
    assert batch.errors == [None] * 32 and batch._team._post._memory[ACTIVE] == 0


def test_a_closed_batch_starts_its_threads_again() -> None:
    batch, alone = moved(32, 2), moved(32, 1)
    for _ in range(10):
        batch.step()
        batch.close()
    alone.step(10)
    assert batch.fingerprint() == alone.fingerprint()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch, alone = moved(32, 2), moved(32, 1)
    batch.step()
    alone.step(4)
    child = os.fork()
    if child == 0:
        os._exit(7 if (batch.step(3), batch.fingerprint())[1] == alone.fingerprint() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    batch.step(3)
    assert batch.fingerprint() == alone.fingerprint()


def test_a_batch_can_be_deleted_while_helpers_watch() -> None:
    # what other tests have left is not looked through again and again
    gc.freeze()
    for _ in range(20):
        batch = moved(16, 2, "own/hinge")
        batch.step()
        del batch
        gc.collect()
    gc.unfreeze()


def test_a_program_may_end_while_helpers_watch() -> None:
    script = (
        "import phalanx\nbatch = phalanx.BatchSim(phalanx.load('cartpole'), 64, threads=2)\nbatch.step()\nbatch.step()"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


# --- the board, interpreted


def empty_board(*stretches: tuple[int, int]) -> np.ndarray:
    memory = np.zeros(FIRST + len(stretches) * SIZE, np.int64)
    memory[THREADS] = len(stretches)
    for thread, stretch in enumerate(stretches):
        memory[FIRST + thread * SIZE + STRETCH : FIRST + thread * SIZE + LAST + 1] = stretch
    return memory


def test_threads_take_their_own_stretch_and_then_that_of_others() -> None:
    memory = empty_board((0, 3), (3, 5), (5, 6))
    open_run(memory, 0, 1, 10)
    assert [take_group(memory, thread) for thread in (1, 1, 1, 0, 1, 2, 2)] == [3, 4, 5, 0, 1, 2, NONE]


def test_a_helper_takes_part_in_a_run_once() -> None:
    memory = empty_board((0, 1), (1, 2))
    assert not enter_run(memory, 1), "no run is open"
    assert not open_run(memory, 0, 1, 10), "nobody sleeps"
    assert enter_run(memory, 1) and memory[ACTIVE] == 1 and memory[FIRST + SIZE + AT_WORK] == 1
    assert not close_run(memory, 3), "the helper is at work"
    leave_run(memory, 1)
    assert close_run(memory, 3) and memory[RUN] == 0
    open_run(memory, 0, 1, 10)
    assert enter_run(memory, 1), "the next run is another"
    leave_run(memory, 1)
    assert not enter_run(memory, 1)


def test_a_helper_that_finds_nothing_sleeps_and_is_seen() -> None:
    memory = empty_board((0, 1), (1, 2))
    assert not await_run(memory, 1, 5) and memory[FIRST + SIZE + ASLEEP] == 1
    assert open_run(memory, 0, 1, 10), "a helper sleeps"
    assert await_run(memory, 1, 5) and memory[FIRST + SIZE + ASLEEP] == 0
    assert memory[FIRST + SIZE + GROUP] == NONE


def test_a_thread_without_a_share_stays_out() -> None:
    memory = empty_board((0, 1), (1, 2), (2, 3))
    memory[THREADS] = 2
    open_run(memory, 0, 1, 10)
    assert not enter_run(memory, 2) and memory[ACTIVE] == 0


def test_places_of_threads_do_not_share_cache_lines() -> None:
    lines = [FIRST + thread * SIZE + place for thread in range(3) for place in (0, board.LINE, 2 * board.LINE)]
    assert len({line // board.LINE for line in (RUN, ACTIVE, *lines)}) == 2 + len(lines)
