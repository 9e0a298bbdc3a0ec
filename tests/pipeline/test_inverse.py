"""Inverse dynamics against MuJoCo, against forward dynamics, and in all ways of running."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cache, partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.memory.errors import FieldError, ModelError
from phalanx.pipeline.operations import run_interpreted
from phalanx.tables.enums import EnableBit, Integrator
from tests.conformance.models import MODELS, load, make_data
from tests.conformance.states import Worst, kept_by_batches, random_states, relative_error, resolution, save
from tests.conformance.states import load as load_state
from tests.conformance.test_constrained import prepared, same_contacts, trajectory
from tests.constraint.harness import take_contacts
from tests.quiet import quiet
from tests.solver.reference import tightened
from tests.solver.scenes import mixed

SMOOTH, CONSTRAINED, ROUND_TRIP = 1e-12, 1e-9, 1e-8
STATES, FEW = 8, 3
LARGE = 150
LANES = 8
DISCRETE, COMPARE, ENERGY = int(EnableBit.INVDISCRETE), int(EnableBit.FWDINV), int(EnableBit.ENERGY)
INTEGRATORS = {"Euler": 0, "implicit": 2, "implicitfast": 3}
OWN = tuple(name for name in MODELS if name.startswith("own/"))
EVERYDAY = ("own/everything", "own/tendon_constraints", "own/equality", "suite/humanoid", "gymnasium/ant")
DISCRETE_EVERYDAY = (
    "own/everything", "own/actuators", "own/actuators_with_state", "own/actuator_limits", "own/fluid_ellipsoid",
    "own/dampers", "own/free_children", "own/tendon_armature", "own/tendon_forces", "suite/quadruped",
)  # fmt: skip
CONES = {"pyramidal": 0, "elliptic": 1}


# --- against MuJoCo


def inverse_with(qacc: np.ndarray, model: Any, theirs: Any) -> None:
    """MuJoCo's inverse dynamics at an acceleration. Actuator forces, of which it uses the last, are up to date."""
    mujoco.mj_forward(model, theirs)
    theirs.qacc[:] = qacc
    mujoco.mj_inverse(model, theirs)


def errors(data: phalanx.Data, theirs: Any) -> dict[str, float]:
    """Relative errors; sums are measured against their terms."""
    assert data.nefc == theirs.nefc
    terms = np.zeros(data.model.nv)
    np.add.at(terms, data.efc_J_colind, np.abs(data.efc_J * np.repeat(data.efc_force, data.efc_J_rownnz)))
    rows = terms.max(initial=0.0)
    inertia = np.abs(data.full_m()) @ np.abs(data.qacc)
    scale = max(np.abs(x).max(initial=0.0) for x in (inertia, theirs.qfrc_bias, theirs.qfrc_passive, terms))
    return {
        "efc_force": relative_error(data.efc_force, theirs.efc_force),
        "qfrc_constraint": relative_error(data.qfrc_constraint, theirs.qfrc_constraint, rows),
        "qfrc_inverse": relative_error(data.qfrc_inverse, theirs.qfrc_inverse, scale),
    }


def accelerations(model: Any, number: int) -> np.ndarray:
    rng = np.random.default_rng([7, number])
    return rng.normal(size=model.nv) * rng.choice([0.3, 3.0, 30.0])


def check_smooth(name: str, integrator: int | None, count: int) -> None:
    options = {} if integrator is None else {"integrator": integrator, "enableflags": ENERGY | DISCRETE}
    pair = load(name, **options)
    m, data, worst = pair.mujoco, pair.data(), Worst(SMOOTH)
    for number, theirs in enumerate(random_states(m, count if m.nv < LARGE else 2)):
        run = partial(inverse_with, accelerations(m, number))
        state = save(m, theirs)
        run(m, theirs)
        load_state(data, theirs)
        data.qacc = theirs.qacc
        data.inverse()
        assert np.array_equal(data.qacc, theirs.qacc)
        found = {"qfrc_inverse": errors(data, theirs)["qfrc_inverse"]}
        found["energy"] = relative_error(data.energy, theirs.energy)
        worst.add(found, f"state {number}", partial(resolution, m, state, run))
    assert not worst.failures, worst.failures


@pytest.mark.parametrize("name", OWN)
def test_smooth_forces(name: str) -> None:
    check_smooth(name, None, STATES)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", DISCRETE_EVERYDAY)
def test_discrete_forces(name: str, integrator: str) -> None:
    check_smooth(name, INTEGRATORS[integrator], STATES)


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", [None, *INTEGRATORS])
@pytest.mark.parametrize("name", MODELS)
def test_smooth_forces_of_every_model(name: str, integrator: str | None) -> None:
    check_smooth(name, None if integrator is None else INTEGRATORS[integrator], 40)


