"""Passive forces: springs, dampers, gravity compensation, and the fluid around the bodies."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store6
from phalanx.algebra.number import abs_, any_, splat, where
from phalanx.algebra.spatial import ZERO6, transport_force
from phalanx.algebra.vector import scale, sub
from phalanx.memory.awake import awake_bodies, awake_dofs, awake_joints
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.reflected import damping_coefficients, tendon_damping_coefficients
from phalanx.smooth.flex.forces import flex_passive
from phalanx.smooth.jacobian import project_subtree_forces
from phalanx.smooth.joint.table import joint_spring
from phalanx.smooth.passive.fluid import fluid, where6
from phalanx.smooth.passive.spring import (
    any_nonzero,
    polynomial,
    polynomial_slope,
    stiffness_coefficients,
    tendon_stiffness_coefficients,
)
from phalanx.smooth.tendon.tendon import add_tendon_force
from phalanx.tables.enums import DisableBit

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def passive(m, d):
    """qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion and their sum, qfrc_passive.

    With springs and dampers both disabled there is no passive force of any kind.
    """
    clear_passive(m, d)
    has_springs = not is_disabled(m, DisableBit.SPRING)
    has_dampers = not is_disabled(m, DisableBit.DAMPER)
    if has_springs or has_dampers:
        if has_springs:
            joint_springs(m, d)
            tendon_springs(m, d)
        if has_dampers:
            dof_dampers(m, d)
            tendon_dampers(m, d)
        if m.nflex > 0:
            flex_passive(m, d)
        if m.flg_gravcomp != 0 and not is_disabled(m, DisableBit.GRAVITY):
            gravity_compensation(m, d)
        fluid(m, d)
        sum_passive(m, d)


@kernel
def clear_passive(m, d):
    """All passive forces zero, also those that are disabled."""
    for dof in awake_dofs(m, d):
        d.qfrc_spring[dof] = 0.0
        d.qfrc_damper[dof] = 0.0
        d.qfrc_gravcomp[dof] = 0.0
        d.qfrc_fluid[dof] = 0.0
        d.qfrc_adhesion[dof] = 0.0
        d.qfrc_passive[dof] = 0.0


@kernel
def sum_passive(m, d):
    """qfrc_passive: everything, except gravity compensation of joints whose actuators do it."""
    for dof in awake_dofs(m, d):
        total = d.qfrc_spring[dof] + d.qfrc_damper[dof] + d.qfrc_fluid[dof] + d.qfrc_adhesion[dof]
        if m.jnt_actgravcomp[m.dof_jntid[dof]] == 0:
            total = total + d.qfrc_gravcomp[dof]
        d.qfrc_passive[dof] = total


# --- springs


@kernel
def joint_springs(m, d):
    """qfrc_spring of the joints."""
    for joint in awake_joints(m, d):
        c = stiffness_coefficients(m, joint)
        is_spring = any_nonzero(c)
        if any_(is_spring):
            joint_spring(m.jnt_type[joint], m, d, joint, c, is_spring)


# --- dampers


@kernel
def dof_dampers(m, d):
    """qfrc_damper of the dofs: against the velocity, with coefficients that depend on the speed."""
    for dof in awake_dofs(m, d):
        c = damping_coefficients(m, dof)
        is_damper = any_nonzero(c)
        if any_(is_damper):
            velocity = d.qvel[dof]
            force = -velocity * polynomial(c, abs_(velocity))
            d.qfrc_damper[dof] = where(is_damper, force, 0.0)


@kernel
def dof_damping_slope(m, d, dof):
    """b such that -b is the derivative of qfrc_damper[dof] by qvel[dof]; does not look at the disable flags."""
    return polynomial_slope(damping_coefficients(m, dof), abs_(d.qvel[dof]))


# --- tendons


@kernel
def spring_band(m, d, tendon):
    """Shortest and longest length at which the spring of a tendon is at rest: state if the spring can yield."""
    place = m.tendon_plasticadr[tendon]
    if place >= 0:
        return d.plastic[place], d.plastic[place + 1]
    rest = d.ten_length[tendon]
    return splat(rest, m.tendon_lengthspring[tendon, 0]), splat(rest, m.tendon_lengthspring[tendon, 1])


@kernel
def tendon_stretch(m, d, tendon):
    """How far a tendon is longer (or shorter, negative) than where its spring is at rest."""
    shortest, longest = spring_band(m, d, tendon)
    length = d.ten_length[tendon]
    return where(length > longest, length - longest, where(length < shortest, length - shortest, 0.0))


@kernel
def tendon_springs(m, d):
    """qfrc_spring of the tendons; the stiffness depends on the signed stretch."""
    for tendon in range(m.ntendon):
        c = tendon_stiffness_coefficients(m, tendon)
        is_spring = any_nonzero(c)
        if any_(is_spring):
            stretch = tendon_stretch(m, d, tendon)
            add_tendon_force(m, d, d.qfrc_spring, tendon, where(is_spring, -stretch * polynomial(c, stretch), 0.0))


@kernel
def tendon_dampers(m, d):
    """qfrc_damper of the tendons: against ten_velocity, with coefficients that depend on its size."""
    for tendon in range(m.ntendon):
        c = tendon_damping_coefficients(m, tendon)
        is_damper = any_nonzero(c)
        if any_(is_damper):
            velocity = d.ten_velocity[tendon]
            force = -velocity * polynomial(c, abs_(velocity))
            add_tendon_force(m, d, d.qfrc_damper, tendon, where(is_damper, force, 0.0))


@kernel
def tendon_damping_slope(m, d, tendon):
    """b such that -b is the derivative of the force of the tendon's damper by ten_velocity."""
    return polynomial_slope(tendon_damping_coefficients(m, tendon), abs_(d.ten_velocity[tendon]))


# --- gravity compensation


@kernel
def gravity_compensation(m, d):
    """qfrc_gravcomp: part of the weight of bodies, upwards at their centers of mass."""
    gravity = load3(m.opt.gravity, 0)
    for body in awake_bodies(m, d):
        force = scale(gravity, -(m.body_mass[body] * m.body_gravcomp[body]))
        offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
        is_compensated = m.body_gravcomp[body] != 0.0
        store6(d.passive_cfrc, body, where6(is_compensated, transport_force(force, ZERO3, offset), ZERO6))
    project_subtree_forces(m, d, d.qfrc_gravcomp, d.passive_cfrc)
