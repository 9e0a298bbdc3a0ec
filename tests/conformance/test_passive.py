"""Passive forces against MuJoCo: the stage alone, fed with what MuJoCo computed before it."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.smooth.passive.passive import dof_damping_slope, passive
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.field import Kind

OUTPUTS = ("qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_adhesion", "qfrc_passive")
MODEL_INPUTS = """
    opt.disableflags opt.density opt.viscosity opt.wind opt.gravity qpos_spring flg_gravcomp
    body_parentid body_rootid body_weldid body_dofnum body_geomadr body_geomnum body_mass body_inertia body_gravcomp
    jnt_type jnt_qposadr jnt_dofadr jnt_actuatorid jnt_plasticadr jnt_actgravcomp jnt_stiffness jnt_stiffnesspoly
    dof_jntid dof_bodyid dof_damping dof_dampingpoly
    geom_type geom_bodyid geom_size geom_fluid
    actuator_trntype actuator_trnid actuator_outadr actuator_gear actuator_damping actuator_dampingpoly
""".split()
INPUTS = "qpos qvel plastic xipos ximat geom_xpos geom_xmat subtree_com cdof cvel".split()
#: What loops run over; nonsense where nothing can sleep.
AWAKE = ("awake_body", "more_bodies", "awake_joint", "more_joints", "awake_dof", "more_dofs", "time")
SCRATCH = ("passive_cfrc",)
SLOPE = "efm_diag"  # a spare row, for the slopes of the dampers
TOLERANCE = 1e-12
STATES = 24
SCALAR = NumberType("float64")


# --- models


TREE = """
<mujoco>
  <option {option} gravity="1 2 -9"><flag {flags}/></option>
  <asset><mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 .05"/></asset>
  <worldbody>
    <body pos="0 0 1">
      <joint name="f" type="free" {free}/>
      <geom type="box" size=".1 .2 .3" pos=".02 .01 0" euler="10 20 30" {geom}/>
      <body pos=".3 0 0" euler="0 40 0" {body}>
        <joint name="b" type="ball" pos="0 .1 0" {ball}/>
        <geom type="capsule" size=".05 .2" {geom}/>
        <geom type="sphere" size=".07" pos=".1 0 .1" {geom}/>
        <body pos="0 .3 0" {body}>
          <joint name="h" type="hinge" axis="1 2 3" ref="15" {hinge}/>
          <joint name="s" type="slide" axis="3 -1 1" ref=".1" {slide}/>
          <geom type="cylinder" size=".06 .1" {geom}/>
          <body pos="0 0 .3"><geom type="ellipsoid" size=".05 .1 .15" {geom}/></body>
        </body>
      </body>
      <body pos="-.3 .1 0" {side}>
        <joint name="g" type="hinge" pos=".1 .1 .1" {hinge} {actgravcomp}/>
        <geom type="mesh" mesh="wedge" {geom}/>
      </body>
    </body>
    <body pos="2 0 0">
      <geom type="box" size=".1 .1 .1" {geom}/>
      <body><joint name="r" axis="0 1 0" pos="-.2 0 0" {slide}/><geom type="box" size=".2 .1 .1" {geom}/></body>
    </body>
    <body pos="0 3 0" mocap="true">
      <geom size=".1" {geom}/>
      <body><joint axis="0 1 0" pos="-.2 0 0" {slide}/><geom type="box" size=".2 .1 .1" {geom}/></body>
    </body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>
"""


def tree(**parts: str) -> str:
    names = "option flags free ball hinge slide geom body side actgravcomp actuator".split()
    return TREE.format(**{name: parts.pop(name, "") for name in names}, **parts)


SPRINGS = {
    "free": 'stiffness="3 .4 .5"',
    "ball": 'stiffness="2 -.6 .7"',
    "hinge": 'stiffness="5 2 3" springref="25"',
    "slide": 'stiffness="0 0 9" springref="-.3"',
}
DAMPERS = {
    "free": 'damping="1 .3 .2"',
    "ball": 'damping="0 2 0"',
    "hinge": 'damping=".5 0 .3"',
    "slide": 'damping="2"',
}
LENDERS = """
    <motor joint="h" gear="3" damping="2 .5 .7"/>
    <motor jointinparent="h" gear="-2" damping="1 0 .1"/>
    <motor joint="h" gear="4"/>
    <motor joint="b" gear="1.5 2 3 0 0 0" damping="2 .1 .2"/>
    <position joint="s" gear="-.7" damping="0 0 3" kp="3"/>
    <motor jointinparent="f" gear="2 1 1 0 1 1" damping=".5" armature="1"/>
    <motor joint="g" gear="5" armature=".1"/>
