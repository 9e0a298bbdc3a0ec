"""Task: a model with small functions for observation, reward, end and beginning of episodes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.algebra.jit import Kernel
from phalanx.learn.task_functions import FUNCTIONS, FrozenTask
from phalanx.learn.task_models import check_varied
from phalanx.learn.task_pass import FORWARD, POSITION_VELOCITY, STALE, Pass, PassOptions, build_pass
from phalanx.learn.task_rows import Row, Signal, TaskLayout, check_rows
from phalanx.memory.errors import FieldError, MissingPackageError, TaskError, suggestion
from phalanx.memory.fill import numbers, words
from phalanx.tables.requests import REQUEST_OF
from phalanx.world.model import Model
from phalanx.world.spec import load

if TYPE_CHECKING:
    from phalanx.learn.gym_env import TaskEnv
    from phalanx.learn.vector_env import TaskVectorEnv

#: Words of `refresh` -> what is computed at the new state.
REFRESH = {"": STALE, "velocity": POSITION_VELOCITY, "forward": FORWARD}


class Task:
    """A model, and functions that are compiled into its step. Subclass it.

    The functions are methods in the [kernel language](../concepts/language.md), like hooks: `m` and `d` are the Model
    and the Data of one world, numbers are read and written one by one, decisions on data are `where`. `d` also has
    `d.action`, `d.last_action`, `d.episode_steps`, `d.rng` (the random stream of the world) and `d.task`, the rows of
    `state`. What a function reads of `self` (numbers, tuples, arrays, other methods) is fixed when the task is made.

    Class attributes that a task sets:
        model: a Model, or what `phalanx.load` takes.
        observation: the signals that `observe` writes, one after another.
        state: rows that each world keeps.
        vary: fields of the Model that `randomize` changes.
        frame_skip: steps of the physics for one action.
        max_steps: actions after which an episode is truncated; 0 for no limit.
        refresh: what is computed at the new state before rewards and observations: "" for nothing, so that fields such
            as xpos are those of the last substep, as after `Data.step`; "velocity" for all that follows from positions
            and velocities, with the sensors of these; "forward" for everything.
        action_size: numbers of an action; None for those of `ctrl`.
        action_low, action_high: bounds of actions; None for `actuator_ctrlrange`, endless where there is none.
        action_count: choices of a discrete action, which comes as a number from 0 on; 0 for numbers.
        action_names: of each number; () for names of actuators.
        reward_range: bounds of rewards, where they are known.

    Args:
        **parameters: new values of attributes of the class: weights, sizes, `max_steps`, `model`.

    Example:
        >>> class Balance(Task):
        ...     model = "cartpole"
        ...     observation = (Signal("position", 2), Signal("velocity", 2))
        ...     def observe(self, m, d, out):
        ...         for i in range(2):
        ...             out[i] = d.qpos[i]
        ...             out[2 + i] = d.qvel[i]
        ...     def reward(self, m, d):
        ...         return 1.0
        ...     def terminated(self, m, d):
        ...         return abs(d.qpos[1]) > 0.2
        >>> Balance().observation_size
        4
    """

    model: Any = None
    observation: tuple[Signal, ...] = ()
    state: tuple[Row, ...] = ()
    vary: tuple[str, ...] = ()
    frame_skip: int = 1
    max_steps: int = 0
    refresh: str = ""
    action_size: int | None = None
    action_low: Any = None
    action_high: Any = None
    action_count: int = 0
    action_names: tuple[str, ...] = ()
    reward_range: tuple[float, float] = (-np.inf, np.inf)

    def __init__(self, **parameters: Any):
        self._parameters = parameters
        known = self.parameter_names()
        for name, value in parameters.items():
            if name not in known:
                raise FieldError(f"{self.name} has no parameter {name!r}{suggestion(name, known)}")
            setattr(self, name, value)
        self.model = self._loaded_model()
        self.setup()
        check_declarations(self)

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Attributes of the class that can be given when a task is made."""
        found = {name: getattr(cls, name, None) for name in dir(cls) if not name.startswith("_")}
        return [
            name
            for name, value in found.items()
            if not callable(value) and not isinstance(value, (property, cached_property))
        ]

    def _loaded_model(self) -> Model:
        """The model of the task, read if it is a name or a file."""
        if isinstance(self.model, Model):
            return self.model
        if isinstance(self.model, (str, os.PathLike)):
            return load(os.fspath(self.model))
        hint = ": phalanx.Model.from_mujoco takes it" if type(self.model).__name__ == "MjModel" else ""
        raise FieldError(
            f"{self.name} needs a model: set the attribute `model` to a Model, a file or the name of a built-in model, "
            f"not to {type(self.model).__name__}{hint}"
        )

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def setup(self) -> None:
        """Called when a task is made and has its model: look up ids, compute constants, set `observation`."""

    # --- functions that a task has: their signatures. Those that it does not define are neither compiled nor called

    def before(self, m, d):
        """Before the physics of an action: note in rows of the task what was."""

    def control(self, m, d):
        """Before each substep: from `d.action` to `d.ctrl` and other inputs. Without it, the action is `ctrl`."""

    def after(self, m, d):
        """After the physics of an action: compute rows of the task that several functions read."""

    def reward(self, m, d):
        """The reward of the action: a number. Required."""

    def terminated(self, m, d):
        """Does the episode end? A condition."""

    def info(self, m, d):
        """After the reward, and when an episode begins: set rows that are shown in `info`."""

    def observe(self, m, d, out):
        """Write the observation: `out[i] = ...` for each of its numbers. Required."""

    def reset(self, m, d, rng):
        """Set the state that an episode begins with; before, it is that of a new Data, and rows have their defaults."""

    def begin(self, m, d):
        """After `reset`, when everything is computed at the new state: set rows that depend on it."""

    def randomize(self, m, d, rng):
        """Before `reset`: change the fields of `vary` in `m`; before, they are those of the model."""

    # --- what follows

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return sum(signal.count for signal in self.observation)

    @property
    def action_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest actions, (action_size,) each."""
        size = self.actions
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        if self.action_size is None:
            limited = self.model.actuator_ctrllimited.astype(bool)
            low[limited], high[limited] = self.model.actuator_ctrlrange[limited].T
        if self.action_low is not None:
            low[...] = self.action_low
        if self.action_high is not None:
            high[...] = self.action_high
        return low, high

    @property
    def actions(self) -> int:
        """How many numbers an action has."""
        return self.model.nu if self.action_size is None else self.action_size

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions that the task defines, by name."""
        own = {name: getattr(type(self), name) for name in FUNCTIONS}
        return {name: function for name, function in own.items() if function is not getattr(Task, name)}

    @cached_property
    def layout(self) -> TaskLayout:
        """The rows of the task."""
        return TaskLayout(
            tuple(self.state), self.observation_size, self.actions, self.model._store.sizes, tuple(self.vary)
        )

    @cached_property
    def frozen(self) -> FrozenTask:
        """The functions as kernels."""
        return FrozenTask(self.name, self, self.functions, self.layout)

    @cached_property
    def requests(self) -> int:
        """What functions read that a step does not always compute."""
        requests = 0
        for name in self.frozen.attributes:
            requests |= int(REQUEST_OF.get(name, 0))
        return requests

    @cached_property
    def passes(self) -> Pass:
        """The kernels of a step and of a reset."""
        return build_pass(self.frozen, self.layout, PassOptions(REFRESH[self.refresh], self.requests))

    # --- environments

    def make(self, **options: Any) -> TaskEnv:
        """An environment of Gymnasium with one world: see `TaskEnv` for its options."""
        check_gymnasium()
        from phalanx.learn.gym_env import TaskEnv

        return TaskEnv(self, **options)

    def make_vec(self, num_envs: int, **options: Any) -> TaskVectorEnv:
        """A vector environment of Gymnasium: see `TaskVectorEnv` for its options."""
        check_gymnasium()
        from phalanx.learn.vector_env import TaskVectorEnv

        return TaskVectorEnv(self, num_envs, **options)

    def describe(self) -> str:
        """What each number of observations and actions is, as text."""
        lines = [f"{self.name}: {self.observation_size} observations, {self.actions} actions"]
        # numbers of a group count from 0, as in its part of a `Dict` space
        places = dict.fromkeys((signal.group for signal in self.observation), 0)
        for signal in self.observation:
            part = f"observation[{signal.group!r}]" if len(places) > 1 else "observation"
            for label in signal.labels:
                unit = f" [{signal.unit}]" if signal.unit else ""
                lines.append(
                    f"  {part}[{places[signal.group]}]  {label}{unit}  from {signal.low:g} to {signal.high:g}"
                )
                places[signal.group] += 1
        if self.action_count:
            lines.append(f"  action  one of {self.action_count} choices, 0 to {self.action_count - 1}")
            return "\n".join(lines)
        low, high = self.action_bounds
        for k, label in enumerate(self.labels_of_actions):
            lines.append(f"  action[{k}]  {label}  from {low[k]:g} to {high[k]:g}")
        return "\n".join(lines)

    @property
    def labels_of_actions(self) -> tuple[str, ...]:
        """A name for each number of an action."""
        if self.action_names:
            return tuple(self.action_names)
        if self.action_size is None:
            return tuple(self.model.actuator(k).name or f"actuator[{k}]" for k in range(self.actions))
        return tuple(f"action[{k}]" for k in range(self.actions))

    def __reduce__(self) -> tuple:
        return _made, (type(self), self._parameters)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"{self.name}({given})"


