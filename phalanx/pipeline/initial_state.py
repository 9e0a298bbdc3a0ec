"""The state that a world begins with: one kernel, for a new Data, for resets, and for worlds that are reset in a step.

The column `initial` of a row says how it begins. The kernel is written from the rows of state and inputs; a row marked
RULE has a kernel of its own here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.memory import load3, load4, store3, store4
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import where4
from phalanx.algebra.vector import where3
from phalanx.sensor.history import reset_sensor_history
from phalanx.sleep.awake_lists import forget_mocaps, forget_poses, forget_rates, forget_readings, wake_all
from phalanx.smooth.actuator.orientation_servo import reset_controls
from phalanx.smooth.history import reset_control_history
from phalanx.smooth.passive.plastic import reset_plastic
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import RULE, Field


@kernel
def reset_history(m, d, chosen):
    """history: controls at rest and readings of zero, at the times before the start."""
    reset_control_history(m, d, chosen)
    reset_sensor_history(m, d, chosen)


@kernel
def reset_mocap_pos(m, d, chosen):
    """mocap_pos: where the bodies are in the Model."""
    for body in range(m.nbody):
        mocap = m.body_mocapid[body]
        if mocap >= 0:
            store3(d.mocap_pos, mocap, where3(chosen, load3(m.body_pos, body), load3(d.mocap_pos, mocap)))


@kernel
def reset_mocap_quat(m, d, chosen):
    """mocap_quat: as the bodies are oriented in the Model."""
    for body in range(m.nbody):
        mocap = m.body_mocapid[body]
        if mocap >= 0:
            store4(d.mocap_quat, mocap, where4(chosen, load4(m.body_quat, body), load4(d.mocap_quat, mocap)))


#: Rows that begin in a way of their own.
RULES: dict[str, Kernel] = {
    "ctrl": reset_controls,
    "history": reset_history,
    "plastic": reset_plastic,
    "mocap_pos": reset_mocap_pos,
    "mocap_quat": reset_mocap_quat,
    "asleep_qpos": forget_poses,
    "asleep_reading": forget_readings,
    "asleep_act_dot": forget_rates,
    "asleep_mocap": forget_mocaps,
    "tree_asleep": wake_all,
}


def _source() -> Iterator[str]:
    """The kernel, line by line, from the rows of state and inputs."""
    yield "def initial_state(m, d, chosen):"
    yield '    """State and inputs as they begin, in the chosen worlds."""'
    for row in (*DATA["state"], *DATA["input"], *DATA["sleep"]):
        yield from _lines(row)


def _lines(row: Field) -> Iterator[str]:
    if row.initial == RULE:
        yield f"    reset_{row.name}(m, d, chosen)"
        return
    indices = [f"i{axis}" for axis in range(len(row.shape))]
    for axis, size in enumerate(row.shape):
        extent = size if isinstance(size, int) else f"m.{size}"
        yield f"{'    ' * (axis + 1)}for {indices[axis]} in range({extent}):"
    place = f"[{', '.join(indices)}]" if indices else ""
    begin = f"m.{row.initial}{place}" if row.initial else "0.0"
    indent = "    " * (len(row.shape) + 1)
    yield f"{indent}d.{row.name}{place} = where(chosen, {begin}, d.{row.name}{place})"


def _written() -> Callable[..., None]:
    names: dict[str, Any] = {"where": where, **{f"reset_{name}": rule for name, rule in RULES.items()}}
    return define("\n".join(_source()) + "\n", names, "initial_state")


initial_state = kernel(_written())


@kernel
def initial_state_of_all(m, d):
    """State and inputs as they begin, in every world."""
    initial_state(m, d, True)


@kernel
def initial_state_where(m, d):
    """State and inputs as they begin, in the worlds that `is_reset` names."""
    initial_state(m, d, d.is_reset != 0.0)
