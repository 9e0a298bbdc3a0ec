"""Rollouts of a task with a policy, on workers: policies go out, trajectories come back."""

from __future__ import annotations

import dataclasses
import functools
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from phalanx.learn.array_exchange import as_numpy, put_actions
from phalanx.learn.distributed.crew import Answer, Backend, Crew
from phalanx.learn.distributed.division import Share, blocks_of, divide
from phalanx.learn.distributed.places import backend_of
from phalanx.learn.task import Task
from phalanx.learn.task_worlds import TaskWorlds
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole

#: (parameters, observations of a block, random generator of the block) -> actions, or (actions, more by name)
Policy = Callable[[Any, np.ndarray, np.random.Generator], Any]


@dataclasses.dataclass
class TaskRun:
    """What happened in some steps of all worlds. Episodes begin anew in the step in which they end.

    Attributes:
        observation: what the policy saw, (steps, worlds, numbers).
        action: what it did, (steps, worlds, actions).
        reward, terminated, truncated: (steps, worlds).
        more: what else the policy gave, by name, (steps, worlds, ...).
        last_observation: after the last step, (worlds, numbers).
        ended: step and world of each episode that ended, (episodes, 2), in this order.
        final_observation: the last one of each of these episodes, (episodes, numbers).
        episode_return, episode_length: of each of them, (episodes,).
        final_rows: rows of the task that are shown, at the end of each of them, by name, (episodes, ...).
        failures: how many worlds have failed since the beginning.
    """

    observation: np.ndarray
    action: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    more: dict[str, np.ndarray]
    last_observation: np.ndarray
    ended: np.ndarray
    final_observation: np.ndarray
    episode_return: np.ndarray
    episode_length: np.ndarray
    final_rows: dict[str, np.ndarray]
    failures: int