"""
ELLIPSOID = 'fluidshape="ellipsoid" fluidcoef=".6 .3 1.4 .9 1.2"'
BOTH = {**SPRINGS, "free": 'damping="1 .3 .2" stiffness="3 .4 .5"', "actuator": LENDERS}
FLUID = {"option": 'density="1.3" viscosity=".4" wind="1 -2 .5"'}
GRAVCOMP = {"body": 'gravcomp="1.3"', "side": 'gravcomp=".5"', "actgravcomp": 'actuatorgravcomp="true"'}
ALL = {**BOTH, **FLUID, **GRAVCOMP, "geom": ELLIPSOID}

# areas and velocities so small that the guards against division by zero act
TINY = """
<mujoco>
  <option density="1000" viscosity="1e-3" wind="0 0 1e-3"/>
  <default><geom fluidshape="ellipsoid"/></default>
  <worldbody>
    <body><freejoint/><geom type="ellipsoid" size=".002 .004 .001"/></body>
    <body pos="1 0 0"><freejoint/><geom type="box" size=".001 .0005 .03"/></body>
    <body pos="2 0 0"><freejoint/><geom type="sphere" size=".0003"/></body>
    <body pos="3 0 0"><freejoint/><geom type="box" size=".001 .0005 .0005" fluidshape="none"/></body>
  </worldbody>
</mujoco>
"""

YIELD = """
<mujoco>
  <worldbody>
    <body><joint type="hinge" stiffness="2 .3 .4" springyield="5" springref="20"/><geom size=".1"/>
      <body><joint type="ball" stiffness="5 .3 .4" springyield="10"/><geom size=".1"/>
        <body><joint type="slide" springyield=".1" stiffness="3"/><joint stiffness="2"/><geom size=".1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

# ellipsoids on one body among boxes, beside a geom without coefficients; a body without mass
MIXED = tree(**FLUID).replace('type="sphere"', f'type="sphere" {ELLIPSOID}').replace('.1 .15"', '.1 .15" mass="0"')

MODELS = {
    "springs": tree(**SPRINGS),
    "yield": YIELD,
    "dampers": tree(**DAMPERS),
    "lent damping": tree(**DAMPERS, actuator=LENDERS),
    "lent damping alone": tree(actuator=LENDERS),
    "gravcomp": tree(**GRAVCOMP),
    "negative gravcomp": tree(body='gravcomp="-.3"'),
    "gravcomp of both signs": tree(body='gravcomp="-.3"', side='gravcomp=".5"'),
    "box, density": tree(option='density="1000"'),
    "box, viscosity": tree(option='viscosity="2"'),
    "box, wind": tree(**FLUID),
    "ellipsoid, density": tree(option='density="1000"', geom=ELLIPSOID),
    "ellipsoid, viscosity": tree(option='viscosity="2"', geom=ELLIPSOID),
    "ellipsoid, wind": tree(**FLUID, geom=ELLIPSOID),
    "ellipsoid, defaults": tree(**FLUID, geom='fluidshape="ellipsoid"'),
    "ellipsoid, tiny": TINY,
    "mixed fluid": MIXED,
    "box, negative fluid": tree(option='density="-1" viscosity="-1"'),
    "ellipsoid, negative fluid": tree(option='density="-1" viscosity="-1"', geom=ELLIPSOID),
    "all": tree(**ALL),
    "no springs": tree(**ALL, flags='spring="disable"'),
    "no dampers": tree(**ALL, flags='damper="disable"'),
    "no springs, no dampers": tree(**ALL, flags='spring="disable" damper="disable"'),
    "no gravity": tree(**ALL, flags='gravity="disable"'),
}


@cache
def model_of(name: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODELS[name])


