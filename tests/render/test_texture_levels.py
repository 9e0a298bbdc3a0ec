"""Textures, level by level."""

from __future__ import annotations

import numpy as np

from phalanx.render.texture_levels import colors_of, cube_levels, halved, levels_of


def test_a_level_is_the_mean_of_the_one_before() -> None:
    picture = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    np.testing.assert_array_equal(halved(picture)[0, 0], np.round(picture[:2, :2].mean(axis=(0, 1))))
    assert [level.shape[:2] for level in levels_of(picture)] == [(4, 6), (2, 3), (1, 1)]


def test_a_picture_of_one_color_keeps_it() -> None:
    assert all((level == 77).all() for level in levels_of(np.full((13, 7, 3), 77, np.uint8)))


def test_one_square_is_all_faces_of_a_cube() -> None:
    square = np.random.default_rng(0).integers(0, 255, (8, 8, 3)).astype(np.uint8)
    (finest, *_, coarsest) = cube_levels(square)
    assert finest.shape == (6, 8, 8, 3) and coarsest.shape == (6, 1, 1, 3)
    assert (finest == square).all()


def test_gray_and_alpha_become_three_colors() -> None:
    gray = np.arange(6, dtype=np.uint8).reshape(2, 3, 1)
    assert (colors_of(gray, False) == gray).all()
    assert colors_of(np.zeros((2, 3, 4), np.uint8), False).shape == (2, 3, 3)
    assert colors_of(np.full((1, 1, 3), 188, np.uint8), True)[0, 0, 0] == 128
