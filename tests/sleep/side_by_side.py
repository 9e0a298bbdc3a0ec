"""A world of MuJoCo and one of ours, disturbed alike and stepped side by side."""

from __future__ import annotations

import mujoco
import numpy as np

import phalanx

#: Lists and counts of what is awake, and rows that say who sleeps.
LISTS = (
    "tree_asleep", "tree_awake", "body_awake", "ntree_awake", "nbody_awake", "nparent_awake", "nv_awake",
    "ncon", "nefc",
)  # fmt: skip
INDICES = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "eq_active")
STATE = ("qpos", "qvel", "act")
#: Of states after a step from the same state, through constraints.
TOLERANCE = 1e-9
#: MuJoCo's projected Gauss-Seidel takes a friction force f for one at the edge r of its elliptic cone when
#: |f|^2 - r^2 is below this, scaled by the friction: [N^2].
CONE_EDGE = 1e-10


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

    def _synchronize(self) -> None:
        awake = self.mjdata.tree_awake[self.mjmodel.dof_treeid].astype(bool)
        joints = awake[self.mjmodel.jnt_dofadr]
        sizes = np.array([7, 4, 1, 1])[self.mjmodel.jnt_type]
        positions = np.repeat(joints, sizes)
        self.data.qpos[positions] = self.mjdata.qpos[positions]
        self.data.qvel[awake] = self.mjdata.qvel[awake]
        self.data.qacc_warmstart[:] = self.mjdata.qacc_warmstart
        self.data.act[:] = self.mjdata.act

    def tolerance(self) -> float:
        """How far a state may be from MuJoCo's: more where MuJoCo's own solver leaves forces open.

        Friction of each elliptic contact is known to sqrt(CONE_EDGE), the worst case of a cone that is nearly closed.
        A force df changes velocities by h M^-1 J' df, which is at most h df sqrt(|M^-1| |J M^-1 J'|).
        """
        m = self.mjmodel
        if m.opt.solver != mujoco.mjtSolver.mjSOL_PGS or m.opt.cone != mujoco.mjtCone.mjCONE_ELLIPTIC:
            return TOLERANCE
        weight = np.sqrt(m.dof_invweight0.max() * m.body_invweight0.sum(axis=1).max())
        return TOLERANCE + float(m.opt.timestep * np.sqrt(CONE_EDGE) * self.mjdata.ncon * weight)

    def compare(self) -> None:
        """The same trees asleep, the same lists, the same state."""
        for name in LISTS:
            ours, theirs = np.asarray(getattr(self.data, name)), np.asarray(getattr(self.mjdata, name))
            assert np.array_equal(ours, theirs), f"step {self.time}: {name} is {ours}, not {theirs}"
        for name, count in INDICES.items():
            theirs = getattr(self.mjdata, name)[: getattr(self.mjdata, count)]
            assert np.array_equal(getattr(self.data, name), theirs), f"step {self.time}: {name}"
        if self.synchronized:
            for name in (*STATE, "sensordata"):
                ours, theirs = getattr(self.data, name), getattr(self.mjdata, name)
                scale = max(1.0, np.abs(theirs).max(initial=0.0))
                error = np.abs(ours - theirs).max(initial=0.0) / scale
                assert error <= self.tolerance(), f"step {self.time}: {name} differs by {error}"


def all_asleep(trees) -> bool:
    """Do all trees sleep?"""
    return bool((trees >= 0).all())


def all_awake(trees) -> bool:
    """Does no tree sleep?"""
    return bool((trees < 0).all())
