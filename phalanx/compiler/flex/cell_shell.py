"""Shells of cells: the faces on the outside of a grid of cells, which resist stretching in their plane and bending.

A face is a quadrangle with the nodes of one side of a cell. Faces are numbered side by side: low x, high x, low y, high
y, low z, high z; on each side along the two axes that follow the one across it, the second of them fastest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phalanx.compiler.flex.cell_grid import CellGrid
from phalanx.compiler.flex.gauss_stiffness import gauss_stiffness

#: Numbers of an edge between two faces: their numbers, the middle of the edge in both, stiffness, the bend at rest.
BENDING = 10
#: Lengths of normals and tangents that are smaller count as none.
_SHORT = 1e-12


class Face(NamedTuple):
    """A face.

    Attributes:
        side: of the grid, 0 to 5; half of it is the axis across.
        place: along the two axes of the side.
        nodes: numbers of its nodes in the grid, the second axis fastest.
    """

    side: int
    place: tuple[int, int]
    nodes: np.ndarray


def axes_of(side: int) -> tuple[int, int, int]:
    """The axis across a side, and the two along it."""
    across = side // 2
    return across, (across + 1) % 3, (across + 2) % 3


def faces_of(grid: CellGrid) -> list[Face]:
    """All faces, in order."""
    found = []
    steps = range(grid.order + 1)
    for side in range(6):
        across, one, two = axes_of(side)
        level = side % 2 * grid.counts[across] * grid.order
        for i in range(grid.counts[one]):
            for j in range(grid.counts[two]):
                places = []
                for a in steps:
                    for b in steps:
                        place = [level] * 3
                        place[one], place[two] = i * grid.order + a, j * grid.order + b
                        places.append(place)
                nodes = np.ravel_multi_index(tuple(np.array(places).T), grid.along)
                found.append(Face(side, (i, j), nodes))
    return found


def membrane(order: int, face: Face, nodes: np.ndarray, constants: tuple[float, float], thickness: float) -> np.ndarray:
    """The stiffness of a face in its plane, by the displacements of its nodes: plane stress, with Lamé's constants."""
    return -gauss_stiffness(nodes[face.nodes[[0, -1]]], axes_of(face.side)[1:], order, constants, thickness)


def warp(grid: CellGrid, face: Face, young: float, poisson: float, thickness: float) -> np.ndarray:
    """The motion of nodes across a face that twists it, scaled by the root of its stiffness as that of a plate."""
    across, one, two = axes_of(face.side)
    along = np.linspace(1.0, -1.0, grid.order + 1)
    mode = np.zeros((len(face.nodes), 3))
    mode[:, across] = (along[:, None] * along[None, :]).ravel()
    mode /= np.sqrt((mode * mode).sum())
    sides = np.abs(grid.cell_size)
    rigidity = young * thickness**3 / (12.0 * (1.0 - poisson * poisson))
    stiffness = rigidity * (1.0 - poisson) * 4.0 / float(sides[one] * sides[two])
    return mode.ravel() * np.sqrt(stiffness)


# --- bending


def bending_records(
    grid: CellGrid, nodes: np.ndarray, faces: list[Face], young: float, poisson: float, thickness: float
) -> np.ndarray:
    """Numbers of all edges between faces, after their count; `nodes` (n, 3) are in the frame of the cells."""
    rigidity = young * thickness**3 / (12.0 * (1.0 - poisson * poisson))
    number = {(face.side, face.place): k for k, face in enumerate(faces)}
    records = []
    for k, face in enumerate(faces):
        for axis in range(2):
            for direction in (-1, 1):
                side, place, here, there = _neighbor(grid, face, axis, direction)
                other = number[side, place]
                if k < other:
                    bend, across, along = _bend(grid, nodes, (face, here), (faces[other], there))
                    stiffness = rigidity * along / max(across, _SHORT)
                    records.append((k, other, *here, *there, stiffness, *bend))
    found = np.zeros((len(records), BENDING))
    if records:
        found[:] = records
    return np.concatenate([[float(len(records))], found.ravel()])


def _neighbor(
    grid: CellGrid, face: Face, axis: int, direction: int
) -> tuple[int, tuple[int, int], tuple[float, float], tuple[float, float]]:
    """The face across an edge: its side and place, and the middle of the edge in both faces, from 0 to 1."""
    across, *axes = axes_of(face.side)
    counts = [grid.counts[other] for other in axes]
    far, near = (1.0, 0.0) if direction > 0 else (0.0, 1.0)
    here = (far, 0.5) if axis == 0 else (0.5, far)
    place = list(face.place)
    place[axis] += direction
    if 0 <= place[axis] < counts[axis]:
        return face.side, (place[0], place[1]), here, (near, 0.5) if axis == 0 else (0.5, near)
    # around the border of the grid: what ran across this side runs along the other
    side = 2 * axes[axis] + (direction > 0)
    is_high = face.side % 2
    border, run = (grid.counts[across] - 1 if is_high else 0), face.place[1 - axis]
    if axis == 0:
        return side, (run, border), here, (0.5, float(is_high))
    return side, (border, run), here, (float(is_high), 0.5)


def _bend(
    grid: CellGrid, nodes: np.ndarray, one: tuple[Face, tuple[float, float]], two: tuple[Face, tuple[float, float]]
) -> tuple[np.ndarray, float, float]:
    """Difference of the normals at an edge, mean extent of the faces across it, and along it."""
    normals, across, along = [], [], []
    for face, middle in (one, two):
        tangents = _tangents(grid.order, nodes[face.nodes], middle)
        normal = np.cross(*tangents)
        normals.append(normal / np.sqrt(normal @ normal))
        lengths = [float(np.sqrt(tangent @ tangent)) for tangent in tangents]
        is_first = middle[0] == 0.5
        along.append(lengths[0] if is_first else lengths[1])
        across.append(lengths[1] if is_first else lengths[0])
    return normals[0] - normals[1], sum(across) / 2, sum(along) / 2


def _tangents(order: int, corners: np.ndarray, middle: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the place in a face by its two coordinates, which go from 0 to 1."""
    values, slopes = [], []
    for s in middle:
        if order == 1:
            values.append(np.array([1 - s, s]))
            slopes.append(np.array([-1.0, 1.0]))
        else:
            values.append(np.array([2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s]))
            slopes.append(np.array([4 * s - 3, 4 * (1 - 2 * s), 4 * s - 1]))
    first = (slopes[0][:, None] * values[1][None, :]).ravel()
    second = (values[0][:, None] * slopes[1][None, :]).ravel()
    return first @ corners, second @ corners
