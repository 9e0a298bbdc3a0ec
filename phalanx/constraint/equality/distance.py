"""The distance: two points that keep theirs, an extension of Phalanx."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5, load6
from phalanx.algebra.number import any_, where
from phalanx.algebra.vector import MINVAL, dot, negate, norm, normalize, scale, sub, where3
from phalanx.constraint.equality.anchor import (
    ZERO3,
    anchor_body,
    origin,
    put_along,
    row_acts,
)
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, put_row, release, reserve, sum_invweight, where_felt
from phalanx.constraint.table import equality_drift, equality_force, equality_rows
from phalanx.smooth.chain import count_either, from_tree_center, point_drift, point_velocity
from phalanx.smooth.wrench import add_force
from phalanx.tables.enums import ConstraintType, EqType


@kernel
def ends(m, d, equality):
    """Bodies and points of a distance equality."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    return (
        anchor_body(m, equality, first), anchor_body(m, equality, second),
        origin(m, d, equality, first), origin(m, d, equality, second),
    )  # fmt: skip


@equality_rows.row(EqType.DISTANCE)
@kernel
def distance(m, d, equality, acts):
    """One row: the distance of two points less eq_data[0]. Points that coincide are pushed apart along x."""
    body1, body2, point1, point2 = ends(m, d, equality)
    width = count_either(m, body1, body2)
    row, address = d.nefc, d.nJ
    if width == 0 or not reserve(d, 1, width):
        return 0
    gap = sub(point1, point2)
    put_along(m, d, address, width, (body1, body2), (point1, point2), where3(acts, normalize(gap), ZERO3))
    acts = where_felt(m, d, acts, address, width)
    if not any_(acts):
        release(d, 1, width)
        return 0
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    violation = norm(gap) - m.eq_data[equality, 0]
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_row(d, row, acts, (violation, 0.0), parameters, sum_invweight(m, body1, body2, 0))
    return 0


@equality_drift.row(EqType.DISTANCE)
@kernel
def distance_drift(m, d, equality, row):
    """Acceleration of the distance without qacc: along the line, and centripetal."""
    body1, body2, point1, point2 = ends(m, d, equality)
    gap = sub(point1, point2)
    length, direction = norm(gap), normalize(gap)
    linear1, _ = point_drift(m, d, body1, point1)
    linear2, _ = point_drift(m, d, body2, point2)
    velocity = sub(velocity_of(m, d, body1, point1), velocity_of(m, d, body2, point2))
    along = dot(direction, velocity)
    has_length = length >= MINVAL
    centripetal = where(has_length, (dot(velocity, velocity) - along * along) / where(has_length, length, 1.0), 0.0)
    drift = dot(direction, sub(linear1, linear2)) + centripetal
    d.efc_aref[row] = d.efc_aref[row] - where(d.efc_KBIP[row, 2] > 0.0, drift, 0.0)
    return 0


@kernel
def velocity_of(m, d, body, point):
    """Velocity of a world point that moves with a body."""
    return point_velocity(load6(d.cvel, body), from_tree_center(m, d, body, point))


@equality_force.row(EqType.DISTANCE)
@kernel
def distance_force(m, d, equality, row):
    """Along the line between the points."""
    body1, body2, point1, point2 = ends(m, d, equality)
    acts = row_acts(d, row)
    force = scale(normalize(sub(point1, point2)), where(acts, d.efc_force[row], 0.0))
    add_force(m, d, d.cfrc_ext, body1, point1, force, acts)
    add_force(m, d, d.cfrc_ext, body2, point2, negate(force), acts)
    return 0
