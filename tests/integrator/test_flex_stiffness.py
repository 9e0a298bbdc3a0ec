"""The stiffness of flexes when it is asked for: every row is MuJoCo's, entry by entry; steps do not compute it."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.collision.flex.scenes import grid
from tests.compiler.flexes import MODELS, comp, random_cells, random_model, world
from tests.constraint.test_passive_contact import EVERYDAY as PASSIVE
from tests.constraint.test_passive_contact import SWEEP as OTHER_PASSIVE
from tests.constraint.test_passive_contact import scene as passive_scene
from tests.integrator.test_flex_metric import REFUSED
from tests.quiet import quiet
from tests.smooth.flex.deformed import assert_near, deform, load, pair, twin

DISCRETE, NEWTON, CG = 4, 2, 1
COUNTS = ("nefmK", "nefmcon", "nefmdof", "nefmL", "efm_active")
PLACES = ("efm_K_rownnz", "efm_K_rowadr", "efm_K_colind", "efm_dofid", "flex_hessian_valid", "efm_con_ind")
NUMBERS = ("flexelem_krot", "flexvert_hessian", "flexedge_hessian", "efm_K_val", "efm_con_val")
EVERY = (*COUNTS, *PLACES, *NUMBERS, "efm_L")
FACTOR, ISLANDS = 1.0, -1.0
BEND = '<elasticity young="1e3" thickness=".01" elastic2d="bend"/>'
STRETCH = '<elasticity young="1e3" thickness=".01" elastic2d="stretch" damping=".05"/>'
SOFT = '<elasticity young="1e3" poisson=".2"/>'


def assert_same(data: phalanx.Data, theirs: Any, what: str) -> None:
    """Counts and places are equal, numbers to 1e-12 of the largest."""
    for field in COUNTS:
        assert getattr(data, field) == getattr(theirs, field), (what, field)
    for field in PLACES:
        np.testing.assert_array_equal(getattr(data, field), getattr(theirs, field), err_msg=f"{what} {field}")
    for field in NUMBERS:
        assert_near(getattr(data, field), getattr(theirs, field), 1e-12, f"{what} {field}", 1e-30)
    (whole, numbers), (their_whole, their_numbers) = parts_of_record(data), parts_of_record(theirs)
    np.testing.assert_array_equal(whole, their_whole, err_msg=f"{what} efm_L")
    assert_near(numbers, their_numbers, 1e-12, f"{what} efm_L", 1e-30)


def parts_of_record(data: Any) -> tuple[list[int], np.ndarray]:
    """Whole numbers and reals of efm_L; what the record has room for, but does not use, MuJoCo leaves as memory was."""
    record = np.array(data.efm_L)
    if not len(record):
        return [], record
    words = record[1:].view(np.int32).tolist()
    if record[0] == FACTOR:
        entries, count = words[0], int(data.nefmdof)
        blocks = (entries - 6 * count) // 9
        return words[: 1 + 7 * count + entries + count + 1 + 2 * blocks], record[len(record) - entries :]
    assert record[0] == ISLANDS
    islands, used, start = words[0], words[:4], 4
    for room in words[1:4]:
        starts = words[start : start + islands + 1]
        start += islands + 1
        used = used + starts + words[start : start + starts[-1]]
        start += room
    return used, record[:1]


def compare(theirs: Any, ours: phalanx.Model, what: str, seeds: int = 2, size: float = 0.02) -> Any:
    """Rows at random deformed states; returns MuJoCo's last Data."""
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed), size)
        if theirs.flex_dim[0] == 1:
            mjdata.plastic[:] = 0
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        assert_same(data.flex_stiffness(), mjdata, what)
    return mjdata


@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("name", ["both", "bend folded", "solid", "pin to free", "rod", "rod ring", "trilinear cells"])
def test_rows_are_those_of_mujoco(name: str, solver: int) -> None:
    compare(*load(name, integrator=DISCRETE, solver=solver), name, 1)


@pytest.mark.conformance
@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("name", [name for name in MODELS if name not in REFUSED])
def test_rows_of_all_flexes_are_those_of_mujoco(name: str, solver: int) -> None:
    compare(*load(name, integrator=DISCRETE, solver=solver), name)


