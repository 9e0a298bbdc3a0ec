"""The two points, bodies and orientations that an equality of bodies or sites is about."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load4, load9
from phalanx.algebra.quaternion import multiply
from phalanx.algebra.vector import add
from phalanx.tables.enums import ObjType


@kernel
def anchor_body(m, equality, thing):
    """Body of an object of the equality."""
    return m.site_bodyid[thing] if m.eq_objtype[equality] == ObjType.SITE else thing


@kernel
def anchor_point(m, d, equality, thing, place):
    """World point of an object: a site, or the point of a body that eq_data holds from `place` on."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return load3(d.site_xpos, thing)
    data = m.eq_data
    local = (data[equality, place], data[equality, place + 1], data[equality, place + 2])
    return add(load3(d.xpos, thing), multiply_vector(load9(d.xmat, thing), local))


@kernel
def anchor_turn(m, d, equality, thing):
    """Orientation of an object."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return multiply(load4(d.xquat, m.site_bodyid[thing]), load4(m.site_quat, thing))
    return load4(d.xquat, thing)


@kernel
def origin(m, d, equality, thing):
    """World point of a site, or of the origin of a body."""
    if m.eq_objtype[equality] == ObjType.SITE:
        return load3(d.site_xpos, thing)
    return load3(d.xpos, thing)


@kernel
def sum_invweight(m, body1, body2, kind):
    """Inverse inertia of two bodies at qpos0: kind 0 against translation, 1 against rotation."""
    return m.body_invweight0[body1, kind] + m.body_invweight0[body2, kind]
