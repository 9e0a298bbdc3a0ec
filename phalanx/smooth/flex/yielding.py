"""State of flexes after a step: what has been deformed for good, and the frames of rods.

Elements and cells yield where the equivalent strain of von Mises exceeds the limit: sqrt(2/3) of the size of the
deviator of their elastic strain. The deviator returns to the limit radially, and what it loses is there for good. Edges
between two triangles yield by their angle. Positions are those of the forward pass, carried on by the velocity.
"""

from __future__ import annotations

from phalanx.algebra.elementary import atan2, tan
from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import matmul, transpose
from phalanx.algebra.memory import load3, load6, store3
from phalanx.algebra.number import abs_, and_, any_, clamp, maximum, sqrt, where
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, norm, scale, sub
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.flex.bending import BENDING
from phalanx.smooth.flex.cells import cell_count, deformation_gradient, is_elastic_cell
from phalanx.smooth.flex.elastic_rod import (
    advance_frames,
    edges_of_rod,
    frames_of_rod,
    has_frames,
    hinge_count,
    rest_point,
)
from phalanx.smooth.flex.faces import face_gradient, face_total, side_of
from phalanx.smooth.flex.interpolation import carrier_count
from phalanx.smooth.flex.plastic_place import plastic_bending, plastic_stretching
from phalanx.smooth.flex.polar import rotation_of
from phalanx.smooth.flex.stretching import corner
from phalanx.smooth.jacobian import last_dof

#: Largest angle that an edge keeps, and largest size of the strain that a cell keeps.
LARGEST_ANGLE = 1.3
LARGEST_STRAIN = 0.35
#: What the square of the change of area of a face that is pulled adds to the square of its strain.
THINNING = 0.375
#: Rounds of Newton's method for the change of volume.
ROUNDS = 20
#: Where the Model keeps the thickness of triangles that yield: behind the metric of the first one.
THICKNESS = 6


@part()
def flex_advance(m, d):
    """plastic of flexes, after qpos has moved with the velocity in flex_qvel."""
    alive = d.error_code == 0.0
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0 and m.flex_plasticadr[flex] >= 0:
            # points are where the step has moved them
            if m.flex_interp[flex] != 0:
                if is_elastic_cell(m, flex):
                    move_points(
                        m, d, m.flex_nodebodyid, d.flexnode_xpos, d.flexnode_moved,
                        m.flex_nodeadr[flex], m.flex_nodenum[flex],
                    )  # fmt: skip
                    if m.flex_interp[flex] > 0:
                        yield_cells(m, d, flex, alive)
                    else:
                        yield_faces(m, d, flex, alive)
            elif m.flex_dim[flex] == 1:
                if hinge_count(m, flex) > 0 and has_frames(m, flex):
                    edges_of_rod(m, d, flex)
                    frames_of_rod(m, d, flex)
                    advance_frames(m, d, flex, alive)
            elif m.flex_interp[flex] == 0:
                move_points(
                    m, d, m.flex_vertbodyid, d.flexvert_xpos, d.flexvert_moved,
                    m.flex_vertadr[flex], m.flex_vertnum[flex],
                )  # fmt: skip
                yield_elements(m, d, flex, alive)


@kernel
def move_points(m, d, bodies, points, moved_points, first, count):
    """Where a stretch of vertices or nodes is after the step."""
    for k in range(first, first + count):
        body, point = bodies[k], load3(points, k)
        offset = from_tree_center(m, d, body, point)
        moved, dof = point, last_dof(m, body)
        while dof >= 0:
            moved = add_scaled(moved, point_velocity(load6(d.cdof, dof), offset), m.opt.timestep * d.flex_qvel[dof])
            dof = m.dof_parentid[dof]
        store3(moved_points, k, moved)


