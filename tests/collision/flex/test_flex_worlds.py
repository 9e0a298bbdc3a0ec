"""Contacts of flexes are the same bits however a world is run."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.batch import choose_number
from tests.collision.flex.scenes import free, grid, scene
from tests.quiet import quiet

FLOOR = '<geom type="plane" size="1 1 1"/>'
SMALL = scene(FLOOR, free('<geom size=".1"/>', "0 0 .1"), grid("f", 2, count="3 3 1", pos="0 0 .02"))
MIXED = scene(
    FLOOR,
    free('<geom type="capsule" size=".05 .1"/><geom type="cylinder" size=".05 .1" pos="0 0 -.04"/>', "0 0 .15"),
    grid("f", 2, count="3 2 1", pos="0 0 .02"),
    grid("g", 3, count="2 2 2", pos="0 0 .06", dof="trilinear"),
    grid("h", 1, count="4 1 1", pos="0 0 .06", contact='selfcollide="auto"'),
)
#: What must be the same.
COMPARED = ("qpos", "qvel", "contact_dist", "contact_pos", "contact_frame", "contact_elem", "efc_J", "efc_force")


@cache
@quiet()
def model_of(text: str) -> phalanx.Model:
    """A model, compiled once."""
    return phalanx.Model.from_xml_string(text)


def positions(model: phalanx.Model, n: int) -> np.ndarray:
    """Random positions of n worlds."""
    return model.qpos0 + 0.01 * np.random.default_rng(0).normal(size=(n, model.nq))


@pytest.mark.parametrize("text", [SMALL, pytest.param(MIXED, marks=pytest.mark.conformance)], ids=["small", "mixed"])
@quiet()
def test_interpreted_steps_give_the_same_bits(text: str) -> None:
    model = model_of(text)
    one = model.make_data()
    with interpreted():
        other = model.make_data()
    for data in (one, other):
        data.qpos[:] = positions(model, 1)[0]
    one.step()
    with interpreted():
        other.step()
    assert one.ncon > 5
    for name in COMPARED:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("threads", [1, 2])
@quiet()
def test_batches_give_the_same_bits(threads: int) -> None:
    check_batch(SMALL, "float64", threads)


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@quiet()
def test_batches_of_all_kinds_give_the_same_bits(dtype: str) -> None:
    check_batch(MIXED, dtype, 2)


def check_batch(text: str, dtype: str, threads: int) -> None:
    """Worlds of a batch, and single ones."""
    model, n = model_of(text), 5
    start = positions(model, n)
    batch = phalanx.BatchSim(model, n, dtype=dtype, threads=threads)
    batch.qpos[:] = start
    for _ in range(20):
        batch.step()
    for world in range(n):
        data = model.make_data(dtype=dtype)
        data.qpos[:] = start[world]
        for _ in range(20):
            data.step()
        np.testing.assert_array_equal(batch.qpos[world], data.qpos)
        assert data.ncon > 0


@quiet()
def test_lanes_that_are_asked_for_are_one_where_flexes_touch() -> None:
    assert choose_number(model_of(SMALL), 4, "float64", 4).width <= 1
    mute = model_of(SMALL.replace('<contact  selfcollide="none"/>', '<contact contype="0" conaffinity="0"/>'))
    assert choose_number(mute, 4, "float64", 4).width == 4


@quiet()
def test_memory_grows_with_contacts() -> None:
    model = model_of(scene(FLOOR, grid("f", 2, count="9 9 1", pos="0 0 .01")))
    data = model.make_data().forward()
    assert data.ncon == 81
    assert data.contact_elem.shape == (81, 2)


@pytest.mark.conformance
@quiet()
def test_exact_derivatives_are_those_of_differences() -> None:
    model = model_of(SMALL)
    data = model.make_data()
    data.qpos[:] = positions(model, 1)[0]
    for _ in range(5):
        data.step()
    exact, nearby = data.transition(), data.transition_fd(1e-7)
    scale = float(np.abs(exact.A).max())
    np.testing.assert_allclose(exact.A, nearby.A, rtol=0, atol=2e-4 * scale)
