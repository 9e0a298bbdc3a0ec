"""The connect: two points that coincide."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, load5
from phalanx.algebra.number import any_
from phalanx.algebra.vector import negate, norm, sub
from phalanx.constraint.equality.anchor import (
    anchor_body,
    anchor_point,
    data3,
    in_other_body,
    put_translation,
    row_acts,
    subtract_drift,
)
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, put_three, release, reserve, sum_invweight, where_felt
from phalanx.constraint.table import equality_drift, equality_force, equality_reference, equality_rows
from phalanx.smooth.chain import count_either, point_drift
from phalanx.smooth.wrench import add_force
from phalanx.tables.enums import ConstraintType, EqType, ObjType

#: Where eq_data holds the points of the first and the second body.
FIRST, SECOND = 0, 3


@kernel
def anchors(m, d, equality):
    """Bodies and points of a connect."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    return (
        anchor_body(m, equality, first), anchor_body(m, equality, second),
        anchor_point(m, d, equality, first, FIRST), anchor_point(m, d, equality, second, SECOND),
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


@equality_drift.row(EqType.CONNECT)
@kernel
def connect_drift(m, d, equality, row):
    """Difference of the accelerations that the two points have without qacc."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    linear1, _ = point_drift(m, d, body1, point1)
    linear2, _ = point_drift(m, d, body2, point2)
    subtract_drift(d, row, sub(linear1, linear2))
    return 0


@equality_force.row(EqType.CONNECT)
@kernel
def connect_force(m, d, equality, row):
    """On the first point, and the opposite on the second."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    force, acts = load3(d.efc_force, row), row_acts(d, row)
    add_force(m, d, d.cfrc_ext, body1, point1, force, acts)
    add_force(m, d, d.cfrc_ext, body2, point2, negate(force), acts)
    return 0


@equality_reference.row(EqType.CONNECT)
@kernel
def connect_reference(m, c, d, equality):
    """The point of the first body, in the second body; sites need no such point."""
    if m.eq_objtype[equality] == ObjType.BODY:
        one, two = m.eq_obj1id[equality], m.eq_obj2id[equality]
        anchor = in_other_body(d, one, two, data3(c, equality, FIRST))
        for k in range(3):
            c.eq_data[equality, SECOND + k] = anchor[k]
    return 0
