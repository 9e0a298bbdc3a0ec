"""Hill muscles: curves against published values, forces against independent solutions, and all ways of running."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import phalanx
from phalanx import HillMuscle
from phalanx.batch.binding import KEPT
from phalanx.memory.errors import ModelError, UnknownNameError
from phalanx.pipeline.operations import run_interpreted
from phalanx.smooth.actuator.hill_muscle import (
    active_curve,
    balanced_velocity,
    passive_curve,
    tendon_curve,
    velocity_curve,
)
from phalanx.smooth.actuator.hill_parameters import PRESETS
from phalanx.tables.enums import DynType, GainType
from tests.conformance.models import make_data

SOLEUS = HillMuscle.preset("soleus")
BICEPS = HillMuscle.preset("biceps")
LANES = 8
#: Where the mass of the model below hangs [m].
HANGS = 0.35

#: A mass on a muscle.
MASS = """
<mujoco>
  <option timestep="{step}" gravity="0 0 {gravity}" integrator="{integrator}"/>
  <worldbody>
    <site name="origin"/>
    <body pos="0 0 -.35">
      <joint name="lift" type="slide" axis="0 0 1" range="-.3 .3"/><geom size=".02" mass="{mass}"/>
      <site name="insertion"/>
    </body>
  </worldbody>
  <tendon><spatial name="path"><site site="origin"/><site site="insertion"/></spatial></tendon>
  <actuator><motor name="muscle" tendon="path"/></actuator>
</mujoco>"""

#: Two muscles of an ankle, one of them on the joint, and an actuator with a state of its own between them.
ANKLE = """
<mujoco>
  <option timestep=".002" integrator="{integrator}"/>
  <worldbody>
    <body pos="0 0 1">
      <site name="shank" pos="-.05 0 -.05"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04" contype="0" conaffinity="0"/>
      <body pos="0 0 -.4">
        <joint name="ankle" axis="0 1 0" range="-40 40" damping=".1"/>
        <geom type="box" size=".12 .04 .02" pos=".06 0 -.03" mass="1.2"/>
        <site name="heel" pos="-.05 0 -.04"/>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="achilles"><site site="shank"/><site site="heel"/></spatial></tendon>
  <actuator>
    <motor name="soleus" tendon="achilles"/>
    <general name="filter" joint="ankle" dyntype="filter" dynprm=".1"/>
    <motor name="tibialis" joint="ankle" gear="-.04"/>
  </actuator>
  <keyframe><key name="bent" qpos=".2" act=".7"/></keyframe>
