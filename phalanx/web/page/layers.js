// Decor of a world that is simulated: what can be switched on beside geoms, computed from fields at every frame.
// The same shapes as those of phalanx/scene in Python.

import { LooseRows, axisOf, quatAlong, quatOf, three, turned } from "./loose_rows.js";
import { add, dot, length, scaled, subtract } from "./math.js";
import { tendonPath } from "./tendon_path.js";

/** Geoms that are not drawn once more for an actuator of their body. */
const MESHES = ["plane", "hfield", "mesh", "sdf"];
const BALL_SIZE = 0.3,
  ACTUATED_BALL_SIZE = 0.33,
  INFLATION = 1.05,
  VELOCITY_SCALE = 0.5;
const TINY = 1e-15;
const AXIS_COLORS = [
  [0.9, 0, 0, 1],
  [0, 0.9, 0, 1],
  [0, 0, 0.9, 1],
];

/** How firmly limits hold joints or tendons, 0 to 1. */
function limitImpedance(d, kind, count) {
  const found = new Float64Array(count);
  const { efc_type, efc_id, efc_KBIP } = d;
  for (let row = 0; row < efc_type.length; row++)
    if (efc_type[row] === kind) found[efc_id[row]] = efc_KBIP[4 * row + 2];
  return found;
}

const mixed = (part, color, other) => [...[0, 1, 2].map((k) => (1 - part) * color[k] + part * other[k]), color[3]];

/** Force of a contact on its second body, in the world. */
function contactForce(k, isElliptic, arrays) {
  const { frame, dim, friction, adhesion, address, force } = arrays;
  const row = address[k],
    n = dim[k];
  const own = [0, 0, 0];
  if (row < 0) return own;
  if (n === 1 || isElliptic) for (let i = 0; i < Math.min(n, 3); i++) own[i] = force[row + i];
  else
    for (let i = 0; i < n - 1; i++) {
      const [a, b] = [force[row + 2 * i], force[row + 2 * i + 1]];
      own[0] += a + b;
      if (i < 2) own[1 + i] = (a - b) * friction[5 * k + i];
    }
  own[0] -= adhesion[k];
  return [0, 1, 2].map((c) => own[0] * frame[9 * k + c] + own[1] * frame[9 * k + 3 + c] + own[2] * frame[9 * k + 6 + c]);
}

/** Where the axes of a joint are: an arrow, a box for free and a sphere for ball joints. */
function addJoint(rows, { model: m, data: d }, { enums }, joint, { radius, length: size, ball }, rgba) {
  const { FREE, BALL, SLIDE } = enums.JointType,
    body = m.jnt_bodyid[joint];
  const kind = m.jnt_type[joint],
    anchor = three(d.xanchor, joint);
  if (kind === FREE || kind === BALL) {
    const quat = quatOf(d.xmat, 9 * m.jnt_bodyid[joint]);
    rows.add(kind === FREE ? "box" : "sphere", anchor, quat, [ball, ball, ball], rgba, { body });
  } else rows.halfArrow(radius, anchor, scaled(three(d.xaxis, joint), size), rgba, { body }, kind === SLIDE ? 1.75 : 1);
}

/** Colors of actuators: from negative through zero to positive control within its range. */
function actuatorColor(m, d, { rgba }, k) {
  const control = m.actuator_ctrladr[k];
  let [low, high] = [-1, 1];
  if (m.actuator_ctrllimited[control])
    [low, high] = [m.actuator_ctrlrange[2 * control], m.actuator_ctrlrange[2 * control + 1]];
  const middle = low >= 0 ? low : high <= 0 ? high : 0;
  if (low >= 0) low = -1;
  else if (high <= 0) high = 1;
  [low, high] = [Math.min(low, middle - TINY), Math.max(high, middle + TINY)];
  const value = Math.min(Math.max(d.ctrl[control], low), high);
  const negative = value <= middle ? (middle - value) / Math.max(TINY, middle - low) : 0;
  const positive = value > middle ? (value - middle) / Math.max(TINY, high - middle) : 0;
  return [0, 1, 2, 3].map(
    (c) =>
      negative * rgba.actuatornegative[c] +
      (1 - negative - positive) * rgba.actuator[c] +
      positive * rgba.actuatorpositive[c],
  );
}

const isDisabled = (m, k) => {
  const group = m.actuator_group[k];
  return group >= 0 && group <= 30 && ((m["opt.disableactuator"] >> group) & 1) === 1;
};

