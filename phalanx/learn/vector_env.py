"""Many worlds of a task as a vector environment of Gymnasium."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from phalanx.batch.binding import KEPT
from phalanx.batch.worlds import chosen_worlds
from phalanx.learn.array_exchange import WrongTypeError, as_numpy, put_actions
from phalanx.learn.bad_worlds import BadWorldRing
from phalanx.learn.device_worlds import worlds_on
from phalanx.learn.pictures_of_worlds import MODES, Window
from phalanx.learn.spaces import action_space, grouped, observation_space
from phalanx.learn.task import Task
from phalanx.learn.task_rows import MASK
from phalanx.learn.task_worlds import copied
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, PhalanxError, suggestion
from phalanx.memory.fill import numbers
from phalanx.tables.sizes import MAXVAL


class ClosedError(PhalanxError, ClosedEnvironmentError):
    """An environment that is used after it was closed."""


class TaskVectorEnv(VectorEnv):
    """n worlds of a task, stepped in one compiled pass over lanes and threads.

    Args:
        task: the task.
        num_envs: how many worlds.
        autoreset_mode: when worlds begin anew whose episode has ended: next step, same step, disabled.
        dtype: precision of the physics, "float64" or "float32".
        observation_dtype: "float32" or "float64".
        lanes, threads: as of `BatchSim`.
        device: "cpu"; or "cuda", "emulated" or "auto", as of `BatchSim`: a step is one launch there.
        copy: return arrays of their own, as vectors of Gymnasium do. Without it nothing is allocated: observations
            stand in one of two buffers that take turns, so what a step returned is there until the second step after
            it; rewards and flags until the next; `final_obs` is one array of all worlds.
        render_mode: "rgb_array" for pictures of all worlds, "rgb_array_list" for a list of those of each step of the
            episode since the last call of `render`, "human" for a page in the browser.
        width, height, camera: of pictures.
        dump_bad: a folder, where a file is written for each world whose physics fails: see `replay_bad`. Then
            `info["bad_files"]` has their paths, an object for each world, None where there is none.
        bad_ring: how many steps before the failure such a file has.
        vary: fields of the Model that differ from world to world, as of `BatchSim`.

    Attributes:
        task: the task.
        worlds: arrays of all worlds: rows of the task, rewards, returns of episodes.
        batch: state and inputs of all worlds, to be read and written in place.
        autoreset_mode: when worlds begin anew.
    """

    @arguments_checked
    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        dtype: str = "float64",
        observation_dtype: str = "float32",
        lanes: int | str = "auto",
        threads: int | None = None,
        device: str = "cpu",
        copy: bool = True,
        render_mode: str | None = None,
        width: int = 320,
        height: int = 240,
        camera: Any = None,
        dump_bad: str | os.PathLike[str] | None = None,
        bad_ring: int = 8,
        **options: Any,
    ):
        check_options(type(self), options, ("vary",))
        mode = autoreset_of(autoreset_mode)
        self.worlds = worlds_on(
            device, task, num_envs, dtype=dtype, lanes=lanes, threads=threads, autoreset=mode.name.lower(),
            observation_dtype=observation_dtype, **options,
        )  # fmt: skip
        self.task, self.copy = task, copy
        self.num_envs, self.render_mode, self.autoreset_mode = num_envs, render_mode, mode
        self.metadata = {
            "autoreset_mode": mode, "render_modes": [*MODES], "render_fps": frames_per_second(task)
        }  # fmt: skip
        # spaces of one world, and of all
        self.single_observation_space = observation_space(task, observation_dtype)
        self.single_action_space = action_space(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_begun = False
        self._picture, self._dumped = (width, height, camera), (dump_bad, bad_ring)
        self._connect()

    def _connect(self) -> None:
        """Make what looks at the memory of the worlds."""
        self.batch = self.worlds.batch
        self._window = Window(self.batch, self.render_mode, *self._picture)
        shown = {row.name: self.worlds.rows[row.name] for row in self.task.state if row.info}
        self._info = with_masks(shown, np.ones(self.num_envs, bool))
        self._ended = np.zeros(self.num_envs, bool)
        self._final_info = with_masks(self.worlds.final_rows, self._ended)
        folder, length = self._dumped
        self._ring = None if folder is None else BadWorldRing(self.worlds, folder, length)

    def __getstate__(self) -> dict[str, Any]:
        return state_of_env(self, ("batch", "_window", "_info", "_ended", "_final_info", "_ring"))

    def __setstate__(self, state: dict[str, Any]) -> None:
        films = state.pop(FILMS)
        self.__dict__.update(state)
        self._connect()
        self._window.films = films

    def __deepcopy__(self, memo: dict[int, Any]) -> TaskVectorEnv:
        return copied(self, memo)

    # --- the interface of Gymnasium

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes.

        Args:
            seed: begins the random streams anew: world i gets seed + i, or its own of a list; None goes on with them.
            options: "reset_mask", n booleans: only these worlds begin anew, the others stay as they are. Fields of the
                state by name (`qpos`, `qvel`, ...) and rows of the task: values to begin with, (n, ...) or one for all.

        Returns:
            observations of all worlds, and infos of those that begin anew.

        Raises:
            ClosedError: the environment is closed. `step`, `render` and the like raise it, too.
        """
        check_open(self)
        options = checked_options(options)
        mask = checked_mask(options.pop(MASK, None), self.num_envs)
        chosen = None if mask is None else np.flatnonzero(mask)
        # streams of the chosen worlds begin first, since the reset draws from them
        if seed is not None:
            self.worlds.seed(seed, chosen)
            if isinstance(seed, (int, np.integer)):
                super().reset(seed=int(seed))
        if mask is not None and not (mask.all() or self._is_begun):
            raise FieldError(f"{self.task.name}: reset all worlds once before some of them")
        self.worlds.reset(mask)
        if options:
            self.set_state(chosen, **options)
        if not self._is_begun:
            check_bounds(self.task, self.worlds.observation)
        self._is_begun = True
        self._window.note(np.ones(self.num_envs, bool) if mask is None else mask, is_step=False)
        return self.shown(mask)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Do actions, (n, numbers), of NumPy, torch, jax or anything with `__dlpack__`."""
        worlds = self.worlds
        check_open(self)
        if not self._is_begun:
            raise FieldError(f"{self.task.name}: call reset before the first step")
        put_actions(worlds.action, actions, self.task.name, self.task.action_count)
        if self._ring is not None:
            self._ring.note()
        worlds.step()
        self._window.note(worlds.chosen, is_step=True)
        info = self._infos()
        if worlds.has_failed:
            failed = worlds.failed != 0
            info = {**info, "failed": failed, "_failed": failed}
            if self._ring is not None:
                files = self._ring.dump()
                info |= {"bad_files": files, "_bad_files": np.array([path is not None for path in files])}
        if worlds.autoreset == "same_step" and worlds.has_begun:
            info = {**info, **self._final()}
        if not self.copy:
            return self._observed(), worlds.reward, worlds.terminated, worlds.truncated, info
        return self._observed(), worlds.reward.copy(), worlds.terminated.copy(), worlds.truncated.copy(), info

    def render(self) -> Any:
        """Pictures of all worlds as a tuple, or lists of pictures; None with "human"."""
        check_open(self)
        pictures = self._window.pictures()
        return None if pictures is None else tuple(pictures)

    def close_extras(self, **kwargs: Any) -> None:
        """Close the page in the browser, and end the threads."""
        self._window.close()
        self.worlds.close()

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed that the random stream of each world began with; -1 where a snapshot has put it elsewhere."""
        return tuple(self.worlds.seeds)

    # --- what vectors of environments have, which ask them one by one

    @arguments_checked
    def get_attr(self, name: str) -> tuple[Any, ...]:
        """A row of the task, world by world; or an attribute of the task, once for each world."""
        check_open(self)
        if name in self.worlds.rows:
            return tuple(row.item() if row.ndim == 0 else row for row in np.array(self.worlds.rows[name]))
        if name.startswith("_") or not hasattr(self.task, name):
            known = [*self.worlds.rows, *self.task.parameter_names()]
            raise FieldError(f"{self.task.name} has neither a row nor an attribute {name!r}{suggestion(name, known)}")
        return (getattr(self.task, name),) * self.num_envs

    @arguments_checked
    def set_attr(self, name: str, values: Any) -> None:
        """Set a row of the task: one value for all worlds, or one for each. Nothing is observed anew."""
        check_open(self)
        rows = self.worlds.rows
        if name not in rows:
            if hasattr(self.task, name):
                raise FieldError(f"{self.task.name}.{name} is a constant of compiled code: make another task with it")
            raise FieldError(f"{self.task.name} has no row {name!r}{suggestion(name, rows)}")
        rows[name][...] = values_of_worlds(name, values, rows[name], np.arange(self.num_envs))

    @arguments_checked
    def call(self, name: str, *arguments: Any, **more: Any) -> tuple[Any, ...]:
        """Results of a method of the task, or an attribute, world by world; "render" gives pictures."""
        if name == "render":
            return self.render() or (None,) * self.num_envs
        found = self.get_attr(name)
        return (found[0](*arguments, **more),) * self.num_envs if callable(found[0]) else found

    # --- more

    def set_state(self, worlds: Any = None, **fields: Any) -> Any:
        """Put worlds into states, and observe them: time and rewards of their episodes go on.

        Args:
            worlds: indices; None for all.
            **fields: `qpos`, `qvel` and other state and inputs, and rows of the task: one value for all of these
                worlds, one for each of them, or (n, ...).

        Returns:
            observations of all worlds.
        """
        check_open(self)
        chosen = chosen_worlds(worlds, self.num_envs)
        known = {**{name: self.batch._arrays[name] for name in KEPT}, **self.worlds.rows}
        found = {}
        for name, value in fields.items():
            if name not in known:
                raise FieldError(f"{self.task.name} has no state {name!r}{suggestion(name, known)}")
            found[name] = values_of_worlds(name, value, known[name], chosen)
        # all of them, or none
        for name, values in found.items():
            known[name][chosen] = values
        self.worlds.look(chosen)
        return self._observed()

    def shown(self, mask: np.ndarray | None = None) -> tuple[Any, dict[str, Any]]:
        """Observations of all worlds as they were shown last; infos of all, or of those of a mask."""
        info = self._infos() if mask is None or not self.copy else copied_where(self._info, mask)
        return self._observed(), info

    def describe(self) -> str:
        """What each number of observations and actions is."""
        return self.task.describe()

    def _observed(self) -> Any:
        observation = self.worlds.observation
        return grouped(self.task, observation.copy() if self.copy else observation)

    def _infos(self) -> dict[str, Any]:
        if not self.copy:
            return self._info
        return {key: value.copy() for key, value in self._info.items()}

    def _final(self) -> dict[str, Any]:
        """What is shown of episodes that ended in this step."""
        final, ended, last = self._final_info, self._ended, self.worlds.final_observation
        np.not_equal(self.worlds.chosen, 0.0, out=ended)
        if self.copy:
            ended = ended.copy()
            final = copied_where(final, ended)
            observation = observations_where(self.task, last, ended)
        else:
            observation = grouped(self.task, last)
        return {"final_obs": observation, "_final_obs": ended, "final_info": final, "_final_info": ended}


