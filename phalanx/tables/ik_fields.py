"""Rows of an inverse kinematics problem: what is asked, what is found, and working memory.

A problem is solved in memory of its own, beside that of a Data: `p` in kernels of `pipeline/inverse_kinematics.py`.
Blocks are the targets, then the couplings: six residuals each, of which a coupling uses the first.
"""

from __future__ import annotations

from phalanx.tables.field import INT, REAL, Field

#: Sizes that only problems have; nq and nv are those of the model.
IK_SIZES = ("ntarget", "ncoupling", "nblock", "nentry", "nmatrix")

IK: dict[str, tuple[Field, ...]] = {
    "asked": (
        Field("target_body", INT, ("ntarget", 2), "the body that is moved, and the one that the goal belongs to"),
        Field("target_point", REAL, ("ntarget", 3), "point that is moved, in its body", "m"),
        Field("target_frame", REAL, ("ntarget", 4), "orientation that is moved, in its body"),
        Field("goal_pos", REAL, ("ntarget", 3), "where the point is to be, in the body of the goal", "m"),
        Field("goal_quat", REAL, ("ntarget", 4), "orientation that is to be, in the body of the goal"),
        Field("target_weight", REAL, ("ntarget", 2), "weights of position and orientation; 0: does not count"),
        Field("coupling", INT, ("ncoupling",), "joint equalities that must hold"),
        Field("free", REAL, ("nv",), "1 for dofs that may move, 0 for others"),
        Field("tolerance", REAL, (2,), "largest distance and angle at which a problem is solved", "m, rad"),
    ),
    "found": (
        Field("qpos", REAL, ("nq",), "positions to begin with, then the best ones"),
        Field("position_error", REAL, ("nblock",), "distance from the goal; violation of a coupling", "m"),
        Field("rotation_error", REAL, ("nblock",), "angle from the goal", "rad"),
        Field("converged", REAL, (), "1 if all errors are within the tolerance"),
        Field("rounds", REAL, (), "how many poses were tried"),
    ),
    "scratch": (
        Field("active", REAL, (), "1 while a better pose is looked for"),
        Field("cost", REAL, (), "half the sum of squares of the residuals at qpos"),
        Field("caution", REAL, (), "damping as a multiple of the cost: it grows where a step made it worse"),
        Field("residual", REAL, ("nblock", 6), "weighted errors of the pose at hand: position, orientation"),
        Field("column", REAL, ("nentry", 6), "their derivatives, one row per block and dof, with the other sign"),
        Field("matrix", REAL, ("nmatrix",), "J'J at qpos, lower triangle in full rows"),
        Field("factor", REAL, ("nmatrix",), "Cholesky factor of the damped matrix"),
        Field("gradient", REAL, ("nv",), "J' residual at qpos"),
        Field("locked", REAL, ("nv",), "1 for dofs that are fixed, or at a limit that the step would cross"),
        Field("move", REAL, ("nv",), "the step"),
    ),
}