def check_gymnasium() -> None:
    """Say how to get Gymnasium if it is not there."""
    try:
        import gymnasium  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "environments need the package gymnasium, which is not installed: pip install 'phalanx[learn]'"
        ) from error


def _made(kind: type[Task], parameters: dict[str, Any]) -> Task:
    """A task from a pickle."""
    return kind(**parameters)


#: Most steps of the physics for one action, actions of an episode, numbers and choices of an action.
_MOST = 2**31


def check_types(task: Task) -> None:
    """Refuse attributes that are of another type than theirs."""
    name = task.name
    for label, kind in (("observation", Signal), ("state", Row)):
        given = getattr(task, label)
        if not isinstance(given, (tuple, list)):
            raise FieldError(f"`{label}` of {name} is a tuple of phalanx.{kind.__name__}(...), not {_type(given)}")
        for each in given:
            if not isinstance(each, kind):
                raise FieldError(f"`{label}` of {name} holds phalanx.{kind.__name__}(...), not {_type(each)}")
    if not all(_is_whole(value, least) for value, least in ((task.frame_skip, 1), (task.max_steps, 0))):
        raise FieldError(f"{name}: frame_skip is at least 1, max_steps at least 0, and at most {_MOST}")
    if not _is_whole(task.action_count, 0) or not (task.action_size is None or _is_whole(task.action_size, 1)):
        raise FieldError(f"{name}: action_size is at least 1, or None; action_count is at least 0")
    for label in ("vary", "action_names"):
        if not isinstance(getattr(task, label), (tuple, list, str)):
            raise FieldError(f"{label} of {name} is a tuple of names, not {_type(getattr(task, label))}")
        words(f"{label} of {name}", getattr(task, label))
    for label in ("action_low", "action_high"):
        if getattr(task, label) is not None:
            numbers(f"{label} of {name}", getattr(task, label))
    if numbers(f"reward_range of {name}", task.reward_range).shape != (2,):
        raise FieldError(f"reward_range of {name} is the least and the largest reward, not {task.reward_range!r}")


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and least <= int(value) <= _MOST


