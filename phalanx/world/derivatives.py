"""Derivatives of a step and of inverse dynamics by finite differences.

Positions are changed along their velocities, so that a rotation has three directions. A copy of the Data is changed,
never the Data itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import flag, real

if TYPE_CHECKING:
    from phalanx.world.data import Data


class TransitionDerivatives(NamedTuple):
    """Derivatives of the next state and of the sensors of a step: dx' = A dx + B du, ds = C dx + D du.

    x is (change of position, velocity, activation): 2 nv + na numbers; u the controls, s `sensordata`.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


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


def check_awake(data: Data) -> None:
    """Refuse models whose trees can sleep: states nearby would wake them, or not."""
    if data.model.nsleep:
        raise ModelError(
            "finite differences do not go with sleep, which changes from one evaluation to the next; "
            'take a model without the flag: model.replace(opt={"enableflags": 0})'
        )


def transition_derivatives(data: Data, eps: float, centered: bool) -> TransitionDerivatives:
    """Differences of steps from states and controls nearby."""
    check_awake(data)
    m, step, is_centered = data.model, checked_step(eps), flag("centered", centered)
    probe, base = data.copy(), data.get_state()

    def after(change: Change, amount: float) -> tuple[np.ndarray, ...]:
        probe.set_state(base)
        nudge(probe, change, amount)
        probe.step()
        return probe.qpos.copy(), probe.qvel.copy(), probe.act.copy(), probe.sensordata.copy()

    def distance(first: tuple[np.ndarray, ...], second: tuple[np.ndarray, ...]) -> np.ndarray:
        moved = data.differentiate_pos(first[0], second[0], 1.0)
        return np.concatenate([moved, *(b - a for a, b in zip(first[1:], second[1:], strict=True))])

    still = after(("qpos", 0), 0.0)
    nx = 2 * m.nv + m.na
    slopes = np.zeros((nx + m.nu, nx + m.nsensordata))
    for k, change in enumerate(directions(data, ("qpos", "qvel", "act", "ctrl"))):
        slopes[k] = slope(functools.partial(after, change), still, distance, *sides(data, change, step, is_centered))
    by_state, by_control = slopes[:nx].T.copy(), slopes[nx:].T.copy()
    return TransitionDerivatives(by_state[:nx], by_control[:nx], by_state[nx:], by_control[nx:])


def inverse_derivatives(data: Data, eps: float, flg_actuation: bool) -> InverseDerivatives:
    """Differences of inverse dynamics at states and accelerations nearby."""
    check_awake(data)
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


def sides(data: Data, change: Change, step: float, is_centered: bool) -> tuple[float, float]:
    """How far to go forwards and backwards: a control stays in its range."""
    forward, backward = step, step if is_centered else 0.0
    name, index = change
    if name == "ctrl" and data.model.actuator_ctrllimited[index]:
        value, (low, high) = data.ctrl[index], data.model.actuator_ctrlrange[index]
        can_add, can_take = low <= value + step <= high, low <= value - step <= high
        forward = step if can_add else 0.0
        backward = step if can_take and (is_centered or not can_add) else 0.0
    return forward, backward


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
