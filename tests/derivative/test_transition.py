"""Derivatives of steps by finite differences in lanes: against MuJoCo, against one world after another, at kinks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import MODELS as ALL_MODELS
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states

#: Large enough that what rounding adds is small: both engines take the same differences.
EPS = 1e-4
INTEGRATORS = ("EULER", "IMPLICIT", "IMPLICITFAST", "RK4", "DISCRETE")
#: A limit that no torque of the models reaches [N m].
FAR = 1e3
MODELS = ("own/everything", "own/contact", "own/actuators_with_state", "own/tendon_forces")


def twins(
    name: str, seed: int = 11, number: int = 3, torque_limit: float = 0.0, **options: Any
) -> tuple[Any, Any, phalanx.Data]:
    """A model and Data of MuJoCo with other options, and our Data in the same random state.

    Solvers run to the minimum: where they stop early, what is left is divided by the size of the differences.

    Args:
        name: a model of the matrix.
        seed: of the states.
        number: which of the states.
        torque_limit: another limit of orientation servos that have one [N m].
        options: of the model.
    """
    model = load(name).mujoco.__copy__()
    if torque_limit:
        model.actuator_forcerange[is_cut(model), 1] = torque_limit
    for key, value in {"tolerance": 0.0, "iterations": 200, "ls_tolerance": 1e-6, **options}.items():
        setattr(model.opt, key, value)
    *_, mjdata = random_states(model, number, seed=seed)
    data = make_data(phalanx.Model.from_mujoco(model))
    load_state(data, mjdata)
    mujoco.mj_forward(model, mjdata)
    mjdata.qacc_warmstart[:] = data.qacc_warmstart
    return model, mjdata, data


def is_cut(model: Any) -> np.ndarray:
    """Which actuators are orientation servos with a limit of their torque?"""
    return (model.actuator_gaintype == mujoco.mjtGain.mjGAIN_SO3) & (model.actuator_forcelimited != 0)


def theirs(model: Any, mjdata: Any, centered: bool) -> list[np.ndarray]:
    """MuJoCo's A, B, C and D.

    mjd_transitionFD refuses RK4, and with plastic springs it writes beyond the end of its state vectors: there, the
    same differences are taken of mj_step.
    """
    nx, ns = 2 * model.nv + model.na, model.nsensordata
    found = [np.zeros(shape) for shape in ((nx, nx), (nx, model.nu), (ns, nx), (ns, model.nu))]
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 or model.nplastic:
        whole = differences_of_steps(model, mjdata, centered)
        found = [whole[:nx, :nx], whole[:nx, nx:], whole[nx:, :nx], whole[nx:, nx:]]
    else:
        mujoco.mjd_transitionFD(model, mjdata, EPS, centered, *found)
    return found


def differences_of_steps(model: Any, mjdata: Any, centered: bool) -> np.ndarray:
    """((A, B), (C, D)) of mj_step; controls go both ways, so they must be within their ranges."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    base = np.zeros(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, mjdata, base, spec)

    def after(field: str, index: int, amount: float) -> list[np.ndarray]:
        mujoco.mj_setState(model, mjdata, base, spec)
        if field == "qpos":
            mujoco.mj_integratePos(model, mjdata.qpos, np.eye(model.nv)[index], amount)
        elif field:
            getattr(mjdata, field)[index] += amount
        mujoco.mj_step(model, mjdata)
        return [getattr(mjdata, name).copy() for name in ("qpos", "qvel", "act", "sensordata")]

    columns, controls, still = [], mjdata.ctrl.copy(), after("", 0, 0.0)
    low, high = np.where(model.actuator_ctrllimited, model.actuator_ctrlrange.T, [[-np.inf], [np.inf]])
    for field, count in (("qpos", model.nv), ("qvel", model.nv), ("act", model.na), ("ctrl", model.nu)):
        for index in range(count):
            can_add, can_take = True, centered
            if field == "ctrl":
                u = controls[index]
                can_add = low[index] <= u and u + EPS <= high[index]
                can_take = (centered or not can_add) and low[index] <= u - EPS and u <= high[index]
            first = after(field, index, -EPS) if can_take else still
            second = after(field, index, EPS) if can_add else still
            width, moved = EPS * (int(can_add) + int(can_take) or 1), np.zeros(model.nv)
            mujoco.mj_differentiatePos(model, moved, width, first[0], second[0])
            columns.append(
                np.concatenate([moved, *((b - a) / width for a, b in zip(first[1:], second[1:], strict=True))])
            )
    mujoco.mj_setState(model, mjdata, base, spec)
    rows = 2 * model.nv + model.na + model.nsensordata
    return np.array(columns).reshape(len(columns), rows).T