</mujoco>"""


@cache
def hanging(
    muscle: HillMuscle, step: float = 0.002, mass: float = 1e16, gravity: float = 0.0, integrator: str = "Euler"
) -> phalanx.Model:
    text = MASS.format(step=step, mass=mass, gravity=gravity, integrator=integrator)
    return phalanx.Model.from_xml_string(text).with_muscles({"muscle": muscle})


@cache
def ankle(integrator: str = "Euler") -> phalanx.Model:
    muscles = {
        "soleus": SOLEUS,
        "tibialis": HillMuscle(2000.0, 0.07, 0.2, 0.15, rigid_tendon=True, length_offset=0.27),
    }
    return phalanx.Model.from_xml_string(ANKLE.format(integrator=integrator)).with_muscles(muscles)


def cosine(muscle: HillMuscle, length: float) -> float:
    return float(np.sqrt(1.0 - (np.sin(muscle.pennation_angle) / length) ** 2))


def tendon_force(muscle: HillMuscle, whole: float, length: float) -> float:
    stretched = whole - muscle.optimal_fiber_length * length * cosine(muscle, length)
    return float(muscle.tendon_force(stretched / muscle.tendon_slack_length))


def equilibrium(muscle: HillMuscle, whole: float, activation: float) -> float:
    """Fibre length at which an isometric muscle balances."""

    def excess(length: float) -> float:
        fibers = activation * muscle.active_force(length) + muscle.passive_force(length)
        return float(fibers * cosine(muscle, length) - tendon_force(muscle, whole, length))

    along = (whole - muscle.tendon_slack_length) / muscle.optimal_fiber_length
    slack = np.hypot(along, np.sin(muscle.pennation_angle))
    return float(brentq(excess, muscle.shortest_fiber, slack, xtol=1e-15, rtol=1e-14))


# --- curves


def test_active_force_over_length() -> None:
    """De Groote et al. 2016: 1 at the optimum, within 2 % of the maximum; little below half and above 1.7 lengths."""
    assert abs(SOLEUS.active_force(1.0) - 1.0) < 1e-15
    lengths = np.linspace(0.3, 1.8, 3001)
    force = SOLEUS.active_force(lengths)
    assert abs(lengths[force.argmax()] - 1.0) < 0.02 and force.max() < 1.002
    np.testing.assert_allclose(SOLEUS.active_force([0.5, 0.75, 1.25, 1.5]), [0.054, 0.778, 0.690, 0.226], atol=5e-4)
    assert SOLEUS.active_force(1.75) < 0.05


def test_passive_force_over_length() -> None:
    """1 at a strain of 0.6, below 2 % at the optimal length, none at the shortest."""
    assert abs(SOLEUS.passive_force(1.6) - 1.0) < 1e-15
    assert 0.0 < SOLEUS.passive_force(1.0) < 0.02
    assert SOLEUS.passive_force(0.2) == 0.0
    assert abs(HillMuscle(1, 1, 1, passive_strain=0.4).passive_force(1.4) - 1.0) < 1e-15


def test_force_over_velocity() -> None:
    """Hill's hyperbola (F + a)(v + b) = const of shortening; a plateau of lengthening; no kink between them."""
    assert SOLEUS.force_velocity(-1.0) == 0.0 and SOLEUS.force_velocity(0.0) == 1.0
    assert SOLEUS.force_velocity(-2.0) == 0.0
    v = np.linspace(-1.0, 0.0, 101)
    hyperbola = (SOLEUS.force_velocity(v) + 0.25) * (0.25 - v)
    np.testing.assert_allclose(hyperbola, hyperbola[-1], rtol=1e-14)
    assert 1.35 < SOLEUS.force_velocity(1.0) < SOLEUS.force_velocity(100.0) < 1.4
    left, right = (SOLEUS.force_velocity(x) for x in (-1e-7, 1e-7))
    assert abs((1.0 - left) - (right - 1.0)) < 1e-11


def test_force_of_the_tendon() -> None:
    """Slack below its slack length; 1 at a strain of 4.9 %; beyond twice that force a straight line."""
    np.testing.assert_allclose(SOLEUS.tendon_force([0.9, 1.0, 1.049]), [0.0, 0.0, 1.0], atol=1e-14)
    stiff = SOLEUS.tendon_force([1.1, 1.2, 1.3])
    assert stiff[0] > 2.0 and abs((stiff[2] - stiff[1]) - (stiff[1] - stiff[0])) < 1e-12
    assert abs(HillMuscle(1, 1, 1, tendon_strain=0.033).tendon_force(1.033) - 1.0) < 1e-14


@pytest.mark.parametrize(
    "kernel, curve, places",
    [
        (active_curve, SOLEUS.active_force, np.linspace(SOLEUS.shortest_fiber, 2.2, 60)),
        (lambda x: passive_curve(x, 0.6), SOLEUS.passive_force, np.linspace(0.21, 2.2, 60)),
        (lambda x: tendon_curve(x, 0.049), SOLEUS.tendon_force, np.linspace(0.9, 1.2, 59)),
        (lambda x: velocity_curve(x, 1.4, 0.25), SOLEUS.force_velocity, np.linspace(-1.5, 2.0, 60)),
    ],
    ids=["active", "passive", "tendon", "velocity"],
)
def test_kernels_have_these_curves_and_their_slopes(kernel: Callable, curve: Callable, places: np.ndarray) -> None:
    for x in places:
        value, slope = kernel(x)
        assert abs(value - curve(x)) <= 1e-14 * max(1.0, value)
        assert abs(slope - (kernel(x + 1e-6)[0] - kernel(x - 1e-6)[0]) / 2e-6) < 1e-7 * max(1.0, abs(slope))


@pytest.mark.parametrize("active", [0.0, 1e-9, 0.01, 0.3, 1.0, 1.5])
@pytest.mark.parametrize("damping", [1e-3, 0.1, 1.0])
def test_velocity_of_balance(active: float, damping: float) -> None:
    """Closed form against a search."""
    for load in np.linspace(-3.0, 4.0, 29):

        def excess(v: float, load: float = load) -> float:
            return float(active * SOLEUS.force_velocity(v) + damping * v - load)

        v = balanced_velocity(active, load, damping, 1.4, 0.25)
        assert abs(excess(v)) < 1e-14 * (1.0 + abs(load))
        assert abs(v - brentq(excess, -1e5, 1e5, xtol=1e-13, rtol=1e-14)) < 1e-9 * max(1.0, abs(v))


