"""Parameters of chosen worlds that change while a batch is used: every world is its own replaced model, bit for bit.

Lanes of 1 and 8 worlds run by default; 4 and 16, and single precision, with the marker `conformance`.
"""

from __future__ import annotations

import copy
import pickle
from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.batch import AUTO_LANES
from phalanx.batch.binding import KEPT
from phalanx.batch.units import all_units
from phalanx.batch.vary_constants import number_of_constants
from phalanx.batch.vary_structure import STRUCTURE
from phalanx.batch.vary_values import check_changes
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.pipeline import derive
from phalanx.pipeline.entries import world_entry
from phalanx.tables.field import Kind
from phalanx.tables.model_fields import SETCONST_INPUTS
from phalanx.world.model import check_replaceable
from tests.quiet import quiet

XML = """
<mujoco model="varied">
  <option timestep=".002" density="1.2" viscosity=".01" wind=".1 .2 .3" gravity=".1 .2 -9.81"/>
  <asset><hfield name="hills" nrow="3" ncol="3" size="1 2 .3 .4"/></asset>
  <worldbody>
    <light name="sun" pos="1 2 3" dir="0 1 -1"/>
    <camera name="watch" pos="3 0 1" mode="targetbodycom" target="torso"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="ground" type="hfield" hfield="hills" pos="9 0 0"/>
    <site name="ceiling" pos="0 0 2"/>
    <body name="torso" pos="0 0 .45">
      <joint name="root" type="free"/>
      <geom name="trunk" type="box" size=".2 .1 .3" pos=".02 0 0" friction=".7 .01 .001"/>
      <camera name="track" mode="trackcom" pos="1 1 1"/>
      <site name="chest" pos="0 .1 .2" euler="0 0 20"/>
      <body name="shoulder" pos=".3 0 .2" euler="10 0 40">
        <joint name="shoulder" type="ball" pos="-.05 0 0"/>
        <geom name="upper" type="capsule" size=".05 .1" fluidshape="ellipsoid"/>
        <body name="elbow" pos=".1 0 .3">
          <joint name="elbow" axis="0 1 .2" springref="10" limited="true" range="-60 60"/>
          <geom name="lower" type="cylinder" size=".04 .1" pos=".1 0 0"/>
          <site name="hand" pos=".2 0 0"/>
        </body>
      </body>
      <body name="hip" pos="-.1 .1 -.4" euler="0 20 0">
        <joint name="hip" axis="1 0 0" pos="0 0 .1"/>
        <geom name="thigh" type="capsule" size=".06 .1" pos=".3 .3 0"/>
      </body>
    </body>
    <body name="crate" pos="1 1 .25"><freejoint name="crate"/><geom name="crate" type="box" size=".1 .2 .3"/></body>
    <body name="pointer" mocap="true" pos="1 0 1"><geom name="pointer" size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair name="touch" geom1="floor" geom2="thigh"/></contact>
  <equality><connect name="tie" body1="hip" body2="shoulder" anchor="0 0 .2"/></equality>
  <tendon>
    <fixed name="strand"><joint joint="elbow" coef="2"/><joint joint="hip" coef="-1"/></fixed>
    <spatial name="rope"><site site="ceiling"/><geom geom="lower" sidesite="chest"/><site site="hand"/></spatial>
  </tendon>
  <actuator>
    <position name="servo" joint="elbow" kp="3" kv=".2" ctrlrange="-1 1"/>
    <general name="filter" joint="hip" dyntype="filterexact" dynprm=".05" gainprm="4" forcerange="-2 2"/>
    <motor name="pull" tendon="strand" gear="2"/>
    <pid name="pid" joint="hip" kp="3" kv="2" ki=".5" input="pos vel ff"/>
  </actuator>
  <sensor><jointpos joint="elbow" noise=".1"/><framepos objtype="site" objname="hand"/></sensor>
  <keyframe><key name="high" qpos="0 0 2 1 0 0 0 1 0 0 0 .3 .1 1 1 2 1 0 0 0"/></keyframe>
</mujoco>
"""

