"""A world of a batch is a Data of its own, bit for bit, whatever the lanes, the threads and the other worlds.

Lanes of 1 and 8 worlds run by default; 2, 4 and 16, and single precision, with the marker `conformance`.
"""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import ADVANCED, KEPT
from tests.conformance.models import load, make_data
from tests.conformance.states import kept_by_batches
from tests.quiet import quiet

EVERYTHING = "own/everything"
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
OUTPUTS = ("xpos", "xquat", "geom_xpos", "M", "qLD", "qfrc_bias", "qfrc_passive", "actuator_force", "qacc", "energy")
HEAVY = [pytest.param(lanes, marks=pytest.mark.conformance) for lanes in (2, 4, 16)]
LANES = [1, 8, *HEAVY]
INPUTS = ("qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart", "mocap_pos", "mocap_quat")
Worlds = dict[str, np.ndarray]


@cache
def model_of(name: str, integrator: str = "Euler") -> phalanx.Model:
    return load(name, integrator=INTEGRATORS[integrator]).phalanx


@quiet()
def make_batch(model: phalanx.Model, n: int, **options: Any) -> phalanx.BatchSim:
    return phalanx.BatchSim(model, n, **options)


@cache
def random_worlds(name: str, n: int, seed: int = 0) -> Worlds:
    """State and inputs of n worlds in gentle motion, world first."""
    m = load(name).mujoco
    rng, mjdata = np.random.default_rng([seed, n]), mujoco.MjData(m)
    worlds: dict[str, list[Any]] = {field: [] for field in KEPT}
    for _ in range(n):
        mujoco.mj_resetData(m, mjdata)
        mujoco.mj_integratePos(m, mjdata.qpos, rng.normal(size=m.nv) * 0.3, 1.0)
        mjdata.time = rng.uniform()
        for field in INPUTS:
            values = getattr(mjdata, field)
            values[...] = rng.normal(size=values.shape) * (0.02 if field == "act" else 0.5)
        for field, values in kept_by_batches(mjdata).items():
            worlds[field].append(values)
    return {field: np.array(values) for field, values in worlds.items()}


def fill(batch: phalanx.BatchSim, worlds: Worlds) -> None:
    for field in KEPT:
        getattr(batch, field)[...] = worlds[field]


def single(model: phalanx.Model, worlds: Worlds, i: int, dtype: str = "float64") -> phalanx.Data:
    """A Data with the state of world i."""
    data = make_data(model, dtype=dtype)
    for field in KEPT:
        data._store.arrays[field][...] = worlds[field][i]
    return data


def assert_world_equals(batch: phalanx.BatchSim, i: int, data: phalanx.Data, fields: tuple[str, ...] = KEPT) -> None:
    for field in fields:
        ours, theirs = np.asarray(getattr(batch, field)[i]), data._store.arrays[field]
        assert ours.dtype == theirs.dtype
        assert ours.tobytes() == theirs.tobytes(), f"{field} of world {i}: {ours} is not {theirs}"


def state_of(batch: phalanx.BatchSim, i: int) -> dict[str, bytes]:
    return {field: np.asarray(getattr(batch, field)[i]).tobytes() for field in KEPT}


# --- the same bits


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", [EVERYTHING, "own/actuators_with_state", "suite/humanoid"])
@pytest.mark.parametrize("lanes", LANES)
def test_worlds_equal_data(name: str, integrator: str, lanes: int) -> None:
    """n is no multiple of the lanes; outputs too are those of a Data."""
    model, worlds = model_of(name, integrator), random_worlds(name, 11)
    batch = make_batch(model, 11, lanes=lanes, threads=2)
    batch.bind(*OUTPUTS)
    fill(batch, worlds)
    batch.step(4)
    assert batch.errors == [None] * 11
    for i in range(11):
        assert_world_equals(batch, i, single(model, worlds, i).step(4), (*KEPT, *OUTPUTS))


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("n", [1, 2, 8, 9])
def test_number_of_worlds_and_threads_does_not_matter(n: int, threads: int, lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, n)
    batch = make_batch(model, n, lanes=lanes, threads=threads)
    fill(batch, worlds)
    batch.step(3)
    for i in range(n):
        assert_world_equals(batch, i, single(model, worlds, i).step(3))


