// What is drawn in a frame: instances, gathered by mesh and texture.

/** Numbers of an instance: position, length; quaternion; scale, id; color; specular, shininess, emission, glow. */
export const STRIDE = 20;
const GROWTH = 2;

class Bucket {
  constructor(look) {
    this.look = look;
    this.values = new Float32Array(16 * STRIDE);
    this.count = 0;
  }

  push(instance) {
    if ((this.count + 1) * STRIDE > this.values.length) {
      const larger = new Float32Array(this.values.length * GROWTH);
      larger.set(this.values);
      this.values = larger;
    }
    this.values.set(instance, this.count * STRIDE);
    this.count++;
  }
}

export class DrawList {
  constructor() {
    this.solid = new Map();
    this.clear = [];
  }

  begin() {
    for (const bucket of this.solid.values()) bucket.count = 0;
    this.clear = [];
  }

  /** Add an instance of a look: {mesh, texture, mode, map, reflectance, isFloor, isDecor}. Its numbers are copied. */
  add(look, instance) {
    if (instance[15] < 0.02) return;
    if (instance[15] < 0.99) {
      this.clear.push({ look, values: Float32Array.from(instance) });
      return;
    }
    let bucket = this.solid.get(look);
    if (!bucket) this.solid.set(look, (bucket = new Bucket(look)));
    bucket.push(instance);
  }

  /** Everything in the order of drawing: solid first, then what is seen through, from far to near. */
  *inOrder(eye) {
    for (const { look, values, count } of this.solid.values()) if (count) yield { look, values, count, isClear: false };
    const far = ({ values }) => Math.hypot(values[0] - eye[0], values[1] - eye[1], values[2] - eye[2]);
    for (const { look, values } of this.clear.sort((a, b) => far(b) - far(a)))
      yield { look, values, count: 1, isClear: true };
  }
}
