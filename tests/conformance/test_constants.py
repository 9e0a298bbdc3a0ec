"""Derived constants of a Model against mj_setConst: change its inputs, spoil its outputs, compare every row."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.number_type import NumberType
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.pipeline.constants import constants_at_qpos0, constants_fixed, constants_inertia
from phalanx.pipeline.derive import check_colliding, check_simple, check_sleep, derive_boxes, derive_structure
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import SameFrame
from phalanx.tables.field import Kind
from phalanx.tables.model_fields import SETCONST_INPUTS, SETCONST_SIZES

TOLERANCE = 1e-12
SEEDS = 4
SCALAR, LANES = NumberType("float64"), NumberType("float64", 4)
STAGES = {"constants_fixed": constants_fixed, "constants_at_qpos0": constants_at_qpos0,
          "constants_inertia": constants_inertia}  # fmt: skip

#: Rows that wait for flexes.
LATER = ("flex", "efm")
ROWS = [name for name, row in MODEL_SCHEMA.fields.items() if row.setconst and not name.startswith(LATER)]
#: Rows of which some numbers are inputs.
KEPT = ("body_sameframe", "bvh_aabb", "tree_sleep_policy", "geom_size", "geom_aabb", "geom_rbound", "geom_fluid",
        "eq_data")  # fmt: skip


# --- models

TREE = """
<mujoco>
  <worldbody>
    <light pos="1 2 3" dir="0 1 -1"/>
    <camera pos="3 0 1" mode="targetbody" target="torso"/>
    <geom type="plane" size="1 1 1"/>
    <body name="torso" pos="0 0 1" gravcomp=".5">
      <freejoint name="f"/>
      <light pos=".1 .2 .3" dir="1 1 -1" mode="trackcom"/>
      <light pos=".1 .2 .3" dir="1 1 -1" mode="targetbody" target="leg"/>
      <camera pos="1 2 3" euler="10 20 30" mode="trackcom"/>
      <camera pos="1 0 3" euler="50 20 30" mode="targetbodycom" target="leg"/>
      <geom type="box" size=".1 .2 .3" pos=".02 .01 0" euler="10 20 30" margin=".01" gap=".02"/>
      <site name="s0" pos=".1 0 0"/>
      <body name="arm" pos=".3 0 0" euler="0 40 0">
        <joint name="b" type="ball" pos="0 .1 0" armature=".1"/>
        <geom type="capsule" size=".05 .2"/>
        <geom type="sphere" size=".07" pos=".1 0 .1" contype="2" conaffinity="4"/>
        <camera pos="0 .1 .2" mode="track"/>
        <body name="leg" pos="0 .3 0" gravcomp="1">
          <joint name="h" type="hinge" axis="1 2 3" ref="15" armature=".02"/>
          <joint name="s" type="slide" axis="3 -1 1" ref=".1"/>
          <geom type="cylinder" size=".06 .1"/>
          <site name="s1" pos=".1 0 0" euler="30 0 0"/>
          <body pos="0 0 .3"><geom type="ellipsoid" size=".05 .1 .15"/></body>
        </body>
      </body>
    </body>
    <body name="post" pos="2 0 0">
      <geom type="box" size=".1 .1 .1"/>
      <body name="lid"><joint name="r" axis="0 1 0" pos="-.2 0 0"/><geom type="box" size=".2 .1 .1"/></body>
    </body>
    <body name="hand" mocap="true" pos="1 2 3" euler="10 0 0"><geom size=".1"/><camera pos=".1 .2 .3"/></body>
  </worldbody>
  <equality>
    <connect body1="leg" body2="lid" anchor=".1 .2 .3"/>
    <connect body1="leg" anchor=".3 .2 .1"/>
    <connect site1="s0" site2="s1"/>
    <weld body1="arm" body2="lid" anchor=".1 0 .1"/>
    <weld body1="hand" body2="torso"/>
    <weld body1="arm" body2="lid" relpose="1 2 3 1 0 1 0" anchor=".5 .6 .7"/>
    <weld site1="s0" site2="s1"/>
    <joint joint1="h" joint2="s"/>
  </equality>
  <actuator>
    <motor joint="h" gear="3" damping="2 .5 .7"/>
    <motor jointinparent="h" gear="-2" armature=".1"/>
    <motor joint="h" gear="4"/>
    <motor joint="b" gear="1.5 2 3 0 0 0" armature=".2"/>
    <motor jointinparent="b" gear="1 2 3"/>
    <position joint="s" gear="-.7" kp="3"/>
    <motor jointinparent="f" gear="2 1 1 0 1 1" damping=".5" armature="1"/>
    <motor joint="r" gear="5" damping="0 1 0"/>
  </actuator>
