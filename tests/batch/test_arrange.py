"""Worlds with like rows come together, as a stable sort would put them; compiled and interpreted alike."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.batch.arrange import BLOCK, FEW, VALUES, Arrangement, arrange
from phalanx.batch.pattern import BITS


def sorted_in_blocks(pattern: np.ndarray, block: int) -> np.ndarray:
    blocks = [np.arange(first, min(first + block, len(pattern))) for first in range(0, len(pattern), block)]
    return np.concatenate([worlds[np.argsort(pattern[worlds], kind="stable")] for worlds in blocks])


@pytest.mark.parametrize("n", [1, 7, FEW, FEW + 1, 500, 3 * BLOCK + 5])
@pytest.mark.parametrize("most", [1, 4, 2**BITS])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_it_is_a_stable_sort(n: int, most: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    errors, pattern = np.ones(n, dtype), rng.integers(0, most, n).astype(dtype)
    order = np.arange(n, dtype=np.int64)
    Arrangement(errors, pattern, order).renew(BLOCK)
    np.testing.assert_array_equal(order, sorted_in_blocks(pattern, BLOCK))
    assert not errors.any()


@pytest.mark.parametrize("n", [5, 200])
def test_interpreted_it_does_the_same(n: int) -> None:
    rng = np.random.default_rng(1)
    errors, pattern = np.ones(n), rng.integers(0, 30, n).astype(float)
    order, spare = np.arange(n, dtype=np.int64), np.zeros(n, np.int64)
    arrange(errors, pattern, order, spare, np.zeros(VALUES, np.int64), n, 64)
    np.testing.assert_array_equal(order, sorted_in_blocks(pattern, 64))


def test_patterns_that_change_are_sorted_again() -> None:
    n, rng = 300, np.random.default_rng(2)
    pattern, order = np.zeros(n), np.arange(n, dtype=np.int64)
    arrangement = Arrangement(np.zeros(n), pattern, order)
    for _ in range(5):
        pattern[rng.integers(0, n, 20)] = rng.integers(0, 2**BITS, 20)
        arrangement.renew(BLOCK)
        assert (np.diff(pattern[order]) >= 0).all() and sorted(order.tolist()) == list(range(n))


def test_without_a_block_only_errors_are_cleared() -> None:
    errors, order = np.ones(9), np.arange(9, dtype=np.int64)
    Arrangement(errors, np.arange(9.0, 0.0, -1.0), order).renew(0)
    assert not errors.any() and order.tolist() == list(range(9))
