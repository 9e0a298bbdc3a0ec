// Cameras: one that is moved with mouse, fingers or keys around a point, and those of the model.

import { add, axesAlong, clamp, orthographic, perspective, scaled, subtract, viewMatrix } from "./math.js";

const RADIANS = Math.PI / 180;
const ROTATION = 0.4; // degrees per pixel
const KEY_STEP = 6; // degrees or percent

export class OrbitCamera {
  constructor({ lookat, distance, azimuth, elevation, fovy }, extent) {
    Object.assign(this, { lookat: [...lookat], distance, azimuth, elevation, fovy, extent });
    this.home = { lookat: [...lookat], distance, azimuth, elevation };
    this.anchor = [0, 0, 0];
  }

  /** Back to the first view, perhaps from farther away; a body that is followed was at `start` then. */
  reset(start = [0, 0, 0], farther = 0) {
    Object.assign(this, this.home, {
      lookat: subtract(this.home.lookat, start),
      distance: this.home.distance + farther,
    });
  }

  /** The point that is looked at. `lookat` is counted from the anchor, which moves with a body that is followed. */
  get target() {
    return add(this.lookat, this.anchor);
  }

  /** Another anchor, without a jump of the picture. */
  anchorAt(point) {
    this.lookat = subtract(this.target, point);
    this.anchor = point;
  }

  get axes() {
    const a = this.azimuth * RADIANS,
      e = this.elevation * RADIANS;
    return axesAlong([Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)]);
  }

  rotate(dx, dy) {
    this.azimuth -= ROTATION * dx;
    this.elevation = clamp(this.elevation - ROTATION * dy, -89.5, 89.5);
  }

  /** Move the point that is looked at by a fraction of the height of the picture. */
  pan(dx, dy) {
    const { x, y } = this.axes;
    const scale = 2 * this.distance * Math.tan((this.fovy / 2) * RADIANS);
    this.lookat = add(this.lookat, add(scaled(x, -dx * scale), scaled(y, dy * scale)));
  }

  zoom(factor) {
    this.distance = clamp(this.distance * factor, 0.02 * this.extent, 60 * this.extent);
  }

  /** What a key does; false if it does nothing. */
  key(key) {
    const actions = {
      ArrowLeft: () => this.rotate(KEY_STEP / ROTATION, 0),
      ArrowRight: () => this.rotate(-KEY_STEP / ROTATION, 0),
      ArrowUp: () => this.rotate(0, KEY_STEP / ROTATION),
      ArrowDown: () => this.rotate(0, -KEY_STEP / ROTATION),
      "+": () => this.zoom(1 - KEY_STEP / 100),
      "-": () => this.zoom(1 + KEY_STEP / 100),
      w: () => this.pan(0, 0.05),
      s: () => this.pan(0, -0.05),
      a: () => this.pan(0.05, 0),
      d: () => this.pan(-0.05, 0),
    };
    actions[key]?.();
    return key in actions;
  }

  /** Matrices for a picture with this ratio of width to height, parts of which are covered at the right and below.
   *  What is looked at is in the middle of the rest, and as large as it fits. */
  matrices(aspect, { right = 0, below = 0 } = {}) {
    const { x, y, z } = this.axes;
    const eye = add(this.target, scaled(z, this.distance));
    const half = Math.tan((this.fovy / 2) * RADIANS) / Math.min(1 - below, aspect * (1 - right));
    const wide = half * aspect;
    const near = 0.01 * Math.min(this.distance, this.extent);
    const far = this.distance + 200 * this.extent;
    return {
      eye,
      view: viewMatrix(eye, x, y, z),
      isParallel: false,
      projection: perspective(
        wide * (right - 1),
        wide * (right + 1),
        -half * (1 + below),
        half * (1 - below),
        near,
        far,
      ),
    };
  }
}

/** Matrices of a camera of the model; lens is {halfHeight, shift, isParallel, near, far}. */
export function modelCamera(pos, axes, lens, aspect) {
  const h = lens.halfHeight,
    w = h * aspect;
  const project = lens.isParallel ? orthographic : perspective;
  const [right, up] = lens.shift;
  return {
    eye: pos,
    view: viewMatrix(pos, axes.x, axes.y, axes.z),
    isParallel: lens.isParallel,
    projection: project(right - w, right + w, up - h, up + h, lens.near, lens.far),
  };
}

/** Let mouse and fingers move a camera; `onTap(x, y)` is called for a click that moved nothing. What `onGrab(event)` takes
 *  hold of, {move(event), end()}, is moved instead. */
export function attachPointer(element, camera, { onMove, onTap, onFocus, onGrab = () => null }) {
  const fingers = new Map();
  let held = null;
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) travelled = 0;
    if (fingers.size === 1 && event.button === 0 && !event.shiftKey) held = onGrab(event);
    else drop();
  });
  const drop = () => {
    held?.end();
    held = null;
  };
  element.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = fingers.size > 1 ? spread() : finger;
    const dx = event.clientX - finger.x,
      dy = event.clientY - finger.y;
    travelled += Math.abs(dx) + Math.abs(dy);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (held) {
      held.move(event);
      return;
    }
    if (fingers.size > 1) {
      const after = spread();
      camera.zoom(before.distance / Math.max(after.distance, 1));
      camera.pan((after.x - before.x) / element.clientHeight, (after.y - before.y) / element.clientHeight);
    } else if (event.buttons & 2 || event.shiftKey || event.ctrlKey) {
      camera.pan(dx / element.clientHeight, dy / element.clientHeight);
    } else {
      camera.rotate(dx, dy);
    }
    onMove();
  });
  const lift = (event) => {
    drop();
    const isTap = fingers.delete(event.pointerId) && event.type === "pointerup" && travelled < 5;
    if (isTap && event.button === 0) onTap(event);
  };
  element.addEventListener("pointerup", lift);
  element.addEventListener("pointercancel", lift);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("dblclick", onFocus);
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(clamp(event.deltaY, -60, 60) * 0.003));
      onMove();
    },
    { passive: false },
  );
}