@kernel
def yield_elements(m, d, flex, alive):
    """Triangles and tetrahedra, and edges between triangles."""
    stretched, bent = plastic_stretching(m, flex), plastic_bending(m, flex)
    if stretched >= 0 and m.flex_dim[flex] == 2:
        for element in range(m.flex_elemnum[flex]):
            yield_triangle(m, d, flex, element, stretched + 3 * element, alive)
    if stretched >= 0 and m.flex_dim[flex] == 3:
        for element in range(m.flex_elemnum[flex]):
            yield_solid(m, d, flex, element, stretched + 6 * element, alive)
    if bent >= 0 and m.flex_bendingadr[flex] >= 0:
        for edge in range(m.flex_edgenum[flex]):
            if m.flex_edgeflap[m.flex_edgeadr[flex] + edge, 1] >= 0:
                yield_edge(m, d, flex, edge, bent + edge, alive)


@kernel
def remaining(limit, strain):
    """What part of a strain is elastic: 1 within the limit."""
    return where(strain > limit, limit / where(strain > limit, strain, 1.0), 1.0)


# --- triangles


@kernel
def moved_corner(m, d, flex, element, k):
    """Corner k of an element after the step."""
    return load3(d.flexvert_moved, corner(m, d, flex, element, k))


@kernel
def rest_corner(m, d, flex, element, k):
    """Corner k of an element at rest."""
    return rest_point(m, flex, corner(m, d, flex, element, k))


@kernel
def elastic_change(m, d, flex, element, count, k, start, end):
    """Change of the squared length of an edge after the step, without what is for good."""
    edge = m.flex_edgeadr[flex] + m.flex_elemedge[m.flex_elemedgeadr[flex] + element * count + k]
    step = sub(moved_corner(m, d, flex, element, end), moved_corner(m, d, flex, element, start))
    rest = m.flexedge_length0[edge]
    place = plastic_stretching(m, flex) + count * element + k
    return dot(step, step) - rest * rest - d.plastic[place]


@kernel
def rest_step(m, d, flex, element, start, end):
    """An edge of an element at rest."""
    return sub(rest_corner(m, d, flex, element, end), rest_corner(m, d, flex, element, start))


@kernel
def yield_triangle(m, d, flex, element, place, alive):
    """A triangle in plane stress: pulled apart it gets thinner, so that its strain is without change of volume."""
    e12, e20 = rest_step(m, d, flex, element, 1, 2), rest_step(m, d, flex, element, 2, 0)
    e01 = rest_step(m, d, flex, element, 0, 1)
    x = scale(e01, 1.0 / norm(e01))
    normal = cross(e01, e12)
    y = cross(scale(normal, 1.0 / norm(normal)), x)
    c0, c1 = elastic_change(m, d, flex, element, 3, 0, 1, 2), elastic_change(m, d, flex, element, 3, 1, 2, 0)
    c2 = elastic_change(m, d, flex, element, 3, 2, 0, 1)
    # edges in the plane: the third is along x
    a, b, p, q = dot(e12, x), dot(e12, y), dot(e20, x), dot(e20, y)
    length = dot(e01, x)
    xx = c2 / (2.0 * length * length)
    # two equations for yy and xy
    r0, r1 = 0.5 * c0 - a * a * xx, 0.5 * c1 - p * p * xx
    determinant = b * b * (2.0 * p * q) - q * q * (2.0 * a * b)
    yy, xy = (r0 * (2.0 * p * q) - r1 * (2.0 * a * b)) / determinant, (b * b * r1 - q * q * r0) / determinant
    trace = xx + yy
    deviator = 0.5 * (xx - yy) * (xx - yy) + 2.0 * xy * xy
    is_pulled = trace > 0.0
    size = sqrt((2.0 / 3.0) * (deviator + where(is_pulled, 1.5 * trace * trace, 0.0)))
    lost = 1.0 - remaining(m.flex_yield[flex, 0], size)
    middle = where(is_pulled, 0.0, 0.5 * trace)
    dx, dy, dxy = lost * (xx - middle), lost * (yy - middle), lost * xy
    store_change(d, place, alive, 2.0 * (a * a * dx + b * b * dy + 2.0 * a * b * dxy))
    store_change(d, place + 1, alive, 2.0 * (p * p * dx + q * q * dy + 2.0 * p * q * dxy))
    store_change(d, place + 2, alive, 2.0 * length * length * dx)


