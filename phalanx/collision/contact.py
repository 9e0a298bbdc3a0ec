"""What a contact is made of: parameters of the pair, frame, and the rows of the contact list."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load2, load3, load5, load9, store2, store3, store5, store9
from phalanx.algebra.number import abs_, and_, any_, maximum, minimum, not_, or_, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, normalize, sub, where3
from phalanx.memory.flags import is_enabled
from phalanx.tables.enums import EnableBit
from phalanx.tables.sizes import MINMU

#: Squared sine of the angle below which two directions are the same.
PARALLEL = 1e-30


@kernel
def overrides(m):
    """Do the options replace the parameters of all contacts?"""
    return is_enabled(m, EnableBit.OVERRIDE)


@kernel
def pair_margin(m, geom1, geom2, pair):
    """Distance at which a contact starts to act."""
    if overrides(m):
        return m.opt.o_margin
    if pair >= 0:
        return m.pair_margin[pair]
    return m.geom_margin[geom1] + m.geom_margin[geom2]


@kernel
def pair_gap(m, geom1, geom2, pair):
    """How much earlier than that a contact is noticed."""
    if pair >= 0:
        return m.pair_gap[pair]
    return m.geom_gap[geom1] + m.geom_gap[geom2]


@kernel
def leading_geom(m, geom1, geom2):
    """The geom whose priority lets it decide alone, or -1."""
    if m.geom_priority[geom1] > m.geom_priority[geom2]:
        return geom1
    if m.geom_priority[geom1] < m.geom_priority[geom2]:
        return geom2
    return -1


@kernel
def contact_dim(m, geom1, geom2, pair):
    """Number of directions in which the contact resists: 1, 3, 4 or 6."""
    if pair >= 0:
        return m.pair_dim[pair]
    leader = leading_geom(m, geom1, geom2)
    if leader >= 0:
        return m.geom_condim[leader]
    return m.geom_condim[geom1] if m.geom_condim[geom1] > m.geom_condim[geom2] else m.geom_condim[geom2]


@kernel
def expand_friction(f):
    """Tangent, spin and roll coefficients of both directions."""
    return (f[0], f[0], f[1], f[2], f[2])


@kernel
def contact_friction(m, geom1, geom2, pair):
    """Friction of two tangents, of spin, of two rolls."""
    if overrides(m):
        f = load5(m.opt.o_friction, 0)
    elif pair >= 0:
        f = load5(m.pair_friction, pair)
    else:
        leader = leading_geom(m, geom1, geom2)
        if leader >= 0:
            f = expand_friction(load3(m.geom_friction, leader))
        else:
            a, b = load3(m.geom_friction, geom1), load3(m.geom_friction, geom2)
            f = expand_friction((maximum(a[0], b[0]), maximum(a[1], b[1]), maximum(a[2], b[2])))
    return (
        maximum(MINMU, f[0]), maximum(MINMU, f[1]), maximum(MINMU, f[2]), maximum(MINMU, f[3]), maximum(MINMU, f[4]),
    )  # fmt: skip


@kernel
def mixing_weight(m, geom1, geom2):
    """Share of the first geom when parameters are mixed."""
    return share_of_first(m.geom_solmix[geom1], m.geom_solmix[geom2])


@kernel
def share_of_first(a, b):
    """Share of the first of two values that are mixed with these weights."""
    has_a, has_b = a >= MINVAL, b >= MINVAL
    both = and_(has_a, has_b)
    share = a / where(both, a + b, 1.0)
    alone = where(has_a, 1.0, where(has_b, 0.0, 0.5))
    return where(both, share, alone)


@kernel
def contact_solref(m, geom1, geom2, pair):
    """Time constant and damping ratio, or stiffness and damping, of the normal direction."""
    if overrides(m):
        return load2(m.opt.o_solref, 0)
    if pair >= 0:
        return load2(m.pair_solref, pair)
    leader = leading_geom(m, geom1, geom2)
    if leader >= 0:
        return load2(m.geom_solref, leader)
    a, b = load2(m.geom_solref, geom1), load2(m.geom_solref, geom2)
    mix = mixing_weight(m, geom1, geom2)
    is_standard = and_(a[0] > 0.0, b[0] > 0.0)
    return (
        where(is_standard, mix * a[0] + (1.0 - mix) * b[0], minimum(a[0], b[0])),
        where(is_standard, mix * a[1] + (1.0 - mix) * b[1], minimum(a[1], b[1])),
    )


@kernel
def contact_solreffriction(m, pair):
    """The same for friction directions of an explicit pair; zero means as for the normal."""
    if overrides(m):
        return load2(m.opt.o_solref, 0)
    if pair >= 0:
        return load2(m.pair_solreffriction, pair)
    return (0.0 * m.opt.timestep, 0.0 * m.opt.timestep)


@kernel
def contact_solimp(m, geom1, geom2, pair):
    """Impedance parameters."""
    if overrides(m):
        return load5(m.opt.o_solimp, 0)
    if pair >= 0:
        return load5(m.pair_solimp, pair)
    leader = leading_geom(m, geom1, geom2)
    if leader >= 0:
        return load5(m.geom_solimp, leader)
    a, b = load5(m.geom_solimp, geom1), load5(m.geom_solimp, geom2)
    mix = mixing_weight(m, geom1, geom2)
    rest = 1.0 - mix
    return (
        mix * a[0] + rest * b[0], mix * a[1] + rest * b[1], mix * a[2] + rest * b[2], mix * a[3] + rest * b[3],
        mix * a[4] + rest * b[4],
    )  # fmt: skip


@kernel
def contact_adhesion(m, geom1, geom2, pair):
    """Force that pulls the two surfaces together."""
    if pair >= 0:
        return m.pair_adhesion[pair]
    leader = leading_geom(m, geom1, geom2)
    if leader >= 0:
        return m.geom_adhesion[leader]
    return m.geom_adhesion[geom1] + m.geom_adhesion[geom2]


@kernel
def contact_frame(normal, tangent):
    """Axes of a contact, row by row: normal, then two tangents, the first along `tangent` if it is given.

    A tangent along the normal is none.
    """
    x = normalize(normal)
    along = cross(x, tangent)
    is_given = and_(dot(tangent, tangent) >= 0.25, dot(along, along) > PARALLEL)
    is_flat = abs_(x[1]) < 0.5
    guess = (0.0, where(is_flat, 1.0, 0.0), where(is_flat, 0.0, 1.0))
    y = where3(is_given, tangent, guess)
    y = normalize(add_scaled(y, x, -dot(x, y)))
    z = cross(x, y)
    return (x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])


@kernel
def surface_velocity(m, d, geom, point):
    """Velocity with which the surface of a geom slides under its own frame, at a world point."""
    frame = load9(d.geom_xmat, geom)
    v = m.geom_surfacevel
    linear = multiply_vector(frame, (v[geom, 0], v[geom, 1], v[geom, 2]))
    spin = multiply_vector(frame, (v[geom, 3], v[geom, 4], v[geom, 5]))
    return add(linear, cross(spin, sub(point, load3(d.geom_xpos, geom)))), spin


@kernel
def relative_surface_velocity(m, d, geom1, geom2, point, frame):
    """Sliding along both tangents and spin about the normal of geom2's surface relative to geom1's."""
    linear1, spin1 = surface_velocity(m, d, geom1, point)
    linear2, spin2 = surface_velocity(m, d, geom2, point)
    slide, spin = sub(linear2, linear1), sub(spin2, spin1)
    return (
        dot((frame[3], frame[4], frame[5]), slide),
        dot((frame[6], frame[7], frame[8]), slide),
        dot((frame[0], frame[1], frame[2]), spin),
    )


@kernel
def clear_rows_of(d, contact):
    """What only the rows of a contact bring to it."""
    d.contact_mu[contact] = 0.0
    d.contact_time[contact] = 0.0
    d.contact_way[contact] = 0.0
    # written by elliptic cones alone, the first number with the others
    if any_(d.contact_H[contact, 0] != 0.0):
        for h in range(36):
            d.contact_H[contact, h] = 0.0


@kernel
def append_contact(m, d, geom1, geom2, pair, k, dist, active):
    """Add candidate k of the pair at hand to the list; worlds where it is no contact get its distance only."""
    contact = d.ncon
    d.ncon = contact + 1
    if contact >= d.contact_capacity:
        return
    frame = contact_frame(load3(d.near_normal, k), load3(d.near_tangent, k))
    margin, adhesion = pair_margin(m, geom1, geom2, pair), contact_adhesion(m, geom1, geom2, pair)
    d.contact_dist[contact] = dist
    store3(d.contact_pos, contact, load3(d.near_pos, k))
    store9(d.contact_frame, contact, frame)
    d.contact_includemargin[contact] = margin
    store5(d.contact_friction, contact, contact_friction(m, geom1, geom2, pair))
    store2(d.contact_solref, contact, contact_solref(m, geom1, geom2, pair))
    store2(d.contact_solreffriction, contact, contact_solreffriction(m, pair))
    store5(d.contact_solimp, contact, contact_solimp(m, geom1, geom2, pair))
    d.contact_adhesion[contact] = adhesion
    if m.flg_surfacevel:
        velocity = relative_surface_velocity(m, d, geom1, geom2, load3(d.near_pos, k), frame)
        store3(d.contact_surfacevel, contact, velocity)
    else:
        store3(d.contact_surfacevel, contact, (0.0, 0.0, 0.0))
    clear_rows_of(d, contact)
    # held at a distance by adhesion alone: there is no surface to rub on
    is_touching = and_(active, not_(and_(adhesion != 0.0, dist >= margin)))
    d.contact_dim[contact] = contact_dim(m, geom1, geom2, pair) if any_(is_touching) else 1
    d.contact_geom1[contact] = geom1
    d.contact_geom2[contact] = geom2
    d.contact_geom[contact, 0] = geom1
    d.contact_geom[contact, 1] = geom2
    for side in range(2):
        d.contact_flex[contact, side] = -1
        d.contact_elem[contact, side] = -1
        d.contact_vert[contact, side] = -1
    acts = and_(active, or_(dist < margin, adhesion != 0.0))
    d.contact_exclude[contact] = where(acts, 0.0, 1.0)
    d.contact_efc_address[contact] = -1
