"""Laws of physics that need no oracle: conservation, orders of accuracy, invariance; and that ways of running agree."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from phalanx.tables.enums import Integrator
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states

BOX = '<body><freejoint/><geom type="box" size=".1 .2 .3" contype="0" conaffinity="0"/></body>'
DOUBLE_PENDULUM = """
<body pos="0 0 2"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
  <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/></body></body>
"""
#: A chain in space with springs and a motor inside: all forces are internal.
CHAIN = """
<body><freejoint/><geom type="box" size=".1 .2 .3"/>
  <body pos=".3 0 0"><joint name="a" type="ball" stiffness="3" pos="-.1 0 0"/><geom type="capsule" size=".05 .2"/>
    <body pos="0 0 .4">
      <joint name="b" axis="1 2 0" stiffness="2" springref="30"/><geom type="box" size=".05 .1 .1"/>
    </body>
  </body>
  <body pos="0 .4 0"><joint type="slide" axis="0 1 0" stiffness="9"/><geom type="cylinder" size=".1 .05"/></body>
</body>
"""


@cache
def model_of(bodies: str, gravity: float = 0.0) -> phalanx.Model:
    """Bodies in space, without contacts; energy is computed."""
    motor = '<actuator><motor joint="b"/></actuator>' if 'name="b"' in bodies else ""
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(f"""
        <mujoco><option gravity="0 0 {gravity}"><flag energy="enable" constraint="disable"/></option>
        <worldbody>{bodies}</worldbody>{motor}</mujoco>"""))  # fmt: skip


def with_integrator(model: phalanx.Model, integrator: Integrator, step: float) -> phalanx.Model:
    return model.replace(opt={"integrator": int(integrator), "timestep": step})


def momenta(data: phalanx.Data) -> np.ndarray:
    """Energy, linear momentum, and angular momentum about the origin of the world."""
    data.forward().run("subtree_vel")
    mass = data.model.body_subtreemass[0]
    linear = mass * data.subtree_linvel[0]
    return np.array([data.energy.sum(), *linear, *(data.subtree_angmom[0] + np.cross(data.subtree_com[0], linear))])


def drifts(
    bodies: str, integrator: Integrator, qvel: Any, steps: tuple[float, ...], gravity: float = 0.0
) -> np.ndarray:
    """How far energy and momenta have drifted after a second, for each time step."""
    result = []
    for step in steps:
        data = with_integrator(model_of(bodies, gravity), integrator, step).make_data()
        data.qvel = qvel
        before = momenta(data)
        after = momenta(data.step(round(1.0 / step)))
        result.append(np.abs(after - before))
    return np.array(result)


def order(errors: np.ndarray) -> float:
    """Observed order of accuracy, when each error belongs to half the step of the one before."""
    return float(np.log2(errors[:-1] / errors[1:]).mean())


# --- conservation

TUMBLE = [0.3, -0.2, 0.1, 0.1, 6.0, 0.2]
ORDERS = {Integrator.EULER: 1, Integrator.RK4: 4, Integrator.IMPLICIT: 1, Integrator.IMPLICITFAST: 1}


@pytest.mark.parametrize("integrator", ORDERS, ids=lambda i: i.name)
def test_free_rotation_conserves_energy_and_momentum_to_its_order(integrator: Integrator) -> None:
    """A box that tumbles about its intermediate axis: torque-free, so nothing may change but the error."""
    drift = drifts(BOX, integrator, TUMBLE, (0.01, 0.005, 0.0025, 0.00125))
    expected = ORDERS[integrator]
    assert order(drift[:, 0]) > expected - 0.2
    assert order(np.linalg.norm(drift[:, 4:], axis=1)) > expected - 0.2
    # straight motion is exact
    assert drift[:, 1:4].max() < 1e-12


def test_rk4_energy_of_a_double_pendulum_falls_sixteenfold() -> None:
    """Half the step, a sixteenth of the drift, or better."""
    drift = drifts(DOUBLE_PENDULUM, Integrator.RK4, [3.0, -1.0], (0.008, 0.004, 0.002, 0.001), gravity=-9.81)[:, 0]
    assert (drift[:-1] / drift[1:] > 13).all(), drift
    assert drift[-1] < 1e-8


@pytest.mark.parametrize("integrator", ORDERS, ids=lambda i: i.name)
def test_a_chain_in_space_keeps_its_momentum(integrator: Integrator) -> None:
    """Springs and motors inside move the parts, not the whole."""
    qvel = np.random.default_rng(0).normal(size=11)
    drift = drifts(CHAIN, integrator, qvel, (0.004, 0.002, 0.001, 0.0005))
    assert order(np.linalg.norm(drift[:, 1:4], axis=1)) > ORDERS[integrator] - 0.3
    assert order(np.linalg.norm(drift[:, 4:], axis=1)) > ORDERS[integrator] - 0.3


def test_free_fall_is_a_parabola() -> None:
    data = with_integrator(model_of(BOX, -9.81), Integrator.RK4, 0.01).make_data()
    data.qvel[:3] = [1, 2, 3]
    data.step(100)
    np.testing.assert_allclose(data.qpos[:3], [1, 2, 3 - 0.5 * 9.81], atol=1e-12)
    np.testing.assert_allclose(data.qvel[:3], [1, 2, 3 - 9.81], atol=1e-12)


def test_kinetic_energy_is_that_of_the_bodies() -> None:
    """v'Mv / 2 against the sum over bodies of m v²/2 + w I w / 2, with velocities from Jacobians."""
    pair = load("own/mixed_tree")
    data = pair.data()
    for mjdata in random_states(pair.mujoco, 5, seed=1):
        load_state(data, mjdata)
        data.forward()
        total = 0.0
        for body in range(1, pair.mujoco.nbody):
            linear, angular = data.jac_body_com(body)
            velocity, spin = linear @ data.qvel, data.ximat[body].reshape(3, 3).T @ (angular @ data.qvel)
            m = pair.phalanx
            total += 0.5 * m.body_mass[body] * velocity @ velocity + 0.5 * spin @ (m.body_inertia[body] * spin)
        assert data.energy[1] == pytest.approx(total, rel=1e-12)


