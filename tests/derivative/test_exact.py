"""Exact derivatives of a step, against differences of high order whose error is bounded."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.derivative.exact import exact_transition
from phalanx.derivative.exact_remaining import REMAINING
from tests.constraint.scenes import EQUALITIES, TENDONS, equalities, feet, scene
from tests.derivative.differences import NEAR, STEPS, exact, transition
from tests.sensor import scenes as sensor_scenes

MODELS = "tests/models/"
#: At the minimum of the cost, where implicit derivatives are those of the step.
TIGHT = {"opt.tolerance": 0.0, "opt.ls_tolerance": 1e-12, "opt.iterations": 300, "opt.ls_iterations": 200}
INTEGRATORS = ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST", "DISCRETE", "IMPLICITSPRINGDAMPER")


def moving(model, seed, spread=0.3):
    """A Data in motion; with spread 0 in the reference pose."""
    data, rng = model.make_data(), np.random.default_rng(seed)
    data.qpos = data.integrate_pos(data.qpos, rng.standard_normal(model.nv), spread)
    data.qvel = rng.standard_normal(model.nv)
    data.ctrl = 0.5 * rng.standard_normal(model.nu)
    data.act = rng.uniform(0.1, 0.6, model.na)
    data.qfrc_applied = rng.standard_normal(model.nv)
    data.xfrc_applied[1:] = 0.3 * rng.standard_normal((model.nbody - 1, 6))
    return data


def check(data, steps=STEPS):
    """Exact derivatives are within 1e-9 of the differences; returns how many elements the differences are good for."""
    wanted, bound = transition(data, steps)
    found = exact(data)
    scale = 1.0 + np.abs(wanted).max(1, keepdims=True)
    error, bound = np.abs(found - wanted) / scale, bound / scale
    # where differences disagree by more there is a corner within reach of the smallest
    is_sharp = bound < 1e-9
    assert np.all(error[is_sharp] <= 1e-9 + 10.0 * bound[is_sharp]), worst(found, wanted, error * is_sharp)
    return is_sharp.mean()


def worst(found, wanted, error):
    """The element with the largest error, for messages."""
    place = np.unravel_index(error.argmax(), error.shape)
    return f"{place} of {error.shape}: {found[place]} instead of {wanted[place]}"


def model_of(name, **options):
    return phalanx.Model.from_xml_path(f"{MODELS}{name}.xml").replace(**TIGHT, **options)


# --- what a step is made of: joints, springs, fluid, tendons, actuators

SMOOTH = (
    "hinge", "slide", "ball", "free", "mixed_tree", "springs", "dampers", "armature", "gravcomp", "fluid_box",
    "fluid_ellipsoid", "tendon_paths", "tendon_forces", "tendon_plastic", "actuators", "actuators_with_state",
    "actuator_limits", "actuator_delays", "orientation_actuator", "site_reference_actuator", "slider_crank",
    "transmissions", "mocap", "sensor_delays", "everything",
)  # fmt: skip


def test_smooth_dynamics():
    assert check(moving(model_of("mixed_tree"), 0), NEAR) == 1.0


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_dynamics_of_every_kind(name, seed):
    assert check(moving(model_of(name), seed)) > 0.97


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", ["mixed_tree", "springs", "tendon_forces", "actuators_with_state", "fluid_ellipsoid"])
def test_integrators(name, integrator):
    assert check(moving(model_of(name, **{"opt.integrator": integrator}), 3)) > 0.97


# --- at rest, where zero times something must not hide that it changes

QUIET = ("ball", "free", "mixed_tree", "springs", "actuators", "transmissions", "tendon_actuator", "site_actuator")


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", QUIET)
def test_at_rest(name, integrator):
    data = model_of(name, **{"opt.integrator": integrator}).make_data()
    # at the end of its range a control has one side only
    data.ctrl = np.where(data.model.actuator_ctrllimited, data.model.actuator_ctrlrange.mean(1), 0.0)
    assert check(data, NEAR[2:]) > 0.9


# --- constraints


@pytest.mark.conformance
@pytest.mark.parametrize("kind", EQUALITIES)
def test_equalities(kind):
    model = phalanx.Model.from_mujoco(equalities(EQUALITIES[kind])).replace(**TIGHT)
    data = moving(model, 4)
    assert check(data) > 0.9 and data.forward().ne > 0


ROWS = {
    "tendon equality": TENDONS.format(t="")
    + '<equality><tendon tendon1="t0" tendon2="t2" polycoef=".1 .5 .2 0 0"/></equality>',
    "tendon limits": TENDONS.format(t='range="-.1 .1"'),
    "tendon friction": TENDONS.format(t='frictionloss="2"'),
}  # fmt: skip
LIMITS = '<joint range="-.05 .05" limited="true" margin=".1" solimplimit=".8 .9 .3 .4 3"/>'
FRICTION = '<joint frictionloss=".4"/>'


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("kind", [*ROWS, "limits", "friction loss"])
def test_limits_and_friction(kind, seed):
    default = {"limits": LIMITS, "friction loss": FRICTION}.get(kind, "")
    model = phalanx.Model.from_mujoco(scene(ROWS.get(kind, ""), default=default)).replace(**TIGHT)
    data = moving(model, seed)
    assert check(data) > 0.8 and data.forward().nefc > 0


# --- contacts

SHAPES = {
    "plane": "size='2 2 .1'", "sphere": "size='.1'", "capsule": "size='.06 .12'", "cylinder": "size='.08 .11'",
    "box": "size='.1 .08 .12'", "ellipsoid": "size='.1 .08 .12'", "mesh": "mesh='rock'", "hfield": "hfield='hills'",
}  # fmt: skip
#: Pairs whose contacts follow from formulas, or from the faces, edges and corners of polytopes.
EXACT_PAIRS = (
    *(("plane", b) for b in ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh")),
    *(("hfield", b) for b in ("sphere", "capsule", "box", "mesh")),
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("sphere", "mesh"),
    ("capsule", "capsule"), ("capsule", "box"), ("capsule", "mesh"), ("box", "box"), ("box", "mesh"), ("mesh", "mesh"),
)  # fmt: skip
PAIR = """<mujoco><option cone='{cone}'/>
  <asset><mesh name='rock' vertex='.1 .1 .1 -.1 .1 -.1 .1 -.1 -.1 -.1 -.1 .1 0 0 -.15'/>
    <hfield name='hills' nrow='3' ncol='3' size='1 1 .1 .1' elevation='0 .3 .1 .4 .2 .6 .1 .5 .2'/></asset>
  <worldbody>{first}
    <body pos='.02 -.03 .5'><freejoint/><site name='s'/>
      <geom type='{b}' {size} condim='{dim}' friction='.7 .02 .01'/></body>
  </worldbody>
  {sensor}</mujoco>"""
SENSORS = "<sensor><accelerometer site='s'/><force site='s'/></sensor>"


def pair(a, b, cone="pyramidal", dim=3, sensor=""):
    """Two geoms, one of them fixed if it must be."""
    geom = f"<geom type='{a}' {SHAPES[a]} condim='{dim}' friction='.7 .02 .01'/>"
    first = geom if a in ("plane", "hfield") else f"<body><freejoint/>{geom}</body>"
    text = PAIR.format(cone=cone, sensor=sensor, first=first, b=b, size=SHAPES[b], dim=dim)
    return phalanx.Model.from_xml_string(text).replace(**TIGHT)


def touching(model, seed):
    """A Data in which the last body moves into what is below it, turned at random."""
    data, rng = model.make_data(), np.random.default_rng(seed)
    turn = np.tile([0, 0, 0, 1, 1, 1], model.njnt) * rng.standard_normal(model.nv)
    data.qpos = data.integrate_pos(data.qpos, turn, 1.0)
    while not data.forward().ncon:
        data.qpos[model.nq - 5] -= 0.005
    data.qpos[model.nq - 5] -= 0.003
    data.qvel = 0.3 * rng.standard_normal(model.nv)
    data.qvel[model.nv - 4] -= 1.0
    data.forward()
    assert data.ncon > 0 and np.any(data.efc_force != 0.0)
    return data


def test_contacts():
    assert check(touching(pair("plane", "capsule", "elliptic"), 1), NEAR) > 0.9


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("a", "b"), EXACT_PAIRS)
def test_contacts_of_every_pair(a, b, seed):
    assert check(touching(pair(a, b, sensor=SENSORS), seed), NEAR) > 0.8


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("dim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_cones(cone, dim, integrator):
    data = touching(pair("plane", "capsule", cone, dim).replace(**{"opt.integrator": integrator}), 2)
    assert check(data, NEAR) > 0.8


@pytest.mark.conformance
@pytest.mark.parametrize("solver", ["NEWTON", "CG", "PGS"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_solvers(solver, cone):
    model = pair("plane", "capsule", cone).replace(**{"opt.solver": solver, "opt.iterations": 3000})
    assert check(touching(model, 1), NEAR) > 0.8


@pytest.mark.conformance
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_many_bodies_on_a_floor(cone):
    model = phalanx.Model.from_mujoco(feet(option=f'cone="{cone}"')).replace(**TIGHT)
    data = model.make_data().step(50)
    assert check(data, NEAR) > 0.5 and data.forward().nefc > 10


# --- sensors


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [7, 8])
def test_sensors_of_every_kind(seed):
    sensors = [
        *sensor_scenes.simple_sensors(), *sensor_scenes.frame_sensors()[:60], "<e_potential/>", "<e_kinetic/>",
        "<clock/>", '<camprojection site="hand_site" camera="post_camera"/>',
        '<rangefinder site="hand_site" data="dist point normal"/>',
        '<contact geom1="floor" num="3" data="found force torque dist pos normal tangent linvel angvel"/>',
        '<contact geom1="floor" data="found force torque dist pos normal tangent" reduce="netforce"/>',
        '<distance geom1="ball_geom" geom2="crate_geom" cutoff="5"/>',
        '<normal geom1="hand_geom" geom2="crate_geom" cutoff="5"/>',
        '<fromto geom1="ball_geom" geom2="arm_geom" cutoff="5"/>',
    ]  # fmt: skip
    text = f"<mujoco>{sensor_scenes.WORLD}<sensor>{''.join(sensors)}</sensor></mujoco>"
    model = phalanx.Model.from_xml_string(text).replace(**TIGHT)
    assert check(moving(model, seed, 0.02), NEAR) > 0.9


# --- the call itself


def test_values_are_those_of_one_world():
    from phalanx.derivative.dual_world import DualWorld

    for model in (model_of("mixed_tree"), pair("plane", "capsule", "elliptic")):
        data = touching(model, 1) if model.nbody == 2 else moving(model, 9)
        world = DualWorld(model)
        world.derivatives(data)
        # after the last pass the world with tangents has taken the step, too
        stepped = data.copy().step()
        for name in ("qpos", "qvel", "act", "time", "sensordata", "qacc", "qfrc_constraint", "xpos", "cvel", "M"):
            assert np.array_equal(world._dual.arrays[name][..., 0], getattr(stepped, name)), name


def test_data_does_not_change():
    data = touching(pair("plane", "capsule", "elliptic"), 1)
    before = data.snapshot()
    exact_transition(data)
    after = data.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.conformance
def test_shapes_and_order():
    model = model_of("actuators_with_state")
    data = moving(model, 0)
    A, B, C, D, remaining = exact_transition(data)
    nx = 2 * model.nv + model.na
    assert (A.shape, B.shape) == ((nx, nx), (nx, model.nu)) and remaining == ()
    assert (C.shape, D.shape) == ((model.nsensordata, nx), (model.nsensordata, model.nu))
    assert exact_transition(data, sensors=False).C.shape == (0, nx)
    with_differences = data.transition_fd()
    assert all(np.allclose(a, b, atol=1e-5) for a, b in zip((A, B, C, D), with_differences, strict=True))


def test_a_world_without_dofs_has_no_derivatives():
    A, B, C, D, remaining = exact_transition(model_of("static").make_data())
    assert A.shape == B.shape == (0, 0) and C.shape[1] == D.shape[1] == 0 and remaining == ()


@pytest.mark.conformance
def test_single_precision_is_refused():
    with pytest.raises(phalanx.FieldError, match="double precision"):
        exact_transition(model_of("hinge").make_data("float32"))


@pytest.mark.conformance
def test_what_remains_is_named():
    def remaining(model):
        return exact_transition(touching(model, 1)).remaining

    assert remaining(pair("plane", "capsule").replace(**{"opt.noslip_iterations": 3})) == ("noslip",)
    assert remaining(pair("plane", "cylinder")) == ()
    assert remaining(pair("ellipsoid", "box")) == ("curved contacts",)
    loose = {"opt.solver": "CG", "opt.iterations": 1, "opt.tolerance": 1e-12}
    assert remaining(pair("plane", "capsule", "elliptic").replace(**loose)) == ("solver",)
    assert {"noslip", "curved contacts", "solver"} <= set(REMAINING)


@pytest.mark.conformance
def test_a_distance_that_is_searched_for_remains():
    text = """<mujoco><worldbody><geom name="a" type="box" size=".1 .1 .1"/><body pos="0 0 1"><freejoint/>
      <geom name="b" type="{}" size=".1 .1 .1"/></body></worldbody>
      <sensor><distance geom1="a" geom2="b" cutoff="5"/></sensor></mujoco>"""
    assert exact_transition(phalanx.Model.from_xml_string(text.format("box")).make_data()).remaining == ()
    curved = exact_transition(phalanx.Model.from_xml_string(text.format("ellipsoid")).make_data()).remaining
    assert curved == ("curved distances",)


def servo(m, d):
    d.ctrl[0] = -3.0 * d.qpos[0] * d.qvel[0]


@pytest.mark.conformance
def test_hooks_are_differentiated():
    data = moving(model_of("actuators").with_hooks(control=servo), 0)
    assert check(data, NEAR) == 1.0
