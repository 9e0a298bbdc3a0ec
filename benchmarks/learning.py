"""Environments for learning: ours beside Gymnasium's vectors, EnvPool, and MuJoCo's batch with NumPy; in turns."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import mujoco
import mujoco.batch
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx

TASKS = ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5")
#: Worlds of ours, of EnvPool and of MuJoCo's batch; more make none of them faster.
WORLDS = 256
#: Environments of Gymnasium's vectors, which are processes of their own in an AsyncVectorEnv.
FEW = 16
#: Steps before the measurement, until episodes are at different moments.
WARM = 100
#: What a turn takes [s]: short, so that some turns are not disturbed by other work.
TURN = 0.02
#: Turns of each contestant, for each round that is asked for.
TURNS = 8
#: Cores of the second table.
PAIR = 2
#: Load of a machine beyond its cores, from which on threads would wait for those of others.
SLACK = 0.5


# --- MuJoCo's batch, with what an environment does besides in NumPy


class BatchEnvs:
    """Worlds of a task of Gymnasium, stepped by `mujoco.batch`.

    Observation, reward, ends and beginnings of episodes are written as one would with NumPy. Forces of contacts, which
    MuJoCo computes only if it is told to, are left out: this does less than the others.
    """

    def __init__(self, name: str, n: int, threads: int):
        env: Any = gymnasium.make(name).unwrapped
        self.name, self.n, self.frame_skip, self.max_steps = name, n, env.frame_skip, 1000
        self.duration, self.model = env.dt, env.model
        self.batch = mujoco.batch.Batch(env.model, nsim=n, nthread=threads)
        outputs = {"Humanoid-v5": ("cinert", "cvel", "qfrc_actuator", "xipos"), "Ant-v5": ("xpos",)}.get(name, ())
        self.fields = {field: self.batch.bind(field) for field in ("qpos", "qvel", "ctrl", *outputs)}
        self.start, self.noise = env.init_qpos, env._reset_noise_scale
        self.rng, self.steps = np.random.default_rng(0), np.zeros(n, int)
        self.reset(np.arange(n))

    def reset(self, worlds: np.ndarray) -> None:
        """Begin episodes near rest."""
        self.batch.reset(worlds, stage=mujoco.mjtStage.mjSTAGE_NONE)
        qpos, qvel = self.fields["qpos"], self.fields["qvel"]
        qpos[worlds] = self.start + self.rng.uniform(-self.noise, self.noise, (len(worlds), self.model.nq))
        qvel[worlds] = self.rng.uniform(-self.noise, self.noise, (len(worlds), self.model.nv))
        self.batch.forward(worlds)
        self.steps[worlds] = 0

    def place(self) -> np.ndarray:
        """Where the robots are along x."""
        if self.name == "Humanoid-v5":
            mass = self.model.body_mass
            return self.fields["xipos"][:, :, 0] @ mass / mass.sum()
        return self.fields["qpos"][:, 0].copy()

    def observation(self) -> np.ndarray:
        """State, and what the task shows besides."""
        skipped = 1 if self.name == "HalfCheetah-v5" else 2
        parts = [self.fields["qpos"][:, skipped:], self.fields["qvel"]]
        if self.name == "Humanoid-v5":
            parts += [self.fields["cinert"][:, 1:].reshape(self.n, -1), self.fields["cvel"][:, 1:].reshape(self.n, -1)]
            parts += [self.fields["qfrc_actuator"][:, 6:]]
        return np.concatenate(parts, 1)

    def step(self, action: np.ndarray) -> tuple[Any, ...]:
        """Do actions."""
        before = self.place()
        self.fields["ctrl"][:] = action
        self.batch.step(nstep=self.frame_skip)
        forward = (self.place() - before) / self.duration
        effort, height = np.sum(action**2, 1), self.fields["qpos"][:, 2]
        low, high = {"Ant-v5": (0.2, 1.0), "Humanoid-v5": (1.0, 2.0)}.get(self.name, (-np.inf, np.inf))
        terminated = (height < low) | (height > high)
        weight, alive, cost = {"Ant-v5": (1.0, 1.0, 0.5), "Humanoid-v5": (1.25, 5.0, 0.1)}.get(self.name, (1, 0, 0.1))
        reward = weight * forward + alive * ~terminated - cost * effort
        self.steps += 1
        truncated = self.steps >= self.max_steps
        observation, ended = self.observation(), np.flatnonzero(terminated | truncated)
        if len(ended):
            self.reset(ended)
            observation[ended] = self.observation()[ended]
        return observation, reward, terminated, truncated, {}

    def close(self) -> None:
        """Nothing is open."""


# --- contestants


def phalanx_envs(name: str, dtype: str, threads: int) -> Any:
    """Ours, as anyone gets it."""
    task = phalanx.learn.task_named(name)
    return task.make_vec(WORLDS, dtype=dtype, threads=threads, autoreset_mode="same_step", observation_dtype="float64")


def gymnasium_envs(name: str, kind: Any) -> Any:
    """A vector of Gymnasium."""
    return kind([lambda: gymnasium.make(name)] * FEW)


def envpool_envs(name: str, threads: int) -> Any:
    """EnvPool, in its synchronous mode."""
    import envpool

    return envpool.make(name, "gymnasium", num_envs=WORLDS, num_threads=threads, seed=0)


@dataclasses.dataclass(frozen=True)
class Way:
    """A column.

    Attributes:
        label: its heading.
        make: name of the task -> environments.
        worlds: how many there are.
        is_ours: is it compared with the others?
    """

    label: str
    make: Callable[[str], Any]
    worlds: int = WORLDS
    is_ours: bool = False


def ways(threads: int) -> list[Way]:
    """All contestants, Gymnasium first: it starts processes, and has none of our threads to copy then."""
    kind = gymnasium.vector.AsyncVectorEnv if threads > 1 else gymnasium.vector.SyncVectorEnv
    found = [Way(f"Gymnasium, {kind.__name__}", lambda name: gymnasium_envs(name, kind), FEW)]
    if importlib.util.find_spec("envpool"):
        found.append(Way("EnvPool", lambda name: envpool_envs(name, threads)))
    found.append(Way("`mujoco.batch`, NumPy", lambda name: BatchEnvs(name, WORLDS, threads)))
    for dtype, label in (("float64", "f64"), ("float32", "f32")):
        found.append(Way(label, lambda name, dtype=dtype: phalanx_envs(name, dtype, threads), is_ours=True))
    return found


class Stepper:
    """Environments under random actions, the same for all."""

    def __init__(self, way: Way, name: str):
        self.envs, self.worlds = way.make(name), way.worlds
        model = phalanx.learn.task_named(name).model
        low, high = model.actuator_ctrlrange.T
        self.actions = np.random.default_rng(0).uniform(low, high, (16, way.worlds, model.nu))
        self.count, self.calls = 0, 1
        if hasattr(self.envs, "reset") and not isinstance(self.envs, BatchEnvs):
            self.envs.reset()
        start = time.perf_counter()
        for _ in range(WARM):
            self()
        self.calls = max(round(TURN / ((time.perf_counter() - start) / WARM)), 1)

    def __call__(self) -> int:
        for _ in range(self.calls):
            self.envs.step(self.actions[self.count % len(self.actions)])
            self.count += 1
        return self.calls * self.worlds


def measure(name: str, threads: int, rounds: int) -> dict[str, float]:
    """Steps per second of each contestant.

    On one core CPU time counts, since nothing waits there and other work does not show in it; on two, time does.
    """
    clock = time.process_time if threads == 1 else time.perf_counter
    chosen = ways(threads)
    steppers = {way.label: Stepper(way, name) for way in chosen}
    best = dict.fromkeys(steppers, 0.0)
    for _ in range(TURNS * rounds):
        for label, run in steppers.items():
            start = clock()
            steps = run()
            best[label] = max(best[label], steps / (clock() - start))
    for run in steppers.values():
        run.envs.close()
    return best


# --- what physics takes


@dataclasses.dataclass(frozen=True)
class Shares:
    """CPU time of a step of one environment [s], and what of it is physics.

    Attributes:
        gymnasium: of Gymnasium's SyncVectorEnv.
        mj_steps: the calls of `mj_step` in it.
        ours: of our environment in f64.
        ours_physics: steps of a BatchSim from the same states.
        resets: what our environment takes for new episodes: a pass over the groups that have some.
    """

    gymnasium: float
    mj_steps: float
    ours: float
    ours_physics: float
    resets: float

    def wanted(self, times: float) -> float:
        """How many times as fast as `mj_step` our physics has to be, for so many times Gymnasium's speed."""
        return self.mj_steps / (self.gymnasium / times - (self.ours - self.ours_physics))


