"""The tasks of dm_control: observations, rewards and lengths of episodes are those of dm_control and MuJoCo.

At every step our world gets the state of theirs, so differences do not grow.
"""

from __future__ import annotations

import gymnasium
import mujoco
import numpy as np
import pytest
from dm_control import suite
from dm_control.mujoco.wrapper.mjbindings import sizes
from dm_control.suite import quadruped
from dm_control.utils import rewards

from phalanx import Data
from phalanx.algebra.jit import interpreted
from phalanx.learn import ENVS, register_envs, task_named
from phalanx.learn.tasks.dm import tolerance as shapes
from phalanx.tables.enums import GeomType
from tests.collision.certificates import Shape

# nothing is drawn, so nobody has to be told of another height field
quadruped.Physics.contexts = None
# dm_control knows fields of MuJoCo that this version of it does not have any more
for _struct, _kind in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
    for _field in [name for name in sizes.array_sizes[_struct] if not hasattr(_kind, name)]:
        del sizes.array_sizes[_struct][_field]

NAMES = [name.removeprefix("dm-") for name in ENVS if name.startswith("dm-")]
#: Tasks of the everyday tests.
FEW = ("cartpole-swingup",)
STATE = ("qpos", "qvel", "qacc_warmstart", "act", "time")


def rows_of(name, physics, ours):
    """Rows of our task, and places of bodies: what dm_control writes into its model."""
    model, data = physics.named.model, physics.named.data
    domain = name.split("-")[0]
    if domain in ("reacher", "swimmer"):
        return {"target": model.geom_pos["target", :2]}
    if name == "fish-swim":
        return {"target": model.geom_pos["target"]}
    if name.startswith("finger-turn"):
        return {"target": model.site_pos["target", ["x", "z"]] - data.xanchor["hinge", ["x", "z"]]}
    if domain in ("manipulator", "stacker"):
        model, own = physics.model, ours.task.model
        moved = [k for k in range(own.nbody) if own.body_mocapid[k] >= 0]
        assert [own.body(k).name for k in moved] == [model.id2name(k, "body") for k in moved]
        return {"mocap_pos": model.body_pos[moved], "mocap_quat": model.body_quat[moved]}
    if name == "point_mass-hard":
        return {"directions": physics.model.wrap_prm}
    return {}


def flat(observation):
    return np.concatenate([np.ravel(part) for part in observation.values()])


def assert_close(found, expected, what):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, what
    error = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    assert error.max(initial=0.0) < 1e-9, (what, error.max(), int(error.argmax()))


def place_at_goal(name, physics):
    """A state that is paid, for tasks that random actions rarely solve: often that of the model."""
    domain, model, data = name.split("-")[0], physics.named.model, physics.named.data
    with physics.reset_context():
        if domain == "finger":
            data.qvel["hinge"] = -20.0
            model.site_pos["target", ["x", "z"]] = data.site_xpos["tip", ["x", "z"]]
        elif domain == "ball_in_cup":
            way = data.site_xpos["target", ["x", "z"]] - data.xpos["ball", ["x", "z"]]
            for joint, distance in zip(("ball_x", "ball_z"), way, strict=True):
                data.qpos[joint] = distance
        elif domain == "quadruped":
            # in `escape` beyond the terrain, in `fetch` near the ball
            data.qpos["root"][:] = 35.0 * (name == "quadruped-escape"), 0, 0.8, 1, 0, 0, 0
            if name == "quadruped-fetch":
                data.qpos["ball_root"][:3] = 1.0, 0.0, 0.3
        elif domain == "dog":
            data.qvel["root"][0] = 2.0
            if name == "dog-fetch":
                data.qpos["ball_root"][:3] = 0.05, 0.05, 0.05
        elif name == "stacker-stack_2" or name == "stacker-stack_4":
            data.qpos["box0_x"], data.qpos["box0_z"] = model.body_pos["target", ["x", "z"]] + 0.005
            data.qpos["box0_y"] = 0.0
        elif domain == "manipulator":
            prop = "peg" if "peg" in name else "ball"
            quat = model.body_quat[f"target_{prop}"]
            place = *(model.body_pos[f"target_{prop}", ["x", "z"]] + 0.002), 2 * np.arctan2(quat[2], quat[0])
            for axis, value in zip("xzy", place, strict=True):
                data.qpos[f"{prop}_{axis}"] = value
        elif domain in ("cheetah", "hopper", "walker"):
            data.qvel["rootx"] = 3.0
        elif domain == "reacher":
            model.geom_pos["target", :2] = data.geom_xpos["finger", :2] + 0.005
        elif domain in ("fish", "swimmer"):  # the target at what has to reach it
            model.geom_pos["target", :2] = data.geom_xpos["mouth" if domain == "fish" else "nose", :2] + 0.01


