"""Entries of the factor of the Hessian, counted, against an elimination that lists them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.constraint.hessian_size import count_hessian
from phalanx.memory.store import PlainView, Store


def entries_of_factor(model: Any, rows: list[list[int]]) -> int:
    """The slow way: the pattern of M + J' J as a matrix, eliminated from the last dof to the first."""
    full = np.eye(model.nv, dtype=bool)
    for dof in range(model.nv):
        start = model.M_rowadr[dof]
        full[dof, model.M_colind[start : start + model.M_rownnz[dof]]] = True
    for columns in rows:
        full[np.ix_(columns, columns)] = True
    full = np.tril(full)
    for dof in range(model.nv - 1, -1, -1):
        columns = np.flatnonzero(full[dof, :dof])
        full[np.ix_(columns, columns)] |= np.tril(np.ones((len(columns),) * 2, bool))
    return int(full.sum())


def rows_of(data: Any) -> list[list[int]]:
    """Columns of the rows of J."""
    starts = zip(data.efc_J_rowadr, data.efc_J_rownnz, strict=True)
    return [data.efc_J_colind[start : start + count].tolist() for start, count in starts]


def random_tree(rng: np.random.Generator, depth: int) -> str:
    """A body with hinges and random children."""
    joints = "".join(f'<joint axis="{x} 0 1"/>' for x in range(rng.integers(1, 3)))
    children = "".join(random_tree(rng, depth - 1) for _ in range(rng.integers(0, 3))) if depth else ""
    return f'<body pos=".1 .2 .3">{joints}<geom size=".1" pos=".1 0 .2"/>{children}</body>'


def random_model(seed: int) -> Any:
    """Trees of hinges, free bodies with a diagonal block of M, and free bodies without."""
    rng, bodies = np.random.default_rng(seed), []
    for _ in range(8):
        offset = rng.choice(["0 0 0", ".1 .2 0"])
        free = f'<body><freejoint/><geom type="box" size=".1 .2 .3" pos="{offset}"/></body>'
        bodies.append(free if rng.random() < 0.5 else random_tree(rng, 3))
    return phalanx.Model.from_xml_string(f"<mujoco><worldbody>{''.join(bodies)}</worldbody></mujoco>")


def put_rows(store: Store, rows: list[list[int]]) -> None:
    """Rows with these columns, and nothing else."""
    for size, count in (("nefc", len(rows)), ("nJ", sum(map(len, rows)))):
        store.resize(size, count)
        store.arrays[size].fill(count)
    store.arrays["efc_J_rownnz"][:] = [len(row) for row in rows]
    store.arrays["efc_J_rowadr"][:] = np.cumsum([0, *map(len, rows)])[:-1]
    store.arrays["efc_J_colind"][:] = [dof for row in rows for dof in row]


@pytest.mark.parametrize("seed", range(12))
def test_count_of_random_patterns_is_that_of_an_elimination(seed):
    model, rng = random_model(seed), np.random.default_rng(seed)
    data = model.make_data()
    for count in (1, 2, 5, 20):
        rows = [sorted(rng.choice(model.nv, rng.integers(1, 9), replace=False).tolist()) for _ in range(count)]
        rows = [row for row in rows for _ in range(2)]
        put_rows(data._store, rows)
        count_hessian(PlainView(model._store), PlainView(data._store))
        assert int(data._store.arrays["nH"]) == entries_of_factor(model, rows)


def heap(count: int, option: str = "") -> str:
    """Balls that touch each other and the floor."""
    side = int(np.ceil(count ** (1 / 3)))
    places = [(k % side, k // side % side, k // side**2) for k in range(count)]
    balls = "".join(
        f'<body pos="{0.199 * x} {0.199 * y} {0.0999 + 0.199 * z}"><freejoint/><geom size=".1"/></body>'
        for x, y, z in places
    )
    return f'<mujoco><option {option}/><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'


@pytest.mark.parametrize("count", [31, 80])
def test_compiled_count_of_a_heap_is_that_of_an_elimination(count):
    def nothing(m, d):
        return

    # with a hook it is counted for all islands, before any solver runs
    model = phalanx.Model.from_xml_string(heap(count)).with_hooks(control=nothing)
    data = model.make_data()
    for _ in range(3):
        data.step(5)
        data.forward()
        assert int(data._store.arrays["nH"]) == entries_of_factor(model, rows_of(data))


def test_robots_have_room_for_any_factor_from_the_start():
    arms = "".join(random_tree(np.random.default_rng(k), 2) for k in range(3))
    model = phalanx.Model.from_xml_string(f"<mujoco><worldbody>{arms}</worldbody></mujoco>")
    assert model.make_data()._store.sizes["nH"] == model.nv * (model.nv + 1) // 2
