"""Every field of the smooth stages against MuJoCo, on every model, over random states.

One forward pass per state on both sides; then each group of fields is a test of its own, so that a gap in one group
does not hide the others. Tolerance: 1e-12 of the largest magnitude in the field.

Two exceptions, both from arithmetic:

- In some states the terms of a sum cancel (M_ii = cdof' crb cdof consists of moments about the center of the whole
  tree) or M is close to singular. When an error is beyond 1e-12, MuJoCo repeats its computation from states that differ
  in the last bit; what that changes is the resolution of the state, and the tolerance (`states.resolution`). Solutions
  must satisfy their equation to 1e-12 all the same: the backward error of solves with M has a group of its own.
- A Jacobian or a bias force can be zero by cancellation: they are measured against the terms that they are the sum of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.data_fields import DATA
from phalanx.tables.enums import TrnType
from phalanx.tables.field import Kind
from tests.conformance.models import LARGE, MODELS, Pair, load
from tests.conformance.states import STATE, Worst, compare, random_states, relative_error, resolution, save
from tests.conformance.states import load as load_state

TOLERANCE = 1e-12
STATES, SWEEP = 20, 200
#: Objects of each kind whose Jacobians are compared in a state.
OBJECTS = 3
#: Transmissions whose row of the moment matrix has the same entries in every state.
FIXED_ROWS = [int(kind) for kind in (TrnType.JOINT, TrnType.JOINTINPARENT, TrnType.TENDON)]


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
    "tendon": ("ten_length", "ten_J"),
    "velocity": ("ten_velocity", "actuator_velocity"),
    "fwd_constraint": ("qacc", "qfrc_constraint"),
    "state": STATE,
}  # fmt: skip
#: Groups that are compared by their own functions.
OTHER_GROUPS = ("paths", "moments", "jacobian", "inertia_product", "solve_residual")
ALL_GROUPS = (*GROUPS, *OTHER_GROUPS)


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


def backward_error(model: Any, matrix: np.ndarray, product: np.ndarray, x: np.ndarray, force: np.ndarray) -> float:
    """How well M x = force holds, in units of the square roots of the diagonal of M."""
    if not model.nv:
        return 0.0
    unit = 1.0 / np.sqrt(diagonal(model, matrix))
    size = (absolute_product(model, matrix, x) + np.abs(force)) * unit
    return relative_error(product * unit, force * unit, scale=size.max(initial=0.0))


def weight_moment(model: Any, mjdata: Any) -> float:
    """Largest force of weight on a dof, if none of it canceled; the bias force of a door is the zero it cancels to."""
    weight = np.linalg.norm(model.opt.gravity) * model.body_subtreemass[model.dof_bodyid]
    return float((np.abs(mjdata.cdof).max(axis=1, initial=0.0) * weight).max(initial=0.0))


# --- groups with their own comparison


def moment_errors(pair: Pair, data: phalanx.Data, mjdata: Any) -> dict[str, float]:
    """The moment matrix: values, and the structure of rows whose entries are not computed.

    In rows of sites, cranks and contacts zeros are left out, and rounding decides what is zero.
    """
    m = pair.mujoco
    ours, theirs = (dense_moments(m, engine) for engine in (data, mjdata))
    fixed = np.isin(m.actuator_trntype, FIXED_ROWS)
    structure = ("moment_rownnz", "moment_rowadr", "moment_colind") if fixed.all() else ()
    return {"actuator_moment": relative_error(ours, theirs)} | compare(data, mjdata, structure)


def dense_moments(m: Any, data: Any) -> np.ndarray:
    matrix = np.zeros((m.nout, m.nv))
    for out in range(m.nout):
        entries = slice(data.moment_rowadr[out], data.moment_rowadr[out] + data.moment_rownnz[out])
        matrix[out, data.moment_colind[entries]] = data.actuator_moment[entries]
    return matrix


def path_errors(data: phalanx.Data, mjdata: Any) -> dict[str, float]:
    """The paths of tendons: how many points, on what, where. Beyond the last point MuJoCo keeps what it had."""
    count = int((mjdata.ten_wrapadr + mjdata.ten_wrapnum).max(initial=0))
    errors = compare(data, mjdata, ("ten_wrapadr", "ten_wrapnum"))
    for name, size in (("wrap_obj", 1), ("wrap_xpos", 3)):
        ours, theirs = (np.reshape(getattr(engine, name), (-1, size))[:count] for engine in (data, mjdata))
        errors[name] = relative_error(ours, theirs)
    return errors


def jacobian_scales(m: Any, mjdata: Any, body: int, point: np.ndarray) -> dict[str, tuple[float, ...]]:
    """Size of the terms of the Jacobians of a point (translation, rotation) and of the momentum of a subtree."""
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


def inertia_errors(
    pair: Pair, data: phalanx.Data, mjdata: Any, rng: np.random.Generator
) -> dict[str, dict[str, float]]:
    """Products with M, and how well solutions satisfy their equation."""
    m = pair.mujoco
    x, product = rng.normal(size=m.nv), np.zeros(m.nv)
    mujoco.mj_mulM(m, mjdata, product, x)
    products = {"mul_m": relative_error(data.mul_m(x), product)}
    if m.nv <= LARGE:
        full = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, mjdata, full)
        products["full_m"] = relative_error(data.full_m(), full)
    residuals = {}
    for name, y, force in (("solve_m", data.solve_m(x), x), ("qacc_smooth", data.qacc_smooth, mjdata.qfrc_smooth)):
        mujoco.mj_mulM(m, mjdata, product, np.array(y))
        residuals[name] = backward_error(m, mjdata.M, product, y, force)
    return {"inertia_product": products, "solve_residual": residuals}


# --- the sweep


def forward(model: Any, mjdata: Any) -> None:
    """Everything that is compared, by MuJoCo."""
    mujoco.mj_forward(model, mjdata)
    mujoco.mj_subtreeVel(model, mjdata)


@lru_cache(maxsize=1)
def sweep(name: str, count: int, seed: int) -> dict[str, Worst]:
    """Errors of all groups on one model."""
    pair = load(name)
    data = pair.data()
    results = {group: Worst(TOLERANCE) for group in ALL_GROUPS}
    for number, mjdata in enumerate(random_states(pair.mujoco, count, seed)):
        load_state(data, mjdata)
        limits = partial(resolution, pair.mujoco, save(pair.mujoco, mjdata), forward)
        forward(pair.mujoco, mjdata)
        data.forward().run("subtree_vel")
        for group, errors in state_errors(pair, data, mjdata, np.random.default_rng([seed, number])).items():
            results[group].add(errors, f"state {number}", limits if group in GROUPS else None)
    return results


def state_errors(pair: Pair, data: phalanx.Data, mjdata: Any, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Errors of all groups in one state."""
    errors = {group: compare(data, mjdata, fields) for group, fields in GROUPS.items()}
    scale = max(weight_moment(pair.mujoco, mjdata), np.abs(mjdata.qfrc_bias).max(initial=0.0))
    errors["rne"]["qfrc_bias"] = relative_error(data.qfrc_bias, mjdata.qfrc_bias, scale)
    errors["paths"] = path_errors(data, mjdata)
    errors["moments"] = moment_errors(pair, data, mjdata)
    errors["jacobian"] = jacobian_errors(pair, data, mjdata, rng)
    return errors | inertia_errors(pair, data, mjdata, rng)


#: (model, group) -> reason.
GAPS: dict[tuple[str, str], str] = {}


def expected_failure(reason: str | None) -> list[Any]:
    return [pytest.mark.xfail(reason=reason, strict=True)] if reason else []


def cases() -> list[Any]:
    return [
        pytest.param(name, group, id=f"{name}-{group}", marks=expected_failure(GAPS.get((name, group))))
        for name in MODELS
        for group in ALL_GROUPS
    ]


def check_group(name: str, group: str, count: int, seed: int, record: Callable[..., None]) -> None:
    worst = sweep(name, count, seed)[group]
    record(name, group, worst.errors, worst.is_rounding, load(name).neutralized)
    assert not worst.failures, f"{name}, {group}: {worst.failures}"


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
    compared = {name for fields in GROUPS.values() for name in fields} | {"actuator_moment", "wrap_xpos"}
    assert {name for stage in stages for name in real(stage)} <= compared
