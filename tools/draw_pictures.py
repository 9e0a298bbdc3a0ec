"""Draw the pictures of the documentation: every built-in model, by its last camera, and those of `docs/pictures.md`.

Usage: python -m tools.draw_pictures [NAME ...]
"""

from __future__ import annotations

import contextlib
import functools
import runpy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

import phalanx
from phalanx.cli.scenes import run_humanoid
from phalanx.cli.strip import picture_strip
from tools.flex_pictures import draw_damping, draw_equality, draw_poisson, draw_thickness, draw_young

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
#: Width and height [pixels], and samples along a side of a pixel.
SIZE, SAMPLES = (480, 360), 4
#: Depth that is drawn black [m].
FARTHEST = 5.0


def world(name: str) -> phalanx.Data:
    """A built-in model in its first keyframe."""
    data = phalanx.load(name).make_data().reset(0)
    # the cart-pole hangs in its first keyframe; tilted it looks like what it is for
    if name == "cartpole":
        data.qpos[:] = 0.3, 0.25
    # a cloth is for falling, and a soft gripper for holding
    if name == "cloth":
        data.step(1000)
    if name == "soft_gripper":
        for height, opening, steps in ((-0.07, 0.08, 1200), (-0.07, 0.02, 800), (0.1, 0.02, 1500)):
            data.ctrl[:] = 0, 0, height, 0, opening
            data.step(steps)
    return data.forward()


def draw(name: str) -> np.ndarray:
    """A built-in model, seen by its last camera."""
    data = world(name)
    return data.render(*SIZE, camera=data.model.ncam - 1, samples=SAMPLES)


def draw_decor() -> np.ndarray:
    """The quadruped on its feet, with contacts, forces, joint axes, and marks of the user."""
    data = world("quadruped").step(200)
    marks = phalanx.Marks()
    marks.arrow(
        "heading", start=data.xpos[1] + (0, 0, 0.12), direction=(0.35, 0, 0), width=0.008, color=(0.2, 0.8, 0.3)
    )
    show = phalanx.Show(contacts=True, contact_forces=True, joints=True, transparent=True)
    return data.render(*SIZE, camera=data.model.ncam - 1, samples=SAMPLES, show=show, marks=marks)


def draw_outputs() -> np.ndarray:
    """What a picture can be of: color, depth, objects, normals."""
    data, (width, height) = world("humanoid"), SIZE
    camera = phalanx.Camera(lookat=(0, 0, 0.9), distance=2.6, azimuth=140, elevation=-12)
    wanted = ("depth", "body", "normals")
    other = data.render(width // 2, height, camera=camera, output=wanted)
    color = data.render(width // 2, height, camera=camera, samples=SAMPLES)
    near = np.clip(1.0 - other["depth"] / FARTHEST, 0, 1)[..., None] * np.ones(3)
    # a color for each body, far from that of its neighbors
    hue = other["body"][..., None] * np.array([0.61, 0.37, 0.83]) % 1.0 * (other["body"][..., None] > 0)
    flat = [np.round(255 * part).astype(np.uint8) for part in (near, hue, (other["normals"] + 1) / 2)]
    return np.hstack([color, *flat])


def draw_fall() -> np.ndarray:
    """The humanoid of the demo falls."""
    return picture_strip(run_humanoid(5.0))


def draw_example(name: str) -> np.ndarray:
    """The plot that an example makes, by the end of its name."""
    (example,) = (ROOT / "examples").glob(f"*_{name}.py")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        runpy.run_path(str(example), run_name="__main__")
        return np.asarray(Image.open(f"{name}.png").convert("RGB"))


#: Examples whose plots are pictures.
PLOTS = ("swing_up", "hop", "identification")
#: Pictures by name; the rest are built-in models.
OTHERS: dict[str, Callable[[], np.ndarray]] = {
    "decor": draw_decor, "outputs": draw_outputs, "fall": draw_fall,
    **{name: functools.partial(draw_example, name) for name in PLOTS},
    "flex_young": draw_young, "flex_poisson": draw_poisson, "flex_damping": draw_damping,
    "flex_thickness": draw_thickness, "flex_equality": draw_equality,
}  # fmt: skip


def main(names: list[str]) -> int:
    """Draw the pictures with these names, or all of them."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or (*phalanx.models(), *OTHERS):
        picture = OTHERS[name]() if name in OTHERS else draw(name)
        Image.fromarray(picture).save(PICTURES / f"{name}.webp", quality=80, method=6)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
