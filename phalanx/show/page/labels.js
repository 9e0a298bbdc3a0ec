// Text beside points of the scene, on a canvas above the picture.

import { product } from "./math.js";

export function drawLabels(canvas, labels, { projection, view }) {
  const ratio = window.devicePixelRatio || 1,
    width = canvas.clientWidth,
    height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  if (!labels.length) return;
  const paint = canvas.getContext("2d");
  const camera = product(projection, view);
  paint.scale(ratio, ratio);
  paint.font = "600 12px system-ui, sans-serif";
  paint.textAlign = "center";
  paint.lineWidth = 3;
  paint.lineJoin = "round";
  paint.strokeStyle = getComputedStyle(canvas).getPropertyValue("--paper");
  paint.fillStyle = getComputedStyle(canvas).getPropertyValue("--ink");
  for (const {
    text,
    pos: [x, y, z],
  } of labels) {
    const at = [0, 1, 3].map((row) => camera[row] * x + camera[4 + row] * y + camera[8 + row] * z + camera[12 + row]);
    if (at[2] <= 0) continue;
    const place = [((at[0] / at[2] + 1) * width) / 2, ((1 - at[1] / at[2]) * height) / 2 - 6];
    paint.strokeText(text, ...place);
    paint.fillText(text, ...place);
  }
}
