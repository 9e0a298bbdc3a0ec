"""The best step along a direction: the cost on the line is convex, its derivative is brought to zero.

Newton steps on one side until the slope changes its sign, then a bracket that shrinks. Costs are differences to the
start of the line. `search_quad` keeps the cost of each row as a polynomial of the step:

    one-sided row     c0, c1, c2: c0 + c1 t + c2 t^2 where it acts; its cost at the start
    elliptic contact  c0, c1, c2 (all of it pushes), U0, V0, UU, UV, VV, D_m, mu, |U| at the start, is it plain
                      (U, V: point and direction in coordinates where the cone is round)

A point of the line is (step, cost, slope, second derivative).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, any_, is_single, maximum, not_, or_, splat, sqrt, where
from phalanx.algebra.quaternion import where4
from phalanx.algebra.vector import MINVAL
from phalanx.solver.island_products import cone_zone, dot_dofs, has_cone, is_plain, multiply_inertia, row_times
from phalanx.tables.enums import ConstraintType

#: Distance from 1 to the next number.
SINGLE_UNIT, DOUBLE_UNIT = 2.0**-23, 2.0**-52


# --- the cost along the line


@kernel
def prepare_line(m, d):
    """Derivatives of everything along `search`. Returns the size of the terms whose sum the slope is."""
    rows, jar, Jv, quad = d.solve_row, d.solve_jar, d.search_Jv, d.search_quad
    multiply_inertia(m, d, d.search_Mv, d.search)
    inertial, smooth = dot_dofs(d, d.search, d.solve_Ma), dot_dofs(d, d.search, d.qfrc_smooth)
    slope, terms = inertial - smooth, abs_(inertial) + abs_(smooth)
    curvature = 0.5 * dot_dofs(d, d.search, d.search_Mv)
    for i in range(d.solve_nrow):
        row = rows[i]
        v = row_times(d, row, d.search)
        Jv[row] = v
        force = d.efc_D[row] * jar[row]
        terms = terms + abs_(v * force)
        # equalities are quadratic everywhere: all of them are one polynomial
        if i < d.solve_ne:
            slope = slope + v * force
            curvature = curvature + 0.5 * (v * d.efc_D[row] * v)
        else:
            quad[row, 0] = 0.5 * (jar[row] * force)
            quad[row, 1] = v * force
            quad[row, 2] = 0.5 * (v * d.efc_D[row] * v)
            quad[row, 3] = where(jar[row] < 0.0, quad[row, 0], 0.0)
    d.search_slope = slope
    d.search_curvature = curvature
    i = d.solve_ne + d.solve_nf
    while i < d.solve_nrow:
        row = rows[i]
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
            i += prepare_cone(d, row)
        else:
            i += 1
    return terms


@kernel
def prepare_cone(d, row):
    """Polynomials of an elliptic contact; returns how many rows it has."""
    jar, Jv, quad = d.solve_jar, d.search_Jv, d.search_quad
    contact = d.efc_id[row]
    dim = d.contact_dim[contact]
    own = has_cone(d, row)
    mu = where(own, d.contact_mu[contact], 1.0)
    c0, c1, c2 = quad[row, 0], quad[row, 1], quad[row, 2]
    UU, UV, VV = splat(mu, 0.0), splat(mu, 0.0), splat(mu, 0.0)
    for j in range(1, dim):
        c0 = c0 + quad[row + j, 0]
        c1 = c1 + quad[row + j, 1]
        c2 = c2 + quad[row + j, 2]
        friction = where(own, d.contact_friction[contact, j - 1], 1.0)
        U, V = jar[row + j] * friction, Jv[row + j] * friction
        UU = UU + U * U
        UV = UV + U * V
        VV = VV + V * V
    # the memory of three rows holds the contact: dim is at least 3
    quad[row, 0] = c0
    quad[row, 1] = c1
    quad[row, 2] = c2
    quad[row, 3] = jar[row] * mu
    quad[row + 1, 0] = Jv[row] * mu
    quad[row + 1, 1] = UU
    quad[row + 1, 2] = UV
    quad[row + 1, 3] = VV
    quad[row + 2, 0] = d.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    quad[row + 2, 1] = mu
    quad[row + 2, 2] = sqrt(UU)
    quad[row + 2, 3] = where(is_plain(d, row), 1.0, 0.0)
    return dim


@kernel
def friction_at(start, v, step, D, R, loss):
    """(cost, slope, second derivative) of a friction loss: quadratic near zero, linear beyond."""
    x = start + step * v
    bound = R * loss
    was_negative, was_positive = start <= -bound, start >= bound
    negative, positive = x <= -bound, x >= bound
    was_linear, linear = or_(was_negative, was_positive), or_(negative, positive)
    cost = where(linear, loss * (-0.5 * bound + abs_(x)), 0.5 * D * x * x)
    cost_start = where(was_linear, loss * (-0.5 * bound + abs_(start)), 0.5 * D * start * start)
    change = cost - cost_start
    # in the same piece: without the difference of large numbers
    change = where(and_(was_negative, negative), loss * (start - x), change)
    change = where(and_(was_positive, positive), loss * (x - start), change)
    change = where(or_(was_linear, linear), change, 0.5 * D * (x - start) * (x + start))
    slope = where(negative, -loss * v, where(positive, loss * v, D * x * v))
    return change, slope, where(linear, 0.0, D * v * v)


@kernel
def cone_at(d, row, step):
    """(cost, slope, second derivative) of an elliptic contact."""
    quad = d.search_quad
    c0, c1, c2, U0 = quad[row, 0], quad[row, 1], quad[row, 2], quad[row, 3]
    V0, UU, UV, VV = quad[row + 1, 0], quad[row + 1, 1], quad[row + 1, 2], quad[row + 1, 3]
    mass, mu, T0 = quad[row + 2, 0], quad[row + 2, 1], quad[row + 2, 2]
    square_change = step * (2.0 * UV + step * VV)
    N, T = U0 + step * V0, sqrt(maximum(UU + square_change, 0.0))
    was_top, was_bottom = cone_zone(U0, T0, mu)
    top, bottom = cone_zone(N, T, mu)
    # changes of the cost are computed without the difference of large terms, by the zones of start and end
    quadratic = step * step * c2 + step * c1
    start_cost, cost = where(was_bottom, c0, 0.0), where(bottom, c0 + quadratic, 0.0)
    change = where(and_(was_bottom, bottom), quadratic, cost - start_cost)
    slope = where(bottom, 2.0 * step * c2 + c1, 0.0)
    curvature = where(bottom, 2.0 * c2, 0.0)
    was_sliding, sliding = not_(or_(was_top, was_bottom)), not_(or_(top, bottom))
    if any_(or_(was_sliding, sliding)):
        r0, r = U0 - mu * T0, N - mu * T
        at_start, at_end = mu * U0 + T0, mu * N + T
        r_change = step * V0 - mu * (square_change / where(and_(was_sliding, sliding), T + T0, 1.0))
        change = where(and_(was_sliding, sliding), 0.5 * mass * r_change * (2.0 * r0 + r_change), change)
        change = where(and_(was_sliding, bottom), quadratic + 0.5 * mass * at_start * at_start, change)
        change = where(and_(was_bottom, sliding), quadratic - 0.5 * mass * at_end * at_end, change)
        change = where(and_(was_top, sliding), 0.5 * mass * r * r, change)
        change = where(and_(was_sliding, top), -0.5 * mass * r0 * r0, change)
        # first and second derivative of T
        length = where(sliding, T, 1.0)
        T1 = (UV + step * VV) / length
        T2 = VV / length - (UV + step * VV) * T1 / (length * length)
        rate = V0 - mu * T1
        slope = where(sliding, mass * r * rate, slope)
        curvature = where(sliding, mass * (rate * rate + r * (-mu * T2)), curvature)
    return change, slope, curvature


@kernel
def point_at(d, step):
    """The point of the line at a step."""
    rows, jar, Jv, quad = d.solve_row, d.solve_jar, d.search_Jv, d.search_quad
    zero = splat(step, 0.0)
    cost, slope, curvature = zero, zero, zero
    c0, c1, c2 = zero, d.search_slope, d.search_curvature
    first = d.solve_ne + d.solve_nf
    for i in range(d.solve_ne, first):
        row = rows[i]
        a, b, c = friction_at(jar[row], Jv[row], step, d.efc_D[row], d.efc_R[row], d.efc_frictionloss[row])
        cost = cost + a
        slope = slope + b
        curvature = curvature + c
    i = first
    while i < d.solve_nrow:
        row = rows[i]
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
            a, b, c = cone_at(d, row, step)
            i += d.contact_dim[d.efc_id[row]]
            plain = quad[row + 2, 3] != 0.0
            if any_(plain):
                # as a row of its own, so that sums come in the same order as without a cone
                start, acts = jar[row], and_(plain, jar[row] + step * Jv[row] < 0.0)
                at_start = where(and_(plain, start < 0.0), quad[row, 0], 0.0)
                c0 = c0 + where(acts, quad[row, 0] - at_start, 0.0)
                c1 = c1 + where(acts, quad[row, 1], 0.0)
                c2 = c2 + where(acts, quad[row, 2], 0.0)
                cost = cost - where(acts, 0.0, at_start)
            cost = cost + where(plain, 0.0, a)
            slope = slope + where(plain, 0.0, b)
            curvature = curvature + where(plain, 0.0, c)
        else:
            acts = jar[row] + step * Jv[row] < 0.0
            at_start = quad[row, 3]
            c0 = c0 + where(acts, quad[row, 0] - at_start, 0.0)
            c1 = c1 + where(acts, quad[row, 1], 0.0)
            c2 = c2 + where(acts, quad[row, 2], 0.0)
            cost = cost - where(acts, 0.0, at_start)
            i += 1
    cost = cost + (step * step * c2 + step * c1 + c0)
    slope = slope + (2.0 * step * c2 + c1)
    curvature = curvature + 2.0 * c2
    return (step, cost, slope, where(curvature <= 0.0, MINVAL, curvature))


# --- the search


@kernel
def newton_step(point):
    """Where the slope would be zero if the cost were quadratic."""
    return point[0] - point[2] / point[3]


@kernel
def closer(point, candidate):
    """Is the candidate on the same side of the minimum, and nearer to it?"""
    below = and_(and_(point[2] < 0.0, candidate[2] < 0.0), point[2] < candidate[2])
    above = and_(and_(point[2] > 0.0, candidate[2] > 0.0), point[2] > candidate[2])
    return or_(below, above)


@kernel
def shrink_bracket(point, candidates, is_open):
    """One end of the bracket moved to the candidates nearer to the minimum, and where it has moved."""
    first, second, third = candidates
    a = and_(is_open, closer(point, first))
    point = where4(a, first, point)
    b = and_(is_open, closer(point, second))
    point = where4(b, second, point)
    c = and_(is_open, closer(point, third))
    point = where4(c, third, point)
    return point, or_(a, or_(b, c))


@kernel
def best_candidate(candidates, tolerance):
    """The candidate of lowest cost among those flat enough, and where there is one."""
    best, second, third = candidates
    found = abs_(best[2]) < tolerance
    better = and_(abs_(second[2]) < tolerance, or_(not_(found), second[1] < best[1]))
    best, found = where4(better, second, best), or_(found, better)
    better = and_(abs_(third[2]) < tolerance, or_(not_(found), third[1] < best[1]))
    return where4(better, third, best), or_(found, better)


@kernel
def line_search(m, d, active, scale):
    """(step, decrease of the cost, scaled slope left, evaluations) along `search`; step 0 where nothing is gained."""
    norm = sqrt(dot_dofs(d, d.search, d.search))
    todo = and_(active, norm >= MINVAL)
    terms = prepare_line(m, d)
    # in single precision the tolerance is often less than what rounding leaves of the slope
    unit = SINGLE_UNIT if is_single(norm) else DOUBLE_UNIT
    tolerance = maximum(m.opt.tolerance * m.opt.ls_tolerance * norm / scale, unit * terms)
    most = m.opt.ls_iterations
    zero = splat(norm, 0.0)
    start = point_at(d, zero)
    p1 = point_at(d, newton_step(start))
    count = splat(norm, 2.0)
    converged = and_(abs_(p1[2]) < tolerance, or_(p1[0] == 0.0, p1[1] < 0.0))
    result = where4(and_(todo, converged), p1, (zero, zero, zero, zero))
    todo = and_(todo, not_(converged))

    # Newton steps until the slope changes its sign
    side = where(p1[2] < 0.0, 1.0, -1.0)
    p2 = start
    going = and_(todo, and_(p1[2] * side <= -tolerance, count < most))
    while any_(going):
        p2 = where4(going, p1, p2)
        p1 = where4(going, point_at(d, newton_step(p1)), p1)
        count = where(going, count + 1.0, count)
        converged = and_(going, and_(abs_(p1[2]) < tolerance, p1[1] < 0.0))
        result = where4(converged, p1, result)
        todo = and_(todo, not_(converged))
        going = and_(and_(going, not_(converged)), and_(p1[2] * side <= -tolerance, count < most))
    exhausted = and_(todo, count >= most)
    result = where4(exhausted, p1, result)
    todo = and_(todo, not_(exhausted))
    if any_(todo):
        result, count = bracket_search(d, p1, p2, result, count, todo, tolerance, most)
    return result[0], -result[1], abs_(result[2]) * (scale / norm), count


@kernel
def bracket_search(d, p1, p2, result, count, todo, tolerance, most):
    """Shrink a bracket by Newton steps from both ends and by halves. Returns (point, evaluations)."""
    p2next = p1
    p1next = point_at(d, newton_step(p1))
    count = where(todo, count + 1.0, count)
    is_open = and_(todo, count < most)
    while any_(is_open):
        middle = point_at(d, 0.5 * (p1[0] + p2[0]))
        count = where(is_open, count + 1.0, count)
        candidates = (p1next, p2next, middle)
        best, found = best_candidate(candidates, tolerance)
        found = and_(is_open, found)
        result = where4(found, best, result)
        todo = and_(todo, not_(found))
        is_open = and_(is_open, not_(found))
        p1, moved1 = shrink_bracket(p1, candidates, is_open)
        p2, moved2 = shrink_bracket(p2, candidates, is_open)
        if any_(moved1):
            p1next = where4(moved1, point_at(d, newton_step(p1)), p1next)
            count = where(moved1, count + 1.0, count)
        if any_(moved2):
            p2next = where4(moved2, point_at(d, newton_step(p2)), p2next)
            count = where(moved2, count + 1.0, count)
        # as narrow as numbers get
        stuck = and_(is_open, not_(or_(moved1, moved2)))
        result = where4(stuck, middle, result)
        todo = and_(todo, not_(stuck))
        is_open = and_(and_(is_open, not_(stuck)), count < most)
    first = and_(p1[1] <= p2[1], p1[1] < 0.0)
    second = and_(not_(first), and_(p2[1] <= p1[1], p2[1] < 0.0))
    result = where4(and_(todo, first), p1, result)
    return where4(and_(todo, second), p2, result), count
