"""Contacts, distance and ray of free-standing shapes at many poses: loops around what geoms of a Model use.

Inputs and results are flat arrays: row k of the inputs are two poses (position, quaternion), or a pose, an origin and a
direction.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion
from phalanx.algebra.memory import load3, load4, store3, store9
from phalanx.algebra.number import minimum, splat
from phalanx.algebra.vector import add_scaled, dot, negate, norm, scale, sub
from phalanx.collision.broad.bounds import are_near
from phalanx.collision.collide import collide, load_geom
from phalanx.collision.contact import contact_frame
from phalanx.collision.distance import geom_distance
from phalanx.collision.geom.mesh import ray_mesh
from phalanx.collision.pair.triangle_mesh import triangle_mesh_contacts, triangle_mesh_distance
from phalanx.collision.ray.ray import NOWHERE, ray_geom
from phalanx.collision.shape.shapes import TRIANGLES
from phalanx.collision.table import put

#: Squared cosine of an angle that is as good as none.
UPRIGHT = 1.0 - 1e-8
#: Operations.
CONTACTS, DISTANCES, RAYS = 0, 1, 2
#: Numbers of a pose.
POSE = 7
#: Numbers of a row of inputs: two poses.
INPUTS = 2 * POSE
#: Numbers of a row of results: a distance, a point, and a frame or a second point.
RESULTS = 13


@kernel
def place(d, geom, inputs, start):
    """Put a geom at the pose that starts somewhere in the inputs."""
    store3(d.geom_xpos, geom, load3(inputs, start))
    store9(d.geom_xmat, geom, from_quaternion(load4(inputs, start + 3)))


@kernel
def candidates_of(m, d, inputs, k, margin):
    """How many candidates of the two geoms at the poses of row k a collider finds."""
    place(d, 0, inputs, INPUTS * k)
    place(d, 1, inputs, INPUTS * k + POSE)
    near = are_near(m, d, 0, 1, margin)
    if not near:
        return 0
    if m.geom_type[1] == TRIANGLES:
        return triangle_candidates(m, d, margin)
    return collide(m, d, 0, 1, margin, near)


@kernel
def triangle_candidates(m, d, margin):
    """Contacts of the first geom and the triangles of the second."""
    count = triangle_mesh_contacts(m, d, load_geom(m, d, 1), m.geom_type[0], load_geom(m, d, 0), margin)
    for i in range(count):
        put(d, i, d.world_dist[i], load3(d.world_pos, i), negate(load3(d.world_normal, i)))
    return count


@kernel
def tangent_of(d, i):
    """The tangent that a candidate prefers; zero where MuJoCo's frame would be crooked, because it is the normal."""
    normal, tangent = load3(d.near_normal, i), load3(d.near_tangent, i)
    along = dot(normal, tangent)
    if normal[0] != 0.0 and along * along > UPRIGHT:
        return (0.0, 0.0, 0.0)
    return tangent


@kernel
def list_contacts(m, d, inputs, n, margin, sign, results, owners, capacity):
    """How many contacts n rows have in all; as many as fit go to the results, with the row they belong to.

    With sign -1 the normals point from the second geom to the first.
    """
    found = 0
    for k in range(n):
        for i in range(candidates_of(m, d, inputs, k, margin)):
            if d.near_dist[i] <= margin:
                if found < capacity:
                    start = RESULTS * found
                    results[start] = d.near_dist[i]
                    store3(results, start + 1, load3(d.near_pos, i))
                    normal = scale(load3(d.near_normal, i), sign)
                    store9(results, start + 4, contact_frame(normal, tangent_of(d, i)))
                    owners[found] = k
                found += 1
    return found


@kernel
def list_rays(m, d, inputs, n, results):
    """Distance, point and normal of n rays at the first geom."""
    for k in range(n):
        start = INPUTS * k
        place(d, 0, inputs, start)
        origin, direction = load3(inputs, start + POSE), load3(inputs, start + POSE + 3)
        x, normal = surface_hit(m, d, origin, direction)
        results[RESULTS * k] = x
        store3(results, RESULTS * k + 1, add_scaled(origin, direction, x if x >= 0.0 else NOWHERE))
        store3(results, RESULTS * k + 4, normal)


@kernel
def farthest(m, d):
    """More than the distance of the two geoms; a margin that is no larger than needed costs no digits."""
    centers = norm(sub(load3(d.geom_xpos, 1), load3(d.geom_xpos, 0)))
    return 2.0 * (centers + m.geom_rbound[0] + m.geom_rbound[1])


@kernel
def pair_distance(m, d, limit):
    """(distance, nearest point of the first geom, of the second), `limit` if it is more."""
    if m.geom_type[1] == TRIANGLES:
        dist = triangle_mesh_distance(m, d, load_geom(m, d, 1), m.geom_type[0], load_geom(m, d, 0), limit)
        return dist, load3(d.convex_x2, 0), load3(d.convex_x1, 0)
    return geom_distance(m, d, 0, 1, limit)


@kernel
def surface_hit(m, d, origin, direction):
    """(distance, normal) of a ray at the first geom."""
    if m.geom_type[0] == TRIANGLES:
        return ray_mesh(m, d, load_geom(m, d, 0), 0, origin, direction, splat(origin[0], -1.0))
    return ray_geom(m, d, 0, origin, direction, splat(origin[0], -1.0))


@kernel
def list_distances(m, d, inputs, n, far, results):
    """Distance and nearest points of n rows; points are nowhere if the distance is `far` or more."""
    for k in range(n):
        place(d, 0, inputs, INPUTS * k)
        place(d, 1, inputs, INPUTS * k + POSE)
        limit = minimum(far, farthest(m, d))
        dist, first, second = pair_distance(m, d, limit)
        is_less = dist < limit
        results[RESULTS * k] = dist if is_less else far
        store3(results, RESULTS * k + 1, first if is_less else (NOWHERE, NOWHERE, NOWHERE))
        store3(results, RESULTS * k + 4, second if is_less else (NOWHERE, NOWHERE, NOWHERE))


@kernel
def query(operation, m, d, n, capacity, inputs, options, results, owners, count):
    """One operation on n rows of inputs; the options are a margin or a largest distance, and a sign."""
    if operation == CONTACTS:
        count[0] = list_contacts(m, d, inputs, n, options[0], options[1], results, owners, capacity)
    elif operation == DISTANCES:
        list_distances(m, d, inputs, n, options[0], results)
    else:
        list_rays(m, d, inputs, n, results)
