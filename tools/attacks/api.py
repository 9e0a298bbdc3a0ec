"""Every public function, class and method, with odd values for its parameters, and the operators of every class; what
there is to call is read from the package, so that nothing new is forgotten.

What must not happen: a crash, a hang, an exception that is not ours. Python's own TypeError for a keyword that there is
not, and what objects of the user raise themselves, are fine.
"""

from __future__ import annotations

import inspect
import io
import os
import random
import re
import tempfile
import types
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import phalanx
from phalanx import learn, mechanism, transforms
from tools.attack_calls import OURS, Call, attack_in_processes, odd, play_calls, small
from tools.attack_examples import EXAMPLES, Things
from tools.attack_operators import operator_calls, operator_names

#: Where public names are listed.
PLACES = (phalanx, learn, mechanism, transforms)


class Rude(Exception):
    """What objects of the user raise."""


def _rude(*_: Any, **__: Any) -> Any:
    raise Rude("no")


_ASKED = (
    "__array__", "__index__", "__int__", "__len__", "__float__", "__iter__", "__bool__", "__fspath__", "__eq__",
    "__lt__", "__getitem__", "__hash__", "__contains__", "__complex__", "__call__", "keys", "items",
)  # fmt: skip
#: An object that refuses whatever Python asks of it.
Refusing = type("Refusing", (), dict.fromkeys(_ASKED, _rude))


class Lying:
    """An object that says of itself what is not so."""

    shape, dtype, ndim, size = (3,), "float64", 7, -1

    def __len__(self) -> int:
        return 2**40

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index > 20:
            raise IndexError
        return np.nan

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.full((2, 2), 1e308)

    def __index__(self) -> int:
        return -(2**80)

    def __float__(self) -> float:
        return float("nan")

    def __fspath__(self) -> str:
        return "\0"

    def keys(self) -> list[str]:
        """As a mapping."""
        return ["nothing", "qpos"]


def _numbers() -> np.ndarray:
    """Numbers that cannot be written."""
    numbers = np.arange(6.0)
    numbers.setflags(write=False)
    return numbers


def _cycle() -> list[Any]:
    """A list that holds itself."""
    cycle: list[Any] = []
    cycle.append(cycle)
    return cycle


#: Makers of values that few functions expect, and some might not survive.
ODDER: tuple[Callable[[], Any], ...] = (
    Refusing, Lying, lambda: 10**400, lambda: "\ud800", lambda: "a\0b", lambda: "x" * 100_000, lambda: "%s{0}{",
    _numbers, lambda: _numbers()[::-2], lambda: _numbers().astype(">f8"), lambda: _numbers().astype("f2"),
    lambda: _numbers().astype(np.longdouble), lambda: np.asfortranarray(np.ones((3, 2))), lambda: np.zeros((1,) * 12),
    lambda: np.broadcast_to(0.0, (10**6, 10**6)), lambda: np.broadcast_to(1, (10**12,)), _cycle,
    lambda: np.ma.masked_all(3), lambda: np.zeros(2, [("a", "f8"), ("b", "i4")]), lambda: np.array(["2020"], "M8[Y]"),
    lambda: np.array(["arm", "crate"]), lambda: (name for name in ("arm", "crate")), lambda: {"arm", "crate"},
    lambda: b"", lambda: bytearray(b"arm"), lambda: memoryview(b"arm"), lambda: Fraction(1, 3), lambda: np.bool_(True),
    lambda: np.str_("arm"), lambda: np.array(None), lambda: np.float64(np.nan), lambda: np.uint64(2**63),
    lambda: Path("/proc/self/mem"), lambda: Path("/dev/zero"), lambda: "/tmp", lambda: io.BytesIO(b"PK"), io.StringIO,
    lambda: int, lambda: np, lambda: type, lambda: {0: 1}, lambda: {"arm": None}, lambda: {None: np.ones(3)},
    lambda: [None], lambda: ["arm", 3], lambda: [np.nan] * 3, lambda: (1e308, 1e308, 1e308), lambda: (0.0, 0.0, 0.0),
    lambda: np.zeros((2, 4)), lambda: np.zeros((1, 7)), lambda: np.zeros(0), lambda: np.ones((2, 3)), lambda: -0.0,
    lambda: 5e-324, lambda: -1e308, lambda: Ellipsis, lambda: NotImplemented, lambda: slice(None, None, 0),
    lambda: -5, lambda: "0 0 0", lambda: "float32", lambda: "all", lambda: [[]], lambda: [b"a"], frozenset,
    lambda: np.array([[1, 0], [0, 1]], bool), lambda: np.array([2**40]), lambda: np.array([-1]), lambda: [1, 1],
)  # fmt: skip


def odder(rng: random.Random) -> Any:
    """An odd value, or one of the odder ones."""
    return small(odd(rng)) if rng.random() < 0.35 else rng.choice(ODDER)()


class Target(NamedTuple):
    """What can be called: a function or class, or a method of an example."""

    name: str
    owner: type | None
    function: Any

    def call(self, things: Things) -> Callable[..., Any]:
        """The function itself, bound to an example."""
        found: Callable[..., Any] = (
            self.function if self.owner is None else getattr(things.example(self.owner), self.name.split(".")[1])
        )
        return found


