"""What happened is said: converged or not, and with `strict` an error that names the culprit."""

from __future__ import annotations

import pickle

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data

XML = """<mujoco><option iterations="{iterations}" integrator="{integrator}"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <body name="calm" pos="3 0 .5"><freejoint/><geom size=".1"/></body>
  <body name="brick" pos="0 0 .09"><freejoint/><geom type="box" size=".2 .1 .1"/></body>
</worldbody></mujoco>"""


def model_of(iterations: int, integrator: str = "Euler") -> phalanx.Model:
    xml = XML.format(iterations=iterations, integrator=integrator)
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(xml))


def hard(data: phalanx.Data) -> phalanx.Data:
    """Contacts that need several iterations."""
    data.qvel[6:] = [1.0, 0.5, -1.0, 3.0, 2.0, 1.0]
    return data


def test_a_solve_that_converges_says_so() -> None:
    data = hard(make_data(model_of(100))).forward(strict=True)
    assert 1 < data.solver_niter[0] < 100
    assert data.solver_converged[0] == 1 and data.solver_unsolved == -1


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
def test_a_solve_that_does_not_converge_raises_if_asked(integrator: str) -> None:
    data = hard(make_data(model_of(1, integrator)))
    data.forward()
    assert data.solver_niter[0] == 1 and data.solver_converged[0] == 0 and data.solver_unsolved == 1
    before = data.qpos.copy()
    with pytest.raises(
        phalanx.ConvergenceError, match=r"constraints of body 'brick' were not solved within 1 iter"
    ) as e:
        data.step(strict=True)
    np.testing.assert_array_equal(data.qpos, before)
    assert (e.value.index, e.value.iterations, e.value.world) == (1, 1, None)
    assert str(pickle.loads(pickle.dumps(e.value))) == str(e.value)
    with pytest.raises(phalanx.ConvergenceError):
        data.forward(strict=True)
    data.step()
    assert (data.qpos != before).any()


@pytest.mark.parametrize("lanes", [1, 8])
def test_worlds_of_a_batch_are_judged_alone(lanes: int) -> None:
    batch = phalanx.BatchSim(model_of(1), 9, lanes=lanes)
    batch.qpos[::2, 9] = 1.0  # in the air: nothing to solve
    batch.qvel[:, 6:] = [1.0, 0.5, -1.0, 3.0, 2.0, 1.0]
    before = batch.qpos.copy()
    errors = batch.step_all(strict=True)
    assert [isinstance(error, phalanx.ConvergenceError) for error in errors] == [False, True] * 4 + [False]
    assert "world 1: the constraints of body 'brick'" in str(errors[1])
    np.testing.assert_array_equal(batch.qpos[1::2], before[1::2])
    assert (batch.qpos[::2] != before[::2]).any(axis=1).all()
    assert batch.step_all() == [None] * 9
