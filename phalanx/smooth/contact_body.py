"""The bodies that touch at a contact: of a geom its own, of a flex the first that carries what touches."""

from __future__ import annotations

from phalanx.algebra.jit import kernel


@kernel
def flex_side_body(m, d, contact, side):
    """Body of a vertex, or of the first corner of an element; of an interpolated flex that of its first node."""
    flex, vertex, element = d.contact_flex[contact, side], d.contact_vert[contact, side], d.contact_elem[contact, side]
    if m.flex_interp[flex] != 0:
        return m.flex_nodebodyid[m.flex_nodeadr[flex]]
    if vertex < 0:
        vertex = m.flex_elem[m.flex_elemdataadr[flex] + element * (m.flex_dim[flex] + 1)]
    return m.flex_vertbodyid[m.flex_vertadr[flex] + vertex]


@kernel
def contact_body(m, d, contact, side):
    """The body on one side of a contact."""
    geom = d.contact_geom[contact, side]
    if geom >= 0:
        return m.geom_bodyid[geom]
    return flex_side_body(m, d, contact, side)


@kernel
def touches_flex(m, d, contact):
    """Is a side of a contact a flex?"""
    return m.nflex > 0 and (d.contact_geom[contact, 0] < 0 or d.contact_geom[contact, 1] < 0)


@kernel
def contact_bodies(m, d, contact):
    """The two bodies that touch."""
    return contact_body(m, d, contact, 0), contact_body(m, d, contact, 1)
