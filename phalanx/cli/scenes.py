"""What the demo simulates: a humanoid that stands and then goes limp, and many of them that are pushed."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

import phalanx
from phalanx.show.trajectory import Trajectory
from phalanx.world.builtin import model_path

HUMANOID = model_path("humanoid")
#: The keyframe that the servos hold.
STANCE = "stand"
#: Steps between two frames of plots and replays.
STRIDE = 5
#: Part of the time after which the servos of the one humanoid are switched off.
LIMP = 0.5
#: Worlds of the batch, and the fastest push that one of them gets [m/s].
WORLDS, PUSH = 128, 0.5
#: A pelvis below this height has fallen [m].
FALLEN = 0.6
#: The world of the batch that is compared with a Data of its own.
WITNESS = 17


@dataclass
class Run:
    """What was simulated and how long it took."""

    title: str
    worlds: int
    steps: int
    simulated: float
    seconds: float
    remark: str

    @property
    def rate(self) -> float:
        """Steps of a world per second of wall-clock time."""
        return self.worlds * self.steps / max(self.seconds, 1e-9)


@dataclass
class Trace:
    """What there is to show of a run: numbers over time, frame first."""

    run: Run
    time: np.ndarray
    #: of the pelvis, (frame,) or (frame, world) [m]
    height: np.ndarray
    #: of the fall of the one humanoid; of all worlds of a batch
    trajectory: Trajectory


@dataclass
class HumanoidTrace(Trace):
    """The one humanoid: potential and kinetic energy, contacts, and when it goes limp [s]."""

    energy: np.ndarray
    contacts: np.ndarray
    limp: float


def load_humanoid() -> phalanx.Model:
    """Our own humanoid."""
    return phalanx.load(HUMANOID)


def frame_count(model: phalanx.Model, time: float) -> int:
    """How many frames fill a time; at least two."""
    return max(2, round(time / (model.opt.timestep * STRIDE)))


# --- one humanoid


def run_humanoid(time: float) -> HumanoidTrace:
    """Stand, with servos at the angles of the keyframe; then switch the servos off and fall."""
    model = load_humanoid()
    data = model.make_data().reset(STANCE).forward()
    frames = frame_count(model, time)
    limp = max(1, round(frames * LIMP))
    height, energy, contacts = np.empty(frames + 1), np.empty((frames + 1, 2)), np.empty(frames + 1, int)
    recorder = None
    start = clock.perf_counter()
    for frame in range(frames + 1):
        if frame:
            data.step(STRIDE).forward()
        if frame == limp:
            # group 0 holds all servos of the model
            data = model.replace(opt={"disableactuator": 1}).make_data().restore(data.snapshot()).forward()
            recorder = Trajectory.recorder(data)
        height[frame], energy[frame], contacts[frame] = data.body("pelvis").xpos[2], data.energy, data.ncon
        if recorder is not None:
            recorder.capture()
    seconds = clock.perf_counter() - start
    times = np.arange(frames + 1) * STRIDE * model.opt.timestep
    swayed = np.ptp(height[:limp])
    remark = (
        f"stands for {times[limp]:.2f} s (the pelvis moves up and down by {1000 * swayed:.0f} mm), goes limp, and lies "
        f"at {height[-1]:.2f} m with {contacts[-1]} contacts"
    )
    run = Run("humanoid", 1, frames * STRIDE, data.time, seconds, remark)
    assert recorder is not None
    return HumanoidTrace(run, times, height, recorder.trajectory, energy, contacts, float(times[limp]))


# --- many humanoids


def run_batch(time: float, worlds: int = WORLDS) -> Trace:
    """Many humanoids stand and are pushed, each its own way; one of them is stepped again alone."""
    model = load_humanoid()
    batch = phalanx.BatchSim(model, worlds)
    batch.reset_all(STANCE)
    batch.qvel[:, :2] = pushes(worlds)
    frames = frame_count(model, time)
    recorder = Trajectory.recorder(batch)
    recorder.capture()
    start = clock.perf_counter()
    for _ in range(frames):
        batch.step(STRIDE)
        recorder.capture()
    seconds = clock.perf_counter() - start
    trajectory = recorder.trajectory
    height = trajectory.qpos[:, :, 2].T
    failed = sum(error is not None for error in batch.errors)
    upright = int((height[-1] > FALLEN).sum())
    witness = WITNESS % worlds
    remark = f"{upright} stay on their feet, {failed} worlds failed; {compare_with_one_world(batch, witness)}"
    run = Run(f"{worlds} humanoids, pushed", worlds, frames * STRIDE, float(batch.time[witness]), seconds, remark)
    return Trace(run, np.arange(frames + 1) * STRIDE * model.opt.timestep, height, trajectory)


def pushes(worlds: int) -> np.ndarray:
    """Horizontal velocities (worlds, 2): all directions, from nothing to PUSH [m/s]."""
    direction = 2.4 * np.arange(worlds)
    speed = np.linspace(0, PUSH, worlds)
    return speed[:, None] * np.stack([np.cos(direction), np.sin(direction)], axis=1)


def compare_with_one_world(batch: phalanx.BatchSim, world: int) -> str:
    """Step one world alone from the same start and say whether it ends in the same bits."""
    data = batch.model.make_data().reset(STANCE)
    data.qvel[:2] = pushes(batch.n)[world]
    data.step(round(batch.time[world] / batch.model.opt.timestep))
    same = np.array_equal(data.qpos, batch.qpos[world]) and np.array_equal(data.qvel, batch.qvel[world])
    return f"world {world} {'equals' if same else 'DIFFERS from'} one stepped alone, bit for bit"