def check_constrained(model: Any, states: Iterator[Any]) -> int:
    """Forces of constraints, with our contacts and with MuJoCo's. Returns how many rows were compared."""
    data, own, injected, rows = make_data(phalanx.Model.from_mujoco(model)), Worst(CONSTRAINED), Worst(CONSTRAINED), 0
    for number, theirs in enumerate(states):
        mujoco.mj_forward(model, theirs)
        # near what forward dynamics gives, and far from it
        qacc = (theirs.qacc if number % 2 else 0.0) + accelerations(model, number)
        run, state = partial(inverse_with, qacc), save(model, theirs)
        load_state(data, theirs)
        run(model, theirs)
        data.qacc = qacc
        data.inverse()
        limits = partial(resolution, model, state, run)
        if same_contacts(data, theirs):
            own.add(errors(data, theirs), f"state {number}", limits)
            np.testing.assert_array_equal(data.efc_state, theirs.efc_state)
        rows += theirs.nefc
        take_contacts(theirs, data)
        for stage in ("make_constraint", "adhesion", "reference_constraint", "inv_constraint"):
            data.run(stage)
        found = errors(data, theirs)
        del found["qfrc_inverse"]
        injected.add(found, f"state {number}, contacts of MuJoCo", limits)
    assert not own.failures and not injected.failures, (own.failures, injected.failures)
    return rows


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", EVERYDAY)
def test_constraint_forces(name: str, cone: str) -> None:
    model = prepared(name)
    model.opt.cone = CONES[cone]
    assert check_constrained(model, trajectory(model, STATES, 10)) > 0


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("floor", [1, 3, 4, 6])
def test_rows_of_every_kind(floor: int, cone: str) -> None:
    model = mixed(floor, f'cone="{cone}"')
    assert check_constrained(model, trajectory(model, STATES, 5)) > 0


@pytest.mark.conformance
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", MODELS)
def test_constraint_forces_of_every_model(name: str, cone: str) -> None:
    model = prepared(name)
    model.opt.cone = CONES[cone]
    check_constrained(model, trajectory(model, 20 if model.nv < LARGE else 2, 10))


def test_the_exact_diagonal_is_the_default_of_the_rows() -> None:
    model = mixed()
    model.opt.enableflags |= int(EnableBit.DIAGEXACT)
    check_constrained(model, trajectory(model, FEW, 5))


# --- forward and back


def inputs_of(data: phalanx.Data) -> np.ndarray:
    """qfrc_applied + J' xfrc_applied + qfrc_actuator of the last forward pass."""
    return data.qfrc_smooth - data.qfrc_passive + data.qfrc_bias


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", EVERYDAY)
def test_inverse_undoes_forward(name: str, cone: str) -> None:
    model = prepared(name)
    model.opt.cone = CONES[cone]
    tightened(model)
    data, rng = make_data(phalanx.Model.from_mujoco(model)), np.random.default_rng(3)
    for theirs in trajectory(model, STATES, 10):
        load_state(data, theirs)
        data.qfrc_applied = rng.normal(size=model.nv)
        data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
        data.forward()
        expected, constraint = inputs_of(data), data.qfrc_constraint.copy()
        scale = max(np.abs(expected).max(), np.abs(constraint).max(), np.abs(data.qfrc_bias).max())
        data.inverse()
        assert relative_error(data.qfrc_inverse, expected, scale) < ROUND_TRIP
        assert relative_error(data.qfrc_constraint, constraint, scale) < ROUND_TRIP


@pytest.mark.parametrize("integrator", [0, 2, 3, int(Integrator.IMPLICITSPRINGDAMPER)])
@pytest.mark.parametrize("name", ["own/everything", "own/springs", "own/actuators", "own/free_children"])
def test_discrete_inverse_undoes_a_step(name: str, integrator: int) -> None:
    """The change of velocity in a step, as an acceleration, takes the inputs of that step."""
    model = prepared(name)
    tightened(model)
    model.opt.enableflags |= DISCRETE
    changed = phalanx.Model.from_mujoco(model).replace(opt={"integrator": integrator})
    data, rng = make_data(changed), np.random.default_rng(3)
    for theirs in trajectory(model, STATES, 10):
        load_state(data, theirs)
        data.qfrc_applied = rng.normal(size=model.nv)
        expected = inputs_of(data.forward()).copy()
        scale = max(np.abs(expected).max(), np.abs(data.qfrc_constraint).max(), np.abs(data.qfrc_bias).max())
        after = data.copy().step()
        data.qacc = (after.qvel - data.qvel) / model.opt.timestep
        data.inverse()
        assert relative_error(data.qfrc_inverse, expected, scale) < ROUND_TRIP


@pytest.mark.parametrize("discrete", [False, True])
def test_comparison_with_mujoco(discrete: bool) -> None:
    """Of a solution that is cut short, so that there is something to see."""
    model = mixed(option='solver="PGS" iterations="2" integrator="implicitfast"')
    model.opt.enableflags |= COMPARE | DISCRETE * discrete
    data = make_data(phalanx.Model.from_mujoco(model))
    for theirs in trajectory(model, FEW, 5):
        load_state(data, theirs)
        mujoco.mj_forward(model, theirs)
        data.forward()
        for field in ("qacc", "qfrc_constraint", "efc_force"):
            getattr(data, field)[...] = getattr(theirs, field)
        mujoco.mj_compareFwdInv(model, theirs)
        before = data.snapshot()
        data.compare_fwd_inv()
        assert (theirs.solver_fwdinv > 1e-6).all()
        np.testing.assert_allclose(data.solver_fwdinv, theirs.solver_fwdinv, rtol=1e-8)
        kept = data.snapshot()
        for field in ("qacc", "qfrc_constraint", "efc_force", "qfrc_smooth", "qvel"):
            assert kept[field].tobytes() == before[field].tobytes(), field


