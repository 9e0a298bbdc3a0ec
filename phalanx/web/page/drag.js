// A body that the user drags: a critically damped spring pulls a point of it to the mouse, or rotates it with the mouse, as
// in phalanx/scene/perturb.py.

import { three, turned } from "./loose_rows.js";
import { add, cross, dot, length, multiplied, normalized, rotate, scaled, subtract } from "./math.js";

const TINY = 1e-15;
/** Place, by the index of the first number of a matrix, of a vector in its frame. */
const local = (mats, k, v) =>
  [0, 1, 2].map((column) => dot([mats[9 * k + column], mats[9 * k + 3 + column], mats[9 * k + 6 + column]], v));
const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];
const four = (array, k) => [...array.subarray(4 * k, 4 * k + 4)];
const unit = (q) => {
  const size = Math.hypot(...q);
  return q.map((x) => x / size);
};
/** The pose `inner`, which is given in the frame `outer`, in the frame that `outer` is given in. */
const chained = (outer, inner) => ({
  pos: add(outer.pos, rotate(outer.quat, inner.pos)),
  quat: unit(multiplied(outer.quat, inner.quat)),
});
/** The frame that a pose is given in, in the frame of the pose. */
const inverse = ({ pos, quat }) => ({ pos: scaled(rotate(conjugate(quat), pos), -1), quat: conjugate(quat) });
/** Corners of a box in units of its half sizes; its edges, by the numbers of their corners. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [1, 2, 4].map((bit) => (k & bit ? 1 : -1)));
const EDGES = [1, 2, 4].flatMap((bit) => [0, 1, 2, 3, 4, 5, 6, 7].filter((k) => !(k & bit)).map((k) => [k, k | bit]));

export class Drag {
  /** Take hold of a body at a point of the world. Nothing happens until `target` or `orientation` is given. */
  constructor(simulation, body, point, style) {
    Object.assign(this, { simulation, body, style, target: null, orientation: null });
    const { data: d } = simulation;
    this.local = local(d.xmat, body, subtract(point, three(d.xpos, body)));
    this.first = { point, center: three(d.xipos, body), quat: four(d.xquat, body) };
    this.mass = this.#feltMass(point);
  }

  /** The point of the body that is pulled, in the world. */
  get point() {
    const { data: d } = this.simulation;
    return add(three(d.xpos, this.body), turned(d.xmat, this.body, this.local));
  }

  /** Mass that is felt at a point, averaged over directions: 3 / trace(J M^-1 J'); 1 if nothing moves. */
  #feltMass(point) {
    const { simulation } = this;
    const nv = simulation.sizes.nv;
    simulation.field("jac_point").set(point);
    simulation.run("jac", this.body);
    const jacobian = simulation.field("jacp").slice();
    let inverse = 0;
    for (let row = 0; row < 3; row++) {
      const vector = simulation.field("vector_in");
      for (let dof = 0; dof < nv; dof++) vector[dof] = jacobian[3 * dof + row];
      simulation.run("solve_m");
      const solved = simulation.field("vector_out");
      for (let dof = 0; dof < nv; dof++) inverse += jacobian[3 * dof + row] * solved[dof];
    }
    return inverse > 0 ? 3 / Math.max(inverse, TINY) : 1;
  }

  /** Rotate the body about its center, as a ball under the mouse, which has moved from the point to another; `toward` is
   *  the direction to the eye. */
  turn(place, toward) {
    const { point, center, quat } = this.first;
    const radius = Math.max(length(subtract(point, center)), this.style.meansize);
    const vector = scaled(cross(toward, subtract(place, point)), 1 / radius);
    const angle = length(vector);
    const by = [Math.cos(angle / 2), ...scaled(vector, angle > 0 ? Math.sin(angle / 2) / angle : 0)];
    this.orientation = multiplied(by, quat);
  }

  /** Pull or rotate: before each step. */
  apply() {
    const { simulation, body, style } = this;
    const { model: m, data: d } = simulation;
    const spin = three(d.cvel, 2 * body),
      center = three(d.xipos, body);
    const invweight = m.body_invweight0[2 * body + 1];
    const inertia = invweight ? 1 / Math.max(TINY, invweight) : 1;
    const damping = Math.sqrt(style.stiffnessrot) * inertia;
    let force = [0, 0, 0],
      torque = [0, 0, 0];
    if (this.target) {
      const toCenter = subtract(center, three(d.subtree_com, m.body_rootid[body]));
      const velocity = add(three(d.cvel, 2 * body + 1), cross(spin, toCenter));
      const point = this.point,
        offset = subtract(point, this.target),
        arm = subtract(point, center);
      const moving = add(cross(spin, arm), velocity);
      force = [0, 1, 2].map(
        (k) => -style.stiffness * this.mass * offset[k] - Math.sqrt(style.stiffness) * this.mass * moving[k],
      );
      // damp rotation about the line along which the spring pulls
      const line = length(offset) >= TINY ? normalized(offset) : [1, 0, 0];
      torque = subtract(cross(arm, force), scaled(line, damping * dot(line, spin)));
    }
    if (this.orientation) {
      const between = multiplied(this.orientation, conjugate(four(d.xquat, body)));
      const wanted = scaled(rotationVector(between), style.stiffnessrot * inertia);
      torque = add(torque, subtract(wanted, scaled(spin, damping)));
    }
    d.xfrc_applied.set([...force, ...torque], 6 * body);
  }

  /** The pose that the body is to have: its center moves as the target has, its orientation is the one wanted. */
  get #pose() {
    const { model: m } = this.simulation,
      { point, center, quat } = this.first;
    const inertial = { pos: three(m.body_ipos, this.body), quat: four(m.body_iquat, this.body) };
    const shift = this.target ? subtract(this.target, point) : [0, 0, 0];
    const wanted = { pos: add(center, shift), quat: multiplied(this.orientation ?? quat, inertial.quat) };
    return chained(wanted, inverse(inertial));
  }

  /** Place the body, as far as it can be placed: a mocap body always, one with a free joint in a paused world. */
  place(isPaused) {
    const { simulation, body, style } = this;
    const { model: m, data: d } = simulation;
    if (!this.target && !this.orientation) return false;
    let pose = this.#pose;
    const mocap = m.body_mocapid[body];
    if (mocap >= 0) {
      d.mocap_pos.set(pose.pos, 3 * mocap);
      d.mocap_quat.set(pose.quat, 4 * mocap);
      return true;
    }
    const isFree = (k) => m.body_jntnum[k] === 1 && m.jnt_type[m.body_jntadr[k]] === style.enums.JointType.FREE;
    const root = isFree(body) ? body : m.body_rootid[body];
    if (!isPaused || !isFree(root)) return false;
    const at = m.jnt_qposadr[m.body_jntadr[root]];
    if (root !== body) {
      // the whole tree goes along
      const old = { pos: [...d.qpos.subarray(at, at + 3)], quat: [...d.qpos.subarray(at + 3, at + 7)] };
      pose = chained(pose, chained(inverse({ pos: three(d.xpos, body), quat: four(d.xquat, body) }), old));
    }
    d.qpos.set([...pose.pos, ...pose.quat], at);
    return true;
  }

  /** The spring with a ball at its far end; a box of lines where the body is rotated to. */
  addDecor(rows) {
    const { style, body, target } = this;
    const { model: m, data: d } = this.simulation;
    if (target) {
      const radius = style.scale.constraint;
      rows.connect("capsule", radius, this.point, target, style.rgba.constraint);
      rows.add("sphere", target, [1, 0, 0, 0], [2 * radius, 0, 0], style.rgba.constraint);
    }
    if (this.orientation) {
      const has = m.body_bvhnum[body] > 0,
        box = 2 * m.body_bvhadr[body];
      const middle = has ? three(m.bvh_aabb, box) : [0, 0, 0],
        half = has ? three(m.bvh_aabb, box + 1) : [0, 1, 2].map(() => style.meansize);
      const center = add(three(d.xipos, body), turned(d.ximat, body, middle)),
        quat = multiplied(this.orientation, four(m.body_iquat, body));
      const corners = CORNERS.map((at) => add(center, rotate(quat, [0, 1, 2].map((k) => at[k] * half[k]))));
      for (const [start, end] of EDGES)
        rows.connect("capsule", style.line, corners[start], corners[end], style.rgba.inertia);
    }
  }

  /** Let go. */
  release() {
    this.simulation.data.xfrc_applied.fill(0, 6 * this.body, 6 * this.body + 6);
  }
}

/** The logarithm of a quaternion: axis times angle, the shorter way. */
function rotationVector([w, x, y, z]) {
  const sine = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(sine, w);
  const least = angle > Math.PI ? angle - 2 * Math.PI : angle;
  return sine < TINY ? [least, 0, 0] : scaled([x, y, z], least / sine);
}
