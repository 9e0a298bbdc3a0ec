"""What a contact of a flex is made of: parameters of both sides, mixed as those of geoms are, and its row in the list.

A side is a geom or a flex: two integers, of which one is -1.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, load5, load9, store2, store3, store5, store9
from phalanx.algebra.number import and_, any_, maximum, minimum, not_, or_, where
from phalanx.algebra.vector import dot, negate
from phalanx.collision.contact import (
    clear_rows_of,
    contact_frame,
    expand_friction,
    overrides,
    share_of_first,
    surface_velocity,
)
from phalanx.collision.table import NO_CONTACT
from phalanx.tables.sizes import MINMU

# --- of one side


@kernel
def side_priority(m, geom, flex):
    """Whose parameters win: those of the higher priority."""
    return m.geom_priority[geom] if geom >= 0 else m.flex_priority[flex]


@kernel
def side_condim(m, geom, flex):
    """Dimension of the contact space."""
    return m.geom_condim[geom] if geom >= 0 else m.flex_condim[flex]


@kernel
def side_mix(m, geom, flex):
    """Weight of the side when parameters are mixed."""
    return m.geom_solmix[geom] if geom >= 0 else m.flex_solmix[flex]


@kernel
def side_friction(m, geom, flex):
    """Friction: sliding, torsional, rolling."""
    return load3(m.geom_friction, geom) if geom >= 0 else load3(m.flex_friction, flex)


@kernel
def side_solref(m, geom, flex):
    """Solver reference."""
    return load2(m.geom_solref, geom) if geom >= 0 else load2(m.flex_solref, flex)


@kernel
def side_solimp(m, geom, flex):
    """Solver impedance."""
    return load5(m.geom_solimp, geom) if geom >= 0 else load5(m.flex_solimp, flex)


# --- of a pair; the second side is a flex


@kernel
def flex_margin(m, geom, flex1, flex2):
    """Distance at which a contact starts to act. A flex does not keep a distance from itself."""
    if flex1 == flex2:
        return 0.0 * m.opt.timestep
    if overrides(m):
        return m.opt.o_margin
    return (m.geom_margin[geom] if geom >= 0 else m.flex_margin[flex1]) + m.flex_margin[flex2]


@kernel
def flex_gap(m, geom, flex1, flex2):
    """How much earlier than that a contact is noticed."""
    if flex1 == flex2:
        return 0.0 * m.opt.timestep
    return (m.geom_gap[geom] if geom >= 0 else m.flex_gap[flex1]) + m.flex_gap[flex2]


@kernel
def leading_side(m, geom, flex1, flex2):
    """The side whose priority lets it decide alone: 0 or 1, or -1 for none."""
    one, two = side_priority(m, geom, flex1), side_priority(m, -1, flex2)
    return 0 if one > two else (1 if one < two else -1)


@kernel
def flex_condim(m, geom, flex1, flex2):
    """Number of directions in which the contact resists: 1, 3, 4 or 6."""
    one, two = side_condim(m, geom, flex1), side_condim(m, -1, flex2)
    leader = leading_side(m, geom, flex1, flex2)
    if leader >= 0:
        return one if leader == 0 else two
    return max(one, two)


@kernel
def flex_friction(m, geom, flex1, flex2):
    """Friction of two tangents, of spin, of two rolls."""
    a, b = side_friction(m, geom, flex1), side_friction(m, -1, flex2)
    leader = leading_side(m, geom, flex1, flex2)
    f = expand_friction((maximum(a[0], b[0]), maximum(a[1], b[1]), maximum(a[2], b[2])))
    if leader >= 0:
        f = expand_friction(a if leader == 0 else b)
    if overrides(m):
        f = load5(m.opt.o_friction, 0)
    return (
        maximum(MINMU, f[0]), maximum(MINMU, f[1]), maximum(MINMU, f[2]), maximum(MINMU, f[3]), maximum(MINMU, f[4]),
    )  # fmt: skip


@kernel
def flex_mix(m, geom, flex1, flex2):
    """Share of the first side when parameters are mixed."""
    return share_of_first(side_mix(m, geom, flex1), side_mix(m, -1, flex2))


@kernel
def flex_solref(m, geom, flex1, flex2):
    """Time constant and damping ratio, or stiffness and damping."""
    if overrides(m):
        return load2(m.opt.o_solref, 0)
    a, b = side_solref(m, geom, flex1), side_solref(m, -1, flex2)
    leader = leading_side(m, geom, flex1, flex2)
    if leader >= 0:
        return a if leader == 0 else b
    mix = flex_mix(m, geom, flex1, flex2)
    is_standard = and_(a[0] > 0.0, b[0] > 0.0)
    return (
        where(is_standard, mix * a[0] + (1.0 - mix) * b[0], minimum(a[0], b[0])),
        where(is_standard, mix * a[1] + (1.0 - mix) * b[1], minimum(a[1], b[1])),
    )


@kernel
def flex_solimp(m, geom, flex1, flex2):
    """Impedance parameters."""
    if overrides(m):
        return load5(m.opt.o_solimp, 0)
    a, b = side_solimp(m, geom, flex1), side_solimp(m, -1, flex2)
    leader = leading_side(m, geom, flex1, flex2)
    if leader >= 0:
        return a if leader == 0 else b
    mix = flex_mix(m, geom, flex1, flex2)
    rest = 1.0 - mix
    return (
        mix * a[0] + rest * b[0], mix * a[1] + rest * b[1], mix * a[2] + rest * b[2], mix * a[3] + rest * b[3],
        mix * a[4] + rest * b[4],
    )  # fmt: skip


@kernel
def flex_adhesion(m, geom, flex1, flex2):
    """Force that pulls the two surfaces together: flexes have none of their own."""
    if geom < 0 or leading_side(m, geom, flex1, flex2) == 1:
        return 0.0 * m.opt.timestep
    return m.geom_adhesion[geom] + 0.0


# --- the list


@kernel
def geom_surface_velocity(m, d, geom, point, frame):
    """Sliding along both tangents and spin about the normal of a flex relative to the surface of a geom."""
    linear, spin = surface_velocity(m, d, geom, point)
    slide, back = negate(linear), negate(spin)
    return (
        dot((frame[3], frame[4], frame[5]), slide),
        dot((frame[6], frame[7], frame[8]), slide),
        dot((frame[0], frame[1], frame[2]), back),
    )


@kernel
def put_parameters(m, d, contact):
    """Frame and parameters of a contact whose parts, distance, position and normal are there.

    The frame has the normal, and the tangent it prefers.
    """
    geom, flex1, flex2 = d.contact_geom[contact, 0], d.contact_flex[contact, 0], d.contact_flex[contact, 1]
    axes = load9(d.contact_frame, contact)
    frame = contact_frame((axes[0], axes[1], axes[2]), (axes[3], axes[4], axes[5]))
    margin, adhesion = flex_margin(m, geom, flex1, flex2), flex_adhesion(m, geom, flex1, flex2)
    dist, pos = d.contact_dist[contact] + 0.0, load3(d.contact_pos, contact)
    store9(d.contact_frame, contact, frame)
    d.contact_includemargin[contact] = margin
    store5(d.contact_friction, contact, flex_friction(m, geom, flex1, flex2))
    store2(d.contact_solref, contact, flex_solref(m, geom, flex1, flex2))
    # friction directions have no reference of their own, unless options replace it
    reference = load2(m.opt.o_solref, 0) if overrides(m) else (0.0 * m.opt.timestep, 0.0 * m.opt.timestep)
    store2(d.contact_solreffriction, contact, reference)
    store5(d.contact_solimp, contact, flex_solimp(m, geom, flex1, flex2))
    d.contact_adhesion[contact] = adhesion
    has_velocity = geom >= 0 and m.flg_surfacevel != 0
    velocity = geom_surface_velocity(m, d, geom, pos, frame) if has_velocity else (0.0 * dist, 0.0 * dist, 0.0 * dist)
    store3(d.contact_surfacevel, contact, velocity)
    clear_rows_of(d, contact)
    # held at a distance by adhesion alone: there is no surface to rub on
    is_there = dist != NO_CONTACT
    is_touching = and_(is_there, not_(and_(adhesion != 0.0, dist >= margin)))
    d.contact_dim[contact] = flex_condim(m, geom, flex1, flex2) if any_(is_touching) else 1
    acts = and_(is_there, or_(dist < margin, adhesion != 0.0))
    d.contact_exclude[contact] = where(acts, 0.0, 1.0)
    d.contact_efc_address[contact] = -1