def _type(value: Any) -> str:
    return type(value).__name__


def check_signal(signal: Signal, name: str) -> None:
    """Refuse numbers of an observation without a count, a name each, and bounds."""
    texts = signal.name, signal.unit, signal.group
    if not all(isinstance(text, str) for text in texts) or not isinstance(signal.names, (tuple, list)):
        raise FieldError(f"name, unit and group of a signal of {name} are words, and names are many, unlike {signal!r}")
    words(f"names of signal {signal.name!r} of {name}", signal.names)
    if not _is_whole(signal.count, 1) or (signal.names and len(signal.names) != signal.count):
        raise FieldError(f"signal {signal.name!r} of {name} has {signal.count} numbers, {len(signal.names)} names")
    low, high = (numbers(f"bounds of signal {signal.name!r} of {name}", bound) for bound in (signal.low, signal.high))
    if low.shape or high.shape or not low <= high:
        raise FieldError(
            f"signal {signal.name!r} of {name} is from {signal.low} to {signal.high}: two numbers, in order"
        )


def check_names(task: Task) -> None:
    """Refuse a method that looks like a function of a task with its name misspelled: nothing would ever call it."""
    kinds = [kind for kind in type(task).__mro__ if kind not in Task.__mro__]
    methods = [each for kind in kinds for each in vars(kind).items() if isinstance(each[1], FunctionType)]
    named = {word for _, method in methods for word in method.__code__.co_names}
    for label, method in methods:
        parameters = method.__code__.co_varnames[1 : method.__code__.co_argcount]
        if hasattr(Task, label) or label in named or parameters[:2] != ("m", "d"):
            continue
        # a helper such as control_cost, which only subclasses call, is longer
        hint = suggestion(label, [name for name in FUNCTIONS if abs(len(name) - len(label)) <= 2])
        if hint:
            place = method.__code__.co_filename, method.__code__.co_firstlineno
            raise TaskError.of(f"{task.name}.{label}", [(f"no function of a task, and nothing calls it{hint}", *place)])


