// The world that is simulated, as the page sees it: where bodies are now, decor, numbers of the last seconds.

import { layerTrack } from "./layers.js";
import { quatOf, three } from "./loose_rows.js";
import { POSE, add, cross, length, subtract } from "./math.js";

/** Moments that plots remember, and how many are dropped at once. */
const MOST_MOMENTS = 1800,
  DROPPED = 300;

export class LiveWorld {
  constructor(manifest, simulation) {
    Object.assign(this, { manifest, simulation, isLive: true, frame: 0, between: 0 });
    this.times = [simulation.time];
    this.series = new Map();
    const layers = {};
    for (const { name } of manifest.layers)
      Object.defineProperty(layers, name, {
        get: () => layerTrack(name, simulation, manifest.style, manifest.kinds),
      });
    const count = manifest.bodies.length;
    this.world = {
      name: "",
      layers,
      now: new Float32Array(POSE * count),
      cameras: { values: new Float32Array(POSE * manifest.cameras.length), channels: POSE },
      fields: manifest.fields.map((row) => ({ ...row, series: (column) => this.#series(row.name, column) })),
    };
    this.world.poses = { values: this.world.now };
    this.worlds = [this.world];
    this.seek();
  }

  get facts() {
    return [`${this.simulation.sizes.nv} degrees of freedom`, "simulated here"];
  }

  get start() {
    return this.times[0];
  }

  get end() {
    return this.times[this.times.length - 1];
  }

  get duration() {
    return this.end - this.start;
  }

  get sample() {
    return this.times.length - 1;
  }

  /** Take poses of bodies and cameras from the simulation. */
  seek() {
    const { now, cameras } = this.world,
      d = this.simulation.data;
    const { xpos, xquat } = d;
    for (let body = 0; body < now.length / POSE; body++) {
      for (let k = 0; k < 3; k++) now[POSE * body + k] = xpos[3 * body + k];
      for (let k = 0; k < 4; k++) now[POSE * body + 3 + k] = xquat[4 * body + k];
    }
    if (!cameras.values.length) return;
    const { cam_xpos, cam_xmat } = d;
    for (let camera = 0; camera < cameras.values.length / POSE; camera++)
      cameras.values.set([...three(cam_xpos, camera), ...quatOf(cam_xmat, 9 * camera)], POSE * camera);
  }

  /** Speed of the origin of a body [m/s]. */
  speed(world, body) {
    const { data: d, model: m } = this.simulation;
    const spin = three(d.cvel, 2 * body),
      linear = three(d.cvel, 2 * body + 1);
    const arm = subtract(three(d.xpos, body), three(d.subtree_com, m.body_rootid[body]));
    return length(add(linear, cross(spin, arm)));
  }

  // --- numbers over time

  /** The numbers of a column so far; from now on it is remembered. */
  #series(name, column) {
    const key = `${name} ${column}`;
    let found = this.series.get(key);
    if (!found) {
      found = { name, column, values: new Array(this.times.length).fill(NaN) };
      this.series.set(key, found);
      found.values[this.sample] = this.#number(found);
    }
    return found.values;
  }

  #number({ name, column }) {
    const value = this.simulation.field(name);
    return typeof value === "number" ? value : value[column];
  }

  /** Remember the present moment. */
  remember() {
    const { time } = this.simulation;
    if (time <= this.end) return;
    this.times.push(time);
    for (const one of this.series.values()) one.values.push(this.#number(one));
    if (this.times.length < MOST_MOMENTS) return;
    this.times.splice(0, DROPPED);
    for (const one of this.series.values()) one.values.splice(0, DROPPED);
  }

  /** Time has been set back: begin anew. */
  forget() {
    this.times.splice(0, this.times.length, this.simulation.time);
    for (const one of this.series.values()) one.values.splice(0, one.values.length, this.#number(one));
  }
}
