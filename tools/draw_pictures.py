"""Draw the pictures of the documentation: every built-in model, seen by its last camera, with rays of the engine.

Usage: python -m tools.draw_pictures [NAME ...]

A ray for each point of the picture finds the geom that is seen there, a second one whether the sun reaches it. Colors
are those of the materials; the floor is drawn as a checkerboard that fades into the sky.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import phalanx
from phalanx.tables.enums import GeomType

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
#: Width and height [pixels]; each is the mean of so many rays in a row and a column.
SIZE, RAYS = (480, 360), 3
SKY, HORIZON = np.array([0.42, 0.56, 0.72]), np.array([0.86, 0.91, 0.96])
TILES = np.array([[0.88, 0.9, 0.92], [0.79, 0.81, 0.84]])
#: Side of a tile [m], and the distance at which the floor has faded [m].
TILE, FADE = 0.25, 12.0
#: Light without the sun, and the part of light that the sun adds.
AMBIENT, SUN = 0.45, 0.6


def view_rays(data: phalanx.Data, camera: int) -> np.ndarray:
    """Unit directions (height, width, 3) of all rays of a camera, in the world."""
    width, height = SIZE[0] * RAYS, SIZE[1] * RAYS
    half = np.tan(np.radians(data.model.cam_fovy[camera]) / 2)
    y, x = np.mgrid[half : -half : height * 1j, -half * width / height : half * width / height : width * 1j]
    rays = np.stack([x, y, -np.ones_like(x)], axis=-1) @ data.cam_xmat[camera].reshape(3, 3).T
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def colors_of(model: phalanx.Model, geoms: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Color of the geom at each point, before light."""
    materials = model.geom_matid[geoms]
    colors = np.where(materials[:, None] >= 0, model.mat_rgba[materials], model.geom_rgba[geoms])[:, :3]
    is_floor = model.geom_type[geoms] == GeomType.PLANE
    tile = np.floor(points[is_floor, :2] / TILE).astype(int).sum(axis=1) % 2
    colors[is_floor] = TILES[tile]
    return colors


def render(data: phalanx.Data, camera: int = 0) -> Image.Image:
    """The picture that a camera sees; call after `forward`."""
    model, rays = data.model, view_rays(data, camera).reshape(-1, 3)
    upward = np.clip(rays[:, 2:], 0, 1)
    sky = HORIZON + (SKY - HORIZON) * np.sqrt(upward)
    hits = data.rays(data.cam_xpos[camera], rays)
    seen = np.flatnonzero(hits.is_hit)
    normals, points = hits.normal[seen], hits.point[seen]
    # the sun is the first light; where something is in between, only the ambient light is left
    to_sun = -data.light_xdir[0]
    is_lit = ~data.rays(points + 1e-4 * normals, to_sun).is_hit & (normals @ to_sun > 0)
    diffuse = np.where(is_lit, normals @ to_sun, 0.0)
    halfway = to_sun - rays[seen]
    halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
    gloss = np.where(is_lit, np.clip(np.einsum("ij,ij->i", normals, halfway), 0, 1) ** 40, 0.0)
    is_floor = model.geom_type[hits.geom[seen]] == GeomType.PLANE
    # surfaces that face the sky are brighter, also without sun
    light = AMBIENT * (0.75 + 0.25 * normals[:, 2]) + SUN * diffuse
    colors = colors_of(model, hits.geom[seen], points) * light[:, None] + np.where(is_floor, 0, 0.25 * gloss)[:, None]
    distance = np.linalg.norm(points - data.cam_xpos[camera], axis=1)
    haze = np.where(is_floor, np.clip(distance / FADE, 0, 1) ** 1.5, 0)[:, None]
    picture = sky
    picture[seen] = colors * (1 - haze) + sky[seen] * haze
    picture = picture.reshape(SIZE[1], RAYS, SIZE[0], RAYS, 3).mean(axis=(1, 3))
    return Image.fromarray((255 * np.clip(picture, 0, 1) + 0.5).astype(np.uint8))


def draw(name: str) -> Image.Image:
    """A built-in model in its first keyframe."""
    model = phalanx.load(name)
    # the cart-pole hangs in its first keyframe; tilted it looks like what it is for
    data = model.make_data().reset(0)
    if name == "cartpole":
        data.qpos[:] = 0.3, 0.25
    return render(data.forward(), model.ncam - 1)


def main(names: list[str]) -> int:
    """Draw the models with these names, or all of them."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or phalanx.models():
        draw(name).save(PICTURES / f"{name}.webp", quality=80, method=6)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
