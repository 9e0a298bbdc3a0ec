"""Proximal policy optimization in one file: Phalanx simulates, JAX learns. Copy it, change it.

    python examples/learning/ppo.py CartPole-v0
    python examples/learning/ppo.py HalfCheetah-v5 --seed 2 --curve curve.csv --film run.webp
    python examples/learning/ppo.py Hopper-v5 --steps 4000000 --worlds 256

The first argument is an environment of Phalanx; `PRESETS` has settings of some, and every setting is an option of the
command line. Needs `pip install "phalanx[ppo]"`; docs/learning.md tells more. The algorithm: Schulman et al., Proximal
policy optimization algorithms, 2017; its details: Huang et al., The 37 implementation details of proximal policy
optimization, 2022; a learning rate that follows the policy: Rudin et al., Learning to walk in minutes, CoRL 2022.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from PIL import Image

import phalanx


@dataclass(frozen=True)
class Settings:
    """What can be set on the command line."""

    task: str = "CartPole-v0"  # an environment of Phalanx: docs/environments.md
    seed: int = 1
    steps: int = 1_000_000  # in all worlds together
    worlds: int = 256
    horizon: int = 32  # steps of each world between two updates of the policy
    epochs: int = 4  # how often an update goes through what was collected
    minibatches: int = 8
    learning_rate: float = 1e-3  # at the start
    largest_rate: float = 1e-3  # a larger one learns faster at first, and may spoil a policy that is good already
    divergence: float = 0.01  # of the policies before and after an update; the learning rate follows it
    discount: float = 0.99
    trace: float = 0.95  # lambda of the generalized advantage estimation
    clip: float = 0.2
    entropy: float = 0.0
    value_weight: float = 0.5
    largest_gradient: float = 1.0
    spread: float = 0.6  # standard deviation of actions at the start, in halves of their range
    hidden: int = 64  # width of the two hidden layers of policy and value
    dtype: str = "float32"  # of the physics
    threads: int | None = None  # of the physics; None for all


#: Settings of tasks where they are not those above.
PRESETS: dict[str, dict[str, Any]] = {
    "CartPole-v0": {"steps": 400_000, "worlds": 128},
    "HalfCheetah-v5": {"steps": 6_000_000, "worlds": 512, "largest_rate": 1e-2},
    "Ant-v5": {"steps": 8_000_000, "worlds": 512, "largest_rate": 1e-2},
    "QuadrupedVelocity-v0": {
        "steps": 12_000_000,
        "worlds": 1024,
        "horizon": 24,
        "hidden": 128,
        "largest_rate": 1e-2,
    },
}


# --- the policy: a normal distribution around a network of the observation; and the value of an observation


def network(rng: np.random.Generator, sizes: list[int], last: float) -> list[tuple[jax.Array, jax.Array]]:
    """Weights and biases of a network with these widths: orthogonal, the last layer `last` times as large."""
    layers = []
    for k, (below, above) in enumerate(itertools.pairwise(sizes)):
        q, r = np.linalg.qr(rng.standard_normal((max(below, above), min(below, above))))
        weight = q * np.sign(np.diag(r))
        gain = last if k == len(sizes) - 2 else 2**0.5
        weight = gain * (weight if below >= above else weight.T)
        layers.append((jnp.asarray(weight, jnp.float32), jnp.zeros(above, jnp.float32)))
    return layers


def evaluate(layers: list[tuple[jax.Array, jax.Array]], x: jax.Array) -> jax.Array:
    """What a network makes of x."""
    for weight, bias in layers[:-1]:
        x = jnp.tanh(x @ weight + bias)
    weight, bias = layers[-1]
    return x @ weight + bias


def first_parameters(settings: Settings, observations: int, actions: int) -> dict[str, Any]:
    """Parameters of policy and value."""
    rng, sizes = np.random.default_rng(settings.seed), [observations, settings.hidden, settings.hidden]
    return {
        "policy": network(rng, [*sizes, actions], 0.01),
        "log_spread": jnp.full(actions, np.log(settings.spread), jnp.float32),
        "value": network(rng, [*sizes, 1], 1.0),
    }


def log_likelihood(params: dict[str, Any], mean: jax.Array, action: jax.Array) -> jax.Array:
    """Of actions, under normal distributions."""
    away = (action - mean) / jnp.exp(params["log_spread"])
    return -0.5 * jnp.sum(away**2 + 2.0 * params["log_spread"] + jnp.log(2.0 * jnp.pi), -1)


@jax.jit
def act(params: dict[str, Any], scale: Any, observation: jax.Array, key: jax.Array, count: int) -> Any:
    """Random actions, how likely they were, and values, in all worlds."""
    x = scaled(scale, observation)
    mean = evaluate(params["policy"], x)
    noise = jax.random.normal(jax.random.fold_in(key, count), mean.shape)
    action = mean + jnp.exp(params["log_spread"]) * noise
    return action, log_likelihood(params, mean, action), evaluate(params["value"], x)[:, 0]


@jax.jit
def act_best(params: dict[str, Any], scale: Any, observation: jax.Array) -> jax.Array:
    """The most likely actions."""
    return evaluate(params["policy"], scaled(scale, observation))


def scaled(scale: Any, observation: jax.Array) -> jax.Array:
    """Observations of mean 0 and deviation 1, cut off far away."""
    mean, deviation = scale
    return jnp.clip((observation - mean) / deviation, -10.0, 10.0)


class Alone:
    """One process learns. `examples/learning/ppo_processes.py` has a team of several, which average their gradients."""

    rank, size = 0, 1

    def average(self, tree: Any) -> Any:
        """The mean over the processes, in compiled code."""
        return tree

    def gather(self, row: np.ndarray) -> np.ndarray:
        """Rows of all processes, (processes, ...)."""
        return row[None]

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of (params, memory, scale, rollout, order), compiled."""
        return jax.jit(function)


