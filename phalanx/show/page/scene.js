// What there is to see: meshes and textures of a model, its shapes on bodies, and loose instances such as contacts.
// Poses of bodies come from outside, from a recording or from a running simulation.

import { STRIDE } from "./draw_list.js";
import { POSE, multiplied, rotate } from "./math.js";
import { Flex } from "./flexes.js";
import { Skin } from "./skins.js";
import { BASIC } from "./surfaces.js";

/** Half the width of a plane without end, in extents of the model. */
const ENDLESS = 60;
/** Channels of loose instances. */
const KIND = 0,
  DATAID = 1,
  BODYID = 2,
  LABEL = 3,
  POS = 4,
  QUAT = 7,
  SIZE = 11,
  RGBA = 14;
const UNMAPPED = [1, 1, 0, 0];
const PLAIN = { specular: 0.3, shininess: 0.4, emission: 0, reflectance: 0 };

export class Scene {
  static async from(manifest, arrays, renderer) {
    const scene = new Scene(manifest, arrays, renderer);
    scene.textures = await Promise.all(manifest.textures.map((row) => loadTexture(row, renderer)));
    scene.shapes = manifest.shapes.map((row) => scene.#shape(row));
    return scene;
  }

  constructor(manifest, arrays, renderer) {
    this.manifest = manifest;
    this.extent = manifest.extent;
    this.basic = Object.fromEntries(Object.entries(BASIC).map(([name, make]) => [name, renderer.mesh(make())]));
    this.meshes = manifest.meshes.map((row) => renderer.mesh(readMesh(row, arrays)));
    this.makers = {
      skin: (mesh) => new Skin(manifest.skins[mesh], arrays, renderer),
      flex: (mesh) => new Flex(manifest.flexes[mesh], arrays, renderer),
    };
    this.following = new Map();
    this.looks = new Map();
    this.instance = new Float32Array(STRIDE);
  }

  /** How a mesh is drawn; shapes with equal looks are drawn together. */
  #look(mesh, { texture = null, mode = 0, map = UNMAPPED, reflectance = 0, isFloor = false, isDecor = false }) {
    const known = this.looks.get(mesh) ?? [];
    this.looks.set(mesh, known);
    const found = known.find(
      (look) =>
        look.texture === texture &&
        look.mode === mode &&
        look.isFloor === isFloor &&
        look.map.every((value, k) => value === map[k]) &&
        look.reflectance === reflectance &&
        look.isDecor === isDecor,
    );
    if (found) return found;
    const look = { mesh, texture, mode, map, reflectance, isFloor, isDecor };
    known.push(look);
    return look;
  }