class TimedSteps:
    """`mujoco.mj_step`, which counts its CPU time."""

    def __init__(self) -> None:
        self.step, self.total = mujoco.mj_step, 0.0

    def __enter__(self) -> TimedSteps:
        mujoco.mj_step = self
        return self

    def __call__(self, *arguments: Any, **more: Any) -> None:
        start = time.process_time()
        self.step(*arguments, **more)
        self.total += time.process_time() - start

    def __exit__(self, *error: object) -> None:
        mujoco.mj_step = self.step


def physics_shares(name: str, rounds: int = 40, calls: int = 4) -> Shares:
    """Where the time of a step goes, on one core: the least of turns in which all take part."""
    task, clock = phalanx.learn.task_named(name), time.process_time
    theirs = Stepper(Way("", lambda name: gymnasium_envs(name, gymnasium.vector.SyncVectorEnv), FEW), name)
    mine = Stepper(Way("", lambda name: phalanx_envs(name, "float64", 1)), name)
    worlds, batch, found = mine.envs.worlds, phalanx.BatchSim(task.model, WORLDS, threads=1), []
    theirs.calls = mine.calls = calls
    for _ in range(rounds):
        with TimedSteps() as steps:
            start = clock()
            theirs()
            whole = clock() - start
        # the batch begins where our worlds do
        for field in ("qpos", "qvel", "qacc_warmstart"):
            batch._arrays[field][...] = worlds.batch._arrays[field]
        start, first = clock(), mine.count
        mine()
        ours, start = clock() - start, clock()
        for k in range(calls):
            batch.ctrl[...] = mine.actions[(first + k) % len(mine.actions)]
            batch.step(task.frame_skip)
        physics = clock() - start
        # a group that has a new episode is computed once more
        width = worlds.number.worlds
        groups = worlds.chosen[worlds.batch._order].reshape(-1, width).any(1)
        before, mask = worlds.snapshot(), np.arange(WORLDS) % width == 0
        start = clock()
        worlds.reset(mask)
        resets = (clock() - start) * float(groups.mean())
        worlds.restore(before)
        found.append((whole / calls / FEW, steps.total / calls / FEW, ours / calls / WORLDS, physics / calls / WORLDS,
                      resets / WORLDS))  # fmt: skip
    theirs.envs.close()
    # episodes begin now and then, so that of resets is the mean
    return Shares(*np.min(found, 0)[:-1].tolist(), float(np.mean(found, 0)[-1]))


