// Paths of tendons in space: straight segments, arcs on wrapping geoms, and the curve of one that hangs loosely.

import { axisOf, three } from "./loose_rows.js";
import { add, cross, dot, length, scaled, subtract } from "./math.js";

/** What `wrap_obj` is at a pulley: the path is interrupted. */
const PULLEY = -2;
const MOST_POINTS = 100,
  STEEP = 100,
  ROUNDING = 1e-9,
  TOLERANCE = 1e-9,
  MOST_STEPS = 50;
const TINY = 1e-15;

/** Segments [start, end] of a tendon; `isTaut` for one that is drawn straight in any case. */
export function tendonPath(m, d, tendon, style, isTaut = false) {
  const first = d.ten_wrapadr[tendon],
    points = d.wrap_xpos,
    objects = d.wrap_obj;
  const loose = style.tendons[tendon].loose;
  if (!isTaut && loose > 0 && (style.tendons[tendon].isSpring || d.ten_length[tendon] < loose)) {
    const count = Math.min(style.numslices + 1, MOST_POINTS);
    const line = catenary(three(points, first), three(points, first + 1), m["opt.gravity"], loose, count);
    return line.slice(1).map((end, k) => [line[k], end]);
  }
  const found = [];
  for (let k = first; k < first + d.ten_wrapnum[tendon] - 1; k++) {
    if (objects[k] === PULLEY || objects[k + 1] === PULLEY) continue;
    const [start, end] = [three(points, k), three(points, k + 1)];
    const isArc = objects[k] >= 0 && objects[k + 1] >= 0;
    if (!isArc) found.push([start, end]);
    else if (start.some((x, c) => x !== end[c])) found.push(...arc(m, d, points, k, objects[k], style));
  }
  return found;
}

/** The arc from a point to the next one on a sphere or a cylinder, in short segments. */
function arc(m, d, points, k, geom, { enums, numslices }) {
  const first = three(points, k),
    center = three(d.geom_xpos, geom);
  let arm1 = subtract(first, center),
    arm2 = subtract(three(points, k + 1), center);
  // the path goes on in the direction in which it arrives; around a cylinder it is a helix
  let normal = cross(arm1, subtract(first, three(points, k - 1)));
  normal = scaled(normal, 1 / Math.max(length(normal), TINY));
  let axis = normal,
    height1 = 0,
    height2 = 0;
  if (m.geom_type[geom] === enums.GeomType.CYLINDER) {
    axis = axisOf(d.geom_xmat, geom);
    if (dot(axis, normal) < 0) axis = scaled(axis, -1);
    [height1, height2] = [dot(arm1, axis), dot(arm2, axis)];
    arm1 = subtract(arm1, scaled(axis, height1));
    arm2 = subtract(arm2, scaled(axis, height2));
  }
  const across = cross(axis, arm1);
  let angle = Math.atan2(dot(arm2, across), dot(arm2, arm1));
  if (angle < 0) angle += 2 * Math.PI;
  if (2 * Math.PI - angle < ROUNDING) angle = 0;
  const pieces = Math.max(Math.round((angle * numslices) / Math.PI), 1);
  const at = (step) => {
    const part = step / pieces,
      swept = angle * part;
    const flat = add(scaled(arm1, Math.cos(swept)), scaled(across, Math.sin(swept)));
    return add(center, add(flat, scaled(axis, height1 * (1 - part) + height2 * part)));
  };
  return Array.from({ length: pieces }, (_, step) => [at(step), at(step + 1)]);
}

/** Points along a string of given length that hangs between two points. */
function catenary(start, end, gravity, size, count) {
  const offset = subtract(end, start);
  if (length(offset) > size) return [start, end];
  const up = scaled(gravity, -1 / length(gravity));
  let across = subtract(offset, scaled(up, dot(up, offset)));
  const horizontal = length(across);
  across = horizontal >= TINY ? scaled(across, 1 / horizontal) : [0, 0, 0];
  const h = dot(offset, across),
    v = dot(offset, up);
  if (size > STEEP * h) {
    const down = -0.5 * (Math.sqrt(size * size - h * h) - v);
    const sideways = 2 * down !== v ? (h * down) / (2 * down - v) : 0;
    return [start, add(start, add(scaled(up, down), scaled(across, sideways))), end];
  }
  if (size * size - v * v <= h * h) return [start, end];
  // y = b h cosh((x - x0) / (b h)) + y0
  const flatness = flatnessOf(v, h, size) * h;
  const x0 = -0.5 * (Math.log((size + v) / (size - v)) * flatness - h);
  const y0 = -Math.cosh(x0 / flatness) * flatness;
  const points = Array.from({ length: count }, (_, k) => {
    const x = (k * h) / count,
      y = flatness * Math.cosh((x - x0) / flatness) + y0;
    return add(start, add(scaled(across, x), scaled(up, y)));
  });
  points[0] = start;
  points[count - 1] = end;
  return points;
}

/** The parameter b of a catenary, by Newton's method with the step halved while it does not help. */
function flatnessOf(v, h, size) {
  const intercept = 1 / Math.sqrt(Math.sqrt(size * size - v * v) / h - 1);
  const residual = (b) => 1 / Math.sqrt(2 * b * Math.sinh(0.5 / b) - 1) - intercept;
  let b = intercept / Math.sqrt(24);
  for (let k = 0; k < MOST_STEPS; k++) {
    const error = residual(b),
      a = 0.5 / b;
    if (Math.abs(error) < TOLERANCE) break;
    const slope = (a * Math.cosh(a) - Math.sinh(a)) * (2 * b * Math.sinh(a) - 1) ** -1.5;
    let step = -error / slope;
    for (let half = 0; half < 10 && !(Math.abs(residual(b + step)) < Math.abs(error)); half++) step *= 0.5;
    b += step;
  }
  return b;
}