@pytest.mark.conformance
@pytest.mark.parametrize("block", range(10))
def test_rows_of_random_flexes_are_those_of_mujoco(block: int) -> None:
    compared = 0
    for seed in range(12 * block, 12 * (block + 1)):
        for text in (random_model(seed), random_cells(seed)):
            with quiet():
                try:
                    theirs, ours = pair(text, integrator=DISCRETE, solver=(NEWTON, CG)[seed % 2])
                    mujoco.mj_forward(theirs, mujoco.MjData(theirs))
                except (ValueError, mujoco.FatalError):
                    continue
                compare(theirs, ours, f"seed {seed}", 1)
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("flags", ["SPRING", "DAMPER", "SPRING DAMPER"])
def test_flags_take_away_numbers_not_places(flags: str) -> None:
    bits = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")) for flag in flags.split())
    for name in ("both", "trilinear cells", "rod"):
        compare(*load(name, integrator=DISCRETE, disableflags=bits), f"{name} {flags}", 1)


def test_other_integrators_have_none() -> None:
    data = compare(*load("both", integrator=0), "Euler", 1)
    assert data.nefmK == 0


# --- who is in the matrix


def carried(joints: str, around: str = "{}", more: str = "") -> str:
    """A triangle between two points and a body with other joints."""
    three = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    body = '<body name="{}" pos="{}" quat="1 .3 .2 .1">{}<geom size=".01" mass="1" contype="0"/>{}</body>'
    odd = around.format(body.format("a", "0 0 0", joints or three, more))
    flex = f'<flex name="f" dim="2" body="a p q" element="0 1 2">{STRETCH}</flex>'
    points = body.format("p", "1 0 0", three, "") + body.format("q", "0 1 0", three, "")
    return world(odd + points, after=f"<deformable>{flex}</deformable>")


def slides(*axes: str) -> str:
    return "".join(f'<joint type="slide" axis="{axis}"/>' for axis in axes)


ARM = '<body name="s"><joint/><geom size=".1" contype="0"/>{}</body>'
CARRIERS = {
    "points": carried(""),
    "another order": carried(slides("0 1 0", "1 0 0", "0 0 1")),
    "the other way": carried(slides("-1 0 0", "0 1 0", "0 0 1")),
    "oblique": carried(slides("1 1 0", "0 1 0", "0 0 1")),
    "two": carried(slides("1 0 0", "0 1 0")),
    "four": carried(slides("1 0 0", "0 1 0", "0 0 1", "0 1 1")),
    "free": carried("<freejoint/>"),
    "ball": carried('<joint type="ball"/>'),
    "hinges": carried('<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>'),
    "in a frame": carried("", '<body name="s" quat="1 .2 .3 .4">{}</body>'),
    "on an arm": carried("", ARM),
    "with a child": carried("", more='<body name="c"><joint/><geom size=".1" contype="0"/></body>'),
    "with a fixed child": carried("", more='<body name="c"><geom size=".1" contype="0"/></body>'),
    "order and child": carried(
        slides("0 1 0", "1 0 0", "0 0 1"), more='<body name="c"><joint/><geom size="1"/></body>'
    ),
}
HELD = '<body name="b" pos="0 0 1"><joint/><geom size=".1" contype="0"/>{}</body>'
CELLS = comp('dim="3" dof="trilinear" pos="3 0 0"', SOFT + '<pin id="0 1"/>', "3 3 3", name="c")
MIXED = {
    "bending and stretching": world(comp("", BEND) + comp('pos="0 0 1"', STRETCH, name="g")),
    "one on an arm": world(comp("", STRETCH) + HELD.format(comp("", STRETCH + '<pin id="0"/>', name="g"))),
    "bending, and one on an arm": world(comp("", BEND) + HELD.format(comp("", STRETCH + '<pin id="0"/>', name="g"))),
    "cells, and one on an arm": world(CELLS + HELD.format(comp("", STRETCH + '<pin id="0"/>', name="g"))),
    "cells on an arm": world(HELD.format(CELLS) + comp("", BEND)),
    "flat": world(comp('dof="2d"', STRETCH)),
    "radial": world(comp('dof="radial" type="ellipsoid"', STRETCH, "4 4 4")),
    "rod on an arm": world(HELD.format(comp('dim="1"', SOFT + '<pin id="0 1"/>', "6 1 1"))),
    "rod and bending": world(comp('dim="1"', SOFT, "5 1 1") + comp('pos="0 0 1"', BEND, name="g")),
}


@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("name", [*CARRIERS, *MIXED])
@quiet()
def test_who_carries_a_flex_decides_who_is_in_the_matrix(name: str, solver: int) -> None:
    text = (CARRIERS | MIXED)[name].replace("<mujoco>", '<mujoco><option integrator="discrete"/>', 1)
    compare(*pair(text, solver=solver), name, 1)


# --- the factor of the metric