  /** A shape that stays on its body, from its row of the manifest. */
  #shape(row) {
    const material = { ...PLAIN, ...(this.manifest.materials[row.material] ?? {}) };
    const texture = row.texture === null ? null : this.textures[row.texture];
    const isFloor = row.kind === "plane";
    const surface = { texture, mode: texture ? row.mode : 0, map: row.map, reflectance: material.reflectance, isFloor };
    const parts = this.#partsOf(row.kind, row.mesh, row.size);
    for (const part of parts) part.look = this.#look(part.mesh, surface);
    return { ...row, ...material, surface, parts };
  }

  /** The triangles of a skin or flex at poses of bodies; each world has its own. */
  #followingParts(shape, poses, world) {
    const key = `${world} ${shape.kind} ${shape.mesh}`;
    if (!this.following.has(key)) this.following.set(key, this.makers[shape.kind](shape.mesh));
    const { mesh } = this.following.get(key);
    this.following.get(key).update(poses);
    return [{ mesh, scale: [1, 1, 1], length: 0, up: 0, look: this.#look(mesh, shape.surface) }];
  }

  /** The meshes that make up a shape: each with its scale, length, and height above the origin of the shape. */
  #partsOf(kind, mesh, size) {
    const [a, b, c] = size;
    const endless = ENDLESS * this.extent;
    switch (kind) {
      case "plane":
        return [{ mesh: this.basic.plane, scale: [a || endless, b || endless, 1], length: 0, up: 0 }];
      case "sphere":
        return [{ mesh: this.basic.sphere, scale: [a, a, a], length: 0, up: 0 }];
      case "capsule":
        return [{ mesh: this.basic.capsule, scale: [a, a, a], length: b, up: 0 }];
      case "ellipsoid":
        return [{ mesh: this.basic.sphere, scale: [a, b, c], length: 0, up: 0 }];
      case "cylinder":
        return [{ mesh: this.basic.cylinder, scale: [a, a, b], length: 0, up: 0 }];
      case "box":
        return [{ mesh: this.basic.box, scale: [a, b, c], length: 0, up: 0 }];
      case "arrow":
        return this.#arrow(a, b, c);
      case "mesh":
        return this.meshes[mesh] ? [{ mesh: this.meshes[mesh], scale: [1, 1, 1], length: 0, up: 0 }] : [];
      default:
        return [];
    }
  }

  #arrow(shaft, head, length) {
    const tip = length / 3,
      straight = (length - tip) / 2;
    return [
      { mesh: this.basic.cylinder, scale: [shaft, shaft, straight], length: 0, up: straight },
      { mesh: this.basic.cone, scale: [head, head, tip], length: 0, up: length - tip },
    ];
  }

  /** Add the shapes of a world to a list; poses has POSE numbers for each body. Planes are wider by a margin. */
  addShapes(
    list,
    poses,
    { offset = [0, 0, 0], firstId = 0, selected = -1, opacity = 1, margin = 0, isShown = () => true } = {},
  ) {
    const out = this.instance;
    for (const shape of this.shapes) {
      if (!isShown(shape)) continue;
      const at = POSE * shape.body;
      const turn = poses.subarray(at + 3, at + 7);
      const quat = multiplied(turn, shape.quat);
      const pos = rotate(turn, shape.pos);
      for (let k = 0; k < 3; k++) pos[k] += poses[at + k] + offset[k];
      out.set(shape.rgba, 12);
      if (!shape.isFixed) out[15] *= opacity;
      out[16] = shape.specular;
      out[17] = shape.shininess;
      out[18] = shape.emission;
      out[19] = shape.body && shape.body === selected ? 1 : 0;
      let { parts } = shape;
      if (shape.kind in this.makers) parts = this.#followingParts(shape, poses, firstId);
      else if (margin && shape.kind === "plane") parts = parts.map((part) => widened(part, margin));
      this.#addParts(list, parts, pos, quat, firstId + shape.body + 1);
    }
  }

  #addParts(list, parts, pos, quat, id) {
    const out = this.instance;
    for (const { mesh, look, scale, length, up } of parts) {
      const moved = up ? rotate(quat, [0, 0, up]) : [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        out[k] = pos[k] + moved[k];
        out[8 + k] = scale[k];
      }
      out[3] = length;
      out.set(quat, 4);
      out[11] = id;
      list.add(look ?? this.#look(mesh, { isDecor: true }), out);
    }
  }

  /** Add rows of a track of loose instances to a list; `between` blends with the frame after. Returns its labels. */
  addLoose(list, track, frame, between, { offset = [0, 0, 0], firstId = 0, isSolid = false } = {}) {
    const labels = [];
    const { values, starts, channels } = track;
    const count = starts[frame + 1] - starts[frame];
    const canBlend = frame + 2 < starts.length && starts[frame + 2] - starts[frame + 1] === count;
    for (let rank = 0; rank < count; rank++) {
      const row = values.subarray((starts[frame] + rank) * channels, (starts[frame] + rank + 1) * channels);
      const next = canBlend ? values.subarray((starts[frame + 1] + rank) * channels) : row;
      const mixed = this.#blended(row, next, between);
      const pos = [0, 1, 2].map((k) => mixed[POS + k] + offset[k]);
      const kind = this.manifest.kinds[row[KIND]];
      if (row[LABEL] > 0) labels.push({ text: this.manifest.labels[row[LABEL] - 1], pos });
      this.instance.set(mixed.subarray(RGBA, RGBA + 4), 12);
      this.instance.set(isSolid ? [0.3, 0.4, 0, 0] : [0, 0, 0, 2], 16);
      const quat = mixed.subarray(QUAT, QUAT + 4);
      const parts = this.#partsOf(kind, row[DATAID], mixed.subarray(SIZE, SIZE + 3));
      if (isSolid) for (const part of parts) part.look = this.#look(part.mesh, {});
      this.#addParts(list, parts, pos, quat, firstId + row[BODYID] + 1);
    }
    return labels;
  }

  /** A row between two frames, if it is the same object in both: of one kind, and not far away. */
  #blended(row, next, between) {
    const distance = Math.hypot(next[POS] - row[POS], next[POS + 1] - row[POS + 1], next[POS + 2] - row[POS + 2]);
    const isSame = next[KIND] === row[KIND] && next[BODYID] === row[BODYID] && distance < 0.1 * this.extent;
    if (!isSame || between === 0 || row === next) return row;
    const mixed = Float32Array.from(row);
    for (let k = POS; k < RGBA; k++) mixed[k] += between * (next[k] - row[k]);
    blendQuaternion(row.subarray(QUAT), next.subarray(QUAT), between, mixed.subarray(QUAT, QUAT + 4));
    return mixed;
  }
}

const widened = (part, margin) => ({ ...part, scale: [part.scale[0] + margin, part.scale[1] + margin, 1] });

/** The orientation between two: along the shorter way, of length 1. */
export function blendQuaternion(a, b, between, out) {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  let norm = 0;
  for (let k = 0; k < 4; k++) {
    out[k] = (1 - between) * a[k] + sign * between * b[k];
    norm += out[k] * out[k];
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 0; k < 4; k++) out[k] /= norm;
}

/** Triangles whose points and normals are stored in small integers. */
function readMesh(row, arrays) {
  const points = arrays.plain(row.vertices),
    directions = arrays.plain(row.normals);
  const vertices = new Float32Array(points.length);
  for (let k = 0; k < points.length; k++) vertices[k] = row.low[k % 3] + points[k] * row.step[k % 3];
  const normals = Float32Array.from(directions, (value) => value / 127);
  const texcoords = row.texcoords ? arrays.plain(row.texcoords) : null;
  return { vertices, normals, texcoords, faces: arrays.plain(row.faces) };
}

async function loadTexture({ picture, isCube }, renderer) {
  const image = new Image();
  image.src = picture;
  await image.decode();
  if (!isCube) return renderer.texture(image);
  const side = image.width;
  return renderer.cube(
    await Promise.all([0, 1, 2, 3, 4, 5].map((k) => createImageBitmap(image, 0, k * side, side, side))),
  );
}
