"""Worlds of a batch side by side."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.memory.errors import FieldError
from phalanx.show.viewer.arrangement import USUAL_WORLDS, Layout, layout_of, offsets, shown_worlds


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16, 17, 64])
def test_worlds_of_a_grid_keep_their_distance(count):
    places = offsets(count, 2.0, Layout.GRID)
    assert places.shape == (count, 3)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(count)
    assert count == 1 or apart.min() == 2.0
    # as square as possible, around the origin
    assert np.ptp(places[:, 0]) >= np.ptp(places[:, 1]) >= 0
    assert np.abs(places).max() <= 2.0 * np.sqrt(count) / 2


def test_worlds_of_an_overlay_are_in_one_place():
    assert not offsets(9, 2.0, Layout.OVERLAY).any()


def test_how_many_worlds_are_shown():
    assert shown_worlds(16, None) == 16
    assert shown_worlds(5000, None) == USUAL_WORLDS
    assert shown_worlds(16, 4) == 4
    assert shown_worlds(4, 16) == 4
    with pytest.raises(FieldError, match="worlds"):
        shown_worlds(4, 0)


def test_an_unknown_layout_is_refused():
    assert layout_of("grid") is Layout.GRID
    with pytest.raises(FieldError, match="did you mean 'overlay'"):
        layout_of("overlays")
