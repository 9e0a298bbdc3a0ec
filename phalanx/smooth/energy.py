"""Potential and kinetic energy."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import splat
from phalanx.algebra.vector import dot
from phalanx.memory.flags import is_disabled, is_enabled
from phalanx.smooth.inertia import mul_m
from phalanx.smooth.joint.table import joint_potential
from phalanx.smooth.passive.passive import tendon_stretch
from phalanx.smooth.passive.spring import spring_potential, stiffness_coefficients, tendon_stiffness_coefficients
from phalanx.tables.enums import DisableBit, EnableBit, Request


@kernel
def energy(m, d):
    """energy, when the options or a request ask for it; else zero, but for the potential energy that a sensor computed.

    A sensor of the kinetic energy alone leaves nothing here (MuJoCo's mj_forward does the same).
    """
    if is_enabled(m, EnableBit.ENERGY) or (d.requests & Request.ENERGY) != 0:
        energy_pos(m, d)
        energy_vel(m, d)
    elif not d.flg_energypos:
        d.energy[0] = 0.0
        d.energy[1] = 0.0
    d.flg_energypos = False


@kernel
def energy_pos(m, d):
    """energy[0]: gravity, springs of joints, tendons and edges of flexes."""
    total = 0.0
    if not is_disabled(m, DisableBit.GRAVITY):
        gravity = load3(m.opt.gravity, 0)
        for body in range(1, m.nbody):
            total = total - m.body_mass[body] * dot(gravity, load3(d.xipos, body))
    if not is_disabled(m, DisableBit.SPRING):
        for joint in range(m.njnt):
            stiffness = stiffness_coefficients(m, joint)
            total = total + joint_potential(m.jnt_type[joint], m, d, joint, stiffness)
        for tendon in range(m.ntendon):
            stiffness = tendon_stiffness_coefficients(m, tendon)
            total = total + spring_potential(stiffness, tendon_stretch(m, d, tendon))
        for flex in range(m.nflex):
            total = total + edge_potential(m, d, flex)
    d.energy[0] = total


@kernel
def edge_potential(m, d, flex):
    """Energy of the springs along the edges of a flex."""
    total = splat(d.energy[0], 0.0)
    if m.flex_rigid[flex] == 0 and m.flex_interp[flex] == 0 and m.flex_edgestiffness[flex] != 0.0:
        for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
            if m.flexedge_rigid[edge] == 0:
                stretch = m.flexedge_length0[edge] - d.flexedge_length[edge]
                total = total + 0.5 * m.flex_edgestiffness[flex] * stretch * stretch
    return total


@kernel
def energy_vel(m, d):
    """energy[1]: half of qvel' M qvel."""
    mul_m(m, d, d.energy_momentum, d.qvel)
    total = 0.0
    for dof in range(m.nv):
        total = total + d.energy_momentum[dof] * d.qvel[dof]
    d.energy[1] = 0.5 * total
