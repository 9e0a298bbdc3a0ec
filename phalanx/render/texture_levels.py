"""Textures of a Model as levels: each is half as wide and high as the one before it."""

from __future__ import annotations

import numpy as np

#: Value of an sRGB byte as a linear one.
_LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255, np.arange(256) / 12.92, 255 * ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4
)


def halved(picture: np.ndarray) -> np.ndarray:
    """A picture (height, width, 3) at half its size, at least one texel; each is the mean of those that it covers."""
    height, width = max(picture.shape[0] // 2, 1), max(picture.shape[1] // 2, 1)
    rows, columns = picture.shape[0] // height, picture.shape[1] // width
    cut = picture[: height * rows, : width * columns].astype(np.float64)
    return np.round(cut.reshape(height, rows, width, columns, 3).mean(axis=(1, 3))).astype(np.uint8)


def levels_of(picture: np.ndarray) -> list[np.ndarray]:
    """A picture and all that are smaller, down to one texel."""
    levels = [picture]
    while max(levels[-1].shape[:2]) > 1:
        levels.append(halved(levels[-1]))
    return levels


def cube_levels(picture: np.ndarray) -> list[np.ndarray]:
    """Levels of a cube: (6, n, n, 3) each, of a picture with six faces below each other, or one for all of them."""
    size = picture.shape[1]
    faces = picture.reshape(-1, size, size, 3) if picture.shape[0] == 6 * size else np.stack([picture[:size]] * 6)
    return [np.stack(same) for same in zip(*(levels_of(face) for face in faces), strict=True)]


def colors_of(picture: np.ndarray, is_srgb: bool) -> np.ndarray:
    """The three colors of each texel, (height, width, 3), of a picture with one to four channels."""
    colors = picture[:, :, :3] if picture.shape[2] >= 3 else np.repeat(picture[:, :, :1], 3, axis=2)
    return np.round(_LINEAR[colors]).astype(np.uint8) if is_srgb else np.ascontiguousarray(colors)
