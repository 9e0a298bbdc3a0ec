"""Lamps and sky: the lights of the model in the page, as near as a browser comes to them.

Every light shines from far away in its direction. One of them casts shadows, the first that may: more would be slow.
Some light comes from all sides, more from above.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.scene.surfaces import texture_of
from phalanx.scene.view import Lights
from phalanx.show.viewer.moment import Cast
from phalanx.show.viewer.poses import in_bytes

#: How bright the surroundings are, their colors above and below, and how bright all lamps are together.
SURROUNDINGS, ABOVE, BELOW, LAMPS = 2.0, (255, 255, 255), (160, 160, 170), 2.9
#: Lamps at most.
MOST_LAMPS = 4
#: Where the sun stands if the model has no lights: it shines along this direction.
SUN = np.array([-0.35, 0.45, -0.82])
#: Kind of texture that is a sky, in `tex_type`.
SKYBOX = 2
#: Rows of the picture behind everything.
SKY_ROWS = 64


class Lamps:
    """Lamps of the page, kept the same as the lights of the model."""

    def __init__(self, scene: Any):
        self._scene = scene
        self._shown: Any = None
        self._lamps: list[Any] = []
        scene.configure_default_lights(False, False)
        scene.configure_environment_map(None)
        scene.add_light_hemisphere("/lamps/all", sky_color=ABOVE, ground_color=BELOW, intensity=SURROUNDINGS)

    def show(self, cast: Cast) -> None:
        """Bring lamps and sky up to date, if the model or the switches have changed."""
        wanted = cast.structure, cast.show.shadows, cast.show.skybox
        if wanted == self._shown:
            return
        self._shown = wanted
        for lamp in self._lamps:
            lamp.remove()
        self._lamps = [
            self._scene.add_light_directional(
                f"/lamps/{k}", color=color, intensity=intensity, cast_shadow=is_casting, position=tuple(-10 * direction)
            )
            for k, (direction, color, intensity, is_casting) in enumerate(
                lamps_of(cast.lights, bool(cast.structure.vis.headlight.active), cast.show.shadows)
            )
        ]
        self._scene.set_background_image(sky_of(cast.structure) if cast.show.skybox else None)


def lamps_of(
    lights: Lights, has_headlight: bool, is_shading: bool
) -> list[tuple[np.ndarray, tuple[int, int, int], float, bool]]:
    """Direction, color, brightness of each lamp, and whether it casts a shadow; brightest first.

    Args:
        lights: of the model; the first is the headlight, if `has_headlight`.
        has_headlight: whether there is a light at the camera.
        is_shading: whether lamps may cast shadows.
    """
    power = lights.diffuse.max(axis=1) if len(lights.diffuse) else np.zeros(0)
    # the light at the camera cannot follow the cameras of all browsers; the surroundings take its place
    chosen = [k for k in np.argsort(-power, kind="stable") if power[k] > 0 and k >= int(has_headlight)]
    if not chosen:
        return [(SUN, (255, 255, 255), LAMPS, is_shading)]
    chosen = chosen[:MOST_LAMPS]
    total = sum(power[k] for k in chosen)
    caster = next((k for k in chosen if lights.castshadow[k]), -1) if is_shading else -1
    found = []
    for k in chosen:
        red, green, blue = (int(value) for value in in_bytes(lights.diffuse[k] / power[k]))
        direction = lights.dir[k] / max(float(np.linalg.norm(lights.dir[k])), 1e-9)
        found.append((direction, (red, green, blue), LAMPS * float(power[k] / max(total, 1.0)), k == caster))
    return found


def sky_of(model: Any) -> np.ndarray | None:
    """A picture from the color of the zenith to that of the horizon, None if the model has no sky."""
    skies = np.flatnonzero(np.asarray(model.tex_type) == SKYBOX)
    if not len(skies):
        return None
    texture = texture_of(model, int(skies[0]))[..., :3].astype(float)
    # six squares one under the other; the third is seen straight up, the fifth to the front
    side = texture.shape[1]
    squares = texture.reshape(-1, side, side, 3)
    zenith = squares[min(2, len(squares) - 1)].mean(axis=(0, 1))
    horizon = squares[min(4, len(squares) - 1)][side // 2].mean(axis=0)
    blend = np.linspace(0, 1, SKY_ROWS)[:, None]
    column = zenith * (1 - blend) + horizon * blend
    return np.repeat(np.rint(column).astype(np.uint8)[:, None], 4, axis=1)