N = 11
HEAVY = [pytest.param(lanes, marks=pytest.mark.conformance) for lanes in (4, 16)]
LANES = [1, 8, *HEAVY]
OUTPUTS = ("xpos", "geom_xpos", "M", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qacc")

#: Fields that are zero in the model and may be something else in a world.
ADDED = {
    "body_gravcomp", "geom_surfacevel", "geom_adhesion", "pair_adhesion", "geom_margin", "geom_gap", "pair_margin",
    "pair_gap", "jnt_stiffness", "jnt_stiffnesspoly", "jnt_margin", "dof_armature", "dof_damping", "dof_dampingpoly",
    "dof_frictionloss", "tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly",
    "tendon_frictionloss", "tendon_armature", "tendon_margin", "actuator_damping", "actuator_dampingpoly",
    "actuator_armature", "geom_solmix", "qpos_spring",
}  # fmt: skip


@cache
def compiled() -> phalanx.Model:
    """With derived constants of MuJoCo, whose last bits differ from ours."""
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(XML))


@cache
def model() -> phalanx.Model:
    """With derived constants of our own: a world that is replaced by its own values stays as it is."""
    return compiled().replace(body_mass=compiled().body_mass)


@quiet()
def make_batch(n: int = N, **options: Any) -> phalanx.BatchSim:
    return phalanx.BatchSim(options.pop("model", model()), n, **options)


def is_variable(name: str) -> bool:
    row = MODEL_SCHEMA.fields[name]
    try:
        check_replaceable(name, row)
    except phalanx.FieldError:
        return False
    return row.kind is Kind.REAL and row.per_world and bool(model()._store.arrays[name].size)


FIELDS = tuple(name for name in MODEL_SCHEMA.fields if is_variable(name))


def values_of(name: str, k: int, rng: np.random.Generator) -> np.ndarray:
    """Other values of a field for k worlds, in which some features appear."""
    base = model()._store.arrays[name]
    values = base * rng.uniform(0.98, 1.02, (k, *base.shape))
    if name in ADDED:
        values += rng.uniform(0, 0.01, values.shape) * (rng.uniform(size=values.shape) < 0.5)
    if name.endswith("quat"):
        # a quaternion stays one; bodies that are simple stay so
        values = np.where(base == (1, 0, 0, 0), base, values)
        values /= np.linalg.norm(values, axis=-1, keepdims=True)
    if name == "wrap_prm":
        values[...] = base
        values[:, :2] *= 1.02  # coefficients of joints
    if name.endswith("solimp"):
        values[..., :2] = np.minimum(values[..., :2], 0.99)
    return values


def set_random(batch: phalanx.BatchSim, names: tuple[str, ...], rng: np.random.Generator) -> np.ndarray:
    mask = rng.uniform(size=batch.n) < 0.4
    batch.set_vary(mask, **{name: values_of(name, int(mask.sum()), rng) for name in names})
    return mask


def copy_state(source: phalanx.BatchSim, target: phalanx.BatchSim) -> None:
    for name in KEPT:
        target._arrays[name][...] = source._arrays[name]


def assert_same(a: phalanx.BatchSim, b: phalanx.BatchSim, names: tuple[str, ...] = (*KEPT, *OUTPUTS)) -> None:
    for name in names:
        ours, theirs = a._arrays[name], b._arrays[name]
        for world in range(a.n):
            assert ours[world].tobytes() == theirs[world].tobytes(), f"{name} of world {world}"


def assert_is_env(batch: phalanx.BatchSim, world: int, data: phalanx.Data) -> None:
    for name in (*KEPT, *OUTPUTS):
        assert batch._arrays[name][world].tobytes() == data._store.arrays[name].tobytes(), f"{name} of world {world}"


def parts(count: int) -> list[tuple[str, ...]]:
    """All fields, in so many parts, in an order without meaning."""
    names = np.random.default_rng(5).permutation(FIELDS).tolist()
    return [tuple(names[k::count]) for k in range(count)]


def test_many_fields_are_tried() -> None:
    assert len(FIELDS) > 100
    assert set(FIELDS) >= ADDED
    assert set(derive.SWITCHES) <= ADDED


# --- bits


@pytest.mark.parametrize("lanes", LANES)
def test_every_field_as_in_a_batch_made_with_it(lanes: int) -> None:
    """Memory that kernels read, row by row, in every world."""
    rng = np.random.default_rng(lanes)
    for names in parts(8):
        batch = make_batch(lanes=lanes, threads=2)
        for _ in range(2):
            set_random(batch, names, rng)
        other = make_batch(lanes=lanes, threads=1, vary=batch.vary)
        for name, row in MODEL_SCHEMA.fields.items():
            if row.kind is Kind.REAL or name in STRUCTURE:
                for mine, theirs in zip(batch._models, other._models, strict=True):
                    assert mine.seen(name).tobytes() == theirs.seen(name).tobytes(), name


