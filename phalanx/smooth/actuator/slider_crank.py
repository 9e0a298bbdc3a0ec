"""Slider-crank: a slider on an axis pushes a crank by a rod."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import sqrt, where
from phalanx.algebra.vector import add, cross, dot, scale, sub, where3
from phalanx.smooth.actuator.moment_row import clear_row, store_row
from phalanx.smooth.actuator.table import transmit
from phalanx.smooth.chain import difference_column, from_tree_center, step_back
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import TrnType


@kernel
def rod_length(axis, pin, rod):
    """Where on its axis the slider must be for the rod to reach the pin, and the derivatives by pin and axis.

    Where the rod is too short it is the point nearest to the pin.
    """
    along = dot(pin, axis)
    square = along * along + rod * rod - dot(pin, pin)
    reaches = square > 0.0
    root = sqrt(where(reaches, square, 1.0))
    factor = 1.0 - along / root
    by_pin = where3(reaches, add(scale(axis, factor), scale(pin, 1.0 / root)), axis)
    by_axis = where3(reaches, scale(pin, factor), pin)
    return where(reaches, along - root, along), by_pin, by_axis


@transmit.row(TrnType.SLIDERCRANK)
@kernel
def slider_crank_output(m, d, actuator, out, address):
    """length = gear times the place of the slider"""
    crank, slider = m.actuator_trnid[actuator, 0], m.actuator_trnid[actuator, 1]
    frame, gear = d.site_xmat, m.actuator_gear[out, 0]
    axis = (frame[slider, 2], frame[slider, 5], frame[slider, 8])
    pin, origin = load3(d.site_xpos, crank), load3(d.site_xpos, slider)
    length, by_pin, by_axis = rod_length(axis, sub(pin, origin), m.actuator_cranklength[actuator])
    d.actuator_length[out] = length * gear
    clear_row(m, d)
    body1, body2 = m.site_bodyid[crank], m.site_bodyid[slider]
    offset1, offset2 = from_tree_center(m, d, body1, pin), from_tree_center(m, d, body2, origin)
    dof1, dof2 = last_dof(m, body1), last_dof(m, body2)
    while dof1 >= 0 or dof2 >= 0:
        dof, velocity = difference_column(d, dof1, dof2, offset1, offset2)
        moment = dot(by_pin, velocity)
        if dof == dof2:
            # this dof rotates the axis of the slider, too
            moment = moment + dot(by_axis, cross(load3(d.cdof, dof), axis))
        d.moment_row[dof] = moment
        dof1, dof2 = step_back(m, dof1, dof2)
    return store_row(m, d, out, address, gear)
