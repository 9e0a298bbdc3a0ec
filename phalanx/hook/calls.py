"""Where the step calls hooks. Without a hook each of these is one branch that is never taken.

A step that lacks memory is repeated. Whether it does is known after collision and constraints; with a hook, what the
solver needs is counted there, too. So hooks that come later are not called in such a step: what they keep in
`d.userdata` changes only once per step.
"""

from __future__ import annotations

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.user_call import as_rate, call_user
from phalanx.memory.growth import lacks_memory
from phalanx.tables.hooks import HOOKS

_ANY_HOOK = " or ".join(f"d.{hook.slot} != 0" for hook in HOOKS.values())
has_hook = kernel(
    define(f'def has_hook(d):\n    """Has the user given a function?"""\n    return {_ANY_HOOK}\n', {}, "has_hook")
)


@kernel
def control_hook(m, d):
    """The user sets controls."""
    if d.hook_control != 0 and not lacks_memory(d):
        call_user(d.hook_control, m, d, 0, 0)


@kernel
def passive_hook(m, d):
    """The user adds to qfrc_passive."""
    if d.hook_passive != 0 and not lacks_memory(d):
        call_user(d.hook_passive, m, d, 0, 0)


@kernel
def user_rate(m, d, actuator):
    """The user sets act_dot of an actuator."""
    if d.hook_act_dyn != 0 and not lacks_memory(d):
        call_user(d.hook_act_dyn, m, d, actuator, 0)


@kernel
def user_gain(m, d, actuator):
    """The gain that the user defines; one without a hook."""
    d.hook_value = 1.0
    if d.hook_act_gain != 0 and not lacks_memory(d):
        call_user(d.hook_act_gain, m, d, actuator, 0)
    return d.hook_value


@kernel
def user_bias(m, d, actuator):
    """The bias that the user defines; zero without a hook."""
    d.hook_value = 0.0
    if d.hook_act_bias != 0 and not lacks_memory(d):
        call_user(d.hook_act_bias, m, d, actuator, 0)
    return d.hook_value


@kernel
def user_sensor(m, d, sensor):
    """The user sets the readings of a sensor of type user."""
    if d.hook_sensor != 0 and not lacks_memory(d):
        call_user(d.hook_sensor, m, d, sensor, 0)


@kernel
def is_discarded(m, d, geom1, geom2):
    """Does the user discard this pair of geoms, given in ascending order? Only with a hook."""
    call_user(d.hook_contact_filter, m, d, geom1, geom2)
    return d.hook_value != 0.0


@kernel
def put_rate(m, d, actuator, rate):
    """act_dot of an actuator with one activation; of one with more the function has written it."""
    if m.actuator_actnum[actuator] == 1:
        address = m.actuator_actadr[actuator]
        d.act_dot[address] = as_rate(rate, d.act_dot[address])
