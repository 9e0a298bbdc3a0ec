"""The noslip pass after each solver, against MuJoCo."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from phalanx.tables.enums import ConstraintType
from tests.conformance.models import compiled
from tests.solver.harness import Problem, dense_jacobian
from tests.solver.reference import variant
from tests.solver.scenes import mixed
from tests.solver.test_dual import check_result
from tests.solver.test_primal import CONES, EVERYDAY, ISLANDS, MANY, relative

PGS, CG, NEWTON = 0, 1, 2
SOLVERS = pytest.mark.parametrize("solver", [PGS, CG, NEWTON], ids=["pgs", "cg", "newton"])


def check_noslip(model, iterations: int, n: int, noslip_tolerance: float = 1e-12) -> None:
    model.opt.noslip_iterations, model.opt.noslip_tolerance = iterations, noslip_tolerance
    problem = Problem(model)
    for d in problem.states(n):
        # conjugate gradients multiply rounding errors with every iteration, most of all when they end unfinished
        is_finished = d.solver_niter.max() < model.opt.iterations
        tolerance = 1e-9 if model.opt.solver != CG else 1e-6 if is_finished else 1e-5
        ours = problem.solve([d])[0]
        share_alike(model, d, ours)
        more = np.abs(ours["solver_niter"] - d.solver_niter)
        if model.opt.solver == CG and more.max() == 1:
            # conjugate gradients that stop at their tolerance may need one iteration more, with or without this pass
            assert relative(ours["qacc"], d.qacc) < 1e-5
            continue
        check_result(problem, d, ours, tolerance)


def share_alike(model, d, ours) -> None:
    """Opposite edges of a pyramid that act alike, as across a planar model: only their sum has a meaning."""
    J, row = dense_jacobian(model, d), 0
    while row < d.nefc:
        if d.efc_type[row] == ConstraintType.CONTACT_PYRAMIDAL:
            if np.abs(J[row] - J[row + 1]).max() < 1e-12 * np.abs(J[row]).max():
                for force in (d.efc_force, ours["efc_force"]):
                    force[row : row + 2] = force[row : row + 2].mean()
                ours["efc_state"][row : row + 2] = d.efc_state[row : row + 2]
            row += 1
        row += 1


@SOLVERS
@CONES
@ISLANDS
@pytest.mark.parametrize("iterations", [1, 5, 50])
@pytest.mark.parametrize("name", EVERYDAY)
def test_the_forces_are_those_of_mujoco(name, iterations, islands, cone, solver):
    check_noslip(variant(copy(compiled(name)), solver, cone, islands), iterations, 2)


@SOLVERS
@CONES
@ISLANDS
@pytest.mark.parametrize("floor", [1, 3, 4, 6])
def test_rows_of_every_kind(floor, islands, cone, solver):
    for iterations in (1, 3, 20):
        check_noslip(variant(mixed(floor), solver, cone, islands), iterations, 2)


@pytest.mark.conformance
@SOLVERS
@CONES
@ISLANDS
@pytest.mark.parametrize("name", MANY)
def test_many_models(name, islands, cone, solver):
    # with the usual tolerance: a smaller one asks for less than the primal solvers leave
    check_noslip(variant(copy(compiled(name)), solver, cone, islands), 10, 6, 1e-6)


@CONES
def test_contacts_slip_less(cone):
    """What the pass is for: tangential accelerations of contacts that stick come closer to what is asked."""
    slips = {}
    for iterations in (0, 100):
        model = variant(copy(compiled("suite/quadruped")), NEWTON, cone, True)
        model.opt.noslip_iterations, model.opt.noslip_tolerance, total = iterations, 1e-14, 0.0
        problem, plain = Problem(model), Problem(variant(copy(compiled("suite/quadruped")), NEWTON, cone, True))
        for d in plain.states(4):
            ours = problem.solve([d])[0]
            for contact in range(d.ncon):
                row, dim = d.contact.efc_address[contact], d.contact.dim[contact]
                if row < 0 or dim < 3:
                    continue
                jar = d.efc_J.reshape(d.nefc, -1)[row : row + 4] @ ours["qacc"] - d.efc_aref[row : row + 4]
                force = ours["efc_force"][row : row + 4]
                if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
                    sticks = np.linalg.norm(force[1:3] / d.contact.friction[contact][:2]) < 0.9 * force[0]
                    total += sticks * np.linalg.norm(jar[1:3])
                else:
                    sticks = (force[:4] > 1e-3 * force.sum()).all()
                    total += sticks * np.hypot(jar[0] - jar[1], jar[2] - jar[3])
        slips[iterations] = total
    assert 0 < slips[100] < 0.1 * slips[0]
