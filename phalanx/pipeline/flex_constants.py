"""Rows of flexes that follow from others: lengths and inertias of edges, their sparse Jacobian, the bending metric.

The part of mj_setConst that is about flexes. It is plain NumPy of one world, after the kernels of
`phalanx.pipeline.constants` have found the initial pose and its inertia.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.memory.errors import ModelError
from phalanx.memory.store import Store
from phalanx.pipeline.block_factor import factored_rows, filled_rows
from phalanx.tables.enums import JointType
from phalanx.tables.joints import ROTATIONS

Arrays = dict[str, np.ndarray]

#: A body that only slides.
SLIDES_ONLY = 2


def derive_flexes(store: Store, pose: Store) -> None:
    """All of them; `pose` is at qpos0, with its inertia."""
    m, d = store.arrays, pose.arrays
    vertices = vertex_positions(m, d)
    first, last, bodies = _edge_ends(m)
    step = vertices[last] - vertices[first]
    length = np.sqrt((step * step).sum(axis=1))
    m["flexedge_length0"][:] = length
    for flex in range(len(m["flex_dim"])):
        if is_interpolated(m, flex):
            m["flexedge_length0"][_part(m, flex, "edge")] = 0.0
    _write_inertias(store, d, vertices, (first, last), bodies)
    _stretch_dofs(m, d)
    _write_order(store)
    _write_metric(store)


def _part(m: Arrays, flex: int, what: str) -> slice:
    start = int(m[f"flex_{what}adr"][flex])
    return slice(start, start + int(m[f"flex_{what}num"][flex]))


def is_interpolated(m: Arrays, flex: int) -> bool:
    """Do nodes of cells move its vertices?"""
    return bool(m["flex_interp"][flex])


# --- vertices and edges


def _rotated(vectors: np.ndarray, quats: np.ndarray) -> np.ndarray:
    u = quats[:, 1:]
    return vectors + 2.0 * np.cross(u, quats[:, :1] * vectors + np.cross(u, vectors))


def vertex_positions(m: Arrays, d: Arrays) -> np.ndarray:
    """Vertices of all flexes in the world, but not of those that nodes of cells move."""
    body = np.maximum(m["flex_vertbodyid"], 0)
    return d["xpos"][body] + _rotated(m["flex_vert"], d["xquat"][body])


def _edge_ends(m: Arrays) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vertices at the ends of all edges, counted over all flexes, and their bodies."""
    offset = np.zeros(len(m["flex_edge"]), np.int64)
    for flex in range(len(m["flex_dim"])):
        offset[_part(m, flex, "edge")] = m["flex_vertadr"][flex]
    ends = m["flex_edge"] + offset[:, None]
    return ends[:, 0], ends[:, 1], m["flex_vertbodyid"][ends]


def _write_inertias(
    store: Store, d: Arrays, vertices: np.ndarray, ends: tuple[np.ndarray, np.ndarray], bodies: np.ndarray
) -> None:
    """flexedge_invweight0: J M^-1 J', or the mean of the inverse masses where both ends only slide."""
    m = store.arrays
    inverse = m["flexedge_invweight0"]
    inverse[:] = 0.0
    if not store.sizes["nv"]:
        return
    general: list[int] = []
    for flex in range(len(m["flex_dim"])):
        if is_interpolated(m, flex):
            continue
        edges = np.arange(len(inverse))[_part(m, flex, "edge")]
        moving = edges[~m["flexedge_rigid"][edges].astype(bool)]
        slides = (m["body_simple"][bodies[moving]] == SLIDES_ONLY).all(axis=1)
        sliding = bodies[moving[slides]]
        masses = m["body_mass"][sliding]
        if not masses.all():
            body = sliding[masses == 0.0][0]
            raise ModelError(f"body_mass[{body}] is 0, but the body moves: it is a vertex of a flex")
        inverse[moving[slides]] = (1 / masses).sum(axis=1) / 2
        general += [int(edge) for edge in moving[~slides] if m["flexedge_J_rownnz"][edge]]
    # other edges need their Jacobian; kinematic trees add up
    by_tree: dict[int, list[tuple[int, np.ndarray]]] = defaultdict(list)
    for edge in general:
        first, last = int(ends[0][edge]), int(ends[1][edge])
        direction = vertices[last] - vertices[first]
        size = float(np.sqrt(direction @ direction))
        direction = direction / size if size > 1e-15 else np.array([1.0, 0.0, 0.0])
        row = np.zeros(store.sizes["nv"])
        for vertex, body, sign in ((last, bodies[edge, 1], 1.0), (first, bodies[edge, 0], -1.0)):
            for dof in _chain(m, int(body)):
                row[dof] += sign * float(direction @ _velocity(m, d, dof, vertices[vertex]))
        start = int(m["flexedge_J_rowadr"][edge])
        dofs = m["flexedge_J_colind"][start : start + int(m["flexedge_J_rownnz"][edge])]
        for tree in np.unique(m["dof_treeid"][dofs]).tolist():
            by_tree[tree].append((edge, row))
    for tree, rows in by_tree.items():
        _add_inverses(m, d, tree, rows, inverse)