def bench_shares(console: Console) -> None:
    """A table of what physics takes, and of what 10 times Gymnasium's speed would need."""
    table = Table(title="CPU time of a step of one environment, one core, f64 [us]")
    for column in (
        "task",
        "Gymnasium",
        "its mj_step",
        "ours",
        "our physics",
        "resets",
        "mj_step / our physics",
        "for 10x",
    ):
        table.add_column(column, justify="left" if column == "task" else "right")
    for name in TASKS:
        shares = physics_shares(name)
        times = [f"{1e6 * x:.1f}" for x in dataclasses.astuple(shares)]
        table.add_row(name, *times, f"{shares.mj_steps / shares.ours_physics:.1f}x", f"{shares.wanted(10.0):.1f}x")
    console.print(table)


def bench_learning(console: Console, rounds: int) -> None:
    """Steps of environments per second, on one core and on two; in brackets how many times those of each other one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    # on one core CPU time counts; contestants with two threads need two cores for themselves
    is_free = cores >= PAIR and load <= cores + SLACK
    if not is_free:
        console.print(f"two cores are left out: there are {cores}, and their load is {load:.1f}")
    for threads in (1, PAIR) if is_free else (1,):
        title = (
            f"steps of environments per second on {threads} core{'s' * (threads > 1)} (times faster than the others)"
        )
        table, chosen = Table(title=title), ways(threads)
        for column in ("task", *(way.label for way in chosen)):
            table.add_column(column, justify="left" if column == "task" else "right")
        others = [way.label for way in chosen if not way.is_ours]
        for name in TASKS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = measure(name, threads, rounds)
            cells = []
            for way in chosen:
                speed = found[way.label]
                ratios = ", ".join(f"{speed / found[other]:.1f}x" for other in others)
                cells.append(f"{speed:,.0f}" + (f" ({ratios})" if way.is_ours else ""))
            table.add_row(name, *cells)
        console.print(table)


if __name__ == "__main__":
    if "--shares" in sys.argv[1:]:
        bench_shares(Console(width=200))
    else:
        bench_learning(Console(width=200), 5)
