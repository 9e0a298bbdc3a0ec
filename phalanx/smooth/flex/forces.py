"""Forces that resist the deformation of flexes, summed over elements at vertices or nodes, then as forces on dofs."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, store3
from phalanx.memory.flags import is_disabled
from phalanx.smooth.flex.bending import bend
from phalanx.smooth.flex.carriers import push_nodes, push_vertices, velocity_of
from phalanx.smooth.flex.carrying_trees import is_flex_asleep
from phalanx.smooth.flex.cells import deform_cells, pushes_nodes
from phalanx.smooth.flex.elastic_rod import hinge_count, rod_forces
from phalanx.smooth.flex.shell import bend_faces, stretch_faces
from phalanx.smooth.flex.stretching import stretch_solids, stretch_triangles
from phalanx.tables.enums import DisableBit

ZERO3 = (0.0, 0.0, 0.0)


@part()
def flex_passive(m, d):
    """Add forces of flexes to qfrc_spring and qfrc_damper; each has its flag."""
    has_springs, has_dampers = not is_disabled(m, DisableBit.SPRING), not is_disabled(m, DisableBit.DAMPER)
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0 and not is_flex_asleep(m, d, flex):
            if m.flex_interp[flex] != 0:
                cell_forces(m, d, flex, has_springs, has_dampers)
            else:
                if m.flex_dim[flex] > 1:
                    vertex_forces(m, d, flex, has_springs, has_dampers)
                elif hinge_count(m, flex) > 0:
                    rod_forces(m, d, flex, has_springs, has_dampers)
                edge_forces(m, d, flex, has_springs, has_dampers)


@kernel
def resists_stretching(m, flex):
    """Do the elements of a flex resist stretching?"""
    start = m.flex_stiffnessadr[flex]
    return start >= 0 and m.flex_stiffness[start] != 0.0


@kernel
def vertex_forces(m, d, flex, has_springs, has_dampers):
    """Forces of triangles and tetrahedra at their vertices."""
    is_stretched, is_bent = resists_stretching(m, flex), m.flex_dim[flex] == 2 and m.flex_bendingadr[flex] >= 0
    if is_stretched or is_bent:
        first, count = m.flex_vertadr[flex], m.flex_vertnum[flex]
        for vertex in range(first, first + count):
            store3(d.flexvert_spring, vertex, ZERO3)
            store3(d.flexvert_damper, vertex, ZERO3)
            point = load3(d.flexvert_xpos, vertex)
            store3(d.flexvert_velocity, vertex, velocity_of(m, d, m.flex_vertbodyid[vertex], point))
        if is_bent:
            bend(m, d, flex)
        if is_stretched:
            if m.flex_dim[flex] == 2:
                stretch_triangles(m, d, flex)
            else:
                stretch_solids(m, d, flex)
        if has_springs:
            push_vertices(m, d, d.qfrc_spring, d.flexvert_spring, flex)
        if has_dampers and m.flex_damping[flex] != 0.0:
            push_vertices(m, d, d.qfrc_damper, d.flexvert_damper, flex)


@kernel
def cell_forces(m, d, flex, has_springs, has_dampers):
    """Forces of cells, or of the faces of a shell, at their nodes."""
    is_shell = m.flex_interp[flex] < 0
    is_bent = is_shell and m.flex_bendingadr[flex] >= 0
    if pushes_nodes(m, flex) or is_bent:
        first, count = m.flex_nodeadr[flex], m.flex_nodenum[flex]
        for node in range(first, first + count):
            store3(d.flexnode_spring, node, ZERO3)
            store3(d.flexnode_damper, node, ZERO3)
            point = load3(d.flexnode_xpos, node)
            store3(d.flexnode_velocity, node, velocity_of(m, d, m.flex_nodebodyid[node], point))
        if is_bent:
            bend_faces(m, d, flex)
        if pushes_nodes(m, flex):
            if is_shell:
                stretch_faces(m, d, flex)
            else:
                deform_cells(m, d, flex)
        if has_springs:
            push_nodes(m, d, d.qfrc_spring, d.flexnode_spring, flex)
        if has_dampers and m.flex_damping[flex] != 0.0:
            push_nodes(m, d, d.qfrc_damper, d.flexnode_damper, flex)


@kernel
def edge_forces(m, d, flex, has_springs, has_dampers):
    """Springs and dampers along the edges whose ends move against each other."""
    stiffness, damping = m.flex_edgestiffness[flex], m.flex_edgedamping[flex]
    is_spring, is_damper = has_springs and stiffness != 0.0, has_dampers and damping != 0.0
    if is_spring or is_damper:
        for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
            if m.flexedge_rigid[edge] == 0:
                start = m.flexedge_J_rowadr[edge]
                spring = stiffness * (m.flexedge_length0[edge] - d.flexedge_length[edge])
                damper = -damping * d.flexedge_velocity[edge]
                for address in range(start, start + m.flexedge_J_rownnz[edge]):
                    dof = m.flexedge_J_colind[address]
                    if is_spring:
                        d.qfrc_spring[dof] = d.qfrc_spring[dof] + d.flexedge_J[address] * spring
                    if is_damper:
                        d.qfrc_damper[dof] = d.qfrc_damper[dof] + d.flexedge_J[address] * damper
