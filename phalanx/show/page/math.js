// Vectors, quaternions (w x y z) and 4 x 4 matrices (column by column), as plain arrays.

/** Numbers of a pose: position, quaternion. */
export const POSE = 7;

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function normalized(a) {
  const n = length(a);
  return n > 0 ? scaled(a, 1 / n) : [0, 0, 1];
}

/** A vector in the frame that a quaternion describes, in the frame around it. */
export function rotate(q, v) {
  const axis = [q[1], q[2], q[3]];
  const t = scaled(cross(axis, v), 2);
  return add(v, add(scaled(t, q[0]), cross(axis, t)));
}

export const multiplied = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];

export function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/** The matrix of a camera at `eye` with axes x (right), y (up) and z (backward): from the world to the camera. */
export function viewMatrix(eye, x, y, z) {
  return new Float32Array([
    x[0],
    y[0],
    z[0],
    0,
    x[1],
    y[1],
    z[1],
    0,
    x[2],
    y[2],
    z[2],
    0,
    -dot(x, eye),
    -dot(y, eye),
    -dot(z, eye),
    1,
  ]);
}

/** Projection through a frame given by the bounds of the picture at depth 1. */
export function perspective(left, right, bottom, top, near, far) {
  const w = right - left,
    h = top - bottom,
    d = near - far;
  return new Float32Array([
    2 / w,
    0,
    0,
    0,
    0,
    2 / h,
    0,
    0,
    (right + left) / w,
    (top + bottom) / h,
    (far + near) / d,
    -1,
    0,
    0,
    (2 * far * near) / d,
    0,
  ]);
}

export function orthographic(left, right, bottom, top, near, far) {
  const w = right - left,
    h = top - bottom,
    d = near - far;
  return new Float32Array([
    2 / w,
    0,
    0,
    0,
    0,
    2 / h,
    0,
    0,
    0,
    0,
    2 / d,
    0,
    -(right + left) / w,
    -(top + bottom) / h,
    (far + near) / d,
    1,
  ]);
}

/** Camera axes that look along a direction, with the world's z up. */
export function axesAlong(direction) {
  const z = scaled(direction, -1);
  const sideways = cross([0, 0, 1], z);
  const x = length(sideways) > 1e-6 ? normalized(sideways) : [0, -1, 0];
  return { x, y: cross(z, x), z };
}
