"""Text beside shapes, written over a picture with a font of fixed pixels: the same on every machine."""

from __future__ import annotations

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.scene.view import View

#: Color of text, and of the shadow that sets it off.
COLOR, SHADOW = (255, 255, 255), (0, 0, 0)


def projected(points: np.ndarray, view: View, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and rows of points in a picture, (n, 2), and their depths, (n,)."""
    local = (points - view.pos) @ view.mat
    depth = -local[:, 2]
    across = 1.0 if view.orthographic else np.where(depth > 0, depth, 1.0)[:, None]
    step = 2 * view.half_height / height
    flat = (local[:, :2] / across - np.array(view.shift)) / (step * view.aspect, -step)
    return flat + (width / 2, height / 2), depth


def draw_labels(picture: np.ndarray, shapes: Shapes, view: View) -> None:
    """Write the labels of shapes over a picture (height, width, 3), from far to near."""
    labeled = [row for row, text in enumerate(shapes.labels) if text]
    if not labeled:
        return
    # most pictures have no text: Pillow is imported for those that do
    from PIL import Image, ImageDraw, ImageFont

    height, width = picture.shape[:2]
    places, depth = projected(shapes.pos[labeled], view, width, height)
    image = Image.fromarray(picture)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default_imagefont()
    for k in np.argsort(-depth, kind="stable"):
        if view.near <= depth[k] <= view.far:
            x, y = (round(float(value)) for value in places[k])
            text = shapes.labels[labeled[k]].encode("latin-1", "replace").decode("latin-1")
            pen.text((x + 1, y + 1), text, SHADOW, font=font)
            pen.text((x, y), text, COLOR, font=font)
    picture[:] = np.asarray(image)
