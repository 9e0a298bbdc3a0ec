"""Arm and gripper: simple controllers solve the tasks, and are paid for it."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import Data
from phalanx.learn.tasks.arm_reach import ArmReach
from phalanx.learn.tasks.gripper_pick import GripperPick


@pytest.mark.conformance
def test_an_arm_that_follows_its_jacobian_reaches_the_target():
    env = ArmReach().make(observation_dtype="float64")
    data = Data(env.task.model)
    successes = 0
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        assert abs(info["distance"] - np.linalg.norm(observation[21:24])) < 1e-12
        gains = []
        for _ in range(200):
            data.qpos[:] = observation[:6]
            data.forward()
            jacobian = data.jac_site(env.task.tool)[0]
            way = observation[21:24]
            damped = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-3 * np.eye(3), way)
            action = np.clip((damped - observation[12:18]) / env.task.action_scale, -1, 1)
            observation, reward, terminated, truncated, info = env.step(action)
            gains.append(reward)
        assert truncated and not terminated
        successes += info["is_success"]
        assert gains[-1] > gains[0]
    assert successes >= 3


@pytest.mark.conformance
def test_a_gripper_picks_up_the_cube_and_brings_it_to_the_target():
    n = 6
    envs = GripperPick().make_vec(n, observation_dtype="float64", autoreset_mode="disabled")
    observation, _ = envs.reset(seed=0)
    task = envs.task
    servo, rows = envs.worlds.rows["servo"], envs.worlds.rows
    total = np.zeros(n)
    for step in range(250):
        to_cube, to_target = observation[:, 17:20], observation[:, 20:23]
        action = np.zeros((n, 5))
        action[:, 4] = 1.0 if step < 70 else -0.6
        if step < 70:
            yaw = 2 * np.arctan2(observation[:, 16], observation[:, 13])
            goal = np.concatenate([to_cube + (0, 0, 0.08 if step < 30 else 0.0), (yaw - observation[:, 3])[:, None]], 1)
        elif step < 90:
            goal = np.zeros((n, 4))
        else:
            goal = np.concatenate([to_target, np.zeros((n, 1))], 1)
        present = observation[:, :4] - servo[:, :4]
        action[:, :4] = np.clip((goal + present) / np.array(task.action_scale), -1, 1) * (0 if 70 <= step < 90 else 1)
        observation, reward, terminated, _, _ = envs.step(action)
        total += reward
    assert not terminated.any()
    assert rows["is_held"].all() and rows["is_success"].mean() > 0.8
    assert (reward > 1.5).mean() > 0.8 and (total > 100).mean() > 0.8
