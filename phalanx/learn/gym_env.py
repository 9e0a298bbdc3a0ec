"""One world of a task as an environment of Gymnasium: the same pass, the same bits as in a vector of worlds."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from phalanx.learn.array_exchange import as_numpy
from phalanx.learn.pictures_of_worlds import MODES, Window
from phalanx.learn.random_stream import checked_seed
from phalanx.learn.task import Task
from phalanx.learn.task_worlds import copied
from phalanx.learn.vector_env import FILMS, TaskVectorEnv, check_open, check_options, state_of_env
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError


class TaskEnv(gymnasium.Env):
    """One world of a task.

    Args:
        task: the task.
        dtype: precision of the physics, "float64" or "float32".
        observation_dtype: "float32" or "float64".
        render_mode: "rgb_array" for pictures, "rgb_array_list" for a list of those of each step of the episode since
            the last call of `render`, "human" for a page in the browser.
        width, height, camera: of pictures.

    Attributes:
        task: the task.
        batch: state and inputs of the world, with an axis of one world in front.
        worlds: rows of the task and the like, likewise.
    """

    metadata = {"render_modes": [*MODES]}  # noqa: RUF012  (as Gymnasium has it)

    @arguments_checked
    def __init__(
        self,
        task: Task,
        *,
        dtype: str = "float64",
        observation_dtype: str = "float32",
        render_mode: str | None = None,
        width: int = 480,
        height: int = 480,
        camera: Any = None,
        **options: Any,
    ):
        check_options(type(self), options, ("vary", "device", "dump_bad", "bad_ring"))
        self._many = TaskVectorEnv(
            task, 1, autoreset_mode="disabled", dtype=dtype, observation_dtype=observation_dtype, lanes=1, threads=1,
            copy=False, **options,
        )  # fmt: skip
        self.task, self.render_mode, self._picture = task, render_mode, (width, height, camera)
        self.metadata = {**type(self).metadata, "render_fps": self._many.metadata["render_fps"]}
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space
        self._connect()

    def _connect(self) -> None:
        """Make what looks at the memory of the world."""
        self.worlds, self.batch = self._many.worlds, self._many.batch
        self._window = Window(self.batch, self.render_mode, *self._picture)

    def __getstate__(self) -> dict[str, Any]:
        return state_of_env(self, ("worlds", "batch", "_window"))

    def __setstate__(self, state: dict[str, Any]) -> None:
        films = state.pop(FILMS)
        self.__dict__.update(state)
        self._connect()
        self._window.films = films

    def __deepcopy__(self, memo: dict[int, Any]) -> TaskEnv:
        return copied(self, memo)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new episode; see `TaskVectorEnv.reset`."""
        super().reset(seed=None if seed is None else checked_seed(seed))
        observation, info = self._many.reset(seed=seed, options=options)
        self._window.note(np.ones(1, bool), is_step=False)
        return of_one(observation), self._info(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action."""
        many, given = self._many, as_numpy(action, "an action")
        if given.size != self.task.actions:
            raise FieldError(
                f"an action of {self.task.name} has shape {given.shape}, but ({self.task.actions},) is needed"
            )
        observation, reward, terminated, truncated, info = many.step(given[None])
        shown = self._info(info)
        if "failed" in info:
            shown["failed"] = str(self.batch.errors[0])
            if info.get("_bad_files", [False])[0]:
                shown["bad_files"] = info["bad_files"][0]
        self._window.note(np.zeros(1, bool), is_step=True)
        return of_one(observation), float(reward[0]), bool(terminated[0]), bool(truncated[0]), shown

    @property
    def np_random_seed(self) -> int:
        """The seed that the random stream of the world began with."""
        return self._many.np_random_seed[0]

    def render(self) -> Any:
        """A picture, (height, width, 3), or a list of them; None with "human"."""
        check_open(self._many)
        pictures = self._window.pictures()
        return None if pictures is None else pictures[0]

    def close(self) -> None:
        """Close the page in the browser; the environment cannot be used any more."""
        self._window.close()
        self._many.close()

    def set_state(self, **fields: Any) -> Any:
        """Put the world into a state, and observe it: see `TaskVectorEnv.set_state`."""
        return of_one(self._many.set_state(**fields))

    def describe(self) -> str:
        """What each number of observations and actions is."""
        return self.task.describe()

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        rows = {row.name: info[row.name][0] for row in self.task.state if row.info}
        return {name: float(value) if np.ndim(value) == 0 else value.copy() for name, value in rows.items()}


def of_one(observation: Any) -> Any:
    """The observation of the only world, as an array of its own."""
    if isinstance(observation, dict):
        return {group: part[0].copy() for group, part in observation.items()}
    return observation[0].copy()
