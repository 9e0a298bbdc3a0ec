"""Equalities of two points: held together (connect), or at a distance."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5, load6
from phalanx.algebra.number import any_, where
from phalanx.algebra.vector import MINVAL, dot, norm, normalize, sub, where3
from phalanx.constraint.anchor import anchor_body, anchor_point, origin, sum_invweight
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, put_column3, put_entry, put_row, put_three, release, reserve, where_felt
from phalanx.constraint.table import equality_drift, equality_rows
from phalanx.smooth.chain import (
    count_either,
    difference_column,
    from_tree_center,
    point_drift,
    point_velocity,
    step_back,
)
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import ConstraintType, EqType

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def anchors(m, d, equality):
    """Bodies and points of a connect."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    return (
        anchor_body(m, equality, first), anchor_body(m, equality, second),
        anchor_point(m, d, equality, first, 0), anchor_point(m, d, equality, second, 3),
    )  # fmt: skip


@equality_rows.row(EqType.CONNECT)
@kernel
def connect(m, d, equality, acts):
    """Three rows: the first point minus the second, in world axes. Their impedance is that of the distance."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    width = count_either(m, body1, body2)
    row, address = d.nefc, d.nJ
    if width == 0 or not reserve(d, 3, width):
        return 0
    put_translation(m, d, address, width, (body1, body2), (point1, point2), acts)
    acts = where_felt(m, d, acts, address, 3 * width)
    if not any_(acts):
        release(d, 3, width)
        return 0
    describe(d, row, address, 3, width, ConstraintType.EQUALITY, equality)
    gap = sub(point1, point2)
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), norm(gap))
    put_three(d, row, acts, gap, parameters, sum_invweight(m, body1, body2, 0))
    return 0


@kernel
def put_translation(m, d, address, width, bodies, points, acts):
    """Three rows: velocity of the first point minus that of the second, for each dof that moves either."""
    dof1, dof2 = last_dof(m, bodies[0]), last_dof(m, bodies[1])
    offset1 = from_tree_center(m, d, bodies[0], points[0])
    offset2 = from_tree_center(m, d, bodies[1], points[1])
    for k in range(address + width - 1, address - 1, -1):
        dof, linear = difference_column(d, dof1, dof2, offset1, offset2)
        put_column3(d, k, width, dof, where3(acts, linear, ZERO3))
        dof1, dof2 = step_back(m, dof1, dof2)


@equality_drift.row(EqType.CONNECT)
@kernel
def connect_drift(m, d, equality, row):
    """Difference of the accelerations that the two points have without qacc."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    linear1, _ = point_drift(m, d, body1, point1)
    linear2, _ = point_drift(m, d, body2, point2)
    subtract_drift(d, row, sub(linear1, linear2))
    return 0


@kernel
def subtract_drift(d, row, drift):
    """Three rows of efc_aref less their drift, where they act."""
    drift = where3(d.efc_KBIP[row, 2] > 0.0, drift, ZERO3)
    d.efc_aref[row] = d.efc_aref[row] - drift[0]
    d.efc_aref[row + 1] = d.efc_aref[row + 1] - drift[1]
    d.efc_aref[row + 2] = d.efc_aref[row + 2] - drift[2]


# --- distance


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
    put_distance_jacobian(m, d, address, width, (body1, body2), (point1, point2), where3(acts, normalize(gap), ZERO3))
    acts = where_felt(m, d, acts, address, width)
    if not any_(acts):
        release(d, 1, width)
        return 0
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    violation = norm(gap) - m.eq_data[equality, 0]
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_row(d, row, acts, (violation, 0.0), parameters, sum_invweight(m, body1, body2, 0))
    return 0


@kernel
def put_distance_jacobian(m, d, address, width, bodies, points, direction):
    """Velocity of the first point minus that of the second along a direction, for each dof that moves either."""
    dof1, dof2 = last_dof(m, bodies[0]), last_dof(m, bodies[1])
    offset1 = from_tree_center(m, d, bodies[0], points[0])
    offset2 = from_tree_center(m, d, bodies[1], points[1])
    for k in range(address + width - 1, address - 1, -1):
        dof, linear = difference_column(d, dof1, dof2, offset1, offset2)
        put_entry(d, k, dof, dot(direction, linear))
        dof1, dof2 = step_back(m, dof1, dof2)


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
    turn = where(has_length, (dot(velocity, velocity) - along * along) / where(has_length, length, 1.0), 0.0)
    drift = dot(direction, sub(linear1, linear2)) + turn
    d.efc_aref[row] = d.efc_aref[row] - where(d.efc_KBIP[row, 2] > 0.0, drift, 0.0)
    return 0


@kernel
def velocity_of(m, d, body, point):
    """Velocity of a world point that moves with a body."""
    return point_velocity(load6(d.cvel, body), from_tree_center(m, d, body, point))
