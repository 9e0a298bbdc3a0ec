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
    ),
    "implicit_scratch": (),
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
        scratch("rk_rate", ("nv",), "rate of position of the present stage"),
        scratch("rk_increment", ("nv",), "rate that led to the present stage, times its fraction of the step"),
        scratch("rk_velocity", ("nv",), "weighted sum of rates of position"),
        scratch("rk_qacc", ("nv",), "weighted sum of accelerations"),
        scratch("rk_act_dot", ("na",), "weighted sum of activation rates"),
    ),
}