class Moments:
    """Mean and variance of all that was seen so far, by all processes."""

    def __init__(self, team: Alone, shape: tuple[int, ...] = ()):
        self.team, self.mean, self.variance, self.count = team, np.zeros(shape), np.ones(shape), 1e-4

    def see(self, batch: np.ndarray) -> None:
        """Take rows into account (Chan et al., Updating formulae for computing sample variances, 1979)."""
        count = len(batch)
        for mean, variance in self.team.gather(np.stack([batch.mean(0, dtype=float), batch.var(0, dtype=float)])):
            away, total = mean - self.mean, self.count + count
            squares = self.variance * self.count + variance * count + away**2 * (self.count * count / total)
            self.mean, self.variance, self.count = self.mean + away * (count / total), squares / total, total

    def scale(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and deviation, as the networks take them."""
        return self.mean.astype(np.float32), np.sqrt(self.variance + 1e-8).astype(np.float32)


# --- the update

#: What an update needs of a rollout.
SEEN = ("observation", "action", "log_likelihood", "value", "reward", "goes_on", "last_value")


def advantages(settings: Settings, rollout: dict[str, jax.Array]) -> jax.Array:
    """How much better than expected it went: generalized advantage estimation, (horizon, worlds)."""

    def back(later: Any, step: Any) -> Any:
        advantage, value_after = later
        reward, value, goes_on = step
        surprise = reward + settings.discount * value_after * goes_on - value
        advantage = surprise + settings.discount * settings.trace * goes_on * advantage
        return (advantage, value), advantage

    start = jnp.zeros_like(rollout["last_value"]), rollout["last_value"]
    steps = rollout["reward"], rollout["value"], rollout["goes_on"]
    return jax.lax.scan(back, start, steps, reverse=True)[1]


def loss(params: dict[str, Any], settings: Settings, batch: dict[str, jax.Array]) -> Any:
    """The clipped objective, the error of values, and less of spread; and how far the policy has moved."""
    mean = evaluate(params["policy"], batch["observation"])
    log_ratio = log_likelihood(params, mean, batch["action"]) - batch["log_likelihood"]
    ratio, gain = jnp.exp(log_ratio), batch["advantage"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    clipped = jnp.clip(ratio, 1.0 - settings.clip, 1.0 + settings.clip)
    objective = jnp.minimum(ratio * gain, clipped * gain).mean()
    error = jnp.mean((evaluate(params["value"], batch["observation"])[:, 0] - batch["target"]) ** 2)
    total = -objective + settings.value_weight * error - settings.entropy * jnp.sum(params["log_spread"])
    return total, jnp.mean(ratio - 1.0 - log_ratio)


def adam(settings: Settings, params: Any, gradient: Any, memory: Any) -> Any:
    """A step of Adam (Kingma and Ba, 2015), with gradients that are not too large."""
    first, second, count, rate = memory
    length = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, settings.largest_gradient / (length + 1e-6)), gradient)
    count = count + 1.0
    first = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, first, gradient)
    second = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g**2, second, gradient)
    unbiased = rate * jnp.sqrt(1.0 - 0.999**count) / (1.0 - 0.9**count)
    params = jax.tree.map(lambda p, a, b: p - unbiased * a / (jnp.sqrt(b) + 1e-8), params, first, second)
    return params, (first, second, count, rate)


def update(
    settings: Settings, team: Alone, params: Any, memory: Any, scale: Any, rollout: dict[str, jax.Array], order: Any
) -> Any:
    """Learn from what was collected, in minibatches: `order` has the rows of each."""
    gain = advantages(settings, rollout)
    data = {
        "observation": scaled(scale, rollout["observation"]), "action": rollout["action"],
        "log_likelihood": rollout["log_likelihood"], "advantage": gain, "target": gain + rollout["value"],
    }  # fmt: skip
    data = {name: row.reshape(-1, *row.shape[2:]) for name, row in data.items()}

    def learn_from(state: Any, rows: jax.Array) -> Any:
        params, memory = state
        batch = {name: row[rows] for name, row in data.items()}
        gradient, moved = team.average(jax.grad(loss, has_aux=True)(params, settings, batch))
        params, (*moments, rate) = adam(settings, params, gradient, memory)
        # slower when the policy moves too far, faster when it hardly does
        slower, faster = moved > 2.0 * settings.divergence, moved < 0.5 * settings.divergence
        factor = jnp.where(slower, 1 / 1.5, jnp.where(faster, 1.5, 1.0))
        return (params, (*moments, jnp.clip(rate * factor, 1e-5, settings.largest_rate))), moved

    (params, memory), moved = jax.lax.scan(learn_from, (params, memory), order)
    return params, memory, moved.mean()


# --- learning


def collect(
    envs: Any, settings: Settings, params: Any, scale: Any, key: Any, first: int, rollout: dict[str, Any]
) -> None:
    """Let the policy act for `horizon` steps; what happens goes into the arrays of the rollout."""
    low, high = envs.single_action_space.low, envs.single_action_space.high
    middle, half = (high + low) / 2, (high - low) / 2
    for t in range(settings.horizon):
        observation = rollout["observation"][t] = rollout["next_observation"]
        action, likelihood, value = act(params, scale, observation, key, first + t)
        rollout["action"][t], rollout["log_likelihood"][t], rollout["value"][t] = action, likelihood, value
        # the policy is unbounded; what the robot does is not
        bounded = np.clip(middle + half * rollout["action"][t], low, high)
        rollout["next_observation"], reward, terminated, truncated, _ = envs.step(bounded)
        rollout["raw_reward"][t], rollout["terminated"][t], rollout["truncated"][t] = reward, terminated, truncated


class Episodes:
    """Returns of whole episodes, and rewards scaled by how much returns vary."""

    def __init__(self, settings: Settings, team: Alone, is_whole: np.ndarray):
        self.discount, self.is_whole = settings.discount, is_whole
        self.total, self.discounted = np.zeros(settings.worlds), np.zeros(settings.worlds)
        self.moments, self.recent = Moments(team), np.zeros(0)

    def see(self, rollout: dict[str, Any]) -> None:
        """Follow the episodes of a rollout; writes its scaled rewards, and what goes on."""
        ended, rewards = rollout["terminated"] | rollout["truncated"], rollout["raw_reward"]
        discounted, finished = np.empty_like(rewards), []
        for t, reward in enumerate(rewards):
            self.total += reward
            discounted[t] = self.discounted = self.discounted * self.discount + reward
            finished.append(self.total[ended[t] & self.is_whole])
            self.is_whole = self.is_whole | ended[t]
            self.total[ended[t]] = self.discounted[ended[t]] = 0.0
        self.recent = np.concatenate([self.recent, *finished])[-max(len(self.total), 100) :]
        self.moments.see(discounted.reshape(-1))
        rollout["reward"] = np.clip(rewards / self.moments.scale()[1], -10.0, 10.0).astype(np.float32)
        # an episode that was cut off would have gone on: its value is about that of its last observation
        cut = rollout["truncated"] & ~rollout["terminated"]
        rollout["reward"] += self.discount * rollout["value"] * cut
        rollout["goes_on"] = 1.0 - ended.astype(np.float32)


def learn(
    settings: Settings, report: Any = print, team: Alone | None = None
) -> tuple[Any, Any, list[dict[str, float]]]:
    """Parameters of the policy, the scale of observations, and the curve: a row for each update."""
    team = team or Alone()
    envs = phalanx.learn.task_named(settings.task).make_vec(
        settings.worlds, autoreset_mode="same_step", dtype=settings.dtype, threads=settings.threads, copy=False
    )
    n, horizon, actions = settings.worlds, settings.horizon, envs.single_action_space.shape[0]
    (observations,) = envs.single_observation_space.shape
    params = first_parameters(settings, observations, actions)
    zeros = jax.tree.map(jnp.zeros_like, params)
    memory = (zeros, zeros, jnp.float32(0), jnp.float32(settings.learning_rate))
    rollout: dict[str, Any] = {
        "observation": np.zeros((horizon, n, observations), np.float32),
        "action": np.zeros((horizon, n, actions), np.float32),
        **{name: np.zeros((horizon, n), np.float32) for name in ("log_likelihood", "value", "raw_reward")},
        **{name: np.zeros((horizon, n), bool) for name in ("terminated", "truncated")},
    }
    rollout["next_observation"], _ = envs.reset(seed=settings.seed + team.rank * n)
    # episodes of the worlds end at different times, so that updates see all of their phases
    rng = np.random.default_rng([settings.seed, team.rank])
    if envs.task.max_steps:
        envs.worlds.episode_steps[:] = rng.integers(0, envs.task.max_steps, n)
    episodes = Episodes(settings, team, envs.worlds.episode_steps == 0)
    moments, curve = Moments(team, (observations,)), []
    improve = team.compiled(partial(update, settings, team))
    key = jax.random.key(settings.seed * team.size + team.rank)
    each = team.size * n * horizon
    begin, cpu = time.perf_counter(), time.process_time()
    for iteration in range(settings.steps // each):
        scale = moments.scale()
        collect(envs, settings, params, scale, key, iteration * horizon, rollout)
        _, _, rollout["last_value"] = act(params, scale, rollout["next_observation"], key, (iteration + 1) * horizon)
        episodes.see(rollout)
        seen = {name: rollout[name] for name in SEEN}
        order = np.stack([rng.permutation(n * horizon) for _ in range(settings.epochs)]).astype(np.int32)
        order = order.reshape(settings.epochs * settings.minibatches, -1)
        params, memory, moved = improve(params, memory, scale, seen, order)
        moments.see(rollout["observation"].reshape(-1, observations))
        # this waits for the update, which reads arrays that the next rollout overwrites
        row = {
            "steps": (iteration + 1) * each,
            "seconds": time.perf_counter() - begin,
            "cpu_seconds": time.process_time() - cpu,
            "return": float(episodes.recent.mean()) if len(episodes.recent) else float("nan"),
            "divergence": float(moved),
            "rate": float(memory[3]),
            "spread": float(jnp.exp(params["log_spread"]).mean()),
        }
        curve.append(row)
        if report and (iteration + 1) % max(settings.steps // each // 20, 1) == 0:
            words = f"{row['steps']:>10,} steps  {row['seconds']:6.1f} s  return {row['return']:8.1f}"
            report(f"{words}  {row['steps'] / row['seconds']:8,.0f} steps/s")
    envs.close()
    return params, moments.scale(), curve


# --- what was learned


def try_policy(settings: Settings, params: Any, scale: Any, worlds: int = 64) -> np.ndarray:
    """Returns of one episode in each world, with the most likely actions."""
    envs = phalanx.learn.task_named(settings.task).make_vec(worlds, autoreset_mode="disabled", threads=settings.threads)
    low, high = envs.single_action_space.low, envs.single_action_space.high
    observation, _ = envs.reset(seed=settings.seed + 1_000_000)
    returns, alive = np.zeros(worlds), np.ones(worlds, bool)
    while alive.any():
        action = (high + low) / 2 + (high - low) / 2 * np.asarray(act_best(params, scale, observation))
        observation, reward, terminated, truncated, _ = envs.step(np.clip(action, low, high))
        returns += alive * reward
        alive &= ~(terminated | truncated)
    return returns


def film(settings: Settings, params: Any, scale: Any, path: str, seconds: float = 8.0, width: int = 320) -> None:
    """Pictures of one world as a file: .webp, .gif or .png."""
    task = phalanx.learn.task_named(settings.task)
    size = {"width": 2 * width, "height": 2 * width * 5 // 8}
    env = task.make(render_mode="rgb_array", camera=0 if task.model.ncam else None, **size)
    low, high = env.action_space.low, env.action_space.high
    observation, _ = env.reset(seed=settings.seed)
    duration, frames = float(task.model.opt.timestep) * task.frame_skip, []
    every = max(round(0.04 / duration), 1)
    for step in range(round(seconds / duration)):
        action = (high + low) / 2 + (high - low) / 2 * np.asarray(act_best(params, scale, observation))
        observation, _, terminated, truncated, _ = env.step(np.clip(action, low, high))
        if step % every == 0:
            # drawn twice as large, for smooth edges
            frames.append(Image.fromarray(env.render()).resize((width, width * 5 // 8), Image.Resampling.BOX))
        if terminated or truncated:
            observation, _ = env.reset()
    shown = round(1000 * every * duration)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=shown, loop=0, quality=60)


def save(path: str, params: Any, scale: Any) -> None:
    """Write a policy to a file, .npz."""
    np.savez(path, *map(np.asarray, jax.tree.leaves((params, scale))))


def load(path: str, settings: Settings) -> Any:
    """Parameters and scale of a file."""
    task = phalanx.learn.task_named(settings.task)
    params = first_parameters(settings, task.observation_size, task.actions)
    shape = jax.tree.structure((params, (0, 0)))
    with np.load(path) as file:
        return jax.tree.unflatten(shape, [jnp.asarray(file[f"arr_{k}"]) for k in range(len(file.files))])


def parse(arguments: list[str] | None = None) -> tuple[Settings, argparse.Namespace]:
    """Settings, and what to do with the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="?", default=Settings.task)
    for row in fields(Settings)[1:]:
        kind = {"int": int, "float": float, "str": str}[str(row.type).split(" ")[0]]
        parser.add_argument(f"--{row.name.replace('_', '-')}", type=kind, help=f"default {row.default}")
    parser.add_argument("--curve", metavar="FILE", help="write the curve, .csv")
    parser.add_argument("--film", metavar="FILE", help="write a film of the policy, .webp or .gif")
    parser.add_argument("--save", metavar="FILE", help="write the policy, .npz")
    parser.add_argument("--load", metavar="FILE", help="take a policy from a file, and do not learn")
    options = parser.parse_args(arguments)
    names = {row.name for row in fields(Settings)}
    given = {name: value for name, value in vars(options).items() if name in names and value is not None}
    return Settings(**{**PRESETS.get(options.task, {}), **given}), options


def show(
    settings: Settings, options: argparse.Namespace, params: Any, scale: Any, curve: list[dict[str, float]]
) -> None:
    """Write what the options ask for, and tell how good the policy is."""
    if options.curve and curve:
        with open(options.curve, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, curve[0].keys())
            writer.writeheader()
            writer.writerows(curve)
    if options.save:
        save(options.save, params, scale)
    returns = try_policy(settings, params, scale)
    print(f"the most likely actions: return {returns.mean():.1f}, from {returns.min():.1f} to {returns.max():.1f}")
    if options.film:
        film(settings, params, scale, options.film)


def main(arguments: list[str] | None = None) -> None:
    """Learn, and show what was learned."""
    settings, options = parse(arguments)
    if options.load:
        (params, scale), curve = load(options.load, settings), []
    else:
        print(", ".join(f"{name} {value}" for name, value in asdict(settings).items()))
        params, scale, curve = learn(settings)
    show(settings, options, params, scale, curve)


if __name__ == "__main__":
    main()
