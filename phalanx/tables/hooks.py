"""Hooks: places of the step where a function of the user is called.

A row says what the function takes and gives. The table of slots of a Data has the address of each (`hook_control`,
...), zero where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

#: What a hook gives back.
NOTHING, NUMBER, RATE, CONDITION = "nothing", "number", "rate", "condition"


@dataclass(frozen=True)
class Hook:
    """A place of the step.

    Attributes:
        name: keyword of `Model.with_hooks`.
        parameters: of the function, m and d first; the others are integers.
        result: NOTHING (it writes into d), NUMBER, RATE (a number, or nothing if it writes into d) or CONDITION.
        mujoco: the global callback of MuJoCo that is called at the same place.
        doc: when it is called and what it does.
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    mujoco: str
    doc: str

    @property
    def slot(self) -> str:
        """Attribute of `d` in kernels: the address of the compiled function."""
        return f"hook_{self.name}"


HOOKS: dict[str, Hook] = {
    hook.name: hook
    for hook in (
        Hook("control", ("m", "d"), NOTHING, "mjcb_control", "before actuation: sets d.ctrl and other inputs"),
        Hook("passive", ("m", "d"), NOTHING, "mjcb_passive", "after the passive forces: adds to d.qfrc_passive"),
        Hook(
            "act_dyn",
            ("m", "d", "actuator"),
            RATE,
            "mjcb_act_dyn",
            "rate of the activation of an actuator of dyntype user; with several activations it sets d.act_dot",
        ),
        Hook("act_gain", ("m", "d", "actuator"), NUMBER, "mjcb_act_gain", "gain of an actuator of gaintype user"),
        Hook("act_bias", ("m", "d", "actuator"), NUMBER, "mjcb_act_bias", "bias of an actuator of biastype user"),
        Hook("sensor", ("m", "d", "sensor"), NOTHING, "mjcb_sensor", "sets d.sensordata of a user sensor"),
        Hook(
            "contact_filter",
            ("m", "d", "geom1", "geom2"),
            CONDITION,
            "mjcb_contactfilter",
            "instead of contype and conaffinity: true where the pair of geoms must not collide",
        ),
    )
}
