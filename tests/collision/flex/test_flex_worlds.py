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
from tools import attack_models

FLOOR = '<geom type="plane" size="1 1 1"/>'
SMALL = scene(FLOOR, free('<geom size=".1"/>', "0 0 .1"), grid("f", 2, count="3 3 1", pos="0 0 .02"))
MIXED = scene(
    FLOOR,
    free('<geom type="capsule" size=".05 .1"/><geom type="cylinder" size=".05 .1" pos="0 0 -.04"/>', "0 0 .15"),
    grid("f", 2, count="3 2 1", pos="0 0 .02"),
    grid("g", 3, count="2 2 2", pos="0 0 .06", dof="trilinear"),
    grid("h", 1, count="4 1 1", pos="0 0 .06", contact='selfcollide="auto"'),
)
#: Cells whose nodes elastic forces tie together.
ELASTIC = MIXED.replace('dof="trilinear">', 'dof="trilinear" cellcount="1 1 1"><elasticity young="1e3"/>')
#: What has no formula.
GROUND = scene(
    '<geom type="hfield" hfield="hills" pos="0 0 -.1"/>',
    free('<geom type="mesh" mesh="rock"/>', "0 0 .2"),
    grid("f", 2, count="4 3 1", pos="0 0 .08"),
)
#: A cloth with a fold, which touches itself.
FOLDED = scene(
    FLOOR,
    grid("f", 2, count="6 3 1", pos="0 0 .04", radius=0.03, contact='selfcollide="auto"', euler="0 20 0"),
    grid("g", 1, count="6 1 1", pos="0 0 .06", radius=0.02, contact='selfcollide="auto"'),
)
SECTION = '<elasticity young="1e4" section="box" sectionsize=".02 .03"/>'
#: Rods, whose edges contacts rotate.
RODS = scene(
    FLOOR,
    free('<geom size=".06"/>', "0 0 .12"),
    grid("f", 1, count="5 1 1", pos="0 0 .02", inside='<elasticity young="1e4"/>'),
    grid("g", 1, count="4 1 1", pos="0 0 .05", inside='<elasticity young="1e4"/>', euler="0 0 70"),
)
#: Rods whose edges are boxes.
BOXED = scene(
    FLOOR,
    free('<geom type="box" size=".06 .05 .04"/>', "0 0 .1"),
    free('<geom type="capsule" size=".03 .05"/>', ".1 0 .12"),
    grid("f", 1, count="5 1 1", pos="0 0 .02", inside=SECTION),
    grid("g", 1, count="4 1 1", pos="0 0 .05", inside=SECTION, euler="0 0 70", contact='selfcollide="auto"'),
    grid("h", 1, count="4 1 1", pos="0 0 .04", euler="0 0 30"),
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


@pytest.mark.parametrize(
    "text",
    [SMALL, RODS, BOXED, pytest.param(MIXED, marks=pytest.mark.conformance)],
    ids=["small", "rods", "boxed", "mixed"],
)
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


@pytest.mark.parametrize(("lanes", "threads"), [(1, 1), (8, 1), (8, 2)])
@quiet()
def test_batches_give_the_same_bits(lanes: int, threads: int) -> None:
    check_batch(SMALL, "float64", threads, lanes)


@quiet()
def test_batches_of_boxed_rods_give_the_same_bits() -> None:
    check_batch(BOXED, "float64", 2, 8)


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "text",
    [MIXED, ELASTIC, GROUND, FOLDED, RODS, BOXED],
    ids=["mixed", "elastic", "ground", "folded", "rods", "boxed"],
)
@quiet()
def test_batches_of_all_kinds_give_the_same_bits(text: str, dtype: str) -> None:
    check_batch(text, dtype, 2, "auto" if text == MIXED else 8)


def check_batch(text: str, dtype: str, threads: int, lanes: int | str) -> None:
    """Worlds of a batch, and single ones."""
    model, n = model_of(text), 11
    start = positions(model, n)
    # which contacts there are is another matter in each world
    start[::3, 2::3] += 0.02
    batch = phalanx.BatchSim(model, n, dtype=dtype, threads=threads, lanes=lanes)
    batch.qpos[:] = start
    for _ in range(20):
        batch.step()
    counts = set()
    for world in range(n):
        data = model.make_data(dtype=dtype)
        data.qpos[:] = start[world]
        for _ in range(20):
            data.step()
        np.testing.assert_array_equal(batch.qpos[world], data.qpos)
        np.testing.assert_array_equal(batch.qvel[world], data.qvel)
        counts.add(int(data.ncon))
    assert len(counts) > 1
    assert max(counts) > 5


@pytest.mark.conformance
@quiet()
def test_worlds_whose_models_differ_give_the_same_bits() -> None:
    model, n = model_of(SMALL), 5
    start, radius = positions(model, n), np.linspace(0.08, 0.12, n)
    sizes = np.tile(model.geom_size, (n, 1, 1))
    sizes[:, 1, 0] = radius
    batch = phalanx.BatchSim(model, n, vary={"geom_size": sizes})
    batch.qpos[:] = start
    for _ in range(10):
        batch.step()
    for world in range(n):
        data = model.replace(geom_size=sizes[world]).make_data()
        data.qpos[:] = start[world]
        for _ in range(10):
            data.step()
        np.testing.assert_array_equal(batch.qpos[world], data.qpos)


@quiet()
def test_worlds_are_in_lanes_unless_contacts_tie_other_trees_in_each() -> None:
    assert choose_number(model_of(SMALL), 4, "float64", 4).width == 4
    assert choose_number(model_of(ELASTIC), 4, "float64", 4).width == 4
    assert choose_number(model_of(MIXED), 4, "float64", 4).width <= 1


@quiet()
def test_trees_that_carry_a_flex_are_no_heap() -> None:
    cloth = model_of(scene(grid("f", 2, count="9 9 1", inside='<edge equality="true"/>')))
    assert cloth.ntree == 81
    assert choose_number(cloth, 16, "float64", "auto").width == 8


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


def test_cells_without_contacts_do_not_feel_those_of_their_neighbors() -> None:
    """Couplings make an island of the cells in every world; where it has no row, the solver must not touch it."""
    model, n = phalanx.Model.from_xml_string(attack_models.TEXTS["discrete"]), 8
    rng = np.random.default_rng(3)
    qpos = model.qpos0 + 0.003 * rng.standard_normal((n, model.nq))
    qvel = 0.3 * rng.standard_normal((n, model.nv))
    found = []
    for lanes in (1, 8):
        batch = phalanx.BatchSim(model, n, lanes=lanes, threads=1)
        batch.qpos[:], batch.qvel[:] = qpos, qvel
        batch.step(120)
        found.append(batch.qpos.copy())
    np.testing.assert_array_equal(*found)
