"""What users ask of a Data: MuJoCo's functions beside the step, with MuJoCo's answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.binding import KEPT
from phalanx.pipeline.operations import bind
from phalanx.tables.enums import ObjType
from tests.conformance.models import MODELS, load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states, relative_error
from tests.quiet import quiet

SOME = (
    "own/everything", "own/mixed_tree", "own/free_children", "own/ball_chain", "own/tendon_armature",
    "own/cameras_lights", "own/many_joints", "own/armature", "suite/humanoid",
)  # fmt: skip
SMOOTH = 1e-12
STATES = 6

SITES = """<mujoco><asset>
  <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .4  .1 .1 .3"/></asset>
<worldbody><body pos=".1 .2 .3"><joint type="ball"/><joint type="slide"/><geom size=".1"/>
  <site name="sphere" size=".3"/><site name="box" type="box" size=".3 .2 .1" euler="10 20 30"/>
  <site name="capsule" type="capsule" size=".15 .2" pos=".1 0 0" euler="50 0 0"/>
  <site name="cylinder" type="cylinder" size=".2 .2"/><site name="ellipsoid" type="ellipsoid" size=".3 .1 .2"/>
  <site name="mesh" type="mesh" mesh="wedge" pos=".1 0 0" euler="0 40 0"/>
</body></worldbody></mujoco>"""

CONTACTS = """<mujoco><option cone="{cone}"/><worldbody>
  <geom type="plane" size="5 5 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1" condim="{dim}" friction=".6 .1 .1"/></body>
  <body pos=".5 0 .08"><joint type="slide" axis="0 0 1" frictionloss=".5" limited="true" range="-.01 .5"/>
    <joint axis="1 0 0" frictionloss=".1"/><geom type="capsule" size=".1 .1" condim="{dim}" euler="70 20 0"/></body>
  <body name="a" pos="2 0 .5"><freejoint/><geom size=".1"/></body>
</worldbody>
<equality><connect body1="a" anchor="0 0 .2"/></equality></mujoco>"""


def twins(name: str, count: int = STATES) -> Iterator[tuple[Any, Any, phalanx.Data]]:
    """MuJoCo's model and Data, and ours in the same state, after forward; states are random."""
    pair = load(name)
    data = make_data(pair.phalanx)
    for mjdata in random_states(pair.mujoco, count, seed=3):
        mujoco.mj_forward(pair.mujoco, mjdata)
        load_state(data, mjdata)
        yield pair.mujoco, mjdata, data.forward()


def agree(actual: Any, expected: Any, tolerance: float = SMOOTH) -> None:
    assert relative_error(actual, expected) <= tolerance, (actual, expected)


@cache
def one(xml: str) -> phalanx.Model:
    return phalanx.Model.from_xml_string(xml)


@pytest.fixture
def data() -> phalanx.Data:
    *_, (_, _, found) = twins("own/everything", 3)
    return found


# --- positions


@pytest.mark.parametrize("name", SOME)
def test_positions_are_moved_and_subtracted_as_in_mujoco(name: str) -> None:
    rng = np.random.default_rng(1)
    for m, mjdata, data in twins(name):
        before = data.get_state().tobytes()
        for dt in (0.3, -2.0, 0.0, 1e-9):
            qvel = rng.normal(size=m.nv) * 3
            moved = mjdata.qpos.copy()
            mujoco.mj_integratePos(m, moved, qvel, dt)
            agree(data.integrate_pos(mjdata.qpos, qvel, dt), moved)
            if dt:
                velocity = np.zeros(m.nv)
                mujoco.mj_differentiatePos(m, velocity, dt, mjdata.qpos, moved)
                ours = data.differentiate_pos(mjdata.qpos, moved, dt)
                # what rounding leaves of positions, divided by the time
                resolution = 1e-14 * max(1.0, np.abs(moved).max(initial=0.0)) / abs(dt)
                np.testing.assert_allclose(ours, velocity, rtol=SMOOTH, atol=resolution)
        unit = mjdata.qpos.copy()
        mujoco.mj_normalizeQuat(m, unit)
        agree(data.normalize_quat(mjdata.qpos), unit, 1e-15)
        assert data.get_state().tobytes() == before