def one_by_one(data: phalanx.Data, eps: float, centered: bool = True) -> np.ndarray:
    """The matrix ((A, B), (C, D)) the slow way: a copy of the Data is nudged and stepped, column by column."""
    m, base = data.model, data.get_state()
    probe = data.copy()

    def after(field: str, index: int, amount: float) -> list[np.ndarray]:
        probe.set_state(base)
        if field == "qpos":
            probe.qpos = data.integrate_pos(data.qpos, np.eye(m.nv)[index], amount)
        elif field:
            getattr(probe, field)[index] += amount
        probe.step()
        return [getattr(probe, name).copy() for name in ("qpos", "qvel", "act", "sensordata")]

    columns = []
    still = after("", 0, 0.0)
    for field, count in (("qpos", m.nv), ("qvel", m.nv), ("act", m.na), ("ctrl", m.nu)):
        for index in range(count):
            first, second = after(field, index, -eps) if centered else still, after(field, index, eps)
            width = 2 * eps if centered else eps
            moved = data.differentiate_pos(first[0], second[0], width)
            rest = [(1.0 / width) * (b - a) for a, b in zip(first[1:], second[1:], strict=True)]
            columns.append(np.concatenate([moved, *rest]))
    return np.array(columns).T


@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", MODELS)
def test_transitions_are_those_of_mujoco(name: str, integrator: str, centered: bool) -> None:
    check_against_mujoco(*twins(name, integrator=int(phalanx.enums.Integrator[integrator])), centered)


def check_against_mujoco(model: Any, mjdata: Any, data: phalanx.Data, centered: bool) -> None:
    """Both engines take the same differences, so both have the same truncation error.

    What is between them is rounding, and what the steps of both differ by, over the size of the differences; steps
    that are nudged differ by an order of magnitude more than the one that is looked at.
    """
    before = data.fingerprint()
    expected = theirs(model, mjdata, centered)
    found = data.transition(eps=EPS, centered=centered, one_sided=False)
    mujoco.mj_step(model, mjdata)
    steps = np.concatenate([found.next_qvel - mjdata.qvel, found.next_act - mjdata.act])
    between = np.abs(steps).max(initial=0.0)
    read = np.abs(found.sensordata - mjdata.sensordata).max(initial=0.0)
    assert between <= 1e-9 * np.abs(mjdata.qvel).max(initial=1.0)
    for ours, other, what in zip(found, expected, "ABCD", strict=True):
        bound = 1e-8 * np.abs(other).max(initial=1.0) + 20 * (between if what in "AB" else read) / EPS
        np.testing.assert_allclose(ours, other, rtol=0, atol=bound, err_msg=what)
    assert data.fingerprint() == before


@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICIT", "DISCRETE"])
@pytest.mark.parametrize("name", ["own/everything", "own/contact"])
def test_columns_in_lanes_have_the_bits_of_one_world_after_another(name: str, integrator: str) -> None:
    """Also what is kept between nudges that share positions or velocities changes no bit."""
    *_, data = twins(name, integrator=int(phalanx.enums.Integrator[integrator]))
    free = ~data.model.actuator_ctrllimited
    slow = one_by_one(data, 1e-6)
    fast = data.transition(one_sided=False)
    nx = 2 * data.model.nv + data.model.na
    chosen = np.r_[np.ones(nx, bool), free]
    assert np.array_equal(fast.matrix[:, chosen], slow[:, chosen])


def test_lanes_and_threads_change_no_bit() -> None:
    *_, data = twins("own/everything")
    expected = data.transition().matrix
    for lanes, threads in ((1, 1), (8, 3)):
        assert np.array_equal(data.transition(lanes=lanes, threads=threads).matrix, expected)
    assert np.array_equal(data.transition().matrix, expected), "memory that is kept has no memory"
    assert np.array_equal(data.transition(sensors=False).A, data.transition().A)


def test_worlds_of_a_batch_are_those_of_data() -> None:
    """Also where models differ, with a count that does not fill the lanes."""
    model, n = load("own/everything").phalanx, 11
    rng = np.random.default_rng(3)
    masses = model.body_mass * rng.uniform(0.8, 1.2, (n, model.nbody))
    for vary in (None, {"body_mass": masses}):
        batch = phalanx.BatchSim(model, n, vary=vary)
        batch.qvel[:] = rng.normal(size=(n, model.nv))
        batch.ctrl[:] = rng.uniform(-2, 2, size=(n, model.nu))
        found = batch.transition()
        assert found.A.shape == (n, 2 * model.nv + model.na, 2 * model.nv + model.na)
        for world in (0, 4, n - 1):
            data = batch.env(world)
            alone = data.transition()
            assert np.array_equal(found.matrix[world], alone.matrix)
            assert np.array_equal(found.next_qpos[world], data.step().qpos)


