"""Every field of the smooth stages against MuJoCo, on every model, over random states.

One forward pass per state on both sides; then each group of fields is a test of its own, so that a gap in one group does
not hide the others. Tolerance: 1e-12 of the largest magnitude in the field.

Two exceptions, both from arithmetic:

- What lies behind a solve with the inertia matrix M (its factors, accelerations) is only as good as M allows. In units of
  its diagonal, M carries an error of eps = 1.1e-16 times the cancellation in M_ii = cdof' crb cdof, whose terms are
  moments about the center of the whole tree; the solve multiplies that by the condition number of M in the same units.
  Where the product exceeds 1e-12 it is the tolerance; the backward error (how well the solution satisfies its equation)
  must be below 1e-12 all the same.
- A Jacobian can be zero by cancellation: it is measured against the size of the terms that it is the sum of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import Kind
from tests.conformance.models import LARGE, MODELS, Pair, load, supported_outputs
from tests.conformance.states import STATE, compare, load as load_state, random_states, read, relative_error

TOLERANCE = 1e-12
EPSILON = 2.0**-53
#: Roundings in a row that count, on the way to M and through its factors.
OPERATIONS = 16
STATES, SWEEP = 20, 200
#: Objects of each kind whose Jacobians are compared in a state.
OBJECTS = 3


def real(*groups: str) -> tuple[str, ...]:
    """The real fields of table groups."""
    return tuple(row.name for group in groups for row in DATA[group] if row.kind is Kind.REAL)


#: Group -> the fields that its stage writes.
GROUPS: dict[str, tuple[str, ...]] = {
    **{group: real(group) for group in (
        "kinematics", "com_pos", "camera_light", "make_m", "factor_m", "com_vel", "passive", "rne", "fwd_actuation",
        "fwd_acceleration", "energy", "subtree_vel",
    )},
    "transmission": ("actuator_length",),
    "velocity": ("actuator_velocity",),
    "fwd_constraint": ("qacc", "qfrc_constraint"),
    "state": STATE,
}  # fmt: skip
#: Fields whose accuracy is bounded by the condition of M.
BEHIND_SOLVE = frozenset(("qLD", "qLDiagInv", "qacc_smooth", "qacc", "solve_m"))
#: Groups that are compared by their own functions.
OTHER_GROUPS = ("moments", "jacobian", "inertia_product", "solve_residual")
ALL_GROUPS = (*GROUPS, *OTHER_GROUPS)


@dataclass
class Worst:
    """Largest errors of a group over all states, and those beyond the tolerance of their state."""

    errors: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    #: Was a tolerance other than 1e-12 needed?
    is_conditioned: bool = False

    def add(self, name: str, error: float, bound: Callable[[], float], where: str) -> None:
        self.errors[name] = max(self.errors.get(name, 0.0), error)
        if error <= TOLERANCE:
            return
        limit = bound() if name in BEHIND_SOLVE else TOLERANCE
        self.is_conditioned |= limit > TOLERANCE
        if not error <= limit:
            self.failures.setdefault(name, f"{error:.1e} > {limit:.1e} in {where}")


# --- the inertia matrix


def absolute_product(model: Any, matrix: np.ndarray, x: np.ndarray) -> np.ndarray:
    """|M| |x|, for a matrix in the pattern of M."""
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    values, x, result = np.abs(matrix), np.abs(x), np.zeros(model.nv)
    np.add.at(result, rows, values * x[model.M_colind])
    below = rows != model.M_colind
    np.add.at(result, model.M_colind[below], (values * x[rows])[below])
    return result


def diagonal(model: Any, matrix: np.ndarray) -> np.ndarray:
    return matrix[model.M_rowadr + model.M_rownnz - 1]


def cancellation(model: Any, mjdata: Any) -> float:
    """Largest ratio of the terms of M_ii = cdof' crb cdof to their sum: |cdof|' |crb| |cdof| / M_ii."""
    inertia, axis = np.abs(mjdata.crb[model.dof_bodyid]), np.abs(mjdata.cdof)
    xx, yy, zz, xy, xz, yz, mx, my, mz, mass = inertia.T
    a, b, c, x, y, z = axis.T
    angular = xx * a * a + yy * b * b + zz * c * c + 2 * (xy * a * b + xz * a * c + yz * b * c)
    mixed = 2 * (mx * (b * z + c * y) + my * (a * z + c * x) + mz * (a * y + b * x))
    terms = angular + mixed + mass * (x * x + y * y + z * z)
    return float((terms / diagonal(model, mjdata.M)).max(initial=1.0))


def condition(model: Any, matrix: np.ndarray) -> float:
    """Largest condition number of the trees' blocks of M, each scaled to a unit diagonal."""
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    unit = 1.0 / np.sqrt(diagonal(model, matrix))
    worst = 1.0
    for tree in range(model.ntree):
        first, count = model.tree_dofadr[tree], model.tree_dofnum[tree]
        inside = (rows >= first) & (rows < first + count)
        full = np.zeros((count, count))
        full[rows[inside] - first, model.M_colind[inside] - first] = matrix[inside]
        full += np.tril(full, -1).T
        scale = unit[first : first + count]
        worst = max(worst, float(np.linalg.cond(full * np.outer(scale, scale))))
    return worst


