"""Pictures of the worlds of a batch."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx


def cartpoles(n: int = 5, **settings: object) -> phalanx.BatchSim:
    """Worlds that differ."""
    batch = phalanx.BatchSim(phalanx.load("cartpole"), n, **settings)
    batch.qpos[:] = np.random.default_rng(0).normal(0, 0.5, batch.qpos.shape)
    return batch


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("camera", [None, 0])
def test_each_world_is_drawn_as_its_own_data_would_be(threads: int, camera: int | None) -> None:
    batch = cartpoles(threads=threads)
    pictures = batch.render(None, 24, 18, camera=camera, output=("rgb", "depth"))
    for world in range(batch.n):
        single = batch.env(world).render(24, 18, camera=camera, output=("rgb", "depth"))
        np.testing.assert_array_equal(pictures["rgb"][world], single["rgb"])
        np.testing.assert_array_equal(pictures["depth"][world], single["depth"])


def test_worlds_are_chosen() -> None:
    batch = cartpoles()
    pictures = batch.render(None, 24, 18)
    np.testing.assert_array_equal(batch.render([3, 1], 24, 18), pictures[[3, 1]])
    np.testing.assert_array_equal(batch.render(-1, 24, 18), pictures[-1:])
    assert batch.render([], 24, 18).shape == (0, 18, 24, 3)
    with pytest.raises(phalanx.FieldError, match="world 5 does not exist"):
        batch.render(5, 24, 18)


def test_the_state_stays() -> None:
    batch = cartpoles()
    before = batch.get_state()
    batch.render(None, 8, 8)
    np.testing.assert_array_equal(batch.get_state(), before)


def test_decor_is_that_of_each_world() -> None:
    batch = cartpoles(3)
    pictures = batch.render(None, 24, 18, show="joints")
    np.testing.assert_array_equal(pictures[2], batch.env(2).render(24, 18, show="joints"))


def test_worlds_of_other_sizes_look_different() -> None:
    model = phalanx.load("cartpole")
    sizes = np.stack([np.array(model.geom_size) * factor for factor in (1.0, 1.5)])
    batch = phalanx.BatchSim(model, 2, vary={"geom_size": sizes})
    pictures = batch.render(None, 24, 18, output="body")
    assert not np.array_equal(pictures[0], pictures[1])
    np.testing.assert_array_equal(pictures[1], batch.env(1).render(24, 18, output="body"))


def test_a_world_that_is_not_finite_is_named() -> None:
    batch = cartpoles(3)
    batch.qpos[1, 0] = np.nan
    with pytest.raises(phalanx.FieldError, match=r"picture 1: data.qpos\[0\] is nan"):
        batch.render(None, 8, 8)
    assert batch.render([0, 2], 8, 8).shape == (2, 8, 8, 3)


def test_pictures_that_are_too_many_are_refused() -> None:
    with pytest.raises(phalanx.FieldError, match="3 pictures of 16000 x 16000"):
        cartpoles(3).render(None, 16000, 16000)
