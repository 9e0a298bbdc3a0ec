"""The tables of actuation: what an actuator acts on, how its activations change, what force comes of it, its slope.

Each table is a kernel called with the type in front. The default row, defined here, says what a row must do and which
parameters it takes. The rows are in the files that `tables/actuators.py` names: a new kind is a row there, and a file.

Parameters shared by the rows: `actuator` is the actuator, `out` its first force output, `first` its first activation.
`d.actuation_ctrl` holds the controls in effect (clamped, zero if any is bad, rate-limited).
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp, is_single, or_
from phalanx.tables.actuators import BIAS_MODULES, DYNAMICS_MODULES, GAIN_MODULES, TRANSMISSION_MODULES
from phalanx.tables.plugins import PluginKind, modules_of

#: What counts as held by a limit, relative to the limit: in double precision as in MuJoCo, and in single precision.
ROUNDING, SINGLE_ROUNDING = 1e-10, 1e-6

# --- by actuator_trntype


@kernel
def no_transmission(m, d, actuator, out, address):
    """Write the outputs of an actuator: actuator_length, moment_rownnz, moment_rowadr, and from `address` on
    moment_colind (increasing in each row) and actuator_moment. Return the next free address.

    Without a row: no length, no moment.
    """
    for k in range(m.actuator_outnum[actuator]):
        d.actuator_length[out + k] = 0.0
        d.moment_rownnz[out + k] = 0
        d.moment_rowadr[out + k] = address
    return address


@kernel
def no_circle(m, actuator):
    """Can the length be an angle of a rotation in space? Decided by the types of objects alone."""
    return False


@kernel
def no_period(m, actuator, out):
    """The length after a full rotation, where `has_circle`; zero in worlds whose gears make it no angle."""
    return 0.0


@kernel
def target_yields(m, d, actuator):
    """Is the total force on what the actuator drives at a limit, so that it does not change with velocity?"""
    return False


transmit = Table("transmit", no_transmission, TRANSMISSION_MODULES)
has_circle = Table("has_circle", no_circle, TRANSMISSION_MODULES)
circle_period = Table("circle_period", no_period, TRANSMISSION_MODULES)
is_target_saturated = Table("is_target_saturated", target_yields, TRANSMISSION_MODULES)

# --- by actuator_dyntype


@kernel
def no_rate(m, d, actuator, first):
    """Write act_dot of an actuator that has activations (zero before the call).

    A row may change the controls in effect that the force will see. Without a row the activations rest.
    """


@kernel
def euler(m, d, actuator, address, rate):
    """Return the activation at `address` one step later, given its rate, before the limits of actrange."""
    return d.act[address] + rate * m.opt.timestep


activation_rate = Table("activation_rate", no_rate, DYNAMICS_MODULES)
advanced_activation = Table("advanced_activation", euler, DYNAMICS_MODULES)

# --- by actuator_gaintype


@kernel
def reaches(x, bounds, row):
    """Is x at one of its two bounds, or beyond?"""
    return or_(x <= bounds[row, 0], x >= bounds[row, 1])


@kernel
def rounding_of_cut(x):
    """How far below its limit, relative to it, a force x that was scaled to the limit may be rounded."""
    return SINGLE_ROUNDING if is_single(x) else ROUNDING


@kernel
def no_force(m, d, actuator, out, activation):
    """Write the part of actuator_force that the input drives: gain times signal.

    `activation` is the last activation, or that of the next step for an early actuator; zero if there is none.
    """


@kernel
def no_slope(m, d, actuator, out):
    """Derivative of the driven force by the velocity of the actuator; without a row it does not depend on it."""
    return 0.0


@kernel
def no_length_slope(m, d, actuator, out):
    """Derivative of the driven force by the length of the actuator; without a row it does not depend on it."""
    return 0.0


@kernel
def clamp_outputs(m, d, actuator, out):
    """Bring actuator_force within forcerange; without a row each output by itself."""
    for k in range(out, out + m.actuator_outnum[actuator]):
        d.actuator_force[k] = clamp(
            d.actuator_force[k], m.actuator_forcerange[actuator, 0], m.actuator_forcerange[actuator, 1]
        )


@kernel
def is_output_at_limit(m, d, actuator, out):
    """Is the force of the drive at its forcerange? Without a row the first output decides."""
    return reaches(d.actuation_drive[out], m.actuator_forcerange, actuator)


@kernel
def no_settling(m, d, actuator, is_alive):
    """Bring new activations to a normal form, in the worlds that are alive."""


driven_force = Table("driven_force", no_force, GAIN_MODULES)
driven_slope = Table("driven_slope", no_slope, GAIN_MODULES)
driven_length_slope = Table("driven_length_slope", no_length_slope, GAIN_MODULES)
limit_force = Table("limit_force", clamp_outputs, GAIN_MODULES)
is_at_limit = Table("is_at_limit", is_output_at_limit, GAIN_MODULES)
settle_activation = Table("settle_activation", no_settling, GAIN_MODULES)

# --- by actuator_biastype


@kernel
def no_bias(m, d, actuator, out):
    """Add to actuator_force the part that does not depend on the input."""


@kernel
def no_bias_slope(m, d, actuator, out):
    """Derivative of the bias by the velocity of the actuator; without a row it does not depend on it."""
    return 0.0


@kernel
def no_bias_length_slope(m, d, actuator, out):
    """Derivative of the bias by the length of the actuator; without a row it does not depend on it."""
    return 0.0


@kernel
def no_mechanics(m, d, actuator, out):
    """Add to actuator_force, after the force limits, what no limit of the drive applies to."""


bias_force = Table("bias_force", no_bias, BIAS_MODULES)
bias_slope = Table("bias_slope", no_bias_slope, BIAS_MODULES)
bias_length_slope = Table("bias_length_slope", no_bias_length_slope, BIAS_MODULES)
mechanical_force = Table("mechanical_force", no_mechanics, BIAS_MODULES)

# --- by plugin_type


@kernel
def no_plugin_rate(m, d, actuator, instance):
    """Write act_dot of the activations that an actuator of a plugin has of its own. Without a row they rest."""


@kernel
def no_plugin_force(m, d, actuator, instance):
    """Write actuator_force of an actuator of a plugin. Without a row it stays zero."""


plugin_rate = Table("plugin_rate", no_plugin_rate, modules_of(PluginKind.ACTUATOR))
plugin_force = Table("plugin_force", no_plugin_force, modules_of(PluginKind.ACTUATOR))
