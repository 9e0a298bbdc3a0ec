"""Derivatives of the smooth forces and the implicit updates, against MuJoCo: stages fed with MuJoCo's forward pass."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.integrator.implicit import (
    euler_acceleration,
    implicit_acceleration,
    implicitfast_acceleration,
    implicitspringdamper_acceleration,
)
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.smooth.acceleration import fwd_acceleration
from phalanx.smooth.actuator.actuation import activation_rates, actuator_forces, controls_in_effect, fwd_actuation
from phalanx.smooth.actuator.transmission import actuator_velocity
from phalanx.smooth.bias import rne
from phalanx.smooth.passive.passive import passive
from phalanx.smooth.velocity import com_vel
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import Integrator, WarningType
from phalanx.tables.field import Kind

TOLERANCE = 1e-12
STATES = 20
SCALAR = NumberType("float64")
EULER, IMPLICIT = int(Integrator.EULER), int(Integrator.IMPLICIT)
IMPLICITFAST, SPRING_DAMPER = int(Integrator.IMPLICITFAST), int(Integrator.IMPLICITSPRINGDAMPER)
INTEGRATORS = {"implicit": IMPLICIT, "implicitfast": IMPLICITFAST, "Euler": EULER}
#: What each integrator writes, besides the acceleration.
WRITTEN = {
    IMPLICIT: ("qDeriv", "qLU"),
    IMPLICITFAST: ("qDeriv", "qH", "qHDiagInv"),
    EULER: ("qH", "qHDiagInv"),
    SPRING_DAMPER: ("qH", "qHDiagInv"),
}
#: What the stages read of MuJoCo's forward pass.
INPUTS = """
    time qpos qvel act ctrl plastic qfrc_applied xfrc_applied
    xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat subtree_com cdof cinert crb M qLD qLDiagInv
    ten_J ten_length ten_velocity actuator_length moment_rownnz moment_rowadr moment_colind actuator_moment
    actuator_velocity cvel cdof_dot qfrc_passive qfrc_bias act_dot actuator_force qfrc_actuator qfrc_smooth qacc
    qfrc_constraint
""".split()
#: The cache of machine code sees changes in phalanx only.
SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
OUTPUTS = ("qDeriv", "qLU", "qH", "qHDiagInv", "warning_number", "warning_lastinfo")


# --- models


CHAIN = """
<mujoco>
  <option timestep=".01" {option}><flag {flags}/></option>
  <default><geom contype="0" conaffinity="0" {geom}/></default>
  <worldbody>
    <site name="w" pos=".5 .5 1"/>
    <body pos="0 0 1">
      <joint name="f" type="free" {free}/>
      <geom type="box" size=".1 .2 .3" pos=".02 .01 0" euler="10 20 30"/>
      <body pos=".3 0 0" euler="0 40 0">
        <joint name="b" type="ball" pos="0 .1 0" {ball}/>
        <geom type="capsule" size=".05 .2"/>
        <geom type="sphere" size=".07" pos=".1 0 .1"/>
        <body pos="0 .3 0">
          <joint name="h" type="hinge" axis="1 2 3" {hinge}/>
          <joint name="s" type="slide" axis="3 -1 1" {slide}/>
          <joint name="c" type="ball" pos=".1 .1 0"/>
          <geom type="cylinder" size=".06 .1"/>
          <body pos="0 0 .3" euler="30 0 20">
            <geom type="ellipsoid" size=".05 .1 .15"/><site name="t" pos=".1 0 .1" euler="10 20 30"/>
          </body>
        </body>
      </body>
      <body pos="-.3 .1 0">
        <joint name="g" type="hinge" pos=".1 .1 .1" {hinge}/>
        <geom type="box" size=".1 .05 .2"/>
      </body>
    </body>
    <body pos="2 0 0">
      <geom type="box" size=".1 .1 .1"/>
      <body>
        <joint name="r" axis="0 1 0" pos="-.2 0 0" {slide}/><joint name="q" type="slide" axis="0 0 1"/>
        <geom type="box" size=".2 .1 .1"/>
        <body pos=".3 0 0"><joint name="p" axis="1 0 0"/><geom type="capsule" size=".05 .2"/></body>
        <body pos="0 .3 0"><joint name="o" type="ball" {ball}/><geom type="capsule" size=".05 .1"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>{tendon}</tendon>
  <actuator>{actuator}</actuator>
