"""Inertia and damping of actuators, reflected to the joint or tendon that they drive: times the gear squared.

jnt_actuatorid and tendon_actuatorid are -1 for no such actuator, its id if there is just one, less than -1 for several.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import or_, where
from phalanx.tables.actuators import JOINT_TRANSMISSIONS, TENDON_TRANSMISSIONS


@kernel
def drives_joint(m, actuator, joint):
    """Does the actuator act on the dofs of the joint?"""
    return m.actuator_trntype[actuator] in JOINT_TRANSMISSIONS and m.actuator_trnid[actuator, 0] == joint


@kernel
def drives_tendon(m, actuator, tendon):
    """Does the actuator pull on the tendon?"""
    return m.actuator_trntype[actuator] in TENDON_TRANSMISSIONS and m.actuator_trnid[actuator, 0] == tendon


@kernel
def squared_gear(m, actuator):
    """Factor of reflected damping and inertia."""
    gear = m.actuator_gear[m.actuator_outadr[actuator], 0]
    return gear * gear


@kernel
def reflects(m, actuator):
    """Worlds in which an actuator has damping or armature."""
    bends = or_(m.actuator_dampingpoly[actuator, 0] != 0.0, m.actuator_dampingpoly[actuator, 1] != 0.0)
    return or_(or_(m.actuator_damping[actuator] != 0.0, m.actuator_armature[actuator] != 0.0), bends)


@kernel
def is_reflected_to(m, joint):
    """Worlds in which some actuator of a joint reflects. Others may have zeros where a neighbor in the lane has not."""
    only = m.jnt_actuatorid[joint]
    count = 0.0
    if only >= 0:
        count = where(reflects(m, only), 1.0, count)
    elif only < -1:
        for actuator in range(m.nactuator):
            if drives_joint(m, actuator, joint):
                count = where(reflects(m, actuator), 1.0, count)
    return count > 0.0


# --- armature


@kernel
def joint_actuator_armature(m, joint):
    """Inertia that actuators add to the dofs of a joint."""
    only = m.jnt_actuatorid[joint]
    armature = 0.0
    if only >= 0:
        armature = m.actuator_armature[only] * squared_gear(m, only)
    elif only < -1:
        for actuator in range(m.nactuator):
            if drives_joint(m, actuator, joint):
                armature = armature + m.actuator_armature[actuator] * squared_gear(m, actuator)
    return armature


@kernel
def tendon_actuator_armature(m, tendon):
    """Inertia that actuators add to a tendon."""
    only = m.tendon_actuatorid[tendon]
    armature = 0.0
    if only >= 0:
        armature = m.actuator_armature[only] * squared_gear(m, only)
    elif only < -1:
        for actuator in range(m.nactuator):
            if drives_tendon(m, actuator, tendon):
                armature = armature + m.actuator_armature[actuator] * squared_gear(m, actuator)
    return armature


# --- damping


@kernel
def damping_coefficients(m, dof):
    """Coefficients of a dof's damper, with what actuators reflect to its joint."""
    c = (m.dof_damping[dof], m.dof_dampingpoly[dof, 0], m.dof_dampingpoly[dof, 1])
    joint = m.dof_jntid[dof]
    reflecting = m.jnt_actuatorid[joint]
    if reflecting >= 0:
        c = add_reflected_damping(m, c, reflecting)
    elif reflecting < -1:
        for actuator in range(m.nactuator):
            if drives_joint(m, actuator, joint):
                c = add_reflected_damping(m, c, actuator)
    return c


@kernel
def tendon_damping_coefficients(m, tendon):
    """Coefficients of a tendon's damper, with what actuators reflect to it."""
    c = (m.tendon_damping[tendon], m.tendon_dampingpoly[tendon, 0], m.tendon_dampingpoly[tendon, 1])
    reflecting = m.tendon_actuatorid[tendon]
    if reflecting >= 0:
        c = add_reflected_damping(m, c, reflecting)
    elif reflecting < -1:
        for actuator in range(m.nactuator):
            if drives_tendon(m, actuator, tendon):
                c = add_reflected_damping(m, c, actuator)
    return c


@kernel
def add_reflected_damping(m, c, actuator):
    """Linear, quadratic and cubic coefficients `c`, and those of one actuator times its gear squared."""
    factor = squared_gear(m, actuator)
    return (
        c[0] + m.actuator_damping[actuator] * factor,
        c[1] + m.actuator_dampingpoly[actuator, 0] * factor,
        c[2] + m.actuator_dampingpoly[actuator, 1] * factor,
    )