BOTH = '<elasticity young="1e4" poisson=".2" damping=".01" thickness=".01" elastic2d="both"/>'


def stiffness_of(data: Any, nv: int) -> np.ndarray:
    """efm_K_val as a dense matrix."""
    dense = np.zeros((nv, nv))
    for row in range(nv):
        entries = slice(data.efm_K_rowadr[row], data.efm_K_rowadr[row] + data.efm_K_rownnz[row])
        dense[row, data.efm_K_colind[entries]] = data.efm_K_val[entries]
    return dense


def test_the_factor_of_a_rod_squared_is_its_metric() -> None:
    theirs, ours = load("rod ring", integrator=DISCRETE)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(5), 0.02)
    data = twin(ours, mjdata).forward().flex_stiffness()
    (_, *whole), entries = parts_of_record(data)
    count, nv = int(data.nefmdof), ours.nv
    place, lengths, starts = whole[:count], whole[count : 4 * count], whole[4 * count : 7 * count]
    factor, order = np.zeros((nv, nv)), np.zeros(nv, int)
    for row, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        factor[row, whole[7 * count :][start : start + length]] = entries[start : start + length]
    for vertex, at in enumerate(place):
        order[3 * at : 3 * at + 3] = data.efm_dofid[vertex] + np.arange(3)
    metric = stiffness_of(data, nv) + np.diag(ours.body_mass[ours.dof_bodyid])
    assert_near(factor.T @ factor, metric[np.ix_(order, order)], 1e-14, "L' L")


@pytest.mark.conformance
@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("pins", ["", '<pin id="0 5 9 33"/>'])
@pytest.mark.parametrize("count", ["12 12 1", "20 7 1"])
def test_factors_of_cloths_are_those_of_mujoco(count: str, pins: str, solver: int) -> None:
    for inside in (BOTH, BOTH.replace("both", "bend"), BOTH.replace("both", "stretch")):
        text = world(f'<frame quat="1 .2 .4 .1">{comp("", inside + pins, count)}</frame>')
        compare(*pair(text, integrator=DISCRETE, solver=solver), count, 1)


WHEEL = '<body pos="7 0 0"><joint frictionloss="1"/><geom size=".1"/></body>'
APART = {
    "bending": comp("", BEND) + comp('pos="0 0 1"', BEND, name="g"),
    "a solid": comp('dim="3" pos="0 3 0"', SOFT, "2 2 2") + comp('pos="0 0 1"', STRETCH, name="g"),
    "on an arm": HELD.format(comp("", STRETCH + '<pin id="0"/>')) + comp('dim="3"', SOFT, "2 2 2", name="g"),
    "bending, and on an arm": comp("", BEND) + HELD.format(comp("", STRETCH + '<pin id="0"/>', name="g")),
    "held": comp("", '<edge equality="true"/>') + comp('pos="0 0 1"', '<edge equality="true"/>', name="g"),
}


@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("name", APART)
@quiet()
def test_lists_of_islands_are_those_of_mujoco(name: str, solver: int) -> None:
    """A wheel with friction is an island, so that there are some."""
    assert compare(*pair(world(WHEEL + APART[name]), integrator=DISCRETE, solver=solver), name, 1).nisland > 0


def test_pgs_lists_islands_of_what_is_held() -> None:
    data = compare(*pair(world(WHEEL + APART["held"]), integrator=DISCRETE, solver=0), "held", 1)
    assert data.efm_L[0] == ISLANDS


def test_the_factor_of_a_batch_is_that_of_each_world() -> None:
    theirs, ours = load("both", integrator=DISCRETE)
    batch = phalanx.BatchSim(ours, 5, lanes=4)
    for index in range(5):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(index), 0.02)
        batch.qpos[index], batch.qvel[index] = mjdata.qpos, mjdata.qvel
    batch.step()
    for index in range(5):
        env = batch.env(index)
        alone = ours.make_data()
        alone.qpos, alone.qvel = env.qpos, env.qvel
        np.testing.assert_array_equal(
            env.forward().flex_stiffness().efm_L.view(np.int64), alone.forward().flex_stiffness().efm_L.view(np.int64)
        )


# --- passive contacts


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("name", [*PASSIVE, *OTHER_PASSIVE])
def test_rows_of_passive_contacts_are_those_of_mujoco(name: str, jacobian: int) -> None:
    theirs, ours = pair((PASSIVE | OTHER_PASSIVE)[name], jacobian=jacobian)
    assert compare(theirs, ours, name, 1, 0.002).nefmcon > 0


