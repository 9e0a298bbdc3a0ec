"""Rays from a site, or one through each pixel of a camera."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import where
from phalanx.algebra.vector import add, add_scaled, dot, negate, normalize, where3
from phalanx.collision.ray.ray import ALL_GROUPS, list_visible, nearest_visible
from phalanx.sensor.read.camera import focal_lengths, has_chip, in_pixels
from phalanx.sensor.table import measure
from phalanx.tables.enums import ObjType, Projection, RayData, SensorType

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def put_vector(d, fields, field, address, v):
    """A vector, if it is asked for; returns the next address."""
    if (fields >> field) & 1:
        store3(d.sensor_value, address, v)
        return address + 3
    return address


@kernel
def put_ray(m, d, fields, address, count, origin, direction, ahead):
    """Cast a ray at `count` visible geoms and write what is asked for; returns the next address.

    The depth is how far the hit is along `ahead`.
    """
    dist, _, normal = nearest_visible(m, d, count, origin, direction)
    is_hit = dist >= 0.0
    if (fields >> RayData.DIST) & 1:
        d.sensor_value[address] = dist
        address += 1
    address = put_vector(d, fields, RayData.DIR, address, where3(is_hit, direction, ZERO3))
    address = put_vector(d, fields, RayData.ORIGIN, address, origin)
    point = where3(is_hit, add_scaled(origin, direction, dist), ZERO3)
    address = put_vector(d, fields, RayData.POINT, address, point)
    address = put_vector(d, fields, RayData.NORMAL, address, where3(is_hit, normal, ZERO3))
    if (fields >> RayData.DEPTH) & 1:
        d.sensor_value[address] = where(is_hit, depth(dist, direction, ahead), -1.0)
        address += 1
    return address


@kernel
def depth(dist, direction, ahead):
    """Distance from the plane of the image, along the axis that the camera looks along."""
    return dist * dot(direction, ahead)


@measure.row(SensorType.RANGEFINDER)
@part("mdii")
def rangefinder(m, d, sensor, address):
    """`dist dir origin point normal depth`, those asked for, of each ray."""
    objid, fields = m.sensor_objid[sensor], m.sensor_intprm[sensor, 0]
    if m.sensor_objtype[sensor] == ObjType.SITE:
        count = list_visible(m, d, ALL_GROUPS, 1, m.site_bodyid[objid])
        frame = load9(d.site_xmat, objid)
        ahead = (frame[2], frame[5], frame[8])
        put_ray(m, d, fields, address, count, load3(d.site_xpos, objid), ahead, ahead)
    else:
        count = list_visible(m, d, ALL_GROUPS, 1, m.cam_bodyid[objid])
        for row in range(m.cam_resolution[objid, 1]):
            for column in range(m.cam_resolution[objid, 0]):
                address = put_pixel(m, d, objid, fields, address, count, row, column)


@kernel
def principal_point(m, camera):
    """Where the axis of a camera meets the image, in pixels from the upper left corner."""
    width, height = m.cam_resolution[camera, 0], m.cam_resolution[camera, 1]
    if m.cam_projection[camera] == Projection.PERSPECTIVE and has_chip(m, camera):
        chip, lens = m.cam_sensorsize, m.cam_intrinsic
        x = in_pixels(lens[camera, 2], chip[camera, 0], width)
        return x, in_pixels(lens[camera, 3], chip[camera, 1], height)
    return 0.5 * width, 0.5 * height


@kernel
def put_pixel(m, d, camera, fields, address, count, row, column):
    """The ray through the middle of a pixel; returns the next address."""
    frame, position = load9(d.cam_xmat, camera), load3(d.cam_xpos, camera)
    ahead = negate((frame[2], frame[5], frame[8]))
    center = principal_point(m, camera)
    x, y = column + 0.5 - center[0], row + 0.5 - center[1]
    if m.cam_projection[camera] == Projection.PERSPECTIVE:
        fx, fy = focal_lengths(m, camera)
        direction = normalize(multiply_vector(frame, (x / fx, -y / fy, -1.0)))
        return put_ray(m, d, fields, address, count, position, direction, ahead)
    # parallel rays; the field of view is the height of the image
    half = 0.5 * m.cam_fovy[camera]
    across, up = x / (0.5 * m.cam_resolution[camera, 0]), -y / (0.5 * m.cam_resolution[camera, 1])
    offset = multiply_vector(frame, (across * half, up * half, 0.0))
    return put_ray(m, d, fields, address, count, add(position, offset), ahead, ahead)
