"""The kinematic trees that carry a flex: whether elastic forces couple them, and whether they sleep."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.smooth.flex.cells import STRAIN_EQUALITY, cell_count
from phalanx.smooth.flex.elastic_rod import has_frames, hinge_count, twist_joint
from phalanx.smooth.flex.faces import face_total
from phalanx.smooth.flex.interpolation import order_of


@kernel
def carrier_total(m, flex):
    """How many vertices or nodes carry a flex, and after them the twists of its edges, if it is a rod with frames."""
    if m.flex_interp[flex] != 0:
        return m.flex_nodenum[flex]
    if m.flex_dim[flex] == 1 and has_frames(m, flex):
        return m.flex_vertnum[flex] + m.flex_edgenum[flex]
    return m.flex_vertnum[flex]


@kernel
def carrier_tree(m, flex, k):
    """The tree of carrier k; -1 if it is fixed."""
    if m.flex_interp[flex] != 0:
        return m.body_treeid[m.flex_nodebodyid[m.flex_nodeadr[flex] + k]]
    count = m.flex_vertnum[flex]
    if k < count:
        return m.body_treeid[m.flex_vertbodyid[m.flex_vertadr[flex] + k]]
    joint = twist_joint(m, flex, k - count)
    return m.body_treeid[m.jnt_bodyid[joint]] if joint >= 0 else -1


@kernel
def is_elastic(m, flex):
    """Has a flex elastic forces, besides springs along its edges?"""
    if m.flex_rigid[flex] != 0:
        return False
    if m.flex_interp[flex] != 0:
        return m.flex_bendingadr[flex] >= 0 or has_stiff_cells(m, flex)
    if m.flex_dim[flex] == 1:
        return hinge_count(m, flex) > 0
    return has_stiff_elements(m, flex) or has_flaps(m, flex)


@kernel
def has_stiff_cells(m, flex):
    """Has a cell or face stiffness? The first may be empty."""
    start = m.flex_stiffnessadr[flex]
    if start < 0 or m.flex_edgeequality[flex] == STRAIN_EQUALITY:
        return False
    along = order_of(m, flex) + 1
    size = 3 * along * along * (along if m.flex_interp[flex] > 0 else 1)
    last = start + size * size * (face_total(m, flex) if m.flex_interp[flex] < 0 else cell_count(m, flex))
    address = start
    while address < last and m.flex_stiffness[address] == 0.0:
        address += 1
    return address < last


@kernel
def has_stiff_elements(m, flex):
    """Do triangles or tetrahedra resist stretching?"""
    start = m.flex_stiffnessadr[flex]
    if start < 0:
        return False
    count = 0
    for k in range(6):
        count += m.flex_stiffness[start + k] != 0.0
    return count > 0


@kernel
def has_flaps(m, flex):
    """Does an edge between two triangles resist bending?"""
    if m.flex_bendingadr[flex] < 0 or m.flex_dim[flex] != 2:
        return False
    edge, last = m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]
    while edge < last and m.flex_edgeflap[edge, 1] < 0:
        edge += 1
    return edge < last


@kernel
def is_flex_asleep(m, d, flex):
    """Does a flex sleep? Its trees sleep together, so that the first of them tells."""
    if m.nsleep == 0:
        return False
    for k in range(carrier_total(m, flex)):
        tree = carrier_tree(m, flex, k)
        if tree >= 0:
            return d.tree_awake[tree] == 0
    return True
