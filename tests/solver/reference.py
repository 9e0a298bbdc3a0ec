"""The cost of constrained dynamics and its optimality conditions, written naively with dense matrices."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from phalanx.tables.enums import ConstraintType
from tests.solver.harness import dense_jacobian


def inertia(m: Any, d: Any) -> np.ndarray:
    M = np.zeros((m.nv, m.nv))
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    M[rows, m.M_colind] = d.M
    return M + np.tril(M, -1).T


def cone_of(d: Any, row: int) -> tuple[int, float, np.ndarray]:
    contact = int(d.efc_id[row])
    dim = int(d.contact.dim[contact])
    return dim, float(d.contact.mu[contact]), d.contact.friction[contact][: dim - 1]


def cost(m: Any, d: Any, qacc: np.ndarray) -> float:
    """The primal cost of an acceleration, in extended precision."""
    wide = np.longdouble
    jar = dense_jacobian(m, d).astype(wide) @ qacc.astype(wide) - d.efc_aref
    gap = qacc.astype(wide) - d.qacc_smooth
    total = 0.5 * gap @ (inertia(m, d).astype(wide) @ gap)
    row = 0
    while row < d.nefc:
        kind, D, x = d.efc_type[row], wide(d.efc_D[row]), jar[row]
        if kind == ConstraintType.EQUALITY:
            total += 0.5 * D * x * x
        elif kind in (ConstraintType.FRICTION_DOF, ConstraintType.FRICTION_TENDON):
            loss, bound = d.efc_frictionloss[row], d.efc_R[row] * d.efc_frictionloss[row]
            total += 0.5 * D * x * x if abs(x) < bound else loss * (abs(x) - 0.5 * bound)
        elif kind == ConstraintType.CONTACT_ELLIPTIC:
            dim, mu, friction = cone_of(d, row)
            N, T = mu * x, np.linalg.norm((friction * jar[row + 1 : row + dim]).astype(float))
            if mu * N + T <= 0:
                total += 0.5 * (d.efc_D[row : row + dim] * jar[row : row + dim] ** 2).sum()
            elif mu * T > N:
                total += 0.5 * D / (mu**2 * (1 + mu**2)) * (N - mu * T) ** 2
            row += dim - 1
        elif x < 0:
            total += 0.5 * D * x * x
        row += 1
    return total


def rounding(m: Any, d: Any) -> float:
    """What rounding of the accelerations alone may add to the cost."""
    stiffness = np.trace(inertia(m, d)) + (d.efc_D[:, None] * dense_jacobian(m, d) ** 2).sum()
    return 100 * stiffness * (np.finfo(float).eps * np.abs(d.qacc).max()) ** 2


def violations(m: Any, d: Any, result: dict[str, np.ndarray]) -> dict[str, float]:
    """How far a result is from optimal: residual of the dynamics (scaled), forces outside their cones (relative)."""
    M, J = inertia(m, d), dense_jacobian(m, d)
    force, jar = result["efc_force"], J @ result["qacc"] - d.efc_aref
    scale = 1 / np.trace(M)
    residual = M @ (result["qacc"] - d.qacc_smooth) - J.T @ force
    largest = max(1e-12, np.abs(force).max())
    outside = complementary = 0.0
    row = 0
    while row < d.nefc:
        kind, f = d.efc_type[row], force[row]
        if kind in (ConstraintType.FRICTION_DOF, ConstraintType.FRICTION_TENDON):
            outside = max(outside, abs(f) - d.efc_frictionloss[row])
        elif kind == ConstraintType.CONTACT_ELLIPTIC:
            dim, _, friction = cone_of(d, row)
            outside = max(outside, -f, np.linalg.norm(force[row + 1 : row + dim] / friction) - f)
            row += dim - 1
        elif kind != ConstraintType.EQUALITY:
            outside = max(outside, -f)
            # either the row does not push, or it is violated by as much as its regularization allows
            complementary = max(complementary, abs(f) * max(0.0, jar[row]) / (largest * max(1.0, np.abs(jar).max())))
        row += 1
    return {
        "gradient": scale * float(np.linalg.norm(residual)),
        "outside": outside / largest,
        "complementary": complementary,
    }


def tightened(model: Any) -> Any:
    """Stop only when numbers do."""
    model.opt.tolerance, model.opt.iterations, model.opt.ls_iterations = 1e-15, 1000, 100
    return model


def variant(model: Any, solver: int, cone: int, islands: bool, noslip: int = 0) -> Any:
    """Set the options of a model, in place."""
    model.opt.solver, model.opt.cone, model.opt.noslip_iterations = solver, cone, noslip
    if not islands:
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    return model