def random_state(model: mujoco.MjModel, seed: int) -> mujoco.MjData:
    """MuJoCo's forward pass at a random state."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0 if seed % 3 else 3.0)
    data.qvel[:] = rng.normal(size=model.nv) * 10.0 ** rng.uniform(-2, 1)
    data.plastic[:] += rng.normal(size=model.nplastic) * 0.3
    mujoco.mj_forward(model, data)
    return data


# --- Model and Data as the stage sees them


def fill(array: np.ndarray, values: list, is_lane: bool) -> None:
    """Write one value, or one per world along the last axis."""
    if is_lane:
        for world, value in enumerate(values):
            array[..., world] = np.reshape(value, array.shape[:-1])
    else:
        array[...] = np.reshape(values[0], array.shape)


def model_store(models: list[mujoco.MjModel], number: NumberType) -> Store:
    """A store of what the stage reads of one model, or of a lane of models that differ in real numbers only."""
    store = Store(MODEL_SCHEMA, {size: getattr(models[0], size, 0) for size in MODEL_SCHEMA.sizes}, number)
    for name in MODEL_INPUTS:
        array = store.allocate(name)
        is_lane = number.width > 1 and MODEL_SCHEMA.fields[name].kind is Kind.REAL
        fill(array, [attrgetter(name)(model) for model in models], is_lane)
        store.attach(name, array)
    return store


def data_store(model: mujoco.MjModel, states: list[mujoco.MjData], number: NumberType) -> Store:
    """A store of MuJoCo's results that the stage reads, with nonsense in all other numbers."""
    sizes = {size: getattr(model, size, 0) for size in MODEL_SCHEMA.sizes} | dict.fromkeys(VARIABLE_SIZES, 0)
    store = Store(DATA_SCHEMA, sizes, number)
    for name in (*INPUTS, *OUTPUTS, *SCRATCH, *AWAKE, SLOPE):
        array = store.allocate(name)
        array[...] = -1 if array.dtype.kind == "i" else np.nan
        if name in INPUTS:
            fill(array, [getattr(state, name) for state in states], number.width > 1)
        store.attach(name, array)
    return store


@kernel
def stage(m, d):
    """The stage, and the slopes of the dampers in a row that nobody else uses here."""
    passive(m, d)
    for dof in range(m.nv):
        d.efm_diag[dof] = dof_damping_slope(m, d, dof)
    return 0


@cache
def native(model: NumberType, data: NumberType) -> compiler.NativeEntry:
    """The compiled stage; the numbers of the Model are plain, or lanes like those of the Data."""

    def build():
        from phalanx.memory.view import view_at

        model_at = view_at("model", model, True)
        data_at = view_at("data", data, False)

        def entry(m, d):
            return stage(model_at(m), data_at(d))

        return entry

    return compiler.load(compiler.Entry(f"test_passive_{model.name}_{data.name}", build, 2))


def results(store: Store, world: int | None = None) -> dict[str, np.ndarray]:
    take = (lambda array: array) if world is None else (lambda array: array[..., world])
    return {name: np.array(take(store.arrays[name])) for name in (*OUTPUTS, SLOPE)}