@pytest.mark.parametrize("lanes", LANES)
def test_steps_in_one_call_or_in_several(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 5)
    once, thrice = make_batch(model, 5, lanes=lanes), make_batch(model, 5, lanes=lanes)
    for batch in (once, thrice):
        batch.bind("xpos")
        fill(batch, worlds)
    once.step(6)
    for count in (1, 2, 0, 3):
        thrice.step(count)
    assert [state_of(once, i) for i in range(5)] == [state_of(thrice, i) for i in range(5)]
    assert once.xpos.tobytes() == thrice.xpos.tobytes()


@pytest.mark.parametrize("lanes", LANES)
def test_neighbors_do_not_matter(lanes: int) -> None:
    """A world alone, in another place, and among worlds of another kind."""
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 9)
    alone, shuffled = make_batch(model, 1, lanes=lanes), make_batch(model, 9, lanes=lanes)
    order = np.random.default_rng(0).permutation(9)
    fill(shuffled, {field: values[order] for field, values in worlds.items()})
    shuffled.step(5)
    for place, world in enumerate(order):
        fill(alone, {field: values[world : world + 1] for field, values in worlds.items()})
        alone.step(5)
        assert state_of(alone, 0) == state_of(shuffled, place)


@pytest.mark.parametrize("lanes", LANES)
def test_no_worlds(lanes: int) -> None:
    batch = make_batch(model_of(EVERYTHING), 0, lanes=lanes)
    (xpos,) = batch.bind("xpos")
    batch.step(3)
    batch.forward()
    batch.reset_all()
    batch.reset_where(np.zeros(0, bool))
    assert (len(batch), batch.errors, batch.qpos.shape, xpos.shape) == (0, [], (0, 21), (0, 7, 3))


@pytest.mark.parametrize("lanes", LANES)
def test_no_dofs(lanes: int) -> None:
    model = model_of("own/static")
    batch = make_batch(model, 3, lanes=lanes)
    (geom_xpos,) = batch.bind("geom_xpos")
    batch.mocap_pos[:] = np.arange(9).reshape(3, 1, 3)
    batch.step(2)
    for i in range(3):
        data = make_data(model)
        data.mocap_pos = batch.mocap_pos[i]
        assert_world_equals(batch, i, data.step(2))
        assert geom_xpos[i].tobytes() == data.geom_xpos.tobytes()


def test_automatic_choices() -> None:
    assert make_batch(model_of(EVERYTHING), 1).number.worlds == 1
    assert make_batch(model_of(EVERYTHING), 20).number.worlds == 8
    assert make_batch(model_of(EVERYTHING), 20, dtype="float32").number.worlds == 16
    assert make_batch(model_of(EVERYTHING), 2).threads >= 1


def test_heaps_run_world_by_world_and_crowds_of_robots_in_lanes() -> None:
    loose = "<body><freejoint/><geom size='.1'/></body>"
    robot = "<body><freejoint/><geom size='.1'/>" + "<body><joint/><geom size='.1'/>" * 8 + "</body>" * 9
    for bodies, lanes in ((loose, 1), (robot, 8)):
        model = phalanx.Model.from_xml_string(f"<mujoco><worldbody>{bodies * 9}</worldbody></mujoco>")
        assert make_batch(model, 20).number.worlds == lanes


# --- outputs


@pytest.mark.parametrize("lanes", [1, 8])
def test_forward_fills_bound_outputs_and_keeps_the_state(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 9)
    batch = make_batch(model, 9, lanes=lanes)
    fill(batch, worlds)
    before = [state_of(batch, i) for i in range(9)]
    arrays = batch.bind(*OUTPUTS)
    assert [array.shape[0] for array in arrays] == [9] * len(OUTPUTS)
    batch.forward()
    assert [state_of(batch, i) for i in range(9)] == before
    for i in range(9):
        assert_world_equals(batch, i, single(model, worlds, i).forward(), OUTPUTS)
    assert batch.xpos is arrays[0]
    assert batch.bind("xpos")[0] is arrays[0]


