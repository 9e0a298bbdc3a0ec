"""Integers that follow from the kinematic tree: parents of dofs, trees, simple bodies, patterns of sparse matrices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from phalanx.compiler.model_build import KINDS, Build, Columns, starts_of
from phalanx.compiler.object.body import Body
from phalanx.compiler.object.rotation import EPSILON, Quat
from phalanx.pipeline.exact_frames import TOLERANCE
from phalanx.tables.joints import BY_TAG


def write_structure(build: Build) -> None:
    """All rows that describe how dofs and bodies hang together."""
    parents = _dof_parents(build)
    _write_trees(build, parents)
    simple = _simple_bodies(build)
    columns = build.columns
    columns["body_simple"] = simple
    # dofs of simple bodies in a row, counted from the last to each
    run, counts = 0, []
    for body in reversed(columns["dof_bodyid"]):
        run = run + 1 if simple[body] else 0
        counts.append(run)
    columns["dof_simplenum"] = counts[::-1]
    _write_patterns(build, parents)


def _dof_parents(build: Build) -> list[int]:
    """The dof before each on the way to the world."""
    last: dict[int, int] = {}
    parents: list[int] = []
    for body in build.bodies:
        above = last[body.parent.id] if body.parent else -1
        for _ in range(body.dofnum):
            parents.append(above)
            above = len(parents) - 1
        last[body.id] = above
    build.columns["dof_parentid"] = parents
    return parents


def check_sleep(build: Build) -> None:
    """A sleep policy is for a whole kinematic tree; only its first body may have one."""
    before = None
    for body in build.bodies[1:]:
        root = _root_of_tree(body.weld)
        if _sleep_policy(body) and (root is None or root is before) and build.is_whole:
            build.report(body.element, "a sleep policy is for the first body of a tree that moves", "sleep")
        before = root


def _root_of_tree(body: Body) -> Body | None:
    """The first body that moves, on the way from the world to this one, if this one moves."""
    if not body.joints:
        return None
    root, here = body, body.parent
    while here is not None:
        root, here = here if here.joints else root, here.parent
    return root


def _sleep_policy(body: Body) -> int:
    return body.element.row.attributes["sleep"].keywords[body.guess("sleep")]


def _write_trees(build: Build, parents: list[int]) -> None:
    """Kinematic trees, and the sleep policy asked for."""
    columns, sizes = build.columns, build.sizes
    tree = list(accumulate(1 if parent == -1 else 0 for parent in parents))
    columns["dof_treeid"] = [count - 1 for count in tree]
    sizes["ntree"] = tree[-1] if tree else 0
    policy = [0] * sizes["ntree"]
    for body in build.bodies[1:]:
        if _sleep_policy(body):
            policy[columns["dof_treeid"][columns["body_dofadr"][body.weld.id]]] = _sleep_policy(body)
    columns["tree_sleep_policy"] = policy


# --- simple bodies: those whose block of the inertia matrix is diagonal


def _near(values: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(a - b) < TOLERANCE for a, b in zip(values, others, strict=True))


def _is_identity(quat: Quat) -> bool:
    return _near(quat, (1, 0, 0, 0)) or _near(quat, (-1, 0, 0, 0))


def _simple_bodies(build: Build) -> list[int]:
    """body_simple; the armature of a tendon couples the bodies on its path, which are not simple then."""
    bodies = build.bodies
    parents = {body.parent.id for body in bodies if body.parent}
    simple = [_simplicity(body, body.id in parents) for body in bodies]
    for tendon in build.tendons:
        if tendon["armature"] > 0:
            for kind, target, _ in tendon.path:
                if kind != "joint" and target is not None:
                    simple[target.body.id] = 0
    return simple


def _simplicity(body: Body, has_children: bool) -> int:
    """Of a body: 0 general, 1 with a diagonal block, 2 with a diagonal block and slides only."""
    if not (_near(body.ipos, (0, 0, 0)) and _is_identity(body.iquat)) or body["simple"] == "false":
        return 0
    if not all(BY_TAG[joint.kind].simple for joint in body.joints):
        return 0
    if body.parent is None:
        return 1
    # it must be a leaf, on the world or on a fixed child of the world
    above = body.parent
    is_on_fixed = above.parent is None or (above.parent.parent is None and above.dofnum == 0)
    if has_children or not is_on_fixed:
        return 0
    # its joints are at the center of mass, along axes, and no joint follows a rotation
    is_rotated = False
    for joint in body.joints:
        is_aligned = not joint.row.scalar or sum(abs(x) > EPSILON for x in joint.axis) == 1
        if is_rotated or not is_aligned or not _near(joint.pos, (0, 0, 0)):
            return 0
        is_rotated = joint.row.angular
    return 2 if body.joints and all(joint.kind == "slide" for joint in body.joints) else 1


# --- patterns


def _write_patterns(build: Build, parents: list[int]) -> None:
    """M (lower triangle), D (square), B (bodies and dofs), and where entries of one are in another."""
    columns, sizes = build.columns, build.sizes
    nv = len(parents)
    # the dofs from the root to each dof
    chains: list[list[int]] = []
    for dof, parent in enumerate(parents):
        chains.append([*chains[parent], dof] if parent >= 0 else [dof])
    # the inertia of a simple body does not couple its dofs
    simple = columns["dof_simplenum"]
    lower = [[dof] if simple[dof] else chains[dof] for dof in range(nv)]
    below: list[list[int]] = [[] for _ in range(nv)]
    for dof, chain in enumerate(chains):
        for ancestor in chain[:-1]:
            below[ancestor].append(dof)
    square = [chains[dof] + below[dof] for dof in range(nv)]
    lengths = [len(chain) for chain in chains]
    columns["dof_Madr"] = starts_of(lengths)
    sizes["nM"] = sum(lengths)
    for name, rows in (("M", lower), ("D", square), ("B", _body_dofs(build))):
        counts = [len(row) for row in rows]
        columns[f"{name}_rownnz"], columns[f"{name}_rowadr"] = counts, starts_of(counts)
        columns[f"{name}_colind"] = [column for row in rows for column in row]
        sizes["nC" if name == "M" else f"n{name}"] = sum(counts)
    columns["D_diag"] = [len(chain) - 1 for chain in chains]
    _write_maps(columns, np.array(lengths, np.int64), np.array(simple, bool))


def _write_maps(columns: Columns, lengths: np.ndarray, is_simple: np.ndarray) -> None:
    """mapM2D, mapD2M, mapM2M: entries of the patterns in one another; an entry is known by its row and column."""
    nv = len(lengths)
    rows, cols = {}, {}
    for name in ("M", "D"):
        rows[name] = np.repeat(np.arange(nv), columns[f"{name}_rownnz"])
        cols[name] = np.array(columns[f"{name}_colind"], np.int64)
    # columns ascend within each row, so entries are sorted
    lower, square = (rows[name] * nv + cols[name] for name in ("M", "D"))
    wanted = np.maximum(rows["D"], cols["D"]) * nv + np.minimum(rows["D"], cols["D"])
    found = np.searchsorted(lower, wanted)
    is_there = lower[np.minimum(found, len(lower) - 1)] == wanted if nv else found == 0
    columns["mapM2D"] = np.where(is_there, found, -1)
    columns["mapD2M"] = np.searchsorted(square, lower)
    # a chain goes from the root to its dof, and back in MuJoCo's older order
    place = np.arange(len(lower)) - np.repeat(columns["M_rowadr"], columns["M_rownnz"]).astype(np.int64)
    back = np.where(is_simple[rows["M"]], 0, lengths[rows["M"]] - 1 - place)
    columns["mapM2M"] = np.array(columns["dof_Madr"], np.int64)[rows["M"]] + back


def _body_dofs(build: Build) -> list[list[int]]:
    """Dofs of each body's ancestors, itself and its subtree."""
    bodies = build.bodies
    own = [
        list(range(body.joints[0].dofadr, body.joints[0].dofadr + body.dofnum)) if body.joints else []
        for body in bodies
    ]
    above: list[list[int]] = []
    for body in bodies:
        above.append([] if body.parent is None else above[body.parent.id] + own[body.parent.id])
    subtree: list[list[int]] = [list(dofs) for dofs in own]
    for body in reversed(bodies):
        if body.parent is not None:
            subtree[body.parent.id] += subtree[body.id]
    return [sorted(above[body.id] + subtree[body.id]) for body in bodies]


