"""The best step along a direction: the cost on the line is convex, its derivative is brought to zero.

Newton steps on one side until the slope changes its sign, then a bracket that shrinks. A point of the line is (step,
slope, second derivative); its cost, the difference to the start of the line, is computed only where the slope is small
enough. What the derivatives need of each row is gathered first:

    search_side  a row that only pushes: J a - aref, J v, and its slope and half its second derivative where it acts
    search_cone  an elliptic contact, three lines: c1, c2 (all of it pushes), D_m, mu; N, its rate; UU, UV, VV, |U|, c0
                 (U, V: point and direction in coordinates where the cone is round, N: the normal in them)
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import store4
from phalanx.algebra.number import abs_, and_, any_, is_single, maximum, not_, or_, splat, sqrt, where
from phalanx.algebra.quaternion import where4
from phalanx.algebra.vector import MINVAL, where3
from phalanx.smooth.step_metric import smooth_force
from phalanx.solver.island_products import cone_zone, dot_dofs, has_cone, is_plain, multiply_inertia
from phalanx.solver.packs import island_rows_times
from phalanx.tables.enums import ConstraintType

#: Distance from 1 to the next number.
SINGLE_UNIT, DOUBLE_UNIT = 2.0**-23, 2.0**-52


# --- what is the same all along the line


@kernel
def prepare_line(m, d):
    """Derivatives of everything along `search`. Returns the size of the terms whose sum the slope is."""
    rows, jar, Jv = d.solve_row, d.solve_jar, d.search_Jv
    multiply_inertia(m, d, d.search_Mv, d.search)
    island_rows_times(d, d.search, Jv)
    inertial, smooth = dot_dofs(d, d.search, d.solve_Ma), dot_dofs(d, d.search, smooth_force(m, d))
    slope, terms = inertial - smooth, abs_(inertial) + abs_(smooth)
    curvature = 0.5 * dot_dofs(d, d.search, d.search_Mv)
    # equalities are quadratic everywhere: all of them are one polynomial
    for i in range(d.solve_ne):
        row = rows[i]
        change = Jv[row] * (d.efc_D[row] * jar[row])
        slope = slope + change
        terms = terms + abs_(change)
        curvature = curvature + half_curvature(d, row)
    d.search_slope = slope
    d.search_curvature = curvature
    first = d.solve_ne + d.solve_nf
    for i in range(d.solve_ne, first):
        row = rows[i]
        terms = terms + abs_(Jv[row] * (d.efc_D[row] * jar[row]))
    d.search_nside = 0
    d.search_ncone = 0
    i = first
    while i < d.solve_nrow:
        row = rows[i]
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
            dim = d.contact_dim[d.efc_id[row]]
            for k in range(row, row + dim):
                terms = terms + abs_(Jv[k] * (d.efc_D[k] * jar[k]))
            prepare_cone(d, row, dim)
            i += dim
        else:
            change = Jv[row] * (d.efc_D[row] * jar[row])
            terms = terms + abs_(change)
            prepare_side(d, row, (jar[row], Jv[row], change, half_curvature(d, row)))
            i += 1
    return terms


@kernel
def half_curvature(d, row):
    """Half the second derivative of a quadratic row."""
    return 0.5 * (d.search_Jv[row] * d.efc_D[row] * d.search_Jv[row])


@kernel
def prepare_side(d, row, line):
    """Note a row that only pushes."""
    place = d.search_nside
    d.search_row[place] = row
    store4(d.search_side, place, line)
    d.search_nside = place + 1


@kernel
def prepare_cone(d, row, dim):
    """Polynomials of an elliptic contact."""
    jar, Jv, cone, contact = d.solve_jar, d.search_Jv, d.search_cone, d.efc_id[row]
    own, plain = has_cone(d, row), is_plain(d, row)
    mu = where(own, d.contact_mu[contact], 1.0)
    c0, c1, c2 = splat(mu, 0.0), splat(mu, 0.0), splat(mu, 0.0)
    for k in range(row, row + dim):
        force = d.efc_D[k] * jar[k]
        c0 = c0 + 0.5 * (jar[k] * force)
        c1 = c1 + Jv[k] * force
        c2 = c2 + half_curvature(d, k)
    UU, UV, VV = splat(mu, 0.0), splat(mu, 0.0), splat(mu, 0.0)
    for j in range(1, dim):
        friction = where(own, d.contact_friction[contact, j - 1], 1.0)
        U, V = jar[row + j] * friction, Jv[row + j] * friction
        UU = UU + U * U
        UV = UV + U * V
        VV = VV + V * V
    if any_(plain):
        # without friction the normal is as a row that only pushes, and there is no cone
        prepare_side(d, row, where4(plain, (jar[row], Jv[row], c1, c2), (0.0, 0.0, 0.0, 0.0)))
    # cones are listed in the order of rows and have at least three: the memory of their rows is enough
    place = 3 * d.search_ncone
    cone[place, 0] = where(plain, 0.0, c1)
    cone[place, 1] = where(plain, 0.0, c2)
    cone[place, 2] = where(plain, 0.0, d.efc_D[row] / (mu * mu * (1.0 + mu * mu)))
    cone[place, 3] = mu
    cone[place + 1, 0] = jar[row] * mu
    cone[place + 1, 1] = Jv[row] * mu
    cone[place + 1, 2] = UU
    cone[place + 1, 3] = UV
    cone[place + 2, 0] = VV
    cone[place + 2, 1] = sqrt(UU)
    cone[place + 2, 2] = where(plain, 0.0, c0)
    d.search_ncone = d.search_ncone + 1


# --- slopes


@kernel
def friction_slope(d, row, step):
    """(slope, second derivative) of a friction loss: quadratic near zero, of constant force beyond."""
    v, loss = d.search_Jv[row], d.efc_frictionloss[row]
    x = d.solve_jar[row] + step * v
    is_linear = abs_(x) >= d.efc_R[row] * loss
    force = where(is_linear, where(x < 0.0, -loss, loss), d.efc_D[row] * x)
    return force * v, where(is_linear, 0.0, d.efc_D[row] * v * v)


@kernel
def cone_slope(d, place, step):
    """(slope, second derivative) of an elliptic contact."""
    cone = d.search_cone
    c1, c2, mass, mu = cone[place, 0], cone[place, 1], cone[place, 2], cone[place, 3]
    V0, UU, UV, VV = cone[place + 1, 1], cone[place + 1, 2], cone[place + 1, 3], cone[place + 2, 0]
    N, T = cone[place + 1, 0] + step * V0, sqrt(maximum(UU + step * (2.0 * UV + step * VV), 0.0))
    top, bottom = cone_zone(N, T, mu)
    sliding = not_(or_(top, bottom))
    # first and second derivative of T
    length = where(sliding, T, 1.0)
    T1 = (UV + step * VV) / length
    T2 = (VV - T1 * T1) / length
    excess, rate = N - mu * T, V0 - mu * T1
    slope = where(sliding, mass * excess * rate, where(bottom, 2.0 * step * c2 + c1, 0.0))
    return slope, where(sliding, mass * (rate * rate + excess * (-mu * T2)), where(bottom, 2.0 * c2, 0.0))


@kernel
def point_at(d, step):
    """The point of the line at a step."""
    rows, side = d.solve_row, d.search_side
    zero = splat(step, 0.0)
    slope, curvature, c1, c2 = zero, zero, d.search_slope, d.search_curvature
    for i in range(d.solve_ne, d.solve_ne + d.solve_nf):
        a, b = friction_slope(d, rows[i], step)
        slope = slope + a
        curvature = curvature + b
    for k in range(d.search_nside):
        acts = side[k, 0] + step * side[k, 1] < 0.0
        c1 = c1 + where(acts, side[k, 2], 0.0)
        c2 = c2 + where(acts, side[k, 3], 0.0)
    for k in range(d.search_ncone):
        a, b = cone_slope(d, 3 * k, step)
        slope = slope + a
        curvature = curvature + b
    slope = slope + (2.0 * step * c2 + c1)
    curvature = curvature + 2.0 * c2
    return (step, slope, where(curvature <= 0.0, MINVAL, curvature))


# --- costs: changes are computed without the difference of large terms, by the pieces that start and end lie in


@kernel
def friction_cost(start, v, step, D, R, loss):
    """Change of the cost of a friction loss."""
    x = start + step * v
    bound = R * loss
    was_negative, was_positive = start <= -bound, start >= bound
    negative, positive = x <= -bound, x >= bound
    was_linear, linear = or_(was_negative, was_positive), or_(negative, positive)
    cost = where(linear, loss * (-0.5 * bound + abs_(x)), 0.5 * D * x * x)
    cost_start = where(was_linear, loss * (-0.5 * bound + abs_(start)), 0.5 * D * start * start)
    change = cost - cost_start
    change = where(and_(was_negative, negative), loss * (start - x), change)
    change = where(and_(was_positive, positive), loss * (x - start), change)
    return where(or_(was_linear, linear), change, 0.5 * D * (x - start) * (x + start))


@kernel
def cone_cost_change(d, place, step):
    """Change of the cost of an elliptic contact."""
    cone = d.search_cone
    c1, c2, mass, mu = cone[place, 0], cone[place, 1], cone[place, 2], cone[place, 3]
    U0, V0, UU, UV = cone[place + 1, 0], cone[place + 1, 1], cone[place + 1, 2], cone[place + 1, 3]
    VV, T0, c0 = cone[place + 2, 0], cone[place + 2, 1], cone[place + 2, 2]
    square_change = step * (2.0 * UV + step * VV)
    N, T = U0 + step * V0, sqrt(maximum(UU + square_change, 0.0))
    was_top, was_bottom = cone_zone(U0, T0, mu)
    top, bottom = cone_zone(N, T, mu)
    quadratic = step * step * c2 + step * c1
    start_cost, cost = where(was_bottom, c0, 0.0), where(bottom, c0 + quadratic, 0.0)
    change = where(and_(was_bottom, bottom), quadratic, cost - start_cost)
    was_sliding, sliding = not_(or_(was_top, was_bottom)), not_(or_(top, bottom))
    r0, r = U0 - mu * T0, N - mu * T
    at_start, at_end = mu * U0 + T0, mu * N + T
    r_change = step * V0 - mu * (square_change / where(and_(was_sliding, sliding), T + T0, 1.0))
    change = where(and_(was_sliding, sliding), 0.5 * mass * r_change * (2.0 * r0 + r_change), change)
    change = where(and_(was_sliding, bottom), quadratic + 0.5 * mass * at_start * at_start, change)
    change = where(and_(was_bottom, sliding), quadratic - 0.5 * mass * at_end * at_end, change)
    change = where(and_(was_top, sliding), 0.5 * mass * r * r, change)
    return where(and_(was_sliding, top), -0.5 * mass * r0 * r0, change)


@kernel
def cost_at(d, step):
    """The cost at a step, without that of the start."""
    rows, side = d.solve_row, d.search_side
    cost, c0, c1, c2 = splat(step, 0.0), splat(step, 0.0), d.search_slope, d.search_curvature
    for i in range(d.solve_ne, d.solve_ne + d.solve_nf):
        row = rows[i]
        cost = cost + friction_cost(
            d.solve_jar[row], d.search_Jv[row], step, d.efc_D[row], d.efc_R[row], d.efc_frictionloss[row]
        )
    for k in range(d.search_nside):
        start = side[k, 0]
        acts, own = start + step * side[k, 1] < 0.0, 0.5 * (start * (d.efc_D[d.search_row[k]] * start))
        at_start = where(start < 0.0, own, 0.0)
        c0 = c0 + where(acts, own - at_start, 0.0)
        c1 = c1 + where(acts, side[k, 2], 0.0)
        c2 = c2 + where(acts, side[k, 3], 0.0)
        cost = cost - where(acts, 0.0, at_start)
    for k in range(d.search_ncone):
        cost = cost + cone_cost_change(d, 3 * k, step)
    return cost + (step * step * c2 + step * c1 + c0)


# --- the search


@kernel
def newton_step(point):
    """Where the slope would be zero if the cost were quadratic."""
    return point[0] - point[1] / point[2]


@kernel
def keep_result(d, result, point, worlds):
    """(step, cost, slope): the result, in these worlds the given point."""
    if not any_(worlds):
        return result
    return where3(worlds, (point[0], cost_at(d, point[0]), point[1]), result)


@kernel
def keep_lower(d, result, point, worlds):
    """(result, where): the given point in these worlds where the cost is below that of the start, else the result."""
    if not any_(worlds):
        return result, worlds
    cost = cost_at(d, point[0])
    is_lower = and_(worlds, or_(cost < 0.0, point[0] == 0.0))
    return where3(is_lower, (point[0], cost, point[1]), result), is_lower


@kernel
def closer(point, candidate):
    """Is the candidate on the same side of the minimum, and nearer to it?"""
    below = and_(and_(point[1] < 0.0, candidate[1] < 0.0), point[1] < candidate[1])
    above = and_(and_(point[1] > 0.0, candidate[1] > 0.0), point[1] > candidate[1])
    return or_(below, above)


@kernel
def shrink_bracket(point, candidates, is_open):
    """One end of the bracket moved to the candidates nearer to the minimum, and where it has moved."""
    first, second, third = candidates
    a = and_(is_open, closer(point, first))
    point = where3(a, first, point)
    b = and_(is_open, closer(point, second))
    point = where3(b, second, point)
    c = and_(is_open, closer(point, third))
    point = where3(c, third, point)
    return point, or_(a, or_(b, c))


@kernel
def keep_flat(d, result, found, candidate, is_open, tolerance):
    """The result, or the candidate where it is flat enough and costs less; and where one has been found."""
    is_flat = and_(is_open, abs_(candidate[1]) < tolerance)
    if not any_(is_flat):
        return result, found
    cost = cost_at(d, candidate[0])
    is_better = and_(is_flat, or_(not_(found), cost < result[1]))
    return where3(is_better, (candidate[0], cost, candidate[1]), result), or_(found, is_better)


@kernel
def best_candidate(d, result, candidates, is_open, tolerance):
    """The result, or the candidate of lowest cost among those flat enough; and where there is one."""
    found = and_(is_open, not_(is_open))
    result, found = keep_flat(d, result, found, candidates[0], is_open, tolerance)
    result, found = keep_flat(d, result, found, candidates[1], is_open, tolerance)
    return keep_flat(d, result, found, candidates[2], is_open, tolerance)


@kernel
def line_search(m, d, active, scale, terms, start):
    """(step, decrease of the cost, scaled slope left, evaluations) along `search`; step 0 where nothing is gained.

    start is the point where the line begins, terms is what `prepare_line` returned.
    """
    norm = sqrt(dot_dofs(d, d.search, d.search))
    todo = and_(active, norm >= MINVAL)
    # in single precision the tolerance is often less than what rounding leaves of the slope
    unit = SINGLE_UNIT if is_single(norm) else DOUBLE_UNIT
    tolerance = maximum(m.opt.tolerance * m.opt.ls_tolerance * norm / scale, unit * terms)
    most = m.opt.ls_iterations
    zero = splat(norm, 0.0)
    p1 = point_at(d, newton_step(start))
    count = splat(norm, 2.0)
    result = (zero, zero, zero)

    # Newton steps until the slope changes its sign, or is small
    side = where(p1[1] < 0.0, 1.0, -1.0)
    p2 = start
    going = and_(todo, and_(p1[1] * side <= -tolerance, count < most))
    while any_(going):
        p2 = where3(going, p1, p2)
        p1 = where3(going, point_at(d, newton_step(p1)), p1)
        count = where(going, count + 1.0, count)
        going = and_(going, and_(p1[1] * side <= -tolerance, count < most))
    # worlds stay where their slope is small: one cost for all of them
    result, converged = keep_lower(d, result, p1, and_(todo, abs_(p1[1]) < tolerance))
    todo = and_(todo, not_(converged))
    exhausted = and_(todo, count >= most)
    result = keep_result(d, result, p1, exhausted)
    todo = and_(todo, not_(exhausted))
    if any_(todo):
        result, count = bracket_search(d, p1, p2, result, count, todo, tolerance, most)
    return result[0], -result[1], abs_(result[2]) * (scale / norm), count


@kernel
def bracket_search(d, p1, p2, result, count, todo, tolerance, most):
    """Shrink a bracket by Newton steps from both ends and by halves. Returns ((step, cost, slope), evaluations)."""
    p2next = p1
    p1next = point_at(d, newton_step(p1))
    count = where(todo, count + 1.0, count)
    is_open = and_(todo, count < most)
    while any_(is_open):
        middle = point_at(d, 0.5 * (p1[0] + p2[0]))
        count = where(is_open, count + 1.0, count)
        candidates = (p1next, p2next, middle)
        result, found = best_candidate(d, result, candidates, is_open, tolerance)
        todo = and_(todo, not_(found))
        is_open = and_(is_open, not_(found))
        p1, moved1 = shrink_bracket(p1, candidates, is_open)
        p2, moved2 = shrink_bracket(p2, candidates, is_open)
        if any_(moved1):
            p1next = where3(moved1, point_at(d, newton_step(p1)), p1next)
            count = where(moved1, count + 1.0, count)
        if any_(moved2):
            p2next = where3(moved2, point_at(d, newton_step(p2)), p2next)
            count = where(moved2, count + 1.0, count)
        # as narrow as numbers get
        stuck = and_(is_open, not_(or_(moved1, moved2)))
        result = keep_result(d, result, middle, stuck)
        todo = and_(todo, not_(stuck))
        is_open = and_(and_(is_open, not_(stuck)), count < most)
    if any_(todo):
        cost1, cost2 = cost_at(d, p1[0]), cost_at(d, p2[0])
        first = and_(cost1 <= cost2, cost1 < 0.0)
        second = and_(not_(first), and_(cost2 <= cost1, cost2 < 0.0))
        result = where3(and_(todo, first), (p1[0], cost1, p1[1]), result)
        result = where3(and_(todo, second), (p2[0], cost2, p2[1]), result)
    return result, count
