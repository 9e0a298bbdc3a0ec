"""Flexes: found, checked, and written to the columns of the Model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.flex import strain_modes
from phalanx.compiler.flex.cell_grid import CellGrid
from phalanx.compiler.flex.cell_shell import bending_records, faces_of, membrane, warp
from phalanx.compiler.flex.element_stiffness import bending, lame, stretch_metric
from phalanx.compiler.flex.flexcomp import children_of
from phalanx.compiler.flex.gauss_stiffness import gauss_stiffness
from phalanx.compiler.flex.rod import Rod, find_rod
from phalanx.compiler.flex.topology import Edges, element_tree, find_edges, find_shell, flipped, is_inverted
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.body import Body
from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector, compose, matrix_of
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.compiler.text.file_settings import Scope
from phalanx.mesh.bvh import Bvh
from phalanx.tables.enums import FlexSelf
from phalanx.tables.mjcf_deformable import ELASTIC2D
from phalanx.tables.mjcf_row import SOLIMP, SOLREF
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sizes import EPSILON

#: Numbers that are smaller count as no extent.
SMALLEST = 1e-15
_NO_NUMBERS = np.zeros(0)
_NO_INTEGERS = np.zeros((0, 2), np.int64)
_CONTACT_KEY, _FRICTION = "flexcomp/contact", (1.0, 0.005, 0.0001)


class Flex(ModelObject):
    """A deformable body."""

    dim: int = 2
    radius: float = 0.0
    #: order of interpolation, 0 if vertices move by themselves; 1 bending, 2 stretching of surfaces
    order: int = 0
    elastic2d: int = 0
    is_rigid: bool = False
    is_centered: bool = False
    #: yield strain of stretching and bending
    yields: tuple[float, float] = (0.0, 0.0)
    #: kind of the first equality that holds it, 0 for none; and whether one is of strain
    equality: int = 0
    has_strain: bool = False
    elements: np.ndarray = _NO_INTEGERS
    elemtexcoords: np.ndarray = _NO_INTEGERS
    edges: Edges = Edges(_NO_INTEGERS, _NO_INTEGERS, _NO_INTEGERS)
    shell: np.ndarray = _NO_INTEGERS
    layers: np.ndarray = _NO_INTEGERS
    #: coordinates in the bodies, in the world, and scaled to the unit cube
    local: np.ndarray = _NO_NUMBERS
    points: np.ndarray = _NO_NUMBERS
    unit: np.ndarray = _NO_NUMBERS
    #: nodes in their bodies, and in the frame of the cells
    nodes: np.ndarray = _NO_NUMBERS
    nodes0: np.ndarray = _NO_NUMBERS
    size: tuple[float, ...] = (0.0, 0.0, 0.0)
    stiffness: np.ndarray = _NO_NUMBERS
    bending: np.ndarray = _NO_NUMBERS
    tree: Bvh | None = None
    grid: CellGrid | None = None
    rod: Rod | None = None
    plasticnum: int = 0
    plasticmode: int = 0

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        inside = children_of(element)
        self.contact: dict[str, Any] = inside["contact"]
        self.edge: dict[str, Any] = inside["edge"]
        self.elasticity: dict[str, Any] = inside["elasticity"]
        #: bodies of the vertices (one of all, if it is rigid) and of the nodes
        self.bodies: list[Body] = []
        self.node_bodies: list[Body] = []
        self.matids: list[int] = []

    @property
    def is_bending(self) -> bool:
        """Do its surfaces resist bending?"""
        return bool(self.elastic2d & 1)


def collect_flexes(build: Build) -> None:
    """Objects of all flexes."""
    for element in build.sections("deformable"):
        if element.tag == "flex":
            build.add("flex", make_object(build, element, Flex))


def compile_flexes(build: Build) -> None:
    """Everything about flexes that does not depend on the Model."""
    if not build.flexes:
        return
    poses = _world_poses(build)
    build.each(build.flexes, lambda flex: _compile(build, flex, poses))


Pose = tuple[Vector, Quat]


def _world_poses(build: Build) -> list[Pose]:
    """Frames of all bodies in the world, at the initial configuration."""
    poses: list[Pose] = []
    for body in build.bodies:
        if body.parent is None:
            poses.append((ORIGIN, IDENTITY))
        else:
            pos, quat = poses[body.parent.id]
            poses.append(compose(pos, quat, body.pos, body.quat))
    return poses


def _compile(build: Build, flex: Flex, poses: list[Pose]) -> None:
    """Check a flex, then compute it."""
    has_bad = bool(flex.element.bad) or any(child.bad for child in flex.element.children)
    is_sound = build.check(flex, _wrong_elasticity(flex))
    is_sound &= build.check(flex, _wrong_lists(flex))
    is_sound &= build.check(flex, _wrong_bodies(build, flex)) and not has_bad
    with build.at(flex):
        _find_materials(build, flex)
    if not is_sound:
        return
    _settle(build, flex)
    build.take(400 * (flex["element"] and len(flex["element"])))
    if not build.check(flex, _wrong_attachments(build, flex)):
        return
    _place(flex, poses)
    _connect(flex)
    try:
        _stiffen(build, flex)
    except OverflowError:
        raise ElementProblem("its stiffness is too large for a number", "") from None
    _bound(flex)
    _count_plastic(flex)


# --- checks


def _wrong_elasticity(flex: Flex) -> Iterator[Wrong]:
    """Elastic constants that make no sense."""
    dim, elastic = flex["dim"], flex.elasticity
    if not 1 <= dim <= 3:
        yield f"dim is {dim}; it must be 1, 2 or 3", "dim"
    if flex.contact["condim"] not in (1, 3, 4, 6):
        yield f"condim is {flex.contact['condim']}; it must be 1, 3, 4 or 6", ""
    young, poisson = elastic["young"], elastic["poisson"]
    # surfaces of cells are shells, whatever dimension their elements have
    shell = ELASTIC2D[elastic["elastic2d"]]
    is_interpolated = flex["node"] is not None
    if (young > 0 or shell) and not 0 <= poisson < 0.5:
        yield f"poisson is {poisson:g}; it must be at least 0 and less than 0.5", ""
    if shell and elastic["thickness"] <= 0:
        yield f"elastic2d={elastic['elastic2d']!r} needs a positive thickness", ""
    if shell and dim != 2 and not is_interpolated:
        yield f"elastic2d={elastic['elastic2d']!r} is for flexes with dim 2, or with nodes", ""
    if elastic["shear"] < 0:
        yield f"shear is {elastic['shear']:g}; it cannot be negative", ""
    yields = elastic["yield"]
    if min(yields) < 0:
        yield f"yield is {min(yields):g}; it cannot be negative", ""
    elif dim == 1 and max(yields) > 0:
        yield "yield is for flexes with dim 2 or 3", ""
    elif len(yields) > 1 and yields[1] > 0 and (dim != 2 or is_interpolated):
        yield "a yield of bending is for flexes with dim 2 and without nodes", ""
    if flex.edge["stiffness"] > 0 and dim > 1:
        yield "stiffness of edges is for flexes with dim 1; use elasticity for others", ""


def _wrong_lists(flex: Flex) -> Iterator[Wrong]:
    """Lists of the wrong length, or with numbers that do not exist."""
    dim, element, vertex = flex["dim"], flex["element"], flex["vertex"]
    for name, given, width in (
        ("element", element, dim + 1),
        ("vertex", vertex, 3),
        ("texcoord", flex["texcoord"], 2),
    ):
        if given is not None and 1 <= dim <= 3 and len(given) % width:
            yield f"{name} has {len(given)} numbers, not a multiple of {width}", name
    # without vertices, each body carries one at its origin
    bodies, nodes = flex["body"], flex["node"]
    count = len(bodies) if vertex is None else len(vertex) // 3
    if vertex is not None and len(bodies) not in (1, count):
        yield f"body has {len(bodies)} names; it must have one, or one of each of {count} vertices", "body"
    if count < dim + 1:
        yield f"the flex has {count} vertices; elements need {dim + 1}", "body" if vertex is None else "vertex"
    elif element and not (min(element) >= 0 and max(element) < count):
        wrong = next(k for k in element if not 0 <= k < count)
        yield f"element holds vertex {wrong}, but there are {count}", "element"
    elif 1 <= dim <= 3 and len(element) % (dim + 1) == 0:
        for first in range(0, len(element), dim + 1):
            if len(set(element[first : first + dim + 1])) <= dim:
                yield f"element {first // (dim + 1)} has a vertex twice", "element"
                break
    yield from _wrong_texture(flex, count)
    yield from _wrong_nodes(flex, len(nodes or ()))


def _wrong_texture(flex: Flex, count: int) -> Iterator[Wrong]:
    texcoord, chosen, element = flex["texcoord"], flex["elemtexcoord"], flex["element"]
    if texcoord is None:
        if chosen is not None:
            yield "elemtexcoord needs texcoord", "elemtexcoord"
        return
    if chosen is None:
        if len(texcoord) != 2 * count:
            yield f"texcoord has {len(texcoord)} numbers, not 2 of each of {count} vertices", "texcoord"
        return
    if len(chosen) != len(element):
        yield f"elemtexcoord has {len(chosen)} numbers, but element has {len(element)}", "elemtexcoord"
    elif not (min(chosen) >= 0 and max(chosen) < len(texcoord) // 2):
        yield f"elemtexcoord holds a number that is not one of {len(texcoord) // 2} texture coordinates", "elemtexcoord"


def _wrong_nodes(flex: Flex, count: int) -> Iterator[Wrong]:
    order = flex.element.row.attributes["dof"].keywords[flex["dof"]] if flex["dof"] else 0
    if count and not order:
        yield "a flex with nodes needs dof trilinear or quadratic", "dof"
        return
    if not order:
        if flex["nodecoord"] is not None:
            yield "nodecoord is for nodes, and the flex has none", "nodecoord"
        return
    cells = flex["cellcount"]
    if min(cells) < 1:
        yield f"cellcount is {min(cells)} along an axis; it must be at least 1", "cellcount"
        return
    needed = int(np.prod([n * order + 1 for n in cells]))
    if count != needed:
        yield f"the flex has {count} nodes; its cells have {needed}", "node" if count else "dof"
    if flex["nodecoord"] is not None and len(flex["nodecoord"]) != 3 * count:
        yield f"nodecoord has {len(flex['nodecoord'])} numbers, not 3 of each of {count} nodes", "nodecoord"


def _wrong_bodies(build: Build, flex: Flex) -> Iterator[Wrong]:
    for name in ("body", "node"):
        for body in dict.fromkeys(flex[name] or ()):
            if body not in build.names["body"]:
                yield build.not_found("body", body, name), name


def _find_materials(build: Build, flex: Flex) -> None:
    """One material of all elements, or one of each."""
    if not 1 <= flex["dim"] <= 3:
        return
    count = len(flex["element"]) // (flex["dim"] + 1)
    names = () if flex.scope.drops_materials else flex["material"] or ()
    found = [build.find("material", name, "material").id for name in names]
    if len(found) not in (0, 1, count):
        raise ElementProblem(f"material has {len(found)} names; it must have one, or one of each of {count} elements")
    flex.matids = found if len(found) == count else (found or [-1]) * count


def _wrong_attachments(build: Build, flex: Flex) -> Iterator[Wrong]:
    """Bodies that cannot carry the flex."""
    elastic = flex.elasticity
    is_elastic = elastic["young"] > 0
    carriers = flex.node_bodies if flex.order else flex.bodies
    if is_elastic and not flex.is_rigid and not flex.order and (flex.dim > 1 or elastic["damping"] > 0):
        mocap = next((body for carrier in carriers for body in _line(carrier) if body.guess("mocap")), None)
        if mocap is not None:
            yield f"an elastic flex cannot be attached to mocap body {mocap.name!r}", "body"
    yield from _wrong_holders(carriers)
    yield from _wrong_damping(carriers)
    if flex.equality and not (flex.elastic2d == 1 or flex.dim == 1) and is_elastic:
        yield "a flex cannot have both an equality and elasticity (young), except for bending alone", ""
    if flex.equality and flex.edge["stiffness"] > 0:
        yield "a flex cannot have both an equality and stiffness of its edges", ""
    if flex.has_strain and not flex.order:
        yield "the strain of a flex can only be constrained if it has nodes", ""


def _line(body: Body | None) -> Iterator[Body]:
    """A body and those that carry it."""
    while body is not None:
        yield body
        body = body.parent


def _wrong_holders(carriers: list[Body]) -> Iterator[Wrong]:
    """A body that moves carries a flex which moves by itself, and nothing fixes the flex to it."""
    held = {body.weld.id for body in carriers}
    for body in carriers:
        if body.parent is None or [joint.guess("type") for joint in body.joints] != ["slide"] * 3:
            continue
        holder = body.parent.weld
        if holder.joints and holder.id not in held:
            yield f"body {holder.name!r} has joints, but no vertex or node of the flex is pinned to it", "body"
            return


def _wrong_damping(carriers: list[Body]) -> Iterator[Wrong]:
    """Sliders of vertices have no damping of their own."""
    for body in carriers:
        is_free = [joint.guess("type") for joint in body.joints] == ["slide"] * 3
        if is_free and any(any(joint.guess("damping")) for joint in body.joints):
            yield f"joints of body {body.name!r} have damping; give it to the elasticity or the edges of the flex", ""
            return


# --- computing


def _settle(build: Build, flex: Flex) -> None:
    """What follows from the attributes alone."""
    flex.dim, elastic = flex["dim"], flex.elasticity
    flex.elastic2d = ELASTIC2D[elastic["elastic2d"]]
    flex.order = flex.element.row.attributes["dof"].keywords[flex["dof"]] if flex["dof"] else 0
    flex.bodies = [build.find("body", name, "body") for name in flex["body"]]
    flex.node_bodies = [build.find("body", name, "node") for name in flex["node"] or ()]
    yields = elastic["yield"]
    both = flex.dim == 2 and not flex.order
    flex.yields = (yields[0], yields[1] if len(yields) > 1 else yields[0] * both)
    kinds = _equalities_of(build, flex)
    flex.equality, flex.has_strain = kinds[0] if kinds else 0, STRAIN in kinds
    is_single = flex["vertex"] is not None and len(flex.bodies) == 1
    flex.is_rigid = is_single or (not flex.order and len({body.id for body in flex.bodies}) == 1)
    flex.radius = flex["radius"]
    is_rod = flex.dim == 1 and elastic["young"] > 0 and not flex.is_rigid
    if is_rod and elastic["section"] == "box" and min(elastic["sectionsize"]) > 0:
        smaller = min(elastic["sectionsize"])
        if "radius" in flex.element and abs(flex.radius - smaller) > EPSILON:
            raise ElementProblem(
                f"radius is {flex.radius:g}; with a box section it is the smaller half size, {smaller:g}", "radius"
            )
        flex.radius = smaller
    # MuJoCo passes over it, and so do we
    if flex.contact["passive"] and (flex.is_rigid or flex.dim == 1):
        problem = flex.element.problem("passive has no effect on contacts of lines and of rigid flexes")
        flex.scope.files.warn(str(problem))
    given = flex["nodecoord"] if flex.order else flex["vertex"]
    flex.is_centered = given is None or not any(given)


#: Kinds of equality of flexes, as flex_edgeequality counts them.
STRAIN = 3
_EQUALITIES = {"flex": 1, "flexstrain": STRAIN}


def _equalities_of(build: Build, flex: Flex) -> list[int]:
    """Kinds of the equalities that name a flex, in order."""
    return [
        _EQUALITIES[element.tag]
        for element in build.sections("equality")
        if element.tag in _EQUALITIES and flex.name and element.get("flex") == flex.name
    ]


def _in_world(bodies: list[Body], local: np.ndarray, poses: list[Pose]) -> np.ndarray:
    """Points of bodies in the world."""
    frames = {body.id: poses[body.id] for body in bodies}
    found = np.empty_like(local)
    axes = {key: np.array(matrix_of(quat)).reshape(3, 3) for key, (_, quat) in frames.items()}
    for number, body in enumerate(bodies):
        found[number] = axes[body.id] @ local[number] + frames[body.id][0]
    return found


def _place(flex: Flex, poses: list[Pose]) -> None:
    """Vertices and nodes in the world."""
    count = len(flex.bodies) if flex["vertex"] is None else len(flex["vertex"]) // 3
    flex.local = np.array(flex["vertex"] or [0.0] * (3 * count)).reshape(-1, 3)
    bodies = flex.bodies if len(flex.bodies) == count else flex.bodies * count
    flex.points = _in_world(bodies, flex.local, poses)
    nodes = flex["nodecoord"] or [0.0] * (3 * len(flex.node_bodies))
    flex.nodes = np.array(nodes, float).reshape(-1, 3)
    flex.nodes0 = _in_world(flex.node_bodies, flex.nodes, poses)


def _connect(flex: Flex) -> None:
    """Edges, shell and layers."""
    flex.elements = np.array(flex["element"], np.int64).reshape(-1, flex.dim + 1)
    chosen = flex["elemtexcoord"]
    flex.elemtexcoords = flex.elements if chosen is None else np.array(chosen, np.int64).reshape(-1, flex.dim + 1)
    if flex.dim == 3:
        is_wrong = is_inverted(flex.elements, flex.points)
        flex.elements, flex.elemtexcoords = flipped(flex.elements, is_wrong), flipped(flex.elemtexcoords, is_wrong)
    flex.edges = find_edges(flex.elements, flex.dim)
    flex.shell, flex.layers = find_shell(flex.elements, flex.dim)


def _stiffen(build: Build, flex: Flex) -> None:
    """Numbers of elastic forces."""
    elastic = flex.elasticity
    young, poisson, thickness = elastic["young"], elastic["poisson"], elastic["thickness"]
    if flex.order:
        _stiffen_cells(flex, young, poisson)
        return
    if young > 0:
        if flex.dim == 3 or (flex.dim == 2 and flex.elastic2d & 2):
            metric = stretch_metric(flex.points, flex.elements, young, poisson, thickness)
        else:
            metric = np.zeros((len(flex.elements) if flex.dim == 2 else 0, 21))
        flex.stiffness = metric.ravel()
        if flex.dim == 2 and flex.is_bending:
            # bending that yields needs the thickness, which the Model has nowhere else
            flex.stiffness[6] = thickness if flex.yields[1] > 0 else 0.0
            flex.bending = bending(flex.points, flex.edges.flaps, young, poisson, thickness).ravel()
        if flex.dim == 1 and not flex.is_rigid:
            flex.rod = find_rod(build, flex)
            flex.bending = flex.rod.records.ravel()


def _frame_of_cells(flex: Flex) -> np.ndarray:
    """Axes of the cells in the world, as rows, from the corners of the first one."""
    order, (_, ny, nz) = flex.order, (n * flex.order + 1 for n in flex["cellcount"])
    corner, *ends = flex.nodes0[0], *(flex.nodes0[order * step] for step in (ny * nz, nz, 1))
    axes = np.array([end - corner for end in ends])
    size = np.sqrt((axes * axes).sum(axis=1, keepdims=True))
    if not (size > SMALLEST).all():
        raise ElementProblem("the cells of the flex have no extent along an axis", "")
    axes = axes / size
    if np.abs(axes @ axes.T - np.eye(3)).max() > 1e-8:
        raise ElementProblem("the nodes of the flex are not a rectangular grid", "node")
    return axes


def _stiffen_cells(flex: Flex, young: float, poisson: float) -> None:
    """Cells in their own frame: nodes, the part that the mesh fills, and stiffness."""
    # the flex may be rotated; its cells are not, in their own frame
    axes = _frame_of_cells(flex)
    flex.nodes0 = flex.nodes0 @ axes.T
    points = flex.points @ axes.T
    low, high = flex.nodes0.min(axis=0), flex.nodes0.max(axis=0)
    flex.grid = grid = CellGrid(flex["cellcount"], flex.order, low, high)
    flex.size = tuple(((high - low) / 2).tolist())
    extent = high - low
    is_wide = extent > SMALLEST
    flex.unit = np.where(is_wide, (points - low) / np.where(is_wide, extent, 1.0), 0.5)
    grid.measure(points, flex.elements, flex.dim, is_shell=bool(flex.elastic2d))
    if flex.elastic2d:
        _stiffen_faces(flex, grid)
        return
    if young > 0 or flex.has_strain:
        la, mu = lame(*_cell_constants(flex), 3)
        # all whole cells are as the first
        whole = -gauss_stiffness(flex.nodes0[grid.nodes_of(0)[[0, -1]]], (0, 1, 2), flex.order, (la, mu))
        cells = range(grid.ncell)
        parts = [None if grid.is_empty(k) else whole if grid.is_whole(k) else grid.stiffness(k, la, mu) for k in cells]
        _hold_cells(flex, parts)


def _stiffen_faces(flex: Flex, grid: CellGrid) -> None:
    """The shell around cells: faces that stretch or keep their shape, and edges that bend."""
    elastic, faces = flex.elasticity, faces_of(grid)
    young, poisson, thickness = elastic["young"], elastic["poisson"], elastic["thickness"]
    if flex.has_strain or (young > 0 and flex.elastic2d & 2):
        constants = _cell_constants(flex)
        twists = [warp(grid, face, *constants, thickness) for face in faces]
        sides = [membrane(grid.order, face, flex.nodes0, lame(*constants, 2), thickness) for face in faces]
        _hold_cells(flex, sides, twists)
    if young > 0 and flex.is_bending:
        flex.bending = bending_records(grid, flex.nodes0, faces, young, poisson, thickness)


def _cell_constants(flex: Flex) -> tuple[float, float]:
    """Young's modulus and Poisson's ratio of cells; constraints have some of their own."""
    if flex.has_strain:
        return strain_modes.YOUNG, strain_modes.POISSON
    return flex.elasticity["young"], flex.elasticity["poisson"]


def _hold_cells(flex: Flex, matrices: Sequence[np.ndarray | None], more: Sequence[np.ndarray] | None = None) -> None:
    """Stiffness of cells or faces, None for empty ones; of constraints, their modes, and one more of each face."""
    count = 3 * (flex.order + 1) ** (2 if flex.elastic2d else 3)
    found = []
    known: dict[bytes, np.ndarray] = {}
    for number, matrix in enumerate(matrices):
        if matrix is None:
            found.append(np.zeros(count * count))
        elif flex.has_strain:
            # the same cells have the same modes, which take time
            key = matrix.tobytes()
            if key not in known:
                known[key] = strain_modes.modes_of(matrix)
            modes = known[key]
            found.append(strain_modes.packed(modes if more is None else np.vstack([modes, more[number]])))
        else:
            found.append(-matrix.ravel())
    flex.stiffness = np.concatenate(found)


def _bound(flex: Flex) -> None:
    """Bounding volumes, and vertices scaled to the box around all of them."""
    is_active = np.ones(len(flex.elements), bool)
    if flex.dim == 3:
        is_active = flex.layers < flex.contact["activelayers"]
    flex.tree = element_tree(flex.elements, flex.points, flex.radius, is_active)
    if flex.order:
        return
    if len(flex.tree):
        root = flex.tree.aabb[0]
        size = root[3:] - flex.radius
        flex.size = tuple(size.tolist())
        is_wide = size > SMALLEST
        scaled = (flex.points - root[:3]) / (2 * np.where(is_wide, size, 1.0)) + 0.5
        flex.unit = np.where(is_wide, scaled, 0.5)
    else:
        flex.unit = np.full_like(flex.points, 0.5)


def _count_plastic(flex: Flex) -> None:
    """Numbers of plastic state: of rods their frames, of others strains of stretching, then of bending."""
    if flex.rod is not None and flex.rod.joints:
        count = len(flex.elements)
        flex.plasticnum = 6 * count + (count - 1)
        return
    if flex.elasticity["young"] <= 0 or flex.is_rigid:
        return
    stretch, bend = (limit > 0 for limit in flex.yields)
    if flex.dim == 2 and not flex.order:
        if stretch and flex.elastic2d & 2:
            flex.plasticnum += 3 * len(flex.elements)
            flex.plasticmode |= 2
        if bend and flex.is_bending:
            flex.plasticnum += len(flex.edges.ends)
            flex.plasticmode |= 1
    elif flex.grid is not None and stretch:
        # shells have three strains in the plane of each face
        if not flex.elastic2d:
            flex.plasticnum, flex.plasticmode = 6 * flex.grid.ncell, 2
        elif flex.elastic2d & 2:
            flex.plasticnum, flex.plasticmode = 3 * len(faces_of(flex.grid)), 2
    elif flex.dim == 3 and stretch:
        flex.plasticnum, flex.plasticmode = 6 * len(flex.elements), 2


# --- columns


def write_flexes(build: Build) -> None:
    """Columns of flexes, and their bounding volumes, which follow those of meshes."""
    flexes: list[Flex] = build.flexes
    if not flexes:
        return
    columns, sizes = build.columns, build.sizes
    build.copy_plain(ELEMENTS["deformable/flex"], flexes)
    # values of the elements inside, short lists filled up with their defaults
    for name in ("contype", "conaffinity", "condim", "priority", "solmix", "margin", "gap", "activelayers", "passive"):
        columns[f"flex_{name}"] = [flex.contact[name] for flex in flexes]
    for name, default in (("friction", _FRICTION), ("solref", SOLREF), ("solimp", SOLIMP)):
        columns[f"flex_{name}"] = [(*flex.contact[name], *default[len(flex.contact[name]) :]) for flex in flexes]
    columns["flex_selfcollide"] = [FlexSelf[flex.contact["selfcollide"].upper()] for flex in flexes]
    columns["flex_dim"] = [flex.dim for flex in flexes]
    columns["flex_radius"] = [flex.radius for flex in flexes]
    columns["flex_size"] = [flex.size for flex in flexes]
    columns["flex_interp"] = [-flex.order if flex.elastic2d else flex.order for flex in flexes]
    columns["flex_cellnum"] = [flex["cellcount"] for flex in flexes]
    columns["flex_damping"] = [flex.elasticity["damping"] for flex in flexes]
    columns["flex_yield"] = [flex.yields for flex in flexes]
    columns["flex_edgestiffness"] = [flex.edge["stiffness"] for flex in flexes]
    columns["flex_edgedamping"] = [flex.edge["damping"] for flex in flexes]
    columns["flex_edgeequality"] = [flex.equality for flex in flexes]
    columns["flex_rigid"] = [flex.is_rigid for flex in flexes]
    columns["flex_centered"] = [flex.is_centered for flex in flexes]
    _write_parts(build, flexes)
    _write_bodies(build, flexes)
    _write_edges(build, flexes)
    _write_trees(build, flexes)
    _write_plastic(build, flexes)
    sizes["nefmCvert"] = min(build.sizes["nv"] // 3, sum(_ordered_vertices(flex) for flex in flexes))
    sizes["nJfe"] = sum(len(dofs_of_edge(one, two)) for flex in flexes for one, two in _edge_bodies(flex))


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([part.ravel() for part in parts])


def _write_parts(build: Build, flexes: list[Flex]) -> None:
    """Counts, addresses and arrays of vertices, nodes, edges, elements, shells, textures and elastic numbers."""
    columns, sizes = build.columns, build.sizes
    counted = {
        "vert": [len(flex.points) for flex in flexes],
        "node": [len(flex.nodes) for flex in flexes],
        "edge": [len(flex.edges.ends) for flex in flexes],
        "elem": [len(flex.elements) for flex in flexes],
    }
    for name, counts in counted.items():
        columns[f"flex_{name}num"], columns[f"flex_{name}adr"] = counts, starts_of(counts)
        sizes[f"nflex{name}"] = sum(counts)
    columns["flex_shellnum"] = [len(flex.shell) for flex in flexes]
    textures = [np.array(flex["texcoord"] or (), np.float32).reshape(-1, 2) for flex in flexes]
    lengths = {
        "elemdata": [flex.elements.size for flex in flexes],
        "elemedge": [flex.edges.of_element.size for flex in flexes],
        "shelldata": [flex.shell.size for flex in flexes],
        "texcoord": [len(texture) for texture in textures],
        "stiffness": [len(flex.stiffness) for flex in flexes],
        "bending": [len(flex.bending) for flex in flexes],
    }
    # parts that a flex may lack have no address then
    for name, counts in lengths.items():
        sizes[f"nflex{name}"] = sum(counts)
        is_optional = name not in ("elemdata", "elemedge")
        columns[f"flex_{name}adr"] = [
            -1 if is_optional and not count else start for start, count in zip(starts_of(counts), counts, strict=True)
        ]
    columns["flex_elem"] = _joined([flex.elements for flex in flexes])
    columns["flex_elemedge"] = _joined([flex.edges.of_element for flex in flexes])
    columns["flex_elemlayer"] = _joined([flex.layers for flex in flexes])
    columns["flex_elemtexcoord"] = _joined([flex.elemtexcoords for flex in flexes])
    columns["flex_shell"] = _joined([flex.shell for flex in flexes])
    columns["flex_texcoord"] = np.concatenate(textures)
    columns["flex_matid"] = [matid for flex in flexes for matid in flex.matids]
    columns["flex_vert"] = np.concatenate([flex.local for flex in flexes])
    columns["flex_vert0"] = np.concatenate([flex.unit for flex in flexes])
    columns["flex_node"] = np.concatenate([flex.nodes for flex in flexes])
    columns["flex_node0"] = np.concatenate([flex.nodes0 for flex in flexes])
    columns["flex_stiffness"] = _joined([flex.stiffness for flex in flexes])
    columns["flex_bending"] = _joined([flex.bending for flex in flexes])


def _write_bodies(build: Build, flexes: list[Flex]) -> None:
    """Bodies of vertices and nodes, and cells of vertices."""
    vertices: list[int] = []
    for flex in flexes:
        count = len(flex.points)
        if flex.order:
            vertices += [-1] * count
        else:
            ids = [body.id for body in flex.bodies]
            vertices += ids if len(ids) == count else ids * count
    build.columns["flex_vertbodyid"] = vertices
    build.columns["flex_nodebodyid"] = [body.id for flex in flexes for body in flex.node_bodies]
    build.columns["flex_vertcell"] = [
        cell
        for flex in flexes
        for cell in (flex.grid.cells_of(flex.unit) if flex.grid is not None else [-1] * len(flex.points))
    ]


def _ordered_vertices(flex: Flex) -> int:
    """How many vertices there may be in the order of elimination."""
    has_none = flex.order or flex.is_rigid or (flex.dim == 1 and not len(flex.bending))
    return 0 if has_none else len(flex.points)


def _edge_bodies(flex: Flex) -> Iterator[tuple[Body, Body]]:
    """The bodies at the ends of the edges whose lengths can change."""
    if flex.order or flex.is_rigid:
        return
    for one, two in flex.edges.ends.tolist():
        yield flex.bodies[one], flex.bodies[two]


def dofs_of_edge(one: Body, two: Body) -> list[int]:
    """The dofs that move one of two bodies, in increasing order."""
    dofs: set[int] = set()
    for start in (one, two):
        body: Body | None = start
        while body is not None:
            for joint in body.joints:
                dofs.update(range(joint.dofadr, joint.dofadr + joint.row.nv))
            body = body.parent
    return sorted(dofs)


def _write_edges(build: Build, flexes: list[Flex]) -> None:
    columns = build.columns
    columns["flex_edge"] = np.concatenate([flex.edges.ends for flex in flexes])
    columns["flex_edgeflap"] = np.concatenate([
        flex.edges.flaps[:, 2:] if flex.dim == 2 and flex.is_bending else np.full((len(flex.edges.ends), 2), -1)
        for flex in flexes
    ])  # fmt: skip
    columns["flexedge_rigid"] = is_rigid = []
    for flex in flexes:
        if flex.is_rigid or flex.order:
            is_rigid += [flex.is_rigid] * len(flex.edges.ends)
        else:
            is_rigid += [one.weld is two.weld for one, two in _edge_bodies(flex)]


def _write_trees(build: Build, flexes: list[Flex]) -> None:
    trees = [flex.tree for flex in flexes if flex.tree is not None]
    first = sum(len(tree) for tree in build.trees)
    counts = [len(tree) for tree in trees]
    build.columns["flex_bvhnum"] = counts
    build.columns["flex_bvhadr"] = [
        first + start if count else -1 for start, count in zip(starts_of(counts), counts, strict=True)
    ]
    build.moving_trees += trees


def _write_plastic(build: Build, flexes: list[Flex]) -> None:
    """Where plastic state is, after that of joints and tendons."""
    columns, plastic = build.columns, build.sizes.get("nplastic", 0)
    columns["flex_plasticadr"] = []
    for flex in flexes:
        columns["flex_plasticadr"].append(plastic if flex.plasticnum else -1)
        plastic += flex.plasticnum
        build.plastic0 += [0.0] * flex.plasticnum
    columns["flex_plasticmode"] = [flex.plasticmode for flex in flexes]
    build.sizes["nplastic"] = plastic
