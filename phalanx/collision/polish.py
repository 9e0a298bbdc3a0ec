"""The last step of a convex search: from a direction near the best one to the best one, to the last digits.

Let h(n) be how far the difference of two shapes, the set of all a - b, reaches along a unit vector n. The depth of an
overlap is the least h of all directions, and minus the distance of separate shapes as well. The searches (`gjk`, `epa`)
stop at a tolerance, which leaves half as many digits of the direction. Here h is minimised by Newton's method.

Without their radii the shapes are polytopes plus ellipsoids and discs (see `shape_tables.py`), so h is the largest of
n . v over corners v, plus a smooth function s. The corners at which h is reached are held: with one the direction has
two degrees of freedom, with two it is at right angles to their edge, with three it is the normal of their face. At the
least h, s' and a mean of the held corners add up to a vector along n; a corner with a negative weight in that mean is
let go, one that reaches farther is taken in. The disc of a cylinder has an edge at its axis: there it is tried as a
face of its own (`at_cap`).

A direction is only taken if the shapes do not overlap more along it. One world at a time, in double precision (see
`support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import abs_, maximum, minimum, sqrt
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, norm, normalize, scale, sub
from phalanx.collision.epa import across, triangle_normal
from phalanx.collision.gjk import FAR, shadow
from phalanx.collision.shape_tables import corner_of, curve_change, curve_point
from phalanx.collision.support import TYPE, copy_vertex, difference_support
from phalanx.tables.enums import GeomType

CYLINDER = int(GeomType.CYLINDER)

#: Rows of the vertex pool from here on are the held corners, at most three; then the newest support point.
HELD, NEWEST = 4, 7
#: How often the held corners may change, and steps of Newton's method in between.
ROUNDS, STEPS = 24, 10
#: The longest step, and one that is short enough to be the last: the next would be about its square [rad].
WIDEST, LAST = 0.1, 1e-7
#: Rounding of h, relative to the coordinates it is made of.
ROUNDING = 1e-15
#: A curvature is larger than this part of the coordinates.
FLAT = 1e-9
#: The cap of a cylinder is tried if the product of direction and axis is not less.
CAP_CONE = 0.95


# --- the corners that are held


@kernel
def put_corners(m, d, row, k):
    """Make a row of the pool the pair of corners that vertex k belongs to."""
    first = corner_of(d.convex_id[0, TYPE], m, d, 0, k)
    second = corner_of(d.convex_id[1, TYPE], m, d, 1, k)
    store3(d.convex_first, row, first)
    store3(d.convex_second, row, second)
    store3(d.convex_vertex, row, sub(first, second))


@kernel
def is_held(d, held, row):
    """Is a row of the pool one of the held corners?"""
    point, known = load3(d.convex_vertex, row), False
    for k in range(held):
        apart = sub(load3(d.convex_vertex, HELD + k), point)
        known = known or dot(apart, apart) == 0.0
    return known


@kernel
def hold(m, d, count):
    """Hold the corners of the vertices at which the search ended, in `clip_row`; how many they are."""
    held = 0
    for k in range(count):
        put_corners(m, d, HELD + held, d.clip_row[k])
        if not is_held(d, held, HELD + held):
            held += 1
    return held


@kernel
def lightest(d, held):
    """Number of the held corner with the least weight."""
    best = 0
    for k in range(1, held):
        if d.convex_weight[k] < d.convex_weight[best]:
            best = k
    return best


@kernel
def let_go(d, held, k):
    """Drop a held corner; how many are left."""
    last = held - 1
    copy_vertex(d, HELD + k, HELD + last)
    d.convex_weight[k] = d.convex_weight[last]
    return last


@kernel
def take_in(d, held, normal):
    """Hold the newest corner too; if there are three, in place of the one that leaves the weights positive.

    As the simplex method chooses it: along the way of the mean to the newest corner, the weight that is zero first.
    """
    if held == 3:
        a, b, c = load3(d.convex_vertex, HELD), load3(d.convex_vertex, HELD + 1), load3(d.convex_vertex, HELD + 2)
        newest = load3(d.convex_vertex, NEWEST)
        newest = add_scaled(newest, normal, -dot(normal, sub(newest, a)))
        u, v, w = shadow(a, b, c, newest)
        whole = u + v + w
        held = let_go(
            d, held, first_to_vanish(d, (u / whole, v / whole, w / whole)) if whole != 0.0 else lightest(d, 3)
        )
    copy_vertex(d, HELD + held, NEWEST)
    return held + 1


@kernel
def first_to_vanish(d, shares):
    """Number of the held corner with the least ratio of weight and share, of those with a positive share."""
    x, y, z = shares
    x = d.convex_weight[0] / x if x > 0.0 else FAR
    y = d.convex_weight[1] / y if y > 0.0 else FAR
    z = d.convex_weight[2] / z if z > 0.0 else FAR
    if x <= y and x <= z:
        return 0
    return 1 if y <= z else 2


# --- the smooth function of a direction


@kernel
def curves(m, d, normal):
    """Support points of the curved parts of both shapes."""
    first = curve_point(d.convex_id[0, TYPE], m, d, 0, normal)
    return first, curve_point(d.convex_id[1, TYPE], m, d, 1, negate(normal))


@kernel
def pull_at(m, d, normal):
    """The support point of the difference, as far as the first held corner has to do with it: the derivative of h."""
    first, second = curves(m, d, normal)
    return add(load3(d.convex_vertex, HELD), sub(first, second))


@kernel
def change_at(m, d, normal, turn):
    """How fast the support point moves with a turn of the direction."""
    first = curve_change(d.convex_id[0, TYPE], m, d, 0, normal, turn)
    return add(first, curve_change(d.convex_id[1, TYPE], m, d, 1, negate(normal), turn))


@kernel
def step_on_circle(m, d, normal, pull, edge):
    """(step, convex) at right angles to the edge of two held corners."""
    turn = normalize(cross(edge, normal))
    slope, bend = dot(turn, pull), dot(turn, change_at(m, d, normal, turn)) - dot(normal, pull)
    return scale(turn, -slope / maximum(abs_(bend), FLAT * norm(pull) + MINVAL)), bend > 0.0


@kernel
def step_on_sphere(m, d, normal, pull):
    """(step, convex) of Newton's method; where h is not convex, the curvature is raised until it is."""
    u = normalize(across(normal))
    v = cross(normal, u)
    by_u, by_v = change_at(m, d, normal, u), change_at(m, d, normal, v)
    height = dot(normal, pull)
    uu, uv, vv = dot(u, by_u) - height, dot(u, by_v), dot(v, by_v) - height
    least = 0.5 * (uu + vv) - sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    raised = maximum(abs_(least), FLAT * norm(pull) + MINVAL) - least
    uu, vv = uu + raised, vv + raised
    slope_u, slope_v = dot(u, pull), dot(v, pull)
    whole = uu * vv - uv * uv
    by = (slope_v * uv - slope_u * vv) / whole
    return add_scaled(scale(u, by), v, (slope_u * uv - slope_v * uu) / whole), least > 0.0