@kernel
def store_change(d, place, alive, change):
    """Add to a number of plastic in the worlds that are alive."""
    d.plastic[place] = where(alive, d.plastic[place] + change, d.plastic[place])


# --- tetrahedra


@kernel
def yield_solid(m, d, flex, element, place, alive):
    """A tetrahedron: what is for good has no change of volume."""
    a, b = rest_step(m, d, flex, element, 0, 1), rest_step(m, d, flex, element, 0, 2)
    c = rest_step(m, d, flex, element, 0, 3)
    # the metric of edges 01, 02, 03 at rest, and changes of it: elastic, and for good
    g = gram(dot(a, a), dot(b, b), dot(c, c), (dot(a, b), dot(b, c), dot(a, c)))
    e = change_of_metric(
        elastic_change(m, d, flex, element, 6, 0, 0, 1), elastic_change(m, d, flex, element, 6, 1, 1, 2),
        elastic_change(m, d, flex, element, 6, 2, 2, 0), elastic_change(m, d, flex, element, 6, 3, 2, 3),
        elastic_change(m, d, flex, element, 6, 4, 0, 3), elastic_change(m, d, flex, element, 6, 5, 1, 3),
    )  # fmt: skip
    # mixed components: strain times the metric, which has the same invariants
    inverse = inverse_of(g)
    strain = matmul(inverse, e)
    trace = strain[0] + strain[4] + strain[8]
    square = trace_of_square(strain) - trace * trace / 3.0
    size = sqrt((2.0 / 3.0) * maximum(square, 0.0)) * 0.5
    lost = 1.0 - remaining(m.flex_yield[flex, 0], size)
    kept = change_of_metric(
        d.plastic[place] + 0.0, d.plastic[place + 1] + 0.0, d.plastic[place + 2] + 0.0,
        d.plastic[place + 3] + 0.0, d.plastic[place + 4] + 0.0, d.plastic[place + 5] + 0.0,
    )  # fmt: skip
    flowed = add_metric(kept, add_metric(e, g, -trace / 3.0), lost)
    expand = volume_change(matmul(inverse, add_metric(flowed, g, 1.0)))
    flows = and_(alive, lost > 0.0)
    final = add_metric(flowed, g, expand)
    store_metric(d, place, flows, final)


@kernel
def gram(aa, bb, cc, mixed):
    """A symmetric matrix of 3 x 3 from its diagonal and (ab, bc, ac)."""
    return (aa, mixed[0], mixed[2], mixed[0], bb, mixed[1], mixed[2], mixed[1], cc)


@kernel
def change_of_metric(c01, c12, c20, c23, c03, c13):
    """Changes of the products of edges 01, 02, 03, from those of the squared lengths of all edges."""
    return gram(c01, c20, c03, (0.5 * (c01 + c20 - c12), 0.5 * (c20 + c03 - c23), 0.5 * (c01 + c03 - c13)))


@kernel
def store_metric(d, place, chosen, g):
    """The inverse of `change_of_metric`, into plastic."""
    store_where(d, place, chosen, g[0])
    store_where(d, place + 1, chosen, g[0] + g[4] - 2.0 * g[1])
    store_where(d, place + 2, chosen, g[4])
    store_where(d, place + 3, chosen, g[4] + g[8] - 2.0 * g[5])
    store_where(d, place + 4, chosen, g[8])
    store_where(d, place + 5, chosen, g[0] + g[8] - 2.0 * g[2])


@kernel
def store_where(d, place, chosen, value):
    """Write a number of plastic in chosen worlds."""
    d.plastic[place] = where(chosen, value, d.plastic[place])


@kernel
def add_metric(a, b, s):
    """a + s b, of matrices."""
    return (
        a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3], a[4] + s * b[4], a[5] + s * b[5],
        a[6] + s * b[6], a[7] + s * b[7], a[8] + s * b[8],
    )  # fmt: skip