def begin_both(name, ours, theirs, is_goal=False):
    """The same new episode."""
    theirs.reset()
    if name == "quadruped-escape":  # our bumps, which all episodes share
        theirs.physics.model.hfield_data[:] = ours.task.model.hfield_data
        theirs.physics.after_reset()
    if is_goal:
        place_at_goal(name, theirs.physics)
    if name.startswith("dog"):  # dm_control lets actuators rest when an episode begins; these have activations
        theirs.physics.forward()
    observation = theirs.task.get_observation(theirs.physics)
    data = theirs.physics.data
    state = {
        field: np.array(getattr(data, field)) for field in ("qpos", "qvel", "act") if np.size(getattr(data, field))
    }
    state |= {row: np.array(value) for row, value in rows_of(name, theirs.physics, ours).items()}
    found, _ = ours.reset(options=state)
    assert_close(found, flat(observation), "first observation")


def without_searched_contacts(model, other):
    """The normal of a contact that is found by search is known to the root of its tolerance: both do without them."""
    is_simple = np.isin(model.geom_type, [int(GeomType[name]) for name in ("PLANE", "SPHERE", "CAPSULE")])
    flags = {name: np.where(is_simple, getattr(model, name), 0) for name in ("geom_contype", "geom_conaffinity")}
    for name, values in flags.items():
        getattr(other, name)[:] = values
    assert flags["geom_contype"].any()
    return model.replace(**flags)


def compare(name, steps, is_whole=False):
    """Random actions, both from the same state at every step. Returns rewards. The dog, unless it `is_whole`, without
    contacts that are found by search."""
    domain, _, task = name.partition("-")
    theirs = suite.load(domain, task, task_kwargs={"random": 1})
    # springs of masses are drawn
    parameters = {"stiffness": tuple(theirs.physics.model.jnt_stiffness)} if domain == "lqr" else {}
    if domain == "dog" and not is_whole:
        parameters = {"model": without_searched_contacts(task_named(f"dm/{name}").model, theirs.physics.model)}
    ours = task_named(f"dm/{name}", **parameters).make(observation_dtype="float64")
    assert ours.task.max_steps == (theirs._step_limit if np.isfinite(theirs._step_limit) else 0)
    assert ours.task.frame_skip == theirs._n_sub_steps
    assert np.isneginf(ours.observation_space.low).all() and np.isposinf(ours.observation_space.high).all()
    rng, spec, gains = np.random.default_rng(2), theirs.action_spec(), []
    begin_both(name, ours, theirs)
    for k in range(steps):
        data = theirs.physics.data
        for field in STATE:
            ours.batch._arrays[field][0] = getattr(data, field)
        action = rng.uniform(np.maximum(spec.minimum, -1.0), np.minimum(spec.maximum, 1.0)) * (k % 50 > 10)
        expected = theirs.step(action)
        found, reward, terminated, _, _ = ours.step(action)
        assert_close(found, flat(expected.observation), f"observation at step {k}")
        assert_close(reward, expected.reward, f"reward at step {k}")
        assert terminated == (expected.discount == 0.0)
        gains.append(reward)
        if k % 60 == 59:
            begin_both(name, ours, theirs, is_goal=k < 130 and domain != "lqr")
    return np.array(gains)


@pytest.mark.parametrize("name", FEW)
def test_a_task_is_that_of_dm_control(name):
    assert compare(name, 30).max() > 0


@pytest.mark.conformance
@pytest.mark.parametrize("name", NAMES)
def test_every_task_is_that_of_dm_control(name):
    gains = compare(name, 200)
    assert 0.0 < gains.max() <= 1.0 and np.ptp(gains) > 0.0


@pytest.mark.conformance
@pytest.mark.xfail(
    strict=True, reason="GAP: the normal of a contact with an ellipsoid differs by 4e-6, and observations with it"
)
def test_the_whole_dog_is_that_of_dm_control():
    compare("dog-stand", 200, is_whole=True)


FINE = {"ccd_tolerance": 1e-13, "ccd_iterations": 200}


