"""Forces of equalities that tie bodies together, as rows of `equality_force`."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import conjugate, multiply, multiply_axis
from phalanx.algebra.vector import negate, normalize, scale, sub
from phalanx.constraint.anchor import anchor_body, anchor_point
from phalanx.constraint.point_equality import ends
from phalanx.constraint.weld import TORQUESCALE, anchors, turns, vector_part
from phalanx.sensor.force.wrench import add_force, add_wrench
from phalanx.sensor.table import equality_force
from phalanx.tables.enums import EqType


@kernel
def row_acts(d, row):
    """Worlds where the equality of a row is active."""
    return d.efc_KBIP[row, 2] > 0.0


@equality_force.row(EqType.CONNECT)
@kernel
def connect_force(m, d, equality, row):
    """On the first point, and the opposite on the second."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    force, acts = load3(d.efc_force, row), row_acts(d, row)
    body1, point1 = anchor_body(m, equality, first), anchor_point(m, d, equality, first, 0)
    body2, point2 = anchor_body(m, equality, second), anchor_point(m, d, equality, second, 3)
    add_force(m, d, d.cfrc_ext, body1, point1, force, acts)
    add_force(m, d, d.cfrc_ext, body2, point2, negate(force), acts)
    return 3


@equality_force.row(EqType.WELD)
@kernel
def weld_force(m, d, equality, row):
    """The same with a torque: of the rows of the rotation, whose Jacobian is of the vector part of a quaternion."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    wanted, inverse = turns(m, d, equality)
    force, acts = load3(d.efc_force, row), row_acts(d, row)
    turned = multiply(multiply_axis(conjugate(inverse), load3(d.efc_force, row + 3)), conjugate(wanted))
    torque = vector_part(turned, 0.5 * m.eq_data[equality, TORQUESCALE])
    add_wrench(m, d, d.cfrc_ext, body1, point1, force, torque, acts)
    add_wrench(m, d, d.cfrc_ext, body2, point2, negate(force), negate(torque), acts)
    return 6


@equality_force.row(EqType.DISTANCE)
@kernel
def distance_force(m, d, equality, row):
    """Along the line between the points."""
    body1, body2, point1, point2 = ends(m, d, equality)
    acts = row_acts(d, row)
    force = scale(normalize(sub(point1, point2)), where(acts, d.efc_force[row], 0.0))
    add_force(m, d, d.cfrc_ext, body1, point1, force, acts)
    add_force(m, d, d.cfrc_ext, body2, point2, negate(force), acts)
    return 1
