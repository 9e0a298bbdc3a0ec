"""The Hessian of flexes that have an order of their own: against the order of dofs, and in all ways of running."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.binding import KEPT
from phalanx.constraint.hessian_size import count_hessian
from phalanx.memory.store import PlainView
from phalanx.solver.hessian import hessian_pattern
from phalanx.solver.islands import list_all
from phalanx.world.model import Model
from tests.constraint.test_hessian_size import put_rows
from tests.pipeline.test_elimination_order import MODELS, model_of, permuted_entries

BALL = '<geom type="plane" size="3 3 .1"/><geom size=".25" pos="0 0 .2"/>'
ELASTIC = '<elasticity young="3e4" poisson=".2" thickness="1e-2" damping="1e-3" elastic2d="both"/>'
SHEET = (
    '<flexcomp name="f" type="grid" dim="2" count="5 5 1" spacing=".12 .12 .1" mass=".5" radius=".02" pos="0 0 .48">'
    "{inside}<contact selfcollide='none' condim='{condim}'/></flexcomp>"
)
FALLING = "<body pos='.1 .1 .62'><freejoint/><geom size='.1'/></body>"
#: What holds the sheet together, and options.
SCENES = {
    "edges": ('<edge equality="true"/>', 3, 'cone="pyramidal"'),
    "edges elliptic": ('<edge equality="true"/>', 3, 'cone="elliptic"'),
    "edges frictionless": ('<edge equality="true"/>', 1, ""),
    "elastic": (ELASTIC, 3, 'integrator="discrete" cone="elliptic"'),
    "elastic conjugate": (ELASTIC, 3, 'integrator="discrete" solver="CG" tolerance="1e-12"'),
}
STEPS = 60


def scene(name: str) -> Model:
    """A sheet that falls on a ball, and another ball on it."""
    inside, condim, option = SCENES[name]
    sheet = SHEET.format(inside=inside, condim=condim)
    return Model.from_xml_string(
        f'<mujoco><option timestep="2e-3" {option}/><worldbody>{BALL}{FALLING}{sheet}</worldbody></mujoco>'
    )


def in_order_of_dofs(model: Model) -> Model:
    """The same model without an order of its own."""
    store = model._store
    dofs = np.arange(model.nv, dtype=store.arrays["dof_place"].dtype)
    plain = {"dof_place": dofs, "place_dof": dofs, "flg_order": np.zeros_like(store.arrays["flg_order"])}
    return Model._made(store.sizes, {**store.arrays, **plain}, {}, model._vis, model._report)


@pytest.mark.parametrize("name", SCENES)
def test_forces_do_not_depend_on_the_order(name):
    model = scene(name)
    assert model.flg_order
    data, other = model.make_data(), in_order_of_dofs(model).make_data()
    touched = 0
    for _ in range(STEPS):
        for field in ("qpos", "qvel", "qacc_warmstart"):
            getattr(other, field)[:] = getattr(data, field)
        data.step()
        other.step()
        touched = max(touched, data.ncon)
        assert data.nefc == other.nefc
        scale = np.abs(other.qacc).max()
        assert np.abs(data.qacc - other.qacc).max() <= 1e-9 * scale
    assert touched > 3


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_patterns_of_random_rows_are_those_of_an_elimination(name, seed):
    model, rng = model_of(MODELS[name]), np.random.default_rng(seed)
    data = model.make_data()
    for count in (1, 5, 40):
        rows = [sorted(rng.choice(model.nv, rng.integers(1, 9), replace=False).tolist()) for _ in range(count)]
        put_rows(data._store, rows)
        m, d = PlainView(model._store), PlainView(data._store)
        count_hessian(m, d)
        expected = permuted_entries(model, rows)
        assert d.nH == expected
        data._store.resize("nH", expected)
        data._store.arrays["efc_pack"].fill(1)
        d = PlainView(data._store)
        list_all(m, d)
        assert hessian_pattern(m, d) == expected


def test_trees_that_may_sleep_keep_the_order_of_their_dofs():
    inside, condim, _ = SCENES["edges"]
    text = (
        f'<mujoco><option timestep="2e-3"><flag sleep="enable"/></option><worldbody>{BALL}{FALLING}'
        f"{SHEET.format(inside=inside, condim=condim)}</worldbody></mujoco>"
    )
    data, other = Model.from_xml_string(text).make_data(), scene("edges").make_data()
    for _ in range(STEPS):
        for field in ("qpos", "qvel", "qacc_warmstart"):
            getattr(data, field)[:] = getattr(other, field)
        data.step()
        other.step()
        assert np.abs(data.qacc - other.qacc).max() <= 1e-9 * np.abs(other.qacc).max()


def scattered(model: Model, count: int) -> list[phalanx.Data]:
    """Worlds at different moments of the fall, each pushed in its own way."""
    rng, worlds = np.random.default_rng(5), []
    for number in range(count):
        data = model.make_data()
        data.qvel[:] = rng.normal(0.0, 0.05, model.nv)
        worlds.append(data.step(12 * number))
    return worlds


@pytest.mark.parametrize("name", SCENES)
def test_a_world_in_lanes_is_that_world_alone(name):
    model = scene(name)
    worlds = scattered(model, 9)
    for lanes, threads in ((8, 1), (4, 2), (1, 2)):
        batch = phalanx.BatchSim(model, len(worlds), lanes=lanes, threads=threads)
        for number, data in enumerate(worlds):
            for field in KEPT:
                getattr(batch, field)[number] = getattr(data, field)
        batch.step(3)
        for number, data in enumerate(worlds):
            alone = data.copy().step(3)
            assert batch.qpos[number].tobytes() == alone.qpos.tobytes(), (lanes, number)
            assert batch.qvel[number].tobytes() == alone.qvel.tobytes(), (lanes, number)


@pytest.mark.parametrize("name", ["edges elliptic", "elastic"])
def test_interpreted_bits_are_the_compiled_ones(name):
    model = scene(name)
    data = scattered(model, 5)[4]
    assert data.step().ncon > 0
    with interpreted():
        again = model.make_data()
        again.restore(data.snapshot())
        again.step()
    data.step()
    assert again.qpos.tobytes() == data.qpos.tobytes() and again.qvel.tobytes() == data.qvel.tobytes()
