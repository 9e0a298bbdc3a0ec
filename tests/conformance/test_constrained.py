"""Forward dynamics with all constraints against MuJoCo, along its own trajectories, on every model.

Contacts come from our own collision stage, and separately from MuJoCo, so that a difference of contacts cannot hide one
of the rows or the solver. Where the contacts of a convex pair differ (both engines search; ours is then polished), only
the second comparison applies.

With tight settings both engines end at the minimum: accelerations and forces agree to 1e-9, unless rounding alone does
more in the state (`states.resolution`). At default settings each may stop where the scaled improvement falls below
`opt.tolerance`; the cost is then about tolerance * trace(M) above its minimum, and since its Hessian is at least M, the
distance of two such points is at most 2 sqrt(2 tolerance trace(M)) in the norm of M.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import MODELS, compiled, make_data
from tests.conformance.states import Worst, relative_error, resolution, save
from tests.conformance.states import load as load_state
from tests.constraint.harness import take_contacts
from tests.solver.reference import tightened, variant

TOLERANCE = 1e-9
STATES, SWEEP = 6, 40
#: Steps of a trajectory that is followed, each day and in the sweep.
FOLLOWED, LONG = 40, 1000
#: Beyond this many dofs there are fewer states.
LARGE = 150
PGS, CG, NEWTON = 0, 1, 2
SOLVERS = {"PGS": PGS, "CG": CG, "Newton": NEWTON}
CONES = {"pyramidal": 0, "elliptic": 1}
#: For every solver and cone each day; all models in the sweep.
EVERYDAY = ("own/everything", "suite/humanoid", "suite/quadruped", "gymnasium/ant", "suite/walker", "suite/stacker")


def prepared(name: str, solver: int | None = None, cone: int | None = None) -> Any:
    """A model whose forward dynamics both engines compute; with a solver, at tight settings."""
    model = copy(compiled(name))
    if model.nflex:
        pytest.skip("flexes are not simulated")
    model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_DISCRETE:
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    if solver is not None and cone is not None:
        variant(model, solver, cone, islands=True)
        if solver == PGS:  # it converges slowly, but both take the same sweeps
            model.opt.tolerance, model.opt.iterations = 0.0, 30
        else:
            tightened(model)
    return model


def trajectory(model: Any, count: int, every: int, seed: int = 0) -> Iterator[Any]:
    """A MjData along random controls, before its forward pass."""
    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    for _ in range(count):
        for _ in range(every):
            data.ctrl[:] = rng.uniform(low, high)
            mujoco.mj_step(model, data)
        yield data


def run_injected(data: phalanx.Data, theirs: Any) -> None:
    """Our forward pass with MuJoCo's contacts."""
    data.run("fwd_position")
    take_contacts(theirs, data)
    for stage in ("make_constraint", "transmission", "fwd_velocity", "fwd_actuation", "fwd_acceleration"):
        data.run(stage)
    data.run("fwd_constraint")


def same_contacts(data: phalanx.Data, theirs: Any) -> bool:
    """Are the contacts the same to 1e-9?"""
    contact = theirs.contact
    if data.ncon != theirs.ncon or not np.array_equal(data.contact_geom, contact.geom):
        return False
    return all(
        np.abs(np.ravel(getattr(data, f"contact_{name}")) - np.ravel(getattr(contact, name))).max(initial=0.0)
        < TOLERANCE
        for name in ("dist", "pos", "frame")
    )


def errors(data: phalanx.Data, theirs: Any) -> dict[str, float]:
    """Relative errors; forces on dofs, in which those of rows cancel, are measured against the terms of their sums."""
    assert data.nefc == theirs.nefc
    found = {name: relative_error(getattr(data, name), getattr(theirs, name)) for name in ("qacc", "efc_force")}
    terms = np.zeros(data.model.nv)
    np.add.at(terms, data.efc_J_colind, np.abs(data.efc_J * np.repeat(data.efc_force, data.efc_J_rownnz)))
    scale = terms.max(initial=0.0)
    found["qfrc_constraint"] = relative_error(data.qfrc_constraint, theirs.qfrc_constraint, scale)
    return found


def inertia_norm(model: Any, theirs: Any, x: np.ndarray) -> float:
    product = np.zeros(model.nv)
    mujoco.mj_mulM(model, theirs, product, x)
    return float(np.sqrt(max(0.0, x @ product)))


def room(model: Any, theirs: Any) -> float:
    """How far two points may be apart, in the norm of M, if the cost of both is within the tolerance of the minimum."""
    trace = theirs.M[model.M_rowadr + model.M_rownnz - 1].sum()
    return float(2.0 * np.sqrt(2.0 * model.opt.tolerance * trace))


