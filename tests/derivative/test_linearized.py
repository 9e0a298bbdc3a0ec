"""Derivatives of rollouts: tangents and gradients agree, and both agree with differences of whole rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.derivative.coordinates import Coordinates
from tests.conformance.models import load

STEPS = 12


def a_rollout(
    n: int = 2, name: str = "own/mixed_tree", **options: Any
) -> tuple[phalanx.Model, Any, phalanx.LinearizedRollout]:
    """Worlds with random velocities and controls; activations are within their ranges."""
    model, rng = load(name).phalanx, np.random.default_rng(4)
    states = {"qvel": 0.3 * rng.normal(size=(n, model.nv)), "qpos": np.tile(model.qpos0, (n, 1))}
    states["act"] = np.full((n, model.na), 0.3)
    controls = rng.uniform(-0.5, 0.5, (n, STEPS, model.nu))
    return model, (states, controls), phalanx.linearize_rollout(model, states, controls, STEPS, **options)


def test_states_are_those_of_a_rollout() -> None:
    model, (states, controls), found = a_rollout()
    expected = phalanx.rollout(model, states, controls, STEPS, outputs=("qpos", "sensordata"))
    assert np.array_equal(found.qpos[:, 1:], expected.qpos)
    assert np.array_equal(found.sensordata, expected.sensordata)
    assert np.array_equal(found.qpos[:, 0], states["qpos"])
    assert found.A.shape == (2, STEPS, 2 * model.nv + model.na, 2 * model.nv + model.na)


def test_each_step_is_linearized_as_by_a_data() -> None:
    model, (states, controls), found = a_rollout()
    data = model.make_data()
    data.qpos, data.qvel, data.act = (states[name][1] for name in ("qpos", "qvel", "act"))
    for step in range(STEPS):
        data.ctrl = controls[1, step]
        expected = data.transition()
        for one, other in zip((found.A, found.B, found.C, found.D), expected, strict=True):
            assert np.array_equal(one[1, step], other)
        data.step()


def test_tangents_are_differences_of_rollouts() -> None:
    model, (states, controls), found = a_rollout(wrt={"body_mass": [1, 2]}, name="own/actuators")
    rng, h = np.random.default_rng(1), 1e-6
    dx, du, dp = rng.normal(size=(2, found.nx)), rng.normal(size=controls.shape), rng.normal(size=(2, 2))
    tangent = found.jvp(dx, du, dp)
    data = model.make_data()
    for world in range(2):
        ends = []
        for sign in (1.0, -1.0):
            masses = model.body_mass.copy()
            masses[1:3] += sign * h * dp[world]
            other = model.replace(body_mass=masses)
            q = data.integrate_pos(states["qpos"][world], dx[world, : model.nv], sign * h)
            v = states["qvel"][world] + sign * h * dx[world, model.nv : 2 * model.nv]
            act = 0.3 + sign * h * dx[world, 2 * model.nv :]
            ends.append(
                phalanx.rollout(
                    other, {"qpos": q, "qvel": v, "act": act}, controls[world] + sign * h * du[world], STEPS,
                    outputs=("qpos", "qvel", "act", "sensordata"),
                )
            )  # fmt: skip
        plus, minus = ends
        moved = data.differentiate_pos(minus.qpos[0, -1], plus.qpos[0, -1], 2 * h)
        rest = [(plus[name][0, -1] - minus[name][0, -1]) / (2 * h) for name in ("qvel", "act")]
        expected = np.concatenate([moved, *rest])
        np.testing.assert_allclose(tangent.state[world, -1], expected, atol=1e-6 * np.abs(expected).max())
        read = (plus.sensordata[0] - minus.sensordata[0]) / (2 * h)
        np.testing.assert_allclose(tangent.sensors[world], read, atol=1e-6 * np.abs(read).max(initial=1.0))


def test_gradients_are_the_transpose_of_tangents() -> None:
    """<g, J d> = <J' g, d>, also in segments, with matrices that were thrown away."""
    _, (_, controls), found = a_rollout(wrt=["opt.gravity"], name="own/sensor")
    rng = np.random.default_rng(2)
    dx, du, dp = rng.normal(size=(2, found.nx)), rng.normal(size=controls.shape), rng.normal(size=(2, 3))
    gx, gs = rng.normal(size=(2, STEPS + 1, found.nx)), rng.normal(size=found.sensordata.shape)
    tangent, gradient = found.jvp(dx, du, dp), found.vjp(gx, gs)
    left = (gx * tangent.state).sum() + (gs * tangent.sensors).sum()
    right = (gradient.state * dx).sum() + (gradient.controls * du).sum() + (gradient.parameters * dp).sum()
    np.testing.assert_allclose(left, right, rtol=1e-10)
    assert found.A is not None
    for one, other in zip(found.vjp(gx, gs), gradient, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * np.abs(one).max(initial=1.0))


def test_the_last_state_may_be_given_alone() -> None:
    *_, found = a_rollout()
    last = np.random.default_rng(0).normal(size=(2, found.nx))
    every = np.zeros((2, STEPS + 1, found.nx))
    every[:, -1] = last
    assert np.array_equal(found.vjp(last).controls, found.vjp(every).controls)


def test_gradients_by_numbers_and_by_directions() -> None:
    """A function of qpos that does not see the length of quaternions."""
    model, rng = load("own/mixed_tree").phalanx, np.random.default_rng(0)
    data, weight = model.make_data(), rng.normal(size=3 * model.nbody)

    def value(qpos: np.ndarray) -> float:
        data.qpos = qpos
        return float(weight @ data.forward().xpos.ravel())

    q = data.integrate_pos(model.qpos0, rng.normal(size=model.nv), 1.0)
    h = 1e-6
    by_numbers = np.array([(value(q + h * e) - value(q - h * e)) / (2 * h) for e in np.eye(model.nq)])
    moved = [[data.integrate_pos(q, e, sign * h) for sign in (1, -1)] for e in np.eye(model.nv)]
    by_directions = np.array([(value(plus) - value(minus)) / (2 * h) for plus, minus in moved])
    ways = Coordinates(model)
    np.testing.assert_allclose(ways.to_directions(q, by_numbers), by_directions, atol=1e-7)
    np.testing.assert_allclose(ways.to_numbers(q, by_directions), by_numbers, atol=1e-7)


def test_what_is_refused() -> None:
    model, _, found = a_rollout()
    with pytest.raises(phalanx.FieldError, match="shape"):
        found.jvp(np.zeros(3))
    with pytest.raises(phalanx.FieldError, match="shape"):
        found.vjp(np.zeros((1, 2, 3)))
    with pytest.raises(phalanx.FieldError, match="Model"):
        phalanx.linearize_rollout("humanoid", nsteps=3)
    batch = phalanx.BatchSim(model, 2, vary={"opt.gravity": np.zeros((2, 3))})
    with pytest.raises(phalanx.FieldError, match="one model"):
        phalanx.linearize_rollout(model, batch, nsteps=3)
    with pytest.raises(phalanx.WorldError):
        phalanx.linearize_rollout(model, {"qvel": np.full(model.nv, np.nan)}, nsteps=3)
