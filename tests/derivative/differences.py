"""Derivatives of a step by differences of high order, with a bound of their error: what exact derivatives are held to.

A central difference of sixth order has an error of h^6 times a seventh derivative, and of the rounding of the step over
h. Several h are tried. Where neighbors agree, both errors are below what they differ by; the three that agree best give
the value and the bound, element by element.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import phalanx
from phalanx.tables.enums import StateBit

#: Weights of f(kh) - f(-kh), k = 1, 2, 3 (B. Fornberg, Generation of finite difference formulas, 1988).
WEIGHTS = (45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0)
STEPS = tuple(10.0**-p for p in (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0))
#: For contacts, which a large step would make or break.
NEAR = tuple(10.0**-p for p in (2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0))


def directions(model: phalanx.Model) -> Iterator[tuple[str, int]]:
    """What is changed, field and index: those of positions are the velocities."""
    for name, count in (("qpos", model.nv), ("qvel", model.nv), ("act", model.na), ("ctrl", model.nu)):
        for index in range(count):
            yield name, index


def nudge(data: phalanx.Data, change: tuple[str, int], amount: float) -> None:
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


def transition(data: phalanx.Data, steps: tuple[float, ...] = STEPS) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives (outputs, inputs) in the order of `exact_transition`, and bounds of their errors."""
    probe, base = data.copy(), data.get_state(StateBit.INTEGRATION)
    plastic = data.plastic.copy()

    def after(change, amount):
        probe.set_state(base)
        probe.plastic[:] = plastic
        nudge(probe, change, amount)
        probe.step()
        return probe.qpos.copy(), np.concatenate([probe.qvel, probe.act, probe.sensordata])

    still = after(("qpos", 0), 0.0)

    def outputs(change, amount):
        qpos, others = after(change, amount)
        return np.concatenate([probe.differentiate_pos(still[0], qpos, 1.0), others])

    columns, bounds = [], []
    for change in directions(data.model):
        found = np.array([
            sum(w * (outputs(change, k * h) - outputs(change, -k * h)) for k, w in enumerate(WEIGHTS, 1)) / h
            for h in steps
        ])  # fmt: skip
        gaps = np.abs(np.diff(found, axis=0))
        # two neighbors may agree by chance, three hardly ever
        gaps = np.maximum(gaps[1:], gaps[:-1])
        best = gaps.argmin(0)
        columns.append(found[1:-1][best, np.arange(found.shape[1])])
        bounds.append(gaps.min(0))
    return np.array(columns).T, np.array(bounds).T


def exact(data: phalanx.Data) -> np.ndarray:
    """A, B, C, D of `exact_transition` as one matrix."""
    from phalanx.derivative.exact import exact_transition

    A, B, C, D, remaining = exact_transition(data)
    assert remaining == ()
    return np.block([[A, B], [C, D]])
