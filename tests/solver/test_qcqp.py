"""Friction within a ball: conditions of optimality; and the random order of PGS against 64-bit arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.solver.qcqp import ball2, ball3, ball5
from phalanx.solver.random_order import START, draw, shuffle

BALLS = {2: ball2, 3: ball3, 5: ball5}


def problems(n: int, count: int):
    rng = np.random.default_rng(n)
    for _ in range(count):
        root = rng.normal(size=(n, n))
        yield root @ root.T + 0.1 * np.eye(n), rng.normal(size=n), float(rng.uniform(0.01, 3))


def solve(A: np.ndarray, b: np.ndarray, radius: float):
    lower = tuple(np.float64(A[i, j]) for i in range(len(b)) for j in range(i + 1))
    with np.errstate(all="ignore"):
        x, (is_bound, is_regular) = BALLS[len(b)](lower, tuple(b), np.float64(radius), True)
    return np.array(x), is_bound, is_regular


@pytest.mark.parametrize("n", BALLS)
def test_the_solution_is_optimal(n):
    bound = 0
    for A, b, radius in problems(n, 200):
        x, is_bound, is_regular = solve(A, b, radius)
        assert is_regular
        slope = A @ x + b
        if is_bound:
            # on the boundary the slope points inwards, along x
            bound += 1
            assert abs(np.linalg.norm(x) - radius) < 1e-6
            assert np.linalg.norm(slope + x * np.linalg.norm(slope) / np.linalg.norm(x)) < 1e-6
        else:
            assert np.linalg.norm(x) <= radius + 1e-9
            assert np.abs(slope).max() < 1e-10
    assert 20 < bound < 180


@pytest.mark.parametrize("n", BALLS)
def test_without_inertia_there_is_no_friction(n):
    _, is_bound, is_regular = solve(np.zeros((n, n)), np.ones(n), 1.0)
    assert not is_bound
    assert not is_regular


def pcg32(count: int) -> list[int]:
    """The generator as its author writes it, with integers as long as they need to be."""
    state, found = 0, []
    for _ in range(count + 1):
        old, state = state, (state * 6364136223846793005 + 1) % 2**64
        mixed, turn = (((old >> 18) ^ old) >> 27) % 2**32, old >> 59
        found.append(((mixed >> turn) | (mixed << (-turn & 31))) % 2**32)
    return found[1:]


def test_random_numbers_are_those_of_the_generator():
    state, found = START, []
    for _ in range(1000):
        bits, state = draw(state)
        found.append(bits)
    assert found == pcg32(1000)


def test_a_shuffle_keeps_all_items():
    items = np.arange(50)
    state = shuffle(items, 40, START)
    assert sorted(items[:40]) == list(range(40))
    assert items[40:].tolist() == list(range(40, 50))
    assert state != START
    assert (items[:40] != np.arange(40)).any()
