"""Elastic energy of flexes, which MuJoCo does not report.

Forces are its gradient; those of cells leave out that their rotation changes, too, as co-rotational elements do.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3
from phalanx.algebra.number import splat, sqrt, where
from phalanx.algebra.vector import MINVAL, cross, dot, norm, scale, sub
from phalanx.smooth.flex.bending import BENDING, rest_curvature
from phalanx.smooth.flex.cells import multiply_stiffness, pushes_nodes, put_displacements
from phalanx.smooth.flex.elastic_rod import (
    FADING,
    binormal,
    components,
    edges_of_rod,
    faded_size,
    frames_of_rod,
    has_frames,
    hinge_count,
    hinge_twist,
    material_axes,
    record_of,
    record_vertex,
    rest_components,
    section_stiffness,
    step_between,
)
from phalanx.smooth.flex.faces import corner_count, part_count
from phalanx.smooth.flex.forces import resists_stretching
from phalanx.smooth.flex.shell import RECORD as FOLD
from phalanx.smooth.flex.shell import fold_of_edge, put_face_displacements, rotate_faces
from phalanx.smooth.flex.stretching import (
    SOLID_METRIC,
    SOLID_ROWS,
    TRIANGLE_METRIC,
    TRIANGLE_ROWS,
    elongation,
    pull,
)


@part()
def flex_energies(m, d):
    """flex_elastic_energy: of each flex, with the springs of its edges."""
    for flex in range(m.nflex):
        total = splat(d.time, 0.0)
        if m.flex_rigid[flex] == 0:
            if m.flex_interp[flex] != 0:
                if pushes_nodes(m, flex):
                    total = total + cell_energy(m, d, flex)
                if m.flex_interp[flex] < 0 and m.flex_bendingadr[flex] >= 0:
                    total = total + fold_energy(m, d, flex)
            elif m.flex_interp[flex] == 0:
                total = total + spring_energy(m, d, flex)
                if m.flex_dim[flex] == 1:
                    total = total + rod_energy(m, d, flex)
                else:
                    if resists_stretching(m, flex):
                        total = total + stretch_energy(m, d, flex)
                    if m.flex_dim[flex] == 2 and m.flex_bendingadr[flex] >= 0:
                        total = total + bend_energy(m, d, flex)
        d.flex_elastic_energy[flex] = total


@kernel
def spring_energy(m, d, flex):
    """Springs along edges."""
    total = splat(d.time, 0.0)
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        if m.flexedge_rigid[edge] == 0:
            stretch = m.flexedge_length0[edge] - d.flexedge_length[edge]
            total = total + 0.5 * m.flex_edgestiffness[flex] * stretch * stretch
    return total


@kernel
def stretch_energy(m, d, flex):
    """A quarter of e' K e, of the changes e of squared lengths."""
    total = splat(d.time, 0.0)
    for t in range(m.flex_elemnum[flex]):
        if m.flex_dim[flex] == 2:
            start = m.flex_stiffnessadr[flex] + TRIANGLE_METRIC * t
            e = (elongation(m, d, flex, t, 3, 0), elongation(m, d, flex, t, 3, 1), elongation(m, d, flex, t, 3, 2))
            total = total + 0.25 * (
                e[0] * pull(TRIANGLE_ROWS[0], start, m, e)
                + e[1] * pull(TRIANGLE_ROWS[1], start, m, e)
                + e[2] * pull(TRIANGLE_ROWS[2], start, m, e)
            )
        else:
            start = m.flex_stiffnessadr[flex] + SOLID_METRIC * t
            s = (
                elongation(m, d, flex, t, 6, 0), elongation(m, d, flex, t, 6, 1), elongation(m, d, flex, t, 6, 2),
                elongation(m, d, flex, t, 6, 3), elongation(m, d, flex, t, 6, 4), elongation(m, d, flex, t, 6, 5),
            )  # fmt: skip
            half = s[0] * pull(SOLID_ROWS[0], start, m, s) + s[1] * pull(SOLID_ROWS[1], start, m, s)
            half = half + s[2] * pull(SOLID_ROWS[2], start, m, s) + s[3] * pull(SOLID_ROWS[3], start, m, s)
            half = half + s[4] * pull(SOLID_ROWS[4], start, m, s) + s[5] * pull(SOLID_ROWS[5], start, m, s)
            total = total + 0.25 * half
    return total


@kernel
def bend_energy(m, d, flex):
    """Half of x' B x, and the curvature at rest times the volume that four vertices span."""
    total, first = splat(d.time, 0.0), m.flex_vertadr[flex]
    for k in range(m.flex_edgenum[flex]):
        edge = m.flex_edgeadr[flex] + k
        if m.flex_edgeflap[edge, 1] >= 0:
            origin = load3(d.flexvert_xpos, first + m.flex_edge[edge, 0])
            a = sub(load3(d.flexvert_xpos, first + m.flex_edge[edge, 1]), origin)
            b = sub(load3(d.flexvert_xpos, first + m.flex_edgeflap[edge, 0]), origin)
            c = sub(load3(d.flexvert_xpos, first + m.flex_edgeflap[edge, 1]), origin)
            # rows of B add up to zero, so that the first vertex can be the origin
            start = m.flex_bendingadr[flex] + BENDING * k
            square = m.flex_bending[start + 5] * dot(a, a) + m.flex_bending[start + 10] * dot(b, b)
            square = square + m.flex_bending[start + 15] * dot(c, c)
            mixed = m.flex_bending[start + 6] * dot(a, b) + m.flex_bending[start + 7] * dot(a, c)
            mixed = mixed + m.flex_bending[start + 11] * dot(b, c)
            total = total + (0.5 * square + mixed) + rest_curvature(m, d, flex, k) * dot(cross(a, b), c)
    return total


