"""Equalities of flex edges: rows, forces and accelerations are MuJoCo's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.quiet import quiet
from tests.smooth.flex.deformed import MODES_AS_STIFFNESS, OTHERS, assert_near, deform, load, twin, with_gaps

NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
SPARSE = int(mujoco.mjtJacobian.mjJAC_SPARSE)
ROWS = ("efc_pos", "efc_aref", "efc_D", "efc_KBIP", "efc_vel")


def compare(name: str, seeds: int, **options: int) -> None:
    theirs, ours = load(name, disableflags=NO_CONTACT, tolerance=0, iterations=200, **options)
    if not (theirs.eq_type == mujoco.mjtEq.mjEQ_FLEX).any():
        return
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed), 0.02)
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        assert data.nefc == mjdata.nefc > 0
        for field in ROWS:
            assert_near(getattr(data, field), getattr(mjdata, field), 1e-12, f"{name} {field}")
        for field in ("qacc", "qfrc_constraint", "efc_force"):
            assert_near(getattr(data, field), getattr(mjdata, field), 1e-9, f"{name} {field}")


@pytest.mark.parametrize("name", ["edge solver", "pin to hinge", "rod box equality"])
def test_edges_that_keep_their_length_are_those_of_mujoco(name: str) -> None:
    compare(name, 2)


@pytest.mark.conformance
@pytest.mark.parametrize("name", with_gaps(OTHERS, MODES_AS_STIFFNESS))
def test_other_edges_that_keep_their_length_are_those_of_mujoco(name: str) -> None:
    compare(name, 5, jacobian=SPARSE)


def test_an_equality_that_is_switched_off_has_no_rows() -> None:
    theirs, ours = load("grid 2")
    data = twin(ours, mujoco.MjData(theirs)).forward()
    assert data.nefc == 16
    data.eq_active[:] = 0
    assert data.forward().nefc == 0


#: A cloth, a ball whose points are carried by a free body, and a joint of two bodies.
SEVERAL = """
<mujoco><option solver="{solver}" cone="{cone}"/><worldbody><geom type="plane" size="2 2 .1"/>
  <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .05" radius=".01">
    <edge equality="true"/></flexcomp>
  <body name="carrier" pos="1 0 .2"><freejoint/><geom type="sphere" size=".02"/>
    <flexcomp name="ball" type="ellipsoid" dim="3" dof="radial" count="4 4 4" spacing=".08 .08 .08" radius=".01">
      <edge equality="true"/></flexcomp></body>
  <body name="a" pos="0 1 1"><freejoint/><geom size=".05"/></body>
  <body name="b" pos="0 1.2 1"><freejoint/><geom size=".05"/></body>
</worldbody><equality><connect body1="a" body2="b" anchor=".1 0 0"/></equality></mujoco>
"""


SOLVERS = pytest.mark.parametrize(("solver", "cone"), [("CG", "elliptic"), ("Newton", "pyramidal")])


def moving(solver: str, cone: str) -> tuple[phalanx.Model, np.ndarray, np.ndarray]:
    """A model, and for each of eight worlds its velocities and which equalities it has."""
    with quiet():
        model = phalanx.Model.from_xml_string(SEVERAL.format(solver=solver, cone=cone))
    active = np.ones((8, 3), dtype=bool)
    active[1, 0] = active[2, 1] = active[3, 2] = False
    return model, np.random.default_rng(3).normal(size=(8, model.nv)) * 0.3, active


def alone(model: phalanx.Model, qvel: np.ndarray, active: np.ndarray, steps: int) -> phalanx.Data:
    data = model.make_data()
    data.qvel, data.eq_active = qvel, active
    return data.step(steps)


@SOLVERS
def test_edges_in_a_lane_are_those_alone_whatever_other_worlds_switch_off(solver: str, cone: str) -> None:
    model, qvel, active = moving(solver, cone)
    with quiet():
        batch = phalanx.BatchSim(model, 8, lanes=8, threads=1)
    batch.qvel[:], batch.eq_active[:] = qvel, active
    batch.step(20)
    for world in range(8):
        data = alone(model, qvel[world], active[world], 20)
        assert np.asarray(batch.qpos[world]).tobytes() == np.asarray(data.qpos).tobytes(), world


@SOLVERS
def test_interpreted_edges_are_compiled_ones(solver: str, cone: str) -> None:
    model, qvel, active = moving(solver, cone)
    data = alone(model, qvel[2], active[2], 1)
    with interpreted():
        plain = alone(model, qvel[2], active[2], 1)
    assert np.asarray(plain.qvel).tobytes() == np.asarray(data.qvel).tobytes()
