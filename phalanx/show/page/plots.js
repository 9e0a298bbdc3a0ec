// Plots of recorded numbers over time, with a cursor at the present moment.

import { element, icon } from "./dom.js";

const HEIGHT = 110;
const MOST_LINES = 12;
const COLORS = ["#3b82f6", "#f97316", "#10b981", "#e11d48", "#8b5cf6", "#eab308", "#06b6d4", "#ec4899"];

/** Every plot that can be drawn: name -> lines, each with a name and a series for the world. */
export function plottable(fields) {
  const found = new Map();
  for (const { name, unit, columns, series } of fields) {
    const lines = columns.map((column, k) => ({
      name: column,
      get series() {
        return series(k);
      },
    }));
    found.set(name, { unit, lines });
    if (lines.length > 1) for (const line of lines) found.set(line.name, { unit, lines: [line] });
  }
  return found;
}

export class PlotPanel {
  constructor(recording, onSeek) {
    this.recording = recording;
    this.onSeek = onSeek;
    this.plots = [];
    this.known = plottable(recording.worlds[0].fields);
    this.list = element("div", { class: "plots" });
    const names = element(
      "datalist",
      { id: "field-names" },
      ...[...this.known.keys()].map((name) => element("option", { value: name })),
    );
    this.input = element("input", {
      class: "search",
      type: "search",
      list: "field-names",
      placeholder: "field, for example qpos",
      "aria-label": "plot a field",
      change: () => this.add(this.input.value.trim()),
    });
    this.note = element("p", { class: "note" });
    const hint = this.known.size ? null : element("p", { class: "note" }, "No numbers were recorded.");
    this.node = element("div", {}, this.input, names, hint, this.note, this.list);
  }

  /** Draw a field by its name in the world that is followed. */
  add(name, world = 0) {
    if (!name || this.plots.some((plot) => plot.name === name)) return;
    const row = plottable(this.recording.worlds[world].fields).get(name);
    this.note.textContent = row ? "" : `There is no recorded field "${name}".`;
    if (!row) return;
    this.input.value = "";
    const canvas = element("canvas", { class: "plot", height: HEIGHT });
    const legend = element("div", { class: "legend" });
    const plot = {
      name,
      world,
      lines: row.lines.slice(0, MOST_LINES),
      canvas,
      legend,
      bounds: boundsOf(row.lines.slice(0, MOST_LINES)),
    };
    const more = row.lines.length > MOST_LINES ? ` (first ${MOST_LINES} of ${row.lines.length})` : "";
    const title = element(
      "div",
      { class: "plot-title" },
      element("span", {}, name + (row.unit ? ` [${row.unit}]` : "") + more),
      element("button", { class: "flat", title: "Remove", click: () => this.remove(plot) }, icon("close")),
    );
    plot.card = element("div", { class: "card" }, title, canvas, legend);
    const seek = (event) => {
      if (!event.buttons) return;
      const box = canvas.getBoundingClientRect();
      this.onSeek(this.recording.start + ((event.clientX - box.left) / box.width) * this.recording.duration);
    };
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
    this.plots.push(plot);
    this.list.append(plot.card);
    this.draw(this.time ?? this.recording.start);
  }

  remove(plot) {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.card.remove();
  }

  /** Show other worlds' numbers in the plots that are there. */
  setWorld(world) {
    for (const plot of this.plots) {
      plot.lines = plottable(this.recording.worlds[world].fields).get(plot.name).lines.slice(0, MOST_LINES);
      plot.bounds = boundsOf(plot.lines);
      plot.world = world;
    }
  }

  draw(time) {
    this.time = time;
    for (const plot of this.plots) if (plot.canvas.clientWidth) this.#drawPlot(plot, time);
  }

  #drawPlot({ canvas, lines, bounds, legend }, time) {
    const { times, start, duration, sample, isLive } = this.recording;
    const [low, high] = isLive ? boundsOf(lines) : bounds;
    const ratio = window.devicePixelRatio || 1,
      width = canvas.clientWidth;
    canvas.width = width * ratio;
    canvas.height = HEIGHT * ratio;
    const paint = canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const x = (t) => ((t - start) / (duration || 1)) * width;
    const y = (value) => HEIGHT - 6 - ((value - low) / (high - low)) * (HEIGHT - 12);
    paint.strokeStyle = style.getPropertyValue("--line");
    paint.lineWidth = 1;
    if (low < 0 && high > 0)
      stroke(paint, [
        [0, y(0)],
        [width, y(0)],
      ]);
    lines.forEach(({ series }, k) => {
      paint.strokeStyle = COLORS[k % COLORS.length];
      paint.lineWidth = 1.5;
      stroke(
        paint,
        reduced(times, series, width * ratio).map(([t, value]) => [x(t), y(value)]),
      );
    });
    paint.strokeStyle = style.getPropertyValue("--accent");
    paint.lineWidth = 1.5;
    stroke(paint, [
      [x(time), 0],
      [x(time), HEIGHT],
    ]);
    paint.fillStyle = style.getPropertyValue("--soft");
    paint.font = "10px system-ui, sans-serif";
    paint.fillText(short(high), 3, 11);
    paint.fillText(short(low), 3, HEIGHT - 3);
    legend.replaceChildren(
      ...lines.map(({ name, series }, k) =>
        element(
          "span",
          {},
          element("i", { style: `background:${COLORS[k % COLORS.length]}` }),
          `${name} `,
          element("b", {}, short(series[sample])),
        ),
      ),
    );
  }
}

/** A number in few letters. */
export const short = (value) =>
  !Number.isFinite(value)
    ? String(value)
    : Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-3)
      ? value.toExponential(2)
      : String(+value.toFixed(3));

function boundsOf(lines) {
  let low = Infinity,
    high = -Infinity;
  for (const { series } of lines)
    for (const value of series) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (!(low <= high)) return [-1, 1];
  const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - room, high + room];
}

/** The least and the greatest value of each pixel, so that long recordings are drawn at once and no peak is lost. */
function reduced(times, series, pixels) {
  const stride = Math.max(1, Math.floor((2 * series.length) / Math.max(pixels, 1)));
  const points = [];
  for (let first = 0; first < series.length; first += stride) {
    const end = Math.min(first + stride, series.length);
    let low = first,
      high = first;
    for (let k = first + 1; k < end; k++) {
      if (series[k] < series[low]) low = k;
      if (series[k] > series[high]) high = k;
    }
    for (const k of low === high ? [low] : [Math.min(low, high), Math.max(low, high)])
      points.push([times[k], series[k]]);
  }
  return points;
}

/** A line through points, broken where one is NaN. */
function stroke(paint, points) {
  paint.beginPath();
  let isDown = false;
  for (const [x, y] of points) {
    if (!Number.isFinite(y)) isDown = false;
    else if (isDown) paint.lineTo(x, y);
    else {
      paint.moveTo(x, y);
      isDown = true;
    }
  }
  paint.stroke();
}
