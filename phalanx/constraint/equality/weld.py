"""The weld: two frames that keep their relative pose."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, load4, load5
from phalanx.algebra.number import any_, sqrt, where
from phalanx.algebra.quaternion import conjugate, multiply, multiply_axis, where4
from phalanx.algebra.vector import dot, negate, scale, sub, where3
from phalanx.constraint.equality.anchor import (
    anchor_body,
    anchor_point,
    anchor_rotation,
    data3,
    in_other_body,
    put_translation,
    row_acts,
    subtract_drift,
)
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, put_column3, put_three, release, reserve, sum_invweight, where_felt
from phalanx.constraint.table import equality_drift, equality_force, equality_reference, equality_rows
from phalanx.smooth.chain import count_either, point_drift, spin_difference, step_back
from phalanx.smooth.jacobian import last_dof
from phalanx.smooth.wrench import add_wrench
from phalanx.tables.enums import ConstraintType, EqType, ObjType

#: Where eq_data holds the points of the second and the first body, the relative quaternion, the scale of rotation
#: against translation, and whether the pose is that at qpos0.
SECOND, FIRST, RELATIVE, TORQUESCALE, IS_INITIAL = 0, 3, 6, 10, 11


@kernel
def anchors(m, d, equality):
    """Bodies and points of a weld; eq_data holds the point of the second body first."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    return (
        anchor_body(m, equality, first), anchor_body(m, equality, second),
        anchor_point(m, d, equality, first, FIRST), anchor_point(m, d, equality, second, SECOND),
    )  # fmt: skip


@kernel
def orientations(m, d, equality):
    """Orientation that the second frame should have, and the inverse of the one it has."""
    first = anchor_rotation(m, d, equality, m.eq_obj1id[equality])
    if m.eq_objtype[equality] != ObjType.SITE:
        first = multiply(first, relative_quaternion(m, equality))
    return first, conjugate(anchor_rotation(m, d, equality, m.eq_obj2id[equality]))


@kernel
def relative_quaternion(m, equality):
    """Orientation of the second body in the first, as eq_data holds it."""
    data = m.eq_data
    return (
        data[equality, RELATIVE], data[equality, RELATIVE + 1], data[equality, RELATIVE + 2],
        data[equality, RELATIVE + 3],
    )  # fmt: skip


@kernel
def vector_part(q, factor):
    """x, y, z of a quaternion, times a factor."""
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
    wanted, inverse = orientations(m, d, equality)
    torquescale = m.eq_data[equality, TORQUESCALE]
    put_translation(m, d, address, width, (body1, body2), (point1, point2), acts)
    put_rotation(m, d, address + 3 * width, width, (body1, body2), (wanted, inverse), where(acts, torquescale, 0.0))
    acts = where_felt(m, d, acts, address, 6 * width)
    if not any_(acts):
        release(d, 6, width)
        return 0
    describe(d, row, address, 6, width, ConstraintType.EQUALITY, equality)
    gap, rotation = sub(point1, point2), vector_part(multiply(inverse, wanted), torquescale)
    violation = sqrt(dot(gap, gap) + dot(rotation, rotation))
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_three(d, row, acts, gap, parameters, sum_invweight(m, body1, body2, 0))
    put_three(d, row + 3, acts, rotation, parameters, sum_invweight(m, body1, body2, 1))
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

    wanted, inverse = orientations(m, d, equality)
    spin1, spin2 = load_spin(d, body1), load_spin(d, body2)
    spin = sub(spin1, spin2)
    wanted_rate = quaternion_rate(spin1, wanted)
    inverse_rate = conjugate(quaternion_rate(spin2, conjugate(inverse)))
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
def quaternion_rate(spin, q):
    """Rate of the quaternion of a frame, from its angular velocity in world axes: half their product."""
    rate = multiply((0.0, spin[0], spin[1], spin[2]), q)
    return (0.5 * rate[0], 0.5 * rate[1], 0.5 * rate[2], 0.5 * rate[3])


@kernel
def add4(a, b):
    """Sum of two quaternions."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


@equality_force.row(EqType.WELD)
@kernel
def weld_force(m, d, equality, row):
    """On the first point, and the opposite on the second.

    The torque is that of the rows of the rotation, whose Jacobian is of the vector part of a quaternion.
    """
    body1, body2, point1, point2 = anchors(m, d, equality)
    wanted, inverse = orientations(m, d, equality)
    force, acts = load3(d.efc_force, row), row_acts(d, row)
    rotated = multiply(multiply_axis(conjugate(inverse), load3(d.efc_force, row + 3)), conjugate(wanted))
    torque = vector_part(rotated, 0.5 * m.eq_data[equality, TORQUESCALE])
    add_wrench(m, d, d.cfrc_ext, body1, point1, force, torque, acts)
    add_wrench(m, d, d.cfrc_ext, body2, point2, negate(force), negate(torque), acts)
    return 0


@equality_reference.row(EqType.WELD)
@kernel
def weld_reference(m, c, d, equality):
    """The point of the second body, in the first, and the relative orientation, unless a pose was given."""
    if m.eq_objtype[equality] == ObjType.BODY:
        one, two = m.eq_obj1id[equality], m.eq_obj2id[equality]
        is_initial = c.eq_data[equality, IS_INITIAL] != 0.0
        initial_anchor = in_other_body(d, two, one, data3(c, equality, SECOND))
        initial_quat = multiply(conjugate(load4(d.xquat, one)), load4(d.xquat, two))
        anchor = where3(is_initial, initial_anchor, data3(c, equality, FIRST))
        quat = where4(is_initial, initial_quat, relative_quaternion(c, equality))
        for k in range(3):
            c.eq_data[equality, FIRST + k] = anchor[k]
        for k in range(4):
            c.eq_data[equality, RELATIVE + k] = quat[k]
    return 0
