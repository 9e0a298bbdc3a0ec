"""What derivatives of inverse dynamics are handed over in, and the size of differences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import real


class InverseDerivatives(NamedTuple):
    """Derivatives of inverse dynamics, in the order of MuJoCo's mjd_inverseFD; row i belongs to direction i.

    Of the joint forces (nv, nv), of `sensordata` (nv, nsensordata) and of the inertia matrix `M` (nv, nC): by position
    (q), velocity (v) and acceleration (a).
    """

    DfDq: np.ndarray
    DfDv: np.ndarray
    DfDa: np.ndarray
    DsDq: np.ndarray
    DsDv: np.ndarray
    DsDa: np.ndarray
    DmDq: np.ndarray


def checked_step(eps: float) -> float:
    """A size of differences that the user gave."""
    size = real("eps", eps)
    if not 0 < size < np.inf:
        raise FieldError(f"eps, the size of differences, is positive, not {size}")
    return size
