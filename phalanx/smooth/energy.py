"""Potential and kinetic energy."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3
from phalanx.algebra.vector import dot, norm, sub
from phalanx.memory.flags import is_disabled, is_enabled
from phalanx.smooth.inertia import mul_m
from phalanx.smooth.passive.passive import ball_spring_displacement, scalar_spring_displacement, tendon_stretch
from phalanx.tables.enums import DisableBit, EnableBit, JointType


@kernel
def spring_potential(stiffness, poly, x):
    """Integral of x (k0 + k1 x + k2 x^2)."""
    square = x * x
    return 0.5 * stiffness * square + poly[0] / 3.0 * (square * x) + poly[1] / 4.0 * (square * x * x)


@kernel
def energy(m, d):
    """energy, when the options ask for it; zero otherwise."""
    if is_enabled(m, EnableBit.ENERGY):
        energy_pos(m, d)
        energy_vel(m, d)
    else:
        d.energy[0] = 0.0
        d.energy[1] = 0.0


@kernel
def energy_pos(m, d):
    """energy[0]: gravity, springs of joints and tendons."""
    total = 0.0
    if not is_disabled(m, DisableBit.GRAVITY):
        gravity = load3(m.opt.gravity, 0)
        for body in range(1, m.nbody):
            total = total - m.body_mass[body] * dot(gravity, load3(d.xipos, body))
    if not is_disabled(m, DisableBit.SPRING):
        for joint in range(m.njnt):
            total = total + joint_potential(m, d, joint)
        for tendon in range(m.ntendon):
            stiffness, poly = m.tendon_stiffness[tendon], load2(m.tendon_stiffnesspoly, tendon)
            total = total + spring_potential(stiffness, poly, tendon_stretch(m, d, tendon))
    d.energy[0] = total


@kernel
def joint_potential(m, d, joint):
    """Energy in the spring of a joint."""
    stiffness, poly = m.jnt_stiffness[joint], load2(m.jnt_stiffnesspoly, joint)
    adr, kind = m.jnt_qposadr[joint], m.jnt_type[joint]
    if kind in (JointType.SLIDE, JointType.HINGE):
        return spring_potential(stiffness, poly, scalar_spring_displacement(m, d, joint))
    total = 0.0
    if kind == JointType.FREE:
        stretch = norm(sub(load3(d.qpos, adr), load3(m.qpos_spring, adr)))
        total = total + spring_potential(stiffness, poly, stretch)
    turn = norm(ball_spring_displacement(m, d, joint))
    return total + spring_potential(stiffness, poly, turn)


@kernel
def energy_vel(m, d):
    """energy[1]: half of qvel' M qvel."""
    mul_m(m, d, d.energy_momentum, d.qvel)
    total = 0.0
    for dof in range(m.nv):
        total = total + d.energy_momentum[dof] * d.qvel[dof]
    d.energy[1] = 0.5 * total
