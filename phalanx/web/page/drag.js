// A body that the user drags: a critically damped spring pulls a point of it to the mouse, as in phalanx/scene/perturb.py.

import { three, turned } from "./loose_rows.js";
import { add, cross, dot, length, multiplied, normalized, rotate, scaled, subtract } from "./math.js";

const TINY = 1e-15;
/** Place, by the index of the first number of a matrix, of a vector in its frame. */
const local = (mats, k, v) =>
  [0, 1, 2].map((column) => dot([mats[9 * k + column], mats[9 * k + 3 + column], mats[9 * k + 6 + column]], v));
const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];
const four = (array, k) => [...array.subarray(4 * k, 4 * k + 4)];

export class Drag {
  /** Take hold of a body at a point of the world. */
  constructor(simulation, body, point, style) {
    Object.assign(this, { simulation, body, style, target: point });
    const { data: d } = simulation;
    this.local = local(d.xmat, body, subtract(point, three(d.xpos, body)));
    this.first = { point, pos: three(d.xpos, body) };
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

  /** Pull: before each step. */
  apply() {
    const { simulation, body, style } = this;
    const { model: m, data: d } = simulation;
    const spin = three(d.cvel, 2 * body),
      center = three(d.xipos, body);
    const toCenter = subtract(center, three(d.subtree_com, m.body_rootid[body]));
    const velocity = add(three(d.cvel, 2 * body + 1), cross(spin, toCenter));
    const point = this.point,
      offset = subtract(point, this.target),
      arm = subtract(point, center);
    const moving = add(cross(spin, arm), velocity);
    const force = [0, 1, 2].map(
      (k) => -style.stiffness * this.mass * offset[k] - Math.sqrt(style.stiffness) * this.mass * moving[k],
    );
    // damp rotation about the line along which the spring pulls
    const invweight = m.body_invweight0[2 * body + 1];
    const inertia = invweight ? 1 / Math.max(TINY, invweight) : 1;
    const line = length(offset) >= TINY ? normalized(offset) : [1, 0, 0];
    const damping = Math.sqrt(style.stiffnessrot) * inertia * dot(line, spin);
    d.xfrc_applied.set([...force, ...subtract(cross(arm, force), scaled(line, damping))], 6 * body);
  }

  /** Place the body, as far as it can be placed: a mocap body always, one with a free joint in a paused world. */
  place(isPaused) {
    const { simulation, body, style } = this;
    const { model: m, data: d } = simulation;
    const pos = add(this.first.pos, subtract(this.target, this.first.point));
    const mocap = m.body_mocapid[body];
    if (mocap >= 0) {
      d.mocap_pos.set(pos, 3 * mocap);
      return true;
    }
    const isFree = (k) => m.body_jntnum[k] === 1 && m.jnt_type[m.body_jntadr[k]] === style.enums.JointType.FREE;
    const root = isFree(body) ? body : m.body_rootid[body];
    if (!isPaused || !isFree(root)) return false;
    const at = m.jnt_qposadr[m.body_jntadr[root]];
    if (root === body) {
      d.qpos.set(pos, at);
      return true;
    }
    // the whole tree goes along
    const quat = four(d.xquat, body);
    const back = conjugate(quat);
    const offset = rotate(back, subtract(three(d.qpos.subarray(at), 0), three(d.xpos, body)));
    const turn = multiplied(back, [...d.qpos.subarray(at + 3, at + 7)]);
    d.qpos.set([...add(pos, rotate(quat, offset)), ...multiplied(quat, turn)], at);
    return true;
  }

  /** Let go. */
  release() {
    this.simulation.data.xfrc_applied.fill(0, 6 * this.body, 6 * this.body + 6);
  }
}