def test_bind_after_steps_and_kept_rows() -> None:
    batch = make_batch(model_of(EVERYTHING), 3, lanes=1)
    batch.step()
    qpos, xpos = batch.bind("qpos", "xpos")
    assert qpos is batch.qpos
    batch.step()
    assert xpos.any()


@pytest.mark.parametrize(
    ("name", "words"),
    [("xposs", "did you mean 'xpos'"), ("rk_qpos0", "Data has no field"), ("moment_colind", "cannot be bound"),
     ("efc_J", "cannot be bound"), ("body_mass", "Data has no field")],
)  # fmt: skip
def test_what_cannot_be_bound(name: str, words: str) -> None:
    batch = make_batch(model_of(EVERYTHING), 2, lanes=1)
    with pytest.raises(phalanx.FieldError, match=words):
        batch.bind("xpos", name)
    with pytest.raises(phalanx.FieldError, match=r"xpos is not bound: call batch\.bind\('xpos'\)"):
        _ = batch.xpos


# --- worlds that fail


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize(
    ("field", "index", "value", "quantity", "joint"),
    [("qpos", 11, np.nan, "qpos", "elbow"), ("qvel", 3, 1e11, "qvel", "root"), ("qfrc_applied", 9, 1e20, "qacc", ".*"),
     ("qpos", 0, -np.inf, "qpos", "root")],
)  # fmt: skip
def test_one_bad_world_is_flagged_and_frozen(
    field: str, index: int, value: float, quantity: str, joint: str, lanes: int
) -> None:
    model, worlds, bad = model_of(EVERYTHING), random_worlds(EVERYTHING, 11), 4
    batch = make_batch(model, 11, lanes=lanes, threads=2)
    fill(batch, worlds)
    getattr(batch, field)[bad, index] = value
    before = state_of(batch, bad)
    errors = batch.step_all(4)
    assert [i for i, error in enumerate(errors) if error is not None] == [bad]
    error = errors[bad]
    assert isinstance(error, phalanx.WorldError)
    assert (error.world, error.quantity) == (bad, quantity)
    assert str(error).startswith(f"world {bad}: {quantity}[")
    assert f"at time {batch.time[bad]:g}" in str(error)
    assert state_of(batch, bad) == before
    for i in set(range(11)) - {bad}:
        assert_world_equals(batch, i, single(model, worlds, i).step(4))
    assert "1 failed" in repr(batch)


@pytest.mark.parametrize("lanes", LANES)
def test_a_world_that_fails_later_keeps_its_last_good_state(lanes: int) -> None:
    """Exactly where a Data of its own would stop."""
    model, worlds = model_of("own/slide"), random_worlds("own/slide", 9)
    worlds = {field: values.copy() for field, values in worlds.items()}
    worlds["qfrc_applied"][2, 1] = 1e9 * model.body_mass[2]
    data = single(model, worlds, 2)
    with pytest.raises(phalanx.WorldError) as caught:
        data.step(10_000)
    assert data.time > worlds["time"][2] + 1
    batch = make_batch(model, 9, lanes=lanes)
    fill(batch, worlds)
    errors = batch.step_all(10_000)
    assert [i for i in range(9) if errors[i] is not None] == [2]
    assert (errors[2].quantity, errors[2].index, errors[2].time) == (
        caught.value.quantity, caught.value.index, caught.value.time
    )  # fmt: skip
    assert_world_equals(batch, 2, data)


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_failed_world_goes_on_after_a_reset(lanes: int) -> None:
    model = model_of(EVERYTHING)
    batch = make_batch(model, 9, lanes=lanes)
    batch.qpos[5, 3] = np.nan
    batch.step()
    assert batch.errors[5] is not None
    batch.step()
    assert batch.errors[5] is not None, "a world that is not mended stays failed"
    batch.reset(5)
    assert batch.errors[5] is None
    batch.step(2)
    assert batch.errors == [None] * 9
    assert_world_equals(batch, 5, make_data(model).step(2))


def test_all_worlds_bad() -> None:
    batch = make_batch(model_of(EVERYTHING), 9, lanes=8)
    batch.qvel[:] = np.nan
    assert all(error is not None for error in batch.step_all(3))


