// The page of a replay: reads what was recorded, and plays it.

import { App, fail } from "./app.js";
import { Recording } from "./recording.js";
import { Renderer } from "./renderer.js";
import { Scene } from "./scene.js";
import { Transport } from "./transport.js";
import { Arrays } from "./unpack.js";

async function open() {
  const manifest = JSON.parse(document.getElementById("manifest").textContent);
  const arrays = await Arrays.from(document.getElementById("arrays").textContent.trim());
  const renderer = new Renderer(document.getElementById("view"));
  const scene = await Scene.from(manifest, arrays, renderer);
  const recording = new Recording(manifest, arrays);
  const app = new App(
    manifest,
    recording,
    renderer,
    scene,
    (owner) => new Transport(recording, () => owner.change()),
  );
  app.start();
  for (const name of manifest.plots) app.panel.plots.add(name);
  // for pages around this one: replay.seek(2.5), replay.play(), replay.pause(), replay.time
  window.replay = {
    play: () => app.transport.toggle(true),
    pause: () => app.transport.toggle(false),
    seek: (time) => app.transport.seek(time),
    get time() {
      return app.transport.time;
    },
    get selected() {
      return app.selected;
    },
    select: (body, world = 0) => app.select({ body, world }),
  };
  document.body.dataset.ready = "true";
  if (manifest.autoplay && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) app.transport.toggle(true);
}

open().catch((error) => fail(`The replay cannot be shown: ${error.message}`));
