"""What equalities of bodies or sites share: their two points, bodies and orientations, and rows of these."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load4, load9
from phalanx.algebra.quaternion import multiply
from phalanx.algebra.vector import add, dot, sub, where3
from phalanx.constraint.rows import put_column3, put_entry
from phalanx.memory.awake import can_sleep
from phalanx.smooth.chain import difference_column, from_tree_center, step_back
from phalanx.smooth.flex.carrying_trees import is_flex_asleep
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import EqType, ObjType, SleepState

ZERO3 = (0.0, 0.0, 0.0)
#: Equalities of one flex.
OF_FLEXES = (EqType.FLEX, EqType.FLEXSTRAIN)


@kernel
def anchor_body(m, equality, obj):
    """Body of an object of the equality."""
    return m.site_bodyid[obj] if m.eq_objtype[equality] == ObjType.SITE else obj


@kernel
def tied_bodies(m, equality):
    """The two bodies of an equality of bodies, sites or joints, -1 for none."""
    first, second = m.eq_obj1id[equality], m.eq_obj2id[equality]
    if m.eq_type[equality] == EqType.JOINT:
        return (m.jnt_bodyid[first] if first >= 0 else -1), (m.jnt_bodyid[second] if second >= 0 else -1)
    return anchor_body(m, equality, first), anchor_body(m, equality, second)


@kernel
def state_of_body(d, body):
    """Static, asleep or awake; static if there is none."""
    return d.body_awake[body] if body >= 0 else SleepState.STATIC


@kernel
def is_equality_asleep(m, d, equality):
    """Is nothing awake that an equality ties?"""
    if not can_sleep(m, d) or m.eq_type[equality] == EqType.TENDON:
        return False
    if m.eq_type[equality] in OF_FLEXES:
        return is_flex_asleep(m, d, m.eq_obj1id[equality])
    body1, body2 = tied_bodies(m, equality)
    return state_of_body(d, body1) != SleepState.AWAKE and state_of_body(d, body2) != SleepState.AWAKE


@kernel
def anchor_point(m, d, equality, obj, place):
    """World point of an object: a site, or the point of a body that eq_data holds from `place` on."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return load3(d.site_xpos, obj)
    return body_point(d, obj, data3(m, equality, place))


@kernel
def body_point(d, body, point):
    """A point of a body in the world."""
    return add(load3(d.xpos, body), multiply_vector(load9(d.xmat, body), point))


@kernel
def data3(m, equality, place):
    """A point or vector in eq_data."""
    data = m.eq_data
    return (data[equality, place], data[equality, place + 1], data[equality, place + 2])


@kernel
def in_other_body(d, body, other, point):
    """A point of `body` in the frame of `other`."""
    offset = sub(body_point(d, body, point), load3(d.xpos, other))
    return multiply_transposed(load9(d.xmat, other), offset)


@kernel
def anchor_rotation(m, d, equality, obj):
    """Orientation of an object."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return multiply(load4(d.xquat, m.site_bodyid[obj]), load4(m.site_quat, obj))
    return load4(d.xquat, obj)


@kernel
def origin(m, d, equality, obj):
    """World point of a site, or of the origin of a body."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return load3(d.site_xpos, obj)
    return load3(d.xpos, obj)


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


@kernel
def put_along(m, d, address, width, bodies, points, direction):
    """Velocity of the first point minus that of the second along a direction, for each dof that moves either."""
    dof1, dof2 = last_dof(m, bodies[0]), last_dof(m, bodies[1])
    offset1 = from_tree_center(m, d, bodies[0], points[0])
    offset2 = from_tree_center(m, d, bodies[1], points[1])
    for k in range(address + width - 1, address - 1, -1):
        dof, linear = difference_column(d, dof1, dof2, offset1, offset2)
        put_entry(d, k, dof, dot(direction, linear))
        dof1, dof2 = step_back(m, dof1, dof2)


@kernel
def subtract_drift(d, row, drift):
    """Three rows of efc_aref less their drift, where they act."""
    drift = where3(d.efc_KBIP[row, 2] > 0.0, drift, ZERO3)
    d.efc_aref[row] = d.efc_aref[row] - drift[0]
    d.efc_aref[row + 1] = d.efc_aref[row + 1] - drift[1]
    d.efc_aref[row + 2] = d.efc_aref[row + 2] - drift[2]


@kernel
def row_acts(d, row):
    """Worlds where the equality of a row is active."""
    return d.efc_KBIP[row, 2] > 0.0
