"""What the convex searches ask of a shape, as tables by type of shape. Rows are with the shapes (`collision/geom`).

Two shapes at a time are laid out in the working memory of a collision, side 0 and side 1 (`convex/support.py`). Keys
are geom types, and two shapes that are no geoms: POINT and SEGMENT, a sphere and a capsule without radius.

A shape without faces and edges needs a support point only; its pairs have one contact.

The last table is that of distances (`collision/distance.py`), by pair of types.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import minimum, splat, where
from phalanx.algebra.vector import add_scaled, where3
from phalanx.collision.collide import collide
from phalanx.collision.table import NO_CONTACT
from phalanx.tables.geoms import MODULES

#: Shapes that are no geoms.
POINT, SEGMENT = 20, 21

#: Shapes that are no geoms have their rows with the colliders that make them: prisms, triangles, elements.
_SUPPORT = (
    *MODULES, "phalanx.collision.pair.hfield", "phalanx.collision.pair.triangle_mesh", "phalanx.collision.flex.search",
)  # fmt: skip


@kernel
def support_point(m, d, side, direction):
    """World point of the shape that lies farthest along a unit vector. Without a row: the position of the shape."""
    return load3(d.convex_pos, side)


@kernel
def no_faces(m, d, side, n, outward):
    """How many faces of the shape meet at the place where it is touched: the corner, edge or face in `clip_corner`.

    `n` vertices tell the place, `outward` is the normal there. Rows list the faces in `clip_faces`, unless they have a
    row in `face_id`.
    """
    return 0


@kernel
def listed_face(m, d, side, i):
    """Id of the i-th of these faces, by which `face_normal` and `face_outline` know it."""
    return d.clip_faces[side, i]


@kernel
def no_normal(m, d, side, face):
    """Outward unit normal of a face."""
    return (0.0, 0.0, 0.0)


@kernel
def no_outline(m, d, side, face):
    """How many corners a face has; rows write them to `clip_face`, clockwise as seen from outside."""
    return 0


@kernel
def no_edges(m, d, side):
    """How many edges of the shape lie at the place where it is touched; rows write where they start to `clip_start`."""
    return 0


@kernel
def no_end(m, d, side, i):
    """The far end of the i-th of these edges."""
    return (0.0, 0.0, 0.0)


@kernel
def contact_distance(m, d, pair, geom1, geom2, distmax):
    """(dist, from, to): signed distance of two geoms and their nearest points, or `distmax` and zero if none is less.

    `pair` is the key, geom1 has the smaller type. Without a row: the least distance of the contacts that appear with
    this margin.
    """
    like = d.geom_xpos[geom1, 0]
    zero = splat(like, 0.0)
    count = collide(m, d, geom1, geom2, distmax, like < NO_CONTACT)
    dist, start, end = splat(like, minimum(distmax, NO_CONTACT)), (zero, zero, zero), (zero, zero, zero)
    for k in range(count):
        near, pos, normal = d.near_dist[k], load3(d.near_pos, k), load3(d.near_normal, k)
        is_nearer = near < dist
        dist = where(is_nearer, near, dist)
        start = where3(is_nearer, add_scaled(pos, normal, -0.5 * near), start)
        end = where3(is_nearer, add_scaled(pos, normal, 0.5 * near), end)
    return where(dist < NO_CONTACT, dist, distmax), start, end


support = Table("support", support_point, _SUPPORT)
faces_at = Table("faces_at", no_faces, MODULES)
face_id = Table("face_id", listed_face, MODULES)
face_normal = Table("face_normal", no_normal, MODULES)
face_outline = Table("face_outline", no_outline, MODULES)
edges_at = Table("edges_at", no_edges, MODULES)
edge_end = Table("edge_end", no_end, MODULES)
pair_distance = Table("pair_distance", contact_distance, ("phalanx.collision.distance",))
