"""Rollouts as functions of JAX and PyTorch: their gradients are differences of rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.derivative.gradients import RolloutFunction
from tests.conformance.models import load

STEPS = 5
MODEL = "own/free_children"


def inputs_of(model: phalanx.Model, n: int = 2) -> list[np.ndarray]:
    """Random states and controls of n worlds; quaternions are not unit."""
    rng, data = np.random.default_rng(0), model.make_data()
    qpos = np.array([1.3 * data.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.3) for _ in range(n)])
    return [
        qpos,
        rng.normal(size=(n, model.nv)),
        np.full((n, model.na), 0.3),
        rng.uniform(-0.5, 0.5, (n, STEPS, model.nu)),
    ]


def weighted(model: phalanx.Model, n: int = 2, sensors: bool = False) -> list[np.ndarray]:
    """Weights of all results: the sum of products is the number to differentiate."""
    rng = np.random.default_rng(1)
    shapes = [(n, STEPS + 1, size) for size in (model.nq, model.nv, model.na)]
    return [rng.normal(size=shape) for shape in (*shapes, (n, STEPS, model.nsensordata if sensors else 0))]


def by_differences(core: RolloutFunction, inputs: list[np.ndarray], weights: list[np.ndarray], direction: Any) -> float:
    """The derivative of the number along a direction of all inputs."""
    h, values = 1e-6, []
    for sign in (1.0, -1.0):
        moved = [array + sign * h * change for array, change in zip(inputs, direction, strict=True)]
        values.append(sum((w * array).sum() for w, array in zip(weights, core.forward(*moved), strict=True)))
    return (values[0] - values[1]) / (2 * h)


def directions_of(inputs: list[np.ndarray]) -> list[np.ndarray]:
    rng = np.random.default_rng(2)
    return [rng.normal(size=array.shape) for array in inputs]


@pytest.mark.parametrize("name", [MODEL, "own/actuators"])
def test_the_gradient_is_that_of_differences(name: str) -> None:
    model = load(name).phalanx
    core = RolloutFunction(model, ["opt.gravity", "body_mass"], sensors=True)
    inputs = [*inputs_of(model), np.array(model.opt.gravity), model.body_mass.copy()]
    weights, direction = weighted(model, sensors=True), directions_of(inputs)
    direction[5][0] = 0.0  # the mass of the world is zero and stays so
    # the length of the first quaternions is a result, too, which no direction of the state changes
    weights[0][:, 0] = 0.0
    found = core.backward(inputs, weights)
    along = sum((g * d).sum() for g, d in zip(found, direction, strict=True))
    np.testing.assert_allclose(along, by_differences(core, inputs, weights, direction), rtol=1e-5)


def test_what_is_refused() -> None:
    model = load(MODEL).phalanx
    core = RolloutFunction(model, ["body_mass"])
    with pytest.raises(phalanx.FieldError, match="body_mass"):
        core.forward(*inputs_of(model), np.zeros(3))
    with pytest.raises(phalanx.FieldError, match="qvel"):
        RolloutFunction(model).forward(*(array if k != 1 else array[:, 1:] for k, array in enumerate(inputs_of(model))))
    with pytest.raises(phalanx.FieldError, match="body_weight"):
        RolloutFunction(model, ["body_weight"])


# --- JAX


@pytest.fixture
def jax() -> Any:
    """JAX in double precision."""
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    with jax.enable_x64(True):
        yield jax


def test_jax_has_the_gradient(jax: Any) -> None:
    import phalanx.jax

    model = load(MODEL).phalanx
    roll = phalanx.jax.rollout_function(model, ["body_mass"])
    core = RolloutFunction(model, ["body_mass"])
    inputs, weights = [*inputs_of(model), model.body_mass.copy()], weighted(model)

    def number(*arrays: Any) -> Any:
        return sum((w * array).sum() for w, array in zip(weights, roll(*arrays), strict=True))

    for transform in (lambda f: f, jax.jit):
        found = transform(jax.grad(number, argnums=(0, 1, 2, 3, 4)))(*inputs)
        for ours, expected in zip(found, core.backward(inputs, weights), strict=True):
            np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)


def test_jax_maps_over_worlds(jax: Any) -> None:
    import phalanx.jax

    model = load(MODEL).phalanx
    step = phalanx.jax.step_function(model)
    qpos, qvel, act, controls = inputs_of(model, 3)
    alone = [step(*(array[k] for array in (qpos, qvel, act, controls[:, 0]))).qpos for k in range(3)]
    assert np.array_equal(jax.vmap(step)(qpos, qvel, act, controls[:, 0]).qpos, np.array(alone))
    gradients = jax.vmap(jax.grad(lambda q, v: step(q, v, act[0], controls[0, 0]).qvel.sum()))(qpos, qvel)
    assert gradients.shape == qpos.shape and np.isfinite(gradients).all()


# --- PyTorch


def test_torch_has_the_gradient() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: make test-torch")
    import phalanx.torch

    model = load(MODEL).phalanx
    roll = phalanx.torch.rollout_function(model, ["body_mass"])
    core = RolloutFunction(model, ["body_mass"])
    inputs, weights = [*inputs_of(model), model.body_mass.copy()], weighted(model)
    tensors = [torch.tensor(array, requires_grad=True) for array in inputs]
    sum((torch.tensor(w) * one).sum() for w, one in zip(weights, roll(*tensors), strict=True)).backward()
    for tensor, expected in zip(tensors, core.backward(inputs, weights), strict=True):
        np.testing.assert_allclose(tensor.grad.numpy(), expected, rtol=1e-12, atol=1e-12)
    step = phalanx.torch.step_function(model)
    after = step(*tensors[:3], tensors[3][:, 0])
    assert after.qpos.shape == (2, model.nq)
