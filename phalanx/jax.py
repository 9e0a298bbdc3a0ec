"""Rollouts as functions of JAX, with gradients: `pip install jax`.

    roll = phalanx.jax.rollout_function(model)
    loss = lambda controls: roll(qpos, qvel, act, controls).qpos[-1].sum()
    jax.grad(loss)(controls)

The simulation runs in double precision on the CPU, outside of JAX; results have the precision of `qpos`. Under `vmap`
all worlds are simulated at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phalanx.derivative.gradients import Rolled, RolloutFunction
from phalanx.memory.errors import MissingPackageError
from phalanx.world.model import Model

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    raise MissingPackageError("phalanx.jax needs JAX: pip install jax") from None

__all__ = ["Rolled", "rollout_function", "step_function"]


def rollout_function(
    model: Model,
    wrt: Sequence[str] = (),
    *,
    sensors: bool = False,
    eps: float = 1e-6,
    centered: bool = True,
    one_sided: bool = True,
    threads: int | None = None,
) -> Callable[..., Rolled]:
    """A differentiable function (qpos, qvel, act, controls, *values) -> Rolled(qpos, qvel, act, sensordata).

    Args:
        model: the model.
        wrt: fields of the Model whose values are arguments, too, such as ["body_mass"].
        sensors: are sensors part of the result? If not, `sensordata` has no columns.
        eps, centered, one_sided: of the differences that gradients are made of, as in `Data.transition`.
        threads: how many threads; None for all CPUs of the process.

    Returns:
        A function of qpos (..., nq), qvel (..., nv), act (..., na), controls (..., steps, nu) and a value for each
        field of `wrt`. The result has the states at the start and after each step, (..., steps + 1, nq) and so on.
        Gradients by qpos leave the length of quaternions aside.

    Raises:
        MissingPackageError: JAX is not installed.
        ModelError: delays of controls or sensors.
    """
    core = RolloutFunction(
        model, wrt, sensors=sensors, eps=eps, centered=centered, one_sided=one_sided, threads=threads
    )

    def run(*inputs: Any) -> tuple[np.ndarray, ...]:
        return tuple(array.astype(inputs[0].dtype) for array in core.forward(*inputs))

    def run_back(inputs: Any, gradient: Any) -> tuple[np.ndarray, ...]:
        found = core.backward(inputs, gradient)
        return tuple(array.astype(one.dtype) for array, one in zip(found, inputs, strict=True))

    def call(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        dtype = inputs[0].dtype
        shapes = tuple(jax.ShapeDtypeStruct(shape, dtype) for shape in core.result_shapes(inputs[3].shape))
        return jax.pure_callback(run, shapes, *inputs, vmap_method="broadcast_all")

    # arguments are one tuple, so that there may be any number of parameters
    @jax.custom_vjp
    def roll(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return call(inputs)

    def forwards(inputs: tuple[Any, ...]) -> tuple[Any, Any]:
        return call(inputs), inputs

    def backwards(inputs: tuple[Any, ...], gradient: tuple[Any, ...]) -> tuple[Any]:
        shapes = tuple(jax.ShapeDtypeStruct(one.shape, one.dtype) for one in inputs)
        return (jax.pure_callback(run_back, shapes, inputs, gradient, vmap_method="broadcast_all"),)

    roll.defvjp(forwards, backwards)

    def function(qpos: Any, qvel: Any, act: Any, controls: Any, *values: Any) -> Rolled:
        return Rolled(*roll(tuple(jnp.asarray(array) for array in (qpos, qvel, act, controls, *values))))

    return function


def step_function(model: Model, wrt: Sequence[str] = (), **options: Any) -> Callable[..., Rolled]:
    """A differentiable function (qpos, qvel, act, ctrl, *values) -> Rolled after one step.

    The constraint solver starts without the acceleration of the step before: a rollout in one call is a little faster,
    and has the bits of `Data.step`.

    Args:
        model: the model.
        wrt: fields of the Model whose values are arguments, too.
        **options: as in `rollout_function`.
    """
    roll = rollout_function(model, wrt, **options)

    def function(qpos: Any, qvel: Any, act: Any, ctrl: Any, *values: Any) -> Rolled:
        found = roll(qpos, qvel, act, jnp.asarray(ctrl)[..., None, :], *values)
        return Rolled(found.qpos[..., 1, :], found.qvel[..., 1, :], found.act[..., 1, :], found.sensordata[..., 0, :])

    return function