def write_names(build: Build) -> None:
    """All names in one string, where each begins, and the hash table from names to objects."""
    columns, sizes = build.columns, build.sizes
    model = build.root.attributes.get("model", "MuJoCo Model")
    data = bytearray(model.encode() + b"\0")
    table: list[int] = []
    for kind, short in KINDS.items():
        objects = build.of_kind(kind)
        columns[f"name_{short}adr"] = addresses = []
        # open addressing: twice as many slots as names, the next free one if a slot is taken
        slots = [-1] * (2 * len(objects))
        for obj in objects:
            addresses.append(len(data))
            name = obj.name.encode()
            data += name + b"\0"
            if name:
                slot = _hash(name) % len(slots)
                while slots[slot] != -1:
                    slot = (slot + 1) % len(slots)
                slots[slot] = obj.id
        table += slots
    columns["names"] = np.frombuffer(bytes(data), np.uint8)
    columns["names_map"] = table
    sizes["nnames"], sizes["nnames_map"] = len(data), len(table)


def _hash(name: bytes) -> int:
    """Bernstein's hash djb2 with xor, in 64 bits (mj_hashString)."""
    value = 5381
    # characters are signed
    letters = name if name.isascii() else memoryview(name).cast("b")
    # bits beyond 64 do not affect lower ones: they are cut off once for many letters, before the number grows long
    for start in range(0, len(letters), 64):
        for letter in letters[start : start + 64]:
            value = value * 33 ^ letter
        value &= 0xFFFFFFFFFFFFFFFF
    return value


def write_paths(build: Build) -> None:
    """File names of assets, then content types of textures."""
    columns, sizes = build.columns, build.sizes
    data = bytearray()
    for kind in ("hfield", "mesh", "skin", "texture"):
        short = {"texture": "tex"}.get(kind, kind)
        columns[f"{short}_pathadr"] = addresses = []
        for obj in build.of_kind(kind):
            name = obj.values.get("file") or ""
            folder = "texturedir" if kind == "texture" else "meshdir"
            name = obj.scope.path_of(name, folder, obj.element) if name else ""
            addresses.append(len(data) if name else -1)
            data += name.encode() + b"\0" if name else b""
    columns["tex_contenttypeadr"] = addresses = []
    for texture in build.textures:
        kind = texture["content_type"] or ""
        addresses.append(len(data) if kind else -1)
        data += kind.encode() + b"\0" if kind else b""
    columns["paths"] = np.frombuffer(bytes(data) or b"\0", np.uint8)
    sizes["npaths"] = len(data) or 1
