// Time: play and pause, the slider, speed, and what happens at the end.

import { element, icon } from "./dom.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Transport {
  constructor(recording, onChange) {
    Object.assign(this, { recording, onChange, time: recording.start, isPlaying: false, speed: 1, isLooping: true });
    this.playButton = element(
      "button",
      { class: "play", title: "Play or pause (space)", click: () => this.toggle() },
      icon("play"),
    );
    this.slider = element("input", {
      class: "slider",
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      value: 0,
      "aria-label": "time",
      input: () => this.seek(recording.start + Number(this.slider.value) * recording.duration),
    });
    this.clock = element("output", { class: "clock" });
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
    this.loopButton = element(
      "button",
      { class: "flat on", title: "Start again at the end (l)", "aria-pressed": "true", click: () => this.toggleLoop() },
      icon("loop"),
    );
    this.node = element(
      "div",
      { class: "transport glass" },
      this.playButton,
      this.slider,
      this.clock,
      this.speedChoice,
      this.loopButton,
    );
    this.#show();
  }

  toggle(isPlaying = !this.isPlaying) {
    if (isPlaying && this.time >= this.recording.end) this.time = this.recording.start;
    this.isPlaying = isPlaying && this.recording.duration > 0;
    this.playButton.replaceChildren(icon(this.isPlaying ? "pause" : "play"));
    this.onChange();
  }

  toggleLoop() {
    this.isLooping = !this.isLooping;
    this.loopButton.classList.toggle("on", this.isLooping);
    this.loopButton.setAttribute("aria-pressed", String(this.isLooping));
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.recording.start), this.recording.end);
    this.#show();
    this.onChange();
  }

  /** What keys do. */
  get keys() {
    return {
      " ": () => this.toggle(),
      l: () => this.toggleLoop(),
      ",": () => this.stepFrames(-1),
      ".": () => this.stepFrames(1),
    };
  }

  /** One recorded frame forward or back. */
  stepFrames(count) {
    this.toggle(false);
    const frame = Math.min(Math.max(this.recording.frame + count, 0), this.recording.times.length - 1);
    this.seek(this.recording.times[frame]);
  }

  /** Time goes on by so many seconds of the clock on the wall. */
  advance(seconds) {
    if (!this.isPlaying) return;
    let time = this.time + seconds * this.speed;
    if (time > this.recording.end) {
      if (this.isLooping) time = this.recording.start + ((time - this.recording.start) % this.recording.duration);
      else this.toggle(false);
    }
    this.seek(time);
  }

  #show() {
    const { start, end, duration } = this.recording;
    this.slider.value = String(duration ? (this.time - start) / duration : 0);
    this.slider.style.setProperty("--done", `${100 * Number(this.slider.value)}%`);
    this.clock.textContent = `${this.time.toFixed(2)} / ${end.toFixed(2)} s`;
  }
}
