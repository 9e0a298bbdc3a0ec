"""Which geoms touch, in which order, with which parameters: random scenes against MuJoCo, every member of a contact.

Each scene runs with its pairs listed ahead and with bodies swept, in one world and in lanes.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.collision.broad import candidates
from phalanx.tables.contact_fields import CONTACT
from tests.collision.random_scene import SceneMaker
from tests.conformance.models import make_data
from tests.quiet import quiet

MEMBERS = tuple(row.name for group in ("narrow_phase", "parameters", "descriptor") for row in CONTACT[group])
#: MuJoCo writes these when it makes constraint rows.
LATER = ("efc_address",)
SCENES, SWEEP = 12, 300
STATES = 6


@pytest.fixture(params=("listed", "swept"))
def broad_phase(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether pairs are listed ahead or found by a sweep."""
    monkeypatch.setattr(candidates, "MAX_CANDIDATES", 10**6 if request.param == "listed" else -1)
    return str(request.param)


def random_positions(model: Any, count: int, seed: int) -> np.ndarray:
    """Positions of bodies near where they start."""
    rng = np.random.default_rng(seed)
    positions = np.tile(model.qpos0, (count, 1))
    for qpos in positions[1:]:
        mujoco.mj_integratePos(model, qpos, rng.normal(size=model.nv), 0.3)
    return positions


def excluded(contact: Any, dist: np.ndarray) -> np.ndarray:
    """The member `exclude` before constraint rows are made."""
    return ((dist >= contact.includemargin) & (contact.adhesion == 0)).astype(int)


def assert_equal_contacts(theirs: Any, data: phalanx.Data) -> None:
    contact = theirs.contact
    np.testing.assert_array_equal(data.contact_geom, contact.geom)
    for name in MEMBERS:
        if name not in (*LATER, "exclude"):
            np.testing.assert_allclose(
                getattr(data, f"contact_{name}"), getattr(contact, name), rtol=1e-9, atol=1e-9, err_msg=name
            )
    np.testing.assert_array_equal(data.contact_exclude, excluded(contact, contact.dist))


def check_scene(seed: int, **options: Any) -> int:
    model = SceneMaker(seed, **options).model()
    theirs, data = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    total = 0
    for qpos in random_positions(model, STATES, seed):
        theirs.qpos[:] = data.qpos[:] = qpos
        mujoco.mj_kinematics(model, theirs)
        mujoco.mj_comPos(model, theirs)
        mujoco.mj_collision(model, theirs)
        data.run("kinematics").run("com_pos").run("collision")
        assert_equal_contacts(theirs, data)
        total += theirs.ncon
    return total


def test_random_scenes(broad_phase: str) -> None:
    assert sum(check_scene(seed) for seed in range(SCENES)) > 20 * SCENES


def test_large_bodies(broad_phase: str) -> None:
    """Bodies with many geoms: trees of boxes in the sweep."""
    assert sum(check_scene(100 + seed, bodies=3, geoms=25, size=0.1) for seed in range(3)) > 60


@pytest.mark.parametrize("flag", ["filterparent", "midphase", "override"])
@pytest.mark.parametrize("value", [False, True])
def test_flags(flag: str, value: bool, broad_phase: str) -> None:
    assert sum(check_scene(200 + seed, **{flag: value}) for seed in range(2)) > 10


@pytest.mark.conformance
def test_many_random_scenes(broad_phase: str) -> None:
    for seed in range(1000, 1000 + SWEEP):
        check_scene(seed)


# --- lanes

LANES = 8


def lane_contacts(sim: phalanx.BatchSim, world: int) -> dict[str, np.ndarray]:
    """The contact list of one world of a batch that is one lane group."""
    store = sim._workers[0].workspace
    count = int(store.arrays["ncon"])
    rows = {name: store.arrays[f"contact_{name}"][:count] for name in MEMBERS if name not in (*LATER, "exclude")}
    mine = rows["dist"][:, world] < 1e29
    is_lane = {name: rows[name].ndim > 1 and rows[name].shape[-1] == LANES for name in rows}
    found = {name: array[mine][..., world] if is_lane[name] else array[mine] for name, array in rows.items()}
    # worlds share the dimension of a contact; one that is held by adhesion alone has only the normal direction
    found["dim"][(found["adhesion"] != 0) & (found["dist"] >= found["includemargin"])] = 1
    return found


@pytest.mark.parametrize("seed", range(4))
def test_lanes_equal_one_world(seed: int, broad_phase: str) -> None:
    model = phalanx.Model.from_mujoco(SceneMaker(seed).model())
    positions = random_positions(SceneMaker(seed).model(), LANES, seed)
    with quiet():
        sim = phalanx.BatchSim(model, LANES, lanes=LANES, threads=1)
        data = model.make_data()
    sim.qpos[:] = positions
    sim.forward()
    for world, qpos in enumerate(positions):
        data.reset()
        data.qpos[:] = qpos
        data.forward()
        for name, values in lane_contacts(sim, world).items():
            assert values.tobytes() == np.ascontiguousarray(getattr(data, f"contact_{name}")).tobytes(), name


# --- memory


def falling_spheres(count: int) -> phalanx.Model:
    bodies = "".join(
        f'<body pos="{0.1 * k} 0 {0.05 + 0.003 * k}"><freejoint/><geom size=".05"/></body>' for k in range(count)
    )
    text = f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody></mujoco>'
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(text))


@pytest.mark.parametrize("integrator", [0, 1])
def test_memory_grows_while_stepping(integrator: int, broad_phase: str) -> None:
    """More contacts in every step: many steps in one call are the steps one by one."""
    model = falling_spheres(40).replace(**{"opt.integrator": integrator})
    whole, single = make_data(model), make_data(model)
    whole.step(60)
    for _ in range(60):
        single.step()
    assert whole.ncon == single.ncon > 20
    assert whole.qpos.tobytes() == single.qpos.tobytes()
    assert whole.time == single.time == pytest.approx(60 * model.opt.timestep)


def test_memory_grows_in_a_batch(broad_phase: str) -> None:
    model = falling_spheres(40)
    with quiet():
        sim = phalanx.BatchSim(model, 20, lanes=LANES, threads=2)
    sim.qvel[:] = np.random.default_rng(0).normal(size=sim.qvel.shape) * 0.1
    start = sim.qpos.copy(), sim.qvel.copy()
    sim.step(60)
    for world in (0, 7, 19):
        data = make_data(model)
        data.qpos[:], data.qvel[:] = start[0][world], start[1][world]
        data.step(60)
        assert data.qpos.tobytes() == sim.qpos[world].tobytes()


def test_a_snapshot_brings_its_contacts_along() -> None:
    data = make_data(falling_spheres(10))
    data.step(60)
    other = make_data(data.model)
    other.restore(data.snapshot())
    assert other.ncon == data.ncon > 5
    np.testing.assert_array_equal(other.contact_dist, data.contact_dist)
