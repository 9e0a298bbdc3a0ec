"""Motors that can be bought or are published, with the numbers of their makers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

#: Revolutions per minute in rad/s.
_RPM = 2.0 * math.pi / 60.0


@dataclass(frozen=True)
class PresetRow:
    """A motor with its gear.

    Attributes:
        doc: what it is.
        source: where the numbers are from.
        numbers: attributes of `Motor`.
    """

    doc: str
    source: str
    numbers: dict[str, Any]


def _servo(model: str, page: str, voltage: float, stall: float, rpm: float, gear: float) -> PresetRow:
    """A servo of ROBOTIS; the maker gives stall torque and no-load speed at a voltage, and the gear ratio."""
    numbers = {"voltage": voltage, "stall_torque": stall, "no_load_speed": rpm * _RPM, "gear": gear}
    return PresetRow(f"ROBOTIS DYNAMIXEL {model} at {voltage:g} V", f"emanual.robotis.com/docs/en/dxl/{page}", numbers)


def _mini_cheetah(joint: str, gear: float) -> PresetRow:
    """A joint of the MIT Mini Cheetah, as its software models it.

    Flux linkage times pole pairs k = 0.05, phase resistance 0.173 Ohm, 24 V, at most 3 N·m at the rotor: torque is
    1.5 k (V - 2 k speed) / R at the rotor.
    """
    k, resistance, voltage = 0.05, 0.173, 24.0
    numbers = {
        "voltage": voltage, "stall_torque": gear * 1.5 * k * voltage / resistance,
        "no_load_speed": voltage / (2 * k * gear), "max_torque": 3.0 * gear, "gear": gear, "rotor_inertia": 63e-6,
        "friction": 0.2, "damping": 0.01,
    }  # fmt: skip
    return PresetRow(
        f"{joint} of the MIT Mini Cheetah at 24 V",
        "github.com/mit-biomimetics/Cheetah-Software, common/include/Dynamics: MiniCheetah.h, ActuatorModel.h",
        numbers,
    )


PRESETS: dict[str, PresetRow] = {
    "dynamixel_ax12a": _servo("AX-12A", "ax/ax-12a", 12.0, 1.5, 59.0, 254.0),
    "dynamixel_xl320": _servo("XL-320", "x/xl320", 7.4, 0.39, 114.0, 238.0),
    "dynamixel_xh430_w350": _servo("XH430-W350", "x/xh430-w350", 12.0, 3.4, 30.0, 353.5),
    "dynamixel_xm540_w270": _servo("XM540-W270", "x/xm540-w270", 12.0, 10.6, 30.0, 272.5),
    "mini_cheetah_hip": _mini_cheetah("hip", 6.0),
    "mini_cheetah_knee": _mini_cheetah("knee", 9.33),
}


def motor_presets() -> dict[str, str]:
    """Names of motors for `Motor.preset`, each with what it is and where its numbers are from."""
    return {name: f"{row.doc} ({row.source})" for name, row in PRESETS.items()}