# --- isometric


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("activation", [0.0, 0.1, 0.6, 1.0])
def test_isometric_force(name: str, activation: float) -> None:
    muscle = HillMuscle.preset(name)
    data = make_data(hanging(muscle))
    optimal = muscle.tendon_slack_length + muscle.optimal_fiber_length * np.cos(muscle.pennation_angle)
    for stretch in (0.97, 1.0, 1.06):
        data.reset()
        data.qpos = HANGS - stretch * optimal
        data.act[0] = data.ctrl[0] = activation
        data.qvel = 0
        data.step(1500)
        data.forward()
        whole = float(data.actuator_length[0])
        length = equilibrium(muscle, whole, activation)
        assert abs(data.act[1] - length) < 1e-9
        expected = -muscle.max_isometric_force * tendon_force(muscle, whole, length)
        assert abs(data.actuator_force[0] - expected) < 1e-9 * muscle.max_isometric_force


def test_a_muscle_begins_in_equilibrium() -> None:
    """A fibre length of zero stands for that of the present pose, at the first forward pass or step."""
    data = make_data(hanging(BICEPS))
    assert not data.act.any()
    data.qpos, data.act[0] = -0.05, 0.4
    data.forward()
    assert abs(data.act[1] - equilibrium(BICEPS, float(data.actuator_length[0]), 0.4)) < 1e-13
    assert abs(data.act_dot[1]) < 1e-9
    data.act[1] = 1.1
    assert data.forward().act[1] == 1.1


# --- in motion


def error_of_force(muscle: HillMuscle, step: float, activation: float) -> float:
    """Largest error of the force, in units of F0, while the muscle is stretched and released at 2 Hz."""
    model, mean = hanging(muscle, step), 0.0
    mean = muscle.tendon_slack_length + muscle.optimal_fiber_length * np.cos(muscle.pennation_angle)
    turn = 4.0 * np.pi

    def whole(t: float) -> float:
        return mean * (1.0 + 0.04 * np.sin(turn * t))

    def rate(t: float, state: np.ndarray) -> list[float]:
        length = max(float(state[0]), muscle.shortest_fiber)
        load = tendon_force(muscle, whole(t), length) / cosine(muscle, length) - muscle.passive_force(length)
        active = activation * muscle.active_force(length)
        velocity = balanced_velocity(active, load, muscle.fiber_damping, muscle.eccentric_force, muscle.curvature)
        return [muscle.max_contraction_velocity * float(velocity)]

    data, worst, duration = make_data(model), 0.0, 0.5
    data.act[0] = data.ctrl[0] = activation
    data.qpos = HANGS - whole(0.0)
    exact = solve_ivp(
        rate, (0.0, duration), [data.forward().act[1]], method="LSODA", rtol=1e-8, atol=1e-10, dense_output=True
    ).sol
    for k in range(round(duration / step)):
        t = k * step
        data.qpos, data.qvel = HANGS - whole(t), -0.04 * mean * turn * np.cos(turn * t)
        force = -data.forward().actuator_force[0] / muscle.max_isometric_force
        worst = max(worst, abs(force - tendon_force(muscle, whole(t), float(exact(t)[0]))))
        data.step()
    return worst


