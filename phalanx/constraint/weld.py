"""The weld: two frames that keep their relative pose."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.algebra.number import any_, sqrt, where
from phalanx.algebra.quaternion import conjugate, multiply, multiply_axis
from phalanx.algebra.vector import dot, scale, sub
from phalanx.constraint.anchor import anchor_body, anchor_point, anchor_turn, sum_invweight
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.point_equality import put_translation, subtract_drift
from phalanx.constraint.rows import describe, put_column3, put_three, release, reserve, where_felt
from phalanx.constraint.table import equality_drift, equality_rows
from phalanx.smooth.chain import count_either, point_drift, spin_difference, step_back
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import ConstraintType, EqType, ObjType

#: Where eq_data holds the relative quaternion and the scale of rotation against translation.
RELATIVE, TORQUESCALE = 6, 10


@kernel
def anchors(m, d, equality):
    """Bodies and points of a weld; eq_data holds the point of the second body first."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    return (
        anchor_body(m, equality, first), anchor_body(m, equality, second),
        anchor_point(m, d, equality, first, 3), anchor_point(m, d, equality, second, 0),
    )  # fmt: skip


@kernel
def turns(m, d, equality):
    """Orientation that the second frame should have, and the inverse of the one it has."""
    first = anchor_turn(m, d, equality, m.eq_obj1id[equality])
    if m.eq_objtype[equality] != ObjType.SITE:
        data = m.eq_data
        relative = (
            data[equality, RELATIVE], data[equality, RELATIVE + 1], data[equality, RELATIVE + 2],
            data[equality, RELATIVE + 3],
        )  # fmt: skip
        first = multiply(first, relative)
    return first, conjugate(anchor_turn(m, d, equality, m.eq_obj2id[equality]))


@kernel
def vector_part(q, factor):
    return (q[1] * factor, q[2] * factor, q[3] * factor)


@equality_rows.row(EqType.WELD)
@kernel
def weld(m, d, equality, acts):
    """Six rows: the first point minus the second, and the vector part of the rotation between the frames."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    width = count_either(m, body1, body2)
    row, address = d.nefc, d.nJ
    if width == 0 or not reserve(d, 6, width):
        return 0
    wanted, inverse = turns(m, d, equality)
    torquescale = m.eq_data[equality, TORQUESCALE]
    put_translation(m, d, address, width, (body1, body2), (point1, point2), acts)
    put_rotation(m, d, address + 3 * width, width, (body1, body2), (wanted, inverse), where(acts, torquescale, 0.0))
    acts = where_felt(m, d, acts, address, 6 * width)
    if not any_(acts):
        release(d, 6, width)
        return 0
    describe(d, row, address, 6, width, ConstraintType.EQUALITY, equality)
    gap, turn = sub(point1, point2), vector_part(multiply(inverse, wanted), torquescale)
    violation = sqrt(dot(gap, gap) + dot(turn, turn))
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_three(d, row, acts, gap, parameters, sum_invweight(m, body1, body2, 0))
    put_three(d, row + 3, acts, turn, parameters, sum_invweight(m, body1, body2, 1))
    return 0


@kernel
def put_rotation(m, d, address, width, bodies, frames, torquescale):
    """Three rows: the rate of the vector part of inverse * wanted, for each dof that moves either body."""
    wanted, inverse = frames
    dof1, dof2 = last_dof(m, bodies[0]), last_dof(m, bodies[1])
    for k in range(address + width - 1, address - 1, -1):
        dof, spin = spin_difference(d, dof1, dof2)
        column = vector_part(multiply(multiply_axis(inverse, spin), wanted), 0.5)
        put_column3(d, k, width, dof, scale(column, torquescale))
        dof1, dof2 = step_back(m, dof1, dof2)


@equality_drift.row(EqType.WELD)
@kernel
def weld_drift(m, d, equality, row):
    """Accelerations without qacc: of the points, and of the vector part of the rotation, by the product rule."""
    body1, body2, point1, point2 = anchors(m, d, equality)
    linear1, angular1 = point_drift(m, d, body1, point1)
    linear2, angular2 = point_drift(m, d, body2, point2)
    subtract_drift(d, row, sub(linear1, linear2))

    wanted, inverse = turns(m, d, equality)
    spin1, spin2 = load_spin(d, body1), load_spin(d, body2)
    spin = sub(spin1, spin2)
    wanted_rate = half_turn(spin1, wanted)
    inverse_rate = conjugate(half_turn(spin2, conjugate(inverse)))
    rate = add4(
        add4(
            multiply(multiply_axis(inverse_rate, spin), wanted),
            multiply(multiply_axis(inverse, sub(angular1, angular2)), wanted),
        ),
        multiply(multiply_axis(inverse, spin), wanted_rate),
    )
    subtract_drift(d, row + 3, scale(vector_part(rate, 0.5), m.eq_data[equality, TORQUESCALE]))
    return 0


@kernel
def load_spin(d, body):
    """Angular velocity of a body."""
    return (d.cvel[body, 0], d.cvel[body, 1], d.cvel[body, 2])


@kernel
def half_turn(spin, q):
    """Rate of a quaternion that turns with an angular velocity in world axes."""
    rate = multiply((0.0, spin[0], spin[1], spin[2]), q)
    return (0.5 * rate[0], 0.5 * rate[1], 0.5 * rate[2], 0.5 * rate[3])


@kernel
def add4(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])
