"""Springs that yield: their reference follows the joint or tendon once the stretch exceeds the yield."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, where
from phalanx.memory.flags import is_disabled
from phalanx.smooth.flex.yielding import flex_advance
from phalanx.smooth.joint.table import yield_spring
from phalanx.smooth.tendon.tendon import tendon_rate
from phalanx.tables.enums import DisableBit
from phalanx.tables.joints import NQ


@kernel
def reset_plastic(m, d, chosen):
    """plastic before anything has yielded, in the chosen worlds."""
    for joint in range(m.njnt):
        reference = m.jnt_plasticadr[joint]
        if reference >= 0:
            for k in range(NQ[m.jnt_type[joint]]):
                rest = m.qpos_spring[m.jnt_qposadr[joint] + k]
                d.plastic[reference + k] = where(chosen, rest, d.plastic[reference + k])
    for tendon in range(m.ntendon):
        reference = m.tendon_plasticadr[tendon]
        if reference >= 0:
            for k in range(2):
                d.plastic[reference + k] = where(chosen, m.tendon_lengthspring[tendon, k], d.plastic[reference + k])
    for flex in range(m.nflex):
        # strains begin at zero, and frames unstarted; what there is of a flex ends where the next one begins
        start = m.flex_plasticadr[flex]
        if start >= 0:
            for k in range(start, plastic_end(m, flex)):
                d.plastic[k] = where(chosen, 0.0, d.plastic[k])


@kernel
def plastic_end(m, flex):
    """Where the state of a flex ends."""
    for following in range(flex + 1, m.nflex):
        if m.flex_plasticadr[following] >= 0:
            return m.flex_plasticadr[following]
    return m.nplastic


@kernel
def advance_plastic(m, d, velocity):
    """plastic, after qpos has moved along `velocity`: no spring stays stretched beyond its yield."""
    if m.nplastic == 0 or is_disabled(m, DisableBit.SPRING):
        return
    alive = d.error_code == 0.0
    for joint in range(m.njnt):
        if m.jnt_plasticadr[joint] >= 0:
            yield_spring(m.jnt_type[joint], m, d, joint, alive)
    for tendon in range(m.ntendon):
        if m.tendon_plasticadr[tendon] >= 0:
            advance_tendon(m, d, tendon, velocity, alive)
    if m.nflex > 0:
        for dof in range(m.nv):
            d.flex_qvel[dof] = velocity[dof] + 0.0
        flex_advance(m, d)


@kernel
def advance_tendon(m, d, tendon, velocity, alive):
    """Both ends of the rest interval follow; the lower end of a slack tendon, which is at zero, only downwards.

    The new length is that of the forward pass, carried on by the velocity.
    """
    reference, limit = m.tendon_plasticadr[tendon], m.tendon_springyield[tendon]
    shortest, longest = d.plastic[reference], d.plastic[reference + 1]
    length = d.ten_length[tendon] + m.opt.timestep * tendon_rate(m, d, tendon, velocity)
    rise = where(length - longest > limit, length - longest - limit, 0.0)
    fall = where(length - shortest < -limit, length - shortest + limit, 0.0)
    is_slack = and_(shortest == 0.0, longest > shortest)
    drag = where(rise > 0.0, where(is_slack, 0.0, rise), fall)
    d.plastic[reference] = where(alive, shortest + drag, shortest)
    d.plastic[reference + 1] = where(alive, longest + where(rise > 0.0, rise, fall), longest)