def _chain(m: Arrays, body: int) -> list[int]:
    """Dofs that move a body, last first."""
    while body and not m["body_dofnum"][body]:
        body = int(m["body_parentid"][body])
    dof = int(m["body_dofadr"][body] + m["body_dofnum"][body] - 1) if body else -1
    found = []
    while dof >= 0:
        found.append(dof)
        dof = int(m["dof_parentid"][dof])
    return found


def _velocity(m: Arrays, d: Arrays, dof: int, point: np.ndarray) -> np.ndarray:
    """Velocity of a point per velocity of a dof."""
    axis = d["cdof"][dof]
    center = d["subtree_com"][m["body_rootid"][m["dof_bodyid"][dof]]]
    return axis[3:] + np.cross(axis[:3], point - center)


def _add_inverses(m: Arrays, d: Arrays, tree: int, rows: list[tuple[int, np.ndarray]], inverse: np.ndarray) -> None:
    """Add the part of J M^-1 J' of one kinematic tree to some edges."""
    start, count = int(m["tree_dofadr"][tree]), int(m["tree_dofnum"][tree])
    dense = np.zeros((count, count))
    for dof in range(start, start + count):
        first = int(m["M_rowadr"][dof])
        entries = slice(first, first + int(m["M_rownnz"][dof]))
        dense[dof - start, m["M_colind"][entries] - start] = d["M"][entries]
    dense += np.tril(dense, -1).T
    # dofs without mass count as in the factor of M
    np.fill_diagonal(dense, np.maximum(dense.diagonal(), MINVAL))
    jacobian = np.array([row[start : start + count] for _, row in rows])
    try:
        parts = (jacobian * np.linalg.solve(dense, jacobian.T).T).sum(axis=1)
    except np.linalg.LinAlgError:
        raise ModelError("the bodies of a flex have dofs along which nothing has mass") from None
    for (edge, _), part in zip(rows, parts, strict=True):
        inverse[edge] += part


# --- sizes of bodies


