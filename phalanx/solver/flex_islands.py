"""Elastic flexes in islands: if a constraint acts on one of the trees that carry a flex, all of them are one island."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.smooth.flex.carrying_trees import carrier_total, carrier_tree, is_elastic
from phalanx.solver.tree_union import join


@part()
def join_flexes(m, d):
    """Join the trees of elastic flexes; one flex may lead to another."""
    changes = 1
    while changes > 0:
        changes = 0
        for flex in range(m.nflex):
            if is_elastic(m, flex):
                changes += join_carriers(m, d, flex)


@kernel
def join_carriers(m, d, flex):
    """Join the trees of one flex, if one is in an island; how many were in none."""
    first = -1
    for k in range(carrier_total(m, flex)):
        tree = carrier_tree(m, flex, k)
        if first < 0 and tree >= 0 and d.tree_parent[tree] >= 0:
            first = tree
    added = 0
    if first >= 0:
        for k in range(carrier_total(m, flex)):
            tree = carrier_tree(m, flex, k)
            if tree >= 0:
                if d.tree_parent[tree] < 0:
                    d.tree_parent[tree] = tree
                    added += 1
                join(d, first, tree)
    return added
