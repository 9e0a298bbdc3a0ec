"""Random streams of kernels: the published numbers of Philox, and the distributions made of them."""

from __future__ import annotations

import types

import numpy as np
import pytest
from scipy import stats

from phalanx.learn.random_stream import METHODS, philox, stream_keys


@pytest.mark.parametrize(
    "counter, key, words",
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_blocks_are_those_of_the_paper(counter, key, words):
    """Known answers of philox4x32_R(10), published with the paper."""
    assert philox(*counter, *key) == words


def stream(seed):
    """A stream as interpreted kernels see it."""
    state = np.array([stream_keys([seed])[0], 0, 0], np.int64)
    return types.SimpleNamespace(state=state, zero=np.float64(0.0))


@pytest.mark.parametrize(
    "name, arguments, distribution",
    [("uniform", (-2.0, 3.0), stats.uniform(-2, 5)), ("normal", (1.0, 2.0), stats.norm(1, 2))],
)
def test_numbers_are_distributed_as_they_should(name, arguments, distribution):
    rng = stream(3)
    values = [float(METHODS[name](rng, *arguments)) for _ in range(2000)]
    assert stats.kstest(values, distribution.cdf).pvalue > 0.01
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.07


def test_whole_numbers_and_chances():
    rng = stream(2**70 + 5)
    drawn = [float(METHODS["integer"](rng, 4)) for _ in range(800)]
    assert set(drawn) == {0.0, 1.0, 2.0, 3.0} and stats.chisquare(np.unique(drawn, return_counts=True)[1]).pvalue > 0.01
    assert 0.2 < np.mean([bool(METHODS["chance"](rng, 0.3)) for _ in range(800)]) < 0.4


def test_streams_of_neighboring_seeds_are_independent():
    a, b = ([float(METHODS["uniform"](rng)) for _ in range(1000)] for rng in (stream(0), stream(1)))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.1
