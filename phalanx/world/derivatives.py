"""Derivatives of inverse dynamics by finite differences.

Positions are changed along their velocities, so that a rotation has three directions. A copy of the Data is changed,
never the Data itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag, real

if TYPE_CHECKING:
    from phalanx.world.data import Data


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


#: What is changed: a field, and the index of a direction.
Change = tuple[str, int]


def inverse_derivatives(data: Data, eps: float, flg_actuation: bool) -> InverseDerivatives:
    """Differences of inverse dynamics at states and accelerations nearby."""
    m, step, has_actuation = data.model, checked_step(eps), flag("flg_actuation", flg_actuation)
    probe, base = data.copy(), data.get_state()

    def at(change: Change, amount: float) -> np.ndarray:
        probe.set_state(base)
        probe.qacc = data.qacc
        nudge(probe, change, amount)
        probe.inverse()
        force = probe.qfrc_inverse.copy()
        if has_actuation:
            probe.run("fwd_actuation")
            force -= probe.qfrc_actuator
        return np.concatenate([force, probe.sensordata, probe.M])

    still, ns = at(("qpos", 0), 0.0), m.nv + m.nsensordata
    slopes = np.zeros((3 * m.nv, ns + m.nC))
    for k, change in enumerate(directions(data, ("qpos", "qvel", "qacc"))):
        slopes[k] = slope(functools.partial(at, change), still, difference, step, 0.0)
    by_position, by_velocity, by_acceleration = slopes.reshape(3, m.nv, ns + m.nC)
    by_all = by_position, by_velocity, by_acceleration
    forces, sensors = (part[:, : m.nv] for part in by_all), (part[:, m.nv : ns] for part in by_all)
    return InverseDerivatives._make((*forces, *sensors, by_position[:, ns:]))


# --- differences


def directions(data: Data, names: tuple[str, ...]) -> Iterator[Change]:
    """The directions in which fields can be changed: those of positions are the velocities."""
    counts = {"qpos": data.model.nv, "qvel": data.model.nv, "qacc": data.model.nv}
    counts |= {"act": data.model.na, "ctrl": data.model.nu}
    for name in names:
        for index in range(counts[name]):
            yield name, index


def nudge(data: Data, change: Change, amount: float) -> None:
    """Change a field along one direction."""
    name, index = change
    if amount == 0.0:
        return
    if name == "qpos":
        velocity = np.zeros(data.model.nv)
        velocity[index] = 1.0
        data.qpos = data.integrate_pos(data.qpos, velocity, amount)
    else:
        getattr(data, name)[index] += amount


def slope(
    at: Callable[[float], Any], still: Any, distance: Callable[..., np.ndarray], forward: float, backward: float
) -> np.ndarray:
    """Difference over distance, with what is found without a change; zero where neither side can be reached."""
    found = distance(at(-backward) if backward else still, at(forward) if forward else still)
    return found / (forward + backward or 1.0)


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Of two vectors."""
    return second - first


def checked_step(eps: float) -> float:
    """A size of differences that the user gave."""
    size = real("eps", eps)
    if not 0 < size < np.inf:
        raise FieldError(f"eps, the size of differences, is positive, not {size}")
    return size
