"""What is compiled for derivatives: the parts of the step with tangents, what stands in for the solver, two entries.

Parts call each other through addresses in the table of a Data, so the step with tangents is that of one world, with
another address where the solver is called. No other model or call pays for any of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import with_tangents
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.derivative.exact_solution import implicit_solution, recorded_step
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import Store
from phalanx.native.entry import Entry, PartUnit, Unit
from phalanx.native.runtime import address_of, prepare
from phalanx.pipeline.checks import status
from phalanx.pipeline.parts import letters, link_parts, needed, number_of
from phalanx.pipeline.step import steps
from phalanx.smooth.joint.positions import advance_positions, subtract_positions
from phalanx.solver.coupled import coupled_acceleration
from phalanx.tables.enums import Integrator
from phalanx.tables.sizes import extent_of

#: Makes a unit from its name, in a process that compiles.
ORIGIN = "phalanx.derivative.dual_units:unit_named"
PLAIN = one_world("float64")
#: Parts that one world needs and a step with tangents does not.
_REPLACED = ("solver", "dual")
#: Rows that a step depends on.
STATE = tuple(name for name, row in DATA_SCHEMA.fields.items() if row.state)


# --- units


@functools.cache
def solution_unit(number: NumberType) -> PartUnit:
    """What stands in for the solver."""
    make = functools.partial(letters, number, False)
    return PartUnit(f"solution_{number.name}", lambda: (implicit_solution,), make, ORIGIN)


@functools.cache
def coupled_unit(number: NumberType) -> PartUnit:
    """The solve of the discrete integrator, which is direct: its tangents are computed on the way."""
    make = functools.partial(letters, number, False)
    return PartUnit(f"coupled_{number.name}", lambda: (coupled_acceleration,), make, ORIGIN)


@functools.cache
def passes_entry(number: NumberType) -> Entry:
    """passes(model, data with tangents, data, seeds, results, count): a step for each set of directions."""
    make = functools.partial(letters, number, False)
    return Entry(f"passes_{number.name}", functools.partial(_build_passes, number), 6, make, ORIGIN)


@functools.cache
def recorded_entry() -> Entry:
    """recorded(model, data): one step of one world, with the solutions on its way."""
    make = functools.partial(letters, PLAIN, False)
    return Entry(f"recorded_{PLAIN.name}", _build_recorded, 2, make, ORIGIN)


def unit_named(name: str) -> Unit:
    """The unit of this name."""
    kind, _, suffix = name.partition("_")
    if kind == "recorded":
        return recorded_entry()
    make: dict[str, Callable[[NumberType], Unit]] = {
        "solution": solution_unit, "coupled": coupled_unit, "passes": passes_entry,
    }  # fmt: skip
    return make[kind](number_of(suffix)[0])


# --- entries


def _build_recorded() -> Callable[..., int]:
    from phalanx.memory.view import view_at

    model_at, data_at = view_at("model", PLAIN, constant=True), view_at("data", PLAIN, constant=False)

    def recorded(m_address, d_address):
        m, d = model_at(m_address), data_at(d_address)
        d.absent_part = 0
        recorded_step(m, d)
        d.is_short = lacks_memory(d)
        return status(d)

    return recorded


def _build_passes(number: NumberType) -> Callable[..., int]:
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    model_at, data_at = view_at("model", PLAIN, constant=True), view_at("data", number, constant=False)
    plain_at = view_at("data", PLAIN, constant=True)
    seeds_at, results_at = array_at(number, alias="seeds", constant=True), array_at(number, alias="results")

    def passes(m_address, d_address, plain_address, seeds_address, results_address, count):
        m, d, plain = model_at(m_address), data_at(d_address), plain_at(plain_address)
        d.absent_part = 0
        for k in range(count):
            begin(m, d, plain, seeds_at(seeds_address), k * (2 * m.nv + m.na + m.nu))
            steps(m, d, 1)
            d.is_short = lacks_memory(d)
            if status(d) != 0:
                return status(d)
            end(m, d, results_at(results_address), k * (2 * m.nv + m.na + m.nsensordata))
        return 0

    return passes


def _copy_source() -> Iterator[str]:
    """The kernel that copies what a step depends on."""
    yield "def copy_state(m, d, plain):"
    yield '    """State and inputs of a Data without tangents."""'
    for name in STATE:
        row = DATA_SCHEMA.fields[name]
        if row.is_scalar:
            yield f"    d.{name} = plain.{name}"
            continue
        extents = [extent_of(axis) for axis in row.shape]
        for axis, extent in enumerate(extents):
            yield f"{'    ' * (axis + 1)}for i{axis} in range({extent}):"
        element = f"{name}[{', '.join(f'i{axis}' for axis in range(len(extents)))}]"
        yield f"{'    ' * (len(extents) + 1)}d.{element} = plain.{element}"


copy_state = kernel(define("\n".join(_copy_source()) + "\n", {}, "copy_state"))


@kernel
def begin(m, d, plain, seeds, first):
    """The state of a Data, changing along the seeds: (change of position, velocity, activation), control.

    Positions change along velocities that are zero, so that a rotation has three directions.
    """
    copy_state(m, d, plain)
    d.error_code = 0.0
    d.solution_place = 0
    for dof in range(m.nv):
        d.vector_in[dof] = seeds[first + dof]
        d.qvel[dof] = with_tangents(d.qvel[dof], seeds[first + m.nv + dof])
    advance_positions(m, d.qpos, d.vector_in, 1.0, True)
    for k in range(m.nq):
        # moved by nothing: a quaternion that is not of unit length stays as it is
        d.qpos[k] = with_tangents(plain.qpos[k], d.qpos[k])
    for k in range(m.na):
        d.act[k] = with_tangents(d.act[k], seeds[first + 2 * m.nv + k])
    for k in range(m.nu):
        d.ctrl[k] = with_tangents(d.ctrl[k], seeds[first + 2 * m.nv + m.na + k])


@kernel
def end(m, d, results, first):
    """How the next state and the sensors change, in the order of the seeds; values of positions are zero."""
    for k in range(m.nq):
        d.asked_qpos1[k] = with_tangents(d.qpos[k], 0.0)
    subtract_positions(m, d.asked_qpos1, d.qpos, d.vector_out, 1.0)
    for dof in range(m.nv):
        results[first + dof] = d.vector_out[dof]
        results[first + m.nv + dof] = d.qvel[dof]
    for k in range(m.na):
        results[first + 2 * m.nv + k] = d.act[k]
    for k in range(m.nsensordata):
        results[first + 2 * m.nv + m.na + k] = d.sensordata[k]


# --- addresses


def link_dual_parts(model: Store, data: Store) -> None:
    """Load what a step with tangents takes, and put the addresses where it finds them."""
    number, is_discrete = data.number, int(model.arrays["opt.integrator"]) == Integrator.DISCRETE
    wanted = [name for name in needed(model) if name not in _REPLACED]
    units: list[Unit] = [passes_entry(number), solution_unit(number)]
    link_parts(data, False, wanted, [*units, *([coupled_unit(number)] if is_discrete else [])])
    put_solver(data, is_discrete)


def put_solver(data: Store, is_discrete: bool) -> None:
    """The addresses of what stands in for the solver."""
    number, slot = data.number, data.schema.slot
    data.table[slot["part_solve_constraints"]] = address_of(solution_unit(number), implicit_solution.slot)
    if is_discrete:
        prepare([coupled_unit(number)])
        data.table[slot[coupled_acceleration.slot]] = address_of(coupled_unit(number), coupled_acceleration.slot)