</mujoco>
"""


def chain(**parts: str) -> str:
    names = "option flags free ball hinge slide geom tendon actuator".split()
    assert set(parts) <= set(names)
    return CHAIN.format(**{name: parts.get(name, "") for name in names})


DAMPERS = {
    "free": 'damping="1 .3 .2"',
    "ball": 'damping="0 2 0"',
    "hinge": 'damping=".5 0 .3"',
    "slide": 'damping="2"',
}
LENDERS = """
    <motor joint="h" gear="3" damping="2 .5 .7"/>
    <motor jointinparent="h" gear="-2" damping="1 0 .1"/>
    <motor joint="b" gear="1.5 2 3 0 0 0" damping="2 .1 .2"/>
    <position joint="s" gear="-.7" damping="0 0 3" kp="3"/>
    <motor jointinparent="f" gear="2 1 1 0 1 1" damping=".5" armature="1"/>
    <motor joint="g" gear="5" armature=".1"/>
"""
TENDONS = """
    <fixed name="x" damping="1 .2 .3" {0}><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
    <fixed name="y" damping="1" {0}><joint joint="g" coef="2"/><joint joint="r" coef="1.5"/></fixed>
    <spatial name="z" damping="0 3 0" {0}><site site="w"/><site site="t"/></spatial>
"""
AFFINE = """
    <general joint="h" biastype="affine" biasprm="1 2 -3" gear="2"/>
    <general joint="s" biastype="affine" biasprm="1 2 .3" gaintype="affine" gainprm="1 2 -.2"/>
    <general jointinparent="b" biastype="affine" biasprm="1 2 -3" gear="1 2 3 0 0 0"/>
    <general joint="c" gaintype="affine" gainprm="1 2 -.2" gear="1 -2 3 0 0 0" ctrlrange="-.5 .5"/>
    <general joint="f" biastype="affine" biasprm="0 0 -2" gear="1 2 3 .4 .5 .6"/>
    <general joint="r" gaintype="affine" gainprm="1 2 -.2" dyntype="integrator"/>
    <general joint="q" gaintype="affine" gainprm="1 2 -.2" dyntype="filter" dynprm=".1" actearly="true"/>
    <general joint="p" gaintype="affine" gainprm="1 2 -.2" dyntype="filterexact" dynprm=".1" actearly="true"
             actrange="0 .3"/>
    <general site="t" biastype="affine" biasprm="1 2 -3" gear="1 2 3 4 5 6"/>
    <general site="t" refsite="w" biastype="affine" biasprm="1 2 -3" gear="1 2 3 4 5 6"/>
    <position joint="g" kp="3" kv="2"/>
    <velocity joint="g" kv="2"/>
    <damper joint="r" kv="2" ctrlrange="0 1"/>
    <pid joint="p" kp="3" ki="2" kv="1.5"/>
"""
ORIENTATION = '<orientation joint="o" kp="3" kv="1.5"/>'
TENDON_ACTUATORS = """
    <general tendon="x" biastype="affine" biasprm="1 2 -3" gear="2" damping="1 2 3"/>
    <general tendon="y" biastype="affine" biasprm="1 2 -1"/>
    <general tendon="y" biastype="affine" biasprm="-3 2 -1" gear="3"/>
    <general tendon="z" biastype="affine" biasprm="1 2 -3" damping="1"/>
    <general tendon="z" damping="2 .1"/>
"""
MUSCLES = """
    <muscle joint="h" lengthrange="-1.5 1.5" vmax="3"/>
    <muscle joint="g" lengthrange="-2 1" force="30" fvmax="1.3"/>
    <muscle joint="r" lengthrange="-.5 .8" lmin=".3" lmax="2" fvmax="1"/>
    <general joint="p" gaintype="muscle" biastype="muscle" dyntype="muscle" dynprm=".01 .04 .2" lengthrange="-2 2"
             gainprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" biasprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" actearly="true"/>
"""
MOTORS = """
    <dcmotor joint="h" motorconst=".5" resistance="2"/>
    <dcmotor joint="g" motorconst=".5" resistance="2" inductance=".02" gear="3"/>
    <dcmotor joint="r" motorconst=".5" resistance="2" controller="3 1 .2 2 .3 {0}" input="pos vel ff"/>
    <dcmotor joint="q" motorconst=".5" resistance="2" thermal="1 2 0 .01 25 20" lugre="10 .2 .3 .4 .1" {1}/>
    <dcmotor joint="p" motorconst=".5" resistance="2" inductance=".01" saturation="0 0 {2}" controller="3 0 .2 0 0 0"
             input="pos voltage" cogging=".1 3 .2"/>
    <dcmotor joint="s" motorconst=".5" resistance="2" input="none" lugre="10 .2 .3 .4 .1"/>
