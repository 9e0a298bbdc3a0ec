// The page of a simulation: the world runs here, in real time; bodies can be dragged, controls be set.

import { App, fail } from "./app.js";
import { Controls } from "./controls.js";
import { element } from "./dom.js";
import { Drag } from "./drag.js";
import { LiveWorld } from "./live_world.js";
import { LooseRows } from "./loose_rows.js";
import { product } from "./math.js";
import { Renderer } from "./renderer.js";
import { RunBar } from "./run_bar.js";
import { Scene } from "./scene.js";
import { Simulation } from "./simulation.js";
import { Arrays, inflated } from "./unpack.js";

class LiveApp extends App {
  constructor(manifest, simulation, renderer, scene) {
    const world = new LiveWorld(manifest, simulation);
    super(manifest, world, renderer, scene, (app) => app.makeBar(simulation));
    this.notice = element("div", { class: "notice glass", role: "status", hidden: true });
    document.body.append(this.notice);
  }

  makeBar(simulation) {
    this.simulation = simulation;
    return new RunBar(simulation, {
      keyframes: this.manifest.keyframes,
      onStep: (count) => this.#step(count),
      onRestart: (key) => this.restart(key),
      onChange: () => this.change(),
    });
  }

  /** Sections of the panel that only a simulation has. */
  sections() {
    const { manifest } = this;
    this.controls = new Controls(manifest.actuators, this.simulation, {
      hasController: manifest.hasController,
      hasPlots: manifest.plots.length > 0,
      onChange: () => this.change(),
    });
    return manifest.actuators.length ? [this.controls.node] : [];
  }

  /** Run steps; false if the world has stopped. */
  #step(count) {
    try {
      if (!this.drag) this.simulation.step(count);
      else
        for (let k = 0; k < count; k++) {
          if (!this.drag.place(false)) this.drag.apply();
          this.simulation.step(1);
        }
    } catch (error) {
      this.say(`${error.message}. The state is the last good one.`);
      this.transport.toggle(false);
      return false;
    }
    this.recording.remember();
    return true;
  }

  /** Words about what happened, until something else happens. */
  say(words) {
    this.notice.hidden = !words;
    this.notice.textContent = words;
  }

  restart(key = null) {
    const { simulation } = this;
    if (key === null) simulation.restart();
    else simulation.reset(key);
    simulation.run("fwd_position");
    this.recording.forget();
    this.say("");
    this.change();
  }

  draw() {
    super.draw();
    this.controls.show();
  }

  // --- dragging

  /** Take hold of what is under the mouse, if it can move; with Ctrl (or Cmd) to rotate it. */
  grab(event) {
    const place = this.placeOf(event),
      camera = this.matrices();
    const id = this.renderer.pick(this.list, camera, ...place);
    const body = (id - 1) % this.manifest.bodies.length;
    if (!id || !this.options.drag || !this.manifest.bodies[body].isMoving) return null;
    const inverse = inverted(product(camera.projection, camera.view));
    const depth = this.renderer.depth(this.list, camera, ...place);
    const point = through(inverse, [...place, depth]);
    const drag = (this.drag = new Drag(this.simulation, body, point, this.manifest.style));
    const isRotating = event.ctrlKey || event.metaKey,
      toward = [2, 6, 10].map((k) => camera.view[k]);
    const pull = (at) => {
      if (isRotating) drag.turn(at, toward);
      else drag.target = at;
    };
    pull(point);
    return {
      move: (moved) => {
        // the mouse moves in a plane across the view
        pull(through(inverse, [...this.placeOf(moved), depth]));
        if (!this.transport.isPlaying && drag.place(true)) this.simulation.run("fwd_position");
        this.change();
      },
      end: () => {
        drag.release();
        this.drag = null;
        this.change();
      },
    };
  }

  /** What is shown of a body that is dragged. */
  decor() {
    const rows = new LooseRows(this.manifest.kinds);
    this.drag?.addDecor(rows);
    return rows.track();
  }
}

/** A point of the picture with its depth, in the world. */
function through(inverse, [x, y, z]) {
  const at = [0, 1, 2, 3].map((row) => inverse[row] * x + inverse[4 + row] * y + inverse[8 + row] * z + inverse[12 + row]);
  return at.slice(0, 3).map((value) => value / at[3]);
}

/** The inverse of a 4 x 4 matrix, by elimination. */
function inverted(matrix) {
  const rows = [0, 1, 2, 3].map((row) => [
    ...[0, 1, 2, 3].map((column) => matrix[4 * column + row]),
    ...[0, 1, 2, 3].map((column) => (row === column ? 1 : 0)),
  ]);
  for (let k = 0; k < 4; k++) {
    const best = rows.slice(k).reduce((most, row) => (Math.abs(row[k]) > Math.abs(most[k]) ? row : most));
    const at = rows.indexOf(best);
    [rows[k], rows[at]] = [rows[at], rows[k]];
    rows[k] = rows[k].map((value) => value / best[k]);
    for (let other = 0; other < 4; other++)
      if (other !== k) rows[other] = rows[other].map((value, c) => value - rows[other][k] * rows[k][c]);
  }
  return [0, 1, 2, 3].flatMap((column) => [0, 1, 2, 3].map((row) => rows[row][4 + column]));
}

async function open() {
  const manifest = JSON.parse(document.getElementById("manifest").textContent);
  const arrays = await Arrays.from(document.getElementById("arrays").textContent.trim());
  const [module, image] = await Promise.all([inflated(manifest.module), inflated(manifest.image)]);
  const simulation = await Simulation.create(module, new Uint8Array(image));
  simulation.run("fwd_position");
  const renderer = new Renderer(document.getElementById("view"));
  const scene = await Scene.from(manifest, arrays, renderer);
  const app = new LiveApp(manifest, simulation, renderer, scene);
  app.start();
  for (const name of manifest.plots) app.panel.plots.add(name);
  // for pages around this one, and for the console: phalanx.simulation.data.qpos, phalanx.pause()
  window.phalanx = {
    simulation,
    run: () => app.transport.toggle(true),
    pause: () => app.transport.toggle(false),
    restart: (key = null) => app.restart(key),
    change: () => app.change(),
    get isRunning() {
      return app.transport.isPlaying;
    },
    get fastest() {
      return app.transport.fastest;
    },
    get drag() {
      return app.drag ?? null;
    },
    select: (body) => app.select({ body, world: 0 }),
    /** The body at a point of the picture, each coordinate from -1 to 1; 0 for none. */
    bodyAt: (x, y) => Math.max(app.renderer.pick(app.list, app.matrices(), x, y) - 1, 0),
  };
  document.body.dataset.ready = "true";
  if (manifest.autoplay && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) app.transport.toggle(true);
}

open().catch((error) => fail(`The simulation cannot be shown: ${error.message}`));
