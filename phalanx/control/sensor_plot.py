"""Plans and fits as pictures. Needs matplotlib."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.memory.array_file import named_file, writing
from phalanx.memory.errors import MissingPackageError
from phalanx.memory.fill import items

if TYPE_CHECKING:
    from pathlib import Path

    from phalanx.world.model import Model


def plot_over_time(
    model: Model,
    sensordata: Sequence[tuple[str, str, np.ndarray]],
    ctrl: np.ndarray | None,
    path: str | Path | None,
    *,
    sensors: Sequence[str] | None = None,
) -> Any:
    """Sensors over time, a row for each, and the controls in the last row.

    Args:
        model: whose sensors and actuators they are.
        sensordata: (label, style of the line, readings (steps, nsensordata)); several are drawn over each other.
        ctrl: (steps, nu), or None.
        path: a picture file to write; None for none.
        sensors: names of those to draw; None for all.

    Returns:
        The figure of matplotlib.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingPackageError('plots need matplotlib: pip install "phalanx[demo]"')
    from matplotlib.figure import Figure

    shown = [model.sensor(name) for name in (range(model.nsensor) if sensors is None else items(sensors))]
    rows = len(shown) + (ctrl is not None)
    figure = Figure(figsize=(6.4, 1.0 + 1.3 * rows), layout="constrained")
    axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    for row, sensor in zip(axes, shown, strict=False):
        draw_sensor(row, model, sensor, sensordata)
    if len(sensordata) > 1:
        axes[0].legend(fontsize=8)
    if ctrl is not None:
        draw_controls(axes[-1], model, ctrl)
    # one axis of time serves all rows
    axes[-1].set_xlabel("time [s]")
    for row in axes:
        row.tick_params(labelsize=8)
        row.grid(alpha=0.3)
    if path is not None:
        with writing(path):
            figure.savefig(named_file(path))
    return figure


def draw_sensor(axes: Any, model: Model, sensor: Any, sensordata: Sequence[tuple[str, str, np.ndarray]]) -> None:
    """All numbers of a sensor, a color each."""
    first, count = int(model.sensor_adr[sensor.id]), int(model.sensor_dim[sensor.id])
    for label, style, readings in sensordata:
        time = float(model.opt.timestep) * np.arange(len(readings))
        for number, values in enumerate(readings.T[first : first + count]):
            axes.plot(time, values, style, color=f"C{number}", label=label if number == 0 else None, markersize=3)
    axes.set_ylabel(sensor.name or f"sensor {sensor.id}", fontsize=8)


def draw_controls(axes: Any, model: Model, ctrl: np.ndarray) -> None:
    """All controls, by the names of their actuators."""
    names = model.names.names["actuator"]
    for number, values in enumerate(ctrl.T):
        time = float(model.opt.timestep) * np.arange(len(ctrl))
        axes.plot(time, values, color=f"C{number}", label=names[number] if number < len(names) else None)
    axes.set_ylabel("controls", fontsize=8)
    if 1 < len(ctrl.T) == len(names):
        axes.legend(fontsize=7, ncols=3)
