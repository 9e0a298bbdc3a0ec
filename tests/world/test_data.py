"""The Data as an object: fields, snapshots, copies, files, resets, errors, and what each stage touches."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.pipeline.entries import ENTRIES, OPERATIONS
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import Kind, group_of
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states, read

EVERYTHING = "own/everything"
PUBLIC = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return load(EVERYTHING).phalanx


@pytest.fixture
def data(model: phalanx.Model) -> phalanx.Data:
    """A Data in a random state, after forward."""
    return random_data(EVERYTHING)


def random_data(name: str, **options: Any) -> phalanx.Data:
    pair = load(name)
    *_, mjdata = random_states(pair.mujoco, 4, seed=7)
    data = make_data(pair.phalanx, **options)
    load_state(data, mjdata)
    return data.forward()


def contents(data: phalanx.Data) -> dict[str, bytes]:
    return {name: data._store.arrays[name].tobytes() for name in PUBLIC}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


# --- fields


def test_fields_are_live(data: phalanx.Data) -> None:
    qpos = data.qpos
    qpos[0] = 5
    assert data.qpos[0] == 5
    data.qvel = 0.5
    assert (data.qvel == 0.5).all()
    data.ctrl = np.arange(6)
    assert data.ctrl.dtype == np.float64
    data.time = 3
    assert data.time == 3.0


def test_every_row_is_an_attribute_with_its_shape(data: phalanx.Data) -> None:
    for name in PUBLIC:
        value, row = getattr(data, name), data.row(name)
        if row.is_scalar:
            assert np.ndim(value) == 0
        else:
            assert value.ndim == len(row.shape)
    assert set(PUBLIC) <= set(dir(data))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("qposs", 1, "Data has no field 'qposs'; did you mean 'qpos'"),
        ("qpos", np.zeros(3), r"qpos has shape \(21,\), not \(3,\)"),
        ("xpos", np.zeros(7), r"xpos has shape \(7, 3\), not \(7,\)"),
        ("qvel", "fast", "qvel takes numbers"),
        ("qvel", None, "qvel takes numbers"),
        ("tree_asleep", 0.5, "tree_asleep takes integers"),
        ("model", 1, "Data has no field 'model'"),
        ("time", [1, 2], r"time has shape \(\), not \(2,\)"),
    ],
)
def test_what_does_not_fit_is_refused(data: phalanx.Data, name: str, value: Any, words: str) -> None:
    before = contents(data)
    with pytest.raises(phalanx.FieldError, match=words):
        setattr(data, name, value)
    assert contents(data) == before


def test_unknown_fields_come_with_a_suggestion(data: phalanx.Data) -> None:
    with pytest.raises(phalanx.FieldError, match="did you mean 'xpos'"):
        _ = data.x_pos
    assert not hasattr(data, "no_such_thing_at_all")


def test_objects_by_name_are_live(data: phalanx.Data) -> None:
    elbow = data.joint("elbow")
    assert elbow.qpos.shape == (1,)
    elbow.qpos = 0.25
    assert data.qpos[11] == 0.25
    data.qvel[data.model.joint("elbow").id] = 7
    root = data.joint("root")
    root.qvel[:3] = [1, 2, 3]
    np.testing.assert_array_equal(data.qvel[:3], [1, 2, 3])
    data.body("torso").xfrc_applied[2] = 9
    assert data.xfrc_applied[1, 2] == 9
    data.actuator("pid").ctrl = [1, 2, 3]
    np.testing.assert_array_equal(data.ctrl[3:6], [1, 2, 3])
    with pytest.raises(phalanx.FieldError, match=r"joint field 'qpos' has shape \(7,\), not \(2,\)"):
        root.qpos = [1, 2]
    with pytest.raises(phalanx.FieldError, match="did you mean 'qpos'"):
        _ = root.qposs
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'elbow'"):
        data.joint("elbw")


def test_repr(data: phalanx.Data) -> None:
    text = repr(data)
    assert f"time {data.time:g} s" in text and "'everything'" in text
    assert all(f"{name}: [" in text for name in ("qpos", "qvel", "act", "ctrl"))
    assert "Snapshot of" in repr(data.snapshot())
    assert "qpos" in repr(data.joint("elbow"))


# --- steps


def test_steps_in_one_call_or_in_several(data: phalanx.Data) -> None:
    other = data.copy()
    data.step(5)
    for _ in range(5):
        other.step()
    assert contents(data) == contents(other)


def test_zero_steps_change_nothing(data: phalanx.Data) -> None:
    before = contents(data)
    data.step(0)
    assert contents(data) == before


def test_negative_steps_are_refused(data: phalanx.Data) -> None:
    with pytest.raises(phalanx.FieldError, match="cannot take -1 steps"):
        data.step(-1)


def test_forward_can_be_repeated(data: phalanx.Data) -> None:
    before = contents(data)
    assert data.forward() is data
    assert contents(data) == before


def test_unknown_operations_come_with_a_suggestion(data: phalanx.Data) -> None:
    with pytest.raises(phalanx.PhalanxError, match="did you mean 'kinematics'"):
        data.run("kinematic")


def test_jacobians_take_names(data: phalanx.Data) -> None:
    body = data.model.body("elbow").id
    for by_name, by_number in zip(data.jac_body("elbow"), data.jac_body(body), strict=True):
        np.testing.assert_array_equal(by_name, by_number)
    assert data.jac_site("hand")[0].shape == (3, 18)
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'elbow'"):
        data.jac_body("elbwo")
    with pytest.raises(phalanx.FieldError, match=r"point has shape \(3,\), not \(2,\)"):
        data.jac([1, 2], "elbow")
    with pytest.raises(phalanx.FieldError, match=r"x has shape \(18,\), not \(3,\)"):
        data.mul_m([1, 2, 3])


def test_results_of_operations_are_copies(data: phalanx.Data) -> None:
    first = data.mul_m(np.ones(18))
    kept = first.copy()
    data.mul_m(np.zeros(18))
    data.jac_body("torso")[0][:] = 7
    np.testing.assert_array_equal(first, kept)
    assert not (data.jac_body("torso")[0] == 7).any()


# --- snapshots and copies


def test_a_snapshot_is_complete(data: phalanx.Data) -> None:
    """Every row that is not scratch is in it, and restoring it restores every bit."""
    snapshot = data.snapshot()
    assert set(snapshot) == set(PUBLIC)
    before = contents(data)
    data.step(3)
    data.ctrl = 1
    data.mocap_pos = 2
    assert changed(before, contents(data))
    data.restore(snapshot)
    assert contents(data) == before


@pytest.mark.parametrize("integrator", range(4))
def test_a_restored_world_goes_on_with_the_same_bits(integrator: int) -> None:
    """Scratch memory is no hidden state: it is poisoned before going on."""
    pair = load(EVERYTHING, integrator=integrator)
    data = make_data(pair.phalanx)
    *_, mjdata = random_states(pair.mujoco, 4, seed=7)
    load_state(data, mjdata)
    data.step(3)
    snapshot = data.snapshot()
    expected = contents(data.step(5))
    for other in (data, make_data(pair.phalanx)):
        other.restore(snapshot)
        poison(other, [row.name for rows in DATA.values() for row in rows if row.scratch])
        assert contents(other.step(5)) == expected


def test_a_snapshot_is_a_copy(data: phalanx.Data) -> None:
    snapshot = data.snapshot()
    kept = snapshot["qpos"].copy()
    data.qpos = 0
    np.testing.assert_array_equal(snapshot["qpos"], kept)
    twin = pickle.loads(pickle.dumps(snapshot))
    assert {name: array.tobytes() for name, array in twin.items()} == {n: a.tobytes() for n, a in snapshot.items()}


def test_a_snapshot_of_another_model_is_refused(data: phalanx.Data) -> None:
    before = contents(data)
    with pytest.raises(phalanx.ModelError, match="does not fit"):
        data.restore(load("own/hinge").data().snapshot())
    assert contents(data) == before


@pytest.mark.filterwarnings("ignore::phalanx.UnsupportedFeatureWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "duplicate", [phalanx.Data.copy, copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))],
    ids=["copy", "copy.copy", "deepcopy", "pickle"],
)  # fmt: skip
def test_copies_are_independent(duplicate: Any, dtype: str) -> None:
    data = random_data(EVERYTHING, dtype=dtype)
    twin = duplicate(data)
    assert contents(twin) == contents(data)
    assert twin.qpos.dtype == data.qpos.dtype == dtype
    kept = contents(data)
    twin.step(2)
    assert contents(data) == kept
    data.step(2)
    assert contents(twin) == contents(data)


def test_save_and_load(data: phalanx.Data, tmp_path: Path) -> None:
    before = contents(data)
    data.save(tmp_path / "data.npz")
    data.reset()
    data.load(tmp_path / "data.npz")
    assert contents(data) == before
    buffer = io.BytesIO()
    data.save(buffer)
    buffer.seek(0)
    assert contents(make_data(data.model).load(buffer)) == before


def test_other_files_are_refused(data: phalanx.Data, tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=1)
    with pytest.raises(phalanx.ModelError, match="not a data file"):
        data.load(tmp_path / "other.npz")
    load("own/hinge").data().save(tmp_path / "hinge.npz")
    with pytest.raises(phalanx.ModelError, match="does not fit"):
        data.load(tmp_path / "hinge.npz")


# --- reset

RESET = tuple(name for name, row in DATA_SCHEMA.fields.items() if row.state and row.mujoco != "-")


@pytest.mark.parametrize("name", [EVERYTHING, "own/springs", "own/mocap", "own/actuators", "suite/quadruped"])
def test_reset_is_mujocos(name: str) -> None:
    pair = load(name)
    data, fresh, mjdata = random_data(name), make_data(pair.phalanx), mujoco.MjData(pair.mujoco)
    for key in (None, *range(pair.mujoco.nkey)):
        data.step(2)
        if key is None:
            data.reset()
            assert contents(data) == contents(fresh)
        else:
            mujoco.mj_resetDataKeyframe(pair.mujoco, mjdata, key)
            data.reset(key)
        for row in RESET:
            expected = np.asarray(read(mjdata, row)).reshape(np.shape(getattr(data, row)))
            np.testing.assert_array_equal(getattr(data, row), expected, err_msg=f"{row} after key {key}")


def test_reset_by_name(data: phalanx.Data) -> None:
    assert data.reset("bent").time == 0.5
    np.testing.assert_array_equal(data.mocap_pos, [[1, 2, 3]])
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'bent'"):
        data.reset("bend")
    with pytest.raises(phalanx.UnknownNameError, match="key 3 does not exist"):
        data.reset(3)


# --- precision


@pytest.mark.parametrize("name", [EVERYTHING, "suite/humanoid", "own/fluid_ellipsoid"])
def test_float32_follows_float64(name: str) -> None:
    """Single precision agrees to its own accuracy: after forward, and along steps that start from the same state."""
    single, double = random_data(name, dtype="float32"), random_data(name)
    assert single.qpos.dtype == np.float32
    for field in ("xpos", "cdof", "M", "qfrc_bias", "qfrc_passive", "actuator_force", "qacc"):
        scale = np.abs(getattr(double, field)).max(initial=0.0)
        np.testing.assert_allclose(getattr(single, field), getattr(double, field), atol=2e-4 * scale, err_msg=field)
    for _ in range(20):
        for field in ("qpos", "qvel", "act", "plastic"):
            getattr(single, field)[:] = getattr(double, field)
        single.step()
        double.step()
        for field in ("qpos", "qvel"):
            scale = np.abs(getattr(double, field)).max()
            np.testing.assert_allclose(getattr(single, field), getattr(double, field), atol=2e-5 * scale, err_msg=field)


# --- what each stage touches

#: Rows of a stage's table group that it does not write yet; when it does, take the row off.
NOT_WRITTEN = {
    "flexedge_velocity", "wrap_obj", "wrap_xpos", "flg_subtreevel", "flg_energypos", "flg_energyvel",
    *(row.name for row in DATA["fwd_constraint"] if row.name not in ("qacc", "qfrc_constraint")),
}  # fmt: skip
POSITION = ("kinematics", "com_pos", "camera_light", "tendon", "make_m", "factor_m", "transmission")
VELOCITY = ("velocity", "com_vel", "passive", "rne")
ACCELERATION = ("fwd_actuation", "fwd_acceleration", "fwd_constraint")
#: Operation -> the groups whose rows it writes.
WRITES: dict[str, tuple[str, ...]] = {
    **{stage: (stage,) for stage in (*POSITION, "com_vel", "passive", "rne", "subtree_vel", "energy", *ACCELERATION)},
    "fwd_position": POSITION,
    "fwd_velocity": VELOCITY,
    "forward": (*POSITION, *VELOCITY, *ACCELERATION, "energy"),
    **{operation: () for operation in ("jac", "jac_dot", "jac_subtree_com", "angmom_mat", "solve_m", "mul_m")},
}
#: Operations of another kind: they advance the state, write half a row or group, or work on the Model.
OTHERS = {
    "step",
    "begin_asleep",
    "initial_state",
    "initial_state_where",
    "collision",
    "make_constraint",
    "adhesion",
    "reference_constraint",
    "rays",
    "flex",
    "flex_velocity",
    "flex_rays",
    "flex_blocks",
    "geom_distance",
    "integrate",
    "tendon_velocity",
    "actuator_velocity",
    "energy_pos",
    "energy_vel",
    "sensor_pos",
    "sensor_vel",
    "sensor_acc",
    "rne_post_constraint",
    "inverse",
    "inv_constraint",
    "compare_fwd_inv",
    "effective_metric",
    "coupled_acceleration",
    "free_flight",
    "constants_fixed",
    "constants_at_qpos0",
    "constants_inertia",
    *ENTRIES["asked"],
}
GROUP_OF = group_of(DATA)
SENTINEL = 77
STAGE_MODELS = (
    EVERYTHING, "own/actuators_with_state", "own/actuators", "own/cameras_lights", "own/fluid_ellipsoid", "own/springs",
    "own/frames", "own/static", "suite/humanoid",
)  # fmt: skip


def poison(data: phalanx.Data, names: list[str]) -> None:
    for name in names:
        array = data._store.arrays[name]
        array[...] = np.nan if array.dtype.kind == "f" else SENTINEL if array.dtype.kind == "i" else True


def later_reals(groups: tuple[str, ...]) -> list[str]:
    """Real rows that no stage has written when the first of these groups is due, and scratch."""
    order = list(DATA)
    first = min((order.index(group) for group in groups), default=len(order))
    keep = {"state", "input", "sleep", "diagnostics"}
    late = [group for group in order[first:] if group not in keep and group not in groups]
    rows = [row for group in late for row in DATA[group] if row.kind is Kind.REAL]
    return [row.name for row in rows if row.name not in ("jac_point", "vector_in")]


def test_every_operation_is_listed() -> None:
    assert set(WRITES) | OTHERS == set(OPERATIONS)


@pytest.mark.parametrize("operation", WRITES)
@pytest.mark.parametrize("name", STAGE_MODELS)
def test_a_stage_writes_its_own_rows_and_no_others(name: str, operation: str) -> None:
    """Its rows are poisoned, and so is all that comes later: it must write the former and not read the latter."""
    data = random_data(name).run("subtree_vel")
    valid = contents(data)
    own = [row.name for group in WRITES[operation] for row in DATA[group] if row.name not in NOT_WRITTEN]
    later = later_reals(WRITES[operation])
    if not WRITES[operation]:
        later = [name for name in later if GROUP_OF[name].endswith("_scratch")]
    poison(data, own + later)
    before = contents(data)
    data.run(operation)
    after = contents(data)
    assert changed(before, after) <= set(own)
    assert {name: after[name] for name in own} == {name: valid[name] for name in own}


def test_integrate_writes_state_and_its_own_rows() -> None:
    data = random_data(EVERYTHING)
    before = contents(data)
    data.run("integrate")
    touched = changed(before, contents(data))
    assert touched <= {row.name for group in ("state", "implicit") for row in DATA[group]} | {"act_dot"}
    assert {"qpos", "qvel", "time", "act", "qacc_warmstart"} <= touched


def test_a_step_touches_no_inputs() -> None:
    data = random_data(EVERYTHING)
    before = contents(data)
    data.step(3)
    touched = changed(before, contents(data))
    assert not touched & {row.name for row in DATA["input"]}
    assert not touched & {row.name for row in DATA["diagnostics"]}


def test_messages_of_steps_and_names_say_what_to_do(data):
    words = r"whole number, not .*step\(round\(duration / model\.opt\.timestep\)\)"
    for steps in (2.0, "5", np.float32(3)):
        with pytest.raises(phalanx.FieldError, match=words):
            data.step(steps)
    with pytest.raises(phalanx.FieldError, match="time goes forward only; restore a snapshot to go back"):
        data.step(-1)
    with pytest.raises(phalanx.FieldError, match=r"no field 'forwards'; did you mean 'forward'\?"):
        _ = data.forwards


def test_neither_suggestions_nor_completion_name_memory_of_stages(data):
    scratch = {name for name, row in DATA_SCHEMA.fields.items() if row.scratch}
    assert not scratch & set(dir(data))
    for name in scratch:
        with pytest.raises(phalanx.FieldError) as error:
            getattr(data, name + "x")
        assert not any(f"'{other}'" in str(error.value).partition("did you mean")[2] for other in scratch)