@kernel
def cell_energy(m, d, flex):
    """Half of u' K u, of the displacements u of nodes of cells, or of faces of a shell."""
    total, size = splat(d.time, 0.0), 3 * corner_count(m, flex)
    for cell in range(part_count(m, flex)):
        matrix = m.flex_stiffnessadr[flex] + cell * size * size
        if m.flex_interp[flex] < 0:
            put_face_displacements(m, d, flex, cell)
        else:
            put_displacements(m, d, flex, cell)
        multiply_stiffness(m, d, matrix, size)
        for k in range(size):
            total = total - 0.5 * d.cell_vector[k] * d.cell_product[k]
    return total


@kernel
def fold_energy(m, d, flex):
    """Edges between the faces of a shell: half of k |n1 - n2 - R (n1 - n2)0|²."""
    total, start = splat(d.time, 0.0), m.flex_bendingadr[flex]
    rotate_faces(m, d, flex)
    for edge in range(int(m.flex_bending[start])):
        bent, stiffness = fold_of_edge(m, d, flex, start + 1 + edge * FOLD)
        total = total + 0.5 * stiffness * dot(bent, bent)
    return total


@kernel
def rod_energy(m, d, flex):
    """Bending and twist of rods."""
    total, count = splat(d.time, 0.0), hinge_count(m, flex)
    if count > 0 and has_frames(m, flex):
        edges_of_rod(m, d, flex)
        frames_of_rod(m, d, flex)
        for hinge in range(count):
            edge, record = m.flex_edgeadr[flex] + hinge, record_of(m, flex, hinge)
            t0, t1 = load3(d.rod_tangent, edge), load3(d.rod_tangent, edge + 1)
            kb, twist = binormal(t0, t1), hinge_twist(d, edge)
            stiff1, stiff2 = section_stiffness(m, record)
            for k in range(2):
                t = t0 if k == 0 else t1
                m1, m2 = material_axes(t, load3(d.rod_normal, edge + k), d.rod_angle[edge + k])
                x, y = components(kb, m1, m2)
                x0, y0 = rest_components(m, d, flex, hinge, hinge + k)
                total = total + 0.5 * (stiff1 * (x - x0) * (x - x0) + stiff2 * (y - y0) * (y - y0))
            total = total + m.flex_bending[record + 8] * twist * twist
    elif count > 0:
        for hinge in range(count):
            total = total + plain_energy(m, d, flex, record_of(m, flex, hinge))
    return total


@kernel
def plain_energy(m, d, flex, record):
    """A record of a rod without twist joints."""
    e0, _ = step_between(m, d, record_vertex(m, flex, record, 0), record_vertex(m, flex, record, 1))
    e1, _ = step_between(m, d, record_vertex(m, flex, record, 1), record_vertex(m, flex, record, 2))
    kb1 = binormal(scale(e0, 1.0 / norm(e0)), scale(e1, 1.0 / norm(e1)))
    square1, rest1, weight1 = dot(kb1, kb1), m.flex_bending[record + 6], m.flex_bending[record + 4]
    if m.flex_bending[record + 3] < 0.0:
        excess = sqrt(square1) - rest1
        return weight1 * excess * excess
    e2, _ = step_between(m, d, record_vertex(m, flex, record, 2), record_vertex(m, flex, record, 3))
    kb2 = binormal(scale(e1, 1.0 / norm(e1)), scale(e2, 1.0 / norm(e2)))
    square2, rest2, weight2 = dot(kb2, kb2), m.flex_bending[record + 7], m.flex_bending[record + 5]
    one = sqrt(square1 + FADING * rest1 * rest1) - rest1 * sqrt(1.0 + FADING)
    two = sqrt(square2 + FADING * rest2 * rest2) - rest2 * sqrt(1.0 + FADING)
    p, q = faded_size(m, record + 6, square1), faded_size(m, record + 7, square2)
    held1, held2 = m.flex_bending[record + 8], m.flex_bending[record + 9]
    sizes = sqrt(square1 * square2)
    is_bent = sizes > MINVAL
    inverse = where(is_bent, 1.0 / where(is_bent, sizes, 1.0), 0.0)
    both = (held1 * dot(kb1, kb2) + held2 * dot(cross(kb1, kb2), e1) / norm(e1)) * inverse
    planes = sqrt(held1 * held1 + held2 * held2) * (p * p + q * q) - 2.0 * p * q * both
    return weight1 * one * one + weight2 * two * two + planes
