"""Memory of a Data grows with what its scene uses, and results do not depend on when it grew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch.runs import run_until_done
from phalanx.memory.growth import lacks_memory
from phalanx.memory.store import PlainView
from phalanx.tables.scratch_fields import CAPACITY
from phalanx.tables.sizes import LARGEST_INT
from tests.constraint.test_hessian_size import heap

FIELDS = ("qpos", "qvel", "qacc", "efc_force", "qfrc_constraint", "contact_dist")


def resting(count: int, option: str = "") -> Any:
    """Balls on a plane that do not touch each other."""
    side = int(np.ceil(count**0.5))
    balls = "".join(
        f'<body pos="{0.3 * (k % side)} {0.3 * (k // side)} .0999"><freejoint/><geom size=".1"/></body>'
        for k in range(count)
    )
    xml = f'<mujoco><option {option}/><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'
    return phalanx.Model.from_xml_string(xml)


def with_room(model: Any) -> Any:
    """A Data that has all memory ahead."""
    data = model.make_data()
    for size in CAPACITY:
        data._store.resize(size, model.nv * (model.nv + 1) // 2)
    return data


def assert_same_bits(data: Any, other: Any) -> None:
    for name in FIELDS:
        assert getattr(data, name).tobytes() == getattr(other, name).tobytes(), name


# --- how much


def test_memory_grows_with_the_count_of_balls():
    """At rest and in the air: twice the balls take at most twice the memory."""
    sizes: dict[str, list[int]] = {"model": [], "new": [], "used": []}
    for count in (100, 200, 400):
        model = resting(count)
        data = model.make_data()
        sizes["model"].append(model.nbytes)
        sizes["new"].append(data.nbytes)
        data.step(3)
        assert data.ncon == count
        sizes["used"].append(data.nbytes)
    for kind, (one, two, four) in sizes.items():
        # 25 % for memory that does not depend on the scene, and for rounding of what grows
        assert four - two <= 1.25 * 2 * (two - one), kind
        assert four <= 4 * one, kind
    assert sizes["used"][-1] < 400 * 16_000


@pytest.mark.parametrize("option", ['solver="CG"', 'solver="PGS"', 'cone="elliptic"', 'noslip_iterations="2"'])
def test_memory_of_other_solvers_grows_with_the_count_of_balls(option):
    found = []
    for count in (64, 128, 256):
        found.append(resting(count, option).make_data().step(2).nbytes)
    assert found[2] <= 4 * found[0]


def test_bytes_of_a_data_are_those_of_its_arrays():
    data = resting(40).make_data().step(2)
    total = sum(array.nbytes for array in data._store.arrays.values())
    assert total <= data.nbytes <= total + 64 * len(data._store.arrays)


def test_bytes_of_a_model_count_single_precision():
    model = resting(40)
    before = model.nbytes
    model.make_data("float32")
    assert before < model.nbytes < 2 * before


def test_bytes_of_a_batch_count_worlds_and_what_differs():
    model = resting(40)
    few, many = phalanx.BatchSim(model, 2, threads=1), phalanx.BatchSim(model, 4, threads=1)
    assert many.nbytes - few.nbytes == 2 * sum(few._arrays[name][0].nbytes for name in few._arrays)
    before = few.nbytes
    few.step()
    assert few.nbytes > before
    friction = np.tile(model.geom_friction, (2, 1, 1))
    varied = phalanx.BatchSim(model, 2, threads=1, vary={"geom_friction": friction})
    of_worlds = sum(array.nbytes for array in varied._arrays.values())
    assert of_worlds + 2 * friction.nbytes <= varied.nbytes <= of_worlds + 2 * friction.nbytes + few.nbytes


def test_models_with_thousands_of_balls_load_and_step():
    balls = '<replicate count="50" offset=".3 0 0"><replicate count="40" offset="0 .3 0">'
    balls += '<body pos="0 0 .0999"><freejoint/><geom size=".1"/></body></replicate></replicate>'
    xml = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'
    model = phalanx.Model.from_xml_string(xml)
    data = model.make_data().step(2)
    assert data.ncon == 2000
    # MuJoCo has 40 MB resident for the same scene
    assert model.nbytes + data.nbytes < 40e6
    batch = phalanx.BatchSim(model, 8, threads=2)
    batch.step(2)
    assert batch.qpos[7].tobytes() == data.qpos.tobytes()
    assert batch.nbytes < 100e6


# --- growing


@pytest.mark.parametrize("option", ["", 'cone="elliptic"', 'integrator="RK4"', 'solver="PGS"'])
def test_growing_keeps_the_bits_of_memory_that_was_there(option):
    model = phalanx.Model.from_xml_string(heap(40, option))
    data, ahead = model.make_data(), with_room(model)
    for _ in range(4):
        data.step(5)
        ahead.step(5)
        assert_same_bits(data, ahead)
    assert data.nbytes < ahead.nbytes


def test_interpreted_growing_keeps_the_bits():
    model = phalanx.Model.from_xml_string(heap(31))
    data, plain = model.make_data().step(), model.make_data()
    run_until_done("step", model._store, plain._store, 1)
    assert plain._store.sizes["nheap"] == data._store.sizes["nheap"] > 0
    assert_same_bits(data, plain)


@pytest.mark.parametrize("lanes", [1, 4])
def test_growing_in_a_batch_keeps_the_bits(lanes):
    model = phalanx.Model.from_xml_string(heap(31))
    worlds = [model.make_data() for _ in range(5)]
    batch = phalanx.BatchSim(model, 5, lanes=lanes, threads=2)
    for k, data in enumerate(worlds):
        data.qvel[2::6] = -0.3 * k
        batch.qvel[k, 2::6] = -0.3 * k
        data.step(8)
    batch.step(8)
    for k, data in enumerate(worlds):
        assert batch.qpos[k].tobytes() == data.qpos.tobytes()


def test_hooks_are_called_once_in_a_step_that_grows():
    def count(m, d):
        d.userdata[0] = d.userdata[0] + 1.0

    xml = heap(31).replace("<worldbody>", '<size nuserdata="1"/><worldbody>')
    data = phalanx.Model.from_xml_string(xml).with_hooks(control=count).make_data()
    data.step(7)
    assert data._store.sizes["nH"] > 0 and data._store.sizes["nheap"] > 0
    assert data.userdata[0] == 7


def test_rows_of_a_snapshot_are_counted_anew():
    """A Data that is restored has memory for the factor of other rows than those it has."""
    model = phalanx.Model.from_xml_string(heap(31))
    high = model.make_data()
    high.qpos[2::7] += 5
    high.step()
    low = model.make_data().step(3)
    high.restore(low.snapshot())
    assert all(int(high._store.arrays[count]) == 0 for count in ("nH", "nfill", "nheap"))
    assert_same_bits(high.step(), low.step())


def test_too_little_memory_is_an_error_that_keeps_the_state(monkeypatch):
    model = phalanx.Model.from_xml_string(heap(31))
    data = model.make_data()
    before = data.qpos.copy()

    def none(*_: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(phalanx.OutOfMemoryError, match="that before the step"):
        patch.setattr(type(data._store), "resize", none)
        data.step()
    assert data.time == 0
    np.testing.assert_array_equal(data.qpos, before)
    assert_same_bits(data.step(), model.make_data().step())


def test_a_factor_beyond_integers_names_a_solver_that_needs_none():
    data = phalanx.Model.from_xml_string(heap(31)).make_data()
    data._store.arrays["nheap"].fill(LARGEST_INT)
    assert lacks_memory(PlainView(data._store))
    with pytest.raises(phalanx.OutOfMemoryError, match='solver="CG"'):
        data._store.grow()
