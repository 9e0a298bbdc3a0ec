"""SCRATCH rows of Data: memory that stages need between loops. Not public, absent from MuJoCo, never state.

Grouped by the stage that uses them. Kernels allocate nothing: what they need is declared here.
"""

from __future__ import annotations

from phalanx.tables.field import REAL, Field


def scratch(name: str, shape: tuple[str | int, ...], doc: str) -> Field:
    """A row of working memory."""
    return Field(name, REAL, shape, doc, scratch=True, departs="working memory of a stage", mujoco="-")


SCRATCH: dict[str, tuple[Field, ...]] = {
    "rne_scratch": (
        scratch("rne_cacc", ("nbody", 6), "com-based acceleration without qacc"),
        scratch("rne_cfrc", ("nbody", 6), "com-based force that each body needs, then that of its subtree"),
    ),
    "passive_scratch": (
        scratch("passive_cfrc", ("nbody", 6), "com-based passive force on each body, then that on its subtree"),
    ),
    "actuation_scratch": (
        scratch("actuation_ctrl", ("nu",), "controls in effect: clamped, zero if any is bad, rate-limited"),
        scratch("actuation_drive", ("nout",), "force within its limits, without what no limit applies to"),
    ),
    "implicit_scratch": (
        scratch("qacc_implicit", ("nv",), "acceleration used by the update"),
        scratch("deriv_body_momentum", ("nbody", 6), "com-based momentum of each body, then that of its subtree"),
        scratch("deriv_crb_rate", ("nbody", 10), "rate of the inertia of each body, then that of its subtree"),
        scratch("deriv_axis_rate", ("nv", 6), "rate of a motion axis as felt by what comes after it"),
        scratch("deriv_momentum", ("nv", 6), "momentum of the subtree for a unit velocity of the dof"),
        scratch("deriv_left", ("nv", 6), "motion axis times the 6x6 slope of the subtree"),
        scratch("deriv_right", ("nv", 6), "6x6 slope of the subtree times the motion axis"),
        scratch("deriv_fluid_aa", ("nbody", 9), "torque of the fluid on the subtree per angular velocity"),
        scratch("deriv_fluid_al", ("nbody", 9), "torque of the fluid on the subtree per linear velocity"),
        scratch("deriv_fluid_la", ("nbody", 9), "force of the fluid on the subtree per angular velocity"),
        scratch("deriv_fluid_ll", ("nbody", 9), "force of the fluid on the subtree per linear velocity"),
        scratch("implicit_block", (42,), "system of a free body, six rows with their right-hand sides"),
        scratch("implicit_matrix", ("nC",), "qH of worlds that do not take part in a factorization"),
        scratch("implicit_diagonal", ("nv",), "qHDiagInv of worlds that do not take part in a factorization"),
    ),
    "jacobian_scratch": (
        scratch("jacp", ("nv", 3), "translational Jacobian asked for last, one column per dof"),
        scratch("jacr", ("nv", 3), "rotational Jacobian asked for last, one column per dof"),
        scratch("jac_point", (3,), "world point whose Jacobian is asked for"),
    ),
    "vector_scratch": (
        scratch("vector_in", ("nv",), "vector that a product or a solve is asked for"),
        scratch("vector_out", ("nv",), "result of a product or a solve"),
    ),
    "energy_scratch": (scratch("energy_momentum", ("nv",), "M qvel"),),
    "runge_kutta_scratch": (
        scratch("rk_qpos0", ("nq",), "position at the start of the step"),
        scratch("rk_qvel0", ("nv",), "velocity at the start of the step"),
        scratch("rk_act0", ("na",), "activation at the start of the step"),
        scratch("rk_actuator_velocity", ("nout",), "velocity of actuators at the start of the step"),
        scratch("rk_rate", ("nv",), "rate of position of the present stage"),
        scratch("rk_increment", ("nv",), "rate that led to the present stage, times its fraction of the step"),
        scratch("rk_velocity", ("nv",), "weighted sum of rates of position"),
        scratch("rk_qacc", ("nv",), "weighted sum of accelerations"),
        scratch("rk_act_dot", ("na",), "weighted sum of activation rates"),
    ),
    "constants_scratch": (
        scratch("constants_size", ("nbody",), "how far each body reaches from its center of mass at qpos0"),
        scratch("constants_vector", ("nv",), "vector that a solve with M at qpos0 is asked for"),
    ),
}
