"""The sweep over boxes: it finds all pairs that overlap, and the work it does grows with the number of bodies.

Work is counted, not timed. The sweep runs interpreted on spheres put anywhere; their order in contacts is tested in
`test_mechanisms`.
"""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.number_type import NumberType
from phalanx.collision.broad import candidates
from phalanx.collision.broad.broadphase import broadphase, filter_pairs, sort_pairs
from phalanx.collision.broad.sweep import sweep
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.tables.data_fields import VARIABLE_SIZES
from tests.conformance.models import make_data

RADIUS = 0.05
#: Pairs per body that memory has room for.
MOST_FOUND = 40


@pytest.fixture(autouse=True)
def _swept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small scenes are swept, too."""
    monkeypatch.setattr(candidates, "MAX_CANDIDATES", -1)


def spheres(radii: np.ndarray) -> mujoco.MjModel:
    """Spheres of which only the places count: with one joint each, models of many are small."""
    bodies = "".join(f'<body><joint type="slide"/><geom size="{radius}" mass="1"/></body>' for radius in radii)
    return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")


@cache
def model_of(radii: tuple[float, ...]) -> phalanx.Model:
    return phalanx.Model.from_mujoco(spheres(np.array(radii)))


def swept(positions: np.ndarray, radii: np.ndarray) -> Store:
    """Memory after an interpreted sweep over spheres."""
    model = model_of(tuple(radii.tolist()))
    store = Store(DATA_SCHEMA, {**model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, NumberType("float64"))
    store.allocate_all()
    store.arrays["ximat"][:] = np.eye(3).reshape(store.arrays["ximat"].shape[1:])
    store.arrays["xipos"][1:] = positions
    m, d = PlainView(model._store), PlainView(store)
    d.nsweep = MOST_FOUND * len(radii)
    store.grow()
    with np.errstate(all="ignore"):
        d.nsweep = 0
        sweep(m, d)
        assert d.nsweep <= d.sweep_capacity
        filter_pairs(m, d)
        sort_pairs(m, d)
    return store


def found_pairs(store: Store) -> list[tuple[int, int]]:
    ends, partners = store.arrays["sweep_end"], store.arrays["sweep_partner"]
    starts = np.concatenate([[0], ends[:-1]])
    return [(body, int(b)) for body, (i, j) in enumerate(zip(starts, ends, strict=True)) for b in partners[i:j]]


def overlapping_pairs(positions: np.ndarray, radii: np.ndarray) -> list[tuple[int, int]]:
    """All pairs of bodies whose boxes overlap, each compared with each."""
    low, high = positions - radii[:, None], positions + radii[:, None]
    overlaps = ((low[:, None] <= high) & (low <= high[:, None])).all(axis=2)
    return [(int(i) + 1, int(j) + 1) for i, j in np.argwhere(np.triu(overlaps, 1))]


# --- scenes: positions and radii


def plain(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Spheres all over a floor, at the same density whatever their number."""
    rng = np.random.default_rng(count)
    side = 3 * RADIUS * np.sqrt(count)
    return rng.uniform(0, [side, side, 0.1 * RADIUS], (count, 3)), np.full(count, RADIUS)


def heap(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Spheres all over a cube."""
    rng = np.random.default_rng(count)
    return rng.uniform(0, 2.5 * RADIUS * count ** (1 / 3), (count, 3)), np.full(count, RADIUS)


def chain(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Spheres in a line along a diagonal, each overlapping its neighbors."""
    return np.arange(count)[:, None] * np.array([1.0, 1.0, 1.0]) * RADIUS, np.full(count, RADIUS)


def with_one_gone(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A heap, and a sphere that flew far away in all directions."""
    positions, radii = heap(count)
    positions[count // 2] = (1e3, -2e3, 3e3)
    return positions, radii


def with_one_large(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A heap in a sphere around all of it."""
    positions, radii = heap(count)
    radii[count // 3] = 5 * RADIUS * count ** (1 / 3)
    return positions, radii


def of_all_sizes(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Few large and many small spheres in a heap."""
    positions, _ = heap(count)
    return positions, RADIUS * np.random.default_rng(count).pareto(1.5, count).clip(0.05, 50)


def all_in_one_place(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.ones((count, 3)), np.full(count, RADIUS)


SCENES = (plain, heap, chain, with_one_gone, with_one_large, of_all_sizes, all_in_one_place)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("count", [2, 3, 20, 80])
def test_all_pairs_that_overlap_are_found(scene, count: int) -> None:
    positions, radii = scene(count)
    assert found_pairs(swept(positions, radii)) == overlapping_pairs(positions, radii)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_axes_are_alike(order: tuple[int, int, int]) -> None:
    positions, radii = plain(100)
    positions = positions[:, order]
    assert found_pairs(swept(positions, radii)) == overlapping_pairs(positions, radii)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_positions_that_are_no_place_do_no_harm(bad: float) -> None:
    positions, radii = heap(60)
    positions[[3, 20]] = bad
    usual = {pair for pair in overlapping_pairs(positions, radii) if not {4, 21} & set(pair)}
    assert usual <= set(found_pairs(swept(positions, radii)))


def test_compiled_sweeps_examine_the_same() -> None:
    positions, radii = heap(200)
    data = make_data(model_of(tuple(radii.tolist())))
    data.run("kinematics").run("com_pos")
    data.xipos[1:], data.geom_xpos[:] = positions, positions
    data.run("collision")
    names = ("nexamined", "nsweep", "nclose", "close_geom1", "close_geom2")
    compiled = {name: data._store.arrays[name].copy() for name in names}
    m, d = PlainView(data.model._store), PlainView(data._store)
    d.nsweep, d.nclose = 0, 0
    broadphase(m, d)
    for name, values in compiled.items():
        np.testing.assert_array_equal(data._store.arrays[name], values, err_msg=name)


# --- work

#: Pairs compared per body, at most, and how much it may grow when bodies become 16 times as many.
MOST_PER_BODY, MOST_GROWTH = 12.0, 1.5


def examined_per_body(positions: np.ndarray, radii: np.ndarray) -> float:
    return int(swept(positions, radii).arrays["nexamined"]) / len(radii)


@pytest.mark.parametrize("scene", [plain, heap, chain, with_one_gone])
def test_work_per_body_stays_bounded(scene) -> None:
    few, many = examined_per_body(*scene(100)), examined_per_body(*scene(1600))
    assert many < MOST_PER_BODY
    assert many < MOST_GROWTH * max(few, 1.0)