def solve_tolerance(model: Any, mjdata: Any) -> float:
    """How far results behind a solve with M may differ in this state."""
    return max(TOLERANCE, OPERATIONS * EPSILON * cancellation(model, mjdata) * condition(model, mjdata.M))


def backward_error(model: Any, matrix: np.ndarray, product: np.ndarray, x: np.ndarray, force: np.ndarray) -> float:
    """How well M x = force holds, in units of the square roots of the diagonal of M."""
    if not model.nv:
        return 0.0
    unit = 1.0 / np.sqrt(diagonal(model, matrix))
    size = (absolute_product(model, matrix, x) + np.abs(force)) * unit
    return relative_error(product * unit, force * unit, scale=size.max(initial=0.0))


def factor_error(model: Any, factor: np.ndarray, expected: np.ndarray, matrix: np.ndarray) -> float:
    """Error of qLD in the units of M: D_ii by M_ii, L_ij (column j by row i) by sqrt(M_jj / M_ii)."""
    scale = np.sqrt(diagonal(model, matrix))
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    is_diagonal = rows == model.M_colind
    unit = np.where(is_diagonal, scale[rows] ** -2.0, scale[rows] / scale[model.M_colind])
    # in these units D is at most 1, and |L| is of order 1
    return relative_error(factor * unit, expected * unit, scale=max(1.0, np.abs(expected * unit).max(initial=0.0)))


# --- groups with their own comparison


def moment_errors(pair: Pair, data: phalanx.Data, mjdata: Any) -> dict[str, float]:
    """The moment matrix row by row: structure and values; of neutralized actuators that it is zero."""
    errors = {"moment_rownnz": 0.0, "moment_rowadr": 0.0, "moment_colind": 0.0, "actuator_moment": 0.0}
    outputs = supported_outputs(pair.mujoco)
    structure = ("moment_rownnz", "moment_rowadr", "moment_colind") if outputs.all() else ()
    errors |= compare(data, mjdata, structure)
    scale = np.abs(mjdata.actuator_moment).max(initial=0.0)
    for out in range(pair.mujoco.nout):
        ours = slice(data.moment_rowadr[out], data.moment_rowadr[out] + data.moment_rownnz[out])
        theirs = slice(mjdata.moment_rowadr[out], mjdata.moment_rowadr[out] + mjdata.moment_rownnz[out])
        actual, expected = data.actuator_moment[ours], mjdata.actuator_moment[theirs]
        if not outputs[out]:
            error = float(np.abs(actual).max(initial=0.0) + np.abs(expected).max(initial=0.0))
        elif np.array_equal(data.moment_colind[ours], mjdata.moment_colind[theirs]):
            error = relative_error(actual, expected, scale=scale)
        else:
            error = np.inf
        errors["actuator_moment"] = max(errors["actuator_moment"], error)
    return errors


