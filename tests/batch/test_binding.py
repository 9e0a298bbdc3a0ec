"""Every field that can be bound is filled, with the bits of one world; a field that no step fills cannot be bound."""

from __future__ import annotations

import pickle
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.binding import BINDABLE, KEPT, obstacle, requests_of
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.tables.enums import EnableBit, Integrator, Request
from phalanx.tables.requests import INTEGRATOR_ROWS, ON_REQUEST, REQUEST_OF, RETAINED, UNFILLED
from tests.conformance.models import FILES, make_data
from tests.quiet import quiet
from tests.sensor.scenes import FAMILIES, scene

WORLDS = 5
CALLS = (1, 3)
#: Contacts, equalities, tendons, muscles, motors with state, adhesion, fluids, all kinds of sensors between them.
NAMES = (
    "own/everything", "own/contact", "own/equality", "own/tendon_paths", "own/actuators_with_state",
    "own/sensor_delays", "own/transmissions", "own/adhesion_actuator", "suite/humanoid", "all sensors",
)  # fmt: skip
#: Steps between the worlds at the beginning.
APART = {"suite/humanoid": 40, "suite/quadruped": 40, "own/contact": 12, "own/transmissions": 1}
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3, "discrete": 4}
HEAVY = [pytest.param(lanes, marks=pytest.mark.conformance) for lanes in (2, 4, 16)]
LANES = [1, 8, *HEAVY]
#: The call of one world that computes the rows of a request.
CALL = {
    Request.SUBTREE_VEL: "subtree_vel",
    Request.RNE_POST_CONSTRAINT: "rne_post_constraint",
    Request.INVERSE: "inverse",
    Request.COMPARE_FWD_INV: "compare_fwd_inv",
    Request.FLEX_STIFFNESS: "flex_blocks",
}
#: Rows that a step always computes, or that it leaves as they were.
USUAL = tuple(name for name in BINDABLE if name not in REQUEST_OF)


@cache
def model_of(name: str, integrator: str = "Euler", enable: int = 0) -> phalanx.Model:
    with quiet():
        if name == "all sensors":
            sensors = [sensor for family in FAMILIES.values() for sensor in family()]
            model = phalanx.Model.from_mujoco(scene(sensors))
        else:
            model = phalanx.load(str(FILES[name]))
    flags = int(model.opt.enableflags) | enable
    return model.replace(**{"opt.integrator": INTEGRATORS[integrator], "opt.enableflags": flags})


def bindable(model: phalanx.Model) -> list[str]:
    return [name for name in BINDABLE if not obstacle(DATA_SCHEMA.fields[name], model)]


@cache
def states_of(name: str) -> list[dict[str, np.ndarray]]:
    """States of worlds in motion, far from each other: different contacts, limits and paths."""
    model, found = model_of(name), []
    for seed in range(WORLDS):
        rng, data = np.random.default_rng(seed), make_data(model)
        data.qvel[:] = rng.normal(size=model.nv) * 0.2
        data.ctrl[:] = rng.uniform(-0.1, 0.1, model.nu)
        data.step(APART.get(name, 3) * seed)
        data.qfrc_applied[:] = rng.normal(size=model.nv) * 0.1
        data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6)) * 0.1
        found.append({row: data._store.arrays[row].copy() for row in KEPT})
    return found


@quiet()
def batch_of(model: phalanx.Model, states: list[dict[str, np.ndarray]], **options: Any) -> phalanx.BatchSim:
    batch = phalanx.BatchSim(model, len(states), **options)
    for world, state in enumerate(states):
        for row, values in state.items():
            batch._arrays[row][world] = values
    return batch


def data_of(model: phalanx.Model, state: dict[str, np.ndarray]) -> phalanx.Data:
    data = make_data(model)
    for row, values in state.items():
        data._store.arrays[row][...] = values
    return data


def copied(data: phalanx.Data, rows: Any) -> dict[str, np.ndarray]:
    return {row: data._store.arrays[row].copy() for row in rows}


def after_calls(data: phalanx.Data) -> dict[str, np.ndarray]:
    """Rows of each request, by the calls of one world at the present state."""
    found: dict[str, np.ndarray] = {}
    for request, operation in CALL.items():
        rows = [row for row, wanted in REQUEST_OF.items() if wanted == request and row in BINDABLE]
        found |= copied(data.forward().run(operation), rows)
    return found


def expected(name: str, integrator: str, state: dict[str, np.ndarray], is_forward: bool) -> dict[str, np.ndarray]:
    """What one world shows after the calls, for every row that can be bound."""
    model = model_of(name, integrator)
    data, asked = data_of(model, state), data_of(model, state)
    # the state before the last step, or after it, is where requests are answered
    for count in CALLS:
        data.step(count)
    asked.step(sum(CALLS) - (0 if is_forward else 1))
    if is_forward:
        data.forward()
    counted = data_of(model_of(name, integrator, EnableBit.ENERGY), state)
    counted.step(sum(CALLS))
    if is_forward:
        counted.forward()
    return {**copied(data, USUAL), **after_calls(asked), **copied(counted, ("energy",))}


