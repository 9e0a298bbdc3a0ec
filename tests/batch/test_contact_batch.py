"""Worlds of a batch in contact, with all constraints: each is a Data of its own, bit for bit.

Worlds start at different moments of different trajectories, so that lanes have different contacts, islands and
iterations; worlds change their lanes between calls.
"""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import ADVANCED
from phalanx.batch.runs import split_groups
from tests.conformance.models import FILES, compiled, make_data
from tests.conformance.test_constrained import trajectory
from tests.quiet import quiet

WORLDS = 11
STATE = ("qpos", "qvel", "act", "qacc_warmstart", "ctrl")
OUTPUTS = ("qacc", "qfrc_constraint", "qfrc_actuator")
NAMES = [
    name
    for name in (
        "suite/humanoid", "gymnasium/ant", "suite/quadruped", "suite/stacker", "own/equality", "own/joint_limit",
        "own/friction_loss", "shared/menagerie/shadow_hand/scene_right", "shared/menagerie/google_barkour_vb/scene",
    )
    if name in FILES
]  # fmt: skip
PGS, CG, NEWTON = 0, 1, 2
SETTINGS = {
    "elliptic": {"cone": 1},
    "CG": {"solver": CG},
    "PGS": {"solver": PGS},
    "PGS elliptic": {"solver": PGS, "cone": 1},
    "noslip": {"noslip_iterations": 5},
    "implicitfast": {"integrator": 3},
}


@cache
def prepared(name: str, **options: Any) -> tuple[Any, phalanx.Model]:
    model = copy(compiled(name))
    for option, value in options.items():
        setattr(model.opt, option, value)
    return model, phalanx.Model.from_mujoco(model)


@cache
def worlds(name: str) -> dict[str, np.ndarray]:
    """States along a trajectory."""
    found = [{field: np.array(getattr(d, field)) for field in STATE} for d in trajectory(compiled(name), WORLDS, 23)]
    return {field: np.array([state[field] for state in found]) for field in STATE}


@quiet()
def batch_of(model: phalanx.Model, states: dict[str, np.ndarray], **options: Any) -> phalanx.BatchSim:
    batch = phalanx.BatchSim(model, WORLDS, **options)
    batch.bind(*OUTPUTS)
    for field, values in states.items():
        getattr(batch, field)[...] = values
    return batch


def alone(model: phalanx.Model, states: dict[str, np.ndarray], world: int, calls: tuple[int, ...]) -> phalanx.Data:
    data = make_data(model)
    for field, values in states.items():
        setattr(data, field, values[world])
    for n in calls:
        data.step(n)
    return data


def check(model: phalanx.Model, states: dict[str, np.ndarray], **options: Any) -> None:
    calls = (1, 4, 1)
    batch = batch_of(model, states, **options)
    for n in calls:
        assert batch.step_all(n) == [None] * WORLDS
    for world in range(WORLDS):
        data = alone(model, states, world, calls)
        for field in (*ADVANCED, *OUTPUTS):
            ours, expected = np.asarray(getattr(batch, field)[world]), data._store.arrays[field]
            assert ours.tobytes() == expected.tobytes(), f"{field} of world {world}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_in_contact_is_a_data_of_its_own(name: str, threads: int) -> None:
    check(prepared(name)[1], worlds(name), lanes=8, threads=threads)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", ["suite/humanoid", "suite/stacker"])
def test_solvers_cones_and_integrators(name: str, setting: str) -> None:
    check(prepared(name, **SETTINGS[setting])[1], worlds(name), lanes=8, threads=1)


@pytest.mark.parametrize("lanes", [1, *(pytest.param(w, marks=pytest.mark.conformance) for w in (2, 4, 16))])
@pytest.mark.parametrize("name", ["suite/humanoid", "suite/quadruped"])
def test_any_width(name: str, lanes: int) -> None:
    check(prepared(name)[1], worlds(name), lanes=lanes, threads=2)


def test_friction_and_gravity_may_differ_by_world() -> None:
    model, states = prepared("suite/humanoid")[1], worlds("suite/humanoid")
    rng = np.random.default_rng(0)
    vary = {
        "geom_friction": model.geom_friction * rng.uniform(0.3, 1.5, (WORLDS, 1, 1)),
        "opt.gravity": model.opt.gravity * rng.uniform(0.8, 1.2, (WORLDS, 1)),
    }
    batch = batch_of(model, states, lanes=8, vary=vary)
    batch.step(5)
    for world in range(WORLDS):
        own = model.replace(geom_friction=vary["geom_friction"][world], opt={"gravity": vary["opt.gravity"][world]})
        data = alone(own, states, world, (5,))
        for field in ADVANCED:
            assert np.asarray(getattr(batch, field)[world]).tobytes() == data._store.arrays[field].tobytes(), field


@pytest.mark.parametrize("ngroup", [1, 2, 7, 8, 33])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_group_is_in_one_range(ngroup: int, threads: int) -> None:
    ranges = split_groups(ngroup, min(threads, ngroup))
    assert [group for first, last in ranges for group in range(first, last)] == list(range(ngroup))


def test_worlds_with_like_rows_share_lanes() -> None:
    """Worlds in the air and worlds on the ground take turns; after one step they are apart."""
    batch = quiet()(phalanx.BatchSim)(prepared("suite/humanoid")[1], 32, lanes=8)
    batch.qpos[::2, 2] += 5.0
    batch.qpos[1::2, 2] = 0.2
    batch.step(2)
    batch.step()
    assert sorted(batch._order.tolist()) == list(range(32))
    assert all(len({world % 2 for world in group}) == 1 for group in batch._order.reshape(-1, 8).tolist())


def test_mujoco_agrees_with_the_batch() -> None:
    """The batch as a whole against mj_step, one step from MuJoCo's states."""
    mjmodel, model = prepared("suite/humanoid")
    states, theirs = worlds("suite/humanoid"), mujoco.MjData(mjmodel)
    batch = batch_of(model, states, lanes=8)
    batch.step()
    for world in range(WORLDS):
        for field, values in states.items():
            getattr(theirs, field)[:] = values[world]
        mujoco.mj_step(mjmodel, theirs)
        np.testing.assert_allclose(batch.qpos[world], theirs.qpos, rtol=0, atol=1e-9)
        np.testing.assert_allclose(batch.qvel[world], theirs.qvel, rtol=0, atol=1e-7)


# --- sizes that differ by world


def heap_of_spheres(count: int) -> phalanx.Model:
    """So many bodies that pairs are found by sweeping, just out of reach of each other."""
    bodies = "".join(
        f'<body pos="{0.25 * (k % 8)} {0.25 * (k // 8)} 1"><freejoint/><geom size="0.1"/></body>' for k in range(count)
    )
    return phalanx.Model.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")


@pytest.mark.parametrize("lanes", [1, 8])
def test_varied_sizes_have_the_contacts_of_one_world(lanes: int) -> None:
    """Boxes of bodies follow sizes, also in lanes: larger spheres touch, smaller ones do not."""
    model, n = heap_of_spheres(64), 11
    assert model._store.arrays["flg_sweep"]
    sizes = model.geom_size * np.linspace(0.8, 1.6, n)[:, None, None]
    batch = phalanx.BatchSim(model, n, lanes=lanes, vary={"geom_size": sizes})
    (qacc,) = batch.bind("qacc")
    batch.forward()
    touching = 0
    for world in range(n):
        data = model.replace(geom_size=sizes[world]).make_data().forward()
        touching += data.ncon > 0
        assert qacc[world].tobytes() == data.qacc.tobytes(), world
    assert 2 <= touching < n