</mujoco>
"""

SHAPES = """
<mujoco>
  <option density="1.2"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 .05"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 2 .3 .4"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 2 3"/>
    <geom type="plane" size="1 2 3" pos="0 1 1" euler="10 20 30"/>
    <geom type="hfield" hfield="hills" pos="1 2 3"/>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size=".1" margin=".1" gap=".05" {fluid}/>
      <geom type="capsule" size=".1 .2" pos="1 0 0" {fluid}/>
      <geom type="cylinder" size=".1 .2" pos="0 0 1" {fluid}/>
      <geom type="box" size=".1 .2 .3" euler="30 20 10" {fluid}/>
      <geom type="ellipsoid" size=".1 .2 .3" {fluid}/>
      <geom type="mesh" mesh="wedge" pos="0 -1 0" {fluid}/>
      <geom type="sphere" size=".2" contype="0" conaffinity="0" {fluid}/>
      <body pos="0 3 0"><joint/><geom type="mesh" mesh="wedge"/><geom type="box" size="1 .01 .5" {fluid}/></body>
    </body>
    <body pos="0 0 5"><freejoint/><geom type="box" size=".1 .2 .3" {fluid}/></body>
  </worldbody>
</mujoco>
"""

SIMPLE = """
<mujoco>
  <worldbody>
    <body><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body pos="1 0 0">
      <joint type="slide" axis="1 0 0" armature="1"/><joint type="slide" axis="0 1 0"/><geom size=".1"/>
    </body>
    <body pos="2 0 0"><joint type="slide" axis="0 0 1"/><joint name="j" axis="0 1 0" armature=".3"/><geom size=".1"/>
    </body>
    <body pos="3 0 0"><joint type="ball" armature=".2"/><geom type="capsule" size=".1 .2"/></body>
    <body pos="4 0 0"><geom size=".1"/><body pos="0 1 0"><joint/><geom size=".2"/></body></body>
    <body pos="5 0 0" simple="false"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="j" armature=".5" gear="2"/></actuator>
</mujoco>
"""

TREES = """
<mujoco>
  <worldbody>
    <body name="a"><freejoint/><geom size=".1"/><site name="a" pos=".1 0 0"/></body>
    <body name="b" pos="1 0 0"><freejoint/><geom name="b" size=".1"/><site name="b" pos=".1 0 0"/></body>
    <body name="c" pos="2 0 0">
      <joint name="c" type="ball"/><geom size=".1" pos=".1 0 0"/><site name="c" pos=".1 0 0"/>
    </body>
    <body name="d" pos="3 0 0" sleep="{sleep}"><joint name="d"/><geom size=".1" pos=".1 0 0"/></body>
    <body name="e" pos="4 0 0"><geom size=".1"/><site name="e"/></body>
    <body name="f" pos="5 0 0"><joint name="f"/><geom size=".1" pos=".1 0 0"/></body>
  </worldbody>
  {inside}
</mujoco>
"""

ACTUATORS = """
    <motor joint="c"/> <motor jointinparent="d"/> <motor site="a" gear="0 0 1"/> <motor site="a" refsite="b"/>
    <general slidersite="a" cranksite="b" cranklength="2"/> <general body="b"/> <orientation joint="c"/>
    <orientation site="c" refsite="b"/> <orientation site="c" refsite="e"/>
