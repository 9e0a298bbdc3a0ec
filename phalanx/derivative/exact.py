"""Exact derivatives of a step: numbers with tangents through every stage, the solution of constraints implicitly."""

from __future__ import annotations

import weakref
from typing import NamedTuple

import numpy as np

from phalanx.derivative.dual_world import DualWorld
from phalanx.memory.errors import FieldError
from phalanx.world.data import Data

#: The memory of derivatives of each Data, which one thread uses at a time.
_worlds: weakref.WeakKeyDictionary[Data, DualWorld] = weakref.WeakKeyDictionary()


class ExactTransition(NamedTuple):
    """Derivatives of the next state and of the sensors of a step: dx' = A dx + B du, ds = C dx + D du.

    x is (change of position, velocity, activation): 2 nv + na numbers; u the controls, s `sensordata`: the order of
    MuJoCo's mjd_transitionFD. `remaining` has the names of `REMAINING` (`exact_remaining.py`) that concern this step:
    what the derivatives leave out or know less exactly. If it is empty, they are those of the step to rounding.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    remaining: tuple[str, ...]


def world_of(data: Data) -> DualWorld:
    """The memory of derivatives of a Data, made when it is first asked for."""
    world = _worlds.get(data)
    if world is None:
        world = _worlds[data] = DualWorld(data.model)
    return world


def exact_transition(data: Data, *, sensors: bool = True) -> ExactTransition:
    """Exact derivatives of a step from the present state; the Data does not change.

    Args:
        data: the state and the inputs, in double precision.
        sensors: also derivatives of `sensordata`; otherwise C and D have no rows.

    Raises:
        FieldError: the Data has single precision.
        WorldError: a value of the step is NaN, infinite or huge.

    Example:
        >>> A, B, C, D, remaining = exact_transition(data)                     # doctest: +SKIP
    """
    if data._store.number.base != "float64":
        raise FieldError("exact derivatives are those of a Data in double precision: make one with dtype float64")
    world = world_of(data)
    m, slopes = data.model, world.derivatives(data)
    nx, rows = 2 * m.nv + m.na, slopes.shape[0] if sensors else 2 * m.nv + m.na
    A, B, C, D = slopes[:nx, :nx], slopes[:nx, nx:], slopes[nx:rows, :nx], slopes[nx:rows, nx:]
    return ExactTransition(A.copy(), B.copy(), C.copy(), D.copy(), world.remaining())
