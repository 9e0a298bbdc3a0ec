"""The stages of a step in the order of the pipeline, and the phases that they are summed up in."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Iterator

from phalanx.algebra.jit import Kernel
from phalanx.memory.store import PlainView, Store
from phalanx.pipeline import forward, step
from phalanx.pipeline.entries import OPERATIONS
from phalanx.smooth.step_metric import has_step_metric

#: The stage that changes the state.
INTEGRATE = "integrate"
#: Phase -> its stages. MuJoCo's timers can be laid beside phases.
PHASES: dict[str, tuple[str, ...]] = {
    "sleep": ("begin_asleep",),
    "kinematics": ("kinematics", "com_pos", "camera_light", "flex", "tendon"),
    "inertia": ("make_m", "factor_m"),
    "collision": ("collision",),
    "constraint rows": ("make_constraint",),
    "transmission": ("transmission",),
    "velocity": (
        "flex_velocity", "tendon_velocity", "actuator_velocity", "com_vel", "passive", "adhesion",
        "reference_constraint", "rne",
    ),
    "actuation": ("fwd_actuation",),
    "acceleration": ("effective_metric", "fwd_acceleration", "coupled_acceleration", "free_flight"),
    "constraint solver": ("fwd_constraint",),
    "energy and sensors": ("energy", "sensor_pos", "sensor_vel", "sensor_acc"),
    "integration": (INTEGRATE,),
}  # fmt: skip
#: What a step does beside its stages: checks, hooks, calls.
REST = "rest"
#: Stages that a step of a model takes only if it has such objects.
_NEEDS = {
    "begin_asleep": "nsleep",
    "flex": "nflex",
    "flex_velocity": "nflex",
    "tendon": "ntendon",
    "transmission": "nactuator",
    "sensor_pos": "nsensor",
    "sensor_vel": "nsensor",
    "sensor_acc": "nsensor",
}
#: Stages that it takes only with the discrete integrator.
_DISCRETE = ("effective_metric", "coupled_acceleration", "free_flight")


def stages_of(model: Store) -> list[str]:
    """The stages that a step of a model takes, in order."""
    left_out = () if has_step_metric(PlainView(model)) else _DISCRETE
    return [name for name in all_stages() if model.sizes[_NEEDS.get(name, "nbody")] > 0 and name not in left_out]


@functools.cache
def all_stages() -> tuple[str, ...]:
    """The stages of a step, read from the source of the pipeline: there is no second list that could differ."""
    return tuple(dict.fromkeys(_expanded(step.step)))


def _expanded(kernel: Kernel) -> Iterator[str]:
    """Names of the stages that a kernel of the pipeline calls; kernels that only order others are looked into."""
    for name in _called(kernel):
        found = vars(forward).get(name) or vars(step).get(name)
        if isinstance(found, Kernel) and found.function.__module__ == forward.__name__:
            yield from _expanded(found)
        elif name in OPERATIONS:
            yield name


def _called(kernel: Kernel) -> list[str]:
    """Names of the functions that a kernel calls, in the order of its text."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel.function)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    return [node.func.id for node in calls if isinstance(node.func, ast.Name)]


def phase_of(stage: str) -> str:
    """The phase of a stage."""
    return next((phase for phase, stages in PHASES.items() if stage in stages), REST)
