"""What the demo simulates: a chain that conserves energy, a gymnast who swings, and many gymnasts at once."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import phalanx
from phalanx.cli.console import CommandError
from phalanx.tables.enums import GeomType

ASSETS = Path(__file__).parent / "assets"
#: Height of the bar in gymnast.xml [m].
BAR = 2.8
#: Steps of the gymnast between two decisions.
DECISION = 5
#: Worlds of the batch.
WORLDS = 256
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
    """What there is to draw of a run."""

    run: Run


@dataclass
class ChainTrace(Trace):
    """Energies of the chain over time."""

    time: np.ndarray
    potential: np.ndarray
    kinetic: np.ndarray


@dataclass
class GymnastTrace(Trace):
    """Limbs of the gymnast over time, as segments (frame, limb, end, coordinate), and their radius."""

    segments: np.ndarray
    radius: np.ndarray


@dataclass
class BatchTrace(Trace):
    """Height of the feet over time, in all worlds."""

    time: np.ndarray
    height: np.ndarray


def load(name: str) -> phalanx.Model:
    """One of our models; reading XML is still MuJoCo's job."""
    try:
        import mujoco
    except ImportError:
        raise CommandError('the demo reads its models with mujoco: pip install "phalanx[demo]"') from None
    return phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_path(str(ASSETS / f"{name}.xml")))


def step_count(model: phalanx.Model, time: float, stride: int) -> int:
    """How many strides of steps fill a time; at least one."""
    return max(1, round(time / (model.opt.timestep * stride)))


# --- the chain


def run_chain(time: float) -> ChainTrace:
    """Let the chain fall from the horizontal; the sum of its energies should stay where it is."""
    model = load("chain")
    data = model.make_data().forward()
    stride = 10
    frames = step_count(model, time, stride)
    energy = np.empty((frames + 1, 2))
    energy[0] = data.energy
    start = clock.perf_counter()
    for frame in range(frames):
        data.step(stride)
        data.forward()
        energy[frame + 1] = data.energy
    seconds = clock.perf_counter() - start
    drift = np.abs(energy.sum(1) - energy[0].sum()).max() / energy[:, 1].max()
    run = Run("chain of 8 links", 1, frames * stride, data.time, seconds, f"energy drifts by {drift:.1e} of its swing")
    return ChainTrace(run, np.linspace(0, data.time, frames + 1), energy[:, 0], energy[:, 1])


# --- one gymnast


class Pumping:
    """Bend hips and shoulders with the swing, and the amplitude grows."""

    bends = (("shoulder", 0.5), ("hip_bend_left", 0.8), ("hip_bend_right", 0.8))
    knees = (("knee_left", 0.5), ("knee_right", 0.5))

    def __init__(self, model: phalanx.Model):
        self.period = model.opt.timestep * DECISION
        self.bend = [(model.names.id_of("actuator", name), gain) for name, gain in self.bends]
        self.knee = [(model.names.id_of("actuator", name), gain) for name, gain in self.knees]
        self.angle: float | None = None

    def controls(self, data: phalanx.Data) -> np.ndarray:
        """Servo targets [rad], from the speed at which the center of mass turns about the bar."""
        x, _, z = data.subtree_com[1]
        angle = float(np.arctan2(-x, BAR - z))
        turn = 0.0 if self.angle is None else np.remainder(angle - self.angle + np.pi, 2 * np.pi) - np.pi
        self.angle = angle
        drive = 2 / np.pi * np.arctan(2 * turn / self.period)
        controls = np.zeros(data.model.nu)
        for actuator, gain in self.bend:
            controls[actuator] = gain * drive
        for actuator, gain in self.knee:
            controls[actuator] = gain * max(drive, 0.0)
        return controls


def long_geoms(model: phalanx.Model) -> tuple[np.ndarray, np.ndarray]:
    """The capsules and ellipsoids of a figure, and half the length of their axis [m]."""
    is_capsule, is_ellipsoid = model.geom_type == GeomType.CAPSULE, model.geom_type == GeomType.ELLIPSOID
    size = model.geom_size
    half = np.where(is_capsule, size[:, 1], np.maximum(size[:, 2] - size[:, 0], 0.0))
    geoms = np.flatnonzero(is_capsule | is_ellipsoid)
    return geoms, half[geoms]


def run_gymnast(time: float) -> GymnastTrace:
    """One gymnast pumps to swing higher."""
    model = load("gymnast")
    data = model.make_data()
    data.joint("grip").qpos = 1.2
    data.forward()
    pumping = Pumping(model)
    frames = step_count(model, time, DECISION)
    limbs, half = long_geoms(model)
    segments = np.empty((frames, len(limbs), 2, 3))
    start = clock.perf_counter()
    for frame in range(frames):
        data.ctrl[:] = pumping.controls(data)
        data.step(DECISION)
        center, axis = data.geom_xpos[limbs], data.geom_xmat[limbs, 2::3] * half[:, None]
        segments[frame, :, 0], segments[frame, :, 1] = center - axis, center + axis
    seconds = clock.perf_counter() - start
    highest = segments[..., 2].max()
    remark = f"feet reach {highest:.2f} m, bar at {BAR} m"
    run = Run("gymnast who pumps", 1, frames * DECISION, data.time, seconds, remark)
    return GymnastTrace(run, segments, model.geom_size[limbs, 0])


# --- many gymnasts


def run_batch(time: float, worlds: int = WORLDS) -> BatchTrace:
    """Many gymnasts with controls at random; one of them is stepped again alone."""
    model = load("gymnast")
    batch = phalanx.BatchSim(model, worlds)
    random = np.random.default_rng(0)
    stride = 2 * DECISION
    frames = step_count(model, time, stride)
    targets = np.clip(random.normal(0.0, 0.4, (frames, worlds, model.nu)).cumsum(0) * 0.3, -1, 1)
    (xpos,) = batch.bind("xpos")
    feet = [model.names.id_of("body", name) for name in ("foot_left", "foot_right")]
    height = np.empty((frames, worlds))
    start = clock.perf_counter()
    for frame in range(frames):
        batch.ctrl[:] = targets[frame]
        batch.step(stride)
        height[frame] = xpos[:, feet, 2].mean(1)
    seconds = clock.perf_counter() - start
    failed = sum(error is not None for error in batch.errors)
    witness = WITNESS % worlds
    remark = f"{failed} worlds failed; {compare_with_one_world(batch, targets[:, witness], stride, witness)}"
    title = f"{worlds} gymnasts at random"
    run = Run(title, worlds, frames * stride, float(batch.time[witness]), seconds, remark)
    return BatchTrace(run, np.arange(1, frames + 1) * stride * model.opt.timestep, height)


def compare_with_one_world(batch: phalanx.BatchSim, targets: np.ndarray, stride: int, world: int) -> str:
    """Step one world alone with the same controls and say whether it ends in the same bits."""
    data = batch.model.make_data()
    for controls in targets:
        data.ctrl[:] = controls
        data.step(stride)
    same = np.array_equal(data.qpos, batch.qpos[world]) and np.array_equal(data.qvel, batch.qvel[world])
    return f"world {world} {'equals' if same else 'DIFFERS from'} one stepped alone, bit for bit"
