// Sliders of the controls of actuators; a function of the user that sets them can be switched off.

import { element, section, toggle } from "./dom.js";
import { short } from "./plots.js";

/** More sliders than these are folded away at first; where there are plots to see, too. */
const MOST_OPEN = 12,
  MOST_BEFORE_PLOTS = 4;

export class Controls {
  constructor(rows, simulation, { hasController, hasPlots, onChange }) {
    Object.assign(this, { rows, simulation, onChange, isByHand: !hasController });
    this.sliders = rows.map(({ name, low, high, control }) => {
      const value = element("output", { class: "value" });
      const slider = element("input", {
        class: "slider",
        type: "range",
        min: low,
        max: high,
        step: "any",
        "aria-label": name,
        "data-control": control,
        input: () => {
          this.simulation.data.ctrl[control] = Number(slider.value);
          this.show();
          this.onChange();
        },
      });
      return { control, slider, value, node: element("label", { class: "control" }, name, value, slider) };
    });
    this.switch = hasController
      ? toggle("Controller", true, (isOn) => this.byHand(!isOn), {
          title: "the function of the model that sets controls",
          name: "controller",
        })
      : null;
    const zero = element("button", { class: "flat words", click: () => this.clear() }, "all to zero");
    const line = element("div", { class: "line" }, this.switch, zero);
    const isOpen = rows.length <= (hasPlots ? MOST_BEFORE_PLOTS : MOST_OPEN);
    this.node = section("Actuators", isOpen, line, ...this.sliders.map(({ node }) => node));
    this.byHand(this.isByHand);
  }

  /** Who sets the controls: the user, or the function of the model. */
  byHand(isByHand) {
    this.isByHand = isByHand;
    if (this.switch) this.simulation.useHook("hook_control", !isByHand);
    for (const { slider } of this.sliders) slider.disabled = !isByHand;
    this.show();
  }

  clear() {
    for (const { control } of this.sliders) this.simulation.data.ctrl[control] = 0;
    this.show();
    this.onChange();
  }

  /** Sliders show what controls are. */
  show() {
    const { ctrl } = this.simulation.data;
    for (const { control, slider, value } of this.sliders) {
      if (document.activeElement !== slider || !this.isByHand) slider.value = String(ctrl[control]);
      const { min, max } = slider;
      slider.style.setProperty("--done", `${(100 * (Number(slider.value) - min)) / (max - min || 1)}%`);
      value.textContent = short(ctrl[control]);
    }
  }
}