def test_every_field_as_in_a_replaced_model() -> None:
    """Memory that kernels read, row by row, in the worlds that changed."""
    rng = np.random.default_rng(1)
    for names in parts(8):
        batch = make_batch(3, lanes=8)
        values = {name: values_of(name, 1, rng) for name in names}
        batch.set_vary([1], **values)
        own = model().replace(**{name: rows[0] for name, rows in values.items()})._store
        for name, row in MODEL_SCHEMA.fields.items():
            if row.kind is Kind.REAL:
                seen = batch._models[0].seen(name)
                assert np.ascontiguousarray(seen[..., 1]).tobytes() == own.seen(name).tobytes(), name


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lanes", LANES)
def test_changes_between_steps(lanes: int, threads: int) -> None:
    """Against a batch that is made anew with the present values, and in the end against worlds of their own."""
    rng = np.random.default_rng(7)
    batch = make_batch(lanes=lanes, threads=threads)
    batch.bind(*OUTPUTS)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    for names in parts(5):
        set_random(batch, names, rng)
        other = make_batch(lanes=lanes, vary=batch.vary)
        other.bind(*OUTPUTS)
        copy_state(batch, other)
        batch.step(2)
        other.step(2)
        assert_same(batch, other)
    singles = [batch.env(world) for world in range(N)]
    batch.step(3)
    for world, data in enumerate(singles):
        replaced = model().replace(**{name: values[world] for name, values in batch.vary.items()})
        assert data.model.fingerprint() == replaced.fingerprint()
        assert_is_env(batch, world, data.step(3))


@pytest.mark.conformance
@pytest.mark.parametrize("lanes", [1, 8, 16])
def test_single_precision(lanes: int) -> None:
    rng = np.random.default_rng(2)
    # lanes compute constants in their own precision: so it is in all worlds, from the start
    batch = make_batch(lanes=lanes, dtype="float32", vary={"body_mass": np.tile(model().body_mass, (N, 1))})
    batch.bind(*OUTPUTS)
    for names in parts(4):
        set_random(batch, names, rng)
        other = make_batch(lanes=lanes, dtype="float32", vary=batch.vary)
        other.bind(*OUTPUTS)
        copy_state(batch, other)
        batch.step(2)
        other.step(2)
        assert_same(batch, other)


def test_interpreted() -> None:
    rng = np.random.default_rng(3)
    names = ("body_mass", "geom_size", "actuator_armature", "dof_frictionloss", "body_pos", "opt.timestep")
    values = {name: values_of(name, 2, rng) for name in names}
    found = []
    for plain in (True, False):
        with interpreted(plain):
            batch = make_batch(3, lanes=1, vary={"body_mass": np.tile(model().body_mass, (3, 1))})
            batch.set_vary([2, 0], **values)
            batch.step()
            found.append(batch.fingerprint())
    assert found[0] == found[1]


@pytest.mark.parametrize("lanes", [1, 8])
def test_other_worlds_keep_their_bits(lanes: int) -> None:
    """Also with derived constants that were computed elsewhere, and with structure that only one world needs."""
    rng = np.random.default_rng(4)
    batch, untouched = (make_batch(model=compiled(), lanes=lanes) for _ in range(2))
    for each in (batch, untouched):
        each.bind(*OUTPUTS)
        each.step(2)
    chosen = np.arange(N) % 4 == 1
    batch.set_vary(chosen, **{name: values_of(name, int(chosen.sum()), rng) for name in FIELDS})
    for each in (batch, untouched):
        each.step(3)
    for name in (*KEPT, *OUTPUTS):
        ours, theirs = batch._arrays[name], untouched._arrays[name]
        assert ours[~chosen].tobytes() == theirs[~chosen].tobytes(), name
    assert (batch.qpos[chosen] != untouched.qpos[chosen]).any(axis=1).all()
    # what was not chosen has the model as it was compiled
    assert batch.env(0).model.fingerprint() == compiled().fingerprint()
    for twin in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        assert twin.env(0).model.fingerprint() == compiled().fingerprint()
        assert twin.env(1).model.fingerprint() == batch.env(1).model.fingerprint()
        kept = copy.copy(batch)
        kept.step(2)
        twin.step(2)
        assert_same(kept, twin)
    after = copy.copy(batch)
    after.step(4)
    result = phalanx.rollout(compiled(), batch, nsteps=4, lanes=lanes, outputs=("qpos",))
    np.testing.assert_array_equal(result.qpos[:, -1], after.qpos)


