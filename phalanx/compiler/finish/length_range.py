"""What is found by moving the model: rest lengths of tendons, and length ranges of actuators."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.model_build import Build
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.errors import ElementProblem, MjcfError
from phalanx.memory.store import Store, data_memory
from phalanx.pipeline.derived import list_candidates_in
from phalanx.pipeline.operations import Operations
from phalanx.tables.actuators import JOINT_TRANSMISSIONS, TENDON_TRANSMISSIONS
from phalanx.tables.enums import BiasType, DisableBit, ErrorPolicy, GainType
from phalanx.tables.mjcf_schema import ELEMENTS

#: What does not act while lengths are searched.
DISABLED = (
    DisableBit.FRICTIONLOSS | DisableBit.CONTACT | DisableBit.SPRING | DisableBit.DAMPER | DisableBit.GRAVITY
    | DisableBit.ACTUATION
)  # fmt: skip


def rest_tendons(store: Store) -> None:
    """tendon_lengthspring where it is -1 -1: the length at qpos_spring."""
    m = store.arrays
    is_open = (m["tendon_lengthspring"] == -1).all(axis=1)
    if not is_open.any():
        return
    lengths = m["tendon_length0"]
    if not np.array_equal(m["qpos0"], m["qpos_spring"]):
        scratch = data_memory(store.sizes, store.number)
        scratch.arrays["qpos"][...] = m["qpos_spring"]
        for body in np.flatnonzero(m["body_mocapid"] >= 0):
            scratch.arrays["mocap_pos"][m["body_mocapid"][body]] = m["body_pos"][body]
            scratch.arrays["mocap_quat"][m["body_mocapid"][body]] = m["body_quat"][body]
        operations = Operations(store, scratch)
        for operation in ("kinematics", "com_pos", "tendon"):
            operations.run(operation)
        lengths = scratch.arrays["ten_length"]
    m["tendon_lengthspring"][is_open] = lengths[is_open, None]


# --- actuators


@dataclass(frozen=True)
class Settings:
    """compiler/lengthrange, with its attributes and their defaults."""

    mode: str
    useexisting: bool
    uselimit: bool
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float


def _settings(build: Build) -> Settings:
    values: Values = dict(ELEMENTS["compiler/lengthrange"].defaults)
    for section in build.root.children:
        if section.tag == "compiler":
            for child in section.children:
                values.update(child.attributes)
    return Settings(**values)


#: Value of compiler/lengthrange/mode -> kinds of gain and bias that want a range.
_WANTED = {
    "none": (),
    "muscle": (GainType.MUSCLE, BiasType.MUSCLE),
    "muscleuser": (GainType.MUSCLE, BiasType.MUSCLE, GainType.USER, BiasType.USER),
}


def _wanted(m: dict[str, np.ndarray], settings: Settings) -> list[int]:
    """The actuators whose length range is to be found."""
    is_wanted = np.full(len(m["actuator_gaintype"]), settings.mode == "all")
    for kind in _WANTED.get(settings.mode, ()):
        is_wanted |= m["actuator_gaintype" if isinstance(kind, GainType) else "actuator_biastype"] == int(kind)
    if settings.useexisting and is_wanted.any():
        low, high = m["actuator_lengthrange"][m["actuator_outadr"]].T
        is_wanted &= ~(low < high)
    return np.flatnonzero(is_wanted).tolist()


def find_length_ranges(store: Store, build: Build) -> None:
    """actuator_lengthrange as compiler/lengthrange asks for it."""
    settings = _settings(build)
    m = store.arrays
    wanted = [build.actuators[k] for k in _wanted(m, settings)]
    if not wanted:
        return
    free = _free_model(store, settings)
    _check_duration(free, build, settings)
    found = m["actuator_lengthrange"].copy()
    for actuator in wanted:
        with build.at(actuator):
            out = int(m["actuator_outadr"][actuator.id])
            given = _limits(m, actuator.id) if settings.uselimit else None
            found[out] = given if given is not None else _searched(free, out, settings)
    m["actuator_lengthrange"][...] = found


def _free_model(store: Store, settings: Settings) -> Store:
    """The model with nothing but its inertia, joint limits and equalities acting."""
    free = store.variant(("opt.disableflags", "opt.timestep", "flg_sweep", "body_sweep"))
    free.arrays["opt.disableflags"][...] = int(DISABLED)
    if settings.timestep > 0:
        free.arrays["opt.timestep"][...] = settings.timestep
    list_candidates_in(free)
    return free


def _check_duration(free: Store, build: Build, settings: Settings) -> None:
    """Refuse a search that would not end."""
    limits = build.scope.files.limits
    steps = settings.inttotal / float(free.arrays["opt.timestep"])
    if steps > limits.lengthrange_steps:
        message = f"the search for length ranges takes {steps:.3g} time steps, {limits.beyond('lengthrange_steps')}"
        raise MjcfError([build.root.problem(message)])


def _limits(m: dict[str, np.ndarray], actuator: int) -> np.ndarray | None:
    """The limits of the joint or tendon that an actuator acts on."""
    kind, target = m["actuator_trntype"][actuator], m["actuator_trnid"][actuator, 0]
    if kind in JOINT_TRANSMISSIONS and m["jnt_limited"][target]:
        return m["jnt_range"][target]
    if kind in TENDON_TRANSMISSIONS and m["tendon_limited"][target]:
        return m["tendon_range"][target]
    return None


def _searched(model: Store, out: int, settings: Settings) -> tuple[float, float]:
    """Shortest and longest length that a steady pull reaches."""
    seen = [_pulled(model, out, side, settings) for side in (-1.0, 1.0)]
    low, high = seen[0][0], seen[1][1]
    if high - low <= 0:
        raise ElementProblem(f"the search for a length range found {low:g} to {high:g}", "lengthrange")
    for shortest, longest in seen:
        if longest - shortest > settings.tolrange * (high - low):
            raise ElementProblem("the search for a length range did not converge: give lengthrange", "lengthrange")
    return low, high


def _pulled(model: Store, out: int, side: float, settings: Settings) -> tuple[float, float]:
    """Extremes of the length at the end of a simulation in which the actuator pulls to one side.

    As in mj_setLengthRange (evalAct in engine_setconst.c).
    """
    world = data_memory(model.sizes, model.number)
    operations, d = Operations(model, world), world.arrays
    operations.reset()
    d["error_policy"][...] = ErrorPolicy.STOP
    fade = exp(-float(model.arrays["opt.timestep"]) / max(0.01, settings.timeconst))
    moment = np.zeros(model.sizes["nv"])
    low = high = None
    while d["time"] < settings.inttotal:
        before = float(d["time"])
        # damping, independent of the inertia
        d["qvel"] *= fade
        operations.run("fwd_position")
        moment[:] = 0
        start = int(d["moment_rowadr"][out])
        entries = slice(start, start + int(d["moment_rownnz"][out]))
        moment[d["moment_colind"][entries]] = d["actuator_moment"][entries]
        length = float(d["actuator_length"][out])
        # a force along the moment that accelerates all dofs together by `accel`
        d["vector_in"][...] = moment
        operations.run("solve_m")
        size = float(np.linalg.norm(d["vector_out"]))
        force = moment * (side * settings.accel / max(MINVAL, size))
        norm = float(np.linalg.norm(force))
        if settings.maxforce > 0 and norm > settings.maxforce:
            force *= settings.maxforce / max(MINVAL, norm)
        d["qfrc_applied"][...] = force
        operations.run("step", 1)
        if not d["time"] > before:
            raise ElementProblem("the search for a length range is unstable: give lengthrange", "lengthrange")
        # only what is seen in the last interval counts, when the motion has died away
        if d["time"] > settings.inttotal - settings.interval:
            low = length if low is None else min(low, length)
            high = length if high is None else max(high, length)
    return low or 0.0, high or 0.0
