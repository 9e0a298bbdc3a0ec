"""The tab of plots: curves of fields by name, and readings of sensors."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.plot_fields import PlotField
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Post, when_clicked
from phalanx.world.model import Model

#: Colors of lines, one after the other.
COLORS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f")
#: Width by height of a plot.
ASPECT = 1.8
#: Sensors in the list of readings at most.
MOST_READINGS = 100


class PlotsTab:
    """Plots and readings."""

    def __init__(self, gui: Any, post: Post, session: Session, model: Model):
        self._gui, self._model = gui, model
        field = gui.add_text("Field", "qpos[0:3]", hint="qpos[2], sensordata, body torso xpos, sensor gyro")
        add = gui.add_button("Plot", icon="chart-line")
        when_clicked(add, lambda: post(session.add_plot, field.value))
        sensors = [name for name in model.names.names["sensor"] if name]
        if sensors:
            sensor = gui.add_dropdown("Sensor", sensors)
            plot = gui.add_button("Plot sensor")
            when_clicked(plot, lambda: post(session.add_plot, f"sensor {sensor.value}"))
        clear = gui.add_button("Remove plots", icon="trash")
        when_clicked(clear, lambda: post(session.clear_plots))
        self._folder = gui.add_folder("Plots")
        self._charts: list[tuple[PlotField, Any, Any]] = []
        with gui.add_folder("Sensors", visible=model.nsensor > 0):
            self._readings = gui.add_html("")

    def show(self, frame: Frame, viser: Any) -> None:
        """Bring curves and readings up to date."""
        if [field for field, _, _ in self._charts] != [field for field, _ in frame.curves]:
            self._renew(frame, viser)
        for (_, chart, _), (_, columns) in zip(self._charts, frame.curves, strict=True):
            chart.data = columns
        self._readings.content = readings_html(self._model, frame.sensordata)

    def _renew(self, frame: Frame, viser: Any) -> None:
        """A chart for each plot."""
        for _, chart, legend in self._charts:
            chart.remove()
            legend.remove()
        self._charts.clear()
        with self._folder:
            for field, columns in frame.curves:
                lines = [
                    viser.uplot.Series(label=label, stroke=COLORS[k % len(COLORS)], width=2)
                    for k, label in enumerate(field.labels)
                ]
                chart = self._gui.add_uplot(
                    columns,
                    (viser.uplot.Series(label="time [s]"), *lines),
                    title=field.text,
                    scales={"x": viser.uplot.Scale(time=False, auto=True), "y": viser.uplot.Scale(auto=True)},
                    legend=viser.uplot.Legend(show=False),
                    aspect=ASPECT,
                )
                self._charts.append((field, chart, self._gui.add_html(legend_html(field))))


def legend_html(field: PlotField) -> str:
    """The labels of the lines, in their colors."""
    colored = (
        f'<span style="color:{COLORS[k % len(COLORS)]}">— {html.escape(label)}</span>'
        for k, label in enumerate(field.labels)
    )
    return f'<div class="phalanx">{" &nbsp; ".join(colored)}</div>'


def readings_html(model: Model, sensordata: np.ndarray) -> str:
    """A table with the numbers of every sensor."""
    rows = []
    for sensor, name in enumerate(model.names.names["sensor"][:MOST_READINGS]):
        first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
        values = " ".join(f"{value:.4g}" for value in sensordata[first : first + count])
        rows.append(f"<tr><td>{html.escape(name or f'sensor {sensor}')}</td><td>{values}</td></tr>")
    return f'<div id="phalanx-sensors" class="phalanx"><table>{"".join(rows)}</table></div>'
