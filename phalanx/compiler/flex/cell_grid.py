"""The cells of an interpolated flex: their nodes, and what part of each the mesh fills (finite cell method).

Integrals over the part of a cell inside the mesh are exact: they are combinations of moments of monomials, which are
sums over the surface. A point is inside if a ray along +x leaves through the surface once more than it enters.

An open surface has no inside. Integrals are sums over samples then, and those count that it surrounds more than half:
by the solid angle that it covers, seen from there. Samples and rule are MuJoCo's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from phalanx.compiler.flex.topology import find_shell, oriented

#: Weight of the part of a cell outside of the mesh, which keeps stiffness and mass from vanishing.
OUTSIDE = 1e-6
#: Integrals of a cell that the mesh fills differ by no more than rounding from those of the whole.
FILLED = 1e-12
#: Least part of the mass that a node of a full cell would get.
LEAST_MASS = 0.02
#: A surface that reaches no further into a cell than this part of its sides leaves it empty.
BARELY = 0.02

#: Coefficients of polynomials on [-1, 1], ascending: shape functions by order, and those that share out the mass.
SHAPES = {1: ((0.5, -0.5, 0.0), (0.5, 0.5, 0.0)), 2: ((0.0, -0.5, 0.5), (1.0, 0.0, -1.0), (0.0, 0.5, 0.5))}
#: Mass of a quadratic cell goes by B-splines: its shape functions are negative in places.
SHARES = {1: SHAPES[1], 2: ((0.125, -0.25, 0.125), (0.75, 0.0, -0.25), (0.125, 0.25, 0.125))}
#: Simpson's rule: masses of the nodes along an axis of a quadratic shell.
_SIMPSON = (1 / 6, 2 / 3)

Polygon = list[tuple[float, float, float]]


class CellGrid:
    """A grid of cells around the points of a flex.

    Attributes:
        counts: cells along each axis.
        order: of the polynomials in a cell.
        low, high: corners of the grid.
        nnode: how many nodes there are.
        moments: (cells, 5, 5, 5) integrals of monomials over the mesh in each cell; coordinates go from -1 to 1 there,
            and its volume is 1.
        is_cut: which cells the surface goes through; they are not empty, whatever they hold.
    """

    def __init__(self, counts: Sequence[int], order: int, low: np.ndarray, high: np.ndarray):
        self.counts, self.order = tuple(counts), order
        self.low, self.high = low, high
        self.along = tuple(n * order + 1 for n in counts)
        self.nnode = int(np.prod(self.along))
        self.ncell = int(np.prod(self.counts))
        self.is_shell = False
        self.moments = np.zeros((self.ncell, 5, 5, 5))
        self.is_cut = np.zeros(self.ncell, bool)

    @property
    def cell_size(self) -> np.ndarray:
        """Sides of a cell."""
        return (self.high - self.low) / np.array(self.counts)

    def indices(self) -> list[tuple[int, int, int]]:
        """The nodes by their places along the axes, z fastest."""
        x, y, z = self.along
        return [(i, j, k) for i in range(x) for j in range(y) for k in range(z)]

    def nodes(self) -> np.ndarray:
        """(nnode, 3) positions."""
        share = np.array(self.indices(), float) / (np.array(self.along) - 1)
        return self.low + share * (self.high - self.low)

    def nodes_of(self, cell: int) -> np.ndarray:
        """Numbers of the nodes of a cell, z fastest."""
        place = np.array(np.unravel_index(cell, self.counts)) * self.order
        steps = np.array(np.meshgrid(*[np.arange(self.order + 1)] * 3, indexing="ij")).reshape(3, -1)
        return np.ravel_multi_index(tuple(place[:, None] + steps), self.along)

    def cells_of(self, unit: np.ndarray) -> list[int]:
        """The cells of vertices, whose places are given as parts of the grid; not one that they leave empty."""
        counts = np.array(self.counts)
        place = unit * counts
        found = np.clip(np.floor(place).astype(np.int64), 0, counts - 1)
        cells: list[int] = np.ravel_multi_index(tuple(found.T), self.counts).tolist()
        return [self._beside(place[k]) if self.is_empty(cell) else cell for k, cell in enumerate(cells)]

    def _beside(self, place: np.ndarray) -> int:
        """The nearest cell with mesh to a place, in units of the cells; that around it if there is none."""
        lows = np.array(list(np.ndindex(*self.counts)))
        distances = np.linalg.norm(place - np.clip(place, lows, lows + 1), axis=1)
        nearest = np.argsort(distances, kind="stable").tolist()
        return next((cell for cell in nearest if not self.is_empty(cell)), nearest[0])

    # --- the mesh

    def measure(self, points: np.ndarray, elements: np.ndarray, dim: int, is_shell: bool) -> None:
        """Find what part of each cell the mesh fills; a shell needs only its nodes."""
        self.is_shell = is_shell
        if is_shell:
            self.moments[:] = full_moments()
            return
        if dim == 1:
            # a line is a triangle with two corners at one place; it goes around nothing
            elements = elements[:, [0, 1, 1]]
        if dim == 3:
            elements = oriented(elements, points)
            elements = find_shell(elements, 3)[0]
        for cell in range(self.ncell):
            self.is_cut[cell] = touches(points[elements], self.middle(cell), (0.5 - BARELY) * self.cell_size)
        if dim < 3 and not (dim == 2 and is_closed(elements, points)):
            self.sample(points[elements])
            return
        scaled = (points - self.low) / np.where(self.cell_size > 0, self.cell_size, 1.0)
        self.moments = surface_moments(scaled[elements], self.counts)
        if self.moments[:, 0, 0, 0].sum() < 0:
            self.moments = -self.moments
        # a surface that goes through itself may have less than nothing in a cell
        self.moments[(self.fractions() < 0) | (~self.is_cut & (self.fractions() < 0.5))] = 0.0

    def middle(self, cell: int) -> np.ndarray:
        """The middle of a cell."""
        place: np.ndarray = self.low + (np.array(np.unravel_index(cell, self.counts)) + 0.5) * self.cell_size
        return place

    def sample(self, triangles: np.ndarray) -> None:
        """Moments of what an open surface goes around.

        A cell is cut in eight parts, and these are sampled where the surface goes through. Others are inside or not as
        their middle is. A surface that goes around nothing fills the cells that it is in.
        """
        along, weights = _gauss_line(self.order + 1)
        half, powers = self.cell_size / 2, np.arange(5)
        for cell in range(self.ncell):
            middle = self.middle(cell)
            if not self.is_cut[cell] and not _is_surrounded(triangles, middle[None])[0]:
                continue
            # MuJoCo's rule: Gauss points of each of eight parts
            for octant in np.ndindex(2, 2, 2):
                side = 2 * np.array(octant) - 1
                center = middle + side * half / 2
                samples = (along[:, None] + side) / 2
                if touches(triangles, center, half / 2):
                    places = np.stack(np.meshgrid(*(middle + samples * half).T, indexing="ij"), axis=-1)
                    inside = _is_surrounded(triangles, places.reshape(-1, 3)).reshape([len(along)] * 3)
                else:
                    inside = np.broadcast_to(_is_surrounded(triangles, center[None]), [len(along)] * 3)
                x, y, z = (samples[:, axis, None] ** powers * weights[:, None] for axis in range(3))
                self.moments[cell] += np.einsum("ijk,ia,jb,kc->abc", inside, x, y, z, optimize=True)
        if not self.fractions().any():
            self.moments[self.is_cut] = full_moments()

    def fractions(self) -> np.ndarray:
        """What part of each cell the mesh fills."""
        found: np.ndarray = self.moments[:, 0, 0, 0]
        return found

    def is_empty(self, cell: int) -> bool:
        """Is there nothing of the mesh in a cell?"""
        return not self.is_shell and not self.is_cut[cell] and not self.moments[cell, 0, 0, 0] > 0

    def is_whole(self, cell: int) -> bool:
        """Does the mesh fill a cell?"""
        return bool(np.abs(self.moments[cell] - full_moments()).max() < FILLED)

    def weighted(self, cell: int) -> np.ndarray:
        """Moments of a cell, with a little of what is outside of the mesh."""
        inside: np.ndarray = self.moments[cell]
        return inside + OUTSIDE * (full_moments() - inside)

    # --- nodes

    def unused_nodes(self) -> np.ndarray:
        """Which nodes have no cell with mesh around them; of shells, those inside."""
        is_used = np.zeros(self.nnode, bool)
        if self.is_shell:
            return np.array([all(0 < p < n - 1 for p, n in zip(place, self.along, strict=True))
                             for place in self.indices()])  # fmt: skip
        for cell in range(self.ncell):
            if not self.is_empty(cell):
                is_used[self.nodes_of(cell)] = True
        return ~is_used

    def node_weights(self) -> np.ndarray:
        """Shares of the nodes in the mass."""
        if self.is_shell:
            return self._shell_weights()
        shares = np.zeros(self.nnode)
        full = self._shared(full_moments())
        for cell in range(self.ncell):
            if not self.is_empty(cell):
                shares[self.nodes_of(cell)] += np.maximum(self._shared(self.weighted(cell)), LEAST_MASS * full)
        return shares

    def _shared(self, moments: np.ndarray) -> np.ndarray:
        """Integrals of the functions that share out the mass."""
        c = np.array(SHARES[self.order])
        found: np.ndarray = np.einsum("ip,jq,kr,pqr->ijk", c, c, c, moments[:3, :3, :3]).ravel()
        return found

    def _shell_weights(self) -> np.ndarray:
        if self.order == 1:
            return np.ones(self.nnode)
        weights = []
        for place in self.indices():
            weight = 1.0
            for p, n in zip(place, self.along, strict=True):
                weight *= _SIMPSON[p % 2] * (2 if 0 < p < n - 1 and p % 2 == 0 else 1)
            weights.append(weight)
        return np.array(weights)

    def constrained_cells(self, is_shell: bool) -> list[tuple[int, int, int]]:
        """The cells that a constraint of strain has: those with mesh, or the faces of the grid."""
        if is_shell:
            x, y, z = self.counts
            return [(face, -1, -1) for face in range(2 * (y * z + x * z + x * y))]
        cells = [np.unravel_index(cell, self.counts) for cell in range(self.ncell) if not self.is_empty(cell)]
        return [(int(i), int(j), int(k)) for i, j, k in cells]

    # --- stiffness

    def stiffness(self, cell: int, la: float, mu: float) -> np.ndarray:
        """The stiffness matrix of a cell, by the displacements of its nodes: linear elasticity."""
        sides = self.cell_size
        return elastic_matrix(self.weighted(cell), self.order, sides, la, mu) * float(np.prod(sides))


def is_closed(triangles: np.ndarray, points: np.ndarray) -> bool:
    """Has every side of a triangle another triangle on it, that goes along it the other way? Places count, not ids."""
    extent = float((points.max(axis=0) - points.min(axis=0)).max())
    places = np.round((points - points.min(axis=0)) / (extent or 1.0) * 1e9).astype(np.int64)
    ids = np.unique(places, axis=0, return_inverse=True)[1].reshape(-1)[triangles]
    sides = Counter((one, two) for a, b, c in ids.tolist() for one, two in ((a, b), (b, c), (c, a)))
    return all(sides[two, one] == count for (one, two), count in sides.items())


def full_moments() -> np.ndarray:
    """Moments of a whole cell."""
    along = np.array([1.0, 0.0, 1 / 3, 0.0, 1 / 5])
    return along[:, None, None] * along[None, :, None] * along[None, None, :]


def elastic_matrix(moments: np.ndarray, order: int, sides: np.ndarray, la: float, mu: float) -> np.ndarray:
    """The integral of lambda div u div v + 2 mu e(u):e(v) over a cell of unit volume, for all pairs of shapes u, v."""
    shape = np.array(SHAPES[order])
    slope = np.zeros_like(shape)
    # twice the derivative: a cell is two units long
    slope[:, :2] = shape[:, 1:] * (2.0, 4.0)
    gradients = []
    for axis in range(3):
        factors = [slope if axis == k else shape for k in range(3)]
        gradients.append(np.einsum("ip,jq,kr->ijkpqr", *factors).reshape(-1, 27) / sides[axis])
    place = np.array(np.meshgrid(range(3), range(3), range(3), indexing="ij")).reshape(3, -1)
    both = place[:, :, None] + place[:, None, :]
    products = moments[both[0], both[1], both[2]]
    inner = [[gradients[a] @ products @ gradients[b].T for b in range(3)] for a in range(3)]
    count = len(gradients[0])
    matrix = np.zeros((count, 3, count, 3))
    trace = inner[0][0] + inner[1][1] + inner[2][2]
    for k in range(3):
        for l in range(3):
            matrix[:, k, :, l] = la * inner[k][l] + mu * inner[l][k] + (mu * trace if k == l else 0.0)
    return matrix.reshape(3 * count, 3 * count)


# --- an open surface


def _gauss_line(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points on [-1, 1], and weights of which eight, one for each axis and half, have a product that sums to one."""
    x, w = np.polynomial.legendre.leggauss(count)
    return x, w / 4


