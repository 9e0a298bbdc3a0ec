"""Distance of two convex shapes: the algorithm of Gilbert, Johnson and Keerthi.

The shapes overlap if their difference, the set of all a - b, contains the origin; otherwise its point nearest to the
origin tells distance and direction. The search keeps a simplex of at most four support points of the difference (rows
0 to 3 of the vertex pool), finds the point of the simplex nearest to the origin by signed volumes (Montanari, Petrinic
and Barbieri, 2017), drops the vertices that do not carry it, and adds the support point towards the origin.

When only contact matters, a tetrahedron is instead flipped over face by face until it contains the origin or shows a
separating direction (`tetrahedron_search`).

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, maximum
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, norm, scale, sub
from phalanx.collision.convex.support import copy_vertex, difference_support

#: A distance that stands for "farther than asked for".
FAR = 1e30
#: Longest normal of a simplex face that is trusted.
LONGEST = 1e10

#: Rows of the vertex pool from here on are free for the search; the four before them are the simplex.
SEARCH = 4

#: Outcome of the search for a tetrahedron around the origin.
OUTSIDE, INSIDE, UNDECIDED = 0, 1, -1


# --- the point of a simplex nearest to the origin, as weights of its vertices


@kernel
def same_sign(a, b):
    """Are both positive or both negative? Zero has no sign."""
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@kernel
def volume(a, b, c):
    """Six times the signed volume between a triangle and the origin; exact even for a small triangle far away."""
    return dot(a, cross(sub(b, a), sub(c, a)))


@kernel
def projected_areas(a, b, c, p):
    """Areas of the triangles pbc, pca and pab for p in the plane of abc, seen along the axis that shows most of abc.

    Taken from differences to p: a small triangle far from the origin loses no digits.
    """
    pa, pb, pc = sub(a, p), sub(b, p), sub(c, p)
    n = cross(sub(b, a), sub(c, a))
    x, y, z = abs_(n[0]), abs_(n[1]), abs_(n[2])
    if x >= y and x >= z:
        return (pb[1] * pc[2] - pb[2] * pc[1], pc[1] * pa[2] - pc[2] * pa[1], pa[1] * pb[2] - pa[2] * pb[1])
    if y >= z:
        return (pb[2] * pc[0] - pb[0] * pc[2], pc[2] * pa[0] - pc[0] * pa[2], pa[2] * pb[0] - pa[0] * pb[2])
    return (pb[0] * pc[1] - pb[1] * pc[0], pc[0] * pa[1] - pc[1] * pa[0], pa[0] * pb[1] - pa[1] * pb[0])


@kernel
def origin_on_plane(a, b, c):
    """(ok, point): the origin projected on the plane of three points; not ok if they are on a line."""
    ab, ac, bc = sub(b, a), sub(c, a), sub(c, b)
    n = cross(bc, ab)
    height, square = dot(n, b), dot(n, n)
    if square == 0.0:
        return False, (0.0, 0.0, 0.0)
    if height != 0.0 and square > MINVAL:
        return True, scale(n, height / square)
    n = cross(ab, ac)
    height, square = dot(n, a), dot(n, n)
    if square == 0.0:
        return False, (0.0, 0.0, 0.0)
    if height != 0.0 and square > MINVAL:
        return True, scale(n, height / square)
    n = cross(ac, bc)
    height, square = dot(n, c), dot(n, n)
    if square == 0.0:
        return False, (0.0, 0.0, 0.0)
    return True, scale(n, height / square)


@kernel
def segment_weights(a, b):
    """Weights of the ends of a segment at its point nearest to the origin; (0, 1) is its end b."""
    along = sub(b, a)
    square = dot(along, along)
    if square == 0.0:
        return (0.0, 1.0)
    p = add_scaled(b, along, -(dot(b, along) / square))
    # measure on the axis where the segment is longest
    span, on_a, on_b = a[0] - b[0], p[0] - b[0], a[0] - p[0]
    if abs_(a[1] - b[1]) >= abs_(span):
        span, on_a, on_b = a[1] - b[1], p[1] - b[1], a[1] - p[1]
    if abs_(a[2] - b[2]) >= abs_(span):
        span, on_a, on_b = a[2] - b[2], p[2] - b[2], a[2] - p[2]
    if same_sign(span, on_a) and same_sign(span, on_b):
        return (on_a / span, on_b / span)
    return (0.0, 1.0)


@kernel
def segment_square(weights, a, b):
    """Squared distance of a weighted point from the origin."""
    x = add_scaled(scale(a, weights[0]), b, weights[1])
    return dot(x, x)


@kernel
def triangle_weights(a, b, c):
    """Weights of the corners of a triangle at its point nearest to the origin."""
    ok, p = origin_on_plane(a, b, c)
    if not ok:
        on_edge = segment_weights(a, b)
        return (on_edge[0], on_edge[1], 0.0)
    # areas opposite the corners, whose signs say beyond which edges the origin is
    on_a, on_b, on_c = projected_areas(a, b, c, p)
    whole = on_a + on_b + on_c
    in_a, in_b, in_c = same_sign(whole, on_a), same_sign(whole, on_b), same_sign(whole, on_c)
    if in_a and in_b and in_c:
        return (on_a / whole, on_b / whole, on_c / whole)
    best, nearest = (0.0, 0.0, 0.0), FAR
    if not in_a:
        w = segment_weights(b, c)
        best, nearest = (0.0, w[0], w[1]), segment_square(w, b, c)
    if not in_b:
        w = segment_weights(a, c)
        square = segment_square(w, a, c)
        if square < nearest:
            best, nearest = (w[0], 0.0, w[1]), square
    if not in_c:
        w = segment_weights(a, b)
        if segment_square(w, a, b) < nearest:
            best = (w[0], w[1], 0.0)
    return best


@kernel
def triangle_square(weights, a, b, c):
    """Squared distance of a weighted point from the origin."""
    x = add_scaled(add_scaled(scale(a, weights[0]), b, weights[1]), c, weights[2])
    return dot(x, x)


@kernel
def tetrahedron_weights(a, b, c, e):
    """Weights of the corners of a tetrahedron at its point nearest to the origin."""
    on_a, on_b = -volume(b, c, e), volume(a, c, e)
    on_c, on_e = -volume(a, b, e), volume(a, b, c)
    whole = on_a + on_b + on_c + on_e
    in_a, in_b = same_sign(whole, on_a), same_sign(whole, on_b)
    in_c, in_e = same_sign(whole, on_c), same_sign(whole, on_e)
    # volumes opposite the corners all have the sign of the whole: the origin is inside
    if in_a and in_b and in_c and in_e:
        return (on_a / whole, on_b / whole, on_c / whole, on_e / whole)
    # else the nearest of the faces that the origin is beyond
    best, nearest = (0.0, 0.0, 0.0, 0.0), FAR
    if not in_a:
        w = triangle_weights(b, c, e)
        best, nearest = (0.0, w[0], w[1], w[2]), triangle_square(w, b, c, e)
    if not in_b:
        w = triangle_weights(a, c, e)
        square = triangle_square(w, a, c, e)
        if square < nearest:
            best, nearest = (w[0], 0.0, w[1], w[2]), square
    if not in_c:
        w = triangle_weights(a, b, e)
        square = triangle_square(w, a, b, e)
        if square < nearest:
            best, nearest = (w[0], w[1], 0.0, w[2]), square
    if not in_e:
        w = triangle_weights(a, b, c)
        if triangle_square(w, a, b, c) < nearest:
            best = (w[0], w[1], w[2], 0.0)
    return best


@kernel
def simplex_weights(d, n):
    """Weights of the first n vertices of the pool; those that do not carry the nearest point have none."""
    a = load3(d.convex_vertex, 0)
    if n == 1:
        return (1.0, 0.0, 0.0, 0.0)
    b = load3(d.convex_vertex, 1)
    if n == 2:
        u = segment_weights(a, b)
        return (u[0], u[1], 0.0, 0.0)
    c = load3(d.convex_vertex, 2)
    if n == 3:
        v = triangle_weights(a, b, c)
        return (v[0], v[1], v[2], 0.0)
    return tetrahedron_weights(a, b, c, load3(d.convex_vertex, 3))


@kernel
def keep_weighted(d, n, weights):
    """Drop the vertices without weight; returns how many are left, their weights in `convex_weight`."""
    d.convex_weight[0], d.convex_weight[1] = weights[0], weights[1]
    d.convex_weight[2], d.convex_weight[3] = weights[2], weights[3]
    kept = 0
    for k in range(n):
        weight = d.convex_weight[k]
        if weight != 0.0:
            if kept != k:
                copy_vertex(d, kept, k)
                d.convex_weight[kept] = weight
            kept += 1
    return kept


@kernel
def weighted_sum(d, points, n):
    """The point that `convex_weight` makes of the first n points."""
    total = scale(load3(points, 0), d.convex_weight[0])
    for k in range(1, n):
        total = add_scaled(total, load3(points, k), d.convex_weight[k])
    return total


@kernel
def distance_of(d, n, weights):
    """Distance from the origin of the point that weights make of the first n vertices."""
    total = scale(load3(d.convex_vertex, 0), weights[0])
    for k in range(1, n):
        weight = weights[1] if k == 1 else (weights[2] if k == 2 else weights[3])
        total = add_scaled(total, load3(d.convex_vertex, k), weight)
    return norm(total)


# --- the search


@kernel
def gjk(m, d, start, tolerance, cutoff, iterations):
    """(distance, n, apart): how far apart the shapes are, how many vertices of the pool are the final simplex, and
    whether a separating direction was seen.

    `start` is a point of the difference, such as that of the centers. With a positive `cutoff` distances up to it are
    found, witness points in row 0 of `convex_x1` and `convex_x2`; with zero, only whether the shapes touch. FAR means
    separated, or beyond the cutoff, and `convex_normal` is a unit vector along which they are; zero with n == 4, a
    tetrahedron around the origin. Two polytopes may ask for zero tolerance: the search is finite.
    """
    may_search = cutoff <= 0.0
    gap, shortest = 0.5 * tolerance * tolerance, maximum(tolerance, MINVAL)
    x, n, k = start, 0, 0
    length, previous = norm(x), 0.0
    if length < MINVAL:  # the centers coincide: any direction will do
        x, length = (1.0, 0.0, 0.0), 1.0
    while k < iterations and (k == 0 or (length >= shortest and abs_(previous - length) >= MINVAL)):
        difference_support(m, d, n, scale(x, -1.0 / length))
        point = load3(d.convex_vertex, n)
        if dot(x, sub(x, point)) < gap:
            if n == 0:  # the start is the nearest point already
                n = 1
                d.convex_weight[0] = 1.0
            break
        lower = dot(x, point)
        if lower > 0.0 and lower >= cutoff * length:
            store3(d.convex_normal, 0, scale(x, -1.0 / length))
            return FAR, 0, True
        if n == 3 and may_search:
            outcome, k = tetrahedron_search(m, d, k, iterations)
            if outcome == INSIDE:
                return 0.0, 4, False
            if outcome == OUTSIDE:
                return FAR, 0, True
            may_search = False
        weights = simplex_weights(d, n + 1)
        if tolerance == 0.0 and k > 0 and distance_of(d, n + 1, weights) >= length + MINVAL:
            # a tie: the new vertex is as far along as the point at hand, which is the nearest
            break
        n = keep_weighted(d, n + 1, weights)
        if n == 0:
            return FAR, 0, True
        x = weighted_sum(d, d.convex_vertex, n)
        previous, length = (length if k > 0 else 0.0), norm(x)
        if n == 4:
            break
        k += 1
    store3(d.convex_x1, 0, weighted_sum(d, d.convex_first, n))
    store3(d.convex_x2, 0, weighted_sum(d, d.convex_second, n))
    apart = False
    if length > 0.0:
        difference_support(m, d, SEARCH, scale(x, -1.0 / length))
        apart = dot(x, load3(d.convex_vertex, SEARCH)) > 0.0
    if n == 4 and not apart:
        length = 0.0
    return length, n, apart


@kernel
def face_plane(d, a, b, c):
    """(normal, distance from the origin) of the face of three vertices of the search; FAR if it has no normal."""
    corner = load3(d.convex_vertex, SEARCH + a)
    normal = cross(sub(load3(d.convex_vertex, SEARCH + c), corner), sub(load3(d.convex_vertex, SEARCH + b), corner))
    length = norm(normal)
    if length > MINVAL and length < LONGEST:
        normal = scale(normal, 1.0 / length)
        return normal, dot(normal, corner)
    return normal, FAR


@kernel
def tetrahedron_search(m, d, k, iterations):
    """(outcome, k): replace the vertex opposite to the face that the origin is farthest beyond, until there is none.

    Works on a copy of the simplex; only a tetrahedron around the origin replaces it. k counts iterations.
    """
    for i in range(4):
        copy_vertex(d, SEARCH + i, i)
    p, q, r, s = 0, 1, 2, 3  # in an order that makes outward normals
    a, b, c = load3(d.convex_vertex, 0), load3(d.convex_vertex, 1), load3(d.convex_vertex, 2)
    if dot(cross(sub(b, a), sub(c, a)), sub(load3(d.convex_vertex, 3), a)) < 0.0:
        q, r = 2, 1
    while k < iterations:
        normal_p, dist_p = face_plane(d, r, q, s)
        normal_q, dist_q = face_plane(d, p, r, s)
        normal_r, dist_r = face_plane(d, q, p, s)
        normal_s, dist_s = face_plane(d, p, q, r)
        if dist_p == 0.0 or dist_q == 0.0 or dist_r == 0.0 or dist_s == 0.0:
            return UNDECIDED, k
        front = dist_p if dist_p < dist_q else dist_q
        back = dist_r if dist_r < dist_s else dist_s
        if front > 0.0 and back > 0.0:
            copy_vertex(d, 0, SEARCH + p)
            copy_vertex(d, 1, SEARCH + q)
            copy_vertex(d, 2, SEARCH + r)
            copy_vertex(d, 3, SEARCH + s)
            return INSIDE, k
        # a new vertex, and two others swapped to keep the orientation
        if front < back:
            if dist_p < dist_q:
                worst, normal = p, normal_p
                q, r = r, q
            else:
                worst, normal = q, normal_q
                r, s = s, r
        elif dist_r < dist_s:
            worst, normal = r, normal_r
            s, p = p, s
        else:
            worst, normal = s, normal_s
            p, q = q, p
        difference_support(m, d, SEARCH + worst, normal)
        if dot(normal, load3(d.convex_vertex, SEARCH + worst)) < 0.0:
            store3(d.convex_normal, 0, normal)
            return OUTSIDE, k
        k += 1
    return UNDECIDED, k
