"""In which order vertices of flexes are eliminated: it is one of all dofs, keeps chains, and fills in less."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import phalanx
from tests.constraint.test_hessian_size import entries_of_factor

SIZE = 'spacing=".1 .1 .1" mass="1" radius=".01"'
CLOTH = f'<flexcomp name="f" dim="2" count="8 8 1" {SIZE} {{dof}}><pin id="0 1"/>{{edge}}</flexcomp>'
SOLID = f'<flexcomp name="f" dim="3" count="3 6 6" {SIZE} {{dof}}><pin id="0 1"/>{{edge}}</flexcomp>'
ROPE = f'<flexcomp name="f" dim="1" count="30 1 1" {SIZE} {{dof}}><pin id="0 1"/>{{edge}}</flexcomp>'
EDGE = '<edge equality="true"/>'
CELLS = 'dof="trilinear" cellcount="2 5 5"'


def model_of(flex: str, option: str = "") -> phalanx.Model:
    """A flex in a body that hangs on two hinges, and a free body after it."""
    return phalanx.Model.from_xml_string(
        f"<mujoco><option {option}/><worldbody><body pos='0 0 2'><joint axis='0 1 0'/><geom size='.05'/>"
        f"<body name='hand' pos='.2 0 0'><joint axis='1 0 0'/><geom size='.05'/>{flex}</body></body>"
        "<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )


MODELS = {
    "cloth": CLOTH.format(dof="", edge=EDGE),
    "solid": SOLID.format(dof="", edge=EDGE),
    "cells": SOLID.format(dof=CELLS, edge=""),
    "two": CLOTH.format(dof="", edge=EDGE) + SOLID.format(dof="", edge="").replace('"f"', '"g"'),
}


def rows_of(model: phalanx.Model) -> list[list[int]]:
    """A row for each edge, with all dofs that move its ends; for cells one for each."""
    rows = []
    for flex in range(model.nflex):
        bodies = model.flex_vertbodyid[model.flex_vertadr[flex] :][: model.flex_vertnum[flex]]
        edges = model.flex_edge[model.flex_edgeadr[flex] :][: model.flex_edgenum[flex]]
        for ends in bodies[edges] if not model.flex_interp[flex] else cells_of(model, flex):
            rows.append(sorted({dof for body in ends for dof in chain(model, int(body))}))
    return rows


def chain(model: phalanx.Model, body: int) -> list[int]:
    """The dofs that move a body."""
    while body and not model.body_dofnum[body]:
        body = int(model.body_parentid[body])
    dof = int(model.body_dofadr[body] + model.body_dofnum[body] - 1) if body else -1
    found = []
    while dof >= 0:
        found.append(dof)
        dof = int(model.dof_parentid[dof])
    return found


def cells_of(model: phalanx.Model, flex: int) -> list[np.ndarray]:
    """Bodies of the nodes of each cell of a trilinear flex."""
    shape = model.flex_cellnum[flex] + 1
    nodes = model.flex_nodebodyid[model.flex_nodeadr[flex] :][: model.flex_nodenum[flex]].reshape(shape)
    corners = [range(count - 1) for count in shape]
    return [nodes[x : x + 2, y : y + 2, z : z + 2].ravel() for x in corners[0] for y in corners[1] for z in corners[2]]


def permuted_entries(model: phalanx.Model, rows: list[list[int]]) -> int:
    """Entries of the factor in the order of the model."""
    full = np.eye(model.nv, dtype=bool)
    for dof in range(model.nv):
        start = model.M_rowadr[dof]
        rows = [*rows, model.M_colind[start : start + model.M_rownnz[dof]].tolist()]
    for columns in rows:
        places = model.dof_place[columns]
        full[np.ix_(places, places)] = True
    for place in range(model.nv - 1, -1, -1):
        columns = np.flatnonzero(full[place, :place])
        full[np.ix_(columns, columns)] = True
    return int(np.tril(full).sum())


@pytest.mark.parametrize("name", MODELS)
def test_the_order_is_one_of_all_dofs_and_keeps_chains(name):
    model = model_of(MODELS[name])
    assert model.flg_order
    assert sorted(model.place_dof.tolist()) == list(range(model.nv))
    assert (model.dof_place[model.place_dof] == np.arange(model.nv)).all()
    # a dof comes after those that it hangs on, those of a body one after another
    parents = model.dof_parentid
    assert (model.dof_place[parents >= 0] > model.dof_place[parents[parents >= 0]]).all()
    same = model.dof_bodyid[1:] == model.dof_bodyid[:-1]
    assert (np.diff(model.dof_place)[same] == 1).all()


@pytest.mark.parametrize("name", MODELS)
def test_the_factor_has_fewer_entries_in_this_order(name):
    model = model_of(MODELS[name])
    rows = rows_of(model)
    assert permuted_entries(model, rows) < 0.95 * entries_of_factor(model, rows)


def test_robots_and_lines_keep_the_order_of_their_dofs():
    for model in (phalanx.load("humanoid"), model_of(ROPE.format(dof="", edge=EDGE))):
        assert not model.flg_order
        assert (model.place_dof == np.arange(model.nv)).all() and (model.dof_place == np.arange(model.nv)).all()


@pytest.mark.parametrize("suffix", [".npz", ".mjb"])
def test_a_model_that_is_saved_or_pickled_has_the_same_order(tmp_path, suffix):
    model = model_of(MODELS["cloth"])
    path = tmp_path / f"model{suffix}"
    model.save(path)
    pickled, lighter = pickle.loads(pickle.dumps(model)), model.replace(body_mass=0.5 * model.body_mass)
    for again in (phalanx.Model.load(path), pickled, lighter):
        assert again.flg_order and (again.place_dof == model.place_dof).all()


def test_an_order_in_a_file_is_not_trusted(tmp_path):
    model = model_of(MODELS["cloth"])
    path = tmp_path / "model.npz"
    model.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    (key,) = [key for key in arrays if key.endswith("place_dof")]
    arrays[key] = np.zeros_like(arrays[key])
    np.savez(path, **arrays)
    try:
        again = phalanx.Model.load(path)
    except phalanx.PhalanxError:
        return
    assert (again.place_dof == model.place_dof).all()
