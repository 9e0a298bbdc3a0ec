"""How far geoms travel in a step at their present velocities, and which are fast enough to pass through others."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6, store3, store6
from phalanx.algebra.number import and_, maximum, minimum, or_
from phalanx.algebra.spatial import ZERO6
from phalanx.algebra.vector import norm, scale
from phalanx.collision.broad.bounds import are_near
from phalanx.memory.flags import is_enabled
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.velocity import add_axes
from phalanx.tables.enums import EnableBit, GeomType
from phalanx.tables.geoms import CONVEX


@kernel
def looks_ahead(m):
    """Are contacts looked for that are yet to come?"""
    return is_enabled(m, EnableBit.SPECULATIVE)


@kernel
def find_travel(m, d):
    """geom_shift, geom_rotation, geom_travel (the way of the surface) of all geoms; body_travel: the most of a body."""
    store6(d.ahead_cvel, 0, ZERO6)
    d.body_travel[0] = 0.0
    for body in range(1, m.nbody):
        velocity = load6(d.ahead_cvel, m.body_parentid[body])
        store6(d.ahead_cvel, body, add_axes(d, velocity, m.body_dofadr[body], m.body_dofnum[body]))
        d.body_travel[body] = 0.0
    for geom in range(m.ngeom):
        body, step = m.geom_bodyid[geom], m.opt.timestep
        twist = load6(d.ahead_cvel, body)
        shift = scale(point_velocity(twist, from_tree_center(m, d, body, load3(d.geom_xpos, geom))), step)
        # a ball looks the same however it is rotated
        rotation = scale((twist[0], twist[1], twist[2]), 0.0 if m.geom_type[geom] == GeomType.SPHERE else step)
        store3(d.geom_shift, geom, shift)
        store3(d.geom_rotation, geom, rotation)
        d.geom_travel[geom] = norm(shift) + norm(rotation) * m.geom_rbound[geom]
        d.body_travel[body] = maximum(d.body_travel[body], d.geom_travel[geom])


@kernel
def is_fast(m, d, geom):
    """Does the surface of a geom travel farther than the least half size of its box?"""
    box = m.geom_aabb
    return d.geom_travel[geom] > minimum(box[geom, 3], minimum(box[geom, 4], box[geom, 5]))


@kernel
def may_meet(m, d, geom1, geom2, reach):
    """Worlds in which one of two geoms is fast, and their bounds may come within reach in the step."""
    if m.geom_type[geom2] not in CONVEX or m.geom_type[geom1] not in (GeomType.PLANE, *CONVEX):
        return d.geom_travel[geom2] < 0.0
    near = are_near(m, d, geom1, geom2, reach + d.geom_travel[geom1] + d.geom_travel[geom2])
    fast2 = is_fast(m, d, geom2)
    if m.geom_type[geom1] == GeomType.PLANE:
        return and_(near, fast2)
    return and_(near, or_(is_fast(m, d, geom1), fast2))