def test_the_step_itself_comes_with_its_derivatives() -> None:
    *_, data = twins("own/sensor")
    found = data.transition()
    data.step()
    for name in ("qpos", "qvel", "act"):
        assert np.array_equal(getattr(found, f"next_{name}"), getattr(data, name))
    assert np.array_equal(found.sensordata, data.sensordata)


def test_single_precision_is_differentiated_in_double() -> None:
    model = load("own/mixed_tree").phalanx
    single, double = model.make_data(dtype="float32"), model.make_data()
    assert np.array_equal(single.transition().A, double.transition().A)


@pytest.mark.conformance
def test_batches_in_single_precision_are_differentiated_in_double() -> None:
    model = load("own/mixed_tree").phalanx
    double = model.make_data()
    batch = phalanx.BatchSim(model, 3, dtype="float32")
    assert np.array_equal(batch.transition().A[2], double.transition().A)


# --- kinks

BALL = """<mujoco><option gravity="0 0 -10" timestep=".01"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 .1"><joint name="fall" type="slide" axis="0 0 1"/><geom name="ball" size=".1" mass="1"/></body>
</worldbody><sensor><jointpos joint="fall"/></sensor></mujoco>"""


@pytest.mark.parametrize("centered", [False, True])
def test_at_a_kink_the_derivative_is_that_of_one_side(centered: bool) -> None:
    """A ball just above the floor that moves up: 1e-7 lower, there is a contact, which resists.

    Without, x' = x + h v and v' = v - g h. The difference across has the jump of the force over the nudge.
    """
    data = phalanx.Model.from_xml_string(BALL).make_data()
    data.qpos, data.qvel = 1e-9, -1.0
    found = data.transition(centered=centered)
    np.testing.assert_allclose(found.A, [[1, 0.01], [0, 1]], atol=1e-8)
    if centered:
        (crossing,) = found.crossed
        assert (crossing.kind, crossing.name, crossing.side) == ("position", "fall", "forward side")
        assert "contact" in crossing.causes
        assert "position of fall: contact" in found.report()
        assert np.abs(data.transition(one_sided=False).A).max() > 1e3


def test_forward_differences_that_cross_look_back() -> None:
    data = phalanx.Model.from_xml_string(BALL).make_data()
    data.qpos, data.qvel = -1e-9, -1.0
    found = data.transition(centered=False)
    (crossing,) = found.crossed
    assert crossing.side == "backward side"
    both = data.transition()
    np.testing.assert_allclose(found.A, both.A, atol=1e-5)
    assert np.abs(found.A).max() < 100


def test_jumps_that_no_piece_explains_are_reported() -> None:
    """A setpoint that follows the control at a limited rate, exactly where it has caught up."""
    data = load("own/actuators_with_state").phalanx.make_data()
    data.act, data.ctrl = 0.3, np.random.default_rng(4).uniform(-0.5, 0.5, data.model.nu)
    found = data.transition()
    assert any("jump" in crossing.causes for crossing in found.crossed), found.report()
    assert np.isfinite(found.matrix).all()


def test_smooth_points_report_nothing() -> None:
    data = phalanx.Model.from_xml_string(BALL).make_data()
    data.qpos = 0.3
    assert data.transition().crossed == []
    assert data.transition().report() == "0 of 2 columns reach beyond a kink of the physics"


CLAMPS = """<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" range="-1 1" limited="true"
frictionloss=".1"/><geom size=".1" pos=".3 0 0"/></body></worldbody><actuator><motor name="a" joint="j"
forcerange="-1 1" forcelimited="true"/><motor name="b" joint="j" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>"""


@pytest.mark.parametrize(
    ("state", "kind", "name", "cause"),
    [
        ({"qpos": 1.0}, "position", "j", "limit"),
        ({"ctrl": [1.0, 0.0], "qpos": 0.5}, "control", "a", "clamp"),
    ],
)
def test_what_changes_at_a_kink_is_named(state: dict[str, Any], kind: str, name: str, cause: str) -> None:
    data = phalanx.Model.from_xml_string(CLAMPS).make_data()
    for field, value in state.items():
        setattr(data, field, value)
    found = [crossing for crossing in data.transition().crossed if crossing.kind == kind]
    assert any(crossing.name == name and cause in crossing.causes for crossing in found), data.transition().report()
    assert np.isfinite(data.transition().matrix).all()


# --- errors