@kernel
def trace_of_square(a):
    """tr(a²)"""
    return a[0] * a[0] + a[4] * a[4] + a[8] * a[8] + 2.0 * (a[1] * a[3] + a[2] * a[6] + a[5] * a[7])


@kernel
def inverse_of(a):
    """The inverse of a symmetric matrix."""
    x, y, z = (a[0], a[3], a[6]), (a[1], a[4], a[7]), (a[2], a[5], a[8])
    u, v, w = cross(y, z), cross(z, x), cross(x, y)
    s = 1.0 / dot(x, u)
    return (u[0] * s, u[1] * s, u[2] * s, v[0] * s, v[1] * s, v[2] * s, w[0] * s, w[1] * s, w[2] * s)


@kernel
def volume_change(a):
    """The least s, from zero on, for which a + s I has the determinant 1: a root of a cubic, by Newton's method."""
    trace = a[0] + a[4] + a[8]
    minors = 0.5 * (trace * trace - trace_of_square(a))
    x, y, z = (a[0], a[3], a[6]), (a[1], a[4], a[7]), (a[2], a[5], a[8])
    rest = dot(x, cross(y, z)) - 1.0
    s = 0.0 * trace
    active, count = trace == trace, 0
    while any_(active) and count < ROUNDS:
        value = ((s + trace) * s + minors) * s + rest
        slope = (3.0 * s + 2.0 * trace) * s + minors
        step = where(abs_(slope) > MINVAL, -value / where(abs_(slope) > MINVAL, slope, 1.0), 0.0)
        moved = where(active, s + step, s)
        active = and_(active, moved != s)
        s = moved
        count += 1
    return s


# --- edges


@kernel
def yield_edge(m, d, flex, k, place, alive):
    """An edge between two triangles: the strain of the outer fiber is half the thickness times the curvature."""
    edge, first = m.flex_edgeadr[flex] + k, m.flex_vertadr[flex]
    v0, v1 = first + m.flex_edge[edge, 0], first + m.flex_edge[edge, 1]
    v2, v3 = first + m.flex_edgeflap[edge, 0], first + m.flex_edgeflap[edge, 1]
    origin = load3(d.flexvert_moved, v0)
    along, left = sub(load3(d.flexvert_moved, v1), origin), sub(load3(d.flexvert_moved, v2), origin)
    right = sub(load3(d.flexvert_moved, v3), origin)
    n1, n2 = cross(along, left), cross(right, along)
    angle = atan2(dot(n1, right) * norm(along), dot(n1, n2))
    # at rest
    start = rest_point(m, flex, v0)
    a, b = sub(rest_point(m, flex, v1), start), sub(rest_point(m, flex, v2), start)
    c = sub(rest_point(m, flex, v3), start)
    length = norm(a)
    area = 0.5 * (norm(cross(a, b)) + norm(cross(a, c)))
    thickness = m.flex_stiffness[m.flex_stiffnessadr[flex] + THICKNESS]
    limit = 2.0 * m.flex_yield[flex, 1] / thickness * (area / length)
    # the weight of the volume for which the edge is at rest at an angle is -stiffness tan(angle)
    stiffness = m.flex_bending[m.flex_bendingadr[flex] + BENDING * k + 11] / length
    if stiffness != 0.0:
        before = atan2(-d.plastic[place] / stiffness, 1.0)
        elastic = angle - before
        kept = clamp(where(elastic > limit, angle - limit, angle + limit), -LARGEST_ANGLE, LARGEST_ANGLE)
        store_where(d, place, and_(alive, abs_(elastic) > limit), -stiffness * tan(kept))


# --- cells


@kernel
def yield_cells(m, d, flex, alive):
    """Cells: the strain in the frame that rotates with the cell."""
    place, size = plastic_stretching(m, flex), 3 * carrier_count(m, flex)
    if place >= 0:
        for cell in range(cell_count(m, flex)):
            if m.flex_stiffness[m.flex_stiffnessadr[flex] + cell * size * size] != 0.0:
                yield_cell(m, d, flex, cell, place + 6 * cell, alive)


