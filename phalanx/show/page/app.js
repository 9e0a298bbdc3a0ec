// The page around a world, recorded or simulated: scene, camera and controls together, drawn when something has changed.
// A replay and a simulation differ in what they give for `recording` (where bodies are) and for `transport` (time).

import { OrbitCamera, attachPointer, modelCamera } from "./camera.js";
import { element, icon } from "./dom.js";
import { DrawList } from "./draw_list.js";
import { drawLabels } from "./labels.js";
import { POSE, add, rotate } from "./math.js";
import { Panel } from "./panel.js";
import { THEMES } from "./themes.js";

const LONGEST_PAUSE = 0.5; // s: pictures may take long to draw; a machine that slept does not make time jump ahead

export class App {
  constructor(manifest, recording, renderer, scene, makeTransport) {
    Object.assign(this, { manifest, recording, renderer, scene });
    this.list = new DrawList();
    this.camera = new OrbitCamera(manifest.camera, manifest.extent);
    this.cameraChoice = manifest.follow > 0 ? `body:${manifest.follow}` : "free";
    this.selected = null;
    this.layers = new Set(manifest.layers.filter((row) => row.on).map((row) => row.name));
    this.hiddenGroups = new Set();
    this.options = { ...manifest.options };
    this.layout = manifest.layout;
    this.isDirty = true;
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.change());
    this.transport = makeTransport(this);
    this.panel = new Panel(this);
    this.#build();
    recording.seek(recording.start);
    this.resetCamera();
  }

  #build() {
    const { manifest, transport, panel } = this;
    this.labelCanvas = element("canvas", { class: "labels" });
    const toggleButton = element(
      "button",
      { class: "flat", title: "Controls (c)", "aria-label": "controls", click: () => panel.toggle() },
      icon("panel"),
    );
    transport.node.append(toggleButton);
    const facts = [`${manifest.bodies.length - 1} bodies`, ...this.recording.facts];
    const title = element(
      "header",
      { class: "title" },
      element("h1", {}, manifest.title),
      element("p", {}, facts.join(" · ")),
    );
    document.body.append(this.labelCanvas, title, panel.node, transport.node);
    const canvas = this.renderer.canvas;
    attachPointer(canvas, this.camera, {
      onMove: () => this.#moved(),
      onTap: (event) => this.#tap(event),
      onFocus: () => this.#focus(),
      onGrab: (event) => this.grab?.(event) ?? null,
    });
    window.addEventListener("resize", () => this.change());
    window.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("webglcontextlost", () =>
      fail("The page cannot be shown: the graphics card was lost; load it again"),
    );
  }

  change() {
    this.isDirty = true;
  }

  /** A movement of the mouse leaves the camera of the model. */
  #moved() {
    if (this.cameraChoice.startsWith("model:")) this.setCamera("free");
    this.change();
  }

  setCamera(choice) {
    this.cameraChoice = choice;
    this.camera.anchorAt(this.#anchor());
    this.panel.showCamera(choice);
    this.change();
  }

  resetCamera() {
    if (this.cameraChoice.startsWith("model:")) this.setCamera("free");
    this.camera.reset(this.#anchor(true), this.spread);
    this.change();
  }

  #key(event) {
    if (event.target.matches("input[type=search], select") || event.metaKey || event.altKey || event.ctrlKey) return;
    const actions = {
      ...this.transport.keys,
      c: () => this.panel.toggle(),
      f: () => this.#focus(),
      0: () => this.resetCamera(),
    };
    if (event.target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
    if (actions[event.key]) actions[event.key]();
    else if (this.camera.key(event.key)) this.#moved();
    else return;
    event.preventDefault();
  }

  /** Where an event is in the picture, each coordinate from -1 to 1. */
  placeOf(event) {
    const box = this.renderer.canvas.getBoundingClientRect();
    return [(2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height];
  }

  #tap(event) {
    const id = this.renderer.pick(this.list, this.matrices(), ...this.placeOf(event));
    this.select(
      id
        ? { world: Math.floor((id - 1) / this.manifest.bodies.length), body: (id - 1) % this.manifest.bodies.length }
        : null,
    );
  }

  select(selected) {
    this.selected = selected && selected.body ? selected : null;
    if (this.selected) this.panel.plots.setWorld(this.selected.world);
    this.panel.showBody();
    this.change();
  }

  /** Look at the selected body, and follow it. */
  #focus() {
    if (!this.selected) return;
    this.setCamera(`body:${this.selected.body}`);
    this.camera.lookat = [0, 0, 0];
  }

  // --- drawing

  /** Where a world stands: all in one place, or in a grid. */
  offsetOf(world) {
    const count = this.recording.worlds.length;
    if (count === 1 || this.layout === "overlay") return [0, 0, 0];
    const columns = Math.ceil(Math.sqrt(count)),
      rows = Math.ceil(count / columns);
    return [(world % columns) - (columns - 1) / 2, (rows - 1) / 2 - Math.floor(world / columns), 0].map(
      (x) => x * this.manifest.spacing,
    );
  }

  matrices() {
    const aspect = this.renderer.canvas.width / this.renderer.canvas.height;
    const [kind, key] = this.cameraChoice.split(":");
    const world = this.recording.worlds[this.selected?.world ?? 0];
    if (kind === "model") {
      const { values, channels } = world.cameras,
        count = this.manifest.cameras.length;
      const row = values.subarray((this.recording.frame * count + Number(key)) * channels);
      const quat = row.subarray(3, 7);
      const axes = { x: rotate(quat, [1, 0, 0]), y: rotate(quat, [0, 1, 0]), z: rotate(quat, [0, 0, 1]) };
      const offset = this.offsetOf(this.selected?.world ?? 0);
      return modelCamera(
        [0, 1, 2].map((k) => row[k] + offset[k]),
        axes,
        this.manifest.cameras[Number(key)],
        aspect,
      );
    }
    this.camera.anchor = this.#anchor();
    return this.camera.matrices(aspect, this.panel.covered(this.transport.node));
  }

  /** The body that is followed, now or in the first frame; the origin if none is. */
  #anchor(isStart = false) {
    const [kind, key] = this.cameraChoice.split(":");
    if (kind !== "body") return [0, 0, 0];
    const index = this.selected?.world ?? 0,
      world = this.recording.worlds[index];
    const poses = isStart ? world.poses.values : world.now;
    return add(this.offsetOf(index), poses.subarray(POSE * Number(key)));
  }

  /** How wide the grid of worlds is [m]. */
  get spread() {
    const count = this.recording.worlds.length;
    return count > 1 && this.layout === "grid" ? this.manifest.spacing * Math.ceil(Math.sqrt(count)) : 0;
  }

  isShown = (shape) => !this.hiddenGroups.has(shape.group);

  #gather() {
    const { list, recording, scene } = this;
    const isGhost = recording.worlds.length > 1 && this.layout === "overlay";
    let labels = [];
    list.begin();
    recording.worlds.forEach((world, k) => {
      const offset = this.offsetOf(k),
        firstId = k * this.manifest.bodies.length;
      const selected = this.selected?.world === k ? this.selected.body : -1;
      // floors are shared; in one place, so is all that does not move
      const isShared = (shape) => shape.isFixed && (isGhost || shape.kind === "plane");
      scene.addShapes(list, world.now, {
        offset,
        firstId,
        selected,
        isShown: (shape) => !isShared(shape) && this.isShown(shape),
        opacity: isGhost && k !== (this.selected?.world ?? 0) ? 0.35 : 1,
      });
      if (k === 0)
        scene.addShapes(list, world.now, {
          firstId,
          isShown: (shape) => isShared(shape) && this.isShown(shape),
          margin: this.spread / 2,
        });
      for (const row of this.manifest.layers) {
        if (!this.layers.has(row.name) || !world.layers[row.name]) continue;
        labels = labels.concat(
          scene.addLoose(list, world.layers[row.name], recording.frame, recording.between, {
            offset,
            firstId,
            isSolid: row.isSolid,
          }),
        );
      }
      if (this.decor) scene.addLoose(list, this.decor(), 0, 0, { offset, firstId });
      if (recording.worlds.length > 1 && !isGhost) labels.push({ text: world.name, pos: [offset[0], offset[1], 0] });
    });
    return labels;
  }

  draw() {
    const { renderer, manifest } = this;
    fit(renderer.canvas);
    this.recording.seek(this.transport.time);
    const labels = this.#gather();
    const camera = this.matrices();
    const colors = THEMES[this.dark.matches ? "dark" : "light"];
    const radius = Math.min(
      Math.max(0.9 * this.camera.distance, 0.4 * manifest.extent),
      3 * manifest.extent + this.spread,
    );
    renderer.draw(this.list, camera, {
      light: manifest.light,
      focus: this.camera.target,
      radius,
      colors,
      fog: this.options.fog ? 12 * manifest.extent + 2 * this.spread + this.camera.distance : 1e6 * manifest.extent,
      shadows: this.options.shadows,
      reflections: this.options.reflections,
    });
    drawLabels(this.labelCanvas, this.options.labels ? labels : [], camera);
    this.panel.plots.draw(this.transport.time);
    this.panel.showBody();
    this.isDirty = false;
  }

  start() {
    let before = performance.now();
    // a page that was hidden goes on from where it was
    document.addEventListener("visibilitychange", () => (before = performance.now()));
    const tick = (now) => {
      this.transport.advance(Math.min(Math.max((now - before) / 1000, 0), LONGEST_PAUSE));
      before = now;
      if (this.isDirty) this.draw();
      requestAnimationFrame(tick);
    };
    this.draw();
    requestAnimationFrame(tick);
  }
}

/** As many pixels as the screen has there. */
function fit(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio)),
    height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

/** Words about what went wrong, in the middle of the page. */
export function fail(words) {
  document.body.append(element("div", { class: "failure glass", role: "alert" }, words));
}
