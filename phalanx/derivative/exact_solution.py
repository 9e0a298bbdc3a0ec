"""Through the constraint solver: the solution of one world is recorded, and its tangents follow from where it is.

The accelerations a that a solver finds are where the gradient of its cost is zero:

    M a - f - J' s(J a - aref) = 0

with f the smooth force and s the force of the rows. In numbers with tangents the left side, at the recorded a without
tangents, is zero and its tangents say how the inputs change it; H, the second derivative of the cost, says how a does.
So a has the tangents -H^-1 (those of the left side). Iterations are not looked at: what counts is that they ended at
the minimum. With the discrete integrator M is the metric of a step, and nothing else changes.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import abs_, maximum, primal, values_of, with_tangents
from phalanx.constraint.hessian_size import count_hessian
from phalanx.constraint.row_packs import divide_into_packs
from phalanx.integrator.table import advance_in_stages
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.forward import dynamics, forward
from phalanx.smooth.step_metric import mul_metric, smooth_force
from phalanx.solver.constraint_update import update_rows
from phalanx.solver.hessian import assemble, hessian_pattern
from phalanx.solver.hessian_factor import divide_by_factors, factor_hessian
from phalanx.solver.islands import list_all
from phalanx.solver.packs import all_rows_times, force_to_dofs

# --- one world


@kernel
def record(m, d):
    """Append qacc, qfrc_constraint and efc_force to `solution`, as far as there is room; without rows nothing."""
    if d.nefc > 0 and not lacks_memory(d):
        place = d.solution_place
        d.solution_place = place + 2 * m.nv + d.nefc
        if d.solution_place <= d.nsolution:
            for dof in range(m.nv):
                d.solution[place + dof] = d.qacc[dof]
                d.solution[place + m.nv + dof] = d.qfrc_constraint[dof]
            for row in range(d.nefc):
                d.solution[place + 2 * m.nv + row] = d.efc_force[row]


@kernel
def recorded_dynamics(m, d):
    """Forward dynamics on the way of an integrator."""
    dynamics(m, d)
    record(m, d)


@kernel
def recorded_stages(m, d):
    """The next state by an integrator that computes forward dynamics at other states, too."""
    advance_in_stages(m.opt.integrator, m, d, recorded_dynamics)


@kernel
def recorded_step(m, d):
    """One step of an integrator in stages, with all solutions of constraints on its way in `solution`."""
    d.solution_place = 0
    forward(m, d)
    if lacks_memory(d):
        return
    record(m, d)
    recorded_stages(m, d)


# --- with tangents


@part()
def implicit_solution(m, d):
    """In place of the solver: qacc, qfrc_constraint, efc_force and efc_state of the next recorded solution."""
    if not has_room(m, d):
        return
    place = d.solution_place
    divide_into_packs(m, d)
    list_all(m, d)
    for dof in range(m.nv):
        d.qacc[dof] = primal(d.solution[place + dof])
    evaluate_rows(d)
    mul_metric(m, d, d.solve_Ma, d.qacc)
    smooth = smooth_force(m, d)
    for dof in range(m.nv):
        d.solve_grad[dof] = d.solve_Ma[dof] - smooth[dof] - d.qfrc_constraint[dof]
    divide_by_values_of_hessian(m, d)
    note_distance(m, d, place == 0)
    for dof in range(m.nv):
        d.qacc[dof] = with_tangents(d.qacc[dof], -d.solve_grad[dof])
    evaluate_rows(d)
    # the solver updates J a in every iteration, so that its forces have rounding errors of their own
    for dof in range(m.nv):
        d.qfrc_constraint[dof] = with_tangents(d.solution[place + m.nv + dof], d.qfrc_constraint[dof])
    for row in range(d.nefc):
        d.efc_force[row] = with_tangents(d.solution[place + 2 * m.nv + row], d.efc_force[row])
    d.solution_place = place + 2 * m.nv + d.nefc


@kernel
def note_distance(m, d, is_first):
    """solver_gradient: how far Newton's method would still go, relative to qacc; the most in a step."""
    step, size = 0.0, 1.0
    for dof in range(m.nv):
        step = maximum(step, abs_(primal(d.solve_grad[dof])))
        size = maximum(size, abs_(primal(d.qacc[dof])))
    before = 0.0 if is_first else primal(d.solver_gradient[0])
    d.solver_gradient[0] = maximum(before, step / size)


@kernel
def evaluate_rows(d):
    """solve_jar, efc_state, efc_force and qfrc_constraint at qacc."""
    all_rows_times(d, d.qacc, d.solve_jar)
    for row in range(d.nefc):
        d.solve_jar[row] = d.solve_jar[row] - d.efc_aref[row]
    update_rows(d, True)
    force_to_dofs(d, True)


@kernel
def divide_by_values_of_hessian(m, d):
    """solve_grad <- H^-1 solve_grad. H has no tangents: it is made and factored as in one world."""
    v = values_of(d)
    hessian_pattern(m, v)
    assemble(m, v, v.hessian)
    factor_hessian(m, v)
    divide_by_factors(m, d, v, d.solve_grad)


@kernel
def has_room(m, d):
    """Is there memory for the factor of H? Solvers that do without one have not asked."""
    if m.nv * (m.nv + 1) // 2 > d.hessian_capacity and d.nH == 0:
        count_hessian(m, d)
    return not lacks_memory(d)