""".split(">")[:-1]
TENDONS = {
    "two trees": '<spatial name="t"><site site="a"/><site site="b"/></spatial>',
    "two trees, spring": '<spatial name="t" stiffness="0 1"><site site="a"/><site site="b"/></spatial>',
    "two trees, damper": '<spatial name="t" damping="1"><site site="a"/><site site="b"/></spatial>',
    "two trees, limit": '<spatial name="t" range="0 9"><site site="a"/><site site="b"/></spatial>',
    "three trees": '<spatial name="t"><site site="a"/><geom geom="b"/><site site="c"/><site site="e"/></spatial>',
    "one tree": '<spatial name="t" stiffness="1"><site site="a"/><site site="e"/></spatial>',
    "joints": '<fixed name="t" damping="1"><joint joint="d" coef="1"/><joint joint="f" coef="2"/></fixed>',
}
PULLS = {
    "": "",
    ", pulled": '<motor tendon="t"/>',
    ", damped": '<motor tendon="t" damping="1"/>',
    ", damped twice": '<motor tendon="t" damping="1"/><motor tendon="t" damping="2"/>',
}


def trees(inside: str = "", sleep: str = "auto") -> str:
    return TREES.format(inside=inside, sleep=sleep)


TREE_MODELS = {
    "no actuators": trees(),
    **{a.strip()[1:]: trees(f"<actuator>{a}></actuator>") for a in ACTUATORS},
    **{
        f"{name}{pull}": trees(f"<tendon>{tendon}</tendon><actuator>{PULLS[pull]}</actuator>")
        for name, tendon in TENDONS.items()
        for pull in PULLS
    },
    **{f"sleep {policy}": trees("", policy) for policy in ("never", "allowed", "init")},
}

MODELS = {
    "tree": TREE,
    "shapes": SHAPES.format(fluid=""),
    "shapes in a fluid": SHAPES.format(fluid='fluidshape="ellipsoid" fluidcoef=".6 .3 1.4 .9 1.2"'),
    "simple": SIMPLE,
    "nothing": "<mujoco/>",
    "no dofs": "<mujoco><worldbody><geom size='1'/><body pos='1 0 0'><geom size='1'/></body></worldbody></mujoco>",
}


def folder_of(package: str, *inside: str) -> Path:
    return Path(find_spec(package).submodule_search_locations[0]).joinpath(*inside)


OWN = Path(__file__).parent.parent / "models"
FILES = {
    "dm_control humanoid": lambda: folder_of("dm_control", "suite", "humanoid.xml"),
    "dm_control quadruped": lambda: folder_of("dm_control", "suite", "quadruped.xml"),
    **{name: lambda name=name: OWN / f"{name}.xml" for name in ("tendon_paths", "tendon_forces", "transmissions")},
    "gymnasium ant": lambda: folder_of("gymnasium", "envs", "mujoco", "assets", "ant.xml"),
}


@cache
def original(name: str) -> mujoco.MjModel:
    if name in FILES:
        return mujoco.MjModel.from_xml_path(str(FILES[name]()))
    return mujoco.MjModel.from_xml_string((MODELS | TREE_MODELS)[name])


def model_of(name: str) -> mujoco.MjModel:
    return original(name).__copy__()


# --- changes of inputs


def nudged(values: np.ndarray, rng: np.random.Generator, size: float = 0.3) -> np.ndarray:
    return values + size * rng.normal(size=values.shape)


def scaled(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return values * rng.uniform(0.5, 2.0, size=values.shape)


def turned(quats: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    quats = nudged(quats, rng)
    return quats / np.linalg.norm(quats, axis=-1, keepdims=True)


def changed_pose(m: mujoco.MjModel, rng: np.random.Generator) -> np.ndarray:
    """qpos0, with quaternions off unit length."""
    qpos = np.array(m.qpos0)
    mujoco.mj_integratePos(m, qpos, rng.normal(size=m.nv), 1.0)
    return qpos * np.where(qpos == m.qpos0, 1.0, 1.0 + 1e-3 * rng.normal(size=m.nq))


def free_frames(m: mujoco.MjModel, values: np.ndarray, old: np.ndarray) -> np.ndarray:
    """Inertial frames may move only on bodies that are not simple."""
    return np.where(m.body_simple[:, None] == 0, values, old)


def changed_fluid(m: mujoco.MjModel, rng: np.random.Generator) -> np.ndarray:
    """Some geoms lose the ellipsoid model, with what they had in the row; others get it."""
    fluid = nudged(np.array(m.geom_fluid), rng)
    fluid[:, 0] = np.where(m.geom_fluid[:, 0] > 0, rng.choice([0.0, 1.0, 0.5], m.ngeom), 0.0)
    return fluid


def changed_equality(m: mujoco.MjModel, rng: np.random.Generator) -> np.ndarray:
    """Anchors move; some welds give up or get a pose of their own."""
    data = nudged(np.array(m.eq_data), rng)
    data[:, 11] = np.where(rng.random(m.neq) < 0.5, m.eq_data[:, 11], 1.0 - m.eq_data[:, 11])
    return data


def sometimes(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Zero in three of four models, and mostly zero in the fourth."""
    return values * (rng.random(values.shape) < 0.2) * (rng.random() < 0.25)