"""
SATURATED = """
    <general joint="h" biastype="affine" biasprm="1 2 -3" gear="2" forcerange="-5 5"/>
    <general joint="h" biastype="affine" biasprm="-5 2 -1" gear="-3"/>
    <general joint="s" biastype="affine" biasprm="20 2 -3" forcerange="-9 9"/>
    <general joint="r" biastype="affine" biasprm="0 2 -3"/>
    <general joint="b" biastype="affine" biasprm="1 2 -3" gear="1 2 3 0 0 0" forcerange="-3 9"/>
    <dcmotor joint="r" motorconst=".5" resistance="2" saturation=".7 0 0" lugre="10 .2 .3 .4 .1"/>
    <dcmotor joint="q" motorconst=".5" resistance="2" saturation=".2 0 0" lugre="10 .2 .3 .4 .1"/>
    <dcmotor joint="p" motorconst=".5" resistance="2" saturation=".2 0 0" cogging=".5 3 .2"/>
"""
GROUPS = """
    <general joint="h" biastype="affine" biasprm="1 2 -3" group="1"/>
    <general joint="s" biastype="affine" biasprm="1 2 -3" group="2"/>
    <general joint="g" biastype="affine" biasprm="1 2 -3"/>
"""
ELLIPSOID = 'fluidshape="ellipsoid" fluidcoef=".6 .3 1.4 .9 1.2"'
FLUID = {"option": 'density="130" viscosity=".4" wind="1 -2 .5"'}
ALL = {**DAMPERS, **FLUID, "geom": ELLIPSOID, "actuator": AFFINE + ORIENTATION, "tendon": TENDONS.format("")}
LIMITED = 'actuatorfrcrange="-4 3"'

FREE = """
<mujoco>
  <option timestep=".01" {option}/>
  <default><geom contype="0" conaffinity="0" {geom}/></default>
  <worldbody>
    <body><freejoint/><geom size=".1"/></body>
    <body pos="1 0 0"><joint type="free" armature=".1" damping=".2"/><geom type="box" size=".1 .2 .3"/></body>
    <body pos="2 0 0">
      <freejoint name="w"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .1" euler="10 20 30"/>
      <body pos=".3 0 0" euler="0 0 30"><geom type="capsule" size=".05 .4"/>
        <body pos="0 .3 0" euler="0 40 30"><geom type="ellipsoid" size=".05 .4 .1"/></body></body>
    </body>
    <body pos="3 0 0">
      <freejoint name="j"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .1" euler="10 20 30"/>
      <body pos=".3 0 0"><joint/><geom type="capsule" size=".05 .4"/></body>
    </body>
    <body pos="4 0 0">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
      <joint type="ball"/><geom type="box" size=".1 .2 .3"/>
    </body>
  </worldbody>
  <actuator>
    <general joint="w" biastype="affine" biasprm="0 0 -2" gear="1 2 3 .4 .5 .6"/>
    <general joint="j" biastype="affine" biasprm="0 0 -2" gear="1 2 3 .4 .5 .6"/>
  </actuator>
</mujoco>
"""

# areas and velocities so small that the guards against division by zero act
TINY = """
<mujoco>
  <option density="1000" viscosity="1e-3" wind="0 0 1e-3"/>
  <default><geom fluidshape="ellipsoid" contype="0" conaffinity="0"/><joint armature=".01"/></default>
  <worldbody>
    <body><joint type="ball"/><geom type="ellipsoid" size=".002 .004 .001" pos=".01 0 0"/></body>
    <body pos="1 0 0"><joint/><joint axis="1 0 0"/><geom type="box" size=".001 .0005 .03" pos=".01 .01 0"/></body>
    <body pos="2 0 0"><joint type="slide"/><joint/><geom type="sphere" size=".0003" pos=".01 0 0"/></body>
    <body pos="3 0 0"><joint/><geom type="box" size=".001 .0005 .0005" fluidshape="none" pos=".01 0 0"/></body>
  </worldbody>
</mujoco>
"""

# contacts, limits and friction: their forces enter the right-hand side only
CONSTRAINED = """
<mujoco>
  <worldbody>
    <geom type="plane" size="3 3 1"/>
    <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .2 .3"/>
      <body pos="0 0 .35"><joint name="h" range="-10 10" damping=".3" frictionloss=".1" limited="true"/>
        <geom type="capsule" size=".05 .1"/></body></body>
    <body pos="1 0 .1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><velocity joint="h" kv=".5"/></actuator>
