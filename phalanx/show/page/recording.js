// A recording: poses of bodies, loose instances and numbers over time, for one world or several.

import { POSE } from "./math.js";
import { blendQuaternion } from "./scene.js";

export class Recording {
  constructor(manifest, arrays) {
    this.times = Float64Array.from(arrays.plain(manifest.times), (time) => manifest.start + time);
    this.bodyCount = manifest.bodies.length;
    this.worlds = manifest.worlds.map((world) => ({
      name: world.name,
      poses: arrays.track(world.poses),
      layers: Object.fromEntries(Object.entries(world.layers).map(([name, row]) => [name, arrays.track(row)])),
      fields: world.fields.map((row) => {
        const numbers = readNumbers(row, arrays);
        return { ...row, series: (column) => numbers[column] };
      }),
      cameras: arrays.track(world.cameras),
      now: new Float32Array(POSE * this.bodyCount),
    }));
    this.start = this.times[0];
    this.end = this.times[this.times.length - 1];
    this.frame = 0;
    this.between = 0;
  }

  get duration() {
    return this.end - this.start;
  }

  /** Where the present moment is in series of numbers. */
  get sample() {
    return this.frame;
  }

  /** In a line below the title. */
  get facts() {
    const worlds = this.worlds.length > 1 ? [`${this.worlds.length} worlds`] : [];
    return [`${this.duration.toFixed(2)} s`, ...worlds];
  }

  /** Speed of the origin of a body, from the frames around the present time [m/s]. */
  speed({ poses: { values }, now }, body) {
    const size = now.length,
      last = this.times.length - 1;
    const a = Math.min(this.frame, Math.max(last - 1, 0)),
      b = Math.min(a + 1, last);
    if (a === b) return 0;
    const at = POSE * body;
    const moved = [0, 1, 2].map((k) => values[b * size + at + k] - values[a * size + at + k]);
    return Math.hypot(...moved) / (this.times[b] - this.times[a]);
  }

  /** Go to a time: `now` of each world has the poses then. */
  seek(time) {
    const { times } = this;
    let low = 0,
      high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    if (times[high] <= time) low = high;
    const step = low + 1 < times.length ? times[low + 1] - times[low] : 0;
    this.frame = low;
    this.between = step > 0 ? Math.min(Math.max((time - times[low]) / step, 0), 1) : 0;
    for (const world of this.worlds) this.#pose(world);
  }

  #pose({ poses: { values }, now }) {
    const size = now.length,
      here = this.frame * size;
    const next = this.frame + 1 < this.times.length ? here + size : here;
    for (let at = 0; at < size; at += POSE) {
      for (let k = 0; k < 3; k++)
        now[at + k] = values[here + at + k] + this.between * (values[next + at + k] - values[here + at + k]);
      blendQuaternion(
        values.subarray(here + at + 3),
        values.subarray(next + at + 3),
        this.between,
        now.subarray(at + 3, at + 7),
      );
    }
  }
}

/** Columns of a field over time, stored as steps between the least and the greatest value; -1 is NaN. */
function readNumbers({ codes, lows, steps }, arrays) {
  const { values, channels } = arrays.track(codes);
  return lows.map((low, column) => {
    const series = new Float32Array(values.length / channels);
    for (let frame = 0; frame < series.length; frame++) {
      const code = values[frame * channels + column];
      series[frame] = code < 0 ? NaN : low + code * steps[column];
    }
    return series;
  });
}
