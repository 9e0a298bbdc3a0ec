"""Which rows act in a world, as a number by which worlds are sorted."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.batch.pattern import BITS, flip_bit, has_bit


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_neighboring_patterns_differ_in_one_bit(number: type) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        wanted, pattern = rng.permutation(BITS)[: rng.integers(0, BITS + 1)].tolist(), number(0.0)
        for bit in wanted:
            size = number(2**bit)
            assert not has_bit(pattern, size)
            pattern = flip_bit(pattern, size)
            assert has_bit(pattern, size)
        place = int(pattern)
        assert place == pattern and place ^ (place >> 1) == sum(2**bit for bit in wanted)