def test_subtraction_undoes_motion(data: phalanx.Data) -> None:
    rng = np.random.default_rng(2)
    start = data.integrate_pos(data.qpos, rng.normal(size=data.model.nv), 1.0)
    velocity = rng.uniform(-1, 1, (5, data.model.nv))
    end = data.integrate_pos(start, velocity, 0.5)
    assert end.shape == (5, data.model.nq)
    np.testing.assert_allclose(data.differentiate_pos(start, end, 0.5), velocity, atol=1e-13)


def test_many_positions_are_each_of_them(data: phalanx.Data) -> None:
    rng = np.random.default_rng(3)
    nq, nv = data.model.nq, data.model.nv
    qpos, qvel = rng.normal(size=(2, 3, nq)), rng.normal(size=(3, nv))
    moved = data.integrate_pos(qpos, qvel, 0.1)
    assert moved.shape == (2, 3, nq)
    np.testing.assert_array_equal(moved[1, 2], data.integrate_pos(qpos[1, 2], qvel[2], 0.1))
    speed = data.differentiate_pos(qpos[0, 0], qpos, 0.1)
    assert speed.shape == (2, 3, nv)
    np.testing.assert_array_equal(speed[1, 1], data.differentiate_pos(qpos[0, 0], qpos[1, 1], 0.1))
    assert data.integrate_pos(np.zeros((0, nq)), np.zeros(nv), 1).shape == (0, nq)


def test_positions_move_though_the_world_has_failed() -> None:
    data = one(CONTACTS.format(cone="elliptic", dim=3)).make_data()
    expected = data.integrate_pos(data.qpos, np.ones(data.model.nv), 0.1)
    data.qvel[0] = np.nan
    with pytest.raises(phalanx.WorldError):
        data.step()
    np.testing.assert_array_equal(data.integrate_pos(data.qpos, np.ones(data.model.nv), 0.1), expected)


# --- frames


FRAMES = {"body": "nbody", "xbody": "nbody", "geom": "ngeom", "site": "nsite", "camera": "ncam"}


@pytest.mark.parametrize("name", SOME)
def test_motions_of_frames_are_those_of_mujoco(name: str) -> None:
    for m, mjdata, data in twins(name):
        mujoco.mj_rnePostConstraint(m, mjdata)
        worst: dict[str, list[np.ndarray]] = {"velocity": [], "acceleration": []}
        for kind, size in FRAMES.items():
            for objid in range(min(getattr(m, size), 12)):
                for local in (False, True):
                    ours = (data.object_velocity(kind, objid, local), data.object_acceleration(kind, objid, local))
                    theirs = np.zeros(6), np.zeros(6)
                    flag = int(local)
                    mujoco.mj_objectVelocity(m, mjdata, int(ObjType[kind.upper()]), objid, theirs[0], flag)
                    mujoco.mj_objectAcceleration(m, mjdata, int(ObjType[kind.upper()]), objid, theirs[1], flag)
                    for what, a, b in zip(worst, ours, theirs, strict=True):
                        worst[what].append(np.array([a, b]))
        for what, pairs in worst.items():
            a, b = np.swapaxes(pairs, 0, 1)
            # accelerations go through the constraints
            agree(a, b, SMOOTH if what == "velocity" or not data.nefc else 1e-9)


def test_a_frame_is_named_in_any_way(data: phalanx.Data) -> None:
    name = data.model.names.names["body"][2]
    expected = data.object_velocity("xbody", 2)
    np.testing.assert_array_equal(data.object_velocity("XBODY", name), expected)
    np.testing.assert_array_equal(data.object_velocity(ObjType.XBODY, 2), expected)
    np.testing.assert_array_equal(data.object_velocity(2, 2), expected)