#: Under this name the state of an environment has the pictures that were taken.
FILMS = "_films"


def state_of_env(env: Any, linked: Sequence[str]) -> dict[str, Any]:
    """What a copy of an environment is made of.

    Args:
        env: which.
        linked: attributes that look at the memory of its worlds: those of the copy look at its own.
    """
    return {**{name: value for name, value in vars(env).items() if name not in linked}, FILMS: env._window.films}


def check_open(env: Any) -> None:
    """Refuse what is asked of a vector of worlds that is closed."""
    if env.closed:
        raise ClosedError(f"{env.task.name}: the environment is closed; make another one")


def check_bounds(task: Task, observation: np.ndarray) -> None:
    """Refuse first observations that their space does not have."""
    place = 0
    for signal in task.observation:
        for label in signal.labels:
            values = observation[:, place]
            if not (signal.low <= values.min() and values.max() <= signal.high):
                words = f"{label} (out[{place}]) is between {signal.low:g} and {signal.high:g}, says its signal, but "
                raise task.frozen.error("observe", f"{words}from {values.min():g} to {values.max():g} at the start")
            place += 1


def with_masks(rows: Mapping[str, np.ndarray], mask: np.ndarray) -> dict[str, np.ndarray]:
    """Rows by name, each with the worlds that have it under "_name", as vector environments show infos."""
    return {key: value for name, row in rows.items() for key, value in ((name, row), (f"_{name}", mask))}