@kernel
def descend(m, d, held, normal):
    """(direction, settled): the direction of the least h with one or two corners held, starting from one nearby.

    Where h is not convex one step: other corners may have to hold it.
    """
    corner = load3(d.convex_vertex, HELD)
    edge = sub(load3(d.convex_vertex, HELD + 1), corner)
    if held == 2:
        normal = normalize(cross(cross(edge, normal), edge))
    pull = pull_at(m, d, normal)
    longest = WIDEST
    for _ in range(STEPS):
        if held == 2:
            step, convex = step_on_circle(m, d, normal, pull, edge)
        else:
            step, convex = step_on_sphere(m, d, normal, pull)
        length = norm(step)
        if length > longest:
            step = scale(step, longest / length)
        trial = normalize(add(normal, step))
        trial_pull = pull_at(m, d, trial)
        if dot(trial, trial_pull) <= dot(normal, pull) + ROUNDING * (norm(pull) + norm(corner)):
            normal, pull = trial, trial_pull
            if length < LAST:
                return normal, True
            if not convex:
                return normal, False
        elif length < LAST:
            return normal, True
        else:
            longest = 0.25 * minimum(length, longest)
    return normal, False


@kernel
def face_along(d, normal):
    """Normal of the face of three held corners that points the same way as another; that one if they are on a line."""
    a, b, c = load3(d.convex_vertex, HELD), load3(d.convex_vertex, HELD + 1), load3(d.convex_vertex, HELD + 2)
    found = triangle_normal(a, b, c)
    along = dot(found, normal)
    if along == 0.0:
        return normal
    return found if along > 0.0 else negate(found)


# --- the points of the shapes


@kernel
def put_weights(d, held, pull, normal):
    """Weights of the held corners, which may be negative, whose mean with the curves lies along the normal."""
    d.convex_weight[0], d.convex_weight[1], d.convex_weight[2] = 1.0, 0.0, 0.0
    if held == 1:
        return
    a = add_scaled(pull, normal, -dot(normal, pull))
    corner = load3(d.convex_vertex, HELD)
    to_b = sub(load3(d.convex_vertex, HELD + 1), corner)
    if held == 2:
        square = dot(to_b, to_b)
        part = -dot(a, to_b) / square if square > 0.0 else 0.0
        d.convex_weight[0], d.convex_weight[1] = 1.0 - part, part
        return
    to_c = sub(load3(d.convex_vertex, HELD + 2), corner)
    u, v, w = shadow(a, add(a, to_b), add(a, to_c), (0.0, 0.0, 0.0))
    whole = u + v + w
    if whole != 0.0:
        d.convex_weight[0], d.convex_weight[1], d.convex_weight[2] = u / whole, v / whole, w / whole