@pytest.mark.parametrize("activation", [0.02, 1.0])
@pytest.mark.parametrize("name", ["soleus", "biceps"])
def test_the_fibers_follow_the_differential_equation(name: str, activation: float) -> None:
    """To first order in the step: 1.5 % of the largest force at 2 ms."""
    muscle = HillMuscle.preset(name)
    errors = [error_of_force(muscle, step, activation) for step in (0.002, 0.0005)]
    assert errors[0] < 0.015 and errors[1] < 0.45 * errors[0]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_quick_release(share: float) -> None:
    """A fully active muscle under a smaller load than it can hold shortens at the speed of Hill's hyperbola."""
    muscle = HillMuscle(1000.0, 0.1, 0.2, fiber_damping=1e-3)
    data = make_data(hanging(muscle, 1e-4, 0.1))

    def hyperbola(length: float) -> float:
        force = (share - muscle.passive_force(length)) / muscle.active_force(length)
        return float(-(1.0 - force) / (1.0 + force / muscle.curvature))

    # released so that the tendon bears the load, and the mass does not swing on it
    start = 1.05
    stretched = brentq(lambda x: float(muscle.tendon_force(x)) - share, 1.0, 1.1)
    data.qpos = HANGS - 0.1 * start - 0.2 * stretched
    data.qvel = -hyperbola(start) * 10.0 * 0.1
    data.act = (1.0, start)
    data.ctrl = 1.0
    data.qfrc_applied = -1000.0 * share
    ratios = []
    while data.act[1] > 0.95 and data.time < 0.5:
        length = float(data.step().act[1])
        ratios.append(data.act_dot[1] / 10.0 / hyperbola(length))
    assert data.time < 0.5
    assert abs(np.mean(ratios) - 1.0) < 0.02 and np.abs(np.array(ratios) - 1.0).max() < 0.1


def test_activation_rises_faster_than_it_falls() -> None:
    """With hardly any activation the time constants are half of activation_time and twice of deactivation_time."""
    data = make_data(hanging(SOLEUS, 1e-4))
    data.ctrl = 1.0
    rise = [float(data.step().act[0]) for _ in range(1000)]
    data.ctrl = 0.0
    fall = [float(data.step().act[0]) for _ in range(3000)]
    assert abs(rise[0] - 1e-4 / 0.005) < 1e-12
    # the differential equation, integrated by hand
    rising = 100 * (-2.0 * np.log(1.0 - 0.63) - 1.5 * 0.63)
    falling = 800 * (np.log(0.5) - np.log(0.37 / (0.5 + 1.5 * 0.37)))
    assert abs(np.argmax(np.array(rise) > 0.63) - rising) < 3
    assert abs(np.argmax(np.array(fall) < 0.37) - falling) < 3
    assert abs(fall[2500] / fall[2400] - (1.0 - 1e-4 / 0.08) ** 100) < 1e-2


EXTREME = {
    "short tendon": HillMuscle(1000.0, 0.3, 0.01),
    "stiff tendon": HillMuscle(1000.0, 0.05, 0.3, tendon_strain=0.005),
    "hardly damped": HillMuscle(1000.0, 0.1, 0.2, fiber_damping=1e-3),
    "very pennate": HillMuscle(1000.0, 0.05, 0.3, pennation_angle=1.3),
    "no time": HillMuscle(1000.0, 0.1, 0.2, activation_time=0.0, deactivation_time=0.0),
    "slack": HillMuscle(1000.0, 0.1, 0.6),
    "rigid": HillMuscle(1000.0, 0.1, 0.25, 0.3, rigid_tendon=True),
    "no tendon": HillMuscle(1000.0, 0.35, 0.0),
}


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("kind", EXTREME)
def test_stable_at_two_milliseconds(kind: str, integrator: str) -> None:
    muscle = EXTREME[kind]
    data = make_data(hanging(muscle, mass=50.0, gravity=-9.81, integrator=integrator))
    for part in range(8):
        data.ctrl = float(part % 2)
        for _ in range(100):
            data.step()
            assert data.actuator_force[0] <= 0.0
            assert np.isfinite(data.act).all() and 0.0 <= data.act[0] <= 1.0
            if muscle.is_elastic:
                assert muscle.shortest_fiber * (1.0 - 1e-12) <= data.act[1] < 5.0
    data.ctrl = 0.0
    data.step(500)
    speeds = np.array([abs(float(data.step().qvel[0])) for _ in range(2000)]).reshape(4, 500).max(axis=1)
    assert (np.diff(speeds) <= 0.01 * speeds[0]).all() and speeds[0] < 2.5  # a swing that dies out


def test_a_resting_muscle_takes_energy() -> None:
    """A mass that swings on a passive muscle slows down: tendon and fibres give back no more than they took."""
    data = make_data(hanging(SOLEUS, 0.001, 50.0, -9.81))
    data.qvel = 0.5
    peaks = []
    for _ in range(10):
        speeds = [abs(float(data.step().qvel[0])) for _ in range(100)]
        peaks.append(max(speeds))
    assert peaks[-1] < 0.3 * peaks[0] and (np.diff(peaks) < 1e-3).all()


