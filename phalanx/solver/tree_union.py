"""Sets of trees that belong together, as a forest: each tree points to a smaller one of its set, or to itself."""

from __future__ import annotations

from phalanx.algebra.jit import kernel


@kernel
def root_of(d, tree):
    """The smallest tree known to be in the same island; the path to it is shortened."""
    root = tree
    while d.tree_parent[root] != root:
        root = d.tree_parent[root]
    while d.tree_parent[tree] != root:
        following = d.tree_parent[tree]
        d.tree_parent[tree] = root
        tree = following
    return root


@kernel
def join(d, tree1, tree2):
    """Two trees are in the same island."""
    root1, root2 = root_of(d, tree1), root_of(d, tree2)
    if root1 < root2:
        d.tree_parent[root2] = root1
    elif root2 < root1:
        d.tree_parent[root1] = root2
