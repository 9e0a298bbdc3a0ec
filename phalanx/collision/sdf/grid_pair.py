"""Contacts of signed distance grids: where two fields are equally deep, and least so.

Between the surfaces of two shapes, apart or overlapping, the larger of the two distances is smallest where both are
equal and their gradients oppose. Their sum there is the signed distance of the surfaces, never below the true one:
the ball of either distance around the point is inside or outside of its shape.

From points spread over the overlap of the bounding boxes, steps along the sum of the gradients go down on the surface
of equal distances. Starts that end at the same place are one contact, the deepest; where faces meet there is no slope,
and every start stays a contact of its own.

In double precision, one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import maximum, minimum
from phalanx.algebra.vector import add, add_scaled, dot, norm, normalize, scale, sub
from phalanx.collision.sdf.pair import (
    box_of,
    gradients,
    in_first,
    is_empty,
    mean_gradient,
    shared_box,
    start_point,
    values,
    with_true_distance,
)
from phalanx.collision.table import put_world
from phalanx.tables.sizes import MAXCONPAIR

#: Steps per iteration that the options ask for.
STEPS = 3
#: Part of the expected decrease that is asked for; factors on the step after success and failure.
DECREASE, GROW, SHRINK = 0.05, 1.5, 0.4
#: No slope, and the least squared difference of gradients that moves a point to equal distances.
LEVEL, OPPOSED = 1e-10, 0.25
#: How far around a contact gradients are looked at for its normal, as a part of the smaller shape.
BLUR = 0.02
#: Contacts nearer than this part of the smaller shape are one.
SAME = 0.04


@kernel
def unit_gradients(m, d, pair, point):
    """Directions in which the distances to the second and to the first surface grow."""
    slope_a, slope_b = gradients(m, d, pair, point)
    return normalize(slope_a), normalize(slope_b)


@kernel
def to_equal(m, d, pair, point):
    """A point nearby that is about as deep in one field as in the other."""
    for _ in range(2):
        a, b = values(m, d, pair, point)
        slope_a, slope_b = unit_gradients(m, d, pair, point)
        across = sub(slope_a, slope_b)
        point = add_scaled(point, across, -(a - b) / maximum(dot(across, across), OPPOSED))
    return point


@kernel
def depth_at(m, d, pair, point):
    """What the search makes small: the larger of the two distances."""
    a, b = values(m, d, pair, point)
    return maximum(a, b)


@kernel
def settle(m, d, pair, point, length, steps):
    """Go down on the surface of equal distances."""
    point = to_equal(m, d, pair, point)
    depth = depth_at(m, d, pair, point)
    for _ in range(steps):
        slope_a, slope_b = unit_gradients(m, d, pair, point)
        along = add(slope_a, slope_b)
        slope = 0.5 * dot(along, along)
        if slope < LEVEL:
            break
        trial = to_equal(m, d, pair, add_scaled(point, along, -length))
        found = depth_at(m, d, pair, trial)
        if found < depth - DECREASE * length * slope:
            point, depth, length = trial, found, length * GROW
        else:
            length *= SHRINK
    return point


@kernel
def place_of(d, count, point, same):
    """Number of the contact that a point belongs to, `count` if it is a new one."""
    for k in range(count):
        if norm(sub(point, load3(d.sdf_point, k))) < same:
            return k
    return count


@kernel
def trust(slope):
    """How much a mean of unit gradients says about the normal: little where they differ, at an edge."""
    return 1.0 / (1.01 - dot(slope, slope))


@kernel
def put_between(m, d, k, pair, second, point, blur):
    """Contact k at a point between the surfaces, in the frame of the second geom."""
    a, b = values(m, d, pair, point)
    slope_a = mean_gradient(m, d, pair[0], point, blur)
    slope_b = multiply_transposed(pair[2], mean_gradient(m, d, pair[1], in_first(pair, point), blur))
    across = sub(scale(slope_b, trust(slope_b)), scale(slope_a, trust(slope_a)))
    normal = multiply_vector(second[1], normalize(across))
    place = add(multiply_vector(second[1], point), second[0])
    put_world(d, k, a + b, add_scaled(place, normal, 0.5 * (a - b)), normal)


@kernel
def grid_contacts(m, d, pair, second, margin):
    """How many contacts the fields of a pair have; `second` is the second geom."""
    lower, upper = shared_box(m, pair, margin)
    if is_empty(lower, upper):
        return 0
    pair = (with_true_distance(pair[0]), with_true_distance(pair[1]), pair[2], pair[3])
    _, half_second = box_of(m, pair[0])
    _, half_first = box_of(m, pair[1])
    size = minimum(norm(half_second), norm(half_first))
    length = minimum(0.5 * norm(sub(upper, lower)), size)
    count = 0
    for k in range(m.opt.sdf_initpoints):
        point = settle(m, d, pair, start_point(pair, lower, upper, k + 1), length, STEPS * m.opt.sdf_iterations)
        a, b = values(m, d, pair, point)
        dist = a + b
        if dist <= margin:
            place = place_of(d, count, point, SAME * size)
            if place < MAXCONPAIR and (place == count or dist < d.sdf_dist[place]):
                store3(d.sdf_point, place, point)
                d.sdf_dist[place] = dist
                put_between(m, d, place, pair, second, point, BLUR * size)
                count += 1 if place == count else 0
    return count
