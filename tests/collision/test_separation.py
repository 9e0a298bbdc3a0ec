"""What is tried before a search: it spares searches, and no contact depends on it."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.collision.broad.bounds import has_box_at_plane
from phalanx.collision.broad.terrain import has_box_at_field
from phalanx.collision.convex.separation import is_apart, keep_together
from phalanx.collision.convex.support import set_shape
from phalanx.collision.convex.table import support
from phalanx.collision.geom.table import reach
from phalanx.memory.store import PlainView
from phalanx.tables.geoms import CONVEX, GEOMS
from tests.collision.harness import Pair
from tests.collision.test_convex import ASSETS, geom
from tests.collision.test_hfield import FieldPair

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
#: Meshes of few vertices and of many.
SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "tetrahedron", "big")

#: Bodies of all convex types in a bowl of two walls, close together.
HEAP = f"""<mujoco>
  <asset>{ASSETS}</asset>
  <worldbody>
    <geom type="plane" size="0 0 1" euler="12 0 0"/><geom type="plane" size="0 0 1" euler="-12 8 0"/>
    {{bodies}}
  </worldbody>
</mujoco>"""
KINDS = ("hull", "box", "ellipsoid", "cylinder", "big", "capsule", "cube", "sphere")


def heap() -> phalanx.Model:
    """A model of eight bodies that fall on each other."""
    rng, bodies = np.random.default_rng(3), ""
    for k, kind in enumerate(KINDS):
        pos = " ".join(map(str, (0.1 * rng.normal(), 0.1 * rng.normal(), 0.3 + 0.2 * k)))
        bodies += f'<body pos="{pos}"><freejoint/>{geom(kind)}</body>'
    return phalanx.Model.from_xml_string(HEAP.format(bodies=bodies))


def starts(model: phalanx.Model, count: int) -> np.ndarray:
    """Velocities of some worlds, each different."""
    return np.random.default_rng(7).normal(size=(count, model.nv))


def scramble(data: phalanx.Data, rng: np.random.Generator) -> None:
    """Fill what is remembered with directions of all kinds, for pairs that exist and pairs that do not."""
    arrays = data._store.arrays
    rows = arrays["apart_direction"]
    rows[...] = rng.normal(size=rows.shape) * rng.choice([1.0, 0.0, np.nan, np.inf, 1e300, 1e-300], (len(rows), 1))
    arrays["apart_count"][...] = rng.integers(-2, 9, arrays["apart_count"].shape)
    known = rng.random(len(arrays["apart_geom"])) < 0.1
    arrays["apart_geom"][known] = rng.integers(0, data.model.ngeom, (known.sum(), 2))


def fallen(model: phalanx.Model, velocity: np.ndarray, steps: int, before: str) -> bytes:
    """The end of a fall in one world; `before` each step memory is kept, cleared or scrambled."""
    data, rng = model.make_data(), np.random.default_rng(1)
    data.qvel[:] = velocity
    contacts = 0
    for _ in range(steps):
        if before == "cleared":
            data._store.arrays["apart_count"][...] = 0
        if before == "scrambled":
            scramble(data, rng)
        data.step()
        contacts += data.ncon
    assert contacts > 20
    return data.qpos.tobytes() + data.qvel.tobytes()


# --- contacts do not depend on what is remembered


def test_what_is_remembered_changes_no_bit():
    model = heap()
    for velocity in starts(model, 3):
        expected = fallen(model, velocity, 120, "cleared")
        assert fallen(model, velocity, 120, "kept") == expected
        assert fallen(model, velocity, 120, "scrambled") == expected


@pytest.mark.parametrize("base", ["float64", "float32"])
def test_lanes_threads_and_order_of_worlds_change_no_bit(base):
    model = heap()
    velocities = starts(model, 12)

    def run(order: np.ndarray, **options: Any) -> np.ndarray:
        with phalanx.BatchSim(model, len(order), dtype=base, **options) as batch:
            batch.qvel[:] = velocities[order]
            batch.step(60)
            end = np.empty_like(np.asarray(batch.qpos))
            end[order] = batch.qpos
            return end

    forward = np.arange(len(velocities))
    expected = run(forward, lanes=1, threads=1).tobytes()
    assert run(forward, threads=1).tobytes() == expected
    assert run(forward[::-1], threads=2).tobytes() == expected


def test_interpreted_has_the_bits_of_compiled():
    model = heap()
    velocity = starts(model, 1)[0]
    expected = fallen(model, velocity, 120, "kept")
    data = model.make_data()
    data.qvel[:] = velocity
    data.step(118)
    with interpreted():
        plain = model.make_data()
        plain.set_state(data.get_state())
        plain.qacc_warmstart[:] = data.qacc_warmstart
        plain.step(2)
    assert plain.qpos.tobytes() + plain.qvel.tobytes() == expected


# --- a search is spared


def searches(data: phalanx.Data) -> int:
    """How many directions are remembered."""
    return int(data._store.arrays["apart_count"].sum())


def test_a_direction_that_still_separates_spares_the_search():
    pair = Pair(geom("box"), geom("big"), assets=ASSETS)
    data = pair.model.make_data()
    arrays, found = data._store.arrays, False
    for pose in pair.poses(300, seed=2, spread=0.8):
        data.qpos[:] = pose
        arrays["apart_count"][...] = 0
        data.forward()
        # the boxes overlap and the shapes do not
        if data.ncon == 0 and searches(data) == 1:
            found = True
            data.forward()
            before = arrays["apart_direction"].copy()
            data.forward()
            assert (arrays["apart_direction"] == before).all()
    assert found


def test_a_pair_in_contact_forgets():
    pair = Pair(geom("box"), geom("big"), assets=ASSETS)
    data = pair.model.make_data()
    data.qpos[:] = [0.05, 0, 0, 1, 0, 0, 0]
    data._store.arrays["apart_count"][...] = 4
    data._store.arrays["apart_geom"][...] = [0, 1]
    for _ in range(5):
        data.forward()
        assert data.ncon > 0
    assert data._store.arrays["apart_count"].min() == 0


# --- what is tried is right


def view_of(pair: Pair, pose: np.ndarray) -> tuple[PlainView, PlainView]:
    """Model and data as kernels see them, interpreted, at a pose."""
    store = pair.store(NumberType("float64"))
    pair.place(pose)
    for name in ("geom_xpos", "geom_xmat"):
        store.arrays[name][...] = getattr(pair.mjdata, name)
    return PlainView(pair.model._store), PlainView(store)


@pytest.mark.parametrize("name", SHAPES)
def test_reach_is_the_height_of_the_support_point(name):
    pair = Pair(geom("sphere"), geom(name), assets=ASSETS)
    m, d = view_of(pair, np.array([0.0, 0, 0, 1, 0, 0, 0]))
    kind, size, mesh = int(m.geom_type[1]), tuple(m.geom_size[1]), int(m.geom_dataid[1])
    set_shape(m, d, 1, kind, ((0.0, 0.0, 0.0), IDENTITY, size, mesh), 0.0)
    rng = np.random.default_rng(4)
    for direction in [*rng.normal(size=(40, 3)), *np.eye(3), *-np.eye(3)]:
        direction = tuple(direction / np.linalg.norm(direction))
        height = np.dot(support(kind, m, d, 1, direction), direction)
        assert reach(kind, m, mesh, size, direction) == pytest.approx(height, rel=1e-12, abs=1e-15)


def test_every_convex_type_has_a_reach():
    m, _ = view_of(Pair(geom("sphere"), geom("big"), assets=ASSETS), np.array([0.0, 0, 0, 1, 0, 0, 0]))
    for kind in CONVEX:
        assert reach(int(kind), m, 0, (0.1, 0.2, 0.3), (0.0, 0.6, 0.8)) < 10.0, GEOMS[kind].tag


@pytest.mark.parametrize("first,second", [("ellipsoid", "box"), ("cylinder", "big"), ("hull", "big"), ("box", "cube")])
def test_geoms_that_are_shown_to_be_apart_are_apart(first, second):
    pair = Pair(geom(first), geom(second), margin=0.01, assets=ASSETS)
    rng, shown, near = np.random.default_rng(5), 0, np.bool_(True)
    for pose in pair.poses(150, seed=6):
        m, d = view_of(pair, pose)
        contacts = len(pair.mujoco(pose))
        for direction in [pose[:3], *rng.normal(size=(2, 3))]:
            direction = tuple(direction / np.linalg.norm(direction))
            if is_apart(m, d, 0, 1, direction, near, pair.margin, 0.0):
                shown += 1
                assert contacts == 0
    assert shown > 5


def test_geoms_exactly_at_the_margin_are_searched():
    pair = Pair('<geom type="ellipsoid" size=".1 .1 .1"/>', '<geom type="box" size=".1 .1 .1"/>')
    for gap, expected in ((-1e-9, True), (0.0, True), (1e-9, True), (1e-4, False)):
        m, d = view_of(pair, np.array([0.2 + gap, 0, 0, 1, 0, 0, 0]))
        d.apart_geom[...], d.apart_count[...] = [0, 1], 1
        d.apart_direction[...] = [1.0, 0.0, 0.0]
        assert bool(keep_together(m, d, 0, 1, 0.0, np.bool_(True))) == expected


@pytest.mark.parametrize("name", ["big", "plate", "tetrahedron"])
def test_a_mesh_whose_box_is_above_a_plane_has_no_contact(name):
    pair = Pair('<geom type="plane" size="1 1 1" euler=".3 .2 0"/>', geom(name), margin=0.01, assets=ASSETS)
    above = 0
    for pose in pair.poses(300, seed=8):
        m, d = view_of(pair, pose)
        if not has_box_at_plane(m, d, 0, 1, pair.margin):
            above += 1
            assert not pair.mujoco(pose)
    assert above > 5


@pytest.mark.parametrize("field", ["bumps", "fine", "steps", "coarse"])
def test_a_geom_whose_box_is_above_the_ground_has_no_contact(field):
    pair = FieldPair(field, geom("big"), margin=0.01)
    rng, above, near = np.random.default_rng(9), 0, np.bool_(True)
    for _ in range(150):
        quat = rng.normal(size=4)
        pos = rng.uniform(-1.2, 1.2, 3) * (pair.size[0], pair.size[1], 0.5)
        pose = np.hstack([pos, quat / np.linalg.norm(quat)])
        m, d = view_of(pair, pose)
        if not has_box_at_field(m, d, 0, 1, pair.margin, near):
            above += 1
            assert not pair.mujoco(pose)
    assert above > 5


def test_a_robot_on_a_height_field_stands_as_in_mujoco():
    """A box that falls on bumps: contacts appear when MuJoCo's do."""
    pair = FieldPair("bumps", geom("box"))
    data, mjdata = pair.model.make_data(), mujoco.MjData(pair.mjmodel)
    for height in np.linspace(0.8, 0.0, 60):
        pose = [0.1, -0.05, height, 0.9, 0.3, 0.2, 0.1]
        data.qpos[:], mjdata.qpos[:] = pose, pose
        data.forward()
        mujoco.mj_forward(pair.mjmodel, mjdata)
        assert data.ncon == mjdata.ncon
