"""The tables of actuation: what an actuator pulls on, how its activation changes, and what force comes of it.

Each table is a kernel called with the type in front. The default row, defined here, says what a row must do and which
parameters it takes; the rows are in the modules that the table names. A new model is a new row.

Parameters shared by the rows: `actuator` is the actuator, `out` its first force output, `first` its first activation.
`d.actuation_ctrl` holds the controls in effect (clamped, zero if any is bad, rate-limited).
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel

_TRANSMISSIONS = tuple(
    f"phalanx.smooth.actuator.{name}"
    for name in ("transmission", "tendon_transmission", "site_transmission", "slider_crank", "contact_transmission")
)
_MODELS = tuple(
    f"phalanx.smooth.actuator.{name}"
    for name in (
        "activation", "linear_force", "muscle", "hill_muscle", "dc_motor", "pid", "orientation_servo", "user_actuator",
    )
)  # fmt: skip


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
def no_rate(m, d, actuator, first):
    """Write act_dot of an actuator that has activations (zero before the call).

    A row may change the controls in effect that the force will see. Without a row the activations rest.
    """


@kernel
def euler(m, d, actuator, address, rate):
    """Return the activation at `address` one step later, given its rate, before the limits of actrange."""
    return d.act[address] + rate * m.opt.timestep


@kernel
def no_force(m, d, actuator, out, activation):
    """Write the part of actuator_force that the input drives: gain times signal.

    `activation` is the last activation, or that of the next step for an early actuator; zero if there is none.
    """


@kernel
def no_bias(m, d, actuator, out):
    """Add to actuator_force the part that does not depend on the input."""


@kernel
def no_mechanics(m, d, actuator, out):
    """Add to actuator_force, after the force limits, what no limit of the drive applies to."""


#: By actuator_trntype.
transmit = Table("transmit", no_transmission, _TRANSMISSIONS)
#: By actuator_dyntype.
activation_rate = Table("activation_rate", no_rate, _MODELS)
#: By actuator_dyntype.
advanced_activation = Table("advanced_activation", euler, _MODELS)
#: By actuator_gaintype.
driven_force = Table("driven_force", no_force, _MODELS)
#: By actuator_biastype.
bias_force = Table("bias_force", no_bias, _MODELS)
#: By actuator_biastype.
mechanical_force = Table("mechanical_force", no_mechanics, _MODELS)