@kernel
def mean_held(d, points, held):
    """Mean of the held corners of one shape."""
    total = scale(load3(points, HELD), d.convex_weight[0])
    for k in range(1, held):
        total = add_scaled(total, load3(points, HELD + k), d.convex_weight[k])
    return total


@kernel
def put_answer(d, held, normal, first, second):
    """Keep a direction, and the nearest points: means of the held corners, and the points of the curves."""
    store3(d.convex_normal, 0, normal)
    store3(d.convex_x1, 0, add(mean_held(d, d.convex_first, held), first))
    store3(d.convex_x2, 0, add(mean_held(d, d.convex_second, held), second))


# --- the cap of a cylinder


@kernel
def at_cap(m, d, side, normal, best, slack):
    """(h, done): the axis of a cylinder as direction, if its cap is where the shapes meet and h is not above `best`."""
    mat = load9(d.convex_mat, side)
    axis = (mat[2], mat[5], mat[8])
    along = dot(axis, normal)
    if abs_(along) < CAP_CONE:
        return best, False
    if along < 0.0:
        axis = negate(axis)
    height = reach(m, d, axis)
    put_corners(m, d, NEWEST, NEWEST)
    first, second = curves(m, d, axis)
    zero = (0.0, 0.0, 0.0)
    first, second = (zero if side == 0 else first), (zero if side == 1 else second)
    pull = add(load3(d.convex_vertex, NEWEST), sub(first, second))
    off = add_scaled(pull, axis, -dot(pull, axis))
    if height > best + slack or norm(off) > d.convex_size[side, 0]:
        return best, False
    if side == 0:
        first = negate(off)
    else:
        second = off
    store3(d.convex_normal, 0, axis)
    store3(d.convex_x1, 0, add(load3(d.convex_first, NEWEST), first))
    store3(d.convex_x2, 0, add(load3(d.convex_second, NEWEST), second))
    return height, True


# --- the whole


@kernel
def reach(m, d, normal):
    """h of a direction, with the support point in row NEWEST of the pool."""
    difference_support(m, d, NEWEST, normal)
    return dot(normal, load3(d.convex_vertex, NEWEST))


@kernel
def improve(m, d, held, normal, best, slack):
    """The least h near a direction, beginning with some held corners; answers that are not above `best` are kept."""
    for _ in range(ROUNDS):
        settled = True
        if held == 3:
            normal = face_along(d, normal)
        else:
            normal, settled = descend(m, d, held, normal)
        first, second = curves(m, d, normal)
        put_weights(d, held, add(load3(d.convex_vertex, HELD), sub(first, second)), normal)
        height = reach(m, d, normal)
        put_corners(m, d, NEWEST, NEWEST)
        if height <= best + slack:
            best = minimum(best, height)
            put_answer(d, held, normal, first, second)
        farther = dot(normal, sub(load3(d.convex_vertex, NEWEST), load3(d.convex_vertex, HELD)))
        least = lightest(d, held)
        is_negative = d.convex_weight[least] < 0.0
        if farther > slack and not is_held(d, held, NEWEST) and not (held == 3 and is_negative):
            held = take_in(d, held, normal)
        elif is_negative:
            held = let_go(d, held, least)
        elif settled:
            break
    return best


@kernel
def polish_from(m, d, count, normal, best):
    """The least h near a direction, or `best` if that is less; normal and nearest points are replaced if it is not.

    `count` vertices in `clip_row` tell which corners may be held.
    """
    slack = ROUNDING * (norm(load3(d.convex_pos, 0)) + norm(load3(d.convex_pos, 1)) + norm(load3(d.convex_x1, 0)))
    done = False
    for side in range(2):
        if d.convex_id[side, TYPE] == CYLINDER and not done:
            best, done = at_cap(m, d, side, normal, best, slack)
    if not done:
        best = improve(m, d, hold(m, d, count), normal, best, slack)
    return best


@kernel
def polish(m, d, count, distance):
    """Signed distance of the two shapes, without their radii: what the search found, or the exact one.

    The search left a direction in `convex_normal`, nearest points in `convex_x1` and `convex_x2`, and in `clip_row` the
    `count` vertices at which it ended. Direction and points are replaced where the shapes do not overlap more along the
    new direction.
    """
    normal = load3(d.convex_normal, 0)
    height = reach(m, d, normal)
    if not height + distance > ROUNDING * (norm(load3(d.convex_first, NEWEST)) + norm(load3(d.convex_second, NEWEST))):
        return distance
    return -polish_from(m, d, count, normal, height)
