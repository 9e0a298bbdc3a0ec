"""In which order Newton's method eliminates dofs: vertices of flexes by least degree, where that takes less work.

The Hessian lists dofs by their places, and eliminates the last one first. Robots keep the order of their dofs, in which
a dof comes after all that it hangs on. What only carries a vertex or a node of cells hangs on those, and nothing hangs
on it, so these bodies may be eliminated in any order, before all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from phalanx.pipeline.flex_constants import bit_set, eliminate, is_interpolated, least_degree_first, members

Arrays = dict[str, np.ndarray]
Graph = list[set[int]]

#: Fewer points are not worth an order of their own; for more it would take long to find.
FEWEST, MOST = 16, 4000
#: An order has to save so much of the products.
GAIN = 0.1


def order_rows(sizes: Mapping[str, int], arrays: Arrays) -> dict[str, np.ndarray]:
    """place_dof, dof_place, flg_order."""
    dofs = np.arange(sizes["nv"])
    order = _order(arrays) if sizes["nflex"] else None
    if order is None:
        return {"place_dof": dofs, "dof_place": dofs, "flg_order": np.array(False)}
    places = np.empty_like(order)
    places[order] = dofs
    return {"place_dof": order, "dof_place": places, "flg_order": np.array(True)}


def _order(m: Arrays) -> np.ndarray | None:
    """Dofs by place, or None if their own order is as good."""
    bodies, neighbors = _graph(m)
    if not FEWEST <= len(bodies) <= MOST:
        return None
    widths = m["body_dofnum"][bodies]
    found: list[int] = []
    is_better = False
    for points in _components(neighbors):
        graph = _part(neighbors, points)
        own, least = list(reversed(range(len(points)))), least_degree_first(graph)
        width = widths[points]
        fill, products = _eliminate(graph, width, least)
        saves = products < (1.0 - GAIN) * _eliminate(graph, width, own)[1]
        found += [points[k] for k in (_next_to_parents(least, fill) if saves else own)]
        is_better = is_better or saves
    if not is_better:
        return None
    first = m["body_dofadr"]
    last = [dof for k in reversed(found) for dof in range(first[bodies[k]], first[bodies[k]] + widths[k])]
    kept = np.setdiff1d(np.arange(len(m["dof_bodyid"])), last)
    return np.concatenate([kept, last]).astype(np.int64)


# --- points that share forces


def _graph(m: Arrays) -> tuple[list[int], Graph]:
    """Bodies that carry a point of a flex and nothing else, in ascending order, and which of them share forces."""
    parents = set(m["body_parentid"].tolist())
    groups = [[*map(int, group)] for flex in range(len(m["flex_dim"])) for group in _groups(m, flex)]
    carriers = {body for group in groups for body in group}
    bodies = sorted(body for body in carriers if m["body_dofnum"][body] and body not in parents)
    number = {body: k for k, body in enumerate(bodies)}
    neighbors: Graph = [set() for _ in bodies]
    for group in groups:
        inside = {number[body] for body in group if body in number}
        for k in inside:
            neighbors[k] |= inside - {k}
    return bodies, neighbors


def _groups(m: Arrays, flex: int) -> Iterator[np.ndarray]:
    """Bodies that move the corners of each element or cell, and of both triangles beside an edge that bends."""
    if m["flex_rigid"][flex]:
        return
    if is_interpolated(m, flex):
        bodies = m["flex_nodebodyid"][_range(m, flex, "node")]
        for nodes in _cells(abs(int(m["flex_interp"][flex])), m["flex_cellnum"][flex].tolist()):
            yield bodies[[node for node in nodes if node < len(bodies)]]
        return
    bodies, dim = m["flex_vertbodyid"][_range(m, flex, "vert")], int(m["flex_dim"][flex])
    first, count = int(m["flex_elemdataadr"][flex]), int(m["flex_elemnum"][flex])
    yield from bodies[m["flex_elem"][first : first + count * (dim + 1)].reshape(count, dim + 1)]
    if dim == 2 and m["flex_bendingadr"][flex] >= 0:
        edges = _range(m, flex, "edge")
        corners = np.hstack([m["flex_edge"][edges], m["flex_edgeflap"][edges]])
        yield from bodies[corners[(corners >= 0).all(axis=1)]]


def _range(m: Arrays, flex: int, what: str) -> slice:
    start = int(m[f"flex_{what}adr"][flex])
    return slice(start, start + int(m[f"flex_{what}num"][flex]))


def _cells(order: int, counts: list[int]) -> Iterator[list[int]]:
    """Nodes of each cell of a grid, counted with z fastest."""
    _, along, deep = (order * count + 1 for count in counts)
    for cell in product(*map(range, counts)):
        first = [order * place for place in cell]
        steps = product(range(order + 1), repeat=3)
        yield [((first[0] + x) * along + first[1] + y) * deep + first[2] + z for x, y, z in steps]


# --- graphs


def _components(neighbors: Graph) -> Iterator[list[int]]:
    """Points that hang together, each in ascending order."""
    seen: set[int] = set()
    for start in range(len(neighbors)):
        if start in seen:
            continue
        found, ahead = {start}, [start]
        while ahead:
            further = neighbors[ahead.pop()] - found
            found |= further
            ahead += further
        seen |= found
        yield sorted(found)


def _part(neighbors: Graph, points: list[int]) -> Graph:
    """The graph of some points that hang together, counted anew."""
    number = {point: k for k, point in enumerate(points)}
    return [{number[other] for other in neighbors[point]} for point in points]


def _eliminate(neighbors: Graph, widths: np.ndarray, order: list[int]) -> tuple[list[np.ndarray], int]:
    """What each point fills into when points are eliminated in an order, and how many products that takes.

    Args:
        neighbors: of each point.
        widths: how many dofs each has.
        order: the points.
    """
    sets, total = [bit_set(around) for around in neighbors], 0
    fill = [np.empty(0, int)] * len(sets)
    for k in order:
        fill[k] = members(sets[k])
        eliminate(sets, k, fill[k].tolist())
        count = int(widths[fill[k]].sum())
        total += sum((count + j) * (count + j + 1) // 2 for j in range(widths[k]))
    return fill, total


def _next_to_parents(order: list[int], fill: list[np.ndarray]) -> list[int]:
    """Another order with the same factor: each point directly before the first that it fills into, or near it.

    So points that fill into the same others are neighbors, and loops over them have no gaps.
    """
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order))
    children: dict[int, list[int]] = {}
    for k in order:
        parent = int(fill[k][place[fill[k]].argmin()]) if len(fill[k]) else -1
        children.setdefault(parent, []).append(k)
    found, ahead = [], list(children[-1])
    # parents first; the last of all is the first to be eliminated
    while ahead:
        k = ahead.pop()
        found.append(k)
        ahead += children.get(k, [])
    return found[::-1]
