"""Slopes of the whole force of an actuator by its velocity and by its length, where no limit holds the force."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.smooth.actuator.table import bias_length_slope, bias_slope, driven_length_slope, driven_slope, is_at_limit
from phalanx.tables.actuators import GAIN_MODULES


@kernel
def is_drive_saturated(m, d, actuator):
    """Is the force at a limit of the actuator? What no limit applies to still depends on the velocity."""
    if not m.actuator_forcelimited[actuator]:
        return False
    return is_at_limit(m.actuator_gaintype[actuator], m, d, actuator, m.actuator_outadr[actuator])


@kernel
def limited_slope(m, d, actuator, out):
    """Derivative of actuator_force by the velocity of the actuator, limits of the actuator included.

    Without a row: that of bias and driven force, zero where forcerange holds their sum. A gain has a row of its own if
    some of its force is beyond the limits, or if the slope of its bias cannot be told without it.
    """
    slope = bias_slope(m.actuator_biastype[actuator], m, d, actuator, out)
    slope = slope + driven_slope(m.actuator_gaintype[actuator], m, d, actuator, out)
    return where(is_drive_saturated(m, d, actuator), 0.0, slope)


@kernel
def limited_length_slope(m, d, actuator, out):
    """Derivative of actuator_force by the length of the actuator, limits of the actuator included.

    Without a row: as for the velocity.
    """
    slope = bias_length_slope(m.actuator_biastype[actuator], m, d, actuator, out)
    slope = slope + driven_length_slope(m.actuator_gaintype[actuator], m, d, actuator, out)
    return where(is_drive_saturated(m, d, actuator), 0.0, slope)


#: By actuator_gaintype.
force_slope = Table("force_slope", limited_slope, GAIN_MODULES)
force_length_slope = Table("force_length_slope", limited_length_slope, GAIN_MODULES)
