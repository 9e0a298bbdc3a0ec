"""A world of MuJoCo and one of ours, disturbed alike and stepped side by side."""

from __future__ import annotations

from copy import copy

import mujoco
import numpy as np

import phalanx
from tests.conformance.states import ALLOWANCE, REPEATS

#: Lists and counts of what is awake, and rows that say who sleeps.
LISTS = (
    "tree_asleep", "tree_awake", "body_awake", "ntree_awake", "nbody_awake", "nparent_awake", "nv_awake",
    "ncon", "nefc",
)  # fmt: skip
INDICES = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
COMPARED = ("qpos", "qvel", "act", "sensordata")
#: Of states after a step from the same state, through constraints.
TOLERANCE = 1e-9


class SideBySide:
    """One model, two engines.

    Args:
        xml: the model.
        synchronized: begin each step from MuJoCo's state, so that differences do not grow.
    """

    def __init__(self, xml: str, synchronized: bool = True):
        self.mjmodel = mujoco.MjModel.from_xml_string(xml)
        self.mjdata = mujoco.MjData(self.mjmodel)
        self.model = phalanx.Model.from_xml_string(xml)
        self.data = self.model.make_data()
        self.synchronized = synchronized
        self.time = 0

    def set(self, name: str, index, value) -> None:
        """Disturb both worlds."""
        getattr(self.mjdata, name)[index] = value
        getattr(self.data, name)[index] = value

    def step(self) -> None:
        """One step of both, and a comparison."""
        if self.synchronized:
            self._synchronize()
        self.before = copy(self.mjdata)
        mujoco.mj_step(self.mjmodel, self.mjdata)
        self.data.step()
        self.time += 1
        self.compare()

    def steps(self, n: int) -> None:
        """Several steps."""
        for _ in range(n):
            self.step()

    def until(self, condition, most: int = 3000) -> None:
        """Step until MuJoCo's trees are as asked for."""
        for _ in range(most):
            if condition(self.mjdata.tree_asleep):
                return
            self.step()
        raise AssertionError(f"after {most} steps trees are {self.mjdata.tree_asleep}")

    def _awake(self, mjdata) -> tuple[np.ndarray, np.ndarray]:
        """Which elements of qvel and of qpos are of trees that are awake?"""
        dofs = mjdata.tree_awake[self.mjmodel.dof_treeid].astype(bool)
        sizes = np.array([7, 4, 1, 1])[self.mjmodel.jnt_type]
        return dofs, np.repeat(dofs[self.mjmodel.jnt_dofadr], sizes)

    def _synchronize(self) -> None:
        awake, positions = self._awake(self.mjdata)
        self.data.qpos[positions] = self.mjdata.qpos[positions]
        self.data.qvel[awake] = self.mjdata.qvel[awake]
        self.data.qacc_warmstart[:] = self.mjdata.qacc_warmstart
        self.data.act[:] = self.mjdata.act

    def resolution(self) -> float:
        """How far MuJoCo's step is from itself when numbers of the state differ in their last bit.

        Its projected Gauss-Seidel takes a friction force f for one at the edge r of an elliptic cone when |f|^2 - r^2
        is below 1e-10: rounding decides by which iteration that is, and leaves the force open by 1e-5 in cones that
        are nearly closed. Other solvers come to the minimum.
        """
        m, rng, spread = self.mjmodel, np.random.default_rng(0), 0.0
        if m.opt.solver != mujoco.mjtSolver.mjSOL_PGS or m.opt.cone != mujoco.mjtCone.mjCONE_ELLIPTIC:
            return 0.0
        dofs, positions = self._awake(self.before)
        for _ in range(REPEATS):
            nudged = copy(self.before)
            nudged.qpos[positions] *= 1.0 + 2.0**-52 * rng.integers(-1, 2, positions.sum())
            nudged.qvel[dofs] *= 1.0 + 2.0**-52 * rng.integers(-1, 2, dofs.sum())
            mujoco.mj_step(m, nudged)
            spread = max(spread, *(difference(getattr(nudged, name), getattr(self.mjdata, name)) for name in COMPARED))
        return ALLOWANCE * spread

    def compare(self) -> None:
        """The same trees asleep, the same lists, the same state."""
        for name in LISTS:
            ours, theirs = np.asarray(getattr(self.data, name)), np.asarray(getattr(self.mjdata, name))
            assert np.array_equal(ours, theirs), f"step {self.time}: {name} is {ours}, not {theirs}"
        for name, count in INDICES.items():
            theirs = getattr(self.mjdata, name)[: getattr(self.mjdata, count)]
            assert np.array_equal(getattr(self.data, name), theirs), f"step {self.time}: {name}"
        if self.synchronized:
            for name in COMPARED:
                error = difference(getattr(self.data, name), getattr(self.mjdata, name))
                is_near = error <= TOLERANCE or error <= self.resolution()
                assert is_near, f"step {self.time}: {name} differs by {error}"


def difference(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference, relative to the largest number if that is above one."""
    return float(np.abs(ours - theirs).max(initial=0.0) / max(1.0, np.abs(theirs).max(initial=0.0)))


def all_asleep(trees) -> bool:
    """Do all trees sleep?"""
    return bool((trees >= 0).all())


def all_awake(trees) -> bool:
    """Does no tree sleep?"""
    return bool((trees < 0).all())
