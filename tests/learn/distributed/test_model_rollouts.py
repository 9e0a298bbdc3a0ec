"""Rollouts of a model on workers are those of one process, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx import FieldError, LostWorkerWarning
from phalanx.learn.distributed import rollout
from tests.learn.distributed.crews import Fragile

N, STEPS = 7, 12
RNG = np.random.default_rng(0)
STARTS = {"qpos": RNG.uniform(-0.2, 0.2, (N, 2))}


@pytest.fixture(scope="module")
def model():
    return phalanx.load("cartpole")


CASES = {
    "controls": {"initial_states": STARTS, "controls": RNG.uniform(-1, 1, (N, STEPS, 1)), "outputs": ("qpos", "state")},
    "one for all": {"initial_states": STARTS, "controls": RNG.uniform(-1, 1, (STEPS, 1))},
    "for all steps": {"controls": RNG.uniform(-1, 1, (N, 1)), "nsteps": STEPS},
    "vary": {"nsteps": STEPS, "controls": np.ones(1), "vary": {"body_mass": RNG.uniform(0.5, 2.0, (N, 3))}},
    "failing": {"initial_states": {"qvel": np.where(np.arange(N)[:, None] == 5, 1e300, 0.1) * np.ones(2)}, "nsteps": 3},
}


@pytest.mark.parametrize("case", CASES)
def test_workers_give_what_one_process_gives(model, case):
    expected = phalanx.rollout(model, **CASES[case])
    for workers in (1, 3):
        found = rollout(model, **CASES[case], workers=workers, place="local")
        assert [*found] == [*expected] and np.array_equal(found.time, expected.time)
        for name in expected:
            assert np.array_equal(found[name], expected[name]), name
        assert [*map(str, found.errors)] == [*map(str, expected.errors)]
    assert ("5" in str(expected.errors[5])) == (case == "failing")


def test_a_lost_worker_changes_nothing(model):
    expected = phalanx.rollout(model, **CASES["controls"])
    with pytest.warns(LostWorkerWarning, match="worlds 0 to 2"):
        found = rollout(model, **CASES["controls"], workers=2, place=Fragile((3,)))
    assert np.array_equal(found.state, expected.state)


def test_wrong_arguments_are_refused(model):
    with pytest.raises(FieldError, match="a Model"):
        rollout("cartpole", nsteps=3)
    with pytest.raises(FieldError, match="too few for 9 workers"):
        rollout(model, STARTS, nsteps=3, workers=9, place="local")
    with pytest.raises(FieldError, match="nsteps"):
        rollout(model, STARTS, place="local")