def test_the_inertia_matrix_is_positive_definite() -> None:
    pair = load("suite/humanoid")
    data = pair.data()
    for mjdata in random_states(pair.mujoco, 5, seed=1):
        load_state(data, mjdata)
        full = data.forward().full_m()
        np.testing.assert_array_equal(full, full.T)
        assert np.linalg.eigvalsh(full).min() > 0


def test_the_view_of_the_observer_does_not_matter() -> None:
    """Usage and move the whole chain in space: joint accelerations stay, those of the root turn along."""
    model = model_of(CHAIN)
    rng = np.random.default_rng(2)
    data, moved = model.make_data(), model.make_data()
    mj = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{CHAIN}</worldbody></mujoco>")
    mujoco.mj_integratePos(mj, data.qpos, rng.normal(size=11), 1.0)
    data.qvel[:] = rng.normal(size=11)
    turn, matrix = rng.normal(size=4), np.zeros(9)
    turn /= np.linalg.norm(turn)
    mujoco.mju_quat2Mat(matrix, turn)
    rotation = matrix.reshape(3, 3)
    moved.qpos[:], moved.qvel[:] = data.qpos, data.qvel
    moved.qpos[:3] = rotation @ data.qpos[:3] + [1, 2, 3]
    mujoco.mju_mulQuat(moved.qpos[3:7], turn, data.qpos[3:7])
    moved.qvel[:3] = rotation @ data.qvel[:3]
    data.forward(), moved.forward()
    np.testing.assert_allclose(moved.qacc[:3], rotation @ data.qacc[:3], atol=1e-10)
    np.testing.assert_allclose(moved.qacc[3:], data.qacc[3:], atol=1e-10)


# --- the ways of running

INTERPRETED = ("own/everything", "own/actuators_with_state", "own/many_joints", "own/fluid_ellipsoid", "own/springs")


def contents(data: phalanx.Data) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in data.snapshot().items()}


@pytest.mark.parametrize("integrator", range(4))
@pytest.mark.parametrize("name", INTERPRETED)
def test_interpreted_equals_compiled(name: str, integrator: int) -> None:
    """Every field, to the bit, after steps from a random state."""
    pair = load(name, integrator=integrator)
    data = pair.data()
    *_, mjdata = random_states(pair.mujoco, 3, seed=4)
    load_state(data, mjdata)
    plain = data.copy()
    data.step(2)
    plain._store.arrays["error_code"][...] = 0
    run_interpreted("step", pair.phalanx.store_for("float64"), plain._store, 2)
    differing = [field for field, content in contents(data).items() if content != contents(plain)[field]]
    assert not differing


SCRIPT = """
import sys, hashlib, warnings, mujoco, phalanx
warnings.simplefilter("ignore")
model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_path(sys.argv[1]))
data, batch = model.make_data(), phalanx.BatchSim(model, 2, lanes=1)
data.ctrl = 0.1
batch.ctrl = 0.1
data.step(3)
batch.step(3)
assert batch.qpos[1].tobytes() == data.qpos.tobytes()
print(hashlib.sha256(b"".join(array.tobytes() for array in data.snapshot().values())).hexdigest())
"""


def test_a_process_that_interprets_gives_the_same_bits() -> None:
    """PHALANX_INTERPRETED=1 changes how the public interface runs, not what it computes."""
    root = Path(phalanx.__file__).parent.parent
    model = str(Path(__file__).parent.parent / "models" / "everything.xml")
    digests = []
    for interpreted in ("0", "1"):
        environment = os.environ | {"PHALANX_INTERPRETED": interpreted, "PYTHONPATH": str(root), "PHALANX_QUIET": "1"}
        command = [sys.executable, "-c", SCRIPT, model]
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert result.returncode == 0, result.stderr
        digests.append(result.stdout)
    assert digests[0] == digests[1]


def test_a_run_can_be_repeated_to_the_bit() -> None:
    pair = load("suite/humanoid")
    *_, mjdata = random_states(pair.mujoco, 3, seed=4)
    runs = []
    for _ in range(2):
        data = make_data(pair.phalanx)
        load_state(data, mjdata)
        runs.append(contents(data.step(50)))
    assert runs[0] == runs[1]
