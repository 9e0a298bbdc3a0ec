// Time of a simulation: run and pause, one step, back to the start, speed, and how fast it is.

import { element, icon } from "./dom.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
/** Part of the time of a frame that steps may take, and bounds of that [ms]; steps between two looks at the clock. */
const SHARE = 0.6,
  LEAST_BUDGET = 12,
  MOST_BUDGET = 150,
  STEPS_AT_ONCE = 4;
/** Time in which the shown speed follows [s], and how fast a step that took little time is forgotten. */
const MEMORY = 1,
  FORGETTING = 1.02;

export class RunBar {
  /** `onStep(n)` runs steps and says whether they could be run; `onRestart(keyframe)` goes back. */
  constructor(simulation, { keyframes, onStep, onRestart, onChange }) {
    Object.assign(this, { simulation, onStep, onRestart, onChange, isPlaying: false, speed: 1, owed: 0 });
    this.factor = null; // simulated seconds per second, when some time has passed
    this.cost = 0; // milliseconds of a step
    this.playButton = element(
      "button",
      { class: "play", title: "Run or pause (space)", "aria-label": "run", click: () => this.toggle() },
      icon("play"),
    );
    const stepButton = element(
      "button",
      { class: "flat", title: "One step (.)", "aria-label": "one step", click: () => this.stepOnce() },
      icon("step"),
    );
    const restartButton = element(
      "button",
      { class: "flat", title: "Back to the start (r)", "aria-label": "restart", click: () => this.restart() },
      icon("loop"),
    );
    this.keyChoice = keyframes.length
      ? element(
          "select",
          {
            class: "speed",
            title: "Where to start",
            "aria-label": "keyframe",
            change: () => this.restart(),
          },
          element("option", { value: "" }, "start"),
          ...keyframes.map((name, k) => element("option", { value: k }, name || `keyframe ${k}`)),
        )
      : null;
    this.clock = element("output", { class: "clock" });
    this.pace = element("output", { class: "clock pace", title: "simulated seconds per second; fastest possible" });
    this.speedChoice = element(
      "select",
      {
        class: "speed",
        title: "Speed",
        "aria-label": "speed",
        change: () => (this.speed = Number(this.speedChoice.value)),
      },
      ...SPEEDS.map((speed) => element("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
    );
    this.node = element(
      "div",
      { class: "transport run glass" },
      this.playButton,
      stepButton,
      restartButton,
      this.keyChoice,
      this.speedChoice,
      element("span", { class: "gap" }),
      this.pace,
      this.clock,
    );
    this.show();
  }

  get keys() {
    return {
      " ": () => this.toggle(),
      ".": () => this.stepOnce(),
      r: () => this.restart(),
    };
  }

  get time() {
    return this.simulation.time;
  }

  toggle(isPlaying = !this.isPlaying) {
    this.isPlaying = isPlaying;
    this.owed = 0;
    this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.onChange();
  }

  stepOnce() {
    this.toggle(false);
    this.onStep(1);
    this.show();
    this.onChange();
  }

  restart() {
    const chosen = this.keyChoice?.value ?? "";
    this.onRestart(chosen === "" ? null : Number(chosen));
    this.owed = 0;
    this.show();
    this.onChange();
  }

  /** Time goes on by so many seconds of the clock on the wall. */
  advance(seconds) {
    if (!this.isPlaying || seconds <= 0) return;
    const { timestep } = this.simulation;
    this.owed += (seconds * this.speed) / timestep;
    const before = this.time,
      begin = performance.now();
    const budget = Math.min(Math.max(1000 * SHARE * seconds, LEAST_BUDGET), MOST_BUDGET);
    let done = 0;
    while (this.owed >= 1 && performance.now() - begin < budget) {
      const count = Math.min(Math.floor(this.owed), STEPS_AT_ONCE);
      if (!this.onStep(count)) return;
      this.owed -= count;
      done += count;
    }
    // what could not be done in time is not made up for: the simulation is slower than asked
    if (this.owed >= 1) this.owed = 0;
    if (done) {
      const cost = (performance.now() - begin) / done;
      // other work of the machine makes steps take longer now and then: the least counts, for a while
      this.cost = Math.min(cost, this.cost ? FORGETTING * this.cost : cost);
    }
    const factor = (this.time - before) / seconds;
    this.factor = factor + ((this.factor ?? factor) - factor) * Math.exp(-seconds / MEMORY);
    this.show();
    this.onChange();
  }

  /** How many times real time could be, at the cost of a step. */
  get fastest() {
    return this.cost ? (1000 * this.simulation.timestep) / this.cost : 0;
  }

  show() {
    this.clock.textContent = `${this.time.toFixed(2)} s`;
    const { cost, fastest, speed } = this;
    this.pace.textContent = cost ? `${this.factor.toFixed(2)}× (up to ${Number(fastest.toPrecision(2))}×)` : "";
    this.pace.classList.toggle("slow", cost > 0 && fastest < speed);
  }
}