@pytest.mark.parametrize("lanes", [1, 8])
def test_bad_controls_are_no_failure(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 3)
    worlds = {field: values.copy() for field, values in worlds.items()}
    worlds["ctrl"][1, 0] = np.nan
    batch = make_batch(model, 3, lanes=lanes)
    fill(batch, worlds)
    with pytest.warns(phalanx.BadControlWarning, match=r"world 1: ctrl\[0\] of actuator 'servo' is nan"):
        assert batch.step_all(3) == [None] * 3
    for i in range(3):
        data = single(model, worlds, i)
        if i == 1:
            with pytest.warns(phalanx.BadControlWarning, match=r"^ctrl\[0\] of actuator 'servo' is nan"):
                data.step(3)
        assert_world_equals(batch, i, data if i == 1 else data.step(3))


# --- resets


@pytest.mark.parametrize("keyframe", [None, 0, "bent"])
def test_resets(keyframe: int | str | None) -> None:
    model = model_of(EVERYTHING)
    batch = make_batch(model, 6, lanes=1)
    initial = make_data(model).reset(keyframe)
    for reset, worlds in (
        (lambda: batch.reset(2, keyframe), [2]),
        (lambda: batch.reset(-1, keyframe), [5]),
        (lambda: batch.reset_where(np.arange(6) % 2 == 0, keyframe), [0, 2, 4]),
        (lambda: batch.reset_all(keyframe), list(range(6))),
    ):
        fill(batch, random_worlds(EVERYTHING, 6))
        before = [state_of(batch, i) for i in range(6)]
        reset()
        for i in range(6):
            if i in worlds:
                assert_world_equals(batch, i, initial)
            else:
                assert state_of(batch, i) == before[i]


@pytest.mark.parametrize(
    "mask", [np.ones(5, bool), np.ones(6, int), np.ones(6), True, [True] * 5, np.ones((6, 1), bool), [0, 2]]
)
def test_wrong_masks_are_refused(mask: Any) -> None:
    batch = make_batch(model_of(EVERYTHING), 6, lanes=1)
    with pytest.raises(phalanx.FieldError, match="mask must be 6 booleans"):
        batch.reset_where(mask)


def test_wrong_worlds_and_keyframes_are_refused() -> None:
    batch = make_batch(model_of(EVERYTHING), 6, lanes=1)
    for call in (lambda: batch.reset(6), lambda: batch.reset(-7), lambda: batch.env(6)):
        with pytest.raises(phalanx.FieldError, match="does not exist: the batch has 6"):
            call()
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'bent'"):
        batch.reset_all("bend")


# --- the interface


@pytest.mark.parametrize("lanes", [1, 8])
def test_env_is_a_data_of_its_own(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 9)
    batch = make_batch(model, 9, lanes=lanes)
    fill(batch, worlds)
    data = batch.env(3)
    reference = single(model, worlds, 3).forward()
    assert {name: array.tobytes() for name, array in data.snapshot().items()} == {
        name: array.tobytes() for name, array in reference.snapshot().items()
    }
    before = state_of(batch, 3)
    data.step(3)
    assert state_of(batch, 3) == before
    batch.step(3)
    assert_world_equals(batch, 3, data)
    assert batch.env(-1).qpos.tobytes() == batch.qpos[8].tobytes()


def test_fields_are_written_in_place_or_assigned() -> None:
    batch = make_batch(model_of(EVERYTHING), 4, lanes=1)
    batch.ctrl[:] = 0.5
    batch.qvel = 0.25
    assert (batch.qvel == 0.25).all() and batch.qvel.shape == (4, 18)
    batch.qpos = np.tile(batch.qpos[0], (4, 1))
    with pytest.raises(phalanx.FieldError, match=r"qpos has shape \(4, 21\), not \(21,\)"):
        batch.qpos = np.zeros(21)
    with pytest.raises(phalanx.FieldError, match="xpos is not a state, an input or a bound output"):
        batch.xpos = 1
    with pytest.raises(phalanx.FieldError, match="did you mean 'qpos'"):
        _ = batch.qposs
    assert not hasattr(batch, "no_such_thing_at_all")
    with pytest.raises(phalanx.FieldError, match="cannot take -1 steps"):
        batch.step(-1)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"n": -1}, "cannot have -1 worlds"), ({"threads": 0}, "threads must be at least 1"),
     ({"lanes": 3}, "lanes is 1, 2"), ({"lanes": "many"}, "lanes is 1, 2"), ({"dtype": "float16"}, "dtype is")],
    ids=str,
)  # fmt: skip
def test_wrong_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        make_batch(model_of(EVERYTHING), **({"n": 2} | options))