# --- rigid tendons


def test_force_with_a_rigid_tendon() -> None:
    muscle = EXTREME["rigid"]
    data = make_data(hanging(muscle))
    for shift, velocity, activation in ((0.0, 0.0, 0.5), (0.02, 0.3, 1.0), (-0.02, -0.3, 0.2), (0.05, 2.0, 0.0)):
        data.qpos, data.qvel, data.act = shift, velocity, activation
        data.forward()
        along = (float(data.actuator_length[0]) - 0.25) / 0.1
        length = float(np.hypot(along, np.sin(0.3)))
        speed = float(data.actuator_velocity[0]) * cosine(muscle, length) / (0.1 * 10.0)
        fibers = activation * muscle.active_force(length) * muscle.force_velocity(speed)
        fibers += muscle.passive_force(length) + muscle.fiber_damping * speed
        assert abs(data.actuator_force[0] + 1000.0 * max(0.0, float(fibers) * cosine(muscle, length))) < 1e-9
    assert data.model.na == 1


def test_derivative_by_velocity() -> None:
    """What the implicit integrators use, against differences."""
    model = ankle("implicitfast")
    for q, v, activation in ((0.0, 0.5, 0.3), (0.2, -2.0, 1.0), (-0.1, 3.0, 0.6)):

        def force(
            velocity: float, q: float = q, activation: float = activation, model: phalanx.Model = model
        ) -> tuple[float, phalanx.Data]:
            data = make_data(model)
            data.qpos, data.qvel = q, velocity
            data.act = (0.3, 1.0, 0.0, activation)
            data.forward()
            return float(data.qfrc_actuator[0] + data.qfrc_passive[0]), data

        data = force(v)[1]
        data.run("integrate")
        slope = (force(v + 1e-5)[0] - force(v - 1e-5)[0]) / 2e-5
        assert abs(data.qDeriv[0] - slope) < 1e-6 * max(1.0, abs(slope))


# --- in a model


def test_an_actuator_becomes_a_muscle() -> None:
    model = ankle()
    assert model.na == 4 and list(model.actuator_actadr) == [0, 2, 3]
    assert list(model.actuator_actnum) == [2, 1, 1]
    assert list(model.actuator_dyntype) == [DynType.HILL, DynType.FILTER, DynType.HILL]
    np.testing.assert_array_equal(model.key_act, [[0.0, 0.0, 0.7, 0.0]])
    np.testing.assert_array_equal(model.actuator_ctrlrange[[0, 2]], [[0.0, 1.0]] * 2)
    data = make_data(model)
    assert abs(data.reset("bent").forward().actuator("filter").act[0] - 0.7) < 1e-15
    assert data.actuator("soleus").act[1] > 0.0
    assert data.actuator_length[2] == pytest.approx(-0.04 * 0.2)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.actuator_gainprm.tobytes() == model.actuator_gainprm.tobytes()
    again = make_data(copy).reset("bent").step(20)
    assert again.qpos.tobytes() == make_data(model).reset("bent").step(20).qpos.tobytes()


def test_muscles_in_a_model_file() -> None:
    text = MASS.format(step=0.002, mass=1, gravity=0, integrator="Euler")
    element = '<general name="muscle" tendon="path" ctrlrange="0 1" dyntype="hill" gaintype="hill" gainprm="{}" {}/>'
    motor = '<motor name="muscle" tendon="path"/>'
    by_hand = phalanx.Model.from_xml_string(text).with_muscles({"muscle": SOLEUS})
    soleus = "6194.8 .0440 .2768 .3814"
    written = phalanx.Model.from_xml_string(text.replace(motor, element.format(soleus, "")))
    assert written.na == 2
    for name in ("dyntype", "gaintype", "biastype", "gainprm", "dynprm", "actadr", "actnum", "ctrlrange"):
        np.testing.assert_array_equal(getattr(written, f"actuator_{name}"), getattr(by_hand, f"actuator_{name}"), name)
    rigid = phalanx.Model.from_xml_string(text.replace(motor, element.format(soleus, 'actdim="1"')))
    assert rigid.na == 1
    for numbers, words in (("100 .1 -.1", "tendon_slack_length"), ("0 .1 .1", "max_isometric_force")):
        with pytest.raises(phalanx.MjcfError, match=words):
            phalanx.Model.from_xml_string(text.replace(motor, element.format(numbers, "")))
    with pytest.raises(phalanx.MjcfError, match="go together"):
        phalanx.Model.from_xml_string(text.replace(motor, '<general tendon="path" dyntype="hill"/>'))


