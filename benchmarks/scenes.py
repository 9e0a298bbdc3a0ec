"""What is measured: models by name, found in the packages that the `bench` extra installs, and next to the sources."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.crowds import crowd, stacks
from benchmarks.robots import dry_elliptic, mesh_feet, mesh_legs

ROOT = Path(__file__).resolve().parent.parent
#: Where models of MuJoCo and of its menagerie are looked for; without them their scenes are left out.
MODELS_VARIABLE = "PHALANX_BENCH_MODELS"


@dataclass(frozen=True)
class Scene:
    """A model to measure. Its file is looked up when asked for, so that a missing package only skips its scenes.

    Attributes:
        name: how it is asked for.
        find: the path of its file.
        label: how tables call it; the name if empty.
        edit: makes a variant of a `mujoco.MjSpec`.
    """

    name: str
    find: Callable[[], Path]
    label: str = ""
    edit: Callable[[Any], None] | None = None

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
        if not path.exists():
            return None
        if self.edit is None:
            return mujoco.MjModel.from_xml_path(str(path))
        spec = mujoco.MjSpec.from_file(str(path))
        self.edit(spec)
        return spec.compile()


def models_folder() -> Path:
    """The folder `shared/models` next to the sources, or the one that PHALANX_BENCH_MODELS names."""
    return Path(os.environ.get(MODELS_VARIABLE) or ROOT.parent / "shared" / "models")


def _package(name: str, inner: str) -> Callable[[], Path]:
    def find() -> Path:
        spec = importlib.util.find_spec(name)
        return Path(spec.origin).parent / inner if spec and spec.origin else Path("missing")

    return find


def _shared(inner: str) -> Callable[[], Path]:
    return lambda: models_folder() / inner


def _own(inner: str) -> Callable[[], Path]:
    return lambda: ROOT / "phalanx" / "robots" / inner


_ROWS = (
    Scene("humanoid", _package("dm_control", "suite/humanoid.xml"), "humanoid (dm_control)"),
    Scene("humanoid_mujoco", _shared("mujoco/humanoid/humanoid.xml"), "humanoid (MuJoCo)"),
    Scene("humanoid_gym", _package("gymnasium", "envs/mujoco/assets/humanoid.xml"), "humanoid (gymnasium: PGS, RK4)"),
    Scene("ant", _package("gymnasium", "envs/mujoco/assets/ant.xml"), "ant (gymnasium: RK4)"),
    Scene("half_cheetah", _package("gymnasium", "envs/mujoco/assets/half_cheetah.xml"), "half-cheetah (gymnasium)"),
    Scene("hopper", _package("gymnasium", "envs/mujoco/assets/hopper.xml"), "hopper (gymnasium: RK4)"),
    Scene("walker", _package("dm_control", "suite/walker.xml"), "walker (dm_control)"),
    Scene("quadruped", _package("dm_control", "suite/quadruped.xml"), "quadruped (dm_control)"),
    Scene("swimmer", _package("gymnasium", "envs/mujoco/assets/swimmer.xml")),
    Scene("own_humanoid", _own("humanoid.xml"), "humanoid (ours)"),
    Scene("own_humanoid_mesh", _own("humanoid.xml"), "humanoid (ours), mesh feet", mesh_feet),
    Scene("own_quadruped", _own("quadruped.xml"), "quadruped (ours)"),
    Scene("own_quadruped_mesh", _own("quadruped.xml"), "quadruped (ours), mesh legs", mesh_legs),
    Scene("own_quadruped_dry", _own("quadruped.xml"), "quadruped (ours), elliptic, dry joints", dry_elliptic),
    Scene("barkour", _shared("menagerie/google_barkour_vb/scene.xml"), "Barkour (menagerie)"),
    Scene("iiwa14", _shared("menagerie/kuka_iiwa_14/scene.xml")),
    Scene("shadow_hand", _shared("menagerie/shadow_hand/scene_right.xml"), "shadow hand (menagerie)"),
    Scene("22_humanoids", _shared("mujoco/humanoid/22_humanoids.xml"), "22 humanoids (MuJoCo)"),
    Scene("100_humanoids", _shared("mujoco/humanoid/100_humanoids.xml"), "100 humanoids (MuJoCo)"),
    Scene("own_100_humanoids", _own("humanoid.xml"), "100 humanoids (ours)", crowd),
    Scene("1000_boxes", lambda: ROOT / "benchmarks" / "floor.xml", "1000 boxes in stacks", stacks),
    Scene("cloth", lambda: ROOT / "benchmarks" / "cloth.xml", "pinned cloth, 9 x 9"),
    Scene("rope", lambda: ROOT / "benchmarks" / "rope.xml", "rope of 40 vertices"),
    Scene("elastic_cloth", lambda: ROOT / "benchmarks" / "elastic_cloth.xml", "elastic cloth, 9 x 9 (discrete)"),
    Scene("own_cloth", _own("cloth.xml"), "cloth on a ball (ours)"),
    Scene("soft_gripper", _own("soft_gripper.xml"), "gripper with soft pads (ours)"),
    Scene("particles", _shared("mujoco/replicate/particle.xml")),
)
#: All scenes by name.
BY_NAME: dict[str, Scene] = {scene.name: scene for scene in _ROWS}


def _scenes(names: str) -> tuple[Scene, ...]:
    return tuple(BY_NAME[name] for name in names.split())


#: Scenes whose smooth stages are measured.
SCENES = _scenes("humanoid ant half_cheetah hopper walker quadruped swimmer barkour iiwa14")

#: Scenes in which contacts count.
CONTACT_SCENES = _scenes("humanoid ant half_cheetah quadruped barkour shadow_hand 22_humanoids 100_humanoids particles")

#: Scenes whose whole steps are measured.
STEP_SCENES = tuple(scene for scene in _ROWS if scene.name not in ("swimmer", "iiwa14", "particles"))


def random_states(mjmodel: Any, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """qpos on the manifold, qvel and ctrl for n worlds."""
    import mujoco

    rng = np.random.default_rng(seed)
    qpos = np.tile(mjmodel.qpos0, (n, 1))
    for world in range(n):
        mujoco.mj_integratePos(mjmodel, qpos[world], 0.3 * rng.normal(size=mjmodel.nv), 1.0)
    return qpos, 0.3 * rng.normal(size=(n, mjmodel.nv)), rng.uniform(-1, 1, (n, mjmodel.nu))
