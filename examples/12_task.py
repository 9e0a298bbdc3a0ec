"""A task is compiled together with the physics; a search over the gains of 512 worlds learns to balance a pole.

Environments need `pip install "phalanx[learn]"`. The same task is one world (`make`) or thousands (`make_vec`).
"""

import numpy as np

import phalanx
from phalanx.kernels import clamp, cos, or_


class Balance(phalanx.Task):
    model = "cartpole"
    observation = (phalanx.Signal("position", 2), phalanx.Signal("velocity", 2))
    state = (phalanx.Row("goal", doc="where the cart has to be [m]"),)
    action_low, action_high = -1.0, 1.0
    frame_skip, max_steps = 4, 150
    force, spread = 10.0, 0.05

    def control(self, m, d):
        d.ctrl[0] = self.force * clamp(d.action[0], -1.0, 1.0)

    def observe(self, m, d, out):
        out[0], out[1] = d.qpos[0] - d.task.goal, d.qpos[1]
        for i in range(2):
            out[2 + i] = d.qvel[i]

    def reward(self, m, d):
        return cos(d.qpos[1]) - 0.1 * abs(d.qpos[0] - d.task.goal)

    def terminated(self, m, d):
        return or_(abs(d.qpos[1]) > 0.3, abs(d.qpos[0]) > 1.7)

    def reset(self, m, d, rng):
        d.task.goal = rng.uniform(-0.5, 0.5)
        d.qpos[1] = rng.normal(0.0, self.spread)


def main() -> None:
    envs = Balance().make_vec(512, autoreset_mode="same_step", copy=False)
    rng, best, spread = np.random.default_rng(0), np.zeros(4), np.full(4, 3.0)
    for generation in range(8):
        gains = best + spread * rng.normal(size=(512, 4))
        observation, _ = envs.reset(seed=generation)
        returns, alive = np.zeros(512), np.ones(512)
        for _ in range(150):
            observation, reward, terminated, truncated, _ = envs.step(np.sum(gains * observation, axis=1))
            returns += alive * reward
            alive[terminated | truncated] = 0.0
        elite = gains[np.argsort(returns)[-40:]]
        best, spread = elite.mean(axis=0), elite.std(axis=0)
        print(f"generation {generation}: mean {returns.mean():6.1f}, best {returns.max():6.1f} of 150")
    assert returns.mean() > 120


if __name__ == "__main__":
    try:
        main()
    except phalanx.MissingPackageError as error:
        raise SystemExit(str(error)) from None
