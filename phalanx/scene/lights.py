"""Lights of a world: those of the model, and the one at the camera."""

from __future__ import annotations

import numpy as np

from phalanx.scene.subject import Data, Model
from phalanx.scene.view import Lights, View
from phalanx.tables.enums import LightType

#: Columns of Lights that do not change -> the row of the Model.
CONSTANT = {
    "kind": "light_type", "ambient": "light_ambient", "diffuse": "light_diffuse", "specular": "light_specular",
    "attenuation": "light_attenuation", "cutoff": "light_cutoff", "exponent": "light_exponent",
    "castshadow": "light_castshadow",
}  # fmt: skip


class LightBuilder:
    """Lights of a model that are on, for many frames."""

    def __init__(self, model: Model):
        # light that comes from an image of the surroundings is not a light with a place
        is_lamp = np.asarray(model.light_type) != LightType.IMAGE
        self._ids = np.flatnonzero(np.asarray(model.light_active).astype(bool) & is_lamp)
        head = model.vis.headlight
        self._has_headlight = bool(head.active)
        columns = {name: np.array(getattr(model, row))[self._ids] for name, row in CONSTANT.items()}
        if self._has_headlight:
            first = {
                "kind": LightType.DIRECTIONAL, "ambient": head.ambient, "diffuse": head.diffuse,
                "specular": head.specular, "attenuation": (1, 0, 0), "cutoff": 0, "exponent": 0, "castshadow": False,
            }  # fmt: skip
            columns = {name: np.concatenate([np.array([first[name]], x.dtype), x]) for name, x in columns.items()}
        self._columns = columns

    def lights(self, data: Data, view: View) -> Lights:
        """The lights of a world; the headlight first, if it is on, at the camera.

        Args:
            data: the Data, after forward.
            view: where the camera is.
        """
        pos, direction = np.array(data.light_xpos[self._ids], float), np.array(data.light_xdir[self._ids], float)
        if self._has_headlight:
            pos, direction = np.vstack([view.pos, pos]), np.vstack([-view.mat[:, 2], direction])
        return Lights(pos=pos, dir=direction, **self._columns)