def jacobian_scales(m: Any, mjdata: Any, body: int, point: np.ndarray) -> dict[str, tuple[float, ...]]:
    """Size of the terms of the Jacobians of a point, and of the angular momentum of a subtree: translation, rotation."""
    root = m.body_rootid[body]
    dofs, bodies = m.body_rootid[m.dof_bodyid] == root, m.body_rootid == root
    axis, axis_rate, velocity = (
        np.abs(rows).max(initial=0.0) for rows in (mjdata.cdof[dofs], mjdata.cdof_dot[dofs], mjdata.cvel[bodies])
    )
    arm = 1.0 + np.linalg.norm(point - mjdata.subtree_com[root])
    rate = axis_rate + axis * velocity
    # positions are rounded in units of their distance from the origin of the world, however small the body
    reach = np.abs(mjdata.xipos[bodies]).max() + np.abs(mjdata.xipos[bodies] - mjdata.subtree_com[root]).max()
    momentum = m.body_subtreemass[body] * reach * axis * (1.0 + reach)
    return {"jac": (axis * arm, axis), "jac_dot": (rate * arm, rate), "angmom_mat": (momentum,)}


def jacobian_errors(pair: Pair, data: phalanx.Data, mjdata: Any, rng: np.random.Generator) -> dict[str, float]:
    """Jacobians of random points, bodies, geoms, sites and subtrees."""
    m = pair.mujoco
    errors: dict[str, float] = {}

    def check(name: str, actual: tuple, function: Any, arguments: tuple, body: int, point: np.ndarray) -> None:
        expected = [np.zeros((3, m.nv)) for _ in actual]
        function(m, mjdata, *expected, *arguments)
        scales = jacobian_scales(m, mjdata, body, point)
        for part, ours, theirs, scale in zip("pr", actual, expected, scales.get(name, scales["jac"]), strict=False):
            error = relative_error(ours, theirs, scale=max(scale, np.abs(theirs).max(initial=0.0)))
            errors[f"{name} {part}"] = max(errors.get(f"{name} {part}", 0.0), error)

    for body in map(int, rng.integers(m.nbody, size=OBJECTS)):
        point, com = rng.normal(size=3), mjdata.subtree_com[body]
        check("jac", data.jac(point, body), mujoco.mj_jac, (point, body), body, point)
        check("jac_dot", data.jac_dot(point, body), mujoco.mj_jacDot, (point, body), body, point)
        check("jac_body", data.jac_body(body), mujoco.mj_jacBody, (body,), body, mjdata.xpos[body])
        check("jac_body_com", data.jac_body_com(body), mujoco.mj_jacBodyCom, (body,), body, mjdata.xipos[body])
        check("jac_subtree_com", (data.jac_subtree_com(body),), mujoco.mj_jacSubtreeCom, (body,), body, com)
        check("angmom_mat", (data.angmom_mat(body),), mujoco.mj_angmomMat, (body,), body, com)
    for geom in map(int, rng.integers(m.ngeom, size=OBJECTS if m.ngeom else 0)):
        body, center = int(m.geom_bodyid[geom]), data.geom_xpos[geom]
        check("jac_geom", data.jac_geom(geom), mujoco.mj_jac, (center, body), body, center)
    for site in map(int, rng.integers(m.nsite, size=OBJECTS if m.nsite else 0)):
        body = int(m.site_bodyid[site])
        check("jac_site", data.jac_site(site), mujoco.mj_jacSite, (site,), body, mjdata.site_xpos[site])
    return errors


