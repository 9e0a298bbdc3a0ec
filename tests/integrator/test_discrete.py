"""The discrete integrator against MuJoCo: metric, rows, accelerations and steps from random states; lanes and threads.

MuJoCo solves couplings by conjugate gradients: a small tolerance makes it go on until little changes. Tolerances are
relative to the largest number of a field: 1e-12 for the metric and the rows, 1e-9 through constraints.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from phalanx.tables.enums import Integrator
from tests.conformance.models import MODELS
from tests.conformance.models import load as load_pair
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states
from tests.conformance.test_step import STATE, errors_of_pair
from tests.quiet import quiet

SMOOTH, CONSTRAINED = 1e-12, 1e-9
STATES, STEPS = 12, 40
#: Rows of the metric; those of tendons and actuators as far as they are in it.
METRIC = ("efm_c", "efm_ck", "efm_ca", "efm_diag", "efm_sdiag", "efm_fluid", "qH", "qHDiagInv")
LISTED = {"nefmT": ("efm_tid", "efm_ts", "efm_tk"), "nefmA": ("efm_aid", "efm_as", "efm_ak")}
ROWS = ("efc_KBIP", "efc_R", "efc_D", "efc_diagA", "efc_aref", "efc_vel")
SOLVED = ("qacc", "qfrc_constraint", "sensordata")


# --- models


SCENE = """
<mujoco>
  <option integrator="discrete" timestep=".01" tolerance="1e-15" iterations="300" {option}><flag {flags}/></option>
  <default>
    <geom solref="{ref}" solimp="{imp}"/><equality solref="{ref}"/>
    <joint solreflimit="{ref}" solimplimit="{imp}" solreffriction="{ref}"/><tendon solreflimit="{ref}"/>
  </default>
  <worldbody>
    <site name="w" pos=".1 .2 .3"/><geom type="plane" size="5 5 1" pos="0 0 -.05"/>
    <body name="A"><joint name="a" axis="0 1 0" stiffness="3 1 .2" damping=".7 .1 .2" range="-20 60" frictionloss=".1"/>
      <geom size=".1" pos=".3 0 0"/>
      <body name="B" pos=".6 0 0"><joint name="b" axis="0 1 0" stiffness="2" damping=".2" frictionloss=".1"/>
        <geom size=".1" pos=".3 0 0"/><site name="s" pos=".2 .1 .1"/></body></body>
    <body name="C" pos="0 1 0"><joint name="c" axis="0 1 0" range="-10 30"/><geom size=".1" pos=".3 0 0"/></body>
    <body name="F" pos="0 2 0"><freejoint/><geom size=".1" surfacevel=".1 .2 .3 0 0 0"/></body>
    <body name="G" pos=".5 2 .1"><joint type="free" damping="3" stiffness="4 1 .1"/><geom size=".1 .2 .1" type="box"
      condim="6"/><site name="g"/></body>
    <body name="H" pos="3 0 0"><joint type="free" damping=".1"/><geom size=".1 .2 .3" type="box" pos=".1 0 0"/></body>
    <body name="K" pos="0 4 .1"><joint name="k" type="ball" stiffness="3 1 .2" damping="1 .1"/>
      <geom type="capsule" size=".05 .2" pos="0 0 .2" adhesion="2"/></body>
  </worldbody>
  <tendon>
    <fixed name="n"><joint joint="a" coef="1"/></fixed>
    <fixed name="t" stiffness="5" damping=".4" frictionloss=".2">
      <joint joint="a" coef="1"/><joint joint="c" coef="-.5"/></fixed>
    <spatial name="u" range="0 .3" stiffness="20 1 .3" springlength=".1 .2"><site site="w"/><site site="s"/></spatial>
    <spatial name="v" damping="1 .1" stiffness="3"><site site="g"/><site site="s"/></spatial>
  </tendon>
  <actuator>
    <position joint="b" kp="7" kv=".3" gear="2" forcerange="-.9 .9"/><velocity joint="c" kv=".6"/><motor joint="a"/>
    <position tendon="u" kp="3"/><position site="g" refsite="s" gear="1 2 3 .1 .2 .3" kp="2" kv=".1"/>
  </actuator>
  <equality>
    <connect body1="A" body2="C" anchor=".1 .1 .1"/><weld body1="G" body2="C"/><joint joint1="a" joint2="c"/>
    <tendon tendon1="u" tendon2="t"/>
  </equality>
  <sensor>
    <accelerometer site="s"/><force site="g"/><jointactuatorfrc joint="b"/><tendonactuatorfrc tendon="u"/>
  </sensor>
