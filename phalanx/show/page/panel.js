// The panel at the side: camera, what is shown, worlds, plots, and the numbers of the selected body.

import { element, icon, section, toggle } from "./dom.js";
import { POSE } from "./math.js";
import { PlotPanel, short } from "./plots.js";

const NARROW = "(max-width: 720px)";
const OPTIONS = { shadows: "Shadows", reflections: "Reflections", fog: "Haze", labels: "Labels", drag: "Drag bodies" };
/** What the mouse does where bodies can be dragged. */
const DRAG_HELP = "Drag a body to pull it; with Ctrl (or Cmd) it rotates.";

export class Panel {
  constructor(app) {
    this.app = app;
    this.plots = new PlotPanel(app.recording, (time) => app.transport.seek(time));
    this.bodyNumbers = element("div", { class: "numbers" });
    this.node = element(
      "aside",
      { class: "panel glass", "aria-label": "controls" },
      section("Camera", true, this.#cameraControls()),
      ...(app.sections?.() ?? []),
      section("Show", true, this.#switches()),
      this.#worldControls(),
      section("Plots", true, this.plots.node),
      section("Body", true, this.bodyNumbers),
    );
    if (window.matchMedia(NARROW).matches) this.node.classList.add("closed");
    this.showBody();
  }

  /** The parts of the picture that are behind the panel, or behind the controls of time. */
  covered(transport) {
    const isNarrow = window.matchMedia(NARROW).matches,
      isClosed = this.node.classList.contains("closed");
    const lower = isNarrow && !isClosed ? this.node : transport;
    return {
      right: isNarrow || isClosed ? 0 : 1 - this.node.offsetLeft / window.innerWidth,
      below: 1 - lower.offsetTop / window.innerHeight,
    };
  }

  toggle() {
    this.node.classList.toggle("closed");
    this.app.change();
  }

  #cameraControls() {
    const { manifest } = this.app;
    const option = (value, text) => element("option", { value, selected: value === this.app.cameraChoice }, text);
    const bodies = manifest.bodies.map(({ name, isRoot }, k) =>
      isRoot ? option(`body:${k}`, `follow ${name}`) : null,
    );
    this.cameraSelect = element(
      "select",
      { "aria-label": "camera", change: () => this.app.setCamera(this.cameraSelect.value) },
      option("free", "free"),
      ...bodies,
      ...manifest.cameras.map(({ name }, k) => option(`model:${k}`, `camera ${name}`)),
    );
    const home = element(
      "button",
      { class: "flat", title: "Back to the first view (0)", click: () => this.app.resetCamera() },
      icon("home"),
    );
    return element("div", { class: "line" }, this.cameraSelect, home);
  }

  /** The choice of cameras shows the one in use; a body that is not in the list is added. */
  showCamera(choice) {
    const known = [...this.cameraSelect.options].some(({ value }) => value === choice);
    if (!known)
      this.cameraSelect.append(
        element("option", { value: choice }, `follow ${this.app.manifest.bodies[Number(choice.split(":")[1])].name}`),
      );
    this.cameraSelect.value = choice;
  }

  #switches() {
    const { app } = this;
    const flip = (set, key) => (isOn) => {
      if (isOn) set.add(key);
      else set.delete(key);
      app.change();
    };
    const layers = app.manifest.layers.map((row) =>
      toggle(row.title, row.on, flip(app.layers, row.name), { title: row.doc, name: row.name }),
    );
    const groups =
      app.manifest.groups.length > 1
        ? app.manifest.groups.map((group) =>
            toggle(group, true, (isOn) => flip(app.hiddenGroups, group)(!isOn), {
              title: `geoms and sites of ${group}`,
              name: group,
            }),
          )
        : [];
    const options = Object.keys(app.manifest.options).map((name) =>
      toggle(
        OPTIONS[name],
        app.options[name],
        (isOn) => {
          app.options[name] = isOn;
          app.change();
        },
        { name, title: name === "drag" ? DRAG_HELP : "" },
      ),
    );
    return element("div", { class: "chips" }, ...layers, ...groups, ...options);
  }

  #worldControls() {
    const { app } = this;
    if (app.recording.worlds.length < 2) return null;
    const choice = element(
      "select",
      {
        "aria-label": "arrangement of worlds",
        change: () => {
          app.layout = choice.value;
          app.resetCamera();
        },
      },
      ...["grid", "overlay"].map((name) => element("option", { value: name, selected: name === app.layout }, name)),
    );
    return section("Worlds", true, element("div", { class: "line" }, choice));
  }

  /** Name and numbers of the selected body at the present time. */
  showBody() {
    const { selected, manifest, recording } = this.app;
    if (!selected) {
      this.bodyNumbers.replaceChildren(
        element("p", { class: "note" }, "Click a body to see its numbers; double-click to follow it."),
        "drag" in manifest.options ? element("p", { class: "note" }, DRAG_HELP) : "",
      );
      return;
    }
    const body = manifest.bodies[selected.body],
      world = recording.worlds[selected.world];
    const pose = world.now.subarray(POSE * selected.body, POSE * (selected.body + 1));
    const rows = [
      ["position [m]", [...pose.subarray(0, 3)].map(short).join("  ")],
      ["quaternion", [...pose.subarray(3)].map(short).join("  ")],
      ["speed [m/s]", short(recording.speed(world, selected.body))],
      ["mass [kg]", short(body.mass)],
      ["on", manifest.bodies[body.parent].name],
    ];
    if (recording.worlds.length > 1) rows.unshift(["world", world.name]);
    const table = element(
      "table",
      {},
      ...rows.map(([name, value]) => element("tr", {}, element("th", {}, name), element("td", {}, value))),
    );
    this.bodyNumbers.replaceChildren(element("h2", {}, body.name), table);
  }
}
