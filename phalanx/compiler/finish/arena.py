"""The default size of MuJoCo's work memory: its stack, contacts, constraint rows, and a factor for flexes.

In sparse models dofs of bodies that carry flexes count by the entries of a matrix, which couples bodies that share an
edge, a hinge, what bends, a cell or a face, and of its Cholesky factor, from the last body on: 32 and 10 bytes for each
entry of the lower triangle. Dofs of flexes that can touch themselves, or other flexes, have entries in all rows, too.
This was found by measuring MuJoCo's number, which is in whole megabytes, with more and more room for contacts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from phalanx.compiler.flex.cell_shell import faces_of
from phalanx.compiler.flex.flex_object import Flex
from phalanx.compiler.model_build import KINDS, Build
from phalanx.compiler.object.body import Body
from phalanx.tables.enums import Jacobian

MEGABYTE = 1 << 20
#: The largest whole number of megabytes that MuJoCo can count.
LARGEST_ARENA = 2**63 - MEGABYTE
#: Bytes of a contact record of MuJoCo.
CONTACT_BYTES = 608
#: Models of so many dofs are sparse by default.
SPARSE_DOFS = 60
#: Contacts and constraint rows that are counted on.
CONTACTS, ROWS = 100, 500


def write_arena(build: Build) -> None:
    """The work memory MuJoCo would reserve, unless the user asks for some."""
    if build.sizes["narena"] == -1:
        whole = -(-_arena(build) // MEGABYTE)
        build.sizes["narena"] = min(MEGABYTE * whole, LARGEST_ARENA)


def _arena(build: Build) -> int:
    """MuJoCo's estimate, in bytes."""
    s, stack = build.sizes, build.size_setting("nstack")
    nv, contacts = s["nv"], CONTACTS if s["nconmax"] == -1 else s["nconmax"]
    rows = ROWS if s["njmax"] == -1 else s["njmax"]
    counts = {kind: len(build.of_kind(kind)) for kind in KINDS}
    fixed = contacts * CONTACT_BYTES + rows * (8 * 4 + 14 * 8) + nv * 12 + rows * rows * 12
    jacobian = 24 * rows * nv
    if stack != -1:
        return 8 * stack + fixed + jacobian
    objects = sum(counts[kind] for kind in ("body", "joint", "geom", "site", "equality", "tendon"))
    fixed += 160 * (s["nq"] + nv + s["nu"] + s["na"] + objects + s["nwrap"])
    edge = rows + counts["equality"]
    flexes = build.flexes if _is_sparse(build) else []
    moved = _moved_bodies(flexes)
    touching = _moved_bodies(flex for flex in flexes if _can_touch(flex, flexes))
    deformable, movable = (sum(body.dofnum for body in bodies.values()) for bodies in (moved, touching))
    # if all of it can touch, and there is a row for each dof, MuJoCo counts as if there were no flexes
    if not moved or (movable == deformable and rows >= deformable):
        return 40 * (edge + nv) ** 2 + fixed + jacobian
    factor = _factor_bytes(moved, flexes)
    return 40 * (edge + nv - deformable) ** 2 + fixed + factor + 24 * rows * movable + max(2 * factor, jacobian)


def _is_sparse(build: Build) -> bool:
    word = build.columns["opt.jacobian"]
    return bool(word == Jacobian.SPARSE or (word == Jacobian.AUTO and build.sizes["nv"] >= SPARSE_DOFS))


def _moved_bodies(flexes: Iterable[Flex]) -> dict[int, Body]:
    """The bodies that carry flexes and move, by their ids."""
    bodies = (body.weld for flex in flexes for group in _groups(flex) for body in group)
    return {body.id: body for body in bodies if body.dofnum}


def _can_touch(flex: Flex, flexes: Iterable[Flex]) -> bool:
    """Can a flex touch itself or another one?"""
    for other in flexes:
        meets = flex.contact["contype"] & other.contact["conaffinity"]
        meets |= other.contact["contype"] & flex.contact["conaffinity"]
        if meets and (other is not flex or flex.contact["selfcollide"] != "none"):
            return True
    return False


def _groups(flex: Flex) -> Iterator[list[Body]]:
    """Bodies that share an edge, a hinge, what bends around an edge, a cell or a face."""
    if flex.is_rigid:
        return
    if flex.grid is not None:
        shell = [face.nodes for face in faces_of(flex.grid)] if flex.elastic2d else []
        for nodes in shell or map(flex.grid.nodes_of, range(flex.grid.ncell)):
            yield [flex.node_bodies[node] for node in nodes]
        return
    found = flex.edges.ends.tolist()
    if flex.dim == 2 and len(flex.bending):
        found += [flap for flap in flex.edges.flaps.tolist() if flap[3] >= 0]
    if flex.rod is not None:
        found += flex.rod.hinged_vertices()
    for vertices in found:
        yield [flex.bodies[vertex] for vertex in vertices if vertex >= 0]


def _factor_bytes(moved: dict[int, Body], flexes: Iterable[Flex]) -> int:
    """What the matrix of flexes and its factor take."""
    # the last body is the first that is eliminated
    place = {body: k for k, body in enumerate(sorted(moved, reverse=True))}
    sizes = [moved[body].dofnum for body in place]
    later: list[set[int]] = [set() for _ in sizes]
    for flex in flexes:
        for group in _groups(flex):
            inside = {place[body.weld.id] for body in group if body.weld.id in place}
            for one in inside:
                later[one].update(other for other in inside if other > one)
    diagonal = sum(size * (size + 1) // 2 for size in sizes)
    matrix = diagonal + sum(size * sizes[k] for size, row in zip(sizes, later, strict=True) for k in row)
    factor = diagonal + sum(size * below for size, below in zip(sizes, entries_below(later, sizes), strict=True))
    return 32 * matrix + 10 * factor


def entries_below(later: list[set[int]], sizes: list[int]) -> list[int]:
    """Rows below the diagonal of each column of a Cholesky factor, of blocks of rows.

    A row of the factor is a part of the elimination tree: what leads there from its entries in the matrix (Liu 1990).
    """
    count = len(sizes)
    before: list[list[int]] = [[] for _ in sizes]
    for column, rows in enumerate(later):
        for row in rows:
            before[row].append(column)
    parents, seen, below = [-1] * count, [-1] * count, [0] * count
    for row in range(count):
        seen[row] = row
        for start in before[row]:
            column = start
            while seen[column] != row:
                if parents[column] < 0:
                    parents[column] = row
                below[column] += sizes[row]
                seen[column] = row
                column = parents[column]
    return below
