"""What Python can ask of compiled code: a table of operations, compiled together for each number type.

One entry per number type holds the operations of a group; `op` selects. The machine code of stages is therefore shared,
and the list of entries (for `warmup` and for ahead-of-time builds) is the list of number types. The groups: what a
simulation runs, what its user asks now and then, and constants of a Model.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number_type import NumberType
from phalanx.collision.distance import asked_distance
from phalanx.collision.narrowphase import collision
from phalanx.collision.ray.flex_ray import flex_rays
from phalanx.collision.ray.ray import rays
from phalanx.constraint.adhesion import adhesion
from phalanx.constraint.make_constraint import make_constraint
from phalanx.constraint.reference import reference_constraint
from phalanx.integrator.discrete import effective_metric
from phalanx.integrator.flex_stiffness import count_contact_rows, flex_blocks, flex_matrix
from phalanx.integrator.free_flight import free_flight
from phalanx.integrator.integrate import integrate
from phalanx.memory.growth import lacks_memory
from phalanx.memory.store import Store
from phalanx.native.entry import Entry
from phalanx.pipeline.asked import (
    asked_acceleration,
    asked_constraint_update,
    asked_difference,
    asked_force,
    asked_half_product,
    asked_half_solve,
    asked_inside,
    asked_integration,
    asked_rne,
    asked_velocity,
)
from phalanx.pipeline.checks import status
from phalanx.pipeline.constants import constants_at_qpos0, constants_fixed, constants_inertia
from phalanx.pipeline.forward import forward, fwd_position, fwd_velocity
from phalanx.pipeline.initial_state import initial_state_of_all, initial_state_where
from phalanx.pipeline.inverse import compare_fwd_inv, inverse
from phalanx.pipeline.parts import letters, needed, number_of, suffix_of
from phalanx.pipeline.step import put_first_sleepers, settle, step1, step2, step_in_stages, steps
from phalanx.sensor.force.post_constraint import rne_post_constraint
from phalanx.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from phalanx.smooth.acceleration import fwd_acceleration
from phalanx.smooth.actuator.actuation import fwd_actuation
from phalanx.smooth.actuator.transmission import actuator_velocity, transmission
from phalanx.smooth.bias import rne
from phalanx.smooth.camera_light import camera_light
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.energy import energy, energy_pos, energy_vel
from phalanx.smooth.flex.elastic_energy import flex_energies
from phalanx.smooth.flex.vertices import flex, flex_velocity
from phalanx.smooth.inertia import factor_m, make_m, mul_m, solve_m
from phalanx.smooth.jacobian import angmom_mat, jac, jac_dot, jac_subtree_com
from phalanx.smooth.kinematics import kinematics
from phalanx.smooth.passive.passive import passive
from phalanx.smooth.subtree import subtree_vel
from phalanx.smooth.tendon.tendon import tendon, tendon_velocity
from phalanx.smooth.velocity import com_vel
from phalanx.solver.constrain import fwd_constraint
from phalanx.solver.coupled import coupled_acceleration
from phalanx.solver.inverse_constraint import inv_constraint


@kernel
def integrate_only(m, d):
    """The last stage of a step alone; forward has been called."""
    integrate(m, d, step_in_stages, settle)


@kernel
def jac_at_point(m, d, n):
    """Jacobian of the point `jac_point` of body n."""
    jac(m, d, n, load3(d.jac_point, 0))


@kernel
def jac_dot_at_point(m, d, n):
    """Rate of that Jacobian."""
    jac_dot(m, d, n, load3(d.jac_point, 0))


@kernel
def solve_vector(m, d):
    """vector_out = M^-1 vector_in"""
    for dof in range(m.nv):
        d.vector_out[dof] = d.vector_in[dof]
    solve_m(m, d, d.vector_out)


@kernel
def multiply_vector(m, d):
    """vector_out = M vector_in"""
    mul_m(m, d, d.vector_out, d.vector_in)


#: Entry -> its operations -> (kernel, arguments): n is an integer of the caller, c the Model, writable.
ENTRIES: dict[str, dict[str, tuple[Kernel, str]]] = {
    "world": {
        "step": (steps, "m, d, n"),
        "forward": (forward, "m, d"),
        "fwd_position": (fwd_position, "m, d"),
        "fwd_velocity": (fwd_velocity, "m, d"),
        "fwd_actuation": (fwd_actuation, "m, d"),
        "effective_metric": (effective_metric, "m, d"),
        "fwd_acceleration": (fwd_acceleration, "m, d"),
        "coupled_acceleration": (coupled_acceleration, "m, d"),
        "fwd_constraint": (fwd_constraint, "m, d"),
        "free_flight": (free_flight, "m, d"),
        "inv_constraint": (inv_constraint, "m, d"),
        "inverse": (inverse, "m, d"),
        "compare_fwd_inv": (compare_fwd_inv, "m, d"),
        "kinematics": (kinematics, "m, d"),
        "com_pos": (com_pos, "m, d"),
        "camera_light": (camera_light, "m, d"),
        "flex": (flex, "m, d"),
        "tendon": (tendon, "m, d"),
        "make_m": (make_m, "m, d"),
        "factor_m": (factor_m, "m, d"),
        "collision": (collision, "m, d"),
        "make_constraint": (make_constraint, "m, d"),
        "transmission": (transmission, "m, d"),
        "flex_velocity": (flex_velocity, "m, d"),
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
        "initial_state": (initial_state_of_all, "m, d"),
        "begin_asleep": (put_first_sleepers, "m, d"),
        "initial_state_where": (initial_state_where, "m, d"),
        "rays": (rays, "m, d, n"),
        "flex_rays": (flex_rays, "m, d, n"),
        "geom_distance": (asked_distance, "m, d"),
        "flex_blocks": (flex_blocks, "m, d"),
    },
    "asked": {
        "step1": (step1, "m, d"),
        "step2": (step2, "m, d"),
        "integrate_pos": (asked_integration, "m, d"),
        "differentiate_pos": (asked_difference, "m, d"),
        "object_velocity": (asked_velocity, "m, d"),
        "object_acceleration": (asked_acceleration, "m, d"),
        "inside_site": (asked_inside, "m, d, n"),
        "apply_ft": (asked_force, "m, d, n"),
        "rne_vector": (asked_rne, "m, d, n"),
        "solve_m2": (asked_half_solve, "m, d"),
        "mul_m2": (asked_half_product, "m, d"),
        "constraint_update": (asked_constraint_update, "m, d"),
        "flex_energy": (flex_energies, "m, d"),
        "flex_contact_rows": (count_contact_rows, "m, d"),
        "flex_matrix": (flex_matrix, "m, d"),
    },
    "constants": {
        "constants_fixed": (constants_fixed, "m, c, d"),
        "constants_at_qpos0": (constants_at_qpos0, "m, c, d"),
        "constants_inertia": (constants_inertia, "m, c, d"),
    },
}

OPERATIONS = {name: operation for group in ENTRIES.values() for name, operation in group.items()}
#: Operations that users may run by name: those that take no more than the id of a body, or a count.
BY_NAME = tuple(ENTRIES["world"])
ENTRY_OF = {name: entry for entry, group in ENTRIES.items() for name in group}
OPERATION_NUMBER = {name: k for group in ENTRIES.values() for k, name in enumerate(group)}


def _switch_source(operations: Mapping[str, tuple[Kernel, str]]) -> str:
    lines = [
        "def world(op, m_address, d_address, n):",
        "    m, d, c = model_at(m_address), data_at(d_address), constants_of(m_address)",
        "    d.absent_part = 0",
    ]
    for k, (name, (_, arguments)) in enumerate(operations.items()):
        lines += [f"    {'if' if k == 0 else 'elif'} op == {k}:", f"        {name}({arguments})"]
    return "\n".join([*lines, "    d.is_short = lacks_memory(d)", "    return status(d)", ""])


def build_world(number: NumberType, varied: bool, entry: str) -> Callable[..., int]:
    """The function `world(op, model, data, n)` for a number type; `varied`: the Model has its own numbers per world."""
    return build_switch(number, varied, ENTRIES[entry])


def build_switch(number: NumberType, varied: bool, operations: Mapping[str, tuple[Kernel, str]]) -> Callable[..., int]:
    """The function `world(op, model, data, n)` of a table of operations, like those of ENTRIES."""
    from phalanx.memory.view import view_at

    model_number = number if varied else number.one_world
    names: dict[str, Any] = {name: function for name, (function, _) in operations.items()}
    names["model_at"] = view_at("model", model_number, constant=True)
    names["constants_of"] = view_at("model", model_number, constant=False)
    names["data_at"] = view_at("data", number, constant=False)
    names |= {"lacks_memory": lacks_memory, "status": status}
    return define(_switch_source(operations), names, "world")


#: Operations that run the whole pipeline, and the one that every Data begins with: everything that the model needs is
#: loaded at once.
WHOLE = ("initial_state", "step", "forward", "step1", "step2")
#: Parts that derived constants are computed with.
CONSTANT_PARTS = ("tendon", "actuator")


def parts_for(operation: str, model: Store) -> list[str]:
    """Parts that an operation is expected to call; others are loaded if it does."""
    if operation in WHOLE:
        return needed(model)
    return [name for name in needed(model) if name in CONSTANT_PARTS] if ENTRY_OF[operation] == "constants" else []


def world_entry(number: NumberType, varied: bool = False, entry: str = "world") -> Entry:
    """The entry that runs operations of a group on a Model and a Data of this number type."""
    return _world_entry(number, varied, entry)


@functools.cache
def _world_entry(number: NumberType, varied: bool, entry: str) -> Entry:
    return Entry(
        f"{entry}_{suffix_of(number, varied)}",
        functools.partial(build_world, number, varied, entry),
        arity=4,
        letters=functools.partial(letters, number, varied),
        origin="phalanx.pipeline.entries:entry_named",
    )


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    entry, _, suffix = name.partition("_")
    return world_entry(*number_of(suffix), entry=entry)