class TaskWorker:
    """Worlds of a task, in the process of a worker.

    Args:
        task: the task.
        policy: the policy.
        block: worlds for which the policy is asked at once.
        options: of `TaskWorlds`.
    """

    def __init__(self, task: Task, policy: Policy, block: int, options: Mapping[str, Any]):
        self._task, self._policy, self._block, self._options = task, policy, block, dict(options)
        self._worlds: dict[int, TaskWorlds] = {}

    def load(self, share: Share, snapshot: bytes | None) -> None:
        """Have the worlds of a share, as they were in a snapshot."""
        worlds = TaskWorlds(self._task, share.count, autoreset="same_step", **self._options)
        worlds.first_world = share.first
        if snapshot is not None:
            worlds.restore(pickle.loads(snapshot))
        self._worlds[share.index] = worlds

    def reset(self, share: Share, seed: int) -> Answer:
        """Begin new episodes; world i gets seed + i."""
        worlds = self._worlds[share.index]
        worlds.seed(seed + share.first)
        worlds.reset()
        return Answer(worlds.observation.copy(), pickle.dumps(worlds.snapshot()))

    def rollout(self, share: Share, steps: int, key: tuple[int, ...], parameters: Any) -> Answer:
        """Some steps with the policy."""
        worlds = self._worlds[share.index]
        blocks = [*blocks_of(share, self._block)]
        streams = [np.random.default_rng((*key, block.index)) for block in blocks]
        log: dict[str, list[np.ndarray]] = {name: [] for name in ("observation", "action", *OUTCOMES)}
        more: list[dict[str, np.ndarray]] = []
        ends: list[dict[str, np.ndarray]] = []
        for step in range(steps):
            log["observation"].append(worlds.observation.copy())
            # a block at a time, as with any other count of workers
            parts = []
            for block, stream in zip(blocks, streams, strict=True):
                given = self._policy(parameters, worlds.observation[block.worlds].copy(), stream)
                actions, others = given if isinstance(given, tuple) else (given, {})
                put_actions(worlds.action[block.worlds], actions, self._task.name, self._task.action_count)
                parts.append({name: np.array(as_numpy(value, name)) for name, value in others.items()})
            more.append({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
            log["action"].append(worlds.action.copy())
            worlds.step()
            for name in OUTCOMES:
                log[name].append(getattr(worlds, name).copy())
            ends.append(ends_of(worlds, step, share.first))
        run = TaskRun(
            **{name: np.stack(arrays) for name, arrays in log.items()},
            more={name: np.stack([each[name] for each in more]) for name in more[0]},
            last_observation=worlds.observation.copy(),
            final_rows={name: np.concatenate([end[name] for end in ends]) for name in worlds.final_rows},
            **{name: np.concatenate([end[name] for end in ends]) for name in ENDS},
            failures=worlds.failures,
        )
        return Answer(run, pickle.dumps(worlds.snapshot()))

    def close(self) -> None:
        """End the threads."""
        for worlds in self._worlds.values():
            worlds.close()


#: What is kept of each step, and of each episode that ended.
OUTCOMES = ("reward", "terminated", "truncated")
ENDS = ("ended", "final_observation", "episode_return", "episode_length")


def ends_of(worlds: TaskWorlds, step: int, first: int) -> dict[str, np.ndarray]:
    """Episodes that ended in the last step."""
    ended = np.flatnonzero(worlds.chosen)
    return {
        "ended": np.stack([np.full(len(ended), step), first + ended], 1),
        "final_observation": worlds.final_observation[ended],
        "episode_return": worlds.final_total[ended],
        "episode_length": worlds.final_steps[ended].astype(np.int64),
        **{name: row[ended] for name, row in worlds.final_rows.items()},
    }


def joined(runs: Sequence[TaskRun]) -> TaskRun:
    """The runs of all shares as one."""
    ended = np.concatenate([run.ended for run in runs])
    order = np.lexsort((ended[:, 1], ended[:, 0]))
    side_by_side = ("observation", "action", *OUTCOMES)
    return TaskRun(
        **{name: np.concatenate([getattr(run, name) for run in runs], 1) for name in side_by_side},
        more={name: np.concatenate([run.more[name] for run in runs], 1) for name in runs[0].more},
        last_observation=np.concatenate([run.last_observation for run in runs]),
        final_rows={name: np.concatenate([r.final_rows[name] for r in runs])[order] for name in runs[0].final_rows},
        **{name: np.concatenate([getattr(run, name) for run in runs])[order] for name in ENDS},
        failures=sum(run.failures for run in runs),
    )


class TaskRollouts:
    """Worlds of a task on many workers, which run a policy there.

    Results are the same, bit for bit, for any count of workers, and if workers are lost: worlds have random streams of
    their own, and the policy is asked for the same blocks of worlds.

    Args:
        task: the task. Its class is in a module that all machines can import.
        num_worlds: how many worlds.
        policy: a function of a module, or an object that pickles:
            `policy(parameters, observation, rng)` gives the actions of a block of worlds, (k, actions), for their
            observations (k, numbers); or (actions, {name: array (k, ...)}), to keep more. `rng` is a generator of
            NumPy, another one for each block and rollout.
        workers: how many.
        place: "ray" for actors of Ray, "local" for this process.
        block: worlds for which the policy is asked at once.
        cpus: of each worker; as many threads step its worlds.
        retries: how often in a row a worker may be lost.
        start_timeout, timeout: how long a worker may take to start, and for an answer [s].
        ray_options: more for `ray.remote`.
        **options: `dtype`, `lanes`, `vary`, `observation_dtype` of `TaskWorlds`.

    Attributes:
        crew: the workers; `crew.losses` counts those that were lost.

    Example:
        >>> rollouts = TaskRollouts(task, 4096, policy, workers=16)       # doctest: +SKIP
        >>> rollouts.reset(seed=0)                                        # doctest: +SKIP
        >>> run = rollouts.rollout(64, parameters)                        # doctest: +SKIP
        >>> run.reward.shape                                              # doctest: +SKIP
        (64, 4096)
    """

    def __init__(
        self,
        task: Task,
        num_worlds: int,
        policy: Policy,
        *,
        workers: int = 1,
        place: str | Backend = "ray",
        block: int = 64,
        cpus: int = 1,
        retries: int = 3,
        start_timeout: float = 120.0,
        timeout: float | None = None,
        ray_options: Mapping[str, Any] | None = None,
        **options: Any,
    ):
        if not isinstance(task, Task):
            raise FieldError(f"a phalanx.Task is needed, not {type(task).__name__}")
        # what is wrong with these shows before a worker starts
        shares = divide(num_worlds, workers, block)
        backend = backend_of(place, cpus, ray_options, start_timeout, timeout)
        build = functools.partial(TaskWorker, task, policy, block, {"threads": whole("cpus", cpus, 1), **options})
        self.task, self.num_worlds = task, num_worlds
        self.crew = Crew(backend, build, shares, retries)
        self._seed: int | None = None
        self._rounds = 0

    def reset(self, seed: int = 0) -> np.ndarray:
        """Begin all episodes; world i gets seed + i. Returns the observations, (worlds, numbers)."""
        self._seed, self._rounds = whole("seed", seed), 0
        return np.concatenate(self.crew.run("reset", [(self._seed,)] * len(self.crew.posts)))

    def rollout(self, steps: int, parameters: Any = None) -> TaskRun:
        """Some steps of all worlds with the policy.

        Args:
            steps: how many actions, at least one.
            parameters: of the policy, as they are now: sent to all workers.
        """
        if self._seed is None:
            raise FieldError(f"{self.task.name}: call reset before the first rollout")
        arguments = whole("steps", steps, 1), (self._seed, self._rounds), self.crew.shared(parameters)
        self._rounds += 1
        return joined(self.crew.run("rollout", [arguments] * len(self.crew.posts)))

    def close(self) -> None:
        """End the workers."""
        self.crew.close()

    def __enter__(self) -> TaskRollouts:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
