"""What Python can ask of compiled code: a table of operations, compiled together for each number type.

One entry per number type holds every operation; `op` selects. The machine code of stages is therefore shared, and the
list of entries (for `warmup` and for ahead-of-time builds) is the list of number types.
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.algebra.compile import Entry, load
from phalanx.algebra.jit import Kernel, is_interpreted, kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number_type import NumberType
from phalanx.collision.distance import asked_distance
from phalanx.collision.narrowphase import collision
from phalanx.collision.ray import rays
from phalanx.constraint.adhesion import adhesion
from phalanx.constraint.make_constraint import make_constraint
from phalanx.constraint.reference import reference_constraint
from phalanx.integrator.table import integrate
from phalanx.model.errors import FieldError, suggestion
from phalanx.model.growth import lacks_memory
from phalanx.model.hooks import link_hooks
from phalanx.model.store import PlainView, Store
from phalanx.pipeline.constants import constants_at_qpos0, constants_fixed, constants_inertia
from phalanx.pipeline.forward import dynamics, forward, fwd_position, fwd_velocity
from phalanx.pipeline.inverse import compare_fwd_inv, inverse
from phalanx.pipeline.step import steps
from phalanx.sensor.post_constraint import rne_post_constraint
from phalanx.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from phalanx.smooth.acceleration import fwd_acceleration
from phalanx.smooth.actuation import fwd_actuation
from phalanx.smooth.bias import rne
from phalanx.smooth.camera_light import camera_light
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.energy import energy, energy_pos, energy_vel
from phalanx.smooth.inertia import factor_m, make_m, mul_m, solve_m
from phalanx.smooth.jacobian import angmom_mat, jac, jac_dot, jac_subtree_com
from phalanx.smooth.kinematics import kinematics
from phalanx.smooth.passive import passive
from phalanx.smooth.subtree import subtree_vel
from phalanx.smooth.tendon import tendon, tendon_velocity
from phalanx.smooth.transmission import actuator_velocity, transmission
from phalanx.smooth.velocity import com_vel
from phalanx.solver.constrain import fwd_constraint
from phalanx.solver.inverse_constraint import inv_constraint


@kernel
def integrate_only(m, d):
    integrate(m, d, dynamics)


@kernel
def jac_at_point(m, d, n):
    jac(m, d, n, load3(d.jac_point, 0))


@kernel
def jac_dot_at_point(m, d, n):
    jac_dot(m, d, n, load3(d.jac_point, 0))


@kernel
def solve_vector(m, d):
    for dof in range(m.nv):
        d.vector_out[dof] = d.vector_in[dof]
    solve_m(m, d, d.vector_out)


@kernel
def multiply_vector(m, d):
    mul_m(m, d, d.vector_out, d.vector_in)


#: Entry -> its operations -> (kernel, arguments): n is an integer of the caller, c the Model, writable. What is asked
#: for now and then does not weigh on the compile time of what everybody needs.
ENTRIES: dict[str, dict[str, tuple[Kernel, str]]] = {
    "world": {
        "step": (steps, "m, d, n"),
        "forward": (forward, "m, d"),
        "fwd_position": (fwd_position, "m, d"),
        "fwd_velocity": (fwd_velocity, "m, d"),
        "fwd_actuation": (fwd_actuation, "m, d"),
        "fwd_acceleration": (fwd_acceleration, "m, d"),
        "fwd_constraint": (fwd_constraint, "m, d"),
        "inv_constraint": (inv_constraint, "m, d"),
        "inverse": (inverse, "m, d"),
        "compare_fwd_inv": (compare_fwd_inv, "m, d"),
        "kinematics": (kinematics, "m, d"),
        "com_pos": (com_pos, "m, d"),
        "camera_light": (camera_light, "m, d"),
        "tendon": (tendon, "m, d"),
        "make_m": (make_m, "m, d"),
        "factor_m": (factor_m, "m, d"),
        "collision": (collision, "m, d"),
        "make_constraint": (make_constraint, "m, d"),
        "transmission": (transmission, "m, d"),
        "tendon_velocity": (tendon_velocity, "m, d"),
        "actuator_velocity": (actuator_velocity, "m, d"),
        "com_vel": (com_vel, "m, d"),
        "passive": (passive, "m, d"),
        "adhesion": (adhesion, "m, d"),
        "reference_constraint": (reference_constraint, "m, d"),
        "rne": (rne, "m, d"),
        "energy": (energy, "m, d"),
        "energy_pos": (energy_pos, "m, d"),
        "energy_vel": (energy_vel, "m, d"),
        "subtree_vel": (subtree_vel, "m, d"),
        "rne_post_constraint": (rne_post_constraint, "m, d"),
        "sensor_pos": (sensor_pos, "m, d"),
        "sensor_vel": (sensor_vel, "m, d"),
        "sensor_acc": (sensor_acc, "m, d"),
        "integrate": (integrate_only, "m, d"),
        "jac": (jac_at_point, "m, d, n"),
        "jac_dot": (jac_dot_at_point, "m, d, n"),
        "jac_subtree_com": (jac_subtree_com, "m, d, n"),
        "angmom_mat": (angmom_mat, "m, d, n"),
        "solve_m": (solve_vector, "m, d"),
        "mul_m": (multiply_vector, "m, d"),
    },
    "rays": {"rays": (rays, "m, d, n")},
    "distance": {"geom_distance": (asked_distance, "m, d")},
    "constants": {
        "constants_fixed": (constants_fixed, "m, c, d"),
        "constants_at_qpos0": (constants_at_qpos0, "m, c, d"),
        "constants_inertia": (constants_inertia, "m, c, d"),
    },
}

OPERATIONS = {name: operation for group in ENTRIES.values() for name, operation in group.items()}
ENTRY_OF = {name: entry for entry, group in ENTRIES.items() for name in group}
OPERATION_NUMBER = {name: k for group in ENTRIES.values() for k, name in enumerate(group)}


def define(source: str, names: dict[str, Any], function: str) -> Any:
    """Execute generated source so that tracebacks and debuggers can show it."""
    filename = f"<phalanx {function} {abs(hash(source))}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), names)
    return names[function]


def _switch_source(entry: str) -> str:
    lines = [
        "def world(op, m_address, d_address, n):",
        "    m, d, c = model_at(m_address), data_at(d_address), constants_of(m_address)",
    ]
    for k, (name, (_, arguments)) in enumerate(ENTRIES[entry].items()):
        lines += [f"    {'if' if k == 0 else 'elif'} op == {k}:", f"        {name}({arguments})"]
    return "\n".join([*lines, "    d.is_short = lacks_memory(d)", "    return 0", ""])


def build_world(number: NumberType, varied: bool, entry: str) -> Callable[..., int]:
    """The function `world(op, model, data, n)` for a number type; `varied`: the Model has its own numbers per world."""
    from phalanx.model.view import ViewType, view_at

    model_number = (number if varied else number.one_world).numba
    names: dict[str, Any] = {name: function for name, (function, _) in ENTRIES[entry].items()}
    names["model_at"] = view_at(ViewType("model", model_number, constant=True))
    names["constants_of"] = view_at(ViewType("model", model_number, constant=False))
    names["data_at"] = view_at(ViewType("data", number.numba, constant=False))
    names["lacks_memory"] = lacks_memory
    return define(_switch_source(entry), names, "world")


def world_entry(number: NumberType, varied: bool = False, entry: str = "world") -> Entry:
    """The entry that runs operations of a group on a Model and a Data of this number type."""
    suffix = "_varied" if varied else ""
    return Entry(f"{entry}_{number.name}{suffix}", functools.partial(build_world, number, varied, entry), arity=4)


def bind(operation: str, model: Store, data: Store) -> Callable[[int], None]:
    """A function of n that runs an operation on the memory of a Model and a Data, compiled or interpreted.

    If memory was too small, `is_short` is true afterwards.
    """
    if operation not in OPERATIONS:
        raise FieldError(f"there is no operation {operation!r}{suggestion(operation, OPERATIONS)}")
    if is_interpreted():
        return lambda n: run_interpreted(operation, model, data, n)
    link_hooks(data, model.number.width > 1)
    native = load(world_entry(data.number, model.number.width > 1, ENTRY_OF[operation]))
    return functools.partial(native.call, OPERATION_NUMBER[operation], model.address, data.address)


def run_interpreted(operation: str, model: Store, data: Store, n: int = 0) -> None:
    """Run an operation as plain Python, for one world."""
    if data.number.width:
        raise ValueError("lanes cannot run interpreted: use one world in float64")
    function, arguments = OPERATIONS[operation]
    available = {"m": PlainView(model), "d": PlainView(data), "c": PlainView(model), "n": n}
    with np.errstate(all="ignore"):
        function(*(available[name] for name in arguments.split(", ")))
    data.arrays["is_short"][()] = lacks_memory(available["d"])