def copied_where(info: Mapping[str, np.ndarray], mask: np.ndarray) -> dict[str, np.ndarray]:
    """Infos of some worlds: copies, with zeros in the others."""
    found = {key: np.array(values) for key, values in info.items()}
    for values in found.values():
        values[~mask] = 0
    return found


def observations_where(task: Task, observation: np.ndarray, ended: np.ndarray) -> np.ndarray:
    """An object for each world: its observation, or None where the episode goes on.

    So it is in Gymnasium, whose wrappers put observations of another shape or type in their places.
    """
    found = np.full(len(ended), None, dtype=object)
    places = np.flatnonzero(ended)
    for place, last in zip(places.tolist(), np.asarray(observation)[places], strict=True):
        found[place] = grouped(task, last)
    return found


def values_of_worlds(name: str, value: Any, array: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Values for chosen worlds: one for all of them, one for each, or those of all worlds."""
    values, shape = numbers(name, as_numpy(value, name)), array.shape[1:]
    if name in KEPT and not (np.abs(values) <= MAXVAL).all():
        raise FieldError(f"{name} takes numbers up to {MAXVAL:g}, no NaN: a world with others would fail")
    if values.shape == shape or values.ndim == 0:
        return np.broadcast_to(values, (len(chosen), *shape))
    if values.shape == (len(chosen), *shape):
        return values
    if values.shape == array.shape:
        return values[chosen]
    raise FieldError(f"{name} has shape {values.shape}, but {shape} or {(len(chosen), *shape)} is needed")


def check_options(kind: type, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse options of environments that nobody has."""
    for name in given:
        if name not in known:
            named = [row.name for row in inspect.signature(kind).parameters.values() if row.kind is row.KEYWORD_ONLY]
            hint = suggestion(name, [*named, *known])
            raise WrongTypeError(f"{kind.__name__} got an unexpected keyword argument {name!r}{hint}")


def autoreset_of(mode: Any) -> AutoresetMode:
    """The mode that is meant."""
    if isinstance(mode, AutoresetMode):
        return mode
    words = {each.name.lower(): each for each in AutoresetMode} | {each.value.lower(): each for each in AutoresetMode}
    found = words.get(str(mode).lower())
    if found is None:
        raise FieldError(f"autoreset_mode is next_step, same_step or disabled, not {mode!r}")
    return found


def frames_per_second(task: Task) -> int:
    """How many actions a second has, in the time of the simulation."""
    return max(round(1.0 / (float(task.model.opt.timestep) * task.frame_skip)), 1)


def checked_options(options: Any) -> dict[str, Any]:
    """Options of a reset by name."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise FieldError(f"options of a reset are values by name, not {type(options).__name__}")
    return {str(name): value for name, value in options.items()}


def checked_mask(mask: Any, n: int) -> np.ndarray | None:
    """The worlds to reset, as n booleans. Others are refused in the words of Gymnasium."""
    if mask is None:
        return None
    mask = numbers("reset_mask", mask)
    name = "`options['reset_mask']`"
    if mask.dtype != np.bool_:
        raise WrongTypeError(f"{name} must have `dtype=np.bool_`, got {mask.dtype}")
    if mask.shape != (n,):
        raise FieldError(f"{name} must have shape `({n},)`, got {mask.shape}")
    if not mask.any():
        raise FieldError(f"{name} must contain a boolean array with at least one True value, got reset_mask={mask}")
    return mask
