"""Islands: sets of kinematic trees that constraints tie together. Each is solved on its own.

The rows `island_*`, `map_*` and `i*` describe the islands as MuJoCo does; in a lane they are those of all constraints
that some world has. Worlds may have smaller islands: `tree_root` knows those of each world. A set of trees is solved in
the worlds where it is an island, so that each world does the arithmetic it would do alone.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, not_, or_, splat, where
from phalanx.memory.awake import awake_dofs, awake_trees
from phalanx.solver.compact_problem import first_world
from phalanx.solver.flex_islands import join_flexes
from phalanx.solver.island_products import island_dofs
from phalanx.solver.noslip import noslip
from phalanx.solver.statistics import note_outcome
from phalanx.solver.table import solve_island
from phalanx.solver.tree_union import join, root_of
from phalanx.tables.enums import ConstraintType
from phalanx.tables.solvers import WITH_NOSLIP

#: Instead of a world: a row counts if any world has it.
ANY = -1


# --- which trees belong together


@kernel
def join_row(m, d, row):
    """All trees that a row acts on are in the same island."""
    start = d.efc_J_rowadr[row]
    tree = m.dof_treeid[d.efc_J_colind[start]]
    d.efc_tree[row] = tree
    if d.tree_parent[tree] < 0:
        d.tree_parent[tree] = tree
    for k in range(start + 1, start + d.efc_J_rownnz[row]):
        other = m.dof_treeid[d.efc_J_colind[k]]
        if other != tree:
            if d.tree_parent[other] < 0:
                d.tree_parent[other] = other
            join(d, tree, other)
            tree = other


@kernel
def join_trees(m, d, world):
    """tree_parent: the smallest tree of the island of each tree in one world (or by the rows of all), -1 if none."""
    for tree in awake_trees(m, d):
        d.tree_parent[tree] = -1
    for row in range(d.nefc):
        if world == ANY or any_(lane_get(d.efc_D[row], world) != 0.0):
            is_same = (
                row > 0
                and d.efc_type[row] >= ConstraintType.CONTACT_FRICTIONLESS
                and d.efc_id[row] == d.efc_id[row - 1]
            )
            if is_same and d.efc_type[row] == d.efc_type[row - 1]:
                d.efc_tree[row] = d.efc_tree[row - 1]
            else:
                join_row(m, d, row)
    for row in range(d.nefc, d.nefc + d.coupling_num):
        if world == ANY or any_(lane_get(d.efc_R[row], world) != 0.0):
            join_coupling(m, d, row)
    if m.nflex > 0:
        join_flexes(m, d)
    for tree in awake_trees(m, d):
        if d.tree_parent[tree] >= 0:
            d.tree_parent[tree] = root_of(d, tree)


@kernel
def join_coupling(m, d, row):
    """A coupling ties several trees together as a constraint does; one of a single tree makes no island of it."""
    start = d.efc_J_rowadr[row]
    last = start + d.efc_J_rownnz[row] - 1
    if m.dof_treeid[d.efc_J_colind[start]] != m.dof_treeid[d.efc_J_colind[last]]:
        join_row(m, d, row)
    else:
        d.efc_tree[row] = m.dof_treeid[d.efc_J_colind[start]]


# --- islands as MuJoCo describes them


@kernel
def sort_into_islands(m, d):
    """tree_island and what follows from it for trees and dofs."""
    d.nisland = 0
    d.nidof = 0
    for tree in awake_trees(m, d):
        root = d.tree_parent[tree]
        if root < 0:
            d.tree_island[tree] = -1
            continue
        # islands are in the order of their first trees, as in MuJoCo
        if root == tree:
            d.tree_island[tree] = d.nisland
            d.island_ntree[d.nisland] = 0
            d.island_nv[d.nisland] = 0
            d.nisland = d.nisland + 1
        island = d.tree_island[root]
        d.tree_island[tree] = island
        d.island_ntree[island] = d.island_ntree[island] + 1
        d.island_nv[island] = d.island_nv[island] + m.tree_dofnum[tree]
        d.nidof = d.nidof + m.tree_dofnum[tree]
    # counts become addresses; they are counted anew while trees are sorted
    trees, dofs = 0, 0
    for island in range(d.nisland):
        d.island_itreeadr[island] = trees
        d.island_idofadr[island] = dofs
        trees += d.island_ntree[island]
        dofs += d.island_nv[island]
        d.island_ntree[island] = 0
        d.island_nv[island] = 0
    sort_trees(m, d, trees)


@kernel
def sort_trees(m, d, free_tree):
    """Maps between trees, dofs and their places in island order; the unconstrained come last."""
    free_dof = d.nidof
    for tree in awake_trees(m, d):
        island, first, dofnum = d.tree_island[tree], m.tree_dofadr[tree], m.tree_dofnum[tree]
        if island < 0:
            place, idof = free_tree, free_dof
            free_tree += 1
            free_dof += dofnum
        else:
            place = d.island_itreeadr[island] + d.island_ntree[island]
            idof = d.island_idofadr[island] + d.island_nv[island]
            d.island_ntree[island] = d.island_ntree[island] + 1
            if d.island_nv[island] == 0:
                d.island_dofadr[island] = first
            d.island_nv[island] = d.island_nv[island] + dofnum
        d.map_itree2tree[place] = tree
        for k in range(dofnum):
            d.dof_island[first + k] = island
            d.map_dof2idof[first + k] = idof + k
            d.map_idof2dof[idof + k] = first + k


@kernel
def sort_rows(d):
    """efc_island and what follows from it for rows."""
    for island in range(d.nisland):
        d.island_ne[island] = 0
        d.island_nf[island] = 0
        d.island_nefc[island] = 0
    for row in range(d.nefc):
        island = d.tree_island[d.efc_tree[row]]
        d.efc_island[row] = island
        d.island_nefc[island] = d.island_nefc[island] + 1
        if d.efc_type[row] == ConstraintType.EQUALITY:
            d.island_ne[island] = d.island_ne[island] + 1
        elif d.efc_type[row] <= ConstraintType.FRICTION_TENDON:
            d.island_nf[island] = d.island_nf[island] + 1
    # counts become addresses; they are counted anew while rows are sorted
    address = 0
    for island in range(d.nisland):
        d.island_iefcadr[island] = address
        address += d.island_nefc[island]
        d.island_nefc[island] = 0
    for row in range(d.nefc):
        island = d.efc_island[row]
        place = d.island_iefcadr[island] + d.island_nefc[island]
        d.island_nefc[island] = d.island_nefc[island] + 1
        d.map_efc2iefc[row] = place
        d.map_iefc2efc[place] = row


@kernel
def copy_by_island(d):
    """Rows and dofs in island order, inputs and results."""
    for place in range(d.nefc):
        row = d.map_iefc2efc[place]
        d.iefc_type[place] = d.efc_type[row]
        d.iefc_id[place] = d.efc_id[row]
        d.iefc_frictionloss[place] = d.efc_frictionloss[row]
        d.iefc_D[place] = d.efc_D[row]
        d.iefc_R[place] = d.efc_R[row]
        d.iefc_aref[place] = d.efc_aref[row]
        d.iefc_state[place] = d.efc_state[row]
        d.iefc_force[place] = d.efc_force[row]
    for place in range(d.nidof):
        dof = d.map_idof2dof[place]
        d.ifrc_smooth[place] = d.qfrc_smooth[dof]
        d.iacc_smooth[place] = d.qacc_smooth[dof]
        d.iacc[place] = d.qacc[dof]
        d.ifrc_constraint[place] = d.qfrc_constraint[dof]


# --- islands of each world


@kernel
def find_islands(m, d):
    """Islands of all rows, and the root of each tree in each world."""
    join_trees(m, d, ANY)
    sort_into_islands(m, d)
    sort_rows(d)
    worlds = lane_count(d.efc_D[0])
    if m.ntree == 1:
        # all rows act on the one tree
        d.tree_root[0] = where(worlds_with_rows(d), 0.0, -1.0)
        return
    for world in range(worlds):
        if worlds > 1:
            join_trees(m, d, world)
        for tree in awake_trees(m, d):
            d.tree_root[tree] = lane_set(d.tree_root[tree], world, float(d.tree_parent[tree]))


@kernel
def is_under(d, tree, root, world):
    """Is a tree in the island of `root` in one world?"""
    return any_(lane_get(d.tree_root[tree], world) == root)


@kernel
def worlds_with_same_island(d, island, root, world, among):
    """Worlds where the trees of `root` are the same as in one world."""
    first = d.island_itreeadr[island]
    for place in range(first, first + d.island_ntree[island]):
        tree = d.map_itree2tree[place]
        if is_under(d, tree, root, world):
            among = and_(among, d.tree_root[tree] == root)
        else:
            among = and_(among, d.tree_root[tree] != root)
    return among


@kernel
def list_island(m, d, island, root, world, chosen):
    """solve_dof, solve_row: the dofs and rows of an island of one world."""
    clear_island(d)
    first = d.island_itreeadr[island]
    for place in range(first, first + d.island_ntree[island]):
        tree = d.map_itree2tree[place]
        if is_under(d, tree, root, world):
            for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
                append_dof(m, d, dof)
    place = d.island_iefcadr[island]
    end = place + d.island_nefc[island]
    while place < end:
        row = d.map_iefc2efc[place]
        if is_under(d, d.efc_tree[row], root, world):
            place += append_if_felt(d, row, chosen)
        else:
            place += 1
    row = d.nefc
    while row < d.nefc + d.coupling_num:
        if is_under(d, d.efc_tree[row], root, world) and any_(and_(chosen, d.efc_D[row] != 0.0)):
            append_coupling_pack(d, row)
        row += d.efc_pack[row]


@kernel
def solve_by_island(m, d):
    """Solve every set of trees that is an island in some world."""
    find_islands(m, d)
    worlds = lane_count(d.efc_D[0])
    # index of the next island in each world, by its first tree
    index = splat(d.efc_D[0], 0.0)
    for tree in awake_trees(m, d):
        island = d.tree_island[tree]
        is_root = d.tree_root[tree] == tree
        remaining = is_root
        while any_(remaining):
            world = first_world(remaining, worlds)
            chosen = worlds_with_same_island(d, island, tree, world, remaining)
            list_island(m, d, island, tree, world, chosen)
            acting = chosen
            if d.solve_ncoupling > 0 or d.solve_nrow == 0:
                # couplings make islands without constraints, too: these are not solved beside others that have some
                acting = and_(chosen, has_rows(d))
                keep_smooth(d, and_(chosen, not_(acting)))
            if any_(acting):
                solve(m, d, acting, index, tree)
            remaining = and_(remaining, not_(chosen))
        index = where(is_root, index + 1.0, index)
        is_free = d.tree_root[tree] < 0.0
        if any_(is_free):
            for dof in range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree]):
                d.qacc[dof] = where(is_free, d.qacc_smooth[dof], d.qacc[dof])


@kernel
def has_rows(d):
    """Worlds that have a row of the island at hand."""
    felt = splat(d.efc_D[0], 0.0) != 0.0
    for i in range(d.solve_nrow):
        felt = or_(felt, d.efc_D[d.solve_row[i]] != 0.0)
    return felt


@kernel
def keep_smooth(d, chosen):
    """qacc of an island that only couplings tie together: no constraint changes it."""
    for dof in island_dofs(d):
        d.qacc[dof] = where(chosen, d.qacc_smooth[dof], d.qacc[dof])


# --- the island at hand


@kernel
def clear_island(d):
    """No dofs and no rows."""
    d.solve_ndof = 0
    d.solve_nstretch = 0
    d.solve_nsimple = 0
    d.solve_ncoupled = 0
    clear_rows(d)


@kernel
def clear_rows(d):
    """No rows."""
    d.solve_nrow = 0
    d.solve_ne = 0
    d.solve_knows_ne = 0
    d.solve_nf = 0
    d.solve_npack = 0
    d.solve_ncoupling = 0


@kernel
def lengthen(stretches, count, dof):
    """Add a dof to the last stretch, or begin a new one; returns how many there are."""
    if count > 0 and stretches[count - 1, 1] == dof:
        stretches[count - 1, 1] = dof + 1
        return count
    stretches[count, 0] = dof
    stretches[count, 1] = dof + 1
    return count + 1


@kernel
def append_dof(m, d, dof):
    """Add a dof; they come in ascending order."""
    d.solve_nstretch = lengthen(d.solve_stretch, d.solve_nstretch, dof)
    if m.dof_simplenum[dof] > 0:
        d.solve_nsimple = lengthen(d.solve_simple, d.solve_nsimple, dof)
    else:
        d.solve_coupled[d.solve_ncoupled] = dof
        d.solve_ncoupled = d.solve_ncoupled + 1
    d.solve_place[dof] = d.solve_ndof
    d.solve_dof[d.solve_ndof] = dof
    d.solve_ndof = d.solve_ndof + 1


@kernel
def append_row(d, row):
    """Add a row."""
    d.solve_row[d.solve_nrow] = row
    d.solve_nrow = d.solve_nrow + 1
    if d.efc_type[row] == ConstraintType.EQUALITY:
        d.solve_ne = d.solve_ne + 1
    elif d.efc_type[row] <= ConstraintType.FRICTION_TENDON:
        d.solve_nf = d.solve_nf + 1


@kernel
def append_pack(d, row):
    """Add the rows of a pack; returns how many."""
    size = d.efc_pack[row]
    d.solve_pack[d.solve_npack] = row
    d.solve_npack = d.solve_npack + 1
    for k in range(row, row + size):
        append_row(d, k)
    return size


@kernel
def append_coupling_pack(d, row):
    """Add a coupling, or a pack of them; they come after all constraints."""
    d.solve_pack[d.solve_npack] = row
    d.solve_npack = d.solve_npack + 1
    d.solve_ncoupling = d.solve_ncoupling + 1


@kernel
def append_if_felt(d, row, worlds):
    """Add a pack, or all packs of a cone, if one of these worlds has its first row. Returns how many rows it has."""
    # solvers take a cone as a whole, even if these worlds have none of its friction
    size = d.contact_dim[d.efc_id[row]] if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC else d.efc_pack[row]
    if any_(and_(worlds, d.efc_D[row] != 0.0)):
        place = row
        while place < row + size:
            place += append_pack(d, place)
    return size


@kernel
def keep_rows(d, worlds):
    """Drop the rows that none of these worlds has from the island at hand."""
    count, i, couplings = d.solve_nrow, 0, d.solve_ncoupling
    first = d.solve_npack - couplings
    clear_rows(d)
    while i < count:
        i += append_if_felt(d, d.solve_row[i], worlds)
    for k in range(couplings):
        append_coupling_pack(d, d.solve_pack[first + k])


@kernel
def list_all(m, d):
    """All dofs and rows, as one island."""
    clear_island(d)
    for dof in awake_dofs(m, d):
        append_dof(m, d, dof)
    row = 0
    while row < d.nefc:
        row += append_pack(d, row)
    append_all_couplings(d)


@kernel
def append_all_couplings(d):
    """Add the couplings of all trees."""
    row = d.nefc
    while row < d.nefc + d.coupling_num:
        append_coupling_pack(d, row)
        row += d.efc_pack[row]


@kernel
def solve(m, d, chosen, index, tree):
    """Solve the island at hand, whose first tree is given, in the chosen worlds."""
    unsolved = solve_island(m.opt.solver, m, d, chosen, index)
    note_outcome(m, d, index, chosen, tree, unsolved)
    if m.opt.noslip_iterations > 0 and m.opt.solver not in WITH_NOSLIP:
        noslip(m, d, chosen, index)


@kernel
def worlds_with_rows(d):
    """Worlds that have a constraint."""
    has_rows = d.efc_D[0] != 0.0
    for row in range(1, d.nefc):
        has_rows = or_(has_rows, d.efc_D[row] != 0.0)
    return has_rows


@kernel
def solve_all(m, d):
    """One solve for all dofs and rows."""
    list_all(m, d)
    has_rows = worlds_with_rows(d)
    solve(m, d, has_rows, splat(d.efc_D[0], 0.0), 0)
    for dof in awake_dofs(m, d):
        d.qacc[dof] = where(has_rows, d.qacc[dof], d.qacc_smooth[dof])
