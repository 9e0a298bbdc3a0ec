"""The factor of the Hessian against a dense factorization."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from phalanx.memory.store import PlainView, Store
from phalanx.solver.hessian import assemble, felt_rows, hessian_pattern
from phalanx.solver.hessian_factor import factor_hessian
from tests.conformance.models import compiled
from tests.solver.harness import Problem, dense_jacobian
from tests.solver.reference import inertia, variant


def dense(store: Store, name: str, nv: int) -> np.ndarray:
    """The lower half of a matrix in the pattern of the Hessian."""
    a, full = store.arrays, np.zeros((nv, nv))
    for row in range(nv):
        start, n = a["hessian_rowadr"][row], a["hessian_rownnz"][row]
        full[row, a["hessian_colind"][start : start + n]] = a[name][start : start + n]
    return full


@pytest.mark.parametrize("name", ["suite/humanoid", "suite/stacker", "suite/quadruped"])
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_factor_multiplies_to_the_hessian(name, cone):
    problem = Problem(variant(copy(compiled(name)), 2, cone, False))
    nv = problem.mjmodel.nv
    for d in problem.states(3):
        store = problem.fill([d])
        problem.run(store)
        a, view = store.arrays, PlainView(store)
        count = hessian_pattern(PlainView(problem.model._store), view)
        assert count <= nv * (nv + 1) // 2
        assemble(PlainView(problem.model._store), view, a["hessian"])
        factor_hessian(PlainView(problem.model._store), view)
        J = dense_jacobian(problem.mjmodel, d)
        places = problem.results(store, problem.union([d]), 0)["places"]
        state, weight = a["efc_state"][places], np.where(a["efc_state"][places] == 1, d.efc_D, 0)
        H = inertia(problem.mjmodel, d) + J.T @ np.diag(weight) @ J
        np.testing.assert_allclose(dense(store, "hessian", nv), np.tril(H), rtol=1e-12, atol=1e-12 * H.max())
        row = 0
        while row < d.nefc:
            if state[row] == 4:
                contact = int(a["efc_id"][places[row]])
                dim = int(a["contact_dim"][contact])
                block = a["contact_H"][contact][: dim * dim].reshape(dim, dim)
                H = H + J[row : row + dim].T @ block @ J[row : row + dim]
                row += dim - 1
            row += 1
        L = np.tril(dense(store, "hessian_factor", nv), -1) + np.eye(nv)
        np.testing.assert_allclose(L.T @ np.diag(1 / a["hessian_inverse"]) @ L, H, rtol=1e-9, atol=1e-12 * H.max())


def test_contacts_with_the_world_fill_in_nothing():
    """The feet of a walker on the floor leave the Hessian the pattern of the inertia."""
    problem = Problem(copy(compiled("suite/walker")))
    for d in problem.states(3):
        store = problem.fill([d])
        problem.run(store)
        if store.arrays["solver_niter"][0]:
            np.testing.assert_array_equal(store.arrays["hessian_rownnz"], problem.mjmodel.M_rownnz)
            return


@pytest.mark.parametrize("size", [3, 4])
def test_rows_that_no_world_feels_are_left_out(size):
    """Whichever rows of a pack have a weight, these and no others are added, in their order."""
    for mask in range(1, 2**size):
        weights = [float(k + 1) if mask >> k & 1 else 0.0 for k in range(size)]
        padded = (*weights, *weights[-1:] * (4 - size))
        number, chosen, steps = felt_rows(padded, (0, 10, 20, 10 * (size - 1)), size)
        felt = [k for k in range(size) if mask >> k & 1]
        assert number == len(felt)
        assert list(chosen[:number]) == [weights[k] for k in felt]
        assert list(steps[:number]) == [10 * k for k in felt]
