"""The states in which steps are measured. MuJoCo prepares them for both engines, and the controls are the same.

A regime brings every world from a first state to the moment at which the measurement begins, and records the controls
of the TIMED steps that follow. What it needs is deterministic, so that prepared states are kept in `build/`.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import mujoco.batch
import numpy as np

from benchmarks import laws
from benchmarks.laws import SPREAD, Control, Law, control_range, first_pose, rest_control

WORLDS, TIMED = 256, 20
#: Above this many dofs there are fewer worlds.
LARGE, FEW = 100, 32
#: Steps under random controls before the measurement of falling worlds: at least, at most.
WARM = (50, 150)
#: Seconds of the law before standing worlds are measured.
SETTLE = 0.5
#: Seconds of random controls until worlds lie, then of small ones until they rest; how small, of the range.
TUMBLE, REST, SMALL = 2.0, 0.5, 0.02
#: First velocities of standing worlds, standard deviation [m/s or rad/s].
PUSH = 0.1

STATES = ("qpos", "qvel", "act", "qacc_warmstart")
FOLDER = Path(__file__).resolve().parent.parent / "build" / "bench"


@dataclass(frozen=True)
class Start:
    """States of all worlds, and the controls of the steps that are timed."""

    states: dict[str, np.ndarray]
    controls: np.ndarray

    @property
    def worlds(self) -> int:
        """How many."""
        return len(self.controls)


def random_controls(mjmodel: Any, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Controls anywhere in their range."""
    return rng.uniform(*control_range(mjmodel), (*shape, mjmodel.nu))


