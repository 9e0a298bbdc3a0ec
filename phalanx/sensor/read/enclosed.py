"""How far an object stands out of a site; negative where the object is enclosed, by its clearance.

Both are convex: along a unit vector the object stands out of the site by the difference of the two support functions,
and the largest difference over all vectors is sought. From each of the six directions of the axes of the zone the
search climbs on the unit sphere, in steps of equal length. A step that does not lead higher is halved and taken in a
direction halfway between uphill here and uphill there, so that a search caught on a ridge follows the ridge.

What comes out is a local maximum in the end, and each search may be ended by `ccd_iterations` or `ccd_tolerance`, as
in MuJoCo: the result may be too small, but a positive one is never wrong about an object that stands out.

The searches take the worlds in turn.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, from_quaternion, matmul, multiply_vector, transpose
from phalanx.algebra.memory import load3, load4, load9
from phalanx.algebra.number import lane_count, lane_set, splat
from phalanx.algebra.vector import MINVAL, add, add_scaled, dot, negate, norm, scale, sub
from phalanx.collision.collide import geom_of_world, load_geom
from phalanx.collision.convex.gjk import FAR
from phalanx.collision.convex.support import TYPE, search_tolerance, set_shape
from phalanx.collision.convex.table import support
from phalanx.tables.enums import GeomType, ObjType

#: Sides of the working memory of a collision.
OBJECT, ZONE = 0, 1
#: Pose of the zone in its own frame.
HERE, UPRIGHT = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
#: Length of the first steps on the unit sphere.
FIRST_STEP = 0.5


# --- the shapes


@kernel
def load_site(m, d, site):
    """(pos, mat, size, dataid) of a site as of a geom: a mesh has its own frame, the site that of the file."""
    pos, mat, mesh = load3(d.site_xpos, site), load9(d.site_xmat, site), m.site_dataid[site]
    if m.site_type[site] == GeomType.MESH:
        pos = add(pos, multiply_vector(mat, load3(m.mesh_pos, mesh)))
        mat = matmul(mat, from_quaternion(load4(m.mesh_quat, mesh)))
    return pos, mat, load3(m.site_size, site), mesh


@kernel
def seen_from(place, shape):
    """A shape in the frame of another: there the first directions are exact, and tell the sides of edges."""
    pos, mat = sub(shape[0], place[0]), transpose(place[1])
    return multiply_vector(mat, pos), matmul(mat, shape[1]), shape[2], shape[3]


@kernel
def geoms_of(m, kind, objid):
    """First geom and the one after the last: of a body, of a body with all its descendants, or a single one."""
    if kind == ObjType.BODY:
        return m.body_geomadr[objid], m.body_geomadr[objid] + m.body_geomnum[objid]
    if kind != ObjType.XBODY:
        return objid, objid + 1
    # bodies are numbered along the tree, so those of a subtree follow one another, and their geoms too
    first, count, body = m.ngeom, 0, objid
    while body == objid or (body < m.nbody and m.body_parentid[body] >= objid):
        if count == 0 and m.body_geomnum[body] > 0:
            first = m.body_geomadr[body]
        count += m.body_geomnum[body]
        body += 1
    return first, first + count


# --- the search


@kernel
def overhang(m, d, normal):
    """How far the object stands out along a unit vector, and the line between the two support points."""
    inner = support(d.convex_id[OBJECT, TYPE], m, d, OBJECT, normal)
    outer = support(d.convex_id[ZONE, TYPE], m, d, ZONE, normal)
    line = sub(inner, outer)
    return dot(normal, line), line


@kernel
def along_sphere(v, normal):
    """The part of a vector across a unit vector: its direction (zeros if it has none) and its length."""
    across = add_scaled(v, normal, -dot(v, normal))
    length = norm(across)
    return scale(across, 1.0 / length if length >= MINVAL else 0.0), length


@kernel
def climb(m, d, normal, tolerance):
    """The highest overhang found by going uphill from one direction."""
    top, line = overhang(m, d, normal)
    course, slope = along_sphere(line, normal)
    step, trials = FIRST_STEP, 1
    while trials < m.opt.ccd_iterations and slope >= MINVAL and step >= tolerance:
        ahead = add_scaled(normal, course, step)
        ahead = scale(ahead, 1.0 / norm(ahead))
        height, line = overhang(m, d, ahead)
        uphill, slope = along_sphere(line, ahead)
        if height > top:
            top, normal, course = height, ahead, uphill
        else:
            step *= 0.5
            course, slope = along_sphere(add(course, uphill), normal)
        trials += 1
    return top


@kernel
def climb_all(m, d):
    """The highest overhang of all six searches."""
    tolerance = search_tolerance(m, d)
    top = climb(m, d, column(UPRIGHT, 0), tolerance)
    for k in range(1, 6):
        axis = column(UPRIGHT, k % 3)
        height = climb(m, d, axis if k < 3 else negate(axis), tolerance)
        top = height if height > top else top
    return top


# --- the sensor


@kernel
def overhang_in_world(m, d, zone, kind, objid, w):
    """How far the object of one world stands out: of several geoms, the one that stands out farthest."""
    d.near_world[0] = w
    place = geom_of_world(load_site(m, d, zone), w)
    set_shape(m, d, ZONE, m.site_type[zone], (HERE, UPRIGHT, place[2], place[3]), 0.0)
    if kind == ObjType.SITE:
        shape = geom_of_world(load_site(m, d, objid), w)
        set_shape(m, d, OBJECT, m.site_type[objid], seen_from(place, shape), 0.0)
        return climb_all(m, d)
    first, end = geoms_of(m, kind, objid)
    top = -FAR
    for geom in range(first, end):
        shape = geom_of_world(load_geom(m, d, geom), w)
        set_shape(m, d, OBJECT, m.geom_type[geom], seen_from(place, shape), 0.0)
        height = climb_all(m, d)
        top = height if height > top else top
    return top


@kernel
def site_overhang(m, d, zone, kind, objid):
    """How far an object (a geom, a site, the geoms of a body or of a subtree) stands out of a site, by world."""
    like = d.site_xpos[zone, 0]
    result = splat(like, 0.0)
    for w in range(lane_count(like)):
        # through memory, to be rounded to the precision of the physics
        d.world_dist[0] = overhang_in_world(m, d, zone, kind, objid, w)
        result = lane_set(result, w, d.world_dist[0])
    return result
