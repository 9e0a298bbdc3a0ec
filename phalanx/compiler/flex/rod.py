"""Rods: flexes of lines that resist bending and torsion (Bergou et al., "Discrete elastic rods").

Every vertex between two edges is a hinge with stiffness E I / (l0 + l1). An open chain has a hinge joint for the twist
of each edge, a child of the world, which `flexcomp` makes; other rods resist torsion between the planes of neighboring
curved hinges.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.compiler.model_build import Build
from phalanx.compiler.text.errors import ElementProblem, nearest

if TYPE_CHECKING:
    from phalanx.compiler.flex.flex_object import Flex

#: Numbers of a record: a hinge, or a pair of neighboring hinges.
RECORD = 10
#: Hinges that are bent less at rest count as straight.
STRAIGHT = 1e-4
#: Edges that are shorter have no direction.
_SHORTEST = 1e-15


class Rod(NamedTuple):
    """The elastic numbers of a rod.

    Attributes:
        records: how many records there are, then the records.
        joints: the hinge joints of its edges, () if it has none.
    """

    records: np.ndarray
    joints: tuple[int, ...]

    def hinged_vertices(self) -> list[list[int]]:
        """Vertices of each record, -1 for a fourth one that is not there."""
        vertices: list[list[int]] = self.records[1:].reshape(-1, RECORD)[:, :4].astype(np.int64).tolist()
        return vertices


class Section(NamedTuple):
    """A cross-section: second moments of area, the smaller first, torsional constant, and signed minor half size."""

    weak: float
    strong: float
    torsion: float
    minor: float


def section_of(radius: float, elastic: dict[str, Any]) -> Section:
    """The cross-section of a rod.

    Raises:
        ElementProblem: it has no area, or so much or so little of it that its stiffness is no number.
    """
    try:
        return _moments(radius, elastic)
    except OverflowError:
        raise ElementProblem("the section of the rod is so large that its stiffness is no number") from None
    except ZeroDivisionError:
        raise ElementProblem("the section of the rod is so small that its stiffness is no number") from None


def _moments(radius: float, elastic: dict[str, Any]) -> Section:
    if elastic["section"] == "circle":
        if radius <= 0:
            raise ElementProblem("an elastic rod with a circular section needs a positive radius", "radius")
        return Section(pi * radius**4 / 4, pi * radius**4 / 4, pi * radius**4 / 2, 0.0)
    a, b = elastic["sectionsize"]
    if min(a, b) <= 0:
        raise ElementProblem("a box section needs a positive sectionsize")
    large, small = max(a, b), min(a, b)
    # Saint-Venant's torsion of a rectangle (Roark's formulas for stress and strain)
    torsion = large * small**3 * (16 / 3 - 3.36 * small / large * (1 - small**4 / (12 * large**4)))
    weak, strong = (2 * large) * (2 * small) ** 3 / 12, (2 * small) * (2 * large) ** 3 / 12
    return Section(weak, strong, torsion, -small if a < b else small)


def chain_of(elements: np.ndarray) -> list[int]:
    """The vertices of an open chain in order, [] if elements are not one open chain.

    It begins with the first vertex of the first element, if that is an end, else with the end of the lowest number.
    """
    neighbors: dict[int, list[int]] = {}
    for one, two in elements.tolist():
        neighbors.setdefault(one, []).append(two)
        neighbors.setdefault(two, []).append(one)
    ends = sorted(vertex for vertex, around in neighbors.items() if len(around) == 1)
    if len(ends) != 2 or max(map(len, neighbors.values())) > 2:
        return []
    first = int(elements[0, 0])
    chain = [first if first in ends else ends[0]]
    before = -1
    while len(chain) <= len(elements):
        following = [vertex for vertex in neighbors[chain[-1]] if vertex != before]
        if not following:
            break
        before = chain[-1]
        chain.append(following[0])
    return chain if len(chain) == len(neighbors) == len(elements) + 1 else []


def is_chain(elements: np.ndarray) -> bool:
    """Are elements an open chain of at least two, which has twist joints?"""
    return len(elements) >= 2 and bool(chain_of(elements))


def twist_names(name: str, count: int) -> list[str]:
    """Names of the twist joints of a chain of so many edges."""
    return [f"{name}_twist_{edge}" for edge in range(count - 1)] + [f"{name}_twist"]


def clamped_edges(chain: list[int], is_fixed: Any) -> set[int]:
    """Edges at the ends whose two vertices, by `is_fixed`, are fixed to one body; the last only of three or more."""
    count = len(chain) - 1
    found = set()
    if is_fixed(chain[0], chain[1]):
        found.add(0)
    if count >= 3 and is_fixed(chain[-2], chain[-1]):
        found.add(count - 1)
    return found


def twist_bodies(
    name: str, pinned: np.ndarray, elements: np.ndarray, mass: float, radius: float, elastic: dict[str, Any]
) -> Iterator[tuple[str, float]]:
    """Name and inertia of the twist bodies of a flexcomp that is a chain: each edge has an equal part of the mass."""
    chain = chain_of(elements)
    clamped = clamped_edges(chain, lambda one, two: pinned[one] and pinned[two])
    part = mass / len(elements)
    if elastic["section"] == "box":
        a, b = elastic["sectionsize"]
        inertia = part * (a * a + b * b) / 3
    else:
        inertia = 0.5 * part * radius * radius
    for edge, twist in enumerate(twist_names(name, len(elements))):
        if edge not in clamped:
            yield twist, inertia


# --- records


def find_rod(build: Build, flex: Flex) -> Rod:
    """The records of a rod, and its twist joints.

    Raises:
        ElementProblem: it has no cross-section, a hinge without direction, or wrong twist joints.
    """
    section = section_of(flex.radius, flex.elasticity)
    chain = chain_of(flex.elements)
    joints = _joints(build, flex, chain) if is_chain(flex.elements) and flex.name else ()
    if flex.elasticity["section"] == "box":
        _check_box(flex, chain, joints)
    hinges = _Hinges(flex, section)
    if joints:
        rows = [
            hinges.single(*chain[k : k + 3], joints[k + 1])  # type: ignore[call-arg]
            for k in range(len(chain) - 2)
        ]
    else:
        rows = hinges.unjointed()
    records = np.array([float(len(rows)), *(number for row in rows for number in row)]) if rows else np.zeros(0)
    return Rod(records, joints)


def _check_box(flex: Flex, chain: list[int], joints: tuple[int, ...]) -> None:
    if len(chain) < 3:
        raise ElementProblem("a rod with a box section must be an open chain of at least two elements", "element")
    if not joints:
        names = ", ".join(twist_names(flex.name or "NAME", len(flex.elements)))
        reason = f"hinge joints {names}, which flexcomp makes" if flex.name else "a name, and twist joints"
        raise ElementProblem(f"a rod with a box section needs {reason}")


def _joints(build: Build, flex: Flex, chain: list[int]) -> tuple[int, ...]:
    """Ids of the twist joints of a chain, -1 of an edge that is clamped; () if the model has none of them."""
    names = twist_names(flex.name, len(flex.elements))
    known = build.names["joint"]
    if not any(name in known for name in names):
        return ()
    # an edge whose ends are fixed to one body has the twist of that body
    bodies = flex.bodies
    clamped = clamped_edges(chain, lambda one, two: bodies[one].weld is bodies[two].weld)
    found = []
    for edge, name in enumerate(names):
        if edge in clamped:
            if name in known:
                raise ElementProblem(
                    f"there is a twist joint {name!r}, but its edge is clamped by its vertices", "body"
                )
            found.append(-1)
            continue
        if name not in known:
            raise ElementProblem(f"the rod has twist joints, but {name!r} is missing{nearest(name, known)}")
        joint: Any = known[name]
        if joint["type"] != "hinge":
            raise ElementProblem(f"twist joint {name!r} is a {joint['type']} joint; it must be a hinge")
        found.append(joint.id)
    if found[0] >= 0 and found[0] + 1 != found[1]:
        raise ElementProblem(f"twist joint {names[0]!r} must come right before {names[1]!r}")
    return tuple(found)


class _Hinges:
    """The hinges of a rod: lengths, curvature at rest and stiffness."""

    def __init__(self, flex: Flex, section: Section):
        elastic = flex.elasticity
        self.points, self.section, self.young = flex.points, section, elastic["young"]
        self.shear = elastic["shear"] or self.young / (2 * (1 + elastic["poisson"]))
        self.edges = flex.edges.ends.tolist()
        self.neighbors: dict[int, list[int]] = {}
        for one, two in flex.elements.tolist():
            self.neighbors.setdefault(one, []).append(two)
            self.neighbors.setdefault(two, []).append(one)

    def _step(self, one: int, two: int) -> tuple[np.ndarray, float]:
        step = self.points[two] - self.points[one]
        return step, float(np.sqrt(step @ step))

    def curvature(self, one: int, two: int, three: int) -> tuple[np.ndarray, float]:
        """The curvature binormal of a hinge at rest, and the sum of the lengths of its edges."""
        (a, before), (b, after) = self._step(one, two), self._step(two, three)
        divisor = before * after + float(a @ b)
        if before < _SHORTEST or after < _SHORTEST or divisor < 1e-12 * before * after:
            raise ElementProblem(f"the rod has no direction, or folds back, at vertex {two}")
        return 2 * np.cross(a, b) / divisor, before + after

    def bent(self, one: int, two: int, three: int) -> float:
        """The size of the curvature binormal, 0 if the hinge counts as straight."""
        binormal, _ = self.curvature(one, two, three)
        size = float(np.sqrt(binormal @ binormal))
        return size if 2 * np.arctan(size / 2) > STRAIGHT else 0.0

    def stiffness(self, one: int, two: int, three: int) -> tuple[float, float, float]:
        """Of bending about the weak and the strong axis, and of torsion."""
        _, length = self.curvature(one, two, three)
        section = self.section
        return (
            self.young * section.weak / length, self.young * section.strong / length,
            self.shear * section.torsion / length,
        )  # fmt: skip

    def single(self, one: int, two: int, three: int, joint: int) -> list[float]:
        """A record of a hinge."""
        weak, strong, torsion = self.stiffness(one, two, three)
        bent = self.bent(one, two, three)
        return [one, two, three, -1, weak, strong - weak, bent, joint, torsion, self.section.minor]

    def unjointed(self) -> list[list[float]]:
        """Records of a rod without twist joints: pairs of curved hinges by edges, then the others by vertices."""
        hinges = {vertex: around for vertex, around in sorted(self.neighbors.items()) if len(around) == 2}
        bent = {vertex: self.bent(around[0], vertex, around[1]) for vertex, around in hinges.items()}
        pairs = [(one, two) for one, two in self.edges if bent.get(one) and bent.get(two)]
        shares: dict[int, int] = {}
        for pair in pairs:
            for vertex in pair:
                shares[vertex] = shares.get(vertex, 0) + 1
        rows = [self._pair(one, two, hinges, bent, shares) for one, two in pairs]
        rows += [
            self.single(around[0], vertex, around[1], -1) for vertex, around in hinges.items() if vertex not in shares
        ]
        return rows

    def _pair(
        self, one: int, two: int, hinges: dict[int, list[int]], bent: dict[int, float], shares: dict[int, int]
    ) -> list[float]:
        """A record of two curved hinges: their stiffness and curvature, and the twist between their planes."""
        before = self._other(hinges[one], two)
        after = self._other(hinges[two], one)
        step, length = self._step(one, two)
        first, _ = self.curvature(before, one, two)
        second, _ = self.curvature(one, two, after)
        sizes = float(np.sqrt(first @ first)) * float(np.sqrt(second @ second))
        cosine = float(first @ second) / sizes
        sine = float(np.cross(first, second) @ step) / (sizes * length)
        torsion = self.shear * self.section.torsion / (2 * length)
        weights = [self.stiffness(before, one, two)[0] / shares[one], self.stiffness(one, two, after)[0] / shares[two]]
        return [before, one, two, after, *weights, bent[one], bent[two], torsion * cosine, torsion * sine]

    @staticmethod
    def _other(around: list[int], vertex: int) -> int:
        """The neighbor that is not a vertex."""
        return around[1] if around[0] == vertex else around[0]
