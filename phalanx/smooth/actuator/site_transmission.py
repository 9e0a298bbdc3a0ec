"""Transmissions to sites: a wrench at a site, also relative to a reference site, and relative orientation."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load4, load6, load9
from phalanx.algebra.number import and_, where
from phalanx.algebra.quaternion import difference, normalize4, to_rotation_vector
from phalanx.algebra.vector import dot, norm, sub
from phalanx.smooth.actuator.moment_row import add_relative_wrench, clear_row, store_row
from phalanx.smooth.actuator.setpoint import FULL_ROTATION
from phalanx.smooth.actuator.table import circle_period, has_circle, transmit
from phalanx.tables.enums import TrnType

WORLD = 0
ZERO3 = (0.0, 0.0, 0.0)


@transmit.row(TrnType.SITE)
@kernel
def site_output(m, d, actuator, out, address):
    """A wrench in the frame of the site, without length, or in that of the reference site, with the length there."""
    site, reference = m.actuator_trnid[actuator, 0], m.actuator_trnid[actuator, 1]
    gear = load6(m.actuator_gear, out)
    linear, angular = (gear[0], gear[1], gear[2]), (gear[3], gear[4], gear[5])
    point, body = load3(d.site_xpos, site), m.site_bodyid[site]
    clear_row(m, d)
    if reference < 0:
        frame = load9(d.site_xmat, site)
        force, torque = multiply_vector(frame, linear), multiply_vector(frame, angular)
        d.actuator_length[out] = 0.0
        add_relative_wrench(m, d, body, point, WORLD, point, force, torque)
    else:
        frame, origin = load9(d.site_xmat, reference), load3(d.site_xpos, reference)
        force, torque = multiply_vector(frame, linear), multiply_vector(frame, angular)
        place = multiply_transposed(frame, sub(point, origin))
        rotation = difference(load4(d.site_xquat, site), load4(d.site_xquat, reference))
        d.actuator_length[out] = dot(place, linear) + dot(rotation, angular)
        add_relative_wrench(m, d, body, point, m.site_bodyid[reference], origin, force, torque)
    return store_row(m, d, out, address, 1.0)


@has_circle.row(TrnType.SITE)
@kernel
def is_site_angle(m, actuator):
    """The length relative to a reference site can be an angle about the gear."""
    return m.actuator_trnid[actuator, 1] >= 0


@circle_period.row(TrnType.SITE)
@kernel
def site_period(m, actuator, out):
    """A full rotation, times the length of the gear, where the gear is a pure rotation."""
    x, y, z = load3(m.actuator_gear, out)
    angular = (m.actuator_gear[out, 3], m.actuator_gear[out, 4], m.actuator_gear[out, 5])
    is_rotation = and_(x == 0.0, and_(y == 0.0, z == 0.0))
    return where(is_rotation, FULL_ROTATION * norm(angular), 0.0)


@transmit.row(TrnType.SO3)
@kernel
def orientation_output(m, d, actuator, out, address):
    """Three outputs: the rotation vector of a ball joint, or of a site in the frame of a reference site."""
    if m.actuator_trnid[actuator, 1] < 0:
        return ball_orientation(m, d, m.actuator_trnid[actuator, 0], out, address)
    return site_orientation(m, d, m.actuator_trnid[actuator, 0], m.actuator_trnid[actuator, 1], out, address)


@kernel
def ball_orientation(m, d, joint, out, address):
    """The torques are those of the dofs, so each row of the moment matrix has one entry."""
    rotation = to_rotation_vector(normalize4(load4(d.qpos, m.jnt_qposadr[joint])))
    d.actuator_length[out] = rotation[0]
    d.actuator_length[out + 1] = rotation[1]
    d.actuator_length[out + 2] = rotation[2]
    for k in range(3):
        d.moment_rowadr[out + k] = address + k
        d.moment_rownnz[out + k] = 1
        d.moment_colind[address + k] = m.jnt_dofadr[joint] + k
        d.actuator_moment[address + k] = 1.0
    return address + 3


@kernel
def site_orientation(m, d, site, reference, out, address):
    """The torques are along the axes of the site."""
    rotation = difference(load4(d.site_xquat, site), load4(d.site_xquat, reference))
    d.actuator_length[out] = rotation[0]
    d.actuator_length[out + 1] = rotation[1]
    d.actuator_length[out + 2] = rotation[2]
    one, two = m.site_bodyid[site], m.site_bodyid[reference]
    point, frame = load3(d.site_xpos, site), d.site_xmat
    for k in range(3):
        axis = (frame[site, k], frame[site, k + 3], frame[site, k + 6])
        clear_row(m, d)
        add_relative_wrench(m, d, one, point, two, point, ZERO3, axis)
        address = store_row(m, d, out + k, address, 1.0)
    return address