</mujoco>
"""

MODELS = {
    "plain": chain(),
    "dampers": chain(**DAMPERS),
    "lent damping": chain(**DAMPERS, actuator=LENDERS),
    "lent damping alone": chain(actuator=LENDERS),
    "affine actuators": chain(actuator=AFFINE),
    "orientation servo": chain(actuator=ORIENTATION),
    "muscles": chain(actuator=MUSCLES),
    "motors": chain(actuator=MOTORS.format(0, "", 0)),
    "limited motors": chain(actuator=MOTORS.format(9, 'saturation="1 0 0"', 30)),
    "saturated actuators": chain(actuator=SATURATED),
    "saturated joints": chain(actuator=SATURATED, hinge=LIMITED, slide=LIMITED),
    "saturated joints of motors": chain(actuator=MOTORS.format(0, "", 0), hinge=LIMITED, slide=LIMITED),
    "actuator groups": chain(actuator=GROUPS, option='actuatorgroupdisable="0 2"'),
    "tendons": chain(tendon=TENDONS.format("")),
    "tendon actuators": chain(tendon=TENDONS.format(""), actuator=TENDON_ACTUATORS),
    "saturated tendons": chain(tendon=TENDONS.format(LIMITED), actuator=TENDON_ACTUATORS),
    "box, density": chain(option='density="1000"'),
    "box, viscosity": chain(option='viscosity="2"'),
    "box, wind": chain(**FLUID),
    "ellipsoid, density": chain(option='density="1000"', geom=ELLIPSOID),
    "ellipsoid, viscosity": chain(option='viscosity="2"', geom=ELLIPSOID),
    "ellipsoid, wind": chain(**FLUID, geom=ELLIPSOID),
    "ellipsoid, tiny": TINY,
    "mixed fluid": chain(**FLUID).replace('type="sphere"', f'type="sphere" {ELLIPSOID}'),
    "negative fluid": chain(option='density="-1" viscosity="-1"'),
    "free bodies": FREE.format(option="", geom=""),
    "free bodies, box": FREE.format(option=FLUID["option"], geom=""),
    "free bodies, ellipsoid": FREE.format(option=FLUID["option"], geom=ELLIPSOID),
    "constrained": CONSTRAINED,
    "all": chain(**ALL),
    "no springs": chain(**ALL, flags='spring="disable"'),
    "no dampers": chain(**ALL, flags='damper="disable"'),
    "no springs, no dampers": chain(**ALL, flags='spring="disable" damper="disable"'),
    "no eulerdamp": chain(**ALL, flags='eulerdamp="disable"'),
    "no actuation": chain(**ALL, flags='actuation="disable"'),
    "no clamping": chain(**ALL, flags='clampctrl="disable"'),
}


@cache
def model_of(name: str, integrator: int) -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    model.opt.integrator = integrator
    return model


def random_state(model: mujoco.MjModel, seed: int) -> mujoco.MjData:
    """MuJoCo's forward pass at a random state."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0 if seed % 3 else 3.0)
    data.qvel[:] = rng.normal(size=model.nv) * 10.0 ** rng.uniform(-2, 1)
    if seed % 7 == 6:
        data.qvel[:] = 0.0
    data.ctrl[:] = rng.normal(size=model.nu)
    data.act[:] = rng.uniform(size=model.na)
    data.qfrc_applied[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    return data


# --- Model and Data as the stages see them


def member(source: object, name: str):
    """A number or array by dotted name, None if there is none."""
    for part in name.split("."):
        source = getattr(source, part, None)
    return None if isinstance(source, bytes) else source


def fill(array: np.ndarray, values: list, is_lane: bool) -> None:
    """Write one value, or one per world along the last axis."""
    if is_lane:
        for world, value in enumerate(values):
            array[..., world] = np.reshape(value, array.shape[:-1])
    else:
        array[...] = np.reshape(values[0], array.shape)


def model_store(models: list[mujoco.MjModel], number: NumberType) -> Store:
    """A store of one model, or of a lane of models that differ in real numbers only."""
    store = Store(MODEL_SCHEMA, {size: getattr(models[0], size, 0) for size in MODEL_SCHEMA.sizes}, number)
    for name, row in MODEL_SCHEMA.fields.items():
        array = store.allocate(name)
        values = [member(model, name) for model in models]
        if values[0] is not None:
            fill(array, values, number.width > 1 and row.kind is Kind.REAL)
        store.attach(name, array)
    return store


def data_store(model: mujoco.MjModel, number: NumberType) -> Store:
    sizes = {size: getattr(model, size, 0) for size in MODEL_SCHEMA.sizes} | dict.fromkeys(VARIABLE_SIZES, 0)
    store = Store(DATA_SCHEMA, sizes, number)
    store.allocate_all()
    return store


@cache
def stores_of(model: mujoco.MjModel) -> tuple[Store, Store]:
    """Memory for one world of a model that no test changes."""
    return model_store([model], SCALAR), data_store(model, SCALAR)


def set_state(store: Store, states: list[mujoco.MjData]) -> None:
    """MuJoCo's results, with nonsense in the numbers that MuJoCo does not have."""
    for name, row in store.schema.fields.items():
        if row.scratch and row.kind is Kind.REAL:
            store.arrays[name][...] = np.nan
    for name in (*INPUTS, *OUTPUTS):
        row = store.schema.fields[name]
        values = [member(state, row.mujoco or name) for state in states]
        fill(store.arrays[name], values, store.number.width > 1 and row.kind is Kind.REAL)


@kernel
def acceleration(m, d):
    """What the integrator of the model does before the update."""
    kind = m.opt.integrator
    if kind == IMPLICIT:
        implicit_acceleration(m, d)
    elif kind == IMPLICITFAST:
        implicitfast_acceleration(m, d)
    elif kind == SPRING_DAMPER:
        implicitspringdamper_acceleration(m, d)
    else:
        euler_acceleration(m, d)
    return 0


@kernel
def drives(m, d):
    """What actuation leaves for the integrator."""
    controls_in_effect(m, d)
    activation_rates(m, d)
    actuator_forces(m, d)
    return 0


@kernel
def forces(m, d):
    """The smooth forces at the present position, for finite differences."""
    actuator_velocity(m, d)
    com_vel(m, d)
    passive(m, d)
    rne(m, d)
    fwd_actuation(m, d)
    fwd_acceleration(m, d)
    return 0


STAGES = {"drives": drives, "acceleration": acceleration, "forces": forces}


def accelerate(d: Store, states: list[mujoco.MjData], run: Callable[[str], object]) -> None:
    """The stages of the integrator, with the forces that MuJoCo has: it knows limits of tendons, we do not yet."""
    set_state(d, states)
    run("drives")
    fill(d.arrays["actuator_force"], [state.actuator_force for state in states], d.number.width > 1)
    run("acceleration")


@cache
def native(stage: str, model: NumberType, data: NumberType) -> compiler.NativeEntry:
    """A compiled stage; the numbers of the Model are plain, or lanes like those of the Data."""
    function = STAGES[stage]

    def build():
        from phalanx.memory.view import view_at

        model_at = view_at("model", model, True)
        data_at = view_at("data", data, False)

        def entry(m, d):
            return function(model_at(m), data_at(d))

        return entry

    return compiler.load(compiler.Entry(f"test_implicit_{stage}_{model.name}_{data.name}_{SOURCE}", build, 2))


def results(store: Store, world: int | None = None) -> dict[str, np.ndarray]:
    take = (lambda array: array) if world is None else (lambda array: array[..., world])
    return {name: np.array(take(store.arrays[name])) for name in ("qacc_implicit", *OUTPUTS)}


def run_scalar(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = stores_of(model)
    accelerate(d, [state], lambda stage: native(stage, SCALAR, SCALAR)(m.address, d.address))
    return results(d)


def run_interpreted(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = stores_of(model)
    with np.errstate(all="ignore"):
        accelerate(d, [state], lambda stage: STAGES[stage](PlainView(m), PlainView(d)))
    return results(d)


def run_lanes(models: list[mujoco.MjModel], states: list[mujoco.MjData], width: int) -> list[dict[str, np.ndarray]]:
    """W worlds at once: of one model, or of W models."""
    number = NumberType("float64", width)
    of_model = number if len(models) > 1 else SCALAR
    m, d = model_store(models, of_model), data_store(models[0], number)
    accelerate(d, states, lambda stage: native(stage, of_model, number)(m.address, d.address))
    return [results(d, world) for world in range(width)]


def assert_same_bits(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    for name, value in ours.items():
        assert value.tobytes() == theirs[name].tobytes(), (name, value - theirs[name])


def relative_error(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest deviation relative to the largest value; zeros must be met exactly."""
    assert np.isfinite(ours).all()
    largest = np.abs(theirs).max(initial=0.0)
    return np.abs(ours - theirs).max(initial=0.0) / (largest if largest > 0 else np.finfo(float).tiny)


def exact(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    """What MuJoCo's own step writes, from a copy of the state."""
    after = mujoco.MjData(model)
    mujoco.mj_copyData(after, model, state)
    mujoco.mj_step(model, after)
    return {"qvel": after.qvel, **{name: getattr(after, name) for name in WRITTEN[model.opt.integrator]}}


def assert_is_mujoco(model: mujoco.MjModel, state: mujoco.MjData) -> None:
    """Every field that the stage writes, and the velocity after the step."""
    ours = run_scalar(model, state)
    ours["qvel"] = state.qvel + model.opt.timestep * ours["qacc_implicit"]
    for name, theirs in exact(model, state).items():
        assert relative_error(ours[name], theirs) < TOLERANCE, name


# --- against MuJoCo


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", MODELS)
def test_every_number_is_that_of_mujoco(name, integrator):
    model = model_of(name, INTEGRATORS[integrator])
    for seed in range(STATES):
        assert_is_mujoco(model, random_state(model, seed))


SUITE = Path(importlib.util.find_spec("dm_control").submodule_search_locations[0]) / "suite"
REAL_MODELS = "humanoid humanoid_CMU swimmer cheetah fish dog quadruped manipulator point_mass acrobot".split()


@cache
def real_model(name: str, integrator: int) -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_path(str(SUITE / f"{name}.xml"))
    model.opt.integrator = integrator
    return model


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", REAL_MODELS)
def test_real_models(name, integrator):
    model = real_model(name, INTEGRATORS[integrator])
    for seed in range(5):
        assert_is_mujoco(model, random_state(model, seed))


SERVOS = """
<mujoco>
  <option timestep="0.0078125"><flag gravity="disable"/></option>
  <default><geom size=".1" mass="1" contype="0" conaffinity="0"/><joint type="slide" axis="1 0 0"/></default>
  <worldbody>
    <body><joint name="a"/><geom/><body><joint name="b"/><geom/><body><joint name="c"/><geom/></body></body></body>
  </worldbody>
  <actuator>
    <general joint="a" biastype="affine"/><general joint="b" biastype="affine"/><general joint="c" biastype="affine"/>
  </actuator>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("gains", [(0, 0, 1), (0, 1, 0), (0, 0, 2), (3, 0, 0), (0, 0, 1 + 2**-52), (0, 0, 1 - 2**-53)])
def test_pivots_too_close_to_zero_are_replaced(gains, integrator):
    model = mujoco.MjModel.from_xml_string(SERVOS)
    model.opt.integrator = INTEGRATORS[integrator]
    model.actuator_biasprm[:, 2] = np.array(gains) / model.opt.timestep
    state = mujoco.MjData(model)
    state.ctrl[:] = 1.0
    mujoco.mj_forward(model, state)
    ours, theirs = run_scalar(model, state), exact(model, state)
    for name in WRITTEN[model.opt.integrator]:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=TOLERANCE)
    mujoco.mj_step(model, state)
    warning = state.warning[WarningType.INERTIA]
    assert ours["warning_number"][WarningType.INERTIA] == warning.number
    np.testing.assert_allclose(model.opt.timestep * ours["qacc_implicit"], state.qvel, rtol=TOLERANCE)
    if integrator == "implicit":
        assert ours["warning_lastinfo"][WarningType.INERTIA] == warning.lastinfo


# --- against the forces themselves


def force_at(model: mujoco.MjModel, state: mujoco.MjData, qvel: np.ndarray) -> np.ndarray:
    """Our actuator and passive forces, less the bias, at another velocity."""
    m, d = stores_of(model)
    set_state(d, [state])
    d.arrays["qvel"][:] = qvel
    native("forces", SCALAR, SCALAR)(m.address, d.address)
    return d.arrays["qfrc_actuator"] + d.arrays["qfrc_passive"] - d.arrays["qfrc_bias"]


#: Exact derivatives; MuJoCo leaves out how the friction of motors changes, and we have no forces of tendons yet.
SMOOTH = [
    "plain", "dampers", "lent damping", "affine actuators", "muscles", "box, density", "box, viscosity", "box, wind",
    "ellipsoid, density", "ellipsoid, viscosity", "ellipsoid, wind", "mixed fluid", "free bodies, ellipsoid",
]  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_the_derivative_is_that_of_our_own_forces(name):
    model = model_of(name, IMPLICIT)
    rows = np.repeat(np.arange(model.nv), model.D_rownnz)
    for seed in range(5):
        state = random_state(model, seed)
        slope = run_scalar(model, state)["qDeriv"]
        size = 1e-5 * max(1.0, np.abs(state.qvel).max())
        differences = np.empty((model.nv, model.nv))
        for dof, change in enumerate(size * np.eye(model.nv)):
            ahead, behind = force_at(model, state, state.qvel + change), force_at(model, state, state.qvel - change)
            differences[:, dof] = (ahead - behind) / (2.0 * size)
        assert relative_error(slope, differences[rows, model.D_colind]) < 1e-6


# --- what the integrators promise


@pytest.mark.parametrize("name", ["free bodies", "free bodies, box", "free bodies, ellipsoid"])
def test_free_bodies_are_as_exact_in_implicitfast_as_in_implicit(name):
    for seed in range(STATES):
        state = random_state(model_of(name, IMPLICIT), seed)
        fast = run_scalar(model_of(name, IMPLICITFAST), state)["qacc_implicit"]
        full = run_scalar(model_of(name, IMPLICIT), state)["qacc_implicit"]
        free = slice(0, 18)  # the first three bodies; the next one has a jointed child
        assert relative_error(fast[free], full[free]) < TOLERANCE
        jointed = slice(18, 25)
        assert not np.any(state.qvel) or relative_error(fast[jointed], full[jointed]) > 1e-9


@pytest.mark.parametrize("name", ["plain", "no dampers", "no eulerdamp"])
def test_euler_without_dampers_takes_qacc(name):
    model = model_of(name, EULER)
    state = random_state(model, 3)
    assert run_scalar(model, state)["qacc_implicit"].tobytes() == state.qacc.tobytes()


SPRINGS = {
    "free": 'stiffness="30" damping="2"',
    "ball": 'stiffness="20" damping="1"',
    "hinge": 'stiffness="50" damping=".5" springref="25"',
    "slide": 'stiffness="900" springref="-.3"',
}


def full_matrix(model: mujoco.MjModel, state: mujoco.MjData) -> np.ndarray:
    dense = np.zeros((model.nv, model.nv))
    for row in range(model.nv):
        for address in range(model.M_rowadr[row], model.M_rowadr[row] + model.M_rownnz[row]):
            column = model.M_colind[address]
            dense[row, column] = dense[column, row] = state.M[address]
    return dense


def displacement(model: mujoco.MjModel, state: mujoco.MjData) -> np.ndarray:
    """qpos relative to the rest of the springs, rotations as vectors."""
    difference = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, difference, 1.0, model.qpos_spring, state.qpos)
    return difference


@pytest.mark.parametrize("flags", ["", 'spring="disable"', 'damper="disable"'])
def test_implicit_springs_and_dampers_solve_their_equation(flags):
    model = mujoco.MjModel.from_xml_string(chain(**SPRINGS, actuator=LENDERS, flags=flags))
    model.dof_dampingpoly[:] = model.actuator_dampingpoly[:] = 0.0
    lent = mujoco.MjModel.from_xml_string(chain(**SPRINGS, actuator=LENDERS))
    damping = np.array(lent.dof_damping)
    for actuator in range(lent.nactuator):
        joint = lent.actuator_trnid[actuator, 0]
        damping[lent.dof_jntid == joint] += lent.actuator_damping[actuator] * lent.actuator_gear[actuator, 0] ** 2
    D = np.diag(damping * ("damper" not in flags))
    K = np.diag(model.jnt_stiffness[model.dof_jntid] * ("spring" not in flags))
    h = model.opt.timestep
    for seed in range(STATES):
        state = random_state(model, seed)
        M, x = full_matrix(model, state), displacement(model, state)
        other = state.qfrc_smooth + state.qfrc_constraint + D @ state.qvel + K @ x
        after = np.linalg.solve(M + h * D + h * h * K, M @ state.qvel + h * other - h * K @ x)
        model.opt.integrator = SPRING_DAMPER
        ours = run_scalar(model, state)["qacc_implicit"]
        model.opt.integrator = EULER
        assert relative_error(ours, (after - state.qvel) / h) < 1e-10


def test_implicit_springs_are_stable_at_any_stiffness():
    """One oscillator, far beyond the explicit limit: the energy never grows."""
    xml = """<mujoco><option timestep=".01"><flag gravity="disable"/></option><worldbody><body>
    <joint type="slide" stiffness="1e8" damping="3"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    state = mujoco.MjData(model)
    state.qpos[:] = 1.0
    energy = []
    for _ in range(20):
        mujoco.mj_forward(model, state)
        model.opt.integrator = SPRING_DAMPER
        stores_of.cache_clear()
        state.qvel += model.opt.timestep * run_scalar(model, state)["qacc_implicit"]
        model.opt.integrator = EULER
        state.qpos += model.opt.timestep * state.qvel
        energy.append(0.5e8 * state.qpos[0] ** 2 + 0.5 * state.qvel[0] ** 2)
    assert np.all(np.diff(energy) <= 0.0)


# --- every way of running gives the same bits


EVERY = {**INTEGRATORS, "implicitspringdamper": SPRING_DAMPER}


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", MODELS)
def test_interpreted_is_compiled(name, integrator):
    model = model_of(name, EVERY[integrator])
    state = random_state(model_of(name, EULER), 1)
    assert_same_bits(run_interpreted(model, state), run_scalar(model, state))


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", MODELS)
def test_a_lane_is_its_world_alone(name, integrator, width):
    model = model_of(name, EVERY[integrator])
    states = [random_state(model_of(name, EULER), seed) for seed in range(width)]
    for state, lane in zip(states, run_lanes([model], states, width), strict=True):
        assert_same_bits(lane, run_scalar(model, state))


VARIED = """
    dof_damping dof_dampingpoly dof_armature jnt_stiffness actuator_damping actuator_dampingpoly actuator_gear
    actuator_biasprm actuator_gainprm actuator_dynprm actuator_forcerange jnt_actfrcrange tendon_actfrcrange
    tendon_damping tendon_dampingpoly body_mass body_inertia geom_size geom_fluid
""".split()
VARIED_MODELS = "dampers", "all", "mixed fluid", "muscles", "limited motors", "saturated joints", "saturated tendons"


#: A zero here would change the structure of the model, or leave nothing to see.
KEPT = ("actuator_dynprm", "actuator_gainprm", "actuator_gear", "body_mass", "body_inertia")


@cache
def varied(name: str, world: int) -> mujoco.MjModel:
    """The model with real numbers of its own in each world, some of them switched off."""
    rng = np.random.default_rng(world)
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    for field in VARIED:
        values = getattr(model, field)
        values *= rng.uniform(0.5, 1.5, values.shape)
        if field not in KEPT:
            values[rng.uniform(size=len(values)) < 0.4] = 0.0
    if world % 2:
        for field in ("dof_damping", "dof_dampingpoly", "actuator_damping", "actuator_dampingpoly"):
            getattr(model, field)[:] = 0.0
    model.opt.density *= world % 2
    model.opt.viscosity *= world // 2 % 2
    model.opt.wind *= world
    model.opt.timestep *= 1 + world
    return model


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", VARIED_MODELS)
def test_a_lane_with_its_own_model_is_its_world_alone(name, integrator, width):
    models = [varied(name, world) for world in range(width)]
    states = [random_state(model, seed) for seed, model in enumerate(models)]
    for model in models:
        model.opt.integrator = EVERY[integrator]
    stores_of.cache_clear()
    for model, state, lane in zip(models, states, run_lanes(models, states, width), strict=True):
        assert_same_bits(lane, run_scalar(model, state))
    for model in models:
        model.opt.integrator = EULER


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", ["all", "motors", "free bodies, ellipsoid"])
def test_a_broken_world_leaves_its_neighbours_alone(name, integrator):
    model = model_of(name, EVERY[integrator])
    states = [random_state(model_of(name, EULER), seed) for seed in range(4)]
    for field in ("qvel", "cvel", "qfrc_smooth", "M", "cdof"):
        getattr(states[1], field)[:] = np.nan
    lanes = run_lanes([model], states, 4)
    for world in (0, 2, 3):
        assert_same_bits(lanes[world], run_scalar(model, states[world]))


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", ["all", "limited motors", "saturated tendons", "free bodies, ellipsoid", "muscles"])
def test_float32_is_close(name, integrator):
    model, number, of_model = model_of(name, EVERY[integrator]), NumberType("float32", 8), NumberType("float32", 1)
    states = [random_state(model_of(name, EULER), seed) for seed in range(8)]
    m, d = model_store([model], of_model), data_store(model, number)
    accelerate(d, states, lambda stage: native(stage, of_model, number)(m.address, d.address))
    for world, state in enumerate(states):
        exact_one = run_scalar(model, state)["qacc_implicit"]
        assert relative_error(d.arrays["qacc_implicit"][:, world].astype(float), exact_one) < 1e-4


# --- the whole step


STEPPED = ("plain", "lent damping", "muscles", "motors", "box, wind", "ellipsoid, wind", "free bodies, ellipsoid")


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", STEPPED)
def test_a_step_from_any_state(name, integrator):
    model = model_of(name, INTEGRATORS[integrator])
    ours = phalanx.Model.from_mujoco(model)
    for seed in range(5):
        state, data = random_state(model, seed), ours.make_data()
        for field in ("qpos", "qvel", "act", "ctrl", "qfrc_applied"):
            getattr(data, field)[:] = getattr(state, field)
        mujoco.mj_step(model, state)
        data.step()
        for field in ("qpos", "qvel", "act"):
            assert relative_error(getattr(data, field), getattr(state, field)) < TOLERANCE, field