def states_of_a_dog(steps):
    """MuJoCo's model of the whole dog, and states (by name) before each step of the physics under random controls."""
    theirs = suite.load("dog", "stand", task_kwargs={"random": 1})
    theirs.reset()
    model, data, rng, states = theirs.physics.model.ptr, theirs.physics.data.ptr, np.random.default_rng(2), []
    for k in range(steps):
        data.ctrl[:] = rng.uniform(-1.0, 1.0, model.nu) * (k % 50 > 10)
        for _ in range(theirs._n_sub_steps):
            states.append({name: np.array(getattr(data, name)) for name in ("qpos", "qvel", "act", "ctrl")})
            mujoco.mj_step(model, data)
    return model, states


@pytest.mark.conformance
@pytest.mark.parametrize("fine", [{}, FINE], ids=["default", "fine"])
def test_only_searched_contacts_of_the_whole_dog_differ_and_fine_ones_of_ours_are_exact(fine):
    """A contact of its torso, an ellipsoid, is off by at most h(n) + dist (`tests/collision/certificates.py`), and its
    normal by the root of that. MuJoCo's search ends 1e-11 off with the smallest tolerance, too, ours at rounding: so
    the two do not come together."""
    model, states = states_of_a_dog(200)
    own = task_named("dm/dog-stand").model.replace(opt=fine)
    for name, value in fine.items():
        setattr(model.opt, name, value)
    theirs, ours, gaps, normals = mujoco.MjData(model), Data(own), [], []
    for state in states:
        for data in (theirs, ours):
            for name, values in state.items():
                getattr(data, name)[:] = values
        mujoco.mj_forward(model, theirs)
        ours.forward()
        assert theirs.ncon == ours.ncon and np.array_equal(theirs.contact.geom, ours.contact.geom)
        for c, pair in enumerate(theirs.contact.geom):
            kinds = {GeomType(kind) for kind in model.geom_type[pair]}
            if GeomType.ELLIPSOID not in kinds or GeomType.PLANE in kinds:
                assert_close(ours.contact.dist[c], theirs.contact.dist[c], "distance")
                assert_close(ours.contact.frame[c].ravel(), theirs.contact.frame[c], "frame")
                continue
            first, second = (Shape(model, theirs, k) for k in pair)
            found = [np.ravel(data.contact.frame[c])[None, :3] for data in (ours, theirs)]
            reach = [(first.height(n) + second.height(-n)).item() for n in found]
            gaps.append(np.abs([reach[0] + ours.contact.dist[c], reach[1] + theirs.contact.dist[c]]))
            normals.append(np.abs(found[0] - found[1]).max())
    mine, other = np.max(gaps, 0)
    assert len(gaps) > 20 and np.max(normals) < 1e-4
    assert mine < 1e-12 < other if fine else max(mine, other) < 1e-9


@pytest.mark.conformance
def test_directions_of_actuators_are_not_too_parallel():
    envs = task_named("dm/point_mass-hard").make_vec(200)
    envs.reset(seed=0)
    directions = envs.worlds.rows["directions"].reshape(200, 2, 2)
    assert np.allclose(np.linalg.norm(directions, axis=2), 1.0)
    dots = np.sum(directions[:, 0] * directions[:, 1], 1)
    assert np.abs(dots).max() <= 0.9 and np.ptp(dots) > 1.5
    before = envs.batch.qvel.copy()
    envs.step(np.tile([1.0, 0.0], (200, 1)))
    push = envs.batch.qvel - before
    inside = np.abs(envs.batch.qpos).max(1) < 0.25
    assert np.allclose((push / np.linalg.norm(push, axis=1)[:, None])[inside], directions[inside, 0], atol=1e-6)


SHAPES = {
    "gaussian": 0.1, "hyperbolic": 0.1, "long_tail": 0.1, "reciprocal": 0.1, "cosine": 0.0, "linear": 0.0,
    "quadratic": 0.0, "tanh_squared": 0.1,
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_tolerance_is_that_of_dm_control(shape):
    kernel = getattr(shapes, shape)
    with interpreted():
        for value in (SHAPES[shape], 0.3):
            for x in np.linspace(-4.0, 4.0, 41):
                for low, high in ((-0.5, 1.0), (0.0, 0.0), (1.0, np.inf)):
                    expected = rewards.tolerance(float(x), (low, high), 1.5, shape, value)
                    found = shapes.tolerance(x, low, high, 1.5, kernel, value)
                    assert abs(found - expected) < 1e-12
                    assert shapes.within(x, low, high) == rewards.tolerance(float(x), (low, high))


def test_gymnasium_knows_all_names():
    register_envs()
    assert {row.id for row in ENVS.values()} <= {*gymnasium.registry}
    assert repr(task_named("phalanx/dm/cartpole-swingup")) == repr(task_named("dm-cartpole-swingup"))