</mujoco>
"""


def scene(option: str = "", flags: str = "", ref: str = ".02 1", imp: str = ".9 .95 .001") -> str:
    return SCENE.format(option=option, flags=flags, ref=ref, imp=imp)


#: Rows in all their kinds: soft and hard ones, springs that the step cannot resolve, stiffness and damping given.
SCENES = {
    "pyramids": scene(),
    "cones": scene('cone="elliptic" impratio="3"'),
    # a cost that is right to eps has a minimum that is right to sqrt(eps): these go on until nothing changes
    "conjugate gradients": scene('solver="CG"').replace('tolerance="1e-15"', 'tolerance="0"'),
    "stiff": scene(ref="1e-4 1", imp=".99 .9999 .001"),
    "stiff and soft": scene(ref=".004 2", imp=".9 .9995 .1"),
    "stiff cones": scene('cone="elliptic"', ref=".005 .1"),
    "as written": scene(flags='refsafe="disable"', ref=".001 1"),
    "direct": scene(ref="-1e5 -30"),
    "exact diagonal": scene(flags='diagexact="enable"'),
    "no islands": scene(flags='island="disable"'),
    "no springs": scene(flags='spring="disable"'),
    "no dampers": scene(flags='damper="disable"'),
    "no actuation": scene(flags='actuation="disable"'),
    "fluid": scene('density="2" viscosity=".5" wind="1 2 3"'),
    "Gauss-Seidel": scene('solver="PGS"').replace('iterations="300"', 'iterations="3000"'),
    "noslip": scene('noslip_iterations="3" noslip_tolerance="0"'),
}

MACHINE = """
<mujoco>
  <option integrator="discrete" timestep=".01" tolerance="1e-15" {option}/>
  <default><geom contype="0" conaffinity="0" {geom}/></default>
  <worldbody>
    <site name="w" pos=".1 .2 .3"/>
    <body name="A"><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".6 0 0"><joint name="b" type="ball"/><geom type="capsule" size=".05 .2" pos=".3 0 0"/>
        <site name="s" pos=".2 .1 .1"/></body></body>
    <body pos="0 1 0"><joint name="c" type="slide" axis="1 0 0" {slide}/><geom type="ellipsoid" size=".1 .2 .3"/></body>
    <body pos="0 2 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
    <body pos="0 3 1"><freejoint name="f"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial name="t" {tendon}><site site="w"/><site site="s"/></spatial></tendon>
  <actuator>{actuator}</actuator>
