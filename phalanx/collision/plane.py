"""A plane against everything that is not a plane. The plane's normal is its z axis."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.vector import add_scaled, dot, sub
from phalanx.collision.table import collider, put
from phalanx.tables.enums import GeomType


@collider(GeomType.PLANE, GeomType.SPHERE, max_contacts=1)
@kernel
def plane_sphere(m, d, plane, sphere, margin):
    normal = (plane[1][2], plane[1][5], plane[1][8])
    radius = sphere[2][0]
    dist = dot(normal, sub(sphere[0], plane[0])) - radius
    put(d, 0, dist, add_scaled(sphere[0], normal, -(radius + 0.5 * dist)), normal)
    return 1