def test_unsupported_physics_is_announced_once() -> None:
    flex = '<flexcomp name="f" type="grid" count="3 3 1"><edge equality="true"/></flexcomp>'
    option = '<option integrator="discrete"><flag ipc="enable"/></option>'
    xml = f"<mujoco>{option}<worldbody>{flex}</worldbody></mujoco>"
    cloth = phalanx.Model.from_xml_string(xml)
    with pytest.warns(phalanx.UnsupportedFeatureWarning, match="ipc") as caught:
        phalanx.BatchSim(cloth, 2, lanes=1)
    assert len(caught) == 1


@pytest.mark.filterwarnings("ignore::phalanx.UnsupportedFeatureWarning")
@pytest.mark.parametrize("lanes", [1, 8])
def test_pickle(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 9)
    gravity = np.linspace(-10, 0, 27).reshape(9, 3)
    batch = make_batch(model, 9, lanes=lanes, threads=2, vary={"opt.gravity": gravity})
    batch.bind("xpos")
    fill(batch, worlds)
    batch.step()
    twin = pickle.loads(pickle.dumps(batch))
    assert (twin.n, twin.number, twin.threads, list(twin.vary)) == (9, batch.number, 2, ["opt.gravity"])
    for each in (batch, twin):
        each.step(3)
    assert [state_of(batch, i) for i in range(9)] == [state_of(twin, i) for i in range(9)]
    assert batch.xpos.tobytes() == twin.xpos.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"late": (np.array([0]), {"geom_bodyid": np.full((1, 2), 10**9)})},
        {"late": (np.array([10**9]), {"opt.gravity": np.zeros((1, 3))})},
        {"late": (np.array([0]), {"body_mass": np.ones((1, 3))})},
        {"late": (np.array([0]), {"speed": np.ones((1, 1))})},
        {"late": 5},
        {"bound": 5},
        {"bound": ("speed",)},
        {"number": None},
        {"arrays": None},
        {"n": 2**40},
        {"threads": 10**9},
        {"error_code": 99.0},
        {"model": None},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_damaged_pickle_is_refused(change: dict[str, Any]) -> None:
    """Also parameters of worlds, which kernels index with if they are integers."""
    model = phalanx.Model.from_xml_string("<mujoco><worldbody><geom size='.1'/><geom size='.1'/></worldbody></mujoco>")
    batch = phalanx.BatchSim(model, 2, threads=1)
    state = {**batch.__getstate__(), **change}
    if "error_code" in change:
        state["arrays"] = {**state["arrays"], "error_code": np.full(2, change["error_code"])}
    other = object.__new__(phalanx.BatchSim)
    with pytest.raises(phalanx.PhalanxError):
        other.__setstate__(state)
    for nothing in ({}, None, "x"):
        with pytest.raises(phalanx.ModelError, match="no pickle of a batch"):
            object.__new__(phalanx.BatchSim).__setstate__(nothing)


def test_repr_and_len() -> None:
    batch = make_batch(model_of(EVERYTHING), 4, lanes=1, threads=2, vary={"opt.timestep": np.full(4, 0.001)})
    assert len(batch) == 4
    for words in ("4 worlds", "2 threads", "varying opt.timestep", "'everything'"):
        assert words in repr(batch)


# --- models that vary


