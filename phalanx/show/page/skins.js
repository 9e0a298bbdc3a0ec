// Skins: triangles whose points follow several bodies, each by its weight.

import { POSE, add, cross, multiplied, rotate, subtract } from "./math.js";

/** A skin of the model in one world; `update` moves it to the poses of bodies. */
export class Skin {
  constructor(row, arrays, renderer) {
    this.renderer = renderer;
    this.bones = row.bones;
    this.inflate = row.inflate;
    this.bound = arrays.plain(row.vertices);
    this.faces = arrays.plain(row.faces);
    this.owners = arrays.plain(row.owners);
    this.points = arrays.plain(row.points);
    this.weights = arrays.plain(row.weights);
    this.vertices = new Float32Array(this.bound.length);
    this.normals = new Float32Array(this.bound.length);
    const texcoords = row.texcoords ? arrays.plain(row.texcoords) : null;
    this.mesh = renderer.mesh({ vertices: this.vertices, normals: this.normals, texcoords, faces: this.faces });
  }

  update(poses) {
    const { bound, vertices, points, owners, weights } = this;
    const motions = this.bones.map((bone) => motion(bone, poses));
    vertices.fill(0);
    for (let k = 0; k < points.length; k++) {
      const { quat, shift } = motions[owners[k]];
      const at = 3 * points[k];
      const moved = add(rotate(quat, bound.subarray(at, at + 3)), shift);
      for (let axis = 0; axis < 3; axis++) vertices[at + axis] += weights[k] * moved[axis];
    }
    this.#findNormals();
    for (let k = 0; k < vertices.length; k++) vertices[k] += this.inflate * this.normals[k];
    this.renderer.move(this.mesh, vertices, this.normals);
  }

  /** Normals of points: the sum of those of the triangles around them, by area. */
  #findNormals() {
    const { vertices, normals, faces } = this;
    normals.fill(0);
    const point = (k) => vertices.subarray(3 * k, 3 * k + 3);
    for (let face = 0; face < faces.length; face += 3) {
      const [a, b, c] = faces.subarray(face, face + 3);
      const normal = cross(subtract(point(b), point(a)), subtract(point(c), point(a)));
      for (const corner of [a, b, c]) for (let axis = 0; axis < 3; axis++) normals[3 * corner + axis] += normal[axis];
    }
    for (let k = 0; k < normals.length; k += 3) {
      const size = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
      for (let axis = 0; axis < 3; axis++) normals[k + axis] /= size;
    }
  }
}

/** How a bone has moved since the skin was bound to it. */
function motion({ body, pos, quat }, poses) {
  const at = POSE * body;
  const turned = multiplied(poses.subarray(at + 3, at + 7), [quat[0], -quat[1], -quat[2], -quat[3]]);
  return { quat: turned, shift: subtract(poses.subarray(at, at + 3), rotate(turned, pos)) };
}