def run_scalar(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = model_store([model], SCALAR), data_store(model, [state], SCALAR)
    native(SCALAR, SCALAR)(m.address, d.address)
    return results(d)


def run_interpreted(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = model_store([model], SCALAR), data_store(model, [state], SCALAR)
    stage(PlainView(m), PlainView(d))
    return results(d)


def run_lanes(models: list[mujoco.MjModel], states: list[mujoco.MjData], width: int) -> list[dict[str, np.ndarray]]:
    """W worlds at once: of one model, or of W models."""
    number = NumberType("float64", width)
    of_model = number if len(models) > 1 else SCALAR
    m, d = model_store(models, of_model), data_store(models[0], states, number)
    native(of_model, number)(m.address, d.address)
    return [results(d, world) for world in range(width)]


def assert_same_bits(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    for name, value in ours.items():
        assert value.tobytes() == theirs[name].tobytes(), (name, value - theirs[name])


def relative_error(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest deviation relative to the largest value; zeros must be met exactly."""
    assert np.isfinite(ours).all()
    largest = np.abs(theirs).max()
    return np.abs(ours - theirs).max() / (largest if largest > 0 else np.finfo(float).tiny)


# --- against MuJoCo


@pytest.mark.parametrize("name", MODELS)
def test_every_force_is_that_of_mujoco(name):
    model = model_of(name)
    for seed in range(STATES):
        state = random_state(model, seed)
        ours = run_scalar(model, state)
        for field in OUTPUTS:
            assert relative_error(ours[field], getattr(state, field)) < TOLERANCE, (field, seed)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::phalanx.UnsupportedFeatureWarning")
def test_a_data_has_the_forces_of_mujoco(name):
    """The same through the public interface: nothing comes from MuJoCo but the model and the state."""
    data = phalanx.Model.from_mujoco(model_of(name)).make_data()
    for seed in range(STATES):
        state = random_state(model_of(name), seed)
        data.qpos, data.qvel, data.plastic = state.qpos, state.qvel, state.plastic
        data.forward()
        for field in OUTPUTS:
            assert relative_error(getattr(data, field), getattr(state, field)) < TOLERANCE, (field, seed)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_shows_what_it_is_about(name):
    """No test above passes because there is nothing to compare."""
    state = random_state(model_of(name), 1)
    silent = {"negative gravcomp", "box, negative fluid", "no springs, no dampers"}
    assert np.any(state.qfrc_passive != 0) != (name in silent)


@pytest.mark.parametrize("name", ["dampers", "lent damping", "lent damping alone"])
def test_the_slope_of_dampers_is_that_of_mujoco(name):
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    for seed in range(STATES):
        state = random_state(model, seed)
        ours = run_scalar(model, state)[SLOPE]
        mujoco.mj_step(model, state)
        slopes = -state.qDeriv[model.D_rowadr + model.D_diag]
        assert relative_error(ours, slopes) < TOLERANCE


def test_a_state_at_rest_has_no_fluid_force():
    model = model_of("ellipsoid, density")
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    assert not np.any(run_scalar(model, state)["qfrc_fluid"])


# --- every way of running gives the same bits


@pytest.mark.parametrize("name", MODELS)
def test_interpreted_is_compiled(name):
    model = model_of(name)
    for seed in range(3):
        state = random_state(model, seed)
        assert_same_bits(run_interpreted(model, state), run_scalar(model, state))


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("name", MODELS)
def test_a_lane_is_its_world_alone(name, width):
    model = model_of(name)
    states = [random_state(model, seed) for seed in range(width)]
    for state, lane in zip(states, run_lanes([model], states, width), strict=True):
        assert_same_bits(lane, run_scalar(model, state))


def varied(name: str, world: int) -> mujoco.MjModel:
    """The model with real numbers of its own in each world, some of them switched off."""
    rng = np.random.default_rng(world)
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    for field in ("jnt_stiffness", "jnt_stiffnesspoly", "dof_damping", "dof_dampingpoly", "actuator_damping",
                  "actuator_dampingpoly", "actuator_gear", "body_gravcomp", "body_mass", "body_inertia", "geom_size",
                  "geom_fluid", "qpos_spring"):  # fmt: skip
        values = getattr(model, field)
        values *= rng.uniform(0.5, 1.5, values.shape)
        values[rng.uniform(size=len(values)) < 0.4] = 0.0
    model.opt.density *= world % 2
    model.opt.viscosity *= world // 2 % 2
    model.opt.wind *= world
    model.opt.gravity *= world % 3
    return model


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("name", ["all", "mixed fluid", "yield", "box, wind"])
def test_a_lane_with_its_own_model_is_its_world_alone(name, width):
    models = [varied(name, world) for world in range(width)]
    states = [random_state(model, seed) for seed, model in enumerate(models)]
    for model, state, lane in zip(models, states, run_lanes(models, states, width), strict=True):
        alone = run_scalar(model, state)
        assert_same_bits(lane, alone)
        for field in OUTPUTS:
            assert relative_error(alone[field], getattr(state, field)) < TOLERANCE, field


@pytest.mark.parametrize("name", ["all", "box, wind"])
def test_a_broken_world_leaves_its_neighbours_alone(name):
    model = model_of(name)
    states = [random_state(model, seed) for seed in range(4)]
    states[1].qvel[:] = np.nan
    states[1].cvel[:] = np.inf
    states[1].qpos[:] = np.nan
    lanes = run_lanes([model], states, 4)
    for world in (0, 2, 3):
        assert_same_bits(lanes[world], run_scalar(model, states[world]))