</mujoco>
"""


def machine(actuator: str = "", option: str = "", geom: str = "", slide: str = "", tendon: str = "") -> str:
    return MACHINE.format(actuator=actuator, option=option, geom=geom, slide=slide, tendon=tendon)


MACHINES = {
    "bodies": machine(),
    "drag": machine(option='density="5" viscosity=".5" wind="1 2 3"'),
    "ellipsoids in a fluid": machine(option='density="5" viscosity=".5" wind="1 2 3"', geom='fluidshape="ellipsoid"'),
    "affine": machine(
        '<general joint="c" gaintype="affine" gainprm="1 -2 -.3" biastype="affine" biasprm="0 1 -1"/>'
        '<general joint="a" gaintype="affine" gainprm="1 2 .3" dyntype="filter" dynprm=".1" actearly="true"/>'
        '<damper joint="c" kv="3" ctrlrange="0 1"/><intvelocity joint="a" kp="7" actrange="-1 1"/>'
        '<position joint="f" kp="3" kv="1" gear="1 2 3 4 5 6"/><position joint="b" kp="3" gear="1 2 3 0 0 0"/>'
    ),
    "limits": machine(
        '<position joint="c" kp="7" kv=".3"/><position tendon="t" kp="7" kv=".3"/>',
        slide='actuatorfrcrange="-3 3"',
        tendon='actuatorfrcrange="-2 2"',
    ),
    "muscles": machine('<muscle joint="c" lengthrange="-1 2"/><muscle tendon="t" lengthrange="0 3" force="50"/>'),
    "servos": machine(
        '<pid joint="c" kp="3" ki="2" kv="1.5"/><orientation joint="b" kp="3" kv="1.5"/>'
        '<orientation joint="b" kp="3" kv="1.5" forcerange="0 100"/>'
    ),
    "motors": machine(
        '<dcmotor joint="c" motorconst=".5" resistance="2" controller="3 1 .2 2 .3 2" input="pos vel ff"/>'
        '<dcmotor joint="a" motorconst=".5" resistance="2" inductance=".01" controller="3 0 .2 0 0 0" input="pos vel"/>'
        '<dcmotor joint="c" motorconst=".5" resistance="2" saturation=".2 0 0" lugre="10 .2 .3 .4 .1"/>'
        '<dcmotor joint="a" motorconst=".5" resistance="2" thermal="1 2 0 .01 25 20" cogging=".5 3 .2"/>'
    ),
    "reflected": machine(
        '<motor joint="c" damping="2 .1" armature="3"/><motor tendon="t" damping="2 .3"/>', tendon='stiffness="3 .1"'
    ),
}
ALL = {**SCENES, **MACHINES}


def pair(xml: str) -> tuple[phalanx.Model, Any]:
    with quiet():
        return phalanx.Model.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)


def random_starts(reference: Any, count: int, seed: int = 0) -> Any:
    """States near the start, so that rows of all kinds act; far from it in every third."""
    for number, state in enumerate(random_states(reference, count + 2, seed)):
        if number < 2:
            continue
        rng = np.random.default_rng([seed, number])
        if number % 3:
            mujoco.mj_resetData(reference, state)
            mujoco.mj_integratePos(reference, state.qpos, rng.normal(size=reference.nv) * 0.1, 1.0)
            state.qvel[:] = rng.normal(size=reference.nv)
            state.ctrl[:] = rng.normal(size=reference.nu)
            state.act[:] = rng.normal(size=reference.na) * 0.2
            state.qfrc_applied[:] = rng.normal(size=reference.nv)
        yield state


def error(ours: Any, theirs: Any) -> float:
    """The largest difference, relative to the largest number."""
    ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    assert ours.shape == theirs.shape
    return float(np.abs(ours - theirs).max(initial=0.0) / max(1e-6, np.abs(theirs).max(initial=0.0)))


def element_error(ours: Any, theirs: Any) -> float:
    """The largest relative difference of an element: weights of rows differ by orders of magnitude."""
    ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    assert ours.shape == theirs.shape
    return float((np.abs(ours - theirs) / np.maximum(1e-9, np.abs(theirs))).max(initial=0.0))


# --- forward dynamics


@pytest.mark.parametrize("name", ALL)
def test_metric_and_rows_are_those_of_mujoco(name: str) -> None:
    model, reference = pair(ALL[name])
    data = phalanx.Data(model)
    for state in random_starts(reference, STATES):
        load_state(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        assert (data.efm_active, data.nefmT, data.nefmA) == (1, state.nefmT, state.nefmA)
        for field in METRIC if state.efm_sdiag.any() else METRIC[:6]:
            assert error(getattr(data, field), getattr(state, field)) < SMOOTH, field
        for count, fields in LISTED.items():
            n = getattr(state, count)
            for field in fields:
                assert element_error(getattr(data, field)[:n], getattr(state, field)[:n]) < SMOOTH, field
        assert error(data.qacc_smooth, state.qacc_smooth) < SMOOTH
        assert data.nefc == state.nefc
        for field in ROWS:
            bound = SMOOTH if field in ("efc_KBIP", "efc_aref", "efc_vel") else 1e-10
            measure = error if field in ("efc_KBIP", "efc_aref", "efc_vel") else element_error
            assert measure(getattr(data, field), getattr(state, field)) < bound, field


@pytest.mark.parametrize("name", ALL)
def test_accelerations_and_sensors_are_those_of_mujoco(name: str) -> None:
    model, reference = pair(ALL[name])
    data = phalanx.Data(model)
    for state in random_starts(reference, STATES, seed=1):
        load_state(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        for field in SOLVED:
            assert error(getattr(data, field), getattr(state, field)) < CONSTRAINED, field
        assert data.nisland == state.nisland
        if data.nisland:
            np.testing.assert_array_equal(data.tree_island, state.tree_island)


@pytest.mark.parametrize("name", ALL)
def test_steps_are_those_of_mujoco(name: str) -> None:
    model, reference = pair(ALL[name])
    data, state = phalanx.Data(model), mujoco.MjData(reference)
    rng = np.random.default_rng(3)
    for number in range(STEPS):
        if number % 10 == 0:
            state.ctrl[:] = rng.normal(size=reference.nu)
        load_state(data, state)
        mujoco.mj_step(reference, state)
        data.step()
        for field in ("qpos", "qvel", "act"):
            assert error(getattr(data, field), getattr(state, field)) < CONSTRAINED, (number, field)


def test_qacc_is_the_change_of_velocity_in_a_step() -> None:
    model, reference = pair(SCENES["pyramids"])
    data = phalanx.Data(model)
    for state in random_starts(reference, 3):
        load_state(data, state)
        before = data.qvel.copy()
        data.step()
        np.testing.assert_allclose(data.qvel, before + model.opt.timestep * data.qacc, rtol=1e-14, atol=1e-14)


def test_step_in_two_halves_is_a_step() -> None:
    model, reference = pair(SCENES["pyramids"])
    whole, halves = phalanx.Data(model), phalanx.Data(model)
    for state in random_starts(reference, 3):
        load_state(whole, state)
        load_state(halves, state)
        whole.step()
        halves.step1()
        halves.step2()
        np.testing.assert_array_equal(whole.qvel, halves.qvel)


def test_second_half_repeated_starts_from_the_same_rows() -> None:
    model, reference = pair(SCENES["pyramids"])
    data = phalanx.Data(model)
    load_state(data, next(iter(random_starts(reference, 1))))
    data.forward()
    weights, aref = data.efc_R.copy(), data.efc_aref.copy()
    data.run("effective_metric")
    np.testing.assert_array_equal(data.efc_R, weights)
    np.testing.assert_array_equal(data.efc_aref, aref)


# --- inverse dynamics


@pytest.mark.parametrize("name", [name for name in ALL if name != "noslip"])
def test_inverse_dynamics_is_that_of_mujoco(name: str) -> None:
    model, reference = pair(ALL[name])
    data = phalanx.Data(model)
    for state in random_starts(reference, 4, seed=2):
        load_state(data, state)
        mujoco.mj_forward(reference, state)
        # an acceleration that constraints do not know
        state.qacc[:] += np.random.default_rng(0).normal(size=reference.nv)
        data.qacc[:] = state.qacc
        mujoco.mj_inverse(reference, state)
        data.inverse()
        for field in ("qfrc_inverse", "qfrc_constraint", "efc_force"):
            assert error(getattr(data, field), getattr(state, field)) < CONSTRAINED, field
        np.testing.assert_array_equal(data.qacc, state.qacc)


@pytest.mark.parametrize("name", ["pyramids", "motors", "ellipsoids in a fluid", "bodies"])
def test_inverse_of_forward_gives_the_inputs(name: str) -> None:
    model, reference = pair(ALL[name])
    data = phalanx.Data(model)
    for state in random_starts(reference, 4):
        state.xfrc_applied[:] = 0.0
        load_state(data, state)
        data.forward()
        given = data.qfrc_applied + data.qfrc_actuator
        data.inverse()
        assert np.abs(data.qfrc_inverse - given).max() < 1e-8 * np.abs(data.qfrc_constraint).max(initial=10.0)


# --- what it is for


def test_stiff_servo_is_stable_at_a_large_step() -> None:
    xml = """
    <mujoco><option integrator="discrete" timestep=".02" gravity="0 0 0"/>
      <worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody>
      <actuator><position joint="j" kp="1e6" kv="10"/></actuator></mujoco>
    """
    data = phalanx.Data(phalanx.Model.from_xml_string(xml))
    data.ctrl[:] = 0.1
    data.step(100)
    # the step is ten times what an explicit spring of this frequency bears
    assert abs(float(data.qpos[0]) - 0.1) < 1e-9


# --- the same bits in all ways of running


@pytest.mark.parametrize("name", ["pyramids", "cones", "no islands", "Gauss-Seidel", "noslip", "motors", "muscles"])
def test_lanes_and_threads_give_the_bits_of_one_world(name: str) -> None:
    model, reference = pair(ALL[name])
    states = [copy(state) for state in random_starts(reference, 10, seed=4)]
    for threads in (1, 2):
        batch = phalanx.BatchSim(model, len(states), threads=threads)
        for field in INPUTS:
            if getattr(states[0], field).size:
                batch.bind(field)[0][:] = np.array([getattr(s, field) for s in states])
        velocity, acceleration = batch.bind("qvel", "qacc")
        batch.step(3)
        for world, state in enumerate(states):
            data = phalanx.Data(model)
            load_state(data, state)
            data.time = 0.0
            data.step(3)
            np.testing.assert_array_equal(velocity[world], data.qvel)
            np.testing.assert_array_equal(acceleration[world], data.qacc)


def test_interpreted_and_compiled_steps_have_the_same_bits() -> None:
    model, reference = pair(SCENES["pyramids"])
    state = next(iter(random_starts(reference, 1)))
    ends = []
    data = phalanx.Data(model)
    for step in (lambda: data.step(), lambda: run_interpreted("step", model.store_for("float64"), data._store, 1)):
        load_state(data, state)
        step()
        ends.append(data.qvel.copy())
    np.testing.assert_array_equal(*ends)


# --- single precision

#: Relative to the largest number of a field: what is computed from the state directly, and through constraints.
SINGLE_SMOOTH, SINGLE_CONSTRAINED = 1e-5, 1e-3
INPUTS = ("qpos", "qvel", "ctrl", "act", "qfrc_applied", "xfrc_applied", "qacc_warmstart")


@pytest.mark.parametrize("name", ALL)
def test_single_precision_has_the_metric_and_the_steps_of_double(name: str) -> None:
    model, reference = pair(ALL[name])
    single, double = model.make_data(dtype="float32"), model.make_data()
    for state in random_starts(reference, 4, seed=5):
        load_state(single, state)
        for field in INPUTS:
            getattr(double, field)[...] = getattr(single, field)
        single.forward()
        double.forward()
        assert (single.nefmT, single.nefmA, single.nefc) == (double.nefmT, double.nefmA, double.nefc)
        for field in (*METRIC, "qacc_smooth"):
            assert error(getattr(single, field), getattr(double, field)) < SINGLE_SMOOTH, field
        assert error(single.qacc, double.qacc) < SINGLE_CONSTRAINED
        single.step()
        double.step()
        assert error(single.qvel, double.qvel) < SINGLE_CONSTRAINED


def test_cut_torques_are_held_in_single_precision() -> None:
    """Their norm is rounded to less than the limit in a third of all states: a margin is for that."""
    servo = '<orientation joint="b" kp="30" kv="1.5" forcerange="0 .7"/>'
    model, reference = pair(machine(servo))
    data = {dtype: model.make_data(dtype=dtype) for dtype in ("float32", "float64")}
    for state in random_starts(reference, 30, seed=7):
        state.ctrl[:] = 2.0
        for each in data.values():
            load_state(each, state)
            each.forward()
            assert each.nefmA == 0


@pytest.mark.parametrize("name", ["pyramids", "cones", "motors"])
def test_lanes_of_single_precision_give_the_bits_of_one_world(name: str) -> None:
    model, reference = pair(ALL[name])
    states = [copy(state) for state in random_starts(reference, 5, seed=6)]
    batch = phalanx.BatchSim(model, len(states), dtype="float32")
    for field in INPUTS:
        if getattr(states[0], field).size:
            batch.bind(field)[0][:] = np.array([getattr(state, field) for state in states])
    (velocity,) = batch.bind("qvel")
    batch.step(3)
    for world, state in enumerate(states):
        data = model.make_data(dtype="float32")
        load_state(data, state)
        data.time = 0.0
        np.testing.assert_array_equal(velocity[world], data.step(3).qvel)


# --- every model of the matrix


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_step_of_every_model(name: str) -> None:
    matched = load_pair(name, integrator=int(Integrator.DISCRETE), tolerance=1e-15)
    worst, compared = errors_of_pair(matched, 100, STATE)
    assert compared > 50
    assert not worst.failures, worst.failures