#: What is not called: it waits for the user, or is for other folders of the package.
NOT_CALLED = (
    "Viewer.wait", "Viewer.sync", "view", "Model.from_compiled", "Model.store_for", "Show.in_group",
    "Element", "Element.copy", "Limits.beyond", "Film", "Perturbation.force", "Perturbation.inertial_axes",
    "SDF.from_function", "LinearizedRollout",
    "Transition", "ParameterDerivatives", "Snapshot", "BatchSnapshot", "Rollout", "ContactTable", "ContactOrigin",
    "WorldContactTable", "BadWorld",
)  # fmt: skip


def public() -> dict[str, Any]:
    """Public functions and classes by name, without errors and warnings."""
    listed = ((place, getattr(place, "__all__", None) or [*vars(place)]) for place in PLACES)
    things = {name: getattr(place, name) for place, names in listed for name in names if not name.startswith("_")}
    return {
        name: thing
        for name, thing in things.items()
        if callable(thing)
        and thing.__module__.startswith("phalanx")
        and not (isinstance(thing, type) and issubclass(thing, BaseException))
    }


def methods(kind: type) -> dict[str, types.FunctionType]:
    """Public methods of a class; functions of kernels are left out."""
    found = {}
    for name in dir(kind):
        given = inspect.getattr_static(kind, name)
        function = inspect.unwrap(getattr(given, "__func__", given))
        is_ours = isinstance(function, types.FunctionType) and function.__module__.startswith("phalanx")
        if is_ours and not name.startswith("_"):
            is_kernel = [*inspect.signature(function).parameters][1:3] == ["m", "d"]
            found |= {} if is_kernel else {name: function}
    return found


def targets() -> list[Target]:
    """Everything that can be called."""
    found = [Target(name, None, thing) for name, thing in public().items()]
    for kind in EXAMPLES:
        found += [Target(f"{kind.__name__}.{name}", kind, method) for name, method in methods(kind).items()]
    return [target for target in found if target.name not in NOT_CALLED]


#: Keywords that are tried where a function takes any.
KEYWORDS = (
    "body_mass", "opt", "qpos0", "geom_size", "vis", "names", "nothing", "distance", "lookat", "contacts", "geomgroup",
    "pos", "size", "type", "quat", "mass", "joint", "max_torque", "gear", "control", "passive", "kp", "threads",
    "lanes", "render_mode", "autoreset_mode", "dtype", "device", "vary", "frame_skip", "max_steps", "std", "curvature",
    "class_", "qpos", "qvel", "goal", "options", "labels", "frames", "model", "height", "width", "packages",
    "fixed_base", "seed",
)  # fmt: skip
#: Parameters that are given though they need not be, as what is usual takes long.
SHORT = ("width", "height", "iterations", "samples", "restarts", "steps")


def arguments_of(
    things: Things, call: Callable[..., Any], is_odd: Callable[[str], bool], value: Callable[[], Any], word: str
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a call: odd values where `is_odd` says so, usual ones where one must be given."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(call).parameters.values():
        name, must = parameter.name, parameter.default is parameter.empty or parameter.name in SHORT
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += [value()] if is_odd(name) else []
        elif parameter.kind is parameter.VAR_KEYWORD:
            named |= {word: value()} if is_odd(name) else {}
        elif is_odd(name) or must:
            given = value() if is_odd(name) else things.usual(name)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(given)
            else:
                named[name] = given
    return positional, named


def _call(things: Things, target: Target, rng: random.Random) -> None:
    """One call with one or two odd values."""
    call = target.call(things)
    names = [*inspect.signature(call).parameters]
    chosen = set(rng.sample(names, min(len(names), rng.choice((1, 1, 2)))))
    positional, named = arguments_of(things, call, chosen.__contains__, lambda: odder(rng), rng.choice(KEYWORDS))
    made = call(*positional, **named)
    if isinstance(made, (phalanx.Viewer, phalanx.Film, phalanx.BatchSim)):
        made.close()


def calls(things: Things) -> list[Call]:
    """A call of each target, and of the operators of each class."""

    def of(target: Target) -> Call:
        def call(rng: random.Random) -> None:
            try:
                _call(things, target, rng)
            except TypeError as error:
                # Python itself refuses a keyword that there is not
                if not any(words in str(error) for words in ("unexpected keyword", "required", "multiple values")):
                    raise
            finally:
                if rng.random() < 0.1:
                    things.forget()

        return call

    return [*(of(target) for target in targets()), *operator_calls(things, odder)]


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of calls; what was found, with the name of what was called."""
    names = [*(target.name for target in targets()), *operator_names()]
    before = Path.cwd()
    # odd values are names of files, too
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        things = Things(Path(folder))
        try:
            found = play_calls(seed, rounds, calls(things), (*OURS, Rude, MemoryError, gymnasium.error.Error))
            things.forget()
        finally:
            os.chdir(before)
    return [re.sub(r"\((\d+)\)", lambda place: names[int(place[1])], line, count=1) for line in found]


def attack(seed: int, seconds: float) -> list[str]:
    """Call until the time is over; one line for each finding."""
    return attack_in_processes("api", seed, seconds, 100)
