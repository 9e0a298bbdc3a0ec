"""The picture strip of the demo: the humanoid at some moments, beside each other."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from phalanx.cli.scenes import HumanoidTrace
from phalanx.scene.camera import Camera

#: When pictures are taken, in seconds after it went limp.
MOMENTS = (0.0, 0.3, 0.5, 0.7, 1.5)
#: Width and height of a picture, and the gap between two [pixels].
WIDTH, HEIGHT, GAP = 380, 440, 6
#: Rays in a row and a column of each pixel.
SAMPLES = 3
#: From where it is seen: beside the humanoid, a little from above.
VIEW = Camera(lookat=(0.25, 0.0, 0.72), distance=3.1, azimuth=120.0, elevation=-12.0)
#: Where the time stands, and how large [pixels].
CLOCK, LETTERS = (16, 12), 22


def picture_strip(humanoid: HumanoidTrace) -> np.ndarray:
    """Pictures of the fall with forces of contacts, (height, width, 3) uint8."""
    trajectory = humanoid.trajectory
    assert trajectory.model is not None
    data = trajectory.model.make_data()
    pictures: list[np.ndarray] = []
    for moment in MOMENTS:
        row = int(np.argmin(np.abs(trajectory.time - humanoid.limp - moment)))
        trajectory.put(row, data)
        picture = Image.fromarray(
            data.forward().render(WIDTH, HEIGHT, camera=VIEW, show="contact_forces", samples=SAMPLES)
        )
        time = f"{trajectory.time[row]:.2f} s"
        ImageDraw.Draw(picture).text(CLOCK, time, "white", ImageFont.load_default(LETTERS))
        pictures += [np.asarray(picture), np.full((HEIGHT, GAP, 3), 255, np.uint8)]
    return np.concatenate(pictures[:-1], axis=1)
