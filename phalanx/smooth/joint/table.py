"""The tables of joints: what the engine asks of a joint, by jnt_type.

Each table is a kernel called with the type in front. The rows of a type are in the file that has the name of its tag,
`phalanx/smooth/joint/<tag>.py`. A type without a row in a table behaves as a scalar joint does (`scalar.py`), except
that every type says how it moves: `move_frame` and `joint_axes`.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import store6
from phalanx.algebra.spatial import ZERO6
from phalanx.smooth.joint.anchor import place_joint
from phalanx.smooth.joint.scalar import (
    advance_scalar,
    limit_scalar,
    scalar_moment,
    scalar_potential,
    scalar_spring,
    scalar_stiffness,
    subtract_scalar,
    velocity_is_rate,
    yield_scalar,
)
from phalanx.tables.joints import JOINTS, NV

_MODULES = tuple(f"phalanx.smooth.joint.{row.tag}" for row in JOINTS.values())


@kernel
def no_motion(m, d, joint, pos, quat):
    """The frame of the body after the joint, given the frame before it; writes xanchor and xaxis."""
    place_joint(m, d, joint, pos, quat)
    return pos, quat


@kernel
def no_axes(m, d, joint, offset):
    """Write cdof of the dofs of a joint: motion of the point at `offset` from xanchor, for unit velocities."""
    for dof in range(m.jnt_dofadr[joint], m.jnt_dofadr[joint] + NV[m.jnt_type[joint]]):
        store6(d.cdof, dof, ZERO6)


#: The frame after the joint.
move_frame = Table("move_frame", no_motion, _MODULES)
#: cdof of its dofs.
joint_axes = Table("joint_axes", no_axes, _MODULES)
#: A vector of positions moved along `velocity` for `step`, on the manifold of the joint, in the worlds that are alive.
advance_joint = Table("advance_joint", advance_scalar, _MODULES)
#: The `velocity` that takes the first of two vectors of positions to the second in the time `step`: the inverse.
subtract_joint = Table("subtract_joint", subtract_scalar, _MODULES)
#: Runge-Kutta: `rate`, which holds qvel, becomes the rate of the coordinates in which the joint moves straight from
#: the start of the step to the stage: by `increment` times `step`.
coordinate_rate = Table("coordinate_rate", velocity_is_rate, _MODULES)
#: qfrc_spring, with the coefficients of the stiffness, in the worlds where there is a spring; zero in the others.
joint_spring = Table("joint_spring", scalar_spring, _MODULES)
#: `slopes` of the dofs: by how much the force of the spring falls with a displacement, as for one along the stretch.
joint_stiffness = Table("joint_stiffness", scalar_stiffness, _MODULES)
#: Energy in the spring.
joint_potential = Table("joint_potential", scalar_potential, _MODULES)
#: `plastic`: the rest of a spring that yields, after qpos has moved, in the worlds that are alive.
yield_spring = Table("yield_spring", yield_scalar, _MODULES)
#: Calls put_limit(m, d, joint, distance, slopes) for each end of the range: the signed distance to it, negative beyond,
#: and a tuple with its derivative by the velocity of each dof.
limit_joint = Table("limit_joint", limit_scalar, _MODULES)
#: actuator_length of an output on the joint, and from `address` on the actuator_moment of each of its dofs. The gears
#: of rotations are along the axes of the parent if `in_parent`, else of the body.
joint_moment = Table("joint_moment", scalar_moment, _MODULES)