# --- structure that depends on numbers


@pytest.mark.parametrize("name", sorted(set(FIELDS) & SETCONST_INPUTS))
def test_all_numbers_that_bring_structure_are_known(name: str) -> None:
    """Integers and flags that kernels read follow from `SWITCHES` only."""
    arrays = {key: array.copy() for key, array in model()._store.arrays.items()}
    arrays[name] = arrays[name] + 0.01
    before = {key: arrays[key].copy() for key, row in MODEL_SCHEMA.fields.items() if row.kind is not Kind.REAL}
    derive.derive_structure(arrays, dict(model()._store.sizes))
    changed = {key for key, array in before.items() if (array != arrays[key]).any()}
    unread = {"body_sameframe", "geom_sameframe", "site_sameframe"}
    assert changed <= set(STRUCTURE)
    assert not changed - unread or name in derive.SWITCHES


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("name", ["dof_frictionloss", "dof_armature", "jnt_stiffness", "body_gravcomp", "geom_margin"])
def test_what_appears_in_one_world(name: str, lanes: int) -> None:
    """A model of one joint, without any of it."""
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .53"><joint axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody></mujoco>"""
    bare = phalanx.Model.from_xml_string(xml)
    batch = make_batch(9, model=bare, lanes=lanes)
    batch.qvel[:] = 1
    batch.step()
    value = np.full(bare._store.arrays[name].shape, 0.1)
    batch.set_vary(8, **{name: value})
    one, many = bare.replace(**{name: value}).make_data(), bare.make_data()
    for data in (one, many):
        data.qvel[:] = 1
    many.step(3)
    one.qpos[:], one.qvel[:], one.qacc_warmstart[:] = batch.qpos[8], batch.qvel[8], batch.qacc_warmstart[8]
    batch.step(2)
    one.step(2)
    assert batch.qpos[8] == one.qpos
    assert (batch.qpos[:8] == many.qpos).all()


def test_compensation_of_gravity_that_is_nowhere_positive() -> None:
    """MuJoCo leaves it out, whatever other worlds do."""
    compensation = np.zeros((N, model().nbody))
    compensation[0, 1], compensation[1, 1] = 0.5, -0.5
    batch = make_batch(lanes=8)
    batch.set_vary([0, 1], body_gravcomp=compensation[:2])
    batch.step(2)
    for world in range(3):
        alone = model().replace(body_gravcomp=compensation[world]).make_data().step(2)
        assert batch.qpos[world].tobytes() == alone.qpos.tobytes()


def test_boxes_of_bodies_that_are_swept() -> None:
    """Many geoms: a sweep over boxes around bodies finds who may touch."""
    bodies = "".join(
        f'<body pos="{k % 9 * 0.3} {k // 9 * 0.3} .2"><freejoint/><geom size=".1"/>'
        f'<geom type="box" size=".05 .05 .05" pos=".05 0 0"/></body>'
        for k in range(33)
    )
    crowd = phalanx.Model.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'
    )
    assert crowd._store.arrays["flg_sweep"]
    batch = make_batch(3, model=crowd, lanes=8)
    size = crowd.geom_size.copy()
    size[1::2] *= 1.7
    batch.set_vary(2, geom_size=size)
    batch.step(3)
    for world, own in ((1, crowd), (2, crowd.replace(geom_size=size))):
        assert batch.qpos[world].tobytes() == own.make_data().step(3).qpos.tobytes()


# --- interface


