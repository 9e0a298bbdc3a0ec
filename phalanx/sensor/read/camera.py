"""Cameras: focal lengths in pixels, and the pixel where a site is seen."""

from __future__ import annotations

from phalanx.algebra.elementary import PI, tan
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9, store2
from phalanx.algebra.number import abs_, where, widen
from phalanx.algebra.vector import MINVAL, sub
from phalanx.sensor.table import measure
from phalanx.tables.enums import SensorType

HALF_DEGREE = PI / 360.0
#: A number times this, split off, has the digits of single precision left.
SPLITTER = 2.0**29 + 1.0


@kernel
def single(x):
    """A number rounded to single precision, in which MuJoCo computes with lenses."""
    shifted = SPLITTER * x
    return shifted - (shifted - x)


@kernel
def in_pixels(length, size, pixels):
    """A length on the chip of a camera, counted in pixels."""
    return single(single(widen(length) / widen(size)) * pixels)


@kernel
def has_chip(m, camera):
    """Is the camera given by the size of its chip?"""
    return m.cam_sensorsize[camera, 0] != 0.0 and m.cam_sensorsize[camera, 1] != 0.0


@kernel
def focal_lengths(m, camera):
    """Focal lengths across and up, in pixels."""
    fovy, width, height = m.cam_fovy[camera], m.cam_resolution[camera, 0], m.cam_resolution[camera, 1]
    if has_chip(m, camera):
        chip, lens = m.cam_sensorsize, m.cam_intrinsic
        x = in_pixels(lens[camera, 0], chip[camera, 0], width)
        y = in_pixels(lens[camera, 1], chip[camera, 1], height)
        return 0.0 * fovy + x, 0.0 * fovy + y
    focal = 0.5 / tan(fovy * HALF_DEGREE) * height
    return focal, focal


@measure.row(SensorType.CAMPROJECTION)
@kernel
def camera_projection(m, d, sensor, address):
    """Pixel of a site in the image of a camera, from the upper left corner."""
    camera = m.sensor_refid[sensor]
    offset = sub(load3(d.site_xpos, m.sensor_objid[sensor]), load3(d.cam_xpos, camera))
    p = multiply_transposed(load9(d.cam_xmat, camera), offset)
    depth = where(abs_(p[2]) < MINVAL, where(p[2] < 0.0, -MINVAL, MINVAL), p[2])
    fx, fy = focal_lengths(m, camera)
    x = -fx * (p[0] / depth) + 0.5 * m.cam_resolution[camera, 0]
    y = fy * (p[1] / depth) + 0.5 * m.cam_resolution[camera, 1]
    store2(d.sensor_value, address, (x, y))