def check_declarations(task: Task) -> None:
    """Refuse a task whose attributes do not fit."""
    name = task.name
    check_types(task)
    check_names(task)
    try:
        check_rows(tuple(task.state))
    except FieldError as error:
        raise FieldError(f"{name}: {error}") from None
    for label, function in task.functions.items():
        if not isinstance(function, (FunctionType, Kernel)):
            raise FieldError(f"{name}.{label} must be a function of (self, m, d, ...), not {_type(function)}")
    for required in ("observe", "reward"):
        if required not in task.functions:
            raise FieldError(f"{name} needs a function {required}(self, {', '.join(FUNCTIONS[required].parameters)})")
    if ("randomize" in task.functions) != bool(task.vary):
        raise FieldError(
            f"{name}: `vary` names the fields of the Model that `randomize` changes; it has one of them only"
        )
    check_varied(task.model, tuple(task.vary), name)
    if not task.observation:
        raise FieldError(f'{name} needs `observation`: its signals, such as (Signal("position", 3),)')
    # each on its own, then what must fit together
    for signal in task.observation:
        check_signal(signal, name)
    if not isinstance(task.refresh, str) or task.refresh not in REFRESH:
        raise FieldError(f"{name}: refresh is one of {', '.join(map(repr, REFRESH))}, not {task.refresh!r}")
    if task.action_size is not None and "control" not in task.functions:
        raise FieldError(f"{name} has action_size: it needs a function control(self, m, d) that sets d.ctrl")
    if task.action_count and task.actions != 1:
        raise FieldError(
            f"{name} has action_count: an action is one number then, but ctrl has {task.actions}; set action_size = 1, "
            "and write a function control(self, m, d) that sets d.ctrl from d.action[0]"
        )
    for label in ("action_low", "action_high"):
        bound = getattr(task, label)
        if bound is not None and np.shape(bound) not in ((), (task.actions,)):
            raise FieldError(f"{label} of {name} has shape {np.shape(bound)}, but an action has {task.actions} numbers")
    low, high = task.action_bounds
    if not (low <= high).all():
        raise FieldError(f"{name}: action_low {low.tolist()} must not be above action_high {high.tolist()}")
    if task.action_names and len(task.action_names) != task.actions:
        raise FieldError(f"{name} has {task.actions} actions, but {len(task.action_names)} action_names")
