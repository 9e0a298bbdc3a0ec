"""Lanes, or world by world: what is chosen for models, batches and threads of all sizes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from phalanx.batch.lane_choice import AUTO_LANES, lane_gain, lanes_pay

CROWD: Any = SimpleNamespace(nv=2700, ntree=100)
ROBOT: Any = SimpleNamespace(nv=27, ntree=1)
DTYPES = pytest.mark.parametrize("dtype", AUTO_LANES)


@DTYPES
def test_lanes_gain_less_the_larger_the_model_is(dtype: str) -> None:
    gains = [lane_gain(nv, dtype) for nv in (0, 1, 27, 600, 2700)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 1 and gains[0] <= AUTO_LANES[dtype]


@DTYPES
def test_one_thread_takes_all_worlds_of_a_robot_in_lanes(dtype: str) -> None:
    assert not lanes_pay(ROBOT, 1, dtype, 1)
    assert lanes_pay(ROBOT, 16, dtype, 1)
    assert lanes_pay(ROBOT, 4096, dtype, 64)


def test_a_thread_that_would_have_no_group_gets_single_worlds() -> None:
    """Sixteen crowds are one group in single precision, and two in double."""
    assert lanes_pay(CROWD, 16, "float32", 1)
    assert not lanes_pay(CROWD, 16, "float32", 2)
    assert lanes_pay(CROWD, 16, "float64", 2)
    assert not lanes_pay(CROWD, 16, "float64", 16)


@DTYPES
@pytest.mark.parametrize("model", [CROWD, ROBOT])
@pytest.mark.parametrize("n", [2, 7, 16, 100])
def test_more_threads_never_take_longer(n: int, model: Any, dtype: str) -> None:
    """By the reckoning that the choice is made with: rounds of groups, or of single worlds."""

    def time(threads: int) -> float:
        width = AUTO_LANES[dtype] if lanes_pay(model, n, dtype, threads) else 1
        groups = -(-n // width)
        return -(-groups // threads) * (width / lane_gain(model.nv, dtype) if width > 1 else 1)

    times = [time(threads) for threads in (1, 2, 3, 8, 64)]
    assert times == sorted(times, reverse=True)