def edge_reaches(m: Arrays, d: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """Bodies that carry vertices or nodes, and how far each reaches along an edge or to another node."""
    _, _, ends = _edge_ends(m)
    is_moved = np.ones(len(ends), bool)
    bodies, reaches = [], []
    for flex in range(len(m["flex_dim"])):
        if is_interpolated(m, flex):
            is_moved[_part(m, flex, "edge")] = False
            carriers = np.unique(m["flex_nodebodyid"][_part(m, flex, "node")])
            place = d["xpos"][carriers]
            far = [float(np.sqrt(((place - here) ** 2).sum(axis=1)).max()) for here in place]
            bodies.append(carriers)
            reaches.append(np.array(far))
    lengths = m["flexedge_length0"][is_moved]
    bodies += [ends[is_moved, 0], ends[is_moved, 1]]
    reaches += [lengths, lengths]
    return np.concatenate(bodies), np.concatenate(reaches)


def _stretch_dofs(m: Arrays, d: Arrays) -> None:
    """dof_length: rotations of bodies that carry vertices reach along their edges."""
    bodies, reaches = edge_reaches(m, d)
    largest = np.zeros(len(m["body_mass"]))
    np.maximum.at(largest, bodies, reaches)
    kind = m["jnt_type"][m["dof_jntid"]]
    first = m["jnt_dofadr"][m["dof_jntid"]]
    rotations = np.array([ROTATIONS[JointType(int(one))] for one in kind], np.int64)
    total = np.bincount(m["dof_jntid"], minlength=len(m["jnt_type"]))[m["dof_jntid"]] if len(kind) else rotations
    is_rotation = np.arange(len(kind)) - first >= total - rotations
    m["dof_length"][:] = np.where(is_rotation, np.maximum(m["dof_length"], largest[m["dof_bodyid"]]), m["dof_length"])


# --- pattern of the edge Jacobian


def link_edges(m: Arrays) -> None:
    """flexedge_J_rownnz, flexedge_J_rowadr, flexedge_J_colind: the dofs at both ends of each edge that has forces."""
    counts, starts, columns = (m[f"flexedge_J_{name}"] for name in ("rownnz", "rowadr", "colind"))
    counts[:], starts[:], columns[:] = 0, 0, 0
    _, _, ends = _edge_ends(m)
    for flex in range(len(m["flex_dim"])):
        edges = _part(m, flex, "edge")
        has_rows = not (m["flex_rigid"][flex] or is_interpolated(m, flex)) and _has_edge_forces(m, flex)
        for edge in range(edges.start, edges.stop):
            if edge:
                starts[edge] = starts[edge - 1] + counts[edge - 1]
            if not has_rows:
                continue
            dofs = sorted({*_chain(m, int(ends[edge, 0])), *_chain(m, int(ends[edge, 1]))})
            counts[edge] = len(dofs)
            columns[starts[edge] : starts[edge] + len(dofs)] = dofs


def _has_edge_forces(m: Arrays, flex: int) -> bool:
    rows = ("edgeequality", "edgedamping", "edgestiffness", "damping")
    return any(m[f"flex_{name}"][flex] for name in rows)


# --- the metric of bending


def _write_order(store: Store) -> None:
    """efmC_perm: in which order vertices are eliminated, to keep a sparse factor sparse."""
    m = store.arrays
    order = m["efmC_perm"]
    order[:] = -1
    dofs, neighbors = _vertex_graph(m)
    found = [dofs[vertex] for vertex in reversed(least_degree_first(neighbors))]
    count = min(len(found), len(order))
    order[:count] = found[:count]


def is_plain(m: Arrays, body: int) -> bool:
    """Is a body fixed?"""
    return not m["body_dofnum"][m["body_weldid"][body]]


def slides_freely(m: Arrays, body: int) -> bool:
    """Does a body slide along three axes of a fixed one?"""
    if m["body_dofnum"][body] != 3 or m["body_jntnum"][body] != 3:
        return False
    first = int(m["body_jntadr"][body])
    is_slide = (m["jnt_type"][first : first + 3] == JointType.SLIDE).all()
    axes = np.eye(3)
    is_along = np.array_equal(m["jnt_axis"][first : first + 3], axes)
    return bool(is_slide and is_along) and is_plain(m, int(m["body_parentid"][body]))


def has_elastic_elements(m: Arrays, flex: int) -> bool:
    """Has a flex elastic forces, besides springs of edges? Solid cells around lines have none, as in MuJoCo."""
    if m["flex_dim"][flex] == 1 and m["flex_interp"][flex] > 0:
        return False
    return resists_stretching(m, flex) or resists_bending(m, flex)


def resists_stretching(m: Arrays, flex: int) -> bool:
    """Has a flex elements that resist stretching?"""
    start = int(m["flex_stiffnessadr"][flex])
    if is_interpolated(m, flex):
        # the first cells may be empty
        size = (3 * (abs(int(m["flex_interp"][flex])) + 1) ** 3) ** 2 * int(m["flex_cellnum"][flex].prod())
        return start >= 0 and bool(m["flex_stiffness"][start : start + size].any())
    return start >= 0 and bool(m["flex_stiffness"][start : start + 6].any())


def resists_bending(m: Arrays, flex: int) -> bool:
    """Has a flex hinges, or edges between two triangles, that resist bending?"""
    start = int(m["flex_bendingadr"][flex])
    if start < 0:
        return False
    if m["flex_dim"][flex] == 2 and not is_interpolated(m, flex):
        return bool((m["flex_edgeflap"][_part(m, flex, "edge"), 1] >= 0).any())
    return bool(m["flex_bending"][start])


def _vertex_graph(m: Arrays) -> tuple[list[int], list[set[int]]]:
    """First dofs of the vertices that slide freely, and which of them share a force; not of flexes that move else.

    There are none if cells are elastic, too: their stiffness couples nodes, not vertices.
    """
    number: dict[int, int] = {}
    dofs: list[int] = []
    neighbors: list[set[int]] = []
    flexes = range(len(m["flex_dim"]))
    # one factor serves all flexes, and it knows vertices only
    if any(is_interpolated(m, flex) and resists_stretching(m, flex) for flex in flexes):
        return dofs, neighbors
    for flex in flexes:
        if m["flex_rigid"][flex] or is_interpolated(m, flex):
            continue
        start = int(m["flex_vertadr"][flex])
        bodies = m["flex_vertbodyid"][_part(m, flex, "vert")].tolist()
        if not all(is_plain(m, body) or slides_freely(m, body) for body in bodies):
            continue
        groups = _forces(m, flex)
        # an equality counts vertices without elements, too
        is_whole = groups and _holds_edges(m, flex)
        for vertex in range(len(bodies)) if is_whole else sorted({vertex for group in groups for vertex in group}):
            if slides_freely(m, bodies[vertex]):
                number[start + vertex] = len(dofs)
                dofs.append(int(m["body_dofadr"][bodies[vertex]]))
                neighbors.append(set())
        for group in groups:
            inside = [number[start + vertex] for vertex in group if start + vertex in number]
            for vertex in inside:
                neighbors[vertex].update(other for other in inside if other != vertex)
    return dofs, neighbors


def _holds_edges(m: Arrays, flex: int) -> bool:
    """Has a surface or solid an equality of its edges?"""
    return bool(m["flex_dim"][flex] > 1 and m["flex_edgeequality"][flex])


def _forces(m: Arrays, flex: int) -> list[list[int]]:
    """Groups of vertices that share a force: ends of edges, hinges of rods, four around each edge of what bends."""
    edges = _part(m, flex, "edge")
    ends: list[list[int]] = m["flex_edge"][edges].tolist()
    start, dim = int(m["flex_bendingadr"][flex]), int(m["flex_dim"][flex])
    groups = list(ends) if resists_stretching(m, flex) or _holds_edges(m, flex) else []
    if dim == 1 and start >= 0:
        # records of hinges, or pairs of them, after their count
        count = int(m["flex_bending"][start])
        records = m["flex_bending"][start + 1 : start + 1 + 10 * count].reshape(-1, 10)[:, :4].astype(np.int64)
        groups += [[vertex for vertex in record if vertex >= 0] for record in records.tolist()]
    if dim == 2 and start >= 0:
        flaps = m["flex_edgeflap"][edges].tolist()
        groups += [[*pair, *flap] for pair, flap in zip(ends, flaps, strict=True) if flap[1] >= 0]
    return groups


def least_degree_first(neighbors: list[set[int]]) -> list[int]:
    """The vertices of a graph, each with the fewest neighbors when those before it are eliminated.

    Of several, the one that changed last comes first; at the start, the one with the lowest number.
    """
    sets = [bit_set(around) for around in neighbors]
    degree = [len(around) for around in neighbors]
    stacks: dict[int, list[int]] = defaultdict(list)
    for vertex in reversed(range(len(neighbors))):
        stacks[degree[vertex]].append(vertex)
    is_done = [False] * len(neighbors)
    order: list[int] = []
    least = 0
    while len(order) < len(neighbors):
        # what a stack holds may be outdated
        stack = stacks[least]
        while stack and (is_done[stack[-1]] or degree[stack[-1]] != least):
            stack.pop()
        if not stack:
            least += 1
            continue
        vertex = stack.pop()
        is_done[vertex] = True
        order.append(vertex)
        around = members(sets[vertex]).tolist()
        eliminate(sets, vertex, around)
        for other in around:
            degree[other] = sets[other].bit_count()
            stacks[degree[other]].append(other)
            least = min(least, degree[other])
    return order


def bit_set(numbers: Iterable[int]) -> int:
    """A set of small numbers as the bits of one: with thousands of them unions take a tenth of the time."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def members(bits: int) -> np.ndarray:
    """The numbers in a set, ascending."""
    stored = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(stored, bitorder="little"))


def eliminate(sets: list[int], vertex: int, around: list[int]) -> None:
    """The neighbors of a vertex, which are listed, become neighbors of each other, and it is one of none."""
    clique, own = sets[vertex], 1 << vertex
    for other in around:
        sets[other] = (sets[other] | clique) ^ (own | 1 << other)


def _write_metric(store: Store) -> None:
    """efm0_*: the factor L, with L' L = M + (h² + h damping) K, of the vertices that bend and slide freely."""
    found = _metric(store.arrays)
    if found is None:
        return
    dofs, counts, columns, values = found
    store.set_size("nefm0dof", len(dofs))
    store.set_size("nefm0L", len(columns))
    rows = {
        "efm0_dofid": dofs,
        "efm0_L_rownnz": counts,
        "efm0_L_rowadr": np.cumsum([0, *counts])[:-1],
        "efm0_L_colind": columns,
        "efm0_L": values,
    }
    for name, row in rows.items():
        array = store.allocate(name)
        array[...] = row
        store.attach(name, array)


def _metric(m: Arrays) -> tuple[list[int], list[int], list[int], list[float]] | None:
    """Dofs of the rows of L, how many entries each row has, their columns, and their values."""
    blocks, dofs = _bending_blocks(m)
    if not dofs:
        return None
    struct, parents = filled_rows(blocks, len(dofs))
    try:
        factors = factored_rows(blocks, struct, parents)
    except ArithmeticError:
        raise ModelError("the stiffness or damping of bending of a flex is too large for its mass") from None
    counts, columns, values = [], [], []
    has_child = {parent for parent in parents if parent >= 0}
    for vertex, (before, rows) in enumerate(zip(struct, factors, strict=True)):
        around = [3 * other + k for other in before for k in range(3)]
        for k in range(3):
            # a vertex that nothing was eliminated into couples its own coordinates only with themselves
            own = range(k + 1) if vertex in has_child else (k,)
            counts.append(len(around) + len(own))
            columns += around + [3 * vertex + j for j in own]
            values += rows[k, : len(around)].tolist() + [float(rows[k, len(around) + j]) for j in own]
    return [dof + k for dof in dofs for k in range(3)], counts, columns, values


def _bending_blocks(m: Arrays) -> tuple[dict[tuple[int, int], np.ndarray], list[int]]:
    """M + (h² + h damping) K as blocks of vertices, the lower triangle; and the first dof of each vertex."""
    step = float(m["opt.timestep"])
    blocks: dict[tuple[int, int], np.ndarray] = {}
    dofs: list[int] = []
    for flex in range(len(m["flex_dim"])):
        start = int(m["flex_bendingadr"][flex])
        if m["flex_rigid"][flex] or is_interpolated(m, flex) or m["flex_dim"][flex] != 2 or start < 0:
            continue
        vertices = _part(m, flex, "vert")
        bodies = m["flex_vertbodyid"][vertices].tolist()
        if not all(is_plain(m, body) or slides_freely(m, body) for body in bodies):
            continue
        number, axes = {}, {}
        for vertex, body in enumerate(bodies):
            if slides_freely(m, body):
                number[vertex] = len(dofs)
                axes[vertex] = _axes_of(m, body)
                first = int(m["body_dofadr"][body])
                dofs.append(first)
                inertia = m["body_mass"][body] + m["dof_armature"][first : first + 3]
                blocks[number[vertex], number[vertex]] = np.diag(inertia)
        scale = step * step + step * float(m["flex_damping"][flex])
        edges = _part(m, flex, "edge")
        for edge in range(edges.start, edges.stop):
            flap = m["flex_edgeflap"][edge].tolist()
            if flap[1] < 0:
                continue
            around = [*m["flex_edge"][edge].tolist(), *flap]
            matrix = m["flex_bending"][start + 17 * (edge - edges.start) :][:16].reshape(4, 4)
            # an edge that is folded sharply at rest would make the metric indefinite
            matrix = matrix if np.trace(matrix) > 0 else np.zeros((4, 4))
            for a, one in enumerate(around):
                for b, two in enumerate(around):
                    if one in number and two in number and number[one] >= number[two]:
                        key = number[one], number[two]
                        rotation = axes[one].T @ axes[two]
                        blocks[key] = blocks.get(key, 0.0) + scale * float(matrix[a, b]) * rotation
    return blocks, dofs


def _axes_of(m: Arrays, body: int) -> np.ndarray:
    """Axes of a body that hangs from fixed ones, in the world."""
    rotation = np.eye(3)
    while body:
        quat = m["body_quat"][body][None]
        rotation = np.stack([_rotated(axis[None], quat)[0] for axis in rotation.T], axis=1)
        body = int(m["body_parentid"][body])
    return rotation
