"""`flexcomp`, replaced by what it stands for: bodies with sliders, a flex that connects them, and equalities.

Each point becomes a vertex of the flex. A point that is pinned belongs to the body around the flexcomp; each of the
others gets a body of its own, with a part of the mass. Points of interpolated flexes belong to cells, and the nodes of
the cells get bodies instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.flex.cell_grid import CellGrid
from phalanx.compiler.flex.flex_pattern import GIVEN, Pattern, make_pattern, point_count, wrong_counts
from phalanx.compiler.flex.pattern_file import MeshFinder, read_pattern
from phalanx.compiler.flex.rod import is_chain, section_of, twist_bodies
from phalanx.compiler.model_object import PartialValues, known_values
from phalanx.compiler.object.rotation import (
    EPSILON,
    IDENTITY,
    NOTATIONS,
    ORIGIN,
    Quat,
    Vector,
    compose,
    orientation_of,
    rotate,
    unit,
)
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, refuse
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_deformable import EDGE_EQUALITY, ELASTIC2D
from phalanx.tables.mjcf_row import SOLIMP, SOLREF
from phalanx.tables.mjcf_schema import ELEMENTS

#: Order of the polynomials in a cell, by how points move; of the others each point moves by itself.
ORDERS = {"trilinear": 1, "quadratic": 2}
#: Axes along which a point slides.
_SLIDES = {"full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), "2d": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))}
#: Patterns that are drawn with flat shading, whatever is written.
_WITH_EDGES = ("box", "cylinder")
#: How far from one the length of a quaternion may be that is written with few digits.
_ROUNDED = 1e-3


class Expanded(NamedTuple):
    """What a flexcomp stands for.

    Attributes:
        bodies: in its place.
        twists: bodies of the world that hold the twist of a rod.
        flex: in the section of deformable bodies.
        equalities: in the section of equalities.
    """

    bodies: list[Element]
    twists: list[Element]
    flex: Element
    equalities: list[Element]


def expand_flexcomp(element: Element, scope: Scope, find_mesh: MeshFinder) -> Expanded:
    """What a flexcomp stands for; its element does not change.

    Args:
        element: the flexcomp, in the tree.
        scope: settings of its model.
        find_mesh: vertices and faces of a mesh asset, by name.

    Raises:
        ElementProblem: with everything that is wrong with it.
    """
    return _Flexcomp(element, scope, find_mesh).expand()


def children_of(element: Element) -> dict[str, Any]:
    """The values of the elements inside a flexcomp or flex that appear once, by tag."""
    found = {}
    for tag, (key, most) in element.row.children.items():
        if most == 1:
            child = next((child for child in element.children if child.tag == tag), None)
            written = child.attributes if child is not None else {}
            values = {**ELEMENTS[key].defaults, **written}
            found[tag] = PartialValues(values, child.bad) if child is not None and child.bad else values
    return found


class _Flexcomp:
    """One flexcomp while it is expanded."""

    def __init__(self, element: Element, scope: Scope, find_mesh: MeshFinder):
        self.element, self.scope, self.find_mesh = element, scope, find_mesh
        self.values = known_values(element, {**element.row.defaults, **element.attributes})
        inside = children_of(element)
        self.edge, self.elasticity, self.contact = inside["edge"], inside["elasticity"], inside["contact"]
        self.name: str = self.values.get("name") or ""
        self.kind: str = self.values.get("type") or ("mesh" if "mesh" in element else "grid")
        self.order = ORDERS.get(self.values.get("dof") or "", 0)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def expand(self) -> Expanded:
        """Check everything, then make the elements."""
        refuse(self._wrong())
        self._say_what_is_passed_over()
        # points, where they are in the body around the flexcomp, and who carries them
        body, frames = self._surroundings()
        pattern = self._pattern()
        refuse(self._wrong_pins(pattern.dim))
        points = self._placed(pattern.points, frames)
        grid = self._grid(points, pattern)
        pinned = self._pinned(len(points), grid, pattern.dim)
        is_rigid = bool(self["rigid"]) or (not self.order and bool(pinned.all()))
        if self.kind in GIVEN:
            pattern, points, pinned = _without_unused(pattern, points, pinned, keeps_pins=bool(self.order))
        flex = self._flex(pattern)
        made = Expanded([], [], flex, [])
        if is_rigid:
            flex.attributes.update(body=(body,), vertex=_numbers(points))
            return made
        if grid is not None:
            grid.measure(points, pattern.elements, pattern.dim, is_shell=bool(self._elastic2d()))
            self._add_nodes(made, body, points, grid, pinned)
        else:
            self._add_points(made, body, points, pinned, pattern)
        self._add_equalities(made, grid)
        return made

    # --- checks

    def _wrong(self) -> Iterator[Wrong]:
        """Everything that is wrong with the attributes; a check that needs a value that could not be read ends."""
        has_bad = bool(self.element.bad) or any(child.bad for child in self.element.children)
        for check in (self._wrong_sizes, self._wrong_numbers, self._wrong_source, self._wrong_elasticity):
            try:
                yield from check()
            except ElementProblem as problem:
                yield from problem.wrong
        if has_bad:
            yield "", ""  # reported where the text was read

    def _wrong_sizes(self) -> Iterator[Wrong]:
        dim = self["dim"]
        if not 1 <= dim <= 3:
            yield f"dim is {dim}; it must be 1, 2 or 3", "dim"
        elif self.kind not in GIVEN:
            counts = self["count"]
            yield from wrong_counts(self.kind, dim, counts)
            count, limits = point_count(self.kind, dim, counts), self.scope.files.limits
            if min(counts) >= 1 and count > limits.elements:
                yield f"the flexcomp would have {count} points, {limits.beyond('elements')}", "count"
        if any(child.tag == "plugin" for child in self.element.children):
            yield "plugins of flexes are not supported: MuJoCo brings none", ""
        if self.order and min(self["cellcount"]) < 1:
            yield f"cellcount is {min(self['cellcount'])} along an axis; it must be at least 1", "cellcount"

    def _wrong_numbers(self) -> Iterator[Wrong]:
        for name in ("mass", "inertiabox"):
            if self[name] < MINVAL:
                yield f"{name} is {self[name]:g}; it must be positive", name
        if min(self["scale"]) < MINVAL:
            yield f"scale is {min(self['scale']):g} along an axis; it must be positive", "scale"
        radius, margin = self["radius"], self.contact["margin"]
        least = 2 * radius + margin
        if self.kind not in GIVEN and min(self["spacing"]) < least:
            yield f"spacing is {min(self['spacing']):g}; it must be at least 2 radius + margin, {least:g}", "spacing"

    def _say_what_is_passed_over(self) -> None:
        """Warn of points and elements beside those of a mesh."""
        given = [name for name in ("point", "element") if self.kind in ("mesh", "gmsh") and self[name] is not None]
        if given:
            problem = self.element.problem(f"no effect, as points come from a mesh: {', '.join(given)}", given[0])
            self.scope.files.warn(str(problem))

    def _wrong_source(self) -> Iterator[Wrong]:
        """Points from nowhere, or from two places."""
        for name in ("point", "element"):
            if self.kind == "direct" and self[name] is None:
                yield f"type direct needs {name}", name
        if self["mesh"] is not None and self.kind not in ("mesh", "gmsh"):
            yield "a mesh can only be used with type mesh or gmsh", "mesh"
        if self["file"] and self["mesh"] is not None:
            yield "both file and mesh are given", "mesh"
        if self.kind in ("mesh", "gmsh") and not self["file"] and self["mesh"] is None:
            yield f"type {self.kind} needs a file or a mesh", "file"
        if self.kind == "gmsh" and self["mesh"] is not None and self["dim"] != 2:
            yield f"dim is {self['dim']}; a mesh asset with type gmsh is a surface, with dim 2", "dim"
        if self.kind == "mesh" and self["dim"] == 3 and self["origin"] is None:
            yield "a mesh with dim 3 needs an origin, which its triangles are connected to", "origin"

    def _wrong_elasticity(self) -> Iterator[Wrong]:
        if self["dim"] != 1 or self["rigid"] or self.elasticity["young"] <= 0:
            return
        if self.elasticity["section"] == "box" and self["dof"] != "full":
            yield "a rod with a box section needs dof full, for its twist joints", "dof"
        section_of(self["radius"], self.elasticity)

    def _surroundings(self) -> tuple[str, list[tuple[Vector, Quat]]]:
        """Name of the body around the flexcomp, and the frames between them, innermost first."""
        frames: list[tuple[Vector, Quat]] = []
        here = self.element.parent
        while here is not None and here.tag == "frame":
            values = {**here.row.defaults, **here.attributes}
            frames.append((values["pos"], orientation_of(values, self.scope)))
            here = here.parent
        if here is None or here.tag == "worldbody":
            return "world", frames
        if not here.name:
            what = "body" if here.tag == "body" else "a named body"
            raise ElementProblem(
                f"a flexcomp needs a name of the {what} around it"
                if here.tag == "body"
                else "a flexcomp inside a replicate must stand in a body with a name"
            )
        return here.name, frames

    def _childclass(self) -> str:
        """The class of joints: that of the bodies around the flexcomp; frames have no say, as in MuJoCo."""
        here = self.element.parent
        while here is not None:
            if here.tag == "body" and here.get("childclass") is not None:
                return str(here["childclass"])
            here = here.parent
        return "main"

    # --- points

    def _elastic2d(self) -> int:
        return ELASTIC2D[self.elasticity["elastic2d"]]

    def _pattern(self) -> Pattern:
        """Points and elements as the type says, checked."""
        if self.kind == "direct":
            pattern = self._direct(self["dim"])
        elif self.kind in GIVEN:
            pattern = read_pattern(self.kind, self.values, self.element, self.scope, self.find_mesh)
        else:
            has_texture = self["material"] is not None and self["texcoord"] is None
            pattern = make_pattern(self.kind, self["dim"], self["count"], self["spacing"], has_texture)
            pattern = self._with_given(pattern)
        if self["texcoord"] is not None:
            given = self["texcoord"]
            if len(given) % 2:
                raise ElementProblem(f"texcoord has {len(given)} numbers, not a multiple of 2", "texcoord")
            none = np.zeros((0, pattern.dim + 1), np.int64)
            pattern = pattern._replace(texcoords=np.array(given, np.float32).reshape(-1, 2), elemtexcoords=none)
        if not len(pattern.points) or not len(pattern.elements):
            raise ElementProblem("the flexcomp has no elements")
        lowest, highest = int(pattern.elements.min()), int(pattern.elements.max())
        if lowest < 0 or highest >= len(pattern.points):
            wrong = lowest if lowest < 0 else highest
            raise ElementProblem(f"element holds point {wrong}, but there are {len(pattern.points)}", "element")
        return pattern

    def _with_given(self, pattern: Pattern) -> Pattern:
        """A generated pattern after points and elements that are written; its elements count all points."""
        if self["point"] is None and self["element"] is None:
            return pattern
        given = self._direct(pattern.dim)
        return pattern._replace(
            points=np.vstack([given.points, pattern.points]), elements=np.vstack([given.elements, pattern.elements])
        )

    def _direct(self, dim: int) -> Pattern:
        """The points and elements that are written."""
        point, element = self["point"] or (), self["element"] or ()
        wrong: list[Wrong] = []
        if len(point) % 3:
            wrong.append((f"point has {len(point)} numbers, not a multiple of 3", "point"))
        if len(element) % (dim + 1):
            wrong.append(
                (f"element has {len(element)} numbers, not a multiple of dim+1, which is {dim + 1}", "element")
            )
        refuse(wrong)
        elements = np.array(element, np.int64).reshape(-1, dim + 1)
        none = np.zeros((0, 2), np.float32)
        return Pattern(np.array(point, float).reshape(-1, 3), elements, none, elements[:0], dim)

    def _placed(self, points: np.ndarray, frames: list[tuple[Vector, Quat]]) -> np.ndarray:
        """Points in the body: scaled if they were given, then moved by the pose and the frames around it."""
        points = points.copy()
        if self.kind in GIVEN and self["scale"] != (1.0, 1.0, 1.0):
            points *= self["scale"]
        pos, quat = self["pos"], orientation_of(self.values, self.scope)
        for outer_pos, outer_quat in frames:
            pos, quat = compose(outer_pos, outer_quat, pos, quat)
        if quat != IDENTITY:
            axes = np.array([rotate(axis, unit(quat)) for axis in _SLIDES["full"]]).T
            if not frames and not any(name in self.element for name in NOTATIONS):
                axes = self._stretched(axes)
            x, y, z = points.T
            points = np.stack([axes[k, 0] * x + axes[k, 1] * y + axes[k, 2] * z for k in range(3)], axis=1)
        points += pos
        return points

    def _stretched(self, axes: np.ndarray) -> np.ndarray:
        """The axes along which MuJoCo puts points: it does not scale `quat` to length one where no frame is around."""
        w, *vector = self["quat"]
        size = np.linalg.norm(self["quat"])
        if abs(size - 1) <= EPSILON:
            return axes
        if abs(size - 1) > _ROUNDED:
            text = f"quat has length {size:.4g}, not 1: points are not only rotated, but also stretched, as in MuJoCo"
            self.scope.files.warn(str(self.element.problem(text, "quat")))
        x, y, z = vector
        # v + 2 u x (u x v + w v)
        return np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip

    # --- pins

    def _pins(self, name: str) -> list[int]:
        """The numbers of an attribute of all pins."""
        return [k for child in self.element.children if child.tag == "pin" for k in child.attributes.get(name, ())]

    def _pin_counts(self, dim: int) -> tuple[int, ...]:
        """Points, or nodes, along each axis that pins count."""
        if self.order:
            return tuple(n * self.order + 1 for n in self["cellcount"])
        return tuple(self["count"][:dim])

    def _wrong_pins(self, dim: int) -> Iterator[Wrong]:
        for name, width in (("range", 2), ("grid", dim), ("gridrange", 2 * dim)):
            count = len(self._pins(name))
            if count % width:
                yield f"{name} of pins has {count} numbers, not a multiple of {width}", ""
        if self._pins("grid") or self._pins("gridrange"):
            if self.kind != "grid" and not self.order:
                yield "grid and gridrange of pins are for type grid, and for dof trilinear and quadratic", ""
            if dim == 1:
                yield "grid and gridrange of pins are not for dim 1", ""

    def _pinned(self, points: int, grid: CellGrid | None, dim: int) -> np.ndarray:
        """Which points, or nodes, belong to the body around the flexcomp."""
        count = points if grid is None else grid.nnode
        pinned = np.full(count, bool(self["rigid"]))
        if self["rigid"]:
            return pinned
        numbers, ranges = self._pins("id"), self._pins("range")
        for number in (*numbers, *ranges):
            if not 0 <= number < count:
                what = "nodes" if grid is not None else "points"
                raise ElementProblem(f"pin {number} does not exist: there are {count} {what}")
        pinned[numbers] = True
        for first, last in zip(ranges[::2], ranges[1::2], strict=True):
            pinned[first : last + 1] = True
        self._pin_grid(pinned, dim)
        if self["dof"] == "radial":
            pinned[0] = True
        return pinned

    def _pin_grid(self, pinned: np.ndarray, dim: int) -> None:
        """Pins by coordinates in a grid; those of cells around triangles count as if nodes were a grid of two axes."""
        counts = self._pin_counts(dim)[:dim]
        places, ranges = self._pins("grid"), self._pins("gridrange")
        boxes = [(places[k : k + dim], places[k : k + dim]) for k in range(0, len(places), dim)]
        boxes += [(ranges[k : k + dim], ranges[k + dim : k + 2 * dim]) for k in range(0, len(ranges), 2 * dim)]
        if not boxes:
            return
        view = pinned[: int(np.prod(counts))].reshape(counts)
        for low, high in boxes:
            for axis, (first, last) in enumerate(zip(low, high, strict=True)):
                if not (0 <= first < counts[axis] and 0 <= last < counts[axis]):
                    raise ElementProblem(f"a pin is at {first} to {last} along axis {axis}, of {counts[axis]}")
            view[tuple(slice(first, last + 1) for first, last in zip(low, high, strict=True))] = True

    # --- elements

    def _new(self, key: str, **attributes: object) -> Element:
        """A new element at the place of the flexcomp."""
        made = Element(ELEMENTS[key], self.element.source, self.element.place)
        made.attributes.update(attributes)
        made.scope = self.element.scope
        return made

    def _flex(self, pattern: Pattern) -> Element:
        """The flex, without its bodies."""
        flex = self._new("deformable/flex", name=self.name, dim=pattern.dim)
        for name in ("group", "radius", "material", "rgba", "flatskin"):
            if name in self.element:
                flex.attributes[name] = self[name]
        if self.kind in _WITH_EDGES or (self.kind == "grid" and pattern.dim == 3):
            flex.attributes["flatskin"] = True
        flex.attributes["element"] = tuple(pattern.elements.ravel().tolist())
        if len(pattern.texcoords):
            flex.attributes["texcoord"] = _numbers(pattern.texcoords)
        if len(pattern.elemtexcoords):
            flex.attributes["elemtexcoord"] = tuple(pattern.elemtexcoords.ravel().tolist())
        for child in self.element.children:
            if child.tag in ("contact", "elasticity"):
                flex.append(child.copy())
            elif child.tag == "edge":
                springs = {name: child.attributes[name] for name in ("stiffness", "damping") if name in child}
                edge = self._new("deformable/flex/edge", **springs)
                edge.place = child.place
                flex.append(edge)
        return flex

    def _body(self, name: str, pos: np.ndarray, mass: float, inertia: float, axes: tuple[Vector, ...]) -> Element:
        """A body that slides along some axes."""
        body = self._new("body", name=name, pos=_numbers(pos))
        body.is_unframed = True
        body.append(self._new("inertial", pos=ORIGIN, mass=mass, diaginertia=(inertia,) * 3))
        slide = {"class": self._childclass(), "type": "slide", "pos": ORIGIN}
        for axis in axes:
            body.append(self._new("joint", **slide, axis=axis))
        return body

    def _add_points(
        self, made: Expanded, around: str, points: np.ndarray, pinned: np.ndarray, pattern: Pattern
    ) -> None:
        """A body for each point that is not pinned."""
        mass = self["mass"] / len(points)
        inertia = mass * (2.0 * self["inertiabox"] * self["inertiabox"]) / 3.0
        names = []
        for number, (point, is_pinned) in enumerate(zip(points, pinned, strict=True)):
            if is_pinned:
                names.append(around)
                continue
            name = f"{self.name}_{number}"
            names.append(name)
            axes = _SLIDES.get(self["dof"]) or (unit(tuple(point.tolist())),)
            made.bodies.append(self._body(name, point, mass, inertia, axes))
        made.flex.attributes["body"] = tuple(names)
        if pinned.any():
            made.flex.attributes["vertex"] = _numbers(np.where(pinned[:, None], points, 0.0))
        if pattern.dim == 1 and self["dof"] == "full" and self.elasticity["young"] > 0:
            self._add_twists(made, pinned, pattern.elements)

    def _add_twists(self, made: Expanded, pinned: np.ndarray, elements: np.ndarray) -> None:
        """Bodies of the world that rotate with the edges of a rod, if it is an open chain."""
        if not is_chain(elements):
            return
        twists = twist_bodies(self.name, pinned, elements, self["mass"], self["radius"], self.elasticity)
        for name, inertia in twists:
            body = self._new("body", name=name)
            body.is_unframed = True
            body.append(self._new("inertial", pos=ORIGIN, mass=1e-9, diaginertia=(inertia,) * 3))
            axis = (1.0, 0.0, 0.0)
            joint = {"name": name, "class": "main", "type": "hinge", "pos": ORIGIN, "axis": axis}
            body.append(self._new("joint", **joint))
            made.twists.append(body)

    # --- cells

    def _grid(self, points: np.ndarray, pattern: Pattern) -> CellGrid | None:
        """The cells of an interpolated flexcomp, around its points."""
        if not self.order:
            return None
        return CellGrid(self["cellcount"], self.order, points.min(axis=0), points.max(axis=0))

    def _add_nodes(self, made: Expanded, around: str, points: np.ndarray, grid: CellGrid, pinned: np.ndarray) -> None:
        """A body for each node that is not pinned."""
        pinned = pinned | grid.unused_nodes()
        weights = grid.node_weights()
        total = float(weights[~pinned].sum())
        names, places = [], grid.nodes()
        for number, (i, j, k) in enumerate(grid.indices()):
            if pinned[number]:
                names.append(around)
                continue
            name = f"{self.name}_{i}_{j}_{k}"
            names.append(name)
            mass = float(weights[number]) * (self["mass"] / total)
            inertia = mass * (2.0 * self["inertiabox"] * self["inertiabox"]) / 3.0
            made.bodies.append(self._body(name, places[number], mass, inertia, _SLIDES["full"]))
        flex = made.flex
        flex.attributes.update(
            body=(around,) * len(points), vertex=_numbers(points), node=tuple(names), cellcount=self["cellcount"],
            dof=self["dof"],
        )  # fmt: skip
        if pinned.any():
            flex.attributes["nodecoord"] = _numbers(np.where(pinned[:, None], places, 0.0))

    # --- equalities

    def _add_equalities(self, made: Expanded, grid: CellGrid | None) -> None:
        """One equality of all edges, or one of each cell."""
        kind = EDGE_EQUALITY[self.edge["equality"]]
        if not kind:
            return
        settings = {
            "flex": self.name,
            "active": True,
            "solref": (*self.edge["solref"], *SOLREF[len(self.edge["solref"]) :]),
            "solimp": (*self.edge["solimp"], *SOLIMP[len(self.edge["solimp"]) :]),
            "class": "main",
        }
        if kind == 1:
            made.equalities.append(self._new("equality/flex", **settings))
            return
        cells = grid.constrained_cells(bool(self._elastic2d())) if grid is not None else [(0, 0, 0)]
        for cell in cells:
            made.equalities.append(self._new("equality/flexstrain", **settings, cell=cell))


def _without_unused(
    pattern: Pattern, points: np.ndarray, pinned: np.ndarray, keeps_pins: bool
) -> tuple[Pattern, np.ndarray, np.ndarray]:
    """The points that elements have, numbered anew; pins of nodes stay as they are."""
    is_used = np.zeros(len(points), bool)
    is_used[pattern.elements] = True
    if is_used.all():
        return pattern, points, pinned
    number = np.cumsum(is_used) - 1
    texcoords = pattern.texcoords
    if len(texcoords) == len(points) and not len(pattern.elemtexcoords):
        texcoords = texcoords[is_used]
    pattern = pattern._replace(elements=number[pattern.elements], texcoords=texcoords)
    return pattern, points[is_used], pinned if keeps_pins else pinned[is_used]


def _numbers(array: np.ndarray) -> tuple[float, ...]:
    return tuple(array.astype(float).ravel().tolist())