export const LAYERS = {
  tendons(rows, { model: m, data: d, sizes }, style) {
    const impedance = limitImpedance(d, style.enums.ConstraintType.LIMIT_TENDON, sizes.ntendon);
    style.tendons.forEach(({ width, rgba, isPlain, isShown }, tendon) => {
      if (!isShown || !m.tendon_num[tendon]) return;
      const color = isPlain ? mixed(impedance[tendon], rgba, style.rgba.constraint) : rgba;
      for (const [start, end] of tendonPath(m, d, tendon, style)) rows.connect("capsule", width, start, end, color);
    });
  },

  slider_cranks(rows, { model: m, data: d, sizes }, { scale, rgba, enums }) {
    for (let k = 0; k < sizes.nactuator; k++) {
      if (m.actuator_trntype[k] !== enums.TrnType.SLIDERCRANK) continue;
      const [crank, slider] = [m.actuator_trnid[2 * k], m.actuator_trnid[2 * k + 1]];
      const rod = m.actuator_cranklength[k],
        axis = axisOf(d.site_xmat, slider),
        origin = three(d.site_xpos, slider),
        pin = three(d.site_xpos, crank);
      const offset = subtract(pin, origin),
        along = dot(offset, axis);
      // the end of the slider is where the rod, of given length, meets the axis
      const determinant = along * along + rod * rod - dot(offset, offset);
      const end = add(origin, scaled(axis, along - Math.sqrt(Math.max(determinant, 0))));
      rows.connect("cylinder", scale.slidercrank, origin, end, rgba.slidercrank);
      const color = determinant < 0 ? rgba.crankbroken : rgba.slidercrank;
      rows.connect("capsule", scale.slidercrank / 2, end, pin, color);
    }
  },

  contacts(rows, { data: d }, { scale, rgba }) {
    const { contact_pos: pos, contact_frame: frame, contact_dist: dist, contact_efc_address: address } = d;
    const { contact_surfacevel: velocity } = d;
    for (let k = 0; k < dist.length; k++) {
      const color = address[k] >= 0 ? rgba.contactpoint : rgba.contactgap;
      const size = [scale.contactwidth, Math.max(scale.contactheight, -0.5 * dist[k]), 0];
      rows.add("cylinder", three(pos, k), quatAlong(three(frame, 3 * k)), size, color);
      const [a, b] = [velocity[3 * k], velocity[3 * k + 1]];
      if (Math.hypot(a, b) < TINY) continue;
      const moved = add(scaled(three(frame, 3 * k + 1), a), scaled(three(frame, 3 * k + 2), b));
      for (const sign of [1, -1])
        rows.halfArrow(scale.forcewidth, three(pos, k), scaled(moved, sign * VELOCITY_SCALE), color);
    }
  },

  contact_forces(rows, { model: m, data: d }, { scale, rgba, enums, force: perNewton }) {
    const isElliptic = m["opt.cone"] === enums.Cone.ELLIPTIC;
    const arrays = {
      frame: d.contact_frame,
      dim: d.contact_dim,
      friction: d.contact_friction,
      adhesion: d.contact_adhesion,
      address: d.contact_efc_address,
      force: d.efc_force,
    };
    const { contact_pos: pos, contact_geom: geom } = d;
    for (let k = 0; k < arrays.dim.length; k++) {
      const force = contactForce(k, isElliptic, arrays);
      if (length(force) < TINY) continue;
      const bodies = [m.geom_bodyid[geom[2 * k]], m.geom_bodyid[geom[2 * k + 1]]];
      const vector = scaled(force, (bodies[0] > bodies[1] ? -1 : 1) * perNewton);
      rows.halfArrow(scale.forcewidth, three(pos, k), vector, rgba.contactforce);
      if (bodies[0] > 0 && bodies[1] > 0)
        rows.halfArrow(scale.forcewidth, three(pos, k), scaled(vector, -1), rgba.contactforce);
    }
  },

  joints(rows, world, style) {
    const { scale, rgba, enums } = style,
      { njnt } = world.sizes;
    const impedance = limitImpedance(world.data, enums.ConstraintType.LIMIT_JOINT, njnt);
    const look = { radius: scale.jointwidth, length: scale.jointlength, ball: BALL_SIZE * scale.jointlength };
    for (let joint = 0; joint < njnt; joint++) {
      if (style.hiddenJoints.includes(joint)) continue;
      const color = [...mixed(impedance[joint], rgba.joint, rgba.constraint).slice(0, 3), 1];
      addJoint(rows, world, style, joint, look, color);
    }
  },

  actuators(rows, world, style) {
    const { model: m, data: d, sizes } = world,
      { scale } = style;
    const { JOINT, JOINTINPARENT, SITE, BODY, TENDON } = style.enums.TrnType;
    const look = {
      radius: scale.actuatorwidth,
      length: scale.actuatorlength,
      ball: ACTUATED_BALL_SIZE * scale.jointlength,
    };
    for (let k = 0; k < sizes.nactuator; k++) {
      if (isDisabled(m, k) || style.hiddenActuators.includes(k)) continue;
      const kind = m.actuator_trntype[k],
        target = m.actuator_trnid[2 * k],
        color = actuatorColor(m, d, style, k);
      if (kind === JOINT || kind === JOINTINPARENT) {
        addJoint(rows, world, style, target, look, color);
      } else if (kind === SITE) {
        const size = scaled(three(m.site_size, target), INFLATION);
        const shape = style.geomTypes[m.site_type[target]];
        rows.add(shape, three(d.site_xpos, target), quatOf(d.site_xmat, 9 * target), size, color);
      } else if (kind === BODY) {
        const first = m.body_geomadr[target];
        for (let geom = first; geom < first + m.body_geomnum[target]; geom++) {
          const shape = style.geomTypes[m.geom_type[geom]];
          if (MESHES.includes(shape)) continue;
          const size = scaled(three(m.geom_size, geom), INFLATION);
          rows.add(shape, three(d.geom_xpos, geom), quatOf(d.geom_xmat, 9 * geom), size, color);
        }
      } else if (kind === TENDON) {
        const width = style.actuatortendon * style.tendons[target].width;
        for (const [start, end] of tendonPath(m, d, target, style, true))
          rows.connect("capsule", width, start, end, color);
      }
    }
  },

  constraints(rows, { model: m, data: d, sizes }, { scale, rgba, enums }) {
    const { CONNECT, WELD } = enums.EqType,
      width = m.eq_data.length / sizes.neq;
    for (let k = 0; k < sizes.neq; k++) {
      const kind = m.eq_type[k];
      if ((kind !== CONNECT && kind !== WELD) || !d.eq_active[k]) continue;
      const onSites = m.eq_objtype[k] === enums.ObjType.SITE;
      const [pos, mat] = onSites ? [d.site_xpos, d.site_xmat] : [d.xpos, d.xmat];
      // a connect constraint has the anchor in the first body first, a weld constraint that in the second
      const sides = [
        [m.eq_obj1id[k], kind === WELD ? 3 : 0, rgba.connect],
        [m.eq_obj2id[k], kind === WELD ? 0 : 3, rgba.constraint],
      ];
      for (const [owner, at, color] of sides) {
        const anchor = onSites ? [0, 0, 0] : [0, 1, 2].map((c) => m.eq_data[width * k + at + c]);
        const place = add(three(pos, owner), turned(mat, owner, anchor));
        rows.add("sphere", place, [1, 0, 0, 0], [scale.constraint, 0, 0], color);
      }
    }
  },

  inertias(rows, { model: m, data: d, sizes }, { rgba, ellipsoidinertia }) {
    for (let body = 1; body < sizes.nbody; body++) {
      const mass = m.body_mass[body],
        inertia = three(m.body_inertia, body);
      if (mass <= TINY) continue;
      const half = (inertia[0] + inertia[1] + inertia[2]) / 2;
      const size = inertia.map((i) => Math.sqrt((Math.max(half - i, 0) / mass) * (ellipsoidinertia ? 5 : 3)));
      const quat = quatOf(d.ximat, 9 * body);
      rows.add(ellipsoidinertia ? "ellipsoid" : "box", three(d.xipos, body), quat, size, rgba.inertia, { body });
    }
  },

  centers_of_mass(rows, { model: m, data: d, sizes }, { scale, rgba }) {
    for (let body = 1; body < sizes.nbody; body++)
      if (m.body_rootid[body] === body)
        rows.add("sphere", three(d.subtree_com, body), [1, 0, 0, 0], [scale.com, 0, 0], rgba.com, { body });
  },

  applied_forces(rows, { data: d, sizes }, { scale, rgba, force: perNewton }) {
    for (let body = 1; body < sizes.nbody; body++) {
      const force = three(d.xfrc_applied, 2 * body);
      if (length(force) > TINY)
        rows.halfArrow(scale.forcewidth, three(d.xipos, body), scaled(force, perNewton), rgba.force, { body });
    }
  },

  range_finders(rows, { model: m, data: d }, { line, rgba, rays }) {
    for (const { address, site } of rays) {
      const distance = d.sensordata[address];
      if (site < 0) {
        const [start, end] = [d.sensordata.subarray(address), d.sensordata.subarray(address + 3)];
        if ([0, 1, 2].some((k) => start[k] || end[k]))
          rows.connect("capsule", line, three(start, 0), three(end, 0), rgba.rangefinder);
      } else if (distance >= 0) {
        const origin = three(d.site_xpos, site);
        const end = add(origin, scaled(axisOf(d.site_xmat, site), distance));
        rows.connect("capsule", line, origin, end, rgba.rangefinder);
      }
    }
  },

  body_frames(rows, { data: d, sizes }, { scale }) {
    for (let body = 1; body < sizes.nbody; body++) {
      const origin = three(d.xpos, body);
      AXIS_COLORS.forEach((color, axis) => {
        const direction = [0, 1, 2].map((row) => d.xmat[9 * body + 3 * row + axis]);
        const end = add(origin, scaled(direction, scale.framelength));
        rows.connect("cylinder", scale.framewidth, origin, end, color, { body });
      });
    }
  },

  body_names(rows, { data: d, sizes }) {
    for (let body = 1; body < sizes.nbody; body++)
      rows.add("", three(d.xpos, body), [1, 0, 0, 0], [0, 0, 0], [1, 1, 1, 1], { body, label: body + 1 });
  },
};

/** The track of a layer at the present state. */
export function layerTrack(name, simulation, style, kinds) {
  const rows = new LooseRows(kinds);
  LAYERS[name](rows, simulation, style);
  return rows.track();
}
