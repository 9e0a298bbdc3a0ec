"""Where a shape meets a plane: the face that looks at it most, the line on its side, or a point.

The shape is on side 1 of the working memory of convex searches (`convex/support.py`), one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_
from phalanx.algebra.vector import dot, negate, normalize, scale
from phalanx.collision.convex.features import direction_in_world, face_corner
from phalanx.collision.convex.multicontact import ALONG
from phalanx.collision.convex.support import MESH, TYPE, direction_in_shape, to_world
from phalanx.collision.convex.table import face_normal, face_outline
from phalanx.collision.table import put_world
from phalanx.tables.enums import GeomType

#: Faces of a box, caps of a cylinder.
BOX_FACES, CAPS = 6, 2
#: Most points of a patch.
MOST = 4


@kernel
def plane_patch(m, d, normal, reach):
    """How many points of the shape meet a plane with this normal; they are put as contacts, their distances are not.

    `reach` is the distance from which points may still touch.
    """
    kind = d.convex_id[1, TYPE]
    if kind in (GeomType.CAPSULE, GeomType.CYLINDER):
        axis = direction_in_world(d, 1, (0.0, 0.0, 1.0))
        if abs_(dot(axis, normal)) < ALONG:
            return side_line(d, kind, normal, reach)
    if kind == GeomType.BOX:
        return face_patch(m, d, kind, BOX_FACES, normal)
    if kind == GeomType.CYLINDER:
        return face_patch(m, d, kind, CAPS, normal)
    if kind == GeomType.MESH:
        return face_patch(m, d, kind, m.mesh_polynum[d.convex_id[1, MESH]], normal)
    put_world(d, 0, 0.0, load3(d.convex_x2, 0), normal)
    return 1


@kernel
def side_line(d, kind, normal, reach):
    """The ends of the line on the side of a capsule or cylinder that is nearest to the plane."""
    radius, half = d.convex_size[1, 0], d.convex_size[1, 1]
    down = direction_in_shape(d, 1, negate(normal))
    start = half if kind == GeomType.CYLINDER and down[2] >= 0.0 else -half
    if kind == GeomType.CYLINDER:
        across = scale(normalize((down[0], down[1], 0.0)), radius)
    else:
        # of a capsule that is grown by half of the reach and shrinks along the normal, ends move along the axis
        across = (radius * down[0], radius * down[1], -0.5 * reach * down[2])
    put_world(d, 0, 0.0, to_world(d, 1, (across[0], across[1], across[2] + start)), normal)
    put_world(d, 1, 0.0, to_world(d, 1, (across[0], across[1], across[2] - start)), normal)
    return 2


@kernel
def face_patch(m, d, kind, faces, normal):
    """Corners of the face that looks at the plane most; of more than four, four, spread over the outline."""
    best, most = 0, -2.0
    for face in range(faces):
        looks = -dot(face_normal(kind, m, d, 1, face), normal)
        if looks > most:
            best, most = face, looks
    corners = face_outline(kind, m, d, 1, best)
    count = min(corners, MOST)
    for k in range(count):
        corner = k if corners <= MOST else k * (corners - 1) // MOST
        put_world(d, k, 0.0, face_corner(d, 1, corner), normal)
    return count