def variations(name: str, n: int) -> dict[str, np.ndarray]:
    """Values for every field that the tests vary; in some worlds the feature is absent."""
    model, rng = model_of(name), np.random.default_rng(3)
    off = np.arange(n) % 3 == 1

    def scaled(field: str, low: float = 0.5, high: float = 2.0, may_vanish: bool = False) -> np.ndarray:
        value = getattr(model.opt, field[4:]) if field.startswith("opt.") else getattr(model, field)
        value = np.asarray(value) * rng.uniform(low, high, (n, *np.shape(value)))
        if may_vanish:
            value[off] = 0
        return value

    def moved(field: str, size: float) -> np.ndarray:
        value = getattr(model, field)
        return value + rng.normal(size=(n, *value.shape)) * size

    qpos0 = np.tile(model.qpos0, (n, 1))
    qpos0[:, [11, 12, 13]] += rng.normal(size=(n, 3)) * 0.2
    spring = np.tile(model.qpos_spring, (n, 1))
    spring[:, [11, 12]] += rng.normal(size=(n, 2)) * 0.1
    gravcomp = np.tile(model.body_gravcomp, (n, 1)) * rng.uniform(0, 1, (n, 1))
    gravcomp[off] = 0
    armature = rng.uniform(0, 0.1, (n, model.nactuator))
    armature[off] = 0
    return {
        "body_mass": scaled("body_mass"),
        "body_inertia": scaled("body_inertia", 0.9, 1.1),
        "body_pos": moved("body_pos", 0.1),
        "body_gravcomp": gravcomp,
        "dof_damping": scaled("dof_damping", may_vanish=True),
        "dof_armature": scaled("dof_armature", may_vanish=True),
        "jnt_stiffness": scaled("jnt_stiffness", may_vanish=True),
        "jnt_pos": np.where(model.jnt_pos.any(-1, keepdims=True), moved("jnt_pos", 0.05), model.jnt_pos),
        "qpos0": qpos0,
        "qpos_spring": spring,
        "actuator_gainprm": scaled("actuator_gainprm", may_vanish=True),
        "actuator_biasprm": scaled("actuator_biasprm", may_vanish=True),
        "actuator_gear": scaled("actuator_gear"),
        "actuator_armature": armature,
        "actuator_damping": armature * 2,
        "geom_pos": moved("geom_pos", 0.1),
        "geom_size": scaled("geom_size"),
        "site_pos": moved("site_pos", 0.1),
        "opt.gravity": scaled("opt.gravity", may_vanish=True),
        "opt.timestep": scaled("opt.timestep"),
        "opt.density": scaled("opt.density", may_vanish=True),
        "opt.viscosity": scaled("opt.viscosity", may_vanish=True),
        "opt.wind": scaled("opt.wind"),
    }


