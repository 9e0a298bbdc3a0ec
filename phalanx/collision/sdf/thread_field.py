"""Signed distances of a bolt and the nut that fits it (plugins mujoco.sdf.bolt and mujoco.sdf.nut).

Both have a thread of 12 windings per meter: the radius is that of the configuration plus a triangle wave along the
helix. The shapes are those of https://www.shadertoy.com/view/XtffzX; they are unions and cuts of distances, so that the
result is a bound of the distance where several surfaces meet.
"""

from __future__ import annotations

from phalanx.algebra.elementary import atan2, sin
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, floor, maximum, minimum, sqrt
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import PluginType

#: Windings of the thread per meter.
WINDINGS = 12.0
PI = 3.141592653589793
#: cos 45 deg, as MuJoCo computes it.
DIAGONAL = 1.4142135623730951 / 2.0
#: Sides of the head in a radian.
SIDES = 6.0 / PI / 2.0


@kernel
def thread(radius, point):
    """(out, distance): how far a point is outside of the radius, and about how far from the thread."""
    out = sqrt(point[0] * point[0] + point[1] * point[1]) - radius
    phase = point[2] * WINDINGS - atan2(point[1], point[0]) / PI / 2.0
    wave = abs_((phase - floor(phase)) - 0.5)
    return out, (out - wave / WINDINGS) * DIAGONAL


@kernel
def hexagon(point, out):
    """A hexagonal head from z = -0.5 to 0, rounded by a cone."""
    angle = -floor(atan2(point[1], point[0]) * SIDES + 0.5) / SIDES
    # the point rotated into the sector of one side
    x = sin(angle + PI * 0.5) * point[0] + -sin(angle) * point[1]
    head = maximum(x - 0.5, abs_(point[2] + 0.25) - 0.25)
    return maximum(head, (point[2] + out - 0.22) * DIAGONAL)


@plugin_distance.row(PluginType.BOLT)
@kernel
def bolt_distance(config, point):
    """A threaded rod from z = -1 to 0, its tip cut by a cone, and the head."""
    out, rod = thread(config[0], point)
    rod = maximum(rod, -(0.5 - abs_(point[2] + 0.5)))
    tip = (point[2] - out) * DIAGONAL
    rod = maximum(rod, -(tip + 1.0 * DIAGONAL))
    return minimum(rod, hexagon(point, out))


@plugin_distance.row(PluginType.NUT)
@kernel
def nut_distance(config, point):
    """The head with a threaded hole, wider at its ends."""
    out, hole = thread(config[0], point)
    cone = (point[2] - out) * DIAGONAL
    hole = maximum(hole, -(cone + 0.5 * DIAGONAL))
    hole = minimum(hole, -cone - 0.05 * DIAGONAL)
    return maximum(hexagon(point, out), -hole)