@kernel
def yield_cell(m, d, flex, cell, place, alive):
    """One cell."""
    gradient = deformation_gradient(m, d.flexnode_moved, flex, cell)
    u = matmul(transpose(rotation_of(gradient)), gradient)
    xx, yy, zz = u[0] - 1.0 - d.plastic[place], u[4] - 1.0 - d.plastic[place + 1], u[8] - 1.0 - d.plastic[place + 2]
    xy = 0.5 * (u[1] + u[3]) - 0.5 * d.plastic[place + 3]
    xz = 0.5 * (u[2] + u[6]) - 0.5 * d.plastic[place + 4]
    yz = 0.5 * (u[5] + u[7]) - 0.5 * d.plastic[place + 5]
    middle = (xx + yy + zz) / 3.0
    xx, yy, zz = xx - middle, yy - middle, zz - middle
    square = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz)
    lost = 1.0 - remaining(m.flex_yield[flex, 0], sqrt((2.0 / 3.0) * square))
    a, b, c = d.plastic[place] + lost * xx, d.plastic[place + 1] + lost * yy, d.plastic[place + 2] + lost * zz
    p, q = d.plastic[place + 3] + 2.0 * lost * xy, d.plastic[place + 4] + 2.0 * lost * xz
    r = d.plastic[place + 5] + 2.0 * lost * yz
    total = sqrt(a * a + b * b + c * c + 0.5 * (p * p + q * q + r * r))
    part_kept = remaining(LARGEST_STRAIN, total)
    flows = and_(alive, lost > 0.0)
    store_where(d, place, flows, part_kept * a)
    store_where(d, place + 1, flows, part_kept * b)
    store_where(d, place + 2, flows, part_kept * c)
    store_where(d, place + 3, flows, part_kept * p)
    store_where(d, place + 4, flows, part_kept * q)
    store_where(d, place + 5, flows, part_kept * r)


# --- faces of shells


@kernel
def yield_faces(m, d, flex, alive):
    """Faces: the strain along their axes, in the frame that rotates with the face."""
    place = plastic_stretching(m, flex)
    if place >= 0:
        for face in range(face_total(m, flex)):
            yield_face(m, d, flex, face, place + 3 * face, alive)


@kernel
def yield_face(m, d, flex, face, place, alive):
    """One face; pulled apart it gets thinner, which counts."""
    gradient, across = face_gradient(m, d.flexnode_moved, flex, face), side_of(m, flex, face)[0] // 2
    u = matmul(transpose(rotation_of(gradient)), gradient)
    one = u[4] if across == 0 else u[8] if across == 1 else u[0]
    two = u[8] if across == 0 else u[0] if across == 1 else u[4]
    mixed = u[5] + u[7] if across == 0 else u[2] + u[6] if across == 1 else u[1] + u[3]
    xx, yy, xy = one - 1.0 - d.plastic[place], two - 1.0 - d.plastic[place + 1], 0.5 * (mixed - d.plastic[place + 2])
    trace = xx + yy
    is_pulled = trace > 0.0
    square = 0.5 * (xx - yy) * (xx - yy) + 2.0 * xy * xy + where(is_pulled, THINNING * trace * trace, 0.0)
    lost = 1.0 - remaining(m.flex_yield[flex, 0], sqrt((2.0 / 3.0) * square))
    middle = where(is_pulled, 0.0, 0.5 * trace)
    a, b = d.plastic[place] + lost * (xx - middle), d.plastic[place + 1] + lost * (yy - middle)
    c = d.plastic[place + 2] + 2.0 * lost * xy
    part_kept = remaining(LARGEST_STRAIN, sqrt(a * a + b * b + 0.5 * c * c))
    flows = and_(alive, lost > 0.0)
    store_where(d, place, flows, part_kept * a)
    store_where(d, place + 1, flows, part_kept * b)
    store_where(d, place + 2, flows, part_kept * c)
