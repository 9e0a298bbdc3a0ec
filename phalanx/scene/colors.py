"""Colors of what is drawn: of the object, or of its material."""

from __future__ import annotations

import numpy as np

from phalanx.scene.subject import Model

#: The color of an object for which the model file gives none.
DEFAULT_RGBA = np.array([0.5, 0.5, 0.5, 1], np.float32)


def has_default_color(rgba: np.ndarray) -> np.ndarray:
    """Whether colors (n, 4) are those of objects for which the model file gives none, (n,)."""
    return (rgba == DEFAULT_RGBA).all(axis=1)


def material_colors(model: Model, matid: np.ndarray, rgba: np.ndarray) -> np.ndarray:
    """Colors (n, 4) of objects: their own if it is not the default, else that of their material, if they have one."""
    colors = np.array(rgba, np.float32)
    takes = (matid >= 0) & has_default_color(colors)
    colors[takes] = model.mat_rgba[matid[takes]]
    return colors