def test_a_step_compares_when_asked() -> None:
    model = phalanx.Model.from_mujoco(mixed(option='solver="PGS" iterations="2"'))
    asked = model.replace(opt={"enableflags": COMPARE})
    silent, data = make_data(model).step(5), make_data(asked).step(5)
    assert not silent.solver_fwdinv.any() and data.solver_fwdinv.all()
    assert silent.qpos.tobytes() == data.qpos.tobytes()
    found = data.solver_fwdinv.copy()
    data.forward()
    np.testing.assert_array_equal(data.solver_fwdinv, found)


def test_without_constraints_there_is_nothing_to_compare() -> None:
    data = load("own/hinge_chain").data().forward()
    data.solver_fwdinv = 7
    assert not data.compare_fwd_inv().solver_fwdinv.any()


def test_runge_kutta_has_no_discrete_inverse() -> None:
    model = load("own/hinge_chain").phalanx.replace(opt={"integrator": Integrator.RK4})
    make_data(model).inverse()
    discrete = model.replace(opt={"enableflags": DISCRETE})
    data = make_data(discrete).step()
    with pytest.raises(ModelError, match="RK4"):
        data.inverse()
    with pytest.raises(ModelError, match="RK4"):
        data.compare_fwd_inv()
    with pytest.raises(ModelError, match="RK4"):
        make_data(model.replace(opt={"enableflags": DISCRETE | COMPARE}))


# --- ways of running


@cache
def discrete_mixed() -> phalanx.Model:
    model = copy(mixed(4, 'cone="elliptic" integrator="implicitfast"'))
    model.opt.enableflags |= DISCRETE
    return phalanx.Model.from_mujoco(model)


def worlds_of(model: phalanx.Model, count: int) -> tuple[list[dict[str, np.ndarray]], np.ndarray]:
    """States along a trajectory and accelerations; the second world floats far from everything."""
    theirs = mixed(4, 'cone="elliptic" integrator="implicitfast"')
    worlds = [kept_by_batches(state) for state in trajectory(theirs, count, 7)]
    worlds[1]["qpos"][worlds[1]["qpos"] > 0.05] += 5.0
    return worlds, np.array([accelerations(theirs, number) for number in range(count)])


def alone(model: phalanx.Model, world: dict[str, np.ndarray], qacc: np.ndarray, dtype: str = "float64") -> phalanx.Data:
    data = make_data(model, dtype=dtype)
    for name, values in world.items():
        data._store.arrays[name][...] = values
    data.qacc = qacc
    return data


def test_interpreted_is_compiled() -> None:
    model = discrete_mixed()
    worlds, qacc = worlds_of(model, 2)
    for world, acceleration in zip(worlds, qacc, strict=True):
        data, plain = alone(model, world, acceleration), alone(model, world, acceleration)
        data.inverse()
        for size in ("nsweep", "nclose", "ncon", "nefc", "nJ", "nY", "nA"):
            plain._store.resize(size, data._store.sizes[size])
        run_interpreted("inverse", model.store_for("float64"), plain._store)
        for field in ("qfrc_inverse", "qfrc_constraint", "efc_force", "efc_state", "qacc"):
            assert getattr(data, field).tobytes() == getattr(plain, field).tobytes(), field


def test_a_world_in_a_lane_is_that_world_alone() -> None:
    model = discrete_mixed()
    worlds, qacc = worlds_of(model, LANES + 1)
    with quiet():
        sim = phalanx.BatchSim(model, len(worlds), lanes=LANES, threads=1)
    for number, world in enumerate(worlds):
        for field in KEPT:
            getattr(sim, field)[number] = world[field]
    found = sim.inverse(qacc)
    for number, world in enumerate(worlds):
        data = alone(model, world, qacc[number]).inverse()
        assert found[number].tobytes() == data.qfrc_inverse.tobytes(), number
    assert np.array_equal(sim.inverse(qacc[0])[0], found[0])
    with pytest.raises(FieldError, match="shape"):
        sim.inverse(qacc[:2])


def test_single_precision_is_near() -> None:
    model = discrete_mixed()
    worlds, qacc = worlds_of(model, 3)
    for world, acceleration in zip(worlds, qacc, strict=True):
        exact = alone(model, world, acceleration).inverse()
        data = alone(model, world, acceleration, "float32").inverse()
        scale = max(np.abs(exact.qfrc_constraint).max(), np.abs(exact.qfrc_bias).max())
        assert np.abs(data.qfrc_inverse - exact.qfrc_inverse).max() < 2e-3 * scale