Change = Callable[[mujoco.MjModel, np.random.Generator], np.ndarray]
CHANGES: dict[str, Change] = {
    "qpos0": changed_pose,
    **{f"{body}_pos": lambda m, rng, n=f"{body}_pos": nudged(getattr(m, n), rng)
       for body in ("body", "geom", "site", "cam", "light")},
    **{f"{body}_quat": lambda m, rng, n=f"{body}_quat": turned(getattr(m, n), rng)
       for body in ("body", "geom", "site", "cam")},
    "light_dir": lambda m, rng: nudged(m.light_dir, rng),
    "body_ipos": lambda m, rng: free_frames(m, nudged(m.body_ipos, rng, 0.1), m.body_ipos),
    "body_iquat": lambda m, rng: free_frames(m, turned(m.body_iquat, rng), m.body_iquat),
    "body_mass": lambda m, rng: scaled(m.body_mass, rng),
    "body_inertia": lambda m, rng: scaled(m.body_inertia, rng),
    "body_gravcomp": lambda m, rng: sometimes(nudged(m.body_gravcomp, rng), rng),
    "dof_armature": lambda m, rng: scaled(m.dof_armature, rng),
    "geom_size": lambda m, rng: scaled(m.geom_size, rng),
    "geom_margin": lambda m, rng: nudged(m.geom_margin, rng),
    "geom_gap": lambda m, rng: nudged(m.geom_gap, rng),
    **{mask: lambda m, rng: rng.integers(0, 4, m.ngeom) * (m.geom_contype | m.geom_conaffinity > 0)
       for mask in ("geom_contype", "geom_conaffinity")},
    "geom_surfacevel": lambda m, rng: sometimes(nudged(m.geom_surfacevel, rng), rng),
    "geom_adhesion": lambda m, rng: sometimes(nudged(m.geom_adhesion, rng), rng),
    "geom_fluid": changed_fluid,
    "hfield_size": lambda m, rng: scaled(m.hfield_size, rng),
    "eq_data": changed_equality,
    "actuator_gear": lambda m, rng: nudged(m.actuator_gear, rng),
    "actuator_damping": lambda m, rng: scaled(m.actuator_damping, rng) * (rng.random(m.nactuator) < 0.5),
    "actuator_armature": lambda m, rng: scaled(m.actuator_armature, rng) * (rng.random(m.nactuator) < 0.5),
}  # fmt: skip


def change(m: mujoco.MjModel, names: list[str], seed: int) -> None:
    """Other values of some inputs, in place."""
    rng = np.random.default_rng(seed)
    for name in names:
        values = CHANGES[name](m, rng)
        getattr(m, name)[...] = values


def test_every_change_is_of_an_input():
    assert set(CHANGES) <= SETCONST_INPUTS


# --- Phalanx's side


def member(source: object, name: str):
    """A member by dotted name, None if there is none."""
    for part in name.split("."):
        source = getattr(source, part, None)
    return source


