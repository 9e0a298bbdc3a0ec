"""Rollouts as functions of PyTorch, with gradients: `pip install torch`.

    roll = phalanx.torch.rollout_function(model)
    roll(qpos, qvel, act, controls).qpos[-1].sum().backward()
    controls.grad

The simulation runs in double precision on the CPU, outside of PyTorch; results have the precision and the device of
`qpos`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from phalanx.derivative.gradients import Rolled, RolloutFunction
from phalanx.memory.errors import MissingPackageError
from phalanx.world.model import Model

try:
    import torch
except ImportError:
    raise MissingPackageError("phalanx.torch needs PyTorch: pip install torch") from None

__all__ = ["Rolled", "rollout_function", "step_function"]


class _Roll(torch.autograd.Function):  # type: ignore[misc]
    """The rollout as a node of the graph."""

    @staticmethod
    def forward(ctx: Any, core: RolloutFunction, *inputs: Any) -> tuple[Any, ...]:
        """Simulate."""
        ctx.core = core
        ctx.save_for_backward(*inputs)
        found = core.forward(*(_array(one) for one in inputs))
        return tuple(torch.from_numpy(array).to(inputs[0]) for array in found)

    @staticmethod
    def backward(ctx: Any, *gradient: Any) -> tuple[Any, ...]:
        """Simulate again, linearize, and go back through time."""
        inputs = ctx.saved_tensors
        found = ctx.core.backward([_array(one) for one in inputs], [_array(one) for one in gradient])
        return (None, *(torch.from_numpy(array).to(one) for array, one in zip(found, inputs, strict=True)))


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().double().numpy()


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
        A function of tensors: qpos (..., nq), qvel (..., nv), act (..., na), controls (..., steps, nu) and a value for
        each field of `wrt`. The result has the states at the start and after each step, (..., steps + 1, nq) and so on.
        Gradients by qpos leave the length of quaternions aside.

    Raises:
        MissingPackageError: PyTorch is not installed.
        ModelError: delays of controls or sensors.
    """
    # the same for every call
    core = RolloutFunction(
        model, wrt, sensors=sensors, eps=eps, centered=centered, one_sided=one_sided, threads=threads
    )

    def function(qpos: Any, qvel: Any, act: Any, controls: Any, *values: Any) -> Rolled:
        return Rolled(*_Roll.apply(core, qpos, qvel, act, controls, *values))

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
        found = roll(qpos, qvel, act, ctrl.unsqueeze(-2), *values)
        return Rolled(found.qpos[..., 1, :], found.qvel[..., 1, :], found.act[..., 1, :], found.sensordata[..., 0, :])

    return function
