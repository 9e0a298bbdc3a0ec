"""The torque-speed curve of a motor as a picture. Needs matplotlib."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.mechanism.motor import Motor
from phalanx.memory.array_file import named_file, writing
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, MissingPackageError

if TYPE_CHECKING:
    from pathlib import Path


@arguments_checked
def plot_torque_speed(motor: Motor, path: str | Path | None = None, *, title: str = "") -> Any:
    """Draw the largest torque over the speed.

    Args:
        motor: one with a torque-speed line.
        path: a picture file to write; None for none.
        title: above the curve.

    Returns:
        The figure of matplotlib.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    if motor.no_load_speed is None:
        raise FieldError("an ideal motor has no torque-speed curve: give stall_torque, no_load_speed and voltage")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingPackageError('plots need matplotlib: pip install "phalanx[demo]"')
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.0, 3.2), layout="constrained")
    axes = figure.add_subplot()
    speeds = np.linspace(0.0, motor.no_load_speed, 201)
    torque = motor.torque_at(speeds)
    # power tells where the motor is strongest
    axes.plot(speeds, torque, color="tab:blue")
    axes.set(xlabel="speed [rad/s]", ylabel="torque [N·m]", title=title, xlim=(0, None), ylim=(0, None))
    power = axes.twinx()
    power.plot(speeds, torque * speeds, color="tab:orange", linestyle="--")
    power.set(ylabel="power [W]", ylim=(0, None))
    if path is not None:
        with writing(path):
            figure.savefig(named_file(path))
    return figure