def small_controls(mjmodel: Any, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Controls near those of rest."""
    rest = rest_control(mjmodel)
    return rest + SMALL * (random_controls(mjmodel, rng, shape) - rest)


# --- first states


def height_place(mjmodel: Any) -> int:
    """Where qpos has the height of the robot: in a free joint, or in a slide joint that points up."""
    for joint, kind in enumerate(mjmodel.jnt_type):
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            return int(mjmodel.jnt_qposadr[joint]) + 2
        if kind == mujoco.mjtJoint.mjJNT_SLIDE and mjmodel.jnt_axis[joint, 2] > 0.9:
            return int(mjmodel.jnt_qposadr[joint])
    raise ValueError("the model has no joint that moves it up and down")


def touches_world(mjmodel: Any, data: Any) -> bool:
    """Does something touch what does not move?"""
    return any((mjmodel.geom_bodyid[contact.geom] == 0).any() for contact in data.contact)


def on_the_floor(mjmodel: Any, pose: np.ndarray) -> np.ndarray:
    """The pose, lowered from above until it touches the floor."""
    data, place, pose = mujoco.MjData(mjmodel), height_place(mjmodel), pose.copy()
    pose[place] += 0.3
    for _ in range(1000):
        data.qpos[:] = pose
        mujoco.mj_fwdPosition(mjmodel, data)
        if touches_world(mjmodel, data):
            break
        pose[place] -= 0.001
    return pose


def rotated(mjmodel: Any, pose: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The pose in any orientation, just above the floor."""
    data, pose = mujoco.MjData(mjmodel), pose.copy()
    if mjmodel.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        quat = rng.normal(size=4)
        pose[3:7] = quat / np.linalg.norm(quat)
        data.qpos[:] = pose
        mujoco.mj_kinematics(mjmodel, data)
        moving = np.flatnonzero(mjmodel.geom_bodyid > 0)
        pose[2] += 0.02 - np.min(data.geom_xpos[moving, 2] - mjmodel.geom_rbound[moving])
    return pose


# --- from there to the measurement


def worlds_of(mjmodel: Any) -> int:
    """How many worlds a batch of the model has."""
    return WORLDS if mjmodel.nv <= LARGE else FEW


def prepare(mjmodel: Any, qpos: np.ndarray, qvel: np.ndarray, control: Control, moments: np.ndarray) -> Start:
    """Steps under a control, of each world until its moment; what would follow is recorded as controls."""
    batch = mujoco.batch.Batch(mjmodel, nsim=len(qpos))
    fields = {name: batch.bind(name) for name in (*STATES, "ctrl")}
    fields["qpos"][:], fields["qvel"][:] = qpos, qvel
    found = {name: np.array(fields[name]) for name in STATES}
    controls = np.zeros((len(qpos), TIMED, mjmodel.nu))
    for step in range(int(moments.max()) + TIMED):
        now = moments == step
        for name, rows in found.items():
            rows[now] = fields[name][now]
        fields["ctrl"][:] = control(step, fields["qpos"], fields["qvel"])
        timed = np.flatnonzero((moments <= step) & (step < moments + TIMED))
        controls[timed, step - moments[timed]] = fields["ctrl"][timed]
        batch.step()
    return Start(found, controls)


def standing(mjmodel: Any, law: Law | None, worlds: int) -> Start:
    """Put on the floor, each world with a small push and targets of its own, and held by a law."""
    assert law is not None
    rng = np.random.default_rng(0)
    pose = on_the_floor(mjmodel, law.pose(mjmodel))
    control = law.make(mjmodel, pose, SPREAD * rng.normal(size=(worlds, mjmodel.nu)))
    qvel = PUSH * rng.normal(size=(worlds, mjmodel.nv))
    moments = np.full(worlds, round(SETTLE / mjmodel.opt.timestep))
    return prepare(mjmodel, np.tile(pose, (worlds, 1)), qvel, control, moments)


def standing_share(mjmodel: Any, start: Start, law: Law | None) -> float:
    """Part of the worlds that still stand: whose center of mass is at four fifths of its first height or above."""
    assert law is not None

    def height(qpos: np.ndarray) -> float:
        data.qpos[:] = qpos
        mujoco.mj_fwdPosition(mjmodel, data)
        return float(data.subtree_com[mjmodel.jnt_bodyid[0], 2])

    data = mujoco.MjData(mjmodel)
    first = height(on_the_floor(mjmodel, law.pose(mjmodel)))
    return float(np.mean([height(qpos) >= 0.8 * first for qpos in start.states["qpos"]]))


def falling(mjmodel: Any, law: Law | None, worlds: int) -> Start:
    """Released in the first pose under random controls, new ones before each step."""
    rng = np.random.default_rng(0)
    qpos = np.tile(mjmodel.key_qpos[0] if mjmodel.nkey else mjmodel.qpos0, (worlds, 1))
    qvel = np.tile(mjmodel.key_qvel[0] if mjmodel.nkey else np.zeros(mjmodel.nv), (worlds, 1))

    def control(step: int, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        return random_controls(mjmodel, rng, (worlds,))

    return prepare(mjmodel, qpos, qvel, control, rng.integers(*WARM, worlds))


def lying(mjmodel: Any, law: Law | None, worlds: int) -> Start:
    """Dropped in any orientation under random controls, then left to rest under small ones."""
    rng = np.random.default_rng(0)
    qpos = np.array([rotated(mjmodel, first_pose(mjmodel), rng) for _ in range(worlds)])
    tumble = round(TUMBLE / mjmodel.opt.timestep)

    def control(step: int, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        return (random_controls if step < tumble else small_controls)(mjmodel, rng, (worlds,))

    moments = np.full(worlds, tumble + round(REST / mjmodel.opt.timestep))
    return prepare(mjmodel, qpos, np.zeros((worlds, mjmodel.nv)), control, moments)


@dataclass(frozen=True)
class Regime:
    """A way of preparing worlds, with what tables and the page say of it."""

    name: str
    title: str
    text: str
    prepare: Callable[[Any, Law | None, int], Start]


REGIMES = {
    regime.name: regime
    for regime in (
        Regime(
            "standing",
            "Standing or walking",
            f"Put on the floor in the pose that a control law holds (table below), each world with small velocities "
            f"(standard deviation {PUSH:g} m/s and rad/s) and targets of its own ({SPREAD:g} rad). Measured after "
            f"{SETTLE:g} s of the law, which goes on.",
            standing,
        ),
        Regime(
            "falling",
            "Falling",
            f"Released in the first keyframe or the reference pose, under random controls, new ones before each step. "
            f"Worlds are measured at different moments, after {WARM[0]} to {WARM[1]} steps: some still fall, others "
            f"are on the floor.",
            falling,
        ),
        Regime(
            "lying",
            "Lying",
            f"Dropped in any orientation, {TUMBLE:g} s of random controls, then {REST:g} s of small ones "
            f"({100 * SMALL:g} % of the range around the rest controls), which go on while steps are measured: robots "
            f"lie on the floor in all manners.",
            lying,
        ),
    )
}


# --- prepared once


def _key(mjmodel: Any, regime: Regime, law: Law | None, worlds: int) -> str:
    """Hash of all that decides the states: the model, how it is prepared, and by which MuJoCo."""
    stored = np.empty(mujoco.mj_sizeModel(mjmodel), np.uint8)
    mujoco.mj_saveModel(mjmodel, None, stored)
    hasher = hashlib.sha256(stored.tobytes())
    for text in (_sources(), mujoco.__version__, regime.name, law.text if law else "", str(worlds)):
        hasher.update(text.encode())
    return hasher.hexdigest()[:20]


@functools.cache
def _sources() -> str:
    return Path(__file__).read_text(encoding="utf-8") + inspect.getsource(laws)


def make_start(mjmodel: Any, name: str = "falling", law: Law | None = None, worlds: int = 0) -> Start:
    """States of a regime, of so many worlds or of the usual number, from `build/` if they were prepared before."""
    regime, worlds = REGIMES[name], worlds or worlds_of(mjmodel)
    path = FOLDER / f"{_key(mjmodel, regime, law, worlds)}.npz"
    if path.exists():
        with np.load(path) as stored:
            return Start({name: stored[name] for name in STATES}, stored["controls"])
    start = regime.prepare(mjmodel, law, worlds)
    FOLDER.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part.npz")
    np.savez(partial, controls=start.controls, **start.states)
    partial.replace(path)
    return start
