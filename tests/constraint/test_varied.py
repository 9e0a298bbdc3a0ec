"""Models that differ by world: rows in lanes have the bits of each world's own model."""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.batch.vary import group_models, model_of_world
from phalanx.constraint.make_constraint import make_constraint
from phalanx.constraint.reference import reference_constraint
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import Store
from phalanx.native import runtime as compiler
from phalanx.tables.scratch_fields import CAPACITY
from tests.conformance.models import make_data
from tests.constraint.scenes import BODIES, EQUALITIES, scene
from tests.constraint.test_lanes import LANES, LIMITS, Rows, assert_equal_rows, assert_inert

NUMBER = NumberType("float64", LANES)
BEFORE = ("kinematics", "com_pos", "make_m", "factor_m", "com_vel")


@kernel
def stages(m, d):
    make_constraint(m, d)
    reference_constraint(m, d)
    return 0


@cache
def native() -> compiler.NativeEntry:
    def build() -> Any:
        from phalanx.memory.view import view_at

        model_at = view_at("model", NUMBER, True)
        data_at = view_at("data", NUMBER, False)

        def entry(m, d):
            return stages(model_at(m), data_at(d))

        return entry

    return compiler.load(compiler.Entry("test_varied_constraints", build, 2))


def lane_data(model: phalanx.Model, worlds: list[phalanx.Data], rows: int, entries: int) -> Store:
    """The memory of a lane group, filled from its worlds."""
    store = Store(DATA_SCHEMA, worlds[0]._store.sizes | {"nefc": rows, "nJ": entries}, NUMBER)
    store.allocate_all()
    for size, capacity in CAPACITY.items():
        store.arrays[capacity][...] = store.sizes[size]
    for name, row in DATA_SCHEMA.fields.items():
        if DATA_SCHEMA.lanes(row) and not row.live:
            store.arrays[name][...] = np.stack([data._store.arrays[name] for data in worlds], -1)
    return store


def test_numbers_of_the_model_that_differ_by_world() -> None:
    theirs = scene(f"<equality>{''.join(EQUALITIES.values())}</equality>", BODIES, "", 'diagexact="enable"', LIMITS)
    model, rng = phalanx.Model.from_mujoco(theirs), np.random.default_rng(0)

    def vary(name: str, low: float, high: float) -> np.ndarray:
        value = getattr(model, name)
        return value * rng.uniform(low, high, (LANES, *np.shape(value)))

    varied = {
        "dof_frictionloss": vary("dof_frictionloss", 0.5, 2.0) * rng.integers(0, 2, (LANES, model.nv)),
        "jnt_range": vary("jnt_range", 0.5, 3.0),
        "jnt_solimp": vary("jnt_solimp", 0.9, 1.1),
        "eq_solref": vary("eq_solref", 0.5, 2.0) * rng.choice([-1.0, 1.0], (LANES, model.neq, 1)),
    }
    worlds = []
    for world in range(LANES):
        data = make_data(model_of_world(model, varied, world))
        mujoco.mj_integratePos(theirs, data.qpos, rng.normal(size=theirs.nv), 1.0)
        data.qvel[:] = rng.normal(size=theirs.nv)
        for stage in (*BEFORE, "make_constraint", "reference_constraint"):
            data.run(stage)
        worlds.append(data)
    store = lane_data(model, worlds, 500, 5000)
    (models,) = group_models(model, varied, LANES, NUMBER)
    native()(models.address, store.address)
    assert int(store.arrays["nefc"]) > max(data.nefc for data in worlds)
    for world, data in enumerate(worlds):
        rows = Rows(store.arrays, model.nv, world)
        assert_inert(rows)
        assert_equal_rows(rows, data, model.nv)
