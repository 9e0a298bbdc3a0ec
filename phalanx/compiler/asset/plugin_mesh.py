"""The mesh of the surface of a signed distance field that a plugin gives: marching cubes on a grid, as in MuJoCo."""

from __future__ import annotations

import numpy as np

from phalanx.collision.sdf.plugin_samples import distances
from phalanx.mesh import MeshSource
from phalanx.mesh.marching_cubes import zero_surface
from phalanx.tables.plugins import PluginRow

#: Points of the grid along all three axes together.
POINTS = 300.0


def plugin_surface(row: PluginRow, config: tuple[float, ...]) -> MeshSource:
    """Vertices, triangles and normals of the surface of a plugin.

    The grid spans the box that the plugin names; all axes share the points in proportion to their lengths.
    """
    half = np.array(row.half_sizes(config))
    shape = [int(np.floor(POINTS / half.sum() * length)) + 1 for length in half.tolist()]
    x, y, z = (-h + 2 * h * np.arange(n) / max(n - 1, 1) for h, n in zip(half.tolist(), shape, strict=True))
    points = np.stack(np.broadcast_arrays(x[None, None, :], y[None, :, None], z[:, None, None]), axis=-1)
    values = distances(row.type, config, points.reshape(-1, 3))
    return zero_surface(values.reshape(shape[::-1]).astype(np.float32), -half, half)
