"""`profile`: simulate a model for a while, and find out where time and memory go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.batch import BatchSim
from phalanx.batch.binding import KEPT
from phalanx.hook.hooks import prepare_hooks
from phalanx.measure.controls import HOLD, random_controls
from phalanx.measure.profile_text import text_of
from phalanx.measure.stage_times import STEP, StageTimer
from phalanx.measure.step_stages import phase_of
from phalanx.measure.touching import PairCounter, UntouchedBodies
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import real, whole
from phalanx.memory.store import Store, data_memory
from phalanx.native.build import seconds_waited
from phalanx.world.data import Data
from phalanx.world.model import Model

#: States at which stages are timed: of one world, and of a batch.
SAMPLES, BATCH_SAMPLES = 20, 10
#: The longest simulation [s].
LONGEST = 1e4


@dataclass(frozen=True)
class StepTimes:
    """Where the time of a step goes, for each world, on one thread.

    Attributes:
        worlds: how many worlds one call steps: 1, or those of a lane group.
        number: number type of the kernels, such as "f64x8".
        step: seconds of a step.
        stages: seconds of each stage, in the order of the step.
    """

    worlds: int
    number: str
    step: float
    stages: Mapping[str, float]

    @property
    def rest(self) -> float:
        """Seconds that no stage accounts for: checks, hooks, calls. Below zero if stages alone are slower."""
        return self.step - sum(self.stages.values())

    @property
    def phases(self) -> dict[str, float]:
        """Seconds of each phase, in the order of the step."""
        sums: dict[str, float] = {}
        for stage, seconds in self.stages.items():
            sums[phase_of(stage)] = sums.get(phase_of(stage), 0.0) + seconds
        return sums


@dataclass(frozen=True)
class Throughput:
    """A batch in use: seconds of a step of one world, with all threads at work."""

    worlds: int
    threads: int
    step: float


@dataclass(frozen=True)
class Profile:
    """Where time and memory of a simulation go; print it, or use the numbers.

    Attributes:
        title: the model in words.
        simulated: seconds of simulated time.
        steps: how many steps.
        world: one world.
        batch: worlds in lanes; None where lanes do not pay.
        throughput: a batch with all its threads.
        iterations: count of solver iterations -> in how many steps there were so many.
        rows: mean and largest count of constraint rows.
        contacts: mean and largest count of contacts.
        pairs: how many pairs of geoms were looked at, and how many of them touched.
        untouched: bodies whose geoms never touched.
        memory: of the model, a Data, and a world of a batch -> field -> bytes, largest first.
        mujoco: phase -> seconds by MuJoCo's timers, with the whole step as "step"; empty without MuJoCo.
    """

    title: str
    simulated: float
    steps: int
    world: StepTimes
    batch: StepTimes | None
    throughput: Throughput
    iterations: Mapping[int, int]
    rows: tuple[float, int]
    contacts: tuple[float, int]
    pairs: tuple[int, int]
    untouched: tuple[UntouchedBodies, ...]
    memory: Mapping[str, Mapping[str, int]]
    mujoco: Mapping[str, float]

    @arguments_checked
    def with_mujoco(self, phases: Mapping[str, float]) -> Profile:
        """The same, with MuJoCo's times beside."""
        return replace(self, mujoco=dict(phases))

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in dictionaries and lists that JSON knows; times in seconds, memory in bytes."""
        found = asdict(self)
        for name in ("world", "batch"):
            times = getattr(self, name)
            if times is not None:
                found[name] |= {"rest": times.rest, "phases": times.phases}
        return found

    def __repr__(self) -> str:
        return text_of(self)


def profile(
    model: Model,
    *,
    time: float | None = None,
    steps: int | None = None,
    worlds: int = 64,
    key: int | str | None = None,
    seed: int = 0,
    dtype: str = "float64",
    threads: int | None = None,
) -> Profile:
    """Find out where the time of a step goes, stage by stage, and what else a simulation of a model costs.

    The model is simulated with random controls, new every 50 ms. Stages are timed at some of the states on the way.

    Args:
        model: the model.
        time: seconds to simulate, 2 unless `steps` are given.
        steps: how many steps instead.
        worlds: how many worlds the batch has.
        key: keyframe to start from, by name or id.
        seed: of the controls.
        dtype: "float64" or "float32".
        threads: of the batch; None for all CPUs.

    Example:
        >>> print(phalanx.profile(model, time=1.0))                               # doctest: +SKIP
    """
    if not isinstance(model, Model):
        raise FieldError(f"a profile needs a Model, not {type(model).__name__}")
    if is_interpreted():
        raise ModelError(f"interpreted kernels are not worth measuring: unset {INTERPRETED_VARIABLE}")
    count = steps_of(model, time, steps)
    rng = np.random.default_rng(whole("seed", seed, 0))
    # one world first: it is what all worlds are compared with
    data = model.make_data(dtype).reset(key)
    one = follow_world(data, count, rng)
    batch, throughput, sim = follow_batch(model, count, rng, worlds, key, dtype, threads)
    return Profile(
        title=repr(model),
        simulated=count * model.opt.timestep,
        steps=count,
        batch=batch,
        throughput=throughput,
        memory=memory_of(model, data, sim),
        mujoco={},
        **one,
    )


def steps_of(model: Model, time: float | None, steps: int | None) -> int:
    """How many steps are asked for."""
    if steps is not None:
        if time is not None:
            raise FieldError("a profile takes a time or a count of steps, not both")
        return whole("steps", steps, 1, 10**9)
    seconds = 2.0 if time is None else real("time", time)
    if not 0.0 < seconds <= LONGEST:
        raise FieldError(f"the time of a profile is between 0 and {LONGEST:g} seconds, not {seconds:g}")
    return max(1, round(seconds / model.opt.timestep))


# --- one world


def follow_world(data: Data, steps: int, rng: np.random.Generator) -> dict[str, Any]:
    """Simulate one world: what it counts in each step, and how long stages take at some of them."""
    model, counter = data.model, PairCounter(data.model)
    timer = StageTimer(model.store_for(data._store.number.base), data._store)
    hold, sampled = max(1, round(HOLD / model.opt.timestep)), samples_of(steps, SAMPLES)
    times: list[dict[str, float]] = []
    counts = np.zeros((steps, 3), np.int64)
    for k in range(steps):
        if k % hold == 0:
            data.ctrl[:] = random_controls(model, rng)
        # measuring leaves the state as it was
        if k in sampled:
            times.append(timer.measure())
            counter.sample(data)
        data.step(on_error="reset")
        counts[k] = data.solver_niter.sum(), data.nefc, data.ncon
        if counts[k, 2]:
            counter.note_contacts(data)
    iterations = Counter(counts[:, 0].tolist())
    return {
        "world": step_times(data._store, times),
        "iterations": dict(sorted(iterations.items())),
        "rows": (float(counts[:, 1].mean()), int(counts[:, 1].max())),
        "contacts": (float(counts[:, 2].mean()), int(counts[:, 2].max())),
        "pairs": (counter.candidates, counter.touched),
        "untouched": tuple(counter.untouched()),
    }


def samples_of(steps: int, count: int) -> set[int]:
    """Steps at which stages are timed: not the first one, which is like no other, if there are more."""
    return set(np.linspace(min(1, steps - 1), steps - 1, min(count, steps)).astype(int).tolist())


def step_times(store: Store, samples: list[dict[str, float]]) -> StepTimes:
    """Means over all samples, for each world."""
    worlds = store.number.worlds
    means = {name: sum(times[name] for times in samples) / len(samples) / worlds for name in samples[0]}
    step = means.pop(STEP)
    return StepTimes(worlds, store.number.name, step, means)


# --- many worlds


def follow_batch(
    model: Model, steps: int, rng: np.random.Generator, worlds: int, key: Any, dtype: str, threads: int | None
) -> tuple[StepTimes | None, Throughput, BatchSim]:
    """Simulate a batch: how fast it is as a whole, and how long stages of a lane group take at some of its steps."""
    batch = BatchSim(model, whole("worlds", worlds, 1), dtype=dtype, threads=threads)
    batch.reset_all(key)
    lanes = batch.number.width > 1
    store = data_memory(model._store.sizes, batch.number)
    prepare_hooks(store, model._hooks)
    timer = StageTimer(model.store_for(dtype), store) if lanes else None
    hold, sampled = max(1, round(HOLD / model.opt.timestep)), samples_of(steps, BATCH_SAMPLES)
    times: list[dict[str, float]] = []
    best, k = np.inf, 0
    while k < steps:
        # from one change of the controls, or one sample, to the next
        if k % hold == 0:
            batch.ctrl[:] = random_controls(model, rng, batch.n)
        if k in sampled and timer is not None:
            load_group(batch, store)
            times.append(timer.measure())
        until = min([steps, (k // hold + 1) * hold, *(at for at in sampled if at > k)])
        began, waited = perf_counter(), seconds_waited()
        batch.step(until - k)
        spent = perf_counter() - began - (seconds_waited() - waited)
        if until - k >= min(hold, steps) // 2 or best == np.inf:
            best = min(best, spent / (until - k))
        batch.reset_where(batch._arrays["error_code"] != 0, key)
        k = until
    throughput = Throughput(batch.n, batch.threads, float(best) / batch.n)
    return step_times(store, times) if times else None, throughput, batch


def load_group(batch: BatchSim, store: Store) -> None:
    """State and inputs of the first worlds of a batch, into the memory of a lane group; the last one fills it up."""
    worlds = np.minimum(np.arange(store.number.width), batch.n - 1)
    for name in KEPT:
        store.arrays[name][...] = np.moveaxis(batch._arrays[name][worlds], 0, -1)


# --- memory


def memory_of(model: Model, data: Data, batch: BatchSim) -> dict[str, dict[str, int]]:
    """Bytes of each field that has some, largest first."""
    parts = {
        "Model": model.store_for(data._store.number.base).arrays,
        "Data": data._store.arrays,
        "world of a batch": {name: array[:1] for name, array in batch._arrays.items()},
        "thread of a batch": batch._workspace(0).arrays,
    }
    return {
        part: dict(sorted(((n, a.nbytes) for n, a in arrays.items() if a.nbytes), key=lambda row: -row[1]))
        for part, arrays in parts.items()
    }
