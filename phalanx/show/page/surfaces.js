// Triangles of the basic shapes. A vertex is a point of the unit shape and an `end`: it is drawn at
// point * scale + (0, 0, end * length), so that one capsule serves all sizes.

const ROUND = 32;
const RINGS = 10;

class Builder {
  constructor() {
    this.points = [];
    this.normals = [];
    this.ends = [];
    this.faces = [];
  }

  vertex(point, normal, end = 0) {
    this.points.push(...point);
    this.normals.push(...normal);
    this.ends.push(end);
    return this.ends.length - 1;
  }

  /** A surface of revolution about z. A row of the profile: radius, z, radius and z of the normal, end. */
  lathe(profile) {
    const first = this.ends.length;
    for (const [radius, z, across, along, end] of profile) {
      for (let k = 0; k <= ROUND; k++) {
        const x = Math.cos((2 * Math.PI * k) / ROUND),
          y = Math.sin((2 * Math.PI * k) / ROUND);
        this.vertex([radius * x, radius * y, z], [across * x, across * y, along], end);
      }
    }
    for (let row = 0; row + 1 < profile.length; row++) {
      for (let k = 0; k < ROUND; k++) {
        const a = first + row * (ROUND + 1) + k,
          b = a + ROUND + 1;
        this.faces.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
    return this;
  }

  done() {
    return {
      vertices: new Float32Array(this.points),
      normals: new Float32Array(this.normals),
      ends: new Float32Array(this.ends),
      faces: new Uint16Array(this.faces),
    };
  }
}

/** Profile of a half sphere, from the angle `from` to the angle `to` [rad] above the equator. */
function arc(from, to, end) {
  return Array.from({ length: RINGS + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / RINGS;
    return [Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle), end];
  });
}

const RIGHT_ANGLE = Math.PI / 2;
const sphere = () => new Builder().lathe([...arc(-RIGHT_ANGLE, 0, 0), ...arc(0, RIGHT_ANGLE, 0)]).done();
const capsule = () => new Builder().lathe([...arc(-RIGHT_ANGLE, 0, -1), ...arc(0, RIGHT_ANGLE, 1)]).done();
const cylinder = () =>
  new Builder()
    .lathe([
      [0, -1, 0, -1, 0],
      [1, -1, 0, -1, 0],
    ])
    .lathe([
      [1, -1, 1, 0, 0],
      [1, 1, 1, 0, 0],
    ])
    .lathe([
      [1, 1, 0, 1, 0],
      [0, 1, 0, 1, 0],
    ])
    .done();
/** From a disk at the origin to a tip at z = 1. */
const cone = () =>
  new Builder()
    .lathe([
      [0, 0, 0, -1, 0],
      [1, 0, 0, -1, 0],
    ])
    .lathe([
      [1, 0, 0.9, 0.44, 0],
      [0, 1, 0.9, 0.44, 0],
    ])
    .done();

function box() {
  const builder = new Builder();
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3;
      const corners = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ].map(([a, b]) => {
        const point = [0, 0, 0],
          normal = [0, 0, 0];
        point[axis] = normal[axis] = side;
        point[u] = a * side;
        point[v] = b;
        return builder.vertex(point, normal);
      });
      builder.faces.push(corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]);
    }
  }
  return builder.done();
}

function plane() {
  const builder = new Builder();
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => builder.vertex([x, y, 0], [0, 0, 1]));
  builder.faces.push(corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]);
  return builder.done();
}

/** The basic shapes by name. */
export const BASIC = { plane, sphere, capsule, cylinder, cone, box };