def check_worlds(batch: phalanx.BatchSim, rows: Any, wanted: list[dict[str, np.ndarray]]) -> None:
    for row in rows:
        for world, values in enumerate(wanted):
            ours = np.asarray(batch._arrays[row][world])
            assert ours.dtype == values[row].dtype
            assert ours.tobytes() == values[row].tobytes(), f"{row} of world {world}: {ours} is not {values[row]}"


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", NAMES)
def test_every_bound_row_is_that_of_one_world(name: str, integrator: str, lanes: int) -> None:
    model, states = model_of(name, integrator), states_of(name)
    batch, rows = batch_of(model, states, lanes=lanes, threads=2), bindable(model)
    batch.bind(*rows)
    for count in CALLS:
        batch.step(count)
    assert batch.errors == [None] * WORLDS
    check_worlds(batch, rows, [expected(name, integrator, state, False) for state in states])
    batch.forward()
    check_worlds(batch, rows, [expected(name, integrator, state, True) for state in states])


@pytest.mark.parametrize("name", ["own/contact"])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_interpreted_it_is_the_same(name: str, integrator: str) -> None:
    model, states = model_of(name, integrator), states_of(name)[:2]
    rows = bindable(model)
    with interpreted():
        batch = batch_of(model, states)
        batch.bind(*rows)
        for count in CALLS:
            batch.step(count)
        check_worlds(batch, rows, [expected(name, integrator, state, False) for state in states])
        batch.forward()
    check_worlds(batch, rows, [expected(name, integrator, state, True) for state in states])


@pytest.mark.parametrize("row", [row for row in REQUEST_OF if row in BINDABLE and row not in INTEGRATOR_ROWS])
@pytest.mark.parametrize("lanes", [1, 8])
def test_a_row_alone_is_filled_as_well(row: str, lanes: int) -> None:
    name = "suite/humanoid"
    states = states_of(name)
    batch = batch_of(model_of(name), states, lanes=lanes)
    (array,) = batch.bind(row)
    for count in CALLS:
        batch.step(count)
    assert array.any()
    check_worlds(batch, [row], [expected(name, "Euler", state, False) for state in states])


def test_bound_energy_is_what_the_calls_of_one_world_give() -> None:
    name = "own/contact"
    states = states_of(name)
    batch = batch_of(model_of(name), states, lanes=8)
    (energy,) = batch.bind("energy")
    batch.forward()
    for world, state in enumerate(states):
        data = data_of(model_of(name), state).forward().run("energy_pos").run("energy_vel")
        assert energy[world].tobytes() == data.energy.tobytes()


@pytest.mark.parametrize("lanes", [1, 8, "auto"])
def test_outputs_of_a_rollout_are_filled_as_well(lanes: int | str) -> None:
    name, rows = "suite/humanoid", ("cfrc_ext", "energy", "subtree_angmom", "qfrc_inverse", "solver_niter")
    states = states_of(name)
    for count in (1, WORLDS):
        start = {row: np.array([state[row] for state in states[:count]]) for row in KEPT}
        with quiet():
            result = phalanx.rollout(model_of(name), start, nsteps=4, outputs=rows, lanes=lanes)
        for world in range(count):
            wanted = expected(name, "Euler", states[world], False)
            for row in rows:
                assert result[row][world, -1].tobytes() == wanted[row].tobytes(), row
        assert result.batch.cfrc_ext.tobytes() == np.ascontiguousarray(result.cfrc_ext[:, -1]).tobytes()


def test_results_do_not_depend_on_what_is_bound() -> None:
    name = "suite/humanoid"
    model, states = model_of(name), states_of(name)
    plain, bound = batch_of(model, states, lanes=8), batch_of(model, states, lanes=8)
    bound.bind(*bindable(model))
    plain.step(20)
    bound.step(20)
    assert plain.fingerprint() == bound.fingerprint()


# --- the tables


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_not_retained_are_written_in_every_pass(name: str, integrator: str) -> None:
    """NaN in all of them before a step: what is left must be declared."""
    model = model_of(name, integrator)
    for operation in ("step", "forward"):
        data = data_of(model, states_of(name)[1])
        data._store.arrays["requests"][...] = sum(Request)
        rows = [row for row in bindable(model) if row not in (*KEPT, "error_code", "error_id", "warning_number")]
        if operation == "forward":
            rows = [row for row in rows if row not in REQUEST_OF]
        for row in rows:
            array = data._store.arrays[row]
            array[...] = np.nan if array.dtype.kind == "f" else -77
        data._operations.run(operation, 1)
        left = [row for row in rows if _is_left(data._store.arrays[row])]
        assert set(left) <= set(RETAINED), set(left) - set(RETAINED)


