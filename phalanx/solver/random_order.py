"""The random order in which blocks are visited: Fisher and Yates with the generator PCG32.

Its 64 bits are two integers of 32 bits, (high, low), so that no product overflows: interpreted and compiled agree.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel

MASK = 0xFFFFFFFF
#: The factor of the generator, 6364136223846793005.
FACTOR_HIGH, FACTOR_LOW = 0x5851F42D, 0x4C957F2D
#: State after the first draw from seed 0, which is thrown away.
START = (0, 1)


@kernel
def draw(state):
    """32 random bits and the next state."""
    high, low = state
    mixed_high, mixed_low = high ^ (high >> 18), low ^ (((high << 14) & MASK) | (low >> 18))
    bits, shift = ((mixed_high << 5) & MASK) | (mixed_low >> 27), high >> 27
    bits = (bits >> shift) | ((bits << ((32 - shift) & 31)) & MASK)
    product = low * FACTOR_LOW
    following = (product & MASK) + 1
    carry = (product >> 32) + (following >> 32)
    upper = carry + ((low * FACTOR_HIGH) & MASK) + ((high * FACTOR_LOW) & MASK)
    return bits, (upper & MASK, following & MASK)


@kernel
def swap_one(items, i, state):
    """One step of a shuffle: exchange an item with itself or one before it; returns the next state."""
    bits, state = draw(state)
    # that the divisor is positive and below 32 bits makes it one instruction
    j = bits % ((i & 0x3FFFFFFF) + 1)
    item = items[i]
    items[i] = items[j]
    items[j] = item
    return state


@kernel
def shuffle(items, count, state):
    """Change the order of the first items; returns the next state."""
    for i in range(count - 1, 0, -1):
        state = swap_one(items, i, state)
    return state
