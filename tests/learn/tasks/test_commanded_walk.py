"""Robots that walk as commanded: terms of the reward, commands, pushes, delays, terrains, worlds that differ."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.learn import task_named
from phalanx.learn.tasks.commanded_walk import TERMS, Noise
from phalanx.learn.tasks.walking_ground import Terrain
from phalanx.learn.tasks.walking_robots import DifferingQuadruped, QuadrupedVelocity
from phalanx.memory.errors import FieldError, UnknownNameError

N = 3


@pytest.fixture(scope="module")
def envs():
    return QuadrupedVelocity(noise=None, command_time=(0.1, 0.3), push_time=(0.1, 0.2)).make_vec(
        N, observation_dtype="float64", autoreset_mode="disabled"
    )


def frame_of(quat):
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_terms_are_what_the_table_says(envs):
    task = envs.task
    batch, rows, rng = envs.batch, envs.worlds.rows, np.random.default_rng(0)
    envs.reset(seed=1)
    dt, stance = task.duration, task.pose
    last = np.zeros((N, task.nu))
    commands = set()
    for _ in range(25):
        action = rng.uniform(-1, 1, (N, task.nu))
        observation, reward, *_ = envs.step(action)
        terms = rows["terms"] / dt / np.array([term.weight for term in TERMS])
        expected = dict(zip((term.name for term in TERMS), terms.T, strict=True))
        for world in range(N):
            frame, command = frame_of(batch.qpos[world, 3:7]), rows["command"][world]
            velocity, rotation = frame.T @ batch.qvel[world, :3], batch.qvel[world, 3:6]
            up, away = frame.T[:, 2], batch.qpos[world, 7:] - stance
            commands.add(tuple(command))
            is_asked = np.abs(command).max() > 0.1
            low, high = task.model.jnt_range[1:].T
            soft_low, soft_high = low + 0.025 * (high - low), high - 0.025 * (high - low)
            beyond = np.maximum(soft_low - batch.qpos[world, 7:], 0) + np.maximum(batch.qpos[world, 7:] - soft_high, 0)
            found = {
                "track_linear": np.exp(-np.sum((velocity[:2] - command[:2]) ** 2) / 0.4**2),
                "track_angular": np.exp(-((rotation[2] - command[2]) ** 2) / 0.4**2),
                "bounce": velocity[2] ** 2,
                "tilt_rate": np.sum(rotation[:2] ** 2),
                "tilt": np.sum(up[:2] ** 2),
                "pose": np.sum(away**2),
                "limits": beyond.sum(),
                "action_rate": np.sum((action[world] - last[world]) ** 2),
                "stand_still": 0.0 if is_asked else np.abs(away).sum(),
                "fall": float(up[2] < task.least_upright),
            }
            for name, value in found.items():
                assert abs(expected[name][world] - value) < 1e-9 * max(1, abs(value)), name
            seen = np.concatenate([velocity, rotation, -up, command, away, batch.qvel[world, 6:], action[world]])
            assert np.abs(observation[world] - seen).max() < 1e-12
        assert np.allclose(reward, rows["terms"].sum(1), rtol=0, atol=1e-12)
        assert (expected["torque"] > 0).all() and (expected["power"] >= 0).all() and (expected["slip"] >= 0).all()
        last = action
    assert len(commands) > 2 * N


def test_actions_count_after_the_delay(envs):
    envs.reset(seed=5, options={"delay": np.array([0.0, 1.0, 1.0])})
    first, second = np.full((N, 12), 0.5), np.full((N, 12), -0.25)
    envs.step(first)
    assert np.allclose(envs.batch.ctrl - envs.task.pose, [[0.2] * 12, [0.0] * 12, [0.0] * 12])
    envs.step(second)
    assert np.allclose(envs.batch.ctrl - envs.task.pose, [[-0.1] * 12, [0.2] * 12, [0.2] * 12])


@pytest.mark.conformance
def test_sensors_are_noisy_within_their_bounds():
    bounds = Noise()
    noisy = QuadrupedVelocity(noise=bounds, push_speed=0.0).make_vec(200, observation_dtype="float64")
    plain = QuadrupedVelocity(noise=None, push_speed=0.0).make_vec(200, observation_dtype="float64")
    first, _ = noisy.reset(seed=2)
    state = {name: noisy.batch._arrays[name].copy() for name in ("qpos", "qvel")}
    plain.reset(seed=2)
    command = noisy.worlds.rows["command"].copy()
    off = np.abs(first - plain.set_state(**state, command=command))
    parts = {"velocity": (0, 3), "rotation": (3, 6), "gravity": (6, 9), "angle": (12, 24), "joint_velocity": (24, 36)}
    for name, (begin, end) in parts.items():
        bound, found = getattr(bounds, name), off[:, begin:end]
        assert 0.9 * bound < found.max() <= bound * (1 + 1e-9) and abs(found.mean() / bound - 0.5) < 0.05, name
    assert off[:, 9:12].max() == 0.0 and off[:, 36:].max() == 0.0


def test_names_of_terms_and_terrains_are_checked():
    with pytest.raises(UnknownNameError, match="did you mean 'torque'"):
        QuadrupedVelocity(weights={"torqe": 1.0})
    with pytest.raises(FieldError, match="terrain is one of"):
        Terrain("stair")
    with pytest.raises(FieldError, match="do not fit"):
        Terrain("stairs", steps=20)
    assert "action[11]  knee_hind_right" in QuadrupedVelocity().describe()


@pytest.mark.conformance
def test_pushes_change_the_velocity():
    kicked = QuadrupedVelocity(push_speed=2.0, push_time=(0.2, 0.2), noise=None).make_vec(20)
    calm = QuadrupedVelocity(push_speed=0.0, noise=None).make_vec(20)
    speeds = []
    for envs in (kicked, calm):
        envs.reset(seed=0)
        for _ in range(12):
            envs.step(np.zeros((20, 12)))
        speeds.append(np.linalg.norm(envs.batch.qvel[:, :2], axis=1).mean())
    assert speeds[0] > 0.3 > 0.15 > speeds[1]


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["QuadrupedRough-v0", "QuadrupedStairs-v0", "HumanoidRough-v0"])
def test_levels_follow_from_how_far_a_robot_came(name):
    task = task_named(name, max_steps=40, push_speed=0.0)
    envs = task.make_vec(8, autoreset_mode="same_step")
    envs.reset(seed=0)
    rows = envs.worlds.rows
    heights = task.heights
    for wanted in (1, 2, 3):
        for step in range(40):
            if step == 38:
                rows["origin"][:4, 0] -= 20.0  # as if they had come far
            envs.step(np.zeros((8, task.actions)))
        assert (rows["level"][:4] == wanted).all() and (rows["level"][4:] == 0).all()
        place = envs.batch.qpos[:, :3]
        assert np.abs(place[:, 0] - rows["level"] * task.tile).max() < 0.31
        above = place[:, 2] - heights[rows["level"].astype(int)]
        assert np.allclose(above, task.start[2])
    # standing robots stand on the ground, at the level that they are on
    for _ in range(39):
        _, _, terminated, *_ = envs.step(np.zeros((8, task.actions)))
    touch = envs.batch.qpos[:, 2] - task.start[2]
    assert not terminated.any() and (touch > -0.1).all()
    if "Stairs" in name:
        assert np.abs(touch - heights[rows["level"].astype(int)]).max() < 0.05


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["QuadrupedDiffering-v0", "HumanoidDiffering-v0"])
def test_worlds_differ_in_every_episode(name):
    task = task_named(name, max_steps=5)
    envs = task.make_vec(16, autoreset_mode="same_step")
    envs.reset(seed=0)
    model, seen = task.model, []
    for _ in range(2):
        vary = {key: np.array(value) for key, value in envs.batch.vary.items()}
        seen.append(vary)
        mass = vary["body_mass"][:, 1:] / model.body_mass[1:]
        assert 0.85 <= mass.min() < 0.9 and 1.1 < mass.max() <= 1.15
        assert np.allclose(vary["body_inertia"][:, 1:] / model.body_inertia[1:], mass[:, :, None])
        gain = vary["actuator_gainprm"][:, :, 0] / model.actuator_gainprm[:, 0]
        assert np.allclose(-vary["actuator_biasprm"][:, :, 1], vary["actuator_gainprm"][:, :, 0])
        assert gain.min() >= 0.85 and gain.max() <= 1.15
        friction = vary["geom_friction"][:, :, 0] / model.geom_friction[:, 0]
        assert np.ptp(friction, axis=1).max() < 1e-12 and np.ptp(friction[:, 0]) > 0.3
        for _ in range(5):
            envs.step(np.zeros((16, task.actions)))
    assert all((seen[0][key] != seen[1][key]).any() for key in task.vary)


@pytest.mark.conformance
def test_a_world_is_the_same_alone_and_among_others():
    many = DifferingQuadruped().make_vec(5, observation_dtype="float64")
    one = DifferingQuadruped().make(observation_dtype="float64")
    many.reset(seed=3)
    first, _ = one.reset(seed=5)
    assert np.array_equal(first, many.worlds.observation[2])
    rng = np.random.default_rng(0)
    for _ in range(20):
        actions = rng.uniform(-1, 1, (5, 12))
        observation, reward, *_ = many.step(actions)
        found, gain, *_ = one.step(actions[2])
        assert np.array_equal(found, observation[2]) and gain == reward[2]