def test_what_is_refused() -> None:
    data = load("own/free").phalanx.make_data()
    with pytest.raises(phalanx.FieldError, match="'fd'"):
        data.transition("guess")
    with pytest.raises(phalanx.FieldError, match="eps"):
        data.transition(eps=0.0)
    with pytest.raises(phalanx.FieldError, match="centered"):
        data.transition(centered=np.zeros(2))
    with pytest.raises(phalanx.ModelError, match="delays"):
        load("own/actuator_delay").phalanx.make_data().transition()
    data.qvel[0] = np.nan
    with pytest.raises(phalanx.WorldError, match="qvel"):
        data.transition()


# --- sweeps


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", [name for name in ALL_MODELS if name.startswith("own/")])
def test_every_model_of_ours(name: str, integrator: str) -> None:
    # where a torque is cut, rounding decides in MuJoCo whether it is in the metric: the tests below
    limit = FAR if integrator == "DISCRETE" else 0.0
    for number in (3, 4, 6):
        model, mjdata, data = twins(name, 5, number, limit, integrator=int(phalanx.enums.Integrator[integrator]))
        if model.nhistory:
            return
        check_against_mujoco(model, mjdata, data, True)


# --- torques that are cut: they are in the metric of the discrete integrator as long as they are below their limit


def nudges(model: Any, mjdata: Any) -> Iterator[tuple[int, Any]]:
    """Columns of A, each with the Data of MuJoCo after the two steps of its difference."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    base = np.zeros(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, mjdata, base, spec)
    fields = [*(("qpos", k) for k in range(model.nv)), *(("qvel", k) for k in range(model.nv))]
    for column, (field, index) in enumerate([*fields, *(("act", k) for k in range(model.na))]):
        for amount in (-EPS, EPS):
            mujoco.mj_setState(model, mjdata, base, spec)
            if field == "qpos":
                mujoco.mj_integratePos(model, mjdata.qpos, np.eye(model.nv)[index], amount)
            else:
                getattr(mjdata, field)[index] += amount
            mujoco.mj_step(model, mjdata)
            yield column, mjdata
    mujoco.mj_setState(model, mjdata, base, spec)


def cut_torques(model: Any, mjdata: Any) -> dict[int, float]:
    """How far the norm of each torque that has a limit is above it, as MuJoCo computes it: rounding, or nothing."""
    found = {}
    for actuator in np.flatnonzero(is_cut(model)):
        x, y, z = mjdata.actuator_force[model.actuator_outadr[actuator] :][:3]
        found[int(actuator)] = float(np.sqrt(x * x + y * y + z * z) - model.actuator_forcerange[actuator, 1])
    return found


@pytest.mark.parametrize("number", [3, 4, 6])
def test_cut_torques_are_in_the_metric_of_mujoco_where_rounding_says_so(number: int) -> None:
    """MuJoCo compares the norm of a torque that it has cut with the limit: what is rounded down counts as free.

    Here a torque that is cut is never free. Columns of which all steps of MuJoCo see it so are equal.
    """
    model, mjdata, data = twins("own/transmissions", 5, number, integrator=int(phalanx.enums.Integrator.DISCRETE))
    nx = 2 * model.nv + model.na
    decided, ours = np.zeros(nx, bool), data.transition(eps=EPS, one_sided=False).A
    for column, after in nudges(model, mjdata):
        listed = set(after.efm_aid[: after.nefmA].tolist())
        for actuator, above in cut_torques(model, after).items():
            assert abs(above) < 2e-16
            assert (actuator in listed) == (above < 0.0)
            decided[column] |= above < 0.0
    expected = theirs(model, mjdata, True)[0]
    error = np.abs(ours - expected).max(axis=0)
    assert (error[~decided] < 1e-8 * np.abs(expected).max()).all()
    assert (error[decided] > 1e-6).all()
    assert 3 <= decided.sum() < nx


@pytest.mark.conformance
@pytest.mark.parametrize("cone", ["PYRAMIDAL", "ELLIPTIC"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "NEWTON"])
@pytest.mark.parametrize("name", ["own/contact", "own/everything", "own/tendon_constraints", "suite/walker"])
def test_every_solver_and_cone(name: str, solver: str, cone: str) -> None:
    options = {"solver": int(phalanx.enums.Solver[solver]), "cone": int(phalanx.enums.Cone[cone])}
    for number in (3, 6):
        check_against_mujoco(*twins(name, 7, number, integrator=0, **options), True)


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in ALL_MODELS if name.startswith(("suite/", "gymnasium/"))])
def test_robots(name: str) -> None:
    if load(name).mujoco.nv > 60:
        pytest.skip("dense matrices of large models take long")
    for number in (1, 3):
        model, mjdata, data = twins(name, 9, number)
        if not model.nhistory:
            check_against_mujoco(model, mjdata, data, True)
