"""How many worlds of a batch are stepped in lockstep, when the choice is ours: as many as a lane has, or one by one."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.memory.errors import FieldError
from phalanx.world.model import Model

#: Worlds per lane group when the choice is ours.
AUTO_LANES = {"float64": 8, "float32": 16}
#: Beyond this many dofs, lanes do not pay and worlds are stepped one by one.
MAX_LANE_DOFS = 3000
#: More loose bodies than this make a heap, which is another puzzle in each world: lanes do not pay, either. A tree with
#: fewer dofs than that is loose: a body that floats, or little more.
MAX_LOOSE_TREES, MIN_TREE_DOFS = 8, 12
#: A full lane group against the same worlds one by one: how many times faster at MAX_LANE_DOFS, and by which power of
#: the dofs that falls. Fitted to one, 22 and 100 humanoids.
LANE_GAIN = {"float64": (1.1, 0.3), "float32": (1.5, 0.38)}


def lane_gain(nv: int, dtype: str) -> float:
    """How many times faster a full lane group is than its worlds one after another."""
    least, power = LANE_GAIN[dtype]
    return min(AUTO_LANES[dtype], least * (MAX_LANE_DOFS / max(nv, 1)) ** power)


def rounds(count: int, threads: int) -> int:
    """How many of some pieces of work one thread does, if they are shared."""
    return -(-count // threads)


def lanes_pay(model: Model, n: int, dtype: str, threads: int) -> bool:
    """Are several worlds in lockstep faster than one after another?

    A lane group takes as long with few worlds as when it is full, and one thread: where groups are fewer than threads,
    single worlds may be done sooner.
    """
    width, is_heap = AUTO_LANES[dtype], model.ntree > MAX_LOOSE_TREES and model.nv < MIN_TREE_DOFS * model.ntree
    if n < 2 or is_heap or model.nv > MAX_LANE_DOFS:
        return False
    return rounds(rounds(n, width), threads) * width / lane_gain(model.nv, dtype) <= rounds(n, threads)


def choose_number(model: Model, n: int, dtype: str, lanes: int | str, threads: int) -> NumberType:
    """The number type of a batch."""
    if not isinstance(dtype, str) or dtype not in AUTO_LANES:
        raise FieldError(f'dtype is "float64" or "float32", not {dtype!r}')
    if isinstance(lanes, str) and lanes == "auto":
        lanes = AUTO_LANES[dtype] if not is_interpreted() and lanes_pay(model, n, dtype, threads) else 1
    if not isinstance(lanes, (int, np.integer)) or lanes not in (1, 2, 4, 8, 16):
        raise FieldError(f'lanes is 1, 2, 4, 8, 16 or "auto", not {lanes!r}')
    return one_world(dtype) if lanes == 1 else NumberType(dtype, int(lanes))
