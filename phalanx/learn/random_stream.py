"""Random numbers in kernels: a stream for each world, the same bits for any batch, lane width and count of threads.

A stream is a key (the seed of the world) and a counter; the k-th block of random bits is a function of both: Philox
4x32 with ten rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011). So a world draws the same
numbers alone and among others, and a stream can be kept, copied and continued as two integers.

Kernels see the stream of their world as `d.rng`; it has the methods below: `d.rng.uniform(-1.0, 1.0)`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from phalanx.algebra.elementary import cos, log
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.number import floor, is_single, lane_count, lane_set, splat, sqrt
from phalanx.memory.errors import FieldError

#: Multipliers and increments of the key, of the paper.
MULTIPLIER_A, MULTIPLIER_B = 0xD2511F53, 0xCD9E8D57
WEYL_A, WEYL_B = 0x9E3779B9, 0xBB67AE85
ROUNDS = 10
WORD = 0xFFFFFFFF

TWO_PI = 6.283185307179586
#: One part in 2**53 and in 2**24: the spacing of fractions in double and in single precision.
FINE, COARSE = 2.0**-53, 2.0**-24


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Four random words of 32 bits, from a counter of four words and a key of two."""
    for _ in range(ROUNDS):
        a, b = MULTIPLIER_A * c0, MULTIPLIER_B * c2
        c0, c1, c2, c3 = ((b >> 32) & WORD) ^ c1 ^ k0, b & WORD, ((a >> 32) & WORD) ^ c3 ^ k1, a & WORD
        k0, k1 = (k0 + WEYL_A) & WORD, (k1 + WEYL_B) & WORD
    return c0, c1, c2, c3


@kernel
def next_block(rng, world, count):
    """The next four words of the stream of one world of a lane group."""
    key, counter = int(rng.state[world]), int(rng.state[count + world])
    rng.state[count + world] = counter + 1
    return philox(counter & WORD, (counter >> 32) & WORD, 0, 0, key & WORD, (key >> 32) & WORD)


@kernel
def fraction(like, high, low):
    """A number in [0, 1) of two random words; in single precision of one."""
    if is_single(like):
        return float(high >> 8) * COARSE
    return float((high >> 5) * 67108864 + (low >> 6)) * FINE


@kernel
def two_fractions(rng):
    """Two numbers in [0, 1) for each world, of one block."""
    first, second = splat(rng.zero, 0.0), splat(rng.zero, 0.0)
    count = lane_count(first)
    for world in range(count):
        a, b, c, e = next_block(rng, world, count)
        first = lane_set(first, world, fraction(first, a, b))
        second = lane_set(second, world, fraction(first, c, e))
    return first, second


@kernel
def uniform(rng, low=0.0, high=1.0):
    """A number that is uniform in [low, high)."""
    first, _ = two_fractions(rng)
    return low + (high - low) * first


@kernel
def normal(rng, mean=0.0, deviation=1.0):
    """A number of the normal distribution (Box and Muller)."""
    first, second = two_fractions(rng)
    return mean + deviation * (sqrt(-2.0 * log(1.0 - first)) * cos(TWO_PI * second))


@kernel
def integer(rng, count):
    """A whole number from 0 to count - 1, as a number."""
    first, _ = two_fractions(rng)
    return floor(first * count)


@kernel
def chance(rng, probability):
    """A condition that holds with a probability."""
    first, _ = two_fractions(rng)
    return first < probability


#: What `d.rng` can do.
METHODS: dict[str, Kernel] = {"uniform": uniform, "normal": normal, "integer": integer, "chance": chance}


def checked_seed(seed: Any) -> int:
    """A seed of the user: any whole number."""
    try:
        return operator.index(seed)
    except Exception:  # arrays and objects of the user may raise anything
        raise FieldError(f"a seed is a whole number, not {type(seed).__name__}") from None


def stream_keys(seeds: Any) -> np.ndarray:
    """The keys of streams: seeds as 64-bit integers, larger ones cut."""
    return np.array([(int(seed) + 2**63) % 2**64 - 2**63 for seed in seeds], np.int64)
