"""Speculative contacts against MuJoCo: pairs of all convex types and planes, at rest and rotating; scenes; lanes.

Points and normals of flat shapes agree to rounding. Those of round ones are searched by both engines until distances
are right to 1e-6 (`ccd_tolerance`), and points and normals to 1e-4; with a smaller tolerance they agree as well as
MuJoCo does with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.states import ALLOWANCE, REPEATS
from tests.quiet import quiet

EXACT, SEARCHED = 1e-10, 1e-4
PLANE = 'type="plane" size="5 5 1"'
GEOMS = {
    "sphere": 'type="sphere" size=".1"',
    "capsule": 'type="capsule" size=".05 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .15"',
    "cylinder": 'type="cylinder" size=".1 .2"',
    "box": 'type="box" size=".1 .2 .15"',
    "mesh": 'type="mesh" mesh="b"',
}
#: Shapes whose searches end at a tolerance.
ROUND = ("ellipsoid", "cylinder")
PAIRS = [("plane", name) for name in GEOMS] + list(combinations_with_replacement(GEOMS, 2))
MESH = """<asset><mesh name="b" vertex="-.1 -.2 -.15 .1 -.2 -.15 .1 .2 -.15 -.1 .2 -.15 -.1 -.2 .15 .1 -.2 .15
  .1 .2 .15 -.1 .2 .15 0 0 .3"/></asset>"""


def scene(world: str, option: str = "", flags: str = "") -> str:
    return f"""
    <mujoco><option timestep=".01" {option}><flag speculative="enable" {flags}/></option>{MESH}
      <worldbody>{world}</worldbody></mujoco>"""


def pair_of(first: str, second: str, attributes: str = "", **more: str) -> str:
    one = f"<geom {PLANE} {attributes}/>"
    if first != "plane":
        one = f"<body><freejoint/><geom {GEOMS[first]} {attributes}/></body>"
    return scene(f"{one}<body><freejoint/><geom {GEOMS[second]} {attributes}/></body>", **more)


def both(xml: str) -> tuple[phalanx.Model, Any]:
    with quiet():
        return phalanx.Model.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)


def throw(reference: Any, state: Any, rng: np.random.Generator, tilt: float) -> None:
    """The last free body falls fast on what is below it; all rotate."""
    mujoco.mj_resetData(reference, state)
    spin, bodies = rng.choice([0.0, 1.0, 20.0]), reference.nq // 7
    for body in range(bodies):
        quat = np.append(1.0, rng.normal(size=3) * tilt)
        state.qpos[7 * body + 3 : 7 * body + 7] = quat / np.linalg.norm(quat)
        state.qvel[6 * body : 6 * body + 3] = rng.normal(size=3) * 3
        state.qvel[6 * body + 3 : 6 * body + 6] = rng.normal(size=3) * spin
    state.qpos[7 * bodies - 7 : 7 * bodies - 4] = np.append(rng.normal(size=2) * 0.05, 0.9)
    state.qvel[6 * bodies - 4] -= rng.choice([60.0, 100.0])


def put(data: phalanx.Data, state: Any) -> None:
    data.reset()
    data.qpos[:] = state.qpos
    data.qvel[:] = state.qvel


def contacts(dist: Any, pos: Any, frame: Any) -> np.ndarray:
    """Distances, points and normals, in an order that both engines have."""
    rows = np.hstack([np.reshape(dist, (-1, 1)), np.reshape(pos, (-1, 3)), np.reshape(frame, (-1, 9))[:, :3]])
    return rows[np.lexsort(np.round(rows[:, 1:4].T, 4))]


def ours(data: phalanx.Data) -> np.ndarray:
    return contacts(data.contact_dist, data.contact_pos, data.contact_frame)


def theirs(state: Any) -> np.ndarray:
    return contacts(state.contact.dist, state.contact.pos, state.contact.frame)