@pytest.mark.parametrize("site", ["sphere", "box", "capsule", "cylinder", "ellipsoid", "mesh"])
def test_points_are_inside_sites_as_in_mujoco(site: str) -> None:
    theirs = mujoco.MjModel.from_xml_string(SITES)
    mjdata, data = mujoco.MjData(theirs), one(SITES).make_data()
    rng = np.random.default_rng(4)
    mjdata.qpos[:] = data.qpos = data.integrate_pos(data.qpos, rng.normal(size=4), 1.0)
    mujoco.mj_forward(theirs, mjdata)
    data.forward()
    points = data.site(site).xpos + rng.uniform(-0.25, 0.25, (200, 3))
    siteid = theirs.site(site).id
    expected = [bool(mujoco.mj_insideSite(theirs, mjdata, siteid, point)) for point in points]
    assert 5 < sum(expected) < 195
    np.testing.assert_array_equal(data.inside_site(site, points), expected)
    assert data.inside_site(site, points.reshape(4, 50, 3)).shape == (4, 50)
    assert data.inside_site(siteid, points[0]) is expected[0]


# --- forces and matrices


@pytest.mark.parametrize("name", SOME)
def test_joint_forces_are_those_of_mujoco(name: str) -> None:
    rng = np.random.default_rng(5)
    for m, mjdata, data in twins(name):
        data.qacc = mjdata.qacc[:] = rng.normal(size=m.nv)
        expected = np.zeros((2, m.nv))
        for flag in (0, 1):
            mujoco.mj_rne(m, mjdata, flag, expected[flag])
        largest = float(np.abs(expected).max(initial=0.0))
        for flag in (0, 1):
            own = float(np.abs(expected[flag]).max(initial=0.0))
            # nothing but rounding where no gravity pulls on what rests
            scale = own if own > SMOOTH * largest else largest
            assert relative_error(data.rne(bool(flag)), expected[flag], scale) <= SMOOTH
        for body in range(0, m.nbody, max(1, m.nbody // 4)):
            force, torque, point = rng.normal(size=(3, 3))
            expected = np.zeros(m.nv)
            mujoco.mj_applyFT(m, mjdata, force, torque, point, body, expected)
            agree(data.apply_ft(force, torque, point, body), expected)


@pytest.mark.parametrize("name", SOME)
def test_products_with_the_inertia_are_those_of_mujoco(name: str) -> None:
    rng = np.random.default_rng(6)
    for m, mjdata, data in twins(name, 3):
        x = rng.normal(size=(4, m.nv))
        expected = {kind: np.zeros((4, m.nv)) for kind in ("mul_m", "mul_m2", "solve_m", "solve_m2")}
        for row in range(4):
            mujoco.mj_mulM(m, mjdata, expected["mul_m"][row], x[row])
            mujoco.mj_mulM2(m, mjdata, expected["mul_m2"][row], x[row])
        mujoco.mj_solveM(m, mjdata, expected["solve_m"], x)
        mujoco.mj_solveM2(m, mjdata, expected["solve_m2"], x, np.sqrt(mjdata.qLDiagInv))
        # a solve cannot be more exact than the matrix lets it be
        scale = 1 / np.sqrt(np.diag(data.full_m()))
        condition = np.linalg.cond(scale[:, None] * data.full_m() * scale) if m.nv else 1.0
        for kind, values in expected.items():
            ours = getattr(data, kind)(x)
            agree(ours, values, max(SMOOTH, 1e-15 * condition if kind.startswith("solve") else 0.0))
            np.testing.assert_array_equal(getattr(data, kind)(x[2]), ours[2])
            np.testing.assert_array_equal(getattr(data, kind)(x.reshape(2, 2, -1)), ours.reshape(2, 2, -1))
        # halves of the whole
        np.testing.assert_allclose((data.mul_m2(x) ** 2).sum(1), (x * data.mul_m(x)).sum(1), rtol=1e-12)
        np.testing.assert_allclose((data.solve_m2(x) ** 2).sum(1), (x * data.solve_m(x)).sum(1), rtol=1e-12)


@pytest.mark.parametrize("name", SOME[:3])
def test_the_jacobian_of_an_axis_is_that_of_mujoco(name: str) -> None:
    rng = np.random.default_rng(7)
    for m, mjdata, data in twins(name, 3):
        point, axis = rng.normal(size=(2, 3))
        expected = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        mujoco.mj_jacPointAxis(m, mjdata, *expected, point, axis, m.nbody - 1)
        for ours, theirs in zip(data.jac_point_axis(point, axis, m.nbody - 1), expected, strict=True):
            agree(ours, theirs)


# --- constraints and contacts


@pytest.mark.parametrize("dim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_constraints_and_contacts_are_those_of_mujoco(cone: str, dim: int) -> None:
    xml, rng = CONTACTS.format(cone=cone, dim=dim), np.random.default_rng(8)
    m = mujoco.MjModel.from_xml_string(xml)
    mjdata, data = mujoco.MjData(m), one(xml).make_data()
    mjdata.qvel[:] = data.qvel = rng.normal(size=m.nv)
    mujoco.mj_forward(m, mjdata)
    data.forward()
    assert data.nefc == mjdata.nefc > 5 and data.ne and data.nf
    # products
    x, f = rng.normal(size=m.nv), rng.normal(size=data.nefc)
    product, transposed = np.zeros(data.nefc), np.zeros(m.nv)
    mujoco.mj_mulJacVec(m, mjdata, product, x)
    mujoco.mj_mulJacTVec(m, mjdata, transposed, f)
    agree(data.mul_jac(x), product)
    agree(data.mul_jac_t(f), transposed)
    np.testing.assert_allclose(data.full_jac() @ x, product, rtol=1e-12, atol=1e-14)
    # forces of given residuals
    for _ in range(5):
        jar, cost = rng.normal(size=data.nefc) * 3, np.zeros(1)
        mujoco.mj_constraintUpdate(m, mjdata, jar, cost, 0)
        agree(data.constraint_update(jar), cost[0])
        for name in ("efc_force", "efc_state", "qfrc_constraint"):
            agree(getattr(data, name), getattr(mjdata, name))
    # contacts, member by member
    assert len(data.contact) == mjdata.ncon >= 2
    members = [name for name in dir(mjdata.contact[0]) if not name.startswith("_")]
    assert set(members) == set(data.contact.dtype.names)
    for name in members:
        if name == "H":  # a by-product of one solver
            continue
        theirs = np.array([getattr(contact, name) for contact in mjdata.contact])
        ours = getattr(data.contact, name)
        agree(ours, theirs.reshape(ours.shape), 1e-11)
        assert data.contact[0][name].shape == data.contact[name].shape[1:]


def test_the_array_of_contacts_cannot_be_written() -> None:
    data = one(CONTACTS.format(cone="elliptic", dim=3)).make_data()
    assert data.contact.shape == (0,) and data.contact.dist.shape == (0,)
    data.forward()
    assert data.contact[0].geom.tolist() == data.contact_geom[0].tolist()
    assert data.contact[-1].dist == data.contact_dist[-1]
    with pytest.raises(ValueError, match="read-only"):
        data.contact["dist"] = 0
    with pytest.raises(phalanx.FieldError):
        data.contact = 0  # type: ignore[misc]


def test_nothing_is_constrained_without_rows() -> None:
    data = phalanx.Model.from_xml_string("<mujoco/>").make_data().forward()
    assert data.constraint_update(np.zeros(0)) == 0
    assert data.mul_jac(np.zeros(0)).shape == data.mul_jac_t(np.zeros(0)).shape == (0,)
    assert data.full_jac().shape == (0, 0)
    assert data.rne().shape == data.mul_m2(np.zeros(0)).shape == data.integrate_pos([], [], 1).shape == (0,)
    np.testing.assert_array_equal(data.object_velocity("body", 0), 0)


# --- every way of running

#: Questions with answers of numbers: name -> arguments.
QUESTIONS: dict[str, tuple[Any, ...]] = {
    "object_velocity": ("body", -1, True),
    "object_acceleration": ("geom", -1, True),
    "rne": (True,),
    "apply_ft": ([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0], [0.1, 0.2, 0.3], -1),
}
VECTORS = ("mul_m", "mul_m2", "solve_m", "solve_m2")


def answers(data: phalanx.Data) -> dict[str, bytes]:
    rng = np.random.default_rng(9)
    nq, nv = data.model.nq, data.model.nv
    found = {name: getattr(data, name)(*arguments) for name, arguments in QUESTIONS.items()}
    x = rng.normal(size=(2, nv))
    found |= {name: getattr(data, name)(x) for name in VECTORS}
    a, b = rng.normal(size=(2, nq))
    found["integrate_pos"] = data.integrate_pos(a, x, 0.3)
    found["differentiate_pos"] = data.differentiate_pos(a, b, 0.3)
    found["constraint_update"] = np.array(data.constraint_update(rng.normal(size=data.nefc)))
    found["efc_force"] = data.efc_force
    found["inside"] = np.array([data.inside_site(site, data.xpos[-1]) for site in range(data.model.nsite)], float)
    return {name: np.ascontiguousarray(value).tobytes() for name, value in found.items()}


@pytest.mark.parametrize("name", ["own/everything", "own/mixed_tree", "own/contact"])
def test_interpreted_gives_the_same_bits(name: str) -> None:
    pair = load(name)
    *_, mjdata = random_states(pair.mujoco, 3, seed=3)
    found = []
    for flag in (False, True):
        with interpreted(flag):
            data = make_data(pair.phalanx)
            load_state(data, mjdata)
            found.append(answers(data.forward()))
    assert found[0] == found[1]


LANES = 8
#: Operation -> where its answer is, n.
ASKED = {
    "object_velocity": "asked_motion", "object_acceleration": "asked_motion", "rne_vector": "vector_out",
    "apply_ft": "vector_out", "solve_m2": "vector_out", "mul_m2": "vector_out", "integrate_pos": "asked_qpos1",
    "differentiate_pos": "vector_out",
}  # fmt: skip


def test_a_lane_gives_the_same_bits() -> None:
    pair = load("own/everything")
    states = [mjdata for mjdata in map(mujoco.MjData.__copy__, random_states(pair.mujoco, LANES, seed=3))]
    with quiet():
        sim = phalanx.BatchSim(pair.phalanx, LANES, lanes=LANES, threads=1)
    singles = []
    for world, mjdata in enumerate(states):
        data = make_data(pair.phalanx)
        load_state(data, mjdata)
        for field in KEPT:
            getattr(sim, field)[world] = data._store.arrays[field]
        singles.append(data.forward())
    sim.forward()
    lane = sim._workers[0].workspace
    places = {int(world): place for place, world in enumerate(sim._order)}
    rng = np.random.default_rng(10)
    nq, nv, body = pair.phalanx.nq, pair.phalanx.nv, pair.phalanx.nbody - 1
    for operation, answer in ASKED.items():
        given = {
            "asked_object": np.array([ObjType.BODY, body, 1], np.int32),
            "asked_wrench": rng.normal(size=6), "asked_point": rng.normal(size=3), "asked_step": 0.3,
            "asked_qpos1": rng.normal(size=nq), "asked_qpos2": rng.normal(size=nq), "vector_in": rng.normal(size=nv),
        }  # fmt: skip
        for name, values in given.items():
            shape = lane.arrays[name].shape
            lane.arrays[name][...] = np.asarray(values)[..., None] if shape[-1:] == (LANES,) else values
        bind(operation, pair.phalanx._store, lane)(body)
        for world, data in enumerate(singles):
            for name, values in given.items():
                data._store.arrays[name][...] = values
            data._operations.run(operation, body)
            ours = np.ascontiguousarray(lane.arrays[answer][..., places[world]])
            assert ours.tobytes() == data._store.arrays[answer].tobytes(), (operation, world)


def test_single_precision_follows(data: phalanx.Data) -> None:
    single = make_data(data.model, dtype="float32")
    single.set_state(data.get_state())
    single.forward()
    for name, arguments in QUESTIONS.items():
        ours, expected = getattr(single, name)(*arguments), getattr(data, name)(*arguments)
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, expected, atol=1e-3 * np.abs(expected).max() + 1e-6, err_msg=name)


# --- mistakes


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda d: d.integrate_pos(d.qpos[1:], d.qvel, 1), r"qpos has shape \(\d+,\), not \(\d+,\)"),
        (lambda d: d.integrate_pos(d.qpos, 0.0, 1), "qvel has shape"),
        (lambda d: d.integrate_pos(d.qpos, d.qvel, np.nan), "dt is a number"),
        (lambda d: d.integrate_pos(d.qpos, d.qvel, np.inf), "dt is a time in seconds"),
        (lambda d: d.integrate_pos(np.zeros((2, d.model.nq)), np.zeros((3, d.model.nv)), 1), "do not go together"),
        (lambda d: d.differentiate_pos(d.qpos, d.qpos, 0), "dt must not be zero"),
        (lambda d: d.differentiate_pos(d.qpos, "x", 1), "qpos2 takes numbers"),
        (lambda d: d.object_velocity("joint", 0), "frames belong to a body, xbody, geom, site, camera, not to 'joint'"),
        (lambda d: d.object_velocity("sight", 0), "did you mean 'site'"),
        (lambda d: d.object_velocity(99, 0), "not to 99"),
        (lambda d: d.object_velocity("body", 999), "body 999 does not exist"),
        (lambda d: d.object_acceleration("body", "nobody"), "no body is named"),
        (lambda d: d.object_velocity("body", 1, np.zeros(2)), "local is True or False"),
        (lambda d: d.inside_site("nowhere", [0, 0, 0]), "no site is named"),
        (lambda d: d.inside_site(0, [0, 0]), r"point has shape \(3,\)"),
        (lambda d: d.apply_ft([0, 0], [0, 0, 0], [0, 0, 0], 1), "force has shape"),
        (lambda d: d.apply_ft([0, 0, 0], [0, 0, 0], [0, 0, 0], "nobody"), "no body is named"),
        (lambda d: d.mul_m(np.zeros((2, 3))), r"x has shape \(\.\.\., \d+\), not \(2, 3\)"),
        (lambda d: d.solve_m2("a"), "x takes numbers"),
        (lambda d: d.mul_jac(np.zeros(1)), r"x has shape \(\d+,\), not \(1,\)"),
        (lambda d: d.constraint_update([[0]]), "jar has shape"),
        (lambda d: d.jac_point_axis([0, 0, 0], [1, 0], 1), "axis has shape"),
        (lambda d: d.run("apply_ft"), "there is no operation"),
        (lambda d: d.run("inside_site", 99), "there is no operation"),
    ],
)
def test_mistakes_are_explained(data: phalanx.Data, call: Any, words: str) -> None:
    before = data.get_state().tobytes()
    with pytest.raises((phalanx.FieldError, phalanx.UnknownNameError), match=words):
        call(data)
    assert data.get_state().tobytes() == before


# --- many models


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_all_models_answer_as_mujoco(name: str) -> None:
    test_positions_are_moved_and_subtracted_as_in_mujoco(name)
    test_products_with_the_inertia_are_those_of_mujoco(name)
    test_joint_forces_are_those_of_mujoco(name)
