"""Signed distance of a gear with involute teeth (plugin mujoco.sdf.gear).

The profile is that of https://www.shadertoy.com/view/3lG3WR: teeth between two involutes of the base circle, within the
outside circle, on a ring; smooth where they meet. It is extruded along z.
"""

from __future__ import annotations

from phalanx.algebra.elementary import acos, atan2, cos, tan
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, clamp, floor, maximum, minimum, sqrt
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import PluginType

PI = 3.141592653589793
#: A distance that no other surface is as deep as.
INSIDE = -1.0e6


@kernel
def blended_union(a, b, k):
    """The smaller of two distances, with a smooth passage of width k if that is positive."""
    if k <= 0.0:
        return minimum(a, b)
    h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
    return b * (1.0 - h) + a * h - k * h * (1.0 - h)


@kernel
def blended_intersection(a, b, k):
    """The larger of two distances, with a smooth passage of width k."""
    return maximum(maximum(a, b), -blended_union(maximum(a, -b), maximum(b, -a), k))


@kernel
def wrapped(x, period):
    """x in the interval from 0 to the period."""
    return x - period * floor(x / period)


@kernel
def profile(config, point):
    """Distance to the profile in the plane."""
    diameter, teeth = config[1], config[2]
    pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551
    radius = diameter / 2.0
    rho = sqrt(point[0] * point[0] + point[1] * point[1])
    per_length = teeth / diameter
    pitch = PI / per_length
    outside = (diameter + 2.0 * (1.0 / per_length)) / 2.0
    depth = 2.2 / per_length
    hole = outside - depth - 0.14 * diameter
    if config[4] >= 0.0:
        hole = config[4] / 2.0
    # far from the teeth
    if hole - rho > 0.0:
        return hole - rho
    if outside - rho < -0.2:
        return rho - outside

    base = diameter * cos(pressure) / 2.0
    angle = atan2(point[1], point[0]) + config[0]
    stride = pitch / radius
    involute = acos(base / radius)
    gap = stride / 2.0 - 2.0 * (tan(involute) - involute)
    left = wrapped(angle + gap / 2.0, stride) - gap / 2.0
    right = wrapped(-angle - gap + gap / 2.0, stride) - gap / 2.0
    on_left, on_right = INSIDE, INSIDE
    if base < rho:
        # distance from the involute of a circle, https://math.stackexchange.com/questions/1266689
        swing, tangent = acos(base / rho), sqrt(rho * rho - base * base)
        on_left = tangent - base * (left + swing)
        on_right = tangent - base * (right + swing)

    walls = maximum(left - (stride - gap), right - (stride - gap))
    cogs = maximum(walls, maximum(on_left, on_right))
    cogs = blended_intersection(rho - outside, cogs, 0.0035 * diameter)
    cogs = blended_union(rho - (outside - depth), cogs, base - outside + depth)
    return maximum(cogs, -(rho - hole))


@plugin_distance.row(PluginType.GEAR)
@kernel
def gear_distance(config, point):
    """The profile, extruded."""
    flat, high = profile(config, point), abs_(point[2]) - config[3] / 2.0
    x, y = maximum(flat, 0.0), maximum(high, 0.0)
    return minimum(maximum(flat, high), 0.0) + sqrt(x * x + y * y)