def test_what_cannot_be_a_muscle_is_refused() -> None:
    for change in (
        {"max_isometric_force": 0.0}, {"optimal_fiber_length": -1.0}, {"pennation_angle": 1.5}, {"curvature": 0.0},
        {"eccentric_force": 1.0}, {"activation_time": -1.0}, {"fiber_damping": 0.0}, {"tendon_slack_length": np.nan},
        {"tendon_strain": "much"},
    ):  # fmt: skip
        with pytest.raises(ModelError, match=next(iter(change))):
            HillMuscle.preset("soleus", **change)
    with pytest.raises(ModelError, match="soleus"):
        HillMuscle.preset("solues")
    model = phalanx.Model.from_xml_string(
        "<mujoco><worldbody><body><joint name='j' type='ball'/><geom size='.1'/></body></worldbody>"
        "<actuator><orientation name='a' joint='j'/></actuator></mujoco>"
    )
    with pytest.raises(ModelError, match="one control"):
        model.with_muscles({"a": SOLEUS})
    with pytest.raises(ModelError, match="HillMuscle"):
        ankle().with_muscles({"soleus": 3})  # type: ignore[dict-item]
    with pytest.raises(UnknownNameError):
        ankle().with_muscles({"soles": SOLEUS})
    assert int(GainType.HILL) == 100


# --- ways of running


def ankle_worlds(count: int) -> list[dict[str, Any]]:
    rng, worlds = np.random.default_rng(4), []
    for number in range(count):
        world = {name: np.copy(value) for name, value in make_data(ankle()).snapshot().items() if name in KEPT}
        world["qpos"] = rng.uniform(-0.5, 0.5, 1)
        world["qvel"] = rng.normal(size=1)
        world["ctrl"] = rng.uniform(-0.2, 1.2, 3)
        # some have never been moved, one is slack
        world["act"] = rng.uniform(0.0, 1.0, 4) * (number % 3 > 0) + [0.0, 0.8 * (number == 4), 0.0, 0.0]
        worlds.append(world)
    return worlds


def alone(model: phalanx.Model, world: dict[str, Any], dtype: str = "float64") -> phalanx.Data:
    data = make_data(model, dtype=dtype)
    for name, values in world.items():
        data._store.arrays[name][...] = values
    return data


RESULTS = ("qpos", "qvel", "act", "act_dot", "actuator_force", "qfrc_actuator")


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
def test_interpreted_is_compiled(integrator: str) -> None:
    model = ankle(integrator)
    for world in ankle_worlds(6):
        data, plain = alone(model, world), alone(model, world)
        data.step(3)
        for size in ("nsweep", "nclose", "ncon", "nefc", "nJ", "nY", "nA"):
            plain._store.resize(size, data._store.sizes[size])
        run_interpreted("step", model.store_for("float64"), plain._store, 3)
        for field in RESULTS:
            assert getattr(data, field).tobytes() == getattr(plain, field).tobytes(), field


def test_a_world_in_a_lane_is_that_world_alone() -> None:
    model, worlds = ankle("implicitfast"), ankle_worlds(LANES)
    sim = phalanx.BatchSim(model, LANES, lanes=LANES, threads=1)
    for number, world in enumerate(worlds):
        for field in KEPT:
            getattr(sim, field)[number] = world[field]
    sim.bind(*(field for field in RESULTS if field not in KEPT))
    sim.step(20)
    for number, world in enumerate(worlds):
        data = alone(model, world).step(20)
        for field in RESULTS:
            assert getattr(sim, field)[number].tobytes() == getattr(data, field).tobytes(), (field, number)


def test_single_precision_is_near() -> None:
    model = ankle("implicitfast")
    for world in ankle_worlds(6):
        exact, data = alone(model, world).step(50), alone(model, world, "float32").step(50)
        assert np.isfinite(data.act).all()
        np.testing.assert_allclose(data.qpos, exact.qpos, atol=2e-4)
        np.testing.assert_allclose(data.act, exact.act, atol=1e-3)
