// Flexes: surfaces whose points follow the vertices of a deformable body, which bodies carry.

import { POSE, add, axesAlong, cross, normalized, rotate, subtract } from "./math.js";

/** A flex of the model in one world; `update` moves it to the poses of bodies. */
export class Flex {
  constructor(row, arrays, renderer) {
    this.renderer = renderer;
    this.carriers = row.carriers;
    for (const name of ["targets", "owners", "weights", "vertex", "along", "fixed", "edge", "across", "around"])
      this[name] = arrays.plain(row[name]);
    this.edges = arrays.plain(row.edges);
    this.faces = arrays.plain(row.faces);
    this.places = new Float32Array(3 * row.count);
    this.smooth = new Float32Array(3 * row.count);
    this.vertices = new Float32Array(3 * this.vertex.length);
    this.normals = new Float32Array(3 * this.vertex.length);
    const texcoords = row.texcoords ? arrays.plain(row.texcoords) : null;
    this.mesh = renderer.mesh({ vertices: this.vertices, normals: this.normals, texcoords, faces: this.faces });
  }

  update(poses) {
    this.#placeVertices(poses);
    sumNormals(this.smooth, this.places, this.around, true);
    this.#placePoints();
    sumNormals(this.normals, this.vertices, this.faces, false);
    this.renderer.move(this.mesh, this.vertices, this.normals);
  }

  /** Vertices of the flex: what carries them, by its weights. */
  #placeVertices(poses) {
    const points = this.carriers.map(({ body, pos }) => {
      const at = POSE * body;
      return add(poses.subarray(at, at + 3), rotate(poses.subarray(at + 3, at + 7), pos));
    });
    this.places.fill(0);
    for (let k = 0; k < this.targets.length; k++) {
      const point = points[this.owners[k]];
      for (let axis = 0; axis < 3; axis++) this.places[3 * this.targets[k] + axis] += this.weights[k] * point[axis];
    }
  }

  /** Points of the surface, beside the vertices. */
  #placePoints() {
    const place = (k) => this.places.subarray(3 * k, 3 * k + 3);
    const frames = [];
    for (let k = 0; k < this.edges.length; k += 2) {
      const { x, y } = axesAlong(normalized(subtract(place(this.edges[k + 1]), place(this.edges[k]))));
      frames.push([y, x]);
    }
    for (let k = 0; k < this.vertex.length; k++) {
      const here = 3 * this.vertex[k];
      const [u, v] = frames.length ? frames[this.edge[k]] : [NOWHERE, NOWHERE];
      for (let axis = 0; axis < 3; axis++)
        this.vertices[3 * k + axis] =
          this.places[here + axis] +
          this.along[k] * this.smooth[here + axis] +
          this.fixed[3 * k + axis] +
          this.across[2 * k] * u[axis] +
          this.across[2 * k + 1] * v[axis];
    }
  }
}

const NOWHERE = [0, 0, 0];

/** Unit normals of points: the sum of those of the triangles around them, by number or by area. */
function sumNormals(normals, points, faces, isByNumber) {
  normals.fill(0);
  const point = (k) => points.subarray(3 * k, 3 * k + 3);
  for (let face = 0; face < faces.length; face += 3) {
    const [a, b, c] = faces.subarray(face, face + 3);
    const area = cross(subtract(point(b), point(a)), subtract(point(c), point(a)));
    const normal = isByNumber ? normalized(area) : area;
    for (const corner of [a, b, c]) for (let axis = 0; axis < 3; axis++) normals[3 * corner + axis] += normal[axis];
  }
  for (let k = 0; k < normals.length; k += 3) {
    const size = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    for (let axis = 0; axis < 3; axis++) normals[k + axis] /= size;
  }
}
