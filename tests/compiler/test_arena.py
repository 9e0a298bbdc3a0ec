"""narena: MuJoCo's default of its work memory."""

from __future__ import annotations

import warnings

import mujoco
import numpy as np
import pytest

from phalanx import Model
from phalanx.compiler.finish.arena import entries_below
from phalanx.pipeline.block_factor import filled_rows
from tests.compiler.flexes import comp, random_cells, random_model, random_open_cells, world

#: A random model that MuJoCo stops at with an engine error.
REFUSED_BY_MUJOCO = 279
FREE = '<body name="base" pos="0 0 3"><freejoint/><geom size=".1"/>{}</body>'
APART = '<contact selfcollide="none"/>'
OTHER = '<contact contype="2" conaffinity="2"/>'
BEND = '<elasticity young="1e4" thickness=".01" elastic2d="both"/>'
ROD = '<elasticity young="1e6"/>'
CELLS = 'dof="trilinear" cellcount="3 2 2"'
SHEET = comp("", APART, "7 7 1")
SCENES = {
    "sheet": SHEET,
    "sheet that bends": comp("", APART + BEND, "7 7 1"),
    "sheet that touches itself": comp("", "", "7 7 1"),
    "sheet and a ball": SHEET + FREE.format(""),
    "sheet that touches itself and a ball": comp("", "", "7 7 1") + FREE.format(""),
    "sheet on a base": FREE.format(comp("", APART + '<pin id="0 1 2"/>', "7 7 1")),
    "sheets that touch": SHEET + comp("", APART, "5 5 1", "b"),
    "one of two touches itself": SHEET + comp("", OTHER, "6 6 1", "b"),
    "rigid sheet that touches one": comp('rigid="true"', "", "5 5 1") + comp("", APART, "6 6 1", "b"),
    "rigid sheet on a base": FREE.format(comp('rigid="true"', "", "5 5 1")) + comp("", APART, "6 6 1", "b"),
    "rod": comp('dim="1"', APART + ROD, "30 1 1"),
    "rod that touches itself": comp('dim="1"', ROD, "30 1 1"),
    "circle": comp('type="circle" dim="1"', APART + ROD, "30 1 1"),
    "cells": comp(f'dim="3" {CELLS}', APART + ROD, "4 4 4"),
    "shell of cells": comp(f'type="box" dim="2" {CELLS}', APART + BEND, "4 4 4"),
    "cells around a surface": comp(f'type="box" dim="2" {CELLS}', APART, "4 4 4"),
}


def assert_same(xml: str, size: str = "") -> None:
    """Ours is MuJoCo's."""
    xml = xml.replace("<worldbody>", f"<size {size}/><worldbody>", 1)
    theirs = mujoco.MjModel.from_xml_string(xml)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert Model.from_xml_string(xml)._store.sizes["narena"] == theirs.narena, size


def test_it_has_room_for_constraint_rows():
    # the first and the last number of contacts that take as many megabytes
    for contacts in (*range(0, 3000, 100), 20_000, 123_456):
        assert_same(world(FREE.format("")), f'nconmax="{contacts}"')
        assert_same(world(FREE.format("")), f'nconmax="{contacts}" njmax="{contacts // 9}"')
        assert_same(world(SHEET), f'nconmax="{contacts}" nstack="12345"')


@pytest.mark.parametrize("name", SCENES)
def test_dofs_of_flexes_count_by_a_factor(name):
    rng = np.random.default_rng(len(name))
    for rows in (0, 50, 89, 90, 147, 500):
        assert_same(world(SCENES[name]), f'nconmax="{rng.integers(1700)}" njmax="{rows}"')


@pytest.mark.parametrize("word", ["dense", "sparse", "auto"])
def test_a_dense_model_has_no_factor(word):
    for count in ("4 4 1", "5 4 1", "8 8 1"):
        assert_same(world(comp("", APART, count), f'<option jacobian="{word}"/>'))
        assert_same(world(comp("", "", count), f'<option jacobian="{word}"/>'), 'njmax="20"')


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [seed for seed in range(330) if seed != REFUSED_BY_MUJOCO])
def test_random_flexes_count_as_in_mujoco(seed):
    rng = np.random.default_rng(seed)
    assert_same(random_model(seed), f'nconmax="{rng.integers(1700)}" njmax="{rng.integers(300)}"')
    if seed < 30:
        for cells in (random_cells(seed), random_open_cells(seed)):
            assert_same(cells, f'nconmax="{rng.integers(1700)}" njmax="{rng.integers(300)}"')


def test_entries_of_a_factor_are_counted():
    """As many as rows that are filled one by one."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        count = int(rng.integers(1, 30))
        sizes = rng.integers(1, 7, count).tolist()
        pairs = [tuple(sorted(pair)) for pair in rng.integers(0, count, (2 * count, 2)).tolist() if pair[0] != pair[1]]
        later: list[set[int]] = [set() for _ in range(count)]
        for one, two in pairs:
            later[one].add(two)
        # rows there are eliminated from the last on
        rows, _ = filled_rows([(count - 1 - one, count - 1 - two) for one, two in pairs], count)
        slow = [sum(sizes[count - 1 - other] for other in row) for row in reversed(rows)]
        assert entries_below(later, sizes) == slow