def test_passive_contacts_bring_bending_into_the_matrix() -> None:
    text = passive_scene(grid("a", 2, count="3 3 1", contact='passive="true"', inside=BEND, mass=0.9))
    assert compare(*pair(text, solver=CG), "bending", 1).nefmK > 0


# --- ways


FIXED = ("flexelem_krot", "flexvert_hessian", "flexedge_hessian")


@pytest.mark.parametrize("name", ["both", "solid", "trilinear cells", "rod"])
def test_interpreted_gives_the_same_bits(name: str) -> None:
    theirs, ours = load(name, integrator=DISCRETE)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(3), 0.02)
    data = twin(ours, mjdata).forward().flex_stiffness()
    with interpreted():
        slow = twin(ours, mjdata).forward().flex_stiffness()
    for field in (*NUMBERS, "efm_L"):
        np.testing.assert_array_equal(getattr(slow, field), getattr(data, field))


@pytest.mark.parametrize("name", ["both", "solid", "trilinear cells"])
def test_worlds_of_a_batch_have_what_each_has_alone(name: str) -> None:
    theirs, ours = load(name, integrator=DISCRETE)
    batch = phalanx.BatchSim(ours, 5, lanes=4)
    alone = []
    for index in range(5):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(index), 0.02)
        batch.qpos[index], batch.qvel[index] = mjdata.qpos, mjdata.qvel
        data = ours.make_data()
        data.qpos, data.qvel = mjdata.qpos, mjdata.qvel
        alone.append(data.forward().flex_stiffness())
    batch.bind(*FIXED)
    batch.step()
    for index, data in enumerate(alone):
        for field in FIXED:
            np.testing.assert_array_equal(getattr(batch, field)[index], getattr(data, field), err_msg=field)


@pytest.mark.conformance
def test_single_precision_is_near() -> None:
    theirs, ours = load("both", integrator=DISCRETE)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(1), 0.02)
    data = twin(ours, mjdata).forward().flex_stiffness()
    single = twin(ours, mjdata, dtype="float32").forward().flex_stiffness()
    assert_near(single.efm_K_val, data.efm_K_val, 1e-4, "efm_K_val")
    entries = parts_of_record(data)[1]
    assert_near(single.efm_L[-len(entries) :], entries, 1e-4, "efm_L")
    whole = 1 + 20 + 6 * 20
    np.testing.assert_array_equal(single.efm_L[1:].view(np.int32)[:whole], data.efm_L[1:].view(np.int32)[:whole])


# --- in the life of a Data


def test_a_pass_makes_blocks_stale_and_leaves_the_matrix() -> None:
    _, ours = load("both", integrator=DISCRETE)
    data = ours.make_data().forward().flex_stiffness()
    count = data.nefmK
    assert count > 0 and data.flex_hessian_valid.all()
    data.step()
    assert not data.flex_hessian_valid.any()
    assert data.nefmK == count and len(data.efm_K_val) == count


def test_a_copy_a_snapshot_and_a_file_have_the_matrix(tmp_path: Any) -> None:
    _, ours = load("both", integrator=DISCRETE)
    data = ours.make_data().forward().flex_stiffness()
    data.save(tmp_path / "data.npz")
    for other in (data.copy(), ours.make_data().restore(data.snapshot()), ours.make_data().load(tmp_path / "data.npz")):
        for field in EVERY:
            np.testing.assert_array_equal(getattr(other, field), getattr(data, field), err_msg=field)
    assert data.reset().nefmK == 0 and data.nefmL == 0


@pytest.mark.filterwarnings("error")
def test_a_metric_without_a_factor_is_an_error_of_ours() -> None:
    for young, size in (("1e300", 1e6), ("1e4", 1e170)):
        _, ours = pair(world(comp("", BOTH.replace("1e4", young), "3 3 1")), integrator=DISCRETE)
        data = ours.make_data()
        if young == "1e4":
            assert data.forward().flex_stiffness().nefmL > 0
        data.qpos[:] = size * np.random.default_rng(0).normal(size=ours.nq)
        with pytest.raises(phalanx.FieldError, match="efm_L cannot be computed"):
            data.forward().flex_stiffness()
        # the factor of the state before is gone, the matrix is that of this one
        assert data.nefmL == 0 and data.nefmK > 0


def test_a_model_without_flexes_has_an_empty_matrix() -> None:
    model = phalanx.Model.from_xml_string('<mujoco><option integrator="discrete"/></mujoco>')
    assert model.make_data().forward().flex_stiffness().nefmK == 0