def test_arrays_show_the_present_values_and_cannot_be_written() -> None:
    batch = make_batch(4, lanes=8, vary={"body_mass": np.tile(model().body_mass, (4, 1))})
    shown = batch.vary["body_mass"]
    with pytest.raises(ValueError, match="read-only"):
        shown[0] = 1
    with pytest.raises(TypeError):
        batch.vary["body_mass"] = shown  # type: ignore[index]
    batch.set_vary(2, body_mass=model().body_mass * 2, opt={"gravity": [0, 0, -1]})
    np.testing.assert_array_equal(shown[2], model().body_mass * 2)
    np.testing.assert_array_equal(shown[1], model().body_mass)
    np.testing.assert_array_equal(
        batch.vary["opt.gravity"], [model().opt.gravity] * 2 + [[0, 0, -1], model().opt.gravity]
    )
    assert "varying body_mass, opt.gravity" in repr(batch)


def test_worlds_and_shapes_that_can_be_given() -> None:
    mask = np.array([True, False, True, False])
    rows = np.outer([1.0, 2.0, 3.0, 4.0], model().body_mass)
    expected = np.array([rows[0], model().body_mass, rows[2], model().body_mass])
    for chosen, value in (
        (mask, rows),
        (mask, rows[mask]),
        ([2, 0], rows[[2, 0]]),
        ([-2, -4], rows[[2, 0]]),
        (mask.tolist(), rows.tolist()),
    ):
        batch = make_batch(4, lanes=1)
        batch.set_vary(chosen, body_mass=value)
        np.testing.assert_array_equal(batch.vary["body_mass"], expected)
    batch.set_vary(1, body_mass=rows[3])
    batch.set_vary([], body_mass=rows[3])
    batch.set_vary(np.zeros(4, bool), body_inertia=np.zeros((0, model().nbody, 3)))
    np.testing.assert_array_equal(batch.vary["body_mass"][1], rows[3])
    assert list(batch.vary) == ["body_mass"]
    empty = make_batch(0)
    empty.set_vary([], body_mass=rows[3])
    empty.step()


def bad(name: str, place: tuple[int, ...], value: float) -> dict[str, np.ndarray]:
    base = model()._store.arrays[name]
    values = np.tile(base, (2, *(1,) * base.ndim))
    values[place] = value
    return {name: values}