def fill(array: np.ndarray, values: list, is_lane: bool) -> None:
    """Write one value, or one per world along the last axis."""
    if is_lane:
        for world, value in enumerate(values):
            array[..., world] = np.reshape(value, array.shape[:-1])
    else:
        array[...] = np.reshape(values[0], array.shape)


def model_store(models: list[mujoco.MjModel], number: NumberType) -> Store:
    """A store of one model or of a lane of models, with nonsense in the rows that are to be computed."""
    store = Store(MODEL_SCHEMA, {size: getattr(models[0], size, 0) for size in MODEL_SCHEMA.sizes}, number)
    for name, row in MODEL_SCHEMA.fields.items():
        array = store.allocate(name)
        values = [member(model, name) for model in models]
        if name in ROWS and name not in KEPT:
            array[...] = 77
        elif values[0] is not None and not isinstance(values[0], (str, bytes)):
            fill(array, values, number.width > 1 and row.kind is Kind.REAL)
        store.attach(name, array)
    for size in SETCONST_SIZES:
        store.sizes[size] = 77
    return store


def data_store(model: Store) -> Store:
    store = Store(DATA_SCHEMA, model.sizes | dict.fromkeys(VARIABLE_SIZES, 0), model.number)
    store.allocate_all()
    for array in store.arrays.values():
        if array.dtype.kind == "f":
            array[...] = np.nan
    return store


@cache
def native(stage: str, number: NumberType) -> compiler.NativeEntry:
    def build():
        from phalanx.memory.view import view_at

        model_at = view_at("model", number, constant=True)
        constants_of = view_at("model", number, constant=False)
        data_at = view_at("data", number, constant=False)
        run = STAGES[stage]

        def entry(m, d):
            run(model_at(m), constants_of(m), data_at(d))
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_{stage}_{number.name}", build, 2))


def derive(store: Store, is_interpreted: bool = False) -> Store:
    """Everything that mj_setConst does, in place."""
    data = data_store(store)
    derive_structure(store.arrays, store.sizes)
    for stage, function in STAGES.items():
        if is_interpreted:
            with np.errstate(all="ignore"):
                function(PlainView(store), PlainView(store), PlainView(data))
        else:
            native(stage, store.number)(store.address, data.address)
    derive_boxes(store.arrays, store.sizes)
    return store


# --- comparison


