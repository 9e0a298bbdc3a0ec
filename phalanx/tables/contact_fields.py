"""The members of one contact, grouped by who sets them; shapes are those of a single contact."""

from __future__ import annotations

from phalanx.tables.field import INT, REAL, WHOLE, Field
from phalanx.tables.sizes import NIMP, NREF

CONTACT: dict[str, tuple[Field, ...]] = {
    "narrow_phase": (
        Field("dist", REAL, (), "distance between the surfaces, negative when they overlap", "m"),
        Field("pos", REAL, (3,), "contact point, midway between the surfaces", "m"),
        Field("frame", REAL, (9,), "contact axes as rows; the first is the normal, from geom[0] to geom[1]"),
    ),
    "parameters": (
        Field("includemargin", REAL, (), "distance below which the contact pushes", "m"),
        Field("friction", REAL, (5,), "friction: two sliding, torsional, two rolling", "1, 1, m, m, m"),
        Field("solref", REAL, (NREF,), "solver reference of the normal direction", "mixed"),
        Field("solreffriction", REAL, (NREF,), "solver reference of the friction directions", "mixed"),
        Field("solimp", REAL, (NIMP,), "solver impedance of the contact", "mixed"),
        Field("adhesion", REAL, (), "attraction along the normal", "N"),
        Field("surfacevel", REAL, (3,), "relative velocity of the surfaces: two tangents, spin", "m/s, m/s, rad/s"),
    ),
    "solver": (
        Field("mu", REAL, (), "friction coefficient of the regularized cone"),
        Field("H", REAL, (36,), "Hessian of the elliptic cone, dim x dim", "mixed"),
    ),
    "descriptor": (
        Field("dim", INT, (), "dimension of the contact space: 1, 3, 4 or 6"),
        Field("geom1", INT, (), "first geom; the same as geom[0]"),
        Field("geom2", INT, (), "second geom; the same as geom[1]"),
        Field("geom", INT, (2,), "both geoms, -1 on the side of a flex"),
        Field("flex", INT, (2,), "both flexes, -1 on the side of a geom"),
        Field("elem", INT, (2,), "elements of the flexes, -1 for a geom or a vertex"),
        Field("vert", INT, (2,), "vertices of the flexes, -1 for a geom or an element"),
        Field("exclude", WHOLE, (), "why it has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive"),
        Field("efc_address", INT, (), "first constraint row of the contact, -1 if none"),
    ),
}
