"""The models of the conformance matrix, and what must be switched off in them for today's engine.

Models come from dm_control, Gymnasium, the shared collection beside the repository (when it is there), and
`tests/models`: small ones of our own that isolate a feature each. Those in `tests/models/gaps` need what the engine
does not do yet.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.quiet import quiet

TESTS = Path(__file__).resolve().parent.parent
OWN = TESTS / "models"
GAPS = OWN / "gaps"
SHARED = TESTS.parent.parent / "shared" / "models"

#: Files that are not models on their own: parts that others include, some without the assets they need.
FRAGMENTS = frozenset(
    """
    locomotion/walkers/assets/build_fruitfly/assets/drosophila
    locomotion/walkers/assets/build_fruitfly/assets/drosophila_defaults
    locomotion/walkers/assets/build_fruitfly/floor
    locomotion/walkers/assets/build_fruitfly/fruitfly
    locomotion/walkers/assets/dog_v2/dog_base
    locomotion/walkers/assets/dog_v2/scene
    shared/menagerie/shadow_hand/keyframes
    suite/lqr
""".split()
)

#: Beyond this many dofs dense matrices are left out.
LARGE = 150


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _files() -> dict[str, Path]:
    roots = {"own": (OWN, "*.xml"), "shared": (SHARED, "**/*.xml")}
    if dm_control := _package("dm_control"):
        roots["suite"] = (dm_control / "suite", "*.xml")
        roots["locomotion"] = (dm_control / "locomotion", "**/*.xml")
    if gymnasium := _package("gymnasium"):
        roots["gymnasium"] = (gymnasium / "envs" / "mujoco" / "assets", "*.xml")
    found = {}
    for source, (folder, pattern) in roots.items():
        for path in sorted(folder.glob(pattern)):
            name = f"{source}/{path.relative_to(folder).with_suffix('')}"
            if name not in FRAGMENTS:
                found[name] = path
    return found


FILES = _files()
#: Every model of the matrix, our own first.
MODELS = tuple(FILES)
#: A few that cover most of the physics between them, for the default run of what is slow.
REPRESENTATIVE = ("own/everything", "own/actuators_with_state", "own/many_joints", "suite/humanoid", "suite/quadruped")
GAP_MODELS = tuple(path.stem for path in sorted(GAPS.glob("*.xml")))


@dataclass(frozen=True)
class Pair:
    """The same model for both engines."""

    name: str
    mujoco: Any
    phalanx: phalanx.Model
    neutralized: tuple[str, ...]

    def data(self) -> phalanx.Data:
        """A Data of the model, without the warning about what is left out."""
        return make_data(self.phalanx)


@quiet()
def make_data(model: phalanx.Model, **options: Any) -> phalanx.Data:
    return model.make_data(**options)


@lru_cache(maxsize=8)
def compiled(name: str) -> Any:
    """The MjModel as it is in the file. Do not change it: take a copy."""
    try:
        return mujoco.MjModel.from_xml_path(str(FILES[name]))
    except ValueError as error:
        pytest.skip(f"{name} does not compile on its own: {error}")


@lru_cache(maxsize=8)
def load(name: str, **options: float) -> Pair:
    """A model of the matrix for both engines, neutralized, with options such as `integrator=1`.

    Energy is computed, so that it can be compared.
    """
    model = copy(compiled(name))
    neutralized = neutralize(model)
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    for option, value in options.items():
        setattr(model.opt, option, value)
    return Pair(name, model, phalanx.Model.from_mujoco(model), tuple(neutralized))


def neutralize(model: Any) -> list[str]:
    """Switch off, in place, the physics that later stages will bring; returns what was in effect before, in words.

    - All constraints (contacts, limits, equalities, friction loss), by the flag; sensors too.
    - Sleeping trees; the discrete integrator becomes Euler.
    """
    m, found = model, []

    def note(condition: Any, words: str) -> bool:
        if condition:
            found.append(words)
        return bool(condition)

    _disable_constraints(m, note)
    if note(m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP, "sleep"):
        m.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    if note(m.opt.integrator == mujoco.mjtIntegrator.mjINT_DISCRETE, "discrete integrator"):
        m.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    if m.nflex:
        raise ValueError("flexes cannot be neutralized")
    return found


def _disable_constraints(m: Any, note: Any) -> None:
    off, bits = m.opt.disableflags, mujoco.mjtDisableBit
    if not off & bits.mjDSBL_CONSTRAINT:
        if not off & bits.mjDSBL_CONTACT:
            collides = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
            moves = (m.body_weldid[m.geom_bodyid] != 0) & collides
            note(m.npair or (collides.sum() > 1 and moves.any()), "contacts")
        note(m.neq and not off & bits.mjDSBL_EQUALITY, f"{m.neq} equalities")
        limits = np.count_nonzero(m.jnt_limited)
        note(limits and not off & bits.mjDSBL_LIMIT, f"{limits} joint limits")
        note(m.dof_frictionloss.any() and not off & bits.mjDSBL_FRICTIONLOSS, "friction loss")
    note(m.nsensor and not off & bits.mjDSBL_SENSOR, f"{m.nsensor} sensors")
    m.opt.disableflags |= bits.mjDSBL_CONSTRAINT | bits.mjDSBL_SENSOR