def check_tight(name: str, solver: int, cone: int, count: int, record: Callable[..., None]) -> None:
    """Accelerations and forces at the minimum, with our contacts and with MuJoCo's."""
    model = prepared(name, solver, cone)
    data, own, injected = make_data(phalanx.Model.from_mujoco(model)), Worst(TOLERANCE), Worst(TOLERANCE)
    for number, theirs in enumerate(trajectory(model, count if model.nv < LARGE else 2, 10)):
        limits = partial(resolution, model, save(model, theirs), mujoco.mj_forward)
        load_state(data, theirs)
        mujoco.mj_forward(model, theirs)
        data.forward()
        if same_contacts(data, theirs):
            own.add(errors(data, theirs), f"state {number}", limits)
        run_injected(data, theirs)
        injected.add(errors(data, theirs), f"state {number}, contacts of MuJoCo", limits)
    group = f"{next(key for key, value in SOLVERS.items() if value == solver)}"
    record(name, group, own.errors | injected.errors, own.is_rounding or injected.is_rounding)
    assert not own.failures and not injected.failures, (own.failures, injected.failures)


@pytest.mark.parametrize("name", MODELS)
def test_newton_on_every_model(name: str, record: Callable[..., None]) -> None:
    check_tight(name, NEWTON, int(compiled(name).opt.cone), STATES, record)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", EVERYDAY)
def test_solvers_and_cones(name: str, solver: str, cone: str, record: Callable[..., None]) -> None:
    check_tight(name, SOLVERS[solver], CONES[cone], STATES, record)


@pytest.mark.conformance
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", MODELS)
def test_solvers_and_cones_on_every_model(name: str, solver: str, cone: str, record: Callable[..., None]) -> None:
    check_tight(name, SOLVERS[solver], CONES[cone], SWEEP, record)


# --- default settings


def distance_left(model: Any, theirs: Any, engine: Any) -> float:
    """How far an engine's acceleration may be from the minimum: the gradient there, in the norm of the inverse of M."""
    product, solved = np.zeros(model.nv), np.zeros((1, model.nv))
    mujoco.mj_mulM(model, theirs, product, engine.qacc)
    gradient = product - theirs.qfrc_smooth - engine.qfrc_constraint
    mujoco.mj_solveM(model, theirs, solved, gradient[None])
    return float(np.sqrt(max(0.0, gradient @ solved[0])))


def allowed(model: Any, theirs: Any, data: phalanx.Data) -> float:
    """How far results at default settings may be apart, in the norm of M.

    As far as the tolerance says. Where rows are as stiff as 1e15, a line search of either engine may end with a step
    too short to improve anything, far from the minimum: then as far as both gradients say.
    """
    left = distance_left(model, theirs, theirs) + distance_left(model, theirs, data)
    return max(room(model, theirs), left)


def follow(name: str, steps: int, record: Callable[..., None]) -> Counter:
    """One step after the other from MuJoCo's state, at the settings of the model; returns differences of iterations."""
    model = prepared(name)
    data, iterations, worst = make_data(phalanx.Model.from_mujoco(model)), Counter(), 0.0
    for number, theirs in enumerate(trajectory(model, steps if model.nv < LARGE else steps // 10, 1)):
        load_state(data, theirs)
        mujoco.mj_forward(model, theirs)
        data.forward()
        if not same_contacts(data, theirs):
            run_injected(data, theirs)
        is_finished = theirs.solver_niter.max() < model.opt.iterations
        iterations[int(data.solver_niter.sum()) - int(theirs.solver_niter.sum())] += 1
        if is_finished and theirs.nefc:
            ratio = inertia_norm(model, theirs, data.qacc - theirs.qacc) / allowed(model, theirs, data)
            worst = max(worst, ratio)
            assert ratio <= 1.0, f"step {number}: {ratio:.1e} of what the tolerance allows"
    record(name, "default settings", {"qacc / allowed": worst})
    return iterations


@pytest.mark.parametrize("name", EVERYDAY)
def test_default_settings_along_a_trajectory(name: str, record: Callable[..., None]) -> None:
    iterations = follow(name, FOLLOWED, record)
    # the same decisions, but for a comparison at the edge of the tolerance
    assert iterations[0] >= 0.95 * iterations.total(), iterations


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_default_settings_along_long_trajectories(name: str, record: Callable[..., None]) -> None:
    iterations = follow(name, LONG, record)
    record(name, "iterations", {"share that differ": 1.0 - iterations[0] / max(1, iterations.total())})