def relative_error(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference, relative to the largest number of the same object."""
    if not theirs.size:
        return 0.0
    ours, theirs = (a.reshape(a.shape[0] if a.ndim else 1, -1).astype(float) for a in (ours, theirs))
    assert (np.isnan(ours) == np.isnan(theirs)).all()
    scale = np.nanmax(np.abs(theirs), axis=1, keepdims=True, initial=0)
    return float(np.nanmax(np.abs(ours - theirs) / np.where(scale > 0, scale, 1.0)))


def errors_of(arrays: dict[str, np.ndarray], m: mujoco.MjModel) -> dict[str, float]:
    """Relative error of every row, exact for integers."""
    errors = {}
    for name in ROWS:
        theirs = np.asarray(getattr(m, name))
        ours = np.asarray(arrays[name]).reshape(theirs.shape)
        if ours.dtype.kind == "f":
            error = relative_error(ours, theirs)
        else:
            error = float((ours != theirs).any())
        errors[name] = error
    return errors


def compare(store: Store, m: mujoco.MjModel) -> None:
    assert {name: error for name, error in errors_of(store.arrays, m).items() if not error <= TOLERANCE} == {}
    assert [store.sizes[size] for size in SETCONST_SIZES] == [getattr(m, size) for size in SETCONST_SIZES]


def set_const(m: mujoco.MjModel) -> mujoco.MjModel:
    mujoco.mj_setConst(m, mujoco.MjData(m))
    return m


ALL_MODELS = [*MODELS, *FILES]


@pytest.mark.parametrize("name", [*ALL_MODELS, *TREE_MODELS])
def test_a_compiled_model_is_reproduced(name):
    m = model_of(name)
    compare(derive(model_store([m], SCALAR)), m)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("name", ALL_MODELS)
def test_all_inputs_changed(name, seed):
    m = model_of(name)
    change(m, list(CHANGES), seed)
    store = model_store([m], SCALAR)
    compare(derive(store), set_const(m))


@pytest.mark.parametrize("field", CHANGES)
@pytest.mark.parametrize("name", ["tree", "shapes in a fluid", "simple"])
def test_one_input_changed(name, field):
    m = model_of(name)
    change(m, [field], 5)
    store = model_store([m], SCALAR)
    compare(derive(store), set_const(m))


@pytest.mark.parametrize("policy", range(6))
@pytest.mark.parametrize("name", TREE_MODELS)
def test_sleep_policy(name, policy):
    """Automatic policies are decided anew; what the user asks for stays, or is refused."""
    m = model_of(name)
    m.tree_sleep_policy[:] = policy
    store = derive(model_store([m], SCALAR))
    try:
        set_const(m)
    except mujoco.FatalError as error:
        tree, reason = check_sleep(store.arrays, store.sizes)[0]
        assert str(error).split(": ")[1].startswith(f"tree {tree} connected to tendon 0")
        assert reason.startswith("tendon 0")
    else:
        assert check_sleep(store.arrays, store.sizes) == []
        compare(store, m)


# --- what a compiled model cannot become

GHOSTS = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1" contype="0" conaffinity="0"/>
    <body><freejoint/><geom size=".1"/><geom size=".2" contype="0" conaffinity="0"/></body>
    <body pos="1 0 0"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
    <body pos="2 0 0"><freejoint/><geom size=".1" contype="0"/></body>
    <body pos="3 0 0"><freejoint/>
      <geom size=".1" contype="0" conaffinity="0"/><geom size=".1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("mask", ["geom_contype", "geom_conaffinity"])
@pytest.mark.parametrize("geom", range(7))
def test_geoms_that_were_not_compiled_to_collide(geom, mask):
    m = mujoco.MjModel.from_xml_string(GHOSTS)
    getattr(m, mask)[geom] = 2
    store = model_store([m], SCALAR)
    problems = check_colliding(store.arrays, store.sizes)
    try:
        set_const(m)
    except mujoco.FatalError as error:
        assert f"geom {geom} collides but was not compiled to collide" in str(error)
        assert [g for g, _ in problems] == [geom]
    else:
        assert problems == []
        compare(derive(store), m)


@pytest.mark.parametrize("body", range(1, 8))
@pytest.mark.parametrize("size", [1e-7, 1e-5, 1e-1])
@pytest.mark.parametrize("field", ["body_ipos", "body_iquat"])
def test_simple_bodies_keep_their_frame(field, size, body):
    m = model_of("simple")
    getattr(m, field)[body, 1] += size
    store = model_store([m], SCALAR)
    problems = check_simple(store.arrays, store.sizes)
    try:
        set_const(m)
    except mujoco.FatalError as error:
        assert f"body {body} is compiled as simple" in str(error)
        assert [b for b, _ in problems] == [body]
    else:
        assert problems == []


def test_joints_of_simple_bodies_stay():
    m = model_of("simple")
    assert check_simple(model_store([m], SCALAR).arrays, {}) == []
    m.jnt_pos[2] = [0, 0.1, 0]
    m.jnt_axis[4] = [0, 0.6, 0.8]
    problems = check_simple(model_store([m], SCALAR).arrays, {})
    assert [body for body, _ in problems] == [2, 3]
    assert "jnt_pos" in problems[0][1] and "jnt_axis" in problems[1][1]


# --- one source, several ways of running


def lane_of(array: np.ndarray, name: str, world: int) -> np.ndarray:
    return array[..., world] if MODEL_SCHEMA.fields[name].kind is Kind.REAL else array


def worlds_of(name: str) -> list[mujoco.MjModel]:
    """Four models that differ in numbers; the third has some that are hard to bear."""
    models = [model_of(name) for _ in range(4)]
    for seed, m in enumerate(models):
        change(m, [field for field in CHANGES if MODEL_SCHEMA.fields[field].kind is Kind.REAL], 100 + seed)
    hard = models[2]
    if hard.ngeom:
        hard.geom_size[-1] = [0, np.nan, -1]
        hard.body_mass[-1] = 0
    return models


def assert_same_bits(ours: np.ndarray, theirs: np.ndarray, name: str) -> None:
    assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name
    if ours.dtype.kind == "f":
        ours, theirs = (np.where(np.isnan(a), 0, np.signbit(a)) for a in (ours, theirs))
        assert np.array_equal(ours, theirs), name


@pytest.mark.parametrize("name", ALL_MODELS)
def test_lanes_equal_one_world(name):
    models = worlds_of(name)
    lanes = derive(model_store(models, LANES))
    for world, m in enumerate(models):
        alone = derive(model_store([m], SCALAR))
        for row in ROWS:
            if MODEL_SCHEMA.fields[row].kind is Kind.REAL:
                assert_same_bits(lane_of(lanes.arrays[row], row, world), alone.arrays[row], row)


@pytest.mark.parametrize("name", ["tree", "shapes in a fluid", "simple"])
def test_interpreted_equals_compiled(name):
    for m in worlds_of(name)[:3]:
        compiled = derive(model_store([m], SCALAR))
        interpreted = derive(model_store([m], SCALAR), is_interpreted=True)
        for row in ROWS:
            assert_same_bits(compiled.arrays[row], interpreted.arrays[row], row)


def test_structure_of_worlds():
    """A flag is set when some world needs it; frames coincide when they do in every world; boxes hold every world."""
    models = [model_of("tree") for _ in range(4)]
    for m in models:
        m.body_gravcomp[:] = 0
        m.actuator_armature[:] = m.actuator_damping[:] = m.actuator_dampingpoly[:] = 0
    models[1].body_gravcomp[3] = 1
    models[2].geom_pos[2] = [1, 2, 3]
    models[3].actuator_armature[2] = 1
    lanes = derive(model_store(models, LANES))
    alone = [derive(model_store([m], SCALAR)) for m in models]
    assert lanes.arrays["flg_gravcomp"][()] and lanes.sizes["ngravcomp"] == 1
    assert not any(s.arrays["flg_gravcomp"][()] for s in (alone[0], alone[2], alone[3]))
    assert alone[0].arrays["geom_sameframe"][2] == SameFrame.BODY
    assert lanes.arrays["geom_sameframe"][2] == SameFrame.BODYROT
    assert lanes.arrays["jnt_actuatorid"].tolist() == alone[3].arrays["jnt_actuatorid"].tolist()
    boxes = np.array([s.arrays["bvh_aabb"] for s in alone])
    low, high = (boxes[..., :3] - boxes[..., 3:]).min(axis=0), (boxes[..., :3] + boxes[..., 3:]).max(axis=0)
    np.testing.assert_allclose(lanes.arrays["bvh_aabb"], np.hstack([(low + high) / 2, (high - low) / 2]), 1e-12, 1e-15)


# --- what users call


def replaced(name: str, seed: int) -> tuple[phalanx.Model, mujoco.MjModel]:
    """The same changes made by `Model.replace` and by mj_setConst."""
    m = model_of(name)
    ours = phalanx.Model.from_mujoco(m)
    change(m, REPLACEABLE, seed)
    return ours.replace(**{field: np.array(getattr(m, field)) for field in REPLACEABLE}), set_const(m)


REPLACEABLE = [field for field in CHANGES if MODEL_SCHEMA.fields[field].kind is Kind.REAL]


@pytest.mark.parametrize("name", ALL_MODELS)
def test_replace(name):
    ours, theirs = replaced(name, 11)
    errors = errors_of({row: np.asarray(getattr(ours, row)) for row in ROWS}, theirs)
    assert {row: error for row, error in errors.items() if not error <= TOLERANCE and row != "bvh_aabb"} == {}


def test_replace_moves_boxes():
    ours, theirs = replaced("tree", 11)
    assert relative_error(ours.bvh_aabb, np.array(theirs.bvh_aabb)) <= TOLERANCE


def test_replace_counts():
    m = model_of("tree")
    assert phalanx.Model.from_mujoco(m).replace(body_gravcomp=1).ngravcomp == m.nbody
