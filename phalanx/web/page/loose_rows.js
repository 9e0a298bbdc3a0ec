// Shapes that are new in every frame, as rows of numbers: those that the scene draws as loose instances.

import { dot, length, scaled, subtract } from "./math.js";

/** Numbers of a row: kind, mesh, body, label; position; quaternion; size; color. */
export const CHANNELS = 18;
const TINY = 1e-15;
const HEAD = 1.75;
const UPRIGHT = [1, 0, 0, 0];

/** The smallest rotation that takes the z axis to a direction, as a quaternion. */
export function quatAlong(direction) {
  const size = length(direction);
  if (size <= TINY) return UPRIGHT;
  const [x, y, z] = scaled(direction, 1 / size);
  if (z < -1 + 1e-12) return [0, 1, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [w, -y / (2 * w), x / (2 * w), 0];
}

/** The quaternion of a rotation matrix, row by row, from element `at` of an array on. */
export function quatOf(m, at = 0) {
  const a = m[at],
    b = m[at + 4],
    c = m[at + 8];
  const squares = [1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c];
  const most = squares.indexOf(Math.max(...squares));
  const s = 2 * Math.sqrt(Math.max(squares[most], TINY));
  const [yz, zx, xy] = [m[at + 7] - m[at + 5], m[at + 2] - m[at + 6], m[at + 3] - m[at + 1]];
  const [YZ, ZX, XY] = [m[at + 7] + m[at + 5], m[at + 2] + m[at + 6], m[at + 3] + m[at + 1]];
  const rows = [
    [s / 4, yz / s, zx / s, xy / s],
    [yz / s, s / 4, XY / s, ZX / s],
    [zx / s, XY / s, s / 4, YZ / s],
    [xy / s, ZX / s, YZ / s, s / 4],
  ];
  return rows[most];
}

/** Three numbers of an array. */
export const three = (array, k) => [array[3 * k], array[3 * k + 1], array[3 * k + 2]];
/** The z axis of a rotation matrix of nine numbers. */
export const axisOf = (mats, k) => [mats[9 * k + 2], mats[9 * k + 5], mats[9 * k + 8]];
/** A vector that is given in the frame of a matrix, in the world. */
export const turned = (mats, k, v) =>
  [0, 1, 2].map((row) => dot([mats[9 * k + 3 * row], mats[9 * k + 3 * row + 1], mats[9 * k + 3 * row + 2]], v));

export class LooseRows {
  constructor(kinds) {
    this.kinds = kinds;
    this.values = [];
  }

  add(kind, pos, quat, size, rgba, { body = 0, label = 0 } = {}) {
    this.values.push(this.kinds.indexOf(kind), 0, body, label, ...pos, ...quat, ...size, ...rgba);
  }

  /** A capsule or a cylinder between two points. */
  connect(kind, radius, start, end, rgba, options) {
    const along = subtract(end, start);
    const middle = [0, 1, 2].map((k) => (start[k] + end[k]) / 2);
    this.add(kind, middle, quatAlong(along), [radius, length(along) / 2, 0], rgba, options);
  }

  /** An arrow that is half as long as the vector that it stands for, as MuJoCo draws it. */
  halfArrow(radius, start, vector, rgba, options, head = HEAD) {
    this.add("arrow", start, quatAlong(vector), [radius, head * radius, length(vector) / 2], rgba, options);
  }

  /** All rows as a track of one frame. */
  track() {
    return { values: Float32Array.from(this.values), starts: [0, this.values.length / CHANNELS], channels: CHANNELS };
  }
}