def _is_surrounded(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which points a surface goes around more than half, in one direction or the other."""
    return np.abs(winding_numbers(triangles, points)) > 0.5


def touches(triangles: np.ndarray, center: np.ndarray, half: np.ndarray) -> bool:
    """Does one of some triangles (n, 3, 3) reach into a box? No plane along sides of both is between them."""
    corners = triangles - center
    is_near = (corners.min(axis=1) <= half) & (corners.max(axis=1) >= -half)
    corners = corners[is_near.all(axis=1)]
    edges = np.roll(corners, -1, axis=1) - corners
    across = np.cross(np.eye(3)[None, :, None], edges[:, None]).reshape(-1, 9, 3)
    axes = np.concatenate([np.cross(edges[:, 0], edges[:, 1])[:, None], across], axis=1)
    along = np.einsum("tcd,tad->tac", corners, axes)
    reach = np.abs(axes) @ half
    is_apart = (along.min(axis=2) > reach) | (along.max(axis=2) < -reach)
    return bool((~is_apart.any(axis=1)).any())


def winding_numbers(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How often a surface (n, 3, 3) goes around each of some points (p, 3): its solid angle as part of the sphere.

    The solid angle of a triangle by Van Oosterom and Strackee, "The solid angle of a plane triangle".
    """
    found = np.zeros(len(points))
    for triangle in triangles:
        a, b, c = (corner - points for corner in triangle)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ij,ij->i", one, two) for one, two in ((a, b), (b, c), (c, a)))
        found += np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
    return found / (2 * np.pi)


# --- moments of a surface


def _gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3), as weights of the corners, and weights of a rule on a triangle of unit area."""
    x, w = np.polynomial.legendre.leggauss(count)
    x, w = (x + 1) / 2, w / 2
    a, b = np.meshgrid(x, x, indexing="ij")
    weight = w[:, None] * w[None, :] * (1 - a) * 2
    second = a
    third = b * (1 - a)
    return np.stack([1 - second - third, second, third], axis=-1).reshape(-1, 3), weight.ravel()


#: Exact to the degree of the highest moment: 5 along x, 4 along y and z.
_CORNERS, _WEIGHTS = _gauss(8)


def surface_moments(triangles: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """(cells, 5, 5, 5) integrals of x^a y^b z^c over what a surface encloses in each cell, see `CellGrid.moments`.

    `triangles` (n, 3, 3) are in units of the cells. Each stands for the column from the lowest x to itself, counted
    positive if its normal points to +x.
    """
    parts: dict[int, list[Polygon]] = {}
    cx, cy, cz = counts
    for triangle in triangles.tolist():
        polygon: Polygon = [tuple(corner) for corner in triangle]
        for j, strip in _slices(polygon, 1, cy):
            for k, column in _slices(strip, 2, cz):
                for i in range(cx):
                    cell = (i * cy + j) * cz + k
                    for part in _pushed(column, i):
                        parts.setdefault(cell, []).append([(x - i, y - j, z - k) for x, y, z in part])
    found = np.zeros((cx * cy * cz, 5, 5, 5))
    for cell, polygons in parts.items():
        found[cell] = _column_moments(polygons)
    return found


def _slices(polygon: Polygon, axis: int, count: int) -> list[tuple[int, Polygon]]:
    """The parts of a polygon in the layers of cells along an axis."""
    values = [corner[axis] for corner in polygon]
    first = min(max(int(np.floor(min(values))), 0), count - 1)
    last = min(max(int(np.ceil(max(values))) - 1, first), count - 1)
    if first == last:
        return [(first, polygon)]
    found = []
    for layer in range(first, last + 1):
        part = polygon
        if layer > first:
            part = _cut(part, axis, float(layer), 1.0)
        if layer < last:
            part = _cut(part, axis, float(layer + 1), -1.0)
        if len(part) > 2:
            found.append((layer, part))
    return found


def _cut(polygon: Polygon, axis: int, value: float, side: float) -> Polygon:
    """The part of a convex polygon on one side of a plane across an axis: above it if `side` is 1, below if -1."""
    found: Polygon = []
    for number, here in enumerate(polygon):
        before = polygon[number - 1]
        inner, outer = side * (here[axis] - value), side * (before[axis] - value)
        if (inner > 0 and outer < 0) or (inner < 0 and outer > 0):
            share = outer / (outer - inner)
            cross = [b + (h - b) * share for b, h in zip(before, here, strict=True)]
            cross[axis] = value
            found.append((cross[0], cross[1], cross[2]))
        if inner >= 0:
            found.append(here)
    return found


def _pushed(polygon: Polygon, layer: int) -> list[Polygon]:
    """A polygon with x no more than the upper side of a layer of cells; what is below the layer has no column in it."""
    low, high = float(layer), float(layer + 1)
    values = [corner[0] for corner in polygon]
    if max(values) <= low:
        return []
    if min(values) >= high:
        return [[(high, y, z) for _, y, z in polygon]]
    found = []
    inside = _cut(_cut(polygon, 0, low, 1.0), 0, high, -1.0)
    above = _cut(polygon, 0, high, 1.0) if max(values) > high else []
    if len(inside) > 2:
        found.append(inside)
    if len(above) > 2:
        found.append([(high, y, z) for _, y, z in above])
    return found


def _column_moments(polygons: list[Polygon]) -> np.ndarray:
    """Moments of the columns under polygons, (5, 5, 5)."""
    triangles = np.array([
        (polygon[0], polygon[k], polygon[k + 1]) for polygon in polygons for k in range(1, len(polygon) - 1)
    ])  # fmt: skip
    one, two = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = (one[:, 1] * two[:, 2] - one[:, 2] * two[:, 1]) / 2
    points = np.einsum("qc,tcd->tqd", _CORNERS, triangles).reshape(-1, 3)
    weights = (area[:, None] * _WEIGHTS).ravel()
    powers = (2 * points - 1)[:, :, None] ** np.arange(6)
    # integrals along x, from -1
    along = (powers[:, 0, 1:6] - (-1.0) ** np.arange(1, 6)) / (2 * np.arange(1, 6))
    found: np.ndarray = np.einsum("n,na,nb,nc->abc", weights, along, powers[:, 1, :5], powers[:, 2, :5], optimize=True)
    return found