VARIED = ("xpos", "geom_xpos", "site_xpos", "M", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qacc")


def check_varied(name: str, vary: dict[str, np.ndarray], lanes: int, integrator: str = "Euler") -> None:
    n = 11
    model, worlds = model_of(name, integrator), random_worlds(name, n)
    batch = make_batch(model, n, lanes=lanes, threads=2, vary=vary)
    batch.bind(*VARIED)
    singles = []
    for i in range(n):
        replaced = model.replace(**{field: values[i] for field, values in vary.items()})
        assert_world_equals(batch, i, make_data(replaced))
        singles.append(single(replaced, worlds, i))
    fill(batch, worlds)
    batch.step(3)
    for i, data in enumerate(singles):
        assert_world_equals(batch, i, data.step(3), (*KEPT, *VARIED))


FIELDS = tuple(variations(EVERYTHING, 1))


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("field", FIELDS)
def test_varied_worlds_equal_replaced_models(field: str, lanes: int) -> None:
    """At the start, and after steps: world i is a Data of model.replace(field=values[i])."""
    check_varied(EVERYTHING, {field: variations(EVERYTHING, 11)[field]}, lanes)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_everything_may_vary_at_once(integrator: str, lanes: int) -> None:
    vary = variations(EVERYTHING, 11)
    del vary["qpos_spring"]
    check_varied(EVERYTHING, vary, lanes, integrator)


def test_a_varied_world_on_its_own() -> None:
    model, vary = model_of(EVERYTHING), {"body_mass": variations(EVERYTHING, 9)["body_mass"]}
    batch = make_batch(model, 9, lanes=8, vary=vary)
    np.testing.assert_array_equal(batch.env(4).model.body_mass, vary["body_mass"][4])


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ({"body_masss": np.ones((3, 7))}, "did you mean 'body_mass'"),
        ({"body_mass": np.ones(7)}, r"vary\['body_mass'\] has shape \(7,\), but 3 worlds of body_mass need \(3, 7\)"),
        ({"body_mass": np.ones((2, 7))}, r"need \(3, 7\)"),
        ({"geom_contype": np.ones((3, 8), int)}, "cannot vary"),
        ({"opt.integrator": np.zeros(3, int)}, "cannot vary"),
        ({"body_subtreemass": np.ones((3, 7))}, "cannot vary|derived"),
        ({"body_mass": [["a"] * 7] * 3}, "takes numbers"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_wrong_variations_are_refused(vary: dict[str, Any], words: str) -> None:
    with pytest.raises(phalanx.FieldError, match=words):
        make_batch(model_of(EVERYTHING), 3, lanes=1, vary=vary)


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ({"body_mass": np.full((3, 7), np.nan)}, "not finite"),
        ({"opt.timestep": np.array([0.1, 0, 0.1])}, "must be positive"),
        ({"body_ipos": np.full((3, 7, 3), 0.1)}, "simple"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_variations_that_make_no_model_are_refused(vary: dict[str, Any], words: str) -> None:
    with pytest.raises(phalanx.ModelError, match=words):
        make_batch(model_of(EVERYTHING), 3, lanes=1, vary=vary)


# --- single precision


@pytest.mark.conformance
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_float32_worlds_equal_float32_data(lanes: int) -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 19)
    batch = make_batch(model, 19, lanes=lanes, dtype="float32")
    fill(batch, worlds)
    batch.step(4)
    for i in range(19):
        assert_world_equals(batch, i, single(model, worlds, i, "float32").step(4))


@pytest.mark.conformance
def test_float32_is_close_to_float64() -> None:
    model, worlds = model_of(EVERYTHING), random_worlds(EVERYTHING, 19)
    batch = make_batch(model, 19, dtype="float32")
    fill(batch, worlds)
    batch.step(4)
    assert batch.qpos.dtype == np.float32
    for i in range(19):
        data = single(model, worlds, i).step(4)
        for field in ("qpos", "qvel"):
            scale = np.abs(getattr(data, field)).max()
            np.testing.assert_allclose(getattr(batch, field)[i], getattr(data, field), atol=1e-4 * scale, err_msg=field)


def test_kept_rows_are_state_and_inputs() -> None:
    assert set(ADVANCED) <= set(KEPT)
    assert {"qpos", "time", "plastic", *INPUTS} <= set(KEPT)


# --- what people try

SCENE = "own/contact"


def test_messages_say_what_to_do():
    with pytest.raises(phalanx.FieldError, match=r"not str: phalanx\.BatchSim\(phalanx\.load\('x\.xml'\), n\)"):
        phalanx.BatchSim("x.xml", 3)
    batch = make_batch(model_of(SCENE), 3)
    for steps in (2.0, "5"):
        with pytest.raises(phalanx.FieldError, match=r"step\(round\(duration / model\.opt\.timestep\)\)"):
            batch.step(steps)
    with pytest.raises(phalanx.FieldError, match=r"3 booleans.*worlds by index: reset\(\[0, 2\]\)"):
        batch.reset_where([1, 2])
    with pytest.raises(phalanx.FieldError, match=r"no attribute 'rests'; did you mean 'reset'\?"):
        _ = batch.rests
    assert not any(name.startswith("_") for name in dir(batch))


def test_reset_takes_worlds_in_every_form():
    batch = make_batch(model_of(SCENE), 4)
    for worlds, left in ((None, []), (1, [0, 2, 3]), ([1, 3], [0, 2]), (np.arange(4) > 1, [0, 1])):
        batch.time[:] = 1.0
        batch.reset(worlds)
        assert np.flatnonzero(batch.time).tolist() == left


def test_a_batch_may_be_closed_and_goes_on():
    with make_batch(model_of(SCENE), 64, threads=2) as batch:
        batch.step(2)
    batch.step(2)
    batch.close()
    batch.close()
    assert not batch._pool._jobs
    twin = make_batch(model_of(SCENE), 64, threads=1)
    twin.step(4)
    assert batch.fingerprint() == twin.fingerprint()
