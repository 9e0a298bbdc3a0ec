"""Integrators by kind.

An integrator is one of two kernels, in the file that its row in `tables/integrators.py` names. Most differ only in the
acceleration that advances velocities, and positions with the new velocities:

    @step_acceleration.row(Integrator.EULER)
    @kernel
    def euler_acceleration(m, d):                    writes qacc_implicit

An integrator that computes forward dynamics at other states within the step advances the state itself; `forward` is
passed in, as it stands above this folder:

    @advance_in_stages.row(Integrator.RK4)
    @kernel
    def runge_kutta(m, d, forward):

One of the first kind may have an inverse, for inverse dynamics of a discrete step:

    @discrete_acceleration.row(Integrator.EULER)
    @kernel
    def euler_inverse(m, d):                         replaces qacc
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.memory.awake import awake_dofs
from phalanx.tables.integrators import MODULES


@kernel
def given_acceleration(m, d):
    """qacc_implicit: the acceleration that advances the velocity. Without a row of the table: that of forward dynamics.

    forward(m, d) has been called at the present state.
    """
    for dof in awake_dofs(m, d):
        d.qacc_implicit[dof] = d.qacc[dof]


@kernel
def no_stages(m, d, forward):
    """The next state, from forward dynamics at several states. Without a row of the table: the present one.

    forward(m, d) has been called at the present state. If a call of it lacks memory, the state is left as it was.
    """
    return


@kernel
def no_inverse(m, d):
    """qacc, given as (change of qvel in a step) / timestep, replaced by that of forward dynamics.

    Without a row of the table: it stays, as such an integrator has no inverse.
    """
    return


_FILES = tuple(f"phalanx.integrator.{name}" for name in MODULES)
step_acceleration = Table("step_acceleration", given_acceleration, _FILES)
advance_in_stages = Table("advance_in_stages", no_stages, _FILES)
discrete_acceleration = Table(
    "discrete_acceleration", no_inverse, (*_FILES, "phalanx.integrator.discrete_acceleration")
)