def error_of(data: phalanx.Data, state: Any, bound: float) -> float:
    """The largest difference of contacts, in parts of the bound, and of accelerations, in parts of ten bounds."""
    if data.ncon != state.ncon:
        return np.inf
    contact = np.abs(ours(data) - theirs(state)).max(initial=0.0)
    acceleration = np.abs(data.qacc - state.qacc).max() / np.abs(state.qacc).max()
    return float(max(contact, acceleration / 10) / bound) if data.ncon else 0.0


def nearby(reference: Any, qpos: np.ndarray, qvel: np.ndarray) -> Iterator[Any]:
    """MuJoCo's results for states that differ in their last bits."""
    state, rng = mujoco.MjData(reference), np.random.default_rng(1)
    for _ in range(REPEATS):
        mujoco.mj_resetData(reference, state)
        state.qpos[:] = qpos * (1.0 + 2.0**-52 * rng.integers(-1, 2, len(qpos)))
        state.qvel[:] = qvel * (1.0 + 2.0**-52 * rng.integers(-1, 2, len(qvel)))
        mujoco.mj_forward(reference, state)
        yield state


def assert_same(model: phalanx.Model, reference: Any, tilts: tuple[float, ...], count: int, bound: float) -> int:
    """Compare states; returns how many speculative contacts there were.

    Of a cap some corners of the polygon that stands for it are taken: where areas are equal, rounding decides, and one
    of the answers of MuJoCo must be ours.
    """
    data, state, rng = phalanx.Data(model), mujoco.MjData(reference), np.random.default_rng(0)
    found = 0
    for number in range(count):
        throw(reference, state, rng, tilts[number % len(tilts)])
        put(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        found += int((data._store.arrays["contact_time"][: data.ncon] > 0).sum())
        error = error_of(data, state, bound)
        if error > 1.0:
            error = min(error_of(data, other, bound) for other in nearby(reference, data.qpos, data.qvel))
        assert error <= 1.0, number
    return found


def is_searched(first: str, second: str) -> bool:
    """Does a search for the points of a pair end at a tolerance?"""
    return bool({first, second} & set(ROUND)) and first != "plane"


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_pairs_touch_where_and_when_they_do_in_mujoco(first: str, second: str) -> None:
    model, reference = both(pair_of(first, second))
    bound = SEARCHED if is_searched(first, second) else EXACT
    assert assert_same(model, reference, (0.03, 1.0), 20, bound) > 0


@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if is_searched(*pair)])
def test_searches_that_go_on_agree_as_well_as_mujoco_with_itself(first: str, second: str) -> None:
    """What is left between the engines is what rounding does, to MuJoCo's points where states differ in a last bit."""
    model, reference = both(pair_of(first, second, option='ccd_tolerance="1e-12" ccd_iterations="500"'))
    data, state, rng = phalanx.Data(model), mujoco.MjData(reference), np.random.default_rng(0)
    error, spread, found = 0.0, 0.0, 0
    for number in range(20):
        throw(reference, state, rng, (0.03, 1.0)[number % 2])
        put(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        assert data.ncon == state.ncon
        error = max(error, np.abs(ours(data) - theirs(state)).max(initial=0.0))
        others = [theirs(other) for other in nearby(reference, data.qpos, data.qvel)]
        spread = max(spread, *(np.abs(other - theirs(state)).max(initial=0.0) for other in others))
        found += data.ncon
    assert found > 0
    assert error <= ALLOWANCE * spread < SEARCHED


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete"])
@pytest.mark.parametrize(
    "attributes",
    ['margin=".02"', 'gap=".1"', 'solref=".005 1"', 'solref="-1000 -30"', 'solref="0 -50"', 'solimp=".5 .99 .1"'],
)
def test_parameters_of_contacts(attributes: str, integrator: str) -> None:
    model, reference = both(pair_of("plane", "box", attributes, option=f'integrator="{integrator}"'))
    assert assert_same(model, reference, (0.03,), 6, EXACT) > 0


@pytest.mark.parametrize("option", ['solver="CG"', 'cone="elliptic"', 'solver="PGS"'])
def test_solvers_and_cones(option: str) -> None:
    # both engines go on to the minimum, so that only rounding is left
    option += ' tolerance="0" iterations="2000"'
    model, reference = both(pair_of("plane", "capsule", option=option))
    data, state, rng = phalanx.Data(model), mujoco.MjData(reference), np.random.default_rng(1)
    for _ in range(5):
        throw(reference, state, rng, 0.03)
        put(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        np.testing.assert_allclose(data.qacc, state.qacc, rtol=1e-9, atol=1e-9 * np.abs(state.qacc).max())


def test_without_multiccd_there_is_one_point() -> None:
    model, reference = both(pair_of("box", "box", flags='multiccd="disable"'))
    assert assert_same(model, reference, (0.03,), 8, EXACT) > 0


# --- scenes

TABLE = """
    <geom type="plane" size="5 5 1"/><geom type="box" size=".5 .5 .01" pos="0 0 .4"/>
    <body pos="0 0 .8"><freejoint/><geom type="box" size=".05 .05 .05"/><geom size=".04" pos="0 0 .1"/></body>
"""


#: What stands between, or does not: geoms of the same body, of a parent, of other masks.
_PLATE = 'type="box" size=".5 .5 .01"'
_PLATES = f'<geom {_PLATE}/><geom {_PLATE} pos="0 0 -.1"/>'
_BALL = '<body pos="0 0 .5"><freejoint/><geom size=".05" conaffinity="3"/></body>'
_GROUND = '<geom type="plane" size="5 5 1"/>'
BETWEEN = {
    "plates of one body": f"<body><freejoint/>{_PLATES}</body>{_BALL}",
    "plates of the world": f"<body>{_PLATES}</body>{_BALL}",
    "plates of a mocap body": f'<body mocap="true">{_PLATES}</body>{_BALL}',
    "own plate": f"""{_GROUND}<body pos="0 0 .5"><freejoint/><geom type="box" size=".3 .3 .01"/>
      <geom size=".04" pos="0 0 .1"/></body>""",
    "plate of the parent": f"""{_GROUND}<body pos="0 0 .5"><freejoint/><geom type="box" size=".3 .3 .01"/><body><joint/>
      <geom size=".04" pos="0 0 .1"/></body></body>""",
    "masks of others": f'{_GROUND}<geom {_PLATE} pos="0 0 .2" contype="4" conaffinity="4"/>{_BALL}',
    "masks of the ball": f'{_GROUND}<geom {_PLATE} pos="0 0 .2" contype="2" conaffinity="0"/>{_BALL}',
}


@pytest.mark.parametrize("name", BETWEEN)
def test_what_hides_a_geom(name: str) -> None:
    model, reference = both(scene(BETWEEN[name], option='gravity="0 0 0"'))
    data, state = phalanx.Data(model), mujoco.MjData(reference)
    last = int(reference.body_dofadr[-1]) if reference.nv > 6 and name != "plate of the parent" else 0
    state.qvel[last + 2] = -75.0
    put(data, state)
    mujoco.mj_forward(reference, state)
    data.forward()
    assert sorted(map(tuple, data.contact_geom)) == sorted(map(tuple, state.contact.geom))


def test_what_is_hidden_by_a_table_is_not_touched() -> None:
    model, reference = both(scene(TABLE))
    data, state, rng = phalanx.Data(model), mujoco.MjData(reference), np.random.default_rng(2)
    below = 0
    for _ in range(10):
        throw(reference, state, rng, 0.3)
        put(data, state)
        mujoco.mj_forward(reference, state)
        data.forward()
        assert data.ncon == state.ncon
        assert np.abs(ours(data) - theirs(state)).max(initial=0.0) < EXACT
        below += int((data.contact_geom[:, 0] == 0).sum())
    assert below == 0


def test_fast_ball_does_not_pass_through_a_wall() -> None:
    world = '<geom type="box" size="1 1 .005"/><body pos="0 0 1"><freejoint/><geom size=".02"/></body>'
    lowest = {}
    for flags in ("enable", "disable"):
        model = phalanx.Model.from_xml_string(scene(world).replace('speculative="enable"', f'speculative="{flags}"'))
        data = phalanx.Data(model)
        data.qvel[2] = -60.0
        data.step(20)
        lowest[flags] = float(data.qpos[2])
    assert lowest["disable"] < -1.0 < 0.0 < lowest["enable"]


def test_slow_geoms_are_left_alone() -> None:
    model = phalanx.Model.from_xml_string(scene(TABLE))
    data = phalanx.Data(model)
    data.qvel[2] = -1.0
    data.forward()
    assert data.ncon == 0


def test_many_bodies_are_found_by_the_broad_phase() -> None:
    balls = "".join(
        f'<body pos="{0.3 * (k % 8)} {0.3 * (k // 8)} 1"><freejoint/><geom size=".04"/></body>' for k in range(64)
    )
    model, reference = both(scene(f'<geom type="box" size="5 5 .01" pos="1 1 0"/>{balls}'))
    data, state = phalanx.Data(model), mujoco.MjData(reference)
    state.qvel[2::6] = np.linspace(-150.0, -10.0, 64)
    put(data, state)
    mujoco.mj_forward(reference, state)
    data.forward()
    assert data.ncon == state.ncon > 5
    assert np.abs(ours(data) - theirs(state)).max() < EXACT


# --- the same bits in all ways of running


@pytest.mark.parametrize("pair", [("plane", "box"), ("box", "capsule"), ("sphere", "mesh")])
def test_lanes_give_the_bits_of_one_world(pair: tuple[str, str]) -> None:
    model, reference = both(pair_of(*pair))
    state, rng = mujoco.MjData(reference), np.random.default_rng(3)
    batch = phalanx.BatchSim(model, 10)
    qpos, qvel, qacc = batch.bind("qpos", "qvel", "qacc")
    data = phalanx.Data(model)
    ends = []
    for world in range(10):
        throw(reference, state, rng, 0.5)
        qpos[world], qvel[world] = state.qpos, state.qvel
        put(data, state)
        data.step(2)
        ends.append((data.qvel.copy(), data.qacc.copy()))
    batch.step(2)
    for world, (velocity, acceleration) in enumerate(ends):
        np.testing.assert_array_equal(qvel[world], velocity)
        np.testing.assert_array_equal(qacc[world], acceleration)


# --- single precision


@pytest.mark.parametrize("pair", [("plane", "box"), ("plane", "capsule"), ("sphere", "sphere"), ("box", "box")])
def test_single_precision_looks_ahead_alike(pair: tuple[str, str]) -> None:
    """The same contacts, to single precision; states that are nearly too slow, or nearly miss, are left to double."""
    model, reference = both(pair_of(*pair))
    single, double = model.make_data(dtype="float32"), model.make_data()
    state, rng, found = mujoco.MjData(reference), np.random.default_rng(5), 0
    for _ in range(12):
        throw(reference, state, rng, 0.5)
        for data in (single, double):
            put(data, state)
            data.forward()
        assert single.ncon == double.ncon
        found += int((single._store.arrays["contact_time"][: single.ncon] > 0).sum())
        np.testing.assert_allclose(ours(single), ours(double), atol=1e-5)
        np.testing.assert_allclose(single.qacc, double.qacc, rtol=0, atol=1e-3 * np.abs(double.qacc).max())
    assert found > 3


def test_lanes_of_single_precision_give_the_bits_of_one_world() -> None:
    model, reference = both(pair_of("box", "capsule"))
    state, rng = mujoco.MjData(reference), np.random.default_rng(6)
    batch, data = phalanx.BatchSim(model, 5, dtype="float32"), model.make_data(dtype="float32")
    qpos, qvel = batch.bind("qpos", "qvel")
    ends = []
    for world in range(5):
        throw(reference, state, rng, 0.5)
        qpos[world], qvel[world] = state.qpos, state.qvel
        put(data, state)
        ends.append(data.step(2).qvel.copy())
    batch.step(2)
    np.testing.assert_array_equal(qvel, ends)
