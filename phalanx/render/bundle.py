"""Bundles of rays, and which shapes they may meet.

A bundle is a cone that holds all rays of a tile: apex, axis, cosine and sine of its half angle, by how much it is
thicker all around, and how far it reaches along the axis. Rays of a perspective camera have no thickness, parallel
ones no angle. A shape whose bounding sphere stays outside is met by none of the rays.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load9, store3, store4
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, maximum, minimum, sqrt
from phalanx.algebra.vector import add, add_scaled, dot, norm, scale, sub

#: Places in a bundle.
APEX, AXIS, COSINE, SINE, THICKNESS, LENGTH = 0, 3, 6, 7, 8, 9
#: Part by which bundles are widened, so that rounding never leaves out what a ray meets.
SLACK = 1e-9
#: Radius of the sphere around a shape without end.
ENDLESS = 1e100


@kernel
def view_ray(f, x, y):
    """(origin, direction) of the ray through a point of the picture, in pixels from its upper left corner.

    The direction has length 1 along the axis of the camera, so that distances are depths.
    """
    across, up = f.left + x * f.step_x, f.top - y * f.step_y
    mat = load9(f.axes, 0)
    aside = (mat[0] * across + mat[1] * up, mat[3] * across + mat[4] * up, mat[6] * across + mat[7] * up)
    eye, ahead = load3(f.eye, 0), (-mat[2], -mat[5], -mat[8])
    if f.orthographic != 0:
        zero = 0.0 * across
        return add(eye, aside), (ahead[0] + zero, ahead[1] + zero, ahead[2] + zero)
    zero = 0.0 * across
    return (eye[0] + zero, eye[1] + zero, eye[2] + zero), add(aside, ahead)


@kernel
def set_bundle(f, apex, axis, cosine, thickness, length):
    """Store a bundle, a bit wider than it is."""
    store3(f.bundle, APEX, apex)
    store3(f.bundle, AXIS, axis)
    cosine = maximum(0.0, minimum(1.0, cosine - SLACK))
    f.bundle[COSINE] = cosine
    f.bundle[SINE] = sqrt(1.0 - cosine * cosine)
    f.bundle[THICKNESS] = thickness
    f.bundle[LENGTH] = length


@kernel
def bundle_of_view(f, x0, y0, x1, y1):
    """The rays through a rectangle of the picture."""
    origin, middle = view_ray(f, 0.5 * (x0 + x1), 0.5 * (y0 + y1))
    axis = scale(middle, 1.0 / norm(middle))
    cosine, thickness, longest = 1.0, 0.0, 0.0
    for corner in ((x0, y0), (x1, y0), (x0, y1), (x1, y1)):
        start, direction = view_ray(f, corner[0], corner[1])
        length = norm(direction)
        cosine = minimum(cosine, dot(axis, direction) / length)
        thickness = maximum(thickness, norm(sub(start, origin)))
        longest = maximum(longest, length)
    set_bundle(f, origin, axis, cosine, thickness, f.far * longest)


@kernel
def may_meet(f, shape):
    """May a ray of the bundle meet the shape?"""
    radius = f.shape_radius[shape]
    if radius < 0.0:
        return True
    offset = sub(load3(f.shape_center, shape), load3(f.bundle, APEX))
    along = dot(offset, load3(f.bundle, AXIS))
    reach = (radius + f.bundle[THICKNESS]) * (1.0 + SLACK)
    if along < -reach or along > f.bundle[LENGTH] + reach:
        return False
    aside = sqrt(maximum(0.0, dot(offset, offset) - along * along))
    return aside * f.bundle[COSINE] - along * f.bundle[SINE] <= reach + SLACK * along


@kernel
def select_from_all(f, target):
    """All shapes that the bundle may meet, from near to far; returns how many. Shapes are in lanes here."""
    apex, axis = load3(f.bundle, APEX), load3(f.bundle, AXIS)
    cosine, sine, thickness, length = f.bundle[COSINE], f.bundle[SINE], f.bundle[THICKNESS], f.bundle[LENGTH]
    width = lane_count(f.sphere[0, 0])
    found = 0
    for chunk in range((f.nshape + width - 1) // width):
        x, y, z, radius = load4(f.sphere, chunk)
        offset = sub((x, y, z), apex)
        along = dot(offset, axis)
        reach = (radius + thickness) * (1.0 + SLACK)
        aside = sqrt(maximum(dot(offset, offset) - along * along, 0.0))
        is_near = aside * cosine - along * sine <= reach + SLACK * along
        may = and_(is_near, and_(along >= -reach, along <= length + reach))
        if any_(may):
            for w in range(min(width, f.nshape - chunk * width)):
                if lane_get(may, w):
                    target[found] = f.shape_order[chunk * width + w]
                    found += 1
    return found


@kernel
def select_shapes(f, source, count, target):
    """Shapes of a list that the bundle may meet, in the same order; returns how many."""
    found = 0
    for k in range(count):
        shape = source[k]
        if may_meet(f, shape):
            target[found] = shape
            found += 1
    return found


@kernel
def arrange_shapes(f):
    """Centers and least depths of all shapes, and their order from near to far."""
    mat, eye = load9(f.axes, 0), load3(f.eye, 0)
    ahead = (-mat[2], -mat[5], -mat[8])
    for shape in range(f.nshape):
        frame, middle = load9(f.shape_mat, shape), load3(f.shape_middle, shape)
        center = add_scaled(load3(f.shape_pos, shape), (frame[0], frame[3], frame[6]), middle[0])
        center = add_scaled(center, (frame[1], frame[4], frame[7]), middle[1])
        center = add_scaled(center, (frame[2], frame[5], frame[8]), middle[2])
        store3(f.shape_center, shape, center)
        radius = f.shape_radius[shape]
        f.shape_depth[shape] = dot(sub(center, eye), ahead) - radius if radius >= 0.0 else 0.0
    # what was sorted for the last picture nearly is for this one
    for k in range(1, f.nshape):
        shape, place = f.shape_order[k], k
        while place > 0 and is_nearer(f, shape, f.shape_order[place - 1]):
            f.shape_order[place] = f.shape_order[place - 1]
            place = place - 1
        f.shape_order[place] = shape
    line_up_spheres(f)


@kernel
def line_up_spheres(f):
    """Bounding spheres in the order of shapes, in lanes."""
    zero = 0.0 * f.sphere[0, 0]
    width = lane_count(zero)
    for chunk in range((f.nshape + width - 1) // width):
        x, y, z, reach = zero, zero, zero, zero
        for w in range(min(width, f.nshape - chunk * width)):
            shape = f.shape_order[chunk * width + w]
            center, radius = load3(f.shape_center, shape), f.shape_radius[shape]
            x, y, z = lane_set(x, w, center[0]), lane_set(y, w, center[1]), lane_set(z, w, center[2])
            reach = lane_set(reach, w, radius if radius >= 0.0 else ENDLESS)
        store4(f.sphere, chunk, (x, y, z, reach))


@kernel
def is_nearer(f, a, b):
    """Does shape a come before shape b? Of two at the same depth the first one does."""
    near, far = f.shape_depth[a], f.shape_depth[b]
    return near < far or (near == far and a < b)