def inertia_errors(pair: Pair, data: phalanx.Data, mjdata: Any, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Products and solves with M, forward and backward errors."""
    m = pair.mujoco
    x = rng.normal(size=m.nv)
    product, solution = np.zeros(m.nv), np.zeros((1, m.nv))
    mujoco.mj_mulM(m, mjdata, product, x)
    mujoco.mj_solveM(m, mjdata, solution, x[None])
    products = {"mul_m": relative_error(data.mul_m(x), product)}
    if m.nv <= LARGE:
        full = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, mjdata, full)
        products["full_m"] = relative_error(data.full_m(), full)
    solved = data.solve_m(x)
    residuals = {}
    for name, y, force in (("solve_m", solved, x), ("qacc_smooth", data.qacc_smooth, mjdata.qfrc_smooth)):
        mujoco.mj_mulM(m, mjdata, product, np.array(y))
        residuals[f"residual of {name}"] = backward_error(m, mjdata.M, product, y, force)
    residuals["solve_m"] = relative_error(solved, solution[0])
    return {"inertia_product": products, "solve_residual": residuals}


# --- the sweep


@lru_cache(maxsize=1)
def sweep(name: str, count: int, seed: int) -> dict[str, Worst]:
    """Errors of all groups on one model."""
    pair = load(name)
    data = pair.data()
    results = {group: Worst() for group in ALL_GROUPS}
    for number, mjdata in enumerate(random_states(pair.mujoco, count, seed)):
        load_state(data, mjdata)
        mujoco.mj_forward(pair.mujoco, mjdata)
        mujoco.mj_subtreeVel(pair.mujoco, mjdata)
        data.forward().run("subtree_vel")
        for group, errors in state_errors(pair, data, mjdata, np.random.default_rng([seed, number])).items():
            for key, error in errors.items():
                results[group].add(key, error, partial(solve_tolerance, pair.mujoco, mjdata), f"state {number}")
    return results


def state_errors(
    pair: Pair, data: phalanx.Data, mjdata: Any, rng: np.random.Generator
) -> dict[str, dict[str, float]]:
    """Errors of all groups in one state."""
    errors = {group: compare(data, mjdata, fields) for group, fields in GROUPS.items()}
    errors["factor_m"]["qLD"] = factor_error(pair.mujoco, data.qLD, mjdata.qLD, mjdata.M)
    errors["moments"] = moment_errors(pair, data, mjdata)
    errors["jacobian"] = jacobian_errors(pair, data, mjdata, rng)
    return errors | inertia_errors(pair, data, mjdata, rng)


SAMEFRAME = "GAP: frames closer than 1e-6 (geom_sameframe, body_sameframe, site_sameframe) are not taken as equal"
GAPS: dict[tuple[str, str], str] = {
    (name, "kinematics"): SAMEFRAME
    for name in (
        "shared/menagerie/robotiq_2f85/2f85", "shared/menagerie/robotiq_2f85/scene", "suite/dog",
        "locomotion/walkers/assets/dog_v2/dog",
    )
}  # fmt: skip


def cases() -> list[Any]:
    return [
        pytest.param(name, group, id=f"{name}-{group}", marks=[pytest.mark.xfail(reason=GAPS[name, group], strict=True)])
        if (name, group) in GAPS
        else pytest.param(name, group, id=f"{name}-{group}")
        for name in MODELS
        for group in ALL_GROUPS
    ]


def check_group(name: str, group: str, count: int, seed: int, record: Callable[..., None]) -> None:
    worst = sweep(name, count, seed)[group]
    note = "; ".join(load(name).neutralized)
    record(name, group, worst.errors, "*" if worst.is_conditioned else "")
    assert not worst.failures, f"{name}, {group} ({note} neutralized): {worst.failures}"


@pytest.mark.parametrize(("name", "group"), cases())
def test_forward(name: str, group: str, record: Callable[..., None]) -> None:
    check_group(name, group, STATES, 0, record)


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "group"), cases())
def test_forward_of_many_states(name: str, group: str, record: Callable[..., None]) -> None:
    check_group(name, group, SWEEP, 1, record)


def test_every_stage_writes_fields_that_are_compared() -> None:
    """No real row of a stage that runs today is left out of the comparison."""
    stages = [group for group in GROUPS if group in DATA and group not in ("velocity", "fwd_constraint", "state")]
    compared = {name for fields in GROUPS.values() for name in fields} | {"actuator_moment"}
    assert {name for stage in stages for name in real(stage)} <= compared
    assert read and BEHIND_SOLVE - compared == {"solve_m"}