@pytest.mark.parametrize(
    ("mask", "fields", "words"),
    [
        ([2, 5], {"body_masss": 1}, "did you mean 'body_mass'"),
        ([2, 5], {"geom_contype": 1}, "geom_contype cannot vary by world"),
        ([2, 5], {"body_subtreemass": 1}, "derived from other fields"),
        (
            [2, 5],
            {"body_mass": np.ones(3)},
            r"shape \(3,\), but 2 chosen worlds need \(2, 7\), or \(7,\) for one value",
        ),
        ([2, 5], {"body_mass": np.ones((N, 7))}, r"2 chosen worlds need \(2, 7\)"),
        (np.arange(N) < 2, {"body_mass": np.ones((3, 7))}, r"need \(2, 7\), \(11, 7\) for all worlds, or \(7,\)"),
        ([2, 5], {"body_mass": "heavy"}, "body_mass takes numbers, not str"),
        ([2, 11], {"body_mass": 1}, "world 11 does not exist: the batch has 11"),
        ([2, 2], {"body_mass": 1}, "world 2 is chosen more than once"),
        ([True, False], {"body_mass": 1}, "a mask of worlds has 11 booleans"),
        ([2.5], {"body_mass": 1}, "worlds are chosen by whole numbers or a mask, not by float64"),
        ("all", {"body_mass": 1}, "worlds are chosen by a whole number, a list of them or a mask, not by str"),
    ],
)
def test_what_does_not_fit_is_refused(mask: Any, fields: dict[str, Any], words: str) -> None:
    refused(phalanx.FieldError, mask, fields, words)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (bad("body_mass", (1, 3), np.nan), r"world 5: body_mass\[3\] is not finite"),
        (bad("body_mass", (1, 3), -1), r"world 5: body_mass\[3\] is negative"),
        (bad("body_inertia", (0, 3, 1), -1), r"world 2: body_inertia\[3, 1\] is negative"),
        (bad("opt.timestep", (1,), 0), "world 5: opt.timestep must be positive"),
        (bad("body_quat", (1, 2), 0), r"world 5: body_quat has a quaternion of zero length at \[2\]"),
        (bad("body_ipos", (1, 5), 0.1), "world 5: body 'crate' was compiled as simple"),
        (bad("wrap_prm", (1, 3), 0), r"world 5: wrap_prm\[3\] is a side site"),
        (bad("actuator_dynprm", (1, 3, 1), 1), "world 5: actuator 'pid': the dynamics of the actuator needs more"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_values_that_make_no_model_are_refused(fields: dict[str, Any], words: str) -> None:
    refused(phalanx.ModelError, [2, 5], fields, words)


def refused(kind: type[Exception], mask: Any, fields: dict[str, Any], words: str) -> None:
    """An error, after which all is as before, whether the field varied before or not."""
    good = {"body_pos": model().body_pos * 1.1}
    for vary in ({}, {"body_mass": np.tile(model().body_mass, (N, 1)) * 1.1}):
        batch, other = (make_batch(lanes=8, vary=vary) for _ in range(2))
        with pytest.raises(kind, match=words):
            batch.set_vary(mask, **good, **fields)
        assert list(batch.vary) == list(vary)
        for name, values in vary.items():
            np.testing.assert_array_equal(batch.vary[name], values)
        batch.step()
        other.step()
        assert_same(batch, other, KEPT)


def test_too_large_for_single_precision() -> None:
    mass = {"body_mass": model().body_mass * 1e300}
    check_changes(model(), mass, np.array([1]), 2, False, NumberType("float64"))
    with pytest.raises(phalanx.ModelError, match=r"world 1: body_mass\[1\] is too large for float32"):
        check_changes(model(), mass, np.array([1]), 2, False, one_world("float32"))


@pytest.mark.parametrize("lanes", [1, 8])
def test_resets_begin_with_the_new_parameters(lanes: int) -> None:
    batch = make_batch(lanes=lanes)
    batch.step(2)
    done = np.arange(N) % 3 == 0
    qpos0 = np.tile(model().qpos0, (N, 1))
    qpos0[:, 11] = np.arange(N) * 0.01
    batch.set_vary(done, qpos0=qpos0)
    before = batch.qpos.copy()
    batch.reset_where(done)
    np.testing.assert_array_equal(batch.qpos[done], qpos0[done])
    np.testing.assert_array_equal(batch.qpos[~done], before[~done])
    np.testing.assert_array_equal(batch.env(3).model.qpos0, qpos0[3])
    batch.reset_all()
    np.testing.assert_array_equal(batch.qpos[1], model().qpos0)
    np.testing.assert_array_equal(batch.qpos[3], qpos0[3])


def test_noise_follows() -> None:
    batch = make_batch(2, lanes=1)
    batch.bind("sensordata")
    batch.forward()
    noise = model().sensor_noise.copy()
    noise[:] = 0
    batch.set_vary(1, sensor_noise=noise)
    noisy = batch.noisy_sensors(1)
    assert (noisy[0] != batch.sensordata[0]).any()
    assert (noisy[1] == batch.sensordata[1]).all()


def double_gravity(m, d):
    for dof in range(m.nv):
        d.qfrc_passive[dof] = d.qfrc_passive[dof] - m.opt.gravity[2]


def test_hooks_see_the_new_numbers() -> None:
    hooked = model().with_hooks(passive=double_gravity)
    batch = make_batch(9, model=hooked, lanes=8)
    batch.step()
    batch.set_vary(3, **{"opt.gravity": [0, 0, -1]})
    alone = batch.env(3).step(2)
    batch.step(2)
    assert batch.qpos[3].tobytes() == alone.qpos.tobytes()


def test_an_interrupt_leaves_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_batch(lanes=8, vary={"body_mass": np.tile(model().body_mass, (N, 1))})
    memory, count = batch._variation._layout.memory, iter(range(100))  # type: ignore[union-attr]
    write = type(memory).write

    def interrupted(self: Any, *arguments: Any) -> None:
        write(self, *arguments)
        if self is memory and next(count) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(type(memory), "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.set_vary([1, 2], body_mass=model().body_mass * 2)
    monkeypatch.undo()
    other = make_batch(lanes=8, vary=batch.vary)
    np.testing.assert_array_equal(batch.vary["body_mass"][2], model().body_mass * 2)
    for each in (batch, other):
        each.step(2)
    assert_same(batch, other, KEPT)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_warmup_compiles_all_that_it_needs(dtype: str) -> None:
    ready = {unit.name for unit in all_units([dtype])}
    for number in (one_world(dtype), NumberType(dtype, AUTO_LANES[dtype])):
        used = number_of_constants(number)
        assert world_entry(used, used.width > 1, "constants").name in ready
