"""The environment of Gymnasium whose worlds are on workers, and what runs there."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from phalanx.learn.array_exchange import as_numpy, put_actions
from phalanx.learn.distributed.crew import Answer, Backend, Crew
from phalanx.learn.distributed.division import Share, divide
from phalanx.learn.distributed.places import backend_of
from phalanx.learn.spaces import action_space, observation_space
from phalanx.learn.task import Task
from phalanx.learn.task_rows import MASK
from phalanx.learn.vector_env import (
    TaskVectorEnv,
    autoreset_of,
    check_open,
    check_options,
    checked_mask,
    checked_options,
    frames_per_second,
)
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole

#: Options that workers hand on to their environments.
OPTIONS = ("dtype", "lanes", "vary", "device", "dump_bad", "bad_ring")


class VectorWorker:
    """Vector environments in the process of a worker.

    Args:
        task: the task.
        options: of `TaskVectorEnv`.
    """

    def __init__(self, task: Task, options: Mapping[str, Any]):
        self._task, self._options = task, dict(options)
        self._envs: dict[int, TaskVectorEnv] = {}

    def load(self, share: Share, snapshot: bytes | None) -> None:
        """Have the worlds of a share, as they were in a snapshot."""
        varied = {name: np.asarray(values)[share.worlds] for name, values in self._options.get("vary", {}).items()}
        envs = TaskVectorEnv(self._task, share.count, **{**self._options, "vary": varied})
        envs.worlds.first_world = share.first
        if snapshot is not None:
            envs.worlds.restore(pickle.loads(snapshot))
            envs._is_begun = True
        self._envs[share.index] = envs

    def reset(self, share: Share, seeds: list[int | None], options: dict[str, Any]) -> Answer:
        """Begin new episodes, in all worlds of the share or in some."""
        envs = self._envs[share.index]
        mask = options.get(MASK)
        found = envs.reset(seed=seeds, options=options) if mask is None or mask.any() else envs.shown(mask)
        return Answer(found, pickle.dumps(envs.worlds.snapshot()))

    def step(self, share: Share, actions: np.ndarray, is_kept: bool) -> Answer:
        """One step; with a snapshot if it is to be kept."""
        envs = self._envs[share.index]
        found = envs.step(actions)
        return Answer(found, pickle.dumps(envs.worlds.snapshot()) if is_kept else None)

    def close(self) -> None:
        """End the threads."""
        for envs in self._envs.values():
            envs.close()


class DistributedVectorEnv(VectorEnv):
    """n worlds of a task on many workers: bit for bit what `task.make_vec(n)` gives, if workers are lost, too.

    Args:
        task: the task. Its class is in a module that all machines can import.
        num_envs: how many worlds.
        workers: how many.
        autoreset_mode: as of `TaskVectorEnv`.
        place: "ray" for actors of Ray, "local" for this process.
        cpus: of each worker; as many threads step its worlds.
        checkpoint: every so many steps workers send snapshots: what is repeated at most if one is lost.
        retries: how often in a row a worker may be lost.
        start_timeout, timeout: how long a worker may take to start, and for an answer [s].
        ray_options: more for `ray.remote`.
        **options: `dtype`, `lanes`, `vary`, `device`, `dump_bad`, `bad_ring` of `TaskVectorEnv`; files of worlds that
            fail are written where their worker is.

    Attributes:
        task: the task.
        crew: the workers; `crew.losses` counts those that were lost.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        workers: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_dtype: str = "float32",
        place: str | Backend = "ray",
        cpus: int = 1,
        checkpoint: int = 64,
        retries: int = 3,
        start_timeout: float = 120.0,
        timeout: float | None = None,
        ray_options: Mapping[str, Any] | None = None,
        **options: Any,
    ):
        if not isinstance(task, Task):
            raise FieldError(f"a phalanx.Task is needed, not {type(task).__name__}")
        check_options(type(self), options, OPTIONS)
        num_envs = whole("the count of worlds", num_envs, 1)
        check_shapes(options.setdefault("vary", {}), num_envs)
        mode = autoreset_of(autoreset_mode)
        self.task, self.num_envs, self.autoreset_mode, self.render_mode = task, num_envs, mode, None
        self.metadata = {"autoreset_mode": mode, "render_modes": [], "render_fps": frames_per_second(task)}
        # spaces are those of the task, wherever its worlds are
        self.single_observation_space = observation_space(task, observation_dtype)
        self.single_action_space = action_space(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shares = divide(num_envs, workers, 1)
        self._checkpoint, self._steps = whole("checkpoint", checkpoint, 1), 0
        self._is_begun, self._seeds = False, [-1] * num_envs
        given = {
            "autoreset_mode": mode.name.lower(), "observation_dtype": observation_dtype,
            "threads": whole("cpus", cpus, 1), **options,
        }  # fmt: skip
        backend = backend_of(place, cpus, ray_options, start_timeout, timeout)
        self.crew = Crew(backend, functools.partial(VectorWorker, task, given), self._shares, retries)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes; see `TaskVectorEnv.reset`. Without a seed the first reset draws one."""
        check_open(self)
        if seed is None and not self._is_begun:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [None if seed is None else int(seed) + world for world in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise FieldError(f"{self.num_envs} worlds need {self.num_envs} seeds, not {len(seeds)}")
        options = checked_options(options)
        mask = checked_mask(options.get(MASK), self.num_envs)
        if mask is not None and not (mask.all() or self._is_begun):
            raise FieldError(f"{self.task.name}: reset all worlds once before some of them")
        fields = {name: as_numpy(value, name) for name, value in options.items()}
        # each worker is told of its own worlds
        arguments = [
            (seeds[share.worlds], {name: self._own(value, share) for name, value in fields.items()})
            for share in self._shares
        ]
        found = self.crew.run("reset", arguments)
        self._seeds = seeds_after(self._seeds, seeds, mask)
        self._is_begun, self._steps = True, 0
        observation, info = zip(*found, strict=True)
        return side_by_side(observation), self._infos(info)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Do actions, (n, numbers)."""
        check_open(self)
        if not self._is_begun:
            raise FieldError(f"{self.task.name}: call reset before the first step")
        given = np.zeros((self.num_envs, self.task.actions))
        put_actions(given, actions, self.task.name, self.task.action_count)
        self._steps += 1
        is_kept = self._steps % self._checkpoint == 0
        found = self.crew.run("step", [(given[share.worlds], is_kept) for share in self._shares])
        observation, reward, terminated, truncated, info = zip(*found, strict=True)
        flags = np.concatenate(terminated), np.concatenate(truncated)
        return side_by_side(observation), np.concatenate(reward), *flags, self._infos(info)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed that the random stream of each world began with; -1 before the first reset."""
        return tuple(self._seeds)

    def _own(self, value: np.ndarray, share: Share) -> np.ndarray:
        """What a share needs of values that are given for all worlds, or one for all."""
        return value[share.worlds] if value.ndim and len(value) == self.num_envs else value

    def _infos(self, infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return joined_infos(infos, [share.count for share in self._shares])

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers."""
        self.crew.close()


def check_shapes(vary: Any, count: int) -> None:
    """Refuse values of fields that cannot be shared out: they have one for each world."""
    if not isinstance(vary, Mapping):
        raise FieldError(f"vary has values by name, not {type(vary).__name__}")
    for name, values in vary.items():
        if np.shape(values)[:1] != (count,):
            raise FieldError(
                f"vary[{name!r}] has shape {np.shape(values)}, but the first axis is that of {count} worlds"
            )


def seeds_after(former: list[int], given: Sequence[int | None], mask: np.ndarray | None) -> list[int]:
    """Seeds of worlds after a reset: those that were given, in worlds that were reset."""
    chosen = np.ones(len(former), bool) if mask is None else mask
    return [
        int(seed) if is_chosen and seed is not None else before
        for before, seed, is_chosen in zip(former, given, chosen.tolist(), strict=True)
    ]


def side_by_side(parts: Sequence[Any]) -> Any:
    """Arrays of all shares as one, group by group if there are several."""
    if isinstance(parts[0], dict):
        return {name: side_by_side([part[name] for part in parts]) for name in parts[0]}
    return np.concatenate(parts)


def joined_infos(infos: Sequence[dict[str, Any]], counts: Sequence[int]) -> dict[str, Any]:
    """Infos of all shares as one; where a share has none, zeros or None, and no world in its mask."""
    joined: dict[str, Any] = {}
    for key in dict.fromkeys(key for info in infos for key in info):
        known = next(info[key] for info in infos if key in info)
        if isinstance(known, dict):
            joined[key] = joined_infos([info.get(key, {}) for info in infos], counts)
        else:
            nothing = None if known.dtype == object else 0
            joined[key] = np.concatenate(
                [
                    info[key] if key in info else np.full((count, *known.shape[1:]), nothing, known.dtype)
                    for info, count in zip(infos, counts, strict=True)
                ]
            )
    return joined
