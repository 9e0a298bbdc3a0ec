"""What is measured: models by name, found in the packages that the `bench` extra installs."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Scene:
    """A model to measure. `path` is looked up when asked for, so that a missing package only skips its scenes."""

    name: str
    find: Callable[[], Path]

    def load(self) -> Any:
        """The compiled MuJoCo model with constraints and sensors switched off, or None when the file is not there."""
        import mujoco

        model = self.load_whole()
        if model is not None:
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_SENSOR)
        return model

    def load_whole(self) -> Any:
        """The compiled MuJoCo model as it is, or None when the file is not there."""
        import mujoco

        path = self.find()
        return mujoco.MjModel.from_xml_path(str(path)) if path.exists() else None


def _package(name: str, inner: str) -> Callable[[], Path]:
    def find() -> Path:
        spec = importlib.util.find_spec(name)
        return Path(spec.origin).parent / inner if spec and spec.origin else Path("missing")

    return find


def _shared(inner: str) -> Callable[[], Path]:
    return lambda: Path(__file__).resolve().parents[2] / "shared" / "models" / inner


SCENES = (
    Scene("humanoid", _package("dm_control", "suite/humanoid.xml")),
    Scene("ant", _package("gymnasium", "envs/mujoco/assets/ant.xml")),
    Scene("half_cheetah", _package("gymnasium", "envs/mujoco/assets/half_cheetah.xml")),
    Scene("hopper", _package("gymnasium", "envs/mujoco/assets/hopper.xml")),
    Scene("walker", _package("dm_control", "suite/walker.xml")),
    Scene("quadruped", _package("dm_control", "suite/quadruped.xml")),
    Scene("swimmer", _package("gymnasium", "envs/mujoco/assets/swimmer.xml")),
    Scene("barkour", _shared("menagerie/google_barkour_vb/scene.xml")),
    Scene("iiwa14", _shared("menagerie/kuka_iiwa_14/scene.xml")),
)

#: Scenes in which contacts count.
CONTACT_SCENES = (
    *(scene for scene in SCENES if scene.name in ("humanoid", "ant", "half_cheetah", "quadruped", "barkour")),
    Scene("shadow_hand", _shared("menagerie/shadow_hand/scene_right.xml")),
    Scene("22_humanoids", _shared("mujoco/humanoid/22_humanoids.xml")),
    Scene("100_humanoids", _shared("mujoco/humanoid/100_humanoids.xml")),
    Scene("particles", _shared("mujoco/replicate/particle.xml")),
)

#: Scenes whose whole steps are measured.
STEP_SCENES = (
    *(scene for scene in SCENES if scene.name not in ("swimmer", "iiwa14")),
    *(scene for scene in CONTACT_SCENES if scene.name in ("shadow_hand", "22_humanoids", "100_humanoids")),
)


def random_states(mjmodel: Any, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """qpos on the manifold, qvel and ctrl for n worlds."""
    import mujoco

    rng = np.random.default_rng(seed)
    qpos = np.tile(mjmodel.qpos0, (n, 1))
    for world in range(n):
        mujoco.mj_integratePos(mjmodel, qpos[world], 0.3 * rng.normal(size=mjmodel.nv), 1.0)
    return qpos, 0.3 * rng.normal(size=(n, mjmodel.nv)), rng.uniform(-1, 1, (n, mjmodel.nu))