def _is_left(array: np.ndarray) -> bool:
    return bool((np.isnan(array) if array.dtype.kind == "f" else array == -77).any())


def test_every_field_of_a_stage_on_request_has_its_request() -> None:
    assert set(ON_REQUEST.values()) == set(Request)
    assert requests_of(["xpos", "cfrc_ext", "energy"]) == Request.RNE_POST_CONSTRAINT | Request.ENERGY
    assert not set(UNFILLED) & set(REQUEST_OF)


# --- what cannot be bound


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("efm_c", "the integrator Euler does not compute it; discrete would"),
        ("efm_L", r"see batch\.env\(i\)\.efm_L"),
        ("flexelem_krot", "the integrator Euler does not compute it; discrete would"),
        ("efm_K_val", r"see batch\.env\(i\)\.efm_K_val"),
        ("flexvert_lambda", "the flag ipc, whose multipliers they are, has no effect"),
        ("contact_pos", r"see batch\.contact_table\(\)"),
        ("efc_force", r"see batch\.env\(i\)\.efc_force"),
        ("ncon", r"see batch\.ncon"),
        ("qLU", "the integrator Euler does not compute it; implicit would"),
        ("qDeriv", "implicit, implicitfast would"),
        ("requests", "only real fields"),
        ("nlisted", "no field"),
        ("cfrc_exd", "did you mean 'cfrc_ext'"),
        (3, "no field 3"),
    ],
)
def test_what_no_step_fills_is_refused(name: str, words: str) -> None:
    batch = batch_of(model_of("own/contact"), states_of("own/contact"), lanes=1)
    with pytest.raises(phalanx.FieldError, match=words):
        batch.bind("xpos", name)
    assert not batch._bound
    with pytest.raises(phalanx.FieldError, match=words), quiet():
        phalanx.rollout(model_of("own/contact"), nsteps=1, outputs=[name])


def test_moments_whose_places_differ_by_world_are_refused() -> None:
    batch = batch_of(model_of("own/adhesion_actuator"), states_of("own/adhesion_actuator"), lanes=1)
    with pytest.raises(phalanx.FieldError, match="differs from world to world"):
        batch.bind("actuator_moment")


def test_inverse_dynamics_of_a_discrete_step_needs_an_inverse() -> None:
    model = model_of("own/contact", "RK4", EnableBit.INVDISCRETE)
    batch = batch_of(model, states_of("own/contact"), lanes=1)
    with pytest.raises(phalanx.ModelError, match="no inverse"):
        batch.bind("qfrc_inverse")


def test_every_integrator_row_can_be_bound_with_some_integrator() -> None:
    for row in INTEGRATOR_ROWS:
        kinds = [kind for kind in INTEGRATORS if row in bindable(model_of("own/contact", kind))]
        assert kinds and "RK4" not in kinds
    assert {Integrator[name.upper()] for name in INTEGRATORS} <= set(Integrator)


# --- rows that stay as they were


@pytest.mark.parametrize("lanes", [1, 8])
def test_warnings_are_counted_by_world_and_begin_anew_after_a_reset(lanes: int) -> None:
    name = "own/actuators_with_state"
    model, states = model_of(name), states_of(name)
    batch = batch_of(model, states, lanes=lanes)
    (number,) = batch.bind("warning_number")
    batch.ctrl[2, 0] = np.nan
    with pytest.warns(phalanx.BadControlWarning, match="world 2"):
        batch.step(3)
    data = data_of(model, {**states[2], "ctrl": batch.ctrl[2]})
    with pytest.warns(phalanx.BadControlWarning):
        data.step(3)
    assert number[2].tobytes() == data.warning_number.tobytes() and number.sum() == 3
    # old warnings are not raised again
    batch.ctrl[2] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch.step(2)
        batch.forward()
    assert number.sum() == 3
    batch.reset([2])
    assert not number.any()


def test_bound_fields_survive_pickling_with_their_requests() -> None:
    name = "own/contact"
    batch = batch_of(model_of(name), states_of(name), lanes=8)
    batch.bind("cfrc_ext", "solver_niter")
    batch.step(2)
    other = pickle.loads(pickle.dumps(batch))
    assert other.cfrc_ext.tobytes() == batch.cfrc_ext.tobytes()
    for one in (batch, other):
        one.step(2)
    assert other.cfrc_ext.any() and other.cfrc_ext.tobytes() == batch.cfrc_ext.tobytes()
